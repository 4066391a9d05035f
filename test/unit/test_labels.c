// SPDX-License-Identifier: BSD-3-Clause
//
// Labels: boxes of a known cuboid in the image and in space, what is cut off and what is hidden.
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
#include "rut/host.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;
static const rutComponent* const no_types[] = {NULL};

#define EYE                                                                                      \
  "<sensor type='camera' name='eye' period='0.1' noise='none' width='640' height='480' fov='90 " \
  "deg' "

static World open_world(const char* text) {
  World w = open_world_with(text, 0, no_types);
  run(&w, 10);
  return w;
}

// Label of the element of a name.
static rutLabel label_of(const World* w, const char* name) {
  rutLabels labels;
  rutLabel found = {.instance = -1};
  rutError err = {0};
  if (rut_labels_read(w->model, w->data, 0, &labels, &err) != RUT_OK) fail_msg("%s", err.message);
  for (int i = 0; i < labels.n; i++) {
    rutInstanceInfo info;
    rut_instance_info(w->model, labels.label[i].instance, &info);
    if (strcmp(info.name, name) == 0) found = labels.label[i];
  }
  free(labels.label);
  if (found.instance < 0) fail_msg("'%s' is not seen", name);
  return found;
}

// A cuboid of 2 x 1 x 1 m stands with its face 9 m ahead of a camera 2 m above the ground: f = 320.
// Its nearest face spans 320 (+-0.5) / 9 to the sides, and y from 320 (2 - 1) / 9 to 320 2 / 9
// down; the face at 11 m is higher in the image: 320 (1) / 11.
static void test_box_ahead(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='b' fixed='true' shape='box' "
      "size='2 1 1' position='10 0'/>" EYE "z='2'/></world>");
  const rutLabel l = label_of(&w, "b");
  assert_true(l.has_box);
  assert_near(l.low[0], 320 - 160.0 / 9, 1e-6);
  assert_near(l.high[0], 320 + 160.0 / 9, 1e-6);
  assert_near(l.low[1], 240 + 320.0 / 11, 1e-6);
  assert_near(l.high[1], 240 + 640.0 / 9, 1e-6);
  assert_near(l.truncation, 0, 1e-12);
  assert_near(l.occlusion, 0, 0);
  assert_near(l.centre[0], 0, 1e-9);
  assert_near(l.centre[1], 1.5, 1e-9);
  assert_near(l.centre[2], 10, 1e-9);
  // it heads away from the camera
  assert_near(l.rotation_y, -PI / 2, 1e-9);
  assert_near(l.alpha, -PI / 2, 1e-9);
  // pixels whose middles are within, of 302.22 to 337.78 and 269.09 to 311.11
  assert_int_equal(l.first[0], 302);
  assert_int_equal(l.last[0], 337);
  assert_int_equal(l.first[1], 269);
  assert_int_equal(l.last[1], 310);
  rutInstanceBox box;
  assert_true(rut_instance_box(w.model, w.data, l.instance, &box));
  const double want[6] = {10, 0, 0.5, 2, 1, 1};
  for (int k = 0; k < 3; k++) {
    assert_near(box.centre[k], want[k], 1e-12);
    assert_near(box.size[k], want[3 + k], 1e-12);
  }
  assert_false(rut_instance_box(w.model, w.data, 0, &box));
  close_world(&w);
}

// 30 degrees to the left, seen by a camera on its side that looks down: its level axes keep the
// heading of the camera. rotation_y = -(yaw + 90 degrees).
static void test_level_axes(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='b' fixed='true' shape='box' "
      "size='2 1 1' yaw='30 deg' position='6 1'/>" EYE
      "z='4' pitch='25 deg' roll='40 deg'/></world>");
  const rutLabel l = label_of(&w, "b");
  assert_near(l.centre[0], -1, 1e-9);
  assert_near(l.centre[1], 3.5, 1e-9);
  assert_near(l.centre[2], 6, 1e-9);
  assert_near(l.rotation_y, -2 * PI / 3, 1e-9);
  assert_near(l.alpha, -2 * PI / 3 - atan2(-1, 6), 1e-9);
  // the middle of the box, from level to optical axes and into the image, is within its rectangle
  double r[9], at[3], pixel[2];
  assert_true(rut_camera_level(w.model, w.data, 0, r));
  for (int i = 0; i < 3; i++) {
    at[i] = r[3 * i] * l.centre[0] + r[3 * i + 1] * l.centre[1] + r[3 * i + 2] * l.centre[2];
  }
  // by hand: turned by the roll about the axis after the pitch
  const double ahead = 6 * cos(25 * PI / 180) + 3.5 * sin(25 * PI / 180);
  assert_near(at[2], ahead, 1e-9);
  rutCameraGeometry camera;
  assert_true(rut_camera_geometry(w.model, 0, &camera));
  assert_true(rut_camera_project(&camera, at, pixel));
  for (int k = 0; k < 2; k++) assert_true(l.low[k] < pixel[k] && pixel[k] < l.high[k]);
  close_world(&w);
}

