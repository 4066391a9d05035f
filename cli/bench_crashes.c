// SPDX-License-Identifier: BSD-3-Clause
#include "bench_crashes.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "crash_world.h"
#include "json.h"
#include "progress.h"
#include "rut/host.h"
#include "table.h"

enum { MAX_WORKERS = 64, WORST = 12, RUNS = 6 };

// What a crash may leave: of the residual, and of energy above that of the start, over all energy
// that has flowed; and how deep the chassis may be in hard ground.
static const double RESIDUAL = 1e-3, GAINED = 1e-3, DEEPEST = 0.1;
// Time between looks [s].
static const double LOOK_TIME = 1e-3;
// Parts of the timestep, tried until the residual is small enough.
static const int parts_of[RUNS] = {1, 2, 5, 10, 20, 50};

typedef enum Fault {
  FINE,
  REFUSED,   // the world is not valid
  DIVERGED,  // numbers are lost
  OPEN,      // the residual is too large, however short the step
  GAINS,     // more energy than there was at the start
  PASSES,    // through a wall, post or the ground
  SINKS,     // too deep into hard ground
  FAULTS
} Fault;
static const char* const fault_name[FAULTS] = {"",      "refused", "diverged", "residual",
                                               "gains", "passed",  "deep"};

typedef struct Run {
  Fault fault;
  double time;      // of the fault [s]
  double residual;  // largest, over the throughput
  double gained;    // largest energy of all above that at the start, likewise
  double returned;  // largest fall of what has been dissipated, likewise
  double throughput;
  double depth;  // of the chassis in hard ground [m]
} Run;

typedef struct Trial {
  int64_t seed;
  Run run;
  double first;  // residual with the world's own step
  int parts;     // of the step in the end
  const char *kind, *vehicle, *soil;
  double step;
  bool rk4;
} Trial;

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

// ---- one world ----

static bool open_world(const cliCrash* crash, World* w) {
  rutSpec* spec = NULL;
  rutError err = {0};
  *w = (World){0};
  bool good = rut_context_create(NULL, &w->context, &err) == RUT_OK &&
              rut_spec_parse(w->context, crash->text, strlen(crash->text), "crash.xml", &spec,
                             &err) == RUT_OK &&
              rut_compile(spec, &w->model, &err) == RUT_OK;
  if (spec) rut_spec_destroy(spec);
  if (good) w->data = rut_data_create(w->model);
  if (!good) fprintf(stderr, "rut: %s\n", err.message);
  return good && w->data;
}

static void close_world(World* w) {
  if (w->data) rut_data_destroy(w->data);
  if (w->model) rut_model_destroy(w->model);
  if (w->context) rut_context_destroy(w->context);
}

// Ground of any height at a place.
static double ground_at(const World* w, double x, double y) {
  static const double ABOVE = 1e6;
  double z, sx, sy;
  rut_terrain_surface(w->model, w->data, &(rutGroundPoints){1, &x, &y}, &ABOVE,
                      &(rutGroundSurface){&z, &sx, &sy});
  return z;
}

static void turn(const double q[4], const double v[3], double out[3]) {
  const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                       2 * (q[1] * v[1] - q[2] * v[0])};
  out[0] = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
  out[1] = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
  out[2] = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

static void place_of(const rutMotion* m, const double at[3], double out[3]) {
  turn(m->attitude, at, out);
  for (int i = 0; i < 3; i++) out[i] += m->position[i];
}

// Kinetic and potential energy of a block that moves, and its middle.
static double block_energy(const World* w, int index, const cliCrashThing* thing,
                           double middle[3]) {
  static const double GRAVITY = 9.81;
  rutBlockMotion m;
  if (!rut_block_motion(w->model, w->data, index, &m)) return 0;
  double arm[3], spin[3];
  const double back[4] = {m.quaternion[0], -m.quaternion[1], -m.quaternion[2], -m.quaternion[3]};
  const double* o = m.angular_velocity;
  turn(m.quaternion, thing->middle, arm);
  turn(back, o, spin);
  const double v[3] = {m.velocity[0] + o[1] * arm[2] - o[2] * arm[1],
                       m.velocity[1] + o[2] * arm[0] - o[0] * arm[2],
                       m.velocity[2] + o[0] * arm[1] - o[1] * arm[0]};
  double twice = 0;
  for (int i = 0; i < 3; i++) {
    middle[i] = m.position[i] + arm[i];
    twice += thing->mass * v[i] * v[i] + thing->inertia[i] * spin[i] * spin[i];
  }
  return 0.5 * twice + thing->mass * GRAVITY * middle[2];
}

// ---- what is looked at after every step ----

