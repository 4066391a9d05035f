// SPDX-License-Identifier: BSD-3-Clause
#include "rut/peer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/report.h"
#include "base/suggest.h"
#include "base/thread.h"
#include "base/units.h"
#include "host/peer_line.h"
#include "host/signals.h"
#include "math/rut_math.h"
#include "rut/descriptor.h"

enum { MOST_COMMANDS = 64, ROOM = 1 << 16 };

// A line that is being put together.
typedef struct Text {
  size_t used;
  bool full;
  char bytes[ROOM];
} Text;

struct rutPeer {
  int socket, vehicle;
  char controller[128];  // of the vehicle
  double period, timeout, next;
  double now;     // time at the last step [s], NaN: there was none
  double origin;  // time of exchange `origin_seq`, from which periods count [s]
  int64_t origin_seq;
  FILE* record;
  rutSignals* signals;
  int percepts;
  int percept[RUT_PEER_PERCEPTS];
  int commands;
  const char* command[MOST_COMMANDS];  // names, in `names`
  double value[MOST_COMMANDS];
  char* names;
  int64_t seq;
  bool ended, collided;
  int line;  // of the peer, that is being read
  char text[RUT_PEER_LINE];
  size_t used, taken;  // bytes of text that were received, and of them those of earlier lines
  Text out;
  rutPeerLine parsed;
};

rutPeerDef rut_default_peer(void) {
  static const char* const percept[] = {"speed", "yaw_rate", "x", "y", "yaw"};
  return (rutPeerDef){.socket = -1,
                      .rate = 20,
                      .timeout = 2,
                      .percepts = RUT_COUNT_OF(percept),
                      .percept = percept};
}

// ---- errors ----

__attribute__((format(printf, 5, 6))) static rutStatus refuse(const rutPeer* peer, rutError* err,
                                                              int column, rutStatus status,
                                                              const char* format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_error_set(err, status, "%s", message);
  if (err) {
    snprintf(err->file, sizeof err->file, "peer");
    err->line = peer->line;
    err->column = column;
  }
  return status;
}

// ---- to the peer ----

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, args);
  va_end(args);
  t->full = t->full || n < 0 || (size_t)n >= sizeof t->bytes - t->used;
  if (!t->full) t->used += (size_t)n;
}

// JSON has no numbers that are not finite.
static void put_number(Text* t, double value) {
  char text[32];
  rut_format_number(value, text);
  put(t, "%s", value - value == 0 ? text : "null");
}

// Names, units and descriptions: those of components may hold anything.
static void put_string(Text* t, const char* text) {
  put(t, "\"");
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    if (*c == '"' || *c == '\\') {
      put(t, "\\%c", *c);
    } else if (*c < 0x20 || *c == 0x7f) {
      put(t, "\\u%04x", (unsigned)*c);
    } else {
      put(t, "%c", *c);
    }
  }
  put(t, "\"");
}

static int milliseconds_to(double deadline) {
  const double left = deadline - rut_clock();
  return left <= 0 ? 0 : left < 1e6 ? (int)(1000 * left) + 1 : 1000000000;
}

// Send the line. A peer that does not read is waited for as one that does not answer.
static rutStatus send_line(rutPeer* peer, rutError* err) {
  Text* t = &peer->out;
  put(t, "\n");
  if (t->full) return refuse(peer, err, 0, RUT_ERR_CAPACITY, "a line to the peer is too long");
  if (peer->record) fprintf(peer->record, "> %s", t->bytes);
  const double deadline = rut_clock() + peer->timeout;
  for (size_t sent = 0; sent < t->used;) {
    const ssize_t n =
        send(peer->socket, t->bytes + sent, t->used - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n >= 0) {
      sent += (size_t)n;
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      return refuse(peer, err, 0, RUT_ERR_IO, "the peer is gone: %s", strerror(errno));
    }
    struct pollfd wait = {peer->socket, POLLOUT, 0};
    const int left = milliseconds_to(deadline);
    if (left == 0) {
      return refuse(peer, err, 0, RUT_ERR_IO, "the peer has read nothing for %g s", peer->timeout);
    }
    (void)poll(&wait, 1, left);
  }
  return RUT_OK;
}

static void begin_line(rutPeer* peer, const char* type) {
  peer->out.used = 0;
  peer->out.full = false;
  put(&peer->out, "{\"type\":\"%s\"", type);
}

// ---- from the peer ----

// Length of the next whole line, -1 if there is none.
static ptrdiff_t line_length(const rutPeer* peer) {
  const char* first = peer->text + peer->taken;
  const char* feed = memchr(first, '\n', peer->used - peer->taken);
  return feed ? feed - first : -1;
}

