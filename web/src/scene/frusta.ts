// SPDX-License-Identifier: BSD-3-Clause
// What sensors have in view, as they move: a pyramid from each camera; of lidars, radars and range finders a sector
// between their lowest and highest elevations, of lasers a flat one.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { quaternionOf } from '../math/pose.ts';
import { sectorOf } from '../math/sector.ts';
import { VEHICLE } from '../stream/frame.ts';
import type { Scene, Sensor } from '../stream/scene.ts';
import { poseAt } from './bodies.ts';
import { levelled } from './laser.ts';

const DEPTH = 3; // of what is drawn of it, at most [m]
const WIDEST = 2.6; // wider lenses are drawn as if they were so wide [rad]
const COLOURS = { camera: '#ffe08a', beams: '#7fd4ff' };

interface Outline {
  lines: Float32Array; // segments
  faces: Float32Array; // triangles
}

function pyramid(sensor: Sensor): Outline {
  const half = Math.tan(Math.min(sensor.fov, WIDEST) / 2) * DEPTH;
  const high = (half * sensor.height) / Math.max(1, sensor.width);
  const corners = [
    [DEPTH, half, high],
    [DEPTH, -half, high],
    [DEPTH, -half, -high],
    [DEPTH, half, -high],
  ];
  const lines: number[] = [];
  const faces: number[] = [];
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % 4]!;
    lines.push(0, 0, 0, ...corner, ...corner, ...next);
    faces.push(0, 0, 0, ...corner, ...next);
  });
  return { lines: new Float32Array(lines), faces: new Float32Array(faces) };
}

function hasBeams(sensor: Sensor): boolean {
  return sensor.rays > 1 || sensor.elevation[1] > sensor.elevation[0];
}

function withPositions(numbers: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(numbers, 3));
  return geometry;
}

interface Part {
  sensor: Sensor;
  group: Group;
  mount: Matrix4;
}

export class Frusta {
  readonly group = new Group();
  private readonly parts: Part[] = [];

  constructor(scene: Scene) {
    for (const sensor of scene.sensors) {
      const image = sensor.sample === 'image';
      if (!image && !hasBeams(sensor)) continue;
      const { lines, faces } = image
        ? pyramid(sensor)
        : sectorOf(sensor.fov, sensor.elevation, Math.min(DEPTH, sensor.range));
      const color = new Color(image ? COLOURS.camera : COLOURS.beams);
      const edges = new LineBasicMaterial({ color, toneMapped: false });
      const sides = new MeshBasicMaterial({
        color,
        toneMapped: false,
        transparent: true,
        opacity: 0.09,
        side: DoubleSide,
        depthWrite: false,
      });
      const own = new Group();
      own.add(new LineSegments(withPositions(lines), edges), new Mesh(withPositions(faces), sides));
      for (const part of own.children) part.frustumCulled = false;
      own.matrixAutoUpdate = false;
      const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = sensor.pose;
      const [qw, qx, qy, qz] = quaternionOf(roll, pitch, yaw);
      const mount = new Matrix4().compose(
        new Vector3(x, y, z),
        new Quaternion(qx, qy, qz, qw),
        new Vector3(1, 1, 1),
      );
      own.matrix.copy(mount);
      this.parts.push({ sensor, group: own, mount });
      this.group.add(own);
    }
  }

  update(vehicles: Float32Array): void {
    for (const { sensor, group, mount } of this.parts) {
      const at = sensor.vehicle * VEHICLE;
      if (at < 0 || at + VEHICLE > vehicles.length) continue;
      const pose = poseAt(vehicles, at, new Matrix4()).multiply(mount);
      group.matrix.copy(sensor.rays > 1 && sensor.level ? levelled(pose) : pose);
    }
  }
}
