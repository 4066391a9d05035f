// SPDX-License-Identifier: BSD-3-Clause
//
// What each controller and sensor does in a step, as it does it, for a clock outside.
#ifndef RUT_PROFILE_H
#define RUT_PROFILE_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// One decision of a controller, one step of stability control, or part of one sample of a sensor.
typedef struct rutProfiled {
  rutKind kind;    // RUT_VEHICLE or RUT_SENSOR
  int index;       // of the sensor, or of the vehicle: the first one of those below
  int vehicles;    // for which this decides at once; 1 for a sensor
  int controller;  // its place in the vehicle, the outermost first; -1: stability control, a sensor
  const char* type;  // of controller or sensor, or "stability"; lives as long as the model
} rutProfiled;
// Called in the step right before (begins) and right after a piece of work.
typedef void (*rutProfileFunction)(void* user, const rutProfiled* work, bool begins);
// Tell of all work from now on, NULL: of none (at first). Meanwhile steps use one thread, with the
// same results, and controllers with host="true" decide in the step that asks them. A data in a
// batch tells nothing.
RUT_API void rut_profile_tell(rutData* data, rutProfileFunction function, void* user);

#ifdef __cplusplus
}
#endif

#endif  // RUT_PROFILE_H
