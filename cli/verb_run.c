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
#include "run.h"

typedef struct RunOptions {
  double duration;
  cliList set, plugin, log_signals;
  cliAllowed allowed;
  cliLinksOptions links;
  const char *inputs, *csv, *ruts, *log, *output, *step;
  double log_rate, csv_rate, realtime;
  int64_t csv_every, csv_digits, seed, workers, pin_core;
  bool json, quiet, profile, orders, ride, interpolate, log_scene;
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
    CLI_LINKS_OPTIONS(RunOptions, links),
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

static rutStatus open_log(cliRun* run, const RunOptions* option, const char* path, rutError* err) {
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
static rutStatus open_loggers(cliRun* run, const RunOptions* option, rutError* err) {
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
    status = live ? cli_orders_read(&run->orders, run->loggers, 0, CLI_FIRST_ORDERS, err)
                  : cli_orders_read_all(&run->orders, run->loggers, err);
  }
  return status == RUT_OK ? cli_run_step_loggers(run, err) : status;
}

static rutStatus close_loggers(cliRun* run, rutError* err) {
  const rutStatus status = rut_loggers_close(run->loggers, err);
  run->loggers = NULL;
  cli_orders_free(&run->orders);
  return status;
}

// End the frames and the log. Nullable: err.
static rutStatus close_log(cliRun* run, rutError* err) {
  const cliWorld* world = run->world;
  const rutStatus recorded = view_recorder_close(run->recorder, world->model, world->data, err);
  const rutStatus closed = rut_log_close(run->log, recorded == RUT_OK ? err : NULL);
  run->recorder = NULL;
  run->log = NULL;
  return recorded == RUT_OK ? closed : recorded;
}

// The step that is given, or the one that the world needs.
static int set_step(cliRun* run, const RunOptions* option, double duration) {
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
static int prepare(cliRun* run, const RunOptions* option, const char* path) {
  cliWorld* world = run->world;
  run->clock = cli_clock();
  int code = cli_world_load(world, path, &option->set);
  run->start.load = cli_run_lap(run);
  if (code != CLI_GO_ON) return code;
  double duration = option->duration;
  if (isnan(duration)) {
    duration = rut_node_number(world->spec, rut_spec_root(world->spec), "duration");
  }
  code = set_step(run, option, duration);
  const bool endless = option->links.ros2.on && isnan(option->duration);
  if (endless) duration = FOR_EVER;
  if (code == CLI_GO_ON) code = cli_world_compile(world);
  run->start.compile = cli_run_lap(run);
  if (code == CLI_GO_ON) code = cli_world_start(world, (uint64_t)option->seed);
  run->start.state = cli_run_lap(run);
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
  const rutRos2Control control = cli_run_control(run);
  const cliLinksHost host = {&cli_verb_run, &control, is_interrupted};
  code = cli_links_open(&run->links, &host, world, &option->links);
  if (code != CLI_GO_ON) return code;
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
  cli_run_watch_the_end(run, option->profile);
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
  run->start.beside = cli_run_lap(run);
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

static int simulate(cliRun* run, const RunOptions* option, const char* path) {
  cliWorld* world = run->world;
  rutError err = {0};
  cliRunResult result = {.path = path,
                         .seed = (uint64_t)option->seed,
                         .profile = option->profile,
                         .tracker = &run->tracker,
                         .metrics = run->metrics,
                         .links = &run->links,
                         .pace = run->paced ? &run->pace : NULL,
                         .choice = run->chose ? &run->choice : NULL};
  if (run->paced) {
    cli_pace_begin(&run->pace, run->realtime, rut_model_timestep(world->model),
                   rut_time(world->data));
  }
  double start = run->clock = cli_clock();
  rutStatus status = cli_run_steps(run, &err);
  // the state at the end, for which nobody waits
  if (status == RUT_OK) {
    status = cli_links_idle(&run->links, world->model, world->data, 0, &err);
  }
  result.wall = cli_clock() - start;
  result.start = run->start;
  cli_progress_end(&run->progress);
  cli_tracker_end(&run->tracker, world->model, world->data);
  cli_run_warn(world, &run->tracker);
  if (run->chose) cli_run_warn_of_choice(world, &run->choice);
  cli_run_read_orders(run);
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
  const rutStatus parted = cli_links_leave(&run->links, interrupted ? "interrupted" : "done",
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
  RunOptions option = {
      .duration = (double)NAN, .workers = 1, .pin_core = -1, .links = CLI_LINKS_DEFAULTS};
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
  code = cli_links_check(&cli_verb_run, &option.links);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  // others live by the clock, unless the run waits for them
  const bool by_clock = option.links.ros2.on && !option.links.ros2.lockstep;
  cliRun run = {.world = &world,
                .paced = option.realtime > 0 || by_clock,
                .realtime = option.realtime > 0 ? option.realtime : 1,
                .asked = {.speed = -1, .seed = (uint64_t)option.seed},
                .orders.file = -1,
                .links = CLI_NO_LINKS,
                .stop = is_interrupted};
  join_command(argc, argv, run.command, sizeof run.command);
  code = cli_world_open(&world, stderr, option.workers, (uint64_t)option.seed);
  world.report.quiet = option.quiet;
  // rut replay shows the ground of logs
  if (code == CLI_GO_ON && option.log) rut_context_show_ground(world.context);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option.plugin);
  if (code == CLI_GO_ON) cli_links_allow(&option.links, world.context);
  if (code == CLI_GO_ON) code = prepare(&run, &option, arguments.item[0]);
  if (code == CLI_GO_ON) code = simulate(&run, &option, arguments.item[0]);
  rut_csv_log_close(run.csv, NULL);
  cli_links_leave(&run.links, "error", NULL);
  close_log(&run, NULL);
  close_loggers(&run, NULL);
  rut_inputs_destroy(run.inputs);
  cli_links_close(&run.links);
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
