// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 9 of an evaluation: the forces and moments on the hubs, and torques on the wheels. What is
// found holds at the end of the step if the hubs do not accelerate; W is what their accelerations
// change in it.
#ifndef RUT_VEHICLE_FORCE_H
#define RUT_VEHICLE_FORCE_H

#include "vehicle/traction_rows.h"

#define RUT_FORCE_ROWS(X)                                                                          \
  /* 1 where the wheel has lifted off, since it would pull on the ground (vehicle/accelerate.h) */ \
  X(released)                                                                                      \
  /* torque of the drive, of the brake, of the bearing; 1 where the brake locks the wheel */       \
  X(drive_torque) X(brake_part) X(braking) X(bearing_torque) X(locked)                                        \
  /* acceleration of the spin: known, per acceleration of the hub along the patch, per */       \
  /* angular acceleration of the carrier about the axis, per torque of the shafts */            \
  X(spin_known) X(spin_share) X(spin_turn) X(spin_yield)                                        \
  /* of the wheel on its carrier (rutWheelForces): torque in all, torque without the drive's */ \
  X(shaft) X(own_torque) X(momentum) X(held) X(coupling)                                        \
  /* along the patch: W; force without what accelerations change, motion resistance, load */    \
  X(cx) X(cy) X(cn) X(push_x) X(push_y) X(drag) X(normal)                                       \
  /* on the hub in chassis axes: force, moment, W; force along the suspension, and its W */     \
  X(force_x) X(force_y) X(force_z) X(moment_x) X(moment_y) X(moment_z)                          \
  X(wxx) X(wyy) X(wzz) X(wxy) X(wxz) X(wyz) X(lift) X(soft)                                     \
  /* of it, the tyre's side: force, moment, W */                                             \
  X(side_fx) X(side_fy) X(side_fz) X(side_mx) X(side_my) X(side_mz)                             \
  X(side_xx) X(side_yy) X(side_zz) X(side_xy) X(side_xz) X(side_yz)                             \
  /* power that moments of the patch take */                                                    \
  X(p_twist)
RUT_NUMBER_ROWS(RUT_FORCE_ROWS, RUT_TRACTION_ROWS_END, RUT_FORCE_ROWS_END);

// What holds through an evaluation: torques of the drive, brakes; all wheels touch the ground.
RUT_INLINE void start_push(const rutVehicleBatch* batch, rutWheels e) {
  const int lanes = e.lanes, lane = e.first % lanes;
  const double* restrict torque = RUT_STATE(batch, torque) + e.first;
  const double* restrict brake = RUT_SPATIAL_STATE(batch, brake);
  const double* restrict driven = batch->vehicle->driven + e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double given = torque[i];
    W(drive_torque)[i] = driven[i] > 0 ? given : 0;
    W(brake_part)[i] = rut_clamp(brake[lanes > 1 ? lane + i : 0], 0, 1);
    W(released)[i] = 0;
  }
  if (!(batch->vehicle->stability > 0)) return;
  const double* restrict wheel_brake = RUT_STATE(batch, wheel_brake) + e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    W(brake_part)[i] = rut_clamp(W(brake_part)[i] + wheel_brake[i], 0, 1);
  }
}

// By value, so that no store between is taken for a change of them.
typedef struct Step {
  double dt, gravity;
  double implicit;  // as in rutStageMotion
} Step;

// What the ground gives a wheel, with the loads and slips of the end of the step at the present
// accelerations, and what these change in it: F - c a along the normal, rolling direction and side.
typedef struct Contact {
  double load, drag;   // normal force, motion resistance
  double px, py;       // forces along the patch's axes
  double cx, cy, cn;   // step x damping + step^2 x stiffness
  double largest;      // longitudinal force that the ground can give
  double soft_spring;  // of the suspension, as c
} Contact;

