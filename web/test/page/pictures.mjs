// SPDX-License-Identifier: BSD-3-Clause
// Takes pictures of a running viewer: node test/page/pictures.mjs URL FOLDER [NAME ...]

import { mkdirSync } from 'node:fs';
import { launch, open } from './browser.mjs';

const [url, folder = 'test/out', ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const LARGE = { width: 1280, height: 760, query: '?sharp' };
const SHOTS = {
  light: [{ ...LARGE, colorScheme: 'light' }, async () => {}],
  dark: [{ ...LARGE, colorScheme: 'dark' }, async () => {}],
  views: [{ ...LARGE, colorScheme: 'light' }, (p) => p.evaluate(() => window.rut.setViewCount(4))],
  plots: [{ ...LARGE, colorScheme: 'dark' }, (p) => p.keyboard.press('l')],
  vehicle: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('g')],
  parameters: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('m')],
  scene: [{ ...LARGE, colorScheme: 'dark' }, (p) => p.keyboard.press('y')],
  help: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('?')],
  chase: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('2')],
  driver: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('3')],
  top: [{ ...LARGE, colorScheme: 'light' }, (p) => p.keyboard.press('4')],
  close: [
    { ...LARGE, colorScheme: 'light' },
    (p) =>
      p.evaluate(() => {
        const { orbit } = window.rut.views[0];
        orbit.follow = true;
        orbit.distance = 7;
        orbit.elevation = 0.28;
        orbit.settle();
      }),
  ],
  phone: [
    {
      width: 390,
      height: 780,
      colorScheme: 'dark',
      hasTouch: true,
      isMobile: true,
      query: '?sharp',
    },
    (p) => p.evaluate(() => window.rut.toggleDrive()),
  ],
  phone_panel: [
    {
      width: 390,
      height: 780,
      colorScheme: 'light',
      hasTouch: true,
      isMobile: true,
      query: '?sharp',
    },
    (p) => p.evaluate(() => window.rut.panel.set('vehicle')),
  ],
};

const browser = await launch();
for (const name of names.length ? names : Object.keys(SHOTS)) {
  const [options, act] = SHOTS[name];
  const page = await open(browser, url, options);
  await page.waitForTimeout(1500);
  await act(page);
  await page.waitForTimeout(Number(process.env.WAIT ?? 3500));
  await page.screenshot({ path: `${folder}/${name}.png`, timeout: 120_000 });
  const info = await page.evaluate(() => ({
    calls: window.rut.world.renderer.info.render.calls,
    triangles: window.rut.world.renderer.info.render.triangles,
    pictures: window.rut.pictures,
    rate: window.rut.pace.rate,
  }));
  console.log(name, JSON.stringify(info), page.errors.join(' | '));
  await page.close();
}
await browser.close();