typedef struct Course {
  const cliCrash* crash;
  World world;
  Run run;
  double last[CLI_CRASH_VEHICLES][3];  // place of each centre of mass before the step
  double start, most;                  // energy dissipated: at the start, the most so far
  double gained, returned;             // largest fall of it below each
  bool begun;
} Course;

static void fail(Course* c, Fault fault) {
  if (c->run.fault != FINE) return;
  c->run.fault = fault;
  c->run.time = rut_time(c->world.data);
}

// Whether the way from a to b meets a fixed thing below its top.
static bool crosses(const cliCrashThing* t, const double* a, const double* b) {
  const double cosine = cos(t->yaw), sine = sin(t->yaw);
  double from = 0, to = 1, p[2][2];
  for (int i = 0; i < 2; i++) {
    const double x = (i ? b : a)[0] - t->x, y = (i ? b : a)[1] - t->y;
    p[i][0] = cosine * x + sine * y;
    p[i][1] = -sine * x + cosine * y;
  }
  if (fmin(a[2], b[2]) > t->top) return false;
  if (t->radius > 0) return hypot(p[1][0], p[1][1]) < t->radius;
  for (int i = 0; i < 2; i++) {
    const double way = p[1][i] - p[0][i], half = t->half[i];
    if (fabs(way) < 1e-12) {
      if (fabs(p[0][i]) > half) return false;
      continue;
    }
    const double first = (-half - p[0][i]) / way, second = (half - p[0][i]) / way;
    from = fmax(from, fmin(first, second));
    to = fmin(to, fmax(first, second));
  }
  return from <= to;
}

// How far a point is in the ground, as a ball would be that fits there: below the surface, and
// behind faces.
static double depth_at(const World* w, const double* p) {
  static const double radius[] = {0.2, 0.15, 0.1, 0.05, 0.02};
  if (!(ground_at(w, p[0], p[1]) > p[2] + 0.02)) return 0;
  for (int r = 0; r < CLI_COUNT(radius); r++) {
    bool inside = ground_at(w, p[0], p[1]) > p[2] + radius[r];
    for (int k = 0; inside && k < 8; k++) {
      const double x = p[0] + radius[r] * cos(0.25 * 3.141592653589793 * k);
      const double y = p[1] + radius[r] * sin(0.25 * 3.141592653589793 * k);
      inside = ground_at(w, x, y) > p[2] + 0.5 * radius[r];
    }
    if (inside) return radius[r];
  }
  return 0;
}

// Corners of the chassis in hard ground.
static void look_at_depth(Course* c, const rutMotion* m) {
  for (int i = 0; i < 8 && !c->crash->soft; i++) {
    const double own[3] = {(i & 1 ? c->crash->high : c->crash->low)[0],
                           (i & 2 ? c->crash->high : c->crash->low)[1],
                           (i & 4 ? c->crash->high : c->crash->low)[2]};
    double p[3];
    place_of(m, own, p);
    c->run.depth = fmax(c->run.depth, depth_at(&c->world, p));
  }
  if (c->run.depth > DEEPEST) fail(c, SINKS);
}

// Where a vehicle is.
static void look_at_place(Course* c, int vehicle) {
  rutMotion m;
  double at[3];
  if (!rut_motion(c->world.model, c->world.data, vehicle, NULL, &m)) return;
  place_of(&m, c->crash->com, at);
  if (!(fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < 1e6)) {
    fail(c, DIVERGED);
    return;
  }
  for (int i = 0; c->begun && i < c->crash->things; i++) {
    const cliCrashThing* t = &c->crash->thing[i];
    if (t->fixed && crosses(t, c->last[vehicle], at)) fail(c, PASSES);
  }
  // soft soil has no bottom
  if (!c->crash->soft && at[2] < ground_at(&c->world, at[0], at[1])) fail(c, PASSES);
  look_at_depth(c, &m);
  memcpy(c->last[vehicle], at, sizeof at);
}

// What has been dissipated by now, and the residual.
static void look_at_energy(Course* c) {
  double taken = 0, residual = 0, throughput = 0;
  for (int v = 0; v < c->crash->vehicles; v++) {
    rutEnergy e;
    if (!rut_vehicle_energy(c->world.model, c->world.data, v, &e)) continue;
    taken += e.brake + e.damper + e.bearing + e.tyre + e.slip + e.rolling + e.air + e.water +
             e.hull + e.obstacle + e.steering - e.elastic;
    residual += fabs(e.residual - e.flight);
    throughput += e.throughput;
  }
  for (int i = 0; i < c->crash->things; i++) {
    const cliCrashThing* t = &c->crash->thing[i];
    double middle[3] = {0};
    if (t->fixed) continue;
    taken -= block_energy(&c->world, i, t, middle);
    if (middle[2] < ground_at(&c->world, middle[0], middle[1]) - 0.02) fail(c, PASSES);
  }
  if (!c->begun) c->most = c->start = taken;
  c->most = fmax(c->most, taken);
  c->gained = fmax(c->gained, c->start - taken);
  c->returned = fmax(c->returned, c->most - taken);
  c->run.residual = fmax(c->run.residual, residual);
  c->run.throughput = fmax(c->run.throughput, throughput);
  if (!(fabs(taken) < 1e12)) fail(c, DIVERGED);
}

