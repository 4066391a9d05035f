// SPDX-License-Identifier: BSD-3-Clause
//
// Reading MVSim worlds: every tag into its field, with MVSim's defaults and units; warnings for
// what is not used; errors with their place; MVSim's own worlds where they are at hand.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/component.h"

extern const rutFormatType rut_format_mvsim;

#define PI             3.14159265358979323846
#define WORLD(body)    "<mvsim_world>\n" body "\n</mvsim_world>\n"
#define ROBOT_DYNAMICS "<dynamics class='differential'/>"
#define POSE           "<init_pose>0 0 0</init_pose>"

// ---- loading, with findings kept ----

enum { MAX_FINDINGS = 400 };

typedef struct Finding {
  rutLevel level;
  char file[200];
  int line, column;
  char message[300], hint[200];
} Finding;

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutStatus status;
  rutError err;
  Finding finding[MAX_FINDINGS];
  int findings, warnings, errors;
} Load;

static void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  if (d->level == RUT_WARNING) load->warnings++;
  if (d->level == RUT_ERROR) load->errors++;
  if (load->findings == MAX_FINDINGS) return;
  Finding* f = &load->finding[load->findings++];
  f->level = d->level;
  f->line = d->line;
  f->column = d->column;
  snprintf(f->file, sizeof f->file, "%s", d->file);
  snprintf(f->message, sizeof f->message, "%s", d->message);
  snprintf(f->hint, sizeof f->hint, "%s", d->hint);
}

static Load* open_load(void) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, &load->err), RUT_OK);
  return load;
}

static Load* parse(const char* text) {
  Load* load = open_load();
  load->status = rut_spec_parse(load->context, text, strlen(text), "here/test.world.xml",
                                &load->spec, &load->err);
  return load;
}

static Load* load_file(const char* path) {
  Load* load = open_load();
  load->status = rut_spec_load(load->context, path, &load->spec, &load->err);
  return load;
}

static void close_load(Load* load) {
  rut_spec_destroy(load->status == RUT_OK ? load->spec : NULL);
  rut_context_destroy(load->context);
  free(load);
}

static void print_findings(const Load* load, rutLevel level) {
  for (int i = 0; i < load->findings; i++) {
    const Finding* f = &load->finding[i];
    if (f->level == level) {
      print_message("%s:%d:%d: %s\n", f->file, f->line, f->column, f->message);
    }
  }
}

static Load* parse_well(const char* text) {
  Load* load = parse(text);
  if (load->status != RUT_OK) {
    print_findings(load, RUT_ERROR);
    fail_msg("does not load");
  }
  return load;
}

// Number of findings of a level whose message holds a text.
static int count_of(const Load* load, rutLevel level, const char* text) {
  int n = 0;
  for (int i = 0; i < load->findings; i++) {
    n += load->finding[i].level == level && strstr(load->finding[i].message, text);
  }
  return n;
}

#define assert_near(a, b) near_at(a, b, 1e-12, __LINE__)
static void near_at(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("line %d: %.17g is not %.17g", line, a, b);
}

static rutNode at(const Load* load, const char* path) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return node;
}

static double number(const Load* load, const char* path, const char* field) {
  return rut_node_number(load->spec, at(load, path), field);
}

static double part(const Load* load, const char* path, const char* field, int i) {
  int n = 0;
  const double* value = rut_node_numbers(load->spec, at(load, path), field, &n);
  return i < n ? value[i] : (double)NAN;
}

static int length_of(const Load* load, const char* path, const char* field) {
  int n = 0;
  rut_node_numbers(load->spec, at(load, path), field, &n);
  return n;
}

static const char* text_of(const Load* load, const char* path, const char* field) {
  return rut_node_text(load->spec, at(load, path), field);
}

static const char* type_of(const Load* load, const char* path) {
  return rut_node_type(load->spec, at(load, path));
}

static int children(const Load* load, const char* kind) {
  int n = 0;
  for (rutNode c = rut_node_first(load->spec, rut_spec_root(load->spec), kind);
       !rut_node_is_null(c); c = rut_node_next(load->spec, c, kind)) {
    n++;
  }
  return n;
}

static void write_file(const char* name, const char* text) {
  FILE* f = fopen(name, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

// ---- the format ----

static bool recognised(const char* text) { return rut_format_mvsim.recognise(text, strlen(text)); }

static void test_recognise(void** state) {
  (void)state;
  assert_true(recognised("<mvsim_world/>"));
  assert_true(recognised("<?xml version='1.0'?>\n<!-- <world> -->\n  <mvsim_world version='1.0'>"));
  assert_true(recognised("\xef\xbb\xbf<mvsim_world>"));
  assert_false(recognised("<world/>"));
  assert_false(recognised("<mvsim_worlds/>"));
  assert_false(recognised("<!-- <mvsim_world> --><world/>"));
  assert_false(recognised("<!-- never closed"));
  assert_false(recognised(""));
}

static void test_world(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD("<simul_timestep>0.002</simul_timestep><gravity>1.62</gravity>"
                       "<collision_threshold>0.05</collision_threshold>"
                       "<b2d_vel_iters>8</b2d_vel_iters>"));
  rutNode root = rut_spec_root(load->spec);
  assert_near(rut_node_number(load->spec, root, "timestep"), 0.002);
  assert_near(rut_node_number(load->spec, root, "gravity"), 1.62);
  assert_near(rut_node_number(load->spec, root, "contact_margin"), 0.05);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(load->finding[0].line, 2);
  assert_string_equal(load->finding[0].message, "<mvsim_world><b2d_vel_iters> is not used by rut");
  close_load(load);

  // 0 asks for a step chosen from the sensors, which rut calls 0 as well
  load = parse_well(WORLD("<simul_timestep>0</simul_timestep>"));
  assert_near(rut_node_number(load->spec, rut_spec_root(load->spec), "timestep"), 0);
  close_load(load);
}

// ---- vehicles ----

// Defaults of MVSim's VehicleDifferential and Wheel.
static void test_differential_defaults(void** state) {
  (void)state;
  Load* load = parse_well(WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE "</vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_near(number(load, "r/chassis[0]", "mass"), 15);
  assert_near(number(load, "r/chassis[0]", "z_min"), 0.05);
  assert_near(number(load, "r/chassis[0]", "z_max"), 0.6);
  assert_near(number(load, "r/chassis[0]", "linear_damping"), 0.1);
  assert_near(number(load, "r/chassis[0]", "angular_damping"), 0.1);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 12);
  assert_near(part(load, "r/chassis[0]", "outline", 6), 0.6);
  assert_near(part(load, "r/l", "position", 1), 0.5);
  assert_near(part(load, "r/r", "position", 1), -0.5);
  assert_near(number(load, "r/l", "mass"), 2);
  assert_near(number(load, "r/l", "radius"), 0.2);
  assert_near(number(load, "r/l", "width"), 0.2);
  // a plate of 0.4 by 0.2: 2 (0.16 + 0.04) / 12
  assert_near(number(load, "r/l", "transverse_inertia"), 0.4 / 12);
  assert_string_equal(text_of(load, "r/l", "place"), "left");
  assert_string_equal(type_of(load, "r/tyre[0]"), "coulomb");
  assert_near(number(load, "r/tyre[0]", "friction"), 0.8);
  assert_near(number(load, "r/tyre[0]", "bearing_damping"), 0.01);
  assert_string_equal(type_of(load, "r/controller[0]"), "raw");
  assert_string_equal(type_of(load, "r/drive[0]"), "direct");
  close_load(load);
}

static void test_wheel_sets(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='a'><dynamics class='differential_3_wheels'/>" POSE "</vehicle>"
            "<vehicle name='b'><dynamics class='differential_4_wheels'/>" POSE "</vehicle>"
            "<vehicle name='c'><dynamics class='ackermann'/>" POSE "</vehicle>"
            "<vehicle name='d'><dynamics class='ackermann_drivetrain'/>" POSE "</vehicle>"
            "<vehicle name='e'><dynamics class='car_ackermann'/>" POSE "</vehicle>"));
  assert_string_equal(text_of(load, "a/caster", "place"), "caster");
  assert_near(part(load, "a/caster", "position", 0), 0.5);
  assert_near(number(load, "a/caster", "driven"), 0);
  assert_string_equal(text_of(load, "b/lr", "place"), "rear_left");
  assert_near(part(load, "b/rf", "position", 0), 0.5);
  assert_near(part(load, "b/rf", "position", 1), -0.5);
  assert_near(part(load, "c/rl", "position", 1), 0.9);
  assert_near(part(load, "c/fl", "position", 0), 1.3);
  assert_near(part(load, "c/fl", "position", 1), 1.0);
  assert_near(number(load, "c/fl", "steered"), 1);
  assert_near(number(load, "c/rl", "driven"), 0);
  assert_near(number(load, "c", "max_steer"), PI / 6);
  assert_near(number(load, "c/chassis[0]", "mass"), 500);
  assert_near(number(load, "c/chassis[0]", "z_min"), 0.2);
  assert_near(part(load, "c/chassis[0]", "outline", 8), 1.8);
  assert_string_equal(text_of(load, "c/drive[0]", "driven"), "front");
  assert_string_equal(type_of(load, "d/drive[0]"), "torsen");
  assert_string_equal(text_of(load, "d/drive[0]", "driven"), "all");
  assert_near(number(load, "d/drive[0]", "front_rear_bias"), 1.5);
  assert_near(number(load, "d/rl", "driven"), 1);
  assert_string_equal(type_of(load, "e/drive[0]"), "direct");
  close_load(load);
}

