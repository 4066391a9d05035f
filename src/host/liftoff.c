// SPDX-License-Identifier: BSD-3-Clause
//
// The search for the steering angles at which a wheel lifts: every cell of a slope at once, each in
// a copy of its own. A cell first tries angles from small to large by an eighth of full lock, since
// more steering need not unload a wheel more once the tyres slide, and then halves the interval in
// which the first wheel lifts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/rng.h"
#include "host/liftoff.h"
#include "math/rut_math.h"

enum { SCANS = 8, MOST_RUNS = 10000 };

// ---- what is asked for ----

static const double DEGREE = RUT_PI / 180;

rutLiftoffDef rut_default_liftoff(void) {
  return (rutLiftoffDef){
      .struct_size = sizeof(rutLiftoffDef), .friction = 0.8, .resolution = 0.05 * DEGREE};
}

// The def with usual values where it has none.
static rutStatus complete(const rutLiftoffDef* def, rutLiftoffDef* out, rutError* err) {
  *out = def ? *def : rut_default_liftoff();
  if (out->struct_size != sizeof *out) {
    return rut_error_set(err, RUT_ERR_VERSION, "this rutLiftoffDef is of another version");
  }
  if (!(out->friction >= 0 && out->friction <= 10)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "friction is between 0 and 10, not %g",
                         out->friction);
  }
  if (!(out->load >= 0 && out->load <= 1e9)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "load is between 0 and 1e9 N, not %g", out->load);
  }
  if (!(out->resolution >= 1e-6 && out->resolution <= 1)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "resolution is between 1e-6 and 1 rad, not %g",
                         out->resolution);
  }
  for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
    if (!out->axis[a].value) out->axis[a] = rut_liftoff_usual(a);
  }
  return rut_liftoff_check_axes(out->axis, err);
}

// ---- the search of a cell ----

typedef struct Search {
  double low, high;  // angles without and with a lift [rad]; high NaN: none yet
  int scans;
  bool over;
} Search;

// The next angle to try; sets over if there is none.
static double choose_angle(Search* s, double lock, double resolution) {
  if (isnan(s->high)) {
    s->over = s->scans == SCANS;
    return lock * (s->scans + 1) / SCANS;
  }
  s->over = s->high - s->low <= resolution;
  return 0.5 * (s->low + s->high);
}

static void keep_run(rutLiftoffCell* cell, const rutLiftoffRun* r) {
  cell->steering = r->steering;
  cell->lateral_acceleration = r->lateral_acceleration;
  cell->yaw_rate = r->yaw_rate;
  cell->speed = r->speed;
  cell->load = r->load;
}

static void take_result(Search* s, rutLiftoffCell* cell, const rutLiftoffRun* r) {
  if (isnan(s->high)) s->scans++;
  if (r->lifted || r->diverged) {
    s->high = r->steering;
    cell->end = r->diverged ? RUT_LIFTOFF_DIVERGED : RUT_LIFTOFF_LIFT;
    cell->wheel = r->diverged ? -1 : r->wheel;
    return;
  }
  s->low = r->steering;
  keep_run(cell, r);
  if (s->scans < SCANS || !isnan(s->high)) return;
  // full lock: the tyres are the limit
  cell->end = RUT_LIFTOFF_GRIP;
  cell->steering = r->most_steering;
  cell->lateral_acceleration = r->most;
  cell->yaw_rate = r->most_yaw_rate;
  cell->speed = r->most_speed;
}

// ---- a slope ----

// What a table is made with.
typedef struct Maker {
  rutLiftoffDef def;
  rutLiftoffStage stage;
  rutLiftoff* table;
  rutLiftoffRun* run;  // of the cells of a slope, as all that follow
  Search* search;
  bool* skip;
  int cells;  // of a slope
  bool stopped;
} Maker;

// Rounds of a search at most.
static int count_rounds(const Maker* m) {
  const double parts = m->stage.lock / SCANS / m->def.resolution;
  int rounds = SCANS;
  for (int64_t part = 1; (double)part < parts && rounds < 64; part *= 2) rounds++;
  return rounds;
}

