// SPDX-License-Identifier: BSD-3-Clause
// The page in a real browser, against the command (RUT_COMMAND) or, without it, the make-believe server.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { command, RawClient, exampleWorld, startAny } from './server.mjs';
import { bytesOf, launch, open } from './browser.mjs';
import { colours, difference, pixels } from './picture.mjs';

const WORLD = exampleWorld('demo.xml');

let browser;
let server;
let kept = null; // a page that the next test may go on with

before(async () => {
  browser = await launch();
  server = await startAny(WORLD);
});
after(async () => {
  await browser?.close();
  server?.close();
});

// One crash of the browser does not fail the tests that follow.
beforeEach(async () => {
  if (!browser.isConnected()) browser = await launch();
});

// A test that failed leaves its pages open.
afterEach(async () => {
  for (const context of browser.contexts())
    if (context !== kept?.context()) await context.close().catch(() => {});
});

const time = (page) => page.evaluate(() => window.rut.frame.get().time);
const place = (page) =>
  page.evaluate(() => {
    const i = window.rut.chosen.get() * 8;
    return [...window.rut.frame.get().vehicles.slice(i, i + 8)];
  });
const until = (page, expression, argument) =>
  page.waitForFunction(expression, argument, { timeout: 90_000, polling: 50 });
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

// Until the camera has come to where it goes, and that was drawn.
async function rest(page) {
  await page.evaluate(() => window.rut.touch(600));
  await until(page, () => window.rut.views[0].blend === 1);
  const n = await page.evaluate(() => window.rut.pictures);
  await until(page, (k) => window.rut.pictures > k + 2, n);
}

// A page on a world that has just begun to run. Pages of the usual kind are used again.
async function fresh(options) {
  if (options) await kept?.context().close();
  const page = (!options && kept) || (await open(browser, server.url, options));
  kept = null;
  // By way of a standstill, so that it does not matter how long the page took.
  await page.evaluate(() => {
    window.rut.send({ type: 'rate', value: 1 });
    window.rut.send({ type: 'pause' });
    window.rut.send({ type: 'reset' });
  });
  await until(page, () => window.rut.paused && window.rut.frame.get().time === 0);
  await page.evaluate(() => window.rut.send({ type: 'resume' }));
  await until(page, () => !window.rut.paused);
  return page;
}

// At the end of a test that went well: as it was found.
async function leave(page) {
  assert.deepEqual(page.errors, []);
  await page.evaluate(() => {
    const { rut } = window;
    if (rut.driving.get()) rut.toggleDrive();
    rut.panel.set(null);
    rut.setViewCount(1);
    rut.active.set(0);
    rut.setMode('orbit');
    rut.choose(0);
    rut.dirtyUntil = 0;
    document.activeElement?.blur();
  });
  kept = page;
}

