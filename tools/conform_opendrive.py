#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares heights of OpenDRIVE roads with those of CARLA's reader.

    pip install . carla && python tools/conform_opendrive.py FILE.xodr...

At places every metre along the middles of all lanes that are driven on, CARLA says where they are, in 32-bit numbers. CARLA
leaves superelevation and the lateral profile out, so these are taken out of the files first: test/unit/test_opendrive.c has
closed forms for them. The exit status is 1 if a height differs by more than 20 um + 1e-6 of the distance from the origin.
"""
import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import rut

# in a process of its own: CARLA's reader ends the process where links lead nowhere
LANES = """
import sys, carla
lanes = carla.Map("roads", open(sys.argv[1], encoding="utf-8").read()).generate_waypoints(1.0)
for at in (lane.transform.location for lane in lanes):
    print("place", at.x, -at.y, at.z)  # y is to the right there
"""


def level_across(source, target):
    tree = ElementTree.parse(source)
    for road in tree.getroot().findall("road"):
        for profile in road.findall("lateralProfile"):
            road.remove(profile)
    tree.write(target)


def difference(source):
    """Number of places, the largest difference [m], and whether all are small enough."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        level_across(source, folder / "roads.xodr")
        told = subprocess.run([sys.executable, "-c", LANES, folder / "roads.xodr"], check=True, capture_output=True, text=True).stdout
        x, y, z = np.array([line.split()[1:] for line in told.splitlines() if line.startswith("place")], float).T
        finite = np.isfinite(x)  # it knows no place on a spiral without curvature
        x, y, z = x[finite], y[finite], z[finite]
        (folder / "world.xml").write_text('<world duration="1 s"><terrain type="opendrive" file="roads.xodr"/></world>', encoding="utf-8")
        found = np.abs(rut.load(folder / "world.xml").start().terrain_height(x, y) - z)
        return len(z), np.max(found, initial=0), bool(np.all(found <= 20e-6 + 1e-6 * np.hypot(x, y)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    fine = True
    for path in parser.parse_args().files:
        places, most, near = difference(path)
        print(f"{path.name:36} {places:6} places, {most:.1e} m{'' if near else '  FAILED'}")
        fine = fine and near
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