static void test_vehicle_values(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'><dynamics class='ackermann'>"
            "<chassis mass='800' zmin='0.15' zmax='1.1' color='#010203' linear_damping='0.5'>"
            "<angular_damping>0.8</angular_damping>"
            "<shape><pt>-1 -1</pt><pt>-1 1</pt><pt>2 1</pt><pt>2 -1</pt></shape></chassis>"
            "<rl_wheel pos='-0.2 0.7 10' mass='6' width='0.3' diameter='0.62' inertia='0.4'/>"
            "<fl_wheel pos='9 9' mass='6'/>"
            "<f_wheels_x>1.5</f_wheels_x><f_wheels_d>1.6</f_wheels_d>"
            "<max_steer_ang_deg>40</max_steer_ang_deg></dynamics>"
            "<odometry x_multiplier='1.01' y_multiplier='0.99' yaw_multiplier='1.02'/>"
            "<init_pose>1 2 90</init_pose><init_vel>3 0.5 180</init_vel></vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_near(number(load, "r/chassis[0]", "mass"), 800);
  assert_near(number(load, "r/chassis[0]", "z_max"), 1.1);
  assert_near(number(load, "r/chassis[0]", "linear_damping"), 0.5);
  assert_near(number(load, "r/chassis[0]", "angular_damping"), 0.8);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 8);
  assert_string_equal(text_of(load, "r/chassis[0]", "color"), "#010203");
  assert_near(number(load, "r/rl", "radius"), 0.31);
  assert_near(number(load, "r/rl", "inertia"), 0.4);
  assert_near(number(load, "r/rl", "yaw"), 10 * PI / 180);
  assert_near(part(load, "r/rl", "position", 0), -0.2);
  assert_near(number(load, "r/rl", "transverse_inertia"), 6 * (0.62 * 0.62 + 0.09) / 12);
  // f_wheels_x and f_wheels_d win over pos
  assert_near(part(load, "r/fl", "position", 0), 1.5);
  assert_near(part(load, "r/fl", "position", 1), 0.8);
  assert_near(number(load, "r", "max_steer"), 40 * PI / 180);
  assert_near(number(load, "r/odometry[0]", "yaw_scale"), 1.02);
  assert_near(part(load, "r", "position", 1), 2);
  assert_int_equal(length_of(load, "r", "position"), 2);
  assert_near(number(load, "r", "yaw"), PI / 2);
  assert_near(part(load, "r", "velocity", 0), 3);
  assert_near(number(load, "r", "yaw_rate"), PI);
  close_load(load);
}

static void test_poses(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD(
          "<vehicle name='a'>" ROBOT_DYNAMICS "<init_pose3d>1 2 3 10 20 30</init_pose3d></vehicle>"
          "<vehicle name='b'>" ROBOT_DYNAMICS POSE "<skip_elevation_adjust/></vehicle>"));
  assert_int_equal(length_of(load, "a", "position"), 3);
  assert_near(part(load, "a", "position", 2), 3);
  assert_near(number(load, "a", "yaw"), 10 * PI / 180);
  assert_near(number(load, "a", "pitch"), 20 * PI / 180);
  assert_near(number(load, "a", "roll"), 30 * PI / 180);
  assert_near(number(load, "a", "on_ground"), 1);
  assert_near(number(load, "b", "on_ground"), 0);
  assert_int_equal(length_of(load, "b", "position"), 3);
  close_load(load);
}

#define CONTROLLED(name, dynamics, controller)                                             \
  "<vehicle name='" name "'><dynamics class='" dynamics "'>" controller "</dynamics>" POSE \
  "</vehicle>"

static void test_controllers(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      CONTROLLED("a", "differential",
                 "<controller class='twist_pid'><KP>5</KP><KI>4</KI><KD>3</KD><N>2</N>"
                 "<max_torque>10</max_torque><V>1.5</V><W>90</W>"
                 "<enable_antiwindup>true</enable_antiwindup>"
                 "<enable_feedforward>true</enable_feedforward>"
                 "<feedforward_gain>0.7</feedforward_gain>"
                 "<enable_reference_filter>true</enable_reference_filter>"
                 "<reference_filter_tau>0.2</reference_filter_tau>"
                 "<reference_filter_order>2</reference_filter_order></controller>")
          CONTROLLED("b", "differential",
                     "<controller class='twist_pid'>"
                     "<reference_filter_tau>0.2</reference_filter_tau>"
                     "<feedforward_gain>0.7</feedforward_gain></controller>")
              CONTROLLED("c", "ackermann",
                         "<controller class='raw'><fl_torque>-80</fl_torque>"
                         "<fr_torque>-60</fr_torque><steer_ang_deg>10</steer_ang_deg></controller>")
                  CONTROLLED("d", "ackermann_drivetrain",
                             "<controller class='raw'><torque>-50</torque>"
                             "<steer_ang_deg>-5</steer_ang_deg></controller>")
                      CONTROLLED("e", "ackermann",
                                 "<controller class='front_steer_pid'><V>2</V>"
                                 "<STEER_ANG>12</STEER_ANG></controller>")
                          CONTROLLED("f", "ackermann_drivetrain",
                                     "<controller class='twist_front_steer_pid'>"
                                     "<zero_threshold>0.01</zero_threshold><stop_threshold>0.1</"
                                     "stop_threshold>"
                                     "</controller>")
                              CONTROLLED("g", "ackermann", "<controller class='twist_pid'/>")
                                  CONTROLLED("h", "differential",
                                             "<controller class='twist_ideal'/>")));
  assert_int_equal(load->findings, 0);
  const char* a = "a/controller[0]";
  assert_near(number(load, a, "proportional_gain"), 5);
  assert_near(number(load, a, "integral_gain"), 4);
  assert_near(number(load, a, "derivative_gain"), 3);
  assert_near(number(load, a, "derivative_filter"), 2);
  assert_near(number(load, a, "max_torque"), 10);
  assert_near(number(load, a, "speed"), 1.5);
  assert_near(number(load, a, "yaw_rate"), PI / 2);
  assert_near(number(load, a, "anti_windup"), 1);
  assert_near(number(load, a, "slope_feedforward"), 0.7);
  assert_near(number(load, a, "set_point_time"), 0.2);
  assert_near(number(load, a, "set_point_order"), 2);
  // values beside a switch that is off do nothing; gains are MVSim's defaults
  assert_near(number(load, "b/controller[0]", "set_point_time"), 0);
  assert_near(number(load, "b/controller[0]", "slope_feedforward"), 0);
  assert_near(number(load, "b/controller[0]", "proportional_gain"), 10);
  assert_near(number(load, "b/controller[0]", "max_torque"), 100);
  // MVSim's raw torques are negative forward
  assert_near(number(load, "c/controller[0]", "torque_left"), 80);
  assert_near(number(load, "c/controller[0]", "torque_right"), 60);
  assert_near(number(load, "c/controller[0]", "steer"), 10 * PI / 180);
  assert_near(number(load, "d/controller[0]", "torque_left") +
                  number(load, "d/controller[0]", "torque_right"),
              50);
  assert_string_equal(type_of(load, "e/controller[0]"), "front_steer_pid");
  assert_near(number(load, "e/controller[0]", "steer"), 12 * PI / 180);
  assert_near(number(load, "e/controller[0]", "proportional_gain"), 100);
  assert_near(number(load, "f/controller[0]", "max_torque"), 400);
  assert_near(number(load, "f/controller[0]", "zero_speed"), 0.01);
  assert_near(number(load, "f/controller[0]", "stop_speed"), 0.1);
  assert_string_equal(type_of(load, "g/controller[0]"), "twist_front_steer_pid");
  assert_string_equal(type_of(load, "h/controller[0]"), "twist_ideal");
  close_load(load);
}

