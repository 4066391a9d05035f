// SPDX-License-Identifier: BSD-3-Clause
// Scenery: the mesh of each form is loaded once and drawn by instancing, at the places of those of its
// individuals that a picture needs.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix3,
  Matrix4,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Vector3,
  type Camera,
  type Texture,
} from 'three';
import { address, fetchBytes } from '../stream/address.ts';
import type { Form, Scene } from '../stream/scene.ts';
import { coarseOf, Detail, Sight } from './detail.ts';
import { loadParts, type Part } from './mesh_asset.ts';

const PLACE = 5; // numbers of a place: x y z yaw size
const UPRIGHT = new Matrix4().makeRotationX(Math.PI / 2); // glTF has y up

// The places of one form, as matrices column by column.
export function placeMatrices(places: Float32Array, first: number, count: number): Float32Array {
  const out = new Float32Array(16 * count);
  for (let i = 0; i < count; i++) {
    const [x = 0, y = 0, z = 0, yaw = 0, size = 1] = places.subarray((first + i) * PLACE);
    const [c, s] = [size * Math.cos(yaw), size * Math.sin(yaw)];
    out.set([c, s, 0, 0, -s, c, 0, 0, 0, 0, size, 0, x, y, z, 1], 16 * i);
  }
  return out;
}

function finishOf(part: Part): string {
  const m = part.material as MeshStandardMaterial;
  return [m.roughness, m.metalness, m.transparent ? m.opacity : 1].join(' ');
}

// Parts that differ in colour only, as one mesh with colours at its corners.
function joined(parts: Part[]): BufferGeometry {
  const [position, normal, color, index]: number[][] = [[], [], [], []];
  const v = new Vector3();
  for (const part of parts) {
    const place = UPRIGHT.clone().multiply(part.place);
    const turn = new Matrix3().getNormalMatrix(place);
    const from = part.geometry.attributes;
    const known = new Map<number, number>();
    for (const corner of part.geometry.index!.array) {
      let at = known.get(corner);
      if (at === undefined) {
        known.set(corner, (at = position!.length / 3));
        position!.push(...v.fromBufferAttribute(from['position']!, corner).applyMatrix4(place));
        normal!.push(...v.fromBufferAttribute(from['normal']!, corner).applyNormalMatrix(turn));
        color!.push(...(part.material as MeshStandardMaterial).color.toArray());
      }
      index!.push(at);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position!), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normal!), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(color!), 3));
  geometry.setIndex(index!);
  return geometry;
}

// Water mirrors the sky as it is, not as dull as other things do: index of refraction 1.33.
function waterOf(from: MeshStandardMaterial): MeshPhysicalMaterial {
  return new MeshPhysicalMaterial({ vertexColors: true, roughness: from.roughness, ior: 1.33 });
}

// Leaves are single faces, which are seen from both sides.
function materialOf(part: Part, form: Form): MeshStandardMaterial {
  const from = part.material as MeshStandardMaterial;
  if (form.type === 'water') return waterOf(from);
  return new MeshStandardMaterial({
    vertexColors: true,
    side: DoubleSide,
    roughness: from.roughness,
    metalness: from.metalness,
    transparent: from.transparent,
    opacity: from.opacity,
  });
}

// Ponds of one form.
interface Water {
  material: MeshStandardMaterial;
  geometry: BufferGeometry;
  all: Float32Array; // matrices
}

function lies({ geometry, all }: Water, x: number, y: number): boolean {
  const { center, radius } = geometry.boundingSphere!;
  const reach = radius + Math.hypot(center.x, center.y);
  for (let at = 0; at < all.length; at += 16) {
    const [c, s] = [all[at]!, all[at + 1]!]; // of its heading, times its size
    const [dx, dy] = [x - all[at + 12]!, y - all[at + 13]!];
    const square = c * c + s * s;
    if (dx * dx + dy * dy > reach * reach * square) continue;
    if (within(geometry, (c * dx + s * dy) / square, (c * dy - s * dx) / square)) return true;
  }
  return false;
}

