// SPDX-License-Identifier: BSD-3-Clause
//
// From light to the numbers of an image.
#ifndef RUT_SENSE_CAMERA_SIGNAL_H
#define RUT_SENSE_CAMERA_SIGNAL_H

#include "sense/camera_rows.h"

// Darken the signals of a block towards the edges of the image.
void rut_camera_vignette(const rutCameraParam* p, const rutCameraBlock* block);
// Add noise to them, and amplify.
void rut_camera_read_out(const rutCameraParam* p, const rutSensorIn* in,
                         const rutCameraBlock* block);
// code[3 n] of a block's signals.
void rut_camera_code(const rutCameraBlock* block, unsigned char* restrict code);

// Exposure times gain for the next sample, from the colours of this one.
double rut_camera_meter(const rutCameraParam* p, const unsigned char* colour, double exposure);
// Its parts: the exposure, and the gain beyond the largest one.
void rut_camera_divide(const rutCameraParam* p, double product, double* exposure, double* gain);

#endif  // RUT_SENSE_CAMERA_SIGNAL_H
