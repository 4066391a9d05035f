// SPDX-License-Identifier: BSD-3-Clause
//
// Rasters of numbers from files that the test writes itself.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/decimal.h"
#include "format/raster.h"

static char hint[256];
static void keep_hint(const rutDiagnostic* finding, void* user) {
  (void)user;
  snprintf(hint, sizeof hint, "%s", finding->hint);
}
static rutReporter reporter = {.report = keep_hint, .access = &rut_access_any};

static void write_file(const char* path, const void* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static rutStatus load(const char* path, rutRaster* out) {
  rut_reporter_reset(&reporter);
  return rut_raster_load(path, (rutPlace){"world.xml", 3, 7}, &reporter, out);
}

static rutStatus load_text(const char* path, const char* text, rutRaster* out) {
  write_file(path, text, strlen(text));
  return load(path, out);
}

static void assert_values(const rutRaster* r, int rows, int cols, const double* want) {
  assert_int_equal(r->values.rows, rows);
  assert_int_equal(r->values.cols, cols);
  for (int i = 0; i < rows * cols; i++) {
    const double got = r->values.value[i];
    if (isnan(want[i]) ? !isnan(got) : got != want[i]) fail_msg("%d: %g, not %g", i, got, want[i]);
  }
}

static void ascii_grid_with_corner(void** state) {
  (void)state;
  rutRaster r;
  const double want[] = {1.5, -2, NAN, 4, 5e3, 6.25};
  assert_int_equal(load_text("corner.asc",
                             "NCOLS 3\nnrows 2\r\nxllcorner 100\nyllcorner -50.5\ncellsize 10\n"
                             "NODATA_value -9999\n1.5 -2 -9999\n4\n5e3 6.25\n",
                             &r),
                   RUT_OK);
  assert_values(&r, 2, 3, want);
  assert_true(r.placed && r.metric && r.white == 0);
  assert_true(r.spacing == 10 && r.corner[0] == 105 && r.corner[1] == -45.5);
  rut_raster_free(&r);
}

static void ascii_grid_with_centre(void** state) {
  (void)state;
  rutRaster r;
  const double want[] = {0, -9999};
  assert_int_equal(
      load_text("centre.asc", "ncols 2 nrows 1 xllcenter 7 yllcenter 8 cellsize 0.5\n0 -9999", &r),
      RUT_OK);
  assert_values(&r, 1, 2, want);
  assert_true(r.spacing == 0.5 && r.corner[0] == 7 && r.corner[1] == 8);
  rut_raster_free(&r);
}

static void broken_ascii_grids_tell_where(void** state) {
  (void)state;
#define HEAD "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
  const struct {
    const char* text;
    int line;
    const char* says;
  } wrong[] = {
      {HEAD "1 2\n3 x4\n", 7, "'x4' is not a finite number"},
      {HEAD "100 200\n300\n", 8, "ends where a number"},
      {HEAD "1 2\n3 4\n5\n", 8, "more than the 2 x 2 values"},
      {HEAD "ncols 2\n1 2 3 4", 6, "twice"},
      {"ncols 2\nnrows two\n", 2, "'two' is not"},
      {"ncols 2\nrows 2\n", 2, "unknown word"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 2 3 4", 4, "xllcorner"},
      {"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4", 5, "cellsize"},
      {"ncols 2\nnrows 0\nxllcorner 0\nyllcorner 0\ncellsize 1\n", 2,
       "nrows must be a whole number"},
      {"ncols 1.5\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1", 1,
       "ncols must be a whole number"},
      {"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize -1\n1 2", 5, "positive, not -1"},
      {"ncols 2\nnrows 1\nxllcorner nan\nyllcorner 0\ncellsize 1\n1 2", 3, "finite number"},
      {"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 1e13\ncellsize 1\n1 2", 4, "at most 1e12"},
      {"ncols 8000\nnrows 8000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2", 6, "too short"},
      {"ncols 60000\nnrows 60000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2", 2, "more than"},
      {HEAD "1 2\n3 1e999\n", 7, "1e999"},
      {HEAD "1 2\n3 inf\n", 7, "inf"},
  };
#undef HEAD
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    rutRaster r;
    assert_int_not_equal(load_text("broken.asc", wrong[i].text, &r), RUT_OK);
    if (!strstr(reporter.first.message, wrong[i].says) || reporter.first.line != wrong[i].line) {
      fail_msg("%zu: line %d: %s", i, reporter.first.line, reporter.first.message);
    }
    assert_string_equal(reporter.first.file, "broken.asc");
    assert_null(r.values.value);
  }
}

static void matrix_and_csv(void** state) {
  (void)state;
  rutRaster r;
  const double want[] = {1, 2.5, 3, -4, 5, 6};
  assert_int_equal(load_text("heights.csv", "# heights\n1, 2.5, 3\n-4,5,6\n", &r), RUT_OK);
  assert_values(&r, 2, 3, want);
  assert_true(!r.placed && r.white == 0);
  rut_raster_free(&r);
  assert_int_equal(load_text("heights.txt", "[1 2.5 3; -4 5 6]", &r), RUT_OK);
  assert_values(&r, 2, 3, want);
  rut_raster_free(&r);
  assert_int_equal(load_text("ragged.csv", "1,2\n3\n", &r), RUT_ERR_PARSE);
  assert_string_equal(reporter.first.file, "ragged.csv");
  assert_true(reporter.first.line >= 2);
  assert_int_equal(load_text("empty.csv", "", &r), RUT_ERR_PARSE);
}

static void images_give_their_greys(void** state) {
  (void)state;
  rutRaster r;
  const double want[] = {0, 255, 7, 100};
  assert_int_equal(load_text("greys.pgm", "P2\n2 2\n255\n0 255\n7 100\n", &r), RUT_OK);
  assert_values(&r, 2, 2, want);
  assert_true(!r.placed && r.white == 255);
  rut_raster_free(&r);
  const double deep[] = {40000, 65535};
  assert_int_equal(load_text("deep.pgm", "P2\n2 1\n65535\n40000 65535\n", &r), RUT_OK);
  assert_values(&r, 1, 2, deep);
  assert_true(r.white == 65535);
  rut_raster_free(&r);
}

static void missing_files_are_the_worlds_fault(void** state) {
  (void)state;
  rutRaster r;
  assert_int_not_equal(load("not_there.asc", &r), RUT_OK);
  assert_string_equal(reporter.first.file, "world.xml");
  assert_int_equal(reporter.first.line, 3);
}

// Every number that the fast reader takes is that of strtod, in bits.
static void plain_decimals_are_exact(void** state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 200000; i++) {
    char text[40];
    seed = seed * 1664525u + 1013904223u;
    const double size = ((seed >> 4) % 268435456) * 1e-7 - 10;
    snprintf(text, sizeof text, "%.*f", (int)(seed % 14), size);
    const char* at = text;
    double got;
    if (!rut_read_decimal(&at, text + strlen(text), &got)) {
      assert_ptr_equal(at, text);
      continue;
    }
    assert_int_equal(*at, 0);
    const double want = strtod(text, NULL);
    assert_memory_equal(&got, &want, sizeof got);
  }
  const char* others[] = {"",
                          "-",
                          ".5",
                          "1.",
                          "+1",
                          "x",
                          "1234567890123456",
                          "0.1234567890123456",
                          "55555555555525555552"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    const char* at = others[i];
    double value;
    assert_false(rut_read_decimal(&at, at + strlen(at), &value));
  }
}

