// SPDX-License-Identifier: BSD-3-Clause
//
// The forces of an evaluation are straight lines over the hub's acceleration. That of a guided hub
// is known along the ground, and upwards where its height is told. Where a load L presses it down
// with the mass m and a damper c of the guide, its upward acceleration a obeys
//   m a = F(a) - L - c (v + h a),
// F(a) = F(0) + (F(1) - F(0)) a being the upward force of the ground.
#include "vehicle/guide.h"

#include "math/quat.h"
#include "vehicle/integrate.h"
#include "vehicle/observe.h"
#include "vehicle/report.h"
#include "vehicle/traction.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Times that the forces of a step are found, a wheel that would pull on the ground letting go.
enum { RELEASES = 3 };

// ---- the hub ----

static rutQuat attitude_of(const double* q) { return rut_quat(q[3], q[4], q[5], q[6]); }

// From the chassis's centre of mass, in its axes.
static rutVec3 arm_of(const rutVehicleBatch* batch) {
  const rutSliders* b = &batch->vehicle->body;
  return rut_vec3(b->x[0], b->y[0], b->z[0] + ROW(q)[RUT_CHASSIS_POSITIONS]);
}

void rut_guide_read(const rutVehicleBatch* batch, rutVec3* place, rutVec3* velocity) {
  const double *q = ROW(q), *v = ROW(v);
  const rutQuat attitude = attitude_of(q);
  const rutVec3 arm = arm_of(batch), omega = rut_vec3_of(v);
  const rutVec3 slide = rut_vec3(0, 0, v[RUT_CHASSIS_SPEEDS]);
  const rutVec3 own = rut_vec3_add(rut_vec3_of(v + 3), rut_vec3_cross(omega, arm));
  *place = rut_vec3_add(rut_vec3_of(q), rut_quat_rotate(attitude, arm));
  *velocity = rut_quat_rotate(attitude, rut_vec3_add(own, slide));
}

// Put the chassis where the hub is to be, the wheel at its design position.
static void put_hub(const rutVehicleBatch* batch, rutVec3 place, rutVec3 velocity,
                    const rutGuide* g, double heading) {
  double *q = ROW(q), *v = ROW(v);
  const rutQuat attitude = rut_quat_of_rpy(g->inclination, 0, heading);
  const rutQuat back = rut_quat_conjugate(attitude);
  q[RUT_CHASSIS_POSITIONS] = 0;
  v[RUT_CHASSIS_SPEEDS] = 0;
  const rutVec3 arm = arm_of(batch), omega = rut_quat_rotate(back, rut_vec3(0, 0, g->yaw_rate));
  const rutVec3 at = rut_vec3_sub(place, rut_quat_rotate(attitude, arm));
  const rutVec3 linear = rut_vec3_sub(rut_quat_rotate(back, velocity), rut_vec3_cross(omega, arm));
  const double wxyz[4] = {attitude.w, attitude.x, attitude.y, attitude.z};
  rut_vec3_put(at, q);
  for (int i = 0; i < 4; i++) q[3 + i] = wxyz[i];
  rut_vec3_put(omega, v);
  rut_vec3_put(linear, v + 3);
}

// ---- forces ----

// A vector of the chassis's axes in the world.
static rutVec3 to_world(rutWheels e, rutVec3 a) {
  return rut_vec3(V(r0, 0) * a.x + V(r1, 0) * a.y + V(r2, 0) * a.z,
                  V(r3, 0) * a.x + V(r4, 0) * a.y + V(r5, 0) * a.z,
                  V(r6, 0) * a.x + V(r7, 0) * a.y + V(r8, 0) * a.z);
}

static void accelerate(rutWheels e, rutVec3 acceleration) {
  const rutVec3 own = to_chassis(e, 0, acceleration);
  for (int i = 0; i < e.width; i++) {
    W(hub_x)[i] = own.x;
    W(hub_y)[i] = own.y;
    W(hub_z)[i] = own.z;
  }
}

// What a face beside the tyre presses, at the hub's acceleration.
static rutVec3 side_of(const rutVehicleClass* vehicle, rutWheels e) {
  if (!vehicle->envelops || !(*W(side_depth) > 0)) return rut_vec3(0, 0, 0);
  const double ax = *W(hub_x), ay = *W(hub_y), az = *W(hub_z);
  const double fx = *W(side_fx) - *W(side_xx) * ax - *W(side_xy) * ay - *W(side_xz) * az;
  const double fy = *W(side_fy) - *W(side_xy) * ax - *W(side_yy) * ay - *W(side_yz) * az;
  const double fz = *W(side_fz) - *W(side_xz) * ax - *W(side_yz) * ay - *W(side_zz) * az;
  return rut_vec3(fx, fy, fz);
}

