// SPDX-License-Identifier: BSD-3-Clause
// How much of the ground grass covers: by its soil, or, on ground without a soil, by the patches that its material draws.

import type { Color, DataTexture } from 'three';
import type { Area } from '../stream/address.ts';
import type { Soil } from '../stream/scene.ts';

const NO_SOIL = 255;

// Blue channel of the noise at a place in tiles, bilinear, -0.5 to 0.5.
function noiseAt(noise: DataTexture, u: number, v: number): number {
  const { data, width } = noise.image as { data: Uint8Array; width: number };
  const [x, y] = [u * width - 0.5, v * width - 0.5];
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const [p, q] = [x - i, y - j];
  const wrap = (k: number): number => ((k % width) + width) % width;
  const at = (a: number, b: number): number => data[4 * (wrap(b) * width + wrap(a)) + 2]!;
  const low = at(i, j) * (1 - p) + at(i + 1, j) * p;
  const high = at(i, j + 1) * (1 - p) + at(i + 1, j + 1) * p;
  return (low * (1 - q) + high * q) / 255 - 0.5;
}

// As in the material of the ground, without the smallest noise.
function patches(noise: DataTexture, x: number, y: number): number {
  const vast = noiseAt(noise, (0.28 * x - 0.96 * y) / 890, (0.96 * x + 0.28 * y) / 890);
  const large = noiseAt(noise, (0.6 * x + 0.8 * y) / 140, (0.6 * y - 0.8 * x) / 140);
  const small = noiseAt(noise, (0.8 * x - 0.6 * y) / 13, (0.6 * x + 0.8 * y) / 13);
  return 0.5 + 0.3 * (vast + large + small);
}

const smoothstep = (a: number, b: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - a) / (b - a)));
  return t * t * (3 - 2 * t);
};

export interface Cover {
  share: number; // 0 to 1
  color: Color | null; // null: that of grass in general
}

const BARE: Cover = { share: 0, color: null };
const ALL_GRASS = 0.9; // a soil that is covered so much has the colour of its grass

export class GrassShare {
  private soils: { area: Area; index: Uint8Array } | null = null;

  constructor(
    private readonly named: Soil[],
    private readonly colors: Color[],
    private readonly base: Cover | null, // of ground without a soil; null: in patches
    private readonly noise: DataTexture,
  ) {}

  setSoils(area: Area, index: Uint8Array): void {
    this.soils = { area, index };
  }

  // False where no grass grows anywhere.
  get any(): boolean {
    return this.base === null || this.base.share > 0 || this.named.some((s) => s.grass > 0);
  }

  at(x: number, y: number): Cover {
    const index = this.soilAt(x, y);
    const soil = this.named[index];
    if (soil)
      return { share: soil.grass, color: soil.grass >= ALL_GRASS ? this.colors[index]! : null };
    if (this.named.length && !this.soils) return BARE; // not known yet
    if (this.base) return this.base;
    return { share: smoothstep(0.4, 0.56, patches(this.noise, x, y)), color: null };
  }

  // That of the nearest known place.
  private soilAt(x: number, y: number): number {
    if (!this.soils) return NO_SOIL;
    const { x0, y0, x1, y1, nx, ny } = this.soils.area;
    const place = (at: number, from: number, to: number, n: number): number =>
      Math.min(n - 1, Math.max(0, Math.round(((at - from) / (to - from)) * (n - 1))));
    return this.soils.index[place(y, y0, y1, ny) * nx + place(x, x0, x1, nx)]!;
  }
}
