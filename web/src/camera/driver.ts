// SPDX-License-Identifier: BSD-3-Clause
// From the driver's seat, or from a mast on small vehicles; leans with the body. Dragging turns the head.

import { Quaternion, Vector3 } from 'three';
import { clamp, look, type Pose, type Rig, type Surroundings } from './rig.ts';

export class DriverRig implements Rig {
  readonly mode = 'driver';
  private side = 0;
  private tilt = 0;
  private wide = 1;
  private readonly level = new Quaternion();

  constructor() {
    look(new Vector3(), new Vector3(1, 0, 0), this.level);
  }

  enter(): void {
    this.side = this.tilt = 0;
  }

  update(around: Surroundings, pose: Pose): void {
    const { subject } = around;
    if (!subject) return;
    const large = subject.cabin;
    const [x, y, z] = subject.eye;
    pose.position
      .set(
        x ?? (large ? subject.front - subject.length * 0.42 : subject.front * 0.5),
        y ?? 0,
        z ?? (large ? subject.top - 0.035 * subject.length : subject.mast + 0.12 * subject.length),
      )
      .applyQuaternion(subject.rotation)
      .add(subject.position);
    const head = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), this.side);
    head.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), this.tilt + 0.06));
    pose.rotation.copy(subject.rotation).multiply(head).multiply(this.level);
    pose.fov = clamp(1.15 * this.wide, 0.2, 2);
    pose.ortho = 0;
    pose.distance = Math.max(4, subject.size * 2);
  }

  turn(dx: number, dy: number): void {
    this.side = clamp(this.side + dx, -2.6, 2.6);
    this.tilt = clamp(this.tilt - dy, -1.2, 1.2);
  }

  pan(): void {
    this.side = this.tilt = 0;
  }

  zoom(factor: number): void {
    this.wide = clamp(this.wide * factor, 0.25, 1.5);
  }
}
