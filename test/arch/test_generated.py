#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables that a tool writes are what the tool writes now."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("RUT_SOURCE_DIR", "."))
TABLES = {"src/base/powers_of_ten.def": ["tools/make_powers.py"]}

failed = 0
for name, tool in TABLES.items():
    wanted = subprocess.run([sys.executable, ROOT / tool[0], *tool[1:]], check=True,
                            capture_output=True, text=True).stdout
    if (ROOT / name).read_text(encoding="utf-8") != wanted:
        print(f"{name} is not what {' '.join(tool)} writes")
        failed += 1
print(f"{len(TABLES) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