static void test_drivetrains(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD(CONTROLLED("a", "ackermann_drivetrain",
                                  "<drivetrain type='open_rear'>"
                                  "<rear_left_right_split>0.4</rear_left_right_split></drivetrain>")
                           CONTROLLED("b", "ackermann_drivetrain",
                                      "<drivetrain type='torsen_front'>"
                                      "<front_left_right_bias>2</front_left_right_bias>"
                                      "<front_rear_split>0.3</front_rear_split></drivetrain>")));
  assert_string_equal(type_of(load, "a/drive[0]"), "open");
  assert_string_equal(text_of(load, "a/drive[0]", "driven"), "rear");
  assert_near(number(load, "a/drive[0]", "rear_left_right_split"), 0.4);
  assert_near(number(load, "a/rl", "driven"), 1);
  assert_near(number(load, "a/fl", "driven"), 0);
  assert_string_equal(type_of(load, "b/drive[0]"), "torsen");
  assert_string_equal(text_of(load, "b/drive[0]", "driven"), "front");
  assert_near(number(load, "b/drive[0]", "front_left_right_bias"), 2);
  assert_near(number(load, "b/drive[0]", "front_rear_split"), 0.3);
  close_load(load);
}

static void test_friction(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<vehicle name='a'>" ROBOT_DYNAMICS POSE
      "<friction class='wardiagnemma'><mu>0.6</mu>"
      "<C_damping>0.05</C_damping><C_rr>0.01</C_rr><A_roll>40</A_roll><R1>0.01</R1><R2>0.03</R2>"
      "</friction></vehicle>"
      "<vehicle name='b'>" ROBOT_DYNAMICS POSE
      "<friction class='ellipse'><C_s>7</C_s>"
      "<C_alpha>8</C_alpha><slip_angle_saturation>0.2</slip_angle_saturation>"
      "<slip_ratio_saturation>0.3</slip_ratio_saturation><C_alpha_s>0.4</C_alpha_s>"
      "<C_s_alpha>0.6</C_s_alpha></friction></vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_string_equal(type_of(load, "a/tyre[0]"), "ward_iagnemma");
  assert_near(number(load, "a/tyre[0]", "friction"), 0.6);
  assert_near(number(load, "a/tyre[0]", "rolling_resistance"), 0.01);
  assert_near(number(load, "a/tyre[0]", "drag_onset"), 40);
  assert_near(number(load, "a/tyre[0]", "drag_constant"), 0.01);
  assert_near(number(load, "a/tyre[0]", "drag_rate"), 0.03);
  assert_string_equal(type_of(load, "b/tyre[0]"), "ellipse");
  assert_near(number(load, "b/tyre[0]", "slip_stiffness"), 7);
  assert_near(number(load, "b/tyre[0]", "cornering_stiffness"), 8);
  assert_near(number(load, "b/tyre[0]", "angle_saturation"), 0.2);
  assert_near(number(load, "b/tyre[0]", "slip_saturation"), 0.3);
  assert_near(number(load, "b/tyre[0]", "lateral_weakening"), 0.4);
  assert_near(number(load, "b/tyre[0]", "longitudinal_weakening"), 0.6);
  close_load(load);
}

static void test_classes(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<variable name='K' value='2'/>"
            "<vehicle:class name='small'><dynamics class='differential'>"
            "<chassis mass='$f{K*10}'/></dynamics><friction class='default'><mu>0.5</mu></friction>"
            "</vehicle:class>"
            "<vehicle class='small'>" POSE "</vehicle>"
            "<variable name='K' value='3'/>"
            "<vehicle name='x' class='small'>" POSE
            "<friction class='default'><mu>0.9</mu></friction>"
            "</vehicle>"
            "<vehicle class='small'>" POSE "</vehicle>"));
  // values of a class are expanded for each instance, as MVSim does
  assert_near(number(load, "veh1/chassis[0]", "mass"), 20);
  assert_near(number(load, "x/chassis[0]", "mass"), 30);
  assert_near(number(load, "veh1/tyre[0]", "friction"), 0.5);
  assert_near(number(load, "x/tyre[0]", "friction"), 0.9);
  assert_string_equal(text_of(load, "x", "class"), "small");
  assert_false(rut_node_is_null(rut_spec_find(load->spec, "veh2")));
  close_load(load);
}

// ---- sensors ----

static void test_sensors(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<vehicle name='r'>" ROBOT_DYNAMICS POSE
      "<sensor class='laser' name='scan'><pose_3d>0.5 0.1 0.7 90 0 0</pose_3d>"
      "<fov_degrees>360</fov_degrees><nrays>$f{0.1/125e-6}</nrays><max_range>16</max_range>"
      "<sensor_period>0.05</sensor_period><range_std_noise>0.02</range_std_noise>"
      "<angle_std_noise_deg>0.5</angle_std_noise_deg><bodies_visible>false</bodies_visible>"
      "<publish enabled='false'><publish_topic>/${PARENT_NAME}/${NAME}</publish_topic></publish>"
      "</sensor>"
      "<sensor type='laser'/><sensor class='imu' name='i'/><sensor class='laser' name='scan'/>"
      "</vehicle>"
      "<sensor class='laser' name='fixed'><pose>1 2 30</pose><height>0.4</height></sensor>"));
  assert_near(number(load, "r/scan", "x"), 0.5);
  assert_near(number(load, "r/scan", "z"), 0.7);
  assert_near(number(load, "r/scan", "yaw"), PI / 2);
  assert_near(number(load, "r/scan", "fov"), 2 * PI);
  assert_near(number(load, "r/scan", "rays"), 800);
  assert_near(number(load, "r/scan", "max_range"), 16);
  assert_near(number(load, "r/scan", "period"), 0.05);
  assert_near(number(load, "r/scan", "range_noise"), 0.02);
  assert_near(number(load, "r/scan", "angle_noise"), 0.5 * PI / 180);
  assert_near(number(load, "r/scan", "bodies_visible"), 0);
  // unnamed: the second of its vehicle; MVSim's defaults
  assert_near(number(load, "r/laser2", "z"), 0.05);
  assert_near(number(load, "r/laser2", "rays"), 181);
  assert_near(number(load, "r/laser2", "fov"), PI);
  assert_near(number(load, "r/laser2", "max_range"), 80);
  assert_false(rut_node_is_null(rut_spec_find(load->spec, "r/scan_2")));
  assert_near(number(load, "fixed", "yaw"), PI / 6);
  assert_near(number(load, "fixed", "z"), 0.4);
  assert_int_equal(load->warnings, 2);
  assert_int_equal(count_of(load, RUT_WARNING, "imu 'i' is not simulated yet"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "this one is called 'scan_2'"), 1);
  close_load(load);
}

// ---- blocks and joints ----