// Of the ground on the wheel in the chassis's axes, as spin_wheel has found it.
static rutVec3 force_of(const rutVehicleClass* vehicle, rutWheels e) {
  const double x = *W(out_x), y = *W(out_y), n = *W(out_n);
  const rutVec3 patch =
      rut_vec3(x * *W(tx) + y * *W(sx) + n * *W(nx), x * *W(ty) + y * *W(sy) + n * *W(ny),
               x * *W(tz) + y * *W(sz) + n * *W(nz));
  return rut_vec3_add(patch, side_of(vehicle, e));
}

// Upward force at an acceleration of the hub.
static double lift_at(const rutVehicleClass* vehicle, const rutStageMotion* motion, rutWheels e,
                      rutVec3 acceleration) {
  accelerate(e, acceleration);
  spin_wheel(motion, e, 0);
  return to_world(e, force_of(vehicle, e)).z;
}

// The acceleration that guide and load give the hub.
static rutVec3 find_acceleration(const rutVehicleBatch* batch, const rutStageMotion* motion,
                                 const rutGuide* g, rutWheels e) {
  rutVec3 a = g->acceleration;
  if (!g->loaded) return a;
  a.z = 0;
  const double still = lift_at(batch->vehicle, motion, e, a);
  a.z = 1;
  const double slope = lift_at(batch->vehicle, motion, e, a) - still;
  const double h = motion->implicit, c = g->damping;
  a.z = (still - g->load - c * g->velocity.z) / (g->mass + c * h - slope);
  return a;
}

// A spin that is given does not follow the forces.
static void hold_spin(double rate, rutWheels e) {
  for (int i = 0; i < e.width; i++) {
    W(spin_known)[i] = rate;
    W(spin_share)[i] = W(spin_turn)[i] = W(spin_yield)[i] = W(locked)[i] = 0;
  }
}

// Loads and forces of the wheel, and the acceleration of the hub.
static rutVec3 find_motion(const rutEnvironment* world, const rutVehicleBatch* batch,
                           const rutStageMotion* motion, const rutWork* work, const rutGuide* g,
                           rutWheels e) {
  static const double still[3 * RUT_MBD_LANES] = {0};
  const rutVehicleClass* vehicle = batch->vehicle;
  int soil[RUT_WHEEL_TILE];
  rutVec3 a = rut_vec3(0, 0, 0);
  place_chassis(world->gravity, motion, 1, &work->chassis);
  meet_ground(world, batch, motion, &work->look, e);
  find_soils(world, batch, motion->spin, soil, e);
  load_wheels(world, batch, motion, e);
  rut_wheel_traction(world, batch, motion, soil, e);
  start_push(batch, e);
  turn_slides(still, e);
  for (int pass = 0; pass < RELEASES; pass++) {
    find_forces(world, batch, motion, e);
    if (vehicle->envelops) press_sides(vehicle, motion, e);
    press_walls(world, e);
    if (g->spins) hold_spin(g->spin_rate, e);
    a = find_acceleration(batch, motion, g, e);
    accelerate(e, a);
    for (int i = 0; i < e.width; i++) spin_wheel(motion, e, i);
    add_wall_power(world, motion, e, W(out_y), W(p_rolling));
    if (!release(e)) break;
  }
  return a;
}

// ---- results ----

// Where the wheel's plane meets the ground under the hub, from the hub, in the chassis's axes. A
// wheel that lies flat has the nearest ground there.
static rutVec3 contact_arm(rutWheels e) {
  const rutVec3 n = rut_vec3(*W(nx), *W(ny), *W(nz)), axis = rut_vec3(*W(ax), *W(ay), *W(az));
  const double sine = *W(sin_inclination), in = 1 - sine * sine;
  if (!(in > RUT_FLAT)) return rut_vec3_scale(n, -*W(distance));
  return rut_vec3_scale(rut_vec3_add_scaled(n, -sine, axis), -*W(distance) / in);
}

