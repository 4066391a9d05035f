#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut soil: wheels on sand, clay and lunar simulant against the textbook integrals worked out elsewhere
(2 x 64 point Gauss quadrature), closed forms, trends that any soil has, and what it refuses."""
import json
import math
import subprocess
import sys
from pathlib import Path

from harness import COMMAND, SOURCE, check, near, verdict

SOILS = str(SOURCE / "worlds" / "soils.xml")

# as the reference numbers were made: plates of the wheel's width, no rebound, soil over soil, no slip sinkage, shears that know
# nothing of each other
EXACT = 'plate="width" shear="separate" rebound="ratio" quadrature="exact" rubber_share="0" slip_sinkage="none" rolling_resistance="0"'
USER = 'type="bekker" preset="user" slip_sinkage="none" exponent="1.1" k_phi="1.5e6" friction_angle="28 deg"'
WORLD = f"""<world timestep="1 ms">
  <soil name="dry_sand" type="bekker" preset="dry_sand" {EXACT}/>
  <soil name="lete_sand" type="bekker" preset="lete_sand" {EXACT}/>
  <soil name="clayey_soil" type="bekker" preset="clayey_soil_38" {EXACT}/>
  <soil name="simulant" type="bekker" preset="lunar_simulant" {EXACT}/>
  <soil name="simulant_springs" type="bekker" preset="lunar_simulant" {EXACT} exit_ratio="0.9"/>
  <soil name="user" {USER} cohesion="1 kPa"/>
  <soil name="cohesive" {USER} cohesion="3 kPa"/>
  <soil name="lazy" {USER} cohesion="1 kPa" shear_deformation_modulus="5 cm"/>
  <soil name="soft" type="bekker" preset="user" exponent="1.6" k_phi="2e5" slip_sinkage="lyasko"/>
  <soil name="clay" type="clay" cone_index="300 kPa"/>
  <soil name="ice" type="magic_formula" surface="ice"/>
