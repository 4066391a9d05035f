// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/corner.h"

#include <string.h>

// A row of the mechanisms of the wheels e.
#define C(name)       RUT_CORNER_ROW(e, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// The linkage's coordinate and its rate, for each wheel of a part; angular velocity and gravity in
// chassis axes.
typedef struct Given {
  double steer[RUT_CORNER_LANES], rate[RUT_CORNER_LANES];
  double x[RUT_CORNER_LANES], y[RUT_CORNER_LANES], z[RUT_CORNER_LANES];
  double omega[3][RUT_CORNER_LANES];
} Given;

RUT_INLINE void give(double gravity, const rutVehicleBatch* batch, rutWheels e, int count,
                     Given* k) {
  const double* linkage = SPATIAL(linkage);
  const double* gain = batch->vehicle->steer_gain + e.first;
  const int lanes = e.lanes;
#pragma omp simd
  for (int i = 0; i < count; i++) {
    const int l = lanes > 1 ? e.first % lanes + i : 0;
    k->steer[i] = gain[i] * linkage[l];
    k->rate[i] = gain[i] * linkage[lanes + l];
    k->x[i] = -gravity * V(r6, i);
    k->y[i] = -gravity * V(r7, i);
    k->z[i] = -gravity * V(r8, i);
    k->omega[0][i] = V(ox, i);
    k->omega[1][i] = V(oy, i);
    k->omega[2][i] = V(oz, i);
  }
}

// Rows of a wheel on a slide: a mechanism without bodies.
static void fill_slide(const rutVehicleBatch* batch, const rutStageMotion* motion, rutWheels e,
                       int i) {
  const rutSliders* b = &batch->vehicle->body;
  const int at = e.first + i;
  double* row = C(hub_x) + i;
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) row[r * e.n] = 0;
  C(hub_x)[i] = b->x[at];
  C(hub_y)[i] = b->y[at];
  C(hub_z)[i] = b->z[at] + motion->slide[at];
  C(axis_x)[i] = -SPATIAL(steer_sin)[at];
  C(axis_y)[i] = SPATIAL(steer_cos)[at];
  C(hub_v_z)[i] = 1;
  C(move_v_z)[i] = motion->slide_speed[at];
  C(travel)[i] = motion->slide[at];
}

// Is entry i of the wheel arrays part of the run?
static bool within(const rutWheelRun* run, int i) {
  return i >= run->first && i < run->first + run->count;
}

// The mechanisms of some wheels. A type that has only some of them works beside the rows.
static void move_mechanisms(const rutVehicleClass* vehicle, const rutCornerIn* in, int count,
                            double* beside, rutWheels e) {
  for (int m = 0; m < vehicle->mechanisms; m++) {
    const rutWheelRun* run = &vehicle->mechanism[m];
    const rutSuspensionType* type = (const rutSuspensionType*)run->type;
    int own = 0;
    for (int i = 0; i < count; i++) own += within(run, e.first + i);
    if (own == 0) continue;
    if (own == count) {
      type->corner(in, C(hub_x), (size_t)e.n);
      return;
    }
    type->corner(in, beside, RUT_CORNER_LANES);
    for (int i = 0; i < count; i++) {
      if (!within(run, e.first + i)) continue;
      for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) {
        C(hub_x)[r * e.n + i] = beside[r * RUT_CORNER_LANES + i];
      }
    }
  }
}

// The mechanisms of some wheels: four, or that of eight vehicles which is the same one.
RUT_INLINE void move_corners(double gravity, const rutVehicleBatch* batch,
                             const rutStageMotion* motion, double* beside, rutWheels e, int count) {
  const rutVehicleClass* vehicle = batch->vehicle;
  Given k;
  give(gravity, batch, e, count, &k);
  const rutCornerIn in = {.constant = rut_corner_constants(vehicle, e.first),
                          .travel = motion->slide + e.first,
                          .rate = motion->slide_speed + e.first,
                          .steer = k.steer,
                          .steer_rate = k.rate,
                          .omega_x = k.omega[0],
                          .omega_y = k.omega[1],
                          .omega_z = k.omega[2],
                          .gravity_x = k.x,
                          .gravity_y = k.y,
                          .gravity_z = k.z,
                          .in_lanes = count == RUT_CORNER_LANES};
  const double* mass = vehicle->corner_mass + e.first;
  double least = mass[0];
#pragma omp simd reduction(min : least)
  for (int i = 0; i < count; i++) least = rut_min(least, mass[i]);
  for (int i = 0; i < count && !(least > 0); i++) {
    if (!(mass[i] > 0)) fill_slide(batch, motion, e, i);
  }
  move_mechanisms(vehicle, &in, count, beside, e);
}

