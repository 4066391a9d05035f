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
              "Take what max_torque cut off back from the integral.")
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
#define RUT_PID_STATE_ROW(row, name, unit, doc)  RUT_PID_##row,
#define RUT_PID_STATE_INFO(row, name, unit, doc) {name, unit, "", "", doc, RUT_F64, false},
#define RUT_PID_STATE_INFOS(loop)                RUT_PID_STATE_LIST(RUT_PID_STATE_INFO, loop)
enum { RUT_PID_STATE_LIST(RUT_PID_STATE_ROW, "") RUT_PID_STATES };

// One loop of one lane, copied out of the state rows and back.
typedef struct rutPid {
  double row[RUT_PID_STATES];
} rutPid;

RUT_INLINE rutPid rut_pid_load(const double* state, int loop, int lanes, int lane) {
  rutPid pid;
  for (int i = 0; i < RUT_PID_STATES; i++) {
    pid.row[i] = state[(loop * RUT_PID_STATES + i) * lanes + lane];
  }
  return pid;
}
// Store the loop times keep: 0 resets it.
RUT_INLINE void rut_pid_store(const rutPid* pid, double keep, double* state, int loop, int lanes,
                              int lane) {
  for (int i = 0; i < RUT_PID_STATES; i++) {
    state[(loop * RUT_PID_STATES + i) * lanes + lane] = keep * pid->row[i];
  }
}

// First-order lag, exact for a set point held over the update: y += (1 - exp(-dt/T)) (x - y); with
// two stages, that twice. decay is exp(-dt/T), 0 without a filter.
RUT_INLINE double rut_pid_filter(rutPid* pid, double set_point, double decay, double order) {
  const double first = decay * pid->row[RUT_PID_FILTER_1] + (1.0 - decay) * set_point;
  const double second = decay * pid->row[RUT_PID_FILTER_2] + (1.0 - decay) * first;
  pid->row[RUT_PID_FILTER_1] = first;
  pid->row[RUT_PID_FILTER_2] = second;
  return order > 1.5 ? second : first;
}

// Textbook PID with a filtered derivative, D' = N (K_D e' - D) taken implicitly, saturation, and
// back-calculation with gain K_I/K_P (Astrom and Hagglund, PID Controllers, 2nd ed. 1995, 3.3 and
// 3.5). MVSim filters K_D e instead of K_D e', which is a lagged proportional part.
RUT_INLINE double rut_pid_step(const rutPidParam* p, rutPid* pid, double error, double feedforward,
                               double dt) {
  const double n = p->derivative_filter, limit = p->max_torque > 0.0 ? p->max_torque : 1e300;
  const double change = p->derivative_gain * (error - pid->row[RUT_PID_ERROR]);
  const double plain = change / dt;
  const double filtered = (pid->row[RUT_PID_DERIVATIVE] + n * change) / (1.0 + n * dt);
  const double derivative = pid->row[RUT_PID_STARTED] * (n > 0.0 ? filtered : plain);
  const double integral = pid->row[RUT_PID_INTEGRAL] + p->integral_gain * error * dt;
  const double rest = p->proportional_gain * error + derivative + feedforward;

  const double cut = rut_clamp(rest + integral, -limit, limit) - (rest + integral);
  const double back = p->anti_windup != 0.0 && p->proportional_gain > 1e-12
                          ? p->integral_gain / rut_max(p->proportional_gain, 1e-12)
                          : 0.0;
  pid->row[RUT_PID_INTEGRAL] = integral + back * cut * dt;
  pid->row[RUT_PID_DERIVATIVE] = derivative;
  pid->row[RUT_PID_ERROR] = error;
  pid->row[RUT_PID_STARTED] = 1.0;
  return rut_clamp(rest + pid->row[RUT_PID_INTEGRAL], -limit, limit);
}

// Torque while the set point is zero: may only oppose the motion, so that a wound-up integral
// cannot push the vehicle back.
RUT_INLINE double rut_pid_braking(double torque, double speed) {
  const double low = speed > 0.0 ? -1e300 : (speed < 0.0 ? 0.0 : -1e300);
  const double high = speed > 0.0 ? 0.0 : 1e300;
  return rut_clamp(torque, low, high);
}

// One lane of rut_speed_loops; loops is a constant, so that the loops over it unroll.
RUT_INLINE void rut_speed_loops_lane(const rutPidParam* p, int loops, int lanes, int l, double dt,
                                     double decay, const double* want, const double* have,
                                     const double* pitch, const double* feedforward, double* state,
                                     double* demand) {
  rutPid pid[2];
  double set[2] = {0}, wanted = 0.0, moving = 0.0;
  for (int k = 0; k < loops; k++) {
    pid[k] = rut_pid_load(state, k, lanes, l);
    set[k] = rut_pid_filter(&pid[k], want[k * lanes + l], decay, p->set_point_order);
    wanted = rut_max(wanted, rut_max(rut_abs(set[k]), rut_abs(want[k * lanes + l])));
    moving = rut_max(moving, rut_abs(have[k * lanes + l]));
  }
  // on level ground a vehicle that has stopped is left alone; on a slope the loops go on and hold
  // it
  const int zero = wanted < p->zero_speed, slow = moving < p->stop_speed, level = pitch[l] == 0.0;
  const double active = zero && slow && level ? 0.0 : 1.0;
  for (int k = 0; k < loops; k++) {
    const double speed = have[k * lanes + l];
    const double torque = rut_pid_step(p, &pid[k], set[k] - speed, feedforward[l], dt);
    demand[k * lanes + l] =
        active * (zero && (level || !slow) ? rut_pid_braking(torque, speed) : torque);
    rut_pid_store(&pid[k], active, state, k, lanes, l);
  }
}

// Speed loops of all lanes: set points want[loop][lane] and speeds have[loop][lane] [m/s], torque
// feedforward[lane] for each loop, state[loop * RUT_PID_STATES][lane] -> demand[loop][lane]. A
// lane whose set points are zero and whose speeds are small gets no torque and starts afresh.
RUT_INLINE void rut_speed_loops(const rutPidParam* param, int loops, int lanes, double dt,
                                const double* want, const double* have, const double* pitch,
                                const double* feedforward, double* state, double* demand) {
  const rutPidParam p = *param;
  const double decay =
      p.set_point_time > 0.0 ? rut_exp(-dt / rut_max(p.set_point_time, 1e-6)) : 0.0;
  if (loops == 1) {
    for (int l = 0; l < lanes; l++) {
      rut_speed_loops_lane(&p, 1, lanes, l, dt, decay, want, have, pitch, feedforward, state,
                           demand);
    }
  } else {
    for (int l = 0; l < lanes; l++) {
      rut_speed_loops_lane(&p, 2, lanes, l, dt, decay, want, have, pitch, feedforward, state,
                           demand);
    }
  }
}

// Torque per demand [N m] that holds the vehicle on a slope, times the field slope_feedforward:
// gravity pulls with m g sin(pitch) along x (pitch is positive nose down), shared by `wheels`.
static inline void rut_slope_feedforward(const rutPidParam* p, const rutVehicleLayout* layout,
                                         int lanes, const double* pitch, double* feedforward) {
  // every demand gets the same, and all of them together turn the wheels with torque_gain times it
  const double lever =
      layout->mass * layout->gravity * layout->radius[layout->left] / layout->torque_gain;
  for (int l = 0; l < lanes; l++) {
    feedforward[l] = -p->slope_feedforward * lever * rut_sin(pitch[l]);
  }
}

#endif  // RUT_CONTROL_PID_H
