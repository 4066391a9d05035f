// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles: what controllers and drives make of what they see, steering and shafts.
#include <string.h>

#include "sim/step.h"
#include "vehicle/view.h"

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// All wheels turn about one point on the line where the axles meet: the angles that go with that
// of the equivalent wheel.
static void set_steer_goals(const rutGroup* group, double* batch, int lane) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes;
  const double asked = ROW(steer)[lane], t = rut_tan(rut_clamp(asked, -1.5, 1.5));
  for (int w = 0; w < group->wheels; w++) {
    const double limit = s->max_steer[w * lanes], base = s->steer_base;
    const double x = group->wheel_x[w] - s->steer_x, y = group->wheel_y[w];
    const double wanted = base > 0 ? rut_atan2(x * t, base - y * t) : rut_atan(t);
    SPATIAL(steer_goal)[w * lanes + lane] = limit > 0 ? rut_clamp(wanted, -limit, limit) : 0;
  }
  SPATIAL(steer_asked)[lane] = asked;
}

// What depends on the direction of a wheel's axis a: with the spin w against the chassis and
// p = a . omega, the energy J (w + p)^2/2 - J_t p^2/2 + g w p, and the momentum along the axis,
// J (w + p) - J_t p + g w.
typedef struct Spinning {
  double energy, momentum;
} Spinning;

static Spinning spinning(const rutGroup* group, const double* batch, int i, double sine,
                         double cosine) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, l = i % lanes;
  const double* v = ROW(v);
  const double j = s->body.spin[i], across = s->body.transverse[i], geared = s->reaction[i];
  const double along = cosine * v[lanes + l] - sine * v[l];
  const double spin = v[(6 + s->pad) * lanes + i], whole = spin + along;
  return (Spinning){0.5 * (j * whole * whole - across * along * along) + geared * spin * along,
                    j * whole - across * along + geared * spin};
}

// Turn the axis of a wheel. The chassis takes up what its momentum changes by.
static void turn_wheel(const rutGroup* group, double* batch, int i, double angle) {
  const int lanes = group->lanes, l = i % lanes;
  double *sine = &SPATIAL(steer_sin)[i], *cosine = &SPATIAL(steer_cos)[i];
  double *energy = SPATIAL(energy) + RUT_ENERGY_steering * lanes, *reaction = SPATIAL(reaction);
  const double old_sine = *sine, old_cosine = *cosine;
  const Spinning before = spinning(group, batch, i, old_sine, old_cosine);
  rut_sincos(angle, sine, cosine);
  const Spinning after = spinning(group, batch, i, *sine, *cosine);
  SPATIAL(steer)[i] = ROW(yaw)[i] = angle;
  energy[l] += before.energy - after.energy;
  reaction[l] += after.momentum * *sine - before.momentum * old_sine;
  reaction[lanes + l] -= after.momentum * *cosine - before.momentum * old_cosine;
}

// Each wheel turns as fast as the steering allows. Most of the time none does.
static void steer(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes, wheels = group->wheels * lanes;
  const double most = group->spatial->steer_rate * model->dt;
  for (int l = 0; l < lanes; l++) {
    if (ROW(steer)[l] != SPATIAL(steer_asked)[l]) set_steer_goals(group, batch, l);
  }
  const double *angle = SPATIAL(steer), *goal = SPATIAL(steer_goal);
  memset(SPATIAL(reaction), 0, (size_t)(2 * lanes) * sizeof *batch);
  for (int i = 0; i < wheels; i++) {
    const double left = goal[i] - angle[i];
    if (left != 0) turn_wheel(group, batch, i, angle[i] + rut_clamp(left, -most, most));
  }
}

