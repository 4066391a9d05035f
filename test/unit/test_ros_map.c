// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/gridmap.h"
#include "format/ros_map.h"
#include "geom/occupancy.h"

static rutReporter reporter;

static rutStatus parse(const char* text, rutRosMap* map) {
  size_t size = strlen(text);
  char* copy = malloc(size ? size : 1);
  memcpy(copy, text, size);
  memset(&reporter, 0, sizeof reporter);
  rutStatus status = rut_ros_map_parse(copy, size, "map.yaml", &reporter, map);
  free(copy);
  return status;
}

static void reads_what_map_savers_write(void** state) {
  (void)state;
  rutRosMap map;
  const char* text =
      "image: testmap.png\n"
      "resolution: 0.1   # m per pixel\n"
      "origin: [0.0, -1.5, 0.0]\r\n"
      "occupied_thresh: 0.7\n"
      "free_thresh: 0.2\n"
      "negate: 1\n"
      "mode: scale\n";
  assert_true(rut_is_ros_map(text, strlen(text)));
  assert_int_equal(parse(text, &map), RUT_OK);
  assert_string_equal(map.image, "testmap.png");
  assert_true(map.resolution == 0.1 && map.origin[0] == 0 && map.origin[1] == -1.5);
  assert_true(map.occupied_thresh == 0.7 && map.free_thresh == 0.2 && map.negate && map.scale);
  assert_int_equal(reporter.warnings, 0);
}

static void reads_block_lists_quotes_and_defaults(void** state) {
  (void)state;
  rutRosMap map;
  const char* text =
      "%YAML 1.1\n---\n# a map\n"
      "image: \"maps/my #1 map.pgm\"\n"
      "origin:\n  - -13.8\n  - 2\n  - 0.5\n"
      "resolution: 5e-2\nauthor: me\n";
  assert_int_equal(parse(text, &map), RUT_OK);
  assert_string_equal(map.image, "maps/my #1 map.pgm");
  assert_true(map.origin[0] == -13.8 && map.origin[1] == 2 && map.origin[2] == 0.5);
  assert_true(map.resolution == 0.05 && map.occupied_thresh == 0.65 && map.free_thresh == 0.196);
  assert_false(map.negate || map.scale);
  assert_int_equal(reporter.warnings, 2);  // the yaw, and the author
}

static void expect_error(const char* text, int line, int column, const char* part) {
  rutRosMap map;
  assert_int_equal(parse(text, &map), RUT_ERR_PARSE);
  if (!strstr(reporter.first.message, part)) fail_msg("%s: %s", text, reporter.first.message);
  assert_int_equal(reporter.first.line, line);
  assert_int_equal(reporter.first.column, column);
}

static void errors_name_the_place(void** state) {
  (void)state;
  expect_error("image: a.png\nresolution: fast\n", 2, 13, "not a finite number");
  expect_error("image: a.png\nresolution 0.1\n", 2, 1, "not 'key: value'");
  expect_error("image: a.png\norigin: [0, b]\n", 2, 9, "finite numbers");
  expect_error("image: a.png\norigin: [0, 1, 2, 3]\n", 2, 9, "up to three");
  expect_error("image: a.png\norigin: 3\n", 2, 9, "must be a list");
  expect_error("image: a.png\norigin: [1]\n", 2, 9, "needs x and y");
  expect_error("image: a.png\norigin:\n- 1\nresolution: 1\n", 2, 8, "needs x and y");
  expect_error("image:\n", 1, 7, "file name");
  expect_error("image: \"a.png\n", 1, 8, "quote");
  expect_error("negate: maybe\n", 1, 9, "neither true nor false");
  expect_error("mode: raw\n", 1, 7, "trinary");
  expect_error("resolution: 1\norigin: [0, 0]\n", 0, 0, "no 'image'");
  expect_error("image: a\nresolution: 1\n", 0, 0, "no 'origin'");
  expect_error("image: a\norigin: [0, 0]\n", 0, 0, "positive 'resolution'");
  expect_error("image: a\norigin: [0, 0]\nresolution: -1\n", 0, 0, "positive 'resolution'");
  expect_error("image: a\norigin: [0, 0]\nresolution: 1\nfree_thresh: 0.9\n", 0, 0, "thresholds");
}

