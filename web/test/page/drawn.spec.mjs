// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of worlds besides vehicles and ground, and instruments: against the real command.

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { command, exampleWorld, startRut } from './server.mjs';

const until = (page, expression, argument) =>
  page.waitForFunction(expression, argument, { timeout: 90_000, polling: 50 });

// Two lidars in a fog that sends some of their light back.
const FOG = `<world timestep="5 ms">
  <weather visibility="80 m" rain="1 mm/h"/>
  <material preset="lawn"/>
  <road name="road" points="-40 0, 200 0" width="6 m"/>
  <scenery type="tree" kind="birch" along="-40 0, 200 0" offset="7 m" interval="12 m" height="9 m"/>
  <sensor type="lidar" name="lidar" preset="vlp16" z="2 m" labels="true"/>
  <sensor type="lidar" name="plain" preset="vlp16" z="2 m"/>
</world>`;

const NIGHT = `<world timestep="5 ms">
  <light elevation="-20 deg"/>
  <include file="scout.xml" x="0" y="0" yaw="0" speed="1" points="0 0, 90 0"/>
</world>`;

// A red square on a lawn.
const IMAGE = `<world timestep="5 ms">
  <material preset="lawn"/>
  <plane x_min="-40 m" x_max="40 m" y_min="-40 m" y_max="40 m"/>
  <plane x_min="-5 m" x_max="5 m" y_min="-5 m" y_max="5 m" z="0.01 m" texture="red.ppm" texture_size="1 1 m"/>
  <sensor type="camera" name="camera" x="-20 m" z="2 m"/>
</world>`;

