#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut view: pages, scenes, frames against rut run, time, driving, changes, states, and what it refuses.

Speaks HTTP and WebSocket (RFC 6455) with the standard library only.
"""
import base64
import csv
import gzip
import hashlib
import http.client
import json
import math
import os
import random
import re
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zlib
from pathlib import Path
from xml.etree import ElementTree

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
BINARY = Path(os.environ.get("RUT_BINARY_DIR", SOURCE / "build" / "dev"))
COMMAND = os.environ.get("RUT_COMMAND", str(BINARY / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
SLOW = 5 if SANITIZE else 1
# Not under sanitizers: they wait for what vehicles do, on ways through the code that others take.
LONG = ("test_drive_substitute", "test_drive_busy")
PATIENCE = 60 * SLOW
MAGIC = 0x46545552
PAUSED, DIVERGED, JUMPED = 1, 2, 8
VEHICLES, WHEELS, LINKS, BLOCKS, SCANS, GROUND, CURVES, CONTACTS = range(1, 9)
EACH = {VEHICLES: 8, WHEELS: 16, LINKS: 6, BLOCKS: 7, CONTACTS: 4}
faults = []


def check(fine, what):
    if not fine:
        faults.append(what)
        print("FAIL:", what, flush=True)
    return fine


# ---- the command ----


class Viewer:
    """A running rut view, or rut replay."""

    code = 0  # that it ends with

    def __init__(self, world, *options, verb="view", **started):
        self.process = subprocess.Popen(
            [COMMAND, verb, str(world), "--port", "0", "--no-open", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **started)
        line = self.process.stdout.readline()
        found = re.match(r"listening on http://([^:/]+|\[[^]]+\]):(\d+)/(?:\?token=(\w+))?$", line)
        if not found:
            self.process.kill()
            raise RuntimeError(f"{world}: {line!r} {self.process.stderr.read()!r}")
        self.host, self.port, self.token = found[1], int(found[2]), found[3]
        self.clients = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for client in self.clients:
            client.close()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            check(False, "ctrl-C does not end it")
        self.errors = self.process.stderr.read()
        if kind is None:
            check(self.process.returncode == self.code,
                  f"exit code {self.process.returncode} after ctrl-C: {self.errors}")

    def get(self, path, headers=None, method="GET", body=None):
        """Status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def scene(self):
        status, _, body = self.get("/scene.json")
        check(status == 200, f"scene: {status}")
        return json.loads(body)

    def client(self, **options):
        client = Client(self.port, **options)
        self.clients.append(client)
        return client

    def page(self):
        """A client that has said hello, and its first frame."""
        client = self.client()
        client.say("hello")
        return client, client.frame()


# ---- WebSocket ----


class Refused(Exception):
    pass


