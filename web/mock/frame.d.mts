// SPDX-License-Identifier: BSD-3-Clause
export class FrameWriter {
  constructor(time: number, steps: number, rate: number, bits: number);
  u16(x: number): void;
  u32(x: number): void;
  i32(x: number): void;
  f32(x: number): void;
  f64(x: number): void;
  floats(list: Iterable<number>): void;
  pad(): void;
  section(kind: number, count: number): void;
  done(): Uint8Array;
}
