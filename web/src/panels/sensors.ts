// SPDX-License-Identifier: BSD-3-Clause
// What sensors measure: images of cameras, legends of clouds and scans, satellite fixes, plots of inertial sensors.

import type { App } from '../app.ts';
import { css, distinct, turbo, TURBO_BAR } from '../scene/colour_map.ts';
import { FIX_COLOUR, TRUTH_COLOUR } from '../scene/fixes.ts';
import { CLASSLESS, CLOUD_COLOURS, type CloudColour } from '../scene/clouds.ts';
import { laserColour } from '../scene/laser.ts';
import { flowColour, largestFlow, normalColour } from '../scene/vector_colours.ts';
import { LAYERS, NOTHING, type ImageSample, type Layer } from '../stream/sample.ts';
import type { Scene, Sensor } from '../stream/scene.ts';
import { breakable, h } from '../ui/dom.ts';
import { fileStem } from '../record/video.ts';
import { Chart, type ChartOwner } from './chart.ts';
import type { Panel } from './dock.ts';
import { vectorsOf } from './signal_tree.ts';

const WINDOW = 10; // of plots [s]
const PERIOD = 80; // between their updates [ms]

interface Part {
  element: HTMLElement;
  charts?: Chart[];
  layer?: () => Layer; // of an image
  show: () => void;
}

type Rgb = [number, number, number];
const UNSEEN: Rgb = [18, 22, 28];

// Colour of a pixel of a layer, by its number, and what the colours mean.
interface Painter {
  colour: (pixel: number) => Rgb;
  caption: string;
}

function depthPainter(depth: Float32Array): Painter {
  let [low, high] = [Infinity, -Infinity];
  for (const d of depth)
    if (d >= 0) {
      if (d < low) low = d;
      if (d > high) high = d;
    }
  const span = Math.log(Math.max(high, 1e-3) / Math.max(low, 1e-3)) || 1;
  const colour = (i: number): Rgb =>
    depth[i]! >= 0
      ? turbo(1 - Math.log(Math.max(depth[i]!, 1e-3) / Math.max(low, 1e-3)) / span)
      : UNSEEN;
  const range = `${low.toFixed(2)} m (red) to ${high.toFixed(1)} m (blue)`;
  return { colour, caption: high >= low ? range : '' };
}

function labelPainter(labels: Uint16Array): Painter {
  const known = new Map<number, Rgb>([[NOTHING, UNSEEN]]);
  const colour = (i: number): Rgb => {
    const label = labels[i]!;
    const rgb = known.get(label) ?? distinct(label);
    known.set(label, rgb);
    return rgb;
  };
  return { colour, caption: '' };
}

function painterOf(image: ImageSample, layer: Layer): Painter | null {
  const { colour, normal, flow } = image;
  if (layer === 'depth') return image.depth && depthPainter(image.depth);
  if (layer === 'class' || layer === 'instance') {
    const labels = image[layer];
    return labels && labelPainter(labels);
  }
  if (layer === 'normal')
    return (
      normal && {
        colour: (i) => normalColour(normal[3 * i]!, normal[3 * i + 1]!, normal[3 * i + 2]!),
        caption: 'red: to the right, green: up, blue: towards the camera',
      }
    );
  if (layer === 'flow') {
    if (!flow) return null;
    const largest = largestFlow(flow);
    return {
      colour: (i) => flowColour(flow[2 * i]!, flow[2 * i + 1]!, largest),
      caption: `red: to the right; up to ${largest.toPrecision(3)} pixels since the last image`,
    };
  }
  return (
    colour && {
      colour: (i) => [colour[3 * i]!, colour[3 * i + 1]!, colour[3 * i + 2]!],
      caption: '',
    }
  );
}

function heading(sensor: Sensor): HTMLElement {
  return h('h3', {}, ...breakable(sensor.name), ' ', h('span', { class: 'small' }, sensor.type));
}

// Names of the classes that are there. What has none is the air, in clouds.
function classLegend(
  labels: Uint16Array | null,
  names: string[],
  none: string | null = null,
): HTMLElement {
  const seen = [...new Set(labels ?? [])].sort((a, b) => a - b);
  return h(
    'ul',
    { class: 'soils' },
    ...seen.flatMap((c) => {
      if (c === NOTHING && none === null) return [];
      const dot = h('i', { 'aria-hidden': 'true' });
      dot.style.background = css(c === NOTHING ? CLASSLESS : distinct(c));
      return [h('li', {}, dot, c === NOTHING ? none! : (names[c] ?? `class ${c}`))];
    }),
  );
}

