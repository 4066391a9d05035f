// SPDX-License-Identifier: BSD-3-Clause
//
// <controller> and <drivetrain>. What a controller's tags mean, and their defaults, depend on the
// vehicle's dynamics. MVSim's raw torques are negative forward; ours are positive forward.
#include <stdio.h>
#include <string.h>

#include "format/mvsim_load.h"

// ---- controllers ----

#define PID_ROWS                                                                                \
  RUT_MVSIM_ROW_NUMBER("KP", "proportional_gain"), RUT_MVSIM_ROW_NUMBER("KI", "integral_gain"), \
      RUT_MVSIM_ROW_NUMBER("KD", "derivative_gain"),                                            \
      RUT_MVSIM_ROW_NUMBER("max_torque", "max_torque"), RUT_MVSIM_ROW_NUMBER("V", "speed")
#define FILTER_ROWS                                                                              \
  RUT_MVSIM_ROW_NUMBER("N", "derivative_filter"),                                                \
      RUT_MVSIM_ROW("enable_antiwindup", RUT_MVSIM_BOOLEAN, "anti_windup"),                      \
      RUT_MVSIM_ROW_CODE("enable_feedforward"), RUT_MVSIM_ROW_CODE("feedforward_gain"),          \
      RUT_MVSIM_ROW_CODE("enable_reference_filter"), RUT_MVSIM_ROW_CODE("reference_filter_tau"), \
      RUT_MVSIM_ROW("reference_filter_order", RUT_MVSIM_INTEGER, "set_point_order")

static const rutMvsimRow twist_pid_rows[] = {PID_ROWS, FILTER_ROWS,
                                             RUT_MVSIM_ROW_DEGREES("W", "yaw_rate")};
static const rutMvsimRow twist_front_steer_rows[] = {
    PID_ROWS,
    FILTER_ROWS,
    RUT_MVSIM_ROW_DEGREES("W", "yaw_rate"),
    RUT_MVSIM_ROW_NUMBER("zero_threshold", "zero_speed"),
    RUT_MVSIM_ROW_NUMBER("stop_threshold", "stop_speed"),
};
// MVSim hands only these on to the controller inside
static const rutMvsimRow front_steer_rows[] = {PID_ROWS,
                                               RUT_MVSIM_ROW_DEGREES("STEER_ANG", "steer")};
static const rutMvsimRow raw_car_rows[] = {
    {"fl_torque", RUT_MVSIM_NUMBER, "torque_left", -1, 0, 0},
    {"fr_torque", RUT_MVSIM_NUMBER, "torque_right", -1, 0, 0},
    RUT_MVSIM_ROW_DEGREES("steer_ang_deg", "steer"),
};
// one engine gives the sum of both torques
static const rutMvsimRow raw_engine_rows[] = {
    {"torque", RUT_MVSIM_NUMBER, "torque_left", -1, 0, 0},
    RUT_MVSIM_ROW_DEGREES("steer_ang_deg", "steer"),
};

// what needs a program beside the simulation
static const rutMvsimRow ros2_control_rows[] = {PID_ROWS, RUT_MVSIM_ROW_CODE("command_interface"),
                                                RUT_MVSIM_ROW_CODE("controllers_yaml"),
                                                RUT_MVSIM_ROW_CODE("robot_description")};
static const rutMvsimRow effort_rows[] = {RUT_MVSIM_ROW_CODE("KP"),
                                          RUT_MVSIM_ROW_CODE("KI"),
                                          RUT_MVSIM_ROW_CODE("KD"),
                                          RUT_MVSIM_ROW_CODE("max_torque"),
                                          RUT_MVSIM_ROW_CODE("command_interface"),
                                          RUT_MVSIM_ROW_CODE("controllers_yaml"),
                                          RUT_MVSIM_ROW_CODE("robot_description")};
#define ROS2_CONTROL                                                                            \
  "<controller class=\"ros2_control\"> needs ROS, which is not here: the vehicle stands until " \
  "it gets set points (twist_pid with these gains: speed, yaw_rate)"
#define ROS2_EFFORT                                                                             \
  "<controller class=\"ros2_control\"> needs ROS, which is not here: the vehicle stands until " \
  "it gets set points (raw: torque_left, torque_right)"

