#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut tyre: a Fiala tyre against its closed form, tables, JSON, figures, and what it refuses."""
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
HMMWV = str(SOURCE / "worlds" / "hmmwv.xml")
FIALA = """<world><vehicle name="car"><chassis mass="1600" com="0 0 0.5" z_min="0.3"/>
<tyre type="fiala" slip_stiffness="193929" cornering_stiffness="50000" friction_max="0.9835"
 friction_min="0.5568" width="0.318" stiffness="580000" bottoming_deflection="1"/>
<axle x="1" track="1.5" radius="0.47" width="0.318"><suspension type="slider"/></axle>
<axle x="-1" track="1.5" radius="0.47" width="0.318"><suspension type="slider"/></axle>
<drive type="direct"/><controller type="raw"/></vehicle>
<vehicle name="cart" position="9 0"><chassis mass="80"/>
<wheel place="left" position="0 0.4"/><wheel place="right" position="0 -0.4"/><tyre type="coulomb"/>
<drive type="direct"/><controller type="raw"/></vehicle></world>
"""
# slip angle [deg], F_y [N] and M_z [N m] at 6500 N: Fiala's closed form
ANGLES = ((1, -833.345, 80.3602), (4, -2880.18, 198.413), (10, -5155.89, 118.375))
faults = []


def check(fine, what):
    if not fine:
        faults.append(what)


def rut(*words):
    return subprocess.run([COMMAND, "tyre", *words], capture_output=True, text=True, timeout=120,
                          check=False)


def near(found, wanted, part, what):
    check(abs(found - wanted) <= part * max(1, abs(wanted)), f"{what}: {found}, not {wanted}")


def numbers(*words):
    done = rut(*words, "--json")
    check(done.returncode == 0, done.stderr)
    return json.loads(done.stdout or "[]")


def closed_form(world):
    rows = numbers(world, "--over", "angle", "--range", "-10:10:1", "--load", "6500")
    check(len(rows) == 21, f"{len(rows)} rows for -10:10:1")
    for angle, fy, mz in ANGLES:
        row, mirror = rows[10 + angle], rows[10 - angle]
        near(row["slip_angle"], math.radians(angle), 1e-12, "slip angle")
        near(row["fy"], fy, 1e-5, f"Fy at {angle} deg")
        near(row["mz"], mz, 1e-5, f"Mz at {angle} deg")
        near(mirror["fy"], -fy, 1e-5, f"Fy at -{angle} deg")
    # 6500 N on 580 kN/m
    near(1e3 * rows[0]["deflection"], 11.206897, 1e-6, "deflection")
    # the slip is over the larger speed: 0.1/1.1 is one of 0.1 over the speed of the hub
    row = numbers(world, "--over", "load", "--range", "6500:6500:1", "--slip", str(0.1 / 1.1))[0]
    near(row["fx"], 5633.28, 1e-5, "Fx")
    # half the pressure: k (1 - 0.7/2), C (1 + 0.6/2) (Besselink, Schmeitz and Pacejka 2010)
    half = numbers(world, "--over", "angle", "--range", "0.001:0.001:1", "--load", "6500",
                   "--pressure", "125")[0]
    near(half["stiffness"], 0.65 * 580e3, 1e-9, "stiffness at half the pressure")
    near(half["fy"], -1.3 * 50e3 * math.radians(0.001), 1e-4, "Fy at half the pressure")
    over = numbers(world, "--over", "pressure", "--range", "100:300:50", "--load", "6500")
    check([row["pressure"] for row in over] == [1e5, 1.5e5, 2e5, 2.5e5, 3e5], "pressures")
    for row in over:
        near(row["stiffness"], 580e3 * (0.3 + 0.7 * row["pressure"] / 250e3), 1e-9, "stiffness")
    loads = [row["load"] for row in numbers(world, "--over", "slip", "--range", "0:0:1",
                                            "--load", "1000,2000,4000")]
    check(loads == [1000, 2000, 4000], f"loads {loads}")


