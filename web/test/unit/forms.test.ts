// SPDX-License-Identifier: BSD-3-Clause
// Where scenery is drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix4, Vector3 } from 'three';
import { placeMatrices } from '../../src/scene/forms.ts';
import { boundsOfThings } from '../../src/scene/things.ts';
import type { Frame } from '../../src/stream/frame.ts';
import { readScene } from '../../src/stream/scene.ts';

test('places of a form turn, enlarge and move its mesh', () => {
  const places = new Float32Array([9, 9, 9, 0, 1, 10, 20, 3, Math.PI / 2, 2, 0, 0, 0, 0, 1]);
  const matrices = placeMatrices(places, 1, 2);
  assert.equal(matrices.length, 32);
  // a point ahead and above: a quarter turn takes it to the left, twice as far
  const p = new Vector3(1, 0, 0.5).applyMatrix4(new Matrix4().fromArray(matrices));
  assert.ok(p.distanceTo(new Vector3(10, 22, 4)) < 1e-6, `${p.toArray()}`);
  const same = new Matrix4().fromArray(matrices, 16);
  assert.ok(same.equals(new Matrix4()), 'the last one stands at the origin');
});

test('scenes have scenery or none, and the first view shows it', () => {
  const head = { version: 1, extent: [-1, -1, 1, 1] };
  assert.equal(readScene(head).scenery, null);
  const scene = readScene({
    ...head,
    scenery: {
      places: 1,
      extent: [-30, -10, 10, 30],
      forms: [{ name: 'wood', type: 'tree', variant: 3, asset: 0, count: 40 }],
    },
  });
  assert.deepEqual(scene.scenery?.forms, [
    { name: 'wood', type: 'tree', variant: 3, asset: 0, count: 40 },
  ]);
  const { middle, span } = boundsOfThings(scene, { vehicles: null } as unknown as Frame);
  assert.deepEqual(middle, [-10, 10]);
  assert.ok(Math.abs(span - Math.hypot(40, 40)) < 1e-9);
});
