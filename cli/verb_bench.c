// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench: measures the speed of simulation steps.
//
// Each scene runs in a process of its own, so that its peak memory is its own. A scene is run until
// it is settled, its state is saved, and then the same steps are timed repeatedly from that
// state: the fastest batch is the one that was disturbed least.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_batch.h"
#include "bench_crashes.h"
#include "bench_decisions.h"
#include "bench_formulations.h"
#include "bench_map.h"
#include "bench_mesh.h"
#include "bench_scene.h"
#include "bench_sensors.h"
#include "bench_steps.h"
#include "cli.h"
#include "clock.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"

enum { MIN_BATCHES = 5, MAX_SCENES = 64 };
static const double BATCH_TIME = 0.12;  // wall time of one batch [s]
static const double SETTLE_TIME = 5;    // simulated time before the measurement [s]
static const double SETTLE_LIMIT = 1;   // wall time that this may take [s]

typedef struct BenchOptions {
  bool json, list;
  int64_t workers, count, seed;
  const char* output;
} BenchOptions;

static const cliOption options[] = {
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(BenchOptions, json),
     "print the results as a JSON array"},
    {"list", 'l', CLI_FLAG, "", 0, 0, offsetof(BenchOptions, list),
     "print the names of all scenes"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(BenchOptions, workers),
     "threads (default 1)"},
    {"count", 'n', CLI_INTEGER, "N", 1, 1e6, offsetof(BenchOptions, count),
     "number of crashes (default 100)"},
    {"seed", 0, CLI_INTEGER, "N", 0, 1e9, offsetof(BenchOptions, seed),
     "of the first crash (default 0)"},
    {"output", 'o', CLI_TEXT, "DIR", 0, 0, offsetof(BenchOptions, output),
     "write the worlds of the worst crashes to this folder"},
};

// What a child tells its parent, byte by byte through a pipe.
typedef struct Result {
  int code;       // CLI_DONE, or why it failed
  int64_t steps;  // in one batch
  double timestep, ns_per_step, peak_rss_mb;
  double stage[RUT_STAGE_COUNT];  // [ns per step], with timers on
  double model_bytes, data_bytes;
  cliBatchResult batch;  // of a scene with copies
} Result;

// --- In the child -----------------------------------------------------------------------------

// Do n steps. Returns the wall time [s], or a negative number if a step fails.
static double time_steps(cliWorld* world, int64_t n) {
  rutError err = {0};
  double start = cli_clock();
  for (int64_t i = 0; i < n; i++) {
    rutStatus status = rut_step(world->model, world->data, &err);
    if (status != RUT_OK) {
      cli_report_failure(&world->report, status, &err);
      return -1;
    }
  }
  return cli_clock() - start;
}

// Steps that fill one batch, and at least one period of a laser, so that batches are alike.
static int64_t settle(cliWorld* world) {
  double dt = rut_model_timestep(world->model);
  double start = cli_clock();
  int64_t done = 0;
  while (rut_time(world->data) < SETTLE_TIME && cli_clock() - start < SETTLE_LIMIT) {
    if (time_steps(world, 20) < 0) return -1;
    done += 20;
  }
  double per_step = (cli_clock() - start) / (double)done;
  int64_t period = (int64_t)(0.1 / dt + 0.5);
  int64_t periods = (int64_t)ceil(BATCH_TIME / per_step / (double)period);
  return period * (periods > 0 ? periods : 1);
}

