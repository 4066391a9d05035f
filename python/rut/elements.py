# SPDX-License-Identifier: BSD-3-Clause
"""Elements of a simulation: vehicles, wheels, sensors, blocks, mechanisms.

Their outputs are attributes: `sim["hmmwv"].speed`. Which there are is in the rows of rut; `element.help()` lists
those of an element with units and meaning, `element.read("speed")` reads by name.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import rows
from ._native import ffi, lib
from .errors import Error, check, nearest, text
from .memory import pointer_to
from .navigation import Navigation

if TYPE_CHECKING:
    from .simulation import Simulation


def record(struct: Any) -> np.void:
    """A C structure of numbers as a numpy record."""
    kind = ffi.typeof(struct)
    return np.frombuffer(ffi.buffer(ffi.addressof(struct))[:], record_type(kind))[0]


def record_type(kind: Any) -> np.dtype[Any]:
    """numpy's type for a C structure of numbers, without its pointers and texts."""
    names, formats, offsets = [], [], []
    for name, field in kind.fields:
        item, count = field.type, ()
        while item.kind == "array":
            item, count = item.item, (*count, item.length)
        code = {"double": "f8", "_Bool": "?", "int": "i4", "unsigned int": "u4", "int64_t": "i8", "uint64_t": "u8"}.get(item.cname)
        if code:
            names.append(name)
            formats.append((code, count) if count else code)
            offsets.append(field.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(kind)})


