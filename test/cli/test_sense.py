#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut sense: samples of sensors as JSON, tables and point clouds, which hold the same points; what it refuses."""
import csv
import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import COMMAND, check, faults

# Two returns of each beam; the head stands 3 m above level ground and tilts.
WORLD = """<world timestep="10 ms">
  <block fixed="true" shape="box" size="0.2 2 3" position="8 0"/>
  <block fixed="true" shape="box" size="0.2 30 6" position="15 0"/>
  <sensor type="lidar" name="top" z="3" pitch="10 deg" channels="8" columns="90" returns="2" order="first"
          subrays="9" divergence_horizontal="50 mrad" divergence_vertical="50 mrad"/>
  <sensor type="laser" name="front" z="1" rays="3" noise="none"/>
</world>"""


def sense(*words):
    return subprocess.run([COMMAND, "sense", *words], capture_output=True, text=True, timeout=120, check=False)


def of_las(data):
    """Points, and returns of the pulse each belongs to."""
    offset, = struct.unpack_from("<I", data, 96)
    length, count = struct.unpack_from("<HI", data, 105)
    by_return = struct.unpack_from("<5I", data, 111)
    scale = struct.unpack_from("<3d", data, 131)
    check(len(data) == offset + count * length, "LAS: its size is that of its records")
    points, flags = [], []
    for i in range(count):
        at = offset + i * length
        raw = struct.unpack_from("<3i", data, at)
        points.append(tuple(r * s for r, s in zip(raw, scale)))
        flags.append(data[at + 14])
    check(sum(by_return) == count, "LAS: points by return add up")
    check(all(1 <= (f & 7) <= (f >> 3 & 7) for f in flags), "LAS: return numbers within the number of returns")
    return points


def of_records(data, end):
    body = data[data.index(end) + len(end):]
    check(len(body) % 23 == 0, "whole records")
    return [struct.unpack_from("<3f", body, i) for i in range(0, len(body), 23)]


def alike(a, b, tolerance):
    return len(a) == len(b) and all(math.dist(p, q) < tolerance for p, q in zip(a, b))


