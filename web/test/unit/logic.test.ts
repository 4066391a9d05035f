// SPDX-License-Identifier: BSD-3-Clause
// The parts of the page that need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Euler, Matrix4, Vector3 } from 'three';
import { DriveMixer, type Hands, type Pad } from '../../src/input/drive.ts';
import { Feel } from '../../src/input/rumble.ts';
import { describeAfar } from '../../src/math/afar.ts';
import { resets } from '../../src/input/keys.ts';
import { clock, plain, rateAt, sliderAt, splitValue } from '../../src/math/format.ts';
import { loadTransfer, wheelLoads } from '../../src/math/load.ts';
import { anglesOf, mixQuaternion, mixRolling, quaternionOf } from '../../src/math/pose.ts';
import { Velocities } from '../../src/math/velocity.ts';
import { describeLog } from '../../src/panels/logs.ts';
import { stepped, valueToSend, yields } from '../../src/panels/parameters.ts';
import { csvOf, NOTHING, SignalStore } from '../../src/panels/signal_store.ts';
import { matches, sameOfOthers, treeOf } from '../../src/panels/signal_tree.ts';
import { HeightGrid, roundStep } from '../../src/scene/height_grid.ts';
import { widened } from '../../src/scene/ground_extent.ts';
import { coverDark, readPgm } from '../../src/scene/image_asset.ts';
import { levelled } from '../../src/scene/laser.ts';
import type { Frame } from '../../src/stream/frame.ts';
import { readReply } from '../../src/stream/messages.ts';
import { Playhead } from '../../src/stream/playhead.ts';
import { readScene, SceneError } from '../../src/stream/scene.ts';

const near = (a: number, b: number, e = 1e-6): void =>
  assert.ok(Math.abs(a - b) <= e, `${a} is not ${b}`);

test('angles and quaternions', () => {
  // A quarter turn about z.
  const [w, x, y, z] = quaternionOf(0, 0, Math.PI / 2);
  [w, z].forEach((c) => near(c, Math.SQRT1_2));
  [x, y].forEach((c) => near(c, 0));
  const a = anglesOf(...quaternionOf(0.3, -0.4, 2));
  near(a.roll, 0.3);
  near(a.pitch, -0.4);
  near(a.yaw, 2);
  // Half way between 0 and 170 degrees about y is 85 degrees, also if one end has the other sign.
  const end = quaternionOf(0, (170 * Math.PI) / 180, 0).map((c) => -c);
  const out = new Float32Array(4);
  mixQuaternion(new Float32Array([1, 0, 0, 0]), new Float32Array(end), 0, 0.5, out);
  near(Math.abs(out[0]!), Math.cos((42.5 * Math.PI) / 180), 1e-6);
});

const REST: Hands = { left: false, right: false, forward: false, back: false, handbrake: false };

test('keys: steering grows to full lock, left is positive, and returns', () => {
  const m = new DriveMixer();
  const first = m.mix({ ...REST, left: true }, null, null, 0, 0.1);
  assert.ok(first.steering > 0 && first.steering < 1);
  for (let i = 0; i < 20; i++) m.mix({ ...REST, left: true }, null, null, 0, 0.1);
  near(m.mix({ ...REST, left: true }, null, null, 0, 0.1).steering, 1);
  for (let i = 0; i < 20; i++) m.mix(REST, null, null, 0, 0.1);
  near(m.mix(REST, null, null, 0, 0.1).steering, 0);
});

test('keys: back brakes while the vehicle rolls forward, and reverses when it stands', () => {
  const m = new DriveMixer();
  const rolling = m.mix({ ...REST, back: true }, null, null, 5, 1);
  assert.deepEqual([rolling.throttle, rolling.brake], [0, 1]);
  const standing = m.mix({ ...REST, back: true }, null, null, 0, 1);
  assert.deepEqual([standing.throttle, standing.brake], [-1, 0]);
  const rollingBack = new DriveMixer().mix({ ...REST, forward: true }, null, null, -5, 1);
  assert.deepEqual([rollingBack.throttle, rollingBack.brake], [0, 1]);
  assert.equal(m.mix({ ...REST, handbrake: true }, null, null, 0, 0.1).handbrake, true);
});

