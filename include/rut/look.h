// SPDX-License-Identifier: BSD-3-Clause
//
// What things of a model look like to cameras, for programs that draw it.
#ifndef RUT_LOOK_H
#define RUT_LOOK_H

#include "rut/sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// A lamp of a model, in the order of the world's own ones and then of those of each vehicle. *out
// has its position and axes unset; mount is where it is in the frame of the vehicle that carries
// it, or in the world: x y z [m], roll pitch yaw [rad], x being the axis of its beam. False, and
// nothing is written, if there is no lamp of that index.
RUT_API bool rut_model_lamp(const rutModel* model, int index, rutLamp* out, double mount[6]);

#ifdef __cplusplus
}
#endif

#endif  // RUT_LOOK_H
