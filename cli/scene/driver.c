// SPDX-License-Identifier: BSD-3-Clause
#include "scene/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/component.h"
#include "scene/replaced.h"

// Full throttle and full turn of vehicles whose controllers do not define them.
static const double FULL_SPEED = 5;     // [m/s]
static const double FULL_YAW_RATE = 1;  // [rad/s]
static const double FULL_FORCE = 0.5;   // of all wheels, over the weight
static const double BRAKE_SPEED = 0.5;  // below this, torque that brakes fades out [m/s]
static const double GRAVITY = 9.81;
#define MAX_TORQUE "max_torque"

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

// Set points before the first command: fields of the controller with the same names.
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

static bool has(SetPoints s, rutMeaning meaning) {
  for (int i = 0; i < s.n; i++) {
    if (s.row[i].means == meaning) return true;
  }
  return false;
}

// Whether a controller may stand in on a vehicle (rutControllerType.stands_in).
static bool suits(const rutControllerType* type, bool axles, bool steers) {
  const SetPoints s = set_points_of(&type->base);
  if (!type->stands_in || !can_be_driven(s) || has(s, RUT_MEANS_BRAKE) != axles) return false;
  if (!axles && type->suspensions) return false;
  const bool by_wheels = has(s, RUT_MEANS_STEERING) || has(s, RUT_MEANS_STEER_ANGLE);
  return axles || (by_wheels || type->needs_steering) == steers;
}

// The controller that stands in for one that cannot be driven, NULL if there is none.
static const rutComponent* substitute_of(const rutContext* context, bool axles, bool steers) {
  for (int i = rut_component_count(context) - 1; i >= 0; i--) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "controller") != 0) continue;
    if (suits((const rutControllerType*)type, axles, steers)) return type;
  }
  return NULL;
}

// max_torque of a controller that stands in, NaN if it has no such parameter.
static double limit_of(const rutComponent* type, const viewDriver* d) {
  bool limited = false;
  for (int i = 0; i < type->fields; i++) {
    limited |= strcmp(type->field[i].name, MAX_TORQUE) == 0;
  }
  if (!limited) return (double)NAN;
  return has(set_points_of(type), RUT_MEANS_THROTTLE) ? d->torque : d->torque / d->wheels;
}

static bool does_nothing(const rutPackets* p) {
  return p->latency == 0 && p->jitter == 0 && p->loss == 0 && p->rate == 0;
}

// The channels of one who drives from afar.
static void read_channels(const rutSpec* spec, rutNode controller, viewDriver* d) {
  if (rut_node_is_null(controller)) return;
  const rutNode node = rut_node_first(spec, controller, "teleoperation");
  if (rut_node_is_null(node)) return;
  d->video = (rutPackets){
      rut_node_number(spec, node, "video_latency"), rut_node_number(spec, node, "video_jitter"),
      rut_node_number(spec, node, "video_loss"), rut_node_number(spec, node, "frame_rate")};
  d->radio = (rutPackets){
      rut_node_number(spec, node, "command_latency"), rut_node_number(spec, node, "command_jitter"),
      rut_node_number(spec, node, "command_loss"), rut_node_number(spec, node, "command_rate")};
  d->by_video = !does_nothing(&d->video);
  d->by_radio = !does_nothing(&d->radio);
}

// The controller that stands in on a vehicle whose own cannot be driven, NULL if there is none.
static const rutComponent* stand_in(const rutContext* context, const rutSpec* spec, rutNode vehicle,
                                    bool steers) {
  const bool axles = !rut_node_is_null(rut_node_first(spec, vehicle, "axle"));
  return substitute_of(context, axles, steers);
}

static bool has_drive(const rutSpec* spec, rutNode vehicle) {
  return !rut_node_is_null(rut_node_first(spec, vehicle, "drive"));
}

static SetPoints own_set_points(const rutSpec* spec, rutNode controller) {
  return set_points_of(rut_node_is_null(controller) ? NULL : rut_node_component(spec, controller));
}

bool view_drivable(const rutSpec* spec, rutNode vehicle) {
  const bool wheels = !rut_node_is_null(rut_node_first(spec, vehicle, "wheel")) ||
                      !rut_node_is_null(rut_node_first(spec, vehicle, "axle"));
  if (!wheels) return false;
  if (can_be_driven(own_set_points(spec, view_replaced_outermost(spec, vehicle)))) return true;
  viewDriver d = {0};
  read_wheels(spec, vehicle, 0, &d);
  return has_drive(spec, vehicle) &&
         stand_in(rut_spec_context(spec), spec, vehicle, d.wheelbase > 0) != NULL;
}

