// SPDX-License-Identifier: BSD-3-Clause
// Velocities from where things were and are.

const LEAST = 0.005; // [s], below it differences are of rounding
const MOST = 2; // [s], above it they are no velocity any more

export class Velocities {
  private time = NaN;
  private before = new Float32Array(0);
  private found = new Float32Array(0);

  // After a jump nothing is known.
  clear(): void {
    this.time = NaN;
  }

  // Velocities x y z of all rows, which begin with x y z; those from before while time hardly passes.
  update(time: number, rows: Float32Array, size: number): Float32Array {
    const passed = time - this.time;
    if (passed >= 0 && passed < LEAST && rows.length === this.before.length) return this.found;
    const known = passed > 0 && passed <= MOST && rows.length === this.before.length;
    this.found = Float32Array.from({ length: 3 * Math.floor(rows.length / size) }, (_, i) => {
      const at = Math.floor(i / 3) * size + (i % 3);
      return known ? (rows[at]! - this.before[at]!) / passed : 0;
    });
    this.before = rows.slice();
    this.time = time;
    return this.found;
  }
}
