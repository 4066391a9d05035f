// SPDX-License-Identifier: BSD-3-Clause
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "rut/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/report.h"
#include "host/remote_dbc.h"
#include "host/remote_link.h"
#include "host/signals.h"
#include "math/rut_math.h"

static const double AGAIN = 0.05;  // a packet without an answer is sent again [s]
enum { REMEMBERED = 1024 };        // packets whose answers are still taken

struct rutRemote {
  rutRemoteLink link;
  bool is_can;
  double period;  // [s]
  rutSignals* signals;
  int* index;     // [n] of the signals that are sent
  double* state;  // [n]
  int n;
  const rutModel* model;
  int vehicle, set_points;
  char controller[128];       // of the vehicle
  int every;                  // steps from packet to packet
  double wait;                // [s]
  bool (*stop)(void);         // Nullable
  uint32_t layout, sequence;  // of the next packet
  bool answered;              // the newest packet is
  bool put_off;               // nobody waits for its answer any more
  bool taken_any;             // an answer was taken, the newest of this sequence
  uint32_t taken_sequence;
  double sent[REMEMBERED];  // when packets were, by their sequence [s]
  rutRemoteReport report;
  double sum;  // of times to answers [s]
  double value[RUT_PACKET_VALUES], taken[RUT_PACKET_VALUES];
  unsigned char packet[RUT_PACKET_MOST], bytes[RUT_FRAME_MOST];
  size_t size;  // of packet
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- opening ----

rutRemoteDef rut_default_remote(void) {
  return (rutRemoteDef){.struct_size = sizeof(rutRemoteDef), .period = 0.01, .wait = 5};
}

static rutStatus find_vehicle(rutRemote* r, const rutModel* model, const char* name,
                              rutError* err) {
  const int all = rut_count(model, RUT_VEHICLE);
  r->model = model;
  r->vehicle = -1;
  for (int i = 0; i < all && r->vehicle < 0; i++) {
    r->set_points = rut_vehicle_info(model, i).commands;
    const bool meant =
        name ? strcmp(rut_name(model, RUT_VEHICLE, i), name) == 0 : r->set_points > 0;
    if (meant) r->vehicle = i;
  }
  if (r->vehicle < 0 && name) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no vehicle is called '%.200s'", name);
  }
  if (r->vehicle < 0 || r->set_points == 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.200s' has no set points that a program could "
                         "give: its controller drives alone",
                         name ? name : "the world");
  }
  snprintf(r->controller, sizeof r->controller, "%s",
           rut_vehicle_info(model, r->vehicle).controller);
  if (r->set_points <= RUT_REMOTE_MOST) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "more than %d set points", RUT_REMOTE_MOST);
}

static rutStatus choose_signals(rutRemote* r, const rutModel* model, const rutRemoteDef* def,
                                rutError* err) {
  rutStatus status = rut_signals_create(model, &r->signals, err);
  if (status != RUT_OK) return status;
  const int all = rut_signals_count(r->signals);
  r->index = calloc((size_t)all + 1, sizeof *r->index);
  if (!r->index) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  // a choice of no pattern would be all signals
  if (def->patterns == 0) return RUT_OK;
  const rutSignalChoice choice = {"", def->patterns, def->pattern};
  status = rut_signals_choose(r->signals, &choice, &r->n, r->index, err);
  if (status != RUT_OK || r->n <= RUT_REMOTE_MOST) return status;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "%d signals are more than the %d of a packet", r->n,
                       RUT_REMOTE_MOST);
}

static rutStatus set_period(rutRemote* r, const rutModel* model, const rutRemoteDef* def,
                            rutError* err) {
  static const double WHOLE = 1e-6;  // part of a step that rounding may leave
  const double step = rut_model_timestep(model), steps = def->period / step;
  const double whole = rut_floor(steps + 0.5);
  if (!(whole >= 1 && whole < 1e9) || rut_abs(steps - whole) > WHOLE * whole) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a period of %g s is no whole number of steps of %g s", def->period, step);
  }
  if (!(def->wait >= 0 && def->wait < 1e6)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%g s is no time to wait", def->wait);
  }
  r->every = (int)whole;
  r->wait = def->wait;
  r->period = def->period;
  r->stop = def->stop;
  return RUT_OK;
}

// FNV-1a (Fowler, Noll and Vo), of a text and the byte that ends it.
static uint32_t hash_text(uint32_t hash, const char* text, char end) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT32_C(0x01000193);
  return (hash ^ (unsigned char)end) * UINT32_C(0x01000193);
}

