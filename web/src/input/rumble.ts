// SPDX-License-Identifier: BSD-3-Clause
// What hands feel: gamepads have two motors, of which browsers set the strength. The slow one tells bumps and wheels that
// lift, by loads that change; the fast one tells wheels that slip.

import { WHEEL } from '../stream/frame.ts';

const [SLIP, LOAD] = [13, 15]; // of the numbers of a wheel
const SLIP_FELT = 0.1; // less is a wheel that rolls
const SLIP_FULL = 0.5;
const CHANGE_FELT = 0.2; // of a wheel's load, in parts of the mean over all wheels
const CHANGE_FULL = 1;
const FORGET = 0.3; // time constant of the load that is compared with [s]
const LASTS = 150; // longer than a picture, so that it goes on until the next [ms]

export interface Rumble {
  strong: number; // 0 to 1
  weak: number;
}

function share(x: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (x - from) / (to - from)));
}

export class Feel {
  private usual: number[] = []; // load of each wheel

  // wheels: those of one vehicle, as in a frame; seconds: since the last call.
  feel(wheels: Float32Array, seconds: number): Rumble {
    const n = wheels.length / WHEEL;
    const loads = Array.from({ length: n }, (_, i) => wheels[i * WHEEL + LOAD] ?? 0);
    const mean = loads.reduce((a, b) => a + b, 0) / Math.max(1, n);
    if (this.usual.length !== n) this.usual = loads;
    let [change, slip] = [0, 0];
    for (let i = 0; i < n; i++) {
      if (mean > 0) change = Math.max(change, Math.abs(loads[i]! - this.usual[i]!) / mean);
      slip = Math.max(slip, Math.abs(wheels[i * WHEEL + SLIP] ?? 0));
    }
    const part = 1 - Math.exp(-seconds / FORGET);
    this.usual = this.usual.map((u, i) => u + part * (loads[i]! - u));
    return {
      strong: share(change, CHANGE_FELT, CHANGE_FULL),
      weak: share(slip, SLIP_FELT, SLIP_FULL),
    };
  }
}

// Where the browser and the pad have it.
export function play(pad: unknown, rumble: Rumble): void {
  const motor = (pad as { vibrationActuator?: GamepadHapticActuator | null } | null)
    ?.vibrationActuator;
  if (!motor || (rumble.strong === 0 && rumble.weak === 0)) return;
  motor
    .playEffect('dual-rumble', {
      duration: LASTS,
      strongMagnitude: rumble.strong,
      weakMagnitude: rumble.weak,
    })
    .catch(() => undefined);
}
