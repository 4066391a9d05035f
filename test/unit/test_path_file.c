// SPDX-License-Identifier: BSD-3-Clause
//
// Paths from replays (.vprp) and waypoints (JSON) of MAVS.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "format/path_file.h"

#define HEAD "QS VANE REPLAY FILE\nVersion: 1\nVehicle Objects: 4\n@Data\n"

static rutStatus parse(const char* text, rutPathPoints* out, rutReporter* reporter) {
  *reporter = (rutReporter){0};
  return rut_path_parse(text, strlen(text), "x.vprp", reporter, out);
}

static void test_replay(void** state) {
  (void)state;
  rutReporter reporter;
  rutPathPoints p;
  // lines of wheels, blanks, a repeated instant, DOS line ends, what stands after the end
  const char* text = HEAD
      "0.01:-1000.0 0.5 2.0:1.0 0.0 0.0 0.0\r\n1:0.1 0.2 0.3:1 0 0 0:7 8\r\n\r\n"
      "0.02:-1000.0 0.5 2.1:1.0 0.0 0.0 0.0\n 0.03 : 1e3 -2 2 : 1 0 0 0\n@END OF REPLAY FILE\n"
      "0.04:5 5 5:1 0 0 0\n";
  assert_int_equal(parse(text, &p, &reporter), RUT_OK);
  assert_int_equal(p.n, 2);
  assert_true(p.xy[0] == -1000 && p.xy[1] == 0.5 && p.xy[2] == 1000 && p.xy[3] == -2);
  rut_path_points_free(&p);
}

static void test_waypoints(void** state) {
  (void)state;
  rutReporter reporter;
  rutPathPoints p;
  const char* text =
      "{\"Waypoints\": [[-9.844, 37.921], [-5.64, 17.311], [1, 2, 3]],\n"
      "\"Solve Potential\": true}";
  assert_int_equal(parse(text, &p, &reporter), RUT_OK);
  assert_int_equal(p.n, 3);
  assert_true(p.xy[1] == 37.921 && p.xy[4] == 1);
  rut_path_points_free(&p);
}

static void test_faults(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int line;
  } bad[] = {
      {"", "no path that rut can read", 1},
      {"0 0\n1 1\n", "no path that rut can read", 1},
      {"QS VANE REPLAY FILE\n", "no '@Data'", 1},
      {HEAD, "has no points", 1},
      {HEAD "0:1 2 3:1 0 0 0\n0:a 2 3:1 0 0 0\n", "all of them numbers", 6},
      {HEAD "0:1 nan 3:1 0 0 0\n", "", 5},
      {HEAD "0:1e9 2 3:1 0 0 0\n", "out of range", 5},
      {"{\"Waypoints\": 4}", "needs the list", 1},
      {"{\"Waypoints\": []}", "has no points", 1},
      {"{\"Waypoints\": [[1, 2],\n[3]]}", "list of two numbers", 2},
      {"{\"Waypoints\": [[1, \"a\"]]}", "list of two numbers", 1},
      {"{\"Waypoints\": [[1, 2]], \"Format\": \"LongLatAltEasting\"}", "'Local' are read", 1},
      {"{\"Waypoints\": ", "", 1},
  };
  for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
    rutReporter reporter;
    rutPathPoints p;
    assert_int_not_equal(parse(bad[i].text, &p, &reporter), RUT_OK);
    assert_int_equal(p.n, 0);
    if (!strstr(reporter.first.message, bad[i].message)) fail_msg("%s", reporter.first.message);
    assert_int_equal(reporter.first.line, bad[i].line);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_replay),
                                     cmocka_unit_test(test_waypoints),
                                     cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
