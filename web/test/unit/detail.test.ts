// SPDX-License-Identifier: BSD-3-Clause
// Detail of scenery.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferAttribute, BufferGeometry, PerspectiveCamera, Vector3 } from 'three';
import { coarseOf, Detail, Sight } from '../../src/scene/detail.ts';

// Squares of side 1 along x, 3 apart, each two triangles.
function leaves(n: number): BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < n; i++) {
    const x = 3 * i;
    position.push(x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0);
    index.push(...[0, 1, 2, 0, 2, 3].map((k) => 4 * i + k));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(index);
  return geometry;
}

function areaOf(geometry: BufferGeometry): number {
  const p = geometry.attributes['position'] as BufferAttribute;
  const index = geometry.index!.array;
  let area = 0;
  for (let t = 0; t < index.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(p, index[t + k]!));
    area += 0.5 * b!.sub(a!).cross(c!.sub(a!)).length();
  }
  return area;
}

test('coarse leaves are fewer and cover as much', () => {
  const fine = leaves(80);
  const coarse = coarseOf(fine)!;
  assert.equal(coarse.index!.count, fine.index!.count / 4);
  assert.ok(Math.abs(areaOf(coarse) - areaOf(fine)) < 1e-4);
  assert.equal(areaOf(fine), 80, 'the fine ones stay as they are');
});

test('a tuft of few leaves has no coarse mesh', () => {
  assert.equal(coarseOf(leaves(12)), null);
});

test('what has no leaves has no coarse mesh', () => {
  const plate = leaves(80);
  // all hang together at one point
  plate.setIndex([...plate.index!.array].map((i) => (i % 4 === 0 ? 0 : i)));
  assert.equal(coarseOf(plate), null);
});

test('detail follows from place and size on the screen', () => {
  const camera = new PerspectiveCamera(90, 1, 0.1, 5000); // looks along -z: tan 45 deg = 1
  camera.updateMatrixWorld();
  const sight = new Sight(camera, 600); // 300 pixels for 45 deg
  assert.equal(sight.of(0, 0, -4, 1), Detail.full); // 75 pixels
  assert.equal(sight.of(0, 0, -20, 1), Detail.coarse); // 15
  assert.equal(sight.of(0, 0, -590, 1), Detail.coarse); // 0.508
  assert.equal(sight.of(0, 0, -610, 1), Detail.none); // 0.492
  assert.equal(sight.of(0, 0, 30, 1), Detail.none, 'behind the camera');
  assert.equal(sight.of(0, 0, 10, 1), Detail.full, 'its shadow may be seen');
});
