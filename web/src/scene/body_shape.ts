// SPDX-License-Identifier: BSD-3-Clause
// A body for vehicles that bring no mesh: built from outline, heights and the places of the wheels. Large
// vehicles get bonnet, cabin and lamps, small ones a deck with an arrow; both show where the front is.

import { CylinderGeometry, ShapeGeometry, type BufferGeometry } from 'three';
import type { Pair } from '../stream/scene.ts';
import {
  areaOf,
  boundsOf,
  box,
  crossPrism,
  face,
  merged,
  prism,
  shapeOf,
  tinted,
} from './shapes.ts';

export interface WheelPlace {
  x: number;
  y: number;
  z: number;
  radius: number;
  width: number;
}

export interface BodyPlan {
  outline: Pair[];
  z: Pair;
  wheels: WheelPlace[];
  driven: boolean; // false: a trailer, which has no face
  lasers: [number, number, number][];
}

export interface Body {
  paint: BufferGeometry; // takes the vehicle's colour
  trim: BufferGeometry; // has its own colours
}

const DARK = '#22262a';
const GLASS = '#10171d';
const LAMP = '#fff3cf';
const TAIL = '#d8352a';

interface Frame {
  x0: number;
  length: number;
  width: number;
  middle: number; // y
  z0: number;
  height: number;
}

// Walks the underside of a profile from front to rear and goes around the wheels that reach into the body.
function underside(
  f: Frame,
  wheels: WheelPlace[],
  front: number,
  rear: number,
  ceiling: number,
): Pair[] {
  const bottom = f.z0;
  const arches = new Map<number, { x: number; z: number; r: number }>();
  for (const w of wheels) {
    if (Math.abs(w.y - f.middle) - w.width / 2 > f.width / 2) continue;
    const r = Math.min(w.radius * 1.16 + 0.01, ceiling - w.z);
    if (r > 0 && Math.abs(w.z - bottom) < r)
      arches.set(Math.round(w.x * 100), { x: w.x, z: w.z, r });
  }
  const points: Pair[] = [[front, bottom]];
  for (const a of [...arches.values()].sort((p, q) => q.x - p.x)) {
    const half = Math.asin(Math.max(-1, Math.min(1, (bottom - a.z) / a.r)));
    for (let i = 0; i <= 14; i++) {
      const angle = half + (i / 14) * (Math.PI - 2 * half);
      const x = a.x + a.r * Math.cos(angle);
      const z = a.z + a.r * Math.sin(angle);
      if (x < front - 0.01 && x > rear + 0.01) points.push([x, Math.max(bottom, z)]);
    }
  }
  points.push([rear, bottom]);
  return points;
}

// Fills the space between the wheels, where the arches have cut through the whole width.
function tub(f: Frame, wheels: WheelPlace[], top: number): BufferGeometry | null {
  const inner = Math.min(...wheels.map((w) => Math.abs(w.y - f.middle) - w.width / 2), f.width / 2);
  const half = inner - 0.06 * f.width;
  if (half < 0.1 * f.width) return null;
  const at = f.x0 + f.length / 2;
  return tinted(
    box([f.length * 0.9, 2 * half, top - f.z0], [at, f.middle, (f.z0 + top) / 2]),
    DARK,
  );
}

function lamps(f: Frame, z: number, size: number): BufferGeometry[] {
  const parts: BufferGeometry[] = [];
  const [front, rear] = [f.x0 + f.length, f.x0];
  for (const side of [-1, 1]) {
    const y = f.middle + side * f.width * 0.37;
    parts.push(
      tinted(box([0.03 * size, 0.13 * f.width, 0.1 * size], [front - 0.004 * size, y, z]), LAMP),
    );
    parts.push(
      tinted(box([0.03 * size, 0.1 * f.width, 0.08 * size], [rear + 0.004 * size, y, z]), TAIL),
    );
  }
  return parts;
}

