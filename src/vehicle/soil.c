// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/soil.h"

#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Shoulder of a tread, of its width (assumed).
static const double SHOULDER = 0.25;
// Least deflection of a tyre in soil, so that it has a stiffness [m].
static const double LEAST = 1e-9;

// Ruts that are less deep have no walls [m].
static const double SHALLOW = 1e-4;

// Shoulders of treads: their width where their floor has been asked for [m], and that floor to the
// left and the right of the way, above the untouched surface [m].
typedef struct Shoulders {
  double width[RUT_WHEEL_TILE], left[RUT_WHEEL_TILE], right[RUT_WHEEL_TILE];
} Shoulders;

// Where the wheels meet soil that keeps ruts: horizontal direction of travel, length of the contact
// ahead of the lowest point, and where that is.
RUT_INLINE void face_patches(const rutVehicleBatch* batch, const double* spin, rutWheels e) {
  static const double LEAST_LEVEL = 1e-12;  // level part of a heading, squared
  const double* radii = batch->vehicle->radius + e.first;
  const double *dug = SPATIAL(dug) + e.first, *rolled = SPATIAL(rolled) + e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double size =
        1 / rut_sqrt(rut_max(W(fx)[i] * W(fx)[i] + W(fy)[i] * W(fy)[i], LEAST_LEVEL));
    const double radius = radii[i], turned = rolled[i];
    const double moves = size * (W(vhx)[i] * W(ay)[i] - W(vhy)[i] * W(ax)[i]);
    // as it came, until it has come back
    const double starts = rut_travel_direction(radius * spin[e.first + i], moves);
    const double came = rut_copysign(1, turned), back = turned != 0 ? came : starts;
    // in a pit of its own the wheel touches the floor only
    const double depth = rut_clamp(W(overlap)[i] - dug[i], 0, radius);
    W(dir_x)[i] = back * size * W(fx)[i];
    W(dir_y)[i] = back * size * W(fy)[i];
    W(ahead)[i] = rut_sqrt(depth * (2 * radius - depth));
    W(low_x)[i] = W(hx)[i] + V(r0, i) * W(dx)[i] + V(r1, i) * W(dy)[i] + V(r2, i) * W(dz)[i];
    W(low_y)[i] = W(hy)[i] + V(r3, i) * W(dx)[i] + V(r4, i) * W(dy)[i] + V(r5, i) * W(dz)[i];
  }
}
RUT_CLONES static void find_patches(const rutVehicleBatch* batch, const double* spin, rutWheels e) {
  if (e.lanes > 1) {
    e.lanes = RUT_MBD_LANES;
    face_patches(batch, spin, e);
  } else {
    e.lanes = 1;
    face_patches(batch, spin, e);
  }
}

// There, the depth to which the soil was pressed before: of all wheels at once, or of each in the
// ground of its lane. Wheels that ran in a rut in the last step will ask for its walls.
static void read_ruts(const rutEnvironment* world, const rutVehicleBatch* batch, const double* spin,
                      rutWheels e, Shoulders* shoulders) {
  find_patches(batch, spin, e);
  const double* width = batch->vehicle->width + e.first;
  const double* before = SPATIAL(prior_depth) + e.first;
  const bool counts = world->soft->passes != NULL;
  const int each = world->lane_soft ? 1 : e.n;
  for (int i = 0; i < e.n; i++) shoulders->width[i] = before[i] > SHALLOW ? SHOULDER * width[i] : 0;
  for (int i = 0; i < e.n; i += each) {
    const rutSoftPatches at = {W(low_x) + i, W(low_y) + i, W(dir_x) + i,        W(dir_y) + i,
                               W(ahead) + i, width + i,    shoulders->width + i};
    rut_soft_read(rut_soft_of_lane(world, (e.first + i) % e.lanes), each, &at,
                  &(rutSoftFound){W(earlier) + i, W(raised) + i, counts ? W(passes) + i : NULL,
                                  counts ? W(pass_slip) + i : NULL, shoulders->left + i,
                                  shoulders->right + i});
  }
}

// Tell the wheel's own footprint from the rut of earlier passes. A footprint follows the round of
// the wheel, a rut lies flat ahead of it. What is read there is the wheel's own until it has rolled
// by half the length of its contact, and wholly of others after as much again.
RUT_CLONES static void separate_footprint(const rutVehicleBatch* batch, rutWheels e) {
  const double* restrict floor = SPATIAL(floor) + e.first;
  const double* restrict before = SPATIAL(prior_depth) + e.first;
  const double* restrict footprint = SPATIAL(footprint) + e.first;
  const double* restrict rolled = SPATIAL(rolled) + e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double rut = W(earlier)[i], come = rut_max(2 * rut_abs(rolled[i]) - 1, 0);
    const double own = rut_clamp(footprint[i] / rut_max(rut, LEAST), 0, 1);
    const double prior_share = 1 - own * (1 - come), rises = prior_share * (before[i] - rut);
    const double lift = floor[i] < RUT_NO_GROUND ? rises : 0;
    W(prior_share)[i] = prior_share;
    W(prior_depth)[i] = prior_share * rut;
    W(footprint_start)[i] = rut_max(footprint[i] - lift, 0);
  }
}

// The floor under the shoulders of one tread, where it has not been read with the others.
static void read_shoulders(const rutSoftGround* soft, double width, rutWheels e, int i,
                           Shoulders* shoulders) {
  double pressed, raised;
  shoulders->width[i] = SHOULDER * width;
  const rutSoftPatches at = {W(low_x) + i, W(low_y) + i, W(dir_x) + i,        W(dir_y) + i,
                             W(ahead) + i, &width,       shoulders->width + i};
  rut_soft_read(
      soft, 1, &at,
      &(rutSoftFound){&pressed, &raised, NULL, NULL, shoulders->left + i, shoulders->right + i});
}

