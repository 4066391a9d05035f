# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of your own: in Python, to try things, or in compiled code by its address, to be fast."""
from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._native import ffi, lib
from .errors import Error, check
from .memory import DTYPES, callback

if TYPE_CHECKING:
    from .world import Context

# First rows of every controller, RUT_CONTROLLER_ROWS of rut/component.h, are taken from one that rut has.
_HEAD = [name for name, _ in ffi.typeof("rutControllerHead").fields]
_USES = {"motion": lib.RUT_USES_MOTION, "pose": lib.RUT_USES_POSE, "contact": lib.RUT_USES_CONTACT, "pitch": lib.RUT_USES_PITCH}
# what a controller may see of its vehicle, with the dimension before that of lanes
_SEEN = {"vx": 0, "vy": 0, "yaw_rate": 0, "odo_speed": 0, "odo_rate": 0, "pitch": 0, "roll": 0, "yaw": 0, "position": 3, "speed": -1,
         "steer": -1, "load": -1}

# which controller a type number means: a table of handles, with nothing that a run depends on
_numbers = itertools.count(1)
_by_number: weakref.WeakValueDictionary[int, Controller] = weakref.WeakValueDictionary()


def _array(pointer: Any, *shape: int, dtype: str = "f8") -> np.ndarray:
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(ffi.buffer(ffi.cast("char*", pointer), count), dtype).reshape(shape)


def _input(pointer: Any, *shape: int, dtype: str = "f8") -> np.ndarray:
    found = _array(pointer, *shape, dtype=dtype).copy()
    found.flags.writeable = False
    return found


class Seen:
    """What a controller sees in an update and what it answers, arrays over lanes: vehicles that step together.

    Arrays are copies, which may be kept; answers are taken when the update returns.

    param  its fields by name
    command  set points by name, [lane]
    reading  inputs from sensors by name, [lane] or [number, lane]
    vx, yaw_rate, odo_speed, ... [lane], speed, steer [wheel, lane]  as in rutControlIn; None unless `uses` names it
    demand [demand, lane]  torques that it asks the drive for [N m]; write into it
    steer_angle [lane]  of the equivalent single front wheel [rad]; write into it
    brake [lane]  0 to 1; write into it. None for planar vehicles
    output [number, lane]  in the order of its outputs; write into it
    state [number, lane]  kept from step to step; may be changed
    """

    def __init__(self, controller: Controller, param: Any, layout: Any, seen: Any, state: Any, out: Any):
        lanes = self.lanes = seen.lanes
        self._inputs = len(controller.input)
        self.dt, self.step, self.wheels = seen.dt, seen.step, layout.wheels
        self.layout, self._in = layout, seen
        self._answers: list[tuple[str, np.ndarray]] = []
        values = ffi.cast("const double*", param)
        self.param = {name: values[controller._first + i] for i, name in enumerate(controller.fields)}
        command = _input(seen.command, len(controller.command), lanes) if controller.command else []
        self.command = dict(zip(controller.command, command))
        none = np.zeros((0, lanes))
        self.state = self._answer("state", state, len(controller.state), lanes) if controller.state else none
        self.demand = self._answer("demand", out.demand, seen.demands, lanes) if out.demand else None
        self.steer_angle = self._answer("steer_angle", out.steer, lanes) if out.steer else None
        self.brake = self._answer("brake", out.brake, lanes) if out.brake else None
        self.output = self._answer("output", out.output, len(controller.output), lanes) if controller.output else none

    def _answer(self, name: str, pointer: Any, *shape: int) -> np.ndarray:
        memory = _array(pointer, *shape)
        self._answers.append((name, memory))
        return memory.copy()

    def _end(self, taken: bool) -> None:
        """The update has returned: rut's memory gets the answers and is looked at no longer."""
        answers, self._answers, self._in, self.layout = self._answers, [], None, None
        for name, memory in answers if taken else ():
            np.copyto(memory, getattr(self, name))

    def __getattr__(self, name: str) -> Any:
        if name not in _SEEN:
            raise AttributeError(f"a controller sees no '{name}'")
        pointer, rows = getattr(self._now, name), _SEEN[name]
        shape = () if rows == 0 else (self.wheels if rows < 0 else rows,)
        found = _input(pointer, *shape, self.lanes) if pointer else None
        setattr(self, name, found)
        return found

    @property
    def _now(self) -> Any:
        if self._in is None:
            raise Error("this is seen only during the update")
        return self._in

    def reading(self, index: int, lane: int = 0) -> np.ndarray:
        """Numbers of an input, by its place in `input`, as the sensor of a lane gives them."""
        inputs = self._inputs
        if not (0 <= index < inputs and 0 <= lane < self.lanes):
            raise Error(f"inputs are 0 to {inputs - 1}, lanes 0 to {self.lanes - 1}")
        r = self._now.reading[index * self.lanes + lane]
        size = DTYPES[r.type].itemsize
        if not r.n:
            return np.zeros(0, DTYPES[r.type])
        raw = _input(r.value, ((r.n - 1) * r.stride + 1) * size, dtype="u1").view(DTYPES[r.type])
        return raw[::r.stride]


@ffi.def_extern()
def rut_python_update(param: Any, layout: Any, seen: Any, state: Any, out: Any) -> None:
    """Ask the controller whose number is its last field."""
    values = ffi.cast("const double*", param)
    number = int(values[len(_HEAD)])
    controller = _by_number[number]
    told, done = None, False
    try:
        told = Seen(controller, param, layout, seen, state, out)
        with callback():
            controller.update(told)
        told._end(True)
        done = True
    except BaseException as failure:  # reaches the caller of the step
        context = controller._home() if controller._home is not None else None
        if context is not None:
            context.stop[0] = 1
            # of the many steps of a batch the first tells it
            if not context.failures:
                context.failures.append(failure)
    finally:
        if told is not None and not done:
            told._end(False)