test('gamepad in the standard mapping; untouched it leaves the keys alone', () => {
  const pad = (x: number, right: number, left: number, b = false): Pad => ({
    axes: [x, 0],
    buttons: Array.from({ length: 17 }, (_, i) => ({
      pressed: i === 1 && b,
      value: i === 7 ? right : i === 6 ? left : 0,
    })),
  });
  const m = new DriveMixer();
  const c = m.mix(REST, pad(-1, 0.5, 0), null, 0, 0.1);
  assert.deepEqual([c.steering, c.throttle, c.brake, c.handbrake], [1, 0.5, 0, false]);
  assert.equal(m.mix(REST, pad(0, 0, 0.7), null, 3, 0.1).brake, 0.7);
  assert.equal(m.mix(REST, pad(0, 0, 0.7), null, 0, 0.1).throttle, -0.7);
  assert.equal(m.mix(REST, pad(0, 0, 0, true), null, 0, 0.1).handbrake, true);
  assert.ok(m.mix({ ...REST, forward: true }, pad(0.05, 0, 0), null, 0, 0.1).throttle > 0);
});

test('a steering wheel: no dead zone, pedals that rest at 1 and tell nothing until they are touched', () => {
  const wheel = (...axes: number[]): Pad => ({ axes, buttons: [], mapping: '' });
  const m = new DriveMixer();
  assert.ok(m.mix({ ...REST, forward: true }, wheel(0, 0, 0, 0), null, 0, 0.1).throttle > 0);
  const c = m.mix(REST, wheel(0.04, 0, 0, 0), null, 3, 0.1);
  assert.deepEqual([c.steering, c.throttle, c.brake], [-0.04, 0, 0]);
  assert.equal(m.mix(REST, wheel(0.04, 0, -1, 0), null, 3, 0.1).throttle, 1);
  assert.equal(m.mix(REST, wheel(0.04, 0, 0, 0), null, 3, 0.1).throttle, 0.5);
  assert.equal(m.mix(REST, wheel(0.04, 0, 1, -0.5), null, 3, 0.1).brake, 0.75);
});

test('rumble: slip from 0.1 to 0.5, and loads that change by 0.2 to 1 of the mean', () => {
  const wheels = (...of: [number, number][]): Float32Array => {
    const all = new Float32Array(16 * of.length);
    of.forEach(([slip, load], i) => all.set([slip, 0, load], 16 * i + 13));
    return all;
  };
  const feel = new Feel();
  assert.deepEqual(feel.feel(wheels([0.05, 100], [0, 100]), 0.05), { strong: 0, weak: 0 });
  near(feel.feel(wheels([-0.3, 100], [0, 100]), 0.05).weak, 0.5, 1e-6);
  near(feel.feel(wheels([0, 40], [0, 160]), 0.05).strong, 0.5, 1e-6);
  let last = 1;
  for (let i = 0; i < 100; i++) last = feel.feel(wheels([0, 40], [0, 160]), 0.05).strong;
  assert.equal(last, 0);
});

test('a driver from afar is told how late pictures and commands are', () => {
  const none = { latency: 0, jitter: 0, loss: 0, rate: 0 };
  const video = { latency: 0.25, jitter: 0.1, loss: 0.02, rate: 25 };
  assert.equal(
    describeAfar({ video, commands: { ...none, latency: 0.1 } }),
    'picture 0.30 s late at 25 Hz, 2 % lost, commands 0.10 s late',
  );
});

test('touch: right is right, down brakes', () => {
  const c = new DriveMixer().mix(REST, null, { x: 0.5, y: -1, brake: false }, 4, 0.1);
  assert.deepEqual([c.steering, c.throttle, c.brake], [-0.5, 0, 1]);
});

