#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C source of the extension module rut._native from the public headers of rut.

    python3 make_native.py COMPILER INCLUDE_FOLDER... OUT.c

The compiler's preprocessor expands the headers; what remains are declarations, which cffi turns into a
module of the stable ABI. So a function, a structure or an enumeration that a header gains is in the binding
without a line of its own.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cffi

HEADERS = ["rut/rut.h", "rut/descriptor.h", "rut/component.h", "rut/sensor.h", "rut/navigation.h", "rut/batch.h", "rut/host.h", "rut/study.h", "rut/mpc.h"]
# what the declarations need of the C library, which cffi knows or sees as numbers of its own
STUBS = {"stdint.h": "", "stddef.h": "", "stdio.h": "", "stdbool.h": "", "string.h": "", "math.h": ""}
# what python/native.h has, functions of Python that C calls, and numbers that are macros
OWN = """
typedef struct rutPythonRun { int64_t steps; rutInputs* inputs; rutLog* log; const int* stop; } rutPythonRun;
rutStatus rut_python_run(const rutModel*, rutData*, const rutPythonRun*, rutError*);
typedef struct rutPythonSeries { double* pair; size_t n, capacity; bool full; } rutPythonSeries;
rutStatus rut_python_series(rutLogFile*, const rutLogSelection*, rutPythonSeries*, rutError*);
typedef struct rutPythonRows {
  int copies, ranges; const int* copy; const rutVariableRange* range; const int* numbers; double *scratch, *apart;
} rutPythonRows;
rutStatus rut_python_rows(rutBatch*, const rutPythonRows*, const rutBatchArray*);
typedef struct rutPythonGoals {
  int lanes, capacity, vehicles, goals; const int64_t* lane; const double *x, *y, *yaw, *goal; double *place, *heading;
} rutPythonGoals;
void rut_python_goals(const rutPythonGoals*);
typedef struct rutPythonCourse {
  rutPythonGoals places; double* goal; double size, reach, prize; double* key; int64_t* reached;
} rutPythonCourse;
void rut_python_course_begin(const rutPythonCourse*, const double* const*);
void rut_python_course_go(const rutPythonCourse*, double*);
typedef struct rutPythonSwarm { rutPythonGoals places; double* near; const double* touches; double* earned; } rutPythonSwarm;
void rut_python_swarm_look(const rutPythonSwarm*);
void rut_python_swarm_go(const rutPythonSwarm*, double*);
typedef struct rutPythonNumber { const double* from; double times, over; bool range; } rutPythonNumber;
typedef struct rutPythonSight { int lanes, numbers; const int64_t* lane; const rutPythonNumber* number; float* out; } rutPythonSight;
void rut_python_see(const rutPythonSight*);
typedef struct rutPythonEpisodes {
  int lanes, horizon; int64_t *episode, *elapsed; const int64_t* seed; int* copy; uint64_t* bits;
} rutPythonEpisodes;
rutStatus rut_python_begin(rutBatch*, const rutPythonEpisodes*, rutPythonRows*, const rutBatchArray*, int, const int64_t*, uint64_t*, double*);
int rut_python_end(const rutPythonEpisodes*, const bool*, bool*, int64_t*);
bool rut_python_clip(ptrdiff_t, double*);
void rut_python_keys(int, const int64_t*, const int64_t*, uint64_t*);
void rut_python_bits(int, const uint64_t*, uint64_t, uint64_t*);
void rut_python_draw(int, const uint64_t*, uint64_t, const double*, double*);
rutStatus rut_python_step_batch(rutBatch*, int, const rutBatchIo*, rutError*);
rutStatus rut_python_rollout(rutBatch*, const rutModel*, const rutData*, const rutRollout*, double*, rutError*);
void rut_python_free(void*);
extern "Python" void rut_python_report(const rutDiagnostic*, void*);
extern "Python" bool rut_python_judge(const rutModel*, const rutData*, int, double*, void*);
extern "Python" void rut_python_update(const void*, const rutVehicleLayout*, const rutControlIn*, double*, const rutControlOut*);
extern "Python" void rut_python_height(const void*, const void*, const rutGroundPoints*, const rutGroundSurface*);
extern "Python" void rut_python_bounds(const void*, const void*, const double*, rutTerrainBounds*);
extern "Python" void rut_python_sample(const void*, const rutSensorIn*, double*, void*, void* const*);
#define RUT_ABI ...
#define RUT_VERSION ...
"""
SOURCE = """
#include <stdio.h>
{includes}
#include "native.h"
"""
INLINE = re.compile(r"static inline [^;{]*\{.*?\n\}", re.S)


def declarations(compiler, folders):
    """The public headers, preprocessed, as cffi reads them."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in STUBS.items():
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        source = "".join(f'#include "{header}"\n' for header in HEADERS)
        flags = ["-E", "-P", "-nostdinc", "-I", scratch, "-U__GNUC__", "-x", "c", "-std=c17", "-D__attribute__(x)=", "-"]
        for folder in folders:
            flags[3:3] = ["-I", folder]
        done = subprocess.run([compiler, *flags], input=source, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return INLINE.sub("", done.stdout)


def main():
    compiler, *folders, out = sys.argv[1:]
    builder = cffi.FFI()
    builder.cdef(declarations(compiler, folders))
    builder.cdef(OWN)
    includes = "\n".join(f'#include "{header}"' for header in HEADERS)
    builder.set_source("rut._native", SOURCE.format(includes=includes), py_limited_api=True)
    builder.emit_c_code(out)


if __name__ == "__main__":
    main()
