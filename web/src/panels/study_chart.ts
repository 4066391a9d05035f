// SPDX-License-Identifier: BSD-3-Clause
// Two columns of a study over each other, a point for each run; a point that is pressed is picked.

import { plain } from '../math/format.ts';
import type { Cell, Study } from '../stream/study.ts';
import { h } from '../ui/dom.ts';

const MARGIN = { left: 52, right: 10, top: 8, bottom: 34 };
const NEAR = 12; // pixels from the pointer
const DOT = 3.5;

interface Point {
  run: number;
  x: number;
  y: number;
  fails: boolean;
}

export interface Range {
  low: number;
  high: number;
}

// Range of numbers with some air around it.
export function rangeOf(values: number[]): Range {
  const fine = values.filter(Number.isFinite);
  if (!fine.length) return { low: 0, high: 1 };
  const low = fine.reduce((a, b) => Math.min(a, b));
  const high = fine.reduce((a, b) => Math.max(a, b));
  const air = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.1 || 1;
  return { low: low - air, high: high + air };
}

// Numbers of 1, 2 or 5 times a power of ten within a range, at most `most` of them.
export function ticksOf(range: Range, most: number): number[] {
  const raw = (range.high - range.low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((k) => k * power >= raw) ?? 10);
  const ticks: number[] = [];
  for (let k = Math.ceil(range.low / step); k * step <= range.high; k++) ticks.push(k * step);
  return ticks;
}

export class StudyChart {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly across: HTMLSelectElement;
  private readonly up: HTMLSelectElement;
  private readonly tip = h('span', { class: 'study-tip', hidden: true });
  private study: Study | null = null;
  private rows: Cell[][] = [];
  private points: Point[] = [];
  private run = -1;
  private x: Range = { low: 0, high: 1 };
  private y: Range = { low: 0, high: 1 };

  constructor(private readonly pick: (run: number) => void) {
    this.canvas = h('canvas', {
      class: 'study-chart',
      role: 'img',
      'aria-label': 'Runs over two columns; the table below has the same numbers',
      pointermove: (e: PointerEvent) => this.hover(e),
      pointerleave: () => this.hover(null),
      click: (e: MouseEvent) => {
        const point = this.nearest(e);
        if (point) this.pick(point.run);
      },
    });
    const select = (label: string): HTMLSelectElement =>
      h('select', { 'aria-label': label, change: () => this.draw() });
    this.across = select('Column across');
    this.up = select('Column upwards');
    this.element = h(
      'figure',
      { class: 'study-figure' },
      h('div', { class: 'study-axes' }, this.up, h('span', {}, 'over'), this.across),
      h('div', { class: 'study-drawing' }, this.canvas, this.tip),
    );
  }

  // The last measure over the first input that has numbers, where there are such.
  setStudy(study: Study): void {
    this.study = study;
    const numeric = study.columns.map((c, i) => ({ ...c, i })).filter((c) => c.numeric);
    const option = (c: { name: string; unit: string; i: number }): HTMLElement =>
      h('option', { value: c.i }, c.unit ? `${c.name} (${c.unit})` : c.name);
    for (const axis of [this.across, this.up]) axis.replaceChildren(...numeric.map(option));
    const first = (kind: string): number => numeric.find((c) => c.kind === kind)?.i ?? 0;
    this.across.value = String(first('input'));
    this.up.value = String(first('measure'));
    this.rows = study.rows;
  }

  show(rows: Cell[][]): void {
    this.rows = rows;
    this.draw();
  }

  mark(run: number): void {
    if (run === this.run) return;
    this.run = run;
    this.draw();
  }

