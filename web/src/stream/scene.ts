// SPDX-License-Identifier: BSD-3-Clause
// The scene as /scene.json gives it (docs/manual/stream.md), with defaults for what is left out.

import type { Georeference } from '../math/earth.ts';

export type Pair = [number, number];

export interface Soil {
  name: string;
  type: string;
  color: string;
  roughness: number; // how uneven it looks, 0 to 1
  grass: number; // share that grass covers
}

// What images on the ground show from above, over the extent: rows from the south of red, green, blue in sRGB, and alpha.
export interface GroundImage {
  asset: number;
  width: number;
  height: number;
}

// A piece of a road, of a marking or of a pavement.
export interface RoadPiece {
  class: string; // "road", "road marking" or "pavement"
  outline: Pair[];
  color: string;
}

export interface Gui {
  ortho: boolean;
  fov: number | null; // [rad]
  distance: number | null;
  azimuth: number | null;
  elevation: number | null;
  follow: string | null;
  target: number[] | null; // x y and perhaps z
  show_forces: boolean;
  force_scale: number; // [m/N]; 0: chosen by the page
}

export interface Visual {
  asset: number;
  pose: number[];
  scale: number;
  stretch: number[]; // factors along the mesh's own axes
  color: string | null;
  made: boolean; // by rule, from the numbers of a vehicle
}

export interface WheelSpec {
  name: string;
  radius: number;
  width: number;
  links: number;
  visuals: Visual[];
}

// What a controller may be told.
export interface SetPoint {
  name: string;
  unit: string;
  doc: string;
}

export interface Vehicle {
  name: string;
  kind: string;
  color: string;
  ghost: boolean;
  mass: number;
  chassis: { outline: Pair[]; z: Pair; eye: number[] };
  visuals: Visual[];
  controller: string;
  commands: SetPoint[];
  drivable: boolean;
  navigation: string[]; // what of its way can be watched: path, map
  afar: Afar | null;
  hitch: Hitch | null;
  wheels: WheelSpec[];
}

// Packets that are late by latency and a random part of jitter [s], or lost (a probability).
export interface Packets {
  latency: number;
  jitter: number;
  loss: number;
  rate: number; // per second, 0: as often as there are any
}

// The channels between a vehicle and who drives it from afar.
export interface Afar {
  video: Packets;
  commands: Packets;
}

// A load that a vehicle pulls.
export interface Hitch {
  position: number[]; // in the vehicle's frame
  force: number; // [N]
  ramp: number; // [N/s], 0: at once
  start: number; // [s]
}

// What carries a body of a mechanism.
export interface Support {
  type: 'hinge' | 'slide';
  axis: number[]; // in the body's frame
  grounded: boolean; // it hangs on the world, not on another body
}

// What holds two bodies together; a pin, or a rope, rod or spring.
export interface Joint {
  name: string;
  type: 'revolute' | 'distance';
  bodies: [string, string]; // names of vehicles or blocks
  anchors: [Pair, Pair]; // in the frames of the bodies
  min: number; // lengths [m]
  max: number;
  stiffness: number; // [N/m]
}

export interface Block {
  name: string;
  outline: Pair[];
  z: Pair;
  color: string;
  moves: boolean;
  pose: number[];
  visuals: Visual[];
  support: Support | null;
}

export interface Wall {
  outline: Pair[];
  z: Pair;
  color: string;
}

// A form of scenery: a variant of an element, which several individuals have.
export interface Form {
  name: string; // of the element
  type: string;
  variant: number;
  asset: number;
  count: number; // of individuals
}

// Places of the individuals, form by form: x y z yaw size as float32.
export interface Scenery {
  places: number; // asset
  extent: [number, number, number, number];
  forms: Form[];
}

export interface Grid {
  asset: number;
  x: number;
  y: number;
  cell: number;
  width: number;
  height: number;
}

export interface Marker {
  points: number[][];
  color: string;
  width: number;
}

export interface Points {
  asset: number;
  color: string;
  size: number;
}

export interface Sensor {
  name: string;
  type: string;
  vehicle: number;
  pose: number[];
  rays: number;
  fov: number;
  range: number;
  elevation: Pair; // of what it has in view, lowest and highest [rad]
  sample: '' | 'points' | 'image' | 'fix'; // that can be watched
  layers: string[]; // of an image, and labels of points
  width: number; // of an image [pixels]
  height: number;
  level: boolean; // it scans the level plane, however its vehicle tilts
}

export interface Sun {
  azimuth: number;
  elevation: number;
  color: string;
  shadows: boolean;
  ambient: number; // part of the light that comes from the sky
  illuminance: number; // of a surface that faces it, by sun and sky [lx]
}

