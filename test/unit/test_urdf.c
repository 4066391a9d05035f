// SPDX-License-Identifier: BSD-3-Clause
//
// Robot descriptions (URDF): frames and masses against closed forms, wheels that are found and
// those that are not, and the vehicle that is made.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/urdf.h"
#include "rut/component.h"

static const double PI = 3.14159265358979323846;

// ---- loading, with findings kept ----

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutStatus status;
  char findings[16384];
} Load;

static void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  const size_t n = strlen(load->findings);
  snprintf(load->findings + n, sizeof load->findings - n, "%d:%d %s\n", d->line, (int)d->level,
           d->message);
}

static Load* parse(const char* text) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, NULL), RUT_OK);
  rutError err;
  load->status =
      rut_spec_parse(load->context, text, strlen(text), "here/cart.urdf", &load->spec, &err);
  return load;
}

static Load* parse_well(const char* text) {
  Load* load = parse(text);
  if (load->status != RUT_OK) fail_msg("%s", load->findings);
  return load;
}

static void close_load(Load* load) {
  rut_spec_destroy(load->spec);
  rut_context_destroy(load->context);
  free(load);
}

static void says(const Load* load, const char* text) {
  if (!strstr(load->findings, text)) fail_msg("nothing says '%s', but:\n%s", text, load->findings);
}

static rutNode node_at(const Load* load, const char* path) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return node;
}

static double field(const Load* load, const char* path, const char* name) {
  return rut_node_number(load->spec, node_at(load, path), name);
}

static double element(const Load* load, const char* path, const char* name, int i) {
  int n = 0;
  const double* value = rut_node_numbers(load->spec, node_at(load, path), name, &n);
  assert_true(i < n);
  return value[i];
}

static void has_text(const Load* load, const char* path, const char* name, const char* text) {
  assert_string_equal(rut_node_text(load->spec, node_at(load, path), name), text);
}

// ---- robots ----

#define CYLINDER "<geometry><cylinder radius='0.1' length='0.04'/></geometry>"
#define BODY                                                                                      \
  "<link name='base'><inertial><mass value='10'/><inertia ixx='0.1' iyy='0.2' izz='0.3' ixy='0' " \
  "ixz='0' iyz='0'/></inertial><collision><geometry><box size='0.6 0.3 "                          \
  "0.1'/></geometry></collision>"                                                                 \
  "</link>"
// A link with mass and a cylinder along its z axis, on a joint that turns it to y.
#define WHEEL_ON(parent, name, x, y)                                                             \
  "<joint name='" name "_joint' type='continuous'><parent link='" parent "'/><child link='" name \
  "'/><origin xyz='" x " " y " 0' rpy='-1.57 0 0'/><axis xyz='0 0 1'/></joint><link name='" name \
  "'><inertial><mass value='1'/><inertia ixx='0.003' iyy='0.003' izz='0.006' ixy='0' ixz='0' "   \
  "iyz='0'/></inertial><collision>" CYLINDER "</collision></link>"
#define WHEEL(name, x, y) WHEEL_ON("base", name, x, y)
#define STEERING(name, x, y)                                                             \
  "<joint name='" name "_steer' type='revolute'><parent link='base'/><child link='" name \
  "_knuckle'"                                                                            \
  "/><origin xyz='" x " " y                                                              \
  " 0'/><axis xyz='0 0 1'/><limit lower='-0.5' upper='0.5' effort='1' "                  \
  "velocity='1'/></joint><link name='" name                                              \
  "_knuckle'/>" WHEEL_ON(name "_knuckle", name, "0", "0")
#define ROBOT(content) "<robot name='cart'>" content "</robot>"
#define PAIR           WHEEL("left", "0", "0.2") WHEEL("right", "0", "-0.2")

// ---- frames and masses ----

static rutFramePose pose(double x, double y, double z, double roll, double pitch, double yaw) {
  return (rutFramePose){rut_mat3_of_rpy(roll, pitch, yaw), rut_vec3(x, y, z)};
}