static void test_blocks(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<block:class name='c'><mass>20</mass><zmax>1.5</zmax><static>true</static>"
            "<ground_friction>0.3</ground_friction><lateral_friction>0.4</lateral_friction>"
            "<restitution>0.2</restitution><color>#0080ff</color><intangible>1</intangible>"
            "<shape><pt>-1 -0.6</pt><pt>-1 0.6</pt><pt>1 0.5</pt></shape></block:class>"
            "<block class='c'><init_pose>6 5 90</init_pose></block>"
            "<block name='named'>" POSE "</block>"
            "<block class='c'>" POSE "<mass>7</mass></block>"));
  assert_near(number(load, "block001", "mass"), 20);
  assert_near(number(load, "block001", "z_max"), 1.5);
  assert_near(number(load, "block001", "z_min"), 0);
  assert_near(number(load, "block001", "fixed"), 1);
  assert_near(number(load, "block001", "intangible"), 1);
  assert_near(number(load, "block001", "ground_friction"), 0.3);
  assert_near(number(load, "block001", "friction"), 0.4);
  assert_near(number(load, "block001", "restitution"), 0.2);
  assert_near(number(load, "block001", "linear_damping"), 0.1);
  assert_int_equal(length_of(load, "block001", "outline"), 6);
  assert_near(number(load, "block001", "yaw"), PI / 2);
  // MVSim's default block is a cube of 1 m
  assert_int_equal(length_of(load, "named", "outline"), 8);
  assert_near(part(load, "named", "outline", 0), -0.5);
  assert_near(number(load, "named", "z_max"), 1);
  assert_near(number(load, "named", "mass"), 30);
  assert_near(number(load, "block002", "mass"), 7);
  close_load(load);
}

static void test_geometry(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD(
          "<block name='a'>" POSE "<geometry type='cylinder' radius='0.3' length='2'"
          " vertex_count='8'/></block>"
          "<block name='b'>" POSE "<geometry type='sphere' radius='0.4'/></block>"
          "<block name='c'>" POSE "<geometry type='box' lx='2' ly='1' lz='0.5'/></block>"
          "<block name='d'><init_pose>10 0 90</init_pose>"
          "<geometry type='ramp' lx='4' ly='2' lz='1'/></block>"
          "<block name='e'>" POSE "<geometry type='semi_cylinder_bump' lx='1' ly='0.2' lz='0.02'/>"
          "</block>"));
  assert_string_equal(text_of(load, "a", "shape"), "cylinder");
  assert_near(number(load, "a", "radius"), 0.3);
  assert_near(number(load, "a", "length"), 2);
  assert_near(number(load, "a", "vertices"), 8);
  assert_string_equal(text_of(load, "b", "shape"), "sphere");
  assert_near(number(load, "b", "z_min"), -0.4);
  assert_near(number(load, "b", "z_max"), 0.4);
  // a box has a corner at its origin
  assert_string_equal(text_of(load, "c", "shape"), "polygon");
  assert_near(part(load, "c", "outline", 4), 2);
  assert_near(part(load, "c", "outline", 5), 1);
  assert_near(number(load, "c", "z_max"), 0.5);
  // a ramp rises from its origin; rut's has it in the middle, here 2 m along +y
  assert_string_equal(text_of(load, "d", "shape"), "ramp");
  assert_near(part(load, "d", "position", 0), 10);
  assert_near(part(load, "d", "position", 1), 2);
  assert_string_equal(text_of(load, "e", "shape"), "bump");
  assert_near(part(load, "e", "size", 2), 0.02);
  close_load(load);
}

static void test_animation(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<block name='a'>" POSE "<animation type='keyframes'><time_pose>2 1 -1 180</time_pose>"
            "<time_pose3d>0 0 0 0.5 90 0 0</time_pose3d></animation></block>"
            "<element class='horizontal_plane'><init_pose>3 -1 0</init_pose>"
            "<animation type='keyframes'><time_pose3d>1 0 0 3 0 0 0</time_pose3d></animation>"
            "</element>"));
  assert_near(number(load, "a/keyframe[0]", "time"), 0);
  assert_near(part(load, "a/keyframe[0]", "position", 2), 0.5);
  assert_near(number(load, "a/keyframe[0]", "yaw"), PI / 2);
  assert_near(number(load, "a/keyframe[1]", "time"), 2);
  assert_near(number(load, "a/keyframe[1]", "yaw"), PI);
  assert_near(part(load, "plane[0]", "position", 0), 3);
  assert_near(part(load, "plane[0]/keyframe[0]", "position", 2), 3);
  close_load(load);
}

static void test_joints(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='a'>" ROBOT_DYNAMICS POSE "</vehicle><block name='b'>" POSE "</block>"
            "<joint type='pin' body_a='a' anchor_a='-0.5 0' body_b='b' anchor_b='0.6 0.1'"
            " enable_limit='true' lower_angle_deg='-45' upper_angle_deg='30'/>"
            "<joint type='rope' body_a='a' anchor_a='0 0' body_b='b' anchor_b='0 0' max_length='3'"
            " min_length='1' stiffness='10' damping='2'/>"));
  assert_string_equal(type_of(load, "joint[0]"), "revolute");
  assert_string_equal(text_of(load, "joint[0]", "body_b"), "b");
  assert_near(part(load, "joint[0]", "anchor_b", 1), 0.1);
  assert_near(number(load, "joint[0]", "limited"), 1);
  assert_near(number(load, "joint[0]", "lower"), -PI / 4);
  assert_near(number(load, "joint[0]", "upper"), PI / 6);
  assert_string_equal(type_of(load, "joint[1]"), "distance");
  assert_near(number(load, "joint[1]", "max_length"), 3);
  assert_near(number(load, "joint[1]", "min_length"), 1);
  assert_near(number(load, "joint[1]", "stiffness"), 10);
  close_load(load);
}

// ---- elements ----

static void test_elements(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<element class='occupancy_grid'><file>map.png</file><resolution>0.2</resolution>"
      "<centerpixel_x>160</centerpixel_x><centerpixel_y>100</centerpixel_y>"
      "<lateral_friction>0.6</lateral_friction></element>"
      "<element class='elevation_map'><elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix>"
      "<corner_min_x>-4</corner_min_x><corner_min_y>-3</corner_min_y><resolution>2</resolution>"
      "<texture_image>https://x/y.png</texture_image><texture_image_rotate>90</"
      "texture_image_rotate>"
      "<texture_extension_x>3</texture_extension_x><mesh_color>#a0e0a0</mesh_color></element>"
      "<element class='elevation_map'><elevation_image>e.png</elevation_image>"
      "<elevation_image_min_z>-1</elevation_image_min_z>"
      "<elevation_image_max_z>2</elevation_image_max_z></element>"
      "<element class='horizontal_plane'><x_min>-20</x_min><y_max>7</y_max><z>0.5</z>"
      "<texture_size_x>2</texture_size_x><cull_face>BACK</cull_face></element>"
      "<element class='vertical_plane'><x0>-1</x0><y0>-2</y0><x1>3</x1><y1>4</y1>"
      "<height>2.5</height><thickness>0.2</thickness>"
      "<door position='0.5' width='1.2' z_max='2.2' name='d'/>"
      "<window><position>0.8</position><width>0.6</width><z_start>1</z_start></window></element>"
      "<element class='ground_grid'><floating>true</floating><interval>2</interval></element>"
      "<element class='pointcloud'><file_txt_2d>p.txt</file_txt_2d>"
      "<pose_3d>1 2 3 90 0 0</pose_3d></element>"
      "<element class='skybox'><textures>sky%s.jpg</textures></element>"
      "<element class='property_region'><property_name>friction_mu</property_name>"
      "<value_double>0.1</value_double><y_min>0</y_min><y_max>100</y_max></element>"
      "<element class='property_region'><property_name>gps_no_coverage</property_name>"
      "<value_bool>true</value_bool></element>"));
  assert_int_equal(load->findings, 0);
  // relative names start at the world's folder
  const char* file = text_of(load, "occupancy_grid[0]", "file");
  assert_int_equal(file[0], '/');
  assert_non_null(strstr(file, "/here/map.png"));
  assert_near(number(load, "occupancy_grid[0]", "resolution"), 0.2);
  assert_near(part(load, "occupancy_grid[0]", "center_pixel", 0), 160);
  assert_near(part(load, "occupancy_grid[0]", "center_pixel", 1), 100);
  assert_near(number(load, "occupancy_grid[0]", "friction"), 0.6);
  assert_string_equal(text_of(load, "elevation_map[0]", "matrix"), "[0 1; 2 3]");
  assert_near(part(load, "elevation_map[0]", "corner", 1), -3);
  assert_near(number(load, "elevation_map[0]", "texture_rotation"), 90);
  assert_near(part(load, "elevation_map[0]", "texture_size", 0), 3);
  assert_near(part(load, "elevation_map[0]", "texture_size", 1), 0);
  assert_near(number(load, "elevation_map[1]", "z_min"), -1);
  assert_near(number(load, "elevation_map[1]", "z_max"), 2);
  assert_false(rut_node_has(load->spec, at(load, "elevation_map[1]"), "corner"));
  assert_near(number(load, "plane[0]", "x_min"), -20);
  assert_near(number(load, "plane[0]", "x_max"), 10);
  assert_near(number(load, "plane[0]", "z"), 0.5);
  assert_near(part(load, "plane[0]", "texture_size", 0), 2);
  assert_near(part(load, "plane[0]", "texture_size", 1), 1);
  assert_near(part(load, "wall[0]", "to", 1), 4);
  assert_near(number(load, "wall[0]", "thickness"), 0.2);
  assert_near(number(load, "wall[0]/opening[0]", "width"), 1.2);
  assert_near(number(load, "wall[0]/opening[0]", "z_max"), 2.2);
  assert_near(number(load, "wall[0]/opening[1]", "position"), 0.8);
  assert_near(number(load, "wall[0]/opening[1]", "z_min"), 1);
  assert_near(number(load, "wall[0]/opening[1]", "z_max"), 2.1);
  assert_near(number(load, "ground_grid[0]", "floating"), 1);
  assert_near(number(load, "point_cloud[0]", "columns"), 2);
  assert_near(number(load, "point_cloud[0]", "yaw"), PI / 2);
  assert_string_equal(text_of(load, "skybox[0]", "textures"), "sky%s.jpg");
  assert_near(number(load, "region[0]", "friction"), 0.1);
  assert_near(number(load, "region[0]", "z_min"), -1000);
  assert_near(number(load, "region[1]", "no_gps"), 1);
  close_load(load);
}

