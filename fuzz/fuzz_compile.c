// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a native world file, which is compiled and makes some steps: whatever compiles must
// run, or say why it does not.
#include <stdlib.h>
#include <string.h>

#include "rut/rut.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STEPS = 4, LONGEST = 16384, MOST_BYTES = 16 << 20 };

static void run(rutModel* model) {
  rutError err = {0};
  rutData* data = rut_data_create(model);
  if (!data) return;
  for (int i = 0; i < STEPS; i++) {
    const rutStatus status = rut_step(model, data, &err);
    if (status != err.status && status != RUT_OK) abort();
    if (status != RUT_OK) break;
  }
  rut_data_destroy(data);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // one for the whole run: it keeps nothing of what it read
  static rutContext* context = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  char* text = size <= LONGEST ? malloc(size + 1) : NULL;
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  if (rut_spec_parse(context, text, size, "fuzz.xml", &spec, &err) == RUT_OK) {
    const rutStatus status = rut_compile(spec, &model, &err);
    if ((status == RUT_OK) != (model != NULL) || status != err.status) abort();
  }
  // many vehicles are slow under the sanitizers and show nothing new
  if (model && rut_data_size(model) <= MOST_BYTES) run(model);
  if (model) rut_model_destroy(model);
  if (spec) rut_spec_destroy(spec);
  free(text);
  return 0;
}
