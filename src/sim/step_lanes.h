// SPDX-License-Identifier: BSD-3-Clause
//
// Planar vehicles that share lanes and whose drives, tyres or bodies differ: these are called lane
// by lane, as those of lone vehicles, and have their bits. Rows are those of all lanes.
#ifndef RUT_SIM_STEP_LANES_H
#define RUT_SIM_STEP_LANES_H

#include "sim/model.h"

// As `torque`, `limits` and `gain` of rutDriveType. in->plan is not looked at.
void rut_plane_torque(const rutGroup* group, const rutDriveIn* in, double* state, double* torque);
void rut_plane_limits(const rutGroup* group, const rutDriveIn* in, const double* state, double* low,
                      double* high);
void rut_plane_gain(const rutGroup* group, const rutDriveIn* in, const double* state, double* gain);
// As `force` of rutTyreType.
void rut_plane_tyres(const rutGroup* group, const rutTyreIn* in, double* state,
                     const rutTyreOut* out);
// As rut_mbd_accelerate, with a scratch of as many lanes.
void rut_plane_accelerate(const rutGroup* group, const rutMbdIn* in, double* scratch,
                          double* acceleration);

#endif  // RUT_SIM_STEP_LANES_H
