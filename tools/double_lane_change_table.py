#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Table of the NATO double lane change beside figure 10 of the ROAMS paper.

    tools/double_lane_change_table.py [--rut PATH] [--world FILE] [--set PATH=VALUE]... [--markdown]

The paper gives the largest and smallest wheel loads, lateral accelerations, roll angles and roll
rates of ADAMS and ROAMS, but neither speed nor friction. This finds the speeds at which the
lateral acceleration is that of ADAMS (0.5 g) and of ROAMS (0.6 g), with a preview of 0.3 s, which
is short at these speeds.
"""
import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

G = 9.81
WORLD = Path(__file__).resolve().parent.parent / "worlds/manoeuvres/double_lane_change_nato.xml"
# row, metric, unit of the metric in the table's, ADAMS and ROAMS (largest, smallest)
ROWS = (
    ("load LF", "load_front_left", 1.0, (1.5, 0.5), (1.6, 0.5)),
    ("load RF", "load_front_right", 1.0, (1.5, 0.5), (1.6, 0.5)),
    ("load LR", "load_rear_left", 1.0, (1.8, 0.3), (1.7, 0.1)),
    ("load RR", "load_rear_right", 1.0, (1.7, 0.2), (1.7, 0.1)),
    ("lateral acceleration [g]", "lateral_acceleration", G, (0.5, -0.5), (0.6, -0.6)),
    ("roll [deg]", "roll", math.radians(1.0), (4.1, -3.7), (4.8, -4.8)),
    ("roll rate [deg/s]", "roll_rate", math.radians(1.0), (16.0, -17.8), (13.2, -14.4)),
)


def run(args, speed):
    """Metrics of one run, None if it failed."""
    command = [args.rut, "run", str(args.world), "--json", "--quiet",
               "--set", f"vehicle[0].velocity={speed!r} 0", "--set", f"vehicle[0]/controller.speed={speed!r}",
               "--set", f"vehicle[0]/controller.preview_time={args.preview!r}"]
    for setting in args.set:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-400:])
    return json.loads(done.stdout)["vehicles"][0]["metrics"]


def reached(metrics):
    """Mean of both peaks of the lateral acceleration [g]."""
    return 0.5 * (metrics["lateral_acceleration_max"] - metrics["lateral_acceleration_min"]) / G


def seek(args, target):
    """Speed at which the lateral acceleration reaches `target`, by bisection, and the metrics."""
    low, high = 10.0, 20.0
    for _ in range(14):
        speed = 0.5 * (low + high)
        if reached(run(args, speed)) < target:
            low = speed
        else:
            high = speed
    return high, run(args, high)


def cell(pair):
    return f"{pair[0]:.2f} / {pair[1]:.2f}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rut", default="rut", help="the rut program")
    parser.add_argument("--world", type=Path, default=WORLD, help="whose first vehicle changes lanes")
    parser.add_argument("--preview", type=float, default=0.25, help="of the driver [s]")
    parser.add_argument("--set", action="append", default=[], help="change a field of the world")
    parser.add_argument("--markdown", action="store_true", help="print a table for the manual")
    return parser.parse_args()


def main():
    args = arguments()
    try:
        found = [seek(args, target) for target in (0.5, 0.6)]
    except (RuntimeError, OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return 2
    heads = ["response", "ADAMS", "ROAMS"] + [f"rut, {speed:.2f} m/s" for speed, _ in found]
    table = [heads]
    for name, metric, unit, adams, roams in ROWS:
        ours = [cell((m[metric + "_max"] / unit, m[metric + "_min"] / unit)) for _, m in found]
        table.append([name, cell(adams), cell(roams)] + ours)
    table.append(["roll / lateral acceleration [deg/g]", "7.8", "8.0"] + [
        f"{0.5 * math.degrees(m['roll_max'] - m['roll_min']) / reached(m):.2f}" for _, m in found])
    table.append(["least distance to a lane's edge [m]", "-", "-"] + [
        f"{m['lane_clearance']:.2f}" for _, m in found])
    if args.markdown:
        table.insert(1, ["---"] * len(heads))
        for row in table:
            print("| " + " | ".join(row) + " |")
        return 0
    widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
    for row in table:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