const LAYER_NAMES: Record<Layer, string> = {
  colour: 'colour',
  depth: 'depth',
  class: 'class',
  instance: 'instance',
  normal: 'surface normals',
  flow: 'optical flow',
};

function imagePart(app: App, scene: Scene, sensor: Sensor, index: number): Part {
  const canvas = h('canvas', {
    class: 'sensor-image',
    role: 'img',
    'aria-label': `Image of ${sensor.name}`,
    width: sensor.width,
    height: sensor.height,
  });
  const caption = h('p', { class: 'small' }, 'no image yet');
  const legend = h('div', {});
  const select = h(
    'select',
    { 'aria-label': `Image of ${sensor.name}`, change: () => app.watchSensors() },
    ...LAYERS.filter((l) => sensor.layers.includes(l)).map((l) =>
      h('option', { value: l }, LAYER_NAMES[l]),
    ),
  );
  const layer = (): Layer => select.value as Layer;
  const show = (): void => {
    const sample = app.samples.get(index);
    if (sample?.kind !== 'image') return;
    const painter = painterOf(sample, layer());
    if (!painter) return;
    canvas.width = sample.width;
    canvas.height = sample.height;
    const context = canvas.getContext('2d');
    if (!context) return;
    const picture = context.createImageData(sample.width, sample.height);
    for (let i = 0, { data } = picture; i < sample.width * sample.height; i++) {
      const rgb = painter.colour(i);
      for (let k = 0; k < 3; k++) data[4 * i + k] = rgb[k]!;
      data[4 * i + 3] = 255;
    }
    context.putImageData(picture, 0, 0);
    const size = `${sample.time.toFixed(3)} s, ${sample.width} x ${sample.height}`;
    caption.textContent = painter.caption ? `${size}, ${painter.caption}` : size;
    legend.replaceChildren(
      ...(layer() === 'class' ? [classLegend(sample.class, scene.classes)] : []),
    );
  };
  return {
    element: h('section', {}, heading(sensor), select, canvas, caption, legend),
    layer,
    show,
  };
}

function cloudPart(app: App, scene: Scene, sensor: Sensor, index: number): Part {
  const bar = h('div', { class: 'colour-bar', 'aria-hidden': 'true' });
  bar.style.background = TURBO_BAR;
  const caption = h('p', { class: 'small' }, 'no points yet');
  const classes = h('div', {});
  const select = h(
    'select',
    {
      'aria-label': `Colours of ${sensor.name}`,
      change: () => {
        app.world?.clouds.colourBy(index, select.value as CloudColour);
        app.touch();
        show();
      },
    },
    ...CLOUD_COLOURS.filter((c) => c !== 'class' || sensor.layers.includes('class')).map((c) =>
      h('option', { value: c }, `coloured by ${c}`),
    ),
  );
  const show = (): void => {
    const legend = app.world?.clouds.legend(index);
    const sample = app.samples.get(index);
    if (!legend || sample?.kind !== 'points') return;
    const count = `${legend.count} points at ${sample.time.toFixed(3)} s`;
    const byClass = legend.colour === 'class';
    bar.hidden = byClass;
    classes.replaceChildren(...(byClass ? [classLegend(sample.class, scene.classes, 'air')] : []));
    if (byClass) {
      caption.textContent = count;
      return;
    }
    const unit = legend.colour === 'height' ? ' m' : '';
    const [low, high] = legend.range.map((x) => `${x.toPrecision(3)}${unit}`);
    caption.textContent = `${low} to ${high}; ${count}`;
  };
  return { element: h('section', {}, heading(sensor), select, bar, classes, caption), show };
}

