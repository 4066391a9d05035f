# SPDX-License-Identifier: BSD-3-Clause
"""Many copies of a world at once: arrays in, arrays out, nothing copied between."""
from __future__ import annotations

import contextlib
import signal
import threading
from _signal import getsignal  # that of signal looks among the names of handlers first, which takes 8 us
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import rows
from ._native import ffi, lib
from .errors import Error, check, nearest, text
from .memory import Handle, alone, callback, pointer_to
from .simulation import Simulation
from .world import World

_SHAPES = {"linear": lib.RUT_BATCH_LINEAR, "absolute": lib.RUT_BATCH_ABSOLUTE, "square": lib.RUT_BATCH_SQUARE}
_WHEN = {"each": lib.RUT_BATCH_EACH, "last": lib.RUT_BATCH_LAST}
_KINDS = ("vehicle", "wheel", "block", "sensor", "mechanism")
# arrays whose memory rut has
_ARRAYS = frozenset(("command", "output", "last_output", "reward", "end"))


@ffi.def_extern(error=True)
def rut_python_judge(model: Any, data: Any, copy: int, reward: Any, user: Any) -> bool:
    """Ask the judge of the batch whose `user` this is; the copy of one that fails ends."""
    judge, failures = ffi.from_handle(user)
    try:
        with callback():
            return bool(judge(copy, reward))
    except BaseException as failure:  # reaches the caller of the step
        failures.append(failure)
        return True


def whole(values: Any, name: str) -> np.ndarray:
    """Whole numbers as an array of int64; anything else is refused, not rounded."""
    found = np.atleast_1d(np.asarray(values))
    if found.size == 0:
        return np.zeros(0, np.int64)
    if found.ndim != 1 or not np.issubdtype(found.dtype, np.integer):
        raise Error(f"{name} are whole numbers in a row, not {found.dtype} of shape {found.shape}")
    return found.astype(np.int64)


def _seeds(values: Any) -> np.ndarray:
    """Seeds, from 0 to 2**64 - 1."""
    if isinstance(values, np.ndarray) and values.dtype == np.uint64:
        return np.ascontiguousarray(values.ravel())
    found = [int(v) if isinstance(v, (int, np.integer)) and not isinstance(v, bool) else -1 for v in np.atleast_1d(np.asarray(values, object)).ravel()]
    if any(not 0 <= v < 2**64 for v in found):
        raise Error("seeds are whole numbers from 0 to 2**64 - 1")
    return np.array(found, np.uint64)


