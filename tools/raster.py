# SPDX-License-Identifier: BSD-3-Clause
"""Reads PGM and PNG images as grey, and writes PNG images, with nothing but the standard library."""
import struct
import zlib


def read_grey(path):
    """Width, height and rows (top first) of grey values from 0 to 1 of a PGM or PNG image."""
    data = path.read_bytes()
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _read_png(data)
    if data[:2] in (b"P2", b"P5"):
        return _read_pgm(data)
    raise ValueError(f"{path}: neither PGM nor PNG")


def _read_pgm(data):
    head, position = [], 2
    while len(head) < 3:
        while data[position:position + 1].isspace():
            position += 1
        end = position
        while not data[end:end + 1].isspace():
            end += 1
        if data[position:position + 1] == b"#":
            position = data.index(b"\n", position)
            continue
        head.append(int(data[position:end]))
        position = end
    width, height, white = head
    if data[:2] == b"P2":
        values = [int(word) for word in data[position:].split()]
    elif white < 256:
        values = data[position + 1:]
    else:
        values = struct.unpack(f">{width * height}H", data[position + 1:][:2 * width * height])
    return width, height, [[v / white for v in values[r * width:(r + 1) * width]]
                           for r in range(height)]


def _read_png(data):
    chunks, position = {}, 8
    while position < len(data):
        size, kind = struct.unpack(">I4s", data[position:position + 8])
        chunks[kind] = chunks.get(kind, b"") + data[position + 8:position + 8 + size]
        position += size + 12
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if interlaced:
        raise ValueError("interlaced PNG images are not read")
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    stride = (width * channels * depth + 7) // 8
    step = max(1, channels * depth // 8)
    lines = _unfilter(zlib.decompress(chunks[b"IDAT"]), height, stride, step)
    palette = chunks.get(b"PLTE", b"")
    white = 255 if colour == 3 else (1 << depth) - 1

    def grey(samples):
        if colour == 3:
            samples = palette[3 * samples[0]:3 * samples[0] + 3]
        elif colour in (4, 6):
            samples = samples[:-1]
        return sum(samples) / len(samples) / white

    return width, height, [[grey(pixel) for pixel in _pixels(line, width, channels, depth)]
                           for line in lines]


def _unfilter(raw, height, stride, step):
    """Undo the prediction of each line (PNG specification, section 9)."""
    lines, above = [], bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            a = line[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            if kind == 4:
                p = a + b - c
                distances = (abs(p - a), abs(p - b), abs(p - c))
                predicted = (a, b, c)[distances.index(min(distances))]
            else:
                predicted = (0, a, b, (a + b) // 2)[kind]
            line[i] = (line[i] + predicted) & 255
        lines.append(line)
        above = line
    return lines


def _pixels(line, width, channels, depth):
    if depth == 16:
        values = struct.unpack(f">{width * channels}H", line)
    elif depth == 8:
        values = line
    else:
        mask = (1 << depth) - 1
        values = [line[i * depth // 8] >> (8 - depth - i * depth % 8) & mask for i in range(width)]
    return (values[i * channels:(i + 1) * channels] for i in range(width))


def png_bytes(rows):
    """PNG image of rows (top first) of (red, green, blue, alpha) tuples from 0 to 255."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(
            ">I", zlib.crc32(kind + body))

    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) +
            chunk(b"IEND", b""))
