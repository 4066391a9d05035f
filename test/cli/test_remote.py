#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut run --remote: programs that drive a vehicle over UDP and a serial line, in step with the run and beside it. Their runs are, bit
for bit, those of a table with the same set points. The other side is examples/remote."""
import json
import math
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from harness import COMMAND, SANITIZE, SOURCE, check, rut, verdict

sys.path.insert(0, str(SOURCE / "examples" / "remote"))
from rut_remote import Can, Serial, SharedMemory, State, Udp  # noqa: E402  (found by the line above)

WORLD = SOURCE / "worlds" / "demo.xml"
SIGNALS = ("rover/x", "rover/y", "rover/yaw")
DURATION = 0.6 if SANITIZE else 1.5


class Driver(threading.Thread):
    """Answers every state by a law, and keeps what it answered. spoil(driver, packet, answer) may send more, or nothing (None)."""

    def __init__(self, link, spoil=None, wait=None):
        super().__init__(daemon=True)
        self.link, self.spoil, self.wait = link, spoil, wait
        self.rows, self.error, self.seen = [], None, 0
        self.start()

    def law(self, state):
        x, y, yaw = state.values
        return [0.4 + 0.2 * math.sin(state.time) - 0.01 * x, 0.3 * math.cos(2 * state.time) + 0.02 * y - 0.05 * math.sin(yaw)]

    def run(self):
        try:
            while True:
                packet = self.link.take()
                self.seen += 1
                state = State(packet)
                points = self.law(state)
                if self.wait:
                    self.wait.wait(random.uniform(0, 2e-3))
                answer = state.answer(points)
                if self.spoil:
                    answer = self.spoil(self, state, answer)
                if answer is None:
                    continue
                if not self.rows or self.rows[-1][0] != state.time:
                    self.rows.append((state.time, *points))
                self.link.give(answer)
        except (OSError, EOFError, ValueError) as fault:
            self.error = fault


def udp():
    """A driver's link at a free port."""
    link = Udp(0)
    return link, f"udp:{link.socket.getsockname()[1]}"