describe('drawn', { skip: command ? false : 'needs RUT_COMMAND' }, () => {
  let browser;
  let server;
  let folder;

  before(async () => {
    browser = await launch();
    folder = await mkdtemp(join(tmpdir(), 'rut_drawn_'));
  });
  after(async () => {
    await browser?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  // A page on a world, a file or one of the examples, after a number of steps.
  async function show(name, steps = 0, options = {}) {
    for (const context of browser.contexts()) await context.close();
    server?.close();
    const file = name.endsWith('.xml') ? name : exampleWorld(`${name}.xml`);
    server = await startRut('view', file, '--paused');
    const page = await open(browser, server.url, options);
    if (steps > 0) {
      await page.evaluate((n) => window.rut.send({ type: 'step', n }), steps);
      await until(page, (n) => window.rut.frame.get().steps === n, steps);
    }
    return page;
  }

  const instruments = (page) =>
    page.evaluate(() => {
      const board = document.querySelector('.instruments:not([hidden])');
      const list = {};
      for (const e of board?.querySelectorAll('[data-instrument]') ?? [])
        (list[e.dataset.instrument] ??= []).push(e.textContent);
      const box = board?.getBoundingClientRect();
      return board && { ...list, width: box.width, height: box.height, bottom: box.bottom };
    });

  // A path of three poses is two pieces, whose switch takes them away.
  async function plannedPath(page) {
    const seen = await page.evaluate(() => {
      const poses = new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]);
      const path = { kind: 'path', vehicle: 0, time: 0, goal: [5, 0, NaN], poses };
      const { navigation } = window.rut.world;
      const flags = () => navigation.group.children.filter((c) => c.type === 'Group' && c.visible);
      const told = [];
      window.rut.takeSample(path);
      told.push(navigation.pieces, flags().length, navigation.group.visible);
      window.rut.setLayer('navigation', false);
      told.push(navigation.group.visible);
      window.rut.takeSample({ ...path, goal: null, poses: new Float32Array(0) });
      told.push(navigation.pieces, flags().length);
      return told;
    });
    assert.deepEqual(seen, [2, 1, true, false, 0, 0]);
  }

  test("the driver's view has instruments, of what the vehicle has", async () => {
    const page = await show('hmmwv', 1500);
    await plannedPath(page);
    assert.equal(await instruments(page), null);
    await page.evaluate(() => window.rut.setMode('driver'));
    await until(page, () =>
      /\d{3}/.test(document.querySelector('[data-instrument=engine]')?.textContent),
    );
    const seen = await instruments(page);
    const state = await page.evaluate(() => {
      const { vehicles, wheels } = window.rut.frame.get();
      return { speed: vehicles[7], loads: [0, 1, 2, 3].map((k) => wheels[16 * k + 15]) };
    });
    assert.ok(Math.abs(Number(seen.speed) - 3.6 * state.speed) <= 0.5, `${seen.speed} km/h`);
    assert.equal(seen.gear[0], '1');
    const turns = parseInt(seen.engine[0], 10);
    assert.ok(turns > 600 && turns < 4000, seen.engine[0]);
    // kilonewtons, as many as wheels, the weight of the vehicle together
    assert.equal(seen.load.length, 4);
    const shown = seen.load.map(parseFloat).sort();
    state.loads
      .sort((a, b) => a - b)
      .forEach((n, k) => assert.ok(Math.abs(shown[k] - n / 1000) < 0.06));
    assert.match(seen.pitch[0], /^-\d+\.\d°$/); // its nose is up as it pulls away
    assert.match(seen.roll[0], /^-?\d+\.\d°$/);
    // they scale with the view and stay inside
    await page.setViewportSize({ width: 960, height: 640 });
    await until(
      page,
      (w) => {
        const b = document.querySelector('.instruments:not([hidden])').getBoundingClientRect();
        return b.width > 1.5 * w;
      },
      seen.width,
    );
    const large = await instruments(page);
    assert.ok(Math.abs(large.width / large.height - seen.width / seen.height) < 0.02);
    assert.ok(large.bottom <= 640);
    await page.evaluate(() => window.rut.setLayer('instruments', false));
    assert.equal(await instruments(page), null);
    assert.deepEqual(page.errors, []);
  });

  test('a planar vehicle has no engine, and its instruments none either', async () => {
    const page = await show('skid_steer', 200);
    await page.evaluate(() => window.rut.setMode('driver'));
    await until(page, () => document.querySelector('.instruments:not([hidden])'));
    const seen = await instruments(page);
    assert.deepEqual([seen.engine, seen.gear], [undefined, undefined]);
    assert.equal(seen.load.length, 6);
    assert.ok(
      seen.load.every((text) => /^\d{3} N$/.test(text)),
      String(seen.load),
    );
    await page.evaluate(() => window.rut.setMode('orbit'));
    assert.equal(await instruments(page), null);
    assert.deepEqual(page.errors, []);
  });

  // Both ends of instance k of an instanced mesh that spans along its z axis.
  const ENDS = `(mesh, k) => {
    const m = mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16);
    return [[m[12], m[13], m[14]], [m[12] + m[8], m[13] + m[9], m[14] + m[10]]];
  }`;

  test('ropes, rods and springs reach from body to body', async () => {
    const page = await show('ropes', 1000);
    // what is drawn comes to the newest frame by and by
    await until(page, () => {
      window.rut.draw(0);
      return window.rut.moment.time === window.rut.frame.get().time;
    });
    const seen = await page.evaluate((code) => {
      const ends = eval(code);
      const { world, frame, scene } = window.rut;
      const { vehicles, blocks } = frame.get();
      const place = (a, at, [x, y]) => {
        const yaw = 2 * Math.atan2(a[at + 6], a[at + 3]);
        return [
          a[at] + x * Math.cos(yaw) - y * Math.sin(yaw),
          a[at + 1] + x * Math.sin(yaw) + y * Math.cos(yaw),
        ];
      };
      const post = scene.get().blocks.find((b) => b.name === 'post').pose;
      return {
        kinds: world.joints.drawn.map((d) => d.kind),
        rope: [ends(world.joints.rods.mesh, 0)[0], ends(world.joints.rods.mesh, 13)[1]],
        ropeWants: [place(vehicles, 0, [-0.35, 0]), place(blocks, 0, [0.4, 0])],
        rod: ends(world.joints.rods.mesh, 14),
        rodWants: [place(vehicles, 8, [0, 0]), place(vehicles, 16, [0, 0])],
        spring: ends(world.joints.drawn[2].coil.mesh, 0),
        springWants: [post.slice(0, 2), [...blocks.slice(7, 9)]],
      };
    }, ENDS);
    assert.deepEqual(seen.kinds, ['rope', 'rod', 'spring']);
    for (const kind of ['rope', 'rod', 'spring'])
      for (const end of [0, 1]) {
        const [x, y, z] = seen[kind][end];
        const [wx, wy] = seen[`${kind}Wants`][end];
        assert.ok(Math.hypot(x - wx, y - wy) < 1e-3, `${kind}: ${[x, y]} is not ${[wx, wy]}`);
        assert.ok(z > 0.02 && z < 0.6, `${kind} at the height ${z}`);
      }
    assert.deepEqual(page.errors, []);
  });

  test('hitches have drawbars, and pendulums something to hang on', async () => {
    let page = await show('trailer', 100);
    const hitches = await page.evaluate(() =>
      window.rut.world.joints.drawn.map((d) => [d.kind, d.bars.map((b) => b.length)]),
    );
    assert.deepEqual(
      hitches,
      [0, 1, 2].map(() => ['hitch', [2, 2]]),
    );
    assert.deepEqual(page.errors, []);
    page = await show('mechanisms');
    await until(page, () => window.rut.world.stands?.children.length);
    const seen = await page.evaluate(() => {
      const { scene, world } = window.rut;
      world.stands.children[0].geometry.computeBoundingBox();
      const { min, max } = world.stands.children[0].geometry.boundingBox;
      return {
        supports: scene.get().blocks.map((b) => b.support?.grounded),
        low: min.z,
        high: max.z,
      };
    });
    assert.deepEqual(seen.supports, [true, true, false, undefined]);
    // from the ground to the hinges, which are 2.5 m high
    assert.ok(Math.abs(seen.low) < 0.01 && Math.abs(seen.high - 2.5) < 0.01, JSON.stringify(seen));
    assert.deepEqual(page.errors, []);
  });

  // Of the first chart of a section of the panel: labels, and the newest numbers.
  const plots = (page) =>
    page.evaluate(() => {
      const part = [...document.querySelectorAll('.sensor-panel section')].find((e) =>
        e.querySelector('h3')?.textContent.startsWith('rover/truth'),
      );
      return [...(part?.querySelectorAll('.chart') ?? [])].map((chart) => ({
        labels: [...chart.querySelectorAll('.legend span')].map((e) => e.textContent),
        values: [...chart.querySelectorAll('.legend output')].map((e) => parseFloat(e.textContent)),
        buttons: [...chart.querySelectorAll('button')].map((e) => e.getAttribute('aria-label')),
      }));
    });
  const measured = (page) =>
    until(page, () =>
      [...document.querySelectorAll('.sensor-panel .legend output')].every((e) =>
        /\d/.test(e.textContent),
      ),
    );

  test('inertial sensors are plotted, and fields of view drawn on demand', async () => {
    const page = await show('sensors', 500);
    await page.evaluate(() => window.rut.panel.set('sensors'));
    await measured(page);
    const [rates, forces] = await plots(page);
    assert.deepEqual(
      rates.labels,
      ['x', 'y', 'z'].map((a) => `angular velocity ${a}`),
    );
    assert.deepEqual(
      forces.labels,
      ['x', 'y', 'z'].map((a) => `specific force ${a}`),
    );
    // on nearly level ground at rest or in slow motion: gravity, upwards, from a sensor without noise
    assert.ok(Math.abs(Math.hypot(...forces.values) - 9.81) < 2, String(forces.values));
    assert.ok(!rates.buttons.some((name) => /Remove/.test(name)), String(rates.buttons));
    // what is plotted in another panel goes on
    await page.evaluate(() => window.rut.subscribe(['rover/speed']));
    assert.ok(
      (await page.evaluate(() => window.rut.wanted)).includes('rover/truth/specific_force_z'),
    );
    await page.evaluate(() => window.rut.panel.set(null));
    assert.deepEqual(await page.evaluate(() => window.rut.wanted), ['rover/speed']);

    const sector = () =>
      page.evaluate(() => {
        const { frusta } = window.rut.world;
        const [lines] = frusta.group.children[0].children;
        return {
          shown: frusta.group.visible,
          parts: frusta.group.children.length,
          lines: lines.geometry.getAttribute('position').count,
        };
      });
    assert.equal((await sector()).shown, false);
    await page.evaluate(() => window.rut.setLayer('frusta', true));
    const seen = await sector(); // of the radar
    assert.ok(seen.shown && seen.parts === 1 && seen.lines > 100, JSON.stringify(seen));
    assert.deepEqual(page.errors, []);
  });

  test('fixes have a path beside that of the antenna', async () => {
    const page = await show('sensors', 10);
    await page.evaluate(() => {
      window.rut.panel.set('sensors');
      window.rut.send({ type: 'resume' });
    });
    const gnss = await page.evaluate(() =>
      window.rut.scene.get().sensors.findIndex((s) => s.sample === 'fix'),
    );
    await until(
      page,
      () => window.rut.world.fixes.truth.used > 1 && window.rut.world.fixes.ring.used > 0,
    );
    const report = await page.evaluate((i) => window.rut.world.fixes.report(i), gnss);
    assert.ok(report.error < 20, `${report.error} m from the true place`);
    assert.deepEqual(page.errors, []);
  });

  test('fog hides what is far, and points have the colours and names of their classes', async () => {
    const world = join(folder, 'fog.xml');
    await writeFile(world, FOG);
    const page = await show(world, 40);
    const air = await page.evaluate(() => ({
      fog: window.rut.world.fog.density,
      scene: window.rut.scene.get().weather,
    }));
    // 3.912 over the visibility of 80 m; drizzle of 1 mm/h takes 1.08 dB/km
    assert.ok(
      Math.abs(air.scene.extinction - (0.0489 + 0.000249)) < 1e-5,
      `${air.scene.extinction}`,
    );
    assert.ok(air.fog > air.scene.extinction, 'distances fade as in cameras, or more');
    await page.evaluate(() => window.rut.panel.set('sensors'));
    await page.getByLabel('Colours of lidar', { exact: true }).selectOption('class');
    await until(page, () => document.querySelectorAll('.sensor-panel .soils li').length > 2);
    const seen = await page.evaluate(() => {
      const { rut } = window;
      const cloud = rut.world.clouds.clouds.get(0);
      const labels = cloud.sample.class;
      const tint = cloud.points.geometry.getAttribute('tint').array;
      const sets = new Map();
      labels.forEach((c, i) => {
        if (!sets.has(c)) sets.set(c, new Set());
        sets.get(c).add(String(tint.slice(3 * i, 3 * i + 3)));
      });
      return {
        names: [...document.querySelectorAll('.sensor-panel .soils li')].map((e) => e.textContent),
        colours: [...sets.values()].map((s) => [...s]),
        plain: document.querySelector('[aria-label="Colours of plain"]').options.length,
      };
    });
    for (const name of ['ground', 'tree', 'air'])
      assert.ok(seen.names.includes(name), `${name} in ${seen.names}`);
    assert.equal(seen.names.length, seen.colours.length);
    // one colour for each class, and no two alike
    assert.ok(seen.colours.every((c) => c.length === 1));
    assert.equal(new Set(seen.colours.flat()).size, seen.colours.length);
    assert.equal(seen.plain, 2, 'a lidar without labels has no colours of classes');
    assert.deepEqual(page.errors, []);
  });

  test('lamps of the world light what is near, as far as daylight lets them', async () => {
    let page = await show('scenarios/night_convoy', 100);
    const seen = await page.evaluate(() => {
      const { world } = window.rut;
      window.rut.draw(0);
      const beams = world.lamps.group.children.filter((o) => o.isSpotLight);
      const at = world.subject(0).position;
      const near = beams.filter((light) => light.position.distanceTo(at) < 3);
      return {
        count: world.lamps.count,
        beams: beams.length,
        heads: near.filter((light) => light.intensity > 100).map((l) => l.position.distanceTo(at)),
        most: Math.max(...beams.map((light) => light.intensity)),
        angles: [...new Set(beams.map((light) => Math.round((180 / Math.PI) * light.angle)))],
      };
    });
    // head and tail lamps of three trucks and two street lamps; as many as may be light something
    assert.deepEqual([seen.count, seen.beams], [14, 8]);
    // 2.36 m ahead, 0.65 m beside the middle and 0.95 m up
    const away = Math.hypot(2.36, 0.65, 0.95);
    assert.equal(seen.heads.length, 2, JSON.stringify(seen));
    for (const distance of seen.heads) assert.ok(Math.abs(distance - away) < 0.02, `${distance}`);
    assert.ok(seen.angles.includes(60), JSON.stringify(seen));
    // 15.4 kcd, and a white surface is white in 25 lx
    assert.ok(Math.abs(seen.most / ((15400 * Math.PI) / 25) - 1) < 1e-6, `${seen.most}`);
    assert.deepEqual(page.errors, []);
    page = await show('ropes');
    assert.equal(await page.evaluate(() => window.rut.world.lamps), null);
  });

  test('vehicles have head lamps at night in a world without lamps', async () => {
    const file = join(folder, 'night.xml');
    await copyFile(exampleWorld('vehicles/scout.xml'), join(folder, 'scout.xml'));
    await writeFile(file, NIGHT);
    const page = await show(file, 10);
    const seen = await page.evaluate(() => {
      const { world } = window.rut;
      window.rut.draw(0);
      const [light] = world.lamps.group.children;
      const at = world.subject(0);
      return {
        count: world.lamps.count,
        ahead: light.position.distanceTo(at.position),
        onward: light.target.position.distanceTo(at.position),
      };
    });
    assert.equal(seen.count, 1);
    assert.ok(seen.ahead < 4 && seen.onward > 10, JSON.stringify(seen));
    assert.deepEqual(page.errors, []);
  });

  test('water mirrors the sky, and no grass stands in it', async () => {
    const page = await show('pond', 10);
    await until(page, () => window.rut.world.forms.wetAt(14, 2));
    const seen = await page.evaluate(() => {
      const { world } = window.rut;
      const { orbit } = window.rut.views[0];
      orbit.target.set(14, 2, 0);
      orbit.distance = 15;
      orbit.settle();
      window.rut.draw(0);
      const at = world.grass.places.array;
      const n = world.grass.mesh.geometry.instanceCount;
      const away = Array.from({ length: n }, (_, k) =>
        Math.hypot(at[4 * k] - 14, at[4 * k + 1] - 2),
      );
      let water;
      world.forms.group.traverse((o) => (water = o.material?.ior === 1.33 ? o.material : water));
      return {
        tufts: away.filter((d) => d < 15).length,
        wet: away.filter((d) => d < 5).length,
        // 26 m by 15 m, and up to 1.15 less in its bays
        shores: [9, 14].map((d) => world.forms.wetAt(14 + d * 0.94, 2 + d * 0.342)),
        mirror: water.envMap === world.mirrored.texture && water.roughness,
      };
    });
    assert.ok(seen.tufts > 50 && seen.wet === 0, JSON.stringify(seen));
    assert.deepEqual(seen.shores, [true, false]);
    assert.equal(seen.mirror, 0.05);
    assert.deepEqual(page.errors, []);
  });

  test('the ground shows images, and no grass grows on them', async () => {
    const file = join(folder, 'image.xml');
    await writeFile(join(folder, 'red.ppm'), 'P3\n1 1\n255\n255 0 0\n');
    await writeFile(file, IMAGE);
    const page = await show(file, 1);
    await until(page, () => window.rut.world.terrain.picturedAt(0, 0));
    const seen = await page.evaluate(() => {
      const { world } = window.rut;
      const { orbit } = window.rut.views[0];
      orbit.target.set(0, 0, 0);
      orbit.distance = 10;
      orbit.elevation = 1.2;
      orbit.settle();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [1, 1];
      const g = canvas.getContext('2d', { willReadFrequently: true });
      const from = world.renderer.domElement;
      const middle = () => {
        window.rut.draw(0);
        g.drawImage(from, from.width / 2, from.height / 2, 1, 1, 0, 0, 1, 1);
        return [...g.getImageData(0, 0, 1, 1).data];
      };
      const colour = middle();
      // a map of 2 x 2 m whose cell in the middle of the view costs that much
      const map = { kind: 'map', vehicle: 0, time: 0, width: 2, height: 2, resolution: 1 };
      const mapped = [0, 100, 255].map((cost) => {
        const cells = new Uint8Array([255, 255, 255, cost]);
        window.rut.takeSample({ ...map, origin: [-1.5, -1.5], cells });
        return middle();
      });
      window.rut.takeSample({ ...map, origin: [-1.5, -1.5], cells: new Uint8Array(4) });
      window.rut.setLayer('navigation', false);
      mapped.push(middle());
      const at = world.grass.places.array;
      const n = world.grass.mesh.geometry.instanceCount;
      return {
        colour,
        mapped,
        edges: [4.5, 6].map((x) => world.terrain.picturedAt(x, 0)),
        tufts: Array.from({ length: n }, (_, k) => Math.hypot(at[4 * k], at[4 * k + 1])),
      };
    });
    const [red, green, blue] = seen.colour;
    assert.ok(red > 100 && green < 60 && blue < 60, `${seen.colour}`);
    const [free, blocked, unknown, off] = seen.mapped;
    assert.ok(free[1] > green + 30 && free[2] > blue + 30, `free ground: ${free}`);
    assert.ok(blocked[0] > 150 && blocked[1] < 80 && blocked[0] !== red, `blocked: ${blocked}`);
    for (const plain of [unknown, off])
      assert.ok(
        seen.colour.every((c, k) => Math.abs(c - plain[k]) < 8),
        `without a map: ${plain}`,
      );
    assert.deepEqual(seen.edges, [true, false]);
    assert.ok(seen.tufts.some((d) => d > 8) && !seen.tufts.some((d) => d < 4.5));
    assert.deepEqual(page.errors, []);
  });

  test('the name of the world can be read at any width', async () => {
    const page = await show('scenarios/night_convoy');
    for (const width of [1600, 1300, 1261, 1260, 1100, 950, 930, 861, 860, 721, 720, 480]) {
      await page.setViewportSize({ width, height: 320 });
      const seen = await page.evaluate(() => {
        const [title, bar] = ['.world-title', '.topbar'].map((s) => document.querySelector(s));
        return [title.clientWidth, title.scrollWidth, bar.scrollWidth - bar.clientWidth];
      });
      const [shown, all, over] = seen;
      assert.ok(shown >= Math.min(all, 60) && over <= 0, `${width}: ${seen}`);
    }
    assert.deepEqual(page.errors, []);
  });

  test('roads are painted on the ground, and no grass stands on them', async () => {
    const page = await show('scenarios/urban', 10);
    await until(page, () => Number.isFinite(window.rut.world.terrain.heightAt(-100, 5)));
    const seen = await page.evaluate(() => {
      const { world } = window.rut;
      const { terrain, grass } = world;
      const { orbit } = window.rut.views[0];
      orbit.distance = 10;
      orbit.settle();
      window.rut.draw(0);
      const at = grass.places.array;
      const tufts = Array.from({ length: grass.mesh.geometry.instanceCount }, (_, k) => [
        at[4 * k],
        at[4 * k + 1],
      ]);
      return {
        sealed: [0, 3, 5, 9].map((y) => terrain.sealedAt(-100, y)),
        kerb: terrain.heightAt(-100, 5) - terrain.heightAt(-100, 0),
        tufts: tufts.length,
        onRoad: tufts.filter(([x, y]) => x < -12 && Math.abs(y) < 6).length,
        high: world.scene.walls.filter((w) => w.z[1] < 0.1).length,
      };
    });
    assert.deepEqual(seen.sealed, [true, true, true, false]);
    assert.ok(Math.abs(seen.kerb - 0.12) < 1e-3, `kerb of ${seen.kerb} m`);
    assert.ok(seen.tufts > 0);
    assert.equal(seen.onRoad, 0);
    assert.deepEqual(page.errors, []);
  });
});
