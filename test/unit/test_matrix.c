// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/matrix.h"
#include "format/points.h"
#include "math/rut_math.h"

static rutStatus parse(const char* text, rutReporter* reporter, rutMatrix* m) {
  // a copy of exactly this size lets the address sanitizer see a read past the end
  size_t size = strlen(text);
  char* copy = malloc(size ? size : 1);
  memcpy(copy, text, size);
  memset(reporter, 0, sizeof *reporter);
  rutStatus status =
      rut_matrix_parse(copy, size, (rutPlace){"m.txt", 0, 0}, "<kernel>", reporter, m);
  free(copy);
  return status;
}

static void check(const char* text, int rows, int cols, const double* value) {
  rutReporter reporter;
  rutMatrix m;
  assert_int_equal(parse(text, &reporter, &m), RUT_OK);
  assert_int_equal(m.rows, rows);
  assert_int_equal(m.cols, cols);
  for (int i = 0; i < rows * cols; i++) {
    if (!(fabs(m.value[i] - value[i]) <= 1e-15))
      fail_msg("%s: entry %d is %g", text, i, m.value[i]);
  }
  rut_matrix_free(&m);
  assert_null(m.value);
}

static void reads_every_spelling(void** state) {
  (void)state;
  const double four[] = {1, 2, 3, 4}, six[] = {1, -2.5, 3e-2, 4, 5, 6}, one[] = {7};
  check("[1 2;3 4]", 2, 2, four);
  check("  [ 1, 2 ; 3, 4 ; ]  \n", 2, 2, four);
  check("[1 2\n 3 4\n]", 2, 2, four);
  check("1 2\r\n3 4\r\n", 2, 2, four);
  check("1,2\n3,4", 2, 2, four);
  check("% heights\n1 2 # first\n\n3 4\n", 2, 2, four);
  check("[1 -2.5 3e-2;4 5 6]", 2, 3, six);
  check("\t7", 1, 1, one);
  check("[7]", 1, 1, one);
}

static void expect_error(const char* text, int line, int column, const char* part) {
  rutReporter reporter;
  rutMatrix m;
  assert_int_equal(parse(text, &reporter, &m), RUT_ERR_PARSE);
  assert_null(m.value);
  assert_int_equal(reporter.errors, 1);
  if (!strstr(reporter.first.message, part)) fail_msg("%s: %s", text, reporter.first.message);
  assert_string_equal(reporter.first.file, "m.txt");
  assert_int_equal(reporter.first.line, line);
  assert_int_equal(reporter.first.column, column);
}

static void errors_name_the_place(void** state) {
  (void)state;
  expect_error("1 2\n3 x4", 2, 3, "row 2, entry 2: 'x4' is not a finite number");
  expect_error("1 2\n3 4 5\n", 2, 6, "row 2 has 3 entries, the rows before it have 2");
  expect_error("[1 2;3", 1, 7, "ends before ']'");
  expect_error("[1 2] 3", 1, 7, "text after ']'");
  expect_error("", 1, 1, "no numbers");
  expect_error("[]", 1, 3, "no numbers");
  expect_error("1,,2", 1, 3, "a comma without a number before it");
  expect_error("1,\n2,", 1, 3, "a comma without a number after it");
  expect_error("1 nan", 1, 3, "'nan' is not a finite number");
  expect_error("1 1e999", 1, 3, "not a finite number");
  expect_error("[[1]]", 1, 2, "'[1' is not");
}

static void element_text_is_reported_at_the_element(void** state) {
  (void)state;
  rutReporter reporter = {0};
  rutMatrix m;
  rutPlace place = {"w.xml", 12, 5};
  assert_int_equal(rut_matrix_parse("1\nb", 3, place, "<x>", &reporter, &m), RUT_ERR_PARSE);
  assert_int_equal(reporter.first.line, 12);
  assert_int_equal(reporter.first.column, 5);
  assert_string_equal(reporter.first.element, "<x>");
}

static void smoothing(void** state) {
  (void)state;
  rutReporter reporter = {0};
  rutPlace place = {"w.xml", 1, 1};
  double spike[25] = {0}, kernel[9] = {0, 0.1, 0, 0.2, 0.4, 0.2, 0, 0.1, 0}, level[25];
  spike[12] = 1;
  rutMatrix m = {5, 5, spike}, k = {3, 3, kernel}, out;
  assert_int_equal(rut_matrix_smooth(&m, &k, place, "", &reporter, &out), RUT_OK);
  // a unit spike spreads into the kernel (mirrored, which this one does not show)
  const double expected[] = {0, 0.1, 0, 0.2, 0.4, 0.2, 0, 0.1, 0};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      assert_true(fabs(out.value[(r + 1) * 5 + c + 1] - expected[3 * r + c]) < 1e-15);
    }
  }
  rut_matrix_free(&out);
  // level ground stays level up to its borders
  for (int i = 0; i < 25; i++) level[i] = 3;
  rutMatrix flat = {5, 5, level};
  assert_int_equal(rut_matrix_smooth(&flat, &k, place, "", &reporter, &out), RUT_OK);
  for (int i = 0; i < 25; i++) assert_true(fabs(out.value[i] - 3) < 1e-14);
  rut_matrix_free(&out);
}