static rutStatus receive(rutPeer* peer, double deadline, rutError* err) {
  memmove(peer->text, peer->text + peer->taken, peer->used - peer->taken);
  peer->used -= peer->taken;
  peer->taken = 0;
  if (peer->used == sizeof peer->text) {
    return refuse(peer, err, 0, RUT_ERR_PARSE, "a line is longer than %d bytes", RUT_PEER_LINE);
  }
  struct pollfd wait = {peer->socket, POLLIN, 0};
  const int left = milliseconds_to(deadline);
  if (left == 0) {
    return refuse(peer, err, 0, RUT_ERR_IO, "the peer has said nothing for %g s", peer->timeout);
  }
  if (poll(&wait, 1, left) <= 0) return RUT_OK;
  const ssize_t n =
      recv(peer->socket, peer->text + peer->used, sizeof peer->text - peer->used, MSG_DONTWAIT);
  if (n > 0) {
    peer->used += (size_t)n;
  } else if (n == 0) {
    return refuse(peer, err, 0, RUT_ERR_IO, "the peer has closed the connection");
  } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    return refuse(peer, err, 0, RUT_ERR_IO, "the peer is gone: %s", strerror(errno));
  }
  return RUT_OK;
}

// Wait for a line and take it apart. *type gets what it is.
static rutStatus read_line(rutPeer* peer, const char** type, rutError* err) {
  const double deadline = rut_clock() + peer->timeout;
  ptrdiff_t length = line_length(peer);
  peer->line++;
  while (length < 0) {
    const rutStatus status = receive(peer, deadline, err);
    if (status != RUT_OK) return status;
    length = line_length(peer);
  }
  const char* first = peer->text + peer->taken;
  peer->taken += (size_t)length + 1;
  if (peer->record) fprintf(peer->record, "< %.*s\n", (int)length, first);
  rutError fault = {0};
  if (rut_peer_parse(first, (size_t)length, &peer->parsed, &fault) != RUT_OK) {
    return refuse(peer, err, fault.column, RUT_ERR_PARSE, "%s", fault.message);
  }
  const rutPeerMember* m = rut_peer_find(&peer->parsed, "type");
  if (!m || m->kind != RUT_PEER_STRING) {
    return refuse(peer, err, 1, RUT_ERR_PARSE,
                  "a line needs a type: \"hello\", \"act\" or \"bye\"");
  }
  *type = m->text;
  return RUT_OK;
}

// Number of a member that a line must have.
static rutStatus number_of(const rutPeer* peer, const char* key, double* number, rutError* err) {
  const rutPeerMember* m = rut_peer_find(&peer->parsed, key);
  if (!m) return refuse(peer, err, 1, RUT_ERR_PARSE, "'%s' is missing", key);
  if (m->kind != RUT_PEER_NUMBER) {
    return refuse(peer, err, m->column, RUT_ERR_PARSE, "'%.60s' must be a number", m->key);
  }
  *number = m->number;
  return RUT_OK;
}

// ---- greeting ----

// {"type":"hello","version":1,"vehicle":"v","rate_hz":20,"timeout":2,"percepts":[{...}],...}: the
// only line that is not flat.
static rutStatus greet(rutPeer* peer, const rutModel* model, rutError* err) {
  Text* t = &peer->out;
  begin_line(peer, "hello");
  put(t, ",\"version\":%d,\"vehicle\":", RUT_PEER_VERSION);
  put_string(t, rut_name(model, RUT_VEHICLE, peer->vehicle));
  put(t, ",\"period\":");
  put_number(t, peer->period);
  put(t, ",\"timeout\":");
  put_number(t, peer->timeout);
  put(t, ",\"percepts\":[");
  const size_t prefix = strlen(rut_name(model, RUT_VEHICLE, peer->vehicle)) + 1;
  for (int i = 0; i < peer->percepts; i++) {
    const rutSignal s = rut_signals_at(peer->signals, peer->percept[i]);
    put(t, "%s{\"name\":", i ? "," : "");
    put_string(t, s.name + prefix);
    put(t, ",\"unit\":");
    put_string(t, s.unit);
    put(t, "}");
  }
  put(t, "],\"actions\":[");
  for (int i = 0; i < peer->commands; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_VEHICLE, peer->vehicle, RUT_COMMAND, i);
    put(t, "%s{\"name\":", i ? "," : "");
    put_string(t, peer->command[i]);
    put(t, ",\"unit\":");
    put_string(t, v.unit ? v.unit : "");
    put(t, "}");
  }
  put(t, "]}");
  return send_line(peer, err);
}

