#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Small rules for every text file: licence line, no notes to self, clean white space, sane size,
no worlds in the documents that are not there, decisions with numbers of their own, functions that
are compiled once per vector unit with names of their own."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", "."))
SKIP = {".git", "build", "bad_input", "corpus", "__pycache__", "node_modules", "dist"}
CODE = {".c", ".h", ".inl", ".ts", ".mjs"}
TEXT = CODE | {".py", ".sh", ".bash", ".md", ".cmake", ".txt", ".xml", ".json", ".in", ".def",
               ".css", ".html", ".pyi", ".toml"}
LICENCE = "// SPDX-License-Identifier: BSD-3-Clause"
NOTE = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
WORLD = re.compile(r"\bworlds/[a-z0-9_/.-]+\.(?:xml|csv|yaml)\b")
# what the README tells to run; "my..." is the reader's own
COMMAND = re.compile(r"\brut (?:run|view) (?!my)([\w./-]+\.xml)\b")
# A reader that stops early ends its writer with SIGPIPE, which "pipefail" takes for a failure: now and then.
EARLY = re.compile(r"\|\s*(grep\s+-\w*[qm]|head\b)")
# clang 14 lets the linker see what chooses between the clones of a static function, by its name
CLONED = re.compile(r"^RUT_CLONES static \w+ (\w+)\(", re.MULTILINE)
MAX_BYTES = 500_000
# What may stand in the root; tests write into their build folder.
ROOT_FILES = {
    ".clang-format", ".clang-tidy", ".editorconfig", ".git", ".gitignore", "CHANGELOG.md",
    "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "README.md",
    "pyproject.toml",
}  # .git is a file in a work tree of its own


def files():
    for folder, names, entries in os.walk(ROOT):
        names[:] = sorted(n for n in names if n not in SKIP and not n.startswith("build"))
        for entry in sorted(entries):
            yield Path(folder) / entry


def missing_worlds(path, line):
    """Worlds that a line of a document names and that are not there."""
    if path.name != "README.md" and "docs" not in path.parts:
        return []
    named = set(WORLD.findall(line))
    if path.name == "README.md":
        named.update(COMMAND.findall(line))
    return [world for world in sorted(named) if not (ROOT / world).exists()]


def wrong_decision(path):
    """A decision note (docs/adr/0026-name.md) has a number of its own, which its heading repeats."""
    number = path.name.split("-")[0]
    beside = sorted(path.parent.glob(f"{number}-*.md"))
    if len(beside) > 1:
        return f"shares its number with {next(p.name for p in beside if p != path)}"
    if not path.read_text(encoding="utf-8").startswith(f"# {int(number)}. "):
        return f"does not begin with '# {int(number)}. '"
    return ""


def faults(path):
    if path.parent == ROOT / "docs/adr" and wrong_decision(path):
        yield 1, wrong_decision(path)
    if path.parent == ROOT and path.name not in ROOT_FILES:
        yield 0, "does not belong into the root"
    if path.stat().st_size > MAX_BYTES:
        yield 0, f"larger than {MAX_BYTES} bytes"
    if path.suffix not in TEXT:
        return
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    if path.suffix in CODE and lines[0] != LICENCE:
        yield 1, f"the first line must be: {LICENCE}"
    if text and not text.endswith("\n"):
        yield len(lines), "no line break at the end"
    for number, line in enumerate(lines, 1):
        if NOTE.search(line) and path.suffix != ".md":
            yield number, "a note to self; open an issue instead"
        for world in missing_worlds(path, line):
            yield number, f"names {world}, which is not there"
        if line != line.rstrip() and path.suffix != ".md":
            yield number, "trailing white space"
        if path.suffix in {".sh", ".bash"} and EARLY.search(line):
            yield number, "the reader may stop before the writer has finished; use a file"
        if "\t" in line and path.suffix in CODE:
            yield number, "tab"


def cloned_twice(path, seen):
    """Cloned functions of a file whose name one of another file has; `seen` is where each name was."""
    if path.suffix not in CODE:
        return
    for name in CLONED.findall(path.read_text(encoding="utf-8")):
        if name != "name" and seen.setdefault(name, path) != path:
            yield 1, f"{name}() is in {seen[name].name} too; clang links no two RUT_CLONES of one name"


def main():
    passed = failed = 0
    cloned = {}
    for path in files():
        found = list(faults(path)) + list(cloned_twice(path, cloned))
        for line, fault in found:
            print(f"{path.relative_to(ROOT)}:{line}: {fault}")
        failed += bool(found)
        passed += not found
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
