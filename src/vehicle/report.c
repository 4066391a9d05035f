// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/report.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// What tyres do, for outputs.
RUT_INLINE void report_tyres(const rutVehicleBatch* batch, rutWheels e) {
  double *forward = ROW(longitudinal_load), *inclination = ROW(sin_inclination),
         *aligning = ROW(aligning), *drag = ROW(drag);
  double *slip = ROW(slip_power), *tyre = ROW(tyre_power);
  const bool twists = batch->vehicle->twists;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    // loads stand outside of choices, so that the loop becomes vector code
    const double moment = W(aligning)[i], twisting = W(p_twist)[i];
    const double slipping = W(p_slip)[i] + (twists ? twisting : 0);
    forward[i] = W(out_x)[i];
    drag[i] = W(drag)[i];
    inclination[i] = W(sin_inclination)[i];
    aligning[i] = twists ? moment : 0;
    slip[i] = slipping;
    tyre[i] = slipping + W(p_tyre)[i] + W(p_rolling)[i];
  }
}

// What rut_wheel_state and controllers see of the wheels of a part in this step.
RUT_INLINE void report_part(const rutVehicleBatch* whole, rutWheels e) {
  const rutVehicleClass* vehicle = whole->vehicle;
  const rutVehicleBatch from_here = {vehicle, whole->table + e.first, NULL, NULL},
                        *batch = &from_here;
  const double* com = vehicle->total_com;
  double *load = ROW(load), *hub_vx = ROW(hub_vx), *hub_vy = ROW(hub_vy);
  double *fx = ROW(fx), *fy = ROW(fy), *deflection = SPATIAL(deflection);
  double *along = SPATIAL(normal_along), *upward = SPATIAL(normal_up);
  double *arm_x = SPATIAL(arm_x), *arm_z = SPATIAL(arm_z);
  double *grip = SPATIAL(grip), *side = SPATIAL(lateral_load);
  double *patch_x = ROW(patch_x), *patch_y = ROW(patch_y), *patch_z = ROW(patch_z);
  double *fz = ROW(fz), *suspension = ROW(suspension_force);
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    load[i] = W(out_n)[i];
    hub_vx[i] = W(vhx)[i];
    hub_vy[i] = W(vhy)[i];
    fx[i] = W(out_x)[i] * W(tx)[i] + W(out_y)[i] * W(sx)[i] + W(out_n)[i] * W(nx)[i];
    fy[i] = W(out_x)[i] * W(ty)[i] + W(out_y)[i] * W(sy)[i] + W(out_n)[i] * W(ny)[i];
    fz[i] = W(out_x)[i] * W(tz)[i] + W(out_y)[i] * W(sz)[i] + W(out_n)[i] * W(nz)[i];
    suspension[i] = W(hung)[i];
    deflection[i] = rut_max(W(deformable)[i] > 0 ? W(deflection_end)[i] : W(deflection)[i], 0);
    side[i] = W(out_y)[i];
    // contact as a controller sees it: normal along the heading and up, place from the centre of
    // mass
    const double c = V(heading_cos, i), s = V(heading_sin, i);
    along[i] = W(gnx)[i] * c + W(gny)[i] * s;
    upward[i] = W(gnz)[i];
    patch_x[i] = W(rx)[i] + W(dx)[i];
    patch_y[i] = W(ry)[i] + W(dy)[i];
    patch_z[i] = W(rz)[i] + W(dz)[i];
    const double x = patch_x[i] - OF_LANE(com, 0, i), y = patch_y[i] - OF_LANE(com, 1, i);
    const double z = patch_z[i] - OF_LANE(com, 2, i);
    const double wx = V(r0, i) * x + V(r1, i) * y + V(r2, i) * z;
    const double wy = V(r3, i) * x + V(r4, i) * y + V(r5, i) * z;
    arm_x[i] = c * wx + s * wy;
    arm_z[i] = V(r6, i) * x + V(r7, i) * y + V(r8, i) * z;
    grip[i] = W(peak)[i];
  }
  report_tyres(batch, e);
  if (!vehicle->mechanisms) return;
  // wheels on mechanisms turn with their carriers
  double *yaw = ROW(yaw), *travel = SPATIAL(travel), *tilting = SPATIAL(tilting);
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double turned = rut_atan2(-W(ax)[i], W(ay)[i]);
    yaw[i] = vehicle->corner_mass[e.first + i] > 0 ? turned : yaw[i];
    travel[i] = W(travel)[i];
    tilting[i] = (W(cox)[i] - V(ox, i)) * W(ax)[i] + (W(coy)[i] - V(oy, i)) * W(ay)[i] +
                 (W(coz)[i] - V(oz, i)) * W(az)[i];
  }
}

RUT_INLINE void report(const rutVehicleBatch* batch, const rutWork* work, rutSizes of) {
  const rutTiles all = rut_tiles(batch, work, of);
  for (int p = 0; p < rut_parts(all); p++) report_part(batch, rut_part_at(all, p));
}

RUT_WHEEL_SIZES(report, (const rutVehicleBatch* batch, const rutWork* work), batch, work)

void rut_vehicle_report(const rutVehicleBatch* batch, const rutWork* work) {
  report_all(batch, work);
}
