// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 11 of an evaluation, from the accelerations: wheel spins, wheels that lift off, final
// forces, and power.
#ifndef RUT_VEHICLE_OUTCOME_H
#define RUT_VEHICLE_OUTCOME_H

#include "vehicle/press_side.h"
#include "vehicle/press_wall.h"

#define RUT_OUTCOME_ROWS(X)                                                         \
  /* force of the ground along the patch's axes */                                  \
  X(out_x)                                                                          \
  X(out_y)                                                                          \
  X(out_n)                                                                          \
  /* of springs and dampers along the slide, upwards on the chassis */              \
  X(hung) /* power in the middle of the step into terms of the balance of energy */ \
  X(p_slip) X(p_tyre) X(p_rolling) X(p_bearing) X(p_brake) X(p_drive)
RUT_NUMBER_ROWS(RUT_OUTCOME_ROWS, RUT_ACCELERATION_ROWS_END, RUT_WHEEL_ROW_COUNT);

// Spin of one wheel, and the forces as they acted and the speeds in the middle of the step, for the
// balance of energy.
RUT_INLINE void spin_wheel(const rutStageMotion* motion, rutWheels e, int i) {
  const int at = e.first;
  const double h = motion->implicit, carried = W(about)[i], coupled = W(shaft_torque)[i];
  const double ax = W(hub_x)[i] * W(tx)[i] + W(hub_y)[i] * W(ty)[i] + W(hub_z)[i] * W(tz)[i];
  const double as = W(hub_x)[i] * W(sx)[i] + W(hub_y)[i] * W(sy)[i] + W(hub_z)[i] * W(sz)[i];
  const double an = W(hub_x)[i] * W(nx)[i] + W(hub_y)[i] * W(ny)[i] + W(hub_z)[i] * W(nz)[i];
  // along the patch's axes, which turn
  const double yawing = W(cox)[i] * W(nx)[i] + W(coy)[i] * W(ny)[i] + W(coz)[i] * W(nz)[i];
  const double change_x = ax + yawing * W(vy)[i], change_y = as - yawing * W(vx)[i];
  const double absolute = W(spin_known)[i] + W(spin_share)[i] * change_x +
                          W(spin_turn)[i] * carried + W(spin_yield)[i] * coupled;
  const int locked = W(locked)[i] > 0;
  const double known = W(spin_known)[i], free = absolute - carried;
  const double relative = locked ? known : free;
  motion->spin_rate[at + i] = relative;
  const double turn = relative + carried;
  const double r = W(rolling_radius)[i], middle = 0.5 * h;
  const double fx = W(push_x)[i] - W(cx)[i] * (change_x - r * turn);
  const double fy = W(push_y)[i] - W(cy)[i] * change_y;
  const double fn = W(normal)[i] - W(cn)[i] * an;
  const double vx = W(vx)[i] + middle * ax, vy = W(vy)[i] + middle * as;
  const double w = motion->spin[at + i] + middle * relative, whole = W(spin)[i] + middle * turn;
  const double hub = W(vhx)[i] * W(tx)[i] + W(vhy)[i] * W(ty)[i] + W(vhz)[i] * W(tz)[i];
  const double rubs = h * relative * W(bearing)[i], late = locked ? 0 : rubs;
  // what deflects the patch comes back, and is the tyre's
  const double slide_x = W(sliding_x)[i] + W(slides_x)[i] * middle * (r * turn - ax);
  const double slide_y = W(sliding_y)[i] + W(slides_y)[i] * middle * as;
  const double slips = fx * slide_x - fy * slide_y;
  W(p_slip)[i] = slips;
  const double deflects = fn * (W(rate)[i] / W(rate_gain)[i] - middle * an);
  W(p_tyre)[i] = deflects + (fx * (r * whole - vx) - fy * vy - slips);
  W(p_rolling)[i] = -W(drag)[i] * (hub + middle * ax);
  W(p_bearing)[i] = (W(bearing_torque)[i] + late) * w;
  // a locked wheel's brake takes what the shafts bring; the drive turns against the chassis
  const double braking = W(braking)[i] - (locked ? coupled : 0);
  const double tilts = (W(cox)[i] - V(ox, i)) * W(ax)[i] + (W(coy)[i] - V(oy, i)) * W(ay)[i] +
                       (W(coz)[i] - V(oz, i)) * W(az)[i];
  W(p_brake)[i] = -braking * w;
  W(p_drive)[i] = W(drive_torque)[i] * (w + tilts);
  W(out_x)[i] = fx + W(drag)[i];
  W(out_y)[i] = fy;
  W(out_n)[i] = fn;
}

// Angular acceleration of a carrier on a slide about the wheel's axis; no shafts.
RUT_INLINE void turn_slides(const double* alpha, rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const int l = e.lanes > 1 ? e.first % e.lanes + i : 0;
    W(about)[i] = alpha[l] * W(ax)[i] + alpha[e.lanes + l] * W(ay)[i];
    W(shaft_torque)[i] = 0;
  }
}

