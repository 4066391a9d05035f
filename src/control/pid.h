// SPDX-License-Identifier: BSD-3-Clause
//
// Speed control by PID, shared by the controllers that follow a twist or a speed: one loop per side
// of the vehicle, or one for its engine.
#ifndef RUT_CONTROL_PID_H
#define RUT_CONTROL_PID_H

#include "math/lanes.h"
#include "rut/component.h"

// Fields of a speed loop; k is the default gain, max the default torque limit.
#define RUT_PID_FIELDS(X, k, max)                                                                \
  X(proportional_gain, "N s", k, 0, 1e9, "Torque per speed error.")                              \
  X(integral_gain, "N", 0, 0, 1e9, "Torque per integral of the speed error.")                    \
  X(derivative_gain, "N s2", 0, 0, 1e9, "Torque per derivative of the speed error.")             \
  X(derivative_filter, "1/s", 0, 0, 1e6, "Bandwidth of the derivative; 0 leaves it unfiltered.") \
  X(max_torque, "N m", max, 0, 1e9, "Limit of each torque demand; 0 for none.")                  \
  X(slope_feedforward, "", 0, 0, 100, "Share of the torque against gravity that is added.")      \
  X(set_point_time, "s", 0, 0, 1e6, "Time constant of the set point filter; 0 for none.")        \
  X(zero_speed, "m/s", 0.001, 0, 100, "Set points below this ask for a stop.")                   \
  X(stop_speed, "m/s", 0.05, 0, 100, "Speed below which a vehicle asked to stop gets no torque.")
#define RUT_PID_ROWS                                                                      \
  RUT_PID_ROW("set_point_order", RUT_INTEGER, 1, 1, 2, "Stages of the set point filter.") \
  RUT_PID_ROW("anti_windup", RUT_BOOLEAN, 0, 0, 1,                                        \
              "Anti-windup: subtract from the integral what max_torque cuts off.")
#define RUT_PID_ROW(name, type, def, min, max, doc) {name, "", type, 1, def, min, max, "", 0, doc},

// The fields above as numbers, in the order of the rows.
#define RUT_PID_MEMBERS(X) \
  RUT_PID_FIELDS(X, 0, 0)  \
  double set_point_order, anti_windup;
typedef struct rutPidParam {
  RUT_PID_MEMBERS(RUT_PARAM)
} rutPidParam;

// State of one loop, each row one number per lane; the rows of `loop` in a descriptor.
#define RUT_PID_STATE_LIST(X, loop)                                             \
  X(INTEGRAL, loop "_integral", "N m", "integral part of the speed loop")       \
  X(DERIVATIVE, loop "_derivative", "N m", "derivative part of the speed loop") \
  X(ERROR, loop "_error", "m/s", "speed error of the last update")              \
  X(STARTED, loop "_started", "", "1 once there was an update")                 \
  X(FILTER_1, loop "_set_point", "m/s", "first stage of the set point filter")  \
  X(FILTER_2, loop "_set_point_2", "m/s", "second stage of the set point filter")
#define RUT_PID_STATE_ROW(row, name, unit, doc) RUT_PID_##row,
#define RUT_PID_STATE_INFO(row, name, unit, doc) \
  {name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING},
#define RUT_PID_STATE_INFOS(loop) RUT_PID_STATE_LIST(RUT_PID_STATE_INFO, loop)
enum { RUT_PID_STATE_LIST(RUT_PID_STATE_ROW, "") RUT_PID_STATES };

// Speed loops of a vehicle, one or two.
typedef struct rutSpeedLoops {
  int n;
  const double* want;  // [loop][lane] set points [m/s]
  const double* have;  // [loop][lane] speeds [m/s]
} rutSpeedLoops;

enum { RUT_PID_LANES = 8, RUT_PID_LOOPS = 2 };  // at most
typedef double rutPidLanes[RUT_PID_LANES];
typedef double rutPidLoops[RUT_PID_LOOPS * RUT_PID_LANES];

// Rows of the loops in an update.
typedef struct rutPidRows {
  rutPidLanes feedforward;     // [lane] torque of each demand against the slope [N m]
  rutPidLoops set, moved;      // [loop][lane] set point after its filter, and its change [m/s]
  rutPidLanes wanted, moving;  // [lane] largest set point and speed of all loops [m/s]
} rutPidRows;

// What the loops of a vehicle share in an update.
typedef struct rutPidStep {
  rutPidParam p;
  rutSpeedLoops loops;
  double dt, decay;  // of the set point filter in a step: exp(-dt/T), 0 without a filter
  double limit;      // of the torques
  double radius[RUT_PID_LOOPS];  // of the wheel of each loop [m]
  int lanes;
  const double* pitch;  // [lane] [rad]
  double* state;        // [loop * RUT_PID_STATES][lane]
  rutPidRows* rows;
  const rutControlOut* out;
} rutPidStep;

