// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures in the formats of files.
#ifndef RUT_HOST_PICTURE_FILE_H
#define RUT_HOST_PICTURE_FILE_H

#include "host/bytes.h"
#include "rut/host.h"

// PNG of RGB8, GREY8 and GREY16, and of FLOAT32 in millimetres.
void rut_picture_put_png(const rutPicture* picture, rutBytes* out);
// JPEG of RGB8. Errors: MISSING (the gd library), MEMORY.
rutStatus rut_picture_put_jpeg(const rutPicture* picture, rutBytes* out, rutError* err);
// Sides that a JPEG claims. False if it is none.
bool rut_jpeg_size(const unsigned char* bytes, size_t size, int* width, int* height);
// Decode one into an RGB8 picture of these sides, whose pixels are allocated. Errors: MISSING (the
// gd library), PARSE.
rutStatus rut_picture_read_jpeg(const unsigned char* bytes, size_t size, rutPicture* out,
                                rutError* err);
// Portable float map of FLOAT32, little-endian.
void rut_picture_put_pfm(const rutPicture* picture, rutBytes* out);
// Output of a camera that a file of this suffix shows, NULL for suffixes of other files.
const char* rut_picture_of_suffix(const char* path);
// Bytes of a pixel.
int rut_pixel_size(rutPixelFormat format);
// Millimetres of a depth [m], 0 where 16 bits cannot tell it (REP 118).
uint16_t rut_picture_millimetres(float depth);

#endif  // RUT_HOST_PICTURE_FILE_H