</world>
"""
RIGID = ("--stiffness", "0")
ROVER = (*RIGID, "--radius", "0.09", "--width", "0.11", "--load", "64.68")
LOAD, RADIUS, WIDTH = 6500.0, 0.47, 0.3175  # of the wheel that rut soil takes unless told

# slip, sinkage [mm], pull over load, torque over load and radius: a rigid wheel on dry sand
SAND = ((0, 95.477, .00964, .27233), (.05, 95.414, .07022, .33382), (.1, 95.590, .11024, .37559),
        (.2, 96.444, .15446, .42496), (.3, 97.773, .17319, .45033), (.5, 101.453, .17893, .47228),
        (.8, 109.292, .15855, .48223))
# slip, sinkage [mm], pull [N], torque [N m]: a rover's wheel on lunar simulant
SIMULANT = ((0, 23.5794, -15.9558, .644579), (.1, 23.6401, -12.2763, .981799),
            (.2, 23.7341, -9.1132, 1.275805), (.4, 24.0150, -4.0378, 1.759815),
            (.6, 24.4134, -.2637, 2.136866), (.8, 24.9282, 2.5247, 2.434462))
SPRINGS = ((.2, 15.5711, 10.0574, 1.47168), (.6, 16.5270, 23.9570, 2.86241))
# stiffness [N/m], deflection and sinkage [mm], pull [N] at 20 % slip: soft tyres
SOFT = (("dry_sand", 200e3, 32.500, 66.497, 2174.39), ("dry_sand", 411e3, 15.815, 74.829, 1852.33),
        ("lete_sand", 411e3, 15.815, 7.937, 3247.72), ("clayey_soil", 411e3, 15.815, 17.029, 1300.76))


def rut(*words):
    return subprocess.run([COMMAND, "soil", *words], capture_output=True, text=True, timeout=120,
                          check=False)


def points(world, soil, *words):
    """Rows of one soil."""
    done = rut(world, soil, "--json", *words)
    check(done.returncode == 0, f"{soil} {words}: {done.stderr}")
    return json.loads(done.stdout)[0]["points"] if done.returncode == 0 else []


def at(world, soil, slip, *words):
    rows = points(world, soil, "--slip", str(slip), *words)
    return rows[0] if rows else {}


def reference_numbers(world):
    for slip, sinkage, pull, torque in SAND:
        p = at(world, "dry_sand", slip, *RIGID)
        near(p["sinkage"] * 1e3, sinkage, 1e-3, f"dry sand, slip {slip}: sinkage [mm]")
        near(p["drawbar_pull"] / LOAD, pull, 1e-5, f"dry sand, slip {slip}: pull")
        near(p["torque"] / LOAD / RADIUS, torque, 1e-5, f"dry sand, slip {slip}: torque")
    p = at(world, "dry_sand", 0.2, *RIGID, "--angle", "10")
    near(p["lateral_force"], -2007.58, 0.02, "dry sand, 10 degrees: lateral force")
    near(p["drawbar_pull"], 1003.98, 0.02, "dry sand, 10 degrees: pull")
    for soil, table in (("simulant", SIMULANT), ("simulant_springs", SPRINGS)):
        for slip, sinkage, pull, torque in table:
            p = at(world, soil, slip, *ROVER)
            near(p["sinkage"] * 1e3, sinkage, 3e-4, f"{soil}, slip {slip}: sinkage [mm]")
            near(p["drawbar_pull"], pull, 1e-3, f"{soil}, slip {slip}: pull")
            near(p["torque"], torque, 3e-5, f"{soil}, slip {slip}: torque")
    p = at(world, "simulant_springs", 0.5, *ROVER, "--angle", "5")
    near(p["sinkage"] * 1e3, 16.29457, 3e-4, "simulant, 5 degrees: sinkage [mm]")
    near(p["drawbar_pull"], 19.51572, 1e-3, "simulant, 5 degrees: pull")
    near(p["lateral_force"], -7.82199, 1e-3, "simulant, 5 degrees: lateral force")
    for soil, stiffness, deflection, sinkage, pull in SOFT:
        p = at(world, soil, 0.2, "--stiffness", str(stiffness))
        near(p["deflection"] * 1e3, deflection, 1e-3, f"{soil}, {stiffness:g} N/m: deflection [mm]")
        near(p["sinkage"] * 1e3, sinkage, 1e-3, f"{soil}, {stiffness:g} N/m: sinkage [mm]")
        near(p["drawbar_pull"], pull, 0.07, f"{soil}, {stiffness:g} N/m: pull")


def balances(rows, load, stiffness, what):
    """What holds for any wheel on any soil."""
    for p in rows:
        near(p["drawbar_pull"], p["traction"] - p["resistance"], 1e-9 * load, f"{what}: net force")
        near(p["deflection"], load / stiffness, 1e-3 * load / stiffness, f"{what}: deflection")
        lever = 0.47 - p["deflection"] / 3
        near(p["torque"], p["traction"] * lever, 1e-9 * load, f"{what}: torque")
        check(0 <= p["efficiency"] < 1, f"{what}: efficiency {p['efficiency']}")
        check(abs(p["traction"]) <= p["traction_limit"] * (1 + 1e-6), f"{what}: beyond the limit")
        check(p["resistance"] >= 0 and p["rut"] <= p["sinkage"] + 1e-12, f"{what}: rut")


def firm_ground(world):
    """Laws of clay (Dettwiller et al. 2018) and ice (Magic Formula) as they are printed."""
    section, deflection = 0.26, LOAD / 411e3
    width, diameter = WIDTH, 2 * RADIUS
    numeric = 300e3 * width * diameter / (
        LOAD * (1 - deflection / section)**1.5 * (1 + width / diameter)**.75)
    carries_itself = 21 / numeric**2.5 + 0.005
    for p in points(world, "clay", "--slip", "0.1:0.9:0.2"):
        net = 0.5 * math.log10(p["slip"] / carries_itself) * (1 + width / diameter)**.25
        near(p["drawbar_pull"] / LOAD, net, 1e-9, f"clay, slip {p['slip']}: pull")
        near(p["resistance"] / LOAD, 12 / numeric**2 + 0.007, 1e-9, "clay: resistance")
        check(p["sinkage"] == 0 and p["rut"] == 0, "clay: hard ground")
    for p in points(world, "ice", "--slip=-0.8:0.8:0.4"):
        bx = 4 * p["slip"]
        mu = 0.1 * math.sin(2 * math.atan(bx - (bx - math.atan(bx))))
        near(p["traction"] / LOAD, mu, 1e-9, f"ice, slip {p['slip']}: traction")
    # the section's height is felt by soils told by a cone index
    high, low = (at(world, "clay", 0.2, "--section", h)["drawbar_pull"] for h in ("0.3", "0.1"))
    check(low > high, "clay: a flatter tyre pulls more")


def trends(world):
    for soil in ("dry_sand", "lete_sand", "user", "clay"):
        rows = points(world, soil, "--slip", "0:0.3:0.02")
        balances(rows, LOAD, 411e3, soil)
        check(len(rows) == 16, f"{soil}: {len(rows)} rows")
        for a, b in zip(rows, rows[1:]):
            check(b["drawbar_pull"] > a["drawbar_pull"], f"{soil}: pull falls at {b['slip']}")
    user, cohesive, lazy = (at(world, s, 0.2) for s in ("user", "cohesive", "lazy"))
    check(cohesive["drawbar_pull"] > user["drawbar_pull"], "pull grows with cohesion")
    check(lazy["drawbar_pull"] < user["drawbar_pull"], "pull falls with K")
    for name, values in (("load", ("3000", "6000", "12000")), ("radius", ("0.6", "0.4", "0.3")),
                         ("width", ("0.5", "0.3", "0.2")), ("stiffness", ("1e5", "4e5", "1e7"))):
        depths = [at(world, "user", 0.1, f"--{name}", v)["sinkage"] for v in values]
        check(depths == sorted(depths) and depths[0] < depths[-1], f"sinkage over {name}: {depths}")
    left, right = (at(world, "user", 0.2, "--angle", a) for a in ("10", "-10"))
    check(left["lateral_force"] < 0 and left["lateral_force"] == -right["lateral_force"], "lateral force against the slip angle")
    check(left["drawbar_pull"] == right["drawbar_pull"], "the same pull to both sides")


def passes():
    for soil in ("dry_sand", "lete_sand", "sandy_loam"):
        rows = points(SOILS, soil, "--passes", "6")
        check([p["pass"] for p in rows] == [1, 2, 3, 4, 5, 6], f"{soil}: passes")
        first, second = rows[:2]
        check(second["sinkage"] < 1.05 * first["sinkage"], f"{soil}: the second pass sinks in")
        tyre = 0.015 * LOAD  # its own, at every pass
        check(second["resistance"] - tyre < 0.15 * (first["resistance"] - tyre),
              f"{soil}: resistance {first['resistance']}, then {second['resistance']}")
        added = [b["pressed"] - a["pressed"] for a, b in zip(rows, rows[1:])]
        for a, b in zip(added, added[1:]):
            check(-1e-12 <= b <= a + 1e-12, f"{soil}: passes press {added}")
        for a, b in zip(rows, rows[1:]):
            check(b["resistance"] <= a["resistance"] + 1e-9, f"{soil}: resistance grows")
            check(b["rut"] >= a["rut"] - 1e-12, f"{soil}: the rut fills")
    rows = points(SOILS, "cone_index_clay", "--passes", "3")
    check(rows[0]["drawbar_pull"] == rows[2]["drawbar_pull"], "firm ground remembers")


def soft_snow(world):
    """Where slip digs a wheel in, rows without numbers, and the exit code is that of a table."""
    done = rut(world, "soft", "--load", "5000", "--slip", "0:1:0.1", "--json")
    rows = json.loads(done.stdout)[0]["points"]
    check(done.returncode == 0 and rows[0]["carried"] and not rows[-1]["carried"], "soft: no end")
    for p in rows:
        check(p["carried"] or p["sinkage"] is None, "soft: numbers where nothing carries")
    text = rut(world, "soft", "--load", "5000", "--slip", "0:1:0.1").stdout
    check("-: carries the wheel at no sinkage below its radius" in text, "soft: no note")


def refusals(world):
    check("pull/load" in rut(SOILS).stdout and "cone_index_clay" in rut(SOILS).stdout, "no table")
    for code, says, words in (
            (3, "did you mean 'snow'?", (SOILS, "snwo")),
            (3, "without any <soil>", (str(SOURCE / "worlds" / "demo.xml"),)),
            (2, "nothing here carries", (SOILS, "snow", "--load", "1e8")),
            (2, "FROM:TO:STEP", (SOILS, "--slip", "0:1")),
            (2, "FROM:TO:STEP", (SOILS, "--slip", "0:1.5:0.1")),
            (2, "FROM:TO:STEP", (SOILS, "--slip", "nan")),
            (2, "no slips", (SOILS, "--slip", "0:1:0")),
            (2, "no slips", (SOILS, "--slip", "0:1:1e-9")),
            (2, "single slip", (SOILS, "--passes", "3", "--slip", "0:0.2:0.1")),
            (2, "whole number", (SOILS, "--passes", "0")),
            (2, "'--radius' takes a number", (SOILS, "--radius", "0")),
            (2, "'--stiffness' takes a number", (SOILS, "--stiffness", "-1")),
            (2, "'--angle' takes a number", (SOILS, "--angle", "90")),
            (2, "one argument too many", (world, "clay", "ice"))):
        done = rut(*words)
        check(done.returncode == code, f"{words}: exit code {done.returncode}")
        check(says in done.stderr, f"{words}: {done.stderr}")


def picture(*words):
    """The tool draws an SVG with a line for each soil."""
    tool = SOURCE / "tools" / "draw_soil.py"
    done = subprocess.run([sys.executable, "-B", tool, SOILS, "-o", "soil.svg", "--rut", COMMAND,
                           *words], capture_output=True, text=True, timeout=120, check=False)
    text = Path("soil.svg").read_text(encoding="utf-8") if done.returncode == 0 else ""
    check("dry_sand" in text and text.count("<polyline") >= 8, f"picture {words}: {done.stderr}")


def main():
    world = Path("test_soil_world.xml")
    world.write_text(WORLD, encoding="utf-8")
    reference_numbers(str(world))
    firm_ground(str(world))
    trends(str(world))
    passes()
    soft_snow(str(world))
    refusals(str(world))
    picture()
    picture("--passes", "4")
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
