# SPDX-License-Identifier: BSD-3-Clause
"""The swarm as a parallel environment of PettingZoo."""
from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from .lanes import Lanes
from .task import checked_actions
from .tasks import Swarm

_ONE = np.array([0])


class SwarmParallelEnv(ParallelEnv):
    """An agent for each robot of the swarm, with its own observation, reward and goal."""

    metadata = {"name": "rut_swarm_v0", "render_modes": ["rgb_array"], "is_parallelizable": True, "render_fps": 10}

    def __init__(self, render_mode: str | None = None, **options: Any):
        self.render_mode = render_mode
        self._lanes = Lanes(Swarm(**options), 1, 1, render_mode is not None, None, 0)
        self.task = self._lanes.task
        self.possible_agents = list(self.task.robots)
        self.agents: list[str] = []
        width = self.task.observations // len(self.possible_agents)
        self._observation_space = {a: spaces.Box(-np.inf, np.inf, (width,), np.float32) for a in self.possible_agents}
        self._action_space = {a: spaces.Box(-1.0, 1.0, (2,), np.float32) for a in self.possible_agents}
        self._random, _ = seeding.np_random()
        self._action = np.zeros((1, self.task.actions))

    def observation_space(self, agent: str) -> spaces.Box:
        """What an agent sees."""
        return self._observation_space[agent]

    def action_space(self, agent: str) -> spaces.Box:
        """What an agent does."""
        return self._action_space[agent]

    def _observations(self) -> dict[str, np.ndarray]:
        rows = self._lanes.observe()[0].reshape(len(self.possible_agents), -1)
        return {agent: rows[i].copy() for i, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._lanes.begin(_ONE, np.array([self._random.integers(2**31) if seed is None else seed % 2**63]))
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, np.ndarray]) -> tuple[dict[str, Any], ...]:
        pairs = self._action.reshape(-1, 2)
        for i, agent in enumerate(self.possible_agents):
            pairs[i] = checked_actions(actions.get(agent, (0, 0)), (2,))
        self._lanes.advance(self._action)
        over = bool(self._lanes.elapsed[0] >= self.task.horizon)
        lost = bool(self._lanes.terminated[0])
        agents = self.agents
        rewards = {agent: float(self.task.earned[i, 0]) for i, agent in enumerate(self.possible_agents)}
        ends = {agent: lost for agent in agents}
        truncations = {agent: over and not lost for agent in agents}
        observations = self._observations()
        if over or lost:
            self.agents = []
        return observations, rewards, ends, truncations, {agent: {} for agent in agents}

    def render(self) -> np.ndarray | None:
        return self._lanes.render(0)

    def close(self) -> None:
        self._lanes.close()
