#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut view with programs that drive: what they are told is, bit for bit, what rut run tells them, also after a reset, and while pages ask for
things; a program that leaves lets the run stand."""
import json
import math
import os
import socket
import sys
import tempfile
import threading
from pathlib import Path

import test_remote
import test_view
from harness import SANITIZE, SOURCE, check, faults, rut, verdict
from test_view import PAUSED

DEMO = SOURCE / "worlds" / "demo.xml"
STEPS = 40 if SANITIZE else 160  # of 5 ms
SIGNALS = [word for name in test_remote.SIGNALS for word in ("--remote-signals", name)]


def view(world, *words):
    return test_view.Viewer(world, "--paused", *map(str, words))


def made(client, steps):
    """Make steps in a run that stands, and return the frame after them."""
    client.say("step", n=steps)
    return client.frame(lambda f: f.steps == steps and f.bits & PAUSED, f"step {steps}")


def told_by_run():
    """What a program is told and answers in rut run, by time."""
    link, name = test_remote.udp()
    driver = test_remote.Driver(link)
    done = rut("run", DEMO, "--quiet", "--duration", STEPS / 200, "--remote", name, *SIGNALS)
    check(done.returncode == 0, done.stderr)
    return driver.rows


def remote(rows):
    """In step, with a slow program and a page that asks all the time."""
    link, name = test_remote.udp()
    driver = test_remote.Driver(link, lambda driver, state, answer: threading.Event().wait(0.005) or answer)
    with view(DEMO, "--remote", name, *SIGNALS) as viewer:
        client, _ = viewer.page()
        client.say("step", n=STEPS)
        while len(driver.rows) < len(rows):
            client.say("subscribe", id=1, signals=["rover/speed"])
            threading.Event().wait(0.002)
        client.frame(lambda f: f.steps == STEPS, "the last step")
        check(driver.rows == rows, f"another run than rut run's: {driver.rows[-1]}, {rows[-1]}")
        client.say("reset")
        client.frame(lambda f: f.time == 0, "the start")
        del driver.rows[:]
        made(client, 10)
        check(driver.rows == rows[:5], f"another run after a reset: {driver.rows}")
    out = viewer.process.stdout.read()
    check("remote: " in out and "packets answered" in out, f"how it went: {out!r}")


def silence():
    """A program that leaves: the run stands, a page is told why, and goes on when it is back."""
    quiet = threading.Event()
    link, name = test_remote.udp()
    driver = test_remote.Driver(link, lambda driver, state, answer: None if quiet.is_set() else answer)
    with view(DEMO, "--remote", name, "--remote-wait", "0.2", *SIGNALS) as viewer:
        client, _ = viewer.page()
        made(client, 4)
        quiet.set()
        client.say("resume")
        said = client.text("error")["message"]
        check("the run stands, since the program of --remote does not go on: no answer within 0.2 s to the state at t = 0.02 s" in said, said)
        check(client.frame(lambda f: f.bits & PAUSED).steps == 4, "the run goes on alone")
        quiet.clear()
        client.say("step", n=2)
        client.frame(lambda f: f.steps == 6, "steps after it is back")
        check(driver.rows[-1][0] == 0.02, driver.rows[-1])


def page_drives():
    """Two may drive: a page has the vehicle while it drives; a controller that stands in takes no set points of the program."""
    link, name = test_remote.udp()
    test_remote.Driver(link, lambda driver, state, answer: state.answer([0.0, 0.0]))
    with view(DEMO, "--remote", name, *SIGNALS) as viewer:
        client, _ = viewer.page()
        vehicles = [v["name"] for v in viewer.scene()["vehicles"]]
        rover = vehicles.index("rover")
        client.say("resume")
        start = client.frame()
        while client.frame().time < start.time + 0.5:
            client.say("drive", vehicle=rover, throttle=1, brake=0, steer=0)
        moved = math.dist(client.frame().vehicle(rover)[:2], start.vehicle(rover)[:2])
        check(moved > 0.03, f"a page drives {moved} m in half a second")
        client.say("release", vehicle=rover)
        client.say("pause")
        check(not [t for t in client.texts if t["type"] == "error"], client.texts)


class Peer(threading.Thread):
    """Listens on a socket, and acts by a law."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.heard, self.bye = [], None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(1)
        self.start()

    def run(self):
        connection, _ = self.listener.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as lines:
            for line in lines:
                told = json.loads(line)
                if told["type"] == "hello":
                    answer = {"type": "hello", "version": 1}
                elif told["type"] == "bye":
                    self.bye = told["reason"]
                    return
                else:
                    self.heard.append({name: told[name] for name in ("time", "x", "y", "yaw", "speed")})
                    answer = {"type": "act", "seq": told["seq"], "speed": 0.5 + 0.1 * told["time"], "yaw_rate": 0.3 - told["y"]}
                lines.write(json.dumps(answer) + "\n")
                lines.flush()


