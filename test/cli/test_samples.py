#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Samples of sensors in the stream: live, and the same in a replay."""
import math
import struct
import subprocess
import sys
import time
from pathlib import Path

from test_view import COMMAND, PATIENCE, Viewer, check, run_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "readers"))
from wall_world import wall_world  # noqa: E402

MAGIC = 0x53545552
POINTS, IMAGE, FIX, MAP, PATH = 1, 2, 3, 4, 5
COLOUR, DEPTH, CLASS, INSTANCE, NORMAL, FLOW = 1, 2, 4, 8, 16, 32
NOTHING = 65535
GOAL = (30, 0)  # of the truck before the wall [m]
BESIDE = 1  # where it starts [m]
HEIGHT = 2.5  # of all sensors above the level ground [m]

# A lidar that looks down on level ground all around, a camera straight down on it, one at the sky, and a receiver.
WORLD = f"""
<world timestep="10 ms" duration="20 s" noise="none">
  <georeference latitude="48 deg" longitude="11 deg" height="500 m"/>
  <material preset="dry_sand" class="beach"/>
  <light azimuth="0" elevation="90 deg"/>
  <sensor type="lidar" name="lidar" x="3 m" z="{HEIGHT} m" channels="8" columns="90" elevation_first="-10 deg"
          elevation_last="-60 deg" rated_range="80 m" period="0.1 s" labels="true"/>
  <sensor type="camera" name="down" y="7 m" z="{HEIGHT} m" pitch="90 deg" width="16" height="12" period="0.2 s"
          normals="true" flow="true"/>
  <sensor type="camera" name="sky" z="{HEIGHT} m" pitch="-60 deg" width="8" height="8" fov="20 deg" period="0.2 s"/>
  <sensor type="gnss" name="gnss" x="100 m" y="200 m" z="{HEIGHT} m" period="0.5 s"/>
</world>
"""


def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b))


class Sample:
    """A message, taken apart."""

    def __init__(self, data):
        head = struct.unpack_from("<IHHIId7fII", data)
        check(head[0] == MAGIC and head[1] == 1, f"head {head}")
        self.data, self.kind, self.sensor, self.width, self.time = data, *head[2:6]
        self.pose, self.height, self.layers = head[6:13], head[13], head[14]

    def points(self):
        return list(struct.iter_unpack("<4f", self.data[64:64 + 16 * self.width]))

    def point_labels(self, wanted):
        """Classes or instances of points, which stand behind them."""
        at = 64 + 16 * self.width
        if wanted == INSTANCE and self.layers & CLASS:
            at += (2 * self.width + 7) // 8 * 8
        return struct.unpack_from(f"<{self.width}H", self.data, at) if self.layers & wanted else None

    def layer(self, wanted):
        at, pixels = 64, self.width * self.height
        for bit, code, each in ((COLOUR, "B", 3), (DEPTH, "f", 1), (CLASS, "H", 1), (INSTANCE, "H", 1),
                                (NORMAL, "f", 3), (FLOW, "f", 2)):
            if not self.layers & bit:
                continue
            size = struct.calcsize(code) * each * pixels
            if bit == wanted:
                return struct.unpack_from(f"<{each * pixels}{code}", self.data, at)
            at += (size + 7) // 8 * 8
        return None


def samples_of(client, sensors, want=lambda sample: True):
    """The next sample of each sensor."""
    found = {}
    end = time.monotonic() + PATIENCE
    while len(found) < len(sensors) and time.monotonic() < end:
        for data in client.samples:
            sample = Sample(data)
            if sample.sensor in sensors and want(sample):
                found.setdefault(sample.sensor, sample)
        client.samples = []
        client.drain() if len(found) == len(sensors) else client.read(0.2)
    check(len(found) == len(sensors), f"samples of {sorted(found)}, not {sensors}")
    return found


def write_world():
    Path("samples.xml").write_text(WORLD)
    return "samples.xml"


