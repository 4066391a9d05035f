// SPDX-License-Identifier: BSD-3-Clause
#include "example_worlds.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WORLDS = 200, PATH_SIZE = 512 };

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

// Studies and maps of mobility stand beside worlds.
static bool is_other(const char* path) {
  char head[4096] = "";
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = file ? fread(head, 1, sizeof head - 1, file) : 0;
  head[n] = '\0';
  if (file) fclose(file);
  return strstr(head, "<study ") != NULL || strstr(head, "<map ") != NULL;
}

// Memory that is no number as long as nothing is written to it.
static void* take_nothing(size_t size, size_t align, void* user) {
  (void)user;
  void* block = aligned_alloc(align, (size + align - 1) / align * align);
  if (block) memset(block, 0xff, size);
  return block;
}

static void give_back(void* block, void* user) {
  (void)user;
  free(block);
}

// False if a map of the world is not there.
static bool open_world(const char* path, ExampleWorld* w) {
  rutSpec* spec = NULL;
  rutError err = {0};
  rutContextDef def = rut_default_context();
  def.alloc = take_nothing;
  def.free = give_back;
  *w = (ExampleWorld){.path = path};
  assert_int_equal(rut_context_create(&def, &w->context, &err), RUT_OK);
  rutStatus status = rut_spec_load(w->context, path, &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &w->model, &err);
  rut_spec_destroy(spec);
  if (status == RUT_ERR_IO) {
    rut_context_destroy(w->context);
    return false;
  }
  if (status != RUT_OK) fail_msg("%s: %s", path, err.message);
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
  return true;
}

int for_example_worlds(void (*visit)(ExampleWorld* world)) {
  static Worlds worlds;
  int visited = 0;
  worlds.n = 0;
  find_worlds(RUT_SOURCE_DIR "/worlds", &worlds);
  for (int i = 0; i < worlds.n; i++) {
    ExampleWorld w;
    // those are parts that worlds include
    if (strstr(worlds.path[i], "/vehicles/") || is_other(worlds.path[i])) continue;
    if (!open_world(worlds.path[i], &w)) continue;
    visit(&w);
    visited++;
    rut_data_destroy(w.data);
    rut_model_destroy(w.model);
    rut_context_destroy(w.context);
  }
  return visited;
}
