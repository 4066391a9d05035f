// SPDX-License-Identifier: BSD-3-Clause
// Short messages that go away, warnings of the run that stay until they are closed, the state of the
// connection, and all of them for screen readers.

import type { App } from '../app.ts';
import type { Warning } from '../stream/messages.ts';
import { h, iconButton } from '../ui/dom.ts';

const SHOWN = 3500; // [ms]

// Warnings of the run, at the top of the view.
function warningList(app: App, alert: HTMLElement): HTMLElement {
  const list = h('ul', { class: 'warnings', 'aria-label': 'Warnings of the run', hidden: true });
  const closed = new Set<string>();
  let shown = '';
  const item = (warning: Warning): HTMLElement =>
    h(
      'li',
      {},
      h('span', {}, warning.message),
      iconButton('close', `Close: ${warning.message}`, '', () => {
        closed.add(warning.message);
        show();
      }),
    );
  const show = (): void => {
    const all = app.status.get()?.warnings ?? [];
    // what is not told any more may come again
    for (const message of closed) {
      if (!all.some((w) => w.message === message)) closed.delete(message);
    }
    const open = all.filter((w) => !closed.has(w.message));
    const now = open.map((w) => w.message).join('\n');
    if (now === shown) return;
    const fresh = open.filter((w) => !shown.split('\n').includes(w.message));
    shown = now;
    list.replaceChildren(...open.map(item));
    list.hidden = open.length === 0;
    if (fresh.length > 0) alert.textContent = fresh.map((w) => w.message).join('. ');
  };
  app.status.on(show);
  return list;
}

export function buildNotices(
  app: App,
  viewport: HTMLElement,
  polite: HTMLElement,
  alert: HTMLElement,
): void {
  const toast = h('div', { class: 'toast', 'aria-hidden': 'true' });
  viewport.append(toast, warningList(app, alert));
  let timer = 0;
  app.notice.on((notice) => {
    if (!notice) return;
    toast.textContent = notice.text;
    toast.className = `toast shown ${notice.kind}`;
    clearTimeout(timer);
    timer = window.setTimeout(
      () => toast.classList.remove('shown'),
      notice.kind === 'error' ? 2 * SHOWN : SHOWN,
    );
    (notice.kind === 'error' ? alert : polite).textContent = notice.text;
  });

  const text = h('span', {});
  const retry = h(
    'button',
    { type: 'button', class: 'button', click: () => app.retry() },
    'Try now',
  );
  const lost = h(
    'div',
    { class: 'lost', hidden: true },
    h('span', { class: 'spinner', 'aria-hidden': 'true' }),
    text,
    retry,
  );
  viewport.append(lost);
  let was = false;
  app.link.on((link) => {
    const away = link !== 'open';
    lost.hidden = !away || (!was && link === 'connecting');
    text.textContent = link === 'lost' ? 'Connection lost. Connecting again …' : 'Connecting …';
    viewport.classList.toggle('stale', was && away);
    if (link === 'lost') alert.textContent = 'Connection lost. Connecting again.';
    if (link === 'open') {
      if (was) polite.textContent = 'Connected again.';
      was = true;
    }
  });
}
