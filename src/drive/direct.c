// SPDX-License-Identifier: BSD-3-Clause
//
// A motor at each driven wheel.
//
// Its torque follows the demand within the line of a permanent-magnet direct current motor on a
// constant voltage: T_s at rest, and in the direction of rotation
//   T(w) = T_s (1 - |w|/w_0),   0 from the no-load speed w_0 on,
// since current and torque fall with the back-EMF. The largest power is T_s w_0/4, at w_0/2.
// Against the rotation the back-EMF helps: there the current alone is the limit, T_s at any speed.
// A motor beyond its no-load speed is switched off, and does not brake by itself. So no demand is
// no torque, and what is given has the sign of the demand.
//
// The speed falls to w_0 where the back-EMF K w is the voltage V of the source: so K = V/w_0 at the
// wheel, and the current is T/K.
//
// Defaults are those of a vehicle as a whole, of mass m with n driven wheels of radius r. All
// motors together pull with its weight, n T_s = m g r, which is more than tyres transfer below a
// friction coefficient of 1; and they turn at v_0 = 10 m/s without load. That is g v_0/4 = 24.5
// W/kg: small unmanned vehicles have 23 to 29 (docs/manual/vehicles.md). g is that of the earth: a
// motor does not change with the place.
#include <string.h>

#include "base/report.h"
#include "base/sides.h"
#include "math/lanes.h"

#define STANDARD_GRAVITY 9.80665  // [m/s2]
#define NO_LOAD_SPEED    10.0     // along the ground [m/s]

