// SPDX-License-Identifier: BSD-3-Clause
//
// Elementary functions against libm in extended precision and against exact values; vectors,
// matrices and quaternions against identities.
#include <float.h>
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
#include "math/rut_math.h"
#include "math/solve3.h"
#include "math/vec.h"

// Arguments are widened to extended precision on purpose.
#pragma GCC diagnostic ignored "-Wdouble-promotion"

enum { SAMPLES = 200000 };
static const double pi = 3.14159265358979323846;

// Uniform in [0, 1), xorshift64 (Marsaglia, J. Stat. Soft. 8(14), 2003).
static double uniform(uint64_t* seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) * 0x1p-53;
}

// ---------------------------------------------------------------------------------------------
// Accuracy

// Distance in units of the last place of the exact value.
static double ulps(double got, long double exact) {
  int exponent = 0;
  if (exact == 0.0L) return got == 0.0 ? 0.0 : HUGE_VAL;
  frexpl(exact, &exponent);
  if (exponent < DBL_MIN_EXP) exponent = DBL_MIN_EXP;
  return (double)(fabsl((long double)got - exact) / ldexpl(1.0L, exponent - DBL_MANT_DIG));
}

// Functions as pointers, since the header's are inline.
#define WRAP(name) \
  static double own_##name(double x) { return rut_##name(x); }
WRAP(sin)
WRAP(cos)
WRAP(tan)
WRAP(atan)
WRAP(asin)
WRAP(acos)
WRAP(exp)
WRAP(expm1)
WRAP(log)
WRAP(log10)
WRAP(tanh)
WRAP(sinh)
WRAP(cosh)

typedef struct interval {
  double (*function)(double);
  long double (*exact)(long double);
  double low, high;
  double limit;  // [ulp]
} interval;

static void test_accuracy(void** state) {
  (void)state;
  static const interval intervals[] = {
      {own_sin, sinl, -10.0, 10.0, 1.0},     {own_cos, cosl, -10.0, 10.0, 1.0},
      {own_sin, sinl, -1e5, 1e5, 1.0},       {own_cos, cosl, -8e5, 8e5, 1.0},
      {own_tan, tanl, -10.0, 10.0, 2.5},     {own_atan, atanl, -1.0, 1.0, 1.5},
      {own_atan, atanl, -100.0, 100.0, 1.5}, {own_asin, asinl, -1.0, 1.0, 1.5},
      {own_acos, acosl, -1.0, 1.0, 1.5},     {own_exp, expl, -1.0, 1.0, 1.0},
      {own_exp, expl, -708.0, 709.7, 1.0},   {own_expm1, expm1l, -1e-3, 1e-3, 1.0},
      {own_expm1, expm1l, -5.0, 5.0, 2.0},   {own_log, logl, 0.0, 3.0, 1.0},
      {own_log, logl, 0.99, 1.01, 1.0},      {own_log, logl, 0.0, 1e300, 1.0},
      {own_log10, log10l, 0.0, 1e9, 1.0},    {own_tanh, tanhl, -6.0, 6.0, 2.5},
      {own_sinh, sinhl, -30.0, 30.0, 2.5},   {own_cosh, coshl, -30.0, 30.0, 2.5}};
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof intervals / sizeof *intervals; ++i) {
    const interval* t = &intervals[i];
    for (int k = 0; k < SAMPLES; ++k) {
      const double x = t->low + (t->high - t->low) * uniform(&seed);
      const double error = ulps(t->function(x), t->exact(x));
      if (!(error <= t->limit)) fail_msg("interval %zu: %g ulp at %.17g", i, error, x);
    }
  }
}

static void test_accuracy_of_two_arguments(void** state) {
  (void)state;
  uint64_t seed = 2;
  for (int k = 0; k < SAMPLES; ++k) {
    const double x = uniform(&seed) - 0.5, y = uniform(&seed) - 0.5;
    assert_true(ulps(rut_atan2(y, x), atan2l(y, x)) <= 2.0);
    const double base = 10.0 * uniform(&seed), exponent = 10.0 * x;
    assert_true(ulps(rut_pow(base, exponent), powl(base, exponent)) <= 2.0);
    assert_true(ulps(rut_hypot(x, y), hypotl(x, y)) <= 1.5);
  }
}

