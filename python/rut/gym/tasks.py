# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of rut.gym."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .. import World, example, load
from .._native import ffi, lib
from .task import Draw, Lanes, Task

_CHASE = {"x": -3.0, "z": 2.0, "pitch": 0.4, "fov": "80 deg"}


def _to_goal(x: np.ndarray, y: np.ndarray, yaw: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Distance of goals [m] and their direction in the vehicles' axes, ahead and to the left: [3, ...] like x."""
    out = np.empty((3, *x.shape))
    parts = [np.ascontiguousarray(a) for a in (x, y, yaw, goal[0], goal[1])]
    read = [ffi.from_buffer("double[]", a) for a in parts]
    lib.rut_python_goals(ffi.new("rutPythonGoals*", (x.size, *read, *(ffi.from_buffer("double[]", o) for o in out))))
    return out


class Waypoints(Task):
    """A skid-steered rover drives from point to point.

    Sees: distance over 10 m and direction (ahead, to the left) of this point and the next, speed over 2 m/s, yaw rate
    over 2 rad/s. Does: speed within 2 m/s, yaw rate within 2 rad/s. Earns: metres that it comes nearer, 5 for a point.
    """

    columns = ["rover/x", "rover/y", "rover/yaw", "rover/velocity_x", "rover/yaw_rate"]
    observations = 8
    reach, speed, rate, reward = 0.6, 2.0, 2.0, 5.0
    camera = ("rover", _CHASE)

    def __init__(self, size: float = 8.0, horizon: int | None = None):
        super().__init__(horizon)
        self.size = size

    def world(self) -> World:
        return load(example("learning/waypoints.xml"))

    def allocate(self, lanes: int) -> None:
        self.goal = np.zeros((2, 2, lanes))  # this and the next, x and y
        self.place = np.zeros((2, 3, lanes))  # distance and direction of both
        self.reached = np.zeros(lanes, np.int64)
        self.key = np.zeros((2, lanes))

    def _place(self, which: int, count: Any, lanes: Lanes) -> None:
        """The points of an episode: a function of its key and how many were reached. None is close to the last."""
        one, two = self.key[0, lanes], self.key[1, lanes]
        angle = 2 * np.pi * one + (2.2 + 0.4 * two) * count
        radius = self.size * (0.4 + 0.6 * ((two + 0.618034 * count) % 1.0))
        self.goal[which, 0, lanes], self.goal[which, 1, lanes] = radius * np.cos(angle), radius * np.sin(angle)

    def _look(self, seen: np.ndarray, lanes: Lanes) -> None:
        """Where this point and the next are, for the reward and for what is seen."""
        x, y, yaw = seen[:3]
        for i in (0, 1):
            self.place[i, :, lanes] = _to_goal(x, y, yaw, self.goal[i, :, lanes].T).T

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        self.key[0, lanes], self.key[1, lanes] = draw(), draw()
        self.reached[lanes] = 0
        self._place(0, 0, lanes)
        self._place(1, 1, lanes)
        self._look(seen, lanes)

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action, (self.speed, self.rate), out=command)

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        before = self.place[0, 0].copy()
        x, y, yaw = seen[:3]
        self.place[0], self.place[1] = _to_goal(x, y, yaw, self.goal[0]), _to_goal(x, y, yaw, self.goal[1])
        distance = self.place[0, 0]
        np.subtract(before, distance, out=reward)
        terminated[:] = ended
        if distance.min() < self.reach:
            there = np.flatnonzero(distance < self.reach)
            reward[there] += self.reward
            self.reached[there] += 1
            self.goal[0, :, there] = self.goal[1, :, there]
            self._place(1, self.reached[there] + 1, there)
            self._look(seen[:, there], there)

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        out[:6] = self.place.reshape(6, -1)[:, lanes]
        out[0] *= 0.1
        out[3] *= 0.1
        np.multiply(seen[3], 1 / self.speed, out=out[6])
        np.multiply(seen[4], 1 / self.rate, out=out[7])


