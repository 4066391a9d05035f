// SPDX-License-Identifier: BSD-3-Clause
// Numbers behind what is drawn: instruments, ropes, loads of hitches, fields of view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  driveSignals,
  fullScale,
  gearText,
  perMinute,
  wheelSlots,
} from '../../src/math/instruments.ts';
import { hitchLoad } from '../../src/math/load.ts';
import { lengthOf, sagOf } from '../../src/math/rope.ts';
import { sectorOf } from '../../src/math/sector.ts';
import { SignalStore } from '../../src/panels/signal_store.ts';
import { vectorsOf } from '../../src/panels/signal_tree.ts';
import { clearness } from '../../src/scene/haze.ts';
import { daylight, needsLamps, skyElevation } from '../../src/scene/palette.ts';
import { readScene } from '../../src/stream/scene.ts';

const near = (a: number, b: number, tolerance: number): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

const SCENE = readScene({
  version: 1,
  vehicles: [{ name: 'car' }, { name: 'cart' }, { name: 'robot' }],
  signals: [
    { name: 'cart/drive/engine_speed', unit: 'rad/s' },
    { name: 'cart/drive/gear', unit: '' },
    { name: 'car/gear', unit: 'm' },
    { name: 'car/motor/engine_speed', unit: 'rad/s' },
  ],
});

test('engine speed and gear are found by name and unit, of the vehicle only', () => {
  assert.deepEqual(driveSignals(SCENE, 0), {
    engineSpeed: 'car/motor/engine_speed',
    gear: null,
  });
  assert.deepEqual(driveSignals(SCENE, 1), {
    engineSpeed: 'cart/drive/engine_speed',
    gear: 'cart/drive/gear',
  });
  assert.deepEqual(driveSignals(SCENE, 2), { engineSpeed: null, gear: null });
  assert.deepEqual(driveSignals(SCENE, 9), { engineSpeed: null, gear: null });
});

test('gears, revolutions and scales as instruments have them', () => {
  assert.deepEqual([-2, -1, 0, 1, 4, NaN].map(gearText), ['R2', 'R', 'N', '1', '4', '–']);
  near(perMinute(2 * Math.PI), 60, 1e-9); // one turn a second
  assert.deepEqual([0, 10, 10.1, 95, 479, 481].map(fullScale), [10, 10, 20, 120, 480, 500]);
});

test('wheels have rows from the front and sides', () => {
  const truck: [number, number][] = [
    [-4.1, 1],
    [0, 1],
    [0, -1],
    [-4.1, -1],
    [-5.4, 1],
    [-5.4, -1],
  ];
  assert.deepEqual(
    wheelSlots(truck, 0.58).map((w) => [w.row, w.side]),
    [
      [1, -1],
      [0, -1],
      [0, 1],
      [1, 1],
      [2, -1],
      [2, 1],
    ],
  );
  // a tricycle: one wheel in the middle, two a bit apart from each other in x
  const places: [number, number][] = [
    [0.5, 0],
    [-0.5, 0.4],
    [-0.52, -0.4],
  ];
  assert.deepEqual(
    wheelSlots(places, 0.15).map((w) => [w.row, w.side]),
    [
      [0, 0],
      [1, -1],
      [1, 1],
    ],
  );
  assert.deepEqual(wheelSlots([[0, 0]], 0.1), [{ row: 0, side: 0 }]);
});

test('the newest value of a signal', () => {
  const store = new SignalStore(4);
  assert.ok(Number.isNaN(store.latest('a')));
  store.subscribed(1, ['a', 'b']);
  const rows = (times: number[], values: number[]): void =>
    store.append({
      subscription: 1,
      signals: 2,
      times: Float64Array.from(times),
      values: Float32Array.from(values),
    });
  rows([1, 2, 3], [10, 1, 20, 2, 30, NaN]);
  assert.equal(store.latest('a'), 30);
  assert.ok(Number.isNaN(store.latest('b'))); // it has none now
  rows([4, 5], [40, 4, 50, 5]);
  assert.deepEqual([store.latest('a'), store.latest('b')], [50, 5]);
});

// Length of a curve by many straight pieces.
function measured(distance: number, sag: number): number {
  const n = 20000;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const y = (t: number): number => 4 * sag * t * (1 - t);
    sum += Math.hypot(distance / n, y((i + 1) / n) - y(i / n));
  }
  return sum;
}

test('a rope keeps its length', () => {
  for (const [distance, sag] of [
    [3, 0.1],
    [3, 1],
    [0.5, 2],
  ] as const)
    near(lengthOf(distance, sag), measured(distance, sag), 1e-6);
  for (const [distance, length] of [
    [2, 2.001],
    [2, 3],
    [0.1, 2],
  ] as const)
    near(measured(distance, sagOf(distance, length)), length, 1e-6);
  assert.deepEqual([sagOf(2, 2), sagOf(2.5, 2)], [0, 0]); // taut
  near(sagOf(0, 2), 1, 1e-9);
});

