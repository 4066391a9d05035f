// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that roll on a plane, found together with the motion of the body that they carry. Symbols
// are those of the equations in rolling.c.
#ifndef RUT_MBD_ROLLING_H
#define RUT_MBD_ROLLING_H

enum { RUT_ROLLING_WHEELS = 16, RUT_ROLLING_LANES = 8, RUT_ROLLING_INPUTS = 2 };

// Arrays are [wheel][lane], or [input][lane], unless said.
typedef struct rutRolling {
  int wheels;
  int left, right;  // wheels that demands look at: 0 at the left one and 1 at the right one, a
                    // single demand at the mean of both
  const double *mass, *yaw_inertia;  // [lane]
  const double *x, *y;               // of the hubs from the centre of mass, vehicle axes [m]
  const double *cosine, *sine;       // of the wheels' yaw in the vehicle
  const double* radius;              // r [m]
  const double* inverse_radius;      // 1/r [1/m]
  const double* mass_of_spin;        // I/r^2 [kg]
  const double* speed_per_torque;    // h/I [1/(N m s)]
  const double *velocity, *speed;    // of the hub along the wheel [m/s], of the wheel [rad/s]
  const double* spin;                // torque on the wheel beside drive and ground [N m]
  const double *roll, *limit;        // R_i with the torques as they are, and L_i [N]
  const double *across, *drag;       // other forces on the hub, across and along the wheel [N]
  const double* gravity;             // [2][lane] on the whole body, vehicle axes [m/s2]
  const double* demand;              // that `torque` has come from
  const double *still, *rate, *low, *high;  // of the demands, as in rutDemandLine
  const double* gain;                       // [input][wheel][lane] torque per demand
  double dt;
  double* along;   // force along the wheel: that at the start of the step, then that at its end [N]
  double* torque;  // of the drive, likewise [N m]
  double* acceleration;  // [3][lane] gets that of the body, vehicle axes [m/s2, rad/s2]
  double* speed_change;  // gets that of the wheels in the step [rad/s]
} rutRolling;

// Straight: no wheel stands at an angle to the vehicle, so that the motion across it does not
// matter, and the unknowns are two. Lanes: 1 or RUT_ROLLING_LANES.
typedef struct rutRollingSize {
  int inputs, straight, lanes;
} rutRollingSize;

// Forces, torques and accelerations of the step.
void rut_rolling_solve(const rutRolling* rolling, rutRollingSize size);
// The same for wheels that take the hub's velocity at the start of the step: their forces stay. But
// a sliding wheel whose demand is that of the start as well answers an error of its speed with
// 1 - rate h/I of it: its swings do not die out from rate h/I = 2 on. From 1.9 on, where a step
// leaves nine tenths of them, the demand is that of the end of the step.
void rut_rolling_follow(const rutRolling* rolling, rutRollingSize size);

#endif  // RUT_MBD_ROLLING_H
