// SPDX-License-Identifier: BSD-3-Clause
//
// Curves of a car: lengths that were worked out elsewhere by another program, each word by
// integrating where it leads, symmetries, and bounds.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "plan/reeds_shepp.h"
#include "repetitions.h"

static const double PI = 3.14159265358979323846;

static rutPlanPose pose(double x, double y, double degrees) {
  return (rutPlanPose){x, y, degrees * PI / 180};
}

static const rutPlanPose origin = {0, 0, 0};

static void test_reeds_shepp_lengths(void** state) {
  (void)state;
  const double known[][4] = {
      {0, 0, 180, 3.141593},  {0, 0, 90, 1.570796},  {0, 1, 0, 2.636232},    {0, 2, 0, 3.646953},
      {0, 4, 0, 5.478121},    {3, 1, -45, 3.483692}, {-1, 1, 180, 3.141593}, {5, -3, 135, 6.951505},
      {1, -2, 180, 3.377661}, {.3, .5, 0, 1.709208}, {2, 2, 90, 2.985010},   {7, 0, 0, 7},
      {-7, 0, 0, 7},          {0, 0, 0, 0},
  };
  for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
    const rutPlanPose to = pose(known[i][0], known[i][1], known[i][2]);
    assert_near(rut_plan_reeds_shepp(&origin, &to, 1).length, known[i][3], 6e-7);
    // lengths scale with the radius
    const rutPlanPose far = {5.72 * to.x, 5.72 * to.y, to.yaw};
    assert_near(rut_plan_reeds_shepp(&origin, &far, 5.72).length, 5.72 * known[i][3], 4e-6);
  }
}

static void test_dubins_lengths(void** state) {
  (void)state;
  const double known[][4] = {{0, 0, 180, 7.330383}, {0, 2, 0, 8.283185},   {5, -3, 135, 8.956031},
                             {7, 0, 0, 7},          {0, 0, 0, 0},          {0, 2, 180, 3.141593},
                             {1, 1, 90, 1.570796},  {1, -1, -90, 1.570796}};
  for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
    const rutPlanPose to = pose(known[i][0], known[i][1], known[i][2]);
    assert_near(rut_plan_dubins(&origin, &to, 1).length, known[i][3], 6e-7);
  }
}

static double uniform(uint64_t sample, uint32_t index, double size) {
  return size * (2 * rut_uniform(42, 7, sample, index) - 1);
}

static rutPlanPose random_pose(uint64_t sample, double size) {
  return (rutPlanPose){uniform(sample, 0, size), uniform(sample, 1, size), uniform(sample, 2, PI)};
}

// Integrates the motion of a car in small steps, by Runge and Kutta's rule.
static rutPlanPose integrate(rutPlanPose p, int pieces, const rutPlanPiece* piece) {
  for (int i = 0; i < pieces; i++) {
    const int steps = 1 + (int)(fabs(piece[i].length) * (1 + fabs(piece[i].curvature)) * 30);
    const double h = piece[i].length / steps, turn = h * piece[i].curvature;
    for (int k = 0; k < steps; k++) {
      // heading is linear, so that the rule is Simpson's
      p.x += h / 6 * (cos(p.yaw) + 4 * cos(p.yaw + turn / 2) + cos(p.yaw + turn));
      p.y += h / 6 * (sin(p.yaw) + 4 * sin(p.yaw + turn / 2) + sin(p.yaw + turn));
      p.yaw += turn;
    }
  }
  return p;
}

static void assert_same_pose(const rutPlanPose* a, const rutPlanPose* b, double tolerance) {
  assert_near(a->x, b->x, tolerance);
  assert_near(a->y, b->y, tolerance);
  assert_near(remainder(a->yaw - b->yaw, 2 * PI), 0, tolerance);
}

