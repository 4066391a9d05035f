// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks that move in space against closed forms and conserved quantities.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "math/quat.h"
#include "rut/rut.h"
#include "unit/world_fixture.h"

static const double G = 9.81;
static const rutComponent* const NONE[] = {NULL};

static World open_text(const char* text) { return open_world_with(text, 0, NONE); }

// A world with a plane that rises along x by an angle, and blocks on it.
static World open_slope(double angle, double dt, const char* blocks) {
  char text[4096];
  snprintf(text, sizeof text,
           "<world timestep=\"%g\" gravity=\"9.81\"><terrain type=\"plane\" "
           "slope_x=\"%.17g\" slope_y=\"0\"/>%s</world>",
           dt, tan(angle), blocks);
  return open_text(text);
}

static rutBlockMotion motion_of(const World* w, int block) {
  rutBlockMotion m;
  assert_true(rut_block_motion(w->model, w->data, block, &m));
  return m;
}

static void run_for(World* w, double time) {
  run(w, (int)lround(time / rut_model_timestep(w->model)));
}

// Angle between the block's own axis and the vertical.
static double tilt_of(const World* w, int block, rutVec3 axis) {
  const double* q = motion_of(w, block).quaternion;
  return acos(rut_clamp(rut_quat_rotate(rut_quat(q[0], q[1], q[2], q[3]), axis).z, -1, 1));
}

// ---- on a slope ----

static void test_a_box_slides_down(void** state) {
  (void)state;
  const double angle = 0.5, mu = 0.3;
  char block[256];
  snprintf(block, sizeof block,
           "<block name=\"b\" shape=\"box\" size=\"0.8 0.6 0.3\" motion=\"space\" "
           "ground_friction=\"%g\" position=\"0 0\" pitch=\"%.17g\"/>",
           mu, -angle);
  World w = open_slope(angle, 0.001, block);
  run_for(&w, 0.2);
  const rutBlockMotion from = motion_of(&w, 0);
  run_for(&w, 0.5);
  const rutBlockMotion to = motion_of(&w, 0);
  const double v0 = rut_vec3_norm(rut_vec3_of(from.velocity));
  const double v1 = rut_vec3_norm(rut_vec3_of(to.velocity));
  const double a = G * (sin(angle) - mu * cos(angle));
  assert_near((v1 - v0) / 0.5, a, 1e-4 * a);
  const double dx = to.position[0] - from.position[0], dz = to.position[2] - from.position[2];
  assert_near(hypot(dx, dz), v0 * 0.5 + 0.5 * a * 0.25, 1e-3);
  assert_near(dz / dx, tan(angle), 1e-4);
  assert_true(dx < 0);
  close_world(&w);
}

static void test_a_box_sticks_below_the_angle_of_friction(void** state) {
  (void)state;
  const double mu = 0.4;
  for (int side = 0; side < 2; side++) {
    const double angle = atan(mu) + (side ? 0.005 : -0.005);
    char block[256];
    snprintf(block, sizeof block,
             "<block name=\"b\" shape=\"box\" size=\"0.8 0.6 0.3\" motion=\"space\" "
             "ground_friction=\"%g\" position=\"0 0\" pitch=\"%.17g\"/>",
             mu, -angle);
    World w = open_slope(angle, 0.005, block);
    run_for(&w, 0.5);
    const rutBlockMotion from = motion_of(&w, 0);
    run_for(&w, 5);
    const double moved = motion_of(&w, 0).position[0] - from.position[0];
    if (side == 0) assert_near(moved, 0, 1e-4);
    if (side == 1) assert_true(moved < -0.1);
    close_world(&w);
  }
}

