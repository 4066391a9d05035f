// SPDX-License-Identifier: BSD-3-Clause
// Puts the parts of the page together.

import type { App } from '../app.ts';
import { buildDock } from './dock.ts';
import { buildHelp } from './help.ts';
import { buildHud } from './hud.ts';
import { buildInstruments } from './instruments.ts';
import { buildNotices } from './notices.ts';
import { buildTheme } from './theme.ts';
import { buildTimeBar } from './time_bar.ts';
import { buildTopBar } from './top_bar.ts';
import { buildViewBars } from './view_bars.ts';

export function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

export function buildPage(app: App): void {
  buildTheme(app);
  buildTopBar(app, part('topbar'));
  buildTimeBar(app, part('timebar'));
  buildViewBars(app, part('viewport'));
  buildInstruments(app, part('viewport'));
  buildHud(app, part('viewport'));
  buildDock(app, part('dock'));
  buildNotices(app, part('viewport'), part('say'), part('alert'));
  buildHelp(app);
}