#define FIELDS(X)                                                                                \
  X(max_torque, "N m", (double)NAN, 0, 1e9,                                                      \
    "Torque of the motor at each driven wheel at rest, its largest; 0: no limit at any speed. "  \
    "Default: together they pull with the vehicle's weight.")                                    \
  X(no_load_speed, "rad/s", (double)NAN, 0, 1e6,                                                 \
    "Wheel speed at which the torque has fallen to 0, in a straight line; 0: it does not fall. " \
    "Default: 10 m/s along the ground.")                                                         \
  X(voltage, "V", 24, 1e-3, 1e6,                                                                 \
    "Voltage of the motors' source. It tells their currents: torque times no_load_speed over "   \
    "voltage; none without a no-load speed. It changes no torque.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

enum { FRONT, REAR, ALL, AUTOMATIC };

static const rutField fields[] = {
    FIELDS(RUT_ROW){"driven", "", RUT_CHOICE, 1, AUTOMATIC, 0, 3, "front|rear|all|automatic", 0,
                    "Axles that have motors; automatic: the front one of a vehicle that steers "
                    "with two wheels there, all of any other."}};

static int direct_inputs(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 2;
}

// Is a wheel on the front axle (forward: 1) or on the rear one (-1)? Without a pair of wheels that
// has the place, the foremost or rearmost wheels are that axle.
static bool is_at_end(const rutVehicleLayout* layout, int wheel, double forward) {
  static const double SAME = 1e-3;  // [m]
  const int left = forward > 0.0 ? layout->front_left : layout->rear_left;
  const int right = forward > 0.0 ? layout->front_right : layout->rear_right;
  if (left >= 0 && right >= 0) return wheel == left || wheel == right;
  for (int w = 0; w < layout->wheels; w++) {
    if (forward * (layout->x[w] - layout->x[wheel]) > SAME) return false;
  }
  return true;
}

static bool has_motor(const rutVehicleLayout* layout, double driven, int wheel) {
  if (!layout->driven[wheel]) return false;
  if (driven == AUTOMATIC) return layout->wheelbase == 0.0 || is_at_end(layout, wheel, 1.0);
  return driven == ALL || is_at_end(layout, wheel, driven == FRONT ? 1.0 : -1.0);
}

// Demand that the motor of a wheel follows, NONE without a motor. One between the sides follows
// the mean of both: a symmetric vehicle drives straight, and the motors of one whose demands are
// equal give the same.
enum { NONE = -1, BOTH = RUT_MIDDLE };
static int demand_of(const rutVehicleLayout* layout, double driven, int wheel) {
  if (!has_motor(layout, driven, wheel)) return NONE;
  return rut_side_of(layout->y[wheel], rut_middle_of_sides(layout));
}

// The motor at a wheel. In the direction of rotation it gives clamp(rest - slope |w|, 0, most).
typedef struct Motor {
  int input;  // demand that it follows, BOTH or NONE
  double most, rest, slope;
} Motor;

enum { MAX_WHEELS = 16, MAX_LANES = 8 };
typedef struct Motors {
  bool limited;
  bool lone;  // one at most for each demand
  Motor of[MAX_WHEELS];
} Motors;

// Pull [N] of a motor by default: n of them together pull with the weight.
static double default_pull(const rutVehicleLayout* layout, double driven) {
  int n = 0;
  for (int w = 0; w < layout->wheels; w++) n += has_motor(layout, driven, w);
  return layout->mass * STANDARD_GRAVITY / (n > 0 ? n : 1);
}

// Speed of a wheel without load [rad/s], 0 without one.
static double top_speed(const Param* p, double radius) {
  return p->no_load_speed >= 0.0 ? p->no_load_speed : NO_LOAD_SPEED / radius;
}

// The torque is that of the speed at the start of a step. Where slope x dt exceeds the inertia, a
// wheel that nothing holds would swing about the no-load speed: it gets what takes it there within
// the step.
static Motor motor_of(const Param* p, double pull, double radius, double inertia, double dt) {
  const bool given_torque = p->max_torque >= 0.0;
  const double most = given_torque ? p->max_torque : pull * radius;
  const double top = top_speed(p, radius);
  const double slope = top > 0.0 ? most / top : 0.0;
  const bool steep = slope * dt > inertia;
  return (Motor){.most = most,
                 .rest = steep ? inertia / dt * top : most,
                 .slope = steep ? inertia / dt : slope};
}

static void direct_plan(const void* param, const rutVehicleLayout* layout, double dt, void* plan) {
  const Param* p = param;
  Motors* motors = plan;
  const double pull = default_pull(layout, p->driven);
  int of_side[3] = {0};
  motors->limited = p->max_torque != 0.0;
  for (int w = 0; w < layout->wheels && w < MAX_WHEELS; w++) {
    motors->of[w] = motor_of(p, pull, layout->radius[w], layout->inertia[w], dt);
    const int input = motors->of[w].input = demand_of(layout, p->driven, w);
    if (input != NONE) of_side[input]++;
  }
  motors->lone = of_side[0] <= 1 && of_side[1] <= 1 && of_side[BOTH] == 0;
}

static const Motors* motors_of(const void* param, const rutVehicleLayout* layout,
                               const rutDriveIn* in, Motors* own) {
  if (in->plan) return in->plan;
  direct_plan(param, layout, in->dt, own);
  return own;
}

// Largest torque at a speed: forward, and backward at the opposite speed.
RUT_INLINE double most_torque(const Motor* m, double speed) {
  return rut_clamp(m->rest - m->slope * speed, 0.0, m->most);
}

// What the motor of a wheel is asked for; `mean` has room for that of both sides.
RUT_INLINE const double* asked_of(int input, int lanes, const double* demand, double* mean) {
  if (input != BOTH) return demand + (input > 0 ? input : 0) * lanes;
  for (int l = 0; l < lanes; l++) mean[l] = 0.5 * (demand[l] + demand[lanes + l]);
  return mean;
}

// Demand 0 goes to every driven wheel on the left, demand 1 to every one on the right, each wheel
// getting all of it that its motor has.
RUT_INLINE void find_torques(const Motors* motors, int wheels, int lanes, const rutDriveIn* in,
                             double* torque) {
  for (int w = 0; w < wheels; w++) {
    const Motor m = motors->of[w];
    double* restrict t = torque + w * lanes;
    double mean[MAX_LANES];
    const double* restrict demand = asked_of(m.input, lanes, in->demand, mean);
    const double* restrict speed = in->speed + w * lanes;
    if (m.input == NONE) {
      rut_fill_row(t, lanes, 0.0);
    } else if (!motors->limited) {
      for (int l = 0; l < lanes; l++) t[l] = demand[l];
    } else {
      RUT_FOR_LANES(l, lanes) {
        t[l] = rut_clamp(demand[l], -most_torque(&m, -speed[l]), most_torque(&m, speed[l]));
      }
    }
  }
}

// A motor follows its demand unless that is beyond what it has.
RUT_INLINE void find_gain(const Motors* motors, int w, int lanes, const rutDriveIn* in,
                          double* restrict gain) {
  const Motor m = motors->of[w];
  const double share = m.input == BOTH ? 0.5 : 1.0;
  if (!motors->limited) {
    rut_fill_row(gain, lanes, share);
    return;
  }
  double mean[MAX_LANES];
  const double* restrict demand = asked_of(m.input, lanes, in->demand, mean);
  const double* restrict speed = in->speed + w * lanes;
  RUT_FOR_LANES(l, lanes) {
    const double low = -most_torque(&m, -speed[l]), high = most_torque(&m, speed[l]);
    gain[l] = rut_clamp(demand[l], low, high) == demand[l] ? share : 0.0;
  }
}

RUT_INLINE void find_gains(const Motors* motors, int wheels, int lanes, const rutDriveIn* in,
                           double* gain) {
  for (int w = 0; w < wheels; w++) {
    const int input = motors->of[w].input;
    if (input == NONE) continue;
    double* of_wheel = gain + ((input == BOTH ? 0 : input) * wheels + w) * lanes;
    find_gain(motors, w, lanes, in, of_wheel);
    if (input == BOTH) {
      memcpy(of_wheel + wheels * lanes, of_wheel, (size_t)lanes * sizeof *of_wheel);
    }
  }
}

// Within what the motor of each side can do.
RUT_INLINE void find_lone_limits(const Motors* motors, int wheels, int lanes,
                                 const double* wheel_speed, double* low, double* high) {
  for (int w = 0; w < wheels; w++) {
    const Motor m = motors->of[w];
    if (m.input < 0) continue;
    const double* restrict speed = wheel_speed + w * lanes;
    double* restrict least = low + m.input * lanes, * restrict most = high + m.input * lanes;
    RUT_FOR_LANES(l, lanes) {
      least[l] = rut_max(least[l], -most_torque(&m, -speed[l]));
      most[l] = rut_min(most[l], most_torque(&m, speed[l]));
    }
  }
}

// The same for sides of several motors: that which has most to give counts. One in the middle
// counts for both sides.
RUT_INLINE void find_limits(const Motors* motors, int wheels, int lanes, const double* wheel_speed,
                            double* restrict low, double* restrict high) {
  double least[2 * MAX_LANES], most[2 * MAX_LANES];
  RUT_FOR_LANES(i, 2 * lanes) { least[i] = most[i] = 0.0; }
  for (int w = 0; w < wheels; w++) {
    const Motor m = motors->of[w];
    if (m.input == NONE) continue;
    const double* restrict speed = wheel_speed + w * lanes;
    const int from = m.input == BOTH ? 0 : m.input, to = m.input == BOTH ? 1 : m.input;
    for (int side = from; side <= to; side++) {
      RUT_FOR_LANES(l, lanes) {
        const int i = side * lanes + l;
        least[i] = rut_min(least[i], -most_torque(&m, -speed[l]));
        most[i] = rut_max(most[i], most_torque(&m, speed[l]));
      }
    }
  }
  RUT_FOR_LANES(i, 2 * lanes) {
    low[i] = rut_max(low[i], least[i]);
    high[i] = rut_min(high[i], most[i]);
  }
}

RUT_INLINE void narrow_limits(const Motors* motors, int wheels, int lanes, const double* speed,
                              double* low, double* high) {
  if (motors->lone) {
    find_lone_limits(motors, wheels, lanes, speed, low, high);
  } else {
    find_limits(motors, wheels, lanes, speed, low, high);
  }
}

// Eight lanes as vector code.
RUT_CLONES static void torque_8(const Motors* motors, int wheels, const rutDriveIn* in,
                                double* torque) {
  find_torques(motors, wheels, MAX_LANES, in, torque);
}
RUT_CLONES static void gain_8(const Motors* motors, int wheels, const rutDriveIn* in,
                              double* gain) {
  find_gains(motors, wheels, MAX_LANES, in, gain);
}
RUT_CLONES static void limits_8(const Motors* motors, int wheels, const double* speed, double* low,
                                double* high) {
  narrow_limits(motors, wheels, MAX_LANES, speed, low, high);
}

static void direct_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          double* state, double* torque) {
  Motors own;
  const Motors* motors = motors_of(param, layout, in, &own);
  (void)state;
  if (in->lanes == MAX_LANES) {
    torque_8(motors, layout->wheels, in, torque);
  } else if (in->lanes == 1) {
    find_torques(motors, layout->wheels, 1, in, torque);
  } else {
    find_torques(motors, layout->wheels, in->lanes, in, torque);
  }
}

