// SPDX-License-Identifier: BSD-3-Clause
// Ropes that are longer than the way between their ends hang through as parabolas, which shallow catenaries are.

// Length of a parabola over a level distance, with a sag in its middle.
export function lengthOf(distance: number, sag: number): number {
  if (!(sag > 0)) return distance;
  if (!(distance > 0)) return 2 * sag;
  const steep = (4 * sag) / distance;
  return (distance / 2) * (Math.sqrt(1 + steep * steep) + Math.asinh(steep) / steep);
}

// Sag of a rope of a length; 0 if it is taut.
export function sagOf(distance: number, length: number): number {
  let [low, high] = [0, length / 2];
  if (!(length > distance)) return 0;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (lengthOf(distance, middle) < length) low = middle;
    else high = middle;
  }
  return low;
}
