// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures from messages of ROS 2: sensor_msgs/msg/Image and CompressedImage. They may come from
// other programs: no length in them is believed.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/bytes.h"
#include "host/picture_file.h"
#include "rut/host.h"

enum { MAX_SIDE = 16384, MAX_PIXELS = 64 * 1024 * 1024, ENCODING = 32 };

// CDR, little-endian. Members are aligned to their size behind the first four bytes.
typedef struct Reader {
  const unsigned char* bytes;
  size_t size, at;
  bool failed;
} Reader;

static Reader reader_of(const rutLogMessage* message) {
  Reader r = {.failed = message->size < 4 || message->bytes[0] != 0 || message->bytes[1] != 1};
  if (!r.failed) r = (Reader){.bytes = message->bytes + 4, .size = message->size - 4};
  return r;
}

// n bytes, NULL if there are fewer.
static const unsigned char* take(Reader* r, size_t n) {
  r->failed |= n > r->size - r->at;
  if (r->failed) return NULL;
  r->at += n;
  return r->bytes + r->at - n;
}

static uint32_t take_u32(Reader* r) {
  const size_t gap = (4 - r->at % 4) % 4;
  take(r, gap);
  const unsigned char* bytes = take(r, 4);
  return bytes ? rut_get_u32(bytes) : 0;
}

// At most size - 1 characters are kept.
static void take_text(Reader* r, char* text, size_t size) {
  const size_t n = take_u32(r);
  const unsigned char* bytes = take(r, n);
  const size_t kept = !bytes || n == 0 ? 0 : n - 1 < size - 1 ? n - 1 : size - 1;
  if (kept > 0) memcpy(text, bytes, kept);
  text[kept] = '\0';
}

static void skip_header(Reader* r) {
  char frame[2];
  take(r, 8);
  take_text(r, frame, sizeof frame);
}

// How pixels of an encoding become those of a picture.
typedef struct Encoding {
  const char* name;
  int bytes;  // of a pixel
  rutPixelFormat format;
  int red, blue;  // places of the bytes of colours
} Encoding;

static const Encoding encodings[] = {
    {"rgb8", 3, RUT_PIXEL_RGB8, 0, 2},    {"bgr8", 3, RUT_PIXEL_RGB8, 2, 0},
    {"8UC3", 3, RUT_PIXEL_RGB8, 2, 0},    {"rgba8", 4, RUT_PIXEL_RGB8, 0, 2},
    {"bgra8", 4, RUT_PIXEL_RGB8, 2, 0},   {"mono8", 1, RUT_PIXEL_GREY8, 0, 0},
    {"8UC1", 1, RUT_PIXEL_GREY8, 0, 0},   {"mono16", 2, RUT_PIXEL_GREY16, 0, 0},
    {"16UC1", 2, RUT_PIXEL_GREY16, 0, 0}, {"32FC1", 4, RUT_PIXEL_FLOAT32, 0, 0},
    {"32SC1", 4, RUT_PIXEL_GREY16, 0, 0},
};

static const Encoding* find_encoding(const char* name) {
  for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
    if (strcmp(encodings[i].name, name) == 0) return &encodings[i];
  }
  return NULL;
}

static void convert_row(const Encoding* e, const unsigned char* from, int width, void* to) {
  unsigned char* byte = to;
  for (int i = 0; i < width; i++, from += e->bytes) {
    if (e->format == RUT_PIXEL_RGB8) {
      byte[3 * i] = from[e->red];
      byte[3 * i + 1] = from[1];
      byte[3 * i + 2] = from[e->blue];
    } else if (e->format == RUT_PIXEL_GREY8) {
      byte[i] = from[0];
    } else if (e->format == RUT_PIXEL_FLOAT32) {
      const uint32_t bits = rut_get_u32(from);
      memcpy(byte + 4 * (size_t)i, &bits, sizeof bits);
    } else {
      // numbers below 0 are nothing
      const int64_t number = e->bytes == 2 ? rut_get_u16(from) : (int32_t)rut_get_u32(from);
      const bool fits = number >= 0 && number < UINT16_MAX;
      const uint16_t value = fits ? (uint16_t)number : UINT16_MAX;
      memcpy(byte + 2 * (size_t)i, &value, sizeof value);
    }
  }
}

static rutStatus damaged(rutError* err, const char* what) {
  return rut_error_set(err, RUT_ERR_PARSE, "the message is no image: %s", what);
}

static bool has_size(int64_t width, int64_t height) {
  return width > 0 && width <= MAX_SIDE && height > 0 && height <= MAX_SIDE &&
         width * height <= MAX_PIXELS;
}

