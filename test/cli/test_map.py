#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut map and rut route: a rigid vehicle with all wheels driven on hard ground, which friction alone holds, against closed forms;
the same bytes from any number of threads and shards; files that come out; and what is refused."""
import json
import math
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from pathlib import Path

from harness import COMMAND, SANITIZE, SOURCE, check, near, rut, verdict
from png_reader import read_png

VEHICLE = """<vehicle name="hv" max_steer="0.5" steer_rate="10">
  <chassis mass="2688.7 kg" com="0 0 0.75" inertia="845 3400 3900 kg m2" drag_area="0"
           outline="2 0.9 2 -0.9 -2.2 -0.9 -2.2 0.9" z_min="0.41" z_max="1.5"/>
  <suspension type="massless" stiffness="20 MN/m" damping="400 kN s/m" travel="0.3 m"/>
  <tyre type="linear" stiffness="20 MN/m" damping="50 kN s/m" relaxation_length="0.05" bearing="0"/>
  <axle x="1.5775" track="1.82" radius="0.47" width="0.3" wheel_mass="20" wheel_inertia="2" max_steer="30 deg" brake="8000"/>
  <axle x="-1.7245" track="1.82" radius="0.47" width="0.3" wheel_mass="20" wheel_inertia="2" brake="8000"/>
  <drive type="direct" driven="all" max_torque="20 kN m" no_load_speed="60"/>
  <controller type="driver" full_force="80 kN" resistance="0" length="4.2" width="1.8"/>
