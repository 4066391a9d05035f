// SPDX-License-Identifier: BSD-3-Clause
//
// The estimator of position: rows of all measurements and the transition against differences,
// the noise of a sample against its integrals, what errors of a unit make of an open loop, and,
// over many runs with noise as it is told, consistent errors and innovations.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "math/quat.h"
#include "math/random.h"
#include "repetitions.h"
#include "rut/estimator.h"

enum { N = RUT_ERRORS };

static uint32_t draws;
static double normal(void) { return rut_normal(7, 1, 0, draws++); }

// A state in general position.
static rutEstimator general(void) {
  rutEstimator e;
  rutEstimatorDef def = rut_default_estimator();
  def.gated = false;
  assert_int_equal(rut_estimator_begin(&e, &def, NULL), RUT_OK);
  const rutQuat q = rut_quat_of_rpy(0.2, -0.3, 1.1);
  const double own[4] = {q.w, q.x, q.y, q.z}, p[3] = {3, -2, 1}, v[3] = {7, 4, -0.5};
  const double w[3] = {0.1, -0.2, 0.4};
  memcpy(e.attitude, own, sizeof own);
  memcpy(e.position, p, sizeof p);
  memcpy(e.velocity, v, sizeof v);
  memcpy(e.angular_velocity, w, sizeof w);
  e.wheel_scale = 0.03;
  return e;
}

// The state with an error put in.
static rutEstimator moved(const rutEstimator* from, int i, double by) {
  rutEstimator e = *from;
  double turn[3] = {0};
  if (i < 3) e.position[i] += by;
  if (i >= 3 && i < 6) e.velocity[i - 3] += by;
  if (i >= 6 && i < 9) turn[i - 6] = by;
  if (i >= 9 && i < 12) e.force_bias[i - 9] += by;
  if (i >= 12 && i < 15) e.rate_bias[i - 12] += by;
  if (i >= 12 && i < 15) e.angular_velocity[i - 12] -= by;
  if (i == 15) e.wheel_scale += by;
  const rutQuat q =
      rut_quat_mul(rut_quat(e.attitude[0], e.attitude[1], e.attitude[2], e.attitude[3]),
                   rut_quat_exp(rut_vec3(turn[0], turn[1], turn[2])));
  const double own[4] = {q.w, q.x, q.y, q.z};
  memcpy(e.attitude, own, sizeof own);
  return e;
}

// The error between two states.
static void difference(const rutEstimator* a, const rutEstimator* b, double out[N]) {
  for (int i = 0; i < 3; i++) {
    out[i] = a->position[i] - b->position[i];
    out[3 + i] = a->velocity[i] - b->velocity[i];
    out[9 + i] = a->force_bias[i] - b->force_bias[i];
    out[12 + i] = a->rate_bias[i] - b->rate_bias[i];
  }
  const rutQuat qa = rut_quat(a->attitude[0], a->attitude[1], a->attitude[2], a->attitude[3]);
  const rutQuat qb = rut_quat(b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]);
  const rutVec3 turn = rut_quat_log(rut_quat_mul(rut_quat_conjugate(qb), qa));
  rut_vec3_put(turn, out + 6);
  out[15] = a->wheel_scale - b->wheel_scale;
}

// ---- rows ----

// One measurement of each kind, of numbers that fit nothing in particular.
typedef void Take(rutEstimator* e, rutEstimatorFit* fit);
static const double LEVER[3] = {0.7, -0.4, 1.5}, REAR[3] = {-1.6, 0.1, -0.6};
static const double SMALL[3] = {1e-3, 1e-3, 1e-3}, ZERO[3] = {0};

static void take_fix(rutEstimator* e, rutEstimatorFit* fit) {
  rut_estimator_fix(e, LEVER, ZERO, SMALL, fit);
}
static void take_velocity(rutEstimator* e, rutEstimatorFit* fit) {
  rut_estimator_velocity(e, LEVER, ZERO, SMALL, fit);
}
static void take_baseline(rutEstimator* e, rutEstimatorFit* fit) {
  rut_estimator_baseline(e, LEVER, REAR, SMALL, fit);
}
static void take_wheels(rutEstimator* e, rutEstimatorFit* fit) {
  rut_estimator_wheels(e, REAR, 0, 1e-3, fit);
}
static void take_rolling(rutEstimator* e, rutEstimatorFit* fit) {
  rut_estimator_rolling(e, REAR, 0, SMALL, fit);
}
static void take_stands(rutEstimator* e, rutEstimatorFit* fit) {
  static const double rate[3] = {0.01, -0.02, 0.03};
  rut_estimator_stands(e, rate, 1e-3, 1e-3, fit);
}