RUT_INLINE Contact contact_of(Step step, const rutVehicleBatch* batch, rutWheels e, int i) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int at = e.first;
  const double *rolling = RUT_SPATIAL_STATE(batch, rolling), *before = RUT_STATE(batch, load);
  const double h = step.implicit, each = vehicle->mean_mass[at + i];
  const double slides = vehicle->body.slides[at + i], mu_x = W(mu_x)[i], mu_y = W(mu_y)[i];
  // a massless wheel carries what balances its spring along the slide
  const double up = rut_max(W(nz)[i], RUT_LYING), hangs = (1 - slides) * upright(W(nz)[i]);
  const double along = W(nz)[i] + mu_x * W(tz)[i] + mu_y * W(sz)[i];
  const double share = rut_max(1 - hangs + hangs * along / up, 0.5);
  const double hold = 1 - W(released)[i], load = hold * W(load)[i] / share;
  const double soft_spring = h * W(spring_c)[i] + h * h * W(spring_k)[i];
  const double gain = W(gain)[i];
  const double damps = gain * W(rate_gain)[i] * h * W(normal_c)[i];
  const double soft_tyre = damps + gain * gain * h * h * W(normal_k)[i];
  const double soft_normal = hangs * soft_spring / (up * up) + (1 - hangs) * soft_tyre;
  const double on = load > 0 ? 1.0 : 0.0, cn = on * soft_normal;
  // Friction cannot follow the part of the load that the accelerations of this step decide: where
  // that is much, the load of the last step tells better.
  const double moves = slides * vehicle->body.wheel_mass[at + i] + (1 - slides) * each;
  const double gripped = on * (load + cn / (cn + moves) * (before[at + i] - load));

  const double limit = W(resistance)[i];
  const double held =
      rut_resistance_held(rolling[at + i], W(vx)[i], limit, vehicle->radius[at + i], step.gravity);
  // ruts that end ahead, in the direction of travel
  const double ahead = W(vx)[i] < 0 ? -1 : 1, climbs = ahead * W(floor_slope)[i];
  return (Contact){.load = load,
                   .drag = -(gripped * limit) * held - gripped * climbs,
                   .px = gripped * mu_x,
                   .py = gripped * mu_y,
                   .cx = gripped * W(compliance_x)[i] * W(secant_x)[i],
                   .cy = gripped * W(compliance_y)[i] * W(secant_y)[i],
                   .cn = cn,
                   .largest = gripped * W(peak)[i],
                   .soft_spring = soft_spring};
}

// Spin of a driven wheel with brake torque, or locked by it. Returns the force along the ground,
// and how it changes with the hub's acceleration, once the spin has followed.
//
// With w = d F_x / d(slip speed) x step the force along the ground is F_x - w (a - r s'), a being
// the hub's acceleration along it, so that the spin s obeys (J + r^2 w) s' = T - r F_x + r w a.
//
// A drive that turns n times as fast as the wheel, with its inertia j about a parallel axis on the
// chassis, has the energy j (n q + p)^2/2, q being the spin against the chassis and p that of the
// chassis about the axis. So the wheel feels G q' + g p', G = n^2 j and g = n j, and the chassis
// feels g q' of it (j is a part of its own inertia): with q' = s' - p' and D = J + G + r^2 w
//   s' = (T - r F_x + r w a + (G - g) p')/D,
// and the gear's reaction on the chassis is that of T less (G - g) q' + g p'.
typedef struct Pull {
  double force, soft;
} Pull;

RUT_INLINE Pull pull_of(Step step, const rutVehicleBatch* batch, const double* spin, Contact c,
                        rutWheels e, int i) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int at = e.first;
  const double h = step.implicit, inverse = 1 / step.dt, r = W(rolling_radius)[i];
  const double j = vehicle->body.spin[at + i], w = spin[at + i], rub = W(bearing)[i];
  const double given = W(drive_torque)[i], bearing = rub * w, px = c.px, cx = c.cx;
  const double reaction = vehicle->reaction[at + i], excess = vehicle->geared[at + i] - reaction;
  const double own = j + vehicle->geared[at + i] + h * rub, d = own + r * r * cx,
               turning = excess / d;
  // shafts of the drive stop with it
  const double whole = own + RUT_SPATIAL_STATE(batch, shaft_inertia)[at + i];
  // what stops it in this step; a slip that grows as much gives no more than the ground's largest
  const double ends = -w * inverse, rise = px + cx * r * ends;
  static const double LEAST_RISE = 1e-30;  // [N]
  const double peak = rut_max(c.largest, rut_abs(px));
  const double road = rut_clamp(rise, -peak, peak), size = rut_max(rut_abs(rise), LEAST_RISE);
  const double cut = rut_min(peak / size, 1);
  const double stop = own * ends - given + bearing + r * road;
  const double effort = whole * ends - given + bearing + r * road;
  const double most = W(brake_part)[i] * vehicle->brake[at + i], slack = most - rut_abs(effort);
  const double holds = most > 0 ? (slack >= 0 ? 1.0 : 0.0) : 0.0;
  const int locked = holds > 0;
  const double slips = rut_copysign(most, effort), braking = locked ? stop : slips;
  const double known = h > 0 ? ends : 0, pushed = (given - bearing - r * px + braking) / d;
  const double gained = locked ? known : pushed, px_free = px + cx * r * pushed;
  const double px1 = locked ? road : px_free;
  const double cx_held = cx * cut, cx_free = cx * (own / d), cx1 = locked ? cx_held : cx_free;
  const double held = (j + reaction) * known + r * px1;
  const double turned = given - bearing + braking - excess * gained;
  const double coupling = cx * turning, push_held = road - cx_held * r * known;
  const double inertia_held = j + r * r * cx_held;
  const double inertia_free = excess * (1 - turning) - reaction;
  W(locked)[i] = holds;
  W(held)[i] = locked ? inertia_held : inertia_free;
  W(spin_known)[i] = gained;
  W(spin_share)[i] = (1 - holds) * (r * cx / d);
  W(spin_turn)[i] = locked ? 1 : turning;
  W(spin_yield)[i] = (1 - holds) / d;
  W(coupling)[i] = r * (locked ? cx_held : coupling);
  W(momentum)[i] = j * W(spin)[i] + reaction * w;
  W(braking)[i] = braking;
  W(bearing_torque)[i] = bearing;
  W(shaft)[i] = locked ? held : turned;
  W(own_torque)[i] = (locked ? held : turned) - given;
  W(cx)[i] = locked ? cx_held : cx;
  W(push_x)[i] = locked ? push_held : px;
  return (Pull){px1, cx1};
}

