// SPDX-License-Identifier: BSD-3-Clause
//
// Images of normals and of optical flow: truth of what a block of pixels has seen. Before the rays
// to the sun take the place of those from the camera.
#ifndef RUT_SENSE_CAMERA_TRUTH_H
#define RUT_SENSE_CAMERA_TRUTH_H

#include "geom/lens.h"
#include "sense/camera_rows.h"

// Normals in the optical axes (x right, y down, z ahead), towards the camera; 0 0 0
// where nothing is seen. To their places in the image [height][width][3].
void rut_camera_normals(const rutCameraParam* p, const rutCameraBlock* block, float* image);
// Pixels by which what is seen has moved in the image since the last sample, to the right and down,
// to their places in the image [height][width][2]. What is not hit is infinitely far. NaN where the
// last image does not show it, for all that its frame would not have cut it off, and in the first
// sample.
void rut_camera_flow(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                     const rutCameraBlock* block, float* image);

#endif  // RUT_SENSE_CAMERA_TRUTH_H
