// SPDX-License-Identifier: BSD-3-Clause
//
// <vehicle>: the dynamics class decides which wheels there are, where they stand unless told
// otherwise, and what the chassis looks like without <chassis>. Defaults are MVSim's, and are set
// explicitly, so that a converted world does not depend on ours.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/rut_math.h"

// ---- dynamics classes ----

typedef struct Wheel {
  const char* tag;
  const char* name;
  const char* place;
  double x, y;
  bool driven, steered;
} Wheel;

typedef struct Dynamics {
  const char* name;
  rutMvsimDynamics kind;
  const Wheel* wheel;
  int wheels;
  double mass, z_min, z_max;
  const double* outline;
  int corners;
  const char* color;
} Dynamics;

static const Wheel two_wheels[] = {
    {"l_wheel", "l", "left", 0, 0.5, true, false},
    {"r_wheel", "r", "right", 0, -0.5, true, false},
};
static const Wheel three_wheels[] = {
    {"l_wheel", "l", "left", 0, 0.5, true, false},
    {"r_wheel", "r", "right", 0, -0.5, true, false},
    {"caster_wheel", "caster", "caster", 0.5, 0, false, false},
};
static const Wheel four_wheels[] = {
    {"lr_wheel", "lr", "rear_left", 0, 0.5, true, false},
    {"rr_wheel", "rr", "rear_right", 0, -0.5, true, false},
    {"lf_wheel", "lf", "front_left", 0.5, 0.5, true, false},
    {"rf_wheel", "rf", "front_right", 0.5, -0.5, true, false},
};
// f_wheels_x and f_wheels_d place the front wheels
static const Wheel car_wheels[] = {
    {"rl_wheel", "rl", "rear_left", 0, 0.9, false, false},
    {"rr_wheel", "rr", "rear_right", 0, -0.9, false, false},
    {"fl_wheel", "fl", "front_left", 1.3, 1.0, true, true},
    {"fr_wheel", "fr", "front_right", 1.3, -1.0, true, true},
};
static const double robot_outline[] = {-0.4, -0.5, -0.4, 0.5,  0.4, 0.5,
                                       0.6,  0.3,  0.6,  -0.3, 0.4, -0.5};
static const double car_outline[] = {-0.8, -1.0, -0.8, 1.0,  1.5, 0.9,
                                     1.8,  0.8,  1.8,  -0.8, 1.5, -0.9};

#define ROBOT(name, wheels)                                                                   \
  {                                                                                           \
    name, RUT_MVSIM_DIFFERENTIAL, wheels, RUT_COUNT_OF(wheels), 15, 0.05, 0.6, robot_outline, \
        RUT_COUNT_OF(robot_outline) / 2, "#ff0000"                                            \
  }
#define CAR(name, kind)                                                             \
  {                                                                                 \
    name, kind, car_wheels, RUT_COUNT_OF(car_wheels), 500, 0.20, 1.40, car_outline, \
        RUT_COUNT_OF(car_outline) / 2, "#e83000"                                    \
  }

static const Dynamics classes[] = {
    ROBOT("differential", two_wheels),
    ROBOT("differential_3_wheels", three_wheels),
    ROBOT("differential_4_wheels", four_wheels),
    CAR("ackermann", RUT_MVSIM_ACKERMANN),
    CAR("ackermann_drivetrain", RUT_MVSIM_DRIVETRAIN),
    CAR("car_ackermann", RUT_MVSIM_ACKERMANN),  // the manual's name
};

// ---- chassis ----

static const rutMvsimRow chassis_rows[] = {
    RUT_MVSIM_ROW_NUMBER("mass", "mass"),
    RUT_MVSIM_ROW_NUMBER("zmin", "z_min"),
    RUT_MVSIM_ROW_NUMBER("zmax", "z_max"),
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW_NUMBER("linear_damping", "linear_damping"),
    RUT_MVSIM_ROW_NUMBER("angular_damping", "angular_damping"),
    RUT_MVSIM_ROW_CODE("shape"),
    RUT_MVSIM_ROW_CODE("shape_from_visual"),
};
static const rutMvsimTable chassis_table = RUT_MVSIM_TABLE("chassis", chassis_rows);

