// SPDX-License-Identifier: BSD-3-Clause
// What cameras have in view: a pyramid from each, as it moves.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Quaternion,
  Vector3,
} from 'three';
import { quaternionOf } from '../math/pose.ts';
import { VEHICLE } from '../stream/frame.ts';
import type { Scene, Sensor } from '../stream/scene.ts';

const DEPTH = 3; // of the pyramid [m]
const WIDEST = 2.6; // wider lenses are drawn as if they were so wide [rad]

function matrixOf(at: ArrayLike<number>, w: number, x: number, y: number, z: number): Matrix4 {
  return new Matrix4().compose(
    new Vector3(at[0], at[1], at[2]),
    new Quaternion(x, y, z, w),
    new Vector3(1, 1, 1),
  );
}

function pyramid(sensor: Sensor): BufferGeometry {
  const half = Math.tan(Math.min(sensor.fov, WIDEST) / 2) * DEPTH;
  const high = (half * sensor.height) / Math.max(1, sensor.width);
  const corners = [
    [DEPTH, half, high],
    [DEPTH, -half, high],
    [DEPTH, -half, -high],
    [DEPTH, half, -high],
  ];
  const list: number[] = [];
  corners.forEach((corner, i) => {
    list.push(0, 0, 0, ...corner);
    list.push(...corner, ...corners[(i + 1) % 4]!);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(list), 3));
  return geometry;
}

export class Frusta {
  readonly group = new Group();
  private readonly parts: { lines: LineSegments; mount: Matrix4; vehicle: number }[] = [];

  constructor(scene: Scene) {
    for (const sensor of scene.sensors) {
      if (sensor.sample !== 'image') continue;
      const material = new LineBasicMaterial({ color: new Color('#ffe08a'), toneMapped: false });
      const lines = new LineSegments(pyramid(sensor), material);
      lines.frustumCulled = false;
      lines.matrixAutoUpdate = false;
      const [, , , roll = 0, pitch = 0, yaw = 0] = sensor.pose;
      const mount = matrixOf(sensor.pose, ...quaternionOf(roll, pitch, yaw));
      lines.matrix.copy(mount);
      this.parts.push({ lines, mount, vehicle: sensor.vehicle });
      this.group.add(lines);
    }
  }

  update(vehicles: Float32Array): void {
    for (const { lines, mount, vehicle } of this.parts) {
      const v = vehicles.subarray(vehicle * VEHICLE, (vehicle + 1) * VEHICLE);
      if (vehicle < 0 || v.length < VEHICLE) continue;
      lines.matrix.multiplyMatrices(matrixOf(v, v[3]!, v[4]!, v[5]!, v[6]!), mount);
    }
  }
}
