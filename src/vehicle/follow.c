// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/follow.h"

#include "vehicle/outcome.h"

#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Work that rows of the tread have taken before they come over an edge is kept to so much depth
// more than there is, of the radius: rows are discrete, their gradient is not.
static const double CREDIT = 0.1;

// Slope of the bank up which a wheel climbs unpaid depth (as that out of soft soil,
// vehicle/sinkage.c), and the speed below which it stands before it [m/s].
static const double BANK = 1, SLOW = 0.05;

// Rate at which motion presses a wheel into its ground.
static double closing_of(rutWheels e, int i) {
  const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
  const double along = W(cox)[i] * ax + W(coy)[i] * ay + W(coz)[i] * az;
  const rutVec3 turning =
      rut_vec3(W(cox)[i] - along * ax, W(coy)[i] - along * ay, W(coz)[i] - along * az);
  const rutVec3 moves = rut_vec3_cross(turning, rut_vec3(W(dx)[i], W(dy)[i], W(dz)[i]));
  return -W(gain)[i] * ((W(vhx)[i] + moves.x) * W(nx)[i] + (W(vhy)[i] + moves.y) * W(ny)[i] +
                        (W(vhz)[i] + moves.z) * W(nz)[i]);
}

// The depth to which motion has pressed a wheel, from the last step to the start of this one, or
// from there to a stage within it.
static double paid_depth(const rutEnvironment* world, const rutVehicleBatch* batch, double since,
                         rutWheels e, int i) {
  const int own = e.first + i;
  double *paid = SPATIAL(face_paid), *before = SPATIAL(face_depth), *rate = SPATIAL(face_rate);
  const double depth = W(overlap)[i], closing = closing_of(e, i), last = rut_max(before[own], 0);
  if (!(depth > 0)) {
    if (!(since > 0)) paid[own] = before[own] = rate[own] = 0;
    return depth;
  }
  const double mean = last > 0 ? 0.5 * (rate[own] + closing) : closing;
  const double way = (since > 0 ? since : world->dt) * mean;
  // the work over half of the stiffness, at the mean depth: where that is the ground's, or less
  double square = paid[own] + way * (last + depth), pressed = depth;
  if (!(square > depth * depth)) {
    pressed =
        rut_max(0.5 * (way + rut_sqrt(way * way + 4 * rut_max(paid[own] + way * last, 0))), 0);
    pressed = rut_min(pressed, depth);
    square = pressed * pressed;
  }
  const double most = depth + CREDIT * batch->vehicle->radius[own];
  // a wheel that has just come to faces is as it was without them
  if (!(world->step > 0 && before[own] < RUT_NO_GROUND)) pressed = depth, square = depth * depth;
  if (since > 0) return pressed;
  paid[own] = rut_min(square, most * most);
  before[own] = pressed;
  rate[own] = closing;
  return pressed;
}

// What a wheel has not paid for. It is followed from faces on until it is on the ground without.
static double unpaid_depth(const rutEnvironment* world, const rutVehicleBatch* batch, double since,
                           rutWheels e, int i) {
  static const double HAIR = 1e-4;  // of less is none away from faces [m]
  const int own = e.first + i;
  double* before = SPATIAL(face_depth) + own;
  const bool near = W(faced)[i] > 0 || near_steep(world->ground, batch->vehicle, e, i);
  const bool follows = near || (world->step > 0 && *before < RUT_NO_GROUND);
  const double unpaid = follows ? W(overlap)[i] - paid_depth(world, batch, since, e, i) : 0;
  W(faced)[i] = near || unpaid > HAIR ? 1 : 0;
  if (W(faced)[i] > 0) return unpaid;
  if (!(since > 0) && W(overlap)[i] > 0) *before = RUT_NO_GROUND;
  return 0;
}

void rut_follow_faces(const rutEnvironment* world, const rutVehicleBatch* batch,
                      const rutStageMotion* motion, rutWheels e) {
  const int wheels = batch->vehicle->wheels * batch->vehicle->lanes;
  for (int i = 0; i < e.n && e.first + i < wheels; i++) {
    W(unpaid)[i] = unpaid_depth(world, batch, motion->since, e, i);
    W(overlap)[i] -= W(unpaid)[i];
    W(distance)[i] += W(unpaid)[i];
  }
}

void rut_follow_banks(double dt, rutWheels e) {
  for (int i = 0; i < e.n; i++) {
    // no longer than what there is to climb
    const double speed = rut_abs(W(vx)[i]), way = dt * rut_max(speed, SLOW);
    const double left = rut_max(W(unpaid)[i], W(unpaid_travel)[i]);
    W(floor_slope)[i] += rut_min(BANK * rut_min(speed / SLOW, 1), left / way);
  }
}

// How far a spring that has a force is pressed by a work, at most.
static double paid_way(double work, double force, double stiffness, double most) {
  static const double LEAST = 1e-12;  // [N]
  const double f = rut_max(force, 0);
  if (!(most > 0 && work > 0)) return 0;
  return rut_min(most, 2 * work / (f + rut_sqrt(f * f + 2 * stiffness * work) + LEAST));
}

void rut_follow_pay(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                    rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int wheels = vehicle->wheels * vehicle->lanes;
  for (int i = 0; i < e.n && e.first + i < wheels; i++) {
    const int own = e.first + i;
    double *paid = SPATIAL(face_paid), *before = SPATIAL(face_depth);
    if (!(W(faced)[i] > 0)) continue;
    const double work = dt * (rut_max(W(p_rolling)[i], 0) + rut_max(W(p_slip)[i], 0));
    if (!(vehicle->body.slides[own] > 0)) {
      const double stiffness = rut_max(W(spring_k)[i], vehicle->stiffness[own]);
      motion->slide[own] += paid_way(work, W(spring)[i], stiffness, W(unpaid_travel)[i]);
      continue;
    }
    const double away = W(hub_x)[i] * W(nx)[i] + W(hub_y)[i] * W(ny)[i] + W(hub_z)[i] * W(nz)[i];
    SPATIAL(face_rate)[own] -= W(gain)[i] * motion->implicit * away;
    if (!(W(unpaid)[i] > 0)) continue;
    const double stiffness =
        rut_max(rut_max(W(tyre_k)[i], W(normal_k)[i]), vehicle->stiffness[own]);
    const double force = rut_max(rut_max(W(out_n)[i], W(carcass)[i]), stiffness * before[own]);
    before[own] += paid_way(work, force, stiffness, W(unpaid)[i]);
    paid[own] = rut_max(paid[own], before[own] * before[own]);
  }
}
