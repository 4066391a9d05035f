// SPDX-License-Identifier: BSD-3-Clause
//
// The queue against a search for the least among all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/heap.h"
#include "base/rng.h"
#include "repetitions.h"

enum { ITEMS = 40 };

typedef struct Plain {
  bool in[ITEMS];
  rutHeapKey key[ITEMS];
} Plain;

// Item of the least key, of equal ones the least; -1 if there is none.
static int least_of(const Plain* p) {
  int least = -1;
  for (int i = 0; i < ITEMS; i++) {
    if (!p->in[i]) continue;
    const rutHeapKey a = p->key[i], b = p->key[least < 0 ? i : least];
    if (least < 0 || a.first < b.first || (a.first == b.first && a.second < b.second)) least = i;
  }
  return least;
}

static void take(rutHeap* heap, Plain* p) {
  const int least = least_of(p);
  const rutHeapEntry e = rut_heap_take(heap);
  assert_int_equal(e.item, least);
  assert_int_equal(e.key.first, p->key[least].first);
  assert_int_equal(e.key.second, p->key[least].second);
  p->in[least] = false;
}

static void test_against_plain(void** state) {
  (void)state;
  rutHeapEntry entry[ITEMS];
  int32_t place[ITEMS] = {0};
  rutHeap heap = {entry, place, 0};
  Plain plain = {{0}, {{0, 0}}};
  for (uint64_t n = 0; n < (uint64_t)repetitions(100000, 5000); n++) {
    const double what = rut_uniform(1, 1, n, 0);
    const int item = (int)(ITEMS * rut_uniform(1, 1, n, 1));
    if (what < .6) {
      // few different numbers, so that keys are often equal
      const rutHeapKey key = {(int64_t)(6 * rut_uniform(1, 1, n, 2)) - 3,
                              (int64_t)(3 * rut_uniform(1, 1, n, 3))};
      rut_heap_put(&heap, item, key);
      plain.in[item] = true;
      plain.key[item] = key;
    } else if (what < .75) {
      rut_heap_remove(&heap, item);
      plain.in[item] = false;
    } else if (heap.count > 0) {
      take(&heap, &plain);
    }
    int count = 0;
    for (int i = 0; i < ITEMS; i++) {
      assert_int_equal(rut_heap_has(&heap, i), plain.in[i]);
      count += plain.in[i];
    }
    assert_int_equal(heap.count, count);
  }
  while (heap.count > ITEMS / 4) take(&heap, &plain);
  rut_heap_clear(&heap);
  for (int i = 0; i < ITEMS; i++) assert_int_equal(place[i], 0);
  assert_int_equal(heap.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
