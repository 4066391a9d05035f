// SPDX-License-Identifier: BSD-3-Clause
// A joystick and a brake for fingers; shown while a vehicle is driven on a touch screen.

import { h } from '../ui/dom.ts';
import type { Stick } from './drive.ts';

export class TouchStick {
  readonly element: HTMLElement;
  private readonly knob = h('div', { class: 'knob' });
  private state: Stick | null = null;
  private braking = false;

  constructor() {
    const { knob } = this;
    const base = h(
      'div',
      {
        class: 'stick',
        role: 'application',
        'aria-label': 'Joystick: up is throttle, sideways steers',
      },
      knob,
    );
    const brake = h('button', { type: 'button', class: 'touch-brake' }, 'Brake');
    this.element = h('div', { class: 'touch-drive', hidden: true }, base, brake);

    const move = (e: PointerEvent): void => {
      const r = base.getBoundingClientRect();
      const reach = r.width / 2;
      let x = (e.clientX - r.left - reach) / reach;
      let y = (r.top + reach - e.clientY) / reach;
      const far = Math.hypot(x, y);
      if (far > 1) [x, y] = [x / far, y / far];
      knob.style.transform = `translate(${x * reach * 0.62}px, ${-y * reach * 0.62}px)`;
      this.state = { x, y: Math.abs(y) < 0.1 ? 0 : y, brake: false };
    };
    base.addEventListener('pointerdown', (e) => {
      base.setPointerCapture(e.pointerId);
      move(e);
    });
    base.addEventListener('pointermove', (e) => {
      if (base.hasPointerCapture(e.pointerId)) move(e);
    });
    base.addEventListener('pointerup', () => this.letGo());
    base.addEventListener('pointercancel', () => this.letGo());
    brake.addEventListener('pointerdown', () => (this.braking = true));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      brake.addEventListener(end, () => (this.braking = false));
  }

  letGo(): void {
    this.state = null;
    this.braking = false;
    this.knob.style.transform = '';
  }

  get stick(): Stick | null {
    if (this.braking) return { x: this.state?.x ?? 0, y: 0, brake: true };
    return this.state;
  }
}
