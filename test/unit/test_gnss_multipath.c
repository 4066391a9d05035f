// SPDX-License-Identifier: BSD-3-Clause
//
// Multipath of satellite positioning: the errors of code and carrier, the paths by way of walls,
// and the statistics of what is left.
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/geodesy.h"
#include "geom/satellites.h"
#include "sense/gnss_multipath.h"
#include "world_fixture.h"

enum { POSITION = 3, DEVIATION = 5, USED = 8, FIX = 9 };
enum { NONE, SINGLE, DGPS, FLOAT, FIXED };
static const double PI = 3.14159265358979323846;
static const double CHIP = 293.0522561, WAVELENGTH = 0.1902936728;  // GPS C/A, L1

// ---- laws ----

static double correlation(double chips) { return fmax(0, 1 - fabs(chips)); }

// Zero of the early-late discriminator by bisection [m].
static double tracked(double amplitude, double extra, double spacing) {
  const double a = amplitude * cos(2 * PI * extra / WAVELENGTH + PI), d = extra / CHIP;
  const double half = spacing / 2;
  double low = -half, high = half;
  for (int i = 0; i < 100; i++) {
    const double e = 0.5 * (low + high);
    const double zero = correlation(e - half) - correlation(e + half) +
                        a * (correlation(e - d - half) - correlation(e - d + half));
    if (zero > 0) {
      high = e;
    } else {
      low = e;
    }
  }
  return CHIP * low;
}

static void test_code(void** state) {
  (void)state;
  static const double spacing[] = {0.1, 0.5, 1}, amplitude[] = {0.1, 0.5, 0.9};
  double longest = 0;
  for (int s = 0; s < 3; s++) {
    for (int a = 0; a < 3; a++) {
      for (int i = 0; i < 1250; i++) {
        const double extra = 0.03 + 0.37 * i;
        const double error = rut_code_multipath(amplitude[a], extra, spacing[s]);
        assert_near(error, tracked(amplitude[a], extra, spacing[s]), 1e-5);
        if (s == 0 && a == 1) longest = fmax(longest, error);
      }
    }
  }
  // the envelope of narrow correlators: a s/2 chips
  assert_near(longest, 0.5 * 0.05 * CHIP, 0.01);
  assert_near(rut_code_multipath(0.5, 1.06 * CHIP, 0.1), 0, 0);
}

// The argument of the sum of both signals; a quarter of a wave at most.
static void test_carrier(void** state) {
  (void)state;
  for (int i = 0; i < 77; i++) {
    const double extra = 0.013 * i;
    const double complex sum = 1 + 0.6 * cexp(-I * (2 * PI * extra / WAVELENGTH + PI));
    const double error = rut_carrier_multipath(0.6, extra);
    assert_near(error, -carg(sum) * WAVELENGTH / (2 * PI), 1e-9);
    assert_true(fabs(error) <= asin(0.6) * WAVELENGTH / (2 * PI) + 1e-12);
  }
  // a quarter of a wave later, turned over, the reflection comes a quarter of a wave early
  assert_near(rut_carrier_multipath(0.6, WAVELENGTH / 4), -atan(0.6) * WAVELENGTH / (2 * PI), 1e-9);
}

// ---- walls ----

#define GROUND "<world timestep='0.01' latitude='48.7 deg' longitude='9.1 deg' altitude='300'>"
#define WALL(NAME, X, TOP)                                                          \
  "<block name='" NAME "' fixed='true' shape='box' size='2 10000 200' position='" X \
  "' z_max='" TOP "'/>"
#define QUIET                                                                           \
  " single_horizontal='0' single_vertical='0' fixed_horizontal='0' fixed_vertical='0' " \
  "velocity_noise='0' range_error='0' max_pdop='1000' "

static World open_world(const char* walls, const char* sensor, int hour) {
  static const rutComponent* const no_types[] = {NULL};
  char text[2000];
  snprintf(text, sizeof text,
           GROUND "%s<sensor type='gnss' z='2' period='0.01' constellation_time='%d' %s/></world>",
           walls, hour * 3600, sensor);
  return open_world_with(text, 0, no_types);
}

static const double* real(const World* w, int output) {
  static const double nothing[3] = {NAN, NAN, NAN};
  const double* found = rut_sensor_output(w->model, w->data, 0, output, NULL);
  return found ? found : nothing;
}

static int count(const World* w, int output) {
  const uint8_t* found = rut_sensor_output(w->model, w->data, 0, output, NULL);
  return found ? *found : -1;
}

