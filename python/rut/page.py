# SPDX-License-Identifier: BSD-3-Clause
"""The viewer's page of a world, within a notebook: `rut view` in a process of its own."""
from __future__ import annotations

import contextlib
import html
import http.client
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable

from ._native import ffi, lib
from .errors import Error, check, nearest

if TYPE_CHECKING:
    from .world import Context

# where the pages of a notebook come from whose server runs on this machine
NOTEBOOKS = ("http://localhost:*", "http://127.0.0.1:*")
# options of rut view that put channels between the page and the vehicles
CHANNELS = ("latency", "jitter", "loss", "frame_rate", "command_rate", "video_latency", "video_jitter", "video_loss", "command_latency",
            "command_jitter", "command_loss")
_START, _END, _LOOK = 60.0, 10.0, 0.02  # patience with its start and its end, time between two looks [s]


def _command(named: str | os.PathLike[str] | None) -> str:
    """The command rut: the one that was named, that of this environment, or the one in the path."""
    beside = Path(sysconfig.get_path("scripts")) / "rut"
    found = os.fspath(named) if named is not None else os.fspath(beside) if beside.exists() else shutil.which("rut")
    if not found:
        raise Error("the command rut, which has the page, is neither in this environment nor in PATH", status="IO")
    return found


def _channel_options(channels: dict[str, Any]) -> list[str]:
    for name in channels:
        if name not in CHANNELS:
            raise Error(f"view has no argument '{name}'{nearest(name, CHANNELS)}")
    return [f"--{name.replace('_', '-')}={value}" for name, value in channels.items() if value is not None]


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End the command."""
    if os.getpid() != owner:
        return  # a process that was forked off has it only in its memory
    if process.stdin is not None:
        process.stdin.close()
    process.terminate()
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Page:
    """The viewer's page of a world, which a notebook shows: `world.view()` as the last line of a cell.

    The world runs in a process of its own, from its start, on a free port of this machine. It ends with `close`, with the
    `with` block, once nothing refers to it any more, and with this process.
    """

    def __init__(self, spec: Any, context: Context, *, seed: int = 0, paused: bool = False, width: str | int = "100%", height: str | int = 480,
                 origins: Iterable[str] = NOTEBOOKS, port: int = 0, command: str | os.PathLike[str] | None = None,
                 options: Iterable[str] = (), **channels: Any):
        if context.own:
            raise Error("a page runs in a process of its own, without controllers and components in Python", element=context.own[0].name)
        self.width, self.height = width, height
        words = [_command(command), "view", context.name, "--no-open", "--end-with-input", f"--port={port}", f"--seed={seed}",
                 *_channel_options(channels)]
        words += ["--paused"] * bool(paused)
        words += [f"--frame-ancestors={origin}" for origin in origins]
        words += [f"--{option}={os.path.abspath(value)}" for option, value in context.reads]
        # once it answers, it has read the world
        with tempfile.TemporaryDirectory(prefix="rut_page_") as folder:
            self._start(spec, [*words, *options], folder)

    def _start(self, spec: Any, words: list[str], folder: str) -> None:
        error = ffi.new("rutError*")
        name = Path(folder, Path(words[2]).name)
        check(lib.rut_spec_save(spec, os.fsencode(name), error), error)
        words[2] = os.fspath(name)
        said, failed = Path(folder, "said.txt"), Path(folder, "failed.txt")
        # in a session of its own: a notebook's interrupt is for the cell that runs
        with open(said, "wb") as out, open(failed, "wb") as errors:
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, stderr=errors, start_new_session=True)
        self._finalize = weakref.finalize(self, _end, process, os.getpid())
        try:
            self.url = self._wait(process, said, failed)
        except BaseException:
            self.close()
            raise

    def _wait(self, process: subprocess.Popen[bytes], said: Path, failed: Path) -> str:
        """Its address, once it answers there."""
        begin = time.monotonic()
        while time.monotonic() - begin < _START:
            ended = process.poll() is not None
            found = re.match(r"listening on (http://([^/]+)/\S*)\n", said.read_text("utf-8", "replace"))
            if found and self._answers(found[2]):
                return found[1]
            if ended:
                told = failed.read_text("utf-8", "replace").strip().removeprefix("rut: error: ")
                raise Error(told or f"rut view ended with exit code {process.returncode}")
            time.sleep(_LOOK)
        raise Error(f"rut view does not answer after {_START:g} s", status="IO")

    @staticmethod
    def _answers(place: str) -> bool:
        connection = http.client.HTTPConnection(place, timeout=_START)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("HEAD", "/")
            return connection.getresponse().status == 200
        return False

    @property
    def closed(self) -> bool:
        """Whether `close` has ended it."""
        return not self._finalize.alive

    def close(self) -> None:
        """End the run and the page. Closing twice does nothing."""
        self._finalize()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        if self.closed:
            return "<p>This page was closed.</p>"
        # gamepads and full screen are not for pages within pages unless they are told so
        return (f'<iframe src="{html.escape(self.url)}" width="{html.escape(str(self.width))}" height="{html.escape(str(self.height))}" '
                'style="border: 0" allow="gamepad; fullscreen" title="rut view"></iframe>')

    def __repr__(self) -> str:
        return "<rut.Page, closed>" if self.closed else f"<rut.Page at {self.url}>"