// The right half of a wide box is outside of the image, and its left half behind another one. The
// camera looks along the plane of the tops.
static void test_cut_and_hidden(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'>"
      "<block name='far' fixed='true' shape='box' size='0.001 8 2' position='8 -8'/>"
      "<block name='near' fixed='true' shape='box' size='0.001 1 4' position='4 -3'/>" EYE
      "z='1'/></world>");
  // of y from -12 to -4 the image has those to -8; a box at 4 m from -3.5 to -2.5 hides -7 to -5
  const rutLabel l = label_of(&w, "far");
  assert_near(l.truncation, 0.5, 1e-3);
  assert_near(l.occlusion, 0.5, 0.02);
  assert_near(l.high[0], 320 + 320 * 12 / 8.0, 0.1);
  close_world(&w);
}

// A post is round: its box is as wide as it from any side.
static void test_post(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='b' fixed='true' shape='cylinder' "
      "radius='0.5' z_max='2' yaw='20 deg' position='5 1'/>" EYE "z='1'/></world>");
  const rutLabel l = label_of(&w, "b");
  const double want[3] = {1, 1, 2};
  for (int k = 0; k < 3; k++) assert_near(l.size[k], want[k], 1e-9);
  assert_near(l.centre[0], -1, 1e-9);
  assert_near(l.centre[1], 0, 1e-9);
  close_world(&w);
}

// One side of the box is behind the camera: its rectangle is that of what is ahead.
static void test_behind(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='b' fixed='true' shape='box' "
      "size='20 1 1' position='5 2'/>" EYE "z='1.5'/></world>");
  const rutLabel l = label_of(&w, "b");
  assert_true(l.has_box);
  assert_near(l.high[0], 320 - 320 * 1.5 / 15, 1e-6);
  assert_true(l.low[0] < -1000 && isfinite(l.low[0]));
  assert_true(l.truncation > 0.9 && l.truncation < 1);
  close_world(&w);
}

// A vehicle that drives: its box goes with it.
static void test_vehicle(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><vehicle name='r' velocity='2 0' yaw='90 deg' position='5 0'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.5 -0.3 0.5 0.3 -0.3 0.3' z_min='0.1' z_max='0.6'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1' width='0.05'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1' width='0.05'/>"
      "<tyre type='coulomb'/><drive type='direct'/>"
      "<controller type='twist_ideal' speed='2'/></vehicle>" EYE "z='0.5'/></world>");
  const rutLabel l = label_of(&w, "r");
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_true(s.position[1] > 0.15);
  // The middle of its outline is 0.1 m ahead of its reference point, which heads along y. It is
  // drawn with lamps that stand out at both ends by 1.1 % of 0.9 of its height of 0.5 m. Corners of
  // meshes are floats.
  const double lamps = 2 * 0.011 * 0.9 * 0.5;
  assert_near(l.centre[0], -(s.position[1] + 0.1), 1e-6);
  assert_near(l.centre[2], 5, 1e-6);
  assert_near(l.size[0], 0.8 + lamps, 1e-5);
  assert_near(l.size[1], 0.6, 1e-5);
  assert_near(fabs(l.rotation_y), PI, 1e-9);
  assert_string_equal(rut_class_name(w.model, l.semantic_class), "vehicle");
  close_world(&w);
}

static void test_refused(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'>" EYE "/><sensor type='laser' name='l'/></world>", 0, no_types);
  rutLabels labels = {.n = 7};
  rutError err = {0};
  double r[9];
  assert_int_equal(rut_labels_read(w.model, w.data, 0, &labels, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "no sample yet"));
  assert_true(labels.n == 0 && !labels.label);
  assert_int_equal(rut_labels_read(w.model, w.data, 1, &labels, &err), RUT_ERR_ARGUMENT);
  assert_false(rut_camera_level(w.model, w.data, 1, r));
  rutDatasetDef def = rut_default_dataset();
  def.folder = "/nowhere";
  assert_int_equal(rut_dataset_put(w.model, w.data, &def, 0, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_dataset_put(w.model, w.data, &def, -1, &err), RUT_ERR_ARGUMENT);
  assert_false(rut_dataset_has(&def, 0));
  run(&w, 10);
  assert_int_equal(rut_labels_read(w.model, w.data, 0, &labels, &err), RUT_OK);
  assert_int_equal(labels.n, 1);
  assert_false(labels.label[0].has_box);
  free(labels.label);
  def.camera = 1;
  assert_int_equal(rut_dataset_put(w.model, w.data, &def, 0, &err), RUT_ERR_ARGUMENT);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_ahead),      cmocka_unit_test(test_level_axes),
      cmocka_unit_test(test_cut_and_hidden), cmocka_unit_test(test_post),
      cmocka_unit_test(test_behind),         cmocka_unit_test(test_vehicle),
      cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
