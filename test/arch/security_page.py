#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that docs/security.md names as holding its promises exist, and it names every suite of attacks
and every fuzz target."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def exists(folder, topic):
    if folder == "fuzz":
        return (ROOT / "fuzz" / f"fuzz_{topic}.c").is_file()
    stems = (f"test_{topic}", topic)
    return any((ROOT / "test" / folder / f"{stem}{end}").is_file()
               for stem in stems for end in (".c", ".py", ".sh"))


def main():
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+)\.([a-z0-9_]+)`", text))
    there = {("fuzz", path.stem.removeprefix("fuzz_")) for path in (ROOT / "fuzz").glob("fuzz_*.c")}
    there |= {("attack", path.stem.removeprefix("test_"))
              for path in (ROOT / "test" / "attack").glob("test_*.py")}
    faults = [f"{folder}.{topic}: there is no such test" for folder, topic in sorted(named)
              if not exists(folder, topic)]
    faults += [f"{folder}.{topic} is not in docs/security.md" for folder, topic in sorted(there - named)]
    for fault in faults:
        print(fault)
    print(f"{len(named | there) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or not named else 0


if __name__ == "__main__":
    sys.exit(main())
