# SPDX-License-Identifier: BSD-3-Clause
"""Lanes: a task on a batch. Both forms of an environment, single and vector, stand on it, so that they agree."""
from __future__ import annotations

import copy
from typing import Any, Mapping

import numpy as np

from .. import Batch
from .._native import ffi, lib
from .task import Number, Random, Task

_PICTURE = {"width": 320, "height": 240}


class Sight:
    """What lanes see, by a table of numbers: seen is [number, lane]."""

    def __init__(self, numbers: list[Number], seen: np.ndarray):
        sources = [seen[n.source] if isinstance(n.source, int) else n.source for n in numbers]
        wrong = [i for i, s in enumerate(sources) if s.dtype != np.float64 or s.shape != seen.shape[1:] or s.strides != (8,)]
        if wrong:
            raise ValueError(f"the source of number {wrong[0]} is no row of float64, one for each lane")
        places = [ffi.from_buffer("double[]", s) for s in sources]
        table = ffi.new("rutPythonNumber[]", [(place, n.times, n.over, n.free) for place, n in zip(places, numbers)])
        self._asked = ffi.new("rutPythonSight*", {"numbers": len(numbers), "number": table})
        self._lanes, self._kept = seen.shape[1], (places, table)

    def look(self, out: np.ndarray, lanes: np.ndarray | None = None) -> None:
        """Observations of lanes, all without, into their rows of out [lane, number]."""
        asked = self._asked
        asked.lanes = self._lanes if lanes is None else lanes.size
        asked.lane = ffi.NULL if lanes is None else ffi.from_buffer("int64_t[]", lanes)
        asked.out = ffi.from_buffer("float[]", out)
        lib.rut_python_see(asked)


class Lanes:
    """A batch of a task's world, and the arrays of an environment.

    observation [2][lane, number]  of which the two take turns: one that was returned holds through the next step
    """

    def __init__(self, task: Task, lanes: int, threads: int, picture: bool, randomise: Mapping[str, tuple[float, float]] | None, seed: int):
        # what lanes remember is in the task: one object may be given to several environments
        task = copy.copy(task)
        if task.horizon < 1:
            raise ValueError(f"the horizon is 1 or more, not {task.horizon}")
        self.task, self.lanes = task, lanes
        world = task.world()
        if picture and task.camera[0]:
            # last of its vehicle, so that what others draw stays
            world[task.camera[0]].add("sensor", "camera", "render", period=world.root["timestep"] * task.steps, **{**_PICTURE, **task.camera[1]})
        self.picture = picture
        self.batch = Batch(world, lanes, threads=threads, columns=task.columns)
        draw = Random.of(np.arange(lanes) + seed, np.full(lanes, 1))
        self._give_worlds(seed, {path: draw(low, high) for path, (low, high) in (randomise or {}).items()})
        # columns lie together, so that a column of all lanes is one piece of memory
        self.batch.bind(output=np.zeros((self.batch.output.shape[1], lanes)).T)
        if task.limits:
            self.batch.limits(task.limits)
        self.seen = self.batch.output.T
        self.seed, self.episode = np.zeros(lanes, np.int64), np.full(lanes, -1, np.int64)
        self.elapsed = np.zeros(lanes, np.int64)
        # which copies began last, and their seeds
        self.copies, self.bits = np.zeros(lanes, np.int32), np.zeros(lanes, np.uint64)
        self._episodes = ffi.new("rutPythonEpisodes*", {
            "lanes": lanes, "copy": ffi.from_buffer("int[]", self.copies), "bits": ffi.from_buffer("uint64_t[]", self.bits),
            **{name: ffi.from_buffer("int64_t[]", getattr(self, name)) for name in ("seed", "episode", "elapsed")}})
        self.reward, self.terminated, self.truncated = np.zeros(lanes), np.zeros(lanes, bool), np.zeros(lanes, bool)
        self._over = np.zeros(lanes, np.int64)
        self._flags = [ffi.from_buffer("bool[]", a) for a in (self.terminated, self.truncated)] + [ffi.from_buffer("int64_t[]", self._over)]
        self._observation = [np.zeros((lanes, task.observations), np.float32) for _ in range(2)]
        task.allocate(lanes)
        self._sight = Sight(task.numbers(), self.seen) if type(task).observe is Task.observe else None
        self._numbers = np.zeros((0 if self._sight else task.observations, lanes))

    def _give_worlds(self, seed: int, drawn: Mapping[str, np.ndarray]) -> None:
        """Worlds of their own for lanes, where the task has some, and numbers that were drawn for each."""
        changed = []
        for lane in range(min(self.lanes, self.task.worlds)):
            draw = Random.of(np.array([seed + lane]), np.array([0]))
            world = self.batch.world.copy()
            if not self.task.change(world, lambda low, high, draw=draw: float(draw(low, high)[0])):
                if drawn:
                    self.batch.vary(drawn)
                return
            changed.append(world)
        for lane in range(self.lanes):
            if drawn:
                # Batch.vary would vary the world that all had before
                world = changed[lane % len(changed)].copy()
                world.set({path: float(values[lane]) for path, values in drawn.items()})
                self.batch.set_world(lane, world)
            elif lane < len(changed):
                self.batch.set_world(lane, changed[lane])
            else:
                self.batch.share_world(lane, lane % len(changed))

    def begin(self, lanes: np.ndarray, seeds: np.ndarray | None = None) -> None:
        """Lanes begin an episode: the first of new seeds, or the next of those they have."""
        if seeds is not None:
            self.seed[lanes], self.episode[lanes] = seeds, -1
        keys, seen = self.batch._begin_episodes(self._episodes, lanes)
        # the first number of each key was the seed of its copy
        self.task.start(lanes, Random(keys, 1), seen)

    def advance(self, action: np.ndarray) -> None:
        """An action of all lanes; then reward, terminated and elapsed are new."""
        task, batch = self.task, self.batch
        task.command(action, batch.command)
        batch.step(task.steps)
        self.elapsed += 1
        ended = batch.end != lib.RUT_BATCH_NONE
        task.judge(self.seen, ended, self.reward, self.terminated)

    def over(self) -> np.ndarray:
        """Lanes whose episode has ended with the last action; truncated is new."""
        self._episodes.horizon = self.task.horizon
        return self._over[:lib.rut_python_end(self._episodes, *self._flags)].copy()

    def observe(self) -> np.ndarray:
        """Observations of all lanes as they are now."""
        self._observation.reverse()
        out = self._observation[0]
        if self._sight:
            self._sight.look(out)
        else:
            self.task.observe(self.seen, slice(None), self._numbers)
            np.copyto(out, self._numbers.T, casting="same_kind")
        return out

    def observe_some(self, lanes: np.ndarray, out: np.ndarray) -> None:
        """The same of lanes that have just begun, into their rows of the last observation."""
        if self._sight:
            self._sight.look(out, lanes)
            return
        numbers = np.zeros((self.task.observations, lanes.size))
        self.task.observe(np.take(self.seen, lanes, axis=1), lanes, numbers)
        out[lanes] = numbers.T

    def render(self, lane: int) -> np.ndarray | None:
        """What the camera of a lane sees, [row, column, 3]; black before the first step."""
        vehicle = self.task.camera[0]
        if not self.picture or not vehicle:
            return None
        return self.batch.sim(lane)[f"{vehicle}/render"].colour.copy()

    def close(self) -> None:
        """Give the memory back."""
        self.batch.close()

