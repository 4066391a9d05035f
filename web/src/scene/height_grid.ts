// SPDX-License-Identifier: BSD-3-Clause
// A regular grid of heights, x fastest, and what is asked of it.

import type { Area } from '../stream/address.ts';

export class HeightGrid {
  readonly dx: number;
  readonly dy: number;
  readonly lowest: number;
  readonly highest: number;
  readonly holes: boolean;

  constructor(
    readonly area: Area,
    readonly heights: Float32Array,
  ) {
    this.dx = (area.x1 - area.x0) / (area.nx - 1);
    this.dy = (area.y1 - area.y0) / (area.ny - 1);
    let [low, high, holes] = [Infinity, -Infinity, false];
    for (const h of heights) {
      if (Number.isNaN(h)) holes = true;
      else {
        if (h < low) low = h;
        if (h > high) high = h;
      }
    }
    this.lowest = low === Infinity ? 0 : low;
    this.highest = high === -Infinity ? 0 : high;
    this.holes = holes;
  }

  // Bilinear; NaN off the grid.
  at(x: number, y: number): number {
    const { nx, ny, x0, y0 } = this.area;
    const u = (x - x0) / this.dx;
    const v = (y - y0) / this.dy;
    if (!(u >= 0 && v >= 0 && u <= nx - 1 && v <= ny - 1)) return NaN;
    const i = Math.min(nx - 2, Math.floor(u));
    const j = Math.min(ny - 2, Math.floor(v));
    const k = j * nx + i;
    const h = this.heights;
    const [p, q] = [u - i, v - j];
    const low = h[k]! * (1 - p) + h[k + 1]! * p;
    const high = h[k + nx]! * (1 - p) + h[k + nx + 1]! * p;
    return low * (1 - q) + high * q;
  }

  // True if there is ground beyond a side of an extent: 0 west, 1 south, 2 east, 3 north.
  reaches(extent: readonly number[], side: number): boolean {
    const { area, heights } = this;
    for (let k = 0; k < heights.length; k++) {
      const place =
        side % 2 === 0
          ? area.x0 + (k % area.nx) * this.dx
          : area.y0 + Math.floor(k / area.nx) * this.dy;
      const beyond = side < 2 ? place < extent[side]! : place > extent[side]!;
      if (beyond && !Number.isNaN(heights[k]!)) return true;
    }
    return false;
  }

  // Upward normal at a grid point, by central differences, into out at offset o.
  normal(i: number, j: number, out: Float32Array, o = 0): void {
    const { nx, ny } = this.area;
    const h = this.heights;
    const [il, ir] = [Math.max(0, i - 1), Math.min(nx - 1, i + 1)];
    const [jl, jr] = [Math.max(0, j - 1), Math.min(ny - 1, j + 1)];
    let sx = (h[j * nx + ir]! - h[j * nx + il]!) / ((ir - il) * this.dx);
    let sy = (h[jr * nx + i]! - h[jl * nx + i]!) / ((jr - jl) * this.dy);
    if (!Number.isFinite(sx)) sx = 0;
    if (!Number.isFinite(sy)) sy = 0;
    const norm = 1 / Math.hypot(sx, sy, 1);
    out[o] = -sx * norm;
    out[o + 1] = -sy * norm;
    out[o + 2] = norm;
  }

  // Share of the sky's light that a grid point lacks, from how far it lies below its surroundings: a hollow sees less of
  // the sky. Differences of heights over two distances stand in for the integral over the horizon.
  shade(i: number, j: number): number {
    return Math.min(0.4, Math.max(0, 0.55 * this.hollow(i, j, 3) + 0.9 * this.hollow(i, j, 12)));
  }

  // Mean slope up from a point to those so many cells away.
  private hollow(i: number, j: number, cells: number): number {
    const { nx, ny } = this.area;
    const h = this.heights;
    const [l, r] = [Math.max(0, i - cells), Math.min(nx - 1, i + cells)];
    const [b, t] = [Math.max(0, j - cells), Math.min(ny - 1, j + cells)];
    const around = h[j * nx + l]! + h[j * nx + r]! + h[b * nx + i]! + h[t * nx + i]!;
    const rise = around / 4 - h[j * nx + i]!;
    return Number.isFinite(rise) ? rise / (cells * Math.max(this.dx, this.dy)) : 0;
  }
}

// 1, 2 or 5 times a power of ten, so that about `wanted` steps make `span`.
export function roundStep(span: number, wanted: number): number {
  const raw = span / wanted;
  if (!(raw > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
