// SPDX-License-Identifier: BSD-3-Clause
// Films as pictures, and the camera by gamepad.

import assert from 'node:assert/strict';
import test from 'node:test';
import { modeAfter } from '../../src/input/gamepad.ts';
import { crc32, zip } from '../../src/record/zip.ts';

test('CRC-32 has its check value', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
});

test('a ZIP of stored files, byte by byte', async () => {
  const data = new TextEncoder().encode('123456789');
  const bytes = new Uint8Array(await zip([{ name: 'a.png', data }]).arrayBuffer());
  const view = new DataView(bytes.buffer);
  const head = 30 + 5;
  const entry = head + 9;
  const end = entry + 46 + 5;
  assert.equal(bytes.length, end + 22);
  assert.equal(view.getUint32(0, true), 0x04034b50);
  assert.equal(view.getUint32(14, true), 0xcbf43926);
  assert.equal(view.getUint32(22, true), 9);
  assert.equal(new TextDecoder().decode(bytes.subarray(30, entry)), 'a.png123456789');
  assert.equal(view.getUint32(entry, true), 0x02014b50);
  assert.equal(view.getUint32(entry + 42, true), 0);
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 1);
  assert.equal(view.getUint32(end + 12, true), 51);
  assert.equal(view.getUint32(end + 16, true), entry);
});

test('the camera before and after another, around', () => {
  assert.equal(modeAfter('orbit', 1).mode, 'chase');
  assert.equal(modeAfter('orbit', -1).mode, 'fly');
  assert.equal(modeAfter('fly', 1).mode, 'orbit');
});
