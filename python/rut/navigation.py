# SPDX-License-Identifier: BSD-3-Clause
"""The local map, path and goal that a controller of a vehicle tells."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._native import ffi, lib
from .errors import check, text
from .memory import Handle, view

if TYPE_CHECKING:
    from .simulation import Simulation


class Navigation:
    """What a vehicle that finds its way knew and meant to do when this was read: it does not change afterwards.

    Numbers are in the frame in which the controller navigates: the world's, as it knows it. Maps are rows of cells along x,
    from the least x and y: cell [row, column] has its middle at origin + resolution * (column + 0.5, row + 0.5).

    controller  type of the controller that tells it
    resolution  side of a cell [m]; 0 where it keeps no map
    map_time  of what the map was last made of [s]; None: there is no map
    origin [2]  corner of the map with the least x and y [m]
    cost [row, column]  float32: 0 as on level ground, 1 where it does not go, NaN where nothing is known
    height [row, column]  of the ground [m], NaN where it is not known
    path [pose, 3]  x, y [m], yaw [rad] of the point that follows it, from its start to its end; none: 0 poses
    goal [3]  x, y [m], yaw [rad], NaN where any will do; None: there is none

    Arrays look into rut's memory, are read-only, and may be kept.
    """

    def __init__(self, sim: Simulation, vehicle: int):
        info = lib.rut_navigation_info(sim._model, vehicle)
        out, error = ffi.new("rutNavigation**"), ffi.new("rutError*")
        check(lib.rut_navigation_create(sim._model, vehicle, out, error), error)
        memory = Handle(out[0], lib.rut_navigation_destroy)
        seen = lib.rut_navigation_read(out[0], sim._model, sim._data, lib.RUT_NAVIGATION_PATH | lib.RUT_NAVIGATION_LAYERS)
        known = seen.map_stamp >= 0
        shape = (info.rows, info.columns) if known else (0, 0)
        self.controller: str = text(info.controller)
        self.resolution: float = info.resolution
        self.map_time: float | None = seen.map_stamp if known else None
        self.origin: np.ndarray = np.array([seen.origin[0], seen.origin[1]])
        self.cost: np.ndarray = view(memory, seen.cost, shape, np.dtype("f4"))
        self.height: np.ndarray = view(memory, seen.height, shape, np.dtype("f4"))
        self.path: np.ndarray = view(memory, seen.path, (seen.poses, 3), np.dtype("f8"))
        self.goal: np.ndarray | None = np.array(list(seen.goal)) if seen.has_goal else None

    @property
    def occupancy(self) -> np.ndarray:
        """The cost as an occupancy grid of ROS has it [row, column]: int8, 0 to 100, -1 where nothing is known."""
        known = np.nan_to_num(self.cost, nan=-0.01)
        # rounded down, so that 100 is where it does not go
        return np.where(known < 0, -1, 100 * np.minimum(known.astype(float), 1)).astype(np.int8)

    def __repr__(self) -> str:
        rows, columns = self.cost.shape
        return f"<rut.Navigation of {self.controller}: {columns} x {rows} cells of {self.resolution:g} m, {len(self.path)} poses>"
