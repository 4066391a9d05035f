// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds as functional mock-up units (FMI 2.0 and 3.0, co-simulation): writing such a file, and
// running what it holds. The shared library in an FMU calls the second half of this header.
#ifndef RUT_FMU_H
#define RUT_FMU_H

#include "rut/descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Writing one

typedef struct rutFmuDef {
  size_t struct_size;       // set by rut_default_fmu
  int version;              // of FMI: 2 or 3
  const char* name;         // of the model, "" for that of the file
  const char* description;  // one sentence. Nullable
  uint64_t seed;            // of the noise, unless the user of the FMU sets another
  // Patterns (rut_glob) of the signals that are its outputs; none: those that a log takes.
  int outputs;
  const char* const* output;
  // Patterns of the fields that are its parameters, by the names of `rut run --set`; none: all
  // numbers.
  int parameters;
  const char* const* parameter;
} rutFmuDef;
// FMI 3.
RUT_API rutFmuDef rut_default_fmu(void);

// Write a world, with the files that it reads, as an FMU that holds this library. The spec is
// compiled more than once, and what the FMU will run has the model of the spec, bit by bit. Errors:
// those of rut_compile; ARGUMENT (a pattern matches nothing; no such version), MISSING (without
// minizip or the library for FMUs), MODEL (the world needs what cannot be packed), IO, MEMORY.
// Nullable: err.
RUT_API rutStatus rut_fmu_export(const rutSpec* spec, const rutFmuDef* def, const char* path,
                                 rutError* err);

// ---------------------------------------------------------------------------------------------
// Running what it holds

typedef struct rutFmu rutFmu;

typedef enum rutFmuRole {
  RUT_FMU_TIME,       // the first variable
  RUT_FMU_PARAMETER,  // a field of the world, or the seed; fixed from the first step on
  RUT_FMU_INPUT,      // a set point of a vehicle; holds until changed
  RUT_FMU_OUTPUT      // a signal; of mean accelerations over the last communication step
} rutFmuRole;

// A variable. Its index is its value reference. Numbers are SI. Strings are borrowed.
typedef struct rutFmuVariable {
  const char *name, *unit, *doc;
  rutFmuRole role;
  // RUT_REAL; of parameters also RUT_INTEGER, RUT_BOOLEAN or RUT_CHOICE, whose number is the index
  // of a word.
  rutFieldType type;
  double start;         // of parameters and inputs
  double min, max;      // infinite where there is none
  const char* words;    // of a choice: "a|b|c"
  const rutField* row;  // of a parameter that is a field, else NULL
} rutFmuVariable;

// Called with findings of the world ("world.xml:3:5: error: ..."). Nullable.
typedef void (*rutFmuReport)(rutLevel level, const char* text, void* user);

typedef struct rutFmuFolder {
  const char* path;     // of the resources of an unpacked FMU
  const char* token;    // that it must have. Nullable: any
  rutFmuReport report;  // Nullable
  void* user;
} rutFmuFolder;

// Make an instance. Any number of them may be made in a process, each for one thread at a time. The
// caller owns *out. Errors: IO, PARSE, VERSION (another token), those of rut_compile. Nullable:
// err.
RUT_API rutStatus rut_fmu_open(const rutFmuFolder* folder, rutFmu** out, rutError* err);
RUT_API void rut_fmu_close(rutFmu* fmu);  // Nullable: fmu
// What it was made with, and its model at present, borrowed.
RUT_API const char* rut_fmu_token(const rutFmu* fmu);
RUT_API const rutModel* rut_fmu_model(const rutFmu* fmu);
RUT_API int rut_fmu_variables(const rutFmu* fmu);
// The one at an index in [0, count), else one with empty strings.
RUT_API rutFmuVariable rut_fmu_variable(const rutFmu* fmu, uint32_t index);

// Values of n variables. Errors: ARGUMENT (no such variable; a parameter after the first step, an
// output or a value that its field does not take), those of rut_compile (outputs before the first
// step, of changed parameters), MEMORY; earlier ones of the n are set. Nullable: err.
RUT_API rutStatus rut_fmu_get(rutFmu* fmu, int n, const uint32_t* index, double* value,
                              rutError* err);
RUT_API rutStatus rut_fmu_set(rutFmu* fmu, int n, const uint32_t* index, const double* value,
                              rutError* err);

// Begin a run at a time [s] on the clock of the importing program: parameters are fixed, and the
// world is compiled with them. Errors: those of rut_compile, ARGUMENT (it has begun), MEMORY.
RUT_API rutStatus rut_fmu_start(rutFmu* fmu, double start, rutError* err);
// Go on from a time by a whole number of the world's steps. Errors: ARGUMENT (it has not begun, or
// is not at this time; another step), those of rut_step. Nullable: err.
RUT_API rutStatus rut_fmu_step(rutFmu* fmu, double time, double step, rutError* err);
// Present time on that clock [s].
RUT_API double rut_fmu_time(const rutFmu* fmu);
// As after rut_fmu_open. Errors: those of rut_compile, MEMORY.
RUT_API rutStatus rut_fmu_reset(rutFmu* fmu, rutError* err);

// All of its state, with time, inputs and parameters, in memory that the caller frees with free().
// It can be given back to any instance of the same FMU. Errors: MEMORY, and those of rut_state_get.
RUT_API rutStatus rut_fmu_state_get(rutFmu* fmu, void** bytes, size_t* size, rutError* err);
// Errors: ARGUMENT (no state of this FMU, or damaged), those of rut_compile (other parameters).
RUT_API rutStatus rut_fmu_state_set(rutFmu* fmu, const void* bytes, size_t size, rutError* err);

// ---------------------------------------------------------------------------------------------
// FMUs of others that drive: <controller type="fmu"> and <drive type="fmu"> of a world
//
// Each runs in a process of its own, in step with the run. At times k T, T being the element's
// period, it is given signals of its vehicle, has stepped from (k - 1) T to k T, and its outputs
// become set points of the vehicle, or torques of its wheels (rut_hold_torques). At time 0 it
// begins: its initialization gives the first ones. Those that control a vehicle come before the one
// that is its drive.

typedef struct rutFmuDrivers rutFmuDrivers;

// Start those of a world, in the files that the world names. Its context allows code
// (rut_context_allow_code), or the world would not have compiled. timeout: how long an answer of an
// FMU may take, by the clock [s]. The caller owns *out, NULL where the world has none. Errors: IO
// (no file, an FMU that cannot be loaded, crashes or is silent), MODEL (a signal, set point or
// period that is none, with its place in the world), MISSING (without minizip or the program for
// FMUs), MEMORY. Nullable: err.
RUT_API rutStatus rut_fmu_drivers_open(const rutSpec* spec, const rutModel* model, double timeout,
                                       rutFmuDrivers** out, rutError* err);
// Before each step: where a period begins, exchange numbers. Of jumps of time an FMU follows only
// that to the start: its process is started anew.
// Errors: IO (an FMU that refuses a step, crashes or is silent), ARGUMENT (an output that is not
// finite). Nullable: drivers (does nothing), err.
RUT_API rutStatus rut_fmu_drivers_step(rutFmuDrivers* drivers, const rutModel* model, rutData* data,
                                       rutError* err);
// End their processes, and remove what was unpacked. Nullable: drivers.
RUT_API void rut_fmu_drivers_close(rutFmuDrivers* drivers);

#ifdef __cplusplus
}
#endif

#endif  // RUT_FMU_H
