// SPDX-License-Identifier: BSD-3-Clause
//
// Orders to a world's logs that come while it runs, one a line: "[TIME] ORDER LOG".
#ifndef RUT_CLI_ORDERS_H
#define RUT_CLI_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rut/host.h"

enum { CLI_ORDER_LINE = 512, CLI_ORDER_CHUNK = 4096 };

typedef struct cliOrder cliOrder;

typedef struct cliOrders {
  int file;         // -1: nothing more comes
  cliOrder* order;  // owned; those that wait are first .. n - 1, in order of time unless `mixed`
  int first, n, capacity;
  bool mixed;
  int64_t kept;  // so far
  int line;      // that is being read
  char text[CLI_ORDER_LINE];
  int used;  // of it
  bool too_long;
  char chunk[CLI_ORDER_CHUNK];  // bytes that were read, of which `at` are taken
  int at, size;
} cliOrders;

// Orders from an open file, which stays open.
void cli_orders_begin(cliOrders* orders, int file);
// True if a person or another program may send orders while it watches the run: from a terminal.
bool cli_orders_are_typed(const cliOrders* orders);
// Wait for all lines up to the end of the input. Those without a time are for time 0. Errors: those
// of cli_orders_read, and ARGUMENT for input of more than 64 MB.
rutStatus cli_orders_read_all(cliOrders* orders, const rutLoggers* loggers, rutError* err);
// Take the lines that have come by now, at most about `most` bytes, without waiting for more. Those
// without a time are for `time`, that of the next state. Errors: ARGUMENT (a line that is none,
// which is passed over; call it again), IO, MEMORY.
rutStatus cli_orders_read(cliOrders* orders, const rutLoggers* loggers, double time, size_t most,
                          rutError* err);
// Give the orders that are due at a time. Errors: those of rut_loggers_order_named.
rutStatus cli_orders_give(cliOrders* orders, rutLoggers* loggers, double time, rutError* err);
// Number of orders that wait.
int cli_orders_left(const cliOrders* orders);
void cli_orders_free(cliOrders* orders);

#endif  // RUT_CLI_ORDERS_H
