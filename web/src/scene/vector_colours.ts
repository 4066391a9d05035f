// SPDX-License-Identifier: BSD-3-Clause
// Colours that show images of vectors, as `rut sense` writes them: surface normals and optical flow.

type Rgb = [number, number, number];

const code = (x: number): number => Math.round(255 * Math.max(0, Math.min(1, x)));

// From the optical axes (right, down, ahead) to right, up, towards the camera, as in normal maps.
export function normalColour(x: number, y: number, z: number): Rgb {
  if (x === 0 && y === 0 && z === 0) return [0, 0, 0];
  return [code(0.5 + 0.5 * x), code(0.5 - 0.5 * y), code(0.5 - 0.5 * z)];
}

// The colour circle of S. Baker et al., "A Database and Evaluation Methodology for Optical Flow", Int. J. Computer
// Vision 92 (2011): red, yellow, green, cyan, blue, magenta, in as many steps as the eye tells apart in each part.
const PARTS: { steps: number; full: number; changing: number }[] = [
  { steps: 15, full: 0, changing: 1 },
  { steps: 6, full: 1, changing: 0 },
  { steps: 4, full: 1, changing: 2 },
  { steps: 11, full: 2, changing: 1 },
  { steps: 13, full: 2, changing: 0 },
  { steps: 6, full: 0, changing: 2 },
];

const CIRCLE: Rgb[] = PARTS.flatMap(({ steps, full, changing }, part) =>
  Array.from({ length: steps }, (_, step): Rgb => {
    const rgb: Rgb = [0, 0, 0];
    rgb[full] = 1;
    rgb[changing] = part % 2 === 0 ? step / steps : 1 - step / steps;
    return rgb;
  }),
);

// White where nothing moves, full colours at the largest; black where it is not known.
export function flowColour(x: number, y: number, largest: number): Rgb {
  if (!Number.isFinite(x + y)) return [0, 0, 0];
  const size = largest > 0 ? Math.hypot(x, y) / largest : 0;
  const turn = ((Math.atan2(-y, -x) / Math.PI + 1) / 2) * (CIRCLE.length - 1);
  const step = Math.floor(turn);
  const from = CIRCLE[step]!;
  const to = CIRCLE[(step + 1) % CIRCLE.length]!;
  return from.map((c, k) => code(1 - size * (1 - (c + (turn - step) * (to[k]! - c))))) as Rgb;
}

export function largestFlow(flow: Float32Array): number {
  let most = 0;
  for (let i = 0; i < flow.length; i += 2) {
    const size = Math.hypot(flow[i]!, flow[i + 1]!);
    if (size > most) most = size;
  }
  return most;
}
