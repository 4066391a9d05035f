// SPDX-License-Identifier: BSD-3-Clause
// The ground: a level plane or a mesh of heights, its colours, and the height anywhere.

import {
  Color,
  DataTexture,
  Group,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  PlaneGeometry,
  RGBAFormat,
  SRGBColorSpace,
  type Material,
  type MeshLambertMaterial,
  type Vector3,
} from 'three';
import { address, fetchBytes, fetchHeights, fetchSoils, type Area } from '../stream/address.ts';
import type { GroundImage, Scene } from '../stream/scene.ts';
import { GrassShare } from './grass_share.ts';
import { widened, type Extent } from './ground_extent.ts';
import { groundMaterial, groundUniforms, type GroundUniforms } from './ground_material.ts';
import { HeightGrid, roundStep } from './height_grid.ts';
import type { Palette } from './palette.ts';
import type { SkyUniforms } from './haze.ts';
import { roadLayer, type RoadLayer } from './road_layer.ts';
import { skirtOf } from './skirt.ts';
import { TerrainMesh } from './terrain_mesh.ts';

const FINEST = 1025;
const FIRST = 129; // quickly there, so that there is a picture at once
const BEYOND = 4000; // how far level ground goes on around the extent [m]

// Points so that a cell is about `cell`, at most `most` along the longer side.
export function areaOf(extent: Scene['extent'], cell: number, most: number): Area {
  const [x0, y0, x1, y1] = extent;
  const side = Math.max(x1 - x0, y1 - y0);
  const step = Math.max(cell, side / (most - 1));
  const count = (span: number): number => Math.max(2, Math.min(most, Math.round(span / step) + 1));
  return { x0, y0, x1, y1, nx: count(x1 - x0), ny: count(y1 - y0) };
}

// From far before to far behind a span, close within it.
function ticks(from: number, to: number): number[] {
  const cells = Math.min(96, Math.max(4, Math.ceil((to - from) / 8)));
  const inside = Array.from({ length: cells + 1 }, (_, i) => from + ((to - from) * i) / cells);
  const out = [16, 48, 120, 300, 800, 2000, BEYOND];
  return [...out.toReversed().map((d) => from - d), ...inside, ...out.map((d) => to + d)];
}

