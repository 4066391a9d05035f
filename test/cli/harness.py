# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the command share: where things are, a list of faults, runs of rut, and modules of test/readers."""
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SHARED = Path(os.environ.get("RUT_SHARED_DIR", SOURCE.parent / "shared"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
faults = []

sys.path.insert(0, str(SOURCE / "test" / "readers"))


def check(fine, what):
    if not fine:
        faults.append(str(what))


def near(value, reference, tolerance, what):
    check(value is not None and abs(value - reference) <= tolerance,
          f"{what}: {value}, not {reference} +- {tolerance}")


def rut(*words, **options):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=280,
                          check=False, **options)


def verdict():
    """Exit code, all faults being told."""
    for fault in faults:
        print("FAIL:", fault)
    return 1 if faults else 0
