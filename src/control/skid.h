// SPDX-License-Identifier: BSD-3-Clause
//
// Skid steering: the wheels of the two sides turn at different speeds and are dragged across.
//
// A vehicle turns at the rate w about the middle of its wheels, which stand at (x_i, y_i) from it
// and all of which roll at the speed w c more on the right, less on the left side than the vehicle
// moves. Wheel i then slides over the ground with w (c - |y_i|) along and w x_i across. Coulomb
// friction mu N_i acts against that, and in a steady turn its moments cancel:
//   sum N_i (|y_i| s_i - x_i^2)/sqrt(s_i^2 + x_i^2) = 0,      s_i = c - |y_i|,
// whose left side rises with c. The sides so differ by w 2 c: 2 c is the effective track, the
// distance that wheels which do not slide would need to stand apart. It depends on neither mu nor
// w. Four wheels at (+-a, +-b/2): c = b/2 + 2 a^2/b.
#ifndef RUT_CONTROL_SKID_H
#define RUT_CONTROL_SKID_H

#include "control/traction.h"

#define RUT_SKID_FIELDS(X)                                                                        \
  X(side_gain, "1/s", 20, 0, 1e6,                                                                 \
    "Skid steering: acceleration of the vehicle's mass per speed error of the wheels of a side, " \
    "which is lowered where it would make wheels overshoot within a step.")                       \
  X(yaw_integral, "1/s", 2, 0, 1e3,                                                               \
    "Skid steering: demanded yaw rate per integral of the yaw rate error.")

typedef struct rutSkidParam {
  RUT_SKID_FIELDS(RUT_PARAM)
} rutSkidParam;

// Middle of the driven wheels: x and y from the reference point [m].
RUT_INLINE void rut_skid_middle(const rutVehicleLayout* layout, double middle[2]) {
  int n = 0;
  middle[0] = middle[1] = 0.0;
  for (int w = 0; w < layout->wheels; w++) {
    if (!layout->driven[w]) continue;
    middle[0] += layout->x[w];
    middle[1] += layout->y[w];
    n++;
  }
  for (int i = 0; i < 2; i++) middle[i] /= n > 0 ? n : 1;
}

// Sum of the moments about the middle, over mu N of a wheel, at half an effective track.
RUT_INLINE double rut_skid_moment(const rutVehicleLayout* layout, const double middle[2],
                                  double half) {
  static const double LEAST_SLIP = 1e-12;  // [m]
  double sum = 0.0;
  for (int w = 0; w < layout->wheels; w++) {
    if (!layout->driven[w]) continue;
    const double x = layout->x[w] - middle[0], y = rut_abs(layout->y[w] - middle[1]);
    const double s = half - y, slip = rut_hypot(s, x);
    sum += slip > LEAST_SLIP ? (y * s - x * x) / slip : 0.0;
  }
  return sum;
}

// Half of the effective track [m], all driven wheels carrying the same.
static inline double rut_skid_half_track(const rutVehicleLayout* layout) {
  static const double SHORTEST = 1e-6;  // [m]
  enum { DOUBLINGS = 80, HALVINGS = 60 };
  double middle[2], low = 0.0, high = SHORTEST;
  rut_skid_middle(layout, middle);
  for (int k = 0; k < DOUBLINGS && rut_skid_moment(layout, middle, high) < 0.0; k++) high *= 2.0;
  for (int k = 0; k < HALVINGS; k++) {
    const double half = 0.5 * (low + high);
    const int less = rut_skid_moment(layout, middle, half) < 0.0;
    low = less ? half : low;
    high = less ? high : half;
  }
  return 0.5 * (low + high);
}

// Speed error that a wheel without load makes up for in a second, per gain of the sides: each of
// the n wheels of a side gets the force M gain/(2 n) per error, and has the mass I/r^2.
RUT_INLINE double rut_skid_rate(const rutVehicleLayout* layout, const rutSideCount* n,
                                double middle) {
  double rate = 0.0;
  for (int w = 0; w < layout->wheels; w++) {
    const double r = layout->radius[w];
    const int side = rut_side_of(layout->y[w], middle);
    if (!layout->driven[w] || side == RUT_MIDDLE) continue;
    rate = rut_max(rate, r * r * layout->mass / (2.0 * n->on[side] * layout->inertia[w]));
  }
  return rate;
}

