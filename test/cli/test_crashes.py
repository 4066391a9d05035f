#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut bench crashes: a part of the audit of docs/manual/validation.md. Every crash closes its balance and passes through nothing; the
worlds that are written are those that ran."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
# FIRST: the first of so many seeds on end that have no known fault
FIRST, COUNT = 8, 2 if SANITIZE else 22
# crashes that gained energy or lost all numbers: sides of tyres beside faces (7), tyres that come over edges on soils and roads, by
# both integrators, wheels without mass (43 to 877), steep banks (751, 877), a wall that would stand in the vehicle (347, 437), a
# chassis that was thrown (820), a patch whose load grew seventyfold (930), a tyre that met another face of a vehicle (746)
MENDED = (7,) if SANITIZE else (7, 43, 84, 120, 265, 289, 347, 349, 437, 471, 490, 561, 606, 646, 709, 746, 751, 820, 877, 930)
failures = 0


def check(name, good, told=""):
    global failures
    print(f"{'ok' if good else 'FAILED'}: {name}" + ("" if good else f" {told}"))
    failures += not good


def rut(*words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as folder:
    run = rut("bench", "crashes", "--seed", FIRST, "--count", COUNT, "--json", "--output", folder)
    check("exit code", run.returncode == 0, run.stderr + run.stdout)
    crashes = json.loads(run.stdout)
    check("all crashes", [c["seed"] for c in crashes] == list(range(FIRST, FIRST + COUNT)))
    for c in crashes:
        check(f"crash {c['seed']}: {c['kind']} of {c['vehicle']} on {c['soil']}",
              c["fault"] == "" and c["residual"] < 1e-3 and c["gained"] < 1e-3 and c["throughput"] > 0, c)
    for seed in MENDED:
        run = rut("bench", "crashes", "--seed", seed, "--count", 1, "--json")
        c = json.loads(run.stdout)[0]
        check(f"crash {seed}, mended: {c['kind']} of {c['vehicle']} on {c['soil']}", run.returncode == 0 and c["fault"] == "", c)
    # with Coulomb friction alone, or none, what is dissipated cannot come back: nothing but springs and patches hold energy
    for c in crashes:
        if c["kind"] in ("drop", "roll") and c["soil"] in ("hard", "cone"):
            check(f"crash {c['seed']} gives nothing back", c["returned"] < 2e-3, c)
    worlds = sorted(Path(folder).glob("crash_*.xml"))
    check("worlds of the worst", len(worlds) == min(12, COUNT))
    world = rut("run", worlds[0], "--json", "--duration", "0.05")
    check("they run", world.returncode == 0 and json.loads(world.stdout), world.stderr)
sys.exit(failures > 0)
