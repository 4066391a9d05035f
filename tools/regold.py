#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write test/golden/hashes.txt anew and say what changed.

A changed hash means that the same world now moves differently, be it in the last bit: CHANGELOG.md
then needs a line under "Behaviour" that says why, and this script refuses to write without one.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "test/golden/hashes.txt"
DURATION = 2.0  # [s]


def worlds():
    """Example worlds, but for those whose map the user makes, which is not the same everywhere, and
    those with a controller that a program brings."""
    for path in sorted((ROOT / "worlds").glob("*.xml")):
        text = path.read_text()
        if not re.search(r'file="[^"]+\.asc"|host="true"', text):
            yield path.stem


def run(rut, world, duration):
    command = [rut, "run", str(ROOT / f"worlds/{world}.xml"), "--duration", str(duration), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def old_hashes():
    if not GOLDEN.exists():
        return {}
    rows = (line.split() for line in GOLDEN.read_text().splitlines())
    return {row[0]: row[2] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rut", default=str(ROOT / "build/release/rut"))
    options = parser.parse_args()
    old, lines, changed, known = old_hashes(), [], [], False
    for world in worlds():
        result = run(options.rut, world, DURATION)
        lines.append(f"{world} {result['steps']} {result['hash']}")
        if old.get(world) != result["hash"]:
            changed.append(world)
            known = known or world in old
            for v in result["vehicles"][:3]:
                print(f"{world}: {v['name']} ends at x {v['x']:.9g} m, y {v['y']:.9g} m")
    if not changed:
        print("nothing changed")
        return 0
    unreleased, *released = (ROOT / "CHANGELOG.md").read_text().split("\n## [")
    if known and released and "### Behaviour" not in unreleased:
        print("CHANGELOG.md has no '### Behaviour' entry for this change", file=sys.stderr)
        return 1
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text("\n".join(lines) + "\n")
    print("changed:", " ".join(changed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