static void look(Course* c) {
  for (int v = 0; v < c->crash->vehicles; v++) look_at_place(c, v);
  look_at_energy(c);
  c->begun = true;
}

static Run run_crash(const cliCrash* crash) {
  Course c = {.crash = crash};
  if (!open_world(crash, &c.world)) {
    close_world(&c.world);
    return (Run){.fault = REFUSED};
  }
  const int every = (int)fmax(LOOK_TIME / rut_model_timestep(c.world.model), 1);
  // tyres are known to be pressed from the first step on
  while (rut_time(c.world.data) < crash->duration - 1e-9 && c.run.fault == FINE) {
    rutError err = {0};
    if (rut_step(c.world.model, c.world.data, &err) != RUT_OK) fail(&c, DIVERGED);
    if (c.run.fault == FINE && rut_steps(c.world.data) % every == 0) look(&c);
  }
  const double whole = fmax(c.run.throughput, 1e-9);
  c.run.residual /= whole;
  c.run.gained = c.gained / whole;
  c.run.returned = c.returned / whole;
  if (c.run.residual > RESIDUAL) fail(&c, OPEN);
  if (c.run.gained > GAINED) fail(&c, GAINS);
  close_world(&c.world);
  return c.run;
}

// With shorter and shorter steps while it is the step that is at fault.
static void try_crash(Trial* t, cliCrash* crash) {
  for (int i = 0; i < RUNS; i++) {
    t->parts = parts_of[i];
    if (!cli_crash_write((uint64_t)t->seed, t->parts, crash)) t->run.fault = REFUSED;
    if (t->run.fault != REFUSED) t->run = run_crash(crash);
    if (i == 0) t->first = t->run.residual;
    // energy from nowhere that half the step does not take away is no matter of the step
    if (t->run.fault != OPEN && (t->run.fault != GAINS || i > 0)) break;
    if (i == RUNS - 1) break;
  }
  t->kind = crash->kind;
  t->vehicle = crash->vehicle;
  t->soil = crash->soil;
  t->step = crash->step / t->parts;
  t->rk4 = crash->rk4;
}

// ---- many of them ----

typedef struct Queue {
  Trial* trial;
  int n;
  atomic_int next, done;
  cliProgress* progress;
} Queue;

static void work_on(Queue* queue, bool draws) {
  cliCrash* crash = malloc(sizeof *crash);
  for (int i; crash && (i = atomic_fetch_add(&queue->next, 1)) < queue->n;) {
    try_crash(&queue->trial[i], crash);
    const int done = atomic_fetch_add(&queue->done, 1) + 1;
    if (draws) cli_progress_update(queue->progress, done);
  }
  free(crash);
}

static void* work(void* user) {
  work_on(user, false);
  return NULL;
}

static void run_queue(Queue* queue, int64_t workers) {
  pthread_t thread[MAX_WORKERS];
  int threads = 0;
  while (threads < workers - 1 && threads < MAX_WORKERS &&
         pthread_create(&thread[threads], NULL, work, queue) == 0) {
    threads++;
  }
  work_on(queue, true);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
}

// ---- output ----

// Faults first, then by what the residual was with the world's own step.
static int by_weight(const void* a, const void* b) {
  const Trial *s = a, *t = b;
  const bool bad = s->run.fault != FINE, worse = t->run.fault != FINE;
  if (bad != worse) return bad ? -1 : 1;
  const double x = fmax(s->run.residual, s->run.gained), y = fmax(t->run.residual, t->run.gained);
  if (x == y) return (s->seed > t->seed) - (s->seed < t->seed);
  return x > y ? -1 : 1;
}

static void json_trial(cliJson* json, const Trial* t) {
  cli_json_object(json, NULL);
  cli_json_integer(json, "seed", t->seed);
  cli_json_text(json, "fault", fault_name[t->run.fault]);
  cli_json_text(json, "kind", t->kind);
  cli_json_text(json, "vehicle", t->vehicle);
  cli_json_text(json, "soil", t->soil);
  cli_json_bool(json, "rk4", t->rk4);
  cli_json_number(json, "step", t->step);
  cli_json_integer(json, "parts", t->parts);
  cli_json_number(json, "time", t->run.time);
  cli_json_number(json, "residual", t->run.residual);
  cli_json_number(json, "residual_first", t->first);
  cli_json_number(json, "gained", t->run.gained);
  cli_json_number(json, "returned", t->run.returned);
  cli_json_number(json, "throughput", t->run.throughput);
  cli_json_number(json, "depth", t->run.depth);
  cli_json_end(json);
}

