// SPDX-License-Identifier: BSD-3-Clause
// Frames are read as docs/manual/stream.md says, byte for byte, and nothing is read beyond their end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameWriter } from '../../mock/frame.mjs';
import { decodeFrame, FrameError } from '../../src/stream/frame.ts';

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}

// A frame with every section, among them odd counts that need padding.
function fullFrame(): Uint8Array {
  const w = new FrameWriter(12.5, 2500, 0.75, 1 | 8);
  w.section(1, 1);
  w.floats([1, 2, 3, 1, 0, 0, 0, 4.5]);
  w.section(2, 1);
  w.floats(Array.from({ length: 16 }, (_, i) => i));
  w.section(3, 1);
  w.floats([1, 2, 3, 4, 5, 6]);
  w.section(4, 1);
  w.floats([1, 2, 3, 1, 0, 0, 0]);
  w.section(5, 2);
  w.u32(3);
  w.u32(3);
  w.floats([1, -1, 2]);
  w.pad();
  w.u32(4);
  w.u32(2);
  w.floats([5, 6]);
  w.section(6, 1);
  w.i32(-2);
  w.i32(7);
  w.f32(0.25);
  w.u32(3);
  w.floats([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  w.section(7, 2);
  w.u32(9);
  w.u32(3);
  w.f64(12.4);
  w.floats([1, 2, 3]);
  w.pad();
  w.f64(12.5);
  w.floats([4, 5, 6]);
  w.section(8, 1);
  w.floats([1, 2, 3, 40]);
  return w.done();
}

test('head by hand-written bytes', () => {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  bytes.set([0x52, 0x55, 0x54, 0x46, 1, 0, 0, 0]); // "RUTF", version 1, no section
  view.setFloat64(8, 3.25, true);
  view.setUint32(16, 650, true);
  view.setFloat32(24, 2, true);
  view.setUint32(28, 2 | 4, true);
  const f = decodeFrame(bytes.buffer);
  assert.equal(f.time, 3.25);
  assert.equal(f.steps, 650);
  assert.equal(f.rate, 2);
  assert.deepEqual([f.paused, f.diverged, f.atEnd, f.jump], [false, true, true, false]);
  assert.equal(f.vehicles, null);
});

test('all sections', () => {
  const f = decodeFrame(bufferOf(fullFrame()));
  assert.equal(f.time, 12.5);
  assert.deepEqual([f.paused, f.jump], [true, true]);
  assert.equal(f.vehicles![7], 4.5);
  assert.equal(f.wheels![14], 14);
  assert.deepEqual([...f.links!], [1, 2, 3, 4, 5, 6]);
  assert.equal(f.blocks!.length, 7);
  assert.deepEqual(
    f.scans.map((s) => [s.sensor, ...s.ranges]),
    [
      [3, 1, -1, 2],
      [4, 5, 6],
    ],
  );
  const [tile] = f.tiles;
  assert.deepEqual([tile!.column, tile!.row, tile!.cell, tile!.side], [-2, 7, 0.25, 3]);
  assert.equal(tile!.heights[8], 8);
  assert.equal(f.curves!.subscription, 9);
  assert.deepEqual([...f.curves!.times], [12.4, 12.5]);
  assert.deepEqual([...f.curves!.values], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...f.contacts!], [1, 2, 3, 40]);
});

test('a frame cut at any byte is refused, never read beyond', () => {
  const whole = fullFrame();
  for (let n = 0; n < whole.length; n++)
    assert.throws(() => decodeFrame(bufferOf(whole.subarray(0, n))), FrameError, `cut at ${n}`);
});

test('counts and kinds that lie are refused', () => {
  const whole = fullFrame();
  const spoil = (at: number, value: number): ArrayBuffer => {
    const copy = bufferOf(whole);
    new DataView(copy).setUint32(at, value, true);
    return copy;
  };
  assert.throws(() => decodeFrame(spoil(0, 1)), FrameError);
  assert.throws(() => decodeFrame(spoil(4, 2)), FrameError);
  assert.throws(() => decodeFrame(spoil(32, 99)), FrameError);
  assert.throws(() => decodeFrame(spoil(36, 0xffffffff)), FrameError);
});

test('random bytes: a frame or an error of ours', () => {
  let seed = 1;
  const random = (): number => (seed = (seed * 48271) % 2147483647);
  const whole = fullFrame();
  for (let run = 0; run < 3000; run++) {
    const copy = bufferOf(whole);
    const bytes = new Uint8Array(copy);
    for (let k = 0; k < 4; k++) bytes[random() % bytes.length] = random() % 256;
    try {
      decodeFrame(copy);
    } catch (error) {
      assert.ok(error instanceof FrameError, String(error));
    }
  }
});
