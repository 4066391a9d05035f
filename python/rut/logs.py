# SPDX-License-Identifier: BSD-3-Clause
"""Logs in MCAP: signals of a run over time."""
from __future__ import annotations

import fnmatch
import os
from typing import Any, Mapping

import numpy as np

from ._native import ffi, lib
from .errors import Error, check, nearest, text
from .memory import Handle, view


def frame(columns: Mapping[str, Any]) -> Any:
    """Columns as a DataFrame of pandas or else polars; a dictionary of arrays where neither is installed."""
    try:
        import pandas
        return pandas.DataFrame(columns)
    except ImportError:
        pass
    try:
        import polars
        return polars.DataFrame(columns)
    except ImportError:
        return dict(columns)


class Log:
    """A log of `rut run --log`, of `Simulation.record`, or of another program in ROS 2 messages.

        with rut.Log("run.mcap") as log:
            time, speed = log["hmmwv/speed"]
            table = log.frame("hmmwv/*")
    """

    def __init__(self, path: str | os.PathLike[str]):
        out, error = ffi.new("rutLogFile**"), ffi.new("rutError*")
        check(lib.rut_log_open(os.fsencode(path), out, error), error)
        self._handle: Handle | None = Handle(out[0], lib.rut_log_file_close)

    @property
    def _file(self) -> Any:
        if self._handle is None:
            raise Error("this log was closed")
        return self._handle.pointer

    @property
    def info(self) -> dict[str, Any]:
        """Start and end [s], counts, and whether it is whole: the fields of rutLogInfo."""
        info = lib.rut_log_info(self._file)
        return {name: getattr(info, name) for name, _ in ffi.typeof("rutLogInfo").fields}

    def check(self) -> None:
        """Compare the checksums of all that it holds; raises rut.Error where it is damaged."""
        error = ffi.new("rutError*")
        check(lib.rut_log_check(self._file, error), error)

    @property
    def signals(self) -> dict[str, str]:
        """Names of its signals with their units."""
        rows = [lib.rut_log_signal_at(self._file, i) for i in range(self.info["signals"])]
        return {text(row.name): text(row.unit) for row in rows}

    def metadata(self, key: str, name: str = "rut") -> str:
        """Metadata such as "seed" or "command"; "" if there is none."""
        return text(lib.rut_log_metadata(self._file, name.encode(), key.encode()))

    def read(self, *names: str, start: float = -np.inf, end: float = np.inf) -> list[tuple[np.ndarray, np.ndarray]]:
        """Times [s] and values of signals, for each a pair of arrays in the order of the names."""
        index = []
        for name in names:
            found = lib.rut_log_signal_find(self._file, name.encode())
            if found < 0:
                raise Error(f"no signal '{name}'{nearest(name, list(self.signals))}", element=name)
            index.append(found)
        series, error = ffi.new("rutPythonSeries[]", max(1, len(index))), ffi.new("rutError*")
        chosen = ffi.new("int[]", index)
        selection = ffi.new("rutLogSelection*", (len(index), chosen, start, end))
        status = lib.rut_python_series(self._file, selection, series, error)
        made = []
        for one in series[0:len(index)]:
            pairs = view(Handle(one.pair, lib.rut_python_free), one.pair, (one.n, 2), np.dtype("f8"))
            made.append((pairs[:, 0], pairs[:, 1]))
        check(status, error)
        return made

    def __getitem__(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Times [s] and values of a signal."""
        return self.read(name)[0]

    def frame(self, *patterns: str) -> Any:
        """Signals whose names match patterns as a DataFrame over the times of the first one, its column "t"."""
        known = list(self.signals)
        names = [n for n in known if any(fnmatch.fnmatchcase(n, p) for p in patterns)]
        if not names:
            raise Error(f"no signal matches {', '.join(patterns)}{nearest(patterns[0] if patterns else '', known)}")
        series = self.read(*names)
        time = series[0][0]
        columns = {"t": time}
        for name, (at, values) in zip(names, series):
            # the last value at or before each time
            last = np.searchsorted(at, time, "right") - 1
            columns[name] = np.where(last >= 0, values[np.maximum(last, 0)], np.nan) if len(at) else np.full(len(time), np.nan)
        return frame(columns)

    def close(self) -> None:
        """Close the file; arrays that were read stay."""
        self._handle = None

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rut.Log of {self.info['signals']} signals>" if self._handle is not None else "<rut.Log, closed>"