class Element:
    """A part of a simulation, by its kind and index."""

    kind = "world"

    def __init__(self, sim: Simulation, index: int = 0):
        self._sim, self.index = sim, index

    @property
    def name(self) -> str:
        """Its name; wheels are named "vehicle/wheel"."""
        return text(lib.rut_name(self._sim._model, rows.KINDS[self.kind], self.index))

    def _rows(self, role: str) -> dict[str, rows.Variable]:
        return self._sim._rows(self.kind, self.index, role)

    @property
    def variables(self) -> dict[str, rows.Variable]:
        """Its outputs by name, with units and meaning."""
        return self._rows("output")

    @property
    def states(self) -> dict[str, rows.Variable]:
        """What its parts keep from step to step, by name."""
        return self._rows("state")

    def help(self) -> str:
        """Its outputs with units and meaning, as text."""
        lines = [f"{self.kind} {self.name}"]
        for variable in self.variables.values():
            unit = f" [{variable.unit}]" if variable.unit else ""
            shape = f" {list(variable.shape)}" if variable.shape else ""
            lines.append(f"  {variable.name}{unit}{shape}: {variable.doc}")
        return "\n".join(lines)

    def read(self, name: str, role: str = "output") -> Any:
        """A variable by name: a number, or an array of its shape."""
        known = self._rows(role)
        if name not in known:
            raise Error(f"{self.kind} '{self.name}' has no {role} '{name}'{nearest(name, list(known))}", element=self.name)
        row = known[name]
        values = np.empty(int(np.prod(row.shape, dtype=int)))
        chosen = ffi.new("rutVariableRange*", (rows.KINDS[self.kind], self.index, rows.ROLES[role], row.first, 1))
        check(lib.rut_variables_read(self._sim._model, self._sim._data, chosen, values.size, pointer_to(values)))
        return values.reshape(row.shape) if row.shape else float(values[0])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = self._rows("output")
        if name not in known:
            raise AttributeError(f"{self.kind} '{self.name}' has no output '{name}'{nearest(name, list(known))}")
        return self.read(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.variables})

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Vehicle(Element):
    """A vehicle: its motion, set points, wheels and sensors."""

    kind = "vehicle"

    @property
    def info(self) -> Any:
        """Constants of it, as rutVehicleInfo of rut/rut.h has them."""
        return lib.rut_vehicle_info(self._sim._model, self.index)

    @property
    def mass(self) -> float:
        """All of it, less massless wheels [kg]."""
        return self.info.mass

    @property
    def set_points(self) -> dict[str, rows.Variable]:
        """What `command` takes, with units and meaning."""
        return self._rows("command")

    def command(self, *values: float, **named: float) -> None:
        """Set set points, in their order or by name: `command(speed=5)`. They hold until changed [SI]."""
        with self._sim._held():
            self._command(values, named)

    def _command(self, values: tuple[float, ...], named: dict[str, float]) -> None:
        info = self.info
        present = np.empty(info.commands)
        lib.rut_command_state(self._sim._model, self._sim._data, self.index, present.size, pointer_to(present))
        names = text(info.command_names).split()
        if len(values) > len(names):
            raise Error(f"vehicle '{self.name}' has {len(names)} set points, not {len(values)}: {', '.join(names)}", element=self.name)
        present[:len(values)] = values
        for name, value in named.items():
            if name not in names:
                raise Error(f"vehicle '{self.name}' has no set point '{name}'{nearest(name, names)}", element=self.name)
            present[names.index(name)] = value
        if not np.isfinite(present).all():
            raise Error(f"set points of vehicle '{self.name}' must be finite", element=self.name)
        check(lib.rut_command(self._sim._model, self._sim._data, self.index, present.size, pointer_to(present)))

    @property
    def commands(self) -> dict[str, float]:
        """Present set points by name [SI]."""
        info = self.info
        present = np.empty(info.commands)
        lib.rut_command_state(self._sim._model, self._sim._data, self.index, present.size, pointer_to(present))
        return dict(zip(text(info.command_names).split(), present.tolist()))

    @property
    def state(self) -> np.void:
        """Position, attitude and velocities as a record: the fields of rutVehicleState in rut/rut.h."""
        return record(lib.rut_vehicle_state(self._sim._model, self._sim._data, self.index))

    @property
    def position(self) -> np.ndarray:
        """Of its reference point, world [m]."""
        return self.state["position"]

    def motion(self, mount: Sequence[float] | None = None) -> np.void:
        """Motion of a frame fixed to it at x y z [m], roll pitch yaw [rad]: the fields of rutMotion."""
        if mount is not None and len(mount) != 6:
            raise Error(f"a mount is x y z [m], roll pitch yaw [rad]: 6 numbers, not {len(mount)}")
        out = ffi.new("rutMotion*")
        lib.rut_motion(self._sim._model, self._sim._data, self.index, ffi.NULL if mount is None else list(mount), out)
        return record(out[0])

    @property
    def navigation(self) -> Navigation | None:
        """Local map, path and goal, as they are now, of a vehicle whose controller finds its way; None of others."""
        tells = text(lib.rut_navigation_info(self._sim._model, self.index).controller)
        if not tells:
            return None
        with self._sim._held():
            return Navigation(self._sim, self.index)

    @property
    def energy(self) -> dict[str, float] | None:
        """Energy balance since the start [J]; None for planar vehicles."""
        out = ffi.new("rutEnergy*")
        if not lib.rut_vehicle_energy(self._sim._model, self._sim._data, self.index, out):
            return None
        return {name: getattr(out, name) for name, _ in ffi.typeof("rutEnergy").fields}

    @property
    def wheels(self) -> list[Wheel]:
        """Its wheels."""
        info = self.info
        return [Wheel(self._sim, info.first_wheel + i) for i in range(info.wheels)]

    @property
    def sensors(self) -> list[Sensor]:
        """Its sensors."""
        return [sensor for sensor in self._sim.sensors if sensor.info.vehicle == self.index]


class Wheel(Element):
    """A wheel of a vehicle."""

    kind = "wheel"

    @property
    def state(self) -> np.void:
        """Angles, forces and slip as a record: the fields of rutWheelState in rut/rut.h."""
        return record(lib.rut_wheel_state(self._sim._model, self._sim._data, self.index))

    @property
    def pose(self) -> np.void:
        """Its place in the world: the fields of rutWheelPose."""
        return record(lib.rut_wheel_pose(self._sim._model, self._sim._data, self.index))


class Block(Element):
    """A block: a crate, a wall, an actor."""

    kind = "block"

    @property
    def motion(self) -> np.void:
        """Its place and velocity: the fields of rutBlockMotion."""
        out = ffi.new("rutBlockMotion*")
        lib.rut_block_motion(self._sim._model, self._sim._data, self.index, out)
        return record(out[0])


class Mechanism(Element):
    """A mechanism of bodies and joints."""

    kind = "mechanism"

    @property
    def energy(self) -> float:
        """Kinetic plus potential [J]."""
        return lib.rut_mechanism_energy(self._sim._model, self._sim._data, self.index)


