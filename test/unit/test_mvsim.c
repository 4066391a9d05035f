// SPDX-License-Identifier: BSD-3-Clause
//
// Elements of MVSim worlds: every tag into its field, with MVSim's defaults and units.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mvsim_fixture.h"

extern const rutFormatType rut_format_mvsim;

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
  assert_value(rut_node_number(load->spec, root, "timestep"), 0.002);
  assert_value(rut_node_number(load->spec, root, "gravity"), 1.62);
  assert_value(rut_node_number(load->spec, root, "contact_margin"), 0.05);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(load->finding[0].line, 2);
  assert_string_equal(load->finding[0].message, "<mvsim_world><b2d_vel_iters> is not used by rut");
  close_load(load);

  // 0 asks for a step chosen from the sensors, which rut calls 0 as well
  load = parse_well(WORLD("<simul_timestep>0</simul_timestep>"));
  assert_value(rut_node_number(load->spec, rut_spec_root(load->spec), "timestep"), 0);
  close_load(load);
}

// ---- vehicles ----

// Defaults of MVSim's VehicleDifferential and Wheel.
static void test_differential_defaults(void** state) {
  (void)state;
  Load* load = parse_well(WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE "</vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_value(number(load, "r/chassis[0]", "mass"), 15);
  assert_value(number(load, "r/chassis[0]", "z_min"), 0.05);
  assert_value(number(load, "r/chassis[0]", "z_max"), 0.6);
  assert_value(number(load, "r/chassis[0]", "linear_damping"), 0.1);
  assert_value(number(load, "r/chassis[0]", "angular_damping"), 0.1);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 12);
  assert_value(part(load, "r/chassis[0]", "outline", 6), 0.6);
  assert_value(part(load, "r/l", "position", 1), 0.5);
  assert_value(part(load, "r/r", "position", 1), -0.5);
  assert_value(number(load, "r/l", "mass"), 2);
  assert_value(number(load, "r/l", "radius"), 0.2);
  assert_value(number(load, "r/l", "width"), 0.2);
  // a plate of 0.4 by 0.2: 2 (0.16 + 0.04) / 12
  assert_value(number(load, "r/l", "transverse_inertia"), 0.4 / 12);
  assert_string_equal(text_of(load, "r/l", "place"), "left");
  assert_string_equal(type_of(load, "r/tyre[0]"), "coulomb");
  assert_value(number(load, "r/tyre[0]", "friction"), 0.8);
  assert_value(number(load, "r/tyre[0]", "bearing_damping"), 0.01);
  assert_string_equal(type_of(load, "r/controller[0]"), "raw");
  assert_string_equal(type_of(load, "r/drive[0]"), "direct");
  assert_value(number(load, "r/drive[0]", "max_torque"), 0);
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
  assert_value(part(load, "a/caster", "position", 0), 0.5);
  assert_value(number(load, "a/caster", "driven"), 0);
  assert_string_equal(text_of(load, "b/lr", "place"), "rear_left");
  assert_value(part(load, "b/rf", "position", 0), 0.5);
  assert_value(part(load, "b/rf", "position", 1), -0.5);
  assert_value(part(load, "c/rl", "position", 1), 0.9);
  assert_value(part(load, "c/fl", "position", 0), 1.3);
  assert_value(part(load, "c/fl", "position", 1), 1.0);
  assert_value(number(load, "c/fl", "steered"), 1);
  assert_value(number(load, "c/rl", "driven"), 0);
  assert_value(number(load, "c", "max_steer"), PI / 6);
  assert_value(number(load, "c/chassis[0]", "mass"), 500);
  assert_value(number(load, "c/chassis[0]", "z_min"), 0.2);
  assert_value(part(load, "c/chassis[0]", "outline", 8), 1.8);
  assert_string_equal(text_of(load, "c/drive[0]", "driven"), "front");
  assert_string_equal(type_of(load, "d/drive[0]"), "torsen");
  assert_string_equal(text_of(load, "d/drive[0]", "driven"), "all");
  assert_value(number(load, "d/drive[0]", "front_rear_bias"), 1.5);
  assert_value(number(load, "d/rl", "driven"), 1);
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
  assert_value(number(load, "r/chassis[0]", "mass"), 800);
  assert_value(number(load, "r/chassis[0]", "z_max"), 1.1);
  assert_value(number(load, "r/chassis[0]", "linear_damping"), 0.5);
  assert_value(number(load, "r/chassis[0]", "angular_damping"), 0.8);
  assert_int_equal(length_of(load, "r/chassis[0]", "outline"), 8);
  assert_string_equal(text_of(load, "r/chassis[0]", "color"), "#010203");
  assert_value(number(load, "r/rl", "radius"), 0.31);
  assert_value(number(load, "r/rl", "inertia"), 0.4);
  assert_value(number(load, "r/rl", "yaw"), 10 * PI / 180);
  assert_value(part(load, "r/rl", "position", 0), -0.2);
  assert_value(number(load, "r/rl", "transverse_inertia"), 6 * (0.62 * 0.62 + 0.09) / 12);
  // f_wheels_x and f_wheels_d win over pos
  assert_value(part(load, "r/fl", "position", 0), 1.5);
  assert_value(part(load, "r/fl", "position", 1), 0.8);
  assert_value(number(load, "r", "max_steer"), 40 * PI / 180);
  assert_value(number(load, "r/odometry[0]", "yaw_scale"), 1.02);
  assert_value(part(load, "r", "position", 1), 2);
  assert_int_equal(length_of(load, "r", "position"), 2);
  assert_value(number(load, "r", "yaw"), PI / 2);
  assert_value(part(load, "r", "velocity", 0), 3);
  assert_value(number(load, "r", "yaw_rate"), PI);
  close_load(load);
}

