// SPDX-License-Identifier: BSD-3-Clause
//
// Studies: designs against their definitions and published points, distributions and statistics
// against closed forms, measures of a body that moves steadily.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/csv_column.h"
#include "base/rng.h"
#include "math/normal.h"
#include "math/random.h"
#include "math/sobol.h"
#include "rut/study.h"
#include "scratch_files.h"

// A body that slides along x with 2 m/s for 10 s: x = 2 t.
static const char world[] =
    "<world timestep='1 ms' duration='10 s' gravity='0'><mechanism name='m'>"
    "<body name='b' joint='slide' axis='1 0 0' mass='1' inertia='1 1 1 0 0 0' initial_speed='2'/>"
    "</mechanism></world>";

static int make_files(void** state) {
  (void)state;
  make_scratch_folder(folder);
  write_file("w.xml", world);
  write_file("loads.csv", "load,\"soil\"\r\n1.5,clay\r\n2.5,\"wet, sand\"\r\n4,snow\r\n");
  return 0;
}

static rutContext* context;

// A study with this content. NULL, with err filled, if it is wrong.
static rutStudy* parse(const char* attributes, const char* content, rutError* err) {
  char text[4096];
  const int n =
      snprintf(text, sizeof text, "<study world='w.xml' %s>%s</study>", attributes, content);
  const rutText file = {text, (size_t)n, at("s.xml")};
  rutStudy* study = NULL;
  *err = (rutError){0};
  const rutStatus status = rut_study_parse(context, &file, NULL, &study, err);
  assert_int_equal(status == RUT_OK, study != NULL);
  return study;
}

static rutStudy* make(const char* attributes, const char* content) {
  rutError err;
  rutStudy* study = parse(attributes, content, &err);
  if (!study) fail_msg("%s", err.message);
  return study;
}

static double value_of(const rutStudy* study, int64_t run, int input) {
  rutStudyValue value[16];
  assert_int_equal(rut_study_values(study, run, value, NULL), RUT_OK);
  return value[input].number;
}

// ---- numbers ----

// First points of S. Joe and F. Kuo's own program (web.maths.unsw.edu.au/~fkuo/sobol), which come
// in the order of the Gray code.
static void sobol_points_are_published(void** state) {
  (void)state;
  static const double point[10][3] = {{0, 0, 0},
                                      {0.5, 0.5, 0.5},
                                      {0.75, 0.25, 0.25},
                                      {0.25, 0.75, 0.75},
                                      {0.375, 0.375, 0.625},
                                      {0.875, 0.875, 0.125},
                                      {0.625, 0.125, 0.875},
                                      {0.125, 0.625, 0.375},
                                      {0.1875, 0.3125, 0.9375},
                                      {0.6875, 0.8125, 0.4375}};
  for (uint32_t k = 0; k < 10; k++) {
    for (int d = 0; d < 3; d++) {
      assert_near(rut_sobol(k ^ (k >> 1), d) / 4294967296.0, point[k][d], 0);
    }
  }
  // each dimension of 2^k points fills all cells of 2^-k
  for (int d = 0; d < RUT_SOBOL_DIMENSIONS; d++) {
    unsigned char seen[256] = {0};
    for (uint32_t k = 0; k < 256; k++) seen[rut_sobol(k, d) >> 24]++;
    for (int i = 0; i < 256; i++) assert_int_equal(seen[i], 1);
  }
}

// Abramowitz and Stegun, tables 26.1 and 26.5.
static void normal_distribution(void** state) {
  (void)state;
  assert_near(rut_normal_cdf(1), 0.841344746068543, 1e-15);
  assert_near(rut_normal_cdf(-2), 0.022750131948179, 1e-15);
  assert_near(rut_normal_quantile(0.975), 1.959963984540054, 1e-14);
  assert_near(rut_normal_quantile(0.9), 1.281551565544600, 1e-14);
  assert_close(rut_normal_cdf(-6), 9.865876450376981e-10, 1e-13, 0);
  for (double p = 1e-9; p < 1; p += 0.0137) {
    assert_near(rut_normal_cdf(rut_normal_quantile(p)), p, 1e-15);
  }
}

