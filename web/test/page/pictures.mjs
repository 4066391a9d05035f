// SPDX-License-Identifier: BSD-3-Clause
// Pictures of the page for the manual: RUT_COMMAND=rut node test/page/pictures.mjs FOLDER [NAME ...]
//
// Each world runs up to a time without being drawn; then the page is brought into the state that is shown.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from './browser.mjs';
import { exampleWorld, startRut } from './server.mjs';

const [folder = 'test/out', ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const press = (key) => (page) => page.keyboard.press(key);
const phone = { width: 390, height: 780, hasTouch: true, isMobile: true };

// Options of the browser's page besides world, time [s], rate, and what is done before the picture.
const SHOTS = {
  'viewer_light.jpg': { world: 'demo', time: 12, rate: 4, act: async () => {} },
  'viewer_views.jpg': {
    world: 'figure_of_eight',
    time: 40,
    rate: 8,
    act: (page) => page.evaluate(() => window.rut.setViewCount(4)),
  },
  'viewer_ruts.jpg': {
    world: 'figure_of_eight',
    time: 35,
    rate: 8,
    act: (page) =>
      page.evaluate(() => {
        const { orbit } = window.rut.views[0];
        Object.assign(orbit, { follow: true, distance: 11, elevation: 0.3, azimuth: 2.6 });
        orbit.settle();
      }),
  },
  'viewer_plots.jpg': { world: 'demo', time: 20, rate: 4, colorScheme: 'dark', act: press('l') },
  'viewer_vehicle.jpg': { world: 'hmmwv', time: 6, act: press('g') },
  'viewer_navigation.jpg': {
    world: 'autonomy/goal_blocks',
    time: 7,
    rate: 4,
    width: 1100,
    height: 700,
    act: (page) =>
      page.evaluate(() => {
        const { orbit } = window.rut.views[0];
        Object.assign(orbit, { follow: true, distance: 27, elevation: 0.5, azimuth: 2.9 });
        orbit.settle();
      }),
  },
  'viewer_phone.jpg': {
    world: 'demo',
    time: 6,
    ...phone,
    colorScheme: 'dark',
    act: (page) => page.evaluate(() => window.rut.toggleDrive()),
  },
  'viewer_driver.jpg': {
    world: 'manoeuvres/multi_pass',
    time: 7,
    width: 1100,
    height: 680,
    act: (page) => page.evaluate(() => window.rut.setMode('driver')),
  },
  'viewer_study.jpg': {
    study: 'lane_change',
    run: 120,
    time: 4.4,
    act: async (page) => {
      await page.locator('.study-table tbody tr').first().waitFor();
      await page.getByRole('searchbox', { name: 'Filter runs' }).fill('surface = wet');
      await page.evaluate(() => document.activeElement.blur());
    },
  },
  'viewer_sensors.jpg': {
    world: 'sensors',
    time: 11.5,
    width: 1100,
    height: 700,
    before: () => window.rut.panel.set('sensors'),
    act: (page) =>
      page.evaluate(() => {
        window.rut.views[0].orbit.distance = 9;
        window.rut.views[0].orbit.settle();
      }),
  },
};

// Arguments of rut view for a run of an example study, which is simulated here.
function sweep(study, run) {
  const file = exampleWorld(`studies/${study}.xml`);
  const database = join(mkdtempSync(join(tmpdir(), 'rut_')), `${study}.db`);
  execFileSync(process.env.RUT_COMMAND, ['sweep', file, '-q', '-o', database]);
  return [database, '--study', file, '--run', String(run)];
}

async function take(browser, name) {
  const { world, study, run, time, rate = 2, before, act, ...options } = SHOTS[name];
  const shown = study ? sweep(study, run) : [exampleWorld(`${world}.xml`)];
  const server = await startRut('view', ...shown, '--paused');
  try {
    const page = await open(browser, server.url, {
      width: 1280,
      height: 760,
      query: '?sharp',
      colorScheme: 'light',
      ...options,
    });
    if (before) await page.evaluate(before);
    await page.evaluate((factor) => {
      window.rut.draw = () => {};
      window.rut.send({ type: 'rate', value: factor });
      window.rut.send({ type: 'resume' });
    }, rate);
    await page.waitForFunction((t) => window.rut.frame.get().time >= t, time, { timeout: 300_000 });
    await page.evaluate(() => window.rut.send({ type: 'pause' }));
    await page.waitForFunction(() => window.rut.frame.get().paused, null, { timeout: 60_000 });
    await page.evaluate(() => delete window.rut.draw);
    await act(page);
    const since = await page.evaluate(() => {
      window.rut.touch(60);
      for (const view of window.rut.views) view.blend = 1;
      return window.rut.pictures;
    });
    await page.waitForFunction((n) => window.rut.pictures > n + 3, since, { timeout: 300_000 });
    await page.waitForFunction(() => !document.querySelector('.toast.shown'), null, {
      timeout: 60_000,
    });
    await page.screenshot({
      path: `${folder}/${name}`,
      type: 'jpeg',
      quality: 84,
      timeout: 120_000,
    });
    console.log(name, page.errors.join(' | '));
  } finally {
    for (const context of browser.contexts()) await context.close();
    server.close();
  }
}

const browser = await launch();
for (const name of names.length ? names : Object.keys(SHOTS)) {
  try {
    await take(browser, name);
  } catch (error) {
    console.error(name, error.message);
    process.exitCode = 1;
  }
}
await browser.close();
process.exit();