with tempfile.TemporaryDirectory() as folder:
    world = str(Path(folder) / "world.xml")
    Path(world).write_text(WORLD, encoding="utf-8")
    made = {}
    for kind in ("csv", "pcd", "ply", "las", "json"):
        made[kind] = Path(folder) / f"cloud.{kind}"
        run = sense(world, "top", "--time", "0.3", "-o", str(made[kind]))
        check(run.returncode == 0, f"{kind}: {run.stderr}")
    with open(made["csv"], newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    points = [tuple(float(r[f"{a} [m]"]) for a in "xyz") for r in rows]
    check(len(points) > 200, "points on the ground and the walls")
    check(any(r["return_number"] == "2" for r in rows), "edges give second returns")
    check(all(-0.1 <= float(r["time [s]"]) <= 0 for r in rows), "firings before the stamp")
    check(alike(points, of_records(made["pcd"].read_bytes(), b"DATA binary\n"), 1e-5), "PCD: the same points")
    check(alike(points, of_records(made["ply"].read_bytes(), b"end_header\n"), 1e-5), "PLY: the same points")
    check(alike(points, of_las(made["las"].read_bytes()), 1e-3), "LAS: the same points")
    sample = json.loads(made["json"].read_text(encoding="utf-8"))
    outputs = sample["outputs"]
    check(abs(sample["time"] - 0.3) < 1e-9, "JSON: the time")
    check(outputs["range"]["size"] == [2, 8, 90], "JSON: shape")
    check(sum(r >= 0 for r in outputs["range"]["values"]) == len(points), "JSON: as many returns")

    run = sense(world, "front")
    check(run.returncode == 0, run.stderr)
    ranges = json.loads(run.stdout)["outputs"]["range"]["values"]
    check(ranges[0] == -1 and abs(ranges[1] - 7.9) < 1e-9, f"laser: {ranges}")

    run = sense(world)
    check(run.returncode == 0 and [line.split()[:2] for line in run.stdout.splitlines()[1:]] ==
          [["top", "lidar"], ["front", "laser"]], f"the list: {run.stdout} {run.stderr}")
    told = json.loads(sense(world, "--json").stdout)["sensors"]
    check([(s["name"], s["period"]) for s in told] == [("top", 0.1), ("front", 0.1)], told)

    # a rover that its inputs drive at 0.5 m/s towards a wall; of all samples only the last ones are taken
    rover = str(Path(folder) / "rover.xml")
    Path(rover).write_text("""<world timestep="5 ms">
      <block fixed="true" shape="box" size="0.2 9 3" position="10.1 0"/>
      <vehicle name="rover"><chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2" z_min="0.05 m" z_max="0.2 m"/>
        <wheel name="left" place="left" position="0 0.25 m" mass="1 kg" radius="0.1 m"/>
        <wheel name="right" place="right" position="0 -0.25 m" mass="1 kg" radius="0.1 m"/>
        <tyre type="coulomb"/><drive type="direct"/><controller type="twist_pid"/>
        <sensor type="laser" name="ahead" rays="1" z="0.5 m" period="0.1 s" latency="20 ms" noise="none"/>
        <sensor type="camera" name="idle"/></vehicle></world>""", encoding="utf-8")
    drive = str(Path(folder) / "drive.csv")
    Path(drive).write_text("t,vehicle,speed,yaw_rate\n0,rover,0.5,0\n", encoding="utf-8")
    ranges = []
    for words in (("-t", "4"), ("-t", "4", "--inputs", drive), ("-t", "8", "--inputs", drive)):
        run = sense(rover, "ahead", *words)
        check(run.returncode == 0, run.stderr)
        seen = json.loads(run.stdout)
        check(abs(seen["time"] - (float(words[1]) - 0.1)) < 1e-9, f"the newest that can be seen: {seen}")
        ranges += seen["outputs"]["range"]["values"]
    check(abs(ranges[0] - 10) < 1e-6, f"without inputs it stands: {ranges}")
    check(abs(ranges[1] - ranges[2] - 2) < 0.02 and ranges[1] < 8.6, f"inputs drive it at 0.5 m/s: {ranges}")

    eye = str(Path(folder) / "eye.xml")
    Path(eye).write_text("""<world><block name="tree" fixed="true" shape="box" size="1 9 9" position="3 0"><material class="oak"/></block>
      <sensor type="camera" name="eye" width="1" height="1"/></world>""", encoding="utf-8")
    seen = json.loads(sense(eye, "eye").stdout)
    number = {name: seen["outputs"][name]["values"][0] for name in ("class", "instance")}
    check((seen["classes"][number["class"]], seen["instances"][number["instance"]]) == ("oak", "tree"), f"names: {number}")

    # a beam down, one at a tree, one at a house: classes and instances in every format
    forest = str(Path(folder) / "forest.xml")
    Path(forest).write_text("""<world><block name="oak" fixed="true" shape="box" size="1 9 9" position="3 0"><material class="tree"/></block>
      <block name="home" fixed="true" shape="box" size="1 9 9" position="-3 0"><material class="building"/></block>
      <sensor type="lidar" name="top" z="1 m" noise="none" labels="true" rated_range="0" columns="2" channels="2"
       elevations="-89 0 deg"/></world>""", encoding="utf-8")
    sample = json.loads(sense(forest, "top").stdout)
    names = [(sample["classes"][c], sample["instances"][i]) for c, i in zip(
        sample["outputs"]["class"]["values"], sample["outputs"]["instance"]["values"])]
    check(names[2:] == [("building", "home"), ("tree", "oak")] and {n[0] for n in names[:2]} == {"ground"}, names)
    cloud = {kind: Path(folder) / f"forest.{kind}" for kind in ("csv", "pcd", "ply", "las")}
    for path in cloud.values():
        check(sense(forest, "top", "-o", str(path)).returncode == 0, path)
    with open(cloud["csv"], newline="", encoding="utf-8") as table:
        told = sorted((int(r["class"]), int(r["instance"])) for r in csv.DictReader(table))
    check(told == sorted(zip(sample["outputs"]["class"]["values"], sample["outputs"]["instance"]["values"])), told)
    for kind, end in (("pcd", b"DATA binary\n"), ("ply", b"end_header\n")):
        data = cloud[kind].read_bytes()
        body = data[data.index(end) + len(end):]
        check(len(body) == 4 * 29 and b"instance" in data[:len(data) - len(body)], f"{kind}: fields")
        check(sorted(struct.unpack_from("<hi", body, 29 * i + 23) for i in range(4)) == told, f"{kind}: labels")
    data = cloud["las"].read_bytes()
    start, length = struct.unpack_from("<I", data, 96)[0], struct.unpack_from("<H", data, 105)[0]
    codes = [(data[start + length * i + 15], data[start + length * i + 17]) for i in range(4)]
    check(sorted(c for c, _ in codes) == [2, 2, 5, 6], f"LAS: classes of ASPRS {codes}")
    check(sorted(u for _, u in codes) == [c for c, _ in told], f"LAS: classes of the world {codes}")

    late = str(Path(folder) / "late.xml")  # the first sample lies between the first two steps
    Path(late).write_text("<world timestep='5 ms'><sensor type='imu' name='i' period='7 ms'/></world>", encoding="utf-8")
    for words in ((), ("--time", "0.007"), ("--time", "0.01")):
        run = sense(late, "i", *words)
        check(run.returncode == 0 and json.loads(run.stdout)["time"] == 0.007, f"{words}: {run.stderr}")

    for words, said, code in (((world, "tap"), "did you mean 'top'", 3),
                              ((world, "-o", str(Path(folder) / "x.pcd")), "which SENSOR", 2),
                              ((world, "front", "-o", str(Path(folder) / "x.pcd")), "no point cloud", 2),
                              ((world, "top", "-o", str(Path(folder) / "x.bmp")), ".las", 2),
                              ((world, "top", "-o", str(Path(folder) / "x.png")), "no image", 2),
                              ((world, "top", "--time", "0.05"), "the first one comes at 0.1 s", 2)):
        run = sense(*words)
        check(run.returncode == code and said in run.stderr, f"{words}: {run.returncode} {run.stderr}")
    check(not (Path(folder) / "x.pcd").exists(), "nothing is written on an error")

for fault in faults:
    print("failed:", fault)
print(f"{len(faults)} failed")
sys.exit(len(faults) > 0)
