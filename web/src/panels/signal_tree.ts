// SPDX-License-Identifier: BSD-3-Clause
// Signals as a tree by the parts of their names, and the search in it. No elements here.

import type { Signal } from '../stream/scene.ts';

export interface Branch {
  name: string;
  path: string;
  branches: Branch[];
  leaves: { name: string; signal: Signal }[];
  count: number;
}

export function treeOf(signals: Signal[]): Branch {
  const root: Branch = { name: '', path: '', branches: [], leaves: [], count: 0 };
  const known = new Map<string, Branch>([['', root]]);
  for (const signal of signals) {
    const parts = signal.name.split('/');
    let branch = root;
    root.count++;
    for (const part of parts.slice(0, -1)) {
      const path = branch.path ? `${branch.path}/${part}` : part;
      let next = known.get(path);
      if (!next) {
        next = { name: part, path, branches: [], leaves: [], count: 0 };
        known.set(path, next);
        branch.branches.push(next);
      }
      next.count++;
      branch = next;
    }
    branch.leaves.push({ name: parts.at(-1)!, signal });
  }
  return root;
}

// Every word must be somewhere in name, unit or description.
export function matches(query: string, ...texts: string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

// The same signal of all vehicles.
export function sameOfOthers(name: string, vehicles: string[], signals: Signal[]): string[] {
  const owner = vehicles.find((v) => name.startsWith(`${v}/`));
  if (owner === undefined) return [name];
  const rest = name.slice(owner.length);
  const known = new Set(signals.map((s) => s.name));
  return vehicles.map((v) => v + rest).filter((n) => known.has(n));
}

const AXES = ['x', 'y', 'z'];

// Names of the vectors that a sensor measures, three components each: rover/imu/specific_force_x, _y and _z, or
// .../linear_acceleration.x in logs.
export function vectorsOf(sensor: string, signals: Signal[]): string[][] {
  const known = new Set(signals.map((s) => s.name));
  return signals.flatMap(({ name }) => {
    const rest = name.startsWith(`${sensor}/`) ? name.slice(sensor.length + 1) : '';
    if (rest.includes('/') || !/[_.]x$/.test(rest)) return [];
    const all = AXES.map((axis) => name.slice(0, -1) + axis);
    const quaternion = known.has(`${name.slice(0, -1)}w`);
    return !quaternion && all.every((n) => known.has(n)) ? [all] : [];
  });
}
