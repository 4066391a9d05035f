#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The estimator of a world: where a vehicle believes to be against where it is, over many seeds of the noise: errors of position and
heading as large as it says, also while no satellite is seen; the same bits for any number of workers; and what is refused.

A mean of n squared normalised errors, each of k numbers, of a consistent filter lies within k +- 3 sqrt(2 k/n) (chi-square)."""
import csv
import math
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, SOURCE, check, rut, verdict

WORLD = SOURCE / "worlds" / "autonomy" / "localisation.xml"
SEEDS = 2 if SANITIZE else 24
TUNNEL = (60.0, 140.0)
QUIET = ("--set", "hmmwv/sensor[0].noise=none", "--set", "hmmwv/sensor[1].noise=none")


def drive(folder, seed, *words, world=WORLD):
    done = rut("run", world, "--quiet", "--seed", seed, "--csv", folder, "--csv-rate", 10, *words)
    check(done.returncode == 0, f"seed {seed}: {done.stderr}")
    with open(Path(folder) / "hmmwv.csv", encoding="utf-8") as file:
        return [{k.split(" [")[0].split(".")[-1] if "estimated" in k or "deviation" in k or "fixes" in k or ".lost" in k else k.split(" [")[0]: float(v)
                 for k, v in row.items()} for row in csv.DictReader(file)]


def error(row):
    return math.hypot(row["estimated_x"] - row["x"], row["estimated_y"] - row["y"])


def turned(row):
    d = row["estimated_yaw"] - row["yaw"]
    return math.atan2(math.sin(d), math.cos(d))


def consistency(folder):
    places = {"open": [], "tunnel": []}
    headings, worst = [], 0.0
    for seed in range(1, SEEDS + 1):
        rows = drive(folder / str(seed), seed)
        first = next(i for i, row in enumerate(rows) if row["x"] > TUNNEL[0] + 10)
        last = next(i for i, row in enumerate(rows) if row["x"] > TUNNEL[1])
        check(rows[last]["fixes_used"] == rows[first]["fixes_used"] > 10, f"seed {seed}: fixes in the tunnel")
        check(rows[last]["position_deviation"] > rows[first]["position_deviation"], f"seed {seed}: no more doubt after the tunnel")
        places["open"].append((error(rows[-1]) / rows[-1]["position_deviation"]) ** 2)
        places["tunnel"].append((error(rows[last]) / rows[last]["position_deviation"]) ** 2)
        headings.append((turned(rows[-1]) / rows[-1]["yaw_deviation"]) ** 2)
        worst = max(worst, max(error(row) for row in rows[10:]))
        check(abs(rows[-1]["estimated_speed"] - rows[-1]["velocity_x"]) < 0.15, f"seed {seed}: speed")
        check(rows[-1]["fixes_used"] > 5 * rows[-1]["fixes_refused"], f"seed {seed}: {rows[-1]['fixes_refused']} fixes refused")
    if SANITIZE:
        return
    # the deviation is of both coordinates together: the mean of its square is 1
    for name, values in places.items():
        mean = sum(values) / len(values)
        check(0.4 < mean < 1 + 3 * math.sqrt(1 / len(values)), f"{name}: mean squared normalised error {mean:.2f}")
    mean = sum(headings) / len(headings)
    check(0.1 < mean < 1 + 3 * math.sqrt(2 / len(headings)), f"heading: mean squared normalised error {mean:.2f}")
    check(worst < 4, f"worst error {worst:.2f} m")


def changed_world(folder, name, *changes):
    """The example with pieces of its text in the place of others."""
    text = WORLD.read_text(encoding="utf-8")
    for old, new in changes:
        check(old in text, f"the world has no {old}")
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def mean_square(errors, deviations):
    return sum((e / d) ** 2 for e, d in zip(errors, deviations)) / len(errors)


def long_tunnel(folder):
    """340 m and 43 s straight on without satellites: wheels whose errors last, taken for white noise, made position and heading seem far better
    known than they were, 20 times the squared errors."""
    points = WORLD.read_text(encoding="utf-8").split('points="')[1].split('"')[0]
    world = changed_world(folder, "long.xml", (points, "0 0, 2000 0"), ('x_max="140"', 'x_max="2000"'), ('timestep="2 ms"', 'timestep="5 ms"'))
    last = [drive(folder / f"l{seed}", seed, "--duration", 10 if SANITIZE else 50, world=world)[-1] for seed in range(1, 1 + (2 if SANITIZE else 8))]
    if SANITIZE:
        return
    check(min(row["x"] for row in last) > 390, "the tunnel is not long")
    # bounds of chi-square: 3 sqrt(2 k/n), of a mean over both coordinates and of the heading
    position = mean_square([error(row) for row in last], [row["position_deviation"] for row in last])
    check(0.1 < position < 1 + 3 * math.sqrt(1 / len(last)), f"long tunnel: mean squared normalised error of position {position:.2f}")
    heading = mean_square([turned(row) for row in last], [row["yaw_deviation"] for row in last])
    check(0.1 < heading < 1 + 3 * math.sqrt(2 / len(last)), f"long tunnel: of heading {heading:.2f}")


def workers(folder):
    told = []
    for n in (1, 3):
        told.append(drive(folder / f"w{n}", 5, "--workers", n, "--duration", 5))
    check(told[0] == told[1], "workers change the estimate")


def truth(folder):
    """Without noise and told so, hardly an error is left: slip of the rear wheels, which the filter is not told."""
    rows = drive(folder / "truth", 1, *QUIET, "--duration", 7)
    check(error(rows[-1]) < 0.1, f"without noise: {error(rows[-1])} m")
    check(abs(turned(rows[-1])) < math.radians(0.5), f"without noise: {math.degrees(turned(rows[-1]))} deg")


def late(folder):
    """Fixes that arrive 0.5 s late, at 8 m/s: taken as they arrive they leave the vehicle behind, taken where they were measured they do not.
    The same bits for any number of workers; what is older than what is kept is refused."""
    noiseless = (*QUIET, "--set", "hmmwv/gnss.latency=0.5 s", "--duration", 2 if SANITIZE else 7)
    back = ("--set", "hmmwv/where.late_fixes=true")
    behind, there = drive(folder / "behind", 1, *noiseless), drive(folder / "there", 1, *noiseless, *back)
    check(there == drive(folder / "there3", 1, *noiseless, *back, "--workers", 3), "workers change the estimate of late fixes")
    check(error(there[-1]) < 0.15, f"late fixes: {error(there[-1])} m")
    check(SANITIZE or 0.6 * 8 * 0.5 < error(behind[-1]) < 1.1 * 8 * 0.5, f"fixes taken as they arrive: {error(behind[-1])} m")
    old = drive(folder / "old", 1, *noiseless, *back, "--set", "hmmwv/where.history=20")
    check(old[-1]["fixes_used"] == 0 and old[-1]["fixes_refused"] > 5, f"{old[-1]['fixes_used']} fixes older than what is kept are used")


def circling(folder, name, speed, *changes, way='steer="0.15"'):
    """The example on a circle under open sky."""
    text = WORLD.read_text(encoding="utf-8")
    begin = text.index('<controller type="driver"')
    driver = text[begin:text.index("/>", begin) + 2]
    other = f'<controller type="p_gravity" name="drive" speed="{speed}" {way} speed_gain="4 1/s" brake_force="20 kN"/>'
    return changed_world(folder, name, (driver, other), ('<drive type="powertrain"/>', '<drive type="direct"/>'),
                         ('velocity="8 0 m/s"', f'velocity="{speed} 0 m/s"'), ('x_min="60"', 'x_min="130"'), *changes)


def backwards(folder):
    """The rear axle slips to the outside of a bend, forward and in reverse. Its hubs, without noise: -0.253 m/s to the left at 7.90 m/s and 0.344
    rad/s, -0.313 m/s at -7.90 m/s and -0.359 rad/s. Told 0.0101 rad s2/m, that is -0.217 and -0.227 m/s: headings err by 0.27 and 0.63 degrees.
    With the sign of forward in reverse it is more than 3 degrees."""
    for speed, told in ((8, 0.27), (-8, 0.63)):
        rows = drive(folder / f"round{speed}", 1, *QUIET, "--duration", 4 if SANITIZE else 40, world=circling(folder, "round.xml", speed))
        check(SANITIZE or abs(abs(math.degrees(turned(rows[-1]))) - told) < 0.2, f"on a circle at {speed} m/s: {math.degrees(turned(rows[-1]))} deg")


def steered_behind(folder):
    """A rear axle that steers against the front one does not roll straight on, but where the axes of all wheels meet, half way between. Taken to
    roll straight on it turns the heading by 7 degrees on a circle at 5 m/s, either way. The compliance of both axles together is that of the rear
    one, about: without noise half a degree is left."""
    for speed in (5, -5):
        world = circling(folder, "four.xml", speed, ('<axle x="-1.65 m"', '<axle x="-1.65 m" max_steer="30 deg"'), ('corrections="dgps"', ""))
        rows = drive(folder / f"four{speed}", 1, *QUIET, "--duration", 4 if SANITIZE else 40, world=world)
        check(SANITIZE or abs(turned(rows[-1])) < math.radians(0.5), f"four wheels steered, at {speed} m/s: {math.degrees(turned(rows[-1]))} deg")
        check(abs(rows[-1]["estimated_speed"] - rows[-1]["velocity_x"]) < 0.1, f"four wheels steered: {rows[-1]['estimated_speed']} m/s")


def lost(folder):
    """Told a heading as certain that is wrong by half a turn, no fix passes the gate: the estimate goes off at twice the speed, 16 m/s. After ten
    fixes (2 s) it begins anew where they are, along the way on which they move. Without patience it stays lost for good; so it was."""
    wrong = ("--set", "hmmwv/where.yaw=3.1", "--set", "hmmwv/where.yaw_deviation=0.001", "--duration", 8)
    for speed, words in ((8, ()), (-8, ()), (8, ("--set", "hmmwv/where.late_fixes=true", "--set", "hmmwv/gnss.latency=0.3 s"))):
        world = circling(folder, "lost.xml", speed, way='steer="0.08"')
        rows = drive(folder / f"lost{speed}{len(words)}", 1, *wrong, *words, world=world)
        check(any(row["lost"] > 0 for row in rows) and rows[-1]["lost"] == 0, f"lost at {speed} m/s, and it does not tell, or still")
        check(error(rows[-1]) < 3 and abs(turned(rows[-1])) < 4 * rows[-1]["yaw_deviation"],
              f"lost at {speed} m/s: {error(rows[-1])} m, {math.degrees(turned(rows[-1]))} deg after it began anew")
        check(10 <= rows[-1]["fixes_refused"] < 16, f"lost at {speed} m/s: {rows[-1]['fixes_refused']} fixes refused")
    rows = drive(folder / "stays", 1, *wrong, "--set", "hmmwv/where.refusals=0", world=world)
    check(max(error(row) for row in rows) > 50 and rows[-1]["lost"] == 0, "without patience it does not stay lost")


def from_rest(folder):
    """Wheels that start from rest at once accelerate by 8 m/s2, 2.4 m/s2 in the first sample: what levels itself by that is 0.24 rad wrong, and told
    0.05 rad it refused all fixes, 1.2 km away after 30 s. What the specific force has more than gravity tells how wrong."""
    world = circling(folder, "rest.xml", 3, (' velocity="3 0 m/s"', ""), (' sideways_compliance="0.0101 rad s2/m"', ""), (' max_steer="30 deg"', ""),
                     way='yaw_rate="0.4" yaw_gain="4 1/s"')
    rows = drive(folder / "rest", 0, "--duration", 5 if SANITIZE else 30, world=world)
    check(min(row["estimated_pitch"] for row in rows) < -0.1, "it did not level itself wrongly")
    check(rows[-1]["fixes_refused"] < 3 and error(rows[-1]) < 2, f"from rest: {error(rows[-1])} m, {rows[-1]['fixes_refused']} fixes refused")


def refusals(folder):
    text = WORLD.read_text(encoding="utf-8")
    for changed, told in ((text.replace('<sensor type="imu"', '<sensor type="barometer"').replace(' preset="industrial"', ""), "specific_force"),
                          (text.replace('fix_noise="0.2 m"', 'fix_noise="-1 m"'), "fix_noise")):
        world = folder / "bad.xml"
        world.write_text(changed, encoding="utf-8")
        done = rut("check", world)
        check(done.returncode == 3 and told in done.stdout + done.stderr, f"{told}: {done.returncode} {done.stdout} {done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    consistency(Path(scratch))
    long_tunnel(Path(scratch))
    workers(Path(scratch))
    truth(Path(scratch))
    late(Path(scratch))
    backwards(Path(scratch))
    steered_behind(Path(scratch))
    lost(Path(scratch))
    from_rest(Path(scratch))
    refusals(Path(scratch))
sys.exit(verdict())
