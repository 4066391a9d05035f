#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every public header compiles alone, as C17 and as C++17; every private one as C17."""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
GENERATED = Path(os.environ["RUT_BINARY_DIR"]) / "include"
COMPILER = os.environ.get("CC", "cc")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function"]


def cases():
    """(what is compiled, language arguments, include folders) for each case."""
    public = [GENERATED, ROOT / "include"]
    headers = sorted((ROOT / "include").rglob("*.h")) + sorted(GENERATED.rglob("*.h"))
    for header in headers:
        yield header, ["-x", "c", "-std=c17"], public
        yield header, ["-x", "c++", "-std=c++17"], public
    for header in sorted((ROOT / "src").rglob("*.h")):
        yield header, ["-x", "c", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-fopenmp-simd"], public + [ROOT / "src"]


def compile_alone(case):
    header, language, folders = case
    includes = [f"-I{folder}" for folder in folders]
    # included twice: the guard is tested as well
    source = f'#include "{header}"\n' * 2 + "extern int rut_not_empty;\n"
    return subprocess.run(
        [COMPILER, *language, *WARNINGS, *includes, "-fsyntax-only", "-"],
        input=source, capture_output=True, text=True)


def main():
    todo = list(cases())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compile_alone, todo))
    failed = 0
    for (header, language, _), result in zip(todo, results):
        if result.returncode:
            failed += 1
            print(f"{header} as {language[2].removeprefix('-std=')}:")
            print(result.stderr)
    print(f"{len(todo) - failed} passed, {failed} failed")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
