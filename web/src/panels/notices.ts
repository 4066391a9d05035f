// SPDX-License-Identifier: BSD-3-Clause
// Short messages that go away, the state of the connection, and both for screen readers.

import type { App } from '../app.ts';
import { h } from '../ui/dom.ts';

const SHOWN = 3500; // [ms]

export function buildNotices(
  app: App,
  viewport: HTMLElement,
  polite: HTMLElement,
  alert: HTMLElement,
): void {
  const toast = h('div', { class: 'toast', 'aria-hidden': 'true' });
  viewport.append(toast);
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
