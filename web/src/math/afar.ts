// SPDX-License-Identifier: BSD-3-Clause
// What a driver is told of the channels between hands, eyes and the vehicle.

import type { Afar, Packets } from '../stream/scene.ts';

// On average, as half of the jitter comes on top.
function late(p: Packets): string {
  return `${(p.latency + p.jitter / 2).toFixed(2)} s late`;
}

function lost(p: Packets): string {
  return p.loss > 0 ? `, ${(100 * p.loss).toFixed(0)} % lost` : '';
}

export function describeAfar(afar: Afar): string {
  const { video, commands } = afar;
  const rate = video.rate > 0 ? ` at ${video.rate.toFixed(0)} Hz` : '';
  return `picture ${late(video)}${rate}${lost(video)}, commands ${late(commands)}${lost(commands)}`;
}
