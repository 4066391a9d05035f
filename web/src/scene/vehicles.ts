// SPDX-License-Identifier: BSD-3-Clause
// Vehicles and wheels. Those of one kind share their meshes and are drawn by instancing.

import {
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Material,
} from 'three';
import { VEHICLE, WHEEL } from '../stream/frame.ts';
import type { Moment } from '../stream/playhead.ts';
import type { Scene, Vehicle, WheelSpec } from '../stream/scene.ts';
import { bodyShape, deviceShape, isLarge, type BodyPlan, type WheelPlace } from './body_shape.ts';
import { allParts } from './mesh_asset.ts';
import { wheelShape } from './wheel_shape.ts';

const MANY_WHEELS = 120; // from here on wheels are drawn plainer

interface Layer {
  mesh: InstancedMesh;
  place: Matrix4 | null;
  members: number[]; // vehicles or wheels, one for each instance
}

export interface Extent {
  length: number;
  width: number;
  bottom: number;
  top: number;
  front: number; // x of the foremost point
  size: number;
}

export function extentOf(v: Vehicle): Extent {
  const xs = v.chassis.outline.map((p) => p[0]);
  const ys = v.chassis.outline.map((p) => p[1]);
  const [x0, x1] = xs.length ? [Math.min(...xs), Math.max(...xs)] : [-0.5, 0.5];
  const [y0, y1] = ys.length ? [Math.min(...ys), Math.max(...ys)] : [-0.3, 0.3];
  const [length, width] = [x1 - x0, y1 - y0];
  const [bottom, top] = v.chassis.z;
  return {
    length,
    width,
    bottom,
    top,
    front: x1,
    size: Math.max(0.3, Math.hypot(length, width, top - bottom)),
  };
}

function poseMatrix(a: Float32Array, at: number, into: Matrix4): Matrix4 {
  position.set(a[at]!, a[at + 1]!, a[at + 2]!);
  rotation.set(a[at + 4]!, a[at + 5]!, a[at + 6]!, a[at + 3]!);
  return into.compose(position, rotation, ONE);
}

const position = new Vector3();
const rotation = new Quaternion();
const ONE = new Vector3(1, 1, 1);
const matrix = new Matrix4();
const product = new Matrix4();

export class Vehicles {
  readonly group = new Group();
  readonly extents: Extent[];
  readonly firstWheel: number[] = [];
  private readonly bodies: Layer[] = [];
  private readonly wheels: Layer[] = [];
  private readonly tops: number[]; // of what is drawn, in the vehicles' frames [m]
  private built = false;

  constructor(
    private readonly scene: Scene,
    private readonly changed: () => void,
  ) {
    this.extents = scene.vehicles.map(extentOf);
    this.tops = this.extents.map((e) => e.top);
    let first = 0;
    for (const v of scene.vehicles) {
      this.firstWheel.push(first);
      first += v.wheels.length;
    }
  }

