// SPDX-License-Identifier: BSD-3-Clause
//
// From an acceleration to the torques of the wheels and the brakes; shared by the controllers that
// push the vehicle as a whole.
#ifndef RUT_CONTROL_TRACTION_H
#define RUT_CONTROL_TRACTION_H

#include "base/sides.h"
#include "control/twist.h"
#include "math/lanes.h"
#include "rut/component.h"

enum { RUT_CONTROL_LANES = 8, RUT_CONTROL_WHEELS = 16 };

// Rows of numbers per wheel and lane, [wheel * lanes + lane].
typedef double rutWheelRows[RUT_CONTROL_WHEELS * RUT_CONTROL_LANES];

// Fields of every such controller.
#define RUT_TRACTION_FIELDS(X, gain, most, turn)                                                 \
  X(speed_gain, "1/s", gain, 0, 1e6, "Demanded acceleration per speed error.")                   \
  X(max_acceleration, "m/s2", most, 0, 1e6,                                                      \
    "Limit of the demanded acceleration, both signs; 0 for none.")                               \
  X(max_wheel_torque, "N m", 0, 0, 1e9,                                                          \
    "Largest torque of the drive at each wheel; 0 for no limit.")                                \
  X(yaw_gain, "1/s", turn, 0, 1e6,                                                               \
    "Skid steering: yaw acceleration per yaw rate error, for a vehicle with its mass above its " \
    "wheels; 0: no yaw control.")

typedef struct rutTractionParam {
  RUT_TRACTION_FIELDS(RUT_PARAM, 0, 0, 0)
} rutTractionParam;

// Fields of those that also use the brakes and know nothing of the ground.
#define RUT_SPEED_CONTROL_FIELDS(X)                                                               \
  X(gravity_share, "", 1, 0, 1, "Share of the weight along the slope that is compensated.")       \
  X(max_force, "N", 0, 0, 1e9, "Limit of the sum of the wheel forces; 0 for none.")               \
  X(brake_force, "N", 0, 0, 1e9,                                                                  \
    "Force of the fully applied brakes, which supply what the drive does not; 0: brakes are not " \
    "used.")                                                                                      \
  X(hold_speed, "m/s", 0.05, 0, 100,                                                              \
    "Speed below which a vehicle that is to stop is held by its full brakes.")
#define RUT_SPEED_CONTROL_ROWS \
  {"drive_brakes",             \
   "",                         \
   RUT_BOOLEAN,                \
   1,                          \
   1,                          \
   0,                          \
   1,                          \
   "",                         \
   0,                          \
   "The drive also decelerates the vehicle; false: only the brakes do."},

#define RUT_SPEED_CONTROL_MEMBERS(X) \
  RUT_SPEED_CONTROL_FIELDS(X)        \
  double drive_brakes;
typedef struct rutSpeedControlParam {
  RUT_SPEED_CONTROL_MEMBERS(RUT_PARAM)
} rutSpeedControlParam;

RUT_INLINE int rut_driven_wheels(const rutVehicleLayout* layout) {
  int n = 0;
  for (int w = 0; w < layout->wheels; w++) n += layout->driven[w] != 0;
  return n;
}

// Driven wheels on the left, on the right and in the middle (base/sides.h).
typedef struct rutSideCount {
  int on[3], driven;
} rutSideCount;

RUT_INLINE rutSideCount rut_count_sides(const rutVehicleLayout* layout, double middle) {
  rutSideCount n = {0};
  for (int w = 0; w < layout->wheels; w++) {
    if (!layout->driven[w]) continue;
    n.on[rut_side_of(layout->y[w], middle)]++;
    n.driven++;
  }
  return n;
}

// Wheels between the sides follow the mean of both demands, which are those of the sides' own
// wheels so far: what the sum lacks goes into both.
RUT_INLINE void rut_demand_of_middle(const rutVehicleLayout* layout, const rutSideCount* n,
                                     int lanes, const double* torque, double* demand) {
  const double gain = layout->torque_gain > 0.0 ? layout->torque_gain : 1.0;
  const double left = n->on[RUT_LEFT] + 0.5 * n->on[RUT_MIDDLE];
  const double right = n->on[RUT_RIGHT] + 0.5 * n->on[RUT_MIDDLE];
  for (int l = 0; l < lanes; l++) {
    double sum = 0.0;
    for (int w = 0; w < layout->wheels; w++) {
      sum += layout->driven[w] ? torque[w * lanes + l] : 0.0;
    }
    const double mean = (left * demand[l] + right * demand[lanes + l]) / n->driven;
    const double lack = sum / gain - mean;
    demand[l] += lack;
    demand[lanes + l] += lack;
  }
}