// Angles of many turns lose accuracy slowly, and stay within [-1, 1].
static void test_large_angles(void** state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < SAMPLES; ++k) {
    const double x = ldexp(uniform(&seed) - 0.5, 20 + (int)(23.0 * uniform(&seed)));
    assert_near(rut_sin(x), (double)sinl(x), 1e-9);
    assert_near(rut_cos(x), (double)cosl(x), 1e-9);
  }
  assert_true(fabs(rut_sin(1e300)) <= 1.0 && fabs(rut_cos(-1e18)) <= 1.0);
}

// ---------------------------------------------------------------------------------------------
// Special values

static void test_exact_values(void** state) {
  (void)state;
  assert_true(rut_sin(0.0) == 0.0 && rut_cos(0.0) == 1.0);
  assert_true(rut_sin(pi) == 1.2246467991473532e-16);  // rounding error of pi
  assert_true(rut_atan2(1.0, 1.0) == 0.25 * pi && rut_atan2(1.0, 0.0) == 0.5 * pi);
  assert_true(rut_atan2(0.0, -1.0) == pi && rut_atan2(-1.0, 0.0) == -0.5 * pi);
  assert_true(rut_atan2(0.0, 0.0) == 0.0 && rut_atan2(1.0, -1.0) == 0.75 * pi);
  assert_true(rut_asin(1.0) == 0.5 * pi && rut_acos(-1.0) == pi && rut_acos(1.0) == 0.0);
  assert_true(rut_exp(0.0) == 1.0 && rut_log(1.0) == 0.0 && rut_expm1(0.0) == 0.0);
  assert_true(rut_tanh(0.0) == 0.0 && rut_tanh(50.0) == 1.0 && rut_tanh(-50.0) == -1.0);
  double power = 1.0;
  for (int k = 0; k <= 22; ++k, power *= 10.0) assert_true(rut_log10(power) == k);
  for (int k = -1022; k <= 1023; ++k) assert_true(rut_power_of_two(k) == ldexp(1.0, k));
}

static void test_powers(void** state) {
  (void)state;
  assert_true(rut_pow(2.0, 10.0) == 1024.0 && rut_pow(-2.0, 3.0) == -8.0);
  assert_true(rut_pow(-3.0, 2.0) == 9.0 && rut_pow(5.0, 0.0) == 1.0 && rut_pow(0.0, 0.0) == 1.0);
  assert_true(rut_pow(0.0, 2.5) == 0.0 && isinf(rut_pow(0.0, -1.0)));
  assert_true(rut_pow(4.0, 0.5) == 2.0 && rut_pow(1.0, 1e300) == 1.0);
  assert_true(isinf(rut_pow(2.0, 1e9)) && rut_pow(2.0, -1e9) == 0.0);
  assert_true(isnan(rut_pow(-2.0, 0.5)));
}

static void test_rounding_helpers(void** state) {
  (void)state;
  assert_true(rut_floor(1.5) == 1.0 && rut_floor(-1.5) == -2.0 && rut_floor(3.0) == 3.0);
  assert_true(rut_floor(-1e-300) == -1.0 && rut_floor(1e300) == 1e300);
  assert_true(rut_floor(2251799813685249.5) == 2251799813685249.0);
  uint64_t seed = 4;
  for (int k = 0; k < SAMPLES; ++k) {
    const double x = ldexp(uniform(&seed) - 0.5, (int)(60.0 * uniform(&seed)));
    assert_true(rut_floor(x) == floor(x));
  }
  assert_true(rut_sign(-2.0) == -1.0 && rut_sign(0.0) == 0.0 && rut_sign(3.0) == 1.0);
  assert_true(rut_clamp(5.0, -1.0, 2.0) == 2.0 && rut_clamp(-5.0, -1.0, 2.0) == -1.0);
  assert_true(rut_min(1.0, 2.0) == 1.0 && rut_max(1.0, 2.0) == 2.0);
}

