// SPDX-License-Identifier: BSD-3-Clause
//
// Motion of frames on vehicles, as sensors measure it.
#ifndef RUT_SIM_MOTION_H
#define RUT_SIM_MOTION_H

#include "sim/model.h"

// Motion of a frame that a vehicle carries at mount, x y z roll pitch yaw from its reference point,
// or of one fixed to the world there (vehicle -1).
void rut_mounted_motion(const rutModel* model, const rutData* data, int vehicle,
                        const double mount[6], rutMotion* out);
// Where that frame is from the vehicle's centre of mass, in its own axes [m].
rutVec3 rut_mounted_arm(const rutModel* model, int vehicle, const double mount[6]);
// The same motion some time later [s] (negative: earlier), with constant accelerations: that of the
// centre of mass in the world, and the angular one in the body, with which alpha x r + w x (w x r)
// of the arm r turns.
void rut_motion_shift(const rutMotion* motion, rutVec3 arm, double gravity, double time,
                      rutMotion* out);

// See rutSensorIn.instance_motion.
bool rut_instance_motion(const rutModel* model, const rutData* data, int instance, rutMotion* out);

// Accelerations of a vehicle's centre of mass (on axles that of its chassis) in its own axes, as in
// rutMotion.
void rut_com_acceleration(const rutModel* model, const rutData* data, int vehicle, double proper[3],
                          double angular[3]);

#endif  // RUT_SIM_MOTION_H
