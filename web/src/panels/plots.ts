// SPDX-License-Identifier: BSD-3-Clause
// The panel of charts: a tree of signals to choose from, and charts that run along.

import type { App } from '../app.ts';
import { fileStem } from '../record/video.ts';
import type { Scene, Signal } from '../stream/scene.ts';
import { h, icon } from '../ui/dom.ts';
import { Chart, type ChartOwner } from './chart.ts';
import type { Panel } from './dock.ts';
import type { SignalStore } from './signal_store.ts';
import { matches, sameOfOthers, treeOf, type Branch } from './signal_tree.ts';

const PERIOD = 50; // [ms]
const FOUND = 60;
const WINDOWS: [number, string][] = [
  [5, '5 s'],
  [15, '15 s'],
  [60, '1 min'],
  [0, 'all'],
];

class SignalPicker {
  readonly element: HTMLElement;
  private readonly list = h('div', { class: 'tree', role: 'group', 'aria-label': 'Signals' });
  private readonly search: HTMLInputElement;
  private signals: Signal[] = [];

  constructor(
    private readonly picked: (name: string) => void,
    private readonly chosen: () => string[],
  ) {
    this.search = h('input', {
      type: 'search',
      placeholder: 'Search: speed, load, slip …',
      'aria-label': 'Search signals',
      input: () => this.show(),
    });
    this.element = h(
      'details',
      { class: 'picker', open: true },
      h('summary', {}, 'Signals'),
      this.search,
      this.list,
    );
  }

  set(signals: Signal[]): void {
    this.signals = signals;
    this.show();
  }

  // Marks what the active chart has.
  mark(): void {
    const chosen = new Set(this.chosen());
    for (const button of this.list.querySelectorAll<HTMLElement>('button[data-signal]'))
      button.setAttribute('aria-pressed', String(chosen.has(button.dataset['signal'] ?? '')));
  }

  private leaf(name: string, signal: Signal): HTMLElement {
    const button = h(
      'button',
      {
        type: 'button',
        class: 'leaf',
        draggable: 'true',
        'data-signal': signal.name,
        title: signal.doc,
        click: () => this.picked(signal.name),
      },
      h('span', {}, name),
      h('span', { class: 'small' }, signal.unit === '1' ? '' : signal.unit),
    );
    button.addEventListener('dragstart', (e) => e.dataTransfer?.setData('text/plain', signal.name));
    return button;
  }

  private branch(branch: Branch, open: boolean): HTMLElement {
    const inner = h('div', { class: 'branch' });
    const details = h(
      'details',
      {},
      h('summary', {}, branch.name, h('span', { class: 'small' }, String(branch.count))),
      inner,
    );
    let filled = false;
    const fill = (): void => {
      if (filled || !details.open) return;
      filled = true;
      inner.append(
        ...branch.leaves.map((l) => this.leaf(l.name, l.signal)),
        ...branch.branches.map((b) => this.branch(b, false)),
      );
      this.mark();
    };
    details.addEventListener('toggle', fill);
    details.open = open;
    fill();
    return details;
  }

  private show(): void {
    const query = this.search.value.trim();
    if (query) {
      const found = this.signals.filter((s) => matches(query, s.name, s.doc, s.unit));
      this.list.replaceChildren(...found.slice(0, FOUND).map((s) => this.leaf(s.name, s)));
      if (found.length > FOUND)
        this.list.append(h('p', { class: 'small' }, `${found.length - FOUND} more`));
      if (!found.length) this.list.append(h('p', { class: 'small' }, 'No signal has these words.'));
    } else {
      const tree = treeOf(this.signals);
      this.list.replaceChildren(
        ...tree.leaves.map((l) => this.leaf(l.name, l.signal)),
        ...tree.branches.map((b, i) => this.branch(b, i === 0 && tree.branches.length < 4)),
      );
    }
    this.mark();
  }
}