def _interrupted() -> bool:
    """Whether Ctrl-C ends calls of this thread: the main one, where SIGINT has Python's own handler, which raises."""
    return threading.current_thread() is threading.main_thread() and getsignal(signal.SIGINT) is signal.default_int_handler


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
        self._lock = threading.Lock()
        self._generation = 0  # what changes when models or data of copies are destroyed
        self._failures: list[BaseException] = []
        if threads < 0 or horizon < 0:
            raise Error(f"threads and horizon are 0 or more, not {threads} and {horizon}")
        (seed,) = _seeds(seed).tolist()
        definition = lib.rut_default_batch()
        definition.copies, definition.workers, definition.seed = copies, threads, seed
        definition.horizon, definition.restart, definition.apart = horizon, restart, apart
        out, error = ffi.new("rutBatch**"), ffi.new("rutError*")
        world.context.drain()
        with world.context.running():
            check(lib.rut_batch_create(world._spec, ffi.addressof(definition), out, error), error, world.context.drain())
        self._handle: Handle | None = Handle(out[0], lib.rut_batch_destroy, world.context.handle)
        self._error = error
        self.copies = copies
        self._io = ffi.new("rutBatchIo*")
        self._output = ffi.addressof(self._io, "output")
        self.command = np.full((copies, lib.rut_batch_commands(out[0])), np.nan)
        self.reward, self.end = np.zeros(copies), np.zeros(copies, np.uint8)
        self._judge: Any = None
        self.output = self.last_output = np.zeros((copies, 0))
        self._slices: dict[str, slice] = {}
        self.columns(columns)

    def __setattr__(self, name: str, value: Any) -> None:
        # rut keeps their addresses
        if name in _ARRAYS and value is not self.__dict__.get(name, value):
            raise Error(f"write into it, batch.{name}[:] = ...; `bind` lets rut use arrays of yours")
        object.__setattr__(self, name, value)

    def _give(self, **arrays: np.ndarray) -> None:
        """Other arrays for rut."""
        for name, array in arrays.items():
            object.__setattr__(self, name, array)

    def _take(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise Error("this batch is in use by another thread, or by its own step")

    def _release(self) -> None:
        self._lock.release()

    def _copies(self, copies: Any) -> np.ndarray:
        """Indices of copies, given as such or as a mask of all."""
        found = np.asarray(copies)
        if found.dtype.kind == "b":
            if found.shape != (self.copies,):
                raise Error(f"a mask has {self.copies} values, one for each copy, not {found.shape}")
            return np.flatnonzero(found).astype(np.int32)
        chosen = found if found.ndim == 1 and found.dtype.kind == "i" else whole(copies, "copies")
        # below 0 is the largest as a number without a sign
        if chosen.size and chosen.view(f"u{chosen.itemsize}").max() >= self.copies:
            raise Error(f"copies are 0 to {self.copies - 1}")
        return np.ascontiguousarray(chosen, np.int32)

    def _one(self, copy: int) -> int:
        chosen = self._copies(copy)
        if chosen.size != 1:
            raise Error(f"one copy is wanted, not {chosen.size}")
        return int(chosen[0])

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
    @alone
    def command_names(self) -> list[str]:
        """Names of the columns of `command`: "rover/speed"."""
        return self._names()

    def _names(self) -> list[str]:
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

    @alone
    def columns(self, columns: Iterable[str]) -> None:
        """Choose the columns of outputs by name, "rover/x", "rover/laser/range". Limits and rewards are removed."""
        if isinstance(columns, str):
            raise Error(f"columns are a list of names: [{columns!r}]")
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
        self._give(output=np.zeros((self.copies, first)), last_output=np.zeros((self.copies, first)))
        self._bind()
        self._read()

    @alone
    def bind(self, command: np.ndarray | None = None, output: np.ndarray | None = None) -> None:
        """Let rut read commands from, and write outputs to, arrays of yours: float64, of any strides."""
        given = {name: array for name, array in (("command", command), ("output", output)) if array is not None}
        for name, array in given.items():
            wanted = getattr(self, name).shape
            if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.shape != wanted:
                raise Error(f"{name} must be float64 of shape {wanted}, not {getattr(array, 'dtype', type(array).__name__)} of {np.shape(array)}")
            if not array.flags.aligned or any(stride % 8 for stride in array.strides):
                raise Error(f"{name} must lie at multiples of 8 bytes, with strides that are")
            if name == "output" and not array.flags.writeable:
                raise Error("output must be an array that may be written to")
        self._give(**given)
        self._bind()

    def _bind(self) -> None:
        for name in ("command", "output", "last_output"):
            setattr(self._io, name, self._array(getattr(self, name)))
        self._io.reward, self._io.end = pointer_to(self.reward), pointer_to(self.end, "unsigned char*")
        # an array with a second owner cannot be resized in place
        self._bound = tuple(getattr(self, name) for name in _ARRAYS)

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
        if isinstance(column, str):
            at = self.column(column)
            if at.stop != at.start + 1:
                raise Error(f"column '{column}' has {at.stop - at.start} numbers: choose one by its index, {at.start} to {at.stop - 1}")
            return at.start
        if isinstance(column, bool) or not isinstance(column, (int, np.integer)) or not 0 <= column < self.output.shape[1]:
            raise Error(f"columns are names or 0 to {self.output.shape[1] - 1}, not {column!r}")
        return int(column)

    @alone
    def limits(self, limits: Mapping[str | int, tuple[float, float]]) -> None:
        """A copy ends when a column leaves its limits: `batch.limits({"rover/x": (-10, 10)})`."""
        for column, (low, high) in limits.items():
            if not low <= high:
                raise Error(f"limits of column {column!r} are (least, most), not ({low}, {high})")
        made = ffi.new("rutBatchLimit[]", [(self._column(c), low, high) for c, (low, high) in limits.items()])
        check(lib.rut_batch_limits(self._batch, len(limits), made, self._error), self._error)

    @alone
    def rewards(self, terms: Iterable[Mapping[str, Any]]) -> None:
        """Terms of the reward: dictionaries of column, weight, and optionally target (0), shape ("linear", "absolute" or
        "square"), when ("each" step, an integral over time, or the "last" of a call)."""
        made = [self._term(term) for term in terms]
        check(lib.rut_batch_reward(self._batch, len(made), ffi.new("rutBatchTerm[]", made), self._error), self._error)

    def _term(self, term: Mapping[str, Any]) -> tuple[int, int, int, float, float]:
        known = ("column", "weight", "target", "shape", "when")
        for key in term:
            if key not in known:
                raise Error(f"a term of the reward has no '{key}'{nearest(str(key), list(known))}")
        for key in known[:2]:
            if key not in term:
                raise Error(f"a term of the reward needs a {key}")
        chosen = []
        for key, words in (("shape", _SHAPES), ("when", _WHEN)):
            word = term.get(key, next(iter(words)))
            if word not in words:
                raise Error(f"{key} is one of {', '.join(words)}, not {word!r}")
            chosen.append(words[word])
        return self._column(term["column"]), chosen[0], chosen[1], float(term["weight"]), float(term.get("target", 0))

    @alone
    def judge(self, judge: Callable[[int, Any], bool] | None) -> None:
        """Have a function of Python decide after each step of a copy: `judge(copy, reward)` adds to reward[0] and returns
        whether the copy ends. It takes about a microsecond a step, in one thread at a time. `step` raises what it raises.
        It may not call the batch."""
        if judge is not None and not callable(judge):
            raise Error(f"a judge is a function of copy and reward, not {judge!r}")
        before = self._judge
        kept = None if judge is None else (judge, self._failures)
        self._judge = None if kept is None else (kept, ffi.new_handle(kept))
        lib.rut_batch_judge(self._batch, ffi.NULL if kept is None else lib.rut_python_judge, ffi.NULL if kept is None else self._judge[1])
        del before

    # ---- stepping ----

    def step(self, steps: int = 1) -> None:
        """Make steps of every copy that has not ended, with `command`; then `output`, `reward` and `end` are new.

        Python's other threads run meanwhile. Ctrl-C and `stop` end it: each copy then stands at a whole number of steps."""
        self._take()
        try:
            if self._judge is None and not self.world.context.calls:
                self._step(steps)
            else:
                with self._calling():
                    self._step(steps)
        finally:
            self._release()

    def _step(self, steps: int) -> None:
        self.end.fill(0)
        step = lib.rut_python_step_batch if _interrupted() else lib.rut_batch_step
        status = step(self._batch, steps, self._io, self._error)
        if status:
            check(status, self._error)

    def stop(self) -> None:
        """End the `step` or `rollout` that is at hand in another thread, which raises rut.Stopped; without one, the next."""
        handle = self._handle  # which keeps the batch meanwhile
        if handle is None:
            raise Error("this batch was closed")
        lib.rut_batch_stop(handle.pointer)

    @contextlib.contextmanager
    def _calling(self) -> Iterator[None]:
        """A call that runs controllers and the judge; it raises what these have raised."""
        with self.world.context.running():
            self._failures.clear()
            try:
                yield
            finally:
                failures = self._failures[:]
                self._failures.clear()
                if failures:
                    raise failures[0]

    @alone
    def read(self) -> np.ndarray:
        """Columns of all copies as they are now, into `output`."""
        return self._read()

    def _read(self) -> np.ndarray:
        lib.rut_batch_read(self._batch, ffi.new("rutBatchArray*", self._array(self.output)))
        return self.output

    @alone
    def read_copies(self, copies: Sequence[int] | np.ndarray) -> None:
        """The same of some copies, into their rows of `output`; of few it takes less."""
        self._read_copies(self._copies(copies))

    def _read_copies(self, chosen: np.ndarray) -> None:
        self._rows.copies, self._rows.copy, self._rows.apart = chosen.size, ffi.from_buffer("int[]", chosen), ffi.NULL
        check(lib.rut_python_rows(self._batch, self._rows, self._output))

    @alone
    def reset(self, copies: Sequence[int] | np.ndarray | None = None, seeds: Sequence[int] | np.ndarray | None = None, read: bool = False) -> None:
        """Begin anew: all copies or some (indices or a mask), with their next seeds or given ones. `read` then has their columns;
        with `read=True` their rows of `output` have them at once."""
        chosen = np.arange(self.copies, dtype=np.int32) if copies is None else self._copies(copies)
        given = None if seeds is None else _seeds(seeds)
        if given is not None and given.size != chosen.size:
            raise Error(f"{given.size} seeds for {chosen.size} copies")
        with self.world.context.running():
            lib.rut_batch_reset(self._batch, chosen.size, ffi.from_buffer("int[]", chosen), ffi.NULL if given is None else ffi.from_buffer("uint64_t[]", given))
        if read:
            self._read_copies(chosen)

    @alone
    def _begin_episodes(self, episodes: Any, lanes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For rut.gym: copies begin the next of their episodes; keys of their random numbers and their columns [number, copy]."""
        n = lanes.size
        keys, seen = np.empty(n, np.uint64), np.empty((self.output.shape[1], n))
        asked = ffi.from_buffer("int64_t[]", lanes), ffi.from_buffer("uint64_t[]", keys), ffi.from_buffer("double[]", seen)
        with self.world.context.running():
            check(lib.rut_python_begin(self._batch, episodes, self._rows, self._output, n, *asked))
        return keys, seen

    @alone
    def pause(self, copy: int) -> None:
        """Let a copy stand still until it is reset or resumed."""
        lib.rut_batch_pause(self._batch, self._one(copy))

    @alone
    def resume(self, copy: int) -> None:
        """Let a copy that has ended go on."""
        lib.rut_batch_resume(self._batch, self._one(copy))

    # ---- worlds and states of copies ----

    @alone
    def vary(self, values: Mapping[str, Any]) -> None:
        """Give copies parameters of their own [SI]: `batch.vary({"rover/chassis.mass": masses})`. All are reset.

        They are parameters of the batch's world: worlds of `set_world` are gone after it."""
        if not values:
            raise Error("nothing to vary: a dictionary of paths and numbers is wanted")
        table = np.column_stack([np.broadcast_to(np.asarray(v, float), (self.copies,)) for v in values.values()])
        table = np.ascontiguousarray(table)
        paths = [ffi.new("char[]", path.encode()) for path in values]
        array = ffi.new("rutBatchArray*", self._array(table))
        self.world.context.drain()
        self._generation += 1
        with self.world.context.running():
            check(lib.rut_batch_vary(self._batch, len(paths), ffi.new("const char*[]", paths), array, self._error), self._error,
                  self.world.context.drain())

    @alone
    def set_world(self, copy: int, world: World, seed: int = 0) -> None:
        """Give a copy a world of its own, a copy of the batch's that was changed (`World.copy`)."""
        if world.context is not self.world.context:
            raise Error("this world is not a copy of the batch's: make it by World.copy")
        copy, (seed,) = self._one(copy), _seeds(seed).tolist()
        self._generation += 1
        with self.world.context.running():
            check(lib.rut_batch_set_world(self._batch, copy, world._spec, seed, self._error), self._error, self.world.context.drain())

    @alone
    def share_world(self, copy: int, other: int, seed: int = 0) -> None:
        """Give a copy the world that another has, which is not compiled again."""
        copy, other, (seed,) = self._one(copy), self._one(other), _seeds(seed).tolist()
        self._generation += 1
        check(lib.rut_batch_share_world(self._batch, copy, other, seed, self._error), self._error)

    @alone
    def adopt(self, sim: Simulation, copies: Sequence[int] | np.ndarray | None = None) -> None:
        """Give copies, all or some, the state of a run of this world."""
        chosen = None if copies is None else self._copies(copies)
        if chosen is not None and not chosen.size:
            return
        where = ffi.NULL if chosen is None else pointer_to(chosen, "int*")
        with sim._held(self):
            check(lib.rut_batch_adopt(self._batch, 0 if chosen is None else chosen.size, where, sim._model, sim._data, self._error), self._error)

    @alone
    def copy(self, copy: int) -> dict[str, Any]:
        """What a copy does: end, steps, time [s], seed, episode, in_lanes."""
        info = lib.rut_batch_copy(self._batch, self._one(copy))
        found = {name: getattr(info, name) for name, _ in ffi.typeof("rutBatchCopy").fields}
        return {**found, "end": self.ENDS[int(found["end"])]}

    @alone
    def sim(self, copy: int) -> Simulation:
        """A copy as a simulation, for all that one has but logs. Valid until the next call with this batch.

        Samples of its sensors are copies. After `vary`, `set_world`, `share_world` or `close` it raises an error."""
        copy = self._one(copy)
        data = lib.rut_batch_data(self._batch, copy)
        model = Handle(lib.rut_batch_copy_model(self._batch, copy), None, self._handle)
        return Simulation._of(self, model, Handle(data, None, self._handle))

    @property
    @alone
    def info(self) -> dict[str, Any]:
        """How many copies share lanes, and the reason why others do not: the fields of rutBatchInfo."""
        info = lib.rut_batch_info(self._batch)
        found = {name: getattr(info, name) for name, _ in ffi.typeof("rutBatchInfo").fields}
        return {**found, "why": text(info.why)}

    # ---- predictive control ----

    @alone
    def rollout(self, sim: Simulation, sequence: np.ndarray, steps: int, end_cost: float = 0) -> np.ndarray:
        """Costs of sequences of set points from the state of a run: minus their rewards.

        sequence [candidates, intervals, set points]  which hold for `steps` steps each
        end_cost  of a candidate that ends early, beside what it has cost; one that diverges costs infinity
        """
        sequence = np.ascontiguousarray(sequence, float)
        if sequence.ndim != 3:
            raise Error(f"sequences are [candidates, intervals, set points], not of shape {sequence.shape}")
        candidates, intervals, width = sequence.shape
        if width != self.command.shape[1]:
            raise Error(f"sequences have {width} set points, the world {self.command.shape[1]}: {', '.join(self._names())}")
        asked = ffi.new("rutRollout*", (candidates, intervals, steps, pointer_to(sequence), intervals * width, width, 1, end_cost))
        cost = np.empty(candidates)
        with sim._held(self), self._calling():
            run = lib.rut_python_rollout if _interrupted() else lib.rut_rollout
            check(run(self._batch, sim._model, sim._data, asked, pointer_to(cost), self._error), self._error)
        return cost

    # ---- life ----

    @alone
    def close(self) -> None:
        """Give the memory of the copies back. Arrays stay."""
        self._generation += 1
        self._handle = None

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rut.Batch of {self.copies} copies>"
