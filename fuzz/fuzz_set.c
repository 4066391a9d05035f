// SPDX-License-Identifier: BSD-3-Clause
//
// Changes of a world as pages of the viewer send them: a path, a line break, a value; then the
// next.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rut/rut.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { CHANGES = 8, LONGEST = 4096, MOST_BYTES = 16 << 20 };

static const char world[] =
    "<world timestep='10 ms'><terrain type='plane'/><soil type='clay'/>"
    "<vehicle name='a'><chassis mass='20'/><wheel place='left' position='0 0.3'/><wheel "
    "place='right' position='0 -0.3'/>"
    "<drive type='direct'/><controller type='twist_pid'/><sensor type='laser' rays='5'/></vehicle>"
    "<block name='b' mass='2' position='3 0' outline='0 0, 1 0, 1 1'/></world>";

static void use(rutModel* model) {
  rutData* data = rut_data_size(model) <= MOST_BYTES ? rut_data_create(model) : NULL;
  if (data) rut_step(model, data, NULL);
  rut_data_destroy(data);
  rut_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutContext* context = NULL;  // one for the whole run
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  char* text = size <= LONGEST ? malloc(size + 1) : NULL;
  if (!text) return 0;
  rutSpec* spec = NULL;
  if (rut_spec_parse(context, world, sizeof world - 1, "w.xml", &spec, NULL) != RUT_OK) {
    abort();
  }
  memcpy(text, data, size);
  text[size] = '\0';
  char* at = text;
  for (int i = 0; at && i < CHANGES; i++) {
    char* path = at;
    char* value = strchr(path, '\n');
    if (!value) break;
    *value++ = '\0';
    at = strchr(value, '\n');
    if (at) *at++ = '\0';
    rutError err = {0};
    if (rut_spec_set(spec, path, value, &err) != err.status) abort();
  }
  rutModel* model = NULL;
  if (rut_compile(spec, &model, NULL) == RUT_OK) use(model);
  rut_spec_destroy(spec);
  free(text);
  return 0;
}
