// SPDX-License-Identifier: BSD-3-Clause
//
// Beams of a lidar: where and when each of them starts, and where it points.
#ifndef RUT_SENSE_LIDAR_BEAMS_H
#define RUT_SENSE_LIDAR_BEAMS_H

#include "math/vec.h"
#include "sense/lidar_rows.h"

// The beams of one sample.
typedef struct rutLidarSweep {
  const rutLidarParam* param;
  double end;             // time of the sample, at which the sweep ends [s]
  double duration;        // [s]
  double start, step;     // spinning: azimuth of the first column; from column to column [rad]
  double column_time;     // from column to column [s]
  double *sine, *cosine;  // [channel] of the elevation
  double* key;            // [12][keys + 1] poses at even times: position, axes
  int keys;               // 0: one pose
  int azimuths, heights;  // lengths of these lists
  const double *azimuth, *height;
} rutLidarSweep;

// Firings of one channel, column after column. Vectors are in the sensor's frame as it is at each.
typedef struct rutLidarBeams {
  int n;
  double* time;  // [n] before the end of the sweep, <= 0 [s]
  double *elevation_sine, *elevation_cosine, *azimuth_sine, *azimuth_cosine;
  double *x, *y, height;  // origins
  double* along[3];       // unit vectors
  double* pose[12];       // of the sensor in the world: position, axes by rows
} rutLidarBeams;
enum { RUT_LIDAR_BEAM_ARRAYS = 10 + 12 };

// Where the rays of a beam point: tangents of angles from its axis, of the ray and the standard
// deviation of noise, with normal numbers [n] (unused if there is none).
typedef struct rutLidarAim {
  double left, up, noise;
  const double *noise_left, *noise_up;
} rutLidarAim;

// Elevation of a channel [rad].
double rut_lidar_elevation(const rutLidarParam* param, int channel);
// Time from the first to the end of the last column of a sample [s].
double rut_lidar_duration(const rutLidarParam* param);
// Numbers of memory for a sweep.
size_t rut_lidar_sweep_size(const rutLidarParam* param);
// Beams of a sweep, of which those of columns from column[0] to before column[1] will be asked for.
void rut_lidar_sweep(const rutLidarParam* param, const rutSensorIn* in, const int column[2],
                     double* memory, rutLidarSweep* out);
// Arrays for up to `most` beams in a memory of RUT_LIDAR_BEAM_ARRAYS times as many numbers.
void rut_lidar_beams_in(double* memory, int most, rutLidarBeams* out);
// The arrays of n of them, from one on.
void rut_lidar_beams_from(const rutLidarBeams* all, int first, int n, rutLidarBeams* out);
// Firings of a channel from a column on, out->n of them.
void rut_lidar_beams(const rutLidarSweep* sweep, int channel, int column, rutLidarBeams* out);
// One ray of each beam, in the world: origins and unit vectors [n]. Nullable: aim, along the axes.
void rut_lidar_rays(const rutLidarBeams* beams, const rutLidarAim* aim, double* const origin[3],
                    double* const direction[3]);

// Points of returns, each at its range along its beam; NaN where that is below 0.
typedef struct rutLidarPoints {
  const double* range;  // [return][channel][column]
  double *x, *y, *z;    // likewise
} rutLidarPoints;
// Memory as for a sweep and the arrays of `most` beams.
void rut_lidar_place_points(const rutLidarParam* param, const rutSensorIn* in, int most,
                            double* memory, const rutLidarPoints* out);

#endif  // RUT_SENSE_LIDAR_BEAMS_H
