// SPDX-License-Identifier: BSD-3-Clause
#include "sim/kept.h"

#include <string.h>

void rut_forget_kept(rutData* data, const rutGroup* g) {
  for (int b = 0; g->control.kept > 0 && b < g->batches; b++) {
    double* row = rut_batch(data, g, b) + g->control.kept_row * g->lanes;
    memset(row, 0, (size_t)g->lanes * sizeof *row);
  }
}