describe('the page', () => {
  test('loads without errors, and the vehicle moves', async () => {
    const page = await fresh();
    const from = await place(page);
    const t = await time(page);
    await until(page, (start) => window.rut.frame.get().time > start + 1.5, t);
    assert.ok(distance(from, await place(page)) > 0.3);
    await leave(page);
  });

  test('shows a scene and not an empty one, dark and light', async () => {
    const page = await fresh();
    await page.keyboard.press('2');
    // The chosen vehicle stands in the middle of the chase camera; the car has its own colour.
    const hue = await page.evaluate(() => {
      const vehicles = window.rut.scene.get().vehicles;
      window.rut.chosen.set(vehicles.findIndex((v) => v.name === 'car'));
      return vehicles[window.rut.chosen.get()].color;
    });
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme });
      await until(page, (s) => document.documentElement.dataset.theme === s, colorScheme);
      await rest(page);
      const seen = colours(await pixels(page));
      assert.ok(seen.near(hue) > 0.01, `${hue} has ${seen.near(hue)}`);
      assert.ok(seen.distinct > 60, `${seen.distinct} colours`);
      assert.ok(seen.largest < 0.7, `one colour has ${seen.largest}`);
    }
    await leave(page);
  });

  test('each camera has a picture of its own', async () => {
    const page = await fresh();
    await page.keyboard.press('p');
    await until(page, () => window.rut.paused);
    const seen = [];
    for (const [key, mode] of ['orbit', 'chase', 'driver', 'top', 'fixed', 'fly'].entries()) {
      await page.focus('#canvas');
      await page.keyboard.press(String(key + 1));
      await until(page, (m) => window.rut.views[0].mode === m, mode);
      assert.equal(await page.inputValue('.view-bar select'), mode);
      await rest(page);
      const picture = await pixels(page);
      assert.ok(colours(picture).distinct > 12, mode);
      for (const [other, before] of seen) {
        const away = difference(picture, before);
        assert.ok(away > 4 || (mode === 'fly' && other === 'fixed'), `${mode}, ${other}: ${away}`);
      }
      seen.push([mode, picture]);
    }
    await leave(page);
  });

  test('four views at once, by one key', async () => {
    const page = await fresh();
    await page.keyboard.press('v');
    await page.keyboard.press('v');
    await until(page, () => window.rut.layout.get().length === 4);
    assert.equal(await page.locator('.view-bar:visible').count(), 4);
    await page.keyboard.press('n');
    assert.equal(await page.evaluate(() => window.rut.active.get()), 1);
    await leave(page);
  });

  test('free flight moves with W', async () => {
    const page = await fresh();
    await page.keyboard.press('6');
    const from = await page.evaluate(() => window.rut.views[0].pose.position.toArray());
    await page.keyboard.down('w');
    await until(
      page,
      (p) => Math.hypot(...window.rut.views[0].pose.position.toArray().map((x, i) => x - p[i])) > 1,
      from,
    );
    await page.keyboard.up('w');
    await leave(page);
  });
});

describe('time', () => {
  test('pause, step, go on, reset by keys', async () => {
    const page = await fresh();
    await until(page, () => window.rut.frame.get().time > 0.5);
    await page.focus('#canvas');
    await page.keyboard.press('Space');
    await until(page, () => window.rut.frame.get().paused);
    const held = await time(page);
    await page.waitForTimeout(400);
    assert.equal(await time(page), held);
    const steps = await page.evaluate(() => window.rut.frame.get().steps);
    await page.keyboard.press('.');
    await until(page, (n) => window.rut.frame.get().steps === n + 1, steps);
    const step = await page.evaluate(() => window.rut.scene.get().timestep);
    assert.ok(Math.abs((await time(page)) - held - step) < 1e-9);
    await page.keyboard.press('Shift+R');
    await until(page, () => window.rut.frame.get().time === 0);
    await page.keyboard.press('Space');
    await until(page, () => window.rut.frame.get().time > 0.1);
    await leave(page);
  });

  test('the slider sets the pace', async () => {
    const page = await fresh();
    await page.locator('#rate').fill('0.25');
    await until(page, () => Math.abs(window.rut.status.get().rate - 0.1) < 0.02);
    await page.evaluate(() => window.rut.send({ type: 'rate', value: 1 }));
    await leave(page);
  });

  test('a state is saved and restored', async () => {
    const page = await fresh();
    await until(page, () => window.rut.frame.get().time > 0.3);
    await page.keyboard.press('p');
    await until(page, () => window.rut.frame.get().paused);
    const [t, where] = [await time(page), await place(page)];
    await page.keyboard.press('Shift+Digit3');
    await until(page, () => window.rut.status.get().slots.includes(3));
    await page.keyboard.press('p');
    await until(page, (now) => window.rut.frame.get().time > now + 0.5, t);
    await page.keyboard.press('p');
    await until(page, () => window.rut.frame.get().paused);
    await page.keyboard.press('Alt+Digit3');
    await until(page, (then) => window.rut.frame.get().time === then, t);
    assert.deepEqual(await place(page), where);
    await leave(page);
  });
});

