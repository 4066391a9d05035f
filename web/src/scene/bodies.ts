// SPDX-License-Identifier: BSD-3-Clause
// Vehicles and blocks by name: where they are, and their heights.

import { Matrix4, Quaternion, Vector3 } from 'three';
import { BLOCK, VEHICLE } from '../stream/frame.ts';
import type { Moment } from '../stream/playhead.ts';
import type { Pair, Scene } from '../stream/scene.ts';

const ONE = new Vector3(1, 1, 1);

// x y z and a quaternion w x y z, at an offset.
export function poseAt(a: ArrayLike<number>, at: number, into: Matrix4): Matrix4 {
  return into.compose(
    new Vector3(a[at], a[at + 1], a[at + 2]),
    new Quaternion(a[at + 4], a[at + 5], a[at + 6], a[at + 3]),
    ONE,
  );
}

export interface Body {
  outline: Pair[];
  z: Pair;
  pose(moment: Moment, into: Matrix4): boolean; // false: not known yet
}

export function bodyOf(scene: Scene, name: string): Body | null {
  const vehicle = scene.vehicles.findIndex((v) => v.name === name && !v.ghost);
  if (vehicle >= 0) {
    const { outline, z } = scene.vehicles[vehicle]!.chassis;
    const pose = (moment: Moment, into: Matrix4): boolean => {
      if (moment.vehicles.length < (vehicle + 1) * VEHICLE) return false;
      poseAt(moment.vehicles, vehicle * VEHICLE, into);
      return true;
    };
    return { outline, z, pose };
  }
  const index = scene.blocks.findIndex((b) => b.name === name);
  const block = scene.blocks[index];
  if (!block) return null;
  const moving = scene.blocks.slice(0, index).filter((b) => b.moves).length;
  const pose = (moment: Moment, into: Matrix4): boolean => {
    if (!block.moves) poseAt(block.pose, 0, into);
    else if (moment.blocks.length < (moving + 1) * BLOCK) return false;
    else poseAt(moment.blocks, moving * BLOCK, into);
    return true;
  };
  return { outline: block.outline, z: block.z, pose };
}