def peer(folder):
    words = ("--peer-vehicle", "rover", "--peer-rate", 50, "--peer-timeout", 20)
    first = Peer(folder / "run")
    done = rut("run", DEMO, "--quiet", "--duration", STEPS / 200, "--peer", folder / "run", *words)
    first.join(20)
    check(done.returncode == 0 and first.bye == "done", f"{first.bye}: {done.stderr}")
    other = Peer(folder / "view")
    with view(DEMO, "--peer", folder / "view", "--peer-log", folder / "log", *words) as viewer:
        client, _ = viewer.page()
        made(client, STEPS)
        check(other.heard == first.heard and len(first.heard) == STEPS / 4, f"the peer hears other things: {other.heard[-1:]}")
        client.say("reset")
        client.frame(lambda f: f.time == 0, "the start")
        del other.heard[:]
        made(client, 12)
        check(other.heard == first.heard[:3], f"the peer after a reset: {other.heard}")
    other.join(20)
    check(other.bye == "done" and (folder / "log").stat().st_size > 1000, f"good-bye: {other.bye}")


def fmu(folder):
    """An FMU, whose robot leads another one, begins again after a reset, and follows no other jump."""
    text = (SOURCE / "test" / "python" / "test_simulation.py").read_text(encoding="utf-8").split('CIRCLE = """')[1].split('"""')[0]
    (folder / "leader.xml").write_text(text, encoding="utf-8")
    done = rut("fmu", "export", folder / "leader.xml", "-o", folder / "leader.fmu", "--quiet")
    if done.returncode == 5:
        print("left out: FMUs, which this build cannot write")
        return
    check(done.returncode == 0, done.stderr)
    world = folder / "driven.xml"
    world.write_text(text.replace('<controller type="twist_ideal" speed="2 m/s" yaw_rate="1 rad/s"/>', """<controller type="twist_ideal"/>
      <controller type="fmu" file="leader.fmu" period="0.02 s"><fmu_output variable="robot/x" set_point="speed"/></controller>"""), encoding="utf-8")
    done = rut("run", world, "--allow-fmu", "--quiet", "--duration", 0.4, "--csv", folder / "table", "--csv-every", 1)
    check(done.returncode == 0, done.stderr)
    rows = (folder / "table" / "robot.csv").read_text(encoding="utf-8").splitlines()
    x = dict(zip(rows[0].split(","), rows[-1].split(",")))["x [m]"]
    with view(world, "--allow-fmu") as viewer:
        client, _ = viewer.page()
        frame = made(client, 400)
        check(abs(frame.vehicle()[0] - float(x)) < 1e-7 and abs(float(x)) > 1e-3, f"{frame.vehicle()} with the FMU, {x} in rut run")
        client.say("reset")
        client.frame(lambda f: f.time == 0, "the start")
        check(made(client, 400).vehicle() == frame.vehicle(), "another run after a reset")
        client.say("save", slot=1)
        client.say("step", n=100)
        client.frame(lambda f: f.steps == 500)
        client.say("restore", slot=1)
        client.say("resume")
        said = client.text("error")["message"]
        check("follows no jump of time, here to t = 0.4 s" in said, said)


def refusals():
    for words, text in ((["--peer-rate", 5], "needs --peer SOCKET"), (["--remote-wait", 1], "need --remote LINK"), (["--remote", "tcp:1"], "is no link")):
        done = rut("view", DEMO, "--no-open", *words)
        check(done.returncode == 2 and text in done.stderr, f"{words}: {done.stderr}")
    done = rut("view", DEMO, "--no-open", "--remote", "udp:9", "--remote-layout")
    check(done.returncode == 0 and json.loads(done.stdout)["set_points"], f"layout: {done.stderr}")


def main():
    done = rut("view", DEMO, "--no-open", "--port", "0", "--remote", "tcp:1")
    if "without the viewer" in done.stderr or "libwebsockets" in done.stderr:
        print("skipped: rut view is not built")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        remote(told_by_run())
        silence()
        page_drives()
        peer(folder)
        fmu(folder)
        refusals()
    faults.extend(test_view.faults)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