// The steering linkage, or the upper end of its column, follows what is asked of it, critically
// damped and no faster than it can: at the end of the step its rate r obeys r = r0 + h (w^2 (goal -
// s - h r) - 2 w r), w being the angular frequency of its response.
static void follow(const rutModel* model, const rutGroup* group, double* batch) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes;
  const double h = model->dt, w = s->steer_response, inverse = 1 / h;
  const double gain = s->steer_full > 0 ? s->steer_lock / s->steer_full : 0;
  const bool gives = s->steer_stiffness > 0;
  double* linkage = gives ? SPATIAL(column) : SPATIAL(linkage);
  double* change = gives ? SPATIAL(column_change) : SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    const double goal = rut_clamp(gain * ROW(steer)[l], -s->steer_lock, s->steer_lock);
    const double pull = linkage[lanes + l] + h * w * w * (goal - linkage[l]);
    const double wanted = pull / (1 + 2 * h * w + h * h * w * w);
    const double rate = rut_clamp(wanted, -s->steer_rate, s->steer_rate);
    change[l] = (rate - linkage[lanes + l]) * inverse;
  }
}

// Angles of the contacts along the heading.
RUT_CLONES static void contact_slopes(const rutGroup* group, double* batch, double* slope) {
  const int n = group->wheels * group->lanes;
  const double* restrict along = SPATIAL(normal_along), * restrict up = SPATIAL(normal_up);
#pragma omp simd
  for (int i = 0; i < n; i++) slope[i] = rut_atan2(-along[i], up[i]);
}

static void update_controller(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes;
  const double period = group->control_period;
  double* left = SPATIAL(update);
  // all lanes began together: one clock tells for all
  if (period > model->dt) {
    const bool due = left[0] <= 0.5 * model->dt;
    for (int l = 0; l < lanes; l++) left[l] += (due ? period : 0) - model->dt;
    if (!due) return;
  }
  double roll[RUT_MBD_LANES], pitch[RUT_MBD_LANES], yaw[RUT_MBD_LANES];
  double slope[RUT_MAX_WHEELS * RUT_MBD_LANES];
  const bool looks = !group->controller->open_loop;
  for (int l = 0; looks && l < lanes; l++) {
    const rutVec3 rpy = rut_spatial_attitude(group, batch, l);
    roll[l] = rpy.x;
    pitch[l] = rpy.y;
    yaw[l] = rpy.z;
  }
  if (looks) contact_slopes(group, batch, slope);
  const rutControlIn in = {.dt = rut_max(period, model->dt),
                           .command = ROW(command),
                           .vx = ROW(body_vx),
                           .vy = ROW(body_vy),
                           .yaw_rate = ROW(yaw_rate),
                           .odo_speed = ROW(odo_speed),
                           .odo_rate = ROW(odo_rate),
                           .pitch = looks ? pitch : NULL,
                           .speed = ROW(start_speed),
                           .steer = ROW(yaw),
                           .position = SPATIAL(position),
                           .yaw = looks ? yaw : NULL,
                           .roll = looks ? roll : NULL,
                           .load = ROW(load),
                           .slope = looks ? slope : NULL,
                           .arm_x = SPATIAL(arm_x),
                           .arm_z = SPATIAL(arm_z),
                           .grip = SPATIAL(grip)};
  const rutControlOut out = {ROW(demand), ROW(steer), ROW(twist), SPATIAL(brake)};
  group->controller->update(group->controller_param, &group->layout, lanes, group->inputs, &in,
                            ROW(control), &out);
}

// Twice the kinetic energy of the shafts of each lane, with a sign, added to its sum.
static void add_shaft_energy(const rutGroup* group, const double* batch, double sign,
                             double sum[RUT_MBD_LANES]) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, n = s->body.n, wheels = group->wheels * lanes;
  const double *turns = SPATIAL(turns), *yields = SPATIAL(yields), *speed = ROW(start_speed);
  const double* tilting = SPATIAL(tilting);
  for (int k = 0; k < s->shafts; k++) {
    double turning[RUT_MBD_LANES] = {0};
    for (int i = 0; i < wheels; i++) {
      turning[i % lanes] += turns[k * n + i] * (speed[i] + tilting[i]);
    }
    for (int l = 0; l < lanes; l++) {
      const double yield = yields[k * lanes + l];
      if (yield > 0) sum[l] += sign * turning[l] * turning[l] / yield;
    }
  }
}

