#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs of examples/python: the controller gets around the wall; what is learned from are true gradients."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

EXAMPLES = Path(os.environ["RUT_SOURCE_DIR"]) / "examples/python"
sys.path.insert(0, str(EXAMPLES))


class Programs(unittest.TestCase):
    def test_mppi(self):
        done = subprocess.run([sys.executable, "-B", EXAMPLES / "mppi.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("touched nothing", done.stdout)

    def test_own_parts(self):
        """A body that rolls in a bowl has the period of a pendulum."""
        done = subprocess.run([sys.executable, "-B", EXAMPLES / "own_parts.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        period, wanted = (float(number) for number in re.findall(r"([0-9.]+) s", done.stdout))
        self.assertAlmostEqual(period, wanted, delta=0.01 * wanted)

    def test_ppo_runs(self):
        done = subprocess.run([sys.executable, "-B", EXAMPLES / "ppo.py", "Waypoints", "--lanes", "16", "--steps", "8", "--updates", "2"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


STUDY = """<study world="w.xml" design="sobol" samples="9" seed="3" duration="0.4 s" rate="100 Hz">
  <vary type="uniform" name="mass" path="ball.mass" from="1" to="3"/>
  <measure type="last" name="x" signal="ball/x"/>
</study>"""
WORLD = """<world timestep="1 ms"><block name="ball" mass="2" position="0 0" velocity="2 0"
  outline="-0.1 -0.1, 0.1 -0.1, 0.1 0.1, -0.1 0.1"/></world>"""


class Clusters(unittest.TestCase):
    def test_dask(self):
        """Shards as tasks of Dask give the bytes of one process."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "w.xml").write_text(WORLD)
            (folder / "s.xml").write_text(STUDY)
            program = [sys.executable, "-B", EXAMPLES / "study_on_a_cluster.py", folder / "s.xml", "-o", folder / "all.db", "--shards", "3"]
            done = subprocess.run(program, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            rut = [os.environ["RUT_COMMAND"], "sweep"]
            subprocess.run([*rut, folder / "s.xml", "-o", folder / "one.db", "-q"], capture_output=True, check=True)
            subprocess.run([*rut, "merge", folder / "one.db", "-o", folder / "merged.db"], capture_output=True, check=True)
            self.assertEqual((folder / "all.db").read_bytes(), (folder / "merged.db").read_bytes())


class Gradients(unittest.TestCase):
    def agent(self):
        import ppo
        agent = ppo.Agent(np.random.default_rng(1), 5, 2, width=7)
        for network in (agent.policy, agent.value):
            network.weights = [w.astype(float) for w in network.weights]
            network.biases = [b.astype(float) for b in network.biases]
        agent.policy.weights[-1] *= 50
        agent.deviation = agent.deviation.astype(float)
        return agent

    def test_loss(self):
        """What Adam is given against differences of the loss of the paper (Schulman et al. 2017, equation 9)."""
        agent, rng = self.agent(), np.random.default_rng(2)
        seen, action = rng.standard_normal((30, 5)), rng.standard_normal((30, 2))
        gain, returns = rng.standard_normal(30), rng.standard_normal(30)

        def log_probability():
            z = (action - agent.policy(seen)) / np.exp(agent.deviation)
            return -0.5 * (z**2).sum(1) - agent.deviation.sum()

        logp = log_probability() + 0.2 * rng.standard_normal(30)
        scaled = (gain - gain.mean()) / (gain.std() + 1e-8)

        def loss():
            ratio = np.exp(log_probability() - logp)
            clipped = np.minimum(ratio * scaled, np.clip(ratio, 0.8, 1.2) * scaled).mean()
            return -clipped - 0.003 * agent.deviation.sum() + 0.5 * ((agent.value(seen)[:, 0] - returns)**2).mean()

        given = []
        agent.adam.step = given.extend
        agent.improve(seen, action, logp, gain, returns)
        parameters = agent.policy.parameters + [agent.deviation] + agent.value.parameters
        for parameter, gradient in zip(parameters, given):
            self.assertEqual(parameter.shape, gradient.shape)
            flat = parameter.reshape(-1)
            for i in range(0, flat.size, max(1, flat.size // 5)):
                kept, found = flat[i], []
                for h in (1e-6, -1e-6):
                    flat[i] = kept + h
                    found.append(loss())
                flat[i] = kept
                self.assertAlmostEqual((found[0] - found[1]) / 2e-6, gradient.reshape(-1)[i], places=6)

    def test_advantages(self):
        """With smoothing 1 they are discounted sums of rewards less the value; they stop at ends, and count on at cuts."""
        import ppo
        reward, value = np.array([[1.0], [2.0], [4.0]]), np.array([[0.5], [0.25], [0.125]])
        after = np.array([[0.25], [0.125], [8.0]])
        no, at_second = np.zeros((3, 1), bool), np.array([[False], [True], [False]])
        out = ppo.advantages(reward, value, after, no, no, 0.5, 1.0)
        np.testing.assert_allclose(out[:, 0], [1 + 1 + 1 + 0.125 * 8 - 0.5, 2 + 2 + 0.25 * 8 - 0.25, 4 + 4 - 0.125])
        out = ppo.advantages(reward, value, after, at_second, no, 0.5, 1.0)
        np.testing.assert_allclose(out[:2, 0], [1 + 1 - 0.5, 2 - 0.25])
        after[1] = 16.0
        out = ppo.advantages(reward, value, after, no, at_second, 0.5, 1.0)
        np.testing.assert_allclose(out[1, 0], 2 + 8 - 0.25)


if __name__ == "__main__":
    unittest.main()
