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

#include "format/gridmap.h"
#include "geom/occupancy.h"
#include "math/rut_math.h"

typedef struct buffer {
  uint8_t at[4096];
  size_t n;
} buffer;

static void put(buffer* b, const void* bytes, size_t n) {
  assert_true(b->n + n <= sizeof b->at);
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
}
static void put_byte(buffer* b, unsigned value) { put(b, &(uint8_t){(uint8_t)value}, 1); }
static void put_u32(buffer* b, uint32_t v) {
  for (int i = 0; i < 4; i++) put_byte(b, v >> (8 * i) & 255);
}
static void put_float(buffer* b, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  put_u32(b, bits);
}

// A map of 4 x 2 cells of 0.5 m with its lower left corner at (-1, 3).
static buffer make_map(const char* class_name, unsigned version, unsigned bits, uint32_t nx) {
  buffer b = {.n = 0};
  put_byte(&b, 0x80 | (unsigned)strlen(class_name));
  put(&b, class_name, strlen(class_name));
  put_byte(&b, version);
  if (version >= 2) put_byte(&b, bits);
  put_u32(&b, nx);
  put_u32(&b, 2);
  const float limits[] = {-1, -1 + 0.5f * (float)nx, 3, 4, 0.5f};
  for (int i = 0; i < 5; i++) put_float(&b, limits[i]);
  const int8_t log_odds[8] = {127, 1, 0, -1, -2, -127, 50, -50};
  for (int i = 0; i < 8; i++) {
    if (bits == 16) put_byte(&b, 0x55);  // the lower byte does not count
    put_byte(&b, (uint8_t)log_odds[i]);
  }
  put(&b, "options", 7);
  put_byte(&b, 0x88);
  return b;
}

static const uint8_t expected[8] = {RUT_CELL_FREE,    RUT_CELL_FREE,     RUT_CELL_UNKNOWN,
                                    RUT_CELL_UNKNOWN, RUT_CELL_OCCUPIED, RUT_CELL_OCCUPIED,
                                    RUT_CELL_FREE,    RUT_CELL_OCCUPIED};

static rutReporter reporter;

static rutStatus decode(const uint8_t* bytes, size_t size, rutGridMap* map) {
  uint8_t* copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  memset(&reporter, 0, sizeof reporter);
  rutStatus status = rut_gridmap_decode(copy, size, "m.gridmap", &reporter, map);
  free(copy);
  return status;
}

static void check_map(const rutGridMap* map) {
  assert_int_equal(map->nx, 4);
  assert_int_equal(map->ny, 2);
  assert_true(map->resolution == 0.5 && map->origin[0] == -1 && map->origin[1] == 3);
  assert_memory_equal(map->cell, expected, 8);
}

static void reads_versions_and_names(void** state) {
  (void)state;
  static const char* const names[] = {"COccupancyGridMap2D", "mrpt::maps::COccupancyGridMap2D",
                                      "mrpt::slam::COccupancyGridMap2D"};
  for (unsigned version = 3; version <= 6; version++) {
    for (unsigned bits = 8; bits <= 16; bits += 8) {
      buffer b = make_map(names[version % 3], version, bits, 4);
      rutGridMap map;
      assert_true(rut_is_gridmap(b.at, b.n));
      assert_int_equal(decode(b.at, b.n, &map), RUT_OK);
      check_map(&map);
      rut_gridmap_free(&map);
      assert_null(map.cell);
    }
  }
}

static void reads_probabilities_of_old_versions(void** state) {
  (void)state;
  buffer b = make_map("COccupancyGridMap2D", 1, 8, 4);
  const uint8_t probability[8] = {0, 255, 128, 122, 123, 130, 131, 200};
  memcpy(b.at + b.n - 16, probability, 8);
  rutGridMap map;
  assert_int_equal(decode(b.at, b.n, &map), RUT_OK);
  const uint8_t cells[8] = {1, 0, 2, 1, 2, 2, 0, 0};
  assert_memory_equal(map.cell, cells, 8);
  rut_gridmap_free(&map);
}

// Compress with a gzip header.
static size_t pack(const uint8_t* bytes, size_t n, uint8_t* out, size_t room) {
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (Bytef*)(uintptr_t)bytes;
  z.avail_in = (uInt)n;
  z.next_out = out;
  z.avail_out = (uInt)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return room - z.avail_out;
}

static void reads_compressed_maps(void** state) {
  (void)state;
  buffer b = make_map("mrpt::maps::COccupancyGridMap2D", 6, 8, 4);
  uint8_t packed[4096];
  size_t n = pack(b.at, b.n, packed, sizeof packed);
  rutGridMap map;
  assert_true(rut_is_gridmap(packed, n));
  assert_int_equal(decode(packed, n, &map), RUT_OK);
  check_map(&map);
  rut_gridmap_free(&map);
  // a damaged or shortened stream is an error or gives the whole map, never a crash
  for (size_t cut = 0; cut < n; cut++) {
    rutStatus status = decode(packed, cut, &map);
    if (status == RUT_OK) check_map(&map);
    rut_gridmap_free(&map);
    uint8_t keep = packed[cut];
    packed[cut] ^= 0x5a;
    decode(packed, n, &map);
    rut_gridmap_free(&map);
    packed[cut] = keep;
  }
}

