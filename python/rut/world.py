# SPDX-License-Identifier: BSD-3-Clause
"""Worlds: reading, building, editing, checking."""
from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import rows
from ._native import ffi, lib
from .errors import Error, Finding, check, nearest, text
from .memory import Handle, in_callback

if TYPE_CHECKING:
    from .component import ComponentType
    from .controller import Controller
    from .page import Page
    from .simulation import Simulation

Value = "float | int | bool | str | Sequence[float] | np.ndarray"
_LEVELS = {lib.RUT_NOTE: "note", lib.RUT_WARNING: "warning", lib.RUT_ERROR: "error"}


@ffi.def_extern()
def rut_python_report(finding: Any, user: Any) -> None:
    """Keep a finding of the context whose list `user` is."""
    f = finding
    ffi.from_handle(user).append(Finding(_LEVELS[f.level], text(f.file), f.line, f.column, text(f.element), text(f.message), text(f.hint)))


def _encode(value: Any) -> str:
    """A field's value as world files have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    return " ".join(_encode(v) for v in np.asarray(value, float).ravel())


def _tree(path: str | os.PathLike[str]) -> Path:
    """The folder that a world file may read: its own, or the folder "worlds" around it."""
    folder = Path(path).resolve().parent
    return next((f for f in (folder, *folder.parents) if f.name == "worlds"), folder)


class Context:
    """Folders that worlds may read, component types, threads. One for each world."""

    def __init__(self, *, workers: int = 1, seed: int = 0, allow: Iterable[str | os.PathLike[str]] = (),
                 models: Iterable[str | os.PathLike[str]] = (), plugins: Iterable[str | os.PathLike[str]] = (),
                 controllers: Iterable[Controller] = (), components: Iterable[ComponentType] = ()):
        self.findings: list[Finding] = []
        # what it may read besides a world file, as options of the command; and the name of that file
        self.reads: list[tuple[str, str]] = []
        self.name = "world.xml"
        self.failures: list[BaseException] = []
        self.stop = ffi.new("int*")
        self._user = ffi.new_handle(self.findings)
        if workers < 0 or not 0 <= seed < 2**64:
            raise Error(f"workers are 0 or more, seeds 0 to 2**64 - 1, not {workers} and {seed}")
        definition = lib.rut_default_context()
        definition.report, definition.user = lib.rut_python_report, self._user
        definition.workers, definition.seed = workers, seed
        out, error = ffi.new("rutContext**"), ffi.new("rutError*")
        check(lib.rut_context_create(ffi.addressof(definition), out, error), error)
        self.handle = Handle(out[0], lib.rut_context_destroy)
        self.pointer = out[0]
        self.own = [*controllers, *components]
        self.handle.keep = (self._user, self.findings, self.own)
        # failures and stop are those of one run at a time
        self._running = threading.Lock() if any(c.calls_python for c in self.own) else None
        for folder in allow:
            check(lib.rut_context_allow_dir(self.pointer, os.fsencode(folder), error), error)
            self.reads.append(("allow-dir", os.fspath(folder)))
        for folder in models:
            check(lib.rut_context_add_models(self.pointer, os.fsencode(folder), error), error)
            self.reads.append(("models", os.fspath(folder)))
        for plugin in plugins:
            check(lib.rut_plugin_load(self.pointer, os.fsencode(plugin), error), error)
            self.reads.append(("plugin", os.fspath(plugin)))
        try:
            for component in self.own:
                component.enter(self)
        except BaseException:
            self.leave()
            raise

    def read(self, path: str | os.PathLike[str], status: int, error: Any) -> None:
        """Raise unless a world was read from a file, or as one."""
        if status:
            self.leave()
            check(status, error, self.drain())
        self.name = f"{Path(path).stem}.xml"
        if _tree(path).is_dir():
            self.reads.append(("allow-dir", os.fspath(_tree(path))))

    @property
    def calls(self) -> bool:
        """Whether runs call Python."""
        return self._running is not None

    def leave(self) -> None:
        """Components of a world that did not come about may enter another."""
        for component in self.own:
            component.leave(self)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """A call that asks components in Python, one at a time; it raises what these have raised."""
        if self._running is None:
            yield
            return
        # a component that runs worlds is inside of a run already
        held = not in_callback() and self._running.acquire()
        before = 0 if held else self.stop[0]
        try:
            yield
        finally:
            failures = self.failures[:]
            self.failures.clear()
            self.stop[0] = before
            if held:
                self._running.release()
            if failures:
                raise failures[0]

    def drain(self) -> tuple[Finding, ...]:
        """What was found since the last call."""
        found = tuple(self.findings)
        self.findings.clear()
        return found


class Node:
    """An element of a world: `node["mass"]` reads a field, `node["mass"] = "2 kg"` sets it.

    Fields are those of the world's files; `node.help()` lists them with their units. Numbers are in SI units,
    texts are as in files ("12 deg").
    """

    def __init__(self, world: World, node: Any):
        self._world, self._at = world, node

    @property
    def _node(self) -> Any:
        if not self._there:
            raise Error("this element was removed from its world")
        return self._at

    @property
    def _there(self) -> bool:
        return bool(lib.rut_node_component(self._world._spec, self._at))

    @property
    def kind(self) -> str:
        """Its element, such as "wheel"."""
        return text(lib.rut_node_kind(self._world._spec, self._node))

    @property
    def type(self) -> str:
        """Its component type, such as "coulomb"; or ""."""
        return text(lib.rut_node_type(self._world._spec, self._node))

    @property
    def name(self) -> str:
        """Its name, or ""."""
        return text(lib.rut_node_name(self._world._spec, self._node))

    @property
    def component(self) -> rows.Component:
        """What it is: fields, variables, presets."""
        return rows.component(lib.rut_node_component(self._world._spec, self._node))

    def help(self) -> str:
        """Its fields with units, ranges and defaults, as text."""
        return self.component.help()

    @property
    def parent(self) -> Node | None:
        """The element around it; None for the world."""
        return self._world._wrap(lib.rut_node_parent(self._world._spec, self._node))

    def children(self, kind: str | None = None) -> Iterator[Node]:
        """Elements in it, all or those of one kind."""
        wanted = ffi.NULL if kind is None else kind.encode()
        node, found = lib.rut_node_first(self._world._spec, self._node, wanted), []
        while not lib.rut_node_is_null(node):
            found.append(Node(self._world, node))
            node = lib.rut_node_next(self._world._spec, node, wanted)
        # all of them, also where some are removed meanwhile
        return iter(found)

    def add(self, kind: str, type: str = "", name: str = "", **fields: Any) -> Node:
        """Add an element and set its fields: `vehicle.add("tyre", "coulomb", friction=0.7)`."""
        error = ffi.new("rutError*")
        world = self._world
        node = lib.rut_spec_add(world._change(), self._node, kind.encode(), type.encode(), name.encode(), error)
        if lib.rut_node_is_null(node):
            check(error.status or lib.RUT_ERR_ARGUMENT, error, world.context.drain())
        added = Node(world, node)
        try:
            for field, value in fields.items():
                added[field] = value
        except Error:
            added.remove()
            raise
        return added

    def remove(self) -> None:
        """Remove it and all in it."""
        lib.rut_spec_remove(self._world._change(), self._node)

    def _field(self, name: str) -> rows.Field:
        fields = self.component.fields
        if name not in fields:
            raise Error(f"<{self.kind}> has no field '{name}'{nearest(name, list(fields))}", element=f"<{self.kind}>")
        return fields[name]

    def __getitem__(self, field: str) -> float | bool | str | np.ndarray:
        spec, name = self._world._spec, field.encode()
        if field == "preset":
            return text(lib.rut_node_text(spec, self._node, name))
        row = self._field(field)
        if row.type in ("choice", "text"):
            return text(lib.rut_node_text(spec, self._node, name))
        if row.type in ("vector", "points"):
            count = ffi.new("int*")
            values = lib.rut_node_numbers(spec, self._node, name, count)
            found = np.array([values[i] for i in range(count[0])])
            return found.reshape(-1, 2) if row.type == "points" else found
        value = lib.rut_node_number(spec, self._node, name)
        return bool(value) if row.type == "boolean" else value

    def __setitem__(self, field: str, value: Any) -> None:
        error = ffi.new("rutError*")
        world, name = self._world, field.encode()
        plain = isinstance(value, (int, float, np.integer, np.floating)) or (not isinstance(value, (str, bool)) and np.ndim(value) > 0)
        if plain:
            # numbers are SI, whatever the unit of the field
            numbers = [float(v) for v in np.asarray(value, float).ravel()]
            status = lib.rut_node_set_numbers(world._change(), self._node, name, len(numbers), numbers, error)
        else:
            status = lib.rut_node_set(world._change(), self._node, name, _encode(value).encode(), error)
        check(status, error, world.context.drain())

    def __contains__(self, field: str) -> bool:
        return bool(lib.rut_node_has(self._world._spec, self._node, field.encode()))

    def __repr__(self) -> str:
        if not self._there:
            return "<an element that was removed>"
        words = [self.kind] + [f"{key}={value!r}" for key, value in (("type", self.type), ("name", self.name)) if value]
        return f"<{' '.join(words)}>"


class World:
    """A world: an editable tree of elements, and what is compiled from it.

    Made by `rut.load`, `rut.parse`, or `rut.World()` as an empty one. `world["hmmwv/chassis.mass"]` reads a field
    by its path, setting it changes it, `world["hmmwv/chassis"]` is the element. `world.start()` begins a run.
    """

    def __init__(self, *, workers: int = 1, seed: int = 0, controllers: Iterable[Controller] = (),
                 components: Iterable[ComponentType] = (), **context: Any):
        self.context = Context(workers=workers, seed=seed, controllers=controllers, components=components, **context)
        out, error = ffi.new("rutSpec**"), ffi.new("rutError*")
        check(lib.rut_spec_create(self.context.pointer, out, error), error)
        self._take(out[0])

    def _take(self, spec: Any) -> None:
        self._handle = Handle(spec, lib.rut_spec_destroy, self.context.handle)
        self._spec = spec
        self._model: Handle | None = None
        self.findings: tuple[Finding, ...] = self.context.drain()

    @classmethod
    def _of(cls, context: Context, spec: Any) -> World:
        world = cls.__new__(cls)
        world.context = context
        world._take(spec)
        return world

    def _change(self) -> Any:
        """The spec, which is about to change: what was compiled holds no longer."""
        model, self._model = self._model, None
        if model is not None and model.used:
            # simulations that go on write the world that they run into their logs
            out, error = ffi.new("rutSpec**"), ffi.new("rutError*")
            check(lib.rut_spec_copy(self._spec, out, error), error)
            model.keep = Handle(out[0], lib.rut_spec_destroy, self.context.handle)
        return self._spec

    def _wrap(self, node: Any) -> Node | None:
        return None if lib.rut_node_is_null(node) else Node(self, node)

    @property
    def root(self) -> Node:
        """The element <world>."""
        return Node(self, lib.rut_spec_root(self._spec))

    def add(self, kind: str, type: str = "", name: str = "", **fields: Any) -> Node:
        """Add an element to the world: `world.add("vehicle", name="robot", position=(1, 2))`."""
        return self.root.add(kind, type, name, **fields)

    def _find(self, path: str) -> Node:
        if not path:
            return self.root
        node = self._wrap(lib.rut_spec_find(self._spec, path.encode()))
        if node is None:
            raise Error(f"no element '{path}' in this world", element=path)
        return node

    def __getitem__(self, path: str) -> Any:
        element, dot, field = path.rpartition(".")
        if dot and "/" not in field:
            return self._find(element)[field]
        return self._find(path)

    def __setitem__(self, path: str, value: Any) -> None:
        error = ffi.new("rutError*")
        if isinstance(value, str):
            check(lib.rut_spec_set(self._change(), path.encode(), value.encode(), error), error, self.context.drain())
            return
        element, _, field = path.rpartition(".")
        self._find(element)[field] = value

    def set(self, settings: Mapping[str, Any]) -> None:
        """Set fields by their paths: `world.set({"hmmwv/chassis.mass": "2600 kg"})`."""
        for path, value in settings.items():
            self[path] = value

    def text(self, path: str | os.PathLike[str] = "world.xml") -> str:
        """The world as the text of a file that would lie at this path."""
        out, size, error = ffi.new("char**"), ffi.new("size_t*"), ffi.new("rutError*")
        check(lib.rut_spec_write(self._spec, os.fsencode(path), out, size, error), error)
        try:
            return ffi.buffer(out[0], size[0])[:].decode()
        finally:
            lib.rut_python_free(out[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the world to a file, which compiles to the same bits."""
        error = ffi.new("rutError*")
        check(lib.rut_spec_save(self._spec, os.fsencode(path), error), error)

    def copy(self) -> World:
        """A world of its own with the same content."""
        out, error = ffi.new("rutSpec**"), ffi.new("rutError*")
        check(lib.rut_spec_copy(self._spec, out, error), error)
        return World._of(self.context, out[0])

    @property
    def components(self) -> list[rows.Component]:
        """Component types that this world may use, its own controllers and plug-ins included."""
        return rows.components_of(self.context)

    def compile(self) -> Handle:
        """Check and compile it; kept until the world changes. Raises rut.Error with the place of what is wrong."""
        if self._model is None:
            self.context.drain()
            out, error = ffi.new("rutModel**"), ffi.new("rutError*")
            with self.context.running():
                status = lib.rut_compile(self._spec, out, error)
                self.findings = self.context.drain()
                check(status, error, self.findings)
            self._model = Handle(out[0], lib.rut_model_destroy, self.context.handle)
        return self._model

    def start(self, seed: int = 0) -> Simulation:
        """A simulation of this world at time 0, with noise from a seed."""
        from .simulation import Simulation
        return Simulation(self, seed)

    def view(self, *, seed: int = 0, **arguments: Any) -> Page:
        """The viewer's page of this world, in which it runs from its start: a notebook shows it as the last line of a cell.

        seed  of the noise
        paused  the run waits for the page (False)
        width, height  of the frame, in pixels or "100%" ("100%", 480)
        latency, jitter, loss  of pictures and commands: the page drives from afar ("300 ms"); of one of them: video_latency,
            command_latency, ...; frame_rate, command_rate
        origins  of the pages that may show it within theirs (those of servers on this machine)
        port  on this machine (0: a free one)
        command  the command rut (that of this environment, or the one in PATH)
        options  further ones of `rut view`: ["--record", "run.mcap"]
        """
        from .page import Page
        self.compile()  # which tells best what is wrong with it
        return Page(self._spec, self.context, seed=seed, **arguments)

    def picture(self, width: int = 640, height: int = 360) -> np.ndarray:
        """The world at its start, seen from outside: [height][width][3], bytes of sRGB, by a camera of rut."""
        from .picture import take
        return take(self, width, height)

    def _repr_html_(self) -> str:
        from .picture import world_html
        return world_html(self)

    def __repr__(self) -> str:
        vehicles = [node.name for node in self.root.children("vehicle")]
        return f"<rut.World: {len(vehicles)} vehicle{'s' * (len(vehicles) != 1)}>"


