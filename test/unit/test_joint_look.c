// SPDX-License-Identifier: BSD-3-Clause
//
// Rays of sensors meet ropes, rods, springs and hitches: thickness and place against geometry by
// hand, and a slack rope against the length of its curve.
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
#include "rut/component.h"
#include "rut/sensor.h"

enum { MOST = 4000 };
static int rays;
static double at[6][MOST], range[MOST];
static int instance[MOST];

// Casts the rays above at each sample.
static void probe_sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                         void* const* out) {
  (void)param;
  (void)state;
  (void)scratch;
  const rutRays cast = {.n = rays,
                        .x = at[0],
                        .y = at[1],
                        .z = at[2],
                        .dx = at[3],
                        .dy = at[4],
                        .dz = at[5],
                        .max_range = 50,
                        .bodies = true,
                        .skip_vehicle = -1};
  in->cast(in->host, &cast, &(rutRayHits){.range = range, .instance = instance});
  *(double*)out[0] = 1;
}
static const rutField probe_fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable probe_output[] = {RUT_VARIABLE(done, "", "1 after a sample")};
static const rutSensorType probe = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "probe", "world", "Casts rays.", probe_fields)},
    .output = probe_output,
    .outputs = 1,
    .uses = RUT_USES_LOOKS,
    .sample = probe_sample,
};
static const rutSensorType blind = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "blind", "world", "Casts rays.", probe_fields)},
    .output = probe_output,
    .outputs = 1,
    .sample = probe_sample,
};

static rutModel* model;

// Rays of a world after some steps. They are set up before.
static void look(const char* text, int steps) {
  const rutContextDef def = rut_default_context();
  rutContext* context;
  rutSpec* spec;
  rutError err = {0};
  assert_int_equal(rut_context_create(&def, &context, &err), RUT_OK);
  assert_int_equal(rut_register(context, &probe.base, &err), RUT_OK);
  assert_int_equal(rut_register(context, &blind.base, &err), RUT_OK);
  if (rut_spec_parse(context, text, strlen(text), "world.xml", &spec, &err)) {
    fail_msg("%s", err.message);
  }
  if (rut_compile(spec, &model, &err)) fail_msg("%s", err.message);
  rutData* data = rut_data_create(model);
  assert_non_null(data);
  for (int i = 0; i < steps; i++) assert_int_equal(rut_step(model, data, NULL), RUT_OK);
  rutInstanceInfo info;
  for (int i = 0; i < rays; i++) {
    // only what a joint is counts below
    const bool seen = range[i] >= 0 && rut_instance_info(model, instance[i], &info);
    if (!seen || strcmp(info.kind, "joint") != 0) range[i] = -1;
  }
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

// A ray along y from y = -20 at x and z.
static void add_ray(double x, double z) {
  const double ray[6] = {x, -20, z, 0, 1, 0};
  for (int k = 0; k < 6; k++) at[k][rays] = ray[k];
  rays++;
}

// Rays at one x, all 0.2 mm from z = 0 to 0.8 m.
static void aim_column(double x) {
  rays = 0;
  for (int i = 0; i < MOST; i++) add_ray(x, 0.0002 * i);
}

// Bottom and top of what the column meets; false if that is nothing.
static bool extent(double* low, double* high) {
  bool any = false;
  for (int i = 0; i < rays; i++) {
    if (range[i] < 0) continue;
    if (!any) *low = at[2][i];
    *high = at[2][i];
    any = true;
  }
  return any;
}

// Two posts of 1 m, 4 m apart; joints join them at 0.42 of their height.
#define POSTS(joint, eye)                                                                     \
  "<world timestep='1 ms'><plane x_min='-9' x_max='9' y_min='-9' y_max='9'/>"                 \
  "<block name='a' shape='cylinder' radius='0.1' length='1' position='-2 0' fixed='true'/>"   \
  "<block name='b' shape='cylinder' radius='0.1' length='1' position='2 0' mass='50'/>" joint \
  "<sensor type='" eye "' period='1 ms'/></world>"
#define DISTANCE(more) "<joint type='distance' name='j' body_a='a' body_b='b' " more "/>"

// 3 % of the larger of height and radius of the thinner body.
static const double ROD_RADIUS = 0.03, HEIGHT = 0.42;

static void test_rod(void** state) {
  (void)state;
  double low = 0, high = 0;
  aim_column(0.3);
  look(POSTS(DISTANCE("min_length='4' max_length='4'"), "probe"), 2);
  assert_true(extent(&low, &high));
  assert_near(low, HEIGHT - ROD_RADIUS, 2e-4);
  assert_near(high, HEIGHT + ROD_RADIUS, 2e-4);
  // nearest where it faces the ray
  for (int i = 0; i < rays; i++) {
    if (fabs(at[2][i] - HEIGHT) < 1e-9) assert_near(range[i], 20 - ROD_RADIUS, 1e-9);
  }
  // from end to end
  rays = 0;
  for (int i = 0; i < 100; i++) add_ray(-1.88 + 3.76 * i / 99, HEIGHT);
  look(POSTS(DISTANCE("min_length='4' max_length='4'"), "probe"), 2);
  for (int i = 0; i < 100; i++) assert_near(range[i], 20 - ROD_RADIUS, 1e-9);
}

static void test_spring(void** state) {
  (void)state;
  double low = 0, high = 0;
  aim_column(0);
  look(POSTS(DISTANCE("max_length='5' stiffness='1'"), "probe"), 2);
  assert_true(extent(&low, &high));
  assert_near(high - low, 2 * 2.4 * ROD_RADIUS, 4e-4);
  assert_near(0.5 * (low + high), HEIGHT, 2e-4);
}

// Sag of a parabola over 4 m that is as long as the rope, from its length by numbers.
static double sag_over_4(double length) {
  enum { PARTS = 20000 };
  double low = 0, high = length;
  for (int k = 0; k < 50; k++) {
    const double h = 0.5 * (low + high);
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
      const double x0 = -1 + 2.0 * i / PARTS, x1 = -1 + 2.0 * (i + 1) / PARTS;
      sum += hypot(2 * (x1 - x0), h * (x1 * x1 - x0 * x0));
    }
    if (sum < length) {
      low = h;
    } else {
      high = h;
    }
  }
  return low;
}

