#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares rut with trajectories recorded from MVSim.

    tools/conform_mvsim.py DIR [--json] [--rut PATH] [--case NAME]...

DIR holds manifest.json and for every case CASE.world.xml, CASE.csv.gz and optionally CASE.inputs.csv.
Each world is run by `rut run`, and each recorded row is compared with rut's row at the same time,
for every vehicle. The criterion depends on the class of the case:

  match             position within 2 mm + 0.1 % of the path, yaw within 2 mrad, wheel speeds
                    within 0.5 % of the largest recorded wheel speed, over the whole run
  contact           position within 5 cm, yaw within 0.05 rad, and the collision flag changes
                    equally often, each change within 20 ms of the recorded one; pulses and gaps
                    shorter than 20 ms do not count
  known_difference  reported only

The exit status is 0 if at least 95 % of the match cases and all contact cases pass, else 1; 2 if
the folder or the program cannot be used.
"""
import argparse
import csv
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MATCH_FRACTION = 0.95
FLAG_TIME = 0.020  # [s]
SMALLEST_WHEEL_SPEED = 0.01  # [rad/s] below it errors count as if against this


class CaseError(Exception):
    """A case that could not be run or read."""


def controllers(world):
    """Vehicle name -> (dynamics class, controller class) of a world file."""
    # the prefix of vehicle:class is no declared namespace
    text = world.read_text(encoding="utf-8").replace("vehicle:class", "vehicle_class")
    root = ElementTree.fromstring(text.replace("block:class", "block_class"))
    classes = {node.get("name"): node for node in root.iter("vehicle_class")}
    found = {}
    for node in root.iter("vehicle"):
        dynamics = node.find("dynamics")
        if dynamics is None and node.get("class") in classes:
            dynamics = classes[node.get("class")].find("dynamics")
        if dynamics is None:
            raise CaseError(f"vehicle {node.get('name')} has no <dynamics>")
        controller = dynamics.find("controller")
        found[node.get("name")] = (
            dynamics.get("class"), "raw" if controller is None else controller.get("class"))
    return found


def commands(kind, command, a, b, c):
    """rut's set points for one row of MVSim inputs. MVSim's raw torques drive forward if negative
    and its angles are in degrees."""
    dynamics, controller = kind
    angle = math.radians(c)
    if command == "twist":
        return {"speed": a, "yaw_rate": angle}
    if controller == "front_steer_pid":
        return {"speed": a, "steer": angle}
    if dynamics == "ackermann_drivetrain":
        return {"torque_left": -a, "steer": angle}  # the engine gives the sum of both torques
    return {"torque_left": -a, "torque_right": -b,
            "steer": angle if dynamics == "ackermann" else 0.0}


def convert_inputs(source, world, target):
    """Writes rut's inputs for MVSim's."""
    kinds = controllers(world)
    number = lambda text: float(text) if text and text != "-" else 0.0
    with open(source, newline="", encoding="utf-8") as file:
        rows = [(row, commands(kinds[row["vehicle"]], row["cmd"], *(number(row[k]) for k in "abc")))
                for row in csv.DictReader(file)]
    names = sorted({name for _, values in rows for name in values})
    with open(target, "w", newline="", encoding="utf-8") as file:
        file.write(",".join(["t", "vehicle"] + names) + "\n")
        for row, values in rows:
            cells = [repr(values[name]) if name in values else "" for name in names]
            file.write(",".join([row["t"], row["vehicle"]] + cells) + "\n")


def run_rut(program, folder, name, info, scratch):
    """Runs a case; returns the folder of its CSV files."""
    world = folder / f"{name}.world.xml"
    out = scratch / name
    out.mkdir()
    command = [program, "run", str(world), "--duration", repr(float(info["duration"]))]
    if (folder / f"{name}.inputs.csv").exists():
        inputs = out / "inputs.csv"
        convert_inputs(folder / f"{name}.inputs.csv", world, inputs)
        command += ["--inputs", str(inputs)]
    log = out / "log"
    log.mkdir()
    try:
        done = subprocess.run(command + ["--csv", str(log), "--csv-every", "1"],
                              capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as error:
        raise CaseError("rut took longer than 300 s") from error
    if done.returncode:
        text = done.stderr.strip() or done.stdout.strip()
        raise CaseError(f"rut ended with {done.returncode}: " + text.replace("\n", " | ")[-400:])
    return log


def plain_name(title):
    """"x [m]" -> "x"."""
    return title.split(" [")[0].strip()


def read_log(path):
    """rut's log as (time, x, y, yaw, collision, wheel speeds) rows."""
    if not path.exists():
        raise CaseError(f"rut wrote no {path.name}")
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        titles = [plain_name(title) for title in next(reader)]
        column = {title: i for i, title in enumerate(titles)}
        wheels = [i for i, title in enumerate(titles) if title.endswith(".speed")]
        rows = []
        for row in reader:
            rows.append((float(row[column["t"]]), float(row[column["x"]]), float(row[column["y"]]),
                         float(row[column["yaw"]]), float(row[column["collision"]]) != 0.0,
                         [float(row[i]) for i in wheels]))
    return rows