test('curves: rows come back, other subscriptions stay apart, back in time cuts', () => {
  const s = new SignalStore(8);
  const rows = (subscription: number, times: number[], values: number[]): void =>
    s.append({
      subscription,
      signals: values.length / times.length,
      times: Float64Array.from(times),
      values: Float32Array.from(values),
    });
  s.subscribed(1, ['a', 'b']);
  rows(1, [0, 1, 2], [10, 20, 11, 21, 12, 22]);
  rows(2, [3], [1]); // nobody knows it
  assert.equal(s.size, 3);
  s.subscribed(2, ['b']);
  rows(2, [3, 4], [23, 24]);
  const span = s.span(['a', 'b'], 0, 10, 100);
  assert.deepEqual([...span.times], [0, 1, 2, 3, 4]);
  assert.deepEqual([...span.columns[1]!], [20, 21, 22, 23, 24]);
  assert.ok(Number.isNaN(span.columns[0]![4]));
  rows(2, [2.5], [99]);
  assert.deepEqual([...s.span(['b'], 0, 10, 100).times], [0, 1, 2, 2.5]);
  rows(2, [3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7]); // more than it holds
  assert.equal(s.size, 8);
  assert.equal(s.end, 9);
});

test('rows that a new subscription begins with, from the past', () => {
  const s = new SignalStore(16);
  const rows = (subscription: number, times: number[], ...values: number[]): void =>
    s.append({
      subscription,
      signals: values.length / times.length,
      times: Float64Array.from(times),
      values: Float32Array.from(values),
    });
  const column = (name: string): number[] => [...s.span([name], -1, 99, 100).columns[0]!];
  s.subscribed(1, ['a']);
  // the first one of all: nothing is there yet
  rows(1, [2, 4, 5, 6], 20, 40, 50, 60);
  assert.deepEqual(column('a'), [20, 40, 50, 60]);
  // b comes along: rows of both at 3 and 5, then those that are new, in two pieces
  s.subscribed(2, ['a', 'b']);
  rows(2, [3, 5], 30, 3, 51, 5);
  assert.deepEqual([...s.span(['a'], -1, 99, 100).times], [2, 3, 4, 5, 6]);
  assert.deepEqual(column('a'), [20, 30, 40, 50, 60]);
  assert.deepEqual(column('b'), [NOTHING, 3, NaN, 5, NaN]);
  rows(2, [6, 7, 8], 61, 6, 70, 7, 80, NaN);
  assert.deepEqual(column('a'), [20, 30, 40, 50, 60, 70, 80]);
  assert.deepEqual(column('b'), [NOTHING, 3, NaN, 5, 6, 7, NOTHING]);
  // a alone, then again with b, of which the server remembers nothing before 10: there is a gap
  s.subscribed(3, ['a']);
  rows(3, [9], 90);
  s.subscribed(4, ['b']);
  rows(4, [10], 10);
  assert.deepEqual(column('b').slice(-2), [NOTHING, 10]);
  // back in time, without a new subscription
  rows(4, [9.5], 11);
  assert.deepEqual([...s.span(['b'], 9, 99, 100).times].slice(-1), [9.5]);
  assert.equal(csvOf(['b'], [''], s.span(['b'], 8, 99, 100)).split('\n')[3], '9,');
  // more than there is room for: the oldest go
  s.subscribed(5, ['a']);
  rows(5, [-3, -2, -1, 0, 0.5, 1, 1.5, 1.7, 3.3], 1, 2, 3, 4, 5, 6, 7, 8, 9);
  assert.equal(s.size, 16);
  assert.deepEqual([s.start, s.end], [-1, 9.5]);
});

test('curves that are held stay as they were', () => {
  const s = new SignalStore(4);
  const row = (time: number, value: number): void =>
    s.append({
      subscription: 1,
      signals: 1,
      times: Float64Array.of(time),
      values: Float32Array.of(value),
    });
  s.subscribed(1, ['a']);
  for (let i = 0; i < 6; i++) row(i, 10 * i);
  const held = s.copy(['a', 'unknown']);
  row(6, 60);
  s.clear();
  assert.deepEqual([held.start, held.end, held.size], [2, 5, 4]);
  const span = held.span(['a', 'unknown', 'later'], 3, 4, 100);
  assert.deepEqual([...span.times], [2, 3, 4]);
  assert.deepEqual([...span.columns[0]!], [20, 30, 40]);
  assert.ok(Number.isNaN(span.columns[2]![0]));
  assert.equal(new SignalStore().copy(['a']).size, 0);
});

