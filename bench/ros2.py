#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rate, bandwidth and delay of what `rut run --ros2` publishes: a VLP-16, two cameras of 320 x 240 at 10 Hz, an inertial unit and
odometry, heard by a reader on Fast DDS (ros2_reader.cpp) on the loopback, beside the same run that nobody hears.

    bench/ros2.py build/release/rut [--seconds 20]      needs g++ and libfastrtps-dev
"""
import argparse
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORLD = HERE.parent / "worlds" / "ros2.xml"
SENSORS = """
    <sensor type="lidar" name="vlp16" preset="vlp16" z="0.5 m"/>
    <sensor type="camera" name="left" x="0.2 m" y="0.1 m" z="0.4 m" width="320" height="240" period="100 ms"/>
    <sensor type="camera" name="right" x="0.2 m" y="-0.1 m" z="0.4 m" width="320" height="240" period="100 ms"/>
"""
TOPICS = {"/vlp16/points": "sensor_msgs/PointCloud2", "/left/image_raw": "sensor_msgs/Image",
          "/right/image_raw": "sensor_msgs/Image", "/imu/data_raw": "sensor_msgs/Imu", "/odom": "nav_msgs/Odometry"}


def environment():
    """Cyclone DDS on the loopback alone, without multicast."""
    return dict(os.environ, CYCLONEDDS_URI=(
        '<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
        "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        '<Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>'))


def run(command, world, domain, seconds, reader):
    """What the run says of itself, and the reader's lines."""
    words = [command, "run", world, "--ros2", "--domain", domain, "--duration", 10 * seconds, "--quiet", "--json"]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True, env=environment()) as started:
        lines = ""
        if reader:
            ask = [reader, domain, seconds, *[word for topic in TOPICS.items() for word in topic]]
            lines = subprocess.run([str(word) for word in ask], capture_output=True, text=True, check=True).stdout
        else:
            time.sleep(seconds + 2)
        started.send_signal(signal.SIGINT)
        used = os.wait4(started.pid, 0)[2]
        said = json.loads(started.stdout.read())
    simulated = said["steps"] * said["timestep"]
    return simulated / said["wall_s"], lines, (used.ru_utime + used.ru_stime) / simulated


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("command")
    options.add_argument("--seconds", type=int, default=20)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reader, world = Path(folder) / "reader", Path(folder) / "world.xml"
        subprocess.run(["c++", "-std=c++17", "-O2", HERE / "ros2_reader.cpp", "-o", reader, "-lfastrtps", "-lfastcdr", "-pthread"], check=True)
        text = WORLD.read_text(encoding="utf-8")
        world.write_text(text.replace("  </vehicle>", SENSORS + "  </vehicle>"), encoding="utf-8")
        domain = random.randint(1, 200)
        alone = run(given.command, world, domain, given.seconds, None)
        pace, lines, load = run(given.command, world, domain, given.seconds, reader)
    print(f"{'topic':18} {'messages/s':>10} {'MB/s':>7} {'median [us]':>12} {'99 % [us]':>10} {'largest [us]':>13}")
    for line in lines.splitlines():
        topic, count, size, *delays = line.split()
        print(f"{topic:18} {int(count) / given.seconds:10.1f} {int(size) / given.seconds / 1e6:7.2f} "
              f"{delays[0]:>12} {delays[1]:>10} {delays[2]:>13}" if delays else f"{topic:18} nothing heard")
    print(f"processor time per second of the run: {alone[2]:.3f} s that nobody hears, {load:.3f} s with the reader; "
          f"{pace:.3f} times real time")


if __name__ == "__main__":
    main()