def tables(world):
    done = rut(world, "--over", "angle", "--range", "10:10:1", "--load", "6500")
    check(done.stdout.startswith("fiala, radius 0.47 m, width 0.318 m, 250 kPa\n"), done.stdout)
    row = done.stdout.strip().splitlines()[-1].split()
    check(row[:3] == ["10", "0.0", "-5155.9"] and row[6] == "11.21", f"row {row}")
    both = rut(world, "car")
    check(both.returncode == 0, both.stderr)
    check(both.stdout.count("slip  ") == 3 and both.stdout.count("angle [deg]") == 3,
          "slip and angle at three loads")


HISTORY = {"velocity_x": 16.7, "load": 6500, "damping": 2e4}
RADIUS = 0.47 - 6500 / 580e3 / 3  # rolling, a third of the deflection less


def history(folder, world, rows, *words):
    """Rows that the rig tells for a table, which is a list of dictionaries."""
    table = Path(folder) / "motion.csv"
    names = list(dict.fromkeys(name for row in rows for name in row))
    table.write_text("# a table\n" + "\n".join(
        [",".join(names)] + [", ".join(str(row.get(name, "")) for name in names) for row in rows]))
    done = rut(world, "--history", str(table), *words)
    check(done.returncode == 0, done.stderr)
    if "--json" in words:
        return json.loads(done.stdout or "[]")
    lines = [line.split(",") for line in done.stdout.split()]
    return [dict(zip(lines[0], map(float, line))) for line in lines[1:]]


def histories(folder, world):
    # slip 0.1 over the hub's speed, then a slip angle of 4 deg: Fiala's closed form
    spin = 1.1 * 16.7 / RADIUS
    ends = {"time": 3, **HISTORY, "spin": spin}
    rows = history(folder, world, [{"time": 0, **HISTORY, "spin": spin}, ends], "--every", "1")
    check([row["time"] for row in rows] == [1, 2, 3], "times of a history")
    near(rows[-1]["fx"] + rows[-1]["resistance"], 5633.28, 1e-5, "Fx of a history")
    near(rows[-1]["fz"], 6500, 1e-6, "Fz of a history")
    near(rows[-1]["x"], 3 * 16.7, 1e-9, "x of a history")
    side = {**HISTORY, "spin": 16.7 / RADIUS, "velocity_y": 16.7 * math.tan(math.radians(4))}
    rows = history(folder, world, [{"time": 0, **side}, {"time": 3, **side}], "--json")
    check(len(rows) == 300, f"{len(rows)} rows of 3 s")
    near(rows[-1]["fy"], -2880.18, 1e-5, "Fy of a history")
    near(rows[-1]["mz"], 198.413, 1e-5, "Mz of a history")
    # numbers on straight lines: the mean of torques of 0 to 100 N m turns a wheel in the air, whose
    # inertia is 0.7 m r^2 of 20 kg
    air = {"height": 5, "torque": 0}
    rows = history(folder, world, [{"time": 0, **air}, {"time": 1, **air, "torque": 100}],
                   "--step", "0.0001")
    near(rows[-1]["spin"], 50 / (0.7 * 20 * 0.47**2), 1e-3, "spin in the air")
    # a second pass in the rut of the first: it is deeper, and costs less
    roll = {"velocity_x": 2, "load": 6500}
    back = [{"time": 2.001, **roll, "x": 0}, {"time": 2.002, **roll}]
    rows = history(folder, world,
                   [{"time": 0, **roll}, {"time": 2, **roll}, *back, {"time": 4, **roll}],
                   "--soil", "dry_sand", "--soil-set", "slip_sinkage=none")
    first, second = [row for row in rows if 2.5 < row["x"] < 3.5 and row["time"] < 2], \
        [row for row in rows if 2.5 < row["x"] < 3.5 and row["time"] > 2]
    check(len(first) > 20 and len(second) > 20, "two passes")
    mean = lambda part, name: sum(row[name] for row in part) / max(len(part), 1)
    check(mean(first, "rut") > 0.02, "a rut in dry sand")
    check(mean(second, "sinkage") > mean(first, "sinkage"), "the second pass is deeper")
    check(mean(second, "resistance") < 0.8 * mean(first, "resistance"), "and costs less")