// The squared innovation y'y/r of a state without doubt falls along an error d with the slope
// -2 y'h/r, by differences. A doubt p in that error alone, small against r, moves it by p y'h/r:
// the same product from the rows.
static void rows_find_errors(void** state) {
  static Take* const takes[] = {take_fix,    take_velocity, take_baseline,
                                take_wheels, take_rolling,  take_stands};
  // errors that each kind sees
  static const unsigned sees[] = {0x1c7, 0x71f8, 0x1c0, 0xe1b8, 0x71f8, 0x7038};
  (void)state;
  for (int kind = 0; kind < 6; kind++) {
    for (int i = 0; i < N; i++) {
      static const double STEP = 1e-6;
      rutEstimator e = general(), ahead = moved(&e, i, STEP), behind = moved(&e, i, -STEP);
      rutEstimatorFit at, more, less;
      // all errors known: only the noise is left, and the state is as before
      memset(e.covariance, 0, sizeof e.covariance);
      memset(ahead.covariance, 0, sizeof ahead.covariance);
      memset(behind.covariance, 0, sizeof behind.covariance);
      rutEstimator a = e, b = ahead, c = behind;
      takes[kind](&a, &at);
      takes[kind](&b, &more);
      takes[kind](&c, &less);
      // d(y'y)/dd = -2 y'h: the same from the rows, as a weakly known error moves by y'h p/r
      const double slope = (more.squared - less.squared) / (2 * STEP);
      rutEstimator weak = e;
      const double p = 1e-14, r = 1e-6;
      weak.covariance[i][i] = p;
      rutEstimator after = weak;
      takes[kind](&after, NULL);
      double d[N];
      difference(&after, &weak, d);
      const double by_rows = -2 * d[i] / p;
      assert_near(by_rows * r, slope * r, 2e-6 * (1 + fabs(slope * r)));
      const bool seen = sees[kind] >> i & 1;
      if (seen != (fabs(slope * r) > 1e-4)) {
        fail_msg("kind %d, error %d: slope %g", kind, i, slope * r);
      }
    }
  }
}

// ---- a sample ----

static void transition(void** state) {
  (void)state;
  static const double force[3] = {1.5, -2, 9}, rate[3] = {0.3, -0.5, 0.8};
  static const double DT = 0.002, STEP = 1e-5;
  for (int i = 0; i < N; i++) {
    const rutEstimator e = general();
    rutEstimator ahead = moved(&e, i, STEP), behind = moved(&e, i, -STEP), known = e;
    memset(known.covariance, 0, sizeof known.covariance);
    known.def.force_noise = known.def.rate_noise = known.def.force_walk = 0;
    known.def.rate_walk = known.def.scale_walk = 0;
    known.covariance[i][i] = 1;
    rut_estimator_predict(&ahead, force, rate, DT);
    rut_estimator_predict(&behind, force, rate, DT);
    rut_estimator_predict(&known, force, rate, DT);
    double d[N];
    difference(&ahead, &behind, d);
    // P = phi phi' of one column: its products with the entry that stays nearest to 1
    for (int k = 0; k < N; k++) {
      assert_near(known.covariance[k][i], d[k] / (2 * STEP) * d[i] / (2 * STEP), 2e-5);
    }
    // the same relative to what a sample changes, where it is not the identity
    for (int k = 0; k < N; k++) {
      if (k != i) assert_near(known.covariance[k][i] / DT, d[k] / (2 * STEP * DT), 0.01);
    }
  }
}