static void csv_columns(void** state) {
  (void)state;
  static const char text[] = "\xef\xbb\xbfload, \"wet soil\"\r\n1,\"a \"\"b\"\", c\"\n\n2, d\n";
  static const char short_row[] = "load,soil\n1,a\n2\n3,c\n";
  rutCsvColumn column;
  char message[160];
  // an empty line is no row of any column
  assert_null(rut_csv_column_read(text, sizeof text - 1, "load", 9, &column, message));
  assert_int_equal(column.n, 2);
  assert_string_equal(column.cell[1], "2");
  rut_csv_column_free(&column);
  assert_null(rut_csv_column_read(text, sizeof text - 1, "wet soil", 9, &column, message));
  assert_int_equal(column.n, 2);
  assert_string_equal(column.cell[0], "a \"b\", c");
  assert_string_equal(column.cell[1], "d");
  rut_csv_column_free(&column);
  assert_string_equal(rut_csv_column_read(text, sizeof text - 1, "dry", 9, &column, message),
                      "the table has no column 'dry'");
  rut_csv_column_free(&column);
  // a row that ends early has not got the column
  assert_string_equal(
      rut_csv_column_read(short_row, sizeof short_row - 1, "soil", 9, &column, message),
      "row 3 of the table has nothing in column 'soil'");
  rut_csv_column_free(&column);
}

// ---- designs ----

static void a_grid_has_all_combinations(void** state) {
  (void)state;
  rutStudy* study = make("replicas='2'",
                         "<vary type='grid' name='a' from='1' to='100' count='3' scale='log'/>"
                         "<vary type='list' name='b' values='5; 7 ;9;11'/>"
                         "<vary type='table' name='c' file='loads.csv' column='load'/>"
                         "<vary type='table' name='d' file='loads.csv' column='soil'/>");
  const rutStudyInfo info = rut_study_info(study);
  assert_int_equal(info.runs, 3 * 4 * 3 * 2);
  rutStudyValue v[4];
  rut_study_values(study, 71, v, NULL);
  assert_near(v[0].number, 100, 0);
  assert_near(v[1].number, 11, 0);
  assert_near(v[2].number, 4, 0);
  assert_string_equal(v[3].text, "snow");
  rut_study_values(study, 2 * (12 + 3 + 1), v, NULL);
  assert_near(v[0].number, 10, 1e-14);
  assert_near(v[1].number, 7, 0);
  assert_near(v[2].number, 2.5, 0);
  assert_string_equal(v[3].text, "wet, sand");
  rut_study_destroy(study);
}

// Each of n equal intervals of each input has one of n points.
static void latin_hypercubes_fill_each_stratum(void** state) {
  (void)state;
  enum { N = 1000 };
  rutStudy* study = make("design='latin_hypercube' samples='1000'",
                         "<vary type='uniform' name='a' from='0' to='1000'/>"
                         "<vary type='uniform' name='b' from='0' to='1000'/>");
  double product = 0;
  for (int input = 0; input < 2; input++) {
    int seen[N] = {0};
    for (int64_t k = 0; k < N; k++) seen[(int)value_of(study, k, input)]++;
    for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
  }
  for (int64_t k = 0; k < N; k++) {
    product += (value_of(study, k, 0) / 1000 - 0.5) * (value_of(study, k, 1) / 1000 - 0.5);
  }
  // uncorrelated: 1/12 sqrt(n) is a standard deviation of the sum
  assert_near(product, 0, 3 * sqrt(N) / 12);
  rut_study_destroy(study);
}