static void print_json(const Queue* queue) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_array(&json, NULL);
  for (int i = 0; i < queue->n; i++) json_trial(&json, &queue->trial[i]);
  cli_json_end(&json);
}

static void print_worst(const Queue* queue, int rows) {
  static const char* const header[] = {"seed",      "crash",       "vehicle",  "soil",
                                       "step [ms]", "of its step", "residual", "gained",
                                       "returned",  "fault"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < rows; i++) {
    const Trial* t = &queue->trial[i];
    cli_table_add(&table, "%lld", (long long)t->seed);
    cli_table_add(&table, "%s", t->kind);
    cli_table_add(&table, "%s", t->vehicle);
    cli_table_add(&table, "%s", t->soil);
    cli_table_add(&table, "%.3g%s", 1e3 * t->step, t->rk4 ? " rk4" : "");
    cli_table_add(&table, "1/%d", t->parts);
    cli_table_add(&table, "%.2g", t->run.residual);
    cli_table_add(&table, "%.2g", t->run.gained);
    cli_table_add(&table, "%.2g", t->run.returned);
    cli_table_add(&table, "%s", fault_name[t->run.fault]);
  }
  cli_table_print(&table, "rlllrrrrrl", stdout);
  cli_table_free(&table);
}

static void print_summary(const Queue* queue) {
  int faults = 0, count[FAULTS] = {0};
  printf("\nsteps that were needed:");
  for (int k = 0; k < RUNS; k++) {
    int n = 0;
    for (int i = 0; i < queue->n; i++) n += queue->trial[i].parts == parts_of[k];
    if (n > 0) printf(" 1/%d: %d", parts_of[k], n);
  }
  for (int i = 0; i < queue->n; i++) count[queue->trial[i].run.fault]++;
  printf("\n%d crashes", queue->n);
  for (int f = FINE + 1; f < FAULTS; f++) {
    if (count[f] > 0) printf(", %s: %d", fault_name[f], count[f]);
    faults += count[f];
  }
  printf("%s\n", faults ? "" : ", none at fault");
}

// Worlds of the worst trials, with the step that they ended with.
static int write_worlds(const Queue* queue, int rows, const char* folder) {
  cliCrash* crash = malloc(sizeof *crash);
  int code = crash ? CLI_DONE : CLI_IO;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) code = CLI_IO;
  for (int i = 0; i < rows && code == CLI_DONE; i++) {
    const Trial* t = &queue->trial[i];
    char path[4096];
    snprintf(path, sizeof path, "%s/crash_%lld.xml", folder, (long long)t->seed);
    cli_crash_write((uint64_t)t->seed, t->parts, crash);
    FILE* file = fopen(path, "w");
    const bool written = file && fputs(crash->text, file) >= 0;
    if ((file && fclose(file) != 0) || !written) code = CLI_IO;
  }
  if (code != CLI_DONE) fprintf(stderr, "rut: error: cannot write worlds to '%s'\n", folder);
  free(crash);
  return code;
}

int cli_bench_crashes(const cliCrashOptions* option) {
  cliProgress progress;
  Queue queue = {.n = (int)option->count, .progress = &progress};
  queue.trial = calloc((size_t)queue.n, sizeof *queue.trial);
  if (!queue.trial) return CLI_IO;
  for (int i = 0; i < queue.n; i++) queue.trial[i].seed = option->first + i;
  cli_progress_begin(&progress, queue.n, false);
  progress.unit = "crashes";
  run_queue(&queue, option->workers);
  cli_progress_end(&progress);
  if (option->json) print_json(&queue);
  qsort(queue.trial, (size_t)queue.n, sizeof *queue.trial, by_weight);
  int faults = 0, code = CLI_DONE;
  while (faults < queue.n && queue.trial[faults].run.fault != FINE) faults++;
  const int worst = queue.n < WORST ? queue.n : WORST, rows = faults > worst ? faults : worst;
  if (option->folder) code = write_worlds(&queue, rows, option->folder);
  if (!option->json) print_worst(&queue, rows);
  if (!option->json) print_summary(&queue);
  free(queue.trial);
  return code != CLI_DONE ? code : faults > 0 ? CLI_SHORT : CLI_DONE;
}
