#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the elevation maps of worlds/scenarios: hills from value noise, benches of a quarry.

    python3 worlds/maps/draw_scenarios.py
"""
import math
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def lattice(seed, i, j):
    """A number from -1 to 1 for a node of a lattice (SplitMix64)."""
    z = (seed * 0x9E3779B97F4A7C15 + i * 0xBF58476D1CE4E5B9 + j * 0x94D049BB133111EB) & (2**64 - 1)
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
    return ((z ^ (z >> 31)) >> 11) / 2**52 - 1


def smooth(t):
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def noise(seed, x, y):
    """Smooth noise of wavelength about 2."""
    i, j = math.floor(x), math.floor(y)
    u, v = smooth(x - i), smooth(y - j)
    row = [lattice(seed, i, k) * (1 - u) + lattice(seed, i + 1, k) * u for k in (j, j + 1)]
    return row[0] * (1 - v) + row[1] * v


def hills(seed, length, height, octaves=4):
    return lambda x, y: sum(height * 0.45**k * noise(seed + k, x * 2**k / length, y * 2**k / length)
                            for k in range(octaves))


def quarry(x, y):
    rough = hills(31, 18, 0.5)(x, y)
    benches = 6 * smooth((y - 44 - rough * 3) / 2.5) + 7 * smooth((y - 68 - rough * 4) / 2.5)
    west = 5 * smooth((-93 - x - rough * 3) / 2.5)
    # a ramp for vehicles from the floor up to the first bench
    ramp = 6 * smooth((x - 15) / 50) * smooth((y - 33) / 4)
    return max(benches, west, ramp) + 0.4 * rough


def write(name, low, high, spacing, height):
    columns, rows = (int((high[k] - low[k]) / spacing) + 1 for k in (0, 1))
    lines = [f"ncols {columns}", f"nrows {rows}", f"xllcenter {low[0]}", f"yllcenter {low[1]}",
             f"cellsize {spacing}"]
    for r in range(rows - 1, -1, -1):
        y = low[1] + r * spacing
        lines.append(" ".join(f"{height(low[0] + c * spacing, y):.2f}" for c in range(columns)))
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="ascii")


write("forest.asc", (-120, -80), (140, 80), 2, hills(5, 34, 2.6))
write("desert.asc", (-160, -120), (200, 120), 3, hills(9, 55, 4.5, 3))
write("field.asc", (-120, -100), (120, 100), 4, hills(4, 60, 1.2, 2))
write("quarry.asc", (-120, -90), (120, 120), 2, quarry)
write("convoy.asc", (-180, -80), (210, 80), 3, hills(12, 60, 2.2, 3))
