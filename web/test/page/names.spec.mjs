// SPDX-License-Identifier: BSD-3-Clause
// A world of a stranger: whatever it calls its things, the page shows names and runs nothing of theirs.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { command, startRut } from './server.mjs';

const NAMES = [
  '<img src=x onerror="window.pwned=1">',
  '"><script>window.pwned=2</script>',
  "javascript:window.pwned=3//'",
  '__proto__',
  'constructor',
  'hasOwnProperty',
];

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const cart = (name, i) => `<vehicle name="${escape(name)}" position="${2 * i} 0">
  <chassis mass="30 kg" outline="-0.4 -0.2, 0.4 -0.2, 0.4 0.2, -0.4 0.2"/>
  <wheel name="${escape(name)}" place="left" position="0 0.28 m" mass="1.5 kg" radius="0.13 m"/>
  <wheel name="r" place="right" position="0 -0.28 m" mass="1.5 kg" radius="0.13 m"/>
  <tyre type="coulomb" friction="2"/><drive type="direct"/>
  <controller type="twist_pid" proportional_gain="5" integral_gain="4" max_torque="10 N m"/>
  <sensor type="laser" name="${escape(name)}" rays="5"/></vehicle>`;

let browser;
let server;
let folder;
let page;

before(async () => {
  if (!command) return;
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'rut_names_'));
  const world = join(folder, 'names.xml');
  const description = escape(NAMES[0]);
  await writeFile(
    world,
    `<world timestep="5 ms" description="${description}">${NAMES.map(cart).join('')}</world>`,
  );
  server = await startRut('view', world);
  page = await open(browser, server.url, { width: 900 });
});
after(async () => {
  await browser?.close();
  server?.close();
  if (folder) await rm(folder, { recursive: true });
});

test('names are text', async (t) => {
  if (!command) return t.skip('needs the command');
  const elements = () => page.evaluate(() => document.querySelectorAll('img, script').length);
  const scripts = await elements();
  const names = await page.evaluate(() => window.rut.scene.get().vehicles.map((v) => v.name));
  assert.deepEqual(names, NAMES);
  for (const [i, name] of NAMES.entries()) {
    await page.evaluate((k) => window.rut.choose(k), i);
    for (const panel of ['vehicle', 'plots', 'parameters', 'sensors', 'scene']) {
      await page.evaluate((p) => window.rut.panel.set(p), panel);
      await page.waitForTimeout(50);
    }
    await page.evaluate((n) => window.rut.subscribe([`${n}/speed`]), name);
    await page.waitForFunction(
      (n) =>
        [...window.rut.store.span([`${n}/speed`], -1, 1e9, 1e9).columns[0]].some(Number.isFinite),
      name,
      { polling: 50 },
    );
    await page.evaluate((n) => window.rut.say(`Notice of ${n}`, 'error'), name);
    await page.evaluate(
      (n) => window.rut.send({ type: 'set', path: `${n}.nothing`, value: n }),
      name,
    );
  }
  await page.keyboard.press('i');
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await elements(), scripts);
  assert.equal(await page.evaluate(() => ({}).nothing ?? Object.keys({}).length), 0);
  assert.deepEqual(page.errors, []);
});

const FORBIDDEN = [
  'connect-src',
  'eval',
  'frame-src',
  'img-src',
  'script-src-attr',
  'script-src-elem',
  'style-src-attr',
  'style-src-elem',
];

// What would happen if markup did get into the page: the policy lets it do nothing.
test('the policy of the page lets no other script or style run', async (t) => {
  if (!command) return t.skip('needs the command');
  await page.evaluate(() => {
    window.seen = new Set();
    document.addEventListener('securitypolicyviolation', (e) => {
      window.seen.add(e.effectiveDirective);
    });
    const put = (tag, text, attributes = {}) => {
      const e = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
      e.textContent = text;
      document.body.append(e);
    };
    put('script', 'window.pwned = 1');
    put('script', '', { src: '/asset/0' });
    put('img', '', { src: 'http://127.0.0.1:1/x', onerror: 'window.pwned = 2' });
    put('style', 'body { outline: 3px solid red }');
    put('iframe', '', { src: 'http://127.0.0.1:1/x' });
    put('p', '', { style: 'color: red' });
    void fetch('http://127.0.0.1:1/').catch(() => null);
    // not in this call: the debugger, from which it comes, is let off
    setTimeout(() => {
      try {
        window.eval('window.pwned = 3');
      } catch {
        window.seen.add('eval');
      }
    });
  });
  await page.waitForFunction((all) => all.every((w) => window.seen.has(w)), FORBIDDEN, {
    polling: 50,
  });
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await page.context().close();
});
