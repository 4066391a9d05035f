#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Environments: Gymnasium's and PettingZoo's own checks, vector against single, autoreset, rewards against closed forms."""
import math
import unittest
import warnings

import gymnasium
import numpy as np
import rut
import rut.gym
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

IDS = [f"rut/{name}-v0" for name in rut.gym.TASKS]
SAME, NEXT, OFF = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED


def actions(env, steps, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (steps, *env.action_space.shape)).astype(np.float32)


class Checks(unittest.TestCase):
    def test_gymnasium(self):
        for name in IDS:
            with self.subTest(name), warnings.catch_warnings():
                # unbounded observations are meant
                warnings.filterwarnings("ignore", "A Box observation space m", module="gymnasium")
                warnings.simplefilter("ignore", UserWarning)
                check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped, skip_render_check=False)

    def test_pettingzoo(self):
        from pettingzoo.test import parallel_api_test, parallel_seed_test
        parallel_api_test(rut.gym.parallel_env(horizon=40), num_cycles=60)
        parallel_seed_test(lambda: rut.gym.parallel_env(horizon=20), num_cycles=25)

    def test_picture(self):
        env = gymnasium.make("rut/ObstacleField-v0", render_mode="rgb_array")
        env.reset(seed=1)
        for _ in range(2):
            env.step(np.zeros(2, np.float32))
        picture = env.render()
        self.assertEqual((picture.shape, picture.dtype), ((240, 320, 3), np.uint8))
        self.assertGreater(picture.std(), 5)
        env.close()


