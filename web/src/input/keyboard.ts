// SPDX-License-Identifier: BSD-3-Clause
// Keys: those that are held (driving, flying, turning the view) and those that act once.

import type { App } from '../app.ts';
import { MODES } from '../camera/rig.ts';
import { fixed } from '../math/format.ts';
import type { Hands } from './drive.ts';
import { pressing, resets, sliding, typing } from './keys.ts';

const HELD = new Set(
  'KeyW KeyA KeyS KeyD KeyQ KeyE ArrowUp ArrowDown ArrowLeft ArrowRight Space ShiftLeft ShiftRight PageUp PageDown'.split(
    ' ',
  ),
);

export class Keyboard {
  readonly held = new Set<string>();

  clear(): void {
    this.held.clear();
  }

  private on(...codes: string[]): boolean {
    return codes.some((c) => this.held.has(c));
  }

  get hands(): Hands {
    return {
      left: this.on('ArrowLeft', 'KeyA'),
      right: this.on('ArrowRight', 'KeyD'),
      forward: this.on('ArrowUp', 'KeyW'),
      back: this.on('ArrowDown', 'KeyS'),
      handbrake: this.on('Space'),
    };
  }

  get arrows(): [number, number] {
    const one = (code: string): number => (this.held.has(code) ? 1 : 0);
    return [one('ArrowRight') - one('ArrowLeft'), one('ArrowUp') - one('ArrowDown')];
  }
}

function nextCount(count: number): number {
  return count === 1 ? 2 : count === 2 ? 4 : 1;
}

function panelKey(app: App, name: string): void {
  app.panel.set(app.panel.get() === name ? null : name);
}

function changeRate(app: App, by: number): void {
  const rate = app.status.get()?.rate ?? 1;
  const now = rate > 0 ? rate : 100;
  app.setRate(Math.max(0.01, Math.min(1000, Number((now * by).toPrecision(2)))));
}

// Keys that act once, by what they write; true if it was one.
function act(app: App, e: KeyboardEvent): boolean {
  const digit = /^Digit(\d)$/.exec(e.code)?.[1];
  if (digit !== undefined && e.shiftKey) app.save(Number(digit));
  else if (digit !== undefined && e.altKey) app.restore(Number(digit));
  else if (e.altKey) return false;
  else if (digit !== undefined) {
    const mode = MODES.find((m) => m.key === digit);
    if (!mode) return false;
    app.setMode(mode.mode);
  } else if (resets(e)) app.reset();
  else if (e.key === '?') app.helpOpen.set(!app.helpOpen.get());
  else if (e.key === '<') changeRate(app, 0.5);
  else if (e.key === '>') changeRate(app, 2);
  else if (e.key === '+' || e.key === '=') zoom(app, 0.85);
  else if (e.key === '-') zoom(app, 1 / 0.85);
  else return actPlain(app, e);
  return true;
}

function zoom(app: App, factor: number): void {
  app.activeView.hands.zoom(factor);
  app.touch();
}

function actPlain(app: App, e: KeyboardEvent): boolean {
  switch (e.key.toLowerCase()) {
    case 'p':
      app.togglePause();
      return true;
    case '.':
      app.step();
      return true;
    case 'v':
      app.setViewCount(nextCount(app.viewCount.get()));
      return true;
    case 'n':
      app.active.set((app.active.get() + 1) % app.viewCount.get());
      return true;
    case 'f':
      app.toggleFollow();
      return true;
    case 't':
      app.toggleDrive();
      return true;
    case '[':
      app.chooseNext(-1);
      return true;
    case ']':
      app.chooseNext(1);
      return true;
    case 'g':
      panelKey(app, 'vehicle');
      return true;
    case 'l':
      panelKey(app, 'plots');
      return true;
    case 'm':
      panelKey(app, 'parameters');
      return true;
    case 'c':
      panelKey(app, 'sensors');
      return true;
    case 'y':
      panelKey(app, 'scene');
      return true;
    case 'u':
      if (app.status.get()?.study) panelKey(app, 'study');
      return true;
    case 'k':
      app.still();
      return true;
    case 'o':
      app.toggleVideo();
      return true;
    case 'b':
      app.setTheme(app.theme.get() === 'dark' ? 'light' : 'dark');
      return true;
    case 'i':
      app.say(describe(app));
      return true;
    default:
      return false;
  }
}

// What a person who sees the picture knows.
export function describe(app: App): string {
  const vehicle = app.scene.get()?.vehicles[app.chosen.get()];
  const subject = app.world?.subject(app.chosen.get());
  const time = app.moment?.time ?? 0;
  if (!vehicle || !subject) return 'No vehicle';
  const speed = app.frame.get()?.vehicles?.[app.chosen.get() * 8 + 7] ?? 0;
  const heading = Math.round(((90 - (subject.yaw * 180) / Math.PI) % 360) + 360) % 360;
  const { x, y, z } = subject.position;
  const place = `${x.toFixed(1)} east, ${y.toFixed(1)} north, ${z.toFixed(1)} up`;
  const state = app.paused ? 'paused' : 'running';
  return `${vehicle.name}: forward speed ${fixed(speed, 1)} metres per second, heading ${heading} degrees, at ${place}; ${time.toFixed(1)} seconds, ${state}`;
}

export function attachKeyboard(app: App): void {
  const { keyboard } = app;
  window.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') {
      if (app.helpOpen.get()) app.helpOpen.set(false);
      else if (!typing(e.target)) app.panel.set(null);
      return;
    }
    if (typing(e.target) || e.ctrlKey || e.metaKey || app.helpOpen.get()) return;
    if (!app.singleKeys.get() && document.activeElement !== app.canvas) return;
    if (e.code === 'Space') {
      if (pressing(e.target)) return;
      e.preventDefault();
      if (app.driving.get()) keyboard.held.add(e.code);
      else if (!e.repeat) app.togglePause();
      return;
    }
    if (HELD.has(e.code) && !e.altKey) {
      const page = e.code.startsWith('Arrow') || e.code.startsWith('Page');
      const inPanel = e.target instanceof Element && e.target.closest('.dock') !== null;
      if (page && (sliding(e.target) || (inPanel && !app.driving.get()))) return;
      keyboard.held.add(e.code);
      if (page) e.preventDefault();
      app.touch();
      return;
    }
    if (e.repeat && e.key !== '.' && e.key !== '+' && e.key !== '-' && e.key !== '=') return;
    if (act(app, e)) {
      e.preventDefault();
      app.touch();
    }
  });
  window.addEventListener('keyup', (e) => keyboard.held.delete(e.code));
  window.addEventListener('blur', () => keyboard.clear());
}
