// SPDX-License-Identifier: BSD-3-Clause
//
// One vehicle on one soil: what laws say, from the vehicle standing on hard ground, and what it
// does when it drives.
#include "rut/mobility.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "host/track.h"
#include "math/rut_math.h"
#include "rut/component.h"
#include "rut/trial.h"

typedef struct Work {
  const rutSpec* world;
  const rutMobilityDef* def;
  rutMobilityReport* out;
  int runs;
} Work;

rutMobilityDef rut_default_mobility(void) {
  return (rutMobilityDef){.struct_size = sizeof(rutMobilityDef),
                          .soil = "lete_sand",
                          .cone_index = RUT_NAN,
                          .remoulding = 1,
                          .simulate = true};
}

static bool go_on(Work* work) {
  const rutMobilityDef* def = work->def;
  return !def->go_on || def->go_on(work->runs++, def->user);
}

static rutStatus run_to(rutTrack* t, double time, rutError* err) {
  rutStatus status = RUT_OK;
  while (status == RUT_OK && rut_time(t->data) < time) status = rut_track_step(t, err);
  return status;
}

// ---- the vehicle ----

// Under its load on hard ground. Wheels without mass do not tell it.
static double deflection_of(const rutTrack* t, int wheel, const rutWheelState* s) {
  rutTyreTest test = rut_default_tyre_test();
  rutTyrePoint point;
  test.load = s->load;
  if (s->deflection > 0 || !rut_tyre_point(t->model, wheel, &test, &point)) return s->deflection;
  return point.deflection;
}

// Wheels come axle by axle, as the elements do.
static void read_axles(const rutTrack* t, rutMobilityVehicle* v) {
  const rutSpec* spec = t->spec;
  int w = 0;
  for (rutNode axle = rut_node_first(spec, t->vehicle, "axle");
       !rut_node_is_null(axle) && v->axles < RUT_MOBILITY_AXLES;
       axle = rut_node_next(spec, axle, "axle")) {
    rutMobilityAxle* a = &v->axle[v->axles++];
    const double radius = rut_node_number(spec, axle, "radius");
    const double section = rut_node_number(spec, axle, "section_height");
    *a = (rutMobilityAxle){.tyres = rut_node_number(spec, axle, "track") > 0 ? 2 : 1,
                           .driven = rut_node_number(spec, axle, "driven") > 0,
                           .tyre = {.diameter = 2 * radius,
                                    .width = rut_node_number(spec, axle, "width"),
                                    .section_height = section > 0 ? section : 0.4 * radius}};
    for (int i = 0; i < a->tyres; i++, w++) {
      const rutWheelState s = rut_wheel_state(t->model, t->data, w);
      a->tyre.load += s.load / a->tyres;
      a->tyre.deflection += deflection_of(t, w, &s) / a->tyres;
    }
  }
}

static rutStatus look_at_vehicle(Work* work, rutTrack* t, rutError* err) {
  static const double SETTLES = 3;  // [s]
  rutMobilityReport* out = work->out;
  const rutTrackDrive stand = {.manoeuvre = "straight", .at_rest = true};
  rutStatus status = rut_track_begin(t, &stand, SETTLES, err);
  if (status == RUT_OK) status = run_to(t, SETTLES, err);
  if (status != RUT_OK) return status;
  read_axles(t, &out->vehicle);
  const rutNode chassis = rut_node_first(t->spec, t->vehicle, "chassis");
  out->vehicle.clearance =
      rut_track_state(t).position[2] + rut_node_number(t->spec, chassis, "z_min");
  snprintf(out->name, sizeof out->name, "%s", rut_vehicle_info(t->model, 0).name);
  out->weight = rut_mobility_weight(&out->vehicle);
  out->index = rut_mobility_index(&out->vehicle);
  out->vci1 = rut_vci1(&out->vehicle);
  out->vci50 = rut_vci50(&out->vehicle);
  out->mmp = rut_mmp(&out->vehicle);
  rut_track_end(t);
  return out->weight > 0
             ? RUT_OK
             : rut_error_set(err, RUT_ERR_MODEL, "'%.60s' does not stand on its wheels", out->name);
}

// ---- laws of single wheels, of the soil on the track ----

typedef struct Sum {
  double net, resistance;  // over the weight
} Sum;

