// SPDX-License-Identifier: BSD-3-Clause
//
// Host layer: what programs around a simulation usually need, built on rut.h alone. World files
// with settings, set points from a table, logs as CSV files, metrics, and collision events.
#ifndef RUT_HOST_H
#define RUT_HOST_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// Load a world file and apply settings "path=value", such as "r1/wheel[0].radius=0.3 m". A bad
// setting gives RUT_ERR_ARGUMENT and names itself; other errors are those of rut_spec_load. The
// caller owns *out. Nullable: setting if settings is 0, err.
RUT_API rutStatus rut_world_load(rutContext* context, const char* path, int settings,
                                 const char* const* setting, rutSpec** out, rutError* err);

// Load a plug-in, a shared library with component types of its own, and register them all. The
// library has a function
//   const rutComponent* const* rut_plugin(void);
// that returns its descriptors (rut/component.h), a NULL after the last. A path without '/' is a
// file in the working folder: no other place is searched. What was loaded stays so until the
// process ends. A plug-in is a program: load none that you would not run. Errors: IO (no such
// file), PARSE (not a shared library, or one it needs is missing), VERSION (no rut_plugin, or
// another ABI), and those of rut_register; types before the faulty one stay registered. Nullable:
// err.
RUT_API rutStatus rut_plugin_load(rutContext* context, const char* path, rutError* err);

// Nearest of n candidates to a misspelt word, NULL if none is near enough to be what was meant.
RUT_API const char* rut_nearest(const char* word, size_t n, const char* const* candidate);

// ---------------------------------------------------------------------------------------------
// Inputs: set points of controllers over time
//
// A CSV table: header "t,vehicle,..." (the names after the first two are for people), then rows
// "time,vehicle,value,value,..." with ascending times [s] and values in SI in the order of the
// vehicle's command names. Values missing at the end of a row keep what they were. Empty lines and
// lines that begin with # are skipped.

typedef struct rutInputs rutInputs;

// Read a table. Errors: IO, PARSE with file, line and column, MEMORY. The caller owns *out.
RUT_API rutStatus rut_inputs_load(const rutModel* model, const char* path, rutInputs** out,
                                  rutError* err);
// The same from memory; name stands for the file in messages. text need not end with a zero.
RUT_API rutStatus rut_inputs_parse(const rutModel* model, const char* text, size_t size,
                                   const char* name, rutInputs** out, rutError* err);
// Give data every set point that is due before the step from now on (t <= time + 1e-9 s). Call it
// before each step. Errors: those of rut_command.
RUT_API rutStatus rut_inputs_apply(rutInputs* inputs, const rutModel* model, rutData* data);
// Start over, after data was reset.
RUT_API void rut_inputs_rewind(rutInputs* inputs);
// Number of rows.
RUT_API size_t rut_inputs_count(const rutInputs* inputs);
// Nullable: inputs.
RUT_API void rut_inputs_destroy(rutInputs* inputs);

// ---------------------------------------------------------------------------------------------
// Logs as CSV files, one per vehicle, sensor, mechanism and moving block, and one of collision
// events
//
// Numbers have 17 significant digits, so that they read back to the same double.

typedef struct rutCsvLog rutCsvLog;

typedef struct rutCsvLogDef {
  const char* folder;  // created if it is not there
  int every;           // a row after every this many steps, >= 1 (events and samples: all of them)
  // File names of vehicles without ".csv", NULL or "" for the vehicle's own name. Nullable: name.
  const char* const* name;
} rutCsvLogDef;

// Open the files, write headers and a row of the present state. Errors: ARGUMENT, IO, MEMORY. The
// caller owns *out and ends it with rut_csv_log_close.
RUT_API rutStatus rut_csv_log_create(const rutModel* model, const rutData* data,
                                     const rutCsvLogDef* def, rutCsvLog** out, rutError* err);
// Log the state after a step. Call it after every rut_step. Errors: IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_csv_log_step(rutCsvLog* log, const rutModel* model, const rutData* data,
                                   rutError* err);
// Write nothing until resumed. Collisions that begin or end meanwhile are not logged.
RUT_API void rut_csv_log_pause(rutCsvLog* log);
// Go on in the same files, from the next step.
RUT_API void rut_csv_log_resume(rutCsvLog* log);
// Close the files and go on in new ones, NAME-2.csv, NAME-3.csv, ..., that begin with the present
// state. Errors: IO, MEMORY; the log must then still be closed. Nullable: err.
RUT_API rutStatus rut_csv_log_restart(rutCsvLog* log, const rutModel* model, const rutData* data,
                                      rutError* err);
// Write what is buffered and destroy the log. Errors: IO. Nullable: log, err.
RUT_API rutStatus rut_csv_log_close(rutCsvLog* log, rutError* err);

// ---------------------------------------------------------------------------------------------
// Ruts as a file

