// SPDX-License-Identifier: BSD-3-Clause
// Pictures of the example worlds for the manual: RUT_COMMAND=rut node test/page/gallery.mjs FOLDER [WORLD ...]
//
// Each world runs up to a time; then the picture frames the vehicles, or some of them, and their paths.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { launch, open } from './browser.mjs';
import { exampleWorld, startRut } from './server.mjs';
import { SHOTS } from './gallery_shots.mjs';

const [folder = 'test/out', ...wanted] = process.argv.slice(2);
const MOST_BYTES = 70e3;
const PLAIN = `.topbar, .timebar, .viewport > :not(canvas) { visibility: hidden !important } .stage { position: fixed !important; inset: 0 }`;

const worlds = ['', 'scenarios/', 'manoeuvres/', 'autonomy/']
  .flatMap((place) =>
    readdirSync(exampleWorld(place))
      .filter((file) => file.endsWith('.xml'))
      .map((file) => place + file.slice(0, -4)),
  )
  .concat('view');

// In the page: a sheet made by script, since the page's policy takes no others.
function hideControls(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}

// In the page: runs without drawing, and remembers where vehicles have been.
function prepare() {
  const { rut } = window;
  window.track = rut.scene.get().vehicles.map(() => []);
  rut.frame.on((f) => {
    if (f?.vehicles)
      window.track.forEach((way, i) => way.push([...f.vehicles.slice(8 * i, 8 * i + 3)]));
  });
  rut.draw = () => {};
}

// In the page: frames what the shot names.
function frameShot(shot) {
  const { rut } = window;
  delete rut.draw;
  const { vehicles } = rut.scene.get();
  const chosen = shot.vehicles ?? vehicles.map((_, i) => i);
  rut.choose(chosen[0] ?? 0);
  Object.assign(rut.world.layers, { labels: false }, shot.layers);
  rut.world.applyLayers();
  rut.views[0].fov = 0.7;
  rut.touch(20);
  if (shot.behind) {
    rut.setMode('chase');
    const { hands } = rut.views[0];
    hands.side = (shot.behind[0] * Math.PI) / 180;
    hands.elevation = (shot.behind[1] * Math.PI) / 180;
    hands.scale = shot.behind[2];
    rut.views[0].blend = 1;
    return rut.pictures;
  }
  const points = chosen.flatMap((i) =>
    shot.path === false ? window.track[i].slice(-1) : window.track[i],
  );
  const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])));
  const high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
  const largest = Math.max(
    ...chosen.map((i) => Math.max(...vehicles[i].chassis.outline.flat().map(Math.abs))),
  );
  const span = Math.hypot(...low.map((l, k) => high[k] - l)) + 2 * largest;
  const { orbit } = rut.views[0];
  rut.setMode('orbit');
  orbit.ortho = false;
  orbit.follow = false;
  const middle = low.map((l, k) => (l + high[k]) / 2 + (shot.shift?.[k] ?? 0));
  orbit.target.set(...(shot.target ?? middle));
  const angle = Math.PI / 180;
  orbit.azimuth = (shot.azimuth ?? -60) * angle;
  orbit.elevation = (shot.elevation ?? 28) * angle;
  orbit.distance = shot.distance ?? span * (shot.near ?? 1);
  rut.views[0].blend = 1;
  orbit.settle();
  return rut.pictures;
}

async function quietPictures(page, since, count) {
  await page.waitForFunction((n) => window.rut.pictures > n, since + count, { timeout: 300_000 });
}

async function take(browser, name) {
  const shot = { ...SHOTS.default, ...SHOTS[name] };
  const { time, rate = 2, width = 800, height = 500, bytes = MOST_BYTES, ...view } = shot;
  const server = await startRut(
    'view',
    exampleWorld(`${shot.world ?? name}.xml`),
    '--paused',
    ...(shot.set ?? []),
  );
  try {
    const page = await open(browser, server.url, {
      width,
      height,
      query: '?sharp',
      colorScheme: 'light',
    });
    await page.evaluate(hideControls, PLAIN);
    await page.evaluate(prepare);
    await page.evaluate((r) => {
      window.rut.send({ type: 'rate', value: r });
      window.rut.send({ type: 'resume' });
    }, rate);
    await page.waitForFunction((t) => window.rut.frame.get().time >= t, time, { timeout: 300_000 });
    await page.evaluate(() => window.rut.send({ type: 'pause' }));
    await page.waitForFunction(() => window.rut.frame.get().paused, null, { timeout: 60_000 });
    const since = await page.evaluate(frameShot, view);
    await quietPictures(page, since, 2);
    let picture;
    for (let quality = 86; quality > 30; quality -= 8) {
      picture = await page.screenshot({ type: 'jpeg', quality, timeout: 120_000 });
      if (picture.length <= bytes) break;
    }
    const file = `${folder}/view_${basename(name)}.jpg`;
    writeFileSync(shot.file ? `${folder}/${shot.file}` : file, picture);
    const state = await page.evaluate(() => ({
      time: window.rut.frame.get().time.toFixed(2),
      at: window.rut.views[0].orbit.target.toArray().map((x) => Number(x.toFixed(1))),
      distance: window.rut.views[0].orbit.distance.toFixed(1),
    }));
    console.log(name, picture.length, JSON.stringify(state), page.errors.join(' | '));
  } finally {
    for (const context of browser.contexts()) await context.close();
    server.close();
  }
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const name of wanted.length ? wanted : worlds) {
  const { needs } = SHOTS[name] ?? {};
  if (needs && !existsSync(exampleWorld(needs))) {
    console.log(`${name}: left out, there is no worlds/${needs}`);
    continue;
  }
  try {
    await take(browser, name);
  } catch (error) {
    console.error(name, error.message);
    process.exitCode = 1;
  }
}
await browser.close();
