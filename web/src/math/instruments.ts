// SPDX-License-Identifier: BSD-3-Clause
// What the instruments of a vehicle can show, on plain numbers so that it can be tested without a page.

import type { Scene } from '../stream/scene.ts';

export interface DriveSignals {
  engineSpeed: string | null; // names of signals; null where the drive has none
  gear: string | null;
}

// Engine speed and gear of a vehicle's drive, whatever the drive is called.
export function driveSignals(scene: Scene, vehicle: number): DriveSignals {
  const v = scene.vehicles[vehicle];
  const prefix = v ? `${v.ghost ? 'ghost/' : ''}${v.name}/` : '\0';
  const find = (output: string, unit: string): string | null =>
    scene.signals.find(
      (s) => s.name.startsWith(prefix) && s.name.endsWith(`/${output}`) && s.unit === unit,
    )?.name ?? null;
  return { engineSpeed: find('engine_speed', 'rad/s'), gear: find('gear', '') };
}

// Gears as on a lever: -1 is R, 0 is N.
export function gearText(gear: number): string {
  if (!Number.isFinite(gear)) return '–';
  const n = Math.round(gear);
  return n < 0 ? (n === -1 ? 'R' : `R${-n}`) : n === 0 ? 'N' : String(n);
}

export const perMinute = (speed: number): number => (speed * 30) / Math.PI; // of rad/s

const FULL = [10, 20, 40, 60, 80, 120, 160, 240, 320, 480];

// Full scale of a dial that has shown up to `most`: never smaller than before, so that the needle jumps seldom.
export function fullScale(most: number): number {
  return FULL.find((f) => most <= f) ?? 100 * Math.ceil(most / 100);
}

export interface WheelSlot {
  row: number; // 0: foremost
  side: -1 | 0 | 1; // left, in the middle, right
}

// Rows and sides of wheels from their places x, y in the vehicle: as seen from above, the front at the top. Wheels
// whose x differs by less than a radius are one row.
export function wheelSlots(places: [number, number][], radius: number): WheelSlot[] {
  const order = [...new Set(places.map(([x]) => x))].sort((a, b) => b - a);
  const rows: number[] = [];
  for (const x of order) if (rows.length === 0 || rows.at(-1)! - x > radius) rows.push(x);
  const widest = Math.max(0, ...places.map(([, y]) => Math.abs(y)));
  return places.map(([x, y]) => ({
    row: rows.findLastIndex((r) => r >= x),
    side: Math.abs(y) < 0.05 * widest || widest === 0 ? 0 : y > 0 ? -1 : 1,
  }));
}
