// SPDX-License-Identifier: BSD-3-Clause
// The panel at the side (at the bottom of small screens), one content at a time.

import type { App } from '../app.ts';
import { h, iconButton } from '../ui/dom.ts';
import { buildParameters } from './parameters.ts';
import { buildPlots } from './plots.ts';
import { buildScenePanel } from './scene_panel.ts';
import { buildSensors } from './sensors.ts';
import { buildStudy } from './study.ts';
import { buildVehiclePanel } from './vehicle_panel.ts';

export interface Panel {
  element: HTMLElement;
  shown?(): void;
}

const TITLES: Record<string, string> = {
  vehicle: 'Vehicle',
  plots: 'Plots',
  parameters: 'Parameters',
  sensors: 'Sensors',
  scene: 'Scene',
  study: 'Study',
};

const WIDTHS: Record<string, number> = {
  vehicle: 320,
  plots: 520,
  parameters: 380,
  sensors: 400,
  scene: 320,
  study: 640,
};

export function buildDock(app: App, dock: HTMLElement): void {
  const panels: Record<string, Panel> = {
    vehicle: buildVehiclePanel(app),
    plots: buildPlots(app),
    parameters: buildParameters(app),
    sensors: buildSensors(app),
    scene: buildScenePanel(app),
    study: buildStudy(app),
  };
  const title = h('h2', {});
  const extra = h('div', { class: 'dock-tools' });
  const close = iconButton('close', 'Close panel', 'Escape', () => app.panel.set(null));
  const body = h('div', { class: 'dock-body' });
  const grip = h('div', {
    class: 'dock-grip',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Width of the panel',
  });
  dock.append(grip, h('header', {}, title, extra, close), body);
  dock.setAttribute('aria-label', 'Panel');

  const widths = { ...WIDTHS };
  const setWidth = (width: number): void => {
    const name = app.panel.get();
    if (!name) return;
    widths[name] = Math.max(260, Math.min(innerWidth * 0.75, width));
    dock.style.setProperty('--dock-width', `${widths[name]}px`);
    grip.setAttribute('aria-valuenow', String(Math.round(widths[name])));
  };
  grip.addEventListener('pointerdown', (e) => grip.setPointerCapture(e.pointerId));
  grip.addEventListener('pointermove', (e) => {
    if (grip.hasPointerCapture(e.pointerId))
      setWidth(dock.getBoundingClientRect().right - e.clientX);
  });
  grip.addEventListener('keydown', (e) => {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    setWidth((widths[app.panel.get() ?? ''] ?? 320) + (e.key === 'ArrowLeft' ? 24 : -24));
    e.preventDefault();
    e.stopPropagation();
  });

  app.panel.on((name) => {
    const panel = name ? panels[name] : undefined;
    dock.hidden = !panel;
    if (!panel || !name) return;
    title.textContent = TITLES[name] ?? '';
    dock.dataset['panel'] = name;
    body.replaceChildren(panel.element);
    setWidth(widths[name] ?? 320);
    panel.shown?.();
  });
}
