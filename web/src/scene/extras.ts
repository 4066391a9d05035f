// SPDX-License-Identifier: BSD-3-Clause
// Occupancy grids, marker lines, clouds of points, and contacts that flash.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  NearestFilter,
  PlaneGeometry,
  Points,
  type PointsMaterial,
  Quaternion,
  RGBAFormat,
  SRGBColorSpace,
  Vector3,
} from 'three';
import { address, fetchBytes } from '../stream/address.ts';
import { CONTACT } from '../stream/frame.ts';
import type { Grid, Points as Cloud, Scene } from '../stream/scene.ts';
import { coverDark, readGrey } from './image_asset.ts';
import { LineRing } from './lines.ts';
import { roundPoints } from './points.ts';

const WALL_HEIGHT = 0.8; // of occupied cells, which are endlessly high to the simulator [m]
const OCCUPIED = 90;

async function addGrid(grid: Grid, group: Group, z: number): Promise<void> {
  const image = await readGrey(
    await fetchBytes(address(`asset/${grid.asset}`)),
    grid.width,
    grid.height,
  );
  if (!image) return;
  const [w, h] = [image.width * grid.cell, image.height * grid.cell];
  const rgba = new Uint8Array(image.grey.length * 4);
  for (let y = 0; y < image.height; y++)
    for (let x = 0; x < image.width; x++) {
      const g = image.grey[y * image.width + x]!;
      const k = ((image.height - 1 - y) * image.width + x) * 4;
      rgba.set([g, g, g, g > 240 ? 0 : 150], k);
    }
  const texture = new DataTexture(rgba, image.width, image.height, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  const floor = new Mesh(
    new PlaneGeometry(w, h),
    new MeshBasicMaterial({
      map: texture,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    }),
  );
  floor.position.set(grid.x + w / 2, grid.y + h / 2, z + 0.004);
  group.add(floor);

  const boxes = coverDark(image, OCCUPIED);
  const mesh = new InstancedMesh(
    new BoxGeometry(1, 1, 1),
    new MeshStandardMaterial({ color: '#8b9096', roughness: 0.9 }),
    Math.max(1, boxes.length),
  );
  mesh.count = boxes.length;
  const matrix = new Matrix4();
  boxes.forEach((b, k) => {
    matrix.compose(
      new Vector3(
        grid.x + (b.x + b.w / 2) * grid.cell,
        grid.y + (image.height - b.y - b.h / 2) * grid.cell,
        z + WALL_HEIGHT / 2,
      ),
      new Quaternion(),
      new Vector3(b.w * grid.cell, b.h * grid.cell, WALL_HEIGHT),
    );
    mesh.setMatrixAt(k, matrix);
  });
  mesh.frustumCulled = false;
  mesh.castShadow = mesh.receiveShadow = true;
  group.add(mesh);
}

// Binary x y z as float32, or text with three numbers a line.
export function readPoints(buffer: ArrayBuffer): Float32Array {
  const head = new Uint8Array(buffer, 0, Math.min(256, buffer.byteLength));
  const text = head.every((b) => b === 9 || b === 10 || b === 13 || (b >= 32 && b < 127));
  if (!text) return new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 12) * 3);
  const list: number[] = [];
  for (const line of new TextDecoder().decode(buffer).split('\n')) {
    const xyz = line
      .trim()
      .split(/[\s,;]+/)
      .slice(0, 3)
      .map(Number);
    if (xyz.length === 3 && xyz.every(Number.isFinite)) list.push(...xyz);
  }
  return new Float32Array(list);
}

async function addCloud(cloud: Cloud, group: Group): Promise<void> {
  const at = readPoints(await fetchBytes(address(`asset/${cloud.asset}`)));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(at, 3));
  const material = roundPoints({ color: cloud.color, size: cloud.size });
  group.add(new Points(geometry, material));
}

export class Extras {
  readonly group = new Group();

  constructor(scene: Scene, changed: () => void, ground: () => number) {
    for (const grid of scene.grids)
      if (grid.asset >= 0) addGrid(grid, this.group, ground()).then(changed, () => undefined);
    for (const cloud of scene.points)
      if (cloud.asset >= 0) addCloud(cloud, this.group).then(changed, () => undefined);
    for (const marker of scene.markers) {
      const line = new LineRing(Math.max(1, marker.points.length), marker.width);
      const color = new Color(marker.color);
      const point = (p: number[]): number[] => [p[0] ?? 0, p[1] ?? 0, (p[2] ?? 0) + 0.02];
      for (let i = 0; i + 1 < marker.points.length; i++)
        line.add(point(marker.points[i]!), point(marker.points[i + 1]!), color);
      this.group.add(line.object);
    }
  }
}

const FLASHES = 64;

export class Contacts {
  readonly points: Points<BufferGeometry, PointsMaterial>;
  private age = 1;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(FLASHES * 3), 3));
    geometry.setDrawRange(0, 0);
    this.points = new Points(
      geometry,
      roundPoints({ color: '#ff5a3c', size: 7, transparent: true, depthTest: false }),
    );
    this.points.frustumCulled = false;
  }

  put(contacts: Float32Array): void {
    const count = Math.min(FLASHES, contacts.length / CONTACT);
    if (!count) return;
    const at = this.points.geometry.getAttribute('position') as BufferAttribute;
    for (let i = 0; i < count; i++)
      at.setXYZ(i, contacts[i * CONTACT]!, contacts[i * CONTACT + 1]!, contacts[i * CONTACT + 2]!);
    at.needsUpdate = true;
    this.points.geometry.setDrawRange(0, count);
    this.age = 0;
  }

  fade(seconds: number): void {
    this.age += seconds * 2.5;
    this.points.material.opacity = Math.max(0, 1 - this.age);
    this.points.visible = this.age < 1;
  }
}