// Every word, wherever it exists, leads to its target, and each exists somewhere.
static void test_words(void** state) {
  (void)state;
  int exists[RUT_REEDS_SHEPP_WORDS] = {0};
  for (uint64_t n = 0; n < (uint64_t)repetitions(4000, 400); n++) {
    const rutPlanPose to = random_pose(n, n % 2 ? 2 : 8);
    double least = INFINITY;
    for (int word = 0; word < RUT_REEDS_SHEPP_WORDS; word++) {
      rutPlanCurve c;
      if (!rut_reeds_shepp_word(word, &to, &c)) continue;
      exists[word]++;
      double length = 0;
      for (int i = 0; i < c.pieces; i++) length += fabs(c.piece[i].length);
      assert_near(length, c.length, 1e-14 * (1 + length));
      least = fmin(least, length);
      const rutPlanPose end = integrate(origin, c.pieces, c.piece);
      assert_same_pose(&end, &to, 3e-8);
    }
    assert_near(rut_plan_reeds_shepp(&origin, &to, 1).length, least, 1e-12);
  }
  for (int word = 0; word < RUT_REEDS_SHEPP_WORDS; word++) assert_true(exists[word] > 0);
}

static void test_bounds(void** state) {
  (void)state;
  for (uint64_t n = 0; n < (uint64_t)repetitions(3000, 300); n++) {
    const rutPlanPose from = random_pose(2 * n, 5), to = random_pose(2 * n + 1, 5);
    const double radius = 0.2 + 3 * rut_uniform(42, 8, n, 0);
    const rutPlanCurve dubins = rut_plan_dubins(&from, &to, radius);
    const rutPlanCurve shortest = rut_plan_reeds_shepp(&from, &to, radius);
    const double straight = hypot(to.x - from.x, to.y - from.y);
    assert_true(shortest.length <= dubins.length + 1e-9);
    assert_true(shortest.length >= straight - 1e-9);
    // no longer than turning on the spot by two arcs at both ends
    assert_true(shortest.length <= straight + 2 * PI * radius);
    const rutPlanPose end = integrate(from, dubins.pieces, dubins.piece);
    assert_same_pose(&end, &to, 3e-8);
    const rutPlanPose other = integrate(from, shortest.pieces, shortest.piece);
    assert_same_pose(&other, &to, 3e-8);
    for (int i = 0; i < dubins.pieces; i++) assert_true(dubins.piece[i].length > 0);
    for (int i = 0; i < shortest.pieces; i++) {
      const double k = fabs(shortest.piece[i].curvature) * radius;
      assert_true(k == 0 || fabs(k - 1) < 1e-12);
    }
  }
}

// A path backwards, in a mirror, and driven the other way has the same length.
static void test_symmetries(void** state) {
  (void)state;
  for (uint64_t n = 0; n < (uint64_t)repetitions(3000, 300); n++) {
    const rutPlanPose to = random_pose(n + 100000, 4);
    const double length = rut_plan_reeds_shepp(&origin, &to, 1).length;
    const rutPlanPose mirror = {to.x, -to.y, -to.yaw}, gears = {-to.x, to.y, -to.yaw};
    assert_near(rut_plan_reeds_shepp(&origin, &mirror, 1).length, length, 4e-14);
    assert_near(rut_plan_reeds_shepp(&origin, &gears, 1).length, length, 4e-14);
    assert_near(rut_plan_reeds_shepp(&to, &origin, 1).length, length, 4e-14);
    const double forward = rut_plan_dubins(&origin, &to, 1).length;
    assert_near(rut_plan_dubins(&origin, &mirror, 1).length, forward, 4e-14);
    // from the target turned round back to the origin turned round
    const rutPlanPose from = {to.x, to.y, to.yaw + PI}, back = {0, 0, PI};
    assert_near(rut_plan_dubins(&from, &back, 1).length, forward, 4e-13);
  }
}