static void noise_of_a_sample(void** state) {
  (void)state;
  rutEstimatorDef def = rut_default_estimator();
  def.force_noise = 0.000981;
  def.force_walk = 1e-5;
  memset(def.deviation, 0, sizeof def.deviation);
  rutEstimator e;
  static const double force[3] = {0, 0, 9.81};
  rut_estimator_begin(&e, &def, NULL);
  rut_estimator_predict(&e, force, ZERO, 0.1);
  const int p = RUT_ERROR_POSITION, v = RUT_ERROR_VELOCITY, b = RUT_ERROR_FORCE_BIAS;
  assert_near(e.covariance[p][p], 3.2078705e-10, 1e-17);
  assert_near(e.covariance[p][v], 4.81180625e-9, 1e-17);
  assert_near(e.covariance[v][v], 9.62361333e-8, 1e-16);
  assert_near(e.covariance[v][b], -5e-13, 1e-19);
  assert_near(e.covariance[p][b], -1.6667e-14, 1e-18);
  assert_near(e.covariance[b][b], 1e-11, 1e-20);
  // gyroscopes with 1e-3 and 1e-2, and the scale with 1e-2: n^2 dt + k^2 dt^3/3, -k^2 dt^2/2, k^2
  // dt
  def.rate_noise = 1e-3;
  def.rate_walk = def.scale_walk = 1e-2;
  rut_estimator_begin(&e, &def, NULL);
  rut_estimator_predict(&e, force, ZERO, 0.1);
  const int th = RUT_ERROR_ATTITUDE, bg = RUT_ERROR_RATE_BIAS, scale = RUT_ERROR_WHEEL_SCALE;
  assert_near(e.covariance[th][th], 1e-7 + 1e-7 / 3, 1e-17);
  assert_near(e.covariance[th][bg], -5e-7, 1e-17);
  assert_near(e.covariance[bg][bg], 1e-5, 1e-17);
  assert_near(e.covariance[scale][scale], 1e-5, 1e-17);
}

// A turn of d about z, which a baseline along x shows: a doubt p about x is then one about the new
// axes as well, with the covariance -p d/2 of x and y to first order.
static void new_axes(void** state) {
  (void)state;
  static const double P = 0.01, TURN = 0.02, ALONG[3] = {1, 0, 0};
  rutEstimator e;
  rut_estimator_begin(&e, NULL, NULL);
  memset(e.covariance, 0, sizeof e.covariance);
  e.covariance[6][6] = P;
  e.covariance[8][8] = 1;
  const double seen[3] = {cos(TURN), sin(TURN), 0};
  rut_estimator_baseline(&e, ALONG, seen, SMALL, NULL);
  assert_near(e.attitude[3], sin(0.5 * TURN), 1e-5);
  assert_near(e.covariance[6][6], P, 1e-5);
  assert_near(e.covariance[6][7], -0.5 * P * TURN, 1e-7);
}

// 10 s and 60 s at rest on the level: standard deviation of the position by each error alone.
static void open_loop(void** state) {
  static const struct {
    double force_noise, rate_noise, force_bias, rate_bias, after_10, after_60;
  } cases[] = {{100 * 9.81e-6, 0, 0, 0, 0.0179, 0.263},
               {0, 0.005 * 0.017453292519943295, 0, 0, 0.0605, 5.34},
               {0, 0, 50 * 9.81e-6, 0, 0.0245, 0.883},
               {0, 0, 0, 3 * 0.017453292519943295 / 3600, 0.0238, 5.14}};
  (void)state;
  for (int c = 0; c < 4; c++) {
    rutEstimatorDef def = rut_default_estimator();
    def.gravity = 9.81;
    def.force_noise = cases[c].force_noise;
    def.rate_noise = cases[c].rate_noise;
    def.force_walk = def.rate_walk = def.scale_walk = 0;
    memset(def.deviation, 0, sizeof def.deviation);
    def.deviation[3] = cases[c].force_bias;
    def.deviation[4] = cases[c].rate_bias;
    rutEstimator e;
    static const double force[3] = {0, 0, 9.81};
    rut_estimator_begin(&e, &def, NULL);
    for (int i = 0; i < 6000; i++) {
      rut_estimator_predict(&e, force, ZERO, 0.01);
      if (i == 999)
        assert_near(sqrt(e.covariance[0][0]), cases[c].after_10, 6e-3 * cases[c].after_10);
    }
    assert_near(sqrt(e.covariance[0][0]), cases[c].after_60, 6e-3 * cases[c].after_60);
    assert_near(e.position[0], 0, 1e-9);
  }
}

