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
  WebGLCubeRenderTarget,
  type DataTexture,
  type Vector3,
  type WebGLRenderer,
} from 'three';
import { HORIZON_GLSL, type SkyUniforms } from './haze.ts';
import type { Weather } from '../stream/scene.ts';
import { clearness } from './haze.ts';
import type { Daylight } from './palette.ts';

const VERTEX = /* glsl */ `
varying vec3 vRay;
void main() {
  vRay = position;
  vec4 p = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position = p.xyww;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uZenith, uBelow, uLit;
uniform float uRoughness, uClouds, uAir;
uniform sampler2D uNoise;
varying vec3 vRay;
${HORIZON_GLSL}

vec3 radiance(vec3 ray) {
  float up = ray.z;
  vec3 color = mix(uHorizon, uZenith, pow(clamp(up, 0.0, 1.0), 0.5));
  color = mix(color, uBelow, smoothstep(-0.02, -0.3, up));
  return color + glow(ray);
}

// Through fog or rain, whose light is that of the horizon, as cameras have it.
vec3 hazy(vec3 ray, vec3 sky) {
  return mix(uHorizon, sky, exp(-uAir / max(ray.z, 1e-4)));
}

vec3 disc(vec3 ray) {
  return uSunColor * smoothstep(0.99955, 0.9998, dot(ray, uSun));
}

// Thin clouds on a level plane; they dissolve in the haze.
vec3 clouded(vec3 ray, vec3 sky) {
  vec2 at = ray.xy / (max(ray.z, 0.0) + 0.12);
  float shape = 0.62 * texture2D(uNoise, at * 0.055 + 0.2).b + 0.38 * texture2D(uNoise, at * vec2(0.21, 0.17)).b;
  float cover = smoothstep(0.47, 0.82, shape) * smoothstep(0.02, 0.30, ray.z) * uClouds;
  return mix(sky, mix(uHorizon, uLit, 0.45) * 1.06, cover);
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
    sum += weight * hazy(ray, radiance(ray));
    weights += weight;
  }
  return sum / weights;
}

void main() {
  vec3 ray = normalize(vRay);
  gl_FragColor = vec4(uRoughness > 0.0 ? mirrored(ray) : hazy(ray, clouded(ray, radiance(ray))) + disc(ray), 1.0);
  #include <colorspace_fragment>
}`;

const MIRROR_SIZE = 64; // of the picture that shiny things mirror [pixels of a side of its cube]
const MIRROR_LEVELS = 4;

export class Sky {
  readonly mesh: Mesh<SphereGeometry, ShaderMaterial>;

  constructor(
    private readonly shared: SkyUniforms,
    noise: DataTexture,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: BackSide,
      depthWrite: false,
      toneMapped: false,
      uniforms: {
        ...shared,
        uZenith: { value: new Color() },
        uBelow: { value: new Color() },
        uLit: { value: new Color() },
        uAir: { value: 0 },
        uRoughness: { value: 0 },
        uClouds: { value: 0 },
        uNoise: { value: noise },
      },
    });
    this.mesh = new Mesh(new SphereGeometry(1, 12, 8), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  paint(light: Daylight, sun: Vector3, weather: Weather): void {
    const u = this.mesh.material.uniforms;
    (u['uZenith']!.value as Color).copy(light.zenith);
    (u['uBelow']!.value as Color).copy(light.below);
    u['uClouds']!.value = light.clouds;
    this.shared.uHorizon.value.copy(light.horizon);
    const lit = u['uLit']!.value as Color;
    lit.copy(light.sun).multiplyScalar(Math.min(1, light.sunPower / 2));
    this.shared.uSunColor.value.copy(lit).multiplyScalar(clearness(weather, sun.z));
    u['uAir']!.value = weather.extinction * weather.height;
    this.shared.uSun.value.copy(sun);
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