// Moments of the patch itself, without their part along the wheel's axis, and the power that they
// take.
RUT_INLINE void twist_hubs(rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i], sine = W(sin_inclination)[i];
    const double hold = 1 - W(released)[i];
    const double over = hold * W(overturning)[i], align = hold * W(aligning)[i];
    const double x = over * W(tx)[i] + align * (W(nx)[i] - sine * ax);
    const double y = over * W(ty)[i] + align * (W(ny)[i] - sine * ay);
    const double z = over * W(tz)[i] + align * (W(nz)[i] - sine * az);
    W(moment_x)[i] += x;
    W(moment_y)[i] += y;
    W(moment_z)[i] += z;
    W(p_twist)[i] = -(x * W(cox)[i] + y * W(coy)[i] + z * W(coz)[i]);
  }
}

// Force and moment on the hub in chassis axes, and W.
RUT_INLINE void hub_forces(Contact c, Pull pull, rutWheels e, int i) {
  const double nx = W(nx)[i], ny = W(ny)[i], nz = W(nz)[i];
  const double tx = W(tx)[i], ty = W(ty)[i], tz = W(tz)[i];
  const double sx = W(sx)[i], sy = W(sy)[i], sz = W(sz)[i];
  const double gx = c.load * nx + pull.force * tx + c.py * sx;
  const double gy = c.load * ny + pull.force * ty + c.py * sy;
  const double gz = c.load * nz + pull.force * tz + c.py * sz;
  // W counts changes along the patch's axes, which turn with the vehicle: steady turning is none
  const double yawing = W(cox)[i] * nx + W(coy)[i] * ny + W(coz)[i] * nz;
  const double even_x = c.drag - pull.soft * yawing * W(vy)[i], even_y = c.cy * yawing * W(vx)[i];
  W(force_x)[i] = gx + even_x * tx + even_y * sx;
  W(force_y)[i] = gy + even_x * ty + even_y * sy;
  W(force_z)[i] = gz + even_x * tz + even_y * sz;
  const double mx = W(dy)[i] * gz - W(dz)[i] * gy, my = W(dz)[i] * gx - W(dx)[i] * gz;
  const double mz = W(dx)[i] * gy - W(dy)[i] * gx;
  const double about = mx * W(ax)[i] + my * W(ay)[i] + mz * W(az)[i];
  // the spin has had its part
  W(moment_x)[i] = mx - about * W(ax)[i];
  W(moment_y)[i] = my - about * W(ay)[i];
  W(moment_z)[i] = mz - about * W(az)[i];
  const double cx = pull.soft, cy = c.cy, cn = c.cn;
  W(wxx)[i] = cx * tx * tx + cy * sx * sx + cn * nx * nx;
  W(wyy)[i] = cx * ty * ty + cy * sy * sy + cn * ny * ny;
  W(wzz)[i] = cx * tz * tz + cy * sz * sz + cn * nz * nz;
  W(wxy)[i] = cx * tx * ty + cy * sx * sy + cn * nx * ny;
  W(wxz)[i] = cx * tx * tz + cy * sx * sz + cn * nx * nz;
  W(wyz)[i] = cx * ty * tz + cy * sy * sz + cn * ny * nz;
}

// Forces on the wheels of a part and on their hubs.
RUT_INLINE void find_forces(const rutEnvironment* world, const rutVehicleBatch* batch,
                            const rutStageMotion* motion, rutWheels e) {
  const Step step = {world->dt, world->gravity, motion->implicit};
  const double *spin = motion->spin, *slide_speed = motion->slide_speed;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const Contact c = contact_of(step, batch, e, i);
    hub_forces(c, pull_of(step, batch, spin, c, e, i), e, i);
    W(cy)[i] = c.cy;
    W(cn)[i] = c.cn;
    W(push_y)[i] = c.py;
    W(drag)[i] = c.drag;
    W(normal)[i] = c.load;
    W(lift)[i] = -(W(spring)[i] + step.implicit * W(spring_k)[i] * slide_speed[e.first + i]);
    W(soft)[i] = c.soft_spring;
  }
  if (batch->vehicle->twists) twist_hubs(e);
}

#endif  // RUT_VEHICLE_FORCE_H