static void test_poses(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD(
          "<vehicle name='a'>" ROBOT_DYNAMICS "<init_pose3d>1 2 3 10 20 30</init_pose3d></vehicle>"
          "<vehicle name='b'>" ROBOT_DYNAMICS POSE "<skip_elevation_adjust/></vehicle>"));
  assert_int_equal(length_of(load, "a", "position"), 3);
  assert_value(part(load, "a", "position", 2), 3);
  assert_value(number(load, "a", "yaw"), 10 * PI / 180);
  assert_value(number(load, "a", "pitch"), 20 * PI / 180);
  assert_value(number(load, "a", "roll"), 30 * PI / 180);
  assert_value(number(load, "a", "on_ground"), 1);
  assert_value(number(load, "b", "on_ground"), 0);
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
  assert_value(number(load, a, "proportional_gain"), 5);
  assert_value(number(load, a, "integral_gain"), 4);
  assert_value(number(load, a, "derivative_gain"), 3);
  assert_value(number(load, a, "derivative_filter"), 2);
  assert_value(number(load, a, "max_torque"), 10);
  assert_value(number(load, a, "speed"), 1.5);
  assert_value(number(load, a, "yaw_rate"), PI / 2);
  assert_value(number(load, a, "anti_windup"), 1);
  assert_value(number(load, a, "slope_feedforward"), 0.7);
  assert_value(number(load, a, "set_point_time"), 0.2);
  assert_value(number(load, a, "set_point_order"), 2);
  // values beside a switch that is off do nothing; gains are MVSim's defaults
  assert_value(number(load, "b/controller[0]", "set_point_time"), 0);
  assert_value(number(load, "b/controller[0]", "slope_feedforward"), 0);
  assert_value(number(load, "b/controller[0]", "proportional_gain"), 10);
  assert_value(number(load, "b/controller[0]", "max_torque"), 100);
  // MVSim's raw torques are negative forward
  assert_value(number(load, "c/controller[0]", "torque_left"), 80);
  assert_value(number(load, "c/controller[0]", "torque_right"), 60);
  assert_value(number(load, "c/controller[0]", "steer"), 10 * PI / 180);
  assert_value(number(load, "d/controller[0]", "torque_left") +
                   number(load, "d/controller[0]", "torque_right"),
               50);
  assert_string_equal(type_of(load, "e/controller[0]"), "front_steer_pid");
  assert_value(number(load, "e/controller[0]", "steer"), 12 * PI / 180);
  assert_value(number(load, "e/controller[0]", "proportional_gain"), 100);
  assert_value(number(load, "f/controller[0]", "max_torque"), 400);
  assert_value(number(load, "f/controller[0]", "zero_speed"), 0.01);
  assert_value(number(load, "f/controller[0]", "stop_speed"), 0.1);
  assert_string_equal(type_of(load, "g/controller[0]"), "twist_front_steer_pid");
  assert_string_equal(type_of(load, "h/controller[0]"), "twist_ideal");
  close_load(load);
}

