#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares rut's HMMWV with runs recorded from Project Chrono.

    tools/conform_chrono.py FILE.csv.gz... [--json] [--rut PATH] [--timestep H] [--tyre T]
                            [--set FIELD=VALUE]... [--hold-speed] [--vehicle FILE.json]

Each file holds one run of Chrono's HMMWV_Full on level ground: commands and results. The commands
are replayed open loop through `rut run --inputs`, and the usual quantities of the manoeuvre are
compared. The file name has the manoeuvre (step, accel, dlc) and the tyre (fiala, tmeasy, pac2002). Like Chrono's, the vehicle is dropped from z = 0.7 m at t = 0.

Limits: 2 % for the step steer, 3 % for the acceleration, 1 % for the loads at rest, 5 % for the
double lane change. Chrono has an error of first order in its step even in steady cornering: the
column `converged` has its values extrapolated to a step of 0, where they are known; the limits
apply to these.

A file whose name has scm was recorded with rigid wheels on Chrono's deformable soil (SCM), full_scm_*:
its speed over time and the depth of its ruts are compared with a limit of 15 %, on rut's soil scm_default
and in the gear of the record. SCM has no law of slip sinkage, so that it cannot judge one.

With --hold-speed the recorded speed is the command instead of the recorded throttle, which excludes
differences of the powertrains from the comparison of handling.

With --vehicle the vehicle is that of a JSON file of Chrono, with the powertrain of the files beside it
and the tyre that has made the record.

The exit status is 0 if all differences are within the limits, 1 if not, 2 if a run failed.
"""
import argparse
import csv
import gzip
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

G = 9.81
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
CHRONO_WHEELS = ("FL", "FR", "RL", "RR")
CHASSIS_COM = (0.056, 0.0, 0.213)  # of Chrono's chassis from the reference point [m]
STEERING_RANGE = 0.02  # part of full lock below which a step has not begun
VEHICLES = Path(__file__).resolve().parent.parent / "worlds" / "vehicles"
# Chrono's values at 1, 0.5 and 0.125 ms (lateral acceleration), or 1 and 0.5 ms, extrapolated to 0
CONVERGED = {("tmeasy", "step"): {"lateral acceleration [g]": 0.556, "yaw rate [rad/s]": 0.3729,
                                  "roll [deg]": 1.4017, "speed [m/s]": 14.6649},
             ("fiala", "step"): {"lateral acceleration [g]": 0.53}}
LIMIT = {"step": 0.02, "accel": 0.03, "rest": 0.01, "dlc": 0.05, "scm": 0.15}
# depth of Chrono's ruts behind the front and the rear wheels, of the record's description [m]
SCM_RUTS = (0.064, 0.091)
SOFT_WORLD = """<world timestep="{step!r}" duration="{duration!r}">
  <soil type="bekker" preset="scm_default" rolling_resistance="0"/>
  <deformable cell="2.5 cm"/>
  <include file="{vehicle}"/>
</world>
"""
# of the vehicle's file: elements that the recorded one has otherwise
SOFT_PARTS = (('<tyre type="${tyre|tmeasy}" pressure="${pressure|0} Pa"/>', '<tyre type="linear" stiffness="1e10 N/m" damping="0"/>'),
              ('<drive type="${drive|powertrain}"/>',
               '<drive type="powertrain" shift_up="1000 1000"/>'))
WORLD = """<world timestep="{step!r}" duration="{duration!r}">
  <soil type="magic_formula" surface="user" d="{friction!r}"/>
  <include file="{vehicle}" tyre="{tyre}"{controller}/>
</world>
"""

# with the tyre of Chrono's C++ model, which has made the records: its JSON files have softer ones
JSON_WORLD = """<world timestep="{step!r}" duration="{duration!r}">
  <soil type="magic_formula" surface="user" d="{friction!r}"/>
  <vehicle file="{vehicle}" name="hmmwv" parts="hmmwv/tire/HMMWV_FialaTire.json, hmmwv/powertrain/HMMWV_EngineShafts.json,
           hmmwv/powertrain/HMMWV_AutomaticTransmissionShafts.json"> <tyre type="{tyre}"/> </vehicle>
