// SPDX-License-Identifier: BSD-3-Clause
// Load transfer ratio: right less left load over all load, -1 to 1.

// pose: x y z, quaternion of the vehicle; wheels: rows with the centre first and the force at 10.
export function loadTransfer(pose: Float32Array, wheels: Float32Array, row: number): number {
  const [x0 = 0, y0 = 0, , w = 1, x = 0, y = 0, z = 0] = pose;
  // The vehicle's left, level part of its y axis.
  const lx = 2 * (x * y - w * z);
  const ly = 1 - 2 * (x * x + z * z);
  let [left, right] = [0, 0];
  for (let at = 0; at + row <= wheels.length; at += row) {
    const load = Math.max(0, wheels[at + 12]!);
    const side = (wheels[at]! - x0) * lx + (wheels[at + 1]! - y0) * ly;
    if (side > 0) left += load;
    else right += load;
  }
  const all = left + right;
  return all > 0 ? (right - left) / all : 0;
}
