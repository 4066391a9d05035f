// SPDX-License-Identifier: BSD-3-Clause
// Frames arrive when the network likes; the picture moves evenly. The playhead runs in simulated time a little
// behind the newest frame, at the measured pace, and poses are mixed between the two frames around it.

import { mixNumbers, mixQuaternion, mixRolling } from '../math/pose.ts';
import { BLOCK, LINK, VEHICLE, WHEEL, type Frame } from './frame.ts';

export interface Moment {
  time: number;
  vehicles: Float32Array;
  wheels: Float32Array;
  links: Float32Array;
  blocks: Float32Array;
}

const NONE = new Float32Array(0);
const KEPT = 8;
const FAR = 0.1; // [s] between frames, from where a wheel may turn half around

interface Stamped {
  frame: Frame;
  arrival: number; // [s] of wall time
}

function mixPoses(
  a: Float32Array,
  b: Float32Array,
  size: number,
  quaternion: number,
  t: number,
  out: Float32Array,
): void {
  for (let i = 0; i + size <= out.length; i += size) {
    mixNumbers(a, b, i, i + size, t, out);
    if (quaternion >= 0) mixQuaternion(a, b, i + quaternion, t, out);
  }
}

export class Playhead {
  radii: number[] = []; // of all wheels [m]
  private frames: Stamped[] = [];
  private head = 0;
  private last = 0;
  private pace = 0; // simulated per wall time
  private gap = 1 / 60; // wall time between frames
  private moment: Moment = { time: 0, vehicles: NONE, wheels: NONE, links: NONE, blocks: NONE };

  push(frame: Frame, now: number): void {
    const before = this.frames.at(-1);
    // What a frame leaves out stays as it was.
    frame.vehicles ??= before?.frame.vehicles ?? null;
    frame.wheels ??= before?.frame.wheels ?? null;
    frame.links ??= before?.frame.links ?? null;
    frame.blocks ??= before?.frame.blocks ?? null;
    if (!before || frame.jump || frame.time < before.frame.time) {
      this.frames = [{ frame, arrival: now }];
      this.head = frame.time;
      return;
    }
    const wall = Math.max(1e-4, now - before.arrival);
    if (frame.time > before.frame.time) {
      const share = Math.min(1, wall * 3);
      this.pace += ((frame.time - before.frame.time) / wall - this.pace) * share;
      this.gap += (Math.min(0.5, wall) - this.gap) * 0.1;
    }
    this.frames.push({ frame, arrival: now });
    if (this.frames.length > KEPT) this.frames.shift();
  }

  get newest(): Frame | null {
    return this.frames.at(-1)?.frame ?? null;
  }

  // The state to draw at wall time `now` [s]. The arrays are used again by the next call.
  at(now: number): Moment | null {
    const newest = this.frames.at(-1);
    const oldest = this.frames[0];
    if (!newest || !oldest) return null;
    const passed = Math.min(0.25, Math.max(0, now - this.last));
    this.last = now;
    if (newest.frame.paused)
      this.head += (newest.frame.time - this.head) * Math.min(1, passed * 20);
    else {
      const delay = this.pace * this.gap * 1.5;
      const wanted = newest.frame.time - delay + this.pace * (now - newest.arrival);
      this.head += this.pace * passed;
      this.head += (wanted - this.head) * Math.min(1, passed * 4);
    }
    if (Math.abs(newest.frame.time - this.head) < 1e-9) this.head = newest.frame.time;
    this.head = Math.max(oldest.frame.time, Math.min(newest.frame.time, this.head));
    return this.mix(this.head);
  }

  private mix(time: number): Moment {
    let i = this.frames.length - 1;
    while (i > 0 && (this.frames[i - 1]?.frame.time ?? 0) >= time) i--;
    const b = this.frames[i]!.frame;
    const a = this.frames[Math.max(0, i - 1)]!.frame;
    const span = b.time - a.time;
    const t = span > 0 ? (time - a.time) / span : 1;
    const m = this.moment;
    m.time = time;
    m.vehicles = this.section(a.vehicles, b.vehicles, m.vehicles, VEHICLE, 3, t);
    m.wheels = this.section(a.wheels, b.wheels, m.wheels, WHEEL, 3, t);
    if (span > FAR && t < 1) this.roll(a.wheels, b.wheels, t, m.wheels);
    m.links = this.section(a.links, b.links, m.links, LINK, -1, t);
    m.blocks = this.section(a.blocks, b.blocks, m.blocks, BLOCK, 3, t);
    return m;
  }

  private roll(a: Float32Array | null, b: Float32Array | null, t: number, out: Float32Array): void {
    if (!a || !b || a.length !== b.length) return;
    this.radii.forEach((radius, i) => {
      const [from, to] = [i * WHEEL, (i + 1) * WHEEL];
      if (to > out.length) return;
      mixRolling(a.subarray(from, to), b.subarray(from, to), t, radius, out.subarray(from, to));
    });
  }

  private section(
    a: Float32Array | null,
    b: Float32Array | null,
    out: Float32Array,
    size: number,
    quaternion: number,
    t: number,
  ): Float32Array {
    if (!b) return NONE;
    const into = out.length === b.length ? out : new Float32Array(b.length);
    if (!a || a.length !== b.length || t >= 1) into.set(b);
    else mixPoses(a, b, size, quaternion, t, into);
    return into;
  }
}
