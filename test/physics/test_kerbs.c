// SPDX-License-Identifier: BSD-3-Clause
//
// The sides of tyres against kerbs, through the public interface.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// after them
#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

// What a vehicle did: largest roll either way, farthest to the left, highest, fastest, largest
// load of a wheel, energy of motion at the start and its largest since, without what the drive
// gave. Until it has turned over.
typedef struct Slide {
  double roll_left, roll_right, y, y_end, z, load, start, most, yaw, along;
  rutEnergy energy;
} Slide;

static Slide slide_of(World* w, double time) {
  Slide s = {.roll_left = 1e9, .y = -1e9};
  rut_vehicle_energy(w->model, w->data, 0, &s.energy);
  s.start = s.most = s.energy.kinetic + s.energy.potential;
  while (rut_time(w->data) < time && s.roll_left > -1.4) {
    step_world(w);
    const rutVehicleState v = rut_vehicle_state(w->model, w->data, 0);
    s.roll_left = fmin(s.roll_left, v.roll);
    s.roll_right = fmax(s.roll_right, v.roll);
    s.y = fmax(s.y, v.position[1]);
    s.y_end = v.position[1];
    s.z = fmax(s.z, v.position[2]);
    s.yaw = v.yaw;
    s.along = v.position[0];
    for (int i = 0; i < 4; i++) s.load = fmax(s.load, rut_wheel_state(w->model, w->data, i).load);
    rut_vehicle_energy(w->model, w->data, 0, &s.energy);
    s.most = fmax(s.most, s.energy.kinetic + s.energy.potential - s.energy.drive);
  }
  return s;
}

// A rigid body of HMMWV's numbers, caught h' below its centre of mass and a beside it, keeps the
// angular momentum about that place, and turns over if that takes it over it.
static double critical_speed(double a, double below) {
  const double mass = 2688.7, inertia = 845, g = 9.80665, rho = hypot(a, below);
  return sqrt(2 * g * (inertia + mass * rho * rho) * (rho - below) / (mass * below * below));
}

// Track 1.82 m, centre of mass 0.75 m high, tyres 0.318 m wide and nearly rigid: the torus of the
// outer tyres rolls between road and kerb about the middle of its tube, half the track beside
// the vehicle's middle and half the width of a tyre above the road.
static void test_trip(void** state) {
  (void)state;
  const double critical = critical_speed(0.91, 0.75 - 0.159);
  // the note's numbers
  assert_near(critical_speed(0.91, 0.75), 5.052, 2e-3);
  assert_near(critical_speed(0.91, 0.65), 5.834, 2e-3);
  assert_near(critical_speed(1.069, 0.45), 10.684, 4e-3);
  for (int k = 0; k < 4; k++) {
    const double part[] = {0.91, 1.09, 0.91, 1.09}, height[] = {0.2, 0.2, 0.25, 0.25};
    char text[2500];
    snprintf(text, sizeof text,
             "<world timestep='0.2 ms'><soil name='ice' type='magic_formula' surface='user' "
             "d='0.02'/><terrain type='step' position='0 1.12' yaw='90 deg' height='%g'/>"
             "<vehicle name='v' velocity='0 %g 0' rolling_start='false' side_stiffness='3' "
             "side_damping='0.03' side_friction='0'><chassis mass='2608.7' com='0 0 0.7586' "
             "inertia='768 3000 3500' z_min='0.6' z_max='1.5' "
             "outline='-2.1 -0.6, 2.3 -0.6, 2.3 0.6, -2.1 0.6'/>"
             "<suspension type='slider' stiffness='2e6' damping='2e5'/>"
             "<tyre type='linear' stiffness='2e6' damping='2e5'/>"
             "<axle x='1.6' track='1.82' radius='0.47' width='0.318' section_height='0.26' "
             "wheel_mass='20'/><axle x='-1.6' track='1.82' radius='0.47' width='0.318' "
             "section_height='0.26' wheel_mass='20'/></vehicle></world>",
             height[k], part[k] * critical);
    World w = open_world(text);
    const Slide s = slide_of(&w, 2.5);
    if ((s.roll_left < -1.25) != (part[k] > 1)) {
      fail_msg("%g of the critical speed %g m/s: rolls %g", part[k], critical, s.roll_left);
    }
    assert_true(s.most < s.start + 1e-3 * s.start);
    assert_true(fabs(s.energy.residual) < 1e-3 * s.energy.throughput);
    close_world(&w);
  }
}