static void direct_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                        const double* state, double* gain) {
  Motors own;
  const Motors* motors = motors_of(param, layout, in, &own);
  (void)state;
  if (in->lanes == MAX_LANES) {
    gain_8(motors, layout->wheels, in, gain);
  } else if (in->lanes == 1) {
    find_gains(motors, layout->wheels, 1, in, gain);
  } else {
    find_gains(motors, layout->wheels, in->lanes, in, gain);
  }
}

// Demands within the limits are within those of a lone motor.
static bool direct_gain_holds(const void* param, const rutVehicleLayout* layout) {
  Motors motors;
  direct_plan(param, layout, 1.0, &motors);
  return motors.lone || !motors.limited;
}

static void direct_limits(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          const double* state, double* low, double* high) {
  Motors own;
  const Motors* motors = motors_of(param, layout, in, &own);
  (void)state;
  if (!motors->limited) return;
  if (in->lanes == MAX_LANES) {
    limits_8(motors, layout->wheels, in->speed, low, high);
  } else if (in->lanes == 1) {
    narrow_limits(motors, layout->wheels, 1, in->speed, low, high);
  } else {
    narrow_limits(motors, layout->wheels, in->lanes, in->speed, low, high);
  }
}

static bool direct_current(const void* param, const rutVehicleLayout* layout,
                           const rutDriveResult* in, double* out) {
  const Param* p = param;
  if (p->max_torque == 0.0 || p->no_load_speed == 0.0) return false;
  for (int w = 0; in && w < layout->wheels; w++) {
    out[w] = in->torque[w * in->stride] * top_speed(p, layout->radius[w]) / p->voltage;
  }
  return true;
}

static rutStatus direct_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  if (p->max_torque != 0.0 || !(p->no_load_speed > 0.0)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "no_load_speed (%g rad/s) needs a max_torque above 0, from which the torque "
                       "falls; leave max_torque out for the default",
                       p->no_load_speed);
}

const rutDriveType rut_drive_direct = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "direct",
             .parents = "vehicle",
             .doc = "An electric motor at each driven wheel, with one torque demand for the left "
                    "and one for the right wheels; one in the middle follows the mean. Its torque "
                    "falls with the wheel speed, from "
                    "max_torque at rest to 0 at no_load_speed. Casters are not driven.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = direct_check},
    .plan_size = sizeof(Motors),
    .plan = direct_plan,
    .current = direct_current,
    .inputs = direct_inputs,
    .torque = direct_torque,
    .gain = direct_gain,
    .gain_holds = direct_gain_holds,
    .limits = direct_limits};