</vehicle>
"""
FRICTION = 0.6
# few points, on both sides of what friction holds
TABLE = 'vehicle="v.xml" friction="0.6" steepest="0.9" grades="7" sides="2"'
# for comparisons of bytes, which need no more than two points for each of three shards
SMALL = TABLE.replace('grades="7"', 'grades="3"') if SANITIZE else TABLE


def grid(name, rows, spacing=10, corner=(0, 0)):
    text = f"ncols {len(rows[0])}\nnrows {len(rows)}\nxllcorner {corner[0]}\nyllcorner {corner[1]}\ncellsize {spacing}\n"
    Path(name).write_text(text + "NODATA_value -9999\n" + "\n".join(" ".join(f"{v:.10g}" for v in row) for row in rows) + "\n")


def ramp(name, slope, size=5):
    grid(name, [[slope * 10 * col for col in range(size)] for _ in range(size)])


def read(name):
    return [[float(v) for v in line.split()] for line in Path(name).read_text().splitlines()[6:]]


def make(name, dem, more="", layers="", table=TABLE):
    Path(name).write_text(f'<map dem="{dem}" {table} {more}>{layers}</map>')


def told(*words):
    done = rut("map", *words, "--json", "-q")
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def ramps():
    for slope, goes in ((0.55, True), (0.65, False)):
        ramp("ramp.asc", slope)
        make("ramp.xml", "ramp.asc")
        done = rut("map", "ramp.xml", "-o", "ramp.asc.out.asc", "-q", "--table", "table.db")
        check(done.returncode == 0, done.stderr)
        for way in ("simulation", "formula"):
            up = read(f"ramp.asc.out.{way}_e.asc")
            check(all((v > 0) == goes for row in up for v in row), f"{way} up {slope}: {up}")
            # friction brakes down to atan 0.6, and the driver's 0.4 g do not hold beyond sin = 0.4
            down = read(f"ramp.asc.out.{way}_w.asc")
            check(all(v == 0 for row in down for v in row), f"{way} down {slope}: {down}")


def levels():
    ramp("level.asc", 0)
    make("level.xml", "level.asc", layers='<layer type="sight" value="20 m"/>')
    found = told("level.xml", "--table", "table.db")
    for way in ("simulation", "formula"):
        s = found[way][1]
        # 20 m of sight at 0.4 g and 0.5 s
        near(s["v50"], 10.72, 6e-3, f"{way} within sight")
        near(s["limited"]["visibility"], 1, 1e-12, f"{way} limited by sight")
        check(s["no_go"] == 0 and s["cells"] == 25, f"{way}: {s}")
    near(found["weight"], 2688.7 * 9.81, 100 * 9.81, "weight")
    # its way over 4 columns and 2 rows: 2 knight's moves, at that speed
    done = rut("route", "level.xml", "--table", "table.db", "5,5", "45,25", "--json", "-o", "way.geojson")
    check(done.returncode == 0, done.stderr)
    way = json.loads(done.stdout)
    near(way["distance"], 20 * math.sqrt(5), 1e-9, "distance")
    near(way["time"], 20 * math.sqrt(5) / 10.72, 0.01, "time")
    line = json.loads(Path("way.geojson").read_text())["geometry"]["coordinates"]
    check(line[0] == [5, 5] and line[-1] == [45, 25] and len(line) == 3, line)
    rut("route", "level.xml", "--table", "table.db", "--cells", "4,0", "2,4", "-o", "way.csv", "--formula")
    rows = Path("way.csv").read_text().splitlines()
    check(len(rows) == 4 and rows[1].startswith("4,0,5,5,0,0") and rows[-1].startswith("2,4,45,25"), rows)


def pixels_of(path):
    """Width, height and rows of the pixels of an image of red, green and blue."""
    width, height, rows, _ = read_png(Path(path).read_bytes())
    return width, height, [list(zip(row[::3], row[1::3], row[2::3])) for row in rows]


def worlds():
    """The ground of a world: heights as they are, NO-GO in grey from the middle of one cell to that of the next, a route over it."""
    grid("cliff.asc", [[50 * (row < 2)] * 5 for row in range(5)])
    make("cliff.xml", "cliff.asc")
    done = rut("map", "cliff.xml", "--table", "table.db", "--world", "site.xml", "-q")
    check(done.returncode == 0, done.stderr)
    check(read("site.asc") == read("cliff.asc"), "heights")
    width, height, rows = pixels_of("site.png")
    check((width, height) == (1024, 1024), f"{width} x {height}")
    # cells of 256 pixels; the first and the last reach to their middles only
    grey = [rows[y][512] == (70, 70, 74) for y in range(height)]
    check(not any(grey[:128]) and all(grey[130:640]) and not any(grey[642:]), "cells at a cliff are NO-GO")
    check(rut("check", "site.xml").returncode == 0, "the world")
    done = rut("route", "cliff.xml", "--table", "table.db", "--cells", "4,0", "4,4", "--world", "way.xml")
    check(done.returncode == 0, done.stderr)
    red = [(x, y) for y, row in enumerate(pixels_of("way.png")[2]) for x, pixel in enumerate(row) if pixel == (208, 0, 0)]
    check(red and min(y for _, y in red) > 1000 and {0, 1023} <= {x for x, _ in red}, "the route along the southern edge")
    done = rut("map", "cliff.xml", "--table", "table.db", "--world", "site.txt")
    check(done.returncode == 2 and ".xml" in done.stderr, done.stderr)
    # neither the map nor its heights, which would be beside such a world
    before = Path("cliff.xml").read_text(), Path("cliff.asc").read_text()
    done = rut("map", "cliff.xml", "--table", "table.db", "--world", "cliff.xml", "-q")
    check(done.returncode == 6 and "read as an input" in done.stderr, done)
    Path("other.xml").write_text(before[0])
    done = rut("map", "other.xml", "--table", "table.db", "--world", "./cliff.xml", "-q")
    check(done.returncode == 6 and "cliff.asc" in done.stderr, done)
    check(before == (Path("cliff.xml").read_text(), Path("cliff.asc").read_text()), "inputs are as they were")


def places():
    """Ends of routes: negative coordinates, borders, one place twice, cells that are NO-GO."""
    ramp("level.asc", 0)
    grid("west.asc", [[0] * 5 for _ in range(5)], 10, (-50, -50))
    make("west.xml", "west.asc")
    told("west.xml", "--table", "table.db")
    Path("x.geojson.d").mkdir()
    done = rut("route", "west.xml", "-50,-45", "0,-45", "--table", "table.db", "-o", "x.geojson.d/way.csv")
    check(done.returncode == 0 and "40 m in" in done.stdout, done.stdout + done.stderr)
    rows = Path("x.geojson.d/way.csv").read_text().splitlines()
    check(rows[0].startswith("row,col") and rows[1].startswith("4,0,-45,-45"), rows[:2])
    done = rut("route", "west.xml", "-25,-25", "-22,-22", "--table", "table.db", "-o", "same.geojson")
    line = json.loads(Path("same.geojson").read_text())["geometry"]["coordinates"]
    check(done.returncode == 0 and line == [[-25, -25], [-25, -25]], line)
    done = rut("route", "west.xml", "--cells", "0.5,1", "2,2", "--table", "table.db")
    check(done.returncode == 2 and "whole numbers" in done.stderr, done.stderr)
    grid("peak.asc", [[90 * (row == col == 2) - 9999 * (row == 0) for col in range(5)] for row in range(5)])
    make("peak.xml", "peak.asc")
    told("peak.xml", "--table", "table.db")
    for a, b, what in (("0,0", "4,4", "A, row 0, column 0, is NO-GO: no_data"), ("4,4", "2,2", "B, row 2, column 2, is NO-GO: clearance"),
                       ("2,2", "0,0", "A, row 2, column 2, is NO-GO: clearance; B, row 0, column 0, is NO-GO: no_data")):
        done = rut("route", "peak.xml", "--cells", a, b, "--table", "table.db")
        check(done.returncode == 1 and what in done.stdout, f"{what}: {done.stdout} {done.stderr}")


def walls():
    # a step of 50 m from one row of cells to the next, without a gap
    grid("wall.asc", [[50 * (row < 4)] * 7 for row in range(8)])
    make("wall.xml", "wall.asc")
    told("wall.xml", "--table", "table.db")
    done = rut("route", "wall.xml", "--table", "table.db", "--cells", "7,3", "0,3")
    check(done.returncode == 1 and "no way" in done.stdout, done.stdout + done.stderr)


def soils():
    """Cone index with a distribution: quantiles of the speed ascend, and the formula stops below VCI1."""
    grid("flat.asc", [[0] * 4 for _ in range(4)])
    grid("ci.asc", [[40, 150, 300, 900]] * 4)
    make("soil.xml", "flat.asc", 'soil="clay"', '<layer type="strength" file="ci.asc" scale="1000" variation="0.3"/>',
         'vehicle="v.xml" steepest="0.6" grades="3" sides="2" strengths="4"')
    found = told("soil.xml", "-o", "soil.asc", "-j", "2")
    check(found["points"] == 3 * 2 * 4, found["points"])
    for way in ("simulation", "formula"):
        v = [read(f"soil.{way}_v{p}.asc")[1] for p in (10, 50, 90)]
        check(all(a <= b + 1e-9 for low, high in zip(v, v[1:]) for a, b in zip(low, high)), f"{way}: {v}")
        check(all(a <= b + 1e-9 for row in v for a, b in zip(row, row[1:])), f"{way} over strength: {v}")
    stopped = [v > 0 for v in read("soil.formula_v50.asc")[1]]
    weak = [1e3 * mean / math.sqrt(1 + 0.3 ** 2) >= found["vci1"] for mean in (40, 150, 300, 900)]
    check(stopped == weak, f"formula goes on {stopped}, VCI1 {found['vci1']}")


def sight_speed(sight):
    """The speed from which 0.4 g stop a driver of 0.5 s within sight."""
    a, t = 3.924, 0.5
    return -a * t + math.sqrt((a * t) ** 2 + 2 * a * sight)


def middles():
    """(row, col, x, y) of the cells of place.asc."""
    return [(row, col, 1005 + 10 * col, 2005 + 10 * (5 - row)) for row in range(6) for col in range(8)]


def sampled(layer, *words):
    """The median speeds due east over place.asc with a layer of sight, what is told of it, and what is warned of."""
    make("place.xml", "place.asc", layers=f'<layer type="sight" {layer}/>')
    done = rut("map", "place.xml", "--table", "table.db", "-o", "place_out.asc", "--json", *words)
    check(done.returncode == 0, done.stderr)
    return read("place_out.formula_e.asc"), json.loads(done.stdout)["layers"][0], done.stderr


def rasters():
    """Rasters of other cells: sight is linear in x and y, the speeds at the middles of the cells a closed form."""
    grid("place.asc", [[0] * 8 for _ in range(6)], 10, (1000, 2000))

    def sight(x, y):
        return 12 + 0.1 * (x - 1000) + 0.05 * (y - 2000)

    # coarser, finer and by half a cell elsewhere; their outermost values are outside of the map
    for name, spacing, corner, cols, rows in (("coarse", 25, (950, 1960), 8, 6), ("fine", 3, (991, 1991), 36, 27), ("half", 10, (985, 1985), 11, 9)):
        grid(f"{name}.asc", [[sight(corner[0] + spacing * (c + 0.5), corner[1] + spacing * (rows - r - 0.5)) for c in range(cols)]
                             for r in range(rows)], spacing, corner)
        speeds, told_of, warned = sampled(f'file="{name}.asc"')
        for row, col, x, y in middles():
            near(speeds[row][col], sight_speed(sight(x, y)), 1e-4, f"{name} in row {row}, column {col}")
        check(told_of == {"type": "sight", "rows": rows, "cols": cols, "spacing": spacing, "outside": 0, "missing": 0} and not warned, told_of)
    # the nearest value instead
    speeds = sampled('file="coarse.asc" sampling="nearest"')[0]
    for row, col, x, y in middles():
        near_x, near_y = 962.5 + 25 * math.floor((x - 950) / 25), 1972.5 + 25 * math.floor((y - 1960) / 25)
        near(speeds[row][col], sight_speed(sight(near_x, near_y)), 1e-4, f"nearest in row {row}, column {col}")


def classes():
    """A raster of classes, which covers a part of the map and has a hole and a class that means nothing."""
    cover = [[11, 42, 42], [11, -9999, 42], [42, 11, 7]]
    grid("cover.asc", cover, 20, (1000, 2000))
    speeds, told_of, warned = sampled('file="cover.asc" classes="11=0.2; 42=0.5" scale="100"')
    counts = {"outside": 0, "missing": 0}
    for row, col, x, y in middles():
        if x > 1060:
            counts["outside"] += 1
            number = None
        else:
            number = {11: 20, 42: 50}.get(cover[2 - int((y - 2000) // 20)][int((x - 1000) // 20)])
            counts["missing"] += number is None
        near(speeds[row][col], sight_speed(number) if number else -9999, 1e-4, f"class in row {row}, column {col}")
    check({key: told_of[key] for key in counts} == counts == {"outside": 12, "missing": 8}, told_of)
    check("does not cover 12 cells" in warned, warned)
    done = rut("map", "place.xml", "--table", "table.db")
    check("sight: 3 x 3 values of 20 m, 12 cells outside, 8 cells without data" in done.stdout, done.stdout)
    check("28 with data" in done.stdout, done.stdout)
    # cells without a height count as neither
    grid("place.asc", [[-9999] * 2 + [0] * 4 + [-9999] * 2] + [[0] * 6 + [-9999] * 2] * 5, 10, (1000, 2000))
    told_of = sampled('file="cover.asc" classes="11=0.2; 42=0.5" scale="100"')[1]
    check(told_of["outside"] == 0 and told_of["missing"] == 8, told_of)
    grid("far.asc", cover, 20, (2000, 2000))
    for layer, what in (('file="far.asc"', "x 2000 to 2060, y 2000 to 2060; the elevation model x 1000 to 1080, y 2000 to 2060"),
                        ('file="cover.asc" classes="11:3"', "classes are numbers"), ('file="cover.asc" classes="11=3; 11=4"', "11 is there twice"),
                        ('file="cover.asc" classes="1=2" sampling="bilinear"', "no others"), ('file="rows.txt"', "does not tell where it lies"),
                        ('file="cover.asc" classes=" ; "', "classes are numbers"), ('value="3 m" classes="1=2"', "classes are those of a file"),
                        ('file="cover.asc" classes="8=1"', "no cell has a sight: the raster has none of the classes there")):
        Path("rows.txt").write_text("1 2 3\n4 5 6\n7 8 9\n")
        make("bad.xml", "place.asc", layers=f'<layer type="sight" {layer}/>')
        done = rut("map", "bad.xml", "-q")
        check(done.returncode == 3 and what in done.stderr, f"{what}: {done.returncode} {done.stderr}")
    # numbers that stand for missing data in a file that does not tell so
    grid("untold.asc", [[-7] * 4 + [30] * 4] * 6, 10, (1000, 2000))
    for kind in ("sight", "roughness", "obstacle"):
        make("bad.xml", "place.asc", layers=f'<layer type="{kind}" file="untold.asc" scale="0.1"/>')
        done = rut("map", "bad.xml", "-q")
        check(done.returncode == 3 and f"{kind} is 0 to 1e12, not -0.7 in row 1, column 3" in done.stderr and "-a_nodata -7" in done.stderr, done.stderr)
    # rows of numbers of the map's size are its cells
    Path("rows.txt").write_text("\n".join(" ".join(["30"] * 8) for _ in range(6)) + "\n")
    near(sampled('file="rows.txt"')[0][2][3], sight_speed(30), 1e-4, "rows of numbers")


def same_bytes():
    ramp("ramp.asc", 0.2)
    make("ramp.xml", "ramp.asc", table=SMALL)
    for jobs in (1, 3):
        told("ramp.xml", "-j", jobs, "--table", f"all{jobs}.db", "-o", f"all{jobs}.asc")
    for shard in (1, 2, 3):
        done = rut("map", "ramp.xml", "--shard", f"{shard}/3", "-q")
        check(done.returncode == 0, done.stderr)
    shards = [f"ramp.{k}-of-3.db" for k in (1, 2, 3)]
    check(rut("map", "merge", *shards[:2], "-o", "part.db").returncode == 1, "a shard is missing")
    check(rut("map", "merge", *reversed(shards), "-o", "merged.db").returncode == 0, "merge")
    for jobs in (1, 3):
        check(rut("map", "merge", f"all{jobs}.db", "-o", f"one{jobs}.db").returncode == 0, "merge of one")
        check(Path(f"one{jobs}.db").read_bytes() == Path("merged.db").read_bytes(), f"bytes of {jobs} threads and 3 shards")
    for one in Path(".").glob("all1.*.asc"):
        check(one.read_bytes() == Path(one.name.replace("all1", "all3")).read_bytes(), one)
    # what is missing is simulated, what is there is not touched
    done = rut("map", "ramp.xml", "--table", "part.db", "-q")
    check(done.returncode == 6 and "--resume" in done.stderr, done.stderr)
    check(rut("map", "ramp.xml", "--table", "part.db", "-q", "--resume").returncode == 0, "resume")
    check(rut("map", "merge", "part.db", "-o", "again.db").returncode == 0, "merge")
    check(Path("again.db").read_bytes() == Path("merged.db").read_bytes(), "resumed bytes")
    with sqlite3.connect("part.db") as db:
        db.execute("UPDATE point SET speed = speed + 1 WHERE point = 3")
    done = rut("map", "merge", "merged.db", "part.db", "-o", "bad.db")
    check(done.returncode == 3 and "another result of point 3" in done.stderr, done.stderr)


def environment(**more):
    """Ours, without what a launcher of ranks tells."""
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI", "SLURM", "MV2"))}, **more}


def one_process():
    """The table of one process in its merged form, which no distribution may change, and the cells that it gives."""
    ramp("far.asc", 0.2)
    make("far.xml", "far.asc", table=SMALL)
    told("far.xml", "--table", "one_raw.db", "-o", "one.asc", "-j", "1")
    check(rut("map", "merge", "one_raw.db", "-o", "one.db").returncode == 0, "merge of one")
    return Path("one.db").read_bytes()


def same_cells(name):
    for one in Path(".").glob("one.*.asc"):
        check(one.read_bytes() == Path(one.name.replace("one", name, 1)).read_bytes(), f"{name}: {one}")


def ranks():
    """What mpirun tells in the environment, and mpirun itself where it is."""
    whole = one_process()
    for k in range(3):
        done = rut("map", "far.xml", "--mpi", "--table", "ranks.db", "-q", env=environment(OMPI_COMM_WORLD_RANK=str(k), OMPI_COMM_WORLD_SIZE="3"))
        check(done.returncode == 0 and Path(f"ranks.{k + 1}-of-3.db").exists(), done.stderr)
    check(rut("map", "merge", *[f"ranks.{k}-of-3.db" for k in (3, 1, 2)], "-o", "ranks.db").returncode == 0, "merge of ranks")
    check(Path("ranks.db").read_bytes() == whole, "ranks give other bytes")
    told("far.xml", "--table", "ranks.db", "-o", "ranks.asc")
    same_cells("ranks")
    for words, what in ((["far.xml", "--mpi"], "mpirun"), (["far.asc", "v.xml", "--mpi"], "makes it first"),
                        (["far.xml", "--mpi", "--shard", "1/2"], "exclude each other"), (["far.xml", "--slurm", "--shard", "1/2"], "excludes"),
                        (["far.xml", "--tasks", "2"], "need --slurm"), (["far.xml", "--slurm", "--tasks", "1001"], "from 1 to 1000"),
                        (["far.xml", "--slurm", "--slurm-option", "a=b\nrm -r x"], "one line"), (["far.xml", "--slurm", "--slurm-option", "--"], "one line"), (["far.xml", "--shard", "1/2", "-o", "x.tif"], "whole table")):
        done = rut("map", *words, env=environment())
        check(done.returncode == 2 and what in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    if not shutil.which("mpirun"):
        print("skipped: mpirun is not here (apt-get install openmpi-bin)")
        return
    done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", COMMAND, "map", "far.xml", "--mpi", "--table", "mpi.db", "-q"],
                          capture_output=True, text=True, timeout=200, check=False, env=environment())
    check(done.returncode == 0, done.stderr)
    rut("map", "merge", "mpi.1-of-2.db", "mpi.2-of-2.db", "-o", "mpi.db")
    check(Path("mpi.db").read_bytes() == whole, "mpirun gives other bytes")


# Runs at once what it gets: tasks one by one, and those that ask for it again once more.
SBATCH = """#!/bin/bash
script=${@: -1}
echo "$*" >> submitted
tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
if [ -z "$tasks" ]; then bash "$script" > last.log || exit; echo 78; exit; fi
export SLURM_ARRAY_JOB_ID=77
for task in $(seq "$tasks"); do
  export SLURM_ARRAY_TASK_ID=$task
  bash "$script" > /dev/null || exit
  while [ -e "requeue.77_$task" ]; do rm "requeue.77_$task"; bash "$script" > /dev/null || exit; done
