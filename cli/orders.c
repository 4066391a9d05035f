// SPDX-License-Identifier: BSD-3-Clause
#include "orders.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 3, WORD_SIZE = 200, MOST_ORDERS = 1000000 };

static const double LATEST = 1e9;  // no run takes longer [s]

struct cliOrder {
  double time;
  char word[WORD_SIZE], log[WORD_SIZE];
};

void cli_orders_begin(cliOrders* orders, int file) {
  *orders = (cliOrders){.file = file, .line = 1};
}

void cli_orders_free(cliOrders* orders) {
  free(orders->order);
  *orders = (cliOrders){.file = -1};
}

__attribute__((format(printf, 4, 5))) static rutStatus fail(const cliOrders* orders,
                                                            rutStatus status, rutError* err,
                                                            const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  snprintf(err->file, sizeof err->file, "orders");
  err->status = status;
  err->line = orders->line;
  err->column = 0;
  return status;
}

// ---- lines ----

// Keep an order behind those of the same time.
static rutStatus keep(cliOrders* orders, const cliOrder* order, rutError* err) {
  if (orders->n == MOST_ORDERS) return fail(orders, RUT_ERR_ARGUMENT, err, "too many orders wait");
  if (orders->n == orders->capacity) {
    const int capacity = 2 * orders->capacity + 16;
    cliOrder* grown = realloc(orders->order, (size_t)capacity * sizeof *grown);
    if (!grown) return fail(orders, RUT_ERR_MEMORY, err, "out of memory");
    orders->order = grown;
    orders->capacity = capacity;
  }
  int at = orders->n;
  while (at > 0 && orders->order[at - 1].time > order->time) at--;
  memmove(orders->order + at + 1, orders->order + at,
          (size_t)(orders->n - at) * sizeof *orders->order);
  orders->order[at] = *order;
  orders->n++;
  return RUT_OK;
}

// Split a line into at most WORDS words and return their number; one more if there are more.
static int split(char* line, const char* word[WORDS]) {
  static const char blank[] = " \t\r";
  int n = 0;
  for (char* at = line + strspn(line, blank); *at; at += strspn(at, blank)) {
    if (n == WORDS) return n + 1;
    word[n++] = at;
    at += strcspn(at, blank);
    if (*at) *at++ = '\0';
  }
  return n;
}

static rutStatus read_line(cliOrders* orders, const rutLoggers* loggers, double time,
                           rutError* err) {
  const char* word[WORDS] = {"", "", ""};
  orders->text[orders->used] = '\0';
  const int n = split(orders->text, word);
  if (orders->too_long) return fail(orders, RUT_ERR_ARGUMENT, err, "the line is too long");
  if (n == 0 || word[0][0] == '#') return RUT_OK;
  cliOrder order = {.time = time};
  int first = 0;
  if (n == WORDS) {
    char* end;
    order.time = strtod(word[first++], &end);
    // anything that is no time, "nan" included
    if (*end || !(order.time >= 0 && order.time <= LATEST)) first = WORDS;
  }
  if (n != first + 2 || strlen(word[first]) >= WORD_SIZE || strlen(word[first + 1]) >= WORD_SIZE) {
    return fail(orders, RUT_ERR_ARGUMENT, err,
                "an order is '[TIME] pause|resume|clear|session LOG', with the time in seconds");
  }
  rutError why = {0};
  const rutStatus status = rut_loggers_check_order(loggers, word[first], word[first + 1], &why);
  if (status != RUT_OK) return fail(orders, status, err, "%s", why.message);
  snprintf(order.word, sizeof order.word, "%s", word[first]);
  snprintf(order.log, sizeof order.log, "%s", word[first + 1]);
  return keep(orders, &order, err);
}

// Bytes of the input; '\n' ends a line. Returns at the first line that is none.
static rutStatus take(cliOrders* orders, const rutLoggers* loggers, double time, rutError* err) {
  while (orders->at < orders->size) {
    const char byte = orders->chunk[orders->at++];
    if (byte != '\n') {
      orders->too_long = orders->too_long || orders->used + 1 == CLI_ORDER_LINE;
      if (!orders->too_long) orders->text[orders->used++] = byte ? byte : '?';
      continue;
    }
    const rutStatus status = read_line(orders, loggers, time, err);
    orders->line++;
    orders->used = 0;
    orders->too_long = false;
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

// True if something has come, or the end has.
static bool has_come(int file) {
  struct pollfd look = {.fd = file, .events = POLLIN};
  return poll(&look, 1, 0) > 0;
}

rutStatus cli_orders_read(cliOrders* orders, const rutLoggers* loggers, double time, size_t most,
                          rutError* err) {
  rutStatus status = take(orders, loggers, time, err);
  while (status == RUT_OK && orders->file >= 0 && most > 0 && has_come(orders->file)) {
    const ssize_t n = read(orders->file, orders->chunk, sizeof orders->chunk);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return RUT_OK;
    if (n < 0) {
      const int fault = errno;
      orders->file = -1;
      return fail(orders, RUT_ERR_IO, err, "cannot be read: %s", strerror(fault));
    }
    orders->at = 0;
    orders->size = (int)n;
    if (n == 0) {
      orders->file = -1;
      // the last line may have no end
      orders->chunk[0] = '\n';
      orders->size = orders->used > 0;
    }
    most -= (size_t)n < most ? (size_t)n : most;
    status = take(orders, loggers, time, err);
  }
  return status;
}

// ---- giving ----

rutStatus cli_orders_give(cliOrders* orders, rutLoggers* loggers, double time, rutError* err) {
  int due = 0;
  rutStatus status = RUT_OK;
  while (due < orders->n && orders->order[due].time <= time + 1e-9 && status == RUT_OK) {
    const cliOrder* order = &orders->order[due++];
    status = rut_loggers_order_named(loggers, order->word, order->log, err);
  }
  orders->n -= due;
  if (due > 0) memmove(orders->order, orders->order + due, (size_t)orders->n * sizeof(cliOrder));
  return status;
}
