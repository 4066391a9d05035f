# SPDX-License-Identifier: BSD-3-Clause
"""Environments for reinforcement learning, for Gymnasium: `import rut.gym` registers them.

    import gymnasium, rut.gym
    env = gymnasium.make("rut/Waypoints-v0")
    envs = gymnasium.make_vec("rut/Waypoints-v0", num_envs=1024, threads=8)

rut/Waypoints-v0, rut/RoughTerrain-v0, rut/ObstacleField-v0, rut/HmmwvLaneChange-v0, rut/Swarm-v0;
`rut.gym.parallel_env()` is the swarm for PettingZoo. docs/manual/gymnasium.md is the manual page.
"""
from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register as _register
from gymnasium.envs.registration import registry as _registry

from .env import RutEnv
from .task import Task
from .tasks import HmmwvLaneChange, ObstacleField, RoughTerrain, Swarm, Waypoints
from .vector import RutVectorEnv

TASKS: dict[str, type[Task]] = {"Waypoints": Waypoints, "RoughTerrain": RoughTerrain, "ObstacleField": ObstacleField,
                                "HmmwvLaneChange": HmmwvLaneChange, "Swarm": Swarm}
_VECTOR = ("threads", "autoreset_mode", "render_mode", "randomise", "seed")


def _make(task: str, render_mode: str | None = None, **options: Any) -> RutEnv:
    own = {name: options.pop(name) for name in ("randomise", "seed") if name in options}
    return RutEnv(TASKS[task](**options), render_mode=render_mode, **own)


def _make_vector(task: str, num_envs: int = 1, **options: Any) -> RutVectorEnv:
    own = {name: options.pop(name) for name in _VECTOR if name in options}
    return RutVectorEnv(TASKS[task](**options), num_envs, **own)


def register() -> None:
    """Make the environments known to Gymnasium; importing this module has done so."""
    for name in TASKS:
        if f"rut/{name}-v0" not in _registry:
            _register(f"rut/{name}-v0", entry_point="rut.gym:_make", vector_entry_point="rut.gym:_make_vector", kwargs={"task": name})


def parallel_env(**options: Any) -> Any:
    """The swarm as a parallel environment of PettingZoo, an agent for each robot."""
    from .parallel import SwarmParallelEnv
    return SwarmParallelEnv(**options)


register()
__all__ = ["HmmwvLaneChange", "ObstacleField", "RoughTerrain", "RutEnv", "RutVectorEnv", "Swarm", "TASKS", "Task", "Waypoints", "parallel_env", "register"]
