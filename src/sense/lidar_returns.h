// SPDX-License-Identifier: BSD-3-Clause
//
// Receiver of a lidar: returns of a pulse from what its rays have hit.
//
// Powers are over that of a white surface that is hit squarely at 1 m in clear air: rho cos(i)/d^2
// exp(-2 b d), with d in metres.
#ifndef RUT_SENSE_LIDAR_RETURNS_H
#define RUT_SENSE_LIDAR_RETURNS_H

#include "sense/lidar_weather.h"

enum { RUT_LIDAR_MAX_ECHOES = 8 };  // of a pulse

typedef struct rutLidarReceiver {
  const rutLidarParam* param;
  double threshold;   // power at the limit of detection, 0: all is detected
  double extinction;  // of the air [1/m]
  rutLidarAir air;
} rutLidarReceiver;

typedef struct rutLidarEcho {
  double range, power;
  int number;  // among those of the pulse that were detected, from the nearest: 1, 2, ...
} rutLidarEcho;

// Echoes of a pulse, by distance.
typedef struct rutLidarEchoes {
  int n;
  rutLidarEcho echo[RUT_LIDAR_MAX_ECHOES];
} rutLidarEchoes;

void rut_lidar_receiver(const rutLidarParam* param, bool exact, rutLidarReceiver* out);
// Power of a hit at a distance, of a ray with this part of the energy of its beam. incidence:
// cosine of the angle between the ray and the surface's normal, of either sign.
double rut_lidar_power(const rutLidarReceiver* receiver, double range, double incidence,
                       double part);
// Echoes of n hits; sorts them. Hits of a surface nearer to each other than the pulse is long make
// one echo.
void rut_lidar_echoes(const rutLidarReceiver* receiver, int n, double* range, double* power,
                      rutLidarEchoes* out);
// One more echo, of a distance that the others do not matter to; none if there are too many.
void rut_lidar_add_echo(double range, double power, rutLidarEchoes* echoes);
// Standard deviation of the range of an echo [m].
double rut_lidar_range_deviation(const rutLidarReceiver* receiver, double power);
// Puts those echoes first that are to be kept first, numbered.
void rut_lidar_arrange(const rutLidarReceiver* receiver, rutLidarEchoes* echoes);

#endif  // RUT_SENSE_LIDAR_RETURNS_H
