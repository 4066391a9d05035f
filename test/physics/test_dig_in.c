// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that slip and stay dig in: the rate by hand, no digging where the laws of sinkage have it,
// soil conserved, the chassis on the ground; and what is told of wheels beyond their soil's range.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/host.h"
#include "vehicle_world.h"

static const double RADIUS = 0.47;

// A truck with rigid wheels and locked differentials, held at its hitch.
static World open_truck(const char* soil, const char* ground, double load) {
  char text[2500];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><soil name='s' type='bekker' %s/>%s"
           "<vehicle name='truck'>"
           "<chassis mass='2090 kg' com='0.12 0 0.85' z_min='1 m' z_max='1.7 m'"
           " outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9'/>"
           "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m'"
           " rebound_travel='0.15 m'/>"
           "<tyre type='linear' stiffness='1e10 N/m' damping='0'/>"
           "<axle x='1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='62 kg'/>"
           "<axle x='-1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='62 kg'/>"
           "<hitch position='-2.1 0 0' force='%g N'/>"
           "<drive type='powertrain' centre_differential='locked' front_differential='locked'"
           " rear_differential='locked'/><controller type='throttle' throttle='0.6'/>"
           "</vehicle></world>",
           soil, ground, load);
  return open_world(text);
}

// The tread carries b h v_s of soil a second, h half of the layer: dz/dt = h (v_s)/l, less what it
// leaves behind, z v/l. Without a law of slip sinkage all of that is digging. The layer is thinner
// than the sinkage.
static void test_rate(void** state) {
  World w = open_truck("preset='dry_sand' slip_sinkage='none' slip_layer='0.02 m'", "", 60e3);
  double dug[4] = {0}, fastest = 0;
  (void)state;
  for (int i = 0; i < 1500; i++) {
    double rate[4], renews[4];
    for (int k = 0; k < 4; k++) {
      const rutSoilContact c = rut_soil_contact(w.model, w.data, k);
      const rutWheelState s = rut_wheel_state(w.model, w.data, k);
      const double z = c.sinkage - c.dug, l = sqrt(z * (2 * RADIUS - z));
      const double slides = RADIUS * s.speed - s.hub_velocity[0];
      const int in = c.soil >= 0 && l > 0.05;
      rate[k] = in ? 0.01 * fabs(slides) / l : 0;
      renews[k] = in ? fabs(s.hub_velocity[0]) / l : 0;
      fastest = fmax(fastest, rate[k]);
    }
    step_world(&w);
    for (int k = 0; k < 4; k++) dug[k] += 1e-3 * (rate[k] - dug[k] * renews[k]);
  }
  for (int k = 0; k < 4; k++) {
    const rutSoilContact c = rut_soil_contact(w.model, w.data, k);
    assert_close(c.dug, dug[k], 0.02, 0.001);
    assert_true(c.dug > 0.05);
  }
  print_message("%.0f mm in 1.5 s, at most %.3f m/s\n", 1e3 * dug[0], fastest);
  close_world(&w);
}

// A layer of 4 cm that slides at 5 m/s under 0.35 m of contact: 0.2857 m/s (digest of ground
// models, test 3). The law itself, with the numbers of the digest.
static void test_digest_rate(void** state) {
  World w = open_truck("preset='dry_sand' slip_sinkage='none' slip_layer='0.04 m'", "", 60e3);
  double nearest = 1e9, found = 0;
  (void)state;
  double before = 0;
  for (int i = 0; i < 3000; i++) {
    step_world(&w);
    const rutSoilContact c = rut_soil_contact(w.model, w.data, 0);
    const rutWheelState s = rut_wheel_state(w.model, w.data, 0);
    const double z = c.sinkage - c.dug, l = sqrt(fmax(z * (2 * RADIUS - z), 1e-6));
    const double v = s.hub_velocity[0], slides = RADIUS * s.speed - v;
    // scaled from this contact and speed to the digest's
    const double rate =
        ((c.dug - before) / 1e-3 + before * fabs(v) / l) * (5 / slides) * (l / 0.35);
    before = c.dug;
    if (i < 500 || fabs(slides - 5) > nearest) continue;
    nearest = fabs(slides - 5);
    found = rate;
  }
  assert_true(nearest < 2);
  assert_close(found, 0.2857, 0.02, 0);
  close_world(&w);
}

