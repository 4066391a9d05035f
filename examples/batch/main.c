// SPDX-License-Identifier: BSD-3-Clause
//
// Two uses of a batch. First, 96 rovers of other masses and tyres brake from 2 m/s: how far do they
// go? Then a rover drives around a wall by sampling-based predictive control (MPPI: Williams et
// al., 2017): four times a second it tries 128 sequences of set points from where it stands,
// weighs them by their cost, and drives the first part of the mean.
#include <math.h>
#include <rut/batch.h>
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

// Normal numbers; the same ones in every run.
static double normal(void) {
  static unsigned long long state = 1;
  double u[2];
  for (int i = 0; i < 2; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    u[i] = ((double)(state >> 11) + 0.5) / 9007199254740992.0;
  }
  return sqrt(-2 * log(u[0])) * cos(6.283185307179586 * u[1]);
}

typedef double Plan[INTERVALS][2];  // speed [m/s] and yaw rate [rad/s] in each interval

// The plan becomes the mean of its variations, each weighted by its cost.
static void improve(rutBatch* batch, const rutModel* model, const rutData* data, Plan plan) {
  static Plan candidate[CANDIDATES];
  static const double TEMPERATURE = 2;
  double cost[CANDIDATES], least = INFINITY, sum = 0;
  rutError err = {0};
  for (int c = 0; c < CANDIDATES; c++) {
    // the first candidate is the plan itself; the others differ from it in one part of it more than
    // in the rest
    const double part = c > 0 ? 1 : 0, turn = normal(), faster = normal();
    const int from = c % INTERVALS, to = from + INTERVALS / 3;
    for (int k = 0; k < INTERVALS; k++) {
      const double here = k >= from && k < to ? part : 0;
      const double speed = plan[k][0] + part * 0.3 * normal() + 0.6 * here * faster;
      const double rate = plan[k][1] + part * 0.3 * normal() + 1.2 * here * turn;
      candidate[c][k][0] = fmin(fmax(speed, -1), 1.5);
      candidate[c][k][1] = fmin(fmax(rate, -1.5), 1.5);
    }
  }
  const rutRollout rollout = {.candidates = CANDIDATES,
                              .intervals = INTERVALS,
                              .steps = INTERVAL_STEPS,
                              .command = candidate[0][0],
                              .candidate_stride = 2 * INTERVALS,
                              .interval_stride = 2,
                              .column_stride = 1};
  check(rut_rollout(batch, model, data, &rollout, cost, &err), &err);
  for (int c = 0; c < CANDIDATES; c++) least = fmin(least, cost[c]);
  memset(plan, 0, sizeof(Plan));
  for (int c = 0; c < CANDIDATES; c++) {
    const double weight = exp((least - cost[c]) / TEMPERATURE);
    sum += weight;
    for (int i = 0; i < 2 * INTERVALS; i++)
      plan[i / 2][i % 2] += weight * candidate[c][i / 2][i % 2];
  }
  for (int i = 0; i < 2 * INTERVALS; i++) plan[i / 2][i % 2] /= sum;
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
  Plan plan = {{0}};
  double left = INFINITY;
  int hits = 0;
  while (left > 0.3 && rut_time(data) < 60) {
    improve(batch, model, data, plan);
    check(rut_command(model, data, 0, 2, plan[0]), &err);
    for (int i = 0; i < INTERVAL_STEPS; i++) {
      check(rut_step(model, data, &err), &err);
      hits += rut_vehicle_state(model, data, 0).collision;
    }
    memmove(plan[0], plan[1], sizeof plan - sizeof plan[0]);
    const rutVehicleState s = rut_vehicle_state(model, data, 0);
    left = hypot(s.position[0] - 6, s.position[1]);
  }
  printf("the rover came within %.1f m of its goal after %.2f s, %s\n", left, rut_time(data),
         hits ? "and hit the wall" : "and hit nothing");
  printf("%d of %d candidates share lanes\n", rut_batch_info(batch).in_lanes, CANDIDATES);
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
