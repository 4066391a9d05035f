// SPDX-License-Identifier: BSD-3-Clause
// Grass around the cameras: tufts at places that are the same whenever one comes back, fewer and larger with distance.
// It is only drawn: neither vehicles nor sensors know of it, and none stands on roads and where wheels have been.

import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshLambertMaterial,
  type Vector3,
} from 'three';
import { grassMaterial } from './grass_material.ts';

export interface Meadow {
  heightAt(x: number, y: number): number;
  share(x: number, y: number): { share: number; color: Color | null };
  bare(x: number, y: number): boolean; // sealed, or pressed by wheels
}

export interface GrassPlan {
  height: number; // of a tuft [m]
  density: number; // of tufts nearby, where grass covers all [1/m2]
  reach: number; // [m]
}

const CELL = 8; // [m]
const FULL = 10; // up to this distance all tufts are there [m]
const THIN = 1.6; // their number falls with this power of the distance
const MOVE = 1.5; // of a camera, before tufts are chosen anew [m]
const STEEP = 0.6; // slope on which none stands
const BLADES = 7;
const PLAIN = [new Color(0.08, 0.1, 0.03), new Color(0.21, 0.21, 0.08)] as const;
const FIELDS = 8; // of a tuft: x y z, rank, heading, size, colour as two numbers

function hash(x: number, y: number, seed: number): number {
  let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 2246822519)) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h = Math.imul(h ^ (h >>> 15), 2246822519);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

// Blades of unit height that lean outwards; z is up.
function tuft(): BufferGeometry {
  const at: number[] = [];
  const index: number[] = [];
  for (let k = 0; k < BLADES; k++) {
    const turn = (2 * Math.PI * (k + 0.6 * hash(k, 1, 7))) / BLADES;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const [foot, lean] = [0.3 * hash(k, 2, 7), 0.25 + 0.55 * hash(k, 3, 7)];
    const tall = 0.6 + 0.4 * hash(k, 4, 7);
    const point = (out: number, side: number, z: number): void => {
      at.push(c * out - s * side, s * out + c * side, z);
    };
    const first = at.length / 3;
    const half = 0.055;
    point(foot, -half, 0);
    point(foot, half, 0);
    point(foot + 0.35 * lean, -0.7 * half, 0.55 * tall);
    point(foot + 0.35 * lean, 0.7 * half, 0.55 * tall);
    point(foot + lean, 0, tall);
    for (const corner of [0, 1, 3, 0, 3, 2, 2, 3, 4]) index.push(first + corner);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(at, 3));
  geometry.setIndex(index);
  return geometry;
}

interface Cell {
  tufts: number[]; // fields one after another, in the order of their ranks
  tried: number; // places that were looked at
}

export class Grass {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshLambertMaterial>;
  private readonly cells = new Map<string, Cell>();
  private readonly places: InstancedBufferAttribute;
  private readonly looks: InstancedBufferAttribute;
  private readonly most: number;
  private eyes: Vector3[] = [];
  private stale = true;

  constructor(
    private readonly meadow: Meadow,
    private readonly plan: GrassPlan,
  ) {
    this.most = Math.ceil(plan.density * FULL * FULL * 45);
    const geometry = new InstancedBufferGeometry();
    const shape = tuft();
    geometry.setAttribute('position', shape.getAttribute('position'));
    const up = Array.from({ length: shape.getAttribute('position').count }, () => [0, 0, 1]).flat();
    geometry.setAttribute('normal', new Float32BufferAttribute(up, 3));
    geometry.setIndex(shape.index);
    this.places = new InstancedBufferAttribute(new Float32Array(4 * this.most), 4);
    this.looks = new InstancedBufferAttribute(new Float32Array(4 * this.most), 4);
    geometry.setAttribute('place', this.places);
    geometry.setAttribute('look', this.looks);
    geometry.instanceCount = 0;
    const material = grassMaterial({ full: FULL, thin: THIN, reach: plan.reach });
    material.side = DoubleSide;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.matrixAutoUpdate = false;
  }