static void short_files_are_errors(void** state) {
  (void)state;
  buffer b = make_map("COccupancyGridMap2D", 6, 16, 4);
  size_t end_of_cells = b.n - 8;
  rutGridMap map;
  for (size_t cut = 0; cut < end_of_cells; cut++) {
    assert_int_equal(decode(b.at, cut, &map), RUT_ERR_PARSE);
    assert_null(map.cell);
  }
  assert_int_equal(decode(b.at, end_of_cells, &map), RUT_OK);
  rut_gridmap_free(&map);
}

static void expect(buffer b, rutStatus status, const char* part) {
  rutGridMap map;
  assert_int_equal(decode(b.at, b.n, &map), status);
  assert_null(map.cell);
  if (!strstr(reporter.first.message, part)) fail_msg("%s", reporter.first.message);
  assert_string_equal(reporter.first.file, "m.gridmap");
}

static void false_claims_are_errors(void** state) {
  (void)state;
  const char* name = "COccupancyGridMap2D";
  expect(make_map("CSimplePointsMap", 6, 8, 4), RUT_ERR_PARSE, "no mrpt::maps::COccup");
  expect(make_map(name, 7, 8, 4), RUT_ERR_VERSION, "newer than 6");
  expect(make_map(name, 6, 12, 4), RUT_ERR_PARSE, "8 or 16 bits");
  expect(make_map(name, 6, 8, 4000000), RUT_ERR_PARSE, "too short");
  expect(make_map(name, 6, 8, 40000000), RUT_ERR_CAPACITY, "too many cells");
  expect(make_map(name, 6, 8, 0), RUT_ERR_PARSE, "no cells");
  buffer b = make_map(name, 6, 8, 4);
  memset(b.at + 30, 0xff, 4);  // x_min is not a number
  expect(b, RUT_ERR_PARSE, "do not agree");
  b = make_map(name, 6, 8, 4);
  memset(b.at + 46, 0, 4);  // resolution 0
  expect(b, RUT_ERR_PARSE, "do not agree");
}

static void small_bombs_are_errors(void** state) {
  (void)state;
  // 60 million cells claimed by a few bytes
  buffer b = make_map("COccupancyGridMap2D", 6, 8, 30000000);
  uint8_t packed[4096];
  size_t n = pack(b.at, b.n, packed, sizeof packed);
  rutGridMap map;
  assert_int_equal(decode(packed, n, &map), RUT_ERR_PARSE);
  assert_non_null(strstr(reporter.first.message, "too short"));
}

// What the header of the file says, and the room of the demo that starts at (0, 0).
static void the_campus_map(void** state) {
  (void)state;
  rutGridMap map;
  reporter = (rutReporter){.access = &rut_access_any};
  const char* path = RUT_SHARED_DIR "/data/mvsim/worlds/mvsim_tutorial/uma_campus.gridmap.gz";
  FILE* file = fopen(path, "rb");
  if (!file) {
    print_message("no shared data, skipped\n");
    skip();
  }
  fclose(file);
  rutGridOptions options = {1, 0, 0};
  assert_int_equal(rut_grid_load(path, options, (rutPlace){0}, &reporter, &map), RUT_OK);
  assert_int_equal(map.nx, 1888);
  assert_int_equal(map.ny, 2738);
  assert_true(fabs(map.resolution - 0.08) < 1e-8);
  assert_true(fabs(map.origin[0] + 10) < 1e-5 && fabs(map.origin[1] + 127.04) < 1e-5);
  // the corridor at the origin: free 3 m ahead, a wall within 8 m to the left
  rutOccupancy grid;
  void* block = malloc(rut_occupancy_bytes(map.nx, map.ny));
  rut_occupancy_init(&grid, map.nx, map.ny, map.resolution, map.origin, block);
  memcpy(grid.cell, map.cell, (size_t)map.nx * (size_t)map.ny);
  rut_occupancy_build(&grid);
  assert_true(rut_occupancy_cast(&grid, &(rutGridRay){0, 0, 1, 0, 80}, NULL) > 3);
  assert_true(rut_occupancy_cast(&grid, &(rutGridRay){0, 0, 0, 1, 80}, NULL) < 8);
  free(block);
  rut_gridmap_free(&map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_versions_and_names),
      cmocka_unit_test(reads_probabilities_of_old_versions),
      cmocka_unit_test(reads_compressed_maps),
      cmocka_unit_test(short_files_are_errors),
      cmocka_unit_test(false_claims_are_errors),
      cmocka_unit_test(small_bombs_are_errors),
      cmocka_unit_test(the_campus_map),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
