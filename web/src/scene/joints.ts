// SPDX-License-Identifier: BSD-3-Clause
// What holds bodies together: ropes that sag, rods, springs, hitches with their drawbars.
//
// The simulator joins points of a plane; here they are at a height that both bodies have.

import { Color, Group, Matrix4, MeshStandardMaterial, SphereGeometry, Vector3 } from 'three';
import { sagOf } from '../math/rope.ts';
import type { Moment } from '../stream/playhead.ts';
import type { Joint, Pair, Scene } from '../stream/scene.ts';
import { bodyOf, type Body } from './bodies.ts';
import { coil, Instances, rod } from './tubes.ts';

export type JointKind = 'rope' | 'rod' | 'spring' | 'hitch';

const COIL = 2.4; // radius of a spring over that of a rod
const SPRING = 1; // length at which its wire is round [m]
const PIECES = 14; // straight ones of a rope
const BARS = 4; // of a hitch, at most two on each side
const COLORS: Record<JointKind, string> = {
  rope: '#e2c58a',
  rod: '#a9b2ba',
  spring: '#e0a030',
  hitch: '#454b51',
};

export function kindOf(joint: Joint): JointKind {
  if (joint.type === 'revolute') return 'hitch';
  if (joint.stiffness > 0) return 'spring';
  return joint.min > 0 && joint.max - joint.min < 1e-6 * joint.max ? 'rod' : 'rope';
}

interface Drawn {
  joint: Joint;
  kind: JointKind;
  bodies: [Body, Body];
  local: [Vector3, Vector3]; // of the joint in the frames of its bodies
  bars: [Vector3, Vector3][][]; // of a hitch, of each body in its frame
  radius: number;
  first: number; // of its rods
  coil: Instances | null; // of a spring
}

// Part of the way from the bottom to the top of a body where it is joined.
const AT = 0.42;

function heightsOf(bodies: [Body, Body]): [number, number] {
  const [a, b] = bodies.map(({ z }) => z[0] + AT * (z[1] - z[0])) as [number, number];
  const common = Math.min(a, b);
  return bodies.map(({ z }) => Math.max(z[0], Math.min(z[1], common))) as [number, number];
}

function sizeOf({ outline, z }: Body): number {
  return Math.max(0.1, ...outline.map(([x, y]) => Math.hypot(x, y)), z[1] - z[0]);
}

// Does the outline have a corner beyond an anchor, in its direction?
function reachOf(outline: Pair[], anchor: Pair): number {
  const far = Math.hypot(...anchor);
  if (far < 1e-6) return Infinity;
  return Math.max(...outline.map(([x, y]) => (x * anchor[0] + y * anchor[1]) / far)) / far;
}

// Bars from a body to a pin before or behind it: two that meet there, from the corners of its end.
function barsOf(body: Body, anchor: Pair, height: number): [Vector3, Vector3][] {
  const reach = reachOf(body.outline, anchor);
  if (reach >= 1) return [];
  const pin = new Vector3(anchor[0], anchor[1], height);
  const [x, y] = [anchor[0] * reach * 0.96, anchor[1] * reach * 0.96];
  const widest = Math.max(...body.outline.map(([, side]) => Math.abs(side)));
  const half = Math.min(0.55 * widest, 0.5 * Math.hypot(...anchor) * (1 - reach) + 0.1 * widest);
  const far = Math.hypot(...anchor);
  const [cx, cy] = [-anchor[1] / far, anchor[0] / far];
  return [1, -1].map((side) => [
    new Vector3(x + side * half * cx, y + side * half * cy, height),
    pin,
  ]);
}

export class Joints {
  readonly group = new Group();
  readonly drawn: Drawn[] = [];
  private readonly rods: Instances;
  private readonly balls: Instances;

