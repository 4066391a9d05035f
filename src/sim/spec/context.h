// SPDX-License-Identifier: BSD-3-Clause
//
// The context inside sim: memory, report, and the registry of component types.
// Loads and compiles on one context share its reporter, so they must not run at the same time.
#ifndef RUT_SIM_SPEC_CONTEXT_H
#define RUT_SIM_SPEC_CONTEXT_H

#include "base/report.h"
#include "format/reader.h"  // rut_context_reporter, rut_context_seed
#include "rut/component.h"

// Parsed field rows of a registered type.
typedef struct rutFieldInfo {
  double* number;  // default of a vector or points field [SI], NULL if it has none
  int numbers;
  char* word;  // CHOICE: its words one after the other, each with a zero after it
  int words;
} rutFieldInfo;

// Parsed values of a preset.
typedef struct rutPresetInfo {
  const rutPreset* preset;
  struct rutPresetField* value;  // as many as preset->values (fields.h)
} rutPresetInfo;

typedef struct rutRegistered {
  const rutComponent* type;
  rutFieldInfo* field;    // as many as type->fields
  rutPresetInfo* preset;  // as many as type->presets
} rutRegistered;

// Private to context.c and registry.c.
struct rutContext {
  rutContextDef def;
  rutReporter reporter;
  rutInputList inputs;
  rutAccess access;  // of all worlds
  rutRegistered** registered;
  int n, capacity;
  bool shows_ground;  // images on the ground are kept although nothing sees them
  bool allows_code;   // fields with RUT_FIELD_CODE may name files
};

// Uninitialised memory from the host's allocator; align is a power of two up to 64. NULL if it has
// none or size is 0. Free with rut_context_free, which takes NULL.
void* rut_context_alloc(rutContext* context, size_t size, size_t align);
void rut_context_free(rutContext* context, void* ptr);
// Move a block of old_size bytes to one of new_size bytes, 16-byte aligned. NULL, with the old
// block kept, if out of memory.
void* rut_context_grow(rutContext* context, void* ptr, size_t old_size, size_t new_size);
// Threads that a step may use, at least 1.
int rut_context_workers(const rutContext* context);

#endif  // RUT_SIM_SPEC_CONTEXT_H
