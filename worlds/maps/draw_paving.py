#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws paving.png: concrete stones of 0.5 m x 0.25 m in running bond, 2 m x 2 m at 16 pixels per 0.25 m."""
import struct
import zlib
from pathlib import Path

SIDE, LENGTH, WIDTH, JOINT = 128, 32, 16, 1
COURSES, STONES = SIDE // WIDTH, SIDE // LENGTH


def stone_colour(course, stone):
    """A grey of its own for each stone, some of them reddish."""
    number = (course * 37 + stone * 101 + course * stone * 17) % 64
    grey = 112 + number
    return (grey + 18, grey - 14, grey - 22) if number % 5 == 0 else (grey, grey - 3, grey - 8)


lines = []
for row in range(SIDE):
    course = row // WIDTH
    line = bytearray([0])  # no filter
    for column in range(SIDE):
        along = (column + course % 2 * LENGTH // 2) % SIDE
        joint = row % WIDTH < JOINT or along % LENGTH < JOINT
        line += bytes((70, 66, 60) if joint else stone_colour(course, along // LENGTH % STONES))
    lines.append(bytes(line))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


Path(__file__).with_name("paving.png").write_bytes(
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)) +
    chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + chunk(b"IEND", b""))
