// SPDX-License-Identifier: BSD-3-Clause
// Where things are in a scene: the middle and the size of what a first view should show.

import { VEHICLE, type Frame } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';

export function boundsOfThings(
  scene: Scene,
  frame: Frame,
): { middle: [number, number]; span: number } {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (x: number, y: number, margin: number): void => {
    [x0, x1] = [Math.min(x0, x - margin), Math.max(x1, x + margin)];
    [y0, y1] = [Math.min(y0, y - margin), Math.max(y1, y + margin)];
  };
  scene.vehicles.forEach((v, i) => {
    const x = frame.vehicles?.[i * VEHICLE];
    const y = frame.vehicles?.[i * VEHICLE + 1];
    const size = Math.max(0.3, ...v.chassis.outline.map(([a, b]) => Math.hypot(a, b)));
    if (x !== undefined && y !== undefined) add(x, y, 2 * size);
  });
  for (const wall of scene.walls) for (const [x, y] of wall.outline) add(x, y, 0);
  if (scene.scenery) {
    const [a, b, c, d] = scene.scenery.extent;
    add(a, b, 0);
    add(c, d, 0);
  }
  for (const block of scene.blocks) add(block.pose[0] ?? 0, block.pose[1] ?? 0, 1);
  for (const g of scene.grids) {
    add(g.x, g.y, 0);
    add(g.x + g.width * g.cell, g.y + g.height * g.cell, 0);
  }
  if (!(x1 > x0)) [x0, y0, x1, y1] = scene.extent;
  return { middle: [(x0 + x1) / 2, (y0 + y1) / 2], span: Math.hypot(x1 - x0, y1 - y0) };
}
