// SPDX-License-Identifier: BSD-3-Clause
// Lamps of the world: beams that light what is near, without shadows, and the discs that are seen to shine.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DataUtils,
  Group,
  HalfFloatType,
  LinearFilter,
  Matrix4,
  PointLight,
  Points,
  Quaternion,
  RGBAFormat,
  ShaderMaterial,
  SpotLight,
  Vector3,
} from 'three';
import { beamImage, mostOf, outshines } from '../math/lamp.ts';
import { quaternionOf } from '../math/pose.ts';
import { VEHICLE } from '../stream/frame.ts';
import type { Lamp, Scene } from '../stream/scene.ts';
import { poseAt } from './bodies.ts';

const BEAMS = 8; // lights at a time: each costs every pixel
const BULBS = 4;
const WIDEST = 1.4; // half angle of a beam [rad]; wider ones shine to all sides
const SIDE = 256; // of the picture of a beam [pixels]
const CLOSE = 10; // lamps nearer than this count alike [m]

const VERTEX = /* glsl */ `
attribute vec3 axis, tint;
attribute vec4 shine; // luminance of stray light and beam in the picture, spread [rad], cosine of the cone
attribute float radius;
uniform float uHeight;
varying vec3 vLight;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  float away = length(at.xyz);
  vec3 beam = mat3(modelViewMatrix) * axis;
  float ahead = dot(beam, -at.xyz / away);
  float angle = shine.z > 0.0 ? acos(clamp(ahead, -1.0, 1.0)) / shine.z : 0.0;
  float light = ahead < shine.w ? 0.0 : shine.x + shine.y * exp(-0.5 * angle * angle);
  vLight = tint * min(light, 1.0);
  at.xyz *= 1.0 - min(0.5, 2.0 * radius / away); // it may stand a little inside of its body
  gl_Position = projectionMatrix * at;
  gl_PointSize = light > 0.0 ? max(2.0, radius * projectionMatrix[1][1] * uHeight / gl_Position.w) : 0.0;
}`;

const FRAGMENT = /* glsl */ `
varying vec3 vLight;
void main() {
  if (distance(gl_PointCoord, vec2(0.5)) > 0.5 || vLight == vec3(0.0)) discard;
  gl_FragColor = vec4(vLight, 1.0);
  #include <colorspace_fragment>
}`;

interface Placed {
  lamp: Lamp;
  mount: Matrix4;
  position: Vector3;
  ahead: Vector3;
  up: Vector3;
  power: number; // of its light in the picture, at a distance of 1 m
  beam: DataTexture | null;
}

function beamOf(lamp: Lamp): DataTexture {
  const image = beamImage(lamp, lamp.cone, SIDE);
  const bytes = new Uint16Array(4 * image.length);
  image.forEach((light, k) => bytes.fill(DataUtils.toHalfFloat(light), 4 * k, 4 * k + 4));
  const texture = new DataTexture(bytes, SIDE, SIDE, RGBAFormat, HalfFloatType);
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function mountOf(pose: number[]): Matrix4 {
  const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = pose;
  const [qw, qx, qy, qz] = quaternionOf(roll, pitch, yaw);
  return new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion(qx, qy, qz, qw),
    new Vector3(1, 1, 1),
  );
}

// Light of a hue of luminance 1 (ITU-R BT.709), which candelas are about.
function lightOf(hue: string): Color {
  const color = new Color(hue);
  const luminance = 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b;
  return color.multiplyScalar(1 / Math.max(luminance, 1e-6));
}

export class Lamps {
  readonly group = new Group();
  private readonly lamps: Placed[] = [];
  private readonly beams: SpotLight[];
  private readonly bulbs: PointLight[];
  private readonly discs: Points<BufferGeometry, ShaderMaterial>;
  private readonly pictures = new Map<string, DataTexture>();