// No path of four pieces at random to the same pose is shorter.
static void test_none_is_shorter(void** state) {
  (void)state;
  for (uint64_t n = 0; n < (uint64_t)repetitions(20000, 500); n++) {
    rutPlanPiece piece[4];
    double length = 0, forward = 0;
    for (uint32_t i = 0; i < 4; i++) {
      piece[i].curvature = floor(3 * rut_uniform(1, 2, n, i)) - 1;
      piece[i].length = uniform(n, 10 + i, i % 2 ? 1.5 : 3);
      length += fabs(piece[i].length);
    }
    const rutPlanPose to = integrate(origin, 4, piece);
    assert_true(rut_plan_reeds_shepp(&origin, &to, 1).length <= length + 1e-7);
    for (int i = 0; i < 4; i++) {
      piece[i].length = fabs(piece[i].length);
      forward += piece[i].length;
    }
    const rutPlanPose ahead = integrate(origin, 4, piece);
    assert_true(rut_plan_dubins(&origin, &ahead, 1).length <= forward + 1e-7);
  }
}

static void test_samples(void** state) {
  (void)state;
  const rutPlanPose from = {1, 2, 0.3};
  const rutPlanPiece piece[] = {{2, 0.25}, {-1.3, -0.5}, {0.7, 0}};
  const rutPlanSampling sampling = {from, 3, piece, 0.25};
  rutPlanPoint point[32];
  const int n = rut_plan_sample(&sampling, 32, point);
  assert_int_equal(n, 1 + 8 + 6 + 3);
  assert_int_equal(rut_plan_sample(&sampling, 4, point), n);
  assert_int_equal(rut_plan_sample(&sampling, 0, NULL), n);
  rut_plan_sample(&sampling, 32, point);
  assert_near(point[n - 1].distance, 4, 1e-14);
  assert_true(point[8].gear == 1 && point[9].gear == -1 && point[14].gear == -1);
  const rutPlanPose end = integrate(from, 3, piece);
  assert_same_pose(&point[n - 1].pose, &end, 1e-9);
  const rutPlanPiece some[] = {{2, 0.25}, {-1.3 * 3 / 6, -0.5}};
  const rutPlanPose within = integrate(from, 2, some);
  assert_same_pose(&point[11].pose, &within, 1e-9);
  assert_near(point[11].distance, 2 + 1.3 / 2, 1e-14);
  for (int i = 1; i < n; i++) {
    assert_true(point[i].distance - point[i - 1].distance <= 0.25 + 1e-12);
  }
  // what has no parts is one: no spacing, lengths that are not finite
  const rutPlanPiece odd[] = {{NAN, 0}, {INFINITY, 1}, {1, 0}};
  assert_int_equal(rut_plan_sample(&(rutPlanSampling){from, 3, odd, .5}, 32, point), 1 + 1 + 1 + 2);
  assert_int_equal(rut_plan_sample(&(rutPlanSampling){from, 3, piece, 0}, 0, NULL), 1 + 3000000);
  assert_int_equal(rut_plan_sample(&(rutPlanSampling){from, 3, piece, NAN}, 32, point), 4);
  // no pieces: the start
  assert_int_equal(rut_plan_sample(&(rutPlanSampling){from, 0, NULL, 1}, 1, point), 1);
}

static void test_refused(void** state) {
  (void)state;
  const rutPlanPose to = {1, 1, 0}, odd = {NAN, 0, 0}, far = {0, INFINITY, 0};
  assert_true(isinf(rut_plan_dubins(&origin, &to, 0).length));
  assert_true(isinf(rut_plan_reeds_shepp(&origin, &to, -1).length));
  assert_true(isinf(rut_plan_reeds_shepp(&origin, &odd, 1).length));
  assert_true(isinf(rut_plan_dubins(&far, &to, 1).length));
  assert_int_equal(rut_plan_dubins(&origin, &odd, 1).pieces, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reeds_shepp_lengths),
      cmocka_unit_test(test_dubins_lengths),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_symmetries),
      cmocka_unit_test(test_none_is_shorter),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
