#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A rover drives around a wall by path integral control (Williams et al. 2017), with numpy and rut.Batch.rollout.

    pip install . && python examples/python/mppi.py

Every 0.2 s 256 sequences of set points are drawn around the present plan, and rut drives them all from the present state;
the plan becomes their mean, weighted by exp(-cost / temperature).
"""
import sys

import numpy as np
import rut

GOAL = 6.0, 0.0
CANDIDATES, INTERVALS, STEPS = 256, 16, 20     # an interval is 0.2 s
TEMPERATURE, SPREAD = 2.0, np.array([0.6, 0.9])  # [m/s], [rad/s]
LIMIT = np.array([1.5, 1.5])


def world():
    made = rut.load(rut.example("learning/waypoints.xml"))
    made.add("block", name="wall", shape="box", size=(0.4, 3, 1), position=(3, 1), fixed=True)
    return made


def batch_of(made):
    batch = rut.Batch(made, CANDIDATES, threads=2, columns=["rover/x", "rover/y", "rover/collision"])
    batch.limits({"rover/collision": (-0.5, 0.5)})
    batch.rewards([{"column": column, "target": target, "weight": -1.0, "shape": "square", "when": when}
                   for column, target in (("rover/x", GOAL[0]), ("rover/y", GOAL[1])) for when in ("each", "last")])
    return batch


def main():
    rng = np.random.default_rng(1)
    made = world()
    with made.start() as sim, batch_of(made) as batch:
        rover, plan = sim.vehicle("rover"), np.zeros((INTERVALS, 2))
        plan[:, 0] = 0.5
        touched = False
        for update in range(120):
            # half of what is drawn holds for a whole sequence: turns that last get around things
            noise = rng.standard_normal((CANDIDATES, INTERVALS, 2)) + rng.standard_normal((CANDIDATES, 1, 2))
            sequence = np.clip(plan + SPREAD * noise, -LIMIT, LIMIT)
            cost = batch.rollout(sim, sequence, STEPS, end_cost=200.0)
            weight = np.exp((cost.min() - cost) / TEMPERATURE)
            plan = np.tensordot(weight / weight.sum(), sequence, 1)
            rover.command(*plan[0])
            for _ in range(STEPS):
                sim.step()
                touched = touched or bool(rover.collision)
            plan = np.concatenate([plan[1:], plan[-1:]])
            x, y, _ = rover.position
            if np.hypot(x - GOAL[0], y - GOAL[1]) < 0.3:
                print(f"at the goal after {sim.time:.1f} s, {'touched the wall' if touched else 'touched nothing'}")
                return int(touched)
        print(f"not at the goal: x {x:.2f} m, y {y:.2f} m")
        return 1


if __name__ == "__main__":
    sys.exit(main())
