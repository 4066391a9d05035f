// SPDX-License-Identifier: BSD-3-Clause
//
// The world runs three times, and each of its steps counts with its fastest time: the runs are the
// same, and what else the machine does is not. Times are those of the processor, of all threads.
// A controller that decides now and then makes few steps long: those that take more than 0.1 ms are
// told by themselves.
#include "bench_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "clock.h"
#include "json.h"
#include "sort.h"
#include "world.h"

enum { RUNS = 3 };
static const double LONG_STEP = 1e-4;  // [s]

typedef struct Figures {
  int64_t steps, longer;                 // all, and those of more than LONG_STEP
  double simulated, all;                 // [s]
  double mean, median, percent99, most;  // of those [s]
} Figures;

static int run_once(cliWorld* world, int64_t steps, bool first, double* best) {
  rutError err = {0};
  int code = cli_world_start(world, 0);
  for (int64_t i = 0; i < steps && code == CLI_GO_ON; i++) {
    const double start = cli_processor_time();
    const rutStatus status = rut_step(world->model, world->data, &err);
    const double spent = cli_processor_time() - start;
    best[i] = first ? spent : fmin(best[i], spent);
    if (status != RUT_OK) code = cli_report_failure(&world->report, status, &err);
  }
  rut_data_destroy(world->data);
  world->data = NULL;
  return code;
}

static Figures figures_of(double* time, int64_t n, double timestep) {
  Figures f = {.steps = n, .simulated = (double)n * timestep};
  cli_sort((size_t)n, time);
  int64_t first = n;
  while (first > 0 && time[first - 1] > LONG_STEP) first--;
  for (int64_t i = 0; i < n; i++) f.all += time[i];
  f.longer = n - first;
  if (f.longer == 0) return f;
  for (int64_t i = first; i < n; i++) f.mean += time[i] / (double)f.longer;
  f.median = time[first + f.longer / 2];
  f.percent99 = time[first + (f.longer - 1) * 99 / 100];
  f.most = time[n - 1];
  return f;
}

static void print_figures(const Figures* f, bool as_json) {
  if (!as_json) {
    printf("%lld steps, %.4g s, in %.4g s: %.3g times real time\n", (long long)f->steps,
           f->simulated, f->all, f->simulated / f->all);
    printf(
        "%lld of them take more than 0.1 ms: mean %.3g, median %.3g, 99 %% %.3g, longest %.3g "
        "ms\n",
        (long long)f->longer, 1e3 * f->mean, 1e3 * f->median, 1e3 * f->percent99, 1e3 * f->most);
    return;
  }
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_integer(&json, "steps", f->steps);
  cli_json_number(&json, "simulated_s", f->simulated);
  cli_json_number(&json, "time_s", f->all);
  cli_json_number(&json, "real_time_factor", f->simulated / f->all);
  cli_json_integer(&json, "long_steps", f->longer);
  cli_json_number(&json, "mean_s", f->mean);
  cli_json_number(&json, "median_s", f->median);
  cli_json_number(&json, "percent99_s", f->percent99);
  cli_json_number(&json, "longest_s", f->most);
  cli_json_end(&json);
}

int cli_bench_steps(const char* path, bool json, int64_t workers) {
  static const double USUAL = 10, MOST = 600;  // duration of worlds without one, and at most [s]
  cliWorld world;
  double* best = NULL;
  int code = cli_world_open(&world, stderr, workers, 0);
  world.report.quiet = true;
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, NULL);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) {
    const double timestep = rut_model_timestep(world.model);
    const double duration = rut_node_number(world.spec, rut_spec_root(world.spec), "duration");
    const double time = duration > 0 ? fmin(duration, MOST) : USUAL;
    const int64_t steps = (int64_t)fmin(ceil(time / timestep), 1e7);
    best = calloc((size_t)steps, sizeof *best);
    if (!best) code = CLI_IO;
    for (int i = 0; i < RUNS && code == CLI_GO_ON; i++) {
      code = run_once(&world, steps, i == 0, best);
    }
    if (code == CLI_GO_ON) {
      const Figures f = figures_of(best, steps, timestep);
      print_figures(&f, json);
    }
  }
  free(best);
  cli_world_close(&world);
  return code == CLI_GO_ON ? CLI_DONE : code;
}
