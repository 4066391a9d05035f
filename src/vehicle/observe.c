// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles: what sensors, controllers and people see of them.
#include "math/quat.h"
#include "sim/step.h"
#include "vehicle/view.h"

// A row of the tile at hand; e and n, its size, are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(e, n, name)

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// Pose and velocities of the reference point. The heading is kept as its cosine, sine and whole
// turns: it has wrapped where the way from the old to the new direction crosses the far side.
RUT_INLINE void observe(const rutGroup* group, int lanes, double* batch) {
  const rutSpatial* s = group->spatial;
  const double* restrict q = ROW(q), * restrict v = ROW(v);
  double* restrict position = SPATIAL(position), * restrict turns = SPATIAL(turned);
  double* restrict cosine = ROW(cos_yaw), * restrict sine = ROW(sin_yaw);
  double* restrict vx = ROW(body_vx), * restrict vy = ROW(body_vy), * restrict rate = ROW(yaw_rate);
  const rutVec3 arm = rut_vec3(-s->com[0], -s->com[1], -s->com[2]);
  RUT_FOR_LANES(l, lanes) {
    const rutMat3 r = rut_quat_matrix(
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]));
    const rutVec3 at = rut_mat3_apply(r, arm), omega = rut_load_vec3(v, lanes, l);
    const rutVec3 linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    const rutVec3 speed = rut_vec3_add(linear, rut_vec3_cross(omega, arm));
    position[l] = q[l] + at.x;
    position[lanes + l] = q[lanes + l] + at.y;
    position[2 * lanes + l] = q[2 * lanes + l] + at.z;
    vx[l] = speed.x;
    vy[l] = speed.y;
    rate[l] = omega.z;
    const double level = 1 / rut_sqrt(rut_max(r.m[0] * r.m[0] + r.m[3] * r.m[3], 1e-24));
    const double c0 = cosine[l], s0 = sine[l], c1 = r.m[0] * level, s1 = r.m[3] * level;
    const double far = c0 * rut_abs(s1) + c1 * rut_abs(s0) < 0 ? 1.0 : 0.0;
    const double up0 = s0 < 0 ? 0.0 : 1.0, up1 = s1 < 0 ? 0.0 : 1.0;
    turns[l] += far * (up0 - up1);
    cosine[l] = c1;
    sine[l] = s1;
  }
}

RUT_CLONES static void observe_batch(const rutGroup* group, double* batch) {
  observe(group, RUT_MBD_LANES, batch);
}

// Odometry's speeds, from the spins of two wheels.
static void observe_odometry(const rutGroup* group, double* batch) {
  const int left = group->layout.left, right = group->layout.right, lanes = group->lanes;
  if (left < 0 || right < 0) return;
  const double* spin = ROW(v) + (6 + group->spatial->pad) * lanes;
  const double rl = group->layout.radius[left], rr = group->layout.radius[right];
  const double yl = group->wheel_y[left], yr = group->wheel_y[right];
  const double apart = yl != yr ? 1 / (yl - yr) : 0;
  for (int l = 0; l < lanes; l++) {
    const double wl = spin[left * lanes + l], wr = spin[right * lanes + l];
    const double turn = (wr * rr - wl * rl) * apart;
    ROW(odo_rate)[l] = turn;
    ROW(odo_speed)[l] = wl * rl + turn * yl;
  }
}

void rut_spatial_observe(const rutGroup* group, double* batch) {
  if (group->lanes == 1) {
    observe(group, 1, batch);
  } else {
    observe_batch(group, batch);
  }
  observe_odometry(group, batch);
}

// Roll, pitch and heading; the heading does not wrap.
rutVec3 rut_spatial_attitude(const rutGroup* group, const double* batch, int lane) {
  const int lanes = group->lanes;
  const double* q = ROW(q) + lane;
  const rutVec3 rpy = rut_mat3_rpy(
      rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes])));
  return rut_vec3(rpy.x, rpy.y, rpy.z + 2 * RUT_PI * SPATIAL(turned)[lane]);
}

