// SPDX-License-Identifier: BSD-3-Clause
//
// Lenses: pixels of known points, directions of pixels, distortion and its end.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/lens.h"

static const double PI = 3.14159265358979323846;

// The example camera of Bouguet's toolbox. Pixels by its equations, worked with other software:
// x = 0.2, y = -0.1: r^2 = 0.05, radial 1 - 0.0126745 + 0.0002967 = 0.9876222.
static void test_bouguet(void** state) {
  (void)state;
  rutLens lens = {.model = RUT_LENS_PERSPECTIVE,
                  .focal = 657.30,
                  .cx = 302.72,
                  .cy = 242.33,
                  .k1 = -0.25349,
                  .k2 = 0.11868,
                  .p1 = -0.00028,
                  .p2 = 0.00005};
  static const double point[2][3] = {{0.4, -0.2, 2}, {-0.7, 0.5, 1.5}};
  static const double want[2][2] = {{432.564448622, 177.399395114},
                                    {17.697575226998595, 445.8646369064296}};
  rut_lens_init(&lens);
  for (int i = 0; i < 2; i++) {
    double pixel[2], direction[3];
    assert_true(rut_lens_project(&lens, point[i], pixel));
    assert_near(pixel[0], want[i][0], 1e-9);
    assert_near(pixel[1], want[i][1], 1e-9);
    assert_true(rut_lens_ray(&lens, pixel, direction));
    const double length =
        sqrt(point[i][0] * point[i][0] + point[i][1] * point[i][1] + point[i][2] * point[i][2]);
    for (int k = 0; k < 3; k++) assert_near(direction[k], point[i][k] / length, 1e-12);
  }
}

// 604 pixels of 3.215 mm behind 3.5 mm see 49.34 degrees: 2 atan(3.215 / 7).
static void test_field_of_view(void** state) {
  (void)state;
  const double angle = 2 * atan(3.215 / 7);
  assert_near(rut_lens_focal(RUT_LENS_PERSPECTIVE, 604, angle), 3.5 / 3.215 * 604, 1e-9);
  assert_near(rut_lens_focal(RUT_LENS_EQUIDISTANT, 1000, PI), 1000 / PI, 1e-9);
  assert_near(rut_lens_focal(RUT_LENS_EQUISOLID, 1000, PI), 500 / sqrt(2.0), 1e-9);
  assert_near(rut_lens_focal(RUT_LENS_STEREOGRAPHIC, 1000, PI), 250, 1e-9);
}

// At 60 degrees to the right a fisheye's pixel lies at f pi/3, f, and f 2/sqrt 3 from the middle;
// and what it sees is also seen behind the camera, at 120 degrees.
static void test_fisheyes(void** state) {
  (void)state;
  static const double distance[] = {[RUT_LENS_EQUIDISTANT] = 1.0471975511965976,
                                    [RUT_LENS_EQUISOLID] = 1,
                                    [RUT_LENS_STEREOGRAPHIC] = 1.1547005383792515};
  for (rutLensModel model = RUT_LENS_EQUIDISTANT; model <= RUT_LENS_STEREOGRAPHIC; model++) {
    rutLens lens = {.model = model, .focal = 300, .cx = 400, .cy = 300};
    rut_lens_init(&lens);
    const double right[3] = {sin(PI / 3), 0, cos(PI / 3)}, behind[3] = {0, sin(2 * PI / 3), -0.5};
    double pixel[2], direction[3];
    assert_true(rut_lens_project(&lens, right, pixel));
    assert_near(pixel[0], 400 + 300 * distance[model], 1e-9);
    assert_near(pixel[1], 300, 1e-9);
    assert_true(rut_lens_project(&lens, behind, pixel));
    assert_true(pixel[1] > 300);
    assert_true(rut_lens_ray(&lens, pixel, direction));
    for (int k = 0; k < 3; k++) assert_near(direction[k], behind[k], 1e-12);
  }
}

