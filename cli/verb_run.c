// SPDX-License-Identifier: BSD-3-Clause
//
// rut run: simulate a world.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "orders.h"
#include "peer.h"
#include "progress.h"
#include "remote_program.h"
#include "ros2.h"
#include "run_summary.h"
#include "rut/fmu.h"
#include "rut/host.h"
#include "scene/recorder.h"

typedef struct RunOptions {
  double duration;
  cliList set, plugin, log_signals;
  cliAllowed allowed;
  cliRemoteOptions remote;
  const char *inputs, *csv, *ruts, *log, *output, *step;
  double log_rate, csv_rate, realtime;
  int64_t csv_every, csv_digits, seed, workers, pin_core;
  bool json, quiet, profile, orders, ride, interpolate, log_scene;
  cliPeerOptions peer;
  bool allow_fmu;
  double fmu_timeout;
  cliRos2Options ros2;
} RunOptions;

static const cliOption options[] = {
    {"duration", 'd', CLI_NUMBER, "S", 0, 1e9, offsetof(RunOptions, duration),
     "simulated seconds (default: what the world says)"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(RunOptions, set),
     "change a field of the world; may be repeated"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(RunOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(RunOptions, allowed),
    {"inputs", 'i', CLI_TEXT, "FILE.csv", 0, 0, offsetof(RunOptions, inputs),
     "set points over time; the header names the columns: t,vehicle,speed,..."},
    {"interpolate", 0, CLI_FLAG, "", 0, 0, offsetof(RunOptions, interpolate),
     "set points go from row to row in straight lines instead of holding"},
    CLI_REMOTE_OPTIONS(RunOptions, remote),
    CLI_PEER_OPTIONS(RunOptions, peer),
    {"allow-fmu", 0, CLI_FLAG, "", 0, 0, offsetof(RunOptions, allow_fmu),
     "run the FMUs that the world names as controllers, with all rights of yours"},
    {"fmu-timeout", 0, CLI_NUMBER, "S", 1e-3, 1e6, offsetof(RunOptions, fmu_timeout),
     "how long an answer of an FMU may take (default 30)"},
    CLI_ROS2_OPTIONS(RunOptions, ros2),
    {"step", 0, CLI_TEXT, "S|auto", 0, 0, offsetof(RunOptions, step),
     "timestep; auto: the longest part of the world's that holds the residual of energy below "
     "1e-4"},
    {"csv", 'c', CLI_TEXT, "DIR", 0, 0, offsetof(RunOptions, csv),
     "write a table per vehicle, sensor and mechanism"},
    {"csv-rate", 0, CLI_NUMBER, "HZ", 1e-3, 1e7, offsetof(RunOptions, csv_rate),
     "rate of rows of tables (default 100)"},
    {"csv-every", 0, CLI_INTEGER, "N", 1, 1e9, offsetof(RunOptions, csv_every),
     "a row after every N steps instead"},
    {"csv-digits", 0, CLI_INTEGER, "N", 1, 17, offsetof(RunOptions, csv_digits),
     "significant digits (default: as many as read back to the same number)"},
    {"log", 'l', CLI_TEXT, "FILE.mcap", 0, 0, offsetof(RunOptions, log),
     "write a log that rut replay, rut plot and tools of ROS 2 read"},
    {"log-signals", 0, CLI_TEXTS, "GLOB", 0, 0, offsetof(RunOptions, log_signals),
     "log these signals only, such as '*/speed'; may be repeated"},
    {"log-rate", 0, CLI_NUMBER, "HZ", 1e-3, 1e7, offsetof(RunOptions, log_rate),
     "rate of logged signals (default 50, less in fine or large worlds)"},
    {"log-scene", 0, CLI_FLAG, "", 0, 0, offsetof(RunOptions, log_scene),
     "log vehicles, ground and ruts as Foxglove shows them, and the poses of wheels"},
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(RunOptions, output),
     "write the logs that the world names into this folder, replacing none"},
    {"orders", 0, CLI_FLAG, "", 0, 0, offsetof(RunOptions, orders),
     "read orders to these logs from standard input: [TIME] pause|resume|clear|session LOG"},
    {"ruts", 0, CLI_TEXT, "FILE", 0, 0, offsetof(RunOptions, ruts),
     "write the ruts at the end: cells as .csv, heights as .asc"},
    {"ride", 0, CLI_FLAG, "", 0, 0, offsetof(RunOptions, ride),
     "measure the vibration at the seat of every vehicle on axles"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(RunOptions, json),
     "print the summary as one JSON object"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(RunOptions, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(RunOptions, workers),
     "threads; the result is the same for any number (default 1)"},
    {"realtime", 'r', CLI_FACTOR, "FACTOR", 1e-3, 1e3, offsetof(RunOptions, realtime),
     "hold the pace of the clock, or FACTOR times it"},
    {"pin-core", 0, CLI_INTEGER, "N", 0, 1023, offsetof(RunOptions, pin_core),
     "run the steps on this core only"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(RunOptions, quiet),
     "no progress, no warnings, no table"},
    {"profile", 'p', CLI_FLAG, "", 0, 0, offsetof(RunOptions, profile),
     "print the time that each part of the start and each stage of the steps took"},
};

// Others come and go: a run for them has no end of its own [s].
static const double FOR_EVER = 1e9;

// Written by the signal handler, read between steps: the run ends in good order.
static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static bool is_interrupted(void) { return interrupted != 0; }

// What others ask of the run while it goes on, between two steps.
typedef struct Asked {
  bool paused, reset, quit;
  int64_t steps_left;  // to do although it is paused
  double speed;        // new pace, negative: the old one
  uint64_t seed;
} Asked;

// What runs along with the steps.
typedef struct Run {
  cliWorld* world;
  rutInputs* inputs;    // Nullable
  rutRemote* remote;    // Nullable
  rutRos2* ros2;        // Nullable
  Asked asked;          // by others
  rutCsvLog* csv;       // Nullable
  rutLog* log;          // Nullable
  rutLoggers* loggers;  // that the world names. Nullable
  cliOrders orders;     // to them, file -1: none
  cliPeer peer;
  rutFmuDrivers* fmus;     // Nullable
  bool misunderstood;      // an order was none
  viewRecorder* recorder;  // of the log, for rut replay. Nullable
  rutMetrics* metrics;     // Nullable
  cliTracker tracker;
  cliProgress progress;
  int64_t steps;           // to do in all
  double unwatched_until;  // [s] from then on sensors take their samples
  bool paced, chose;
  double realtime;  // times as fast as the clock, if it is paced
  cliPace pace;
  rutStepChoice choice;  // if it chose a step
  cliRunStart start;
  double clock;        // when the last part of the start ended [s]
  char command[1024];  // that started the run
} Run;

static const double FMU_TIMEOUT = 30;  // [s]

// Bytes of orders that are read before the run, and at a time.
enum { FIRST_ORDERS = 16 << 20, MORE_ORDERS = 64 << 10 };

static rutStatus step_loggers(Run* run, rutError* err) {
  const cliWorld* world = run->world;
  rutStatus status = cli_orders_give(&run->orders, run->loggers, rut_time(world->data), err);
  if (status == RUT_OK) {
    status = rut_loggers_step(run->loggers, world->model, world->data, err);
  }
  return status;
}

// Take orders that have arrived. An invalid one is reported, and the run goes on.
static void read_orders(Run* run) {
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
static void watch_the_end(Run* run, bool everything) {
  const rutModel* model = run->world->model;
  run->unwatched_until = -1;
  if (everything || run->csv || run->log || run->loggers || run->ros2) return;
  double longest = 0;
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    longest = fmax(longest, info.latency + 3 * info.period);
  }
  const double step = rut_model_timestep(model);
  run->unwatched_until = rut_time(run->world->data) + (double)(run->steps - 3) * step - longest;
  cli_world_watch(run->world, run->unwatched_until < rut_time(run->world->data));
}

// Time since the last part of the start ended.
static double lap(Run* run) {
  const double now = cli_clock(), since = now - run->clock;
  run->clock = now;
  return since;
}

static rutStatus one_step(Run* run, rutError* err) {
  cliWorld* world = run->world;
  rutStatus status = RUT_OK;
  if (run->unwatched_until >= 0 && rut_time(world->data) >= run->unwatched_until) {
    cli_world_watch(world, true);
    run->unwatched_until = -1;
  }
  if (run->inputs) status = rut_inputs_apply(run->inputs, world->model, world->data);
  if (status == RUT_OK && run->remote) {
    status = rut_remote_step(run->remote, world->model, world->data, err);
  }
  if (status == RUT_OK && run->ros2) {
    status = rut_ros2_step(run->ros2, world->model, world->data, err);
  }
  if (status == RUT_OK && run->peer.peer) {
    status = rut_peer_step(run->peer.peer, world->model, world->data, err);
  }
  if (status == RUT_OK) {
    status = rut_fmu_drivers_step(run->fmus, world->model, world->data, err);
  }
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
  if (status == RUT_OK && run->loggers) status = step_loggers(run, err);
  if (run->paced) cli_pace_wait(&run->pace, rut_time(world->data));
  return status;
}

// ---- what others ask ----

static rutRos2State tell_state(void* user) {
  const Run* run = user;
  return (rutRos2State){run->asked.paused, run->asked.steps_left};
}

static void ask_pause(void* user, bool paused) {
  Run* run = user;
  run->asked.paused = paused;
  run->asked.steps_left = 0;
}

static void ask_steps(void* user, int64_t steps) {
  Run* run = user;
  run->asked.paused = true;
  run->asked.steps_left = steps;
}

static void ask_reset(void* user) { ((Run*)user)->asked.reset = true; }
static void ask_speed(void* user, double realtime) { ((Run*)user)->asked.speed = realtime; }
static void ask_quit(void* user) { ((Run*)user)->asked.quit = true; }

// Begin the count of the clock anew, after time jumped or stood.
static void restart_pace(Run* run) {
  if (!run->paced) return;
  cli_pace_begin(&run->pace, run->pace.factor, rut_model_timestep(run->world->model),
                 rut_time(run->world->data));
}

// Back to the start. Logs go on in a time of their own.
static rutStatus reset(Run* run, rutError* err) {
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
static rutStatus obey(Run* run, rutError* err) {
  static const double PATIENCE = 0.02;  // [s]
  const cliWorld* world = run->world;
  rutStatus status = RUT_OK;
  bool waited = false;
  while (status == RUT_OK && !interrupted && !run->asked.quit) {
    if (run->asked.reset) status = reset(run, err);
    if (run->asked.speed >= 0) {
      run->paced = run->asked.speed > 0;
      run->pace.factor = run->asked.speed;
      run->asked.speed = -1;
      restart_pace(run);
    }
    if (!run->asked.paused || run->asked.steps_left > 0 || status != RUT_OK) break;
    waited = true;
    status = rut_ros2_idle(run->ros2, world->model, world->data, PATIENCE, err);
  }
  if (waited) restart_pace(run);
  return status;
}

static rutStatus all_steps(Run* run, rutError* err) {
  rutStatus status = RUT_OK;
  // reading the clock costs as much as a small world's step, so it is read once per batch, and
  // batches adapt to about 20 ms
  int64_t batch = 1, left_in_batch = 1;
  double batch_start = cli_clock();
  while (rut_steps(run->world->data) < run->steps && status == RUT_OK && !interrupted) {
    if (run->ros2) status = obey(run, err);
    if (run->asked.quit || interrupted || status != RUT_OK) break;
    status = one_step(run, err);
    if (run->asked.steps_left > 0) run->asked.steps_left--;
    if (rut_steps(run->world->data) == 1) run->start.step = lap(run);
    if (--left_in_batch > 0) continue;
    double now = cli_clock();
    if (now - batch_start < 0.01 && batch < 1 << 20) batch *= 2;
    if (now - batch_start > 0.04 && batch > 1) batch /= 2;
    batch_start = now;
    left_in_batch = batch;
    read_orders(run);
    cli_progress_update(&run->progress, rut_time(run->world->data));
  }
  return status;
}

// Number of steps that a duration takes: the last one ends at or after it.
static int count_steps(cliWorld* world, double duration, int64_t* steps) {
  double n = ceil(duration / rut_model_timestep(world->model) - 1e-6);
  if (!(n <= 1e15)) {
    rutError err = {.status = RUT_ERR_ARGUMENT};
    snprintf(err.message, sizeof err.message, "%g s are too many steps of %g s", duration,
             rut_model_timestep(world->model));
    return cli_report_failure(&world->report, RUT_ERR_ARGUMENT, &err);
  }
  *steps = n > 0 ? (int64_t)n : 0;
  return CLI_GO_ON;
}

// File names that vehicles ask for, NULL if out of memory. Strings belong to the spec.
static const char** log_names(const cliWorld* world) {
  int vehicles = rut_count(world->model, RUT_VEHICLE);
  const char** name = calloc((size_t)vehicles + 1, sizeof *name);
  for (int i = 0; name && i < vehicles; i++) {
    rutNode node = rut_spec_find(world->spec, rut_name(world->model, RUT_VEHICLE, i));
    if (!rut_node_is_null(node)) name[i] = rut_node_text(world->spec, node, "log");
  }
  return name;
}

static rutStatus open_log(Run* run, const RunOptions* option, const char* path, rutError* err) {
  const cliWorld* world = run->world;
  rutLogDef def = rut_default_log();
  def.rate = option->log_rate;
  def.patterns = option->log_signals.n;
  def.pattern = option->log_signals.item;
  def.wheel_frames = option->log_scene;
  def.spec = world->spec;
  def.seed = (uint64_t)option->seed;
  def.command = run->command;
  rutStatus status = rut_log_create(world->model, option->log, &def, &run->log, err);
  if (status == RUT_OK) status = rut_log_step(run->log, world->model, world->data, err);
  if (status != RUT_OK) return status;
  const viewRecorderDef recorder = {.spec = world->spec,
                                    .model = world->model,
                                    .title = cli_base_name(path),
                                    .log = run->log,
                                    .updates = option->log_scene};
  status = view_recorder_create(&recorder, world->data, &run->recorder, err);
  if (status == RUT_OK) {
    view_refused_warn(view_recorder_refused(run->recorder), &run->world->report);
  }
  return status;
}

// Logs that the world names, and the orders to them that there are before the first step.
static rutStatus open_loggers(Run* run, const RunOptions* option, rutError* err) {
  cliWorld* world = run->world;
  rutLoggersDef def = rut_default_loggers();
  def.folder = option->output;
  def.seed = (uint64_t)option->seed;
  def.command = run->command;
  rutStatus status = rut_loggers_create(world->spec, world->model, &def, &run->loggers, err);
  if (status != RUT_OK) return status;
  if (!cli_loggers_wanted(world, run->loggers, option->output)) {
    rut_loggers_close(run->loggers, NULL);
    run->loggers = NULL;
    return RUT_OK;
  }
  if (option->orders) {
    cli_orders_begin(&run->orders, STDIN_FILENO);
    // a run that nobody watches waits for all of them: it would be over before they come
    const bool live = run->paced || cli_orders_are_typed(&run->orders);
    status = live ? cli_orders_read(&run->orders, run->loggers, 0, FIRST_ORDERS, err)
                  : cli_orders_read_all(&run->orders, run->loggers, err);
  }
  return status == RUT_OK ? step_loggers(run, err) : status;
}

static rutStatus close_loggers(Run* run, rutError* err) {
  const rutStatus status = rut_loggers_close(run->loggers, err);
  run->loggers = NULL;
  cli_orders_free(&run->orders);
  return status;
}

// End the frames and the log. Nullable: err.
static rutStatus close_log(Run* run, rutError* err) {
  const cliWorld* world = run->world;
  const rutStatus recorded = view_recorder_close(run->recorder, world->model, world->data, err);
  const rutStatus closed = rut_log_close(run->log, recorded == RUT_OK ? err : NULL);
  run->recorder = NULL;
  run->log = NULL;
  return recorded == RUT_OK ? closed : recorded;
}

// The step that is given, or the one that the world needs.
static int set_step(Run* run, const RunOptions* option, double duration) {
  cliWorld* world = run->world;
  rutError err = {0};
  rutStatus status = RUT_OK;
  const double automatic = rut_node_number(world->spec, rut_spec_root(world->spec), "step");
  const bool chooses = option->step ? strcmp(option->step, "auto") == 0 : automatic > 0;
  if (chooses) {
    const rutStepOptions wanted = {.duration = duration,
                                   .seed = (uint64_t)option->seed,
                                   .inputs = option->inputs,
                                   .interpolate = option->interpolate};
    run->chose = true;
    if (option->inputs) {
      world->report.named = option->inputs;
      rut_context_note_input(world->context, option->inputs);
    }
    status = rut_step_choose(world->spec, &wanted, &run->choice, &err);
  } else if (option->step) {
    status = rut_spec_set(world->spec, "timestep", option->step, &err);
    if (status != RUT_OK) {
      return cli_usage_error(&cli_verb_run, "--step: '%s' is neither a time such as 1ms nor auto",
                             option->step);
    }
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// Load the world and everything that runs beside it.
static int prepare(Run* run, const RunOptions* option, const char* path) {
  cliWorld* world = run->world;
  run->clock = cli_clock();
  int code = cli_world_load(world, path, &option->set);
  run->start.load = lap(run);
  if (code != CLI_GO_ON) return code;
  double duration = option->duration;
  if (isnan(duration)) {
    duration = rut_node_number(world->spec, rut_spec_root(world->spec), "duration");
  }
  code = set_step(run, option, duration);
  const bool endless = option->ros2.on && isnan(option->duration);
  if (endless) duration = FOR_EVER;
  if (code == CLI_GO_ON) code = cli_world_compile(world);
  run->start.compile = lap(run);
  if (code == CLI_GO_ON) code = cli_world_start(world, (uint64_t)option->seed);
  run->start.state = lap(run);
  if (code != CLI_GO_ON) return code;
  code = count_steps(world, duration, &run->steps);
  if (code != CLI_GO_ON) return code;

  rutError err = {0};
  rutRuts ruts;
  if (option->ruts && !rut_ruts(world->model, world->data, &ruts)) {
    return cli_usage_error(&cli_verb_run, "--ruts: this world has no <deformable>");
  }
  if (option->inputs) {
    world->report.named = option->inputs;
    rut_context_note_input(world->context, option->inputs);
    rutStatus status = rut_inputs_load(world->model, option->inputs, &run->inputs, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
    if (option->interpolate) status = rut_inputs_interpolate(run->inputs, world->model);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
    // what holds from the start shall also stand in the first row of the log
    status = rut_inputs_apply(run->inputs, world->model, world->data);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  // from here on there are files to close
  cli_catch_interrupts(interrupt);
  code = cli_remote_open(&cli_verb_run, world, &option->remote, is_interrupted, &run->remote);
  if (code != CLI_GO_ON) return code;
  const rutRos2Control control = {run,       tell_state, ask_pause, ask_steps,
                                  ask_reset, ask_speed,  ask_quit};
  code = cli_ros2_open(&cli_verb_run, world, &option->ros2, &control, is_interrupted, &run->ros2);
  if (code != CLI_GO_ON) return code;
  if (option->peer.path) {
    code = cli_peer_open(&run->peer, world, &option->peer);
    if (code != CLI_GO_ON) return code;
  }
  if (option->allow_fmu) {
    const double timeout = option->fmu_timeout > 0 ? option->fmu_timeout : FMU_TIMEOUT;
    const rutStatus status =
        rut_fmu_drivers_open(world->spec, world->model, timeout, &run->fmus, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  if (option->csv) {
    const char** name = log_names(world);
    rutCsvLogDef def = {.folder = option->csv,
                        .every = (int)option->csv_every * (run->chose ? run->choice.parts : 1),
                        .name = name,
                        .rate = option->csv_rate,
                        .digits = (int)option->csv_digits};
    rutStatus status = rut_csv_log_create(world->model, world->data, &def, &run->csv, &err);
    free(name);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  if (option->log) {
    rutStatus status = open_log(run, option, path, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  rutStatus status = open_loggers(run, option, &err);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  watch_the_end(run, option->profile);
  status =
      rut_metrics_create(world->spec, world->model, world->data, duration, &run->metrics, &err);
  for (int i = 0; status == RUT_OK && option->ride && i < rut_count(world->model, RUT_VEHICLE);
       i++) {
    status = rut_metrics_watch(run->metrics, world->model, world->data, i, &err);
    if (status == RUT_ERR_ARGUMENT) status = RUT_OK;  // a planar vehicle
  }
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  if (!cli_tracker_begin(&run->tracker, world->model, world->data)) {
    err.status = RUT_ERR_MEMORY;
    return cli_report_failure(&world->report, RUT_ERR_MEMORY, &err);
  }
  // last, since threads that are started later would be pinned too
  char reason[256];
  if (option->pin_core >= 0 && !cli_pin_core((int)option->pin_core, reason, sizeof reason)) {
    return cli_usage_error(&cli_verb_run, "--pin-core: %s", reason);
  }
  rut_profile(world->data, option->profile);
  cli_progress_begin(&run->progress, endless ? 0 : duration, option->quiet);
  run->start.beside = lap(run);
  return CLI_GO_ON;
}

// Tell where a run diverged. Returns the exit code.
static int tell_divergence(cliWorld* world, const rutError* err) {
  int code = cli_report_failure(&world->report, RUT_ERR_DIVERGED, err);
  fprintf(stderr, "the simulation diverged after %.9g s; the last good state was\n",
          rut_time(world->data));
  cli_run_print_last_state(world, stderr);
  fprintf(stderr, "a smaller timestep may help: --set timestep=%.3g\n",
          rut_model_timestep(world->model) / 4);
  return code;
}

static int simulate(Run* run, const RunOptions* option, const char* path) {
  cliWorld* world = run->world;
  rutError err = {0};
  cliRunResult result = {.path = path,
                         .seed = (uint64_t)option->seed,
                         .profile = option->profile,
                         .tracker = &run->tracker,
                         .metrics = run->metrics,
                         .remote = run->remote,
                         .ros2 = run->ros2,
                         .pace = run->paced ? &run->pace : NULL,
                         .choice = run->chose ? &run->choice : NULL};
  if (run->paced) {
    cli_pace_begin(&run->pace, run->realtime, rut_model_timestep(world->model),
                   rut_time(world->data));
  }
  double start = run->clock = cli_clock();
  rutStatus status = all_steps(run, &err);
  // the state at the end, for which nobody waits
  if (run->ros2 && status == RUT_OK) {
    status = rut_ros2_idle(run->ros2, world->model, world->data, 0, &err);
  }
  result.wall = cli_clock() - start;
  result.start = run->start;
  cli_progress_end(&run->progress);
  cli_tracker_end(&run->tracker, world->model, world->data);
  cli_run_warn(world, &run->tracker);
  if (run->chose) cli_run_warn_of_choice(world, &run->choice);
  read_orders(run);
  cli_run_warn_of_orders(world, cli_orders_left(&run->orders));

  int code = CLI_DONE;
  if (status == RUT_ERR_DIVERGED) {
    result.end = CLI_RUN_DIVERGED;
    code = tell_divergence(world, &err);
  } else if (status != RUT_OK) {
    return cli_report_failure(&world->report, status, &err);
  } else if (interrupted) {
    result.end = CLI_RUN_INTERRUPTED;
    code = CLI_INTERRUPTED;
  } else if (run->misunderstood) {
    code = CLI_USAGE;
  }
  status = rut_csv_log_close(run->csv, &err);
  run->csv = NULL;
  const rutStatus parted = cli_peer_close(&run->peer, interrupted ? "interrupted" : "done",
                                          status == RUT_OK ? &err : NULL);
  if (status == RUT_OK) status = parted;
  const rutStatus closed = close_log(run, status == RUT_OK ? &err : NULL);
  if (status == RUT_OK) status = closed;
  const rutStatus ended = close_loggers(run, status == RUT_OK ? &err : NULL);
  if (status == RUT_OK) status = ended;
  if (status == RUT_OK && option->ruts) {
    status = rut_ruts_save(world->model, world->data, option->ruts, &err);
  }
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  if (option->json) {
    cli_run_print_json(world, &result, stdout);
  } else if (!option->quiet) {
    cli_run_print(world, &result, stdout);
  }
  return code;
}

// The words of the command line, for the log.
static void join_command(int argc, char** argv, char* text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "rut run");
  for (int i = 0; i < argc && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, " %s", argv[i]);
  }
}

static int run_world(int argc, char** argv) {
  RunOptions option = {.duration = (double)NAN,
                       .workers = 1,
                       .pin_core = -1,
                       .remote = {.period = (double)NAN, .wait = (double)NAN},
                       .ros2 = CLI_ROS2_DEFAULTS};
  cliList arguments;
  int code = cli_parse(&cli_verb_run, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (!option.log && (option.log_signals.n > 0 || option.log_rate > 0 || option.log_scene)) {
    return cli_usage_error(&cli_verb_run,
                           "--log-signals, --log-rate and --log-scene need --log FILE");
  }
  if (!option.csv && (option.csv_every > 0 || option.csv_rate > 0 || option.csv_digits > 0)) {
    return cli_usage_error(&cli_verb_run,
                           "--csv-rate, --csv-every and --csv-digits need --csv DIR");
  }
  if (option.csv_every > 0 && option.csv_rate > 0) {
    return cli_usage_error(&cli_verb_run, "--csv-rate and --csv-every exclude each other");
  }
  if (option.interpolate && !option.inputs) {
    return cli_usage_error(&cli_verb_run, "--interpolate needs --inputs FILE.csv");
  }
  if (option.orders && !option.output) {
    return cli_usage_error(&cli_verb_run, "--orders needs --output DIR");
  }
  const cliPeerOptions* peer = &option.peer;
  if (!peer->path && (peer->vehicle || peer->percept.n > 0 || peer->rate > 0 || peer->timeout > 0 ||
                      peer->record)) {
    return cli_usage_error(&cli_verb_run, "--peer-... needs --peer SOCKET");
  }
  cliWorld world;
  // others live by the clock, unless the run waits for them
  const bool by_clock = option.ros2.on && !option.ros2.lockstep;
  Run run = {.world = &world,
             .paced = option.realtime > 0 || by_clock,
             .realtime = option.realtime > 0 ? option.realtime : 1,
             .asked = {.speed = -1, .seed = (uint64_t)option.seed},
             .orders.file = -1,
             .peer = {.socket = -1}};
  join_command(argc, argv, run.command, sizeof run.command);
  code = cli_world_open(&world, stderr, option.workers, (uint64_t)option.seed);
  world.report.quiet = option.quiet;
  // rut replay shows the ground of logs
  if (code == CLI_GO_ON && option.log) rut_context_show_ground(world.context);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  if (code == CLI_GO_ON && option.allow_fmu) rut_context_allow_code(world.context);
  if (code == CLI_GO_ON) code = prepare(&run, &option, arguments.item[0]);
  if (code == CLI_GO_ON) code = simulate(&run, &option, arguments.item[0]);
  rut_csv_log_close(run.csv, NULL);
  cli_peer_close(&run.peer, "error", NULL);
  close_log(&run, NULL);
  close_loggers(&run, NULL);
  rut_inputs_destroy(run.inputs);
  rut_remote_close(run.remote);
  rut_fmu_drivers_close(run.fmus);
  rut_ros2_close(run.ros2);
  rut_metrics_destroy(run.metrics);
  cli_tracker_free(&run.tracker);
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_run = {
    .name = "run",
    .arguments = "WORLD",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "simulate a world and report what each vehicle did",
    .details =
        "WORLD is a world file of rut or of MVSim; the format is recognised by its content.\n"
        "Paths of --set name elements by name or kind[index]: r1/wheel[0].radius, "
        "r1/tyre.friction.\n"
        "Rows of --inputs hold from the step that starts at t, in SI units.\n"
        "Orders of --orders act before the row of the first state at or after TIME; without a "
        "TIME,\n"
        "before that of the next state. LOG may be a pattern: '2.5 session rover/*'.\n"
        "rut log FILE.mcap --signals lists the signals of a log, rut plot draws them.",
    .examples =
        "  rut run world.xml --duration 60\n"
        "  rut run world.xml --set 'r1/chassis.mass=20 kg' --set timestep=1e-3\n"
        "  rut run world.xml --inputs drive.csv --csv log --csv-rate 20\n"
        "  rut run world.xml --log run.mcap --log-signals '*/speed' --log-rate 100\n"
        "  rut run worlds/logged.xml --output out --orders < orders.txt\n"
        "  rut run world.xml --realtime --pin-core 1\n"
        "  rut run world.xml --remote udp:9870 --remote-signals 'rover/*'\n"
        "  rut run world.xml --ros2 --domain 5\n"
        "  rut run world.xml --plugin ./careful.so\n"
        "  rut run world.xml --json --quiet | python3 -m json.tool",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_world,
};
