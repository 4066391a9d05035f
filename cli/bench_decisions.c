// SPDX-License-Identifier: BSD-3-Clause
//
// The world runs three times, and each decision and each sample counts with its fastest time: the
// runs are the same, and what else the machine does is not. Times are those of the processor, less
// what looking at its clock takes. Parts of a sample that are taken in one step count together.
#include "bench_decisions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "json.h"
#include "rut/profile.h"
#include "sort.h"
#include "table.h"
#include "world.h"

enum { RUNS = 3, LOOKS = 1001 };
static const double USUAL = 10, MOST = 600;  // duration of worlds without one, and at most [s]

// What decides or samples, with the least time of each time that it did [s].
typedef struct Piece {
  rutProfiled work;
  char name[160];
  double* time;
  int64_t n, capacity;
  int64_t k;     // decisions in this run
  double spent;  // in this step [s]
  bool worked;   // in this step
} Piece;

typedef struct Profile {
  Piece* piece;
  int n, capacity;
  double began;     // [s]
  double look;      // time of a look at the clock, and of being called [s]
  double whole;     // of all steps, in the fastest run [s]
  double duration;  // simulated [s]
  bool failed;      // no memory
} Profile;

// Make room for one more item of a list. Returns the list, NULL without memory.
static void* grow(void* list, int64_t n, int64_t* capacity, size_t size) {
  if (n < *capacity) return list;
  const int64_t more = *capacity > 0 ? 2 * *capacity : 16;
  void* grown = realloc(list, (size_t)more * size);
  if (grown) *capacity = more;
  return grown;
}

static Piece* find_piece(Profile* p, const rutProfiled* work) {
  for (int i = 0; i < p->n; i++) {
    const rutProfiled* w = &p->piece[i].work;
    const bool same = w->kind == work->kind && w->index == work->index;
    if (same && w->controller == work->controller) return &p->piece[i];
  }
  int64_t capacity = p->capacity;
  Piece* piece = grow(p->piece, p->n, &capacity, sizeof *piece);
  if (!piece) {
    p->failed = true;
    return NULL;
  }
  p->piece = piece;
  p->capacity = (int)capacity;
  piece[p->n] = (Piece){.work = *work};
  return &p->piece[p->n++];
}

static void on_work(void* user, const rutProfiled* work, bool begins) {
  Profile* p = user;
  if (begins) {
    p->began = cli_processor_time();
    return;
  }
  const double spent = fmax(cli_processor_time() - p->began - p->look, 0);
  Piece* piece = find_piece(p, work);
  if (!piece) return;
  piece->worked = true;
  piece->spent += spent;
}

// What has worked in a step has made one decision.
static void end_step(Profile* p) {
  for (int i = 0; i < p->n; i++) {
    Piece* piece = &p->piece[i];
    if (!piece->worked) continue;
    double* time = grow(piece->time, piece->k, &piece->capacity, sizeof *time);
    if (!time) {
      p->failed = true;
      return;
    }
    piece->time = time;
    const double spent = piece->spent / piece->work.vehicles;
    time[piece->k] = piece->k < piece->n ? fmin(time[piece->k], spent) : spent;
    piece->k++;
    if (piece->k > piece->n) piece->n = piece->k;
    piece->spent = 0;
    piece->worked = false;
  }
}

static int run_once(cliWorld* world, int64_t steps, Profile* p) {
  rutError err = {0};
  int code = cli_world_start(world, 0);
  for (int i = 0; i < p->n; i++) p->piece[i].k = 0;
  if (code == CLI_GO_ON) rut_profile_tell(world->data, on_work, p);
  double whole = 0;
  for (int64_t i = 0; i < steps && code == CLI_GO_ON; i++) {
    const double start = cli_processor_time();
    const rutStatus status = rut_step(world->model, world->data, &err);
    whole += cli_processor_time() - start;
    end_step(p);
    if (status != RUT_OK) code = cli_report_failure(&world->report, status, &err);
    if (p->failed) code = CLI_IO;
  }
  p->whole = p->whole > 0 ? fmin(p->whole, whole) : whole;
  rut_data_destroy(world->data);
  world->data = NULL;
  return code;
}

// Time of a decision that does nothing.
static double time_of_a_look(void) {
  double time[LOOKS];
  for (int i = 0; i < LOOKS; i++) {
    const double start = cli_processor_time();
    time[i] = cli_processor_time() - start;
  }
  cli_sort(LOOKS, time);
  return time[LOOKS / 2];
}