static void check_rope(double length, double lowest) {
  char text[2000];
  double low = 0, high = 0;
  aim_column(0.01);  // beyond the wedge between two pieces
  snprintf(text, sizeof text, POSTS(DISTANCE("max_length='%.3f'"), "probe"), length);
  look(text, 2);
  assert_true(extent(&low, &high));
  assert_near(0.5 * (low + high), lowest, 1e-3);
  assert_near(high - low, 2 * 0.75 * ROD_RADIUS, 1e-3);
}

static void test_rope(void** state) {
  (void)state;
  check_rope(4, HEIGHT);
  check_rope(4.02, HEIGHT - sag_over_4(4.02));
  check_rope(4.05, HEIGHT - sag_over_4(4.05));
  // longer ones lie on the ground
  check_rope(4.5, ROD_RADIUS);
}

// It moves with what it holds: after 0.5 s at 1 m/s the rod from post to block has turned.
static void test_moves(void** state) {
  (void)state;
  rays = 0;
  for (int i = 0; i < 100; i++) add_ray(-1.8 + 3.6 * i / 99, HEIGHT);
  look(
      "<world timestep='1 ms' gravity='9.81'><plane x_min='-9' x_max='9' y_min='-9' y_max='9'/>"
      "<block name='a' shape='cylinder' radius='0.1' length='1' position='-2 0' fixed='true'/>"
      "<block name='b' shape='cylinder' radius='0.1' length='1' position='2 0' mass='50' "
      "ground_friction='0' velocity='0 1'/>" DISTANCE(
          "min_length='4' max_length='4'") "<sensor type='probe' period='0.5 s'/></world>",
      500);
  // the circle of 4 m about the post, 1 m/s along it
  const double angle = 0.5 / 4;
  for (int i = 0; i < 100; i++) {
    const double y = (at[0][i] + 2) * tan(angle);
    assert_near(range[i], 20 + y - ROD_RADIUS / cos(angle), 2e-3);
  }
}

static void test_hitch(void** state) {
  (void)state;
  // a pin 0.5 m before a box of 1 m: bars from 0.96 of the way to the box's end
  const char* text =
      "<world timestep='1 ms'><plane x_min='-9' x_max='9' y_min='-9' y_max='9'/>"
      "<block name='a' shape='box' size='1 1 1' position='-1 0' fixed='true'/>"
      "<block name='b' shape='box' size='1 1 1' position='1 0' mass='50'/>"
      "<joint type='revolute' name='j' body_a='a' anchor_a='1 0' body_b='b' anchor_b='-1 0'/>"
      "<sensor type='probe' period='1 ms'/></world>";
  double low = 0, high = 0;
  aim_column(0);
  look(text, 2);
  assert_true(extent(&low, &high));
  assert_near(high - low, 2 * 1.9 * 0.03, 4e-4);
  assert_near(0.5 * (low + high), HEIGHT, 2e-4);
  aim_column(-0.3);
  look(text, 2);
  assert_true(extent(&low, &high));
  assert_near(high - low, 2 * 0.03, 4e-4);
}

// Where sensors see outlines there are none.
static void test_outlines(void** state) {
  (void)state;
  double low = 0, high = 0;
  aim_column(0.3);
  look(POSTS(DISTANCE("min_length='4' max_length='4'"), "blind"), 2);
  assert_false(extent(&low, &high));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rod),   cmocka_unit_test(test_spring), cmocka_unit_test(test_rope),
      cmocka_unit_test(test_moves), cmocka_unit_test(test_hitch),  cmocka_unit_test(test_outlines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
