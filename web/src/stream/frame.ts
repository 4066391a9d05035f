// SPDX-License-Identifier: BSD-3-Clause
// Binary frames of the stream (docs/manual/stream.md). Arrays are views into the message, no copies.

export const VEHICLE = 8; // floats of a vehicle: x y z, w x y z, forward speed
export const WHEEL = 16; // centre 3, quaternion 4, contact 3, force 3, slip, sinkage, normal load
export const LINK = 6;
export const BLOCK = 7;
export const CONTACT = 4;

export interface Scan {
  sensor: number;
  ranges: Float32Array;
}

export interface Tile {
  column: number;
  row: number;
  cell: number;
  side: number;
  heights: Float32Array;
}

export interface Curves {
  subscription: number;
  signals: number;
  times: Float64Array;
  values: Float32Array; // row after row
}

export interface Frame {
  time: number;
  steps: number;
  rate: number; // real-time factor of the last second
  paused: boolean;
  diverged: boolean;
  atEnd: boolean;
  jump: boolean; // after a reset, seek or restore
  vehicles: Float32Array | null;
  wheels: Float32Array | null;
  links: Float32Array | null;
  blocks: Float32Array | null;
  contacts: Float32Array | null;
  scans: Scan[];
  tiles: Tile[];
  curves: Curves | null;
}

export class FrameError extends Error {}

const MAGIC = 0x46545552;
const HEAD = 32;

// Reads forward through the message and refuses to leave it.
class Reader {
  readonly view: DataView;
  at = 0;
  constructor(readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }
  private take(bytes: number): number {
    const at = this.at;
    if (!(bytes >= 0) || bytes > this.buffer.byteLength - at)
      throw new FrameError(
        `frame ends at ${this.buffer.byteLength}, ${bytes} bytes asked at ${at}`,
      );
    this.at += bytes;
    return at;
  }
  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  i32(): number {
    return this.view.getInt32(this.take(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }
  u64(): number {
    return Number(this.view.getBigUint64(this.take(8), true));
  }
  floats(count: number): Float32Array {
    return new Float32Array(this.buffer, this.take(count * 4), count);
  }
  align(): void {
    this.at = Math.min(this.buffer.byteLength, (this.at + 7) & ~7);
  }
}

function readScans(r: Reader, count: number): Scan[] {
  const scans: Scan[] = [];
  for (let i = 0; i < count; i++) {
    const sensor = r.u32();
    const n = r.u32();
    scans.push({ sensor, ranges: r.floats(n) });
    r.align();
  }
  return scans;
}

function readTiles(r: Reader, count: number): Tile[] {
  const tiles: Tile[] = [];
  for (let i = 0; i < count; i++) {
    const column = r.i32();
    const row = r.i32();
    const cell = r.f32();
    const side = r.u32();
    if (side < 2 || side > 4096 || !(cell > 0)) throw new FrameError('tile of no size');
    tiles.push({ column, row, cell, side, heights: r.floats(side * side) });
    r.align();
  }
  return tiles;
}

function readCurves(r: Reader, count: number): Curves {
  const subscription = r.u32();
  const signals = r.u32();
  const row = 8 * Math.ceil((8 + 4 * signals) / 8);
  if (row * count > r.buffer.byteLength - r.at) throw new FrameError('curves are cut');
  const times = new Float64Array(count);
  const values = new Float32Array(count * signals);
  for (let i = 0; i < count; i++) {
    times[i] = r.f64();
    values.set(r.floats(signals), i * signals);
    r.align();
  }
  return { subscription, signals, times, values };
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
  const r = new Reader(buffer);
  if (buffer.byteLength < HEAD || r.u32() !== MAGIC) throw new FrameError('not a frame');
  const version = r.u16();
  if (version !== 1) throw new FrameError(`frame of version ${version}, not 1`);
  const sections = r.u16();
  const time = r.f64();
  const steps = r.u64();
  const rate = r.f32();
  const bits = r.u32();
  const frame: Frame = {
    time,
    steps,
    rate,
    paused: (bits & 1) !== 0,
    diverged: (bits & 2) !== 0,
    atEnd: (bits & 4) !== 0,
    jump: (bits & 8) !== 0,
    vehicles: null,
    wheels: null,
    links: null,
    blocks: null,
    contacts: null,
    scans: [],
    tiles: [],
    curves: null,
  };
  for (let i = 0; i < sections; i++) {
    r.align();
    const kind = r.u32();
    const count = r.u32();
    if (kind === 1) frame.vehicles = r.floats(count * VEHICLE);
    else if (kind === 2) frame.wheels = r.floats(count * WHEEL);
    else if (kind === 3) frame.links = r.floats(count * LINK);
    else if (kind === 4) frame.blocks = r.floats(count * BLOCK);
    else if (kind === 5) frame.scans = readScans(r, count);
    else if (kind === 6) frame.tiles = readTiles(r, count);
    else if (kind === 7) frame.curves = readCurves(r, count);
    else if (kind === 8) frame.contacts = r.floats(count * CONTACT);
    else throw new FrameError(`section of unknown kind ${kind}`);
  }
  return frame;
}
