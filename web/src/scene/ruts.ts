// SPDX-License-Identifier: BSD-3-Clause
// Fine tiles of ground that wheels have changed. Where a tile stands the coarse ground is left out (a mask tells
// its shader where), so that nothing flickers; each vertex knows its depth below the untouched ground.

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  Group,
  Mesh,
  NearestFilter,
  RedFormat,
  Sphere,
  Vector3,
  type MeshLambertMaterial,
} from 'three';
import { fetchHeights } from '../stream/address.ts';
import type { Tile } from '../stream/frame.ts';
import { groundMaterial } from './ground_material.ts';
import type { Terrain } from './terrain.ts';

interface Patch {
  tile: Tile;
  mesh: Mesh<BufferGeometry>;
  reference: Float32Array | null; // heights without ruts
  asked: boolean;
}

const AT_ONCE = 3; // requests for reference heights under way
const SKIRT = 0.4; // [m]
const TRODDEN = 0.012; // change of height that no grass withstands [m]
const SHOULDER = 0.2; // how far beside a rut the ground looks disturbed [m]
const FULL_SPOIL = 0.025; // depth of a rut beside which it does fully [m]

// How freshly disturbed the ground looks beside ruts, 0 to 1: by the depth of the deepest place within a wheel's
// shoulder, and not in the rut itself. Along rows first, then along columns.
function spreadSpoil(tile: Tile, depth: ArrayLike<number>, out: { [k: number]: number }): void {
  const { side, cell } = tile;
  const reach = Math.max(1, Math.min(6, Math.round(SHOULDER / cell)));
  const rows = new Float32Array(side * side);
  const widest = (from: ArrayLike<number>, k: number, at: number, step: number): number => {
    let most = 0;
    for (let s = Math.max(-reach, -at); s <= Math.min(reach, side - 1 - at); s++)
      most = Math.max(most, from[k + s * step]! * (1 - Math.abs(s) / (reach + 1)));
    return most;
  };
  for (let k = 0; k < side * side; k++) rows[k] = widest(depth, k, k % side, 1);
  for (let k = 0; k < side * side; k++) {
    const beside = widest(rows, k, Math.floor(k / side), side);
    out[k] = Math.min(1, Math.max(0, beside - Math.max(0, depth[k]!)) / FULL_SPOIL);
  }
}

export class Ruts {
  readonly group = new Group();
  private readonly patches = new Map<string, Patch>();
  private readonly material: MeshLambertMaterial;
  private readonly indices = new Map<number, BufferAttribute>();
  private mask = { i0: 0, j0: 0, w: 0, h: 0, bits: new Uint8Array(0) };
  private waiting: Patch[] = [];
  private busy = 0;
  deepest = 0.05;

  constructor(
    private readonly terrain: Terrain,
    private readonly flat: boolean,
    private readonly changed: () => void,
  ) {
    this.material = groundMaterial(terrain.uniforms, true);
  }

  get count(): number {
    return this.patches.size;
  }

  clear(): void {
    for (const patch of this.patches.values()) {
      this.group.remove(patch.mesh);
      patch.mesh.geometry.dispose();
    }
    this.patches.clear();
    this.waiting = [];
    this.mask = { i0: 0, j0: 0, w: 0, h: 0, bits: new Uint8Array(0) };
    this.terrain.uniforms.uTileSpan.value = 0;
  }

  put(tile: Tile): void {
    const key = `${tile.column},${tile.row}`;
    let patch = this.patches.get(key);
    if (patch && patch.tile.side !== tile.side) {
      this.group.remove(patch.mesh);
      patch = undefined;
    }
    if (!patch) {
      patch = { tile, mesh: this.makeMesh(tile), reference: null, asked: false };
      this.patches.set(key, patch);
      this.group.add(patch.mesh);
      this.uncover(tile);
      if (!this.flat) this.waiting.push(patch);
    }
    patch.tile = tile;
    this.fill(patch);
    this.askReferences();
  }

