// SPDX-License-Identifier: BSD-3-Clause
//
// Where the points of a design lie in the unit cube of the inputs that are sampled.
#ifndef RUT_HOST_STUDY_DESIGN_H
#define RUT_HOST_STUDY_DESIGN_H

#include "host/study.h"

// Number of points of the study's design.
int64_t rut_design_points(const rutStudy* study);
// Point of the design, of [0, points): probabilities in (0, 1) of each dimension, u[dimensions].
void rut_design_point(const rutStudy* study, int64_t point, double* u);

#endif  // RUT_HOST_STUDY_DESIGN_H