static void test_walls(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<walls><wallThickness>0.3</wallThickness><wallHeight>4</wallHeight><color>#505050</color>"
      "<transformation>[0 -1 0 10; 1 0 0 0; 0 0 1 0; 0 0 0 1]</transformation>"
      "<shape><pt>0 0</pt><pt>2 0</pt><pt>5 1</pt><pt>5 3</pt></shape></walls>"));
  assert_int_equal(children(load, "wall"), 2);
  // a quarter turn to the left, then 10 m along x
  assert_near(part(load, "wall_1", "from", 0), 10);
  assert_near(part(load, "wall_1", "to", 1), 2);
  assert_near(part(load, "wall_2", "from", 0), 9);
  assert_near(part(load, "wall_2", "from", 1), 5);
  assert_near(number(load, "wall_2", "height"), 4);
  assert_near(number(load, "wall_2", "thickness"), 0.3);
  assert_string_equal(text_of(load, "wall_1", "color"), "#505050");
  close_load(load);
}

static void test_view(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<gui><win_w>640</win_w><fov_deg>80</fov_deg><cam_distance>35</cam_distance>"
      "<cam_azimuth>150</cam_azimuth><cam_point_to>1.5 13</cam_point_to>"
      "<follow_vehicle>r1</follow_vehicle><refresh_fps>15</refresh_fps></gui>"
      "<lights><enable_shadows>false</enable_shadows><light_azimuth_deg>-25</light_azimuth_deg>"
      "<light_color>#ffeedd80</light_color></lights>"
      "<georeference><latitude>36.9</latitude><longitude>-2.3</longitude><height>200</height>"
      "<world_to_enu_rotation_deg>5</world_to_enu_rotation_deg></georeference>"
      "<marker type='line_strip'><color>#ff0000</color><translation>1 2</translation>"
      "<points>0 0 0\n1 0 0</points></marker>"));
  assert_int_equal(load->findings, 0);
  assert_near(number(load, "gui[0]", "width"), 640);
  assert_near(number(load, "gui[0]", "field_of_view"), 80 * PI / 180);
  assert_near(number(load, "gui[0]", "azimuth"), 150 * PI / 180);
  assert_near(number(load, "gui[0]", "elevation"), 40 * PI / 180);
  assert_near(number(load, "gui[0]", "maximized"), 1);
  assert_near(part(load, "gui[0]", "look_at", 1), 13);
  assert_near(part(load, "gui[0]", "look_at", 2), 0);
  assert_string_equal(text_of(load, "gui[0]", "follow"), "r1");
  assert_near(number(load, "gui[0]", "refresh_rate"), 15);
  assert_near(number(load, "light[0]", "shadows"), 0);
  assert_near(number(load, "light[0]", "azimuth"), -25 * PI / 180);
  assert_near(number(load, "georeference[0]", "latitude"), 36.9 * PI / 180);
  assert_near(number(load, "georeference[0]", "rotation"), 5 * PI / 180);
  assert_string_equal(text_of(load, "marker[0]", "points"), "0 0 0\n1 0 0");
  close_load(load);
}

// ---- flow ----

static void test_loops(void** state) {
  (void)state;
  // MVSim takes the children of a loop one by one and counts inside each of them
  Load* load = parse_well(
      WORLD("<variable name='N' value='2'/>"
            "<for var='i' from='1' to='$f{N}'>"
            "<block><init_pose>${i} 0 0</init_pose></block>"
            "<block><init_pose>${i} 1 0</init_pose></block></for>"
            "<for var='i' from='0' to='1'><for var='j' from='0' to='2'>"
            "<if condition='$f{i+j == 2}'><block name='b_${i}_${j}'>" POSE "</block></if>"
            "</for></for>"
            "<for var='i' from='1' to='0'><block name='never'>" POSE "</block></for>"));
  assert_int_equal(children(load, "block"), 6);
  assert_near(part(load, "block001", "position", 0), 1);
  assert_near(part(load, "block002", "position", 0), 2);
  assert_near(part(load, "block002", "position", 1), 0);
  assert_near(part(load, "block003", "position", 0), 1);
  assert_near(part(load, "block003", "position", 1), 1);
  at(load, "b_0_2");
  at(load, "b_1_1");
  close_load(load);
}

static void test_conditions(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<if condition='yes'><gravity>1</gravity></if><if condition='0'><gravity>2</gravity></if>"
      "<if condition='2'><collision_threshold>0.1</collision_threshold></if>"
      "<if condition='false'><gravity>3</gravity></if>"
      "<if condition='perhaps'><gravity>4</gravity></if>"));
  assert_near(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 1);
  assert_near(rut_node_number(load->spec, rut_spec_root(load->spec), "contact_margin"), 0.1);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "'perhaps' is neither true nor false"), 1);
  close_load(load);
}

static void test_includes(void** state) {
  (void)state;
  write_file("mvsim_sensor.xml",
             "<sensor class='laser' name='${sensor_name|laser1}'>\n"
             "<max_range>${range|30.0}</max_range><nrays>${rays|$f{9+1}}</nrays></sensor>\n");
  write_file("mvsim_class.xml",
             "<!-- several siblings -->\n<gravity>2</gravity>\n"
             "<vehicle:class name='${class_name|robot}'>" ROBOT_DYNAMICS
             "<if condition='${sensors|true}'>"
             "<include file='mvsim_sensor.xml' sensor_name='inner' range='${range|7}'/></if>"
             "<visual><model_uri>${MVSIM_CURRENT_FILE_DIRECTORY}/m.dae</model_uri></visual>"
             "</vehicle:class>");
  write_file("mvsim_main.xml",
             WORLD("<include file='mvsim_class.xml' range='9'/>"
                   "<include file='mvsim_class.xml' class_name='blind' sensors='false'/>"
                   "<vehicle name='a' class='robot'>" POSE
                   "<include file='mvsim_sensor.xml' sensor_name='outer' rays='$f{2*3}'/></vehicle>"
                   "<vehicle name='b' class='blind'>" POSE "</vehicle>"));
  Load* load = load_file("mvsim_main.xml");
  if (load->status != RUT_OK) print_findings(load, RUT_ERROR);
  assert_int_equal(load->status, RUT_OK);
  assert_near(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 2);
  assert_near(number(load, "a/outer", "rays"), 6);
  assert_near(number(load, "a/outer", "max_range"), 30);
  assert_near(number(load, "a/inner", "max_range"), 9);
  assert_near(number(load, "a/inner", "rays"), 10);
  assert_true(rut_node_is_null(rut_spec_find(load->spec, "b/inner")));
  const char* model = text_of(load, "a/visual[0]", "model");
  assert_int_equal(model[0], '/');
  assert_non_null(strstr(model, "/m.dae"));
  close_load(load);
}

