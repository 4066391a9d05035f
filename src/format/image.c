// SPDX-License-Identifier: BSD-3-Clause
#include "format/image.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"
#include "geom/occupancy.h"
#include "math/rut_math.h"

#ifdef RUT_HAVE_GD
#include <gd.h>
#endif

rutStatus rut_image_allocate(const rutImageClaim* claim, const char* name, rutReporter* reporter,
                             rutImage* out) {
  const rutPlace place = {name, 0, 0};
  const int64_t width = claim->width, height = claim->height;
  *out = (rutImage){0};
  if (width <= 0 || height <= 0) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "", "image has no size");
  }
  if (width > RUT_IMAGE_MAX_SIDE || height > RUT_IMAGE_MAX_SIDE ||
      width * height > RUT_IMAGE_MAX_PIXELS) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use a smaller image",
                            "image claims %lld x %lld pixels, more than %d in all",
                            (long long)width, (long long)height, RUT_IMAGE_MAX_PIXELS);
  }
  if (claim->least_bytes > (double)claim->size) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "the file is damaged",
                            "image claims %lld x %lld pixels, but the file is too short for them",
                            (long long)width, (long long)height);
  }
  uint16_t* grey = malloc((size_t)width * (size_t)height * sizeof *grey);
  uint8_t* colour = claim->colours ? malloc(3 * (size_t)width * (size_t)height) : NULL;
  if (!grey || (claim->colours && !colour)) {
    free(grey);
    free(colour);
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "",
                            "no memory for an image of %lld x %lld pixels", (long long)width,
                            (long long)height);
  }
  *out = (rutImage){(int)width, (int)height, claim->max, grey, colour};
  return RUT_OK;
}

void rut_image_free(rutImage* image) {
  free(image->grey);
  free(image->colour);
  *image = (rutImage){0};
}

// Weights of ITU-R BT.601.
static uint16_t grey_of(uint32_t red, uint32_t green, uint32_t blue) {
  return (uint16_t)((299 * red + 587 * green + 114 * blue + 500) / 1000);
}

// ---------------------------------------------------------------------------------------------
// PNG

typedef struct PngReader {
  const uint8_t* at;
  size_t left;
  char message[160];
  png_bytep row;  // one row, or the whole image if interlaced
  rutImage image;
  bool colours;
  rutStatus status;
} PngReader;

static void take_bytes(png_structp png, png_bytep out, size_t n) {
  PngReader* r = png_get_io_ptr(png);
  if (n > r->left) png_error(png, "the file ends too early");
  memcpy(out, r->at, n);
  r->at += n;
  r->left -= n;
}

