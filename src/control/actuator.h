// SPDX-License-Identifier: BSD-3-Clause
//
// Actuator between a controller and its vehicle: dead time, range, first-order lag, rate limit, in
// this order.
#ifndef RUT_CONTROL_ACTUATOR_H
#define RUT_CONTROL_ACTUATOR_H

#include "control/delay.h"
#include "rut/component.h"

// Fields of an actuator of a quantity in a unit; a limit that is not given is none.
#define RUT_ACTUATOR_FIELDS(X, unit, per_second)                                        \
  X(dead_time, "s", 0, 0, 1e3, "dead time, to the nearest step")                        \
  X(lag, "s", 0, 0, 1e6, "time constant of the first-order lag; 0: none")               \
  X(rate, per_second, 0, 0, 1e12, "largest rate of change, both signs; 0 for no limit") \
  X(lower, unit, (double)NAN, -1e12, 1e12, "least value; default: no limit")            \
  X(upper, unit, (double)NAN, -1e12, 1e12, "largest value; default: no limit")

typedef struct rutActuatorParam {
  RUT_ACTUATOR_FIELDS(RUT_PARAM, "", "")
} rutActuatorParam;

// Numbers of state for `channels` quantities that it acts on.
static inline int rut_actuator_states(const rutActuatorParam* p, int channels, double dt) {
  return channels * (1 + rut_delay_steps(p->dead_time, dt));
}

// One step: demand[n], n = channels x lanes, becomes what the actuator does. state[number][lane] is
// zero at first: the actuator starts at 0. With the demand u held over a step of h, the lag T is
// solved exactly: y <- y + (1 - exp(-h/T)) (u - y).
static inline void rut_actuator_step(const rutActuatorParam* p, int n, double dt, int64_t step,
                                     double* state, double* demand) {
  const int delay = rut_delay_steps(p->dead_time, dt);
  double* value = state;
  if (delay > 0) {
    // what came before the first demand was nothing
    double* ring = state + n;
    double* place = ring + (size_t)(step % delay) * (size_t)n;
    for (int i = 0; i < n; i++) {
      const double now = demand[i];
      demand[i] = place[i];
      place[i] = now;
    }
  }
  const double follow = p->lag > 0 ? 1 - rut_exp(-dt / p->lag) : 1;
  const double most = p->rate > 0 ? p->rate * dt : RUT_INFINITY;
  const double lower = p->lower == p->lower ? p->lower : -RUT_INFINITY;
  const double upper = p->upper == p->upper ? p->upper : RUT_INFINITY;
  for (int i = 0; i < n; i++) {
    const double wanted = rut_clamp(demand[i], lower, upper);
    const double change = follow < 1 ? follow * (wanted - value[i]) : wanted - value[i];
    const double moved = rut_abs(change) > most ? value[i] + rut_clamp(change, -most, most)
                         : follow < 1           ? value[i] + change
                                                : wanted;
    value[i] = demand[i] = rut_clamp(moved, lower, upper);
  }
}

#endif  // RUT_CONTROL_ACTUATOR_H