static void test_laser_poses(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='laser' name='a'><pose>1 2 90</pose></sensor>"
            "<sensor class='laser' name='b'><pose>1 2 0.3 90 0 180</pose></sensor></vehicle>"));
  assert_value(number(load, "r/a", "z"), 0.05);
  assert_value(number(load, "r/a", "yaw"), PI / 2);
  assert_value(number(load, "r/b", "y"), 2);
  assert_value(number(load, "r/b", "z"), 0.3);
  assert_value(number(load, "r/b", "yaw"), PI / 2);
  assert_value(number(load, "r/b", "roll"), PI);
  assert_int_equal(load->warnings, 0);
  assert_int_equal(count_of(load, RUT_NOTE, "six numbers"), 1);
  close_load(load);
  load = parse(WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
                     "<sensor class='laser'><pose>1 2 3 4</pose></sensor></vehicle>"));
  assert_int_equal(load->status, RUT_ERR_PARSE);
  assert_int_equal(count_of(load, RUT_ERROR, "must be the numbers 'x y yaw'"), 1);
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
  assert_value(number(load, "a/drive[0]", "rear_left_right_split"), 0.4);
  assert_value(number(load, "a/rl", "driven"), 1);
  assert_value(number(load, "a/fl", "driven"), 0);
  assert_string_equal(type_of(load, "b/drive[0]"), "torsen");
  assert_string_equal(text_of(load, "b/drive[0]", "driven"), "front");
  assert_value(number(load, "b/drive[0]", "front_left_right_bias"), 2);
  assert_value(number(load, "b/drive[0]", "front_rear_split"), 0.3);
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
  assert_value(number(load, "a/tyre[0]", "friction"), 0.6);
  assert_value(number(load, "a/tyre[0]", "rolling_resistance"), 0.01);
  assert_value(number(load, "a/tyre[0]", "drag_onset"), 40);
  assert_value(number(load, "a/tyre[0]", "drag_constant"), 0.01);
  assert_value(number(load, "a/tyre[0]", "drag_rate"), 0.03);
  assert_string_equal(type_of(load, "b/tyre[0]"), "ellipse");
  assert_value(number(load, "b/tyre[0]", "slip_stiffness"), 7);
  assert_value(number(load, "b/tyre[0]", "cornering_stiffness"), 8);
  assert_value(number(load, "b/tyre[0]", "angle_saturation"), 0.2);
  assert_value(number(load, "b/tyre[0]", "slip_saturation"), 0.3);
  assert_value(number(load, "b/tyre[0]", "lateral_weakening"), 0.4);
  assert_value(number(load, "b/tyre[0]", "longitudinal_weakening"), 0.6);
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
  assert_value(number(load, "veh1/chassis[0]", "mass"), 20);
  assert_value(number(load, "x/chassis[0]", "mass"), 30);
  assert_value(number(load, "veh1/tyre[0]", "friction"), 0.5);
  assert_value(number(load, "x/tyre[0]", "friction"), 0.9);
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
  assert_value(number(load, "r/scan", "x"), 0.5);
  assert_value(number(load, "r/scan", "z"), 0.7);
  assert_value(number(load, "r/scan", "yaw"), PI / 2);
  assert_value(number(load, "r/scan", "fov"), 2 * PI);
  assert_value(number(load, "r/scan", "rays"), 800);
  assert_value(number(load, "r/scan", "max_range"), 16);
  assert_value(number(load, "r/scan", "period"), 0.05);
  assert_value(number(load, "r/scan", "range_noise"), 0.02);
  assert_value(number(load, "r/scan", "angle_noise"), 0.5 * PI / 180);
  assert_value(number(load, "r/scan", "bodies_visible"), 0);
  // unnamed: the second of its vehicle; MVSim's defaults
  assert_value(number(load, "r/laser2", "z"), 0.05);
  assert_value(number(load, "r/laser2", "rays"), 181);
  assert_value(number(load, "r/laser2", "fov"), PI);
  assert_value(number(load, "r/laser2", "max_range"), 80);
  assert_false(rut_node_is_null(rut_spec_find(load->spec, "r/scan_2")));
  assert_value(number(load, "fixed", "yaw"), PI / 6);
  assert_value(number(load, "fixed", "z"), 0.4);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "this one is called 'scan_2'"), 1);
  close_load(load);
}

