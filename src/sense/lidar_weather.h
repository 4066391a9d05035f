// SPDX-License-Identifier: BSD-3-Clause
//
// What the air does to a lidar: it weakens its light, and sends some of it back.
#ifndef RUT_SENSE_LIDAR_WEATHER_H
#define RUT_SENSE_LIDAR_WEATHER_H

#include "sense/lidar_rows.h"

enum { RUT_LIDAR_BINS = 64 };

// False returns of the air along a beam.
typedef struct rutLidarAir {
  int bins;                      // 0: there are none
  double first, length;          // distance of the first bin, length of each [m]
  double until[RUT_LIDAR_BINS];  // probability of a return in a bin up to this one
  double power[RUT_LIDAR_BINS];  // of a return in it, as of rutLidarReceiver
} rutLidarAir;

// The air of a world, as in <weather>.
typedef struct rutWeather {
  RUT_WEATHER_ROWS(RUT_PARAM, RUT_PARAM)
  RUT_DUST_ROWS(RUT_PARAM)
} rutWeather;

// Extinction coefficient of the air for green light, 550 nm [1/m].
double rut_visible_extinction(const rutWeather* weather);
// The same for a lidar, one way.
double rut_lidar_extinction(const rutLidarParam* param);
// threshold: power at the limit of detection.
void rut_lidar_air(const rutLidarParam* param, double threshold, rutLidarAir* out);
// Distance and power of the first false return nearer than `limit`, by a uniform number; false if
// there is none.
bool rut_lidar_false_return(const rutLidarAir* air, double uniform, double limit, double* range,
                            double* power);

#endif  // RUT_SENSE_LIDAR_WEATHER_H
