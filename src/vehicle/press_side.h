// SPDX-License-Identifier: BSD-3-Clause
//
// Part of stages 9 and 11 of an evaluation: forces on the sides of tyres that stand against faces
// (vehicle/side.h). A spring and damper along the face's normal, stiffer where the rim comes to it,
// and friction, all as they are at the end of the step at the present speeds, with what
// accelerations change in W.
#ifndef RUT_VEHICLE_PRESS_SIDE_H
#define RUT_VEHICLE_PRESS_SIDE_H

#include "vehicle/accelerate.h"

// The rim is so much harder than the side of a tyre, and comes to the ground when the section is
// pressed in but for so much [m].
static const double RIM_RATIO = 7, RIM_REST = 0.02;
// Below this speed friction grows with it [m/s].
static const double SIDE_SLIDE = 0.02;

// A vector of the world in the axes of the chassis of wheel i.
RUT_INLINE rutVec3 to_chassis(rutWheels e, int i, rutVec3 v) {
  return rut_vec3(V(r0, i) * v.x + V(r3, i) * v.y + V(r6, i) * v.z,
                  V(r1, i) * v.x + V(r4, i) * v.y + V(r7, i) * v.z,
                  V(r2, i) * v.x + V(r5, i) * v.y + V(r8, i) * v.z);
}

// Velocity of the tyre's side where it is pressed, without the wheel's spin.
RUT_INLINE rutVec3 side_speed(rutWheels e, int i, rutVec3 arm) {
  const rutVec3 axis = rut_vec3(W(ax)[i], W(ay)[i], W(az)[i]);
  const rutVec3 turning = rut_vec3(W(cox)[i], W(coy)[i], W(coz)[i]);
  const rutVec3 across = rut_vec3_add_scaled(turning, -rut_vec3_dot(turning, axis), axis);
  return rut_vec3_add(rut_vec3(W(vhx)[i], W(vhy)[i], W(vhz)[i]), rut_vec3_cross(across, arm));
}

// Twice the energy of a side over its stiffness, per share, and the depth that has it.
RUT_INLINE double side_square(double depth, double rest) {
  const double rim = rut_max(depth - rest, 0);
  return depth * depth + RIM_RATIO * rim * rim;
}

RUT_INLINE double side_depth_of(double square, double rest) {
  if (!(square > rest * rest)) return rut_sqrt(rut_max(square, 0));
  // (1 + q) p^2 - 2 q r p + q r^2 = s, with the ratio q and the depth r at which the rim comes
  const double whole = 1 + RIM_RATIO, half = RIM_RATIO * rest;
  return (half + rut_sqrt(rut_max(whole * square - RIM_RATIO * rest * rest, 0))) / whole;
}

RUT_INLINE double rim_rest(const rutVehicleClass* vehicle, int own) {
  return rut_max(vehicle->section[own] - RIM_REST, 0);
}

// A face may be deep in a side at once, where the tyre comes down beside it, and has then more of
// the force the higher it is: the depth is what the energy tells that motion has brought, from the
// last step to the start of this one, or from there to a stage within it (vehicle/follow.h).
RUT_INLINE double paid_side(const rutEnvironment* world, const rutVehicleBatch* batch, double since,
                            rutWheels e, int i) {
  const int own = e.first + i;
  double* pressed = RUT_SPATIAL_STATE(batch, side_pressed) + own;
  double* part = RUT_SPATIAL_STATE(batch, side_part) + own;
  double* rate = RUT_SPATIAL_STATE(batch, side_rate) + own;
  const double depth = W(side_depth)[i], share = W(side_share)[i];
  const double rest = rim_rest(batch->vehicle, own), time = since > 0 ? since : world->dt;
  double paid = 0, closing = 0;
  if (depth > 0 && share > 0) {
    const rutVec3 arm = to_chassis(e, i, rut_vec3(W(side_x)[i], W(side_y)[i], W(side_z)[i]));
    const rutVec3 n = to_chassis(e, i, rut_vec3(W(side_nx)[i], W(side_ny)[i], 0));
    closing = -rut_vec3_dot(side_speed(e, i, arm), n);
    const bool held = *pressed > 0;
    const double end = rut_max(*pressed + time * (held ? 0.5 * (*rate + closing) : closing), 0);
    const double square = (held ? *part : share) * side_square(end, rest) / share;
    paid = world->step > 0 ? rut_min(depth, side_depth_of(square, rest)) : depth;
  }
  if (since > 0) return paid;
  *pressed = paid;
  *part = paid > 0 ? share : 0;
  *rate = closing;
  return paid;
}