// Is a point below or above a triangle of a mesh?
function within(geometry: BufferGeometry, x: number, y: number): boolean {
  const at = geometry.attributes['position']!;
  const index = geometry.index!.array;
  for (let t = 0; t < index.length; t += 3) {
    let [left, right] = [false, false];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [index[t + k]!, index[t + ((k + 1) % 3)]!];
      const [ax, ay] = [at.getX(a), at.getY(a)];
      const side = (at.getX(b) - ax) * (y - ay) - (at.getY(b) - ay) * (x - ax);
      left ||= side > 0;
      right ||= side < 0;
    }
    if (!(left && right)) return true;
  }
  return false;
}

// One finish of a form: all its individuals, and the meshes of those that are drawn.
interface Stand {
  all: Float32Array; // matrices
  full: InstancedMesh;
  coarse: InstancedMesh | null;
}

export class Forms {
  readonly group = new Group();
  private readonly stands: Stand[] = [];
  private readonly waters: Water[] = [];
  private sky: Texture | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly changed: () => void,
  ) {
    const { scenery } = scene;
    // what cannot be loaded is not drawn
    if (scenery) this.load(scenery.places, scenery.forms).catch(() => undefined);
  }

  private async load(asset: number, forms: Form[]): Promise<void> {
    const places = new Float32Array(await fetchBytes(address(`asset/${asset}`)));
    let first = 0;
    await Promise.allSettled(
      forms.map(async (form) => {
        const matrices = placeMatrices(places, first, form.count);
        first += form.count;
        this.add(await loadParts(this.scene.assets, form.asset), matrices, form);
        this.changed();
      }),
    );
  }

  private add(parts: Part[], matrices: Float32Array, form: Form): void {
    for (const finish of new Set(parts.map(finishOf))) {
      const alike = parts.filter((part) => finishOf(part) === finish);
      const material = materialOf(alike[0]!, form);
      const geometry = joined(alike);
      geometry.computeBoundingSphere();
      if (form.type === 'water') this.flood({ material, geometry, all: matrices });
      const coarse = coarseOf(geometry);
      this.stands.push({
        all: matrices,
        full: this.instanced(geometry, material, matrices),
        coarse: coarse && this.instanced(coarse, material, matrices),
      });
    }
  }

  private flood(water: Water): void {
    this.waters.push(water);
    this.mirror(this.sky);
  }

  // The picture of the sky that water mirrors.
  mirror(sky: Texture | null): void {
    this.sky = sky;
    for (const { material } of this.waters) {
      material.envMap = sky;
      material.needsUpdate = true;
    }
  }

  // Is there water at a place?
  wetAt(x: number, y: number): boolean {
    return this.waters.some((water) => lies(water, x, y));
  }

  private instanced(
    geometry: BufferGeometry,
    material: MeshStandardMaterial,
    matrices: Float32Array,
  ): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, matrices.length / 16);
    mesh.instanceMatrix = new InstancedBufferAttribute(matrices.slice(), 16);
    mesh.castShadow = !material.transparent;
    mesh.receiveShadow = true;
    // which of them are seen is known one by one
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  // Draws what these cameras see, in pictures of so many pixels height.
  update(cameras: Camera[], height: number): void {
    const sights = cameras.map((camera) => new Sight(camera, height));
    for (const stand of this.stands) place(stand, sights);
  }

  dispose(): void {
    for (const mesh of this.group.children) (mesh as InstancedMesh).dispose();
  }
}

function place({ all, full, coarse }: Stand, sights: Sight[]): void {
  const { center, radius } = full.geometry.boundingSphere!;
  const shown = [0, 0];
  for (let at = 0; at < all.length; at += 16) {
    const size = Math.hypot(all[at]!, all[at + 1]!, all[at + 2]!);
    const z = all[at + 14]! + size * center.z;
    let detail = Detail.none;
    // they turn about an upright axis near their middle
    const reach = size * (radius + Math.hypot(center.x, center.y));
    for (const sight of sights)
      detail = Math.max(detail, sight.of(all[at + 12]!, all[at + 13]!, z, reach));
    if (detail === Detail.none) continue;
    const far = coarse !== null && detail === Detail.coarse;
    const mesh = far ? coarse : full;
    mesh.instanceMatrix.array.set(all.subarray(at, at + 16), 16 * shown[far ? 1 : 0]!++);
  }
  for (const [k, mesh] of [full, coarse].entries()) {
    if (!mesh) continue;
    mesh.count = shown[k]!;
    mesh.visible = mesh.count > 0;
    mesh.instanceMatrix.needsUpdate = true;
  }
}