// ---- warnings ----

static void test_unknown_tags(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<gui>\n  <refresh_fsp>20</refresh_fsp></gui><speed>1</speed>\n"
      "<vehicle name='a' colour='red'><dynamics class='differential' x='1'><horn/></dynamics>" POSE
      "<log_path>x</log_path></vehicle>\n"
      "<vehicle name='b'>" ROBOT_DYNAMICS POSE "<log_path>y</log_path></vehicle>"));
  // each tag once in a file, with its place
  assert_int_equal(load->warnings, 6);
  assert_string_equal(load->finding[0].message,
                      "<gui><refresh_fsp> is not used by rut (did you mean 'refresh_fps'?)");
  assert_int_equal(load->finding[0].line, 3);
  assert_int_equal(load->finding[0].column, 3);
  assert_string_equal(load->finding[0].file, "here/test.world.xml");
  assert_int_equal(count_of(load, RUT_WARNING, "<mvsim_world><speed> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<vehicle colour=...> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<dynamics x=...> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<dynamics><horn> is not used"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "<vehicle><log_path> is not used"), 1);
  close_load(load);
}

static void test_later_tags(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<block name='a'>" POSE
      "<publish><publish_pose_topic>/${NAME}/pose</publish_pose_topic>"
      "</publish></block><block name='b'>" POSE
      "<publish/></block>"
      "<actor name='p'/><sensor class='camera' name='cam1'/><sensor class='camera' name='cam1'/>"));
  assert_int_equal(load->warnings, 3);
  assert_int_equal(count_of(load, RUT_WARNING, "publish is not supported yet"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "actor 'p' is not simulated yet"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "camera 'cam1' is not simulated yet"), 1);
  close_load(load);
}

static void test_remote_models(void** state) {
  (void)state;
  const char* uri = "https://example.org/m.dae";
  char text[1200];
  snprintf(text, sizeof text,
           WORLD("<block:class name='c'><shape_from_visual/><visual><model_uri>%s</model_uri>"
                 "</visual></block:class><block class='c'>" POSE "</block><block class='c'>" POSE
                 "</block><vehicle name='r'><dynamics class='differential'><chassis>"
                 "<shape_from_visual/></chassis></dynamics>" POSE "<visual><model_uri>package://p/m"
                 "</model_uri></visual></vehicle>"),
           uri);
  Load* load = parse_well(text);
  assert_int_equal(load->warnings, 2);
  assert_int_equal(count_of(load, RUT_WARNING, "is not fetched: a box of 1 m"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "is not fetched: the default outline"), 1);
  assert_int_equal(length_of(load, "block001", "outline"), 8);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 12);
  assert_string_equal(text_of(load, "block002/visual[0]", "model"), uri);
  close_load(load);
}

// An .obj needs no textures: a tetrahedron with its foot 2 m by 1 m, scaled and moved.
static void test_local_model(void** state) {
  (void)state;
  write_file("mvsim_shape.obj",
             "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  write_file("mvsim_model.xml",
             WORLD("<block name='a'>" POSE "<shape_from_visual/><visual>"
                   "<model_uri>file://mvsim_shape.obj</model_uri><model_scale>2</model_scale>"
                   "<model_offset_x>1</model_offset_x></visual></block>"
                   "<block name='b'>" POSE "<shape_from_visual/><zmin>0</zmin><zmax>1.5</zmax>"
                   "<visual_scale>2</visual_scale>"
                   "<visual><model_uri>mvsim_shape.obj</model_uri></visual></block>"));
  Load* load = load_file("mvsim_model.xml");
  assert_int_equal(load->status, RUT_OK);
  if (count_of(load, RUT_WARNING, "assimp")) {
    print_message("built without assimp\n");
    close_load(load);
    skip();
  }
  assert_int_equal(load->warnings, 0);
  assert_int_equal(length_of(load, "a", "outline"), 6);
  double x_max = -1e9, y_max = -1e9;
  for (int i = 0; i < 3; i++) {
    x_max = fmax(x_max, part(load, "a", "outline", 2 * i));
    y_max = fmax(y_max, part(load, "a", "outline", 2 * i + 1));
  }
  near_at(x_max, 5, 1e-6, __LINE__);
  near_at(y_max, 2, 1e-6, __LINE__);
  near_at(number(load, "a", "z_max"), 6, 1e-6, __LINE__);
  near_at(number(load, "b", "z_max"), 1.5, 1e-6, __LINE__);
  assert_near(number(load, "b/visual[0]", "scale"), 2);
  close_load(load);
}

static void test_repairs(void** state) {
  (void)state;
  // what MVSim's parser lets pass: a wrong closing tag, < in an attribute, lone &, -- in a comment
  Load* load = parse_well(
      WORLD("<!-- a -- b --->\n<for var='i' from='0' to='3'><if condition='$f{i<2 && 1}'>"
            "<block>" POSE "</block></if></for>\n"
            "<marker type='line_strip'><points>a & b &amp; c</points></marker>\n"
            "<gravity>1.5</gravitas>"));
  assert_int_equal(children(load, "block"), 2);
  assert_string_equal(text_of(load, "marker[0]", "points"), "a & b & c");
  assert_near(rut_node_number(load->spec, rut_spec_root(load->spec), "gravity"), 1.5);
  assert_int_equal(load->warnings, 1);
  assert_string_equal(load->finding[0].message,
                      "<gravity> is closed by </gravitas>; it is taken to be meant");
  assert_int_equal(load->finding[0].line, 5);
  assert_int_equal(load->finding[0].column, 13);
  close_load(load);
}

// ---- errors ----

