// SPDX-License-Identifier: BSD-3-Clause
//
// One vehicle in three formulations of its equations of motion, for comparison: a car of 15 degrees
// of freedom with four double wishbones (chassis 6, one coordinate per corner, four wheel spins,
// and a steering linkage that moves as it is told: 14 free and 1 prescribed).
//   embedded   minimal coordinates, each corner a compound joint: the one that rut steps with
//   augmented  spanning tree with cut joints, whose forces are multipliers
//   absolute   every body by itself, every joint a constraint, sparse equations
// Source of the comparison: Jayakumar, Jain, Poplawski, Quadrelli, Cameron, Raymond, "Advanced
// Mobility Testbed for Dynamic Semi-Autonomous Unmanned Ground Vehicles", table 1 (there CE, TA and
// FA).
#ifndef FORM_FORMULATIONS_H
#define FORM_FORMULATIONS_H

#include <stdbool.h>

#include "math/quat.h"
#include "suspension/corner_sums.h"

enum { FORM_CORNERS = 4, FORM_TABLE = 12 };  // corners: front left, front right, rear left, right

// Force over a length that is pressed in, piecewise linear.
typedef struct formTable {
  int n;
  double x[FORM_TABLE], force[FORM_TABLE];  // [m], [N]
} formTable;

// A double wishbone in its design position: points from the chassis's centre of mass in its axes
// [m], masses [kg], inertias about the centres of mass in the same axes [kg m2].
typedef struct formCorner {
  double side, gain;  // 1 left, -1 right; 1 where the tie rod hangs on the steering linkage
  rutVec3 hub, upper_front, upper_rear, upper_ball, upper_com;
  rutVec3 lower_front, lower_rear, lower_ball, lower_com, upright_com;
  rutVec3 spring_top, spring_foot, damper_top, damper_foot, tie_inner, tie_outer;
  // Pivot axes, positive turns lift the ball joints, and the feet of the ball joints on them.
  rutVec3 upper_axis, upper_foot, lower_axis, lower_foot;
  rutSym3 upper_inertia, lower_inertia, upright_inertia;
  formTable spring;  // over compression; its last pieces go on
  double free_length, bump_length, rebound_length;
  double compression, rebound, zone_compression, zone_rebound;  // damper rates [N s/m]
} formCorner;

typedef struct formVehicle {
  double gravity;  // [m/s2], against the world's z
  double mass;     // of the chassis [kg]
  rutSym3 inertia;
  double upper_mass, lower_mass, upright_mass, rod_mass, wheel_mass;
  double upper_moment[3], lower_moment[3], upright_moment[3];
  double wheel_spin, wheel_transverse;  // moments of inertia of a wheel [kg m2]
  double wheel_radius;                  // [m]
  rutVec3 com;                          // of the chassis, from the vehicle's reference point [m]
  rutVec3 arm, axis;                    // steering arm, and the unit axis it turns about
  double zone_short, zone_long;         // lengths outside which the dampers' zones begin [m]
  formTable stop;                       // over the depth a stop is pressed in
  formCorner corner[FORM_CORNERS];
} formVehicle;

// The HMMWV of Project Chrono (BSD-3-Clause), its tie rods slender bodies of 6 kg.
void form_hmmwv(formVehicle* vehicle);

// Motion of the steering linkage: its coordinate [rad] and the rates of it.
typedef struct formSteer {
  double s, rate, change;
} formSteer;

// State in minimal coordinates.
typedef struct formState {
  rutVec3 position, velocity;                  // of the chassis's centre of mass, world axes
  rutQuat attitude;                            // of the chassis
  rutVec3 omega;                               // chassis axes
  double q[FORM_CORNERS], rate[FORM_CORNERS];  // of the lower arms [rad], positive upwards
  double spin[FORM_CORNERS];  // of the wheels about their axes, against the world [rad/s]
} formState;

// Hubs in world axes, [component][corner].
typedef struct formHubs {
  double position[3 * FORM_CORNERS], velocity[3 * FORM_CORNERS], axis[3 * FORM_CORNERS];
  double spin[FORM_CORNERS];
} formHubs;

// Forces in world axes beside gravity: on the chassis at its centre of mass, on the wheels at their
// hubs [N], [N m]. Torques on the wheels about their axes [N m]: from the carrier, and from the
// chassis. Springs and dampers are the formulations' own.
typedef struct formForces {
  rutVec3 force, moment;
  double hub_force[3 * FORM_CORNERS], hub_moment[3 * FORM_CORNERS];
  double torque[FORM_CORNERS], drive[FORM_CORNERS];
} formForces;