def drive(link, *words, expect=0):
    signals = [word for name in SIGNALS for word in ("--remote-signals", name)]
    done = rut("run", WORLD, "--json", "--quiet", "--duration", DURATION, "--remote", link, *signals, *words)
    check(done.returncode == expect, f"{words}: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def table_run(folder, rows, *words):
    """The run of a table with these set points of the rover."""
    table = folder / "rows.csv"
    table.write_text("t,vehicle,speed,yaw_rate\n" + "".join(f"{t!r},rover,{v!r},{w!r}\n" for t, v, w in rows))
    done = rut("run", WORLD, "--json", "--quiet", "--duration", DURATION, "--inputs", table, *words)
    check(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def in_step(folder):
    """Whatever the way and the pace, the run is that of the table."""
    link, name = udp()
    driver = Driver(link)
    told = drive(name)
    packets = round(DURATION / 0.01)
    remote = told["remote"]
    check(remote["packets"] == remote["answers"] == packets == len(driver.rows), f"{remote}, {len(driver.rows)} rows")
    check(sum(b["answers"] for b in remote["histogram"]) == packets and remote["damaged"] == 0, remote)
    check(0 < remote["mean"] <= remote["longest"] < 5, remote)
    check([row[0] for row in driver.rows[:3]] == [0.0, 0.01, 0.02], driver.rows[:3])
    hash_of_table = table_run(folder, driver.rows)["hash"]
    check(told["hash"] == hash_of_table, "not the run of the table")
    check(told["hash"] != table_run(folder, [(0, 0.4, 0.3)])["hash"], "any table gives this run")

    link, name = udp()
    slow = Driver(link, wait=threading.Event())
    check(drive(name)["hash"] == hash_of_table, "a slow driver changes the run")
    check(slow.rows == driver.rows, "a slow driver sees other states")

    line = folder / "line"
    process = subprocess.Popen([COMMAND, "run", WORLD, "--json", "--quiet", "--duration", str(DURATION), "--remote", f"pty:{line}",
                                *[word for name in SIGNALS for word in ("--remote-signals", name)]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not line.exists() and process.poll() is None:
        threading.Event().wait(0.01)
    if not line.exists():
        said = process.communicate(timeout=20)[1]
        check("no pseudo-terminal" in said, said)
        print("skipped: the serial line, no pseudo-terminals here (mount /dev/pts)")
        return hash_of_table
    serial = Driver(Serial(str(line)))
    told = json.loads(process.communicate(timeout=120)[0])
    check(told["hash"] == hash_of_table, "another run over a serial line")
    check(serial.rows == driver.rows, "other states over a serial line")
    check(not line.is_symlink(), "the link to the pseudo-terminal stays")
    return hash_of_table


def memory(folder, hash_of_table):
    """Shared memory: the run of the table; without a peer it ends in time; what a killed run left is taken away."""
    name = f"rut_test_{os.getpid()}"
    path = Path("/dev/shm") / name
    if not os.access(path.parent, os.W_OK):
        print("skipped: shared memory, no /dev/shm here")
        return
    words = [COMMAND, "run", WORLD, "--json", "--quiet", "--duration", str(DURATION), "--remote", f"shm:{name}",
             *[word for signal_ in SIGNALS for word in ("--remote-signals", signal_)]]
    try:
        process = subprocess.Popen([*words, "--remote-wait", "100"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        link = SharedMemory(name)
        check(path.stat().st_mode & 0o777 == 0o600, f"mode {path.stat().st_mode:o}")
        check(f"process {process.pid}" in drive(f"shm:{name}", expect=6), "the memory of a run that goes on")
        process.kill()
        process.wait()
        check(path.exists(), "a killed run left nothing to cure")
        try:
            while link.take():
                pass
            check(False, "the peer of a killed run goes on")
        except EOFError as fault:
            check("gone" in str(fault), fault)
        killed = process.pid
        loud = [word for word in words if word != "--quiet"]
        process = subprocess.Popen(loud, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # not the memory that the killed run left
        while process.poll() is None and (link := SharedMemory(name)).process != process.pid:
            threading.Event().wait(0.005)
        driver = Driver(link)
        out, said = process.communicate(timeout=120)
        told = json.loads(out)
        warned = [line for line in said.splitlines() if f"process {killed}" in line]
        check(len(warned) == 1 and "warning" in warned[0] and name in warned[0], said)
        check(told["hash"] == hash_of_table, "another run over shared memory")
        driver.join(20)
        check(isinstance(driver.error, EOFError), driver.error)
        check(not path.exists(), "shared memory stays")
        # a peer that dies in the middle
        process = subprocess.Popen([*words, "--remote-wait", "0.3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        link = SharedMemory(name)
        link.give(State(link.take()).answer([0.5, 0]))
        said = process.communicate(timeout=60)[1]
        check(process.returncode == 6 and "no answer within 0.3 s to the state at t = 0.01 s" in said, said)
        # a peer that writes nonsense: counts, lengths, bytes
        process = subprocess.Popen([*words, "--remote-wait", "0.3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        link = SharedMemory(name)
        while process.poll() is None:
            link.memory[link.answer:] = os.urandom(len(link.memory) - link.answer)
        check(process.returncode == 6, f"nonsense: exit code {process.returncode}")
        process.communicate()
        path.write_bytes(b"other")
        check("no run of rut made" in drive(f"shm:{name}", expect=6), "the memory of something else")
        check(path.read_bytes() == b"other", "the memory of something else was changed")
    finally:
        path.unlink(missing_ok=True)


def interface():
    """A virtual CAN bus of our own, or None."""
    name = f"rut{os.getpid() % 100000}"
    for words in (("add", "dev", name, "type", "vcan"), ("set", "up", name)):
        try:
            made = subprocess.run(["ip", "link", *words], capture_output=True, text=True, check=False)
        except OSError as fault:
            return None, str(fault)
        if made.returncode:
            return None, made.stderr.strip()
    return name, ""


def bus(folder):
    """A CAN bus: the run of the table of its numbers of 32 bits."""
    name, fault = interface()
    if not name:
        print(f"skipped: a CAN bus, no vcan here: {fault}")
        said = drive("can:rut_none0", expect=6)
        check("no CAN bus 'rut_none0'" in said, said)
        return
    try:
        link = Can(name, len(SIGNALS), 2)
        driver = Driver(link)
        told = drive(f"can:{name}")
        rows = [(row[0], *struct.unpack("<ff", struct.pack("<ff", *row[1:]))) for row in driver.rows]
        check(len(rows) == round(DURATION / 0.01) and told["remote"]["damaged"] == 0, told["remote"])
        check(told["hash"] == table_run(folder, rows)["hash"], "another run over a CAN bus")
    finally:
        subprocess.run(["ip", "link", "delete", name], check=False)


def dbc():
    """A DBC file, word by word, and what has none."""
    told = rut("run", WORLD, "--remote", "can:vcan0:0x18ff0000", "--remote-dbc", "--remote-signals", "rover/x")
    layout_ = json.loads(rut("run", WORLD, "--remote", "udp:9", "--remote-layout", "--remote-signals", "rover/x").stdout)["layout"]
    check(told.returncode == 0, told.stderr)
    head = 0x98ff0000  # bit 31: an identifier of 29 bits
    for line in (f"BO_ {head} rut_state: 8 rut", f"BO_ {head + 1} rut_answer: 8 program", f"BO_ {head + 2} set_points_1: 8 program",
                 ' SG_ speed : 0|32@1- (1,0) [0|0] "m/s" rut', ' SG_ yaw_rate : 32|32@1- (1,0) [0|0] "rad/s" rut', f"BO_ {head + 3} rut_time: 8 rut",
                 f"BO_ {head + 4} signals_1: 4 rut", ' SG_ rover_x : 0|32@1- (1,0) [0|0] "m" program', f"SIG_VALTYPE_ {head + 4} rover_x : 1;",
                 f"SIG_VALTYPE_ {head + 3} time : 2;", f'BA_ "GenSigStartValue" SG_ {head + 1} answer_layout {layout_};',
                 f'BA_ "GenMsgCycleTime" BO_ {head} 10;'):
        check(line in told.stdout.splitlines(), f"no line '{line}' in {told.stdout}")
    done = rut("run", WORLD, "--remote", "udp:9", "--remote-dbc")
    check(done.returncode == 2 and "only links over CAN" in done.stderr, done.stderr)
    done = rut("run", WORLD, "--remote", "can:vcan0", "--remote-dbc", "--remote-signals", "*")
    names = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(" SG_ ")]
    check(len(set(names)) == len(names) > 100 and max(map(len, names)) <= 32, "names of the DBC file")


def losses(hash_of_table):
    """Lost, late, repeated and damaged answers change nothing."""

    lost = set()

    def lose(driver, state, answer):
        # the first copy of every tenth state
        if state.sequence % 10 != 3 or state.sequence in lost:
            return answer
        lost.add(state.sequence)
        return None

    link, name = udp()
    Driver(link, lose)
    told = drive(name)
    check(told["hash"] == hash_of_table, "losses change the run")
    check(told["remote"]["sent_again"] >= len(lost) > 5, told["remote"])

    def damage(driver, state, answer):
        wrong = bytearray(answer)
        wrong[30] ^= 1
        state.layout ^= 1
        other = state.answer([9.0, 9.0])
        state.layout ^= 1
        few = state.answer([9.0])
        state.sequence += 5
        early = state.answer([9.0, 9.0])
        state.sequence -= 6
        old = state.answer([9.0, 9.0]) if state.sequence >= 0 else answer
        state.sequence += 1
        for packet in (bytes(wrong), other, few, early, b"", b"RUTC", answer[:-1], answer + b"x", os.urandom(65000)):
            driver.link.give(packet)
        driver.link.give(old)
        driver.link.give(answer)
        return answer

    link, name = udp()
    Driver(link, damage)
    told = drive(name)
    check(told["hash"] == hash_of_table, "damaged answers change the run")
    check(told["remote"]["damaged"] >= 8 * told["remote"]["packets"], told["remote"])


def beside(folder):
    """A run that does not wait."""
    done = rut("run", WORLD, "--json", "--quiet", "--duration", DURATION)
    alone = json.loads(done.stdout)["hash"]
    link, name = udp()
    link.socket.close()
    told = drive(name, "--remote-wait", "0")
    check(told["hash"] == alone and told["remote"]["answers"] == 0, f"nobody drives: {told['remote']}")
    link, name = udp()
    driver = Driver(link)
    told = drive(name, "--remote-wait", "0", "--realtime=2")
    remote = told["remote"]
    check(remote["packets"] == round(DURATION / 0.01) and 0 < remote["answers"] <= remote["packets"], remote)
    check(told["hash"] != alone and driver.error is None, driver.error)
    # an answer to an old state drives no more
    told_old = []

    def late(driver, state, answer):
        told_old.append(state.answer([-1.0, 0.0]) if state.sequence < 5 else state.answer([1.0, 0.0]))
        # first those of newer states, then for ever that of an old one
        return told_old[-1] if state.sequence < 20 else told_old[2]

    link, name = udp()
    Driver(link, late)
    told = drive(name, "--remote-wait", "0", "--realtime=2")
    rover = next(v for v in told["vehicles"] if v["name"] == "rover")
    check(rover["speed"] > 0.1 and told["remote"]["answers"] <= 20, f"an old answer drives: {rover['speed']}")

    # answers that take longer than a period are answers
    link, name = udp()
    Driver(link, lambda driver, state, answer: threading.Event().wait(0.004) or answer)
    told = drive(name, "--remote-wait", "0", "--remote-period", "0.005", "--realtime=2")["remote"]
    check(told["answers"] > told["packets"] / 4 and told["mean"] > 0.003, told)
    # set points that are left alone
    link, name = udp()
    Driver(link, lambda driver, state, answer: state.answer([math.nan, math.nan]))
    check(drive(name)["hash"] == alone, "NaN does not leave set points alone")


def refusals(folder):
    link, name = udp()
    link.socket.close()
    said = drive(name, "--remote-wait", "0.2", expect=6)
    check("no answer within 0.2 s to the state at t = 0 s" in said, said)
    link, name = udp()
    Driver(link, lambda driver, state, answer: state.answer([math.inf, 0]))
    check("not finite" in drive(name, expect=2), "an infinite set point")
    # an interrupt ends the wait
    link, name = udp()
    process = subprocess.Popen([COMMAND, "run", WORLD, "--quiet", "--remote", name, "--remote-wait", "100"], stderr=subprocess.PIPE)
    link.take()
    process.send_signal(signal.SIGINT)
    check(process.wait(timeout=20) == 130, f"interrupted: exit code {process.returncode}")
    for words, text in ((["tcp:1"], "is no link"), (["udp:"], "no address"), (["udp:70000"], "no address"), (["udp::9"], "no address"),
                        (["udp:9 9"], "no address"), (["serial:"], "no serial line"), (["serial:/dev/null:7"], "no serial line"), (["pty:"], "needs the name"), (["shm:"], "no name of shared memory"), (["shm:a/b"], "no name of shared memory"),
                        (["can:"], "is no CAN bus"), (["can:vcan0:0x7ff"], "0x7ff to 0x804 are partly above 0x7ff"),
                        (["udp:9", "--remote-vehicle", "nobody"], "no vehicle is called 'nobody'"),
                        (["udp:9", "--remote-signals", "rover/spee"], "did you mean 'rover/speed'"),
                        (["udp:9", "--remote-period", "0.007"], "no whole number of steps")):
        check(text in drive(*words, expect=2), f"{words}: {text}")
    for words, text in ((["serial:/dev/no:1.0-port0"], "cannot open"), (["serial:/dev/null"], "no serial line"), (["udp:no.such.host.invalid:9"], "has no address")):
        check(text in drive(*words, expect=6), f"{words}: {text}")
    said = drive(f"pty:{WORLD}", expect=6)
    check("cannot make" in said or "no pseudo-terminal" in said, said)
    check(WORLD.stat().st_size > 0, "a world was replaced")
    done = rut("run", WORLD, "--remote-wait", "1")
    check(done.returncode == 2 and "need --remote" in done.stderr, done.stderr)


def layout():
    done = rut("run", WORLD, "--remote", "udp:9", "--remote-layout", "--remote-signals", "rover/*")
    told = json.loads(done.stdout)
    check([(p["name"], p["unit"]) for p in told["set_points"]] == [("speed", "m/s"), ("yaw_rate", "rad/s")], told["set_points"])
    hash_ = 0x811c9dc5
    text = "".join(f"{v['name']} {v['unit']}\n" for v in told["signals"]) + "\n" + "".join(f"{v['name']} {v['unit']}\n" for v in told["set_points"])
    for byte in text.encode():
        hash_ = ((hash_ ^ byte) * 0x01000193) & 0xffffffff
    check(told["layout"] == hash_ and len(told["signals"]) > 20, "the layout's number")


def example():
    """The example knows the layout of its signals, and damage."""
    square = (SOURCE / "examples" / "remote" / "square.py").read_text(encoding="utf-8")
    words = [word for name in SIGNALS for word in ("--remote-signals", name)]
    told = json.loads(rut("run", WORLD, "--remote", "udp:9", "--remote-layout", *words).stdout)
    check(f"LAYOUT = {told['layout']} " in square, "the example's layout")
    for packet in (b"", b"x", b"RUTS" + bytes(40)):
        try:
            State(packet)
            check(False, f"{packet} is a state")
        except ValueError:
            pass


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hash_of_table = in_step(folder)
        memory(folder, hash_of_table)
        losses(hash_of_table)
        beside(folder)
        refusals(folder)
        layout()
        bus(folder)
        dbc()
        example()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
