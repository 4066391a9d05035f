// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/course.h"

#include <string.h>

#include "vehicle/steering.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Parts of the step at its three times.
static const double part_of[RUT_COURSE_TIMES] = {0, 0.5, 1};

// The parabola c0 + c1 t + c2 t^2 through values at the start, in the middle and at the end of h.
typedef struct Parabola {
  double c0, c1, c2;
} Parabola;

static Parabola parabola_of(double h, const double at[RUT_COURSE_TIMES]) {
  const double inverse = 1 / h;
  return (Parabola){at[0], (4 * (at[1] - at[0]) - (at[2] - at[0])) * inverse,
                    2 * ((at[2] - at[1]) - (at[1] - at[0])) * inverse * inverse};
}

// ---- what is asked for ----

// Angle of the equivalent wheel of a lane at a time.
static double asked_steer(const rutVehicleBatch* batch, int time, int lane) {
  const int lanes = batch->vehicle->lanes, inputs = batch->vehicle->inputs;
  if (time == 0) return ROW(steer)[lane];
  return ROW(later)[((time - 1) * (inputs + 2) + inputs) * lanes + lane];
}

static void read_pedals(const rutVehicleBatch* batch, rutCourse* c) {
  const int lanes = batch->vehicle->lanes, inputs = batch->vehicle->inputs;
  const size_t n = (size_t)lanes, demands = (size_t)inputs * n;
  const double* later = ROW(later);
  memcpy(c->demand[0], ROW(demand), demands * sizeof *later);
  memcpy(c->brake[0], SPATIAL(brake), n * sizeof *later);
  for (int k = 1; k < RUT_COURSE_TIMES; k++, later += (inputs + 2) * lanes) {
    memcpy(c->demand[k], later, demands * sizeof *later);
    memcpy(c->brake[k], later + (inputs + 1) * lanes, n * sizeof *later);
  }
}

// ---- wheels on slides ----

static void begin_slides(double h, const rutVehicleBatch* batch, rutCourse* c) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double* angle = SPATIAL(steer);
  double* reaction = SPATIAL(reaction);
  memset(reaction, 0, (size_t)(2 * lanes) * sizeof *reaction);
  c->moves = false;
  for (int i = 0; i < vehicle->wheels * lanes; i++) {
    for (int k = 0; k < RUT_COURSE_TIMES; k++) {
      c->goal[k][i] = rut_steer_goal(vehicle, i / lanes, asked_steer(batch, k, i % lanes));
    }
    const double left = c->goal[0][i] - angle[i];
    if (left != 0 && rut_abs(left) <= vehicle->steer_rate * h) {
      rut_steer_wheel(batch, i, c->goal[0][i]);
    }
    c->base[i] = angle[i];
    for (int k = 0; k < RUT_COURSE_TIMES; k++) c->moves |= c->goal[k][i] != angle[i];
  }
  memcpy(c->jump, reaction, (size_t)(2 * lanes) * sizeof *reaction);
}

// What a wheel that turns at a rate takes: the change of its momentum, which the chassis feels, and
// of its energy (see rut_steer_wheel, whose limit for small angles this is).
static void resist_turning(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                           int i, double rate, rutCourse* c) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, l = i % lanes;
  const double sine = SPATIAL(steer_sin)[i], cosine = SPATIAL(steer_cos)[i];
  const double x = motion->v[l], y = motion->v[lanes + l], spin = motion->spin[i];
  const double j = vehicle->body.spin[i], across = vehicle->body.transverse[i];
  const double along = cosine * y - sine * x, turned = -sine * y - cosine * x;
  const double momentum = j * (spin + along) - across * along + vehicle->reaction[i] * spin;
  const double change = (j - across) * turned;
  SPATIAL(reaction)[l] += dt * rate * (change * sine + momentum * cosine);
  SPATIAL(reaction)[lanes + l] -= dt * rate * (change * cosine - momentum * sine);
  c->power[l] -= rate * momentum * turned;
}

static void turn_slides_at(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                           int time, rutCourse* c) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double most = vehicle->steer_rate, reach = most * dt * part_of[time];
  for (int i = 0; i < vehicle->wheels * lanes; i++) {
    const double at[RUT_COURSE_TIMES] = {c->goal[0][i], c->goal[1][i], c->goal[2][i]};
    const Parabola p = parabola_of(dt, at);
    const double left = at[time] - c->base[i], moved = rut_clamp(left, -reach, reach);
    const double wanted = p.c1 + 2 * p.c2 * dt * part_of[time];
    const double follows = rut_clamp(wanted, -most, most);
    const double rate = moved != left ? rut_copysign(most, left) : follows;
    const double angle = c->base[i] + moved;
    rut_sincos(angle, &SPATIAL(steer_sin)[i], &SPATIAL(steer_cos)[i]);
    SPATIAL(steer)[i] = ROW(yaw)[i] = angle;
    if (rate != 0) resist_turning(dt, batch, motion, i, rate, c);
  }
}

// ---- the linkage ----

