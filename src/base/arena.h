// SPDX-License-Identifier: BSD-3-Clause
//
// Carves many arrays out of one block. The same building code runs twice: first on an arena without
// memory, which only measures, then on one of the measured size.
#ifndef RUT_BASE_ARENA_H
#define RUT_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct rutArena {
  unsigned char* base;  // NULL while measuring
  size_t used, size;
} rutArena;

enum { RUT_ARENA_ALIGN = 64 };

// Next `count` zeroed items of `size` bytes, 64-byte aligned; NULL while measuring. The block must
// have been zeroed. Sizes that overflow saturate `used`, so that the allocation fails.
static inline void* rut_arena_take(rutArena* arena, size_t count, size_t size) {
  size_t start = (arena->used + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
  if (start < arena->used || (size && count > (SIZE_MAX / 2 - start) / size)) {
    arena->used = SIZE_MAX / 2;
    return NULL;
  }
  arena->used = start + count * size;
  return arena->base && arena->used <= arena->size ? arena->base + start : NULL;
}

#define RUT_TAKE(arena, type, count) ((type*)rut_arena_take(arena, (size_t)(count), sizeof(type)))

#endif  // RUT_BASE_ARENA_H