static void near_vec(rutVec3 v, double x, double y, double z) {
  assert_near(v.x, x, 1e-12);
  assert_near(v.y, y, 1e-12);
  assert_near(v.z, z, 1e-12);
}

// Fixed axes: roll first. A frame rolled by a right angle has its z axis along -y, and one yawed
// inside it turns about that.
static void test_frames(void** state) {
  (void)state;
  const rutFramePose rolled = pose(1, 2, 3, PI / 2, 0, 0), yawed = pose(0, 0, 5, 0, 0, PI / 2);
  near_vec(rut_frame_apply(rolled, rut_vec3(0, 0, 1)), 1, 1, 3);
  near_vec(rut_frame_apply(rut_frame_mul(rolled, yawed), rut_vec3(1, 0, 0)), 1, -3, 4);
  near_vec(rut_frame_apply(pose(0, 0, 0, PI / 2, 0, PI / 2), rut_vec3(0, 1, 0)), 0, 0, 1);
}

static rutBodyMass box(double mass, double a, double b, double c) {
  const double k = mass / 12;
  const rutSym3 j = {k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0};
  return (rutBodyMass){mass, {0, 0, 0}, j};
}

// Halves of a box, one of which lies turned, are the whole box.
static void test_masses(void** state) {
  (void)state;
  const rutBodyMass front = rut_body_mass_moved(box(6, 1, 2, 3), pose(1.5, 0, 0, 0, 0, 0));
  const rutBodyMass back = rut_body_mass_moved(box(6, 2, 1, 3), pose(0.5, 0, 0, 0, 0, PI / 2));
  const rutBodyMass sum = rut_body_mass_sum(front, back);
  assert_near(sum.mass, 12, 0);
  near_vec(sum.com, 1, 0, 0);
  // 12/12 (b^2 + c^2) and so on of a box of 2 x 2 x 3
  assert_near(sum.inertia.xx, 13, 1e-12);
  assert_near(sum.inertia.yy, 13, 1e-12);
  assert_near(sum.inertia.zz, 8, 1e-12);
  // two points of 1 kg at (1, 2, 0) and (-1, -2, 0): Ixy = -sum m x y
  const rutBodyMass one = {.mass = 1, .com = {1, 2, 0}}, other = {.mass = 1, .com = {-1, -2, 0}};
  const rutBodyMass pair = rut_body_mass_sum(one, other);
  assert_near(pair.inertia.xy, -4, 1e-12);
  assert_near(pair.inertia.zz, 10, 1e-12);
  // turned by a about z: Ixy' = (Ixx - Iyy) sin(a) cos(a)
  const rutBodyMass turned = rut_body_mass_moved(box(12, 1, 2, 3), pose(0, 0, 0, 0, 0, 0.3));
  assert_near(turned.inertia.xy, (13 - 10) * sin(0.3) * cos(0.3), 1e-12);
}

// ---- vehicles ----

static void test_differential(void** state) {
  (void)state;
  // a weight of 5 kg, 0.3 m behind, held by a fixed joint
  Load* load = parse_well(
      ROBOT(BODY PAIR "<joint name='j' type='fixed'><parent link='base'/><child link='weight'/>"
                      "<origin xyz='-0.3 0 0'/></joint><link name='weight'><inertial>"
                      "<mass value='5'/><inertia ixx='0' iyy='0' izz='0.02'/></inertial></link>"));
  assert_near(field(load, "cart/chassis", "mass"), 15, 1e-12);
  assert_near(element(load, "cart/chassis", "com", 0), -0.1, 1e-12);
  // 0.3 + 10 x 0.1^2 + 0.02 + 5 x 0.2^2
  assert_near(field(load, "cart/chassis", "yaw_inertia"), 0.62, 1e-12);
  assert_near(field(load, "cart/chassis", "z_min"), 0.05, 1e-12);
  assert_near(field(load, "cart/chassis", "z_max"), 0.15, 1e-12);
  assert_near(element(load, "cart/left", "position", 1), 0.2, 1e-12);
  assert_near(field(load, "cart/left", "radius"), 0.1, 0);
  assert_near(field(load, "cart/left", "inertia"), 0.006, 1e-12);
  // the roll is -1.57, not a right angle
  assert_near(field(load, "cart/left", "transverse_inertia"), 0.003, 1e-8);
  has_text(load, "cart/left", "place", "left");
  has_text(load, "cart/right", "place", "right");
  rutModel* model;
  assert_int_equal(rut_compile(load->spec, &model, NULL), RUT_OK);
  rut_model_destroy(model);
  close_load(load);
}

