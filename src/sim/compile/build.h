// SPDX-License-Identifier: BSD-3-Clause
//
// Copies into a block that is laid out twice: on a measuring arena, whose takes return NULL, and on
// the real one; both must take the same.
#ifndef RUT_SIM_COMPILE_BUILD_H
#define RUT_SIM_COMPILE_BUILD_H

#include <string.h>

#include "base/arena.h"

static inline void* rut_build_copy(rutArena* arena, const void* from, size_t count, size_t size) {
  void* to = rut_arena_take(arena, count, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}
#define RUT_COPY(arena, from, count) rut_build_copy(arena, from, (size_t)(count), sizeof *(from))

// Texts are many and short: they are packed without the arrays' alignment.
static inline const char* rut_build_text(rutArena* arena, const char* text) {
  const size_t size = strlen(text) + 1;
  char* to =
      arena->base && arena->used + size <= arena->size ? (char*)arena->base + arena->used : NULL;
  if (to) memcpy(to, text, size);
  arena->used += size;
  return to;
}

#endif  // RUT_SIM_COMPILE_BUILD_H
