#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No function has more than six parameters: what belongs together is a struct, whose fields have names where
they are filled. parameters.txt lists the functions that still have more, and only shrinks: whoever changes
one takes its line out, and a line without such a function is a fault."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FOLDERS = ("src", "cli", "helper", "include", "examples")
MOST = 6
HIDDEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
                    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)


def parameters(text):
    """Number of parameters of a list without its parentheses."""
    depth, commas = 0, 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        commas += letter == "," and depth == 0
    if text.strip() in ("", "void"):
        return 0
    return commas + (not text.rstrip().endswith("..."))  # what a format takes is no parameter


def functions(text):
    """(name, parameters) of every function that a file defines."""
    code = HIDDEN.sub(" ", text)
    depth, brackets, last = 0, [], None
    for at, letter in enumerate(code):
        if letter == "(":
            brackets.append(at)
        elif letter == ")" and brackets:
            last = brackets.pop(), at
        elif letter == "{":
            name = re.search(r"(\w+)\s*$", code[max(0, last[0] - 100):last[0]]) if depth == 0 and last else None
            if name and not code[last[1] + 1:at].strip():
                yield name[1], parameters(code[last[0] + 1:last[1]])
            depth += 1
        elif letter == "}":
            depth -= 1


def main():
    allowed = set((Path(__file__).parent / "parameters.txt").read_text(encoding="utf-8").splitlines())
    allowed = {line for line in allowed if line and not line.startswith("#")}
    total, long = 0, {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            for name, count in functions(path.read_text(encoding="utf-8")):
                total += 1
                if count > MOST:
                    long[f"{path.relative_to(ROOT).as_posix()} {name}"] = count
    faults = [f"{key}: {count} parameters; pass a struct (the most are {MOST})"
              for key, count in long.items() if key not in allowed]
    faults += [f"{key}: is in parameters.txt without need; take its line out"
               for key in sorted(allowed - set(long))]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{total} passed, {len(faults)} failed")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main())
