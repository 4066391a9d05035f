// SPDX-License-Identifier: BSD-3-Clause
// Grey images of occupancy grids: PGM, whatever the browser decodes, or plain bytes. Row 0 is the top.

export interface GreyImage {
  width: number;
  height: number;
  grey: Uint8Array;
}

export function readPgm(bytes: Uint8Array): GreyImage | null {
  const magic = String.fromCharCode(bytes[0] ?? 0, bytes[1] ?? 0);
  if (magic !== 'P5' && magic !== 'P2') return null;
  let at = 2;
  const next = (): number => {
    for (;;) {
      while (at < bytes.length && bytes[at]! <= 32) at++;
      if (bytes[at] !== 35) break;
      while (at < bytes.length && bytes[at] !== 10) at++;
    }
    let value = 0;
    const from = at;
    while (at < bytes.length && bytes[at]! >= 48 && bytes[at]! <= 57)
      value = value * 10 + bytes[at++]! - 48;
    return at > from ? value : NaN;
  };
  const [width, height, most] = [next(), next(), next()];
  if (!(width > 0 && height > 0 && most > 0) || width * height > 1 << 28) return null;
  const grey = new Uint8Array(width * height);
  if (magic === 'P2') for (let k = 0; k < grey.length; k++) grey[k] = (255 * next()) / most;
  else {
    at++;
    const size = most > 255 ? 2 : 1;
    if (bytes.length - at < grey.length * size) return null;
    for (let k = 0; k < grey.length; k++)
      grey[k] = (255 * bytes[at + k * size]!) / (size > 1 ? 255 : most);
  }
  return { width, height, grey };
}

export async function readGrey(
  buffer: ArrayBuffer,
  width: number,
  height: number,
): Promise<GreyImage | null> {
  const bytes = new Uint8Array(buffer);
  const pgm = readPgm(bytes);
  if (pgm) return pgm;
  if (bytes.length === width * height) return { width, height, grey: bytes };
  const image = await createImageBitmap(new Blob([buffer])).catch(() => null);
  if (!image) return null;
  const canvas = new OffscreenCanvas(image.width, image.height);
  const g = canvas.getContext('2d');
  if (!g) return null;
  g.drawImage(image, 0, 0);
  const rgba = g.getImageData(0, 0, image.width, image.height).data;
  const grey = new Uint8Array(image.width * image.height);
  for (let k = 0; k < grey.length; k++)
    grey[k] = 0.3 * rgba[4 * k]! + 0.59 * rgba[4 * k + 1]! + 0.11 * rgba[4 * k + 2]!;
  return { width: image.width, height: image.height, grey };
}

export interface Rectangle {
  x: number;
  y: number;
  w: number;
  h: number;
}

// Few rectangles that cover all dark cells: runs along rows, joined upward while they are equal.
export function coverDark(image: GreyImage, limit: number): Rectangle[] {
  const done: Rectangle[] = [];
  let open = new Map<string, Rectangle>();
  for (let y = 0; y < image.height; y++) {
    const now = new Map<string, Rectangle>();
    for (let x = 0; x < image.width; x++) {
      if (image.grey[y * image.width + x]! >= limit) continue;
      const x0 = x;
      while (x < image.width && image.grey[y * image.width + x]! < limit) x++;
      const key = `${x0} ${x - x0}`;
      const above = open.get(key);
      if (above) above.h++;
      now.set(key, above ?? { x: x0, y, w: x - x0, h: 1 });
      open.delete(key);
    }
    done.push(...open.values());
    open = now;
  }
  return [...done, ...open.values()];
}