static bool towed(const rutModel* model, int soil, rutSoilWheel wheel, rutSoilPoint* out) {
  enum { HALVINGS = 40 };
  double low = -0.5, high = 0.2;
  // without torque
  for (int i = 0; i < HALVINGS; i++) {
    wheel.slip = 0.5 * (low + high);
    if (!rut_soil_point(model, soil, &wheel, out)) return false;
    if (out->torque < 0) {
      low = wheel.slip;
    } else {
      high = wheel.slip;
    }
  }
  return true;
}

// All wheels, the driven ones at a slip; each axle in the rut of those before it.
static bool sum_wheels(const rutModel* model, const rutMobilityVehicle* v, double slip, Sum* sum) {
  const double weight = rut_mobility_weight(v);
  double pressed[2] = {0};
  *sum = (Sum){0};
  for (int i = 0; i < v->axles; i++) {
    const rutMobilityAxle* a = &v->axle[i];
    rutSoilWheel wheel = rut_default_soil_wheel();
    rutSoilPoint driven, free;
    wheel.radius = 0.5 * a->tyre.diameter;
    wheel.width = a->tyre.width;
    wheel.section_height = a->tyre.section_height;
    wheel.load = a->tyre.load;
    wheel.stiffness = a->tyre.deflection > 0 ? a->tyre.load / a->tyre.deflection : 0;
    wheel.slip = slip;
    wheel.pressed = pressed[0];
    if (!rut_soil_point(model, 0, &wheel, &driven)) return false;
    pressed[0] = driven.pressed;
    wheel.pressed = pressed[1];
    if (!towed(model, 0, wheel, &free)) return false;
    pressed[1] = free.pressed;
    const rutSoilPoint* p = a->driven ? &driven : &free;
    sum->net += a->tyres * p->drawbar_pull / weight;
    sum->resistance -= a->tyres * free.drawbar_pull / weight;
  }
  return true;
}

static void add_wheels(const rutTrack* t, const char* name, const char* source,
                       rutMobilityReport* out) {
  enum { SLIPS = 50 };
  if (out->rows == RUT_MOBILITY_ROWS) return;
  rutMobilityRow* row = &out->row[out->rows++];
  *row = (rutMobilityRow){.source = source,
                          .pull_20 = RUT_NAN,
                          .pull_max = RUT_NAN,
                          .slip = RUT_NAN,
                          .resistance = RUT_NAN,
                          .slope = RUT_NAN};
  snprintf(row->name, sizeof row->name, "%s", name);
  Sum sum;
  if (!sum_wheels(t->model, &out->vehicle, 0.2, &sum)) return;
  row->pull_20 = sum.net;
  row->resistance = sum.resistance;
  row->pull_max = -RUT_INFINITY;
  for (int i = 0; i <= SLIPS; i++) {
    const double slip = (double)i / SLIPS;
    if (!sum_wheels(t->model, &out->vehicle, slip, &sum) || sum.net <= row->pull_max) continue;
    row->pull_max = sum.net;
    row->slip = slip;
  }
  row->slope = rut_mobility_slope(row->pull_max);
}

// A soil on the track, compiled.
static rutStatus lay(Work* work, rutTrack* t, const char* soil, double cone_index, rutError* err) {
  const rutMobilityDef* def = work->def;
  const bool own = strcmp(soil, def->soil) == 0;
  const rutTrackDrive stand = {.manoeuvre = "straight", .at_rest = true};
  rutStatus status =
      rut_track_soil(t, soil, own ? def->settings : 0, own ? def->setting : NULL, err);
  if (status == RUT_OK && !own) {
    status = rut_node_set_number(t->spec, t->ground, "cone_index", cone_index, err);
  }
  return status == RUT_OK ? rut_track_begin(t, &stand, 1, err) : status;
}

// Soil types that are laws of cone index.
static const struct {
  const char *type, *source;
  rutGrain grain;
} indexed[] = {
    {"brixius", "Brixius 1987", RUT_GRAIN_ANY},
    {"clay", "Dettwiller et al. 2018, own clay numeric", RUT_GRAIN_FINE},
    {"sand", "Mason et al. 2018, Williams et al. 2019", RUT_GRAIN_COARSE},
};
enum { INDEXED = sizeof indexed / sizeof indexed[0] };

// Grain of a soil by its type: that of others is not known, and all laws are told.
static rutGrain grain_of(const char* type) {
  for (int i = 0; i < INDEXED; i++) {
    if (strcmp(type, indexed[i].type) == 0) return indexed[i].grain;
  }
  return RUT_GRAIN_ANY;
}

