// SPDX-License-Identifier: BSD-3-Clause
// Blocks and walls. What stands still is merged into one mesh; what moves has its own.

import {
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from 'three';
import { quaternionOf } from '../math/pose.ts';
import { BLOCK } from '../stream/frame.ts';
import type { Block, Pair, Scene, Visual } from '../stream/scene.ts';
import { allParts, meshesOf } from './mesh_asset.ts';
import { boundsOf, merged, prism, tinted } from './shapes.ts';
import { pinOf } from './supports.ts';

function bevelOf(outline: Pair[], z: Pair): number {
  const b = boundsOf(outline);
  return 0.04 * Math.min(b.x1 - b.x0, b.y1 - b.y0, z[1] - z[0], 1);
}

function solid(outline: Pair[], z: Pair, color: string): BufferGeometry | null {
  if (outline.length < 3) return null;
  return tinted(prism(outline, z, bevelOf(outline, z)), color);
}

function poseOf(block: Block): { position: Vector3; rotation: Quaternion } {
  const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0, d = 0] = block.pose;
  const [qw, qx, qy, qz] = block.pose.length >= 7 ? [a, b, c, d] : quaternionOf(a, b, c);
  return { position: new Vector3(x, y, z), rotation: new Quaternion(qx, qy, qz, qw) };
}

export class Solids {
  readonly group = new Group();
  private readonly moving: Object3D[] = [];
  // behind meshes that stand in the same place
  private readonly material = new MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.85,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });

  constructor(
    private readonly scene: Scene,
    private readonly changed: () => void,
  ) {
    const still: BufferGeometry[] = [];
    for (const wall of scene.walls) {
      const shape = solid(wall.outline, wall.z, wall.color);
      if (shape) still.push(shape);
    }
    for (const block of scene.blocks) {
      if (block.moves || block.visuals.length) this.addOwn(block);
      else {
        const shape = solid(block.outline, block.z, block.color);
        const { position, rotation } = poseOf(block);
        if (shape) still.push(shape.applyQuaternion(rotation).translate(...position.toArray()));
      }
    }
    if (still.length) this.group.add(this.mesh(merged(still)));
    if (scene.visuals.length) this.fill(this.group, scene.visuals, () => undefined);
  }

  private mesh(geometry: BufferGeometry): Mesh {
    const mesh = new Mesh(geometry, this.material);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  // A block with a place of its own, drawn by its meshes or by its outline.
  private addOwn(block: Block): void {
    const { position, rotation } = poseOf(block);
    const own = new Group();
    own.position.copy(position);
    own.quaternion.copy(rotation);
    this.group.add(own);
    if (block.moves) this.moving.push(own);
    const pin = pinOf(block);
    if (pin) own.add(pin);
    const plain = (): void => {
      const shape = solid(block.outline, block.z, block.color);
      if (shape) own.add(this.mesh(shape));
    };
    if (block.visuals.length) this.fill(own, block.visuals, plain);
    else plain();
  }

  private fill(group: Group, visuals: Visual[], otherwise: () => void): void {
    allParts(this.scene.assets, visuals)
      .then((parts) => {
        if (!parts.length) throw new Error('an empty mesh');
        group.add(...meshesOf(parts));
      })
      .catch(otherwise)
      .finally(this.changed);
  }

  update(blocks: Float32Array): void {
    this.moving.forEach((own, k) => {
      const at = k * BLOCK;
      if (at + BLOCK > blocks.length) return;
      own.position.fromArray(blocks, at);
      own.quaternion.set(blocks[at + 4]!, blocks[at + 5]!, blocks[at + 6]!, blocks[at + 3]!);
    });
  }
}
