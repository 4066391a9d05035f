// SPDX-License-Identifier: BSD-3-Clause
//
// The world runs once for each sensor, with the others switched off, and once with all of them.
// Steps in which a sample is taken cost more than the others: by that sample. Times are those of
// the processor, of all threads, so that other programs disturb little.
#include "bench_sensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "clock.h"
#include "json.h"
#include "table.h"
#include "world.h"

static const double SETTLE = 0.5;    // simulated time before the measurement [s]
static const double MEASURED = 2.0;  // and in it [s]
static const double NEVER = 1e6;     // period of a sensor that is switched off [s]
enum { ALL = -1 };

// Steps with or without a sample.
typedef struct Steps {
  int64_t n;
  double time;  // [s]
} Steps;

// What one sensor costs, or all together.
typedef struct Cost {
  char name[128], type[64];
  double period;         // [s]
  Steps sampled, other;  // all together: in any sensor
} Cost;

static int set_period(cliWorld* world, const char* sensor, double period) {
  char path[160], text[40];
  rutError err = {0};
  snprintf(path, sizeof path, "%s.period", sensor);
  snprintf(text, sizeof text, "%.17g s", period);
  const rutStatus status = rut_spec_set(world->spec, path, text, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// Latest stamp of a sensor, or of all of them.
static double latest_stamp(const cliWorld* world, int sensor) {
  const int first = sensor < 0 ? 0 : sensor;
  const int end = sensor < 0 ? rut_count(world->model, RUT_SENSOR) : sensor + 1;
  double latest = -1, stamp;
  for (int i = first; i < end; i++) {
    if (rut_sensor_output(world->model, world->data, i, 0, &stamp)) latest = fmax(latest, stamp);
  }
  return latest;
}

// Steps until a time.
static int run_until(cliWorld* world, double time, int sensor, Cost* cost) {
  rutError err = {0};
  while (rut_time(world->data) < time - 1e-9) {
    const double before = latest_stamp(world, sensor), start = cli_processor_time();
    const rutStatus status = rut_step(world->model, world->data, &err);
    const double spent = cli_processor_time() - start;
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
    Steps* steps = latest_stamp(world, sensor) > before ? &cost->sampled : &cost->other;
    steps->n++;
    steps->time += spent;
  }
  return CLI_GO_ON;
}

// Measure the world as its spec is now.
static int measure(cliWorld* world, int sensor, Cost* cost) {
  Cost settling = {.name = ""};
  int code = cli_world_compile(world);
  if (code == CLI_GO_ON) code = cli_world_start(world, 0);
  if (code == CLI_GO_ON) code = run_until(world, SETTLE, sensor, &settling);
  if (code == CLI_GO_ON) code = run_until(world, SETTLE + MEASURED, sensor, cost);
  rut_data_destroy(world->data);
  rut_model_destroy(world->model);
  world->data = NULL;
  world->model = NULL;
  return code;
}

// Names and periods of all sensors, in a list that the caller frees; one more for all together.
static int list_sensors(cliWorld* world, int* n, Cost** out) {
  const int code = cli_world_compile(world);
  if (code != CLI_GO_ON) return code;
  *n = rut_count(world->model, RUT_SENSOR);
  *out = calloc((size_t)*n + 1, sizeof **out);
  for (int i = 0; *out && i < *n; i++) {
    const rutSensorInfo info = rut_sensor_info(world->model, i);
    Cost* cost = *out + i;
    snprintf(cost->name, sizeof cost->name, "%s", info.name);
    snprintf(cost->type, sizeof cost->type, "%s", info.type);
    cost->period = info.period;
  }
  rut_model_destroy(world->model);
  world->model = NULL;
  return *out ? CLI_GO_ON : CLI_IO;
}

static int measure_all(cliWorld* world, int n, Cost* cost) {
  int code = measure(world, ALL, &cost[n]);
  for (int i = 0; i < n && code == CLI_GO_ON; i++) code = set_period(world, cost[i].name, NEVER);
  for (int i = 0; i < n && code == CLI_GO_ON; i++) {
    code = set_period(world, cost[i].name, cost[i].period);
    if (code == CLI_GO_ON) code = measure(world, i, &cost[i]);
    if (code == CLI_GO_ON) code = set_period(world, cost[i].name, NEVER);
  }
  return code;
}

// Time of a sample, NaN without any [s].
static double per_sample(const Cost* cost) {
  const Steps *with = &cost->sampled, *without = &cost->other;
  if (with->n == 0) return (double)NAN;
  const double step = without->n > 0 ? without->time / (double)without->n : 0;
  return with->time / (double)with->n - step;
}

// Shares of a processor, of a simulation at the speed of reality.
static double sensors_share(const Cost* cost) {
  return cost->sampled.n > 0 ? per_sample(cost) * (double)cost->sampled.n / MEASURED : 0;
}
static double whole_share(const Cost* cost) {
  return (cost->sampled.time + cost->other.time) / MEASURED;
}

static void print_json(int n, const Cost* cost) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_array(&json, "sensors");
  for (int i = 0; i < n; i++) {
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", cost[i].name);
    cli_json_text(&json, "type", cost[i].type);
    cli_json_number(&json, "period_s", cost[i].period);
    cli_json_integer(&json, "samples", cost[i].sampled.n);
    cli_json_number(&json, "s_per_sample", per_sample(&cost[i]));
    cli_json_number(&json, "share", sensors_share(&cost[i]));
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_number(&json, "sensors_share", sensors_share(&cost[n]));
  cli_json_number(&json, "share", whole_share(&cost[n]));
  cli_json_end(&json);
}

static void print_table(int n, const Cost* cost) {
  static const char* const header[] = {"sensor", "type", "Hz", "ms/sample", "% of a core"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < n; i++) {
    cli_table_add(&table, "%s", cost[i].name);
    cli_table_add(&table, "%s", cost[i].type);
    cli_table_add(&table, "%.4g", 1 / cost[i].period);
    cli_table_add(&table, "%.3g", 1e3 * per_sample(&cost[i]));
    cli_table_add(&table, "%.2g", 100 * sensors_share(&cost[i]));
  }
  cli_table_print(&table, "llrrr", stdout);
  cli_table_free(&table);
  printf(
      "\nAll sensors together: %.3g %% of a core in real time; with the rest of the world %.3g %%, "
      "which is %.3g s of work per simulated second.\n",
      100 * sensors_share(&cost[n]), 100 * whole_share(&cost[n]), whole_share(&cost[n]));
}

int cli_bench_sensors(const char* path, bool json, int64_t workers) {
  cliWorld world;
  Cost* cost = NULL;
  int n = 0, code = cli_world_open(&world, stderr, workers, 0);
  world.report.quiet = true;
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, NULL);
  if (code == CLI_GO_ON) code = list_sensors(&world, &n, &cost);
  if (code == CLI_GO_ON) code = measure_all(&world, n, cost);
  if (code == CLI_GO_ON && json) print_json(n, cost);
  if (code == CLI_GO_ON && !json) print_table(n, cost);
  free(cost);
  cli_world_close(&world);
  return code == CLI_GO_ON ? CLI_DONE : code;
}
