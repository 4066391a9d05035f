// SPDX-License-Identifier: BSD-3-Clause
//
// What curves of a car share: they are worked out from the origin with turning radius 1.
#ifndef RUT_PLAN_CURVE_H
#define RUT_PLAN_CURVE_H

#include "rut/plan.h"

// Angle in [-pi, pi].
double rut_plan_wrap(double angle);
// A pose in the axes of another, lengths over a scale.
rutPlanPose rut_plan_local(const rutPlanPose* from, const rutPlanPose* to, double scale);
bool rut_plan_pose_is_finite(const rutPlanPose* pose);
// True if a curve from the origin leads to a pose, but for rounding.
bool rut_plan_reaches(const rutPlanCurve* curve, const rutPlanPose* to);
// Add a piece of turning radius 1: turn is 1 left, 0 straight, -1 right. Lengths of rounding are
// left out.
void rut_plan_add_piece(rutPlanCurve* curve, double length, int turn);
// Make a curve of turning radius 1 one of another radius.
void rut_plan_scale(rutPlanCurve* curve, double radius);

#endif  // RUT_PLAN_CURVE_H
