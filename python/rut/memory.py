# SPDX-License-Identifier: BSD-3-Clause
"""Who owns memory of rut, and numpy arrays that look into it."""
from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any, Callable, Iterator

import numpy as np

from ._native import ffi, lib

# counts of uses change in any thread, also while the garbage collector runs
_counting = threading.RLock()

DTYPES = {lib.RUT_F64: np.dtype("f8"), lib.RUT_F32: np.dtype("f4"), lib.RUT_U8: np.dtype("u1"),
          lib.RUT_U16: np.dtype("u2"), lib.RUT_I32: np.dtype("i4")}


def alone(method: Any) -> Any:
    """A call of a batch or simulation that rut allows from one thread at a time, and not during a step."""
    @functools.wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        self._take()
        try:
            return method(self, *args, **named)
        finally:
            self._release()
    return call


_thread = threading.local()


@contextlib.contextmanager
def callback() -> Iterator[None]:
    """Code of the user that rut calls."""
    before = in_callback()
    _thread.inside = True
    try:
        yield
    finally:
        _thread.inside = before


def in_callback() -> bool:
    """Whether rut has called what now runs in this thread."""
    return getattr(_thread, "inside", False)


class Handle:
    """An object of rut that is destroyed once neither it nor what was made from it is in use.

    The order of destruction is that of the uses, whichever object the garbage collector takes first.
    """

    __slots__ = ("pointer", "keep", "_destroy", "_parent", "_uses", "__weakref__")

    def __init__(self, pointer: Any, destroy: Callable[[Any], None] | None, parent: Handle | None = None):
        self.pointer, self._destroy, self._parent, self._uses = pointer, destroy, parent, 1
        self.keep: object = None  # what the object needs as long as it is there
        if parent is not None:
            parent._use(1)

    @property
    def used(self) -> bool:
        """Whether something was made from it."""
        return self._uses > 1

    def _use(self, change: int) -> None:
        with _counting:
            self._uses += change
            last = self._uses == 0
        if last:
            if self._destroy is not None:
                self._destroy(self.pointer)
            if self._parent is not None:
                self._parent._use(-1)

    def __del__(self) -> None:
        if hasattr(self, "_uses"):
            self._use(-1)


class _Memory:
    """What numpy asks for an array that it does not own; the array keeps it, and so the owner."""

    __slots__ = ("owner", "__array_interface__")

    def __init__(self, owner: object, interface: dict[str, Any]):
        self.owner = owner
        self.__array_interface__ = interface


def view(owner: object, pointer: Any, shape: tuple[int, ...], dtype: np.dtype[Any], strides: tuple[int, ...] | None = None) -> np.ndarray:
    """A read-only array over memory of rut, which stays alive as long as the array does."""
    if 0 in shape:
        return np.empty(shape, dtype)
    address = int(ffi.cast("uintptr_t", pointer))
    interface = {"version": 3, "data": (address, True), "shape": shape, "typestr": dtype.str, "strides": strides}
    return np.asarray(_Memory(owner, interface))


def pointer_to(array: np.ndarray, kind: str = "double*") -> Any:
    """Pointer to the first number of an array; the array must outlive its use."""
    return ffi.cast(kind, array.ctypes.data)
