#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the results of a study, a database of rut sweep, as Parquet.

    tools/study_parquet.py STUDY.db STUDY.parquet

Needs pyarrow (pip install pyarrow). Columns are those of the table `run`; what the study is, its inputs and its measures are in the
metadata of the schema. The same merged database gives the same bytes with the same version of pyarrow."""
import json
import sqlite3
import sys

KINDS = {"INTEGER": "int64", "REAL": "float64", "TEXT": "string"}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        sys.exit("study_parquet.py needs pyarrow: pip install pyarrow")
    with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True) as db:
        columns = [(name, KINDS[kind]) for _, name, kind, *_ in db.execute("PRAGMA table_info(run)")]
        rows = db.execute("SELECT * FROM run ORDER BY run").fetchall()
        told = {key: value for key, value in db.execute("SELECT key, value FROM study ORDER BY key")}
        for table in ("input", "measure"):
            cursor = db.execute(f"SELECT * FROM {table} ORDER BY place")
            names = [item[0] for item in cursor.description]
            told[table] = json.dumps([dict(zip(names, row)) for row in cursor])
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns],
                            metadata={f"rut.{key}": str(value) for key, value in told.items()})
    data = [pyarrow.array([row[i] for row in rows], type=schema.field(i).type) for i in range(len(columns))]
    pyarrow.parquet.write_table(pyarrow.table(data, schema=schema), sys.argv[2], compression="zstd")


if __name__ == "__main__":
    main()
