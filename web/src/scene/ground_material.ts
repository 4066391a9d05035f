// SPDX-License-Identifier: BSD-3-Clause
// The material of all ground: soil colours, contour lines, grid, fine structure; and of ruts, shaded by depth.

import {
  Color,
  DataTexture,
  MeshLambertMaterial,
  RedFormat,
  RGBAFormat,
  Vector2,
  Vector4,
  type IUniform,
} from 'three';

export interface GroundUniforms {
  [name: string]: IUniform;
  uExtent: IUniform<Vector4>;
  uSoil: IUniform<DataTexture>;
  uBase: IUniform<Color>;
  uLine: IUniform<Color>;
  uLineAlpha: IUniform<number>;
  uContour: IUniform<number>; // interval [m], 0: none
  uGrid: IUniform<number>; // cell [m], 0: none
  uMask: IUniform<DataTexture>; // where fine tiles stand
  uMaskOrigin: IUniform<Vector2>; // in tiles
  uTileSpan: IUniform<number>; // [m], 0: no tiles
  uRutScale: IUniform<number>; // depth of full shade [m]
}

export function blankTexture(): DataTexture {
  const texture = new DataTexture(new Uint8Array([0, 0, 0, 0]), 1, 1, RGBAFormat);
  texture.needsUpdate = true;
  return texture;
}

export function groundUniforms(): GroundUniforms {
  const mask = new DataTexture(new Uint8Array([0]), 1, 1, RedFormat);
  mask.needsUpdate = true;
  return {
    uExtent: { value: new Vector4(-1, -1, 1, 1) },
    uSoil: { value: blankTexture() },
    uBase: { value: new Color('#b3b5a8') },
    uLine: { value: new Color('#222222') },
    uLineAlpha: { value: 0.3 },
    uContour: { value: 0 },
    uGrid: { value: 0 },
    uMask: { value: mask },
    uMaskOrigin: { value: new Vector2() },
    uTileSpan: { value: 0 },
    uRutScale: { value: 0.1 },
  };
}

const HEAD = /* glsl */ `
varying vec3 vGround;
uniform vec4 uExtent;
uniform sampler2D uSoil, uMask;
uniform vec3 uBase, uLine;
uniform float uLineAlpha, uContour, uGrid, uTileSpan, uRutScale;
uniform vec2 uMaskOrigin;
#ifdef RUT
varying float vDepth;
#endif

float hash2(vec2 p) {
  p = fract(p * vec2(123.34, 456.21));
  p += dot(p, p + 45.32);
  return fract(p.x * p.y);
}
float noise2(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash2(i), hash2(i + vec2(1, 0)), f.x),
             mix(hash2(i + vec2(0, 1)), hash2(i + vec2(1, 1)), f.x), f.y);
}
#ifndef RUT
bool covered(vec2 p) {
  ivec2 at = ivec2(floor(p / uTileSpan) - uMaskOrigin);
  ivec2 size = textureSize(uMask, 0);
  return at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y && texelFetch(uMask, at, 0).r > 0.5;
}
#endif
// Share of a pixel that a line at whole numbers of v covers; fades out where lines would merge.
float lineAt(float v, float pixels) {
  float d = fwidth(v);
  float away = abs(fract(v - 0.5) - 0.5) / max(d, 1e-6);
  return (1.0 - smoothstep(pixels - 0.5, pixels + 0.5, away)) * (1.0 - smoothstep(0.12, 0.4, d));
}
float gridAt(vec2 p, float cell, float pixels) {
  return max(lineAt(p.x / cell, pixels), lineAt(p.y / cell, pixels));
}`;

const BODY = /* glsl */ `
#ifndef RUT
  if (uTileSpan > 0.0) {
    // A rim of about a pixel stays below the edges of tiles, so that no gap shines through.
    vec2 rim = max(vec2(0.002 * uTileSpan), 0.8 * fwidth(vGround.xy));
    if (covered(vGround.xy) && covered(vGround.xy + rim) && covered(vGround.xy - rim) &&
        covered(vGround.xy + rim * vec2(1, -1)) && covered(vGround.xy - rim * vec2(1, -1)))
      discard;
  }
#endif
  vec3 ground = uBase;
  vec2 uv = (vGround.xy - uExtent.xy) / (uExtent.zw - uExtent.xy);
  bool inside = all(greaterThanEqual(uv, vec2(0.0))) && all(lessThanEqual(uv, vec2(1.0)));
  vec4 soil = texture2D(uSoil, clamp(uv, 0.0, 1.0));
  ground = mix(ground, soil.rgb, soil.a);
  if (!inside) ground *= 0.96;

  float texel = length(fwidth(vGround.xy));
  float coarse = noise2(vGround.xy * 0.22) - 0.5;
  float fine = (noise2(vGround.xy * 2.3) - 0.5) * (1.0 - smoothstep(0.1, 0.6, texel));
  float grain = (noise2(vGround.xy * 19.0) - 0.5) * (1.0 - smoothstep(0.01, 0.06, texel));
  ground *= 1.0 + 0.14 * coarse + 0.09 * fine + 0.14 * grain;

#ifdef RUT
  float pressed = clamp(vDepth / uRutScale, 0.0, 1.0);
  float heaped = clamp(-vDepth / (0.5 * uRutScale), 0.0, 1.0);
  ground = mix(ground, ground * vec3(0.50, 0.44, 0.38), sqrt(pressed) * 0.85);
  ground = mix(ground, ground * 1.12, heaped * 0.6);
#endif

  if (uContour > 0.0) {
    float minor = lineAt(vGround.z / uContour, 0.55);
    float major = lineAt(vGround.z / (5.0 * uContour), 0.95);
    ground = mix(ground, uLine, uLineAlpha * max(0.5 * minor, major));
  }
  if (uGrid > 0.0) {
    float lines = max(0.35 * gridAt(vGround.xy, uGrid, 0.5), 0.75 * gridAt(vGround.xy, uGrid * 10.0, 0.7));
    ground = mix(ground, uLine, uLineAlpha * (inside ? lines : 0.55 * lines));
  }
  diffuseColor.rgb = ground;`;

export function groundMaterial(uniforms: GroundUniforms, rut: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  if (rut) material.defines = { RUT: '' };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
varying vec3 vGround;
#ifdef RUT
attribute float depth;
varying float vDepth;
#endif`,
      )
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
vGround = (modelMatrix * vec4(transformed, 1.0)).xyz;
#ifdef RUT
vDepth = depth;
#endif`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${HEAD}`)
      .replace('#include <color_fragment>', BODY);
  };
  material.customProgramCacheKey = () => (rut ? 'rut' : 'ground');
  return material;
}
