// SPDX-License-Identifier: BSD-3-Clause
//
// The laws, with v the speed, r the yaw rate, d the steering angle of the equivalent front wheel, L
// its distance from the line on which all axles meet (the wheelbase, where one of two axles steers;
// half of it, where both do, against each other), K the understeer gradient, m the mass, a and b
// the distances of the axles from the centre of mass, T the track, N a wheel's load, R its radius
// (van Zanten, "Bosch ESP systems: 5 years of experience", SAE 2000-01-1633; Chen and Peng,
// "Differential-braking-based rollover prevention for sport utility vehicles with human-in-the-loop
// evaluations", Vehicle System Dynamics 36, 2001):
//
//   yaw   The driver wants r_d = v d/(L + K v^2), which friction limits to 0.85 mu g/v. Beyond a
//         dead band the error e = r_d - r asks for the moment k I e, with I = m a b. A force F on
//         one side of the vehicle has the moment F T/2: a vehicle that turns more than it should
//         brakes its outer front wheel, one that turns less its inner rear wheel.
//   roll  The load transfer ratio q = (N_right - N_left)/N, predicted by its rate for a time t_p:
//         q + t_p dq/dt. Beyond a threshold q_0 the outer front wheel brakes with the share
//         k (|q| - q_0) of its friction, which turns the vehicle out of the bend and slows it.
//
// No force exceeds 0.95 mu N, and a wheel that slips gets less, so that it keeps turning.
#include "vehicle/stability.h"

#include <string.h>

#define ROW(name) RUT_STATE(batch, name)

static const double LEAST_SPEED = 3;         // below it nothing is done [m/s]
static const double STEADY_SHARE = 0.85;     // of the friction that a turn can use
static const double BRAKE_SHARE = 0.95;      // of the friction that a brake may use
static const double REFERENCE_LAG = 0.1;     // with which a vehicle answers to steering [s]
static const double TRANSFER_LAG = 0.03;     // of the rate of the load transfer [s]
static const double THROTTLE_PER_PART = 10;  // share of throttle that a part of a brake takes away

// One vehicle: what it does, and which wheels may be braked.
typedef struct Vehicle {
  double speed, yaw_rate, steer;
  double mass, gravity, base, inertia, half_track;
  int wheel[2][2];  // [front, rear][left, right]
} Vehicle;
enum { FRONT, REAR };
enum { LEFT, RIGHT };

static Vehicle look_at(const rutVehicleBatch* batch, int l) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutVehicleLayout* layout = &vehicle->layout;
  Vehicle v = {.speed = ROW(body_vx)[l],
               .yaw_rate = ROW(yaw_rate)[l],
               .steer = ROW(steer)[l],
               .mass = vehicle->total_mass[l],
               .gravity = layout->gravity,
               .wheel = {{layout->front_left, layout->front_right},
                         {layout->rear_left, layout->rear_right}}};
  const double middle = vehicle->com[l] + vehicle->total_com[l];
  const double front = layout->x[v.wheel[FRONT][LEFT]], rear = layout->x[v.wheel[REAR][LEFT]];
  v.base = layout->steer_base > 0 ? layout->steer_base : front - rear;
  v.inertia = v.mass * (front - middle) * (middle - rear);
  v.half_track = 0.5 * (layout->y[v.wheel[FRONT][LEFT]] - layout->y[v.wheel[FRONT][RIGHT]]);
  return v;
}

// The angle, within what the present speed bears, in reverse too.
static double ease_steering(const rutVehicleClass* c, const Vehicle* v) {
  if (!(c->stability_acceleration > 0) || rut_abs(v->speed) < LEAST_SPEED) return v->steer;
  const double square = v->speed * v->speed;
  const double most =
      c->stability_acceleration * (v->base + c->stability_understeer * square) / square;
  return rut_clamp(v->steer, -rut_max(most, 0), rut_max(most, 0));
}

