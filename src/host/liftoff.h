// SPDX-License-Identifier: BSD-3-Clause
//
// The runs of which tables of steering angles at which a wheel lifts are made.
#ifndef RUT_HOST_LIFTOFF_H
#define RUT_HOST_LIFTOFF_H

#include "host/track.h"
#include "math/liftoff_table.h"
#include "rut/batch.h"

// One run of the manoeuvre: what is driven, and what came out.
typedef struct rutLiftoffRun {
  double at[RUT_LIFTOFF_AXES];
  double steering;              // to reach [rad]
  bool lifted, diverged, back;  // back: it turns to the other side
  int wheel;                    // with the least load
  double turn, turn_rate;       // largest lateral acceleration and yaw rate of a turn [m/s2, rad/s]
  // When a wheel had its least load, after the wheels began to turn: that load [N], these two, and
  // speed [m/s].
  double load, lateral_acceleration, yaw_rate, speed;
  // The largest lateral acceleration while the angle first grows [m/s2], and with it yaw rate,
  // speed and angle.
  double most, most_yaw_rate, most_speed, most_steering;
} rutLiftoffRun;

// Copies of one vehicle on one slope that drive the manoeuvre at once.
typedef struct rutLiftoffStage {
  rutTrack track;
  rutBatch* batch;     // owned
  rutLiftoffRun* run;  // one a copy; the caller's
  int runs;
  double lock;       // largest angle of the steered wheels [rad]
  double load;       // at which a wheel counts as lifted [N]
  double centre[6];  // mount at the chassis's centre of mass
  int wheels;
} rutLiftoffStage;

// Take the vehicle and lay the ground of a def. Errors: those of rut_liftoff_create.
rutStatus rut_liftoff_open(const rutSpec* world, const rutLiftoffDef* def, rutLiftoffStage* stage,
                           rutError* err);
// A batch for runs, which begin at their own speeds, all on one slope. Errors: those of
// rut_batch_create.
rutStatus rut_liftoff_prepare(rutLiftoffStage* stage, rutLiftoffRun* run, int runs, double slope,
                              int workers, rutError* err);
// Drive all runs but those that `skip` (Nullable) has true for.
rutStatus rut_liftoff_drive(rutLiftoffStage* stage, const bool* skip, rutError* err);
void rut_liftoff_close(rutLiftoffStage* stage);

#endif  // RUT_HOST_LIFTOFF_H