static void leave(png_structp png, png_const_charp message) {
  PngReader* r = png_get_error_ptr(png);
  snprintf(r->message, sizeof r->message, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

// Ask libpng for grey or RGB samples of 8 or 16 bits, without alpha.
static void ask_for_samples(png_structp png, png_infop info) {
  int type = png_get_color_type(png, info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (type == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(png, info) < 8) {
    png_set_expand_gray_1_2_4_to_8(png);
  }
  png_set_strip_alpha(png);
}

// Row of samples (big-endian if 16 bits) to grey, and to colours if these are wanted.
static void take_row(const uint8_t* row, int channels, int depth, int y, rutImage* image) {
  const int bytes = depth / 8;
  uint16_t* grey = image->grey + (size_t)y * (size_t)image->width;
  uint8_t* colour = image->colour ? image->colour + 3 * (size_t)y * (size_t)image->width : NULL;
  for (int x = 0; x < image->width; x++) {
    uint32_t sample[3] = {0, 0, 0};
    for (int k = 0; k < channels; k++) {
      sample[k] = bytes == 2 ? (uint32_t)row[0] << 8 | row[1] : row[0];
      row += bytes;
    }
    grey[x] = channels == 3 ? grey_of(sample[0], sample[1], sample[2]) : (uint16_t)sample[0];
    for (int k = 0; colour && k < 3; k++) {
      *colour++ = (uint8_t)(sample[channels == 3 ? k : 0] >> (8 * (bytes - 1)));
    }
  }
}

static void decode_rows(PngReader* r, png_structp png, png_infop info, int passes) {
  int channels = png_get_channels(png, info), depth = png_get_bit_depth(png, info);
  size_t stride = png_get_rowbytes(png, info);
  const size_t height = (size_t)r->image.height;
  // interlaced images come in seven passes over all rows
  size_t rows = passes > 1 ? height : 1;
  r->row = calloc(rows, stride);
  if (!r->row) png_error(png, "out of memory");
  for (int pass = 0; pass < passes; pass++) {
    for (size_t y = 0; y < height; y++) {
      uint8_t* row = r->row + (passes > 1 ? y * stride : 0);
      png_read_row(png, row, NULL);
      if (pass + 1 < passes) continue;
      take_row(row, channels == 3 ? 3 : 1, depth, (int)y, &r->image);
    }
  }
}

// Let libpng skip chunks without pixels: they may unpack to many megabytes.
static void skip_remarks(png_structp png) {
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
  static const png_byte remarks[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0"
      "tEXt\0tIME\0tRNS\0zTXt";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, remarks, (int)sizeof remarks / 5);
#endif
  png_set_chunk_malloc_max(png, 1 << 20);
  png_set_chunk_cache_max(png, 128);
}

// Read one PNG. libpng leaves errors through longjmp, so all that must be freed lives in r.
static void read_png(PngReader* r, png_structp png, png_infop info, size_t size, const char* name,
                     rutReporter* reporter) {
  if (setjmp(png_jmpbuf(png))) {
    if (r->status == RUT_OK) {
      r->status = rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){name, 0, 0}, "",
                                   "the file is damaged", "PNG image: %s", r->message);
    }
    return;
  }
  png_set_user_limits(png, RUT_IMAGE_MAX_SIDE, RUT_IMAGE_MAX_SIDE);
  skip_remarks(png);
  png_set_read_fn(png, r, take_bytes);
  png_read_info(png, info);
  png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  // deflate packs at best 1032 to 1
  double bits = (double)png_get_bit_depth(png, info) * png_get_channels(png, info);
  double least = (double)width * height * bits / 8 / 1032;
  int passes = png_set_interlace_handling(png);
  ask_for_samples(png, info);
  png_read_update_info(png, info);
  const rutImageClaim claim = {.format = "PNG",
                               .width = width,
                               .height = height,
                               .max = png_get_bit_depth(png, info) == 16 ? 65535 : 255,
                               .least_bytes = least,
                               .size = size,
                               .colours = r->colours};
  r->status = rut_image_allocate(&claim, name, reporter, &r->image);
  if (r->status != RUT_OK) return;
  decode_rows(r, png, info, passes);
}

static rutStatus decode_png(const uint8_t* bytes, size_t size, bool colours, const char* name,
                            rutReporter* reporter, rutImage* out) {
  PngReader r = {.at = bytes, .left = size, .colours = colours, .status = RUT_OK};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, leave, ignore_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (info) {
    read_png(&r, png, info, size, name, reporter);
  } else {
    r.status = rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                                "no memory for the PNG reader");
  }
  png_destroy_read_struct(png ? &png : NULL, info ? &info : NULL, NULL);
  free(r.row);
  if (r.status != RUT_OK) rut_image_free(&r.image);
  *out = r.image;
  return r.status;
}

// ---------------------------------------------------------------------------------------------
// Everything else, through gd

static rutStatus without_gd(const char* format, const char* name, rutReporter* reporter,
                            rutImage* out) {
  *out = (rutImage){0};
  return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){name, 0, 0}, "",
                          "apt-get install libgd-dev, and build again if rut was built without; or "
                          "convert the image to PNG",
                          "%s images need the gd library, which is not there", format);
}

#ifdef RUT_HAVE_GD

static void gd_ignore(int priority, const char* format, va_list args) {
  (void)priority;
  (void)format;
  (void)args;
}

// What is used of the library, which is loaded when the first such image is read.
typedef gdImagePtr GdCreate(int size, void* data);
typedef struct Gd {
  gdImagePtr (*jpeg)(int size, void* data, int ignore_warning);
  GdCreate *gif, *webp, *tiff, *bmp;
  void (*destroy)(gdImagePtr picture);
  int (*pixel)(gdImagePtr picture, int x, int y);
  void (*set_error_method)(gdErrorMethod method);
  void (*clear_error_method)(void);
} Gd;

