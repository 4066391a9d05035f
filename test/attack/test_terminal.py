#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is printed steers no terminal, whatever names worlds, logs and files have.

RUT_COMMAND is the command."""
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
# control characters, and marks that turn the direction of writing
STEERING = re.compile("[\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
MARKS = ("\x9b2J", "\x85", "\u202e", "\u2066")  # XML allows these in names
ANY = (*MARKS, "\x1b[2J", "\7", "\r", "\n", "\x7f")

passed = failed = 0


def expect(name, pattern, *arguments):
    """The command says this, and nothing that steers a terminal."""
    global passed, failed
    done = subprocess.run([COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60, env=dict(os.environ, NO_COLOR="1"),
                          check=False)
    output = done.stdout.decode("utf-8")
    fault = ""
    if done.returncode < 0:
        fault = f"killed by signal {-done.returncode}: {output[:300]!r}"
    elif STEERING.search(output.replace("\n", "").replace("\t", "")):
        fault = f"it could steer a terminal: {output[:300]!r}"
    elif pattern not in output:
        fault = f"it does not say '{pattern}': {output[:300]!r}"
    passed += not fault
    failed += bool(fault)
    if fault:
        print(f"FAILED {name}: {fault}")


def names_in_worlds():
    world = ('<world duration="0.01"><vehicle name="a{}b" {}><chassis mass="9"/>'
             '<wheel position="0 0"/></vehicle></world>')
    for mark in MARKS:
        for spelt in (mark, f"&#{ord(mark[0])};{mark[1:]}"):
            Path("wrong.xml").write_text(world.format(spelt, 'wheels="3"'))
            Path("w.xml").write_text(world.format(spelt, ""))
            expect(f"an error about {spelt!r}", "a?", "check", "wrong.xml")
            expect(f"a table with {spelt!r}", "a?", "run", "w.xml")
            expect(f"JSON with {spelt!r}", "a\\u", "run", "--json", "w.xml")


def names_of_files():
    for mark in ANY:
        file = f"a{mark}b.xml"
        Path(file).write_text("<world><vehicle/></world>")
        expect(f"a finding in {file!r}", "a?", "check", file)
        expect(f"no such file as {file!r}", "a?", "check", f"no_{file}")
        expect(f"no such option as {file!r}", "a?", "check", f"--{file}")


def record(kind, body):
    return bytes([kind]) + struct.pack("<Q", len(body)) + body


def text(value):
    return struct.pack("<I", len(value.encode())) + value.encode()


def log_of(name):
    """An MCAP file whose names are all this one."""
    definition = f"float64 value # [m] {name}\nfloat64 b{name}\n".encode()
    body = b"\0\1\0\0" + struct.pack("<2d", 1, 2)
    pairs = text("command") + text(name)
    records = [record(1, text(name) + text(name)),
               record(3, struct.pack("<H", 1) + text(name) + text("ros2msg") +
                      struct.pack("<I", len(definition)) + definition),
               record(4, struct.pack("<HH", 0, 1) + text(name) + text("cdr") + struct.pack("<I", 0)),
               record(5, struct.pack("<HIQQ", 0, 0, 1, 1) + body),
               record(5, struct.pack("<HIQQ", 0, 1, 2, 2) + body),
               record(9, struct.pack("<QQ", 0, 0) + text(name) + text(name) + struct.pack("<Q", 1) + b"x" +
                      struct.pack("<I", 0)),
               record(12, text("rut") + struct.pack("<I", len(pairs)) + pairs),
               record(15, struct.pack("<I", 0)),
               record(2, struct.pack("<QQI", 0, 0, 0))]
    magic = b"\x89MCAP0\r\n"
    return magic + b"".join(records) + magic


def names_in_logs():
    for mark in ANY:
        Path("l.mcap").write_bytes(log_of(f"a{mark}b"))
        expect(f"a log with {mark!r}", "a?", "log", "l.mcap")
        expect(f"signals with {mark!r}", "value", "log", "--signals", "l.mcap")
        expect(f"a log with {mark!r} in JSON", "a\\u", "log", "--json", "l.mcap")
        expect(f"an attachment that is not there, with {mark!r}", "no attachment", "log", "l.mcap",
               "--attachment", "ab")
        expect(f"curves with {mark!r}", "a?", "plot", "l.mcap", "*/value")
        expect(f"a curve that is not there, with {mark!r}", "", "plot", "l.mcap", "ab/value")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        names_in_worlds()
        names_of_files()
        names_in_logs()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
