#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut run --ros2 before nodes that did not come from us: Cyclone DDS's own binding for Python with types that are defined there
(test/ros2/node.py), and Fast DDS in C++ (test/ros2/fastdds_peer.cpp). Everything stays on 127.0.0.1, without multicast, in a domain
of its own. Parts whose other side cannot be had are left out, and a line says so."""
import json
import math
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import test_view
from harness import COMMAND, SANITIZE, SOURCE, check, faults, near, rut, verdict
from wall_world import wall_world

BUILD = Path(os.environ.get("RUT_BINARY_DIR", SOURCE / "build" / "dev"))
FOLDER = BUILD / "ros2"
WORLD = SOURCE / "worlds" / "ros2.xml"
DOMAIN = random.randint(1, 200)
os.environ["CYCLONEDDS_URI"] = (
    '<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
    "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>30</MaxAutoParticipantIndex><SPDPInterval>200ms</SPDPInterval>"
    '<Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>')
os.environ.pop("ROS_DOMAIN_ID", None)


def start(*words, world=WORLD):
    words = ["run", world, "--ros2", "--domain", DOMAIN, "--quiet", "--json", *words]
    # the command alone is sanitized
    return subprocess.Popen([COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(run, what):
    """Interrupt a run, and return what it says of itself."""
    run.terminate()
    out, err = run.communicate(timeout=120)
    check(run.returncode in (0, 130), f"{what}: exit code {run.returncode}: {err}")
    check("ERROR" not in err, f"{what}: {err}")
    return json.loads(out) if out else {}


def python():
    """The environment with the packages of PyPI, or None."""
    own = FOLDER / "venv" / "bin" / "python"
    if own.exists() and subprocess.run([own, "-c", "import cyclonedds, rosbags"], capture_output=True, check=False).returncode == 0:
        return own
    FOLDER.mkdir(parents=True, exist_ok=True)
    for command in ([sys.executable, "-m", "venv", "--clear", FOLDER / "venv"],
                    [own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--retries", "1", "cyclonedds", "rosbags"]):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    return own


def ask(node, task, *words):
    done = subprocess.run([node, SOURCE / "test" / "ros2" / "node.py", task, str(DOMAIN), *map(str, words)],
                          capture_output=True, text=True, timeout=120, check=False)
    check(done.returncode == 0, f"{task}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def test_what_is_told(node):
    run = start("--realtime=4")
    told = ask(node, "look")
    end(run, "look")
    check(told.get("missing") == [], f"not heard: {told.get('missing')}")
    if told.get("missing") != []:
        return
    scan = told["scan"]
    check(scan["rays"] == 271 and scan["frame"] == "scan", scan)
    # 270 degrees from one side to the other (REP 103: counter-clockwise)
    near(scan["angle_min"], -2.35619, 1e-4, "first ray")
    near(scan["angle_max"], 2.35619, 1e-4, "last ray")
    # from the laser 0.1 m ahead of x = -4 m to the face of the wall at x = 5.9 m
    near(scan["ahead"], 9.8, 0.02, "range ahead")
    near(scan["period"], 0.1, 1e-6, "period")
    check(told["odom"] == ["odom", "base_link"], told["odom"])
    check(told["tf"] == [["odom", "base_link"]], told["tf"])
    fixed = told["fixed"]
    check(fixed.get("camera_optical", [None])[0] == "camera" and fixed.get("base_footprint", [None])[0] == "base_link", fixed)
    check(fixed["scan"][0] == "base_link", fixed)
    near(fixed["scan"][1], 0.1, 1e-9, "place of the laser")
    near(fixed["scan"][2], 0.35, 1e-9, "height of the laser")
    near(told["up"], 9.81, 0.5, "specific force at rest (REP 145)")
    check(told["unknown"] == -1, "orientation that is not measured")
    check(told["image"] == [160, 120, "rgb8", 160 * 120 * 3], told["image"])
    near(told["battery"][0], 25.2, 1e-3, "open-circuit voltage of the full battery")
    check(told["battery"][1] == 1 and told["battery"][2], told["battery"])
    check(len(told["nodes"]) == 1 and told["nodes"][0][:2] == ["/", "rut"] and told["nodes"][0][2] > 4 < told["nodes"][0][3], told["nodes"])
    # hashes that ROS 2 publishes
    hashes = {"rt/clock": ("rosgraph_msgs::msg::dds_::Clock_", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"),
              "rt/scan": ("sensor_msgs::msg::dds_::LaserScan_", "64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828"),
              "rt/odom": ("nav_msgs::msg::dds_::Odometry_", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"),
              "rt/tf": ("tf2_msgs::msg::dds_::TFMessage_", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087")}
    for topic, (kind, value) in hashes.items():
        check(told["user_data"].get(topic) == [kind, f"typehash=RIHS01_{value};"], f"{topic}: {told['user_data'].get(topic)}")


def test_maps(node):
    """The map of a truck before a wall whose face is at x = 10.1 m (readers/wall_world.py), and its path."""
    Path("wall.xml").write_text(wall_world("all", speed="1 mm/s"))
    run = start("--realtime=1", "--duration", 60, world="wall.xml")
    told = ask(node, "maps")
    end(run, "maps")
    check(told.get("missing") == [], f"not heard: {told.get('missing')}")
    if told.get("missing") != []:
        return
    check(told["size"] == [128, 128, 0.25] and told["cells"] == [128 * 128] * 2, told)
    check(told["frames"] == ["map"] * 3 and told["layers"] == ["elevation", "cost"], told)
    check(set(told["wall"]) == {100} and told["before"] == 0 and told["behind"] == -1, told)
    check(told["poses"] > 20, told["poses"])
    topics = rut("run", "wall.xml", "--ros2-topics").stdout.split()
    check({"/plan", "/local_costmap/costmap", "/local_costmap/grid_map"} <= set(topics), topics)


def test_it_drives(node):
    run = start("--realtime=3")
    moved = ask(node, "drive", 0.5, 0, 3)
    said = end(run, "drive")
    near(moved.get("speed"), 0.5, 0.03, "speed of odometry")
    # 3 s at 0.5 m/s, of which the first part goes into starting
    check(0.8 < moved.get("to", 0) - moved.get("from", 0) < 1.7, moved)
    check(said.get("ros2", {}).get("commands", 0) > 10, said.get("ros2"))
    check(said.get("ros2", {}).get("damaged") == 0, said.get("ros2"))


def test_lockstep(node):
    """A slow node and a quick one give one run, that of a table of the same set points."""
    periods = 25
    hashes = []
    for pause in (0, 0.01):
        run = start("--ros2-lockstep", "--ros2-period", 0.04, "--duration", 0.04 * periods)
        told = ask(node, "lockstep", pause, periods)
        out, err = run.communicate(timeout=120)
        check(run.returncode == 0, f"lockstep: exit code {run.returncode}: {err}")
        check(told.get("answered") == periods, told)
        hashes.append(json.loads(out)["hash"] if out else None)
    check(hashes[0] is not None and hashes[0] == hashes[1], f"lockstep: {hashes}")
    still = json.loads(rut("run", WORLD, "--quiet", "--json", "--duration", 1).stdout)
    check(still["hash"] != hashes[0], "the commands were followed")


def test_a_node_that_leaves(node):
    """A lockstep ends with a message, and not before so long."""
    run = start("--ros2-lockstep", "--ros2-wait", 0.3, "--duration", 60)
    check(ask(node, "leave").get("answered") == 5, "leave")
    _, err = run.communicate(timeout=120)
    check(run.returncode == 6 and "the node that commanded 'robot' has left, and none came for 0.3 s" in err, f"leave: {run.returncode}: {err}")


def test_commands(node):
    """Several vehicles in a name space: v = r w of the wheels, and of a car w = v tan(d)/L."""
    run = start("--realtime=8", "--namespace", "team", world=SOURCE / "worlds" / "demo.xml")
    told = ask(node, "command")
    said = end(run, "command")
    if not told:
        return
    near(told["rover"][0], 0.5, 0.01, "speed of the rover's wheels")
    near(told["rover"][1], 0.5, 0.02, "yaw rate of the rover's wheels")
    near(told["car"][0], 1.5, 0.05, "speed of the car")
    # 1.5 m/s * tan(0.35) / 2.2 m, but for the slip angles of its tyres
    near(told["car"][1], 0.2489, 0.01, "yaw rate of the car")
    near(told["tug"][0], 0.3, 0.02, "speed of the tug")
    check(told["frames"] == {name: ["base_link"] for name in ("rover", "car", "tug")}, told["frames"])
    # 40 steps of 5 ms, no more of them, and zero once it was reset
    near(told["stepped"], 0.2, 1e-9, "time of 40 steps")
    check(not told["further"] and told["zero"] == 0 and told["still"] and told["fast"], told)
    check(said["ros2"]["damaged"] == 1, said["ros2"])


def test_services(node):
    """Numbers of simulation_interfaces: features, states, results; poses of worlds/ros2.xml."""
    run = start("--realtime=4")
    told = ask(node, "services")
    out, err = run.communicate(timeout=60)
    check(run.returncode == 0, f"services: {run.returncode}: {err}")
    want = {"features": [6, 8, 10, 20, 21, 22, 24, 25, 26, 31, 32], "playing": 1, "step_while_playing": 4, "no_state": 0, "pause": 1,
            "again": 101, "paused": 2, "names": [["robot", "crate"], ["crate"], ["robot"], ["crate"], ["robot"]], "no_pattern": 4,
            "no_bounds": 4, "nobody": 2, "scope": 0, "most": 4, "steps": 1, "reset": 1, "stopped": 0, "quit": 1}
    for name, value in want.items():
        check(told.get(name) == value, f"{name}: {told.get(name)}, not {value}")
    if not told:
        return
    near(told["stepped"], 0.2, 1e-9, "time of 40 steps")
    check(told["info"].startswith("rut ") and told["crate"][2] == "map", told)
    near(told["crate"][0], 3, 1e-3, "crate")
    check(told["all"]["robot"][:2] == [-4, 1] and told["all"]["crate"][:2] == [3, 2], told["all"])
    check(all(entity[2] == 0 for entity in told["all"].values()), "time was reset")
    said = json.loads(out)["ros2"] if out else {}
    check(said.get("requests") == 26 and said.get("damaged") == 1, said)


def test_view_too(node):
    """A page and a node at once: either sees what the other asks for."""
    try:
        viewer = test_view.Viewer(WORLD, "--ros2", "--domain", str(DOMAIN), "--paused")
    except RuntimeError as fault:
        check("without the viewer" in str(fault) or "libwebsockets" in str(fault), fault)
        print("left out: rut view, which is not built")
        return
    with viewer:
        client = viewer.client()
        client.say("hello")
        client.say("rate", value=4)
        told = ask(node, "page", 1)
        check(told.get("before") == 0 and told.get("steps", [0])[0] == 1 and told.get("results") == [1, 1, 0], told)
        # 40 steps of 5 ms
        near(told.get("steps", [0, 0])[1], 0.2, 1e-9, "time after steps")
        near(told.get("speed"), 0.5, 0.03, "speed in the viewer")
        check(told.get("state") == 2 and told.get("time", 0) > 1.5, told)
        client.drain()
        client.say("hello")
        frame = client.frame(lambda f: f.bits & test_view.PAUSED)
        near(frame.time, told.get("time", -1), 1e-9, "time of the page")
        client.say("reset")
        client.frame(lambda f: f.time == 0)
        told = ask(node, "page", 0)
        check([told.get(name) for name in ("state", "time", "at")] == [0, 0, [-4, 1]], told)
    faults.extend(test_view.faults)
    refused = rut("view", WORLD, "--ros2", "--ros2-lockstep", "--no-open")
    check(refused.returncode == 2 and "waits for nobody" in refused.stderr, refused.stderr)


def test_it_changes_nothing():
    """The same bits as without --ros2."""
    plain = json.loads(rut("run", WORLD, "--quiet", "--json", "--duration", 2).stdout)
    run = start("--duration", 2, "--realtime=100")
    out, err = run.communicate(timeout=120)
    check(run.returncode == 0, err)
    check(out and json.loads(out)["hash"] == plain["hash"], "other bits with --ros2")
    check(out and json.loads(out)["ros2"]["messages"] > 500, "it published")


ROSBAGS = """
import json, sys
from pathlib import Path
from rosbags.highlevel import AnyReader
with AnyReader([Path(sys.argv[1])]) as log:
    last, count = {}, {}
    for connection, stamp, raw in log.messages():
        last[connection.topic] = log.deserialize(raw, connection.msgtype)
        count[connection.topic] = count.get(connection.topic, 0) + 1
