// SPDX-License-Identifier: BSD-3-Clause
//
// Colours that show vectors: normals and optical flow.
#ifndef RUT_HOST_PICTURE_COLOURS_H
#define RUT_HOST_PICTURE_COLOURS_H

#include "rut/host.h"

// Size of the largest vector of VECTOR2 in a picture, 0 if there is none.
double rut_picture_largest_flow(const rutPicture* picture);
// Colours of a row of VECTOR3 or VECTOR2: colour[3 width], red green blue. `largest`: of the flow.
void rut_picture_colour_vectors(const rutPicture* picture, const void* row, double largest,
                                unsigned char* colour);

#endif  // RUT_HOST_PICTURE_COLOURS_H
