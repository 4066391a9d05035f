// SPDX-License-Identifier: BSD-3-Clause
// How much of the ground is drawn.

import { VEHICLE } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';

const WIDEST = 4000; // [m]

export type Extent = Scene['extent'];

// The extent with room around vehicles that come near a side where the ground goes on; null if none does.
export function widened(extent: Extent, vehicles: Float32Array, ends: boolean[]): Extent | null {
  const size = Math.max(extent[2] - extent[0], extent[3] - extent[1]);
  const [near, more] = [0.04 * size, 0.35 * size];
  const wide: Extent = [...extent];
  for (let at = 0; at + VEHICLE <= vehicles.length; at += VEHICLE)
    for (const axis of [0, 1] as const) {
      const high = (axis + 2) as 2 | 3;
      const place = vehicles[at + axis]!;
      const before = extent[axis] + near - place;
      const behind = place - extent[high] + near;
      if (!ends[axis] && before > 0 && before < size)
        wide[axis] = Math.min(wide[axis], place - more);
      if (!ends[high] && behind > 0 && behind < size)
        wide[high] = Math.max(wide[high], place + more);
    }
  return size < WIDEST && wide.some((edge, k) => edge !== extent[k]) ? wide : null;
}
