// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as an MVSim world; what does not begin like one is put inside <mvsim_world>.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rut/component.h"

extern const rutFormatType rut_format_mvsim;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void load(const char* text, size_t size) {
  // one for the whole run: it keeps nothing of what it read
  static rutContext* context = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return;
  rutSpec* spec = NULL;
  if (rut_spec_parse(context, text, size, "fuzz.world.xml", &spec, NULL) == RUT_OK) {
    rut_spec_destroy(spec);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char open[] = "<mvsim_world>", close[] = "</mvsim_world>";
  const size_t before = sizeof open - 1, after = sizeof close - 1;
  if (rut_format_mvsim.recognise((const char*)data, size)) {
    load((const char*)data, size);
    return 0;
  }
  char* text = malloc(before + size + after);
  if (!text) return 0;
  memcpy(text, open, before);
  if (size) memcpy(text + before, data, size);
  memcpy(text + before + size, close, after);
  load(text, before + size + after);
  free(text);
  return 0;
}
