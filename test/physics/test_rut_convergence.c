// SPDX-License-Identifier: BSD-3-Clause
//
// A HMMWV steers on ground that keeps ruts: its path and the ruts do not depend on the size of the
// cells, and the mirror image of its steering leaves the mirror image of the ruts.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

// A run: soil, throttle, where it begins, and what it steers from 1 s on.
typedef struct Run {
  const char* soil;
  double throttle, steering, cell, x, y;
} Run;

typedef struct Result {
  double x, y, distance, depth, volume;
} Result;

static double duration(void) {
  const char* sanitize = getenv("RUT_SANITIZE");
  return sanitize && *sanitize ? 1.5 : 10;
}

// The vehicle's centre of mass is in its middle plane.
static World open_run(const Run* run) {
  char text[1000];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><soil type='bekker' name='soil' preset='%s'/>"
           "<deformable cell='%g m'/>"
           "<include file='vehicles/hmmwv.xml' x='%.9g' y='%.9g' speed='5' throttle='%g'/></world>",
           run->soil, run->cell, run->x, run->y, run->throttle);
  World w = open_context();
  load_world(&w, text, RUT_SOURCE_DIR "/worlds/test.xml", "hmmwv/chassis.com",
             "0.059266 0 0.212631 m");
  return w;
}

// On to a time, steering from 1 s on.
static rutVehicleState drive_until(World* w, const Run* run, double time) {
  const double command[] = {run->throttle, 0, time > 1.05 ? run->steering : 0};
  assert_int_equal(rut_command(w->model, w->data, 0, 3, command), RUT_OK);
  run_until(w, time);
  return rut_vehicle_state(w->model, w->data, 0);
}

static Result drive(const Run* run) {
  World w = open_run(run);
  Result r = {0};
  double x = run->x, y = run->y;
  for (int tenth = 1; tenth <= 10 * duration(); tenth++) {
    const rutVehicleState s = drive_until(&w, run, 0.1 * tenth);
    r.distance += hypot(s.position[0] - x, s.position[1] - y);
    x = s.position[0];
    y = s.position[1];
  }
  rutRuts ruts;
  assert_true(rut_ruts(w.model, w.data, &ruts));
  r.x = x - run->x;
  r.y = y - run->y;
  r.depth = ruts.mean_depth;
  r.volume = ruts.volume;
  close_world(&w);
  return r;
}

// Path and ruts are within 2 % of each other at cells of 10, 5 and 2.5 cm.
static void test_cells(void** state) {
  static const Run runs[] = {{"dry_sand", 0.5, 0.3, 0, 0, 0},
                             {"rubicon_sandy_loam", 0.4, 0.5, 0, 0, 0}};
  static const double cells[] = {0.1, 0.05, 0.025};
  (void)state;
  for (int c = 0; c < 2; c++) {
    Result first = {0};
    for (int i = 0; i < 3; i++) {
      Run run = runs[c];
      run.cell = cells[i];
      const Result r = drive(&run);
      print_message("%s, %g m: %.3f m to %.3f %.3f, ruts of %.2f mm, %.4f m3\n", run.soil, run.cell,
                    r.distance, r.x, r.y, 1e3 * r.depth, r.volume);
      if (i == 0) first = r;
      const double near = 0.02 * first.distance;
      assert_near(r.x, first.x, near);
      assert_near(r.y, first.y, 0.02 * fabs(first.y));
      assert_near(r.distance, first.distance, near);
      assert_near(r.depth, first.depth, 0.02 * first.depth);
      if (duration() > 5) assert_near(r.volume, first.volume, 0.04 * first.volume);
    }
  }
}

// Where it begins on the grid does not matter, within a hundredth of the distance between cells of
// different size.
static void test_places(void** state) {
  Run run = {"dry_sand", 0.5, 0.3, 0.05, 0, 0};
  (void)state;
  const Result at = drive(&run);
  static const double places[][2] = {{0.025, 0.025}, {0.011, -0.017}};
  for (int i = 0; i < 2; i++) {
    run.x = places[i][0];
    run.y = places[i][1];
    const Result r = drive(&run);
    print_message("%.1e %.1e m off\n", r.x - at.x, r.y - at.y);
    assert_near(r.x, at.x, 0.1);
    assert_near(r.y, at.y, 0.1);
    assert_near(r.depth, at.depth, 0.01 * at.depth);
  }
}

