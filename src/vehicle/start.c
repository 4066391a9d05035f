// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/start.h"

#include <string.h>

#include "math/quat.h"
#include "vehicle/inflation.h"
#include "vehicle/wheel_ground.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// A plane through the ground under the wheels: its height under the reference point and slopes
// along and across the heading.
typedef struct Lie {
  double z, along, across;
} Lie;

static void lie_on_ground(const rutEnvironment* world, const rutVehicleClass* vehicle,
                          const double start[6], Lie* lie) {
  static const double HIGH = 1e9;      // from where the ground is looked for [m]
  static const double IN_LINE = 1e-9;  // spread of wheels across, over that along, squared
  double s, c, n = 0, m[5] = {0}, b[3] = {0};
  rut_sincos(start[5], &s, &c);
  for (int w = 0; w < vehicle->wheels; w++) {
    const double x = vehicle->layout.x[w], y = vehicle->layout.y[w];
    double at[2] = {start[0] + c * x - s * y, start[1] + s * x + c * y}, h, sx, sy;
    rut_ground_surface(world->ground, world->lift, &(rutGroundPoints){1, &at[0], &at[1]}, &HIGH,
                       &(rutGroundSurface){&h, &sx, &sy});
    if (!(h == h)) continue;
    const double add[5] = {x, y, x * x, x * y, y * y};
    for (int i = 0; i < 5; i++) m[i] += add[i];
    b[0] += h;
    b[1] += h * x;
    b[2] += h * y;
    n++;
  }
  *lie = (Lie){0, 0, 0};
  if (n == 0) return;
  const double mx = m[0] / n, my = m[1] / n, mh = b[0] / n;
  const double xx = m[2] - n * mx * mx, xy = m[3] - n * mx * my, yy = m[4] - n * my * my;
  const double xh = b[1] - n * mx * mh, yh = b[2] - n * my * mh;
  const double det = xx * yy - xy * xy, trace = xx + yy;
  if (det > IN_LINE * trace * trace) {
    lie->along = (xh * yy - yh * xy) / det;
    lie->across = (yh * xx - xh * xy) / det;
  } else if (trace > 0) {
    lie->along = xh / trace;
    lie->across = yh / trace;
  }
  lie->z = mh - lie->along * mx - lie->across * my;
}

void rut_vehicle_start(const rutEnvironment* world, const rutVehicleBatch* batch, int lane,
                       const rutVehicleStart* r) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  double start[6];
  memcpy(start, r->pose, sizeof start);
  if (r->on_ground) {
    Lie lie;
    lie_on_ground(world, vehicle, r->pose, &lie);
    start[2] += lie.z - r->sag;
    start[4] += r->tilt - rut_atan(lie.along);
    start[3] += rut_atan(lie.across * rut_cos(start[4]));
  }
  const rutQuat attitude = rut_quat_of_rpy(start[3], start[4], start[5]);
  const rutVec3 own_com = rut_load_vec3(vehicle->com, lanes, lane);
  const rutVec3 com = rut_quat_rotate(attitude, own_com);
  double *q = ROW(q) + lane, *v = ROW(v) + lane;
  const double place[RUT_CHASSIS_POSITIONS] = {start[0] + com.x, start[1] + com.y, start[2] + com.z,
                                               attitude.w,       attitude.x,       attitude.y,
                                               attitude.z};
  for (int i = 0; i < RUT_CHASSIS_POSITIONS; i++) q[i * lanes] = place[i];
  const rutVec3 omega = rut_vec3(0, 0, r->velocity[2]);
  const rutVec3 speed = rut_vec3_add(rut_vec3(r->velocity[0], r->velocity[1], r->velocity[3]),
                                     rut_vec3_cross(omega, own_com));
  const double motion[RUT_CHASSIS_SPEEDS] = {omega.x, omega.y, omega.z, speed.x, speed.y, speed.z};
  for (int i = 0; i < RUT_CHASSIS_SPEEDS; i++) v[i * lanes] = motion[i];
  for (int w = 0; w < vehicle->wheels; w++) {
    const double hub = r->velocity[0] - r->velocity[2] * vehicle->layout.y[w];
    const double radius = vehicle->radius[w * lanes] - vehicle->deflection[w * lanes] / 3;
    v[(RUT_CHASSIS_SPEEDS + vehicle->pad + w) * lanes] = r->rolling ? hub / radius : 0;
  }
  for (int w = 0; w < vehicle->pad; w++)
    q[(RUT_CHASSIS_POSITIONS + w) * lanes] = vehicle->settled[w * lanes];
  for (int w = 0; w < vehicle->pad; w++) {
    SPATIAL(floor)[w * lanes + lane] = RUT_NO_GROUND;
    SPATIAL(deflection)[w * lanes + lane] = r->on_ground ? vehicle->deflection[w * lanes] : 0;
  }
  double* odometry = ROW(odometry) + lane;
  odometry[0] = start[0];
  odometry[lanes] = start[1];
  odometry[2 * lanes] = start[5];
  // cosine and sine of the heading before the first step, and the turns that it has beyond them
  const double heading = rut_quat_rpy(attitude).z;
  rut_sincos(heading, &ROW(sin_yaw)[lane], &ROW(cos_yaw)[lane]);
  SPATIAL(turned)[lane] = rut_floor((start[5] - heading) / (2 * RUT_PI) + 0.5);
  for (int w = 0; w < vehicle->pad; w++) SPATIAL(steer_cos)[w * lanes + lane] = 1;
  rut_control_start(&vehicle->control, lanes, batch->table + lane);
  rut_vehicle_begin_pressure(batch);
}
