// SPDX-License-Identifier: BSD-3-Clause
// Films the canvas into a file: as a video in what the browser can write, or as a sequence of PNG pictures.

import { download } from '../ui/dom.ts';
import { zip, type ZipFile } from './zip.ts';

export interface FilmFormat {
  id: string;
  label: string;
  type: string; // of MediaRecorder; '' for pictures
  ending: string;
}

const FORMATS: FilmFormat[] = [
  { id: 'mp4', label: 'MP4 (H.264)', type: 'video/mp4;codecs=avc1.42E01E', ending: 'mp4' },
  { id: 'vp9', label: 'WebM (VP9)', type: 'video/webm;codecs=vp9', ending: 'webm' },
  { id: 'vp8', label: 'WebM (VP8)', type: 'video/webm;codecs=vp8', ending: 'webm' },
  { id: 'png', label: 'PNG pictures (ZIP)', type: '', ending: 'zip' },
];

// Those that this browser can write, the best first.
export function filmFormats(): FilmFormat[] {
  const records = typeof MediaRecorder !== 'undefined';
  return FORMATS.filter((f) => !f.type || (records && MediaRecorder.isTypeSupported(f.type)));
}

const MOST_PICTURES = 3000;
const PERIOD = 1000 / 30; // between pictures, at least [ms]

type Done = (file: string, bytes: number) => void;

export class VideoRecorder {
  format = filmFormats()[0]?.id ?? 'png';
  private recorder: MediaRecorder | null = null;
  private pictures: Promise<ZipFile | null>[] | null = null;
  private finish: (() => void) | null = null;
  private since = 0;
  private last = 0;

  get running(): boolean {
    return this.recorder !== null || this.pictures !== null;
  }

  get seconds(): number {
    return this.running ? (performance.now() - this.since) / 1000 : 0;
  }

  start(canvas: HTMLCanvasElement, name: string, done: Done): void {
    const format = filmFormats().find((f) => f.id === this.format) ?? filmFormats()[0]!;
    this.since = performance.now();
    if (format.type) this.startVideo(canvas, format, name, done);
    else this.startPictures(name, done);
  }

  private startVideo(
    canvas: HTMLCanvasElement,
    format: FilmFormat,
    name: string,
    done: Done,
  ): void {
    const stream = canvas.captureStream(30);
    const recorder = new MediaRecorder(stream, {
      videoBitsPerSecond: 8_000_000,
      mimeType: format.type,
    });
    const parts: Blob[] = [];
    recorder.ondataavailable = (e) => {
      if (e.data.size) parts.push(e.data);
    };
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      const film = new Blob(parts, { type: format.type.split(';')[0]! });
      const file = `${name}.${format.ending}`;
      if (film.size) download(file, film);
      done(file, film.size);
    };
    recorder.start(1000);
    this.recorder = recorder;
  }

  private startPictures(name: string, done: Done): void {
    const pictures: Promise<ZipFile | null>[] = [];
    this.pictures = pictures;
    this.last = 0;
    this.finish = () => {
      void Promise.all(pictures).then((all) => {
        const files = all.filter((file): file is ZipFile => file !== null);
        const file = `${name}.zip`;
        if (!files.length) return done(file, 0);
        const archive = zip(files);
        download(file, archive);
        done(file, archive.size);
      });
    };
  }

  // A picture was drawn, at a simulated time. Only now has the canvas what it shows.
  drawn(canvas: HTMLCanvasElement, time: number): void {
    const { pictures } = this;
    const now = performance.now();
    if (!pictures || now - this.last < PERIOD || pictures.length >= MOST_PICTURES) return;
    this.last = now;
    const name = `${String(pictures.length).padStart(5, '0')}_${time.toFixed(3)}s.png`;
    pictures.push(
      new Promise((resolve) => {
        canvas.toBlob((blob) => {
          if (!blob) return resolve(null);
          void blob.arrayBuffer().then((data) => resolve({ name, data: new Uint8Array(data) }));
        }, 'image/png');
      }),
    );
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
    this.pictures = null;
    this.finish?.();
    this.finish = null;
  }
}

// Stem of file names: title without ending, and the simulated time.
export function fileStem(title: string, time: number): string {
  const stem = title.replace(/\.[a-z]+$/i, '').replace(/[^\w-]+/g, '_') || 'rut';
  return `${stem}_${time.toFixed(2)}s`;
}