// Rigid wheels that coast to a stop in dry sand come to rest in the rut that they have rolled, as
// deep as Bekker's wheel: z = (3 W/((3 - n) (k_c + b k_phi) sqrt(D)))^(2/(2 n + 1)) = 54.5 mm at
// 981 N, n = 1.1, k_c = 0.99 kN/m^2.1, k_phi = 1528.43 kN/m^3.1. The cells do not matter.
static void test_stop(void** state) {
  static const char text[] =
      "<world timestep='1 ms'><soil type='bekker' preset='dry_sand'/><deformable cell='%g m'/>"
      "<vehicle name='v' velocity='2 0'>"
      "<chassis mass='380' com='0 0 0.4' z_min='0.3' z_max='0.8' "
      "outline='-0.8 -0.4, 0.8 -0.4, 0.8 0.4, -0.8 0.4'/>"
      "<suspension type='slider' stiffness='40000' damping='3000'/><tyre type='linear'/>"
      "<axle x='0.6' track='1' radius='0.25' width='0.15' wheel_mass='5'/>"
      "<axle x='-0.6' track='1' radius='0.25' width='0.15' wheel_mass='5'/>"
      "<drive type='open'/></vehicle></world>";
  static const double cells[] = {0.05, 0.025};
  double x[2], sinkage[2];
  (void)state;
  for (int i = 0; i < 2; i++) {
    char world[2000];
    snprintf(world, sizeof world, text, cells[i]);
    World w = open_world(world);
    run_until(&w, duration() > 5 ? 5 : 2);
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    const double speed = hypot(s.velocity[0], s.velocity[1]);
    x[i] = s.position[0];
    sinkage[i] = rut_wheel_pose(w.model, w.data, 0).sinkage;
    print_message("%g m: stops at %.4f m, %.2f mm deep, %.1e m/s\n", cells[i], x[i],
                  1e3 * sinkage[i], speed);
    assert_near(speed, 0, duration() > 5 ? 1e-4 : 0.02);
    assert_near(sinkage[i], 0.0545, 0.1 * 0.0545);
    close_world(&w);
  }
  assert_near(x[1], x[0], 0.01 * x[0]);
  assert_near(sinkage[1], sinkage[0], 0.03 * sinkage[0]);
}

// Heights of all ruts at places of one run and mirrored ones of the other [m].
static double largest_difference(const World* a, const World* b, double middle) {
  enum { MOST = 4096 };
  static rutRutCell cell[MOST];
  double worst = 0, x[MOST], y[MOST], z[2][MOST], slope_x[MOST], slope_y[MOST], below[MOST];
  size_t cursor = 0;
  for (int n = 1; n > 0;) {
    n = rut_ruts_next(a->model, a->data, &cursor, MOST, cell);
    for (int i = 0; i < n; i++) {
      x[i] = cell[i].x;
      below[i] = 9;
    }
    const World* worlds[] = {a, b};
    for (int k = 0; k < 2 && n > 0; k++) {
      for (int i = 0; i < n; i++) y[i] = k == 0 ? cell[i].y : 2 * middle - cell[i].y;
      const rutGroundPoints at = {n, x, y};
      rut_terrain_surface(worlds[k]->model, worlds[k]->data, &at, below,
                          &(rutGroundSurface){z[k], slope_x, slope_y});
    }
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(z[0][i] - z[1][i]));
  }
  return worst;
}

// On a grid that is its own mirror image, with a line or the middle of a cell below the vehicle,
// the mirrored run is the same but for rounding.
static void test_mirror(void** state) {
  static const double cells[] = {0.1, 0.05, 0.025};
  (void)state;
  for (int c = 0; c < 3; c++) {
    for (int half = 0; half < 2; half++) {
      const double middle = 0.5 * half * cells[c];
      const Run left = {"dry_sand", 0.5, 0.3, cells[c], 0, middle};
      Run right = left;
      right.steering = -left.steering;
      World a = open_run(&left), b = open_run(&right);
      double worst = 0;
      for (int tenth = 1; tenth <= 10 * duration(); tenth++) {
        const double t = 0.1 * tenth;
        const rutVehicleState s = drive_until(&a, &left, t), m = drive_until(&b, &right, t);
        worst = fmax(worst, fabs(s.position[0] - m.position[0]));
        worst = fmax(worst, fabs(s.position[1] + m.position[1] - 2 * middle));
      }
      const double apart = largest_difference(&a, &b, middle);
      print_message("%g m, about %g m: paths %.1e m, ruts %.1e m apart\n", cells[c], middle, worst,
                    apart);
      assert_near(worst, 0, 1e-6);
      assert_near(apart, 0, 1e-6);
      close_world(&a);
      close_world(&b);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_stop), cmocka_unit_test(test_mirror)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