describe('driving', () => {
  test('keys drive, and the vehicle is handed back', async () => {
    const page = await fresh();
    await page.evaluate(() => window.rut.choose(1));
    await page.keyboard.press('t');
    await until(page, () => window.rut.status.get().driven[1] === 'page');
    assert.ok(await page.locator('.driving-badge').isVisible());
    assert.equal(await page.getAttribute('.drive-button', 'aria-pressed'), 'true');
    const from = await place(page);
    await page.keyboard.down('ArrowUp');
    await page.keyboard.down('ArrowLeft');
    await until(
      page,
      () => window.rut.controls.get().throttle === 1 && window.rut.controls.get().steering === 1,
    );
    await until(
      page,
      (p) => {
        const v = window.rut.frame.get().vehicles;
        return Math.hypot(v[8] - p[0], v[9] - p[1]) > 0.5;
      },
      from,
    );
    await page.keyboard.up('ArrowUp');
    await page.keyboard.up('ArrowLeft');
    await page.keyboard.press('t');
    await until(page, () => window.rut.status.get().driven[1] === 'world');
    assert.ok(!(await page.locator('.driving-badge').isVisible()));
    await leave(page);
  });

  test('a key that is held drives on while no picture is drawn', async () => {
    const page = await fresh();
    await page.evaluate(() => window.rut.choose(1));
    await page.keyboard.press('t');
    await until(page, () => window.rut.status.get().driven[1] === 'page');
    await page.evaluate(() => {
      window.shown = window.requestAnimationFrame;
      window.requestAnimationFrame = (next) => ((window.next = next), 0);
    });
    await until(page, () => window.next !== undefined);
    const pictures = await page.evaluate(() => {
      const { socket } = window.rut.client;
      window.commands = [];
      socket.send = (text) => {
        if (/"drive"/.test(text)) window.commands.push(JSON.parse(text));
        WebSocket.prototype.send.call(socket, text);
      };
      return window.rut.pictures;
    });
    await page.keyboard.down('ArrowUp');
    await until(page, () => window.commands.filter((c) => c.throttle === 1).length > 30);
    assert.equal(await page.evaluate(() => window.rut.pictures), pictures);
    await page.keyboard.up('ArrowUp');
    await until(page, () => window.commands.at(-1).throttle === 0);
    // a page that goes out of sight lets go at once
    await page.keyboard.down('ArrowUp');
    await until(page, () => window.commands.at(-1).throttle === 1);
    const last = await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.hidden;
      return window.commands.at(-1);
    });
    assert.deepEqual([last.throttle, last.brake, last.steering], [0, 0, 0]);
    await page.keyboard.up('ArrowUp');
    await page.evaluate(() => {
      delete window.rut.client.socket.send;
      window.requestAnimationFrame = window.shown;
      window.requestAnimationFrame(window.next);
    });
    await page.keyboard.press('t');
    await leave(page);
  });

  test("keys are the page's again after the mouse", async () => {
    const page = await fresh();
    const focus = () => page.evaluate(() => document.activeElement?.tagName);
    await page.click('.drive-button');
    await until(page, () => window.rut.driving.get());
    await page.keyboard.down('Space');
    await until(page, () => window.rut.controls.get().handbrake);
    await page.keyboard.up('Space');
    assert.ok(await page.evaluate(() => window.rut.driving.get()));
    await page.click('.drive-button');
    await until(page, () => !window.rut.driving.get());
    // the pace by the mouse, then a key; by the keyboard arrows move the slider
    await page.click('#rate');
    assert.equal(await focus(), 'BODY');
    await page.focus('#rate');
    await page.keyboard.press('ArrowRight');
    await until(page, () => window.rut.status.get().rate > 1.01);
    await page.keyboard.press('p');
    await until(page, () => window.rut.paused);
    await page.evaluate(() => window.rut.send({ type: 'rate', value: 1 }));
    await leave(page);
  });

  test('a gamepad drives', async () => {
    const page = await fresh();
    await page.evaluate(() => {
      const buttons = Array.from({ length: 17 }, () => ({
        pressed: false,
        touched: false,
        value: 0,
      }));
      const pad = {
        id: 'Simulated',
        index: 0,
        connected: true,
        mapping: 'standard',
        axes: [0, 0, 0, 0],
        buttons,
        timestamp: 0,
      };
      window.pad = pad;
      navigator.getGamepads = () => [pad, null, null, null];
      window.rut.choose(1);
      buttons[3].pressed = true; // Y takes over
    });
    await until(page, () => window.rut.driving.get());
    const from = await place(page);
    await page.evaluate(() => {
      window.pad.buttons[3].pressed = false;
      window.pad.axes[0] = 1;
      window.pad.buttons[7] = { pressed: true, touched: true, value: 0.8 };
    });
    await until(
      page,
      () => window.rut.controls.get().throttle === 0.8 && window.rut.controls.get().steering === -1,
    );
    await until(
      page,
      (p) => {
        const v = window.rut.frame.get().vehicles;
        return Math.hypot(v[8] - p[0], v[9] - p[1]) > 0.5;
      },
      from,
    );
    await page.evaluate(() => (window.pad.buttons[3].pressed = true));
    await until(page, () => !window.rut.driving.get());
    // and moves and chooses the camera
    const azimuth = await page.evaluate(() => window.rut.activeView.orbit.azimuth);
    await page.evaluate(() => (window.pad.axes[2] = 1));
    await until(page, (a) => Math.abs(window.rut.activeView.orbit.azimuth - a) > 0.2, azimuth);
    await page.evaluate(() => {
      window.pad.axes[2] = 0;
      window.pad.buttons[5].pressed = true; // right shoulder
    });
    await until(page, () => window.rut.activeView.mode === 'chase');
    await leave(page);
  });
});

