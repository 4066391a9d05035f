// SPDX-License-Identifier: BSD-3-Clause
// Over the view: speed and pedals at a glance, who drives, and the joystick for fingers.

import type { App } from '../app.ts';
import { describeAfar } from '../math/afar.ts';
import { fixed } from '../math/format.ts';
import { VEHICLE } from '../stream/frame.ts';
import { h } from '../ui/dom.ts';

function bar(name: string): { element: HTMLElement; set(value: number, both: boolean): void } {
  const fill = h('i', {});
  const element = h('div', { class: 'pedal' }, h('span', {}, name), h('b', {}, fill));
  return {
    element,
    set(value, both) {
      const size = Math.min(1, Math.abs(value));
      fill.style.width = `${(both ? 50 : 100) * size}%`;
      fill.style.left = both ? (value > 0 ? `${50 - 50 * size}%` : '50%') : '0';
    },
  };
}

export function buildHud(app: App, viewport: HTMLElement): void {
  const speed = h(
    'output',
    { class: 'speed', 'aria-live': 'off', 'aria-label': 'Forward speed' },
    '0.0',
  );
  const unit = h('span', { class: 'unit' }, 'm/s');
  const kmh = h('span', { class: 'kmh' });
  const steer = bar('steer');
  const throttle = bar('throttle');
  const brake = bar('brake');
  const pedals = h(
    'div',
    { class: 'pedals', hidden: true, 'aria-hidden': 'true' },
    steer.element,
    throttle.element,
    brake.element,
  );
  const hud = h(
    'div',
    { class: 'hud' },
    h('div', { class: 'speed-line' }, speed, unit, kmh),
    pedals,
  );
  const driving = h('div', { class: 'driving-badge', hidden: true });
  viewport.append(hud, driving, app.stick.element);

  let shown = 0;
  app.frame.on((frame) => {
    const now = performance.now();
    if (!frame?.vehicles || now - shown < 80) return;
    shown = now;
    const v = frame.vehicles[app.chosen.get() * VEHICLE + 7] ?? 0;
    speed.textContent = fixed(v, 1);
    kmh.textContent = `${fixed(v * 3.6, 0)} km/h`;
  });
  app.controls.on((c) => {
    steer.set(c.steering, true);
    throttle.set(c.throttle, false);
    throttle.element.firstElementChild!.textContent = c.throttle < 0 ? 'reverse' : 'throttle';
    brake.set(c.handbrake ? 1 : c.brake, false);
    brake.element.firstElementChild!.textContent = c.handbrake ? 'handbrake' : 'brake';
  });
  const state = (): void => {
    const on = app.driving.get();
    const other = app.status.get()?.driven[app.chosen.get()] === 'page';
    const vehicle = app.scene.get()?.vehicles[app.chosen.get()];
    const name = vehicle?.name ?? '';
    const afar = vehicle?.afar ? `: ${describeAfar(vehicle.afar)}` : '';
    const fingers = matchMedia('(pointer: coarse)').matches;
    pedals.hidden = !on || fingers;
    app.stick.element.hidden = !on || !fingers;
    driving.hidden = !on && !other;
    driving.classList.toggle('other', !on);
    driving.textContent = `${on ? 'You drive' : 'Another page drives'} ${name}${afar}`;
    viewport.classList.toggle('driving', on);
  };
  app.driving.on(state);
  app.status.on(state);
  app.chosen.on(state);
}
