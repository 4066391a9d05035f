// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <cmocka.h>

#include "format/image.h"
#include "geom/occupancy.h"
#include "math/rut_math.h"

static rutReporter reporter;

// Decode a copy of exactly the given size.
static rutStatus decode(const void* bytes, size_t size, rutImage* image) {
  uint8_t* copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  memset(&reporter, 0, sizeof reporter);
  rutStatus status = rut_image_decode(copy, size, "i.png", &reporter, image);
  free(copy);
  return status;
}

static void expect(const void* bytes, size_t size, rutStatus status, const char* part) {
  rutImage image;
  assert_int_equal(decode(bytes, size, &image), status);
  assert_null(image.grey);
  assert_string_equal(reporter.first.file, "i.png");
  if (!strstr(reporter.first.message, part)) fail_msg("%s", reporter.first.message);
}

static void check(const rutImage* image, int width, int height, int max, const uint16_t* grey) {
  assert_int_equal(image->width, width);
  assert_int_equal(image->height, height);
  assert_int_equal(image->max, max);
  for (int i = 0; i < width * height; i++) assert_int_equal(image->grey[i], grey[i]);
}

// ---------------------------------------------------------------------------------------------
// A PNG by hand (ISO 15948)

typedef struct png {
  uint8_t at[4096];
  size_t n;
} png;

static void put_big(png* p, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) p->at[p->n++] = (uint8_t)(value >> shift);
}

static void put_chunk(png* p, const char* type, const uint8_t* data, size_t n) {
  put_big(p, (uint32_t)n);
  size_t start = p->n;
  memcpy(p->at + p->n, type, 4);
  if (n) memcpy(p->at + p->n + 4, data, n);
  p->n += 4 + n;
  put_big(p, (uint32_t)crc32(0, p->at + start, (uInt)(4 + n)));
}

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

// raw holds the filtered rows. palette is Nullable, 3 bytes for each of 4 colours.
static png make_png(uint32_t width, uint32_t height, int depth, int type, int interlace,
                    const uint8_t* palette, const uint8_t* raw, size_t size) {
  png p = {.n = 8};
  memcpy(p.at, "\x89PNG\r\n\x1a\n", 8);
  uint8_t header[13] = {0};
  for (int i = 0; i < 4; i++) {
    header[i] = (uint8_t)(width >> (24 - 8 * i));
    header[4 + i] = (uint8_t)(height >> (24 - 8 * i));
  }
  header[8] = (uint8_t)depth;
  header[9] = (uint8_t)type;
  header[12] = (uint8_t)interlace;
  put_chunk(&p, "IHDR", header, 13);
  if (palette) put_chunk(&p, "PLTE", palette, 12);
  uint8_t packed[2048];
  uLongf n = sizeof packed;
  assert_int_equal(compress2(packed, &n, raw, size, 9), Z_OK);
  put_chunk(&p, "IDAT", packed, n);
  put_chunk(&p, "IEND", NULL, 0);
  return p;
}

static void png_grey(void** state) {
  (void)state;
  const uint8_t raw[] = {0, 10, 20, 255, 0, 0, 128, 7};
  png p = make_png(3, 2, 8, GREY, 0, NULL, raw, sizeof raw);
  rutImage image;
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 3, 2, 255, (const uint16_t[]){10, 20, 255, 0, 128, 7});
  rut_image_free(&image);
  // cut anywhere before the pixels end: an error, and nothing leaks
  for (size_t cut = 0; cut < p.n - 16; cut++) {
    assert_int_not_equal(decode(p.at, cut, &image), RUT_OK);
    assert_null(image.grey);
  }
}

static void png_depths(void** state) {
  (void)state;
  rutImage image;
  const uint8_t sixteen[] = {0, 0x12, 0x34, 0xff, 0xff};
  png p = make_png(2, 1, 16, GREY, 0, NULL, sixteen, sizeof sixteen);
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 2, 1, 65535, (const uint16_t[]){0x1234, 0xffff});
  rut_image_free(&image);
  const uint8_t two[] = {0, 0x1b};  // 0 1 2 3
  p = make_png(4, 1, 2, GREY, 0, NULL, two, sizeof two);
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 4, 1, 255, (const uint16_t[]){0, 85, 170, 255});
  rut_image_free(&image);
}

