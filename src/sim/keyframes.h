// SPDX-License-Identifier: BSD-3-Clause
//
// Where things along keyframes are at a time.
#ifndef RUT_SIM_KEYFRAMES_H
#define RUT_SIM_KEYFRAMES_H

#include "sim/model.h"

// Time along the keyframes of a block, from that of the simulation: a sequence that repeats goes
// on, one that does not stays just before its end.
double rut_keyframe_time(const rutBlockRecord* block, double time);
// The keyframe at the end of the interval that a time lies in, 1 to n - 1, and the part of the
// interval that has passed; the sequence repeats. There are at least two keyframes.
int rut_keyframe_find(const rutKeyframe* frame, int n, double time, double* passed);
// Offset at a time, linear between keyframes; the sequence repeats after the last one.
void rut_keyframe_pose(const rutKeyframe* frame, int n, double time, double pose[6]);

#endif  // RUT_SIM_KEYFRAMES_H
