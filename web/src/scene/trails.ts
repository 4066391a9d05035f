// SPDX-License-Identifier: BSD-3-Clause
// The path of each vehicle as a line on the ground.

import { Color } from 'three';
import { VEHICLE } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';
import { LineRing } from './lines.ts';

const SEGMENTS = 40000;

export class Trails {
  readonly ring = new LineRing(SEGMENTS, 2.5, 0.85);
  private readonly last: (number[] | null)[];
  private readonly colors: Color[];
  private readonly steps: number[];

  constructor(
    scene: Scene,
    sizes: number[],
    private readonly ground: (x: number, y: number) => number,
  ) {
    this.last = scene.vehicles.map(() => null);
    this.colors = scene.vehicles.map((v) =>
      new Color(v.color).lerp(new Color('#ffffff'), v.ghost ? 0.5 : 0.18),
    );
    this.steps = sizes.map((s) => Math.max(0.03, Math.min(0.5, s * 0.08)));
  }

  update(vehicles: Float32Array): void {
    this.last.forEach((before, i) => {
      const at = i * VEHICLE;
      if (at + VEHICLE > vehicles.length) return;
      const [x, y, z] = [vehicles[at]!, vehicles[at + 1]!, vehicles[at + 2]!];
      const step = this.steps[i]!;
      if (before && Math.hypot(x - before[0]!, y - before[1]!, z - before[3]!) < step) return;
      const ground = this.ground(x, y);
      const low = Number.isFinite(ground) && Math.abs(z - ground) < 1.5 ? ground : z;
      const here = [x, y, low + 0.04, z];
      this.last[i] = here;
      // Frames may be missing where a browser was slow; a chord through the scene would be no path.
      const far = before ? Math.hypot(x - before[0]!, y - before[1]!) : 0;
      if (before && far < Math.max(2, 12 * step))
        this.ring.add(before.slice(0, 3), here.slice(0, 3), this.colors[i]!);
    });
  }

  clear(): void {
    this.ring.clear();
    this.last.fill(null);
  }
}