test('thinned curves keep least and largest', () => {
  const s = new SignalStore(1 << 12);
  s.subscribed(1, ['a']);
  const times = Float64Array.from({ length: 4000 }, (_, i) => i);
  const values = new Float32Array(4000);
  values[1234] = 50;
  values[2345] = -50;
  s.append({ subscription: 1, signals: 1, times, values });
  const span = s.span(['a'], 0, 4000, 100);
  assert.ok(span.times.length <= 100);
  assert.equal(Math.max(...span.columns[0]!), 50);
  assert.equal(Math.min(...span.columns[0]!), -50);
});

test('CSV', () => {
  const text = csvOf(['v/speed', 'odd,"name"'], ['m/s', ''], {
    times: Float64Array.from([0, 0.005]),
    columns: [Float32Array.from([1, 2]), Float32Array.from([NaN, 4])],
  });
  assert.equal(text, 'time [s],v/speed [m/s],"odd,""name"""\n0,1,\n0.005,2,4\n');
});

test('signals: tree, search, the same of all vehicles', () => {
  const signals = ['truck/fl/load', 'truck/speed', 'rover/speed', 'time'].map((name) => ({
    name,
    unit: 'm',
    doc: 'Some Words',
  }));
  const tree = treeOf(signals);
  assert.deepEqual(
    tree.branches.map((b) => [b.name, b.count]),
    [
      ['truck', 2],
      ['rover', 1],
    ],
  );
  assert.deepEqual(
    tree.leaves.map((l) => l.name),
    ['time'],
  );
  assert.ok(matches('load TRUCK', 'truck/fl/load', ''));
  assert.ok(!matches('load rover', 'truck/fl/load', ''));
  assert.deepEqual(sameOfOthers('truck/speed', ['truck', 'rover'], signals), [
    'truck/speed',
    'rover/speed',
  ]);
  assert.deepEqual(sameOfOthers('truck/fl/load', ['truck', 'rover'], signals), ['truck/fl/load']);
});

test('numbers for people', () => {
  assert.equal(clock(12.345), '12.35 s');
  assert.equal(clock(75.25), '1:15.3');
  assert.equal(clock(3661.5), '1:01:01.5');
  assert.equal(plain(7.5), '7.5');
  assert.equal(plain(2000), '2000');
  assert.equal(rateAt(0.5), 1);
  assert.equal(rateAt(1), 0);
  near(rateAt(sliderAt(10)), 10);
  assert.deepEqual(splitValue('220 kPa'), { number: 220, unit: 'kPa' });
  assert.deepEqual(splitValue('-.5e3'), { number: -500, unit: '' });
  assert.equal(splitValue('fiala'), null);
  assert.equal(roundStep(36, 18), 2);
  assert.equal(roundStep(0.9, 18), 0.05);
});

test('load transfer: 1 when all is on the right', () => {
  const pose = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0]);
  const wheel = (y: number, load: number): number[] => [
    0,
    y,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    load,
    0,
    0,
    0,
  ];
  near(loadTransfer(pose, Float32Array.from([...wheel(1, 100), ...wheel(-1, 300)]), 16), 0.5);
  near(loadTransfer(pose, Float32Array.from([...wheel(1, 0), ...wheel(-1, 300)]), 16), 1);
  // Turned half around, the wheel at +y is the right one.
  const back = Float32Array.from([0, 0, 0, 0, 0, 0, 1, 0]);
  near(loadTransfer(back, Float32Array.from([...wheel(1, 300), ...wheel(-1, 100)]), 16), 0.5);
});

const wheelRow = (y: number, upward: number, normal: number): number[] => {
  const row = new Array<number>(16).fill(0);
  [row[1], row[3], row[12], row[15]] = [y, 1, upward, normal];
  return row;
};

test('load transfer: wheels in the middle count in the sum only', () => {
  const pose = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0]);
  const ratio = (...rows: number[][]): number =>
    loadTransfer(pose, Float32Array.from(rows.flat()), 16);
  near(ratio(wheelRow(-0.004, 0, 200), wheelRow(0.5, 0, 100), wheelRow(-0.5, 0, 100)), 0);
  near(ratio(wheelRow(0.004, 0, 200), wheelRow(0.5, 0, 0), wheelRow(-0.5, 0, 200)), 0.5);
  near(ratio(wheelRow(0.0004, 0, 200), wheelRow(-0.0009, 0, 100)), 0);
  // On its side, a wheel is as far from the middle as on its wheels.
  const lying = Float32Array.from([0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 0]);
  const above = wheelRow(0, 0, 300);
  above[2] = 0.5;
  near(loadTransfer(lying, Float32Array.from(above), 16), -1);
});

