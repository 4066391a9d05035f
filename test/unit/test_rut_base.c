// SPDX-License-Identifier: BSD-3-Clause
//
// Grounds that go on from one base: the bits of grounds of their own, tiles of their own only where
// something changes, and a base that stays as it is.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "terrain/rut_dig.h"
#include "terrain/rut_grid.h"

static const rutSoftDef def = {
    .cell = 0.05, .displaced = 0.6, .border = 0.5, .repose = 0.7, .tiles = 512, .counts = 1};

// Memory is filled with rubbish: nothing may rely on zeros.
static rutSoftGround* make(void) {
  rutArena measure = {0};
  assert_null(rut_soft_build(&def, &measure));
  rutArena arena = {.size = measure.used};
  arena.base = aligned_alloc(64, (measure.used + 63) / 64 * 64);
  assert_non_null(arena.base);
  memset(arena.base, 0xa5, measure.used);
  return rut_soft_build(&def, &arena);
}

// A wheel rolls 3 m, pushes soil aside and digs.
static void roll(rutSoftGround* ground, double x, double y, double yaw) {
  rutSoftPress p = {.x = x,
                    .y = y,
                    .dir_x = cos(yaw),
                    .dir_y = sin(yaw),
                    .behind = 0.1,
                    .width = 0.3,
                    .pressed = 0.08,
                    .rut = 0.07,
                    .slip = 0.3};
  rutSoftPress last = {0};
  for (int i = 0; i < 150; i++) {
    rut_soft_follow(ground, &p, &last);
    rut_soft_dig(ground, &(rutSoftDig){p.x, p.y, p.dir_x, p.dir_y, 0.1, 0.05, 0.3, 1e-4, -0.2});
    p.x += 0.02 * p.dir_x;
    p.y += 0.02 * p.dir_y;
  }
}

static uint64_t hash_of(const rutSoftGround* ground) {
  return rut_soft_hash(ground, RUT_HASH_START);
}

static rutSoftBase* base_of(const rutSoftGround* ground) {
  void* memory = malloc(rut_soft_base_size(ground));
  assert_non_null(memory);
  return rut_soft_base_make(ground, memory);
}

// A ground with the bytes of another one, all its own.
static rutSoftGround* copy_of(const rutSoftGround* ground) {
  rutSoftGround* copy = make();
  void* saved = malloc(rut_soft_size(ground));
  assert_non_null(saved);
  rut_soft_get(ground, saved);
  rut_soft_set(copy, saved);
  free(saved);
  return copy;
}

static void grounds_share_what_they_do_not_change(void** state) {
  (void)state;
  rutSoftGround *first = make(), *shared[3];
  roll(first, 0, 0, 0.3);
  roll(first, 0.5, 2, -0.6);
  rutSoftBase* base = base_of(first);
  const uint64_t before = hash_of(first);
  for (int i = 0; i < 3; i++) {
    shared[i] = make();
    rut_soft_share(shared[i], base);
    assert_int_equal(shared[i]->own, 0);
    assert_true(hash_of(shared[i]) == before);
  }
  assert_int_equal(base->users, 3);
  // two of them go on, along other ways that cross the old ones
  for (int i = 0; i < 2; i++) {
    rutSoftGround* alone = copy_of(first);
    roll(alone, 0.7, -0.5, 1 + i);
    roll(shared[i], 0.7, -0.5, 1 + i);
    assert_true(hash_of(shared[i]) == hash_of(alone));
    assert_true(hash_of(alone) != before);
    assert_int_equal(shared[i]->used, alone->used);
    assert_in_range(shared[i]->own, 1, shared[i]->used - 1);
    // bytes of a state likewise
    rutSoftGround* again = copy_of(shared[i]);
    assert_true(hash_of(again) == hash_of(alone));
    assert_int_equal(again->own, again->used);
    free(again);
    free(alone);
  }
  assert_true(hash_of(shared[2]) == before);
  assert_true(hash_of(first) == before);
  // one that begins anew has left the base
  rut_soft_reset(shared[0]);
  assert_int_equal(base->users, 2);
  assert_int_equal(shared[0]->used, 0);
  rut_soft_leave(shared[1]);
  rut_soft_leave(shared[2]);
  assert_int_equal(base->users, 0);
  for (int i = 0; i < 3; i++) free(shared[i]);
  free(base);
  free(first);
}

// A base of a ground that has one itself.
static void bases_follow_each_other(void** state) {
  (void)state;
  rutSoftGround *first = make(), *second = make(), *third = make();
  roll(first, 0, 0, 0.3);
  rutSoftBase* base = base_of(first);
  rut_soft_share(second, base);
  roll(second, 0.2, 0.8, -0.2);
  rutSoftBase* next = base_of(second);
  rut_soft_share(third, next);
  assert_true(hash_of(third) == hash_of(second));
  assert_int_equal(next->tiles, second->used);
  // the first base is not needed for it
  rut_soft_leave(second);
  memset(base, 0xa5, rut_soft_base_size(first));
  rutSoftGround* alone = make();
  roll(alone, 0, 0, 0.3);
  roll(alone, 0.2, 0.8, -0.2);
  assert_true(hash_of(third) == hash_of(alone));
  rutSoftGround* all[] = {first, second, third, alone};
  for (int i = 0; i < 4; i++) free(all[i]);
  free(base);
  free(next);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grounds_share_what_they_do_not_change),
      cmocka_unit_test(bases_follow_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
