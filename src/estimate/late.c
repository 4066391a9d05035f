// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements that arrive late: the state at the time of the last one, and the samples since.
#include "math/rut_math.h"
#include "rut/estimator.h"

static const double SAME_TIME = 1e-9;  // [s]

// The first `dt` of a sample; at its end what was measured with it.
static void take(const rutEstimatorPast* past, const rutEstimatorSample* s, double dt, bool end,
                 rutEstimator* e) {
  if (dt > 0) rut_estimator_predict(e, s->specific_force, s->angular_velocity, dt);
  if (end && past->measure) past->measure(e, s, past->user);
}

// The oldest sample becomes part of `then`.
static void take_oldest(rutEstimatorPast* past) {
  const rutEstimatorSample* s = &past->sample[past->first];
  take(past, s, s->dt, true, &past->then);
  past->time = s->time;
  past->first = (past->first + 1) % past->room;
  past->count--;
}

void rut_estimator_keep(rutEstimatorPast* past, const rutEstimatorSample* sample) {
  if (past->room < 1) return;
  if (past->count == past->room) take_oldest(past);
  past->sample[(past->first + past->count) % past->room] = *sample;
  past->count++;
}

bool rut_estimator_go_back(rutEstimatorPast* past, double time) {
  if (!(time >= past->time - SAME_TIME)) return false;
  while (past->count > 0 && past->sample[past->first].time <= time + SAME_TIME) take_oldest(past);
  if (past->count == 0) return true;
  // within a sample
  rutEstimatorSample* s = &past->sample[past->first];
  const double part = rut_clamp(time - past->time, 0, s->dt);
  if (part <= SAME_TIME) return true;
  take(past, s, part, false, &past->then);
  s->dt -= part;
  past->time = time;
  return true;
}

void rut_estimator_catch_up(const rutEstimatorPast* past, rutEstimator* e) {
  *e = past->then;
  for (int i = 0; i < past->count; i++) {
    const rutEstimatorSample* s = &past->sample[(past->first + i) % past->room];
    take(past, s, s->dt, true, e);
  }
}