static void test_non_finite_arguments(void** state) {
  (void)state;
  static double (*const functions[])(double) = {own_sin,  own_cos,  own_tan, own_atan,  own_asin,
                                                own_acos, own_exp,  own_log, own_expm1, own_log10,
                                                own_tanh, own_sinh, own_cosh};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    assert_true(isnan(functions[i](RUT_NAN)));
  assert_true(isnan(rut_sin(RUT_INFINITY)) && isnan(rut_cos(-RUT_INFINITY)));
  assert_true(rut_exp(RUT_INFINITY) == RUT_INFINITY && rut_exp(-RUT_INFINITY) == 0.0);
  assert_true(rut_log(RUT_INFINITY) == RUT_INFINITY && rut_log(0.0) == -RUT_INFINITY);
  assert_true(isnan(rut_log(-1.0)) && isnan(rut_asin(1.5)) && isnan(rut_acos(-1.5)));
  assert_true(rut_atan(-RUT_INFINITY) == -0.5 * pi && rut_tanh(RUT_INFINITY) == 1.0);
  assert_true(isnan(rut_atan2(RUT_NAN, 1.0)) && isnan(rut_atan2(1.0, RUT_NAN)));
  assert_true(isnan(rut_pow(RUT_NAN, 2.0)) && isnan(rut_pow(2.0, RUT_NAN)));
  assert_true(isnan(rut_clamp(RUT_NAN, 0.0, 1.0)) && isnan(rut_floor(RUT_NAN)));
  assert_true(isinf(rut_sinh(800.0)) && isinf(rut_cosh(800.0)) && isinf(rut_expm1(800.0)));
  assert_true(!rut_is_finite(RUT_NAN) && !rut_is_finite(-RUT_INFINITY) && rut_is_finite(1.0));
  // Subnormal numbers: log of 2^-1074, and the exponential that leads there.
  assert_near(rut_log(4.9406564584124654e-324), -744.4400719213812, 1e-12);
  assert_true(rut_exp(-745.0) == 4.9406564584124654e-324);
}

// ---------------------------------------------------------------------------------------------
// Same bits everywhere

// FNV-1a over the bits of results.
static void mix(uint64_t* hash, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  for (int i = 0; i < 8; ++i) {
    *hash ^= (bits >> (8 * i)) & 0xffu;
    *hash *= UINT64_C(0x100000001b3);
  }
}

enum { BATCH = 64, BATCHES = 112, RESULTS = 14 };

// Loops as the simulator has them, so that they are vector code where that is built.
static void evaluate_batch(const double* x, const double* y, double out[RESULTS][BATCH]) {
#pragma omp simd
  for (int i = 0; i < BATCH; ++i) {
    rut_sincos(x[i], &out[0][i], &out[1][i]);
    out[2][i] = rut_tan(x[i]);
    out[3][i] = rut_atan(x[i]);
    out[4][i] = rut_atan2(x[i], y[i]);
  }
#pragma omp simd
  for (int i = 0; i < BATCH; ++i) {
    const double z = x[i] * 0.05;
    out[5][i] = rut_asin(z);
    out[6][i] = rut_acos(z);
    out[7][i] = rut_exp(x[i]);
    out[8][i] = rut_log(rut_abs(x[i]));
    out[9][i] = rut_log10(rut_abs(y[i]));
  }
#pragma omp simd
  for (int i = 0; i < BATCH; ++i) {
    out[10][i] = rut_pow(rut_abs(x[i]), y[i]);
    out[11][i] = rut_tanh(y[i]);
    out[12][i] = rut_sinh(y[i]);
    out[13][i] = rut_floor(x[i]);
  }
}

