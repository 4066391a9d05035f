// SPDX-License-Identifier: BSD-3-Clause
// Light of lamps, by the law of cameras (docs/manual/sensors.md, Lamps), without a scene.

import type { Lamp } from '../stream/scene.ts';

// Light that a camera of the exposure 4000 shows as white [lx], at night.
const WHITE = 25;
// A lamp whose light at this distance [m] is a smaller part of daylight is not seen.
const NEAR = 3;
const LEAST = 0.05;

export const mostOf = (lamp: Lamp): number => lamp.intensity + lamp.stray;

// Luminous intensity in a direction (of length 1) in the lamp's frame [cd].
export function intensityTowards(lamp: Lamp, ahead: number, left: number, up: number): number {
  if (ahead < Math.cos(lamp.cone)) return 0;
  if (up > Math.sin(lamp.cutoff)) return lamp.stray;
  const [across, high] = lamp.spread;
  const h = across > 0 ? Math.atan2(left, ahead) / across : 0;
  const v = high > 0 ? Math.asin(Math.max(-1, Math.min(1, up))) / high : 0;
  return lamp.stray + lamp.intensity * Math.exp(-0.5 * (h * h + v * v));
}

// The beam as parts of the most, on a square ahead that the half angle reaches to: rows from below, each from left
// to right as seen from the lamp.
export function beamImage(lamp: Lamp, angle: number, side: number): Float32Array {
  const out = new Float32Array(side * side);
  const at = (k: number): number => ((2 * k + 1) / side - 1) * Math.tan(angle);
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const [right, up] = [at(column), at(row)];
      const far = Math.hypot(1, right, up);
      const light = intensityTowards(lamp, 1 / far, -right / far, up / far);
      out[row * side + column] = light / mostOf(lamp);
    }
  return out;
}

// Light in the picture for a lux: as much as that of sun and sky, which are so much in the picture and so many lux
// in the world, but at most what makes white of a light that cameras show as white.
export function lightPerLux(daylight: number, illuminance: number): number {
  return Math.min(daylight / Math.max(illuminance, 1e-9), Math.PI / WHITE);
}

export function outshines(lamp: Lamp, illuminance: number): boolean {
  return mostOf(lamp) / (NEAR * NEAR) > LEAST * illuminance;
}