static rutNode add_chassis(rutMvsim* load, const Dynamics* dynamics, rutNode vehicle,
                           rutPlace place) {
  const rutNode chassis = rut_mvsim_add(load, vehicle, "chassis", "", "", place);
  rut_mvsim_set(load, chassis, "mass", dynamics->mass, place);
  rut_mvsim_set(load, chassis, "z_min", dynamics->z_min, place);
  rut_mvsim_set(load, chassis, "z_max", dynamics->z_max, place);
  rut_mvsim_set_numbers(load, chassis, "outline", 2 * dynamics->corners, dynamics->outline, place);
  rut_mvsim_set_text(load, chassis, "color", dynamics->color, place);
  rut_mvsim_set(load, chassis, "linear_damping", 0.1, place);
  rut_mvsim_set(load, chassis, "angular_damping", 0.1, place);
  return chassis;
}

// Outline and heights from the vehicle's visuals, the default ones if those are not at hand.
static void chassis_from_visual(rutMvsim* load, const rutMvsimItems* vehicle, rutNode chassis,
                                rutPlace place) {
  rutMeshOutline outline;
  const rutMvsimSlice whole = {.scale = 1,
                               .z_min = -(double)INFINITY,
                               .z_max = (double)INFINITY,
                               .instead = "the default outline stands in its place"};
  rut_mvsim_outline(load, vehicle, &whole, &outline);
  if (outline.n < 3) return;
  rut_mvsim_set_numbers(load, chassis, "outline", 2 * outline.n, outline.point, place);
  rut_mvsim_set(load, chassis, "z_min", outline.z_min, place);
  rut_mvsim_set(load, chassis, "z_max", outline.z_max, place);
}

static void read_chassis(rutMvsim* load, const rutMvsimItems* vehicle,
                         const rutMvsimItems* dynamics, rutNode chassis) {
  const rutMvsimItem item = rut_mvsim_first(dynamics, "chassis");
  if (!item.element) return;
  rut_mvsim_apply_item(load, &chassis_table, item, chassis);
  rutMvsimItems children = {0};
  rut_mvsim_children(load, item, &children);
  const rutMvsimItem shape = rut_mvsim_first(&children, "shape");
  const rutMvsimItem from_visual = rut_mvsim_first(&children, "shape_from_visual");
  double* point = NULL;
  const int n = shape.element ? rut_mvsim_shape(load, shape, true, &point) : 0;
  if (n > 0) {
    rut_mvsim_set_numbers(load, chassis, "outline", 2 * n, point, rut_mvsim_place(shape));
  }
  free(point);
  if (from_visual.element) {
    chassis_from_visual(load, vehicle, chassis, rut_mvsim_place(from_visual));
  }
  rut_mvsim_items_free(&children);
}

// ---- wheels ----

static const rutMvsimRow wheel_rows[] = {
    RUT_MVSIM_ROW_CODE("pos"),
    RUT_MVSIM_ROW_NUMBER("mass", "mass"),
    RUT_MVSIM_ROW_NUMBER("width", "width"),
    {"diameter", RUT_MVSIM_NUMBER, "radius", 0.5, 0, 0},
    RUT_MVSIM_ROW_NUMBER("inertia", "inertia"),
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW_UNUSED("linked_yaw"),
    RUT_MVSIM_ROW_UNUSED("linked_yaw_offset_deg"),
    RUT_MVSIM_ROW_CODE("visual"),
};

