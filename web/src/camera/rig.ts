// SPDX-License-Identifier: BSD-3-Clause
// What moves a camera. A rig gets the hand movements of its view and gives a camera pose for each picture.

import { Matrix4, Quaternion, Vector3 } from 'three';

export type CameraMode = 'orbit' | 'chase' | 'driver' | 'top' | 'fixed' | 'fly';

export const MODES: { mode: CameraMode; label: string; key: string }[] = [
  { mode: 'orbit', label: 'Orbit', key: '1' },
  { mode: 'chase', label: 'Chase', key: '2' },
  { mode: 'driver', label: 'Driver', key: '3' },
  { mode: 'top', label: 'Top-down', key: '4' },
  { mode: 'fixed', label: 'Fixed', key: '5' },
  { mode: 'fly', label: 'Fly', key: '6' },
];

// The vehicle that is looked at.
export interface Subject {
  position: Vector3;
  rotation: Quaternion;
  yaw: number;
  size: number;
  top: number; // of the body, in its frame [m]
  front: number;
  length: number;
  cabin: boolean; // has a seat inside the body
  mast: number; // height above all that is drawn of it, in its frame [m]
  eye: number[]; // of the driver in the vehicle's frame; empty if not known
}

export interface Pose {
  position: Vector3;
  rotation: Quaternion;
  fov: number; // vertical [rad]
  ortho: number; // half height of the picture [m], 0: in perspective
  distance: number; // to what is looked at, for light and depth
}

export interface Surroundings {
  subject: Subject | null;
  ground(x: number, y: number): number;
  seconds: number;
  keys: ReadonlySet<string>; // codes of keys held, for free flight
  aspect: number;
}

export interface Rig {
  readonly mode: CameraMode;
  // Takes over from another rig.
  enter(pose: Pose, around: Surroundings): void;
  update(around: Surroundings, pose: Pose): void;
  turn(dx: number, dy: number): void; // [rad]
  pan(dx: number, dy: number): void; // in parts of the picture's height
  zoom(factor: number): void; // < 1: nearer
}

export function newPose(): Pose {
  return {
    position: new Vector3(0, -10, 5),
    rotation: new Quaternion(),
    fov: 0.9,
    ortho: 0,
    distance: 10,
  };
}

const UP = new Vector3(0, 0, 1);
const matrix = new Matrix4();

export function look(from: Vector3, at: Vector3, into: Quaternion, up = UP): void {
  matrix.lookAt(from, at, up);
  into.setFromRotationMatrix(matrix);
}

// Share of the way to go in a picture of so many seconds when the distance shall fall by e in `time`.
export function ease(seconds: number, time: number): number {
  return 1 - Math.exp(-seconds / time);
}

export function clamp(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x));
}

// The same angle within half a turn of another.
export function near(angle: number, other: number): number {
  return other + Math.atan2(Math.sin(angle - other), Math.cos(angle - other));
}

// Azimuth, elevation and distance of a position seen from a target.
export function aroundTarget(
  position: Vector3,
  target: Vector3,
): { azimuth: number; elevation: number; distance: number } {
  const d = position.clone().sub(target);
  const distance = Math.max(0.2, d.length());
  return {
    azimuth: Math.atan2(d.y, d.x),
    elevation: Math.asin(clamp(d.z / distance, -1, 1)),
    distance,
  };
}

export function fromTarget(
  target: Vector3,
  azimuth: number,
  elevation: number,
  distance: number,
  into: Vector3,
): void {
  const c = Math.cos(elevation) * distance;
  into.set(
    target.x + c * Math.cos(azimuth),
    target.y + c * Math.sin(azimuth),
    target.z + distance * Math.sin(elevation),
  );
}

// Keeps a camera above the ground.
export function aboveGround(around: Surroundings, position: Vector3, margin: number): void {
  const ground = around.ground(position.x, position.y);
  if (position.z < ground + margin) position.z = ground + margin;
}