// The project's HMMWV slides to the left on ice, its left tyres 0.3 m from a kerb.
static Slide hmmwv_into(double height, double speed, double along) {
  char text[1000], velocity[80];
  snprintf(text, sizeof text,
           "<world timestep='0.2 ms'><soil name='ice' type='magic_formula' surface='user' "
           "d='0.05'/><terrain type='step' position='0 1.3687' yaw='90 deg' height='%g'/>"
           "<include file='vehicles/hmmwv.xml' name='v' plain='1'/></world>",
           height);
  snprintf(velocity, sizeof velocity, "%g %g 0", along, speed);
  World w = open_context();
  load_world(&w, text, RUT_SOURCE_DIR "/worlds/test.xml", "v.velocity", velocity);
  const Slide s = slide_of(&w, 1.5);
  close_world(&w);
  return s;
}

// Faces up to the hub's height at up to 10 m/s: nothing passes through, no load is beyond what the
// stiffness of tyre and rim give, no energy comes out.
static void test_impacts(void** state) {
  static const double height[] = {0.15, 0.2, 0.3, 0.3, 0.3, 0.45};
  static const double speed[] = {6, 4, 1, 6, 10, 10};
  (void)state;
  for (int k = 0; k < 6; k++) {
    const Slide s = hmmwv_into(height[k], speed[k], 0);
    // half of a tyre and what of it a face may press in
    if (!(s.y < 0.3 + 0.318 + 0.2)) fail_msg("%g m at %g m/s: to %g m", height[k], speed[k], s.y);
    if (!(s.load < 120e3)) fail_msg("%g m at %g m/s: %g N", height[k], speed[k], s.load);
    if (!(s.most < s.start * (1 + 1e-3))) {
      fail_msg("%g m at %g m/s: %g J of %g J", height[k], speed[k], s.most, s.start);
    }
    assert_true(fabs(s.energy.residual) < 1e-3 * s.energy.throughput);
    // it leans towards the kerb, never away from it at first
    assert_true(speed[k] < 2 || s.roll_left < -0.03);
  }
}

// A kerb of 5 cm is mounted, and so is one of 10 cm at speed.
static void test_low_kerbs(void** state) {
  (void)state;
  const Slide low = hmmwv_into(0.05, 4, 0), middle = hmmwv_into(0.1, 6, 0);
  assert_true(low.y_end > 3 && middle.y_end > 4);
  assert_true(low.load < 20e3 && middle.load < 45e3);
  assert_true(low.most < low.start * 1.001 && middle.most < middle.start * 1.001);
}

// Along a kerb of 20 cm, slowly against it: it stays beside it, level, and loses speed.
static void test_scrape(void** state) {
  (void)state;
  const Slide s = hmmwv_into(0.2, 0.3, 2);
  assert_true(s.y < 0.35 && s.y_end > -0.1);
  assert_true(s.roll_left > -0.02 && s.roll_right < 0.02);
  assert_true(s.load < 8e3);
}

// The truck meets a kerb at an angle, driven on a road. 10 cm are climbed at 20 degrees, with
// loads of less than twice those at rest; 20 cm at 10 degrees turn it along the kerb.
static void test_angles(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "<world timestep='0.5 ms'><terrain type='step' position='0 1.6' yaw='90 deg' "
             "height='%g'/><include file='vehicles/four_by_four.xml' yaw='%d' start='3 0 0' "
             "speed='3'/></world>",
             k ? 0.2 : 0.1, k ? 10 : 20);
    World w = open_project_world(text);
    const Slide s = slide_of(&w, 3);
    assert_true(s.load < 12e3);
    if (k == 0) assert_true(s.y_end > 2.5 && fabs(s.yaw - 0.349) < 0.05);
    if (k == 1) assert_true(s.y_end < 0.8 && s.yaw < 0.1);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trip),      cmocka_unit_test(test_impacts),
      cmocka_unit_test(test_low_kerbs), cmocka_unit_test(test_scrape),
      cmocka_unit_test(test_angles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
