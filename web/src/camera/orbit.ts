// SPDX-License-Identifier: BSD-3-Clause
// Turns around a point: that of the vehicle while it is followed, else one that panning moves.

import { Vector3 } from 'three';
import {
  aboveGround,
  aroundTarget,
  clamp,
  ease,
  fromTarget,
  look,
  type Pose,
  type Rig,
  type Surroundings,
} from './rig.ts';

export class OrbitRig implements Rig {
  readonly mode = 'orbit';
  readonly target = new Vector3();
  azimuth = -2.2;
  elevation = 0.45;
  distance = 20;
  follow = true;
  ortho = false;
  private readonly offset = new Vector3();
  private at = { azimuth: -2.2, elevation: 0.45, distance: 20 }; // eased
  private last: Surroundings | null = null;
  private settled = false;

  enter(pose: Pose, around: Surroundings): void {
    const ahead = new Vector3(0, 0, -1).applyQuaternion(pose.rotation);
    if (this.follow && around.subject) this.target.copy(around.subject.position);
    else this.target.copy(pose.position).addScaledVector(ahead, clamp(pose.distance, 1, 500));
    const least = around.subject ? around.subject.size * 1.2 : 1;
    const here = aroundTarget(pose.position, this.target);
    this.azimuth = here.azimuth;
    this.elevation = clamp(here.elevation, 0.12, 1.45);
    this.distance = clamp(here.distance, least, 400);
    this.offset.set(0, 0, 0);
    this.settled = false;
  }

  // Jumps there instead of easing.
  settle(): void {
    this.settled = false;
  }

  update(around: Surroundings, pose: Pose): void {
    this.last = around;
    const { subject } = around;
    if (this.follow && subject) {
      const wanted = subject.position.clone().add(this.offset);
      wanted.z += subject.top * 0.4;
      if (this.settled) this.target.lerp(wanted, ease(around.seconds, 0.06));
      else this.target.copy(wanted);
    }
    const share = this.settled ? ease(around.seconds, 0.07) : 1;
    this.at.azimuth += (this.azimuth - this.at.azimuth) * share;
    this.at.elevation += (this.elevation - this.at.elevation) * share;
    this.at.distance += (this.distance - this.at.distance) * share;
    this.settled = true;
    fromTarget(this.target, this.at.azimuth, this.at.elevation, this.at.distance, pose.position);
    if (!this.ortho) aboveGround(around, pose.position, 0.25);
    look(pose.position, this.target, pose.rotation);
    pose.ortho = this.ortho ? this.at.distance * Math.tan(pose.fov / 2) : 0;
    pose.distance = this.at.distance;
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = clamp(this.elevation + dy, -0.2, 1.55);
  }

  pan(dx: number, dy: number): void {
    const reach = 2 * this.distance * Math.tan(0.45);
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const x = reach * (dx * s - dy * c);
    const y = reach * (-dx * c - dy * s);
    const moved = this.follow && this.last?.subject ? this.offset : this.target;
    moved.x += x;
    moved.y += y;
    if (moved === this.target) {
      const ground = this.last?.ground(this.target.x, this.target.y) ?? NaN;
      if (Number.isFinite(ground)) this.target.z = ground;
    }
  }

  zoom(factor: number): void {
    this.distance = clamp(this.distance * factor, 0.3, 5000);
  }
}