</world>
"""


class RunError(Exception):
    """A run that could not be made or read."""


# ---- records ----

def read_chrono(path):
    """Columns of a recorded run as lists of numbers."""
    with gzip.open(path, "rt", newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = [list(map(float, column)) for column in zip(*rows)]
    run = dict(zip(names, columns))
    return {
        "t": run["t"], "x": run["x"], "y": run["y"], "z": run["z"], "speed": run["speed"],
        "ay": run["ay_g"], "ay_filtered": run["ay_g_f10"], "yaw_rate": run["wz"],
        "roll": run["roll_deg"], "throttle": run["throttle"], "brake": run["braking"],
        "steering": run["steering"], "rpm": run["engine_rpm"], "gear": run["gear"],
        "load": [run["Fz" + wheel] for wheel in CHRONO_WHEELS],
        # Chrono's wheels turn backwards when they drive forward
        "spin": [[-w for w in run["om" + wheel]] for wheel in CHRONO_WHEELS],
        "angle": [run["deltaFL_deg"], run["deltaFR_deg"]],
    }


def write_inputs(run, path, hold_speed):
    with open(path, "w", encoding="utf-8") as file:
        names = "speed,steering,brake" if hold_speed else "throttle,brake,steering"
        file.write(f"t,vehicle,{names}\n")
        for i, t in enumerate(run["t"]):
            if hold_speed:
                values = (run["speed"][i], run["steering"][i], 0.0)
            else:
                values = (run["throttle"][i], run["brake"][i], run["steering"][i])
            file.write(f"{t!r},hmmwv," + ",".join(map(repr, values)) + "\n")


def read_columns(path):
    """rut's log: title without unit -> list of numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        titles = [title.split(" [")[0] for title in next(rows)]
        wanted = [i for i, title in enumerate(titles)
                  if "." not in title or title.rsplit(".", 1)[1] in ("load", "speed", "steer",
                                                                                 "sinkage")]
        columns = [[] for _ in wanted]
        for row in rows:
            for column, i in zip(columns, wanted):
                column.append(float(row[i]))
    return {titles[i]: column for i, column in zip(wanted, columns)}


def lateral_acceleration(log, step):
    """Of the chassis's centre of mass along its y axis [g], central differences."""
    cx, cy, cz = CHASSIS_COM
    wx, wy, wz = log["roll_rate"], log["pitch_rate"], log["yaw_rate"]
    u = [v + q * cz - r * cy for v, q, r in zip(log["velocity_x"], wy, wz)]
    v = [v + r * cx - p * cz for v, p, r in zip(log["velocity_y"], wx, wz)]
    w = [v + p * cy - q * cx for v, p, q in zip(log["velocity_z"], wx, wy)]
    last = len(v) - 1
    result = []
    for i in range(len(v)):
        before, after = max(i - 1, 0), min(i + 1, last)
        rate = (v[after] - v[before]) / (step * max(after - before, 1))
        result.append((rate + wz[i] * u[i] - wx[i] * w[i]) / G)
    return result


def low_pass(signal, step, frequency):
    """Butterworth filter of order 4, as Chrono's acceleration filter."""
    k = math.tan(math.pi * frequency * step)
    for angle in (math.pi / 8, 3 * math.pi / 8):
        damping = 2.0 * math.cos(angle)
        norm = 1.0 / (1.0 + k * damping + k * k)
        b, a1, a2 = k * k * norm, 2.0 * (k * k - 1.0) * norm, (1.0 - k * damping + k * k) * norm
        x1 = x2 = y1 = y2 = 0.0
        out = []
        for x in signal:
            y = b * (x + 2.0 * x1 + x2) - a1 * y1 - a2 * y2
            x2, x1, y2, y1 = x1, x, y1, y
            out.append(y)
        signal = out
    return signal


