// SPDX-License-Identifier: BSD-3-Clause
//
// Colours as JPEG, through the gd library, which is loaded when the first one is written.
#include "base/report.h"
#include "host/picture_file.h"

#ifdef RUT_HAVE_GD
#include <gd.h>

#include "base/dynamic.h"

enum { QUALITY = 92 };  // of 100

typedef struct Gd {
  gdImagePtr (*create)(int width, int height);
  void (*set)(gdImagePtr image, int x, int y, int colour);
  void* (*encode)(gdImagePtr image, int* size, int quality);
  void (*free)(void* bytes);
  void (*destroy)(gdImagePtr image);
} Gd;

static bool load_gd(Gd* lib) {
  const rutSymbol symbols[] = {{"gdImageCreateTrueColor", &lib->create},
                               {"gdImageSetPixel", &lib->set},
                               {"gdImageJpegPtr", &lib->encode},
                               {"gdFree", &lib->free},
                               {"gdImageDestroy", &lib->destroy}};
  return rut_dynamic_load(RUT_GD_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

static bool encode(const Gd* lib, const rutPicture* picture, rutBytes* out) {
  gdImagePtr image = lib->create(picture->width, picture->height);
  if (!image) return false;
  const unsigned char* pixel = picture->pixel;
  for (int y = 0; y < picture->height; y++) {
    for (int x = 0; x < picture->width; x++, pixel += 3) {
      lib->set(image, x, y, pixel[0] << 16 | pixel[1] << 8 | pixel[2]);
    }
  }
  int size = 0;
  void* bytes = lib->encode(image, &size, QUALITY);
  lib->destroy(image);
  if (bytes) rut_bytes_put(out, bytes, (size_t)size);
  if (bytes) lib->free(bytes);
  return bytes != NULL;
}

rutStatus rut_picture_put_jpeg(const rutPicture* picture, rutBytes* out, rutError* err) {
  Gd lib;
  if (!load_gd(&lib)) {
    return rut_error_set(err, RUT_ERR_MISSING,
                         "JPEG images need the gd library: apt-get install libgd3");
  }
  if (encode(&lib, picture, out)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a JPEG image");
}

#else

rutStatus rut_picture_put_jpeg(const rutPicture* picture, rutBytes* out, rutError* err) {
  (void)picture;
  (void)out;
  return rut_error_set(
      err, RUT_ERR_MISSING,
      "JPEG images need the gd library: apt-get install libgd-dev, and build again");
}

#endif
