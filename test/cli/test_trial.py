#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut trial: a rigid vehicle on obstacles and slopes against closed forms of statics, and what it refuses. test_trial_speeds.py has
the trials of speed.

The closed forms are of a vehicle of 2688.7 kg, its centre of mass 0.75 m high, 1.5775 m behind the front axle and 1.7245 m before
the rear one, with a track of 1.82 m and wheels of 0.47 m, all driven, at the limit of friction (statics of two contacts)."""
import json
import math
import sys
from pathlib import Path

from harness import SANITIZE, SOURCE, check, near, rut, verdict

HMMWV = str(SOURCE / "worlds" / "vehicles" / "hmmwv.xml")
RIGID = """<world timestep="1 ms">
  <soil type="clay"/><terrain type="step" position="3 0 m"/>
  <vehicle name="other"><chassis mass="10"/><wheel place="left" position="0 0.2"/>
    <wheel place="right" position="0 -0.2"/><tyre type="coulomb"/></vehicle>
  <vehicle name="hv" max_steer="0.5" steer_rate="10" position="7 3 m" yaw="20 deg">
    <chassis mass="2688.7 kg" com="0 0 0.75" inertia="845 3400 3900 kg m2" drag_area="0"
             outline="2 0.9 2 -0.9 -2.2 -0.9 -2.2 0.9" z_min="0.41" z_max="1.5"/>
    <suspension type="massless" stiffness="20 MN/m" damping="400 kN s/m" travel="0.3 m"/>
    <tyre type="linear" stiffness="20 MN/m" damping="50 kN s/m" relaxation_length="0.05" bearing="0"/>
    <axle x="1.5775" track="1.82" radius="0.47" width="0.3" wheel_mass="20" wheel_inertia="2" max_steer="30 deg" brake="8000"/>
    <axle x="-1.7245" track="1.82" radius="0.47" width="0.3" wheel_mass="20" wheel_inertia="2" brake="8000"/>
    <drive type="direct" driven="all" max_torque="20 kN m" no_load_speed="60"/>
    <controller type="driver" full_force="80 kN" resistance="0" length="4.2" width="1.8"/>
  </vehicle>
</world>
"""


def trial(world, *words):
    """The vehicle, and its results."""
    done = rut("trial", world, "--json", "--quiet", *words)
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else {"trials": []}


def limit(world, *words):
    rows = trial(world, "--vehicle", "hv", *words)["trials"]
    return rows[0] if rows else {"limit": None}


def closed_forms(world):
    told = trial(world, "--vehicle", "hv", "tilt")
    near(told["tip_angle"], math.radians(50.51), math.radians(0.02), "tip angle")
    near(told["static_stability_factor"], 1.82 / 1.5, 1e-3, "static stability factor")
    near(told["load_transfer_per_g"], 0.75 / 1.82, 1e-3, "load transfer")
    near(told["front_share"], 1.7245 / 3.302, 1e-3, "share of the front axle")
    near(told["trials"][0]["limit"], math.radians(50.51), math.radians(0.3), "tilt table")
    check(told["trials"][0]["end"] == "tips over", "tilt table: why it ended")
    # the slope that friction holds, less what finite slip leaves out of it
    near(limit(world, "grade", "-f", "0.6")["limit"], math.atan(0.6), math.radians(0.2), "grade")
    # a ridge that touches the belly in the middle: 2 x 14.447 deg
    ridge = limit(world, "ridge")
    near(ridge["limit"], math.radians(28.894), math.radians(0.15), "break-over angle")
    check(ridge["end"] == "chassis on the ground", f"ridge: {ridge['end']}")
    # both axles of a V-ditch need mu >= tan
    near(limit(world, "ditch", "-f", "0.4")["limit"], math.atan(0.4), math.radians(0.8), "V-ditch")
    # walls over the radius that the rear wheels climb, crept at so that momentum adds little
    wall = limit(world, "step", "--at", "0.05", "-f", "0.6")
    near(wall["limit"], .458 * 0.47, 0.05 * .458 * 0.47, "wall")
    # a gap is a wall as high as the wheel drops into it: mu 0.5 has 0.352 r
    gap = limit(world, "gap", "--at", "0.05", "-f", "0.5")
    width = 2 * math.sqrt(0.47**2 - (0.47 - .352 * 0.47)**2)
    near(gap["limit"], width, 0.03 * width, "gap")
    drop = 0.47 - math.sqrt(0.47**2 - (gap["limit"] or 0)**2 / 4)
    near(gap.get("drop"), drop, 0.05 * drop, "drop into the gap")


def refused(world):
    cases = (((world, "tilt"), 3, "planar vehicle"),
             ((world, "tilt", "--vehicle", "nobody"), 3, "no vehicle called 'nobody'"),
             ((world, "tlit"), 2, "did you mean 'tilt'"),
             ((HMMWV, "ride", "--at", "-1"), 2, "--at"),
             ((HMMWV, "ride", "--at", "1e9"), 2, "--at"),
             ((HMMWV, "tilt", "-f", "-1"), 2, "friction"),
             ((HMMWV, "tilt", "--soil", "lete_snad"), 2, "did you mean 'lete_sand'"),
             ((HMMWV, "grade", "--soil", "clay", "--soil-set", "cone_index=3 kg"), 2, "cone_index"),
             ((HMMWV, "grade", "--soil", "clay", "--soil-set", "cone_index"), 2, "FIELD=VALUE"),
             ((HMMWV, "grade", "--soil-set", "a=1"), 2, "--soil"),
             ((HMMWV, "tilt", "-o", "x.txt"), 2, ".png"),
             ((HMMWV, "tilt", "--set", "gravity=9 m"), 2, "gravity"),
             (("no_such_file.xml",), 6, "no_such_file.xml"),
             ((), 2, "WORLD"))
    for words, code, text in cases:
        done = rut("trial", *words, "--quiet")
        check(done.returncode == code and text in done.stderr,
              f"{words}: {done.returncode} {done.stderr}")
    done = rut("trial", str(SOURCE / "worlds" / "vehicles" / "six_wheeler.xml"), "circle")
    check(done.returncode == 2 and "max_steer" in done.stderr, f"circle without steering: {done.stderr}")
    done = rut("trial", "--list")
    check(done.returncode == 0 and "half_round" in done.stdout and "radius" in done.stdout, "list")


def main():
    folder = Path.cwd()
    world = folder / "rigid.xml"
    world.write_text(RIGID, encoding="utf-8")
    refused(str(world))
    if not SANITIZE:
        closed_forms(str(world))
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
