// SPDX-License-Identifier: BSD-3-Clause
// Straight things between two points: links of suspensions as rods, springs as coils, arrows.

import {
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Curve,
  GreaterDepth,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  TubeGeometry,
  Vector3,
  type Material,
} from 'three';
import { LINK } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';

const UP = new Vector3(0, 0, 1);
const direction = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();
const middle = new Vector3();
const matrix = new Matrix4();
const NOTHING = new Matrix4().makeScale(0, 0, 0);

// Unit rod along z from 0 to 1 with radius 1.
export function rod(sides: number): BufferGeometry {
  const g = new CylinderGeometry(1, 1, 1, sides);
  g.rotateX(Math.PI / 2);
  g.translate(0, 0, 0.5);
  return g;
}

class Helix extends Curve<Vector3> {
  constructor(
    private readonly turns: number,
    private readonly height: number,
  ) {
    super();
  }

  // The first and last half turn are flat.
  override getPoint(t: number, into = new Vector3()): Vector3 {
    const flat = 0.5 / this.turns;
    const z = Math.max(0, Math.min(1, (t - flat) / (1 - 2 * flat)));
    const a = t * this.turns * 2 * Math.PI;
    return into.set(Math.cos(a), Math.sin(a), z * this.height);
  }
}

// Coil of radius 1 along z from 0 to 1, of round wire while it is `slender` times as long as its radius.
export function coil(slender: number): BufferGeometry {
  const turns = Math.max(4, Math.min(40, Math.round(slender)));
  const g = new TubeGeometry(new Helix(turns, slender), 14 * turns, 0.2, 6, false);
  return g.scale(1, 1, 1 / slender);
}

export class Instances {
  readonly mesh: InstancedMesh;

  constructor(geometry: BufferGeometry, material: Material, count: number) {
    this.mesh = new InstancedMesh(geometry, material, Math.max(1, count));
    this.mesh.frustumCulled = false;
    this.mesh.count = count;
  }

  // From one point along a vector; false where it has no length.
  span(k: number, from: Vector3, along: Vector3, radius: number, length?: number): boolean {
    const reach = along.length();
    if (!(reach > 1e-6)) {
      this.mesh.setMatrixAt(k, NOTHING);
      return false;
    }
    direction.copy(along).divideScalar(reach);
    turn.setFromUnitVectors(UP, direction);
    scale.set(radius, radius, length ?? reach);
    this.mesh.setMatrixAt(k, matrix.compose(from, turn, scale));
    return true;
  }

  hide(k: number): void {
    this.mesh.setMatrixAt(k, NOTHING);
  }

  done(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

const SLENDER = 6; // length over radius of a suspension's spring, about

const ROD_COLORS: [RegExp, string][] = [
  [/spring/, '#e0a030'],
  [/damper|shock/, '#3d4348'],
  [/tie|steer|drag|pitman/, '#8fb3cf'],
  [/upright|knuckle/, '#6d747a'],
  [/./, '#9aa1a8'],
];

function rodColor(name: string): Color {
  return new Color(
    ROD_COLORS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? '#9aa1a8',
  );
}

export class Links {
  readonly group = new Group();
  private readonly rods: Instances;
  private readonly coils: Instances;
  private readonly radii: number[];
  private readonly springs: boolean[];

  constructor(scene: Scene) {
    const wheels = scene.vehicles.flatMap((v) => v.wheels);
    this.radii = wheels.flatMap((w) => new Array<number>(w.links).fill(0.055 * w.radius));
    const count = this.radii.length;
    this.springs = this.radii.map((_, k) => /spring/i.test(scene.links[k] ?? ''));
    const metal = { roughness: 0.4, metalness: 0.45 };
    this.rods = new Instances(rod(10), new MeshStandardMaterial(metal), count);
    this.coils = new Instances(coil(SLENDER), new MeshStandardMaterial(metal), count);
    for (let k = 0; k < count; k++) {
      const color = rodColor(scene.links[k] ?? '');
      this.rods.mesh.setColorAt(k, color);
      this.coils.mesh.setColorAt(k, color);
    }
    for (const part of [this.rods, this.coils]) {
      part.mesh.castShadow = true;
      if (count) this.group.add(part.mesh);
    }
  }

  update(links: Float32Array): void {
    const from = middle;
    const along = new Vector3();
    this.radii.forEach((radius, k) => {
      const at = k * LINK;
      if (at + LINK > links.length) return;
      from.fromArray(links, at);
      along.fromArray(links, at + 3).sub(from);
      if (this.springs[k]) {
        this.rods.hide(k);
        this.coils.span(k, from, along, radius * 2.2);
      } else {
        this.coils.hide(k);
        this.rods.span(k, from, along, radius);
      }
    });
    this.rods.done();
    this.coils.done();
  }
}

// The same instances once more where something stands in front of them, faint.
function seenThrough(mesh: InstancedMesh): InstancedMesh {
  const faint = (mesh.material as MeshBasicMaterial).clone();
  faint.transparent = true;
  faint.opacity = 0.55;
  faint.depthFunc = GreaterDepth;
  faint.depthWrite = false;
  const copy = new InstancedMesh(mesh.geometry, faint, mesh.count);
  copy.instanceMatrix = mesh.instanceMatrix;
  copy.frustumCulled = false;
  copy.renderOrder = 5;
  return copy;
}

// Arrows in one colour, flat so that they read as signs and not as things.
export class Arrows {
  readonly group = new Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;

  constructor(count: number, color: string) {
    const material = new MeshBasicMaterial({ color, toneMapped: false });
    this.shafts = new Instances(rod(8), material, count);
    const head = new ConeGeometry(1, 1, 12);
    head.rotateX(Math.PI / 2);
    head.translate(0, 0, 0.5);
    this.heads = new Instances(head, material, count);
    if (count)
      for (const part of [this.shafts.mesh, this.heads.mesh])
        this.group.add(part, seenThrough(part));
  }

  set(k: number, from: Vector3, along: Vector3, thickness: number): void {
    const reach = along.length();
    const tip = Math.min(reach * 0.6, thickness * 6);
    if (!(reach > thickness)) {
      this.shafts.hide(k);
      this.heads.hide(k);
      return;
    }
    this.shafts.span(k, from, along, thickness, reach - tip);
    middle.copy(from).addScaledVector(along, (reach - tip) / reach);
    this.heads.span(k, middle, along, thickness * 2.6, tip);
  }

  done(): void {
    this.shafts.done();
    this.heads.done();
  }
}
