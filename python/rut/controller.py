# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of your own: in Python, to try things, or in compiled code by its address, to be fast."""
from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._native import ffi, lib
from .component import ComponentType, array, ask, constant, head_of
from .errors import Error
from .memory import DTYPES

_USES = {"motion": lib.RUT_USES_MOTION, "pose": lib.RUT_USES_POSE, "contact": lib.RUT_USES_CONTACT, "pitch": lib.RUT_USES_PITCH}
# what a controller may see of its vehicle, with the dimension before that of lanes
_SEEN = {"vx": 0, "vy": 0, "yaw_rate": 0, "odo_speed": 0, "odo_rate": 0, "pitch": 0, "roll": 0, "yaw": 0, "position": 3, "speed": -1,
         "steer": -1, "load": -1}


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
        self.param = controller._parameters(param)
        command = constant(seen.command, len(controller.command), lanes) if controller.command else []
        self.command = dict(zip(controller.command, command))
        none = np.zeros((0, lanes))
        self.state = self._answer("state", state, len(controller.state), lanes) if controller.state else none
        self.demand = self._answer("demand", out.demand, seen.demands, lanes) if out.demand else None
        self.steer_angle = self._answer("steer_angle", out.steer, lanes) if out.steer else None
        self.brake = self._answer("brake", out.brake, lanes) if out.brake else None
        self.output = self._answer("output", out.output, len(controller.output), lanes) if controller.output else none

    def _answer(self, name: str, pointer: Any, *shape: int) -> np.ndarray:
        memory = array(pointer, *shape)
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
        found = constant(pointer, *shape, self.lanes) if pointer else None
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
        raw = constant(r.value, ((r.n - 1) * r.stride + 1) * size, dtype="u1").view(DTYPES[r.type])
        return raw[::r.stride]


@ffi.def_extern()
def rut_python_update(param: Any, layout: Any, seen: Any, state: Any, out: Any) -> None:
    """Ask the controller whose number is among the parameters."""
    def answer(controller: Controller) -> None:
        told, done = Seen(controller, param, layout, seen, state, out), False
        try:
            controller.update(told)
            done = True
        finally:
            told._end(done)

    ask(param, len(Controller._head), answer)


class Controller(ComponentType):
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

    kind, doc = "controller", "A controller in Python."
    command: Mapping[str, tuple[str, str]] = {}  # set points: (unit, meaning)
    output: Mapping[str, tuple[str, str]] = {}
    input: Mapping[str, tuple[str, str]] = {}  # outputs of sensors or controllers of the vehicle
    uses: tuple[str, ...] = ()
    demands = 0  # largest number of torque demands, 0: as many as the drive takes
    supervises = False  # only gives set points to another controller
    _head, _parents, _struct = head_of("rutControllerHead"), "vehicle", "rutControllerType"

    def update(self, seen: Seen) -> None:
        """Turn set points and what is seen into torques and steering, for all lanes."""
        raise NotImplementedError

    def _fill(self, made: Any) -> None:
        made.command, made.commands = self._variables(self.command), len(self.command)
        made.output, made.outputs = self._variables(self.output), len(self.output)
        made.input, made.inputs = self._variables(self.input), len(self.input)
        made.uses = self._uses(_USES, self.uses)
        made.demands, made.supervises = self.demands, self.supervises
        made.update = lib.rut_python_update if self.address is None else ffi.cast("void*", self.address)
