// SPDX-License-Identifier: BSD-3-Clause
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithEsbuild } from 'vite';

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = await transformWithEsbuild(await readFile(path, 'utf8'), path);
  return { format: 'module', shortCircuit: true, source: code };
}
