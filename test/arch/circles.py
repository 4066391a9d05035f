#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No circles among files: a .c and the header of its name are one room, and rooms are tied by what
they include and what they call, as the compiled objects tell. What a room hands down must not come
back up to it.

Formats are called through their descriptors and fill a spec through the public calls, so that a tie
from the registry to them and back is none between files of src/sim.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["RUT_SOURCE_DIR"])
OBJECTS = Path(os.environ["RUT_BINARY_DIR"]) / "CMakeFiles" / "rut_objects.dir"
FREE = ("sim", "vehicle", "contact", "control", "drive", "geom", "math", "plan", "sense", "soil",
        "suspension", "tyre")
INCLUDE = re.compile(r'^#include "([^"]+)\.(?:h|inl)"', re.M)


def is_free(room):
    return room.startswith(tuple(f"src/{folder}/" for folder in FREE))


def symbols(paths):
    """(object, True where it defines the name, name) of every outer name."""
    command = ["nm", "-A", *map(str, paths)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        # i: resolvers of functions that are compiled for several vector units
        if kind.isupper() or kind == "i":
            yield Path(path), kind != "U", name


def ties():
    """room -> room that it needs -> what it takes from there."""
    owner, taken, edges = {}, {}, {}

    def tie(room, other, what):
        if other and other != room and is_free(room) and is_free(other):
            edges.setdefault(room, {}).setdefault(other, set()).add(what)

    objects = {path: path.relative_to(OBJECTS).with_suffix("")
               for path in sorted(OBJECTS.rglob("*.o"))}
    # those of sources that are gone stay in a build folder
    objects = {path: source for path, source in objects.items() if (SOURCE / source).exists()}
    for path, defines, name in symbols(objects):
        room = objects[path].with_suffix("").as_posix()
        if defines:
            owner[name] = room
        else:
            taken.setdefault(room, set()).add(name)
    for room, names in taken.items():
        for name in names:
            tie(room, owner.get(name), name)
    for path in sorted((SOURCE / "src").rglob("*.[ch]")):
        room = path.relative_to(SOURCE).with_suffix("").as_posix()
        for target in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if (SOURCE / "src" / (target + ".h")).exists():
                tie(room, f"src/{target}", "its header")
    return edges


def circles(edges):
    """Sets of rooms that reach each other (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(room):
        index[room] = low[room] = len(index)
        stack.append(room)
        for other in edges.get(room, {}):
            if other not in index:
                visit(other)
                low[room] = min(low[room], low[other])
            elif other in stack:
                low[room] = min(low[room], index[other])
        if low[room] == index[room]:
            ring = stack[stack.index(room):]
            del stack[stack.index(room):]
            if len(ring) > 1:
                found.append(sorted(ring))

    for room in sorted(edges):
        if room not in index:
            visit(room)
    return found


def main():
    edges = ties()
    found = circles(edges)
    for ring in found:
        print("circle: " + ", ".join(ring))
        for room in ring:
            for other in ring:
                names = sorted(edges.get(room, {}).get(other, ()))
                if names:
                    print(f"  {room} -> {other}: {', '.join(names)}")
    print(f"{len(edges)} passed, {len(found)} failed")
    return 1 if found or not edges else 0


if __name__ == "__main__":
    sys.exit(main())