static bool suits(rutGrain soil, rutGrain law) {
  return soil == RUT_GRAIN_ANY || law == RUT_GRAIN_ANY || soil == law;
}

static void add_laws(const rutMobilityReport* of, rutGrain grain, rutMobilityReport* out) {
  for (int i = 0; i < rut_mobility_laws() && out->rows < RUT_MOBILITY_ROWS; i++) {
    const rutMobilityLaw law = rut_mobility_law(i);
    if (!suits(grain, law.grain)) continue;
    const double ci = strcmp(law.name, "nrmm") == 0 ? of->rating : of->cone_index;
    rutMobilityRow row = {.source = law.source,
                          .pull_20 = rut_mobility_pull(i, &of->vehicle, ci, 0.2),
                          .pull_max = RUT_NAN,
                          .slip = RUT_NAN,
                          .resistance = rut_mobility_resistance(i, &of->vehicle, ci)};
    snprintf(row.name, sizeof row.name, "%s", law.name);
    for (int k = 1; k <= 100; k++) {
      const double pull = rut_mobility_pull(i, &of->vehicle, ci, 0.01 * k);
      if (isnan(pull) || pull <= row.pull_max) continue;
      row.pull_max = pull;
      row.slip = 0.01 * k;
    }
    // one that knows no slip, or only that of 20 %
    if (row.pull_max == rut_mobility_pull(i, &of->vehicle, ci, 0) || row.slip == 0.2) {
      row.slip = RUT_NAN;
    }
    row.slope = isnan(row.pull_max) ? RUT_NAN : rut_mobility_slope(row.pull_max);
    out->row[out->rows++] = row;
  }
}

static rutStatus add_theory(Work* work, rutTrack* t, rutError* err) {
  rutMobilityReport* out = work->out;
  rutStatus status = lay(work, t, work->def->soil, RUT_NAN, err);
  if (status != RUT_OK) return status;
  char type[64];
  snprintf(type, sizeof type, "%s", rut_node_type(t->spec, t->ground));
  const double own = rut_node_number(t->spec, t->ground, "cone_index");
  out->cone_index = isnan(work->def->cone_index) ? own : work->def->cone_index;
  out->rating = out->cone_index * work->def->remoulding;
  add_wheels(t, type, "the soil's own law, wheel by wheel", out);
  if (isnan(out->cone_index)) return RUT_OK;
  const rutMobilityTyre* tyre = &out->vehicle.axle[0].tyre;
  out->numeric[0] = rut_wheel_numeric(tyre, out->cone_index);
  out->numeric[1] = rut_clay_numeric(tyre, out->cone_index);
  out->numeric[2] = rut_clay_numeric_drove(tyre, out->cone_index);
  out->numeric[3] = rut_sand_numeric(tyre, out->cone_index);
  const rutGrain grain = grain_of(type);
  for (int i = 0; i < INDEXED && status == RUT_OK; i++) {
    if (strcmp(type, indexed[i].type) == 0 || !suits(grain, indexed[i].grain)) continue;
    status = lay(work, t, indexed[i].type, out->cone_index, err);
    if (status == RUT_OK) add_wheels(t, indexed[i].type, indexed[i].source, out);
  }
  add_laws(out, grain, out);
  return status;
}

// ---- simulation ----

// A drawbar that pulls ever harder until the vehicle stands, against a driver with a gain.
static rutStatus pull_by(Work* work, double gain, rutMobilityRow* row, rutError* err) {
  static const double SPEED = 2, START = 3, RISE = 30, AFTER = 2;  // [m/s], [s], [s], [s]
  rutTrack t;
  rutStatus status = rut_track_open(work->world, work->def->vehicle, &t, err);
  if (status != RUT_OK) return status;
  const rutNode hitch = rut_spec_add(t.spec, t.vehicle, "hitch", "", "", err);
  const rutNode axle = rut_node_first(t.spec, t.vehicle, "axle");
  const double z = rut_node_number(t.spec, axle, "z");
  const double at[3] = {t.rear - t.radius, 0, isnan(z) ? t.radius : z};
  rut_node_set_numbers(t.spec, hitch, "position", 3, at, NULL);
  rut_node_set_number(t.spec, hitch, "force", 1.5 * work->out->weight, NULL);
  rut_node_set_number(t.spec, hitch, "ramp", work->out->weight / RISE, NULL);
  rut_node_set_number(t.spec, hitch, "start", START, NULL);
  status = rut_track_soil(&t, work->def->soil, work->def->settings, work->def->setting, err);
  const rutTrackDrive drive = {.manoeuvre = "straight", .speed = SPEED, .gain = gain};
  const double duration = START + 1.5 * RISE;
  if (status == RUT_OK) status = rut_track_begin(&t, &drive, duration, err);
  double since = 0;
  while (status == RUT_OK && rut_time(t.data) < duration && since < AFTER) {
    status = rut_track_step(&t, err);
    const bool stands = rut_time(t.data) > START && rut_track_state(&t).velocity[0] < 0.05;
    since = stands ? since + rut_model_timestep(t.model) : 0;
  }
  if (status == RUT_OK) {
    const double at_20 = rut_track_metric(&t, "pull_at_slip_0.2") / work->out->weight;
    const double most = rut_track_metric(&t, "pull_max") / work->out->weight;
    if (!(row->pull_20 >= at_20)) row->pull_20 = at_20;
    if (!(row->pull_max >= most)) row->pull_max = most;
  }
  rut_track_close(&t);
  return status;
}

