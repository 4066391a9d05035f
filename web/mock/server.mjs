// SPDX-License-Identifier: BSD-3-Clause
// A server that speaks docs/manual/stream.md over the make-believe world: node mock/server.mjs [port] [copies]

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { WebSocketServer } from 'ws';
import { FrameWriter } from './frame.mjs';
import { TILE, World, ground, soilAt } from './world.mjs';

const STEP = 0.005;

function raster(query, bytes, write) {
  const [x0, y0, x1, y1, nx, ny] = ['x0', 'y0', 'x1', 'y1', 'nx', 'ny'].map((k) =>
    Number(query.get(k)),
  );
  const out = Buffer.alloc(nx * ny * bytes);
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++)
      write(out, j * nx + i, x0 + ((x1 - x0) * i) / (nx - 1), y0 + ((y1 - y0) * j) / (ny - 1));
  return out;
}

export async function startMock({
  port = 0,
  copies = 1,
  page = new URL('../dist/index.html', import.meta.url),
} = {}) {
  const world = new World(copies);
  const slots = new Map();
  const clients = new Set();
  const state = { paused: false, rate: 1, jump: true };

  const http = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
    if (url.pathname === '/') return send('text/html', await readFile(page));
    if (url.pathname === '/scene.json')
      return send('application/json', JSON.stringify(world.scene()));
    if (url.pathname === '/terrain')
      return send(
        'application/octet-stream',
        raster(url.searchParams, 4, (b, k, x, y) => b.writeFloatLE(ground(x, y), k * 4)),
      );
    if (url.pathname === '/soil')
      return send(
        'application/octet-stream',
        raster(url.searchParams, 1, (b, k, x, y) => b.writeUInt8(soilAt(x, y), k)),
      );
    response.writeHead(404).end();
  });

  const sockets = new WebSocketServer({ server: http, path: '/stream' });
  const status = () =>
    JSON.stringify({
      type: 'status',
      mode: 'live',
      paused: state.paused,
      rate: state.rate,
      time: world.time,
      end: null,
      driven: world.vehicles.map((v) => (v.drive ? 'page' : 'world')),
      slots: [...slots.keys()],
      clients: clients.size,
      recording: null,
      logs: [],
      warnings: [],
    });
  const tell = () => clients.forEach((c) => c.socket.send(status()));

  function frame(client) {
    const bits = (state.paused ? 1 : 0) | (client.jump ? 8 : 0);
    const w = new FrameWriter(world.time, world.steps, state.paused ? 0 : state.rate, bits);
    const { vehicles, wheels, links } = world.poses();
    w.section(1, vehicles.length / 8);
    w.floats(vehicles);
    w.section(2, wheels.length / 16);
    w.floats(wheels);
    w.section(3, links.length / 6);
    w.floats(links);
    if (client.frames % 6 === 0) {
      const ranges = world.scan();
      w.section(5, 1);
      w.u32(0);
      w.u32(ranges.length);
      w.floats(ranges);
    }
    if (client.tiles.size) {
      w.section(6, client.tiles.size);
      for (const key of client.tiles) {
        const tile = world.tiles.get(key);
        w.i32(tile.column);
        w.i32(tile.row);
        w.f32(TILE.cell);
        w.u32(TILE.side);
        w.floats(tile.heights);
        w.pad();
      }
      client.tiles.clear();
    }
    if (client.rows.length) {
      w.section(7, client.rows.length);
      w.u32(client.subscription);
      w.u32(client.signals.length);
      for (const [time, values] of client.rows) {
        w.f64(time);
        w.floats(values);
        w.pad();
      }
      client.rows = [];
    }
    client.jump = false;
    client.frames++;
    client.socket.send(w.done());
  }

  function all(client) {
    client.jump = true;
    client.tiles = new Set(world.tiles.keys());
  }

  const refuse = (client, message) =>
    client.socket.send(JSON.stringify({ type: 'error', message }));

  function read(client, data) {
    let message = null;
    try {
      message = JSON.parse(data);
    } catch {
      return refuse(client, 'no JSON');
    }
    if (typeof message?.type !== 'string') return refuse(client, 'no type');
    act(client, message);
  }

  const KNOWN =
    'hello pause resume reset step rate drive release command set save restore subscribe'.split(
      ' ',
    );

  function act(client, m) {
    if (!KNOWN.includes(m.type)) return refuse(client, `unknown type ${m.type}`);
    if (m.type === 'rate' && !Number.isFinite(m.value)) return refuse(client, 'value: no number');
    if ('vehicle' in m && !world.vehicles[m.vehicle]) return refuse(client, 'no such vehicle');
    const vehicle = world.vehicles[m.vehicle];
    if (m.type === 'hello') all(client);
    else if (m.type === 'pause') state.paused = true;
    else if (m.type === 'resume') state.paused = false;
    else if (m.type === 'step') {
      state.paused = true;
      for (let i = 0; i < (m.n ?? 1); i++) advance();
    } else if (m.type === 'rate') state.rate = m.value || 20;
    else if (m.type === 'reset') {
      world.reset();
      clients.forEach(all);
    } else if (m.type === 'drive' && vehicle) [vehicle.drive, vehicle.driver] = [m, client];
    else if (m.type === 'release' && vehicle) vehicle.drive = null;
    else if (m.type === 'set') {
      const value = parseFloat(m.value);
      if (!Number.isFinite(value)) return refuse(client, `${m.path}: "${m.value}" is not a number`);
      if (m.path === 'soil.friction') world.friction = value;
      clients.forEach((c) =>
        c.socket.send(JSON.stringify({ type: 'parameter', path: m.path, value: String(value) })),
      );
    } else if (m.type === 'save') slots.set(m.slot, world.save());
    else if (m.type === 'restore' && slots.has(m.slot)) {
      world.restore(slots.get(m.slot));
      clients.forEach(all);
    } else if (m.type === 'subscribe') {
      client.signals = m.signals;
      client.subscription++;
      client.rows = [];
    }
    if (m.type !== 'drive') tell();
  }

  function advance() {
    world.step(STEP);
    for (const c of clients) c.rows.push([world.time, c.signals.map((s) => world.value(s))]);
  }

  sockets.on('connection', (socket) => {
    const client = {
      socket,
      tiles: new Set(),
      signals: [],
      subscription: 0,
      rows: [],
      jump: true,
      frames: 0,
    };
    clients.add(client);
    socket.on('message', (data) => read(client, data));
    socket.on('close', () => {
      clients.delete(client);
      for (const v of world.vehicles) if (v.driver === client) v.drive = v.driver = null;
      tell();
    });
    socket.on('error', () => {});
  });

  let last = performance.now();
  let owed = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    if (!state.paused) owed += Math.min(0.1, (now - last) / 1000) * state.rate;
    last = now;
    for (; owed >= STEP; owed -= STEP) advance();
    for (const c of clients) for (const key of world.touched) c.tiles.add(key);
    world.touched.clear();
    for (const c of clients) if (c.socket.bufferedAmount < 1 << 18) frame(c);
  }, 16);
  const second = setInterval(tell, 1000);

  await new Promise((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/`,
    world,
    drop: () => clients.forEach((c) => c.socket.terminate()),
    close: () => {
      clearInterval(timer);
      clearInterval(second);
      sockets.clients.forEach((s) => s.terminate());
      http.close();
      http.closeAllConnections();
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const mock = await startMock({
    port: Number(process.argv[2] ?? 8080),
    copies: Number(process.argv[3] ?? 1),
  });
  console.log(mock.url);
}
