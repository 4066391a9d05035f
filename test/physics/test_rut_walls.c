// SPDX-License-Identifier: BSD-3-Clause
//
// Walls of ruts: the force across a wheel that comes on to one, against the slope of the mean floor
// under its tread and the work of lifting its load; a HMMWV that leaves the ruts of another.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "rut/rig.h"
#include "vehicle_world.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

// A rigid wheel. A rut, and how much deeper the wheel goes in it.
static const double RADIUS = 0.5, WIDTH = 0.32, SHOULDER = 0.25 * 0.32, DEPTH = 0.1, MORE = 0.01;

// Soil that is pressed, and goes nowhere.
typedef struct Soil {
  double cohesion, friction_angle, unit_weight;
} Soil;

static World open_rig(const Soil* soil, double cell) {
  char text[1000];
  snprintf(text, sizeof text,
           "<world timestep='0.001'><soil type='bekker' name='s' k_c='0' k_phi='1e6' exponent='1' "
           "cohesion='%.17g' friction_angle='%.17g' unit_weight='%.17g' slip_sinkage='none' "
           "dig_in='none'/><deformable cell='%.17g' displaced='0' repose_angle='0'/>"
           "<vehicle name='one'><chassis mass='400'/><suspension type='slider'/>"
           "<tyre type='linear' stiffness='1e12'/>"
           "<axle x='0' track='0' radius='0.5' width='0.32' wheel_mass='20' wheel_inertia='2'/>"
           "</vehicle></world>",
           soil->cohesion, soil->friction_angle, soil->unit_weight, cell);
  World w = {0};
  rutSpec* spec = NULL;
  rutRigDef def = rut_default_rig();
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &w.context, NULL), RUT_OK);
  if (rut_spec_parse(w.context, text, strlen(text), "rig.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  def.world = spec;
  if (rut_rig_model(w.context, &def, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static rutRigForces step(const World* w, const rutRigMotion* motion) {
  rutRigForces out;
  rutError err = {0};
  if (rut_rig_step(w->model, w->data, motion, &out, &err) != RUT_OK) fail_msg("%s", err.message);
  return out;
}

// Roll `distance` at a depth of the hub's height, < 0: in reverse, beginning `aside` to the left of
// the line from a place along a heading. Returns what the last step tells.
typedef struct Line {
  double x, y, heading;
} Line;

static rutRigForces roll(const World* w, Line line, double aside, double depth, double distance) {
  static const double DT = 1e-3;
  const double speed = copysign(2, distance), c = cos(line.heading), s = sin(line.heading);
  rutRigForces out = {0};
  rutRigMotion m = rut_default_rig_motion();
  m.heading = line.heading;
  m.velocity[0] = speed;
  m.spin = speed / RADIUS;
  // lifted, it forgets where it was
  m.place[0] = line.x - s * aside;
  m.place[1] = line.y + c * aside;
  m.height = RADIUS + 1;
  step(w, &m);
  for (int i = 0; i * fabs(speed) * DT < fabs(distance); i++) {
    m.place[0] = line.x + c * i * speed * DT - s * aside;
    m.place[1] = line.y + s * i * speed * DT + c * aside;
    m.height = RADIUS - depth;
    out = step(w, &m);
  }
  return out;
}

// The slope of a trapezoid's mean over a wall of the depth H: (d/c) H/(b - c) as its shoulder c
// comes on to the wall by d, and H/(b - c) where all of that is on it, but none of the other one.
static double slope_at(double aside, double wall) {
  const double on = fmin(fabs(aside) / SHOULDER, 1);
  return on * wall / (WIDTH - SHOULDER);
}

// What a wall of the height h bears at the side of the wheel, D_1 (c z + D_2 gamma z^2/2) per
// length (Hegedus), z = h - x^2/(2 R) being what there is of it at a distance x from the lowest
// point: by the midpoint rule.
static double bears(const Soil* soil, double height) {
  enum { PARTS = 2000 };
  const double edge = atan(1) - 0.5 * soil->friction_angle, cot = 1 / tan(edge);
  const double d1 = cot + tan(edge + soil->friction_angle);
  const double d2 = cot + cot * cot * tan(soil->friction_angle);
  const double reach = sqrt(height * (2 * RADIUS - height));
  double sum = 0;
  for (int i = 0; i < PARTS; i++) {
    const double part = (i + 0.5) / PARTS, z = height * (1 - part * part);
    sum += d1 * (soil->cohesion * z + d2 * soil->unit_weight * z * z / 2);
  }
  return 2 * reach * sum / PARTS;
}

// On soil that is strong, and that gives way. Cells are a third of the tread's width, or less.
static void test_force(void** state) {
  static const Soil soils[] = {{1e6, 0, 17e3}, {2e3, 0.5235987755982988, 16e3}};
  static const double cells[] = {0.1, 0.05, 0.025}, asides[] = {0, 0.03, -0.03, 0.08, 0.15, -0.15};
  static const Line lines[] = {{0, 0, 0}, {0.031, -0.017, 0}, {0, 0, 0.5}, {0.02, 0.01, 2.3}};
  (void)state;
  for (int k = 0; k < COUNT(soils) * COUNT(cells) * COUNT(lines) * COUNT(asides);
       k += repetitions(1, 7)) {
    const Soil* soil = &soils[k % COUNT(soils)];
    const double aside = asides[k / COUNT(soils) % COUNT(asides)];
    const Line line = lines[k / COUNT(soils) / COUNT(asides) % COUNT(lines)];
    const double cell = cells[k / COUNT(soils) / COUNT(asides) / COUNT(lines)];
    World w = open_rig(soil, cell);
    const rutRigForces first = roll(&w, line, 0, DEPTH, 1.6);
    assert_near(first.fy, 0, 1e-6 * first.fz);
    Line again = line;
    again.x += 0.5 * cos(again.heading);
    again.y += 0.5 * sin(again.heading);
    const rutRigForces out = roll(&w, again, aside, DEPTH + MORE, 0.6);
    const double slope = slope_at(aside, DEPTH), stands = slope * (WIDTH - SHOULDER) + MORE;
    const double climbs = out.fz * slope, most = bears(soil, stands) - bears(soil, MORE);
    const double whole = fmin(out.fz * DEPTH / (WIDTH - SHOULDER), bears(soil, DEPTH + MORE));
    print_message("%g m, line %d, %g m aside: %.1f for %.1f N\n", cell,
                  k / COUNT(soils) / COUNT(asides) % COUNT(lines), aside, out.fy,
                  -copysign(fmin(climbs, most), aside));
    assert_true(out.fz > 3000);
    assert_near(out.fy, -copysign(fmin(climbs, most), aside), (cell > 0.06 ? 0.11 : 0.01) * whole);
    close_world(&w);
  }
}

// In reverse the wall on the left is on the left.
static void test_reverse(void** state) {
  static const Soil soil = {1e6, 0, 17e3};
  static const double asides[] = {0.03, -0.03, 0.08, -0.08}, headings[] = {0, 0.5, 2.3};
  (void)state;
  for (int k = 0; k < COUNT(asides) * COUNT(headings); k++) {
    const double aside = asides[k % COUNT(asides)], heading = headings[k / COUNT(asides)];
    World w = open_rig(&soil, 0.05);
    roll(&w, (Line){0, 0, heading}, 0, DEPTH, 1.6);
    const Line back = {1.1 * cos(heading), 1.1 * sin(heading), heading};
    const rutRigForces out = roll(&w, back, aside, DEPTH + MORE, -0.6);
    assert_true(out.fz > 3000);
    assert_near(out.fy, -copysign(out.fz * slope_at(aside, DEPTH), aside),
                0.01 * out.fz * DEPTH / (WIDTH - SHOULDER));
    close_world(&w);
  }
}

// A HMMWV follows another one in its ruts, and begins to steer.
typedef struct Follow {
  const char* soil;
  double steering, lead;  // speed of the other one, 0: there is none
} Follow;

static double aside_after(const Follow* f) {
  char text[1000], lead[200] = "";
  if (f->lead > 0) {
    snprintf(lead, sizeof lead,
             "<include file='vehicles/hmmwv.xml' name='lead' x='12' speed='%g' throttle='0.5'/>",
             f->lead);
  }
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><soil type='bekker' preset='%s'/><deformable/>"
           "<include file='vehicles/hmmwv.xml' speed='6' throttle='0.5'/>%s</world>",
           f->soil, lead);
  World w = open_project_world(text);
  // it begins to steer where it is well in the ruts
  run_until(&w, 4);
  const double command[] = {0.5, 0, f->steering};
  assert_int_equal(rut_command(w.model, w.data, 0, 3, command), RUT_OK);
  run_until(&w, 7);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near((e.residual - e.flight) / e.throughput, 0, 1e-3);
  close_world(&w);
  return s.position[1];
}

static void test_follow(void** state) {
  (void)state;
  static const char* const soils[] = {"clayey_soil_38", "lete_sand"};
  static const double follow[] = {0.95, 1};
  for (int k = 0; k < repetitions(COUNT(soils), 1); k++) {
    Follow f = {soils[k], 0.03, 6};
    const double left = aside_after(&f);
    f.steering = -0.03;
    const double right = aside_after(&f);
    f.lead = 0;
    f.steering = 0.03;
    const double fresh = aside_after(&f);
    print_message("%s: %.4f and %.4f m aside in ruts, %.4f m without\n", soils[k], left, right,
                  fresh);
    assert_near(left, -right, 0.01 * fabs(left));
    assert_true(left < follow[k] * fresh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_force), cmocka_unit_test(test_reverse),
                                     cmocka_unit_test(test_follow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
