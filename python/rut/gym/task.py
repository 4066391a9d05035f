# SPDX-License-Identifier: BSD-3-Clause
"""What a task of learning is: a world, what is seen, what is done, what is good. All in arrays over lanes."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
from gymnasium import spaces

from .. import World
from .._native import ffi, lib

Lanes = Any  # slice(None), or indices of lanes
Draw = Callable[..., np.ndarray]  # draw(low, high): a random number for each of the lanes that begin


class Number(NamedTuple):
    """A number of an observation: source * times / over.

    source  a column of `seen` by its index, or an array [lane] that the task keeps
    free  whether it is 1 where the source is below 0, as ranges of sensors are where nothing is
    """

    source: int | np.ndarray
    times: float = 1.0
    over: float = 1.0
    free: bool = False


class Task:
    """A task for any number of lanes, each a copy of a world.

    A subclass says what stands below and keeps what lanes remember (goals, distances) in arrays whose last axis is
    lanes. `columns` are variables of the world; `seen[i]` is the i-th number of them, [lane].
    """

    columns: list[str] = []
    steps = 10  # of the world per action
    horizon = 300  # actions per episode
    observations = 0
    actions = 2
    limits: dict[str, tuple[float, float]] = {}  # a lane whose column leaves them ends at that step
    worlds = 64  # that differ, where `change` changes them: lane i has that of lane i mod worlds
    camera: tuple[str, dict[str, Any]] = ("", {})  # vehicle and fields of the camera of render()

    def __init__(self, horizon: int | None = None):
        if horizon is not None:
            self.horizon = horizon

    def world(self) -> World:
        """The world of all lanes."""
        raise NotImplementedError

    def change(self, world: World, draw: Callable[[float, float], float]) -> bool:
        """Change a copy of the world for one lane; False: lanes have the same world."""
        return False

    def allocate(self, lanes: int) -> None:
        """Arrays of what lanes remember."""

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        """Lanes begin an episode; seen has only theirs."""

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        """Set points [lane, set point] for actions [lane, action] in -1 to 1."""
        raise NotImplementedError

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        """Rewards and ends of all lanes after an action; ended: a limit was left."""
        raise NotImplementedError

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        """Observations [number, lane] of lanes; seen has only theirs."""
        raise NotImplementedError

    def numbers(self) -> list[Number]:
        """Observations as a table, for tasks without `observe`: faster, where they are no more than that."""
        raise NotImplementedError

    @property
    def observation_space(self) -> spaces.Box:
        """Observations of one lane."""
        return spaces.Box(-np.inf, np.inf, (self.observations,), np.float32)

    @property
    def action_space(self) -> spaces.Box:
        """Actions of one lane, in -1 to 1."""
        return spaces.Box(-1.0, 1.0, (self.actions,), np.float32)


def checked_actions(actions: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Actions within -1 to 1; raises where they are of another shape or no numbers."""
    found = np.array(actions, float, order="C")
    if found.shape != shape:
        raise ValueError(f"actions are of shape {shape}, not {found.shape}")
    if not lib.rut_python_clip(found.size, ffi.from_buffer("double[]", found)):
        raise ValueError("an action is no number")
    return found


class Random:
    """Random numbers that are functions of the seed of a lane, its episode and how many were drawn in it."""

    def __init__(self, keys: np.ndarray, drawn: int = 0):
        self._keys, self._count = keys, drawn
        self._at = ffi.from_buffer("uint64_t[]", keys)

    @classmethod
    def of(cls, seed: np.ndarray, episode: np.ndarray) -> Random:
        """Those of seeds and episodes."""
        keys = np.empty(seed.size, np.uint64)
        parts = (ffi.from_buffer("int64_t[]", np.ascontiguousarray(a, np.int64)) for a in (seed, episode))
        lib.rut_python_keys(seed.size, *parts, ffi.from_buffer("uint64_t[]", keys))
        return cls(keys)

    def __call__(self, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        self._count += 1
        out = np.empty(self._keys.size)
        lib.rut_python_draw(out.size, self._at, self._count, (low, (high - low) * 2.0**-53), ffi.from_buffer("double[]", out))
        return out


def random_bits(key: np.ndarray, number: int) -> np.ndarray:
    """64 bits for each key [uint64], others for another number: splitmix64 (Steele, Lea, Flood 2014), begun at the keys."""
    out = np.empty(key.size, np.uint64)
    lib.rut_python_bits(key.size, ffi.from_buffer("uint64_t[]", key), number, ffi.from_buffer("uint64_t[]", out))
    return out