RUT_CLONES static void move_in_lanes(double gravity, const rutVehicleBatch* batch,
                                     const rutStageMotion* motion, double* beside, rutWheels e) {
  e.lanes = RUT_CORNER_LANES;
  move_corners(gravity, batch, motion, beside, e, RUT_CORNER_LANES);
}
// Of eight vehicles whose mechanisms differ, four at a time.
RUT_CLONES static void move_half_of_lanes(double gravity, const rutVehicleBatch* batch,
                                          const rutStageMotion* motion, double* beside,
                                          rutWheels e) {
  e.lanes = RUT_CORNER_LANES;
  move_corners(gravity, batch, motion, beside, e, RUT_CORNER_WIDTH);
}
RUT_CLONES static void move_four(double gravity, const rutVehicleBatch* batch,
                                 const rutStageMotion* motion, double* beside, rutWheels e) {
  e.lanes = 1;
  move_corners(gravity, batch, motion, beside, e, RUT_CORNER_WIDTH);
}

void rut_corners_move(double gravity, const rutVehicleBatch* batch, const rutStageMotion* motion,
                      double* beside, rutWheels e) {
  if (e.lanes > 1 && !batch->vehicle->own_corners) {
    move_in_lanes(gravity, batch, motion, beside, e);
    return;
  }
  for (int from = 0; from < e.width; from += RUT_CORNER_WIDTH) {
    const rutWheels part = rut_part(e, from);
    if (e.lanes > 1) {
      move_half_of_lanes(gravity, batch, motion, beside, part);
    } else {
      move_four(gravity, batch, motion, beside, part);
    }
  }
}

// ---- one wheel, as the batch stands ----

// Rows of the mechanisms of one part, at the motion that the batch has.
static void look_at_part(const rutVehicleBatch* batch, int first, double* row) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double *q = RUT_STATE(batch, q), *v = RUT_STATE(batch, v), *linkage = SPATIAL(linkage);
  double steer[RUT_CORNER_WIDTH], rate[RUT_CORNER_WIDTH], omega[3][RUT_CORNER_WIDTH];
  double none[RUT_CORNER_WIDTH] = {0};
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
    const int l = (first + i) % lanes;
    steer[i] = vehicle->steer_gain[first + i] * linkage[l];
    rate[i] = vehicle->steer_gain[first + i] * linkage[lanes + l];
    for (int k = 0; k < 3; k++) omega[k][i] = v[k * lanes + l];
  }
  const rutCornerIn in = {.constant = rut_corner_constants(vehicle, first),
                          .travel = q + RUT_CHASSIS_POSITIONS * lanes + first,
                          .rate = v + RUT_CHASSIS_SPEEDS * lanes + first,
                          .steer = steer,
                          .steer_rate = rate,
                          .omega_x = omega[0],
                          .omega_y = omega[1],
                          .omega_z = omega[2],
                          .gravity_x = none,
                          .gravity_y = none,
                          .gravity_z = none};
  double beside[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH];
  for (int m = 0; m < vehicle->mechanisms; m++) {
    const rutWheelRun* run = &vehicle->mechanism[m];
    ((const rutSuspensionType*)run->type)->corner(&in, beside, RUT_CORNER_WIDTH);
    for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
      if (!within(run, first + i)) continue;
      for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) {
        row[r * RUT_CORNER_WIDTH + i] = beside[r * RUT_CORNER_WIDTH + i];
      }
    }
  }
}

