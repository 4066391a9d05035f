// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of stage 4 of an evaluation, the ground that a wheel meets (vehicle/wheel_ground.h).
#ifndef RUT_VEHICLE_GROUND_ROWS_H
#define RUT_VEHICLE_GROUND_ROWS_H

#include "vehicle/hubs.h"

// Distance of the ground where there is none [m].
#define RUT_NO_GROUND 1e8

#define RUT_GROUND_ROWS(X)                                                                   \
  /* middle of the disc that looks for ground, world, and the height below which it does; */ \
  /* ground under it: height and slopes */                                                   \
  X(disc_x) X(disc_y) X(disc_z) X(look_z) X(gz) X(gsx) X(gsy)                                \
  /* found: distance of the hub from the plane that touches the ground, its normal (world), */ \
  /* radius of the tread across, sideways shift of the contact */                            \
  X(distance) X(gnx) X(gny) X(gnz) X(crown) X(shift)                                         \
  /* change of the deflection per displacement of the hub along the normal, as springs and as */ \
  /* dampers have it */               \
  X(gain) X(rate_gain)                                                                                    \
  /* side of the tyre against a face: rutSideTouch */                                        \
  X(side_depth) X(side_share) X(side_nx) X(side_ny) X(side_x) X(side_y) X(side_z)            \
  /* 1 where ground has steep faces near the wheel; of its depth, and of the travel of a */  \
  /* massless one, what no motion has pressed (vehicle/follow.h) */                          \
  X(faced) X(unpaid) X(unpaid_travel)                                                        \
  /* search along the arc: heading; bracket, last try, best place */                         \
  X(ex) X(ey) X(low) X(high) X(low_z) X(high_z) X(low_grade) X(high_grade)                   \
  X(try_u) X(try_x) X(try_y) X(try_z) X(try_sx) X(try_sy) X(other_u) X(other_rate)           \
  X(best_u) X(best_z) X(best_sx) X(best_sy) X(best_value) X(settled) X(nearest)              \
  /* upright edges */                                                                        \
  X(edge) X(edge_bound) X(edge_low) X(edge_high) X(edge_z) X(edge_level)                     \
  /* discs side by side: sums over them, weighted by depth */                                \
  X(sum_depth) X(sum_x) X(sum_y) X(sum_z) X(sum_shift)
RUT_NUMBER_ROWS(RUT_GROUND_ROWS, RUT_HUB_ROWS_END, RUT_GROUND_ROWS_END);

#endif  // RUT_VEHICLE_GROUND_ROWS_H