static void tell_forces(const rutVehicleBatch* batch, rutWheels e, rutGuided* out) {
  const rutVec3 t = rut_vec3(*W(tx), *W(ty), *W(tz)), s = rut_vec3(*W(sx), *W(sy), *W(sz));
  const rutVec3 n = rut_vec3(*W(nx), *W(ny), *W(nz));
  const bool found = *W(distance) < RUT_NO_GROUND;
  const rutVec3 contact = found ? contact_arm(e) : rut_vec3(0, 0, 0);
  const rutVec3 force = force_of(batch->vehicle, e);
  const rutVec3 arm = rut_vec3_sub(rut_vec3(*W(dx), *W(dy), *W(dz)), contact);
  const rutVec3 moved = found ? rut_vec3_cross(arm, force) : rut_vec3(0, 0, 0);
  const double twists = batch->vehicle->twists ? 1 - *W(released) : 0;
  const double over = twists > 0 ? *W(overturning) : 0, align = twists > 0 ? *W(aligning) : 0;
  out->force = to_world(e, force);
  out->contact = to_world(e, contact);
  out->fx = rut_vec3_dot(force, t);
  out->fy = rut_vec3_dot(force, s);
  out->fz = rut_vec3_dot(force, n);
  out->drag = *W(drag);
  out->slip_force = *W(out_x) - out->drag;
  out->loaded_radius = rut_vec3_norm(contact);
  out->rolling_radius = *W(rolling_radius);
  out->mx = over + rut_vec3_dot(moved, t);
  out->mz = align + rut_vec3_dot(moved, n);
  // what turns the wheel is the push at the rolling radius
  out->my = found ? out->fx * out->loaded_radius - out->slip_force * out->rolling_radius : 0;
}

static void tell_soil(rutWheels e, rutGuided* out) {
  const bool soft = *W(deformable) > 0;
  out->depth = rut_max(*W(depth), 0);
  out->deflection = rut_max(soft ? *W(deflection_end) : *W(deflection), 0);
  out->sinkage = soft ? rut_max(*W(sinkage), 0) : 0;
  const bool in = soft && *W(load) > 0;
  out->rut = in ? *W(rut) : 0;
  out->pressed = in ? *W(pressed) : 0;
}

// ---- the step ----

void rut_guide_step(const rutEnvironment* world, const rutVehicleBatch* batch,
                    const rutGuide* guide, void* memory, rutGuided* out) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutWork work = rut_work_of(vehicle, memory);
  const rutWheels e = rut_tile(rut_tiles_of(batch, &work), 0);
  const double h = world->dt;
  double* spin = ROW(v) + RUT_CHASSIS_SPEEDS + vehicle->pad;
  double* angle = ROW(q) + RUT_CHASSIS_POSITIONS + vehicle->pad;
  rutStageMotion motion = rut_stage_motion(vehicle, ROW(q), ROW(v), work.sum);
  motion.patch_x = SPATIAL(slip_x);
  motion.patch_y = SPATIAL(slip_y);
  motion.implicit = h;
  motion.commit = true;
  put_hub(batch, guide->place, guide->velocity, guide, guide->heading);
  if (guide->spins) *spin = guide->spin;
  ROW(torque)[0] = guide->torque;
  SPATIAL(brake)[0] = *vehicle->brake > 0 ? guide->brake / *vehicle->brake : 0;
  *out = (rutGuided){0};
  out->acceleration = find_motion(world, batch, &motion, &work, guide, e);
  tell_forces(batch, e, out);
  tell_soil(e, out);
  out->vx = *W(vx);
  out->vy = *W(vy);
  out->spin = *W(spin);
  const bool locked = *W(locked) > 0;
  out->bearing = *W(bearing_torque) + (locked ? 0 : h * motion.spin_rate[0] * *W(bearing));
  const double inertia = vehicle->body.spin[0] + vehicle->geared[0];
  out->torque =
      inertia * motion.spin_rate[0] + out->slip_force * out->rolling_radius + out->bearing;
  rut_end_wheels(h, batch, &work);
  *spin += h * motion.spin_rate[0];
  *angle += h * *spin;
  const rutVec3 velocity = rut_vec3_add_scaled(guide->velocity, h, out->acceleration);
  const rutVec3 place = rut_vec3_add_scaled(guide->place, h, velocity);
  put_hub(batch, place, velocity, guide, guide->heading + h * guide->yaw_rate);
  rut_vehicle_report(batch, &work);
  rut_vehicle_observe(batch);
}
