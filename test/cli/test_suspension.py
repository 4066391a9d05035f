#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut suspension: published motion ratios and angles of the HMMWV's corners, what it refuses; anti-roll bars between
wishbones."""
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import COMMAND, SANITIZE, SOURCE, check, faults

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


def leaning(folder, bar):
    """A HMMWV with its load to one side, at rest on ice, since tyres that stick hold the axles sideways: of both axles the difference of the wheel loads over that of the travels."""
    vehicle = SOURCE / "worlds" / "vehicles"
    (folder / "lean.xml").write_text(
        f'<world timestep="1 ms" duration="6 s"><soil type="magic_formula" surface="user" d="0.0001"/><include file="{vehicle}/hmmwv.xml" '
        'brake="1"/></world>', encoding="utf-8")
    done = subprocess.run([COMMAND, "run", folder / "lean.xml", "--allow-dir", vehicle, "--quiet", "--csv", folder / f"bar{bar}", "--set",
                           "hmmwv/chassis.com=0.059266 0.12 0.212631", "--set", f"hmmwv/axle[0].anti_roll={bar}", "--set",
                           f"hmmwv/axle[1].anti_roll={bar}"], capture_output=True, text=True, timeout=120, check=False)
    check(done.returncode == 0, done.stderr)
    if done.returncode:
        return [math.nan, math.nan]
    with open(folder / f"bar{bar}" / "hmmwv.csv", encoding="utf-8") as file:
        *_, last = csv.DictReader(file)
    told = {key.split(" [")[0]: float(value) for key, value in last.items()}
    check(abs(told["energy_residual"]) < 1e-3 * told["energy_throughput"] + 1, f"bar of {bar} N/m: energy")
    return [(told[f"{axle}_left.load"] - told[f"{axle}_right.load"]) / (told[f"{axle}_left.travel"] - told[f"{axle}_right.travel"])
            for axle in ("front", "rear")]


def bars():
    """An anti-roll bar of a N/m pushes with a times the difference of travel on one wheel and pulls as much on the other: the loads
    differ by 2 a times it more."""
    with tempfile.TemporaryDirectory() as scratch:
        none, some = leaning(Path(scratch), 0), leaning(Path(scratch), 6000)
    for axle in range(2):
        check(abs(some[axle] - none[axle] - 12000) < 0.02 * 12000, f"axle {axle}: {none[axle]} N/m without a bar, {some[axle]} with it")


if not SANITIZE:
    bars()
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
