#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every manoeuvre of worlds/manoeuvres runs and tells its metrics, which agree with closed forms;
the table of the double lane change is made; where there are records of Project Chrono, what has
no part in its known errors agrees with them."""
import json
import math
import subprocess
import sys

from harness import COMMAND, SANITIZE, SHARED, SOURCE, check, faults, near

WORLDS = SOURCE / "worlds" / "manoeuvres"
G = 9.81


def run(name, *options):
    """Metrics of each vehicle by its name."""
    done = subprocess.run([COMMAND, "run", str(WORLDS / f"{name}.xml"), "--json", "--quiet",
                           *options], capture_output=True, text=True, timeout=280, check=False)
    if done.returncode:
        faults.append(f"{name}: {done.stderr.strip()[-300:]}")
        return {}
    result = json.loads(done.stdout)
    check(result["end"] == "done" and result["warnings"] == [], f"{name}: {result['warnings']}")
    if SANITIZE:
        return {}
    vehicles = {v["name"]: v.get("metrics", {}) for v in result["vehicles"]}
    for vehicle, metrics in vehicles.items():
        check(len(metrics) > 10, f"{name}: {vehicle} has {len(metrics)} metrics")
    return vehicles


def circle(m):
    v, r = m["steady_speed"], m["steady_radius"]
    near(r, 30, 0.05, "radius")
    near(v, 8, 0.02, "speed")
    near(m["steady_lateral_acceleration"], v * v / r, 0.01 * v * v / r, "v^2/R")
    near(m["steady_yaw_rate"], v / r, 0.002 * v / r, "v/R")


def step(m):
    v, rate = m["steady_speed"], m["steady_yaw_rate"]
    # the acceleration across the vehicle is that across its path but for the cosine of its slip
    near(m["steady_lateral_acceleration"], v * rate, 0.01 * v * rate, "v r")
    check(0 <= m["yaw_rate_overshoot"] < 0.2, "overshoot")
    check(0.1 < m["yaw_rate_response_time"] < 0.6, "response time")


def braking(m):
    v, d = m["braking_speed"], m["stopping_distance"]
    near(m["mean_deceleration"], v * v / (2 * d), 1e-6, "v^2/2d")
    # TMeasy's sliding friction is 0.46 at the nominal load, its peak 0.9
    check(0.4 * G < m["mean_deceleration"] < 0.9 * G, "deceleration")


def slope(m):
    # lean of the ground, and that of the vehicle on its springs
    check(math.atan(0.3) < m["roll_max"] < 1.2 * math.atan(0.3), "roll")
    check(max(abs(m["path_error_max"]), abs(m["path_error_min"])) < 0.15, "path error")


def climb(m):
    # not more than the friction of the tyres' peak allows
    check(0.5 < m["grade_max"] < 0.9, "grade")


def lanes(m):
    check(0 < m["lane_clearance"] < 0.24, f"lane clearance {m['lane_clearance']:g}")
    check(m["load_transfer_ratio_max"] < 1, "load transfer")


def pull(m):
    at = [m[f"pull_at_slip_{s}"] for s in ("0.05", "0.1", "0.2")]
    check(0 < at[0] < at[1] < at[2] <= m["pull_max"], f"pull against slip: {at}")
    # c A + W tan(phi) is all that the soil holds
    check(m["pull_over_weight"] < 0.75, "pull over weight")


def tilt(m):
    # 2 h/T tan of the angle if the vehicle were rigid, h 0.735 m, T 1.819 m, 25 deg; springs lean it further
    rigid = 2 * 0.735 / 1.819 * math.tan(math.radians(25))
    check(rigid < m["load_transfer_ratio_max"] < 1.12 * rigid, f"load transfer {m['load_transfer_ratio_max']}")
    check(25 < math.degrees(m["roll_max"]) < 27, "roll on the table")


def wall(m):
    # on it with the front axle, 3.302 m before the rear one, but for what springs and tyres give
    near(m["pitch_min"], -math.asin(0.18 / 3.302), 0.015, "pitch on the wall")
    check("chassis_ground_work" not in m, "chassis on the wall")


def ridge(m):
    near(m["pitch_min"], -math.radians(10), 0.03, "pitch up")
    near(m["pitch_max"], math.radians(10), 0.03, "pitch down")
    check("chassis_ground_work" not in m, "chassis on the ridge")


def ride(m):
    check(0.5 < m["seat_absorbed_power"] < 6 and m["seat_crest_factor_z"] > 2, "ride")
    # of the sums by ISO 2631-1
    parts = [m[f"seat_weighted_{axis}"] for axis in "xyz"]
    near(m["seat_comfort"], math.hypot(*parts), 1e-9, "comfort")
    near(m["seat_health"], math.hypot(1.4 * parts[0], 1.4 * parts[1], parts[2]), 1e-9, "health")


def passes(vehicles):
    one, two, three = (vehicles[f"pass_{i}"] for i in (1, 2, 3))
    near(one["ground_before"], 0, 1e-6, "untouched ground")
    check(one["ground_after"] > 0.01, "first rut")
    gain = [m["ground_after"] - m["ground_before"] for m in (one, two, three)]
    check(one["ground_after"] < two["ground_after"] < three["ground_after"], "ruts get deeper")
    check(gain[0] > gain[1] >= gain[2] - 1e-3, f"each pass adds less: {gain}")


def figure_10():
    """The loaded HMMWV where its lateral acceleration is that of ADAMS in figure 10 of the ROAMS paper, 0.5 g: largest wheel loads
    (over the static ones) and roll rate of ADAMS, smallest loads between those of ADAMS and ROAMS, or near them."""
    m = run("double_lane_change_loaded", "--set", "vehicle[0].velocity=15.49 0", "--set", "vehicle[0]/controller.speed=15.49",
            "--set", "vehicle[0]/controller.preview_time=0.25").get("hmmwv_loaded")
    if not m:
        return
    near(m["lateral_acceleration_max"] / G, 0.5, 0.03, "figure 10: lateral acceleration")
    near(m["lateral_acceleration_min"] / G, -0.5, 0.03, "figure 10: lateral acceleration")
    for wheel, largest, smallest in (("front_left", 1.5, (0.5, 0.5)), ("front_right", 1.5, (0.5, 0.5)),
                                     ("rear_left", 1.8, (0.1, 0.3)), ("rear_right", 1.7, (0.1, 0.2))):
        near(m[f"load_{wheel}_max"], largest, 0.1 * largest, f"figure 10: largest load, {wheel}")
        check(smallest[0] - 0.05 < m[f"load_{wheel}_min"] < smallest[1] + 0.05, f"figure 10: smallest load, {wheel}")
    near(m["roll_rate_max"], math.radians(16.0), 0.15 * math.radians(16.0), "figure 10: roll rate")
    near(m["roll_rate_min"], -math.radians(17.8), 0.15 * math.radians(17.8), "figure 10: roll rate")


def table():
    done = subprocess.run([sys.executable, SOURCE / "tools/double_lane_change_table.py", "--rut",
                           COMMAND], capture_output=True, text=True, timeout=280, check=False)
    check(done.returncode == 0 and "ROAMS" in done.stdout, f"table: {done.stderr[-300:]}")


def chrono():
    """Loads at rest within 1 %, times and distance of the acceleration within 6 %."""
    record = SHARED / "data/chrono/ref_lu_noclutch_tmeasy_accel_1e-3.csv.gz"
    if not record.exists():
        print("no records of Project Chrono, not compared")
        return
    tool = SOURCE / "tools/conform_chrono.py"
    done = subprocess.run([sys.executable, tool, record, "--json", "--rut", COMMAND],
                          capture_output=True, text=True, timeout=280, check=False)
    if done.returncode not in (0, 1):
        faults.append(f"conform_chrono.py: {done.stderr[-300:]}")
        return
    for row in json.loads(done.stdout)["runs"][0]["quantities"]:
        limit = 0.01 if "rest" in row["quantity"] else 0.06
        near(row["difference"], 0, limit, row["quantity"])


def soft():
    """Speed over time and ruts on Chrono's deformable soil, within 15 %."""
    record = SHARED / "data/chrono/full_scm_rigidmesh_kphi2e6_2e-3.csv.gz"
    if not record.exists():
        print("no record of Project Chrono on soft soil, not compared")
        return
    tool = SOURCE / "tools/conform_chrono.py"
    done = subprocess.run([sys.executable, tool, record, "--json", "--rut", COMMAND],
                          capture_output=True, text=True, timeout=280, check=False)
    if done.returncode not in (0, 1):
        faults.append(f"conform_chrono.py: {done.stderr[-300:]}")
        return
    for row in json.loads(done.stdout)["runs"][0]["quantities"]:
        near(row["difference"], 0, 0.15, row["quantity"])


CASES = {"circle": circle, "step_steer": step, "braking": braking, "side_slope": slope,
         "gradeability": climb, "double_lane_change_nato": lanes, "double_lane_change_iso": lanes,
         "drawbar_pull": pull, "tilt_table": tilt, "vertical_wall": wall, "ridge": ridge, "rough_ride": ride}
# sanitizers look at how each begins; its metrics do not depend on the build
BEGINNING = ("--duration", "1") if SANITIZE else ()
for world in sorted(WORLDS.glob("*.xml")):
    found = run(world.stem, *BEGINNING)
    if world.stem in ("multi_pass", "multi_pass_sand") and found:
        passes(found)
    elif world.stem in CASES and found:
        CASES[world.stem](next(iter(found.values())))
if not SANITIZE:
    table()
    figure_10()
    chrono()
    soft()
for fault in faults:
    print(fault)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
