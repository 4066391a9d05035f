#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the same inputs of vehicles on rough and soft ground on several builds of rut.

    tools/compare_builds.py RUT... [--only NAME]... [--json]

Each measure is a small world, or a call of `rut soil`, whose result is a number with a unit, in one row
of the table, with a column for each build. Builds older than a feature print what they can: a dash
stands for what a build refuses. The table of the manual, "Before and after" in
docs/manual/validation.md, is made by this.
"""
import argparse
import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

G = 9.81
ROOT = Path(__file__).resolve().parent.parent
ROAD = '<soil type="magic_formula" name="road" surface="user" d="0.8"/>'
MASS = 2573.0  # of the HMMWV with all its arms [kg]
HULL = {"front": 2.35, "side": 1.0, "bottom": -0.12}  # of the HMMWV's chassis [m]

# A truck of 2.3 t on slides, 1.6 m wide.
TRUCK = """<vehicle name="truck" position="{place}" velocity="{velocity}" {more}>
    <chassis mass="2090 kg" com="0.12 0 0.85 m" z_min="0.4 m" z_max="1.7 m" drag_area="2.6 m2"
             outline="-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9"/>
    <suspension type="slider" stiffness="80 kN/m" damping="8 kN s/m"/>
    <tyre type="linear" stiffness="320 kN/m" damping="1 kN s/m"/>
    <axle x="1.5 m" track="1.6 m" radius="0.47 m" width="0.3 m" section_height="0.2 m" wheel_mass="62 kg"
          max_steer="30 deg" brake="3 kN m"/>
    <axle x="-1.3 m" track="1.6 m" radius="0.47 m" width="0.3 m" section_height="0.2 m" wheel_mass="62 kg"
          brake="3 kN m"/>
    <drive type="{drive}"/>
    <controller type="{controller}"/>
  </vehicle>"""


class Refused(Exception):
    """What a build does not do."""


def hmmwv(**given):
    """The HMMWV of worlds/vehicles, without what older builds do not know."""
    text = (ROOT / "worlds" / "vehicles" / "hmmwv.xml").read_text()
    text = re.sub(r'\s(seat|pressure)="[^"]*"', "", text)
    text = re.sub(r"<if condition=\"\$f\{(1-\$\{plain\|0\}|\$\{inflation\|0\}|\$\{ideal\|0\}|\$\{sensors\|0\})\}\">.*?</if>", "", text,
                  flags=re.S)
    text = text.replace("(1-${driver|0})*(1-${ideal|0})", "1-${driver|0}")
    for name, value in given.items():
        text = re.sub(r"\$\{" + name + r"\|[^}]*\}", str(value), text)
    text = re.sub(r"\$\{\w+\|([^}]*)\}", r"\1", text)
    return text[text.index("<vehicle"):]


class Run:
    """One run of a world: its summary, and the tables of all steps."""

    def __init__(self, rut, world, every=1, options=(), table=True):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "world.xml"
            file.write_text(world)
            command = [rut, "run", str(file), "--json", *options]
            if table:
                command += ["--csv", folder + "/csv", "--csv-every", str(every)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
            if done.returncode not in (0, 4):
                raise Refused(done.stderr.strip().splitlines()[0] if done.stderr.strip() else "no reason given")
            self.messages = done.stderr
            self.summary = json.loads(done.stdout)
            self.tables = {}
            if table:
                for path in Path(folder, "csv").glob("*.csv"):
                    with open(path, newline="", encoding="utf-8") as rows:
                        reader = csv.reader(rows)
                        names = [re.sub(r" \[.*\]$", "", name) for name in next(reader)]
                        self.tables[path.stem] = dict(zip(names, zip(*reader)))

    def column(self, name, vehicle=None):
        table = self.tables[vehicle or self.summary["vehicles"][0]["name"]]
        for known in (name, OLD.get(name, name)):
            if known in table:
                return [float(x) for x in table[known]]
        old = re.sub(r"\.force_", ".f", name)
        if old in table:
            return [float(x) for x in table[old]]
        raise Refused("no column " + name)

    def wheels(self, name, vehicle=None):
        return [self.column(f"{wheel}.{name}", vehicle)
                for wheel in ("front_left", "front_right", "rear_left", "rear_right")]

    @property
    def vehicle(self):
        return self.summary["vehicles"][0]


OLD = {"velocity_x": "vx", "velocity_y": "vy", "velocity_z": "vz", "yaw_rate": "wz"}


def world(content, step="1 ms", duration=8, more=""):
    return f'<world timestep="{step}" duration="{duration}" {more}>\n{content}\n</world>\n'


def into_body(run, point):
    """A point of the world in the frame of the vehicle, at all rows."""
    out = []
    for x, y, z, roll, pitch, yaw in zip(*(run.column(n) for n in ("x", "y", "z", "roll", "pitch", "yaw"))):
        dx, dy, dz = point[0] - x, point[1] - y, point[2] - z
        cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
        bx, by, bz = cy * dx + sy * dy, -sy * dx + cy * dy, dz
        bx, bz = cp * bx - sp * bz, sp * bx + cp * bz
        by, bz = cr * by + sr * bz, -sr * by + cr * bz
        out.append((bx, by, bz))
    return out


def deepest(run, points):
    """How far points are in the chassis, at most [m]: the shortest way out forward, aside or below."""
    most = 0.0
    for point in points:
        for x, y, z in into_body(run, point):
            most = max(most, min(HULL["front"] - abs(x), HULL["side"] - abs(y), z - HULL["bottom"], 1.25 - z))
    return most


# ---- the chassis ----

def post(rut):
    run = Run(rut, world(ROAD + '<terrain type="step" position="10 0" height="3 m" x_max="0.3 m" y_min="0.2" y_max="0.5"/>'
                         + hmmwv(driver=1, speed=2.9, manoeuvre="straight"), duration=6), every=5)
    places = [(10.0, 0.01 * y, z) for y in range(20, 51, 5) for z in (0.4, 0.8)]
    return [("post of 30 cm in the way at 2.9 m/s: how deep it gets into the chassis [cm]", 100 * deepest(run, places)),
            ("where the vehicle is after 6 s; the post stands at 10 [m]", run.vehicle["x"]),
            ("its work [kJ]", (run.vehicle["energy"].get("hull", 0) + run.vehicle["energy"].get("obstacle", 0)) / 1e3)]


def ridge(rut):
    run = Run(rut, world(ROAD + '<terrain type="ramp" position="10 0" height="0.7 m" length="0.7 m" top="0 m" down="0.7 m"/>'
                         + hmmwv(driver=1, speed=2, manoeuvre="straight"), duration=10), every=5)
    return [("ridge of 45 deg and 70 cm at 2 m/s: how deep its crest gets into the belly [cm]",
             100 * deepest(run, [(10.7, y, 0.7) for y in (-0.5, 0, 0.5)]))]


def ledge(rut):
    run = Run(rut, world(ROAD + '<terrain type="plane" position="0 0 4 m"/><terrain type="step" position="10 0" height="-4 m"/>'
                         + hmmwv(driver=1, speed=2, manoeuvre="straight"), duration=6), every=5)
    return [("ledge of 4 m at 2 m/s: how deep its edge gets into the belly [cm]",
             100 * deepest(run, [(10.0, y, 4.0) for y in (-0.5, 0, 0.5)]))]


# ---- soils ----

SOILS = {"road": ROAD, "clayey_soil_38": None, "lete_sand": None, "heavy_clay": None, "upland_sandy_loam": None, "dry_sand": None}


def soil(name, more=""):
    return SOILS.get(name) or f'<soil type="bekker" name="ground" preset="{name}" {more}/>'


def coast(rut):
    rows = []
    for name in SOILS:
        text = world(soil(name) + '<deformable cell="5 cm"/>' * (name != "road") +
                     hmmwv(drive="direct", speed=5.5), duration=3)
        try:
            run = Run(rut, text, every=10)
        except Refused:
            rows.append((f"HMMWV rolls freely, {name}: resistance [% of weight]", None))
            continue
        t, v = run.column("t"), run.column("velocity_x")
        first = next(i for i, x in enumerate(t) if x >= 1)
        slow = (v[first] - v[-1]) / (t[-1] - t[first])
        air = 0.5 * 1.2 * 2.45 * (0.5 * (v[first] + v[-1])) ** 2
        rows.append((f"HMMWV rolls freely, {name}: resistance [% of weight]",
                     100 * (slow * (MASS + 4 * 7.38782 / 0.47 ** 2) - air) / (MASS * G)))
    return rows


def passes(rut):
    rows = []
    for name in ("clayey_soil_38", "lete_sand", "dry_sand"):
        try:
            one = soil_rows(rut, f'<soil type="bekker" name="ground" preset="{name}"/>', "--passes", "1")[0]
        except Refused:
            continue
        rows.append((f"{name}: rut left of the sinkage of one rolling wheel [%]",
                     100 * one["rut"] / one["sinkage"]))
    return rows


def soil_rows(rut, text, *options):
    """Rows of `rut soil` on the ground of a world, in SI units."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "world.xml"
        file.write_text(f"<world>{text}</world>")
        done = subprocess.run([rut, "soil", str(file), "--json", *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(done.stderr.strip())
        data = json.loads(done.stdout)
    soils = data["soils"] if isinstance(data, dict) else data
    return soils[0].get("rows") or soils[0].get("points") or soils[0].get("passes")



def pull(rut):
    """Pull of strong clay, and what brakes give on a clay by its cone index."""
    rows = []
    one = soil_rows(rut, '<soil type="bekker" name="ground" preset="heavy_clay"/>', "--slip", "0:1:0.05")
    rows.append(("heavy_clay: largest pull of one wheel over its load", max(p["drawbar_pull"] for p in one) / 6500))
    run = Run(rut, world('<soil type="clay" name="ground" cone_index="1000 kPa"/>' +
                         hmmwv(drive="direct", speed=10, controller="throttle", brake=1), duration=1.2))
    t, v = run.column("t"), run.column("velocity_x")
    at = [next(i for i, x in enumerate(t) if x >= when) for when in (0.3, 0.8)]
    rows.append(("clay of 1 MPa cone index: deceleration by full brakes [m/s2]", (v[at[0]] - v[at[1]]) / (t[at[1]] - t[at[0]])))
    return rows


def dig(rut):
    rows = []
    for name in ("lete_sand", "rubicon_sandy_loam"):
        text = world(soil(name) + '<deformable cell="5 cm"/>' +
                     hmmwv(pull="60000", pull_ramp="0", throttle=1), duration=15)
        text = text.replace('ramp="0 N/s"', "")
        with tempfile.TemporaryDirectory() as folder:
            ruts = folder + "/ruts.csv"
            Run(rut, text, options=("--ruts", ruts), table=False)
            rows.append((f"held back at full throttle for 15 s, {name}: deepest pit [cm]", 100 * pit(ruts)))
    return rows


def pit(path):
    """The deepest place of the ruts of a run [m]."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(line for line in file if not line.startswith("#"))
        names = next(reader)
        column = next(i for i, n in enumerate(names) if n.split(" ")[0] in ("dz", "change", "height", "z"))
        return -min(float(row[column]) for row in reader)


def buried(rut):
    one = soil_rows(rut, '<soil type="bekker" name="ground" preset="snow_sweden"/>', "--slip", "0.2")[0]
    carried = one["carried"] and one["sinkage"] is not None
    return [("snow_sweden: sinkage of a wheel of 47 cm radius that is called carried [cm]",
             100 * one["sinkage"] if carried else "refused")]


def steered(rut):
    """Paths in ruts with cells of three sizes, and in the mirror."""
    rows = []
    end = {}
    for cell in (10, 5, 2.5):
        for side in (1, -1):
            text = world(soil("rubicon_sandy_loam") + f'<deformable cell="{cell} cm"/>' +
                         hmmwv(speed=5, throttle=0.4, steering=0.3 * side).replace("0.000191", "0"), duration=10)
            end[cell, side] = Run(rut, text, table=False).vehicle["y"]
        rows.append((f"10 s of steering in loam, cells of {cell:g} cm: y [m]", end[cell, 1]))
    for cell in (10, 5, 2.5):
        rows.append((f"mirrored, cells of {cell:g} cm: difference of y [m]", abs(end[cell, 1] + end[cell, -1])))
    return rows


# ---- wheels ----

def kerb(rut):
    rows = []
    for height, speed in ((0.3, 6), (0.2, 4), (0.2, 5.5), (0.2, 8)):
        text = world('<soil name="ice" type="magic_formula" surface="user" d="0.05"/>'
                     f'<terrain type="step" position="0 2 m" yaw="90 deg" height="{height} m"/>' +
                     TRUCK.format(place="0 0 m", velocity=f"0 {speed} 0 m/s", more='rolling_start="false"', drive="direct",
                                  controller="raw"), step="0.2 ms", duration=3)
        run = Run(rut, text, every=5)
        roll = max(abs(r) for r in run.column("roll"))
        name = f"sliding sideways at {speed:g} m/s into a kerb of {100 * height:g} cm: "
        rows.append((name + "largest load of a wheel [kN]", max(max(w) for w in run.wheels("load")) / 1e3))
        rows.append((name + "largest roll [deg]", math.degrees(roll) if roll < math.radians(80) else "turns over"))
    return rows


def envelop(rut):
    rows = []
    for length in (3, 30):
        text = world(ROAD + f'<terrain type="step" position="8 0" height="3 cm" x_max="{length} cm"/>' +
                     hmmwv(drive="direct", speed=5), step="0.5 ms", duration=2.2)
        run = Run(rut, text)
        load = run.column("front_left.load")
        rows.append((f"bump of 3 cm, {length} cm long, at 5 m/s: largest load of a front wheel [kN]", max(load) / 1e3))
    text = world(ROAD + '<terrain type="step" position="6 0.91" height="10 cm" x_max="5 cm" y_min="0.10" y_max="0.15"/>' +
                 hmmwv(drive="direct", speed=2), step="0.5 ms", duration=2.6)
    load = Run(rut, text).column("front_left.load")
    rows.append(("stone of 10 cm under the shoulder at 2 m/s: largest load of the wheel over that before", max(load) / load[200]))
    return rows


def landing(rut):
    """A truck that lands on one wheel: how far a long step ends from a short one, and what is said."""
    end, said = {}, {}
    for step in ("5 ms", "0.1 ms"):
        text = world(ROAD + TRUCK.format(place="0 0 1", velocity="10 0 0 m/s", drive="direct", controller="pedals",
                                         more='roll="25 deg" pitch="10 deg" on_ground="false"'), step=step, duration=3)
        run = Run(rut, text, table=False)
        end[step] = run.vehicle
        said[step] = "told" if "step" in run.messages and "warning" in run.messages else "not told"
    apart = math.hypot(end["5 ms"]["x"] - end["0.1 ms"]["x"], end["5 ms"]["y"] - end["0.1 ms"]["y"])
    rows = [("landing on one wheel, 5 ms: from where 0.1 ms ends [m]", apart), ("the same: that the step is too long is", said["5 ms"])]
    try:
        text = world(ROAD + TRUCK.format(place="0 0 1", velocity="10 0 0 m/s", drive="direct", controller="pedals",
                                         more='roll="25 deg" pitch="10 deg" on_ground="false"'), step="5 ms", duration=3)
        run = Run(rut, text, options=("--step", "auto"), table=False)
        energy = run.vehicle["energy"]
        rows.append(("the same, step auto: residual over the throughput", abs(energy["residual"]) / energy["throughput"]))
    except Refused:
        rows.append(("the same, step auto: residual over the throughput", None))
    return rows


def order(rut):
    """Order of rk4 under a torque and a steering angle that change: 4 from steps of 8, 4, 2 ms."""
    end = {}
    for step in (8, 4, 2):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "inputs.csv"
            rows = ["t,vehicle,torque,brake,steer"]
            for i in range(2001):
                t = 0.001 * i
                rows.append(f"{t:.3f},truck,{4000 * (1 + 0.5 * math.sin(2 * math.pi * t))!r},0,{0.05 * math.sin(math.pi * t)!r}")
            table.write_text("\n".join(rows) + "\n")
            text = world('<soil type="magic_formula" surface="user" b="10" c="1.4" d="0.8" e="0"/>' +
                         TRUCK.format(place="0 0", velocity="15 0 0", more="", drive="direct", controller="pedals"),
                         step=f"{step} ms", duration=1.992, more='integrator="rk4"')
            options = ["--inputs", str(table)]
            try:
                run = Run(rut, text, options=[*options, "--interpolate"], table=False)
            except Refused:
                run = Run(rut, text, options=options, table=False)
            end[step] = (run.vehicle["x"], run.vehicle["y"])
    apart = [math.dist(end[8], end[4]), math.dist(end[4], end[2])]
    return [("rk4 that steers: end at 8 ms from that at 4 ms [m]", apart[0]), ("its order, by 8, 4, 2 ms", math.log2(apart[0] / apart[1]))]


def lean(rut):
    """Forces across, summed over the wheels, of a vehicle that turns on level ground and leans."""
    text = world(ROAD + hmmwv(driver=1, speed=13, manoeuvre="step_steer", start_time=1, steer=0.2), duration=6)
    run = Run(rut, text, every=10)
    speed = math.hypot(run.column("velocity_x")[-1], run.column("velocity_y")[-1])
    wz = run.column("yaw_rate")[-1]
    rows = []
    for name, what in (("force_y", "in the vehicle's axes"), ("tyre_force_y", "in the wheel's axes (ISO 8855)")):
        try:
            across = sum(w[-1] for w in run.wheels(name))
            if name == "tyre_force_y":
                steer = [w[-1] for w in run.wheels("steer")]
                along = [w[-1] for w in run.wheels("tyre_force_x")]
                across = sum(y[-1] * math.cos(s) + x * math.sin(s)
                             for y, x, s in zip(run.wheels(name), along, steer))
            rows.append((f"steady turn: logged forces across {what}, over m v yaw rate", across / (MASS * speed * wz)))
        except Refused:
            rows.append((f"steady turn: logged forces across {what}, over m v yaw rate", None))
    return rows


# ---- single wheels by cone index ----

def cone_index(rut):
    b, d, h, load, stiffness = 0.3175, 0.94, 0.26, 6500.0, 411000.0
    e = load / stiffness / h
    rows = []
    for n in (10, 20, 50, 100):
        gradient = n * load / ((b * d) ** 1.5 * e)
        one = soil_rows(rut, f'<soil type="sand" name="ground" cone_index="{gradient * 3.47 * 0.0254!r} Pa"/>', "--slip", "0.2")[0]
        rows.append((f"sand, N_s = {n}: pull at 20 % slip over the load", one["drawbar_pull"] / load))
    for n in (4, 6, 10, 20):
        # of the curve of WES: C sqrt(e/h)/(1 + b/2d)
        index = n * load / (b * d) * (1 + b / (2 * d)) / math.sqrt(e)
        one = soil_rows(rut, f'<soil type="clay" name="ground" cone_index="{index!r} Pa"/>', "--slip", "0.2")[0]
        rows.append((f"clay, N_c = {n}: pull at 20 % slip over the load", one["drawbar_pull"] / load))
    return rows


MEASURES = {f.__name__: f for f in (post, ridge, ledge, coast, passes, pull, dig, buried, steered, kerb, envelop, order, landing, lean,
                                    cone_index)}


def shown(value):
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rut", nargs="+", help="commands of the builds")
    parser.add_argument("--only", action="append", choices=MEASURES, help="only this measure; may be repeated")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = []
    for name in args.only or MEASURES:
        columns = []
        for rut in args.rut:
            try:
                columns.append(MEASURES[name](str(Path(rut).resolve())))
            except Refused as reason:
                print(f"{rut}, {name}: {reason}", file=sys.stderr)
                columns.append([])
        for what in dict.fromkeys(w for c in columns for w, _ in c):
            rows.append({"measure": name, "what": what, "values": [dict(c).get(what) for c in columns]})
            if not args.json:
                print(f"{name:10} {what:100} " + " ".join(f"{shown(v):>12}" for v in rows[-1]["values"]), flush=True)
    if args.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
