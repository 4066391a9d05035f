// SPDX-License-Identifier: BSD-3-Clause
//
// Where wheels and links of suspensions are drawn, through the public interface: rigid parts keep
// their lengths, wheels stand on the ground, and their forces carry the vehicle.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

enum { LINKS = 16 };

static double length(const rutLink* k) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (k->to[i] - k->from[i]) * (k->to[i] - k->from[i]);
  return sqrt(sum);
}

// The wheel's axis in the world: second column of the quaternion's matrix.
static void axis_of(const rutWheelPose* p, double axis[3]) {
  const double *q = p->quaternion, w = q[0], x = q[1], y = q[2], z = q[3];
  axis[0] = 2 * (x * y - w * z);
  axis[1] = 1 - 2 * (x * x + z * z);
  axis[2] = 2 * (y * z + w * x);
}

static void test_links(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'",
                       "speed='12' driver='1' manoeuvre='step_steer' start_time='0.2' steer='0.4'");
  rutLink before[LINKS], after[LINKS];
  for (int wheel = 0; wheel < 4; wheel++) {
    assert_int_equal(rut_suspension_links(w.model, NULL, wheel, 0, NULL), 9);
  }
  assert_int_equal(rut_suspension_links(w.model, w.data, 0, LINKS, before), 9);
  run_until(&w, 2);
  assert_int_equal(rut_suspension_links(w.model, w.data, 0, LINKS, after), 9);
  double spring = 0;
  for (int i = 0; i < 9; i++) {
    const bool gives = strcmp(after[i].name, "spring") == 0 || strcmp(after[i].name, "damper") == 0;
    const double change = length(&after[i]) - length(&before[i]);
    if (gives) spring += fabs(change);
    if (!gives) assert_near(change, 0, 1e-12);
  }
  // leaning in the turn
  assert_true(spring > 2e-3);
  // the tie rod of the HMMWV of Project Chrono ends 0.1 to 0.5 m from its kingpin
  assert_string_equal(after[6].name, "tie rod");
  assert_true(length(&after[6]) > 0.2 && length(&after[6]) < 0.6);
  assert_int_equal(rut_suspension_links(w.model, w.data, 4, LINKS, after), 0);
  assert_int_equal(rut_suspension_links(w.model, w.data, -1, LINKS, after), 0);
  close_world(&w);
}

static void test_standing(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "");
  run_until(&w, 3);
  double weight = 0;
  const double mass = rut_vehicle_info(w.model, 0).mass;
  for (int i = 0; i < 4; i++) {
    const rutWheelPose p = rut_wheel_pose(w.model, w.data, i);
    const rutWheelState s = rut_wheel_state(w.model, w.data, i);
    double axis[3];
    axis_of(&p, axis);
    weight += p.force[2];
    assert_true(p.touches);
    assert_true(p.sinkage == 0);
    // the tread, round and leaning a little, is in the ground by the tyre's deflection
    assert_near(p.contact[2], -s.deflection, 3e-4);
    assert_near(p.position[2] - p.contact[2], 0.47, 0.01);
    // camber of its suspension under the load, and toe, but for the pitch of the chassis
    double range[3];
    rutSuspensionPoint point;
    assert_true(rut_suspension_range(w.model, 0, i, range));
    assert_true(rut_suspension_point(w.model, 0, i, range[1], 0, &point));
    const double side = i % 2 == 0 ? 1 : -1;
    assert_near(axis[2], -side * sin(point.camber), 1e-3);
    assert_near(atan2(-axis[0], axis[1]), s.steer, 2e-4);
  }
  assert_near(weight, mass * 9.81, 1e-3 * mass * 9.81);
  close_world(&w);
}

// A wheel that rolls forward turns its front down: a quarter turn brings the mark in front to the
// ground.
static void test_turning(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "speed='1'");
  while (fmod(rut_wheel_state(w.model, w.data, 2).angle, 2 * 3.14159265358979) < 1.5708) {
    step_world(&w);
  }
  const rutWheelPose p = rut_wheel_pose(w.model, w.data, 2);
  const double* q = p.quaternion;
  assert_near(2 * (q[1] * q[3] - q[0] * q[2]), -1, 1e-2);
  close_world(&w);
}

// A mount on a vehicle that stands on a slope of 0.3, nose up, by trigonometry; turned by 0.5 in
// the tilted vehicle, its heading is atan(tan 0.5 / cos pitch).
static void test_sensor(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><terrain type='plane' slope_x='0.3'/><vehicle name='r'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb' friction='2'/><drive type='direct'/>"
      "<controller type='twist_ideal' speed='0' yaw_rate='0'/>"
      "<sensor type='laser' name='scan' rays='3' x='0.2' z='0.4' yaw='0.5'/></vehicle></world>");
  step_world(&w);
  double pose[6];
  const rutVehicleState v = rut_vehicle_state(w.model, w.data, 0);
  const double s = sin(atan(0.3)), c = cos(atan(0.3));
  rut_sensor_pose(w.model, w.data, 0, pose);
  assert_near(v.pitch, -atan(0.3), 1e-9);
  assert_near(pose[0], v.position[0] + 0.2 * c - 0.4 * s, 1e-9);
  assert_near(pose[1], v.position[1], 1e-9);
  assert_near(pose[2], v.position[2] + 0.2 * s + 0.4 * c, 1e-9);
  assert_near(pose[5], atan(tan(0.5) / c), 1e-9);
  rut_sensor_pose(w.model, w.data, 1, pose);
  for (int i = 0; i < 6; i++) assert_near(pose[i], 0, 0);
  close_world(&w);
}

