// SPDX-License-Identifier: BSD-3-Clause
// Instruments over the driver's view: speed, engine speed and gear, inclination, wheel loads. They are drawn for a
// height of 150 and scale with the view. What a vehicle does not have is left out.

import type { App } from '../app.ts';
import { fixed } from '../math/format.ts';
import {
  driveSignals,
  fullScale,
  gearText,
  perMinute,
  wheelSlots,
  type DriveSignals,
  type WheelSlot,
} from '../math/instruments.ts';
import { wheelLoads } from '../math/load.ts';
import { anglesOf } from '../math/pose.ts';
import { VEHICLE, WHEEL, type Frame } from '../stream/frame.ts';
import type { Scene } from '../stream/scene.ts';
import { s } from '../ui/dom.ts';

const HEIGHT = 150;
const PERIOD = 66; // between updates, at least [ms]
const DEGREES = 180 / Math.PI;
const STEEP = 25; // from here on angles are marked [deg]
const SWEEP = 125; // of a needle to either side from the top [deg]
const SHARE = 0.3; // of the view's height that they take, at most
const MOST_ROWS = 12; // of wheels

// Numbers of a vehicle at one instant.
interface Reading {
  speed: number; // [m/s]
  roll: number; // [deg]
  pitch: number;
  engine: number; // [1/min]
  gear: number;
  loads: number[]; // [N]
  share: number; // of the weight, of one wheel [N]
}

interface Gauge {
  width: number;
  element: SVGElement;
  show(reading: Reading): void;
}

const onCircle = (r: number, degrees: number): [number, number] => {
  const a = (degrees - 90) / DEGREES;
  return [75 + r * Math.cos(a), 75 + r * Math.sin(a)];
};

// A round dial; its scale is drawn anew when it grows.
function dial(
  label: string,
  parts: number,
): { face: SVGElement; set(part: number, full: number): void } {
  const marks = s('g', { class: 'marks' });
  const needle = s('path', { class: 'needle', d: 'M73.4 78L75 22l1.6 56z' });
  const [x0, y0] = onCircle(62, -SWEEP);
  const [x1, y1] = onCircle(62, SWEEP);
  const face = s(
    'g',
    {},
    s('circle', { cx: 75, cy: 75, r: 70, class: 'face' }),
    s('path', { class: 'rim', d: `M${x0} ${y0}A62 62 0 1 1 ${x1} ${y1}` }),
    marks,
    s('text', { x: 75, y: 136, class: 'unit' }, label),
    needle,
    s('circle', { cx: 75, cy: 75, r: 4, class: 'hub' }),
  );
  let drawn = 0;
  const draw = (full: number): void => {
    drawn = full;
    marks.replaceChildren();
    for (let i = 0; i <= 2 * parts; i++) {
      const angle = -SWEEP + (SWEEP * i) / parts;
      const [a, b] = [onCircle(62, angle), onCircle(i % 2 ? 58 : 54, angle)];
      marks.append(s('path', { d: `M${a.join(' ')}L${b.join(' ')}` }));
      const [x, y] = onCircle(44, angle);
      if (i % 2 === 0) marks.append(s('text', { x, y: y + 3.5 }, String((full * i) / 2 / parts)));
    }
  };
  return {
    face,
    set(part, full) {
      if (full !== drawn) draw(full);
      const angle = -SWEEP + 2 * SWEEP * Math.max(0, Math.min(1, part || 0)); // NaN: at rest
      needle.setAttribute('transform', `rotate(${angle.toFixed(1)} 75 75)`);
    },
  };
}

function speedometer(): Gauge {
  const { face, set } = dial('km/h', 4);
  const value = s('text', { x: 75, y: 104, class: 'value', 'data-instrument': 'speed' });
  const other = s('text', { x: 75, y: 119, class: 'other' });
  let most = 0;
  return {
    width: 150,
    element: s('g', {}, face, value, other),
    show({ speed }) {
      const kmh = speed * 3.6;
      most = Math.max(most, Math.abs(kmh));
      const full = fullScale(most);
      set(Math.abs(kmh) / full, full);
      value.textContent = fixed(kmh, Math.abs(kmh) < 9.95 ? 1 : 0);
      other.textContent = `${fixed(speed, 1)} m/s`;
    },
  };
}