typedef struct Controller {
  const char* name;  // MVSim's
  const char* type;  // ours
  rutMvsimTable table;
  double gain, max_torque;  // MVSim's defaults; gain 0 if it has none
  const char* stand_in;     // warning for one that rut does not have, or NULL
} Controller;

static const Controller differential[] = {
    {"raw", "raw", {"controller", NULL, 0}, 0, 0, NULL},
    {"twist_pid", "twist_pid", RUT_MVSIM_TABLE("controller", twist_pid_rows), 10, 100, NULL},
    {"twist_ideal", "twist_ideal", {"controller", NULL, 0}, 0, 0, NULL},
    {"trajectory", "trajectory", {"controller", NULL, 0}, 0, 0, NULL},
    {"ros2_control", "twist_pid", RUT_MVSIM_TABLE("controller", ros2_control_rows), 10, 100,
     ROS2_CONTROL},
};
static const Controller effort = {
    "ros2_control", "raw", RUT_MVSIM_TABLE("controller", effort_rows), 0, 0, ROS2_EFFORT};
static const Controller ackermann[] = {
    {"raw", "raw", RUT_MVSIM_TABLE("controller", raw_car_rows), 0, 0, NULL},
    {"twist_front_steer_pid", "twist_front_steer_pid",
     RUT_MVSIM_TABLE("controller", twist_front_steer_rows), 100, 100, NULL},
    {"front_steer_pid", "front_steer_pid", RUT_MVSIM_TABLE("controller", front_steer_rows), 100,
     100, NULL},
    {"twist_ideal", "twist_ideal", {"controller", NULL, 0}, 0, 0, NULL},
    {"trajectory", "trajectory", {"controller", NULL, 0}, 0, 0, NULL},
    // the manual's name
    {"twist_pid", "twist_front_steer_pid", RUT_MVSIM_TABLE("controller", twist_front_steer_rows),
     100, 100, NULL},
};
static const Controller drivetrain[] = {
    {"raw", "raw", RUT_MVSIM_TABLE("controller", raw_engine_rows), 0, 0, NULL},
    {"twist_front_steer_pid", "twist_front_steer_pid",
     RUT_MVSIM_TABLE("controller", twist_front_steer_rows), 100, 400, NULL},
    {"front_steer_pid", "front_steer_pid", RUT_MVSIM_TABLE("controller", front_steer_rows), 100,
     100, NULL},
    {"twist_ideal", "twist_ideal", {"controller", NULL, 0}, 0, 0, NULL},
    {"twist_pid", "twist_front_steer_pid", RUT_MVSIM_TABLE("controller", twist_front_steer_rows),
     100, 400, NULL},
};
static const struct {
  const Controller* row;
  int rows;
} controllers[] = {
    [RUT_MVSIM_DIFFERENTIAL] = {differential, RUT_COUNT_OF(differential)},
    [RUT_MVSIM_ACKERMANN] = {ackermann, RUT_COUNT_OF(ackermann)},
    [RUT_MVSIM_DRIVETRAIN] = {drivetrain, RUT_COUNT_OF(drivetrain)},
};

// A value that counts only if a switch beside it is on: rut has one field for both.
typedef struct Switched {
  const char *toggle, *tag;
  double otherwise;  // value without the tag
  const char* field;
} Switched;

// If the switch is off or absent the field stays at its default, 0.
static void read_switched(rutMvsim* load, const rutMvsimItems* items, const Switched* switched,
                          rutNode node) {
  const rutMvsimItem on = rut_mvsim_first(items, switched->toggle);
  const rutMvsimItem item = rut_mvsim_first(items, switched->tag);
  bool enabled = false;
  double value = switched->otherwise;
  if (on.element) {
    const char* text = rut_mvsim_text(load, on);
    char label[RUT_MVSIM_LABEL];
    rut_mvsim_label(on, label);
    if (!text || !rut_mvsim_boolean(load, text, rut_mvsim_place(on), label, &enabled)) return;
  }
  if (item.element) {
    const char* text = rut_mvsim_text(load, item);
    char label[RUT_MVSIM_LABEL];
    rut_mvsim_label(item, label);
    if (!text || !rut_mvsim_number(load, text, rut_mvsim_place(item), label, &value)) return;
  }
  if (enabled) {
    rut_mvsim_set(load, node, switched->field, value, rut_mvsim_place(item.element ? item : on));
  }
}