static void read_wheel_tag(rutMvsim* load, rutMvsimItem item, rutNode wheel) {
  const rutMvsimTable table = {item.element->name, wheel_rows, RUT_COUNT_OF(wheel_rows)};
  rut_mvsim_apply_item(load, &table, item, wheel);
  rutPlace place;
  const char* text = rut_mvsim_attribute(load, item, "pos", &place);
  double pos[3] = {0, 0, 0};
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  if (text &&
      rut_mvsim_numbers(load, text, place, label, (rutMvsimForm){"x y [yaw]", 2, 3}, pos) > 0) {
    rut_mvsim_set_numbers(load, wheel, "position", 2, pos, place);
    if (pos[2] != 0) rut_mvsim_set(load, wheel, "yaw", pos[2] * RUT_MVSIM_DEGREE, place);
  }
  rutMvsimItems children = {0};
  rut_mvsim_children(load, item, &children);
  for (int i = 0; i < children.n; i++) {
    if (strcmp(children.item[i].element->name, "visual") == 0) {
      rut_mvsim_visual(load, children.item[i], wheel, 1);
    }
  }
  rut_mvsim_items_free(&children);
}

static void read_wheel(rutMvsim* load, const Wheel* kind, const rutMvsimItems* items,
                       rutNode vehicle, rutPlace place) {
  const rutMvsimItem item = rut_mvsim_first(items, kind->tag);
  if (item.element) place = rut_mvsim_place(item);
  const rutNode wheel = rut_mvsim_add(load, vehicle, "wheel", "", kind->name, place);
  if (rut_node_is_null(wheel)) return;
  const double position[2] = {kind->x, kind->y};
  rut_mvsim_set_numbers(load, wheel, "position", 2, position, place);
  rut_mvsim_set(load, wheel, "mass", 2, place);
  rut_mvsim_set(load, wheel, "radius", 0.2, place);
  rut_mvsim_set(load, wheel, "width", 0.2, place);
  rut_mvsim_set_text(load, wheel, "color", "#323232", place);
  rut_mvsim_set_text(load, wheel, "place", kind->place, place);
  rut_mvsim_set(load, wheel, "driven", kind->driven, place);
  rut_mvsim_set(load, wheel, "steered", kind->steered, place);
  if (item.element) read_wheel_tag(load, item, wheel);
  // about the vertical MVSim's wheels are plates of diameter by width, not cylinders
  const double mass = rut_node_number(load->spec, wheel, "mass");
  const double length = 2 * rut_node_number(load->spec, wheel, "radius");
  const double width = rut_node_number(load->spec, wheel, "width");
  rut_mvsim_set(load, wheel, "transverse_inertia", mass * (length * length + width * width) / 12,
                place);
}

// Number of a child of <dynamics>; what holds without one, or after an error.
static double dynamics_number(rutMvsim* load, const rutMvsimItems* items, const char* tag,
                              double otherwise, rutPlace* place) {
  const rutMvsimItem item = rut_mvsim_first(items, tag);
  if (!item.element) return otherwise;
  *place = rut_mvsim_place(item);
  const char* text = rut_mvsim_text(load, item);
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  double value;
  return text && rut_mvsim_number(load, text, *place, label, &value) ? value : otherwise;
}

// The front wheels of a car stand where f_wheels_x and f_wheels_d say, whatever their pos says.
static void place_front_wheels(rutMvsim* load, const rutMvsimItems* items, rutNode vehicle,
                               rutPlace place) {
  rutPlace x_place = place, d_place = place, steer_place = place;
  const double x = dynamics_number(load, items, "f_wheels_x", 1.3, &x_place);
  const double d = dynamics_number(load, items, "f_wheels_d", 2.0, &d_place);
  const double steer = dynamics_number(load, items, "max_steer_ang_deg", 30, &steer_place);
  rut_mvsim_set(load, vehicle, "max_steer", steer * RUT_MVSIM_DEGREE, steer_place);
  if (!(x > 0) || !(d > 0)) {
    rut_mvsim_error(load, x > 0 ? d_place : x_place, x > 0 ? "<f_wheels_d>" : "<f_wheels_x>",
                    RUT_ERR_MODEL, "the front wheels are ahead of the rear ones",
                    "must be above 0 m, not %g m", x > 0 ? d : x);
  }
  for (rutNode w = rut_node_first(load->spec, vehicle, "wheel"); !rut_node_is_null(w);
       w = rut_node_next(load->spec, w, "wheel")) {
    if (rut_node_number(load->spec, w, "steered") == 0) continue;
    const bool left = strcmp(rut_node_text(load->spec, w, "place"), "front_left") == 0;
    const double position[2] = {x, left ? 0.5 * d : -0.5 * d};
    rut_mvsim_set_numbers(load, w, "position", 2, position, rut_node_place_of(load->spec, w, NULL));
  }
}