function truck(f: Frame, plan: BodyPlan): Body {
  const px = (u: number): number => f.x0 + u * f.length;
  const pz = (v: number): number => f.z0 + v * f.height;
  const bevel = 0.035 * f.height;
  const belt = 0.56;
  const lower: Pair[] = [
    ...underside(f, plan.wheels, px(0.985), px(0.015), pz(belt - 0.05)),
    [px(0), pz(0.16)],
    [px(0.012), pz(belt)],
    [px(0.72), pz(belt)],
    [px(0.975), pz(belt - 0.055)],
    [px(1), pz(belt - 0.12)],
    [px(1), pz(0.14)],
  ];
  const body = crossPrism(lower, f.width, bevel);

  // Cabin: a tapered house on the belt line.
  const [wr, wf, tr, tf] = [px(0.03), px(0.7), px(0.1), px(0.56)];
  const [zb, zt] = [pz(belt - 0.02), pz(1)];
  const cabin = crossPrism(
    [
      [wr, zb],
      [wf, zb],
      [tf, zt],
      [tr, zt],
    ],
    f.width * 0.97,
    bevel * 0.8,
  );
  const taper = (z: number): number => 1 - (0.16 * Math.max(0, z - zb)) / (zt - zb);
  const at = cabin.getAttribute('position');
  for (let i = 0; i < at.count; i++) at.setY(i, at.getY(i) * taper(at.getZ(i)));
  cabin.computeVertexNormals();

  const glass: BufferGeometry[] = [];
  const along = (u: number, v: number): [number, number] => {
    const z = zb + v * (zt - zb);
    const rear = wr + v * (tr - wr);
    const front = wf + v * (tf - wf);
    return [rear + u * (front - rear), z];
  };
  const pane = (u0: number, u1: number, side: number): void => {
    const y = (z: number): number => side * (0.485 * f.width * taper(z) + 0.004 * f.height);
    const corners = [along(u0, 0.18), along(u1, 0.18), along(u1, 0.84), along(u0, 0.84)].map(
      ([x, z]): [number, number, number] => [x, y(z), z],
    );
    glass.push(tinted(face(side < 0 ? corners : corners.toReversed()), GLASS));
  };
  for (const side of [-1, 1]) {
    pane(0.06, 0.31, side);
    pane(0.34, 0.62, side);
    pane(0.65, 0.93, side);
  }
  const screen = (u: number, out: number): void => {
    const corners = (
      [
        [-1, 0.16],
        [1, 0.16],
        [1, 0.86],
        [-1, 0.86],
      ] as Pair[]
    ).map(([side, v]): [number, number, number] => {
      const [x, z] = along(u, v);
      return [x + out * 0.012 * f.height, side * 0.43 * f.width * taper(z), z + 0.006 * f.height];
    });
    glass.push(tinted(face(out > 0 ? corners : corners.toReversed()), GLASS));
  };
  screen(1, 1);
  screen(0, -1);
  const trim = [
    ...glass,
    tinted(
      box([0.02 * f.height, 0.5 * f.width, 0.17 * f.height], [px(1) - 0.002, 0, pz(0.31)]),
      DARK,
    ),
    tinted(box([0.05 * f.length, 0.98 * f.width, 0.1 * f.height], [px(0.988), 0, pz(0.12)]), DARK),
    tinted(box([0.04 * f.length, 0.98 * f.width, 0.1 * f.height], [px(0.012), 0, pz(0.12)]), DARK),
    ...lamps({ ...f, middle: 0 }, pz(0.34), f.height),
  ];
  const inside = tub({ ...f, middle: 0 }, plan.wheels, pz(belt - 0.06));
  if (inside) trim.push(inside);
  const paint = merged([strip(body), strip(cabin)]);
  const rest = merged(trim);
  paint.translate(0, f.middle, 0);
  rest.translate(0, f.middle, 0);
  return { paint, trim: rest };
}

function strip(g: BufferGeometry): BufferGeometry {
  const plain = g.index ? g.toNonIndexed() : g;
  plain.deleteAttribute('uv');
  return plain;
}

function arrow(length: number, width: number): Pair[] {
  const [l, w] = [length / 2, width / 2];
  return [
    [l, 0],
    [-l * 0.2, w],
    [-l * 0.2, w * 0.42],
    [-l, w * 0.42],
    [-l, -w * 0.42],
    [-l * 0.2, -w * 0.42],
    [-l * 0.2, -w],
  ];
}

function deckParts(f: Frame, plan: BodyPlan, length: number): BufferGeometry[] {
  const top = f.z0 + f.height;
  const lift = 0.012 * Math.min(f.length, f.width);
  const parts: BufferGeometry[] = [];
  if (plan.driven) {
    const sign = new ShapeGeometry(shapeOf(arrow(length * 0.34, f.width * 0.36)));
    sign.translate(f.x0 + f.length * 0.56, f.middle, top + lift * 1.6);
    parts.push(tinted(sign, '#f2f4f5'));
  }
  return [...parts, ...devices(f, plan.lasers, top)];
}