// Torque demands for torque[wheel][lane]: one per driven wheel is that of its wheel. One per side,
// and the one of an engine, make the same sum.
RUT_INLINE void rut_demand_torques(const rutVehicleLayout* layout, const rutControlIn* in,
                                   const double* torque, double* demand) {
  const int lanes = in->lanes, demands = in->demands;
  const double middle = rut_middle_of_sides(layout);
  const rutSideCount n = rut_count_sides(layout, middle);
  // two motors with a demand each need not be on two sides
  const int pair = n.on[RUT_LEFT] == 1 && n.on[RUT_RIGHT] == 1;
  const int sides = demands == 2 && (n.driven != 2 || pair);
  for (int i = 0; i < demands; i++) {
    // what 1 N m of the demand brings
    const double part = sides ? (double)n.on[i] / n.driven : (demands == 1 ? 1.0 : 0.0);
    const double gain = part * layout->torque_gain;
    const double share = gain > 0.0 ? 1.0 / gain : 1.0;
    double* restrict to = demand + i * lanes;
    rut_fill_row(to, lanes, 0.0);
    for (int w = 0, motor = 0; w < layout->wheels; w++) {
      if (!layout->driven[w]) continue;
      const int own = sides ? rut_side_of(layout->y[w], middle) : (demands == 1 ? 0 : motor);
      motor++;
      if (own != i) continue;
      RUT_FOR_LANES(l, lanes) { to[l] += share * torque[w * lanes + l]; }
    }
  }
  if (sides && n.on[RUT_MIDDLE] > 0) rut_demand_of_middle(layout, &n, lanes, torque, demand);
}

// Acceleration [m/s2] that brings speed v to the set point.
RUT_INLINE double rut_asked_acceleration(const rutTractionParam* p, double set, double v) {
  const double most = p->max_acceleration > 0.0 ? p->max_acceleration : RUT_NO_LIMIT;
  return rut_clamp(p->speed_gain * (set - v), -most, most);
}

// Force at driven wheel w [N] that the yaw rate error adds: the moment of mass/driven at each
// wheel.
RUT_INLINE double rut_yaw_force(const rutTractionParam* p, const rutVehicleLayout* layout,
                                int driven, int w, double error) {
  return -p->yaw_gain * error * layout->y[w] * layout->mass / driven;
}

RUT_INLINE double rut_limit_torque(const rutTractionParam* p, double torque) {
  const double most = p->max_wheel_torque > 0.0 ? p->max_wheel_torque : RUT_NO_LIMIT;
  return rut_clamp(torque, -most, most);
}

// Force of the drive [N] and part of the brakes for one lane. In the direction of motion the drive
// gives what it may; against it the brakes take what it leaves.
RUT_INLINE double rut_drive_and_brake(const rutSpeedControlParam* p, double force, double v,
                                      int stop, double* brake) {
  static const double LEAST_FORCE = 1e-9;  // [N]
  const double most = p->max_force > 0.0 ? p->max_force : RUT_NO_LIMIT;
  const double against = p->drive_brakes != 0.0 ? most : 0.0;
  const double forward = v < 0.0 ? -1.0 : 1.0, along = forward * force;
  const double given = rut_clamp(along, -against, most);
  const int brakes = p->brake_force > 0.0;
  const int hold = brakes && stop && rut_abs(v) < p->hold_speed;
  const double part = rut_clamp((given - along) / rut_max(p->brake_force, LEAST_FORCE), 0.0, 1.0);
  *brake = hold ? 1.0 : (brakes ? part : 0.0);
  return hold ? 0.0 : forward * given;
}

// Proportional control of the speed with the weight along the slope made up for, an equal share for
// each driven wheel, and the yaw rate by the difference of the sides:
//   F = M (K_p (v_d - v) + g sin(slope)).
RUT_INLINE void rut_control_speed(const rutTractionParam* p,
                                  const rutSpeedControlParam* speed_control,
                                  const rutVehicleLayout* layout, const rutControlIn* in,
                                  const rutTwist* set, const rutControlOut* out) {
  const int lanes = in->lanes, driven = rut_driven_wheels(layout);
  const double *speed = set->speed, *yaw_rate = set->yaw_rate;
  double force[RUT_CONTROL_LANES], brake[RUT_CONTROL_LANES], error[RUT_CONTROL_LANES];
  rutWheelRows torque;
  for (int l = 0; l < lanes; l++) {
    const double v = in->vx[l], rise = -rut_sin(in->pitch[l]);
    const double a = rut_asked_acceleration(p, speed[l], v);
    const double wanted =
        layout->mass * (a + speed_control->gravity_share * layout->gravity * rise);
    const int stop = speed[l] == 0.0 && (p->yaw_gain == 0.0 || yaw_rate[l] == 0.0);
    force[l] = rut_drive_and_brake(speed_control, wanted, v, stop, &brake[l]);
    error[l] = yaw_rate[l] - in->yaw_rate[l];
  }
  for (int w = 0; w < layout->wheels; w++) {
    const double turn = layout->driven[w] ? layout->radius[w] : 0.0;
    const double yaw = driven > 0 ? rut_yaw_force(p, layout, driven, w, 1.0) : 0.0;
    const double share = 1.0 / (driven > 0 ? driven : 1);
    RUT_FOR_LANES(l, lanes) {
      const double alone = brake[l] < 1.0 ? yaw * error[l] : 0.0;
      torque[w * lanes + l] = rut_limit_torque(p, turn * (share * force[l] + alone));
    }
  }
  rut_demand_torques(layout, in, torque, out->demand);
  if (out->brake) {
    for (int l = 0; l < lanes; l++) out->brake[l] = brake[l];
  }
}

#endif  // RUT_CONTROL_TRACTION_H
