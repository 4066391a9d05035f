// SPDX-License-Identifier: BSD-3-Clause
// One view of the scene: a rig, the camera it moves, and its part of the canvas.

import { OrthographicCamera, PerspectiveCamera, type Camera } from 'three';
import { ChaseRig } from './chase.ts';
import { DriverRig } from './driver.ts';
import { FixedRig } from './fixed.ts';
import { FlyRig } from './fly.ts';
import { OrbitRig } from './orbit.ts';
import { newPose, type CameraMode, type Pose, type Rig, type Surroundings } from './rig.ts';
import { TopRig } from './top.ts';

const BLEND = 0.4; // [s]

export interface Rectangle {
  x: number; // CSS px from the left upper corner of the canvas
  y: number;
  width: number;
  height: number;
}

export class View {
  readonly orbit = new OrbitRig();
  readonly top = new TopRig();
  readonly pose: Pose = newPose();
  rectangle: Rectangle = { x: 0, y: 0, width: 1, height: 1 };
  fov = 0.9;
  private readonly rigs: Record<CameraMode, Rig>;
  private rig: Rig;
  private readonly perspective = new PerspectiveCamera();
  private readonly flat = new OrthographicCamera();
  private from: Pose | null = null;
  private blend = 1;

  constructor(mode: CameraMode) {
    this.rigs = {
      orbit: this.orbit,
      chase: new ChaseRig(),
      driver: new DriverRig(),
      top: this.top,
      fixed: new FixedRig(),
      fly: new FlyRig(),
    };
    this.rig = this.rigs[mode];
  }

  get mode(): CameraMode {
    return this.rig.mode;
  }

  get hands(): Rig {
    return this.rig;
  }

  setMode(mode: CameraMode, around: Surroundings, smooth: boolean): void {
    if (mode === this.rig.mode) return;
    const now: Pose = {
      ...this.pose,
      position: this.pose.position.clone(),
      rotation: this.pose.rotation.clone(),
    };
    this.rig = this.rigs[mode];
    this.rig.enter(now, around);
    this.from = now;
    this.blend = smooth && now.ortho === 0 && mode !== 'top' ? 0 : 1;
  }

  update(around: Surroundings): Camera {
    const { pose } = this;
    pose.fov = this.fov;
    this.rig.update(around, pose);
    if (this.blend < 1 && this.from) {
      this.blend = Math.min(1, this.blend + around.seconds / BLEND);
      const t = this.blend * this.blend * (3 - 2 * this.blend);
      pose.position.lerpVectors(this.from.position, pose.position.clone(), t);
      pose.rotation.slerpQuaternions(this.from.rotation, pose.rotation.clone(), t);
      pose.fov = this.from.fov + (pose.fov - this.from.fov) * t;
    }
    return pose.ortho > 0 ? this.flatCamera(around.aspect) : this.deepCamera(around.aspect);
  }

  private flatCamera(aspect: number): Camera {
    const { pose, flat } = this;
    flat.top = pose.ortho;
    flat.bottom = -pose.ortho;
    flat.right = pose.ortho * aspect;
    flat.left = -flat.right;
    flat.near = 1;
    flat.far = pose.distance * 2 + 4000;
    flat.position.copy(pose.position);
    flat.quaternion.copy(pose.rotation);
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
    return flat;
  }

  private deepCamera(aspect: number): Camera {
    const { pose, perspective } = this;
    perspective.fov = (pose.fov * 180) / Math.PI;
    // A wide field on narrow screens, so that what is looked at stays in the picture.
    if (aspect < 1)
      perspective.fov =
        (2 * Math.atan(Math.tan(pose.fov / 2) / Math.max(aspect, 0.55)) * 180) / Math.PI;
    perspective.aspect = aspect;
    perspective.near = Math.min(1, Math.max(0.03, pose.distance * 0.008));
    perspective.far = Math.max(3000, pose.distance * 20);
    perspective.position.copy(pose.position);
    perspective.quaternion.copy(pose.rotation);
    perspective.updateProjectionMatrix();
    perspective.updateMatrixWorld();
    return perspective;
  }
}

// Where n views stand in a canvas: one, two beside or above each other, or four in a square.
export function arrange(count: number, width: number, height: number): Rectangle[] {
  const wide = width >= height;
  const columns = count === 1 ? 1 : count === 2 ? (wide ? 2 : 1) : 2;
  const rows = count === 1 ? 1 : count === 2 ? (wide ? 1 : 2) : 2;
  const list: Rectangle[] = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const x = Math.round((c * width) / columns);
      const y = Math.round((r * height) / rows);
      list.push({
        x,
        y,
        width: Math.round(((c + 1) * width) / columns) - x,
        height: Math.round(((r + 1) * height) / rows) - y,
      });
    }
  return list.slice(0, count);
}