// ---- runs with noise ----

// Solve a x = b in place, a symmetric and positive; returns b' a^-1 b.
static double weigh(int n, const double* a, const double* b) {
  double l[N][N] = {{0}}, y[N], sum = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double s = a[i * N + k];
      for (int j = 0; j < k; j++) s -= l[i][j] * l[k][j];
      l[i][k] = i == k ? sqrt(s) : s / l[k][k];
    }
    y[i] = b[i];
    for (int k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
    sum += y[i] * y[i];
  }
  return sum;
}

typedef struct Sums {
  double errors, fixes, wheels, rolling;
  int fix_numbers, wheel_numbers, rolling_numbers;
} Sums;

// 20 s on a circle that opens and closes, with a unit at 100 Hz, fixes at 5 Hz, and wheels at 20
// Hz.
static void run(Sums* sums) {
  static const double DT = 0.01, FIX[3] = {0.3, 0.3, 0.5}, ROLL[2] = {0.05, 0.1};
  rutEstimatorDef def = rut_default_estimator();
  const double start[6] = {0.5, 0.2, 0.02, 0.02, 1e-3, 0.01};
  memcpy(def.deviation, start, sizeof start);
  def.gated = false;
  rutEstimator truth, e;
  rut_estimator_begin(&truth, &def, NULL);
  rut_estimator_begin(&e, &def, NULL);
  truth.velocity[0] = e.velocity[0] = 8;
  // the truth is the state with an error of the covariance
  for (int i = 0; i < N; i++) truth = moved(&truth, i, start[i / 3] * normal());
  for (int i = 0; i < 2000; i++) {
    const double t = DT * i, turn = 0.4 + 0.2 * sin(0.5 * t);
    const rutQuat q =
        rut_quat(truth.attitude[0], truth.attitude[1], truth.attitude[2], truth.attitude[3]);
    const rutVec3 speed =
        rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3_of(truth.velocity));
    const rutVec3 up = rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3(0, 0, def.gravity));
    // along the heading, with a yaw rate that keeps wheels from sliding
    double w[3] = {0, 0, turn}, f[3], fm[3], wm[3];
    f[0] = 0.5 * cos(t) + up.x - turn * speed.y;
    f[1] = up.y + turn * speed.x - 2 * speed.y;
    f[2] = up.z - 2 * speed.z;
    // the unit adds biases, which walk, and noise
    for (int k = 0; k < 3; k++) {
      fm[k] = f[k] + truth.force_bias[k] + def.force_noise / sqrt(DT) * normal();
      wm[k] = w[k] + truth.rate_bias[k] + def.rate_noise / sqrt(DT) * normal();
      f[k] += truth.force_bias[k];
      w[k] += truth.rate_bias[k];
    }
    rut_estimator_predict(&truth, f, w, DT);
    rut_estimator_predict(&e, fm, wm, DT);
    for (int k = 0; k < 3; k++) {
      truth.force_bias[k] += def.force_walk * sqrt(DT) * normal();
      truth.rate_bias[k] += def.rate_walk * sqrt(DT) * normal();
    }
    truth.wheel_scale += def.scale_walk * sqrt(DT) * normal();
    const rutQuat now =
        rut_quat(truth.attitude[0], truth.attitude[1], truth.attitude[2], truth.attitude[3]);
    const rutMat3 axes = rut_quat_matrix(now);
    rutEstimatorFit fit;
    if (i % 20 == 19) {
      const rutVec3 antenna =
          rut_vec3_add(rut_vec3_of(truth.position), rut_mat3_apply(axes, rut_vec3_of(LEVER)));
      const double fix[3] = {antenna.x + FIX[0] * normal(), antenna.y + FIX[1] * normal(),
                             antenna.z + FIX[2] * normal()};
      rut_estimator_fix(&e, LEVER, fix, FIX, &fit);
      sums->fixes += fit.squared;
      sums->fix_numbers += fit.numbers;
    }
    if (i % 5 == 4) {
      const rutVec3 own = rut_mat3_apply_transposed(axes, rut_vec3_of(truth.velocity));
      const rutVec3 at =
          rut_vec3_add(own, rut_vec3_cross(rut_vec3_of(truth.angular_velocity), rut_vec3_of(REAR)));
      // the rate of the estimator has the noise of its sample, so that of the place is negligible
      rut_estimator_wheels(&e, REAR, (1 + truth.wheel_scale) * at.x + 0.05 * normal(), 0.05, &fit);
      sums->wheels += fit.squared;
      sums->wheel_numbers += fit.numbers;
      // told as sideways what it is, with noise; upwards likewise it is 0 but for noise
      if (fabs(at.z) < 1) {
        rut_estimator_velocity(&e, ZERO,
                               (double[3]){truth.velocity[0] + ROLL[1] * normal(),
                                           truth.velocity[1] + ROLL[1] * normal(),
                                           truth.velocity[2] + ROLL[1] * normal()},
                               (double[3]){ROLL[1], ROLL[1], ROLL[1]}, &fit);
        sums->rolling += fit.squared;
        sums->rolling_numbers += fit.numbers;
      }
    }
  }
  double d[N];
  difference(&truth, &e, d);
  sums->errors += weigh(N, &e.covariance[0][0], d);
}