// What driving a vehicle means.
static void find_driver(const rutSpec* spec, rutNode vehicle, const rutModel* model, int index,
                        viewDriver* d) {
  const rutVehicleInfo info = rut_vehicle_info(model, index);
  *d = (viewDriver){.speed = FULL_SPEED, .yaw_rate = FULL_YAW_RATE, .wheels = info.wheels};
  read_wheels(spec, vehicle, info.mass, d);
  read_channels(spec, view_replaced_afar(spec, vehicle), d);
  // of the world: the model may have one that stands in
  const rutNode controller = view_replaced_outermost(spec, vehicle);
  const SetPoints own = own_set_points(spec, controller);
  const bool direct = can_be_driven(own);
  d->world_commands = read_start(spec, controller, own, d->world_command);
  SetPoints driven = own;
  d->drivable = direct && info.wheels > 0;
  if (!direct) {
    const rutComponent* type = stand_in(rut_model_context(model), spec, vehicle, d->wheelbase > 0);
    driven = set_points_of(type);
    d->drivable = type && has_drive(spec, vehicle) && info.wheels > 0;
    d->substitute = type ? type->name : NULL;
    d->limit = d->drivable ? limit_of(type, d) : (double)NAN;
  }
  d->changes = d->substitute || d->by_video || d->by_radio;
  d->set_point = driven.row;
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

// The world's own controllers are in the vehicle, and measure it at once.
static void come_aboard(rutSpec* spec, rutNode vehicle) {
  for (rutNode node = view_replaced_afar(spec, vehicle); !rut_node_is_null(node);
       node = view_replaced_afar(spec, vehicle)) {
    rut_spec_remove(spec, rut_node_first(spec, node, "teleoperation"));
  }
}

rutStatus view_driver_substitute(const viewDriver* d, rutSpec* spec, rutNode vehicle,
                                 rutError* err) {
  if (!d->substitute) {
    come_aboard(spec, vehicle);
    return RUT_OK;
  }
  char name[512];
  snprintf(name, sizeof name, "%s", view_person_blended(spec, vehicle));
  for (rutNode old = view_replaced_outermost(spec, vehicle); !rut_node_is_null(old);
       old = view_replaced_outermost(spec, vehicle)) {
    rut_spec_remove(spec, old);
  }
  const rutNode node = rut_spec_add(spec, vehicle, "controller", d->substitute, name, err);
  if (rut_node_is_null(node)) return err->status != RUT_OK ? err->status : RUT_ERR_MODEL;
  if (isnan(d->limit)) return RUT_OK;
  return rut_node_set_number(spec, node, MAX_TORQUE, d->limit, err);
}

// ---- driving ----

// Index of the first of its set points among those of the vehicle, which others may have, too.
static int first_set_point(const viewDriver* d, const rutModel* model, int vehicle, int all) {
  for (int first = 0; first + d->commands <= all; first++) {
    bool same = true;
    for (int i = 0; i < d->commands && same; i++) {
      const rutVariableInfo own = rut_variable(model, RUT_VEHICLE, vehicle, RUT_COMMAND, first + i);
      same = strcmp(own.name, d->set_point[i].name) == 0;
    }
    if (same) return first;
  }
  return 0;
}

void view_driver_give(const viewDriver* d, const rutModel* model, rutData* data, int vehicle, int n,
                      const double* command) {
  const int all = rut_vehicle_info(model, vehicle).commands;
  double value[VIEW_COMMANDS];
  if (all == n || all > VIEW_COMMANDS || !d->set_point) {
    rut_command(model, data, vehicle, n, command);
    return;
  }
  const rutVariableRange range = {
      .kind = RUT_VEHICLE, .index = vehicle, .role = RUT_COMMAND, .count = all};
  if (rut_variables_read(model, data, &range, all, value) != RUT_OK) return;
  const int first = first_set_point(d, model, vehicle, all);
  for (int i = 0; i < n && first + i < all; i++) value[first + i] = command[i];
  rut_command(model, data, vehicle, all, value);
}

// Torque that drives, and that brakes against the motion.
static double torque_of(const viewDriver* d, const viewPedals* p, double brake, double speed) {
  const double against = speed / BRAKE_SPEED;
  return d->torque * ((1 - brake) * p->throttle - brake * fmax(-1, fmin(1, against)));
}

// A vehicle that steers follows the circle of its front wheels.
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

// ---- twists ----

// Angle of the front wheels. A vehicle that stands does not turn.
static double steer_of(const viewDriver* d, const viewTwist* t) {
  if (!(d->wheelbase > 0) || t->speed == 0) return 0;
  const double angle = atan(d->wheelbase * t->yaw_rate / t->speed);
  return fmax(-d->steer, fmin(d->steer, angle));
}

static viewPedals pedals_of(const viewDriver* d, const viewTwist* t, double speed) {
  const double lack = fmax(-1, fmin(1, t->speed - speed));
  double turn = d->yaw_rate > 0 ? t->yaw_rate / d->yaw_rate : 0;
  if (d->wheelbase > 0 && d->steer > 0) turn = steer_of(d, t) / d->steer;
  viewPedals p = {.steering = fmax(-1, fmin(1, turn))};
  // who is to stand, or is too fast, brakes
  if (t->speed == 0 || lack * speed < 0) {
    p.brake = t->speed == 0 ? 1 : fabs(lack);
  } else {
    p.throttle = lack;
  }
  return p;
}

void view_driver_follow(const viewDriver* d, const viewTwist* t, double speed, double* command) {
  const viewPedals pedals = pedals_of(d, t, speed);
  view_driver_command(d, &pedals, speed, command);
  bool follows = false;
  for (int i = 0; i < d->commands; i++) follows |= d->role[i] == RUT_MEANS_SPEED;
  for (int i = 0; i < d->commands && follows; i++) {
    if (d->role[i] == RUT_MEANS_SPEED) command[i] = t->speed;
    if (d->role[i] == RUT_MEANS_LATERAL_SPEED) command[i] = t->lateral_speed;
    if (d->role[i] == RUT_MEANS_YAW_RATE) command[i] = t->yaw_rate;
    if (d->role[i] == RUT_MEANS_STEER_ANGLE) command[i] = steer_of(d, t);
  }
}
