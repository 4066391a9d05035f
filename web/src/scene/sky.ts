// SPDX-License-Identifier: BSD-3-Clause
// A dome with a gradient and the sun, drawn behind everything, and the light it sheds on shiny things.

import {
  BackSide,
  Color,
  Mesh,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  type Texture,
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
varying vec3 vRay;
void main() {
  vec3 ray = normalize(vRay);
  float up = ray.z;
  vec3 color = mix(uHorizon, uZenith, pow(clamp(up, 0.0, 1.0), 0.55));
  color = mix(color, uBelow, smoothstep(0.0, -0.12, up));
  float toward = max(0.0, dot(ray, uSun));
  color += uSunColor * (0.16 * pow(toward, 24.0) + 0.10 * pow(toward, 4.0) * (1.0 - clamp(up, 0.0, 1.0)));
  color += uSunColor * smoothstep(0.99955, 0.9998, toward);
  gl_FragColor = vec4(color, 1.0);
  #include <colorspace_fragment>
}`;

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
      },
    });
    this.mesh = new Mesh(new SphereGeometry(1, 32, 24), material);
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

  // A small blurred picture of the dome, that shiny things mirror.
  environment(renderer: WebGLRenderer): Texture {
    const scene = new Scene();
    const dome = new Mesh(this.mesh.geometry, this.mesh.material);
    dome.frustumCulled = false;
    scene.add(dome);
    const generator = new PMREMGenerator(renderer);
    const target = generator.fromScene(scene, 0, 0.1, 10, { size: 64 });
    generator.dispose();
    return target.texture;
  }
}