// White noise of each sample, whatever the period; MVSim's defaults.
static void test_imu(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='imu' name='i'><pose_3d>0.1 0.2 0.3 90 0 0</pose_3d>"
            "<sensor_period>0.04</sensor_period>"
            "<angular_velocity_white_noise_std_noise>1e-3</angular_velocity_white_noise_std_noise>"
            "<linear_acceleration_std_noise>0.05</linear_acceleration_std_noise>"
            "<angular_velocity_random_walk_std_noise>2e-5</angular_velocity_random_walk_std_noise>"
            "<linear_acceleration_random_walk_std_noise>3e-4"
            "</linear_acceleration_random_walk_std_noise>"
            "<measure_orientation>true</measure_orientation>"
            "<orientation_std_noise>0.01</orientation_std_noise>"
            "<publish enabled='false'/></sensor><sensor class='imu'/></vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_value(number(load, "r/i", "z"), 0.3);
  assert_value(number(load, "r/i", "yaw"), PI / 2);
  assert_value(number(load, "r/i", "gyro_noise_density"), 2e-4);
  assert_value(number(load, "r/i", "accelerometer_noise_density"), 0.01);
  assert_value(number(load, "r/i", "gyro_random_walk"), 2e-5);
  assert_value(number(load, "r/i", "accelerometer_random_walk"), 3e-4);
  assert_value(number(load, "r/i", "measure_orientation"), 1);
  assert_value(number(load, "r/i", "orientation_noise"), 0.01);
  assert_value(number(load, "r/i", "gyro_turn_on_bias"), 0);
  // 2e-4 rad/s and 0.017 m/s2 ten times a second
  assert_value(number(load, "r/imu2", "gyro_noise_density"), 6.324555320336759e-5);
  assert_value(number(load, "r/imu2", "accelerometer_noise_density"), 5.375872022286245e-3);
  assert_value(number(load, "r/imu2", "gyro_bias_instability"), 0);
  assert_value(number(load, "r/imu2", "orientation_noise"), 0.005);
  close_load(load);
}

// All ranges at once, by even elevations or a list, with MVSim's defaults, without a warning.
static void test_lidar(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='lidar3d' name='a'><pose_3d>0.5 0 0.7 90 0 0</pose_3d>"
            "<vert_nrays>32</vert_nrays><vert_fov_degrees>40</vert_fov_degrees>"
            "<horz_nrays>1808.4</horz_nrays><sensor_period>0.05</sensor_period>"
            "<range_std_noise>0.005</range_std_noise><min_range>0.2</min_range>"
            "<max_range>110</max_range><horz_resolution_factor>2</horz_resolution_factor>"
            "<ignore_parent_body>true</ignore_parent_body></sensor>"
            "<sensor class='lidar3d' name='b'><vert_nrays>3</vert_nrays>"
            "<vertical_ray_angles>10 0 -5</vertical_ray_angles></sensor></vehicle>"));
  assert_int_equal(load->warnings, 0);
  assert_value(number(load, "r/a", "z"), 0.7);
  assert_value(number(load, "r/a", "yaw"), PI / 2);
  assert_value(number(load, "r/a", "channels"), 32);
  assert_value(number(load, "r/a", "columns"), 1808);
  assert_value(number(load, "r/a", "elevation_first"), -PI / 9);
  assert_value(number(load, "r/a", "elevation_last"), PI / 9);
  assert_value(number(load, "r/a", "period"), 0.05);
  assert_value(number(load, "r/a", "range_noise"), 0.005);
  assert_value(number(load, "r/a", "min_range"), 0.2);
  assert_value(number(load, "r/a", "max_range"), 110);
  assert_value(number(load, "r/a", "ignore_parent"), 1);
  assert_value(number(load, "r/a", "rolling"), 0);
  assert_value(number(load, "r/a", "rated_range"), 0);
  assert_value(number(load, "r/b", "channels"), 3);
  assert_value(number(load, "r/b", "columns"), 180);
  assert_value(part(load, "r/b", "elevations", 2), -PI / 36);
  assert_value(number(load, "r/b", "ignore_parent"), 0);
  close_load(load);
}

// A camera in optical axes, 30 degrees to the left and 10 up: z ahead, y down.
static void test_camera(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='camera' name='c'><pose_3d>0.5 0.1 0.7 -60 0 -100</pose_3d>"
            "<ncols>800</ncols><nrows>600</nrows><fx>400</fx><fy>400</fy><cx>410</cx><cy>295</cy>"
            "<clip_min>0.2</clip_min><clip_max>50</clip_max><sensor_period>0.05</sensor_period>"
            "<publish><publish_topic>/${PARENT_NAME}/${NAME}</publish_topic></publish></sensor>"
            "<sensor class='camera'/></vehicle>"));
  assert_int_equal(load->warnings, 0);
  assert_value(number(load, "r/c", "x"), 0.5);
  assert_value(number(load, "r/c", "y"), 0.1);
  assert_value(number(load, "r/c", "z"), 0.7);
  assert_value(number(load, "r/c", "yaw"), PI / 6);
  assert_value(number(load, "r/c", "pitch"), PI / 18);
  assert_true(fabs(number(load, "r/c", "roll")) < 1e-12);
  assert_value(number(load, "r/c", "fov"), PI / 2);
  assert_value(number(load, "r/c", "width"), 800);
  assert_value(number(load, "r/c", "height"), 600);
  assert_value(number(load, "r/c", "offset_x"), 10);
  assert_value(number(load, "r/c", "offset_y"), -5);
  assert_value(number(load, "r/c", "min_range"), 0.2);
  assert_value(number(load, "r/c", "max_range"), 50);
  assert_value(number(load, "r/c", "period"), 0.05);
  assert_value(number(load, "r/camera2", "width"), 640);
  assert_value(number(load, "r/camera2", "fov"), 2 * atan(0.8));
  close_load(load);
}

