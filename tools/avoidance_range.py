#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The least range of sight at which the loaded HMMWV passes an obstacle by <controller type="obstacle_mpc">, over speed and delay, beside the
analytic bound: the table of docs/manual/obstacle_avoidance.md.

    python3 tools/avoidance_range.py build/release/rut
    python3 tools/avoidance_range.py build/release/rut delays     # worlds/autonomy/obstacle_mpc.xml over speed and delay

The obstacle is a wall of 5 m across the way, which reaches 2.2 m to the left and 2.8 m to the right. To pass it with the clearance c takes a lateral
way w = 2.2 m + c of the front axle. It hardly brakes, and its plans need not end with a stop in sight. The bound is that of a point mass whose lateral acceleration grows at the
rate at which steering at 10 deg/s lets it grow, up to lift-off, plus the delay: no vehicle with these limits can do with less.
"""
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORLD = """<world timestep="2 ms" duration="{duration}">
  <soil type="magic_formula" name="road" surface="user" b="10" c="1" d="0.8" e="0"/>
  <include file="{vehicle}" name="hmmwv" avoid="1" speed="{speed}" goal_x="{goal}" goal_y="0" sight="{sight}" delay="{delay}"/>
  <block shape="box" size="1 5 2 m" position="{start} -0.3 m" fixed="true"/>
</world>"""
HOLD = 0.5  # it hardly brakes [m/s2]
LIFT, CLEARANCE, WIDE = (6300 - 1000) / 1076, 1.9, 2.2


def bound(speed, delay):
    """Range [m] from the scanner, 2.3 m ahead of the centre of mass, 0.7 m ahead of the front axle."""
    rate = math.radians(10) * speed**2 / (3.302 + 0.0035 * speed**2)  # of lateral acceleration, steady gain [m/s3]
    way, ramp = WIDE + CLEARANCE, LIFT / rate
    in_ramp = rate * ramp**3 / 6
    if way <= in_ramp:
        time = (6 * way / rate)**(1 / 3)
    else:
        # after the ramp: position and speed it leaves, then constant acceleration
        v, rest = rate * ramp**2 / 2, way - in_ramp
        time = ramp + (-v + math.sqrt(v * v + 2 * LIFT * rest)) / LIFT
    return speed * (time + delay) - 0.72


def least_load(folder):
    with open(folder / "hmmwv.csv", encoding="utf-8") as file:
        rows = [{k.split(" [")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    return rows, min(row[f"{w}.load"] for row in rows for w in ("front_left", "front_right", "rear_left", "rear_right"))


def passes(command, folder, speed, delay, sight):
    start = 110
    world = folder / "world.xml"
    # it may not see the obstacle before: it is beyond the sight
    world.write_text(WORLD.format(vehicle=ROOT / "worlds/vehicles/hmmwv_loaded.xml", speed=speed, goal=start + 100, sight=sight,
                                  delay=delay, start=start, duration=f"{(start + 15) / speed:.2f}"), encoding="utf-8")
    done = subprocess.run([command, "run", world, "--json", "--quiet", "--csv", folder / "out", "--csv-rate", "50",
                           "--set", "hmmwv/avoid.stop_in_sight=false", "--set", f"hmmwv/avoid.max_acceleration={HOLD}",
                           "--set", f"hmmwv/avoid.max_deceleration={HOLD}", "--allow-dir",
                           ROOT / "worlds"], capture_output=True, text=True, check=True)
    rows, load = least_load(folder / "out")
    hit = json.loads(done.stdout)["vehicles"][0]["collisions"] > 0
    return not hit and rows[-1]["x"] > start + 3 and load > 0, load


def delays(command):
    """The course of obstacles at 20 to 60 mph and delays of 0 to 0.5 s: collisions, least load."""
    print("speed [m/s]  delay [s]  collisions  least load [N]  x [m]")
    with tempfile.TemporaryDirectory() as name:
        for speed in (9, 13.4, 17.9, 22.4, 26.8):
            for delay in (0, 0.1, 0.25, 0.5):
                done = subprocess.run([command, "run", ROOT / "worlds/autonomy/obstacle_mpc.xml", "--json", "--quiet", "--csv", name,
                                       "--csv-rate", "50", "--duration", f"{215 / speed:.1f}", "--set", f"hmmwv/avoid.speed={speed}",
                                       "--set", f"hmmwv.velocity={speed} 0", "--set", f"hmmwv/avoid.output_delay={delay}"],
                                      capture_output=True, text=True, check=True)
                rows, load = least_load(Path(name))
                hits = json.loads(done.stdout)["vehicles"][0]["collisions"]
                print(f"{speed:10}  {delay:9}  {hits:10}  {load:14.0f}  {rows[-1]['x']:5.0f}", flush=True)


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/rut")
    if sys.argv[2:] == ["delays"]:
        delays(command)
        return
    print("speed [m/s]  delay [s]  bound [m]  found [m]  least load [N]")
    with tempfile.TemporaryDirectory() as name:
        for speed in (10, 15, 20, 25):
            for delay in (0, 0.1):
                low, high, load = 5.0, 100.0, 0.0
                while high - low > 1.5:
                    middle = (low + high) / 2
                    fine, least = passes(command, Path(name), speed, delay, middle)
                    if fine:
                        high, load = middle, least
                    else:
                        low = middle
                print(f"{speed:10}  {delay:9}  {bound(speed, delay):9.1f}  {high:9.1f}  {load:8.0f}", flush=True)


if __name__ == "__main__":
    main()
