// SPDX-License-Identifier: BSD-3-Clause
// What bodies of mechanisms hang on: pins and rails, and stands below those that the world carries.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { Block, Scene } from '../stream/scene.ts';
import { merged } from './shapes.ts';

const UP = new Vector3(0, 0, 1);
const STEEP = 0.8; // axes with a larger vertical part stand on one post
const CLEAR = 6; // between a body and the posts beside it, in radii of its pin
const LOWEST = 1.5; // of a stand where there is no ground [m]

const steel = (): MeshStandardMaterial =>
  new MeshStandardMaterial({ color: '#5b636b', roughness: 0.5, metalness: 0.35 });

function bar(from: Vector3, to: Vector3, radius: number): BufferGeometry {
  const along = to.clone().sub(from);
  const g = new CylinderGeometry(radius, radius, along.length(), 12);
  g.rotateX(Math.PI / 2);
  g.applyQuaternion(new Quaternion().setFromUnitVectors(UP, along.normalize()));
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return g.translate(middle.x, middle.y, middle.z);
}

// Half of the extent of a body along a direction of its frame, from its joint, and its largest.
function extentAlong(block: Block, axis: Vector3): { half: number; largest: number } {
  const corners = block.outline.flatMap(([x, y]) => block.z.map((z) => new Vector3(x, y, z)));
  const half = Math.max(0.01, ...corners.map((c) => Math.abs(c.dot(axis))));
  return { half, largest: Math.max(0.05, ...corners.map((c) => c.length())) };
}

interface Plan {
  axis: Vector3; // in the body's frame
  half: number;
  thick: number;
}

function planOf(block: Block): Plan | null {
  if (!block.support) return null;
  const axis = new Vector3(...(block.support.axis as [number, number, number])).normalize();
  if (!(axis.length() > 0.5)) return null;
  const { half, largest } = extentAlong(block, axis);
  return { axis, half, thick: 0.025 * largest };
}

// The pin of a hinge, which turns with its body.
export function pinOf(block: Block): Mesh | null {
  const plan = planOf(block);
  if (!plan || block.support?.type !== 'hinge') return null;
  const end = plan.axis.clone().multiplyScalar(plan.half + CLEAR * plan.thick);
  const mesh = new Mesh(bar(end.clone().negate(), end, plan.thick), steel());
  mesh.castShadow = true;
  return mesh;
}

// What stands on the ground and carries it, in the world.
function standOf(block: Block, ground: (x: number, y: number) => number): BufferGeometry[] {
  const plan = planOf(block);
  if (!plan || !block.support?.grounded) return [];
  const [x = 0, y = 0, z = 0, w = 1, a = 0, b = 0, c = 0] = block.pose;
  const at = new Vector3(x, y, z);
  const axis = plan.axis.clone().applyQuaternion(new Quaternion(a, b, c, w));
  const thick = 1.2 * plan.thick;
  const parts: BufferGeometry[] = [];
  const post = (top: Vector3): void => {
    const height = ground(top.x, top.y);
    const foot = new Vector3(top.x, top.y, Number.isFinite(height) ? height : top.z - LOWEST);
    if (top.z - foot.z < thick) return;
    parts.push(bar(foot, top, thick));
    parts.push(
      new BoxGeometry(6 * thick, 6 * thick, thick).translate(foot.x, foot.y, foot.z + thick / 2),
    );
  };
  if (block.support.type === 'slide') {
    const reach = axis.clone().multiplyScalar(plan.half + 40 * plan.thick);
    const [from, to] = [at.clone().sub(reach), at.clone().add(reach)];
    parts.push(bar(from, to, plan.thick));
    if (Math.abs(axis.z) < STEEP) for (const end of [from, to]) post(end);
  } else if (Math.abs(axis.z) > STEEP) post(at);
  else
    for (const side of [-1, 1])
      post(at.clone().addScaledVector(axis, side * (plan.half + CLEAR * plan.thick)));
  return parts;
}

export function buildStands(scene: Scene, ground: (x: number, y: number) => number): Group {
  const group = new Group();
  const parts = scene.blocks.flatMap((block) => standOf(block, ground));
  if (!parts.length) return group;
  const mesh = new Mesh(merged(parts), steel());
  mesh.castShadow = mesh.receiveShadow = true;
  group.add(mesh);
  return group;
}
