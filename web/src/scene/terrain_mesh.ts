// SPDX-License-Identifier: BSD-3-Clause
// Uneven ground as chunks of at most 128 x 128 cells, each drawn as coarsely as its distance allows. Skirts along
// the edges of chunks close the cracks between unequal neighbours.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Mesh,
  Sphere,
  Vector3,
  type Group,
  type Material,
} from 'three';
import type { HeightGrid } from './height_grid.ts';

const CELLS = 128;
const STRIDES = [1, 2, 4, 8, 16];
const CELLS_AWAY = 140; // distance in cells at which a cell is small enough to be doubled

function samples(cells: number, stride: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < cells; i += stride) list.push(i);
  list.push(cells);
  return list;
}

// Perimeter of a (w+1) x (h+1) grid in order, as indices into it; counter-clockwise from the lower left corner.
function perimeter(w: number, h: number, xs: number[], ys: number[]): number[] {
  const n = w + 1;
  const ring: number[] = [];
  for (const i of xs) ring.push(i);
  for (const j of ys.slice(1)) ring.push(j * n + w);
  for (const i of xs.toReversed().slice(1)) ring.push(h * n + i);
  for (const j of ys.toReversed().slice(1, -1)) ring.push(j * n);
  return ring;
}

class Indices {
  private cache = new Map<string, BufferAttribute>();

  get(
    w: number,
    h: number,
    stride: number,
    hole: ((k: number) => boolean) | null,
  ): BufferAttribute {
    const key = `${w} ${h} ${stride}`;
    const kept = hole ? undefined : this.cache.get(key);
    if (kept) return kept;
    const made = new BufferAttribute(this.make(w, h, stride, hole), 1);
    if (!hole) this.cache.set(key, made);
    return made;
  }

  private make(
    w: number,
    h: number,
    stride: number,
    hole: ((k: number) => boolean) | null,
  ): Uint16Array {
    const n = w + 1;
    const [xs, ys] = [samples(w, stride), samples(h, stride)];
    const out: number[] = [];
    const triangle = (a: number, b: number, c: number): void => {
      if (!hole || !(hole(a) || hole(b) || hole(c))) out.push(a, b, c);
    };
    for (let q = 0; q + 1 < ys.length; q++)
      for (let p = 0; p + 1 < xs.length; p++) {
        const a = ys[q]! * n + xs[p]!;
        const b = ys[q]! * n + xs[p + 1]!;
        const c = ys[q + 1]! * n + xs[p]!;
        const d = ys[q + 1]! * n + xs[p + 1]!;
        triangle(a, b, d);
        triangle(a, d, c);
      }
    const place = new Map(perimeter(w, h, samples(w, 1), samples(h, 1)).map((k, i) => [k, i]));
    const ring = perimeter(w, h, xs, ys);
    const skirt = n * (h + 1);
    ring.forEach((a, i) => {
      const b = ring[(i + 1) % ring.length]!;
      if (hole && (hole(a) || hole(b))) return;
      const [a1, b1] = [skirt + place.get(a)!, skirt + place.get(b)!];
      out.push(a, a1, b, b, a1, b1);
    });
    return new Uint16Array(out);
  }
}

interface Chunk {
  mesh: Mesh<BufferGeometry>;
  w: number;
  h: number;
  stride: number;
  center: Vector3;
  reach: number;
  hole: ((k: number) => boolean) | null;
}

export class TerrainMesh {
  private chunks: Chunk[] = [];
  private indices = new Indices();

  constructor(
    readonly grid: HeightGrid,
    material: Material,
    private readonly group: Group,
  ) {
    const { nx, ny } = grid.area;
    for (let j = 0; j < ny - 1; j += CELLS)
      for (let i = 0; i < nx - 1; i += CELLS) {
        const chunk = this.chunk(
          i,
          j,
          Math.min(CELLS, nx - 1 - i),
          Math.min(CELLS, ny - 1 - j),
          material,
        );
        this.chunks.push(chunk);
        group.add(chunk.mesh);
      }
  }

  private chunk(i0: number, j0: number, w: number, h: number, material: Material): Chunk {
    const { grid } = this;
    const { nx, x0, y0 } = grid.area;
    const ring = perimeter(w, h, samples(w, 1), samples(h, 1));
    const inner = (w + 1) * (h + 1);
    const position = new Float32Array((inner + ring.length) * 3);
    const normal = new Int16Array((inner + ring.length) * 4);
    const n3 = new Float32Array(3);
    const shade = new Uint8Array(inner + ring.length);
    const box = new Box3();
    const at = new Vector3();
    const drop = Math.max(grid.dx, grid.dy) * 6;
    let holes = false;
    const put = (k: number, i: number, j: number, down: number): void => {
      const z = grid.heights[(j0 + j) * nx + i0 + i]!;
      if (Number.isNaN(z)) holes = true;
      at.set(
        x0 + (i0 + i) * grid.dx,
        y0 + (j0 + j) * grid.dy,
        (Number.isNaN(z) ? grid.lowest : z) - down,
      );
      at.toArray(position, k * 3);
      box.expandByPoint(at);
      grid.normal(i0 + i, j0 + j, n3);
      for (let c = 0; c < 3; c++) normal[k * 4 + c] = Math.round(n3[c]! * 32767);
      shade[k] = 255 * grid.shade(i0 + i, j0 + j);
    };
    for (let j = 0; j <= h; j++) for (let i = 0; i <= w; i++) put(j * (w + 1) + i, i, j, 0);
    ring.forEach((k, r) => put(inner + r, k % (w + 1), Math.floor(k / (w + 1)), drop));
    const hole = holes
      ? (k: number): boolean => {
          const [i, j] = [k % (w + 1), Math.floor(k / (w + 1))];
          return Number.isNaN(grid.heights[(j0 + j) * nx + i0 + i]!);
        }
      : null;

    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('normal', new BufferAttribute(normal, 4, true));
    geometry.setAttribute('shade', new BufferAttribute(shade, 1, true));
    geometry.boundingSphere = box.getBoundingSphere(new Sphere());
    geometry.boundingBox = box;
    geometry.setIndex(this.indices.get(w, h, 1, hole));
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    const sphere = geometry.boundingSphere;
    return { mesh, w, h, stride: 1, center: sphere.center, reach: sphere.radius, hole };
  }

  // Chooses how coarse each chunk is for the nearest of the cameras.
  refine(eyes: Vector3[]): void {
    const cell = Math.max(this.grid.dx, this.grid.dy);
    for (const chunk of this.chunks) {
      let near = Infinity;
      for (const eye of eyes) near = Math.min(near, eye.distanceTo(chunk.center) - chunk.reach);
      let stride = 1;
      for (const s of STRIDES) if (near > s * cell * CELLS_AWAY) stride = s * 2;
      stride = Math.min(stride, STRIDES.at(-1)!);
      if (stride === chunk.stride) continue;
      chunk.stride = stride;
      chunk.mesh.geometry.setIndex(this.indices.get(chunk.w, chunk.h, stride, chunk.hole));
    }
  }

  dispose(): void {
    for (const chunk of this.chunks) {
      this.group.remove(chunk.mesh);
      chunk.mesh.geometry.dispose();
    }
  }
}
