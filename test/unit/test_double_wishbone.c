// SPDX-License-Identifier: BSD-3-Clause
//
// Double wishbone: published positions of the HMMWV's corners, closure, derivatives by finite
// differences, and the sums against those of its bodies.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"

extern const rutSuspensionType rut_suspension_double_wishbone;
static const rutSuspensionType* const type = &rut_suspension_double_wishbone;

// ---- corners ----

enum { PARAMS = 512, CONSTANTS = 400, WIDE = RUT_CORNER_WIDTH };

typedef struct Corner {
  double param[PARAMS], constant[CONSTANTS * WIDE], range[2];
  int used;
} Corner;

static int field_of(const char* name) {
  for (int i = 0; i < type->base.fields; i++) {
    if (strcmp(type->base.field[i].name, name) == 0) return i;
  }
  fail_msg("no field %s", name);
  return 0;
}
static void set_list(Corner* c, const char* name, int n, const double* value) {
  c->param[field_of(name)] = c->used;
  c->param[c->used++] = n;
  for (int i = 0; i < n; i++) c->param[c->used++] = value[i];
}
static void set_text(Corner* c, const char* name, const char* text) {
  double value[32];
  int n = 0;
  for (char* end; n < 32; n++, text = end) {
    value[n] = strtod(text, &end);
    if (end == text) break;
  }
  set_list(c, name, n, value);
}
static void defaults(Corner* c) {
  memset(c, 0, sizeof *c);
  c->used = type->base.fields;
  for (int i = 0; i < type->base.fields; i++) {
    const rutField* f = &type->base.field[i];
    c->param[i] = f->def;
    if (f->type == RUT_VECTOR || f->type == RUT_POINTS) set_text(c, f->name, f->text);
  }
}

static void derive(Corner* c, double side, double steer_range) {
  const rutCornerPlace place = {.side = side,
                                .hub = {1.6485790, side * 0.9097010, -0.0262890},
                                .origin = {0.056, 0, 0.213},
                                .steer_range = steer_range};
  rutError err = {0};
  for (int i = 0; i < WIDE; i++) {
    if (type->derive(c->param, &place, c->constant + i, c->range, &err) == RUT_OK) continue;
    fail_msg("%s", err.message);
  }
}

// The HMMWV's rear corner, relative to its hub's x.
static void rear(Corner* c) {
  static const char* const points[][2] = {{"upper_front", "0.3135503 0.4622571 0.2275942"},
                                          {"upper_rear", "0.0415417 0.4620489 0.2237638"},
                                          {"upper_ball", "0 0.7155180 0.2159000"},
                                          {"upper_com", "0.0887730 0.5888482 0.2207768"},
                                          {"lower_front", "0.1877060 0.3070860 0"},
                                          {"lower_rear", "-0.2588260 0.3070860 0"},
                                          {"lower_ball", "0 0.7865110 -0.1181100"},
                                          {"lower_com", "-0.0355600 0.5467858 -0.0590550"},
                                          {"upright_com", "0 0.7510145 -0.0262890"},
                                          {"tie_rod_inner", "0.1877060 0.4160520 0.0586740"},
                                          {"tie_rod_outer", "0.1347216 0.8211058 -0.0092710"},
                                          {"spring_top", "-0.1395730 0.5015738 0.2564892"},
                                          {"spring_foot", "-0.1327658 0.5431790 -0.0466090"},
                                          {"damper_top", "-0.1395730 0.4977892 0.3231388"},
                                          {"damper_foot", "-0.1327658 0.5439410 -0.0383794"}};
  for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
    set_text(c, points[i][0], points[i][1]);
  }
}

// Four equal corners at q and s, turning with omega; the rows of the first.
typedef struct Rows {
  double at[RUT_CORNER_ROW_COUNT];
} Rows;
static const double omega[3] = {0.3, -0.2, 0.7}, gravity[3] = {0.4, -0.9, -9.7};

static Rows rows(const Corner* c, double q, double qd, double s, double sd) {
  double in[10][WIDE], row[RUT_CORNER_ROW_COUNT * WIDE];
  const double value[10] = {q,        qd,       s,          sd,         omega[0],
                            omega[1], omega[2], gravity[0], gravity[1], gravity[2]};
  for (int k = 0; k < 10; k++) {
    for (int i = 0; i < WIDE; i++) in[k][i] = value[k];
  }
  const rutCornerIn from = {c->constant, in[0], in[1], in[2], in[3], in[4],
                            in[5],       in[6], in[7], in[8], in[9], false};
  Rows r;
  type->corner(&from, row, WIDE);
  for (int k = 0; k < RUT_CORNER_ROW_COUNT; k++) {
    r.at[k] = row[k * WIDE];
    assert_true(row[k * WIDE + 3] == row[k * WIDE]);
  }
  return r;
}
#define AT(r, name) ((r).at[RUT_CORNER_##name])
static void vector_of(const Rows* r, int first, double v[3]) {
  for (int i = 0; i < 3; i++) v[i] = r->at[first + i];
}

