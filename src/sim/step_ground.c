// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles follow the ground: height, pitch and roll come from a plane through the heights under
// their feet, and their planar joint lies in that plane.
#include "sim/step_ground.h"

#include <string.h>

#include "math/vec.h"

enum { SETTLE_PASSES = 12 };

// Number of one vehicle in a batch: rows are `lanes` apart.
typedef struct Lane {
  double *q, *v, *ground, *cos_yaw, *sin_yaw, *pitch;
  int lanes;
} Lane;

static Lane lane_of(const rutGroup* group, double* batch, int lane) {
  const int n = group->lanes;
  return (Lane){batch + group->row.q * n + lane,
                batch + group->row.v * n + lane,
                batch + group->row.ground * n + lane,
                batch + group->row.cos_yaw * n + lane,
                batch + group->row.sin_yaw * n + lane,
                batch + group->row.pitch * n + lane,
                n};
}

typedef struct Foot {
  double x, y, h;  // along and across the heading from the centre of mass, level; height of ground
} Foot;

// Where the feet are over the map, given the present axes, and how high the ground is there.
static void probe_feet(const rutModel* model, const rutData* data, const rutGroup* group, Lane p,
                       Foot* foot) {
  const int n = p.lanes;
  double c = p.cos_yaw[0], s = p.sin_yaw[0];
  const double *axes = p.ground + n, *com = group->com;
  for (int i = 0; i < group->feet; i++) {
    double lx = group->foot[2 * i] - group->com[0], ly = group->foot[2 * i + 1] - group->com[1];
    double px = c * lx - s * ly, py = s * lx + c * ly;
    double wx = axes[0] * px + axes[n] * py, wy = axes[3 * n] * px + axes[4 * n] * py;
    double wz = axes[6 * n] * px + axes[7 * n] * py;
    bool found;
    foot[i].x = c * wx + s * wy;
    foot[i].y = -s * wx + c * wy;
    foot[i].h = rut_ground_height(model->ground, data->lift, p.q[0] + wx, p.q[n] + wy,
                                  p.ground[0] + wz, &found);
    // off all ground the plane under the vehicle goes on
    const double arm =
        axes[6 * n] * (c * com[0] - s * com[1]) + axes[7 * n] * (s * com[0] + c * com[1]);
    if (!found) foot[i].h = p.ground[0] + arm + wz;
  }
}

// Least-squares plane h = z + sx x + sy y through the feet; z is the height at the centre of mass.
static void fit_plane(const Foot* foot, int n, double* z, double* sx, double* sy) {
  double mx = 0, my = 0, mh = 0;
  for (int i = 0; i < n; i++) {
    mx += foot[i].x;
    my += foot[i].y;
    mh += foot[i].h;
  }
  mx /= n;
  my /= n;
  mh /= n;
  double xx = 0, xy = 0, yy = 0, xh = 0, yh = 0;
  for (int i = 0; i < n; i++) {
    double x = foot[i].x - mx, y = foot[i].y - my, h = foot[i].h - mh;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xh += x * h;
    yh += y * h;
  }
  const double det = xx * yy - xy * xy, trace = xx + yy;
  if (det > 1e-9 * trace * trace) {
    *sx = (xh * yy - yh * xy) / det;
    *sy = (yh * xx - xh * xy) / det;
  } else {
    // feet on one line leave the slope across it open: none is taken (least norm)
    *sx = trace > 0 ? xh / trace : 0;
    *sy = trace > 0 ? yh / trace : 0;
  }
  *z = mh - *sx * mx - *sy * my;
}

// Axes of the ground: the shortest rotation that takes the vertical to the normal (nx, ny, nz), so
// that on level ground they are the world's, exactly.
static void set_axes(Lane p, double nx, double ny, double nz) {
  const double k = 1 / (1 + nz);
  const double e[9] = {
      1 - nx * nx * k, -nx * ny * k, nx, -nx * ny * k, 1 - ny * ny * k, ny, -nx, -ny, nz};
  for (int i = 0; i < 9; i++) p.ground[(1 + i) * p.lanes] = e[i];
}

// The ground turns a vehicle's heading and velocity only as far as it must: by the shortest
// rotation from the old normal a to the new one b. The axes are chosen from the vertical instead,
// so they turn about the normal by an angle of their own, which heading and velocity along the axes
// make up for.
static void carry_heading(Lane p, rutVec3 a, rutVec3 first_axis) {
  const int n = p.lanes;
  const double* e = p.ground + n;
  const rutVec3 b = rut_vec3(e[2 * n], e[5 * n], e[8 * n]);
  if (a.x == b.x && a.y == b.y) return;
  // x turned by the shortest rotation: x + u x x + u x (u x x)/(1 + a.b) with u = a x b
  const rutVec3 u = rut_vec3_cross(a, b), once = rut_vec3_cross(u, first_axis);
  const rutVec3 twice = rut_vec3_scale(rut_vec3_cross(u, once), 1 / (1 + rut_vec3_dot(a, b)));
  const rutVec3 carried = rut_vec3_add(first_axis, rut_vec3_add(once, twice));
  const double c = carried.x * e[0] + carried.y * e[3 * n] + carried.z * e[6 * n];
  const double s = carried.x * e[n] + carried.y * e[4 * n] + carried.z * e[7 * n];
  const double vx = p.v[0], vy = p.v[n];
  p.v[0] = c * vx - s * vy;
  p.v[n] = s * vx + c * vy;
  p.q[2 * n] += rut_atan2(s, c);
  rut_sincos(p.q[2 * n], p.sin_yaw, p.cos_yaw);
}

static void follow_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                          Lane p) {
  Foot foot[RUT_MAX_FEET] = {{0, 0, 0}};
  probe_feet(model, data, group, p, foot);
  bool level = true;
  for (int i = 1; i < group->feet; i++) level = level && foot[i].h == foot[0].h;
  double z = foot[0].h, sx = 0, sy = 0;
  if (!level) fit_plane(foot, group->feet, &z, &sx, &sy);

  const double c = p.cos_yaw[0], s = p.sin_yaw[0];
  const double up = 1 / rut_sqrt(1 + sx * sx + sy * sy);
  set_axes(p, -(c * sx - s * sy) * up, -(s * sx + c * sy) * up, up);
  p.ground[0] = z - sx * group->com[0] - sy * group->com[1];
  p.pitch[0] = -rut_atan(sx);
}

void rut_batch_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                      double* batch) {
  if (group->mechanism || model->ground->sources == 0) return;
  for (int lane = 0; lane < group->lanes; lane++) {
    const Lane p = lane_of(group, batch, lane);
    const int n = p.lanes;
    const double* e = p.ground + n;
    const rutVec3 normal = rut_vec3(e[2 * n], e[5 * n], e[8 * n]);
    const rutVec3 first_axis = rut_vec3(e[0], e[3 * n], e[6 * n]);
    follow_ground(model, data, rut_group_of(group, lane), p);
    carry_heading(p, normal, first_axis);
  }
}

void rut_ground_settle(const rutModel* model, rutData* data) {
  if (model->ground->sources == 0) return;
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    if (!r->on_ground) continue;
    const rutGroup* g = &model->group[r->group];
    if (g->spatial) continue;
    double* batch = rut_batch(data, g, r->slot / g->lanes);
    // the feet move as the vehicle tilts: a few passes settle both
    for (int pass = 0; pass < SETTLE_PASSES; pass++) {
      follow_ground(model, data, g, lane_of(g, batch, r->slot % g->lanes));
    }
  }
}
