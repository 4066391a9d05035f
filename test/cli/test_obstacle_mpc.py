#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Obstacle avoidance by predictive control with the full vehicle: the loaded HMMWV passes an obstacle at 20 m/s without a collision and with
all wheels on the ground, stops before a wall, backs out from before a gate, does the same with any number of workers, and refuses wrong tables."""
import csv
import json
import math
import sys
import tempfile
from pathlib import Path

from harness import SANITIZE, SOURCE, check, rut, verdict

WORLD = SOURCE / "worlds" / "autonomy" / "obstacle_mpc.xml"
GATE = SOURCE / "worlds" / "autonomy" / "obstacle_mpc_gate.xml"
VEHICLE = SOURCE / "worlds" / "vehicles" / "hmmwv_loaded.xml"
ALLOW = ("--allow-dir", VEHICLE.parent)
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
ROAD = '<soil type="magic_formula" name="road" surface="user" b="10" c="1" d="0.8" e="0"/>'


def table(path):
    with open(path, encoding="utf-8") as file:
        return [{k.split(" [")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def passes(folder):
    seconds = 1 if SANITIZE else 3.2
    done = rut("run", WORLD, "--json", "--quiet", "--csv", folder / "pass", "--csv-rate", 50, "--duration", seconds,
               "--set", "hmmwv/avoid.decision_period=0.12")
    check(done.returncode == 0, done.stderr)
    rows = table(folder / "pass" / "hmmwv.csv")
    check(json.loads(done.stdout)["vehicles"][0]["collisions"] == 0, "collides")
    check(all(row[f"{w}.load"] > 0 for row in rows for w in WHEELS), "a wheel lifts")
    if SANITIZE:
        return
    # the disc of 2.5 m at (50, 0.5): both axles keep their 1.9 m from what is seen of it, but for delays and noise
    for arm in (1.5775, -1.7245):
        off = min(math.hypot(r["x"] + arm * math.cos(r["yaw"]) - 50, r["y"] + arm * math.sin(r["yaw"]) - 0.5) for r in rows)
        check(off > 2.5 + 1.8, f"an axle is {off:.2f} m from the middle of the first obstacle")
    check(rows[-1]["x"] > 58 and min(r["velocity_x"] for r in rows) > 17, f"gets to {rows[-1]['x']} m")
    # closed form of the lateral acceleration at which the rear inner wheel has 1000 N left
    most = max(abs(r["lateral_acceleration"]) for r in rows)
    check(most < (6300 - 1000) / 1076 + 0.5, f"lateral acceleration {most}")
    driving = [r for r in rows if r["t"] > 0.3]
    check(all(r["controller.avoidance_status"] == 0 and r["controller.avoidance_iterations"] > 0 for r in driving), "no decision")
    check(min(r["controller.avoidance_load"] for r in driving) > 900, "plans lift a wheel")


def stops(folder):
    """A blind alley, at whose end it stops."""
    world = folder / "wall.xml"
    world.write_text(f'''<world timestep="4 ms" duration="5 s">{ROAD}
      <include file="{VEHICLE}" name="hmmwv" avoid="1" speed="10" goal_x="200" sight="40"/>
      <block shape="box" size="2 12 2 m" position="36 0 m" fixed="true"/>
      <block shape="box" size="70 2 2 m" position="10 6 m" fixed="true"/>
      <block shape="box" size="70 2 2 m" position="10 -6 m" fixed="true"/>
    </world>''', encoding="utf-8")
    done = rut("run", world, "--json", "--quiet", "--csv", folder / "wall", "--csv-rate", 20, "--set", "hmmwv/avoid.decision_period=0.1",
               "--set", "hmmwv/avoid.tries=0", *ALLOW, *(["--duration", 0.5] if SANITIZE else []))
    check(done.returncode == 0, done.stderr)
    rows = table(folder / "wall" / "hmmwv.csv")
    check(json.loads(done.stdout)["vehicles"][0]["collisions"] == 0, "runs into the wall")
    if SANITIZE:
        return
    check(rows[-1]["speed"] < 0.1 and rows[-1]["x"] < 32, f"at {rows[-1]['x']} m with {rows[-1]['speed']} m/s")
    check(rows[-1]["controller.avoidance_status"] in (2, 3), "does not say that there is no way")
    check(all(row[f"{w}.load"] > 0 for row in rows for w in WHEELS), "a wheel lifts while it stops")
    check(rows[-1]["controller.goal_state"] == 4, "does not say that it stands without a way")
    with open(folder / "wall" / "events.csv", encoding="utf-8") as file:
        said = [e for e in csv.DictReader(file) if e["event"] in ("way", "no_way")]
    check([e["event"] for e in said] == ["no_way"], f"events {said}")


def said(folder):
    with open(folder / "events.csv", encoding="utf-8") as file:
        return [e["event"] for e in csv.DictReader(file) if e["event"] in ("way", "no_way")]


def backs_out(folder):
    """A gate has closed before it: back along its own track, no faster than it may, and round the gate to its goal."""
    done = rut("run", GATE, "--json", "--quiet", "--csv", folder / "gate", "--csv-rate", 20, *(["--duration", 0.5] if SANITIZE else []))
    check(done.returncode == 0, done.stderr)
    rows = table(folder / "gate" / "hmmwv.csv")
    check(json.loads(done.stdout)["vehicles"][0]["collisions"] == 0, "collides")
    if SANITIZE:
        return
    back = [r for r in rows if r["controller.goal_state"] == 5]
    check(back, "does not back up")
    stood, ended = back[0], back[-1]
    # its nose is 2.28 m ahead of its place, the gate's face at 35.5 m
    check(abs(stood["speed"]) < 0.1 and 1 < 35.5 - stood["x"] - 2.28 < 4, f"stood at {stood['x']} m with {stood['speed']} m/s")
    check(min(r["velocity_x"] for r in back) > -1.1, f"backs up at {min(r['velocity_x'] for r in back)} m/s")
    way = sum(math.hypot(b["x"] - a["x"], b["y"] - a["y"]) for a, b in zip(back, back[1:]))
    check(7 < way < 8.6, f"backs up by {way} m")
    # where it is then it has been on its way there: its rear axle is within centimetres of that of then
    came = [r for r in rows if r["t"] < stood["t"]]
    off = max(min(math.hypot(b["x"] - 1.7245 * math.cos(b["yaw"]) - a["x"] + 1.7245 * math.cos(a["yaw"]),
                             b["y"] - 1.7245 * math.sin(b["yaw"]) - a["y"] + 1.7245 * math.sin(a["yaw"])) for a in came) for b in back)
    # rows are 0.4 m apart at 8 m/s
    check(off < 0.3, f"leaves its track by {off} m")
    check(min(r["x"] for r in rows if r["t"] > ended["t"]) > ended["x"] - 0.02, "goes on rolling back")
    near = min(math.hypot(r["x"] - 80, r["y"]) for r in rows)
    check(rows[-1]["controller.goal_state"] == 3 and near < 3, f"gets to {near} m from its goal")
    check(said(folder / "gate") == [], f"says {said(folder / 'gate')}")
    check(all(row[f"{w}.load"] > 0 for row in rows for w in WHEELS), "a wheel lifts")


def gives_up(folder):
    """The blind alley has no way out forward from where its tries end: so many, then it says so, once, and stands."""
    if SANITIZE:
        return
    world = folder / "alley.xml"
    world.write_text(f'''<world timestep="4 ms" duration="62 s">{ROAD}
      <include file="{VEHICLE}" name="hmmwv" avoid="1" speed="10" goal_x="200" sight="40"/>
      <block shape="box" size="2 12 2 m" position="36 0 m" fixed="true"/>
      <block shape="box" size="70 2 2 m" position="10 6 m" fixed="true"/>
      <block shape="box" size="70 2 2 m" position="10 -6 m" fixed="true"/>
    </world>''', encoding="utf-8")
    done = rut("run", world, "--json", "--quiet", "--csv", folder / "alley", "--csv-rate", 10, "--set", "hmmwv/avoid.decision_period=0.1", *ALLOW)
    check(done.returncode == 0, done.stderr)
    rows = table(folder / "alley" / "hmmwv.csv")
    check(json.loads(done.stdout)["vehicles"][0]["collisions"] == 0, "collides")
    states = [r["controller.goal_state"] for r in rows]
    check(sum(a != 5 and b == 5 for a, b in zip(states, states[1:])) == 3, "does not back up three times")
    check(rows[-1]["speed"] < 0.01 and states[-1] == 4 and said(folder / "alley") == ["no_way"], f"says {said(folder / 'alley')}")


def passes_near(folder):
    """Something narrow and near, on open ground; and no gravity, about which nothing can be decided."""
    def near(gravity, seconds):
        world = folder / "near.xml"
        world.write_text(f'''<world timestep="4 ms" duration="{seconds} s" gravity="{gravity}">{ROAD}
          <include file="{VEHICLE}" name="hmmwv" avoid="1" speed="5" goal_x="60"/>
          <block shape="cylinder" radius="1 m" length="2 m" position="12 0 m" fixed="true"/>
        </world>''', encoding="utf-8")
        done = rut("run", world, "--json", "--quiet", "--csv", folder / "near", "--csv-rate", 20, "--set", "hmmwv/avoid.decision_period=0.1", *ALLOW)
        check(done.returncode == 0, done.stderr)
        return table(folder / "near" / "hmmwv.csv"), json.loads(done.stdout)["vehicles"][0]["collisions"]
    rows, hits = near(0, 0.2)
    told = {tuple(r[f"controller.avoidance_{x}"] for x in ("status", "iterations", "cost", "margin", "load", "opening")) for r in rows[1:]}
    check(told == {(3, 0, 0, 0, 0, -1)}, f"without gravity it tells {told}")
    rows, hits = near(9.81, 0.5 if SANITIZE else 5)
    check(hits == 0, "runs into what is near")
    check(SANITIZE or (rows[-1]["x"] > 13 and rows[-1]["speed"] > 2), f"stops at {rows[-1]['x']} m")


def turns_round(folder):
    """A goal behind it."""
    world = folder / "behind.xml"
    world.write_text(f'''<world timestep="4 ms" duration="16 s">{ROAD}
      <include file="{VEHICLE}" name="hmmwv" avoid="1" speed="8" goal_x="-40" goal_y="5"/>
      <block shape="cylinder" radius="2 m" length="2 m" position="15 12 m" fixed="true"/>
    </world>''', encoding="utf-8")
    done = rut("run", world, "--json", "--quiet", "--csv", folder / "behind", "--csv-rate", 20, "--set", "hmmwv/avoid.decision_period=0.1", *ALLOW,
               *(["--duration", 0.5] if SANITIZE else []))
    check(done.returncode == 0, done.stderr)
    rows = table(folder / "behind" / "hmmwv.csv")
    check(json.loads(done.stdout)["vehicles"][0]["collisions"] == 0, "collides while it turns round")
    if SANITIZE:
        return
    near = min(math.hypot(r["x"] + 40, r["y"] - 5) for r in rows)
    check(near < 3 and rows[-1]["controller.avoidance_status"] == 1, f"gets to {near} m from a goal behind")
    check(all(row[f"{w}.load"] > 0 for row in rows for w in WHEELS), "a wheel lifts while it turns round")


def takes_a_table(folder):
    """A file of rut liftoff limits as the lists of its numbers do; what is wrong with one is told with its place."""
    (folder / "table.csv").write_text(
        "speed,steering_rate,acceleration,side_slope,steering,safe_steering,lateral_acceleration,yaw_rate,speed_there,least_load,"
        "rigid_lateral_acceleration,wheel,end,vehicle\n"
        "10,0.17,0,0,0.2,0.18,5.9,0.6,10,5,9,3,lift,h\n20,0.17,0,0,0.06,0.054,5.9,0.3,20,5,9,3,lift,h\n", encoding="utf-8")
    vehicle = VEHICLE.read_text(encoding="utf-8").replace('sensor_x="2.3 m"', 'sensor_x="2.3 m" limit_table="${table}"')
    (folder / "vehicle.xml").write_text(vehicle, encoding="utf-8")

    def run(name, *sets):
        world = folder / "table.xml"
        world.write_text(f'''<world timestep="4 ms" duration="0.3 s">{ROAD}
          <include file="vehicle.xml" name="hmmwv" avoid="1" speed="20" goal_x="200" table="{name}"/>
          <block shape="cylinder" radius="2 m" length="2 m" position="40 1 m" fixed="true"/></world>''', encoding="utf-8")
        return rut("run", world, "--json", "--quiet", *[w for s in sets for w in ("--set", f"hmmwv/avoid.{s}")])

    def place(done):
        check(done.returncode == 0, done.stderr)
        told = json.loads(done.stdout)["vehicles"][0]
        return tuple(told[k] for k in ("x", "y", "yaw", "speed"))
    # 0.9 of the steering of each row is safe
    lists = place(run("", "limit_speeds=10 20", f"limit_angles={0.9 * 0.2!r} {0.9 * 0.06!r}"))
    check(place(run("table.csv")) == lists, "a table from a file is not its numbers")
    check(place(run("")) != lists, "a table limits nothing")
    (folder / "bad.csv").write_text((folder / "table.csv").read_text(encoding="utf-8").replace("\n20,", "\nfast,"), encoding="utf-8")
    (folder / "none.csv").write_text((folder / "table.csv").read_text(encoding="utf-8").replace(",0.06,", ",0,"), encoding="utf-8")
    for name, sets, told in (("missing.csv", (), "cannot be read"), ("table.xml", (), "is no table of lift-off: the table has no column 'speed'"),
                             ("bad.csv", (), "row 3, column 'speed': 'fast' is no number"),
                             ("none.csv", (), "with the numbers of the file: limit_angles are at least 0.0001 rad, not 0"),
                             ("table.csv", ("limit_speeds=10", "limit_angles=0.1"), "has a table, and 'limit_speeds' or 'limit_angles' as well")):
        done = run(name, *sets)
        check(done.returncode != 0 and told in done.stderr and "vehicle.xml" in done.stderr, f"{name}: {done.stderr}")


def is_the_same(folder):
    world = folder / "two.xml"
    world.write_text(f'''<world timestep="4 ms" duration="0.24 s">{ROAD}
      <include file="{VEHICLE}" name="a" avoid="1" speed="20" goal_x="200"/>
      <include file="{VEHICLE}" name="b" y="40" avoid="1" speed="15" goal_x="200" goal_y="40" delay="0.04"/>
      <block shape="cylinder" radius="2 m" length="2 m" position="40 1 m" fixed="true"/>
      <block shape="cylinder" radius="2 m" length="2 m" position="40 39 m" fixed="true"/>
    </world>''', encoding="utf-8")
    states, places = set(), set()
    for workers, host in ((1, "false"), (2, "false"), (2, "true")):
        done = rut("run", world, "--json", "--quiet", "--workers", workers, "--set", "b/avoid.period=0.04", "--set", "a/avoid.decision_period=0.06", "--set", "b/avoid.decision_period=0.08",
                   "--set", f"b/avoid.host={host}", *ALLOW)
        check(done.returncode == 0, done.stderr)
        told = json.loads(done.stdout)
        # beside the steps its outputs are seen later, but the vehicles move alike
        places.add(tuple((v["x"], v["y"], v["yaw"], v["speed"]) for v in told["vehicles"]))
        states.add((host, told["hash"]))
    check(len(places) == 1, f"vehicles differ: {places}")
    check(len(states) == 2, f"states differ: {states}")


def keeps_straight(folder):
    """On a free plane without any delay: a command that began with the measured angle of the wheels would drift."""
    if SANITIZE:
        return
    world = folder / "free.xml"
    world.write_text(f'''<world timestep="4 ms" duration="6 s">{ROAD}
      <include file="{VEHICLE.with_name("hmmwv.xml")}" name="hmmwv" avoid="1" speed="9" goal_x="200" sight="40"/></world>''', encoding="utf-8")
    done = rut("run", world, "--quiet", "--csv", folder / "free", "--csv-rate", 20, *ALLOW)
    check(done.returncode == 0, done.stderr)
    off = max(abs(row["y"]) for row in table(folder / "free" / "hmmwv.csv"))
    check(off < 5e-3, f"leaves the straight line to its goal by {off} m")


def refuses(folder):
    for sets, told in ((("limit_speeds=10 20", "limit_angles=0.1"), "there are 2 limit_speeds and 1 limit_angles"),
                       (("limit_speeds=20 10", "limit_angles=0.1 0.2"), "limit_speeds must ascend; 10 m/s follows 20 m/s"),
                       (("decision_period=0.001",), "delays of 0.1 s are more than 30 decision periods: 0.03 s")):
        words = [w for s in sets for w in ("--set", f"hmmwv/avoid.{s}")]
        done = rut("run", WORLD, "--duration", 0.01, *words)
        check(done.returncode != 0 and told in done.stderr, f"{sets}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        for part in (passes, stops, backs_out, gives_up, passes_near, keeps_straight, turns_round, takes_a_table, is_the_same, refuses):
            part(Path(name))
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