static uint32_t hash_layout(const rutRemote* r) {
  uint32_t hash = UINT32_C(0x811c9dc5);
  for (int i = 0; i < r->n; i++) {
    const rutRemoteValue v = rut_remote_signal(r, i);
    hash = hash_text(hash_text(hash, v.name, ' '), v.unit, '\n');
  }
  hash = hash_text(hash, "", '\n');
  for (int i = 0; i < r->set_points; i++) {
    const rutRemoteValue v = rut_remote_set_point(r, i);
    hash = hash_text(hash_text(hash, v.name, ' '), v.unit, '\n');
  }
  return hash;
}

rutStatus rut_remote_open(const rutModel* model, const rutRemoteDef* def, rutRemote** out,
                          rutError* err) {
  *out = NULL;
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_VERSION, "rutRemoteDef is of another version of rut");
  }
  rutRemote* r = calloc(1, sizeof *r);
  if (!r) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  r->link.file = r->link.other = -1;
  rutStatus status = find_vehicle(r, model, def->vehicle, err);
  if (status == RUT_OK) status = choose_signals(r, model, def, err);
  if (status == RUT_OK) status = set_period(r, model, def, err);
  if (status == RUT_OK) {
    r->state = calloc((size_t)r->n + 1, sizeof *r->state);
    r->layout = hash_layout(r);
    if (!r->state) status = rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  if (status == RUT_OK) {
    r->link.can = (rutCanMap){.signals = r->n, .set_points = r->set_points};
    r->link.described = def->described;
    r->is_can = def->link && strncmp(def->link, "can:", 4) == 0;
    status = rut_remote_link_open(&r->link, def->link ? def->link : "", err);
  }
  if (status == RUT_OK) {
    *out = r;
  } else {
    rut_remote_close(r);
  }
  return status;
}

void rut_remote_close(rutRemote* remote) {
  if (!remote) return;
  rut_remote_link_close(&remote->link);
  rut_signals_destroy(remote->signals);
  free(remote->index);
  free(remote->state);
  free(remote);
}

// ---- what there is ----

rutRemoteValue rut_remote_signal(const rutRemote* remote, int index) {
  if (index < 0 || index >= remote->n) return (rutRemoteValue){"", "", ""};
  const rutSignal s = rut_signals_at(remote->signals, remote->index[index]);
  return (rutRemoteValue){s.name, s.unit, s.doc};
}

rutRemoteValue rut_remote_set_point(const rutRemote* remote, int index) {
  if (index < 0 || index >= remote->set_points) return (rutRemoteValue){"", "", ""};
  const rutVariableInfo v =
      rut_variable(remote->model, RUT_VEHICLE, remote->vehicle, RUT_COMMAND, index);
  return (rutRemoteValue){v.name, v.unit, v.doc};
}

uint32_t rut_remote_layout(const rutRemote* remote) { return remote->layout; }

uint32_t rut_remote_replaced(const rutRemote* remote) { return remote->link.replaced; }

rutStatus rut_remote_dbc(const rutRemote* remote, char** text, rutError* err) {
  *text = NULL;
  if (!remote->is_can) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "only links over CAN have a DBC file: can:INTERFACE");
  }
  return rut_remote_dbc_write(remote, &remote->link.can, remote->period, text, err);
}

rutRemoteReport rut_remote_report(const rutRemote* remote) {
  rutRemoteReport report = remote->report;
  if (report.answers > 0) report.mean = remote->sum / (double)report.answers;
  return report;
}

// ---- the loop ----

static void count_answer(rutRemote* r, double late) {
  rutRemoteReport* report = &r->report;
  double below = RUT_REMOTE_SHORTEST;
  int bin = 0;
  while (late >= below && bin < RUT_REMOTE_BINS - 1) {
    below *= 2;
    bin++;
  }
  report->bin[bin]++;
  report->answers++;
  report->longest = rut_max(report->longest, late);
  r->sum += late;
}

