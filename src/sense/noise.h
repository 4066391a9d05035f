// SPDX-License-Identifier: BSD-3-Clause
//
// Random errors and limits of a measured number.
//
// The Allan model of one axis is the sum of three processes (IEEE Std 952-1997, annex C), whose
// Allan variance over an averaging time t is
//   N^2/t + (2 ln 2/pi) B^2 + K^2 t/3.
// N, white noise: independent numbers of variance N^2/T, T being the time between samples.
// K, random walk: independent steps of variance K^2 T.
// B, flicker noise: power spectral density B^2/(2 pi f). It is the sum of Gauss-Markov processes
// whose correlation times c_i = r^i s are a factor r apart. Each has the two-sided density
// 2 v c/(1 + (2 pi f c)^2); the sum over i becomes an integral over ln c/ln r, v/(2 f ln r), so
// that each has the variance v = B^2 ln r/pi. With r = 10 the density is within 6 % of B^2/(2 pi
// f).
#ifndef RUT_SENSE_NOISE_H
#define RUT_SENSE_NOISE_H

#include "math/rut_math.h"
#include "rut/sensor.h"

// Gauss-Markov processes of the flicker noise, with correlation times 1, 10, ..., 10^4 s.
enum { RUT_FLICKER_STAGES = 5 };
static const double RUT_FLICKER_RATIO = 10;

typedef struct rutAllanParam {
  double white;    // N [unit/sqrt(Hz)]
  double flicker;  // B [unit]
  double walk;     // K [unit/sqrt(s)]
} rutAllanParam;

typedef struct rutAllanState {
  double walk, flicker[RUT_FLICKER_STAGES];
} rutAllanState;

enum { RUT_ALLAN_NORMALS = 2 + RUT_FLICKER_STAGES };  // normal numbers of a step

// Gauss-Markov process of a standard deviation and correlation time after a time (exact).
RUT_INLINE double rut_gauss_markov(double value, double deviation, double correlation, double time,
                                   double normal) {
  const double kept = rut_exp(-time / correlation);
  return kept * value + deviation * rut_sqrt(1 - kept * kept) * normal;
}

RUT_INLINE double rut_flicker_deviation(double flicker) {
  return flicker * rut_sqrt(rut_log(RUT_FLICKER_RATIO) / RUT_PI);
}

// Flicker noise at its start: each process as if it had run for ever.
RUT_INLINE void rut_allan_start(const rutAllanParam* p, const double normal[RUT_FLICKER_STAGES],
                                rutAllanState* state) {
  const double deviation = rut_flicker_deviation(p->flicker);
  state->walk = 0;
  for (int i = 0; i < RUT_FLICKER_STAGES; i++) state->flicker[i] = deviation * normal[i];
}

// Error of the next sample, a time after the last one.
RUT_INLINE double rut_allan_step(const rutAllanParam* p, double time,
                                 const double normal[RUT_ALLAN_NORMALS], rutAllanState* state) {
  const double root = rut_sqrt(time), deviation = rut_flicker_deviation(p->flicker);
  state->walk += p->walk * root * normal[1];
  double sum = state->walk + p->white / root * normal[0];
  double correlation = 1;
  for (int i = 0; i < RUT_FLICKER_STAGES && deviation > 0; i++) {
    double* x = &state->flicker[i];
    *x = rut_gauss_markov(*x, deviation, correlation, time, normal[2 + i]);
    sum += *x;
    correlation *= RUT_FLICKER_RATIO;
  }
  return sum;
}

// What a converter with a range and steps of a resolution (0: none) makes of a value.
RUT_INLINE double rut_converted(double value, double range, double resolution) {
  const double held = rut_max(rut_min(value, range), -range);
  return resolution > 0 ? resolution * rut_floor(held / resolution + 0.5) : held;
}

// What a sensor tells of a value: the truth if it gives that, else the one with errors, through a
// converter.
RUT_INLINE double rut_measured(const rutSensorIn* in, double truth, double wrong, double range,
                               double resolution) {
  return in->exact ? truth : rut_converted(wrong, range, resolution);
}

#endif  // RUT_SENSE_NOISE_H