def check_samples(found, classes):
    lidar, down, sky, gnss = (found[i] for i in range(4))
    check(near(lidar.pose, (3, 0, HEIGHT, 1, 0, 0, 0), 1e-6), f"pose {lidar.pose}")
    points = lidar.points()
    check(len(points) == lidar.width == 8 * 90, f"{len(points)} points")
    check(all(abs(p[2] + HEIGHT) < 1e-5 for p in points), "the ground is level")
    away = sorted({round(math.hypot(p[0], p[1]), 3) for p in points})
    # tan of the least and greatest angle below the horizon
    check(abs(away[0] - HEIGHT / math.tan(math.radians(60))) < 2e-3, f"nearest ring {away[0]}")
    check(abs(away[-1] - HEIGHT / math.tan(math.radians(10))) < 2e-3, f"farthest ring {away[-1]}")
    check(lidar.layers == CLASS | INSTANCE, f"layers {lidar.layers} of points")
    check(set(lidar.point_labels(CLASS)) == {classes.index("beach")}, "class of the ground under the lidar")
    check(len(set(lidar.point_labels(INSTANCE))) == 1, "the ground is one thing")
    check((down.width, down.height, down.layers) == (16, 12, 63), f"image {down.layers}")
    # the ground seen from above looks back along the optical axis, and stays where it is
    normals = list(zip(*[iter(down.layer(NORMAL))] * 3))
    check(all(near(n, (0, 0, -1), 1e-6) for n in normals), f"normals {normals[0]}")
    check(all(abs(v) < 1e-6 for v in down.layer(FLOW)), "flow of what stands")
    check((sky.layers, len(sky.data) - 64) == (15, 8 * 8 * (3 + 4 + 2 + 2)), "a camera without normals and flow")
    check(all(abs(d - HEIGHT) < 1e-5 for d in down.layer(DEPTH)), "depth of the ground")
    colour = down.layer(COLOUR)
    check(len(colour) == 3 * 16 * 12 and colour[0] > colour[1] > colour[2] > 0, "colour of sand")
    check(len(set(down.layer(CLASS))) == 1 and down.layer(CLASS)[0] != NOTHING, "class of the ground")
    check(set(sky.layer(DEPTH)) == {-1.0}, "the sky has no depth")
    check(set(sky.layer(CLASS)) == set(sky.layer(INSTANCE)) == {NOTHING}, "the sky is nothing")
    latitude, longitude, altitude = struct.unpack_from("<3d", gnss.data, 64)
    # radii of curvature of WGS 84 at 48 degrees: 6 371 141 m along, 6 390 045 m across the meridian
    north = (latitude - math.radians(48)) * 6371141
    east = (longitude - math.radians(11)) * 6390045 * math.cos(math.radians(48))
    check(abs(north - 200) < 0.2 and abs(east - 100) < 0.2, f"{east} east, {north} north")
    check(abs(altitude - 500 - HEIGHT) < 0.02, f"altitude {altitude}")


def test_live():
    with Viewer(write_world()) as viewer:
        scene = viewer.scene()
        check([s.get("sample") for s in scene["sensors"]] == ["points", "image", "image", "fix"], "kinds")
        check("beach" in scene["classes"], f"classes {scene['classes']}")
        layers = ["colour", "depth", "class", "instance"]
        check([s.get("layers") for s in scene["sensors"]] ==
              [["class", "instance"], layers + ["normal", "flow"], layers, None], "layers")
        client, _ = viewer.page()
        client.say("watch", sensors=[0, 1, 2, 3])
        # the first image has no flow: nothing was before
        check_samples(samples_of(client, [0, 1, 2, 3], lambda s: s.time > 0.3), scene["classes"])
        client.say("watch", sensors=[1], layers=["depth"])
        only = samples_of(client, [1], lambda s: s.layers == DEPTH)[1]
        check(len(only.data) == 64 + 4 * 16 * 12, f"{len(only.data)} bytes of depth alone")
        client.say("watch", sensors=[])
        time.sleep(0.5)
        client.drain()
        client.samples = []
        time.sleep(0.5)
        client.drain()
        check(not client.samples, "samples that nobody watches")


def test_replay():
    """Every sample of a log that a page is sent has the bytes of the live run at that time."""
    subprocess.run([COMMAND, "run", write_world(), "-d", "1.5", "--log", "samples.mcap"], check=True,
                   stdout=subprocess.DEVNULL)
    at = 1.2
    with Viewer("samples.xml", "--paused") as viewer:
        client, _ = viewer.page()
        client.say("step", n=120)
        client.frame(lambda f: abs(f.time - at) < 1e-6, "step")
        client.say("watch", sensors=[0, 1, 2, 3])
        live = samples_of(client, [0, 1, 2, 3], lambda s: s.time > 0.9)
    with Viewer("samples.mcap", "--paused", verb="replay") as viewer:
        client, _ = viewer.page()
        client.say("seek", time=at)
        client.say("watch", sensors=[0, 1, 2, 3])
        told = samples_of(client, [0, 1, 2, 3], lambda s: s.time > 0.9)
        check_samples(told, viewer.scene()["classes"])
        for i in (0, 1, 2):
            check(told[i].time == live[i].time, f"sensor {i} at {told[i].time}, live at {live[i].time}")
            # points that are not there have no place in a log: order and bytes of the others are the same
            check(told[i].data == live[i].data, f"sensor {i} differs")
        check(near(struct.unpack_from("<3d", told[3].data, 64), struct.unpack_from("<3d", live[3].data, 64), 1e-9),
              "fix differs")
        client.say("seek", time=0.45)
        early = samples_of(client, [0, 1], lambda s: s.time < 0.5)
        check(abs(early[0].time - 0.4) < 1e-6 and abs(early[1].time - 0.4) < 1e-6, "what was seen at 0.45 s")