// ---- dynamics ----

// Warn about children of <dynamics> that neither the class nor any other part knows.
static void check_dynamics(rutMvsim* load, const Dynamics* dynamics, const rutMvsimItems* items) {
  static const char* const robot[] = {"chassis", "controller"};
  static const char* const car[] = {"chassis",    "controller",        "f_wheels_x",
                                    "f_wheels_d", "max_steer_ang_deg", "drivetrain"};
  const bool steers = dynamics->kind != RUT_MVSIM_DIFFERENTIAL;
  const char* known[16];
  int n = 0;
  for (int i = 0; i < dynamics->wheels; i++) known[n++] = dynamics->wheel[i].tag;
  const int more = steers ? RUT_COUNT_OF(car) : RUT_COUNT_OF(robot);
  for (int i = 0; i < more; i++) known[n++] = steers ? car[i] : robot[i];
  for (int i = 0; i < items->n; i++) {
    const char* tag = items->item[i].element->name;
    bool found = false;
    for (int k = 0; k < n && !found; k++) found = strcmp(tag, known[k]) == 0;
    const rutPlace place = rut_mvsim_place(items->item[i]);
    if (!found) {
      rut_mvsim_unused(load, place, (rutMvsimUnused){"dynamics", tag, false, known, n});
    }
  }
}

static void read_dynamics(rutMvsim* load, const rutMvsimItems* vehicle_items, rutMvsimItem item,
                          rutNode vehicle) {
  const char* names[RUT_COUNT_OF(classes)];
  for (int i = 0; i < RUT_COUNT_OF(classes); i++) names[i] = classes[i].name;
  const rutPlace place = rut_mvsim_place(item);
  const int which = rut_mvsim_word(load, item, "class", names, RUT_COUNT_OF(classes), -2);
  if (which == -2) {
    rut_mvsim_error(load, place, "<dynamics>", RUT_ERR_MODEL,
                    "write <dynamics class=\"differential\">", "the attribute 'class' is missing");
  }
  if (which < 0) return;
  static const char* const attributes[] = {"class"};
  rut_mvsim_check_attributes(load, item, attributes, 1);
  const Dynamics* dynamics = &classes[which];
  rutMvsimItems items = {0};
  rut_mvsim_children(load, item, &items);
  check_dynamics(load, dynamics, &items);
  const rutNode chassis = add_chassis(load, dynamics, vehicle, place);
  read_chassis(load, vehicle_items, &items, chassis);
  for (int i = 0; i < dynamics->wheels; i++) {
    read_wheel(load, &dynamics->wheel[i], &items, vehicle, place);
  }
  if (dynamics->kind != RUT_MVSIM_DIFFERENTIAL) place_front_wheels(load, &items, vehicle, place);
  rut_mvsim_control(load, &items, dynamics->kind, vehicle, place);
  rut_mvsim_items_free(&items);
}

// ---- friction ----