// Depth and colours are two cameras; the latter is 5 cm to the left of the former.
static void test_rgbd_camera(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='rgbd_camera' name='c'><pose_3d>0.5 0 0.7 90 0 0</pose_3d>"
            "<relativePoseIntensityWRTDepth>0 0.05 0 -90 0 -90</relativePoseIntensityWRTDepth>"
            "<depth_ncols>320</depth_ncols><depth_nrows>240</depth_nrows><depth_cx>160</depth_cx>"
            "<depth_cy>120</depth_cy><depth_fx>200</depth_fx><depth_fy>200</depth_fy>"
            "<depth_clip_max>9</depth_clip_max><depth_noise_sigma>0.05</depth_noise_sigma>"
            "<depth_resolution>2e-3</depth_resolution><show_3d_pointcloud>true</show_3d_pointcloud>"
            "<ignore_parent_body>true</ignore_parent_body></sensor>"
            "<sensor class='rgbd_camera' name='d'><sense_rgb>false</sense_rgb></sensor>"
            "<sensor class='rgbd_camera' name='e'><sense_depth>false</sense_depth></sensor>"
            "<sensor class='rgbd_camera' name='f'><rgb_fy>300</rgb_fy></sensor></vehicle>"));
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, RUT_WARNING, "fx = 400 counts, not fy = 300"), 1);
  assert_value(number(load, "r/c", "render"), 0);
  assert_value(number(load, "r/c", "width"), 320);
  assert_value(number(load, "r/c", "fov"), 2 * atan(0.8));
  assert_value(number(load, "r/c", "max_range"), 9);
  assert_value(number(load, "r/c", "depth_noise"), 0.05);
  assert_value(number(load, "r/c", "depth_step"), 2e-3);
  assert_value(number(load, "r/c", "yaw"), PI / 2);
  assert_value(number(load, "r/c", "ignore_parent"), 1);
  assert_value(number(load, "r/c_rgb", "render"), 1);
  assert_value(number(load, "r/c_rgb", "width"), 640);
  assert_value(number(load, "r/c_rgb", "x"), 0.45);
  assert_value(number(load, "r/c_rgb", "yaw"), PI / 2);
  assert_true(fabs(number(load, "r/c_rgb", "pitch")) < 1e-12);
  assert_true(fabs(number(load, "r/c_rgb", "roll")) < 1e-12);
  assert_value(number(load, "r/c_rgb", "ignore_parent"), 1);
  assert_value(number(load, "r/d", "render"), 0);
  assert_value(number(load, "r/e", "render"), 1);
  close_load(load);
}

// What the file says of its carrier, and of its topic.
static void test_sensor_carrier(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<vehicle name='r'>" ROBOT_DYNAMICS POSE
      "<sensor class='laser' name='a'><ignore_parent_body>false</ignore_parent_body>"
      "<viz_planeColor>#ff0000</viz_planeColor><viz_visibleLines>true</viz_visibleLines></sensor>"
      "<sensor class='laser' name='b'><publish><publish_topic>/r/b</publish_topic></publish>"
      "</sensor><sensor class='laser' name='c'><publish><publish_topic>/scan</publish_topic>"
      "</publish></sensor></vehicle><sensor class='laser' name='w'><publish><publish_topic>/w"
      "</publish_topic></publish></sensor>"));
  assert_int_equal(load->warnings, 0);
  assert_int_equal(count_of(load, RUT_NOTE, "logs call this sensor '/r/c', not '/scan'"), 1);
  assert_value(number(load, "r/a", "ignore_parent"), 0);
  assert_value(number(load, "r/b", "ignore_parent"), 1);
  close_load(load);
}