// Fastest of some batches of the same steps.
static bool measure(cliWorld* world, Result* result) {
  result->steps = settle(world);
  if (result->steps < 0) return false;
  size_t size = rut_state_size(world->model, world->data, RUT_STATE_ALL);
  void* state = malloc(size);
  double best = -1;
  bool good =
      state && rut_state_get(world->model, world->data, RUT_STATE_ALL, state, size) == RUT_OK;
  for (int i = 0; good && i <= MIN_BATCHES + 1; i++) {
    // the last batch is the one with timers, which slow it down a little
    bool profile = i == MIN_BATCHES + 1;
    good = rut_state_set(world->model, world->data, RUT_STATE_ALL, state, size) == RUT_OK;
    double before[RUT_STAGE_COUNT];
    for (int k = 0; k < RUT_STAGE_COUNT; k++) before[k] = rut_stage_time(world->data, (rutStage)k);
    rut_profile(world->data, profile);
    double time = good ? time_steps(world, result->steps) : -1;
    if (time < 0) good = false;
    if (!profile && (best < 0 || time < best)) best = time;
    for (int k = 0; profile && k < RUT_STAGE_COUNT; k++) {
      double spent = rut_stage_time(world->data, (rutStage)k) - before[k];
      result->stage[k] = 1e9 * spent / (double)result->steps;
    }
  }
  free(state);
  result->ns_per_step = 1e9 * best / (double)result->steps;
  return good;
}

static Result run_scene(const cliScene* scene, const BenchOptions* option) {
  Result result = {.code = CLI_IO};
  cliWorld world;
  int code = cli_world_open(&world, stderr, option->workers, 0);
  world.report.quiet = true;
  if (code == CLI_GO_ON) code = cli_scene_build(scene, &world);
  if (code == CLI_GO_ON && scene->copies > 0) {
    code = cli_bench_batch(&world, scene->copies, &result.batch);
    result.timestep = result.batch.timestep;
    result.steps = result.batch.steps;
    result.ns_per_step = result.batch.ns_per_step;
    result.data_bytes = result.batch.bytes;
  }
  if (code == CLI_GO_ON) {
    // as in any long run, the tree that the model was made from is not kept
    rut_spec_destroy(world.spec);
    world.spec = NULL;
    code = cli_world_start(&world, 0);
  }
  if (code == CLI_GO_ON) {
    result.timestep = rut_model_timestep(world.model);
    result.model_bytes = (double)rut_model_size(world.model);
    result.data_bytes = (double)rut_data_size(world.model);
    code = measure(&world, &result) ? CLI_DONE : CLI_DIVERGED;
  }
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) result.peak_rss_mb = (double)usage.ru_maxrss / 1024;
  cli_world_close(&world);
  result.code = code;
  return result;
}

// --- In the parent ----------------------------------------------------------------------------

