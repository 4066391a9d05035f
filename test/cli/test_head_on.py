#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two equal vehicles whose wheels stand ahead of their hulls meet head on, tyre against tyre, with axles that are parallel: they press the
tyres in and come apart again, mirror images of each other, with their energy in the balance, also where the tyres overlap by half.
Wheels beside each other pass until one meets a hull."""
import csv
import sys
import tempfile
from pathlib import Path

from harness import check, near, rut, verdict

TOUCH = 2 * (1.2 + 0.4)  # distance of the vehicles as their wheels touch
HULL = 1.2 + 0.4 + 0.9   # as a wheel touches the other's hull


def vehicle(name, x, yaw, aside, speed):
    return f"""<vehicle name="{name}" position="{x} {aside} m" yaw="{yaw} deg" velocity="{speed} 0 m/s">
      <chassis mass="1000" com="0 0 0.6" inertia="300 900 1000" outline="0.9 0.5, 0.9 -0.5, -0.9 -0.5, -0.9 0.5" z_min="0.4" z_max="1"/>
      <suspension type="slider" stiffness="40e3" damping="3e3"/><tyre type="fiala"/>
      <axle x="1.2" track="1.6" radius="0.4" width="0.25" wheel_mass="30" wheel_inertia="2.4"/>
      <axle x="-1.2" track="1.6" radius="0.4" width="0.25" wheel_mass="30" wheel_inertia="2.4"/>
      <drive type="open"/><controller type="raw"/></vehicle>"""


def meet(folder, aside, speed):
    world = folder / "head_on.xml"
    world.write_text('<world timestep="1 ms" duration="2 s"><soil type="magic_formula" surface="dry"/>' + vehicle("a", -3, 0, 0, speed) +
                     vehicle("b", 3, 180, aside, speed) + "</world>", encoding="utf-8")
    done = rut("run", world, "--quiet", "--csv", folder / "out", "--csv-rate", 1000)
    check(done.returncode == 0, done.stderr)
    tables = []
    for name in ("a", "b"):
        with open(folder / "out" / f"{name}.csv", encoding="utf-8") as file:
            tables.append([{k.split(" [")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(file)])
    least = min(b["x"] - a["x"] for a, b in zip(*tables))
    return least, [table[-1] for table in tables]


with tempfile.TemporaryDirectory() as scratch:
    for offset, pace in ((0.0, 2.0), (0.1, 2.0), (0.0, 4.0)):
        told = f"offset {offset} m at {pace} m/s"
        nearest, ends = meet(Path(scratch), offset, pace)
        # both tyres give at most what their sections are deep
        check(TOUCH - 0.25 < nearest < TOUCH, f"{told}: nearest {nearest}")
        for end in ends:
            check(end["velocity_x"] < -0.2, f"{told}: does not come back, {end['velocity_x']} m/s")
            check(abs(end["energy_residual"]) < 1e-3 * end["energy_throughput"], f"{told}: energy {end['energy_residual']} J")
        near(ends[0]["velocity_x"], ends[1]["velocity_x"], 1e-3, f"{told}: mirror images")
    nearest, _ = meet(Path(scratch), 0.26, 2.0)
    near(nearest, HULL, 0.1, "wheels beside each other")
sys.exit(verdict())
