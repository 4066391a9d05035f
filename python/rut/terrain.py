# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of the ground of your own: in Python, to try things, or in compiled code by its address, to be fast."""
from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._native import ffi, lib
from .component import ComponentType, array, ask, constant, head_of
from .errors import Error


@ffi.def_extern()
def rut_python_height(param: Any, plan: Any, at: Any, out: Any) -> None:
    """Ask the shape whose number is among the parameters; the ground of one that fails is level."""
    results = [array(pointer, at.n) for pointer in (out.z, out.slope_x, out.slope_y)]

    def answer(shape: TerrainType) -> None:
        found = shape.height(shape._parameters(param), constant(at.x, at.n), constant(at.y, at.n))
        if len(found) != 3:
            raise Error(f"terrain '{shape.name}': height returns z, slope_x and slope_y")
        for result, numbers in zip(results, found):
            np.copyto(result, numbers)

    if not ask(param, len(TerrainType._head), answer):
        for result in results:
            result[:] = 0


@ffi.def_extern()
def rut_python_bounds(param: Any, plan: Any, box: Any, out: Any) -> None:
    """The same for bounds; those of one that fails hold for any ground."""
    def answer(shape: TerrainType) -> None:
        least, most, steepest = shape.bounds(shape._parameters(param), tuple(box[i] for i in range(4)))
        out.low, out.high, out.steepest = least, most, steepest

    out.low, out.high, out.steepest, out.plane = -np.inf, np.inf, np.inf, False
    ask(param, len(TerrainType._head), answer)


class TerrainType(ComponentType):
    """A shape of the ground. A subclass gives a name, rows, and `height`:

        class Bowl(rut.TerrainType):
            name = "bowl"
            doc = "A paraboloid."
            fields = {"curvature": (0.1, "1/m", "of the ground at the origin")}
            def height(self, param, x, y):
                k = param["curvature"]
                return 0.5 * k * (x * x + y * y), k * x, k * y

        world = rut.load("world.xml", components=[Bowl()])

    and a world has it as <terrain type="bowl" curvature="0.2"/>, with the fields of all shapes (position, yaw, blend).
    `address` is that of a compiled function with the arguments of rutTerrainType.height (rut/component.h),
    `bounds_address` that of one as rutTerrainType.bounds; they are called instead of the methods.
    """

    kind, doc = "terrain", "A shape of the ground in Python."
    _head, _parents, _struct = head_of("rutTerrainHead"), "world", "rutTerrainType"
    bounds_address: int | None = None

    def height(self, param: Mapping[str, float], x: np.ndarray, y: np.ndarray) -> tuple[Any, Any, Any]:
        """Heights [m] and slopes dz/dx, dz/dy at points in the shape's own axes: numbers or arrays like x."""
        raise NotImplementedError

    def bounds(self, param: Mapping[str, float], box: tuple[float, float, float, float]) -> tuple[float, float, float]:
        """Least and greatest height and steepest slope over x_min, x_max, y_min, y_max, which may be infinite.

        Rays meet ground with bounds faster, and all of it."""
        raise NotImplementedError

    def _fill(self, made: Any) -> None:
        made.height = lib.rut_python_height if self.address is None else ffi.cast("void*", self.address)
        if self.bounds_address is not None:
            made.bounds = ffi.cast("void*", self.bounds_address)
        elif self.address is None and type(self).bounds is not TerrainType.bounds:
            made.bounds = lib.rut_python_bounds
