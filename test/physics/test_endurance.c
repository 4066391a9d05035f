// SPDX-License-Identifier: BSD-3-Clause
//
// The first minute of worlds/endurance.xml, an hour on rough deformable ground: a lap on
// untouched loam, and half of one in its own ruts. The whole hour: docs/manual/validation.md.
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

static const double PI = 3.14159265358979323846;

static World open_endurance(void) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  if (rut_spec_load(w.context, RUT_SOURCE_DIR "/worlds/endurance.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static void assert_finite(const rutVehicleState* s) {
  double sum = s->roll + s->pitch + s->yaw;
  for (int i = 0; i < 3; i++) sum += s->position[i] + s->velocity[i] + s->rate[i];
  assert_true(isfinite(sum));
}

// Largest distance from the circle about (20, 40), 40 m from it, from its beginning on.
static double drive_until(World* w, double time) {
  double worst = 0;
  while (rut_time(w->data) < time - 1e-9) {
    for (int i = 0; i < 20; i++) step_world(w);
    const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
    assert_finite(&s);
    if (rut_time(w->data) < 5) continue;
    worst = fmax(worst, fabs(hypot(s.position[0] - 20, s.position[1] - 40) - 40));
  }
  return worst;
}

static void test_minute(void** state) {
  const char* sanitize = getenv("RUT_SANITIZE");
  const double end = sanitize && *sanitize ? 6 : 60;
  const double lap = 1.05 * (20 + 2 * PI * 40) / 6;  // by then it is back on its own tracks
  (void)state;
  World w = open_endurance();
  rutRuts first, ruts;
  rutEnergy e, before;
  const double off = drive_until(&w, fmin(lap, end));
  assert_true(rut_ruts(w.model, w.data, &first));
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &before));
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  const double back = drive_until(&w, end);
  assert_true(rut_ruts(w.model, w.data, &ruts));
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  print_message("off the circle %.3f m, %.3f m in its ruts; residual %.1e of %.4g J\n", off, back,
                e.residual / e.throughput, e.throughput);
  print_message("ruts of %.3f m, then %.3f m; %zu bytes, then %zu\n", first.mean_depth,
                ruts.mean_depth, size, rut_state_size(w.model, w.data, RUT_STATE_ALL));
  // the circle begins with a jump of the curvature
  assert_near(off, 0, 0.1);
  assert_near(back, 0, 0.05);
  assert_near(e.residual, 0, 5e-4 * e.throughput);
  assert_false(ruts.full);
  if (end > lap) {
    // hardly any new ground is touched, ruts get deeper, and pressed ground resists less
    assert_near(ruts.memory, first.memory, 0.02 * first.memory);
    assert_true((double)rut_state_size(w.model, w.data, RUT_STATE_ALL) < 1.02 * (double)size);
    assert_true(ruts.mean_depth > first.mean_depth);
    assert_true((e.rolling - before.rolling) / (end - lap) < 0.7 * before.rolling / lap);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_minute)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