// ---- GeoTIFF, through GDAL ----

typedef struct Bytes {
  uint8_t at[4096];
  size_t n;
} Bytes;
static void put(Bytes* b, const void* from, size_t n) {
  assert_true(b->n + n <= sizeof b->at);
  memcpy(b->at + b->n, from, n);
  b->n += n;
}
static void put16(Bytes* b, unsigned v) { put(b, &(uint16_t){(uint16_t)v}, 2); }
static void put32(Bytes* b, size_t v) { put(b, &(uint32_t){(uint32_t)v}, 4); }
static void tag(Bytes* b, unsigned id, unsigned type, size_t count, size_t value) {
  put16(b, id);
  put16(b, type);
  put32(b, count);
  put32(b, value);
}

// A little-endian TIFF of 3 x 2 floats with pixels of the given size from (500, 4000) down, in
// UTM zone 32 or degrees, with -9999 for no data.
static void write_tiff(const char* path, double dx, double dy, bool degrees) {
  const float value[6] = {1.5f, -2, -9999, 4, 5000, 6.25f};
  const double scale[3] = {dx, dy, 0}, tie[6] = {0, 0, 0, 500, 4000, 0};
  const uint16_t keys[] = {1,
                           1,
                           0,
                           3,
                           1024,
                           0,
                           1,
                           (uint16_t)(degrees ? 2 : 1),
                           1025,
                           0,
                           1,
                           1,
                           (uint16_t)(degrees ? 2048 : 3072),
                           0,
                           1,
                           (uint16_t)(degrees ? 4326 : 32632)};
  Bytes b = {.n = 0};
  put(&b, "II*\0", 4);
  const size_t data = 8, after = data + sizeof value;
  put32(&b, after + sizeof scale + sizeof tie + sizeof keys + 8);
  put(&b, value, sizeof value);
  put(&b, scale, sizeof scale);
  put(&b, tie, sizeof tie);
  put(&b, keys, sizeof keys);
  put(&b, "-9999\0\0", 8);
  put16(&b, 14);
  enum { SHORT = 3, LONG = 4, DOUBLE = 12, ASCII = 2 };
  tag(&b, 256, SHORT, 1, 3);
  tag(&b, 257, SHORT, 1, 2);
  tag(&b, 258, SHORT, 1, 32);
  tag(&b, 259, SHORT, 1, 1);
  tag(&b, 262, SHORT, 1, 1);
  tag(&b, 273, LONG, 1, data);
  tag(&b, 277, SHORT, 1, 1);
  tag(&b, 278, SHORT, 1, 2);
  tag(&b, 279, LONG, 1, sizeof value);
  tag(&b, 339, SHORT, 1, 3);
  tag(&b, 33550, DOUBLE, 3, after);
  tag(&b, 33922, DOUBLE, 6, after + sizeof scale);
  tag(&b, 34735, SHORT, sizeof keys / 2, after + sizeof scale + sizeof tie);
  tag(&b, 42113, ASCII, 6, after + sizeof scale + sizeof tie + sizeof keys);
  put32(&b, 0);
  write_file(path, b.at, b.n);
}

