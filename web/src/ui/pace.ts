// SPDX-License-Identifier: BSD-3-Clause
// Keeps the page quick on slow machines: lowers the resolution of the picture and of its shadows while pictures come
// late.

import { drawnInSoftware } from '../scene/software.ts';

const LATE = 42; // [ms]
const EARLY = 19;
const MEMORY = 270; // of the mean
const SOFTWARE = 0.64; // of the full resolution, to begin with where there is no graphics processor

export class Pace {
  private readonly fixed = new URLSearchParams(location.search).has('sharp');
  private scale = !this.fixed && drawnInSoftware() ? SOFTWARE : 1;
  private last = 0;
  private mean = 16;
  private since = 0;
  rate = 0; // pictures a second
  held = false; // at the resolution of now: a video keeps that of its first picture

  get pixelRatio(): number {
    return Math.min(2, devicePixelRatio) * this.scale;
  }

  // Side of the shadows' map.
  get shadowSize(): number {
    return this.scale === 1 ? 2048 : this.scale > 0.7 ? 1024 : 512;
  }

  rest(): void {
    this.last = 0;
  }

  // True when the resolution changed.
  measure(now: number): boolean {
    const gap = now - this.last;
    const first = this.last === 0;
    this.last = now;
    if (first) return false;
    this.mean += (Math.min(gap, 500) - this.mean) * (1 - Math.exp(-gap / MEMORY));
    this.rate = 1000 / this.mean;
    if (this.fixed || this.held || now - this.since < 1500) return false;
    let wanted = this.scale;
    if (this.mean > LATE) wanted = Math.max(0.5, this.scale * 0.8);
    else if (this.mean < EARLY) wanted = Math.min(1, this.scale * 1.1);
    if (wanted === this.scale) return false;
    this.scale = wanted;
    this.since = now;
    return true;
  }
}
