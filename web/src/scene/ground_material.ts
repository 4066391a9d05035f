// SPDX-License-Identifier: BSD-3-Clause
// The material of all ground: colours of the soils, rock where it is steep, unevenness too fine for the mesh, haze,
// contour lines and grid; and of ruts, shaded by depth.

import {
  Color,
  DataTexture,
  MeshLambertMaterial,
  RedFormat,
  RGBAFormat,
  type Texture,
  Vector2,
  Vector4,
  type IUniform,
} from 'three';
import { HORIZON_GLSL, type SkyUniforms } from './haze.ts';

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
  uMean: IUniform<Color>; // of all soils, far from the extent
  uWild: IUniform<number>; // 1: ground without a soil is grass, earth and rock; 0: it has the base colour
  uRough: IUniform<number>; // unevenness of ground without a soil, 0 to 1
  uNoise: IUniform<DataTexture>;
  uHaze: IUniform<number>; // extinction [1/m]
  uRoadShapes: IUniform<Texture>; // red road, green pavement, blue marking
  uRoadColours: IUniform<Texture>;
  uRoadExtent: IUniform<Vector4>;
  uImage: IUniform<Texture>; // what images on the ground show, times its alpha
  uImageExtent: IUniform<Vector4>;
  uCost: IUniform<DataTexture>; // what cells cost a vehicle: 0 to 100 of 255, more: unknown
  uCostOrigin: IUniform<Vector2>; // least x and y
  uCostCell: IUniform<number>; // side of a cell [m], 0: there is no map
  uPavement: IUniform<Color>;
  uMarking: IUniform<Color>;
}

export function blankTexture(): DataTexture {
  const texture = new DataTexture(new Uint8Array([0, 0, 0, 0]), 1, 1, RGBAFormat);
  texture.needsUpdate = true;
  return texture;
}

export function groundUniforms(sky: SkyUniforms, noise: DataTexture): GroundUniforms {
  const mask = new DataTexture(new Uint8Array([0]), 1, 1, RedFormat);
  mask.needsUpdate = true;
  return {
    ...sky,
    uExtent: { value: new Vector4(-1, -1, 1, 1) },
    uSoil: { value: blankTexture() },
    uBase: { value: new Color('#a3a399') },
    uLine: { value: new Color('#222222') },
    uLineAlpha: { value: 0.3 },
    uContour: { value: 0 },
    uGrid: { value: 0 },
    uMask: { value: mask },
    uMaskOrigin: { value: new Vector2() },
    uTileSpan: { value: 0 },
    uRutScale: { value: 0.1 },
    uMean: { value: new Color() },
    uWild: { value: 0 },
    uRough: { value: 0.15 },
    uNoise: { value: noise },
    uHaze: { value: 0 },
    uRoadShapes: { value: blankTexture() },
    uRoadColours: { value: blankTexture() },
    uRoadExtent: { value: new Vector4(0, 0, 1, 1) },
    uImage: { value: blankTexture() },
    uImageExtent: { value: new Vector4(0, 0, 1, 1) },
    uCost: { value: blankTexture() },
    uCostOrigin: { value: new Vector2() },
    uCostCell: { value: 0 },
    uPavement: { value: new Color('#ffffff') },
    uMarking: { value: new Color('#ffffff') },
  };
}

// Of the map of a vehicle, as they are on the screen.
export const MAP_FREE = '#37b6a6';
export const MAP_AVOIDED = '#ffb02e';
export const MAP_BLOCKED = '#dd2c2c';

function vec3(hex: string): string {
  const part = (k: number): string => (parseInt(hex.slice(k, k + 2), 16) / 255).toFixed(4);
  return `vec3(${part(1)}, ${part(3)}, ${part(5)})`;
}

