// SPDX-License-Identifier: BSD-3-Clause
// Where grass is drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Color, Vector3 } from 'three';
import { Grass, type Meadow } from '../../src/scene/grass.ts';
import { GrassShare } from '../../src/scene/grass_share.ts';
import { noiseTexture } from '../../src/scene/noise_texture.ts';

const PLAN = { height: 0.2, density: 18, reach: 60 };

function meadow(part: Partial<Meadow> = {}): Meadow {
  return {
    heightAt: () => 0,
    share: () => ({ share: 1, color: null }),
    bare: () => false,
    ...part,
  };
}

function placesOf(grass: Grass): [number, number][] {
  const { geometry } = grass.mesh;
  const at = geometry.getAttribute('place').array;
  return Array.from({ length: geometry.instanceCount }, (_, k) => [at[4 * k]!, at[4 * k + 1]!]);
}

function within(places: [number, number][], from: number, to: number): number {
  return places.filter(([x, y]) => Math.hypot(x, y) >= from && Math.hypot(x, y) < to).length;
}

test('near the eye grass has its density, and less of it stands far away', () => {
  const grass = new Grass(meadow(), PLAN);
  grass.update([new Vector3(0, 0, 1)]);
  const places = placesOf(grass);
  const disc = within(places, 0, 10);
  assert.ok(Math.abs(disc / (Math.PI * 100) - 18) < 1, `${disc} tufts within 10 m`);
  const ring = within(places, 40, 48) / (Math.PI * (48 * 48 - 40 * 40));
  // 18 (10 / 44)^1.6 = 1.7; a cell has the number of its nearest corner
  assert.ok(ring > 1.3 && ring < 2.8, `${ring} tufts on a square metre`);
});

test('a place has the same tufts whenever it is seen', () => {
  const grass = new Grass(meadow(), PLAN);
  grass.update([new Vector3(0, 0, 1)]);
  const before = placesOf(grass);
  grass.update([new Vector3(500, 0, 1)]);
  assert.equal(within(placesOf(grass), 0, 10), 0);
  grass.update([new Vector3(0, 0, 1)]);
  assert.deepEqual(placesOf(grass), before);
});

test('no grass stands on bare ground, on steep slopes, and where the ground ends', () => {
  const grass = new Grass(
    meadow({
      bare: (x) => x > 4,
      heightAt: (x, y) => (y > 6 ? NaN : x < -5 ? 0.7 * (-5 - x) : 0),
    }),
    PLAN,
  );
  grass.update([new Vector3(0, 0, 1)]);
  const places = placesOf(grass);
  assert.ok(places.length > 500);
  assert.ok(places.every(([x, y]) => x <= 4 && x > -5.5 && y <= 6));
});

test('what wheels press down loses its grass', () => {
  let pressed = false;
  const grass = new Grass(
    meadow({ bare: (x, y) => pressed && Math.abs(x) + Math.abs(y) < 2 }),
    PLAN,
  );
  const eye = [new Vector3(0, 0, 1)];
  grass.update(eye);
  assert.ok(within(placesOf(grass), 0, 1.4) > 50);
  pressed = true;
  grass.forget({ x: -2, y: -2, span: 4 });
  grass.update(eye);
  assert.equal(within(placesOf(grass), 0, 1.4), 0);
});

test('soils say how much grass they bear', () => {
  const soil = (name: string, grass: number) => ({
    name,
    type: '',
    color: '#336633',
    roughness: 1,
    grass,
  });
  const share = new GrassShare(
    [soil('asphalt', 0), soil('lawn', 1)],
    [new Color(), new Color()],
    null,
    noiseTexture(),
  );
  assert.equal(share.at(1, 0).share, 0); // not known yet
  share.setSoils({ x0: 0, y0: 0, x1: 10, y1: 10, nx: 2, ny: 2 }, new Uint8Array([0, 1, 0, 255]));
  assert.equal(share.at(1, 1).share, 0);
  assert.equal(share.at(9, 1).share, 1);
  // in patches where no soil is named
  const wild = new GrassShare([], [], null, noiseTexture());
  const seen = Array.from({ length: 400 }, (_, k) => wild.at(7 * k, 3 * k).share);
  assert.ok(seen.some((s) => s === 0) && seen.some((s) => s > 0.9));
  assert.ok(
    !new GrassShare([soil('ice', 0)], [new Color()], { share: 0, color: null }, noiseTexture()).any,
  );
});