function tachometer(withGear: boolean): Gauge {
  const { face, set } = dial('1000/min', 4);
  const gear = s('text', { x: 75, y: 104, class: 'value', 'data-instrument': 'gear' });
  const turns = s('text', { x: 75, y: 119, class: 'other', 'data-instrument': 'engine' });
  let full = 4;
  return {
    width: 150,
    element: s('g', {}, face, gear, turns),
    show(r) {
      if (r.engine > 1000 * full) full = 4 * Math.ceil(r.engine / 4000);
      set(r.engine / 1000 / full, full);
      turns.textContent = Number.isFinite(r.engine)
        ? `${(10 * Math.round(r.engine / 10)).toFixed(0)}/min`
        : '–';
      gear.textContent = withGear ? gearText(r.gear) : '';
    },
  };
}

// A gear without an engine speed has a window of its own.
function gearWindow(): Gauge {
  const gear = s('text', { x: 40, y: 88, class: 'value large', 'data-instrument': 'gear' });
  return {
    width: 80,
    element: s(
      'g',
      {},
      s('rect', { x: 8, y: 40, width: 64, height: 70, rx: 10, class: 'face' }),
      gear,
      s('text', { x: 40, y: 104, class: 'unit' }, 'gear'),
    ),
    show: (r) => (gear.textContent = gearText(r.gear)),
  };
}

// A vehicle seen from behind or from the right, which leans with it, within a scale of 10 degrees a mark.
function inclination(
  name: 'pitch' | 'roll',
  y: number,
): { element: SVGElement; set(angle: number): void } {
  const shape =
    name === 'pitch'
      ? 'M-24 4h46v-7l-11-2-6-8h-29zM-17 9a5 5 0 1 0 .01 0zM13 9a5 5 0 1 0 .01 0z'
      : 'M-17 5h34v-9h-4l-2-9h-22l-2 9h-4zM-17 5h6v9h-6zM11 5h6v9h-6z';
  const body = s('path', { class: 'body', d: shape });
  const pointer = s('path', { class: 'pointer', d: 'M-42 0h8M42 0h-8' });
  const leaning = s('g', {}, body, pointer);
  const marks = s('g', { class: 'marks' });
  for (const side of [0, 180])
    for (const degrees of [-30, -20, -10, 0, 10, 20, 30]) {
      const a = (side + degrees) / DEGREES;
      const [c, d] = [Math.cos(a), Math.sin(a)];
      const inner = degrees ? 43 : 41;
      marks.append(s('path', { d: `M${inner * c} ${inner * d}L${47 * c} ${47 * d}` }));
    }
  const value = s('text', { x: 92, y: 4, class: 'angle', 'data-instrument': name });
  const element = s(
    'g',
    { transform: `translate(52 ${y})` },
    marks,
    leaning,
    s('text', { x: 92, y: -14, class: 'unit' }, name),
    value,
  );
  return {
    element,
    set(angle) {
      leaning.setAttribute('transform', `rotate(${angle.toFixed(1)})`);
      value.textContent = `${fixed(angle, 1)}°`;
      element.classList.toggle('steep', Math.abs(angle) > STEEP);
    },
  };
}

function inclinometer(): Gauge {
  const pitch = inclination('pitch', 38);
  const roll = inclination('roll', 112);
  return {
    width: 184,
    element: s(
      'g',
      {},
      s('rect', { x: 0, y: 2, width: 178, height: 146, rx: 14, class: 'face' }),
      pitch.element,
      roll.element,
    ),
    show(r) {
      pitch.set(r.pitch);
      roll.set(r.roll);
    },
  };
}