static bool load_gd(Gd* lib) {
  const rutSymbol symbols[] = {
      {"gdImageCreateFromJpegPtrEx", &lib->jpeg},      {"gdImageCreateFromGifPtr", &lib->gif},
      {"gdImageCreateFromWebpPtr", &lib->webp},        {"gdImageCreateFromTiffPtr", &lib->tiff},
      {"gdImageCreateFromBmpPtr", &lib->bmp},          {"gdImageDestroy", &lib->destroy},
      {"gdImageGetTrueColorPixel", &lib->pixel},       {"gdSetErrorMethod", &lib->set_error_method},
      {"gdClearErrorMethod", &lib->clear_error_method}};
  return rut_dynamic_load(RUT_GD_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

static gdImagePtr gd_decode(const Gd* lib, const char* format, int size, void* data) {
  if (!strcmp(format, "JPEG")) return lib->jpeg(size, data, 0);
  if (!strcmp(format, "GIF")) return lib->gif(size, data);
  if (!strcmp(format, "WebP")) return lib->webp(size, data);
  if (!strcmp(format, "TIFF")) return lib->tiff(size, data);
  return lib->bmp(size, data);
}

static rutStatus decode_with_gd(const uint8_t* bytes, const rutImageClaim* claim, const char* name,
                                rutReporter* reporter, rutImage* out) {
  Gd lib;
  if (!load_gd(&lib)) return without_gd(claim->format, name, reporter, out);
  rutStatus status = rut_image_allocate(claim, name, reporter, out);
  if (status != RUT_OK) return status;
  gdImagePtr picture = NULL;
  // gd takes an int and does not change the data
  if (claim->size <= INT32_MAX) {
    lib.set_error_method(gd_ignore);
    picture = gd_decode(&lib, claim->format, (int)claim->size, (void*)(uintptr_t)bytes);
    lib.clear_error_method();
  }
  if (!picture || gdImageSX(picture) > claim->width || gdImageSY(picture) > claim->height) {
    if (picture) lib.destroy(picture);
    rut_image_free(out);
    return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){name, 0, 0}, "",
                            "the file may be damaged", "%s image cannot be decoded", claim->format);
  }
  out->width = gdImageSX(picture);
  out->height = gdImageSY(picture);
  uint16_t* grey = out->grey;
  uint8_t* colour = out->colour;
  for (int y = 0; y < out->height; y++) {
    for (int x = 0; x < out->width; x++) {
      int c = lib.pixel(picture, x, y);
      *grey++ = grey_of((uint32_t)gdTrueColorGetRed(c), (uint32_t)gdTrueColorGetGreen(c),
                        (uint32_t)gdTrueColorGetBlue(c));
      if (!colour) continue;
      *colour++ = (uint8_t)gdTrueColorGetRed(c);
      *colour++ = (uint8_t)gdTrueColorGetGreen(c);
      *colour++ = (uint8_t)gdTrueColorGetBlue(c);
    }
  }
  lib.destroy(picture);
  return RUT_OK;
}

#else

static rutStatus decode_with_gd(const uint8_t* bytes, const rutImageClaim* claim, const char* name,
                                rutReporter* reporter, rutImage* out) {
  (void)bytes;
  return without_gd(claim->format, name, reporter, out);
}

#endif

static rutStatus decode(const void* bytes, size_t size, bool colours, const char* name,
                        rutReporter* reporter, rutImage* out) {
  *out = (rutImage){0};
  if (size >= 8 && png_sig_cmp(bytes, 0, 8) == 0) {
    return decode_png(bytes, size, colours, name, reporter, out);
  }
  if (rut_is_pnm(bytes, size)) return rut_pnm_decode(bytes, size, colours, name, reporter, out);
  rutImageClaim claim;
  if (rut_image_claim(bytes, size, &claim)) {
    claim.colours = colours;
    return decode_with_gd(bytes, &claim, name, reporter, out);
  }
  return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){name, 0, 0}, "",
                          "use PNG or PGM (or JPEG, BMP, GIF, TIFF, WebP)",
                          "file is not an image in a known format");
}

rutStatus rut_image_decode(const void* bytes, size_t size, const char* name, rutReporter* reporter,
                           rutImage* out) {
  return decode(bytes, size, false, name, reporter, out);
}

rutStatus rut_image_decode_colours(const void* bytes, size_t size, const char* name,
                                   rutReporter* reporter, rutImage* out) {
  return decode(bytes, size, true, name, reporter, out);
}

// ---------------------------------------------------------------------------------------------
// What images are used for

void rut_image_cells(const rutImage* image, uint8_t* cell) {
  size_t width = (size_t)image->width, height = (size_t)image->height;
  for (size_t y = 0; y < height; y++) {
    const uint16_t* row = image->grey + (height - 1 - y) * width;
    for (size_t x = 0; x < width; x++) {
      int level = row[x] * 127 / image->max;
      cell[y * width + x] = level < 61   ? RUT_CELL_OCCUPIED
                            : level < 65 ? RUT_CELL_UNKNOWN
                                         : RUT_CELL_FREE;
    }
  }
}

rutStatus rut_image_heights(const rutImage* image, double z_min, double z_max, const char* name,
                            rutReporter* reporter, rutMatrix* out) {
  *out = (rutMatrix){0};
  size_t count = (size_t)image->width * (size_t)image->height;
  double* value = malloc(count * sizeof *value);
  if (!value) {
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                            "no memory for %zu heights", count);
  }
  int dark = 65535, light = 0;
  for (size_t i = 0; i < count; i++) {
    if (image->grey[i] < dark) dark = image->grey[i];
    if (image->grey[i] > light) light = image->grey[i];
  }
  double step = light > dark ? (z_max - z_min) / (light - dark) : 0;
  for (size_t i = 0; i < count; i++) value[i] = z_min + step * (image->grey[i] - dark);
  *out = (rutMatrix){image->height, image->width, value};
  return RUT_OK;
}
