// SPDX-License-Identifier: BSD-3-Clause
//
// What things of a model look like to cameras, for programs that draw it.
#ifndef RUT_LOOK_H
#define RUT_LOOK_H

#include "rut/rut.h"
#include "rut/sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// A lamp of a model, in the order of the world's own ones and then of those of each vehicle. *out
// has its position and axes unset; mount is where it is in the frame of the vehicle that carries
// it, or in the world: x y z [m], roll pitch yaw [rad], x being the axis of its beam. False, and
// nothing is written, if there is no lamp of that index.
RUT_API bool rut_model_lamp(const rutModel* model, int index, rutLamp* out, double mount[6]);

// What images on the ground show at n points, from above: reflectances in red, green and blue
// light, linear, means over squares of the side `across` [m]; NaN where the ground shows none.
// False, and nothing is written, in a world without such images; those of a world without sensors
// are not read.
RUT_API bool rut_ground_images(const rutModel* model, const rutData* data,
                               const rutGroundPoints* at, double across, double (*colour)[3]);

#ifdef __cplusplus
}
#endif

#endif  // RUT_LOOK_H
