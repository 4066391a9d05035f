// SPDX-License-Identifier: BSD-3-Clause
// Ground beyond the edges of a map: it leaves them at their heights and becomes gentle hills on the way to the horizon.
// Nothing of it is simulated.

import { BufferAttribute, BufferGeometry } from 'three';
import type { HeightGrid } from './height_grid.ts';

const MOST = 96; // points along a side
const RINGS = 14;

// Places along one side of a grid: 0 at the first column or row, counted in cells.
function ticks(count: number): number[] {
  const step = Math.max(1, Math.ceil((count - 1) / MOST));
  const list: number[] = [];
  for (let i = 0; i < count - 1; i += step) list.push(i);
  list.push(count - 1);
  return list;
}

// The edge as columns and rows, counter-clockwise.
function edgeOf(nx: number, ny: number): [number, number][] {
  const [xs, ys] = [ticks(nx), ticks(ny)];
  return [
    ...xs.slice(0, -1).map((i): [number, number] => [i, 0]),
    ...ys.slice(0, -1).map((j): [number, number] => [nx - 1, j]),
    ...xs
      .slice(1)
      .toReversed()
      .map((i): [number, number] => [i, ny - 1]),
    ...ys
      .slice(1)
      .toReversed()
      .map((j): [number, number] => [0, j]),
  ];
}

// Lowest height near a place of the edge, so that the coarser skirt stays below the ground.
function lowNear(grid: HeightGrid, i: number, j: number, reach: number): number {
  const { nx, ny } = grid.area;
  let low = Infinity;
  const along = j === 0 || j === ny - 1;
  for (let k = -reach; k <= reach; k++) {
    const [u, v] = along ? [i + k, j] : [i, j + k];
    if (u < 0 || v < 0 || u >= nx || v >= ny) continue;
    const h = grid.heights[v * nx + u]!;
    if (h < low) low = h;
  }
  return low;
}

function hills(x: number, y: number, length: number): number {
  const [u, v] = [x / length, y / length];
  return (
    0.5 * Math.sin(1.7 * u + 0.6 * Math.sin(1.3 * v)) +
    0.35 * Math.sin(2.9 * v + 1.1 * Math.sin(0.9 * u)) +
    0.15 * Math.sin(6.1 * u - 4.3 * v)
  );
}

export function skirtOf(grid: HeightGrid, beyond: number): BufferGeometry {
  const { nx, ny, x0, y0 } = grid.area;
  const edge = edgeOf(nx, ny);
  const size = Math.max(grid.area.x1 - x0, grid.area.y1 - y0);
  const cell = Math.max(grid.dx, grid.dy);
  const relief = grid.highest - grid.lowest;
  const reach = Math.ceil((Math.max(nx, ny) - 1) / MOST);
  const low = edge.map(([i, j]) => lowNear(grid, i, j, reach));
  const known = low.filter(Number.isFinite);
  const mean = known.length ? known.reduce((a, b) => a + b, 0) / known.length : grid.lowest;
  const n = edge.length;
  const position = new Float32Array(n * (RINGS + 1) * 3);
  for (let ring = 0; ring <= RINGS; ring++) {
    // the first one just inside the map, the others farther and farther out
    const out = ring === 0 ? -cell : beyond * ((ring - 1) / (RINGS - 1)) ** 3;
    edge.forEach(([i, j], k) => {
      const [u, v] = [i / (nx - 1), j / (ny - 1)];
      const x = x0 + i * grid.dx + (2 * u - 1) * out;
      const y = y0 + j * grid.dy + (2 * v - 1) * out;
      const keep = Math.exp(-Math.max(0, out) / (0.25 * size + 5));
      const rolling =
        (1 - keep) * (0.35 * relief + 0.012 * Math.max(0, out)) * hills(x, y, 0.4 * size + 60);
      const from = Number.isFinite(low[k]!) ? low[k]! : mean;
      position.set([x, y, mean + (from - mean) * keep + rolling - 0.01 * cell], 3 * (ring * n + k));
    });
  }
  const index: number[] = [];
  for (let ring = 0; ring < RINGS; ring++)
    for (let k = 0; k < n; k++) {
      const [a, b] = [ring * n + k, ring * n + ((k + 1) % n)];
      index.push(a, a + n, b, b, a + n, b + n);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('shade', new BufferAttribute(new Float32Array(n * (RINGS + 1)), 1));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}