static void consistency(void** state) {
  enum { RUNS = 50 };
  (void)state;
  Sums sums = {0};
  draws = 0;
  for (int i = 0; i < RUNS; i++) run(&sums);
  // 95 % of means of 50 sums of 16 squares lie between 14.47 and 17.61: 16 +- 1.96 sqrt(32/50)
  assert_near(sums.errors / RUNS, 16, 1.96 * sqrt(2.0 * N / RUNS));
  assert_near(sums.fixes / sums.fix_numbers, 1, 3 * sqrt(2.0 / sums.fix_numbers));
  assert_near(sums.wheels / sums.wheel_numbers, 1, 3 * sqrt(2.0 / sums.wheel_numbers));
  assert_near(sums.rolling / sums.rolling_numbers, 1, 3 * sqrt(2.0 / sums.rolling_numbers));
}

// ---- levelling, standing, refusals ----

// ---- fixes that arrive late ----

// What the wheels tell at the end of a sample.
static void measure_wheels(rutEstimator* e, const rutEstimatorSample* s, void* user) {
  (void)user;
  rut_estimator_wheels(e, REAR, s->speed, 0.05, NULL);
}

// A vehicle at 20 m/s along a bend: the truth, and filters that know fixes in time, late, and late
// but take them as they arrive.
typedef struct Drive {
  rutEstimator truth, in_time, late, ignoring;
  rutEstimatorPast past;
  rutEstimatorSample ring[64];
  double error, fix_squares;  // normalised squares of `late`
  int fix_numbers;
  double way;    // of `ignoring` behind the truth, mean [m]
  double apart;  // largest distance of `late` and `in_time` after a fix [m]
} Drive;

static const double FIX_NOISE[3] = {0.3, 0.3, 0.5};

static void begin_drive(Drive* d) {
  rutEstimatorDef def = rut_default_estimator();
  // 20 m/s (1 - cos(error of the attitude)), which is not in the rows, has to be small beside what
  // 100 wheel speeds a second tell
  const double start[6] = {0.5, 0.2, 0.005, 0.02, 1e-3, 0.01};
  memcpy(def.deviation, start, sizeof start);
  def.gated = false;
  rut_estimator_begin(&d->truth, &def, NULL);
  d->truth.velocity[0] = 20;
  d->late = d->truth;
  for (int i = 0; i < N; i++) d->truth = moved(&d->truth, i, start[i / 3] * normal());
  d->in_time = d->ignoring = d->late;
  d->past =
      (rutEstimatorPast){.then = d->late, .sample = d->ring, .room = 64, .measure = measure_wheels};
}

