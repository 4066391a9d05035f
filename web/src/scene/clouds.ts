// SPDX-License-Identifier: BSD-3-Clause
// Points of lidars where they were measured, coloured by height, by intensity or by class.

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  Group,
  LinearFilter,
  Points,
  Quaternion,
  RGBAFormat,
  ShaderMaterial,
  Vector2,
} from 'three';
import { NOTHING, type PointSample } from '../stream/sample.ts';
import type { Scene } from '../stream/scene.ts';
import { distinct, turbo } from './colour_map.ts';

export const CLOUD_COLOURS = ['height', 'intensity', 'class'] as const;
export type CloudColour = (typeof CLOUD_COLOURS)[number];

// Of returns from the air, which has no class.
export const CLASSLESS: [number, number, number] = [150, 156, 162];

const VERTEX = /* glsl */ `
attribute vec4 point;
uniform vec2 uRange;
uniform float uSize;
uniform bool uIntensity, uTinted;
attribute vec3 tint;
varying float vValue;
varying vec3 vTint;
void main() {
  vec4 world = modelMatrix * vec4(point.xyz, 1.0);
  float value = uIntensity ? point.w : world.z;
  vTint = uTinted ? tint : vec3(-1.0);
  vValue = clamp((value - uRange.x) / max(1e-6, uRange.y - uRange.x), 0.0, 1.0);
  gl_Position = projectionMatrix * viewMatrix * world;
  gl_PointSize = uSize;
}`;

const FRAGMENT = /* glsl */ `
uniform sampler2D uMap;
varying float vValue;
varying vec3 vTint;
void main() {
  if (length(gl_PointCoord - 0.5) > 0.5) discard;
  gl_FragColor = vec4(vTint.r < 0.0 ? texture2D(uMap, vec2(vValue, 0.5)).rgb : vTint, 1.0);
}`;

interface Cloud {
  points: Points<BufferGeometry, ShaderMaterial>;
  sample: PointSample | null;
  colour: CloudColour;
  range: [number, number]; // of the colours
}

function colours(): DataTexture {
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) bytes.set([...turbo(i / 255), 255], 4 * i);
  const texture = new DataTexture(bytes, 256, 1, RGBAFormat);
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

// From the 2nd to the 98th percentile, so that a few strays do not take all colours.
function rangeOf(values: Float32Array): [number, number] {
  if (values.length === 0) return [0, 1];
  values.sort();
  const low = values[Math.floor(0.02 * (values.length - 1))]!;
  const high = values[Math.ceil(0.98 * (values.length - 1))]!;
  return high > low ? [low, high] : [low - 0.5, low + 0.5];
}

export class Clouds {
  readonly group = new Group();
  private readonly clouds = new Map<number, Cloud>();

  constructor(scene: Scene) {
    const map = colours();
    scene.sensors.forEach((sensor, i) => {
      if (sensor.sample !== 'points') return;
      const material = new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        toneMapped: false,
        uniforms: {
          uMap: { value: map },
          uRange: { value: new Vector2(0, 1) },
          uSize: { value: 3 },
          uIntensity: { value: false },
          uTinted: { value: false },
        },
      });
      const points = new Points(new BufferGeometry(), material);
      points.frustumCulled = false;
      points.visible = false;
      this.group.add(points);
      this.clouds.set(i, { points, sample: null, colour: 'height', range: [0, 1] });
    });
  }

  put(sample: PointSample): void {
    const cloud = this.clouds.get(sample.sensor);
    if (!cloud) return;
    cloud.sample = sample;
    const { points } = cloud;
    points.geometry.dispose();
    points.geometry = new BufferGeometry();
    points.geometry.setAttribute('point', new BufferAttribute(sample.points, 4));
    points.geometry.setDrawRange(0, sample.points.length / 4);
    const [x, y, z, w, qx, qy, qz] = sample.pose as unknown as number[];
    points.position.set(x!, y!, z!);
    points.quaternion.copy(new Quaternion(qx, qy, qz, w));
    points.updateMatrixWorld();
    points.visible = sample.points.length > 0;
    this.scale(cloud);
  }

  colourBy(sensor: number, colour: CloudColour): void {
    const cloud = this.clouds.get(sensor);
    if (!cloud) return;
    cloud.colour = colour;
    this.scale(cloud);
  }

  private scale(cloud: Cloud): void {
    const { points, sample } = cloud;
    if (!sample) return;
    const p = sample.points;
    const e = points.matrixWorld.elements;
    const every = Math.max(1, Math.floor(p.length / 4 / 2000));
    const values = new Float32Array(Math.floor(p.length / 4 / every));
    for (let i = 0; i < values.length; i++) {
      const k = 4 * i * every;
      values[i] =
        cloud.colour === 'intensity'
          ? p[k + 3]!
          : e[2] * p[k]! + e[6] * p[k + 1]! + e[10] * p[k + 2]! + e[14];
    }
    cloud.range = rangeOf(values);
    const u = points.material.uniforms;
    (u['uRange']!.value as Vector2).set(...cloud.range);
    u['uIntensity']!.value = cloud.colour === 'intensity';
    u['uTinted']!.value = cloud.colour === 'class' && sample.class !== null;
    if (u['uTinted']!.value) this.tint(points.geometry, sample.class!);
  }

  // Colours of the classes of all points.
  private tint(geometry: BufferGeometry, labels: Uint16Array): void {
    const known = new Map<number, [number, number, number]>([[NOTHING, CLASSLESS]]);
    const bytes = new Uint8Array(3 * labels.length);
    labels.forEach((label, i) => {
      const rgb = known.get(label) ?? distinct(label);
      known.set(label, rgb);
      bytes.set(rgb, 3 * i);
    });
    geometry.setAttribute('tint', new BufferAttribute(bytes, 3, true));
  }

  // What the colours of a lidar mean.
  legend(sensor: number): { colour: CloudColour; range: [number, number]; count: number } | null {
    const cloud = this.clouds.get(sensor);
    if (!cloud?.sample) return null;
    return { colour: cloud.colour, range: cloud.range, count: cloud.sample.points.length / 4 };
  }

  clear(): void {
    for (const cloud of this.clouds.values()) {
      cloud.sample = null;
      cloud.points.visible = false;
    }
  }
}
