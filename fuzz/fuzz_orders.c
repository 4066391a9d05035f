// SPDX-License-Identifier: BSD-3-Clause
//
// Orders to logs, as they come from the command's input.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orders.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// As many bytes as any pipe holds at once.
enum { PIPE_SIZE = 16384 };

static rutLoggers* loggers_of(const char* world) {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutLoggers* loggers;
  rutError err = {0};
  if (rut_context_create(NULL, &context, &err) ||
      rut_spec_parse(context, world, strlen(world), "world", &spec, &err) ||
      rut_compile(spec, &model, &err) || rut_loggers_create(spec, model, NULL, &loggers, &err)) {
    abort();
  }
  // the loggers have copies of what they need
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  return loggers;
}

// Takes all lines, then gives the orders at one time after the other.
static void follow(cliOrders* orders, rutLoggers* loggers) {
  rutError err = {0};
  for (rutStatus status = RUT_ERR_ARGUMENT; status != RUT_OK;) {
    err.message[0] = '\0';
    status = cli_orders_read(orders, loggers, 1, SIZE_MAX, &err);
    if (status != RUT_OK && (status != RUT_ERR_ARGUMENT || !err.message[0] || err.line < 1)) {
      abort();
    }
  }
  if (orders->file >= 0) abort();
  // what was checked when it was read is not refused later
  for (double time = 0; cli_orders_left(orders) > 0; time = 2 * time + 1) {
    const int before = cli_orders_left(orders);
    if (cli_orders_give(orders, loggers, time, &err) != RUT_OK) abort();
    if (cli_orders_left(orders) > before) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutLoggers* loggers;
  if (!loggers)
    loggers = loggers_of("<world><log name='run'/><log name='film' format='mcap'/></world>");
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const size_t n = size < PIPE_SIZE ? size : PIPE_SIZE;
  if (write(ends[1], data, n) != (ssize_t)n) abort();
  close(ends[1]);
  cliOrders orders;
  cli_orders_begin(&orders, ends[0]);
  follow(&orders, loggers);
  cli_orders_free(&orders);
  close(ends[0]);
  return 0;
}