// The steadier one of two drivers: engines swing under an eager one, and slip too soon; motors do
// not pull as they can under a usual one.
static rutStatus pull(Work* work, rutMobilityRow* row, rutError* err) {
  static const double EAGER = 8;  // all force at half of the speed [1/s]
  const rutStatus status = pull_by(work, 0, row, err);
  return status == RUT_OK && go_on(work) ? pull_by(work, EAGER, row, err) : status;
}

// Without drive: what the ground takes on the way from the second wheelbase on.
static rutStatus coast(Work* work, rutMobilityRow* row, rutError* err) {
  static const double SPEED = 6, SLOW = 1, WAY = 20, LONGEST = 60;  // [m/s], [m/s], [m], [s]
  rutTrack t;
  rutStatus status = rut_track_open(work->world, work->def->vehicle, &t, err);
  if (status != RUT_OK) return status;
  const rutNode drive = rut_node_first(t.spec, t.vehicle, "drive");
  rutNode controller = rut_node_first(t.spec, t.vehicle, "controller");
  while (!rut_node_is_null(controller)) {
    rut_spec_remove(t.spec, controller);
    controller = rut_node_first(t.spec, t.vehicle, "controller");
  }
  if (!rut_node_is_null(drive)) rut_spec_remove(t.spec, drive);
  t.driver = (rutNode){0};
  rut_node_set_number(t.spec, rut_node_first(t.spec, t.vehicle, "chassis"), "drag_area", 0, NULL);
  status = rut_track_soil(&t, work->def->soil, work->def->settings, work->def->setting, err);
  const rutTrackDrive push = {.manoeuvre = "straight", .speed = SPEED, .coasts = true};
  if (status == RUT_OK) status = rut_track_begin(&t, &push, LONGEST, err);
  const double from = t.front - t.rear;
  double begun = RUT_NAN, place = 0, energy = 0, way = 0;
  while (status == RUT_OK && rut_time(t.data) < LONGEST) {
    status = rut_track_step(&t, err);
    const rutVehicleState s = rut_track_state(&t);
    rutEnergy now;
    if (!rut_vehicle_energy(t.model, t.data, 0, &now)) break;
    if (isnan(begun) && s.position[0] >= from) {
      begun = now.kinetic + now.potential;
      place = s.position[0];
    }
    way = s.position[0] - place;
    energy = begun - now.kinetic - now.potential;
    if (s.velocity[0] < SLOW || way > WAY) break;
  }
  if (status == RUT_OK && way > 0.5 && !isnan(begun)) {
    row->resistance = energy / way / work->out->weight;
  }
  rut_track_close(&t);
  return status;
}

static bool count_run(int runs, void* user) {
  (void)runs;
  return go_on(user);
}

static rutStatus climb(Work* work, rutMobilityRow* row, rutError* err) {
  const rutMobilityDef* def = work->def;
  rutTrialDef trial = rut_default_trial();
  trial.vehicle = def->vehicle;
  trial.soil = def->soil;
  trial.settings = def->settings;
  trial.setting = def->setting;
  trial.go_on = count_run;
  trial.user = work;
  rutTrials* trials = NULL;
  rutTrialResult result;
  rutStatus status = rut_trials_create(work->world, &trial, &trials, err);
  if (status == RUT_OK) {
    status = rut_trial_run(trials, rut_trial_find("grade"), RUT_NAN, &result, err);
  }
  rut_trials_destroy(trials);
  if (status == RUT_OK) row->slope = isnan(result.limit) ? 0 : result.limit;
  return status;
}

