// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/steering.h"

#include "vehicle/stability.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

double rut_steer_goal(const rutVehicleClass* vehicle, int w, double asked) {
  static const double MOST = 1.5;  // [rad]
  const double t = rut_tan(rut_clamp(asked, -MOST, MOST));
  const double limit = vehicle->max_steer[w * vehicle->lanes], base = vehicle->steer_base;
  const double x = vehicle->layout.x[w] - vehicle->steer_x, y = vehicle->layout.y[w];
  const double wanted = base > 0 ? rut_atan2(x * t, base - y * t) : rut_atan(t);
  return limit > 0 ? rut_clamp(wanted, -limit, limit) : 0;
}

static void set_steer_goals(const rutVehicleBatch* batch, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double asked = rut_asked_steer(batch)[lane];
  for (int w = 0; w < vehicle->wheels; w++) {
    SPATIAL(steer_goal)[w * lanes + lane] = rut_steer_goal(vehicle, w, asked);
  }
  SPATIAL(steer_asked)[lane] = asked;
}

// What depends on the direction of a wheel's axis a: with the spin w against the chassis and
// p = a . omega, the energy J (w + p)^2/2 - J_t p^2/2 + g w p, and the momentum along the axis,
// J (w + p) - J_t p + g w.
typedef struct Spinning {
  double energy, momentum;
} Spinning;

static Spinning spinning(const rutVehicleBatch* batch, int i, double sine, double cosine) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, l = i % lanes;
  const double* v = ROW(v);
  const double j = vehicle->body.spin[i], across = vehicle->body.transverse[i],
               geared = vehicle->reaction[i];
  const double along = cosine * v[lanes + l] - sine * v[l];
  const double spin = v[(RUT_CHASSIS_SPEEDS + vehicle->pad) * lanes + i], whole = spin + along;
  return (Spinning){0.5 * (j * whole * whole - across * along * along) + geared * spin * along,
                    j * whole - across * along + geared * spin};
}

void rut_steer_wheel(const rutVehicleBatch* batch, int i, double angle) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, l = i % lanes;
  double *sine = &SPATIAL(steer_sin)[i], *cosine = &SPATIAL(steer_cos)[i];
  double *energy = SPATIAL(energy) + RUT_ENERGY_steering * lanes, *reaction = SPATIAL(reaction);
  const double old_sine = *sine, old_cosine = *cosine;
  const Spinning before = spinning(batch, i, old_sine, old_cosine);
  rut_sincos(angle, sine, cosine);
  const Spinning after = spinning(batch, i, *sine, *cosine);
  SPATIAL(steer)[i] = ROW(yaw)[i] = angle;
  energy[l] += before.energy - after.energy;
  reaction[l] += after.momentum * *sine - before.momentum * old_sine;
  reaction[lanes + l] -= after.momentum * *cosine - before.momentum * old_cosine;
}

// Each wheel turns as fast as the steering allows.
static void turn_wheels(double dt, const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, wheels = vehicle->wheels * lanes;
  const double most = vehicle->steer_rate * dt;
  for (int l = 0; l < lanes; l++) {
    if (rut_asked_steer(batch)[l] != SPATIAL(steer_asked)[l]) set_steer_goals(batch, l);
  }
  const double *angle = SPATIAL(steer), *goal = SPATIAL(steer_goal);
  for (int i = 0; i < wheels; i++) {
    const double left = goal[i] - angle[i];
    if (left != 0) rut_steer_wheel(batch, i, angle[i] + rut_clamp(left, -most, most));
  }
}

// The steering linkage, or the upper end of its column, is where it is asked to be at the end of
// the step, as far as it can get. With a response of its own it follows, critically damped: its
// rate r then obeys r = r0 + h (w^2 (goal - s - h r) - 2 w r), w being the angular frequency.
static void follow(double h, const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double w = vehicle->steer_response, inverse = 1 / h;
  const bool elastic = vehicle->steer_stiffness > 0;
  double* linkage = elastic ? SPATIAL(column) : SPATIAL(linkage);
  double* change = elastic ? SPATIAL(column_change) : SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    const double full = rut_class_of(vehicle, l)->steer_full;
    const double gain = full > 0 ? vehicle->steer_lock / full : 0;
    const double most = gain * vehicle->steer_rate;
    const double goal =
        rut_clamp(gain * rut_asked_steer(batch)[l], -vehicle->steer_lock, vehicle->steer_lock);
    const double pull = linkage[lanes + l] + h * w * w * (goal - linkage[l]);
    const double follows = pull / (1 + 2 * h * w + h * h * w * w);
    const double wanted = w > 0 ? follows : (goal - linkage[l]) * inverse;
    const double rate = rut_clamp(wanted, -most, most);
    change[l] = (rate - linkage[lanes + l]) * inverse;
  }
}

// Whether all wheels are where they are asked to be, as most of the time.
static bool rests(const rutVehicleBatch* batch) {
  const int lanes = batch->vehicle->lanes, wheels = batch->vehicle->wheels * lanes;
  const double *angle = SPATIAL(steer), *goal = SPATIAL(steer_goal);
  const double *asked = rut_asked_steer(batch), *done = SPATIAL(steer_asked);
  double difference = 0;
#pragma omp simd reduction(+ : difference)
  for (int i = 0; i < wheels; i++) difference += rut_abs(goal[i] - angle[i]);
  for (int l = 0; l < lanes; l++) difference += rut_abs(asked[l] - done[l]);
  return difference == 0;
}

void rut_vehicle_steer(double dt, const rutVehicleBatch* batch) {
  double* reaction = SPATIAL(reaction);
  for (int i = 0; i < 2 * batch->vehicle->lanes; i++) {
    if (reaction[i] != 0) reaction[i] = 0;
  }
  if (!rests(batch)) turn_wheels(dt, batch);
  if (batch->vehicle->mechanisms) follow(dt, batch);
}