static rutStatus await_greeting(rutPeer* peer, rutError* err) {
  const char* type;
  double version = 0;
  rutStatus status = read_line(peer, &type, err);
  if (status != RUT_OK) return status;
  if (strcmp(type, "hello") != 0) {
    return refuse(peer, err, 1, RUT_ERR_PARSE, "the peer says '%.40s' before 'hello'", type);
  }
  status = number_of(peer, "version", &version, err);
  if (status != RUT_OK) return status;
  if (version == RUT_PEER_VERSION) return RUT_OK;
  return refuse(peer, err, 1, RUT_ERR_VERSION, "the peer speaks version %g, this rut version %d",
                version, RUT_PEER_VERSION);
}

// ---- setting up ----

static bool list_commands(rutPeer* peer, const char* names) {
  const size_t size = strlen(names) + 1;
  peer->names = malloc(size);
  if (!peer->names) return false;
  memcpy(peer->names, names, size);
  char* at = peer->names;
  while (*at && peer->commands < MOST_COMMANDS) {
    peer->command[peer->commands++] = at;
    while (*at && *at != ' ') at++;
    if (*at) *at++ = '\0';
  }
  return true;
}

static rutStatus choose_percepts(rutPeer* peer, const rutModel* model, const rutPeerDef* def,
                                 rutError* err) {
  char prefix[RUT_LEAF_SIZE];
  const int count = rut_signals_count(peer->signals);
  snprintf(prefix, sizeof prefix, "%.150s/", rut_name(model, RUT_VEHICLE, peer->vehicle));
  int* index = malloc(((size_t)count + 1) * sizeof *index);
  if (!index) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the percepts");
  const rutSignalChoice choice = {prefix, def->percepts, def->percept};
  rutStatus status = RUT_OK;
  if (def->percepts > 0) {
    status = rut_signals_choose(peer->signals, &choice, &peer->percepts, index, err);
  }
  if (status == RUT_OK && peer->percepts > RUT_PEER_PERCEPTS) {
    status = rut_error_set(err, RUT_ERR_ARGUMENT, "%d percepts are more than %d", peer->percepts,
                           RUT_PEER_PERCEPTS);
  }
  for (int i = 0; status == RUT_OK && i < peer->percepts; i++) peer->percept[i] = index[i];
  free(index);
  return status;
}

static rutStatus set_up(rutPeer* peer, const rutModel* model, const rutPeerDef* def,
                        rutError* err) {
  const int vehicles = rut_count(model, RUT_VEHICLE);
  peer->vehicle = def->vehicle ? -1 : 0;
  for (int i = 0; def->vehicle && i < vehicles; i++) {
    if (strcmp(rut_name(model, RUT_VEHICLE, i), def->vehicle) == 0) peer->vehicle = i;
  }
  if (vehicles == 0 || peer->vehicle < 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the world has no vehicle '%.60s' for the peer",
                         def->vehicle ? def->vehicle : "");
  }
  const bool proper = def->rate >= 0 && def->rate < RUT_INFINITY && def->timeout > 0 &&
                      def->timeout < RUT_INFINITY && def->percepts >= 0;
  if (!proper) return rut_error_set(err, RUT_ERR_ARGUMENT, "rate or timeout of the peer");
  const rutVehicleInfo info = rut_vehicle_info(model, peer->vehicle);
  const double step = rut_model_timestep(model);
  peer->now = RUT_NAN;
  snprintf(peer->controller, sizeof peer->controller, "%s", info.controller);
  peer->period = def->rate > 0 ? rut_max(1 / def->rate, step) : step;
  if (!list_commands(peer, info.command_names)) {
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the peer");
  }
  const rutStatus status = rut_signals_create(model, &peer->signals, err);
  return status == RUT_OK ? choose_percepts(peer, model, def, err) : status;
}

rutStatus rut_peer_create(const rutModel* model, const rutPeerDef* def, rutPeer** out,
                          rutError* err) {
  *out = NULL;
  rutPeer* peer = calloc(1, sizeof *peer);
  if (!peer) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the peer");
  peer->socket = def->socket;
  peer->timeout = def->timeout;
  peer->record = def->record;
  rutStatus status = set_up(peer, model, def, err);
  if (status == RUT_OK) status = greet(peer, model, err);
  if (status == RUT_OK) status = await_greeting(peer, err);
  if (status == RUT_OK) {
    *out = peer;
  } else {
    rut_peer_close(peer, NULL);
  }
  return status;
}

// ---- exchanges ----