static int wheels_of(const Load* load) {
  int n = 0;
  rutNode node = rut_node_first(load->spec, node_at(load, "cart"), "wheel");
  for (; !rut_node_is_null(node); node = rut_node_next(load->spec, node, "wheel")) n++;
  return n;
}

// What spins, but not about a level axis or not on the ground, is no wheel; nor is what is too
// steep by a little. What swivels freely, or is a ball, glides.
static void test_no_wheels(void** state) {
  (void)state;
  static const char* const parts[] = {
      "<joint name='lidar' type='continuous'><parent link='base'/><child link='l'/>"
      "<axis xyz='0 0 1'/></joint><link name='l'><collision>" CYLINDER "</collision></link>",
      "<joint name='drum' type='continuous'><parent link='base'/><child link='l'/>"
      "<origin xyz='0 0 0.1' rpy='-1.57 0 0'/><axis xyz='0 0 1'/></joint><link name='l'>"
      "<collision>" CYLINDER "</collision></link>",
      "<joint name='steep' type='continuous'><parent link='base'/><child link='l'/>"
      "<origin rpy='-1.37 0 0'/><axis xyz='0 0 1'/></joint><link name='l'>"
      "<collision>" CYLINDER "</collision></link>",
      "<joint name='arm' type='prismatic'><parent link='base'/><child link='l'/></joint>"
      "<link name='l'/>",
      "<joint name='ball' type='continuous'><parent link='base'/><child link='l'/>"
      "<origin xyz='-0.2 0 -0.07'/><axis xyz='0 1 0'/></joint><link name='l'><collision>"
      "<geometry><sphere radius='0.03'/></geometry></collision></link>",
      "<joint name='swivel' type='continuous'><parent link='base'/><child link='fork'/>"
      "<axis xyz='0 0 1'/></joint><link name='fork'/>" WHEEL_ON("fork", "small", "-0.1", "0")};
  for (int i = 0; i < RUT_COUNT_OF(parts); i++) {
    char text[8192];
    snprintf(text, sizeof text, "<robot name='cart'>%s%s</robot>", BODY PAIR, parts[i]);
    Load* load = parse_well(text);
    if (wheels_of(load) != 2) fail_msg("part %d is a wheel", i);
    if (i == 3) says(load, "dropped: the prismatic joint 'arm' does not move");
    if (i >= 4) says(load, "glides without friction");
    close_load(load);
  }
}

// A plug-in decides what drives: the rear pair of four.
static void test_plugin(void** state) {
  (void)state;
  Load* load = parse_well(ROBOT(BODY PAIR WHEEL("fl", "0.4", "0.2") WHEEL(
      "fr", "0.4",
      "-0.2") "<gazebo><plugin filename='gz-sim-diff-drive-system'><left_joint>left_joint"
              "</left_joint><right_joint>right_joint</right_joint><wheel_separation>0.5"
              "</wheel_separation><wheel_radius>0.1</wheel_radius></plugin></gazebo>"));
  assert_int_equal(wheels_of(load), 4);
  has_text(load, "cart/left", "place", "left");
  has_text(load, "cart/fl", "place", "other");
  assert_near(field(load, "cart/left", "driven"), 1, 0);
  assert_near(field(load, "cart/fl", "driven"), 0, 0);
  says(load, "dropped: a wheel separation of 0.5 m; wheels are 0.4 m apart");
  close_load(load);
}

