#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No object of the library may hold a fused multiply-add: it rounds once where others round twice.

gcc makes some in vectorised loops in spite of -ffp-contract=off where the target has them, so the
disassembly is looked at, the code for wider vector units included.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

library = pathlib.Path(os.environ["RUT_BINARY_DIR"]) / "librut.a"
if platform.machine() != "x86_64" or not shutil.which("objdump") or not library.exists():
    print("skipped: needs objdump and an x86-64 static library")
    sys.exit(77)

text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(library)],
                      check=True, capture_output=True, text=True).stdout
function, fused, instructions = "", {}, 0
for line in text.splitlines():
    if line.endswith(">:"):
        function = line.split("<")[1][:-2]
    elif "\t" in line:
        instructions += 1
        if re.search(r"\tvfn?m(add|sub)", line):
            fused[function] = fused.get(function, 0) + 1
for name, count in sorted(fused.items()):
    print(f"{name}: {count} fused multiply-adds")
failed = len(fused) + (instructions < 1000)
print(f"{1 if not failed else 0} passed, {failed} failed")
sys.exit(1 if failed else 0)