// With k1 alone the distance r (1 + k1 r^2) is largest at r^2 = -1 / (3 k1), and has 2/3 of r
// there: what lies farther out is not seen, and pixels farther out see nothing.
static void test_fold(void** state) {
  (void)state;
  rutLens lens = {.model = RUT_LENS_PERSPECTIVE, .focal = 1, .k1 = -0.25349};
  rut_lens_init(&lens);
  const double edge = sqrt(1 / (3 * 0.25349));
  assert_near(lens.fold, edge * edge, 1e-9);
  double out[3];
  const double inside[3] = {edge - 1e-3, 0, 1}, outside[3] = {edge + 1e-3, 0, 1};
  const double back[3] = {0.1, 0, -1};
  assert_true(rut_lens_project(&lens, inside, out));
  assert_false(rut_lens_project(&lens, outside, out));
  assert_false(rut_lens_project(&lens, back, out));
  const double seen[2] = {edge * 2 / 3 - 1e-4, 0}, dark[2] = {edge * 2 / 3 + 1e-4, 0};
  assert_true(rut_lens_ray(&lens, seen, out));
  assert_false(rut_lens_ray(&lens, dark, out));
}

// Distorting what has been undistorted gives the pixel again, all over an image.
static void test_round_trip(void** state) {
  (void)state;
  rutLens lens = {.model = RUT_LENS_PERSPECTIVE,
                  .focal = 600,
                  .cx = 320,
                  .cy = 240,
                  .k1 = -0.3,
                  .k2 = 0.12,
                  .k3 = -0.01,
                  .p1 = 1e-3,
                  .p2 = -2e-3};
  rut_lens_init(&lens);
  for (int row = 0; row <= 480; row += 16) {
    for (int column = 0; column <= 640; column += 16) {
      const double pixel[2] = {column, row};
      double direction[3], again[2];
      assert_true(rut_lens_ray(&lens, pixel, direction));
      assert_true(rut_lens_project(&lens, direction, again));
      assert_near(again[0], pixel[0], 1e-9);
      assert_near(again[1], pixel[1], 1e-9);
    }
  }
}

// A row of pixels has the directions of its pixels one by one, bit for bit, also where some see
// nothing.
static void test_rows(void** state) {
  (void)state;
  enum { N = 203 };
  const rutLens lenses[] = {{.model = RUT_LENS_PERSPECTIVE, .focal = 90},
                            {.model = RUT_LENS_PERSPECTIVE, .focal = 90, .k1 = -0.3, .p2 = 1e-3},
                            {.model = RUT_LENS_PERSPECTIVE, .focal = 90, .k1 = 0.2, .k2 = 0.1},
                            {.model = RUT_LENS_EQUIDISTANT, .focal = 40},
                            {.model = RUT_LENS_EQUISOLID, .focal = 40},
                            {.model = RUT_LENS_STEREOGRAPHIC, .focal = 20}};
  int dark = 0;
  for (size_t k = 0; k < sizeof lenses / sizeof lenses[0]; k++) {
    rutLens lens = lenses[k];
    lens.cx = 101.5;
    lens.cy = 70;
    rut_lens_init(&lens);
    for (int row = 0; row < 140; row += 10) {
      double x[N], y[N], z[N];
      int seen[N];
      const double first[2] = {0.5, row};
      rut_lens_row(&lens, N, first, &(rutLensRays){{x, y, z}, seen});
      for (int i = 0; i < N; i++) {
        const double pixel[2] = {0.5 + i, row};
        double d[3];
        assert_int_equal(rut_lens_ray(&lens, pixel, d), seen[i]);
        dark += !seen[i];
        if (seen[i]) assert_true(d[0] == x[i] && d[1] == y[i] && d[2] == z[i]);
      }
    }
  }
  assert_true(dark > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bouguet),    cmocka_unit_test(test_field_of_view),
      cmocka_unit_test(test_fisheyes),   cmocka_unit_test(test_fold),
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