// Write the ruts of a world with <deformable>: changes of height as an ESRI ASCII grid if path ends
// in ".asc" (0 where nothing has changed), else a CSV table of the cells that have changed. Errors:
// ARGUMENT (it keeps none), CAPACITY (too far apart for a raster), IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_ruts_save(const rutModel* model, const rutData* data, const char* path,
                                rutError* err);

// ---------------------------------------------------------------------------------------------
// Metrics: what a manoeuvre is judged by
//
// Vehicles on axles are watched that have a driver with a manoeuvre (controller "driver"), or a
// hitch. Accelerations, roll rates and loads pass a Butterworth filter of order 4 at 10 Hz.
// "steady" is the mean over the last fifth of the run, wheel loads are over those at the start.

typedef struct rutMetrics rutMetrics;

typedef struct rutMetric {
  char name[48];     // "lateral_acceleration_max"
  const char* unit;  // SI, "" for ratios
  double value;
} rutMetric;

// Begin at the present state of a run that will take `duration` [s]. The caller owns *out. Errors:
// MEMORY. Nullable: err.
RUT_API rutStatus rut_metrics_create(const rutSpec* spec, const rutModel* model,
                                     const rutData* data, double duration, rutMetrics** out,
                                     rutError* err);
// Take in a step. Call it after every rut_step.
RUT_API void rut_metrics_step(rutMetrics* metrics, const rutModel* model, const rutData* data);
// Metrics of a vehicle so far: up to n of them in out, in an order for people; returns their
// number, which may be larger, and is 0 for vehicles that are not watched. Nullable: out if n is 0.
RUT_API int rut_metrics_get(const rutMetrics* metrics, const rutModel* model, int vehicle, int n,
                            rutMetric* out);
// The driver's word for what a vehicle does, "drawbar_pull" for a hitch without one, "" if it is
// not watched.
RUT_API const char* rut_metrics_manoeuvre(const rutMetrics* metrics, int vehicle);
// Nullable: metrics.
RUT_API void rut_metrics_destroy(rutMetrics* metrics);

// ---------------------------------------------------------------------------------------------
// Signals: every number of a run that a person would plot
//
// Named "vehicle/speed", "vehicle/wheel/load", "block/x", "sensor/nearest", "mechanism/q0", and
// "ruts/max_depth" of ground that keeps ruts. Angles are in radians; words as of rut.h.

typedef struct rutSignals rutSignals;

typedef struct rutSignal {
  const char *name, *unit, *doc;  // borrowed; unit is "" for ratios and flags
  const char* element;            // what it tells about, the name up to its last '/'
} rutSignal;

// List the signals of a world, in an order for people: vehicle by vehicle, each before its wheels.
// The caller owns *out. Errors: MEMORY. Nullable: err.
RUT_API rutStatus rut_signals_create(const rutModel* model, rutSignals** out, rutError* err);
RUT_API int rut_signals_count(const rutSignals* signals);
// The one at an index in [0, count), else one with empty strings.
RUT_API rutSignal rut_signals_at(const rutSignals* signals, int index);
// Index of a signal by its whole name, -1 if there is none.
RUT_API int rut_signals_find(const rutSignals* signals, const char* name);
// Signal of a misspelt name that was probably meant, NULL if none is near.
RUT_API const char* rut_signals_nearest(const rutSignals* signals, const char* name);
// Values of n signals, by index, as they are in data. Computes what is asked only, best with the
// indices in ascending order, and does not allocate. Accelerations are the mean since the last
// call that asked for one of that vehicle (0 at first, and after time has gone back), so each
// reader needs signals of its own. NaN for an index out of range, and for what is not there, such
// as the nearest range of a laser that hits nothing.
RUT_API void rut_signals_read(rutSignals* signals, const rutModel* model, const rutData* data,
                              int n, const int* index, double* out);
// Nullable: signals.
RUT_API void rut_signals_destroy(rutSignals* signals);

// True if a pattern with * (any text) and ? (any character) matches all of a name.
RUT_API bool rut_glob(const char* pattern, const char* name);

// ---------------------------------------------------------------------------------------------
// Collision events: which pairs of things begin and end to touch from one step to the next

typedef struct rutContactWatch rutContactWatch;

// One touching pair, in a fixed order, the fixed world (kind -1) last.
typedef struct rutContactPair {
  int kind_a, index_a, kind_b, index_b;
  double position[2], normal[2];  // world; the normal points from a to b
} rutContactPair;

typedef void (*rutContactEvent)(const rutContactPair* pair, bool begin, void* user);

// A watch for which nothing touches yet. NULL if out of memory.
RUT_API rutContactWatch* rut_contact_watch_create(void);
// Compare the present contacts with those of the last call, and tell each difference. Call it after
// every rut_step. Errors: MEMORY. Nullable: event.
RUT_API rutStatus rut_contact_watch_update(rutContactWatch* watch, const rutModel* model,
                                           const rutData* data, rutContactEvent event, void* user);
// Nullable: watch.
RUT_API void rut_contact_watch_destroy(rutContactWatch* watch);

#ifdef __cplusplus
}
#endif

#endif  // RUT_HOST_H