static bool go_on(Maker* m, double share) {
  m->stopped = m->def.go_on && !m->def.go_on(share, m->def.user);
  return !m->stopped;
}

static rutStatus search_slope(Maker* m, int slope, rutError* err) {
  rutLiftoffCell* cell = m->table->cell + (ptrdiff_t)slope * m->cells;
  for (int i = 0; i < m->cells; i++) {
    memcpy(m->run[i].at, cell[i].at, sizeof m->run[i].at);
    m->search[i] = (Search){.high = RUT_NAN};
    cell[i].wheel = -1;
  }
  const double angle = m->def.axis[RUT_LIFTOFF_SLOPE].value[slope];
  rutStatus status = rut_liftoff_prepare(&m->stage, m->run, m->cells, angle, m->def.workers, err);
  const int slopes = m->def.axis[RUT_LIFTOFF_SLOPE].n, rounds = count_rounds(m);
  for (int round = 0; status == RUT_OK; round++) {
    bool busy = false;
    for (int i = 0; i < m->cells; i++) {
      m->run[i].steering = choose_angle(&m->search[i], m->stage.lock, m->def.resolution);
      m->skip[i] = m->search[i].over;
      busy = busy || !m->skip[i];
    }
    if (!busy || !go_on(m, (slope + rut_min(1, (double)round / rounds)) / slopes)) break;
    status = rut_liftoff_drive(&m->stage, m->skip, err);
    for (int i = 0; i < m->cells && status == RUT_OK; i++) {
      if (!m->skip[i]) take_result(&m->search[i], &cell[i], &m->run[i]);
    }
  }
  return status;
}

// Horizontal acceleration to the left at which a rigid vehicle tips over its right wheels: the
// resultant of it and of weight then goes through them, at atan(T/2h) from the ground's normal,
// from which a slope that rises to the left takes its angle.
static double rigid_limit(const rutTrack* t, double slope) {
  static const double MOST = 1.5;  // nearly flat: no acceleration tips it [rad]
  const double tip = rut_atan2(0.5 * t->width, rut_track_height(t));
  return t->seat.gravity * rut_tan(rut_clamp(tip - slope, 0, MOST));
}

// The vehicle stands still, to be measured.
static rutStatus weigh(Maker* m, rutError* err) {
  rutTrack* t = &m->stage.track;
  const rutTrackDrive stand = {.manoeuvre = "straight", .at_rest = true};
  rutStatus status = rut_track_begin(t, &stand, 1, err);
  if (status == RUT_OK) status = rut_track_step(t, err);
  for (int i = 0; i < m->table->cells && status == RUT_OK; i++) {
    rutLiftoffCell* cell = &m->table->cell[i];
    cell->rigid = rigid_limit(t, cell->at[RUT_LIFTOFF_SLOPE]);
  }
  const char* name = rut_node_name(t->spec, t->vehicle);
  snprintf(m->table->vehicle, RUT_LIFTOFF_NAME, "%s", name[0] ? name : "vehicle");
  rut_track_end(t);
  return status;
}

static rutStatus make_table(Maker* m, const rutSpec* world, rutError* err) {
  rutStatus status = rut_liftoff_open(world, &m->def, &m->stage, err);
  if (status != RUT_OK) return status;
  status = rut_liftoff_lay_out(m->def.axis, &m->table, err);
  if (status == RUT_OK) {
    m->cells = m->table->cells / m->def.axis[RUT_LIFTOFF_SLOPE].n;
    m->run = calloc((size_t)m->cells, sizeof *m->run);
    m->search = calloc((size_t)m->cells, sizeof *m->search);
    m->skip = calloc((size_t)m->cells, sizeof *m->skip);
    if (!m->run || !m->search || !m->skip) {
      status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a table of lift-off");
    }
  }
  if (status == RUT_OK) status = weigh(m, err);
  for (int i = 0; i < m->def.axis[RUT_LIFTOFF_SLOPE].n && status == RUT_OK && !m->stopped; i++) {
    status = search_slope(m, i, err);
  }
  rut_liftoff_close(&m->stage);
  return status;
}