def read_record(path):
    """MVSim's record: vehicle -> rows as in read_log."""
    vehicles = {}
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            wheels = []
            while row.get(f"w{len(wheels)}_omega"):
                wheels.append(float(row[f"w{len(wheels)}_omega"]))
            vehicles.setdefault(row["veh"], []).append(
                (float(row["t"]), float(row["x"]), float(row["y"]), float(row["yaw"]),
                 float(row["collision"]) != 0.0, wheels))
    return vehicles


def flag_changes(rows):
    """Times at which the collision flag changes, without pulses and gaps below FLAG_TIME."""
    changes = []
    flag = False
    for row in rows:
        if row[4] == flag:
            continue
        flag = row[4]
        if changes and row[0] - changes[-1] < FLAG_TIME - 1e-9:
            changes.pop()
        else:
            changes.append(row[0])
    return changes


def same_changes(a, b):
    return len(a) == len(b) and all(abs(s - t) <= FLAG_TIME + 1e-9 for s, t in zip(a, b))


def angle_error(a, b):
    return abs(math.remainder(a - b, 2.0 * math.pi))


def worst(old, new):
    """Larger of two errors; a number that is not finite is the worst."""
    return new if not new <= old else old


def compare_vehicle(record, log, dt):
    """Largest position, yaw and wheel-speed errors, path and largest wheel speed of one vehicle."""
    at = {round(row[0] / dt): row for row in log}
    position = yaw = wheel = path = fastest = 0.0
    last = record[0]
    for row in record:
        ours = at.get(round(row[0] / dt))
        if ours is None:
            raise CaseError(f"rut's log has no row at t = {row[0]:g} s")
        if len(ours[5]) != len(row[5]):
            raise CaseError(f"{len(ours[5])} wheels instead of {len(row[5])}")
        position = worst(position, math.hypot(ours[1] - row[1], ours[2] - row[2]))
        yaw = worst(yaw, angle_error(ours[3], row[3]))
        for a, b in zip(ours[5], row[5]):
            wheel = worst(wheel, abs(a - b))
            fastest = max(fastest, abs(b))
        path += math.hypot(row[1] - last[1], row[2] - last[2])
        last = row
    return position, yaw, wheel, path, fastest