// ---- published positions ----

// Digest of the HMMWV's kinematics: lower arm's angle, spindle's shift, yaw and tilt of the spindle
// [deg], spring length and its change per rise of the spindle.
typedef struct Published {
  double q, z, y, x, yaw, tilt, length, ratio;
} Published;

static void check_published(const Corner* c, const Published* p, int n) {
  for (int i = 0; i < n; i++) {
    const Rows r = rows(c, p[i].q, 0, 0, 0), at_rest = rows(c, 0, 0, 0, 0);
    assert_near(AT(r, hub_z) - AT(at_rest, hub_z), p[i].z, 6e-7);
    assert_near(AT(r, travel), p[i].z, 6e-7);
    assert_near(AT(r, hub_y) - AT(at_rest, hub_y), p[i].y, 6e-7);
    assert_near(AT(r, hub_x) - AT(at_rest, hub_x), p[i].x, 6e-7);
    // the points are given to 1e-7 m, which the tie rod turns into 1e-5 degrees
    assert_near(atan2(-AT(r, axis_x), AT(r, axis_y)) * 180 / 3.14159265358979323846, p[i].yaw,
                1e-5);
    assert_near(asin(AT(r, axis_z)) * 180 / 3.14159265358979323846, p[i].tilt, 6e-6);
  }
}

static const Published front_table[] = {
    {-.2, -.095072, -.031351, .006927, -.96425, -1.06500, .290799, -.48798},
    {-.1, -.049081, -.012774, .003320, -.34727, -.88228, .268934, -.46523},
    {.1, .051428, .006947, -.003263, .19381, 1.48885, .223460, -.44364},
    {.2, .104573, .007936, -.006577, .30072, 3.56343, .200013, -.43928}};
static const Published rear_table[] = {
    {-.2, -.097962, -.029401, -.000405, .30481, -2.32287, .350232, -.46901},
    {-.1, -.050514, -.011835, -.000045, .08914, -1.49334, .328460, -.45052},
    {.1, .052911, .005944, -.000039, -.05505, 2.10291, .282992, -.43183},
    {.2, .107634, .005751, -.000058, -.11652, 4.82356, .259494, -.42737}};

static void test_published_positions(void** state) {
  Corner c;
  (void)state;
  defaults(&c);
  derive(&c, 1, 0);
  check_published(&c, front_table, 4);
  rear(&c);
  derive(&c, 1, 0);
  check_published(&c, rear_table, 4);
}

// With a soft straight spring and no stops: force along q over the rise per q is the motion ratio
// times the spring's force.
static void test_published_motion_ratio(void** state) {
  Corner c;
  (void)state;
  for (int end = 0; end < 2; end++) {
    const Published* table = end ? rear_table : front_table;
    defaults(&c);
    if (end) rear(&c);
    c.param[field_of("spring_rate")] = 1000;
    c.param[field_of("free_length")] = 1;
    c.param[field_of("bump_length")] = c.param[field_of("rebound_length")] = 0;
    derive(&c, 1, 0);
    for (int i = 0; i < 4; i++) {
      const Rows r = rows(&c, table[i].q, 0, 0, 0);
      const double force = 1000 * (1 - table[i].length);
      assert_near(AT(r, force) / AT(r, hub_v_z) / force, table[i].ratio, 2e-5);
      assert_near(AT(r, energy), 0.5 * 1000 * pow(1 - table[i].length, 2), 1e-3);
    }
  }
}

// ---- derivatives ----

static const double step = 1e-5;