def navigation_of(client):
    """The next map and path of the first vehicle, by their kind."""
    found = {}
    end = time.monotonic() + PATIENCE
    while len(found) < 2 and time.monotonic() < end:
        for data in client.samples:
            sample = Sample(data)
            if sample.kind in (MAP, PATH):
                found[sample.kind] = sample
        client.samples = []
        client.read(0.2)
    check(len(found) == 2 and all(s.sensor == 0 for s in found.values()), f"maps and paths: {sorted(found)}")
    return found[MAP], found[PATH]


def check_map(seen):
    """A wall whose face is at x = 10 m, free ground before it, and behind it what no beam reaches."""
    x0, y0, side = struct.unpack_from("<3d", seen.data, 64)
    check((seen.width, seen.height, side, len(seen.data)) == (128, 128, 0.25, 88 + 128 * 128), "size of the map")
    cells = seen.data[88:]
    check(set(cells) <= {*range(101), 255}, "costs")

    def cost(x, y):
        return cells[math.floor((y - y0) / side) * seen.width + math.floor((x - x0) / side)]

    check(all(cost(10.05, k / 4 + 0.01) == 100 for k in range(-15, 16)), "the wall")
    check(all(cost(12, k / 5 + 0.01) == 255 for k in range(-15, 16)), "behind the wall")
    check(all(cost(x, 0.1) == 0 for x in (4, 5, 6, 7, 8, 9)), "before the wall")


def check_path(path, goal):
    """From the truck around the wall; in a log there is no goal."""
    told = struct.unpack_from("<3d", path.data, 64)
    check(near(told[:2], goal, 1e-12) if goal else all(math.isnan(x) for x in told), f"goal {told}")
    poses = list(struct.iter_unpack("<3f", path.data[88:88 + 12 * path.width]))
    check(path.width > 20 and len(path.data) == 88 + (12 * path.width + 7) // 8 * 8, f"{path.width} poses")
    # of the middle of the rear axle
    check(-1.5 < poses[0][0] < -0.7 and abs(poses[0][1] - BESIDE) < 0.1, f"start {poses[0]}")
    check(all(abs(y) > 4 for x, y, _ in poses if 10 < x < 11), "it goes through the wall")


def test_navigation():
    """Maps and paths: those of a log are those of the run."""
    # to the side, so that x and y of the map are different
    Path("wall.xml").write_text(wall_world("cost").replace('name="truck">', f'name="truck" position="0 {BESIDE}">'))
    subprocess.run([COMMAND, "run", "wall.xml", "-d", "0.7", "--log", "wall.mcap"], check=True, stdout=subprocess.DEVNULL)
    with Viewer("wall.xml", "--paused") as viewer:
        check(viewer.scene()["vehicles"][0]["navigation"] == ["path", "map"], "what can be watched")
        step = viewer.scene()["timestep"]
        client, _ = viewer.page()
        client.say("step", n=round(0.7 / step))
        client.frame(lambda f: abs(f.time - 0.7) < 1e-6, "step")
        client.say("watch", sensors=[], maps=[0], paths=[0])
        live = navigation_of(client)
        check_map(live[0])
        check_path(live[1], GOAL)
        # what does not change is not sent again
        time.sleep(0.4)
        client.drain()
        check(not client.samples, f"{len(client.samples)} samples while nothing moves")
        for wrong in ({"sensors": [], "maps": [1]}, {"sensors": [], "paths": [1]}, {"sensors": [], "maps": [-1]},
                      {"sensors": [], "paths": "all"}, {"sensors": [], "maps": [0] * 17}):
            client.say("watch", **wrong)
            check(client.text("error")["message"], f"{wrong} is taken")
    with Viewer("wall.mcap", "--paused", verb="replay") as viewer:
        check(viewer.scene()["vehicles"][0]["navigation"] == ["path", "map"], "what the log has")
        client, _ = viewer.page()
        client.say("seek", time=0.7)
        client.say("watch", sensors=[], maps=[0], paths=[0])
        told = navigation_of(client)
        check(told[0].data[24:] == live[0].data[24:], "the map of the log differs")
        check(abs(told[0].time - live[0].time) < 1e-9, f"map of {told[0].time}, live {live[0].time}")
        check_path(told[1], None)
        check(told[1].width == live[1].width, f"{told[1].width} poses, live {live[1].width}")


def test_refused():
    with Viewer(write_world()) as viewer:
        client, _ = viewer.page()
        for wrong in ({"sensors": [4]}, {"sensors": [-1]}, {"sensors": 1}, {}, {"sensors": list(range(17))},
                      {"sensors": [0], "layers": ["heat"]}, {"sensors": ["lidar"]}):
            client.say("watch", **wrong)
            check(client.text("error")["message"], f"{wrong} is taken")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
