// SPDX-License-Identifier: BSD-3-Clause
//
// What vibration does to people: absorbed power, and the weighted accelerations of ISO 2631-1. They
// are computed sample by sample and need no vehicle: any acceleration will do, also that of a log.
#ifndef RUT_RIDE_H
#define RUT_RIDE_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// Weightings of an acceleration by its frequency.
typedef enum rutRideWeight {
  // Square root of the power absorbed by a seated person, vertically: the filter of the US Army
  // (Lee and Pradko 1968) as TARDEC and Project Chrono use it, 14.5 s (s + 44)/((s + 63)(s^2 + 24 s
  // + 750)), of an acceleration in ft/s2, which is converted here.
  RUT_RIDE_ABSORBED_POWER,
  RUT_RIDE_WK,  // ISO 2631-1, vertical
  RUT_RIDE_WD,  // ISO 2631-1, horizontal
  RUT_RIDE_WEIGHTS
} rutRideWeight;

// Gain of a weighting at a frequency [Hz]: of absolute values, in W^(1/2)/(m/s2) or, for Wk and Wd,
// without unit. 0 for frequencies that are not positive, and other weightings.
RUT_API double rut_ride_gain(rutRideWeight weight, double frequency);

typedef struct rutRide rutRide;

// Measures since the beginning. Arrays are x y z, weighted by Wd, Wd, Wk.
typedef struct rutRideMeasures {
  double duration;        // [s]
  double absorbed_power;  // vertical, mean [W]
  double weighted[3];     // root mean square, a_w [m/s2]
  double peak[3];         // largest absolute value [m/s2]
  double crest[3];        // crest factor: peak over root mean square, both weighted; 0 at rest
  double mtvv[3];         // largest root mean square over any 1 s [m/s2]
  double vdv[3];          // vibration dose value, (integral a^4 dt)^(1/4) [m/s^1.75]
  double shock;           // largest upward acceleration below 30 Hz (Butterworth, order 4) [m/s2]
  double health;          // vector sum of `weighted` with 1.4, 1.4, 1 [m/s2]
  double comfort;         // the same with 1, 1, 1 [m/s2]
} rutRideMeasures;

// Begin with samples every dt [s], all filters at rest. Between samples the acceleration is taken
// as linear, which lessens it by (pi f dt)^2/3 at a frequency f. The caller owns *out. Errors:
// ARGUMENT (dt not between 1e-7 and 1 s), MEMORY. Nullable: err.
RUT_API rutStatus rut_ride_create(double dt, rutRide** out, rutError* err);
// Add a sample: acceleration without gravity along the person's axes, x forward, y left, z up
// [m/s2]. Never allocates. What is not finite counts as 0.
RUT_API void rut_ride_add(rutRide* ride, const double acceleration[3]);
// Forget all measures, but not what the filters hold: what comes before is run-up.
RUT_API void rut_ride_begin(rutRide* ride);
RUT_API rutRideMeasures rut_ride_measures(const rutRide* ride);
// Nullable: ride.
RUT_API void rut_ride_destroy(rutRide* ride);

#ifdef __cplusplus
}
#endif

#endif  // RUT_RIDE_H
