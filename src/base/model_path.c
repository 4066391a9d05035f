// SPDX-License-Identifier: BSD-3-Clause
#define _XOPEN_SOURCE 700  // for S_ISREG
#include "base/model_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_TAILS = 64, MAX_PATH = 4096 };  // of one name; bytes

// What follows "scheme://", or NULL.
static const char* after_scheme(const char* name) {
  const size_t scheme = strspn(name,
                               "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  return scheme > 0 && strncmp(name + scheme, "://", 3) == 0 ? name + scheme + 3 : NULL;
}

bool rut_model_is_uri(const char* name) {
  return after_scheme(name) && strncmp(name, "file://", 7) != 0;
}

// What follows the next '/', or NULL.
static const char* next_tail(const char* tail) {
  const char* slash = strchr(tail, '/');
  return slash && slash[1] ? slash + 1 : NULL;
}

static bool is_web(const char* name) {
  return strncmp(name, "http://", 7) == 0 || strncmp(name, "https://", 8) == 0;
}

// The shortest tail that is likely to be the only one of its name.
static const char* telling_tail(const char* name) {
  const char* zip = strstr(name, ".zip/");
  if (zip && zip[5]) return zip + 5;
  const char* rest = after_scheme(name);
  if (rest && !is_web(name)) return rest;
  const char* slash = strrchr(name, '/');
  return slash && slash[1] ? slash + 1 : name;
}

void rut_model_hint(const char* name, char hint[RUT_INPUT_TEXT]) {
  snprintf(hint, RUT_INPUT_TEXT, "--models DIR names a folder that has '%.200s'",
           telling_tail(name));
}

// Where the tails of a name begin: behind the host of a web address, and behind what leads upwards.
static const char* first_tail(const char* name) {
  const char* rest = after_scheme(name);
  if (is_web(name)) return next_tail(rest);
  const char* tail = rest ? rest : name;
  while (*tail == '/' || strncmp(tail, "./", 2) == 0 || strncmp(tail, "../", 3) == 0) {
    tail = strchr(tail, '/') + 1;
  }
  return *tail ? tail : NULL;
}

static bool leads_upwards(const char* tail) {
  for (const char* part = tail; part; part = next_tail(part)) {
    const size_t length = strcspn(part, "/");
    if (length == 2 && strncmp(part, "..", 2) == 0) return true;
  }
  return false;
}

// folder/tail, with `instead` in place of ".zip". True if that file is there and may be read.
static bool is_there(const rutAccess* access, const char* folder, const char* tail,
                     const char* instead, char path[MAX_PATH]) {
  const char* zip = strstr(tail, ".zip/");
  const int head = zip ? (int)(zip - tail) : 0;
  const int n = zip ? snprintf(path, MAX_PATH, "%s/%.*s%s%s", folder, head, tail, instead,
                               zip + strlen(".zip"))
                    : snprintf(path, MAX_PATH, "%s/%s", folder, tail);
  struct stat info;
  return n > 0 && n < MAX_PATH && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
         rut_access_allows(access, path, NULL);
}

static bool find_tail(const rutAccess* access, const char* tail, char path[MAX_PATH]) {
  static const char* const instead[] = {".zip", "", ".out"};
  const int forms = strstr(tail, ".zip/") ? 3 : 1;
  for (const rutAccess* a = access; a; a = a->up) {
    for (int i = 0; i < a->model_folders; i++) {
      for (int k = 0; k < forms; k++) {
        if (is_there(access, a->models[i], tail, instead[k], path)) return true;
      }
    }
  }
  return false;
}

char* rut_model_find(const rutAccess* access, const char* name) {
  bool any = false;
  for (const rutAccess* a = access; a; a = a->up) any = any || a->model_folders > 0;
  const char* tail = any ? first_tail(name) : NULL;
  char path[MAX_PATH];
  for (int i = 0; tail && i < MAX_TAILS; tail = next_tail(tail), i++) {
    if (!leads_upwards(tail) && find_tail(access, tail, path)) return strdup(path);
  }
  return NULL;
}
