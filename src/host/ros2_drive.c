// SPDX-License-Identifier: BSD-3-Clause
//
// Commands to vehicles. A twist and an Ackermann command become set points by what these mean:
// forward speed, lateral speed, yaw rate w, angle d of the equivalent front wheel. Where a vehicle
// has one of the last two alone, the other follows from the circle that its front wheels roll on,
// w = v tan(d)/L (Gillespie, 1992).
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "host/ros2_parts.h"
#include "host/ros2_schema.h"

static const double STANDS = 1e-6;    // speed below which no circle follows from a yaw rate [m/s]
static const double PATIENCE = 0.05;  // between questions whether to stop [s]
static const double AGAIN = 0.2;      // the first state is told again, until somebody answers [s]

// ---- what can be commanded ----

static bool has(const rutRos2Vehicle* v, rutMeaning meaning) {
  for (int i = 0; i < v->set_points; i++) {
    if (v->role[i] == meaning) return true;
  }
  return false;
}

// What a set point means, from the descriptor of the controller.
static rutMeaning meaning_of(const rutModel* model, const char* controller, const char* name) {
  const rutContext* context = rut_model_context(model);
  for (int i = rut_component_count(context) - 1; i >= 0; i--) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "controller") != 0 || strcmp(type->name, controller) != 0) continue;
    const rutControllerType* found = (const rutControllerType*)type;
    for (int k = 0; k < found->commands; k++) {
      if (strcmp(found->command[k].name, name) == 0) return found->command[k].means;
    }
    break;
  }
  return RUT_MEANS_NOTHING;
}

// Distance of the steered wheels from the others along the vehicle, both in the mean.
static double find_wheelbase(const rutRos2* r, const rutModel* model, const rutData* data,
                             int vehicle) {
  const rutJoints* j = &r->vehicle[vehicle].joints;
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
  const double c = rut_cos(state.yaw), s = rut_sin(state.yaw);
  double sum[2] = {0, 0};
  int n[2] = {0, 0};
  for (int w = info.first_wheel; w < info.first_wheel + info.wheels; w++) {
    bool steers = false;
    for (int i = 0; i < j->count; i++) {
      steers |= j->state[i].wheel == w && strcmp(j->state[i].part, "steering") == 0;
    }
    const rutWheelPose pose = rut_wheel_pose(model, data, w);
    sum[steers] +=
        c * (pose.position[0] - state.position[0]) + s * (pose.position[1] - state.position[1]);
    n[steers]++;
  }
  return n[0] > 0 && n[1] > 0 ? sum[1] / n[1] - sum[0] / n[0] : 0;
}

static void find_set_points(rutRos2Vehicle* v, const rutModel* model, int vehicle) {
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  snprintf(v->controller, sizeof v->controller, "%s", info.controller);
  v->set_points = info.commands < RUT_MAX_COMMANDS ? info.commands : RUT_MAX_COMMANDS;
  for (int i = 0; i < v->set_points; i++) {
    const rutVariableInfo set = rut_variable(model, RUT_VEHICLE, vehicle, RUT_COMMAND, i);
    v->role[i] = meaning_of(model, info.controller, set.name);
  }
}

// Whether it follows a speed, and turns in some way.
static bool follows_twists(const rutRos2Vehicle* v) {
  const bool turns =
      has(v, RUT_MEANS_YAW_RATE) || (has(v, RUT_MEANS_STEER_ANGLE) && v->wheelbase > 0);
  return has(v, RUT_MEANS_SPEED) && turns;
}

static bool follows_angles(const rutRos2Vehicle* v) {
  const bool turns =
      has(v, RUT_MEANS_STEER_ANGLE) || (has(v, RUT_MEANS_YAW_RATE) && v->wheelbase > 0);
  return has(v, RUT_MEANS_SPEED) && turns;
}

// Nothing is driven that has a set point of another meaning alone but by its values.
static rutStatus make_readers(rutRos2* r, rutRos2Vehicle* v, rutError* err) {
  const struct {
    rutRos2Offer offer;
    bool wanted;
  } row[RUT_ROS2_FORMS] = {
      [RUT_ROS2_TWIST] = {{v->space, "cmd_vel", "geometry_msgs/msg/Twist", RUT_MSG_TWIST,
                           RUT_ROS2_NEWEST},
                          follows_twists(v)},
      [RUT_ROS2_TWIST_STAMPED] = {{v->space, "cmd_vel", "geometry_msgs/msg/TwistStamped",
                                   RUT_MSG_TWIST_STAMPED, RUT_ROS2_NEWEST},
                                  follows_twists(v)},
      [RUT_ROS2_ACKERMANN] = {{v->space, "ackermann_cmd",
                               "ackermann_msgs/msg/AckermannDriveStamped",
                               RUT_MSG_ACKERMANN_STAMPED, RUT_ROS2_NEWEST},
                              follows_angles(v)},
      [RUT_ROS2_VALUES] = {{v->space, "set_points", "std_msgs/msg/Float64MultiArray",
                            RUT_MSG_SET_POINTS, RUT_ROS2_NEWEST},
                           v->set_points > 0},
  };
  rutStatus status = RUT_OK;
  for (int i = 0; i < RUT_ROS2_FORMS && status == RUT_OK; i++) {
    if (row[i].wanted) status = rut_ros2_offer(r, &row[i].offer, &v->reader[i], err);
  }
  return status;
}

