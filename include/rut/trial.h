// SPDX-License-Identifier: BSD-3-Clause
//
// Trials of a proving ground: one vehicle of a world, alone, on obstacles that grow until it fails.
#ifndef RUT_TRIAL_H
#define RUT_TRIAL_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// Why a vehicle failed.
#define RUT_TRIAL_END_LIST(X)                                       \
  X(RUT_TRIAL_PASSED, "passed")                                     \
  X(RUT_TRIAL_STUCK, "does not get across")                         \
  X(RUT_TRIAL_TIPPED, "tips over")                                  \
  X(RUT_TRIAL_SLID, "slides off its line")                          \
  X(RUT_TRIAL_TOUCHED, "chassis on the ground")                     \
  X(RUT_TRIAL_JOLTED, "driver's vertical acceleration above 2.5 g") \
  X(RUT_TRIAL_SHAKEN, "driver's absorbed power above 6 W")          \
  X(RUT_TRIAL_LEFT_LANE, "leaves its lane")                         \
  X(RUT_TRIAL_TOO_SLOW, "cannot hold the speed")                    \
  X(RUT_TRIAL_DIVERGED, "the simulation diverged")                  \
  X(RUT_TRIAL_STOPPED, "stopped by the caller")
#define X(name, text) name,
typedef enum rutTrialEnd { RUT_TRIAL_END_LIST(X) RUT_TRIAL_ENDS } rutTrialEnd;
#undef X
RUT_API const char* rut_trial_end_text(rutTrialEnd end);

// A trial raises one quantity from low by steps until the vehicle fails, and then halves the
// interval down to the resolution. Some have a parameter, for a curve.
typedef struct rutTrialInfo {
  const char *name, *doc;
  const char *quantity, *unit;  // what is raised: "speed", "m/s"
  double low, high, step, resolution;
  const char *parameter, *parameter_unit;  // "" for none
  const double* value;                     // usual values of the parameter
  int values;                              // 0 for none
  const char *measure, *measure_unit;      // what is told of the last run that passed; "" for none
} rutTrialInfo;
RUT_API int rut_trial_count(void);
// The one at an index in [0, rut_trial_count()), else one with empty strings.
RUT_API rutTrialInfo rut_trial_info(int trial);
// Index of a trial by its name, -1 if there is none.
RUT_API int rut_trial_find(const char* name);

typedef struct rutTrialDef {
  size_t struct_size;   // set by rut_default_trial
  const char* vehicle;  // Nullable: the first one
  double friction;      // of the hard ground, which does not fall with slip
  const char* soil;     // in place of hard ground: a type of soil, or a preset. Nullable
  int settings;         // of that soil, "field=value"
  const char* const* setting;
  int seed;  // of rough ground
  // Called before each run with the number of runs so far; false stops. Nullable.
  bool (*go_on)(int runs, void* user);
  void* user;
} rutTrialDef;
// The first vehicle on hard ground with a friction of 0.8.
RUT_API rutTrialDef rut_default_trial(void);

// What stability follows from, of the vehicle standing on level ground.
typedef struct rutTrialVehicle {
  const char* name;
  double weight;         // [N]
  double height;         // of the centre of mass of all of it [m]
  double track;          // the largest [m]
  double wheelbase;      // between the first and the last axle [m]
  double front_share;    // of the weight on the first axle
  double static_factor;  // static stability factor, track/(2 height)
  double tip_angle;      // side slope on which it would tip if it were rigid, atan of that [rad]
  double transfer;       // load transfer per lateral acceleration, height/track
} rutTrialVehicle;

typedef struct rutTrialResult {
  double parameter;
  double limit;     // largest value that it passed; NaN: none
  double beyond;    // least value above it at which it failed; NaN: it passed the highest one
  rutTrialEnd end;  // why it failed there
  double measure;   // in the run at the limit; NaN if there is none
  int runs;
} rutTrialResult;

typedef struct rutTrials rutTrials;

// Prepare trials of a vehicle. The spec may go afterwards. Strings of def must stay. The caller
// owns *out. Errors: MODEL (no such vehicle, or not on axles), ARGUMENT (no such soil or setting),
// those of rut_compile. Nullable: def, err.
RUT_API rutStatus rut_trials_create(const rutSpec* world, const rutTrialDef* def, rutTrials** out,
                                    rutError* err);
RUT_API rutTrialVehicle rut_trials_vehicle(const rutTrials* trials);
// Run a trial with its parameter, NaN for the first of its usual values. Errors: ARGUMENT (no such
// trial, or one that needs a driver for a vehicle that does not steer), those of rut_compile.
// Nullable: err.
RUT_API rutStatus rut_trial_run(rutTrials* trials, int trial, double parameter, rutTrialResult* out,
                                rutError* err);
// Write the world of a trial at a value of its quantity as a file for rut run and rut view. Errors:
// those of rut_trial_run and rut_spec_save.
RUT_API rutStatus rut_trial_save(rutTrials* trials, int trial, double parameter, double value,
                                 const char* path, rutError* err);
// Nullable: trials.
RUT_API void rut_trials_destroy(rutTrials* trials);

#ifdef __cplusplus
}
#endif

#endif  // RUT_TRIAL_H