// Speed of the chosen vehicle, and the loads of its wheels, if there are such.
function firstSignals(scene: Scene, vehicle: number): string[][] {
  const name = scene.vehicles[vehicle]?.name;
  const known = (pattern: RegExp): string[] =>
    scene.signals
      .map((s) => s.name)
      .filter((n) => n.startsWith(`${name}/`) && pattern.test(n.slice((name ?? '').length)));
  return [
    known(/^\/(speed|vx|velocity)$/i).slice(0, 1),
    known(/\/[^/]+\/load$/i).slice(0, 4),
  ].filter((l) => l.length);
}

export function buildPlots(app: App): Panel {
  const charts: Chart[] = [];
  const holder = h('div', { class: 'charts' });
  let active: Chart | null = null;
  let window_ = 15;
  let held: SignalStore | null = null;
  let started = false;

  const owner: ChartOwner = {
    get store() {
      return held ?? app.store;
    },
    dark: () => app.theme.get() === 'dark',
    signal: (name) => app.scene.get()?.signals.find((s) => s.name === name),
    window: () => window_,
    stem: () => fileStem(app.scene.get()?.title ?? 'rut', held?.end ?? app.moment?.time ?? 0),
    changed: () => {
      app.subscribe(charts.flatMap((c) => c.signals));
      picker.mark();
    },
    removed: (chart) => {
      charts.splice(charts.indexOf(chart), 1);
      chart.dispose();
      if (active === chart) activate(charts[0] ?? null);
      owner.changed();
    },
    compare: (name) =>
      sameOfOthers(
        name,
        [...new Set(app.scene.get()?.vehicles.flatMap((v) => [v.name, `ghost/${v.name}`]))],
        app.scene.get()?.signals ?? [],
      ),
    activated: (chart) => activate(chart),
  };

  const activate = (chart: Chart | null): void => {
    if (active === chart) return;
    active = chart;
    for (const c of charts) c.element.classList.toggle('active', c === chart);
    picker.mark();
  };

  const addChart = (): Chart => {
    const chart = new Chart(owner);
    charts.push(chart);
    holder.append(chart.element);
    activate(chart);
    return chart;
  };

  const picker = new SignalPicker(
    (name) => (active ?? addChart()).toggle(name),
    () => active?.signals ?? [],
  );

  const windows = h('div', { class: 'segments', role: 'group', 'aria-label': 'Window of time' });
  WINDOWS.forEach(([seconds, label]) => {
    const button = h(
      'button',
      { type: 'button', 'aria-pressed': String(seconds === window_) },
      label,
    );
    button.addEventListener('click', () => {
      window_ = seconds;
      for (const b of windows.children) b.setAttribute('aria-pressed', String(b === button));
      for (const c of charts) c.rebuild();
    });
    windows.append(button);
  });
  const freeze = h('button', { type: 'button', class: 'button', 'aria-pressed': 'false' }, 'Hold');
  freeze.title = 'Hold the charts, while the world goes on';
  freeze.addEventListener('click', () => {
    for (const c of charts) c.update();
    held = held ? null : app.store.copy(charts.flatMap((c) => c.signals));
    freeze.setAttribute('aria-pressed', String(held !== null));
  });
  const add = h(
    'button',
    { type: 'button', class: 'button', click: () => addChart() },
    icon('plus'),
    'Chart',
  );

  app.scene.on((scene) => {
    picker.set(scene?.signals ?? []);
    const known = new Set(scene?.signals.map((s) => s.name));
    for (const chart of charts)
      for (const name of [...chart.signals]) if (!known.has(name)) chart.remove(name);
  });
  app.theme.on(() => charts.forEach((c) => c.rebuild()));
  const tick = (): void => {
    if (holder.isConnected) for (const chart of charts) chart.update();
  };
  window.setInterval(tick, PERIOD);

  const begin = (): void => {
    const scene = app.scene.get();
    if (started || !scene) return;
    started = true;
    const first = firstSignals(scene, app.chosen.get());
    for (const signals of first.length ? first : [[]]) addChart().add(...signals);
    activate(charts[0] ?? null);
  };
  return {
    element: h(
      'div',
      { class: 'plots-panel' },
      h('div', { class: 'plot-bar' }, windows, freeze, add),
      picker.element,
      holder,
    ),
    shown: () => {
      begin();
      for (const chart of charts) chart.rebuild();
    },
  };
}
