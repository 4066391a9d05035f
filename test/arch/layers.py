#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the layers of the source tree and fails on an #include that breaks them.

    python3 test/arch/layers.py [ROOT]

A folder may include itself and what stands below it. Folders of one level never include each
other, unless the level is listed as a chain. Also checked: cycles between files, who may call
libm, and words that a library must not use (exit, abort, printing).
"""
import os
import re
import sys
from pathlib import Path

# folder of src/ -> folders of src/ that it may include; include/rut is open to everyone
L0 = {"base"}
L1 = L0 | {"math"}
L2 = L1 | {"geom"}
L3_NAMES = {"appearance", "mbd", "contact", "terrain", "tyre", "soil", "suspension", "drive", "control", "sense",
            "format", "scenery"}
ALLOWED = {"base": L0, "math": L1, "geom": L2, "host": {"host"} | L1}
ALLOWED.update({name: {name} | L2 for name in L3_NAMES})
# planning, estimation and optimal control are leaves: nothing of a step sees them
ALLOWED["plan"] = {"plan"} | L2
ALLOWED["estimate"] = {"estimate"} | L1
ALLOWED["optimal"] = {"optimal"} | L1
# vehicles on axles stand on the components; what reads and compiles worlds is nested in sim, and a
# step sees neither drafts nor the compiler
L4 = L2 | L3_NAMES
ALLOWED["vehicle"] = {"vehicle"} | L4
ALLOWED["sim/spec"] = {"sim/spec"} | L4
ALLOWED["sim"] = {"sim", "sim/spec", "vehicle"} | L4
ALLOWED["sim/compile"] = {"sim/compile"} | ALLOWED["sim"]
ALLOWED["sim/batch"] = {"sim/batch"} | ALLOWED["sim/compile"]

LIBM_CALLER = "src/math/rut_math.h"
LIBM_HEADERS = {"math.h", "tgmath.h", "complex.h"}
# src/base stands below src/math: it may use the macros of <math.h> (NAN, isfinite), but call nothing
LIBM_CALL = (r"\b(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|sqrt|cbrt|hypot|fmod|remainder"
             r"|floor|ceil|trunc|l?l?r(int|ound)|nearbyint|fabs|fma|fmin|fmax|ldexp|frexp|modf"
             r"|copysign|erfc?|[lt]gamma)[fl]?\s*\(")
FORBIDDEN = {
    r"\b(exit|_exit|_Exit|quick_exit|abort)\s*\(": "a library never ends its host",
    r"\b(printf|vprintf|puts|putchar|perror)\s*\(": "a library never prints",
    r"\b(stdout|stderr)\b": "a library never prints",
    r"\b(system|popen)\s*\(": "a library runs no programs",
    r"\b(alloca|gets|strcpy|strcat|sprintf|vsprintf)\s*\(": "unbounded",
    r"\b(atof|strtod|strtof|setlocale)\s*\(": "depends on the locale; see base/units.h",
}
# bench/ compares with what stands in src/; the command sees one header of each comparison
BENCH_CALLERS = {"cli/bench_formulations.c": "bench/formulations/measure.h",
                 "cli/bench_map.c": "bench/rays/measure_map.h",
                 "cli/bench_mesh.c": "bench/rays/measure.h"}
# helper programs are no part of the library: of it they see the base, and what they answer with
HELPER_SEES = ("src/base/", "src/format/mesh_answer.h", "src/format/fmi_description.h", "src/host/fmu_frame.h", "fmu/fmi2.h",
               "fmu/fmi3.h")
# the binding stands on the public headers; its loops over lanes are compiled for each vector unit as those of the library
PYTHON_SEES = "src/math/lanes.h"
# libraries that parse strangers' files and have crashed on some: only a helper may call them
HELPER_ONLY = "assimp/"
NUMBER_READER = "src/base/units.c"  # hands strtod text that no locale can change
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
CODE = (".c", ".h", ".inl", ".def")


def without_comments(text):
    """Blanks comments, strings and characters, keeping line breaks."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(pattern, blank, text, flags=re.S)


