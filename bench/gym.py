#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What rut's vector environments cost beside the batch under them, and MuJoCo's beside them where it is installed.

    pip install '.[gym]' && python bench/gym.py [--lanes 1024] [--threads 1] [--peer]

For each task: time of a step of the environment, and of the batch in it called bare, with the same commands and resets from the
same state; both in turns of 60 actions, the lower quartile of all, in processor time of all threads. The overhead is the difference over the latter.
--peer steps a car on a plane with MuJoCo's bindings in as many copies, ten steps per action, rewards and observations in
numpy; `pip install mujoco`.
"""
import argparse
import time

import gymnasium
import numpy as np
import rut.gym

ACTIONS, TURNS = 60, 7


def timed(action, actions=ACTIONS):
    """Time of each of some actions, which get their number."""
    at = [time.process_time()]
    for i in range(actions):
        action(i)
        at.append(time.process_time())
    return np.diff(at)


class Pair:
    """A vector environment, and the batch in it called bare: the same commands and resets from the same state."""

    def __init__(self, name, lanes, threads):
        self.env = gymnasium.make_vec(f"rut/{name}-v0", num_envs=lanes, threads=threads, autoreset_mode="SameStep").unwrapped
        self.batch, task = self.env.batch, self.env.task
        self.steps, self._begin = task.steps, self.env._lanes.begin
        self.env.reset(seed=1)
        # episodes of different age, so that resets are spread as in a long training
        self.env._lanes.elapsed[:] = np.random.default_rng(2).integers(0, task.horizon, lanes)
        self._action = np.random.default_rng(1).uniform(-1, 1, (8, lanes, task.actions)).astype(np.float32)
        self._command = [np.full_like(self.batch.command, np.nan) for _ in range(8)]
        for action, command in zip(self._action, self._command):
            task.command(action.astype(float), command)
        self._resets, self._at = {}, 0
        self.env._lanes.begin = self._note

    def _note(self, lanes):
        self._begin(lanes)
        self._resets[self._at] = lanes, self.env._lanes.bits[:lanes.size].copy()

    def _whole(self, i):
        self._at = i
        self.env.step(self._action[i % 8])

    def _bare(self, i):
        np.copyto(self.batch.command, self._command[i % 8])
        self.batch.step(self.steps)
        if i in self._resets:
            self.batch.reset(*self._resets[i])

    def turn(self):
        """Times of both. The state that the one ends in is that of the other, so that the next turn goes on from there."""
        lanes = range(self.env.num_envs)
        begin = [self.batch.sim(i).save() for i in lanes]
        self._resets.clear()
        one = timed(self._whole)
        end = [self.batch.sim(i).save() for i in lanes]
        for i in lanes:
            self.batch.sim(i).restore(begin[i])
        other = timed(self._bare)
        if end != [self.batch.sim(i).save() for i in lanes]:
            raise AssertionError("the bare batch has not done the same")
        return one, other


def measure(name, lanes, threads):
    pair = Pair(name, lanes, threads)
    pair.turn()
    found = [pair.turn() for _ in range(TURNS)]
    pair.env.close()
    one, other = (np.percentile([p[k] for p in found], 25) for k in (0, 1))
    return one, other, lanes * pair.steps


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

    def step(_):
        for i, data in enumerate(copies):
            data.ctrl[:] = action[i]
            mujoco.mj_step(model, data, 10)
            seen[i, :model.nq], seen[i, model.nq:] = data.qpos, data.qvel

    step(0)
    return timed(step, 5).min()


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