// Whether a vehicle is one of those that are named, or all are meant.
static bool is_meant(const rutModel* model, int vehicle, const rutRos2Def* def) {
  for (int i = 0; i < def->vehicles; i++) {
    if (strcmp(rut_name(model, RUT_VEHICLE, vehicle), def->vehicle[i]) == 0) return true;
  }
  return def->vehicles == 0;
}

rutStatus rut_ros2_make_commands(rutRos2* r, const rutModel* model, const rutData* data,
                                 const rutRos2Def* def, rutError* err) {
  rutStatus status = RUT_OK;
  int driven = 0;
  for (int i = 0; i < r->vehicles && status == RUT_OK; i++) {
    rutRos2Vehicle* v = &r->vehicle[i];
    for (int k = 0; k < RUT_ROS2_FORMS; k++) v->reader[k] = -1;
    v->commanded = v->left = RUT_NAN;
    if (!is_meant(model, i, def)) continue;
    rut_vehicle_joints(model, NULL, i, v->joints.count, v->joints.state);
    v->wheelbase = find_wheelbase(r, model, data, i);
    find_set_points(v, model, i);
    v->driven = v->set_points > 0;
    driven += v->driven;
    status = make_readers(r, v, err);
  }
  for (int i = 0; i < def->vehicles && status == RUT_OK; i++) {
    bool found = false;
    for (int k = 0; k < r->vehicles && !found; k++) {
      found = strcmp(rut_name(model, RUT_VEHICLE, k), def->vehicle[i]) == 0;
    }
    if (found) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no vehicle is called '%.200s'", def->vehicle[i]);
  }
  if (status == RUT_OK && def->lockstep && driven == 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a lockstep waits for commands, and no vehicle has set points");
  }
  return status;
}

// ---- commands ----

static double yaw_rate_of(const rutRos2Vehicle* v, const rutRos2Command* c) {
  if (c->form != RUT_ROS2_ACKERMANN) return c->yaw_rate;
  return v->wheelbase > 0 ? c->speed * rut_tan(c->steer) / v->wheelbase : 0;
}

static double steer_of(const rutRos2Vehicle* v, const rutRos2Command* c) {
  if (c->form == RUT_ROS2_ACKERMANN) return c->steer;
  // a vehicle that stands does not turn
  const double speed = rut_abs(c->speed);
  if (speed < STANDS) return 0;
  return rut_atan2((c->speed < 0 ? -1 : 1) * c->yaw_rate * v->wheelbase, speed);
}

// Set points of a command, over those that there are.
static void interpret(const rutRos2Vehicle* v, const rutRos2Command* c, double* set) {
  for (int i = 0; i < v->set_points; i++) {
    const rutMeaning role = v->role[i];
    if (c->form == RUT_ROS2_VALUES) {
      if (i < c->values && c->value[i] == c->value[i]) set[i] = c->value[i];
    } else if (role == RUT_MEANS_SPEED) {
      set[i] = c->speed;
    } else if (role == RUT_MEANS_LATERAL_SPEED) {
      set[i] = c->sideways;
    } else if (role == RUT_MEANS_YAW_RATE) {
      set[i] = yaw_rate_of(v, c);
    } else if (role == RUT_MEANS_STEER_ANGLE) {
      set[i] = steer_of(v, c);
    }
  }
}

static void obey(rutRos2* r, const rutModel* model, rutData* data, int vehicle,
                 const rutRos2Command* c) {
  rutRos2Vehicle* v = &r->vehicle[vehicle];
  double set[RUT_MAX_COMMANDS] = {0};
  rut_command_state(model, data, vehicle, v->set_points, set);
  interpret(v, c, set);
  rut_command(model, data, vehicle, v->set_points, set);
  rut_command_state(model, data, vehicle, v->set_points, v->set);
  v->commanded = rut_time(data);
  v->answered = v->met = true;
  v->left = RUT_NAN;
  r->met = true;
  r->report.commands++;
}

// The next command of a form that can be understood. False if there is none.
static bool take(rutRos2* r, const rutRos2Vehicle* v, rutRos2Form form, rutRos2Command* c) {
  if (v->reader[form] < 0) return false;
  while (rut_dds_take(r->dds, v->reader[form], &r->in)) {
    if (rut_ros2_decode(form, r->in.data, r->in.used, c)) return true;
    r->report.damaged++;
  }
  return false;
}

