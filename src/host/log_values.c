// SPDX-License-Identifier: BSD-3-Clause
//
// Signals of logs: numbers in their messages.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/log_file.h"

enum {
  MOST_LINES = 4 * 1000 * 1000,      // of all definitions, with what they are made of
  SIGNAL_BYTES = 512 * 1024 * 1024,  // of all signals
  SIGNAL_SIZE = sizeof(rutLogSignal) + sizeof(rutName) + 32
};

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static rutStatus add_signal(rutLogFile* file, const char* element, const char* field, int channel,
                            int index, rutError* err) {
  const size_t leaf = strlen(element) + 1, size = leaf + strlen(field) + 1;
  // a few long topics with many fields would fill any memory
  file->bytes += size + SIGNAL_SIZE;
  if (file->bytes > SIGNAL_BYTES) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "'%.250s': too many signals", file->mcap.path);
  }
  if (file->signals == file->capacity) {
    const int capacity = 2 * file->capacity + 64;
    rutLogSignal* grown = realloc(file->signal, (size_t)capacity * sizeof *grown);
    if (!grown) return no_memory(err);
    file->signal = grown;
    file->capacity = capacity;
  }
  char* name = malloc(size);
  if (!name) return no_memory(err);
  snprintf(name, size, "%s/%s", element, field);
  file->signal[file->signals++] = (rutLogSignal){name, element, leaf, channel, index};
  return RUT_OK;
}

// Our own topics of signals are those of an element, "/NAME/state".
static bool of_element(const rutMcapChannel* c) {
  const char* tail = c->topic ? strrchr(c->topic, '/') : NULL;
  return c->element && tail && (strcmp(tail, "/state") == 0 || strcmp(tail, "/energy") == 0);
}

static rutStatus add_channel(rutLogFile* file, int channel, rutError* err) {
  const rutMcapChannel* c = &file->mcap.channel[channel];
  const rutMcapSchema* s = c->schema >= 0 ? &file->mcap.schema[c->schema] : NULL;
  const bool known = s && s->encoding && strcmp(s->encoding, "ros2msg") == 0 && c->encoding &&
                     strcmp(c->encoding, "cdr") == 0;
  if (!known) return RUT_OK;
  rutMsg* msg = &file->msg[c->schema];
  if (!file->parsed[c->schema]) {
    file->parsed[c->schema] = true;
    if (!rut_msg_parse(msg, s->text ? s->text : "", &file->lines)) return no_memory(err);
  }
  const char* topic = c->topic ? c->topic : "";
  const char* element = of_element(c) ? c->element : topic + (topic[0] == '/');
  rutStatus status = RUT_OK;
  for (int i = 0; i < msg->fields && status == RUT_OK; i++) {
    if (!msg->field[i].name) continue;
    status = add_signal(file, element, msg->field[i].name, channel, i, err);
  }
  return status;
}

rutStatus rut_log_find_signals(rutLogFile* file, rutError* err) {
  file->msg = calloc((size_t)file->mcap.schemas + 1, sizeof *file->msg);
  file->parsed = calloc((size_t)file->mcap.schemas + 1, sizeof *file->parsed);
  if (!file->msg || !file->parsed) return no_memory(err);
  file->lines = MOST_LINES;
  for (int i = 0; i < file->mcap.channels; i++) {
    const rutStatus status = add_channel(file, i, err);
    if (status != RUT_OK) return status;
  }
  file->sorted = malloc(((size_t)file->signals + 1) * sizeof *file->sorted);
  if (!file->sorted) return no_memory(err);
  for (int i = 0; i < file->signals; i++) {
    const rutLogSignal* s = &file->signal[i];
    file->sorted[i] = (rutName){s->name, s->name + s->leaf, i};
  }
  rut_names_sort(file->signals, file->sorted);
  return RUT_OK;
}

static const rutMsg* msg_of(const rutLogFile* file, int channel) {
  return &file->msg[file->mcap.channel[channel].schema];
}

rutSignal rut_log_signal_at(const rutLogFile* file, int signal) {
  if (signal < 0 || signal >= file->signals) return (rutSignal){"", "", "", "", ""};
  const rutLogSignal* s = &file->signal[signal];
  const rutMsgField* f = &msg_of(file, s->channel)->field[s->field];
  return (rutSignal){s->name, f->unit, f->doc, s->element, s->name + s->leaf};
}

