// SPDX-License-Identifier: BSD-3-Clause
// Films the canvas into a file.

import { download } from '../ui/dom.ts';

const TYPES: [string, string][] = [
  ['video/mp4;codecs=avc1.42E01E', 'mp4'],
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm;codecs=vp8', 'webm'],
  ['video/webm', 'webm'],
];

export class VideoRecorder {
  private recorder: MediaRecorder | null = null;
  private since = 0;

  get running(): boolean {
    return this.recorder !== null;
  }

  get seconds(): number {
    return this.recorder ? (performance.now() - this.since) / 1000 : 0;
  }

  // Throws where the browser cannot record.
  start(
    canvas: HTMLCanvasElement,
    name: string,
    done: (file: string, bytes: number) => void,
  ): void {
    if (typeof MediaRecorder === 'undefined') throw new Error('this browser records no video');
    const [type, ending] = TYPES.find(([t]) => MediaRecorder.isTypeSupported(t)) ?? ['', 'webm'];
    const stream = canvas.captureStream(30);
    const options = { videoBitsPerSecond: 8_000_000, ...(type ? { mimeType: type } : {}) };
    const recorder = new MediaRecorder(stream, options);
    const parts: Blob[] = [];
    recorder.ondataavailable = (e) => {
      if (e.data.size) parts.push(e.data);
    };
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      const film = new Blob(parts, { type: type.split(';')[0] || 'video/webm' });
      const file = `${name}.${ending}`;
      if (film.size) download(file, film);
      done(file, film.size);
    };
    recorder.start(1000);
    this.recorder = recorder;
    this.since = performance.now();
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
  }
}

// Stem of file names: title without ending, and the simulated time.
export function fileStem(title: string, time: number): string {
  const stem = title.replace(/\.[a-z]+$/i, '').replace(/[^\w-]+/g, '_') || 'rut';
  return `${stem}_${time.toFixed(2)}s`;
}
