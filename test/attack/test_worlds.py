#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds made to harm: each is refused with one clear error, or runs, within bounds of time and
memory.

RUT_COMMAND is the command, RUT_SANITIZE is not empty if it was built with sanitizers."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
CPU_SECONDS = 60 if SANITIZE else 5
LIMITED = ["prlimit", f"--cpu={CPU_SECONDS}", "--core=0"] + ([] if SANITIZE else [f"--as={2 << 30}"])
INVALID = 3

passed = failed = 0


def expect(name, text, pattern, code=INVALID, file="w.xml", verb=("check",)):
    """The command ends with this code, and says this."""
    global passed, failed
    Path(file).write_text(text)
    done = subprocess.run([*LIMITED, COMMAND, *verb, file], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                          env=dict(os.environ, NO_COLOR="1"), check=False)
    output = done.stdout.decode("utf-8", "replace")
    fault = ""
    if done.returncode < 0:
        fault = f"killed by signal {-done.returncode}: {output[:300]}"
    elif done.returncode != code:
        fault = f"exit code {done.returncode} instead of {code}: {output[:300]}"
    elif pattern not in output:
        fault = f"it does not say '{pattern}': {output[:300]}"
    passed += not fault
    failed += bool(fault)
    if fault:
        print(f"FAILED {name}: {fault}")


def outlines():
    """Points of a line that rounding lets turn left both ways: their hull once left its memory."""
    line = [(-2.5, -3.25), (-2.0, -2.7), (1.5, 1.15)]
    points = ", ".join(f"{x} {y}" for x, y in line)
    blocks = "\n".join(f'<block name="b{i}" outline="{points}" position="{10 * i} 0"/>'
                       for i in range(50))
    expect("outlines on a line", f"<world>\n{blocks}</world>", "its points lie on one line")
    points = "".join(f"<pt>{x} {y}</pt>" for x, y in line)
    blocks = "\n".join(f"<block><shape>{points}</shape><init_pose>{10 * i} 0 0</init_pose></block>"
                       for i in range(50))
    expect("shapes on a line", f'<mvsim_world version="1.0">\n{blocks}</mvsim_world>',
           "that are not on one line", file="w.world.xml")


def main():
    outlines()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        main()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
