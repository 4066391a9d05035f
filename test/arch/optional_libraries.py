#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A source that asks for an optional library (RUT_HAVE_<NAME>, RUT_<FILE>_LIBRARY) is named by rut_use(<NAME> ...): else
it would be compiled as if the library were never there. What is named asks for it."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", "."))
FOLDERS = ("src", "cli", "helper", "bench", "test", "fuzz")
USE = re.compile(r"\brut_use\((\w+)\s+([^()]+)\)")
ASK = re.compile(r"\bRUT_(?:HAVE_([A-Z]+)|([A-Z]+)_LIBRARY)\b")
# Files that the loader is asked for, by what they are for where that has another name.
FILES = {"WEBSOCKETS": "VIEWER", "LDL": "SUITESPARSE", "KLU": "SUITESPARSE"}


def named():
    """Pairs of library and source that the build files name."""
    pairs = set()
    scripts = [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake")]
    for script in [*scripts, *(ROOT / "test").glob("CMakeLists.txt"), *(ROOT / "fuzz").glob("CMakeLists.txt")]:
        # scripts of the folder cmake are included by that of the root
        base = ROOT if script in scripts else script.parent
        for library, sources in USE.findall(script.read_text(encoding="utf-8")):
            for source in sources.replace("${PROJECT_SOURCE_DIR}/", "/").replace('"', "").split():
                path = ROOT / source[1:] if source.startswith("/") else base / source
                pairs.add((library, path.relative_to(ROOT).as_posix()))
    return pairs


def main():
    told = named()
    libraries = {library for library, _ in told}
    asked = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.[ch]"):
            for name, file in ASK.findall(path.read_text(encoding="utf-8")):
                library = name or FILES.get(file, file)
                if library in libraries:
                    asked.add((library, path.relative_to(ROOT).as_posix()))
    for library, path in sorted(asked - told):
        print(f"{path}: asks for RUT_HAVE_{library}, and no rut_use({library} ...) names it")
    for library, path in sorted(told - asked):
        print(f"{path}: rut_use({library} ...) names it, and it does not ask for RUT_HAVE_{library}")
    faults = len(asked ^ told)
    print(f"{len(asked & told)} passed, {faults} failed")
    return 1 if faults or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