static const rutMvsimRow default_rows[] = {
    RUT_MVSIM_ROW_NUMBER("mu", "friction"),
    RUT_MVSIM_ROW_NUMBER("C_damping", "bearing_damping"),
    RUT_MVSIM_ROW_NUMBER("C_rr", "rolling_resistance"),
};
static const rutMvsimRow ward_rows[] = {
    RUT_MVSIM_ROW_NUMBER("mu", "friction"),
    RUT_MVSIM_ROW_NUMBER("C_damping", "bearing_damping"),
    RUT_MVSIM_ROW_NUMBER("C_rr", "rolling_resistance"),
    RUT_MVSIM_ROW_NUMBER("A_roll", "drag_onset"),
    RUT_MVSIM_ROW_NUMBER("R1", "drag_constant"),
    RUT_MVSIM_ROW_NUMBER("R2", "drag_rate"),
};
static const rutMvsimRow ellipse_rows[] = {
    RUT_MVSIM_ROW_NUMBER("C_damping", "bearing_damping"),
    RUT_MVSIM_ROW_NUMBER("C_rr", "rolling_resistance"),
    RUT_MVSIM_ROW_NUMBER("C_s", "slip_stiffness"),
    RUT_MVSIM_ROW_NUMBER("C_alpha", "cornering_stiffness"),
    RUT_MVSIM_ROW_NUMBER("slip_ratio_saturation", "slip_saturation"),
    RUT_MVSIM_ROW_NUMBER("slip_angle_saturation", "angle_saturation"),
    RUT_MVSIM_ROW_NUMBER("C_alpha_s", "lateral_weakening"),
    RUT_MVSIM_ROW_NUMBER("C_s_alpha", "longitudinal_weakening"),
};
static const char* const friction_names[] = {"default", "wardiagnemma", "ellipse"};
static const struct {
  const char* tyre;
  rutMvsimTable table;
} frictions[] = {
    {"coulomb", RUT_MVSIM_TABLE("friction", default_rows)},
    {"ward_iagnemma", RUT_MVSIM_TABLE("friction", ward_rows)},
    {"ellipse", RUT_MVSIM_TABLE("friction", ellipse_rows)},
};

static void read_friction(rutMvsim* load, const rutMvsimItems* vehicle_items, rutNode vehicle,
                          rutPlace place) {
  const rutMvsimItem item = rut_mvsim_first(vehicle_items, "friction");
  int which = 0;
  if (item.element) {
    place = rut_mvsim_place(item);
    which = rut_mvsim_word(load, item, "class", friction_names, RUT_COUNT_OF(friction_names), -2);
    if (which == -2) {
      rut_mvsim_error(load, place, "<friction>", RUT_ERR_MODEL,
                      "write <friction class=\"default\">", "the attribute 'class' is missing");
    }
    if (which < 0) return;
    static const char* const attributes[] = {"class"};
    rut_mvsim_check_attributes(load, item, attributes, 1);
  }
  const rutNode tyre = rut_mvsim_add(load, vehicle, "tyre", frictions[which].tyre, "", place);
  if (!item.element || rut_node_is_null(tyre)) return;
  rutMvsimItems items = {0};
  rut_mvsim_children(load, item, &items);
  rut_mvsim_apply(load, &frictions[which].table, &items, tyre);
  rut_mvsim_items_free(&items);
}

// ---- the vehicle ----

static const rutMvsimRow vehicle_rows[] = {
    RUT_MVSIM_ROW_CODE("dynamics"),    RUT_MVSIM_ROW_CODE("friction"),
    RUT_MVSIM_ROW_CODE("sensor"),      RUT_MVSIM_ROW_CODE("odometry"),
    RUT_MVSIM_ROW_CODE("visual"),      RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("init_pose"),   RUT_MVSIM_ROW_CODE("init_pose3d"),
    RUT_MVSIM_ROW_CODE("init_vel"),    RUT_MVSIM_ROW_CODE("skip_elevation_adjust"),
    RUT_MVSIM_ROW_UNUSED("log_path"),  RUT_MVSIM_ROW_UNUSED("auto_start_recording"),
    RUT_MVSIM_ROW_UNUSED("animation"),
};
static const rutMvsimTable vehicle_table = RUT_MVSIM_TABLE("vehicle", vehicle_rows);