done
echo 77
"""
SCONTROL = """#!/bin/bash
[ "$1" = requeue ] && touch "requeue.$2"
"""


def slurm():
    """The scripts, and what they do when a stand-in for sbatch runs them; scripts/slurm_sweep.sh has Slurm itself run those of a
    sweep, from the same code."""
    whole = one_process()
    done = rut("map", "far.xml", "--slurm", "--dry-run", "--tasks", "3", "--slurm-option", "partition=long", "-j", "2")
    check(done.returncode == 0, done.stderr)
    script = Path("far.slurm").read_text()
    for line in ("#SBATCH --array=1-3", "#SBATCH --requeue", "#SBATCH --partition=long", "#SBATCH --signal=B:USR1@60", "#SBATCH --cpus-per-task=2"):
        check(line in script, f"{line} in the script")
    for name in ("far.slurm", "far.merge.slurm"):
        check(subprocess.run(["bash", "-n", name], check=False).returncode == 0, name)
    Path("bin").mkdir()
    for name, text in (("sbatch", SBATCH), ("scontrol", SCONTROL)):
        Path("bin", name).write_text(text)
        Path("bin", name).chmod(0o755)
    # shards of another table, which a pattern of names would take, too
    Path("cluster.other.1-of-3.db").write_text("none of these")
    # a map that the command line makes, from another folder, with a name that needs quotes
    Path("else where").mkdir()
    env = environment(PATH=f"{Path('bin').absolute()}:{os.environ['PATH']}")
    done = rut("map", "../far.xml", "--slurm", "--tasks", "3", "--table", Path("cluster.db").absolute(), "--allow-dir", "..", "-o", "the cells.asc",
               "-q", cwd="else where", env=env)
    check(done.returncode == 0 and "job 77: 3 shards; job 78 merges" in done.stdout, done.stdout + done.stderr)
    check(Path("cluster.db").read_bytes() == whole, "a job array gives other bytes")
    for one in Path(".").glob("one.*.asc"):
        check(one.read_bytes() == Path("else where", one.name.replace("one", "the cells", 1)).read_bytes(), one)
    check("--kill-on-invalid-dep=yes --dependency=afterok:77" in Path("else where", "submitted").read_text(),
          "the merge waits for the shards, and goes when one fails")
    done = rut("map", "far.xml", "--slurm", "--table", "nowhere.db", env=environment(PATH="/nonexistent"))
    check(done.returncode == 5 and "sbatch is not here" in done.stderr, done.stderr)
    Path("bin", "sbatch").write_text('#!/bin/bash\n[[ "$*" == *merge* ]] && exit 1\necho 77\n')
    done = rut("map", "far.xml", "--slurm", "--table", "half.db", env=env)
    check(done.returncode == 6 and "half.merge.slurm" in done.stderr and "job 77 is queued" in done.stderr, done.stderr)
    done = rut("map", "far.xml", "--table", "n" * 5000)
    check(done.returncode == 2 and "too long" in done.stderr, done.stderr[:200])
    done = rut("map", "far.xml", "--slurm", "--table", "a b.db", env=env)
    check(done.returncode == 2 and "give another --table" in done.stderr, done.stderr)
    if not shutil.which("sbatch"):
        print("skipped: Slurm itself is not here (apt-get install slurmctld slurmd slurm-client munge)")


def interruptions():
    """Killed, or told by SIGUSR1 that the time is over: what is in the table stays, and the rest follows."""
    more = TABLE.replace('grades="7"', 'grades="13"')
    make("long.xml", "far.asc", table=more)
    words = [COMMAND, "map", "long.xml", "--table", "long.db", "--resume", "-q", "-j", "1"]

    def begun(at_least):
        """Points in the table; waits until there are some more."""
        for _ in range(2000):
            try:
                with sqlite3.connect("file:long.db?mode=ro", uri=True) as db:
                    points = db.execute("SELECT count(*) FROM point").fetchone()[0]
                if points >= at_least:
                    return points
            except sqlite3.Error:
                pass
            time.sleep(0.01)
        return 0

    points = 0
    for number in (signal.SIGKILL, signal.SIGUSR1, signal.SIGKILL, signal.SIGTERM):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            points = begun(points + 2)
            process.send_signal(number)
            code = process.wait(100)
            check(code == (-9 if number == signal.SIGKILL else 130), f"{number}: {code}")
    done = rut("map", "long.xml", "--table", "long.db", "--dry-run", "--json")
    plan = json.loads(done.stdout)
    check(plan["points"] == 26 and points <= plan["done"] < 26, plan)
    Path("empty.db").touch()
    for name in ("long", "empty"):
        done = rut("map", "long.xml", "--table", f"{name}.db", "--resume", "-q", "-j", "2")
        check(done.returncode == 0, done.stderr)
        check(rut("map", "merge", f"{name}.db", "-o", f"{name}_all.db").returncode == 0, "merge")
    check(Path("long_all.db").read_bytes() == Path("empty_all.db").read_bytes(), "other bytes after interruptions")


def odd_rasters():
    """Infinite numbers are missing ones; a raster without a finite place, and degrees, whose resolution is told."""
    numbers = [20.0] * 30
    numbers[7], numbers[8] = math.inf, -math.inf
    Path("raw.bin").write_bytes(struct.pack("<30f", *numbers))

    def raw(name, place):
        Path("raw.vrt").write_text(
            f'<VRTDataset rasterXSize="6" rasterYSize="5"><SRS>EPSG:32633</SRS><GeoTransform>{place}</GeoTransform><VRTRasterBand dataType="Float32" band="1"'
            ' subClass="VRTRawRasterBand"><SourceFilename relativeToVRT="1">raw.bin</SourceFilename><ImageOffset>0</ImageOffset><PixelOffset>4</PixelOffset>'
            "<LineOffset>24</LineOffset><ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>")
        subprocess.run(["gdal_translate", "-q", "raw.vrt", name], check=True)

    raw("sight.tif", "500000, 10, 0, 5400050, 0, -10")
    found = told("systems.xml", "--table", "table.db", "-o", "odd.asc")
    check(found and found["layers"][0]["missing"] == 2, found and found["layers"])
    raw("nowhere.tif", "nan, 10, 0, 5400050, 0, -10")
    make("nowhere.xml", "nowhere.tif")
    done = rut("map", "nowhere.xml")
    check(done.returncode == 3 and "nowhere.tif" in done.stderr and "must be finite" in done.stderr, done.stderr)
    # 6 x 5 cells of a hundredth of a degree, said to be 700 m apart: lengths in metres, places in degrees
    subprocess.run(["gdal_translate", "-q", "-a_srs", "EPSG:4326", "-a_ullr", "10", "50.05", "10.06", "50", "plain.asc", "angles.tif"], check=True)
    make("angles.xml", "angles.tif", 'resolution="700 m"')
    told("angles.xml", "--table", "table.db", "-o", "angles_map.tif")
    info = json.loads(subprocess.run(["gdalinfo", "-json", "angles_map.tif"], capture_output=True, text=True, check=True).stdout)
    for value, wanted in zip(info["geoTransform"], (10, 0.01, 0, 50.05, 0, -0.01)):
        near(value, wanted, 1e-9, f"place of a map in degrees: {info['geoTransform']}")
    # both at the border, which belongs to the map
    done = rut("route", "angles.xml", "10,50.005", "10.06,50.005", "--table", "table.db", "--json")
    check(done.returncode == 0, done.stderr)
    way = json.loads(done.stdout)
    near(way["distance"], 5 * 700, 1e-9, "metres of a route in degrees")
    near(way["steps"][-1]["x"], 10.055, 1e-9, "degrees of a route")


def geotiff():
    if not shutil.which("gdal_translate"):
        return
    grid("plain.asc", [[0.01 * col * row for col in range(6)] for row in range(5)], 10, (500000, 5400000))
    subprocess.run(["gdal_translate", "-q", "-a_srs", "EPSG:32633", "plain.asc", "dem.tif"], check=True)
    make("tiff.xml", "dem.tif")
    found = told("tiff.xml", "--table", "table.db", "-o", "map.tif")
    if not found:
        return
    check("UTM zone 33N" in found["crs"] and found["cols"] == 6 and found["rows"] == 5, found["crs"])
    info = json.loads(subprocess.run(["gdalinfo", "-json", "map.tif"], capture_output=True, text=True, check=True).stdout)
    check(info["size"] == [6, 5] and info["geoTransform"] == [500000, 10, 0, 5400050, 0, -10], info["geoTransform"])
    check("32633" in info["coordinateSystem"]["wkt"], "coordinate system")
    names = [band["description"] for band in info["bands"]]
    check(names[:5] == ["simulation_v10", "simulation_v50", "simulation_v90", "simulation_reason", "simulation_e"], names)
    # the map is itself a raster that rut reads
    make("again.xml", "map.tif")
    check(told("again.xml", "--table", "table.db")["cols"] == 6, "a map as elevation model")
    # a layer in the same system, however it is written, and in another one
    grid("plain_sight.asc", [[40] * 2] * 2, 30, (500000, 5400000))
    make("systems.xml", "dem.tif", layers='<layer type="sight" file="sight.tif"/>')
    for system, code in (("EPSG:32633", 0), ("+proj=utm +zone=33 +datum=WGS84 +units=m", 0), ("EPSG:32632", 3), ("EPSG:25833", 3)):
        subprocess.run(["gdal_translate", "-q", "-a_srs", system, "plain_sight.asc", "sight.tif"], check=True)
        done = rut("map", "systems.xml", "--table", "table.db")
        check(done.returncode == code, f"{system}: {done.stderr}")
        named = ("UTM zone 32N (EPSG:32632)" in done.stderr or "UTM zone 33N (EPSG:25833)" in done.stderr) and "UTM zone 33N (EPSG:32633)" in done.stderr
        check(named == (code == 3), f"{system}: {done.stderr}")
    # heights from a geoid do not move a place
    subprocess.run(["gdal_translate", "-q", "-a_srs", "EPSG:32633+5773", "plain_sight.asc", "sight.tif"], check=True)
    check(rut("map", "systems.xml", "--table", "table.db").returncode == 0, "a raster with heights from a geoid")
    odd_rasters()
    subprocess.run(["gdalwarp", "-q", "-t_srs", "EPSG:4326", "dem.tif", "degrees.tif"], check=True)
    make("degrees.xml", "degrees.tif")
    done = rut("map", "degrees.xml")
    check(done.returncode == 3 and "degrees" in done.stderr, done.stderr)


def command_line():
    ramp("hill.asc", 0.1)
    done = rut("map", "hill.asc", "v.xml", "--sight", "50", "--save", "made.xml", "--shard", "1/200", "-q")
    check(done.returncode == 0, done.stderr)
    check("hill.asc" in Path("made.xml").read_text() and Path("made.1-of-200.db").exists(), "a map file is made")
    done = rut("map", "hill.asc", "v.xml", "--sight", "60", "--save", "made.xml")
    check(done.returncode == 2 and "says something else" in done.stderr, done.stderr)
    if shutil.which("gnuplot"):
        make("level.xml", "level.asc")
        for end in ("png", "svg", "pdf"):
            check(rut("map", "level.xml", "--table", "table.db", "-q", "-p", f"map.{end}").returncode == 0, end)
        check(Path("map.png").read_bytes()[:4] == b"\x89PNG", "a picture")
        done = rut("route", "level.xml", "--table", "table.db", "5,5", "45,25", "-p", "way.png")
        check(done.returncode == 0 and Path("way.png").stat().st_size > 1000, done.stderr)


def mistakes():
    ramp("level.asc", 0)
    grid("tiny.asc", [[1, 2], [3, 4]])
    Path("rows.txt").write_text("1 2 3\n4 5 6\n7 8 9\n")
    grid("weak.asc", [[0] * 5] * 5)
    grid("holes.asc", [[-9999] * 5] * 5)
    Path("planar.xml").write_text("""<vehicle name="p"><chassis mass="10"/><wheel place="left" position="0 0.2"/>
      <wheel place="right" position="0 -0.2"/><tyre type="coulomb"/></vehicle>""")
    strength = '<layer type="strength" file="%s"/>'
    for dem, more, layers, table, what in (
            ("none.asc", "", "", TABLE, "none.asc"), ("tiny.asc", "", "", TABLE, "3 x 3"),
            ("rows.txt", "", "", TABLE, "resolution"), ("level.asc", 'grades="4"', "", TABLE.replace('grades="7"', ""), "odd"),
            ("level.asc", 'soil="sannd"', "", TABLE, "did you mean 'sand'"), ("level.asc", "", strength % "rows.txt", TABLE, "3 x 3 values, the elevation model 5 x 5"),
            ("level.asc", "", strength % "weak.asc", TABLE, "above 0"), ("holes.asc", "", "", TABLE, "no data anywhere"), ("level.asc", "", strength % "holes.asc", TABLE, "no cell"),
            ("level.asc", "", '<layer type="sight"/>', TABLE, "needs file"),
            ("level.asc", "", '<layer type="sight" value="1"/><layer type="sight" value="1"/>', TABLE, "already"),
            ("level.asc", 'soil="lete_sand"', '<layer type="strength" value="1"/>', TABLE, "name the field"),
            ("level.asc", "", '<layer type="strength" value="1" field="cohesion"/>', TABLE, "friction only"),
            ("level.asc", "", "<lair/>", TABLE, "lair"), ("level.asc", 'speed="3"', "", TABLE, "speed"),
            ("level.asc", "", "", TABLE.replace("v.xml", "planar.xml"), "planar"),
            ("level.asc", "", "", TABLE.replace("v.xml", "no.xml"), "no.xml")):
        make("bad.xml", dem, more, layers, table)
        done = rut("map", "bad.xml", "-q")
        check(done.returncode in (3, 6) and what in done.stderr, f"{what}: {done.returncode} {done.stderr}")
    make("level.xml", "level.asc")
    for words, code, what in ((["map", "level.xml", "--shard", "3/2"], 2, "K/N"), (["map", "level.xml", "-o", "x.jpg"], 2, ".tif"),
                              (["map", "level.xml", "-p", "x.tif"], 2, ".png"), (["map", "level.xml", "--soil", "sand"], 2, "DEM"),
                              (["map", "merge", "level.xml", "-o", "x.db"], 6, "database"), (["map", "merge", "table.db"], 2, "--output"),
                              (["map", "level.xml", "--table", "level.xml"], 6, "database"),
                              (["map", "v.xml"], 3, "<map>"), (["route", "level.xml", "0,0", "1,1", "--table", "no.db"], 6, "no.db"),
                              (["route", "level.xml", "0,0", "999,1", "--table", "table.db"], 2, "outside"),
                              (["route", "level.xml", "here", "1,1", "--table", "table.db"], 2, "X,Y")):
        done = rut(*words)
        check(done.returncode == code and what in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    make("other.xml", "level.asc", table=TABLE.replace('"0.6"', '"0.7"'))
    done = rut("map", "other.xml", "--table", "table.db")
    check(done.returncode == 3 and "another map" in done.stderr, done.stderr)


def examples():
    """The example is read; its table takes too long here."""
    done = rut("map", SOURCE / "worlds" / "mobility" / "valley.xml", "--shard", "1/400", "-q")
    check(done.returncode == 0, done.stderr)


def main():
    for old in list(Path(".").iterdir()):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    Path("v.xml").write_text(VEHICLE)
    for part in (ramps, levels, places, walls, rasters, classes, soils, same_bytes, ranks, slurm, interruptions, geotiff, command_line, mistakes, examples):
        # sanitizers take thirty times as long, and what these reach others do, too
        if not SANITIZE or part not in (soils, same_bytes, ranks, slurm, interruptions, examples):
            part()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
