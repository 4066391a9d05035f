#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut view in the Foxglove WebSocket protocol: channels and messages against the log of the same run, read
with Foxglove's own client; the scene; driving; resets, pauses; and that clients change nothing of a run."""
import json
import math
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from foxglove_client import SDK, WEBSOCKET, connect
from test_view import COMMAND, DEMO, PATIENCE, SANITIZE, SOURCE, Refused, Viewer, check, near, run, run_tests

ROS2 = SOURCE / "worlds" / "ros2.xml"
LIDAR = SOURCE / "worlds" / "lidar.xml"
OWN = ("/view/frame", "/view/ground")  # topics of logs that are of the viewer's page


def rut(*words):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return done.stdout


# ---- without npm ----


def test_introduction():
    """Both names of the protocol; what the server says first; every channel of the log, and the scene."""
    rut("run", ROS2, "-q", "--duration", 0.1, "--log", "short.mcap")
    log = {t["topic"]: t["type"] for t in json.loads(rut("log", "short.mcap", "--json"))["topics"]}
    with Viewer(ROS2, "--paused") as viewer:
        for protocol in (SDK, WEBSOCKET, f"{SDK}, {WEBSOCKET}"):
            client = connect(viewer, protocol=protocol)
            info = client.op("serverInfo")
            check(info["name"] == "rut" and "clientPublish" in info["capabilities"], info)
            client.advertised("/robot/battery")
            told = {t: c["schemaName"] for t, c in client.channels.items()}
            scene = told.pop("/scene")
            check(scene.endswith("SceneUpdate"), f"type of the scene {scene}")
            missing = {t: s for t, s in log.items() if t not in OWN and told.get(t) != s}
            check(not missing, f"topics of the log that are not told: {missing}")
            check(not set(told) - set(log), f"topics that no log has: {set(told) - set(log)}")
            check(len({c["id"] for c in client.channels.values()}) == len(client.channels), "numbers of channels")
        for path, protocol in (("/stream", SDK), ("/", "rut.1"), ("/", f"{SDK}, http"), ("/x", SDK)):
            try:
                connect(viewer, path=path, protocol=protocol)
                check(False, f"{protocol} at {path}")
            except Refused as refused:
                check(refused.args[0] in (404, "closed"), f"{protocol} at {path}: {refused}")


def odometry(data):
    """Position, and speed and yaw rate, of an nav_msgs/Odometry in CDR."""
    at = 4 + 8  # behind the stamp
    for _ in range(2):
        n = struct.unpack_from("<I", data, at)[0]
        at += 4 + n
        at += -at % 4
    at += -(at - 4) % 8
    number = struct.unpack_from("<7d36d6d", data, at)
    return number[:3], number[43], number[48]


def test_driving():
    """Twists in both encodings drive; who goes lets go; what is refused says why."""
    with Viewer(ROS2) as viewer:
        client, page = connect(viewer), viewer.page()[0]
        page.say("rate", value=10)
        odom, = client.subscribe("/robot/odom")
        client.tell("advertise", channels=[
            {"id": 5, "topic": "/robot/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/msg/Twist"},
            {"id": 6, "topic": "/cmd_vel", "encoding": "cdr", "schemaName": "geometry_msgs/Twist"}])
        twist = json.dumps({"linear": {"x": 0.4}, "angular": {"z": -0.5}}).encode()

        def drive_until(channel, data, speed, rate):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                client.publish(channel, data)
                _, told = client.message(odom)
                _, v, w = odometry(told)
                if near(v, speed, 0.01) and near(w, rate, 0.01):
                    return True
                client.messages[odom] = []
            return False

        check(drive_until(5, twist, 0.4, -0.5), "a twist in JSON")
        check(drive_until(6, b"\0\1\0\0" + struct.pack("<6d", -0.2, 0, 0, 0, 0, 0.3), -0.2, 0.3), "a twist in CDR")
        check(drive_until(6, b"\0\0\0\0" + struct.pack(">6d", 0.3, 0, 0, 0, 0, 0), 0.3, 0), "the other order of bytes")
        # who is silent stops
        client.message(odom, lambda _, data: abs(odometry(data)[1]) < 0.01)
        check(not client.texts or all(t["op"] != "status" for t in client.texts), f"complaints {client.texts}")
        for advert, says in (({"topic": "/nobody/cmd_vel"}, "drives no vehicle"), ({"topic": "/robot/odom"}, "drives no vehicle"),
                             ({"schemaName": "std_msgs/String"}, "takes geometry_msgs/Twist"),
                             ({"encoding": "protobuf"}, "takes geometry_msgs/Twist"), ({"id": 5}, "channel 5 already")):
            good = {"id": 9, "topic": "/robot/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/Twist"}
            client.tell("advertise", channels=[{**good, **advert}])
            told = client.op("status")["message"]
            check(says in told, f"{advert}: {told}")
        client.tell("unadvertise", channelIds=[5, 6])
        client.publish(5, twist)
        check("no channel 5" in client.op("status")["message"], "a channel that was taken back")
        # who has not driven lets go of nothing
        client.tell("advertise", channels=[{"id": 8, "topic": "/robot/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/Twist"}])
        page.say("drive", vehicle=0, throttle=0, steering=0, brake=1)
        page.text("status", lambda s: s["driven"][0] == "page")
        client.tell("unadvertise", channelIds=[8])
        client.publish(8, twist)
        client.op("status")
        page.say("rate", value=9)
        status = page.text("status", lambda s: s["rate"] == 9)
        check(status["driven"][0] == "page", f"a client that did not drive took the vehicle away: {status}")