// Without the library the message names the package; the rest is then skipped.
static bool gdal_is_there(rutStatus status) {
  if (status != RUT_ERR_MISSING) return true;
  assert_non_null(strstr(reporter.first.message, "GDAL"));
  assert_non_null(strstr(hint, "libgdal32"));
  print_message("skipped: no GDAL library (apt-get install libgdal32)\n");
  return false;
}

static void geotiff_keeps_its_place(void** state) {
  (void)state;
  rutRaster r;
  const double want[] = {1.5, -2, NAN, 4, 5000, 6.25};
  write_tiff("utm.tif", 30, 30, false);
  const rutStatus status = load("utm.tif", &r);
  if (!gdal_is_there(status)) skip();
  if (status != RUT_OK) fail_msg("%s", reporter.first.message);
  assert_values(&r, 2, 3, want);
  // middle of the lower left pixel
  assert_true(r.placed && r.metric && r.spacing == 30);
  assert_true(r.corner[0] == 515 && r.corner[1] == 4000 - 45);
  assert_non_null(strstr(r.projection, "PROJ"));
  rut_raster_free(&r);
}

static void geotiff_in_degrees_says_so(void** state) {
  (void)state;
  rutRaster r;
  write_tiff("degrees.tif", 0.01, 0.01, true);
  const rutStatus status = load("degrees.tif", &r);
  if (!gdal_is_there(status)) skip();
  assert_int_equal(status, RUT_OK);
  assert_true(r.placed && !r.metric);
  rut_raster_free(&r);
}

static void odd_rasters_are_refused(void** state) {
  (void)state;
  rutRaster r;
  write_tiff("oblong.tif", 30, 20, false);
  const rutStatus status = load("oblong.tif", &r);
  if (!gdal_is_there(status)) skip();
  assert_int_equal(status, RUT_ERR_PARSE);
  assert_non_null(strstr(reporter.first.message, "square pixels"));
  assert_null(r.values.value);
  // a file cut off in its directory, and one that is nothing at all
  write_tiff("whole.tif", 30, 30, false);
  FILE* file = fopen("whole.tif", "rb");
  uint8_t bytes[200];
  assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
  fclose(file);
  write_file("cut.tif", bytes, sizeof bytes);
  assert_int_equal(load("cut.tif", &r), RUT_ERR_PARSE);
  assert_string_equal(reporter.first.file, "cut.tif");
  write_file("junk.bin", "\1\2\3\4 no raster", 14);
  assert_int_equal(load("junk.bin", &r), RUT_ERR_PARSE);
  // a file that only points elsewhere is not followed
  const char* pointer =
      "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Float32\" "
      "band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">whole.tif</SourceFilename>"
      "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>";
  assert_int_equal(load_text("pointer.vrt", pointer, &r), RUT_ERR_PARSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ascii_grid_with_corner),
      cmocka_unit_test(ascii_grid_with_centre),
      cmocka_unit_test(broken_ascii_grids_tell_where),
      cmocka_unit_test(matrix_and_csv),
      cmocka_unit_test(images_give_their_greys),
      cmocka_unit_test(missing_files_are_the_worlds_fault),
      cmocka_unit_test(plain_decimals_are_exact),
      cmocka_unit_test(geotiff_keeps_its_place),
      cmocka_unit_test(geotiff_in_degrees_says_so),
      cmocka_unit_test(odd_rasters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
