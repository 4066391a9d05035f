// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre property files.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "format/tir.h"

extern const rutTyreType rut_tyre_pac2002;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const rutComponent* type = &rut_tyre_pac2002.base;
  rutReporter reporter = {0};
  rutTir tir;
  const rutStatus status = rut_tir_parse((const char*)data, size, "fuzz", type, &reporter, &tir);
  if ((status == RUT_OK) != (reporter.errors == 0)) abort();
  if (status != RUT_OK) return 0;
  // what the reader promises
  for (int i = 0; i < type->fields; i++) {
    const rutField* f = &type->field[i];
    if (!tir.given[i]) continue;
    if (!isfinite(tir.number[i])) abort();
    if (f->min < f->max && !(tir.number[i] >= f->min && tir.number[i] <= f->max)) abort();
  }
  for (int k = 0; k < RUT_TIR_CURVES; k++) {
    if (tir.curve[k].points < 0 || tir.curve[k].points > RUT_TIR_POINTS) abort();
  }
  return 0;
}
