#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random worlds in which a vehicle drives to a goal that it knows nothing of the way to, and what comes of it.

    tools/goal_worlds.py [--rut RUT] [--only CLASS] [--worlds N] [--first SEED] [--keep FOLDER] [-j N] [--way WAY]

Classes: forest (trunks in the plane), boulders (of all sizes, on rough ground), urban (streets between blocks, parked cars, some
streets closed) and corridors (walls with dead ends). Each world follows from its seed. One without a way for a car that is 0.3 m wider
all around, as `rut plan` finds it on the true map, is left out; `rut plan` also tells the time with full knowledge, with the same
limits of speed and turning.

Four ways of driving, of the same 4x4 at the same speed:
  drive_to_goal   knows what its lidar has seen
  bug             knows what a laser in a plane sees at present (TangentBug)
  pure_pursuit    knows the map from the beginning: `waypoints` along the path of `rut plan`
  straight        knows nothing: `waypoints` along the straight line

Printed for each: arrived without a contact within three times that time (with the 95 % interval of Wilson), contacts, the ratio of the
times of those that arrived, and the median of the least distance to obstacles.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZE = (70.0, 44.0)  # of a world [m]
START, GOAL = (6.0, 22.0), (64.0, 22.0)
CELL = 0.1
SPEED, RADIUS = 5.0, 4.6
HALF_WIDTH = 0.95
WAYS = ("drive_to_goal", "bug", "pure_pursuit", "straight")
OWN_STATE = ("drive_to_goal", "bug")  # they tell themselves when they have arrived
CLASSES = ("forest", "boulders", "urban", "corridors")

TRUCK = """
  <vehicle name="truck" position="{x} {y} m">
    <chassis mass="1600 kg" com="0 0 0.7 m" outline="-2 -0.8, 2 -0.8, 2 0.8, -2 0.8" z_min="0.4 m" z_max="1.6 m"/>
    <suspension type="slider" stiffness="60 kN/m" damping="6 kN s/m"/>
    <tyre type="linear" stiffness="300 kN/m" damping="1 kN s/m"/>
    <axle x="1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" max_steer="35 deg" brake="3 kN m"/>
    <axle x="-1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" brake="3 kN m"/>
    <drive type="direct"/>
    {control}
  </vehicle>
</world>
"""
LIDAR = """<sensor type="lidar" name="lidar" channels="20" columns="360" elevation_first="-24 deg" elevation_last="3 deg" period="0.2 s" rolling="false"
            max_range="40 m" rated_range="0 m" z="2 m"/>"""
OWN = LIDAR + """
    <controller type="drive_to_goal" name="pilot" commands="drive" period="20 ms" goals="{x} {y}" speed="{speed} m/s" front="2" rear="2"
                width="1.9" lidar_z="2 m" range="40 m" overhead="2.2"/>
    <controller type="p_gravity" name="drive" speed_gain="4 1/s" brake_force="20 kN"/>"""
BUG = """<sensor type="lidar" name="laser" channels="1" columns="720" elevation_first="0 deg" elevation_last="0 deg" period="0.1 s" rolling="false"
            max_range="40 m" rated_range="0 m" z="0.5 m"/>
    <controller type="bug" name="pilot" commands="drive" period="20 ms" goals="{x} {y}" speed="{speed} m/s" front="2" rear="2"
                width="1.9" lidar_z="0.5 m" range="20 m" overhead="2.2"/>
    <controller type="p_gravity" name="drive" speed_gain="4 1/s" brake_force="20 kN"/>"""
PURSUIT = """<controller type="waypoints" speed="{speed}" speed_gain="2" brake_force="20 kN" min_lookahead="3" max_lookahead="8"
                lookahead_time="0.8" max_lateral_acceleration="2" points="{points}"/>"""


def cylinder(x, y, radius, height):
    return {"shape": "cylinder", "x": x, "y": y, "radius": radius, "height": height}


def box(x, y, length, width, height, yaw=0.0):
    return {"shape": "box", "x": x, "y": y, "length": length, "width": width, "height": height, "yaw": yaw}


def far_from_ends(x, y, distance):
    return all(math.hypot(x - e[0], y - e[1]) > distance for e in (START, GOAL))


def forest(r):
    trunks = []
    for _ in range(4000):
        x, y, radius = r.uniform(0, SIZE[0]), r.uniform(0, SIZE[1]), r.uniform(0.15, 0.4)
        if len(trunks) < 0.015 * SIZE[0] * SIZE[1] and far_from_ends(x, y, 4) and all(math.hypot(x - t["x"], y - t["y"]) > 4 for t in trunks):
            trunks.append(cylinder(x, y, radius, 6))
    return trunks, ""