  constructor(
    scene: Scene,
    private readonly ground: (x: number, y: number) => number,
  ) {
    let count = 0;
    for (const joint of scene.joints) {
      const bodies = joint.bodies.map((name) => bodyOf(scene, name));
      if (!bodies[0] || !bodies[1]) continue;
      const pair = bodies as [Body, Body];
      const kind = kindOf(joint);
      const z = heightsOf(pair);
      const local = joint.anchors.map(([x, y], k) => new Vector3(x, y, z[k])) as [Vector3, Vector3];
      const bars =
        kind === 'hitch' ? pair.map((body, k) => barsOf(body, joint.anchors[k]!, z[k]!)) : [];
      const radius = Math.max(0.008, Math.min(0.05, 0.03 * Math.min(...pair.map(sizeOf))));
      const spring = kind === 'spring' ? this.spring(radius) : null;
      this.drawn.push({
        joint,
        kind,
        bodies: pair,
        local,
        bars,
        radius,
        first: count,
        coil: spring,
      });
      count += kind === 'rope' ? PIECES : kind === 'hitch' ? BARS : 1;
    }
    const metal = { roughness: 0.6, metalness: 0.1 };
    this.rods = new Instances(rod(8), new MeshStandardMaterial(metal), count);
    const n = this.drawn.length;
    const ball = new SphereGeometry(1, 16, 10);
    this.balls = new Instances(ball, new MeshStandardMaterial(metal), n);
    this.paint();
    for (const { mesh } of [this.rods, this.balls]) {
      mesh.castShadow = true;
      if (n) this.group.add(mesh);
    }
  }

  private spring(radius: number): Instances {
    const slender = SPRING / (COIL * radius);
    const material = new MeshStandardMaterial({
      color: COLORS.spring,
      roughness: 0.45,
      metalness: 0.3,
    });
    const part = new Instances(coil(slender), material, 1);
    part.mesh.castShadow = true;
    this.group.add(part.mesh);
    return part;
  }

  private stretch(d: Drawn, from: Vector3, along: Vector3): void {
    d.coil?.span(0, from, along, COIL * d.radius);
    d.coil?.done();
  }

  private paint(): void {
    this.drawn.forEach(({ kind, first }, j) => {
      const color = new Color(COLORS[kind]);
      const next = this.drawn[j + 1]?.first ?? this.rods.mesh.count;
      for (let k = first; k < next; k++) {
        this.rods.mesh.setColorAt(k, color);
        this.rods.hide(k);
      }
      this.balls.mesh.setColorAt(j, color);
      this.balls.hide(j);
    });
  }

  update(moment: Moment): void {
    if (!this.drawn.length) return;
    const pose = [new Matrix4(), new Matrix4()] as const;
    this.drawn.forEach((d, j) => {
      if (!d.bodies[0].pose(moment, pose[0]) || !d.bodies[1].pose(moment, pose[1])) return;
      const from = d.local[0].clone().applyMatrix4(pose[0]);
      const along = d.local[1].clone().applyMatrix4(pose[1]).sub(from);
      if (d.kind === 'rope') this.hang(d, from, along);
      else if (d.kind === 'spring') this.stretch(d, from, along);
      else if (d.kind === 'rod') this.rods.span(d.first, from, along, d.radius);
      else this.couple(d, j, pose);
    });
    for (const part of [this.rods, this.balls]) part.done();
  }

  // A rope that is longer than the way hangs through, on the ground at most.
  private hang(d: Drawn, from: Vector3, along: Vector3): void {
    const sag = sagOf(along.length(), d.joint.max);
    const at = (k: number): Vector3 => {
      const t = k / PIECES;
      const p = from.clone().addScaledVector(along, t);
      const ground = this.ground(p.x, p.y) + d.radius;
      const z = p.z - 4 * sag * t * (1 - t);
      p.z = ground > z ? Math.min(p.z, ground) : z;
      return p;
    };
    for (let k = 0, p = at(0); k < PIECES; k++) {
      const next = at(k + 1);
      this.rods.span(d.first + k, p, next.clone().sub(p), 0.75 * d.radius);
      p = next;
    }
  }

  private couple(d: Drawn, j: number, pose: readonly [Matrix4, Matrix4]): void {
    let k = d.first;
    d.bars.forEach((bars, side) => {
      for (const [a, b] of bars) {
        const from = a.clone().applyMatrix4(pose[side]!);
        this.rods.span(k++, from, b.clone().applyMatrix4(pose[side]!).sub(from), d.radius);
      }
    });
    const pin = d.local[0].clone().applyMatrix4(pose[0]);
    const size = 1.9 * d.radius;
    this.balls.span(j, pin, new Vector3(0, 0, size), size);
  }
}