class RoughTerrain(Task):
    """A rover on suspensions gets to a place over rough ground without tipping over.

    Sees: distance over 20 m and direction of the place, roll, pitch and their rates, speed, yaw rate. Does: speed within
    3 m/s, yaw rate within 1.5 rad/s. Earns: metres that it comes nearer, less a thousandth of the square of its roll and
    pitch rates, 10 for the place, -10 for tipping over (roll or pitch beyond 60 degrees).
    """

    columns = ["rover/x", "rover/y", "rover/yaw", "rover/velocity_x", "rover/yaw_rate", "rover/roll", "rover/pitch", "rover/roll_rate",
               "rover/pitch_rate"]
    observations = 9
    steps, horizon, reach = 20, 200, 0.8
    limits = {"rover/roll": (-1.05, 1.05), "rover/pitch": (-1.05, 1.05)}
    camera = ("rover", _CHASE)

    def world(self) -> World:
        return load(example("learning/rough_terrain.xml"))

    def allocate(self, lanes: int) -> None:
        self.goal, self.before = np.zeros((2, lanes)), np.zeros(lanes)

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        angle, distance = draw(0, 2 * np.pi), draw(8, 16)
        self.goal[:, lanes] = distance * np.cos(angle), distance * np.sin(angle)
        self.before[lanes] = _to_goal(seen[0], seen[1], seen[2], self.goal[:, lanes])[0]

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action, (3.0, 1.5), out=command[:, ::2])

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        distance = _to_goal(seen[0], seen[1], seen[2], self.goal)[0]
        there = distance < self.reach
        reward[:] = self.before - distance - 1e-3 * (seen[7]**2 + seen[8]**2) + 10.0 * there - 10.0 * ended
        self.before = distance
        np.logical_or(ended, there, out=terminated)

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        distance, out[1], out[2] = _to_goal(seen[0], seen[1], seen[2], self.goal[:, lanes])
        out[0] = distance / 20
        out[3], out[4], out[5], out[6] = seen[5], seen[6], seen[7] / 3, seen[8] / 3
        out[7], out[8] = seen[3] / 3, seen[4] / 1.5


class ObstacleField(Task):
    """A rover with a laser finds its way among posts to a goal 18 m ahead. There are 64 such fields; a lane keeps its own.

    Sees: distance over 20 m and direction of the goal, speed, yaw rate, and 23 ranges of 220 degrees over 8 m, 1 where
    nothing is (before the first sample everywhere). Does: speed -0.5 to 1.5 m/s, yaw rate within 1.5 rad/s. Earns: metres that
    it comes nearer, 10 for the goal, -5 for touching anything.
    """

    columns = ["rover/x", "rover/y", "rover/yaw", "rover/velocity_x", "rover/yaw_rate", "rover/collision", "rover/laser/range"]
    observations = 5 + 23
    horizon, reach = 300, 0.8
    limits = {"rover/collision": (-0.5, 0.5)}
    camera = ("rover", _CHASE)

    def world(self) -> World:
        return load(example("learning/obstacle_field.xml"))

    def change(self, world: World, draw: Callable[[float, float], float]) -> bool:
        for i in range(20):
            # the first is 2.7 m or more from the start, neighbours are 0.15 to 1.35 m apart along x
            world[f"post_{i}.position"] = (3 + 0.75 * i + draw(-0.3, 0.3), draw(-4, 4))
        return True

    def allocate(self, lanes: int) -> None:
        self.goal, self.before = np.zeros((2, lanes)), np.zeros(lanes)

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        self.goal[0, lanes], self.goal[1, lanes] = 19.0, draw(-3, 3)
        self.before[lanes] = _to_goal(seen[0], seen[1], seen[2], self.goal[:, lanes])[0]

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action, (1.0, 1.5), out=command)
        command[:, 0] += 0.5

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        distance = _to_goal(seen[0], seen[1], seen[2], self.goal)[0]
        there = (distance < self.reach) & ~ended
        reward[:] = self.before - distance + 10.0 * there - 5.0 * ended
        self.before = distance
        np.logical_or(ended, there, out=terminated)

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        distance, out[1], out[2] = _to_goal(seen[0], seen[1], seen[2], self.goal[:, lanes])
        out[0] = distance / 20
        out[3], out[4] = seen[3] / 1.5, seen[4] / 1.5
        ranges = seen[6:]
        np.multiply(ranges, 0.125, out=out[5:])
        np.copyto(out[5:], 1.0, where=ranges < 0)


