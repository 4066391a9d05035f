// SPDX-License-Identifier: BSD-3-Clause
#include "orders.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 3, WORD_SIZE = 200, MOST_ORDERS = 1000000 };

static const double LATEST = 1e9;                   // no run takes longer [s]
static const size_t MOST_BYTES = (size_t)64 << 20;  // of orders before a run

struct cliOrder {
  double time;
  int64_t number;  // in the order in which they came
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

// Room for one more, where those that were given stood if there are many of them.
static bool make_room(cliOrders* orders) {
  if (orders->n < orders->capacity) return true;
  if (2 * orders->first > orders->n) {
    orders->n -= orders->first;
    memmove(orders->order, orders->order + orders->first,
            (size_t)orders->n * sizeof *orders->order);
    orders->first = 0;
    return true;
  }
  const int capacity = 2 * orders->capacity + 16;
  cliOrder* grown = realloc(orders->order, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  orders->order = grown;
  orders->capacity = capacity;
  return true;
}

static rutStatus keep(cliOrders* orders, const cliOrder* order, rutError* err) {
  if (cli_orders_left(orders) == MOST_ORDERS) {
    return fail(orders, RUT_ERR_ARGUMENT, err, "too many orders wait");
  }
  if (!make_room(orders)) return fail(orders, RUT_ERR_MEMORY, err, "out of memory");
  const int at = orders->n++;
  orders->order[at] = *order;
  orders->order[at].number = orders->kept++;
  orders->mixed = orders->mixed || (at > orders->first && orders->order[at - 1].time > order->time);
  return RUT_OK;
}

// By time, and those of one time as they came.
static int compare(const void* a, const void* b) {
  const cliOrder *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void sort(cliOrders* orders) {
  if (orders->mixed) {
    qsort(orders->order + orders->first, (size_t)cli_orders_left(orders), sizeof *orders->order,
          compare);
  }
  orders->mixed = false;
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

// Take what comes next. Waits for it.
static rutStatus read_chunk(cliOrders* orders, const rutLoggers* loggers, double time, size_t* most,
                            rutError* err) {
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
  *most -= (size_t)n < *most ? (size_t)n : *most;
  return take(orders, loggers, time, err);
}

bool cli_orders_are_typed(const cliOrders* orders) { return isatty(orders->file) == 1; }

rutStatus cli_orders_read_all(cliOrders* orders, const rutLoggers* loggers, rutError* err) {
  size_t most = MOST_BYTES;
  rutStatus status = RUT_OK;
  while (status == RUT_OK && orders->file >= 0 && most > 0) {
    struct pollfd look = {.fd = orders->file, .events = POLLIN};
    // input that would not be waited for, as its opener wants
    (void)poll(&look, 1, -1);
    status = read_chunk(orders, loggers, 0, &most, err);
  }
  if (status == RUT_OK && orders->file >= 0) {
    return fail(orders, RUT_ERR_ARGUMENT, err, "there are more than 64 MB of them");
  }
  return status;
}

rutStatus cli_orders_read(cliOrders* orders, const rutLoggers* loggers, double time, size_t most,
                          rutError* err) {
  rutStatus status = take(orders, loggers, time, err);
  while (status == RUT_OK && orders->file >= 0 && most > 0 && has_come(orders->file)) {
    status = read_chunk(orders, loggers, time, &most, err);
  }
  return status;
}

// ---- giving ----

rutStatus cli_orders_give(cliOrders* orders, rutLoggers* loggers, double time, rutError* err) {
  rutStatus status = RUT_OK;
  sort(orders);
  while (status == RUT_OK && orders->first < orders->n &&
         orders->order[orders->first].time <= time + 1e-9) {
    const cliOrder* order = &orders->order[orders->first++];
    status = rut_loggers_order_named(loggers, order->word, order->log, err);
  }
  return status;
}

int cli_orders_left(const cliOrders* orders) { return orders->n - orders->first; }
