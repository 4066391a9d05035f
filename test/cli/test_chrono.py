#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles of Project Chrono (JSON): the HMMWV of Chrono's own files against the runs that were recorded from Chrono, a strut against
its own loop, slides and others by hand, and rut's example."""
import csv
import json
import math
import re
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, SHARED, SOURCE, check, near, rut, verdict

sys.path.insert(0, str(SOURCE / "tools"))
from conform_chrono import read_chrono, write_inputs  # noqa: E402

BUGGY = SOURCE / "worlds" / "vehicles" / "buggy.json"
DATA = SHARED / "data" / "chrono_json"
HMMWV = DATA / "hmmwv" / "vehicle" / "HMMWV_Vehicle_4WD.json"
RECORDS = SHARED / "data" / "chrono"


def strip(text):
    """JSON without comments."""
    return re.sub(r"//[^\n]*", "", text)


def fields(xml, element, nth=0):
    """Fields of the nth such element as text."""
    part = re.findall(rf"<{element}\b([^>]*)>", xml)[nth]
    return dict(re.findall(r'(\w+)="([^"]*)"', part))


def number(text, at=0):
    return float(text.split()[at].strip(","))


def convert(folder, *files):
    out = Path(folder) / "out.xml"
    done = rut("convert", *files, "-o", out)
    check(done.returncode == 0, f"{files}: {done.stderr}")
    return out.read_text(encoding="utf-8") if done.returncode == 0 else "", done.stderr


# ---- against Chrono ----

