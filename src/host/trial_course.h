// SPDX-License-Identifier: BSD-3-Clause
//
// The courses of trials: a row of a table each.
#ifndef RUT_HOST_TRIAL_COURSE_H
#define RUT_HOST_TRIAL_COURSE_H

#include "host/track.h"
#include "rut/trial.h"

// A vehicle in a trial.
typedef struct rutTrialCase {
  rutTrack track;
  const rutTrialDef* def;
  double weight;           // [N]
  double parameter;        // of the trial
  double lifted;           // how long a side has had no load [s]
  double furthest, since;  // largest x so far, and when it was reached [m, s]
  double measure;          // of the run
} rutTrialCase;

// What the course of a run is.
typedef struct rutTrialPlan {
  rutTrackDrive drive;
  double duration;      // at most [s]
  double goal;          // x that the last axle shall reach [m]; infinite: drive to the end of time
  double value, place;  // of the quantity; x of the obstacle, for the course's own use
} rutTrialPlan;

typedef struct rutTrialCourse {
  rutTrialInfo told;
  bool steers;  // needs a driver
  // Lay the ground at a value of the quantity, and say how to drive.
  rutStatus (*prepare)(rutTrialCase* on, double value, rutTrialPlan* plan, rutError* err);
  // After each step: PASSED goes on.
  rutTrialEnd (*watch)(rutTrialCase* on, const rutTrialPlan* plan, const rutVehicleState* state);
  rutTrialEnd (*finish)(rutTrialCase* on, const rutTrialPlan* plan);  // at the end. Nullable
} rutTrialCourse;
const rutTrialCourse* rut_trial_courses(int* n);

// Level ground of the definition's soil, or hard ground with a friction. Errors: those of
// rut_track_soil.
rutStatus rut_trial_lay(rutTrialCase* on, double friction, rutError* err);

#endif  // RUT_HOST_TRIAL_COURSE_H