def boulders(r):
    stones = []
    for _ in range(60):
        # density of radii falls with the power of -2.5
        radius = min(0.3 * (1 - r.random()) ** (-1 / 1.5), 2.5)
        x, y = r.uniform(0, SIZE[0]), r.uniform(0, SIZE[1])
        if far_from_ends(x, y, 4 + radius):
            stones.append(cylinder(x, y, radius, max(0.6, radius)))
    return stones, f'<terrain type="iso8608" class="C" form="area" seed="{r.randrange(1000)}" x_min="-20" x_max="90" y_min="-20" y_max="64"/>'


def urban(r):
    things, x = [], 12.0
    while x < 58:
        length, street, y = r.uniform(7, 12), r.uniform(7, 10), r.uniform(-8, 0)
        while y < SIZE[1]:
            width, gap = r.uniform(7, 12), r.uniform(7, 10)
            things.append(box(x + length / 2, y + width / 2, length, width, 5))
            if r.random() < 0.1:
                things.append(box(x + length / 2, y + width + gap / 2, 0.5, gap, 2))
            elif r.random() < 0.5:
                things.append(box(x + r.uniform(2, length - 2), y + width + 1.3, 4, 1.8, 1.5))
            y += width + gap
        x += length + street
    return [t for t in things if far_from_ends(t["x"], t["y"], 5)], ""


def corridors(r):
    things, x = [], 14.0
    while x < 58:
        gap, width, y = r.uniform(8, 36), r.uniform(4.5, 8), 0.0
        for low, high in ((y, gap - width / 2), (gap + width / 2, SIZE[1])):
            if high - low > 0.5:
                things.append(box(x, (low + high) / 2, 0.5, high - low, 2))
        if r.random() < 0.3:  # a pocket in front of the wall
            at = r.uniform(8, 36)
            if abs(at - gap) > 10:
                for side in (-4, 4):
                    things.append(box(x - 4, at + side, 8, 0.5, 2))
        x += r.uniform(9, 14)
    for y in (0.0, SIZE[1]):
        things.append(box(SIZE[0] / 2, y, SIZE[0], 0.5, 2))
    return things, ""


def covers(t, x, y):
    dx, dy = x - t["x"], y - t["y"]
    if t["shape"] == "cylinder":
        return dx * dx + dy * dy <= t["radius"] ** 2
    return abs(dx) <= t["length"] / 2 and abs(dy) <= t["width"] / 2


def write_map(path, things):
    columns, rows = round(SIZE[0] / CELL), round(SIZE[1] / CELL)
    grid = [bytearray(b"\xfe" * columns) for _ in range(rows)]
    for t in things:
        reach = [t["radius"]] * 2 if t["shape"] == "cylinder" else [t["length"] / 2, t["width"] / 2]
        for j in range(max(0, int((t["y"] - reach[1]) / CELL) - 1), min(rows, int((t["y"] + reach[1]) / CELL) + 2)):
            for i in range(max(0, int((t["x"] - reach[0]) / CELL) - 1), min(columns, int((t["x"] + reach[0]) / CELL) + 2)):
                if covers(t, (i + 0.5) * CELL, (j + 0.5) * CELL):
                    grid[rows - 1 - j][i] = 0
    path.write_bytes(b"P5 %d %d 255\n" % (columns, rows) + b"".join(grid))


def element(k, t):
    size = f'radius="{t["radius"]:.3f} m"' if t["shape"] == "cylinder" else f'size="{t["length"]:.3f} {t["width"]:.3f} {t["height"]:.3f} m"'
    high = f' z_max="{t["height"]:.3f} m" z_min="-0.5 m"' if t["shape"] == "cylinder" else ""
    return f'  <block name="b{k}" fixed="true" shape="{t["shape"]}" {size}{high} position="{t["x"]:.3f} {t["y"]:.3f} m"/>\n'


def write_world(path, things, ground, control, duration):
    text = f'<world description="random" timestep="2 ms" duration="{duration:.0f} s">\n  <soil name="road" type="magic_formula" surface="dry"/>\n  {ground}\n'
    text += "".join(element(k, t) for k, t in enumerate(things))
    path.write_text(text + TRUCK.format(x=START[0], y=START[1], control=control), encoding="utf-8")