static void test_skid(void** state) {
  (void)state;
  Load* load = parse_well(ROBOT(BODY PAIR WHEEL("fl", "0.4", "0.2") WHEEL("fr", "0.4", "-0.2")));
  has_text(load, "cart/left", "place", "rear_left");
  has_text(load, "cart/fr", "place", "front_right");
  says(load, "a skid-steered vehicle, with 4 wheels, 4 of them driven");
  assert_string_equal(rut_node_type(load->spec, node_at(load, "cart/controller[0]")), "twist_pid");
  close_load(load);
}

static void test_ackermann(void** state) {
  (void)state;
  Load* load =
      parse_well(ROBOT(BODY PAIR STEERING("fl", "0.4", "0.2") STEERING("fr", "0.4", "-0.2")));
  has_text(load, "cart/left", "place", "rear_left");
  has_text(load, "cart/fl", "place", "front_left");
  assert_near(field(load, "cart/fl", "steered"), 1, 0);
  assert_near(field(load, "cart/left", "steered"), 0, 0);
  // the inner wheel is at 0.5 rad: cot(a) = cot(0.5) + 0.2/0.4
  assert_near(field(load, "cart", "max_steer"), atan(1 / (1 / tan(0.5) + 0.5)), 1e-9);
  assert_string_equal(rut_node_type(load->spec, node_at(load, "cart/controller[0]")),
                      "twist_front_steer_pid");
  rutModel* model;
  if (rut_compile(load->spec, &model, NULL) != RUT_OK) fail_msg("%s", load->findings);
  rut_model_destroy(model);
  close_load(load);
}

static void test_any_way(void** state) {
  (void)state;
  Load* load = parse_well(
      ROBOT(BODY PAIR "<gazebo><plugin filename='libgazebo_ros_planar_move.so'/></gazebo>"));
  assert_string_equal(rut_node_type(load->spec, node_at(load, "cart/controller[0]")),
                      "twist_ideal");
  rutModel* model;
  if (rut_compile(load->spec, &model, NULL) != RUT_OK) fail_msg("%s", load->findings);
  rut_model_destroy(model);
  close_load(load);
}

// One front wheel becomes two, each with half of its mass; a plug-in may limit the angle.
static void test_tricycle(void** state) {
  (void)state;
  Load* load = parse_well(ROBOT(BODY PAIR STEERING(
      "f", "0.4", "0") "<gazebo><plugin filename='x_ackermann_y'>"
                       "<left_joint>left_joint</left_joint>"
                       "<right_joint>right_joint</right_joint>"
                       "<left_joint>nothing</left_joint>"
                       "<steering_limit>0.3</steering_limit></plugin></gazebo>"));
  assert_int_equal(wheels_of(load), 4);
  has_text(load, "cart/f", "place", "front_left");
  has_text(load, "cart/f_2", "place", "front_right");
  assert_near(field(load, "cart/f_2", "mass"), 0.5, 1e-12);
  assert_near(field(load, "cart/f", "inertia"), 0.003, 1e-12);
  assert_near(field(load, "cart", "max_steer"), 0.3, 1e-12);
  assert_near(field(load, "cart/f", "driven"), 0, 0);
  says(load, "guessed: rut steers pairs of wheels");
  says(load, "dropped: there is no joint 'nothing'");
  rutModel* model;
  if (rut_compile(load->spec, &model, NULL) != RUT_OK) fail_msg("%s", load->findings);
  rut_model_destroy(model);
  close_load(load);
}

