# SPDX-License-Identifier: BSD-3-Clause
"""A task as a Gymnasium environment."""
from __future__ import annotations

from typing import Any, Mapping

import gymnasium
import numpy as np

from .lanes import Lanes
from .task import Task, checked_actions

_ONE = np.array([0])


class RutEnv(gymnasium.Env):
    """One lane of a task. With the same seed it is that of a vector environment, bit for bit.

    randomise  ranges of fields from which it draws a value: {"rover/tyre.friction": (0.3, 0.9)}
    seed  of its world and of what is randomised
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, task: Task, render_mode: str | None = None, randomise: Mapping[str, tuple[float, float]] | None = None, seed: int = 0):
        self.render_mode = render_mode
        self.observation_space, self.action_space = task.observation_space, task.action_space
        self._lanes: Lanes | None = Lanes(task, 1, 1, render_mode is not None, randomise, seed)
        self.task = task = self._lanes.task
        self.metadata = {**self.metadata, "render_fps": round(1 / (self._lanes.batch.world.root["timestep"] * task.steps))}
        self._begun = False

    @property
    def sim(self) -> Any:
        """The lane as a rut.Simulation, until the next call."""
        return self._open.batch.sim(0)

    @property
    def _open(self) -> Lanes:
        if self._lanes is None:
            raise gymnasium.error.ClosedEnvironmentError("the environment was closed")
        return self._lanes

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**31))
        self._open.begin(_ONE, None if seed is None else np.array([seed % 2**63]))
        self._begun = True
        return self._open.observe()[0].copy(), {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        lanes = self._open
        if not self._begun:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        lanes.advance(checked_actions(action, self.action_space.shape)[None])
        terminated = bool(lanes.terminated[0])
        truncated = bool(not terminated and lanes.elapsed[0] >= self.task.horizon)
        return lanes.observe()[0].copy(), float(lanes.reward[0]), terminated, truncated, {}

    def render(self) -> np.ndarray | None:
        return self._open.render(0)

    def close(self) -> None:
        if self._lanes is not None:
            self._lanes.close()
            self._lanes = None
