// SPDX-License-Identifier: BSD-3-Clause
//
// Point clouds in the formats of files.
#ifndef RUT_HOST_CLOUD_FILE_H
#define RUT_HOST_CLOUD_FILE_H

#include "host/bytes.h"

// A return, in the sensor's frame.
typedef struct rutCloudPoint {
  double x, y, z, range, intensity;
  double time;                   // of the firing, from that of the sample [s]
  int ring;                      // of the channel
  int semantic_class, instance;  // of what sent it, -1: nothing known
  int asprs;                     // its class as LAS has them
  int number, all;  // among the returns of its pulse, from 1; the last of those that were kept
} rutCloudPoint;

typedef struct rutCloud {
  int n;
  rutCloudPoint* point;  // owned
  double stamp;          // time of the sample [s]
  bool labelled;         // points have a class and an instance
} rutCloud;

// Class of the ASPRS specification for a class by its name: 2 ground, 3 to 5 vegetation, 6
// building, 1 all others.
int rut_cloud_asprs(const char* name);
// Point Cloud Library, version 0.7, binary.
void rut_cloud_put_pcd(const rutCloud* cloud, rutBytes* out);
// Stanford PLY, binary, little-endian.
void rut_cloud_put_ply(const rutCloud* cloud, rutBytes* out);
// ASPRS LAS 1.2, point format 1, in millimetres. Of labelled clouds the user data is the class.
void rut_cloud_put_las(const rutCloud* cloud, rutBytes* out);

#endif  // RUT_HOST_CLOUD_FILE_H