static int in_view(int hour, rutVec3 direction[RUT_SATELLITES]) {
  const rutTangentPlane plane =
      rut_tangent_plane((rutGeodetic){48.7 * PI / 180, 9.1 * PI / 180, 300});
  rutVec3 all[RUT_SATELLITES];
  int n = 0;
  rut_satellites(hour * 3600 + 0.01, all);
  for (int i = 0; i < RUT_SATELLITES; i++) {
    const rutVec3 to = rut_vec3_sub(rut_enu_of_ecef(&plane, all[i]), rut_vec3(0, 0, 2));
    const rutVec3 d = rut_vec3_unit(to);
    if (d.z > sin(10 * PI / 180)) direction[n++] = d;
  }
  return n;
}

// Least squares of -u . x + c = error, by elimination of the normal equations.
static void solve_position(int n, const rutVec3* u, const double* error, double x[3]) {
  double m[4][5] = {{0}};
  for (int i = 0; i < n; i++) {
    const double row[5] = {-u[i].x, -u[i].y, -u[i].z, 1, error[i]};
    for (int r = 0; r < 4; r++) {
      for (int c = 0; c < 5; c++) m[r][c] += row[r] * row[c];
    }
  }
  for (int p = 0; p < 4; p++) {
    for (int r = 0; r < 4; r++) {
      const double f = r == p ? 0 : m[r][p] / m[p][p];
      for (int c = 0; c < 5; c++) m[r][c] -= f * m[p][c];
    }
  }
  for (int k = 0; k < 3; k++) x[k] = m[k][4] / m[k][k];
}

// A wall 10 m east that ends 15 m above the antenna: a satellite in the west is reflected if its
// ray to the wall, as steep as that to the satellite, meets it: u_z < 1.5 |u_x|. The path is
// 2 d cos(elevation) cos(azimuth) = 2 d |u_x| longer.
static void check_wall(const char* attributes, int fix, bool solved) {
  int reflected = 0, places = 0;
  for (int hour = 0; hour < 12; hour++) {
    World w = open_world(WALL("wall", "11 0", "17"), attributes, hour);
    rutVec3 all[RUT_SATELLITES], seen[RUT_SATELLITES];
    double error[RUT_SATELLITES], expected[3];
    int n = 0;
    const int above = in_view(hour, all);
    for (int i = 0; i < above; i++) {
      const rutVec3 u = all[i];
      const double extra = 20 * -u.x;
      const bool hidden = u.x > 0 && u.z < 1.5 * u.x, twice = u.x < 0 && u.z < -1.5 * u.x;
      if (hidden) continue;
      error[n] = !twice         ? 0
                 : fix == FIXED ? rut_carrier_multipath(0.4, extra)
                                : tracked(0.4, extra, 0.2);
      reflected += twice;
      seen[n++] = u;
    }
    run(&w, 1);
    assert_int_equal(count(&w, USED), n);
    if (count(&w, FIX) == fix) {
      solve_position(n, seen, error, expected);
      // a solution for ranges also feels that directions differ by 1e-6 along the error
      for (int k = 0; k < 3; k++) {
        assert_near(real(&w, POSITION)[k] - (k == 2 ? 2 : 0), expected[k], solved ? 1e-3 : 2e-4);
      }
      places++;
    }
    close_world(&w);
  }
  assert_true(reflected > 20 && places >= 6);
}

static void test_wall(void** state) {
  (void)state;
#define MIRROR " reflection='0.4' correlator_spacing='0.2'" QUIET
  check_wall(MIRROR, SINGLE, false);
  check_wall(MIRROR "solution='pseudoranges'", SINGLE, true);
  check_wall(MIRROR "corrections='rtk' fixed_time='0'", FIXED, false);
}

// A street between that wall and one of 98 m above the antenna in the west, 10 m away, too. In the
// west none is in sight. Satellites in the east with k = u_z/u_x below 1.5 are hidden; the high
// wall reflects those that the low one, 20 m from it, does not hide from there: k > 0.5. Their
// ranges are 20 u_x too long. RTK leaves them out.
static void check_street(bool rtk) {
  int indirect = 0, places = 0;
  for (int hour = 0; hour < 24; hour++) {
    World w = open_world(WALL("wall", "11 0", "17") WALL("high", "-11 0", "100"),
                         rtk ? MIRROR "corrections='rtk' fixed_time='0'" : MIRROR, hour);
    rutVec3 all[RUT_SATELLITES], seen[RUT_SATELLITES];
    double error[RUT_SATELLITES], expected[3];
    int n = 0;
    const int above = in_view(hour, all);
    for (int i = 0; i < above; i++) {
      const rutVec3 u = all[i];
      const double k = u.z / fabs(u.x), extra = 20 * fabs(u.x);
      const bool hidden = u.x > 0 ? k < 1.5 : k < 9.8;
      if (hidden && (rtk || u.x < 0 || k < 0.5)) continue;
      const bool twice = u.x > 0 && k < 9.8;
      error[n] = hidden ? extra : twice ? tracked(0.4, extra, 0.2) : 0;
      indirect += hidden;
      seen[n++] = u;
    }
    run(&w, 1);
    assert_int_equal(count(&w, USED), n);
    if (count(&w, FIX) == SINGLE) {
      solve_position(n, seen, error, expected);
      for (int k = 0; k < 3; k++) {
        assert_near(real(&w, POSITION)[k] - (k == 2 ? 2 : 0), expected[k],
                    1e-5 * fabs(expected[k]) + 2e-3);
      }
      places++;
    }
    close_world(&w);
  }
  assert_true(rtk || (indirect > 15 && places >= 3));
}

