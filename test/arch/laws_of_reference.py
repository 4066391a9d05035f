#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of laws are those that tools/reference_laws.py and tools/seed_numbers.py write, and tools/mutate.py finds faults in all folders of laws."""

import os
import subprocess
import sys

ROOT = os.environ.get("RUT_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def tool(name, *words):
    return subprocess.run([sys.executable, os.path.join(ROOT, "tools", name), *words], stdout=subprocess.PIPE, text=True)


def main():
    failed = 0
    for name in ("reference_laws.py", "seed_numbers.py"):
        checked = tool(name, "--check")
        if checked.returncode:
            print(checked.stdout)
            failed += 1
    listed = [tool("mutate.py", "--list", "--count", "150", "--seed", str(seed)).stdout for seed in (3, 3, 4)]
    folders = {line.rsplit("/", 1)[0] for line in listed[0].split("\n") if line.startswith("src/")}
    wanted = {"src/" + f for f in ("tyre", "soil", "drive", "suspension", "mbd", "vehicle", "contact")}
    for good, what in ((folders == wanted, "faults in all folders of laws"), (listed[0] == listed[1], "the same faults of a seed"),
                       (listed[0] != listed[2], "others of another"), (listed[0].count("\n  + ") == 150, "as many as asked")):
        if not good:
            print("mutate.py --list: not", what)
            failed += 1
    print("%d failed" % failed)
    sys.exit(1 if failed else 0)


main()
