// SPDX-License-Identifier: BSD-3-Clause
//
// Where sensors and all that moves were when a sensor took its last sample, for sensors that ask
// for it (rutSensorType.past). It stands among the samples, so that saved states have it.
#ifndef RUT_SIM_PAST_H
#define RUT_SIM_PAST_H

#include "sim/model.h"

// Doubles that a sensor with a past has, with all its bodies.
size_t rut_past_size(const rutModel* model);
// Indices of the bodies that rays have hit, -1 for what never moves.
int rut_past_body_of_prism(const rutModel* model, int prism);
int rut_past_body_of_visual(const rutModel* model, int visual);
int rut_past_body_of_ground(const rutModel* model, int source);

// Keep the present places as those of the sample that a sensor with this motion has just taken.
void rut_past_keep(const rutModel* model, const rutData* data, int sensor, const rutMotion* motion);
// Motion of the sensor in its last sample; false before the first.
bool rut_past_motion(const rutModel* model, const rutData* data, int sensor, rutMotion* out);
// Where a point of a body, now at `at` in the world, was then. What never moves stays.
void rut_past_point(const rutModel* model, const rutData* data, int sensor, int body,
                    const double at[3], double out[3]);

#endif  // RUT_SIM_PAST_H
