// SPDX-License-Identifier: BSD-3-Clause
//
// A communication channel between a vehicle and who drives it from afar: packets (frames of video,
// commands) at a rate, each of which is late by a latency and a jitter of its own, or lost. What
// has come last holds; a packet that is overtaken by a newer one is dropped.
//
// Packet q, sent at step q, arrives after latency + jitter u, u uniform in (0, 1), to the nearest
// step: on average after latency + jitter/2, with the variance jitter^2/12. It is lost with the
// probability `loss`. u and the loss are functions of the key, the stream and q: no order of
// evaluation changes them.
#ifndef RUT_CONTROL_CHANNEL_H
#define RUT_CONTROL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"
#include "control/delay.h"

typedef struct rutChannelParam {
  double latency, jitter, loss, rate;  // [s], [s], probability, packets per second; 0: every step
} rutChannelParam;

typedef struct rutChannel {
  rutChannelParam param;
  uint32_t stream;  // of its random numbers
  int places;       // of its ring; 0: there is no channel
  int numbers;      // of a packet
} rutChannel;

// Numbers of the state per lane: newest packet that has come (1 + its step, 0: none), those that
// come at each place of the ring, what holds, and the ring.
static inline int rut_channel_states(const rutChannel* c) {
  return c->places > 0 ? 1 + c->places + c->numbers + c->places * c->numbers : 0;
}

static inline rutChannel rut_channel(const rutChannelParam* p, uint32_t stream, int numbers,
                                     double dt) {
  const bool none = p->latency == 0 && p->jitter == 0 && p->loss == 0 && p->rate == 0;
  const int places = none ? 0 : rut_delay_steps(p->latency + p->jitter, dt) + 1;
  return (rutChannel){*p, stream, places, numbers};
}

// Is a packet sent at this step? The first one is; then the first step of each period.
static inline bool rut_channel_sends(const rutChannelParam* p, int64_t step, double dt) {
  static const double SAME = 1e-9;  // of a period
  if (step == 0 || !(p->rate > 0)) return true;
  const double now = rut_floor((double)step * dt * p->rate + SAME);
  return now != rut_floor((double)(step - 1) * dt * p->rate + SAME);
}

// Steps until packet `step` arrives, -1: never.
static inline int rut_channel_delay(const rutChannel* c, uint64_t key, int64_t step, double dt) {
  const rutChannelParam* p = &c->param;
  enum { LOST, LATE };
  if (p->loss > 0 && rut_uniform(key, c->stream, (uint64_t)step, LOST) < p->loss) return -1;
  const double late =
      p->jitter > 0 ? p->jitter * rut_uniform(key, c->stream, (uint64_t)step, LATE) : 0;
  return rut_delay_steps(p->latency + late, dt);
}

// When and for whom packets pass.
typedef struct rutChannelStep {
  int64_t step;  // number of steps before this one
  double dt;     // [s]
  int lanes;
  const uint64_t* key;  // [lane]
} rutChannelStep;

// Send what `rows` hold, and replace it by what has come last. state is zero before the first step,
// at which it holds what `first` says: the rows as they are, or nothing.
static inline void rut_channel_pass(const rutChannel* c, const rutChannelStep* at, bool first,
                                    double* state, double* rows) {
  const int64_t step = at->step;
  const double dt = at->dt;
  const int lanes = at->lanes;
  double *newest = state, *coming = state + lanes;
  double* held = coming + (ptrdiff_t)c->places * lanes;
  double* ring = held + (ptrdiff_t)c->numbers * lanes;
  const ptrdiff_t packet = (ptrdiff_t)c->numbers * lanes;
  const int now = (int)(step % c->places);
  const bool sends = rut_channel_sends(&c->param, step, dt);
  if (step == 0 && first) memcpy(held, rows, (size_t)packet * sizeof *held);
  if (sends) memcpy(ring + now * packet, rows, (size_t)packet * sizeof *ring);
  for (int l = 0; l < lanes; l++) {
    const int delay = sends ? rut_channel_delay(c, at->key[l], step, dt) : -1;
    // a newer packet that comes at the same time takes the place of an older one
    if (delay >= 0) coming[((step + delay) % c->places) * lanes + l] = (double)(step + 1);
    double* comes = &coming[now * lanes + l];
    if (*comes > newest[l]) {
      newest[l] = *comes;
      const double* from = ring + ((int64_t)*comes - 1) % c->places * packet;
      for (int i = 0; i < c->numbers; i++) held[i * lanes + l] = from[i * lanes + l];
    }
    *comes = 0;
    for (int i = 0; i < c->numbers; i++) rows[i * lanes + l] = held[i * lanes + l];
  }
}

#endif  // RUT_CONTROL_CHANNEL_H