// Of 2^k shifted points each dyadic interval has its share.
static void shifted_sobol_points_stay_a_net(void** state) {
  (void)state;
  rutStudy* study = make("design='sobol' samples='256'",
                         "<vary type='uniform' name='a' from='0' to='16'/>"
                         "<vary type='uniform' name='b' from='0' to='16'/>");
  int seen[16][16] = {0};
  for (int64_t k = 0; k < 256; k++) seen[(int)value_of(study, k, 0)][(int)value_of(study, k, 1)]++;
  for (int i = 0; i < 256; i++) assert_int_equal(seen[i / 16][i % 16], 1);
  rut_study_destroy(study);
}

static void samples_do_not_depend_on_order(void** state) {
  (void)state;
  static const char* const designs[] = {"monte_carlo", "latin_hypercube", "sobol", "saltelli",
                                        "morris"};
  for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) {
    char attributes[64];
    snprintf(attributes, sizeof attributes, "design='%s' samples='20' seed='7'", designs[i]);
    static const char inputs[] =
        "<vary type='normal' name='a' mean='1' deviation='2'/>"
        "<vary type='lognormal' name='b' median='3' sigma='0.5'/>";
    rutStudy *one = make(attributes, inputs), *two = make(attributes, inputs);
    const int64_t n = rut_study_info(one).runs;
    for (int64_t k = n - 1; k >= 0; k--) value_of(one, k, 0);
    for (int64_t k = 0; k < n; k++) {
      for (int input = 0; input < 2; input++) {
        assert_near(value_of(one, k, input), value_of(two, k, input), 0);
      }
      assert_int_equal(rut_study_seed(one, k), rut_study_seed(two, k));
      assert_true(rut_study_seed(one, k) < UINT64_C(1) << 52);
    }
    rut_study_destroy(one);
    rut_study_destroy(two);
  }
}

static void seeds_are_distinct_or_common(void** state) {
  (void)state;
  static const char input[] = "<vary type='grid' name='a' from='1' to='9' count='9'/>";
  rutStudy* study = make("replicas='3'", input);
  for (int64_t i = 0; i < 27; i++) {
    for (int64_t k = 0; k < i; k++) {
      assert_true(rut_study_seed(study, i) != rut_study_seed(study, k));
    }
  }
  rut_study_destroy(study);
  study = make("replicas='3' seeds='common'", input);
  for (int64_t i = 3; i < 27; i++) {
    assert_int_equal(rut_study_seed(study, i), rut_study_seed(study, i - 3));
    assert_true(rut_study_seed(study, i) != rut_study_seed(study, i - 1));
  }
  rut_study_destroy(study);
}