const HEAD = /* glsl */ `
varying vec3 vGround;
varying vec4 vUp; // normal, and how open the place is to the sky
uniform vec4 uExtent;
uniform sampler2D uSoil, uMask, uNoise;
uniform vec3 uBase, uLine, uMean;
uniform float uLineAlpha, uContour, uGrid, uTileSpan, uRutScale, uWild, uRough, uHaze;
uniform vec2 uMaskOrigin;
uniform sampler2D uRoadShapes, uRoadColours;
uniform vec4 uRoadExtent;
uniform sampler2D uImage;
uniform vec4 uImageExtent;
uniform vec3 uPavement, uMarking;
uniform sampler2D uCost;
uniform vec2 uCostOrigin;
uniform float uCostCell;
${HORIZON_GLSL}
#ifdef RUT
varying float vDepth, vSpoil;
#endif
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
// Coverage by road, pavement and marking; from near with edges sharper than the picture's pixels.
vec3 roadAt(vec2 p) {
  vec2 uv = (p - uRoadExtent.xy) / (uRoadExtent.zw - uRoadExtent.xy);
  vec3 smoothly = texture2D(uRoadShapes, uv).rgb;
  vec2 texels = fwidth(uv * vec2(textureSize(uRoadShapes, 0)));
  vec3 half_ = clamp(0.5 * fwidth(smoothly), 0.02, 0.5);
  vec3 sharp = smoothstep(0.5 - half_, 0.5 + half_, smoothly);
  // from afar the outermost pixels of the picture are means of all of it: nothing of them beyond its edges
  vec2 within = clamp((0.5 - abs(uv - 0.5)) / max(fwidth(uv), 1e-9) + 0.5, 0.0, 1.0);
  return within.x * within.y * mix(sharp, smoothly, smoothstep(0.4, 0.9, max(texels.x, texels.y)));
}
// Colour of a cell of the map, times its alpha, and that.
vec4 costAt(ivec2 at, ivec2 size) {
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) return vec4(0.0);
  float cost = texelFetch(uCost, at, 0).r * 2.55;
  if (cost > 1.005) return vec4(0.0);
  // most ground that is avoided costs little
  float dear = min(1.0, sqrt(2.0 * cost));
  vec4 c = vec4(mix(${vec3(MAP_FREE)}, ${vec3(MAP_AVOIDED)}, dear), mix(0.34, 0.66, dear));
  if (cost > 0.995) c = vec4(${vec3(MAP_BLOCKED)}, 0.8);
  return vec4(c.rgb * c.a, c.a);
}
// Cells keep their shape, but their edges are as wide as a pixel.
vec4 mapAt(vec2 p) {
  ivec2 size = textureSize(uCost, 0);
  vec2 cell = (p - uCostOrigin) / uCostCell - 0.5;
  vec2 wide = clamp(fwidth(cell), 1e-4, 1.0);
  if (any(lessThan(cell, vec2(-1.0))) || any(greaterThan(cell, vec2(size)))) return vec4(0.0);
  vec2 part = clamp((fract(cell) - 0.5) / wide + 0.5, 0.0, 1.0);
  ivec2 at = ivec2(floor(cell));
  return mix(mix(costAt(at, size), costAt(at + ivec2(1, 0), size), part.x),
             mix(costAt(at + ivec2(0, 1), size), costAt(at + ivec2(1, 1), size), part.x), part.y);
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
  vec2 uv = (vGround.xy - uExtent.xy) / (uExtent.zw - uExtent.xy);
  bool inside = all(greaterThanEqual(uv, vec2(0.0))) && all(lessThanEqual(uv, vec2(1.0)));
  vec2 off = max(max(uExtent.xy - vGround.xy, vGround.xy - uExtent.zw), 0.0);
  float beyond = length(off) / (0.15 * min(uExtent.z - uExtent.x, uExtent.w - uExtent.y) + 4.0);
  float away = distance(cameraPosition, vGround);
  vec3 up = normalize(vUp.xyz);

  // Noise of several sizes, turned against each other, so that no tile is seen to repeat.
  // On slopes the finer ones are seen along the slope, so that they are not drawn out.
  float steep = smoothstep(0.85, 0.65, up.z);
  vec2 across = abs(up.x) > abs(up.y) ? vGround.yz : vGround.xz;
  mat2 turned = mat2(0.8, 0.6, -0.6, 0.8);
  vec4 tiny = mix(texture2D(uNoise, vGround.xy / 1.7), texture2D(uNoise, across / 1.7), steep);
  vec4 small = mix(texture2D(uNoise, turned * vGround.xy / 13.0), texture2D(uNoise, turned * across / 13.0), steep);
  vec4 large = texture2D(uNoise, mat2(0.6, -0.8, 0.8, 0.6) * vGround.xy / 140.0);
  vec4 vast = texture2D(uNoise, mat2(0.28, 0.96, -0.96, 0.28) * vGround.xy / 890.0);
  float near = exp(-away / 22.0);
  float middle = exp(-away / 160.0);

  // Ground without a soil: grass on earth, by large patches; rock where it is steeper than 35 degrees.
  float patches = 0.3 * vast.b + 0.3 * large.b + 0.3 * small.b + 0.1 * tiny.b;
  vec3 earth = mix(vec3(0.155, 0.108, 0.066), vec3(0.25, 0.19, 0.12), small.b);
  vec3 grass = mix(vec3(0.085, 0.098, 0.035), vec3(0.19, 0.185, 0.075), clamp(0.5 * tiny.b + 0.5 * small.b, 0.0, 1.0));
  vec3 wild = mix(earth, grass, smoothstep(0.36, 0.56, patches));
  wild = mix(wild, mix(vec3(0.18, 0.165, 0.145), vec3(0.33, 0.31, 0.28), small.a),
             smoothstep(0.84, 0.76, up.z + 0.12 * (small.b - 0.5)));
  vec3 ground = mix(uBase, wild, uWild);
  float rough = uRough;
  // alpha of a soil: half and its unevenness
  vec4 soil = texture2D(uSoil, clamp(uv, 0.0, 1.0));
  float named = min(1.0, 2.0 * soil.a);
  ground = mix(ground, mix(soil.rgb, uMean, min(1.0, beyond)), named);
  rough = mix(rough, 2.0 * soil.a - 1.0, named);

  vec2 onImage = (vGround.xy - uImageExtent.xy) / (uImageExtent.zw - uImageExtent.xy);
  if (all(equal(onImage, clamp(onImage, 0.0, 1.0)))) {
    vec4 image = texture2D(uImage, onImage);
    ground = image.rgb + (1.0 - image.a) * ground;
    rough = mix(rough, 0.1, image.a);
  }
  vec3 road = roadAt(vGround.xy);
  float sealed = max(road.r, road.g);
  vec2 onRoad = (vGround.xy - uRoadExtent.xy) / (uRoadExtent.zw - uRoadExtent.xy);
  ground = mix(ground, texture2D(uRoadColours, onRoad).rgb, road.r);
  ground = mix(ground, uPavement, road.g);
  ground = mix(ground, uMarking, road.b);
  rough = mix(rough, 0.12, max(sealed, road.b));

#ifdef RUT
  float pressed = clamp(vDepth / uRutScale, 0.0, 1.0);
  float heaped = clamp(-vDepth / (0.5 * uRutScale), 0.0, 1.0);
  // Beside a rut lies what wheels have pushed out: clods, dark since they were not dried by the sun.
  float fresh = vSpoil * (1.0 - sealed) * smoothstep(0.2, 0.6, vSpoil + 0.7 * (small.b - 0.5) + 0.9 * (tiny.b - 0.5));
  float grown = dot(ground, vec3(0.3, 0.6, 0.1));
  ground = mix(ground, mix(vec3(grown), vec3(0.155, 0.108, 0.066) * (0.6 + 2.0 * grown), 0.7), 0.6 * uWild * max(fresh, pressed));
  rough = rough * (1.0 - 0.6 * sqrt(pressed)) + 0.6 * max(fresh, heaped);
#endif
  rough = max(rough, 0.0);
  ground *= 1.0 + (0.25 + 0.55 * rough) * (0.6 * large.b + 0.4 * vast.b - 0.5) + (0.15 + 0.45 * rough) * (small.b - 0.5);
  ground *= 1.0 + near * ((0.2 + 0.5 * rough) * (tiny.b - 0.5) + (0.35 + 0.3 * rough) * (tiny.a - 0.5));
  // single stones, lighter than what lies around them
  ground *= 1.0 + 0.55 * near * rough * smoothstep(0.80, 0.86, tiny.a);
  ground *= vUp.w;
#ifdef RUT
  ground *= 1.0 - 0.40 * sqrt(pressed);
  ground *= 1.0 - 0.34 * fresh;
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

// Slopes that are finer than the mesh, of what lies around for centimetres and for a metre.
const NORMAL = /* glsl */ `
  vec2 slope = (tiny.rg - 0.5) * (0.12 + 1.5 * rough) * near + (small.rg - 0.5) * (0.05 + 0.8 * rough) * middle;
  normal = normalize((viewMatrix * vec4(normalize(up - vec3(slope, 0.0)), 0.0)).xyz);`;

const HAZE = /* glsl */ `
  if (uCostCell > 0.0) {
    // a part of the light falls on it, so that shadows stay
    vec4 map = mapAt(vGround.xy);
    gl_FragColor.rgb = gl_FragColor.rgb * (1.0 - map.a) + map.rgb * (0.72 + 0.28 * smoothstep(0.1, 0.6, gl_FragColor.g));
  }
  vec3 sky = linearToOutputTexel(vec4(horizonColour(vGround - cameraPosition), 1.0)).rgb;
  gl_FragColor.rgb = mix(sky, gl_FragColor.rgb, exp(-uHaze * away));`;

export function groundMaterial(uniforms: GroundUniforms, rut: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ fog: false });
  if (rut) material.defines = { RUT: '' };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
varying vec3 vGround;
varying vec4 vUp;
attribute float shade; // 0 in the open, more in hollows
#ifdef RUT
attribute float depth, spoil;
varying float vDepth, vSpoil;
#endif`,
      )
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
vGround = (modelMatrix * vec4(transformed, 1.0)).xyz;
#ifdef RUT
vUp = vec4(objectNormal, 1.0);
#else
vUp = vec4(objectNormal, 1.0 - shade);
#endif
#ifdef RUT
vDepth = depth;
vSpoil = spoil;
#endif`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${HEAD}`)
      .replace('#include <color_fragment>', BODY)
      .replace('#include <normal_fragment_maps>', NORMAL)
      .replace('#include <fog_fragment>', HAZE);
  };
  material.customProgramCacheKey = () => (rut ? 'rut' : 'ground');
  return material;
}
