// SPDX-License-Identifier: BSD-3-Clause
//
// What the friction tyres share: the mass that a wheel carries, the torques that resist its spin,
// and the force that ends all slip within one step.
//
// Source of the laws: Blanco-Claraco et al., "MultiVehicle Simulator (MVSim): lightweight dynamics
// simulator for multiagents and mobile robotics research", SoftwareX 23 (2023) 101443, section 3.
#ifndef RUT_TYRE_PATCH_H
#define RUT_TYRE_PATCH_H

#include "math/lanes.h"
#include "rut/component.h"

// Fields of each of these tyres.
#define RUT_TYRE_COMBINED_ROW         \
  {"combined", "", RUT_BOOLEAN, 1, 0, \
   0,          1,  "",          0, "Limit the resultant force instead of its components."},
#define RUT_TYRE_VARIANT_ROW(doc) \
  {"variant", "", RUT_CHOICE, 1, 0, 0, 1, "corrected|as_published", 0, doc},
enum { RUT_TYRE_CORRECTED, RUT_TYRE_AS_PUBLISHED };

// Number of the place if there is one, else the tyre's own.
RUT_INLINE double rut_tyre_local(double place, double own) { return place == place ? place : own; }

// Whether any of n wheels has rolling resistance: its sign costs more than the rest of the law.
RUT_INLINE int rut_tyre_any_rolling(int n, const double* place, double own) {
  double sum = own;
  for (int i = 0; i < n; i++) sum += place[i] == place[i] ? rut_abs(place[i]) : 0.0;
  return sum > 0.0;
}

// Least mass that a wheel carries, where one is divided by [kg].
#define RUT_TYRE_LEAST_MASS 1e-9

// One wheel at the beginning of a step.
typedef struct rutTyreWheel {
  double speed;    // [rad/s]
  double load;     // normal force [N] >= 0
  double radius;   // [m]
  double inertia;  // about the spin axis [kg m2]
  double mass;     // that it carries [kg]
} rutTyreWheel;

// Torque [N m] that resists the spin: bearing damping, and rolling resistance C N R of the tyre's
// hysteresis, with tanh for the sign. Both are found from the speed before the step, so neither may
// do more than stop what it acts on within the step: the wheel alone for the bearing, the wheel and
// the mass it carries for the tyre. Stiffer values than that are cut. `rolls` is 0 if no wheel has
// rolling resistance.
RUT_INLINE double rut_tyre_spin(rutTyreWheel w, double damping, int rolls, double rolling,
                                double dt) {
  static const double SIGN = 100.0;     // argument of tanh per wheel speed [s/rad]
  static const double STANDING = 1e-4;  // [rad/s]
  const double speed = w.speed;
  const double bearing = rut_min(damping, w.inertia / dt) * speed;
  if (!rolls) return -bearing;
  const double stop = (w.inertia + w.mass * w.radius * w.radius) * rut_abs(speed) / dt;
  const double size = rut_min(rolling * w.load * w.radius * rut_tanh(SIGN * rut_abs(speed)), stop);
  return -bearing - (rut_abs(speed) > STANDING ? rut_sign(speed) * size : 0.0);
}

// Force [N] along the wheel that leaves no slip at the end of the step. The wheel obeys
// I (w1 - w)/dt = Q - R F with all torques Q but the ground's; rolling without slip asks for
// w1 = v/R, hence F = (Q - I (v/R - w)/dt)/R.
RUT_INLINE double rut_tyre_rolling_force(double torque, double inertia, double vx, double speed,
                                         double radius, double dt) {
  return (torque - inertia * (vx / radius - speed) / dt) / radius;
}

// Force [N] across the wheel that stops lateral sliding, and holds against gravity, within one
// step.
RUT_INLINE double rut_tyre_stopping_force(double mass, double vy, double gy, double dt) {
  return -mass * (vy / dt + gy);
}

// Part of gravity along the wheel that the published models cancel with the grip left over. It
// makes every wheel act as if braked; kept only for comparison with them.
RUT_INLINE double rut_tyre_published_hold(double mass, double gx, double grip, double fx) {
  const double left = rut_max(grip - rut_abs(fx), 0.0);
  return -rut_clamp(mass * gx, -left, left);
}

