// SPDX-License-Identifier: BSD-3-Clause
// Gauges of the chosen vehicle: speed, attitude, wheels, load transfer.

import type { App } from '../app.ts';
import { anglesOf } from '../math/pose.ts';
import { fixed } from '../math/format.ts';
import { loadTransfer, wheelLoads } from '../math/load.ts';
import { VEHICLE, WHEEL } from '../stream/frame.ts';
import { h, s } from '../ui/dom.ts';
import type { Panel } from './dock.ts';

const DEGREES = 180 / Math.PI;

function speedDial(): { element: SVGElement; set(speed: number): void } {
  const value = s('text', { x: 60, y: 62, class: 'dial-value' }, '0.0');
  const other = s('text', { x: 60, y: 96, class: 'dial-small' }, '0 km/h');
  const arc = s('path', {
    class: 'dial-arc',
    d: 'M22 92A50 50 0 1 1 98 92',
    pathLength: 100,
    'stroke-dasharray': '0 100',
  });
  const top = s('text', { x: 104, y: 106, class: 'dial-small' }, '5');
  let full = 5;
  const element = s(
    'svg',
    { viewBox: '0 0 120 112', class: 'gauge', role: 'img', 'aria-label': 'Forward speed' },
    s('title', {}, 'Forward speed, negative backwards'),
    s('path', { class: 'dial-back', d: 'M22 92A50 50 0 1 1 98 92' }),
    arc,
    value,
    s('text', { x: 60, y: 78, class: 'dial-small' }, 'm/s'),
    other,
    s('text', { x: 16, y: 106, class: 'dial-small' }, '0'),
    top,
  );
  return {
    element,
    set(speed) {
      const size = Math.abs(speed);
      while (size > full) full *= 2;
      arc.setAttribute('stroke-dasharray', `${(100 * size) / full} 100`);
      value.textContent = fixed(speed, 1);
      other.textContent = `${fixed(speed * 3.6, 0)} km/h`;
      top.textContent = String(full);
    },
  };
}

function horizon(): { element: SVGElement; set(roll: number, pitch: number): void } {
  const ladder = s('g', { class: 'ladder' });
  for (const deg of [-30, -20, -10, 10, 20, 30]) {
    const y = 56 - deg * 1.2;
    const half = Math.abs(deg) % 20 ? 9 : 14;
    ladder.append(s('path', { d: `M${60 - half} ${y}h${2 * half}` }));
  }
  const disc = s(
    'g',
    {},
    s('rect', { x: -60, y: -144, width: 240, height: 200, class: 'horizon-sky' }),
    s('rect', { x: -60, y: 56, width: 240, height: 200, class: 'horizon-ground' }),
    s('path', { d: 'M-60 56h240', class: 'horizon-line' }),
    ladder,
  );
  const text = s('text', { x: 60, y: 106, class: 'dial-small on-disc' });
  const element = s(
    'svg',
    { viewBox: '0 0 120 112', class: 'gauge', role: 'img', 'aria-label': 'Roll and pitch' },
    s('clipPath', { id: 'horizon-clip' }, s('circle', { cx: 60, cy: 56, r: 50 })),
    s('g', { 'clip-path': 'url(#horizon-clip)' }, disc),
    s('circle', { cx: 60, cy: 56, r: 50, class: 'horizon-rim' }),
    s('path', { d: 'M28 56h20l6 6 6-6 6 6 6-6h20', class: 'horizon-plane' }),
    text,
  );
  return {
    element,
    set(roll, pitch) {
      const drop = Math.max(-45, Math.min(45, -pitch * DEGREES * 1.2));
      disc.setAttribute('transform', `rotate(${-roll * DEGREES} 60 56) translate(0 ${drop})`);
      text.textContent = '';
      element.setAttribute(
        'aria-label',
        `Roll ${(roll * DEGREES).toFixed(1)} degrees, pitch ${(pitch * DEGREES).toFixed(1)} degrees`,
      );
    },
  };
}

interface WheelCell {
  load: HTMLElement;
  bar: HTMLElement;
  slip: HTMLElement;
  sinkage: HTMLElement;
  element: HTMLElement;
}

function wheelCell(name: string): WheelCell {
  const load = h('td', {});
  const slip = h('td', {});
  const sinkage = h('td', {});
  const bar = h('i', {});
  const element = h(
    'tr',
    {},
    h('th', { scope: 'row' }, name),
    h('td', { class: 'load-bar', 'aria-hidden': 'true' }, bar),
    load,
    slip,
    sinkage,
  );
  return { load, bar, slip, sinkage, element };
}