// What moves follows from where it stands, by central differences.
static void test_velocities_and_accelerations(void** state) {
  static const double motion[][4] = {
      {-0.2, 0.7, 0.1, 0.4}, {0.15, -1.1, -0.3, 0.8}, {0, 0, 0.2, 1}, {-0.1, 1, 0, 0}};
  Corner c;
  (void)state;
  defaults(&c);
  set_text(&c, "steering_arm", "0.1223 0 -0.0409");
  set_text(&c, "steering_axis", "-0.317 0 -0.948");
  c.param[field_of("tie_rod_mass")] = 6;
  for (int side = 1; side >= -1; side -= 2) {
    derive(&c, side, 0.5);
    for (size_t i = 0; i < sizeof motion / sizeof motion[0]; i++) {
      const double *m = motion[i], q = m[0], qd = m[1], s = m[2], sd = m[3];
      const Rows now = rows(&c, q, qd, s, sd);
      const Rows before = rows(&c, q - step * qd, qd, s - step * sd, sd);
      const Rows after = rows(&c, q + step * qd, qd, s + step * sd, sd);
      for (int k = 0; k < 3; k++) {
        const double v = (after.at[RUT_CORNER_hub_x + k] - before.at[RUT_CORNER_hub_x + k]);
        const double a = after.at[RUT_CORNER_move_v_x + k] - before.at[RUT_CORNER_move_v_x + k];
        const double al = after.at[RUT_CORNER_move_w_x + k] - before.at[RUT_CORNER_move_w_x + k];
        const double together =
            qd * now.at[RUT_CORNER_hub_v_x + k] + sd * now.at[RUT_CORNER_steer_v_x + k];
        assert_near(now.at[RUT_CORNER_move_v_x + k], v / (2 * step), 1e-8);
        assert_near(now.at[RUT_CORNER_move_v_x + k], together, 1e-13);
        assert_near(now.at[RUT_CORNER_rest_v_x + k], a / (2 * step), 1e-7);
        assert_near(now.at[RUT_CORNER_rest_w_x + k], al / (2 * step), 1e-7);
      }
      // the axis turns with the carrier
      double w[3], axis[3];
      vector_of(&now, RUT_CORNER_move_w_x, w);
      vector_of(&now, RUT_CORNER_axis_x, axis);
      const double turned[3] = {w[1] * axis[2] - w[2] * axis[1], w[2] * axis[0] - w[0] * axis[2],
                                w[0] * axis[1] - w[1] * axis[0]};
      for (int k = 0; k < 3; k++) {
        const double rate = after.at[RUT_CORNER_axis_x + k] - before.at[RUT_CORNER_axis_x + k];
        assert_near(turned[k], rate / (2 * step), 1e-8);
      }
    }
  }
}

// Force is the slope of the energy; stiffness and damping those of the force, where they are
// positive.
static void test_forces(void** state) {
  Corner c;
  (void)state;
  defaults(&c);
  set_text(&c, "spring", "-0.04 -9000 -0.02 -3600 0 0 0.02 3600 0.04 9000 0.06 17800 0.2 322000");
  set_text(&c, "stop", "0 0 0.01 1000 0.02 2500 0.04 7500 0.05 12500");
  c.param[field_of("zone_short")] = 0.33;
  c.param[field_of("zone_long")] = 0.41;
  c.param[field_of("zone_compression_damping")] = 5896;
  c.param[field_of("zone_rebound_damping")] = 60068;
  derive(&c, 1, 0);
  // beyond the range as well, where the end stop stiffens
  for (double q = -0.375; q < 0.44; q += 0.0137) {
    const Rows now = rows(&c, q, 0, 0, 0);
    const Rows low = rows(&c, q - step, 0, 0, 0), high = rows(&c, q + step, 0, 0, 0);
    const double force = -(AT(high, energy) - AT(low, energy)) / (2 * step);
    const double stiffness = -(AT(high, force) - AT(low, force)) / (2 * step);
    assert_near(AT(now, force), force, 1e-5 * (1 + fabs(force)));
    // spring_rate beyond what geometry takes off again
    assert_true(AT(now, stiffness) >= stiffness - 1e-3 * fabs(stiffness) - 1);
    const Rows moving = rows(&c, q, 1e-3, 0, 0), back = rows(&c, q, -1e-3, 0, 0);
    assert_near((AT(now, force) - AT(moving, force)) / 1e-3, AT(moving, damping), 1e-5 * 1e5);
    assert_near((AT(back, force) - AT(now, force)) / 1e-3, AT(back, damping), 1e-5 * 1e5);
    assert_true(AT(moving, damping) >= 0);
  }
}

// ---- bodies ----

