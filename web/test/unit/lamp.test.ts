// SPDX-License-Identifier: BSD-3-Clause
// Light of lamps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beamImage, intensityTowards, lightPerLux, outshines } from '../../src/math/lamp.ts';
import { readScene, type Lamp } from '../../src/stream/scene.ts';

const lamp = (members: object = {}): Lamp =>
  readScene({ version: 1, lamps: [{ intensity: 1000, ...members }] }).lamps[0]!;

const near = (a: number, b: number, most = 1e-9): void =>
  assert.ok(Math.abs(a - b) <= most, `${a}, not ${b}`);

const direction = (across: number, up: number): [number, number, number] => [
  Math.cos(up) * Math.cos(across),
  Math.cos(up) * Math.sin(across),
  Math.sin(up),
];

test('a lamp has a beam, stray light, a cut-off and a cone', () => {
  const head = lamp({ stray: 40, spread: [0.2, 0.05], cutoff: 0.02, cone: 1 });
  near(intensityTowards(head, 1, 0, 0), 1040);
  // exp(-1/2) = 0.60653, exp(-2) = 0.13534
  near(intensityTowards(head, ...direction(0.2, 0)), 40 + 606.53, 0.01);
  near(intensityTowards(head, ...direction(0, -0.1)), 40 + 135.34, 0.01);
  near(intensityTowards(head, ...direction(0, 0.03)), 40);
  assert.equal(intensityTowards(head, ...direction(1.01, 0)), 0);
  assert.equal(intensityTowards(lamp(), -1, 0, 0), 1000);
});

test('the picture of a beam is right side up, and left is left of its middle', () => {
  const side = 64;
  const image = beamImage(lamp({ stray: 250, cutoff: 0, cone: 0.7 }), 0.7, side);
  const at = (row: number, column: number): number => image[row * side + column]!;
  near(at(10, 32), 1);
  near(at(40, 32), 0.2, 1e-6);
  // the corners are beyond the cone
  assert.equal(at(0, 0), 0);
  const narrow = beamImage(lamp({ spread: [0.3, 0.1], cone: 0.7 }), 0.7, side);
  assert.ok(narrow[32 * side + 44]! > 3 * narrow[44 * side + 32]!);
});

test('by day the light of lamps is that of the sun, at night what cameras show', () => {
  // 5 in the picture for 100 klx
  near(lightPerLux(5, 1e5), 5e-5);
  // white is a light of pi, which a camera of the exposure 4000 has at 25 lx
  near(lightPerLux(0.8, 0.25), Math.PI / 25);
  near(lightPerLux(0.8, 0), Math.PI / 25);
  assert.equal(outshines(lamp({ intensity: 15000 }), 1e5), false);
  assert.equal(outshines(lamp({ intensity: 15000 }), 400), true);
});

test('lamps that the scene does not describe shine to all sides; those without light are none', () => {
  const { reach, cone, vehicle, spread } = lamp();
  near(reach, Math.sqrt(1000 / 0.05));
  near(cone, Math.PI);
  assert.deepEqual([vehicle, spread], [-1, [0, 0]]);
  assert.deepEqual(readScene({ version: 1, lamps: [{ intensity: 0 }, {}] }).lamps, []);
});