// A sample of 10 ms for all of them.
static void step_drive(Drive* d, int i) {
  static const double DT = 0.01;
  const rutEstimatorDef* def = &d->truth.def;
  const rutQuat q = rut_quat(d->truth.attitude[0], d->truth.attitude[1], d->truth.attitude[2],
                             d->truth.attitude[3]);
  const rutVec3 up = rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3(0, 0, def->gravity));
  const double turn = 0.1 * sin(0.3 * DT * i);
  double f[3] = {up.x, up.y + 20 * turn, up.z}, w[3] = {0, 0, turn};
  rutEstimatorSample s = {.time = DT * (i + 1), .dt = DT, .span = DT};
  for (int k = 0; k < 3; k++) {
    f[k] += d->truth.force_bias[k];
    w[k] += d->truth.rate_bias[k];
    s.specific_force[k] = f[k] + def->force_noise / sqrt(DT) * normal();
    s.angular_velocity[k] = w[k] + def->rate_noise / sqrt(DT) * normal();
  }
  rut_estimator_predict(&d->truth, f, w, DT);
  for (int k = 0; k < 3; k++) {
    d->truth.force_bias[k] += def->force_walk * sqrt(DT) * normal();
    d->truth.rate_bias[k] += def->rate_walk * sqrt(DT) * normal();
  }
  d->truth.wheel_scale += def->scale_walk * sqrt(DT) * normal();
  const rutQuat now = rut_quat(d->truth.attitude[0], d->truth.attitude[1], d->truth.attitude[2],
                               d->truth.attitude[3]);
  const rutVec3 own =
      rut_mat3_apply_transposed(rut_quat_matrix(now), rut_vec3_of(d->truth.velocity));
  const rutVec3 at =
      rut_vec3_add(own, rut_vec3_cross(rut_vec3_of(d->truth.angular_velocity), rut_vec3_of(REAR)));
  s.speed = (1 + d->truth.wheel_scale) * at.x + 0.05 * normal();
  rutEstimator* const all[3] = {&d->in_time, &d->late, &d->ignoring};
  for (int k = 0; k < 3; k++) {
    rut_estimator_predict(all[k], s.specific_force, s.angular_velocity, DT);
    measure_wheels(all[k], &s, NULL);
  }
  rut_estimator_keep(&d->past, &s);
}

static void find_fix(const rutEstimator* truth, double fix[3]) {
  const rutQuat q =
      rut_quat(truth->attitude[0], truth->attitude[1], truth->attitude[2], truth->attitude[3]);
  const rutVec3 arm = rut_mat3_apply(rut_quat_matrix(q), rut_vec3_of(LEVER));
  rut_vec3_put(rut_vec3_add(rut_vec3_of(truth->position), arm), fix);
  for (int k = 0; k < 3; k++) fix[k] += FIX_NOISE[k] * normal();
}

// 20 s with fixes at 5 Hz that are `late` samples late, the vehicle being at 20 m/s.
static void drive_late(Drive* d, int late) {
  double fix[3] = {0};
  begin_drive(d);
  for (int i = 0; i < 2000; i++) {
    step_drive(d, i);
    const int measured = i % 20, arrives = (i - late) % 20;
    if (measured == 9) {
      find_fix(&d->truth, fix);
      rut_estimator_fix(&d->in_time, LEVER, fix, FIX_NOISE, NULL);
    }
    if (i < late + 9 || arrives != 9) continue;
    rutEstimatorFit fit;
    assert_true(rut_estimator_go_back(&d->past, 0.01 * (i - late + 1)));
    rut_estimator_fix(&d->past.then, LEVER, fix, FIX_NOISE, &fit);
    rut_estimator_catch_up(&d->past, &d->late);
    rut_estimator_fix(&d->ignoring, LEVER, fix, FIX_NOISE, NULL);
    d->fix_squares += fit.squared;
    d->fix_numbers += fit.numbers;
    for (int k = 0; k < 3; k++) {
      d->apart = fmax(d->apart, fabs(d->late.position[k] - d->in_time.position[k]));
    }
    const double east = d->truth.position[0] - d->ignoring.position[0];
    const double north = d->truth.position[1] - d->ignoring.position[1];
    const double speed = hypot(d->truth.velocity[0], d->truth.velocity[1]);
    // the position alone hangs back; what speeds are is known from the wheels
    if (i > 1000)
      d->way += (east * d->truth.velocity[0] + north * d->truth.velocity[1]) / speed / 49;
  }
  double off[N];
  difference(&d->truth, &d->late, off);
  d->error = weigh(N, &d->late.covariance[0][0], off);
}

