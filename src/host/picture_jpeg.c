// SPDX-License-Identifier: BSD-3-Clause
//
// Colours as JPEG, through the gd library, which is loaded when the first one is written.
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "base/report.h"
#include "host/picture_file.h"

// Segments begin with 0xff and a marker; most then have a length. Those of a frame (SOF, ITU-T
// T.81, B.2.2) have a precision, the height and the width.
bool rut_jpeg_size(const unsigned char* bytes, size_t size, int* width, int* height) {
  if (size < 4 || bytes[0] != 0xff || bytes[1] != 0xd8) return false;
  size_t at = 2;
  while (size - at >= 9 && bytes[at] == 0xff) {
    const unsigned char* b = bytes + at;
    const bool frame = b[1] >= 0xc0 && b[1] <= 0xcf && b[1] != 0xc4 && b[1] != 0xc8 && b[1] != 0xcc;
    if (frame) {
      *height = b[5] << 8 | b[6];
      *width = b[7] << 8 | b[8];
      return true;
    }
    const size_t length = (size_t)b[2] << 8 | b[3];
    if (length < 2 || length + 2 > size - at) return false;
    at += length + 2;
  }
  return false;
}

#ifdef RUT_HAVE_GD
#include <gd.h>

#include "base/dynamic.h"

enum { QUALITY = 92 };  // of 100

typedef struct Gd {
  gdImagePtr (*create)(int width, int height);
  void (*set)(gdImagePtr image, int x, int y, int colour);
  void* (*encode)(gdImagePtr image, int* size, int quality);
  void (*free)(void* bytes);
  gdImagePtr (*decode)(int size, void* bytes);
  int (*get)(gdImagePtr image, int x, int y);
  void (*set_error_method)(gdErrorMethod method);
  void (*clear_error_method)(void);
  void (*destroy)(gdImagePtr image);
} Gd;

static bool load_gd(Gd* lib) {
  const rutSymbol symbols[] = {{"gdImageCreateTrueColor", &lib->create},
                               {"gdImageSetPixel", &lib->set},
                               {"gdImageJpegPtr", &lib->encode},
                               {"gdFree", &lib->free},
                               {"gdImageCreateFromJpegPtr", &lib->decode},
                               {"gdImageGetTrueColorPixel", &lib->get},
                               {"gdSetErrorMethod", &lib->set_error_method},
                               {"gdClearErrorMethod", &lib->clear_error_method},
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

// What is wrong with an image is told by its status.
static void say_nothing(int priority, const char* format, va_list arguments) {
  (void)priority;
  (void)format;
  (void)arguments;
}

static rutStatus missing(rutError* err) {
  return rut_error_set(err, RUT_ERR_MISSING,
                       "JPEG images need the gd library: apt-get install libgd3");
}

rutStatus rut_picture_read_jpeg(const unsigned char* bytes, size_t size, rutPicture* out,
                                rutError* err) {
  Gd lib;
  if (!load_gd(&lib)) return missing(err);
  // it is only read
  void* data;
  memcpy(&data, &bytes, sizeof data);
  lib.set_error_method(say_nothing);
  gdImagePtr image = size <= INT_MAX ? lib.decode((int)size, data) : NULL;
  lib.clear_error_method();
  const bool fits = image && image->sx == out->width && image->sy == out->height;
  unsigned char* pixel = out->pixel;
  for (int y = 0; fits && y < out->height; y++) {
    for (int x = 0; x < out->width; x++, pixel += 3) {
      const int colour = lib.get(image, x, y);
      for (int k = 0; k < 3; k++) pixel[k] = (unsigned char)(colour >> (16 - 8 * k) & 0xff);
    }
  }
  if (image) lib.destroy(image);
  return fits ? RUT_OK
              : rut_error_set(err, RUT_ERR_PARSE,
                              "the message is no image: its JPEG "
                              "cannot be decoded");
}

rutStatus rut_picture_put_jpeg(const rutPicture* picture, rutBytes* out, rutError* err) {
  Gd lib;
  if (!load_gd(&lib)) return missing(err);
  if (encode(&lib, picture, out)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a JPEG image");
}

#else

static rutStatus missing(rutError* err) {
  return rut_error_set(
      err, RUT_ERR_MISSING,
      "JPEG images need the gd library: apt-get install libgd-dev, and build again");
}

rutStatus rut_picture_put_jpeg(const rutPicture* picture, rutBytes* out, rutError* err) {
  (void)picture;
  (void)out;
  return missing(err);
}

rutStatus rut_picture_read_jpeg(const unsigned char* bytes, size_t size, rutPicture* out,
                                rutError* err) {
  (void)bytes;
  (void)size;
  (void)out;
  return missing(err);
}

#endif