// One that follows with the angular frequency w, critically damped: s'' = w^2 (g - s) - 2 w s', of
// which s = a + b t + c2 t^2 + (A + B t) exp(-w t) is the solution for a parabola g.
static void follow_parabola(double h, double w, Parabola g, int lane, rutSteerPath* path) {
  const double from = path->position[0][lane], rate = path->rate[0][lane];
  const double b = g.c1 - 4 * g.c2 / w, a = g.c0 - 2 * b / w - 2 * g.c2 / (w * w);
  const double start = from - a, slope = rate - b + w * start;
  for (int k = 0; k < RUT_COURSE_TIMES; k++) {
    const double t = h * part_of[k], fades = rut_exp(-w * t);
    const double rest = (start + slope * t) * fades;
    const double s = a + b * t + g.c2 * t * t + rest;
    const double v = b + 2 * g.c2 * t + slope * fades - w * rest;
    path->position[k][lane] = s;
    path->rate[k][lane] = v;
    path->acceleration[k][lane] = w * w * (g.c0 + g.c1 * t + g.c2 * t * t - s) - 2 * w * v;
  }
}

// Constant acceleration through the step.
static void accelerate_evenly(double h, double acceleration, int lane, rutSteerPath* path) {
  const double from = path->position[0][lane], rate = path->rate[0][lane];
  for (int k = 0; k < RUT_COURSE_TIMES; k++) {
    const double t = h * part_of[k];
    path->position[k][lane] = from + t * (rate + 0.5 * t * acceleration);
    path->rate[k][lane] = rate + t * acceleration;
    path->acceleration[k][lane] = acceleration;
  }
}

// most: largest rate.
static void find_path(double h, const rutVehicleClass* vehicle, Parabola goal, double most,
                      int lane, rutSteerPath* path) {
  const double rate = path->rate[0][lane];
  double end = 0;
  if (vehicle->steer_response > 0) {
    follow_parabola(h, vehicle->steer_response, goal, lane, path);
    end = path->rate[2][lane];
    if (rut_abs(path->rate[1][lane]) <= most && rut_abs(end) <= most) return;
  } else {
    // rigid: it has the goal's acceleration, and what takes it to the goal and its rate within two
    // steps
    const double off = goal.c0 - path->position[0][lane], slow = goal.c1 - rate;
    end = rate + 2 * goal.c2 * h + 1.5 * slow + off / h;
  }
  end = rut_clamp(end, -most, most);
  accelerate_evenly(h, (end - rate) / h, lane, path);
}

static bool is_elastic(const rutVehicleClass* vehicle) { return vehicle->steer_stiffness > 0; }

static void begin_linkage(double h, const rutVehicleBatch* batch, rutCourse* c) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double lock = vehicle->steer_lock;
  const double gain = vehicle->steer_full > 0 ? lock / vehicle->steer_full : 0;
  const double* now = is_elastic(vehicle) ? SPATIAL(column) : SPATIAL(linkage);
  for (int l = 0; l < lanes; l++) {
    double goal[RUT_COURSE_TIMES];
    for (int k = 0; k < RUT_COURSE_TIMES; k++) {
      goal[k] = rut_clamp(gain * asked_steer(batch, k, l), -lock, lock);
    }
    c->linkage.position[0][l] = now[l];
    c->linkage.rate[0][l] = now[lanes + l];
    find_path(h, vehicle, parabola_of(h, goal), gain * vehicle->steer_rate, l, &c->linkage);
  }
}

static void set_linkage(const rutVehicleBatch* batch, int time, const rutSteerPath* path) {
  const int lanes = batch->vehicle->lanes;
  const bool elastic = is_elastic(batch->vehicle);
  double* at = elastic ? SPATIAL(column) : SPATIAL(linkage);
  double* change = elastic ? SPATIAL(column_change) : SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    at[l] = path->position[time][l];
    at[lanes + l] = path->rate[time][l];
    change[l] = path->acceleration[time][l];
  }
}

// ---- torques ----

// Torques of drives that keep nothing from step to step, at the speeds of a stage. Those of others
// hold for the step.
static void drive_at(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                     const double* demand) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutDriveType* drive = vehicle->drive;
  if (!drive || vehicle->row.control > vehicle->row.drive) return;
  drive->torque(vehicle->drive_param, &vehicle->layout,
                &(rutDriveIn){vehicle->lanes, dt, demand, motion->spin, vehicle->drive_plan},
                ROW(drive), ROW(torque));
}

// ---- all of it ----

void rut_course_begin(double dt, const rutVehicleBatch* batch, rutCourse* course) {
  read_pedals(batch, course);
  begin_slides(dt, batch, course);
  if (batch->vehicle->mechanisms) begin_linkage(dt, batch, course);
}

void rut_course_set(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion, int time,
                    rutCourse* course) {
  const size_t lanes = (size_t)batch->vehicle->lanes;
  memset(course->power, 0, sizeof course->power);
  memcpy(SPATIAL(reaction), course->jump, 2 * lanes * sizeof(double));
  if (course->moves) turn_slides_at(dt, batch, motion, time, course);
  if (batch->vehicle->mechanisms) set_linkage(batch, time, &course->linkage);
  memcpy(SPATIAL(brake), course->brake[time], lanes * sizeof(double));
  drive_at(dt, batch, motion, course->demand[time]);
}
