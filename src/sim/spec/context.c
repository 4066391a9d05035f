// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/context.h"

#include <string.h>

const char* rut_status_text(rutStatus status) {
  switch (status) {
#define X(name, value, text) \
  case name:                 \
    return text;
    RUT_STATUS_LIST(X)
#undef X
  }
  return "unknown status";
}

int rut_version(void) { return RUT_VERSION; }

rutReporter* rut_context_reporter(rutContext* context) { return &context->reporter; }
uint64_t rut_context_seed(const rutContext* context) { return context->def.seed; }

int rut_context_workers(const rutContext* context) {
  return context->def.workers > 1 ? context->def.workers : 1;
}

void* rut_context_alloc(rutContext* context, size_t size, size_t align) {
  return size ? context->def.alloc(size, align, context->def.user) : NULL;
}

void rut_context_free(rutContext* context, void* ptr) {
  if (ptr) context->def.free(ptr, context->def.user);
}

void* rut_context_grow(rutContext* context, void* ptr, size_t old_size, size_t new_size) {
  void* grown = rut_context_alloc(context, new_size, 16);
  if (!grown) return NULL;
  if (ptr) memcpy(grown, ptr, old_size < new_size ? old_size : new_size);
  rut_context_free(context, ptr);
  return grown;
}
