// SPDX-License-Identifier: BSD-3-Clause
// Figures of the viewer: RUT_COMMAND=rut node test/page/measure.mjs [--stream]
//
// --stream: without a browser.
// Time from the command to the first picture, size of the page, frames and processor time with 1, 10 and 100
// vehicles on level ground and on a terrain of 1024 x 1024 heights.

import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import WebSocket from 'ws';
import { launch, open } from './browser.mjs';
import { exampleWorld, startRut } from './server.mjs';

const SECONDS = 5;
const TICKS = 100; // of /proc, a second
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

const robot = (i) => `
  <vehicle name="r${i}" class="robot" position="${6 * (i % 10)} ${6 * Math.floor(i / 10)} m" yaw="${37 * i} deg">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="l" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="r" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7" bearing_damping="0.05"/>
    <drive type="direct"/>
    <controller type="twist_pid" proportional_gain="5" integral_gain="4" max_torque="10 N m"
                speed="1 m/s" yaw_rate="30 deg/s"/>
  </vehicle>`;
const truck = (i) =>
  `<include file="${exampleWorld('vehicles/hmmwv.xml')}" name="h${i}" x="${9 * (i % 10)}" y="${9 * Math.floor(i / 10)}"
            driver="1" speed="5" manoeuvre="circle" start_distance="20" radius="15"/>`;
const world = (vehicle, count, ground = '', step = '5 ms') =>
  `<world timestep="${step}" duration="100 s">${ground}${Array.from({ length: count }, (_, i) => vehicle(i)).join('')}</world>`;

// Heights of 1024 x 1024 hills on cells of 0.25 m.
function hills() {
  const n = 1024;
  const rows = [`ncols ${n}`, `nrows ${n}`, 'xllcenter -128', 'yllcenter -128', 'cellsize 0.25'];
  for (let j = 0; j < n; j++)
    rows.push(
      Array.from({ length: n }, (_, i) =>
        (1.2 * Math.sin(i / 37) * Math.cos(j / 41) + 0.3 * Math.sin(i / 9 + j / 13)).toFixed(3),
      ).join(' '),
    );
  return rows.join('\n') + '\n';
}

// Processor time [s] of a process and all that it has started.
async function processorTime(root) {
  const children = new Map();
  const used = new Map();
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (!stat) continue;
    const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    used.set(Number(pid), (Number(field[11]) + Number(field[12])) / TICKS);
    const parent = Number(field[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  const sum = (pid) =>
    (used.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((s, child) => s + sum(child), 0);
  return {
    root: used.get(root) ?? 0,
    below: (children.get(root) ?? []).reduce((s, c) => s + sum(c), 0),
  };
}

async function framesReceived(url) {
  const socket = new WebSocket(url.replace('http', 'ws') + 'stream', 'rut.1');
  let [frames, bytes, factor] = [0, 0, 0];
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send('{"type":"hello"}');
  await pause(1);
  socket.on('message', (data, binary) => {
    if (binary) [frames, bytes, factor] = [frames + 1, bytes + data.length, data.readFloatLE(24)];
  });
  await pause(SECONDS);
  socket.close();
  return { rate: frames / SECONDS, size: bytes / Math.max(1, frames), factor };
}

const share = (x) => `${Math.round(100 * x)} %`;

// Pictures a second, shares of server and browser, real-time factor.
async function measurePage(browser, url, use) {
  const others = async () => (await processorTime(process.pid)).below - (await use());
  const page = await open(browser, url, { width: 800, height: 500 });
  await pause(3);
  const state = () => page.evaluate(() => [window.rut.pictures, window.rut.frame.get().rate]);
  const [s0, p0, [n0]] = [await use(), await others(), await state()];
  await pause(SECONDS);
  const [s1, p1, [n1, factor]] = [await use(), await others(), await state()];
  await page.context().close();
  return (
    `${((n1 - n0) / SECONDS).toFixed(1)} | ${share((s1 - s0) / SECONDS)} | ` +
    `${share((p1 - p0) / SECONDS)} | ${factor.toFixed(2)} |`
  );
}

async function measure(browser, name, file) {
  const server = await startRut('view', file);
  try {
    const { pid } = server.child;
    const use = async () => (await processorTime(pid)).root;
    await pause(1);
    const start = await use();
    const raw = await framesReceived(server.url);
    const alone = ((await use()) - start) / (SECONDS + 1);
    const drawn = browser ? await measurePage(browser, server.url, use) : '';
    console.log(
      `| ${name} | ${raw.rate.toFixed(0)} | ${(raw.size / 1024).toFixed(1)} | ${share(alone)} | ` +
        `${raw.factor.toFixed(2)} | ${drawn}`,
    );
  } finally {
    server.close();
  }
}

async function firstPicture(browser, file) {
  const begin = performance.now();
  const server = await startRut('view', file);
  const listening = performance.now();
  const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  await page.goto(server.url);
  await page.waitForFunction(() => window.rut?.pictures > 0 && window.rut.moment, null, {
    polling: 20,
  });
  const drawn = performance.now();
  await page.context().close();
  server.close();
  return [listening - begin, drawn - begin].map((t) => (t / 1000).toFixed(2));
}

const folder = await mkdtemp(join(tmpdir(), 'rut_measure_'));
const browser = process.argv.includes('--stream') ? null : await launch();
try {
  console.log(`load ${loadavg()[0].toFixed(2)}`);
  const save = async (name, text) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  await save('hills.asc', hills());
  const heights = '<elevation_map file="hills.asc"/>';
  for (const name of browser ? ['demo', 'hmmwv', 'hills'] : [])
    for (let k = 0; k < 2; k++) {
      const [listening, drawn] = await firstPicture(browser, exampleWorld(`${name}.xml`));
      console.log(`${name}: listening after ${listening} s, first picture after ${drawn} s`);
    }
  const server = await startRut('view', exampleWorld('demo.xml'));
  const page = Buffer.from(await (await fetch(server.url)).arrayBuffer());
  server.close();
  console.log(`page: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} gzipped`);
  console.log(
    '| world | frames/s received | KiB each | server | real time | pictures/s | server | browser | real time |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const count of [1, 10, 100]) {
    await measure(browser, `${count} robots`, await save('a.xml', world(robot, count)));
    await measure(browser, `${count} HMMWV`, await save('b.xml', world(truck, count, '', '1 ms')));
  }
  for (const count of [1, 10])
    await measure(
      browser,
      `${count} HMMWV, 1024 x 1024 heights`,
      await save('c.xml', world(truck, count, heights, '1 ms')),
    );
  console.log(`load ${loadavg()[0].toFixed(2)}`);
} finally {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
}
