// SPDX-License-Identifier: BSD-3-Clause
//
// The floor under the shoulders of a tread beside the middle of a rut, against its closed form.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "terrain/rut_grid.h"

// Width of rut and tread, its shoulders, depth of the rut [m].
static const double WIDTH = 0.3, SHOULDER = 0.075, DEPTH = 0.08;

// Untouched ground; the arena's memory is the ground's.
static rutSoftGround* make(void) {
  const rutSoftDef def = {.cell = 0.05, .border = 0.5, .tiles = 64};
  rutArena measure = {0};
  rut_soft_build(&def, &measure);
  rutArena arena = {.size = measure.used};
  arena.base = aligned_alloc(64, (measure.used + 63) / 64 * 64);
  assert_non_null(arena.base);
  return rut_soft_build(&def, &arena);
}

// A rut through 0, 0.
static void roll(rutSoftGround* ground, double yaw) {
  for (int i = -50; i <= 50; i++) {
    const double way = 0.02 * i;
    rut_soft_press(ground, &(rutSoftPress){.x = way * cos(yaw),
                                           .y = way * sin(yaw),
                                           .dir_x = cos(yaw),
                                           .dir_y = sin(yaw),
                                           .behind = 0.1,
                                           .width = WIDTH,
                                           .pressed = DEPTH,
                                           .rut = DEPTH});
  }
}

// Floor under both [m].
typedef struct Shoulders {
  double left, right;
} Shoulders;

// A tread `left` of the middle of the rut, seen in the direction of the yaw, which rolls along it.
static Shoulders look(const rutSoftGround* ground, double yaw, double left, int forwards) {
  const double ahead = 0.2, x = -left * sin(yaw), y = left * cos(yaw);
  const double dir_x = forwards * cos(yaw), dir_y = forwards * sin(yaw);
  const rutSoftPatches at = {&x, &y, &dir_x, &dir_y, &ahead, &WIDTH, &SHOULDER};
  double pressed, raised;
  Shoulders s;
  rut_soft_read(ground, 1, &at, &(rutSoftFound){&pressed, &raised, NULL, NULL, &s.left, &s.right});
  return s;
}

// Part of a shoulder that is in the rut, the tread being moved towards its side.
static double inside(double moved) { return fmin(fmax(1 - moved / SHOULDER, 0), 1); }

static void check(double yaw, double tolerance) {
  rutSoftGround* ground = make();
  const Shoulders fresh = look(ground, yaw, 0, 1);
  assert_true(fresh.left == 0 && fresh.right == 0);
  roll(ground, yaw);
  for (int i = -6; i <= 6; i++) {
    const double moved = 0.02 * i;
    const Shoulders s = look(ground, yaw, moved, 1), back = look(ground, yaw, moved, -1);
    assert_near(s.left, -DEPTH * inside(moved), tolerance);
    assert_near(s.right, -DEPTH * inside(-moved), tolerance);
    // in the direction of travel left and right change sides
    assert_near(back.left, s.right, tolerance);
    assert_near(back.right, s.left, tolerance);
  }
  free(ground);
}

// Along the cells the overlap is exact, but for shares of cells, which are kept in 2^-14.
static void test_along_cells(void** state) {
  (void)state;
  check(0, 1e-4);
  check(1.5707963267948966, 1e-4);
}

// Within a tenth of the depth, where the edge of a rut cuts cells obliquely.
static void test_obliquely(void** state) {
  (void)state;
  for (int i = 1; i < 12; i++) check(0.5 * i + 0.1, 0.1 * DEPTH);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_along_cells),
      cmocka_unit_test(test_obliquely),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
