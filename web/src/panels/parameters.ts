// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the world, searched, checked against their range, and set while it runs.

import type { App } from '../app.ts';
import { plain, splitValue } from '../math/format.ts';
import type { Parameter } from '../stream/scene.ts';
import { breakable, h, iconButton } from '../ui/dom.ts';
import type { Panel } from './dock.ts';
import { matches } from './signal_tree.ts';

const SHOWN = 150;

// Why a text cannot be the value of a parameter, or null if it can.
export function objection(parameter: Parameter, text: string): string | null {
  const was = splitValue(parameter.value);
  if (!was) return text.trim() ? null : 'may not be empty';
  const value = splitValue(text);
  if (!value) return 'is no number';
  if (value.unit && value.unit !== (was.unit || parameter.unit)) return null; // the server converts and checks
  if (parameter.min !== null && value.number < parameter.min)
    return `must be at least ${plain(parameter.min)}`;
  if (parameter.max !== null && value.number > parameter.max)
    return `must be at most ${plain(parameter.max)}`;
  return null;
}

// What to send for a text in the field: with a unit, if the parameter has one and the text has none.
export function valueToSend(parameter: Parameter, text: string): string {
  const value = splitValue(text);
  if (!value || value.unit || !splitValue(parameter.value)) return text.trim();
  const unit = splitValue(parameter.value)?.unit || parameter.unit;
  return unit ? `${value.number} ${unit}` : String(value.number);
}

// A number one step up or down in its leading digits, in the unit that stands with it; null if there is none.
export function stepped(text: string, step: number, whole: boolean): string | null {
  const value = splitValue(text);
  if (!value) return null;
  const size = Math.abs(value.number) || 1;
  const by = 10 ** Math.floor(Math.log10(size) - (whole ? 0 : 1));
  const number = Number((value.number + step * by).toPrecision(7));
  return value.unit ? `${number} ${value.unit}` : String(number);
}

// Whether the server's value takes the place of a text in the field that has the focus: of the one before, and
// of what was sent with a unit, which is not that of the row. What is being typed stays.
export function yields(text: string, before: string, sent: string): boolean {
  return text === shownNumber(before) || (text === sent && !!splitValue(text)?.unit);
}

function shownNumber(text: string): string {
  const value = splitValue(text);
  return value ? String(Number(value.number.toPrecision(7))) : text;
}

class Row {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly message: HTMLElement;
  private readonly undo: HTMLButtonElement;
  private now: string;
  private sent = '';