def plan(rut, image, out, larger):
    """Path of the rear axle with full knowledge, None if there is none."""
    words = ["--resolution", CELL, "--from", f"{START[0] - 1.4},{START[1]},0", "--to", f"{GOAL[0]},{GOAL[1]},0", "--width", 1.9 + 2 * larger,
             "--front", 3.4 + larger, "--rear", 0.6 + larger, "--turning-radius", RADIUS, "--speed", SPEED, "-o", out, "--json"]
    done = subprocess.run([rut, "plan", image, *map(str, words)], capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return answer if answer.get("answer") == "found" else None


def column(rows, name):
    return next(h for h in rows[0] if h.split(" [")[0].split(".")[-1] == name)


def drive(rut, world, folder, arrived):
    done = subprocess.run([rut, "run", world, "--quiet", "--json", "--csv", folder, "--csv-rate", "10"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{world}: {done.stderr}")
    with open(folder / "truck.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    last = json.loads(done.stdout)["vehicles"][0]
    t, x, y = (column(rows, n) for n in ("t", "x", "y"))
    times = [float(row[t]) for row in rows if arrived(row, rows)]
    return {"time": times[0] if times else None, "contacts": last["collisions"], "place": (float(rows[-1][x]), float(rows[-1][y])), "rows": rows}


def near_goal(row, rows):
    yaw = float(row[column(rows, "yaw")])
    x, y = float(row[column(rows, "x")]) - 1.4 * math.cos(yaw), float(row[column(rows, "y")]) - 1.4 * math.sin(yaw)
    return math.hypot(x - GOAL[0], y - GOAL[1]) < 2


def one(rut, kind, seed, folder, ways):
    r = random.Random(f"{kind} {seed}")
    things, ground = globals()[kind](r)
    folder = folder / f"{kind}{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    write_map(folder / "map.pgm", things)
    best = plan(rut, folder / "map.pgm", folder / "path.csv", 0.3)
    if best is None:
        return None
    with open(folder / "path.csv", encoding="utf-8") as file:
        path = list(csv.DictReader(file))
    oracle = best["time"]
    limit = 3 * oracle
    own = OWN.format(x=GOAL[0], y=GOAL[1], speed=SPEED)
    keys = list(path[0])
    points, kept = [], None
    for p in path:
        at = (float(p[next(k for k in keys if k.startswith("x"))]), float(p[next(k for k in keys if k.startswith("y"))]))
        if kept is None or math.hypot(at[0] - kept[0], at[1] - kept[1]) > 1.0:
            points.append(f"{at[0]:.3f} {at[1]:.3f}")
            kept = at
    straight = f"{START[0]} {START[1]}, {GOAL[0]} {GOAL[1]}"
    controls = {"drive_to_goal": own, "bug": BUG.format(x=GOAL[0], y=GOAL[1], speed=SPEED), "pure_pursuit": PURSUIT.format(speed=SPEED, points=", ".join(points)),
                "straight": PURSUIT.format(speed=SPEED, points=straight)}
    result = {"seed": seed, "oracle": oracle, "length": best["length"]}
    for way in ways:
        write_world(folder / f"{way}.xml", things, ground, controls[way], limit)
        arrived = (lambda row, rows: float(row[column(rows, "goal_state")]) == 3) if way in OWN_STATE else near_goal
        result[way] = drive(rut, folder / f"{way}.xml", folder / way, arrived)
        rows = result[way].pop("rows")
        if way in OWN_STATE:
            result[way]["state"] = float(rows[-1][column(rows, "goal_state")])
        if way == "drive_to_goal":
            result[way]["closest"] = min(float(row[column(rows, "obstacle_distance")]) for row in rows[5:])
    return result


def wilson(k, n, z=1.96):
    middle, wide = (k + z * z / 2) / (n + z * z), z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return max(0.0, middle - wide), min(1.0, middle + wide)


def report(kind, results, ways):
    for who in ways:
        good = [r for r in results if r[who]["time"] is not None and r[who]["contacts"] == 0]
        low, high = wilson(len(good), len(results))
        ratio = statistics.median(r[who]["time"] / r["oracle"] for r in good) if good else math.nan
        contacts = sum(r[who]["contacts"] > 0 for r in results)
        closest = f"{statistics.median(r[who]['closest'] for r in results):.2f}" if who == "drive_to_goal" else ""
        print(f"| {kind} | {who} | {len(good)} of {len(results)} | {100 * low:.0f} to {100 * high:.0f} % | {contacts} | {ratio:.2f} | {closest} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rut", default=str(ROOT / "build" / "release" / "rut"))
    parser.add_argument("--only", choices=CLASSES, action="append")
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    ways = args.way or WAYS
    print("| class | | arrived without contact | 95 % | with contact | time over the best | least distance [m] |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        for kind in args.only or CLASSES:
            with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
                seeds = range(args.first, args.first + args.worlds)
                results = [r for r in pool.map(lambda s, kind=kind: one(args.rut, kind, s, folder, ways), seeds) if r]
            if args.verbose:
                for r in results:
                    print(r, file=sys.stderr)
            report(kind, results, ways)


if __name__ == "__main__":
    main()
