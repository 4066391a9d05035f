// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 3 of an evaluation: where the hubs are, and how they move.
#ifndef RUT_VEHICLE_HUBS_H
#define RUT_VEHICLE_HUBS_H

#include "vehicle/corner.h"

#define RUT_HUB_ROWS(X)                                                                       \
  /* in chassis axes: spin axis; hub; angular velocity of the carrier; velocity of the hub */ \
  X(ax)                                                                                       \
  X(ay)                                                                                       \
  X(az)                                                                                       \
  X(rx)                                                                                       \
  X(ry)                                                                                       \
  X(rz)                                                                                       \
  X(cox)                                                                                      \
  X(coy)                                                                                      \
  X(coz)                                                                                      \
  X(vhx)                                                                                      \
  X(vhy)                                                                                      \
  X(vhz)    /* displacement of the hub, up from its design position */                        \
  X(travel) /* in the world: hub, heading over the map, spin axis */                          \
  X(hx) X(hy) X(hz) X(fx) X(fy) X(wx) X(wy) X(wz)
RUT_NUMBER_ROWS(RUT_HUB_ROWS, RUT_CORNER_ROWS_END, RUT_HUB_ROWS_END);

// Carriers on slides. The hub's velocity is against the chassis at first.
RUT_INLINE void place_slides(const rutVehicleBatch* batch, const rutStageMotion* motion,
                             rutWheels e) {
  const rutSliders* b = &batch->vehicle->body;
  const double *slide = motion->slide + e.first, *slide_speed = motion->slide_speed + e.first;
  const double* sine = RUT_SPATIAL_STATE(batch, steer_sin) + e.first;
  const double* cosine = RUT_SPATIAL_STATE(batch, steer_cos) + e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    W(ax)[i] = -sine[i];
    W(ay)[i] = cosine[i];
    W(az)[i] = 0;
    W(rx)[i] = b->x[e.first + i];
    W(ry)[i] = b->y[e.first + i];
    W(rz)[i] = b->z[e.first + i] + slide[i];
    W(travel)[i] = slide[i];
    W(cox)[i] = V(ox, i);
    W(coy)[i] = V(oy, i);
    W(coz)[i] = V(oz, i);
    W(vhx)[i] = W(vhy)[i] = 0;
    W(vhz)[i] = slide_speed[i];
  }
}

// Carriers on mechanisms, likewise.
RUT_INLINE void place_carriers(rutWheels e) {
#define C(name) RUT_CORNER_ROW(e, name)
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    W(rx)[i] = C(hub_x)[i];
    W(ry)[i] = C(hub_y)[i];
    W(rz)[i] = C(hub_z)[i];
    W(ax)[i] = C(axis_x)[i];
    W(ay)[i] = C(axis_y)[i];
    W(az)[i] = C(axis_z)[i];
    W(cox)[i] = V(ox, i) + C(move_w_x)[i];
    W(coy)[i] = V(oy, i) + C(move_w_y)[i];
    W(coz)[i] = V(oz, i) + C(move_w_z)[i];
    W(vhx)[i] = C(move_v_x)[i];
    W(vhy)[i] = C(move_v_y)[i];
    W(vhz)[i] = C(move_v_z)[i];
    W(travel)[i] = C(travel)[i];
  }
#undef C
}

// Hubs and headings in the world; velocities with that of the chassis.
RUT_INLINE void place_hubs(rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double x = W(rx)[i], y = W(ry)[i], z = W(rz)[i];
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    W(hx)[i] = V(px, i) + V(r0, i) * x + V(r1, i) * y + V(r2, i) * z;
    W(hy)[i] = V(py, i) + V(r3, i) * x + V(r4, i) * y + V(r5, i) * z;
    W(hz)[i] = V(pz, i) + V(r6, i) * x + V(r7, i) * y + V(r8, i) * z;
    W(fx)[i] = V(r0, i) * ay - V(r1, i) * ax;
    W(fy)[i] = V(r3, i) * ay - V(r4, i) * ax;
    W(wx)[i] = V(r0, i) * ax + V(r1, i) * ay + V(r2, i) * az;
    W(wy)[i] = V(r3, i) * ax + V(r4, i) * ay + V(r5, i) * az;
    W(wz)[i] = V(r6, i) * ax + V(r7, i) * ay + V(r8, i) * az;
    W(vhx)[i] += V(ux, i) + V(oy, i) * z - V(oz, i) * y;
    W(vhy)[i] += V(uy, i) + V(oz, i) * x - V(ox, i) * z;
    W(vhz)[i] += V(uz, i) + V(ox, i) * y - V(oy, i) * x;
  }
}

// All of a tile. beside: as rut_corners_move takes it.
RUT_INLINE void place_wheels(double gravity, const rutVehicleBatch* batch,
                             const rutStageMotion* motion, double* beside, rutWheels e) {
  for (int from = 0; from < e.n; from += e.width) {
    const rutWheels part = rut_part(e, from);
    if (batch->vehicle->corners) {
      rut_corners_move(gravity, batch, motion, beside, part);
      place_carriers(part);
    } else {
      place_slides(batch, motion, part);
    }
    place_hubs(part);
  }
}

#endif  // RUT_VEHICLE_HUBS_H
