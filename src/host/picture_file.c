// SPDX-License-Identifier: BSD-3-Clause
#include "host/picture_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/picture_colours.h"
#include "host/write_file.h"
#include "math/rut_math.h"

enum {
  MAX_SIDE = 65535,
  COMPRESSION = 4,  // of zlib: images with noise hardly get smaller beyond it
  NOTHING = 255     // in pictures of classes
};

int rut_pixel_size(rutPixelFormat format) {
  static const int size[RUT_PIXEL_FORMATS] = {3, 1, 2, 4, 12, 8};
  return size[format];
}

uint16_t rut_picture_millimetres(float depth) {
  const double mm = 1000 * (double)depth;
  return mm > 0 && mm < UINT16_MAX + 0.5 ? (uint16_t)rut_floor(mm + 0.5) : 0;
}

// ---- PNG ----

typedef struct PngWriter {
  png_structp png;
  png_infop info;
  rutBytes* out;
  unsigned char* row;  // of 16-bit pixels or of colours, owned
  double largest;      // flow of the picture [pixel]
} PngWriter;

static void take_bytes(png_structp png, png_bytep bytes, size_t n) {
  rut_bytes_put(png_get_io_ptr(png), bytes, n);
}

static void take_flush(png_structp png) { (void)png; }

static void leave(png_structp png, png_const_charp message) {
  (void)message;
  longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

// Colours 1, 2, ... of the Pascal VOC development kit (2012), whose colour 0 is the background:
// bits of the number, three at a time, from the highest bits of red, green and blue on.
static void set_palette(PngWriter* w) {
  png_color colour[256] = {{0, 0, 0}};
  for (int i = 0; i < NOTHING; i++) {
    int part[3] = {0};
    for (int bit = 0; bit < 8; bit++) part[bit % 3] |= ((i + 1) >> bit & 1) << (7 - bit / 3);
    colour[i] = (png_color){(png_byte)part[0], (png_byte)part[1], (png_byte)part[2]};
  }
  png_set_PLTE(w->png, w->info, colour, 256);
}

static bool is_vectors(rutPixelFormat format) {
  return format == RUT_PIXEL_VECTOR3 || format == RUT_PIXEL_VECTOR2;
}

static void put_head(PngWriter* w, const rutPicture* picture) {
  const bool wide = picture->format == RUT_PIXEL_GREY16 || picture->format == RUT_PIXEL_FLOAT32;
  const bool vectors = is_vectors(picture->format);
  const int type = picture->format == RUT_PIXEL_RGB8 || vectors ? PNG_COLOR_TYPE_RGB
                   : picture->palette                           ? PNG_COLOR_TYPE_PALETTE
                                                                : PNG_COLOR_TYPE_GRAY;
  png_set_compression_level(w->png, COMPRESSION);
  png_set_IHDR(w->png, w->info, (png_uint_32)picture->width, (png_uint_32)picture->height,
               wide ? 16 : 8, wide ? PNG_COLOR_TYPE_GRAY : type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (picture->format == RUT_PIXEL_RGB8) {
    png_set_sRGB_gAMA_and_cHRM(w->png, w->info, PNG_sRGB_INTENT_RELATIVE);
  }
  if (picture->format == RUT_PIXEL_GREY8 && picture->palette) set_palette(w);
  png_write_info(w->png, w->info);
}

// Big-endian, as PNG wants them.
static void widen_row(const rutPicture* picture, const unsigned char* from, unsigned char* to) {
  for (int i = 0; i < picture->width; i++) {
    uint16_t value;
    if (picture->format == RUT_PIXEL_FLOAT32) {
      float depth;
      memcpy(&depth, from + (size_t)i * sizeof depth, sizeof depth);
      value = rut_picture_millimetres(depth);
    } else {
      memcpy(&value, from + (size_t)i * sizeof value, sizeof value);
    }
    to[2 * i] = (unsigned char)(value >> 8);
    to[2 * i + 1] = (unsigned char)value;
  }
}

// False if libpng gave up.
static bool write_png(PngWriter* w, const rutPicture* picture) {
  if (setjmp(png_jmpbuf(w->png))) return false;
  put_head(w, picture);
  const size_t stride = (size_t)picture->width * (size_t)rut_pixel_size(picture->format);
  for (int i = 0; i < picture->height; i++) {
    const unsigned char* row = (const unsigned char*)picture->pixel + (size_t)i * stride;
    if (is_vectors(picture->format)) {
      rut_picture_colour_vectors(picture, row, w->largest, w->row);
      row = w->row;
    } else if (rut_pixel_size(picture->format) % 2 == 0) {
      widen_row(picture, row, w->row);
      row = w->row;
    }
    png_write_row(w->png, row);
  }
  png_write_end(w->png, NULL);
  return true;
}

void rut_picture_put_png(const rutPicture* picture, rutBytes* out) {
  PngWriter w = {.out = out};
  w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore_warning);
  w.info = w.png ? png_create_info_struct(w.png) : NULL;
  w.row = malloc(3 * (size_t)picture->width);
  if (picture->format == RUT_PIXEL_VECTOR2) w.largest = rut_picture_largest_flow(picture);
  if (w.info && w.row) {
    png_set_write_fn(w.png, out, take_bytes, take_flush);
    if (!write_png(&w, picture)) out->failed = true;
  } else {
    out->failed = true;
  }
  png_destroy_write_struct(&w.png, &w.info);
  free(w.row);
}

// ---- floats ----

static void put_float(rutBytes* out, float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  rut_bytes_u32(out, bits);
}

// Rows from the bottom (P. Debevec's portable float map); a negative scale means little-endian.
void rut_picture_put_pfm(const rutPicture* picture, rutBytes* out) {
  char head[48];
  const int numbers = picture->format == RUT_PIXEL_VECTOR3 ? 3 : 1;
  const int n = snprintf(head, sizeof head, "P%c\n%d %d\n-1.0\n", numbers == 3 ? 'F' : 'f',
                         picture->width, picture->height);
  rut_bytes_put(out, head, (size_t)n);
  const float* pixel = picture->pixel;
  const int stride = numbers * picture->width;
  for (int i = picture->height; i-- > 0;) {
    for (int k = 0; k < stride; k++) {
      put_float(out, pixel[(size_t)i * (size_t)stride + (size_t)k]);
    }
  }
}

// Optical flow as in Middlebury's benchmark: 1e10 means that it is not known.
static void put_flo(const rutPicture* picture, rutBytes* out) {
  static const float unknown = 1e10F;
  const float* pixel = picture->pixel;
  rut_bytes_put(out, "PIEH", 4);
  rut_bytes_u32(out, (uint32_t)picture->width);
  rut_bytes_u32(out, (uint32_t)picture->height);
  const size_t n = 2 * (size_t)picture->width * (size_t)picture->height;
  for (size_t i = 0; i < n; i++) put_float(out, pixel[i] == pixel[i] ? pixel[i] : unknown);
}

// ---- files ----

static bool ends_in(const char* path, const char* suffix) {
  const char* dot = strrchr(path, '.');
  return dot && strcmp(dot, suffix) == 0;
}

static bool is_jpeg(const char* path) { return ends_in(path, ".jpg") || ends_in(path, ".jpeg"); }

const char* rut_picture_of_suffix(const char* path) {
  return is_jpeg(path)           ? "colour"
         : ends_in(path, ".png") ? "colour"
         : ends_in(path, ".pfm") ? "depth"
         : ends_in(path, ".flo") ? "flow"
                                 : NULL;
}

// Whether files of a suffix hold pixels of a format.
static rutStatus check_suffix(const char* path, rutPixelFormat format, rutError* err) {
  const bool depth = format == RUT_PIXEL_FLOAT32, normal = format == RUT_PIXEL_VECTOR3;
  if (!rut_picture_of_suffix(path)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%s' ends in none of .png, .jpg, .pfm and .flo",
                         path);
  }
  if (ends_in(path, ".pfm") && !depth && !normal) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%s': only depths and normals are written as .pfm; save this as .png",
                         path);
  }
  if (is_jpeg(path) && format != RUT_PIXEL_RGB8) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%s': only colours are written as .jpg; save this as .png", path);
  }
  if (ends_in(path, ".flo") && format != RUT_PIXEL_VECTOR2) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%s': only optical flow is written as .flo; save this as .png", path);
  }
  return RUT_OK;
}