// A light source, as cameras have it (docs/manual/sensors.md).
export interface Lamp {
  vehicle: number; // that carries it, -1: none
  pose: number[]; // in its frame, or in the world; x along the beam
  intensity: number; // along the axis [cd]
  stray: number; // besides, everywhere in the cone [cd]
  color: string;
  spread: Pair; // standard deviations across and up [rad], 0: the same in all directions
  cone: number; // half angle [rad]
  cutoff: number; // angle above the axis beyond which there is no beam [rad]
  radius: number; // of the disc that shines [m]
  reach: number; // [m]
}

// The air: over a distance d it takes 1 - exp(-extinction d) of the light.
export interface Weather {
  extinction: number; // [1/m], 0: clear
  height: number; // of this air above the eye [m]
}

export interface Signal {
  name: string;
  unit: string;
  doc: string;
}

export interface Parameter {
  path: string;
  value: string;
  unit: string;
  min: number | null;
  max: number | null;
  doc: string;
}

export interface Scene {
  mode: 'live' | 'replay';
  title: string;
  timestep: number;
  gravity: number;
  start: number; // of a log [s]
  duration: number | null;
  extent: [number, number, number, number];
  ground: {
    flat: boolean;
    keeps_ruts: boolean;
    rut_cell: number;
    color: string | null;
    roughness: number; // where it has a colour
    grass: number;
    image: GroundImage | null;
  };
  soils: Soil[];
  roads: RoadPiece[];
  gui: Gui;
  sun: Sun;
  weather: Weather;
  lamps: Lamp[];
  assets: string[];
  description: string;
  visuals: Visual[];
  vehicles: Vehicle[];
  links: string[];
  blocks: Block[];
  joints: Joint[];
  scenery: Scenery | null;
  walls: Wall[];
  grids: Grid[];
  markers: Marker[];
  points: Points[];
  sensors: Sensor[];
  classes: string[]; // semantic, in images
  georeference: Georeference | null;
  signals: Signal[];
  parameters: Parameter[];
}

export class SceneError extends Error {}

