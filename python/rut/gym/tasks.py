# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of rut.gym."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .. import World, example, load
from .._native import ffi, lib
from .task import Draw, Lanes, Number, Task

_CHASE = {"x": -3.0, "z": 2.0, "pitch": 0.4, "fov": "80 deg"}


class _Places:
    """Where goals are from vehicles. Tasks with them see x, y and yaw of all vehicles first.

    goal [goals, x and y, vehicles, lanes]
    place [goals, 3, vehicles, lanes]  distance [m] and direction in the vehicle's axes, ahead and to the left
    """

    def __init__(self, lanes: int, vehicles: int = 1, goals: int = 1):
        self.goal, self.place = np.zeros((goals, 2, vehicles, lanes)), np.zeros((goals, 3, vehicles, lanes))
        self._heading, self._vehicles = np.zeros((2, vehicles, lanes)), vehicles
        self._asked = ffi.new("rutPythonGoals*", {
            "capacity": lanes, "vehicles": vehicles, "goals": goals, "goal": _numbers(self.goal), "place": _numbers(self.place),
            "heading": _numbers(self._heading)})

    def ask(self, seen: np.ndarray, lanes: Lanes) -> Any:
        """What is asked of some lanes, whose columns seen has without gaps; both must outlive the call."""
        asked, numbers, count = self._asked, _numbers(seen), seen.shape[1]
        rows = self._vehicles * count
        asked.lanes, asked.x, asked.y, asked.yaw = count, numbers, numbers + rows, numbers + 2 * rows
        asked.lane = ffi.NULL if isinstance(lanes, slice) else ffi.from_buffer("int64_t[]", lanes)
        return asked[0]

    def look(self, seen: np.ndarray, lanes: Lanes) -> None:
        """New places for vehicles of some lanes."""
        self.ask(seen, lanes)
        lib.rut_python_goals(self._asked)


def _numbers(array: np.ndarray) -> Any:
    """Pointer to numbers that lie together."""
    return ffi.from_buffer("double[]", array)


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
        # of this point and the next
        places = _Places(lanes, goals=2)
        self.goal, self.place = places.goal[:, :, 0], places.place.reshape(6, lanes)
        self.reached = np.zeros(lanes, np.int64)
        self.key = np.zeros((2, lanes))
        self._places = places
        self._course = ffi.new("rutPythonCourse*", {
            "goal": _numbers(places.goal), "key": _numbers(self.key), "reached": ffi.from_buffer("int64_t[]", self.reached)})

    def _ask(self, seen: np.ndarray, lanes: Lanes) -> Any:
        """What is asked of the course; seen and lanes must outlive the call."""
        asked = self._course
        asked.size, asked.reach, asked.prize = self.size, self.reach, self.reward
        asked.places = self._places.ask(seen, lanes)
        return asked

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        drawn = _numbers(draw()), _numbers(draw())
        lib.rut_python_course_begin(self._ask(seen, lanes), drawn)

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action[:, 0], self.speed, out=command[:, 0])
        np.multiply(action[:, 1], self.rate, out=command[:, 1])

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        lib.rut_python_course_go(self._ask(seen, slice(None)), _numbers(reward))
        np.copyto(terminated, ended)

    def numbers(self) -> list[Number]:
        places = [Number(row, 1.0 if i % 3 else 0.1) for i, row in enumerate(self.place)]
        return [*places, Number(3, 1 / self.speed), Number(4, 1 / self.rate)]


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
        self.places = _Places(lanes)
        self.goal, self.place = self.places.goal[0, :, 0], self.places.place[0, :, 0]

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        angle, distance = draw(0, 2 * np.pi), draw(8, 16)
        self.goal[:, lanes] = distance * np.cos(angle), distance * np.sin(angle)
        self.places.look(seen, lanes)

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action, (3.0, 1.5), out=command[:, ::2])

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        before, distance = self.place[0].copy(), self.place[0]
        self.places.look(seen, slice(None))
        there = distance < self.reach
        reward[:] = before - distance - 1e-3 * (seen[7]**2 + seen[8]**2) + 10.0 * there - 10.0 * ended
        np.logical_or(ended, there, out=terminated)

    def numbers(self) -> list[Number]:
        distance, ahead, left = self.place
        return [Number(distance, over=20), Number(ahead), Number(left), Number(5), Number(6), Number(7, over=3), Number(8, over=3),
                Number(3, over=3), Number(4, over=1.5)]


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
        self.places = _Places(lanes)
        self.goal, self.place = self.places.goal[0, :, 0], self.places.place[0, :, 0]

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        self.goal[0, lanes], self.goal[1, lanes] = 19.0, draw(-3, 3)
        self.places.look(seen, lanes)

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        np.multiply(action, (1.0, 1.5), out=command)
        command[:, 0] += 0.5

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        before, distance = self.place[0].copy(), self.place[0]
        self.places.look(seen, slice(None))
        there = (distance < self.reach) & ~ended
        reward[:] = before - distance + 10.0 * there - 5.0 * ended
        np.logical_or(ended, there, out=terminated)

    def numbers(self) -> list[Number]:
        distance, ahead, left = self.place
        ranges = [Number(6 + i, 0.125, free=True) for i in range(23)]
        return [Number(distance, over=20), Number(ahead), Number(left), Number(3, over=1.5), Number(4, over=1.5), *ranges]


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
        self.places, self.earned = _Places(lanes, vehicles=8), np.zeros((8, lanes))
        self.goal, self.place = self.places.goal[0], self.places.place[0]
        self.near = np.zeros((8, 9, lanes))
        self._swarm = ffi.new("rutPythonSwarm*", {"near": _numbers(self.near), "earned": _numbers(self.earned)})

    def _ask(self, seen: np.ndarray, lanes: Lanes) -> Any:
        """What is asked of the swarm; seen and lanes must outlive the call."""
        asked = self._swarm
        asked.places = self.places.ask(seen, lanes)
        asked.touches = _numbers(seen) + 40 * seen.shape[1]
        return asked

    def start(self, lanes: Lanes, draw: Draw, seen: np.ndarray) -> None:
        x, y = seen.reshape(6, 8, -1)[:2]
        # opposite places, turned by the same random angle for all
        turn = np.pi + draw(-0.6, 0.6)
        self.goal[:, :, lanes] = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
        lib.rut_python_swarm_look(self._ask(seen, lanes))

    def command(self, action: np.ndarray, command: np.ndarray) -> None:
        command[:, ::2] = action[:, ::2]
        np.multiply(action[:, 1::2], 2.0, out=command[:, 1::2])

    def judge(self, seen: np.ndarray, ended: np.ndarray, reward: np.ndarray, terminated: np.ndarray) -> None:
        lib.rut_python_swarm_go(self._ask(seen, slice(None)), _numbers(reward))
        np.copyto(terminated, ended)

    def numbers(self) -> list[Number]:
        found = []
        for robot in range(8):
            distance, ahead, left = self.place[:, robot]
            found += [Number(distance, over=8), Number(ahead), Number(left), Number(24 + robot), Number(32 + robot, 0.5)]
            found += [Number(row, 0.25 if i < 3 else 1.0) for i, row in enumerate(self.near[robot])]
        return found
