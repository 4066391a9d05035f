// SPDX-License-Identifier: BSD-3-Clause
// Loads of the wheels of a vehicle, load transfer ratio (right less left load over all load, -1 to 1), and loads of
// hitches.

// Normal loads [N] from rows of wheels. Older logs have none: there it is the vertical force.
export function wheelLoads(wheels: Float32Array, row: number): number[] {
  const loads = (column: number): number[] =>
    Array.from({ length: Math.floor(wheels.length / row) }, (_, k) => wheels[k * row + column]!);
  const normal = loads(15);
  return normal.some((load) => load !== 0) ? normal : loads(12);
}

// pose: x y z, quaternion of the vehicle; wheels: rows with the centre first.
export function loadTransfer(pose: Float32Array, wheels: Float32Array, row: number): number {
  const [x0 = 0, y0 = 0, z0 = 0, w = 1, x = 0, y = 0, z = 0] = pose;
  const left = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)] as const;
  const loads = wheelLoads(wheels, row);
  const sides = loads.map((_, k) => {
    const at = k * row;
    const [dx, dy, dz] = [wheels[at]! - x0, wheels[at + 1]! - y0, wheels[at + 2]! - z0];
    return dx * left[0] + dy * left[1] + dz * left[2];
  });
  // A wheel in the middle is on neither side.
  const widest = Math.max(0, ...sides.map(Math.abs));
  const middle = widest < 1e-3 ? Infinity : 0.01 * widest;
  let [all, more] = [0, 0];
  sides.forEach((side, k) => {
    const load = Math.max(0, loads[k]!);
    all += load;
    if (Math.abs(side) >= middle) more -= Math.sign(side) * load;
  });
  return all > 0 ? more / all : 0;
}

// Force of a load on a hitch at a time and a forward speed, as the simulator has it [N]: it rises from its start on, and
// is there in full from a crawl on.
export function hitchLoad(
  hitch: { force: number; ramp: number; start: number },
  time: number,
  speed: number,
): number {
  const since = time - hitch.start;
  if (!(since >= 0)) return 0;
  const most = hitch.ramp > 0 ? Math.min(hitch.force, hitch.ramp * since) : hitch.force;
  return most * Math.max(0, Math.min(1, speed / 0.1));
}
