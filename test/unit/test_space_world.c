// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds with blocks that move in space: what is seen of them, saved, replayed and told.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/replay.h"
#include "rut/rut.h"
#include "sim/scene.h"
#include "world_fixture.h"

static const rutComponent* const no_types[] = {NULL};

#define EYE "<sensor type='laser' name='eye' x='-30' z='50' rays='2' period='0.01'/>"
#define ROBOT                                                                                     \
  "<vehicle name='robot' position='-2 0' velocity='1.5 0 0'><chassis mass='20' z_min='0.05' "     \
  "z_max='0.4' outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2'/><wheel name='l' place='left' "      \
  "position='0 0.2' radius='0.1'/><wheel name='r' place='right' position='0 -0.2' radius='0.1'/>" \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='raw'/></vehicle>"

// Range of one ray, and the kind of what it hits.
static double look(const World* w, const double from[3], const double to[3]) {
  double range = 0, length = 0, direction[3];
  unsigned char target = 0;
  int index = -1;
  for (int k = 0; k < 3; k++) length += (to[k] - from[k]) * (to[k] - from[k]);
  for (int k = 0; k < 3; k++) direction[k] = (to[k] - from[k]) / sqrt(length);
  const rutRayBatch batch = {.n = 1,
                             .origin = {&from[0], &from[1], &from[2]},
                             .direction = {&direction[0], &direction[1], &direction[2]},
                             .max_range = 100};
  const rutRayResult out = {.range = &range, .target = &target, .index = &index};
  rut_rays_begin(&batch, &out);
  rut_scene_forget(w->data);
  rut_scene_cast(w->model, w->data, true, -1, &batch, &out);
  return range;
}

// A box that stands on its edge, a log that lies, a ball and a wedge, seen from the side.
static void test_rays_see_blocks_as_they_lie(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.001' gravity='0'>" EYE
      "<block name='box' shape='box' size='1 1 1' motion='space' position='0 0 5' "
      "roll='0.7853981633974483'/>"
      "<block name='log' shape='cylinder' radius='0.2' length='3' motion='space' "
      "position='10 0 5' roll='1.5707963267948966'/>"
      "<block name='ball' shape='sphere' radius='0.5' motion='space' position='20 0 5'/>"
      "<block name='wedge' outline='0 0 1 0 0 1' z_max='2' motion='space' position='30 0 5' "
      "pitch='1.5707963267948966'/></world>",
      0, no_types);
  // the box's middle is half a side along its own z axis from its origin: its lowest edge is there
  const double middle_y = -0.5 * sin(RUT_PI / 4), middle_z = 5 + 0.5 * cos(RUT_PI / 4);
  assert_near(look(&w, (double[]){0, middle_y, -5}, (double[]){0, middle_y, 0}),
              middle_z - sqrt(0.5) + 5, 1e-9);
  // the log lies along y, from its base towards -y
  assert_near(look(&w, (double[]){5, -1.5, 5}, (double[]){6, -1.5, 5}), 4.8, 1e-9);
  assert_near(look(&w, (double[]){10, -1.5, 0}, (double[]){10, -1.5, 1}), 4.8, 1e-9);
  assert_near(look(&w, (double[]){20, 0, 0}, (double[]){20, 0, 1}), 5, 1e-9);
  // the wedge's axis is along x now; its hypotenuse goes from z = 4 up to its corner at y = 1
  assert_near(look(&w, (double[]){31, 0.25, 0}, (double[]){31, 0.25, 1}), 4.25, 1e-6);
  close_world(&w);
}

// Numbers that say where everything is.
static uint64_t hash_after(int workers, int steps) {
  World w = open_world_with(
      "<world timestep='0.005'>" ROBOT
      "<terrain type='iso8608' class='F' form='area'/>"
      "<block name='a' shape='box' size='0.5 0.5 0.5' mass='5' motion='space' position='-1 0.1' "
      "yaw='0.4'/><block name='b' shape='cylinder' radius='0.2' length='0.6' mass='5' "
      "motion='space' position='-0.3 0'/><block name='c' shape='sphere' radius='0.3' mass='5' "
      "motion='space' position='0.5 0.2'/></world>",
      workers, no_types);
  run(&w, steps);
  const uint64_t hash = rut_state_hash(w.model, w.data);
  close_world(&w);
  return hash;
}

static void test_workers_do_not_matter(void** state) {
  (void)state;
  assert_int_equal(hash_after(1, 600), hash_after(3, 600));
}

#define PILE                                                                                   \
  "<world timestep='0.005'>" ROBOT                                                             \
  "<block name='a' shape='box' size='0.4 0.4 0.4' mass='5' motion='space' position='-1.2 0'/>" \
  "<block name='b' shape='box' size='0.4 0.4 0.4' mass='5' motion='space' "                    \
  "position='-1.2 0.05 0.41' angular_velocity='0 1 0'/></world>"