class Controller:
    """A controller type. A subclass gives a name, rows, and `update`:

        class Cruise(rut.Controller):
            name = "cruise"
            doc = "Holds a speed by torque in proportion to the error."
            fields = {"gain": (40.0, "N m s/m", "torque for a metre per second")}
            command = {"speed": ("m/s", "forward speed")}
            uses = ("motion",)
            def update(self, seen):
                seen.demand[:] = seen.param["gain"] * (seen.command["speed"] - seen.vx)

        world = rut.load("world.xml", controllers=[Cruise()])

    and a world has it as <controller type="cruise" gain="20"/>. Python makes a step take tens of microseconds.
    `address` is that of a compiled function with the arguments of rutControllerType.update (rut/component.h), from
    ctypes, cffi or numba: it runs at the speed of rut's own, and is called instead of `update`.
    """

    name = ""
    doc = "A controller in Python."
    fields: Mapping[str, tuple[float, str, str]] = {}  # name: (default, unit, meaning)
    command: Mapping[str, tuple[str, str]] = {}  # set points: (unit, meaning)
    output: Mapping[str, tuple[str, str]] = {}
    state: Mapping[str, tuple[str, str]] = {}
    input: Mapping[str, tuple[str, str]] = {}  # outputs of sensors or controllers of the vehicle
    uses: tuple[str, ...] = ()
    demands = 0  # largest number of torque demands, 0: as many as the drive takes
    supervises = False  # only gives set points to another controller
    address: int | None = None
    _home: weakref.ref[Context] | None = None  # the context of the world that it is in

    def update(self, seen: Seen) -> None:
        """Turn set points and what is seen into torques and steering, for all lanes."""
        raise NotImplementedError

    def enter(self, context: Context) -> None:
        """Register it in the context of a world."""
        if not self.name:
            raise Error("a controller needs a name")
        if self._home is not None and self._home() is not None:
            raise Error(f"controller '{self.name}' belongs to a world already: make one for each")
        self._home = weakref.ref(context)
        self._keep: list[Any] = []
        self._first = len(_HEAD) + (self.address is None)
        made = self._type(context)
        self._keep.append(made)
        # what the context was told lives as long as it does
        context.handle.keep = (context.handle.keep, self._keep)
        error = ffi.new("rutError*")
        check(lib.rut_register(context.pointer, ffi.addressof(made, "base"), error), error)

    def leave(self, context: Context) -> None:
        """That world did not come about."""
        if self._home is not None and self._home() is context:
            self._home = None

    def _text(self, words: str) -> Any:
        kept = ffi.new("char[]", words.encode())
        self._keep.append(kept)
        return kept

    def _variables(self, given: Mapping[str, tuple[str, str]]) -> Any:
        made = ffi.new("rutVariable[]", max(1, len(given)))
        for row, (name, (unit, doc)) in zip(made, given.items()):
            row.name, row.unit, row.doc = self._text(name), self._text(unit), self._text(doc)
            row.shape = row.frame = self._text("")
        self._keep.append(made)
        return made

    def _field_rows(self, context: Context) -> tuple[Any, int]:
        """The rows of every controller, the number of this one if Python answers, and its own."""
        head = _head(context)
        own = [] if self.address is not None else ["python"]
        made = ffi.new("rutField[]", len(head) + len(own) + len(self.fields))
        for i, row in enumerate(head):
            made[i] = row
        if own:
            number = next(_numbers)
            _by_number[number] = self
            row = made[len(head)]
            row.name, row.unit, row.type, row.count = self._text("python"), self._text(""), lib.RUT_INTEGER, 1
            setattr(row, "def", number)
            row.min = row.max = number
            row.text, row.doc = self._text(""), self._text("Number of the controller in the program.")
        for i, (name, (default, unit, doc)) in enumerate(self.fields.items(), self._first):
            row = made[i]
            row.name, row.unit, row.type, row.count = self._text(name), self._text(unit), lib.RUT_REAL, 1
            setattr(row, "def", default)
            row.min, row.max, row.text, row.doc = -1e12, 1e12, self._text(""), self._text(doc)
        self._keep.append(made)
        return made, len(made)

    def _type(self, context: Context) -> Any:
        made = ffi.new("rutControllerType*")
        base = made.base
        base.abi, base.struct_size = lib.RUT_ABI, ffi.sizeof("rutControllerType")
        base.kind, base.name, base.parents, base.doc = (self._text(t) for t in ("controller", self.name, "vehicle", self.doc))
        base.field, base.fields = self._field_rows(context)
        base.state, base.states = self._variables(self.state), len(self.state)
        made.command, made.commands = self._variables(self.command), len(self.command)
        made.output, made.outputs = self._variables(self.output), len(self.output)
        made.input, made.inputs = self._variables(self.input), len(self.input)
        for word in self.uses:
            if word not in _USES:
                raise Error(f"a controller cannot use '{word}'; it may use {', '.join(_USES)}")
            made.uses |= _USES[word]
        made.demands, made.supervises = self.demands, self.supervises
        made.update = lib.rut_python_update if self.address is None else ffi.cast("void*", self.address)
        return made


def _head(context: Context) -> list[Any]:
    """The first rows of every controller, from one that rut has."""
    for i in range(lib.rut_component_count(context.pointer)):
        found = lib.rut_component_at(context.pointer, i)
        if ffi.string(found.kind) == b"controller" and found.fields >= len(_HEAD):
            return [found.field[k] for k in range(len(_HEAD))]
    raise Error("rut has no controller")
