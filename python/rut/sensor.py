# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of your own: in Python, to try things, or in compiled code by its address, to be fast."""
from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._native import ffi, lib
from .component import ComponentType, array, ask, constant, head_of
from .elements import record_type
from .errors import Error
from .memory import pointer_to

_USES = {"wheels": lib.RUT_USES_WHEELS, "site": lib.RUT_USES_SITE, "motion": lib.RUT_USES_MOTION, "power": lib.RUT_USES_POWER,
         "looks": lib.RUT_USES_LOOKS}


class Sampling:
    """What a sensor knows for a sample, and what it answers.

    param  its fields by name
    time  of the sample [s]; pose  of the sensor then: x y z [m], roll pitch yaw [rad]
    exact  it shall give the truth: noise="none"
    output  by name, arrays to write into
    state  [number], kept from sample to sample; may be changed
    motion, site, wheel, power  as in rutSensorIn of rut/sensor.h, numpy records; None unless `uses` names them
    """

    def __init__(self, sensor: SensorType, param: Any, seen: Any, state: Any, out: Any):
        self.param, self._in = sensor._parameters(param), seen
        self.time, self.step, self.exact = seen.time, seen.step, bool(seen.exact)
        self.vehicle, self.pose = seen.vehicle, constant(seen.pose, 6)
        self._answers = [array(out[i], *sensor._sizes[name]) for i, name in enumerate(sensor.output)]
        self.output = {name: memory.copy() for name, memory in zip(sensor.output, self._answers)}
        self._state = array(state, len(sensor.state)) if sensor.state else np.zeros(0)
        self.state = self._state.copy()
        uses = sensor.uses
        self.motion = self._record(seen.motion) if "motion" in uses else None
        self.site = self._record(seen.site) if "site" in uses else None
        self.power = seen.power if "power" in uses else None
        self.wheel = None
        if "wheels" in uses:
            kind = record_type(ffi.typeof("rutWheelState"))
            self.wheel = np.frombuffer(ffi.buffer(seen.wheel, seen.wheels * kind.itemsize)[:], kind) if seen.wheels else np.zeros(0, kind)

    @staticmethod
    def _record(struct: Any) -> Any:
        return np.frombuffer(ffi.buffer(ffi.addressof(struct))[:], record_type(ffi.typeof(struct)))[0]

    def _end(self, taken: bool) -> None:
        """The sample is made: rut's memory gets the answers and is looked at no longer."""
        answers, self._answers, self._in = self._answers, [], None
        for memory, name in zip(answers, self.output):
            np.copyto(memory, self.output[name] if taken else 0)
        if taken:
            np.copyto(self._state, self.state)
        self._state = self.state

    @property
    def _now(self) -> Any:
        if self._in is None:
            raise Error("this can be asked only during the sample")
        return self._in

    def normals(self, count: int, first: int = 0) -> np.ndarray:
        """Standard normal numbers of this sample, by their place in the sensor's own stream; 0 where it is exact."""
        found = np.empty(count)
        self._now.normals(self._in.host, first, count, pointer_to(found))
        return found

    def uniforms(self, count: int, first: int = 0) -> np.ndarray:
        """The same, uniform in 0 to 1; 0.5 where it is exact."""
        found = np.empty(count)
        self._now.uniforms(self._in.host, first, count, pointer_to(found))
        return found

    def cast(self, direction: Any, max_range: float, origin: Any = None, bodies: bool = True, ground: bool = True, itself: bool = False) -> np.ndarray:
        """Ranges [m] of rays with directions [n, 3] of length 1 in the world, negative without a hit.

        origin  [n, 3] or one for all; default: the sensor's place. itself: sees the vehicle that carries it
        """
        rays = np.array(np.atleast_2d(np.asarray(direction, float)).T, order="C")
        start = self.pose[:3] if origin is None else np.asarray(origin, float)
        starts = np.array(np.broadcast_to(start, (rays.shape[1], 3)).T, order="C")
        found = np.empty(rays.shape[1])
        asked = ffi.new("rutRays*", {"n": rays.shape[1], "max_range": max_range, "bodies": bodies, "ground": ground,
                                     "skip_vehicle": -1 if itself else self.vehicle})
        for names, numbers in (("x y z", starts), ("dx dy dz", rays)):
            for name, row in zip(names.split(), numbers):
                setattr(asked, name, pointer_to(row))
        self._now.cast(self._in.host, asked, ffi.new("rutRayHits*", {"range": pointer_to(found)}))
        return found


@ffi.def_extern()
def rut_python_sample(param: Any, seen: Any, state: Any, scratch: Any, out: Any) -> None:
    """Ask the sensor whose number is among the parameters; the sample of one that fails is 0."""
    def answer(sensor: SensorType) -> None:
        told, done = Sampling(sensor, param, seen, state, out), False
        try:
            sensor.sample(told)
            done = True
        finally:
            told._end(done)

    ask(param, len(SensorType._head), answer)


class SensorType(ComponentType):
    """A sensor. A subclass gives a name, rows, and `sample`:

        class Odometer(rut.SensorType):
            name = "odometer"
            doc = "Distance from the origin."
            fields = {"noise_density": (0.01, "m", "standard deviation")}
            output = {"distance": ("m", "from the origin of the world")}
            def sample(self, seen):
                noise = seen.param["noise_density"] * seen.normals(1)[0]
                seen.output["distance"][...] = np.hypot(*seen.pose[:2]) + noise

        world = rut.load("world.xml", components=[Odometer()])

    and a vehicle has it as <sensor type="odometer" period="0.1 s"/>, with the fields of all sensors (pose, latency, noise).
    `address` is that of a compiled function with the arguments of rutSensorType.sample (rut/sensor.h), called instead.
    """

    kind, doc = "sensor", "A sensor in Python."
    output: Mapping[str, tuple[Any, ...]] = {}  # name: (unit, meaning), or (unit, meaning, (sizes))
    uses: tuple[str, ...] = ()
    _head, _parents, _struct = head_of("rutSensorHead"), "vehicle world", "rutSensorType"

    def sample(self, seen: Sampling) -> None:
        """Make a sample."""
        raise NotImplementedError

    def _fill(self, made: Any) -> None:
        if not self.output:
            raise Error(f"sensor '{self.name}' needs outputs")
        self._sizes = {name: tuple(int(n) for n in np.ravel(row[2:])) for name, row in self.output.items()}
        made.output, made.outputs = self._variables(self.output), len(self.output)
        made.uses = self._uses(_USES, self.uses)
        made.sample = lib.rut_python_sample if self.address is None else ffi.cast("void*", self.address)