def load(path: str | os.PathLike[str], settings: Mapping[str, Any] | None = None, **context: Any) -> World:
    """Read a world file and apply settings, as `rut run WORLD --set PATH=VALUE` does.

    path  file in any format that rut reads
    settings  values of fields by their paths: {"hmmwv/chassis.mass": "2600 kg"}
    workers  threads that a step may use (1)
    seed  of the expressions rand() and randn() of the file (0)
    allow, models  further folders that the world may read
    plugins  shared libraries with component types
    controllers, components  your own: rut.Controller; rut.TerrainType, rut.SensorType as well
    """
    own = Context(**context)
    out, error = ffi.new("rutSpec**"), ffi.new("rutError*")
    own.read(path, lib.rut_spec_load(own.pointer, os.fsencode(path), out, error), error)
    return _settled(World._of(own, out[0]), settings)


def parse(content: str, settings: Mapping[str, Any] | None = None, *, name: str = "world.xml", **context: Any) -> World:
    """Read a world from the text of a file; `name` is that file in messages and the base of relative names."""
    own = Context(**context)
    data = content.encode()
    out, error = ffi.new("rutSpec**"), ffi.new("rutError*")
    own.read(name, lib.rut_spec_parse(own.pointer, data, len(data), os.fsencode(name), out, error), error)
    return _settled(World._of(own, out[0]), settings)