rutStatus rut_picture_save(const rutModel* model, const rutPicture* picture, const char* path,
                           rutError* err) {
  const bool fits = picture->width > 0 && picture->width <= MAX_SIDE && picture->height > 0 &&
                    picture->height <= MAX_SIDE && picture->format < RUT_PIXEL_FORMATS;
  if (!fits || !picture->pixel) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a picture has 1 to %d pixels along each side",
                         MAX_SIDE);
  }
  const rutStatus fitting = check_suffix(path, picture->format, err);
  if (fitting != RUT_OK) return fitting;
  rutBytes bytes = {0};
  rutStatus status = RUT_OK;
  if (is_jpeg(path)) {
    status = rut_picture_put_jpeg(picture, &bytes, err);
  } else if (ends_in(path, ".pfm")) {
    rut_picture_put_pfm(picture, &bytes);
  } else if (ends_in(path, ".flo")) {
    put_flo(picture, &bytes);
  } else {
    rut_picture_put_png(picture, &bytes);
  }
  if (status == RUT_OK) status = rut_output_save(model, &bytes, path, err);
  rut_bytes_free(&bytes);
  return status;
}

// ---- samples ----

typedef struct Image {
  const void* number;
  rutVariableInfo info;
  rutCameraGeometry camera;
} Image;

