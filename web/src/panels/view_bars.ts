// SPDX-License-Identifier: BSD-3-Clause
// In the corner of each view: which camera it has; a frame around the active one.

import type { App } from '../app.ts';
import { MODES, type CameraMode } from '../camera/rig.ts';
import { h } from '../ui/dom.ts';

export function buildViewBars(app: App, viewport: HTMLElement): void {
  const bars = app.views.map((view, i) => {
    const select = h('select', {
      'aria-label': `Camera of view ${i + 1}`,
      title: 'Camera (1 to 6)',
      change: () => {
        app.active.set(i);
        app.setMode(select.value as CameraMode, view);
      },
    });
    select.append(...MODES.map((m) => h('option', { value: m.mode }, m.label)));
    const bar = h('div', { class: 'view-bar', hidden: true }, select);
    const edge = h('div', { class: 'view-edge', hidden: true, 'aria-hidden': 'true' });
    viewport.append(edge, bar);
    return { view, select, bar, edge };
  });

  const show = (): void => {
    const layout = app.layout.get();
    bars.forEach(({ view, select, bar, edge }, i) => {
      const r = layout[i];
      bar.hidden = !r;
      edge.hidden = !r || layout.length < 2;
      if (!r) return;
      select.value = view.mode;
      bar.style.transform = `translate(${r.x + 10}px, ${r.y + 10}px)`;
      Object.assign(edge.style, {
        left: `${r.x}px`,
        top: `${r.y}px`,
        width: `${r.width}px`,
        height: `${r.height}px`,
      });
      edge.classList.toggle('active', i === app.active.get());
    });
  };
  app.layout.on(show);
  app.active.on(show);
  app.modeChanged.on(show);
}