// A vehicle that nobody commands any more stops.
static void give_up(rutRos2* r, const rutModel* model, rutData* data, int vehicle) {
  rutRos2Vehicle* v = &r->vehicle[vehicle];
  const double since = rut_time(data) - v->commanded;
  if (!(r->timeout > 0 && since >= r->timeout)) return;
  static const rutRos2Command stop = {.form = RUT_ROS2_TWIST};
  double set[RUT_MAX_COMMANDS] = {0};
  rut_command_state(model, data, vehicle, v->set_points, set);
  v->commanded = RUT_NAN;
  // the last command holds: whoever has changed it since commands now
  if (memcmp(set, v->set, (size_t)v->set_points * sizeof *set) != 0) return;
  interpret(v, &stop, set);
  rut_command(model, data, vehicle, v->set_points, set);
}

// A controller that stands in for the vehicle's own takes set points of another meaning.
static bool is_own_controller(const rutRos2Vehicle* v, const rutModel* model, int vehicle) {
  return strcmp(rut_vehicle_info(model, vehicle).controller, v->controller) == 0;
}

void rut_ros2_drive(rutRos2* r, const rutModel* model, rutData* data) {
  for (int i = 0; i < r->vehicles; i++) {
    const rutRos2Vehicle* v = &r->vehicle[i];
    rutRos2Command c;
    for (int form = 0; form < RUT_ROS2_FORMS && v->driven; form++) {
      while (take(r, v, (rutRos2Form)form, &c)) {
        if (is_own_controller(v, model, i)) obey(r, model, data, i, &c);
      }
    }
    if (v->commanded == v->commanded && is_own_controller(v, model, i)) give_up(r, model, data, i);
  }
}

// ---- lockstep ----

// Take the answer of a vehicle's driver to the state of now: the first command that bears a time of
// now or later, or none, of which there is one a period. Old ones are passed over.
static void take_answer(rutRos2* r, const rutModel* model, rutData* data, int vehicle) {
  rutRos2Vehicle* v = &r->vehicle[vehicle];
  const int64_t now = rut_ros2_nanoseconds(rut_time(data));
  rutRos2Command c;
  for (int form = 0; form < RUT_ROS2_FORMS; form++) {
    while (!v->answered && take(r, v, (rutRos2Form)form, &c)) {
      if (!c.stamped || c.stamp >= now) obey(r, model, data, vehicle, &c);
    }
  }
}

static bool all_answered(const rutRos2* r) {
  for (int i = 0; i < r->vehicles; i++) {
    if (r->vehicle[i].driven && !r->vehicle[i].answered) return false;
  }
  return true;
}

// Whether some node can command a vehicle.
static bool has_driver(const rutRos2* r, const rutRos2Vehicle* v) {
  for (int form = 0; form < RUT_ROS2_FORMS; form++) {
    if (v->reader[form] >= 0 && rut_dds_writers(r->dds, v->reader[form]) > 0) return true;
  }
  return false;
}

// Look whether the nodes of vehicles that wait are still there. Whoever comes back has missed the
// state, so that it is told again until somebody answers. Errors: IO.
static rutStatus look_for_drivers(rutRos2* r, const rutModel* model, rutError* err) {
  const double now = rut_clock();
  for (int i = 0; i < r->vehicles; i++) {
    rutRos2Vehicle* v = &r->vehicle[i];
    if (!v->driven || v->answered || (v->met && has_driver(r, v))) continue;
    if (v->met) {
      v->met = r->met = false;
      v->left = now;
    }
    if (has_driver(r, v)) v->left = RUT_NAN;
    if (r->wait > 0 && now - v->left >= r->wait) {
      return rut_error_set(err, RUT_ERR_IO,
                           "the node that commanded '%.100s' has left, and none came for %g s: "
                           "--ros2-wait 0 waits for ever",
                           rut_name(model, RUT_VEHICLE, i), r->wait);
    }
  }
  return RUT_OK;
}

rutStatus rut_ros2_await(rutRos2* r, const rutModel* model, rutData* data, rutError* err) {
  rutStatus status = RUT_OK;
  double again = rut_clock() + AGAIN;
  for (int i = 0; i < r->vehicles; i++) r->vehicle[i].answered = false;
  while (status == RUT_OK) {
    for (int i = 0; i < r->vehicles; i++) {
      if (r->vehicle[i].driven) take_answer(r, model, data, i);
    }
    if (all_answered(r) || (r->stop && r->stop())) break;
    // commands that were passed over are gone, so that the wait is for new ones
    rut_dds_wait(r->dds, PATIENCE);
    bool fine = rut_ros2_obey(r, model, data);
    // whoever has not been found yet has missed the first state
    if (!r->met && rut_clock() >= again) {
      fine = fine && rut_ros2_publish(r, model, data, true);
      again = rut_clock() + AGAIN;
    }
    status = fine ? look_for_drivers(r, model, err) : rut_ros2_no_memory(err);
  }
  return status;
}