def test_it_changes_nothing():
    """The state after 400 steps is that of a run without clients, to the last bit; and of rut run."""
    states = []
    for watched in (False, True):
        with Viewer(ROS2, "--paused") as viewer:
            if watched:
                client = connect(viewer)
                client.advertised("/robot/battery")
                topics = client.subscribe(*client.channels)
            page, _ = viewer.page()
            page.step(400)
            page.say("save", slot=1)
            page.text("status", lambda s: s["slots"] == [1])
            states.append(viewer.get("/state/1")[2][:-8])  # behind it is a proof that it came from here
            if watched:
                check(all(client.message(t) for t in topics), "every topic has a message")
    check(len(states[0]) > 1000 and states[0] == states[1], "the state of a run with a client is another")


def test_time():
    """A reset sets the time back, and all is told again; a pause holds it; late subscribers get what is."""
    with Viewer(DEMO) as viewer:
        client = connect(viewer)
        session = client.op("serverInfo")["sessionId"]
        tf, scene = client.subscribe("/tf", "/scene")
        first, _ = client.message(tf)
        client.message(scene)
        client.message(tf, lambda stamp, _: stamp > first + 5e8)
        page, _ = viewer.page()
        page.say("reset")
        page.frame(lambda f: f.bits & 8)
        before = len(client.times)
        client.messages = {}
        client.message(tf, lambda stamp, _: stamp < first + 4e8)
        back = [i for i in range(1, len(client.times)) if client.times[i] < client.times[i - 1]]
        check(len(back) == 1 and back[0] > before - 30, f"time goes back {len(back)} times")
        stamp, _ = client.message(scene)
        check(stamp < first + 5e8, "the scene after a reset")
        check(all(t["op"] != "serverInfo" for t in client.texts), "another session")
        check(connect(viewer).op("serverInfo")["sessionId"] == session, "a session for each client")
        page.say("pause")
        page.frame(lambda f: f.bits & 1)
        time.sleep(0.2)
        client.drain()
        client.messages, held = {}, client.times[-1]
        odom, = client.subscribe("/rover/odom")
        stamp, _ = client.message(odom)
        check(stamp == held, f"a pause at {held}, a message of {stamp}")
        time.sleep(0.3)
        client.drain()
        check(client.times[-1] == held and not client.messages[odom], "a pause that goes on")