  // The ground has changed, everywhere or within a square of the side `span`.
  forget(square?: { x: number; y: number; span: number }): void {
    this.stale = true;
    if (!square) {
      this.cells.clear();
      return;
    }
    const { x, y, span } = square;
    for (let j = Math.floor(y / CELL); j * CELL < y + span; j++)
      for (let i = Math.floor(x / CELL); i * CELL < x + span; i++) this.cells.delete(`${i},${j}`);
  }

  update(eyes: Vector3[]): void {
    const moved =
      eyes.length !== this.eyes.length || eyes.some((e, k) => e.distanceTo(this.eyes[k]!) > MOVE);
    if (!moved && !this.stale) return;
    this.eyes = eyes.map((e) => e.clone());
    this.stale = false;
    this.choose();
  }

  private choose(): void {
    let count = 0;
    for (const [key, away] of this.cellsInReach()) {
      const [i, j] = key.split(',').map(Number) as [number, number];
      const share = Math.min(1, (FULL / Math.max(FULL, away)) ** THIN);
      const { tufts } = this.cell(key, i, j, share);
      for (let k = 0; k < tufts.length && count < this.most && tufts[k + 3]! < share; k += FIELDS) {
        this.places.array.set(tufts.slice(k, k + 4), 4 * count);
        this.looks.array.set(tufts.slice(k + 4, k + 8), 4 * count);
        count++;
      }
    }
    this.mesh.geometry.instanceCount = count;
    this.places.needsUpdate = this.looks.needsUpdate = true;
  }

  // Cells near an eye, the nearest first, with their least distance.
  private cellsInReach(): [string, number][] {
    const near = new Map<string, number>();
    const { reach } = this.plan;
    for (const eye of this.eyes) {
      const above = eye.z - (this.meadow.heightAt(eye.x, eye.y) || 0);
      const [i0, j0] = [Math.floor((eye.x - reach) / CELL), Math.floor((eye.y - reach) / CELL)];
      const cells = Math.ceil((2 * reach) / CELL);
      for (let j = j0; j <= j0 + cells; j++)
        for (let i = i0; i <= i0 + cells; i++) {
          const dx = Math.max(0, i * CELL - eye.x, eye.x - (i + 1) * CELL);
          const dy = Math.max(0, j * CELL - eye.y, eye.y - (j + 1) * CELL);
          const away = Math.hypot(dx, dy, above);
          const key = `${i},${j}`;
          if (away < reach) near.set(key, Math.min(away, near.get(key) ?? Infinity));
        }
    }
    return [...near].sort((a, b) => a[1] - b[1]);
  }

  // A cell with its tufts up to a rank.
  private cell(key: string, i: number, j: number, rank: number): Cell {
    const kept = this.cells.get(key) ?? { tufts: [], tried: 0 };
    this.cells.set(key, kept);
    const all = Math.ceil(this.plan.density * CELL * CELL);
    for (; kept.tried < rank * all; kept.tried++) {
      const seed = 3 * kept.tried;
      const x = (i + hash(i, j, seed)) * CELL;
      const y = (j + hash(i, j, seed + 1)) * CELL;
      this.plant(kept, x, y, kept.tried / all, hash(i, j, seed + 2));
    }
    return kept;
  }

  private plant(cell: Cell, x: number, y: number, rank: number, chance: number): void {
    const { meadow } = this;
    const { share, color } = meadow.share(x, y);
    const luck = (chance * 7919) % 1;
    if (!(luck < share) || meadow.bare(x, y)) return;
    const z = meadow.heightAt(x, y);
    const slope =
      Math.hypot(meadow.heightAt(x + 0.4, y) - z, meadow.heightAt(x, y + 0.4) - z) / 0.4;
    if (!(slope < STEEP)) return;
    const size = this.plan.height * (0.55 + 0.6 * chance) * (0.6 + 0.4 * share);
    const dry = (chance * 104729) % 1;
    const tint = color
      ? color.clone().multiplyScalar(0.8 + 0.7 * dry)
      : PLAIN[0].clone().lerp(PLAIN[1], dry);
    // red and green in one number, blue in the other
    cell.tufts.push(x, y, z, rank, 6.283 * chance, size);
    cell.tufts.push(Math.floor(255 * tint.r) + Math.min(0.999, tint.g), tint.b);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