const rutSuspensionType* rut_corner_type(const rutVehicleClass* vehicle, int entry) {
  for (int m = 0; m < vehicle->mechanisms; m++) {
    const rutWheelRun* run = &vehicle->mechanism[m];
    if (within(run, entry)) return (const rutSuspensionType*)run->type;
  }
  return NULL;
}

void rut_corner_rows(const rutVehicleClass* vehicle, int entry, double q, double linkage,
                     double row[RUT_CORNER_ROW_COUNT]) {
  enum { N = RUT_CORNER_WIDTH };
  const int first = entry / N * N, at = entry - first;
  double number[2][N], zero[N] = {0}, all[RUT_CORNER_ROW_COUNT * N];
  for (int i = 0; i < N; i++) {
    number[0][i] = q;
    number[1][i] = vehicle->steer_gain[first + i] * linkage;
  }
  const rutCornerIn in = {.constant = rut_corner_constants(vehicle, entry),
                          .travel = number[0],
                          .rate = zero,
                          .steer = number[1],
                          .steer_rate = zero,
                          .omega_x = zero,
                          .omega_y = zero,
                          .omega_z = zero,
                          .gravity_x = zero,
                          .gravity_y = zero,
                          .gravity_z = zero};
  const rutSuspensionType* type = rut_corner_type(vehicle, entry);
  if (type) type->corner(&in, all, N);
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) row[r] = type ? all[r * N + at] : 0;
}

rutCornerMotion rut_corner_motion(const rutVehicleBatch* batch, int entry, rutCornerLook* look) {
  const int at = entry % RUT_CORNER_WIDTH, end = entry - at + RUT_CORNER_WIDTH;
  double* row = look->row;
  rutCornerMotion out;
  if (look->end != end) {
    look->end = end;
    memset(row, 0, sizeof look->row);
    look_at_part(batch, entry - at, row);
  }
#define AT(name)    row[RUT_CORNER_##name * RUT_CORNER_WIDTH + at]
#define ATVEC(name) rut_vec3(AT(name##_x), AT(name##_y), AT(name##_z))
  out.hub = ATVEC(hub);
  out.axis = ATVEC(axis);
  out.velocity = ATVEC(move_v);
  out.turning = ATVEC(move_w);
  out.first = ATVEC(first);
  out.spring = AT(energy);
  out.travel = AT(travel);
#undef AT
#undef ATVEC
  return out;
}

double rut_corner_energy(const rutVehicleBatch* batch, int entry, rutVec3 linear, rutVec3 omega) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSuspensionType* type = rut_corner_type(vehicle, entry);
  const int lanes = vehicle->lanes, l = entry % lanes;
  const double *linkage = SPATIAL(linkage), gain = vehicle->steer_gain[entry];
  const double* slide = RUT_STATE(batch, q) + RUT_CHASSIS_POSITIONS * lanes;
  const double* slide_speed = RUT_STATE(batch, v) + RUT_CHASSIS_SPEEDS * lanes;
  rutCornerBody body[RUT_MAX_CORNER_BODIES];
  double twice = 0;
  const double* constant = rut_corner_constants(vehicle, entry) + entry % RUT_CORNER_WIDTH;
  const int n = type ? type->bodies(constant, slide[entry], slide_speed[entry], gain * linkage[l],
                                    gain * linkage[lanes + l], body)
                     : 0;
  for (int b = 0; b < n; b++) {
    const rutCornerBody* k = &body[b];
    const rutVec3 at = rut_vec3_of(k->position);
    const rutVec3 speed =
        rut_vec3_add(rut_vec3_add(linear, rut_vec3_cross(omega, at)), rut_vec3_of(k->velocity));
    const rutVec3 turning = rut_vec3_add(omega, rut_vec3_of(k->angular_velocity));
    const rutVec3 own = rut_mat3_apply_transposed(rut_mat3_of(k->attitude), turning);
    const double* j = k->inertia;
    twice += k->mass * rut_vec3_dot(speed, speed) + j[0] * own.x * own.x + j[1] * own.y * own.y +
             j[2] * own.z * own.z +
             2 * (j[3] * own.x * own.y + j[4] * own.x * own.z + j[5] * own.y * own.z);
  }
  return 0.5 * twice;
}
