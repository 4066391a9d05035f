// SPDX-License-Identifier: BSD-3-Clause
// One tile of noise that repeats without a seam, for the ground and the sky: slopes in red and green, heights in blue,
// separate grains in alpha. Its mipmaps average to the middle, so that detail fades with distance by itself.

import {
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  RGBAFormat,
} from 'three';

const SIDE = 256;
const OCTAVES = 6;
const COARSEST = 4; // cells of the first octave along a side

// Uniform in [0, 1), the same everywhere: pictures are compared.
function hash(x: number, y: number, seed: number): number {
  let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 2246822519)) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function smooth(t: number): number {
  return t * t * t * (t * (6 * t - 15) + 10);
}

// Value noise with so many cells along a side.
function octave(cells: number, seed: number, out: Float32Array, weight: number): void {
  const lattice = new Float32Array(cells * cells);
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) lattice[j * cells + i] = hash(i, j, seed) - 0.5;
  for (let y = 0; y < SIDE; y++) {
    const v = (y * cells) / SIDE;
    const j = Math.floor(v);
    const q = smooth(v - j);
    const [row, next] = [j * cells, ((j + 1) % cells) * cells];
    for (let x = 0; x < SIDE; x++) {
      const u = (x * cells) / SIDE;
      const i = Math.floor(u);
      const p = smooth(u - i);
      const right = (i + 1) % cells;
      const low = lattice[row + i]! * (1 - p) + lattice[row + right]! * p;
      const high = lattice[next + i]! * (1 - p) + lattice[next + right]! * p;
      out[y * SIDE + x]! += weight * (low * (1 - q) + high * q);
    }
  }
}

// To bytes around 127.5, three standard deviations wide.
function bytes(values: Float32Array): Uint8Array {
  let [sum, squares] = [0, 0];
  for (const v of values) {
    sum += v;
    squares += v * v;
  }
  const mean = sum / values.length;
  const scale = 127.5 / (3 * Math.sqrt(Math.max(1e-12, squares / values.length - mean * mean)));
  return Uint8Array.from(values, (v) =>
    Math.max(0, Math.min(255, Math.round(127.5 + (v - mean) * scale))),
  );
}

export function noiseTexture(): DataTexture {
  const height = new Float32Array(SIDE * SIDE);
  for (let k = 0; k < OCTAVES; k++) octave(COARSEST << k, k + 1, height, 0.62 ** k);
  const slopeX = new Float32Array(SIDE * SIDE);
  const slopeY = new Float32Array(SIDE * SIDE);
  const at = (x: number, y: number): number =>
    height[((y + SIDE) % SIDE) * SIDE + ((x + SIDE) % SIDE)]!;
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      slopeX[y * SIDE + x] = at(x + 1, y) - at(x - 1, y);
      slopeY[y * SIDE + x] = at(x, y + 1) - at(x, y - 1);
    }
  const grain = new Float32Array(SIDE * SIDE);
  octave(64, 91, grain, 1);
  octave(128, 92, grain, 0.5);
  const [r, g, b, a] = [slopeX, slopeY, height, grain].map(bytes) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const rgba = new Uint8Array(SIDE * SIDE * 4);
  for (let k = 0; k < SIDE * SIDE; k++) rgba.set([r[k]!, g[k]!, b[k]!, a[k]!], 4 * k);
  const texture = new DataTexture(rgba, SIDE, SIDE, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
