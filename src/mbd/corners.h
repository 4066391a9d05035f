// SPDX-License-Identifier: BSD-3-Clause
//
// A chassis that moves freely and carries wheels on mechanisms of one degree of freedom each: the
// O(N) dynamics of that tree in closed form, every mechanism a compound joint (constraint
// embedding, Jain, Nonlinear Dynamics 67, 2012). Wheels may be coupled by shafts, and a steering
// linkage may move as it is told.
//
// Entries of arrays and tiles are as in mbd/sliders.h.
#ifndef RUT_MBD_CORNERS_H
#define RUT_MBD_CORNERS_H

#include "mbd/sliders.h"
#include "rut/component.h"

// Forces and motion, body axes; see rutSlidersIn for what has the same name there.
typedef struct rutCornersIn {
  rutChassisIn chassis;
  size_t stride;
  const double* corner;        // rows of RUT_CORNER_ROWS, each `n` of the tile wide
  const double* mass;          // [n] of each mechanism without the wheel [kg]
  const double* steer_gain;    // [n] 1 where the wheel hangs on the linkage
  const double* steer_change;  // [lane] s'' of the linkage
  rutWheelForces wheel;
  const double* drive;  // torque on the wheel from the chassis [N m]
  // Shafts (rutDriveType.couple): shaft_ratio [shaft][n], inverse_inertia and the correction of
  // their speed [shaft][lane] (shafts that cannot turn). A torque T on a wheel changes its spin by
  // T spin_yield and puts a force T spin_force on its hub along `along`. Without T the spin changes
  // by spin_free + spin_force a, a being the hub's acceleration along `along`, and by spin_turn per
  // angular acceleration about the axis.
  int shafts;
  const double *shaft_ratio, *inverse_inertia, *correction;
  const double *spin_yield, *spin_force, *spin_free, *spin_turn;
} rutCornersIn;

typedef struct rutCornersOut {
  double *alpha, *acceleration;   // as in rutSlidersOut
  double* slide;                  // [n] q''
  double *hub_x, *hub_y, *hub_z;  // per tile: acceleration of the hubs, body axes [m/s2]
  double* about;   // per tile: angular acceleration of the carrier about the axis [rad/s2]
  double* shaft;   // per tile: torque of the shafts on the wheel [N m]
  double* effort;  // [lane] force along s that the steering gives the linkage
} rutCornersOut;

size_t rut_corners_scratch(const rutSliders* vehicle);

// Accelerations. With x = (A, alpha) of the chassis, a corner's bodies and its wheel have the
// inertia L against the chassis, F = (q_v, q_w) of q against it and D = qq of q alone, each with
// the wheel's M + W, J at the hub:
//   L x + F q'' + p = 0 (chassis's part),  F . x + D q'' + p_q = lift - soft q''
// so that q'' = (lift - p_q - F . x)/(D + soft), and the chassis sees L - F F^T/(D + soft).
//
// Shafts give the torques -sum shaft_ratio lambda; with B the force of a unit lambda on the chassis
// and M the matrix of the six equations, (1/J + Y + B^T M^-1 B) lambda = C - B^T M^-1 P, where C is
// the change of the shaft's speed without it and Y what it changes with the chassis held.
void rut_corners_accelerate(const rutSliders* vehicle, const rutCornersIn* in, double* scratch,
                            const rutCornersOut* out);

#endif  // RUT_MBD_CORNERS_H