// The gain that leaves a wheel without load a quarter of its speed error after a step, or less.
RUT_INLINE double rut_skid_gain(const rutSkidParam* p, const rutVehicleLayout* layout,
                                const rutSideCount* n, double middle, double step) {
  static const double REMOVED = 0.75;
  double gain = p->side_gain;
  for (int w = 0; w < layout->wheels; w++) {
    const double r = layout->radius[w];
    const int side = rut_side_of(layout->y[w], middle);
    const double most =
        2.0 * REMOVED * n->on[side] * layout->inertia[w] / (r * r * layout->mass * step);
    gain = layout->driven[w] && side != RUT_MIDDLE ? rut_min(gain, most) : gain;
  }
  return gain;
}

// Turn of one vehicle.
typedef struct rutSkidTurn {
  double gain;        // rut_skid_gain [1/s]
  double dt;          // since the last update [s]
  double half_track;  // half of the effective track [m]
  double yaw_rate;    // set point [rad/s]
  double lag;         // of the yaw rate behind its set point [rad/s]
  double difference;  // speed of the right wheels less that of the left ones [m/s]
} rutSkidTurn;

// Speed error [m/s] at which the sides push with the vehicle's weight.
RUT_INLINE double rut_skid_most(const rutVehicleLayout* layout, double gain) {
  static const double LEAST_GAIN = 1e-9;  // [1/s]
  return layout->gravity / rut_max(gain, LEAST_GAIN);
}

// Half of the difference [m/s] that the sides' speeds are to have: w_c times half of the effective
// track, w_c the yaw rate that is asked for and the integral. That stops where the wheels would
// push with more than their load.
RUT_INLINE double rut_skid_difference(const rutSkidParam* p, const rutVehicleLayout* layout,
                                      const rutSkidTurn* turn, double* sum) {
  static const double LEAST_TRACK = 1e-9;  // [m]
  const double most = rut_skid_most(layout, turn->gain);
  const double more = *sum + p->yaw_integral * turn->lag * turn->dt;
  const double wanted = turn->half_track * (turn->yaw_rate + more);
  const double error = wanted - 0.5 * turn->difference;
  const double beyond =
      (error - rut_clamp(error, -most, most)) / rut_max(turn->half_track, LEAST_TRACK);
  *sum = more - (more > 0.0 ? rut_clamp(beyond, 0.0, more) : rut_clamp(beyond, more, 0.0));
  return wanted;
}

// Force along the ground [N] that each side gives more (right) or less (left) for that.
RUT_INLINE double rut_skid_force(const rutVehicleLayout* layout, double gain, double wanted,
                                 double difference) {
  const double most = rut_skid_most(layout, gain);
  return 0.5 * layout->mass * gain * rut_clamp(wanted - 0.5 * difference, -most, most);
}

// Parameters of a controller that skid-steers.
typedef struct rutSkidLaw {
  const rutTractionParam* traction;
  const rutSpeedControlParam* speed_control;
  const rutSkidParam* skid;
} rutSkidLaw;

typedef struct rutSkidState {
  const double* half_track;  // [lane] rut_skid_half_track [m]
  double* sum;               // [lane] yaw rate that the integral adds [rad/s]; kept
} rutSkidState;

// What rut_skid leaves to rut_skid_follow, in rows of out->twist.
enum { RUT_SKID_WANTED, RUT_SKID_ACTIVE };  // [m/s] half the difference; 1 while not held by brakes

// Force [N] at wheel w where each side gives `turning` more or less.
RUT_INLINE double rut_skid_share(const rutVehicleLayout* layout, const rutSideCount* n,
                                 double middle, int w, double turning) {
  const int side = rut_side_of(layout->y[w], middle);
  const double part = side == RUT_MIDDLE ? 0.0 : turning / n->on[side];
  return side == RUT_LEFT ? -part : part;
}

