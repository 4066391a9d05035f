// SPDX-License-Identifier: BSD-3-Clause
//
// Moments of a run that is over: sensors look at a world whose vehicles, wheels, blocks and
// mechanisms stand where a log says they stood. Nothing is simulated.
#ifndef RUT_REPLAY_H
#define RUT_REPLAY_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// A moment, as outputs of the elements tell it. What is not finite is not known: that element stays
// as it is. Poses are x y z [m], roll pitch yaw [rad]. Nullable: arrays of which nothing is known.
typedef struct rutMoment {
  double time;            // [s]; actors and blocks on keyframes follow from it
  const double* vehicle;  // [vehicles][6] poses, as in rutVehicleState
  const double* wheel;    // [wheels][3] angle, steer [rad] and travel [m], as in rutWheelState
  const double* block;    // [blocks][6] poses, as of rut_block_state; of those that move
  const double* joint;    // positions of the joints of all mechanisms, one after the other
} rutMoment;

// Put everything in its place at a moment. Velocities stay as they were, and the ground has no ruts
// but those of the data. Errors: ARGUMENT (data of another model, or a time that is not finite).
// Nullable: err.
RUT_API rutStatus rut_replay_show(const rutModel* model, rutData* data, const rutMoment* moment,
                                  rutError* err);

// Take the sample that a sensor takes at this time, with its noise; rut_sensor_output shows it.
// Errors: ARGUMENT (no such sensor; it takes no sample at this time; it has a latency, failures,
// sub-frames or a state, so that a sample depends on more than the moment). Nullable: err.
RUT_API rutStatus rut_replay_sample(const rutModel* model, rutData* data, int sensor,
                                    rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_REPLAY_H