static rutStatus tell(rutPeer* peer, const rutModel* model, const rutData* data, rutError* err) {
  double value[RUT_PEER_PERCEPTS];
  Text* t = &peer->out;
  const size_t prefix = strlen(rut_name(model, RUT_VEHICLE, peer->vehicle)) + 1;
  rut_signals_read(peer->signals, model, data, peer->percepts, peer->percept, value);
  begin_line(peer, "percept");
  put(t, ",\"seq\":%lld,\"time\":", (long long)peer->seq);
  put_number(t, rut_time(data));
  put(t, ",\"collided\":%s", peer->collided ? "true" : "false");
  for (int i = 0; i < peer->percepts; i++) {
    put(t, ",");
    put_string(t, rut_signals_at(peer->signals, peer->percept[i]).name + prefix);
    put(t, ":");
    put_number(t, value[i]);
  }
  put(t, "}");
  peer->collided = false;
  return send_line(peer, err);
}

static int command_named(const rutPeer* peer, const char* name) {
  for (int i = 0; i < peer->commands; i++) {
    if (strcmp(peer->command[i], name) == 0) return i;
  }
  return -1;
}

// Numbers of an action into the set points, all or none of them.
static rutStatus take_action(rutPeer* peer, rutError* err) {
  double value[MOST_COMMANDS], seq = 0;
  memcpy(value, peer->value, sizeof value);
  const rutStatus status = number_of(peer, "seq", &seq, err);
  if (status != RUT_OK) return status;
  if (seq != (double)peer->seq) {
    return refuse(peer, err, rut_peer_find(&peer->parsed, "seq")->column, RUT_ERR_PARSE,
                  "action %g answers no percept: it must be %lld", seq, (long long)peer->seq);
  }
  for (int i = 0; i < peer->parsed.members; i++) {
    const rutPeerMember* m = &peer->parsed.member[i];
    if (strcmp(m->key, "type") == 0 || strcmp(m->key, "seq") == 0) continue;
    const int k = command_named(peer, m->key);
    if (k < 0) {
      const char* near = rut_suggest(m->key, peer->command, (size_t)peer->commands);
      return refuse(peer, err, m->column, RUT_ERR_PARSE, "there is no action '%.60s'%s%.60s%s",
                    m->key, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (m->kind != RUT_PEER_NUMBER) {
      return refuse(peer, err, m->column, RUT_ERR_PARSE, "'%.60s' must be a number", m->key);
    }
    value[k] = m->number;
  }
  memcpy(peer->value, value, sizeof value);
  return RUT_OK;
}

static rutStatus exchange(rutPeer* peer, const rutModel* model, rutData* data, rutError* err) {
  const char* type;
  rutStatus status = tell(peer, model, data, err);
  if (status == RUT_OK) status = read_line(peer, &type, err);
  if (status != RUT_OK) return status;
  if (strcmp(type, "bye") == 0) {
    peer->ended = true;
    return RUT_OK;
  }
  if (strcmp(type, "act") != 0) {
    return refuse(peer, err, 1, RUT_ERR_PARSE, "the peer says '%.40s' where 'act' or 'bye' is due",
                  type);
  }
  (void)rut_command_state(model, data, peer->vehicle, peer->commands, peer->value);
  status = take_action(peer, err);
  // a controller that stands in takes set points of another meaning
  const char* controller = rut_vehicle_info(model, peer->vehicle).controller;
  if (status == RUT_OK && strcmp(controller, peer->controller) == 0) {
    status = rut_command(model, data, peer->vehicle, peer->commands, peer->value);
  }
  peer->seq++;
  return status;
}

// Where time has jumped, as at a reset, an exchange is due, and periods count from it.
static void note_jump(rutPeer* peer, const rutModel* model, double time) {
  const double since = time - peer->now, step = rut_model_timestep(model);
  const bool jumped = since < 0 || since > 1.5 * step;
  peer->now = time;
  if (!jumped) return;
  peer->next = peer->origin = time;
  peer->origin_seq = peer->seq;
}

rutStatus rut_peer_step(rutPeer* peer, const rutModel* model, rutData* data, rutError* err) {
  static const double SAME_TIME = 1e-9;  // of a period
  peer->collided = peer->collided || rut_vehicle_state(model, data, peer->vehicle).collision;
  const double time = rut_time(data);
  note_jump(peer, model, time);
  if (peer->ended || time < peer->next - SAME_TIME * peer->period) return RUT_OK;
  peer->next = peer->origin + (double)(peer->seq + 1 - peer->origin_seq) * peer->period;
  return exchange(peer, model, data, err);
}

bool rut_peer_ended(const rutPeer* peer) { return peer->ended; }

void rut_peer_close(rutPeer* peer, const char* reason) {
  if (!peer) return;
  if (reason) {
    begin_line(peer, "bye");
    put(&peer->out, ",\"reason\":");
    put_string(&peer->out, reason);
    put(&peer->out, "}\n");
    if (peer->record) fprintf(peer->record, "> %s", peer->out.bytes);
    (void)send(peer->socket, peer->out.bytes, peer->out.used, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  rut_signals_destroy(peer->signals);
  free(peer->names);
  free(peer);
}
