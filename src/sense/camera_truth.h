// SPDX-License-Identifier: BSD-3-Clause
//
// Images of normals and of optical flow: truth of what a row of pixels has seen. Before the rays to
// the sun take the place of those from the camera.
#ifndef RUT_SENSE_CAMERA_TRUTH_H
#define RUT_SENSE_CAMERA_TRUTH_H

#include "geom/lens.h"
#include "sense/camera_rows.h"

// Normals in the optical axes (x right, y down, z ahead), towards the camera. normal[3
// width] of the row; 0 0 0 where nothing is seen.
void rut_camera_normals(const rutCameraParam* p, const rutCameraRow* row, float* normal);
// Pixels by which what is seen has moved in the image since the last sample, to the right and down;
// flow[2 width] of the row. What is not hit is infinitely far. NaN where the last image does not
// show it, for all that its frame would not have cut it off, and in the first sample.
void rut_camera_flow(const rutCameraParam* p, const rutSensorIn* in, const rutLens* lens,
                     const rutCameraRow* row, int number, float* flow);

#endif  // RUT_SENSE_CAMERA_TRUTH_H
