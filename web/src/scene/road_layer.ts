// SPDX-License-Identifier: BSD-3-Clause
// Roads, their markings and pavements as pictures that the material of the ground lays over its soil: they are on the
// very surface that is drawn, however coarse it is at a distance.

import {
  CanvasTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { Pair, RoadPiece } from '../stream/scene.ts';
import type { Extent } from './ground_extent.ts';

const FINEST = 0.04; // side of a pixel [m]
const MOST = 4096; // pixels along a side
const EDGE = 2; // pixels that stay empty around everything
const COARSER = 8; // side of a pixel of the colours, over that of the shapes
const BLEED = 1.5; // how far colours reach beyond the shapes [m]
const CHANNELS: Record<string, string> = { pavement: '#00ff00', 'road marking': '#0000ff' };

export interface RoadLayer {
  extent: Extent;
  shapes: Texture; // what covers the ground: red road, green pavement, blue marking
  colours: Texture; // of roads
  pavement: string; // colour
  marking: string;
  covers: (x: number, y: number) => boolean;
}

type Canvas = CanvasRenderingContext2D;

function boundsOf(roads: RoadPiece[]): Extent {
  const xs = roads.flatMap((r) => r.outline.map((p) => p[0]));
  const ys = roads.flatMap((r) => r.outline.map((p) => p[1]));
  const low = (v: number[]): number => v.reduce((a, b) => Math.min(a, b), Infinity);
  const high = (v: number[]): number => v.reduce((a, b) => Math.max(a, b), -Infinity);
  return [low(xs), low(ys), high(xs), high(ys)];
}

function canvasOf(width: number, height: number, reads = false): Canvas {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: reads });
  if (!context) throw new Error('no canvas');
  return context;
}

// In metres, y up.
function aim(context: Canvas, [x0, , , y1]: Extent, pixel: number): void {
  context.setTransform(1 / pixel, 0, 0, -1 / pixel, -x0 / pixel, y1 / pixel);
}

// All of a kind as one shape: drawn apart, their common edges would show.
function pathOf(outlines: Pair[][]): Path2D {
  const path = new Path2D();
  for (const outline of outlines) {
    outline.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
    path.closePath();
  }
  return path;
}

function grouped(roads: RoadPiece[], key: (piece: RoadPiece) => string): Map<string, Pair[][]> {
  const groups = new Map<string, Pair[][]>();
  for (const piece of roads) {
    const list = groups.get(key(piece)) ?? [];
    if (!list.length) groups.set(key(piece), list);
    list.push(piece.outline);
  }
  return groups;
}

function textureOf(context: Canvas, anisotropy: number): Texture {
  const texture = new CanvasTexture(context.canvas);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = anisotropy;
  return texture;
}

function drawShapes(roads: RoadPiece[], extent: Extent, pixel: number, to: Canvas): void {
  aim(to, extent, pixel);
  to.globalCompositeOperation = 'lighter';
  for (const [channel, outlines] of grouped(roads, (r) => CHANNELS[r.class] ?? '#ff0000')) {
    to.fillStyle = channel;
    to.fill(pathOf(outlines));
  }
}

function drawColours(roads: RoadPiece[], extent: Extent, pixel: number, to: Canvas): void {
  aim(to, extent, pixel);
  to.lineJoin = 'round';
  to.lineWidth = 2 * BLEED;
  const groups = [...grouped(roads, (r) => r.color)].map(([c, o]) => [c, pathOf(o)] as const);
  for (const [color, path] of groups) {
    to.strokeStyle = color;
    to.stroke(path);
  }
  for (const [color, path] of groups) {
    to.fillStyle = color;
    to.fill(path);
  }
}

function colorOf(pieces: RoadPiece[], kind: string): string {
  return pieces.find((r) => r.class === kind)?.color ?? '#ffffff';
}

// Null without roads.
export function roadLayer(roads: RoadPiece[], anisotropy: number): RoadLayer | null {
  const pieces = roads.filter((r) => r.outline.length > 2);
  if (!pieces.length) return null;
  const [x0, y0, x1, y1] = boundsOf(pieces);
  const pixel = Math.max(FINEST, Math.max(x1 - x0, y1 - y0) / (MOST - 2 * EDGE));
  const margin = EDGE * pixel;
  const width = Math.ceil((x1 - x0 + 2 * margin) / pixel);
  const height = Math.ceil((y1 - y0 + 2 * margin) / pixel);
  const extent: Extent = [
    x0 - margin,
    y1 + margin - height * pixel,
    x0 - margin + width * pixel,
    y1 + margin,
  ];

  const shapes = canvasOf(width, height);
  drawShapes(pieces, extent, pixel, shapes);
  const [w, h] = [Math.ceil(width / COARSER), Math.ceil(height / COARSER)];
  const colours = canvasOf(w, h);
  const surfaces = pieces.filter((r) => !CHANNELS[r.class]);
  drawColours(surfaces, extent, (width * pixel) / w, colours);
  const small = canvasOf(w, h, true);
  small.drawImage(shapes.canvas, 0, 0, w, h);
  const covered = small.getImageData(0, 0, w, h).data;

  const colourTexture = textureOf(colours, anisotropy);
  colourTexture.colorSpace = SRGBColorSpace;
  return {
    extent,
    shapes: textureOf(shapes, anisotropy),
    colours: colourTexture,
    pavement: colorOf(pieces, 'pavement'),
    marking: colorOf(pieces, 'road marking'),
    covers: (x, y) => {
      const i = Math.floor(((x - extent[0]) / (extent[2] - extent[0])) * w);
      const j = Math.floor(((extent[3] - y) / (extent[3] - extent[1])) * h);
      if (!(i >= 0 && j >= 0 && i < w && j < h)) return false;
      const k = 4 * (j * w + i);
      return covered[k]! + covered[k + 1]! > 0;
    },
  };
}
