// SPDX-License-Identifier: BSD-3-Clause
// Logs that the world names: their buttons, and what then stands in the folder.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { command, exampleWorld, startRut } from './server.mjs';

let browser;
let server;
let folder;

before(async () => {
  if (!command) return;
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'rut_logs_'));
  server = await startRut('view', exampleWorld('logged.xml'), '--paused', '--output', folder);
});
after(async () => {
  await browser?.close();
  server?.close();
  if (folder) await rm(folder, { recursive: true });
});

const ended = (child) => new Promise((resolve) => child.once('exit', resolve));

test('buttons for each log', async (t) => {
  if (!command) return t.skip('needs the command');
  const page = await open(browser, server.url, { width: 900 });
  const says = (name, text) =>
    page.waitForFunction(
      ([n, s]) =>
        [...document.querySelectorAll('.logs li')].some(
          (li) => li.textContent.startsWith(n) && li.textContent.includes(s),
        ),
      [name, text],
      { polling: 50 },
    );
  const step = async (n) => page.evaluate((k) => window.rut.send({ type: 'step', n: k }), n);
  await page.evaluate(() => window.rut.panel.set('scene'));
  assert.equal(await page.locator('.logs li').count(), 4);
  await says('run', 'recording, 1 row in run.csv');
  await says('rover/touch', 'waiting');
  await says('rover/start', 'paused');

  await page.getByRole('button', { name: 'Pause run' }).click();
  await says('run', 'paused, 1 row');
  await step(100);
  await page.getByRole('button', { name: 'Resume run' }).click();
  await says('run', 'recording');
  await page.getByRole('button', { name: 'Begin a new session of run' }).click();
  await step(100);
  await says('run', 'recording, 2 rows in run-2.csv');
  await page.getByRole('button', { name: 'Remove the rows of run in this session' }).click();
  await says('run', 'recording');
  await step(50);
  await says('run', '1 row in run-2.csv');
  assert.deepEqual(page.errors, []);

  server.close();
  await ended(server.child);
  const files = (await readdir(folder)).filter((name) => name.startsWith('run')).sort();
  assert.deepEqual(files, ['run-2.csv', 'run.csv']);
  const rows = (await readFile(join(folder, 'run-2.csv'), 'utf8')).trim().split('\n');
  assert.equal(rows.length, 2);
  assert.ok(Math.abs(Number.parseFloat(rows[1]) - 0.5) < 1e-9);
});
