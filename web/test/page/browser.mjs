// SPDX-License-Identifier: BSD-3-Clause
// A headless Chromium that draws in software.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATIENCE = Number(process.env.RUT_PATIENCE ?? 90) * 1000; // [ms]
const GAP = Number(process.env.RUT_PICTURE_GAP ?? 0); // between pictures [ms]
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function options() {
  const executablePath = process.env.RUT_CHROMIUM ?? PLACES.find((p) => existsSync(p));
  if (!executablePath) throw new Error('no chromium: apt-get install chromium');
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      // a page that is put in place of the server's (below) has no address of its own
      ...(process.env.RUT_PAGE ? ['--disable-features=LocalNetworkAccessChecks'] : []),
    ],
  };
}

// One that several tests share; it goes on without them.
export const launchShared = () => chromium.launchServer(options());

// The shared one (run.mjs), unless it has ended, else one of its own.
export async function launch() {
  const shared = process.env.RUT_BROWSER;
  const browser = shared ? await chromium.connect(shared).catch(() => null) : null;
  return browser ?? chromium.launch(options());
}

// What a page has saved.
export async function bytesOf(download) {
  const parts = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  return Buffer.concat(parts);
}

// What draws waits before each picture.
function drawSeldom(gap) {
  const next = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => setTimeout(() => next(draw), gap);
}

// A page that remembers its errors, and waits until a few pictures are drawn.
export async function open(browser, url, options = {}) {
  const { width = 480, height = 320, query = '', ...context } = options;
  const page = await browser.newPage({ viewport: { width, height }, ...context });
  page.setDefaultTimeout(PATIENCE);
  if (GAP) await page.addInitScript(drawSeldom, GAP);
  page.errors = [];
  page.on('console', (m) => {
    if (m.type() === 'error' || /THREE|WebGL.*error/i.test(m.text())) page.errors.push(m.text());
  });
  page.on('pageerror', (e) => page.errors.push(String(e)));
  // Another page than the one in the command, to try out what is not built in yet.
  if (process.env.RUT_PAGE)
    await page.route(url + query, (route) => route.fulfill({ path: process.env.RUT_PAGE }));
  await page.goto(url + query);
  await page.waitForFunction(() => window.rut?.frame.get() && window.rut.pictures > 0, null, {
    timeout: PATIENCE,
    polling: 50,
  });
  return page;
}
