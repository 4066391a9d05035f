// SPDX-License-Identifier: BSD-3-Clause
//
// Light on what a block of pixels has seen.
#ifndef RUT_SENSE_CAMERA_LIGHT_H
#define RUT_SENSE_CAMERA_LIGHT_H

#include "sense/camera_rows.h"

// Signals of a block over the largest one, without noise. Rays to the lights take the place of
// those from the camera.
void rut_camera_shade(const rutCameraParam* p, const rutSensorIn* in, const rutCameraBlock* block);

#endif  // RUT_SENSE_CAMERA_LIGHT_H
