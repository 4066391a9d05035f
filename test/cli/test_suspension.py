#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut suspension: published motion ratios and angles of the HMMWV's corners, and what it refuses."""
import json
import math
import subprocess
import sys

from harness import COMMAND, SOURCE, check, faults

# Spindle's shift up [m], its yaw [deg, to the left] and tilt [deg, top inwards], change of the
# spring's length per shift, at four angles of the lower arm.
FRONT = ((-.095072, -.96425, -1.06500, -.48798), (-.049081, -.34727, -.88228, -.46523),
         (.051428, .19381, 1.48885, -.44364), (0, 0, 0, -.45171))
REAR = ((-.097962, .30481, -2.32287, -.46901), (-.050514, .08914, -1.49334, -.45052),
        (.052911, -.05505, 2.10291, -.43183), (0, 0, 0, -.43908))


def rut(*words):
    return subprocess.run([COMMAND, "suspension", *words], capture_output=True, text=True,
                          timeout=120, check=False)


def at(points, travel, key):
    """Value at a travel, straight between the points."""
    for a, b in zip(points, points[1:]):
        if a["travel"] <= travel <= b["travel"]:
            part = (travel - a["travel"]) / (b["travel"] - a["travel"])
            return a[key] + part * (b[key] - a[key])
    return math.nan


world = str(SOURCE / "worlds" / "hmmwv.xml")
done = rut(world, "--json", "--points", "800")
check(done.returncode == 0, done.stderr)
wheels = json.loads(done.stdout or "[]")
check([w["wheel"] for w in wheels] == ["hmmwv/front_left", "hmmwv/rear_left"], "names")
for wheel, table in zip(wheels, (FRONT, REAR)):
    points = wheel["points"]
    for travel, yaw, tilt, ratio in table:
        toe, camber = (math.degrees(at(points, travel, key)) for key in ("toe", "camber"))
        check(abs(toe + yaw) < 2e-3, f"{wheel['wheel']}: toe {toe} at {travel}, not {-yaw}")
        check(abs(camber + tilt) < 2e-3, f"{wheel['wheel']}: camber {camber}, not {-tilt}")
        found = at(points, travel, "motion_ratio")
        check(abs(found - ratio) < 1e-4, f"{wheel['wheel']}: ratio {found}, not {ratio}")
    for a, b in zip(points, points[1:]):
        slope = (b["force"] - a["force"]) / (b["travel"] - a["travel"])
        least, most = sorted((a["rate"], b["rate"]))
        check(least - 0.2 * abs(least) <= slope <= most + 0.2 * abs(most) or most > 4 * least,
              f"{wheel['wheel']}: rate {a['rate']}, force grows with {slope}")
check("standing at" in rut(world).stdout, "no table")
check(rut(world, "nobody").returncode == 3, "a vehicle that is not there")
check(rut(str(SOURCE / "worlds" / "demo.xml")).returncode == 3, "a vehicle without mechanisms")
check(rut(world, "--points", "1").returncode == 2, "one point")
for fault in faults:
    print(fault)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