place = last["/robot/odom"].pose.pose.position
image, scan = last["/robot/camera/image_raw"], last["/robot/scan"]
print(json.dumps({"count": count, "x": place.x, "y": place.y, "image": [image.height, image.width, image.encoding, len(image.data)],
                  "rays": len(scan.ranges), "nearest": float(min(scan.ranges)), "stamp": [scan.header.stamp.sec, scan.header.stamp.nanosec]}))
"""


def test_rosbags(node):
    """A log, read without ROS by the package that others use for that, with each type by the definition in the log."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = FOLDER / "bag.mcap"
    done = rut("run", WORLD, "--quiet", "--duration", 1, "--set", "robot/controller.speed=0.5", "--log", log)
    check(done.returncode == 0, done.stderr)
    done = subprocess.run([node, "-c", ROSBAGS, log], capture_output=True, text=True, timeout=120, check=False)
    check(done.returncode == 0, f"rosbags: {done.stderr}")
    if done.returncode:
        return
    found = json.loads(done.stdout)
    check(found["count"]["/robot/imu"] == 50 and found["count"]["/robot/gps"] == 5, f"rosbags: {found['count']}")
    # half a metre from the start, less the time that it takes to reach 0.5 m/s
    check(-3.55 < found["x"] < -3.5 and abs(found["y"] - 1) < 0.01, f"rosbags: {found}")
    check(found["image"] == [120, 160, "rgb8", 120 * 160 * 3] and found["rays"] == 271, f"rosbags: {found}")
    # the pillar of 0.3 m radius at (-3, -2), from 0.1 m ahead of the robot, less the noise of some rays
    nearest = math.hypot(-3 - (found["x"] + 0.1), -2 - found["y"]) - 0.3
    check(nearest - 0.06 < found["nearest"] < nearest + 0.01 and found["stamp"] == [1, 0], f"rosbags: {found}, {nearest}")