def _settled(world: World, settings: Mapping[str, Any] | None) -> World:
    findings = world.findings
    try:
        world.set(settings or {})
    except BaseException:
        world.context.leave()
        raise
    world.findings = findings + world.context.drain()
    return world


def components() -> list[rows.Component]:
    """All component types of rut: `[c.type for c in rut.components() if c.kind == "tyre"]`."""
    return rows.components_of(Context())


def help(kind: str, type: str = "") -> str:
    """What an element is and its fields with units, ranges and defaults: `print(rut.help("tyre", "coulomb"))`."""
    known = components()
    for found in known:
        if (found.kind, found.type) == (kind, type):
            return found.help()
    types = [c.type for c in known if c.kind == kind]
    if types:
        raise Error(f"no {kind} of type '{type}'{nearest(type, types)}")
    raise Error(f"no element <{kind}>{nearest(kind, sorted({c.kind for c in known}))}")


def example(name: str = "") -> Path:
    """Path of an example world that comes with the package, such as "hmmwv.xml"; without a name, of their folder."""
    folder = Path(__file__).parent / "worlds"
    if not folder.exists():
        folder = Path(__file__).parents[2] / "worlds"
    if not (folder / name).exists():
        known = [p.relative_to(folder).as_posix() for p in folder.rglob("*.xml")]
        raise Error(f"no example world '{name}'{nearest(name, known)}")
    return folder / name
