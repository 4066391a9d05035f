#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Batches from Python: the bits of lone runs, arrays that rut reads and writes itself, rollouts."""
import os
import signal
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


class Stops(unittest.TestCase):
    def expect_whole_steps(self, batch, known=True):
        """Copies have the states of lone runs of as many steps, and can go on."""
        made = [batch.copy(i)["steps"] for i in range(batch.copies)]
        self.assertLess(max(made), 10**8)
        hashes = [batch.sim(i).hash for i in range(batch.copies)]
        batch.reset(seeds=[batch.copy(i)["seed"] for i in range(batch.copies)])
        for copy, (steps, expected) in enumerate(zip(made, hashes)):
            if known and steps < 3000:
                with rut.Batch(world(), 1) as alone:
                    alone.reset(seeds=[batch.copy(copy)["seed"]])
                    alone.step(steps)
                    self.assertEqual(alone.sim(0).hash, expected)
        batch.step(3)
        self.assertEqual([batch.copy(i)["steps"] for i in range(batch.copies)], [3] * batch.copies)

    def test_interrupt(self):
        """Ctrl-C during a step and a rollout, by two workers; the handler is Python's again."""
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        with rut.Batch(world(), 10, threads=2) as batch, batch.world.start() as sim:
            still = np.zeros((10, 1, batch.command.shape[1]))
            for call, known in ((lambda: batch.step(10**8), True), (lambda: batch.rollout(sim, still, 10**8), False)):
                timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
                timer.start()
                self.assertRaises(KeyboardInterrupt, call)
                timer.join()
                self.expect_whole_steps(batch, known)
            self.assertRaises(KeyboardInterrupt, signal.raise_signal, signal.SIGINT)
            batch.step(1)

    def test_interrupt_within_a_judge(self):
        """The outer call ends too."""
        rover = world()
        with rut.Batch(rover, 2) as outer, rut.Batch(world(), 2) as inner:
            def judge(copy, reward):
                threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
                inner.step(10**8)
            outer.judge(judge)
            self.assertRaises(KeyboardInterrupt, outer.step, 10**8)
            self.assertLessEqual(max(outer.copy(i)["steps"] for i in range(2)), 1)

    def test_stop(self):
        with rut.Batch(world(), 10, threads=2) as batch:
            timer = threading.Timer(0.05, batch.stop)
            timer.start()
            with self.assertRaises(rut.Stopped) as raised:
                batch.step(10**8)
            self.assertEqual(raised.exception.status, "STOPPED")
            timer.join()
            self.expect_whole_steps(batch)
            # before a call: it makes no step
            batch.stop()
            self.assertRaises(rut.Stopped, batch.step, 5)
            self.assertEqual(batch.copy(9)["steps"], 3)
        self.assertRaises(rut.Error, batch.stop)