// A block tips over its lower edge where its centre of mass is beyond it.
static void test_a_box_tips_over_its_edge(void** state) {
  (void)state;
  const double width = 0.4, height = 1.2, limit = atan(width / height);
  for (int side = 0; side < 2; side++) {
    const double angle = limit + (side ? 0.01 : -0.01);
    char block[256];
    snprintf(block, sizeof block,
             "<block name=\"b\" shape=\"box\" size=\"%g 1 %g\" motion=\"space\" "
             "ground_friction=\"2\" position=\"0 0\" pitch=\"%.17g\"/>",
             width, height, -angle);
    World w = open_slope(angle, 0.002, block);
    run_for(&w, 3);
    const double tilt = tilt_of(&w, 0, rut_vec3(0, 0, 1));
    if (side == 0) assert_near(tilt, angle, 2e-3);
    if (side == 1) assert_true(tilt > angle + 0.5);
    close_world(&w);
  }
}

// a = g sin(s) / (1 + I/(m r^2)): 2/3 for a cylinder, 5/7 for a sphere.
static void test_round_things_roll(void** state) {
  (void)state;
  const double angle = 0.2;
  const char* blocks[2] = {
      "<block name=\"b\" shape=\"cylinder\" radius=\"0.3\" length=\"1.2\" motion=\"space\" "
      "ground_friction=\"0.8\" position=\"0 0.6\" roll=\"1.5707963267948966\"/>",
      "<block name=\"b\" shape=\"sphere\" radius=\"0.3\" motion=\"space\" "
      "ground_friction=\"0.8\" position=\"0 0\"/>"};
  const double share[2] = {2.0 / 3, 5.0 / 7};
  for (int i = 0; i < 2; i++) {
    World w = open_slope(angle, 0.001, blocks[i]);
    run_for(&w, 0.3);
    const rutBlockMotion from = motion_of(&w, 0);
    run_for(&w, 1);
    const rutBlockMotion to = motion_of(&w, 0);
    const double w0 = from.angular_velocity[1], w1 = to.angular_velocity[1];
    const double a = share[i] * G * sin(angle);
    assert_near((w1 - w0) * 0.3, -a, 2e-3 * a);
    // without slip: the centre moves by the radius times the angle
    const double* q = to.quaternion;
    const rutVec3 arm = rut_quat_rotate(rut_quat(q[0], q[1], q[2], q[3]),
                                        i == 0 ? rut_vec3(0, 0, 0.6) : rut_vec3(0, 0, 0.3));
    const rutVec3 spin = rut_vec3_of(to.angular_velocity);
    const rutVec3 middle = rut_vec3_add(rut_vec3_of(to.velocity), rut_vec3_cross(spin, arm));
    assert_near(rut_vec3_norm(middle), 0.3 * rut_abs(w1), 2e-3 * rut_vec3_norm(middle));
    close_world(&w);
  }
}

// ---- falling and bouncing ----

static void test_a_cube_bounces(void** state) {
  (void)state;
  const double e = 0.6, height = 1.3;
  World w = open_text(
      "<world timestep=\"0.0005\" gravity=\"9.81\"><block name=\"b\" shape=\"box\" "
      "size=\"0.4 0.4 0.4\" motion=\"space\" restitution=\"0.6\" position=\"0 0 1.3\"/></world>");
  double top = 0;
  bool fell = false;
  for (int i = 0; i < 2400; i++) {
    run(&w, 1);
    const rutBlockMotion m = motion_of(&w, 0);
    if (m.velocity[2] > 0) fell = true;
    if (fell) top = fmax(top, m.position[2]);
    if (fell && m.velocity[2] < -1) break;
  }
  assert_true(fell);
  assert_near(top, e * e * height, 5e-3 * height);
  assert_near(tilt_of(&w, 0, rut_vec3(0, 0, 1)), 0, 1e-6);
  close_world(&w);
}

// ---- free motion ----

