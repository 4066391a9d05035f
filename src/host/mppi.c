// SPDX-License-Identifier: BSD-3-Clause
//
// An update of rut/mpc.h with candidates that a batch drives.
#include "base/report.h"
#include "rut/mpc.h"

rutStatus rut_mppi_update(rutMppi* mppi, rutBatch* batch, const rutModel* model,
                          const rutData* from, rutMppiResult* result, rutError* err) {
  const rutMppiDef def = rut_mppi_def(mppi);
  const int commands = rut_batch_commands(batch);
  if (commands != def.commands) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the batch has %d commands, not %d", commands,
                         def.commands);
  }
  const rutRollout rollout = {.candidates = def.candidates,
                              .intervals = def.intervals,
                              .steps = def.steps,
                              .command = rut_mppi_sample(mppi),
                              .candidate_stride = (ptrdiff_t)def.intervals * commands,
                              .interval_stride = commands,
                              .column_stride = 1,
                              .end_cost = def.end_cost};
  double* cost = rut_mppi_costs(mppi);
  const rutStatus status = rut_rollout(batch, model, from, &rollout, cost, err);
  if (status == RUT_OK) rut_mppi_learn(mppi, cost, result);
  return status;
}
