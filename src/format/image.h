// SPDX-License-Identifier: BSD-3-Clause
//
// Images, decoded from memory: PNG and PNM (PGM, PPM) always, JPEG, BMP, GIF, TIFF and WebP
// where the gd library is built in. Colour becomes grey as 0.299 R + 0.587 G + 0.114 B;
// transparency is ignored. A header that claims more pixels than the limit, or than its bytes could
// ever hold, is an error before anything is allocated.
#ifndef RUT_FORMAT_IMAGE_H
#define RUT_FORMAT_IMAGE_H

#include "base/report.h"
#include "format/matrix.h"

typedef struct rutImage {
  int width, height;  // [pixel]
  int max;            // value of white, 1 to 65535
  uint16_t* grey;     // [height][width], row 0 is the top, 0 is black; free with rut_image_free
  uint8_t* colour;    // [height][width][3] red, green, blue of 8 bits; NULL if not asked for
} rutImage;

enum {
  RUT_IMAGE_MAX_PIXELS = 64 << 20,
  RUT_IMAGE_MAX_SIDE = 1 << 20,
};

// Decode by content. name stands for the file in messages. Errors: PARSE, CAPACITY (too large),
// MEMORY, MISSING (needs gd; the hint names the package).
rutStatus rut_image_decode(const void* bytes, size_t size, const char* name, rutReporter* reporter,
                           rutImage* out);
// The same with its colours.
rutStatus rut_image_decode_colours(const void* bytes, size_t size, const char* name,
                                   rutReporter* reporter, rutImage* out);
void rut_image_free(rutImage* image);

// Occupancy of each pixel, as MRPT and MVSim read an image: below 61/127 of white occupied, below
// 65/127 unknown, from there on free. (MRPT keeps 8-bit log-odds round(16 log(p/(1-p))) of p in
// steps of 1/127; at most 0 stops a ray, -1 and 0 count as unknown.) cell holds rutCell of
// geom/occupancy.h, [height][width], bottom row first.
void rut_image_cells(const rutImage* image, uint8_t* cell);
// Heights of an elevation image as MVSim reads it: the darkest pixel is z_min, the lightest z_max
// (not black and white!), all z_min if the image has one grey. Row r of the matrix is row r of the
// image from its top. Errors: MEMORY.
rutStatus rut_image_heights(const rutImage* image, double z_min, double z_max, const char* name,
                            rutReporter* reporter, rutMatrix* out);

// ---- parts of the decoder ----

// What the header of an image claims.
typedef struct rutImageClaim {
  const char* format;     // "JPEG"
  int64_t width, height;  // [pixel], 0 if the header cannot be read
  int max;                // value of white
  double least_bytes;     // that the pixels need at the format's best compression
  size_t size;            // bytes that there are for them
  bool colours;           // they are wanted, not only greys
} rutImageClaim;

// Allocate the pixels if the sides and their product are within the limits and the file is large
// enough for them. Errors: PARSE, CAPACITY, MEMORY.
rutStatus rut_image_allocate(const rutImageClaim* claim, const char* name, rutReporter* reporter,
                             rutImage* out);
// PNM: P2, P3, P5, P6, and the bitmaps P1, P4.
bool rut_is_pnm(const uint8_t* bytes, size_t size);
rutStatus rut_pnm_decode(const uint8_t* bytes, size_t size, bool colours, const char* name,
                         rutReporter* reporter, rutImage* out);
// Format and size that the header of a JPEG, BMP, GIF, TIFF or WebP file claims, with a white of
// 255. False if it is none of them.
bool rut_image_claim(const uint8_t* bytes, size_t size, rutImageClaim* out);

#endif  // RUT_FORMAT_IMAGE_H