def bad_tables(folder, world):
    table = Path(folder) / "bad.csv"
    for text, code, says in (
            (b"", 3, "a header and two rows"),
            (b"time,load\n0,1\n", 3, "a header and two rows"),
            (b"time,lod\n", 3, ":1: the columns are time"),
            (b"load\n1\n2\n", 3, "no column 'time'"),
            (b"time,load,load\n", 3, "a second column 'load'"),
            (b"time,load\n0,1\n1,x\n", 3, ":3: no finite number: 'x'"),
            (b"time,load\n0,1\n1,nan\n", 3, "no finite number"),
            (b"time,load\n0,1,2\n", 3, "more cells than columns"),
            (b"time,load\n0,1\n0,1\n", 3, "times must rise"),
            (b"time,load\n,1\n1,1\n", 3, "needs a time"),
            (b"time,load\n0,-5\n1,-5\n", 3, "load = -5 is not within"),
            (b"time,load\n0,1\n1e300,1\n", 3, "more than"),
            (b"\x00\x01\xff\n" * 100, 3, "a header")):
        table.write_bytes(text)
        done = rut(world, "--history", str(table))
        check(done.returncode == code, f"{text[:40]}: exit status {done.returncode}, not {code}")
        check(says in done.stderr, f"{text[:40]}: {done.stderr.strip()}")


def pictures(folder):
    for kind, head in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        path = Path(folder) / f"tyre{kind}"
        done = rut(HMMWV, "-o", str(path))
        if done.returncode and "built without" in done.stderr:
            continue
        check(done.returncode == 0, done.stderr)
        check(path.is_file() and path.read_bytes().startswith(head), f"no {kind}")


def refusals(world, folder):
    broken = Path(folder) / "broken.tir"
    broken.write_text("this is no tyre\n")
    quoted = Path(folder) / "a'b.tir"
    for words, code, says in (
            ((world, "--over", "nothing"), 2, "none of slip, angle"),
            ((world, "--range", "1:2"), 2, "FROM:TO:STEP"),
            ((world, "--range", "0:1:0"), 2, "has no values"),
            ((world, "--range", "0:1:1e-9"), 2, "more than"),
            ((world, "--load", "0"), 2, "loads in N"),
            ((world, "--load", "1,,2"), 2, "loads in N"),
            ((world, "--slip", "2"), 2, "slip"),
            ((world, "--pressure", "0"), 2, "pressure"),
            ((world, "-o", "tyre.txt"), 2, ".png, .svg or .pdf"),
            ((world, "--soil", "clay"), 2, "need --history"),
            ((world, "--history", str(Path(folder) / "none.csv")), 6, "none.csv"),
            ((world, "--history", "/dev/null"), 6, "not a regular file"),
            ((world, "nobody"), 3, "no vehicle called"),
            ((world, "cart"), 3, "wheels on axles"),
            ((str(broken),), 3, "not a tyre property file"),
            ((str(quoted),), 2, "no name that a world can have"),
            ((str(Path(folder) / "none.tir"),), 6, "cannot be read"),
            ((), 2, "")):
        done = rut(*words)
        check(done.returncode == code, f"{words}: exit status {done.returncode}, not {code}")
        check(says in done.stderr, f"{words}: {done.stderr.strip()}")


with tempfile.TemporaryDirectory() as scratch:
    car = Path(scratch) / "car.xml"
    car.write_text(FIALA)
    closed_form(str(car))
    tables(str(car))
    pictures(scratch)
    histories(scratch, str(car))
    bad_tables(scratch, str(car))
    refusals(str(car), scratch)
for fault in faults:
    print(fault)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