static void test_street(void** state) {
  (void)state;
  check_street(false);
  check_street(true);
}

// Without errors, without reflections, and where the wall is farther than signals are followed.
static void test_none(void** state) {
  (void)state;
  static const char* const quiet[] = {"noise='none'", QUIET "reflection='0'",
                                      QUIET "reflection_range='9'", QUIET "preset='mvsim'"};
  for (int i = 0; i < 4; i++) {
    World w = open_world(WALL("wall", "11 0", "17"), quiet[i], 4);
    run(&w, 1);
    assert_int_equal(count(&w, FIX), SINGLE);
    assert_near(real(&w, POSITION)[0], 0, 1e-6);
    assert_near(real(&w, POSITION)[2], 2, 1e-6);
    close_world(&w);
  }
}

// ---- statistics ----

// White errors over the stated deviation, sigma times the dilution, are standard normal: Pearson's
// chi-squared of 20 classes of equal probability, 19 degrees of freedom, is below 43.8 in 99.9 %.
static void check_distribution(const char* attributes) {
  enum { CLASSES = 20, N = 8000 };
  World w = open_world("", attributes, 0);
  int times[3][CLASSES] = {{0}};
  for (int i = 0; i < N; i++) {
    run(&w, 1);
    for (int k = 0; k < 3; k++) {
      const double z = (real(&w, POSITION)[k] - (k == 2 ? 2 : 0)) / real(&w, DEVIATION)[k];
      const int which = (int)(CLASSES * 0.5 * erfc(-z / sqrt(2)));
      times[k][which < CLASSES ? which : CLASSES - 1]++;
    }
  }
  close_world(&w);
  for (int k = 0; k < 3; k++) {
    double squares = 0;
    const double mean = (double)N / CLASSES;
    for (int c = 0; c < CLASSES; c++) squares += (times[k][c] - mean) * (times[k][c] - mean) / mean;
    if (!(squares < 43.8)) fail_msg("axis %d: chi-squared %g", k, squares);
    assert_true(squares > 4.0);  // 99.99 %: numbers that lie too evenly are no noise
  }
}

static void test_distribution(void** state) {
  (void)state;
  check_distribution("white_share='1'");
  check_distribution("white_share='1' solution='pseudoranges' range_error='2'");
}

// Residuals of a solution with n ranges, over their standard deviation, have a sum of squares with
// n - 4 degrees of freedom; the sum of all epochs is chi-squared with the sum of these, f, and is
// within 4 sqrt(2 f) of it.
static void test_residuals(void** state) {
  (void)state;
  const rutTangentPlane plane =
      rut_tangent_plane((rutGeodetic){48.7 * PI / 180, 9.1 * PI / 180, 300});
  const double sigma = 3;
  uint64_t seed = 1;
  double squares = 0, freedom = 0;
  for (int epoch = 0; epoch < 500; epoch++) {
    rutVec3 all[RUT_SATELLITES], used[RUT_SATELLITES], found = plane.origin;
    double range[RUT_SATELLITES], clock;
    int n = 0;
    rut_satellites(170.0 * epoch, all);
    for (int i = 0; i < RUT_SATELLITES; i++) {
      if (rut_enu_of_ecef(&plane, all[i]).z < 5e6) continue;
      double normal = -6;  // sum of 12 uniform numbers
      for (int k = 0; k < 12; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        normal += (double)(seed >> 11) / 9007199254740992.0;
      }
      used[n] = all[i];
      range[n++] = rut_vec3_norm(rut_vec3_sub(all[i], plane.origin)) + sigma * normal;
    }
    if (!rut_pseudorange_solve(n, used, range, &found, &clock)) continue;
    for (int i = 0; i < n; i++) {
      const double residual = range[i] - clock - rut_vec3_norm(rut_vec3_sub(used[i], found));
      squares += residual * residual / (sigma * sigma);
    }
    freedom += n - 4;
  }
  assert_true(freedom > 800);
  assert_near(squares, freedom, 4 * sqrt(2 * freedom));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_code),     cmocka_unit_test(test_carrier),
      cmocka_unit_test(test_wall),     cmocka_unit_test(test_street),
      cmocka_unit_test(test_none),     cmocka_unit_test(test_distribution),
      cmocka_unit_test(test_residuals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
