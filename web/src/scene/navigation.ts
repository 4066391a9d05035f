// SPDX-License-Identifier: BSD-3-Clause
// How vehicles find their way: their paths as lines on the ground, their goals as flags, and the map of one of them,
// which the material of the ground lays over what it shows.

import {
  Color,
  CylinderGeometry,
  DataTexture,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  RedFormat,
  RingGeometry,
  Shape,
  ShapeGeometry,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { MapSample, PathSample } from '../stream/sample.ts';
import type { Scene } from '../stream/scene.ts';
import type { GroundUniforms } from './ground_material.ts';

export const FORWARD = '#1a86ff';
export const REVERSE = '#b23cff';
export const GOAL = '#1fb866';

type GroundAt = (x: number, y: number) => number;

const LIFT = 0.07; // of lines above the ground [m]

// Pieces of a path, one after the other: both ends, and whether it is driven in reverse.
export function segmentsOf(poses: Float32Array): { from: number; reverse: boolean }[] {
  const out: { from: number; reverse: boolean }[] = [];
  for (let k = 0; k + 6 <= poses.length; k += 3) {
    const [dx, dy] = [poses[k + 3]! - poses[k]!, poses[k + 4]! - poses[k + 1]!];
    const yaw = poses[k + 2]!;
    if (dx === 0 && dy === 0) continue;
    out.push({ from: k, reverse: dx * Math.cos(yaw) + dy * Math.sin(yaw) < 0 });
  }
  return out;
}

function lineOf(width: number, plain: string | null, order: number): LineSegments2 {
  const material = new LineMaterial({
    linewidth: width,
    vertexColors: plain === null,
    color: plain ?? '#ffffff',
    polygonOffset: true,
    polygonOffsetFactor: -6,
    polygonOffsetUnits: -12,
    depthWrite: false, // one lies on the other
  });
  const line = new LineSegments2(new LineSegmentsGeometry(), material);
  line.frustumCulled = false;
  line.visible = false;
  line.renderOrder = order;
  return line;
}

// A ring on the ground with a flag in its middle, for a vehicle of a size.
function flagOf(size: number): Group {
  const group = new Group();
  const green = new MeshBasicMaterial({ color: GOAL, side: DoubleSide });
  const white = new MeshBasicMaterial({ color: '#f4f6f8', side: DoubleSide });
  const ring = (inner: number, outer: number, material: MeshBasicMaterial, z: number): Mesh => {
    const mesh = new Mesh(new RingGeometry(inner * size, outer * size, 48), material);
    mesh.position.z = z;
    return mesh;
  };
  const height = 0.9 * size;
  const pole = new Mesh(new CylinderGeometry(0.018 * size, 0.018 * size, height, 10), white);
  pole.rotation.x = Math.PI / 2;
  pole.position.z = 0.5 * height;
  const pennant = new Shape();
  pennant.moveTo(0, 0);
  pennant.lineTo(0.42 * size, 0.14 * size);
  pennant.lineTo(0, 0.28 * size);
  const flag = new Mesh(new ShapeGeometry(pennant), green);
  flag.rotation.set(Math.PI / 2, 0.8, 0); // of most cameras none looks along it
  flag.position.z = height - 0.28 * size;
  group.add(ring(0.3, 0.4, white, 0.08), ring(0.32, 0.38, green, 0.1), pole, flag);
  return group;
}

export class Navigation {
  readonly group = new Group();
  private readonly edges = lineOf(7, '#ffffff', 1);
  private readonly lines = lineOf(4, null, 2);
  private readonly paths = new Map<number, PathSample>();
  private readonly flags = new Map<number, Group>();
  private chosen = 0; // vehicle whose map is shown
  map: MapSample | null = null;
  shown = true;

  constructor(
    private readonly scene: Scene,
    private readonly sizes: number[],
    private readonly uniforms: GroundUniforms,
    private readonly groundAt: GroundAt,
  ) {
    this.group.add(this.edges, this.lines);
  }

  get any(): boolean {
    return this.scene.vehicles.some((v) => v.navigation.length > 0);
  }

  // Number of pieces of all paths.
  get pieces(): number {
    return this.lines.visible ? this.lines.geometry.instanceCount : 0;
  }

  show(on: boolean): void {
    this.shown = this.group.visible = on;
    this.applyMap();
  }

  choose(vehicle: number): void {
    if (vehicle === this.chosen) return;
    this.chosen = vehicle;
    this.map = null;
    this.applyMap();
  }

  putMap(sample: MapSample): void {
    if (sample.vehicle !== this.chosen) return;
    const before = this.map;
    this.map = sample;
    const { uCost } = this.uniforms;
    if (before?.width !== sample.width || before.height !== sample.height) {
      uCost.value.dispose();
      const texture = new DataTexture(sample.cells, sample.width, sample.height, RedFormat);
      texture.magFilter = texture.minFilter = NearestFilter;
      texture.unpackAlignment = 1;
      uCost.value = texture;
    }
    uCost.value.image.data = sample.cells;
    uCost.value.needsUpdate = true;
    this.applyMap();
  }

  private applyMap(): void {
    const { map, uniforms } = this;
    uniforms.uCostCell.value = map && this.shown ? map.resolution : 0;
    if (map) uniforms.uCostOrigin.value.set(...map.origin);
  }

  putPath(sample: PathSample): void {
    if (!this.scene.vehicles[sample.vehicle]) return;
    this.paths.set(sample.vehicle, sample);
    this.draw();
    this.placeFlag(sample);
  }

  private placeFlag({ vehicle, goal }: PathSample): void {
    let flag = this.flags.get(vehicle);
    if (!flag && goal) {
      flag = flagOf(this.sizes[vehicle] ?? 1);
      this.flags.set(vehicle, flag);
      this.group.add(flag);
    }
    if (!flag) return;
    flag.visible = goal !== null;
    if (goal) flag.position.set(goal[0]!, goal[1]!, this.heightAt(goal[0]!, goal[1]!, 0));
  }

  private heightAt(x: number, y: number, otherwise: number): number {
    const z = this.groundAt(x, y);
    return Number.isFinite(z) ? z : otherwise;
  }

  // All paths as one object. A path stands on the ground as it is now.
  private draw(): void {
    const positions: number[] = [];
    const colors: number[] = [];
    const [forward, reverse] = [new Color(FORWARD), new Color(REVERSE)];
    for (const { poses } of this.paths.values()) {
      const heights: number[] = [];
      for (let k = 0; k < poses.length; k += 3)
        heights.push(this.heightAt(poses[k]!, poses[k + 1]!, heights.at(-1) ?? 0) + LIFT);
      for (const piece of segmentsOf(poses)) {
        for (const k of [piece.from, piece.from + 3])
          positions.push(poses[k]!, poses[k + 1]!, heights[k / 3]!);
        const { r, g, b } = piece.reverse ? reverse : forward;
        colors.push(r, g, b, r, g, b);
      }
    }
    for (const line of [this.edges, this.lines]) {
      line.visible = positions.length > 0;
      if (!line.visible) continue;
      line.geometry.dispose();
      line.geometry = new LineSegmentsGeometry();
      line.geometry.setPositions(positions);
      if (line === this.lines) line.geometry.setColors(colors);
    }
  }

  clear(): void {
    this.map = null;
    this.applyMap();
    this.paths.clear();
    this.draw();
    for (const flag of this.flags.values()) flag.visible = false;
  }
}
