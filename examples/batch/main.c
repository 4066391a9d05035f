// SPDX-License-Identifier: BSD-3-Clause
//
// Two uses of a batch. First, 96 rovers of other masses and tyres brake from 2 m/s: how far do they
// go? Then a rover drives around a wall by sampling-based predictive control (MPPI: Williams et
// al., 2017): four times a second it tries 128 sequences of set points from where it stands,
// weighs them by their cost, and drives the first part of the mean.
#include <math.h>
#include <rut/mpc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 128, INTERVALS = 12, INTERVAL_STEPS = 50, ROVERS = 96 };

#define ROVER(velocity)                                                                      \
  "<vehicle name='rover' velocity='" velocity                                                \
  " 0'>"                                                                                     \
  "<chassis mass='30' outline='-0.4 -0.22, 0.4 -0.22, 0.4 0.22, -0.4 0.22'/>"                \
  "<wheel place='rear_left' position='-0.25 0.28' mass='1.5' radius='0.13'/>"                \
  "<wheel place='rear_right' position='-0.25 -0.28' mass='1.5' radius='0.13'/>"              \
  "<wheel place='front_left' position='0.25 0.28' mass='1.5' radius='0.13'/>"                \
  "<wheel place='front_right' position='0.25 -0.28' mass='1.5' radius='0.13'/>"              \
  "<tyre type='coulomb' friction='0.7'/><drive type='direct'/>"                              \
  "<controller type='twist_pid' proportional_gain='40' integral_gain='60' max_torque='30'/>" \
  "</vehicle>"

static const char braking[] = "<world timestep='5 ms'>" ROVER("2") "</world>";
static const char wall[] =
    "<world timestep='5 ms'>" ROVER("0") "<wall from='3 -0.6' to='3 3' thickness='0.2'/></world>";

static void check(rutStatus status, const rutError* err) {
  if (status == RUT_OK) return;
  fprintf(stderr, "%s\n", err->message);
  exit(1);
}

static rutSpec* parse(rutContext* context, const char* text) {
  rutError err = {0};
  rutSpec* spec = NULL;
  check(rut_spec_parse(context, text, strlen(text), "batch.xml", &spec, &err), &err);
  return spec;
}

// Outputs of the first vehicle by name, as columns in this order.
static void watch(rutBatch* batch, int n, const char* const* name) {
  const rutModel* model = rut_batch_model(batch);
  rutVariableRange range[8];
  rutError err = {0};
  for (int k = 0; k < n; k++) {
    int at = 0;
    while (strcmp(rut_variable(model, RUT_VEHICLE, 0, RUT_OUTPUT, at).name, name[k]) != 0) at++;
    range[k] = (rutVariableRange){RUT_VEHICLE, 0, RUT_OUTPUT, at, 1};
  }
  check(rut_batch_columns(batch, n, range, NULL, &err), &err);
}

// ---- other masses, other tyres ----

static void brake(rutContext* context) {
  static const char* const path[] = {"rover/chassis[0].mass", "rover/tyre[0].friction"};
  static const char* const name[] = {"x"};
  rutError err = {0};
  rutSpec* spec = parse(context, braking);
  rutBatch* batch = NULL;
  rutBatchDef def = rut_default_batch();
  def.copies = ROVERS;
  check(rut_batch_create(spec, &def, &batch, &err), &err);
  watch(batch, 1, name);
  // [copy][field]: four masses, four coefficients, six copies of each pair
  double value[ROVERS][2], x[ROVERS], least = 1e9, most = 0;
  for (int c = 0; c < ROVERS; c++) {
    value[c][0] = 20 + 10 * (c % 4);
    value[c][1] = 0.2 + 0.2 * (c / 4 % 4);
  }
  const rutBatchArray array = {value[0], 2, 1};
  check(rut_batch_vary(batch, 2, path, &array, &err), &err);
  const rutBatchIo io = {.output = {x, 1, 1}};
  check(rut_batch_step(batch, 1000, &io, &err), &err);
  for (int c = 0; c < ROVERS; c++) {
    least = fmin(least, x[c]);
    most = fmax(most, x[c]);
  }
  printf("%d rovers of %d kinds stop after %.2f to %.2f m\n", ROVERS,
         rut_batch_info(batch).variants - 1, least, most);
  rut_batch_destroy(batch);
  rut_spec_destroy(spec);
}

// ---- around a wall ----

// Candidates differ from the mean by these: speed [m/s], yaw rate [rad/s].
static rutMppi* sampler(void) {
  static const double deviation[] = {0.6, 1.2}, low[] = {-1, -1.5}, high[] = {1.5, 1.5};
  rutMppiDef def = rut_default_mppi();
  rutMppi* mppi = NULL;
  rutError err = {0};
  def.candidates = CANDIDATES;
  def.intervals = INTERVALS;
  def.steps = INTERVAL_STEPS;
  def.commands = 2;
  def.share = 0.05;
  def.correlation = 0.9;
  def.deviation = deviation;
  def.low = low;
  def.high = high;
  check(rut_mppi_create(&def, &mppi, &err), &err);
  return mppi;
}

static void drive(rutContext* context) {
  static const char* const name[] = {"x", "y", "collision"};
  rutError err = {0};
  rutSpec* spec = parse(context, wall);
  rutBatch* batch = NULL;
  rutModel* model = NULL;
  rutBatchDef def = rut_default_batch();
  def.copies = CANDIDATES;
  check(rut_batch_create(spec, &def, &batch, &err), &err);
  check(rut_compile(spec, &model, &err), &err);
  watch(batch, 3, name);
  // towards (6, 0), and not into the wall
  const rutBatchTerm term[] = {{0, RUT_BATCH_SQUARE, RUT_BATCH_EACH, -1, 6},
                               {1, RUT_BATCH_SQUARE, RUT_BATCH_EACH, -1, 0},
                               {0, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -5, 6},
                               {1, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -5, 0},
                               {2, RUT_BATCH_LINEAR, RUT_BATCH_EACH, -200, 0}};
  check(rut_batch_reward(batch, 5, term, &err), &err);

  rutData* data = rut_data_create(model);
  rutMppi* mppi = sampler();
  double left = INFINITY;
  int hits = 0;
  while (left > 0.3 && rut_time(data) < 60) {
    check(rut_mppi_update(mppi, batch, model, data, NULL, &err), &err);
    check(rut_command(model, data, 0, 2, rut_mppi_mean(mppi)), &err);
    for (int i = 0; i < INTERVAL_STEPS; i++) {
      check(rut_step(model, data, &err), &err);
      hits += rut_vehicle_state(model, data, 0).collision;
    }
    rut_mppi_shift(mppi, 1);
    const rutVehicleState s = rut_vehicle_state(model, data, 0);
    left = hypot(s.position[0] - 6, s.position[1]);
  }
  printf("the rover came within %.1f m of its goal after %.2f s, %s\n", left, rut_time(data),
         hits ? "and hit the wall" : "and hit nothing");
  printf("%d of %d candidates share lanes\n", rut_batch_info(batch).in_lanes, CANDIDATES);
  rut_mppi_destroy(mppi);
  rut_data_destroy(data);
  rut_batch_destroy(batch);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
}

int main(void) {
  rutError err = {0};
  rutContext* context = NULL;
  check(rut_context_create(NULL, &context, &err), &err);
  brake(context);
  drive(context);
  rut_context_destroy(context);
  return 0;
}