def test_two_clients():
    """Each gets what it has subscribed, and one that goes leaves the other what it has."""
    with Viewer(DEMO) as viewer:
        one, other = connect(viewer), connect(viewer, protocol=WEBSOCKET)
        a, = one.subscribe("/rover/odom")
        b, c = other.subscribe("/rover/odom", "/car/odom")
        one.message(a)
        stamp, _ = other.message(c)
        other.message(b)
        check(set(one.messages) == {a}, f"one got {set(one.messages)}")
        one.close()
        other.message(c, lambda later, _: later > stamp + 3e8)
        other.tell("unsubscribe", subscriptionIds=[b])
        time.sleep(0.3)
        other.drain()
        other.messages = {}
        stamp, _ = other.message(c)
        other.message(c, lambda later, _: later > stamp + 3e8)
        check(not other.messages.get(b), "messages after unsubscribing")
        check(viewer.get("/scene.json")[0] == 200, "the page beside them")


# ---- who may connect ----


def test_origins():
    """Pages of other places are refused unless the user has named them, and then speak this protocol only."""
    named, other = "https://app.foxglove.dev", "https://evil.example"
    refused = lambda viewer, **options: refuses(lambda: connect(viewer, **options))
    with Viewer(ROS2, "--paused") as viewer:
        own = f"http://127.0.0.1:{viewer.port}"
        connect(viewer, headers={"Origin": own}).op("serverInfo")
        for origin in (named, other, "null", "file://", "x" * 400):
            check(refused(viewer, headers={"Origin": origin}), f"a page of {origin[:30]}")
    check(viewer.errors.count("--origin") == 1 and named in viewer.errors, f"what is told: {viewer.errors!r}")
    with Viewer(ROS2, "--paused", "--origin", named, "--origin", "http://localhost:8080") as viewer:
        cross = {"Origin": named, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "websocket"}
        connect(viewer, headers=cross).op("serverInfo")
        connect(viewer, headers={"Origin": "http://localhost:8080"}).op("serverInfo")
        for origin in (other, "null", named + ".evil.example", "http://app.foxglove.dev", named + ":8080"):
            check(refused(viewer, headers={"Origin": origin}), f"a page of {origin}")
        check(refused(viewer, headers={**cross, "Host": "evil.example"}), "a host that is another")
        for path in ("/", "/scene.json", "/state/1"):
            check(viewer.get(path, cross)[0] == 403, f"{path} for the page of another place")
        try:
            viewer.client(headers=cross)
            check(False, "the stream of the viewer's page")
        except Refused as told:
            check(told.args[0] in (403, "closed"), f"{told}")
    with Viewer(ROS2, "--paused", "--host", "0.0.0.0", "--origin", named) as viewer:
        check(refused(viewer, headers=cross), "a page without the token")
        connect(viewer, headers=cross, path=f"/?token={viewer.token}").op("serverInfo")
    for origin in ("*", "null", "app.foxglove.dev", "https://app.foxglove.dev/", "https://", "https://a b", ""):
        done = run("--origin", origin, str(ROS2))
        check(done.returncode == 2 and "--origin" in done.stderr, f"--origin {origin}: {done.returncode} {done.stderr}")


def refuses(ask_for):
    try:
        ask_for()
        return False
    except Refused as told:
        return told.args[0] in (403, "closed")


# ---- with Foxglove's client ----


def packages():
    """Folder of the client, None if npm or its packages are not to be had."""
    folder = Path("client").absolute()
    if not shutil.which("npm") or not shutil.which("node"):
        print("left out: what Foxglove's client reads (apt-get install npm)")
        return None
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE / "test" / "foxglove", folder, ignore=shutil.ignore_patterns("node_modules"))
    try:
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0"],
                              cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        print("left out: what Foxglove's client reads, npm ci takes too long")
        return None
    if done.returncode != 0:
        print(f"left out: what Foxglove's client reads, npm ci failed\n{done.stderr[-400:]}")
        return None
    return folder


CLIENT = []


def has_client():
    if not CLIENT:
        CLIENT.append(packages())
    return CLIENT[0] is not None