// MVSim's errors are white, with its defaults, and it does not look at the sky.
static void test_gnss(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<vehicle name='r'>" ROBOT_DYNAMICS POSE
            "<sensor class='gnss' name='gps1'><pose_3d>0.1 0.2 0.25 0 0 0</pose_3d>"
            "<sensor_period>1.0</sensor_period><horizontal_std_noise>1.5</horizontal_std_noise>"
            "<vertical_std_noise>2.5</vertical_std_noise><publish enabled='false'/></sensor>"
            "<sensor class='gnss'/></vehicle>"));
  assert_int_equal(load->findings, 0);
  assert_value(number(load, "r/gps1", "period"), 1);
  assert_value(number(load, "r/gps1", "x"), 0.1);
  assert_value(number(load, "r/gps1", "z"), 0.25);
  assert_value(number(load, "r/gps1", "single_horizontal"), 1.5);
  assert_value(number(load, "r/gps1", "single_vertical"), 2.5);
  assert_value(number(load, "r/gps1", "white_share"), 1);
  assert_value(number(load, "r/gps1", "obstructions"), 0);
  assert_value(number(load, "r/imu2", "single_horizontal"), 2);
  assert_value(number(load, "r/imu2", "single_vertical"), 4);
  assert_value(number(load, "r/imu2", "z"), 0);
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
  assert_value(number(load, "block001", "mass"), 20);
  assert_value(number(load, "block001", "z_max"), 1.5);
  assert_value(number(load, "block001", "z_min"), 0);
  assert_value(number(load, "block001", "fixed"), 1);
  assert_value(number(load, "block001", "intangible"), 1);
  assert_value(number(load, "block001", "ground_friction"), 0.3);
  assert_value(number(load, "block001", "friction"), 0.4);
  assert_value(number(load, "block001", "restitution"), 0.2);
  assert_value(number(load, "block001", "linear_damping"), 0.1);
  assert_int_equal(length_of(load, "block001", "outline"), 6);
  assert_value(number(load, "block001", "yaw"), PI / 2);
  // MVSim's default block is a cube of 1 m
  assert_int_equal(length_of(load, "named", "outline"), 8);
  assert_value(part(load, "named", "outline", 0), -0.5);
  assert_value(number(load, "named", "z_max"), 1);
  assert_value(number(load, "named", "mass"), 30);
  assert_value(number(load, "block002", "mass"), 7);
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
  assert_value(number(load, "a", "radius"), 0.3);
  assert_value(number(load, "a", "length"), 2);
  assert_value(number(load, "a", "vertices"), 8);
  assert_string_equal(text_of(load, "b", "shape"), "sphere");
  assert_value(number(load, "b", "z_min"), -0.4);
  assert_value(number(load, "b", "z_max"), 0.4);
  // a box has a corner at its origin
  assert_string_equal(text_of(load, "c", "shape"), "polygon");
  assert_value(part(load, "c", "outline", 4), 2);
  assert_value(part(load, "c", "outline", 5), 1);
  assert_value(number(load, "c", "z_max"), 0.5);
  // a ramp rises from its origin; rut's has it in the middle, here 2 m along +y
  assert_string_equal(text_of(load, "d", "shape"), "ramp");
  assert_value(part(load, "d", "position", 0), 10);
  assert_value(part(load, "d", "position", 1), 2);
  assert_string_equal(text_of(load, "e", "shape"), "bump");
  assert_value(part(load, "e", "size", 2), 0.02);
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
  assert_value(number(load, "a/keyframe[0]", "time"), 0);
  assert_value(part(load, "a/keyframe[0]", "position", 2), 0.5);
  assert_value(number(load, "a/keyframe[0]", "yaw"), PI / 2);
  assert_value(number(load, "a/keyframe[1]", "time"), 2);
  assert_value(number(load, "a/keyframe[1]", "yaw"), PI);
  assert_value(part(load, "plane[0]", "position", 0), 3);
  assert_value(part(load, "plane[0]/keyframe[0]", "position", 2), 3);
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
  assert_value(part(load, "joint[0]", "anchor_b", 1), 0.1);
  assert_value(number(load, "joint[0]", "limited"), 1);
  assert_value(number(load, "joint[0]", "lower"), -PI / 4);
  assert_value(number(load, "joint[0]", "upper"), PI / 6);
  assert_string_equal(type_of(load, "joint[1]"), "distance");
  assert_value(number(load, "joint[1]", "max_length"), 3);
  assert_value(number(load, "joint[1]", "min_length"), 1);
  assert_value(number(load, "joint[1]", "stiffness"), 10);
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
  assert_value(number(load, "occupancy_grid[0]", "resolution"), 0.2);
  assert_value(part(load, "occupancy_grid[0]", "center_pixel", 0), 160);
  assert_value(part(load, "occupancy_grid[0]", "center_pixel", 1), 100);
  assert_value(number(load, "occupancy_grid[0]", "friction"), 0.6);
  assert_string_equal(text_of(load, "elevation_map[0]", "matrix"), "[0 1; 2 3]");
  assert_value(part(load, "elevation_map[0]", "corner", 1), -3);
  assert_value(number(load, "elevation_map[0]", "texture_rotation"), 90);
  assert_value(part(load, "elevation_map[0]", "texture_size", 0), 3);
  assert_value(part(load, "elevation_map[0]", "texture_size", 1), 0);
  assert_value(number(load, "elevation_map[1]", "z_min"), -1);
  assert_value(number(load, "elevation_map[1]", "z_max"), 2);
  assert_false(rut_node_has(load->spec, at(load, "elevation_map[1]"), "corner"));
  assert_value(number(load, "plane[0]", "x_min"), -20);
  assert_value(number(load, "plane[0]", "x_max"), 10);
  assert_value(number(load, "plane[0]", "z"), 0.5);
  assert_value(part(load, "plane[0]", "texture_size", 0), 2);
  assert_value(part(load, "plane[0]", "texture_size", 1), 1);
  assert_value(part(load, "wall[0]", "to", 1), 4);
  assert_value(number(load, "wall[0]", "thickness"), 0.2);
  assert_value(number(load, "wall[0]/opening[0]", "width"), 1.2);
  assert_value(number(load, "wall[0]/opening[0]", "z_max"), 2.2);
  assert_value(number(load, "wall[0]/opening[1]", "position"), 0.8);
  assert_value(number(load, "wall[0]/opening[1]", "z_min"), 1);
  assert_value(number(load, "wall[0]/opening[1]", "z_max"), 2.1);
  assert_value(number(load, "ground_grid[0]", "floating"), 1);
  assert_value(number(load, "point_cloud[0]", "columns"), 2);
  assert_value(number(load, "point_cloud[0]", "yaw"), PI / 2);
  assert_string_equal(text_of(load, "skybox[0]", "textures"), "sky%s.jpg");
  assert_value(number(load, "region[0]", "friction"), 0.1);
  assert_value(number(load, "region[0]", "z_min"), -1000);
  assert_value(number(load, "region[1]", "no_gps"), 1);
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
  assert_value(part(load, "wall_1", "from", 0), 10);
  assert_value(part(load, "wall_1", "to", 1), 2);
  assert_value(part(load, "wall_2", "from", 0), 9);
  assert_value(part(load, "wall_2", "from", 1), 5);
  assert_value(number(load, "wall_2", "height"), 4);
  assert_value(number(load, "wall_2", "thickness"), 0.3);
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
  assert_value(number(load, "gui[0]", "width"), 640);
  assert_value(number(load, "gui[0]", "field_of_view"), 80 * PI / 180);
  assert_value(number(load, "gui[0]", "azimuth"), 150 * PI / 180);
  assert_value(number(load, "gui[0]", "elevation"), 40 * PI / 180);
  assert_value(number(load, "gui[0]", "maximized"), 1);
  assert_value(part(load, "gui[0]", "look_at", 1), 13);
  assert_value(part(load, "gui[0]", "look_at", 2), 0);
  assert_string_equal(text_of(load, "gui[0]", "follow"), "r1");
  assert_value(number(load, "gui[0]", "refresh_rate"), 15);
  assert_value(number(load, "light[0]", "shadows"), 0);
  assert_value(number(load, "light[0]", "azimuth"), -25 * PI / 180);
  assert_value(number(load, "georeference[0]", "latitude"), 36.9 * PI / 180);
  assert_value(number(load, "georeference[0]", "rotation"), 5 * PI / 180);
  assert_string_equal(text_of(load, "marker[0]", "points"), "0 0 0\n1 0 0");
  close_load(load);
}