// Accelerations, in chassis axes: of the chassis's centre of mass, of the hubs, angular ones of the
// chassis and the wheel carriers, all against the world; q'' and the wheels' spins.
typedef struct formAcceleration {
  rutVec3 linear, angular, hub[FORM_CORNERS], carrier[FORM_CORNERS];
  double slide[FORM_CORNERS], spin[FORM_CORNERS];
} formAcceleration;

// A formulation. Calls of one evaluation, in this order: update, hubs, apply, accelerate.
typedef struct formMethod {
  const char *name, *doc;
  int coordinates, constraints;  // that differ by 14, the free ones of the vehicle
  int equations;                 // of the largest system that is solved at once
  // Nullable result: the library that it needs is not there.
  void* (*make)(const formVehicle* vehicle);
  void (*destroy)(void* self);
  void (*set)(void* self, const formState* state, const formSteer* steer);
  void (*get)(const void* self, formState* state);
  void (*update)(void* self, const formSteer* steer);  // what follows from positions and speeds
  void (*hubs)(const void* self, formHubs* hubs);
  void (*apply)(void* self, const formForces* forces);
  void (*accelerate)(void* self);
  void (*result)(const void* self, formAcceleration* out);
  void (*integrate)(void* self, double h);  // semi-implicit Euler
  double (*closure)(const void* self);      // largest gap in a joint [m], or [1] of directions
} formMethod;

extern const formMethod form_embedded, form_augmented_by_corner, form_augmented_together;
extern const formMethod form_absolute_ldl, form_absolute_klu;

// Signs of the pivots with which absolute_ldl has solved last.
void form_absolute_pivots(const void* self, int* positive, int* negative);

// Rate at which augmented and absolute pull gaps in joints together (Baumgarte) [1/s].
#define FORM_STABILISATION 50.0

// ---- what the formulations share ----

// Force of spring and stops that pushes the ends of a strut of this length apart, and of a damper
// [N]; rate of length [m/s], positive when it lengthens.
double form_spring(const formVehicle* vehicle, const formCorner* corner, double length);
double form_damper(const formVehicle* vehicle, const formCorner* corner, double length,
                   double rate);
// Forces of a road on the wheels: waves under each wheel, a tyre that carries load by a spring and
// saturates with slip. Smooth, so that formulations can be compared after many steps.
void form_road(const formVehicle* vehicle, const formHubs* hubs, formForces* forces);
// The drive that is compared: how the linkage moves, and torques of the engine.
formSteer form_drive(double time, formForces* forces);
formState form_start(void);

// Inner end of a tie rod, chassis axes, with its first and second rate.
typedef struct formEnd {
  rutVec3 at, rate, change;
} formEnd;
RUT_INLINE formEnd form_inner_end(rutVec3 design, rutVec3 arm, rutVec3 along, double gain,
                                  const formSteer* steer, double sine, double cosine) {
  const rutVec3 turned = rut_vec3_add(rut_vec3_scale(arm, cosine), rut_vec3_scale(along, sine));
  const rutVec3 across = rut_vec3_sub(rut_vec3_scale(along, cosine), rut_vec3_scale(arm, sine));
  const rutVec3 swing = rut_vec3_add_scaled(rut_vec3_scale(across, steer->change),
                                            -steer->rate * steer->rate, turned);
  return (formEnd){rut_vec3_add_scaled(design, gain, rut_vec3_sub(turned, arm)),
                   rut_vec3_scale(across, gain * steer->rate), rut_vec3_scale(swing, gain)};
}

// Pose and motion of a body against the chassis, in chassis axes: `turn` takes design directions to
// those of now.
typedef struct formPose {
  rutVec3 com, velocity, turning;
  rutMat3 turn;
} formPose;
enum { FORM_LOWER, FORM_UPPER, FORM_UPRIGHT, FORM_ROD, FORM_MEMBERS };
// The closed kinematics of the embedded formulation, from which the others are put together.
enum { FORM_CONSTANTS = 512 };
typedef struct formKinematics {
  double constant[FORM_CONSTANTS * FORM_CORNERS];
} formKinematics;
bool form_kinematics(const formVehicle* vehicle, formKinematics* kinematics);
// Bodies of one corner.
void form_members(const formKinematics* kinematics, const formVehicle* vehicle, int corner,
                  double q, double rate, const formSteer* steer, formPose out[FORM_MEMBERS]);

#endif  // FORM_FORMULATIONS_H
