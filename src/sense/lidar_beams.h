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
  double* key;            // [keys + 1][12] poses at even times: position, axes
  int keys;               // 0: one pose
  int azimuths, heights;  // lengths of these lists
  const double *azimuth, *height;
} rutLidarSweep;

// One firing. Vectors are in the sensor's frame as it is at that moment.
typedef struct rutLidarBeam {
  double time;  // [s] before the end of the sweep, <= 0
  double elevation_sine, elevation_cosine, azimuth_sine, azimuth_cosine;
  rutVec3 origin, along;  // along: unit vector
} rutLidarBeam;

// Elevation of a channel [rad].
double rut_lidar_elevation(const rutLidarParam* param, int channel);
// Time from the first to the end of the last column of a sample [s].
double rut_lidar_duration(const rutLidarParam* param);
// Numbers of memory for a sweep.
size_t rut_lidar_sweep_size(const rutLidarParam* param);
void rut_lidar_sweep(const rutLidarParam* param, const rutSensorIn* in, double* memory,
                     rutLidarSweep* out);
rutLidarBeam rut_lidar_beam(const rutLidarSweep* sweep, int channel, int column);
// Pose of the sensor at the firing.
void rut_lidar_pose(const rutLidarSweep* sweep, double time, rutVec3* position, rutMat3* axes);
// Direction that deviates from the beam's by the tangents `left` and `up`, a unit vector.
rutVec3 rut_lidar_deviate(const rutLidarBeam* beam, double left, double up);

#endif  // RUT_SENSE_LIDAR_BEAMS_H