// Whether it drives its own length on level ground of a cone index.
static rutStatus goes(Work* work, rutTrack* t, double cone_index, bool* out, rutError* err) {
  static const double LONGEST = 20;  // [s]
  const double goal = 2 * t->length;
  const rutMobilityDef* def = work->def;
  rutStatus status = rut_track_soil(t, def->soil, def->settings, def->setting, err);
  if (status == RUT_OK) {
    status = rut_node_set_number(t->spec, t->ground, "cone_index", cone_index, err);
  }
  const rutTrackDrive drive = {.manoeuvre = "acceleration", .speed = 1};
  if (status == RUT_OK) status = rut_track_begin(t, &drive, LONGEST, err);
  *out = false;
  while (status == RUT_OK && rut_time(t->data) < LONGEST && !*out) {
    status = rut_track_step(t, err);
    *out = rut_track_state(t).position[0] > goal;
  }
  rut_track_end(t);
  return status;
}

static rutStatus find_vci(Work* work, rutError* err) {
  enum { HALVINGS = 10 };
  double low = rut_log(10e3), high = rut_log(3e6);
  rutTrack t;
  rutStatus status = rut_track_open(work->world, work->def->vehicle, &t, err);
  if (status != RUT_OK) return status;
  for (int i = 0; i < HALVINGS && status == RUT_OK && go_on(work); i++) {
    bool passes = false;
    const double middle = 0.5 * (low + high);
    status = goes(work, &t, rut_exp(middle), &passes, err);
    if (passes) {
      high = middle;
    } else {
      low = middle;
    }
  }
  work->out->simulated_vci1 = rut_exp(0.5 * (low + high));
  rut_track_close(&t);
  return status;
}

static rutStatus simulate(Work* work, rutError* err) {
  rutMobilityRow* row = &work->out->row[0];
  rutStatus status = go_on(work) ? pull(work, row, err) : RUT_OK;
  if (status == RUT_OK && go_on(work)) status = coast(work, row, err);
  if (status == RUT_OK && go_on(work)) status = climb(work, row, err);
  bool indexes = false;
  rutTrack t;
  if (status == RUT_OK) status = rut_track_open(work->world, work->def->vehicle, &t, err);
  if (status != RUT_OK) return status;
  status = rut_track_soil(&t, work->def->soil, work->def->settings, work->def->setting, err);
  if (status == RUT_OK) indexes = !isnan(rut_node_number(t.spec, t.ground, "cone_index"));
  rut_track_close(&t);
  return indexes ? find_vci(work, err) : status;
}

rutStatus rut_mobility_vehicle(const rutSpec* world, const char* name, rutMobilityVehicle* out,
                               rutError* err) {
  rutMobilityDef def = rut_default_mobility();
  rutMobilityReport report = {.cone_index = RUT_NAN};
  Work work = {world, &def, &report, 0};
  rutTrack t;
  def.vehicle = name;
  rutStatus status = rut_track_open(world, name, &t, err);
  if (status != RUT_OK) return status;
  status = look_at_vehicle(&work, &t, err);
  rut_track_close(&t);
  *out = report.vehicle;
  return status;
}

rutStatus rut_mobility_assess(const rutSpec* world, const rutMobilityDef* def,
                              rutMobilityReport* out, rutError* err) {
  *out = (rutMobilityReport){.cone_index = RUT_NAN, .rating = RUT_NAN, .simulated_vci1 = RUT_NAN};
  for (int i = 0; i < 4; i++) out->numeric[i] = RUT_NAN;
  Work work = {world, def, out, 0};
  rutTrack t;
  rutStatus status = rut_track_open(world, def->vehicle, &t, err);
  if (status != RUT_OK) return status;
  out->row[0] = (rutMobilityRow){.name = "simulation",
                                 .source = "the vehicle drives, pulls, coasts and climbs",
                                 .pull_20 = RUT_NAN,
                                 .pull_max = RUT_NAN,
                                 .slip = RUT_NAN,
                                 .resistance = RUT_NAN,
                                 .slope = RUT_NAN};
  out->rows = 1;
  status = look_at_vehicle(&work, &t, err);
  if (status == RUT_OK) status = add_theory(&work, &t, err);
  rut_track_close(&t);
  if (status == RUT_OK && def->simulate) status = simulate(&work, err);
  return status;
}