  constructor(scene: Scene, perLux: number) {
    const seen = scene.lamps.filter((lamp) => outshines(lamp, scene.sun.illuminance));
    for (const lamp of seen) {
      const beam = lamp.cone < WIDEST ? this.pictureOf(lamp) : null;
      const [position, ahead, up] = [new Vector3(), new Vector3(), new Vector3()];
      const power = perLux * mostOf(lamp);
      const placed = { lamp, mount: mountOf(lamp.pose), position, ahead, up, power, beam };
      this.place(placed, placed.mount);
      this.lamps.push(placed);
    }
    const wide = this.lamps.filter((l) => !l.beam).length;
    const beams = Math.min(BEAMS, this.lamps.length - wide);
    this.beams = Array.from({ length: beams }, () => new SpotLight());
    this.bulbs = Array.from({ length: Math.min(BULBS, wide) }, () => new PointLight());
    for (const light of this.beams) this.group.add(light, light.target);
    for (const light of this.bulbs) this.group.add(light);
    this.discs = this.discsOf(perLux);
    this.group.add(this.discs);
    this.aim(new Vector3());
  }

  // Number of those that can be seen by this daylight.
  get count(): number {
    return this.lamps.length;
  }

  private pictureOf(lamp: Lamp): DataTexture {
    const { intensity, stray, spread, cone, cutoff } = lamp;
    const key = [intensity, stray, ...spread, cone, cutoff].join(' ');
    const picture = this.pictures.get(key) ?? beamOf(lamp);
    this.pictures.set(key, picture);
    return picture;
  }

  private discsOf(perLux: number): Points<BufferGeometry, ShaderMaterial> {
    const geometry = new BufferGeometry();
    const put = (name: string, size: number, of: (l: Lamp) => number[]): void => {
      const values = this.lamps.flatMap(({ lamp }) => of(lamp));
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(values), size));
    };
    put('position', 3, () => [0, 0, 0]);
    put('axis', 3, () => [1, 0, 0]);
    put('tint', 3, (l) => lightOf(l.color).toArray());
    put('radius', 1, (l) => [l.radius]);
    put('shine', 4, (l) => {
      const bright = perLux / (Math.PI * l.radius * l.radius);
      const spread = Math.sqrt(l.spread[0] * l.spread[1]) || Math.max(...l.spread);
      return [l.stray * bright, l.intensity * bright, spread, Math.cos(l.cone)];
    });
    const discs = new Points(
      geometry,
      new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        toneMapped: false,
        uniforms: { uHeight: { value: 1 } },
      }),
    );
    discs.frustumCulled = false;
    return discs;
  }

  private place(placed: Placed, at: Matrix4): void {
    placed.position.setFromMatrixPosition(at);
    placed.ahead.setFromMatrixColumn(at, 0);
    placed.up.setFromMatrixColumn(at, 2);
  }

  update(vehicles: Float32Array): void {
    const carrier = new Matrix4();
    const { position, axis } = this.discs.geometry.attributes;
    this.lamps.forEach((placed, k) => {
      const { vehicle } = placed.lamp;
      if (vehicle >= 0) {
        if ((vehicle + 1) * VEHICLE > vehicles.length) return;
        poseAt(vehicles, vehicle * VEHICLE, carrier);
        this.place(placed, carrier.multiply(placed.mount));
      }
      position!.setXYZ(k, ...placed.position.toArray());
      axis!.setXYZ(k, ...placed.ahead.toArray());
    });
    position!.needsUpdate = axis!.needsUpdate = true;
  }

  // For a picture of so many pixels height that looks at a place: the lamps that light it most.
  aim(focus: Vector3, height = 1): void {
    this.discs.material.uniforms['uHeight']!.value = height;
    const weight = ({ position, power }: Placed): number =>
      power / Math.max(CLOSE * CLOSE, position.distanceToSquared(focus));
    const sorted = [...this.lamps].sort((a, b) => weight(b) - weight(a));
    const [beams, bulbs] = [sorted.filter((l) => l.beam), sorted.filter((l) => !l.beam)];
    this.beams.forEach((light, k) => this.set(light, beams[k]!));
    this.bulbs.forEach((light, k) => this.set(light, bulbs[k]!));
  }

  private set(light: SpotLight | PointLight, { lamp, position, ahead, up, ...l }: Placed): void {
    light.color.copy(lightOf(lamp.color));
    light.intensity = l.power;
    light.distance = lamp.reach;
    light.decay = 2;
    light.position.copy(position);
    light.updateMatrixWorld();
    if (!(light instanceof SpotLight)) return;
    light.angle = lamp.cone;
    light.penumbra = 0.02;
    light.map = l.beam;
    light.target.position.copy(position).add(ahead);
    light.target.updateMatrixWorld();
    light.shadow.camera.up.copy(up);
  }

  dispose(): void {
    for (const picture of this.pictures.values()) picture.dispose();
  }
}