static void test_free_rotation_keeps_momentum_and_energy(void** state) {
  (void)state;
  // about the middle axis, which is unstable: the block turns over again and again
  World w = open_text(
      "<world timestep=\"0.005\" gravity=\"0\"><block name=\"b\" shape=\"box\" "
      "size=\"0.9 0.3 0.1\" mass=\"10\" motion=\"space\" position=\"0 0 50\" "
      "angular_velocity=\"0.01 3 0.02\"/></world>");
  const double j[3] = {10 * (0.09 + 0.01) / 12, 10 * (0.81 + 0.01) / 12, 10 * (0.81 + 0.09) / 12};
  double energy[2] = {0}, least = 1;
  rutVec3 momentum[2];
  for (int k = 0; k < 2; k++) {
    const rutBlockMotion m = motion_of(&w, 0);
    const rutQuat q = rut_quat(m.quaternion[0], m.quaternion[1], m.quaternion[2], m.quaternion[3]);
    const rutVec3 own = rut_quat_rotate(rut_quat_conjugate(q), rut_vec3_of(m.angular_velocity));
    const rutVec3 l = rut_vec3(j[0] * own.x, j[1] * own.y, j[2] * own.z);
    energy[k] = 0.5 * rut_vec3_dot(own, l);
    momentum[k] = rut_quat_rotate(q, l);
    for (int i = 0; i < 6000 && k == 0; i++) {
      run(&w, 1);
      const double* p = motion_of(&w, 0).quaternion;
      least = fmin(least, rut_quat_rotate(rut_quat(p[0], p[1], p[2], p[3]), rut_vec3(0, 1, 0)).y);
    }
  }
  assert_true(least < -0.9);
  assert_near(energy[1], energy[0], 1e-10 * energy[0]);
  assert_near(rut_vec3_norm(rut_vec3_sub(momentum[1], momentum[0])), 0,
              1e-10 * rut_vec3_norm(momentum[0]));
  close_world(&w);
}

// ---- against each other ----

static void add_momentum(const World* w, int block, double mass, const double moments[3],
                         rutVec3 com, rutVec3* linear, rutVec3* angular, double* energy) {
  const rutBlockMotion m = motion_of(w, block);
  const rutQuat q = rut_quat(m.quaternion[0], m.quaternion[1], m.quaternion[2], m.quaternion[3]);
  const rutVec3 arm = rut_quat_rotate(q, com), spin = rut_vec3_of(m.angular_velocity);
  const rutVec3 v = rut_vec3_add(rut_vec3_of(m.velocity), rut_vec3_cross(spin, arm));
  const rutVec3 own = rut_quat_rotate(rut_quat_conjugate(q), spin);
  const rutVec3 l = rut_vec3(moments[0] * own.x, moments[1] * own.y, moments[2] * own.z);
  const rutVec3 at = rut_vec3_add(rut_vec3_of(m.position), arm), p = rut_vec3_scale(v, mass);
  *linear = rut_vec3_add(*linear, p);
  *angular = rut_vec3_add(*angular, rut_vec3_add(rut_quat_rotate(q, l), rut_vec3_cross(at, p)));
  *energy += 0.5 * (rut_vec3_dot(v, p) + rut_vec3_dot(own, l));
}

static void test_collisions_keep_momentum(void** state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<world timestep=\"0.005\" gravity=\"0\">"
             "<block name=\"a\" shape=\"box\" size=\"1 0.6 0.4\" mass=\"20\" motion=\"space\" "
             "restitution=\"%g\" position=\"0 0 10\" velocity=\"3 0.1\" yaw=\"%g\" roll=\"%g\" "
             "angular_velocity=\"0.3 -0.5 1\"/>"
             "<block name=\"b\" shape=\"box\" size=\"0.5 0.5 0.8\" mass=\"7\" motion=\"space\" "
             "friction=\"0.8\" position=\"2 %g %g\" pitch=\"%g\" velocity=\"-2 0\"/></world>",
             0.1 * (i % 8), 0.02 * i, 0.06 * i, 0.02 * i, 10 + 0.01 * i, 0.03 * i);
    World w = open_text(text);
    const double ja[3] = {20 * (0.36 + 0.16) / 12, 20 * (1 + 0.16) / 12, 20 * (1 + 0.36) / 12};
    const double jb[3] = {7 * (0.25 + 0.64) / 12, 7 * (0.25 + 0.64) / 12, 7 * 0.5 / 12};
    rutVec3 p[2], l[2];
    double energy[2] = {0, 0};
    int n = 0;
    bool met = false;
    for (int k = 0; k < 2; k++) {
      p[k] = l[k] = rut_vec3(0, 0, 0);
      add_momentum(&w, 0, 20, ja, rut_vec3(0, 0, 0.2), &p[k], &l[k], &energy[k]);
      add_momentum(&w, 1, 7, jb, rut_vec3(0, 0, 0.4), &p[k], &l[k], &energy[k]);
      for (int s = 0; s < 200 && k == 0; s++) {
        run(&w, 1);
        const rutContact* c = rut_contacts(w.model, w.data, &n);
        met = met || (n > 0 && c[0].impulse > 0);
      }
    }
    if (!met) fail_msg("case %d did not meet", i);
    assert_near(rut_vec3_norm(rut_vec3_sub(p[1], p[0])), 0, 1e-9);
    // places are corrected by millimetres, which moves the momentum's arm
    assert_near(rut_vec3_norm(rut_vec3_sub(l[1], l[0])), 0, 2e-2 * rut_vec3_norm(l[0]));
    assert_true(energy[1] < energy[0] * (1 + 1e-9));
    close_world(&w);
  }
}