static rutStatus allocate(rutPicture* out, rutError* err) {
  out->pixel =
      malloc((size_t)out->width * (size_t)out->height * (size_t)rut_pixel_size(out->format));
  return out->pixel ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a picture");
}

static rutStatus read_raw(Reader* r, rutPicture* out, rutError* err) {
  char name[ENCODING];
  const uint32_t height = take_u32(r), width = take_u32(r);
  take_text(r, name, sizeof name);
  const unsigned char* order = take(r, 1);
  const uint32_t step = take_u32(r), size = take_u32(r);
  const unsigned char* data = take(r, size);
  if (!data) return damaged(err, "it is too short");
  const Encoding* e = find_encoding(name);
  if (!e) return rut_error_set(err, RUT_ERR_MISSING, "images of encoding '%s' are not read", name);
  if (!has_size(width, height)) return damaged(err, "its size is out of range");
  if (*order != 0 && e->format != RUT_PIXEL_RGB8 && e->format != RUT_PIXEL_GREY8) {
    return rut_error_set(err, RUT_ERR_MISSING, "big-endian images are not read");
  }
  if (step < width * (uint32_t)e->bytes || (uint64_t)step * height > size) {
    return damaged(err, "it has fewer bytes than its size says");
  }
  *out = (rutPicture){.width = (int)width, .height = (int)height, .format = e->format};
  if (allocate(out, err) != RUT_OK) return RUT_ERR_MEMORY;
  const size_t stride = (size_t)width * (size_t)rut_pixel_size(e->format);
  for (uint32_t i = 0; i < height; i++) {
    convert_row(e, data + (size_t)i * step, (int)width,
                (unsigned char*)out->pixel + (size_t)i * stride);
  }
  return RUT_OK;
}

// The sides are those that the data claims; a block of 8 x 8 pixels needs some bits at least.
static rutStatus read_jpeg(const unsigned char* data, size_t size, rutPicture* out, rutError* err) {
  rutStatus status = RUT_OK;
  const int64_t pixels = (int64_t)out->width * out->height;
  if (!has_size(out->width, out->height) || pixels / 1024 > (int64_t)size) {
    status = damaged(err, "its size is out of range");
  }
  if (status == RUT_OK) status = allocate(out, err);
  if (status == RUT_OK) status = rut_picture_read_jpeg(data, size, out, err);
  if (status == RUT_OK) return RUT_OK;
  free(out->pixel);
  *out = (rutPicture){0};
  return status;
}

static rutStatus read_compressed(Reader* r, rutPicture* out, rutError* err) {
  static const unsigned char signature[] = {0x89, 'P', 'N', 'G'};
  char format[ENCODING];
  take_text(r, format, sizeof format);
  const uint32_t size = take_u32(r);
  const unsigned char* data = take(r, size);
  if (!data) return damaged(err, "it is too short");
  if (rut_jpeg_size(data, size, &out->width, &out->height)) return read_jpeg(data, size, out, err);
  if (size < sizeof signature || memcmp(data, signature, sizeof signature) != 0) {
    return rut_error_set(err, RUT_ERR_MISSING,
                         "images of format '%s' are not read, only png and jpeg", format);
  }
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, data, size)) return damaged(err, image.message);
  rutStatus status = RUT_OK;
  if (!has_size(image.width, image.height)) status = damaged(err, "its size is out of range");
  image.format = PNG_FORMAT_RGB;
  *out = (rutPicture){.width = (int)image.width, .height = (int)image.height};
  if (status == RUT_OK) status = allocate(out, err);
  if (status == RUT_OK && !png_image_finish_read(&image, NULL, out->pixel, 0, NULL)) {
    status = damaged(err, image.message);
  }
  png_image_free(&image);
  if (status == RUT_OK) return RUT_OK;
  free(out->pixel);
  *out = (rutPicture){0};
  return status;
}

rutStatus rut_log_picture(const rutLogFile* file, const rutLogMessage* message, rutPicture* out,
                          rutError* err) {
  const rutLogChannel channel = rut_log_channel_at(file, message->channel);
  *out = (rutPicture){0};
  const bool raw = strcmp(channel.schema, "sensor_msgs/msg/Image") == 0;
  if (!raw && strcmp(channel.schema, "sensor_msgs/msg/CompressedImage") != 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "messages of '%s' (%s) are no images",
                         channel.topic, channel.schema);
  }
  Reader r = reader_of(message);
  if (r.failed) return damaged(err, "it is not little-endian CDR");
  skip_header(&r);
  return raw ? read_raw(&r, out, err) : read_compressed(&r, out, err);
}
