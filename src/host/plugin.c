// SPDX-License-Identifier: BSD-3-Clause
//
// Component types of users, from shared libraries.
#ifdef __ELF__
#include <link.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "base/input.h"
#include "base/report.h"
#include "rut/component.h"
#include "rut/host.h"

enum { MAX_PATH = 4096, MAX_TYPES = 1024 };

typedef const rutComponent* const* (*PluginTypes)(void);

// Set an error that names the file.
static rutStatus fail(rutError* err, rutStatus status, const char* path, const char* message) {
  return rut_error_set(err, status, "plug-in '%.200s': %.300s", path, message);
}

// The loader maps the segments that a library's header names, and crashes if the file is too short
// for them.
static bool is_cut_off(FILE* file) {
#ifdef __ELF__
  ElfW(Ehdr) head;
  if (fread(&head, sizeof head, 1, file) != 1) return false;
  // the loader reports libraries for other machines
  const unsigned char class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != class) return false;
  if (fseek(file, 0, SEEK_END) != 0) return false;
  const uint64_t size = (uint64_t)ftell(file);
  for (int i = 0; i < head.e_phnum; i++) {
    ElfW(Phdr) part;
    const uint64_t at = head.e_phoff + (uint64_t)i * sizeof part;
    if (at >= size || fseek(file, (long)at, SEEK_SET) != 0) return true;
    if (fread(&part, sizeof part, 1, file) != 1) return true;
    if (part.p_type == PT_LOAD && (part.p_offset > size || part.p_filesz > size - part.p_offset)) {
      return true;
    }
  }
#else
  (void)file;
#endif
  return false;
}

// For a missing file the loader reports a failed search; opening the file gives the reason.
static rutStatus check_file(const char* path, rutError* err) {
  int descriptor;
  uint64_t size;
  const int fault = rut_input_open(&rut_access_any, path, &descriptor, &size);
  if (fault) {
    return fail(err, RUT_ERR_IO, path,
                fault < 0 ? "is no file, but a directory, a device or the like" : strerror(fault));
  }
  FILE* file = fdopen(descriptor, "rb");
  if (!file) {
    close(descriptor);
    return fail(err, RUT_ERR_MEMORY, path, "out of memory");
  }
  const bool cut = is_cut_off(file);
  fclose(file);
  return cut ? fail(err, RUT_ERR_PARSE, path, "the file is damaged: it ends too early") : RUT_OK;
}

rutStatus rut_plugin_load(rutContext* context, const char* path, rutError* err) {
  char place[MAX_PATH], reason[300] = "";
  PluginTypes types = NULL;
  // the loader does not look for names without a slash in the working directory
  const char* prefix = strchr(path, '/') ? "" : "./";
  if (strlen(path) + 3 > sizeof place) return fail(err, RUT_ERR_IO, path, "path is too long");
  snprintf(place, sizeof place, "%s%s", prefix, path);
  rutStatus status = check_file(place, err);
  if (status != RUT_OK) return status;
  rut_context_note_input(context, place);
  if (!rut_dynamic_function(place, "rut_plugin", &types, reason, sizeof reason)) {
    return fail(err, RUT_ERR_PARSE, path, reason);
  }
  if (!types) {
    return fail(err, RUT_ERR_VERSION, path,
                "has no function rut_plugin, which returns its component types");
  }
  const rutComponent* const* type = types();
  if (!type || !type[0]) return fail(err, RUT_ERR_VERSION, path, "brings no component types");
  for (int i = 0; type[i]; i++) {
    rutError cause = {0};
    if (i == MAX_TYPES) return fail(err, RUT_ERR_CAPACITY, path, "its list of types has no end");
    status = rut_register(context, type[i], &cause);
    if (status != RUT_OK) return fail(err, status, path, cause.message);
  }
  return RUT_OK;
}
