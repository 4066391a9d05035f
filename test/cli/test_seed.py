#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut validate --seed: every table of the four documents is there, what should agree does, and each printed form can be chosen beside the
right one, here and in a world."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")

# as the documents print them: B, C, D, E of surfaces; double lane change of ADAMS and ROAMS; sizes of three formulations
SURFACES = {"dry": (10.0, 1.9, 1.0, 0.97), "wet": (12.0, 2.3, 0.82, 1.0), "snow": (5.0, 2.0, 0.3, 1.0), "ice": (10.0, 2.0, 0.1, 1.0)}
LANE_CHANGE = {"load LF": (1.5, 0.5, 1.6, 0.5), "load RF": (1.5, 0.5, 1.6, 0.5), "load LR": (1.8, 0.3, 1.7, 0.1), "load RR": (1.7, 0.2, 1.7, 0.1),
               "lateral acceleration": (0.5, -0.5, 0.6, -0.6), "roll": (4.1, -3.7, 4.8, -4.8), "roll rate": (16.0, -17.8, 13.2, -14.4)}
SIZES = {"CE": (15, 0, 15, 1), "TA": (45, 30, 75, 4.1), "FA": (216, 201, 417, 120)}
# words of a note: least number of rows that agree with that choice
FORMS = {"variant=as_published": 30, "slip=two_branches": 6, "lateral=crolla_longitudinal": 4, "rolling_radius=loaded": 1, "slip=over_larger": 3,
         "circle=approximate": 8, "exit=circle": 2, "horizontal_shift_y": 2, "exit_ratio=0": 2}
PLACES = {"mavs": ("step 1", "step 2", "step 3", "step 4", "step 5", "step 6", "table of surfaces", "magic formula", "sand", "clay", "lateral", "listing"),
          "mvsim": ("figure 1a", "figure 1b", "figure 2", "figure 3", "4.2.2", "4.2.3", "4.3.2", "4.3.3", "4.3.4", "4.4.2", "4.4.4"),
          "roams": ("table 1", "eq 1", "eqs 2", "eqs 3", "eq 7", "eq 10", "eqs 11", "eqs 12", "eq 20", "eq 21", "eq 23", "figure 6", "figure 7", "figures 8",
                    "figure 10"),
          "virtualbotz": ("eqs 1, 2", "eqs 3 to 5", "eq 9", "eq 10", "eqs 11", "eqs 12", "eq 14", "figure 6", "figures 8", "figure 10", "figure 11", "figure 12",
                          "section 2.5", "section 4", "section 5")}
faults = []


def check(fine, what):
    if not fine:
        faults.append(what)


def rut(*words, text=None):
    return subprocess.run([COMMAND, *words], input=text, capture_output=True, text=True, timeout=280, check=False)


def find(rows, document, place, quantity):
    found = [r for r in rows if r["document"] == document and r["place"] == place and r["quantity"] == quantity]
    check(found, f"no row {document}, {place}, {quantity}")
    return found or [{"theirs": None}]