class Client:
    def __init__(self, port, path="/stream", headers=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.frames, self.texts, self.samples = [], [], []
        key = base64.b64encode(os.urandom(16)).decode()
        head = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Protocol": "rut.1"}
        head.update(headers or {})
        lines = [f"GET {path} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items() if v), "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self.buffer:
            data = self.socket.recv(4096)
            if not data:
                raise Refused("closed")
            self.buffer += data
        answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = int(answer.split()[1])
        if status != 101:
            self.socket.close()
            raise Refused(status)
        accept = base64.b64encode(hashlib.sha1(
            (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        check(accept in answer, "wrong Sec-WebSocket-Accept")

    def send_raw(self, opcode, data, final=True):
        head = bytes([(128 if final else 0) | opcode])
        if len(data) < 126:
            head += bytes([128 | len(data)])
        elif len(data) < 65536:
            head += bytes([128 | 126]) + struct.pack("!H", len(data))
        else:
            head += bytes([128 | 127]) + struct.pack("!Q", len(data))
        mask = os.urandom(4)
        body = (int.from_bytes(data, "big") ^ int.from_bytes(
            (mask * (len(data) // 4 + 1))[:len(data)], "big")).to_bytes(len(data), "big")
        self.socket.sendall(head + mask + body)

    def say(self, kind, **members):
        self.send_raw(1, json.dumps({"type": kind, **members}).encode())

    def read(self, patience):
        """Take in what comes, at least one message if it comes in time. False if it does not."""
        end = time.monotonic() + patience
        got = False
        while not got:
            left = max(0, end - time.monotonic())
            if not select.select([self.socket], [], [], left)[0]:
                return False
            data = self.socket.recv(1 << 20)
            if not data:
                raise Refused("closed")
            self.buffer += data
            while self.take_message():
                got = True
        return True

    def take_message(self):
        b = self.buffer
        if len(b) < 2:
            return False
        n, at = b[1] & 127, 2
        if n == 126:
            if len(b) < 4:
                return False
            n, at = struct.unpack_from("!H", b, 2)[0], 4
        elif n == 127:
            if len(b) < 10:
                return False
            n, at = struct.unpack_from("!Q", b, 2)[0], 10
        if len(b) < at + n:
            return False
        opcode, data = b[0] & 15, b[at:at + n]
        self.buffer = b[at + n:]
        if opcode == 1:
            self.texts.append(json.loads(data))
        elif opcode == 2:
            self.take_binary(data)
        elif opcode == 9:
            self.send_raw(10, data)
        elif opcode == 8:
            raise Refused("closed")
        return True

    def take_binary(self, data):
        if data[:4] == b"RUTS":
            self.samples.append(data)
        else:
            self.frames.append(Frame(data))

    def drain(self):
        while self.read(0):
            pass
        frames, self.frames = self.frames, []
        return frames

    def frame(self, want=lambda frame: True, what="frame"):
        """The first frame from now on that is wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while self.frames:
                frame = self.frames.pop(0)
                if want(frame):
                    return frame
            self.read(end - time.monotonic())
        raise RuntimeError(f"no {what} in {PATIENCE} s")

    def text(self, kind, want=lambda text: True):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while self.texts:
                text = self.texts.pop(0)
                if text["type"] == kind and want(text):
                    return text
            self.read(end - time.monotonic())
        raise RuntimeError(f"no {kind} in {PATIENCE} s")

    def step(self, n):
        """Make n steps in a paused run, and wait for them. The frame after them."""
        self.drain()
        self.say("hello")
        start = self.frame(lambda f: f.bits & PAUSED).steps
        self.say("step", n=n)
        return self.frame(lambda f: f.steps == start + n, f"frame after {n} steps")

    def close(self):
        self.socket.close()


class Frame:
    """A frame, with every rule of its layout checked."""

    def __init__(self, data):
        self.data = data
        magic, version, sections, self.time, self.steps, self.factor, self.bits = \
            struct.unpack_from("<IHHdQfI", data)
        check(magic == MAGIC and version == 1, f"head {magic:x} {version}")
        check(len(data) % 8 == 0, f"length {len(data)}")
        self.parts, self.scans, self.tiles, self.rows = {}, {}, {}, []
        self.subscription = self.signals = None
        at = 32
        for _ in range(sections):
            kind, count = struct.unpack_from("<II", data, at)
            check(kind not in self.parts, f"section {kind} twice")
            at = self.section(kind, count, at + 8)
            at += -at % 8
        check(at == len(data), f"sections end at {at} of {len(data)}")

    def section(self, kind, count, at):
        self.parts[kind] = count
        if kind in EACH:
            n = EACH[kind]
            values = struct.unpack_from(f"<{n * count}f", self.data, at)
            self.parts[kind] = [values[i * n:i * n + n] for i in range(count)]
            return at + 4 * n * count
        if kind == SCANS:
            for _ in range(count):
                sensor, n = struct.unpack_from("<II", self.data, at)
                self.scans[sensor] = struct.unpack_from(f"<{n}f", self.data, at + 8)
                at += 8 + 4 * n
                at += -at % 8
        elif kind == GROUND:
            for _ in range(count):
                column, row, cell, n = struct.unpack_from("<iifI", self.data, at)
                heights = struct.unpack_from(f"<{n * n}f", self.data, at + 16)
                self.tiles[column, row] = (cell, n, heights)
                at += 16 + 4 * n * n
                at += -at % 8
        elif kind == CURVES:
            self.subscription, self.signals = struct.unpack_from("<II", self.data, at)
            at += 8
            for _ in range(count):
                self.rows.append((struct.unpack_from("<d", self.data, at)[0],
                                  struct.unpack_from(f"<{self.signals}f", self.data, at + 8)))
                at += 8 + 4 * self.signals
                at += -at % 8
        else:
            check(False, f"section of kind {kind}")
        return at

    def vehicle(self, i=0):
        return self.parts[VEHICLES][i]

    def state(self):
        """What must be equal of two equal states."""
        return self.steps, self.parts.get(VEHICLES), self.parts.get(WHEELS), self.parts.get(BLOCKS)


def near(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def distance(a, b):
    return math.dist(a[:3], b[:3])


# ---- tests ----

DEMO = SOURCE / "worlds" / "demo.xml"


def test_pages():
    with Viewer(DEMO, "--paused") as viewer:
        status, headers, body = viewer.get("/")
        check(status == 200 and b"<" in body, "page")
        check(headers["Content-Type"].startswith("text/html"), "type of the page")
        policy = headers["Content-Security-Policy"]
        check("default-src 'none'" in policy and "unsafe" not in policy, f"policy {policy}")
        status, headers, packed = viewer.get("/", {"Accept-Encoding": "gzip"})
        check(headers["Content-Encoding"] == "gzip" and len(packed) < 1.5e6, "packed page")
        for path in ("/nothing", "/../etc/passwd", "/asset/98", "/asset/99", "/asset/x", "/state/3",
                     "/state/11", "/state/", "/%2e%2e/x", "/" + "x" * 3000):
            check(viewer.get(path)[0] in (404, 414, 400, 403), f"answers {path[:30]}")
        check(viewer.get("/scene.json", method="POST", body=b"x")[0] == 405, "POST")
        status, headers, body = viewer.get("/scene.json", method="HEAD")
        check(status == 200 and body == b"", "HEAD")

        status, _, body = viewer.get("/terrain?x0=-5&y0=-4&x1=5&y1=4&nx=21&ny=11")
        check(status == 200 and struct.unpack("<231f", body) == (0.0,) * 231, "flat terrain")
        status, _, body = viewer.get("/terrain?x0=-100&y0=0&x1=-90&y1=1&nx=2&ny=2")
        check(all(math.isnan(z) for z in struct.unpack("<4f", body)), "terrain off the ground")
        status, _, body = viewer.get("/soil?x0=-5&y0=-4&x1=5&y1=4&nx=3&ny=2")
        check(status == 200 and body == b"\xff" * 6, "soil of a world that names none")
        for query in ("", "?x0=1", "?x0=-5&y0=-4&x1=5&y1=4&nx=1&ny=2",
                      "?x0=-5&y0=-4&x1=5&y1=4&nx=1026&ny=2", "?x0=nan&y0=0&x1=1&y1=1&nx=2&ny=2",
                      "?x0=1e99&y0=0&x1=1&y1=1&nx=2&ny=2", "?x0=-5&y0=-4&x1=5&y1=4&nx=a&ny=2"):
            check(viewer.get("/terrain" + query)[0] == 400, f"terrain{query}")
    with Viewer(SOURCE / "worlds" / "ramp.xml", "--paused") as viewer:
        # 1.5 m in 10 m; x runs fastest
        status, _, body = viewer.get("/terrain?x0=-10&y0=-1&x1=10&y1=1&nx=1025&ny=1025")
        heights = struct.unpack(f"<{1025 * 1025}f", body)
        check(all(abs(heights[1025 * j + i] - 0.15 * (-10 + 20 * i / 1024)) < 1e-5
                  for j in (0, 500, 1024) for i in range(0, 1025, 64)), "heights of a ramp")
    with Viewer(SOURCE / "worlds" / "mixed_ground.xml", "--paused") as viewer:
        soils = [s["name"] for s in viewer.scene()["soils"]]
        check(soils == ["dry_road", "soft_clay", "soft_sand", "bare_ice"], f"soils {soils}")
        _, _, body = viewer.get("/soil?x0=10&y0=0&x1=10.1&y1=16&nx=2&ny=3")
        # ice at y 0, sand at 8, clay at 16
        check(list(body[::2]) == [3, 2, 1], f"soils by place {list(body)}")


KNOWN = {"version", "mode", "title", "description", "timestep", "gravity", "duration", "extent",
         "ground", "soils", "roads", "gui", "sun", "assets", "vehicles", "links", "blocks", "walls", "grids", "scenery",
         "markers", "points", "joints", "sensors", "signals", "parameters", "visuals", "classes", "georeference",
         "weather", "lamps"}


def check_scene(name, scene):
    def want(fine, what):
        check(fine, f"scene of {name}: {what}")

    want(set(scene) <= KNOWN, f"members {set(scene) - KNOWN}")
    want(scene["version"] == 1 and scene["mode"] == "live" and scene["title"] == name, "head")
    want(scene["timestep"] > 0 and scene["gravity"] >= 0, "numbers")
    x0, y0, x1, y1 = scene["extent"]
    want(x0 < x1 and y0 < y1, "extent")
    want(isinstance(scene["ground"]["flat"], bool), "ground")
    links = 0
    for vehicle in scene["vehicles"]:
        outline, z = vehicle["chassis"]["outline"], vehicle["chassis"]["z"]
        want(len(outline) >= 3 and z[0] < z[1], f"chassis of {vehicle['name']}")
        want(re.fullmatch("#[0-9a-fA-F]{6}", vehicle["color"]), "colour")
        want(vehicle["mass"] > 0 and isinstance(vehicle["drivable"], bool), "vehicle")
        for wheel in vehicle["wheels"]:
            want(wheel["radius"] > 0 and wheel["width"] >= 0 and wheel["name"], "wheel")
            links += wheel["links"]
        for visual in vehicle.get("visuals", []):
            want(0 <= visual["asset"] < len(scene["assets"]) and len(visual["pose"]) == 6, "visual")
    want(links == len(scene.get("links", [])), "links")
    names = {b["name"] for b in scene["blocks"]}
    for block in scene["blocks"]:
        # actors whose parts move, and these parts, are drawn by the meshes of the parts alone
        drawn = f"{block['name']}/0" in names or (not block["outline"] and block.get("visuals"))
        want((drawn or len(block["outline"]) >= 3) and len(block["pose"]) == 7, f"block {block['name']}")
        want(drawn or block["z"][0] < block["z"][1], "heights of a block")
        want(set(block.get("joint", {})) in (set(), {"type", "axis", "grounded"}), "joint of a body")
    bodies = {b["name"] for b in scene["vehicles"] + scene["blocks"]}
    for joint in scene.get("joints", []):
        want(len(joint["bodies"]) == 2 and set(joint["bodies"]) <= bodies, f"joint {joint['name']}")
        want([len(anchor) for anchor in joint["anchors"]] == [2, 2], "anchors")
    for wall in scene["walls"]:
        want(len(wall["outline"]) >= 3 and wall["z"][0] < wall["z"][1], "wall")
    for piece in scene["roads"]:
        want(len(piece["outline"]) >= 3 and piece["color"].startswith("#"), "piece of a road")
        want(piece["class"] in ("road", "road marking", "pavement"), f"class {piece['class']}")
    for sensor in scene["sensors"]:
        want((sensor["rays"] > 0) == (sensor["type"] == "laser"), "rays")
        want(len(sensor["pose"]) == 6, "sensor")
    want(all(signal["name"] and "unit" in signal for signal in scene["signals"]), "signals")
    want(len({signal["name"] for signal in scene["signals"]}) == len(scene["signals"]), "names")
    for parameter in scene["parameters"]:
        want(parameter["path"] and isinstance(parameter["value"], str), "parameter")
        if "min" in parameter and parameter["value"]:
            want(float(parameter["value"]) >= parameter["min"], f"range of {parameter['path']}")


def test_scenes():
    """Every world that can be read here: its scene, and a frame that fits it."""
    for world in sorted((SOURCE / "worlds").glob("*.xml"))[::4 if SANITIZE else 1]:
        if subprocess.run([COMMAND, "check", str(world), "--quiet"], capture_output=True,
                          check=False).returncode != 0:
            print("skipped, as a file of it is missing:", world.name)
            continue
        with Viewer(world, "--paused") as viewer:
            scene = viewer.scene()
            check_scene(world.name, scene)
            _, frame = viewer.page()
            for kind, n in ((VEHICLES, len(scene["vehicles"])),
                            (WHEELS, sum(len(v["wheels"]) for v in scene["vehicles"])),
                            (LINKS, len(scene.get("links", []))),
                            (BLOCKS, sum(b["moves"] for b in scene["blocks"]))):
                check(len(frame.parts.get(kind, [])) == n, f"{world.name}: section {kind}")
            check(all(math.isfinite(x) for part in EACH for row in frame.parts.get(part, [])
                      for x in row), f"{world.name}: numbers that are not finite")


def test_scene_of_demo():
    with Viewer(DEMO, "--paused", "--set", "gravity=9.7") as viewer:
        scene = viewer.scene()
        rover, car, tug, trailer = scene["vehicles"]
        check([v["name"] for v in scene["vehicles"]] == ["rover", "car", "tug", "trailer"], "names")
        check(scene["gravity"] == 9.7, "--set")
        check(scene["ground"] == {"flat": True, "keeps_ruts": False}, "flat ground")
        check(scene["extent"] == [-15, -12, 15, 12], f"extent {scene['extent']}")
        check(rover["drivable"] and car["drivable"] and tug["drivable"]
              and not trailer["drivable"], "who can be driven")
        check([(c["name"], c["unit"]) for c in car["commands"]] == [("speed", "m/s"), ("steer", "rad")] and "controller" not in trailer, "commands")
        check(abs(scene["gui"]["azimuth"] + math.pi / 3) < 1e-12 and scene["gui"]["distance"] == 30,
              "gui")
        crate, pillar = scene["blocks"]
        check(crate["moves"] and not pillar["moves"], "blocks")
        check(crate["z"] == [0, 0.8] and len(crate["outline"]) == 4, "crate")
        check(len(pillar["outline"]) == 32 and pillar["z"] == [0, 2], "pillar")
        # four walls around, one with a door of 2.4 m in three parts
        check(len(scene["walls"]) == 7, f"{len(scene['walls'])} parts of walls")
        lintel = [w for w in scene["walls"] if w["z"][0] > 0]
        check(len(lintel) == 1 and lintel[0]["z"] == [1.4, 1.5], "lintel")
        ys = [y for _, y in lintel[0]["outline"]] if lintel else []
        check(near(max(ys) - min(ys), 2.4, 1e-9), "width of the door")
        paths = {p["path"]: p for p in scene["parameters"]}
        friction = paths["rover/tyre.friction"]
        check(friction["min"] == 0 and float(friction["value"]) > 0 and friction["doc"], "friction")
        check("rover/controller.proportional_gain" in paths and "rover/lf.radius" not in paths,
              "parameters")
        # set points only say where a run begins
        check(not {"rover/controller.speed", "rover/controller.yaw_rate", "car/controller.speed",
                   "car/controller.steer"} & set(paths), "set points among the parameters")


def area(outline):
    return 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, outline[1:] + outline[:1]))


def test_roads():
    with Viewer(SOURCE / "worlds" / "scenarios" / "urban.xml", "--paused") as viewer:
        scene = viewer.scene()
        covered = {}
        for piece in scene["roads"]:
            covered[piece["class"]] = covered.get(piece["class"], 0) + area(piece["outline"])
        # 130 + 130 + 100 + 100 m of streets of 7 m, and a crossing of 20 m by 20 m
        check(abs(covered["road"] - (460 * 7 + 400)) < 1, f"road {covered['road']} m2")
        check(abs(covered["pavement"] - 460 * 2 * 3) < 1, f"pavement {covered['pavement']} m2")
        check(not scene["ground"]["flat"], "kerbs")
        # the soil has no material of its own: it has that of the world
        check(scene["soils"][0]["grass"] == 1 and scene["ground"]["grass"] == 1, "lawn")


def triangles_of(glb):
    """Bounds of the points of a GLB, in its own axes, and its triangles."""
    magic, version, size, length, kind = struct.unpack_from("<4sIII4s", glb)
    check(magic == b"glTF" and version == 2 and size == len(glb) and kind == b"JSON", "GLB")
    gltf = json.loads(glb[20:20 + length])
    parts = [p["indices"] for p in gltf["meshes"][0]["primitives"]]
    return gltf["accessors"][0], sum(gltf["accessors"][i]["count"] for i in parts) // 3


def test_scenery():
    """The mesh of each form once, and places; the cone of 0.75 m and the poles stand where the world says."""
    path = Path(tempfile.mkdtemp()) / "scenery.xml"
    path.write_text("""<world timestep="5 ms">
      <scenery type="cone" places="3 4" yaw="90 deg" size="2 2"/>
      <scenery type="cone" height="0.5 m" places="-3 4, -5 4, -7 4"/>
      <scenery name="wood" type="tree" kind="conifer" number="200" area="-50 -50, 50 -50, 50 50, -50 50"/>
      <actor name="hiker" path="0 0, 9 0"><scenery type="person" height="1.8 m"/></actor>
    </world>""")
    with Viewer(path, "--paused") as viewer:
        scene = viewer.scene()
        scenery, assets = scene["scenery"], scene["assets"]
        forms = scenery["forms"]
        check(scene["walls"] == [], "no prisms where there are meshes")
        places = list(struct.iter_unpack("<5f", viewer.get(f"/asset/{scenery['places']}")[2]))
        check(len(places) == sum(f["count"] for f in forms) == 204, f"{len(places)} places")
        check(places[0][:2] == (3, 4) and near(places[0][3], math.pi / 2, 1e-6) and places[0][4] == 2,
              f"the large cone stands at {places[0]}")
        check({p[:2] for p in places[1:4]} == {(-3, 4), (-5, 4), (-7, 4)}, "the other cones")
        check(all(abs(x) <= 50 and abs(y) <= 50 and s == 1 for x, y, _, _, s in places[4:]), "trees")
        x, y = [p[0] for p in places], [p[1] for p in places]
        check(all(near(a, b, 1e-4) for a, b in
                  zip(scenery["extent"], [min(x), min(y), max(x), max(y)])),
              f"extent {scenery['extent']}")
        trees = [f for f in forms if f["name"] == "wood"]
        check(len({f["variant"] for f in trees}) == len(trees) == 12, "each variant once")
        check(len({f["asset"] for f in forms}) == len(forms), "each form has a mesh of its own")
        for form, height in ((forms[0], 0.75), (forms[1], 0.5)):
            check(assets[form["asset"]].endswith(".glb"), assets[form["asset"]])
            points, triangles = triangles_of(viewer.get(f"/asset/{form['asset']}")[2])
            # of metres at size 1
            check(near(points["max"][2], height, 1e-6) and triangles > 50, f"cone {points}")
        # the same packed
        path_of_mesh = f"/asset/{trees[0]['asset']}"
        plain = viewer.get(path_of_mesh)[2]
        _, headers, packed = viewer.get(path_of_mesh, {"Accept-Encoding": "gzip"})
        check({k.lower(): v for k, v in headers.items()}.get("content-encoding") == "gzip"
              and len(packed) < 0.8 * len(plain) and gzip.decompress(packed) == plain,
              f"a mesh of {len(plain)} bytes is sent as {len(packed)}")
        hiker, *limbs = scene["blocks"]
        check(hiker["outline"] == [] and [b["name"] for b in limbs] == [f"hiker/{i}" for i in range(11)], "limbs")
        tops, soles = [], []
        for limb in limbs:
            visual, = limb["visuals"]
            points, _ = triangles_of(viewer.get(f"/asset/{visual['asset']}")[2])
            check(visual["made"] and limb["moves"], "visual of a limb")
            tops.append(limb["pose"][2] + points["max"][2])
            soles.append(limb["pose"][2] + points["min"][2])
        check(near(max(tops), 1.8, 0.05) and near(min(soles), 0, 1e-6), f"hiker from {min(soles)} to {max(tops)}")
    shutil.rmtree(path.parent)


def test_place_on_earth():
    """A page needs it for paths of satellite fixes, however the file says it."""
    with Viewer(SOURCE / "worlds" / "sensors.xml", "--paused") as viewer:
        place = viewer.scene()["georeference"]
        check(near(math.degrees(place["latitude"]), 48.15, 1e-12)
              and near(math.degrees(place["longitude"]), 11.57, 1e-12)
              and place["height"] == 520 and place["rotation"] == 0, f"{place}")


def test_lamps():
    """Lamps as the file has them, where they are mounted; and the light of the world that they compete with."""
    with Viewer(SOURCE / "worlds" / "scenarios" / "night_convoy.xml", "--paused") as viewer:
        scene = viewer.scene()
        check(scene["sun"]["illuminance"] == 5, f"{scene['sun']}")
        street, _, *carried = scene["lamps"]
        check("vehicle" not in street and street["pose"][:3] == [-45.5, 2.6, 5.9], f"{street}")
        check(near(street["pose"][4], math.pi / 2, 1e-12) and street["intensity"] == 1500
              and street["spread"] == [0, 0] and street["color"] == "#ffd9a0", f"{street}")
        check(near(math.degrees(street["cone"]), 75, 1e-9), f"{street}")
        # where it gives 0.05 lx
        check(near(street["reach"], math.sqrt(1500 / 0.05), 1e-9), f"{street}")
        check([lamp["vehicle"] for lamp in carried] == [0] * 4 + [1] * 4 + [2] * 4, "who carries lamps")
        head = carried[0]
        check(head["pose"][:3] == [2.36, 0.65, 0.95] and head["stray"] == 400 and head["radius"] == 0.09, f"{head}")
        check([round(math.degrees(a), 9) for a in (*head["spread"], head["cone"], head["cutoff"])]
              == [9, 3, 60, 0.9], f"{head}")


def test_images_on_ground():
    """One picture of all images on the ground, from above; none where a soil of its own lies upon them, or without any."""
    folder = Path(tempfile.mkdtemp())
    # 2 by 2 pixels: red and green above, blue and white below
    (folder / "quarters.ppm").write_text("P3\n2 2\n255\n255 0 0  0 255 0\n0 0 255  255 255 255\n")
    world = """<world timestep="5 ms">
      <plane x_min="-32 m" x_max="32 m" y_min="-32 m" y_max="32 m" %s/>
      <sensor type="camera" name="camera" z="2 m"/>
    </world>"""
    path = folder / "image.xml"
    path.write_text(world % 'texture="quarters.ppm" texture_size="64 64 m"')
    with Viewer(path, "--paused") as viewer:
        scene = viewer.scene()
        image = scene["ground"]["image"]
        width, height = image["width"], image["height"]
        pixels = viewer.get(f"/asset/{image['asset']}")[2]
        check(len(pixels) == 4 * width * height and max(width, height) == 1024, f"{image}")
        x0, y0, x1, y1 = scene["extent"]

        def at(x, y):
            row, column = int((y - y0) / (y1 - y0) * height), int((x - x0) / (x1 - x0) * width)
            return tuple(pixels[4 * (row * width + column):][:4])

        # its right is x, its upper side y
        quarters = [at(-16, 16), at(16, 16), at(-16, -16), at(16, -16)]
        wanted = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255)]
        # a pixel's middle is up to 3 cm beside that of a quarter: a thousandth of the next one, linear
        check(all(abs(a - b) <= 8 for p, q in zip(quarters, wanted) for a, b in zip(p, q)), f"{quarters}")
    path.write_text(world % "")
    with Viewer(path, "--paused") as viewer:
        check("image" not in viewer.scene()["ground"], "image of a bare plane")
    shutil.rmtree(folder)


def test_what_holds_bodies():
    """Joints, what bodies of mechanisms hang on, loads of hitches, and fields of view, as the files have them."""
    with Viewer(SOURCE / "worlds" / "ropes.xml", "--paused") as viewer:
        rope, rod, spring = viewer.scene()["joints"]
        check(rope == {"name": "rope", "type": "distance", "bodies": ["tug", "sledge"],
                       "anchors": [[-0.35, 0], [0.4, 0]], "min": 0, "max": 2, "stiffness": 0}, f"{rope}")
        check(rod["min"] == rod["max"] == 1.5 and rod["bodies"] == ["front", "rear"], f"{rod}")
        check(spring["stiffness"] == 20 and spring["max"] == 4, f"{spring}")
    with Viewer(SOURCE / "worlds" / "mechanisms.xml", "--paused") as viewer:
        joints = [block.get("joint") for block in viewer.scene()["blocks"]]
        hinge = {"type": "hinge", "axis": [0, 1, 0]}
        check(joints == [{**hinge, "grounded": True}, {**hinge, "grounded": True},
                         {**hinge, "grounded": False}, None], f"joints of bodies: {joints}")
    with Viewer(SOURCE / "worlds" / "manoeuvres" / "drawbar_pull.xml", "--paused") as viewer:
        hitch = viewer.scene()["vehicles"][0]["hitch"]
        check([hitch[k] for k in ("force", "ramp", "start")] == [20000, 500, 3]
              and len(hitch["position"]) == 3, f"{hitch}")
    with Viewer(SOURCE / "worlds" / "lidar.xml", "--paused") as viewer:
        vlp16, mast, _ = viewer.scene()["sensors"]
        # Velodyne's manual: 16 channels from -15 to 15 degrees, 100 m
        check([round(math.degrees(e), 9) for e in vlp16["elevation"]] == [-15, 15], f"{vlp16}")
        check(near(vlp16["fov"], 2 * math.pi, 1e-12) and vlp16["range"] == 100, f"{vlp16}")
        check([round(math.degrees(e), 9) for e in mast["elevation"]] == [-25, 10], f"{mast}")


# ---- frames against rut run ----


def run_csv(world, steps, timestep, names, *settings):
    folder = Path("log_" + world.stem)
    subprocess.run([COMMAND, "run", str(world), "--quiet", "--csv", str(folder), "--csv-every", "1",
                    "--duration", repr(steps * timestep), *settings], check=True,
                   capture_output=True)
    rows = {}
    for name in names:
        with open(folder / f"{name}.csv", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        rows[name] = {key: float(value) for key, value in table[steps].items()
                      if value and key != "event"}
    return rows


def angles(q):
    w, x, y, z = q
    return (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            math.asin(max(-1, min(1, 2 * (w * y - z * x)))),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def test_frames():
    for name, steps in (("demo", 700), ("rover_sine", 900), ("depot", 500)):
        world = SOURCE / "worlds" / f"{name}.xml"
        with Viewer(world, "--paused") as viewer:
            scene = viewer.scene()
            client, first = viewer.page()
            check(first.steps == 0 and first.bits & PAUSED, f"{name}: paused at the start")
            frame = client.step(steps)
            names = [v["name"] for v in scene["vehicles"]]
            moving = [b["name"] for b in scene["blocks"] if b["moves"]]
            rows = run_csv(world, steps, scene["timestep"], names + moving)
            check(abs(frame.time - steps * scene["timestep"]) < 1e-9, f"{name}: time {frame.time}")
            wheel = 0
            for i, vehicle in enumerate(scene["vehicles"]):
                row, got = rows[vehicle["name"]], frame.vehicle(i)
                want = [row["x [m]"], row["y [m]"], row["z [m]"]]
                check(all(near(a, b, 1e-5) for a, b in zip(got, want)),
                      f"{name}/{vehicle['name']}: at {got[:3]}, not {want}")
                want = (row["roll [rad]"], row["pitch [rad]"], row["yaw [rad]"])
                check(all(abs(math.remainder(a - b, 2 * math.pi)) < 1e-5
                          for a, b in zip(angles(got[3:7]), want)), f"{name}: attitude")
                check(near(got[7], row["velocity_x [m/s]"], 1e-5), f"{name}: speed")
                for w in vehicle["wheels"]:
                    got = frame.parts[WHEELS][wheel]
                    check(near(got[13], row[w["name"] + ".slip"], 1e-5), f"{name}: slip")
                    load = row[w["name"] + ".load [N]"]
                    if name == "demo":
                        check(near(got[12], load, 1e-4), f"{name}: load {got[12]}, not {load}")
                    wheel += 1
            for i, block in enumerate(moving):
                row, got = rows[block], frame.parts[BLOCKS][i]
                check(all(near(a, row[k], 1e-5) for a, k in zip(got, ("x [m]", "y [m]", "z [m]"))),
                      f"{name}/{block}: place")


def test_inputs():
    """Set points over time hold as in a run, also after a reset."""
    world = SOURCE / "worlds" / "slalom.xml"
    table = str(SOURCE / "worlds" / "inputs" / "slalom.csv")
    with Viewer(world, "--paused", "--inputs", table) as viewer:
        scene = viewer.scene()
        client, _ = viewer.page()
        first = client.step(600)
        rows = run_csv(world, 600, scene["timestep"], [v["name"] for v in scene["vehicles"]],
                       "--inputs", table)
        for i, vehicle in enumerate(scene["vehicles"]):
            row, got = rows[vehicle["name"]], first.vehicle(i)
            check(all(near(a, row[k], 1e-5) for a, k in zip(got, ("x [m]", "y [m]", "z [m]"))),
                  f"{vehicle['name']} at {got[:3]}")
        check(first.vehicle(0)[7] > 1, "it drives")
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED and f.steps == 0)
        check(client.step(600).state() == first.state(), "inputs after a reset")


def test_scans():
    """A laser's frame holds the ranges that the log has, and only when they are new."""
    world = SOURCE / "worlds" / "corridor.xml"
    with Viewer(world, "--paused") as viewer:
        scene = viewer.scene()
        client, _ = viewer.page()
        frame = client.step(40)
        run_csv(world, 40, scene["timestep"], [scene["vehicles"][0]["name"]])
        check(set(frame.scans) == {0, 1} and len(frame.scans[0]) == 721, "two lasers")
        with open(next(Path("log_corridor").glob("*.low.csv")), encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        want = [float(x) for x in rows[-1][1:]]
        check(all(near(a, b, 1e-5) for a, b in zip(frame.scans[0], want)), "ranges")
        client.say("step", n=1)
        frame = client.frame(lambda f: f.steps == 41)
        check(not frame.scans, "a sample that is not new")


# ---- time ----


def test_time():
    with Viewer(DEMO) as viewer:
        client, first = viewer.page()
        status = client.text("status", lambda s: not s["paused"])
        check(status["mode"] == "live" and status["clients"] == 1 and status["rate"] == 1
              and status["end"] is None and status["slots"] == []
              and status["driven"] == ["world"] * 4, f"status {status}")
        second = client.frame(lambda f: f.time > first.time + 0.2)
        check(second.steps > first.steps, "it runs")
        client.say("pause")
        client.frame(lambda f: f.bits & PAUSED)
        client.drain()
        time.sleep(0.3)
        check(not client.drain(), "frames of a paused run")
        client.say("hello")
        held = client.frame(lambda f: f.bits & PAUSED)
        check(client.step(7).steps == held.steps + 7, "steps")

        client.say("reset")
        start = client.frame(lambda f: f.bits & JUMPED and f.steps == 0, "frame after a reset")
        one = client.step(400)
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED and f.steps == 0)
        two = client.step(400)
        check(one.state() == two.state(), "a run repeated is another")
        check(start.vehicle()[:3] != one.vehicle()[:3], "400 steps change nothing")

        # saved, gone on, restored, gone on: the same
        client.say("save", slot=2)
        client.text("status", lambda s: s["slots"] == [2])
        three = client.step(300)
        client.say("restore", slot=2)
        back = client.frame(lambda f: f.bits & JUMPED and f.steps == 400, "frame of a saved state")
        check(back.state() == two.state(), "a saved state")
        check(client.step(300).state() == three.state(), "a run from a saved state is another")
        client.say("restore", slot=3)
        check("slot 3" in client.text("error")["message"], "an empty slot")

        # over HTTP: out, and in to another slot
        status, _, state = viewer.get("/state/2")
        check(status == 200 and len(state) > 100, "a state as bytes")
        check(viewer.get("/state/5", method="PUT", body=state)[0] == 200, "a state put back")
        client.text("status", lambda s: s["slots"] == [2, 5])
        client.say("restore", slot=5)
        back = client.frame(lambda f: f.bits & JUMPED and f.steps == 400)
        check(back.state() == two.state(), "a state put back is another")
        forged = bytearray(state)
        forged[len(forged) // 2] ^= 1
        for body in (bytes(forged), b"", b"x" * 30, state[:-9], state + b"x"):
            check(viewer.get("/state/6", method="PUT", body=body)[0] in (409, 413),
                  "a state that is none")
        check(viewer.get("/state/6")[0] == 404, "a slot after a refusal")


def test_pace():
    with Viewer(DEMO) as viewer:
        client, _ = viewer.page()
        for rate, high in ((1, 1.2), (0.25, 0.3), (5, 6)):
            client.say("rate", value=rate)
            client.text("status", lambda s: s["rate"] == rate)
            client.drain()
            begin, frame = time.monotonic(), client.frame()
            time.sleep(1)
            last = client.drain()[-1]
            factor = (last.time - frame.time) / (time.monotonic() - begin)
            # never early; how late a loaded machine is says nothing
            check(0 < factor <= high, f"rate {rate}: {factor:.3f}")
        client.say("rate", value=0)
        client.text("status", lambda s: s["rate"] == 0)
        client.drain()
        frame = client.frame()
        time.sleep(1)
        last = client.drain()[-1]
        check(last.time - frame.time > 1.5 / SLOW, f"as fast as it goes: {last.time - frame.time}")
        check(last.factor > 1.5 / SLOW, f"factor {last.factor}")


# ---- driving ----


def test_surfaces():
    """Walls and blocks have the colours of their materials, as cameras see them."""
    Path("surfaces.xml").write_text("""<world>
      <wall from="5 0" to="5 4"><material colour="0.5 0.25 0"/></wall>
      <wall from="6 0" to="6 4" color="#102030"/>
      <block name="a" shape="box" size="1 1 1" fixed="true"><material colour="1 0.25 0.5"/></block>
      <block name="b" position="3 0" shape="box" size="1 1 1" fixed="true" color="#405060"/>
    </world>""", encoding="utf-8")
    with Viewer("surfaces.xml", "--paused") as viewer:
        scene = viewer.scene()
    # IEC 61966-2-1: 0.25 has the code 137, 0.5 has 188
    check([w["color"] for w in scene["walls"]] == ["#bc8900", "#102030"], f"walls {scene['walls']}")
    check([b["color"] for b in scene["blocks"]] == ["#ff89bc", "#405060"], f"blocks {scene['blocks']}")


def test_ground_image():
    """An image on the ground is there although the world has no camera."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    red = bytes((0, 200, 0, 0))  # a row of one pixel, unfiltered
    Path("red.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
                                chunk(b"IDAT", zlib.compress(red)) + chunk(b"IEND", b""))
    Path("painted.xml").write_text("""<world><elevation_map matrix="[0 0 0; 0 1 0; 0 0 0]" texture="red.png"/></world>""", encoding="utf-8")
    with Viewer("painted.xml", "--paused") as viewer:
        image = viewer.scene()["ground"]["image"]
        pixels = viewer.get(f"/asset/{image['asset']}")[2]
        check(len(pixels) == 4 * image["width"] * image["height"], f"image {image}")
        check(pixels[:4] == bytes((200, 0, 0, 255)), f"pixel {pixels[:4]}")


def drive_for(client, seconds, **pedals):
    """Drive for a while of wall time; the frames that came."""
    frames = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        client.say("drive", **pedals)
        client.read(0.05)
        frames += client.drain()
    return frames


def drive_through(client, seconds, **pedals):
    """Drive for a while of simulated time, which a loaded machine makes longer; the frames that came."""
    begin, frames = client.frame().time, []
    patience = time.monotonic() + 60
    while (not frames or frames[-1].time < begin + seconds) and time.monotonic() < patience:
        frames += drive_for(client, 0.1, **pedals)
    return frames


def speed_up(frame, i=0):
    return frame.vehicle(i)[7]


def test_drive():
    with Viewer(DEMO) as viewer:
        client, _ = viewer.page()
        # its world sends the rover round a circle at 1 m/s
        frames = drive_through(client, 1.5, vehicle=0, throttle=-1, steering=0)
        check(client.text("status", lambda s: s["driven"][0] == "page"), "who drives")
        check(speed_up(frames[-1]) < -0.5, f"backwards: {speed_up(frames[-1])}")
        # silence lets the pedals go
        stood = client.frame(lambda f: f.time > frames[-1].time + 3)
        check(abs(speed_up(stood)) < 0.05, f"let go: {speed_up(stood)}")
        frames = drive_through(client, 1, vehicle=0, throttle=1, steering=1)
        check(speed_up(frames[-1]) > 0.3, "forwards")
        turned = [angles(f.vehicle()[3:7])[2] for f in (frames[0], frames[-1])]
        check(math.remainder(turned[1] - turned[0], 2 * math.pi) > 0.1, "steering to the left")
        frames = drive_through(client, 1, vehicle=0, throttle=1, brake=1)
        check(abs(speed_up(frames[-1])) < 0.1, "brake")
        client.say("release", vehicle=0)
        client.text("status", lambda s: s["driven"][0] == "world")
        client.say("rate", value=4)
        t = client.frame().time
        check(abs(speed_up(client.frame(lambda f: f.time > t + 3)) - 1) < 0.1, "handed back")
        # set points of the world's controller
        client.say("command", vehicle=0, values=[-0.6, 0])
        t = client.frame().time
        check(abs(speed_up(client.frame(lambda f: f.time > t + 3)) + 0.6) < 0.1, "set points")
        client.texts.clear()
        for wrong in ({"vehicle": 0, "values": [1] * 9}, {"vehicle": 99, "values": [1]}):
            client.say("command", **wrong)
            client.text("error")
        client.say("drive", vehicle=3, throttle=1)
        check("cannot be driven" in client.text("error")["message"], "the trailer")
        client.say("drive", vehicle=77, throttle=1)
        client.text("error")


def test_drive_substitute():
    """A driver of its own gives way to pedals, and takes over again."""
    with Viewer(SOURCE / "worlds" / "figure_of_eight.xml") as viewer:
        client, _ = viewer.page()
        scene = viewer.scene()
        check(scene["vehicles"][0]["drivable"], "a vehicle with a driver")
        client.frame(lambda f: f.time > 1)
        before = client.frame()
        frames = drive_for(client, 2 * SLOW, vehicle=0, brake=1, throttle=0)
        check(not any(t["type"] == "error" for t in client.texts), f"{client.texts}")
        gap = max(distance(a.vehicle(), b.vehicle()) for a, b in zip(frames, frames[1:]))
        check(gap < 2, f"it jumps by {gap} m as another takes the wheel")
        check(frames[-1].time > before.time and not any(f.bits & JUMPED for f in frames),
              "time goes on")
        client.say("rate", value=4)
        t = frames[-1].time
        while frames[-1].time < t + 6:
            frames = drive_for(client, 0.3, vehicle=0, brake=1, throttle=0) or frames
        check(abs(speed_up(frames[-1])) < 0.3, f"braked: {speed_up(frames[-1])} m/s")
        client.say("release", vehicle=0)
        t = frames[-1].time
        gone = client.frame(lambda f: f.time > t + 6)
        check(speed_up(gone) > 0.5, f"its driver goes on: {speed_up(gone)} m/s")


AFAR = """
<world timestep="2 ms">
  <vehicle name="truck">
    <chassis mass="100 kg" outline="-1 -0.5, -1 0.5, 1 0.5, 1 -0.5"/>
    <wheel place="left" position="0 0.5 m" radius="0.2 m"/>
    <wheel place="right" position="0 -0.5 m" radius="0.2 m"/>
    <controller type="twist_ideal">{channels}</controller>
  </vehicle>
</world>
"""


def afar(folder, channels):
    world = Path(folder) / "afar.xml"
    world.write_text(AFAR.format(channels=channels))
    return world


def see_channels(viewer):
    """A command that is given at t moves the vehicle at t + 0.3 s; a state at t is seen at t + 0.4 s, by the frame of 25 Hz
    that shows it. All of it in simulated time."""
    client, _ = viewer.page()
    told = viewer.scene()["vehicles"][0]["afar"]
    check(told["video"] == {"latency": 0.4, "jitter": 0, "loss": 0, "rate": 25}, f"{told}")
    check(told["commands"]["latency"] == 0.3, f"{told}")
    client.say("subscribe", signals=["truck/speed"])
    client.step(100)
    # its controllers are compiled, and shown, before time goes on
    client.say("drive", vehicle=0, throttle=1, steering=0)
    time.sleep(0.3 * SLOW)
    client.drain()
    rows, steps = [], 100
    for _ in range(60):
        client.say("drive", vehicle=0, throttle=1, steering=0)
        client.say("step", n=10)
        steps += 10
        t = 0.002 * steps
        # pictures are sent at multiples of 40 ms after the page began to drive at 0.2 s
        sent = math.floor((t - 0.4) * 25 + 1e-6) / 25
        seen = sent if sent > 0.2 + 1e-9 else 0.2
        while True:
            frame = client.frame(what=f"picture of {seen} s at {t} s")
            check(frame.time < seen + 1e-9, f"a picture of {frame.time} s at {t} s")
            rows += frame.rows
            if abs(frame.time - seen) < 1e-9:
                break
        check(all(r[0] < seen + 1e-9 for r in frame.rows), "numbers before their picture")
    before = [v[0] for t, v in rows if t < 0.5 + 1e-9]
    after = [v[0] for t, v in rows if t > 0.506]
    check(len(before) > 40 and max(before) == 0, f"before the command: {before[-3:]}")
    check(len(after) > 40 and min(after) > 1, f"after the command: {after[:3]}")
    client.say("release", vehicle=0)
    check(abs(client.frame(lambda f: f.time > 1.39).time - 1.4) < 1e-9, "live again")


def test_drive_from_afar():
    """Channels that the world has."""
    with tempfile.TemporaryDirectory() as folder:
        with Viewer(afar(folder, '<teleoperation video_latency="0.4" frame_rate="25" command_latency="0.3"/>'), "--paused") as viewer:
            see_channels(viewer)


def test_drive_any_world_from_afar():
    """Channels of the command line are the element, with what the world says where nothing is said; logs have it."""
    with tempfile.TemporaryDirectory() as folder:
        for inside, options in (("", ("--video-latency", "400ms", "--frame-rate", "25", "--command-latency", "300 ms")),
                                ("", ("--latency", "0.3", "--video-latency=0.4s", "--frame-rate=25Hz")),
                                ('<teleoperation video_latency="9" frame_rate="25" command_jitter="0"/>',
                                 ("--command-latency", "0.005 min", "--video-latency", "0.4 s"))):
            log = Path(folder) / "afar.mcap"
            log.unlink(missing_ok=True)
            with Viewer(afar(folder, inside), "--paused", "--record", str(log), *options) as viewer:
                see_channels(viewer)
            world = ElementTree.fromstring(run(str(log), "--attachment", "world.xml", verb="log").stdout)
            told = world.findall("vehicle/controller/teleoperation")
            check(len(told) == 1 and [told[0].get(k) for k in ("video_latency", "frame_rate", "command_latency")]
                  == ["0.4 s", "25 Hz", "0.3 s"], f"{options}: the log has {[t.attrib for t in told]}")


LOOP = """
<world timestep="2 ms">
  <vehicle name="truck">
    <chassis mass="100 kg" outline="-1 -0.5, -1 0.5, 1 0.5, 1 -0.5"/>
    <wheel place="left" position="0 0.5 m" radius="0.2 m"/>
    <wheel place="right" position="0 -0.5 m" radius="0.2 m"/>
    <tyre type="coulomb" friction="0.9"/>
    <drive type="direct"/>
    <controller type="{}"/>
  </vehicle>
</world>
"""


def speeds(world, *options):
    """Speeds of the truck, every 50 ms of 3 s, after a command at the start."""
    with Viewer(world, "--paused", *options) as viewer:
        client, _ = viewer.page()
        client.say("drive", vehicle=0, throttle=0.2, steering=0)
        # its controllers are compiled meanwhile
        time.sleep(0.4 * SLOW)
        found = []
        for i in range(60):
            client.say("drive", vehicle=0, throttle=0.2, steering=0)
            client.say("step", n=25)
            found.append(speed_up(client.frame(lambda f: f.time > 0.05 * (i + 1) - 1e-9)))
        return found


def test_a_loop_from_afar():
    """The person is afar, the controller is not: set points travel, and the loop of speed is closed in the vehicle. So it drives as it
    does without channels, 0.3 s later; a loop through 0.3 s each way would swing."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "loop.xml"
        world.write_text(LOOP.format("twist_pid"))
        near, far = speeds(world), speeds(world, "--command-latency", "300 ms", "--command-rate", "0")
        check(max(map(abs, far[:6])) < 1e-6, f"before the command: {far[:6]}")
        gap = max(abs(a - b) for a, b in zip(near, far[6:]))
        check(gap < 0.02, f"its speed is {gap} m/s off: {near} {far}")
        # towards a fifth of 5 m/s
        check(0.8 < far[-1] < 1.05, f"{far[-1]} m/s")


def test_who_drives_from_afar():
    """Vehicles that a page can drive: those with a controller that drives alone, in a cascade, in a blend, or that one stands in for; not
    a trailer. One that only says who drives has no channels."""
    worlds = SOURCE / "worlds"
    for name in ("demo.xml", "figure_of_eight.xml", "autonomy/goal_dead_end.xml", "autonomy/shared_control.xml", "trailer.xml"):
        options = ("--latency", "200 ms", "--jitter", "50 ms", "--loss", "5%", "--frame-rate", "10", "--command-rate", "20")
        with Viewer(worlds / name, "--paused", *options) as viewer:
            vehicles = viewer.scene()["vehicles"]
            check(any(v["drivable"] for v in vehicles), f"{name}: nobody drives")
            for vehicle in vehicles:
                wanted = {"video": {"latency": 0.2, "jitter": 0.05, "loss": 0.05, "rate": 10},
                          "commands": {"latency": 0.2, "jitter": 0.05, "loss": 0.05, "rate": 20}} if vehicle["drivable"] else None
                check(vehicle.get("afar") == wanted, f"{name}: {vehicle['name']}: {vehicle.get('afar')}")
    for option, message in ((("--latency", "300xs"), "unknown unit"), (("--loss", "200%"), "at most 1"), (("--frame-rate", "10 m"), "does not fit"),
                            (("--video-jitter=-1",), "at least 0"), (("--command-rate", "often"), "not a number")):
        done = run(str(DEMO), "--port", "0", "--no-open", "--end-with-input", *option)
        check(done.returncode == 2 and option[0].split("=")[0] in done.stderr and message in done.stderr, f"{option}: {done.returncode} {done.stderr}")
    # a delay of more steps than there may be
    done = run(str(DEMO), "--port", "0", "--no-open", "--end-with-input", "--latency", "999 s")
    check(done.returncode == 3 and "video_latency" in done.stderr, f"{done.returncode} {done.stderr}")
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.xml"
        empty.write_text("<world/>")
        done = run(str(empty), "--port", "0", "--no-open", "--end-with-input", "--loss", "1%")
        check(done.returncode == 0 and "for --loss" in done.stderr, f"{done.returncode} {done.stderr}")


def test_ends_with_its_input():
    """A viewer ends with the program that started it, however that ends."""
    viewer = Viewer(DEMO, "--end-with-input", stdin=subprocess.PIPE)
    viewer.process.stdin.write("what comes is not heeded\n" * 10000)
    viewer.process.stdin.flush()
    viewer.page()
    check(viewer.process.poll() is None, "it ends before its input")
    viewer.process.stdin.close()
    check(viewer.process.wait(PATIENCE) == 0, "exit code")


def test_drive_a_driver_from_afar():
    """Where a controller stands in for a model of a driver, commands come by the radio of that driver; video does not reach
    the controller, which is in the vehicle. A reset is seen at once."""
    world = SOURCE / "worlds" / "autonomy" / "teleoperation.xml"
    with Viewer(world, "--paused") as viewer:
        client, _ = viewer.page()
        told = [v.get("afar") for v in viewer.scene()["vehicles"]]
        check(told[0] is None and told[1]["video"]["latency"] == 0.3, f"channels {told}")
        client.say("drive", vehicle=1, steering=0, throttle=0, brake=1)
        client.text("status", lambda s: s["driven"][1] == "page")
        client.say("resume")
        frames = drive_through(client, 3, vehicle=1, brake=1, throttle=0)
        check(not any(t["type"] == "error" for t in client.texts), f"{client.texts}")
        times = [f.time for f in frames]
        check(times == sorted(times), "pictures in their order")
        check(all(abs(t * 25 - round(t * 25)) < 1e-6 for t in times), f"pictures at 25 Hz: {times[:5]}")
        # it rolls until the first command is there, however soon the controller stands in: 8 m/s2 of the brakes take 0.5 m/s in 0.06 s
        early = [speed_up(f, 1) for f in frames if f.time < 0.3]
        check(len(early) > 3 and min(early) > early[0] - 0.5, f"braked before the command: {early}")
        check(speed_up(frames[-1], 1) < early[0] - 1, "braked")
        client.say("reset")
        check(client.frame(lambda f: f.bits & JUMPED).time < 0.1, "a reset is seen at once")


def test_drive_shared():
    """A person at the page is the human of shared control: held straight at a crate, the automation takes over and passes it;
    behind it the vehicle is the person's again."""
    with Viewer(SOURCE / "worlds" / "autonomy" / "shared_control.xml", "--paused") as viewer:
        client, _ = viewer.page()
        client.say("subscribe", signals=["together/controller/shared_authority"])
        client.say("drive", vehicle=1, steering=0, throttle=0.2)
        client.text("status", lambda s: s["driven"][1] == "page")
        client.say("rate", value=4)
        client.say("resume")
        frames = []
        while not frames or (frames[-1].vehicle(1)[0] < 115 and frames[-1].time < 20):
            frames = frames + drive_for(client, 0.2, vehicle=1, steering=0, throttle=0.2)
        check(not any(t["type"] == "error" for t in client.texts), f"{client.texts}")
        beside = [f.vehicle(1)[1] - 20 for f in frames if 99 < f.vehicle(1)[0] < 101]
        # half of the crate and half of the vehicle
        check(beside and min(beside) > 1 + 1.08, f"beside the crate: {beside}")
        rows = [(t, values[0]) for f in frames for t, values in f.rows]
        most = max(k for _, k in rows)
        check(max(k for t, k in rows if t < 3) == 0 and most > 0.03, f"authority up to {most}")
        frames = drive_through(client, 6, vehicle=1, steering=0, throttle=0, brake=1)
        check(abs(speed_up(frames[-1], 1)) < 0.5, f"braked: {speed_up(frames[-1], 1)} m/s")


def test_drive_cascade():
    """Pedals take the place of a whole cascade, which drives again later."""
    with Viewer(SOURCE / "worlds" / "autonomy" / "goal_dead_end.xml") as viewer:
        client, _ = viewer.page()
        frames = drive_through(client, 4, vehicle=0, steering=0, throttle=0, brake=1)
        check(not any(t["type"] == "error" for t in client.texts), f"{client.texts}")
        check(abs(speed_up(frames[-1])) < 0.5, f"braked: {speed_up(frames[-1])} m/s")
        client.say("release", vehicle=0)
        client.frame(lambda f: speed_up(f) > 2, "its own controllers drive")


CRAWL = """
#include <rut/component.h>
#define FIELDS(X) X(max_torque, "N m", 0, 0, 1e9, "sum of the demands at full throttle")
typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;
static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};
static const rutVariable commands[] = {
    RUT_SET_POINT(gas, "", THROTTLE, "part of full throttle")
    RUT_SET_POINT(stop, "", BRAKE, "part of the full brakes")
    RUT_SET_POINT(wheel, "", STEERING, "part of full lock")};
static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in, double* state,
                   const rutControlOut* out) {
  const int lanes = in->lanes;
  const double full = layout->full_demand > 0 ? layout->full_demand : ((const Param*)param)->max_torque;
  for (int l = 0; l < lanes; l++) {
    const double error = in->command[l] - in->odo_speed[l];
    const double demand = (error > 1 ? 1 : error < -1 ? -1 : error) * full / in->demands;
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = demand;
    out->brake[l] = in->command[lanes + l];
    out->steer[l] = in->command[2 * lanes + l] * layout->max_steer;
  }
  (void)state;
}
static const rutControllerType crawl = {
    .base = {RUT_HEAD(rutControllerType, "controller", "crawl", "vehicle", "At most 1 m/s at full throttle.", fields)},
    .command = commands, .commands = RUT_COUNT_OF(commands), .stands_in = true, .update = update};
RUT_PLUGIN(&crawl.base)
"""


def test_drive_plugin():
    """A controller of a plug-in is driven by what its set points mean, and stands in where it says that it can: either
    way its 1 m/s at full throttle is what comes."""
    library = Path.cwd() / "crawl.so"
    flags = ["-fsanitize=" + SANITIZE] if SANITIZE else []
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *flags,
                    f"-I{SOURCE}/include", f"-I{BINARY}/include", "-x", "c", "-", "-o", str(library)],
                   input=CRAWL, text=True, check=True)
    for name, controller in (("stands in", '"driver" speed="4"'), ("its own", '"crawl" max_torque="3000 N m"')):
        Path("crawl.xml").write_text(f"""<world timestep="1 ms">
          <vehicle name="car">
            <chassis mass="1200" outline="-1.5 -0.6, 1.5 -0.6, 1.5 0.6, -1.5 0.6" z_min="0.4" z_max="1.2"/>
            <suspension type="slider" stiffness="50 kN/m" damping="5 kN s/m"/>
            <tyre type="fiala" stiffness="200 kN/m"/>
            <axle x="1.2" track="1.2" radius="0.4" width="0.2" max_steer="30 deg"/>
            <axle x="-1.2" track="1.2" radius="0.4" width="0.2"/>
            <drive type="open"/>
            <controller type={controller}/>
          </vehicle>
        </world>""", encoding="utf-8")
        with Viewer("crawl.xml", "--plugin", str(library)) as viewer:
            client, _ = viewer.page()
            check(viewer.scene()["vehicles"][0]["drivable"], f"{name}: drivable")
            client.say("rate", value=4)
            begin = client.frame().time
            frames = []
            while not frames or frames[-1].time < begin + 12:
                frames = drive_for(client, 0.3, vehicle=0, throttle=1, steering=0) or frames
            check(not any(t["type"] == "error" for t in client.texts), f"{name}: {client.texts}")
            check(abs(speed_up(frames[-1]) - 1) < 0.2, f"{name}: {speed_up(frames[-1])} m/s")


def test_drive_busy():
    """A vehicle that is handed back while very many changes wait gets its driver back after them; its
    set points are then told again, also to a page that came while another drove."""
    with Viewer(SOURCE / "worlds" / "figure_of_eight.xml") as viewer:
        client, _ = viewer.page()
        scene = viewer.scene()
        name = scene["vehicles"][0]["name"] + "/command_speed"
        check(name in [s["name"] for s in scene["signals"]], f"signal {name}")
        begin = client.frame().time
        frames = []
        while not frames or frames[-1].time < begin + 1:
            frames = drive_for(client, 0.3, vehicle=0, brake=1, throttle=0) or frames
        client.say("subscribe", signals=[name])
        # the first rows are from before it was driven
        late = client.frame(lambda f: f.rows and f.rows[-1][0] > begin + 0.9, "rows while driven")
        driven = [values[0] for t, values in late.rows if t > begin + 0.9]
        check(all(math.isnan(value) for value in driven), "set points of a stand-in")
        for i in range(300):
            client.say("set", path="gravity", value=9.8 + i / 1e4)
            client.say("set", path=scene["parameters"][1]["path"],
                       value=scene["parameters"][1]["value"])
        client.say("release", vehicle=0)
        client.text("status", lambda s: s["driven"][0] == "world")
        back = client.frame(lambda f: f.rows and math.isfinite(f.rows[-1][1][0]), "its driver")
        check(back.rows[-1][1][0] > 0, f"its speed {back.rows[-1]}")


# ---- changes while it runs ----


def test_set():
    world = SOURCE / "worlds" / "split_friction.xml"
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        client.step(200)
        client.say("save", slot=0)
        client.text("status", lambda s: s["slots"] == [0])
        free = client.step(300)
        client.say("restore", slot=0)
        client.frame(lambda f: f.bits & JUMPED)
        client.say("set", path="rover/tyre.friction", value="0.001")
        told = client.text("parameter")
        check(told["path"] == "rover/tyre.friction" and told["value"] == "0.001", "told")
        value = [p["value"] for p in viewer.scene()["parameters"]
                 if p["path"] == "rover/tyre.friction"]
        check(value == ["0.001"], f"the scene says {value}")
        slippery = client.step(300)
        check(slippery.steps == free.steps, "time goes on after a change")
        check(distance(slippery.vehicle(0), free.vehicle(0)) > 0.01, "friction changes the motion")
        check(slippery.vehicle(1) == free.vehicle(1), "and that of others not")
        # a state of before the change goes over to the changed world
        client.say("restore", slot=0)
        back = client.frame(lambda f: f.bits & JUMPED and f.steps == 200, "an older state")
        check(not any(t["type"] == "error" for t in client.texts), "an older state is refused")
        check(client.step(300).vehicle(0) == slippery.vehicle(0), "the change holds after it")
        check(back.steps == 200, "steps")
        # units, and what is refused
        client.say("set", path="rover/chassis.mass", value="0.04 t")
        client.text("scene")
        check(client.text("parameter")["value"] == "40", "a value in the unit of its field")
        mass = viewer.scene()["vehicles"][0]["mass"]
        check(near(mass, 46, 0.2), f"mass {mass}")
        hello = client.step(1)
        for path, value in (("rover/tyre.friction", "-1"), ("rover/tyre.friction", "1 kg"),
                            ("rover/tyre.fricton", "1"), ("nobody.mass", "1"), ("", ""),
                            ("timestep", "nan"), ("rover/wheel[0].radius", "0 m"),
                            ("rover/chassis.z_max", "-5 m"), ("timestep", "1 ms"),
                            ("rover/wheel[0].radius", "0.2 m"), ("rover/chassis.mass", ""),
                            ("rover/controller.speed", "2 m/s")):
            client.say("set", path=path, value=value)
            check(client.text("error")["message"], f"set {path}")
        check(client.step(1).steps == hello.steps + 1, "it goes on after errors")
        client.say("set", path="gravity", value=5)
        check(client.text("parameter")["value"] == "5", "a number")
    with Viewer(world) as viewer:
        client, _ = viewer.page()
        for i in range(60):
            client.say("set", path="gravity", value=f"{9 + i / 60} m/s2")
        client.text("parameter", lambda p: p["value"].startswith("9.98"))
        client.frame(lambda f: f.steps > 0, "step while a slider is drawn")


RAW = '''<world timestep="5 ms">
  <vehicle name="cart" max_steer="30 deg">
    <chassis mass="30 kg" outline="-0.4 -0.2, 0.4 -0.2, 0.4 0.2, -0.4 0.2"/>
    <wheel name="l" place="left" position="0 0.28 m" mass="1.5 kg" radius="0.13 m"/>
    <wheel name="r" place="right" position="0 -0.28 m" mass="1.5 kg" radius="0.13 m"/>
    <tyre type="coulomb" friction="2"/><drive type="direct"/>
    <controller type="raw"/>
  </vehicle>
</world>
'''


def test_set_mass():
    """Full throttle of a vehicle whose torques are driven follows its mass at once."""
    Path("raw.xml").write_text(RAW, encoding="utf-8")
    with Viewer("raw.xml") as viewer:
        client, _ = viewer.page()
        client.say("set", path="cart/chassis.mass", value="600 kg")
        client.text("parameter")
        first = last = client.frame()
        while last.time < first.time + 1:
            last = (drive_for(client, 0.2, vehicle=0, throttle=1) or [last])[-1]
        # half of the weight pushes
        check(speed_up(last) > 2, f"{speed_up(last)} m/s after a second of full throttle")


def test_set_no_file():
    """A page gets no file but those that the world names."""
    Path("secret.obj").write_text("v 1 2 3\n", encoding="utf-8")
    Path("box.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8")
    world = DEMO.read_text(encoding="utf-8").replace('file="vehicles/',
                                                     f'file="{DEMO.parent}/vehicles/')
    Path("visual.xml").write_text(
        re.sub(r"(<world[^>]*>)", r'\1<visual model="box.obj"/>', world, count=1), encoding="utf-8")
    with Viewer("visual.xml", "--paused", "--allow-dir", str(DEMO.parent)) as viewer:
        client, _ = viewer.page()
        assets = json.loads(viewer.get("/scene.json")[2])["assets"]
        box = f"/asset/{[a.endswith('box.obj') for a in assets].index(True)}"
        check(b"f 1 2 3" in viewer.get(box)[2], "a file of the world")
        client.say("set", path="visual.model", value="secret.obj")
        check("not among the parameters" in client.text("error")["message"], "another file")
        check(b"f 1 2 3" in viewer.get(box)[2], "the file after it")


# ---- curves ----


def test_curves():
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("subscribe", signals=["rover/x", "car/speed", "time"])
        client.say("step", n=400)
        rows = []
        while not rows or rows[-1][0] < 2 - 1e-9:
            frame = client.frame(lambda f: f.rows)
            check(frame.subscription == 1 and frame.signals == 3, "subscription")
            rows += frame.rows
        times = [t for t, _ in rows]
        check(times == sorted(times) and len(rows) >= 390, f"{len(rows)} rows")
        check(all(abs(t - values[2]) < 1e-5 for t, values in rows), "time of rows")
        log = run_csv(DEMO, 400, 0.005, ["rover", "car"])
        check(near(rows[-1][1][0], log["rover"]["x [m]"], 1e-5), "value of a row")
        client.say("subscribe", signals=["rover/yaw"])
        client.say("step", n=10)
        rows = []
        # all ten, so that none of them is under way at the reset
        while not rows or rows[-1][0] < 2.05 - 1e-9:
            frame = client.frame(lambda f: f.rows and f.subscription == 2, "second subscription")
            check(frame.signals == 1, "fewer signals")
            rows += frame.rows
        client.texts.clear()
        client.say("subscribe", signals=["rover/sped"])
        check("rover/speed" in client.text("error")["message"], "a misspelt signal")
        client.say("subscribe", signals=["rover/x"] * 65)
        client.text("error")
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED)
        client.say("step", n=5)
        frame = client.frame(lambda f: f.rows)
        check(frame.subscription == 2 and frame.rows[0][0] < 0.02, "rows after a reset")


def rows_of(client, until):
    """Rows of the newest subscription, up to a time."""
    rows, newest = [], 0
    while not rows or rows[-1][0] < until - 1e-9:
        frame = client.frame(lambda f: f.rows)
        if frame.subscription != newest:
            rows, newest = [], frame.subscription
        rows += frame.rows
    return rows


def test_history():
    """Curves that are asked for late begin with what was before, also beside others."""
    with Viewer(DEMO) as viewer:
        client, _ = viewer.page()
        client.frame(lambda f: f.time > 1.5)
        client.say("pause")
        end = client.frame(lambda f: f.bits & PAUSED).time
        client.drain()
        client.say("subscribe", signals=["rover/x"])
        rows = rows_of(client, end - 0.3)
        times = [t for t, _ in rows]
        check(times[0] < 0.5 and times == sorted(set(times)), f"rows from {times[0]} on")
        check(8 < len(rows) < 21 * end, f"{len(rows)} rows in {end} s")
        run_csv(DEMO, round(end / 0.005), 0.005, ["rover"])
        with open(Path("log_demo") / "rover.csv", encoding="utf-8") as file:
            log = [float(row["x [m]"]) for row in csv.DictReader(file)]
        check(all(near(values[0], log[round(t / 0.005)], 1e-5) for t, values in rows), "values")
        # a second signal has as much of a past; one row a step from now on
        client.say("subscribe", signals=["rover/x", "car/speed"])
        client.say("step", n=20)
        both = rows_of(client, end + 0.1)
        check([t for t, _ in both[:len(rows)]] == times, "the same past")
        check(all(a[0] == b[0] for (_, a), (_, b) in zip(rows, both)), "of the same signal")
        check(len(both) == len(rows) + 20, f"{len(both)} rows")
        # what was before a reset is no past of what comes after it
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED)
        client.say("step", n=20)
        client.frame(lambda f: f.steps == 20)
        client.drain()
        client.say("subscribe", signals=["car/speed"])
        check(rows_of(client, 0.05)[-1][0] < 0.11, "rows of before a reset")


# ---- ground ----


def test_ground():
    """Ruts come as tiles, and are where the library says that the ground is lower."""
    with Viewer(SOURCE / "worlds" / "figure_of_eight.xml", "--paused") as viewer:
        scene = viewer.scene()
        check(scene["ground"]["keeps_ruts"] and scene["ground"]["rut_cell"] == 0.05, "ground")
        client, first = viewer.page()
        check(not first.tiles, "tiles before a wheel has turned")
        client.say("step", n=3000)
        tiles, frame = {}, first
        while frame.steps < 3000:
            frame = client.frame()
            tiles.update(frame.tiles)
        # a slow machine sends the last ones later
        begin = last = time.monotonic()
        while time.monotonic() < min(last + 2, begin + 30):
            if not client.read(0.2):
                continue
            for frame in client.drain():
                tiles.update(frame.tiles)
                last = time.monotonic() if frame.tiles else last
        check(len(tiles) > 3, f"{len(tiles)} tiles")
        deep = [min(h) for _, _, h in tiles.values()]
        check(-0.3 < min(deep) < -0.005, f"deepest {min(deep)} m")
        cell, n, _ = next(iter(tiles.values()))
        check(abs(cell - 0.05) < 1e-7 and n > 2, "cell")
        # neighbours share a line of heights
        shared = 0
        for (column, row), (_, _, heights) in tiles.items():
            other = tiles.get((column + 1, row))
            if other:
                shared += 1
                check([heights[n * j + n - 1] for j in range(n)]
                      == [other[2][n * j] for j in range(n)], "seam between tiles")
        check(shared > 0, "no neighbours")
        # another page gets them all, and a hello again
        late, frame = viewer.page()
        seen = dict(frame.tiles)
        while len(seen) < len(tiles):
            seen.update(late.frame(lambda f: f.tiles).tiles)
        check(seen == tiles, "tiles of a page that came late")
        _, _, body = viewer.get("/terrain?x0=-1&y0=-1&x1=1&y1=1&nx=9&ny=9")
        check(struct.unpack("<81f", body) == (0.0,) * 81, "terrain has no ruts")
        client.say("reset")
        flat = dict(client.frame(lambda f: f.bits & JUMPED).tiles)
        rutted = {place for place, (_, _, heights) in tiles.items() if set(heights) != {0.0}}
        while not rutted <= set(flat):
            flat.update(client.frame(lambda f: f.tiles, "tiles after a reset").tiles)
        check(all(set(h) == {0.0} for _, _, h in flat.values()), "ruts after a reset")


# ---- several pages ----


def test_two_pages():
    with Viewer(DEMO) as viewer:
        one, _ = viewer.page()
        two, _ = viewer.page()
        check(one.text("status", lambda s: s["clients"] == 2), "two pages")
        drive_for(one, 0.3, vehicle=0, throttle=1)
        drive_for(two, 0.3, vehicle=1, throttle=1)
        two.text("status", lambda s: s["driven"] == ["page", "page", "world", "world"])
        one.say("pause")
        two.text("status", lambda s: s["paused"])
        one.drain(), two.drain()
        one.say("hello")
        two.say("hello")
        check(one.frame().state() == two.frame().state(), "both see the same")
        two.say("resume")
        one.text("status", lambda s: not s["paused"])
        # one is gone without a word
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
        two.text("status", lambda s: s["clients"] == 1 and s["driven"][0] == "world")
        t = two.frame().time
        check(two.frame(lambda f: f.time > t + 0.5), "the other goes on")
        pages = [viewer.page()[0] for _ in range(31)]
        try:
            Client(viewer.port).frame()
            check(False, "a page too many")
        except Refused as refused:
            check(refused.args[0] == 503, f"a page too many: {refused}")
        check(pages[-1].frame(), "32 pages")


def test_slow_page():
    """A page that never reads does not hold the others, nor the simulation."""
    with Viewer(SOURCE / "worlds" / "swarm.xml") as viewer:
        slow = viewer.client()
        slow.say("hello")
        slow.say("subscribe", signals=[s["name"] for s in viewer.scene()["signals"][:64]])
        client, first = viewer.page()
        last = client.frame(lambda f: f.time > first.time + 4)
        check(last.factor > 0.1, f"factor {last.factor} beside a slow page")
        # what it then reads is old by less than what the system held for it; the rest was left out
        frames = slow.drain()
        slow.frame(lambda f: f.time >= last.time)
        check(len(frames) < 200, f"{len(frames)} frames were kept for it")


# ---- who may talk, and how ----


def test_access():
    with Viewer(DEMO, "--paused") as viewer:
        own = f"127.0.0.1:{viewer.port}"
        for host in (own, f"localhost:{viewer.port}", f"[::1]:{viewer.port}"):
            check(viewer.get("/", {"Host": host})[0] == 200, f"host {host}")
            check(viewer.get("/", {"Host": host, "Origin": f"http://{host}"})[0] == 200, "origin")
        for host in ("evil.example", f"evil.example:{viewer.port}", "127.0.0.1", "localhost:1",
                     f"127.0.0.1.evil.example:{viewer.port}", f"x@127.0.0.1:{viewer.port}"):
            check(viewer.get("/scene.json", {"Host": host})[0] == 403, f"host {host}")
        for origin in ("http://evil.example", "null", f"https://{own}", f"http://{own}.evil.example",
                       "http://127.0.0.1:1", f"http://localhost:{viewer.port}", "x" * 400):
            check(viewer.get("/scene.json", {"Origin": origin})[0] == 403, f"origin {origin[:40]}")
            try:
                viewer.client(headers={"Origin": origin})
                check(False, f"stream for {origin[:40]}")
            except Refused as refused:
                check(refused.args[0] in (403, "closed"), f"{refused}")
        viewer.client(headers={"Origin": f"http://{own}"})
        for site, mode, status in (("cross-site", "no-cors", 403), ("same-site", "cors", 403),
                                   ("same-origin", "cors", 200), ("none", "navigate", 200),
                                   ("cross-site", "navigate", 200)):
            got = viewer.get("/scene.json", {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode})[0]
            check(got == status, f"{site} {mode}: {got}")
        for path, protocol in (("/", "rut.1"), ("/scene.json", "rut.1")):
            try:
                viewer.client(path=path, headers={"Sec-WebSocket-Protocol": protocol})
                check(False, f"stream at {path}")
            except Refused:
                pass
        check(viewer.get("/state/1", {"Origin": "http://evil.example"}, "PUT", b"x" * 40)[0] == 403,
              "PUT from elsewhere")


def test_token():
    with Viewer(DEMO, "--paused", "--host", "0.0.0.0") as viewer:
        check(viewer.token and len(viewer.token) == 32, f"token {viewer.token}")
        for query in ("", "?token=", "?token=" + "0" * 32, "?token=" + viewer.token[:-1],
                      "?token=" + viewer.token + "0"):
            for path in ("/", "/scene.json", "/terrain", "/asset/0", "/state/0"):
                check(viewer.get(path + query)[0] == 403, f"{path} with {query}")
            try:
                viewer.client(path="/stream" + query)
                check(False, f"stream with {query}")
            except Refused as refused:
                check(refused.args[0] in (403, "closed"), f"{refused}")
        check(viewer.get("/scene.json?token=" + viewer.token)[0] == 200, "with the token")
        shown = http.client.HTTPConnection(viewer.host, viewer.port, timeout=PATIENCE)
        shown.request("GET", "/scene.json?token=" + viewer.token)
        check(shown.getresponse().status == 200, f"at the printed address {viewer.host}")
        shown.close()
        client = viewer.client(path="/stream?token=" + viewer.token)
        client.say("hello")
        check(client.frame().steps == 0, "stream with the token")
        origin = {"Origin": "http://evil.example"}
        check(viewer.get("/scene.json?token=" + viewer.token, origin)[0] == 403, "other origin")
    check("warning" in viewer.errors, f"no warning: {viewer.errors!r}")


WRONG = (
    "", "{", "[]", "1", "null", '"hello"', "{}", '{"type":1}', '{"type":"nothing"}',
    '{"type":"step","n":0}', '{"type":"step","n":-1}', '{"type":"step","n":1.5}',
    '{"type":"step","n":"1"}', '{"type":"step","n":1e30}', '{"type":"rate"}',
    '{"type":"rate","value":-1}', '{"type":"rate","value":0.001}', '{"type":"rate","value":1e9}',
    '{"type":"rate","value":null}', '{"type":"rate","value":NaN}', '{"type":"rate","value":1e999}',
    '{"type":"drive"}', '{"type":"drive","vehicle":-1}', '{"type":"drive","vehicle":0,"throttle":2}',
    '{"type":"drive","vehicle":0,"steering":"left"}', '{"type":"drive","vehicle":0,"handbrake":1}',
    '{"type":"drive","vehicle":99999999999999999999}', '{"type":"command","vehicle":0}',
    '{"type":"command","vehicle":0,"values":[1,"x"]}', '{"type":"command","vehicle":0,"values":{}}',
    '{"type":"save"}', '{"type":"save","slot":10}', '{"type":"restore","slot":-1}',
    '{"type":"set","path":1,"value":"1"}', '{"type":"set","path":"x"}',
    '{"type":"set","path":"' + "x" * 600 + '","value":"1"}', '{"type":"subscribe","signals":[1]}',
    '{"type":"subscribe","signals":"x"}', '{"type":"seek","time":1}', '{"type":"loop","on":true}',
    '{"type":"hello","type":"hello"}', "[" * 30000, '{"a":' * 10000, '"' + "x" * 60000,
)


def test_wrong_messages():
    with Viewer(DEMO, "--paused") as viewer:
        client, before = viewer.page()
        client.texts.clear()
        for text in WRONG:
            client.send_raw(1, text.encode())
            check(client.text("error")["message"], f"no word about {text[:60]}")
        client.send_raw(1, b"\xff\xfe{")
        client.send_raw(2, b"binary")
        client.text("error")
        # in pieces, too long, and too long in pieces
        client.texts.clear()
        client.send_raw(1, b'{"type":', final=False)
        client.send_raw(0, b'"step"}')
        check(client.frame(lambda f: f.steps == before.steps + 1), "a message in pieces")
        client.send_raw(1, b'{"type":"step","n":1,"x":"' + b"x" * 70000 + b'"}')
        client.text("error", lambda t: "65536" in t["message"])
        for _ in range(100):
            client.send_raw(1 if _ == 0 else 0, b"x" * 10000, final=False)
        client.send_raw(0, b"x")
        client.text("error", lambda t: "65536" in t["message"])
        client.say("hello")
        check(client.frame().steps == before.steps + 1, "nothing was changed")


def test_random_bytes():
    """A thousand messages of noise, and of messages with noise in them."""
    rng = random.Random(1)
    good = [json.dumps(m).encode() for m in (
        {"type": "step", "n": 1}, {"type": "rate", "value": 1}, {"type": "pause"},
        {"type": "drive", "vehicle": 0, "throttle": 0.5, "steering": 0.1, "brake": 0},
        {"type": "subscribe", "signals": ["rover/x"]}, {"type": "save", "slot": 1},
        {"type": "set", "path": "rover/tyre.friction", "value": "0.5"})]
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        for i in range(1000):
            if i % 2:
                data = bytearray(rng.choice(good))
                for _ in range(rng.randrange(1, 4)):
                    data[rng.randrange(len(data))] = rng.randrange(256)
            else:
                data = rng.randbytes(rng.randrange(200))
            try:
                data.decode()
            except UnicodeDecodeError:
                # text that is not UTF-8 may end the connection (RFC 6455, 8.1)
                data = data.decode("latin-1").encode()
            client.send_raw(1, bytes(data))
            client.read(0)
        fresh, frame = viewer.page()
        check(frame.steps >= 0 and fresh.text("status"), "it lives")
        # and frames of the protocol itself that are none
        for _ in range(50):
            try:
                bad = viewer.client()
                bad.socket.sendall(rng.randbytes(rng.randrange(1, 300)))
                bad.close()
            except (OSError, Refused):
                pass
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", viewer.port), timeout=PATIENCE) as raw:
                raw.sendall(rng.randbytes(rng.randrange(1, 3000)))
        viewer.page()


def test_many_messages():
    """A thousand messages a second, and the simulation keeps its pace."""
    with Viewer(DEMO) as viewer:
        client, first = viewer.page()
        begin = time.monotonic()
        sent = 0
        while time.monotonic() < begin + 3:
            for _ in range(10):
                client.say("drive", vehicle=0, throttle=math.sin(sent), steering=0.1)
                sent += 1
            client.read(0)
            client.frames = client.frames[-1:]
            time.sleep(max(0, begin + sent / 1000 - time.monotonic()))
        rate = sent / (time.monotonic() - begin)
        last = client.frame()
        factor = (last.time - first.time) / (time.monotonic() - begin)
        check(factor > 0.1, f"factor {factor:.2f} at {rate:.0f} messages a second")
        check(not any(t["type"] == "error" for t in client.texts), "errors")


def test_flood():
    """One page that asks without end leaves time for the others and for the steps."""
    for message in ({"type": "rate", "value": 1.0}, {"type": "subscribe", "signals": ["time"]},
                    {"type": "reset"}):
        with Viewer(DEMO) as viewer:
            loud, quiet = viewer.client(), viewer.page()[0]
            frames, begin = [], time.monotonic()
            while time.monotonic() < begin + 1.5:
                for _ in range(20):
                    loud.send_raw(1, json.dumps(message).encode())
                loud.drain()
                frames += quiet.drain()
                time.sleep(0.02)
            check(len(frames) > 5, f"{len(frames)} frames beside a flood of {message['type']}")
            statuses = sum(t["type"] == "status" for t in quiet.texts)
            check(statuses < 45, f"{statuses} statuses in 1.5 s")
            if message["type"] != "reset":
                check(frames and frames[-1].steps > 10, f"steps beside {message['type']}")


def test_slow_motion():
    """A hundredth of the pace: a step of 5 ms every half second."""
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("rate", value=0.01)
        client.say("resume")
        check(client.frame(lambda f: f.steps >= 2, "two steps").steps < 10, "slow motion")


# ---- the command line ----


def run(*words, verb="view"):
    return subprocess.run([COMMAND, verb, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=PATIENCE, check=False)


def test_command_line():
    check(run().returncode == 2, "no world")
    check(run("nothing.xml", "--no-open").returncode in (3, 6), "a world that is not there")
    check(run(str(DEMO), "--port", "99999").returncode == 2, "port out of range")
    check(run(str(DEMO), "--no-open", "--host", "no such address").returncode == 6, "address")
    with Viewer(DEMO, "--paused") as viewer:
        done = run(str(DEMO), "--no-open", "--port", str(viewer.port))
        check(done.returncode == 6 and str(viewer.port) in done.stderr, "a port that is taken")
    process = subprocess.Popen([COMMAND, "view", str(DEMO), "--port", "0", "--no-open"],
                               stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    check(process.wait(PATIENCE) == 0, "SIGTERM")


def test_record():
    """A log that is written while a page looks on opens, and has what the pages saw."""
    log = Path("seen.mcap").absolute()
    with Viewer(SOURCE / "worlds" / "figure_of_eight.xml", "--record", str(log)) as viewer:
        client, _ = viewer.page()
        check(client.text("status")["recording"] == "seen.mcap", "recording")
        client.frame(lambda f: f.time > 1)
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED)
        last = client.frame(lambda f: f.time > 1)
    done = subprocess.run([COMMAND, "log", str(log)], capture_output=True, text=True, check=False)
    check(done.returncode == 0 and "/view/frame" in done.stdout, f"{done.stderr}")
    check("scene.json" in done.stdout and last.time > 1, "attachments")
    check(run(str(DEMO), "--no-open", "--record", "/nowhere/x.mcap").returncode == 6, "no folder")


def rows(path):
    """Times of a table."""
    with open(path, encoding="utf-8") as file:
        return [round(float(row[0]), 9) for row in list(csv.reader(file))[1:]]


def test_logs():
    """Logs that the world names: what pages see of them, and what they ask."""
    world = SOURCE / "worlds" / "logged.xml"
    shutil.rmtree("out", ignore_errors=True)  # logs go over no file of an earlier run
    with Viewer(world, "--paused", "--output", "out") as viewer:
        client, _ = viewer.page()

        def log(name, want):
            told = client.text("status", lambda s: any(l["name"] == name and want(l) for l in s["logs"]))
            return told and [l["name"] for l in told["logs"]].index(name)

        run = log("run", lambda l: l == {"name": "run", "state": "recording", "session": 1, "rows": 1,
                                         "file": "run.csv"})
        touch = log("rover/touch", lambda l: l["state"] == "waiting" and l["file"] == "")
        start = log("rover/start", lambda l: l["state"] == "paused")
        check((run, touch, start) == (0, 2, 3), f"logs {(run, touch, start)}")
        client.step(100)
        client.say("log", log=run, order="pause")
        log("run", lambda l: l["state"] == "paused" and l["rows"] == 3)
        client.step(100)
        client.say("log", log=run, order="resume")
        client.say("log", log=run, order="session")
        client.step(100)
        log("run", lambda l: l["rows"] == 2 and l["file"] == "run-2.csv")
        client.say("log", log=run, order="clear")
        log("run", lambda l: l["rows"] == 0 and l["file"] == "" and l["session"] == 2)
        client.step(50)
        # a reset begins a session: no file has time go back
        client.say("reset")
        log("run", lambda l: l["rows"] == 1 and l["session"] == 3)
        client.say("log", log=start, order="resume")
        client.step(50)
        for members, says in (({"log": 99, "order": "pause"}, "there is no log 99"),
                              ({"log": -1, "order": "pause"}, "'log' of log"),
                              ({"log": 0, "order": "delete"}, "pause, resume, clear or session"),
                              ({"log": 0}, "needs 'order'")):
            client.say("log", **members)
            check(says in client.text("error")["message"], f"log {members}")
    check(rows("out/run.csv") == [0, 0.1, 0.2], "rows before the pause")
    check(rows("out/run-2.csv") == [0.7], f"rows after clearing: {rows('out/run-2.csv')}")
    check(rows("out/run-3.csv") == [0, 0.1], f"rows after the reset: {rows('out/run-3.csv')}")
    check(sorted(p.name for p in Path("out").glob("*.mcap")) == ["rover.start.mcap"], "a log in MCAP")
    with Viewer(world, "--paused") as viewer:
        client, _ = viewer.page()
        check(client.text("status")["logs"] == [], "logs without a folder")
        client.say("log", log=0, order="pause")
        check("there is no log 0" in client.text("error")["message"], "an order to no log")
    check("--output DIR" in viewer.errors, viewer.errors)


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 21, 1 << 21))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_record_fails():
    """A log that cannot be written on is given up, and the command tells so at its end."""
    for change in (False, True):
        with Viewer(DEMO, "--record", str(Path("large.mcap").absolute()), restore_signals=False,
                    preexec_fn=limit_files) as viewer:
            client, _ = viewer.page()
            if change:
                client.say("set", path="gravity", value="9.7")
                client.text("parameter")
            client.say("rate", value=0)
            told = client.text("error", lambda e: "given up" in e["message"])
            check("large.mcap" in told["message"], f"{told}")
            check(client.text("status", lambda s: not s.get("recording")), "recording")
            t = client.frame().time
            client.frame(lambda f: f.time > t + 0.5, "frame after it")
            viewer.code = 6
        check("large.mcap" in viewer.errors, f"the end says {viewer.errors!r}")


def test_diverged():
    """A run that diverges stops, says so, and can be reset."""
    with Viewer(SOURCE / "worlds" / "hmmwv.xml", "--set", "timestep=0.5 s") as viewer:
        client, _ = viewer.page()
        client.say("rate", value=0)
        frame = client.frame(lambda f: f.bits & DIVERGED, "divergence")
        check(frame.bits & PAUSED, "paused")
        client.say("resume")
        check("diverged" in client.text("error", lambda t: "reset" in t["message"])["message"], "")
        client.say("reset")
        check(client.frame(lambda f: f.bits & JUMPED).bits & DIVERGED == 0, "reset")


def run_tests(tests):
    """Run the functions test_... of a module, or those that the command line names."""
    if run(str(DEMO), "--host", "no such address").returncode == 5:
        print("skipped: built without the viewer")
        return 77
    wanted = sys.argv[1:]
    for name, test in list(tests.items()):
        if not name.startswith("test_") or not callable(test) or (wanted and name not in wanted):
            continue
        if SANITIZE and name in LONG:
            continue
        begin = time.monotonic()
        try:
            test()
        except Exception as error:  # one test that breaks must not hide the others
            traceback.print_exc()
            check(False, f"{name}: {error!r}")
        print(f"{name}: {time.monotonic() - begin:.1f} s", flush=True)
    for fault in faults:
        print("FAIL:", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