static void smoothing_takes_no_odd_kernels(void** state) {
  (void)state;
  double value[4] = {1, 2, 3, 4}, kernel[4] = {0.25, 0.25, 0.25, 0.25}, heavy[1] = {2};
  rutMatrix m = {2, 2, value}, even = {2, 2, kernel}, sum = {1, 1, heavy}, out;
  rutReporter reporter = {0};
  rutPlace place = {"w.xml", 1, 1};
  assert_int_equal(rut_matrix_smooth(&m, &even, place, "", &reporter, &out), RUT_ERR_PARSE);
  assert_int_equal(rut_matrix_smooth(&m, &sum, place, "", &reporter, &out), RUT_ERR_PARSE);
  assert_null(out.value);
}

static void points_from_text(void** state) {
  (void)state;
  rutReporter reporter = {0};
  rutPoints p;
  const char* text = "% x y z\n1 2 3 9\n4,5,6,9\n";
  assert_int_equal(rut_points_parse(text, strlen(text), "p.txt", 3, &reporter, &p), RUT_OK);
  assert_int_equal(p.n, 2);
  assert_int_equal(reporter.warnings, 1);
  for (int i = 0; i < 6; i++) assert_true(p.xyz[i] == i + 1);
  rut_points_free(&p);
  assert_int_equal(rut_points_parse("1 2\n", 4, "p.txt", 2, &reporter, &p), RUT_OK);
  assert_true(p.xyz[0] == 1 && p.xyz[1] == 2 && p.xyz[2] == 0);
  rut_points_free(&p);
  assert_int_equal(rut_points_parse("1 2\n", 4, "p.txt", 3, &reporter, &p), RUT_ERR_PARSE);
}

static uint32_t seed = 5;
static double random_unit(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static void resampling_takes_the_nearest_point(void** state) {
  (void)state;
  enum { N = 400 };
  double xyz[3 * N];
  for (int i = 0; i < N; i++) {
    xyz[3 * i] = 500000 + 10 * random_unit();
    xyz[3 * i + 1] = -20 + 8 * random_unit();
    xyz[3 * i + 2] = random_unit();
  }
  rutPoints points = {N, xyz};
  rutReporter reporter = {0};
  rutMatrix m;
  double corner[2];
  rutPlace place = {"dem.txt", 0, 0};
  assert_int_equal(rut_points_resample(&points, 0.5, place, &reporter, &m, corner), RUT_OK);
  assert_int_equal(m.rows, 20);
  assert_int_equal(m.cols, 16);
  int same = 0;
  for (int r = 0; r < m.rows; r++) {
    for (int c = 0; c < m.cols; c++) {
      int best = 0;
      double least = 1e9;
      for (int i = 0; i < N; i++) {
        double d =
            rut_hypot(xyz[3 * i] - corner[0] - 0.5 * r, xyz[3 * i + 1] - corner[1] - 0.5 * c);
        if (d < least) {
          least = d;
          best = i;
        }
      }
      same += m.value[r * m.cols + c] == xyz[3 * best + 2];
    }
  }
  // the sweeps miss the nearest point only where it hides behind nearer ones of all neighbours
  assert_true(same >= 20 * 16 - 3);
  rut_matrix_free(&m);
  // two points far apart still reach every node
  double pair[] = {0, 0, 1, 9.9, 9.9, 2};
  rutPoints two = {2, pair};
  assert_int_equal(rut_points_resample(&two, 1, place, &reporter, &m, corner), RUT_OK);
  assert_int_equal(m.rows, 10);
  for (int r = 0; r < 10; r++) {
    for (int c = 0; c < 10; c++) {
      double x = 0.5 + r, y = 0.5 + c;
      double nearer = rut_hypot(x, y) <= rut_hypot(x - 9.9, y - 9.9) ? 1 : 2;
      assert_true(m.value[r * 10 + c] == nearer);
    }
  }
  rut_matrix_free(&m);
  assert_int_equal(rut_points_resample(&two, 1e-9, place, &reporter, &m, corner), RUT_ERR_PARSE);
  assert_int_equal(rut_points_resample(&two, 100, place, &reporter, &m, corner), RUT_ERR_PARSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_spelling),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(element_text_is_reported_at_the_element),
      cmocka_unit_test(smoothing),
      cmocka_unit_test(smoothing_takes_no_odd_kernels),
      cmocka_unit_test(points_from_text),
      cmocka_unit_test(resampling_takes_the_nearest_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
