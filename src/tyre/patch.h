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

// Fields that end the table of each of these tyres, in this order.
#define RUT_TYRE_COMBINED_ROW \
  {"combined", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0, "Limit the whole force, not its parts."},
#define RUT_TYRE_VARIANT_ROW(doc) \
  {"variant", "", RUT_CHOICE, 1, 0, 0, 1, "corrected|as_published", 0, doc},
enum { RUT_TYRE_CORRECTED, RUT_TYRE_AS_PUBLISHED };

// Number of the place if there is one, else the tyre's own.
RUT_INLINE double rut_tyre_local(double place, double own) { return place == place ? place : own; }

// Mass [kg] that presses on the wheel with this load: gravity normal to the ground is what is left
// of it beside the parts gx and gy along the ground.
RUT_INLINE double rut_tyre_mass(double load, double gravity, double gx, double gy) {
  const double normal = gravity * gravity - gx * gx - gy * gy;
  return load / rut_max(rut_sqrt(rut_max(normal, 0.0)), 1e-6);
}

// Torque [N m] that resists the spin: bearing damping, and rolling resistance C N R of the tyre's
// hysteresis. tanh stands for the sign, and a wheel at rest feels none.
RUT_INLINE double rut_tyre_spin(double speed, double damping, double rolling, double load,
                                double radius) {
  const double hysteresis = rolling * load * radius * rut_tanh(100.0 * speed);
  return -damping * speed - (rut_abs(speed) > 1e-4 ? hysteresis : 0.0);
}

// Force [N] along the wheel that leaves no slip at the end of the step. The wheel obeys
// I (w1 - w)/dt = Q - R F with all torques Q but the ground's; rolling without slip asks for
// w1 = v/R, hence F = (Q - I (v/R - w)/dt)/R.
RUT_INLINE double rut_tyre_rolling_force(double torque, double inertia, double vx, double speed,
                                         double radius, double dt) {
  return (torque - inertia * (vx / radius - speed) / dt) / radius;
}

// Force [N] across the wheel that stops side slip, and holds against gravity, within one step.
RUT_INLINE double rut_tyre_stopping_force(double mass, double vy, double gy, double dt) {
  return -mass * (vy / dt + gy);
}

// Part of gravity along the wheel that the published models cancel with the grip left over. It
// makes every wheel act as if braked; kept only for comparison with them.
RUT_INLINE double rut_tyre_published_hold(double mass, double gx, double grip, double fx) {
  const double left = rut_max(grip - rut_abs(fx), 0.0);
  return -rut_clamp(mass * gx, -left, left);
}

#endif  // RUT_TYRE_PATCH_H