// Of each trajectory each input changes once, by half of its probability.
static void morris_trajectories(void** state) {
  (void)state;
  rutStudy* study = make("design='morris' samples='50' levels='6'",
                         "<vary type='uniform' name='a' from='0' to='6'/>"
                         "<vary type='uniform' name='b' from='0' to='6'/>"
                         "<vary type='uniform' name='c' from='0' to='6'/>");
  assert_int_equal(rut_study_info(study).runs, 50 * 4);
  int ups = 0;
  for (int64_t t = 0; t < 50; t++) {
    int changes[3] = {0};
    for (int64_t s = 0; s < 3; s++) {
      int changed = 0;
      for (int i = 0; i < 3; i++) {
        const double a = value_of(study, 4 * t + s, i), b = value_of(study, 4 * t + s + 1, i);
        // middles of the six cells
        assert_near(a - floor(a), 0.5, 1e-12);
        if (a == b) continue;
        assert_near(fabs(b - a), 3, 1e-12);
        ups += b > a;
        changes[i]++;
        changed++;
      }
      assert_int_equal(changed, 1);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(changes[i], 1);
  }
  // about as many up as down: 150 coins, 4 standard deviations
  assert_near(ups, 75, 4 * sqrt(150) / 2);
  rut_study_destroy(study);
}

// ---- distributions ----

// Means and variances of 4096 points of a net against those of the distributions.
static void distributions_have_their_moments(void** state) {
  (void)state;
  rutStudy* study = make("design='sobol' samples='4096'",
                         "<vary type='uniform' name='a' from='-1' to='5'/>"
                         "<vary type='normal' name='b' mean='10' deviation='2'/>"
                         "<vary type='lognormal' name='c' median='2' sigma='0.25'/>"
                         "<vary type='triangular' name='d' from='0' mode='1' to='4'/>"
                         "<vary type='normal' name='f' mean='0' deviation='1' low='0'/>");
  // half-normal: sqrt(2/pi), 1 - 2/pi
  const double mean[] = {2, 10, 2 * exp(0.03125), 5.0 / 3, sqrt(2 / M_PI)};
  const double variance[] = {3, 4, 4 * exp(0.0625) * (exp(0.0625) - 1), 13.0 / 18, 1 - 2 / M_PI};
  for (int i = 0; i < 5; i++) {
    double sum = 0, square = 0, least = 1e9;
    for (int64_t k = 0; k < 4096; k++) {
      const double x = value_of(study, k, i);
      sum += x;
      square += x * x;
      least = fmin(least, x);
    }
    sum /= 4096;
    square = square / 4096 - sum * sum;
    assert_near(sum, mean[i], 0.002 * (1 + fabs(mean[i])));
    assert_near(square, variance[i], 0.02 * variance[i]);
    if (i == 4) assert_true(least >= 0);
  }
  rut_study_destroy(study);
}

// Of a Gaussian copula Spearman's correlation is 6/pi asin(r/2); the margins stay.
static void correlations_are_those_asked_for(void** state) {
  (void)state;
  enum { N = 4096 };
  rutStudy* study = make("design='sobol' samples='4096'",
                         "<vary type='uniform' name='a' from='0' to='1'/>"
                         "<vary type='uniform' name='b' from='0' to='1'/>"
                         "<vary type='uniform' name='c' from='0' to='1'/>"
                         "<correlation between='a c' coefficient='-0.7'/>");
  double ac = 0, ab = 0, c = 0, cc = 0;
  for (int64_t k = 0; k < N; k++) {
    const double x = value_of(study, k, 0), y = value_of(study, k, 1), z = value_of(study, k, 2);
    ab += 12 * (x - 0.5) * (y - 0.5) / N;
    ac += 12 * (x - 0.5) * (z - 0.5) / N;
    c += z / N;
    cc += z * z / N;
  }
  assert_near(ac, 6 / M_PI * asin(-0.35), 0.02);
  assert_near(ab, 0, 0.02);
  assert_near(c, 0.5, 0.01);
  assert_near(cc, 1.0 / 3, 0.01);
  rut_study_destroy(study);
}

// ---- statistics ----

static void shares_have_wilson_intervals(void** state) {
  (void)state;
  // Brown, Cai and DasGupta (2001) and any table: 8 of 10
  const rutEstimate e = rut_share_estimate(8, 10);
  assert_near(e.value, 0.8, 0);
  assert_near(e.low, 0.4901625, 1e-6);
  assert_near(e.high, 0.9433178, 1e-6);
  // none of 20: 0 to z^2/(n + z^2)
  const double zz = 1.959963984540054 * 1.959963984540054;
  assert_near(rut_share_estimate(0, 20).low, 0, 0);
  assert_near(rut_share_estimate(0, 20).high, zz / (20 + zz), 1e-12);
  assert_true(isnan(rut_share_estimate(0, 0).value));
}

static void means_have_student_intervals(void** state) {
  (void)state;
  // quantiles of 0.975 from any table, for 1, 2, 3, 4, 9, 29 and 120 degrees of freedom
  static const struct {
    int n;
    double t;
  } table[] = {{2, 12.7062}, {3, 4.3027},  {4, 3.1824},  {5, 2.7764},
               {10, 2.2622}, {30, 2.0452}, {121, 1.9799}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    // values of -1 and 1 in turn about 5, whose squares add up to n, or to n - 1/n
    double value[121];
    const int n = table[i].n;
    for (int k = 0; k < n; k++) value[k] = 5 + (k % 2 ? -1 : 1);
    const double mean = n % 2 ? 1.0 / n : 0, squares = n - n * mean * mean;
    const rutEstimate e = rut_mean_estimate(n, value);
    const double half = table[i].t * sqrt(squares / (n - 1) / n);
    assert_near(e.value, 5 + mean, 1e-12);
    assert_near(e.high - e.value, half, 2e-3 * half);
    assert_near(e.value - e.low, half, 2e-3 * half);
  }
  assert_true(isnan(rut_mean_estimate(0, NULL).value) &&
              isnan(rut_mean_estimate(1, &(double){3}).low));
  assert_near(rut_mean_estimate(1, &(double){3}).value, 3, 0);
}

static void percentiles_and_their_intervals(void** state) {
  (void)state;
  enum { N = 2000, SETS = 20 };
  static double x[N];
  // a median's standard deviation is sqrt(pi/2n)
  const double half = 1.96 * sqrt(M_PI / 2 / N);
  double width = 0;
  int covered = 0;
  for (uint64_t set = 0; set < SETS; set++) {
    rutEstimate e;
    for (int i = 0; i < N; i++) x[i] = rut_normal(set, 1, (uint64_t)i, 0);
    assert_int_equal(rut_percentile_estimate(N, x, 50, &e), RUT_OK);
    assert_true(e.low < e.value && e.value < e.high);
    width += (e.high - e.low) / SETS;
    covered += e.low < 0 && 0 < e.high;
  }
  // 3 standard deviations of the mean of 20 samples, and of 1000 resamples that they share
  assert_near(width, 2 * half, 0.24 * half);
  // of 20 intervals with 95 %: less than 16 in one of 400 cases
  assert_true(covered >= 16);
  const double few[] = {1, 2, 4, 8};
  assert_near(rut_percentile(4, few, 50), 3, 1e-15);
  assert_near(rut_percentile(4, few, 100), 8, 0);
  assert_near(rut_percentile(4, few, 10), 1.3, 1e-15);
}

// The function of Ishigami and Homma (1990), whose indices are known: a = 7, b = 0.1.
static void sobol_indices_of_ishigami(void** state) {
  (void)state;
  enum { N = 4096 };
  static double y[N * 5];
  rutStudy* study =
      make("design='saltelli' samples='4096'",
           "<vary type='uniform' name='a' from='-3.141592653589793' to='3.141592653589793'/>"
           "<vary type='uniform' name='b' from='-3.141592653589793' to='3.141592653589793'/>"
           "<vary type='uniform' name='c' from='-3.141592653589793' to='3.141592653589793'/>");
  assert_int_equal(rut_study_info(study).runs, N * 5);
  for (int64_t k = 0; k < N * 5; k++) {
    const double a = value_of(study, k, 0), b = value_of(study, k, 1), c = value_of(study, k, 2);
    y[k] = sin(a) + 7 * sin(b) * sin(b) + 0.1 * c * c * c * c * sin(a);
  }
  rutEstimate first[3], total[3];
  assert_int_equal(rut_sobol_indices(N, 3, y, first, total), RUT_OK);
  const double s[] = {0.3139, 0.4424, 0}, t[] = {0.5576, 0.4424, 0.2437};
  for (int i = 0; i < 3; i++) {
    assert_near(first[i].value, s[i], 0.01);
    assert_near(total[i].value, t[i], 0.01);
    assert_true(first[i].low <= s[i] && s[i] <= first[i].high);
    assert_true(total[i].low <= t[i] && t[i] <= total[i].high);
  }
  rut_study_destroy(study);
}

// ---- runs ----

static rutStudyResult run(const rutStudy* study, int64_t index, double* measure) {
  rutStudyRunner* runner = NULL;
  rutStudyResult result = {.measure = measure};
  rutError err = {0};
  assert_int_equal(rut_study_runner_create(study, &runner, &err), RUT_OK);
  assert_int_equal(rut_study_run(runner, 1, &index, &result, &err), RUT_OK);
  rut_study_runner_destroy(runner);
  return result;
}

// x = v t: closed forms of all measures.
static void measures_of_steady_motion(void** state) {
  (void)state;
  rutStudy* study =
      make("",
           "<vary type='list' name='v' path='m/b.initial_speed' values='2; -3'/>"
           "<measure type='last' name='end' signal='m/q0'/>"
           "<measure type='min' name='least' signal='m/q0'/>"
           "<measure type='max' name='most' signal='m/q0'/>"
           "<measure type='max_abs' name='size' signal='m/q0'/>"
           "<measure type='mean' name='mean' signal='m/q0'/>"
           "<measure type='rms' name='rms' signal='m/q0'/>"
           "<measure type='percentile' name='p' percent='25' signal='m/q0'/>"
           "<measure type='crossing' name='when' signal='m/q0' level='7.3'/>"
           "<measure type='crossing' name='never' signal='m/q0' level='7.3' direction='falling'/>"
           "<measure type='max' name='window' signal='m/q0' from='2' to='4'/>"
           "<measure type='expression' name='ratio' value='end/v + end_time'/>"
           "<pass condition='end > 0 &amp;&amp; ratio == 20'/>");
  double m[16];
  rutStudyResult r = run(study, 0, m);
  assert_int_equal(r.end, RUT_STUDY_finished);
  assert_int_equal(r.steps, 10000);
  const double expected[] = {20, 0, 20, 20, 10, 20 / sqrt(3), 5, 3.65, NAN, 8, 20};
  for (int i = 0; i < 11; i++) {
    if (isnan(expected[i])) assert_true(isnan(m[i]));
    // the root mean square of samples exceeds that of the line by 1/4n
    if (!isnan(expected[i])) assert_near(m[i], expected[i], i == 5 ? 1e-3 : 1e-8);
  }
  r = run(study, 1, m);
  assert_near(m[0], -30, 1e-8);
  assert_near(m[1], -30, 1e-8);
  assert_near(m[3], 30, 1e-8);
  assert_true(isnan(m[7]));
  assert_int_equal(r.pass, 0);
  rut_study_destroy(study);
}

static void runs_stop_where_they_are_told(void** state) {
  (void)state;
  rutStudy* study = make("",
                         "<measure type='last' name='end' signal='m/q0'/>"
                         "<stop signal='m/q0' above='5.0005' after='1 s' fails='true'/>");
  double m[2];
  const rutStudyResult r = run(study, 0, m);
  assert_int_equal(r.end, RUT_STUDY_stopped);
  assert_near(r.time, 2.501, 1e-9);
  assert_near(m[0], 5.002, 1e-8);
  assert_int_equal(r.pass, 0);
  assert_string_equal(r.reason, "m/q0 is above 5.0005");
  char* command = rut_study_command(study, 0, r.time, true);
  assert_non_null(strstr(command, "rut run w.xml --duration 2.50"));
  free(command);
  rut_study_destroy(study);
}

// Runs one after the other in one runner, and each alone, have the same bits.
static void runs_do_not_depend_on_those_before(void** state) {
  (void)state;
  rutStudy* study = make("design='monte_carlo' samples='6' replicas='2'",
                         "<vary type='uniform' name='v' path='m/b.initial_speed' from='-4' to='4'/>"
                         "<vary type='uniform' name='k' path='m/b.stiffness' from='1' to='9'/>"
                         "<measure type='last' name='end' signal='m/q0'/>");
  double alone[12], together[12];
  rutStudyResult a[12], b[12];
  int64_t index[12];
  rutStudyRunner* runner = NULL;
  assert_int_equal(rut_study_runner_create(study, &runner, NULL), RUT_OK);
  for (int i = 0; i < 12; i++) {
    index[i] = (5 * i + 3) % 12;
    b[i].measure = &together[i];
  }
  assert_int_equal(rut_study_run(runner, 12, index, b, NULL), RUT_OK);
  for (int i = 0; i < 12; i++) {
    a[i] = run(study, index[i], &alone[i]);
    assert_int_equal(a[i].state_hash, b[i].state_hash);
    assert_int_equal(a[i].model_hash, b[i].model_hash);
    assert_near(alone[i], together[i], 0);
  }
  assert_int_equal(rut_study_run(runner, 1, (int64_t[]){12}, b, NULL), RUT_ERR_ARGUMENT);
  rut_study_runner_destroy(runner);
  rut_study_destroy(study);
}

// The world of a run by itself: a body with the mass that the run has.
static void worlds_of_runs(void** state) {
  (void)state;
  rutStudy* study = make("",
                         "<vary type='grid' name='mass' path='m/b.mass' from='1' to='3' count='3'/>"
                         "<measure type='last' name='end' signal='m/q0'/>");
  rutError err = {0};
  rutSpec* spec = NULL;
  assert_int_equal(rut_study_world(study, 2, context, &spec, &err), RUT_OK);
  assert_near(rut_node_number(spec, rut_spec_find(spec, "m/b"), "mass"), 3, 0);
  rutModel* model = NULL;
  assert_int_equal(rut_compile(spec, &model, &err), RUT_OK);
  double m;
  const rutStudyResult r = run(study, 2, &m);
  assert_int_equal(rut_model_hash(model), r.model_hash);
  struct rutInputs* inputs = NULL;
  assert_int_equal(rut_study_set_points(study, model, &inputs, &err), RUT_OK);
  assert_null(inputs);
  assert_false(rut_study_info(study).random);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  assert_int_equal(rut_study_world(study, 3, context, &spec, &err), RUT_ERR_ARGUMENT);
  assert_null(spec);
  rut_study_destroy(study);
}

// A spring of 30 kHz is more than steps of 1 ms resolve: it diverges. One with a mass of 0 is none.
static void failures_are_results(void** state) {
  (void)state;
  rutStudy* study = make("",
                         "<vary type='list' name='k' path='m/b.stiffness' values='1; 1e9'/>"
                         "<vary type='list' name='mass' path='m/b.mass' values='1; 0'/>"
                         "<measure type='last' name='end' signal='m/q0'/>"
                         "<pass condition='end > -1e300'/>");
  double m;
  assert_int_equal(run(study, 0, &m).end, RUT_STUDY_finished);
  const rutStudyResult bad = run(study, 2, &m);
  assert_int_equal(bad.end, RUT_STUDY_diverged);
  assert_int_equal(bad.pass, 0);
  assert_true(bad.reason[0] != '\0' && bad.steps > 0 && bad.state_hash != 0);
  const rutStudyResult none = run(study, 1, &m);
  assert_int_equal(none.end, RUT_STUDY_invalid);
  assert_true(none.reason[0] != '\0' && isnan(m));
  rut_study_destroy(study);
}

// ---- faults ----

static void faults_are_told_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *attributes, *content, *message;
  } fault[] = {
      {"desing='sobol'", "", "design"},
      {"", "<vary type='grid' name='a' path='m/b.masss' from='1' to='2'/>", "did you mean 'mass'?"},
      {"", "<vary type='grid' name='a' path='m/c.mass' from='1' to='2'/>", "there is no 'c'"},
      {"", "<vary type='gird' name='a'/>", "did you mean 'grid'?"},
      {"", "<vary type='grid' name='seed' from='1' to='2'/>", "cannot name an input"},
      {"", "<vary type='grid' name='a' from='1' to='2'/><vary type='list' name='a' values='1'/>",
       "there is another <vary name=\"a\">"},
      {"",
       "<vary type='list' path='timestep' values='1'/><vary type='list' path='timestep' "
       "values='2'/>",
       "two inputs are called 'timestep'"},
      {"", "<vary type='uniform' name='a' from='1' to='2'/>", "'a' is sampled"},
      {"design='sobol'", "<vary type='grid' name='a' from='1' to='2'/>", "nothing to sample"},
      {"design='sobol'", "<vary type='uniform' name='a' from='2' to='1'/>", "above 'from'"},
      {"design='sobol'", "<vary type='normal' name='a' mean='1' deviation='0'/>", "above 0"},
      {"design='sobol'", "<vary type='normal' name='a' mean='1' deviation='1' low='9' high='8'/>",
       "nearly nothing"},
      {"design='morris' levels='3'", "<vary type='uniform' name='a' from='1' to='2'/>", "even"},
      {"", "<vary type='table' name='a' file='loads.csv' column='lod'/>", "no column 'lod'"},
      {"", "<vary type='table' name='a' file='none.csv' column='lod'/>", "none.csv"},
      {"", "<vary type='list' name='a' values='1;;2'/>", "value 2 is empty"},
      {"", "<vary type='choice' name='a'/>", "needs options"},
      {"", "<measure type='last' name='a' signal='m/q'/>", "did you mean 'm/q0'?"},
      {"", "<measure type='last' signal='m/q0'/>", "needs name"},
      {"", "<measure type='metric' name='a' metric='lane_clearance'/>", "no vehicle"},
      {"", "<measure type='expression' name='a' value='b + 1'/>", "'b'"},
      {"", "<measure type='expression' name='a' value='1 +'/>", "expression"},
      {"", "<stop signal='m/q0'/>", "needs 'above' or 'below'"},
      {"", "<pass condition='speed > 1'/>", "speed"},
      {"design='sobol'",
       "<vary type='uniform' name='a' from='1' to='2'/><vary type='uniform' name='b' from='1' "
       "to='2'/><correlation between='a b' coefficient='1'/>",
       "positive definite"},
      {"design='sobol'",
       "<vary type='uniform' name='a' from='1' to='2'/><correlation between='a c' "
       "coefficient='0.1'/>",
       "'c' is no input"},
      {"", "<set path='timestep' value='-1'/>", "timestep"},
      {"inputs='../../etc/passwd'", "", "passwd"},
  };
  for (size_t i = 0; i < sizeof fault / sizeof fault[0]; i++) {
    rutError err;
    rutStudy* study = parse(fault[i].attributes, fault[i].content, &err);
    if (study) fail_msg("no fault in %s %s", fault[i].attributes, fault[i].content);
    if (!strstr(err.message, fault[i].message)) {
      fail_msg("%s %s: '%s' has no '%s'", fault[i].attributes, fault[i].content, err.message,
               fault[i].message);
    }
    if (err.line != 1) fail_msg("line %d: %s", err.line, err.message);
    assert_true(err.column > 0);
    assert_string_equal(err.file, at("s.xml"));
  }
}