test('loads are normal ones, in older logs vertical ones', () => {
  const rows = (a: number, b: number): Float32Array =>
    Float32Array.from([...wheelRow(1, 10, a), ...wheelRow(-1, 30, b)]);
  assert.deepEqual(wheelLoads(rows(50, 0), 16), [50, 0]);
  assert.deepEqual(wheelLoads(rows(0, 0), 16), [10, 30]);
});

test('reset is Shift and R, whatever CapsLock', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  assert.ok(resets({ ...none, key: 'R', shiftKey: true }));
  assert.ok(resets({ ...none, key: 'r', shiftKey: true })); // with CapsLock
  assert.ok(!resets({ ...none, key: 'R' })); // CapsLock alone
  assert.ok(!resets({ ...none, key: 'R', shiftKey: true, altKey: true }));
  assert.ok(!resets({ ...none, key: 'T', shiftKey: true }));
});

test('parameters: a unit that was typed stays until the server has the number', () => {
  const stiffness = { path: 'a', value: '200000', unit: 'N/m', min: 0, max: null, doc: '' };
  assert.equal(valueToSend(stiffness, '300'), '300 N/m');
  assert.equal(valueToSend(stiffness, ' 300 N/mm '), '300 N/mm');
  assert.equal(stepped('300 N/mm', 1, false), '310 N/mm');
  assert.equal(stepped('300 N/mm', -1, true), '200 N/mm');
  assert.equal(stepped('0.8', 1, false), '0.81');
  assert.equal(stepped('fiala', 1, false), null);
  assert.ok(yields('300 N/mm', '200000', '300 N/mm'));
  assert.ok(yields('200000', '200000', ''));
  assert.ok(!yields('300 N/m', '200000', '300 N/mm'));
  assert.ok(!yields('310000', '300000', '310000')); // a later step than the one that is answered
});

test('velocity from places: kept over short times, dropped after a jump', () => {
  const v = new Velocities();
  const at = (time: number, x: number, y: number): number[] => [
    ...v.update(time, Float32Array.from([x, y, 0, 9]), 4),
  ];
  assert.deepEqual(at(1, 5, 5), [0, 0, 0]);
  at(1.5, 6, 4).forEach((c, i) => near(c, [2, -2, 0][i]!));
  at(1.5, 6, 4).forEach((c, i) => near(c, [2, -2, 0][i]!));
  at(1.504, 6.4, 4).forEach((c, i) => near(c, [2, -2, 0][i]!));
  at(1.6, 6.4, 4).forEach((c, i) => near(c, [4, 0, 0][i]!, 1e-5));
  v.clear();
  assert.deepEqual(at(1.7, 90, 90), [0, 0, 0]);
  assert.deepEqual(at(1.2, 80, 80), [0, 0, 0]);
  assert.deepEqual(at(9, 90, 90), [0, 0, 0]);
});

test('a laser scans level from where it is', () => {
  const tilted = new Matrix4().makeRotationFromEuler(new Euler(0.3, 0.4, 1.1, 'ZYX'));
  const pose = levelled(tilted.setPosition(1, 2, 3));
  const ahead = new Vector3(2, 0, 0).applyMatrix4(pose);
  near(ahead.x, 1 + 2 * Math.cos(1.1));
  near(ahead.y, 2 + 2 * Math.sin(1.1));
  near(ahead.z, 3);
  const left = new Vector3(0, 2, 0).applyMatrix4(pose);
  near(left.z, 3);
});