def write_world(args, chrono, tyre, scratch):
    """World that the record is replayed in."""
    if args.vehicle:
        return JSON_WORLD.format(step=args.timestep, duration=chrono["t"][-1], friction=args.friction,
                                 vehicle=Path(args.vehicle).resolve(), tyre=tyre)
    if tyre != "rigid":
        controller = ' driver="1"' if args.hold_speed else ""
        text = WORLD.format(step=args.timestep, duration=chrono["t"][-1], friction=args.friction,
                            vehicle=VEHICLES / "hmmwv.xml", tyre=tyre, controller=controller)
        return text
    vehicle = (VEHICLES / "hmmwv.xml").read_text(encoding="utf-8")
    for old, new in SOFT_PARTS:
        if old not in vehicle:
            raise RunError(f"the file of the HMMWV has no {old}")
        vehicle = vehicle.replace(old, new)
    copy = scratch / "hmmwv.xml"
    copy.write_text(vehicle, encoding="utf-8")
    return SOFT_WORLD.format(step=args.timestep, duration=chrono["t"][-1], vehicle=copy)


def rut_depths(log):
    """Mean depth of the ruts behind the front and the rear wheels in the last two seconds, in which
    the soil springs back by less than a millimetre of the wheels' sinkage."""
    rows = [i for i, t in enumerate(log["t"]) if t >= log["t"][-1] - 2.0]
    depths = [sum(log[wheel + ".sinkage"][i] for i in rows) / len(rows) for wheel in WHEELS]
    return 0.5 * (depths[0] + depths[1]), 0.5 * (depths[2] + depths[3])


