// SPDX-License-Identifier: BSD-3-Clause
#include "sim/step_vehicle_control.h"

#include <string.h>

#include "sim/step_lanes.h"
#include "sim/step_plane.h"

// Ackermann: the axes of all steered wheels meet on the line of the rear axle. With t the tangent
// of the equivalent front wheel's angle the wheel at (x, y) from that axle's middle has x t / (l -
// y t). Without a wheelbase all stand at that angle.
RUT_INLINE void steer_wheel(const rutGroup* group, int lanes, int w, int has_base, double* batch) {
  const double* restrict steer = ROW(steer), * restrict most = group->lane_max_steer;
  const double* restrict base = group->lane_wheelbase;
  const double* restrict at_x = group->steer_x + w * lanes, * restrict at_y =
                                                                group->steer_y + w * lanes;
  double* restrict q = ROW(q) + (size_t)group->steer_position[w] * (size_t)lanes;
  double* restrict yaw = ROW(yaw) + (size_t)w * (size_t)lanes;
  const double mount = group->mount_yaw[w];
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double x = at_x[l], y = at_y[l], l0 = base[l], limit = most[l];
    const double t = rut_tan(rut_clamp(steer[l], -limit, limit));
    q[l] = has_base ? rut_atan2(x * t, l0 - y * t) : rut_atan(t);
    yaw[l] = q[l] + mount;
  }
}

RUT_INLINE void steer_wheels(const rutGroup* group, int lanes, double* batch) {
  for (int w = 0; w < group->wheels; w++) {
    if (group->steer_position[w] < 0) continue;
    // lanes have in common whether there is a wheelbase
    if (group->layout.wheelbase > 0) {
      steer_wheel(group, lanes, w, 1, batch);
    } else {
      steer_wheel(group, lanes, w, 0, batch);
    }
  }
}

RUT_INLINE void gather_wheel_speeds(const rutGroup* group, int lanes, double* batch) {
  for (int w = 0; w < group->wheels; w++) {
    memcpy(ROW(start_speed) + (size_t)w * (size_t)lanes,
           ROW(v) + (size_t)group->wheel_speed[w] * (size_t)lanes, (size_t)lanes * sizeof *batch);
  }
}

// True place and attitude of the reference points, for controllers that ask for them.
typedef struct Poses {
  double position[3 * RUT_MBD_LANES], yaw[RUT_MBD_LANES], roll[RUT_MBD_LANES];
} Poses;

static void find_poses(const rutGroup* group, int lanes, const double* batch, Poses* out) {
  const double *q = ROW(q), *ground = ROW(ground);
  for (int l = 0; l < lanes; l++) {
    const double c = ROW(cos_yaw)[l], s = ROW(sin_yaw)[l];
    rutMat3 axes, turn = {{c, -s, 0, s, c, 0, 0, 0, 1}};
    for (int i = 0; i < 9; i++) axes.m[i] = ground[(1 + i) * lanes + l];
    const rutMat3 body = rut_mat3_mul(axes, turn);
    const double* com = group->lane_com;
    const rutVec3 arm = rut_mat3_apply(body, rut_vec3(-com[l], -com[lanes + l], 0));
    out->position[l] = q[l] + arm.x;
    out->position[lanes + l] = q[lanes + l] + arm.y;
    out->position[2 * lanes + l] = ground[l];
    out->yaw[l] = q[2 * lanes + l];
    out->roll[l] = rut_mat3_rpy(body).x;
  }
}

// Loops do not ask for more than the drive has.
RUT_INLINE void limit_demands(const rutModel* model, const rutGroup* group, int lanes,
                              double* batch) {
  const rutDemandLine line = rut_plane_line(group, lanes, batch);
  const rutDriveIn in = {lanes, model->dt, NULL, ROW(start_speed), group->drive_plan};
  if (group->own_drive) {
    rut_plane_limits(group, &in, ROW(drive), line.low, line.high);
  } else {
    group->drive->limits(group->drive_param, &group->layout, &in, ROW(drive), line.low, line.high);
  }
}

static void run_controllers(const rutData* data, const rutGroup* group, int index, double* batch) {
  const int lanes = group->lanes;
  const rutControlStep step = {.stack = &group->control,
                               .layout = &group->layout,
                               .own = group->own_control,
                               .lanes = lanes,
                               .inputs = group->inputs,
                               .first_slot = index * lanes,
                               .vehicle = group->member + (ptrdiff_t)index * lanes,
                               .dt = data->model->dt,
                               .step = data->steps,
                               .table = batch,
                               .host = &data->control,
                               .job = rut_batch_jobs(data, group, index)};
  Poses pose;
  const bool looks = rut_control_looks(&step, RUT_USES_POSE);
  if (looks) find_poses(group, lanes, batch, &pose);
  const rutControlMeasured measured = {.vx = ROW(body_vx),
                                       .vy = ROW(body_vy),
                                       .yaw_rate = ROW(yaw_rate),
                                       .odo_speed = ROW(odo_speed),
                                       .odo_rate = ROW(odo_rate),
                                       .pitch = ROW(pitch),
                                       .speed = ROW(start_speed),
                                       .steer = ROW(yaw),
                                       .position = looks ? pose.position : NULL,
                                       .yaw = looks ? pose.yaw : NULL,
                                       .roll = looks ? pose.roll : NULL};
  const int lined = group->lines * lanes;
  const rutDemandLine line = rut_plane_line(group, lanes, batch);
  for (int i = 0; i < 4 * lined; i++) line.still[i] = 0;
  double* demand = ROW(demand);
  const rutControlOut out = {
      .demand = demand, .steer = ROW(steer), .twist = ROW(twist), .line = lined ? &line : NULL};
  rut_control_run(&step, &measured, &out);
  if (lined && group->drive->limits) limit_demands(data->model, group, lanes, batch);
  if (!group->coupled) return;
  for (int i = 0; i < lined; i++) demand[i] = rut_clamp(line.still[i], line.low[i], line.high[i]);
}

RUT_INLINE void drive(const rutModel* model, const rutGroup* group, int lanes, double* batch) {
  steer_wheels(group, lanes, batch);
  if (!group->drive) return;
  const rutDriveIn in = {lanes, model->dt, ROW(demand), ROW(start_speed), group->drive_plan};
  if (lanes > 1 && group->own_drive) {
    rut_plane_torque(group, &in, ROW(drive), ROW(torque));
  } else {
    group->drive->torque(group->drive_param, &group->layout, &in, ROW(drive), ROW(torque));
  }
}

RUT_INLINE void look(const rutGroup* group, int lanes, double* batch) {
  rut_plane_measure(group, lanes, batch);
  gather_wheel_speeds(group, lanes, batch);
}

// Every entry below comes for eight lanes and for one, so that the compiler knows the count.
RUT_CLONES static void look_8(const rutGroup* group, double* batch) {
  look(group, RUT_MBD_LANES, batch);
}
RUT_CLONES static void drive_8(const rutModel* model, const rutGroup* group, double* batch) {
  drive(model, group, RUT_MBD_LANES, batch);
}

void rut_batch_control(const rutData* data, const rutGroup* group, int index) {
  if (group->mechanism) return;
  double* batch = rut_batch(data, group, index);
  const bool lone = group->lanes == 1;
  if (lone) {
    look(group, 1, batch);
  } else {
    look_8(group, batch);
  }
  if (group->control.n > 0) run_controllers(data, group, index, batch);
  if (lone) {
    drive(data->model, group, 1, batch);
  } else {
    drive_8(data->model, group, batch);
  }
}
