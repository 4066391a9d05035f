// SPDX-License-Identifier: BSD-3-Clause
//
// The same bits for any number of workers. A program of its own, so that it runs beside the others:
// under the thread sanitizer both take long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "repetitions.h"
#include "worlds.h"

static void test_worker_count_changes_nothing(void** state) {
  const int steps = repetitions(400, 60);
  (void)state;
  for (int i = 0; i < TEST_WORLDS; i++) {
    uint64_t one = test_world_hash(test_worlds[i], 1, steps);
    for (int workers = 2; workers <= 4; workers++) {
      assert_int_equal(test_world_hash(test_worlds[i], workers, steps), one);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_worker_count_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