// Line and column count from 1; the world's first line is "<mvsim_world>".
static const struct {
  const char* text;
  int line, column;
  const char* message;
} faults[] = {
    {WORLD("<gravity>strong</gravity>"), 2, 1, "'strong' is not a number"},
    {WORLD("<gravity>9.81 m</gravity>"), 2, 1, "'9.81 m' is not a number"},
    {WORLD("<gravity>nan</gravity>"), 2, 1, "'nan' is not a number"},
    {WORLD("<gravity>1e999</gravity>"), 2, 1, "is not a number"},
    {WORLD("<simul_timestep>-1</simul_timestep>"), 2, 1, ""},
    {WORLD("<gravity>$(rm -rf x)</gravity>"), 2, 1, "$("},
    {WORLD("<gravity>${G}</gravity>"), 2, 1, "G"},
    {WORLD("<gravity>$f{1+}</gravity>"), 2, 1, ""},
    {WORLD("<gui><ortho>maybe</ortho></gui>"), 2, 6, "'maybe' is neither true nor false"},
    {WORLD("<gui><cam_point_to>1</cam_point_to></gui>"), 2, 6, "'1' is not 'x y [z]'"},
    {WORLD("<lights><light_color>red</light_color></lights>"), 2, 9, "'red' is not a colour"},
    {WORLD("<vehicle>" ROBOT_DYNAMICS "</vehicle>"), 2, 1, "the tag <init_pose> is missing"},
    {WORLD("<vehicle>" POSE "</vehicle>"), 2, 1, "the tag <dynamics> is missing"},
    {WORLD("<vehicle class='x'>" POSE "</vehicle>"), 2, 10, "there is no <vehicle:class name='x'>"},
    {WORLD("<vehicle><init_pose>0 0</init_pose>" ROBOT_DYNAMICS "</vehicle>"), 2, 10,
     "'0 0' is not 'x y yaw'"},
    {WORLD("<vehicle>" POSE "<dynamics/></vehicle>"), 2, 38, "the attribute 'class' is missing"},
    {WORLD("<vehicle>" POSE "\n<dynamics class='diferential'/></vehicle>"), 3, 11,
     "class 'diferential' is not known"},
    {WORLD("<vehicle name='a'>" POSE ROBOT_DYNAMICS "</vehicle>\n<block name='a'>" POSE "</block>"),
     3, 8, "there is another vehicle or block named 'a'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<chassis mass='heavy'/></dynamics>"
           "</vehicle>"),
     3, 10, "'heavy' is not a number"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<chassis mass='-3'/></dynamics>"
           "</vehicle>"),
     3, 10, ""},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'><chassis>\n<shape><pt>0 0</pt>"
           "<pt>1 1</pt><pt>2 2</pt></shape></chassis></dynamics></vehicle>"),
     3, 1, "not on one line"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'><chassis><shape><pt>0 0</pt>\n"
           "<pt>1</pt><pt>2 2</pt></shape></chassis></dynamics></vehicle>"),
     3, 1, "'1' is not 'x y'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<l_wheel pos='left'/></dynamics>"
           "</vehicle>"),
     3, 10, "'left' is not 'x y [yaw]'"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n<controller class='pid'/></dynamics>"
           "</vehicle>"),
     3, 13, "class 'pid' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='differential'>\n"
           "<controller class='twist_front_steer_pid'/></dynamics></vehicle>"),
     3, 13, "class 'twist_front_steer_pid' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='ackermann_drivetrain'>\n"
           "<drivetrain type='open'/></dynamics></vehicle>"),
     3, 13, "type 'open' is not known"},
    {WORLD("<vehicle>" POSE "<dynamics class='ackermann'>\n<f_wheels_x>-1</f_wheels_x></dynamics>"
           "</vehicle>"),
     3, 1, "must be above 0"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<friction class='ice'/></vehicle>"), 3, 11,
     "class 'ice' is not known"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<sensor class='lidar'/></vehicle>"), 3, 9,
     "class 'lidar' is not known"},
    {WORLD("<vehicle>" POSE ROBOT_DYNAMICS "\n<sensor name='x'/></vehicle>"), 3, 1,
     "the attribute 'class' is missing"},
    {WORLD("<sensor class='laser'>\n<nrays>-4</nrays></sensor>"), 3, 1, ""},
    {WORLD("<sensor class='laser'>\n<nrays>1e300</nrays></sensor>"), 3, 1, "whole number"},
    {WORLD("<block/>"), 2, 1, "the tag <init_pose> is missing"},
    {WORLD("<block>" POSE "\n<geometry/></block>"), 3, 1, "the attribute 'type' is missing"},
    {WORLD("<block>" POSE "\n<geometry type='cone'/></block>"), 3, 11, "type 'cone' is not known"},
    {WORLD("<block>" POSE "\n<geometry type='ramp' lx='1'/></block>"), 3, 1, "needs the attribute"},
    {WORLD("<block>" POSE "\n<animation type='walk'/></block>"), 3, 12, "type 'walk' is not known"},
    {WORLD("<block>" POSE "<animation type='keyframes'>\n<time_pose>1 2</time_pose></animation>"
           "</block>"),
     3, 1, "'1 2' is not 't x y yaw'"},
    {WORLD("<block>" POSE "<visual_scale>0</visual_scale></block>"), 2, 36, "is not above 0"},
    {WORLD("<joint type='pin' body_a='a' anchor_a='0 0' body_b='b' anchor_b='0 0'/>"), 2, 19,
     "there is no vehicle or block named 'a'"},
    {WORLD("<joint type='glue'/>"), 2, 8, "type 'glue' is not known"},
    {WORLD("<joint type='pin'/>"), 2, 1, "the attribute 'body_a' is missing"},
    {WORLD("<element/>"), 2, 1, "the attribute 'class' is missing"},
    {WORLD("<element class='ocean'/>"), 2, 10, "class 'ocean' is not known"},
    {WORLD("<element class='occupancy_grid'/>"), 2, 1, "the tag <file> is missing"},
    {WORLD("<element class='occupancy_grid'>\n<file>http://x/y.png</file></element>"), 3, 1,
     "is not a local file"},
    {WORLD("<element class='elevation_map'>\n<corner_min_x>1</corner_min_x></element>"), 3, 1,
     "give both"},
    {WORLD("<element class='property_region'>\n<property_name>friction_mu</property_name>"
           "</element>"),
     3, 1, "needs the tag <value_double>"},
    {WORLD("<walls/>"), 2, 1, "the tag <model_uri> or <shape> is missing"},
    {WORLD("<walls>\n<shape><pt>0 0</pt></shape></walls>"), 3, 1, "in pairs"},
    {WORLD("<walls><shape><pt>0 0</pt><pt>1 0</pt></shape>\n<transformation>[1 2]</transformation>"
           "</walls>"),
     3, 1, "is not '[a b c d"},
    {WORLD("<walls>\n<model_uri>nowhere.dae</model_uri></walls>"), 3, 1, "nowhere.dae"},
    {WORLD("<marker type='dot'/>"), 2, 9, "type 'dot' is not known"},
    {WORLD("<marker type='line_strip'/>"), 2, 1, "the tag <points> is missing"},
    {WORLD("<georeference><world_is_utm>1</world_is_utm>"
           "<world_to_enu_rotation_deg>3</world_to_enu_rotation_deg></georeference>"),
     2, 1, "exclude each other"},
    {WORLD("<variable name='x'/>"), 2, 1, "the attribute 'value' is missing"},
    {WORLD("<if><gravity>1</gravity></if>"), 2, 1, "the attribute 'condition' is missing"},
    {WORLD("<for var='i' from='1'><gravity>1</gravity></for>"), 2, 1,
     "the attribute 'to' is missing"},
    {WORLD("<for var='i' from='a' to='2'><gravity>1</gravity></for>"), 2, 14,
     "'a' is not a number"},
    {WORLD("<for var='i' from='1' to='1e12'><gravity>1</gravity></for>"), 2, 23, "out of range"},
    {WORLD("<for var='i' from='1' to='2000000'><if condition='no'/></for>"), 2, 1,
     "loops run more than 200000 times"},
    {WORLD("<for var='i' from='1' to='200000'>\n<element class='skybox'/></for>"), 3, 1,
     "at most 100000 elements"},
    {WORLD("<include/>"), 2, 1, "the attribute 'file' is missing"},
    {WORLD("<include file='nowhere.xml'/>"), 2, 10, "nowhere.xml"},
    {WORLD("<include file='https://x/y.xml'/>"), 2, 10, "is not a local file"},
    {WORLD("<include file='/'/>"), 2, 10, "is not a file"},
    {WORLD("<vehicle:class/>"), 2, 1, "the attribute 'name' is missing"},
    {"<mvsim_world version='new'/>", 1, 14, "version 'new' is not '1.0'"},
    {"<mvsim_world>\n<gui></mvsim_world>", 2, 0, "not well-formed"},
    {"<mvsim_world>\n<gui x='1></gui></mvsim_world>", 2, 0, ""},
};

static void test_errors(void** state) {
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(faults); i++) {
    Load* load = parse(faults[i].text);
    if (load->status == RUT_OK || load->errors < 1) {
      fail_msg("loads without error: %s", faults[i].text);
    }
    const rutError* e = &load->err;
    const bool here = e->line == faults[i].line &&
                      (!faults[i].column || e->column == faults[i].column) &&
                      strcmp(e->file, "here/test.world.xml") == 0;
    if (!here || !strstr(e->message, faults[i].message)) {
      fail_msg("%s\n  gives %s:%d:%d: %s", faults[i].text, e->file, e->line, e->column, e->message);
    }
    close_load(load);
  }
}