def test_fast_dds():
    compiler = shutil.which("c++") or shutil.which("g++")
    source, peer = SOURCE / "test" / "ros2" / "fastdds_peer.cpp", FOLDER / "fastdds_peer"
    header = Path("/usr/include/fastdds/dds/domain/DomainParticipant.hpp")
    if not compiler or not header.exists():
        print("left out: Fast DDS (apt-get install g++ libfastrtps-dev)")
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not peer.exists() or peer.stat().st_mtime < source.stat().st_mtime:
        built = subprocess.run([compiler, "-std=c++17", "-O0", source, "-o", peer, "-lfastrtps", "-lfastcdr"], capture_output=True, text=True, check=False)
        check(built.returncode == 0, built.stderr)
        if built.returncode:
            return
    run = start("--realtime=4")
    done = subprocess.run([peer, str(DOMAIN), "0.5", "0.5"], capture_output=True, text=True, timeout=120, check=False)
    end(run, "Fast DDS")
    check(done.returncode == 0, f"Fast DDS: {done.stdout} {done.stderr}")
    if done.returncode == 0:
        first, last = map(float, done.stdout.split())
        check(0.5 <= last - first < 0.8, f"Fast DDS: from {first} to {last}")


def test_words():
    for words, said in ((("--domain", 3), "need --ros2"), (("--ros2", "--ros2-vehicle", "nobody"), "no vehicle is called 'nobody'"),
                        (("--ros2", "--namespace", "a b"), "no name space"),
                        (("--ros2", "--ros2-lockstep", "--ros2-period", 0.007), "no whole number of steps")):
        done = rut("run", WORLD, *words)
        check(done.returncode == 2 and said in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    topics = rut("run", WORLD, "--ros2-topics", "--namespace", "team").stdout.split()
    for name in ("/clock", "/team/odom", "/team/scan", "/team/cmd_vel", "/team/camera/camera_info", "/team/gps/fix", "/team/rut/reset"):
        check(name in topics, f"{name} is no topic")
    several = rut("run", SOURCE / "worlds" / "demo.xml", "--ros2-topics").stdout.split()
    check("/rover/laser" in several and "/car/odom" in several and "/rover/cmd_vel" in several, several)


def main():
    missing = rut("run", WORLD, "--ros2-topics")
    if missing.returncode == 6 and ("built without ROS 2" in missing.stderr or "which is not here" in missing.stderr):
        print("skipped: no Cyclone DDS (apt-get install cyclonedds-dev)")
        return 77
    test_words()
    test_it_changes_nothing()
    test_fast_dds()
    node = python()
    if node:
        test_rosbags(node)
        test_what_is_told(node)
        test_maps(node)
        test_it_drives(node)
        test_lockstep(node)
        test_a_node_that_leaves(node)
        test_commands(node)
        test_services(node)
        test_view_too(node)
    else:
        print("left out: Cyclone DDS for Python (pip install cyclonedds rosbags)")
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
