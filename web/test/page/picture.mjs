// SPDX-License-Identifier: BSD-3-Clause
// What a picture of the canvas consists of.

// RGBA of the view, small. A canvas keeps its picture only until it has been shown, so it is drawn anew. The numbers
// come as one text: as an array they take the browser's debugger a second.
export async function pixels(page) {
  const text = await page.evaluate(() => {
    const canvas = new OffscreenCanvas(160, 100);
    const g = canvas.getContext('2d', { willReadFrequently: true });
    window.rut.draw(0);
    g.drawImage(document.querySelector('#canvas'), 0, 0, 160, 100);
    let bytes = '';
    for (const byte of g.getImageData(0, 0, 160, 100).data) bytes += String.fromCharCode(byte);
    return btoa(bytes);
  });
  return new Uint8Array(Buffer.from(text, 'base64'));
}

// Mean distance of two pictures, 0 to 255.
export function difference(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum / a.length;
}

function hueOf(r, g, b) {
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = high - low;
  if (span < 1) return { hue: 0, vivid: 0 };
  const hue =
    high === r ? ((g - b) / span + 6) % 6 : high === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return { hue: hue * 60, vivid: span / Math.max(high, 1) };
}

// Number of distinct colours (16 steps each), share of the commonest, share of pixels of a colour's hue.
export function colours(rgba) {
  const counts = new Map();
  const total = rgba.length / 4;
  for (let i = 0; i < rgba.length; i += 4) {
    const key = ((rgba[i] >> 4) << 8) | ((rgba[i + 1] >> 4) << 4) | (rgba[i + 2] >> 4);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    distinct: counts.size,
    largest: Math.max(...counts.values()) / total,
    near(hex) {
      const [r, g, b] = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
      const wanted = hueOf(r, g, b).hue;
      let found = 0;
      for (let i = 0; i < rgba.length; i += 4) {
        const { hue, vivid } = hueOf(rgba[i], rgba[i + 1], rgba[i + 2]);
        const away = Math.abs(((hue - wanted + 540) % 360) - 180);
        if (vivid > 0.3 && away < 14) found++;
      }
      return found / total;
    },
  };
}
