// SPDX-License-Identifier: BSD-3-Clause
// What is drawn, logs of the world, and states that were saved.

import type { App } from '../app.ts';
import { MAP_AVOIDED, MAP_BLOCKED, MAP_FREE } from '../scene/ground_material.ts';
import { FORWARD, REVERSE } from '../scene/navigation.ts';
import type { Layers } from '../scene/world.ts';
import { address, fetchBytes } from '../stream/address.ts';
import { download, h, icon, iconButton } from '../ui/dom.ts';
import { filmFormats } from '../record/video.ts';
import type { Panel } from './dock.ts';
import { buildLogs } from './logs.ts';

const LAYERS: [keyof Layers, string][] = [
  ['lines', 'Contour lines and grid'],
  ['shadows', 'Shadows'],
  ['grass', 'Grass'],
  ['labels', 'Names'],
  ['instruments', "Instruments in the driver's view"],
  ['trails', 'Paths'],
  ['pathVelocity', 'Velocity along the paths'],
  ['pathForce', 'Force of the ground along the paths'],
  ['velocity', 'Velocities'],
  ['forces', 'Forces on wheels'],
  ['links', 'Suspension links, ropes, springs, hitches'],
  ['navigation', 'Maps and planned paths'],
  ['lasers', 'Points of lasers and lidars'],
  ['frusta', 'Fields of view of cameras, lidars and radars'],
  ['contacts', 'Contacts'],
];

function layerSwitches(app: App): HTMLElement {
  const list = h('div', { class: 'switches' });
  const boxes = LAYERS.map(([name, label]) => {
    const box = h('input', {
      type: 'checkbox',
      role: 'switch',
      id: `layer-${name}`,
      change: () => app.setLayer(name, box.checked),
    });
    list.append(h('label', { class: 'switch' }, box, h('span', {}, label)));
    return { name, box };
  });
  app.scene.on(() => {
    for (const { name, box } of boxes) box.checked = app.world?.layers[name] ?? true;
  });
  return list;
}

async function exportState(app: App, slot: number): Promise<void> {
  try {
    download(`state_${slot}.rutstate`, new Blob([await fetchBytes(address(`state/${slot}`))]));
  } catch (error) {
    app.say(String(error), 'error');
  }
}

function importState(app: App, slot: number): void {
  const input = h('input', { type: 'file' });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (!file) return;
    fetch(address(`state/${slot}`), { method: 'PUT', body: file })
      .then((answer) =>
        app.say(
          answer.ok ? `State read into slot ${slot}` : `State refused: ${answer.status}`,
          answer.ok ? 'info' : 'error',
        ),
      )
      .catch((error: unknown) => app.say(String(error), 'error'));
  });
  input.click();
}

function slots(app: App): HTMLElement {
  const rows = Array.from({ length: 10 }, (_, slot) => {
    const restore = h(
      'button',
      { type: 'button', class: 'button', click: () => app.restore(slot) },
      'Restore',
    );
    const out = iconButton(
      'download',
      `Download state ${slot}`,
      '',
      () => void exportState(app, slot),
    );
    const row = h(
      'li',
      {},
      h('span', { class: 'slot' }, String(slot)),
      h('button', { type: 'button', class: 'button', click: () => app.save(slot) }, 'Save'),
      restore,
      out,
      iconButton('upload', `Read a state from a file into slot ${slot}`, '', () =>
        importState(app, slot),
      ),
    );
    return { slot, row, restore, out };
  });
  app.status.on((status) => {
    for (const { slot, row, restore, out } of rows) {
      const full = status?.slots.includes(slot) ?? false;
      restore.disabled = out.disabled = !full;
      row.classList.toggle('full', full);
    }
  });
  return h('ol', { class: 'slots' }, ...rows.map((r) => r.row));
}

// What the colours of maps and paths mean; hidden where no vehicle has any.
function navigationLegend(app: App): HTMLElement {
  const colours: [string, string][] = [
    [FORWARD, 'planned path'],
    [REVERSE, 'in reverse'],
    [MAP_FREE, 'ground it may drive on'],
    [MAP_AVOIDED, 'ground it avoids'],
    [MAP_BLOCKED, 'ground it does not enter'],
  ];
  const list = h(
    'ul',
    { class: 'soils', 'aria-label': 'Colours of maps and planned paths' },
    ...colours.map(([colour, text]) => {
      const dot = h('i', { 'aria-hidden': 'true' });
      dot.style.background = colour;
      return h('li', {}, dot, text);
    }),
  );
  const show = (): void => {
    list.hidden = !(app.world?.navigation.any && app.world.layers.navigation);
  };
  app.scene.on(show);
  app.layersChanged.on(show);
  return list;
}

function cameraActions(app: App): HTMLElement {
  return h(
    'div',
    { class: 'row' },
    h(
      'button',
      { type: 'button', class: 'button', click: () => app.toggleFollow() },
      'Follow the vehicle, or not',
    ),
    h(
      'button',
      { type: 'button', class: 'button', click: () => app.still() },
      icon('camera'),
      'Still picture',
    ),
  );
}

function filmChoice(app: App): HTMLElement {
  const select = h(
    'select',
    { id: 'film-format', change: () => (app.video.format = select.value) },
    ...filmFormats().map((f) => h('option', { value: f.id }, f.label)),
  );
  app.recording.on((on) => (select.disabled = on));
  return h('div', { class: 'row' }, h('label', { for: 'film-format' }, 'Films as'), select);
}

export function buildScenePanel(app: App): Panel {
  const soils = h('ul', { class: 'soils' });
  const soilPart = h('section', { hidden: true }, h('h3', {}, 'Soils'), soils);
  app.scene.on((scene) => {
    soilPart.hidden = !scene?.soils.length;
    soils.replaceChildren(
      ...(scene?.soils ?? []).map((soil) => {
        const dot = h('i', { 'aria-hidden': 'true' });
        dot.style.background = soil.color;
        return h('li', {}, dot, soil.name, ' ', h('span', { class: 'small' }, soil.type));
      }),
    );
  });
  const states = h('section', {}, h('h3', {}, 'Saved states'), slots(app));
  app.scene.on((scene) => (states.hidden = scene?.mode === 'replay'));
  return {
    element: h(
      'div',
      { class: 'scene-panel' },
      h('h3', {}, 'Shown'),
      layerSwitches(app),
      navigationLegend(app),
      cameraActions(app),
      filmChoice(app),
      soilPart,
      buildLogs(app),
      states,
    ),
  };
}
