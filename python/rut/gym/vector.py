# SPDX-License-Identifier: BSD-3-Clause
"""A task as a Gymnasium vector environment: a lane for each environment, one call of rut for all."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .lanes import Lanes
from .task import Task, checked_actions


class RutVectorEnv(VectorEnv):
    """Lanes of a task: `gymnasium.make_vec("rut/Waypoints-v0", num_envs=1024, threads=8)`.

    threads  that step the lanes
    autoreset_mode  what happens after the end of an episode, as Gymnasium defines it; the default is NEXT_STEP
    randomise  ranges of fields from which each lane draws a value of its own: {"rover/tyre.friction": (0.3, 0.9)}
    seed  of worlds and of what is randomised

    Observations are arrays that rut writes: one holds through the next step, the one after that writes into it again.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, task: Task, num_envs: int, *, threads: int = 1, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
                 render_mode: str | None = None, randomise: Mapping[str, tuple[float, float]] | None = None, seed: int = 0):
        self.num_envs, self.render_mode = num_envs, render_mode
        self.mode = AutoresetMode(autoreset_mode) if not isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self._lanes = Lanes(task, num_envs, threads, render_mode is not None, randomise, seed)
        self.task = task = self._lanes.task
        fps = round(1 / (self._lanes.batch.world.root["timestep"] * task.steps))
        self.metadata = {**self.metadata, "autoreset_mode": self.mode, "render_fps": fps}
        self.single_observation_space, self.single_action_space = task.observation_space, task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # lanes whose episode has ended and that have not begun the next
        self._over = np.zeros(0, np.int64)
        self._begun = False

    @property
    def batch(self) -> Any:
        """The rut.Batch of the lanes."""
        return self._lanes.batch

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        lanes = self._masked((options or {}).get("reset_mask"))
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = None
        if isinstance(seed, (int, np.integer)):
            seeds = np.array([(int(seed) + lane) % 2**63 for lane in range(self.num_envs)])
        elif seed is not None:
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
            drawn = self.np_random.integers(2**31, size=self.num_envs)
            seeds = np.array([int(drawn[i] if s is None else s) % 2**63 for i, s in enumerate(seed)])
        elif not self._begun:
            seeds = self.np_random.integers(2**31, size=self.num_envs)
        self._lanes.begin(lanes, None if seeds is None else seeds[lanes])
        self._begun = True
        self._over = np.setdiff1d(self._over, lanes)
        return self._lanes.observe(), {}

    def _masked(self, mask: Any) -> np.ndarray:
        """Lanes that a mask chooses; all without one."""
        if mask is None:
            return np.arange(self.num_envs)
        mask = np.asarray(mask)
        if mask.dtype != bool or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask is {self.num_envs} booleans, not {mask.dtype} of shape {mask.shape}")
        return np.flatnonzero(mask)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        lanes, waiting = self._lanes, None
        if not self._begun:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        action = checked_actions(actions, self.action_space.shape)
        if self._over.size:
            waiting = self._stop_those_over()
        lanes.advance(action)
        if waiting is not None:
            # after the step, so that nothing of it counts in the episode that begins
            lanes.begin(waiting)
            lanes.reward[waiting], lanes.terminated[waiting] = 0, False
        self._over = over = lanes.over()
        terminated, truncated, reward = lanes.terminated.copy(), lanes.truncated.copy(), lanes.reward.copy()
        observation, infos = lanes.observe(), {}
        if over.size and self.mode == AutoresetMode.SAME_STEP:
            infos = self._begin_at_once(observation)
        return observation, reward, terminated, truncated, infos

    def _stop_those_over(self) -> np.ndarray:
        """Lanes that ended in the last step, which stand still in this one."""
        if self.mode == AutoresetMode.DISABLED:
            raise gymnasium.error.ResetNeeded("reset the environments whose episodes have ended: options={'reset_mask': ...}")
        waiting, self._over = self._over, self._over[:0]
        for lane in waiting:
            self._lanes.batch.pause(int(lane))
        return waiting

    def _begin_at_once(self, observation: np.ndarray) -> dict[str, Any]:
        """Lanes that ended begin anew; infos tell what they saw last."""
        ended, self._over = self._over, self._over[:0]
        final, told = np.empty(self.num_envs, object), np.zeros(self.num_envs, bool)
        told[ended] = True
        for lane, row in zip(ended.tolist(), observation[ended]):
            final[lane] = row
        self._lanes.begin(ended)
        self._lanes.observe_some(ended, observation)
        return {"final_obs": final, "_final_obs": told, "final_info": {}, "_final_info": told.copy()}

    def render(self) -> tuple[np.ndarray | None, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(self._lanes.render(lane) for lane in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Give the memory back."""
        self._lanes.close()