// Housings of the lasers, on masts where they stand above the deck.
function devices(f: Frame, lasers: [number, number, number][], top: number): BufferGeometry[] {
  const parts: BufferGeometry[] = [];
  const size = 0.1 * Math.min(f.length, f.width, 1.2) + 0.02;
  for (const [x, y, z] of lasers) {
    const puck = new CylinderGeometry(size, size * 1.06, size * 1.3, 20);
    puck.rotateX(Math.PI / 2);
    puck.translate(x, y, z);
    parts.push(tinted(puck, '#30363b'));
    const window = new CylinderGeometry(size * 1.02, size * 1.02, size * 0.4, 20);
    window.rotateX(Math.PI / 2);
    window.translate(x, y, z + size * 0.1);
    parts.push(tinted(window, '#0c1013'));
    if (z - top > size)
      parts.push(tinted(box([size * 0.5, size * 0.5, z - top], [x, y, (z + top) / 2]), '#30363b'));
  }
  return parts;
}

function robot(f: Frame, plan: BodyPlan): Body {
  const px = (u: number): number => f.x0 + u * f.length;
  const pz = (v: number): number => f.z0 + v * f.height;
  const bevel = 0.035 * Math.min(f.height, f.width);
  const nose = plan.driven ? Math.min(0.14, (0.45 * f.height) / f.length) : 0.02;
  const profile: Pair[] = [
    ...underside(f, plan.wheels, px(0.97), px(0.03), pz(0.86)),
    [px(0), pz(0.14)],
    [px(0), pz(0.93)],
    [px(0.02), pz(1)],
    [px(1 - nose), pz(1)],
    [px(1), pz(0.52)],
    [px(1), pz(0.14)],
  ];
  const paint = strip(crossPrism(profile, f.width, bevel));
  paint.translate(0, f.middle, 0);
  const deck = 0.012 * Math.min(f.length, f.width);
  const trim: BufferGeometry[] = [
    tinted(
      box(
        [f.length * (0.9 - nose), f.width * 0.78, 2 * deck],
        [px((0.9 - nose) / 2 + 0.05), f.middle, pz(1)],
      ),
      DARK,
    ),
    ...deckParts(f, plan, f.length),
  ];
  if (plan.driven) {
    const out = 0.006 * f.length;
    const visor = (
      [
        [-1, 0.16],
        [1, 0.16],
        [1, 0.84],
        [-1, 0.84],
      ] as Pair[]
    ).map(([side, t]): [number, number, number] => [
      px(1 - nose * t) + out,
      f.middle + side * 0.4 * f.width,
      pz(0.52 + 0.48 * t) + out,
    ]);
    trim.push(tinted(face(visor), GLASS), ...lamps(f, pz(0.36), f.height * 0.9));
  }
  const inside = tub(f, plan.wheels, pz(0.84));
  if (inside) trim.push(inside);
  return { paint, trim: merged(trim) };
}

function odd(f: Frame, plan: BodyPlan): Body {
  const bevel = 0.06 * Math.min(f.height, f.width);
  const paint = strip(prism(plan.outline, plan.z, bevel));
  const inset = plan.outline.map(([x, y]): Pair => {
    const [cx, cy] = [f.x0 + f.length / 2, f.middle];
    return [cx + (x - cx) * 0.8, cy + (y - cy) * 0.8];
  });
  const top = f.z0 + f.height;
  const lift = 0.012 * Math.min(f.length, f.width);
  const trim = [
    tinted(prism(inset, [top - lift, top + lift], 0), DARK),
    ...deckParts(f, plan, f.length),
  ];
  return { paint, trim: merged(trim) };
}

export function isLarge(length: number, width: number, height: number): boolean {
  return length > 1.8 && height > 0.55 && width > 0.9;
}

function frameOf(plan: BodyPlan): Frame {
  const b = boundsOf(plan.outline);
  return {
    x0: b.x0,
    length: Math.max(0.02, b.x1 - b.x0),
    width: Math.max(0.02, b.y1 - b.y0),
    middle: (b.y0 + b.y1) / 2,
    z0: plan.z[0],
    height: Math.max(0.02, plan.z[1] - plan.z[0]),
  };
}

// What a vehicle carries besides its body; null if that is nothing.
export function deviceShape(plan: BodyPlan): BufferGeometry | null {
  const parts = devices(frameOf(plan), plan.lasers, plan.z[1]);
  return parts.length ? merged(parts) : null;
}

export function bodyShape(plan: BodyPlan): Body {
  const f = frameOf(plan);
  const rectangular = plan.outline.length < 3 || areaOf(plan.outline) > 0.86 * f.length * f.width;
  if (!rectangular) return odd(f, plan);
  const large = isLarge(f.length, f.width, f.height);
  return large && plan.driven && plan.wheels.length >= 3 ? truck(f, plan) : robot(f, plan);
}
