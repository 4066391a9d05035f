#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the stubs of the Python package: the signatures of its sources, and what the rows of rut describe.

    python3 make_stubs.py NATIVE.so SOURCE_FOLDER OUT_FOLDER

Outputs of vehicles, wheels and other elements are properties with their documentation, elements and their fields are
overloads of Node.add and World.add. So an editor completes and a type checker checks what the library has.
"""
import ast
import importlib
import importlib.util
import keyword
import shutil
import sys
import tempfile
from pathlib import Path

FIELD_TYPES = {"real": "float | str", "integer": "int | str", "boolean": "bool | str", "text": "str",
               "vector": "Sequence[float] | NDArray[Any] | str", "points": "Sequence[float] | NDArray[Any] | str"}
HEAD = "# Made by python/make_stubs.py.\n"


def load_package(native, source):
    """The package with the extension module that was just built."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(source, folder / "rut", ignore=shutil.ignore_patterns("gym", "__pycache__"))
    shutil.copy(native, folder / "rut")
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    return importlib.import_module("rut"), folder


class Bodies(ast.NodeTransformer):
    """Leaves signatures and documentation."""

    def visit_FunctionDef(self, node):
        doc = ast.get_docstring(node, clean=False)
        node.body = ([ast.Expr(ast.Constant(doc))] if doc else []) + [ast.Expr(ast.Constant(...))]
        node.decorator_list = [d for d in node.decorator_list if ast.unparse(d) not in ("ffi.def_extern()", "alone")]
        return node


def stub(source):
    tree = Bodies().visit(ast.parse(source.read_text(encoding="utf-8")))
    kept = []
    for node in tree.body:
        plain = isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.If))
        if plain or isinstance(node, ast.AnnAssign):
            kept.append(node)
    tree.body = kept
    return ast.fix_missing_locations(tree)


def quoted(words):
    """Words as a text of Python, whatever marks they have or end in."""
    return '"""' + words.replace("\\", "\\\\").replace('"', '\\"') + '"""'


def add_outputs(rut, tree):
    """Properties of the outputs that rut computes for each kind of element."""
    elements = importlib.import_module("rut.elements")
    for node in tree.body:
        made = getattr(elements, node.name, None) if isinstance(node, ast.ClassDef) else None
        element = next((k for k, c in elements.KINDS.items() if c is made), None)
        if element is None:
            continue
        own = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        for row in rut.rows.kind_outputs(element):
            if row.name not in own and row.name.isidentifier():
                own.add(row.name)
                doc = getattr(made, row.name).__doc__
                kind = "NDArray[Any]" if row.sizes else "float"
                text = f"@property\ndef {row.name}(self) -> {kind}:\n    {quoted(doc)}\n    ...\n"
                node.body += ast.parse(text).body


def overloads(rut, indent):
    """An overload of `add` for every element of a world file and every type of it."""
    lines = []
    for c in rut.components():
        if c.kind in ("world", "format", "study"):
            continue
        fields, later = [], []
        for f in c.fields.values():
            if not f.name.isidentifier() or keyword.iskeyword(f.name) or f.name in ("kind", "type", "name", "self"):
                continue
            kind = "Literal[" + ", ".join(repr(w) for w in f.choices) + "]" if f.choices else FIELD_TYPES[f.type]
            fields.append(f"{f.name}: {kind} = ...")
            later.append(f"{f.name}{f' [{f.unit}]' if f.unit else ''}: {f.doc}")
        if c.presets:
            fields.append("preset: Literal[" + ", ".join(repr(p) for p in c.presets) + "] = ...")
        kind = f"type: Literal[{c.type!r}]" if c.type else "type: Literal[''] = ..."
        doc = c.doc + ("\n\n" + "\n".join(later) if later else "")
        stars = ", *, " + ", ".join(fields) if fields else ""
        lines.append(f"@overload\ndef add(self, kind: Literal[{c.kind!r}], {kind}, name: str = ...{stars}) -> Node:\n    {quoted(doc)}\n    ...\n")
    lines.append("@overload\ndef add(self, kind: str, type: str = ..., name: str = ..., **fields: Any) -> Node: ...\n")
    return "".join(" " * indent + line + "\n" if line else "\n" for line in "".join(lines).split("\n"))


def add_overloads(rut, tree):
    made = ast.parse("class _:\n" + overloads(rut, 4)).body[0].body
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in ("Node", "World"):
            node.body = [n for n in node.body if getattr(n, "name", "") != "add"] + made


def main():
    native, source, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    rut, folder = load_package(native, source)
    importlib.import_module("rut.rows")
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.py")):
        if path.name == "__init__.py":
            continue
        tree = stub(path)
        head = "from typing import Any, Literal, overload\nfrom numpy.typing import NDArray\n"
        if path.name == "elements.py":
            add_outputs(rut, tree)
        if path.name == "world.py":
            add_overloads(rut, tree)
        (out / (path.stem + ".pyi")).write_text(HEAD + head + ast.unparse(ast.fix_missing_locations(tree)) + "\n", encoding="utf-8")
    (out / "_native.pyi").write_text(HEAD + "from typing import Any\nffi: Any\nlib: Any\n", encoding="utf-8")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
