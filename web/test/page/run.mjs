// SPDX-License-Identifier: BSD-3-Clause
// Runs tests of the page in one browser: node test/page/run.mjs [FILE ...]
//
// A browser that draws in software takes seconds to compile the shaders of its first page, and remembers them. It
// would take all processors to draw as often as it can: a few pictures a second are enough.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchShared } from './browser.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const specs = readdirSync(folder)
  .filter((name) => name.endsWith('.spec.mjs'))
  .map((name) => join(folder, name));
const wanted = process.argv.slice(2);

const browser = await launchShared();
const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=1', ...(wanted.length ? wanted : specs)],
  {
    stdio: 'inherit',
    env: { RUT_PICTURE_GAP: '100', ...process.env, RUT_BROWSER: browser.wsEndpoint() },
  },
);
child.on('exit', async (code) => {
  await browser.close();
  process.exit(code ?? 1);
});