class Vectors(unittest.TestCase):
    def test_lanes_are_the_single_environments(self):
        """Observations, rewards and ends, bit for bit, over several episodes."""
        for name, options in (("rut/Waypoints-v0", {"horizon": 15}), ("rut/Swarm-v0", {"horizon": 6}), ("rut/HmmwvLaneChange-v0", {}),
                              ("rut/RoughTerrain-v0", {})):
            steps = 40 if "W" in name[4] or "S" in name[4] else 12
            vector = gymnasium.make_vec(name, num_envs=3, threads=2, autoreset_mode=SAME, **options)
            chosen = actions(vector, steps)
            seen = [vector.reset(seed=7)[0].copy()]
            told = []
            for action in chosen:
                observation, reward, terminated, truncated, infos = vector.step(action)
                seen.append(observation.copy())
                told.append((reward, terminated, truncated, infos.get("final_obs")))
            for lane in range(3):
                env = gymnasium.make(name, disable_env_checker=True, **options)
                observation, _ = env.reset(seed=7 + lane)
                np.testing.assert_array_equal(observation, seen[0][lane])
                for i, action in enumerate(chosen):
                    observation, reward, terminated, truncated, _ = env.step(action[lane])
                    self.assertEqual((reward, terminated, truncated), tuple(told[i][k][lane] for k in range(3)), name)
                    if terminated or truncated:
                        np.testing.assert_array_equal(observation, told[i][3][lane])
                        observation, _ = env.reset()
                    np.testing.assert_array_equal(observation, seen[i + 1][lane], name)
                env.close()
            vector.close()

    def test_next_step(self):
        """After the end comes the first observation of the next episode, without reward, whatever the action."""
        one = gymnasium.make_vec("rut/Waypoints-v0", num_envs=4, horizon=5)
        two = gymnasium.make_vec("rut/Waypoints-v0", num_envs=4, horizon=5, autoreset_mode="SameStep")
        self.assertEqual((one.metadata["autoreset_mode"], two.metadata["autoreset_mode"]), (NEXT, SAME))
        first = one.reset(seed=1)[0].copy()
        np.testing.assert_array_equal(first, two.reset(seed=1)[0])
        chosen = actions(one, 5)
        for episode in range(3):
            for i, action in enumerate(chosen):
                a, b = one.step(action), two.step(action)
                np.testing.assert_array_equal(a[1], b[1])
                np.testing.assert_array_equal(a[3], [i == 4] * 4)
                if i < 4:
                    np.testing.assert_array_equal(a[0], b[0])
            np.testing.assert_array_equal(np.stack(list(b[4]["final_obs"])), a[0])
            begun = one.step(np.ones((4, 2), np.float32))
            np.testing.assert_array_equal(begun[0], b[0])
            self.assertFalse(begun[1].any() or begun[2].any() or begun[3].any())
            self.assertFalse((begun[0] == first).all())
        one.close()
        two.close()

    def test_disabled(self):
        vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=3, horizon=2, autoreset_mode=OFF)
        vector.reset(seed=1)
        self.assertRaises(gymnasium.error.ResetNeeded, gymnasium.make("rut/Swarm-v0").unwrapped.step, np.zeros(16))
        for _ in range(2):
            vector.step(np.zeros((3, 2)))
        self.assertRaises(gymnasium.error.ResetNeeded, vector.step, np.zeros((3, 2)))
        vector.reset(options={"reset_mask": np.array([True, True, True])})
        vector.step(np.zeros((3, 2)))
        vector.close()

    def test_wrappers(self):
        vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=4, horizon=10)
        vector = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector)
        vector.reset(seed=3)
        for _ in range(11):
            infos = vector.step(np.zeros((4, 2), np.float32))[4]
            if "episode" in infos:
                np.testing.assert_array_equal(infos["episode"]["l"], 10)
                break
        else:
            self.fail("no episode ended")
        vector.close()

    def test_randomised(self):
        """A lane with less grip comes less far; without, all have the same way."""
        ways = []
        for randomise in (None, {"rover/tyre.friction": (0.02, 0.9)}):
            vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=8, randomise=randomise)
            vector.reset(seed=1)
            for _ in range(10):
                vector.step(np.tile(np.float32([1, 0]), (8, 1)))
            ways.append(vector.unwrapped.batch["rover/x"].copy())
            vector.close()
        self.assertEqual(np.ptp(ways[0]), 0)
        self.assertGreater(np.ptp(ways[1]), 0.2)

    def test_observation_holds_through_the_next_step(self):
        vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=4)
        vector.reset(seed=1)
        first = vector.step(np.ones((4, 2)))[0]
        kept = first.copy()
        vector.step(-np.ones((4, 2)))
        np.testing.assert_array_equal(first, kept)
        vector.close()

    def test_waiting_lanes_lose_and_gain_nothing(self):
        """The first point is reached at the start already: its reward is that of the first action, whatever the mode."""
        rewards = []
        for mode in (SAME, NEXT):
            vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=4, size=1.0, horizon=4, autoreset_mode=mode)
            vector.reset(seed=3)
            told = []
            for i in range(14):
                reward, _, truncated = vector.step(np.zeros((4, 2)))[1:4]
                if mode == NEXT and i % 5 == 4:
                    np.testing.assert_array_equal(reward, 0)
                else:
                    told.append(reward)
                    np.testing.assert_array_equal(truncated, len(told) % 4 == 0)
            rewards.append(told)
            vector.close()
        np.testing.assert_array_equal(rewards[0][:11], rewards[1][:11])
        self.assertGreater(rewards[0][4].sum(), 4)

    def test_randomised_fields_stay(self):
        """Lanes with friction of their own see the posts that they see without."""
        seen = []
        for randomise in (None, {"rover/tyre.friction": (0.3, 0.9)}):
            vector = gymnasium.make_vec("rut/ObstacleField-v0", num_envs=3, randomise=randomise)
            vector.reset(seed=1)
            for _ in range(2):
                observation = vector.step(np.zeros((3, 2)))[0]
            seen.append(observation[:, 5:].copy())
            frictions = vector.unwrapped.batch.info["variants"]
            vector.close()
        self.assertEqual(len({row.tobytes() for row in seen[0]}), 3)
        np.testing.assert_allclose(seen[0], seen[1], atol=0.02)
        self.assertGreaterEqual(frictions, 3)

    def test_lane_of_a_field_is_a_single_environment(self):
        """With the vector's seed plus the lane's number, the field and what is randomised are those of the lane."""
        options = {"randomise": {"rover/tyre.friction": (0.3, 0.9)}, "horizon": 5}
        vector = gymnasium.make_vec("rut/ObstacleField-v0", num_envs=3, seed=4, **options)
        one = gymnasium.make("rut/ObstacleField-v0", seed=6, disable_env_checker=True, **options)
        np.testing.assert_array_equal(vector.reset(seed=1)[0][2], one.reset(seed=3)[0])
        for i, action in enumerate(actions(vector, 5)):
            many, single = vector.step(action), one.step(action[2])
            np.testing.assert_array_equal(many[0][2], single[0])
            self.assertEqual(single[3], i == 4)
        vector.close()
        one.close()

    def test_a_task_for_two(self):
        """Environments that were given one object do not disturb each other."""
        task = rut.gym.Waypoints()
        one, two, many = rut.gym.RutEnv(task), rut.gym.RutEnv(rut.gym.Waypoints()), rut.gym.RutVectorEnv(task, 5)
        for env in (one, two):
            env.reset(seed=1)
        many.reset(seed=9)
        for _ in range(3):
            many.step(np.ones((5, 2)))
            np.testing.assert_array_equal(one.step(np.float32([1, 0.2]))[0], two.step(np.float32([1, 0.2]))[0])
        for env in (one, two, many):
            env.close()

    def test_refused(self):
        single, vector = gymnasium.make("rut/Waypoints-v0").unwrapped, gymnasium.make_vec("rut/Waypoints-v0", num_envs=3, autoreset_mode=OFF)
        single.reset(seed=2**64 + 1)
        vector.reset(seed=2**63 - 1)
        for wrong in ([0.0, np.nan], [0.0], [0.0] * 3, 0.0):
            self.assertRaises(ValueError, single.step, np.array(wrong))
            self.assertRaises(ValueError, vector.step, np.array(wrong))
        for mask in (np.array([0, 1, 1]), np.array([True]), np.array([1, 2])):
            self.assertRaises(ValueError, vector.reset, options={"reset_mask": mask})
        for seeds in ([1], [1, 2, 3, 4]):
            self.assertRaises(ValueError, vector.reset, seed=seeds)
        vector.reset(seed=[1, None, 3])
        for name in rut.gym.TASKS:
            self.assertEqual(rut.gym.TASKS[name](horizon=7).horizon, 7)
        self.assertRaises(ValueError, rut.gym.RutEnv, rut.gym.Waypoints(horizon=0))
        single.close()
        vector.close()


