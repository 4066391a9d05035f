// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/inertia.h"

#include <string.h>

#include "math/sym3.h"
#include "vehicle/corner.h"

#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

rutWheelMount rut_wheel_mount(const rutVehicleBatch* batch, int wheel, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSliders* b = &vehicle->body;
  const int lanes = vehicle->lanes, i = wheel * lanes + lane;
  const double q = (RUT_STATE(batch, q) + RUT_CHASSIS_POSITIONS * lanes)[i];
  if (vehicle->corner_mass[i] > 0) {
    double row[RUT_CORNER_ROW_COUNT];
    rut_corner_rows(vehicle, i, q, SPATIAL(linkage)[lane], row);
#define VECTOR(name) \
  rut_vec3(row[RUT_CORNER_##name##_x], row[RUT_CORNER_##name##_y], row[RUT_CORNER_##name##_z])
    return (rutWheelMount){VECTOR(hub), VECTOR(axis), VECTOR(hub_v), VECTOR(hub_w)};
#undef VECTOR
  }
  double sine, cosine;
  rut_sincos(SPATIAL(steer)[i], &sine, &cosine);
  return (rutWheelMount){.hub = rut_vec3(b->x[i], b->y[i], b->z[i] + q),
                         .axis = rut_vec3(-sine, cosine, 0),
                         .move = rut_vec3(0, 0, b->slides[i])};
}

// A speed that is linear in those of the vehicle: of the chassis, and of one wheel, whose first is
// `at`.
typedef struct Row {
  double chassis[RUT_CHASSIS_SPEEDS], wheel[2];
  int at;
} Row;

// Add weight times the square of a speed to the quadratic form v . M v.
static void add_square(int n, const Row* row, double weight, double* m) {
  int index[RUT_CHASSIS_SPEEDS + 2];
  double value[RUT_CHASSIS_SPEEDS + 2];
  for (int i = 0; i < RUT_CHASSIS_SPEEDS; i++) {
    index[i] = i;
    value[i] = row->chassis[i];
  }
  for (int i = 0; i < 2; i++) {
    index[RUT_CHASSIS_SPEEDS + i] = row->at + i;
    value[RUT_CHASSIS_SPEEDS + i] = row->wheel[i];
  }
  for (int i = 0; i < RUT_CHASSIS_SPEEDS + 2; i++) {
    for (int k = 0; k < RUT_CHASSIS_SPEEDS + 2; k++) {
      m[index[i] * n + index[k]] += weight * value[i] * value[k];
    }
  }
}

static rutVec3 unit(int k) { return rut_vec3(k == 0, k == 1, k == 2); }

// Velocity along e of a point at `arm` that moves so per speed of the coordinate.
static Row point_row(rutVec3 e, rutVec3 arm, rutVec3 move, int at) {
  Row row = {.wheel = {rut_vec3_dot(e, move), 0}, .at = at};
  rut_vec3_put(e, row.chassis);
  rut_vec3_put(rut_vec3_cross(arm, e), row.chassis + 3);
  return row;
}

// Angular velocity about e of what turns so per speed of the coordinate, and with the spin.
static Row turn_row(rutVec3 e, rutVec3 turning, double spin, int at) {
  Row row = {.wheel = {rut_vec3_dot(e, turning), spin}, .at = at};
  rut_vec3_put(e, row.chassis + 3);
  return row;
}

// Bodies of a mechanism without its wheel.
static void add_corner(const rutVehicleBatch* batch, int entry, int n, int at, double* m) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSuspensionType* type = rut_corner_type(vehicle, entry);
  const int lanes = vehicle->lanes;
  const double gain = vehicle->steer_gain[entry] * SPATIAL(linkage)[entry % lanes];
  const double q = (RUT_STATE(batch, q) + RUT_CHASSIS_POSITIONS * lanes)[entry];
  const double* constant = rut_corner_constants(vehicle, entry) + entry % RUT_CORNER_WIDTH;
  rutCornerBody body[RUT_MAX_CORNER_BODIES];
  const int bodies = type ? type->bodies(constant, q, 1, gain, 0, body) : 0;
  for (int i = 0; i < bodies; i++) {
    const rutCornerBody* k = &body[i];
    const rutMat3 axes = rut_mat3_of(k->attitude);
    const double* j = k->inertia;
    rutVec3 own[3];
    for (int c = 0; c < 3; c++) {
      const Row row = point_row(unit(c), rut_vec3_of(k->position), rut_vec3_of(k->velocity), at);
      add_square(n, &row, k->mass, m);
      own[c] = rut_vec3(axes.m[c], axes.m[3 + c], axes.m[6 + c]);
    }
    // products of inertia as squares: 2 a b = (a + b)^2 - a^2 - b^2
    const double product[3] = {j[3], j[4], j[5]};
    const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
    const rutVec3 turning = rut_vec3_of(k->angular_velocity);
    double diagonal[3] = {j[0], j[1], j[2]};
    for (int c = 0; c < 3; c++) {
      const rutVec3 sum = rut_vec3_add(own[first[c]], own[second[c]]);
      const Row row = turn_row(sum, turning, 0, at);
      add_square(n, &row, product[c], m);
      diagonal[first[c]] -= product[c];
      diagonal[second[c]] -= product[c];
    }
    for (int c = 0; c < 3; c++) {
      const Row row = turn_row(own[c], turning, 0, at);
      add_square(n, &row, diagonal[c], m);
    }
  }
}

static void add_wheel(const rutVehicleBatch* batch, int wheel, int lane, int n, double* m) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSliders* b = &vehicle->body;
  const int i = wheel * vehicle->lanes + lane, at = RUT_CHASSIS_SPEEDS + 2 * wheel;
  const rutWheelMount mount = rut_wheel_mount(batch, wheel, lane);
  for (int c = 0; c < 3; c++) {
    const Row hub = point_row(unit(c), mount.hub, mount.move, at);
    add_square(n, &hub, b->wheel_mass[i], m);
    const Row turn = turn_row(unit(c), mount.turning, 0, at);
    add_square(n, &turn, b->transverse[i], m);
  }
  const Row along = turn_row(mount.axis, mount.turning, 0, at);
  const Row whole = turn_row(mount.axis, mount.turning, 1, at);
  add_square(n, &along, -b->transverse[i], m);
  add_square(n, &whole, b->spin[i], m);
  // geared rotors: inertia of the spin alone, and 2 a b with the turn about the axis
  const Row spin = {.wheel = {0, 1}, .at = at};
  add_square(n, &spin, vehicle->geared[i] - vehicle->reaction[i], m);
  add_square(n, &along, -vehicle->reaction[i], m);
  add_square(n, &whole, vehicle->reaction[i], m);
  if (vehicle->corner_mass[i] > 0) add_corner(batch, i, n, at, m);
}

