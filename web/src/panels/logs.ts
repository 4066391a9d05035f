// SPDX-License-Identifier: BSD-3-Clause
// Logs that the world names: what they do, and buttons for it.

import type { App } from '../app.ts';
import type { LogOrder, LogStatus } from '../stream/messages.ts';
import { breakable, h, iconButton } from '../ui/dom.ts';

interface Row {
  element: HTMLElement;
  show(log: LogStatus): void;
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

// "recording, 120 rows in run-2.csv"
export function describeLog(log: LogStatus): string {
  return log.file ? `${log.state}, ${rows(log.rows)} in ${log.file}` : log.state;
}

function row(app: App, index: number, name: string): Row {
  const order = (what: LogOrder): void => app.send({ type: 'log', log: index, order: what });
  let paused = false;
  const state = h('span', { class: 'small log-state' });
  const pause = h('button', {
    type: 'button',
    class: 'button',
    click: () => order(paused ? 'resume' : 'pause'),
  });
  const clear = iconButton('undo', `Remove the rows of ${name} in this session`, '', () =>
    order('clear'),
  );
  const next = iconButton('plus', `Begin a new session of ${name}`, '', () => order('session'));
  const element = h(
    'li',
    {},
    h('span', { class: 'log-name' }, ...breakable(name), h('br'), state),
    pause,
    clear,
    next,
  );
  return {
    element,
    show(log) {
      paused = log.state === 'paused';
      pause.textContent = paused ? 'Resume' : 'Pause';
      pause.setAttribute('aria-label', `${paused ? 'Resume' : 'Pause'} ${name}`);
      state.textContent = describeLog(log);
      element.classList.toggle('full', log.state === 'recording');
      pause.disabled = log.state === 'failed';
      clear.disabled = next.disabled = log.rows === 0 || log.state === 'failed';
    },
  };
}

export function buildLogs(app: App): HTMLElement {
  const list = h('ul', { class: 'logs' });
  const section = h('section', { hidden: true }, h('h3', {}, 'Logs'), list);
  let names = '';
  let shown: Row[] = [];
  app.status.on((status) => {
    const logs = status?.logs ?? [];
    section.hidden = logs.length === 0;
    // buttons stay while a person is about to press them
    const now = logs.map((log) => log.name).join('\n');
    if (now !== names) {
      names = now;
      shown = logs.map((log, i) => row(app, i, log.name));
      list.replaceChildren(...shown.map((r) => r.element));
    }
    logs.forEach((log, i) => shown[i]?.show(log));
  });
  return section;
}