// For brakes: inertia of the shafts at each wheel as all turn alike.
static void see_inertia(const rutGroup* group, double* batch) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, n = s->body.n, wheels = group->wheels * lanes;
  const double *turns = SPATIAL(turns), *yields = SPATIAL(yields);
  double* inertia = SPATIAL(shaft_inertia);
  memset(inertia, 0, (size_t)n * sizeof *inertia);
  for (int k = 0; k < s->shafts; k++) {
    double all[RUT_MBD_LANES] = {0};
    for (int i = 0; i < wheels; i++) all[i % lanes] += turns[k * n + i];
    for (int i = 0; i < wheels; i++) {
      const double yield = yields[k * lanes + i % lanes];
      if (yield > 0) inertia[i] += turns[k * n + i] * all[i % lanes] / yield;
    }
  }
}

// Shafts that couple the wheels: what they turn.
static void couple(const rutGroup* group, double* batch) {
  const rutSpatial* s = group->spatial;
  if (s->shafts == 0) return;
  const int lanes = group->lanes, n = s->body.n, wheels = group->wheels * lanes;
  const double* gear = ROW(drive) + group->drive->couple_row * lanes;
  double *turns = SPATIAL(turns), *yields = SPATIAL(yields), *coupled = SPATIAL(coupled);
  bool known = false, same = true;
  for (int i = 0; i < s->shafts * lanes; i++) known = known || yields[i] > 0;
  for (int l = 0; l < lanes; l++) same = same && coupled[l] == gear[l];
  if (!known || !same) {
    double given[RUT_MAX_SHAFTS * RUT_MAX_WHEELS * RUT_MBD_LANES] = {0};
    // a shift of gears changes what the shafts hold at the same speeds: that is the drive's doing
    double twice[RUT_MBD_LANES] = {0};
    add_shaft_energy(group, batch, -1, twice);
    // shafts that the drive does not have stand still
    for (int i = 0; i < s->shafts * lanes; i++) yields[i] = 1;
    group->drive->couple(group->drive_param, &group->layout, lanes, ROW(drive), given, yields);
    for (int k = 0; k < s->shafts; k++) {
      for (int i = 0; i < wheels; i++) turns[k * n + i] = given[k * wheels + i];
    }
    see_inertia(group, batch);
    add_shaft_energy(group, batch, 1, twice);
    memcpy(coupled, gear, (size_t)lanes * sizeof *coupled);
    // before the first step nothing is known of them: what they hold then they had at the start
    double* to = known ? SPATIAL(energy) + RUT_ENERGY_drive * lanes : SPATIAL(mechanical);
    for (int l = 0; l < lanes; l++) to[l] += 0.5 * twice[l];
  }
}

void rut_spatial_control(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes;
  const rutSpatial* s = group->spatial;
  memcpy(ROW(start_speed), ROW(v) + (6 + s->pad) * lanes, (size_t)s->body.n * sizeof *batch);
  if (group->controller) update_controller(model, group, batch);
  steer(model, group, batch);
  if (s->mechanisms) follow(model, group, batch);
  if (!group->drive) return;
  group->drive->torque(group->drive_param, &group->layout, lanes, model->dt, ROW(demand),
                       ROW(start_speed), ROW(drive), ROW(torque));
  couple(group, batch);
  if (!group->drive->power) return;
  double power[RUT_MBD_LANES];
  group->drive->power(group->drive_param, &group->layout, lanes, ROW(start_speed), ROW(drive),
                      power);
  for (int l = 0; l < lanes; l++) SPATIAL(consumed)[l] += model->dt * power[l];
}
