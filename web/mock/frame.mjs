// SPDX-License-Identifier: BSD-3-Clause
// Writes frames as docs/manual/stream.md describes them.

export class FrameWriter {
  constructor(time, steps, rate, bits) {
    this.bytes = new Uint8Array(1 << 16);
    this.view = new DataView(this.bytes.buffer);
    this.at = 0;
    this.sections = 0;
    this.u32(0x46545552);
    this.u16(1);
    this.u16(0);
    this.f64(time);
    this.room(8);
    this.view.setBigUint64(this.at, BigInt(steps), true);
    this.at += 8;
    this.f32(rate);
    this.u32(bits);
  }
  room(n) {
    if (this.at + n <= this.bytes.length) return;
    const more = new Uint8Array(Math.max(this.bytes.length * 2, this.at + n));
    more.set(this.bytes);
    this.bytes = more;
    this.view = new DataView(more.buffer);
  }
  u16(x) {
    this.room(2);
    this.view.setUint16(this.at, x, true);
    this.at += 2;
  }
  u32(x) {
    this.room(4);
    this.view.setUint32(this.at, x, true);
    this.at += 4;
  }
  i32(x) {
    this.room(4);
    this.view.setInt32(this.at, x, true);
    this.at += 4;
  }
  f32(x) {
    this.room(4);
    this.view.setFloat32(this.at, x, true);
    this.at += 4;
  }
  f64(x) {
    this.room(8);
    this.view.setFloat64(this.at, x, true);
    this.at += 8;
  }
  floats(list) {
    for (const x of list) this.f32(x);
  }
  pad() {
    while (this.at % 8) {
      this.room(1);
      this.bytes[this.at++] = 0;
    }
  }
  section(kind, count) {
    this.pad();
    this.u32(kind);
    this.u32(count);
    this.sections++;
  }
  done() {
    this.pad();
    this.view.setUint16(6, this.sections, true);
    return this.bytes.slice(0, this.at);
  }
}
