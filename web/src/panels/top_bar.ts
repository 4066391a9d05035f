// SPDX-License-Identifier: BSD-3-Clause
// The bar above: name, vehicle, driving, panels and tools.

import type { App } from '../app.ts';
import { h, icon, iconButton, setIcon, type Icon } from '../ui/dom.ts';

function panelButton(
  app: App,
  name: string,
  picture: Icon,
  label: string,
  key: string,
): HTMLButtonElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'tab-button',
      title: `${label} (${key})`,
      'aria-controls': 'dock',
      'aria-keyshortcuts': key,
      click: () => app.panel.set(app.panel.get() === name ? null : name),
    },
    icon(picture),
    h('span', {}, label),
  );
  app.panel.on((open) => button.setAttribute('aria-expanded', String(open === name)));
  return button;
}

function vehicleChooser(app: App): HTMLElement {
  const select = h('select', {
    'aria-label': 'Vehicle',
    title: 'Vehicle ([ and ])',
    change: () => app.choose(select.selectedIndex),
  });
  const dot = h('span', { class: 'vehicle-dot', 'aria-hidden': 'true' });
  const show = (): void => {
    select.selectedIndex = app.chosen.get();
    dot.style.background = app.scene.get()?.vehicles[app.chosen.get()]?.color ?? 'transparent';
  };
  app.scene.on((scene) => {
    select.replaceChildren(
      ...(scene?.vehicles ?? []).map((v) =>
        h('option', {}, v.ghost ? `${v.name} (compared)` : v.name),
      ),
    );
    select.disabled = (scene?.vehicles.length ?? 0) < 2;
    show();
  });
  app.chosen.on(show);
  return h('span', { class: 'vehicle-chooser' }, dot, select);
}

function driveButton(app: App): HTMLButtonElement {
  const label = h('span', {}, 'Drive');
  const button = h(
    'button',
    {
      type: 'button',
      class: 'drive-button',
      'aria-keyshortcuts': 'T',
      click: () => app.toggleDrive(),
    },
    icon('wheel'),
    label,
  );
  const show = (): void => {
    const on = app.driving.get();
    const vehicle = app.scene.get()?.vehicles[app.chosen.get()];
    const other = !on && app.status.get()?.driven[app.chosen.get()] === 'page';
    button.setAttribute('aria-pressed', String(on));
    label.textContent = on ? 'Hand back' : 'Drive';
    button.classList.toggle('on', on);
    button.disabled = !vehicle?.drivable || app.scene.get()?.mode === 'replay';
    button.title = on
      ? 'Hand the vehicle back to the controller of the world (T)'
      : other
        ? 'Another page drives this vehicle. Take it over (T)'
        : 'Take the vehicle over: arrows or W A S D, gamepad (T)';
  };
  app.driving.on(show);
  app.chosen.on(show);
  app.scene.on(show);
  app.status.on(show);
  return button;
}

// There is one only where there is a study, which then is what a person came for.
function studyButton(app: App): HTMLButtonElement {
  const button = panelButton(app, 'study', 'table', 'Study', 'U');
  button.hidden = true;
  app.status.on((status) => {
    if (!status?.study || !button.hidden) return;
    button.hidden = false;
    if (app.panel.get() === null) app.panel.set('study');
  });
  return button;
}

function viewButtons(app: App): HTMLElement {
  const group = h('div', { class: 'segments', role: 'group', 'aria-label': 'Number of views' });
  for (const [count, picture] of [
    [1, 'views1'],
    [2, 'views2'],
    [4, 'views4'],
  ] as [number, Icon][]) {
    const button = iconButton(picture, count === 1 ? 'One view' : `${count} views`, 'V', () =>
      app.setViewCount(count),
    );
    app.viewCount.on((now) => button.setAttribute('aria-pressed', String(now === count)));
    group.append(button);
  }
  return group;
}

function videoButton(app: App): HTMLButtonElement {
  const button = iconButton('record', 'Record a video', 'O', () => app.toggleVideo());
  button.classList.add('video-button');
  app.recording.on((on) => {
    setIcon(button, on ? 'stop' : 'record');
    button.classList.toggle('recording', on);
    button.setAttribute('aria-pressed', String(on));
  });
  return button;
}

function themeButton(app: App): HTMLButtonElement {
  const button = iconButton('moon', 'Dark picture', 'B', () =>
    app.setTheme(app.theme.get() === 'dark' ? 'light' : 'dark'),
  );
  app.theme.on((theme) => {
    setIcon(button, theme === 'dark' ? 'sun' : 'moon');
    const label = theme === 'dark' ? 'To light colours' : 'To dark colours';
    button.setAttribute('aria-label', label);
    button.title = `${label} (B)`;
  });
  return button;
}

export function buildTopBar(app: App, bar: HTMLElement): void {
  const title = h('h1', { class: 'world-title' });
  const mode = h('span', { class: 'mode' });
  app.scene.on((scene) => {
    title.textContent = scene?.title ?? '';
    title.title = scene?.title ?? '';
  });
  const state = (): void => {
    const link = app.link.get();
    const replay = app.scene.get()?.mode === 'replay';
    mode.textContent =
      link === 'open' ? (replay ? 'replay' : 'live') : link === 'lost' ? 'lost' : '…';
    mode.className = `mode ${link === 'open' ? (replay ? 'replay' : 'live') : 'away'}`;
    const log = app.status.get()?.recording;
    mode.title = log ? `The server writes ${log}` : '';
  };
  app.link.on(state);
  app.scene.on(state);
  app.status.on(state);

  bar.append(
    h('span', { class: 'brand', 'aria-hidden': 'true' }, 'rut'),
    title,
    mode,
    h('span', { class: 'spring' }),
    vehicleChooser(app),
    driveButton(app),
    h('span', { class: 'spring' }),
    h(
      'nav',
      { class: 'tabs', 'aria-label': 'Panels' },
      panelButton(app, 'vehicle', 'gauge', 'Vehicle', 'G'),
      panelButton(app, 'plots', 'plot', 'Plots', 'L'),
      panelButton(app, 'parameters', 'tune', 'Parameters', 'M'),
      panelButton(app, 'sensors', 'eye', 'Sensors', 'C'),
      panelButton(app, 'scene', 'layers', 'Scene', 'Y'),
      studyButton(app),
    ),
    h(
      'div',
      { class: 'tools', role: 'group', 'aria-label': 'Tools' },
      viewButtons(app),
      iconButton('camera', 'Still picture', 'K', () => app.still()),
      videoButton(app),
      themeButton(app),
      iconButton('help', 'Keys', '?', () => app.helpOpen.set(true)),
    ),
  );
}