// Demands for the set points: the force of both sides as in rut_control_speed, and their difference
// by the speeds of the wheels, which rut_skid_follow adds where that runs.
static inline void rut_skid(const rutSkidLaw* law, const rutVehicleLayout* layout,
                            const rutControlIn* in, const rutTwist* set, const rutSkidState* state,
                            const rutControlOut* out) {
  const rutTractionParam* p = law->traction;
  const rutSpeedControlParam* control = law->speed_control;
  const int lanes = in->lanes;
  double* sum = state->sum;
  const double span = layout->y[layout->left] - layout->y[layout->right];
  double middle[2], brake[RUT_CONTROL_LANES];
  rutWheelRows torque;
  rut_skid_middle(layout, middle);
  const rutSideCount n = rut_count_sides(layout, middle[1]);
  if (n.on[RUT_LEFT] == 0 || n.on[RUT_RIGHT] == 0) return;
  const double gain =
      rut_skid_gain(law->skid, layout, &n, middle[1], in->followed ? in->step : in->dt);
  for (int l = 0; l < lanes; l++) {
    const double v = in->vx[l], rise = -rut_sin(in->pitch[l]);
    const double speed = set->speed[l], yaw_rate = set->yaw_rate[l];
    const int stop = speed == 0.0 && yaw_rate == 0.0;
    const double a = rut_asked_acceleration(p, speed, v);
    const double wanted = layout->mass * (a + control->gravity_share * layout->gravity * rise);
    const double force = rut_drive_and_brake(control, wanted, v, stop, &brake[l]);
    const double lag = stop ? 0.0 : yaw_rate - in->yaw_rate[l];
    sum[l] = stop ? 0.0 : sum[l];
    const rutSkidTurn turn = {.gain = gain,
                              .dt = in->dt,
                              .half_track = state->half_track[l],
                              .yaw_rate = yaw_rate,
                              .lag = lag,
                              .difference = span * in->odo_rate[l]};
    const double difference = rut_skid_difference(law->skid, layout, &turn, &sum[l]);
    const double alone = brake[l] < 1.0 ? 1.0 : 0.0;
    const double now = rut_skid_force(layout, gain, difference, turn.difference);
    const double turning = in->followed ? 0.0 : now;
    if (in->followed) {
      out->twist[RUT_SKID_WANTED * lanes + l] = difference;
      out->twist[RUT_SKID_ACTIVE * lanes + l] = alone;
    }
    for (int w = 0; w < layout->wheels; w++) {
      const double arm = layout->driven[w] ? layout->radius[w] : 0.0;
      const double more = rut_skid_share(layout, &n, middle[1], w, turning);
      const double yaw = rut_yaw_force(p, layout, n.driven, w, lag);
      const double whole = force / n.driven + alone * (more + yaw);
      torque[w * lanes + l] = rut_limit_torque(p, arm * whole);
    }
  }
  rut_demand_torques(layout, in, torque, out->demand);
  for (int l = 0; out->brake && l < lanes; l++) out->brake[l] = brake[l];
}

// Adds the difference of the sides to demands that are held, or come late.
static inline void rut_skid_follow(const rutSkidLaw* law, const rutVehicleLayout* layout,
                                   const rutControlIn* in, const rutControlOut* out) {
  const rutTractionParam* p = law->traction;
  const int lanes = in->lanes;
  const double span = layout->y[layout->left] - layout->y[layout->right];
  double middle[2], demand[RUT_CONTROL_WHEELS * RUT_CONTROL_LANES];
  rutWheelRows torque;
  rut_skid_middle(layout, middle);
  const rutSideCount n = rut_count_sides(layout, middle[1]);
  const double gain =
      rut_skid_gain(law->skid, layout, &n, middle[1], in->followed ? in->step : in->dt);
  for (int l = 0; l < lanes; l++) {
    const double wanted = out->twist[RUT_SKID_WANTED * lanes + l];
    const double active = out->twist[RUT_SKID_ACTIVE * lanes + l];
    const double turning = active * rut_skid_force(layout, gain, wanted, span * in->odo_rate[l]);
    for (int w = 0; w < layout->wheels; w++) {
      const double arm = layout->driven[w] ? layout->radius[w] : 0.0;
      torque[w * lanes + l] = arm * rut_skid_share(layout, &n, middle[1], w, turning);
    }
  }
  rut_demand_torques(layout, in, torque, demand);
  // a demand of 1 N m brings the sum torque_gain of all wheels
  const double per_wheel = layout->torque_gain > 0.0 ? n.driven / layout->torque_gain : 1.0;
  for (int i = 0; i < in->demands * lanes; i++) {
    out->demand[i] = per_wheel * rut_limit_torque(p, (out->demand[i] + demand[i]) / per_wheel);
  }
}

#endif  // RUT_CONTROL_SKID_H
