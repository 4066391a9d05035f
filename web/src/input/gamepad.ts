// SPDX-License-Identifier: BSD-3-Clause
// The browser's gamepads in the standard mapping. Buttons that are no pedals act once when pressed; the right stick moves
// the camera, and the left one flies it while nobody drives.

import type { App } from '../app.ts';
import { MODES } from '../camera/rig.ts';
import type { Pad } from './drive.ts';

const [NEARER, FARTHER, TAKE, BEFORE, NEXT, START] = [0, 2, 3, 4, 5, 9];
const [VIEW, UP, FOLLOW, LEFT, RIGHT] = [11, 12, 13, 14, 15];
const DEAD = 0.15;
const FLY = 0.5; // of the left stick, from which on it counts as a key

function stick(pad: Pad, axis: number): number {
  const x = pad.axes[axis] ?? 0;
  return Math.abs(x) < DEAD ? 0 : (Math.sign(x) * (Math.abs(x) - DEAD)) / (1 - DEAD);
}

// The camera mode that stands so many places after one.
export function modeAfter(mode: string, by: number): (typeof MODES)[number] {
  const i = MODES.findIndex((m) => m.mode === mode);
  return MODES[(i + by + MODES.length) % MODES.length]!;
}

export class GamepadReader {
  pad: Pad | null = null;
  name = '';
  readonly keys = new Set<string>(); // that stand for the left stick in free flight
  private held = new Set<number>();
  private last = 0;

  poll(app: App, now = performance.now()): void {
    const found = navigator.getGamepads?.().find((p) => p?.connected) ?? null;
    if (found && found.id !== this.name) app.say(`Gamepad: ${found.id}. Y takes the vehicle over.`);
    this.name = found?.id ?? '';
    this.pad = found;
    this.keys.clear();
    const seconds = Math.min(0.2, (now - this.last) / 1000);
    this.last = now;
    if (!found) return;
    const pressed = new Set(found.buttons.flatMap((b, i) => (b.pressed ? [i] : [])));
    this.press(app, (i) => pressed.has(i) && !this.held.has(i));
    this.held = pressed;
    this.moveCamera(app, found, seconds);
  }

  private press(app: App, now: (button: number) => boolean): void {
    if (now(TAKE)) app.toggleDrive();
    if (now(START)) app.togglePause();
    if (now(LEFT)) app.chooseNext(-1);
    if (now(RIGHT)) app.chooseNext(1);
    if (now(BEFORE)) app.setMode(modeAfter(app.activeView.mode, -1).mode);
    if (now(NEXT)) app.setMode(modeAfter(app.activeView.mode, 1).mode);
    if (now(FOLLOW)) app.toggleFollow();
    if (now(VIEW)) app.active.set((app.active.get() + 1) % app.viewCount.get());
    if (now(UP))
      app.setViewCount(app.viewCount.get() === 1 ? 2 : app.viewCount.get() === 2 ? 4 : 1);
  }

  private moveCamera(app: App, pad: Pad, seconds: number): void {
    const { hands, mode } = app.activeView;
    const [x, y] = [stick(pad, 2), stick(pad, 3)];
    if (x || y) hands.turn(-2 * x * seconds, -1.4 * y * seconds);
    const on = (button: number): number => (pad.buttons[button]?.pressed ? 1 : 0);
    const zoom = on(FARTHER) - on(NEARER);
    if (zoom) hands.zoom(Math.exp(1.5 * zoom * seconds));
    if (mode === 'fly' && !app.driving.get()) {
      const [side, ahead] = [pad.axes[0] ?? 0, pad.axes[1] ?? 0];
      if (ahead < -FLY) this.keys.add('KeyW');
      if (ahead > FLY) this.keys.add('KeyS');
      if (side < -FLY) this.keys.add('KeyA');
      if (side > FLY) this.keys.add('KeyD');
      if ((pad.buttons[7]?.value ?? 0) > FLY) this.keys.add('KeyE');
      if ((pad.buttons[6]?.value ?? 0) > FLY) this.keys.add('KeyQ');
    }
    if (x || y || zoom || this.keys.size) app.touch();
  }
}
