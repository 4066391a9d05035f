// SPDX-License-Identifier: BSD-3-Clause
//
// Dead time, lag, rate and range of an actuator, and delays, against closed forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "control/actuator.h"

enum { LANES = 8, MOST_STATES = 512 };
static const double dt = 0.005;

static rutActuatorParam plain(void) {
  return (rutActuatorParam){.lower = (double)NAN, .upper = (double)NAN};
}

// Response to a unit step at time 0, after n steps, in the last lane.
static double response(const rutActuatorParam* p, int n, double demand) {
  double state[MOST_STATES] = {0}, u[LANES];
  assert_true(rut_actuator_states(p, 1, dt) * LANES <= MOST_STATES);
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < LANES; l++) u[l] = demand * (l + 1) / LANES;
    rut_actuator_step(p, LANES, dt, k, state, u);
    // lanes do not mix: each is its part of the last
    for (int l = 0; l < LANES && !(p->rate > 0) && p->lower != p->lower; l++) {
      assert_near(u[l], u[LANES - 1] * (l + 1) / LANES, 1e-12);
    }
  }
  return u[LANES - 1];
}

static void test_nothing(void** state) {
  (void)state;
  const rutActuatorParam p = plain();
  assert_int_equal(rut_actuator_states(&p, 3, dt), 3);
  assert_near(response(&p, 1, 0.3), 0.3, 0);
}

// First-order lag: 1 - exp(-t/T).
static void test_lag(void** state) {
  (void)state;
  rutActuatorParam p = plain();
  p.lag = 0.1;
  for (int n = 1; n < 100; n++) assert_near(response(&p, n, 1), 1 - exp(-n * dt / 0.1), 1e-12);
}

// Dead time: nothing happens for it, then all of it.
static void test_dead_time(void** state) {
  (void)state;
  rutActuatorParam p = plain();
  p.dead_time = 0.0501;
  assert_int_equal(rut_actuator_states(&p, 2, dt), 2 * 11);
  assert_near(response(&p, 10, 1), 0, 0);
  assert_near(response(&p, 11, 1), 1, 0);
  p.lag = 0.1;
  assert_near(response(&p, 30, 1), 1 - exp(-20 * dt / 0.1), 1e-12);
}

// Rate limit: a ramp; with a lag the exponential where that is slower: the lag asks for
// (1 - y)/T = 5 (1 - y) per second, which falls below 2 at y = 0.6, after 0.3 s.
static void test_rate(void** state) {
  (void)state;
  rutActuatorParam p = plain();
  p.rate = 2;
  assert_near(response(&p, 40, 1), 0.4, 1e-12);
  assert_near(response(&p, 100, 1), 1, 1e-12);
  assert_near(response(&p, 40, -1), -0.4, 1e-12);
  p.lag = 0.2;
  assert_near(response(&p, 40, 1), 0.4, 1e-12);
  assert_near(response(&p, 100, 1), 1 - 0.4 * exp(-(0.5 - 0.3) / 0.2), 2e-3);
}

static void test_range(void** state) {
  (void)state;
  rutActuatorParam p = plain();
  p.upper = 0.5;
  p.lower = -0.2;
  assert_near(response(&p, 3, 1), 0.5, 0);
  assert_near(response(&p, 3, -1), -0.2, 0);
  // a lag runs towards the limit, not beyond it: no wind-up
  p.lag = 0.1;
  assert_near(response(&p, 20, 9), 0.5 * (1 - exp(-1.0)), 1e-12);
}

// Rows come out as they went in, `steps` steps later; before that as they were at the start if the
// ring is filled with that, else zero.
static void test_delay(void** state) {
  (void)state;
  enum { STEPS = 7, NUMBERS = 3 };
  double ring[STEPS * NUMBERS * LANES], rows[NUMBERS * LANES];
  assert_int_equal(rut_delay_steps(0.0349, 0.005), 7);
  for (int filled = 0; filled <= 1; filled++) {
    memset(ring, 0, sizeof ring);
    for (int64_t k = 0; k < 40; k++) {
      for (int i = 0; i < NUMBERS * LANES; i++) rows[i] = 100 * (double)k + i;
      if (filled && k == 0) rut_delay_fill(STEPS, NUMBERS, LANES, ring, rows);
      rut_delay_rows(STEPS, k, NUMBERS, LANES, ring, rows);
      for (int i = 0; i < NUMBERS * LANES; i++) {
        const double late = 100 * fmax((double)k - STEPS, 0) + i;
        assert_near(rows[i], k < STEPS && !filled ? 0 : late, 0);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing),   cmocka_unit_test(test_lag),
      cmocka_unit_test(test_dead_time), cmocka_unit_test(test_rate),
      cmocka_unit_test(test_range),     cmocka_unit_test(test_delay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
