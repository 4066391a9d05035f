#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Following a trail: a 4x4 keeps to a smooth trail through rough ground that it does not know, in bends to either side, and
stops in a pocket; and what is refused.

The trail is an arc in closed form, from which the truck's middle may be off by what its width leaves of the trail's, 1 m."""
import csv
import math
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, check, rut, verdict

RADIUS, BEGIN, END = 20.0, 6.0, 46.0
TRUCK = """
  <vehicle name="{name}" position="1 {y} m">
    <chassis mass="1600 kg" com="0 0 0.7 m" outline="-2 -0.8, 2 -0.8, 2 0.8, -2 0.8" z_min="0.4 m" z_max="1.6 m"/>
    <suspension type="slider" stiffness="60 kN/m" damping="6 kN s/m"/>
    <tyre type="linear" stiffness="300 kN/m" damping="1 kN s/m"/>
    <axle x="1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" max_steer="35 deg" brake="3 kN m"/>
    <axle x="-1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" brake="3 kN m"/>
    <drive type="direct"/>
    <sensor type="lidar" name="lidar" channels="24" columns="180" elevation_first="-24 deg" elevation_last="-2 deg" period="0.4 s"
            rolling="false" max_range="25 m" rated_range="0 m" z="2 m"/>
    <controller type="follow_trail" name="pilot" commands="drive" period="40 ms" speed="4 m/s" front="2" rear="2" width="1.9" lidar_z="2 m"
                cells="96" horizon="9 m" nodes="8000" {more}/>
    <controller type="p_gravity" name="drive" speed_gain="4 1/s" brake_force="20 kN"/>
  </vehicle>
"""
ROAD = """<?xml version="1.0" encoding="UTF-8"?>
<OpenDRIVE><header revMajor="1" revMinor="8"/>
<road id="1" length="{length}" junction="-1"><planView>
<geometry s="0" x="-10" y="0" hdg="0" length="{first}"><line/></geometry>
<geometry s="{first}" x="{begin}" y="0" hdg="0" length="{arc}">{curve}</geometry>
</planView><lanes><laneSection s="0">
<left><lane id="1" type="driving" level="false"><width sOffset="0" a="2" b="0" c="0" d="0"/></lane></left>
<center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="driving" level="false"><width sOffset="0" a="2" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>
"""


def world(folder, curvature, more="", things="", duration=8):
    curve = f'<arc curvature="{curvature}"/>' if curvature else "<line/>"
    (folder / "trail.xodr").write_text(ROAD.format(length=10 + END, first=10 + BEGIN, begin=BEGIN, arc=END - BEGIN, curve=curve), encoding="utf-8")
    ground = "".join(f'<terrain type="sine" amplitude="0.04 m" wavelength="{w} m" yaw="{a} deg"/>' for w, a in ((0.9, 35), (1.3, -50), (1.1, 80), (1.7, 5)))
    path = folder / "world.xml"
    path.write_text(f'<world description="trail" timestep="5 ms" duration="{duration} s"><soil name="road" type="magic_formula" surface="dry"/>{ground}'
                    f'<terrain type="opendrive" file="trail.xodr" margin="0.5 m"/>{things}{TRUCK.format(name="t", y=0, more=more)}</world>\n', encoding="utf-8")
    return path


def drive(path, folder, *words):
    done = rut("run", path, "--quiet", "--csv", folder, "--csv-rate", 10, *words)
    check(done.returncode == 0, done.stderr)
    with open(folder / "t.csv", encoding="utf-8") as file:
        return [{k.split(" [")[0].split(".")[-1] if k.startswith("controller") else k.split(" [")[0]: float(v) for k, v in row.items()}
                for row in csv.DictReader(file)]


def offset(x, y, curvature):
    if x < BEGIN or not curvature:
        return y
    return (RADIUS - math.hypot(x - BEGIN, y - 1 / curvature)) * math.copysign(1, curvature)


def test_keeps_to_the_trail(folder, curvature):
    rows = drive(world(folder, curvature), folder)
    off = [offset(r["x"], r["y"], curvature) for r in rows]
    check(max(map(abs, off)) < 1, f"curvature {curvature}: {max(map(abs, off)):.2f} m off the trail")
    check(math.sqrt(sum(e * e for e in off) / len(off)) < 0.5, f"curvature {curvature}: {off}")
    way = sum(math.hypot(b["x"] - a["x"], b["y"] - a["y"]) for a, b in zip(rows, rows[1:]))
    check(way > 12, f"curvature {curvature}: {way:.1f} m")
    check(rows[-1]["trail_state"] == 1 and 1 <= rows[-1]["trail_cost"] < rows[-1]["ground_cost"], f"{rows[-1]['x']} {rows[-1]['trail_state']} {rows[-1]['trail_cost']}")


def test_stops(folder):
    wall = '<block name="{}" fixed="true" shape="box" size="{} {} 2 m" position="{} {} m"/>'
    pocket = wall.format("end", 1, 8, 16, 0) + wall.format("left", 14, 1, 9, 4) + wall.format("right", 14, 1, 9, -4)
    rows = drive(world(folder, 0, 'ahead="40 deg"', pocket, duration=10), folder)
    # its front is 2 m ahead of its middle
    check(rows[-1]["x"] < 13.5 and rows[-1]["x"] - rows[-5]["x"] < 0.02 and rows[-1]["trail_state"] == 4, f"{rows[-1]['x']} {rows[-1]['trail_state']} {rows[-1]['trail_cost']}")


def test_workers(folder):
    """Three trucks side by side take the same way, to the last bit, with one worker and with three."""
    text = world(folder, 0, duration=3).read_text(encoding="utf-8")
    others = "".join(TRUCK.format(name=f"t{k}", y=1.5 * k, more="") for k in (8, 16))
    path = folder / "three.xml"
    path.write_text(text.replace("</world>", others + "</world>"), encoding="utf-8")
    told = [drive(path, folder, "--workers", n) for n in (1, 3)]
    check(told[0] == told[1] and told[0][-1]["x"] > 1.5, f"workers change the way: {told[0][-1]['x']} {told[1][-1]['x']}")


def test_refused(folder):
    good = world(folder, 0).read_text(encoding="utf-8")
    for changed, told in ((good.replace('horizon="9 m"', 'horizon="30 m"'), "shorter horizon"), (good.replace('commands="drive"', ""), "commands"),
                          (good.replace('cells="96"', 'cells="96" reach="-1 m"'), "reach")):
        path = folder / "bad.xml"
        path.write_text(changed, encoding="utf-8")
        done = rut("check", path)
        check(done.returncode == 3 and told in done.stdout + done.stderr, f"{told}: {done.returncode} {done.stdout} {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for curvature in (-1 / RADIUS,) if SANITIZE else (1 / RADIUS, -1 / RADIUS):
            test_keeps_to_the_trail(folder, curvature)
        if not SANITIZE:
            test_stops(folder)
            test_workers(folder)
        test_refused(folder)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
