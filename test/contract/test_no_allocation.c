// SPDX-License-Identifier: BSD-3-Clause
//
// A step takes no memory and gives none back, in any of the example worlds, and nor does reading
// all that there is to be read. Counted are all calls of the C library's allocator, not only those
// through the context.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/rut.h"

enum { STEPS = 60, MOST_WORLDS = 200, MOST_NUMBERS = 100000, PATH_SIZE = 512 };

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

static int calls;
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

typedef struct Worlds {
  int n;
  char path[MOST_WORLDS][PATH_SIZE];
} Worlds;

// World files of a folder and of those in it.
static void find_worlds(const char* folder, Worlds* out) {
  DIR* dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent* e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
    char path[PATH_SIZE];
    const char* dot = strrchr(e->d_name, '.');
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%.250s/%.250s", folder, e->d_name);
    if (!dot) {
      find_worlds(path, out);
    } else if (strcmp(dot, ".xml") == 0) {
      assert_true(out->n < MOST_WORLDS);
      memcpy(out->path[out->n++], path, sizeof path);
    }
  }
  closedir(dir);
}

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

// False if a map of the world is not there: some are made by a tool first.
static bool step_world(const char* path) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  rutStatus status = rut_spec_load(context, path, &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &model, &err);
  if (status == RUT_ERR_IO) {
    rut_spec_destroy(spec);
    rut_context_destroy(context);
    return false;
  }
  if (status != RUT_OK) fail_msg("%s: %s", path, err.message);
  rutData* data = rut_data_create(model);
  assert_non_null(data);
  const int before = calls;
  for (int i = 0; i < STEPS && status == RUT_OK; i++) status = rut_step(model, data, &err);
  read_all(model, data);
  rut_data_reset(model, data, 1);
  for (int i = 0; i < STEPS && status == RUT_OK; i++) status = rut_step(model, data, &err);
  const int after = calls;
  if (status != RUT_OK) fail_msg("%s: %s", path, err.message);
  if (after != before) fail_msg("%s: %d calls of the allocator", path, after - before);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return true;
}

static void test_every_world(void** state) {
  (void)state;
  if (!COUNTS) skip();
  static Worlds worlds;
  find_worlds(RUT_SOURCE_DIR "/worlds", &worlds);
  int stepped = 0;
  for (int i = 0; i < worlds.n; i++) {
    // those are parts that worlds include
    if (!strstr(worlds.path[i], "/vehicles/")) stepped += step_world(worlds.path[i]);
  }
  assert_true(stepped >= 30);
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
