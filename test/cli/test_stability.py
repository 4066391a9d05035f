#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stability control: the fishhook and a hurried lane change, in which the loaded HMMWV rolls over without it; its law, computed anew
from the outputs; that it does nothing where nothing is to be done; and what it refuses.

An estimate of three degrees of freedom and a roll mode for this vehicle on a friction of 0.8 gives, at 35, 40, 45 and 50 mph, largest
load transfer ratios of 0.96, 1.01, 1.04 and 1.16 without and 0.70, 0.74, 0.78 and 0.80 with the control."""
import csv
import json
import math
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, SOURCE, check, near, rut, verdict

WORLDS = SOURCE / "worlds" / "autonomy"
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
ESTIMATE = {15.65: 0.70, 17.88: 0.74, 20.1: 0.78, 22.35: 0.80}


def drive(folder, world, speed, *words, rate=100):
    """Tables of both vehicles, and the summary."""
    sets = []
    for name in ("without", "with"):
        sets += ["--set", f"{name}/controller.speed={speed}", "--set", f"{name}.velocity={speed} 0"]
    done = rut("run", WORLDS / world, "--json", "--quiet", "--csv", folder / f"{world}_{speed}_{len(words)}", "--csv-rate", rate, *sets, *words)
    check(done.returncode == 0, f"{world} at {speed} m/s: {done.stderr}")
    tables = []
    for name in ("without", "with"):
        with open(folder / f"{world}_{speed}_{len(words)}" / f"{name}.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        tables.append([{k.split(" [")[0]: float(v) for k, v in row.items()} for row in rows])
    return tables, {v["name"]: v for v in json.loads(done.stdout)["vehicles"]}


def most(table, column):
    return max(abs(row[column]) for row in table)


def least_load(table):
    return min(row[f"{w}.load"] for row in table for w in WHEELS)


def fishhook(folder):
    for speed in [20.1] if SANITIZE else ESTIMATE:
        (without, stable), summary = drive(folder, "fishhook.xml", speed)
        at = f"fishhook at {speed} m/s"
        check(most(without, "roll") > 1.2, f"{at}: does not roll over without the control")
        near(most(stable, "load_transfer_ratio"), ESTIMATE[speed], 0.08, f"{at}: load transfer ratio")
        # two wheels off the ground are a failure of the test; the inner rear one alone may lift, as braking unloads it
        check(not any(row[f"front_{side}.load"] == 0 == row[f"rear_{side}.load"] for row in stable for side in ("left", "right")),
              f"{at}: two wheels lift")
        (_, limited), _ = drive(folder, "fishhook.xml", speed, "--set", "with/stability.max_lateral_acceleration=5")
        check(least_load(limited) > 0, f"{at}: a wheel lifts though steering is limited")
        check(most(stable, "roll") < math.radians(9), f"{at}: rolls by {math.degrees(most(stable, 'roll')):.1f} deg")
        last = stable[-1]
        check(abs(last["energy_residual"]) < 1e-3 * last["energy_throughput"], f"{at}: energy {last['energy_residual']} J")
        check(last["energy_brake"] > 1e4, f"{at}: the brakes take {last['energy_brake']} J")
        check("with" in summary, f"{at}: summary")


def hurried(folder):
    for speed in [16] if SANITIZE else (16, 20, 24):
        (without, stable), _ = drive(folder, "hurried_lane_change.xml", speed)
        at = f"lane change at {speed} m/s"
        check(most(without, "roll") > 0.7 and most(without, "load_transfer_ratio") > 0.999, f"{at}: does not tip without the control")
        check(most(stable, "load_transfer_ratio") < 0.7 and least_load(stable) > 0, f"{at}: lifts a wheel with it")
        # the steering that it leaves turns a neutral vehicle with 5 m/s2
        for row in stable:
            if row["speed"] > 3:
                limit = 5 * 3.302 / row["velocity_x"] ** 2
                check(abs(row["stability_steer"]) <= 1.01 * limit, f"{at}: leaves {row['stability_steer']} of {limit} rad")


def law(folder):
    """The brakes from yaw rate, speed, steering and loads, by the formulas of the manual."""
    (_, stable), _ = drive(folder, "fishhook.xml", 20.11, "--duration", "4", rate=1000)
    mass, gravity, friction, dt = 2688.7, 9.81, 0.8, 1e-3
    front, rear, half_track, radius, brake = 1.5775, 1.7245, 0.91, 0.47, 4000.0
    reference = slow = 0.0
    part = dict.fromkeys(WHEELS, 0.0)
    worst = braked = 0.0
    for before, now in zip(stable, stable[1:]):
        v, rate, steer = before["velocity_x"], before["yaw_rate"], now["stability_steer"]
        wanted = v * math.tan(steer) / (front + rear)
        bound = 0.85 * friction * gravity / v
        reference += (max(-bound, min(bound, wanted)) - reference) * dt / (0.1 + dt)
        error = reference - rate
        beyond = error - max(-0.05, min(0.05, error))
        moment = 8 * mass * front * rear * beyond
        left = before["front_left.load"] + before["rear_left.load"]
        right = before["front_right.load"] + before["rear_right.load"]
        ratio = (right - left) / (right + left)
        slow += (ratio - slow) * dt / (0.03 + dt)
        ahead = ratio + 0.15 * (ratio - slow) / 0.03
        force = dict.fromkeys(WHEELS, 0.0)
        side = "left" if moment > 0 else "right"
        inner = "left" if rate > 0 else "right"
        force[("rear_" if side == inner else "front_") + side] = abs(moment) / half_track
        outer = "front_right" if ahead > 0 else "front_left"
        force[outer] = max(force[outer], 6 * max(abs(ahead) - 0.6, 0) * friction * before[f"{outer}.load"])
        for w in WHEELS:
            slip = 1 - before[f"{w}.speed"] * radius / v
            held = max(0.0, min(1.0, 2 - slip / 0.12))
            goal = min(1.0, held * min(force[w], 0.95 * friction * before[f"{w}.load"]) * radius / brake)
            part[w] += (max(goal, 0.0) - part[w]) * dt / (0.08 + dt)
            worst = max(worst, abs(part[w] - now[f"{w}.stability_brake"]))
            braked = max(braked, part[w])
        near(now["stability_yaw_reference"], reference, 2e-3, f"reference at {now['t']} s")
    check(braked > 0.3, f"hardly brakes: {braked}")
    check(worst < 0.01, f"brakes differ by {worst} from the law")


def quiet(folder):
    """A calm lane change: the same bits as without, as the control has nothing to do."""
    runs = []
    for name in ("without", "with"):
        world = folder / f"{name}.xml"
        stability = ' stability="1"' if name == "with" else ""
        world.write_text('<world timestep="1 ms" duration="12 s"><include file="' + str(SOURCE / "worlds/vehicles/hmmwv_loaded.xml") +
                         f'" name="v" driver="1" speed="12" manoeuvre="double_lane_change_nato"{stability}/></world>')
        done = rut("run", world, "--allow-dir", SOURCE / "worlds" / "vehicles", "--quiet", "--csv", folder / name)
        check(done.returncode == 0, done.stderr)
        with open(folder / name / "v.csv", encoding="utf-8") as file:
            runs.append([(r["x [m]"], r["y [m]"], r["yaw [rad]"], r["speed [m/s]"]) for r in csv.DictReader(file)])
    check(runs[0] == runs[1], "a calm lane change differs with a stability control that need not act")


TRUCK = """<vehicle name="{name}" position="0 {y} m" velocity="{speed} 0 m/s">
  <chassis mass="1600 kg" com="0 0 0.6 m" outline="-2 -0.8, 2 -0.8, 2 0.8, -2 0.8" z_min="0.4 m" z_max="1.6 m"/>
  <suspension type="slider" stiffness="60 kN/m" damping="6 kN s/m"/><tyre type="linear" stiffness="300 kN/m" damping="1 kN s/m"/>
  <axle x="1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" max_steer="35 deg" brake="3 kN m"/>
  <axle x="-1.4 m" track="1.6 m" radius="0.4 m" width="0.25 m" wheel_mass="50 kg" {rear} brake="3 kN m"/>
  <stability friction="0.8" {stability}/><drive type="direct"/>
  <controller type="p_gravity" speed="{speed}" steer="{steering}" speed_gain="2 1/s" brake_force="10 kN"/></vehicle>"""


def both_axles(folder):
    """Where both axles steer, half of the wheelbase turns the vehicle: a calm bend is calm, and the limit holds, also backwards."""
    steered, limit = 'max_steer="35 deg"', 'max_lateral_acceleration="3 m/s2" yaw_gain="0" roll_gain="0"'
    cases = [dict(name="calm", y=0, speed=10, rear=steered, steering=0.06, stability=""),
             dict(name="front", y=100, speed=10, rear="", steering=0.3, stability=limit),
             dict(name="both", y=200, speed=10, rear=steered, steering=0.3, stability=limit),
             dict(name="back", y=300, speed=-10, rear="", steering=0.3, stability=limit)]
    world = folder / "both_axles.xml"
    world.write_text('<world timestep="2 ms" duration="4 s"><soil type="magic_formula" name="road" surface="user" b="10" c="1" d="0.8" e="0"/>'
                     + "".join(TRUCK.format(**case) for case in cases) + "</world>")
    done = rut("run", world, "--quiet", "--json", "--csv", folder / "both", "--csv-rate", 50)
    check(done.returncode == 0, done.stderr)
    brake = {v["name"]: v["energy"]["brake"] for v in json.loads(done.stdout)["vehicles"]}
    # the sudden turn at the start asks for a little
    check(brake["calm"] < 1e3, f"a calm bend with both axles costs {brake['calm']} J of brakes")
    for case in cases[1:]:
        with open(folder / "both" / f"{case['name']}.csv", encoding="utf-8") as file:
            row = [{k.split(" [")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(file)][-1]
        # v r of a neutral vehicle at its limit
        near(abs(row["velocity_x"] * row["yaw_rate"]), 3, 0.3, f"{case['name']}: lateral acceleration at the limit of steering")


def refusals(folder):
    vehicle = SOURCE / "worlds" / "vehicles"
    for text, told in (
            ('<world integrator="rk4" timestep="1 ms"><include file="{}/hmmwv_loaded.xml" stability="1"/></world>', "rk4"),
            ('<world><vehicle><chassis mass="10"/><wheel place="left" position="0 0.2"/><wheel place="right" position="0 -0.2"/>'
             '<tyre type="coulomb"/><stability/></vehicle></world>', "planar"),
            ('<world><include file="{}/hmmwv_loaded.xml" stability="1" friction="-1"/></world>', "friction")):
        world = folder / "bad.xml"
        world.write_text(text.format(vehicle))
        done = rut("check", world, "--allow-dir", vehicle)
        check(done.returncode == 3 and told in done.stdout + done.stderr, f"{told}: {done.returncode} {done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    fishhook(Path(scratch))
    hurried(Path(scratch))
    law(Path(scratch))
    quiet(Path(scratch))
    both_axles(Path(scratch))
    refusals(Path(scratch))
sys.exit(verdict())
