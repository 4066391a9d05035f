// SPDX-License-Identifier: BSD-3-Clause
// Haze towards the colour of the sky at the horizon, for all materials: light that crosses a distance d keeps
// exp(-b d) (Koschmieder, 1924; three.js has the square of d). b = 3.912 / visibility.

import { FogExp2, ShaderChunk, Vector3, Color, type IUniform } from 'three';
import type { Weather } from '../stream/scene.ts';

export const KOSCHMIEDER = 3.912; // -ln 0.02: contrast at the limit of visibility

export interface SkyUniforms {
  [name: string]: IUniform;
  uHorizon: IUniform<Color>;
  uSunColor: IUniform<Color>;
  uSun: IUniform<Vector3>;
}

export function skyUniforms(): SkyUniforms {
  return {
    uHorizon: { value: new Color() },
    uSunColor: { value: new Color() },
    uSun: { value: new Vector3(0, 0, 1) },
  };
}

// Shared by the sky and the ground, so that both meet without a line.
export const HORIZON_GLSL = /* glsl */ `
uniform vec3 uHorizon, uSunColor, uSun;
vec3 glow(vec3 ray) {
  float toward = max(0.0, dot(ray, uSun));
  float near = toward * toward * toward * toward;
  return uSunColor * (0.14 * pow(toward, 24.0) + 0.10 * near * (1.0 - clamp(ray.z, 0.0, 1.0)));
}
vec3 horizonColour(vec3 ray) {
  vec3 level = normalize(vec3(ray.xy, 0.0));
  return uHorizon + glow(level);
}`;

ShaderChunk.fog_fragment = /* glsl */ `
#ifdef USE_FOG
  #ifdef FOG_EXP2
    float fogFactor = 1.0 - exp(-fogDensity * vFogDepth);
  #else
    float fogFactor = smoothstep(fogNear, fogFar, vFogDepth);
  #endif
  gl_FragColor.rgb = mix(gl_FragColor.rgb, fogColor, fogFactor);
#endif`;

// Share of light that the air leaves of what comes from the sky, by the sine of its elevation.
export function clearness(weather: Weather, rise: number): number {
  return Math.exp((-weather.extinction * weather.height) / Math.max(rise, 1e-4));
}

export function hazeOf(visibility: number): FogExp2 {
  return new FogExp2('#ffffff', KOSCHMIEDER / visibility);
}