// Going back gives what a filter has that gets fixes in time, errors and innovations as large as it
// says; taking a fix when it arrives leaves the vehicle behind by speed times latency.
static void late_fixes(void** state) {
  enum { LATE = 15, RUNS = 50 };
  (void)state;
  static Drive d;
  double errors = 0, fixes = 0, way = 0;
  int numbers = 0;
  draws = 500000;
  const int runs = repetitions(RUNS, 2);
  for (int i = 0; i < runs; i++) {
    memset(&d, 0, sizeof d);
    drive_late(&d, LATE);
    errors += d.error;
    fixes += d.fix_squares;
    numbers += d.fix_numbers;
    way += d.way / runs;
    assert_true(d.apart < 1e-6);
  }
  assert_near(fixes / numbers, 1, 3 * sqrt(2.0 / numbers));
  if (runs == RUNS) assert_near(errors / runs, N, 1.96 * sqrt(2.0 * N / runs));
  // 20 m/s for 0.15 s
  assert_near(way, 3, 0.3);
}

// A fix within a sample divides it; one from before what is kept is too old.
static void late_within_a_sample(void** state) {
  (void)state;
  static Drive d;
  draws = 600000;
  memset(&d, 0, sizeof d);
  begin_drive(&d);
  for (int i = 0; i < 80; i++) step_drive(&d, i);
  // 64 samples are kept: since 0.16 s
  assert_near(d.past.time, 0.16, 1e-9);
  assert_false(rut_estimator_go_back(&d.past, 0.155));
  assert_true(rut_estimator_go_back(&d.past, 0.304));
  assert_near(d.past.time, 0.304, 1e-12);
  // it has gone 0.304 s at 20 m/s or so, and catching up is what it was
  assert_near(d.past.then.position[0], 0.304 * 20, 0.5);
  rutEstimator again;
  rut_estimator_catch_up(&d.past, &again);
  for (int k = 0; k < 3; k++) {
    assert_near(again.position[k], d.late.position[k], 1e-6);
    assert_near(again.velocity[k], d.late.velocity[k], 1e-6);
  }
  // later than the last sample: that
  assert_true(rut_estimator_go_back(&d.past, 1));
  assert_near(d.past.time, 0.8, 1e-9);
  assert_int_equal(d.past.count, 0);
}

static void levelling(void** state) {
  (void)state;
  rutEstimator e;
  rut_estimator_begin(&e, NULL, NULL);
  const rutQuat q = rut_quat_of_rpy(0.1, -0.2, 0.7);
  const rutVec3 f = rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3(0, 0, 9.81));
  const double force[3] = {f.x, f.y, f.z}, rate[3] = {1e-3, -2e-3, 3e-3};
  rut_estimator_level(&e, force, rate, 0.7, 0.05, 0.015);
  const double expected[4] = {q.w, q.x, q.y, q.z};
  for (int i = 0; i < 4; i++) assert_near(e.attitude[i], expected[i], 1e-12);
  for (int i = 0; i < 3; i++) assert_near(e.rate_bias[i], rate[i], 0);
  // about the vertical axis the yaw's deviation, across it bias over gravity
  const rutVec3 up = rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3(0, 0, 1));
  const double u[3] = {up.x, up.y, up.z};
  double along = 0, all = 0;
  for (int i = 0; i < 3; i++) {
    all += e.covariance[6 + i][6 + i];
    for (int k = 0; k < 3; k++) along += u[i] * u[k] * e.covariance[6 + i][6 + k];
  }
  const double tilt = 0.025 / 9.81;  // of 0.02 and 0.015
  assert_near(along, 0.05 * 0.05, 1e-15);
  assert_near(all, 0.05 * 0.05 + 2 * tilt * tilt, 1e-15);
}

