// SPDX-License-Identifier: BSD-3-Clause
//
// Signals of logs: numbers in their messages.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/suggest.h"
#include "host/log_file.h"

enum { NAME_SIZE = 1024 };

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static char* copy_text(const char* text) {
  char* copy = malloc(strlen(text) + 1);
  if (copy) memcpy(copy, text, strlen(text) + 1);
  return copy;
}

static bool add_signal(rutLogFile* file, const char* element, const char* field, int channel,
                       int index) {
  if (file->signals == file->capacity) {
    const int capacity = 2 * file->capacity + 64;
    rutLogSignal* grown = realloc(file->signal, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    file->signal = grown;
    file->capacity = capacity;
  }
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%.700s/%.300s", element, field);
  rutLogSignal* s = &file->signal[file->signals++];
  *s = (rutLogSignal){
      .name = copy_text(name), .element = copy_text(element), .channel = channel, .field = index};
  return s->name && s->element;
}

// Our own topics of signals are those of an element, "/NAME/state".
static bool of_element(const rutMcapChannel* c) {
  const char* tail = c->topic ? strrchr(c->topic, '/') : NULL;
  return c->element && tail && (strcmp(tail, "/state") == 0 || strcmp(tail, "/energy") == 0);
}

static bool add_channel(rutLogFile* file, int channel) {
  const rutMcapChannel* c = &file->mcap.channel[channel];
  const rutMcapSchema* s = c->schema >= 0 ? &file->mcap.schema[c->schema] : NULL;
  const bool known = s && s->encoding && strcmp(s->encoding, "ros2msg") == 0 && c->encoding &&
                     strcmp(c->encoding, "cdr") == 0;
  if (!known) return true;
  rutMsg* msg = &file->msg[channel];
  if (!rut_msg_parse(msg, s->text ? s->text : "")) return false;
  const char* topic = c->topic ? c->topic : "";
  const char* element = of_element(c) ? c->element : topic + (topic[0] == '/');
  for (int i = 0; i < msg->fields; i++) {
    if (!msg->field[i].name) continue;
    if (!add_signal(file, element, msg->field[i].name, channel, i)) return false;
  }
  return true;
}

typedef struct Named {
  const char* name;
  int index;
} Named;

static int by_name(const void* a, const void* b) {
  const Named *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

rutStatus rut_log_find_signals(rutLogFile* file, rutError* err) {
  file->msg = calloc((size_t)file->mcap.channels + 1, sizeof *file->msg);
  if (!file->msg) return no_memory(err);
  for (int i = 0; i < file->mcap.channels; i++) {
    if (!add_channel(file, i)) return no_memory(err);
  }
  const size_t n = (size_t)file->signals;
  Named* named = malloc((n + 1) * sizeof *named);
  file->sorted = malloc((n + 1) * sizeof *file->sorted);
  if (named && file->sorted && n > 0) {
    for (int i = 0; i < file->signals; i++) named[i] = (Named){file->signal[i].name, i};
    qsort(named, n, sizeof *named, by_name);
    for (int i = 0; i < file->signals; i++) file->sorted[i] = named[i].index;
  }
  const bool fine = named && file->sorted;
  free(named);
  return fine ? RUT_OK : no_memory(err);
}

rutSignal rut_log_signal_at(const rutLogFile* file, int signal) {
  if (signal < 0 || signal >= file->signals) return (rutSignal){"", "", "", ""};
  const rutLogSignal* s = &file->signal[signal];
  const rutMsgField* f = &file->msg[s->channel].field[s->field];
  return (rutSignal){s->name, f->unit, f->doc, s->element};
}

int rut_log_signal_find(const rutLogFile* file, const char* name) {
  int low = 0, high = file->signals;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (strcmp(file->signal[file->sorted[middle]].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == file->signals) return -1;
  const int index = file->sorted[low];
  return strcmp(file->signal[index].name, name) == 0 ? index : -1;
}

const char* rut_log_signal_nearest(const rutLogFile* file, const char* name) {
  const char** candidate = malloc(((size_t)file->signals + 1) * sizeof *candidate);
  if (!candidate) return NULL;
  for (int i = 0; i < file->signals; i++) candidate[i] = file->signal[i].name;
  const char* nearest = rut_suggest(name, candidate, (size_t)file->signals);
  // a name without its vehicle
  for (int i = 0; i < file->signals && !nearest; i++) {
    if (strcmp(candidate[i] + strlen(file->signal[i].element) + 1, name) == 0) {
      nearest = candidate[i];
    }
  }
  free(candidate);
  return nearest;
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

static bool prepare(Query* q, const rutLogFile* file, int n, const int* signal) {
  const size_t size = (size_t)n + 1;
  q->asked = malloc(size * sizeof *q->asked);
  q->channel = malloc(size * sizeof *q->channel);
  q->field = malloc(size * sizeof *q->field);
  q->value = malloc(size * sizeof *q->value);
  q->first = malloc(((size_t)file->mcap.channels + 1) * sizeof *q->first);
  if (!q->asked || !q->channel || !q->field || !q->value || !q->first) return false;
  for (int i = 0; i < n; i++) {
    if (signal[i] < 0 || signal[i] >= file->signals) continue;
    const rutLogSignal* s = &file->signal[signal[i]];
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
  if (!rut_msg_read(&file->msg[m->channel], m->bytes, m->size, fields, q->field, q->value)) return;
  for (int i = first, k = 0; i < end; i++) {
    if (q->asked[i].field != q->field[k]) k++;
    told(q->asked[i].which, m->time, q->value[k], user);
  }
}

rutStatus rut_log_read_signals(rutLogFile* file, int n, const int* signal, double from, double to,
                               rutLogValue value, void* user, rutError* err) {
  Query q = {0};
  rutLogCursor* cursor = NULL;
  rutError fault = {.status = RUT_OK};
  rutStatus status = prepare(&q, file, n, signal) ? RUT_OK : no_memory(&fault);
  if (status == RUT_OK && q.channels > 0) {
    status = rut_log_cursor_create(file, q.channels, q.channel, from, to, &cursor, &fault);
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