class Sensor(Element):
    """A sensor. Its outputs are read-only views of the latest sample in rut's own memory.

    A view shows what is there now: the next step may write the next sample into it, or elsewhere. Take the output
    anew after a step, and `.copy()` what you keep. A view of a simulation that was closed stays readable.
    """

    kind = "sensor"

    @property
    def info(self) -> Any:
        """Constants of it, as rutSensorInfo of rut/rut.h has them."""
        return lib.rut_sensor_info(self._sim._model, self.index)

    def _output(self, row: rows.Variable) -> np.ndarray:
        pointer = lib.rut_sensor_output(self._sim._model, self._sim._data, self.index, row.first, ffi.NULL)
        return self._sim._view(pointer, row.shape, np.dtype(row.dtype))

    def read(self, name: str, role: str = "output") -> Any:
        """An output of the visible sample, as a view."""
        known = self._rows(role)
        if role == "output" and name in known:
            return self._output(known[name])
        return super().read(name, role)

    @property
    def sample(self) -> dict[str, np.ndarray]:
        """All outputs of the visible sample, as views."""
        return {name: self._output(row) for name, row in self.variables.items()}

    @property
    def stamp(self) -> float:
        """Time of the visible sample [s], -1 before the first."""
        stamp = ffi.new("double*", -1)
        lib.rut_sensor_output(self._sim._model, self._sim._data, self.index, 0, stamp)
        return stamp[0]

    @property
    def points(self) -> np.ndarray:
        """Points of a cloud in the sensor's frame, [return, channel, column, 3], or of a planar scan, [ray, 2] [m].

        Of a cloud a view where its coordinates lie in equal distances, as those of rut's lidars do; beams without a
        return are NaN.
        """
        scan = self.scan
        if scan is not None:
            angle = scan["angle_min"] + scan["angle_increment"] * np.arange(scan["rays"])
            distance = np.where(self.read("range") < 0, np.nan, self.read("range"))
            return distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
        if not {"x", "y", "z"} <= self.variables.keys():
            raise AttributeError(f"sensor '{self.name}' has no points")
        parts = [self.read(axis) for axis in "xyz"]
        start = [part.__array_interface__["data"][0] for part in parts]
        if self._sim._batch is None and parts[0].size and start[1] - start[0] == start[2] - start[1]:
            step = start[1] - start[0]
            return self._sim._view(ffi.cast("void*", start[0]), (*parts[0].shape, 3), parts[0].dtype, (*parts[0].strides, step))
        return np.stack(parts, -1)

    @property
    def scan(self) -> dict[str, Any] | None:
        """Rays of a planar scan, the fields of rutScanGeometry; None for other sensors."""
        out = ffi.new("rutScanGeometry*")
        if not lib.rut_sensor_scan(self._sim._model, self.index, out):
            return None
        return {name: getattr(out, name) for name, _ in ffi.typeof("rutScanGeometry").fields}

    @property
    def camera(self) -> np.void | None:
        """Projection of a camera, the fields of rutCameraGeometry; None for other sensors."""
        out = ffi.new("rutCameraGeometry*")
        return record(out[0]) if lib.rut_camera_geometry(self._sim._model, self.index, out) else None

    @property
    def pose(self) -> np.ndarray:
        """Its place in the world: x y z [m], roll pitch yaw [rad]."""
        out = np.empty(6)
        lib.rut_sensor_pose(self._sim._model, self._sim._data, self.index, pointer_to(out))
        return out

    def watch(self, watched: bool = True) -> None:
        """Whether it takes samples: what is not looked at costs nothing."""
        lib.rut_sensor_watch(self._sim._model, self._sim._data, self.index, watched)


KINDS: dict[str, type[Element]] = {"vehicle": Vehicle, "wheel": Wheel, "block": Block, "sensor": Sensor, "mechanism": Mechanism, "world": Element}


def _output_property(variable: rows.Variable) -> property:
    unit = f" [{variable.unit}]" if variable.unit else ""
    only = f" Only of those: {variable.where}." if variable.where else ""

    def read(self: Element) -> Any:
        if variable.name not in self.variables:
            raise AttributeError(f"{self.kind} '{self.name}' has no output '{variable.name}'")
        return self.read(variable.name)

    return property(read, doc=f"{variable.doc}{unit}{only}")


def _enter_outputs() -> None:
    """Outputs that rut computes for a kind of element become properties of its class, with their documentation."""
    for kind, made in KINDS.items():
        for variable in rows.kind_outputs(kind):
            if not hasattr(made, variable.name):
                setattr(made, variable.name, _output_property(variable))


_enter_outputs()
