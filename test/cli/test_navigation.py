#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Local maps and planned paths in logs, before a reader that did not come from us: the packages mcap and mcap-ros2-support of PyPI.
Cells are compared with the world: a wall at a known place, free ground before it, and behind it what no beam reaches."""
import json
import math
import os
import subprocess
import sys
from pathlib import Path

from harness import SOURCE, check, near, rut, verdict
from wall_world import wall_world

FOLDER = Path(os.environ.get("RUT_BINARY_DIR", SOURCE / "build" / "dev")) / "mcap_reader"
TOPICS = {"path": ["/truck/plan"], "cost": ["/truck/local_costmap/costmap", "/truck/plan"],
          "all": ["/truck/local_costmap/costmap", "/truck/local_costmap/grid_map", "/truck/plan"], "none": []}


def python():
    """The environment with the packages of PyPI, or None."""
    own = FOLDER / "venv" / "bin" / "python"
    if own.exists() and subprocess.run([own, "-c", "import mcap_ros2"], capture_output=True, check=False).returncode == 0:
        return own
    FOLDER.mkdir(parents=True, exist_ok=True)
    for command in ([sys.executable, "-m", "venv", "--clear", FOLDER / "venv"],
                    [own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--retries", "1", "mcap-ros2-support"]):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    return own


def log_of(publish):
    Path(f"{publish}.xml").write_text(wall_world(publish))
    done = rut("run", f"{publish}.xml", "--duration", 0.7, "--log", f"{publish}.mcap", "--quiet")
    check(done.returncode == 0, done.stderr)
    return f"{publish}.mcap"


def test_topics():
    for publish, wanted in TOPICS.items():
        listed = rut("log", log_of(publish)).stdout.split()
        told = [word for word in listed if "costmap" in word or word.endswith("/plan")]
        check(sorted(told) == wanted, f"{publish}: {told}, not {wanted}")


def test_cells(grid):
    """What is known of the world, in cells of the map."""
    side, origin = grid.info.resolution, grid.info.origin.position

    def cost(x, y):
        return grid.data[math.floor((y - origin.y) / side) * grid.info.width + math.floor((x - origin.x) / side)]

    near(side, 0.25, 1e-6, "side of a cell")
    check((grid.info.width, grid.info.height, len(grid.data)) == (128, 128, 128 * 128), "cells")
    check(grid.header.frame_id == "world", grid.header.frame_id)
    check(set(grid.data) <= {-1, *range(101)}, "values of an occupancy grid")
    for k in range(-15, 16):
        check(cost(10.05, k / 4 + 0.01) == 100, f"wall at y = {k / 4}: {cost(10.05, k / 4 + 0.01)}")
        # beams that pass over the wall leave what is behind it
        check(cost(12, k / 5 + 0.01) == -1, f"behind the wall at y = {k / 5}: {cost(12, k / 5 + 0.01)}")
    for x in (4, 5, 6, 7, 8, 9):
        for y in (-3, -1.5, 0.1, 1.5, 3):
            check(cost(x, y) == 0, f"before the wall at {x}, {y}: {cost(x, y)}")
    # to the side nothing stands
    check(cost(0.1, 12) == 0 and cost(-12, 0.1) == 0, "beside and behind the truck")


def test_layers(grid, layers):
    """A grid map's matrix: rows along -x, columns along -y, column by column."""
    info = layers.info
    check(layers.layers == ["elevation", "cost"] and layers.header.frame_id == "world", layers.layers)
    check((layers.outer_start_index, layers.inner_start_index) == (0, 0), "start of the matrix")
    near(info.length_x, 32, 1e-9, "length")
    centre = info.pose.position
    near(centre.x - 16, grid.info.origin.position.x, 1e-9, "the same window, x")
    near(centre.y - 16, grid.info.origin.position.y, 1e-9, "the same window, y")
    for layer in layers.data:
        told = [(d.label, d.size, d.stride) for d in layer.layout.dim]
        check(told == [("column_index", 128, 128 * 128), ("row_index", 128, 128)], told)

    def at(layer, x, y):
        row = math.floor((centre.x + info.length_x / 2 - x) / info.resolution)
        column = math.floor((centre.y + info.length_y / 2 - y) / info.resolution)
        return layers.data[layer].data[column * 128 + row]

    seen = 0
    for k in range(30, 90):
        for j in range(-12, 13):
            height = at(0, k / 10 + 0.01, j / 4 + 0.01)
            seen += height == height
            # level ground, up to a multiple of 2^-10 m and single precision
            check(not abs(height) > 2e-3, f"height {height} at {k / 10}, {j / 4}")
    check(seen > 150, f"{seen} heights before the wall")
    wall = at(0, 10.05, 0.01)
    check(0.2 < wall < 2.5, f"mean height of what is seen of the wall: {wall}")
    check(at(1, 10.05, 0.01) == 1 and at(1, 6, 0.01) == 0 and math.isnan(at(1, 12, 0.01)), "costs")


