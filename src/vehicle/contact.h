// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 5 of an evaluation: where wheel and ground meet, and how the contact patch moves.
#ifndef RUT_VEHICLE_CONTACT_H
#define RUT_VEHICLE_CONTACT_H

#include "vehicle/wheel_ground.h"

// clang-format off
#define RUT_CONTACT_ROWS(X)                                                                  \
  /* patch in chassis axes: normal, rolling direction, left; its position from the hub */    \
  X(nx) X(ny) X(nz) X(tx) X(ty) X(tz) X(sx) X(sy) X(sz) X(dx) X(dy) X(dz)                    \
  /* sine of the inclination angle: cosine between the normal and the spin axis; depth of */ \
  /* the undeformed wheel below the plane of the ground */                                   \
  X(sin_inclination) X(overlap)
// clang-format on
RUT_NUMBER_ROWS(RUT_CONTACT_ROWS, RUT_GROUND_ROWS_END, RUT_CONTACT_ROWS_END);

// A massless wheel's spring has all of the load when the cosine between the ground's normal and the
// slide is above RUT_UPRIGHT, and none below RUT_LYING; the tyre's carcass has the rest.
static const double RUT_UPRIGHT = 0.5, RUT_LYING = 0.2;
// A wheel whose plane has less of the ground's normal lies flat.
static const double RUT_FLAT = 1e-6;

// The wheel as a disc with a round tread of radius `crown`: its support against the plane at
// `distance` from the hub along the normal n, the point of contact, and the patch's axes, x along
// the rolling direction and y to the left in that plane.
RUT_INLINE void meet_plane(const rutVehicleClass* vehicle, rutWheels e) {
  const int at = e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double wx = W(gnx)[i], wy = W(gny)[i], wz = W(gnz)[i];
    const double nx = V(r0, i) * wx + V(r3, i) * wy + V(r6, i) * wz;
    const double ny = V(r1, i) * wx + V(r4, i) * wy + V(r7, i) * wz;
    const double nz = V(r2, i) * wx + V(r5, i) * wy + V(r8, i) * wz;
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    const double sine = nx * ax + ny * ay + nz * az;
    const double in = rut_sqrt(rut_max(1 - sine * sine, 0)), flat = in < RUT_FLAT ? 1 : 0;
    const double inverse = 1 / (in + flat);
    const double radius = vehicle->radius[at + i], crown = W(crown)[i];
    const double overlap = (radius - crown) * in + crown - W(distance)[i];
    const double sunk = rut_clamp(overlap, 0, radius);
    // rolling direction a x n; a wheel that lies flat keeps its heading
    const double tx = flat > 0 ? ay : (ay * nz - az * ny) * inverse;
    const double ty = flat > 0 ? -ax : (az * nx - ax * nz) * inverse;
    const double tz = flat > 0 ? 0 : (ax * ny - ay * nx) * inverse;
    W(sin_inclination)[i] = sine;
    W(nx)[i] = nx;
    W(ny)[i] = ny;
    W(nz)[i] = nz;
    W(tx)[i] = tx;
    W(ty)[i] = ty;
    W(tz)[i] = tz;
    W(sx)[i] = ny * tz - nz * ty;
    W(sy)[i] = nz * tx - nx * tz;
    W(sz)[i] = nx * ty - ny * tx;
    // from the hub to the contact
    const double ring = (radius - crown) * inverse, tread = crown - sunk;
    const double shift = W(shift)[i];
    W(dx)[i] = -ring * (nx - sine * ax) - tread * nx + shift * ax;
    W(dy)[i] = -ring * (ny - sine * ay) - tread * ny + shift * ay;
    W(dz)[i] = -ring * (nz - sine * az) - tread * nz + shift * az;
    W(overlap)[i] = overlap;
  }
}

RUT_INLINE void meet_planes(const rutVehicleClass* vehicle, rutWheels e) {
  for (int from = 0; from < e.n; from += e.width) meet_plane(vehicle, rut_part(e, from));
}

RUT_INLINE double upright(double cosine) {
  const double part = rut_clamp((cosine - RUT_LYING) / (RUT_UPRIGHT - RUT_LYING), 0, 1);
  return part * part * (3 - 2 * part);
}

// Memory of the stages that find the contact.
typedef struct rutLookout {
  rutArcSamples samples;
  double* beside;  // of rut_corners_move
} rutLookout;

// Whether faces or steep ground are within reach of wheel i.
RUT_INLINE bool near_steep(const rutGround* ground, const rutVehicleClass* vehicle, rutWheels e,
                           int i) {
  const double x = W(hx)[i], y = W(hy)[i];
  const double reach = vehicle->radius[e.first + i] + 0.5 * vehicle->width[e.first + i];
  for (int k = 0; k < ground->shapes; k++) {
    const rutGroundShape* s = &ground->shape[k];
    const double* box = s->box;
    if (!s->steep || x + reach < box[0] || x - reach > box[1]) continue;
    if (y + reach < box[2] || y - reach > box[3]) continue;
    if (rut_ground_shape_steep(s, x, y, reach)) return true;
  }
  return false;
}