// Take what is not paid for from the depths of a part's sides.
RUT_INLINE void follow_sides(const rutEnvironment* world, const rutVehicleBatch* batch,
                             const rutStageMotion* motion, rutWheels e) {
  const int wheels = batch->vehicle->wheels * batch->vehicle->lanes;
  for (int i = 0; i < e.width && e.first + i < wheels; i++) {
    W(side_depth)[i] = paid_side(world, batch, motion->since, e, i);
  }
}

// Force of a side, N along the normal and the friction, and the stiffness and damping of both.
typedef struct SideForce {
  rutVec3 force, normal;
  double stiff, slack;  // W along the normal, and across it
} SideForce;

RUT_INLINE SideForce side_force(const rutVehicleClass* vehicle, double h, rutWheels e, int i,
                                rutVec3 speed) {
  const int own = e.first + i;
  const double k = vehicle->side_stiffness * vehicle->stiffness[own], depth = W(side_depth)[i];
  const double rim = rut_max(depth - rim_rest(vehicle, own), 0);
  const double rate = W(side_share)[i] * k * (rim > 0 ? 1 + RIM_RATIO : 1);
  const double force = W(side_share)[i] * k * (depth + RIM_RATIO * rim);
  const double soft = h * rate + vehicle->side_damping * rate;
  const rutVec3 n = to_chassis(e, i, rut_vec3(W(side_nx)[i], W(side_ny)[i], 0));
  const double closing = -rut_vec3_dot(speed, n), load = rut_max(force + soft * closing, 0);
  const rutVec3 slide = rut_vec3_add_scaled(speed, closing, n);
  const double rub = vehicle->side_friction * load / rut_max(rut_vec3_norm(slide), SIDE_SLIDE);
  return (SideForce){.force = rut_vec3_add_scaled(rut_vec3_scale(n, load), -rub, slide),
                     .normal = n,
                     .stiff = load > 0 ? h * soft : 0,
                     .slack = h * rub};
}

RUT_INLINE void press_side(const rutVehicleClass* vehicle, double h, rutWheels e, int i) {
  const rutVec3 arm = to_chassis(e, i, rut_vec3(W(side_x)[i], W(side_y)[i], W(side_z)[i]));
  const SideForce s = side_force(vehicle, h, e, i, side_speed(e, i, arm));
  const rutVec3 f = s.force, n = s.normal, axis = rut_vec3(W(ax)[i], W(ay)[i], W(az)[i]);
  const rutVec3 whole = rut_vec3_cross(arm, f);
  // the wheel turns freely
  const rutVec3 m = rut_vec3_add_scaled(whole, -rut_vec3_dot(whole, axis), axis);
  const double more = s.stiff - s.slack;
  W(side_fx)[i] = f.x;
  W(side_fy)[i] = f.y;
  W(side_fz)[i] = f.z;
  W(side_mx)[i] = m.x;
  W(side_my)[i] = m.y;
  W(side_mz)[i] = m.z;
  W(side_xx)[i] = s.slack + more * n.x * n.x;
  W(side_yy)[i] = s.slack + more * n.y * n.y;
  W(side_zz)[i] = s.slack + more * n.z * n.z;
  W(side_xy)[i] = more * n.x * n.y;
  W(side_xz)[i] = more * n.x * n.z;
  W(side_yz)[i] = more * n.y * n.z;
  W(force_x)[i] += f.x;
  W(force_y)[i] += f.y;
  W(force_z)[i] += f.z;
  W(moment_x)[i] += m.x;
  W(moment_y)[i] += m.y;
  W(moment_z)[i] += m.z;
  W(wxx)[i] += W(side_xx)[i];
  W(wyy)[i] += W(side_yy)[i];
  W(wzz)[i] += W(side_zz)[i];
  W(wxy)[i] += W(side_xy)[i];
  W(wxz)[i] += W(side_xz)[i];
  W(wyz)[i] += W(side_yz)[i];
}