// ---- actors ----

// What MVSim's HumanActor does with these numbers: "run" is the speed on the way to its waypoint.
static void test_actor(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<actor:class name='p'><walking_speed>1.2</walking_speed><running_speed>4</running_speed>"
      "<height>1.6</height><collision_radius>0.3</collision_radius>"
      "<animation_run>Man_Run</animation_run><visual><model_uri>no.fbx</model_uri></visual>"
      "</actor:class>"
      "<actor name='ann' class='p'><init_pose>1 2 90</init_pose><path loop='true'>"
      "<waypoint pause='2'>1 2 -90</waypoint><waypoint animation='run'>4 6 0</waypoint>"
      "<waypoint pause='0.5' animation='wave'>7 8 0 180 0 0</waypoint></path></actor>"
      "<actor class='p'><walking_speed>0.7</walking_speed><turning_rate>90</turning_rate>"
      "<init_pose>0 0 0</init_pose><path><waypoint>3 0 0</waypoint></path></actor>"));
  assert_int_equal(load->warnings, 0);
  assert_int_equal(length_of(load, "ann", "path"), 6);
  assert_value(part(load, "ann", "path", 4), 7);
  assert_value(number(load, "ann", "speed"), 1.2);
  assert_string_equal(rut_node_text(load->spec, at(load, "ann"), "end"), "loop");
  assert_value(number(load, "ann/waypoint[0]", "pause"), 2);
  assert_value(number(load, "ann/waypoint[1]", "point"), 1);
  assert_value(number(load, "ann/waypoint[1]", "speed"), 4);
  assert_value(number(load, "ann/waypoint[2]", "pause"), 0.5);
  assert_value(number(load, "ann/scenery", "height"), 1.6);
  // the second one walks from its initial pose to the only waypoint, and stays there
  assert_int_equal(length_of(load, "actor002", "path"), 4);
  assert_value(part(load, "actor002", "path", 2), 3);
  assert_value(number(load, "actor002", "speed"), 0.7);
  assert_value(number(load, "actor002", "turn_rate"), PI / 2);
  assert_string_equal(rut_node_text(load->spec, at(load, "actor002"), "end"), "stop");
  rutModel* model = NULL;
  assert_int_equal(rut_compile(load->spec, &model, &load->err), RUT_OK);
  rut_model_destroy(model);
  close_load(load);
}

