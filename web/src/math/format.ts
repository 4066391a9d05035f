// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them.

export function clock(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  const t = Math.abs(seconds);
  if (t < 60) return `${sign}${t.toFixed(2)} s`;
  const minutes = Math.floor(t / 60);
  const rest = (t - 60 * minutes).toFixed(1).padStart(4, '0');
  return minutes < 60
    ? `${sign}${minutes}:${rest}`
    : `${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2);
  if (size >= 1000) return value.toFixed(0);
  return value.toPrecision(4);
}

// With a number of decimals, and never "-0".
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

// As `short` without zeros at the end, for axes and ranges.
export function plain(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4))
    return value.toExponential(2).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(5)));
}

export function factor(rate: number): string {
  if (!(rate >= 0)) return '–';
  if (rate === 0) return '0×';
  if (rate < 0.1) return `${rate.toFixed(3)}×`;
  if (rate < 10) return `${rate.toFixed(2)}×`;
  return `${rate.toFixed(rate < 100 ? 1 : 0)}×`;
}

// Rates on a slider from 0 to 1 with 1x in the middle: 0.01x to 100x, at the end as fast as it goes (0).
export function rateAt(slider: number): number {
  if (slider >= 0.995) return 0;
  const rate = 10 ** ((slider - 0.5) * 4);
  return Math.abs(rate - 1) < 0.06 ? 1 : Number(rate.toPrecision(2));
}

export function sliderAt(rate: number): number {
  if (!(rate > 0)) return 1;
  return Math.max(0, Math.min(0.99, Math.log10(rate) / 4 + 0.5));
}

// Number and unit of a value such as "0.8" or "220 kPa"; null if it is no number.
export function splitValue(text: string): { number: number; unit: string } | null {
  const m = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$/.exec(text);
  return m ? { number: Number(m[1]), unit: m[2] ?? '' } : null;
}
