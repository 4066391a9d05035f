// SPDX-License-Identifier: BSD-3-Clause
//
// Path integral control: published weights, the update against a sum that is computed here, its
// variations' distribution, an optimum that is known, and the same bits for any number of workers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "rut/mpc.h"

static rutMppi* create(const rutMppiDef* def) {
  rutMppi* m = NULL;
  rutError err = {0};
  if (rut_mppi_create(def, &m, &err) != RUT_OK) fail_msg("%s", err.message);
  return m;
}

static void weights_are_as_published(void** state) {
  static const double cost[5] = {3, 1, 2, 5, 1.5};
  static const double wanted[5] = {0.063596, 0.469911, 0.172871, 0.008607, 0.285016};
  double weight[5];
  (void)state;
  assert_near(rut_mppi_weigh(5, cost, 1, weight), 2.97572, 5e-6);
  for (int i = 0; i < 5; i++) assert_near(weight[i], wanted[i], 5e-7);
  rut_mppi_weigh(5, cost, 0.1, weight);
  assert_near(weight[1], 0.993262, 5e-7);
  const double some[5] = {NAN, 1, INFINITY, 1, NAN};
  assert_near(rut_mppi_weigh(5, some, 1, weight), 2, 1e-12);
  assert_near(weight[1], 0.5, 1e-12);
  assert_near(weight[2], 0, 0);
  const double none[2] = {NAN, INFINITY};
  assert_near(rut_mppi_weigh(2, none, 1, weight), 0, 0);
}

// ---- a double integrator ----

enum { K = 12 };

// Cost of thrusts in K intervals from rest at -1: (x^2 + 0.1 v^2 + 0.2 u^2)/2 summed.
static double integrator_cost(const double* u) {
  double x = -1, v = 0, sum = 0;
  for (int k = 0; k < K; k++) {
    sum += 0.5 * (x * x + 0.1 * v * v + 0.2 * u[k] * u[k]);
    x += 0.2 * v + 0.02 * u[k];
    v += 0.2 * u[k];
  }
  return sum + 0.5 * (5 * x * x + v * v);
}

// Its least cost, by steps of Newton along each thrust in turn: it is quadratic.
static double least_cost(double u[K]) {
  memset(u, 0, K * sizeof *u);
  for (int round = 0; round < 5000; round++) {
    const int k = round % K;
    const double c = integrator_cost(u);
    u[k] += 1;
    const double above = integrator_cost(u);
    u[k] -= 2;
    const double below = integrator_cost(u);
    u[k] += 1 - (above - below) / 2 / (above - 2 * c + below);
  }
  return integrator_cost(u);
}

// Inverse of the covariance rho^|i - j| of unit variations, by elimination.
static void invert_covariance(double rho, double inverse[K][K]) {
  double m[K][K];
  for (int i = 0; i < K; i++) {
    for (int j = 0; j < K; j++) {
      m[i][j] = pow(rho, abs(i - j));
      inverse[i][j] = i == j;
    }
  }
  for (int i = 0; i < K; i++) {
    const double pivot = m[i][i];
    for (int j = 0; j < K; j++) m[i][j] /= pivot, inverse[i][j] /= pivot;
    for (int r = 0; r < K; r++) {
      const double f = m[r][i];
      for (int j = 0; j < K && r != i; j++) {
        m[r][j] -= f * m[i][j];
        inverse[r][j] -= f * inverse[i][j];
      }
    }
  }
}

static void update_is_the_weighted_sum(void** state) {
  static const double deviation[1] = {0.8}, low[1] = {-1}, high[1] = {1};
  enum { N = 50 };
  double inverse[K][K];
  (void)state;
  invert_covariance(rut_default_mppi().correlation, inverse);
  for (int exploring = 0; exploring < 2; exploring++) {
    rutMppiDef def = rut_default_mppi();
    def.candidates = N, def.intervals = K, def.commands = 1, def.temperature = 0.3;
    def.deviation = deviation, def.low = low, def.high = high, def.exploration = exploring;
    rutMppi* m = create(&def);
    double *mean = rut_mppi_mean(m), before[K], cost[N], paid[N], total[K] = {0}, all = 0;
    for (int k = 0; k < K; k++) before[k] = mean[k] = 0.5 * cos(k);
    const double* u = rut_mppi_sample(m);
    assert_memory_equal(u, before, sizeof before);
    double least = 1e300;
    for (int c = 0; c < N; c++) {
      cost[c] = paid[c] = integrator_cost(u + (ptrdiff_t)c * K);
      for (int k = 0; k < K * K && !exploring; k++) {
        const double e = u[c * K + k % K] - before[k % K];
        paid[c] += 0.3 * before[k / K] * inverse[k / K][k % K] * e / (0.8 * 0.8);
      }
      least = fmin(least, paid[c]);
    }
    for (int c = 0; c < N; c++) {
      const double w = exp(-(paid[c] - least) / 0.3);
      all += w;
      for (int k = 0; k < K; k++) {
        assert_true(fabs(u[c * K + k]) <= 1);
        total[k] += w * (u[c * K + k] - before[k]);
      }
    }
    rutMppiResult r;
    rut_mppi_learn(m, cost, &r);
    for (int k = 0; k < K; k++) assert_near(mean[k], before[k] + total[k] / all, 1e-13);
    assert_near(r.mean, integrator_cost(before), 1e-15);
    assert_true(r.effective > 1 && r.effective < N);
    rut_mppi_destroy(m);
  }
}

