// SPDX-License-Identifier: BSD-3-Clause
// Free flight: W A S D to move, Q and E down and up, Shift for more speed, dragging turns the head.

import { Vector3 } from 'three';
import { aboveGround, clamp, ease, look, type Pose, type Rig, type Surroundings } from './rig.ts';

export class FlyRig implements Rig {
  readonly mode = 'fly';
  private readonly place = new Vector3();
  private readonly speed = new Vector3();
  private yaw = 0;
  private tilt = 0;
  private pace = 6; // [m/s]

  enter(pose: Pose): void {
    const ahead = new Vector3(0, 0, -1).applyQuaternion(pose.rotation);
    this.place.copy(pose.position);
    if (pose.ortho > 0) this.place.addScaledVector(ahead, pose.distance - 2.2 * pose.ortho);
    this.yaw = Math.abs(ahead.z) > 0.999 ? Math.PI / 2 : Math.atan2(ahead.y, ahead.x);
    this.tilt = clamp(Math.asin(clamp(ahead.z, -1, 1)), -1.5, 1.5);
    this.pace = clamp(pose.distance * 0.5, 2, 60);
    this.speed.set(0, 0, 0);
  }

  update(around: Surroundings, pose: Pose): void {
    const { keys } = around;
    const on = (...codes: string[]): number => (codes.some((c) => keys.has(c)) ? 1 : 0);
    const ahead = new Vector3(
      Math.cos(this.yaw) * Math.cos(this.tilt),
      Math.sin(this.yaw) * Math.cos(this.tilt),
      Math.sin(this.tilt),
    );
    const right = new Vector3(Math.sin(this.yaw), -Math.cos(this.yaw), 0);
    const wanted = new Vector3()
      .addScaledVector(ahead, on('KeyW', 'ArrowUp') - on('KeyS', 'ArrowDown'))
      .addScaledVector(right, on('KeyD', 'ArrowRight') - on('KeyA', 'ArrowLeft'));
    wanted.z += on('KeyE', 'PageUp') - on('KeyQ', 'PageDown');
    wanted.multiplyScalar(this.pace * (on('ShiftLeft', 'ShiftRight') ? 4 : 1));
    this.speed.lerp(wanted, ease(around.seconds, 0.12));
    this.place.addScaledVector(this.speed, around.seconds);
    aboveGround(around, this.place, 0.2);
    pose.position.copy(this.place);
    look(this.place, this.place.clone().add(ahead), pose.rotation);
    pose.ortho = 0;
    const ground = around.ground(this.place.x, this.place.y);
    pose.distance = clamp(Number.isFinite(ground) ? (this.place.z - ground) * 2.5 : 15, 4, 400);
  }

  turn(dx: number, dy: number): void {
    this.yaw += dx * 0.7;
    this.tilt = clamp(this.tilt + dy * 0.7, -1.5, 1.5);
  }

  pan(dx: number, dy: number): void {
    const right = new Vector3(Math.sin(this.yaw), -Math.cos(this.yaw), 0);
    this.place.addScaledVector(right, -dx * this.pace * 2);
    this.place.z += dy * this.pace * 2;
  }

  zoom(factor: number): void {
    const ahead = new Vector3(
      Math.cos(this.yaw) * Math.cos(this.tilt),
      Math.sin(this.yaw) * Math.cos(this.tilt),
      Math.sin(this.tilt),
    );
    this.place.addScaledVector(ahead, (1 - factor) * this.pace * 1.5);
  }
}
