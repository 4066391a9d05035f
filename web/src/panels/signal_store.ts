// SPDX-License-Identifier: BSD-3-Clause
// Curves that came with frames: one ring of rows, a column for each signal. In a column NaN is a row for which it
// was not asked, and NOTHING one for which it has no value.

import type { Curves } from '../stream/frame.ts';

export interface Span {
  times: Float64Array;
  columns: Float32Array[];
}

export const NOTHING = Infinity;

export class SignalStore {
  private times: Float64Array;
  private readonly columns = new Map<string, Float32Array>();
  private readonly names = new Map<number, string[]>(); // of each subscription
  private current = 0; // subscription of the newest row
  private behind = false; // its rows have not come to the end of those of the one before
  private first = 0;
  private count = 0;
  version = 0;

  constructor(private readonly capacity = 1 << 16) {
    this.times = new Float64Array(capacity);
  }

  // What the signals of a subscription are called.
  subscribed(subscription: number, names: string[]): void {
    this.names.set(subscription, names);
    for (const name of names)
      if (!this.columns.has(name))
        this.columns.set(name, new Float32Array(this.capacity).fill(NaN));
  }

  // Forgets what the server numbered; after a connection was lost it counts anew.
  unsubscribed(): void {
    this.names.clear();
    this.current = 0;
  }

  append(curves: Curves): void {
    const names = this.names.get(curves.subscription);
    if (!names || names.length !== curves.signals) return;
    if (curves.times.length === 0) return;
    if (curves.subscription !== this.current) this.begin(curves, names);
    const past = this.behind ? this.countUpTo(curves.times, this.end) : 0;
    if (past > 0) this.merge(curves, names, past);
    this.behind &&= past === curves.times.length;
    const into = names.map((n) => this.columns.get(n)!);
    for (let row = past; row < curves.times.length; row++) {
      const time = curves.times[row]!;
      // Back in time without a word: what lies ahead is not true any more.
      if (this.count && time < this.last) this.cut(time);
      const at = (this.first + this.count) % this.capacity;
      if (this.count === this.capacity) this.first = (this.first + 1) % this.capacity;
      else this.count++;
      for (const column of this.columns.values()) column[at] = NaN;
      this.times[at] = time;
      into.forEach((column, k) => (column[at] = valueOf(curves, row, k)));
    }
    this.version++;
  }

  // Rows of a new subscription begin in the past, with what the server remembers. No line leads to them from where a
  // signal was last asked for.
  private begin(curves: Curves, names: string[]): void {
    this.current = curves.subscription;
    this.behind = this.count > 0;
    const before = this.find(curves.times[0]!) - 1;
    if (before < 0) return;
    const at = (this.first + before) % this.capacity;
    for (const name of names) {
      const column = this.columns.get(name)!;
      if (Number.isNaN(column[at]!)) column[at] = NOTHING;
    }
  }

  private countUpTo(times: Float64Array, end: number): number {
    let n = 0;
    while (this.count > 0 && n < times.length && times[n]! <= end) n++;
    return n;
  }

  // The first rows of curves among those that are there; of the same time become one row.
  private merge(curves: Curves, names: string[], past: number): void {
    const order: [number, number][] = []; // place in the ring, row of curves; -1: none
    for (let i = 0, row = 0; i < this.count || row < past;) {
      const at = (this.first + i) % this.capacity;
      const here = i < this.count ? this.times[at]! : Infinity;
      const there = row < past ? curves.times[row]! : Infinity;
      order.push([here <= there ? at : -1, there <= here ? row : -1]);
      if (here <= there) i++;
      if (there <= here) row++;
    }
    order.splice(0, order.length - this.capacity);
    const times = new Float64Array(this.capacity);
    order.forEach(([at, row], i) => (times[i] = at >= 0 ? this.times[at]! : curves.times[row]!));
    for (const [name, column] of this.columns) {
      const k = names.indexOf(name);
      const merged = new Float32Array(this.capacity).fill(NaN);
      order.forEach(([at, row], i) => {
        if (at >= 0) merged[i] = column[at]!;
        if (row >= 0 && k >= 0 && !Number.isFinite(merged[i]!)) merged[i] = valueOf(curves, row, k);
      });
      this.columns.set(name, merged);
    }
    this.times = times;
    this.first = 0;
    this.count = order.length;
  }