static int make_context(void** state) {
  return rut_context_create(NULL, &context, NULL) != RUT_OK || make_files(state);
}

static int end(void** state) {
  rut_context_destroy(context);
  return remove_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sobol_points_are_published),
      cmocka_unit_test(normal_distribution),
      cmocka_unit_test(csv_columns),
      cmocka_unit_test(a_grid_has_all_combinations),
      cmocka_unit_test(latin_hypercubes_fill_each_stratum),
      cmocka_unit_test(shifted_sobol_points_stay_a_net),
      cmocka_unit_test(samples_do_not_depend_on_order),
      cmocka_unit_test(seeds_are_distinct_or_common),
      cmocka_unit_test(morris_trajectories),
      cmocka_unit_test(distributions_have_their_moments),
      cmocka_unit_test(correlations_are_those_asked_for),
      cmocka_unit_test(shares_have_wilson_intervals),
      cmocka_unit_test(means_have_student_intervals),
      cmocka_unit_test(percentiles_and_their_intervals),
      cmocka_unit_test(sobol_indices_of_ishigami),
      cmocka_unit_test(measures_of_steady_motion),
      cmocka_unit_test(runs_stop_where_they_are_told),
      cmocka_unit_test(runs_do_not_depend_on_those_before),
      cmocka_unit_test(worlds_of_runs),
      cmocka_unit_test(failures_are_results),
      cmocka_unit_test(faults_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, make_context, end);
}
