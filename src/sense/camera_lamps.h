// SPDX-License-Identifier: BSD-3-Clause
//
// Light of lamps on what a block of pixels has seen, and the lamps themselves.
#ifndef RUT_SENSE_CAMERA_LAMPS_H
#define RUT_SENSE_CAMERA_LAMPS_H

#include "sense/camera_rows.h"

// Fill the block's lamplight and glare. Needs the rays from the camera; the places of noise,
// signal, sun, lit and shadow are overwritten. extinction: of the air [1/m].
void rut_camera_lamps(const rutSensorIn* in, double extinction, const rutCameraBlock* block);

#endif  // RUT_SENSE_CAMERA_LAMPS_H