// Travel of a massless wheel, and its rate, as the last step or stage foretold them, and that rate
// at present.
typedef struct Foretold {
  double travel, rate, now;
} Foretold;

// The travel that motion has brought: a massless wheel near steep ground follows it as far as it is
// pressed there (vehicle/follow.h).
RUT_INLINE double brought_travel(const rutStageMotion* motion, double dt, Foretold f,
                                 double lowest) {
  static const double ROUNDING = 1e-3;  // of the way of a step, for Runge-Kutta stages
  const bool steps = motion->implicit > 0;
  const double mean = 0.5 * (steps ? dt : motion->since) * rut_min(f.now - f.rate, 0);
  const double more = f.travel > lowest ? mean : dt * rut_max(f.now, 0);
  return rut_max(f.travel + more + (steps ? 0 : ROUNDING * dt * rut_abs(f.now)), lowest);
}

// A massless wheel is where it just touches: a few steps along the slide find it, each as far as
// the plane under it says.
RUT_INLINE void settle_massless(const rutEnvironment* world, const rutVehicleBatch* batch,
                                const rutStageMotion* motion, const rutLookout* look, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  double *slide = motion->slide + e.first, *slide_speed = motion->slide_speed + e.first;
  const bool follows = world->ground->steep && world->step > 0;
  double foretold[RUT_WHEEL_TILE], *lacking = RUT_SPATIAL_STATE(batch, face_travel) + e.first;
  enum { PASSES = 4 };
  for (int i = 0; i < e.n; i++) foretold[i] = slide[i];
  static const double HAIR = 1e-10;  // moves of less are none [m]
  static const double DOWN = -1e9;   // beyond all travel [m]
  static const double LACK = 1e-4;   // travel that it lacks: of less is none [m]
  for (int pass = 0; pass < PASSES; pass++) {
    bool moves = false;
    for (int i = 0; i < e.n; i++) {
      if (vehicle->body.slides[e.first + i] > 0) continue;
      const double up = rut_max(W(nz)[i], RUT_LYING);
      const double move =
          W(distance)[i] < RUT_NO_GROUND ? upright(W(nz)[i]) * W(overlap)[i] / up : DOWN;
      const double to =
          rut_clamp(slide[i] + move, vehicle->lowest[e.first + i], vehicle->highest[e.first + i]);
      if (rut_abs(to - slide[i]) < HAIR) continue;
      moves = true;
      slide[i] = to;
    }
    if (!moves) break;
    place_wheels(world->gravity, batch, motion, look->beside, e);
    rut_wheel_ground(world, batch, &look->samples, e);
    meet_planes(vehicle, e);
  }
  // the speed that keeps it on the ground
  for (int i = 0; i < e.n; i++) {
    if (vehicle->body.slides[e.first + i] > 0) continue;
    const double on = slide[i] > vehicle->lowest[e.first + i] && W(distance)[i] < RUT_NO_GROUND
                          ? upright(W(nz)[i])
                          : 0;
    // its axis lies in the chassis's plane, and its carrier turns with the chassis
    const double along = V(ox, i) * W(ax)[i] + V(oy, i) * W(ay)[i];
    const double ox = V(ox, i) - along * W(ax)[i], oy = V(oy, i) - along * W(ay)[i];
    const double x = W(vhx)[i] + oy * W(dz)[i] - V(oz, i) * W(dy)[i];
    const double y = W(vhy)[i] + V(oz, i) * W(dx)[i] - ox * W(dz)[i];
    const double z = W(vhz)[i] - slide_speed[i] + ox * W(dy)[i] - oy * W(dx)[i];
    const double up = rut_max(W(nz)[i], RUT_LYING), before = slide_speed[i];
    slide_speed[i] = -on * (x * W(nx)[i] + y * W(ny)[i] + z * W(nz)[i]) / up;
    W(unpaid_travel)[i] = 0;
    if (!follows || !(lacking[i] > LACK || near_steep(world->ground, vehicle, e, i))) continue;
    const Foretold f = {foretold[i], before, slide_speed[i]};
    const double most = brought_travel(motion, world->dt, f, vehicle->lowest[e.first + i]);
    const double to = rut_min(slide[i], most);
    W(faced)[i] = 1;
    W(unpaid_travel)[i] = slide[i] - to;
    // it is followed from faces on until it is on the ground and lacks nothing
    if (motion->commit) lacking[i] = on > 0 ? slide[i] - to : rut_max(lacking[i], 2 * LACK);
    slide[i] = to;
  }
  place_wheels(world->gravity, batch, motion, look->beside, e);
}

// Where the wheels of a tile are, and what ground they meet.
RUT_INLINE void meet_ground(const rutEnvironment* world, const rutVehicleBatch* batch,
                            const rutStageMotion* motion, const rutLookout* look, rutWheels e) {
  place_wheels(world->gravity, batch, motion, look->beside, e);
  rut_wheel_ground(world, batch, &look->samples, e);
  meet_planes(batch->vehicle, e);
  if (batch->vehicle->massless) settle_massless(world, batch, motion, look, e);
}

#endif  // RUT_VEHICLE_CONTACT_H