test('wheels between frames that are far apart roll on', () => {
  // Ahead to the north, 0.3 m of radius, 4 m/s: 200 degrees in each quarter of a second.
  const wheel = (time: number, slip = 0): Float32Array => {
    const row = new Float32Array(16);
    const [c, s] = [Math.cos((4 * time) / 0.6), Math.sin((4 * time) / 0.6)];
    const h = Math.SQRT1_2;
    row.set([0, 4 * time, 0.3, h * c, -h * s, h * s, h * c]);
    row[13] = slip;
    return row;
  };
  const same = (a: Float32Array, b: Float32Array): number =>
    Math.abs([3, 4, 5, 6].reduce((sum, i) => sum + a[i]! * b[i]!, 0));
  const out = new Float32Array(16);
  for (const t of [0, 0.3, 0.5, 0.9]) {
    assert.ok(mixRolling(wheel(2), wheel(2.25), t, 0.31, out));
    near(same(out, wheel(2 + 0.25 * t)), 1, 1e-5);
  }
  assert.ok(!mixRolling(wheel(2), wheel(2.25, -1), 0.5, 0.3, out)); // locked
  const p = new Playhead();
  p.radii = [0.3];
  p.push(frameAt(2, 0, { wheels: wheel(2) }), 0);
  p.push(frameAt(2.25, 0, { wheels: wheel(2.25) }), 0.25);
  const m = p.at(0.3)!;
  assert.ok(m.time > 2 && m.time < 2.25, `${m.time}`);
  near(same(m.wheels, wheel(m.time)), 1, 1e-5);
});

test('heights: bilinear, NaN outside, normal of a plane', () => {
  const heights = Float32Array.from(
    { length: 12 },
    (_, k) => (k % 4) * 2 + Math.floor(k / 4) * 0.5,
  );
  const g = new HeightGrid({ x0: 0, y0: 0, x1: 3, y1: 2, nx: 4, ny: 3 }, heights);
  near(g.at(1.5, 0.5), 3.25);
  assert.ok(Number.isNaN(g.at(3.1, 0)));
  const n = new Float32Array(3);
  g.normal(1, 1, n);
  near(n[0]! / n[2]!, -2, 1e-5);
  near(n[1]! / n[2]!, -0.5, 1e-5);
});

test('ground: wider where a vehicle comes near a side, unless it ends there', () => {
  const vehicles = new Float32Array(16);
  vehicles.set([50, 40], 0);
  vehicles.set([99, 2], 8);
  const free = [false, false, false, false];
  assert.deepEqual(widened([0, 0, 100, 80], vehicles, free), [0, -33, 134, 80]);
  assert.deepEqual(
    widened([0, 0, 100, 80], vehicles, [false, true, false, false]),
    [0, 0, 134, 80],
  );
  assert.equal(widened([0, 0, 100, 80], vehicles, [true, true, true, true]), null);
  assert.equal(widened([-50, -50, 150, 150], vehicles, free), null);
});

test('heights: whether there is ground beyond a side', () => {
  // Three columns of ground, then none.
  const heights = Float32Array.from({ length: 12 }, (_, k) => (k % 4 === 3 ? NaN : 0));
  const g = new HeightGrid({ x0: 0, y0: 0, x1: 3, y1: 2, nx: 4, ny: 3 }, heights);
  assert.ok(!g.reaches([0, 0, 2, 2], 2));
  assert.ok(g.reaches([1, 0, 2, 2], 0));
  assert.ok(g.reaches([0, 0, 2, 1], 3));
  assert.ok(!g.reaches([0, 0, 2, 2], 1));
});

test('occupancy grids: PGM, and rectangles that cover exactly the dark cells', () => {
  const text = new TextEncoder().encode(
    'P2\n# a comment\n4 3\n255\n0 0 255 255\n0 0 255 0\n255 255 255 0\n',
  );
  const image = readPgm(text)!;
  assert.deepEqual([image.width, image.height], [4, 3]);
  const cover = new Uint8Array(12);
  for (const r of coverDark(image, 128))
    for (let y = r.y; y < r.y + r.h; y++) for (let x = r.x; x < r.x + r.w; x++) cover[y * 4 + x]!++;
  assert.deepEqual([...cover], [1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1]);
  assert.equal(coverDark(image, 128).length, 2);
  assert.equal(readPgm(new TextEncoder().encode('P5 100 100 255 short')), null);
});

