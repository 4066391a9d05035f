# SPDX-License-Identifier: BSD-3-Clause
"""Rows: what rut tells about its component types, their parameters and their variables.

Everything here is read from the tables of the library, so that it has what the library has.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator

from ._native import ffi, lib
from .errors import text

_FIELD_TYPES = {lib.RUT_REAL: "real", lib.RUT_INTEGER: "integer", lib.RUT_BOOLEAN: "boolean", lib.RUT_CHOICE: "choice",
                lib.RUT_TEXT: "text", lib.RUT_VECTOR: "vector", lib.RUT_POINTS: "points"}
_NUMBER_TYPES = {lib.RUT_F64: "f8", lib.RUT_F32: "f4", lib.RUT_U8: "u1", lib.RUT_U16: "u2", lib.RUT_I32: "i4"}
KINDS = {"vehicle": lib.RUT_VEHICLE, "wheel": lib.RUT_WHEEL, "block": lib.RUT_BLOCK, "sensor": lib.RUT_SENSOR,
         "joint": lib.RUT_JOINT, "mechanism": lib.RUT_MECHANISM, "soil": lib.RUT_SOIL, "world": lib.RUT_WORLD}
ROLES = {"output": lib.RUT_OUTPUT, "command": lib.RUT_COMMAND, "state": lib.RUT_STATE}


@dataclass(frozen=True)
class Field:
    """A parameter of an element."""

    name: str
    type: str  # "real", "integer", "boolean", "choice", "text", "vector", "points"
    unit: str  # SI, "" for none
    default: float | str | None  # None: it must be given
    range: tuple[float, float] | None
    choices: tuple[str, ...]
    doc: str


@dataclass(frozen=True)
class Variable:
    """An output, a set point or a state of an element."""

    name: str
    unit: str  # SI, "" for ratios, counts and flags
    frame: str  # axes of a vector or origin of an angle: "world", "vehicle"; or ""
    doc: str
    part: str = ""  # part of the element, such as "drive"
    shape: tuple[int, ...] = ()
    dtype: str = "f8"
    first: int = 0  # its place among those of the element and role
    where: str = ""  # which elements have it; "": all
    sizes: str = ""  # of a row of an element's kind: its dimensions as the row names them; "": a number


@dataclass(frozen=True)
class Component:
    """A type of element: a tyre, a sensor, a plain element such as <wheel>."""

    kind: str
    type: str  # "" for a kind that has no types
    parents: tuple[str, ...]
    doc: str
    fields: dict[str, Field]
    presets: dict[str, str]  # name: what it is
    variables: dict[str, tuple[Variable, ...]]  # by role: "output", "command", "state"

    def help(self) -> str:
        """What it is and its parameters, as text."""
        lines = [f"<{self.kind}{f' type={self.type!r}' if self.type else ''}>: {self.doc}", ""]
        for field in self.fields.values():
            unit = f" [{field.unit}]" if field.unit else ""
            given = "required" if field.default is None else f"default {field.default}"
            words = f" one of {', '.join(field.choices)};" if field.choices else ""
            lines.append(f"  {field.name}{unit}: {field.doc}{words} ({given})")
        return "\n".join(lines)


def _field(row: Any) -> Field:
    kind, words = _FIELD_TYPES[row.type], text(row.text)
    choices = tuple(words.split("|")) if kind == "choice" else ()
    default: float | str | None = words
    if kind in ("real", "integer", "boolean"):
        default = getattr(row, "def")
        default = bool(default) if kind == "boolean" else default
    elif kind == "choice":
        default = choices[int(getattr(row, "def"))]
    if row.flags & lib.RUT_FIELD_REQUIRED:
        default = None
    ranged = kind in ("real", "integer", "vector") and row.min < row.max
    return Field(text(row.name), kind, text(row.unit), default, (row.min, row.max) if ranged else None, choices, text(row.doc))


def _described(row: Any) -> Variable:
    """A row of a descriptor, whose shape depends on the element's fields."""
    return Variable(text(row.name), text(row.unit), text(row.frame), text(row.doc), dtype=_NUMBER_TYPES[row.type])


def component(pointer: Any) -> Component:
    """What a descriptor of rut says."""
    variables = {}
    count = ffi.new("int*")
    for role, number in ROLES.items():
        rows = lib.rut_component_variables(pointer, number, count)
        variables[role] = tuple(_described(rows[i]) for i in range(count[0]))
    fields = [_field(pointer.field[i]) for i in range(pointer.fields)]
    presets = {text(pointer.preset[i].name): text(pointer.preset[i].doc) for i in range(pointer.presets)}
    return Component(text(pointer.kind), text(pointer.name), tuple(text(pointer.parents).split()), text(pointer.doc),
                     {f.name: f for f in fields}, presets, variables)


def components_of(context: Any) -> list[Component]:
    """All component types that a context (of world.py) knows."""
    pointer = context.pointer
    return [component(lib.rut_component_at(pointer, i)) for i in range(lib.rut_component_count(pointer))]


def kind_outputs(kind: str) -> Iterator[Variable]:
    """Outputs that rut itself computes for a kind of element."""
    part, where = ffi.new("const char**"), ffi.new("const char**")
    index = 0
    while row := lib.rut_kind_output(KINDS[kind], index, part, where):
        yield Variable(text(row.name), text(row.unit), text(row.frame), text(row.doc), text(part[0]),
                       dtype=_NUMBER_TYPES[row.type], where=text(where[0]), sizes=text(row.shape))
        index += 1


def variable(info: Any, first: int) -> Variable:
    """What a model says of a variable of one of its elements."""
    return Variable(text(info.name), text(info.unit), text(info.frame), text(info.doc), text(info.part),
                    tuple(info.size[i] for i in range(info.dimensions)), _NUMBER_TYPES[info.type], first)