// Where all cost the same, the least divergence from variations without commands is at none: the
// mean goes to 0, within five standard errors.
static void equal_costs_end_at_rest(void** state) {
  static const double deviation[2] = {1, 0.5}, correlation[2] = {0, 0.7};
  enum { M = 20 };
  const int n = repetitions(200000, 20000);
  (void)state;
  for (int i = 0; i < 2; i++) {
    rutMppiDef def = rut_default_mppi();
    def.candidates = n, def.intervals = M, def.commands = 2, def.deviation = deviation;
    def.correlation = correlation[i];
    rutMppi* m = create(&def);
    double* mean = rut_mppi_mean(m);
    for (int k = 0; k < M; k++) mean[2 * k] = 0.1, mean[2 * k + 1] = -0.05;
    double* cost = rut_mppi_costs(m);
    for (int c = 0; c < n; c++) cost[c] = 1;
    rutMppiResult r;
    rut_mppi_sample(m);
    rut_mppi_learn(m, cost, &r);
    // as many as count
    const double error = 5 / sqrt(r.effective);
    assert_true(r.effective > 0.5 * n);
    for (int k = 0; k < 2 * M; k++) assert_near(mean[k] / deviation[k % 2], 0, error);
    rut_mppi_destroy(m);
  }
}

static void a_known_optimum_is_approached(void** state) {
  static const double deviation[1] = {0.3};
  double best[K];
  (void)state;
  const double wanted = least_cost(best);
  rutMppiDef def = rut_default_mppi();
  def.candidates = 300, def.intervals = K, def.commands = 1, def.correlation = 0.5;
  def.deviation = deviation, def.share = 0.1;
  rutMppi* m = create(&def);
  rutMppiResult r = {0};
  for (int i = 0; i < 60; i++) {
    double cost[300];
    const double* u = rut_mppi_sample(m);
    for (int c = 0; c < 300; c++) cost[c] = integrator_cost(u + (ptrdiff_t)c * K);
    rut_mppi_learn(m, cost, &r);
    assert_near(r.effective, 30, 0.5);
  }
  const double found = integrator_cost(rut_mppi_mean(m));
  assert_true(found >= wanted && found < 1.01 * wanted);
  // and it begins later as it should
  double then[K];
  memcpy(then, rut_mppi_mean(m), sizeof then);
  rut_mppi_shift(m, 3);
  for (int k = 0; k < K; k++) assert_near(rut_mppi_mean(m)[k], then[k < K - 3 ? k + 3 : K - 1], 0);
  rut_mppi_destroy(m);
}

// Mean, deviation and correlation of variations, within four standard errors; others in the next
// update, the same again for the same seed.
static void variations_are_distributed_as_told(void** state) {
  static const double deviation[2] = {0.8, 0};
  enum { N = 4000, M = 5 };
  (void)state;
  rutMppiDef def = rut_default_mppi();
  def.candidates = N, def.intervals = M, def.commands = 2, def.deviation = deviation, def.seed = 9;
  rutMppi *m = create(&def), *other = create(&def);
  const double* u = rut_mppi_sample(m);
  assert_memory_equal(u, rut_mppi_sample(other), sizeof(double) * N * M * 2);
  for (int k = 0; k < M; k++) {
    double sum = 0, square = 0, product = 0;
    for (int c = 1; c < N; c++) {
      const double e = u[(c * M + k) * 2] / 0.8;
      assert_near(u[(c * M + k) * 2 + 1], 0, 0);
      sum += e;
      square += e * e;
      if (k > 0) product += e * u[(c * M + k - 1) * 2] / 0.8;
    }
    assert_near(sum / N, 0, 4 / sqrt(N));
    assert_near(square / N, 1, 4 * sqrt(2.0 / N));
    if (k > 0) assert_near(product / N, 0.7, 4 * sqrt((1 + 0.49) / N));
  }
  const double first = u[M * 2];
  double cost[N] = {0};
  rut_mppi_learn(m, cost, NULL);
  assert_true(rut_mppi_sample(m)[M * 2] != first);
  rut_mppi_destroy(m);
  rut_mppi_destroy(other);
}

// ---- with a batch ----

