// SPDX-License-Identifier: BSD-3-Clause
// Helpers for made geometry: boxes, prisms and faces in one colour each, merged into one mesh.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ExtrudeGeometry,
  Matrix4,
  Shape,
} from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Pair } from '../stream/scene.ts';

export function tinted(geometry: BufferGeometry, color: string): BufferGeometry {
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  plain.deleteAttribute('uv');
  const count = plain.getAttribute('position').count;
  const c = new Color(color);
  const colors = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) c.toArray(colors, i * 3);
  plain.setAttribute('color', new BufferAttribute(colors, 3));
  return plain;
}

// One mesh, whose corners with the same normal and colour are one: half as many to be shaded.
export function merged(parts: BufferGeometry[]): BufferGeometry {
  const all = parts.length ? mergeVertices(mergeGeometries(parts)) : new BufferGeometry();
  for (const part of parts) part.dispose();
  return all;
}

export function box(size: [number, number, number], at: [number, number, number]): BufferGeometry {
  const g = new BoxGeometry(...size);
  g.translate(...at);
  return g;
}

export function shapeOf(points: Pair[]): Shape {
  const shape = new Shape();
  points.forEach(([x, y], i) => (i ? shape.lineTo(x, y) : shape.moveTo(x, y)));
  return shape;
}

// Upright prism over an outline, its edges broken by a bevel that stays inside.
export function prism(points: Pair[], z: Pair, bevel: number): BufferGeometry {
  const height = Math.max(1e-3, z[1] - z[0]);
  const b = Math.min(bevel, height * 0.45);
  const g = new ExtrudeGeometry(shapeOf(points), {
    depth: height - 2 * b,
    bevelEnabled: b > 0,
    bevelThickness: b,
    bevelSize: b,
    bevelOffset: -b,
    bevelSegments: 2,
    steps: 1,
  });
  g.translate(0, 0, z[0] + b);
  return g;
}

// Prism across the vehicle: its profile is given in x (forward) and z, it reaches from -width/2 to width/2 in y.
export function crossPrism(profile: Pair[], width: number, bevel: number): BufferGeometry {
  const b = Math.min(bevel, width * 0.3);
  const g = new ExtrudeGeometry(shapeOf(profile), {
    depth: width - 2 * b,
    bevelEnabled: b > 0,
    bevelThickness: b,
    bevelSize: b,
    bevelOffset: -b,
    bevelSegments: 3,
    steps: 1,
  });
  g.translate(0, 0, -width / 2 + b);
  // Shape x, y, z become x, z, -y.
  g.applyMatrix4(new Matrix4().set(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1));
  return g;
}

// Flat face through points that are in one plane, as a fan.
export function face(points: [number, number, number][]): BufferGeometry {
  const list: number[] = [];
  for (let i = 1; i + 1 < points.length; i++)
    list.push(...points[0]!, ...points[i]!, ...points[i + 1]!);
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(list), 3));
  g.setAttribute('uv', new BufferAttribute(new Float32Array((list.length / 3) * 2), 2));
  g.computeVertexNormals();
  return g;
}

export interface Box2 {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

export function boundsOf(points: Pair[]): Box2 {
  const b = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  for (const [x, y] of points) {
    b.x0 = Math.min(b.x0, x);
    b.x1 = Math.max(b.x1, x);
    b.y0 = Math.min(b.y0, y);
    b.y1 = Math.max(b.y1, y);
  }
  return points.length ? b : { x0: -0.5, x1: 0.5, y0: -0.3, y1: 0.3 };
}

export function areaOf(points: Pair[]): number {
  let sum = 0;
  points.forEach(([x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    sum += x * v - u * y;
  });
  return Math.abs(sum) / 2;
}
