# SPDX-License-Identifier: BSD-3-Clause
"""One run of a world."""
from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from . import rows
from ._native import ffi, lib
from .elements import KINDS, Block, Element, Mechanism, Sensor, Vehicle, Wheel, record_type
from .errors import Error, check, nearest, text
from .memory import Handle, alone, pointer_to, view
from .world import World

if TYPE_CHECKING:
    from .batch import Batch
    from .page import Page

# steps between two looks for Ctrl-C: the first, the most, and how long they shall take [s]
_FIRST_STEPS, _MOST_STEPS, _LOOK_TIME = 64, 20000, 0.05


class Simulation:
    """A run of a world: `with world.start(seed=1) as sim: sim.step(1000)`.

    Other threads may run other simulations, of the same world too: no call that takes long holds Python's lock.
    A simulation itself is for one thread at a time.
    """

    def __init__(self, world: World, seed: int = 0):
        self.world = world
        model = world.compile()
        with world.context.running():
            data = lib.rut_data_create(model.pointer)
        if not data:
            raise Error("out of memory", status="MEMORY")
        self._begin(world, model, Handle(data, lib.rut_data_destroy, model))
        self.reset(seed)

    def _begin(self, world: World, model: Handle, handle: Handle) -> None:
        self.world, self._model_handle, self._open = world, model, handle
        self._batch: Batch | None = None  # whose copy it is
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int, str], dict[str, rows.Variable]] = {}
        self._log: Any = None
        self._inputs: Any = None

    @classmethod
    def _of(cls, batch: Batch, model: Handle, handle: Handle) -> Simulation:
        """A simulation over a copy of a batch."""
        sim = cls.__new__(cls)
        sim._begin(batch.world, model, handle)
        sim._batch, sim._generation = batch, batch._generation
        return sim

    def _lent(self) -> None:
        """Raise where rut has destroyed what belongs to a batch."""
        if self._batch is not None and self._generation != self._batch._generation:
            raise Error("this copy of a batch is gone: its worlds have changed or it was closed; take `batch.sim` anew")

    # ---- life ----

    @property
    def _handle(self) -> Handle:
        if self._open is None:
            raise Error("this simulation was closed")
        self._lent()
        return self._open

    @property
    def _model(self) -> Any:
        self._lent()
        return self._model_handle.pointer

    def _view(self, pointer: Any, shape: tuple[int, ...], dtype: np.dtype[Any], strides: tuple[int, ...] | None = None) -> np.ndarray:
        """A view of memory of this simulation; of a copy of a batch, which may destroy it, a copy."""
        found = view(self._handle, pointer, shape, dtype, strides)
        if self._batch is not None:
            found = found.copy()
            found.flags.writeable = False
        return found

    @property
    def _data(self) -> Any:
        return self._handle.pointer

    @contextlib.contextmanager
    def _held(self, batch: Batch | None = None) -> Iterator[None]:
        """Nobody else uses it, nor the batch that it belongs to; `batch` is held already."""
        self._take(batch)
        try:
            yield
        finally:
            self._release(batch)

    def _take(self, batch: Batch | None = None) -> None:
        if not self._lock.acquire(blocking=False):
            raise Error("this simulation is in use by another thread, or by its own step")
        if self._batch is not None and self._batch is not batch:
            try:
                self._batch._take()
            except Error:
                self._lock.release()
                raise

    def _release(self, batch: Batch | None = None) -> None:
        if self._batch is not None and self._batch is not batch:
            self._batch._release()
        self._lock.release()

    @alone
    def close(self) -> None:
        """End logs and give memory back, once no view of it is left. Closing twice does nothing."""
        log, self._log, self._inputs, self._open = self._log, None, None, None
        if log is not None:
            error = ffi.new("rutError*")
            check(lib.rut_log_close(log, error), error)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_log", None) is not None:
            lib.rut_log_close(self._log, ffi.NULL)

    # ---- time ----

    @alone
    def reset(self, seed: int = 0) -> None:
        """Back to time 0, with noise from a seed."""
        if not 0 <= seed < 2**64:
            raise Error(f"seeds are 0 to 2**64 - 1, not {seed}")
        with self.world.context.running():
            lib.rut_data_reset(self._model, self._data, seed)
        self._seed = seed
        if self._inputs is not None:
            lib.rut_inputs_rewind(self._inputs)

    def step(self, steps: int = 1) -> None:
        """Make steps of the world's time step. Python's other threads run meanwhile.

        Raises rut.Diverged where the state is no longer finite, and what a controller in Python raises.
        """
        data, context = self._handle, self.world.context
        if steps < 0:
            raise Error(f"steps must be 0 or more, not {steps}")
        error = ffi.new("rutError*")
        run = ffi.new("rutPythonRun*", {"inputs": self._inputs or ffi.NULL, "log": self._log or ffi.NULL, "stop": context.stop})
        self._take()
        try:
            if not context.calls:
                self._run(run, steps, data, error)
            else:
                with context.running():
                    self._run(run, steps, data, error)
        finally:
            self._release()

    def _run(self, run: Any, steps: int, data: Handle, error: Any) -> None:
        model, failures, most = self._model, self.world.context.failures, _FIRST_STEPS
        while steps > 0 and not failures:
            run.steps = min(steps, most)
            begin = time.monotonic()
            status = lib.rut_python_run(model, data.pointer, run, error)
            if status:
                check(status, error)
            steps -= run.steps
            # Python looks for signals here
            quick = time.monotonic() - begin < _LOOK_TIME
            most = min(2 * most, _MOST_STEPS) if quick else max(most // 2, 1)

    def run(self, until: float) -> None:
        """Make steps up to a time [s], to the nearest step."""
        self.step(max(0, round(until / self.timestep) - self.steps))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return lib.rut_time(self._data)

    @property
    def steps(self) -> int:
        """Steps made since the reset."""
        return lib.rut_steps(self._data)

    @property
    def timestep(self) -> float:
        """Of a step [s]."""
        return lib.rut_model_timestep(self._model)

    # ---- elements ----

    def _rows(self, kind: str, index: int, role: str) -> dict[str, rows.Variable]:
        """Variables of an element by name; they are those of the model and are read once."""
        key = (kind, index, role)
        if key not in self._known:
            number, which = rows.KINDS[kind], rows.ROLES[role]
            found = {}
            for i in range(lib.rut_variables(self._model, number, index, which)):
                row = rows.variable(lib.rut_variable(self._model, number, index, which, i), i)
                # two parts of an element may have one name: the second is "part.name"
                found[row.name if row.name not in found else f"{row.part}.{row.name}"] = row
            self._known[key] = found
        return self._known[key]

    def _all(self, kind: str) -> list[Any]:
        return [KINDS[kind](self, i) for i in range(lib.rut_count(self._model, rows.KINDS[kind]))]

    def _find(self, kind: str, name: str) -> int:
        return lib.rut_find(self._model, rows.KINDS[kind], name.encode())

    @property
    def vehicles(self) -> list[Vehicle]:
        """All vehicles."""
        return self._all("vehicle")

    @property
    def sensors(self) -> list[Sensor]:
        """All sensors."""
        return self._all("sensor")

    @property
    def blocks(self) -> list[Block]:
        """All blocks: crates, walls, actors."""
        return self._all("block")

    @property
    def mechanisms(self) -> list[Mechanism]:
        """All mechanisms."""
        return self._all("mechanism")

    def vehicle(self, name: str | None = None) -> Vehicle:
        """A vehicle by name; without one, the first."""
        index = self._find("vehicle", name) if name is not None else 0
        if index < 0 or not lib.rut_count(self._model, lib.RUT_VEHICLE):
            raise Error(f"no vehicle '{name or ''}'{nearest(name or '', [v.name for v in self.vehicles])}", element=name or "")
        return Vehicle(self, index)

    def sensor(self, name: str) -> Sensor:
        """A sensor by name, "vehicle/sensor"."""
        index = self._find("sensor", name)
        if index < 0:
            raise Error(f"no sensor '{name}'{nearest(name, [s.name for s in self.sensors])}", element=name)
        return Sensor(self, index)

    def __getitem__(self, path: str) -> Any:
        """An element by name, "hmmwv", "hmmwv/front_left", "hmmwv/lidar"; or a variable of one, "hmmwv/speed"."""
        found = self._element(path)
        if found is not None:
            return found
        owner, slash, name = path.rpartition("/")
        element = self._element(owner) if slash else Element(self)
        if element is None or name not in element.variables:
            names = [e.name for kind in KINDS if kind != "world" for e in self._all(kind)]
            names += [f"{owner}/{v}" if owner else v for v in (element.variables if element is not None else ())]
            raise Error(f"no element or variable '{path}'{nearest(path, names)}", element=path)
        return element.read(name)

    def _element(self, name: str) -> Element | None:
        for kind, made in KINDS.items():
            index = self._find(kind, name) if name and kind != "world" else -1
            if index >= 0:
                return made(self, index)
        return None

    def __iter__(self) -> Iterator[Vehicle]:
        return iter(self.vehicles)

    # ---- what there is at present ----

    @property
    def state(self) -> np.ndarray:
        """States of all vehicles as records, one for each: `sim.state["position"]`, the fields of rutVehicleState."""
        count = lib.rut_count(self._model, lib.RUT_VEHICLE)
        out = np.empty(count, record_type(ffi.typeof("rutVehicleState")))
        memory = ffi.cast("rutVehicleState*", out.ctypes.data)
        for i in range(count):
            memory[i] = lib.rut_vehicle_state(self._model, self._data, i)
        return out

    @property
    def contacts(self) -> np.ndarray:
        """Contacts of the last step as records, a view: the fields of rutContact. Kind -1 is the fixed world."""
        count = ffi.new("int*")
        first = lib.rut_contacts(self._model, self._data, count)
        kind = ffi.typeof("rutContact")
        flat = self._view(first, (count[0] * ffi.sizeof(kind),), np.dtype("u1"))
        return flat.view(record_type(kind))

    def terrain_height(self, x: Any, y: Any, below: float = 1e9) -> np.ndarray:
        """Height of the ground at points [m], with ruts: the highest below a height. NaN off all ground."""
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        points = [np.ascontiguousarray(v).ravel() for v in (x, y)]
        limit, z, slope = np.full(x.size, below), np.empty(x.size), np.empty((2, x.size))
        at = ffi.new("rutGroundPoints*", (x.size, pointer_to(points[0]), pointer_to(points[1])))
        out = ffi.new("rutGroundSurface*", (pointer_to(z), pointer_to(slope[0]), pointer_to(slope[1])))
        with self.world.context.running():
            lib.rut_terrain_surface(self._model, self._data, at, pointer_to(limit), out)
        return z.reshape(x.shape)

    @alone
    def save(self) -> bytes:
        """The whole state, to go on from later: `sim.restore(saved)`."""
        out = bytearray(lib.rut_state_size(self._model, self._data, lib.RUT_STATE_ALL))
        check(lib.rut_state_get(self._model, self._data, lib.RUT_STATE_ALL, ffi.from_buffer(out), len(out)))
        return bytes(out)

    @alone
    def restore(self, saved: bytes) -> None:
        """Go on from a state that `save` gave, of this world."""
        check(lib.rut_state_set(self._model, self._data, lib.RUT_STATE_ALL, ffi.from_buffer(saved), len(saved)))
        if self._log is not None:
            lib.rut_log_jump(self._log)
        if self._inputs is not None:
            # the next step takes the rows up to the time that was restored
            lib.rut_inputs_rewind(self._inputs)

    @property
    def hash(self) -> str:
        """Hash of all that the future depends on, as `rut run` prints it."""
        return f"{lib.rut_state_hash(self._model, self._data):016x}"

    # ---- beside the steps ----

    @property
    def _spec(self) -> Any:
        """The world that was compiled, which may have been edited since."""
        kept: Any = self._model_handle.keep
        return kept.pointer if kept is not None else self.world._spec

    def view(self, **arguments: Any) -> Page:
        """The viewer's page of the world of this run, with its seed, from time 0: a run of its own, not this one. Arguments as of `World.view`."""
        if self._batch is not None:
            raise Error("a copy of a batch has no page: its world has one")
        from .page import Page
        self._data  # an error once it is closed
        return Page(self._spec, self.world.context, **{"seed": self._seed, **arguments})

    @alone
    def record(self, path: str | os.PathLike[str], rate: float = 0, seed: int = 0) -> None:
        """Write a log in MCAP from here on, at a rate [Hz] (0: one that costs little). `close` ends it."""
        if self._log is not None:
            raise Error("this simulation has a log already")
        if self._batch is not None:
            raise Error("a copy of a batch has no log: a simulation of its world with its seed has the same bits")
        definition = lib.rut_default_log()
        definition.rate, definition.spec, definition.seed = rate, self._spec, seed
        out, error = ffi.new("rutLog**"), ffi.new("rutError*")
        check(lib.rut_log_create(self._model, os.fsencode(path), ffi.addressof(definition), out, error), error)
        self._log = out[0]
        check(lib.rut_log_step(self._log, self._model, self._data, error), error)

    @alone
    def inputs(self, path: str | os.PathLike[str], interpolate: bool = False) -> None:
        """Take set points over time from a CSV table, as `rut run --inputs` does."""
        out, error = ffi.new("rutInputs**"), ffi.new("rutError*")
        check(lib.rut_inputs_load(self._model, os.fsencode(path), out, error), error)
        self._inputs = ffi.gc(out[0], lib.rut_inputs_destroy)
        if interpolate:
            check(lib.rut_inputs_interpolate(self._inputs, self._model))

    def _repr_html_(self) -> str:
        from .picture import simulation_html
        return simulation_html(self)

    def __repr__(self) -> str:
        if self._open is None:
            return "<rut.Simulation, closed>"
        return f"<rut.Simulation at {self.time:g} s: {', '.join(v.name for v in self.vehicles[:5])}>"