// The sums are those of the bodies: kinetic energy, momentum, and the rate of both.
static void test_sums_of_bodies(void** state) {
  static const double motion[][4] = {{-0.2, 0.7, 0.1, 0.4}, {0.15, -1.1, -0.3, 0.8}};
  Corner c;
  (void)state;
  defaults(&c);
  set_text(&c, "steering_arm", "0.1223 0 -0.0409");
  set_text(&c, "steering_axis", "-0.317 0 -0.948");
  c.param[field_of("tie_rod_mass")] = 6;
  derive(&c, -1, 0.5);
  for (size_t i = 0; i < sizeof motion / sizeof motion[0]; i++) {
    const double *m = motion[i], q = m[0], qd = m[1], s = m[2], sd = m[3];
    const Rows now = rows(&c, q, qd, s, sd);
    rutCornerBody body[RUT_MAX_CORNER_BODIES];
    const int n = type->bodies(c.constant, q, qd, s, sd, body);
    double mass = 0, first[3] = {0}, p[3] = {0}, twice = 0, trace = 0;
    for (int b = 0; b < n; b++) {
      const rutCornerBody* k = &body[b];
      mass += k->mass;
      double own[3], square = 0;
      for (int r = 0; r < 3; r++) {
        own[r] = 0;
        for (int e = 0; e < 3; e++) own[r] += k->attitude[3 * e + r] * k->angular_velocity[e];
        first[r] += k->mass * k->position[r];
        p[r] += k->mass * k->velocity[r];
        square += k->position[r] * k->position[r];
        twice += k->mass * k->velocity[r] * k->velocity[r];
      }
      for (int r = 0; r < 3; r++) twice += k->inertia[r] * own[r] * own[r];
      twice += 2 * (k->inertia[3] * own[0] * own[1] + k->inertia[4] * own[0] * own[2] +
                    k->inertia[5] * own[1] * own[2]);
      trace += 2 * k->mass * square + k->inertia[0] + k->inertia[1] + k->inertia[2];
    }
    assert_near(c.constant[0], mass, 1e-12);
    assert_near(AT(now, second_xx) + AT(now, second_yy) + AT(now, second_zz), trace, 1e-10);
    for (int r = 0; r < 3; r++) {
      assert_near(now.at[RUT_CORNER_first_x + r], first[r], 1e-11);
      assert_near(qd * now.at[RUT_CORNER_q_v_x + r] + sd * now.at[RUT_CORNER_s_v_x + r], p[r],
                  1e-11);
    }
    const double sum = qd * qd * AT(now, qq) + 2 * qd * sd * AT(now, qs) + sd * sd * AT(now, ss);
    assert_near(sum, twice, 1e-10);
  }
}

// Left and right are mirror images, the steering turned the other way.
static void test_mirror(void** state) {
  Corner left, right;
  (void)state;
  defaults(&left);
  set_text(&left, "steering_arm", "0.1223 0 -0.0409");
  set_text(&left, "steering_axis", "-0.317 0 -0.948");
  right = left;
  derive(&left, 1, 0.5);
  derive(&right, -1, 0.5);
  const Rows a = rows(&left, -0.17, 0.6, 0.2, 0.5), b = rows(&right, -0.17, 0.6, -0.2, -0.5);
  static const double sign[3] = {1, -1, 1};
  for (int k = 0; k < 3; k++) {
    assert_near(a.at[RUT_CORNER_hub_x + k], sign[k] * b.at[RUT_CORNER_hub_x + k], 1e-13);
    assert_near(a.at[RUT_CORNER_axis_x + k], -sign[k] * b.at[RUT_CORNER_axis_x + k], 1e-13);
    assert_near(a.at[RUT_CORNER_hub_w_x + k], -sign[k] * b.at[RUT_CORNER_hub_w_x + k], 1e-13);
    assert_near(a.at[RUT_CORNER_rest_v_x + k], sign[k] * b.at[RUT_CORNER_rest_v_x + k], 1e-12);
  }
  assert_near(AT(a, qq), AT(b, qq), 1e-12);
  assert_near(AT(a, force), AT(b, force), 1e-9);
  // a positive coordinate steers to the left: the axis turns about the vertical
  const Rows straight = rows(&left, 0, 0, 0, 0), steered = rows(&left, 0, 0, 0.1, 0);
  assert_true(AT(steered, axis_x) < AT(straight, axis_x) - 0.01);
}

// The mechanism ends where one of its loops can no longer close, and says so.
static void test_range(void** state) {
  Corner c;
  rutError err = {0};
  (void)state;
  defaults(&c);
  derive(&c, 1, 0);
  assert_true(c.range[0] < -0.3 && c.range[0] > -1.3);
  assert_true(c.range[1] > 0.3 && c.range[1] < 1.31);
  for (double q = c.range[0]; q < c.range[1]; q += 0.01)
    assert_true(AT(rows(&c, q, 0, 0, 0), hub_v_z) > 0);
  // an upper arm in one line with the kingpin
  defaults(&c);
  set_text(&c, "upper_front", "0.2 0.66 0.5");
  set_text(&c, "upper_rear", "-0.2 0.66 0.5");
  const rutCornerPlace place = {.side = 1, .hub = {1.6485790, 0.9097010, -0.0262890}};
  set_text(&c, "upper_ball", "0 0.7155180 0.2154936");
  set_text(&c, "lower_ball", "0 0.7655180 -0.0445064");
  assert_int_not_equal(type->derive(c.param, &place, c.constant, c.range, &err), RUT_OK);
  assert_non_null(strstr(err.message, "cannot move"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_published_positions),
      cmocka_unit_test(test_published_motion_ratio),
      cmocka_unit_test(test_velocities_and_accelerations),
      cmocka_unit_test(test_forces),
      cmocka_unit_test(test_sums_of_bodies),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
