// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that come to be deep in upright faces and steep banks, through the public interface: from
// beside them, from above, sideways over their edges. What springs hold has been paid for by
// motion, at every instant.
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

// The ground, where a vehicle is and how it moves; what its wheels and the world are.
typedef struct Meeting {
  const char *ground, *start, *wheels, *world;
  double time;
} Meeting;

#define SLIDERS                                                                \
  "<suspension type='slider' stiffness='80e3' damping='0' bump_travel='0.2'/>" \
  "<tyre type='linear' stiffness='320e3' damping='0'/>"
#define MASSLESS \
  "<suspension type='massless' stiffness='80e3' damping='0' travel='0.2'/><tyre type='linear'/>"

// Nothing damps or rubs: tyres 0.3 m wide, 0.4 m in radius, 0.8 m to either side.
static World open_meeting(const Meeting* m) {
  char text[2500];
  snprintf(text, sizeof text,
           "<world %s><soil name='ice' type='magic_formula' surface='user' d='0' "
           "rolling_resistance='0'/>%s"
           "<vehicle name='v' on_ground='false' rolling_start='false' side_damping='0' "
           "side_friction='0' %s><chassis mass='900' com='0 0 0.6' inertia='300 900 900' "
           "z_min='0.9' z_max='1.5' outline='-1.6 -0.6, 1.6 -0.6, 1.6 0.6, -1.6 0.6' "
           "drag_area='0'/>%s<axle x='1.2' track='1.6' radius='0.4' width='0.3' "
           "section_height='0.2' wheel_mass='20'/><axle x='-1.2' track='1.6' radius='0.4' "
           "width='0.3' section_height='0.2' wheel_mass='20'/></vehicle></world>",
           m->world, m->ground, m->start, m->wheels);
  return open_world(text);
}

// What a vehicle's contacts have, at its worst: held beyond what has been paid for since the start
// [J], and at most.
typedef struct Balance {
  double unpaid, most_held;
  double lost;  // of what was paid for, at the end
  rutVehicleState end;
  rutEnergy energy;
} Balance;

static Balance balance_of(const Meeting* m) {
  World w = open_meeting(m);
  Balance b = {0};
  rutEnergy start;
  // springs of the suspension hold some from the start on
  step_world(&w);
  rut_vehicle_energy(w.model, w.data, 0, &start);
  while (rut_time(w.data) < m->time) {
    step_world(&w);
    rut_vehicle_energy(w.model, w.data, 0, &b.energy);
    const rutEnergy* e = &b.energy;
    const double paid = e->tyre + e->damper + e->slip + e->rolling + e->hull - start.tyre -
                        start.damper - start.slip - start.rolling - start.hull;
    b.unpaid = fmax(b.unpaid, e->elastic - start.elastic - paid);
    b.most_held = fmax(b.most_held, e->elastic - start.elastic);
    b.lost = paid - e->elastic + start.elastic;
  }
  b.end = rut_vehicle_state(w.model, w.data, 0);
  close_world(&w);
  return b;
}

#define KERB(place, height) \
  "<terrain type='step' position='0 " place "' yaw='90 deg' height='" height "'/>"
#define DEFAULT "timestep='0.2 ms'"
#define RK4     "timestep='0.2 ms' integrator='rk4'"

// The outer face of the left tyres is 0.95 m beside the middle.
static void check(const char* name, Meeting m, double least_held) {
  for (int k = 0; k < 2; k++) {
    m.world = k ? RK4 : DEFAULT;
    const Balance b = balance_of(&m);
    if (!(b.unpaid < 2e-3 * b.energy.throughput)) {
      fail_msg("%s, %s: holds %g J more than was paid, of %g J", name, m.world, b.unpaid,
               b.energy.throughput);
    }
    if (!(b.most_held > least_held)) fail_msg("%s: %g J held", name, b.most_held);
    if (!(fabs(b.energy.residual - b.energy.flight) < 2e-3 * b.energy.throughput)) {
      fail_msg("%s, %s: residual %g J of %g J", name, m.world, b.energy.residual,
               b.energy.throughput);
    }
  }
}

// Down beside a kerb that reaches 0.1 m into the tyres: the face rises beside the flank, and has
// more and more of its force, without any work of a pressed side.
static void test_beside(void** state) {
  (void)state;
  check("falls beside",
        (Meeting){KERB("0.85", "0.3"), "position='0 0 0.15' velocity='0 0 -1'", SLIDERS, NULL, 0.6},
        100);
  check("falls towards",
        (Meeting){KERB("0.85", "0.3"), "position='0 0 0.15' velocity='0 1 -1'", SLIDERS, NULL, 0.6},
        100);
  check("over the flank",
        (Meeting){KERB("0.85", "0.3"),
                  "position='0 -0.4 0.2' "
                  "velocity='0 2 -1.5'",
                  SLIDERS, NULL, 0.6},
        100);
}

// Sideways, low over the ground, over the edge of a kerb.
static void test_over_edges(void** state) {
  static const char* const height[] = {KERB("1", "0.05"), KERB("1", "0.1"), KERB("1", "0.3")};
  (void)state;
  for (int k = 0; k < 3; k++) {
    check("slides over",
          (Meeting){height[k], "position='0 0 0.02' velocity='0 3 0'", SLIDERS, NULL, 0.5}, 100);
    check("massless",
          (Meeting){height[k], "position='0 0 0.02' velocity='0 3 0'", MASSLESS, NULL, 0.5}, 50);
  }
}

// The bank of a ditch, as steep as a wall but for a few centimetres, sideways.
static void test_banks(void** state) {
  static const char bank[] =
      "<terrain type='ditch' position='0 3' yaw='90 deg' depth='-0.2' "
      "width='3' bank='0.03'/>";
  (void)state;
  check("bank", (Meeting){bank, "position='0 0 0.02' velocity='0 3 0'", SLIDERS, NULL, 0.7}, 100);
  check("bank, massless",
        (Meeting){bank, "position='0 0 0.02' velocity='0 3 0'", MASSLESS, NULL, 0.7}, 50);
}

// Into a kerb and out of it again: what springs took they give back, and no more. (The default
// integrator damps the stiff ones.)
static void test_closed_path(void** state) {
  (void)state;
  const Meeting m = {KERB("1.1", "0.35"), "position='0 0 0' velocity='0 0.6 0'", SLIDERS, RK4, 1.2};
  const Balance b = balance_of(&m);
  assert_true(b.end.com_velocity[1] < -0.3);
  if (!(fabs(b.lost) < 1e-3 * b.energy.throughput)) {
    fail_msg("loses %g J of %g J", b.lost, b.energy.throughput);
  }
}

// A wheel that is in the ground beyond what it has paid for climbs out at the cost of its speed: a
// vehicle that was pushed over an edge sideways, and rolls along on it, ends on top.
static void test_climbs(void** state) {
  (void)state;
  Meeting m = {KERB("0.98", "0.08"), "position='0 0 0' velocity='6 2 0'", SLIDERS, DEFAULT, 1.5};
  const Balance b = balance_of(&m);
  assert_true(b.end.position[1] > 2);
  assert_true(b.end.position[2] > 0.03);
  assert_true(b.unpaid < 2e-3 * b.energy.throughput);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beside), cmocka_unit_test(test_over_edges),
      cmocka_unit_test(test_banks),  cmocka_unit_test(test_closed_path),
      cmocka_unit_test(test_climbs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
