// SPDX-License-Identifier: BSD-3-Clause
// One chart of signals over time: live window, zoom, cursor, export.

import uPlot from 'uplot';
import { plain, short } from '../math/format.ts';
import type { Signal } from '../stream/scene.ts';
import { download, h, iconButton } from '../ui/dom.ts';
import { csvOf, type SignalStore } from './signal_store.ts';

const COLORS = {
  light: ['#1f6fc4', '#d0552b', '#2c8a4b', '#8a4fbd', '#b58900', '#c43a72', '#1798a3', '#6b6f76'],
  dark: ['#5fb0ff', '#ff8a5c', '#6fd08a', '#c595ff', '#f0c24b', '#ff7fb0', '#4fd6df', '#b3bac2'],
};
const HEIGHT = 190;

export interface ChartOwner {
  readonly fixed?: boolean; // its signals stay as they are
  label?(name: string): string; // of a signal in the legend, if not its name
  readonly store: SignalStore; // while the charts are held, as it was then
  dark(): boolean;
  signal(name: string): Signal | undefined;
  window(): number; // [s], 0: all
  stem(): string;
  changed(): void; // other signals are wanted
  removed(chart: Chart): void;
  compare(name: string): string[];
  activated(chart: Chart): void;
}

let charts = 0;

// At a row, or the last before it that the signal has been asked for; null: at the end.
function valueAt(column: uPlot.AlignedData[number] | undefined, row: number | null): unknown {
  let at = row ?? (column?.length ?? 0) - 1;
  while (at > 0 && column?.[at] === undefined) at--;
  return column?.[at];
}

export class Chart {
  readonly element: HTMLElement;
  readonly signals: string[] = [];
  readonly number = ++charts;
  private plot: uPlot | null = null;
  private readonly holder = h('div', { class: 'chart-holder' });
  private readonly legend = h('ul', { class: 'legend' });
  private zoom: { min: number; max: number } | null = null;
  private shown = -1;
  private readonly back: HTMLButtonElement;

  constructor(private readonly owner: ChartOwner) {
    this.back = iconButton('undo', 'Back to the live window', '', () => this.unzoom());
    this.back.hidden = true;
    const compare = iconButton('compare', 'The same signals of all vehicles', '', () =>
      this.compare(),
    );
    const close = iconButton('close', 'Remove this chart', '', () => this.owner.removed(this));
    const tools = h(
      'div',
      { class: 'chart-tools' },
      this.back,
      owner.fixed ? null : compare,
      iconButton('image', 'Save as PNG', '', () => this.savePicture()),
      iconButton('table', 'Save as CSV', '', () => this.saveTable()),
      owner.fixed ? null : close,
    );
    this.element = h(
      'section',
      { class: 'chart', 'aria-label': `Chart ${this.number}`, tabindex: -1 },
      h('header', {}, this.legend, tools),
      this.holder,
    );
    this.element.addEventListener('pointerdown', () => owner.activated(this));
    this.element.addEventListener('focusin', () => owner.activated(this));
    this.element.addEventListener('dragover', (e) => {
      e.preventDefault();
      this.element.classList.add('drop');
    });
    this.element.addEventListener('dragleave', () => this.element.classList.remove('drop'));
    this.element.addEventListener('drop', (e) => {
      e.preventDefault();
      this.element.classList.remove('drop');
      const name = e.dataTransfer?.getData('text/plain');
      if (name && !owner.fixed && owner.signal(name)) this.add(name);
    });
    new ResizeObserver(() => this.fit()).observe(this.holder);
    this.rebuild();
  }

  add(...names: string[]): void {
    for (const name of names) if (!this.signals.includes(name)) this.signals.push(name);
    this.rebuild();
    this.owner.changed();
  }

  remove(name: string): void {
    this.signals.splice(this.signals.indexOf(name), 1);
    this.rebuild();
    this.owner.changed();
  }