static void test_all_errors(void** state) {
  (void)state;
  // one load reports every fault, each once however often its class is used
  Load* load =
      parse(WORLD("<gravity>a</gravity><simul_timestep>b</simul_timestep>"
                  "<block:class name='c'><mass>c</mass></block:class>"
                  "<for var='i' from='1' to='20'><block class='c'>" POSE "</block></for>"));
  assert_int_equal(load->errors, 3);
  close_load(load);

  // but no more than fifty
  char* text = malloc(20000);
  assert_non_null(text);
  strcpy(text, "<mvsim_world>");
  for (int i = 0; i < 100; i++) sprintf(text + strlen(text), "<gravity>x%d</gravity>\n", i);
  strcat(text, "</mvsim_world>");
  load = parse(text);
  free(text);
  assert_int_equal(load->errors, 50);
  close_load(load);
}

static void test_include_cycles(void** state) {
  (void)state;
  write_file("mvsim_cycle_a.xml", WORLD("<include file='mvsim_cycle_b.xml'/>"));
  write_file("mvsim_cycle_b.xml", "<if condition='1'>\n<include file='mvsim_cycle_c.xml'/></if>");
  write_file("mvsim_cycle_c.xml", "<include file='mvsim_cycle_b.xml'/>");
  Load* load = load_file("mvsim_cycle_a.xml");
  assert_int_equal(load->status, RUT_ERR_PARSE);
  assert_string_equal(load->err.message,
                      "files include each other: mvsim_cycle_a.xml includes mvsim_cycle_b.xml "
                      "includes mvsim_cycle_c.xml includes mvsim_cycle_b.xml");
  assert_string_equal(load->err.file, "mvsim_cycle_c.xml");
  assert_int_equal(load->err.line, 1);
  close_load(load);

  // a class that includes itself
  write_file("mvsim_self.xml", WORLD("<vehicle:class name='c'><include file='mvsim_self.xml'/>"
                                     "</vehicle:class><vehicle class='c'>" POSE "</vehicle>"));
  load = load_file("mvsim_self.xml");
  assert_int_equal(load->status, RUT_ERR_PARSE);
  assert_int_equal(count_of(load, RUT_ERROR, "files include each other"), 1);
  close_load(load);

  // 32 files deep is the limit
  for (int i = 0; i < 40; i++) {
    char name[40], text[80];
    snprintf(name, sizeof name, "mvsim_deep_%d.xml", i);
    snprintf(
        text, sizeof text,
        i ? "<include file='mvsim_deep_%d.xml'/>" : WORLD("<include file='mvsim_deep_%d.xml'/>"),
        i + 1);
    write_file(name, text);
  }
  load = load_file("mvsim_deep_0.xml");
  assert_int_equal(load->status, RUT_ERR_CAPACITY);
  assert_int_equal(count_of(load, RUT_ERROR, "more than 32 deep"), 1);
  close_load(load);
}

static void test_errors_in_includes(void** state) {
  (void)state;
  write_file("mvsim_bad_part.xml", "\n  <sensor class='laser'>\n    <nrays>${n}</nrays></sensor>");
  write_file("mvsim_bad_main.xml",
             WORLD("<vehicle>" ROBOT_DYNAMICS POSE
                   "<include file='mvsim_bad_part.xml' n='many'/></vehicle>"));
  Load* load = load_file("mvsim_bad_main.xml");
  assert_int_not_equal(load->status, RUT_OK);
  assert_string_equal(load->err.file, "mvsim_bad_part.xml");
  assert_int_equal(load->err.line, 3);
  assert_int_equal(load->err.column, 5);
  assert_string_equal(load->err.message, "'many' is not a number");
  close_load(load);
}

// ---- MVSim's own worlds ----

static int is_world(const struct dirent* entry) {
  const size_t n = strlen(entry->d_name);
  return n > 10 && strcmp(entry->d_name + n - 10, ".world.xml") == 0;
}

// Load every world of a folder. Returns how many there are, -1 without the folder.
static int load_folder(const char* folder, int max_warnings) {
  struct dirent** list;
  const int n = scandir(folder, &list, is_world, alphasort);
  for (int i = 0; i < n; i++) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    Load* load = load_file(path);
    if (load->status != RUT_OK || load->warnings > max_warnings) {
      print_findings(load, RUT_ERROR);
      fail_msg("%s: %d errors, %d warnings", path, load->errors, load->warnings);
    }
    close_load(load);
    free(list[i]);
  }
  if (n >= 0) free(list);
  return n;
}

#define WORLDS RUT_SHARED_DIR "/data/mvsim/worlds/mvsim_tutorial/"

static void test_mvsim_worlds(void** state) {
  (void)state;
  if (load_folder(WORLDS, 40) < 0) {
    print_message("MVSim's worlds are not at hand\n");
    skip();
  }
}

static void test_conformance_worlds(void** state) {
  (void)state;
  if (load_folder(RUT_SHARED_DIR "/data/mvsim/conformance", 3) < 0) {
    print_message("the conformance worlds are not at hand\n");
    skip();
  }
}

// Facts that stand in the files.
static void test_known_worlds(void** state) {
  (void)state;
  Load* load = load_file(WORLDS "demo_2robots.world.xml");
  if (load->status == RUT_ERR_IO) {
    print_message("MVSim's worlds are not at hand\n");
    close_load(load);
    skip();
  }
  assert_int_equal(load->status, RUT_OK);
  assert_near(number(load, "r1/controller[0]", "proportional_gain"), 4.1543);
  assert_near(number(load, "r2/tyre[0]", "bearing_damping"), 0.5);
  assert_near(part(load, "r2/rl", "position", 1), 1);
  assert_near(number(load, "r1/laser1", "z"), 0.7);
  assert_int_equal(children(load, "block"), 3);
  // two cameras, publish in two files, the remote mesh, raytrace_3d, six viz_ tags of one file
  assert_int_equal(count_of(load, RUT_WARNING, "is not simulated yet"), 2);
  assert_int_equal(count_of(load, RUT_WARNING, "publish"), 2);
  assert_int_equal(count_of(load, RUT_WARNING, "is not fetched"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "viz_"), 6);
  close_load(load);

  load = load_file(WORLDS "demo_many_robots.world.xml");
  assert_int_equal(load->status, RUT_OK);
  assert_int_equal(children(load, "vehicle"), 25);
  assert_near(number(load, "veh25/laser1", "rays"), 100);
  close_load(load);

  load = load_file(WORLDS "demo_jackal.world.xml");
  assert_int_equal(load->status, RUT_OK);
  // the chassis comes from a mesh: a Jackal is 0.50 m by 0.43 m (outer parts of its model)
  if (!count_of(load, RUT_WARNING, "assimp")) {
    near_at(number(load, "r1/chassis[0]", "z_max"), 0.2495, 1e-3, __LINE__);
  }
  close_load(load);

  load = load_file(WORLDS "demo_greenhouse.world.xml");
  assert_int_equal(load->status, RUT_OK);
  // 2 x 21 + 2 x 10 beams, 5 x 9 thick and 5 x 9 thin poles, 5 x (2 x 5 + 2 x 6) plants
  assert_int_equal(children(load, "block"), 42 + 20 + 45 + 45 + 110);
  close_load(load);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recognise),
      cmocka_unit_test(test_world),
      cmocka_unit_test(test_differential_defaults),
      cmocka_unit_test(test_wheel_sets),
      cmocka_unit_test(test_vehicle_values),
      cmocka_unit_test(test_poses),
      cmocka_unit_test(test_controllers),
      cmocka_unit_test(test_drivetrains),
      cmocka_unit_test(test_friction),
      cmocka_unit_test(test_classes),
      cmocka_unit_test(test_sensors),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_geometry),
      cmocka_unit_test(test_animation),
      cmocka_unit_test(test_joints),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_walls),
      cmocka_unit_test(test_view),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_includes),
      cmocka_unit_test(test_unknown_tags),
      cmocka_unit_test(test_later_tags),
      cmocka_unit_test(test_remote_models),
      cmocka_unit_test(test_local_model),
      cmocka_unit_test(test_repairs),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_all_errors),
      cmocka_unit_test(test_include_cycles),
      cmocka_unit_test(test_errors_in_includes),
      cmocka_unit_test(test_mvsim_worlds),
      cmocka_unit_test(test_conformance_worlds),
      cmocka_unit_test(test_known_worlds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