// As files of others have it: XML of version 0.0, behind a blank line; a hinge that is called
// continuous and has limits steers; a scale has four numbers; a shape has no size; limits are
// beyond all.
static void test_as_it_is_written(void** state) {
  (void)state;
  const char* text = "\n<?xml version='0.0' ?>\n" ROBOT(BODY PAIR STEERING(
      "fl", "0.4",
      "0.2") "<joint name='fr_steering_hinge' type='continuous'><parent link='base'/><child "
             "link='fr_knuckle'/><origin xyz='0.4 -0.2 0'/><axis xyz='0 0 1'/><limit lower='-0.5' "
             "upper='0.5' effort='1e16' velocity='inf'/></joint><link "
             "name='fr_knuckle'><visual><geometry><mesh filename='none.stl' scale='1 1 1 1'/>"
             "</geometry></visual><collision><geometry><sphere radius='0'/></geometry></collision>"
             "</link>" WHEEL_ON("fr_knuckle", "fr", "0", "0"));
  Load* load = parse_well(text);
  says(load, "kept: 14 kg in 7 links as a vehicle that steers, with 4 wheels");
  says(load, "dropped: a shape of no size");
  assert_near(field(load, "cart", "max_steer"), atan(1 / (1 / tan(0.5) + 0.5)), 1e-9);
  close_load(load);
}

// What is round beside its axis, or moves something else, is a leg: the lower leg and its foot turn
// about the knee.
static void test_legs(void** state) {
  (void)state;
  Load* load = parse(ROBOT(
      BODY
      "<joint name='hip' type='continuous'><parent link='base'/><child link='thigh'/><axis xyz='0 "
      "1 "
      "0'/></joint><link name='thigh'><collision><origin rpy='1.57 0 0'/>" CYLINDER
      "</collision></link><joint name='knee' type='continuous'><parent link='thigh'/><child "
      "link='shank'/><origin xyz='0 0 -0.2'/><axis xyz='0 1 0'/></joint><link "
      "name='shank'><collision><origin xyz='0 0 -0.2'/><geometry><sphere radius='0.02'/></geometry>"
      "</collision></link>"));
  assert_int_not_equal(load->status, RUT_OK);
  says(load, "it has no wheels on the ground");
  close_load(load);
}

// A torque above what pulls with the weight is no limit; one below it is.
static void test_motors(void** state) {
  (void)state;
  static const double given[2] = {2, 200};
  for (int i = 0; i < 2; i++) {
    char text[8192];
    snprintf(text, sizeof text,
             "<robot name='cart'>%s<gazebo><plugin filename='libgazebo_ros_diff_drive.so'>"
             "<leftJoint>left_joint</leftJoint><rightJoint>right_joint</rightJoint>"
             "<wheelTorque>%g</wheelTorque></plugin></gazebo></robot>",
             BODY PAIR, given[i]);
    Load* load = parse_well(text);
    // 12 kg on two wheels of 0.1 m
    const double pull = 12 * field(load, "", "gravity") * 0.1 / 2;
    assert_near(field(load, "cart/drive[0]", "max_torque"), i ? pull : 2, 1e-9);
    close_load(load);
  }
}

// Wheels whose axes lie along x roll along y, which becomes x.
static void test_sideways(void** state) {
  (void)state;
#define ROLLER(name, x)                                                                         \
  "<joint name='" name "_joint' type='continuous'><parent link='base'/><child link='" name      \
  "'/><origin xyz='" x " 0.1 0' rpy='0 1.5708 0'/><axis xyz='0 0 1'/></joint><link name='" name \
  "'><inertial><mass value='1'/></inertial><collision>" CYLINDER "</collision></link>"
  Load* load = parse_well(ROBOT(BODY ROLLER("a", "0.2") ROLLER("b", "-0.2")));
  assert_near(element(load, "cart/a", "position", 0), 0.1, 1e-12);
  assert_near(element(load, "cart/a", "position", 1), -0.2, 1e-12);
  has_text(load, "cart/a", "place", "right");
  // the box of 0.6 x 0.3 lies across
  double most = 0;
  for (int i = 0; i < 4; i++) most = fmax(most, element(load, "cart/chassis", "outline", 2 * i));
  assert_near(most, 0.15, 1e-12);
  close_load(load);
}