static void test_actor_that_stands(void** state) {
  (void)state;
  Load* load = parse_well(
      WORLD("<actor name='a'><init_pose3d>5 6 0 90 0 0</init_pose3d></actor>"
            "<actor name='b'><init_pose>0 0 0</init_pose><path loop='1'><waypoint>0 0 0</waypoint>"
            "<waypoint>2 0 0</waypoint><waypoint animation='idle'>4 0 0</waypoint></path></actor>"
            "<actor name='c'><init_pose>9 9 0</init_pose><path loop='true'><waypoint>0 5 0"
            "</waypoint><waypoint>2 5 0</waypoint></path><publish/></actor>"));
  assert_value(part(load, "a/place", "position", 1), 6);
  assert_value(number(load, "a/place", "yaw"), PI / 2);
  // idle: for ever at the waypoint before
  assert_int_equal(length_of(load, "b", "path"), 4);
  assert_string_equal(rut_node_text(load->spec, at(load, "b"), "end"), "stop");
  assert_int_equal(count_of(load, RUT_WARNING, "starts at the first waypoint of its loop"), 1);
  assert_int_equal(load->warnings, 2);
  close_load(load);
}

static void test_actor_faults(void** state) {
  (void)state;
  static const struct {
    const char *body, *message;
  } bad[] = {
      {"<path><waypoint>1 2</waypoint></path>", "x y yaw"},
      {"<path><waypoint>1 2 3 4</waypoint></path>", "not 4 numbers"},
      {"<path><waypoint pause='-1'>1 2 3</waypoint></path>", "pause of -1 s is out of range"},
      {"<path><waypoint pause='x'>1 2 3</waypoint></path>", "'x'"},
      {"<path loop='perhaps'/>", "perhaps"},
      {"<walking_speed>0</walking_speed>", "0 is out of range"},
      {"<height>nan</height>", "height"},
      {"<init_pose>north</init_pose>", "north"},
  };
  for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
    char text[300];
    snprintf(text, sizeof text, WORLD("<actor name='a'>%s</actor>"), bad[i].body);
    Load* load = parse(text);
    assert_int_not_equal(load->status, RUT_OK);
    if (!strstr(load->finding[0].message, bad[i].message) &&
        !strstr(load->err.element, bad[i].message)) {
      fail_msg("%s: %s", bad[i].body, load->finding[0].message);
    }
    assert_int_equal(load->finding[0].line, 2);
    close_load(load);
  }
  Load* load = parse(WORLD("<actor class='nobody'/>"));
  assert_int_not_equal(load->status, RUT_OK);
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
      cmocka_unit_test(test_laser_poses),
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
      cmocka_unit_test(test_imu),
      cmocka_unit_test(test_lidar),
      cmocka_unit_test(test_camera),
      cmocka_unit_test(test_rgbd_camera),
      cmocka_unit_test(test_sensor_carrier),
      cmocka_unit_test(test_gnss),
      cmocka_unit_test(test_actor),
      cmocka_unit_test(test_actor_that_stands),
      cmocka_unit_test(test_actor_faults),
      cmocka_unit_test(test_view),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
