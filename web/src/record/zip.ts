// SPDX-License-Identifier: BSD-3-Clause
// A ZIP archive of files that are packed already (PKWARE APPNOTE 6.3.3, method 0: stored).

export interface ZipFile {
  name: string; // ASCII
  data: Uint8Array;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) c = TABLE[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// Numbers of 2 and 4 bytes, little-endian: [size, value] each.
function record(name: Uint8Array, ...fields: [2 | 4, number][]): Uint8Array<ArrayBuffer> {
  const size = fields.reduce((sum, [bytes]) => sum + bytes, 0);
  const out = new Uint8Array(size + name.length);
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  out.set(name, at);
  return out;
}

const VERSION = 20;
const DATE = (1 << 5) | 1; // 1980-01-01: what a picture shows has no date

export function zip(files: ZipFile[]): Blob {
  const parts: BlobPart[] = [];
  const list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const size = file.data.length;
    const common: [2 | 4, number][] = [
      [2, VERSION],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, crc32(file.data)],
      [4, size],
      [4, size],
      [2, name.length],
      [2, 0],
    ];
    const head = record(name, [4, 0x04034b50], ...common);
    const rest: [2 | 4, number][] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, at],
    ];
    list.push(record(name, [4, 0x02014b50], [2, VERSION], ...common, ...rest));
    parts.push(head, file.data as Uint8Array<ArrayBuffer>);
    at += head.length + size;
  }
  const size = list.reduce((sum, entry) => sum + entry.length, 0);
  const n = files.length;
  const end = record(
    new Uint8Array(0),
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, n],
    [2, n],
    [4, size],
    [4, at],
    [2, 0],
  );
  return new Blob([...parts, ...list, end], { type: 'application/zip' });
}