static void test_a_stack_stands(void** state) {
  (void)state;
  char text[2048] = "<world timestep=\"0.005\" gravity=\"9.81\">";
  for (int i = 0; i < 5; i++) {
    char block[256];
    snprintf(block, sizeof block,
             "<block name=\"b%d\" shape=\"box\" size=\"0.5 0.5 0.5\" mass=\"%d\" motion=\"space\" "
             "position=\"%g 0 %g\"/>",
             i, i == 4 ? 60 : 20, 0.01 * i, 0.501 * i);
    strncat(text, block, sizeof text - strlen(text) - 1);
  }
  strncat(text, "</world>", sizeof text - strlen(text) - 1);
  World w = open_text(text);
  run_for(&w, 10);
  for (int i = 0; i < 5; i++) {
    const rutBlockMotion m = motion_of(&w, i);
    assert_near(m.position[0], 0.01 * i, 2e-3);
    assert_near(m.position[1], 0, 2e-3);
    assert_near(m.position[2], 0.5 * i, 1e-3 * (i + 1));
    assert_near(tilt_of(&w, i, rut_vec3(0, 0, 1)), 0, 2e-3);
  }
  close_world(&w);
}

static void test_dominoes_fall(void** state) {
  (void)state;
  enum { DOMINOES = 8 };
  char text[4096] = "<world timestep=\"0.002\" gravity=\"9.81\">";
  for (int i = 0; i < DOMINOES; i++) {
    char block[256];
    snprintf(block, sizeof block,
             "<block name=\"b%d\" shape=\"box\" size=\"0.1 0.4 0.8\" mass=\"5\" motion=\"space\" "
             "friction=\"0.2\" position=\"%g 0 0\"%s/>",
             i, 0.45 * i, i == 0 ? " angular_velocity=\"0 1.6 0\"" : "");
    strncat(text, block, sizeof text - strlen(text) - 1);
  }
  strncat(text, "</world>", sizeof text - strlen(text) - 1);
  World w = open_text(text);
  double fell[DOMINOES] = {0};
  for (int s = 0; s < 3000; s++) {
    run(&w, 1);
    for (int i = 0; i < DOMINOES; i++) {
      if (fell[i] == 0 && tilt_of(&w, i, rut_vec3(0, 0, 1)) > 0.5) fell[i] = rut_time(w.data);
    }
  }
  for (int i = 0; i < DOMINOES; i++) {
    assert_true(fell[i] > 0);
    if (i > 0) assert_true(fell[i] > fell[i - 1]);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_box_slides_down),
      cmocka_unit_test(test_a_box_sticks_below_the_angle_of_friction),
      cmocka_unit_test(test_a_box_tips_over_its_edge),
      cmocka_unit_test(test_round_things_roll),
      cmocka_unit_test(test_a_cube_bounces),
      cmocka_unit_test(test_free_rotation_keeps_momentum_and_energy),
      cmocka_unit_test(test_collisions_keep_momentum),
      cmocka_unit_test(test_a_stack_stands),
      cmocka_unit_test(test_dominoes_fall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