def without_comments_only(text):
    """Blanks comments but keeps strings, so that #include "x" stays readable."""
    pattern = r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")'
    keep = lambda m: m.group(1) or re.sub(r"[^\n]", " ", m.group())
    return re.sub(pattern, keep, text, flags=re.S)


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = {}
        for top in ("include", "src", "cli", "helper", "fmu", "bench", "python"):
            for path in sorted((root / top).rglob("*")):
                if path.suffix in CODE or path.name.endswith(".h.in"):
                    self.files[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
        self.edges = {name: self.includes(name) for name in self.files}

    def includes(self, name):
        """List of (line, kind, text, resolved file or None)."""
        text = without_comments_only(self.files[name])
        found = []
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append((line, match[1], match[2], self.resolve(name, match[1], match[2])))
        return found

    def resolve(self, name, kind, target):
        bases = ["include", "src", "cli", "helper", "fmu", "bench", "python"]
        if kind == '"':
            bases.insert(0, os.path.dirname(name))
        for base in bases:
            path = os.path.normpath(f"{base}/{target}")
            for candidate in (path, path + ".in"):
                if candidate in self.files:
                    return candidate
        return None


def check_edge(source, kind, target, resolved):
    """Why this #include is wrong, or None."""
    top, *rest = source.split("/")
    if resolved is None:
        if kind == '"':
            return f'no such file "{target}"'
        if top != "helper" and target.startswith(HELPER_ONLY):
            return f"<{target}> belongs to helper/ alone"
        macros_only = source.startswith("src/base/") and target == "math.h"
        if top == "src" and target in LIBM_HEADERS and source != LIBM_CALLER and not macros_only:
            return f"<{target}> belongs to {LIBM_CALLER} alone"
        return None
    to_top, *to_rest = resolved.split("/")
    if to_top == "include":
        return None
    if top == "bench" and to_top == "src":
        return None
    if top == "helper" and resolved.startswith(HELPER_SEES):
        return None
    if top == "python" and resolved == PYTHON_SEES:
        return None
    if BENCH_CALLERS.get(source) == resolved:
        return None
    if top != to_top:
        return f"{top}/ may not include {to_top}/"
    if top in ("cli", "helper", "fmu", "bench", "python"):
        return None
    folder, to_folder = "/".join(rest[:-1]), "/".join(to_rest[:-1])
    if folder not in ALLOWED:
        return f"src/{folder} has no place in the layer table"
    if to_folder not in ALLOWED[folder]:
        return f"src/{folder} may not include src/{to_folder}"
    if kind == '"' and target != resolved.removeprefix("src/"):
        return f'private headers are named from src/: "{resolved.removeprefix("src/")}"'
    return None


def find_cycles(edges):
    """Cycles of the include graph, each as a list of files."""
    state, stack, cycles = {}, [], []

    def visit(name):
        state[name] = "open"
        stack.append(name)
        for _, _, _, target in edges[name]:
            if target is None or target == name:
                continue
            if state.get(target) == "open":
                cycles.append(stack[stack.index(target):] + [target])
            elif target not in state:
                visit(target)
        stack.pop()
        state[name] = "done"

    for name in edges:
        if name not in state:
            visit(name)
    return cycles


def check_words(name, text):
    code = without_comments(text)
    rules = dict(FORBIDDEN)
    if name.startswith("src/base/"):
        rules[LIBM_CALL] = "src/base calls nothing of libm"
    for pattern, reason in rules.items():
        if name == NUMBER_READER and "strtod" in pattern:
            continue
        for match in re.finditer(pattern, code):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{name}:{line}: {match.group().rstrip('( ')}: {reason}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RUT_SOURCE_DIR", "."))
    tree = Tree(root)
    faults, passed = [], 0
    for name, edges in tree.edges.items():
        bad = []
        for line, kind, target, resolved in edges:
            reason = check_edge(name, kind, target, resolved)
            if reason:
                bad.append(f"{name}:{line}: {reason}")
        if name.startswith("src/"):
            bad += check_words(name, tree.files[name])
        faults += bad
        passed += not bad
    faults += ["cycle: " + " -> ".join(cycle) for cycle in find_cycles(tree.edges)]
    for fault in faults:
        print(fault)
    print(f"{passed} passed, {len(faults)} failed")
    return 1 if faults or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