export function buildVehiclePanel(app: App): Panel {
  const dial = speedDial();
  const attitude = horizon();
  const roll = h('output', { 'aria-live': 'off' });
  const pitch = h('output', { 'aria-live': 'off' });
  const yaw = h('output', { 'aria-live': 'off' });
  const transfer = h('i', {});
  const transferValue = h('output', { 'aria-live': 'off' });
  const rows = h('tbody', {});
  const facts = h('p', { class: 'small facts' });
  const points = h('dl', { class: 'small set-points' });
  let cells: WheelCell[] = [];

  const element = h(
    'div',
    { class: 'vehicle-panel' },
    facts,
    h('div', { class: 'gauges' }, dial.element, attitude.element),
    h(
      'dl',
      { class: 'angles' },
      h('div', {}, h('dt', {}, 'roll'), h('dd', {}, roll)),
      h('div', {}, h('dt', {}, 'pitch'), h('dd', {}, pitch)),
      h('div', {}, h('dt', {}, 'yaw'), h('dd', {}, yaw)),
    ),
    h('h3', {}, 'Load transfer ratio'),
    h(
      'div',
      {
        class: 'transfer',
        title: '(load right - load left) / load: 1 is when the left wheels lift off',
      },
      h('span', { class: 'small' }, 'left'),
      h('b', { 'aria-hidden': 'true' }, transfer),
      h('span', { class: 'small' }, 'right'),
      transferValue,
    ),
    h('h3', {}, 'Wheels'),
    h(
      'table',
      { class: 'wheels' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'wheel'),
          h('th', { 'aria-hidden': 'true' }),
          h('th', { scope: 'col', title: 'normal load' }, 'load'),
          h('th', { scope: 'col' }, 'slip'),
          h('th', { scope: 'col' }, 'sinkage'),
        ),
      ),
      rows,
    ),
    h('h3', {}, 'Set points'),
    points,
  );

  const rebuild = (): void => {
    const v = app.scene.get()?.vehicles[app.chosen.get()];
    cells = (v?.wheels ?? []).map((w) => wheelCell(w.name));
    rows.replaceChildren(...cells.map((c) => c.element));
    facts.textContent = v
      ? [
          v.name,
          v.kind !== v.name ? v.kind : '',
          v.mass ? `${v.mass.toFixed(v.mass < 100 ? 1 : 0)} kg` : '',
          v.controller,
        ]
          .filter(Boolean)
          .join(' · ')
      : 'This world has no vehicle.';
    points.replaceChildren(
      ...(v?.commands ?? []).map((c) =>
        h(
          'div',
          { title: c.doc },
          h('dt', {}, c.unit ? `${c.name} [${c.unit}]` : c.name),
          h('dd', {}, c.doc),
        ),
      ),
    );
    show(true);
  };

  let shown = 0;
  const show = (force: boolean): void => {
    const now = performance.now();
    const frame = app.frame.get();
    const scene = app.scene.get();
    if (!frame?.vehicles || !scene || !element.isConnected || (!force && now - shown < 66)) return;
    shown = now;
    const i = app.chosen.get();
    const at = i * VEHICLE;
    const p = frame.vehicles;
    if (at + VEHICLE > p.length) return;
    const angles = anglesOf(p[at + 3]!, p[at + 4]!, p[at + 5]!, p[at + 6]!);
    dial.set(p[at + 7]!);
    attitude.set(angles.roll, angles.pitch);
    roll.textContent = `${fixed(angles.roll * DEGREES, 1)}°`;
    pitch.textContent = `${fixed(angles.pitch * DEGREES, 1)}°`;
    yaw.textContent = `${fixed(angles.yaw * DEGREES, 0)}°`;
    showWheels(i);
  };

  const showWheels = (vehicle: number): void => {
    const scene = app.scene.get()!;
    const frame = app.frame.get()!;
    const w = frame.wheels;
    const v = scene.vehicles[vehicle];
    if (!w || !v) return;
    const first = app.world?.vehicles.firstWheel[vehicle] ?? 0;
    const own = w.subarray(first * WHEEL, (first + cells.length) * WHEEL);
    const loads = wheelLoads(own, WHEEL);
    const fair = (v.mass * scene.gravity) / Math.max(1, cells.length);
    const most = Math.max(2 * fair, ...loads, 1e-6);
    cells.forEach((cell, k) => {
      const at = (first + k) * WHEEL;
      const load = loads[k] ?? 0;
      cell.bar.style.width = `${(100 * Math.max(0, load)) / most}%`;
      cell.load.textContent =
        Math.abs(load) >= 1000 ? `${(load / 1000).toFixed(2)} kN` : `${load.toFixed(0)} N`;
      cell.slip.textContent = fixed(w[at + 13] ?? 0, 2);
      cell.sinkage.textContent = `${fixed(1000 * (w[at + 14] ?? 0), 0)} mm`;
      cell.element.classList.toggle('lifted', load <= 0);
    });
    const pose = frame.vehicles!.subarray(vehicle * VEHICLE, vehicle * VEHICLE + VEHICLE);
    const ratio = loadTransfer(pose, own, WHEEL);
    transfer.style.width = `${50 * Math.min(1, Math.abs(ratio))}%`;
    transfer.style.left = ratio < 0 ? `${50 - 50 * Math.min(1, -ratio)}%` : '50%';
    transferValue.textContent = fixed(ratio, 2);
    transfer.classList.toggle('high', Math.abs(ratio) > 0.7);
  };

  app.scene.on(rebuild);
  app.chosen.on(rebuild);
  app.frame.on(() => show(false));
  return { element, shown: () => show(true) };
}