class HmmwvLaneChange(Task):
    """A HMMWV at 15 m/s changes lane and back: 3.5 m to the left or right, by chance, from 30 m on, back from 75 m on.

    Sees: distance from the line and angle to it, the line's offsets 5, 10, 20, 30 and 40 m ahead, speed, yaw rate, sideslip
    angle, roll. Does: steering, -1 to 1, and throttle (positive) or brake. Earns, for each tenth of a second: 1 less the square of
    the distance from the line and a hundredth of the square of what its speed differs from 15 m/s; -10 for leaving the line by
    more than 3 m or rolling over.
    """

    columns = ["hmmwv/x", "hmmwv/y", "hmmwv/yaw", "hmmwv/velocity_x", "hmmwv/yaw_rate", "hmmwv/sideslip_angle", "hmmwv/roll"]
    observations = 11
    steps, horizon = 50, 100
    limits = {"hmmwv/roll": (-0.8, 0.8)}
    camera = ("hmmwv", {"x": -9.0, "z": 4.0, "pitch": 0.25, "fov": "70 deg"})
    ahead = np.array([5.0, 10.0, 20.0, 30.0, 40.0])

    def world(self) -> World:
        return load(example("learning/lane_change.xml"))

    def allocate(self, lanes: int) -> None:
        self.side = np.ones(lanes)

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        self.side[lanes] = np.where(draw() < 0.5, -1.0, 1.0)

    @staticmethod
    def line(x: np.ndarray) -> np.ndarray:
        """The line to follow: its distance to the left over x [m]."""
        def smooth(s: np.ndarray) -> np.ndarray:
            s = np.clip(s, 0, 1)
            return s * s * (3 - 2 * s)
        return 3.5 * (smooth((x - 30) / 25) - smooth((x - 75) / 25))

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        # throttle, brake, steering
        np.maximum(action[:, 1], 0, out=command[:, 0])
        np.maximum(-action[:, 1], 0, out=command[:, 1])
        command[:, 2] = action[:, 0]

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        error = seen[1] - self.side * self.line(seen[0])
        lost = (np.abs(error) > 3) | ended
        reward[:] = 1 - error**2 - 0.01 * (seen[3] - 15)**2 - 10.0 * lost
        terminated[:] = lost

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        side, x = self.side[lanes], seen[0]
        here = side * self.line(x)
        out[0] = seen[1] - here
        out[1] = seen[2] - np.arctan(side * (self.line(x + 0.5) - self.line(x - 0.5)))
        out[2:7] = (side * self.line(x + self.ahead[:, None]) - here) / 3.5
        out[7], out[8], out[9], out[10] = seen[3] / 15 - 1, seen[4], seen[5] * 5, seen[6] * 5


class Swarm(Task):
    """Robots on a circle change places without touching each other.

    Each sees: distance over 8 m and direction of its goal, speed, yaw rate, and of the three nearest robots distance over 4 m and
    direction. Each does: speed within 1 m/s, yaw rate within 2 rad/s. Each earns metres that it comes nearer, less 1 for
    every action after whose last step it touches another; the environment has the mean.
    """

    robots = [f"robot_{i}" for i in range(8)]
    columns = [f"robot_{i}/{name}" for name in ("x", "y", "yaw", "velocity_x", "yaw_rate", "collision") for i in range(8)]
    observations, actions = 8 * 14, 8 * 2
    horizon = 200
    camera = ("robot_0", _CHASE)

    def world(self) -> World:
        return load(example("learning/swarm.xml"))

    def allocate(self, lanes: int) -> None:
        self.goal, self.before, self.earned = np.zeros((2, 8, lanes)), np.zeros((8, lanes)), np.zeros((8, lanes))

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        x, y, yaw = seen.reshape(6, 8, -1)[:3]
        # opposite places, turned by the same random angle for all
        turn = np.pi + draw(-0.6, 0.6)
        self.goal[:, :, lanes] = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
        self.before[:, lanes] = _to_goal(x, y, yaw, self.goal[:, :, lanes])[0]

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action.reshape(-1, 8, 2), (1.0, 2.0), out=command.reshape(-1, 8, 2))

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        x, y, yaw, _, _, touches = seen.reshape(6, 8, -1)
        distance = _to_goal(x, y, yaw, self.goal)[0]
        np.subtract(self.before, distance, out=self.earned)
        self.earned -= touches
        self.before = distance
        np.mean(self.earned, axis=0, out=reward)
        terminated[:] = ended

    def observe(self, seen: np.ndarray, lanes: Lanes, out: np.ndarray) -> None:
        x, y, yaw, speed, rate, _ = seen.reshape(6, 8, -1)
        out = out.reshape(8, 14, -1)
        distance, out[:, 1], out[:, 2] = _to_goal(x, y, yaw, self.goal[:, :, lanes])
        out[:, 0] = distance / 8
        out[:, 3], out[:, 4] = speed, rate / 2
        dx, dy = x[None] - x[:, None], y[None] - y[:, None]  # [self, other, lane]
        apart = np.sqrt(dx * dx + dy * dy)
        apart[np.arange(8), np.arange(8)] = np.inf
        near = np.argpartition(apart, 3, axis=1)[:, :3]
        # in order, so that the same place gives the same numbers
        near = np.take_along_axis(near, np.argsort(np.take_along_axis(apart, near, 1), axis=1, kind="stable"), 1)
        cos, sin = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
        d, ex, ey = (np.take_along_axis(a, near, 1) for a in (apart, dx, dy))
        scale = 1 / np.maximum(d, 1e-9)
        out[:, 5:8], out[:, 8:11], out[:, 11:14] = d / 4, (cos * ex + sin * ey) * scale, (cos * ey - sin * ex) * scale
