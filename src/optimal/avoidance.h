// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_OPTIMAL_AVOIDANCE_H
#define RUT_OPTIMAL_AVOIDANCE_H

#include "rut/avoidance.h"

// For tests: the largest difference between the derivatives of the problem of the first candidate,
// along the way that it guesses, `bent` by some of each variable's scale, and differences
// (rut_mpc_differences). Memory as in rut_avoidance_decide. -1 if there is no candidate.
double rut_avoidance_differences(const rutAvoidanceQuestion* question, void* work, double bent);

#endif  // RUT_OPTIMAL_AVOIDANCE_H
