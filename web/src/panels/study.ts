// SPDX-License-Identifier: BSD-3-Clause
// The runs of a study: a chart and a table of them. The one that is picked is simulated again.

import type { App } from '../app.ts';
import { plain } from '../math/format.ts';
import { address } from '../stream/address.ts';
import type { Status } from '../stream/messages.ts';
import {
  type Cell,
  type Order,
  readFilter,
  readStudy,
  sorted,
  type Study,
} from '../stream/study.ts';
import { breakable, h } from '../ui/dom.ts';
import type { Panel } from './dock.ts';
import { StudyChart } from './study_chart.ts';

const SHOWN = 300; // rows

export function shownCell(value: Cell): string {
  if (value === null) return '–';
  return typeof value === 'number' ? plain(value) : value;
}

// "Run 17 ends as in the study"
export function describeRun(study: Status['study']): string {
  if (!study) return '';
  if (study.run < 0) return 'A parameter was changed: this is none of the runs.';
  if (study.outcome === 'same') return `Run ${study.run} is over: the same bits as in the study.`;
  if (study.outcome === 'other')
    return `Run ${study.run} is over, in another state than in the study.`;
  return `Run ${study.run}`;
}

class StudyPanel implements Panel {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly wrong = h('p', { class: 'small study-wrong', role: 'alert' });
  private readonly state = h('p', { class: 'study-state', role: 'status' });
  private readonly count = h('p', { class: 'small', role: 'status' });
  private readonly head = h('tr', {});
  private readonly body = h('tbody', {});
  private readonly chart: StudyChart;
  private study: Study | null = null;
  private asked = false;
  private order: Order = { column: 0, descending: false };
  private found: Cell[][] = [];

  constructor(private readonly app: App) {
    this.search = h('input', {
      type: 'search',
      placeholder: 'Filter: speed > 60 and pass = 0',
      'aria-label': 'Filter runs',
      autocomplete: 'off',
      spellcheck: 'false',
      input: () => this.list(),
    });
    this.chart = new StudyChart((run) => this.pick(run));
    const table = h(
      'table',
      { class: 'study-table' },
      h('caption', { class: 'unseen' }, 'Runs of the study'),
      h('thead', {}, this.head),
      this.body,
    );
    this.element = h(
      'div',
      { class: 'study-panel' },
      this.state,
      this.chart.element,
      this.search,
      this.wrong,
      this.count,
      h('div', { class: 'study-scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table),
    );
    app.status.on((status) => this.follow(status));
    app.theme.on(() => this.chart.draw());
    new ResizeObserver(() => this.chart.draw()).observe(this.chart.element);
  }

  shown(): void {
    this.chart.draw();
  }

  private follow(status: Status | null): void {
    const study = status?.study ?? null;
    if (study && !this.asked) void this.load();
    this.state.textContent = describeRun(study);
    this.mark(study?.run ?? -1);
  }

  private async load(): Promise<void> {
    this.asked = true;
    try {
      const answer = await fetch(address('study.json'));
      if (!answer.ok) throw new Error(`study.json: ${answer.status}`);
      this.study = readStudy(await answer.json());
    } catch (error) {
      this.asked = false;
      this.app.say(error instanceof Error ? error.message : String(error), 'error');
      return;
    }
    this.chart.setStudy(this.study);
    this.list();
  }

  private pick(run: number): void {
    this.app.send({ type: 'run', index: run });
  }

  private sortBy(column: number): void {
    const again = this.order.column === column;
    this.order = { column, descending: again && !this.order.descending };
    this.list();
  }

  private list(): void {
    const { study } = this;
    if (!study) return;
    const filter = readFilter(study.columns, this.search.value);
    this.wrong.textContent = typeof filter === 'string' ? filter : '';
    this.search.setAttribute('aria-invalid', String(typeof filter === 'string'));
    // what is being typed leaves the rows as they are
    if (typeof filter !== 'string') this.found = sorted(study.rows.filter(filter), this.order);
    const missing = study.inAll - study.rows.length;
    this.count.textContent =
      `${this.found.length} of ${study.inAll} runs` +
      (this.found.length > SHOWN ? `, the first ${SHOWN} are listed` : '') +
      (missing > 0 ? `; ${missing} are not on this page` : '');
    this.head.replaceChildren(...study.columns.map((_, i) => this.heading(study, i)));
    this.body.replaceChildren(...this.found.slice(0, SHOWN).map((row) => this.line(study, row)));
    this.chart.show(this.found);
    this.mark(this.app.status.get()?.study?.run ?? -1);
  }

  private heading(study: Study, i: number): HTMLElement {
    const column = study.columns[i]!;
    const sort =
      this.order.column !== i ? 'none' : this.order.descending ? 'descending' : 'ascending';
    const unit = column.unit ? h('span', { class: 'unit' }, column.unit) : null;
    return h(
      'th',
      { scope: 'col', class: column.numeric ? 'number' : '', 'aria-sort': sort },
      h(
        'button',
        {
          type: 'button',
          title: `Sort by ${column.name}`,
          'aria-label': `Sort by ${column.name}`,
          click: () => this.sortBy(i),
        },
        h('span', {}, ...breakable(column.name)),
        unit,
      ),
    );
  }

  private line(study: Study, row: Cell[]): HTMLElement {
    const run = Number(row[0]);
    const pass = study.columns.findIndex((c) => c.name === 'pass' && c.kind === 'end');
    const cells = row.map((value, i) => {
      const text = i === pass ? (value === 1 ? 'yes' : 'no') : shownCell(value);
      const kind = study.columns[i]?.numeric && i !== pass ? 'number' : '';
      if (i > 0) return h('td', { class: kind }, text);
      const label = `Simulate run ${run} again`;
      const button = h(
        'button',
        { type: 'button', title: label, 'aria-label': label, click: () => this.pick(run) },
        text,
      );
      return h('th', { scope: 'row', class: kind }, button);
    });
    return h(
      'tr',
      {
        'data-run': run,
        class: pass >= 0 && row[pass] !== 1 ? 'fails' : '',
        click: (e: MouseEvent) => {
          if (!(e.target instanceof HTMLButtonElement)) this.pick(run);
        },
      },
      ...cells,
    );
  }

  private mark(run: number): void {
    for (const row of this.body.querySelectorAll('tr')) {
      if (row.dataset['run'] === String(run)) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    this.chart.mark(run);
  }
}

export function buildStudy(app: App): Panel {
  return new StudyPanel(app);
}
