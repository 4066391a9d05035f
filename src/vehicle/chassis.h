// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 1 of an evaluation: the chassis. Where it is and how it moves, for each of its wheels, and
// the forces on it that do not come from them: drag of the air, and what steered wheels give back.
#ifndef RUT_VEHICLE_CHASSIS_H
#define RUT_VEHICLE_CHASSIS_H

#include "math/quat.h"
#include "vehicle/batch.h"
#include "vehicle/environment.h"
#include "vehicle/wheels.h"

// Rotation to the world, row-major, centre of mass (world), angular velocity, velocity; cosine and
// sine of the heading.
#define RUT_MOTION_ROWS(X) \
  X(r0)                    \
  X(r1)                    \
  X(r2)                    \
  X(r3)                    \
  X(r4)                    \
  X(r5)                    \
  X(r6)                    \
  X(r7) X(r8) X(px) X(py) X(pz) X(ox) X(oy) X(oz) X(ux) X(uy) X(uz) X(heading_cos) X(heading_sin)
typedef enum rutMotionRow {
#define X(name) RUT_MOTION_##name,
  RUT_MOTION_ROWS(X)
#undef X
      RUT_MOTION_COUNT
} rutMotionRow;

// Of each vehicle, [rows][lane], in chassis axes: X(name, rows). The first are those that wheels
// look at, RUT_MOTION_ROWS.
#define RUT_CHASSIS(X)                                                                     \
  X(motion, RUT_MOTION_COUNT)                                                              \
  /* gravity [m/s2] */                                                                     \
  X(gravity, 3) /* sum of the forces [N] and moments [N m] that do not come from wheels */ \
  X(force, 3)                                                                              \
  X(moment, 3) /* drag of the air times speed [W] */                                       \
  X(air, 1)    /* of the ground on the hull: force and moment, W of them, power at the     \
                  accelerations found */                                                   \
  X(hull_force, 6)                                                                         \
  X(hull_soft, RUT_SLIDERS_BODY)                                                           \
  X(hull_power, 1)                                                                         \
  X(hull_held, 1) /* of its springs at present [J]; accelerations, and the force along the \
                     linkage's coordinate that the steering gives it */                    \
  X(alpha, 3)                                                                              \
  X(acceleration, 3)                                                                       \
  X(effort, 1) /* into each term of the balance of energy [W] */                           \
  X(power, RUT_ENERGY_COUNT)

typedef struct rutChassis {
#define X(name, rows) double* name;
  RUT_CHASSIS(X)
#undef X
} rutChassis;

// Name of a row of the wheels e, in the stages of an evaluation.
#define W(name) RUT_WHEEL_ROW(e, name)
// Number of the motion of the vehicle that has wheel i of e.
#define V(name, i) \
  e.chassis[RUT_MOTION_##name * e.lanes + (e.lanes > 1 ? e.first % e.lanes + (i) : 0)]
// Number r of constants [rows][lane] of that vehicle.
#define OF_LANE(row, r, i) (row)[(r)*e.lanes + (e.lanes > 1 ? e.first % e.lanes + (i) : 0)]

// Motion of each chassis, and gravity in its axes.
RUT_INLINE void place_chassis(double gravity, const rutStageMotion* motion, int lanes,
                              const rutChassis* chassis) {
  static const double LEAST = 1e-12;  // level part of a heading, squared
  const double* restrict q = motion->q, * restrict v = motion->v;
  double* restrict to = chassis->motion, * restrict weight = chassis->gravity;
  RUT_FOR_LANES(l, lanes) {
    const rutMat3 r = rut_quat_matrix(
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]));
    rut_store_mat3(to + RUT_MOTION_r0 * lanes, lanes, l, r);
    rut_store_vec3(to + RUT_MOTION_px * lanes, lanes, l, rut_load_vec3(q, lanes, l));
    rut_store_vec3(to + RUT_MOTION_ox * lanes, lanes, l, rut_load_vec3(v, lanes, l));
    rut_store_vec3(to + RUT_MOTION_ux * lanes, lanes, l, rut_load_vec3(v + 3 * lanes, lanes, l));
    rut_store_vec3(weight, lanes, l,
                   rut_vec3(-gravity * r.m[6], -gravity * r.m[7], -gravity * r.m[8]));
    const double level = 1 / rut_sqrt(rut_max(r.m[0] * r.m[0] + r.m[3] * r.m[3], LEAST));
    to[RUT_MOTION_heading_cos * lanes + l] = r.m[0] * level;
    to[RUT_MOTION_heading_sin * lanes + l] = r.m[3] * level;
  }
}

// The first forces on the chassis: drag of the air, and the reaction of wheels that are steered.
RUT_INLINE void start_forces(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                             int lanes, const rutChassis* chassis) {
  static const double AIR_DENSITY = 1.225;  // [kg/m3]
  const double* restrict v = motion->v, * restrict reaction = RUT_SPATIAL_STATE(batch, reaction);
  const double half = 0.5 * AIR_DENSITY * batch->vehicle->drag_area, inverse = 1 / dt;
  double* restrict air = chassis->air, * restrict hull_power = chassis->hull_power;
  double* restrict force = chassis->force, * restrict moment = chassis->moment;
  RUT_FOR_LANES(l, lanes) {
    const double x = v[3 * lanes + l], y = v[4 * lanes + l], z = v[5 * lanes + l];
    const double f = -half * rut_sqrt(x * x + y * y + z * z);
    air[l] = f * (x * x + y * y + z * z);
    force[l] = f * x;
    force[lanes + l] = f * y;
    force[2 * lanes + l] = f * z;
    moment[l] = inverse * reaction[l];
    moment[lanes + l] = inverse * reaction[lanes + l];
    moment[2 * lanes + l] = 0;
    hull_power[l] = 0;
  }
}

#endif  // RUT_VEHICLE_CHASSIS_H