// An output of a camera that has a sample.
static rutStatus find_image(const rutModel* model, const rutData* data, int sensor,
                            const char* output, Image* out, rutError* err) {
  if (sensor < 0 || sensor >= rut_count(model, RUT_SENSOR)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no sensor %d", sensor);
  }
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  if (!rut_camera_geometry(model, sensor, &out->camera)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a sample of sensor '%s' (%s) is no image: save it as .csv", info.name,
                         info.type);
  }
  double stamp = -1;
  for (int i = 0; i < info.outputs; i++) {
    out->info = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (strcmp(out->info.name, output) != 0) continue;
    out->number = rut_sensor_output(model, data, sensor, i, &stamp);
    if (out->number && stamp >= 0) return RUT_OK;
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "sensor '%s' has no sample yet: its first one can be seen after %g s",
                         info.name, info.phase + info.period + info.latency);
  }
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "sensor '%s' has no image '%s'; there are colour, depth, class, instance, "
                       "normal and flow",
                       info.name, output);
}

static void fill_depth(const float* from, size_t n, float* to) {
  for (size_t i = 0; i < n; i++) to[i] = from[i] < 0 ? (float)RUT_INFINITY : from[i];
}

static void fill_classes(const int32_t* from, size_t n, unsigned char* to) {
  for (size_t i = 0; i < n; i++) to[i] = from[i] < 0 ? NOTHING : (unsigned char)from[i];
}

static void fill_instances(const int32_t* from, size_t n, uint16_t* to) {
  for (size_t i = 0; i < n; i++) to[i] = from[i] < 0 ? UINT16_MAX : (uint16_t)from[i];
}

// The picture of an output, and the parameter of the camera without which it is not made.
typedef struct Kind {
  const char* output;
  rutPixelFormat format;
  const char* parameter;
} Kind;

static const Kind kinds[] = {
    {"colour", RUT_PIXEL_RGB8, "render"},     {"depth", RUT_PIXEL_FLOAT32, NULL},
    {"class", RUT_PIXEL_GREY8, NULL},         {"instance", RUT_PIXEL_GREY16, NULL},
    {"normal", RUT_PIXEL_VECTOR3, "normals"}, {"flow", RUT_PIXEL_VECTOR2, "flow"},
};

static const Kind* kind_of(const char* output) {
  for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); i++) {
    if (strcmp(kinds[i].output, output) == 0) return &kinds[i];
  }
  return NULL;
}

static rutStatus check_kind(const rutModel* model, int sensor, const Kind* kind, rutError* err) {
  if (kind->parameter && rut_sensor_parameter(model, sensor, kind->parameter) == 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "camera '%s' makes no %ss: it has %s=\"false\"",
                         rut_sensor_info(model, sensor).name, kind->output, kind->parameter);
  }
  const bool is_class = kind->format == RUT_PIXEL_GREY8;
  if ((is_class && rut_class_count(model) > NOTHING) ||
      (kind->format == RUT_PIXEL_GREY16 && rut_instance_count(model) > UINT16_MAX)) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "a picture tells at most %d %s apart",
                         is_class ? NOTHING : UINT16_MAX, is_class ? "classes" : "instances");
  }
  return RUT_OK;
}

rutStatus rut_sample_picture(const rutModel* model, const rutData* data, int sensor,
                             const char* output, rutPicture* out, rutError* err) {
  Image image = {0};
  *out = (rutPicture){0};
  rutStatus status = find_image(model, data, sensor, output, &image, err);
  if (status != RUT_OK) return status;
  const Kind* kind = kind_of(output);
  if (!kind) return rut_error_set(err, RUT_ERR_ARGUMENT, "output '%s' is no image", output);
  status = check_kind(model, sensor, kind, err);
  if (status != RUT_OK) return status;
  const size_t n = (size_t)image.camera.width * (size_t)image.camera.height;
  *out = (rutPicture){.width = image.camera.width,
                      .height = image.camera.height,
                      .format = kind->format,
                      .palette = kind->format == RUT_PIXEL_GREY8};
  const size_t size = n * (size_t)rut_pixel_size(out->format);
  out->pixel = malloc(size);
  if (!out->pixel) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a picture");
  if (kind->format == RUT_PIXEL_FLOAT32) {
    fill_depth(image.number, n, out->pixel);
  } else if (kind->format == RUT_PIXEL_GREY8) {
    fill_classes(image.number, n, out->pixel);
  } else if (kind->format == RUT_PIXEL_GREY16) {
    fill_instances(image.number, n, out->pixel);
  } else {
    memcpy(out->pixel, image.number, size);
  }
  return RUT_OK;
}
