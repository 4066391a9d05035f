// SPDX-License-Identifier: BSD-3-Clause
// The browser's gamepads in the standard mapping. Buttons that are no pedals act once when pressed.

import type { App } from '../app.ts';
import type { Pad } from './drive.ts';

const [TAKE, START, LEFT, RIGHT, UP] = [3, 9, 14, 15, 12];

export class GamepadReader {
  pad: Pad | null = null;
  name = '';
  private held = new Set<number>();

  poll(app: App): void {
    const found = navigator.getGamepads?.().find((p) => p?.connected) ?? null;
    if (found && found.id !== this.name) app.say(`Gamepad: ${found.id}. Y takes the vehicle over.`);
    this.name = found?.id ?? '';
    this.pad = found;
    if (!found) return;
    const pressed = new Set(found.buttons.flatMap((b, i) => (b.pressed ? [i] : [])));
    const now = (i: number): boolean => pressed.has(i) && !this.held.has(i);
    if (now(TAKE)) app.toggleDrive();
    if (now(START)) app.togglePause();
    if (now(LEFT)) app.chooseNext(-1);
    if (now(RIGHT)) app.chooseNext(1);
    if (now(UP))
      app.setViewCount(app.viewCount.get() === 1 ? 2 : app.viewCount.get() === 2 ? 4 : 1);
    this.held = pressed;
  }
}