  // Height on a tile, NaN where there is none.
  heightAt(x: number, y: number): number {
    const span = this.terrain.uniforms.uTileSpan.value;
    if (!(span > 0)) return NaN;
    const patch = this.patches.get(`${Math.floor(x / span)},${Math.floor(y / span)}`);
    if (!patch) return NaN;
    const { tile } = patch;
    const last = tile.side - 1;
    const i = Math.min(last, Math.max(0, Math.round(x / tile.cell - tile.column * last)));
    const j = Math.min(last, Math.max(0, Math.round(y / tile.cell - tile.row * last)));
    return tile.heights[j * tile.side + i] ?? NaN;
  }

  // True where wheels have pressed down or pushed up the ground.
  disturbedAt(x: number, y: number): boolean {
    const z = this.heightAt(x, y);
    return Number.isFinite(z) && Math.abs(this.terrain.heightAt(x, y) - z) > TRODDEN;
  }

  private makeMesh(tile: Tile): Mesh<BufferGeometry> {
    const count = tile.side * tile.side + 4 * (tile.side - 1);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(count * 3), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(count * 3), 3));
    geometry.setAttribute('depth', new BufferAttribute(new Float32Array(count), 1));
    geometry.setAttribute('spoil', new BufferAttribute(new Float32Array(count), 1));
    geometry.setIndex(this.index(tile.side));
    const span = (tile.side - 1) * tile.cell;
    const middle = new Vector3(
      (tile.column + 0.5) * span,
      (tile.row + 0.5) * span,
      tile.heights[0] ?? 0,
    );
    geometry.boundingSphere = new Sphere(middle, span * 1.2);
    const mesh = new Mesh(geometry, this.material);
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    return mesh;
  }

  private ring(side: number): number[] {
    const last = side - 1;
    const ring: number[] = [];
    for (let i = 0; i < last; i++) ring.push(i);
    for (let j = 0; j < last; j++) ring.push(j * side + last);
    for (let i = last; i > 0; i--) ring.push(last * side + i);
    for (let j = last; j > 0; j--) ring.push(j * side);
    return ring;
  }

  private index(side: number): BufferAttribute {
    const kept = this.indices.get(side);
    if (kept) return kept;
    const list: number[] = [];
    for (let j = 0; j + 1 < side; j++)
      for (let i = 0; i + 1 < side; i++) {
        const a = j * side + i;
        list.push(a, a + 1, a + side + 1, a, a + side + 1, a + side);
      }
    const ring = this.ring(side);
    ring.forEach((a, r) => {
      const next = (r + 1) % ring.length;
      const [a1, b, b1] = [side * side + r, ring[next]!, side * side + next];
      list.push(a, a1, b, b, a1, b1);
    });
    const made = new BufferAttribute(new Uint32Array(list), 1);
    this.indices.set(side, made);
    return made;
  }

  private fill(patch: Patch): void {
    const { tile, mesh } = patch;
    const { side, cell, heights } = tile;
    const position = mesh.geometry.getAttribute('position') as BufferAttribute;
    const normal = mesh.geometry.getAttribute('normal') as BufferAttribute;
    const depth = mesh.geometry.getAttribute('depth') as BufferAttribute;
    const spoil = mesh.geometry.getAttribute('spoil') as BufferAttribute;
    const [p, n, d] = [position.array, normal.array, depth.array];
    const [x0, y0] = [tile.column * (side - 1) * cell, tile.row * (side - 1) * cell];
    for (let j = 0; j < side; j++)
      for (let i = 0; i < side; i++) {
        const k = j * side + i;
        const z = heights[k]!;
        const [x, y] = [x0 + i * cell, y0 + j * cell];
        p[3 * k] = x;
        p[3 * k + 1] = y;
        p[3 * k + 2] = z;
        const [l, r] = [Math.max(0, i - 1), Math.min(side - 1, i + 1)];
        const [b, t] = [Math.max(0, j - 1), Math.min(side - 1, j + 1)];
        const sx = (heights[j * side + r]! - heights[j * side + l]!) / ((r - l) * cell);
        const sy = (heights[t * side + i]! - heights[b * side + i]!) / ((t - b) * cell);
        const norm = 1 / Math.hypot(sx, sy, 1);
        n[3 * k] = -sx * norm;
        n[3 * k + 1] = -sy * norm;
        n[3 * k + 2] = norm;
        const before = patch.reference?.[k] ?? this.terrain.heightAt(x, y);
        const down = Number.isFinite(before) ? before - z : 0;
        d[k] = down;
        if (down > this.deepest) this.deepest = down;
      }
    spreadSpoil(tile, d, spoil.array);
    this.ring(side).forEach((k, r) => {
      const s = side * side + r;
      for (let c = 0; c < 3; c++) {
        p[3 * s + c] = p[3 * k + c]!;
        n[3 * s + c] = n[3 * k + c]!;
      }
      p[3 * s + 2]! -= SKIRT;
      d[s] = d[k]!;
      spoil.array[s] = spoil.array[k]!;
    });
    position.needsUpdate = true;
    normal.needsUpdate = true;
    depth.needsUpdate = true;
    spoil.needsUpdate = true;
    this.terrain.uniforms.uRutScale.value = Math.max(0.03, 0.8 * this.deepest);
  }

  // Marks the tile in the mask, which grows as needed.
  private uncover(tile: Tile): void {
    this.terrain.uniforms.uTileSpan.value = (tile.side - 1) * tile.cell;
    const m = this.mask;
    const [i, j] = [tile.column, tile.row];
    if (i < m.i0 || j < m.j0 || i >= m.i0 + m.w || j >= m.j0 + m.h) this.growMask(i, j);
    this.mask.bits[(j - this.mask.j0) * this.mask.w + i - this.mask.i0] = 255;
    this.terrain.uniforms.uMask.value.needsUpdate = true;
  }

  private growMask(i: number, j: number): void {
    const m = this.mask;
    const margin = 8;
    const [left, low] = m.w ? [m.i0, m.j0] : [i, j];
    const [right, high] = m.w ? [m.i0 + m.w - 1, m.j0 + m.h - 1] : [i, j];
    const i0 = i < left ? i - margin : left;
    const j0 = j < low ? j - margin : low;
    const w = Math.max(right, i > right ? i + margin : i) - i0 + 1;
    const h = Math.max(high, j > high ? j + margin : j) - j0 + 1;
    const bits = new Uint8Array(w * h);
    for (let row = 0; row < m.h; row++)
      bits.set(m.bits.subarray(row * m.w, (row + 1) * m.w), (row + m.j0 - j0) * w + m.i0 - i0);
    this.mask = { i0, j0, w, h, bits };
    const texture = new DataTexture(bits, w, h, RedFormat);
    texture.magFilter = NearestFilter;
    texture.minFilter = NearestFilter;
    texture.unpackAlignment = 1;
    texture.needsUpdate = true;
    const { uMask, uMaskOrigin } = this.terrain.uniforms;
    uMask.value.dispose();
    uMask.value = texture;
    uMaskOrigin.value.set(i0, j0);
  }

  private askReferences(): void {
    while (this.busy < AT_ONCE) {
      const patch = this.waiting.shift();
      if (!patch) return;
      const { tile } = patch;
      const span = (tile.side - 1) * tile.cell;
      const [x0, y0] = [tile.column * span, tile.row * span];
      this.busy++;
      fetchHeights({ x0, y0, x1: x0 + span, y1: y0 + span, nx: tile.side, ny: tile.side })
        .then((heights) => {
          patch.reference = heights;
          this.fill(patch);
          this.changed();
        })
        .catch(() => undefined)
        .finally(() => {
          this.busy--;
          this.askReferences();
        });
    }
  }
}
