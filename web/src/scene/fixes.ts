// SPDX-License-Identifier: BSD-3-Clause
// What satellite positioning took for the path, beside the true one.

import { Color, Vector3 } from 'three';
import { placeInWorld } from '../math/earth.ts';
import type { FixSample } from '../stream/sample.ts';
import type { Scene } from '../stream/scene.ts';
import { LineRing } from './lines.ts';

const SEGMENTS = 20000;
export const FIX_COLOUR = '#ffd23f';
export const TRUTH_COLOUR = '#f4f7fa';
const STATES = ['no fix', 'single', 'DGPS', 'RTK float', 'RTK fixed'];

export interface FixReport {
  state: string;
  error: number; // distance from the sensor's true place [m]
  sample: FixSample;
}

export class Fixes {
  readonly ring = new LineRing(SEGMENTS, 2, 0.95);
  readonly truth = new LineRing(SEGMENTS, 1.4, 0.8);
  private readonly last = new Map<number, number[]>();
  private readonly lastTrue = new Map<number, number[]>();
  private readonly reports = new Map<number, FixReport>();
  private readonly color = new Color(FIX_COLOUR);
  private readonly trueColor = new Color(TRUTH_COLOUR);

  constructor(private readonly scene: Scene) {}

  put(sample: FixSample): void {
    const { georeference } = this.scene;
    if (!georeference) return;
    const at = placeInWorld(georeference, sample.latitude, sample.longitude, sample.altitude);
    const state = STATES[sample.state] ?? '';
    const [x = 0, y = 0, z = 0] = sample.pose;
    const error = new Vector3(...at).distanceTo(new Vector3(x, y, z));
    this.reports.set(sample.sensor, { state, error, sample });
    const before = this.lastTrue.get(sample.sensor);
    if (before) this.truth.add(before, [x, y, z], this.trueColor);
    this.lastTrue.set(sample.sensor, [x, y, z]);
    this.addFix(sample, at);
  }

  private addFix(sample: FixSample, at: number[]): void {
    if (!sample.state || !at.every(Number.isFinite)) {
      this.last.delete(sample.sensor);
      return;
    }
    const before = this.last.get(sample.sensor);
    if (before) this.ring.add(before, at, this.color);
    this.last.set(sample.sensor, at);
  }

  report(sensor: number): FixReport | null {
    return this.reports.get(sensor) ?? null;
  }

  clear(): void {
    this.ring.clear();
    this.truth.clear();
    this.last.clear();
    this.lastTrue.clear();
    this.reports.clear();
  }
}
