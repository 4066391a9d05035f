// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/observe.h"

#include "math/quat.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Pose and velocities of the reference point. The heading is kept as its cosine, sine and whole
// turns: it has wrapped where the way from the old to the new direction crosses the far side.
RUT_INLINE void observe(const rutVehicleBatch* batch, int lanes) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double* restrict q = ROW(q), * restrict v = ROW(v);
  double* restrict position = SPATIAL(position), * restrict turned = SPATIAL(turned);
  double* restrict cosine = ROW(cos_yaw), * restrict sine = ROW(sin_yaw);
  double* restrict vx = ROW(body_vx), * restrict vy = ROW(body_vy), * restrict rate = ROW(yaw_rate);
  const double* restrict com = vehicle->com;
  RUT_FOR_LANES(l, lanes) {
    const rutVec3 arm = rut_vec3(-com[l], -com[lanes + l], -com[2 * lanes + l]);
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
    static const double LEAST = 1e-24;  // level part of a heading, squared
    const double level = 1 / rut_sqrt(rut_max(r.m[0] * r.m[0] + r.m[3] * r.m[3], LEAST));
    const double c0 = cosine[l], s0 = sine[l], c1 = r.m[0] * level, s1 = r.m[3] * level;
    const double far = c0 * rut_abs(s1) + c1 * rut_abs(s0) < 0 ? 1.0 : 0.0;
    const double up0 = s0 < 0 ? 0.0 : 1.0, up1 = s1 < 0 ? 0.0 : 1.0;
    turned[l] += far * (up0 - up1);
    cosine[l] = c1;
    sine[l] = s1;
  }
}

RUT_CLONES static void observe_batch(const rutVehicleBatch* batch) {
  observe(batch, RUT_MBD_LANES);
}

// Odometry's speeds, from the spins of two wheels.
static void observe_odometry(const rutVehicleBatch* batch) {
  const rutVehicleLayout* layout = &batch->vehicle->layout;
  const int left = layout->left, right = layout->right, lanes = batch->vehicle->lanes;
  if (left < 0 || right < 0) return;
  const double* spin = ROW(v) + (RUT_CHASSIS_SPEEDS + batch->vehicle->pad) * lanes;
  const double* radius = batch->vehicle->radius;
  const double yl = layout->y[left], yr = layout->y[right];
  const double inverse_track = yl != yr ? 1 / (yl - yr) : 0;
  for (int l = 0; l < lanes; l++) {
    const double wl = spin[left * lanes + l], wr = spin[right * lanes + l];
    const double rl = radius[left * lanes + l], rr = radius[right * lanes + l];
    const double turn = (wr * rr - wl * rl) * inverse_track;
    ROW(odo_rate)[l] = turn;
    ROW(odo_speed)[l] = wl * rl + turn * yl;
  }
}

void rut_vehicle_observe(const rutVehicleBatch* batch) {
  if (batch->vehicle->lanes == 1) {
    observe(batch, 1);
  } else {
    observe_batch(batch);
  }
  observe_odometry(batch);
}

rutVec3 rut_vehicle_attitude(const rutVehicleBatch* batch, int lane) {
  const int lanes = batch->vehicle->lanes;
  const double* q = ROW(q) + lane;
  const rutVec3 rpy = rut_mat3_rpy(
      rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes])));
  return rut_vec3(rpy.x, rpy.y, rpy.z + 2 * RUT_PI * SPATIAL(turned)[lane]);
}

// A step of the odometry's pose, whose errors are factors.
RUT_INLINE void move_odometry(double dt, const rutVehicleBatch* batch, const double* restrict scale,
                              int lanes) {
  const double* restrict rate = ROW(odo_rate), * restrict speed = ROW(odo_speed);
  double* restrict o = ROW(odometry);
  RUT_FOR_LANES(l, lanes) {
    double s, c;
    const double turn = dt * rate[l], path = dt * speed[l];
    rut_sincos(o[2 * lanes + l] + 0.5 * turn, &s, &c);
    o[l] += path * c * scale[l];
    o[lanes + l] += path * s * scale[lanes + l];
    o[2 * lanes + l] += turn * scale[2 * lanes + l];
  }
}

RUT_CLONES static void move_odometry_batch(double dt, const rutVehicleBatch* batch,
                                           const double* scale) {
  move_odometry(dt, batch, scale, RUT_MBD_LANES);
}

void rut_vehicle_odometry(double dt, const rutVehicleBatch* batch, int index) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  if (vehicle->layout.left < 0 || vehicle->layout.right < 0) return;
  const double* scale = vehicle->odometry_scale + (size_t)(3 * index) * (size_t)lanes;
  if (lanes == 1) {
    move_odometry(dt, batch, scale, 1);
  } else {
    move_odometry_batch(dt, batch, scale);
  }
}