// Shafts turn with the wheels against the chassis.
static void add_shaft(const rutVehicleBatch* batch, int shaft, int lane, int n, double* m) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double inverse = SPATIAL(inverse_inertia)[shaft * lanes + lane];
  double speed[RUT_MAX_SPEEDS] = {0};
  if (!(inverse > 0)) return;
  for (int w = 0; w < vehicle->wheels; w++) {
    const rutWheelMount mount = rut_wheel_mount(batch, w, lane);
    const double ratio = SPATIAL(shaft_ratio)[shaft * vehicle->body.n + w * lanes + lane];
    const int at = RUT_CHASSIS_SPEEDS + 2 * w;
    speed[at] = ratio * rut_vec3_dot(mount.turning, mount.axis);
    speed[at + 1] = ratio;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) m[i * n + k] += speed[i] * speed[k] / inverse;
  }
}

static void add_chassis(const rutSliders* b, int lane, int n, double* m) {
  double j[6];
  for (int i = 0; i < 6; i++) j[i] = b->inertia[i * b->lanes + lane];
  const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
  for (int i = 0; i < 3; i++) {
    m[i * n + i] += b->mass[lane];
    for (int k = 0; k < 3; k++) m[(3 + i) * n + 3 + k] += full[3 * i + k];
  }
}

// Inverse of a positive definite matrix, in place: Gauss and Jordan, pivots along the diagonal.
static void invert(int n, double* m) {
  for (int p = 0; p < n; p++) {
    const double pivot = 1 / m[p * n + p];
    m[p * n + p] = 1;
    for (int k = 0; k < n; k++) m[p * n + k] *= pivot;
    for (int i = 0; i < n; i++) {
      const double part = m[i * n + p];
      if (i == p || part == 0) continue;
      m[i * n + p] = 0;
      for (int k = 0; k < n; k++) m[i * n + k] -= part * m[p * n + k];
    }
  }
}

void rut_vehicle_inverse_mass(const rutVehicleBatch* batch, int lane, double* out) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int n = rut_vehicle_speeds(vehicle), lanes = vehicle->lanes;
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  add_chassis(&vehicle->body, lane, n, out);
  for (int w = 0; w < vehicle->wheels; w++) add_wheel(batch, w, lane, n, out);
  for (int k = 0; k < vehicle->shafts; k++) add_shaft(batch, k, lane, n, out);
  bool held[RUT_MAX_SPEEDS] = {false};
  for (int w = 0; w < vehicle->wheels; w++) {
    const int at = RUT_CHASSIS_SPEEDS + 2 * w, entry = w * lanes + lane;
    held[at] = !(vehicle->corner_mass[entry] > 0) && !(vehicle->body.slides[entry] > 0);
    held[at + 1] = !(out[(at + 1) * n + at + 1] > 0);
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      if (held[i] || held[k]) out[i * n + k] = i == k;
    }
  }
  invert(n, out);
  for (int i = 0; i < n; i++) {
    if (held[i]) out[i * n + i] = 0;
  }
}