// What soil of the height h above the lowest point of a wheel of the radius R bears over its chord,
// of which it has h - x^2/(2 R), to X = sqrt(h (2 R - h)): INT (a z + b z^2) dx.
static double wall_bears(double a, double b, double radius, double height) {
  const double h = rut_clamp(height, 0, radius), reach = rut_sqrt(h * (2 * radius - h));
  return reach * h * (4.0 / 3 * a + 16.0 / 15 * b * h);
}

// A wheel on the wall of a rut. The floor under it is the mean over its tread, m(y) = INT s(y + u)
// w(u) du over the width b. The weight w is even in the middle and falls to 0 at the ends over the
// shoulders c, so that moving the wheel to the left changes it by
//   dm/dy = (mean of s under the left shoulder - that under the right one)/(b - c).
// The wall bears what all soil on its side does, less what the other side has as well.
static void lean_on_wall(const rutEnvironment* world, const rutVehicleBatch* batch,
                         const rutSoilRecord* soil, rutWheels e, int i, Shoulders* shoulders) {
  static const double STEEP = 1;  // as along the path
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutGround* ground = world->ground;
  const double width = vehicle->width[e.first + i], radius = vehicle->radius[e.first + i];
  const rutSoftGround* soft = rut_soft_of_lane(world, (e.first + i) % e.lanes);
  if (shoulders->width[i] == 0) read_shoulders(soft, width, e, i, shoulders);
  // to the left of its heading, wherever it rolls
  const bool ahead = W(dir_x)[i] * W(fx)[i] + W(dir_y)[i] * W(fy)[i] > 0;
  const double left = (ahead ? shoulders->left : shoulders->right)[i];
  const double right = (ahead ? shoulders->right : shoulders->left)[i];
  const double share = W(prior_share)[i], rises = left - right;
  W(bank)[i] = share * rut_clamp(rises / ((1 - SHOULDER) * width), -STEEP, STEEP);
  W(wall)[i] = RUT_INFINITY;
  if (!soil->type->wall) return;
  const rutSoilPlaces places = {.strength = W(strength),
                                .moisture = ground->local ? W(moisture) : NULL,
                                .soft_depth = ground->local ? W(soft_depth) : NULL};
  double a, b;
  soil->type->wall(soil->param, soil->derived, ground->regions || ground->maps ? &places : NULL, i,
                   &a, &b);
  const double bottom = W(raised)[i] - SPATIAL(sinkage)[e.first + i];
  const double high = rut_max(left, right), low = rut_min(left, right);
  W(wall)
  [i] = share * (wall_bears(a, b, radius, high - bottom) - wall_bears(a, b, radius, low - bottom));
}

// Walls of earlier ruts that wheels run in.
static void read_walls(const rutEnvironment* world, const rutVehicleBatch* batch, const int* soil,
                       rutWheels e, Shoulders* shoulders) {
  static const double UPRIGHT = 0.2;  // least level part of a heading
  for (int i = 0; i < e.n; i++) {
    const bool level = rut_hypot(W(fx)[i], W(fy)[i]) > UPRIGHT;
    if (!(W(prior_depth)[i] > SHALLOW && W(overlap)[i] > 0 && level)) continue;
    lean_on_wall(world, batch, &rut_wheel_soils(world)[soil[i]], e, i, shoulders);
  }
}

// Lower the ground under the wheels by the pits that they have dug: of ground that keeps ruts by
// what it has not followed yet.
static void place_pits(const rutEnvironment* world, const rutVehicleBatch* batch, rutWheels e) {
  const double* lowered = (world->soft ? SPATIAL(to_dig) : SPATIAL(dug)) + e.first;
  for (int i = 0; i < e.n; i++) W(raised)[i] -= W(deformable)[i] * lowered[i];
}

// Depths of the wheels, and their tyres' parts of them.
RUT_CLONES static void split(const double* restrict sinkage, rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double overlap = W(overlap)[i], found = W(raised)[i], sunk = sinkage[i];
    const int soft = W(deformable)[i] > 0;
    // a wheel that comes to hard ground from soft soil is as deep in it, and rolls up out of it
    const double out = -rut_clamp(overlap, 0, sunk), raised = soft ? found : out;
    const double depth = overlap + raised, pressed = rut_max(depth - sunk, LEAST);
    W(raised)[i] = raised;
    W(depth)[i] = depth;
    W(deflection)[i] = soft ? pressed : depth;
  }
}

void rut_split_depth(const rutEnvironment* world, const rutVehicleBatch* batch, const double* spin,
                     const int* soil, rutWheels e) {
  const double *sinkage = SPATIAL(sinkage) + e.first, *floor_slope = SPATIAL(floor_slope) + e.first;
  Shoulders shoulders;
  const rutSoilRecord* record = rut_wheel_soils(world);
  double some = 0;
  for (int i = 0; i < e.n; i++) {
    W(deformable)[i] = record[soil[i]].type->sink ? 1 : 0;
    some += W(deformable)[i];
  }
  for (int i = 0; i < e.n; i++) {
    W(raised)[i] = W(earlier)[i] = W(ahead)[i] = 0;
    W(floor_slope)[i] = floor_slope[i];
    W(bank)[i] = W(wall)[i] = 0;
  }
  if (world->soft && some > 0) read_ruts(world, batch, spin, e, &shoulders);
  if (some > 0) place_pits(world, batch, e);
  separate_footprint(batch, e);
  if (world->soft && some > 0) read_walls(world, batch, soil, e, &shoulders);
  split(sinkage, e);
}