  toggle(name: string): void {
    if (this.signals.includes(name)) this.remove(name);
    else this.add(name);
  }

  private compare(): void {
    this.add(...this.signals.flatMap((name) => this.owner.compare(name)));
  }

  private color(i: number): string {
    const list = this.owner.dark() ? COLORS.dark : COLORS.light;
    return list[i % list.length]!;
  }

  private unit(name: string): string {
    return this.owner.signal(name)?.unit ?? '';
  }

  // Anew after signals or colours have changed.
  rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    this.legend.replaceChildren(
      ...(this.signals.length
        ? this.signals.map((name, i) => this.entry(name, i))
        : [h('li', { class: 'small' }, 'Choose signals above, or drop them here.')]),
    );
    this.holder.hidden = this.signals.length === 0;
    if (!this.signals.length) return;
    const dark = this.owner.dark();
    const ink = dark ? '#9fb0c0' : '#56616c';
    const grid = { stroke: dark ? 'rgba(255,255,255,0.07)' : 'rgba(0,0,0,0.07)', width: 1 };
    const font = '11px system-ui, sans-serif';
    const units = [...new Set(this.signals.map((n) => this.unit(n)))];
    const axis = { stroke: ink, grid, ticks: { ...grid, size: 4 }, font };
    const options: uPlot.Options = {
      width: Math.max(120, this.holder.clientWidth),
      height: HEIGHT,
      pxAlign: false,
      legend: { show: false },
      cursor: { sync: { key: 'rut' }, drag: { x: true, y: false }, points: { size: 7 } },
      scales: { x: { time: false } },
      axes: [
        {
          ...axis,
          values: (_u, values) => values.map((v) => String(Number(v.toPrecision(8)))),
          size: 28,
        },
        ...units.map((unit, i) => ({
          ...axis,
          scale: unit || '1',
          side: (i % 2 ? 1 : 3) as uPlot.Axis.Side,
          size: 52,
          label: unit === '1' ? '' : unit,
          labelFont: font,
          labelSize: unit && unit !== '1' ? 16 : 0,
          grid: i ? { show: false } : grid,
          values: (_u: uPlot, values: number[]) => values.map(plain),
        })),
      ],
      series: [
        {},
        ...this.signals.map((name, i) => ({
          label: name,
          scale: this.unit(name) || '1',
          stroke: this.color(i),
          width: 1.6,
          points: { show: false },
        })),
      ],
      hooks: {
        setCursor: [() => this.readCursor()],
        setSelect: [
          (u) => {
            if (u.select.width < 4) return;
            this.zoom = {
              min: u.posToVal(u.select.left, 'x'),
              max: u.posToVal(u.select.left + u.select.width, 'x'),
            };
            this.back.hidden = false;
            this.shown = -1;
            this.update();
          },
        ],
      },
    };
    this.plot = new uPlot(options, [[], ...this.signals.map(() => [])], this.holder);
    this.plot.over.addEventListener('dblclick', () => this.unzoom());
    this.plot.over.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.shown = -1;
    this.update();
  }

  private entry(name: string, i: number): HTMLElement {
    const dot = h('i', { 'aria-hidden': 'true' });
    dot.style.background = this.color(i);
    const value = h('output', { 'aria-live': 'off' });
    return h(
      'li',
      { title: this.owner.signal(name)?.doc ?? '' },
      dot,
      h('span', {}, this.owner.label?.(name) ?? name),
      value,
      this.owner.fixed ? null : iconButton('close', `Remove ${name}`, '', () => this.remove(name)),
    );
  }

  private unzoom(): void {
    this.zoom = null;
    this.back.hidden = true;
    this.shown = -1;
    this.update();
  }

  private wheel(e: WheelEvent): void {
    if (!e.ctrlKey && !e.shiftKey && !this.zoom) return;
    e.preventDefault();
    const u = this.plot!;
    const { min = 0, max = 1 } = u.scales['x']!;
    const at = u.posToVal(e.offsetX, 'x');
    const f = Math.exp((e.deltaY || e.deltaX) * 0.0015);
    this.zoom = { min: at - (at - min) * f, max: at + (max - at) * f };
    this.back.hidden = false;
    this.shown = -1;
    this.update();
  }

  private range(): { min: number; max: number } {
    if (this.zoom) return this.zoom;
    const { store } = this.owner;
    const window = this.owner.window();
    const end = store.end;
    if (!window) return { min: store.start, max: Math.max(store.start + 1e-3, end) };
    return {
      min: Math.max(end - window, Math.min(store.start, end - window * 0.02)),
      max: Math.max(end, store.start + window * 0.02),
    };
  }

  update(): void {
    const { plot, owner } = this;
    if (!plot || owner.store.version === this.shown) return;
    if (!this.element.isConnected) return;
    this.shown = owner.store.version;
    const range = this.range();
    const most = Math.max(400, 2 * plot.width);
    const span = owner.store.span(this.signals, range.min, range.max, most);
    // uPlot leaves gaps at null, and draws on over what is undefined; NaN would break its scales.
    const columns = span.columns.map((c) =>
      Array.from(c, (v) => (Number.isNaN(v) ? undefined : Number.isFinite(v) ? v : null)),
    );
    plot.batch(() => {
      plot.setData([Array.from(span.times), ...columns] as uPlot.AlignedData, true);
      plot.setScale('x', range);
    });
    this.readCursor();
  }

  // Values at the cursor, else the newest.
  private readCursor(): void {
    const { plot } = this;
    if (!plot) return;
    const index = plot.cursor.idx ?? null;
    [...this.legend.children].forEach((entry, i) => {
      const value = valueAt(plot.data[i + 1], index);
      const output = entry.querySelector('output');
      if (output)
        output.textContent =
          typeof value === 'number' ? `${short(value)} ${this.unit(this.signals[i] ?? '')}` : '';
    });
  }

  private fit(): void {
    const width = this.holder.clientWidth;
    if (this.plot && width > 50 && Math.abs(width - this.plot.width) > 1)
      this.plot.setSize({ width, height: HEIGHT });
  }

  private get name(): string {
    return `${this.owner.stem()}_chart${this.number}`;
  }

  table(): string {
    const { min, max } = this.range();
    const span = this.owner.store.span(this.signals, min, max, Infinity);
    return csvOf(
      this.signals,
      this.signals.map((n) => this.unit(n)),
      span,
    );
  }

  private saveTable(): void {
    download(`${this.name}.csv`, new Blob([this.table()], { type: 'text/csv' }));
  }

  // The chart with its legend on a plain ground.
  picture(): HTMLCanvasElement {
    const from = this.plot!.ctx.canvas;
    const scale = devicePixelRatio;
    const line = 18 * scale;
    const canvas = h('canvas', {
      width: from.width,
      height: from.height + line * this.signals.length + 8 * scale,
    });
    const g = canvas.getContext('2d')!;
    const dark = this.owner.dark();
    g.fillStyle = dark ? '#151b22' : '#ffffff';
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.font = `${12 * scale}px system-ui, sans-serif`;
    g.textBaseline = 'middle';
    this.signals.forEach((name, i) => {
      const y = line * (i + 0.5) + 4 * scale;
      g.fillStyle = this.color(i);
      g.fillRect(10 * scale, y - 1.5 * scale, 16 * scale, 3 * scale);
      g.fillStyle = dark ? '#e6edf3' : '#1b232b';
      const unit = this.unit(name);
      g.fillText(unit ? `${name} [${unit}]` : name, 32 * scale, y);
    });
    g.drawImage(from, 0, line * this.signals.length + 8 * scale);
    return canvas;
  }

  private savePicture(): void {
    if (!this.plot) return;
    this.picture().toBlob((image) => image && download(`${this.name}.png`, image), 'image/png');
  }

  dispose(): void {
    this.plot?.destroy();
    this.element.remove();
  }
}