// Bars that grow outwards, the front at the top; a mark at the wheel's share of the weight.
function loadBars(slots: WheelSlot[]): Gauge {
  const rows = Math.max(1, ...slots.map((w) => w.row + 1));
  const pitch = 122 / rows;
  const thick = Math.min(16, 0.5 * pitch);
  const LONG = 62;
  const cells = slots.map(({ row, side }) => {
    const y = 22 + pitch * (row + 0.5);
    const [from, to] = side < 0 ? [88, 88 - LONG] : side > 0 ? [102, 102 + LONG] : [64, 126];
    const left = Math.min(from, to);
    const fill = s('rect', { y: y - thick / 2, height: thick, class: 'fill', x: left, width: 0 });
    const share = side < 0 ? from - LONG / 2 : left + LONG / 2;
    const text = s('text', {
      x: side < 0 ? 24 : side > 0 ? 166 : 95,
      y: y - thick / 2 - 2,
      class: side < 0 ? 'load left' : side > 0 ? 'load right' : 'load',
      'data-instrument': 'load',
    });
    const cell = s(
      'g',
      {},
      s('rect', { x: left, y: y - thick / 2, width: LONG, height: thick, class: 'track' }),
      fill,
      s('path', { class: 'share', d: `M${share} ${y - thick / 2 - 1}v${thick + 2}` }),
      pitch > 18 ? text : null,
    );
    const set = (load: number, part: number): void => {
      const length = LONG * Math.max(0, Math.min(1, part / 2));
      fill.setAttribute('width', length.toFixed(1));
      fill.setAttribute('x', String(side < 0 ? from - length : left));
      cell.classList.toggle('lifted', load <= 0);
      text.textContent =
        Math.abs(load) >= 1000
          ? `${fixed(load / 1000, 1)} kN`
          : `${fixed(load, load < 10 ? 1 : 0)} N`;
    };
    return { cell, set };
  });
  return {
    width: 190,
    element: s(
      'g',
      {},
      s('rect', { x: 0, y: 2, width: 190, height: 146, rx: 14, class: 'face' }),
      s('text', { x: 95, y: 17, class: 'unit' }, 'wheel loads'),
      s('path', { class: 'spine', d: 'M95 24v118' }),
      ...cells.map((c) => c.cell),
    ),
    show: (r) => cells.forEach((c, i) => c.set(r.loads[i] ?? 0, (r.loads[i] ?? 0) / r.share)),
  };
}

// Places of the wheels in their vehicle.
function slotsOf({ scene, vehicle, first }: Fitted, frame: Frame): WheelSlot[] {
  const v = frame.vehicles!.subarray(vehicle * VEHICLE);
  const { yaw } = anglesOf(v[3]!, v[4]!, v[5]!, v[6]!);
  const [c, d] = [Math.cos(yaw), Math.sin(yaw)];
  const { wheels } = scene.vehicles[vehicle]!;
  const places = wheels.map((_, k): [number, number] => {
    const at = (first + k) * WHEEL;
    const [x, y] = [frame.wheels![at]! - v[0]!, frame.wheels![at + 1]! - v[1]!];
    return [x * c + y * d, y * c - x * d];
  });
  return wheelSlots(places, wheels[0]?.radius ?? 1);
}

// The instruments of one view.
class Board {
  readonly element = s('svg', { class: 'instruments', role: 'img', hidden: true });
  private gauges: Gauge[] = [];
  private width = 0;

  build(name: string, gauges: Gauge[]): void {
    this.gauges = gauges;
    let x = 0;
    this.element.replaceChildren(
      ...gauges.map((g) => {
        const place = s('g', { transform: `translate(${x} 0)` }, g.element);
        x += g.width + 8;
        return place;
      }),
    );
    this.width = Math.max(1, x - 8);
    this.element.setAttribute('viewBox', `0 0 ${this.width} ${HEIGHT}`);
    this.element.setAttribute('aria-label', `Instruments of ${name}`);
  }