rutStatus rut_liftoff_create(const rutSpec* world, const rutLiftoffDef* def, rutLiftoff** out,
                             rutError* err) {
  Maker m = {0};
  *out = NULL;
  rutStatus status = complete(def, &m.def, err);
  if (status == RUT_OK) status = make_table(&m, world, err);
  free(m.run);
  free(m.search);
  free(m.skip);
  if (status != RUT_OK || m.stopped) {
    rut_liftoff_destroy(m.table);
    return status;
  }
  for (int i = 0; i < m.table->cells; i++) {
    rutLiftoffCell* cell = &m.table->cell[i];
    if (cell->steering == 0 && cell->end == RUT_LIFTOFF_LIFT) cell->end = RUT_LIFTOFF_NONE;
  }
  rut_liftoff_make_safe(m.table);
  *out = m.table;
  return RUT_OK;
}

// ---- trying a table ----

// A number between the ends of an axis.
static double pick(const rutLiftoffValues* axis, double share) {
  return axis->value[0] + (axis->value[axis->n - 1] - axis->value[0]) * share;
}

// Runs below the table on one slope, as random numbers of a stream have them.
static void draw_runs(const rutLiftoff* table, int slope, int runs, uint64_t seed,
                      rutLiftoffRun* run) {
  for (int i = 0; i < runs; i++) {
    rutLiftoffRun* r = &run[i];
    for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
      const double share = rut_uniform(seed, (uint32_t)slope, (uint64_t)i, (uint32_t)a);
      r->at[a] = pick(&table->axis[a], share);
    }
    r->at[RUT_LIFTOFF_SLOPE] = table->axis[RUT_LIFTOFF_SLOPE].value[slope];
    const double share = rut_uniform(seed, (uint32_t)slope, (uint64_t)i, RUT_LIFTOFF_AXES);
    r->steering = share * rut_liftoff_angle(table, r->at);
  }
}

static rutStatus try_runs(rutLiftoffStage* stage, const rutLiftoffDef* def, const rutLiftoff* table,
                          rutLiftoffRun* run, rutLiftoffCheck* check, rutError* err) {
  const rutLiftoffValues* slopes = &table->axis[RUT_LIFTOFF_SLOPE];
  rutStatus status = RUT_OK;
  for (int k = 0, done = 0; k < slopes->n && status == RUT_OK; k++) {
    const int here = check->runs * (k + 1) / slopes->n - done;
    if (def->go_on && !def->go_on((double)done / check->runs, def->user)) break;
    if (here == 0) continue;
    draw_runs(table, k, here, check->seed, run);
    status = rut_liftoff_prepare(stage, run, here, slopes->value[k], def->workers, err);
    if (status == RUT_OK) status = rut_liftoff_drive(stage, NULL, err);
    for (int i = 0; i < here && status == RUT_OK; i++) {
      check->lifts += run[i].lifted || run[i].diverged;
    }
    done += here;
  }
  return status;
}

rutStatus rut_liftoff_check(const rutSpec* world, const rutLiftoffDef* def, const rutLiftoff* table,
                            rutLiftoffCheck* check, rutError* err) {
  rutLiftoffDef whole;
  rutLiftoffStage stage;
  check->lifts = 0;
  rutStatus status = complete(def, &whole, err);
  if (status == RUT_OK && (check->runs < 1 || check->runs > MOST_RUNS)) {
    status = rut_error_set(err, RUT_ERR_ARGUMENT, "runs are between 1 and %d, not %d", MOST_RUNS,
                           check->runs);
  }
  if (status == RUT_OK) status = rut_liftoff_open(world, &whole, &stage, err);
  if (status != RUT_OK) return status;
  rutLiftoffRun* run = calloc((size_t)check->runs, sizeof *run);
  status = run ? try_runs(&stage, &whole, table, run, check, err)
               : rut_error_set(err, RUT_ERR_MEMORY, "no memory for runs below a table");
  free(run);
  rut_liftoff_close(&stage);
  return status;
}