// A state that is saved and set goes on with the same bits; a reset begins anew.
static void test_a_saved_state_goes_on(void** state) {
  (void)state;
  World w = open_world_with(PILE, 0, no_types);
  const uint64_t start = rut_state_hash(w.model, w.data);
  run(&w, 90);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 200);
  const uint64_t end = rut_state_hash(w.model, w.data);
  int contacts = 0;
  rut_contacts(w.model, w.data, &contacts);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 200);
  assert_int_equal(rut_state_hash(w.model, w.data), end);
  int again = 0;
  rut_contacts(w.model, w.data, &again);
  assert_int_equal(again, contacts);
  free(saved);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_state_hash(w.model, w.data), start);
  close_world(&w);
}

// A planar robot pushes a crate, which holds it back: momentum goes over.
static void test_a_planar_robot_moves_a_crate(void** state) {
  (void)state;
  World w = open_world_with(PILE, 0, no_types);
  bool told = false;
  for (int i = 0; i < 400; i++) {
    run(&w, 1);
    int n = 0;
    const rutContact* c = rut_contacts(w.model, w.data, &n);
    for (int k = 0; k < n; k++) told = told || c[k].kind_a == RUT_VEHICLE;
  }
  rutBlockMotion a;
  assert_true(rut_block_motion(w.model, w.data, 0, &a));
  assert_true(told);
  assert_true(a.position[0] > -1.19);
  double pose[6], velocity[3];
  rut_block_state(w.model, w.data, 0, pose, velocity);
  assert_near(pose[0], a.position[0], 0);
  assert_near(velocity[0], a.velocity[0], 0);
  assert_false(rut_block_motion(w.model, w.data, 7, &a));
  close_world(&w);
}

static void test_a_replay_puts_blocks_in_their_places(void** state) {
  (void)state;
  World w = open_world_with(PILE, 0, no_types);
  const double poses[12] = {1, 2, 3, 0.4, -0.5, 2.5, 4, 5, 6, -0.1, 0.2, 0.3};
  const rutMoment moment = {.time = 1, .block = poses};
  assert_int_equal(rut_replay_show(w.model, w.data, &moment, NULL), RUT_OK);
  for (int i = 0; i < 2; i++) {
    double pose[6], velocity[3];
    rut_block_state(w.model, w.data, i, pose, velocity);
    for (int k = 0; k < 6; k++) assert_near(pose[k], poses[6 * i + k], 1e-12);
  }
  close_world(&w);
}

static void test_blocks_stand_on_the_ground(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.005'><terrain type='plane' slope_x='0.3' slope_y='0'/>"
      "<block name='a' shape='box' size='1 1 1' motion='space' position='2 0'/>"
      "<block name='b' shape='cylinder' radius='0.25' length='1' motion='space' position='0 0' "
      "pitch='1.5707963267948966'/></world>",
      0, no_types);
  rutBlockMotion m;
  assert_true(rut_block_motion(w.model, w.data, 0, &m));
  // its edge at x = 2.5 touches
  assert_near(m.position[2], 0.3 * 2.5, 1e-12);
  close_world(&w);
}

static void refuse(const char* block, const char* message) {
  char text[512];
  World w;
  snprintf(text, sizeof text, "<world>%s</world>", block);
  assert_false(load_world(&w, text, 0, no_types));
  if (!strstr(w.message, message)) fail_msg("'%s' is not in: %s", message, w.message);
  close_world(&w);
}

static void test_what_does_not_fit_is_refused(void** state) {
  (void)state;
  refuse("<block shape='ramp' motion='space'/>", "ramps and bumps are ground");
  refuse("<block shape='box' motion='space' fixed='true'/>", "a fixed block does not move");
  refuse("<block shape='box' motion='space' intangible='true'/>", "would fall");
  refuse(
      "<block name='a' shape='box' motion='space'/><block name='b' position='3 0' shape='box'/>"
      "<joint type='distance' body_a='a' body_b='b'/>",
      "joints hold bodies that move in the plane");
  refuse("<block motion='space' outline='0 0 1 0 2 0'/>", "outline");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rays_see_blocks_as_they_lie),
      cmocka_unit_test(test_workers_do_not_matter),
      cmocka_unit_test(test_a_saved_state_goes_on),
      cmocka_unit_test(test_a_planar_robot_moves_a_crate),
      cmocka_unit_test(test_a_replay_puts_blocks_in_their_places),
      cmocka_unit_test(test_blocks_stand_on_the_ground),
      cmocka_unit_test(test_what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