def at_rest():
    """How the vehicle stands with its brakes on. Chrono's converged run: loads within 1e-3, height 2 mm, pitch 0.02 deg, toe 0.05 deg."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world.xml"
        # the records are of Chrono's C++ vehicle, whose tyre has 580 kN/m; that of the JSON file is softer
        world.write_text(f'<world timestep="1 ms"><vehicle file="{HMMWV}" name="h" parts="hmmwv/tire/HMMWV_FialaTire.json">'
                         '<tyre type="fiala"/><controller type="throttle" brake="1"/></vehicle></world>', encoding="utf-8")
        done = rut("run", world, "--quiet", "--duration", 3, "--csv", folder, "--csv-rate", 10, "--allow-dir", DATA)
        check(done.returncode == 0, f"HMMWV at rest: {done.stderr}")
        with open(Path(folder) / "h.csv", encoding="utf-8") as file:
            row = list(csv.DictReader(file))[-1]
    for wheel, load in (("front_left", 6495.7), ("front_right", 6494.1), ("rear_left", 6127.6), ("rear_right", 6125.2)):
        near(float(row[f"{wheel}.load [N]"]), load, 1e-3 * load, f"load {wheel}")
    near(float(row["z [m]"]), 0.59083, 0.002, "height")
    near(math.degrees(float(row["pitch [rad]"])), 0.167, 0.02, "pitch")
    # hardpoints of the JSON file are rounded to millimetres; arms of 60 mm turn that into 0.5 deg
    for wheel, toe in (("front_left", -1.1), ("front_right", 1.1)):
        near(math.degrees(float(row[f"{wheel}.steer [rad]"])), toe, 0.15, f"toe {wheel}")


def masses():
    """Mass, centre of mass and yaw inertia of the whole vehicle, which Chrono measures at rest, from those of its parts."""
    with tempfile.TemporaryDirectory() as folder:
        xml, told = convert(folder, HMMWV)
    check("kept: 2573.138 kg on 2 axles with double wishbones" in told, f"mass of the HMMWV: {told}")
    body = fields(xml, "chassis")
    near(number(body["mass"]), 2086.52 + 3.681 + 1.605, 1e-9, "mass of chassis, link and Pitman arm")
    # (2086.52 x 0.056 + 3.681 x 1.367314 + 1.605 x 1.305673) / 2091.806
    near(number(body["com"]), (2086.52 * 0.056 + 3.681 * 1.367314 + 1.605 * 1.305673) / 2091.806, 1e-6, "centre of mass")
    axle = fields(xml, "axle")
    near(number(axle["wheel_inertia"]), 7.38782, 1e-9, "inertia of a wheel")
    near(number(axle["wheel_mass"]), 71.105, 1e-9, "mass of a wheel")
    steering = fields(xml, "suspension")
    # the Pitman arm of 0.129 m, 18.5 deg from level
    near(number(steering["steering_arm"]), 0.129 * math.cos(math.radians(18.5)), 1e-6, "Pitman arm")
    near(number(steering["steering_arm"], 2), -0.129 * math.sin(math.radians(18.5)), 1e-6, "Pitman arm, z")


def replay(record, tyre, folder):
    """Commands of a record, open loop, on its road: rows of both at 100 Hz."""
    chrono = read_chrono(RECORDS / record)
    world, inputs = Path(folder) / "world.xml", Path(folder) / "inputs.csv"
    write_inputs(chrono, inputs, False)
    world.write_text(f'<world timestep="1 ms" duration="{chrono["t"][-1]}"><soil type="magic_formula" surface="user" d="0.9"/>'
                     f'<vehicle file="{HMMWV}" name="hmmwv" on_ground="false" steer_rate="5" position="0 0 {chrono["z"][0]}" '
                     'parts="hmmwv/tire/HMMWV_FialaTire.json, hmmwv/powertrain/HMMWV_EngineShafts.json, '
                     f'hmmwv/powertrain/HMMWV_AutomaticTransmissionShafts.json"><tyre type="{tyre}"/></vehicle></world>', encoding="utf-8")
    done = rut("run", world, "--inputs", inputs, "--interpolate", "--quiet", "--csv", folder, "--csv-rate", 100, "--allow-dir", DATA, "--set",
               "hmmwv/chassis.drag_area=2.45")
    check(done.returncode == 0, f"{record}: {done.stderr}")
    with open(Path(folder) / "hmmwv.csv", encoding="utf-8") as file:
        rows = [{name: float(row[f"{name} [{unit}]"]) for name, unit in (("t", "s"), ("speed", "m/s"), ("yaw_rate", "rad/s"), ("x", "m"))}
                for row in csv.DictReader(file)]
    return chrono, rows


def acceleration():
    """Full throttle after 2 s of braking: times to speeds and distance within 3 %, as rut's own HMMWV."""
    with tempfile.TemporaryDirectory() as folder:
        chrono, rows = replay("ref_lu_noclutch_tmeasy_accel_1e-3.csv.gz", "tmeasy", folder)
    for speed in (5, 10, 15):
        reached = [next(t for t, v in zip(times, speeds) if t > 2 and v >= speed) - 2
                   for times, speeds in ((chrono["t"], chrono["speed"]), ([r["t"] for r in rows], [r["speed"] for r in rows]))]
        near(reached[1], reached[0], 0.03 * reached[0], f"time to {speed} m/s")
    start = next(i for i, row in enumerate(rows) if row["t"] >= 2 - 1e-9)
    near(rows[-1]["x"] - rows[start]["x"], chrono["x"][-1] - chrono["x"][start], 0.03 * 112, "distance")


def turn():
    """Steady turn: yaw rate and lateral acceleration within 2 % of Chrono's, extrapolated to a step of 0."""
    with tempfile.TemporaryDirectory() as folder:
        _, rows = replay("ref_lu_noclutch_tmeasy_step_1e-3.csv.gz", "tmeasy", folder)
    last = [row for row in rows if row["t"] >= rows[-1]["t"] - 2]
    rate, speed = (sum(row[name] for row in last) / len(last) for name in ("yaw_rate", "speed"))
    near(rate, 0.3729, 0.02 * 0.3729, "yaw rate")
    near(speed, 14.6649, 0.02 * 14.6649, "speed")
    near(rate * speed / 9.81, 0.556, 0.02 * 0.556, "lateral acceleration")