// In steady rolling up to half of slip the laws of sinkage over slip have all of it: a vehicle that
// drives off does not dig beyond its first turns of the wheels, and one that drives on not at all.
static void test_rolling(void** state) {
  (void)state;
  for (int c = 0; c < 2; c++) {
    World w = open_context();
    load_world(
        &w,
        c ? "<world timestep='1 ms'><soil name='s' type='bekker' preset='lete_sand'/>"
            "<deformable/><include file='vehicles/hmmwv.xml' speed='5' throttle='0.3'/></world>"
          : "<world timestep='1 ms'><soil name='s' type='bekker' preset='lete_sand'/>"
            "<include file='vehicles/hmmwv.xml' speed='5' throttle='0.3'/></world>",
        RUT_SOURCE_DIR "/worlds/test.xml", NULL, NULL);
    double deepest = 0;
    for (int i = 0; i < 3000; i++) {
      step_world(&w);
      for (int k = 0; i > 500 && k < 4; k++) {
        deepest = fmax(deepest, rut_soil_contact(w.model, w.data, k).dug);
      }
    }
    assert_near(deepest, 0, 1e-9);
    close_world(&w);
  }
}

static void test_none(void** state) {
  World w = open_truck("preset='lete_sand' dig_in='none'", "<deformable/>", 60e3);
  (void)state;
  for (int i = 0; i < 1500; i++) step_world(&w);
  for (int k = 0; k < 4; k++) assert_near(rut_soil_contact(w.model, w.data, k).dug, 0, 1e-4);
  close_world(&w);
}

// Places along x of what is gone and of what has come, on the mean [m].
typedef struct Places {
  double pit, heap;
} Places;
static Places find_places(const World* w) {
  rutRutCell cell[256];
  size_t cursor = 0;
  double gone = 0, come = 0;
  Places p = {0, 0};
  for (int n; (n = rut_ruts_next(w->model, w->data, &cursor, 256, cell)) > 0;) {
    for (int i = 0; i < n; i++) {
      const double z = cell[i].height;
      *(z < 0 ? &gone : &come) += fabs(z);
      *(z < 0 ? &p.pit : &p.heap) += fabs(z) * cell[i].x;
    }
  }
  return (Places){p.pit / gone, p.heap / come};
}

// Soil goes to the rear of a wheel that drives.
static void test_direction(void** state) {
  (void)state;
  World w = open_truck("preset='dry_sand'", "<deformable displaced='0'/>", 60e3);
  for (int i = 0; i < 2000; i++) step_world(&w);
  const Places p = find_places(&w);
  print_message("pits at %.3f m, heaps at %.3f m\n", p.pit, p.heap);
  assert_true(p.heap < p.pit - 0.3);
  close_world(&w);
}

// Sum over all cells of height x area against what was displaced less what was pressed: spoil and
// pits are as large.
static double spoil_balance(const World* w, const rutRuts* r) {
  rutRutCell cell[256];
  size_t cursor = 0;
  double sum = 0;
  for (int n; (n = rut_ruts_next(w->model, w->data, &cursor, 256, cell)) > 0;) {
    for (int i = 0; i < n; i++) sum += cell[i].height;
  }
  return sum * r->cell * r->cell - (r->displaced - r->volume);
}

static int events;
static rutSoilEvent first_event;
static void note(const rutSoilEvent* event, void* user) {
  (void)user;
  if (events++ == 0) first_event = *event;
}

