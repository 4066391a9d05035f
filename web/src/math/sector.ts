// SPDX-License-Identifier: BSD-3-Clause
// The outline of what a scanning sensor has in view: a sector of a sphere about z, x ahead.

const STEP = Math.PI / 36; // of arcs [rad]

const at = (range: number, azimuth: number, elevation: number): [number, number, number] => [
  range * Math.cos(elevation) * Math.cos(azimuth),
  range * Math.cos(elevation) * Math.sin(azimuth),
  range * Math.sin(elevation),
];

// Edges as segments, and the two cones of the lowest and highest elevation as triangles; one where both are the same.
export function sectorOf(
  fov: number,
  elevation: readonly [number, number],
  range: number,
): { lines: Float32Array; faces: Float32Array } {
  const lines: number[] = [];
  const faces: number[] = [];
  const whole = fov > 2 * Math.PI - 1e-6;
  const n = Math.max(1, Math.ceil(fov / STEP));
  const azimuth = (i: number): number => -fov / 2 + (fov * i) / n;
  const [low, high] = elevation;
  const cones = high > low ? [low, high] : [low];
  for (const e of cones) {
    for (let i = 0; i < n; i++) {
      const [a, b] = [at(range, azimuth(i), e), at(range, azimuth(i + 1), e)];
      lines.push(...a, ...b);
      faces.push(0, 0, 0, ...a, ...b);
    }
    if (!whole) for (const i of [0, n]) lines.push(0, 0, 0, ...at(range, azimuth(i), e));
  }
  // upright edges: at the sides, or of a whole turn at every quarter
  const edges = whole ? [0, 1, 2, 3].map((q) => -Math.PI + (q * Math.PI) / 2) : [-fov / 2, fov / 2];
  const m = Math.max(1, Math.ceil((high - low) / STEP));
  for (const a of high > low ? edges : [])
    for (let i = 0; i < m; i++) {
      const e = (k: number): number => low + ((high - low) * k) / m;
      lines.push(...at(range, a, e(i)), ...at(range, a, e(i + 1)));
    }
  return { lines: new Float32Array(lines), faces: new Float32Array(faces) };
}
