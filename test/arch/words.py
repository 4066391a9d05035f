#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/glossary.md has an entry, with its unit, for every output; and what it lists as not used is used
neither in code nor in text."""
import os
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
# Folders whose identifiers are words of the field.
CODE = ("include", "src/contact", "src/control", "src/drive", "src/geom", "src/math", "src/mbd", "src/plan", "src/sense", "src/soil",
        "src/suspension", "src/tyre", "src/vehicle")
TEXT = ("include", "src", "cli", "docs", "README.md", "CONTRIBUTING.md", "SECURITY.md")
NO_TEXT = ("docs/glossary.md", "docs/adr")
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def entries(text):
    """Units, rows, refused identifiers and refused phrases of each line of the tables of terms."""
    for line in text.splitlines():
        cell = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cell) != 7 or cell[0] in ("term", "---"):
            continue
        yield (cell[0], re.split(r", | or ", cell[2]), re.findall(r"`([^`]+)`", cell[5]),
               re.findall(r"`([^`]+)`", cell[6]), re.findall(r'"([^"]+)"', cell[6]))


def files(places, ends):
    for place in places:
        path = ROOT / place
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            name = str(file.relative_to(ROOT))
            if file.suffix in ends and not name.startswith(NO_TEXT):
                yield name, file.read_text(encoding="utf-8")


def missing(terms, outputs):
    """Outputs without a term of their unit."""
    row = re.compile(r"^\| `(?:\w+/)?(\w+)` \| ([^|]*?) *\|")
    for line in outputs.splitlines():
        found = row.match(line)
        if not found:
            continue
        name, unit = found.groups()
        if not any(fnmatchcase(name, pattern) and (unit in units or not unit)
                   for _, units, rows, _, _ in terms for pattern in rows):
            yield f"docs/glossary.md has no term for the output '{name}' [{unit}]"


def refused_names(terms):
    words = {word: term for term, _, _, names, _ in terms for word in names}
    for name, text in files(CODE, {".c", ".h", ".def"}):
        code = STRING_OR_COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
        for number, line in enumerate(code.splitlines(), 1):
            for word in IDENTIFIER.findall(line):
                if word in words:
                    yield f"{name}:{number}: '{word}': the field's term is {words[word]}"


def refused_phrases(terms):
    phrases = {phrase: term for term, _, _, _, names in terms for phrase in names}
    for name, text in files(TEXT, {".c", ".h", ".def", ".md"}):
        for phrase, term in phrases.items():
            gap = r'(?:\s|//|")+'
            for found in re.finditer(r"\b" + gap.join(map(re.escape, phrase.split())), text):
                number = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{number}: \"{phrase}\": the field's term is {term}"


def main():
    terms = list(entries((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")))
    outputs = subprocess.run([os.environ["RUT_COMMAND"], "doc", "outputs"], check=True,
                             capture_output=True, text=True).stdout
    faults = [*missing(terms, outputs), *refused_names(terms), *refused_phrases(terms)]
    for fault in faults:
        print(fault)
    print(f"{len(terms)} terms, {len(faults)} failed")
    return 1 if faults or len(terms) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
