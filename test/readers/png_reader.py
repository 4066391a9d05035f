# SPDX-License-Identifier: BSD-3-Clause
"""A small reader of PNG files (ISO 15948): not interlaced, 8 or 16 bits, grey, palette or RGB."""
import struct
import zlib


def _paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def read_png(data):
    """Width, height, rows of numbers (16 bits joined, colours one after the other), palette."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    at, packed, palette, head = 8, b"", None, None
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        check, = struct.unpack_from(">I", data, at + 8 + size)
        assert check == zlib.crc32(kind + body), f"checksum of {kind}"
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = [tuple(body[i:i + 3]) for i in range(0, len(body), 3)]
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height, depth, colour, _, _, interlaced = head
    assert not interlaced and depth in (8, 16)
    channels = {0: 1, 2: 3, 3: 1}[colour]
    step = channels * depth // 8
    stride = width * step
    raw = zlib.decompress(packed)
    assert len(raw) == height * (stride + 1), "size of the data"
    rows, last = [], bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - step] if i >= step else 0
            up = last[i]
            corner = last[i - step] if i >= step else 0
            row[i] = (row[i] + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 255
        last = row
        rows.append(list(row) if depth == 8 else [row[i] << 8 | row[i + 1] for i in range(0, stride, 2)])
    return width, height, rows, palette
