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

static const struct {
  const char* name;
  viewRole role;
} roles[] = {
    {"throttle", VIEW_ROLE_THROTTLE},
    {"brake", VIEW_ROLE_BRAKE},
    {"steering", VIEW_ROLE_STEERING},
    {"steer", VIEW_ROLE_STEER},
    {"speed", VIEW_ROLE_SPEED},
    {"lateral_speed", VIEW_ROLE_SIDE_SPEED},
    {"yaw_rate", VIEW_ROLE_YAW_RATE},
    {"torque", VIEW_ROLE_TORQUE},
    {"torque_left", VIEW_ROLE_TORQUE_LEFT},
    {"torque_right", VIEW_ROLE_TORQUE_RIGHT},
};
enum { ROLES = sizeof roles / sizeof roles[0] };

// Set points that together are all it takes to drive. A speed with steering and brake is a driver
// of its own that has a course.
static const char* const drivable_sets[] = {
    "throttle brake steering",
    "torque brake steer",
    "torque_left torque_right steer",
    "speed yaw_rate",
    "speed steer",
    "speed steer yaw_rate",
    "speed lateral_speed yaw_rate",
};
enum { SETS = sizeof drivable_sets / sizeof drivable_sets[0] };

// Roles of space-separated names; returns their number, 0 if one is unknown or there are too many.
static int roles_of(const char* names, viewRole* role) {
  int n = 0;
  for (const char* at = names + strspn(names, " "); *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    int found = -1;
    for (int i = 0; i < ROLES; i++) {
      if (strlen(roles[i].name) == length && strncmp(at, roles[i].name, length) == 0) found = i;
    }
    if (found < 0 || n == VIEW_COMMANDS) return 0;
    role[n++] = roles[found].role;
    at += length;
  }
  return n;
}

// Names of the set points of the world's controller. The model may have one that stands in.
static void commands_of(const rutSpec* spec, rutNode controller, char* out, size_t size) {
  out[0] = '\0';
  if (rut_node_is_null(controller)) return;
  const rutControllerType* type = (const rutControllerType*)rut_node_component(spec, controller);
  for (int i = 0; i < type->commands; i++) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", i > 0 ? " " : "", type->command[i].name);
  }
}

// Set points before the first command: fields of the controller that are called like them.
static int read_start(const rutSpec* spec, rutNode controller, const char* names, double* command) {
  int n = 0;
  for (const char* at = names + strspn(names, " "); *at && n < VIEW_COMMANDS;
       at += strspn(at, " ")) {
    char name[64];
    const size_t length = strcspn(at, " ");
    const size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, at, kept);
    name[kept] = 0;
    const double value = rut_node_number(spec, controller, name);
    command[n++] = isfinite(value) ? value : 0;
    at += length;
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

// What driving a vehicle means.
static void find_driver(const rutSpec* spec, rutNode vehicle, const rutModel* model, int index,
                        viewDriver* d) {
  const rutVehicleInfo info = rut_vehicle_info(model, index);
  *d = (viewDriver){.speed = FULL_SPEED, .yaw_rate = FULL_YAW_RATE, .wheels = info.wheels};
  read_wheels(spec, vehicle, info.mass, d);
  const rutNode controller = rut_node_first(spec, vehicle, "controller");
  char own[256];
  commands_of(spec, controller, own, sizeof own);
  const char* names = own;
  bool direct = false;
  for (int i = 0; i < SETS; i++) direct |= strcmp(names, drivable_sets[i]) == 0;
  d->world_commands = read_start(spec, controller, names, d->world_command);
  if (!direct) d->substitute = substitute_of(spec, vehicle, d);
  const bool has_drive = !rut_node_is_null(rut_node_first(spec, vehicle, "drive"));
  d->drivable = info.wheels > 0 && (direct || has_drive);
  if (d->substitute) {
    names = strcmp(d->substitute, "throttle") == 0          ? "throttle brake steering"
            : strcmp(d->substitute, "front_steer_pid") == 0 ? "speed steer"
                                                            : "speed yaw_rate";
  }
  d->commands = roles_of(names, d->role);
  const double speed = fabs(rut_node_number(spec, controller, "speed"));
  const double yaw_rate = fabs(rut_node_number(spec, controller, "yaw_rate"));
  d->started = speed > 0;
  if (d->started) d->speed = speed;
  if (yaw_rate > d->yaw_rate) d->yaw_rate = yaw_rate;
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
      case VIEW_ROLE_THROTTLE:
        value = p->handbrake ? 0 : p->throttle;
        break;
      case VIEW_ROLE_BRAKE:
        value = brake;
        break;
      case VIEW_ROLE_STEERING:
        value = p->steering;
        break;
      case VIEW_ROLE_STEER:
        value = p->steering * d->steer;
        break;
      case VIEW_ROLE_SPEED:
        value = wanted;
        break;
      case VIEW_ROLE_SIDE_SPEED:
        value = 0;
        break;
      case VIEW_ROLE_YAW_RATE:
        value = yaw_rate_of(d, p, wanted);
        break;
      case VIEW_ROLE_TORQUE:
        // the brakes are a set point of their own
        value = p->handbrake ? 0 : d->torque * p->throttle;
        break;
      case VIEW_ROLE_TORQUE_LEFT:
        value = side * (torque_of(d, p, brake, speed) - d->torque * turn);
        break;
      case VIEW_ROLE_TORQUE_RIGHT:
        value = side * (torque_of(d, p, brake, speed) + d->torque * turn);
        break;
    }
    command[i] = value;
  }
}
