// SPDX-License-Identifier: BSD-3-Clause
#include "host/remote_dbc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/bytes.h"
#include "math/rut_math.h"
#include "rut/component.h"

// Longest name that all tools take.
enum { NAME = 32 };

typedef struct Writer {
  const rutRemote* remote;
  const rutCanMap* map;
  rutBytes text;
  char (*name)[NAME + 1];  // [set points, then signals] owned
} Writer;

__attribute__((format(printf, 2, 3))) static void put(Writer* w, const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (n > 0) rut_bytes_put(&w->text, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

// A text between quotes, which have no sign for themselves; bytes beyond ASCII depend on the tool.
static void put_quoted(Writer* w, const char* text) {
  put(w, "\"");
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    put(w, "%c", c == '"' ? '\'' : c < 32 || c > 126 || c == '\\' ? '?' : c);
  }
  put(w, "\"");
}

// ---- names ----

static rutRemoteValue value_at(const Writer* w, int i) {
  return i < w->map->set_points ? rut_remote_set_point(w->remote, i)
                                : rut_remote_signal(w->remote, i - w->map->set_points);
}

static bool is_taken(const Writer* w, int n) {
  static const char* const own[] = {"state_sequence", "state_layout", "answer_sequence",
                                    "answer_layout", "time"};
  for (int i = 0; i < RUT_COUNT_OF(own); i++) {
    if (strcmp(w->name[n], own[i]) == 0) return true;
  }
  for (int i = 0; i < n; i++) {
    if (strcmp(w->name[n], w->name[i]) == 0) return true;
  }
  return false;
}

// An identifier of C out of a name such as "rover/wheel[0].slip", unlike all before it. Of one that
// is too long the end is kept, which says what it is.
static void make_name(Writer* w, int n) {
  char* to = w->name[n];
  const char* from = value_at(w, n).name;
  const size_t length = strlen(from);
  if (length > NAME) from += length - NAME;
  size_t used = 0;
  for (; *from; from++) {
    const bool letter = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z');
    const bool digit = *from >= '0' && *from <= '9';
    if (letter || (digit && used > 0)) {
      to[used++] = *from;
    } else if (used > 0 && to[used - 1] != '_') {
      to[used++] = '_';
    }
  }
  while (used > 0 && to[used - 1] == '_') used--;
  to[used] = '\0';
  if (used == 0) used = (size_t)snprintf(to, NAME + 1, "value");
  for (int k = 2; is_taken(w, n); k++) {
    const size_t kept = used < NAME - 5 ? used : NAME - 5;
    snprintf(to + kept, NAME + 1 - kept, "_%d", k);
  }
}

// ---- messages ----

static uint32_t dbc_id(const Writer* w, uint32_t id) {
  return w->map->extended ? id | UINT32_C(0x80000000) : id;
}

// What a message holds beside its identifier.
typedef struct Message {
  uint32_t id;
  const char *name, *from, *to;
} Message;

static void put_head(Writer* w, const Message* m, const char* prefix) {
  put(w, "BO_ %u %s: 8 %s\n", dbc_id(w, m->id), m->name, m->from);
  put(w, " SG_ %s_sequence : 0|32@1+ (1,0) [0|4294967295] \"\" %s\n", prefix, m->to);
  put(w, " SG_ %s_layout : 32|32@1+ (1,0) [0|4294967295] \"\" %s\n\n", prefix, m->to);
}

// Frames of n values, whose names begin at `first`.
static void put_values(Writer* w, const char* name, int first, int n, bool answer) {
  const char* from = answer ? "program" : "rut";
  const char* to = answer ? "rut" : "program";
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) {
      const uint32_t id = answer ? rut_can_set_point_id(w->map, i) : rut_can_signal_id(w->map, i);
      put(w, "%sBO_ %u %s_%d: %d %s\n", i > 0 ? "\n" : "", dbc_id(w, id), name, i / 2 + 1,
          i + 1 < n ? 8 : 4, from);
    }
    put(w, " SG_ %s : %d|32@1- (1,0) [0|0] ", w->name[first + i], i % 2 * 32);
    put_quoted(w, value_at(w, first + i).unit);
    put(w, " %s\n", to);
  }
  if (n > 0) put(w, "\n");
}