typedef struct rutTyreForce {
  double x, y;
} rutTyreForce;

// Force inside the friction circle. x and y would end the slip (u_x, u_y) = -(x W_x, y W_y), with
// W_x = R^2 h/I and W_y = h/m the slip speed that a unit force removes in the step. Where they are
// too large together, the force has the size `grip` and opposes the slip that is left: with
// u + W F = -lambda F this is F_i = x_i W_i/(W_i + lambda), and |F| = grip gives lambda by Newton's
// method on 1/|F|, which converges from below (as for a trust region; Conn, Gould and Toint 2000,
// section 7.3). Inside the circle lambda is 0.
RUT_INLINE rutTyreForce rut_tyre_circle(double x, double y, double grip, double weight_x,
                                        double weight_y) {
  static const double LARGEST_MOVE = 1e100;  // of lambda; its square stays finite
  enum { PASSES = 6 };
  double lambda = 0.0, fx = x, fy = y;
  for (int k = 0; k < PASSES; k++) {
    const double size2 = fx * fx + fy * fy, size = rut_sqrt(size2);
    const double slope = fx * fx / (weight_x + lambda) + fy * fy / (weight_y + lambda);
    const double step = (size - grip) / rut_max(grip, RUT_LEAST_DIVISOR) * size2 /
                        rut_max(slope, RUT_LEAST_DIVISOR);
    lambda = rut_max(0.0, lambda + rut_clamp(step, -LARGEST_MOVE, LARGEST_MOVE));
    fx = x * weight_x / (weight_x + lambda);
    fy = y * weight_y / (weight_y + lambda);
  }
  const double scale = rut_min(1.0, grip / rut_max(rut_hypot(fx, fy), RUT_LEAST_DIVISOR));
  return (rutTyreForce){scale * fx, scale * fy};
}

// Limit of the force along the wheel beside the one across it, for a wheel whose forces x and y
// would end the slip and which gives `along` of x: what it gives where it slides, and what is left
// of the circle where it rolls.
RUT_INLINE double rut_tyre_circle_limit(double along, double y, double grip, double x) {
  const double left = rut_max(grip * grip - y * y, 0.0);
  return x * x > left ? rut_abs(along) : rut_sqrt(left);
}

// ---- outputs ----

#define RUT_TYRE_SLIP_VELOCITY_ROWS                                           \
  {"slip_velocity_x",                                                         \
   "m/s",                                                                     \
   "",                                                                        \
   "wheel",                                                                   \
   "of the tread over the ground along the wheel, positive forward: v - r w", \
   RUT_F64,                                                                   \
   false,                                                                     \
   RUT_MEANS_NOTHING},                                                        \
      {"slip_velocity_y",                                                     \
       "m/s",                                                                 \
       "",                                                                    \
       "wheel",                                                               \
       "of the tread over the ground to the left",                            \
       RUT_F64,                                                               \
       false,                                                                 \
       RUT_MEANS_NOTHING},

// Numbers of these; returns the place behind.
static inline double* rut_tyre_observe_slip(const rutTyreResult* in, double* out) {
  *out++ = in->vx - in->radius * in->speed;
  *out++ = in->vy;
  return out;
}

#define RUT_TYRE_FRICTION_ROWS                                                             \
  RUT_VARIABLE(friction_limit, "N", "largest force along the ground: friction times load") \
  RUT_VARIABLE(friction_utilisation, "",                                                   \
               "force along the ground over that limit: 1 as the wheel slides")

// Numbers of these, of a wheel with the force (fx, fy) and a friction coefficient of its own.
static inline double* rut_tyre_observe_friction(const rutTyreResult* in, double fx, double own,
                                                bool circle, double* out) {
  const double limit = rut_tyre_local(in->friction, own) * rut_max(in->load, 0.0);
  const double larger = rut_max(rut_abs(fx), rut_abs(in->fy));
  const double force = circle ? rut_hypot(fx, in->fy) : larger;
  *out++ = limit;
  *out++ = limit > 0.0 ? force / limit : 0.0;
  return out;
}

#endif  // RUT_TYRE_PATCH_H
