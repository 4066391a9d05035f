// SPDX-License-Identifier: BSD-3-Clause
// A study on the page: its table, a filter, and runs that are simulated again; and a world without vehicles.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { launch, open } from './browser.mjs';
import { command, exampleWorld, startRut } from './server.mjs';

const WORLD = `<world timestep="5 ms" duration="1 s"><include file="vehicles/rover.xml" name="r" speed="1.5"/></world>`;
const STUDY = `<study world="field.xml">
  <vary type="grid" name="yaw" path="r.yaw" unit="deg" from="0" to="60" count="3"/>
  <vary type="list" name="mass" path="r/chassis.mass" unit="kg" values="9; 12"/>
  <measure type="last" name="x" signal="r/x"/><pass condition="x &gt; 0.8"/></study>`;

let browser;
let server;
let folder;
let missing = command ? '' : 'needs the command';

before(async () => {
  if (!command) return;
  folder = await mkdtemp(join(tmpdir(), 'rut_study_'));
  await cp(exampleWorld('vehicles'), join(folder, 'vehicles'), { recursive: true });
  await writeFile(join(folder, 'field.xml'), WORLD);
  await writeFile(join(folder, 'turns.xml'), STUDY);
  try {
    await promisify(execFile)(command, ['sweep', 'turns.xml', '-q'], { cwd: folder });
  } catch (error) {
    if (!/SQLite/.test(error.stderr)) throw error;
    missing = 'built without SQLite';
    return;
  }
  browser = await launch();
  server = await startRut('view', join(folder, 'turns.db'), '--paused');
});
after(async () => {
  await browser?.close();
  server?.close();
  if (folder) await rm(folder, { recursive: true });
});

// Without SQLite the other test needs none.
async function alive() {
  browser ??= await launch();
  return browser;
}

test('table, filter, and a run again', async (t) => {
  if (missing) return t.skip(missing);
  const page = await open(browser, server.url, { width: 1200, height: 800 });
  const rows = page.locator('.study-table tbody tr');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 6, 'the panel is open, as it is what the page is for');
  const runs = () => rows.evaluateAll((all) => all.map((row) => Number(row.dataset.run)));
  const search = page.getByRole('searchbox', { name: 'Filter runs' });
  await search.fill('mass = 12 and yaw > 10');
  assert.deepEqual(await runs(), [3, 5]);
  await search.fill('mas = 12');
  assert.deepEqual(await runs(), [3, 5], 'what is wrong changes nothing');
  assert.match(await page.locator('.study-wrong').textContent(), /no column 'mas'/);
  await search.fill('');
  await page.getByRole('button', { name: 'Sort by x' }).click();
  const rising = await runs();
  await page.getByRole('button', { name: 'Sort by x' }).click();
  assert.deepEqual(await runs(), rising.reverse());

  await page.evaluate(() => window.rut.send({ type: 'rate', value: 0 }));
  await page.getByRole('button', { name: 'Simulate run 4 again' }).click();
  await page.getByText('Run 4 is over: the same bits as in the study.').waitFor();
  assert.equal(await page.locator('.study-table tr[aria-current]').getAttribute('data-run'), '4');
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a world without vehicles begins with the view that it asks for', async (t) => {
  if (!command) return t.skip('needs the command');
  const world = join(folder, 'bare.xml');
  await writeFile(
    world,
    `<world><elevation_map matrix="[0 0 0; 0 9 0; 0 0 0]" resolution="500 m"/><gui distance="1234 m" elevation="50 deg"/></world>`,
  );
  const bare = await startRut('view', world, '--paused');
  t.after(() => bare.close());
  const page = await open(await alive(), bare.url);
  await page.waitForFunction(() => window.rut.views[0].orbit.distance === 1234, null, {
    polling: 50,
  });
  await page.close();
});