def tables(rows):
    for name, numbers in SURFACES.items():
        for letter, number in zip("BCDE", numbers):
            for r in find(rows, "mavs", "table of surfaces", f"{name} {letter}"):
                check(r["theirs"] == number, f"{name} {letter}: {r}")
    ice = find(rows, "mavs", "table of surfaces", "ice B")
    check(sorted(round(r["ours"], 6) for r in ice) == [4, 10], f"ice B: {ice}")
    for name, numbers in LANE_CHANGE.items():
        for i, number in enumerate(numbers):
            code, end = ("ADAMS", "ROAMS")[i // 2], ("max", "min")[i % 2]
            r = find(rows, "roams", "figure 10", f"{code} {name} {end}")[0]
            check(r["theirs"] == number and r["ours"] is not None, f"figure 10: {r}")
    # the speed is that at which the acceleration agrees
    r = find(rows, "roams", "figure 10", "ADAMS lateral acceleration max")[0]
    check(abs(r["ours"] - 0.5) < 0.05, f"lane change: {r}")
    for name, numbers in SIZES.items():
        for what, number in zip(("degrees of freedom", "constraints", "overall size", "time over CE"), numbers):
            r = find(rows, "roams", "table 1", f"{name}: {what}")[0]
            check(r["theirs"] == number, f"table 1: {r}")


def everything():
    done = rut("validate", "--seed", "--json")
    check(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    rows = json.loads(done.stdout)
    wrong = [r for r in rows if not r.get("agrees", True)]
    check(not wrong, f"not the same: {wrong}")
    check(sum("agrees" in r for r in rows) >= 200, "fewer than 200 numbers that must agree")
    for r in rows:
        check(r["note"] or r.get("agrees"), f"neither the same nor with a reason: {r}")
        check(isinstance(r["theirs"], str) or "ours" in r, f"no number of ours: {r}")
    for document, places in PLACES.items():
        for place in places:
            check(any(r["document"] == document and r["place"].startswith(place) for r in rows), f"nothing of {document}, {place}")
    for form, least in FORMS.items():
        n = sum(form in r["note"] and r.get("agrees", False) for r in rows)
        check(n >= least, f"{form}: {n} rows, not {least}")
    tables(rows)
    # the same as text
    table = rut("validate", "--seed").stdout
    check(table.rstrip().split("\n")[-1].startswith(f"{len(rows)} rows: "), f"last line: {table[-200:]}")
    for title in ("MAVS:", "MVSim:", "ROAMS:", "VirtualBotz 3D:"):
        check(f"\n{title}" in "\n" + table, f"no title {title}")


def refused():
    done = rut("validate", "--seed", "pendulum_period")
    check(done.returncode == 2 and "--seed takes no NAME" in done.stderr, f"name with --seed: {done.stderr}")


CAR = """<world timestep="{step}" duration="{end}">{ground}
  <vehicle name="car" velocity="5 0 m/s">
    <chassis mass="1400" com="0 0 0.55" inertia="600 2000 2200" outline="-1 -0.3 1 -0.3 1 0.3 -1 0.3"/>
    <suspension type="slider" stiffness="4e4" damping="4e3"/>
    {tyre}
    <axle x="1.25" track="1.5" radius="0.4" wheel_mass="25" rolling_radius="{radius}"/>
    <axle x="-1.25" track="1.5" radius="0.4" wheel_mass="25" rolling_radius="{radius}"/>
    <drive type="open"/><controller type="pedals" torque="200"/>
  </vehicle></world>"""
LINEAR, FIALA = '<tyre type="linear"/>', '<tyre type="fiala" slip="over_larger"/>'


def worlds(folder):
    """Each form in a world runs, and loses no energy in the balance."""
    soils = ('<soil type="magic_formula" surface="ice" variant="as_published" slip="two_branches" lateral="crolla_longitudinal"/>',
             '<soil type="clay" variant="as_published" slip="two_branches" lateral="crolla_longitudinal"/>',
             '<soil type="sand" slip="two_branches" lateral="crolla_longitudinal"/>',
             '<soil type="magic_formula" surface="user" lateral="magic_formula" horizontal_shift_y="0.01" vertical_shift_y="0.02"/>',
             '<soil type="bekker" circle="approximate" exit="circle"/>')
    trials = [(soil, LINEAR, "loaded", "1 ms", 2) for soil in soils] + [("", FIALA, "effective", "1 ms", 2), ("", LINEAR, "effective", "100e-9 s", 1e-3)]
    for i, (ground, tyre, radius, step, end) in enumerate(trials):
        world = folder / f"form_{i}.xml"
        world.write_text(CAR.format(step=step, end=end, ground=ground, tyre=tyre, radius=radius), encoding="utf-8")
        done = rut("run", str(world), "--json", "--quiet")
        check(done.returncode == 0, f"{ground} {tyre} {radius} {step}: {done.stderr}")
        if done.returncode == 0:
            told = json.loads(done.stdout)
            energy = told["vehicles"][0]["energy"]
            check(abs(energy["residual"]) <= 2e-3 * energy["throughput"], f"{ground} {tyre} {step}: energy {energy}")
    for bad, told in (('<soil type="magic_formula" surface="user" horizontal_shift_y="0.9"/>', "horizontal_shift_y is not within"),
                      ('<soil type="magic_formula" surface="user" vertical_shift_y="-1"/>', "vertical_shift_y is not below"),
                      ('<soil type="clay" slip="branches"/>', "two_branches")):
        world = folder / "bad.xml"
        world.write_text(CAR.format(step="1 ms", end=1, ground=bad, tyre=LINEAR, radius="loaded"), encoding="utf-8")
        done = rut("run", str(world), "--quiet")
        check(done.returncode == 3 and told in done.stderr, f"{bad}: {done.stderr}")


def main():
    # optimised, since the sanitizers see the same code in other tests
    if not SANITIZE:
        everything()
    refused()
    with tempfile.TemporaryDirectory() as folder:
        worlds(Path(folder))
    for fault in faults:
        print("failed:", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