static void put_messages(Writer* w) {
  const rutCanMap* map = w->map;
  put(w, "VERSION \"\"\n\nNS_ :\n\nBS_:\n\nBU_: rut program\n\n");
  put_head(w, &(Message){map->base, "rut_state", "rut", "program"}, "state");
  put_head(w, &(Message){map->base + 1, "rut_answer", "program", "rut"}, "answer");
  put_values(w, "set_points", 0, map->set_points, true);
  put(w, "BO_ %u rut_time: 8 rut\n SG_ time : 0|64@1- (1,0) [0|0] \"s\" program\n\n",
      dbc_id(w, rut_can_time_id(map)));
  put_values(w, "signals", map->set_points, map->signals, false);
}

static uint32_t id_of(const Writer* w, int i) {
  const int set_points = w->map->set_points;
  return dbc_id(w, i < set_points ? rut_can_set_point_id(w->map, i)
                                  : rut_can_signal_id(w->map, i - set_points));
}

static void put_comments(Writer* w, int values) {
  const rutCanMap* map = w->map;
  put(w,
      "CM_ BO_ %u \"A state of the run begins; its frames follow in the order of their "
      "identifiers, up to %u.\";\n",
      dbc_id(w, map->base), rut_can_last_id(map));
  put(w,
      "CM_ BO_ %u \"An answer begins, with sequence and layout of its state; set points follow "
      "in the order of their identifiers, and the last one ends it.\";\n",
      dbc_id(w, map->base + 1));
  for (int i = 0; i < values; i++) {
    const rutRemoteValue v = value_at(w, i);
    char text[600];
    snprintf(text, sizeof text, "%.250s%s%.300s", v.name, v.doc[0] ? ": " : "", v.doc);
    put(w, "CM_ SG_ %u %s ", id_of(w, i), w->name[i]);
    put_quoted(w, text);
    put(w, ";\n");
  }
}

// Period of states [ms], and the layout, which an answer bears from the start.
static void put_attributes(Writer* w, double period) {
  put(w,
      "BA_DEF_ BO_ \"GenMsgCycleTime\" INT 0 65535;\n"
      "BA_DEF_ SG_ \"GenSigStartValue\" FLOAT 0 4294967295;\n"
      "BA_DEF_DEF_ \"GenMsgCycleTime\" 0;\nBA_DEF_DEF_ \"GenSigStartValue\" 0;\n");
  const double ms = rut_floor(1e3 * period + 0.5);
  if (ms >= 1 && ms <= 65535) {
    put(w, "BA_ \"GenMsgCycleTime\" BO_ %u %d;\n", dbc_id(w, w->map->base), (int)ms);
  }
  put(w, "BA_ \"GenSigStartValue\" SG_ %u answer_layout %u;\n", dbc_id(w, w->map->base + 1),
      rut_remote_layout(w->remote));
}

static void put_types(Writer* w, int values) {
  put(w, "SIG_VALTYPE_ %u time : 2;\n", dbc_id(w, rut_can_time_id(w->map)));
  for (int i = 0; i < values; i++) put(w, "SIG_VALTYPE_ %u %s : 1;\n", id_of(w, i), w->name[i]);
}

rutStatus rut_remote_dbc_write(const rutRemote* remote, const rutCanMap* map, double period,
                               char** text, rutError* err) {
  const int values = map->set_points + map->signals;
  Writer w = {.remote = remote, .map = map};
  *text = NULL;
  w.name = calloc((size_t)values + 1, sizeof *w.name);
  if (!w.name) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  for (int i = 0; i < values; i++) make_name(&w, i);
  put_messages(&w);
  put_comments(&w, values);
  put_attributes(&w, period);
  put_types(&w, values);
  rut_bytes_u8(&w.text, 0);
  free(w.name);
  if (w.text.failed) {
    rut_bytes_free(&w.text);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  *text = (char*)w.text.data;
  return RUT_OK;
}
