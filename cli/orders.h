// SPDX-License-Identifier: BSD-3-Clause
//
// Orders to a world's logs that come while it runs, one a line: "[TIME] ORDER LOG".
#ifndef RUT_CLI_ORDERS_H
#define RUT_CLI_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "rut/host.h"

enum { CLI_ORDER_LINE = 512, CLI_ORDER_CHUNK = 4096 };

typedef struct cliOrder cliOrder;

typedef struct cliOrders {
  int file;         // -1: nothing more comes
  cliOrder* order;  // owned; those that wait, in order of time
  int n, capacity;
  int line;  // that is being read
  char text[CLI_ORDER_LINE];
  int used;  // of it
  bool too_long;
  char chunk[CLI_ORDER_CHUNK];  // bytes that were read, of which `at` are taken
  int at, size;
} cliOrders;

// Orders from an open file, which stays open.
void cli_orders_begin(cliOrders* orders, int file);
// Take the lines that have come by now, at most about `most` bytes, without waiting for more. Those
// without a time are for `time`, that of the next state. Errors: ARGUMENT (a line that is none,
// which is passed over; call it again), IO, MEMORY.
rutStatus cli_orders_read(cliOrders* orders, const rutLoggers* loggers, double time, size_t most,
                          rutError* err);
// Give the orders that are due at a time. Errors: those of rut_loggers_order_named.
rutStatus cli_orders_give(cliOrders* orders, rutLoggers* loggers, double time, rutError* err);
void cli_orders_free(cliOrders* orders);

#endif  // RUT_CLI_ORDERS_H