  private find(width: number, height: number): void {
    const { study } = this;
    const [cx, cy] = [Number(this.across.value), Number(this.up.value)];
    // axes stay while rows are filtered
    const column = (c: number): number[] => (study?.rows ?? []).map((r) => Number(r[c] ?? NaN));
    this.x = rangeOf(column(cx));
    this.y = rangeOf(column(cy));
    const pass = study?.columns.findIndex((c) => c.name === 'pass' && c.kind === 'end') ?? -1;
    const place = (v: number, r: Range, from: number, to: number): number =>
      from + ((v - r.low) / (r.high - r.low)) * (to - from);
    this.points = this.rows.flatMap((row) => {
      const [a, b] = [row[cx], row[cy]];
      if (typeof a !== 'number' || typeof b !== 'number') return [];
      return [
        {
          run: Number(row[0]),
          x: place(a, this.x, MARGIN.left, width - MARGIN.right),
          y: place(b, this.y, height - MARGIN.bottom, MARGIN.top),
          fails: pass >= 0 && row[pass] !== 1,
        },
      ];
    });
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const g = this.canvas.getContext('2d');
    if (!this.study || !g || width === 0) return;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.find(width, height);
    const style = getComputedStyle(this.canvas);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    this.drawAxes(g, width, height, colour);
    for (const fails of [false, true]) {
      g.fillStyle = colour(fails ? '--bad' : '--good');
      g.globalAlpha = 0.75;
      g.beginPath();
      for (const p of this.points) {
        if (p.fails !== fails) continue;
        g.moveTo(p.x + DOT, p.y);
        g.arc(p.x, p.y, DOT, 0, 2 * Math.PI);
      }
      g.fill();
    }
    g.globalAlpha = 1;
    const now = this.points.find((p) => p.run === this.run);
    if (!now) return;
    g.strokeStyle = colour('--ink');
    g.lineWidth = 2;
    g.beginPath();
    g.arc(now.x, now.y, 2 * DOT, 0, 2 * Math.PI);
    g.stroke();
  }

  private drawAxes(
    g: CanvasRenderingContext2D,
    width: number,
    height: number,
    colour: (name: string) => string,
  ): void {
    g.font = '12px system-ui, sans-serif';
    g.strokeStyle = colour('--line');
    g.fillStyle = colour('--soft');
    g.lineWidth = 1;
    const [left, right] = [MARGIN.left, width - MARGIN.right];
    const [low, high] = [height - MARGIN.bottom, MARGIN.top];
    g.beginPath();
    g.textAlign = 'center';
    for (const t of ticksOf(this.x, Math.max(2, width / 90))) {
      const at = left + ((t - this.x.low) / (this.x.high - this.x.low)) * (right - left);
      g.moveTo(at, low);
      g.lineTo(at, high);
      g.fillText(plain(t), at, low + 15);
    }
    g.textAlign = 'right';
    for (const t of ticksOf(this.y, Math.max(2, height / 50))) {
      const at = low + ((t - this.y.low) / (this.y.high - this.y.low)) * (high - low);
      g.moveTo(left, at);
      g.lineTo(right, at);
      g.fillText(plain(t), left - 6, at + 4);
    }
    g.stroke();
    g.textAlign = 'right';
    g.fillText(this.across.selectedOptions[0]?.text ?? '', right, low + 30);
  }

  private nearest(e: MouseEvent): Point | null {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - box.left, e.clientY - box.top];
    let best: Point | null = null;
    let least = NEAR;
    for (const p of this.points) {
      const away = Math.hypot(p.x - x, p.y - y);
      if (away > least) continue;
      least = away;
      best = p;
    }
    return best;
  }

  private hover(e: PointerEvent | null): void {
    const point = e && this.nearest(e);
    this.canvas.style.cursor = point ? 'pointer' : '';
    this.tip.hidden = !point;
    if (!point) return;
    const row = this.rows.find((r) => r[0] === point.run);
    const value = (axis: HTMLSelectElement): string => plain(Number(row?.[Number(axis.value)]));
    this.tip.textContent = `Run ${point.run}: ${value(this.across)}, ${value(this.up)}`;
    const right = point.x > this.canvas.clientWidth / 2;
    this.tip.style.left = right ? '' : `${point.x + 10}px`;
    this.tip.style.right = right ? `${this.canvas.clientWidth - point.x + 10}px` : '';
    this.tip.style.top = `${Math.max(0, point.y - 24)}px`;
  }
}