test('the load of a hitch rises, and holds back in motion only', () => {
  const hitch = { force: 20000, ramp: 1000, start: 2 };
  assert.equal(hitchLoad(hitch, 1.9, 5), 0);
  near(hitchLoad(hitch, 12, 5), 10000, 1e-9);
  near(hitchLoad(hitch, 30, 5), 20000, 1e-9);
  near(hitchLoad(hitch, 30, 0.05), 10000, 1e-9);
  assert.equal(hitchLoad(hitch, 30, -1), 0);
  near(hitchLoad({ ...hitch, ramp: 0 }, 2, 1), 20000, 1e-9);
});

test('sectors lie on cones of their elevations', () => {
  const { lines, faces } = sectorOf(Math.PI / 2, [-0.2, 0.3], 3);
  const elevations = new Set<string>();
  for (let i = 0; i < faces.length; i += 9)
    for (const k of [3, 6]) {
      const [x, y, z] = faces.slice(i + k, i + k + 3) as unknown as [number, number, number];
      near(Math.hypot(x, y, z), 3, 1e-6);
      elevations.add(Math.asin(z / 3).toFixed(4));
      assert.ok(Math.abs(Math.atan2(y, x)) <= Math.PI / 4 + 1e-6);
    }
  assert.deepEqual([...elevations].sort(), ['-0.2000', '0.3000']);
  assert.equal(lines.length % 6, 0);
  // a flat scan is one fan
  const flat = sectorOf(Math.PI, [0, 0], 2);
  for (let i = 2; i < flat.lines.length; i += 3) assert.equal(flat.lines[i], 0);
});

test('vectors of a sensor, live and in logs', () => {
  const signals = [
    'r/imu/rate_x r/imu/rate_y r/imu/rate_z r/imu/orientation_0 r/imu2/rate_x r/imu2/rate_y r/imu2/rate_z',
    'r/log/force.x r/log/force.y r/log/force.z r/log/turn.x r/log/turn.y r/log/turn.z r/log/turn.w r/log/one_x',
  ].flatMap((line) => line.split(' ').map((name) => ({ name, unit: '', doc: '' })));
  assert.deepEqual(vectorsOf('r/imu', signals), [['r/imu/rate_x', 'r/imu/rate_y', 'r/imu/rate_z']]);
  // neither a quaternion nor a lone component
  assert.deepEqual(vectorsOf('r/log', signals), [
    ['r/log/force.x', 'r/log/force.y', 'r/log/force.z'],
  ]);
  assert.deepEqual(vectorsOf('r', signals), []);
});

test('a low sun or a light as dark as the moon make a night', () => {
  const degree = Math.PI / 180;
  near(skyElevation(35 * degree, '#ffffff'), 35, 1e-9);
  near(skyElevation(35 * degree, '#202a40'), -12, 1e-9); // that of worlds/scenarios/night_convoy.xml
  near(skyElevation(-20 * degree, '#202a40'), -20, 1e-9);
  assert.deepEqual(
    [35, 2, -3, -5].map((e) => needsLamps(e * degree, '#ffe0b0')),
    [false, false, false, true],
  );
  assert.ok(needsLamps(35 * degree, '#202a40'));
});

test('under clouds the light comes from the sky, by day', () => {
  const degree = Math.PI / 180;
  const [clear, half, covered] = [0.2, 0.5, 1].map((a) => daylight(38 * degree, '#ffffff', a));
  assert.equal(clear!.sunPower, half!.sunPower);
  assert.equal(covered!.sunPower, 0);
  assert.ok(covered!.ambientPower > 2 * clear!.ambientPower && covered!.clouds === 0);
  const { r, g, b } = covered!.zenith;
  assert.ok(Math.max(r, g, b) < 1.4 * Math.min(r, g, b), 'a grey sky');
  // after sunset all light is that of the sky, and there are no clouds for it
  assert.deepEqual(daylight(-3 * degree, '#ffffff', 1), daylight(-3 * degree, '#ffffff', 0.2));
});

test('the sun is seen through the air above', () => {
  // 0.01/m over 100 m, straight up and at 30 degrees
  const weather = { extinction: 0.01, height: 100 };
  near(clearness(weather, 1), 0.367879, 1e-6);
  near(clearness(weather, 0.5), 0.135335, 1e-6);
  assert.equal(clearness({ extinction: 0, height: 300 }, 0), 1);
});