// Take what has arrived. Set points of the newest answer go to `taken`; returns their number, 0 if
// there are none.
static int take_answers(rutRemote* r) {
  int n = 0;
  for (size_t size; (size = rut_remote_link_take(&r->link, r->bytes)) > 0;) {
    rutPacket p;
    const bool fine = rut_packet_read(r->bytes, size, r->value, &p) && p.answer &&
                      p.layout == r->layout && p.n == r->set_points;
    // how many packets were sent after its own, in a count that begins anew after 2^32
    const uint32_t behind = fine ? r->sequence - 1 - p.sequence : 0;
    if (!fine || behind >= (uint32_t)1 << 31) {
      r->report.damaged++;
      continue;
    }
    // answers that overtook each other, and second ones
    const bool old = r->taken_any && p.sequence - r->taken_sequence - 1 >= (uint32_t)1 << 31;
    if (old || behind >= REMEMBERED || (r->wait > 0 && behind > 0)) continue;
    r->taken_any = true;
    r->taken_sequence = p.sequence;
    r->answered = behind == 0;
    memcpy(r->taken, r->value, (size_t)p.n * sizeof *r->value);
    n = p.n;
    count_answer(r, now() - r->sent[p.sequence % REMEMBERED]);
  }
  return n;
}

// NaN leaves a set point as it is.
static rutStatus apply(rutRemote* r, const rutModel* model, rutData* data, rutError* err) {
  double own[RUT_PACKET_VALUES];
  // one that stands in takes set points of another meaning
  if (strcmp(rut_vehicle_info(model, r->vehicle).controller, r->controller) != 0) return RUT_OK;
  rut_command_state(model, data, r->vehicle, r->set_points, own);
  for (int i = 0; i < r->set_points; i++) {
    if (r->taken[i] == r->taken[i]) own[i] = r->taken[i];
  }
  if (rut_command(model, data, r->vehicle, r->set_points, own) == RUT_OK) return RUT_OK;
  return rut_error_set(
      err, RUT_ERR_ARGUMENT,
      "the program that drives '%.100s' gave a set point that is not finite at t = %g s",
      rut_name(model, RUT_VEHICLE, r->vehicle), rut_time(data));
}

// Write the packet of the present state; returns its length.
static size_t write_state(rutRemote* r, const rutModel* model, const rutData* data,
                          uint32_t sequence, unsigned char* to) {
  rut_signals_read(r->signals, model, data, r->n, r->index, r->state);
  const rutPacket packet = {.n = r->n,
                            .sequence = sequence,
                            .layout = r->layout,
                            .time = rut_time(data),
                            .value = r->state};
  return rut_packet_write(&packet, to);
}

static rutStatus send_state(rutRemote* r, const rutModel* model, const rutData* data,
                            rutError* err) {
  const uint32_t sequence = r->sequence++;
  r->size = write_state(r, model, data, sequence, r->packet);
  r->answered = false;
  r->sent[sequence % REMEMBERED] = now();
  r->report.packets++;
  return rut_remote_link_send(&r->link, r->packet, r->size, err);
}

// After a wait that was put off: is the present state the one that was sent?
static bool is_sent(rutRemote* r, const rutModel* model, const rutData* data) {
  const size_t size = write_state(r, model, data, r->sequence - 1, r->bytes);
  return size == r->size && memcmp(r->bytes, r->packet, size) == 0;
}

// Wait for the answer to the newest packet, which is sent again now and then: it may be lost, or
// the program may not have begun.
static rutStatus await(rutRemote* r, int* n, double time, rutError* err) {
  const double begun = now(), end = begun + r->wait;
  double again = begun + AGAIN;
  while (!r->answered) {
    const double t = now();
    r->put_off = r->stop && r->stop();
    if (r->put_off) return RUT_OK;
    if (t >= end) {
      return rut_error_set(err, RUT_ERR_IO, "no answer within %g s to the state at t = %g s",
                           r->wait, time);
    }
    if (t >= again) {
      const rutStatus status = rut_remote_link_send(&r->link, r->packet, r->size, err);
      if (status != RUT_OK) return status;
      r->report.again++;
      again = t + AGAIN;
    }
    if (rut_remote_link_wait(&r->link, rut_min(end, again) - t)) *n = take_answers(r);
  }
  return RUT_OK;
}

rutStatus rut_remote_step(rutRemote* remote, const rutModel* model, rutData* data, rutError* err) {
  if (remote->link.described) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the link was not to be opened");
  }
  const bool due = rut_steps(data) % remote->every == 0;
  const bool waited = remote->put_off;
  remote->put_off = false;
  if (remote->wait > 0 && !due) return RUT_OK;
  int n = remote->sequence > 0 ? take_answers(remote) : 0;
  rutStatus status = RUT_OK;
  if (due && !(waited && is_sent(remote, model, data))) {
    status = send_state(remote, model, data, err);
  }
  if (status == RUT_OK && remote->wait > 0) status = await(remote, &n, rut_time(data), err);
  if (status == RUT_OK && n > 0) status = apply(remote, model, data, err);
  return status;
}

bool rut_remote_waits(const rutRemote* remote) { return remote->put_off; }
