// SPDX-License-Identifier: BSD-3-Clause
// The bar below: pause, step, reset, pace, time; in replays the scrub bar, loop and speed.

import type { App } from '../app.ts';
import { clock, factor, rateAt, sliderAt } from '../math/format.ts';
import { h, iconButton, setIcon } from '../ui/dom.ts';

function playButton(app: App): HTMLButtonElement {
  const button = iconButton('pause', 'Pause', 'P', () => app.togglePause());
  button.classList.add('play');
  const show = (): void => {
    const paused = app.paused;
    setIcon(button, paused ? 'play' : 'pause');
    button.classList.toggle('solid', paused);
    button.setAttribute('aria-label', paused ? 'Go on' : 'Pause');
    button.title = paused ? 'Go on (Space, P)' : 'Pause (Space, P)';
  };
  app.status.on(show);
  app.frame.on(show);
  return button;
}

function rateSlider(app: App): HTMLElement {
  const value = h('output', { class: 'rate-value', for: 'rate' });
  const slider = h('input', {
    type: 'range',
    id: 'rate',
    min: 0,
    max: 1,
    step: 0.01, // a tenth more or less: by less the server has the same rate
    list: 'rates',
    'aria-label': 'Wanted real-time factor',
    title: 'Wanted real-time factor; double click for real time (< and >)',
    input: () => app.setRate(rateAt(Number(slider.value))),
    dblclick: () => app.setRate(1),
  });
  let held = false;
  slider.addEventListener('pointerdown', () => (held = true));
  slider.addEventListener('pointerup', () => (held = false));
  app.status.on((status) => {
    const rate = status?.rate ?? 1;
    value.textContent = rate > 0 ? factor(rate) : 'max';
    slider.setAttribute(
      'aria-valuetext',
      rate > 0 ? `${rate} times real time` : 'as fast as it goes',
    );
    if (!held) slider.value = String(sliderAt(rate));
  });
  return h('label', { class: 'rate' }, h('span', { class: 'small' }, 'pace'), slider, value);
}

function scrubBar(app: App): HTMLElement {
  const slider = h('input', {
    type: 'range',
    class: 'scrub',
    min: 0,
    max: 1,
    step: 'any',
    value: 0,
    'aria-label': 'Time in the log',
  });
  const end = h('span', { class: 'small end' });
  const loop = iconButton('loop', 'Loop', '', () => {
    const on = loop.getAttribute('aria-pressed') !== 'true';
    loop.setAttribute('aria-pressed', String(on));
    app.send({ type: 'loop', on });
  });
  loop.setAttribute('aria-pressed', 'false');
  const bar = h('div', { class: 'scrub-bar', hidden: true }, slider, end, loop);
  let held = false;
  let asked = 0;
  const seek = (): void => {
    const now = performance.now();
    if (now - asked < 40) return;
    asked = now;
    app.send({ type: 'seek', time: Number(slider.value) });
  };
  slider.addEventListener('pointerdown', () => (held = true));
  slider.addEventListener('input', seek);
  slider.addEventListener('change', () => {
    held = false;
    app.send({ type: 'seek', time: Number(slider.value) });
  });
  app.scene.on((scene) => {
    bar.hidden = scene?.mode !== 'replay';
    slider.min = String(scene?.start ?? 0);
  });
  app.status.on((status) => {
    if (!status?.end) return;
    slider.max = String(status.end);
    end.textContent = clock(status.end);
  });
  app.frame.on((frame) => {
    if (!frame || held || bar.hidden) return;
    slider.value = String(frame.time);
    slider.setAttribute('aria-valuetext', clock(frame.time));
  });
  return bar;
}

export function buildTimeBar(app: App, bar: HTMLElement): void {
  const time = h(
    'output',
    { class: 'time', 'aria-label': 'Simulated time', 'aria-live': 'off' },
    '0.00 s',
  );
  const pace = h('output', { class: 'pace', 'aria-label': 'Real-time factor', 'aria-live': 'off' });
  const note = h('span', { class: 'note' });
  let shown = 0;
  app.frame.on((frame) => {
    const now = performance.now();
    if (!frame || (now - shown < 60 && !frame.paused)) return;
    shown = now;
    time.textContent = clock(frame.time);
    pace.textContent = frame.paused ? 'paused' : factor(frame.rate);
    bar.classList.toggle('paused', frame.paused);
    note.textContent = frame.diverged ? 'diverged' : frame.atEnd ? 'end of the log' : '';
  });
  const step = iconButton('step', 'One step', '.', () => app.step());
  const reset = iconButton('reset', 'Reset', 'Shift+R', () => app.reset());
  const clients = h('span', { class: 'small clients', title: 'Pages that look at this world' });
  app.status.on((status) => {
    const n = status?.clients ?? 1;
    clients.textContent = n > 1 ? `${n} pages` : '';
  });
  bar.append(
    h(
      'div',
      { class: 'play-group', role: 'group', 'aria-label': 'Time' },
      reset,
      playButton(app),
      step,
    ),
    h('div', { class: 'times' }, time, pace),
    note,
    scrubBar(app),
    h('span', { class: 'spring' }),
    clients,
    rateSlider(app),
  );
}
