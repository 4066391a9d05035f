// SPDX-License-Identifier: BSD-3-Clause
// Stands where it was set up and turns to keep the vehicle in the picture, as a camera beside a track.

import { Quaternion, Vector3 } from 'three';
import { clamp, ease, look, type Pose, type Rig, type Surroundings } from './rig.ts';

export class FixedRig implements Rig {
  readonly mode = 'fixed';
  private readonly place = new Vector3();
  private placed = false;
  private wide = 1;
  private readonly wanted = new Quaternion();

  enter(pose: Pose, around: Surroundings): void {
    const { subject } = around;
    this.place.copy(pose.position);
    // From above or from within there is nothing to track: stand beside the way instead.
    if (subject && (pose.ortho > 0 || pose.position.distanceTo(subject.position) < subject.size)) {
      const side = subject.yaw - 0.9;
      this.place.set(
        subject.position.x + Math.cos(side) * subject.size * 4,
        subject.position.y + Math.sin(side) * subject.size * 4,
        subject.position.z + subject.size * 0.9,
      );
      const ground = around.ground(this.place.x, this.place.y);
      if (this.place.z < ground + 1) this.place.z = ground + 1;
    }
    this.placed = false;
    this.wide = 1;
  }

  update(around: Surroundings, pose: Pose): void {
    pose.position.copy(this.place);
    const { subject } = around;
    if (subject) {
      look(this.place, subject.position, this.wanted);
      if (this.placed) pose.rotation.slerp(this.wanted, ease(around.seconds, 0.1));
      else pose.rotation.copy(this.wanted);
      pose.distance = this.place.distanceTo(subject.position);
    }
    this.placed = true;
    pose.fov = clamp(0.8 * this.wide, 0.03, 2);
    pose.ortho = 0;
  }

  turn(dx: number, dy: number): void {
    this.place.z += dy * 4;
    this.pan(dx * 0.3, 0);
  }

  pan(dx: number, dy: number): void {
    const ahead = new Vector3(0, 0, -1).applyQuaternion(this.wanted).setZ(0).normalize();
    const right = new Vector3(ahead.y, -ahead.x, 0);
    this.place.addScaledVector(right, -dx * 12).addScaledVector(ahead, dy * 12);
  }

  zoom(factor: number): void {
    this.wide = clamp(this.wide * factor, 0.04, 2.5);
  }
}
