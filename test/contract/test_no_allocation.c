// SPDX-License-Identifier: BSD-3-Clause
//
// A step takes no memory and gives none back, in any of the example worlds, and nor does reading
// all that there is to be read. Counted are all calls of the C library's allocator, not only those
// through the context.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "example_worlds.h"

enum { STEPS = 60, MOST_NUMBERS = 2000000 };

// ---- an allocator that counts: glibc lets a program have its own, and names the original ----

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef COUNTS
#define COUNTS 0
#endif
#endif
#else
#define COUNTS 0
#endif

// volatile: a compiler takes it that the allocator changes nothing that is seen here
static volatile int calls;
#if COUNTS
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t align, size_t size);
void __libc_free(void* block);

void* malloc(size_t size) {
  calls++;
  return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
  calls++;
  return __libc_calloc(n, size);
}
void* realloc(void* block, size_t size) {
  calls++;
  return __libc_realloc(block, size);
}
void* aligned_alloc(size_t align, size_t size) {
  calls++;
  return __libc_memalign(align, size);
}
void free(void* block) {
  calls++;
  __libc_free(block);
}
#endif

// ---- the worlds ----

// Outputs and states of all elements.
static void read_all(const rutModel* model, const rutData* data) {
  static double number[MOST_NUMBERS];
  for (int kind = 0; kind < RUT_KIND_COUNT; kind++) {
    for (int i = 0; i < rut_count(model, (rutKind)kind); i++) {
      for (int role = 0; role < RUT_ROLE_COUNT; role++) {
        const int n = rut_variables(model, (rutKind)kind, i, (rutRole)role);
        int numbers = 0;
        for (int v = 0; v < n; v++) {
          numbers += rut_variable(model, (rutKind)kind, i, (rutRole)role, v).count;
        }
        assert_true(numbers <= MOST_NUMBERS);
        const rutVariableRange all = {(rutKind)kind, i, (rutRole)role, 0, n};
        if (n > 0) assert_int_equal(rut_variables_read(model, data, &all, numbers, number), RUT_OK);
      }
    }
  }
}

static void step_world(ExampleWorld* w) {
  rutError err = {0};
  rutStatus status = RUT_OK;
  const int before = calls;
  for (int i = 0; i < STEPS && status == RUT_OK; i++) status = rut_step(w->model, w->data, &err);
  read_all(w->model, w->data);
  rut_data_reset(w->model, w->data, 1);
  for (int i = 0; i < STEPS && status == RUT_OK; i++) status = rut_step(w->model, w->data, &err);
  const int after = calls;
  if (status != RUT_OK) fail_msg("%s: %s", w->path, err.message);
  if (after != before) fail_msg("%s: %d calls of the allocator", w->path, after - before);
}

static void test_every_world(void** state) {
  (void)state;
  if (!COUNTS) skip();
  assert_true(for_example_worlds(step_world) >= 30);
}

// The count counts: taking memory shows.
static void test_counting(void** state) {
  (void)state;
  if (!COUNTS) skip();
  const int before = calls;
  void* volatile block = malloc(10);
  free(block);
  assert_int_equal(calls, before + 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counting),
                                     cmocka_unit_test(test_every_world)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