// Add the sides of a part to the forces on its hubs.
RUT_INLINE void press_sides(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                            rutWheels e) {
  for (int i = 0; i < e.width; i++) {
    if (W(side_depth)[i] > 0) press_side(vehicle, motion->implicit, e, i);
  }
}

// Power that they take, from the accelerations of hubs and chassis, to that of the tyres.
RUT_INLINE void add_side_power(const rutStageMotion* motion, const double* alpha, rutWheels e,
                               double* tyre) {
  for (int i = 0; i < e.width; i++) {
    if (!(W(side_depth)[i] > 0)) continue;
    const double middle = 0.5 * motion->implicit;
    const int l = e.lanes > 1 ? e.first % e.lanes + i : 0;
    const double ox = W(cox)[i] + middle * alpha[l];
    const double oy = W(coy)[i] + middle * alpha[e.lanes + l];
    const double oz = W(coz)[i] + middle * alpha[2 * e.lanes + l];
    const double ax = W(hub_x)[i], ay = W(hub_y)[i], az = W(hub_z)[i];
    const double fx = W(side_fx)[i] - W(side_xx)[i] * ax - W(side_xy)[i] * ay - W(side_xz)[i] * az;
    const double fy = W(side_fy)[i] - W(side_xy)[i] * ax - W(side_yy)[i] * ay - W(side_yz)[i] * az;
    const double fz = W(side_fz)[i] - W(side_xz)[i] * ax - W(side_yz)[i] * ay - W(side_zz)[i] * az;
    tyre[i] -= fx * (W(vhx)[i] + middle * ax) + fy * (W(vhy)[i] + middle * ay) +
               fz * (W(vhz)[i] + middle * az) + W(side_mx)[i] * ox + W(side_my)[i] * oy +
               W(side_mz)[i] * oz;
  }
}

// Rates of the depths of a part's sides at the end of the step.
RUT_INLINE void end_sides(const rutVehicleBatch* batch, const rutStageMotion* motion, rutWheels e) {
  double* rate = RUT_SPATIAL_STATE(batch, side_rate) + e.first;
  const int wheels = batch->vehicle->wheels * batch->vehicle->lanes;
  for (int i = 0; i < e.width && e.first + i < wheels; i++) {
    if (!(W(side_depth)[i] > 0)) continue;
    const rutVec3 n = to_chassis(e, i, rut_vec3(W(side_nx)[i], W(side_ny)[i], 0));
    rate[i] -= motion->implicit * (W(hub_x)[i] * n.x + W(hub_y)[i] * n.y + W(hub_z)[i] * n.z);
  }
}

// Add what their springs hold to that of their vehicles.
RUT_INLINE void hold_sides(const rutVehicleClass* vehicle, rutWheels e, double* held) {
  for (int i = 0; i < e.width; i++) {
    const double depth = W(side_depth)[i];
    if (!(depth > 0)) continue;
    const int own = e.first + i, l = e.lanes > 1 ? e.first % e.lanes + i : 0;
    held[l] += 0.5 * W(side_share)[i] * vehicle->side_stiffness * vehicle->stiffness[own] *
               side_square(depth, rim_rest(vehicle, own));
  }
}

#endif  // RUT_VEHICLE_PRESS_SIDE_H
