// SPDX-License-Identifier: BSD-3-Clause
//
// Images of a camera that labels are made of.
#ifndef RUT_HOST_LABELS_H
#define RUT_HOST_LABELS_H

#include "rut/host.h"

// Borrowed from the data.
typedef struct rutImages {
  rutCameraGeometry camera;
  double pose[6];                  // of the camera at present
  double stamp;                    // [s]
  const float* depth;              // [height][width]
  const int32_t *seen, *instance;  // [height][width], seen: semantic classes
} rutImages;

// Errors: ARGUMENT (no camera, or no sample yet).
rutStatus rut_images_find(const rutModel* model, const rutData* data, int sensor, rutImages* out,
                          rutError* err);

#endif  // RUT_HOST_LABELS_H
