// SPDX-License-Identifier: BSD-3-Clause
//
// A chassis that moves freely and carries wheels on slides along its z axis: the O(N) dynamics of
// that tree in closed form.
//
// The wheel carriers of one or eight vehicles are one array: carrier w of lane l stands at
// [w * lanes + l]. They are worked through in tiles of eight, or of four where there are four, each
// a vector loop.
#ifndef RUT_MBD_SLIDERS_H
#define RUT_MBD_SLIDERS_H

#include <stddef.h>

enum { RUT_SLIDERS_BODY = 21, RUT_SLIDERS_TILE = 8 };

// Constants of each carrier: X(name, unit, sentence).
#define RUT_CARRIER_CONSTANTS(X)                                                  \
  X(x, "m", "hub from the chassis's centre of mass at slide position 0, forward") \
  X(y, "m", "hub from the chassis's centre of mass, to the left")                 \
  X(z, "m", "hub from the chassis's centre of mass at slide position 0, up")      \
  X(slides, "", "1; 0 where the slide does not move by forces (massless wheels)") \
  X(wheel_mass, "kg", "mass that slides")                                         \
  X(spin, "kg m2", "moment of inertia of the wheel about its axis")               \
  X(transverse, "kg m2", "moment of inertia of the wheel about its diameters")

// Constants of one kind of vehicle. Arrays have an entry per carrier and lane.
typedef struct rutSliders {
  int wheels;             // carriers of one vehicle
  int lanes;              // 1 or 8
  int n;                  // entries of the arrays, at least wheels * lanes: 4, or a multiple of 8
  const double* mass;     // [lane] of the chassis [kg]
  const double* inertia;  // [6][lane] of the chassis about its centre of mass: xx yy zz xy xz yz
                          // [kg m2]
#define X(name, unit, doc) const double* name;
  RUT_CARRIER_CONSTANTS(X)
#undef X
} rutSliders;

// Per carrier and lane, each tile `stride` behind the one before it; body axes. W is what a change
// of the hub's acceleration does to the force on it, -W times that change: step x damping + step^2
// x stiffness of tyre and ground, so that stiff ones may be as stiff as they like (linearly
// implicit Euler). 0 for other integrators.
typedef struct rutWheelForces {
  const double* momentum;  // of spin about the wheel's axis against the world [kg m2/s]
  const double* held;      // inertia about it that turns with the chassis: a locked wheel
  // Force on the hub along `along` per angular acceleration of the chassis about the axis, and
  // moment on the chassis about the axis per acceleration of the hub along it: geared rotors and
  // locked wheels do that.
  const double* coupling;
  const double *along_x, *along_y, *along_z;
  const double *fx, *fy, *fz;  // force on the wheel without gravity, at the hub [N]
  const double *mx, *my, *mz;  // moment on the wheel about the hub [N m]
  const double* torque;        // on the wheel about its axis, from the carrier [N m]
  const double* lift;          // force along the coordinate, positive up, from the chassis
  const double* soft;          // step x damping + step^2 x stiffness along it
  const double *wxx, *wyy, *wzz, *wxy, *wxz, *wyz;
} rutWheelForces;

// Motion of the chassis and what acts on it, body axes.
typedef struct rutChassisIn {
  const double* omega;    // [3][lane] angular velocity of the chassis [rad/s]
  const double* gravity;  // [3][lane] [m/s2]
  const double* force;    // [3][lane] on the chassis, at its centre of mass [N]
  const double* moment;   // [3][lane] on the chassis [N m]
  // [RUT_SLIDERS_BODY][lane]: W of what touches the chassis itself, in its six equations. With
  // forces -w a at points p, sums of w (xx yy zz xy xz yz), of p~ w (row by row), of p~ w p~^T (as
  // w). Nullable.
  const double* soft_body;
} rutChassisIn;

// Forces and motion, body axes.
typedef struct rutSlidersIn {
  rutChassisIn chassis;
  // per carrier and lane
  const double *position, *speed;  // of the slide, positive up [m], [m/s]
  size_t stride;                   // from a tile to the next in what follows and the hubs found
  const double *axis_x, *axis_y;   // of the wheel's spin (unit vector, z is 0)
  rutWheelForces wheel;
} rutSlidersIn;

typedef struct rutSlidersOut {
  double* alpha;         // [3][lane] angular acceleration of the chassis, body axes [rad/s2]
  double* acceleration;  // [3][lane] of the chassis's centre of mass, body axes [m/s2]
  double* slide;         // [n] [m/s2]
  double *hub_x, *hub_y, *hub_z;  // per tile: acceleration of the hubs, body axes [m/s2]
} rutSlidersOut;

// Doubles of scratch for the call below.
size_t rut_sliders_scratch(const rutSliders* vehicle);

// Accelerations. The spin accelerates by itself, (torque + moment along the axis) / inertia, and is
// the caller's.
//
// With A the chassis's acceleration and r the hub from its centre of mass, a hub accelerates with
//   a = A + alpha x r + c + e s",  c = omega x (omega x r) + 2 omega x e s',
// where e is the slide. The carrier obeys (m + W) a = F + m g + f, f being the force of the
// chassis on it, whose part along e is lift - soft s". Eliminating s" leaves f = B (A + alpha x r +
// c) + b with B = M - U U^T / (e U + soft), M = m + W, U = M e, so that the chassis sees carriers
// that are heavy across the slide only. Source: Featherstone 2008, chapter 7, for this tree.
//
// A coupling k along t adds k t (axis . alpha) to f and k t . a to the moment about the axis.
// Eliminating s" as well leaves f + p (axis . alpha) and p . (A + alpha x r + c) + h (axis . alpha)
// with p = k (t - U t.e / D), h = -(k t.e)^2 / D, D = e U + soft.
void rut_sliders_accelerate(const rutSliders* vehicle, const rutSlidersIn* in, double* scratch,
                            const rutSlidersOut* out);

#endif  // RUT_MBD_SLIDERS_H
