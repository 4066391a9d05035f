#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Frames per second of rut's vector environments, and of MuJoCo's beside them, by the clock, in turns.

    pip install '.[gym]' mujoco imageio && python bench/gym_peers.py [--threads N] [--turns 3]

A frame is an action of one copy with its observation and reward; steps are those of the engine. MuJoCo's are Gymnasium's Ant-v5
in SyncVectorEnv and AsyncVectorEnv, and the same model in mujoco.rollout, which has neither observations nor rewards.
The tasks differ: an ant of 14 coordinates with contacts at its feet is no rover on wheels.
"""
import argparse
import os
import time

import gymnasium
import numpy as np


def frames(env, actions):
    """A function that makes that many actions of a vector environment."""
    env.reset(seed=1)
    action = env.action_space.sample()

    def go():
        for _ in range(actions):
            env.step(action)
    return go


def ours(name, lanes, threads, actions):
    import rut.gym  # noqa: F401  (registers the environments)
    env = gymnasium.make_vec(f"rut/{name}-v0", num_envs=lanes, threads=threads)
    return frames(env, actions), lanes * actions, env.unwrapped.task.steps


def ants(lanes, kind, actions):
    env = gymnasium.make_vec("Ant-v5", num_envs=lanes, vectorization_mode=kind)
    return frames(env, actions), lanes * actions, 5


def rollout(lanes, threads, actions):
    import mujoco
    from mujoco import rollout as engine
    model = gymnasium.make("Ant-v5").unwrapped.model
    data = [mujoco.MjData(model) for _ in range(threads)]
    state = np.zeros((lanes, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    mujoco.mj_getState(model, data[0], state[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state[:] = state[0]
    control = np.random.default_rng(1).uniform(-1, 1, (lanes, 5 * actions, model.nu))
    pool = engine.Rollout(nthread=threads)
    return (lambda: pool.rollout([model] * lanes, data, state, control)), lanes * actions, 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    threads = given.threads
    cases = {
        f"rut Waypoints, 1024, {threads} threads": ours("Waypoints", 1024, threads, 100),
        f"rut ObstacleField, 1024, {threads} threads": ours("ObstacleField", 1024, threads, 20),
        f"rut RoughTerrain, 256, {threads} threads": ours("RoughTerrain", 256, threads, 10),
        f"rut HmmwvLaneChange, 256, {threads} threads": ours("HmmwvLaneChange", 256, threads, 20),
        "Ant-v5, SyncVectorEnv, 64": ants(64, "sync", 20),
        f"Ant-v5, AsyncVectorEnv, {8 * threads}": ants(8 * threads, "async", 100),
        f"Ant-v5's model, mujoco.rollout, 1024, {threads} threads": rollout(1024, threads, 4),
    }
    taken = {name: [] for name in cases}
    for _ in range(given.turns):
        for name, (go, _, _) in cases.items():
            begin = time.perf_counter()
            go()
            taken[name].append(time.perf_counter() - begin)
    print("| environment, copies | frames/s | engine steps per frame | engine steps/s |\n|---|---|---|---|")
    for name, (_, made, steps) in cases.items():
        rate = made / min(taken[name])
        print(f"| {name} | {rate:,.0f} | {steps} | {rate * steps:,.0f} |")


if __name__ == "__main__":
    main()
