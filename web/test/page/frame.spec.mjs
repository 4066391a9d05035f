// SPDX-License-Identifier: BSD-3-Clause
// The page within a page of another origin: drawn and driven where --frame-ancestors names that origin, refused elsewhere.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { launch } from './browser.mjs';
import { command, exampleWorld, startRut } from './server.mjs';

describe('within another page', { skip: command ? false : 'needs RUT_COMMAND' }, () => {
  let browser;
  let host; // of pages that show ours
  let server;

  before(async () => {
    browser = await launch();
    host = createServer((request, answer) => {
      const address = new URL(request.url, 'http://x').searchParams.get('show');
      answer.setHeader('content-type', 'text/html');
      answer.end(`<h1>A notebook</h1><iframe src="${address}" width="600" height="400"></iframe>`);
    });
    await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await browser?.close();
    server?.close();
    host?.close();
  });

  const port = () => host.address().port;

  // The frame of a page at `name`, on another port, that shows the page of rut view with these options.
  async function frameOf(name, ...options) {
    server?.close();
    server = await startRut('view', exampleWorld('demo.xml'), ...options);
    const page = await browser.newPage();
    page.told = [];
    page.on('console', (m) => page.told.push(m.text()));
    await page.goto(`http://${name}:${port()}/?show=${encodeURIComponent(server.url)}`);
    const frame = page.frames()[1];
    return { page, frame };
  }

  const drawn = (frame) =>
    frame.waitForFunction(() => window.rut?.frame.get() && window.rut.pictures > 1, null, {
      timeout: 90_000,
      polling: 50,
    });

  async function isRefused(name, ...options) {
    const { page, frame } = await frameOf(name, ...options);
    // it may be said before the page has loaded
    const said = () => page.told.some((t) => t.includes('frame-ancestors'));
    if (!said()) await page.waitForEvent('console', { predicate: said, timeout: 20_000 });
    assert.notEqual(frame.url(), server.url);
    await page.close();
  }

  test('is refused from the start', () => isRefused('127.0.0.1'));

  test('is refused to origins that are not named', async () => {
    await isRefused('127.0.0.1', '--frame-ancestors', `http://127.0.0.1:${port() + 1}`);
    await isRefused('localhost', '--frame-ancestors', 'http://127.0.0.1:*');
  });

  test('is drawn and driven there if its origin is named', async () => {
    for (const origin of [`http://127.0.0.1:${port()}`, 'http://127.0.0.1:*']) {
      const { page, frame } = await frameOf(
        '127.0.0.1',
        '--frame-ancestors',
        'https://notebooks.example',
        '--frame-ancestors',
        origin,
      );
      await drawn(frame);
      await frame.evaluate(() => window.rut.send({ type: 'drive', vehicle: 0, throttle: 1 }));
      await frame.waitForFunction(() => window.rut.status.get().driven[0], null, { polling: 50 });
      // the page around it cannot look in
      await assert.rejects(page.evaluate(() => window.frames[0].document.title));
      await page.close();
    }
  });
});