def run_rut(args, chrono, tyre, scratch):
    """Replays the commands; rows of rut's log at the times of the record."""
    step = args.timestep
    every = round((chrono["t"][1] - chrono["t"][0]) / step)
    world, inputs, log = scratch / "world.xml", scratch / "inputs.csv", scratch / "log"
    world.write_text(write_world(args, chrono, tyre, scratch), encoding="utf-8")
    write_inputs(chrono, inputs, args.hold_speed)
    command = [args.rut, "run", str(world), "--inputs", str(inputs), "--interpolate", "--quiet",
               "--csv", str(log), "--csv-every", "1",
               "--set", f"hmmwv.position={chrono['x'][0]!r} {chrono['y'][0]!r} {chrono['z'][0]!r}",
               "--set", "hmmwv.steer_rate=5",  # Chrono's has no limit
               "--set", "hmmwv.on_ground=false", "--allow-dir", str(VEHICLES)]
    if args.vehicle:
        # what is not in Chrono's files: its data root, and the drag that the record was made with
        command += ["--allow-dir", str(Path(args.vehicle).resolve().parents[2]), "--set", "hmmwv/chassis.drag_area=2.45"]
    for change in args.set:
        command += ["--set", change]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RunError(f"rut ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    full = read_columns(log / "hmmwv.csv")
    full["ay"] = lateral_acceleration(full, step)
    full["ay_filtered"] = low_pass(full["ay"], step, 10.0)
    thin = {name: column[::every] for name, column in full.items()}
    speed = [math.hypot(a, b) for a, b in zip(thin["velocity_x"], thin["velocity_y"])]
    return {
        "t": thin["t"], "x": thin["x"], "y": thin["y"], "z": thin["z"], "speed": speed,
        "ay": thin["ay"], "ay_filtered": thin["ay_filtered"], "yaw_rate": thin["yaw_rate"],
        "roll": [math.degrees(v) for v in thin["roll"]],
        "load": [thin[wheel + ".load"] for wheel in WHEELS],
        "spin": [thin[wheel + ".speed"] for wheel in WHEELS],
        "angle": [[math.degrees(v) for v in thin[w + ".steer"]] for w in WHEELS[:2]],
        "ruts": rut_depths(thin) if tyre == "rigid" else None,
    }


# ---- what is compared ----

def mean(values, run, begin, end):
    chosen = [v for v, t in zip(values, run["t"]) if begin - 1e-9 <= t <= end + 1e-9]
    return sum(chosen) / len(chosen)


def steady(run):
    """Last two seconds of a step steer."""
    begin, end = run["t"][-1] - 2.0, run["t"][-1]
    result = {
        "lateral acceleration [g]": mean(run["ay"], run, begin, end),
        "yaw rate [rad/s]": mean(run["yaw_rate"], run, begin, end),
        "roll [deg]": mean(run["roll"], run, begin, end),
        "speed [m/s]": mean(run["speed"], run, begin, end),
        "front left angle [deg]": mean(run["angle"][0], run, begin, end),
        "front right angle [deg]": mean(run["angle"][1], run, begin, end),
    }
    for name, load in zip(CHRONO_WHEELS, run["load"]):
        result[f"load {name} [N]"] = mean(load, run, begin, end)
    return result


def crossing(run, speed, begin):
    """Time from `begin` to a speed, linear between rows; None if it is never reached."""
    rows = zip(run["t"], run["speed"], run["t"][1:], run["speed"][1:])
    for t, v, next_t, next_v in rows:
        if t >= begin - 1e-9 and v < speed <= next_v:
            return t + (speed - v) / (next_v - v) * (next_t - t) - begin
    return None


def accelerated(run, begin):
    result = {f"time to {v} m/s [s]": crossing(run, float(v), begin) for v in (5, 10, 15)}
    at = min(range(len(run["t"])), key=lambda i: abs(run["t"][i] - begin))
    last = min(len(run["t"]) - 1, at + round(10.0 / (run["t"][1] - run["t"][0])))
    result["speed after 10 s [m/s]"] = run["speed"][last]
    result["distance in 10 s [m]"] = math.hypot(run["x"][last] - run["x"][at],
                                                run["y"][last] - run["y"][at])
    return result


def at_rest(run, begin):
    """Last half second before the start, brakes on."""
    return {f"load at rest {name} [N]": mean(load, run, begin - 0.5, begin)
            for name, load in zip(CHRONO_WHEELS, run["load"])}


def changes(run, begin):
    """Peaks of the double lane change."""
    rows = [i for i, t in enumerate(run["t"]) if t >= begin]
    result = {}
    peak = [run["ay_filtered"][i] for i in rows]
    result["lateral acceleration, largest [g]"] = max(peak)
    result["lateral acceleration, smallest [g]"] = min(peak)
    result["yaw rate, largest [rad/s]"] = max(run["yaw_rate"][i] for i in rows)
    result["yaw rate, smallest [rad/s]"] = min(run["yaw_rate"][i] for i in rows)
    result["roll, largest [deg]"] = max(run["roll"][i] for i in rows)
    result["roll, smallest [deg]"] = min(run["roll"][i] for i in rows)
    for name, load in zip(CHRONO_WHEELS, run["load"]):
        smooth = low_pass(load, run["t"][1] - run["t"][0], 10.0)
        result[f"load {name}, largest [N]"] = max(smooth[i] for i in rows)
        result[f"load {name}, smallest [N]"] = min(smooth[i] for i in rows)
    result["speed at the start [m/s]"] = run["speed"][rows[0]]
    return result


def on_soil(run, _):
    """Speed over time on soft soil, and the ruts; the first seconds differ by when wheels catch."""
    step = run["t"][1] - run["t"][0]
    result = {f"speed after {t} s [m/s]": run["speed"][round(t / step)] for t in (2, 3, 4, 5)}
    result["speed at the end [m/s]"] = run["speed"][-1]
    result["distance [m]"] = run["x"][-1] - run["x"][0]
    depths = run.get("ruts") or SCM_RUTS
    for name, depth in zip(("front", "rear"), depths):
        result[f"rut behind {name} wheels [m]"] = depth
    return result


def first_time(run, condition):
    return next(t for i, t in enumerate(run["t"]) if condition(i))


def compare(kind, tyre, chrono, ours):
    """Rows: quantity, Chrono's, converged, ours, limit or None."""
    if kind == "scm":
        begin = 0.0
        parts = [(on_soil, LIMIT["scm"])]
    elif kind == "accel":
        begin = first_time(chrono, lambda i: chrono["throttle"][i] > 0)
        parts = [(accelerated, LIMIT["accel"]), (at_rest, LIMIT["rest"])]
    elif kind == "dlc":
        # the first row in which the steering leaves the straight for good
        begin = first_time(chrono, lambda i: chrono["x"][i] >= 10.0)
        parts = [(changes, LIMIT["dlc"])]
    else:
        begin = first_time(chrono, lambda i: chrono["steering"][i] > STEERING_RANGE)
        parts = [(lambda run, _: steady(run), LIMIT["step"])]
    converged = CONVERGED.get((tyre, kind), {})
    rows = []
    for measure, limit in parts:
        theirs, mine = measure(chrono, begin), measure(ours, begin)
        for name in theirs:
            # angles and loads of a step steer are there to explain the rest
            judged = not (kind == "step" and (name.startswith("load") or "angle" in name))
            rows.append((name, theirs[name], converged.get(name), mine[name],
                         limit if judged else None))
    if kind == "step":
        rows.append(gain("yaw rate / speed [rad/m]", steady(chrono), steady(ours)))
    return rows


def gain(name, theirs, mine):
    """Curvature of the path: what is left of the handling when the speeds differ."""
    ratio = lambda run: run["yaw rate [rad/s]"] / run["speed [m/s]"]
    return (name, ratio(theirs), None, ratio(mine), None)


def difference(row):
    _, theirs, converged, mine, _ = row
    base = theirs if converged is None else converged
    if mine is None or not base:
        return None
    return mine / base - 1.0


def passes(row):
    if row[4] is None:
        return True
    value = difference(row)
    return value is not None and abs(value) <= row[4]


def number(value):
    return f"{value:12.5g}" if value is not None else f"{'-':>12}"


def report(name, rows):
    print(f"{name}\n{'':2}{'quantity':36}{'Chrono':>12}{'converged':>12}{'rut':>12}"
          f"{'diff':>9}{'limit':>8}")
    for row in rows:
        value = difference(row)
        shown = f"{100.0 * value:+8.2f}%" if value is not None else f"{'-':>9}"
        limit = f"{100.0 * row[4]:7.0f}%" if row[4] is not None else f"{'':8}"
        print(f"  {row[0]:36}{number(row[1])}{number(row[2])}{number(row[3])}{shown}{limit}"
              f"{'' if passes(row) else '  over'}")


def as_json(name, rows):
    keys = ("quantity", "chrono", "converged", "rut", "limit")
    entries = [{**dict(zip(keys, row)), "difference": difference(row), "pass": passes(row)}
               for row in rows]
    return {"file": name, "quantities": entries}


def parts_of_name(path):
    words = path.name.split(".")[0].split("_")
    if "scm" in words:
        return "rigid", "scm"
    tyre = next((w for w in words if w in ("fiala", "tmeasy", "pac2002")), None)
    kind = next((w for w in words if w in ("step", "accel", "dlc")), None)
    if tyre is None or kind is None:
        raise RunError("the name tells no tyre (fiala, tmeasy, pac2002) or no run (step, accel, "
                       "dlc, scm)")
    return tyre, kind


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", type=Path, nargs="+", help="recorded run")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--rut", default="rut", help="the rut program")
    parser.add_argument("--timestep", type=float, default=1e-3, help="of rut [s] (default 1e-3)")
    parser.add_argument("--friction", type=float, default=0.9, help="of the road (default 0.9)")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE",
                        help="change the world, as rut run does; may be repeated")
    parser.add_argument("--tyre", help="in place of the one that the file's name tells")
    parser.add_argument("--vehicle", help="a vehicle's JSON file in place of rut's own")
    parser.add_argument("--hold-speed", action="store_true",
                        help="follow the recorded speed instead of replaying the throttle")
    return parser.parse_args()


def main():
    args = arguments()
    results, fine = [], True
    for path in args.file:
        try:
            tyre, kind = parts_of_name(path)
            chrono = read_chrono(path)
            with tempfile.TemporaryDirectory(prefix="conform_") as scratch:
                ours = run_rut(args, chrono, args.tyre or tyre, Path(scratch))
            rows = compare(kind, tyre, chrono, ours)
        except (RunError, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
        fine = fine and all(map(passes, rows))
        if args.json:
            results.append(as_json(path.name, rows))
        else:
            report(path.name, rows)
    if args.json:
        print(json.dumps({"runs": results, "pass": fine}, indent=1))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