// "vehicle/controller": of several controllers of a type in a vehicle, the outermost first.
static void name_controller(const cliWorld* world, const Profile* p, Piece* piece) {
  const rutProfiled* work = &piece->work;
  int skip = 0;
  for (int i = 0; i < p->n; i++) {
    const rutProfiled* w = &p->piece[i].work;
    const bool same = w->kind == RUT_VEHICLE && w->index == work->index;
    skip += same && strcmp(w->type, work->type) == 0 && w->controller < work->controller;
  }
  const char *vehicle = rut_name(world->model, RUT_VEHICLE, work->index), *own = work->type;
  rutNode node = rut_spec_find(world->spec, vehicle);
  if (!rut_node_is_null(node)) node = rut_node_first(world->spec, node, "controller");
  for (; !rut_node_is_null(node); node = rut_node_next(world->spec, node, "controller")) {
    if (strcmp(rut_node_type(world->spec, node), work->type) != 0 || skip-- > 0) continue;
    const char* name = rut_node_name(world->spec, node);
    if (name[0]) own = name;
    break;
  }
  snprintf(piece->name, sizeof piece->name, "%s/%s", vehicle, own);
}

static void name_all(const cliWorld* world, Profile* p) {
  for (int i = 0; i < p->n; i++) {
    Piece* piece = &p->piece[i];
    if (piece->work.kind == RUT_VEHICLE) {
      name_controller(world, p, piece);
    } else {
      snprintf(piece->name, sizeof piece->name, "%s",
               rut_sensor_info(world->model, piece->work.index).name);
    }
  }
}

// Figures of sorted times.
typedef struct Figures {
  double mean, percent99, most, share;
} Figures;

static Figures figures_of(const Profile* p, Piece* piece) {
  Figures f = {0};
  cli_sort((size_t)piece->n, piece->time);
  double sum = 0;
  for (int64_t i = 0; i < piece->n; i++) sum += piece->time[i];
  f.mean = sum / (double)piece->n;
  f.percent99 = piece->time[(piece->n - 1) * 99 / 100];
  f.most = piece->time[piece->n - 1];
  f.share = sum * piece->work.vehicles / p->duration;
  return f;
}

static void print_json(const Profile* p) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_array(&json, "pieces");
  for (int i = 0; i < p->n; i++) {
    Piece* piece = &p->piece[i];
    const Figures f = figures_of(p, piece);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", piece->name);
    cli_json_text(&json, "kind", piece->work.kind == RUT_SENSOR ? "sensor" : "controller");
    cli_json_text(&json, "type", piece->work.type);
    cli_json_integer(&json, "vehicles", piece->work.vehicles);
    cli_json_integer(&json, "decisions", piece->n);
    cli_json_number(&json, "mean_s", f.mean);
    cli_json_number(&json, "percent99_s", f.percent99);
    cli_json_number(&json, "longest_s", f.most);
    cli_json_number(&json, "share", f.share);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_number(&json, "simulated_s", p->duration);
  cli_json_number(&json, "time_s", p->whole);
  cli_json_number(&json, "real_time_factor", p->duration / p->whole);
  cli_json_end(&json);
}

static void print_table(const Profile* p) {
  static const char* const header[] = {"name",    "type",       "decisions",  "mean us",
                                       "99 % us", "longest us", "% of a core"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < p->n; i++) {
    Piece* piece = &p->piece[i];
    const Figures f = figures_of(p, piece);
    cli_table_add(&table, piece->work.vehicles > 1 ? "%s and %d more" : "%s", piece->name,
                  piece->work.vehicles - 1);
    cli_table_add(&table, "%s", piece->work.type);
    cli_table_add(&table, "%lld", (long long)piece->n);
    cli_table_add(&table, "%.3g", 1e6 * f.mean);
    cli_table_add(&table, "%.3g", 1e6 * f.percent99);
    cli_table_add(&table, "%.3g", 1e6 * f.most);
    cli_table_add(&table, "%.2g", 100 * f.share);
  }
  cli_table_print(&table, "llrrrrr", stdout);
  cli_table_free(&table);
  printf("\nThe whole world: %.4g s in %.4g s, %.3g times real time.\n", p->duration, p->whole,
         p->duration / p->whole);
}

static int measure(cliWorld* world, Profile* p) {
  const double timestep = rut_model_timestep(world->model);
  const double duration = rut_node_number(world->spec, rut_spec_root(world->spec), "duration");
  const double time = duration > 0 ? fmin(duration, MOST) : USUAL;
  const int64_t steps = (int64_t)fmin(ceil(time / timestep), 1e7);
  p->duration = (double)steps * timestep;
  p->look = time_of_a_look();
  int code = CLI_GO_ON;
  for (int i = 0; i < RUNS && code == CLI_GO_ON; i++) code = run_once(world, steps, p);
  if (code == CLI_GO_ON) name_all(world, p);
  return code;
}

int cli_bench_decisions(const char* path, bool json) {
  cliWorld world;
  Profile profile = {0};
  int code = cli_world_open(&world, stderr, 1, 0);
  world.report.quiet = true;
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, NULL);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = measure(&world, &profile);
  if (code == CLI_GO_ON && json) print_json(&profile);
  if (code == CLI_GO_ON && !json) print_table(&profile);
  for (int i = 0; i < profile.n; i++) free(profile.piece[i].time);
  free(profile.piece);
  cli_world_close(&world);
  return code == CLI_GO_ON ? CLI_DONE : code;
}
