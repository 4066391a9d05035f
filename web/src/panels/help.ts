// SPDX-License-Identifier: BSD-3-Clause
// The list of keys.

import type { App } from '../app.ts';
import { SHORTCUTS } from '../input/keys.ts';
import { h, iconButton } from '../ui/dom.ts';

function keyCaps(text: string): HTMLElement {
  const cell = h('dt', {});
  for (const word of text.split(' ')) {
    const plain = ['or', 'and', 'to'].includes(word.replace(',', ''));
    cell.append(plain ? ` ${word} ` : h('kbd', {}, word.replace(/,$/, '')), plain ? '' : ' ');
  }
  return cell;
}

export function buildHelp(app: App): void {
  const groups = [...new Set(SHORTCUTS.map((s) => s.group))].map((group) =>
    h(
      'section',
      {},
      h('h3', {}, group),
      h(
        'dl',
        {},
        ...SHORTCUTS.filter((s) => s.group === group).map((s) =>
          h('div', {}, keyCaps(s.keys), h('dd', {}, s.text)),
        ),
      ),
    ),
  );
  const single = h('input', {
    type: 'checkbox',
    id: 'single-keys',
    checked: true,
    change: () => app.singleKeys.set(single.checked),
  });
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-labelledby': 'help-title' },
    h(
      'header',
      {},
      h('h2', { id: 'help-title' }, 'Keys'),
      iconButton('close', 'Close', '', () => app.helpOpen.set(false)),
    ),
    h('div', { class: 'help-groups' }, ...groups),
    h(
      'footer',
      {},
      h(
        'label',
        {},
        single,
        ' Keys work everywhere on the page (else only while the view has the focus)',
      ),
      h(
        'p',
        {},
        'Mouse: drag to turn, right button or Shift to move, wheel to zoom, click on a vehicle to choose it.',
      ),
    ),
  );
  dialog.addEventListener('close', () => app.helpOpen.set(false));
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) app.helpOpen.set(false);
  });
  document.body.append(dialog);
  app.helpOpen.on((open) => {
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  });
}
