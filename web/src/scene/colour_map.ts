// SPDX-License-Identifier: BSD-3-Clause
// Colours of numbers.

// Turbo, for 0 to 1: Mikhailov, Turbo, an improved rainbow colormap, 2019, as polynomials. sRGB, 0 to 255.
export function turbo(x: number): [number, number, number] {
  const t = Math.max(0, Math.min(1, x));
  const p = (...k: number[]): number =>
    Math.max(0, Math.min(255, 255 * k.reduceRight((sum, c) => sum * t + c, 0)));
  return [
    p(0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943),
    p(0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604),
    p(0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973),
  ];
}

// A colour of its own for each number, the same everywhere: hues by the golden angle.
export function distinct(number: number): [number, number, number] {
  const hue = (number * 137.50776) % 360;
  const light = number % 3 === 0 ? 0.6 : number % 3 === 1 ? 0.46 : 0.7;
  const chroma = 0.62 * (1 - Math.abs(2 * light - 1));
  const sector = hue / 60;
  const second = chroma * (1 - Math.abs((sector % 2) - 1));
  const rgb =
    sector < 1
      ? [chroma, second, 0]
      : sector < 2
        ? [second, chroma, 0]
        : sector < 3
          ? [0, chroma, second]
          : sector < 4
            ? [0, second, chroma]
            : sector < 5
              ? [second, 0, chroma]
              : [chroma, 0, second];
  return rgb.map((c) => Math.round(255 * (c + light - chroma / 2))) as [number, number, number];
}

export const css = ([r, g, b]: [number, number, number]): string =>
  `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`;

// A bar from the lowest to the highest colour.
export const TURBO_BAR = `linear-gradient(90deg, ${Array.from({ length: 9 }, (_, i) => css(turbo(i / 8))).join(', ')})`;