type Json = Record<string, unknown>;

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function list<T>(value: unknown, read: (item: Json) => T): T[] {
  return Array.isArray(value) ? value.map((item) => read(object(item))) : [];
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

const share = (value: unknown, otherwise: number): number =>
  Math.min(1, Math.max(0, number(value, otherwise)));

function maybe(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function text(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

function color(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;
}

function numbers(value: unknown, otherwise: number[] = []): number[] {
  return Array.isArray(value) ? value.map((x) => number(x, 0)) : otherwise;
}

function pair(value: unknown, otherwise: Pair): Pair {
  const [a, b] = numbers(value);
  return a !== undefined && b !== undefined ? [a, b] : otherwise;
}

function outline(value: unknown): Pair[] {
  return Array.isArray(value) ? value.map((p) => pair(p, [0, 0])) : [];
}

function visuals(value: unknown): Visual[] {
  return list(value, (x) => ({
    asset: number(x['asset'], -1),
    pose: numbers(x['pose'], [0, 0, 0, 0, 0, 0]),
    scale: number(x['scale'], 1),
    stretch: numbers(x['stretch'], [1, 1, 1]),
    color: typeof x['color'] === 'string' ? color(x['color'], '#c4c8cc') : null,
    made: x['made'] === true,
  })).filter((x) => x.asset >= 0);
}

function readHitch(value: unknown): Hitch | null {
  const x = object(value);
  const force = number(x['force'], 0);
  if (!(force > 0)) return null;
  return {
    position: numbers(x['position'], [0, 0, 0]),
    force,
    ramp: number(x['ramp'], 0),
    start: number(x['start'], 0),
  };
}

function readSupport(value: unknown): Support | null {
  const x = object(value);
  if (x['type'] !== 'hinge' && x['type'] !== 'slide') return null;
  return {
    type: x['type'],
    axis: numbers(x['axis'], [0, 0, 1]),
    grounded: x['grounded'] !== false,
  };
}

function readJoint(x: Json): Joint {
  const [a, b] = Array.isArray(x['bodies']) ? x['bodies'] : [];
  const [p, q] = Array.isArray(x['anchors']) ? x['anchors'] : [];
  return {
    name: text(x['name']),
    type: x['type'] === 'revolute' ? 'revolute' : 'distance',
    bodies: [text(a), text(b)],
    anchors: [pair(p, [0, 0]), pair(q, [0, 0])],
    min: number(x['min'], 0),
    max: number(x['max'], 0),
    stiffness: number(x['stiffness'], 0),
  };
}

function readPackets(value: unknown): Packets {
  const p = object(value);
  return {
    latency: number(p['latency'], 0),
    jitter: number(p['jitter'], 0),
    loss: number(p['loss'], 0),
    rate: number(p['rate'], 0),
  };
}

function readAfar(value: unknown): Afar | null {
  const afar = object(value);
  if (!('video' in afar)) return null;
  return { video: readPackets(afar['video']), commands: readPackets(afar['commands']) };
}

function readVehicle(v: Json): Vehicle {
  const chassis = object(v['chassis']);
  return {
    name: text(v['name']),
    kind: text(v['kind'], text(v['name'])),
    color: color(v['color'], '#c8622d'),
    ghost: v['ghost'] === true,
    mass: number(v['mass'], 0),
    chassis: {
      outline: outline(chassis['outline']),
      z: pair(chassis['z'], [0.1, 0.4]),
      eye: numbers(chassis['eye'], []),
    },
    visuals: visuals(v['visuals']),
    controller: text(v['controller']),
    commands: list(v['commands'], (c) => ({
      name: text(c['name']),
      unit: text(c['unit']),
      doc: text(c['doc']),
    })),
    drivable: v['drivable'] === true,
    navigation: Array.isArray(v['navigation']) ? v['navigation'].map((n) => text(n)) : [],
    afar: readAfar(v['afar']),
    hitch: readHitch(v['hitch']),
    wheels: list(v['wheels'], (w) => ({
      name: text(w['name']),
      radius: Math.max(1e-3, number(w['radius'], 0.1)),
      width: Math.max(1e-3, number(w['width'], 0.05)),
      links: number(w['links'], 0),
      visuals: visuals(w['visuals']),
    })),
  };
}

function readScenery(value: unknown): Scenery | null {
  const s = object(value);
  const places = number(s['places'], -1);
  if (places < 0) return null;
  const [x0 = 0, y0 = 0, x1 = x0, y1 = y0] = numbers(s['extent']);
  return {
    places,
    extent: [x0, y0, x1, y1],
    forms: list(s['forms'], (f) => ({
      name: text(f['name']),
      type: text(f['type']),
      variant: number(f['variant'], 0),
      asset: number(f['asset'], -1),
      count: Math.max(0, number(f['count'], 0)),
    })),
  };
}

function readSun(sun: Json): Sun {
  return {
    azimuth: number(sun['azimuth'], 0.9),
    elevation: number(sun['elevation'], 0.6),
    color: color(sun['color'], '#ffffff'),
    shadows: sun['shadows'] !== false,
    ambient: share(sun['ambient'], 0.5),
    illuminance: Math.max(0, number(sun['illuminance'], 1e5)),
  };
}

function readLamp(x: Json): Lamp {
  const intensity = Math.max(0, number(x['intensity'], 0));
  const stray = Math.max(0, number(x['stray'], 0));
  return {
    vehicle: number(x['vehicle'], -1),
    pose: numbers(x['pose'], [0, 0, 0, 0, 0, 0]),
    intensity,
    stray,
    color: color(x['color'], '#fff1d6'),
    spread: pair(x['spread'], [0, 0]),
    cone: number(x['cone'], Math.PI),
    cutoff: number(x['cutoff'], Math.PI / 2),
    radius: Math.max(1e-4, number(x['radius'], 0.08)),
    reach: Math.max(0, number(x['reach'], Math.sqrt((intensity + stray) / 0.05))),
  };
}

function readWeather(weather: Json): Weather {
  return {
    extinction: Math.max(0, number(weather['extinction'], 0)),
    height: Math.max(0, number(weather['height'], 300)),
  };
}

function readExtent(value: unknown): [number, number, number, number] {
  const [x0, y0, x1, y1] = numbers(value);
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined)
    return [-20, -20, 20, 20];
  return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : [-20, -20, 20, 20];
}

function readGui(gui: Json): Gui {
  const target = numbers(gui['target']);
  return {
    ortho: gui['ortho'] === true,
    fov: maybe(gui['fov']),
    distance: maybe(gui['distance']),
    azimuth: maybe(gui['azimuth']),
    elevation: maybe(gui['elevation']),
    follow: typeof gui['follow'] === 'string' && gui['follow'] ? gui['follow'] : null,
    target: target.length >= 2 ? target : null,
    show_forces: gui['show_forces'] === true,
    force_scale: number(gui['force_scale'], 0),
  };
}

function readGroundImage(value: unknown): GroundImage | null {
  const image = object(value);
  const [asset, width, height] = ['asset', 'width', 'height'].map((k) => number(image[k], -1));
  return asset! >= 0 && width! > 0 && height! > 0
    ? { asset: asset!, width: width!, height: height! }
    : null;
}

function sampleKind(value: unknown): Sensor['sample'] {
  return value === 'points' || value === 'image' || value === 'fix' ? value : '';
}

function readGeoreference(value: unknown): Georeference | null {
  if (typeof value !== 'object' || value === null) return null;
  const g = object(value);
  return {
    latitude: number(g['latitude'], 0),
    longitude: number(g['longitude'], 0),
    height: number(g['height'], 0),
    rotation: number(g['rotation'], 0),
  };
}

export function readScene(json: unknown): Scene {
  const s = object(json);
  if (s['version'] !== 1) throw new SceneError(`scene of version ${String(s['version'])}, not 1`);
  const ground = object(s['ground']);
  return {
    mode: s['mode'] === 'replay' ? 'replay' : 'live',
    title: text(s['title'], 'world'),
    timestep: number(s['timestep'], 0.001),
    gravity: number(s['gravity'], 9.81),
    start: number(s['start'], 0),
    duration: maybe(s['duration']),
    extent: readExtent(s['extent']),
    ground: {
      flat: ground['flat'] !== false,
      keeps_ruts: ground['keeps_ruts'] === true,
      rut_cell: number(ground['rut_cell'], 0.05),
      color: typeof ground['color'] === 'string' ? color(ground['color'], '#a3a399') : null,
      roughness: share(ground['roughness'], 0.8),
      grass: share(ground['grass'], 0),
      image: readGroundImage(ground['image']),
    },
    soils: list(s['soils'], (x) => ({
      name: text(x['name']),
      type: text(x['type']),
      color: color(x['color'], '#8a8069'),
      roughness: share(x['roughness'], 0.7),
      grass: share(x['grass'], 0),
    })),
    roads: list(s['roads'], (x) => ({
      class: text(x['class']),
      outline: outline(x['outline']),
      color: color(x['color'], '#77787a'),
    })),
    gui: readGui(object(s['gui'])),
    sun: readSun(object(s['sun'])),
    weather: readWeather(object(s['weather'])),
    lamps: list(s['lamps'], readLamp).filter((lamp) => lamp.intensity + lamp.stray > 0),
    assets: Array.isArray(s['assets']) ? s['assets'].map((a) => text(a)) : [],
    description: text(s['description']),
    visuals: visuals(s['visuals']),
    vehicles: list(s['vehicles'], readVehicle),
    links: Array.isArray(s['links']) ? s['links'].map((l) => text(l)) : [],
    blocks: list(s['blocks'], (b) => ({
      name: text(b['name']),
      outline: outline(b['outline']),
      z: pair(b['z'], [0, 1]),
      color: color(b['color'], '#b08040'),
      moves: b['moves'] === true,
      pose: numbers(b['pose'], [0, 0, 0, 1, 0, 0, 0]),
      visuals: visuals(b['visuals']),
      support: readSupport(b['joint']),
    })),
    joints: list(s['joints'], readJoint),
    scenery: readScenery(s['scenery']),
    walls: list(s['walls'], (w) => ({
      outline: outline(w['outline']),
      z: pair(w['z'], [0, 2]),
      color: color(w['color'], '#b9b5ad'),
    })),
    grids: list(s['grids'], (g) => ({
      asset: number(g['asset'], -1),
      x: number(g['x'], 0),
      y: number(g['y'], 0),
      cell: number(g['cell'], 0.05),
      width: number(g['width'], 0),
      height: number(g['height'], 0),
    })),
    markers: list(s['markers'], (m) => ({
      points: Array.isArray(m['points']) ? m['points'].map((p) => numbers(p)) : [],
      color: color(m['color'], '#ffffff'),
      width: number(m['width'], 2),
    })),
    points: list(s['points'], (p) => ({
      asset: number(p['asset'], -1),
      color: color(p['color'], '#ffffff'),
      size: number(p['size'], 2),
    })),
    sensors: list(s['sensors'], (x) => ({
      name: text(x['name']),
      type: text(x['type']),
      vehicle: number(x['vehicle'], -1),
      pose: numbers(x['pose'], [0, 0, 0, 0, 0, 0]),
      rays: number(x['rays'], 0),
      fov: number(x['fov'], Math.PI),
      level: x['level'] !== false,
      range: number(x['range'], 30),
      elevation: pair(x['elevation'], [0, 0]),
      sample: sampleKind(x['sample']),
      // logs of before have none of what a camera always gave
      layers: Array.isArray(x['layers'])
        ? x['layers'].map((l) => text(l))
        : x['sample'] === 'image'
          ? ['colour', 'depth', 'class', 'instance']
          : [],
      width: number(x['width'], 0),
      height: number(x['height'], 0),
    })),
    classes: Array.isArray(s['classes']) ? s['classes'].map((c) => text(c)) : [],
    georeference: readGeoreference(s['georeference']),
    signals: list(s['signals'], (x) => ({
      name: text(x['name']),
      unit: text(x['unit']),
      doc: text(x['doc']),
    })),
    parameters: list(s['parameters'], (p) => ({
      path: text(p['path']),
      value: typeof p['value'] === 'number' ? String(p['value']) : text(p['value']),
      unit: text(p['unit']),
      min: maybe(p['min']),
      max: maybe(p['max']),
      doc: text(p['doc']),
    })),
  };
}
