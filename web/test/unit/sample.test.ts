// SPDX-License-Identifier: BSD-3-Clause
// Samples of sensors, and places on earth.

import assert from 'node:assert/strict';
import test from 'node:test';
import { placeInWorld } from '../../src/math/earth.ts';
import { segmentsOf } from '../../src/scene/navigation.ts';
import { flowColour, largestFlow, normalColour } from '../../src/scene/vector_colours.ts';
import { decodeSample, isSample } from '../../src/stream/sample.ts';

function message(
  kind: number,
  width: number,
  height: number,
  layers: number,
  body: number,
): DataView {
  const view = new DataView(new ArrayBuffer(64 + body));
  view.setUint32(0, 0x53545552, true);
  view.setUint16(4, 1, true);
  view.setUint16(6, kind, true);
  view.setUint32(8, 5, true);
  view.setUint32(12, width, true);
  view.setFloat64(16, 1.25, true);
  [1, 2, 3, 1, 0, 0, 0].forEach((x, k) => view.setFloat32(24 + 4 * k, x, true));
  view.setUint32(52, height, true);
  view.setUint32(56, layers, true);
  return view;
}

test('points of a sample', () => {
  const view = message(1, 2, 0, 0, 32);
  [1, 2, 3, 0.5, 4, 5, 6, 0.25].forEach((x, k) => view.setFloat32(64 + 4 * k, x, true));
  const buffer = view.buffer as ArrayBuffer;
  assert.ok(isSample(buffer));
  const sample = decodeSample(buffer);
  assert.ok(sample.kind === 'points');
  assert.equal(sample.sensor, 5);
  assert.equal(sample.time, 1.25);
  assert.deepEqual([...sample.pose], [1, 2, 3, 1, 0, 0, 0]);
  assert.deepEqual([...sample.points], [1, 2, 3, 0.5, 4, 5, 6, 0.25]);
});

test('labels of points stand behind them', () => {
  // two points, then their classes and instances, each from a multiple of 8 bytes on
  const view = message(1, 2, 0, 4 + 8, 32 + 8 + 8);
  [3, 65535].forEach((x, k) => view.setUint16(96 + 2 * k, x, true));
  [11, 12].forEach((x, k) => view.setUint16(104 + 2 * k, x, true));
  const sample = decodeSample(view.buffer as ArrayBuffer);
  assert.ok(sample.kind === 'points');
  assert.equal(sample.points.length, 8);
  assert.deepEqual([...(sample.class ?? [])], [3, 65535]);
  assert.deepEqual([...(sample.instance ?? [])], [11, 12]);
  const cut = message(1, 2, 0, 4, 32 + 6);
  assert.throws(() => decodeSample(cut.buffer as ArrayBuffer), /cut/);
});

test('normals and flow behind the labels of an image', () => {
  const view = message(2, 1, 1, 8 + 16 + 32, 8 + 16 + 8);
  view.setUint16(64, 7, true);
  [0, 0, -1].forEach((x, k) => view.setFloat32(72 + 4 * k, x, true));
  [1.5, -2].forEach((x, k) => view.setFloat32(88 + 4 * k, x, true));
  const sample = decodeSample(view.buffer as ArrayBuffer);
  assert.ok(sample.kind === 'image');
  assert.deepEqual([...(sample.instance ?? [])], [7]);
  assert.deepEqual([...(sample.normal ?? [])], [0, 0, -1]);
  assert.deepEqual([...(sample.flow ?? [])], [1.5, -2]);
});

test('colours of normals and of flow', () => {
  // towards the camera, up, nothing: as in normal maps
  assert.deepEqual(normalColour(0, 0, -1), [128, 128, 255]);
  assert.deepEqual(normalColour(0, -1, 0), [128, 255, 128]);
  assert.deepEqual(normalColour(0, 0, 0), [0, 0, 0]);
  // Baker et al.: red to the right, paler when slower, white at rest; yellow is 15 of 54 steps around from there
  assert.deepEqual(flowColour(2, 0, 2), [255, 0, 0]);
  assert.deepEqual(flowColour(1, 0, 2), [255, 128, 128]);
  assert.deepEqual(flowColour(0, 0, 2), [255, 255, 255]);
  const turn = (2 * Math.PI * 15) / 54;
  assert.deepEqual(flowColour(Math.cos(turn), Math.sin(turn), 1), [255, 255, 0]);
  assert.deepEqual(flowColour(NaN, 0, 2), [0, 0, 0]);
  assert.equal(largestFlow(new Float32Array([3, 4, NaN, 0, 1, 1])), 5);
});

