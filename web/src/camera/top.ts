// SPDX-License-Identifier: BSD-3-Clause
// Straight down, north up, without perspective: the map.

import { Vector3 } from 'three';
import { clamp, ease, look, type Pose, type Rig, type Surroundings } from './rig.ts';

const NORTH = new Vector3(0, 1, 0);

export class TopRig implements Rig {
  readonly mode = 'top';
  follow = true;
  readonly center = new Vector3();
  half = 12; // of the picture's height [m]
  private at = 12;
  private readonly offset = new Vector3();

  enter(pose: Pose, around: Surroundings): void {
    this.half = this.at = clamp(pose.distance * Math.tan(pose.fov / 2), 1, 1e4);
    this.offset.set(0, 0, 0);
    if (!this.follow || !around.subject) {
      const ahead = new Vector3(0, 0, -1).applyQuaternion(pose.rotation);
      this.center.copy(pose.position).addScaledVector(ahead, pose.distance);
    }
  }

  update(around: Surroundings, pose: Pose): void {
    if (this.follow && around.subject) this.center.copy(around.subject.position).add(this.offset);
    this.at += (this.half - this.at) * ease(around.seconds, 0.07);
    const height = 300 + this.at;
    pose.position.set(this.center.x, this.center.y, this.center.z + height);
    look(
      pose.position,
      new Vector3(this.center.x, this.center.y, this.center.z),
      pose.rotation,
      NORTH,
    );
    pose.ortho = this.at;
    pose.distance = height;
  }

  turn(dx: number, dy: number): void {
    this.pan(dx / 5, dy / 5);
  }

  pan(dx: number, dy: number): void {
    const moved = this.follow ? this.offset : this.center;
    moved.x -= dx * 2 * this.half;
    moved.y += dy * 2 * this.half;
  }

  zoom(factor: number): void {
    this.half = clamp(this.half * factor, 0.3, 5e4);
  }
}