static bool has_row(const rutMvsimTable* table, const char* tag) {
  for (int i = 0; i < table->rows; i++) {
    if (strcmp(table->row[i].tag, tag) == 0) return true;
  }
  return false;
}

// True if ros2_control gives torques, rather than speeds.
static bool commands_effort(rutMvsim* load, rutMvsimItem controller) {
  rutMvsimItems children = {0};
  rut_mvsim_children(load, controller, &children);
  const rutMvsimItem item = rut_mvsim_first(&children, "command_interface");
  const char* text = item.element ? rut_mvsim_text(load, item) : NULL;
  const bool is = text && strcmp(text, "effort") == 0;
  if (text && !is && strcmp(text, "velocity") != 0) {
    rut_mvsim_error(load, rut_mvsim_place(item), "<command_interface>", RUT_ERR_MODEL, "",
                    "'%.60s' is neither 'velocity' nor 'effort'", text);
  }
  rut_mvsim_items_free(&children);
  return is;
}

static void read_controller(rutMvsim* load, const rutMvsimItems* items, rutMvsimDynamics dynamics,
                            rutNode vehicle, rutPlace place) {
  const Controller* row = controllers[dynamics].row;
  const int rows = controllers[dynamics].rows;
  const rutMvsimItem item = rut_mvsim_first(items, "controller");
  int which = 0;  // raw, if there is none
  if (item.element) {
    const char* names[8];
    for (int i = 0; i < rows; i++) names[i] = row[i].name;
    place = rut_mvsim_place(item);
    which = rut_mvsim_word(load, item, "class", names, rows, -2);
    if (which == -2) {
      rut_mvsim_error(load, place, "<controller>", RUT_ERR_MODEL,
                      "write <controller class=\"raw\">", "the attribute 'class' is missing");
    }
    if (which < 0) return;
    if (strcmp(row[which].name, "trajectory") == 0) {
      rut_mvsim_trajectory(load, item, vehicle);
      return;
    }
    static const char* const attributes[] = {"class"};
    rut_mvsim_check_attributes(load, item, attributes, 1);
  }
  const Controller* controller = &row[which];
  if (strcmp(controller->name, "ros2_control") == 0 && commands_effort(load, item)) {
    controller = &effort;
  }
  if (controller->stand_in) {
    rut_mvsim_warn(load, place, "<controller>", NULL, "%s", controller->stand_in);
  }
  const rutNode node = rut_mvsim_add(load, vehicle, "controller", controller->type, "", place);
  if (controller->gain > 0) {
    rut_mvsim_set(load, node, "proportional_gain", controller->gain, place);
    rut_mvsim_set(load, node, "max_torque", controller->max_torque, place);
  }
  if (!item.element || rut_node_is_null(node)) return;
  rutMvsimItems children = {0};
  rut_mvsim_children(load, item, &children);
  rut_mvsim_apply(load, &controller->table, &children, node);
  if (has_row(&controller->table, "enable_feedforward")) {
    static const Switched feedforward = {"enable_feedforward", "feedforward_gain", 1,
                                         "slope_feedforward"};
    static const Switched filter = {"enable_reference_filter", "reference_filter_tau", 0.1,
                                    "set_point_time"};
    read_switched(load, &children, &feedforward, node);
    read_switched(load, &children, &filter, node);
  }
  rut_mvsim_items_free(&children);
}

// ---- drives ----

static const char* const drivetrain_names[] = {"open_front",   "open_rear",   "open_4wd",
                                               "torsen_front", "torsen_rear", "torsen_4wd"};
static const struct {
  const char *type, *driven;
} drivetrains[] = {{"open", "front"},   {"open", "rear"},   {"open", "all"},
                   {"torsen", "front"}, {"torsen", "rear"}, {"torsen", "all"}};
enum { TORSEN_4WD = 5 };

