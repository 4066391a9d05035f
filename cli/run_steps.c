// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>

#include "clock.h"
#include "report.h"
#include "run.h"

// Bytes of orders that are read at a time.
enum { MORE_ORDERS = 64 << 10 };

rutStatus cli_run_step_loggers(cliRun* run, rutError* err) {
  const cliWorld* world = run->world;
  rutStatus status = cli_orders_give(&run->orders, run->loggers, rut_time(world->data), err);
  if (status == RUT_OK) {
    status = rut_loggers_step(run->loggers, world->model, world->data, err);
  }
  return status;
}

void cli_run_read_orders(cliRun* run) {
  rutError err = {0};
  const double next = rut_time(run->world->data);
  if (run->orders.file < 0 ||
      cli_orders_read(&run->orders, run->loggers, next, MORE_ORDERS, &err) == RUT_OK) {
    return;
  }
  run->misunderstood = true;
  cli_report_failure(&run->world->report, err.status, &err);
}

// Samples that nobody looks at are not taken, but for those that the state at the end holds: its
// hash is the same whether a run is logged or not.
void cli_run_watch_the_end(cliRun* run, bool everything) {
  const rutModel* model = run->world->model;
  run->unwatched_until = -1;
  if (everything || run->csv || run->log || run->loggers || run->links.ros2) return;
  double longest = 0;
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    longest = fmax(longest, info.latency + 3 * info.period);
  }
  const double step = rut_model_timestep(model);
  run->unwatched_until = rut_time(run->world->data) + (double)(run->steps - 3) * step - longest;
  cli_world_watch(run->world, run->unwatched_until < rut_time(run->world->data));
}

double cli_run_lap(cliRun* run) {
  const double now = cli_clock(), since = now - run->clock;
  run->clock = now;
  return since;
}

static rutStatus one_step(cliRun* run, rutError* err) {
  cliWorld* world = run->world;
  rutStatus status = RUT_OK;
  if (run->unwatched_until >= 0 && rut_time(world->data) >= run->unwatched_until) {
    cli_world_watch(world, true);
    run->unwatched_until = -1;
  }
  if (run->inputs) status = rut_inputs_apply(run->inputs, world->model, world->data);
  if (status == RUT_OK) status = cli_links_step(&run->links, world->model, world->data, err);
  // an interrupt: no step without the answer that it was to wait for
  if (status == RUT_OK && cli_links_put_off(&run->links)) return RUT_OK;
  if (status == RUT_OK) status = rut_step(world->model, world->data, err);
  if (status == RUT_OK) status = cli_tracker_step(&run->tracker, world->model, world->data);
  if (status == RUT_OK) rut_metrics_step(run->metrics, world->model, world->data);
  if (status == RUT_OK && run->csv) {
    status = rut_csv_log_step(run->csv, world->model, world->data, err);
  }
  if (status == RUT_OK && run->log) {
    status = rut_log_step(run->log, world->model, world->data, err);
    if (status == RUT_OK) {
      status = view_recorder_step(run->recorder, world->model, world->data, err);
    }
  }
  if (status == RUT_OK && run->loggers) status = cli_run_step_loggers(run, err);
  if (run->paced) cli_pace_wait(&run->pace, rut_time(world->data));
  return status;
}

// ---- what others ask ----

static rutRos2State tell_state(void* user) {
  const cliRun* run = user;
  return (rutRos2State){run->asked.paused, run->asked.steps_left};
}

static void ask_pause(void* user, bool paused) {
  cliRun* run = user;
  run->asked.paused = paused;
  run->asked.steps_left = 0;
}

static void ask_steps(void* user, int64_t steps) {
  cliRun* run = user;
  run->asked.paused = true;
  run->asked.steps_left = steps;
}

static void ask_reset(void* user) { ((cliRun*)user)->asked.reset = true; }
static void ask_speed(void* user, double realtime) { ((cliRun*)user)->asked.speed = realtime; }
static void ask_quit(void* user) { ((cliRun*)user)->asked.quit = true; }

rutRos2Control cli_run_control(cliRun* run) {
  return (rutRos2Control){run, tell_state, ask_pause, ask_steps, ask_reset, ask_speed, ask_quit};
}

// Begin the count of the clock anew, after time jumped or stood.
static void restart_pace(cliRun* run) {
  if (!run->paced) return;
  cli_pace_begin(&run->pace, run->pace.factor, rut_model_timestep(run->world->model),
                 rut_time(run->world->data));
}

// Back to the start. Logs go on in a time of their own.
static rutStatus reset(cliRun* run, rutError* err) {
  const cliWorld* world = run->world;
  run->asked.reset = false;
  rut_data_reset(world->model, world->data, run->asked.seed);
  rutStatus status = RUT_OK;
  if (run->inputs) {
    rut_inputs_rewind(run->inputs);
    status = rut_inputs_apply(run->inputs, world->model, world->data);
  }
  if (run->loggers) rut_loggers_jump(run->loggers);
  if (run->log) {
    rut_log_jump(run->log);
    view_recorder_jump(run->recorder);
    if (status == RUT_OK) status = rut_log_step(run->log, world->model, world->data, err);
  }
  restart_pace(run);
  return status;
}

// Between two steps: do what was asked, and wait while the run is paused.
static rutStatus obey(cliRun* run, rutError* err) {
  static const double PATIENCE = 0.02;  // [s]
  const cliWorld* world = run->world;
  rutStatus status = RUT_OK;
  bool waited = false;
  while (status == RUT_OK && !run->stop() && !run->asked.quit) {
    if (run->asked.reset) status = reset(run, err);
    if (run->asked.speed >= 0) {
      run->paced = run->asked.speed > 0;
      run->pace.factor = run->asked.speed;
      run->asked.speed = -1;
      restart_pace(run);
    }
    if (!run->asked.paused || run->asked.steps_left > 0 || status != RUT_OK) break;
    waited = true;
    status = cli_links_idle(&run->links, world->model, world->data, PATIENCE, err);
  }
  if (waited) restart_pace(run);
  return status;
}

rutStatus cli_run_steps(cliRun* run, rutError* err) {
  rutStatus status = RUT_OK;
  // reading the clock costs as much as a small world's step, so it is read once per batch, and
  // batches adapt to about 20 ms
  int64_t batch = 1, left_in_batch = 1;
  double batch_start = cli_clock();
  while (rut_steps(run->world->data) < run->steps && status == RUT_OK && !run->stop()) {
    if (run->links.ros2) status = obey(run, err);
    if (run->asked.quit || run->stop() || status != RUT_OK) break;
    status = one_step(run, err);
    if (run->asked.steps_left > 0) run->asked.steps_left--;
    if (rut_steps(run->world->data) == 1) run->start.step = cli_run_lap(run);
    if (--left_in_batch > 0) continue;
    double now = cli_clock();
    if (now - batch_start < 0.01 && batch < 1 << 20) batch *= 2;
    if (now - batch_start > 0.04 && batch > 1) batch /= 2;
    batch_start = now;
    left_in_batch = batch;
    cli_run_read_orders(run);
    cli_progress_update(&run->progress, rut_time(run->world->data));
  }
  return status;
}
