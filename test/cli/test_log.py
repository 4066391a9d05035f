#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut run --log, rut log, rut plot, rut run --realtime: numbers against the CSV tables of the same
run, logs of killed runs, figures, pace, and what is refused."""
import csv
import json
import math
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from harness import COMMAND, SOURCE, check, faults, rut

DEMO = str(SOURCE / "worlds" / "demo.xml")
HMMWV = str(SOURCE / "worlds" / "hmmwv.xml")
CSV_NAMES = ("x", "y", "z", "roll", "pitch", "yaw", "velocity_x", "velocity_y", "velocity_z", "yaw_rate",
             "odometry_speed", "proper_acceleration_y", "consumed_power", "collision")
CSV_WHEEL_NAMES = ("steer", "angle", "speed", "torque", "load", "force_x", "force_y", "slip", "slip_angle")


def fine(*words):
    done = rut(*words)
    check(done.returncode == 0, f"{words}: exit code {done.returncode}: {done.stderr}")
    return done


def columns(path):
    """Columns of a CSV table by their names without units."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    names = [cell.split(" [")[0] for cell in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


# ---- what is in a log ----

def what_is_in_it():
    fine("run", DEMO, "-q", "--duration", "3", "--log", "demo.mcap", "--seed", "5")
    told = json.loads(fine("log", "demo.mcap", "--json").stdout)
    check(told["whole"] and told["start"] == 0 and told["end"] == 3, "span of the log")
    check(told["metadata"]["seed"] == "5", told["metadata"])
    check("--seed 5" in told["metadata"]["command"], told["metadata"])
    topics = {t["topic"]: t for t in told["topics"]}
    for name in ("/rover/state", "/car/rl/state", "/crate/state", "/tf", "/tug/odom", "/rover/laser"):
        check(name in topics, f"no topic {name}")
    check(topics["/rover/state"]["messages"] == 61 and abs(topics["/rover/state"]["rate"] - 20) < 0.01,
          topics["/rover/state"])
    check(topics["/tf"]["type"] == "tf2_msgs/msg/TFMessage", topics["/tf"])
    signals = {s["name"]: s for s in told["signals"]}
    check(signals["rover/speed"]["unit"] == "m/s", "unit of a signal")
    text = fine("log", "demo.mcap").stdout
    check("/rover/laser" in text and "attachment world.xml" in text, text)
    check("rover/speed" in fine("log", "demo.mcap", "--signals").stdout, "no list of signals")
    world = fine("log", "demo.mcap", "--attachment", "world.xml").stdout
    Path("again.xml").write_text(world, encoding="utf-8")
    a = json.loads(fine("run", DEMO, "-q", "--json").stdout)
    b = json.loads(fine("run", "again.xml", "-q", "--json").stdout)
    check(a["hash"] == b["hash"], "the world in the log is another one")
    plain = json.loads(fine("run", DEMO, "-q", "--json", "--duration", "3").stdout)
    logged = json.loads(fine("run", DEMO, "-q", "--json", "--duration", "3", "--log", "x.mcap").stdout)
    check(plain["hash"] == logged["hash"], "logging changes the run")


def refusals():
    for code, says, words in (
            (2, "did you mean 'rover/speed'?", ("run", DEMO, "--log", "y.mcap", "--log-signals", "rover/spede")),
            (2, "need --log", ("run", DEMO, "--log-rate", "10")),
            (2, "number from", ("run", DEMO, "--log", "y.mcap", "--log-rate", "0")),
            (6, "no/such/folder", ("run", DEMO, "--log", "no/such/folder/y.mcap")),
            (6, "/dev/full", ("run", DEMO, "--log", "/dev/full")),
            (6, "No such file", ("log", "nothing.mcap")),
            (3, "is no log", ("log", DEMO)),
            (2, "did you mean 'world.xml'?", ("log", "demo.mcap", "--attachment", "wrld.xml")),
            (2, "did you mean 'rover/speed'?", ("plot", "demo.mcap", "rover/sped")),
            (2, "did you mean 'rover/yaw_rate'?", ("plot", "demo.mcap", "rover/x", "--vs", "rover/yawrate")),
            (2, "SIGNAL is missing", ("plot", "demo.mcap")),
            (2, "none of .png, .svg and .pdf", ("plot", "demo.mcap", "*/speed", "-o", "a.gif")),
            (2, "needs --output", ("plot", "--dashboard", "demo.mcap")),
            (2, "it goes from 0 to", ("plot", "demo.mcap", "rover/speed", "--from", "900")),
            (2, "it goes from 0 to", ("plot", "demo.mcap", "rover/speed", "--from", "2", "--to", "1")),
            (2, "number from", ("run", DEMO, "--realtime=0")),
            (2, "core 1023 is not there", ("run", DEMO, "--pin-core", "1023"))):
        done = rut(*words)
        check(done.returncode == code, f"{words}: exit code {done.returncode}, not {code}")
        check(says in done.stderr, f"{words}: {done.stderr}")


# ---- numbers against CSV, with the reference reader of MCAP ----

def compare(log, folder, wheels):
    """Each message of a vehicle and its wheels against the rows of the CSV table of that time."""
    for vehicle, names in wheels.items():
        table = columns(f"{folder}/{vehicle}.csv")
        row_of = {round(t * 1e9): i for i, t in enumerate(table["t"])}
        for element, fields, prefix in [(vehicle, CSV_NAMES, "")] + [
                (f"{vehicle}/{w}", CSV_WHEEL_NAMES, f"{w}.") for w in names]:
            messages = log["channels"][f"/{element}/state"]["messages"]
            check(len(messages) > 30, f"{element}: {len(messages)} messages")
            for message in messages:
                row = row_of.get(message["ns"])
                check(row is not None, f"{element}: no row at {message['ns']} ns")
                for field in fields if row is not None else ():
                    a, b = message["values"][field], table[f"{prefix}{field}"][row]
                    check(a == b, f"{element}/{field} at {message['ns']} ns: {a}, not {b}")


def other_reader():
    """False if npm or its packages are not to be had."""
    if not shutil.which("npm") or not shutil.which("node"):
        print("npm is not here: logs are not read with @mcap/core")
        return False
    shutil.rmtree("reader", ignore_errors=True)
    shutil.copytree(SOURCE / "test" / "log", "reader", ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd="reader", capture_output=True,
                          text=True, timeout=200, check=False)
    if done.returncode != 0:
        print(f"npm ci failed: logs are not read with @mcap/core\n{done.stderr}")
        return False
    return True


def read_elsewhere(path):
    done = subprocess.run(["node", "reader/read_log.mjs", path], capture_output=True, text=True,
                          timeout=200, check=False)
    check(done.returncode == 0, f"@mcap/core: {done.stderr[-500:]}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def reference_reader():
    if not other_reader():
        return
    fine("run", DEMO, "-q", "--duration", "3", "--csv", "csv", "--csv-every", "1", "--log", "both.mcap")
    fine("run", HMMWV, "-q", "--duration", "2", "--csv", "csv", "--csv-every", "1", "--log",
         "hmmwv.mcap", "--log-rate", "100")
    wheels = {"rover": ["lr", "rr", "lf", "rf"], "car": ["rl", "fr"], "trailer": ["l", "r"]}
    for path, names in (("both.mcap", wheels), ("hmmwv.mcap", {"hmmwv": ["front_left", "rear_right"]})):
        log = read_elsewhere(path)
        if not log:
            continue
        told = json.loads(fine("log", path, "--json").stdout)
        check(set(log["channels"]) == {t["topic"] for t in told["topics"]}, f"{path}: channels")
        check(log["statistics"]["messages"] == told["messages"], f"{path}: number of messages")
        check(log["chunkIndexes"] == log["records"]["Chunk"] == told["chunks"], f"{path}: chunks")
        for t in told["topics"]:
            c = log["channels"][t["topic"]]
            check(len(c["messages"]) == c["streamed"] == t["messages"], f"{path}: {t}")
            check((c["schemaEncoding"], c["encoding"]) == ("ros2msg", "cdr"), f"{path}: {t}")
        check(log["profile"] == "ros2" and log["library"].startswith("rut "), log["library"])
        check(log["attachments"]["world.xml"]["text"].startswith("<?xml"), "world.xml")
        check(log["metadata"]["rut"]["version"], "metadata")
        compare(log, "csv", names)
    log = read_elsewhere("both.mcap")
    if log:
        scans(log)
        transforms(log)
        joints(log)
    cameras()
    wheel_sensors()


CAMERA = """<world timestep="10 ms"><block fixed="true" shape="box" size="1 1 1" position="4 0"/>
<sensor type="camera" name="eye" period="0.1" z="1" noise="none" width="8" height="6" fov="90 deg" offset_y="0.5"
 k1="-0.2" p2="0.01" log_depth="%s"/></world>"""


def cameras():
    """Images and projections as the reference reader decodes them, against rut sense."""
    for depth, encoding in (("float", "32FC1"), ("millimetres", "16UC1")):
        Path("camera.xml").write_text(CAMERA % depth, encoding="utf-8")
        fine("run", "camera.xml", "-q", "--duration", "0.3", "--log", "camera.mcap")
        log = read_elsewhere("camera.mcap")
        if not log:
            return
        sample = json.loads(fine("sense", "camera.xml", "eye", "--time", "0.3").stdout)["outputs"]
        topics = {name: c["messages"][-1]["values"] for name, c in log["channels"].items() if "eye/" in name}
        info = topics["/eye/camera_info"]
        check(log["channels"]["/eye/camera_info"]["schema"] == "sensor_msgs/msg/CameraInfo", "schema")
        check((info["width"], info["height"], info["distortion_model"]) == (8, 6, "plumb_bob"), info)
        check([info[f"d[{i}]"] for i in range(5)] == [-0.2, 0, 0, 0.01, 0], info)
        check(abs(info["k[0]"] - 4) < 1e-12 and info["k[2]"] == 3.5 and info["k[5]"] == 3, info)
        check(info["p[2]"] == 3.5 and info["p[6]"] == 3 and info["r[4]"] == 1, info)
        image = topics["/eye/image_raw"]
        check(image["header.frame_id"] == "eye_optical" and image["header.stamp.nanosec"] == 300000000, image)
        check((image["encoding"], image["step"], image["data.length"]) == ("rgb8", 24, 144), image)
        check([image[f"data[{i}]"] for i in range(8)] == sample["colour"]["values"][:8], "colours")
        far = topics["/eye/depth/image_raw"]
        size = 4 if depth == "float" else 2
        check((far["encoding"], far["data.length"]) == (encoding, 48 * size), far)
        first = bytes(far[f"data[{i}]"] for i in range(size))
        want = sample["depth"]["values"][0]
        told = struct.unpack("<f" if size == 4 else "<H", first)[0]
        check(told == (math.inf if want < 0 else want) if size == 4 else told == round(1000 * max(want, 0)), told)
        seen = topics["/eye/instance/image_raw"]
        check((seen["encoding"], seen["step"]) == ("32SC1", 32), seen)


WHEELS = """<world timestep="5 ms"><vehicle name="car" max_steer="0.6">
<chassis mass="92" outline="-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4"/>
<wheel name="rl" position="0 0.4" place="rear_left" mass="2" radius="0.2"/>
<wheel name="rr" position="0 -0.4" place="rear_right" mass="2" radius="0.2"/>
<wheel name="fl" position="1 0.4" place="front_left" steered="true" mass="2" radius="0.2"/>
<wheel name="fr" position="1 -0.4" place="front_right" steered="true" mass="2" radius="0.2"/>
<drive type="direct"/><tyre type="coulomb"/><controller type="raw" steer="0.2" torque_left="3" torque_right="3"/>
<sensor type="encoder" name="encoder"/><sensor type="steering_angle" name="steering"/>
<sensor type="wheel_torque" name="torque"/></vehicle></world>"""


def wheel_sensors():
    """Samples of wheels are JointState, under the names of the vehicle's own joints."""
    Path("wheels.xml").write_text(WHEELS, encoding="utf-8")
    fine("run", "wheels.xml", "-q", "--duration", "1", "--csv", "csv", "--log", "wheels.mcap")
    log = read_elsewhere("wheels.mcap")
    if not log:
        return
    joint = log["channels"]["/car/joint_states"]["messages"][0]["values"]
    known = {joint[f"name[{i}]"] for i in range(joint["name.length"])}
    # arrays of the message, and columns of the table
    wheels = {"rl_wheel": 0, "rr_wheel": 1, "fl_wheel": 2, "fr_wheel": 3}
    steering = {"fl_steering": 2, "fr_steering": 3}
    for sensor, names, arrays in (("encoder", wheels, {"position": "angle", "velocity": "speed"}),
                                  ("steering", steering, {"position": "steer", "velocity": "steer_rate"}),
                                  ("torque", wheels, {"effort": "torque"})):
        channel = log["channels"][f"/car/{sensor}"]
        check(channel["schema"] == "sensor_msgs/msg/JointState", channel["schema"])
        table = columns(f"csv/car.{sensor}.csv")
        check(len(channel["messages"]) == len(table["t"]) == 10, f"{sensor}: number of samples")
        for row, message in enumerate(channel["messages"]):
            v = message["values"]
            told = [v[f"name[{i}]"] for i in range(v["name.length"])]
            check(told == list(names) and set(told) <= known, told)
            for array in ("position", "velocity", "effort"):
                check(v[f"{array}.length"] == (len(names) if array in arrays else 0), f"{sensor}/{array}")
            for array, field in arrays.items():
                for i, wheel in enumerate(names.values()):
                    check(v[f"{array}[{i}]"] == table[f"{field}_{wheel}"][row], f"{sensor}/{array} of {wheel}")
    counts = log["channels"]["/car/encoder/readings"]["messages"][-1]["values"]
    check(counts["counts[1]"] == columns("csv/car.encoder.csv")["counts_1"][-1], counts)


def scans(log):
    table = columns("csv/rover.laser.csv")
    scan = log["channels"]["/rover/laser"]
    check(scan["schema"] == "sensor_msgs/msg/LaserScan", scan["schema"])
    check(len(scan["messages"]) == len(table["t"]), "number of scans")
    for i, message in enumerate(scan["messages"]):
        values = message["values"]
        check(values["ranges.length"] == len(table) - 1, "number of rays")
        check(message["ns"] == round(table["t"][i] * 1e9), "time of a scan")
        for ray in range(8):
            told, known = values[f"ranges[{ray}]"], table[f"range_{ray}"][i]
            same = told == "Infinity" if known < 0 else told == struct.unpack(
                "f", struct.pack("f", known))[0]
            check(same, f"ray {ray} of scan {i}: {told}, not {known}")


def transforms(log):
    table = columns("csv/rover.csv")
    row_of = {round(t * 1e9): i for i, t in enumerate(table["t"])}
    scans = {m["ns"] for m in log["channels"]["/rover/laser"]["messages"]}
    for message in log["channels"]["/tf"]["messages"]:
        v, row = message["values"], row_of[message["ns"]]
        child = v["transforms[0].child_frame_id"]
        check(v["transforms[0].header.frame_id"] == "world", "frames")
        if child == "rover/laser":
            check(message["ns"] in scans, "a laser's frame without its scan")
            scans.discard(message["ns"])
            continue
        check(child == "rover", f"frame {child}")
        check(v["transforms[0].transform.translation.x"] == table["x"][row], "x of a transform")
        z, w = (v[f"transforms[0].transform.rotation.{k}"] for k in "zw")
        turn = math.remainder(2 * math.atan2(z, w) - table["yaw"][row], 2 * math.pi)
        check(abs(turn) < 1e-12, f"heading of a transform: {turn}")
    check(not scans, "scans without their frame")


def joints(log):
    """Wheels and steering of the car against its CSV table; the rate of the steering by its angles."""
    table = columns("csv/car.csv")
    step = table["t"][1] - table["t"][0]
    row_of = {round(t * 1e9): i for i, t in enumerate(table["t"])}
    channel = log["channels"]["/car/joint_states"]
    check(channel["schema"] == "sensor_msgs/msg/JointState", channel["schema"])
    check(len(channel["messages"]) > 10, "number of joint states")
    for message in channel["messages"]:
        v, row = message["values"], row_of[message["ns"]]
        names = [v[f"name[{i}]"] for i in range(v["name.length"])]
        check({"rl_wheel", "fr_wheel", "fr_steering"} <= set(names) and "rl_steering" not in names, names)
        check(v["position.length"] == v["velocity.length"] == v["effort.length"] == len(names), "lengths")
        for i, name in enumerate(names):
            wheel, part = name.split("_")
            fields = ("angle", "speed", "torque") if part == "wheel" else ("steer",)
            for array, field in zip(("position", "velocity", "effort"), fields):
                told = v[f"{array}[{i}]"]
                check(told == table[f"{wheel}.{field}"][row], f"{name}/{array}: {told}")
            if part == "steering":
                steer = table[f"{wheel}.steer"]
                rate = (steer[row] - steer[row - 1]) / step if row > 0 else 0
                check(abs(v[f"velocity[{i}]"] - rate) < 1e-6, f"{name}: {v[f'velocity[{i}]']} for {rate}")
                check(v[f"effort[{i}]"] == "NaN", "what is not known")


# ---- logs that end early ----

def begin(name):
    """A run in real time, of which something is in its log."""
    path = Path(name)
    path.unlink(missing_ok=True)
    run = subprocess.Popen([COMMAND, "run", DEMO, "-q", "--realtime", "--duration", "600", "--log", name])
    while run.poll() is None and not (path.exists() and path.stat().st_size > 0):
        time.sleep(0.1)
    return run


def end_of(name):
    """How far the log goes that a running rut writes, as a reader of its bytes so far sees it [s]."""
    shutil.copy(name, "so_far.mcap")
    told = rut("log", "so_far.mcap", "--json")
    return json.loads(told.stdout)["end"] if told.returncode == 0 else 0


def killed():
    """A run that is killed leaves a log of what was before."""
    run = begin("killed.mcap")
    reached, patience = 0, time.monotonic() + 120
    while run.poll() is None and reached < 1.5 and time.monotonic() < patience:
        reached = end_of("killed.mcap")
        time.sleep(0.1)
    run.send_signal(signal.SIGKILL)
    run.wait()
    told = json.loads(fine("log", "killed.mcap", "--json").stdout)
    check(not told["whole"], "a killed run left a whole log")
    check(reached >= 1.5 and told["end"] >= reached, f"a killed run left {told['end']} s of {reached} s")
    check("cut off" in fine("log", "killed.mcap").stdout, "nothing is said about the cut")
    fine("plot", "killed.mcap", "rover/speed")


def interrupted():
    run = begin("int.mcap")
    run.send_signal(signal.SIGINT)
    check(run.wait() == 130, "exit code of an interrupted run")
    check(json.loads(fine("log", "int.mcap", "--json").stdout)["whole"], "the log is not closed")


def full_disk():
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    done = rut("run", DEMO, "-q", "--duration", "200", "--log", "full.mcap", "--log-rate", "200",
               preexec_fn=limit)
    check(done.returncode == 6 and "full.mcap" in done.stderr, f"full disk: {done}")
    fine("log", "full.mcap")


# ---- figures ----

def png_size(path):
    head = Path(path).read_bytes()[:24]
    check(head.startswith(b"\x89PNG\r\n\x1a\n"), f"{path} is no PNG")
    return struct.unpack(">II", head[16:24])


def figures():
    text = fine("plot", "demo.mcap", "*/speed", "car/load").stdout
    check("rover/lr/speed" in text and "car/load" in text and "█" in text, text)
    Path("a.png").unlink(missing_ok=True)
    Path("old.png").write_text("old", encoding="utf-8")
    rut("plot", "demo.mcap", "rover/speed", "-o", "old.png", env={"PATH": "/nowhere"})
    check(Path("old.png").read_text(encoding="utf-8") == "old", "a figure of before is lost")
    empty = rut("plot", "demo.mcap", "rover/speed", "-o", "a.png", env={"PATH": "/nowhere"})
    check(empty.returncode == 5 and "apt-get install gnuplot-nox" in empty.stderr, empty)
    check(not Path("a.png").exists(), "an empty figure is left")
    if not shutil.which("gnuplot"):
        print("gnuplot is not here: figures are not drawn")
        return
    fine("plot", "demo.mcap", "car/speed", "rover/speed", "car/drive_power", "-o", "a.svg", "--title",
         "It's `id` \"%s\" 100%")
    svg = Path("a.svg").read_text(encoding="utf-8")
    for word in ("speed (m/s)", "drive power (kW)", "time (s)", "rover", "car", "It's `id`", "100%"):
        check(word in svg.replace("&#39;", "'").replace("&quot;", '"'), f"no {word} in the figure")
    check(svg.count("<path") > 3, "no curves in the figure")
    fine("plot", "demo.mcap", "car/y", "--vs", "car/x", "--from", "1", "--to", "2", "-o", "a.pdf")
    check(Path("a.pdf").read_bytes().startswith(b"%PDF"), "no PDF")
    fine("plot", "--dashboard", "demo.mcap", "-o", "a.png")
    width, height = png_size("a.png")
    check(width > 2000 and height > 1000, f"dashboard of {width} x {height}")
    fine("plot", "--dashboard", "demo.mcap", "car", "-o", "b.png")
    done = rut("plot", "demo.mcap", "rover/speed", "-o", "no/such/folder/a.png")
    check(done.returncode == 6 and "no/such/folder" in done.stderr, done)


# ---- pace ----

def pace():
    start = time.monotonic()
    told = json.loads(fine("run", DEMO, "-q", "--json", "--duration", "1", "--realtime").stdout)
    wall = time.monotonic() - start
    check(wall >= 1 and told["wall_s"] >= 0.99, f"1 s in {wall} s")
    late = told["pace"]
    check(late["steps"] == 200 and late["factor"] == 1, late)
    # how late it may be is the machine's matter, and no test
    check(0 <= late["late_mean"] <= late["late_p99"] <= late["late_max"], late)
    told = json.loads(fine("run", DEMO, "-q", "--json", "--duration", "4", "--realtime=8").stdout)
    check(0.49 < told["wall_s"] < 3 + told["pace"]["late_max"], f"4 s at x8 in {told['wall_s']} s")
    core = sorted(os.sched_getaffinity(0))[-1]
    text = fine("run", DEMO, "--duration", "0.5", "-r", "--pin-core", str(core)).stdout
    check("pace x1: late by" in text, text)
    check("pace" not in fine("run", DEMO, "--duration", "0.5").stdout, "pace of a run without")


def main():
    what_is_in_it()
    refusals()
    reference_reader()
    killed()
    interrupted()
    full_disk()
    figures()
    pace()
    for fault in faults[:40]:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
