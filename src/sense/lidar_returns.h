// SPDX-License-Identifier: BSD-3-Clause
//
// Receiver of a lidar: returns of a pulse from what its rays have hit.
//
// Powers are over that of a white surface that is hit squarely at 1 m in clear air: (rho cos(i) +
// pi R_A / cos(i))/d^2 exp(-2 b d), with d in metres.
#ifndef RUT_SENSE_LIDAR_RETURNS_H
#define RUT_SENSE_LIDAR_RETURNS_H

#include "sense/lidar_weather.h"

enum { RUT_LIDAR_MAX_ECHOES = 8 };  // of a pulse

typedef struct rutLidarReceiver {
  const rutLidarParam* param;
  double threshold;   // power at the limit of detection, 0: all is detected
  double extinction;  // of the air [1/m]
  double infrared;    // part of a material's reflectance that is that at 1550 nm, the rest 905 nm
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
// What rays have hit.
typedef struct rutLidarHits {
  int n;
  const double* range;         // [n] negative: nothing
  const double* direction[3];  // x[n], y[n], z[n] of unit vectors, and of the surfaces' normals
  const double* normal[3];
  const int* material;              // [n] -1: unknown, which reflects nothing
  const rutMaterial* of_materials;  // all that there are
  bool retroreflect;                // some of them return light to its source
} rutLidarHits;
// Powers of hits, of rays with this part of the energy of their beam; 0 of those outside the limits
// of range, or without a hit.
void rut_lidar_powers(const rutLidarReceiver* receiver, const rutLidarHits* hits, double part,
                      double* power);
// Echoes of n hits that have power; sorts them. Hits of a surface nearer to each other than the
// pulse is long make one echo.
void rut_lidar_echoes(const rutLidarReceiver* receiver, int n, double* range, double* power,
                      rutLidarEchoes* out);
// One more echo, of a distance that the others do not matter to; none if there are too many.
void rut_lidar_add_echo(double range, double power, rutLidarEchoes* echoes);
// Puts those echoes first that are to be kept first, numbered.
void rut_lidar_arrange(const rutLidarReceiver* receiver, rutLidarEchoes* echoes);

#endif  // RUT_SENSE_LIDAR_RETURNS_H
