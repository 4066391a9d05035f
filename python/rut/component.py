# SPDX-License-Identifier: BSD-3-Clause
"""Component types of your own: what controllers, terrain and sensors in Python have in common."""
from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from ._native import ffi, lib
from .errors import Error, check
from .memory import callback

if TYPE_CHECKING:
    from .world import Context

# which object a type number means: a table of handles, with nothing that a run depends on
_numbers = itertools.count(1)
_by_number: weakref.WeakValueDictionary[int, ComponentType] = weakref.WeakValueDictionary()


def array(pointer: Any, *shape: int, dtype: str = "f8") -> np.ndarray:
    """Memory of rut as an array, valid as long as rut says."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(ffi.buffer(ffi.cast("char*", pointer), count), dtype).reshape(shape)


def constant(pointer: Any, *shape: int, dtype: str = "f8") -> np.ndarray:
    """A copy of memory of rut, which may not be written to."""
    found = array(pointer, *shape, dtype=dtype).copy()
    found.flags.writeable = False
    return found


def ask(param: Any, head: int, answer: Callable[[Any], None]) -> bool:
    """Have the object answer whose number follows the first `head` parameters. False: it failed, and the run stops."""
    made = _by_number[int(ffi.cast("const double*", param)[head])]
    try:
        with callback():
            answer(made)
        return True
    except BaseException as failure:  # reaches the caller of the step
        context = made._home() if made._home is not None else None
        if context is not None:
            context.stop[0] = 1
            # of the many calls of a step the first tells it
            if not context.failures:
                context.failures.append(failure)
        return False


class ComponentType:
    """What rut.Controller, rut.TerrainType and rut.SensorType have in common: a name and rows.

    `address` is that of a compiled function with the arguments that the header of rut names, from ctypes, cffi or
    numba: it is called instead of the method, and gets the parameters after those that all of its kind have.
    """

    kind = ""
    name = ""
    doc = ""
    fields: Mapping[str, tuple[float, str, str]] = {}  # name: (default, unit, meaning)
    state: Mapping[str, tuple[str, str]] = {}
    address: int | None = None
    _head: list[str] = []  # parameters that all of the kind have
    _parents = ""
    _struct = ""  # its descriptor in C
    _home: weakref.ref[Context] | None = None  # the context of the world that it is in

    @property
    def calls_python(self) -> bool:
        """Whether a run calls Python for it."""
        return self.address is None

    def enter(self, context: Context) -> None:
        """Register it in the context of a world."""
        if not self.name:
            raise Error(f"a {self.kind} needs a name")
        if self._home is not None and self._home() is not None:
            raise Error(f"{self.kind} '{self.name}' belongs to a world already: make one for each")
        self._home = weakref.ref(context)
        self._keep: list[Any] = []
        self._first = len(self._head) + self.calls_python
        made = ffi.new(self._struct + "*")
        self._keep.append(made)
        self._describe(made.base, context)
        self._fill(made)
        # what the context was told lives as long as it does
        context.handle.keep = (context.handle.keep, self._keep)
        error = ffi.new("rutError*")
        check(lib.rut_register(context.pointer, ffi.addressof(made, "base"), error), error)

    def leave(self, context: Context) -> None:
        """That world did not come about."""
        if self._home is not None and self._home() is context:
            self._home = None

    def _fill(self, made: Any) -> None:
        """What its descriptor has beside the head of all."""
        raise NotImplementedError

    def _parameters(self, param: Any) -> dict[str, float]:
        values = ffi.cast("const double*", param)
        return {name: values[self._first + i] for i, name in enumerate(self.fields)}

    def _text(self, words: str) -> Any:
        kept = ffi.new("char[]", words.encode())
        self._keep.append(kept)
        return kept

    def _variables(self, given: Mapping[str, tuple[Any, ...]]) -> Any:
        """Rows of variables: (unit, meaning), or (unit, meaning, sizes) of an array."""
        made = ffi.new("rutVariable[]", max(1, len(given)))
        for row, (name, (unit, doc, *sizes)) in zip(made, given.items()):
            row.name, row.unit, row.doc = self._text(name), self._text(unit), self._text(doc)
            row.shape = self._text(" ".join(str(int(n)) for n in np.ravel(sizes)))
            row.frame = self._text("")
        self._keep.append(made)
        return made

    def _uses(self, known: Mapping[str, int], chosen: tuple[str, ...]) -> int:
        uses = 0
        for word in chosen:
            if word not in known:
                raise Error(f"a {self.kind} cannot use '{word}'; it may use {', '.join(known)}")
            uses |= known[word]
        return uses

    def _describe(self, base: Any, context: Context) -> None:
        base.abi, base.struct_size = lib.RUT_ABI, ffi.sizeof(self._struct)
        base.kind, base.name, base.parents, base.doc = (self._text(t) for t in (self.kind, self.name, self._parents, self.doc))
        base.field, base.fields = self._field_rows(context)
        base.state, base.states = self._variables(self.state), len(self.state)

    def _field_rows(self, context: Context) -> tuple[Any, int]:
        """The rows of all of the kind, the number of this one if Python answers, and its own."""
        head = self._head_rows(context)
        made = ffi.new("rutField[]", self._first + len(self.fields))
        for i, row in enumerate(head):
            made[i] = row
        if self.calls_python:
            number = next(_numbers)
            _by_number[number] = self
            row = made[len(head)]
            row.name, row.unit, row.type, row.count = self._text("python"), self._text(""), lib.RUT_INTEGER, 1
            setattr(row, "def", number)
            row.min = row.max = number
            row.text, row.doc = self._text(""), self._text(f"Number of the {self.kind} in the program.")
        for i, (name, (default, unit, doc)) in enumerate(self.fields.items(), self._first):
            row = made[i]
            row.name, row.unit, row.type, row.count = self._text(name), self._text(unit), lib.RUT_REAL, 1
            setattr(row, "def", default)
            row.min, row.max, row.text, row.doc = -1e12, 1e12, self._text(""), self._text(doc)
        self._keep.append(made)
        return made, len(made)

    def _head_rows(self, context: Context) -> list[Any]:
        """The first rows of all of the kind, from one that rut has."""
        for i in range(lib.rut_component_count(context.pointer)):
            found = lib.rut_component_at(context.pointer, i)
            if ffi.string(found.kind).decode() != self.kind:
                continue
            names = [ffi.string(found.field[k].name).decode() for k in range(min(found.fields, len(self._head)))]
            if names == self._head:
                return [found.field[k] for k in range(len(names))]
        raise Error(f"rut has no {self.kind}")


def head_of(struct: str) -> list[str]:
    """Names of the parameters in a structure of the headers."""
    return [name for name, _ in ffi.typeof(struct).fields]
