// SPDX-License-Identifier: BSD-3-Clause
#define _XOPEN_SOURCE 700  // for realpath
#include "base/access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const rutAccess rut_access_any = {.any = true};

// ---- files that were read ----

void rut_input_list_init(rutInputList* list) {
  *list = (rutInputList){0};
  pthread_mutex_init(&list->lock, NULL);
}

void rut_input_list_free(rutInputList* list) {
  pthread_mutex_destroy(&list->lock);
  for (int i = 0; i < list->n; i++) free(list->file[i].path);
  free(list->file);
  list->file = NULL;
  list->n = list->capacity = 0;
}

static char* copy_text(const char* text, size_t length) {
  char* copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static bool has(const rutInputList* list, const char* path, rutFileId id) {
  for (int i = list->n - 1; i >= 0; i--) {
    const rutInputFile* file = &list->file[i];
    if (file->id.inode == id.inode && file->id.device == id.device &&
        strcmp(file->path, path) == 0) {
      return true;
    }
  }
  return false;
}

// Room for one more. False if out of memory.
static bool reserve(rutInputList* list) {
  if (list->n < list->capacity) return true;
  const int capacity = 2 * list->capacity + 16;
  rutInputFile* grown = realloc(list->file, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  list->file = grown;
  list->capacity = capacity;
  return true;
}

void rut_input_list_add(rutInputList* list, const char* path, rutFileId id) {
  pthread_mutex_lock(&list->lock);
  if (!has(list, path, id) && reserve(list)) {
    char* copy = copy_text(path, strlen(path));
    if (copy) list->file[list->n++] = (rutInputFile){id, copy};
  }
  if (list->note) list->note(path, list->user);
  pthread_mutex_unlock(&list->lock);
}

bool rut_input_list_has(rutInputList* list, const char* path) {
  char* real = realpath(path, NULL);
  struct stat info;
  bool found = false;
  if (real && stat(real, &info) == 0) {
    const rutFileId id = {(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    pthread_mutex_lock(&list->lock);
    found = has(list, real, id);
    pthread_mutex_unlock(&list->lock);
  }
  free(real);
  return found;
}

// ---- what is allowed ----

// Take a text over into a list. Returns 0 or an errno.
static int append(char*** list, int* n, char* text) {
  char** grown = text ? realloc(*list, (size_t)(*n + 1) * sizeof *grown) : NULL;
  if (!grown) {
    free(text);
    return ENOMEM;
  }
  *list = grown;
  grown[(*n)++] = text;
  return 0;
}

// The root's name is all '/': it becomes "", as names in it begin with the '/' that follows.
static void cut_slashes(char* path) {
  size_t n = strlen(path);
  while (n > 0 && path[n - 1] == '/') path[--n] = '\0';
}

int rut_access_add_folder(rutAccess* access, const char* folder) {
  char* real = realpath(folder, NULL);
  if (!real) return errno;
  struct stat info;
  const int fault = stat(real, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
  if (fault) {
    free(real);
    return fault;
  }
  cut_slashes(real);
  return append(&access->folder, &access->folders, real);
}

int rut_access_add_models(rutAccess* access, const char* folder) {
  const int fault = rut_access_add_folder(access, folder);
  if (fault) return fault;
  const char* real = access->folder[access->folders - 1];
  return append(&access->models, &access->model_folders, copy_text(real, strlen(real)));
}

// Absolute name of the folder of a file, without links. NULL with errno set; the caller frees it.
static char* real_folder(const char* path) {
  const char* slash = strrchr(path, '/');
  if (!slash) return realpath(".", NULL);
  char* folder = copy_text(path, slash == path ? 1 : (size_t)(slash - path));
  char* real = folder ? realpath(folder, NULL) : NULL;
  const int fault = errno;
  free(folder);
  errno = fault;
  return real;
}

// Cut a folder's name behind the last part that is "worlds".
static void cut_to_worlds(char* folder) {
  static const char word[] = "/worlds";
  const size_t length = sizeof word - 1;
  for (char* end = folder + strlen(folder); end >= folder + length; end--) {
    if (*end != '\0' && *end != '/') continue;
    if (memcmp(end - length, word, length) != 0) continue;
    *end = '\0';
    return;
  }
}

int rut_access_add_world(rutAccess* access, const char* path) {
  char* folder = real_folder(path);
  if (!folder) return errno;
  cut_slashes(folder);
  cut_to_worlds(folder);
  return append(&access->folder, &access->folders, folder);
}

int rut_access_add_beside(rutAccess* access, const char* path, const char* name) {
  char* folder = real_folder(path);
  if (!folder) return errno;
  char* slash = strrchr(folder, '/');
  const size_t length = (size_t)(slash - folder) + 1, more = strlen(name) + 1;
  char* beside = malloc(length + more);
  int fault = ENOMEM;
  if (beside) {
    memcpy(beside, folder, length);
    memcpy(beside + length, name, more);
    struct stat info;
    // a link might lead anywhere
    const bool there = lstat(beside, &info) == 0 && S_ISDIR(info.st_mode);
    fault = there ? rut_access_add_folder(access, beside) : 0;
  }
  free(beside);
  free(folder);
  return fault;
}

int rut_access_add_variable(rutAccess* access, const char* name) {
  return append(&access->variable, &access->variables, copy_text(name, strlen(name)));
}

int rut_access_copy(rutAccess* access, const rutAccess* from) {
  int fault = 0;
  access->any = from->any;
  for (int i = 0; i < from->folders && !fault; i++) {
    const char* folder = from->folder[i];
    fault = append(&access->folder, &access->folders, copy_text(folder, strlen(folder)));
  }
  for (int i = 0; i < from->model_folders && !fault; i++) {
    const char* folder = from->models[i];
    fault = append(&access->models, &access->model_folders, copy_text(folder, strlen(folder)));
  }
  for (int i = 0; i < from->variables && !fault; i++) {
    fault = rut_access_add_variable(access, from->variable[i]);
  }
  return fault;
}

void rut_access_free(rutAccess* access) {
  for (int i = 0; i < access->folders; i++) free(access->folder[i]);
  for (int i = 0; i < access->variables; i++) free(access->variable[i]);
  for (int i = 0; i < access->model_folders; i++) free(access->models[i]);
  free(access->folder);
  free(access->models);
  free(access->variable);
  access->folder = access->models = access->variable = NULL;
  access->folders = access->model_folders = access->variables = 0;
}

// ---- asking ----

// True if a name lies in a folder, and nothing on the way from there is hidden.
static bool lies_in(const char* real, const char* folder) {
  const size_t n = strlen(folder);
  if (strncmp(real, folder, n) != 0 || (real[n] != '/' && real[n] != '\0')) return false;
  return strstr(real + n, "/.") == NULL;
}

static bool is_allowed(const rutAccess* access, const char* real) {
  for (; access; access = access->up) {
    if (access->any) return true;
    for (int i = 0; i < access->folders; i++) {
      if (lies_in(real, access->folder[i])) return true;
    }
  }
  return false;
}

// Name without links of the nearest folder above that exists: whether a file that is not there may
// be asked for must not depend on whether it is there.
static char* nearest_folder(const char* path) {
  char* part = copy_text(path, strlen(path));
  char* real = NULL;
  for (char* slash; part && !real && (slash = strrchr(part, '/'));) {
    *slash = '\0';
    real = realpath(slash == part ? "/" : part, NULL);
  }
  free(part);
  return real ? real : realpath(".", NULL);
}

bool rut_access_allows(const rutAccess* access, const char* path, char** real) {
  char* name = realpath(path, NULL);
  char* judged = name ? name : nearest_folder(path);
  if (judged && !name) cut_slashes(judged);
  const bool fine = judged && is_allowed(access, judged);
  if (judged != name) free(judged);
  if (real) {
    *real = name;
  } else {
    free(name);
  }
  return fine;
}

bool rut_access_allows_variable(const rutAccess* access, const char* name) {
  if (strncmp(name, "RUT_", 4) == 0 || strncmp(name, "MVSIM_", 6) == 0) return true;
  for (; access; access = access->up) {
    for (int i = 0; i < access->variables; i++) {
      if (strcmp(access->variable[i], name) == 0) return true;
    }
  }
  return false;
}

rutInputList* rut_access_inputs(const rutAccess* access) {
  for (; access; access = access->up) {
    if (access->inputs) return access->inputs;
  }
  return NULL;
}