test('maps and paths of a vehicle', () => {
  const view = message(4, 3, 1, 0, 24 + 8);
  [-1.5, 2, 0.25].forEach((x, k) => view.setFloat64(64 + 8 * k, x, true));
  [0, 100, 255].forEach((x, k) => view.setUint8(88 + k, x));
  const map = decodeSample(view.buffer as ArrayBuffer);
  assert.ok(map.kind === 'map');
  assert.deepEqual([map.vehicle, map.width, map.height, map.resolution], [5, 3, 1, 0.25]);
  assert.deepEqual(map.origin, [-1.5, 2]);
  assert.deepEqual([...map.cells], [0, 100, 255]);
  // more cells than there are bytes, none at all, no side
  for (const [width, height, side] of [
    [9, 1, 0.25],
    [65535, 65535, 0.25],
    [0xffffffff, 0xffffffff, 0.25],
    [0, 1, 0.25],
    [3, 1, 0],
    [3, 1, NaN],
  ] as const) {
    view.setUint32(12, width, true);
    view.setUint32(52, height, true);
    view.setFloat64(80, side, true);
    assert.throws(() => decodeSample(view.buffer as ArrayBuffer), /cut|no extent/);
  }
  assert.throws(() => decodeSample(message(4, 1, 1, 0, 16).buffer as ArrayBuffer), /cut/);

  const two = message(5, 2, 0, 0, 24 + 24);
  [7, 8, NaN].forEach((x, k) => two.setFloat64(64 + 8 * k, x, true));
  [1, 2, 0, 3, 2, 0].forEach((x, k) => two.setFloat32(88 + 4 * k, x, true));
  const path = decodeSample(two.buffer as ArrayBuffer);
  assert.ok(path.kind === 'path');
  assert.deepEqual(path.goal, [7, 8, NaN]);
  assert.deepEqual([...path.poses], [1, 2, 0, 3, 2, 0]);
  two.setFloat64(64, NaN, true);
  const aimless = decodeSample(two.buffer as ArrayBuffer);
  assert.ok(aimless.kind === 'path' && aimless.goal === null);
  two.setUint32(12, 3, true);
  assert.throws(() => decodeSample(two.buffer as ArrayBuffer), /cut/);
});

test('pieces of a path are driven forward or in reverse', () => {
  // along x, back by as much, and no piece between equal places
  const poses = new Float32Array([0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, 0, 0]);
  assert.deepEqual(segmentsOf(poses), [
    { from: 0, reverse: false },
    { from: 3, reverse: true },
  ]);
  assert.deepEqual(segmentsOf(new Float32Array([1, 2, 3])), []);
});

test('layers of an image begin at multiples of 8 bytes', () => {
  const view = message(2, 3, 1, 1 + 4, 16 + 8);
  for (let k = 0; k < 9; k++) view.setUint8(64 + k, k + 1);
  [7, 65535, 9].forEach((x, k) => view.setUint16(80 + 2 * k, x, true));
  const sample = decodeSample(view.buffer as ArrayBuffer);
  assert.ok(sample.kind === 'image');
  assert.deepEqual([...(sample.colour ?? [])], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual([...(sample.class ?? [])], [7, 65535, 9]);
  assert.equal(sample.depth, null);
});

test('samples that are cut are refused', () => {
  assert.throws(() => decodeSample(message(1, 3, 0, 0, 32).buffer as ArrayBuffer), /cut/);
  assert.throws(() => decodeSample(message(2, 3, 3, 2, 16).buffer as ArrayBuffer), /cut/);
  assert.throws(() => decodeSample(message(3, 0, 0, 0, 8).buffer as ArrayBuffer), /unknown/);
});

test('places on earth: lengths of a degree of WGS 84', () => {
  const degree = Math.PI / 180;
  const equator = { latitude: 0, longitude: 0, height: 0, rotation: 0 };
  // 111.3195 m and 110.5743 m for a thousandth of a degree at the equator
  const [east] = placeInWorld(equator, 0, 0.001 * degree, 0);
  const [, north] = placeInWorld(equator, 0.001 * degree, 0, 0);
  assert.ok(Math.abs(east - 111.3195) < 1e-3, `${east}`);
  assert.ok(Math.abs(north - 110.5743) < 1e-3, `${north}`);
  // the world's x axis points north: y then points west
  const turned = { ...equator, rotation: Math.PI / 2 };
  const [x, y, z] = placeInWorld(turned, 0.001 * degree, 0.001 * degree, 20);
  assert.ok(Math.abs(x - 110.5743) < 1e-3 && Math.abs(y + 111.3195) < 1e-3, `${x} ${y}`);
  assert.ok(Math.abs(z - 20) < 0.01);
});
