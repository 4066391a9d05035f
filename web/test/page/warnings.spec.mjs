// SPDX-License-Identifier: BSD-3-Clause
// Warnings of the run: on every page, until they are closed or the run begins anew, and in replays.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { command, startRut } from './server.mjs';

// A robot that rolls at 2 m/s from the middle of a map of 10 m: its wheels pass the edge at 2.5 s.
const WORLD = `<world timestep="5 ms" duration="4 s">
  <elevation_map matrix="[1 1 1; 1 1 1; 1 1 1]" resolution="5 m" corner="-5 -5 m"/>
  <vehicle name="r" velocity="2 0">
    <chassis mass="20" outline="-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3"/>
    <wheel place="left" position="0 0.3"/><wheel place="right" position="0 -0.3"/>
    <tyre type="coulomb" bearing_damping="0"/>
  </vehicle>
</world>`;
const SAYS = "'r' left the ground at t = 2.5";

describe('warnings', { skip: command ? false : 'needs RUT_COMMAND' }, () => {
  let folder;
  let world;
  let browser;
  const servers = [];
  const start = async (...args) => {
    const server = await startRut(...args);
    servers.push(server);
    return server;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rut_warnings_'));
    world = join(folder, 'end.xml');
    await writeFile(world, WORLD);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    for (const server of servers) server.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const shown = (page, text) =>
    page.waitForFunction(
      (s) => document.querySelector('.warnings:not([hidden])')?.textContent.includes(s),
      text,
      { polling: 50 },
    );
  const gone = (page) =>
    page.waitForFunction(() => document.querySelector('.warnings').hidden, null, { polling: 50 });
  const send = (page, message) => page.evaluate((m) => window.rut.send(m), message);

  test('of a vehicle that leaves the ground', async () => {
    const server = await start('view', world, '--paused');
    const page = await open(browser, server.url);
    await send(page, { type: 'step', n: 400 });
    await page.waitForFunction(() => window.rut.frame.get().time > 1.99, null, { polling: 50 });
    assert.equal(await page.locator('.warnings').isVisible(), false);
    await send(page, { type: 'step', n: 300 });
    await shown(page, SAYS);
    const spoken = await page.evaluate(() => document.querySelector('[role=alert]').textContent);
    assert.ok(spoken.includes(SAYS));
    // a page that comes later is told as well
    const late = await open(browser, server.url);
    await shown(late, SAYS);
    // closed on one page
    await page.getByRole('button', { name: `Close: ${SAYS}` }).click();
    await gone(page);
    assert.equal(await late.locator('.warnings').isVisible(), true);
    // another run
    await send(page, { type: 'reset' });
    await gone(late);
    await page.waitForFunction(() => window.rut.status.get().warnings.length === 0);
    await send(page, { type: 'step', n: 700 });
    await shown(page, SAYS);
    await shown(late, SAYS);
    assert.deepEqual([...page.errors, ...late.errors], []);
    await page.close();
    await late.close();
  });

  test('in a replay, from their time on', async () => {
    const log = join(folder, 'run.mcap');
    const child = spawn(command, ['run', world, '--log', log, '-q']);
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 0);
    const server = await start('replay', log, '--paused');
    const page = await open(browser, server.url);
    assert.equal(await page.locator('.warnings').isVisible(), false);
    await send(page, { type: 'seek', time: 3 });
    await shown(page, SAYS);
    await send(page, { type: 'seek', time: 1 });
    await gone(page);
    assert.deepEqual(page.errors, []);
    await page.close();
  });
});
