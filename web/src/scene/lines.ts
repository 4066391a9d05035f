// SPDX-License-Identifier: BSD-3-Clause
// Lines of a width in pixels, many in one draw call, written into a ring.

import { Color, type InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

export class LineRing {
  readonly object: LineSegments2;
  private next = 0;
  private used = 0;

  constructor(
    private readonly capacity: number,
    width: number,
    opacity = 1,
  ) {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(new Float32Array(capacity * 6));
    geometry.setColors(new Float32Array(capacity * 6));
    geometry.instanceCount = 0;
    const material = new LineMaterial({
      linewidth: width,
      vertexColors: true,
      transparent: opacity < 1,
      opacity,
      polygonOffset: true,
      polygonOffsetFactor: -6,
      polygonOffsetUnits: -12,
    });
    this.object = new LineSegments2(geometry, material);
    this.object.frustumCulled = false;
  }

  add(from: number[], to: number[], color: Color): void {
    const at = this.next * 6;
    this.write('instanceStart', at, [...from, ...to]);
    this.write('instanceColorStart', at, [color.r, color.g, color.b, color.r, color.g, color.b]);
    this.next = (this.next + 1) % this.capacity;
    this.used = Math.min(this.capacity, this.used + 1);
    this.object.geometry.instanceCount = this.used;
  }

  clear(): void {
    this.next = this.used = 0;
    this.object.geometry.instanceCount = 0;
  }

  private write(name: string, at: number, values: number[]): void {
    const attribute = this.object.geometry.getAttribute(name) as InterleavedBufferAttribute;
    const data = attribute.data;
    (data.array as Float32Array).set(values, at);
    data.addUpdateRange(at, values.length);
    data.needsUpdate = true;
  }
}
