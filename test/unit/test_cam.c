// SPDX-License-Identifier: BSD-3-Clause
//
// Tandem cams over cleats. Reference: heights and slopes of the effective road of a tyre
// 37x12.5R16.5 with R = 0.47 m, a_e = 1.0325 R, b_e = R, c = 1.8 and cams 0.192 m apart, computed
// on their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// after them
#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "vehicle/cam.h"

#define R 0.47

typedef struct Bench {
  rutCam cam;
  double power[RUT_CAM_PLACES];
  double height, half;  // of the cleat, which is at the world's origin
  double grade, bank;   // of the plane that it stands on
} Bench;

static Bench bench_of(double distance, double height, double length) {
  Bench b = {
      .cam = rut_cam_of(R, 1.0325 * R, R, 1.8, distance), .height = height, .half = 0.5 * length};
  rut_cam_powers(&b.cam, b.power);
  return b;
}

static rutCamPair stand(const Bench* b, double x, double z) {
  rutCamLine line = {0};
  const int n = 2 * b->cam.reach + 1;
  for (int j = 0; j < n; j++) {
    const double at = x + (j - b->cam.reach) * b->cam.spacing, off = at < 0 ? -at : at;
    line.z[j] = b->grade * at + (off <= b->half ? b->height : 0);
    line.slope[j] = b->grade;
  }
  for (int k = 0; k < 2 && b->height > 0; k++) {
    const double at = k ? b->half : -b->half;
    line.u[k] = at - x;
    line.z[n + k] = b->height + b->grade * at;
    line.corners = k + 1;
  }
  return rut_cam_stand(&b->cam, b->power, &line, (rutCamPlace){z, b->grade, b->bank});
}

// Height of the hub at which a part of the pair just touches, over that on level ground.
typedef double (*Part)(rutCamPair p);
static double front_of(rutCamPair p) { return p.front.distance; }
static double rear_of(rutCamPair p) { return p.rear.distance; }
static double both_of(rutCamPair p) { return 0.5 * (p.front.distance + p.rear.distance); }

static double lift_of(const Bench* b, double x, Part part) {
  double low = 0, high = 2 * b->height + 0.01;
  for (int i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    *(part(stand(b, x, R + middle)) > R ? &high : &low) = middle;
  }
  return high;
}

static void test_cleats(void** state) {
  static const struct Row {
    double height, length, most, middle, slope;
  } row[] = {{0.010, 0.010, 5.00e-3, 0.00, 0.0521},
             {0.010, 0.050, 5.00e-3, 1.72e-3, 0.0521},
             {0.030, 0.030, 19.49e-3, 19.49e-3, 0.1562},
             {0.030, 0.300, 30.0e-3, 30.0e-3, 0.1562},
             {0.100, 0.050, 91.7e-3, 91.7e-3, 0.469}};
  (void)state;
  for (int k = 0; k < (int)(sizeof row / sizeof *row); k += repetitions(1, 3)) {
    Bench b = bench_of(0.192, row[k].height, row[k].length);
    // each cam on its own, which the round of the tyre does not hold back
    b.cam.guard = 10;
    double most = 0, slope = 0;
    for (int i = -700; i <= 700; i++) {
      const double x = 1e-3 * i;
      const double front = lift_of(&b, x, front_of), rear = lift_of(&b, x, rear_of);
      const double mean = 0.5 * (front + rear), rise = (front - rear) / b.cam.distance;
      most = mean > most ? mean : most;
      slope = rise > slope ? rise : slope;
    }
    assert_near(most, row[k].most, 6e-5);
    assert_near(lift_of(&b, 0, both_of), row[k].middle, 6e-5);
    assert_near(slope, row[k].slope, 2e-4 + 0.002 * row[k].slope);
  }
}

// Two humps over a cleat of 1 cm, one over 3 cm.
static void test_humps(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double size = k ? 0.03 : 0.01;
    const Bench b = bench_of(0.192, size, size);
    int humps = 0;
    double extreme = 0, least = 0.1 * size;  // of a hump that counts
    bool rising = false;
    for (int i = -200; i <= 200; i++) {
      const double x = 2e-3 * i;
      const double z = lift_of(&b, x, both_of);
      if (rising ? z > extreme : z < extreme) extreme = z;
      if (rising ? z > extreme - least : z < extreme + least) continue;
      humps += rising;
      rising = !rising;
      extreme = z;
    }
    assert_int_equal(humps, k ? 1 : 2);
  }
}

static void test_onset(void** state) {
  static const double height[] = {0.010, 0.030, 0.100}, onset[] = {0.0788, 0.1438, 0.2708};
  (void)state;
  for (int k = 0; k < 3; k++) {
    const Bench b = bench_of(0, height[k], 0.010);
    double low = 0, high = 0.5;
    for (int i = 0; i < 50; i++) {
      const double x = 0.5 * (low + high);
      *(lift_of(&b, x, front_of) > 1e-5 ? &low : &high) = x;
    }
    assert_near(high - b.half, onset[k], 4e-4);
  }
}

// On any plane the distance is that from the plane, and its change the plane's normal.
static void test_planes(void** state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    Bench b = bench_of(0.192, 0, 0);
    b.grade = -0.4 + 0.4 * k;
    b.bank = 0.2 * k;
    const double scale = 1 / rut_sqrt(1 + b.grade * b.grade + b.bank * b.bank);
    const rutCamPair p = stand(&b, 0.123, 0.45 + 0.123 * b.grade);
    assert_near(p.front.distance, 0.45 * scale, 1e-12);
    assert_near(p.rear.distance, 0.45 * scale, 1e-12);
    assert_near(p.front.up, scale, 1e-12);
    assert_near(p.rear.along, -b.grade * scale, 1e-12);
  }
}

// The changes are those of the distance.
static void test_changes(void** state) {
  (void)state;
  const double step = 1e-6;
  int compared = 0;
  for (int k = 0; k < 2; k++) {
    const Bench b = bench_of(0.192, k ? 0.1 : 0.02, 0.03);
    for (int i = 0; i < 61; i++) {
      for (int j = 0; j < 5; j++) {
        const double x = -0.401 + 0.013 * i, z = 0.4 + 0.021 * j;
        const rutCamPair p = stand(&b, x, z);
        const rutCamPair right = stand(&b, x + step, z), left = stand(&b, x - step, z);
        const rutCamPair above = stand(&b, x, z + step), below = stand(&b, x, z - step);
        const double along = (right.front.distance - left.front.distance) / (2 * step);
        const double up = (above.rear.distance - below.rear.distance) / (2 * step);
        assert_near(p.front.along, along, 2e-4);
        assert_near(p.rear.up, up, 2e-4);
        compared += along != 0;
      }
    }
  }
  assert_true(compared > 50);
}

// A round wheel does not touch what is farther away than its radius.
static void test_wall(void** state) {
  (void)state;
  const Bench b = bench_of(0.192, 0.6, 0.2);
  for (int i = 2; i < 20; i++) {
    const double gap = 0.01 * i;
    const rutCamPair p = stand(&b, -0.1 - R - gap, R - 0.02);
    assert_near(p.front.distance, R - 0.02, 1e-9);
  }
  assert_true(stand(&b, -0.1 - R + 0.03, R - 0.02).front.distance < R - 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cleats), cmocka_unit_test(test_humps),   cmocka_unit_test(test_onset),
      cmocka_unit_test(test_planes), cmocka_unit_test(test_changes), cmocka_unit_test(test_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
