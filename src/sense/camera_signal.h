// SPDX-License-Identifier: BSD-3-Clause
//
// From light to the numbers of an image.
#ifndef RUT_SENSE_CAMERA_SIGNAL_H
#define RUT_SENSE_CAMERA_SIGNAL_H

#include "sense/camera_rows.h"

// Add noise to the signals of row `number`.
void rut_camera_add_noise(const rutCameraParam* p, const rutSensorIn* in, int number,
                          const rutCameraRow* row);
// code[3 n] of the row's signals.
void rut_camera_code(const rutCameraRow* row, unsigned char* restrict code);

#endif  // RUT_SENSE_CAMERA_SIGNAL_H