static const rutMvsimRow odometry_rows[] = {
    RUT_MVSIM_ROW_NUMBER("x_multiplier", "x_scale"),
    RUT_MVSIM_ROW_NUMBER("y_multiplier", "y_scale"),
    RUT_MVSIM_ROW_NUMBER("yaw_multiplier", "yaw_scale"),
};
static const rutMvsimTable odometry_table = RUT_MVSIM_TABLE("odometry", odometry_rows);

static void read_odometry(rutMvsim* load, const rutMvsimItems* items, rutNode vehicle) {
  const rutMvsimItem item = rut_mvsim_first(items, "odometry");
  if (!item.element) return;
  const rutNode node = rut_mvsim_add(load, vehicle, "odometry", "", "", rut_mvsim_place(item));
  if (!rut_node_is_null(node)) rut_mvsim_apply_item(load, &odometry_table, item, node);
}

static void read_parts(rutMvsim* load, rutMvsimItem item, const rutMvsimItems* items,
                       const char* name, rutNode vehicle) {
  const rutPlace place = rut_mvsim_place(item);
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  rut_mvsim_apply(load, &vehicle_table, items, vehicle);
  if (!rut_mvsim_pose(load, items, vehicle, true, 0)) {
    rut_mvsim_error(load, place, label, RUT_ERR_MODEL, "write <init_pose>x y yaw</init_pose>",
                    "the tag <init_pose> is missing");
  }
  rut_mvsim_velocity(load, items, vehicle);
  // MVSim's wheels stand still at first, also under a vehicle that moves
  rut_mvsim_set(load, vehicle, "rolling_start", 0, place);
  const rutMvsimItem dynamics = rut_mvsim_first(items, "dynamics");
  if (dynamics.element) {
    read_dynamics(load, items, dynamics, vehicle);
  } else {
    rut_mvsim_error(load, place, label, RUT_ERR_MODEL, "write <dynamics class=\"differential\">",
                    "the tag <dynamics> is missing");
  }
  read_friction(load, items, vehicle, place);
  read_odometry(load, items, vehicle);
  rut_mvsim_publish(load, items);
  int sensors = 0;
  for (int i = 0; i < items->n && !load->halted; i++) {
    const char* tag = items->item[i].element->name;
    if (strcmp(tag, "visual") == 0) rut_mvsim_visual(load, items->item[i], vehicle, 1);
    if (strcmp(tag, "sensor") == 0) {
      rut_mvsim_read_sensor(load, items->item[i], vehicle, name, ++sensors);
    }
  }
}

void rut_mvsim_read_vehicle(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"name", "class"};
  rut_mvsim_check_attributes(load, item, attributes, 2);
  const char* name = rut_mvsim_body_name(load, item, true);
  if (!name) return;
  load->inside = true;
  rut_scope_set(load->variables, "NAME", name);
  rut_scope_set(load->variables, "PARENT_NAME", "");
  rutMvsimItems items = {0};
  if (rut_mvsim_collect(load, item, "vehicle:class", &items) && !load->halted) {
    const rutNode vehicle =
        rut_mvsim_add(load, load->world, "vehicle", "", name, rut_mvsim_place(item));
    rutPlace place;
    rut_mvsim_set_text(load, vehicle, "wheel_coupling", "explicit", rut_mvsim_place(item));
    const char* class = rut_mvsim_attribute(load, item, "class", &place);
    if (class) rut_mvsim_set_text(load, vehicle, "class", class, place);
    if (!rut_node_is_null(vehicle)) read_parts(load, item, &items, name, vehicle);
  }
  rut_mvsim_items_free(&items);
  rut_scope_set(load->variables, "NAME", "");
  load->inside = false;
}
