#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All of MVSim's own worlds load without a warning about a sensor or an actor, and each sensor that they have is there. Skipped where
they are not at hand."""
import re
import subprocess
import sys

from harness import COMMAND, SHARED, faults

FOLDER = SHARED / "data" / "mvsim" / "worlds"
ABOUT_SENSORS = re.compile(r"sensor|camera|lidar|laser|viz_|topic|imu\b|gnss|earth|actor|person", re.IGNORECASE)

worlds = sorted(FOLDER.glob("**/*.world.xml"))
if not worlds:
    print("MVSim's worlds are not at hand")
    sys.exit(77)
for world in worlds:
    done = subprocess.run([COMMAND, "check", str(world)], capture_output=True, text=True, timeout=120, check=False)
    for line in (done.stdout + done.stderr).splitlines():
        message = re.match(r".*?: (warning|error): (.*)", line)
        # meshes that are not local have sensors in their names
        if message and "model_uri" not in line and ABOUT_SENSORS.search(message[2]):
            faults.append(f"{world.name}: {message[2]}")
if len(worlds) < 15:
    faults.append(f"{len(worlds)} worlds")
for fault in faults:
    print(fault)
print(f"{len(worlds)} worlds, {len(faults)} faults")
sys.exit(1 if faults else 0)
