// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles as they start: where they stand, and how fast.
#include <string.h>

#include "math/quat.h"
#include "sim/step.h"
#include "vehicle/view.h"

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// A plane through the ground under the wheels: its height under the reference point and slopes
// along and across the heading.
static void lie_on_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                          const double start[6], double* z, double* along, double* across) {
  double s, c, n = 0, m[5] = {0}, b[3] = {0};
  rut_sincos(start[5], &s, &c);
  const double high = 1e9;
  for (int w = 0; w < group->wheels; w++) {
    const double x = group->wheel_x[w], y = group->wheel_y[w];
    double at[2] = {start[0] + c * x - s * y, start[1] + s * x + c * y}, h, sx, sy;
    rut_ground_surface(model->ground, data->lift, 1, &at[0], &at[1], &high, &h, &sx, &sy);
    if (!(h == h)) continue;
    const double add[5] = {x, y, x * x, x * y, y * y};
    for (int i = 0; i < 5; i++) m[i] += add[i];
    b[0] += h;
    b[1] += h * x;
    b[2] += h * y;
    n++;
  }
  *z = *along = *across = 0;
  if (n == 0) return;
  const double mx = m[0] / n, my = m[1] / n, mh = b[0] / n;
  const double xx = m[2] - n * mx * mx, xy = m[3] - n * mx * my, yy = m[4] - n * my * my;
  const double xh = b[1] - n * mx * mh, yh = b[2] - n * my * mh;
  const double det = xx * yy - xy * xy, trace = xx + yy;
  if (det > 1e-9 * trace * trace) {
    *along = (xh * yy - yh * xy) / det;
    *across = (yh * xx - xh * xy) / det;
  } else if (trace > 0) {
    *along = xh / trace;
    *across = yh / trace;
  }
  *z = mh - *along * mx - *across * my;
}

void rut_spatial_reset(const rutModel* model, rutData* data, int index) {
  const rutVehicleRecord* r = &model->vehicle[index];
  const rutGroup* group = &model->group[r->group];
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, lane = r->slot % lanes;
  double* batch = rut_batch(data, group, r->slot / lanes);
  double start[6];
  memcpy(start, r->start, sizeof start);
  if (r->on_ground) {
    double z, along, across;
    lie_on_ground(model, data, group, r->start, &z, &along, &across);
    start[2] += z - r->sag;
    start[4] += r->tilt - rut_atan(along);
    start[3] += rut_atan(across * rut_cos(start[4]));
  }
  const rutQuat attitude = rut_quat_of_rpy(start[3], start[4], start[5]);
  const rutVec3 com = rut_quat_rotate(attitude, rut_vec3_of(s->com));
  double *q = ROW(q) + lane, *v = ROW(v) + lane;
  const double place[7] = {start[0] + com.x, start[1] + com.y, start[2] + com.z, attitude.w,
                           attitude.x,       attitude.y,       attitude.z};
  for (int i = 0; i < 7; i++) q[i * lanes] = place[i];
  const rutVec3 omega = rut_vec3(0, 0, r->velocity[2]);
  const rutVec3 speed = rut_vec3_add(rut_vec3(r->velocity[0], r->velocity[1], r->velocity[3]),
                                     rut_vec3_cross(omega, rut_vec3_of(s->com)));
  const double motion[6] = {omega.x, omega.y, omega.z, speed.x, speed.y, speed.z};
  for (int i = 0; i < 6; i++) v[i * lanes] = motion[i];
  for (int w = 0; w < group->wheels; w++) {
    const double hub = r->velocity[0] - r->velocity[2] * group->wheel_y[w];
    const double radius = s->radius[w * lanes] - s->deflection[w * lanes] / 3;
    v[(6 + s->pad + w) * lanes] = r->rolling ? hub / radius : 0;
  }
  for (int w = 0; w < s->pad; w++) q[(7 + w) * lanes] = s->settled[w * lanes];
  for (int w = 0; w < s->pad; w++) {
    SPATIAL(floor)[w * lanes + lane] = RUT_NO_GROUND;
    SPATIAL(penetration)[w * lanes + lane] = r->on_ground ? s->deflection[w * lanes] : 0;
  }
  double* odometry = ROW(odometry) + lane;
  odometry[0] = start[0];
  odometry[lanes] = start[1];
  odometry[2 * lanes] = start[5];
  // cosine and sine of the heading before the first step, and the turns that it has beyond them
  const double heading = rut_quat_rpy(attitude).z;
  rut_sincos(heading, &ROW(sin_yaw)[lane], &ROW(cos_yaw)[lane]);
  SPATIAL(turned)[lane] = rut_floor((start[5] - heading) / (2 * RUT_PI) + 0.5);
  for (int w = 0; w < s->pad; w++) SPATIAL(steer_cos)[w * lanes + lane] = 1;
  if (group->controller) {
    double command[RUT_MAX_COMMANDS] = {0};
    group->controller->initial(group->controller_param, command);
    for (int i = 0; i < group->commands; i++) ROW(command)[i * lanes + lane] = command[i];
  }
}
