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
from test_view import COMMAND, DEMO, PATIENCE, SOURCE, Refused, Viewer, check, near, run_tests

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
        client = connect(viewer)
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
    """A reset begins a session whose time begins anew; a pause holds it; late subscribers get what is."""
    with Viewer(DEMO) as viewer:
        client = connect(viewer)
        session = client.op("serverInfo")["sessionId"]
        tf, = client.subscribe("/tf")
        first, _ = client.message(tf)
        client.message(tf, lambda stamp, _: stamp > first + 5e8)
        page, _ = viewer.page()
        page.say("reset")
        again = client.op("serverInfo")
        check(again["sessionId"] != session, "a session after a reset")
        client.messages[tf] = client.messages.get(tf, [])[-1:]
        stamp, _ = client.message(tf, lambda stamp, _: stamp < first + 5e8)
        check(client.times, "time is told")
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


# ---- with Foxglove's client ----


def packages():
    """Folder of the client, None if npm or its packages are not to be had."""
    folder = Path("client").absolute()
    if not shutil.which("npm") or not shutil.which("node"):
        print("left out: what Foxglove's client reads (apt-get install npm)")
        return None
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE / "test" / "foxglove", folder, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"], cwd=folder,
                          capture_output=True, text=True, timeout=200, check=False)
    if done.returncode != 0:
        print(f"left out: what Foxglove's client reads, npm ci failed\n{done.stderr[-400:]}")
        return None
    return folder


CLIENT = []


def ask(viewer, **option):
    """What Foxglove's client gets, None if there is no client."""
    if not CLIENT:
        CLIENT.append(packages())
    if not CLIENT[0]:
        return None
    option = {"protocol": SDK, "seconds": 2, **option}
    done = subprocess.run(["node", CLIENT[0] / "client.mjs", f"ws://127.0.0.1:{viewer.port}/", json.dumps(option)],
                          capture_output=True, text=True, timeout=PATIENCE + 60, check=False)
    check(done.returncode == 0, f"client.mjs: {done.stderr[-500:]}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def logged(world, duration):
    rut("run", world, "-q", "--duration", duration, "--log", "same.mcap")
    done = subprocess.run(["node", CLIENT[0] / "log.mjs", "same.mcap"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    check(done.returncode == 0, f"log.mjs: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def compare(told, log, least):
    """Messages of both have the same bytes. The first ones of a subscription come at any time, and transforms of
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
        check(most >= least.get(topic, 2), f"{topic}: {most} messages of {len(want)} are those of the log")


def test_messages():
    """Foxglove's client decodes all that comes, and its bytes are those of the log of the same run."""
    with Viewer(ROS2, "--set", "robot/speed=0.5" if False else "timestep=5 ms") as viewer:
        told = ask(viewer, values=["/tf", "/robot/odom"])
    if not told:
        return
    last = max(m["time"] for m in told["messages"]["/robot/odom"]) / 1e9
    log = logged(ROS2, math.ceil(last + 1))
    check(told["topics"].items() >= {t: c for t, c in log["topics"].items() if t not in OWN}.items(), "channels")
    compare(told, log, {"/robot/odom": 20, "/robot/state": 20, "/robot/imu": 50, "/robot/scan": 10, "/robot/camera/image_raw": 5})
    check(not told["status"], f"{told['status']}")
    frames = {t["child_frame_id"] for m in told["messages"]["/tf"] for t in m["value"]["transforms"]}
    check(frames >= {"robot", "robot/lr", "crate", "robot/scan", "robot/camera_optical"}, f"frames {frames}")
    scan = told["messages"]["/robot/scan"][-1]["value"]
    # the wall behind it, x = -6, from the laser at x = -3.9: the ray to the right meets y = -5 from y = 1
    check(len(scan["ranges"]) == 64 and near(scan["angle_max"] - scan["angle_min"], math.radians(270), 1e-6), "scan")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