def compare_case(record, logs, info):
    """Result of one case: the vehicle that fails, or else the worst errors over its vehicles."""
    kind = info["class"]
    result = {"pos_err_m": 0.0, "yaw_err_rad": 0.0, "wheel_err_rel": 0.0, "path_m": 0.0,
              "pass": True}
    for vehicle, rows in record.items():
        position, yaw, wheel, path, fastest = compare_vehicle(rows, logs[vehicle], info["dt"])
        wheel /= max(fastest, SMALLEST_WHEEL_SPEED)
        if kind == "match":
            fine = position <= 0.002 + 0.001 * path and yaw <= 0.002 and wheel <= 0.005
        elif kind == "contact":
            fine = position <= 0.05 and yaw <= 0.05 and same_changes(
                flag_changes(rows), flag_changes(logs[vehicle]))
        else:
            fine = True
        result["pos_err_m"] = worst(result["pos_err_m"], position)
        result["yaw_err_rad"] = worst(result["yaw_err_rad"], yaw)
        result["wheel_err_rel"] = worst(result["wheel_err_rel"], wheel)
        result["path_m"] = max(result["path_m"], path)
        result["pass"] = result["pass"] and fine
    return result


def run_case(program, folder, name, info, scratch):
    """Result of a case, with "error" if it could not be compared."""
    head = {"case": name, "class": info["class"]}
    try:
        record = read_record(folder / f"{name}.csv.gz")
        log = run_rut(program, folder, name, info, scratch)
        logs = {vehicle: read_log(log / f"{vehicle}.csv") for vehicle in record}
        return {**head, **compare_case(record, logs, info)}
    except (CaseError, OSError, KeyError, ValueError, ElementTree.ParseError) as error:
        failed = {"pos_err_m": None, "yaw_err_rad": None, "wheel_err_rel": None, "path_m": None}
        return {**head, **failed, "pass": info["class"] == "known_difference",
                "error": f"{type(error).__name__}: {error}"}


def shown(value):
    return f"{value:9.2e}" if isinstance(value, float) else "        -"


def report(results, fraction):
    """Prints the table."""
    print(f"{'case':34} {'class':16} {'pos [m]':>9} {'yaw [rad]':>9} {'wheel':>9} {'path [m]':>9}")
    for r in results:
        verdict = "ok" if r["pass"] else "FAIL"
        if r["class"] == "known_difference":
            verdict = "known"
        numbers = " ".join(shown(r[k]) for k in ("pos_err_m", "yaw_err_rad", "wheel_err_rel"))
        path = f"{r['path_m']:9.2f}" if r["path_m"] is not None else "        -"
        print(f"{r['case']:34} {r['class']:16} {numbers} {path} {verdict}")
        if "error" in r:
            print(f"    {r['error']}")
    print(f"match cases that pass: {fraction:.4f} (at least {MATCH_FRACTION})")


def clean(value):
    """JSON has no infinity and no NaN."""
    return value if not isinstance(value, float) or math.isfinite(value) else None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("dir", type=Path, help="folder with manifest.json and the cases")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rut", default="rut", help="the rut program")
    parser.add_argument("--case", action="append", help="run only this case (repeatable)")
    return parser.parse_args()


def main():
    args = arguments()
    try:
        manifest = json.loads((args.dir / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"{args.dir}/manifest.json: {error}", file=sys.stderr)
        return 2
    names = args.case or list(manifest)
    unknown = [name for name in names if name not in manifest]
    if unknown:
        print(f"no such case: {', '.join(unknown)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="conform_") as scratch, \
            ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        run = lambda name: run_case(args.rut, args.dir, name, manifest[name], Path(scratch))
        results = list(pool.map(run, names))

    match = [r for r in results if r["class"] == "match"]
    fraction = sum(r["pass"] for r in match) / len(match) if match else 1.0
    if args.json:
        keys = ("case", "class", "pos_err_m", "yaw_err_rad", "wheel_err_rel", "path_m", "pass")
        cases = [{key: clean(r[key]) for key in keys} for r in results]
        print(json.dumps({"cases": cases, "match_pass_fraction": fraction}, indent=1))
        for r in results:
            if "error" in r:
                print(f"{r['case']}: {r['error']}", file=sys.stderr)
    else:
        report(results, fraction)
    contact = all(r["pass"] for r in results if r["class"] == "contact")
    return 0 if fraction >= MATCH_FRACTION and contact else 1


if __name__ == "__main__":
    sys.exit(main())
