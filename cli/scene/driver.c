// SPDX-License-Identifier: BSD-3-Clause
#include "scene/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/component.h"

// Full throttle and full turn of vehicles whose controllers say nothing of it.
static const double FULL_SPEED = 5;     // [m/s]
static const double FULL_YAW_RATE = 1;  // [rad/s]
static const double FULL_FORCE = 0.5;   // of all wheels, over the weight
static const double BRAKE_SPEED = 0.5;  // below this, torque that brakes fades out [m/s]
static const double GRAVITY = 9.81;

// Set points of a controller.
typedef struct SetPoints {
  int n;
  const rutVariable* row;
} SetPoints;

static SetPoints set_points_of(const rutComponent* controller) {
  SetPoints s = {0, NULL};
  if (controller) s.row = rut_component_variables(controller, RUT_COMMAND, &s.n);
  return s;
}

// True if set points are all it takes to drive: each has a meaning, one moves the vehicle and one
// turns it.
static bool can_be_driven(SetPoints s) {
  bool moves = false, turns = false, left = false, right = false;
  for (int i = 0; i < s.n; i++) {
    const rutMeaning m = s.row[i].means;
    if (m == RUT_MEANS_NOTHING) return false;
    moves |= m == RUT_MEANS_THROTTLE || m == RUT_MEANS_SPEED || m == RUT_MEANS_TORQUE;
    turns |= m == RUT_MEANS_STEERING || m == RUT_MEANS_STEER_ANGLE || m == RUT_MEANS_YAW_RATE;
    left |= m == RUT_MEANS_TORQUE_LEFT;
    right |= m == RUT_MEANS_TORQUE_RIGHT;
  }
  return s.n <= VIEW_COMMANDS && (left && right ? true : moves && turns);
}

// Set points before the first command: fields of the controller that are called like them.
static int read_start(const rutSpec* spec, rutNode controller, SetPoints s, double* command) {
  int n = 0;
  for (; n < s.n && n < VIEW_COMMANDS; n++) {
    const double value = rut_node_number(spec, controller, s.row[n].name);
    command[n] = isfinite(value) ? value : 0;
  }
  return n;
}

static double larger(double a, double b) { return a > b ? a : b; }

// Steering angle, wheelbase and torque, from wheels or axles.
static void read_wheels(const rutSpec* spec, rutNode vehicle, double mass, viewDriver* d) {
  double front = -HUGE_VAL, rear = HUGE_VAL, radius = 0.3, axle_steer = 0;
  bool steers = false;
  for (rutNode node = rut_node_first(spec, vehicle, NULL); !rut_node_is_null(node);
       node = rut_node_next(spec, node, NULL)) {
    const bool wheel = strcmp(rut_node_kind(spec, node), "wheel") == 0;
    if (!wheel && strcmp(rut_node_kind(spec, node), "axle") != 0) continue;
    int n = 0;
    const double* at = wheel ? rut_node_numbers(spec, node, "position", &n) : NULL;
    const double x = wheel ? (n > 0 ? at[0] : 0) : rut_node_number(spec, node, "x");
    front = larger(front, x);
    rear = x < rear ? x : rear;
    radius = rut_node_number(spec, node, "radius");
    if (wheel) {
      steers |= rut_node_number(spec, node, "steered") != 0;
    } else {
      axle_steer = larger(axle_steer, rut_node_number(spec, node, "max_steer"));
    }
  }
  steers |= axle_steer > 0;
  d->steer = axle_steer > 0 ? axle_steer : rut_node_number(spec, vehicle, "max_steer");
  d->wheelbase = steers && front > rear ? front - rear : 0;
  d->torque = FULL_FORCE * mass * GRAVITY * radius;
}

// The controller that stands in for one that cannot be driven.
static const char* substitute_of(const rutSpec* spec, rutNode vehicle, const viewDriver* d) {
  if (!rut_node_is_null(rut_node_first(spec, vehicle, "axle"))) return "throttle";
  return d->wheelbase > 0 ? "front_steer_pid" : "twist_pid";
}

static const rutComponent* controller_type(const rutContext* context, const char* name) {
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "controller") == 0 && strcmp(type->name, name) == 0) return type;
  }
  return NULL;
}

