// SPDX-License-Identifier: BSD-3-Clause
//
// Portable anymap reader (netpbm formats pbm, pgm, ppm; text and binary).
#include <stdlib.h>

#include "format/image.h"

typedef struct Pnm {
  const uint8_t *at, *end;
  const uint8_t* line_start;
  int line;
  const char* name;
  rutReporter* reporter;
} Pnm;

static rutStatus fail(const Pnm* p, const char* what) {
  rutPlace place = {p->name, p->line, (int)(p->at - p->line_start) + 1};
  return rut_report_error(p->reporter, RUT_ERR_PARSE, place, "", "", "PNM image: %s", what);
}

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void next(Pnm* p) {
  if (*p->at++ == '\n') {
    p->line++;
    p->line_start = p->at;
  }
}

// Skip white space and comments ("# ..." up to the end of the line).
static void skip_blanks(Pnm* p) {
  while (p->at < p->end && (is_space(*p->at) || *p->at == '#')) {
    if (*p->at == '#') {
      while (p->at < p->end && *p->at != '\n') p->at++;
    } else {
      next(p);
    }
  }
}

// Read an unsigned number of at most 9 digits. Returns -1 if there is none.
static int read_number(Pnm* p) {
  skip_blanks(p);
  int value = 0, digits = 0;
  while (p->at < p->end && *p->at >= '0' && *p->at <= '9' && digits < 10) {
    value = digits < 9 ? 10 * value + (*p->at - '0') : value;
    digits++;
    p->at++;
  }
  return digits > 0 && digits < 10 ? value : -1;
}

// One pixel value of a bitmap in text: a digit 0 or 1, which need not be followed by a blank.
static int read_bit(Pnm* p) {
  skip_blanks(p);
  if (p->at == p->end || (*p->at != '0' && *p->at != '1')) return -1;
  return *p->at++ - '0';
}

static uint16_t grey_of(int red, int green, int blue) {
  return (uint16_t)((299 * (int64_t)red + 587 * (int64_t)green + 114 * (int64_t)blue + 500) / 1000);
}

// Colours of 8 bits, if they are wanted.
static void put_colour(rutImage* image, size_t i, const int value[3], bool grey) {
  for (int k = 0; image->colour && k < 3; k++) {
    image->colour[3 * i + (size_t)k] = (uint8_t)(255 * value[grey ? 0 : k] / image->max);
  }
}

static rutStatus read_text_pixels(Pnm* p, int kind, rutImage* image) {
  size_t count = (size_t)image->width * (size_t)image->height;
  int samples = kind == 3 ? 3 : 1;
  for (size_t i = 0; i < count; i++) {
    int value[3] = {0, 0, 0};
    for (int k = 0; k < samples; k++) {
      value[k] = kind == 1 ? read_bit(p) : read_number(p);
      if (value[k] < 0) return fail(p, "a pixel value is missing or not a number");
      if (value[k] > image->max) return fail(p, "a pixel value exceeds the maximum in the header");
    }
    // in a bitmap, 1 is black
    image->grey[i] = kind == 3   ? grey_of(value[0], value[1], value[2])
                     : kind == 1 ? (uint16_t)(1 - value[0])
                                 : (uint16_t)value[0];
    if (kind == 1) value[0] = 1 - value[0];
    put_colour(image, i, value, kind != 3);
  }
  return RUT_OK;
}

static int binary_sample(const uint8_t* at, int bytes) {
  return bytes == 2 ? at[0] << 8 | at[1] : at[0];
}

static rutStatus read_binary_pixels(Pnm* p, int kind, rutImage* image) {
  size_t count = (size_t)image->width * (size_t)image->height;
  int bytes = image->max > 255 ? 2 : 1, samples = kind == 6 ? 3 : 1;
  const uint8_t* at = p->at;
  for (size_t i = 0; i < count; i++) {
    int value[3] = {0, 0, 0};
    for (int k = 0; k < samples; k++) {
      value[k] = binary_sample(at, bytes);
      at += bytes;
      if (value[k] > image->max) return fail(p, "a pixel value exceeds the maximum in the header");
    }
    image->grey[i] = kind == 6 ? grey_of(value[0], value[1], value[2]) : (uint16_t)value[0];
    put_colour(image, i, value, kind != 6);
  }
  return RUT_OK;
}

static void read_bitmap(Pnm* p, rutImage* image) {
  size_t stride = ((size_t)image->width + 7) / 8;
  for (int y = 0; y < image->height; y++) {
    const uint8_t* row = p->at + (size_t)y * stride;
    uint16_t* grey = image->grey + (size_t)y * (size_t)image->width;
    for (int x = 0; x < image->width; x++) {
      const int value[3] = {!(row[x / 8] >> (7 - x % 8) & 1)};
      grey[x] = (uint16_t)value[0];
      put_colour(image, (size_t)y * (size_t)image->width + (size_t)x, value, true);
    }
  }
}

// Bytes that the pixels take: exact for binary files, the least possible for text.
static double pixel_bytes(int kind, double width, double height, int max) {
  switch (kind) {
    case 1:
      return width * height;
    case 2:
      return 2 * width * height - 1;
    case 3:
      return 6 * width * height - 1;
    case 4:
      return (double)(((int64_t)width + 7) / 8) * height;
    case 5:
      return width * height * (max > 255 ? 2 : 1);
    default:
      return 3 * width * height * (max > 255 ? 2 : 1);
  }
}

bool rut_is_pnm(const uint8_t* bytes, size_t size) {
  return size > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
         (is_space(bytes[2]) || bytes[2] == '#');
}

rutStatus rut_pnm_decode(const uint8_t* bytes, size_t size, bool colours, const char* name,
                         rutReporter* reporter, rutImage* out) {
  *out = (rutImage){0};
  Pnm p = {bytes + 2, bytes + size, bytes, 1, name, reporter};
  int kind = bytes[1] - '0';
  int width = read_number(&p), height = read_number(&p);
  if (width <= 0 || height <= 0) return fail(&p, "width and height must be positive numbers");
  int max = kind == 1 || kind == 4 ? 1 : read_number(&p);
  if (max < 1 || max > 65535) return fail(&p, "the maximum value must be from 1 to 65535");
  if (kind >= 4) {
    // exactly one blank stands between header and pixels
    if (p.at == p.end || !is_space(*p.at)) return fail(&p, "the header has no end");
    next(&p);
  }
  const rutImageClaim claim = {.format = "PNM",
                               .width = width,
                               .height = height,
                               .max = max,
                               .least_bytes = pixel_bytes(kind, width, height, max),
                               .size = (size_t)(p.end - p.at),
                               .colours = colours};
  rutStatus status = rut_image_allocate(&claim, name, reporter, out);
  if (status != RUT_OK) return status;
  if (kind == 4) {
    read_bitmap(&p, out);
  } else {
    status = kind < 4 ? read_text_pixels(&p, kind, out) : read_binary_pixels(&p, kind, out);
  }
  if (status != RUT_OK) rut_image_free(out);
  return status;
}