  private cut(time: number): void {
    while (this.count && this.last >= time) this.count--;
  }

  clear(): void {
    this.first = this.count = 0;
    this.version++;
  }

  get size(): number {
    return this.count;
  }

  private get last(): number {
    return this.times[(this.first + this.count - 1) % this.capacity]!;
  }

  get end(): number {
    return this.count ? this.last : 0;
  }

  get start(): number {
    return this.count ? this.times[this.first]! : 0;
  }

  // The newest value of a signal, NaN if there is none.
  latest(name: string): number {
    const column = this.columns.get(name);
    for (let i = this.count - 1; column && i >= 0; i--) {
      const value = column[(this.first + i) % this.capacity]!;
      if (Number.isFinite(value)) return value;
      if (value === NOTHING) return NaN;
    }
    return NaN;
  }

  // Rows from one time to another, at most `most` of them: of more, the least and largest of each piece stay.
  span(names: string[], from: number, to: number, most: number): Span {
    let [low, high] = [this.find(from), this.find(to)];
    low = Math.max(0, low - 1);
    high = Math.min(this.count, high + 1);
    const n = Math.max(0, high - low);
    const at = (i: number): number => (this.first + low + i) % this.capacity;
    const columns = names.map((name) => this.columns.get(name) ?? null);
    if (n <= most) {
      const times = Float64Array.from({ length: n }, (_, i) => this.times[at(i)]!);
      return {
        times,
        columns: columns.map((c) =>
          Float32Array.from({ length: n }, (_, i) => (c ? c[at(i)]! : NaN)),
        ),
      };
    }
    return this.thin(columns, n, Math.max(1, Math.floor(most / 2)), at);
  }

  private thin(
    columns: (Float32Array | null)[],
    n: number,
    pieces: number,
    at: (i: number) => number,
  ): Span {
    const times = new Float64Array(pieces * 2);
    const out = columns.map(() => new Float32Array(pieces * 2).fill(NaN));
    for (let p = 0; p < pieces; p++) {
      const [a, b] = [Math.floor((p * n) / pieces), Math.floor(((p + 1) * n) / pieces)];
      times[2 * p] = this.times[at(a)]!;
      times[2 * p + 1] = this.times[at(Math.floor((a + b) / 2))]!;
      columns.forEach((column, k) => {
        if (!column) return;
        let [least, largest, where, whereLargest, empty] = [Infinity, -Infinity, 0, 0, false];
        for (let i = a; i < b; i++) {
          const value = column[at(i)]!;
          if (value < least) [least, where] = [value, i];
          if (value > largest && value < NOTHING) [largest, whereLargest] = [value, i];
          empty ||= value === NOTHING;
        }
        if (least === Infinity) {
          if (empty) out[k]!.fill(NOTHING, 2 * p, 2 * p + 2);
          return;
        }
        out[k]![2 * p] = where <= whereLargest ? least : largest;
        out[k]![2 * p + 1] = where <= whereLargest ? largest : least;
      });
    }
    return { times, columns: out };
  }

  // Some signals as they are now, for what goes on without them.
  copy(names: string[]): SignalStore {
    const { times, columns } = this.span(names, -Infinity, Infinity, Infinity);
    const other = new SignalStore(Math.max(1, times.length));
    other.times.set(times);
    names.forEach((name, k) => other.columns.set(name, columns[k]!));
    other.count = times.length;
    other.version = this.version;
    return other;
  }

  // First row at or after a time.
  private find(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[(this.first + middle) % this.capacity]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// Of a row, NOTHING where it is no number.
function valueOf(curves: Curves, row: number, k: number): number {
  const value = curves.values[row * curves.signals + k]!;
  return Number.isFinite(value) ? value : NOTHING;
}

// Comma separated, with a head of names and units.
export function csvOf(names: string[], units: string[], span: Span): string {
  const quote = (text: string): string =>
    /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const head = ['time [s]', ...names.map((n, k) => (units[k] ? `${n} [${units[k]}]` : n))].map(
    quote,
  );
  const lines = [head.join(',')];
  span.times.forEach((time, i) => {
    const row = span.columns.map((c) => (Number.isFinite(c[i]!) ? String(c[i]) : ''));
    lines.push([String(Number(time.toPrecision(12))), ...row].join(','));
  });
  return lines.join('\n') + '\n';
}