def test_path(path):
    poses = [(p.pose.position.x, p.pose.position.y, 2 * math.atan2(p.pose.orientation.z, p.pose.orientation.w)) for p in path.poses]
    check(len(poses) > 20 and path.header.frame_id == "world" == path.poses[0].header.frame_id, f"{len(poses)} poses")
    # it begins at the middle of the rear axle
    near(poses[0][0], -1.4, 0.1, "start")
    near(poses[0][1], 0, 0.02, "start")
    for (x, y, yaw), (to_x, to_y, to_yaw) in zip(poses, poses[1:]):
        apart = math.hypot(to_x - x, to_y - y)
        check(apart < 0.3, f"poses {apart} m apart")
        # a chord of an arc stands at the mean of the angles at its ends
        along = math.cos(0.5 * (yaw + to_yaw)) * (to_x - x) + math.sin(0.5 * (yaw + to_yaw)) * (to_y - y)
        near(abs(along), apart, 1e-9, "heading along the path")
        # half of the width beside the end of the wall
        check(not 10 < x < 11 or abs(y) > 4.95, f"through the wall at {x}, {y}")
    check(max(x for x, _, _ in poses) > 8, "on towards the goal")


def read(name):
    """In the environment with the reader."""
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory
    told = {}
    with open(name, "rb") as stream:
        for _, channel, message, decoded in make_reader(stream, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
            if channel.topic in TOPICS["all"]:
                told.setdefault(channel.topic, []).append((message.log_time, decoded))
    grids, layers, paths = (told.get(topic, []) for topic in TOPICS["all"])
    # one of each scan, the first after a period
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for _, m in grids]
    check([round(s, 3) for s in stamps] == [0.2, 0.4, 0.6], stamps)
    check(len(layers) == len(grids) and 1 <= len(paths) <= 2, f"{len(layers)} layers, {len(paths)} paths")
    check(all(time >= 1e9 * stamp - 1 for (time, _), stamp in zip(grids, stamps)), "told after the scan")
    if grids and layers and paths:
        test_cells(grids[-1][1])
        test_layers(grids[-1][1], layers[-1][1])
        test_path(paths[0][1])
    return verdict()


def main():
    if len(sys.argv) > 1:
        return read(sys.argv[1])
    test_topics()
    # to be told changes nothing
    hashes = {json.loads(rut("run", "all.xml", "--duration", 0.4, "--quiet", "--json", *words).stdout)["hash"]
              for words in ((), ("--log", "again.mcap"))}
    check(len(hashes) == 1, f"other bits with a log: {hashes}")
    reader = python()
    if not reader:
        print("left out: a reader of MCAP (pip install mcap-ros2-support)")
        return verdict()
    done = subprocess.run([reader, __file__, "all.mcap"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout + done.stderr)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
