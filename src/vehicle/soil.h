// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 6 of an evaluation: the soil under each wheel, the rut that earlier passes left there, and
// the tyre's part of the depth.
#ifndef RUT_VEHICLE_SOIL_H
#define RUT_VEHICLE_SOIL_H

#include "vehicle/contact.h"

// clang-format off
#define RUT_SOIL_ROWS(X)                                                                     \
  /* cone index [Pa], friction, moisture, depth of the soft layer [m] of the place, NaN */   \
  /* where the soil's own hold; the last two only where some place has them */               \
  X(strength) X(friction) X(moisture) X(soft_depth)                                                                    \
  /* 1 in deformable soil, else 0; depth below its surface; tyre deflection as the last */   \
  /* step left it; slope of the rut's floor along the path, and across the wheel, upwards */ \
  /* to the left */                                                                          \
  X(deformable) X(depth) X(deflection) X(floor_slope) X(bank)                                \
  /* and what the wall of the rut there bears [N] */                                         \
  X(wall)                                                                                    \
  /* in deformable soil: lowest point, direction of travel, length of the contact ahead of */ \
  /* it */                                                                                   \
  X(low_x) X(low_y) X(dir_x) X(dir_y) X(ahead)                                                                 \
  /* rise of the surface; depth to which the soil here was pressed before, as read; the */   \
  /* part of that which is from earlier passes, not the wheel's own footprint, and as a */   \
  /* share; depth of the footprint */                                                        \
  X(raised) X(earlier) X(prior_depth) X(prior_share) X(footprint_start)                        \
  /* earlier passes, where the ground counts them, and their mean slip */                    \
  X(passes) X(pass_slip)
// clang-format on
RUT_NUMBER_ROWS(RUT_SOIL_ROWS, RUT_CONTACT_ROWS_END, RUT_SOIL_ROWS_END);

// Direction of travel of a wheel, 1 forward, -1 backward: that of its hub, or of its rim if that is
// faster.
RUT_INLINE double rut_travel_direction(double rolls, double moves) {
  return (rut_abs(rolls) > rut_abs(moves) ? rolls : moves) < 0 ? -1 : 1;
}

// Depth of wheels in deformable soil, and the tyre deflection as the last step left it.
void rut_split_depth(const rutEnvironment* world, const rutVehicleBatch* batch, const double* spin,
                     const int* soil, rutWheels e);

// Ground without regions and maps has one soil, and says nothing else of the place.
RUT_INLINE void same_everywhere(const rutGround* ground, int* soil, rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    soil[i] = ground->soil;
    W(strength)[i] = W(friction)[i] = RUT_NAN;
  }
}

// On hard ground the tyre takes up the whole depth.
RUT_INLINE void keep_depth(rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double overlap = W(overlap)[i];
    W(deformable)[i] = W(floor_slope)[i] = 0;
    W(deflection)[i] = W(depth)[i] = overlap;
  }
}

// Which wheels of a tile are on the soil of wheel `first`; their number, 0 if one before it is too.
RUT_INLINE int rut_wheels_on(const int* soil, int first, int wheels, int* at) {
  int n = 0;
  for (int i = 0; i < first; i++) {
    if (soil[i] == soil[first]) return 0;
  }
  for (int i = first; i < wheels; i++) {
    if (soil[i] == soil[first]) at[n++] = i;
  }
  return n;
}

// Soils of lanes stand one behind the other.
RUT_INLINE void count_through_lanes(const rutEnvironment* world, int* soil, rutWheels e) {
  for (int i = 0; i < e.n; i++) soil[i] += world->soils * ((e.first + i) % e.lanes);
}

// Of the wheels of a tile; soil: index of each one's in rut_wheel_soils.
RUT_INLINE void find_soils(const rutEnvironment* world, const rutVehicleBatch* batch,
                           const double* spin, int* soil, rutWheels e) {
  const rutGround* ground = world->ground;
  if (ground->regions == 0 && ground->maps == 0) {
    same_everywhere(ground, soil, e);
  } else {
    rut_ground_material(
        ground, &(rutGroundPoints){e.n, W(hx), W(hy)}, W(hz),
        &(rutGroundMaterial){soil, W(strength), W(friction), ground->local ? W(moisture) : NULL,
                             ground->local ? W(soft_depth) : NULL});
  }
  if (world->lane_soil) count_through_lanes(world, soil, e);
  if (world->soft_soils) {
    rut_split_depth(world, batch, spin, soil, e);
  } else {
    keep_depth(e);
  }
}

#endif  // RUT_VEHICLE_SOIL_H