static void test_sensors(void** state) {
  (void)state;
  Load* load = parse_well(ROBOT(
      BODY PAIR
      "<joint name='mast' type='fixed'><parent link='base'/><child link='top'/>"
      "<origin xyz='0.1 0 0.5' rpy='0 0 1.5707963267948966'/></joint><link name='top'/>"
      "<gazebo reference='top'><sensor name='scan' type='gpu_ray'><pose>0.2 0 0 0 0 0</pose>"
      "<update_rate>20</update_rate><ray><scan><horizontal><samples>91</samples><min_angle>0"
      "</min_angle><max_angle>1.5</max_angle></horizontal></scan><range><max>8</max></range></ray>"
      "</sensor><sensor name='spin' type='gpu_lidar'><lidar><scan><vertical><samples>16</samples>"
      "<min_angle>-0.2</min_angle><max_angle>0.3</max_angle></vertical></scan></lidar></sensor>"
      "<sensor name='eye' type='camera'><camera><horizontal_fov>1.2</horizontal_fov><image>"
      "<width>64</width><height>48</height></image></camera></sensor><sensor name='sonar' "
      "type='sonar'/></gazebo>"));
  assert_near(field(load, "cart/scan", "x"), 0.1, 1e-12);
  assert_near(field(load, "cart/scan", "y"), 0.2, 1e-12);
  assert_near(field(load, "cart/scan", "z"), 0.6, 1e-12);
  // the middle of its angles, on a mast that is turned
  assert_near(field(load, "cart/scan", "yaw"), PI / 2 + 0.75, 1e-12);
  assert_near(field(load, "cart/scan", "fov"), 1.5, 1e-12);
  assert_near(field(load, "cart/scan", "period"), 0.05, 1e-12);
  assert_near(field(load, "cart/scan", "max_range"), 8, 0);
  assert_near(field(load, "cart/spin", "channels"), 16, 0);
  assert_near(field(load, "cart/spin", "elevation_first"), 0.3, 0);
  assert_near(field(load, "cart/eye", "fov"), 1.2, 0);
  assert_near(field(load, "cart/eye", "height"), 48, 0);
  says(load, "dropped: rut has no sensor of type 'sonar'");
  close_load(load);
}

// ---- xacro ----

static void test_xacro(void** state) {
  (void)state;
  Load* load = parse_well(
      ROBOT("<xacro:arg name='ns' default='r_'/><xacro:property name='p' value='$(arg ns)'/>"
            "<link name='${p}base'><inertial><mass value='4'/></inertial></link>" WHEEL_ON(
                "r_base", "left", "0", "0.2") WHEEL_ON("${p}base", "right", "0", "-0.2")));
  assert_near(field(load, "cart/chassis", "mass"), 4, 1e-12);
  close_load(load);
  // an environment variable is what it is without one
  load = parse_well(
      ROBOT(BODY WHEEL("left", "$(optenv RUT_NO_X 0.1)", "0.2") WHEEL("right", "0.1", "-0.2")));
  assert_near(element(load, "cart/left", "position", 0), 0.1, 1e-12);
  says(load, "guessed: '$(optenv RUT_NO_X 0.1)' is its default");
  close_load(load);
  static const char* const refused[] = {
      ROBOT(BODY "<xacro:wheel side='left'/>"), ROBOT("<link name='${2*3}'/>"),
      ROBOT("<link name='$(find package)'/>"), ROBOT("<link name='${unknown}'/>"),
      ROBOT("<link name='${unclosed'/>")};
  for (int i = 0; i < RUT_COUNT_OF(refused); i++) {
    load = parse(refused[i]);
    assert_int_not_equal(load->status, RUT_OK);
    says(load, "left for xacro");
    close_load(load);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frames),       cmocka_unit_test(test_masses),
      cmocka_unit_test(test_differential), cmocka_unit_test(test_no_wheels),
      cmocka_unit_test(test_plugin),       cmocka_unit_test(test_skid),
      cmocka_unit_test(test_ackermann),    cmocka_unit_test(test_sideways),
      cmocka_unit_test(test_tricycle),     cmocka_unit_test(test_motors),
      cmocka_unit_test(test_any_way),      cmocka_unit_test(test_sensors),
      cmocka_unit_test(test_xacro),        cmocka_unit_test(test_as_it_is_written),
      cmocka_unit_test(test_legs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