static bool write_all(int file, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size) {
    ssize_t n = write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

static bool read_all(int file, void* bytes, size_t size) {
  char* at = bytes;
  while (size) {
    ssize_t n = read(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

// Run a scene in a child and wait for its result.
static Result run_in_child(const cliScene* scene, const BenchOptions* option) {
  Result result = {.code = CLI_IO};
  int ends[2];
  fflush(stdout);
  if (pipe(ends) != 0) return result;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    Result found = run_scene(scene, option);
    _exit(write_all(ends[1], &found, sizeof found) ? 0 : 1);
  }
  close(ends[1]);
  if (child > 0) {
    if (!read_all(ends[0], &result, sizeof result)) result.code = CLI_IO;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  return result;
}

// Time of one ray [ns]: sensor stage over rays in it. NaN without a laser.
static double ns_per_ray(const cliScene* scene, const Result* result) {
  const double rays_per_step = cli_scene_rays(scene) * result->timestep / 0.1;
  return rays_per_step > 0 ? result->stage[RUT_STAGE_sensor] / rays_per_step : (double)NAN;
}

// Vehicles of all copies.
static int vehicles_of(const cliScene* scene) {
  return scene->vehicles * (scene->copies > 0 ? scene->copies : 1);
}

static void json_result(cliJson* json, const cliScene* scene, const Result* result,
                        int64_t workers) {
  cli_json_object(json, NULL);
  cli_json_text(json, "scene", scene->name);
  cli_json_integer(json, "vehicles", scene->vehicles);
  cli_json_integer(json, "workers", workers);
  cli_json_integer(json, "steps", result->steps);
  cli_json_number(json, "ns_per_step", result->ns_per_step);
  cli_json_number(json, "ns_per_vehicle_step", result->ns_per_step / vehicles_of(scene));
  if (scene->copies > 0) {
    cli_json_integer(json, "copies", scene->copies);
    cli_json_number(json, "steps_per_second", 1e9 * scene->copies / result->ns_per_step);
    cli_json_integer(json, "copies_in_lanes", result->batch.in_lanes);
  }
  cli_json_number(json, "real_time_factor", 1e9 * result->timestep / result->ns_per_step);
  cli_json_number(json, "peak_rss_mb", result->peak_rss_mb);
  cli_json_number(json, "model_bytes", result->model_bytes);
  cli_json_number(json, "data_bytes", result->data_bytes);
  if (cli_scene_rays(scene)) cli_json_number(json, "ns_per_ray", ns_per_ray(scene, result));
  cli_json_object(json, "stages");
  for (int i = 0; i < RUT_STAGE_COUNT; i++) {
    cli_json_number(json, rut_stage_name((rutStage)i), result->stage[i]);
  }
  cli_json_end(json);
  cli_json_end(json);
}

static void table_result(cliTable* table, const cliScene* scene, const Result* result) {
  cli_table_add(table, "%s", scene->name);
  cli_table_add(table, "%.4g", result->ns_per_step / 1e3);
  cli_table_add(table, "%.4g", result->ns_per_step / 1e3 / vehicles_of(scene));
  cli_table_add(table, "%.4g", 1e9 * result->timestep / result->ns_per_step);
  cli_table_add(table, "%.1f", result->peak_rss_mb);
  if (cli_scene_rays(scene)) {
    cli_table_add(table, "%.4g", ns_per_ray(scene, result));
  } else {
    cli_table_add(table, "%s", "");
  }
}

static void table_header(cliTable* table) {
  static const char* const header[] = {"scene",       "us/step", "us/vehicle step",
                                       "x real time", "MB",      "ns/ray"};
  cli_table_init(table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(table, "%s", header[i]);
}

static int run_scenes(const bool* chosen, const BenchOptions* option) {
  int n = 0, code = CLI_DONE;
  const cliScene* all = cli_scenes(&n);
  cliJson json;
  cliTable table;
  cli_json_init(&json, stdout);
  table_header(&table);
  if (option->json) cli_json_array(&json, NULL);
  for (int i = 0; i < n; i++) {
    if (!chosen[i]) continue;
    Result result = run_in_child(&all[i], option);
    if (result.code != CLI_DONE) {
      fprintf(stderr, "rut: error: scene '%s' failed\n", all[i].name);
      if (code == CLI_DONE) code = result.code;
      continue;
    }
    if (option->json) json_result(&json, &all[i], &result, option->workers);
    table_result(&table, &all[i], &result);
  }
  if (option->json) {
    cli_json_end(&json);
  } else {
    cli_table_print(&table, "lrrrrr", stdout);
  }
  cli_table_free(&table);
  return code;
}

// Index of a scene, -1 after telling that there is none.
static int find_scene(const char* name) {
  const char* known[MAX_SCENES];
  int n = 0;
  const cliScene* all = cli_scenes(&n);
  for (int i = 0; i < n && i < MAX_SCENES; i++) {
    if (strcmp(all[i].name, name) == 0) return i;
    known[i] = all[i].name;
  }
  const char* nearest = rut_nearest(name, (size_t)n, known);
  cli_usage_error(&cli_verb_bench, "there is no scene '%s'%s%s%s", name,
                  nearest ? "; did you mean '" : "", nearest ? nearest : "",
                  nearest ? "'?" : ": 'rut bench --list' names them");
  return -1;
}

static int run_bench(int argc, char** argv) {
  BenchOptions option = {.workers = 1, .count = 100};
  cliList names;
  int code = cli_parse(&cli_verb_bench, argc, argv, &option, &names);
  if (code != CLI_GO_ON) return code;
  int n = 0;
  const cliScene* all = cli_scenes(&n);
  if (option.list) {
    for (int i = 0; i < n; i++) printf("%s\n", all[i].name);
    printf(
        "crashes\ndecisions WORLD\nformulations\nrays_map\nrays_mesh\nsensors WORLD\nsteps "
        "WORLD\n");
    return CLI_DONE;
  }
  if (names.n == 1 && strcmp(names.item[0], "crashes") == 0) {
    return cli_bench_crashes(&(cliCrashOptions){.count = option.count,
                                                .first = option.seed,
                                                .workers = option.workers,
                                                .json = option.json,
                                                .folder = option.output});
  }
  if (names.n == 1 && strcmp(names.item[0], "formulations") == 0) {
    return cli_bench_formulations(option.json);
  }
  if (names.n == 1 && strcmp(names.item[0], "rays_map") == 0) return cli_bench_map(option.json);
  if (names.n == 1 && strcmp(names.item[0], "rays_mesh") == 0) return cli_bench_mesh(option.json);
  if (names.n > 0 && strcmp(names.item[0], "sensors") == 0) {
    if (names.n == 2) return cli_bench_sensors(names.item[1], option.json, option.workers);
    return cli_usage_error(&cli_verb_bench, "'sensors' wants one world");
  }
  if (names.n > 0 && strcmp(names.item[0], "decisions") == 0) {
    if (names.n == 2) return cli_bench_decisions(names.item[1], option.json);
    return cli_usage_error(&cli_verb_bench, "'decisions' wants one world");
  }
  if (names.n > 0 && strcmp(names.item[0], "steps") == 0) {
    if (names.n == 2) return cli_bench_steps(names.item[1], option.json, option.workers);
    return cli_usage_error(&cli_verb_bench, "'steps' wants one world");
  }
  bool chosen[MAX_SCENES] = {false};
  for (int i = 0; i < n && names.n == 0; i++) chosen[i] = true;
  for (int i = 0; i < names.n; i++) {
    int found = find_scene(names.item[i]);
    if (found < 0) return CLI_USAGE;
    chosen[found] = true;
  }
  return run_scenes(chosen, &option);
}

const cliVerb cli_verb_bench = {
    .name = "bench",
    .arguments =
        "[SCENE... | crashes | decisions WORLD | formulations | rays_map | rays_mesh | sensors "
        "WORLD | steps WORLD]",
    .min_arguments = 0,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "measure the speed of simulation steps",
    .details =
        "Scenes circle_N are N differential robots that drive circles; with _laser181 each sees\n"
        "the others with a laser; grid_laser is one robot with a laser in a mapped room. sliderW\n"
        "are vehicles on W sprung wheels, on a plane or on rough ground with the search along the\n"
        "wheel's arc; slices_N searches at N places; vivi_cdta is a rover with motors under CDTA "
        "at\n"
        "10 kHz. batch_* are copies of a world with one robot, HMMWV or skid-steer rover, which a\n"
        "batch steps together. Stages are in ns per step. The word formulations compares one car "
        "with double\n"
        "wishbones in minimal coordinates, as a spanning tree with cut joints, and with all\n"
        "bodies and joints by themselves; rays_map casts rays against a map of a million cells,\n"
        "rays_mesh against a mesh and many boxes, beside Embree where that is installed.\n"
        "sensors runs a world with one of its sensors after the other and tells what each costs.\n"
        "steps runs a world three times and tells how long its steps take, the longest above all;\n"
        "decisions tells the same of each of its controllers and sensors.\n"
        "crashes audits the balance of energy in random crashes: it fails (exit code 1) where the\n"
        "residual exceeds 1e-3, or something gains energy or passes through something.",
    .examples =
        "  rut bench\n"
        "  rut bench circle_1000 --workers 2\n"
        "  rut bench --json > bench.json\n"
        "  rut bench formulations\n"
        "  rut bench crashes --count 200 --workers 2 --output worst\n"
        "  rut bench sensors worlds/hmmwv_sensors.xml\n"
        "  rut bench steps worlds/autonomy/obstacle_mpc.xml\n"
        "  rut bench decisions worlds/autonomy/trail.xml",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_bench,
};
