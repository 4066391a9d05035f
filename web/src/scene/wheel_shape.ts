// SPDX-License-Identifier: BSD-3-Clause
// A wheel from radius and width: rounded tyre with lugs, and a rim with spokes, so that spin is seen. Axis y.

import { BoxGeometry, CylinderGeometry, LatheGeometry, Vector2, type BufferGeometry } from 'three';
import { merged, tinted } from './shapes.ts';

const RUBBER = '#1b1d1f';
const LUG = '#27292b';
const STEEL = '#aab0b5';
const DISH = '#3a3f44';

function lathe(points: [number, number][], segments: number, color: string): BufferGeometry {
  return tinted(
    new LatheGeometry(
      points.map(([r, y]) => new Vector2(r, y)),
      segments,
    ),
    color,
  );
}

function lugs(radius: number, width: number, count: number): BufferGeometry[] {
  const parts: BufferGeometry[] = [];
  const height = 0.09 * radius;
  for (let i = 0; i < count; i++)
    for (const side of [-1, 1]) {
      const lug = new BoxGeometry(((2 * Math.PI * radius) / count) * 0.46, width * 0.44, height);
      lug.rotateZ(side * 0.3);
      lug.translate(0, side * width * 0.24, radius - height / 2);
      lug.rotateY(((i + (side > 0 ? 0.5 : 0)) / count) * 2 * Math.PI);
      parts.push(tinted(lug, LUG));
    }
  return parts;
}

export function wheelShape(radius: number, width: number, plain: boolean): BufferGeometry {
  const r = radius;
  const w = width / 2;
  const segments = plain ? 20 : 36;
  const rim = 0.6 * r;
  const base = plain ? r : 0.955 * r;
  const tyre: [number, number][] = [
    [rim * 0.96, -0.72 * w],
    [rim * 1.02, -0.86 * w],
    [0.78 * r, -1.0 * w],
    [0.9 * r, -0.97 * w],
    [base, -0.78 * w],
    [base, 0.78 * w],
    [0.9 * r, 0.97 * w],
    [0.78 * r, 1.0 * w],
    [rim * 1.02, 0.86 * w],
    [rim * 0.96, 0.72 * w],
  ];
  const parts = [lathe(tyre, segments, RUBBER)];
  if (!plain)
    parts.push(...lugs(r, width * 0.96, Math.max(14, Math.round(20 - 4 * Math.min(1, width / r)))));

  const dish = new CylinderGeometry(rim * 0.97, rim * 0.97, w * 0.7, segments);
  parts.push(tinted(dish, DISH));
  const spokes = 5;
  for (const side of [-1, 1]) {
    parts.push(
      lathe(
        side > 0
          ? [
              [rim * 0.97, 0.72 * w],
              [rim * 0.86, 0.62 * w],
              [rim * 0.86, 0.34 * w],
            ]
          : [
              [rim * 0.86, -0.34 * w],
              [rim * 0.86, -0.62 * w],
              [rim * 0.97, -0.72 * w],
            ],
        segments,
        STEEL,
      ),
    );
    for (let i = 0; i < spokes; i++) {
      const spoke = new BoxGeometry(0.22 * rim, w * 0.16, rim * 0.72);
      spoke.translate(0, side * w * 0.42, rim * 0.52);
      spoke.rotateY((i / spokes) * 2 * Math.PI);
      parts.push(tinted(spoke, STEEL));
    }
    const hub = new CylinderGeometry(rim * 0.26, rim * 0.26, w * 0.24, 14);
    hub.translate(0, side * w * 0.46, 0);
    parts.push(tinted(hub, '#c9ced2'));
    // One mark, so that even a fast or thin wheel shows its angle.
    const mark = new BoxGeometry(0.12 * rim, w * 0.05, rim * 0.34);
    mark.translate(0, side * w * 0.52, rim * 0.66);
    parts.push(tinted(mark, '#e8902e'));
  }
  return merged(parts);
}