// 100352 results. The number was the same for gcc 12 and clang 14, at -O0 to -O3, with SSE2, AVX2
// and FMA.
static void test_bits_do_not_depend_on_the_build(void** state) {
  (void)state;
  uint64_t seed = 5, hash = UINT64_C(0xcbf29ce484222325);
  for (int b = 0; b < BATCHES; ++b) {
    double x[BATCH], y[BATCH], out[RESULTS][BATCH];
    for (int i = 0; i < BATCH; ++i) {
      x[i] = 40.0 * (uniform(&seed) - 0.5);
      y[i] = 20.0 * (uniform(&seed) - 0.5);
    }
    evaluate_batch(x, y, out);
    for (int r = 0; r < RESULTS; ++r) {
      for (int i = 0; i < BATCH; ++i) mix(&hash, out[r][i]);
    }
  }
  if (hash != UINT64_C(0x64473834f1ec4d40)) fail_msg("hash is %016llx", (unsigned long long)hash);
}

// ---------------------------------------------------------------------------------------------
// Rotations

static void assert_same_matrix(rutMat3 a, rutMat3 b, double tolerance) {
  for (int i = 0; i < 9; ++i) assert_near(a.m[i], b.m[i], tolerance);
}
static rutVec3 random_vector(uint64_t* seed, double size) {
  const double x = uniform(seed), y = uniform(seed), z = uniform(seed);
  return rut_vec3(size * (2.0 * x - 1.0), size * (2.0 * y - 1.0), size * (2.0 * z - 1.0));
}

static void test_rotation_forms_agree(void** state) {
  (void)state;
  uint64_t seed = 6;
  for (int k = 0; k < 2000; ++k) {
    const rutVec3 r = random_vector(&seed, k % 2 ? 1.8 : 1e-5);
    const rutQuat q = rut_quat_exp(r);
    assert_near(rut_quat_norm(q), 1.0, 4e-16);
    const rutVec3 back = rut_quat_log(q);
    assert_near(back.x, r.x, 1e-14);
    assert_near(back.y, r.y, 1e-14);
    assert_near(back.z, r.z, 1e-14);
    // The same rotation by axis and angle.
    const double angle = rut_vec3_norm(r);
    const rutMat3 m = rut_quat_matrix(q);
    assert_same_matrix(m, rut_mat3_about(rut_vec3_unit(r), rut_sin(angle), rut_cos(angle)), 2e-15);
    const rutMat3 mt = rut_mat3_mul(m, rut_mat3_transpose(m));
    assert_same_matrix(mt, rut_mat3_identity(), 2e-15);
    const rutQuat again = rut_quat_of_matrix(m);
    const double sign = again.w * q.w < 0.0 ? -1.0 : 1.0;
    assert_near(sign * again.x, q.x, 2e-15);
    assert_near(sign * again.w, q.w, 2e-15);
  }
}

// All four cases of the matrix's largest part: half turns about each axis.
static void test_quaternion_of_half_turns(void** state) {
  (void)state;
  const rutVec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.0, 0.8}, {0.0, -0.28, 0.96}};
  for (int i = 0; i < 5; ++i) {
    const rutMat3 half = rut_mat3_about(axes[i], 0.0, -1.0);
    assert_same_matrix(rut_quat_matrix(rut_quat_of_matrix(half)), half, 1e-15);
  }
}