// What driving a vehicle means.
static void find_driver(const rutSpec* spec, rutNode vehicle, const rutModel* model, int index,
                        viewDriver* d) {
  const rutVehicleInfo info = rut_vehicle_info(model, index);
  *d = (viewDriver){.speed = FULL_SPEED, .yaw_rate = FULL_YAW_RATE, .wheels = info.wheels};
  read_wheels(spec, vehicle, info.mass, d);
  // of the world: the model may have one that stands in
  const rutNode controller = rut_node_first(spec, vehicle, "controller");
  const SetPoints own =
      set_points_of(rut_node_is_null(controller) ? NULL : rut_node_component(spec, controller));
  const bool direct = can_be_driven(own);
  d->world_commands = read_start(spec, controller, own, d->world_command);
  if (!direct) d->substitute = substitute_of(spec, vehicle, d);
  const bool has_drive = !rut_node_is_null(rut_node_first(spec, vehicle, "drive"));
  d->drivable = info.wheels > 0 && (direct || has_drive);
  const SetPoints driven =
      direct ? own : set_points_of(controller_type(rut_model_context(model), d->substitute));
  for (int i = 0; i < driven.n && i < VIEW_COMMANDS; i++) {
    d->role[d->commands++] = driven.row[i].means;
  }
  for (int i = 0; i < d->world_commands; i++) {
    const double first = fabs(d->world_command[i]);
    if (own.row[i].means == RUT_MEANS_SPEED && first > 0) {
      d->started = true;
      d->speed = first;
    }
    if (own.row[i].means == RUT_MEANS_YAW_RATE) d->yaw_rate = larger(d->yaw_rate, first);
  }
}

viewDriver* view_drivers_of(const rutSpec* spec, const rutModel* model) {
  const int n = rut_count(model, RUT_VEHICLE);
  viewDriver* driver = calloc((size_t)n + 1, sizeof *driver);
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "vehicle");
  for (int i = 0; driver && i < n && !rut_node_is_null(node); i++) {
    find_driver(spec, node, model, i, &driver[i]);
    node = rut_node_next(spec, node, "vehicle");
  }
  return driver;
}

rutStatus view_driver_substitute(const viewDriver* d, rutSpec* spec, rutNode vehicle,
                                 rutError* err) {
  const rutNode old = rut_node_first(spec, vehicle, "controller");
  if (!rut_node_is_null(old)) rut_spec_remove(spec, old);
  const rutNode node = rut_spec_add(spec, vehicle, "controller", d->substitute, "", err);
  if (rut_node_is_null(node)) return err->status != RUT_OK ? err->status : RUT_ERR_MODEL;
  if (strcmp(d->substitute, "throttle") == 0) {
    return rut_node_set_number(spec, node, "max_torque", d->torque, err);
  }
  return rut_node_set_number(spec, node, "max_torque", d->torque / d->wheels, err);
}

// ---- driving ----

// Torque that drives, and that brakes against the motion.
static double torque_of(const viewDriver* d, const viewPedals* p, double brake, double speed) {
  const double against = speed / BRAKE_SPEED;
  return d->torque * ((1 - brake) * p->throttle - brake * fmax(-1, fmin(1, against)));
}

// A vehicle that steers turns along the circle of its front wheels.
static double yaw_rate_of(const viewDriver* d, const viewPedals* p, double speed) {
  if (d->wheelbase > 0) return speed * tan(p->steering * d->steer) / d->wheelbase;
  return p->steering * d->yaw_rate;
}

void view_driver_command(const viewDriver* d, const viewPedals* p, double speed, double* command) {
  const double brake = p->handbrake ? 1 : p->brake;
  const double wanted = (1 - brake) * p->throttle * d->speed;
  const double turn = d->wheelbase > 0 ? 0 : p->steering;
  const double side = d->wheels > 0 ? 1.0 / d->wheels : 1;
  for (int i = 0; i < d->commands; i++) {
    double value = 0;
    switch (d->role[i]) {
      case RUT_MEANS_NOTHING:
        break;
      case RUT_MEANS_THROTTLE:
        value = p->handbrake ? 0 : p->throttle;
        break;
      case RUT_MEANS_BRAKE:
        value = brake;
        break;
      case RUT_MEANS_STEERING:
        value = p->steering;
        break;
      case RUT_MEANS_STEER_ANGLE:
        value = p->steering * d->steer;
        break;
      case RUT_MEANS_SPEED:
        value = wanted;
        break;
      case RUT_MEANS_LATERAL_SPEED:
        value = 0;
        break;
      case RUT_MEANS_YAW_RATE:
        value = yaw_rate_of(d, p, wanted);
        break;
      case RUT_MEANS_TORQUE:
        // the brakes are a set point of their own
        value = p->handbrake ? 0 : d->torque * p->throttle;
        break;
      case RUT_MEANS_TORQUE_LEFT:
        value = side * (torque_of(d, p, brake, speed) - d->torque * turn);
        break;
      case RUT_MEANS_TORQUE_RIGHT:
        value = side * (torque_of(d, p, brake, speed) + d->torque * turn);
        break;
    }
    command[i] = value;
  }
}
