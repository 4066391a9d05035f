#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut plan: straight lines and shortest curves on open ground against closed forms, obstacles, files, and what is wrong."""
import json
import math
import os
import shutil
import sys
from pathlib import Path

from harness import check, near, rut, verdict

WIDTH, HEIGHT, RESOLUTION = 200, 100, 0.2


def draw(name, blocked, unknown=lambda x, y: False):
    """A map of 40 m x 20 m with its corner at -10, 5, black where blocked(x, y) is true of a cell's middle."""
    def grey(col, row):
        x, y = -10 + (col + 0.5) * RESOLUTION, 5 + (HEIGHT - 0.5 - row) * RESOLUTION
        return 0 if blocked(x, y) else 205 if unknown(x, y) else 254
    pixels = bytes(grey(col, row) for row in range(HEIGHT) for col in range(WIDTH))
    Path(f"{name}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + pixels)
    Path(f"{name}.yaml").write_text(f"image: {name}.pgm\nresolution: {RESOLUTION}\norigin: [-10, 5, 0]\nnegate: 0\n"
                                    "occupied_thresh: 0.65\nfree_thresh: 0.196\n", encoding="utf-8")


def plan(*words):
    done = rut("plan", *words, "--json")
    return done.returncode, json.loads(done.stdout) if done.stdout else {}


def lines():
    code, way = plan("open.yaml", "--from", "-5.1,10.1", "--to", "24.9,20.1", "--width", "1")
    check(code == 0 and way["answer"] == "found" and len(way["points"]) == 2, f"a straight line: {way}")
    near(way.get("length"), math.hypot(30, 10), 1e-6, "its length")
    near(way["points"][0]["yaw"], math.degrees(math.atan2(10, 30)), 1e-6, "its heading")
    # a wall from y = 5 to 15 at x = 10 to 11: around its end, the disc 0.5 m away from it
    code, way = plan("wall.yaml", "--from", "0.1,10.1", "--to", "20.9,10.1", "--width", "1")
    least = 2 * math.hypot(9.9, 5.4) + 1
    check(code == 0 and least < way["length"] < least + 0.8, f"around a wall: {way.get('length')}, about {least}")
    for point in way["points"]:
        away = max(10 - point["x"], point["x"] - 11, point["y"] - 15)
        check(away >= 0.5, f"{point} is closer than the disc is wide")
    code, way = plan("closed.yaml", "--from", "0.1,10.1", "--to", "20.9,10.1", "--width", "1")
    check(code == 1 and way["answer"] == "no_way" and way["closed"] > 1000, f"a closed wall: {way}")


def manoeuvres():
    code, path = plan("open.yaml", "--from", "0,10,0", "--to", "10,20,90", "--turning-radius", "5", "--speed", "2")
    # an eighth of a circle about (0, 15), its tangent to another one about (5, 20), an eighth of that
    check(code == 0 and path["gear_changes"] == 0, f"a corner: {path.get('answer')}")
    near(path.get("length"), 2.5 * math.pi + math.hypot(5, 5), 1e-6, "length of a corner")
    # from rest to 2 m/s and to rest: at 2 and 4 m/s2
    near(path.get("time"), path["length"] / 2 + 0.5 * (1 + 0.5), 2e-2, "time of a corner")
    near(path["points"][-1]["yaw"], 90, 1e-6, "heading of its end")
    code, path = plan("wall.yaml", "--from", "0,10,0", "--to", "20,10,180", "-o", "path.csv")
    check(code == 0 and path["length"] > 2 * math.hypot(10, 5), f"around a wall: {path.get('answer')}")
    rows = Path("path.csv").read_text(encoding="utf-8").splitlines()
    check(rows[0] == "x,y,yaw,distance,curvature,gear,speed,time" and len(rows) == 1 + len(path["points"]), rows[0])
    near(float(rows[-1].split(",")[7]), path["time"], 1e-6, "time of the last row")
    for code, answer, words in ((1, "no_way", ["closed.yaml", "--from", "0,10,0", "--to", "20,10,0"]),
                                (1, "no_start", ["wall.yaml", "--from", "9,10,0", "--to", "20,10,0"]),
                                (1, "no_goal", ["wall.yaml", "--from", "0,10,0", "--to", "300,10,0"]),
                                (1, "too_long", ["wall.yaml", "--from", "0,10,0", "--to", "20,10,0", "--nodes", "20"])):
        got, path = plan(*words)
        check((got, path.get("answer")) == (code, answer), f"{words}: {got} {path.get('answer')}")


def unknown_and_images():
    code, way = plan("fog.yaml", "--from", "0.1,10.1", "--to", "20.9,10.1", "--width", "1")
    check(code == 1 and way["answer"] == "no_way", "unknown cells are blocked")
    code, way = plan("fog.yaml", "--from", "0.1,10.1", "--to", "20.9,10.1", "--width", "1", "--unknown")
    near(way.get("length"), 20.8, 1e-6, "over unknown cells")
    # the corner of an image that is no map is at 0, 0
    code, way = plan("open.pgm", "--resolution", "0.1", "--from", "1.05,1.05", "--to", "4.05,5.05", "--width", "0.5")
    near(way.get("length"), 5, 1e-6, "over an image")


def wrong():
    ends = ["--from", "0,10", "--to", "5,10"]
    for words, code, text in ((["open.yaml"], 2, "--from"), (["open.yaml", "--from", "0,10", "--to", "5,10,0"], 2, "neither"),
                              (["open.yaml", "--from", "here", "--to", "1,1"], 2, "X,Y"), (["none.yaml", *ends], 6, "none.yaml"),
                              (["open.yaml", "--from", "nan,1", "--to", "1,1"], 2, "X,Y"),
                              (["open.yaml", *ends, "-o", "way.txt"], 2, ".csv"), (["open.yaml", *ends, "-p", "way.jpg"], 2, ".png"),
                              (["open.yaml", "--from", "0,10,0", "--to", "5,10,0", "--turning-radius", "0.2"], 2, "turning radius"),
                              (["text.txt", *ends], 3, "text.txt"), (["far.yaml", *ends], 6, "")):
        done = rut("plan", *words)
        check(done.returncode == code and text in done.stderr, f"{words}: {done.returncode} {done.stderr}")


def pictures():
    if not shutil.which("gnuplot"):
        return
    for name, ends in (("way.png", ("0,10", "20,10")), ("path.svg", ("0,10,0", "20,10,180"))):
        done = rut("plan", "wall.yaml", "--from", ends[0], "--to", ends[1], "--width", "1", "-p", name)
        check(done.returncode == 0 and os.path.getsize(name) > 5000, f"{name}: {done.stderr}")


def main():
    draw("open", lambda x, y: False)
    draw("wall", lambda x, y: 10 < x < 11 and y < 15)
    draw("closed", lambda x, y: 10 < x < 11)
    draw("fog", lambda x, y: False, lambda x, y: 10 < x < 11)
    Path("text.txt").write_text("no image\n", encoding="utf-8")
    # a map reads its image from its own folder
    Path("far.yaml").write_text(Path("open.yaml").read_text(encoding="utf-8").replace("open.pgm", "/etc/hostname"), encoding="utf-8")
    lines()
    manoeuvres()
    unknown_and_images()
    wrong()
    pictures()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
