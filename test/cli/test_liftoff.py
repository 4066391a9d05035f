#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut liftoff: the loaded HMMWV against closed forms of load transfer and of steady turning, that nothing lifts below its table, the
file of a table, and what it refuses.

A wheel of the rear axle, which carries 6300 N, is unloaded by 1076 N per lateral acceleration of 1 m/s2 and by 403 N per braking of
1 m/s2: a_y = 5.90 m/s2 on the level, 5.15 and 4.40 while braking with 2 and 4 m/s2, and on side slopes of 5, 10 and 20 deg (loads
times cos, less g sin) 5.02, 4.11 and 2.19, and 6.73 where a slope of 5 deg falls to the inner side. Angles: those of steady turning of two axles with the tyres of this vehicle at that lateral
acceleration, and the same with the part of the centripetal acceleration that sideslip puts along the body, which loads the rear."""
import json
import math
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, SOURCE, check, near, rut, verdict

LOADED = str(SOURCE / "worlds" / "vehicles" / "hmmwv_loaded.xml")
LIGHT = str(SOURCE / "worlds" / "vehicles" / "hmmwv.xml")
DEGREE = math.pi / 180
# speed: angle by statics, and with the share of sideslip [deg]
ANGLES = {10: (11.27, 11.66), 15: (5.07, 6.18), 20: (2.90, 4.24), 25: (1.89, 3.35), 30: (1.35, 2.86)}


def liftoff(*words):
    done = rut("liftoff", *words, "--json", "--quiet")
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else {"cells": []}


def closed_forms():
    speeds = [20] if SANITIZE else sorted(ANGLES)
    told = liftoff(LOADED, "--speed", ",".join(map(str, speeds)), "--rate", "10", "--acceleration", "0", "--check", "40")
    check(told["lifts"] == 0, f"{told['lifts']} of {told['tried']} runs below the table lift a wheel")
    for cell in told["cells"]:
        at = f"at {cell['speed']} m/s"
        low, high = ANGLES[cell["speed"]]
        near(cell["lateral_acceleration"], 5.90, 0.12, f"lateral acceleration {at}")
        check(0.97 * low < cell["steering"] / DEGREE < 1.04 * high, f"angle {at}: {cell['steering'] / DEGREE:.2f} deg")
        check(cell["end"] == "lift" and cell["wheel"] in (2, 3), f"{at}: {cell['end']} of wheel {cell['wheel']}, not of the rear")
        near(cell["rigid_lateral_acceleration"], 9.81 * 1.82 / (2 * 0.988), 0.03, "rigid vehicle")
        near(cell["safe_steering"], 0.9 * cell["steering"], 1e-12, f"safe angle {at}")
    if SANITIZE:
        return
    braked = liftoff(LOADED, "--speed", "20,25", "--rate", "10", "--acceleration=-4,-2")["cells"]
    for cell in braked:
        expected = {-4: 4.40, -2: 5.15}[cell["acceleration"]]
        near(cell["lateral_acceleration"], expected, 0.08 * expected, f"braking with {cell['acceleration']} at {cell['speed']} m/s")
    # left turns: the outer wheels are those on the lower side where the ground rises to the left
    sloped = liftoff(LOADED, "--speed", "30", "--rate", "10", "--acceleration", "0", "--slope=-5,5,10,20")["cells"]
    for cell in sloped:
        expected = {-5: 6.73, 5: 5.02, 10: 4.11, 20: 2.19}[round(cell["side_slope"] / DEGREE)]
        near(cell["lateral_acceleration"], expected, 0.05 * expected, f"side slope of {cell['side_slope'] / DEGREE:.0f} deg")
        # tips where the resultant goes through the outer wheels
        tips = 9.81 * math.tan(math.atan(0.5 * 1.82 / 0.988) - cell["side_slope"])
        near(cell["rigid_lateral_acceleration"], tips, 0.01 * tips, f"rigid vehicle on {cell['side_slope'] / DEGREE:.0f} deg")


def slides_first():
    """With its centre of mass at 0.74 m the vehicle slides on a friction of 0.8."""
    for cell in liftoff(LIGHT, "--speed", "10,20", "--rate", "10", "--acceleration", "0")["cells"]:
        check(cell["end"] == "grip" and cell["wheel"] == -1 and cell["least_load"] > 0, f"light vehicle: {cell}")
        check(cell["lateral_acceleration"] < 0.85 * 9.81, f"more than friction gives: {cell['lateral_acceleration']}")


def files(folder):
    path = str(folder / "table.csv")
    words = ("--speed", "10,15,20", "--rate", "10,40", "--acceleration=-3,0", "--resolution", "0.5")
    told = liftoff(LOADED, *words, "-o", path, "--workers", "2")
    check(SANITIZE or liftoff(LOADED, *words, "--workers", "1") == told, "workers change results")
    check(liftoff("--table", path) == told, "a table read back is another")
    check(len(told["cells"]) == 12, f"{len(told['cells'])} cells")
    # never wider for a higher speed
    safe = [c["safe_steering"] for c in told["cells"]]
    check(all(safe[i] <= safe[i - 1] for i in range(12) if i % 3), f"safe angles grow with speed: {safe}")
    lines = Path(path).read_text().splitlines()

    def refused(what, changed, *told):
        (folder / "bad.csv").write_text("\n".join(changed) + "\n")
        done = rut("liftoff", "--table", str(folder / "bad.csv"))
        check(done.returncode not in (0, None) and done.returncode > 0 and all(t in done.stderr for t in told),
              f"{what}: {done.returncode} {done.stderr}")

    refused("a row is missing", lines[:-1], "11 rows")
    refused("rows in another order", [lines[0]] + lines[:0:-1], "rows")
    refused("two rows exchanged", lines[:2] + [lines[3], lines[2]] + lines[4:], "rows")
    refused("a word as a number", [lines[0], lines[1].replace("10,", "ten,", 1)] + lines[2:], "row 2", "speed", "ten")
    refused("an unknown end", [x.replace("lift", "left") for x in lines], "left")
    refused("no number", [lines[0]] + ["nan" + x[x.index(","):] for x in lines[1:]], "nan")
    refused("a column is missing", [x.replace("steering_rate", "rate") for x in lines], "steering_rate")
    refused("a speed of 0", [lines[0]] + ["0" + x[2:] if x.startswith("10,") else x for x in lines[1:]], "between 0.5 and 100")
    refused("no rows", lines[:1], "no rows")


def refusals():
    for words, told in (
            ((LOADED, "--speed", "20,10"), "ascend"),
            ((LOADED, "--speed", "0"), "between 0.5 and 100"),
            ((LOADED, "--acceleration", "1"), "between -20 and 0"),
            ((LOADED, "--speed", "ten"), "commas"),
            ((LOADED, "--soil", "cheese"), "no soil"),
            ((LOADED, "--vehicle", "nobody"), "nobody"),
            ((LOADED, "--set", "hmmwv_loaded/axle[0].max_steer=0"), "does not steer"),
            ((str(SOURCE / "worlds" / "vehicles" / "car.xml"),), "planar"),
            ((), "WORLD is missing"),
            ((LOADED, "--plot", "x.bmp"), ".png")):
        done = rut("liftoff", *words, "--quiet")
        check(done.returncode in (1, 2, 3) and told in done.stderr, f"{words}: {done.returncode} {done.stderr}")


closed_forms()
if not SANITIZE:
    slides_first()
with tempfile.TemporaryDirectory() as folder:
    files(Path(folder))
refusals()
sys.exit(verdict())