// Begun anew: roll and pitch as they were, the rest as told, doubts as at the start but of the
// attitude, and nothing known of the sensors.
static void restarting(void** state) {
  (void)state;
  rutEstimator e = general();
  static const double place[3] = {5, 6, 7}, speed[3] = {1, 2, 3};
  e.force_bias[1] = e.rate_bias[2] = 0.1;
  e.covariance[2][8] = e.covariance[8][2] = 0.3;
  rut_estimator_restart(&e, place, speed, -2.5, 0.1, 0.2);
  const rutQuat q = rut_quat_of_rpy(0.2, -0.3, -2.5);
  const double expected[4] = {q.w, q.x, q.y, q.z};
  for (int i = 0; i < 4; i++) assert_near(e.attitude[i], expected[i], 1e-12);
  for (int i = 0; i < 3; i++) {
    assert_near(e.position[i], place[i], 0);
    assert_near(e.velocity[i], speed[i], 0);
    assert_near(e.angular_velocity[i], general().angular_velocity[i], 0);
    assert_near(e.force_bias[i] + e.rate_bias[i] + e.wheel_scale, 0, 0);
    assert_near(e.covariance[i][i], 100, 1e-12);
    assert_near(e.covariance[3 + i][3 + i], 1, 1e-12);
    for (int k = 0; k < 6; k++) assert_near(e.covariance[6 + i][k], 0, 0);
  }
  // about the vertical axis the yaw's deviation, about two others that of tilt
  const rutVec3 up = rut_mat3_apply_transposed(rut_quat_matrix(q), rut_vec3(0, 0, 1));
  const double u[3] = {up.x, up.y, up.z};
  double along = 0, all = 0;
  for (int i = 0; i < 3; i++) {
    all += e.covariance[6 + i][6 + i];
    for (int k = 0; k < 3; k++) along += u[i] * u[k] * e.covariance[6 + i][6 + k];
  }
  assert_near(along, 0.1 * 0.1, 1e-15);
  assert_near(all, 0.1 * 0.1 + 2 * 0.2 * 0.2, 1e-15);
  // what the gate refused before passes
  rutEstimatorFit fit;
  rut_estimator_fix(&e, ZERO, place, SMALL, &fit);
  assert_true(fit.used);
}

static void standing(void** state) {
  (void)state;
  rutEstimator e = general();
  static const double rate[3] = {1e-3, 2e-3, -1e-3};
  rut_estimator_stands(&e, rate, 0.01, 1e-4, NULL);
  for (int i = 0; i < 3; i++) {
    // variances of 1 and 1e-6 before: gains of 1/(1 + 1e-4) and 1e-6/(1e-6 + 1e-8)
    assert_near(e.velocity[i], general().velocity[i] * 1e-4 / (1 + 1e-4), 1e-9);
    assert_near(e.rate_bias[i], rate[i] * 1e-6 / (1e-6 + 1e-8), 1e-12);
    assert_near(e.angular_velocity[i], general().angular_velocity[i] - e.rate_bias[i], 1e-12);
  }
}

static void refusals(void** state) {
  (void)state;
  rutEstimator e, before;
  rutEstimatorDef def = rut_default_estimator();
  rutError err = {0};
  def.rate_noise = -1;
  assert_int_equal(rut_estimator_begin(&e, &def, &err), RUT_ERR_ARGUMENT);
  def = rut_default_estimator();
  def.struct_size = 3;
  assert_int_equal(rut_estimator_begin(&e, &def, &err), RUT_ERR_VERSION);
  def = rut_default_estimator();
  rut_estimator_begin(&e, &def, NULL);
  before = e;
  rutEstimatorFit fit;
  const double nan[3] = {NAN, 0, 0}, far[3] = {1e3, 0, 0};
  rut_estimator_fix(&e, LEVER, nan, SMALL, &fit);
  assert_false(fit.used);
  rut_estimator_fix(&e, LEVER, ZERO, ZERO, &fit);
  assert_false(fit.used);
  // a kilometre with 10 m of doubt does not pass the gate
  rut_estimator_fix(&e, LEVER, far, SMALL, &fit);
  assert_false(fit.used);
  assert_true(fit.squared > 16.266);
  rut_estimator_predict(&e, nan, ZERO, 0.01);
  rut_estimator_predict(&e, ZERO, ZERO, -1);
  assert_memory_equal(&e, &before, sizeof e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_find_errors),  cmocka_unit_test(transition),
      cmocka_unit_test(noise_of_a_sample), cmocka_unit_test(new_axes),
      cmocka_unit_test(open_loop),         cmocka_unit_test(consistency),
      cmocka_unit_test(late_fixes),        cmocka_unit_test(late_within_a_sample),
      cmocka_unit_test(levelling),         cmocka_unit_test(restarting),
      cmocka_unit_test(standing),          cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
