// SPDX-License-Identifier: BSD-3-Clause
// Names above vehicles: one texture with all texts, one draw call, constant size on the screen.

import {
  CanvasTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  Vector2,
} from 'three';
import type { Palette } from './palette.ts';

const VERTEX = /* glsl */ `
attribute vec3 anchor;
attribute vec4 area; // left, top, width, height in the texture
attribute vec2 extent; // [px]
uniform vec2 uViewport;
varying vec2 vUv;
void main() {
  vec4 p = projectionMatrix * viewMatrix * vec4(anchor, 1.0);
  vec2 corner = position.xy + vec2(0.0, 0.5);
  p.xy += corner * extent * 2.0 / uViewport * p.w;
  vUv = vec2(area.x + (position.x + 0.5) * area.z, 1.0 - (area.y + (0.5 - position.y) * area.w));
  gl_Position = p;
}`;

const FRAGMENT = /* glsl */ `
uniform sampler2D uTexts;
varying vec2 vUv;
void main() {
  vec4 c = texture2D(uTexts, vUv);
  if (c.a < 0.02) discard;
  gl_FragColor = vec4(c.rgb / max(c.a, 1e-3), c.a);
  #include <colorspace_fragment>
}`;

const SCALE = 2;
const ROW = 22;
const COLUMNS = 4;
const WIDTH = 240;

export class Labels {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly canvas = document.createElement('canvas');
  private readonly anchors: InstancedBufferAttribute;
  private readonly areas: InstancedBufferAttribute;
  private readonly extents: InstancedBufferAttribute;

  constructor(private readonly texts: { text: string; color: string }[]) {
    const count = texts.length;
    const rows = Math.max(1, Math.ceil(count / COLUMNS));
    this.canvas.width = WIDTH * COLUMNS * SCALE;
    this.canvas.height = Math.min(8192, rows * ROW * SCALE);
    const geometry = new InstancedBufferGeometry();
    const plane = new PlaneGeometry(1, 1);
    geometry.index = plane.index;
    geometry.setAttribute('position', plane.getAttribute('position'));
    this.anchors = new InstancedBufferAttribute(new Float32Array(count * 3), 3);
    this.areas = new InstancedBufferAttribute(new Float32Array(count * 4), 4);
    this.extents = new InstancedBufferAttribute(new Float32Array(count * 2), 2);
    geometry.setAttribute('anchor', this.anchors);
    geometry.setAttribute('area', this.areas);
    geometry.setAttribute('extent', this.extents);
    geometry.instanceCount = count;
    const texture = new CanvasTexture(this.canvas);
    texture.minFilter = LinearFilter;
    texture.generateMipmaps = false;
    texture.premultiplyAlpha = true;
    texture.colorSpace = 'srgb';
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
      uniforms: { uTexts: { value: texture }, uViewport: { value: new Vector2(1, 1) } },
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
    this.mesh.visible = count > 0;
  }

  paint(palette: Palette): void {
    const g = this.canvas.getContext('2d');
    if (!g) return;
    const [w, h] = [this.canvas.width, this.canvas.height];
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, w, h);
    g.scale(SCALE, SCALE);
    g.font = '600 12px system-ui, sans-serif';
    g.textBaseline = 'middle';
    this.texts.forEach(({ text, color }, i) => {
      const [x, y] = [(i % COLUMNS) * WIDTH, Math.floor(i / COLUMNS) * ROW];
      const width = Math.min(WIDTH - 4, Math.ceil(g.measureText(text).width) + 25);
      g.fillStyle = palette.labelBack;
      g.beginPath();
      g.roundRect(x + 1, y + 1, width - 2, ROW - 3, 6);
      g.fill();
      g.fillStyle = color;
      g.beginPath();
      g.arc(x + 10.5, y + ROW / 2 - 0.5, 4, 0, 7);
      g.fill();
      g.fillStyle = palette.label;
      g.fillText(text, x + 19, y + ROW / 2, WIDTH - 26);
      const [cw, ch] = [w / SCALE, h / SCALE];
      this.areas.setXYZW(i, x / cw, y / ch, width / cw, ROW / ch);
      this.extents.setXY(i, width, ROW);
    });
    this.areas.needsUpdate = true;
    this.extents.needsUpdate = true;
    (this.mesh.material.uniforms['uTexts']!.value as CanvasTexture).needsUpdate = true;
  }

  place(i: number, x: number, y: number, z: number): void {
    this.anchors.setXYZ(i, x, y, z);
    this.anchors.needsUpdate = true;
  }

  // Size of the view that is drawn next [CSS px].
  viewport(width: number, height: number): void {
    (this.mesh.material.uniforms['uViewport']!.value as Vector2).set(width, height);
    this.mesh.material.uniformsNeedUpdate = true;
  }
}
