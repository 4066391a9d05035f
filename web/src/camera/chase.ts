// SPDX-License-Identifier: BSD-3-Clause
// Follows behind the vehicle, turning with it a little late.

import { Vector3 } from 'three';
import {
  aboveGround,
  clamp,
  ease,
  fromTarget,
  look,
  near,
  type Pose,
  type Rig,
  type Surroundings,
} from './rig.ts';

export class ChaseRig implements Rig {
  readonly mode = 'chase';
  private yaw: number | null = null;
  private side = 0;
  private elevation = 0.3;
  private scale = 1;
  private readonly target = new Vector3();

  enter(): void {
    this.yaw = null;
  }

  update(around: Surroundings, pose: Pose): void {
    const { subject } = around;
    if (!subject) return;
    if (this.yaw === null) {
      this.yaw = subject.yaw;
      this.target.copy(subject.position);
    }
    this.yaw += (near(subject.yaw, this.yaw) - this.yaw) * ease(around.seconds, 0.35);
    const lifted = subject.position.clone();
    lifted.z += subject.top * 0.8;
    this.target.x = lifted.x;
    this.target.y = lifted.y;
    this.target.z += (lifted.z - this.target.z) * ease(around.seconds, 0.12);
    const distance = clamp(subject.size * 1.75 * this.scale, 0.5, 400);
    fromTarget(
      this.target,
      this.yaw + Math.PI + this.side,
      this.elevation,
      distance,
      pose.position,
    );
    aboveGround(around, pose.position, 0.2);
    look(pose.position, this.target, pose.rotation);
    pose.ortho = 0;
    pose.distance = distance;
  }

  turn(dx: number, dy: number): void {
    this.side -= dx;
    this.elevation = clamp(this.elevation + dy, 0.02, 1.5);
  }

  pan(): void {
    this.side = 0;
  }

  zoom(factor: number): void {
    this.scale = clamp(this.scale * factor, 0.4, 20);
  }
}