  place(r: { x: number; y: number; width: number; height: number }): void {
    const height = Math.min(SHARE * r.height, (0.94 * r.width * HEIGHT) / this.width);
    const width = (height * this.width) / HEIGHT;
    Object.assign(this.element.style, {
      left: `${r.x + (r.width - width) / 2}px`,
      top: `${r.y + r.height - height - 0.02 * r.height}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  show(reading: Reading): void {
    for (const gauge of this.gauges) gauge.show(reading);
  }
}

interface Fitted {
  scene: Scene;
  vehicle: number;
  first: number; // of its wheels among all
  drive: DriveSignals;
}

function gaugesOf(fitted: Fitted, frame: Frame): Gauge[] {
  const { engineSpeed, gear } = fitted.drive;
  const slots = frame.wheels ? slotsOf(fitted, frame) : [];
  const some = slots.length > 0 && slots.every((w) => w.row < MOST_ROWS);
  return [
    speedometer(),
    ...(engineSpeed ? [tachometer(gear !== null)] : gear ? [gearWindow()] : []),
    inclinometer(),
    ...(some ? [loadBars(slots)] : []),
  ];
}

function readingOf(app: App, { scene, vehicle, first, drive }: Fitted, frame: Frame): Reading {
  const p = frame.vehicles!.subarray(vehicle * VEHICLE);
  const { roll, pitch } = anglesOf(p[3]!, p[4]!, p[5]!, p[6]!);
  const latest = (name: string | null): number => (name ? app.store.latest(name) : NaN);
  const v = scene.vehicles[vehicle]!;
  const wheels = frame.wheels?.subarray(first * WHEEL, (first + v.wheels.length) * WHEEL);
  return {
    speed: p[7]!,
    roll: roll * DEGREES,
    pitch: pitch * DEGREES,
    engine: perMinute(latest(drive.engineSpeed)),
    gear: latest(drive.gear),
    loads: wheels ? wheelLoads(wheels, WHEEL) : [],
    share: (v.mass * scene.gravity) / Math.max(1, v.wheels.length) || 1,
  };
}

export function buildInstruments(app: App, viewport: HTMLElement): void {
  const boards = app.views.map(() => new Board());
  viewport.append(...boards.map((b) => b.element));
  let fitted: Fitted | null = null;
  let shown = 0;
  let waiting = 0; // timer of the next update

  const isOn = (i: number): boolean =>
    i < app.layout.get().length &&
    app.views[i]!.mode === 'driver' &&
    (app.world?.layers.instruments ?? false) &&
    fitted !== null;

  // For another vehicle, once there is a frame of it.
  const fit = (): void => {
    const scene = app.scene.get();
    const vehicle = app.chosen.get();
    const frame = app.frame.get();
    if (fitted && fitted.scene === scene && fitted.vehicle === vehicle) return;
    fitted = null;
    if (!scene || !app.world || !frame?.vehicles || !scene.vehicles[vehicle]) return;
    if (frame.vehicles.length < scene.vehicles.length * VEHICLE) return;
    const first = app.world.vehicles.firstWheel[vehicle] ?? 0;
    fitted = { scene, vehicle, first, drive: driveSignals(scene, vehicle) };
    for (const board of boards) board.build(scene.vehicles[vehicle].name, gaugesOf(fitted, frame));
  };

  // The last frame before a pause is shown too, if later than it came.
  const show = (force: boolean): void => {
    const now = performance.now();
    const frame = app.frame.get();
    if (!fitted || !frame?.vehicles || !boards.some((_, i) => isOn(i))) return;
    if (!force && now - shown < PERIOD) {
      waiting ||= window.setTimeout(() => show(true), PERIOD);
      return;
    }
    window.clearTimeout(waiting);
    waiting = 0;
    shown = now;
    const reading = readingOf(app, fitted, frame);
    boards.forEach((b, i) => isOn(i) && b.show(reading));
  };

  const arrange = (): void => {
    fit();
    const layout = app.layout.get();
    boards.forEach((b, i) => {
      b.element.toggleAttribute('hidden', !isOn(i));
      if (isOn(i)) b.place(layout[i]!);
    });
    const any = boards.some((_, i) => isOn(i));
    const names = any ? [fitted?.drive.engineSpeed, fitted?.drive.gear] : [];
    app.subscribe(
      names.filter((n) => typeof n === 'string'),
      'instruments',
    );
    viewport.classList.toggle('with-instruments', isOn(0) && layout.length === 1);
    show(true);
  };

  app.scene.on(arrange);
  app.chosen.on(arrange);
  app.layout.on(arrange);
  app.modeChanged.on(arrange);
  app.layersChanged.on(arrange);
  app.frame.on(() => (fitted ? show(false) : arrange()));
}