function fixPart(app: App, sensor: Sensor, index: number): Part {
  const swatch = h('i', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = FIX_COLOUR;
  const truth = h('i', { class: 'swatch', 'aria-hidden': 'true' });
  truth.style.background = TRUTH_COLOUR;
  const text = h('p', { class: 'small' }, 'no fix yet');
  const show = (): void => {
    const report = app.world?.fixes.report(index);
    if (!report) return;
    const { sample, state, error } = report;
    const degrees = (x: number): string => ((x * 180) / Math.PI).toFixed(7);
    const spread = [...sample.deviation].map((s) => s.toFixed(2)).join(', ');
    text.textContent =
      `${state}: ${degrees(sample.latitude)}, ${degrees(sample.longitude)}, ${sample.altitude.toFixed(2)} m; ` +
      `east, north, up ± ${spread} m; ${error.toFixed(2)} m from the true place`;
  };
  const path = h(
    'p',
    { class: 'small' },
    swatch,
    ' measured path, ',
    truth,
    ' true path of the antenna',
  );
  return { element: h('section', {}, heading(sensor), path, text), show };
}

// A plot of each vector that it measures.
function plotPart(app: App, sensor: Sensor, vectors: string[][], changed: () => void): Part {
  const owner: ChartOwner = {
    fixed: true,
    store: app.store,
    dark: () => app.theme.get() === 'dark',
    label: (name) => name.slice(sensor.name.length + 1).replace(/[_.]/g, ' '),
    signal: (name) => app.scene.get()?.signals.find((s) => s.name === name),
    window: () => WINDOW,
    stem: () => fileStem(app.scene.get()?.title ?? 'rut', app.moment?.time ?? 0),
    changed,
    removed: () => undefined,
    compare: () => [],
    activated: () => undefined,
  };
  const charts = vectors.map((names) => {
    const chart = new Chart(owner);
    chart.add(...names);
    return chart;
  });
  return {
    element: h('section', {}, heading(sensor), ...charts.map((c) => c.element)),
    charts,
    show: () => charts.forEach((c) => c.rebuild()),
  };
}

function scanPart(scene: Scene, sensor: Sensor, index: number): Part {
  const swatch = h('i', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = laserColour(scene, index);
  const fov = ((sensor.fov * 180) / Math.PI).toFixed(0);
  const text = h(
    'p',
    { class: 'small' },
    swatch,
    ` ${sensor.rays} rays over ${fov}°, up to ${sensor.range} m`,
  );
  return { element: h('section', {}, heading(sensor), text), show: () => undefined };
}

// Sensors whose vectors are plotted, and not drawn in the scene.
const INERTIAL = new Set(['imu', 'magnetometer']);

export function buildSensors(app: App): Panel {
  const list = h('div', { class: 'sensor-panel' });
  let parts = new Map<number, Part>();
  const charts = (): Chart[] => [...parts.values()].flatMap((p) => p.charts ?? []);
  const subscribe = (): void =>
    app.subscribe(
      app.panel.get() === 'sensors' ? charts().flatMap((c) => c.signals) : [],
      'sensors',
    );
  app.scene.on((scene) => {
    for (const chart of charts()) chart.dispose();
    parts = new Map();
    scene?.sensors.forEach((sensor, i) => {
      if (sensor.sample === 'image') parts.set(i, imagePart(app, scene, sensor, i));
      else if (sensor.sample === 'points') parts.set(i, cloudPart(app, scene, sensor, i));
      else if (sensor.sample === 'fix') parts.set(i, fixPart(app, sensor, i));
      else if (sensor.rays > 1) parts.set(i, scanPart(scene, sensor, i));
      else if (INERTIAL.has(sensor.type)) {
        const vectors = vectorsOf(sensor.name, scene.signals);
        if (vectors.length) parts.set(i, plotPart(app, sensor, vectors, subscribe));
      }
    });
    const none = h(
      'p',
      {},
      'This world has no camera, lidar, laser, satellite receiver or inertial sensor. ',
    );
    const others = h('p', { class: 'small' }, 'Numbers of all sensors are in the panel Plots.');
    list.replaceChildren(
      ...(parts.size ? [...parts.values()].map((p) => p.element) : [none]),
      others,
    );
  });
  app.wantedLayers = () =>
    app.panel.get() === 'sensors' ? [...parts.values()].flatMap((p) => p.layer?.() ?? []) : [];
  app.sampled.on((sensor) => {
    if (app.panel.get() === 'sensors') parts.get(sensor)?.show();
  });
  app.panel.on(() => {
    app.watchSensors();
    subscribe();
  });
  app.scene.on(subscribe);
  app.theme.on(() => charts().forEach((c) => c.rebuild()));
  window.setInterval(() => {
    if (list.isConnected) for (const chart of charts()) chart.update();
  }, PERIOD);
  return {
    element: list,
    shown: () => {
      for (const part of parts.values()) part.show();
    },
  };
}
