// SPDX-License-Identifier: BSD-3-Clause
// What lasers hit, as points, and the swept area as a faint fan.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Points,
  Quaternion,
  Vector3,
} from 'three';
import { quaternionOf } from '../math/pose.ts';
import { VEHICLE, type Scan } from '../stream/frame.ts';
import type { Scene, Sensor } from '../stream/scene.ts';
import { roundPoints } from './points.ts';

const COLORS = ['#ff4d5e', '#35c2ff', '#8ee04f', '#ffb02e', '#d07bff', '#ff7ac0'];

export function laserColour(scene: Scene, sensor: number): string {
  const before = scene.sensors.slice(0, sensor).filter((s) => s.rays > 0).length;
  return COLORS[before % COLORS.length]!;
}

interface Beam {
  sensor: Sensor;
  points: Points;
  fan: Mesh;
  mount: Matrix4;
}

// Where a laser that keeps level scans, whatever the roll and pitch of what carries it.
export function levelled(pose: Matrix4): Matrix4 {
  const m = pose.elements;
  return new Matrix4().makeRotationZ(Math.atan2(m[1], m[0])).setPosition(m[12], m[13], m[14]);
}

function dynamic(count: number): BufferGeometry {
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(count * 3), 3));
  g.setDrawRange(0, 0);
  return g;
}

export class Lasers {
  readonly group = new Group();
  private readonly beams: (Beam | null)[];

  constructor(scene: Scene) {
    this.beams = scene.sensors.map((sensor, i) => {
      if (sensor.rays < 1) return null;
      const color = new Color(laserColour(scene, i));
      const points = new Points(
        dynamic(sensor.rays),
        roundPoints({ color, size: 4.5, toneMapped: false }),
      );
      const fan = new Mesh(
        dynamic(sensor.rays * 3),
        new MeshBasicMaterial({
          color,
          transparent: true,
          opacity: 0.04,
          side: DoubleSide,
          depthWrite: false,
          toneMapped: false,
        }),
      );
      points.frustumCulled = fan.frustumCulled = false;
      this.group.add(points, fan);
      const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = sensor.pose;
      const [qw, qx, qy, qz] = quaternionOf(roll, pitch, yaw);
      const mount = new Matrix4().compose(
        new Vector3(x, y, z),
        new Quaternion(qx, qy, qz, qw),
        new Vector3(1, 1, 1),
      );
      return { sensor, points, fan, mount };
    });
  }

  update(scans: Scan[], vehicles: Float32Array | null): void {
    for (const scan of scans) {
      const beam = this.beams[scan.sensor];
      if (beam) this.show(beam, scan.ranges, vehicles);
    }
  }

  private show(beam: Beam, ranges: Float32Array, vehicles: Float32Array | null): void {
    const place = beam.mount.clone();
    const at = beam.sensor.vehicle * VEHICLE;
    if (vehicles && at >= 0 && at + VEHICLE <= vehicles.length)
      place.premultiply(
        new Matrix4().compose(
          new Vector3().fromArray(vehicles, at),
          new Quaternion(vehicles[at + 4], vehicles[at + 5], vehicles[at + 6], vehicles[at + 3]),
          new Vector3(1, 1, 1),
        ),
      );
    const pose = beam.sensor.level ? levelled(place) : place;
    const origin = new Vector3().setFromMatrixPosition(pose);
    const hits = beam.points.geometry.getAttribute('position') as BufferAttribute;
    const area = beam.fan.geometry.getAttribute('position') as BufferAttribute;
    const count = Math.min(ranges.length, beam.sensor.rays);
    const { fov } = beam.sensor;
    const ray = new Vector3();
    const before = new Vector3();
    let [found, triangles, linked] = [0, 0, false];
    for (let i = 0; i < count; i++) {
      const range = ranges[i]!;
      if (!(range > 0)) {
        linked = false;
        continue;
      }
      const short = Math.max(0, 0.997 * range - 0.012); // in front of what it hits
      const angle = count > 1 ? -fov / 2 + (fov * i) / (count - 1) : 0;
      ray.set(short * Math.cos(angle), short * Math.sin(angle), 0).applyMatrix4(pose);
      hits.setXYZ(found++, ray.x, ray.y, ray.z);
      if (linked) {
        area.setXYZ(3 * triangles, origin.x, origin.y, origin.z);
        area.setXYZ(3 * triangles + 1, before.x, before.y, before.z);
        area.setXYZ(3 * triangles + 2, ray.x, ray.y, ray.z);
        triangles++;
      }
      before.copy(ray);
      linked = true;
    }
    beam.points.geometry.setDrawRange(0, found);
    beam.fan.geometry.setDrawRange(0, triangles * 3);
    hits.needsUpdate = true;
    area.needsUpdate = true;
  }

  clear(): void {
    for (const beam of this.beams) {
      beam?.points.geometry.setDrawRange(0, 0);
      beam?.fan.geometry.setDrawRange(0, 0);
    }
  }
}
