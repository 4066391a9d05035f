#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The interface that programs and components are compiled against: every declaration of the public headers stands in
interface.txt, a line each, with the RUT_ABI that it belongs to. Under the same RUT_ABI declarations may be added;
structures with a struct_size, enumerations and lists may grow at their ends. Whatever else changes needs a larger
one, since compiled programs would go wrong.

    test/arch/interface.py --write    after a change that is meant
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
STORED = Path(__file__).parent / "interface.txt"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
ONLY_CPP = re.compile(r"^#ifdef __cplusplus\n.*?^#endif[^\n]*\n", re.S | re.M)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\n]*\\\n)*[^\n]*)\n", re.M)
BODY = re.compile(r"(typedef )?(struct|union|enum)\b[^{;]*\{(.*)\}(.*)")


def declarations(text):
    """Declarations and macros with values, white space made even."""
    text = ONLY_CPP.sub("", COMMENT.sub(" ", text) + "\n")
    for kind, rest in DIRECTIVE.findall(text):
        words = " ".join(rest.replace("\\\n", " ").split())
        if kind == "define" and " " in words and re.match("RUT_(?!ABI )", words):
            yield f"#define {words}"
    text, depth, begin = DIRECTIVE.sub("", text), 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        inline = letter == "}" and re.match(r"(static )?inline\b", text[begin:at].strip())
        if depth == 0 and (letter == ";" or inline):
            yield " ".join(text[begin:at + 1].split())
            begin = at + 1


def interface():
    headers = sorted((ROOT / "include/rut").glob("*.h"))
    return [f"{path.name}: {line}" for path in headers
            for line in declarations(path.read_text(encoding="utf-8"))]


def abi():
    text = (ROOT / "include/rut/descriptor.h").read_text(encoding="utf-8")
    return int(re.search(r"#define RUT_ABI (\d+)u", text)[1])


def parts(line):
    """What a declaration declares, and what it lists, if that may grow."""
    head, _, code = line.partition(": ")
    macro = re.fullmatch(r"(#define RUT_\w+_LIST\(X\)) (.*)", code)
    if macro:
        return macro[1], re.findall(r"X\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)", macro[2])
    body = BODY.fullmatch(code)
    if not body or body[2] != "enum" and not body[3].startswith(" size_t struct_size;"):
        return line, None
    listed = [" ".join(item.split()) for item in body[3].split("," if body[2] == "enum" else ";")]
    name = body[4] if body[4] != ";" else listed[0].split(" =")[0]
    return (head, body[2], name), [item for item in listed if item]


def broken(old, new):
    """Declarations that compiled programs miss, or see otherwise."""
    now = dict(map(parts, new))
    for line in old:
        what, listed = parts(line)
        if what not in now or listed and now[what][:len(listed)] != listed:
            yield line


def main():
    new, number, write = interface(), abi(), sys.argv[1:] == ["--write"]
    first, *old = STORED.read_text(encoding="utf-8").splitlines()
    before = int(first.split()[1])
    faults = []
    if number <= before:
        faults = [f"{line[:100]}: has changed or gone; set RUT_ABI to {before + 1}" for line in broken(old, new)]
    if write and not faults:
        STORED.write_text("\n".join([f"RUT_ABI {number}", *new]) + "\n", encoding="utf-8")
    elif not faults and (old != new or number != before):
        faults = [f"{line[:100]}: is not as in interface.txt" for line in sorted(set(old) ^ set(new))]
        faults.append("the interface has changed: test/arch/interface.py --write")
    print("\n".join(faults))
    print(f"{len(new)} declarations, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
