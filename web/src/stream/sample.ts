// SPDX-License-Identifier: BSD-3-Clause
// Samples of sensors as the stream sends them (docs/manual/stream.md). Arrays are views into the message, no copies.

import { FrameError } from './frame.ts';

export const LAYERS = ['colour', 'depth', 'class', 'instance', 'normal', 'flow'] as const;
export type Layer = (typeof LAYERS)[number];

export const NOTHING = 65535; // class or instance where nothing is seen

interface Head {
  sensor: number;
  time: number;
  pose: Float32Array; // of the sensor then: x y z, quaternion w x y z, world
}

export interface PointSample extends Head {
  kind: 'points';
  points: Float32Array; // x y z in the frame of the sensor [m], intensity; of each point
  class: Uint16Array | null; // of each point, where the sensor tells
  instance: Uint16Array | null;
}

export interface ImageSample extends Head {
  kind: 'image';
  width: number;
  height: number;
  colour: Uint8Array | null; // red, green and blue of each pixel, sRGB
  depth: Float32Array | null; // [m], -1 where nothing is seen
  class: Uint16Array | null;
  instance: Uint16Array | null;
  normal: Float32Array | null; // to the right, down and along the optical axis; 0 0 0 where nothing is seen
  flow: Float32Array | null; // to the right and down since the last sample [pixels], NaN where unknown
}

export interface FixSample extends Head {
  kind: 'fix';
  latitude: number; // [rad]
  longitude: number;
  altitude: number; // [m]
  deviation: Float32Array; // standard deviations east, north, up [m]
  state: number; // 0 none, 1 single, 2 DGPS, 3 RTK float, 4 fixed
}

// Of a vehicle that finds its way: what cells of the ground cost it.
export interface MapSample {
  kind: 'map';
  vehicle: number;
  time: number;
  width: number; // cells along x
  height: number;
  origin: [number, number]; // least x and y [m]
  resolution: number; // side of a cell [m]
  cells: Uint8Array; // row by row along x: 0 to 100, where it does not go; 255 unknown
}

export interface PathSample {
  kind: 'path';
  vehicle: number;
  time: number;
  goal: number[] | null; // x y [m], yaw [rad] or NaN
  poses: Float32Array; // x y [m], yaw [rad] of each
}

export type SensorSample = PointSample | ImageSample | FixSample;
export type Sample = SensorSample | MapSample | PathSample;

const MAGIC = 0x53545552;
const HEAD = 64;

export function isSample(buffer: ArrayBuffer): boolean {
  return buffer.byteLength >= HEAD && new DataView(buffer).getUint32(0, true) === MAGIC;
}

const padded = (size: number): number => Math.ceil(size / 8) * 8;

// Where each of the layers begins, one after the other.
function taker(view: DataView, from: number, what: string): (size: number) => number {
  let at = from;
  return (size) => {
    const start = at;
    at += padded(size);
    if (at > view.byteLength) throw new FrameError(`${what} cut`);
    return start;
  };
}

function readPoints(view: DataView, head: Head): PointSample {
  const { buffer } = view;
  const count = view.getUint32(12, true);
  const layers = view.getUint32(56, true);
  const take = taker(view, HEAD, 'points are');
  const points = new Float32Array(buffer as ArrayBuffer, take(count * 16), count * 4);
  const labels = (bit: number): Uint16Array | null =>
    layers & bit ? new Uint16Array(buffer as ArrayBuffer, take(2 * count), count) : null;
  return { kind: 'points', ...head, points, class: labels(4), instance: labels(8) };
}

function readImage(view: DataView, head: Head): ImageSample {
  const [width, height] = [view.getUint32(12, true), view.getUint32(52, true)];
  const layers = view.getUint32(56, true);
  const pixels = width * height;
  const image: ImageSample = {
    kind: 'image',
    ...head,
    width,
    height,
    colour: null,
    depth: null,
    class: null,
    instance: null,
    normal: null,
    flow: null,
  };
  const take = taker(view, HEAD, 'image is');
  const { buffer } = view;
  if (layers & 1) image.colour = new Uint8Array(buffer, take(3 * pixels), 3 * pixels);
  if (layers & 2) image.depth = new Float32Array(buffer, take(4 * pixels), pixels);
  if (layers & 4) image.class = new Uint16Array(buffer, take(2 * pixels), pixels);
  if (layers & 8) image.instance = new Uint16Array(buffer, take(2 * pixels), pixels);
  if (layers & 16) image.normal = new Float32Array(buffer, take(12 * pixels), 3 * pixels);
  if (layers & 32) image.flow = new Float32Array(buffer, take(8 * pixels), 2 * pixels);
  return image;
}

// Three numbers stand between the head and what is one for each cell or pose.
function readNavigation(view: DataView, { sensor, time }: Head, map: boolean): Sample {
  const buffer = view.buffer as ArrayBuffer;
  const [width, height] = [view.getUint32(12, true), view.getUint32(52, true)];
  const take = taker(view, HEAD, map ? 'map is' : 'path is');
  const at = take(24);
  const numbers = [0, 8, 16].map((k) => view.getFloat64(at + k, true));
  if (!map) {
    const poses = new Float32Array(buffer, take(12 * width), 3 * width);
    const goal = Number.isFinite(numbers[0]! + numbers[1]!) ? numbers : null;
    return { kind: 'path', vehicle: sensor, time, goal, poses };
  }
  const [x, y, resolution] = numbers as [number, number, number];
  if (!(resolution > 0) || !Number.isFinite(x + y + resolution) || width * height === 0)
    throw new FrameError('map of no extent');
  const cells = new Uint8Array(buffer, take(width * height), width * height);
  return { kind: 'map', vehicle: sensor, time, width, height, origin: [x, y], resolution, cells };
}

export function decodeSample(buffer: ArrayBuffer): Sample {
  if (!isSample(buffer)) throw new FrameError('not a sample');
  const view = new DataView(buffer);
  const version = view.getUint16(4, true);
  if (version !== 1) throw new FrameError(`sample of version ${version}, not 1`);
  const kind = view.getUint16(6, true);
  const head: Head = {
    sensor: view.getUint32(8, true),
    time: view.getFloat64(16, true),
    pose: new Float32Array(buffer, 24, 7),
  };
  if (kind === 1) return readPoints(view, head);
  if (kind === 2) return readImage(view, head);
  if (kind === 4 || kind === 5) return readNavigation(view, head, kind === 4);
  if (kind !== 3 || buffer.byteLength < HEAD + 40)
    throw new FrameError(`sample of unknown kind ${kind}`);
  return {
    kind: 'fix',
    ...head,
    latitude: view.getFloat64(HEAD, true),
    longitude: view.getFloat64(HEAD + 8, true),
    altitude: view.getFloat64(HEAD + 16, true),
    deviation: new Float32Array(buffer, HEAD + 24, 3),
    state: view.getUint32(HEAD + 36, true),
  };
}