// Wheels that would pull on the ground lift off. True if there are such.
RUT_INLINE bool release(rutWheels e) {
  double pulls = 0;
#pragma omp simd reduction(max : pulls)
  for (int i = 0; i < e.width; i++) {
    const double lets_go = W(out_n)[i] < 0 ? 1.0 : 0.0;
    W(released)[i] = rut_max(W(released)[i], lets_go);
    pulls = rut_max(pulls, lets_go);
  }
  return pulls > 0;
}

// Spins of a part. True if some of its wheels lift off.
RUT_INLINE bool spin_up(const rutEnvironment* world, const rutVehicleClass* vehicle,
                        const rutStageMotion* motion, const double* alpha, rutWheels e) {
  if (!vehicle->corners) turn_slides(alpha, e);
#pragma omp simd
  for (int i = 0; i < e.width; i++) spin_wheel(motion, e, i);
  if (vehicle->envelops) add_side_power(motion, alpha, e, W(p_tyre));
  add_wall_power(world, motion, e, W(out_y), W(p_rolling));
  return release(e);
}

// Power into the terms of the balance that do not come from wheels.
RUT_INLINE void start_power(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                            int lanes, const rutChassis* chassis) {
  const double* restrict v = motion->v, * restrict reaction = RUT_SPATIAL_STATE(batch, reaction);
  const double* restrict air = chassis->air, * restrict hull = chassis->hull_power;
  const double* restrict alpha = chassis->alpha, * restrict effort = chassis->effort;
  const double* restrict rate = RUT_SPATIAL_STATE(batch, linkage) + lanes;
  const double* restrict change = RUT_SPATIAL_STATE(batch, linkage_change);
  const double inverse = 1 / dt, middle = 0.5 * motion->implicit;
  double* restrict power = chassis->power;
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) power[i] = 0;
  RUT_FOR_LANES(l, lanes) {
    power[RUT_ENERGY_air * lanes + l] = -air[l];
    power[RUT_ENERGY_hull * lanes + l] = -hull[l];
    const double x = v[l] + middle * alpha[l], y = v[lanes + l] + middle * alpha[lanes + l];
    power[RUT_ENERGY_steering * lanes + l] = -inverse * (reaction[l] * x + reaction[lanes + l] * y);
  }
  if (!batch->vehicle->corners) return;
  RUT_FOR_LANES(l, lanes) {
    power[RUT_ENERGY_steering * lanes + l] -= effort[l] * (rate[l] + middle * change[l]);
  }
}

// Power into springs and dampers of a wheel.
RUT_INLINE double hung_power(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                             rutWheels e, int i) {
  const int at = e.first;
  const double *slide_speed = motion->slide_speed, *slide_rate = motion->slide_rate;
  // a massless wheel's spring carries what the ground's force has along the slide
  const double slides = vehicle->body.slides[at + i];
  const double hung = W(out_x)[i] * W(tz)[i] + W(out_y)[i] * W(sz)[i] + W(out_n)[i] * W(nz)[i];
  const double sprung = -W(lift)[i] + W(soft)[i] * slide_rate[at + i];
  const double force = slides > 0 ? sprung : hung;
  W(hung)[i] = force;
  return force * (slide_speed[at + i] + 0.5 * motion->implicit * slide_rate[at + i]);
}

// Add numbers of `count` wheels to the sums of their vehicles; beside: to be added with them, wheel
// by wheel. Nullable: beside.
RUT_INLINE void add_wheels(int count, int lanes, const double* restrict wheel,
                           const double* restrict beside, double* restrict sum) {
  for (int from = 0; from < count; from += lanes) {
    RUT_FOR_LANES(l, lanes) { sum[l] += wheel[from + l]; }
    if (!beside) continue;
    RUT_FOR_LANES(l, lanes) { sum[l] += beside[from + l]; }
  }
}

// Power into each term of the balance, summed over the wheels of each vehicle.
RUT_INLINE void collect_power(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                              rutWheels e, int wheels, double* power) {
  const int lanes = e.lanes, rest = wheels * lanes - e.first, count = rest < e.n ? rest : e.n;
  double hung[RUT_WHEEL_TILE];
  for (int from = 0; from < e.n; from += e.width) {
    const rutWheels part = rut_part(e, from);
#pragma omp simd
    for (int i = 0; i < e.width; i++) hung[from + i] = hung_power(vehicle, motion, part, i);
  }
#define ADD(term, row, beside) \
  add_wheels(count, lanes, row, beside, power + RUT_ENERGY_##term * lanes)
  ADD(drive, W(p_drive), NULL);
  ADD(brake, W(p_brake), NULL);
  ADD(bearing, W(p_bearing), NULL);
  ADD(tyre, W(p_tyre), NULL);
  ADD(slip, W(p_slip), vehicle->twists ? W(p_twist) : NULL);
  ADD(rolling, W(p_rolling), NULL);
  ADD(damper, hung, NULL);
#undef ADD
}

#endif  // RUT_VEHICLE_OUTCOME_H