// ISO 8855: yaw about z, then pitch about the new y, then roll about the new x.
static void test_roll_pitch_yaw(void** state) {
  (void)state;
  const rutVec3 left = rut_mat3_apply(rut_mat3_of_rpy(0.0, 0.0, 0.5 * pi), rut_vec3(1, 0, 0));
  assert_near(left.y, 1.0, 1e-15);
  const rutVec3 down = rut_mat3_apply(rut_mat3_of_rpy(0.0, 0.5 * pi, 0.0), rut_vec3(1, 0, 0));
  assert_near(down.z, -1.0, 1e-15);
  const rutVec3 up = rut_mat3_apply(rut_mat3_of_rpy(0.5 * pi, 0.0, 0.0), rut_vec3(0, 1, 0));
  assert_near(up.z, 1.0, 1e-15);
  uint64_t seed = 7;
  for (int k = 0; k < 2000; ++k) {
    const double roll = 6.2 * (uniform(&seed) - 0.5), pitch = 3.1 * (uniform(&seed) - 0.5);
    const double yaw = 6.2 * (uniform(&seed) - 0.5);
    const rutMat3 m = rut_mat3_of_rpy(roll, pitch, yaw);
    const rutMat3 z = rut_mat3_about(rut_vec3(0, 0, 1), rut_sin(yaw), rut_cos(yaw));
    const rutMat3 y = rut_mat3_about(rut_vec3(0, 1, 0), rut_sin(pitch), rut_cos(pitch));
    const rutMat3 x = rut_mat3_about(rut_vec3(1, 0, 0), rut_sin(roll), rut_cos(roll));
    assert_same_matrix(m, rut_mat3_mul(rut_mat3_mul(z, y), x), 2e-15);
    assert_same_matrix(rut_quat_matrix(rut_quat_of_rpy(roll, pitch, yaw)), m, 2e-15);
    const rutVec3 back = rut_mat3_rpy(m);
    assert_near(back.x, roll, 1e-13);
    assert_near(back.y, pitch, 1e-13);
    assert_near(back.z, yaw, 1e-13);
  }
}

// Mean 0, variance 1, kurtosis 3; within 5 standard errors of n samples.
static void test_normal_moments(void** state) {
  (void)state;
  const int n = 100000;
  double sum[5] = {0.0};
  for (int i = 0; i < n; ++i) {
    const double x = rut_normal(42, 7, (uint64_t)(i / 10), (uint32_t)(i % 10));
    for (int p = 1; p <= 4; ++p) sum[p] += pow(x, p) / n;
  }
  assert_near(sum[1], 0.0, 5.0 * sqrt(1.0 / n));
  assert_near(sum[2], 1.0, 5.0 * sqrt(2.0 / n));
  assert_near(sum[3], 0.0, 5.0 * sqrt(15.0 / n));
  assert_near(sum[4], 3.0, 5.0 * sqrt(96.0 / n));
}

static void test_three_equations(void** state) {
  (void)state;
  double x[3], full[3][3] = {{4, 2, 0}, {2, 5, 3}, {0, 3, 6}}, b[3] = {0, 1, 12};
  const double solution[3] = {1, -2, 3};
  rut_solve3(full, b, x);
  for (int i = 0; i < 3; i++) assert_near(x[i], solution[i], 1e-14);
  double skew[3][3] = {{4, 1, -1}, {-2, 5, 3}, {0.5, -3, 6}}, c[3] = {-1, -3, 24.5};
  rut_solve3(skew, c, x);
  for (int i = 0; i < 3; i++) assert_near(x[i], solution[i], 1e-14);
  // two springs in a row, at x = 2, y = 3 and -1, that bear 10 each: pitch stays 0
  double row[3][3] = {{2, 4, 2}, {4, 8, 4}, {2, 4, 10}}, load[3] = {20, 40, 20};
  rut_solve3(row, load, x);
  assert_true(x[0] == 10 && x[1] == 0 && x[2] == 0);
  // none at all
  double none[3][3] = {{0}}, weight[3] = {5, 1, 2};
  rut_solve3(none, weight, x);
  assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accuracy),
      cmocka_unit_test(test_accuracy_of_two_arguments),
      cmocka_unit_test(test_large_angles),
      cmocka_unit_test(test_exact_values),
      cmocka_unit_test(test_powers),
      cmocka_unit_test(test_rounding_helpers),
      cmocka_unit_test(test_non_finite_arguments),
      cmocka_unit_test(test_bits_do_not_depend_on_the_build),
      cmocka_unit_test(test_rotation_forms_agree),
      cmocka_unit_test(test_quaternion_of_half_turns),
      cmocka_unit_test(test_roll_pitch_yaw),
      cmocka_unit_test(test_normal_moments),
      cmocka_unit_test(test_three_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
