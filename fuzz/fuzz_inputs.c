// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of set points, which are then given to the vehicles that they name.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rut/host.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char world[] =
    "<world timestep='10 ms'>"
    "<vehicle name='a'><chassis mass='20'/><wheel place='left' position='0 0.3'/><wheel "
    "place='right' position='0 -0.3'/>"
    "<drive type='direct'/><controller type='twist_pid'/></vehicle>"
    "<vehicle name='b'><chassis mass='20'/><wheel place='left' position='0 0.3'/><wheel "
    "place='right' position='0 -0.3'/>"
    "<drive type='direct'/><controller type='raw'/></vehicle>"
    "</world>";

static rutModel* make_model(void) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK ||
      rut_spec_parse(context, world, sizeof world - 1, "w.xml", &spec, NULL) != RUT_OK ||
      rut_compile(spec, &model, NULL) != RUT_OK) {
    abort();
  }
  rut_spec_destroy(spec);
  return model;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutModel* model = NULL;  // one for the whole run
  if (!model) model = make_model();
  rutInputs* inputs = NULL;
  rutError err = {0};
  const rutStatus status = rut_inputs_parse(model, (const char*)data, size, "fuzz", &inputs, &err);
  if ((status == RUT_OK) != (inputs != NULL) || status != err.status) abort();
  if (!inputs) return 0;
  rutData* state = rut_data_create(model);
  for (int i = 0; state && i < 4; i++) {
    if (rut_inputs_apply(inputs, model, state) != RUT_OK) abort();
    if (rut_step(model, state, NULL) != RUT_OK) break;
  }
  rut_data_destroy(state);
  rut_inputs_destroy(inputs);
  return 0;
}