def ask(viewer, **option):
    """What Foxglove's client gets."""
    option = {"protocol": SDK, "seconds": 1.5, **option}
    done = subprocess.run(["node", CLIENT[0] / "client.mjs", f"ws://127.0.0.1:{viewer.port}/", json.dumps(option)],
                          capture_output=True, text=True, timeout=PATIENCE + 60, check=False)
    check(done.returncode == 0, f"client.mjs: {done.stderr[-500:]}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def logged(world, duration, *options):
    rut("run", world, "-q", "--duration", duration, "--log", "same.mcap", *options)
    done = subprocess.run(["node", CLIENT[0] / "log.mjs", "same.mcap"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    check(done.returncode == 0, f"log.mjs: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def compare(told, log, least):
    """Messages of both have the same bytes, and so many at least are of both. The first ones of a subscription come at any time, and transforms of
    sensors are told at most so often."""
    for topic, messages in told["messages"].items():
        if topic in ("/scene", "/tf"):
            continue
        want = {(m["time"], m["digest"]) for m in log["messages"][topic]}
        times = {time for time, _ in want}
        both = [m for m in messages if m["time"] in times]
        wrong = [m["time"] for m in both if (m["time"], m["digest"]) not in want]
        check(not wrong, f"{topic}: other bytes at {wrong[:3]} ns")
        most = len(want & {(m["time"], m["digest"]) for m in messages})
        check(most >= (1 if SANITIZE else least.get(topic, 2)), f"{topic}: {most} messages of {len(want)} are those of the log")


def test_messages():
    """Foxglove's client decodes all that comes, and its bytes are those of the log of the same run."""
    if not has_client():
        return
    with Viewer(ROS2) as viewer:
        told = ask(viewer, values=["/tf"])
    if not told:
        return
    last = max(m["time"] for m in told["messages"]["/robot/odom"]) / 1e9
    log = logged(ROS2, math.ceil(last + 1))
    check(told["topics"].items() >= {t: c for t, c in log["topics"].items() if t not in OWN and t != "/scene"}.items(), "channels")
    # how many come in that time depends on what else the machine does
    compare(told, log, {"/robot/odom": 5, "/robot/state": 5, "/robot/imu": 12, "/robot/scan": 3, "/robot/camera/image_raw": 2})
    check(not told["status"], f"{told['status']}")
    frames = {t["child_frame_id"] for m in told["messages"]["/tf"] for t in m["value"]["transforms"]}
    check(frames >= {"robot", "robot/lr", "crate", "robot/scan", "robot/camera_optical"}, f"frames {frames}")
    scan = told["messages"]["/robot/scan"][-1]["value"]
    check(near(scan["angle_max"] - scan["angle_min"], math.radians(270), 1e-6), "field of view")
    # from (-3.9, 1): ahead to the wall at x = 6 - 0.1, to the left to that at y = 5 - 0.1
    middle = len(scan["ranges"]) // 2
    left = middle + round(math.radians(90) / scan["angle_increment"])
    check(near(scan["ranges"][middle], 9.8, 0.01) and near(scan["ranges"][left], 3.9, 0.02),
          f"ranges {scan['ranges'][middle]} {scan['ranges'][left]}")
    picture = told["messages"]["/robot/camera/image_raw"][-1]["value"]
    check((picture["width"], picture["height"], picture["encoding"]) == (160, 120, "rgb8"), "image")


def entities(messages):
    """The entities that a reader has after messages, by their id."""
    have = {}
    for message in messages:
        for deletion in message["value"]["deletions"]:
            if deletion["type"] == 1:
                have = {}
            have.pop(deletion["id"], None)
        have.update((e["id"], e) for e in message["value"]["entities"])
    return have


def mesh(entity):
    triangles, = entity["triangles"]
    return [(p["x"], p["y"], p["z"]) for p in triangles["points"]], triangles["indices"]


def check_bodies(have, vehicle):
    """A vehicle and its wheels, each in its own frame."""
    points, indices = mesh(have[vehicle])
    check(have[vehicle]["frame_id"] == vehicle and max(indices) == len(points) - 1, f"body of {vehicle}")
    wheels = [e for e in have.values() if e["frame_id"].startswith(vehicle + "/")]
    check(len(wheels) == 4 and all(len(e["cylinders"]) == 1 for e in wheels), f"wheels of {vehicle}")
    # its axis is y: the z of the cylinder, turned about x by a right angle
    turn = wheels[0]["cylinders"][0]["pose"]["orientation"]
    y = 2 * (turn["y"] * turn["z"] - turn["x"] * turn["w"])
    check(near(abs(y), 1, 1e-9), f"axis of a wheel: {turn}")


# Heights in the matrix of worlds/lidar.xml, whose rows run along x, at x and y of -15, 0, 15 m.
HILLS = {(-15, -15): 0.07, (0, 0): 0.23, (15, 15): 0.66, (0, -15): -0.08, (15, 0): 0.52, (0, 15): 1.49}


def test_scene():
    """Vehicles, blocks and hills as one reader has them, live and in a log, by Foxglove's own definition."""
    if not has_client():
        return
    with Viewer(LIDAR) as viewer:
        told = ask(viewer, seconds=1, values=["/scene"])
    if not told:
        return
    log = logged(LIDAR, 0.5, "--log-scene")
    for what, all_of_them in (("live", told), ("log", log)):
        topic = all_of_them["topics"]["/scene"]
        check(topic["schema"] == "foxglove_msgs/msg/SceneUpdate" and topic["encoding"] == "cdr", f"{what}: {topic}")
        have = entities(all_of_them["messages"]["/scene"])
        check_bodies(have, "rover")
        points, _ = mesh(have["block/post3"])
        check(near(max(z for _, _, z in points), 2.2, 1e-6) and have["block/post3"]["frame_id"] == "world", f"{what}: a post")
        ground = [e for i, e in have.items() if i.startswith("ground/")]
        heights = {(round(x, 6), round(y, 6)): z for e in ground for x, y, z in mesh(e)[0]}
        for place, z in HILLS.items():
            check(place in heights and near(heights[place], z, 1e-5), f"{what}: the ground at {place}: {heights.get(place)}, not {z}")
        check(sum(len(mesh(e)[1]) for e in ground) == 6 * 128 * 128, f"{what}: triangles of the ground")
    check(told["topics"]["/scene"]["known"], "the definition of SceneUpdate is another than Foxglove's")
    strip = lambda have: json.dumps([(i, {**e, "timestamp": 0}) for i, e in sorted(have.items())])
    live, kept = (strip(entities(x["messages"]["/scene"])) for x in (told, log))
    check(live == kept, "the live scene is another than that of the log")
    cloud = told["messages"]["/rover/vlp16"][-1]["value"]
    check(cloud["width"] * cloud["height"] * cloud["point_step"] == cloud["row_step"] * cloud["height"] and
          [f["name"] for f in cloud["fields"]][:3] == ["x", "y", "z"], f"points {cloud['fields']}")


def test_ruts():
    """Ruts lie where they lie in the log, in cells that the ground leaves out."""
    world = SOURCE / "worlds" / "figure_of_eight.xml"
    if SANITIZE or not has_client():  # the scene of hills has gone the same way
        return
    with Viewer(world) as viewer:
        page, _ = viewer.page()
        page.say("rate", value=10)
        told = ask(viewer, seconds=1.5, values=["/scene"])
    if not told:
        return
    log = logged(world, 3, "--log-scene")
    for what, messages in (("live", told["messages"]["/scene"]), ("log", log["messages"]["/scene"])):
        have = entities(messages)
        cells = {i: mesh(e)[0] for i, e in have.items() if i.startswith("ground/cell/")}
        check(len(cells) > 3, f"{what}: {len(cells)} cells with ruts")
        deepest = min((z for points in cells.values() for _, _, z in points), default=0)
        check(-0.3 < deepest < -0.005, f"{what}: deepest {deepest} m")
        # live, the ground around new cells follows them, perhaps after the last message that was read
        news = [new for m in messages if (new := {e["id"] for e in m["value"]["entities"]} & cells.keys())]
        awaited = news[-1] if what == "live" else set()
        settled = [p for i, p in cells.items() if i not in awaited]
        check(len(settled) > 1 or what == "live", f"{what}: {len(settled)} cells in the ground that came after them")
        corners = {(round(min(x for x, _, _ in p), 3), round(min(y for _, y, _ in p), 3)) for p in settled}
        for i, e in have.items():
            if i.startswith("ground/") and i not in cells:
                points, indices = mesh(e)
                firsts = {(round(points[k][0], 3), round(points[k][1], 3)) for k in indices[::6]}
                check(not firsts & corners, f"{what}: the ground covers ruts in {i}")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
