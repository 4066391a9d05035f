// SPDX-License-Identifier: BSD-3-Clause
//
// The standard normal distribution.
#ifndef RUT_MATH_NORMAL_H
#define RUT_MATH_NORMAL_H

// Probability of a number below x, to 1e-15.
double rut_normal_cdf(double x);
// The number below which others are with probability p, in (0, 1), to 1e-15 of itself.
double rut_normal_quantile(double p);

#endif  // RUT_MATH_NORMAL_H