int rut_log_signal_find(const rutLogFile* file, const char* name) {
  return rut_names_find(file->signals, file->sorted, name);
}

const char* rut_log_signal_nearest(const rutLogFile* file, const char* name) {
  return rut_names_nearest(file->signals, file->sorted, name);
}

// ---- values ----

// Signals that were asked for, in order of channel and field.
typedef struct Asked {
  int channel, field, which;
} Asked;

static int by_place(const void* a, const void* b) {
  const Asked *x = a, *y = b;
  if (x->channel != y->channel) return x->channel < y->channel ? -1 : 1;
  if (x->field != y->field) return x->field < y->field ? -1 : 1;
  return (x->which > y->which) - (x->which < y->which);
}

typedef struct Query {
  Asked* asked;   // [n]
  int* channel;   // [n] those that are asked, each once
  int* first;     // [channels of the file] of its entries in asked
  int* field;     // [n] scratch: fields of one channel, each once
  double* value;  // [n] scratch
  int n, channels;
} Query;

static bool prepare(Query* q, const rutLogFile* file, const rutLogSelection* signals) {
  const size_t size = (size_t)signals->n + 1;
  q->asked = malloc(size * sizeof *q->asked);
  q->channel = malloc(size * sizeof *q->channel);
  q->field = malloc(size * sizeof *q->field);
  q->value = malloc(size * sizeof *q->value);
  q->first = malloc(((size_t)file->mcap.channels + 1) * sizeof *q->first);
  if (!q->asked || !q->channel || !q->field || !q->value || !q->first) return false;
  for (int i = 0; i < signals->n; i++) {
    const int signal = signals->index[i];
    if (signal < 0 || signal >= file->signals) continue;
    const rutLogSignal* s = &file->signal[signal];
    q->asked[q->n++] = (Asked){s->channel, s->field, i};
  }
  if (q->n > 1) qsort(q->asked, (size_t)q->n, sizeof *q->asked, by_place);
  for (int i = 0; i < q->n; i++) {
    if (i > 0 && q->asked[i].channel == q->asked[i - 1].channel) continue;
    q->channel[q->channels++] = q->asked[i].channel;
    q->first[q->asked[i].channel] = i;
  }
  return true;
}

// Tell the values of one message.
static void tell(const Query* q, const rutLogFile* file, const rutLogMessage* m, rutLogValue told,
                 void* user) {
  const int first = q->first[m->channel];
  int end = first, fields = 0;
  for (; end < q->n && q->asked[end].channel == m->channel; end++) {
    const int field = q->asked[end].field;
    if (fields == 0 || q->field[fields - 1] != field) q->field[fields++] = field;
  }
  const rutMsg* msg = msg_of(file, m->channel);
  if (!rut_msg_read(msg, m->bytes, m->size, fields, q->field, q->value)) return;
  for (int i = first, k = 0; i < end; i++) {
    if (q->asked[i].field != q->field[k]) k++;
    told(q->asked[i].which, m->time, q->value[k], user);
  }
}

rutStatus rut_log_read_signals(rutLogFile* file, const rutLogSelection* signals, rutLogValue value,
                               void* user, rutError* err) {
  Query q = {0};
  rutLogCursor* cursor = NULL;
  rutError fault = {.status = RUT_OK};
  rutStatus status = prepare(&q, file, signals) ? RUT_OK : no_memory(&fault);
  if (status == RUT_OK && q.channels > 0) {
    const rutLogSelection channels = {
        .n = q.channels, .index = q.channel, .from = signals->from, .to = signals->to};
    status = rut_log_cursor_create(file, &channels, &cursor, &fault);
  }
  rutLogMessage message;
  while (cursor && rut_log_next(cursor, &message, &fault)) tell(&q, file, &message, value, user);
  if (status == RUT_OK) status = fault.status;
  rut_log_cursor_destroy(cursor);
  free(q.asked);
  free(q.channel);
  free(q.field);
  free(q.value);
  free(q.first);
  if (err && status != RUT_OK) *err = fault;
  return status;
}
