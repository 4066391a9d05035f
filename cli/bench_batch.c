// SPDX-License-Identifier: BSD-3-Clause
#include "bench_batch.h"

#include <stdlib.h>

#include "cli.h"
#include "clock.h"
#include "rut/batch.h"

enum { STEPS = 100, MEASUREMENTS = 5, MOST_COMMANDS = 64 };
static const double MEASURED_TIME = 0.12;  // wall time of a measurement [s]
static const double SETTLE_TIME = 5;       // simulated time before it [s]
static const double SETTLE_LIMIT = 1;      // wall time that this may take [s]

// Set points of the world, 0 to 1.5 % larger from copy to copy, so that copies do not move alike.
static void give_commands(rutBatch* batch, double* command) {
  const int n = rut_batch_commands(batch);
  const rutModel* model = rut_batch_model(batch);
  for (int c = 0; c < rut_batch_copies(batch); c++) {
    const rutData* data = rut_batch_data(batch, c);
    double* row = command + (size_t)c * (size_t)n;
    for (int v = 0, at = 0; v < rut_count(model, RUT_VEHICLE); v++) {
      at += rut_command_state(model, data, v, n - at, row + at);
    }
    for (int i = 0; i < n; i++) row[i] *= 1 + 1e-3 * (c % 16);
  }
}

static double time_calls(rutBatch* batch, const rutBatchIo* io, int64_t calls) {
  const double start = cli_clock();
  for (int64_t i = 0; i < calls; i++) rut_batch_step(batch, STEPS, io, NULL);
  return cli_clock() - start;
}

static void measure(rutBatch* batch, const rutBatchIo* io, cliBatchResult* out) {
  const double start = cli_clock();
  int64_t done = 0;
  while (rut_batch_copy(batch, 0).time < SETTLE_TIME && cli_clock() - start < SETTLE_LIMIT) {
    time_calls(batch, io, 1);
    done++;
  }
  const double each = (cli_clock() - start) / (double)done;
  const int64_t calls = 1 + (int64_t)(MEASURED_TIME / each);
  double best = -1;
  for (int i = 0; i < MEASUREMENTS; i++) {
    const double time = time_calls(batch, io, calls);
    if (best < 0 || time < best) best = time;
  }
  out->steps = calls * STEPS;
  out->ns_per_step = 1e9 * best / (double)out->steps;
}

int cli_bench_batch(cliWorld* world, int copies, cliBatchResult* out) {
  rutBatchDef def = rut_default_batch();
  def.copies = copies;
  rutBatch* batch = NULL;
  rutError err = {0};
  const rutStatus status = rut_batch_create(world->spec, &def, &batch, &err);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  const int n = rut_batch_commands(batch);
  double* command = n <= MOST_COMMANDS ? malloc((size_t)(n * copies + 1) * sizeof *command) : NULL;
  if (command) {
    give_commands(batch, command);
    const rutBatchIo io = {.command = {command, n, 1}};
    measure(batch, &io, out);
    const rutBatchInfo info = rut_batch_info(batch);
    out->bytes = (double)info.memory;
    out->in_lanes = info.in_lanes;
    out->timestep = rut_model_timestep(rut_batch_model(batch));
  }
  free(command);
  rut_batch_destroy(batch);
  if (command) return CLI_DONE;
  return cli_report_failure(&world->report, RUT_ERR_MEMORY, &err);
}