// 0.299 R + 0.587 G + 0.114 B, rounded.
static void png_colours(void** state) {
  (void)state;
  rutImage image;
  const uint16_t grey[] = {76, 150, 29, 255};
  const uint8_t rgb[] = {0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  png p = make_png(4, 1, 8, RGB, 0, NULL, rgb, sizeof rgb);
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 4, 1, 255, grey);
  rut_image_free(&image);
  const uint8_t indexed[] = {0, 0, 1, 2, 3};
  p = make_png(4, 1, 8, PALETTE, 0, rgb + 1, indexed, sizeof indexed);
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 4, 1, 255, grey);
  rut_image_free(&image);
  const uint8_t clear[] = {0, 255, 0, 0, 0, 0, 255, 0, 99};
  p = make_png(2, 1, 8, RGBA, 0, NULL, clear, sizeof clear);
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 2, 1, 255, grey);
  rut_image_free(&image);
}

static void png_interlaced(void** state) {
  (void)state;
  // Adam7 of 2 x 2: pass 1 has (0, 0), pass 6 (1, 0), pass 7 the second row
  const uint8_t raw[] = {0, 11, 0, 22, 0, 33, 44};
  png p = make_png(2, 2, 8, GREY, 1, NULL, raw, sizeof raw);
  rutImage image;
  assert_int_equal(decode(p.at, p.n, &image), RUT_OK);
  check(&image, 2, 2, 255, (const uint16_t[]){11, 22, 33, 44});
  rut_image_free(&image);
}

static void png_that_lies(void** state) {
  (void)state;
  const uint8_t raw[] = {0, 10, 20};
  png p = make_png(8000, 8000, 8, GREY, 0, NULL, raw, sizeof raw);
  expect(p.at, p.n, RUT_ERR_PARSE, "too short");
  p = make_png(100000, 100000, 1, GREY, 0, NULL, raw, sizeof raw);
  expect(p.at, p.n, RUT_ERR_CAPACITY, "100000 x 100000");
  p = make_png(2000000000, 1, 1, GREY, 0, NULL, raw, sizeof raw);
  expect(p.at, p.n, RUT_ERR_PARSE, "PNG");
  p = make_png(0, 5, 8, GREY, 0, NULL, raw, sizeof raw);
  expect(p.at, p.n, RUT_ERR_PARSE, "PNG");
  p = make_png(2, 4, 8, GREY, 0, NULL, raw, sizeof raw);  // one row instead of four
  expect(p.at, p.n, RUT_ERR_PARSE, "PNG");
  p = make_png(2, 1, 8, GREY, 0, NULL, raw, sizeof raw);
  p.at[p.n - 20] ^= 0xff;  // a damaged checksum
  expect(p.at, p.n, RUT_ERR_PARSE, "PNG");
}

// ---------------------------------------------------------------------------------------------
// PNM

