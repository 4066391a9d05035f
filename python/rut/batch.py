# SPDX-License-Identifier: BSD-3-Clause
"""Many copies of a world at once: arrays in, arrays out, nothing copied between."""
from __future__ import annotations

import threading
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import rows
from ._native import ffi, lib
from .errors import Error, check, nearest, text
from .memory import Handle, pointer_to
from .simulation import Simulation
from .world import World

_SHAPES = {"linear": lib.RUT_BATCH_LINEAR, "absolute": lib.RUT_BATCH_ABSOLUTE, "square": lib.RUT_BATCH_SQUARE}
_WHEN = {"each": lib.RUT_BATCH_EACH, "last": lib.RUT_BATCH_LAST}
_KINDS = ("vehicle", "wheel", "block", "sensor", "mechanism")


@ffi.def_extern(error=True)
def rut_python_judge(model: Any, data: Any, copy: int, reward: Any, user: Any) -> bool:
    """Ask the judge of the batch whose `user` this is."""
    return bool(ffi.from_handle(user)(copy, reward))


class Batch:
    """Copies of a world: `batch = rut.Batch(world, 1024, columns=["rover/x", "rover/y"])`.

    command [copies, set points]  of all vehicles in order; NaN leaves one as it is. Write into it
    output [copies, columns]  columns after the last step
    last_output  columns of copies that ended in the call, when they did
    reward [copies]  earned in the call
    end [copies]  why a copy ended in the call, 0 if it did not: see `Batch.ENDS`

    These are numpy arrays that rut itself reads and writes. A copy has the bits of the world when it runs alone.
    """

    ENDS = {number: name.removeprefix("RUT_BATCH_").lower() for number, name in ffi.typeof("rutBatchEnd").elements.items()
            if name != "RUT_BATCH_END_COUNT"}

    def __init__(self, world: World, copies: int, *, threads: int = 1, seed: int = 0, horizon: int = 0, restart: bool = False,
                 columns: Iterable[str] = (), apart: bool = False):
        self.world = world
        definition = lib.rut_default_batch()
        definition.copies, definition.workers, definition.seed = copies, threads, seed
        definition.horizon, definition.restart, definition.apart = horizon, restart, apart
        out, error = ffi.new("rutBatch**"), ffi.new("rutError*")
        world.context.drain()
        check(lib.rut_batch_create(world._spec, ffi.addressof(definition), out, error), error, world.context.drain())
        self._handle: Handle | None = Handle(out[0], lib.rut_batch_destroy, world.context.handle)
        self._lock = threading.Lock()
        self._error = error
        self.copies = copies
        self._io = ffi.new("rutBatchIo*")
        self.command = np.full((copies, lib.rut_batch_commands(out[0])), np.nan)
        self.reward, self.end = np.zeros(copies), np.zeros(copies, np.uint8)
        self.output = self.last_output = np.zeros((copies, 0))
        self._slices: dict[str, slice] = {}
        self.columns(columns)

    @property
    def _batch(self) -> Any:
        if self._handle is None:
            raise Error("this batch was closed")
        return self._handle.pointer

    @property
    def _model(self) -> Any:
        return lib.rut_batch_model(self._batch)

    # ---- what goes in and comes out ----

    @property
    def command_names(self) -> list[str]:
        """Names of the columns of `command`: "rover/speed"."""
        names = []
        for i in range(lib.rut_count(self._model, lib.RUT_VEHICLE)):
            info = lib.rut_vehicle_info(self._model, i)
            names += [f"{text(info.name)}/{name}" for name in text(info.command_names).split()]
        return names

    def _range(self, path: str) -> tuple[Any, int]:
        """Where the variable "element/name" is, and how many numbers it has."""
        model, (owner, _, name) = self._model, path.rpartition("/")
        known: list[str] = []
        for kind in _KINDS if owner else ("world",):
            number = rows.KINDS[kind]
            index = lib.rut_find(model, number, owner.encode()) if owner else 0
            for i in range(lib.rut_variables(model, number, index, lib.RUT_OUTPUT) if index >= 0 else 0):
                info = lib.rut_variable(model, number, index, lib.RUT_OUTPUT, i)
                if text(info.name) == name:
                    return (number, index, lib.RUT_OUTPUT, i, 1), info.count
                known.append(f"{owner}/{text(info.name)}" if owner else text(info.name))
        raise Error(f"no variable '{path}'{nearest(path, known)}", element=path)

    def columns(self, columns: Iterable[str]) -> None:
        """Choose the columns of outputs by name, "rover/x", "rover/laser/range". Limits and rewards are removed."""
        chosen = list(columns)
        found = [self._range(path) for path in chosen]
        count = ffi.new("int*")
        ranges = ffi.new("rutVariableRange[]", [where for where, _ in found])
        check(lib.rut_batch_columns(self._batch, len(found), ranges, count, self._error), self._error)
        numbers = ffi.new("int[]", [n for _, n in found])
        self._scratch = np.zeros(max((n for _, n in found), default=1))
        self._rows = ffi.new("rutPythonRows*", {"ranges": len(found), "range": ranges, "numbers": numbers, "scratch": pointer_to(self._scratch)})
        self._kept = (ranges, numbers)
        first, self._slices = 0, {}
        for path, (_, n) in zip(chosen, found):
            self._slices[path] = slice(first, first + n)
            first += n
        self.output, self.last_output = np.zeros((self.copies, first)), np.zeros((self.copies, first))
        self._bind()
        self.read()

    def bind(self, command: np.ndarray | None = None, output: np.ndarray | None = None) -> None:
        """Let rut read commands from, and write outputs to, arrays of yours: float64, of any strides."""
        for name, array in (("command", command), ("output", output)):
            if array is not None:
                if array.dtype != np.float64 or array.shape != getattr(self, name).shape:
                    raise Error(f"{name} must be float64 of shape {getattr(self, name).shape}, not {array.dtype} of {array.shape}")
                setattr(self, name, array)
        self._bind()

    def _bind(self) -> None:
        for name in ("command", "output", "last_output"):
            setattr(self._io, name, self._array(getattr(self, name)))
        self._io.reward, self._io.end = pointer_to(self.reward), pointer_to(self.end, "unsigned char*")

    def _array(self, array: np.ndarray) -> Any:
        strides = [s // 8 for s in array.strides]
        return ffi.new("rutBatchArray*", (pointer_to(array) if array.size else ffi.NULL, *strides))[0]

    def column(self, path: str) -> slice:
        """Columns of a variable in `output`."""
        if path not in self._slices:
            raise Error(f"no column '{path}'{nearest(path, list(self._slices))}")
        return self._slices[path]

    def __getitem__(self, path: str) -> np.ndarray:
        """A variable of all copies, as a view of `output`: [copies], or [copies, numbers]."""
        at = self.column(path)
        return self.output[:, at.start] if at.stop == at.start + 1 else self.output[:, at]

    def _column(self, column: str | int) -> int:
        return column if isinstance(column, int) else self.column(column).start

    def limits(self, limits: Mapping[str | int, tuple[float, float]]) -> None:
        """A copy ends when a column leaves its limits: `batch.limits({"rover/x": (-10, 10)})`."""
        made = ffi.new("rutBatchLimit[]", [(self._column(c), low, high) for c, (low, high) in limits.items()])
        check(lib.rut_batch_limits(self._batch, len(limits), made, self._error), self._error)

    def rewards(self, terms: Iterable[Mapping[str, Any]]) -> None:
        """Terms of the reward: dictionaries of column, weight, and optionally target (0), shape ("linear", "absolute" or
        "square"), when ("each" step, an integral over time, or the "last" of a call)."""
        made = [(self._column(t["column"]), _SHAPES[t.get("shape", "linear")], _WHEN[t.get("when", "each")], t["weight"], t.get("target", 0))
                for t in terms]
        check(lib.rut_batch_reward(self._batch, len(made), ffi.new("rutBatchTerm[]", made), self._error), self._error)

    def judge(self, judge: Callable[[int, Any], bool] | None) -> None:
        """Have a function of Python decide after each step of a copy: `judge(copy, reward)` adds to reward[0] and returns
        whether the copy ends. It takes about a microsecond a step, in one thread at a time."""
        self._judge = None if judge is None else ffi.new_handle(judge)
        self._judged = judge
        lib.rut_batch_judge(self._batch, ffi.NULL if judge is None else lib.rut_python_judge, self._judge or ffi.NULL)

    # ---- stepping ----

    def step(self, steps: int = 1) -> None:
        """Make steps of every copy that has not ended, with `command`; then `output`, `reward` and `end` are new.

        Python's other threads run meanwhile."""
        if not self._lock.acquire(blocking=False):
            raise Error("this batch is in use by another thread")
        try:
            self.end.fill(0)
            status = lib.rut_batch_step(self._batch, steps, self._io, self._error)
            if status:
                check(status, self._error)
        finally:
            self._lock.release()

    def read(self) -> np.ndarray:
        """Columns of all copies as they are now, into `output`."""
        lib.rut_batch_read(self._batch, ffi.new("rutBatchArray*", self._array(self.output)))
        return self.output

    def read_copies(self, copies: Sequence[int] | np.ndarray) -> None:
        """The same of some copies, into their rows of `output`; of few it takes less."""
        chosen = np.ascontiguousarray(copies, np.int32)
        if chosen.size and not (0 <= chosen.min() and chosen.max() < self.copies):
            raise Error(f"copies are 0 to {self.copies - 1}")
        found = np.empty((self.output.shape[1], chosen.size)).T
        self._rows.copies, self._rows.copy = chosen.size, pointer_to(chosen, "int*")
        check(lib.rut_python_rows(self._batch, self._rows, ffi.new("rutBatchArray*", self._array(found))))
        self.output[chosen] = found

    def reset(self, copies: Sequence[int] | np.ndarray | None = None, seeds: Sequence[int] | None = None) -> None:
        """Begin anew: all copies or some, with their next seeds or given ones. `read` then has their columns."""
        chosen = np.arange(self.copies, dtype=np.int32) if copies is None else np.ascontiguousarray(copies, np.int32)
        if chosen.size and not (0 <= chosen.min() and chosen.max() < self.copies):
            raise Error(f"copies are 0 to {self.copies - 1}")
        given = None if seeds is None else np.ascontiguousarray(seeds, np.uint64)
        if given is not None and given.size != chosen.size:
            raise Error(f"{given.size} seeds for {chosen.size} copies")
        lib.rut_batch_reset(self._batch, chosen.size, pointer_to(chosen, "int*"), ffi.NULL if given is None else pointer_to(given, "uint64_t*"))

    def pause(self, copy: int) -> None:
        """Let a copy stand still until it is reset or resumed."""
        lib.rut_batch_pause(self._batch, copy)

    def resume(self, copy: int) -> None:
        """Let a copy that has ended go on."""
        lib.rut_batch_resume(self._batch, copy)

    # ---- worlds and states of copies ----

    def vary(self, values: Mapping[str, Any]) -> None:
        """Give copies parameters of their own [SI]: `batch.vary({"rover/chassis.mass": masses})`. All are reset."""
        table = np.column_stack([np.broadcast_to(np.asarray(v, float), (self.copies,)) for v in values.values()])
        table = np.ascontiguousarray(table)
        paths = [ffi.new("char[]", path.encode()) for path in values]
        array = ffi.new("rutBatchArray*", self._array(table))
        self.world.context.drain()
        check(lib.rut_batch_vary(self._batch, len(paths), ffi.new("const char*[]", paths), array, self._error), self._error,
              self.world.context.drain())

    def set_world(self, copy: int, world: World, seed: int = 0) -> None:
        """Give a copy a world of its own, a copy of the batch's that was changed (`World.copy`)."""
        check(lib.rut_batch_set_world(self._batch, copy, world._spec, seed, self._error), self._error, self.world.context.drain())

    def share_world(self, copy: int, other: int, seed: int = 0) -> None:
        """Give a copy the world that another has, which is not compiled again."""
        check(lib.rut_batch_share_world(self._batch, copy, other, seed, self._error), self._error)

    def adopt(self, sim: Simulation, copies: Sequence[int] | None = None) -> None:
        """Give copies, all or some, the state of a run of this world."""
        chosen = ffi.NULL if copies is None else ffi.new("int[]", list(copies))
        count = 0 if copies is None else len(copies)
        check(lib.rut_batch_adopt(self._batch, count, chosen, sim._model, sim._data, self._error), self._error)

    def copy(self, copy: int) -> dict[str, Any]:
        """What a copy does: end, steps, time [s], seed, episode, in_lanes."""
        info = lib.rut_batch_copy(self._batch, copy)
        found = {name: getattr(info, name) for name, _ in ffi.typeof("rutBatchCopy").fields}
        return {**found, "end": self.ENDS[int(found["end"])]}

    def sim(self, copy: int) -> Simulation:
        """A copy as a simulation, for all that one has. Valid until the next call with this batch."""
        data = lib.rut_batch_data(self._batch, copy)
        if not data:
            raise Error(f"copies are 0 to {self.copies - 1}")
        model = Handle(lib.rut_batch_copy_model(self._batch, copy), None, self._handle)
        return Simulation._of(self.world, model, Handle(data, None, self._handle))

    @property
    def info(self) -> dict[str, Any]:
        """How many copies share lanes, and the reason why others do not: the fields of rutBatchInfo."""
        info = lib.rut_batch_info(self._batch)
        found = {name: getattr(info, name) for name, _ in ffi.typeof("rutBatchInfo").fields}
        return {**found, "why": text(info.why)}

    # ---- predictive control ----

    def rollout(self, sim: Simulation, sequence: np.ndarray, steps: int, end_cost: float = 0) -> np.ndarray:
        """Costs of sequences of set points from the state of a run: minus their rewards.

        sequence [candidates, intervals, set points]  which hold for `steps` steps each
        end_cost  of a candidate that ends early, beside what it has cost; one that diverges costs infinity
        """
        sequence = np.ascontiguousarray(sequence, float)
        candidates, intervals, width = sequence.shape
        if width != self.command.shape[1]:
            raise Error(f"sequences have {width} set points, the world {self.command.shape[1]}: {', '.join(self.command_names)}")
        asked = ffi.new("rutRollout*", (candidates, intervals, steps, pointer_to(sequence), intervals * width, width, 1, end_cost))
        cost = np.empty(candidates)
        check(lib.rut_rollout(self._batch, sim._model, sim._data, asked, pointer_to(cost), self._error), self._error)
        return cost

    # ---- life ----

    def close(self) -> None:
        """Give the memory of the copies back. Arrays stay."""
        self._handle = None

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rut.Batch of {self.copies} copies>"
