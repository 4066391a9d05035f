// SPDX-License-Identifier: BSD-3-Clause
//
// Ground to plan on, read from a map of three kinds of cells, and what may not be read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "rut/plan.h"

static void write_file(const char* path, const char* text, size_t size) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

// 3 x 2 pixels, the first row on top: free, unknown, occupied; occupied, free, free.
static const char image[] = "P5\n3 2\n255\n\xfe\xcd\x00\x00\xfe\xfe";

static void write_map(const char* path, const char* name) {
  char text[256];
  const int n = snprintf(text, sizeof text,
                         "image: %s\nresolution: 0.5\norigin: [-1.5, 2, 0]\nnegate: 0\n"
                         "occupied_thresh: 0.65\nfree_thresh: 0.196\n",
                         name);
  write_file(path, text, (size_t)n);
}

static rutStatus read_ground(rutContext* context, const char* path, uint16_t unknown,
                             rutPlanGround* out, rutError* err) {
  const rutPlanReading reading = {0.25, unknown};
  return rut_plan_ground_read(context, path, &reading, out, err);
}

static void test_cells(void** state) {
  rutContext* context = *state;
  write_file("three.pgm", image, sizeof image - 1);
  write_map("three.yaml", "three.pgm");
  rutPlanGround g;
  assert_int_equal(read_ground(context, "three.yaml", 0, &g, NULL), RUT_OK);
  assert_true(g.grid.width == 3 && g.grid.height == 2);
  assert_true(g.resolution == 0.5 && g.origin[0] == -1.5 && g.origin[1] == 2);
  // the lower row comes first
  const uint16_t blocked[] = {0, 1, 1, 1, 0, 0};
  assert_memory_equal(g.grid.cost, blocked, sizeof blocked);
  rut_plan_ground_free(&g);
  assert_null(g.grid.cost);
  assert_int_equal(read_ground(context, "three.yaml", 7, &g, NULL), RUT_OK);
  const uint16_t dear[] = {0, 1, 1, 1, 7, 0};
  assert_memory_equal(g.grid.cost, dear, sizeof dear);
  rut_plan_ground_free(&g);
  // an image alone: its resolution is told, its corner is at 0 0
  assert_int_equal(read_ground(context, "three.pgm", 0, &g, NULL), RUT_OK);
  assert_true(g.grid.width == 3 && g.resolution == 0.25 && g.origin[0] == 0 && g.origin[1] == 0);
  rut_plan_ground_free(&g);
}

static void test_refused(void** state) {
  rutContext* context = *state;
  rutPlanGround g;
  rutError err = {0};
  assert_int_equal(read_ground(context, "none.yaml", 0, &g, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "none.yaml"));
  assert_null(g.grid.cost);
  write_file("text.txt", "no map\n", 7);
  assert_int_equal(read_ground(context, "text.txt", 0, &g, &err), RUT_ERR_PARSE);
  const rutPlanReading flat = {0, 0};
  assert_int_equal(rut_plan_ground_read(context, "three.pgm", &flat, &g, &err), RUT_ERR_MODEL);
  // an image in another folder is no part of a map, unless that is allowed
  mkdir("maps", 0777);
  mkdir("elsewhere", 0777);
  write_file("elsewhere/three.pgm", image, sizeof image - 1);
  write_map("maps/far.yaml", "../elsewhere/three.pgm");
  assert_int_equal(read_ground(context, "maps/far.yaml", 0, &g, &err), RUT_ERR_IO);
  assert_int_equal(rut_context_allow_dir(context, "elsewhere", NULL), RUT_OK);
  assert_int_equal(read_ground(context, "maps/far.yaml", 0, &g, NULL), RUT_OK);
  rut_plan_ground_free(&g);
}

static int set_up(void** state) {
  return rut_context_create(NULL, (rutContext**)state, NULL) == RUT_OK ? 0 : -1;
}

static int tear_down(void** state) {
  rut_context_destroy(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
