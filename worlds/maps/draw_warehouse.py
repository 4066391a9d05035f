#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws warehouse.pgm: a hall of 20 m x 15 m with racks, pillars and a door, at 0.1 m a pixel."""
from pathlib import Path

WIDTH, HEIGHT, CELL = 200, 150, 0.1
FREE, OCCUPIED = 254, 0

rows = [bytearray([FREE] * WIDTH) for _ in range(HEIGHT)]


def fill(x0, y0, x1, y1, grey=OCCUPIED):
    """Fill a rectangle [m], from the lower left corner of the hall."""
    for row in range(round(y0 / CELL), round(y1 / CELL)):
        # the first line of an image is its top
        line = rows[HEIGHT - 1 - row]
        for column in range(round(x0 / CELL), round(x1 / CELL)):
            line[column] = grey


for x0, y0, x1, y1 in [(0, 0, 20, 0.2), (0, 14.8, 20, 15), (0, 0, 0.2, 15), (19.8, 0, 20, 15)]:
    fill(x0, y0, x1, y1)
fill(19.8, 6.5, 20, 8.5, FREE)  # the door
for rack in range(4):
    fill(3 + 4 * rack, 2.5, 4.2 + 4 * rack, 6)
    fill(3 + 4 * rack, 9, 4.2 + 4 * rack, 12.5)
for pillar in range(3):
    fill(1.6 + 8 * pillar, 7.3, 2 + 8 * pillar, 7.7)

Path(__file__).with_name("warehouse.pgm").write_bytes(
    b"P5\n# drawn by draw_warehouse.py\n%d %d\n255\n" % (WIDTH, HEIGHT) + b"".join(rows))