// Set point of a loop: a first-order lag, exact for one that is held over the update,
// y += (1 - exp(-dt/T)) (x - y); with two stages, that twice.
RUT_INLINE void rut_pid_filter(const rutPidStep* s, int loop) {
  const int lanes = s->lanes, twice = s->p.set_point_order > 1.5;
  const double decay = s->decay;
  const double *want = s->loops.want + loop * lanes, *have = s->loops.have + loop * lanes;
  double *set = s->rows->set + loop * lanes, *moved = s->rows->moved + loop * lanes;
  double *wanted = s->rows->wanted, *moving = s->rows->moving;
  double* state = s->state + loop * RUT_PID_STATES * lanes;
  double* restrict first = state + RUT_PID_FILTER_1 * lanes;
  double* restrict second = state + RUT_PID_FILTER_2 * lanes;
  RUT_FOR_LANES(l, lanes) {
    const double before = twice ? second[l] : first[l];
    first[l] = decay * first[l] + (1.0 - decay) * want[l];
    second[l] = decay * second[l] + (1.0 - decay) * first[l];
    set[l] = twice ? second[l] : first[l];
    moved[l] = set[l] - before;
    wanted[l] = rut_max(wanted[l], rut_max(rut_abs(set[l]), rut_abs(want[l])));
    moving[l] = rut_max(moving[l], rut_abs(have[l]));
  }
}

// Torque while the set point is zero: may only oppose the motion, so that a wound-up integral
// cannot push the vehicle back.
RUT_INLINE double rut_pid_braking(double torque, double speed) {
  const double forward = rut_min(torque, 0.0), backward = rut_max(torque, 0.0);
  return speed > 0.0 ? forward : (speed < 0.0 ? backward : torque);
}

// One loop. Textbook PID with a filtered derivative, D' = N (K_D e' - D) taken implicitly,
// saturation, and back-calculation with gain K_I/K_P (Astrom and Hagglund, PID Controllers, 2nd ed.
// 1995, 3.3 and 3.5). MVSim filters K_D e instead of K_D e', which is a lagged proportional part.
//
// The line is what the next update will give if the error is then e1: K_P e1 + I + K_I e1 dt + D1,
// D1 the derivative from e to e1; a set point that has just moved counts for D1 as well.
//
// On level ground a vehicle that has stopped is left alone, and the loop starts afresh; on a slope
// it goes on and holds the vehicle.
RUT_INLINE void rut_pid_loop(const rutPidStep* s, int loop, int lined) {
  static const double LEAST_GAIN = 1e-12;  // [N s]
  const rutPidParam* p = &s->p;
  const int lanes = s->lanes, row = loop * lanes, filtered = p->derivative_filter > 0.0;
  const rutPidRows* rows = s->rows;
  const double *set = rows->set + row, *moved = rows->moved + row, *have = s->loops.have + row;
  const rutDemandLine* line = s->out->line;
  double* state = s->state + loop * RUT_PID_STATES * lanes;
  double* restrict demand = s->out->demand + row;
  const double n = p->derivative_filter, dt = s->dt, per_step = 1.0 / dt, limit = s->limit;
  const double lag = 1.0 / (1.0 + n * dt), follow = filtered ? n * lag : per_step;
  const int unwinds = p->anti_windup != 0.0 && p->proportional_gain > LEAST_GAIN;
  const double back = unwinds ? p->integral_gain / rut_max(p->proportional_gain, LEAST_GAIN) : 0.0;
  const double rate = (p->proportional_gain + p->integral_gain * dt + follow * p->derivative_gain) *
                      s->radius[loop];
  double* restrict sum = state + RUT_PID_INTEGRAL * lanes;
  double* restrict slope = state + RUT_PID_DERIVATIVE * lanes;
  double* restrict last = state + RUT_PID_ERROR * lanes;
  double* restrict started = state + RUT_PID_STARTED * lanes;
  double* restrict first = state + RUT_PID_FILTER_1 * lanes;
  double* restrict second = state + RUT_PID_FILTER_2 * lanes;
  double* restrict still = lined ? line->still + row : demand;
  double* restrict rates = lined ? line->rate + row : demand;
  double* restrict low = lined ? line->low + row : demand;
  double* restrict high = lined ? line->high + row : demand;
  RUT_FOR_LANES(l, lanes) {
    const double speed = have[l], error = set[l] - speed;
    const double change = p->derivative_gain * (error - last[l]), plain = change * per_step;
    const double lagged = (slope[l] + n * change) * lag;
    const double derivative = started[l] * (filtered ? lagged : plain);
    const double integral = sum[l] + p->integral_gain * error * dt;
    const double rest = p->proportional_gain * error + derivative + rows->feedforward[l];
    const double cut = rut_clamp(rest + integral, -limit, limit) - (rest + integral);
    const double kept = integral + back * cut * dt;
    const double torque = rut_clamp(rest + kept, -limit, limit);

    const int zero = rows->wanted[l] < p->zero_speed, slow = rows->moving[l] < p->stop_speed;
    const int level = s->pitch[l] == 0.0, brakes = zero && (level || !slow);
    const double active = zero && slow && level ? 0.0 : 1.0;
    demand[l] = active * (brakes ? rut_pid_braking(torque, speed) : torque);
    if (lined) {
      const double kick = started[l] * p->derivative_gain * moved[l] * per_step;
      const double ahead = filtered ? derivative * lag : kick;
      still[l] = active * (rest - derivative + ahead + kept + p->integral_gain * error * dt);
      rates[l] = active * rate;
      low[l] = active * (brakes ? rut_pid_braking(-limit, speed) : -limit);
      high[l] = active * (brakes ? rut_pid_braking(limit, speed) : limit);
    }
    sum[l] = active * kept;
    slope[l] = active * derivative;
    last[l] = active * error;
    started[l] = active;
    first[l] *= active;
    second[l] *= active;
  }
}

