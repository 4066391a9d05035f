# SPDX-License-Identifier: BSD-3-Clause
"""Results of `rut sweep`, with the standard library's SQLite."""
from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np

from .errors import Error
from .logs import frame


def read_study(path: str | os.PathLike[str]) -> Any:
    """All runs of a study's database as a DataFrame: seed, inputs, measures, end, pass (docs/manual/studies.md).

    pandas or else polars; a dictionary of arrays where neither is installed.
    """
    if not Path(path).is_file():
        raise Error(f"no file '{os.fspath(path)}'", status="IO", file=os.fspath(path))
    base = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    try:
        # what a stranger's file calls in its schema is not run
        base.execute("PRAGMA trusted_schema = OFF")
        cursor = base.execute("SELECT * FROM run")
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    except sqlite3.DatabaseError as failure:
        raise Error(f"no results of a study: {failure}", status="PARSE", file=os.fspath(path)) from failure
    finally:
        base.close()
    columns = {}
    for i, name in enumerate(names):
        values = [row[i] for row in rows]
        numeric = all(v is None or isinstance(v, (int, float)) for v in values)
        if numeric and any(v is None or isinstance(v, float) for v in values):
            columns[name] = np.array([np.nan if v is None else v for v in values], float)
        else:
            columns[name] = np.array(values, dtype=None if numeric else object)
    return frame(columns)
