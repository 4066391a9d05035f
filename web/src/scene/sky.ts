// SPDX-License-Identifier: BSD-3-Clause
// A dome with a gradient and the sun, drawn behind everything, and the light it sheds on shiny things.

import {
  BackSide,
  Color,
  CubeCamera,
  HalfFloatType,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  Mesh,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  WebGLCubeRenderTarget,
  type WebGLRenderer,
} from 'three';
import type { Palette } from './palette.ts';

const VERTEX = /* glsl */ `
varying vec3 vRay;
void main() {
  vRay = position;
  vec4 p = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position = p.xyww;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uZenith, uHorizon, uBelow, uSunColor, uSun;
uniform float uRoughness;
varying vec3 vRay;

vec3 radiance(vec3 ray) {
  float up = ray.z;
  vec3 color = mix(uHorizon, uZenith, pow(clamp(up, 0.0, 1.0), 0.55));
  color = mix(color, uBelow, smoothstep(0.0, -0.12, up));
  float toward = max(0.0, dot(ray, uSun));
  return color + uSunColor * (0.16 * pow(toward, 24.0) + 0.10 * pow(toward, 4.0) * (1.0 - clamp(up, 0.0, 1.0)));
}

vec3 disc(vec3 ray) {
  return uSunColor * smoothstep(0.99955, 0.9998, dot(ray, uSun));
}

// What a surface of some roughness, seen along its normal, mirrors on the average: the lobe of GGX by
// half vectors on a spiral. Karis, Real shading in Unreal Engine 4, 2013.
vec3 mirrored(vec3 normal) {
  const int SAMPLES = 48;
  float a = uRoughness * uRoughness;
  vec3 side = normalize(abs(normal.z) < 0.9 ? cross(normal, vec3(0.0, 0.0, 1.0)) : cross(normal, vec3(1.0, 0.0, 0.0)));
  vec3 other = cross(normal, side);
  vec3 sum = vec3(0.0);
  float weights = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    float u = (float(i) + 0.5) / float(SAMPLES);
    float around = 2.399963 * float(i);
    float c = sqrt((1.0 - u) / (1.0 + (a * a - 1.0) * u));
    float s = sqrt(1.0 - c * c);
    vec3 ray = reflect(-normal, c * normal + s * (cos(around) * side + sin(around) * other));
    float weight = max(0.0, dot(ray, normal));
    sum += weight * radiance(ray);
    weights += weight;
  }
  return sum / weights;
}

void main() {
  vec3 ray = normalize(vRay);
  gl_FragColor = vec4(uRoughness > 0.0 ? mirrored(ray) : radiance(ray) + disc(ray), 1.0);
  #include <colorspace_fragment>
}`;

const MIRROR_SIZE = 64; // of the picture that shiny things mirror [pixels of a side of its cube]
const MIRROR_LEVELS = 4;

export class Sky {
  readonly mesh: Mesh<SphereGeometry, ShaderMaterial>;

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: BackSide,
      depthWrite: false,
      toneMapped: false,
      uniforms: {
        uZenith: { value: new Color() },
        uHorizon: { value: new Color() },
        uBelow: { value: new Color() },
        uSunColor: { value: new Color() },
        uSun: { value: new Vector3(0, 0, 1) },
        uRoughness: { value: 0 },
      },
    });
    this.mesh = new Mesh(new SphereGeometry(1, 12, 8), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  paint(palette: Palette, sun: Vector3): void {
    const u = this.mesh.material.uniforms;
    (u['uZenith']!.value as Color).set(palette.zenith);
    (u['uHorizon']!.value as Color).set(palette.horizon);
    (u['uBelow']!.value as Color).set(palette.below);
    (u['uSunColor']!.value as Color).set(palette.sun);
    (u['uSun']!.value as Vector3).copy(sun);
  }

  // A small picture of the dome that shiny things mirror: in smaller and smaller sizes for rougher and rougher ones, as
  // three.js filters environments. Its own filter would take seconds where pictures are drawn in software.
  environment(renderer: WebGLRenderer): WebGLCubeRenderTarget {
    const dome = new Mesh(this.mesh.geometry, this.mesh.material);
    dome.frustumCulled = false;
    const target = new WebGLCubeRenderTarget(MIRROR_SIZE, {
      minFilter: LinearMipmapLinearFilter,
      generateMipmaps: false,
      type: HalfFloatType,
      colorSpace: LinearSRGBColorSpace,
      depthBuffer: false,
    });
    const sizes = Array.from({ length: MIRROR_LEVELS }, (_, level) => MIRROR_SIZE >> level);
    const mipmaps = sizes.map((size) => ({ width: size, height: size }));
    Object.assign(target.texture, { mipmaps, isPMREMTexture: true });
    const camera = new CubeCamera(0.1, 10, target);
    const roughness = this.mesh.material.uniforms['uRoughness']!;
    for (const [level, size] of sizes.entries()) {
      roughness.value = 1 - Math.sqrt(1 - level / (MIRROR_LEVELS - 1));
      camera.activeMipmapLevel = level;
      target.viewport.set(0, 0, size, size);
      camera.update(renderer, dome);
    }
    roughness.value = 0;
    return target;
  }
}