// The ROS rule: p = (255 - x) / 255; p > occupied_thresh occupied, p < free_thresh free.
static void cells_follow_the_thresholds(void** state) {
  (void)state;
  // 3 x 2 pixels; the map saver's values 0, 205, 254
  uint16_t grey[6] = {0, 205, 254, 89, 90, 206};
  rutImage image = {.width = 3, .height = 2, .max = 255, .grey = grey};
  rutRosMap map = {.occupied_thresh = 0.65, .free_thresh = 0.196};
  uint8_t cell[6];
  rut_ros_map_cells(&map, &image, cell);
  // the upper row comes last
  assert_int_equal(cell[3], RUT_CELL_OCCUPIED);
  assert_int_equal(cell[4], RUT_CELL_UNKNOWN);
  assert_int_equal(cell[5], RUT_CELL_FREE);
  assert_int_equal(cell[0], RUT_CELL_OCCUPIED);  // p = 0.6510
  assert_int_equal(cell[1], RUT_CELL_UNKNOWN);   // p = 0.6471
  assert_int_equal(cell[2], RUT_CELL_FREE);      // p = 0.1922
  map.negate = true;
  rut_ros_map_cells(&map, &image, cell);
  assert_int_equal(cell[3], RUT_CELL_FREE);
  assert_int_equal(cell[5], RUT_CELL_OCCUPIED);
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void loads_a_map_with_its_image(void** state) {
  (void)state;
  write_file("ros_map_test.pgm", "P2\n3 2\n255\n0 254 254\n205 254 0\n");
  write_file("ros_map_test.yaml",
             "image: ros_map_test.pgm\nresolution: 0.5\norigin: [-1, 2, 0]\nnegate: 0\n");
  reporter = (rutReporter){.access = &rut_access_any};
  rutGridMap map;
  rutGridOptions options = {0.1, -1, -1};
  rutPlace place = {"w.xml", 3, 4};
  assert_int_equal(rut_grid_load("./ros_map_test.yaml", options, place, &reporter, &map), RUT_OK);
  assert_int_equal(map.nx, 3);
  assert_int_equal(map.ny, 2);
  assert_true(map.resolution == 0.5 && map.origin[0] == -1 && map.origin[1] == 2);
  const uint8_t expected[] = {RUT_CELL_UNKNOWN,  RUT_CELL_FREE, RUT_CELL_OCCUPIED,
                              RUT_CELL_OCCUPIED, RUT_CELL_FREE, RUT_CELL_FREE};
  assert_memory_equal(map.cell, expected, 6);
  rut_gridmap_free(&map);
  // the image alone: its centre pixel decides where it lies
  options = (rutGridOptions){0.2, 1, 2};
  assert_int_equal(rut_grid_load("ros_map_test.pgm", options, place, &reporter, &map), RUT_OK);
  assert_true(map.resolution == 0.2 && map.origin[0] == -0.2 && map.origin[1] == -0.4);
  rut_gridmap_free(&map);
  options.resolution = 0;
  assert_int_equal(rut_grid_load("ros_map_test.pgm", options, place, &reporter, &map),
                   RUT_ERR_MODEL);
  remove("ros_map_test.pgm");
  assert_int_equal(rut_grid_load("ros_map_test.yaml", options, place, &reporter, &map), RUT_ERR_IO);
  remove("ros_map_test.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_map_savers_write),
      cmocka_unit_test(reads_block_lists_quotes_and_defaults),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(cells_follow_the_thresholds),
      cmocka_unit_test(loads_a_map_with_its_image),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
