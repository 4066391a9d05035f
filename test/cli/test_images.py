#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Images of cameras as files by rut sense, read by another reader: depths of a plane, classes, instances."""
import json
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

from harness import COMMAND, check, faults
from png_reader import read_png

# 2 m above level ground, 30 degrees down; a wall that ends at the axis.
WORLD = """<world timestep="10 ms">
  <block name="box" fixed="true" shape="box" size="1 3 1" position="3 1.5"><material class="car"/></block>
  <sensor type="camera" name="eye" noise="none" z="2" pitch="30 deg" width="48" height="40" fov="90 deg"/>
  <sensor type="laser" name="front" z="1" rays="3"/>
</world>"""


def sense(*words):
    return subprocess.run([COMMAND, "sense", *words], capture_output=True, text=True, timeout=120, check=False)


def image(output, name):
    run = sense("world.xml", "eye", "--image", output, "-o", name)
    check(run.returncode == 0, f"{output}: {run.stderr}")
    return Path(name).read_bytes()


Path("world.xml").write_text(WORLD, encoding="utf-8")
sample = json.loads(sense("world.xml", "eye").stdout)["outputs"]
depth = sample["depth"]["values"]

width, height, colour, _ = read_png(image("colour", "colour.png"))
check((width, height) == (48, 40), "size")
check(sum(colour, []) == sample["colour"]["values"], "colours are those of the sample")

_, _, millimetres, _ = read_png(image("depth", "depth.png"))
pfm = image("depth", "depth.pfm")
check(pfm.startswith(b"Pf\n48 40\n-1.0\n"), "head of the PFM")
metres = struct.unpack("<1920f", pfm[len(b"Pf\n48 40\n-1.0\n"):])
plane = 0
for row in range(40):
    for column in range(48):
        one = metres[(39 - row) * 48 + column]
        told = millimetres[row][column]
        sampled = depth[row * 48 + column]
        check((sampled < 0) == math.isinf(one) and (sampled < 0 or one == sampled), f"depth at {row} {column}")
        check(told == (round(1000 * one) if one < 65.535 else 0) or abs(told - 1000 * one) < 0.501, f"mm at {row} {column}")
        v = (row + 0.5 - 20) / 24
        fall = 0.5 + v * math.cos(math.pi / 6)
        if column > 25 and fall > 0.05:
            check(abs(told - 2000 / fall) < 1, f"depth of the plane at {row} {column}: {told} mm")
            plane += 1
check(plane > 400, "pixels of the plane")

_, _, classes, palette = read_png(image("class", "class.png"))
_, _, instances, _ = read_png(image("instance", "instance.png"))
check(sum(classes, []) == [c if c >= 0 else 255 for c in sample["class"]["values"]], "classes")
check(sum(instances, []) == [c if c >= 0 else 65535 for c in sample["instance"]["values"]], "instances")
# the colour map of Pascal VOC from its second colour on
check(palette[:4] == [(128, 0, 0), (0, 128, 0), (128, 128, 0), (0, 0, 128)] and palette[255] == (0, 0, 0), "palette")
check(image("class", "class.png") == image("class", "again.png"), "the same bytes again")

for words, said, code in ((("world.xml", "eye", "--image", "depth"), "--output", 2),
                          (("world.xml", "eye", "--image", "smell", "-o", "x.png"), "instance", 2),
                          (("world.xml", "eye", "--image", "class", "-o", "x.pfm"), "save this as .png", 2),
                          (("world.xml", "eye", "--image", "class", "-o", "x.jpg"), ".png", 2),
                          (("world.xml", "front", "-o", "x.png"), "no image", 2),
                          (("world.xml", "eye", "--set", "eye.width=5000", "-o", "x.png"), "4096", 2),
                          (("world.xml", "eye", "-o", "no/x.png"), "no/x.png", 6)):
    run = sense(*words)
    check(run.returncode == code and said in run.stderr, f"{words}: {run.returncode} {run.stderr}")
Path("link.png").unlink(missing_ok=True)
os.symlink("elsewhere.png", "link.png")
check(sense("world.xml", "eye", "-o", "link.png").returncode == 6, "no link is followed")
check(not Path("x.png").exists() and not Path("elsewhere.png").exists(), "nothing is written on an error")

for fault in faults[:20]:
    print("failed:", fault)
print(f"{len(faults)} failed")
sys.exit(len(faults) > 0)