function colourTexture(bytes: Uint8Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(bytes, width, height, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}

export class Terrain {
  readonly group = new Group();
  readonly uniforms: GroundUniforms;
  private readonly material: MeshLambertMaterial;
  private mesh: TerrainMesh | null = null;
  private level: number | null = null;
  private contour = 0; // interval [m], 0: none
  private grid = 0; // cell [m], 0: none
  private lines = true;
  private skirt: Mesh | null = null;
  private floor: Mesh | null = null;
  private extent: Extent; // what is drawn of the ground
  private readonly ends = [false, false, false, false]; // west, south, east, north
  private growing = false;
  private readonly roads: RoadLayer | null;
  private image: { width: number; height: number; bytes: Uint8Array } | null = null;
  readonly grass: GrassShare;

  constructor(
    private readonly scene: Scene,
    sky: SkyUniforms,
    noise: DataTexture,
    private readonly changed: () => void,
  ) {
    this.extent = scene.extent;
    this.uniforms = groundUniforms(sky, noise);
    this.material = groundMaterial(this.uniforms, false);
    const { color, flat } = scene.ground;
    if (color) this.uniforms.uBase.value.set(color);
    this.uniforms.uWild.value = flat || color ? 0 : 1;
    this.uniforms.uRough.value = color ? scene.ground.roughness : flat ? 0.1 : 0.8;
    this.uniforms.uExtent.value.set(...scene.extent);
    const base = { share: color ? scene.ground.grass : 0, color: color ? new Color(color) : null };
    const colors = scene.soils.map((s) => new Color(s.color));
    this.grass = new GrassShare(scene.soils, colors, flat || color ? base : null, noise);
    this.roads = roadLayer(scene.roads, noise.anisotropy);
    if (this.roads) this.layRoads(this.roads);
  }

  private layRoads(roads: RoadLayer): void {
    this.uniforms.uRoadShapes.value = roads.shapes;
    this.uniforms.uRoadColours.value = roads.colours;
    this.uniforms.uRoadExtent.value.set(...roads.extent);
    this.uniforms.uPavement.value.set(roads.pavement);
    this.uniforms.uMarking.value.set(roads.marking);
  }

  async load(): Promise<void> {
    const { scene } = this;
    if (scene.ground.flat) {
      const corner = await fetchHeights(areaOf(scene.extent, Infinity, 2));
      this.level = corner.find((h) => !Number.isNaN(h)) ?? 0;
      this.grid = 1;
      this.showLines(this.lines);
      this.group.add(this.plane(this.level, this.material));
      this.changed();
    } else {
      const fine = areaOf(scene.extent, 0.1, FINEST);
      if (Math.max(fine.nx, fine.ny) > 2 * FIRST) {
        const first = areaOf(scene.extent, 0.1, FIRST);
        this.setGrid(new HeightGrid(first, await fetchHeights(first)));
      }
      void fetchHeights(fine).then((heights) => this.setGrid(new HeightGrid(fine, heights)));
    }
    if (scene.soils.length > 0) void this.loadSoils();
    if (scene.ground.image) void this.loadImage(scene.ground.image);
  }

  // Ground without an end is drawn as far as vehicles go. A log has no more than its extent.
  follow(vehicles: Float32Array): void {
    if (this.growing || !this.mesh || this.scene.mode === 'replay') return;
    const wide = widened(this.extent, vehicles, this.ends);
    if (!wide) return;
    this.growing = true;
    void this.grow(wide)
      .catch(() => this.ends.fill(true))
      .finally(() => (this.growing = false));
  }

  private async grow(wide: Extent): Promise<void> {
    const area = areaOf(wide, 0.1, FINEST);
    const grid = new HeightGrid(area, await fetchHeights(area));
    const sides = [0, 1, 2, 3].filter((k) => wide[k] !== this.extent[k]);
    const ended = sides.filter((k) => !grid.reaches(this.extent, k));
    for (const k of ended) this.ends[k] = true;
    if (ended.length > 0) return; // the next frame asks for the other sides
    this.extent = wide;
    this.setGrid(grid);
    if (this.scene.soils.length > 0) await this.loadSoils();
  }

  private setGrid(grid: HeightGrid): void {
    this.mesh?.dispose();
    this.mesh = new TerrainMesh(grid, this.material, this.group);
    const relief = grid.highest - grid.lowest;
    this.contour = relief > 0.02 ? roundStep(relief, 18) : 0;
    this.grid = relief > 0.02 ? 0 : 1;
    this.showLines(this.lines);
    this.addSkirt(grid);
    if (grid.holes) this.addFloor(grid.lowest - 0.03 - 0.03 * relief);
    this.changed();
  }

  // Finer within the extent: places on a triangle of kilometres are not exact enough for tiles of ruts.
  private plane(z: number, material: Material): Mesh {
    const [x0, y0, x1, y1] = this.scene.extent;
    const [xs, ys] = [ticks(x0, x1), ticks(y0, y1)];
    const plane = new PlaneGeometry(1, 1, xs.length - 1, ys.length - 1);
    const at = plane.getAttribute('position');
    for (let k = 0; k < at.count; k++) {
      const row = ys.length - 1 - Math.floor(k / xs.length);
      at.setXYZ(k, xs[k % xs.length]!, ys[row]!, z);
    }
    const mesh = new Mesh(plane, material);
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    return mesh;
  }

  // Beyond the edges of the map the ground goes on to the horizon, so that no edge is seen.
  private addSkirt(grid: HeightGrid): void {
    if (this.skirt) this.group.remove(this.skirt);
    this.skirt?.geometry.dispose();
    this.skirt = new Mesh(skirtOf(grid, BEYOND), this.material);
    this.skirt.frustumCulled = false;
    this.group.add(this.skirt);
  }

  // What is seen through holes in the ground: a floor below it, that nothing touches.
  private addFloor(z: number): void {
    this.floor ??= this.plane(0, this.material);
    this.floor.position.z = z;
    this.group.add(this.floor);
  }

  private async loadSoils(): Promise<void> {
    const area = areaOf(this.extent, 0.05, 513);
    const soils = await fetchSoils(area);
    this.grass.setSoils(area, soils);
    const colors = this.scene.soils.map((s) => new Color(s.color));
    const bytes = new Uint8Array(area.nx * area.ny * 4);
    const mean = new Color(0, 0, 0);
    let named = 0;
    soils.forEach((soil, k) => {
      const color = colors[soil];
      if (!color) return;
      const { roughness } = this.scene.soils[soil]!;
      const hex = color.getHex();
      bytes.set([hex >> 16, (hex >> 8) & 255, hex & 255, Math.round(128 + 127 * roughness)], k * 4);
      mean.add(color);
      named++;
    });
    if (named) this.uniforms.uMean.value.copy(mean.multiplyScalar(1 / named));
    const texture = colourTexture(bytes, area.nx, area.ny);
    this.uniforms.uSoil.value.dispose();
    this.uniforms.uSoil.value = texture;
    this.uniforms.uExtent.value.set(area.x0, area.y0, area.x1, area.y1);
    this.changed();
  }

  private async loadImage({ asset, width, height }: GroundImage): Promise<void> {
    const bytes = new Uint8Array(await fetchBytes(address(`asset/${asset}`)));
    if (bytes.length !== 4 * width * height) return;
    this.uniforms.uImage.value = colourTexture(bytes, width, height);
    this.uniforms.uImageExtent.value.set(...this.scene.extent);
    this.image = { width, height, bytes };
    this.changed();
  }

  paint(palette: Palette): void {
    this.uniforms.uLine.value = new Color(palette.line);
    this.uniforms.uLineAlpha.value = palette.lineAlpha;
  }

  showLines(on: boolean): void {
    this.lines = on;
    this.uniforms.uContour.value = on ? this.contour : 0;
    this.uniforms.uGrid.value = on ? this.grid : 0;
  }

  refine(eyes: Vector3[]): void {
    this.mesh?.refine(eyes);
  }

  // Height without ruts; NaN where there is no ground.
  heightAt(x: number, y: number): number {
    if (this.level !== null) return this.level;
    return this.mesh?.grid.at(x, y) ?? NaN;
  }

  // Is a road or a pavement there?
  sealedAt(x: number, y: number): boolean {
    return this.roads?.covers(x, y) ?? false;
  }

  // Does the ground show an image there?
  picturedAt(x: number, y: number): boolean {
    if (!this.image) return false;
    const { width, height, bytes } = this.image;
    const [x0, y0, x1, y1] = this.scene.extent;
    const column = Math.floor(((x - x0) / (x1 - x0)) * width);
    const row = Math.floor(((y - y0) / (y1 - y0)) * height);
    if (column < 0 || row < 0 || column >= width || row >= height) return false;
    return bytes[4 * (row * width + column) + 3]! > 127;
  }

  get lowest(): number {
    return this.level ?? this.mesh?.grid.lowest ?? 0;
  }

  get highest(): number {
    return this.level ?? this.mesh?.grid.highest ?? 0;
  }
}
