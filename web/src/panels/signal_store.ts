// SPDX-License-Identifier: BSD-3-Clause
// Curves that came with frames: one ring of rows, a column for each signal, NaN where it was not asked for.

import type { Curves } from '../stream/frame.ts';

export interface Span {
  times: Float64Array;
  columns: Float32Array[];
}

export class SignalStore {
  private readonly times: Float64Array;
  private readonly columns = new Map<string, Float32Array>();
  private readonly names = new Map<number, string[]>(); // of each subscription
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
  }

  append(curves: Curves): void {
    const names = this.names.get(curves.subscription);
    if (!names || names.length !== curves.signals) return;
    const into = names.map((n) => this.columns.get(n)!);
    for (let row = 0; row < curves.times.length; row++) {
      const time = curves.times[row]!;
      // Back in time without a word: what lies ahead is not true any more.
      if (this.count && time < this.last) this.cut(time);
      const at = (this.first + this.count) % this.capacity;
      if (this.count === this.capacity) this.first = (this.first + 1) % this.capacity;
      else this.count++;
      for (const column of this.columns.values()) column[at] = NaN;
      this.times[at] = time;
      into.forEach((column, k) => (column[at] = curves.values[row * curves.signals + k]!));
    }
    this.version++;
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
        let [least, largest, where, whereLargest] = [Infinity, -Infinity, 0, 0];
        for (let i = a; i < b; i++) {
          const value = column[at(i)]!;
          if (value < least) [least, where] = [value, i];
          if (value > largest) [largest, whereLargest] = [value, i];
        }
        if (least === Infinity) return;
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

// Comma separated, with a head of names and units.
export function csvOf(names: string[], units: string[], span: Span): string {
  const quote = (text: string): string =>
    /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const head = ['time [s]', ...names.map((n, k) => (units[k] ? `${n} [${units[k]}]` : n))].map(
    quote,
  );
  const lines = [head.join(',')];
  span.times.forEach((time, i) => {
    const row = span.columns.map((c) => (Number.isNaN(c[i]!) ? '' : String(c[i])));
    lines.push([String(Number(time.toPrecision(12))), ...row].join(','));
  });
  return lines.join('\n') + '\n';
}