describe('panels', () => {
  // First, on a page that has plotted nothing yet.
  test('a plot that is opened late begins with what was before', async (t) => {
    if (!command) return t.skip('the make-believe server remembers nothing');
    const page = await fresh();
    await until(page, () => window.rut.frame.get().time > 2);
    await page.keyboard.press('p');
    await until(page, () => window.rut.paused);
    assert.equal(await page.evaluate(() => window.rut.store.size), 0);
    await page.keyboard.press('l');
    await until(page, () => window.rut.store.size > 10);
    const [start, end] = await page.evaluate(() => [window.rut.store.start, window.rut.store.end]);
    assert.ok(start < 0.5 && end <= (await time(page)), `from ${start} s to ${end} s`);
    // and so does a signal that comes along later, whose line has no holes
    await page.fill('.picker input', 'rover yaw_rate');
    await page.locator('.leaf').first().click();
    await page.evaluate(() => window.rut.send({ type: 'step', n: 20 }));
    await until(page, (before) => window.rut.store.end > before + 0.09, end);
    const column = await page.evaluate(() => [
      ...window.rut.store.span(['rover/yaw_rate'], 0, 1e9, 1e9).columns[0],
    ]);
    assert.ok(column.filter(Number.isFinite).length > 30, `${column.length} rows`);
    assert.ok(Number.isFinite(column[0]));
    await page.locator('.leaf').first().click(); // as it was
    await page.fill('.picker input', '');
    await leave(page);
  });

  test('a parameter changes the motion', async () => {
    const page = await fresh();
    const path = command ? 'gravity' : 'soil.friction';
    await page.keyboard.press('m');
    await page.fill('.parameter-panel input[type=search]', path);
    const input = page.locator('.param input').first();
    await input.fill('-1');
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    const load = () => page.evaluate(() => window.rut.frame.get().wheels[12]);
    const before = command ? await load() : (await place(page))[7];
    await input.fill(command ? '3' : '0.2');
    await input.press('Enter');
    await until(page, (p) => window.rut.parameterChanged.get()?.path === p, path);
    if (command) {
      await until(
        page,
        (l) => Math.abs(window.rut.frame.get().wheels[12] / l - 3 / 9.81) < 0.05,
        before,
      );
    } else {
      await until(page, () => window.rut.frame.get().vehicles[7] < 2);
    }
    await input.fill(command ? '9.81' : '0.8');
    await input.press('Enter');
    await until(
      page,
      (v) => window.rut.parameterChanged.get()?.value.startsWith(v),
      command ? '9.81' : '0.8',
    );
    await leave(page);
  });

  test('plots fill, compare vehicles, and are exported', async () => {
    const page = await fresh();
    await page.keyboard.press('l');
    await page.waitForSelector('.chart canvas');
    await until(page, () => window.rut.store.size > 50);
    const name = await page.locator('.legend li span').first().textContent();
    assert.match(name, /\/speed$/);
    await page.locator('.chart-tools [aria-label^="The same signals"]').first().click();
    const vehicles = await page.evaluate(() => window.rut.scene.get().vehicles.length);
    assert.equal(await page.locator('.chart').first().locator('.legend li').count(), vehicles);
    await page.fill('.picker input', command ? 'rover yaw_rate' : 'truck steer');
    await page.locator('.leaf').first().click();
    await until(page, () => {
      const values = [...document.querySelectorAll('.chart:first-of-type .legend output')].map(
        (o) => o.textContent,
      );
      return values.length > 2 && values.every((v) => /\d/.test(v));
    });
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.chart-tools [aria-label="Save as CSV"]').first().click(),
    ]);
    const lines = (await bytesOf(table).then(String)).trim().split('\n');
    assert.match(lines[0], /^time \[s\],.*speed \[m\/s\]/);
    assert.ok(lines.length > 20);
    const times = lines.slice(1).map((l) => Number(l.split(',')[0]));
    assert.ok(times.every((t, i) => i === 0 || t > times[i - 1]));
    const [image] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.chart-tools [aria-label="Save as PNG"]').first().click(),
    ]);
    const bytes = await bytesOf(image);
    assert.deepEqual([...bytes.subarray(1, 4)], [80, 78, 71]);
    assert.ok(bytes.length > 2000);
    await leave(page);
  });

  test('names of parameters are broken between words only', async () => {
    const page = await fresh();
    await page.keyboard.press('m');
    await page.waitForSelector('.param');
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('.param label > span')].flatMap((name) =>
        [...name.childNodes].flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const lines = new Set([...range.getClientRects()].map((r) => r.top));
          return node.nodeType === Node.TEXT_NODE && lines.size > 1 ? [node.data] : [];
        }),
      ),
    );
    assert.deepEqual(broken, []);
    await leave(page);
  });

  test('held charts and their tables stay as they are', async () => {
    const page = await fresh();
    await page.keyboard.press('l');
    await until(page, () => window.rut.store.size > 20);
    const save = async () => {
      const [table] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.chart-tools [aria-label="Save as CSV"]').first().click(),
      ]);
      return bytesOf(table).then(String);
    };
    const hold = page.locator('.plot-bar button', { hasText: 'Hold' });
    await hold.click();
    const before = await save();
    const end = Number(before.trim().split('\n').at(-1).split(',')[0]);
    await until(page, (t) => window.rut.store.end > t + 0.3, end);
    const dark = await page.evaluate(() => document.documentElement.dataset.theme === 'dark');
    for (const theme of [dark ? 'light' : 'dark', dark ? 'dark' : 'light'])
      await page.evaluate((name) => window.rut.setTheme(name), theme);
    assert.equal(await save(), before);
    await hold.click();
    assert.notEqual(await save(), before);
    await leave(page);
  });

  test('gauges show what the frame says', async () => {
    const page = await fresh();
    await page.keyboard.press('g');
    await page.waitForSelector('.wheels tbody tr');
    await until(page, () =>
      /[1-9]/.test(document.querySelector('.wheels tbody td:nth-child(3)').textContent),
    );
    const wheels = await page.evaluate(
      () => window.rut.scene.get().vehicles[window.rut.chosen.get()].wheels.length,
    );
    assert.equal(await page.locator('.wheels tbody tr').count(), wheels);
    const points = await page.locator('.set-points dt').allTextContents();
    assert.deepEqual(points, ['speed [m/s]', 'yaw_rate [rad/s]']);
    await leave(page);
  });

  test('a still and a video are saved', async () => {
    const page = await fresh();
    const [still] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('k')]);
    assert.match(still.suggestedFilename(), /\.png$/);
    assert.ok((await bytesOf(still)).length > 3000);
    await page.keyboard.press('o');
    await until(page, () => window.rut.recording.get());
    const n = await page.evaluate(() => window.rut.pictures);
    await until(page, (k) => window.rut.pictures > k + 8, n);
    await page.waitForTimeout(500);
    const [film] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('o')]);
    assert.match(film.suggestedFilename(), /\.(webm|mp4)$/);
    assert.ok((await bytesOf(film)).length > 1000);
    await page.evaluate(() => (window.rut.video.format = 'png'));
    await page.keyboard.press('o');
    const m = await page.evaluate(() => window.rut.pictures);
    await until(page, (k) => window.rut.pictures > k + 3, m);
    const [pictures] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('o')]);
    assert.match(pictures.suggestedFilename(), /\.zip$/);
    const archive = await bytesOf(pictures);
    assert.equal(archive.readUInt32LE(0), 0x04034b50);
    assert.equal(archive.readUInt32BE(30 + archive.readUInt16LE(26)), 0x89504e47);
    await leave(page);
  });

  test('all is reached by keyboard, and named', async () => {
    const page = await fresh();
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 1300, height: 700 });
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.help[open]');
    assert.ok((await page.locator('dialog.help kbd').count()) > 30);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.help', { state: 'hidden' });
    for (const panel of ['vehicle', 'plots', 'parameters', 'sensors', 'scene']) {
      await page.evaluate((name) => window.rut.panel.set(name), panel);
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select, [role=separator], canvas[tabindex]')]
          .filter((e) => e.offsetParent !== null || e.tagName === 'CANVAS')
          .filter((e) => {
            const label =
              e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? '';
            return !label.trim();
          })
          .map((e) => e.outerHTML.slice(0, 120)),
      );
      assert.deepEqual(nameless, [], panel);
    }
    const reached = new Set();
    for (let i = 0; i < 70; i++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => document.activeElement?.id || document.activeElement?.className),
      );
    }
    for (const name of ['canvas', 'drive-button', 'rate'])
      assert.ok(reached.has(name), `${name} by Tab`);
    // where Tab has come to may take letters
    await page.focus('#canvas');
    // other news may follow at once and take its place
    let said = '';
    for (let i = 0; i < 50 && !/metres per second/.test(said); i++) {
      await page.keyboard.press('i');
      said = await page.evaluate(() => document.querySelector('#say').textContent);
      await page.waitForTimeout(i ? 200 : 0);
    }
    assert.match(said, /metres per second/);
    await page.setViewportSize(usual);
    await leave(page);
  });
});

