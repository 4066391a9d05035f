#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Batches from Python: the bits of lone runs, arrays that rut reads and writes itself, rollouts."""
import os
import threading
import unittest
from pathlib import Path

import numpy as np
import rut

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
ROVER = ROOT / "worlds/vehicles/rover.xml"
WORLD = f'<world timestep="5 ms"><include file="{ROVER}" laser="true"/></world>'


def world():
    return rut.parse(WORLD, name=str(ROOT / "worlds/world.xml"))


class Copies(unittest.TestCase):
    def test_bits_of_lone_runs(self):
        rover = world()
        command = np.random.default_rng(1).uniform(-1, 1, (20, 2))
        with rut.Batch(rover, 20, threads=2, seed=5, columns=["rover/x", "rover/y", "rover/laser/range"]) as batch:
            self.assertEqual(batch.command_names, ["rover/speed", "rover/yaw_rate"])
            self.assertEqual(batch.output.shape, (20, 2 + 271))
            batch.command[:] = command
            batch.step(100)
            for copy in (0, 7, 19):
                lone = rover.start(seed=batch.copy(copy)["seed"])
                lone["rover"].command(*command[copy])
                lone.step(100)
                self.assertEqual(batch.sim(copy).hash, lone.hash)
                self.assertEqual(batch["rover/x"][copy], lone["rover/x"])
                np.testing.assert_array_equal(batch["rover/laser/range"][copy], lone["rover/laser"].range)

    def test_arrays_of_the_caller(self):
        """Commands by columns and outputs in every second row of an array that is there already."""
        command, memory = np.zeros((2, 8)).T, np.full((16, 2), -1.0)
        with rut.Batch(world(), 8, columns=["rover/speed", "rover/x"]) as batch:
            batch.bind(command=command, output=memory[::2])
            command[:, 0] = np.arange(8) * 0.1
            batch.step(400)
            # a twist controller with an integral holds its speed
            np.testing.assert_allclose(memory[::2, 0], np.arange(8) * 0.1, atol=2e-2)
            self.assertTrue((memory[1::2] == -1).all())
            self.assertRaises(rut.Error, batch.bind, command=np.zeros((8, 2), np.float32))
            self.assertRaises(rut.Error, batch.bind, output=np.zeros((8, 3)))
        self.assertEqual(memory[0, 1], 0)

    def test_parameters_of_each(self):
        masses = np.linspace(20, 60, 8)
        rover = world()
        with rut.Batch(rover, 8, columns=["rover/x"]) as batch:
            batch.vary({"rover/chassis.mass": masses})
            batch.command[:] = [1, 0]
            batch.step(60)
            one = rover.copy()
            one["rover/chassis.mass"] = masses[6]
            with one.start(seed=batch.copy(6)["seed"]) as lone:
                lone["rover"].command(1, 0)
                lone.step(60)
                self.assertEqual(batch.sim(6).hash, lone.hash)
            self.assertGreaterEqual(batch.info["variants"], 8)
            self.assertRaises(rut.Error, batch.vary, {"rover/chassis.mas": 1.0})

    def test_ends_and_rewards(self):
        with rut.Batch(world(), 8, columns=["rover/x", "rover/speed"]) as batch:
            batch.limits({"rover/x": (-10, 0.5)})
            batch.rewards([{"column": "rover/x", "weight": 2.0, "when": "last"}])
            batch.command[:, 0], batch.command[:, 1] = np.arange(8) / 4, 0
            batch.step(200)
            np.testing.assert_array_equal(batch.end > 0, batch.last_output[:, 0] > 0.5)
            self.assertEqual({rut.Batch.ENDS[int(e)] for e in batch.end}, {"none", "limit"})
            going = batch.end == 0
            np.testing.assert_array_equal(batch.reward[going], 2 * batch["rover/x"][going])
            batch.reset([7])
            batch.read()
            self.assertEqual(batch["rover/x"][7], 0)
            self.assertGreater(batch["rover/x"][6], 0.5)
            self.assertEqual(batch.copy(7)["episode"], 1)
            self.assertRaises(rut.Error, batch.reset, [8])

    def test_judge(self):
        with rut.Batch(world(), 4) as batch:
            def judge(copy, reward):
                reward[0] += copy
                return copy == 3
            batch.judge(judge)
            batch.step(10)
            np.testing.assert_array_equal(batch.reward, [0, 10, 20, 3])
            np.testing.assert_array_equal(batch.end, [0, 0, 0, 2])

    def test_rollout(self):
        """Costs of sequences are minus what lone runs earn: here the place at the end."""
        rover = world()
        with rut.Batch(rover, 16, columns=["rover/x"]) as batch, rover.start() as sim:
            batch.rewards([{"column": "rover/x", "weight": 1.0, "when": "last"}])
            sim["rover"].command(0.5, 0)
            sim.step(40)
            sequence = np.random.default_rng(2).uniform(-1, 1, (16, 5, 2))
            cost = batch.rollout(sim, sequence, 20)
            self.assertEqual(sim.steps, 40)
            saved = sim.save()
            for candidate in (0, 9):
                sim.restore(saved)
                for interval in sequence[candidate]:
                    sim["rover"].command(*interval)
                    sim.step(20)
                self.assertEqual(cost[candidate], -sim["rover/x"])
            self.assertRaises(rut.Error, batch.rollout, sim, np.zeros((16, 5, 3)), 20)

    def test_errors(self):
        self.assertRaises(rut.Error, rut.Batch, world(), 0)
        with self.assertRaises(rut.Error) as caught:
            rut.Batch(world(), 2, columns=["rover/sped"])
        self.assertIn("rover/speed", str(caught.exception))
        batch = rut.Batch(world(), 2)
        batch.command[0, 0] = np.inf
        self.assertRaises(rut.Error, batch.step)
        batch.close()
        batch.close()
        self.assertRaises(rut.Error, batch.step)

    def test_python_runs_meanwhile(self):
        batch, used = rut.Batch(world(), 64), []

        def work():
            try:
                batch.step(20000)
            except rut.Error:
                used.append(1)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # the second came while the first stepped: it is refused, and has not waited for Python's lock
        self.assertEqual(len(used), 1)


if __name__ == "__main__":
    unittest.main()