// Torque per demand [N m] that holds the vehicle on a slope, times the field slope_feedforward:
// gravity pulls with m g sin(pitch) along x (pitch is positive nose down), shared by `wheels`.
static inline void rut_slope_feedforward(const rutPidParam* p, const rutVehicleLayout* layout,
                                         const rutControlIn* in, double* feedforward) {
  const int lanes = in->lanes;
  // every demand gets the same, and all of them together turn the wheels with torque_gain times it
  const double lever =
      layout->mass * layout->gravity * layout->radius[layout->left] / layout->torque_gain;
  rut_fill_row(feedforward, lanes, 0.0);
  if (p->slope_feedforward == 0.0) return;
  for (int l = 0; l < lanes; l++) {
    feedforward[l] = -p->slope_feedforward * lever * rut_sin(in->pitch[l]);
  }
}

// Loops of a vehicle; both counts are constants.
RUT_INLINE void rut_pid_loops(const rutPidStep* s, int loops, int lined) {
  RUT_FOR_LANES(l, s->lanes) { s->rows->wanted[l] = s->rows->moving[l] = 0.0; }
  RUT_UNROLL
  for (int k = 0; k < loops; k++) rut_pid_filter(s, k);
  RUT_UNROLL
  for (int k = 0; k < loops; k++) rut_pid_loop(s, k, lined);
}

RUT_INLINE void rut_speed_loops_lanes(rutPidStep* s, int lanes) {
  s->lanes = lanes;
  if (s->loops.n == 1 && !s->out->line) {
    rut_pid_loops(s, 1, 0);
  } else if (s->loops.n == 1) {
    rut_pid_loops(s, 1, 1);
  } else if (!s->out->line) {
    rut_pid_loops(s, 2, 0);
  } else {
    rut_pid_loops(s, 2, 1);
  }
}

// Demands from speed loops, and their part against the slope; state[loop * RUT_PID_STATES][lane]. A
// lane whose set points are zero and whose speeds are small gets no torque and starts afresh.
RUT_INLINE void rut_speed_loops(const rutPidParam* p, const rutVehicleLayout* layout,
                                const rutControlIn* in, const rutSpeedLoops* loops, double* state,
                                const rutControlOut* out) {
  static const double LEAST_TIME = 1e-6;  // [s]
  const double time = p->set_point_time;
  const double own = p->max_torque > 0.0 ? p->max_torque : RUT_NO_LIMIT;
  const double drive = layout->max_demand > 0.0 ? layout->max_demand : RUT_NO_LIMIT;
  rutPidRows rows;
  rutPidStep s = {.p = *p,
                  .loops = *loops,
                  .dt = in->dt,
                  .decay = time > 0.0 ? rut_exp(-in->dt / rut_max(time, LEAST_TIME)) : 0.0,
                  .limit = rut_min(own, drive),
                  .radius = {layout->radius[layout->left], layout->radius[layout->right]},
                  .pitch = in->pitch,
                  .state = state,
                  .rows = &rows,
                  .out = out};
  rut_slope_feedforward(p, layout, in, rows.feedforward);
  if (in->lanes == RUT_PID_LANES) {
    rut_speed_loops_lanes(&s, RUT_PID_LANES);
  } else if (in->lanes == 1) {
    rut_speed_loops_lanes(&s, 1);
  } else {
    rut_speed_loops_lanes(&s, in->lanes);
  }
}

#endif  // RUT_CONTROL_PID_H
