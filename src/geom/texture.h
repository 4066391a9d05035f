// SPDX-License-Identifier: BSD-3-Clause
//
// Images on surfaces, as cameras see them: averaged over what a pixel covers.
#ifndef RUT_GEOM_TEXTURE_H
#define RUT_GEOM_TEXTURE_H

#include <stddef.h>
#include <stdint.h>

enum { RUT_TEXTURE_LEVELS = 21 };

// One image at several sizes, each half of the one before, down to one pixel. It repeats beyond its
// edges.
typedef struct rutTexture {
  int width, height;  // [pixel]
  int levels;
  uint16_t*
      texel;  // of all levels: [height][width][3], linear reflectance over 65535, top row first
  size_t first[RUT_TEXTURE_LEVELS];  // of each level in texel
} rutTexture;

// Sides and levels of an image of this size; returns the numbers that texel needs.
size_t rut_texture_layout(rutTexture* texture, int width, int height);
// Fill the levels from red, green and blue of 8 bits, coded as in sRGB: [height][width][3], top row
// first. Each level is the mean of what it covers in the one before.
void rut_texture_fill(rutTexture* texture, const uint8_t* colour);

// Reflectance at a place, u to the right and v up, both 0 to 1 across the image: bilinear, averaged
// over a square with the side `size`, as a part of the image's (root of the area).
void rut_texture_sample(const rutTexture* texture, const double uv[2], double size,
                        double colour[3]);

#endif  // RUT_GEOM_TEXTURE_H