class Misuse(unittest.TestCase):
    """What would leave rut with memory that is gone, or would be taken for something else, is an error."""

    def test_arrays_stay(self):
        with rut.Batch(world(), 4, columns=["rover/x"]) as batch:
            for name in ("command", "output", "last_output", "reward", "end"):
                with self.assertRaisesRegex(rut.Error, "write into it"):
                    setattr(batch, name, np.zeros_like(getattr(batch, name)))
            batch.command[:] = 0.25
            batch.command += 0.25
            batch.step(10)
            self.assertEqual(batch.sim(3)["rover"].commands["speed"], 0.5)

    def test_arrays_of_the_caller(self):
        memory = np.zeros((4, 1))
        locked, odd = memory.copy(), np.zeros(4 * 8 + 8, np.uint8)
        locked.flags.writeable = False
        unaligned = odd[4:36].view(np.float64).reshape(4, 1)
        fields = np.zeros((4, 1), np.dtype([("a", "f8"), ("b", "f4")], align=False))["a"]
        with rut.Batch(world(), 4, columns=["rover/x"]) as batch:
            for wrong in (locked, unaligned, fields, memory.tolist()):
                before = batch.command, batch.output
                with self.assertRaises(rut.Error):
                    batch.bind(command=np.zeros((4, 2)), output=wrong)
                self.assertTrue(batch.command is before[0] and batch.output is before[1])

    def test_calls_during_a_step(self):
        rover = world()
        with rut.Batch(rover, 2, columns=["rover/x"]) as batch:
            calls = {"close": batch.close, "columns": lambda: batch.columns([]), "reset": batch.reset, "step": batch.step, "read": batch.read,
                     "limits": lambda: batch.limits({}), "rewards": lambda: batch.rewards([]), "judge": lambda: batch.judge(None),
                     "vary": lambda: batch.vary({"rover/chassis.mass": 20}), "set_world": lambda: batch.set_world(0, rover), "sim": lambda: batch.sim(0),
                     "share_world": lambda: batch.share_world(0, 1), "pause": lambda: batch.pause(0), "resume": lambda: batch.resume(0),
                     "read_copies": lambda: batch.read_copies([0]), "copy": lambda: batch.copy(0), "info": lambda: batch.info,
                     "bind": lambda: batch.bind(output=np.zeros((2, 1)))}
            refused = set()

            def judge(copy, reward):
                for name, call in calls.items():
                    try:
                        call()
                    except rut.Error as error:
                        if "in use" in str(error):
                            refused.add(name)
                return False

            batch.judge(judge)
            batch.step(1)
            self.assertEqual(refused, set(calls))

    def test_simulations_of_copies_that_are_gone(self):
        for change in (lambda b, w: b.vary({"rover/chassis.mass": 20}), lambda b, w: b.set_world(1, w), lambda b, w: b.share_world(1, 0),
                       lambda b, w: b.close()):
            rover = world()
            batch = rut.Batch(rover, 2)
            batch.step(40)
            sim = batch.sim(1)
            laser = sim["rover/laser"]
            seen, ranges = laser.range, laser.range.copy()
            change(batch, rover)
            for use in (lambda: sim["rover/x"], lambda: laser.range, lambda: sim.hash, sim.step, sim.save, lambda: sim.vehicles):
                with self.assertRaisesRegex(rut.Error, "anew"):
                    use()
            np.testing.assert_array_equal(seen, ranges)
            batch.close()

    def test_choices_of_copies(self):
        with rut.Batch(world(), 4, columns=["rover/x"]) as batch:
            batch.reset(np.array([False, False, True, True]))
            self.assertEqual([batch.copy(i)["episode"] for i in range(4)], [0, 0, 1, 1])
            for wrong in ([0.5], np.array([True, False]), [[0, 1]], [-1], [4], [2**40]):
                for call in (batch.reset, batch.read_copies):
                    self.assertRaises(rut.Error, call, wrong)
            for call in (batch.pause, batch.resume, batch.copy, batch.sim):
                for wrong in (-1, 4, 1.5):
                    self.assertRaises(rut.Error, call, wrong)
            for seeds in ([-1] * 4, [0.5] * 4, [2**64] * 4, [1]):
                self.assertRaises(rut.Error, batch.reset, None, seeds)
            batch.reset([0], [2**64 - 1])
            self.assertEqual(batch.copy(0)["seed"], 2**64 - 1)

    def test_words(self):
        self.assertRaisesRegex(rut.Error, "list", rut.Batch, world(), 2, columns="rover/x")
        self.assertRaises(rut.Error, rut.Batch, world(), 2, threads=-1)
        self.assertRaises(rut.Error, rut.World, workers=-1)
        with rut.Batch(world(), 2, columns=["rover/x", "rover/laser/range"]) as batch:
            batch.limits({np.int64(0): (-1, 1)})
            for wrong in ({"rover/x": (1, -1)}, {"rover/x": (np.nan, 1)}, {999: (0, 1)}, {"rover/laser/range": (0, 1)}):
                self.assertRaises(rut.Error, batch.limits, wrong)
            for wrong in ({"column": 0}, {"weight": 1}, {"column": 0, "weight": 1, "shape": "cubic"}, {"column": 0, "weight": 1, "wen": "last"}):
                self.assertRaises(rut.Error, batch.rewards, [wrong])
            self.assertRaises(rut.Error, batch.judge, 3)
            with world().start() as sim:
                self.assertRaises(rut.Error, batch.rollout, sim, np.zeros((2, 2)), 1)

    def test_exceptions_of_the_judge(self):
        with rut.Batch(world(), 4) as batch:
            batch.judge(lambda copy, reward: [][copy])
            self.assertRaises(IndexError, batch.step, 3)
            batch.judge(None)
            batch.reset()
            batch.step(3)


if __name__ == "__main__":
    unittest.main()