static void pnm_kinds(void** state) {
  (void)state;
  rutImage image;
  const struct {
    const char* bytes;
    size_t size;
    int max;
    uint16_t grey[2];
  } cases[] = {
      {"P1 2 1\n10", 9, 1, {0, 1}},
      {"P2\n# a map\n2 1\n200\n0 200\n", 26, 200, {0, 200}},
      {"P3 2 1 255 255 0 0 0 0 255", 26, 255, {76, 29}},
      {"P4 2 1\n\x80", 8, 1, {0, 1}},
      {"P5 2 1 255\n\x07\xff", 13, 255, {7, 255}},
      {"P5 2 1 1000 \x00\x10\x03\xe8", 16, 1000, {16, 1000}},
      {"P6 2 1 255\n\xff\x00\x00\x00\x00\xff", 17, 255, {76, 29}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (decode(cases[i].bytes, cases[i].size, &image) != RUT_OK) {
      fail_msg("case %zu: %s", i, reporter.first.message);
    }
    check(&image, 2, 1, cases[i].max, cases[i].grey);
    rut_image_free(&image);
    for (size_t cut = 0; cut < cases[i].size; cut++) {
      decode(cases[i].bytes, cut, &image);
      rut_image_free(&image);
    }
  }
}

static void pnm_errors(void** state) {
  (void)state;
  expect("P5 2 x 255\n..", 13, RUT_ERR_PARSE, "positive numbers");
  expect("P5 -2 1 255\n..", 14, RUT_ERR_PARSE, "positive numbers");
  expect("P5 2 1 70000\n..", 15, RUT_ERR_PARSE, "from 1 to 65535");
  expect("P5 2 1 255\n.", 12, RUT_ERR_PARSE, "too short");
  expect("P5 8000 8000 255\n.", 18, RUT_ERR_PARSE, "too short");
  expect("P2 8000 8000 255\n1 2", 20, RUT_ERR_PARSE, "too short");
  expect("P5 99999999 99999999 255\n.", 26, RUT_ERR_CAPACITY, "pixels");
  expect("P5 99999999999 2 255\n.", 22, RUT_ERR_PARSE, "positive numbers");
  expect("P2 2 1 255\n1 256", 16, RUT_ERR_PARSE, "exceeds");
  assert_int_equal(reporter.first.line, 2);
  expect("P2 2 1 255\n1 b ", 15, RUT_ERR_PARSE, "missing or not a number");
}

// ---------------------------------------------------------------------------------------------
// Other formats

static void unknown_formats(void** state) {
  (void)state;
  expect("", 0, RUT_ERR_PARSE, "not an image");
  expect("<svg></svg>", 11, RUT_ERR_PARSE, "not an image");
  expect("P7\nWIDTH 2", 10, RUT_ERR_PARSE, "not an image");
}

static void expect_claim(const uint8_t* bytes, size_t size, const char* format) {
  rutImageClaim claim;
  assert_true(rut_image_claim(bytes, size, &claim));
  assert_string_equal(claim.format, format);
  assert_int_equal(claim.width, 300);
  assert_int_equal(claim.height, 200);
}

// Headers of each format that claim 300 x 200 or more, by their specifications.
static void claims_are_read(void** state) {
  (void)state;
  const uint8_t jpeg[] = {0xff, 0xd8, 0xff, 0xe0, 0,    4, 0,    0, 0xff, 0xc2,
                          0,    17,   8,    0,    0xc8, 1, 0x2c, 3, 0,    0};
  expect_claim(jpeg, sizeof jpeg, "JPEG");
  // a small screen, and a first picture that is larger; one extension block before it
  const uint8_t gif[] = {'G', 'I', 'F', '8',  '9', 'a', 1, 0, 1,    0, 0,    0, 0, 0x21, 0xf9,
                         1,   0,   0,   0x2c, 0,   0,   0, 0, 0x2c, 1, 0xc8, 0, 0, 0,    0};
  expect_claim(gif, sizeof gif, "GIF");
  uint8_t bmp[30] = {'B', 'M'};
  bmp[14] = 40;
  bmp[18] = 0x2c;
  bmp[19] = 1;
  memcpy(bmp + 22, "\x38\xff\xff\xff", 4);  // -200: rows from the top
  expect_claim(bmp, sizeof bmp, "BMP");
  const uint8_t tiff[] = {'M', 'M',  0, '*', 0, 0, 0, 8, 0, 2, 1, 0, 0, 3, 0, 0,    0, 1,
                          1,   0x2c, 0, 0,   1, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0xc8, 0, 0};
  expect_claim(tiff, sizeof tiff, "TIFF");
  uint8_t webp[30] = "RIFF....WEBPVP8X";
  webp[24] = 0x2b;
  webp[25] = 1;
  webp[27] = 0xc7;
  expect_claim(webp, sizeof webp, "WebP");
}

#ifdef RUT_HAVE_GD
#include <gd.h>

static gdImagePtr gradient(void) {
  gdImagePtr picture = gdImageCreateTrueColor(32, 16);
  for (int y = 0; y < 16; y++) {
    for (int x = 0; x < 32; x++) gdImageSetPixel(picture, x, y, gdTrueColor(8 * x, 8 * x, 8 * x));
  }
  return picture;
}

static void* encode(int kind, gdImagePtr picture, int* size) {
  switch (kind) {
    case 0:
      return gdImageJpegPtr(picture, size, 95);
    case 1:
      return gdImageGifPtr(picture, size);
    case 2:
      return gdImageBmpPtr(picture, size, 0);
    case 3:
      return gdImageTiffPtr(picture, size);
    default:
      return gdImageWebpPtrEx(picture, size, gdWebpLossless);
  }
}

static void gd_formats(void** state) {
  (void)state;
  for (int kind = 0; kind < 5; kind++) {
    gdImagePtr picture = gradient();
    int size, tolerance = kind == 0 ? 4 : kind == 1 ? 12 : 0;
    uint8_t* bytes = encode(kind, picture, &size);
    gdImageDestroy(picture);
    assert_non_null(bytes);
    rutImage image;
    if (decode(bytes, (size_t)size, &image) != RUT_OK) {
      fail_msg("kind %d: %s", kind, reporter.first.message);
    }
    assert_int_equal(image.width, 32);
    assert_int_equal(image.height, 16);
    for (int i = 0; i < 32 * 16; i++) {
      if (abs(image.grey[i] - 8 * (i % 32)) > tolerance)
        fail_msg("kind %d, %d: %d", kind, i, image.grey[i]);
    }
    rut_image_free(&image);
    // cut in half: most decoders refuse; none may crash
    decode(bytes, (size_t)size / 2, &image);
    rut_image_free(&image);
    gdFree(bytes);
  }
}

static void gd_formats_that_lie(void** state) {
  (void)state;
  int size;
  gdImagePtr picture = gradient();
  uint8_t* bytes = gdImageGifPtr(picture, &size);
  memcpy(bytes + 6, "\x40\x9c\x40\x9c", 4);  // 40000 x 40000
  expect(bytes, (size_t)size, RUT_ERR_CAPACITY, "40000 x 40000");
  memcpy(bytes + 6, "\x40\x1f\x40\x1f", 4);  // 8000 x 8000
  expect(bytes, (size_t)size, RUT_ERR_PARSE, "too short");
  gdFree(bytes);
  bytes = gdImageJpegPtr(picture, &size, 90);
  for (int i = 0; i + 9 < size; i++) {
    if (bytes[i] == 0xff && bytes[i + 1] == 0xc0) memcpy(bytes + i + 5, "\x1f\x40\x1f\x40", 4);
  }
  expect(bytes, (size_t)size, RUT_ERR_PARSE, "too short");
  gdFree(bytes);
  gdImageDestroy(picture);
}
#else
static void gd_formats(void** state) {
  (void)state;
  expect("GIF89a\1\0\1\0\0\0\0", 13, RUT_ERR_MISSING, "GIF images need");
  assert_non_null(strstr(reporter.first.message, "libgd-dev"));
}
static void gd_formats_that_lie(void** state) {
  (void)state;
  skip();
}
#endif

// ---------------------------------------------------------------------------------------------
// Use

static void cells_of_an_image(void** state) {
  (void)state;
  // by MRPT's table (see image.h) 122 is the lightest obstacle and 131 the darkest free grey
  uint16_t grey[6] = {0, 122, 123, 130, 131, 255};
  rutImage image = {.width = 2, .height = 3, .max = 255, .grey = grey};
  uint8_t cell[6];
  rut_image_cells(&image, cell);
  const uint8_t expected[6] = {RUT_CELL_FREE,    RUT_CELL_FREE,     RUT_CELL_UNKNOWN,
                               RUT_CELL_UNKNOWN, RUT_CELL_OCCUPIED, RUT_CELL_OCCUPIED};
  assert_memory_equal(cell, expected, 6);
}

static void heights_of_an_image(void** state) {
  (void)state;
  uint16_t grey[6] = {50, 100, 150, 60, 50, 50};
  rutImage image = {.width = 3, .height = 2, .max = 255, .grey = grey};
  rutMatrix m;
  assert_int_equal(rut_image_heights(&image, -1, 3, "i.png", &reporter, &m), RUT_OK);
  assert_int_equal(m.rows, 2);
  assert_int_equal(m.cols, 3);
  const double expected[6] = {-1, 1, 3, -0.6, -1, -1};
  for (int i = 0; i < 6; i++) assert_true(fabs(m.value[i] - expected[i]) < 1e-15);
  rut_matrix_free(&m);
  uint16_t flat[2] = {9, 9};
  image = (rutImage){.width = 2, .height = 1, .max = 255, .grey = flat};
  assert_int_equal(rut_image_heights(&image, -1, 3, "i.png", &reporter, &m), RUT_OK);
  assert_true(m.value[0] == -1 && m.value[1] == -1);
  rut_matrix_free(&m);
}

// demo_world1.png: a white room with a black wall on grey; its frame is grey 128.
static void a_demo_map(void** state) {
  (void)state;
  FILE* file = fopen(RUT_SHARED_DIR "/data/mvsim/worlds/mvsim_tutorial/demo_world1.png", "rb");
  if (!file) {
    print_message("no shared data, skipped\n");
    skip();
  }
  uint8_t bytes[8192];
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  rutImage image;
  assert_int_equal(decode(bytes, size, &image), RUT_OK);
  assert_int_equal(image.width, 320);
  assert_int_equal(image.height, 200);
  assert_int_equal(image.grey[0], 128);
  assert_int_equal(image.grey[100 * 320 + 160], 255);
  assert_int_equal(image.grey[12 * 320 + 140], 0);
  uint8_t* cell = malloc(320 * 200);
  rut_image_cells(&image, cell);
  assert_int_equal(cell[0], RUT_CELL_UNKNOWN);
  assert_int_equal(cell[187 * 320 + 140], RUT_CELL_OCCUPIED);
  free(cell);
  rut_image_free(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(png_grey),
      cmocka_unit_test(png_depths),
      cmocka_unit_test(png_colours),
      cmocka_unit_test(png_interlaced),
      cmocka_unit_test(png_that_lies),
      cmocka_unit_test(pnm_kinds),
      cmocka_unit_test(pnm_errors),
      cmocka_unit_test(unknown_formats),
      cmocka_unit_test(claims_are_read),
      cmocka_unit_test(gd_formats),
      cmocka_unit_test(gd_formats_that_lie),
      cmocka_unit_test(cells_of_an_image),
      cmocka_unit_test(heights_of_an_image),
      cmocka_unit_test(a_demo_map),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
