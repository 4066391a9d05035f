// SPDX-License-Identifier: BSD-3-Clause
//
// Time that the stages of a step take.
#ifndef RUT_SIM_LAP_H
#define RUT_SIM_LAP_H

#include "sim/model.h"

// Add the time since `since` to a stage, if timers are on; returns the time now.
static inline double rut_lap(rutData* data, rutStage stage, double since) {
  if (!data->profile) return 0;
  const double now = rut_clock();
  data->stage[stage] += now - since;
  return now;
}

#endif  // RUT_SIM_LAP_H
