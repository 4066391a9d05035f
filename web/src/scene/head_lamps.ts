// SPDX-License-Identifier: BSD-3-Clause
// Head lamps of vehicles at night in worlds without lamps of their own: one cone of light from the front of each, without shadows.

import { Group, Matrix4, SpotLight, Vector3 } from 'three';
import { VEHICLE } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';
import { poseAt } from './bodies.ts';
import type { Extent } from './vehicles.ts';

const MOST = 6; // each costs every pixel
const POWER = 260; // [cd]
const REACH = 70; // [m]
const ANGLE = 0.5; // half of the cone [rad]
const AHEAD = 12; // where the middle of the cone meets the ground [m]

interface Lamp {
  light: SpotLight;
  vehicle: number;
  place: Vector3;
}

export class HeadLamps {
  readonly group = new Group();
  private readonly lamps: Lamp[] = [];

  constructor(scene: Scene, extents: Extent[]) {
    scene.vehicles.forEach((v, vehicle) => {
      const e = extents[vehicle]!;
      if (v.ghost || v.controller === '' || this.lamps.length === MOST) return;
      const light = new SpotLight('#fff1d6', POWER, REACH, ANGLE, 0.7, 2);
      const place = new Vector3(e.front + 0.05, 0, e.bottom + 0.45 * (e.top - e.bottom));
      this.lamps.push({ light, vehicle, place });
      this.group.add(light, light.target);
    });
  }

  get count(): number {
    return this.lamps.length;
  }

  update(vehicles: Float32Array): void {
    const pose = new Matrix4();
    for (const { light, vehicle, place } of this.lamps) {
      if ((vehicle + 1) * VEHICLE > vehicles.length) continue;
      poseAt(vehicles, vehicle * VEHICLE, pose);
      light.position.copy(place).applyMatrix4(pose);
      light.target.position.set(place.x + AHEAD, 0, 0).applyMatrix4(pose);
      light.target.updateMatrixWorld();
    }
  }
}