  constructor(
    private readonly app: App,
    readonly parameter: Parameter,
    value: string,
  ) {
    this.now = value;
    const cut = Math.max(parameter.path.lastIndexOf('/'), parameter.path.lastIndexOf('.'));
    const id = `p-${parameter.path}`;
    const unit = splitValue(parameter.value)?.unit || parameter.unit;
    this.input = h('input', {
      id,
      type: 'text',
      inputmode: splitValue(parameter.value) ? 'decimal' : 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-m`,
      input: () => this.check(),
      change: () => this.submit(),
      keydown: (e: KeyboardEvent) => this.key(e),
    });
    this.message = h('p', { class: 'param-message', id: `${id}-m` });
    this.undo = iconButton('undo', `Back to ${shownNumber(parameter.value)} ${unit}`, '', () =>
      this.put(parameter.value),
    );
    this.element = h(
      'li',
      { class: 'param', title: parameter.doc },
      h(
        'label',
        { for: id },
        h(
          'span',
          { class: 'param-group' },
          ...breakable(parameter.path.slice(0, Math.max(0, cut))),
        ),
        h('span', { class: 'param-name' }, ...breakable(parameter.path.slice(cut + 1))),
      ),
      h(
        'span',
        { class: 'param-field' },
        this.input,
        h('span', { class: 'unit' }, unit === '1' ? '' : unit),
        this.undo,
      ),
      this.message,
    );
    this.set(value);
  }

  set(value: string): void {
    if (document.activeElement !== this.input || yields(this.input.value, this.now, this.sent))
      this.input.value = shownNumber(value);
    this.now = value;
    this.check();
    const changed = shownNumber(value) !== shownNumber(this.parameter.value);
    this.element.classList.toggle('changed', changed);
    this.undo.style.visibility = changed ? 'visible' : 'hidden';
  }

  private check(): boolean {
    const wrong = objection(this.parameter, this.input.value);
    this.input.setAttribute('aria-invalid', String(wrong !== null));
    this.message.textContent = wrong ?? this.range();
    this.message.classList.toggle('wrong', wrong !== null);
    return wrong === null;
  }

  private range(): string {
    const { min, max, doc } = this.parameter;
    const range =
      min !== null && max !== null
        ? `${plain(min)} to ${plain(max)}`
        : min !== null
          ? `at least ${plain(min)}`
          : max !== null
            ? `at most ${plain(max)}`
            : '';
    return [doc, range].filter(Boolean).join(' · ');
  }

  private submit(): void {
    if (!this.check() || this.input.value === shownNumber(this.now)) return;
    this.sent = this.input.value;
    this.put(valueToSend(this.parameter, this.sent));
  }

  private put(value: string): void {
    this.app.send({ type: 'set', path: this.parameter.path, value });
  }

  private key(e: KeyboardEvent): void {
    if (e.key === 'Escape') {
      this.input.value = shownNumber(this.now);
      this.check();
      this.input.blur();
    }
    const step = e.key === 'ArrowUp' ? 1 : e.key === 'ArrowDown' ? -1 : 0;
    const text = step ? stepped(this.input.value, step, e.shiftKey) : null;
    if (text === null) return;
    e.preventDefault();
    this.input.value = text;
    this.submit();
  }
}

export function buildParameters(app: App): Panel {
  const search = h('input', {
    type: 'search',
    placeholder: 'Search: friction, pressure, gain …',
    'aria-label': 'Search parameters',
    input: () => list(),
  });
  const count = h('p', { class: 'small', role: 'status' });
  const items = h('ul', { class: 'params' });
  let rows = new Map<string, Row>();
  let values = new Map<string, string>(); // as they are now
  let first = new Map<string, Parameter>(); // as they were at first

  const list = (): void => {
    const all = [...first.values()];
    const found = all.filter((p) => matches(search.value, p.path, p.doc, p.unit));
    rows = new Map(
      found
        .slice(0, SHOWN)
        .map((p) => [p.path, rows.get(p.path) ?? new Row(app, p, values.get(p.path) ?? p.value)]),
    );
    items.replaceChildren(...[...rows.values()].map((r) => r.element));
    count.textContent =
      all.length === 0
        ? 'Nothing can be changed here.'
        : found.length > SHOWN
          ? `${found.length} parameters, the first ${SHOWN} are shown. Search for more.`
          : `${found.length} of ${all.length} parameters`;
  };

  let title: string | null = null;
  app.scene.on((scene) => {
    if (!scene) return;
    if (scene.title !== title || scene.parameters.some((p) => !first.has(p.path))) {
      title = scene.title;
      first = new Map(scene.parameters.map((p) => [p.path, p]));
      rows.clear();
    }
    values = new Map(scene.parameters.map((p) => [p.path, p.value]));
    for (const [path, row] of rows) row.set(values.get(path) ?? row.parameter.value);
    list();
  });
  app.parameterChanged.on((change) => {
    if (!change) return;
    values.set(change.path, change.value);
    rows.get(change.path)?.set(change.value);
    const unit = splitValue(change.value)?.unit === '' ? first.get(change.path)?.unit : '';
    app.say(`${change.path} is now ${change.value} ${unit === '1' ? '' : (unit ?? '')}`.trimEnd());
  });
  return { element: h('div', { class: 'parameter-panel' }, search, count, items) };
}
