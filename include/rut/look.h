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

// Reflectance in red, green and blue light, linear, that cameras see of a <block> or <wall> without
// a mesh: that of its <material>, or its own color, or that of concrete.
RUT_API void rut_element_reflectance(const rutSpec* spec, rutNode node, double colour[3]);
// The same of the ground of a soil, counted as in RUT_SOIL, or (-1) without one: that of its
// <material>, or of the world's, or the preset that the name of the soil says.
RUT_API void rut_soil_reflectance(const rutModel* model, int soil, double colour[3]);

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