#define SPLIT_ROWS                                                              \
  RUT_MVSIM_ROW_NUMBER("front_rear_split", "front_rear_split"),                 \
      RUT_MVSIM_ROW_NUMBER("front_left_right_split", "front_left_right_split"), \
      RUT_MVSIM_ROW_NUMBER("rear_left_right_split", "rear_left_right_split")
static const rutMvsimRow torsen_rows[] = {
    SPLIT_ROWS,
    RUT_MVSIM_ROW_NUMBER("front_rear_bias", "front_rear_bias"),
    RUT_MVSIM_ROW_NUMBER("front_left_right_bias", "front_left_right_bias"),
    RUT_MVSIM_ROW_NUMBER("rear_left_right_bias", "rear_left_right_bias"),
};
static const rutMvsimTable torsen_table = RUT_MVSIM_TABLE("drivetrain", torsen_rows);
// an open differential has no bias; the demos give it one all the same
static const rutMvsimRow open_rows[] = {
    SPLIT_ROWS,
    RUT_MVSIM_ROW_UNUSED("front_rear_bias"),
    RUT_MVSIM_ROW_UNUSED("front_left_right_bias"),
    RUT_MVSIM_ROW_UNUSED("rear_left_right_bias"),
};
static const rutMvsimTable open_table = RUT_MVSIM_TABLE("drivetrain", open_rows);

// wheel.driven follows the axle, for whoever looks at the wheels.
static void mark_driven(rutMvsim* load, rutNode vehicle, const char* driven, rutPlace place) {
  for (rutNode w = rut_node_first(load->spec, vehicle, "wheel"); !rut_node_is_null(w);
       w = rut_node_next(load->spec, w, "wheel")) {
    const bool front = rut_node_number(load->spec, w, "steered") != 0;
    const bool on = strcmp(driven, "all") == 0 || front == (strcmp(driven, "front") == 0);
    rut_mvsim_set(load, w, "driven", on, place);
  }
}

static void read_drivetrain(rutMvsim* load, const rutMvsimItems* items, rutNode vehicle,
                            rutPlace place) {
  const rutMvsimItem item = rut_mvsim_first(items, "drivetrain");
  int which = TORSEN_4WD;
  if (item.element) {
    place = rut_mvsim_place(item);
    which = rut_mvsim_word(load, item, "type", drivetrain_names, RUT_COUNT_OF(drivetrain_names),
                           TORSEN_4WD);
    if (which < 0) return;
    static const char* const attributes[] = {"type"};
    rut_mvsim_check_attributes(load, item, attributes, 1);
  }
  const char* driven = drivetrains[which].driven;
  const rutNode drive = rut_mvsim_add(load, vehicle, "drive", drivetrains[which].type, "", place);
  rut_mvsim_set_text(load, drive, "driven", driven, place);
  mark_driven(load, vehicle, driven, place);
  if (!item.element || rut_node_is_null(drive)) return;
  rutMvsimItems children = {0};
  rut_mvsim_children(load, item, &children);
  rut_mvsim_apply(load, which >= 3 ? &torsen_table : &open_table, &children, drive);
  rut_mvsim_items_free(&children);
}

void rut_mvsim_control(rutMvsim* load, const rutMvsimItems* items, rutMvsimDynamics dynamics,
                       rutNode vehicle, rutPlace place) {
  read_controller(load, items, dynamics, vehicle, place);
  if (dynamics == RUT_MVSIM_DRIVETRAIN) {
    read_drivetrain(load, items, vehicle, place);
    return;
  }
  const rutNode drive = rut_mvsim_add(load, vehicle, "drive", "direct", "", place);
  // its motors give what controllers ask for, at any speed
  rut_mvsim_set(load, drive, "max_torque", 0, place);
  if (dynamics == RUT_MVSIM_ACKERMANN) {
    rut_mvsim_set_text(load, drive, "driven", "front", place);
  }
  const rutMvsimItem unused = rut_mvsim_first(items, "drivetrain");
  if (unused.element) {
    rut_mvsim_warn(load, rut_mvsim_place(unused), "<drivetrain>", "drivetrain",
                   "<drivetrain> counts only for ackermann_drivetrain, as in MVSim; here the front "
                   "wheels have motors");
  }
}
