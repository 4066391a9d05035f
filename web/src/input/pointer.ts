// SPDX-License-Identifier: BSD-3-Clause
// Mouse, pen and fingers on the canvas: one drags to turn, the other button or two fingers pan and pinch.

import type { View } from '../camera/view.ts';

export interface PointerTarget {
  viewAt(x: number, y: number): View | null;
  touched(view: View): void; // it becomes the active one
  moved(): void; // the picture changes
  clicked(view: View, x: number, y: number): void; // -1 to 1 in the view, y up
}

interface Finger {
  x: number;
  y: number;
  x0: number;
  y0: number;
  button: number;
  time: number;
}

const CLICK = 5; // [px]

export function attachPointer(canvas: HTMLCanvasElement, target: PointerTarget): void {
  const fingers = new Map<number, Finger>();
  let view: View | null = null;

  const local = (e: MouseEvent): { x: number; y: number } => {
    const r = canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  };

  canvas.addEventListener('pointerdown', (e) => {
    const at = local(e);
    if (fingers.size === 0) view = target.viewAt(at.x, at.y);
    if (!view) return;
    target.touched(view);
    fingers.set(e.pointerId, { ...at, x0: at.x, y0: at.y, button: e.button, time: e.timeStamp });
    canvas.setPointerCapture(e.pointerId);
    canvas.classList.add('grabbed');
  });

  canvas.addEventListener('pointermove', (e) => {
    const finger = fingers.get(e.pointerId);
    if (!finger || !view) return;
    const at = local(e);
    const [dx, dy] = [at.x - finger.x, at.y - finger.y];
    const size = view.rectangle.height;
    if (fingers.size >= 2) {
      const [a, b] = [...fingers.values()] as [Finger, Finger];
      const before = Math.hypot(a.x - b.x, a.y - b.y);
      finger.x = at.x;
      finger.y = at.y;
      const after = Math.hypot(a.x - b.x, a.y - b.y);
      if (before > 10 && after > 10) view.hands.zoom(before / after);
      view.hands.pan(dx / 2 / size, dy / 2 / size);
    } else {
      finger.x = at.x;
      finger.y = at.y;
      const panning = finger.button === 2 || finger.button === 1 || e.shiftKey;
      if (panning) view.hands.pan(dx / size, dy / size);
      else view.hands.turn((dx / size) * 3.4, (dy / size) * 3.4);
    }
    target.moved();
  });

  const up = (e: PointerEvent): void => {
    const finger = fingers.get(e.pointerId);
    fingers.delete(e.pointerId);
    if (fingers.size === 0) canvas.classList.remove('grabbed');
    if (!finger || !view || e.type === 'pointercancel') return;
    const at = local(e);
    const still = Math.hypot(at.x - finger.x0, at.y - finger.y0) < CLICK;
    if (still && e.timeStamp - finger.time < 400 && finger.button === 0) {
      const r = view.rectangle;
      target.clicked(view, (2 * (at.x - r.x)) / r.width - 1, 1 - (2 * (at.y - r.y)) / r.height);
    }
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', (e) => e.preventDefault());
  canvas.addEventListener(
    'wheel',
    (e) => {
      e.preventDefault();
      const at = local(e);
      const under = target.viewAt(at.x, at.y);
      if (!under) return;
      const lines = e.deltaMode === 1 ? e.deltaY * 16 : e.deltaY;
      under.hands.zoom(Math.exp(Math.max(-120, Math.min(120, lines)) * 0.0022));
      target.moved();
    },
    { passive: false },
  );
}