  // The places of wheels in their vehicles are known once the first frame is there.
  build(moment: Moment): void {
    if (this.built || moment.vehicles.length < this.scene.vehicles.length * VEHICLE) return;
    this.built = true;
    const groups = new Map<string, number[]>();
    this.scene.vehicles.forEach((v, i) => {
      const key = JSON.stringify([
        v.chassis,
        v.visuals,
        v.wheels,
        v.ghost,
        v.drivable,
        this.lasersOf(i),
      ]);
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    for (const members of groups.values()) this.buildBodies(members, moment);
    this.buildWheels();
  }

  private lasersOf(i: number): [number, number, number][] {
    return this.scene.sensors
      .filter((s) => s.vehicle === i && s.rays > 0)
      .map((s) => [s.pose[0] ?? 0, s.pose[1] ?? 0, s.pose[2] ?? 0]);
  }

  private placesOf(i: number, moment: Moment): WheelPlace[] {
    const v = this.scene.vehicles[i]!;
    poseMatrix(moment.vehicles, i * VEHICLE, matrix).invert();
    return v.wheels.flatMap((w, k) => {
      const at = (this.firstWheel[i]! + k) * WHEEL;
      if (at + WHEEL > moment.wheels.length) return [];
      const p = new Vector3().fromArray(moment.wheels, at).applyMatrix4(matrix);
      return [{ x: p.x, y: p.y, z: p.z, radius: w.radius, width: w.width }];
    });
  }

  private buildBodies(members: number[], moment: Moment): void {
    const first = members[0]!;
    const v = this.scene.vehicles[first]!;
    if (!v.visuals.length) {
      this.addMade(members, moment);
      return;
    }
    allParts(this.scene.assets, v.visuals)
      .then((parts) => {
        if (!parts.length) throw new Error('an empty mesh');
        for (const part of parts) {
          const material = v.ghost ? ghosted(part.material) : part.material;
          this.addBody(part.geometry, material, members, part.place, false);
        }
        if (v.visuals.some((x) => x.made)) this.addDevices(members, moment);
        this.changed();
      })
      .catch(() => this.addMade(members, moment));
  }

  private planOf(i: number, moment: Moment): BodyPlan {
    const v = this.scene.vehicles[i]!;
    return {
      outline: v.chassis.outline,
      z: v.chassis.z,
      wheels: this.placesOf(i, moment),
      driven: v.drivable || v.controller !== '',
      lasers: this.lasersOf(i),
    };
  }

  private addDevices(members: number[], moment: Moment): void {
    const shape = deviceShape(this.planOf(members[0]!, moment));
    const material = new MeshStandardMaterial({ roughness: 0.35, vertexColors: true });
    if (shape) this.addBody(shape, material, members, null, false);
  }

  // For scenes whose meshes cannot be loaded.
  private addMade(members: number[], moment: Moment): void {
    const v = this.scene.vehicles[members[0]!]!;
    const body = bodyShape(this.planOf(members[0]!, moment));
    const paint = new MeshStandardMaterial({ roughness: 0.58, metalness: 0.05 });
    const trim = new MeshStandardMaterial({ roughness: 0.35, metalness: 0.1, vertexColors: true });
    this.addBody(body.paint, v.ghost ? ghosted(paint) : paint, members, null, true);
    this.addBody(body.trim, v.ghost ? ghosted(trim) : trim, members, null, false);
    this.changed();
  }

  private addBody(
    geometry: BufferGeometry,
    material: Material | Material[],
    members: number[],
    place: Matrix4 | null,
    painted: boolean,
  ): void {
    const mesh = new InstancedMesh(geometry, material, members.length);
    mesh.frustumCulled = false;
    const ghost = this.scene.vehicles[members[0]!]!.ghost;
    mesh.castShadow = !ghost && !(material as Material).transparent;
    mesh.receiveShadow = !ghost;
    if (painted)
      members.forEach((i, k) => mesh.setColorAt(k, new Color(this.scene.vehicles[i]!.color)));
    this.bodies.push({ mesh, place, members });
    this.group.add(mesh);
    geometry.computeBoundingBox();
    const box = geometry.boundingBox!.clone();
    if (place) box.applyMatrix4(place);
    for (const i of members) this.tops[i] = Math.max(this.tops[i]!, box.max.z);
  }

  private buildWheels(): void {
    const groups = new Map<string, { wheel: WheelSpec; ghost: boolean; members: number[] }>();
    let index = 0;
    for (const v of this.scene.vehicles)
      for (const wheel of v.wheels) {
        const key = JSON.stringify([wheel.radius, wheel.width, wheel.visuals, v.ghost]);
        const group = groups.get(key) ?? { wheel, ghost: v.ghost, members: [] };
        group.members.push(index++);
        groups.set(key, group);
      }
    for (const { wheel, ghost, members } of groups.values()) {
      const made = (): void => {
        const shape = wheelShape(wheel.radius, wheel.width, index > MANY_WHEELS);
        const material = new MeshStandardMaterial({
          roughness: 0.75,
          metalness: 0.15,
          vertexColors: true,
        });
        this.addWheels(shape, material, members, null, ghost);
      };
      const plainer = index > MANY_WHEELS && wheel.visuals.every((x) => x.made);
      if (!wheel.visuals.length || plainer) made();
      else
        allParts(this.scene.assets, wheel.visuals)
          .then((parts) => {
            for (const p of parts) this.addWheels(p.geometry, p.material, members, p.place, ghost);
            this.changed();
          })
          .catch(made);
    }
  }

  private addWheels(
    geometry: BufferGeometry,
    material: Material | Material[],
    members: number[],
    place: Matrix4 | null,
    ghost: boolean,
  ): void {
    const mesh = new InstancedMesh(geometry, ghost ? ghosted(material) : material, members.length);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = !ghost;
    this.wheels.push({ mesh, place, members });
    this.group.add(mesh);
  }

  update(moment: Moment): void {
    this.build(moment);
    this.place(this.bodies, moment.vehicles, VEHICLE);
    this.place(this.wheels, moment.wheels, WHEEL);
  }

  private place(layers: Layer[], poses: Float32Array, size: number): void {
    for (const layer of layers) {
      layer.members.forEach((m, k) => {
        if ((m + 1) * size > poses.length) return;
        poseMatrix(poses, m * size, matrix);
        layer.mesh.setMatrixAt(
          k,
          layer.place ? product.multiplyMatrices(matrix, layer.place) : matrix,
        );
      });
      layer.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // Height above all that is drawn of a vehicle, in its frame [m].
  topOf(vehicle: number): number {
    return this.tops[vehicle] ?? 0;
  }

  // Bodies made here have a cabin if they are large.
  hasCabin(vehicle: number): boolean {
    const v = this.scene.vehicles[vehicle];
    const e = this.extents[vehicle];
    const made = !!v && v.visuals.every((x) => x.made);
    return !!e && made && isLarge(e.length, e.width, e.top - e.bottom);
  }

  dispose(): void {
    for (const layer of [...this.bodies, ...this.wheels]) layer.mesh.dispose();
  }
}

function ghosted(material: Material | Material[]): Material | Material[] {
  if (Array.isArray(material)) return material.map((m) => ghosted(m) as Material);
  const copy = material.clone();
  copy.transparent = true;
  copy.opacity = 0.38;
  copy.depthWrite = false;
  return copy;
}
