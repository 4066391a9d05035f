// SPDX-License-Identifier: BSD-3-Clause
//
// A context is made of memory, a reporter, and the component types that it knows.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"

#include "sim/spec/registry.h"

static void* default_alloc(size_t size, size_t align, void* user) {
  (void)user;
  if (align <= _Alignof(max_align_t)) return malloc(size);
  void* ptr = NULL;
  return posix_memalign(&ptr, align, size) ? NULL : ptr;
}

static void default_free(void* ptr, void* user) {
  (void)user;
  free(ptr);
}

rutContextDef rut_default_context(void) {
  return (rutContextDef){
      .struct_size = sizeof(rutContextDef),
      .alloc = default_alloc,
      .free = default_free,
      .workers = 1,
  };
}

rutStatus rut_context_create(const rutContextDef* def, rutContext** out, rutError* err) {
  *out = NULL;
  if (def && def->struct_size != sizeof(rutContextDef)) {
    return rut_error_set(err, RUT_ERR_VERSION,
                         "rutContextDef has another size than that of this library; start from "
                         "rut_default_context()");
  }
  const rutContextDef copy = def ? *def : rut_default_context();
  if (!copy.alloc || !copy.free) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "rutContextDef needs both alloc and free");
  }
  rutContext* context = copy.alloc(sizeof *context, _Alignof(rutContext), copy.user);
  if (!context) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  memset(context, 0, sizeof *context);
  context->def = copy;
  context->reporter.report = copy.report;
  context->reporter.user = copy.user;
  rut_input_list_init(&context->inputs);
  context->access.inputs = &context->inputs;
  const rutStatus status = rut_registry_fill(context, err);
  if (status != RUT_OK) {
    rut_context_destroy(context);
    return status;
  }
  *out = context;
  return RUT_OK;
}

void rut_context_destroy(rutContext* context) {
  if (!context) return;
  rut_registry_clear(context);
  rut_access_free(&context->access);
  rut_input_list_free(&context->inputs);
  context->def.free(context, context->def.user);
}

// fault: an errno, 0 if the folder was added.
static rutStatus added(int fault, const char* folder, rutError* err) {
  if (!fault) return RUT_OK;
  char reason[128] = "unknown reason";
  if (strerror_r(fault, reason, sizeof reason) != 0) reason[0] = '\0';
  return rut_error_set(err, fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO,
                       "folder '%.300s' cannot be allowed: %s", folder, reason);
}

rutStatus rut_context_allow_dir(rutContext* context, const char* folder, rutError* err) {
  return added(rut_access_add_folder(&context->access, folder), folder, err);
}

rutStatus rut_context_add_models(rutContext* context, const char* folder, rutError* err) {
  return added(rut_access_add_models(&context->access, folder), folder, err);
}

rutStatus rut_context_allow_env(rutContext* context, const char* name, rutError* err) {
  if (!rut_access_add_variable(&context->access, name)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
}

bool rut_context_has_read(const rutContext* context, const char* path) {
  return rut_input_list_has(context->access.inputs, path);
}

void rut_context_note_input(rutContext* context, const char* path) {
  const rutAccess named = {.up = &context->access, .any = true};
  int file;
  uint64_t size;
  if (rut_input_open(&named, path, &file, &size) == 0) close(file);
}

void rut_context_on_read(rutContext* context, void (*note)(const char* path, void* user),
                         void* user) {
  context->inputs.note = note;
  context->inputs.user = user;
}

void rut_context_allow_code(rutContext* context) { context->allows_code = true; }

void rut_context_show_ground(rutContext* context) { context->shows_ground = true; }