// Moment about the vertical axis that brings the yaw rate to its reference [N m], which follows
// here.
static double find_moment(const rutVehicleClass* c, const Vehicle* v, double steer, double dt,
                          double* reference) {
  const double square = v->speed * v->speed;
  const double most = STEADY_SHARE * c->stability_friction * v->gravity / v->speed;
  const double wanted = v->speed * rut_tan(steer) /
                        rut_max(v->base + c->stability_understeer * square, 0.1 * v->base);
  *reference += (rut_clamp(wanted, -most, most) - *reference) * dt / (REFERENCE_LAG + dt);
  const double error = *reference - v->yaw_rate, band = c->stability_dead_band;
  const double beyond = error - rut_clamp(error, -band, band);
  return c->stability_yaw_gain * v->inertia * beyond;
}

// The load transfer ratio, positive to the right, as it will be; *slow is the present one with a
// lag.
static double predict_transfer(const rutVehicleBatch* batch, int l, double dt, double* slow) {
  const rutVehicleClass* c = batch->vehicle;
  const int lanes = c->lanes;
  double right = 0, sum = 0;
  for (int w = 0; w < c->wheels; w++) {
    const double load = ROW(load)[w * lanes + l];
    right -= c->side[w * lanes + l] * load;
    sum += load;
  }
  if (!(sum > 0)) return *slow = 0;
  const double ratio = right / sum;
  *slow += (ratio - *slow) * dt / (TRANSFER_LAG + dt);
  return ratio + c->stability_preview * (ratio - *slow) / TRANSFER_LAG;
}

// Part of the full brake that makes a force, as far as load and slip of the wheel allow.
static double brake_part(const rutVehicleBatch* batch, const Vehicle* v, int i, double force) {
  const rutVehicleClass* c = batch->vehicle;
  if (!(c->brake[i] > 0)) return 0;
  const double most = BRAKE_SHARE * c->stability_friction * ROW(load)[i];
  const double slip = 1 - ROW(start_speed)[i] * c->radius[i] / v->speed;
  const double held = rut_clamp(2 - slip / c->stability_slip, 0, 1);
  return rut_clamp(held * rut_min(force, most) * c->radius[i] / c->brake[i], 0, 1);
}

static void stabilise(const rutVehicleBatch* batch, int l, double dt) {
  const rutVehicleClass* c = batch->vehicle;
  const int lanes = c->lanes;
  const Vehicle v = look_at(batch, l);
  double force[2][2] = {{0}}, largest = 0;
  const double steer = ease_steering(c, &v);
  double *reference = &ROW(yaw_reference)[l], *slow = &ROW(load_transfer)[l];
  const double transfer = predict_transfer(batch, l, dt, slow);
  if (v.speed > LEAST_SPEED) {
    const double moment = find_moment(c, &v, steer, dt, reference);
    const int braked = moment > 0 ? LEFT : RIGHT, inner = v.yaw_rate > 0 ? LEFT : RIGHT;
    force[braked == inner ? REAR : FRONT][braked] = rut_abs(moment) / v.half_track;
    const int outer = transfer > 0 ? RIGHT : LEFT, i = v.wheel[FRONT][outer] * lanes + l;
    const double over = rut_max(rut_abs(transfer) - c->stability_threshold, 0);
    const double roll = c->stability_roll_gain * over * c->stability_friction * ROW(load)[i];
    force[FRONT][outer] = rut_max(force[FRONT][outer], roll);
  } else {
    *reference = v.yaw_rate;
  }
  for (int k = 0; k < 4; k++) {
    const int i = v.wheel[k / 2][k % 2] * lanes + l;
    const double part = v.speed > LEAST_SPEED ? brake_part(batch, &v, i, force[k / 2][k % 2]) : 0;
    double* now = &ROW(wheel_brake)[i];
    *now += (part - *now) * dt / (c->stability_lag + dt);
    largest = rut_max(largest, *now);
  }
  const double left = rut_max(1 - THROTTLE_PER_PART * largest, 0);
  for (int k = 0; k < c->inputs; k++) {
    const double asked = ROW(demand)[k * lanes + l];
    ROW(eased_demand)[k * lanes + l] = asked > 0 ? left * asked : asked;
  }
  ROW(eased_steer)[l] = steer;
}

void rut_vehicle_stabilise(const rutVehicleBatch* batch, double dt) {
  for (int l = 0; l < batch->vehicle->lanes; l++) stabilise(batch, l, dt);
}
