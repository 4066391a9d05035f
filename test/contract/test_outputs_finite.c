// SPDX-License-Identifier: BSD-3-Clause
//
// All outputs, set points and states of all elements of every example world: finite, and with a
// unit that is known, a sentence, and a name of its own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"
#include "example_worlds.h"
#include "repetitions.h"

enum { MOST_NUMBERS = 2000000 };

// Numbers that say "none" by not being one: heights and distances where there is no ground.
static bool may_be_none(const rutVariableInfo* v) { return strstr(v->doc, "NaN") != NULL; }

static void check_row(const char* path, const rutVariableInfo* v) {
  char message[160];
  const char* end;
  double value;
  if (!rut_parse_quantity("1", v->unit, &value, &end, message)) {
    fail_msg("%s: '%s' has the unit '%s', which is none", path, v->name, v->unit);
  }
  if (!v->name[0] || !v->doc[0]) fail_msg("%s: '%s' has no name or no sentence", path, v->name);
}

static void check_element(const ExampleWorld* w, rutKind kind, int index, rutRole role) {
  static double number[MOST_NUMBERS];
  const int n = rut_variables(w->model, kind, index, role);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(w->model, kind, index, role, i);
    const rutVariableRange one = {kind, index, role, i, 1};
    check_row(w->path, &v);
    assert_true(v.count <= MOST_NUMBERS);
    assert_int_equal(rut_variables_read(w->model, w->data, &one, v.count, number), RUT_OK);
    for (int k = 0; k < v.count && !may_be_none(&v); k++) {
      if (isfinite(number[k])) continue;
      fail_msg("%s: '%s' of %s %s is %g at %g s", w->path, v.name, v.part,
               rut_name(w->model, kind, index), number[k], rut_time(w->data));
    }
  }
}

static void check_all(const ExampleWorld* w) {
  for (int kind = 0; kind < RUT_KIND_COUNT; kind++) {
    for (int i = 0; i < rut_count(w->model, (rutKind)kind); i++) {
      for (int role = 0; role < RUT_ROLE_COUNT; role++) {
        check_element(w, (rutKind)kind, i, (rutRole)role);
      }
    }
  }
}

// At the start, and after some steps.
static void look_at(ExampleWorld* w) {
  rutError err = {0};
  check_all(w);
  for (int i = 0; i < repetitions(150, 20); i++) {
    if (rut_step(w->model, w->data, &err) != RUT_OK) fail_msg("%s: %s", w->path, err.message);
  }
  check_all(w);
}

static void test_every_world(void** state) {
  (void)state;
  assert_true(for_example_worlds(look_at) >= 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_world)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
