// SPDX-License-Identifier: BSD-3-Clause
// The material of grass: blades that are lit as the ground is, darker at the foot; tufts shrink before they are left out.

import { MeshLambertMaterial } from 'three';

export interface Thinning {
  full: number; // distance up to which all tufts are there [m]
  thin: number; // power of the distance with which they become fewer
  reach: number; // where the last end [m]
}

const glsl = (x: number): string => x.toFixed(4);

export function grassMaterial({ full, thin, reach }: Thinning): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
attribute vec4 place; // x y z, rank
attribute vec4 look; // heading, size, colour: red and green in one number, blue
varying vec3 vBlade;`,
      )
      .replace(
        '#include <begin_vertex>',
        `
float away = distance(cameraPosition, place.xyz);
float wanted = pow(min(1.0, ${glsl(full)} / away), ${glsl(thin)});
float grown = clamp((wanted - place.w) / (0.25 * wanted), 0.0, 1.0) * smoothstep(${glsl(reach)}, ${glsl(0.75 * reach)}, away);
float c = cos(look.x), s = sin(look.x);
vec3 blade = vec3(mat2(c, s, -s, c) * position.xy * (1.0 + away / ${glsl(2.5 * full)}), position.z);
vec3 transformed = place.xyz + look.y * grown * blade;
vec3 tint = vec3(floor(look.z) / 255.0, fract(look.z), look.w);
vBlade = tint * mix(0.5, 1.9, position.z);`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vBlade;')
      .replace('#include <color_fragment>', 'diffuseColor.rgb = vBlade;')
      // blades have the light of the ground on both sides
      .replace('#include <normal_fragment_begin>', 'vec3 normal = normalize(vNormal);');
  };
  material.customProgramCacheKey = () => `grass ${full} ${thin} ${reach}`;
  return material;
}
