// SPDX-License-Identifier: BSD-3-Clause
// Arrows along the path of each vehicle, at intervals: its velocity, and the force of the ground on its wheels.

import { Group, Vector3 } from 'three';
import { VEHICLE, WHEEL, type Frame } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';
import { Arrows } from './tubes.ts';

const KEPT = 600; // arrows, of all vehicles

export type PathVector = 'velocity' | 'force';

interface Mark {
  x: number;
  y: number;
  z: number;
  time: number;
}

export class PathVectors {
  readonly group = new Group();
  private readonly arrows: Arrows;
  private readonly marks: (Mark | null)[];
  private next = 0;

  constructor(
    private readonly scene: Scene,
    private readonly sizes: number[],
    private readonly kind: PathVector,
    private readonly scale: number, // [m per m/s, or per N]
  ) {
    this.arrows = new Arrows(KEPT, kind === 'velocity' ? '#2ec4ff' : '#ff9f1c');
    this.group.add(this.arrows.group);
    this.marks = scene.vehicles.map(() => null);
  }

  update(frame: Frame): void {
    const { vehicles } = frame;
    if (!vehicles) return;
    let wheel = 0;
    let changed = false;
    this.scene.vehicles.forEach((vehicle, i) => {
      const at = i * VEHICLE;
      const first = wheel;
      wheel += vehicle.wheels.length;
      if (at + VEHICLE > vehicles.length) return;
      const [x, y, z] = [vehicles[at]!, vehicles[at + 1]!, vehicles[at + 2]!];
      const before = this.marks[i];
      const apart = before ? Math.hypot(x - before.x, y - before.y, z - before.z) : Infinity;
      if (apart < 0.7 * this.sizes[i]!) return;
      this.marks[i] = { x, y, z, time: frame.time };
      const passed = before ? frame.time - before.time : 0;
      if (!before || !(passed > 0) || apart > 6 * this.sizes[i]!) return;
      const along =
        this.kind === 'velocity'
          ? new Vector3(x - before.x, y - before.y, z - before.z).divideScalar(passed)
          : this.forceOn(frame.wheels, first, vehicle.wheels.length);
      const from = new Vector3(x, y, z + 0.15 * this.sizes[i]!);
      const slot = this.next++ % KEPT;
      this.arrows.set(slot, from, along.multiplyScalar(this.scale), 0.01 * this.sizes[i]!);
      changed = true;
    });
    if (changed) this.arrows.done();
  }

  private forceOn(wheels: Float32Array | null, first: number, count: number): Vector3 {
    const sum = new Vector3();
    for (let k = first; wheels && k < first + count; k++)
      if ((k + 1) * WHEEL <= wheels.length)
        sum.add(new Vector3().fromArray(wheels, k * WHEEL + 10));
    return sum;
  }

  clear(): void {
    this.marks.fill(null);
    for (let k = 0; k < KEPT; k++) this.arrows.set(k, new Vector3(), new Vector3(), 1);
    this.arrows.done();
    this.next = 0;
  }
}