void rut_spatial_odometry(const rutModel* model, const rutGroup* group, double* batch, int index) {
  const int lanes = group->lanes;
  if (group->layout.left < 0 || group->layout.right < 0) return;
  const double* scale = group->odometry_scale + (size_t)(3 * index) * (size_t)lanes;
  double* o = ROW(odometry);
  for (int l = 0; l < lanes; l++) {
    double s, c;
    const double turn = model->dt * ROW(odo_rate)[l], path = model->dt * ROW(odo_speed)[l];
    rut_sincos(o[2 * lanes + l] + 0.5 * turn, &s, &c);
    o[l] += path * c * scale[l];
    o[lanes + l] += path * s * scale[lanes + l];
    o[2 * lanes + l] += turn * scale[2 * lanes + l];
  }
}

// What rut_wheel_state and controllers see of the wheels of a part in this step.
RUT_INLINE void report_part(const rutStepView* e, int n) {
  const rutGroup* group = e->group;
  const int at = e->first;
  double* batch = e->batch + at;
  const double* com = e->spatial->total_com;
  double *load = ROW(load), *hub_vx = ROW(hub_vx), *hub_vy = ROW(hub_vy);
  double *fx = ROW(fx), *fy = ROW(fy), *penetration = SPATIAL(penetration);
  double *along = SPATIAL(normal_along), *upward = SPATIAL(normal_up);
  double *arm_x = SPATIAL(arm_x), *arm_z = SPATIAL(arm_z);
  double *grip = SPATIAL(grip), *side = SPATIAL(lateral_load);
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    load[i] = W(out_n)[i];
    hub_vx[i] = W(vhx)[i];
    hub_vy[i] = W(vhy)[i];
    fx[i] = W(out_x)[i] * W(tx)[i] + W(out_y)[i] * W(sx)[i] + W(out_n)[i] * W(nx)[i];
    fy[i] = W(out_x)[i] * W(ty)[i] + W(out_y)[i] * W(sy)[i] + W(out_n)[i] * W(ny)[i];
    penetration[i] = rut_max(W(squeeze)[i], 0);
    side[i] = W(out_y)[i];
    // contact as a controller sees it: normal along the heading and up, place from the centre of
    // mass
    const double level = 1 / rut_sqrt(rut_max(W(r0)[i] * W(r0)[i] + W(r3)[i] * W(r3)[i], 1e-12));
    const double c = W(r0)[i] * level, s = W(r3)[i] * level;
    along[i] = W(gnx)[i] * c + W(gny)[i] * s;
    upward[i] = W(gnz)[i];
    const double x = W(rx)[i] + W(dx)[i] - com[0], y = W(ry)[i] + W(dy)[i] - com[1];
    const double z = W(rz)[i] + W(dz)[i] - com[2];
    const double wx = W(r0)[i] * x + W(r1)[i] * y + W(r2)[i] * z;
    const double wy = W(r3)[i] * x + W(r4)[i] * y + W(r5)[i] * z;
    arm_x[i] = c * wx + s * wy;
    arm_z[i] = W(r6)[i] * x + W(r7)[i] * y + W(r8)[i] * z;
    grip[i] = W(peak)[i];
  }
  if (!e->spatial->mechanisms) return;
  // wheels on mechanisms turn with their carriers
  double *yaw = ROW(yaw), *travel = SPATIAL(travel), *tilting = SPATIAL(tilting);
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double turned = rut_atan2(-W(ax)[i], W(ay)[i]);
    yaw[i] = e->spatial->corner_mass[at + i] > 0 ? turned : yaw[i];
    travel[i] = W(travel)[i];
    tilting[i] = (W(cox)[i] - W(ox)[i]) * W(ax)[i] + (W(coy)[i] - W(oy)[i]) * W(ay)[i] +
                 (W(coz)[i] - W(oz)[i]) * W(az)[i];
  }
}

RUT_INLINE void report(const rutStepView* e, int n, int lanes, int wheels) {
  (void)lanes;
  (void)wheels;
  for (int p = 0; p < rut_wheel_parts(e, n); p++) {
    const rutStepView part = rut_wheel_part_at(e, n, p);
    report_part(&part, n);
  }
}

RUT_SPATIAL_SIZES(report)

void rut_spatial_report(const rutStepView* e) { report_all(e); }