static void test_soils(void** state) {
  (void)state;
  World w = open_world(
      "<world soil='a'><soil name='a' type='magic_formula' surface='dry'/>"
      "<soil name='b' type='magic_formula' surface='ice'/>"
      "<region soil='b' x_min='0' x_max='2' y_min='-1' y_max='1'/></world>");
  const double x[3] = {-1, 1, 1}, y[3] = {0, 0, 3};
  int soil[3];
  rut_terrain_soils(w.model, w.data, &(rutGroundPoints){3, x, y}, soil);
  assert_int_equal(soil[1], 1);
  assert_true(soil[0] <= 0 && soil[2] <= 0);
  close_world(&w);
}

// The map of worlds/warehouse.xml against its image: rows from the top, black is wall.
static void test_grid(void** state) {
  enum { COLUMNS = 200, ROWS = 150 };
  static unsigned char pixel[ROWS][COLUMNS];
  (void)state;
  World w = open_project_world("<world><occupancy_grid file='maps/warehouse.yaml'/></world>");
  rutGrid g;
  FILE* file = fopen(RUT_SOURCE_DIR "/worlds/maps/warehouse.pgm", "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, -(long)sizeof pixel, SEEK_END), 0);
  assert_int_equal(fread(pixel, 1, sizeof pixel, file), sizeof pixel);
  fclose(file);
  assert_true(rut_grid(w.model, 0, &g));
  assert_int_equal(g.columns, COLUMNS);
  assert_int_equal(g.rows, ROWS);
  assert_near(g.cell, 0.1, 1e-12);
  assert_near(g.x, -10, 1e-12);
  assert_near(g.y, -7.5, 1e-12);
  int walls = 0;
  for (int y = 0; y < ROWS; y++) {
    for (int x = 0; x < COLUMNS; x++) {
      const int wall = pixel[ROWS - 1 - y][x] < 50;
      assert_int_equal(g.state[y * COLUMNS + x] == 1, wall);
      walls += wall;
    }
  }
  assert_true(walls > 600);
  assert_false(rut_grid(w.model, 1, &g));
  assert_null(g.state);
  close_world(&w);
}

// A double pendulum: its joints and ends by trigonometry, its rods by their length, and the energy
// that follows from where they are.
static void test_mechanism(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='1 ms' integrator='rk4'><mechanism name='a' position='3 1 0 m'>"
      "<body joint='hinge' axis='0 1 0' mass='2 kg' com='0 0 -0.5 m' initial_position='0.4'"
      " inertia='0.16667 0.16667 0.0004 0 0 0 kg m2'>"
      "<body joint='hinge' axis='0 1 0' mount='0 0 -1 m' mass='1 kg' com='0 0 -0.25 m'"
      " initial_position='0.3'/></body></mechanism></world>");
  rutBodyPose b[2];
  assert_int_equal(rut_mechanism_bodies(w.model, NULL, 0, 0, NULL), 2);
  assert_int_equal(rut_mechanism_bodies(w.model, w.data, 1, 2, b), 0);
  for (int round = 0; round < 2; round++) {
    double angle[2], rate[2];
    rut_mechanism_state(w.model, w.data, 0, angle, rate);
    assert_int_equal(rut_mechanism_bodies(w.model, w.data, 0, 2, b), 2);
    assert_near(b[0].position[0], 3, 1e-12);
    assert_near(b[0].position[1], 1, 1e-12);
    // about the y axis: positive turns what hangs down to the back
    assert_near(b[1].position[0], 3 - sin(angle[0]), 1e-12);
    assert_near(b[1].position[2], -cos(angle[0]), 1e-12);
    assert_near(b[1].quaternion[0], cos(0.5 * (angle[0] + angle[1])), 1e-12);
    assert_near(b[1].quaternion[2], sin(0.5 * (angle[0] + angle[1])), 1e-12);
    run_until(&w, 1);
  }
  // a rod of 1 m and 2 kg, 0.035 m thick: I = m (a^2 + c^2)/12
  assert_near(b[0].sides[2], 1, 2e-3);
  assert_near(b[0].sides[0], 0.0346, 1e-3);
  assert_near(b[0].com[2], -0.5, 0);
  assert_near(b[1].sides[2], 0, 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_links),   cmocka_unit_test(test_standing),
      cmocka_unit_test(test_turning), cmocka_unit_test(test_soils),
      cmocka_unit_test(test_grid),    cmocka_unit_test(test_mechanism),
      cmocka_unit_test(test_sensor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