def against_chrono():
    if not HMMWV.exists() or not RECORDS.exists():
        print(f"skipped: {HMMWV} or {RECORDS} is not here")
        return
    at_rest()
    masses()
    if SANITIZE:
        return
    acceleration()
    turn()


# ---- a strut, by its own loop ----

def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def turned(w, v):
    """v, rotated by the vector w (Rodrigues)."""
    angle = norm(w)
    if angle < 1e-15:
        return list(v)
    u = [x / angle for x in w]
    c, s = math.cos(angle), math.sin(angle)
    k, along = cross(u, v), dot(u, v)
    return [v[i] * c + k[i] * s + u[i] * along * (1 - c) for i in range(3)]


def solve(rows, right):
    n = len(right)
    m = [row[:] + [x] for row, x in zip(rows, right)]
    for k in range(n):
        i = max(range(k, n), key=lambda r: abs(m[r][k]))
        m[k], m[i] = m[i], m[k]
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            m[i] = [a - f * b for a, b in zip(m[i], m[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (m[k][n] - sum(m[k][j] * x[j] for j in range(k + 1, n))) / m[k][k]
    return x


class Strut:
    """The upright of a MacPherson suspension: its six coordinates at a rise of the hub, by Newton's method."""

    def __init__(self, part):
        self.hub, self.arm, self.tie, self.shock = part["Spindle"]["COM"], part["Control Arm"], part["Tierod"], part["Shock"]
        self.top = self.shock["Location Chassis"]
        axis = sub(self.shock["Location Upright"], self.top)
        e = cross(axis, [1, 0, 0])
        self.across = [e, cross(axis, e)]

    def place(self, q, p):
        return [a + b + c for a, b, c in zip(q[:3], self.hub, turned(q[3:], sub(p, self.hub)))]

    def left(self, q, rise):
        def longer(chassis, upright):
            return norm(sub(self.place(q, upright), chassis)) - norm(sub(upright, chassis))

        ball = self.arm["Location Upright"]
        off = sub(self.top, self.place(q, self.top))
        return [longer(self.arm["Location Chassis Front"], ball), longer(self.arm["Location Chassis Back"], ball),
                longer(self.tie["Location Chassis"], self.tie["Location Upright"]),
                *(dot(off, turned(q[3:], e)) for e in self.across), q[2] - rise]

    def at(self, rise):
        q = [0.0] * 6
        for _ in range(40):
            r, h = self.left(q, rise), 1e-7
            columns = [[(a - b) / h for a, b in zip(self.left([x + (h if i == k else 0) for i, x in enumerate(q)], rise), r)]
                       for k in range(6)]
            step = solve([[columns[k][i] for k in range(6)] for i in range(6)], [-x for x in r])
            q = [a + b for a, b in zip(q, step)]
            if max(map(abs, step)) < 1e-12:
                break
        spindle = turned(q[3:], [0, 1, 0])
        # toe-in of the left wheel, and its top outwards
        length = norm(sub(self.place(q, self.shock["Location Upright"]), self.top))
        return math.atan2(spindle[0], spindle[1]), math.asin(-spindle[2]), q[1], length


def strut():
    """Toe, camber and force of the buggy's strut near its design position. A wishbone stands for it: to second order the same."""
    done = rut("suspension", BUGGY, "--json", "--points", 41)
    check(done.returncode == 0, f"rut suspension: {done.stderr}")
    part = json.loads(strip(BUGGY.read_text(encoding="utf-8")))["Axles"][0]["Suspension Input File"]
    loop, spring = Strut(part), part["Spring"]
    compared = 0
    for row in json.loads(done.stdout)[0]["points"]:
        s = row["travel"]
        if abs(s) > 0.04:
            continue
        toe, camber, out, length = loop.at(s)
        h = 1e-5
        ratio = (loop.at(s + h)[3] - loop.at(s - h)[3]) / (2 * h)
        force = -spring["Spring Coefficient"] * (spring["Free Length"] - length) * ratio
        near(row["toe"], toe, 2e-4, f"toe at {s}")
        near(row["camber"], camber, 5e-4, f"camber at {s}")
        near(row["outward"], out, 1e-4, f"half track at {s}")
        near(row["force"], force, 0.02 * abs(force) + 5, f"force at {s}")
        compared += 1
    check(compared >= 10, f"only {compared} positions of the strut compared")


# ---- by hand ----

def slides():
    """A solid axle on level links of equal length rises straight: its spring, 30 deg from upright, has cos^2 30 of its rate at the
    wheel; wheels of 0.5 m stand on the ground under the loads of 1000 kg in the middle."""
    link = {"Mass": 0, "COM": [0, 0, 0], "Inertia": [1, 1, 1]}
    axle = {"Name": "Axle", "Type": "Suspension", "Template": "SolidAxle",
            "Spindle": {"Mass": 10, "COM": [0, 0.8, 0], "Inertia": [1, 1, 1]},
            "Knuckle": {"Mass": 5}, "Axle Tube": {"Mass": 40}, "Tierod": {"Mass": 2},
            "Upper Link": {**link, "Location Axle": [0, 0.4, 0.1], "Location Chassis": [0.5, 0.4, 0.1]},
            "Lower Link": {**link, "Location Axle": [0, 0.4, -0.1], "Location Chassis": [0.5, 0.4, -0.1]},
            "Spring": {"Location Chassis": [0.2, 0.6, 0.2 * math.sqrt(3)], "Location Axle": [0, 0.6, 0],
                       "Spring Coefficient": 40000, "Free Length": 0.4, "Preload": 100},
            "Shock": {"Location Chassis": [0, 0.6, 0.4], "Location Axle": [0, 0.6, 0], "Damping Coefficient": 3000},
            "Axle": {"Inertia": 0.3}}
    tyre = {"Name": "T", "Type": "Tire", "Template": "FialaTire", "Mass": 20, "Inertia": [1, 2, 1],
            "Fiala Parameters": {"Unloaded Radius": 0.5, "Width": 0.2, "Vertical Stiffness": 2e5, "CSLIP": 5e4, "CALPHA": 5e4}}
    wheel = {"Name": "W", "Type": "Wheel", "Mass": 7, "Inertia": [0.1, 0.2, 0.1]}
    chassis = {"Name": "C", "Type": "Chassis", "Template": "RigidChassis", "Components": [
        {"Centroidal Frame": {"Location": [0, 0, 0.5], "Orientation": [1, 0, 0, 0]}, "Mass": 1200, "Moments of Inertia": [200, 900, 900],
         "Products of Inertia": [0, 0, 0], "Void": False},
        {"Centroidal Frame": {"Location": [0, 0, 0.5], "Orientation": [1, 0, 0, 0]}, "Mass": 200, "Moments of Inertia": [10, 10, 10],
         "Products of Inertia": [0, 0, 0], "Void": True}]}
    ends = [{"Suspension Input File": axle, "Suspension Location": [x, 0, 0], "Left Wheel Input File": wheel, "Tire Input File": tyre}
            for x in (1.2, -1.2)]
    vehicle = {"Name": "V", "Type": "Vehicle", "Template": "WheeledVehicle", "Chassis": {"Input File": chassis}, "Axles": ends}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "truck.json"
        file.write_text(json.dumps(vehicle), encoding="utf-8")
        xml, told = convert(folder, file)
        check("guessed: rut has no mechanism like 'SolidAxle'" in told, f"a solid axle is not told: {told}")
        near(number(fields(xml, "chassis")["mass"]), 1000, 1e-9, "a void of 200 kg in 1200 kg")
        near(number(fields(xml, "suspension")["stiffness"]), 40000 * 0.75, 1e-6, "rate at the wheel")
        near(number(fields(xml, "suspension")["damping"]), 3000, 1e-9, "damping at the wheel")
        end = fields(xml, "axle")
        # spindle, rim and tyre, knuckle, half of tube and tie rod
        near(number(end["wheel_mass"]), 10 + 27 + 5 + 21, 1e-9, "unsprung mass of a wheel")
        near(number(end["wheel_inertia"]), 1 + 2 + 0.2 + 0.3, 1e-9, "inertia of a wheel")
        near(number(end["z"]), 0.5, 1e-9, "hub above the ground")
        # the chassis rests where 4 (100 N + 40 kN/m x) cos 30 = 1000 g, the hub being x / cos 30 up
        x = (1000 * 9.81 / 4 / math.cos(math.radians(30)) - 100) / 40000
        near(number(fields(xml, "chassis")["com"], 2), 0.5 + 0.5 - x / math.cos(math.radians(30)), 2e-3, "height of the centre of mass")
        out = Path(folder) / "out.xml"
        done = rut("run", out, "--quiet", "--duration", 2, "--csv", folder, "--csv-rate", 10)
        check(done.returncode == 0, f"truck: {done.stderr}")
        if done.returncode:
            return
        with open(Path(folder) / "truck.csv", encoding="utf-8") as text:
            row = list(csv.DictReader(text))[-1]
        near(float(row["z [m]"]), -(1000 + 4 * 63) * 9.80665 / 4 / 2e5, 1e-3, "squash of the tyres")


def others():
    """Suspensions without a mechanism have the rates that levers give. An arm about an axis across at x = 0.5 whose hub is at 0 has its
    springs at 0.3: 0.4^2 of the rate. The same about a ball joint with two links across. A leaf spring's axle rises straight: its
    spring, 30 deg from upright, has cos^2 30 of the rate."""
    spring = {"Location Chassis": [0.3, 0.6, 0.4], "Location Arm": [0.3, 0.6, 0], "Spring Coefficient": 40000, "Free Length": 0.5}
    shock = {"Location Chassis": [0.3, 0.6, 0.4], "Location Arm": [0.3, 0.6, 0], "Damping Coefficient": 3000}
    level = [{"Location Chassis": [0, 0.2, z], "Location Arm": [0, 0.7, z], "Mass": 2} for z in (0.1, -0.1)]
    slant = {"Location Chassis": [0.2, 0.6, 0.2 * math.sqrt(3)], "Location Axle": [0, 0.6, 0], "Spring Coefficient": 40000}
    upright = {"Location Chassis": [0, 0.6, 0.4], "Location Axle": [0, 0.6, 0], "Damping Coefficient": 3000}
    kinds = {
        "SemiTrailingArm": ({"Trailing Arm": {"Mass": 8, "Location Chassis Outer": [0.5, 0.9, 0], "Location Chassis Inner": [0.5, 0.5, 0]},
                             "Spring": spring, "Shock": shock}, 0.16, 0.16, 4),
        "SingleWishbone": ({"Control Arm": {"Mass": 8, "Location Chassis Front": [0.5, 0.9, 0], "Location Chassis Back": [0.5, 0.5, 0]},
                            "Upright": {"Mass": 3}, "Shock": {**spring, "Damping Coefficient": 3000}}, 0.16, 0.16, 7),
        "ThreeLinkIRS": ({"Trailing Arm": {"Mass": 8, "Location Chassis": [0.5, 0.8, 0]}, "Upper Link": level[0], "Lower Link": level[1],
                          "Spring": spring, "Shock": shock}, 0.16, 0.16, 6),
        "LeafspringAxle": ({"Axle Tube": {"Mass": 40}, "Spring": slant, "Shock": upright}, 0.75, 1, 20),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (parts, rate, damping, moving) in kinds.items():
            vehicle = json.loads((SOURCE / "test/bad_input/chrono/suspension_unknown.json").read_text(encoding="utf-8"))
            for axle in vehicle["Axles"]:
                axle["Suspension Input File"] = {
                    "Name": "S", "Type": "Suspension", "Template": name, "Spindle": {"Mass": 10, "COM": [0, 0.8, 0], "Inertia": [1, 1, 1]}, **parts}
            file = Path(folder) / f"{name}.json"
            file.write_text(json.dumps(vehicle), encoding="utf-8")
            xml, told = convert(folder, file)
            check(f"guessed: rut has no suspension '{name}'" in told, f"{name} is not told: {told}")
            near(number(fields(xml, "suspension")["stiffness"]), 40000 * rate, 1e-6, f"{name}: rate at the wheel")
            near(number(fields(xml, "suspension")["damping"]), 3000 * damping, 1e-6, f"{name}: damping at the wheel")
            near(number(fields(xml, "axle")["wheel_mass"]), 10 + 16 + moving, 1e-9, f"{name}: unsprung mass with rim and tyre of 16 kg")


def generic():
    """Bodies and joints by their names. An arm of 8 kg about an axis across at x = 0.5 whose hub is at 0 has its springs at 0.3: two of
    10 and 30 kN/m are one with 0.4^2 of their sum; its middle at 0.25 rises by half: a quarter of its mass moves with the wheel. Two arms
    with ball joints are a double wishbone: the buggy's, told as such, moves as the buggy's."""
    across = [math.sqrt(0.5), -math.sqrt(0.5), 0, 0]
    hub = {"Mass": 10, "COM": [0, 0.8, 0], "Inertia": [1, 1, 1], "Attachment Body": "Arm"}

    def tsda(foot, body="Arm", **rest):
        return {"Mirrored": True, "Body1": "Chassis", "Body2": body, "Point1": [foot[0], foot[1], 0.4], "Point2": foot, **rest}

    def body(name, at, mass):
        return {"Name": name, "Mirrored": True, "Position": at, "Rotation": [1, 0, 0, 0], "Mass": mass, "Moments of Inertia": [0.1, 0.1, 0.1],
                "Products of Inertia": [0, 0, 0]}

    def joint(kind, first, second, at, turn=(1, 0, 0, 0)):
        return {"Type": kind, "Mirrored": True, "Body1": first, "Body2": second, "Position": at, "Rotation": list(turn)}

    at = [0.3, 0.6, 0]
    arm = {"Name": "G", "Type": "Suspension", "Template": "GenericWheeledSuspension", "Spindle": hub, "Bodies": [body("Arm", [0.25, 0.7, 0], 8)],
           "Joints": [joint("Revolute", "Chassis", "Arm", [0.5, 0.7, 0], across)],
           "TSDAs": [tsda(at, **{"Spring Coefficient": 30000, "Free Length": 0.5}), tsda(at, **{"Spring Coefficient": 10000, "Free Length": 0.5}),
                     tsda(at, **{"Damping Coefficient": 3000})]}
    base = json.loads((SOURCE / "test/bad_input/chrono/suspension_unknown.json").read_text(encoding="utf-8"))
    for axle in base["Axles"]:
        axle["Suspension Input File"] = arm
    buggy = json.loads(strip(BUGGY.read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "g.json"
        file.write_text(json.dumps(base), encoding="utf-8")
        xml, told = convert(folder, file)
        check("one spring with the rates of all 2" in told, f"two springs: {told}")
        near(number(fields(xml, "suspension")["stiffness"]), 40000 * 0.16, 1e-6, "rate of an arm's springs at the wheel")
        near(number(fields(xml, "suspension")["damping"]), 3000 * 0.16, 1e-6, "its damping at the wheel")
        near(number(fields(xml, "axle")["wheel_mass"]), 10 + 16 + 2, 1e-9, "unsprung mass with rim and tyre of 16 kg")
        # an axle on another chassis is dropped, and a vehicle that is left with one is refused
        third = {**base["Axles"][1], "Suspension Location": [-4, 0, 0], "Chassis Index": 0}
        trailer = {"Input File": "rear.json", "Connector Input File": "joint.json", "Chassis Index": -1}
        file.write_text(json.dumps({**base, "Axles": base["Axles"] + [third], "Rear Chassis": [trailer]}), encoding="utf-8")
        xml, told = convert(folder, file)
        check("dropped: axle 2 stands on a rear chassis" in told and xml.count("<axle") == 2, f"an axle on a rear chassis: {told}")
        file.write_text(json.dumps({**base, "Axles": [base["Axles"][0], third], "Rear Chassis": [trailer]}), encoding="utf-8")
        done = rut("check", file)
        check(done.returncode == 3 and "the vehicle is articulated" in done.stdout, f"an articulated vehicle: {done}")
        # the buggy's rear axle
        part = buggy["Axles"][1]["Suspension Input File"]
        points = {}
        for key, name in (("Upper Control Arm", "U"), ("Lower Control Arm", "L")):
            front, rear = (part[key][f"Location Chassis {end}"] for end in ("Front", "Back"))
            check(front[1:] == rear[1:], "the buggy's arms turn about axes along x")
            points[name] = [(a + b) / 2 for a, b in zip(front, rear)], part[key]["Location Upright"]
        forward = [math.sqrt(0.5), 0, math.sqrt(0.5), 0]
        wishbones = {**arm, "Spindle": {**part["Spindle"], "Attachment Body": "K"}, "Axle": part["Axle"],
                     "Bodies": [body("K", part["Upright"]["COM"], 5), body("L", part["Lower Control Arm"]["COM"], 3),
                                body("U", part["Upper Control Arm"]["COM"], 2)],
                     "Joints": [joint("Revolute", "Chassis", name, pivot, forward) for name, (pivot, _) in points.items()] +
                               [joint("Spherical", name, "K", ball) for name, (_, ball) in points.items()],
                     "Distance Constraints": [{"Body1": "Steering", "Body2": "K", "Point1": part["Tierod"]["Location Chassis"],
                                               "Point2": part["Tierod"]["Location Upright"]}],
                     "TSDAs": [{"Body1": "Chassis", "Body2": "L", "Point1": part[key]["Location Chassis"], "Point2": part[key]["Location Arm"],
                                **part[key]} for key in ("Spring", "Shock")]}
        rows = []
        for suspension in (part, wishbones):
            buggy["Axles"][1]["Suspension Input File"] = suspension
            file.write_text(json.dumps(buggy), encoding="utf-8")
            done = rut("suspension", file, "--json", "--points", 9)
            check(done.returncode == 0, f"wishbones by bodies and joints: {done.stderr}")
            rows.append(json.loads(done.stdout)[1]["points"] if done.returncode == 0 else [])
        for one, other in zip(*rows):
            for key in ("travel", "toe", "camber", "force"):
                near(other[key], one[key], 1e-6 * max(1, abs(one[key])), f"{key} of wishbones by bodies and joints")
        check(len(rows[1]) > 3, "no positions of the wishbones compared")


def tyres():
    """A load index of 108 is 1000 kg: pn = 9810/2 N, cz = 9810/(0.16 h), dz = 2 0.5 sqrt(cz m)."""
    tyre = {"Name": "T", "Type": "Tire", "Template": "TMeasyTire", "Vehicle Type": "Truck", "Load Index": 108,
            "Design": {"Unloaded Radius [m]": 0.5, "Width [m]": 0.3, "Rim Radius [m]": 0.25, "Mass [kg]": 40, "Inertia [kg.m2]": [3, 6, 3]},
            "Coefficient of Friction": 0.7, "Rolling Resistance Coefficient": 0.02}
    shift = {"Name": "G", "Type": "Transmission", "Template": "AutomaticTransmissionShafts", "Motorshaft Inertia": 0.4,
             "Torque Converter": {"Capacity Factor Map": [[0, 10], [0.5, 12], [1, 40]], "Torque Ratio Map": [[0, 2], [0.25, 1.6], [1, 1]]},
             "Gear Box": {"Forward Gear Ratios": [0.25, 0.5], "Reverse Gear Ratio": -0.2, "Upshift RPM": 3000, "Downshift RPM": 1500,
                          "Shift Latency": 0.8}}
    engine = {"Name": "E", "Type": "Engine", "Template": "EngineSimple", "Maximum Engine Torque": 100, "Maximum Engine Power": 30000,
              "Maximum Engine Speed": 600}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, part in (("tyre", tyre), ("gearbox", shift), ("engine", engine)):
            files.append(Path(folder) / f"{name}.json")
            files[-1].write_text(json.dumps(part), encoding="utf-8")
        xml, _ = convert(folder, BUGGY, *files)
        law = fields(xml, "tyre")
        near(number(law["nominal_load"]), 4905, 1e-9, "nominal load")
        near(number(law["stiffness"]), 9810 / (0.16 * 0.25), 1e-6, "radial stiffness")
        near(number(law["damping"]), math.sqrt(9810 / 0.04 * 40), 1e-6, "radial damping")
        near(number(law["slope_y_double"]), 6.8505 * 9810, 1e-6, "cornering stiffness at twice the load")
        near(number(law["road_friction"]), 0.7, 1e-12, "friction of the road")
        drive = fields(xml, "drive")
        check([float(x) for x in drive["gears"].split()] == [4, 2], f"gears are {drive['gears']}")
        near(number(drive["reverse"]), 5, 1e-12, "reverse gear")
        near(number(drive["final_drive"]), 4, 1e-12, "final drive")
        near(number(drive["shift_up"]), 100 * math.pi, 1e-9, "speed of shifting up")
        check([float(x) for x in drive["converter_ratio"].split()] == [0, 0.25, 0.5, 1], f"ratios are {drive['converter_ratio']}")
        check([float(x) for x in drive["converter_capacity"].split()] == [10, 11, 12, 40], f"K is {drive['converter_capacity']}")
        speed = [float(x) for x in drive["full_speed"].split()[:-1]]
        torque = [float(x) for x in drive["full_torque"].split()[:-2]]
        for w, t in list(zip(speed, torque))[:-1]:
            near(t, min(100, 30000 / max(w, 1)), 1e-6, f"torque at {w} rad/s")


def example():
    """The buggy drives, steers to the left, converts without a change, and stands in a world with another tyre."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "buggy.xml"
        done = rut("convert", BUGGY, "-o", out)
        check(done.returncode == 0 and "kept: 619 kg on 2 axles" in done.stderr, f"the buggy: {done.stderr}")
        ends = []
        for file in (BUGGY, out):
            done = rut("run", file, "--quiet", "--duration", 2 if SANITIZE else 5, "--json", "--set", "buggy/controller.throttle=0.5", "--set",
                       "buggy/controller.steering=0.2")
            ends.append(json.loads(done.stdout))
        check(ends[0]["hash"] == ends[1]["hash"], "the converted buggy drives differently")
        check(ends[0]["vehicles"][0]["yaw"] > 0.1, f"it does not steer to the left: {ends[0]['vehicles'][0]}")
        (Path(folder) / "buggy.json").write_bytes(BUGGY.read_bytes())
        world = Path(folder) / "world.xml"
        world.write_text('<world timestep="1 ms"><vehicle file="buggy.json" name="a"/><vehicle file="buggy.json" name="b" position="0 5">'
                         '<tyre type="linear"/></vehicle></world>', encoding="utf-8")
        done = rut("check", world)
        check(done.returncode == 0, f"two buggies: {done.stderr}")
        world.write_text('<world><vehicle file="buggy.json" parts="nothing.json"/></world>', encoding="utf-8")
        done = rut("check", world)
        check(done.returncode != 0 and "nothing.json" in done.stdout + done.stderr, f"a part that is not there: {done}")


example()
strut()
slides()
others()
generic()
tyres()
against_chrono()
raise SystemExit(verdict())