function frameAt(time: number, x: number, more: Partial<Frame> = {}): Frame {
  return {
    time,
    steps: 0,
    rate: 1,
    paused: false,
    diverged: false,
    atEnd: false,
    jump: false,
    vehicles: Float32Array.from([x, 0, 0, 1, 0, 0, 0, 0]),
    wheels: null,
    links: null,
    blocks: null,
    contacts: null,
    scans: [],
    tiles: [],
    curves: null,
    ...more,
  };
}

test('playhead: even motion from uneven arrival, never beyond the newest frame', () => {
  const p = new Playhead();
  let seed = 7;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const arrivals: [number, number][] = [];
  for (let k = 0; k < 240; k++) arrivals.push([k / 30 + 0.012 * random(), k / 30]);
  let [last, worst, next] = [-1, 0, 0];
  for (let now = 0; now < 8; now += 1 / 60) {
    while (next < arrivals.length && arrivals[next]![0] <= now) {
      const [arrival, time] = arrivals[next++]!;
      p.push(frameAt(time, 10 * time), arrival);
    }
    const m = p.at(now);
    if (!m) continue;
    assert.ok(m.time <= (p.newest?.time ?? 0) + 1e-9);
    near(m.vehicles[0]!, 10 * m.time, 1e-3);
    if (now > 4) worst = Math.max(worst, Math.abs(m.time - last - 1 / 60));
    assert.ok(m.time >= last);
    last = m.time;
  }
  assert.ok(worst < 0.4 / 60, `step off by ${worst}`);
});

test('playhead: a jump is taken at once, sections that are left out stay', () => {
  const p = new Playhead();
  p.push(frameAt(5, 50), 0);
  p.push(frameAt(1, 10, { jump: true }), 0.02);
  near(p.at(0.03)!.vehicles[0]!, 10);
  p.push(frameAt(1, 10, { paused: true, vehicles: null }), 0.05);
  near(p.at(0.5)!.vehicles[0]!, 10);
});

test('scene: defaults for what is left out, refusal of another version', () => {
  assert.throws(() => readScene({ version: 2 }), SceneError);
  assert.throws(() => readScene(null), SceneError);
  const s = readScene({
    version: 1,
    vehicles: [{ name: 'a', color: 'red', chassis: {} }],
    gui: { follow: '' },
  });
  assert.equal(s.vehicles[0]!.color, '#c8622d');
  assert.deepEqual(s.extent, [-20, -20, 20, 20]);
  assert.equal(s.gui.follow, null);
});

test('scene: set points with their units', () => {
  const point = { name: 'steer', unit: 'rad', doc: 'angle of the front wheel' };
  const s = readScene({
    version: 1,
    vehicles: [{ name: 'a', chassis: {}, commands: [point, { name: 'brake' }] }],
  });
  assert.deepEqual(s.vehicles[0]!.commands, [point, { name: 'brake', unit: '', doc: '' }]);
});

test('messages of the server', () => {
  assert.equal(readReply('nonsense'), null);
  assert.equal(readReply('{"type":"other"}'), null);
  const status = readReply(
    '{"type":"status","paused":true,"rate":2,"slots":[1,3],"driven":["page"]}',
  );
  assert.ok(status?.type === 'status');
  assert.deepEqual(
    [status.paused, status.rate, status.slots, status.driven],
    [true, 2, [1, 3], ['page']],
  );
  assert.deepEqual(status.logs, []);
  assert.deepEqual(status.warnings, []);
});

test('warnings of the run', () => {
  const warning = { time: 2.5, message: "'r' left the ground" };
  const status = readReply(JSON.stringify({ type: 'status', warnings: [warning, 7] }));
  assert.ok(status?.type === 'status');
  assert.deepEqual(status.warnings, [warning, { time: 0, message: '' }]);
});

test('logs of the world', () => {
  const log = { name: 'run', state: 'recording', session: 2, rows: 1, file: 'run-2.csv' };
  const status = readReply(JSON.stringify({ type: 'status', logs: [log, 7] }));
  assert.ok(status?.type === 'status');
  assert.deepEqual(status.logs[0], log);
  assert.deepEqual(status.logs[1], { name: '', state: '', session: 1, rows: 0, file: '' });
  assert.equal(describeLog(log), 'recording, 1 row in run-2.csv');
  assert.equal(describeLog({ ...log, rows: 0, file: '', state: 'waiting' }), 'waiting');
});
