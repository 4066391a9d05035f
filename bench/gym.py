#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What rut's vector environments cost beside the batch under them, and MuJoCo's beside them where it is installed.

    pip install '.[gym]' && python bench/gym.py [--lanes 1024] [--threads 1] [--peer]

For each task: time of a step of the environment, and of the same batch with the same commands and the same resets, called
bare; both in turn, the least of some turns, in processor time of all threads. The overhead is the difference over the latter.
--peer steps a car on a plane with MuJoCo's bindings in as many copies, ten steps per action, rewards and observations in
numpy; `pip install mujoco`.
"""
import argparse
import time

import gymnasium
import numpy as np
import rut.gym

ACTIONS, TURNS = 60, 7


def least(function, turns=TURNS):
    found = []
    for _ in range(turns):
        begin = time.process_time()
        function()
        found.append(time.process_time() - begin)
    return min(found)


def measure(name, lanes, threads):
    env = gymnasium.make_vec(f"rut/{name}-v0", num_envs=lanes, threads=threads, autoreset_mode="SameStep").unwrapped
    env.reset(seed=1)
    action = np.random.default_rng(1).uniform(-1, 1, (8, lanes, env.task.actions)).astype(np.float32)
    # episodes of different age, so that resets are spread as in a long training
    env._lanes.elapsed[:] = np.random.default_rng(2).integers(0, env.task.horizon, lanes)
    resets, begin = [], env._lanes.begin
    command = [np.empty_like(env.batch.command) for _ in range(8)]
    for given, asked in zip(action, command):
        asked[:] = np.nan
        env.task.command(given.astype(float), asked)

    def note(chosen, seeds=None):
        resets[-1] = chosen
        begin(chosen, seeds)

    env._lanes.begin = note

    def whole():
        resets.clear()
        for i in range(ACTIONS):
            resets.append(None)
            env.step(action[i % 8])

    def bare():
        for i in range(ACTIONS):
            np.copyto(env.batch.command, command[i % 8])
            env.batch.step(env.task.steps)
            if resets[i] is not None:
                env.batch.reset(resets[i])

    whole()
    pairs = [(least(whole, 1), least(bare, 1)) for _ in range(TURNS)]
    env.close()
    one, other = (min(p[k] for p in pairs) / ACTIONS for k in (0, 1))
    return one, other, lanes * env.task.steps


def peer(lanes):
    import mujoco
    wheel = '<body pos="{x} {y} 0"><joint type="hinge" axis="0 1 0" name="{n}"/><geom type="cylinder" size="0.13 0.04" euler="90 0 0" mass="1.5" friction="0.7"/></body>'
    wheels = "".join(wheel.format(x=x, y=y, n=n) for n, x, y in (("lf", .25, .28), ("rf", .25, -.28), ("lr", -.25, .28), ("rr", -.25, -.28)))
    motors = "".join(f'<velocity joint="{n}" kv="5"/>' for n in ("lf", "rf", "lr", "rr"))
    xml = f"""<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="100 100 1"/>
      <body pos="0 0 0.13"><freejoint/><geom type="box" size="0.4 0.22 0.1" pos="0 0 0.1" mass="30"/>{wheels}</body>
      </worldbody><actuator>{motors}</actuator></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    copies = [mujoco.MjData(model) for _ in range(lanes)]
    action = np.random.default_rng(1).uniform(-5, 5, (lanes, 4))
    seen = np.zeros((lanes, model.nq + model.nv), np.float32)

    def step():
        for i, data in enumerate(copies):
            data.ctrl[:] = action[i]
            mujoco.mj_step(model, data, 10)
            seen[i, :model.nq], seen[i, model.nq:] = data.qpos, data.qvel

    step()
    return least(step, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lanes", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("tasks", nargs="*", default=list(rut.gym.TASKS))
    given = parser.parse_args()
    print("| environment | step [ms] | batch alone [ms] | overhead [%] | actions/s | steps/s |\n|---|---|---|---|---|---|")
    for name in given.tasks:
        lanes = max(8, given.lanes // 8) if name == "Swarm" else given.lanes
        one, other, steps = measure(name, lanes, given.threads)
        print(f"| {name}, {lanes} | {1e3 * one:.2f} | {1e3 * other:.2f} | {100 * (one / other - 1):.1f} | {lanes / one:.3g} | {steps / one:.3g} |", flush=True)
    if given.peer:
        taken = peer(given.lanes)
        print(f"| MuJoCo, a rover on a plane, {given.lanes} | {1e3 * taken:.2f} | | | {given.lanes / taken:.3g} | {10 * given.lanes / taken:.3g} |")


if __name__ == "__main__":
    main()