class Laws(unittest.TestCase):
    def test_rewards_are_the_way_that_was_made(self):
        """Without reaching a point, rewards add up to the distance that was gained: here along the straight way to it."""
        env = gymnasium.make("rut/Waypoints-v0").unwrapped
        env.reset(seed=5)
        goal = env.task.goal[0, :, 0].copy()
        total = 0.0
        for _ in range(10):
            total += env.step(np.float32([0.3, 0.4]))[1]
        state = env.sim.state
        x, y, _ = state["position"][0]
        self.assertAlmostEqual(total, np.hypot(*goal) - np.hypot(goal[0] - x, goal[1] - y), places=12)
        env.close()

    def test_direction_of_the_goal(self):
        env = gymnasium.make("rut/Waypoints-v0").unwrapped
        seen, _ = env.reset(seed=5)
        goal = env.task.goal[0, :, 0]
        distance = np.hypot(*goal)
        np.testing.assert_allclose(seen[:3], [distance / 10, goal[0] / distance, goal[1] / distance], rtol=1e-6)
        env.close()

    def test_collision_ends(self):
        """Straight ahead into a post that was put there."""
        env = gymnasium.make("rut/ObstacleField-v0").unwrapped
        world = env._lanes.batch.world.copy()
        world["post_0.position"] = (2.0, 0.0)
        env._lanes.batch.set_world(0, world)
        env.reset(seed=1)
        for i in range(60):
            seen, reward, terminated, _, _ = env.step(np.float32([0.5, 0]))
            if terminated:
                break
        # outline 0.4 m ahead, post of 0.35 m: contact at 1.25 m
        self.assertAlmostEqual(env._lanes.seen[0, 0], 1.25, delta=0.03)
        self.assertLess(reward, -4)
        # the laser, 0.3 m ahead, sees the middle of the post's polygon
        self.assertAlmostEqual(float(seen[5 + 11]) * 8, 2 - 0.35 - 0.3 - env._lanes.seen[0, 0], delta=0.15)
        env.close()

    def test_lane_change_line(self):
        line = rut.gym.HmmwvLaneChange.line
        np.testing.assert_allclose(line(np.array([0.0, 30.0, 42.5, 55.0, 70.0, 87.5, 120.0])), [0, 0, 1.75, 3.5, 3.5, 1.75, 0])

    def test_lanes_have_posts_of_their_own(self):
        vector = gymnasium.make_vec("rut/ObstacleField-v0", num_envs=4)
        vector.reset(seed=1)
        for _ in range(2):
            observation = vector.step(np.zeros((4, 2), np.float32))[0]
        self.assertEqual(len({row.tobytes() for row in observation[:, 5:]}), 4)
        self.assertTrue(vector.unwrapped.batch.info["can_share"])
        vector.close()

    def test_same_seed_same_random_numbers(self):
        from rut.gym.task import Random
        # the first outputs of splitmix64 with the seed 1234567, as published with its reference implementation
        from rut.gym.task import random_bits
        state = (1234567 + np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
        self.assertEqual([int(v) for v in random_bits(state, 0)], [6457827717110365317, 3203168211198807973, 9817491932198370423])
        draw = Random.of(np.arange(10000), np.zeros(10000))
        numbers = draw(-1, 3)
        self.assertAlmostEqual(numbers.mean(), 1, delta=4 * 4 / np.sqrt(12 * 10000))
        self.assertTrue((numbers >= -1).all() and (numbers < 3).all())

    def test_observations_have_the_bits_of_numpy(self):
        """Their tables against formulas over arrays, also of lanes that have just begun."""
        def waypoints(task, seen):
            out = np.vstack([task.place, seen[3] * (1 / 2.0), seen[4] * (1 / 2.0)])
            out[[0, 3]] *= 0.1
            return out

        def rough_terrain(task, seen):
            return np.vstack([task.place[0] / 20, task.place[1:], seen[5], seen[6], seen[7] / 3, seen[8] / 3, seen[3] / 3, seen[4] / 1.5])

        def obstacle_field(task, seen):
            return np.vstack([task.place[0] / 20, task.place[1:], seen[3] / 1.5, seen[4] / 1.5, np.where(seen[6:] < 0, 1, seen[6:] * 0.125)])

        def swarm(task, seen):
            speed, rate, near = seen[24:32], seen[32:40], task.near * np.repeat([0.25, 1, 1], 3)[:, None]
            return np.vstack([np.vstack([task.place[0, i] / 8, task.place[1:, i], speed[i], rate[i] * 0.5, near[i]]) for i in range(8)])

        # more lanes than are in a block, and no multiple of a vector's
        for name, form, lanes in (("Waypoints", waypoints, 71), ("RoughTerrain", rough_terrain, 5), ("ObstacleField", obstacle_field, 71), ("Swarm", swarm, 67)):
            vector = gymnasium.make_vec(f"rut/{name}-v0", num_envs=lanes, autoreset_mode=SAME, horizon=10).unwrapped
            vector.reset(seed=1)
            vector._lanes.elapsed[::3] = 4
            begun = 0
            for action in actions(vector, 12):
                observation, *_, infos = vector.step(action)
                begun += infos.get("_final_obs", np.zeros(0)).sum()
                np.testing.assert_array_equal(observation, form(vector.task, vector.batch.output.T).T.astype(np.float32), name)
            self.assertGreaterEqual(begun, lanes, name)
            vector.close()

    def test_rewards_of_the_swarm_have_the_bits_of_numpy(self):
        vector = gymnasium.make_vec("rut/Swarm-v0", num_envs=67).unwrapped
        vector.reset(seed=1)
        touched = 0
        for _ in range(40):
            before = vector.task.place[0].copy()
            reward = vector.step(np.tile(np.float32([1, 0]), (67, 8)))[1]
            touches = vector.batch.output.T[40:]
            earned = before - vector.task.place[0] - touches
            touched += touches.sum()
            np.testing.assert_array_equal(vector.task.earned, earned)
            np.testing.assert_array_equal(reward, np.mean(earned, axis=0))
        self.assertGreater(touched, 0)
        vector.close()

    def test_a_table_or_a_function_says_what_is_seen(self):
        class Own(rut.gym.Waypoints):
            observations = 2

            def observe(self, seen, lanes, out):
                out[0], out[1] = seen[3], self.place[0, lanes]

        class Wrong(rut.gym.Waypoints):
            def numbers(self):
                return [super(Wrong, self).numbers()[0]._replace(source=np.zeros(3))]

        vector = rut.gym.RutVectorEnv(Own(), 3)
        vector.reset(seed=1)
        observation = vector.step(np.ones((3, 2)))[0]
        np.testing.assert_array_equal(observation, np.float32([vector.batch.output[:, 3], vector.task.place[0]]).T)
        vector.close()
        self.assertRaisesRegex(ValueError, "source of number 0", rut.gym.RutVectorEnv, Wrong(), 2)

    def test_nearest_robots_are_those_of_a_sort(self):
        # on a coarse grid, so that many are equally near; the first of those counts as nearer
        x, y = np.random.default_rng(3).integers(0, 4, (2, 8, 70)).astype(float)
        vector = gymnasium.make_vec("rut/Swarm-v0", num_envs=70)
        vector.reset(seed=1)
        task, seen = vector.unwrapped.task, vector.unwrapped.batch.output.T.copy()
        seen[:16], yaw = np.concatenate([x, y]), seen[16:24]
        task.judge(seen, np.zeros(70, bool), np.zeros(70), np.zeros(70, bool))
        out = task.near
        for robot in range(8):
            for lane in range(70):
                apart = sorted((math.hypot(x[o, lane] - x[robot, lane], y[o, lane] - y[robot, lane]), o) for o in range(8) if o != robot)[:3]
                np.testing.assert_allclose(out[robot, :3, lane], [a for a, _ in apart], rtol=1e-15, atol=0)
                # their directions, turned from the robot's axes to those of the world
                turn = np.exp(1j * yaw[robot, lane])
                places = (out[robot, 3:6, lane] + 1j * out[robot, 6:, lane]) * turn * out[robot, :3, lane]
                others = [o for _, o in apart]
                offset = x[others, lane] - x[robot, lane] + 1j * (y[others, lane] - y[robot, lane])
                np.testing.assert_allclose(places, offset, rtol=0, atol=1e-12)
        vector.close()

    def test_lanes_that_begin_are_read_at_once(self):
        vector = gymnasium.make_vec("rut/Waypoints-v0", num_envs=8)
        vector.reset(seed=1)
        for _ in range(3):
            vector.step(np.ones((8, 2), np.float32))
        batch = vector.unwrapped.batch
        before = batch.output.copy()
        batch.reset([2, 5], read=True)
        self.assertTrue((batch.output[[2, 5], :2] != before[[2, 5], :2]).any(axis=1).all())
        untouched = [0, 1, 3, 4, 6, 7]
        np.testing.assert_array_equal(batch.output[untouched], before[untouched])
        np.testing.assert_array_equal(batch.output, batch.read())
        for wrong in ([-1], [8], np.array([-1], np.int32)):
            self.assertRaises(rut.Error, batch.reset, wrong)
        vector.close()


if __name__ == "__main__":
    unittest.main()