describe('several pages and bad lines', () => {
  test('two pages see one world, one drives, the other sees it', async () => {
    const a = await fresh();
    await a.keyboard.press('p');
    const b = await open(browser, server.url);
    await until(b, () => window.rut.status.get()?.clients >= 2);
    for (const page of [a, b]) await until(page, () => window.rut.frame.get().paused);
    assert.equal(await time(a), await time(b));
    await a.keyboard.press('p');
    await a.keyboard.press('t');
    await until(b, () => window.rut.status.get().driven[window.rut.chosen.get()] === 'page');
    assert.match(await b.locator('.driving-badge').textContent(), /Another page/);
    await a.close();
    await until(b, () => window.rut.status.get().clients === 1);
    const t = await time(b);
    await until(b, (then) => window.rut.frame.get().time > then, t);
    await leave(b);
  });

  test('a lost connection is shown, and found again', async () => {
    const page = await fresh();
    await page.keyboard.press('l');
    await until(page, () => window.rut.store.size > 10);
    await page.evaluate(() => {
      window.links = [];
      window.rut.link.on((state) =>
        window.links.push(`${state} ${document.querySelector('.lost').hidden}`),
      );
      window.rut.client.socket.close();
    });
    await until(page, () => window.links.some((l) => l.startsWith('lost')));
    await until(page, () => window.rut.link.get() === 'open');
    const t = await time(page);
    await until(page, (then) => window.rut.frame.get().time > then + 0.2, t);
    const size = await page.evaluate(() => window.rut.store.size);
    await until(page, (n) => window.rut.store.size > n, size);
    await leave(page);
  });

  test('malformed messages are answered, and change nothing', async () => {
    const page = await fresh();
    const errors = await page.evaluate(async () => {
      const { socket } = window.rut.client;
      let seen = 0;
      window.rut.notice.on((n) => (seen += n?.kind === 'error' ? 1 : 0));
      const bad = [
        '{',
        '[]',
        'null',
        '{"type":"nothing"}',
        '{"type":"rate","value":"fast"}',
        '{"type":"drive","vehicle":1e9}',
        '{"type":"set"}',
      ];
      for (const text of bad) socket.send(text);
      await new Promise((resolve) => setTimeout(resolve, 800));
      return seen;
    });
    assert.ok(errors >= 5, `${errors} answers`);
    const t = await time(page);
    await until(page, (then) => window.rut.frame.get().time > then, t);
    await leave(page);
  });

  test('clients that vanish or do not read disturb nobody', async () => {
    const page = await fresh();
    const driver = await RawClient.open(server.url);
    const sleeper = await RawClient.open(server.url);
    sleeper.sleep();
    driver.send({
      type: 'drive',
      vehicle: 0,
      throttle: 1,
      steering: 0,
      brake: 0,
      handbrake: false,
    });
    await until(page, () => window.rut.status.get().driven[0] === 'page');
    driver.vanish();
    await until(page, () => window.rut.status.get().driven[0] === 'world');
    const t = await time(page);
    await until(page, (then) => window.rut.frame.get().time > then + 1, t);
    sleeper.vanish();
    await until(page, () => window.rut.status.get().clients === 1);
    await leave(page);
  });

  test('a thousand messages a second, wrong ones among them, do no harm', async () => {
    const page = await fresh();
    const before = await page.evaluate(() => JSON.stringify(window.rut.status.get().driven));
    const t = await time(page);
    const client = await RawClient.open(server.url);
    const sent = await client.flood(3000, 3);
    assert.equal(sent, 3000);
    client.vanish();
    await until(page, (then) => window.rut.frame.get().time > then + 1, t);
    await until(page, () => window.rut.status.get().clients === 1);
    await until(page, (d) => JSON.stringify(window.rut.status.get().driven) === d, before);
    assert.equal(await page.evaluate(() => window.rut.status.get().rate), 1);
    await leave(page);
  });
});

// Last, since it needs a page of its own kind.
describe('a phone', () => {
  test('fingers drive on a phone', async () => {
    const page = await fresh({ width: 390, height: 700, hasTouch: true, isMobile: true });
    await page.evaluate(() => window.rut.choose(1));
    await page.tap('.drive-button');
    await page.waitForSelector('.stick', { state: 'visible' });
    const box = await page.locator('.stick').boundingBox();
    const at = { x: box.x + box.width / 2, y: box.y + 6 };
    await page.evaluate(({ x, y }) => {
      const stick = document.querySelector('.stick');
      stick.setPointerCapture = () => {};
      stick.dispatchEvent(
        new PointerEvent('pointerdown', { pointerId: 9, clientX: x, clientY: y, bubbles: true }),
      );
    }, at);
    await until(page, () => window.rut.controls.get().throttle > 0.7);
    const fits = await page.evaluate(
      () => document.documentElement.scrollWidth <= window.innerWidth,
    );
    assert.ok(fits, 'the page is wider than the phone');
    await page.close();
  });
});