// worlds/stuck.xml: dug in until the chassis has the weight, then nothing moves any more.
static void test_stuck(void** state) {
  const char* sanitize = getenv("RUT_SANITIZE");
  (void)state;
  if (sanitize && *sanitize) skip();
  World w = open_context();
  rutSpec* spec = NULL;
  rutError err = {0};
  if (rut_spec_load(w.context, RUT_SOURCE_DIR "/worlds/stuck.xml", &spec, &err) ||
      rut_compile(spec, &w.model, &err)) {
    fail_msg("%s", err.message);
  }
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  rutSoilWatch* watch = rut_soil_watch_create();
  events = 0;
  double late = 0;
  for (int i = 0; i < 20000; i++) {
    step_world(&w);
    assert_int_equal(rut_soil_watch_update(watch, w.model, w.data, note, NULL), RUT_OK);
    if (i == 17000) late = rut_vehicle_state(w.model, w.data, 0).position[0];
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  rutRuts ruts;
  rutEnergy e;
  assert_true(rut_ruts(w.model, w.data, &ruts) && rut_vehicle_energy(w.model, w.data, 0, &e));
  // the belly is 0.3 m high; the wheels hang in their pits
  assert_true(s.position[2] < -0.29 && s.position[2] > -0.32);
  assert_true(rut_hull_share(w.model, w.data, 0) > 0.9);
  assert_near(s.position[0], late, 0.005);
  assert_true(ruts.max_depth > 0.3);
  assert_near(spoil_balance(&w, &ruts), 0, 1e-12);
  assert_near(e.residual, 0, 1e-3 * e.throughput);
  // told once, as it happened, and for how long
  double share = 0;
  assert_int_equal(events, 1);
  assert_int_equal(rut_soil_watch_found(watch), 1);
  assert_int_equal(first_event.limit, RUT_SOIL_LIMIT_hull);
  assert_int_equal(first_event.wheel, -1);
  assert_true(first_event.time > 5 && first_event.time < 19);
  rut_soil_watch_event(watch, 0, &share);
  assert_true(share > 0.2 && share < 1.01 - first_event.time / 20);
  rut_soil_watch_destroy(watch);
  close_world(&w);
}

// Deep snow: half of a radius, the pressure of its plates, the chassis; each wheel once.
static void test_told(void** state) {
  World w = open_context();
  load_world(&w,
             "<world timestep='1 ms'><soil name='deep' type='bekker' preset='snow_sweden'/>"
             "<include file='vehicles/hmmwv.xml'/></world>",
             RUT_SOURCE_DIR "/worlds/test.xml", NULL, NULL);
  rutSoilWatch* watch = rut_soil_watch_create();
  int count[RUT_SOIL_LIMIT_COUNT] = {0};
  char text[400];
  (void)state;
  for (int i = 0; i < 3000; i++) {
    step_world(&w);
    assert_int_equal(rut_soil_watch_update(watch, w.model, w.data, NULL, NULL), RUT_OK);
  }
  for (int i = 0; i < rut_soil_watch_found(watch); i++) {
    double share;
    const rutSoilEvent e = rut_soil_watch_event(watch, i, &share);
    count[e.limit]++;
    assert_true(share > 0 && share <= 1 && e.time > 0 && e.soil == 0);
    rut_soil_event_text(w.model, &e, text, sizeof text);
    assert_non_null(strstr(text, "in soil 'deep'"));
  }
  assert_int_equal(count[RUT_SOIL_LIMIT_deep], 4);
  assert_int_equal(count[RUT_SOIL_LIMIT_hull], 1);
  assert_int_equal(count[RUT_SOIL_LIMIT_sinkage], 0);
  rut_soil_watch_destroy(watch);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rate),      cmocka_unit_test(test_digest_rate),
      cmocka_unit_test(test_rolling),   cmocka_unit_test(test_none),
      cmocka_unit_test(test_direction), cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
