// SPDX-License-Identifier: BSD-3-Clause
// The page on a recorded run. Needs the command, and a log that it has written.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import WebSocket from 'ws';
import { launch, open } from './browser.mjs';
import { command, exampleWorld, startRut } from './server.mjs';

const WORLD = exampleWorld('demo.xml');
const until = (page, expression, argument) =>
  page.waitForFunction(expression, argument, { timeout: 90_000, polling: 50 });

// A log of `rut run`.
function run(log, seconds) {
  const child = spawn(command, ['run', WORLD, '--log', log, '--duration', String(seconds), '-q']);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code ? reject(new Error(`rut run: ${code}`)) : resolve()));
  });
}

// One of `rut view`: lets the world run fast until a time.
async function record(log, seconds) {
  const live = await startRut('view', WORLD, '--record', log);
  const ended = new Promise((resolve) => live.child.on('exit', resolve));
  const socket = new WebSocket(live.url.replace('http', 'ws') + 'stream', 'rut.1');
  socket.on('open', () => socket.send('{"type":"rate","value":20}'));
  await new Promise((resolve) =>
    socket.on('message', (data, binary) => binary && data.readDoubleLE(8) > seconds && resolve()),
  );
  socket.close();
  live.close();
  await ended;
}

describe('replay', { skip: command ? false : 'needs RUT_COMMAND' }, () => {
  let folder;
  let browser;
  let server;
  let page;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rut_replay_'));
    const [log, other] = ['run.mcap', 'view.mcap'].map((name) => join(folder, name));
    await run(log, 15);
    await record(other, 8);
    server = await startRut('replay', log, '--compare', other, '--paused');
    browser = await launch();
    page = await open(browser, server.url);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('scrubs forth and back, and the vehicles are where they were', async () => {
    await page.waitForSelector('.scrub-bar', { state: 'visible' });
    // A run that is far faster than the clock has fewer frames than one that was looked at.
    const placeAt = async (time) => {
      await page.evaluate((t) => window.rut.send({ type: 'seek', time: t }), time);
      await until(page, (t) => Math.abs(window.rut.frame.get().time - t) < 0.6, time);
      return page.evaluate(() => [...window.rut.frame.get().vehicles.slice(8, 10)]);
    };
    const early = await placeAt(4);
    const late = await placeAt(12);
    assert.ok(Math.hypot(early[0] - late[0], early[1] - late[1]) > 0.5);
    assert.deepEqual(await placeAt(4), early);
    // By the bar itself.
    await page.locator('.scrub').fill('10');
    await until(page, () => Math.abs(window.rut.frame.get().time - 10) < 0.6);
    assert.deepEqual(page.errors, []);
  });

  test('plays, shows the compared log as ghosts, and has curves from the start', async () => {
    const vehicles = await page.evaluate(() => window.rut.scene.get().vehicles.map((v) => v.ghost));
    assert.equal(vehicles.filter(Boolean).length, vehicles.length / 2);
    assert.ok(await page.locator('.drive-button').isDisabled());
    await page.evaluate(() => window.rut.send({ type: 'seek', time: 6 }));
    await page.keyboard.press('l');
    await until(page, () => window.rut.store.size > 20 && window.rut.store.start < 1);
    await page.keyboard.press('p');
    await until(page, () => window.rut.frame.get().time > 6.5);
    await page.locator('[aria-label="Loop"]').click();
    assert.deepEqual(page.errors, []);
  });
});