#define WORLD                                                                       \
  "<world timestep='5 ms'>"                                                         \
  "<vehicle name='a'><chassis mass='10' outline='-.3 -.2, .3 -.2, .3 .2, -.3 .2'/>" \
  "<wheel name='l' position='0 .25' place='left' mass='1' radius='.1'/>"            \
  "<wheel name='r' position='0 -.25' place='right' mass='1' radius='.1'/>"          \
  "<tyre type='coulomb'/><drive type='direct'/>"                                    \
  "<controller type='twist_ideal' speed='0'/></vehicle></world>"

// Where it is after five updates towards (1, 0.5), and the cost then.
static double drive(int workers, double* mean, double* began) {
  static const double deviation[3] = {0.5, 0, 0.8}, low[3] = {-1, 0, -2}, high[3] = {2, 0, 2};
  rutError err = {0};
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutBatch* batch = NULL;
  rutBatchDef def = rut_default_batch();
  def.copies = 48;
  def.workers = workers;
  rutStatus status = rut_context_create(NULL, &context, &err);
  if (status == RUT_OK) {
    status = rut_spec_parse(context, WORLD, strlen(WORLD), "test.xml", &spec, &err);
  }
  if (status == RUT_OK) status = rut_compile(spec, &model, &err);
  if (status == RUT_OK) status = rut_batch_create(spec, &def, &batch, &err);
  if (status != RUT_OK) fail_msg("%s", err.message);
  rutVariableRange range[2];
  int ranges = 0;
  for (int i = 0; i < rut_variables(model, RUT_VEHICLE, 0, RUT_OUTPUT); i++) {
    const rutVariableInfo info = rut_variable(model, RUT_VEHICLE, 0, RUT_OUTPUT, i);
    if (strcmp(info.name, "x") != 0 && strcmp(info.name, "y") != 0) continue;
    range[ranges++] = (rutVariableRange){RUT_VEHICLE, 0, RUT_OUTPUT, i, 1};
  }
  assert_int_equal(ranges, 2);
  assert_int_equal(rut_batch_columns(batch, 2, range, NULL, &err), RUT_OK);
  const rutBatchTerm term[2] = {{0, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -1, 1},
                                {1, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -1, 0.5}};
  assert_int_equal(rut_batch_reward(batch, 2, term, &err), RUT_OK);
  rutMppiDef of = rut_default_mppi();
  of.candidates = 48, of.intervals = 6, of.steps = 40, of.commands = 3, of.share = 0.15;
  of.deviation = deviation, of.low = low, of.high = high;
  rutMppi* m = create(&of);
  rutData* data = rut_data_create(model);
  assert_non_null(data);
  rutMppiResult r;
  for (int i = 0; i < 12; i++) {
    assert_int_equal(rut_mppi_update(m, batch, model, data, &r, &err), RUT_OK);
    if (i == 0) *began = r.mean;
  }
  memcpy(mean, rut_mppi_mean(m), 18 * sizeof *mean);
  of.commands = 1;
  rutMppi* wrong = create(&of);
  assert_int_equal(rut_mppi_update(wrong, batch, model, data, &r, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "the batch has 3 commands, not 1");
  assert_int_equal(rut_mppi_update(m, batch, model, data, &r, &err), RUT_OK);
  rut_mppi_destroy(wrong);
  rut_mppi_destroy(m);
  rut_data_destroy(data);
  rut_batch_destroy(batch);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return r.mean;
}

static void a_batch_drives_candidates(void** state) {
  double mean[3][18], began = 0;
  (void)state;
  for (int workers = 1; workers <= 3; workers++) {
    const double cost = drive(workers, mean[workers - 1], &began);
    // 1 + 0.25 at rest
    assert_near(began, 1.25, 1e-12);
    assert_true(cost < 0.02);
    assert_memory_equal(mean[workers - 1], mean[0], sizeof mean[0]);
  }
}

static void wrong_ones_are_refused(void** state) {
  static const double deviation[1] = {1}, low[1] = {1}, high[1] = {0};
  rutMppi* m = NULL;
  (void)state;
  rutMppiDef def = rut_default_mppi();
  assert_int_equal(rut_mppi_create(&def, &m, NULL), RUT_ERR_ARGUMENT);
  def.commands = 1;
  def.deviation = deviation;
  def.low = low;
  def.high = high;
  rutError err = {0};
  assert_int_equal(rut_mppi_create(&def, &m, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "command 0: deviations are 0 or more, and limits do not cross");
  def.low = NULL;
  def.temperature = 0;
  assert_int_equal(rut_mppi_create(&def, &m, NULL), RUT_ERR_ARGUMENT);
  def.struct_size = 1;
  assert_int_equal(rut_mppi_create(&def, &m, NULL), RUT_ERR_VERSION);
  assert_null(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_as_published),
      cmocka_unit_test(update_is_the_weighted_sum),
      cmocka_unit_test(equal_costs_end_at_rest),
      cmocka_unit_test(a_known_optimum_is_approached),
      cmocka_unit_test(variations_are_distributed_as_told),
      cmocka_unit_test(a_batch_drives_candidates),
      cmocka_unit_test(wrong_ones_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
