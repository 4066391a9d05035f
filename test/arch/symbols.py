#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the compiled library holds: no writable globals, every outer name begins with rut_ and is
there once (an archive takes the first of two without a word), and nothing is called that ends the host, prints, or depends on the C library's rounding.

Sanitizers add globals of their own, so their builds skip this test.
"""
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["RUT_SOURCE_DIR"])
OBJECTS = Path(os.environ["RUT_BINARY_DIR"]) / "CMakeFiles" / "rut_objects.dir"
WRITABLE = (".data", ".bss", ".tdata", ".tbss", "*COM*")
FORBIDDEN = {"exit", "_exit", "abort", "printf", "vprintf", "puts", "putchar", "perror", "stdout",
             "stderr", "system", "popen", "setlocale", "rand", "srand", "strtok"}
# functions of libm whose last bit differs between C libraries; src/math has our own
INEXACT = {"sin", "cos", "tan", "sincos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
           "asinh", "acosh", "atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
           "pow", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma"}


def symbols(path):
    """(name, section, is global) of every symbol, from objdump's table."""
    text = subprocess.run(["objdump", "-t", str(path)], check=True, capture_output=True,
                          text=True).stdout
    for line in text.splitlines():
        if "\t" not in line:
            continue
        left, right = line.split("\t", 1)
        flags, section = left[17:24], left[25:].strip()
        name = right.split()[-1]
        # sections, file names, and what the compiler makes itself (resolvers of target_clones)
        if "d" in flags or "f" in flags or "." in name.lstrip("."):
            continue
        yield name, section, flags[0] in "gu"


def faults(path, owner):
    """What is wrong with an object; owner: where each outer name stands, so far."""
    for name, section, outer in symbols(path):
        if outer and section != "*UND*" and owner.setdefault(name, path) != path:
            yield f"outer name {name} stands in {owner[name].stem} as well"
        constant = section.startswith(".data.rel.ro")
        if section.startswith(WRITABLE) and not constant:
            yield f"writable global {name}"
        elif section == "*UND*" and name.split("@")[0] in FORBIDDEN:
            yield f"uses {name}"
        elif section == "*UND*" and name in INEXACT:
            yield f"uses {name} of libm, not our own"
        elif outer and not name.startswith("rut_"):
            yield f"outer name {name} lacks the prefix rut_"


def main():
    if os.environ.get("RUT_SANITIZE"):
        print("skipped: sanitizers bring globals of their own")
        return 77
    passed = failed = 0
    owner = {}
    for path in sorted(OBJECTS.rglob("*.o")):
        # objects of sources that are gone stay in a build folder
        if not (SOURCE / path.relative_to(OBJECTS).with_suffix("")).exists():
            continue
        found = sorted(set(faults(path, owner)))
        for fault in found:
            print(f"{path.relative_to(OBJECTS).with_suffix('')}: {fault}")
        failed += bool(found)
        passed += not found
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
