// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/dig.h"

#include "vehicle/traction_rows.h"

#define SPATIAL(name) (RUT_SPATIAL_STATE(batch, name) + e.first)

// The ground follows a pit that is deeper by so much, or when the wheel has moved so far, in parts
// of a cell; pits less deep than this are none [m].
static const double DEEPER = 5e-3, MOVED = 0.5, LEAST_PIT = 1e-4;

// Contact of a wheel in soil, behind the lowest point as far as the tyre is flat.
static void find_contact(const rutVehicleBatch* batch, rutWheels e, int i, rutDug* out) {
  const double radius = batch->vehicle->radius[e.first + i];
  const double depth = rut_clamp(W(depth)[i], 0, radius);
  const double flat = rut_clamp(W(depth)[i] - W(sinkage)[i], 0, radius);
  out->ahead = rut_sqrt(depth * (2 * radius - depth));
  out->behind = rut_sqrt(flat * (2 * radius - flat));
}

// Sinkage per step that the tread would bring, were none of the pit left behind.
static double transport(const rutSoilRecord* soil, double dt, rutDug* dug, rutWheels e, int i) {
  const double layer = soil->type->slip_layer ? soil->type->slip_layer(soil->param) : 0;
  const double half = 0.5 * rut_min(layer, rut_max(W(sinkage)[i], 0));
  dug->slides = W(rolling_radius)[i] * W(spin)[i] - W(vx)[i];
  return half * rut_abs(dug->slides) * dt;
}

rutDug rut_dig_in(const rutEnvironment* world, const rutVehicleBatch* batch,
                  const rutSoilRecord* soil, bool in, rutWheels e, int i) {
  static const double SHORTEST = 1e-3;  // contact [m]
  double *transported = SPATIAL(transported), *dug = SPATIAL(dug), *to_dig = SPATIAL(to_dig);
  double* undug = SPATIAL(undug);
  const double distance = W(step_distance)[i];
  rutDug out = {0};
  find_contact(batch, e, i, &out);
  const double length = rut_max(out.ahead + out.behind, SHORTEST), by_law = W(slip_sinkage)[i];
  const double carries = in ? transport(soil, world->dt, &out, e, i) : 0;
  const double renews = 1 / (1 + distance / length);
  transported[i] = in ? (transported[i] + carries / length) * renews : 0;
  const double more = rut_max(carries - by_law * distance, 0) / length;
  out.deeper = in && transported[i] > by_law ? more : 0;
  if (!world->soft) {
    dug[i] = (dug[i] + out.deeper) * renews;
    return out;
  }
  dug[i] = rut_max(-W(raised)[i], 0);
  to_dig[i] += out.deeper;
  undug[i] += distance;
  const bool late = undug[i] > MOVED * world->soft->def.cell;
  if (to_dig[i] > DEEPER || (late && to_dig[i] > LEAST_PIT)) {
    out.carried = to_dig[i];
    to_dig[i] = 0;
  }
  if (late) undug[i] = 0;
  return out;
}

void rut_dig_ground(const rutEnvironment* world, const rutVehicleBatch* batch, rutDug dug,
                    rutWheels e, int i, rutSoftPress* to) {
  // soil leaves the tread with the rim's speed, and lies as far as it flies, on the mean
  const double flies = 0.5 * dug.slides * dug.slides / rut_max(world->gravity, 1);
  const double forward = to->dir_x * W(fx)[i] + to->dir_y * W(fy)[i];
  const double laid = batch->vehicle->radius[e.first + i] + flies;
  to->dig = (rutSoftDig){.x = to->x,
                         .y = to->y,
                         .dir_x = to->dir_x,
                         .dir_y = to->dir_y,
                         .ahead = dug.ahead,
                         .behind = dug.behind,
                         .width = batch->vehicle->width[e.first + i],
                         .depth = dug.carried,
                         .laid = dug.slides * forward > 0 ? -laid : laid};
}
