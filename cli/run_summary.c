// SPDX-License-Identifier: BSD-3-Clause
#include "run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "json.h"
#include "table.h"
#include "text.h"

enum {
  FULL_TABLE = 12,  // vehicles up to which all are shown
  CUT_TABLE = 10    // and how many of more than that
};

static const double DEGREES = 57.29577951308232;

static double speed_of(const rutVehicleState* state) {
  const double* v = state->velocity;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// What kind of vehicle it is: the class of the file, or else its parts.
static void kind_of(const cliWorld* world, int vehicle, char* text, size_t size) {
  rutVehicleInfo info = rut_vehicle_info(world->model, vehicle);
  rutNode node = rut_spec_find(world->spec, info.name);
  const char* class_name = rut_node_is_null(node) ? "" : rut_node_text(world->spec, node, "class");
  if (class_name[0]) {
    snprintf(text, size, "%s", class_name);
  } else {
    snprintf(text, size, "%s/%s", info.tyre[0] ? info.tyre : "-",
             info.controller[0] ? info.controller : "-");
  }
}

static void add_vehicle(const cliWorld* world, const cliTracker* tracker, int vehicle,
                        cliTable* table) {
  rutVehicleState state = rut_vehicle_state(world->model, world->data, vehicle);
  const cliTravel* travel = &tracker->travel[vehicle];
  char kind[CLI_TABLE_CELL];
  kind_of(world, vehicle, kind, sizeof kind);
  cli_table_add(table, "%s", rut_name(world->model, RUT_VEHICLE, vehicle));
  cli_table_add(table, "%s", kind);
  cli_table_add(table, "%.3f", travel->distance);
  for (int i = 0; i < 3; i++) cli_table_add(table, "%.3f", state.position[i]);
  // whole turns of a long drive are left out
  cli_table_add(table, "%.2f", remainder(state.yaw * DEGREES, 360));
  cli_table_add(table, "%.3f", speed_of(&state));
  cli_table_add(table, "%.3f", travel->max_speed);
  cli_table_add(table, "%d", travel->collisions);
}

// All vehicles in one row: sums, and the largest speed.
static void add_total(const cliTracker* tracker, cliTable* table) {
  double distance = 0, max_speed = 0;
  int64_t collisions = 0;
  for (int i = 0; i < tracker->vehicles; i++) {
    distance += tracker->travel[i].distance;
    max_speed = fmax(max_speed, tracker->travel[i].max_speed);
    collisions += tracker->travel[i].collisions;
  }
  cli_table_add(table, "all %d", tracker->vehicles);
  cli_table_add(table, "%s", "");
  cli_table_add(table, "%.3f", distance);
  for (int i = 0; i < 5; i++) cli_table_add(table, "%s", "");
  cli_table_add(table, "%.3f", max_speed);
  cli_table_add(table, "%" PRId64, collisions);
}

static void print_vehicles(const cliWorld* world, const cliTracker* tracker, FILE* out) {
  static const char* const header[] = {
      "vehicle", "kind",      "distance [m]", "x [m]",           "y [m]",
      "z [m]",   "yaw [deg]", "speed [m/s]",  "max speed [m/s]", "collisions",
  };
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  bool cut = tracker->vehicles > FULL_TABLE;
  int shown = cut ? CUT_TABLE : tracker->vehicles;
  for (int i = 0; i < shown; i++) add_vehicle(world, tracker, i, &table);
  if (cut) {
    cli_table_add(&table, "... %d more", tracker->vehicles - shown);
    for (int i = 1; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", "");
    add_total(tracker, &table);
  }
  cli_table_print(&table, "llrrrrrrrr", out);
  cli_table_free(&table);
}

// ---- energy ----

// Terms that have no column of their own: their sum, and which of them is the largest.
typedef struct OtherEnergy {
  double sum;
  const char* largest;  // "" if all are 0
} OtherEnergy;

static OtherEnergy other_energy(const rutEnergy* e) {
  const struct {
    const char* name;
    double value;
  } term[] = {{"bearing", e->bearing},   {"tyre", e->tyre},   {"hull", e->hull},
              {"obstacle", e->obstacle}, {"water", e->water}, {"steering", e->steering}};
  OtherEnergy other = {.largest = ""};
  double most = 0;
  for (int i = 0; i < CLI_COUNT(term); i++) {
    other.sum += term[i].value;
    if (fabs(term[i].value) <= most) continue;
    most = fabs(term[i].value);
    other.largest = term[i].name;
  }
  return other;
}

static void add_energy(const char* name, const rutEnergy* e, cliTable* table) {
  const OtherEnergy other = other_energy(e);
  const double kilo[] = {e->consumed, e->drive,   e->brake, e->damper,
                         e->slip,     e->rolling, e->air,   other.sum};
  cli_table_add(table, "%s", name);
  for (int i = 0; i < CLI_COUNT(kilo); i++) cli_table_add(table, "%.3f", 1e-3 * kilo[i]);
  cli_table_add(table, "%s", other.largest);
  cli_table_add(table, "%.3f", 1e-3 * (e->kinetic + e->potential - e->start));
  cli_table_add(table, "%.1e", e->throughput > 0 ? e->residual / e->throughput : 0);
}

// Energy balance of vehicles on axles. Nothing for planar vehicles.
static void print_energy(const cliWorld* world, FILE* out) {
  static const char* const header[] = {"energy [kJ]", "drawn",  "drive",   "brakes",
                                       "dampers",     "slip",   "rolling", "air",
                                       "other",       "mostly", "gain",    "residual"};
  cliTable table;
  int shown = 0;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  const int vehicles = rut_count(world->model, RUT_VEHICLE);
  for (int i = 0; i < vehicles && shown < FULL_TABLE; i++) {
    rutEnergy energy;
    if (!rut_vehicle_energy(world->model, world->data, i, &energy)) continue;
    add_energy(rut_name(world->model, RUT_VEHICLE, i), &energy, &table);
    shown++;
  }
  if (shown > 0) {
    putc('\n', out);
    cli_table_print(&table, "lrrrrrrrrlrr", out);
  }
  cli_table_free(&table);
}

static void json_energy(cliJson* json, const cliWorld* world, int vehicle) {
  rutEnergy energy;
  if (!rut_vehicle_energy(world->model, world->data, vehicle, &energy)) return;
  cli_json_object(json, "energy");
#define X(name, doc) cli_json_number(json, #name, energy.name);
  RUT_ENERGY_LIST(X)
#undef X
  const OtherEnergy other = other_energy(&energy);
  cli_json_number(json, "other", other.sum);
  cli_json_text(json, "largest_other", other.largest);
  cli_json_number(json, "consumed", energy.consumed);
  cli_json_number(json, "kinetic", energy.kinetic);
  cli_json_number(json, "potential", energy.potential);
  cli_json_number(json, "elastic", energy.elastic);
  cli_json_number(json, "gain", energy.kinetic + energy.potential - energy.start);
  cli_json_number(json, "residual", energy.residual);
  cli_json_number(json, "throughput", energy.throughput);
  cli_json_end(json);
}

// ---- metrics of manoeuvres ----

enum { MAX_METRICS = 80, METRIC_COLUMNS = 3 };

// Angles are in degrees, for people.
static void add_metric(const rutMetric* metric, cliTable* table) {
  char unit[24], name[sizeof metric->name + sizeof unit];
  const bool angle = strncmp(metric->unit, "rad", 3) == 0;
  snprintf(unit, sizeof unit, "%s%s", angle ? "deg" : "", metric->unit + (angle ? 3 : 0));
  snprintf(name, sizeof name, unit[0] ? "%s [%s]" : "%s", metric->name, unit);
  for (char* c = name; *c; c++) {
    if (*c == '_') *c = ' ';
  }
  cli_table_add(table, "%s", name);
  cli_table_add(table, "%.4g", metric->value * (angle ? DEGREES : 1));
}

static void print_metrics(const cliWorld* world, const rutMetrics* metrics, FILE* out) {
  const int vehicles = rut_count(world->model, RUT_VEHICLE);
  for (int i = 0, shown = 0; i < vehicles && shown < FULL_TABLE; i++) {
    rutMetric metric[MAX_METRICS];
    const int all = rut_metrics_get(metrics, world->model, i, MAX_METRICS, metric);
    const int n = all < MAX_METRICS ? all : MAX_METRICS;
    if (n == 0) continue;
    shown++;
    cliTable table;
    cli_table_init(&table, 2 * METRIC_COLUMNS);
    cli_table_add(&table, "%s", rut_metrics_manoeuvre(metrics, i));
    cli_table_add(&table, "%s", rut_name(world->model, RUT_VEHICLE, i));
    for (int c = 2; c < 2 * METRIC_COLUMNS; c++) cli_table_add(&table, "%s", "");
    // down each column
    const int rows = (n + METRIC_COLUMNS - 1) / METRIC_COLUMNS;
    for (int k = 0; k < rows * METRIC_COLUMNS; k++) {
      const int at = k % METRIC_COLUMNS * rows + k / METRIC_COLUMNS;
      if (at < n) {
        add_metric(&metric[at], &table);
      } else {
        for (int c = 0; c < 2; c++) cli_table_add(&table, "%s", "");
      }
    }
    putc('\n', out);
    cli_table_print(&table, "lrlrlr", out);
    cli_table_free(&table);
  }
}

static void json_metrics(cliJson* json, const cliWorld* world, const rutMetrics* metrics,
                         int vehicle) {
  rutMetric metric[MAX_METRICS];
  const int all = rut_metrics_get(metrics, world->model, vehicle, MAX_METRICS, metric);
  if (all == 0) return;
  cli_json_object(json, "metrics");
  cli_json_text(json, "manoeuvre", rut_metrics_manoeuvre(metrics, vehicle));
  for (int i = 0; i < all && i < MAX_METRICS; i++) {
    cli_json_number(json, metric[i].name, metric[i].value);
  }
  cli_json_end(json);
}

// ---- paths that vehicles follow ----

enum { PATH_OUTPUTS = 4 };

typedef struct PathOutput {
  const char *name, *key;  // of the output, and in JSON
} PathOutput;
static const PathOutput path_output[PATH_OUTPUTS] = {{"cross_track_rms", "cross_track_rms"},
                                                     {"cross_track_max", "cross_track_max"},
                                                     {"path_progress", "progress"},
                                                     {"goal_reached", "goal_reached"}};

// Path tracking of a vehicle; false if it follows no path.
static bool read_path(const cliWorld* world, int vehicle, double value[PATH_OUTPUTS]) {
  const int n = rut_variables(world->model, RUT_VEHICLE, vehicle, RUT_OUTPUT);
  int found = 0;
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(world->model, RUT_VEHICLE, vehicle, RUT_OUTPUT, i);
    for (int k = 0; k < PATH_OUTPUTS; k++) {
      if (strcmp(v.name, path_output[k].name) != 0 || v.count != 1) continue;
      const rutVariableRange range = {RUT_VEHICLE, vehicle, RUT_OUTPUT, i, 1};
      found += rut_variables_read(world->model, world->data, &range, 1, &value[k]) == RUT_OK;
    }
  }
  return found == PATH_OUTPUTS;
}

static void print_paths(const cliWorld* world, FILE* out) {
  static const char* const header[] = {"path", "cross-track RMS [m]", "largest [m]", "progress [m]",
                                       "goal reached"};
  cliTable table;
  int shown = 0;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  const int vehicles = rut_count(world->model, RUT_VEHICLE);
  for (int i = 0; i < vehicles && shown < FULL_TABLE; i++) {
    double value[PATH_OUTPUTS];
    if (!read_path(world, i, value)) continue;
    cli_table_add(&table, "%s", rut_name(world->model, RUT_VEHICLE, i));
    for (int k = 0; k < PATH_OUTPUTS - 1; k++) cli_table_add(&table, "%.3f", value[k]);
    const double goal = value[PATH_OUTPUTS - 1];
    cli_table_add(&table, "%s", goal > 0 ? "yes" : (goal < 0 ? "passed by" : "no"));
    shown++;
  }
  if (shown > 0) {
    putc('\n', out);
    cli_table_print(&table, "lrrrr", out);
  }
  cli_table_free(&table);
}

static void json_path(cliJson* json, const cliWorld* world, int vehicle) {
  double value[PATH_OUTPUTS];
  if (!read_path(world, vehicle, value)) return;
  cli_json_object(json, "path");
  for (int k = 0; k < PATH_OUTPUTS - 1; k++) cli_json_number(json, path_output[k].key, value[k]);
  cli_json_bool(json, path_output[PATH_OUTPUTS - 1].key, value[PATH_OUTPUTS - 1] > 0);
  cli_json_end(json);
}

// ---- ruts ----

// Nothing for worlds that keep none.
static void print_ruts(const cliWorld* world, FILE* out) {
  rutRuts r;
  if (!rut_ruts(world->model, world->data, &r)) return;
  fprintf(out,
          "\nruts: %.4g m2, %.4g m deep (at most %.4g m); %.4g m3 below the initial surface, %.4g "
          "m3 of it "
          "displaced; %.4g of %.4g MB\n",
          r.area, r.mean_depth, r.max_depth, r.volume, r.displaced, 1e-6 * r.memory,
          1e-6 * r.capacity);
  if (r.full) fputs("the memory for ruts was too small: some are missing\n", out);
}

static void json_ruts(cliJson* json, const cliWorld* world) {
  rutRuts r;
  if (!rut_ruts(world->model, world->data, &r)) return;
  cli_json_object(json, "ruts");
  cli_json_number(json, "cell", r.cell);
  cli_json_number(json, "area", r.area);
  cli_json_number(json, "mean_depth", r.mean_depth);
  cli_json_number(json, "max_depth", r.max_depth);
  cli_json_number(json, "volume", r.volume);
  cli_json_number(json, "displaced", r.displaced);
  cli_json_number(json, "memory", r.memory);
  cli_json_number(json, "capacity", r.capacity);
  cli_json_bool(json, "full", r.full);
  cli_json_end(json);
}

static void print_stages(const cliWorld* world, const cliRunResult* result, FILE* out) {
  cliTable table;
  cli_table_init(&table, 3);
  cli_table_add(&table, "stage");
  cli_table_add(&table, "time [ms]");
  cli_table_add(&table, "share [%%]");
  double sum = 0;
  for (int i = 0; i < RUT_STAGE_COUNT; i++) sum += rut_stage_time(world->data, (rutStage)i);
  for (int i = 0; i < RUT_STAGE_COUNT; i++) {
    double time = rut_stage_time(world->data, (rutStage)i);
    cli_table_add(&table, "%s", rut_stage_name((rutStage)i));
    cli_table_add(&table, "%.3f", 1e3 * time);
    cli_table_add(&table, "%.1f", result->wall > 0 ? 100 * time / result->wall : 0);
  }
  cli_table_add(&table, "outside of steps");
  cli_table_add(&table, "%.3f", 1e3 * (result->wall - sum));
  cli_table_add(&table, "%.1f", result->wall > 0 ? 100 * (1 - sum / result->wall) : 0);
  cli_table_print(&table, "lrr", out);
  cli_table_free(&table);
}

static void print_pace(const cliPace* pace, FILE* out) {
  const cliLateness late = cli_pace_lateness(pace);
  fprintf(out,
          "pace x%g: late by %.3g ms on the mean, %.3g ms at most, by less than %.3g ms in 99 %% "
          "of the steps; %" PRId64 " of %" PRId64 " missed\n",
          pace->factor, 1e3 * late.mean, 1e3 * late.max, 1e3 * late.p99, late.missed, late.steps);
}

static void json_pace(cliJson* json, const cliPace* pace) {
  const cliLateness late = cli_pace_lateness(pace);
  cli_json_object(json, "pace");
  cli_json_number(json, "factor", pace->factor);
  cli_json_number(json, "late_mean", late.mean);
  cli_json_number(json, "late_p99", late.p99);
  cli_json_number(json, "late_max", late.max);
  cli_json_integer(json, "steps", late.steps);
  cli_json_integer(json, "missed", late.missed);
  cli_json_end(json);
}

// "1 warning", "2 warnings"
static void print_count(FILE* out, int n, const char* what) {
  fprintf(out, "%d %s%s", n, what, n == 1 ? "" : "s");
}

enum { START_PARTS = 5 };
typedef struct StartPart {
  const char* name;
  double time;  // [s]
} StartPart;

static void start_parts(const cliRunStart* start, StartPart part[START_PARTS]) {
  const StartPart all[START_PARTS] = {{"load", start->load},
                                      {"compile", start->compile},
                                      {"state", start->state},
                                      {"beside", start->beside},
                                      {"first_step", start->step}};
  memcpy(part, all, sizeof all);
}

static void print_start(const cliRunStart* start, FILE* out) {
  StartPart part[START_PARTS];
  start_parts(start, part);
  cliTable table;
  cli_table_init(&table, 2);
  cli_table_add(&table, "start");
  cli_table_add(&table, "time [ms]");
  for (int i = 0; i < START_PARTS; i++) {
    cli_table_add(&table, "%s", part[i].name);
    cli_table_add(&table, "%.3f", 1e3 * part[i].time);
  }
  cli_table_print(&table, "lr", out);
  cli_table_free(&table);
}

void cli_run_print(const cliWorld* world, const cliRunResult* result, FILE* out) {
  double time = rut_time(world->data);
  int64_t steps = rut_steps(world->data);
  print_vehicles(world, result->tracker, out);
  print_energy(world, out);
  print_metrics(world, result->metrics, out);
  print_paths(world, out);
  print_ruts(world, out);
  if (result->profile) {
    putc('\n', out);
    print_start(&result->start, out);
    putc('\n', out);
    print_stages(world, result, out);
  }
  static const char* const word[] = {"", " (interrupted)", " (diverged)"};
  fprintf(out, "\n%.6g s%s in %.3g s: x%.3g real time, %.3g steps/s of %.6g ms\n", time,
          word[result->end], result->wall, result->wall > 0 ? time / result->wall : 0,
          result->wall > 0 ? (double)steps / result->wall : 0,
          1e3 * rut_model_timestep(world->model));
  if (result->choice) {
    fprintf(out, "step: 1/%d of the world's, the longest of %d with a residual below %g: %.1e\n",
            result->choice->parts, result->choice->runs, RUT_STEP_LIMIT, result->choice->share);
  }
  if (result->pace) print_pace(result->pace, out);
  cli_links_print(result->links, out);
  fprintf(out, "seed %" PRIu64 ", state hash %016" PRIx64 ", ", result->seed,
          rut_state_hash(world->model, world->data));
  print_count(out, world->report.warnings, "warning");
  putc('\n', out);
}

enum { MAX_EXITS = 5, MAX_SOILS = 8 };

static void warn(cliWorld* world, const char* message) {
  const rutDiagnostic finding = {
      .level = RUT_WARNING, .file = "", .element = "", .message = message, .hint = ""};
  cli_report_finding(&finding, &world->report);
}

void cli_run_warn_of_orders(cliWorld* world, int orders) {
  char text[100];
  snprintf(text, sizeof text,
           orders == 1 ? "%d order is for a time after the end of the run"
                       : "%d orders are for times after the end of the run",
           orders);
  if (orders > 0) warn(world, text);
}

void cli_run_warn_of_choice(cliWorld* world, const rutStepChoice* choice) {
  char text[200];
  if (choice->share <= RUT_STEP_LIMIT) return;
  snprintf(
      text, sizeof text,
      "not even the step of %g ms holds the residual of energy below %g of the throughput: it is "
      "%.1e",
      1e3 * choice->timestep, RUT_STEP_LIMIT, choice->share);
  warn(world, text);
}

static void warn_of_steps(cliWorld* world, const cliTracker* tracker) {
  char text[300];
  int steps = 0;
  for (int i = 0; i < tracker->vehicles; i++) {
    if (!tracker->travel[i].stepped || steps++ >= MAX_EXITS) continue;
    rut_ground_exit_text(world->model, &tracker->travel[i].step, text, sizeof text);
    warn(world, text);
  }
  if (steps <= MAX_EXITS) return;
  snprintf(text, sizeof text, "steps lifted or lowered %d more planar vehicles", steps - MAX_EXITS);
  warn(world, text);
}

// Where wheels have left the range of soils' laws.
static void warn_of_soils(cliWorld* world, const cliTracker* tracker) {
  char text[500];
  const int found = rut_soil_watch_found(tracker->soil);
  for (int i = 0; i < found && i < MAX_SOILS; i++) {
    double share;
    const rutSoilEvent event = rut_soil_watch_event(tracker->soil, i, &share);
    rut_soil_event_text(world->model, &event, text, sizeof text);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "; %.3g %% of the time", 100 * share);
    warn(world, text);
  }
  if (found <= MAX_SOILS) return;
  snprintf(text, sizeof text, "%d more wheels or limits of soils; --json has all",
           found - MAX_SOILS);
  warn(world, text);
}

static void warn_of_residuals(cliWorld* world, const cliTracker* tracker) {
  char text[300];
  int unresolved = 0;
  for (int i = 0; i < tracker->vehicles; i++) {
    if (!tracker->travel[i].unresolved || unresolved++ >= MAX_EXITS) continue;
    rut_step_residual_text(world->model, &tracker->travel[i].residual, text, sizeof text);
    warn(world, text);
  }
  if (unresolved <= MAX_EXITS) return;
  snprintf(text, sizeof text, "the step does not resolve the motion of %d more vehicles",
           unresolved - MAX_EXITS);
  warn(world, text);
}

void cli_run_warn(cliWorld* world, const cliTracker* tracker) {
  char text[300];
  int left = 0;
  warn_of_steps(world, tracker);
  warn_of_soils(world, tracker);
  warn_of_residuals(world, tracker);
  for (int i = 0; i < tracker->vehicles; i++) {
    const cliTravel* travel = &tracker->travel[i];
    if (!travel->left_ground || left++ >= MAX_EXITS) continue;
    rut_ground_exit_text(world->model, &travel->exit, text, sizeof text);
    warn(world, text);
  }
  if (left <= MAX_EXITS) return;
  snprintf(text, sizeof text, "%d more vehicles left the ground", left - MAX_EXITS);
  warn(world, text);
}

// --- JSON -------------------------------------------------------------------------------------

static void json_exit(cliJson* json, const char* name, const rutGroundExit* exit) {
  cli_json_object(json, name);
  cli_json_number(json, "time", exit->time);
  if (exit->step != 0) cli_json_number(json, "height", exit->step);
  cli_json_number(json, "x", exit->position[0]);
  cli_json_number(json, "y", exit->position[1]);
  cli_json_number(json, "z", exit->position[2]);
  cli_json_end(json);
}

static void json_soils(cliJson* json, const cliWorld* world, const cliTracker* tracker) {
  const int found = rut_soil_watch_found(tracker->soil);
  cli_json_array(json, "soil_limits");
  for (int i = 0; i < found; i++) {
    double share;
    const rutSoilEvent e = rut_soil_watch_event(tracker->soil, i, &share);
    const int first = rut_vehicle_info(world->model, e.vehicle).first_wheel;
    cli_json_object(json, NULL);
    cli_json_text(json, "vehicle", rut_name(world->model, RUT_VEHICLE, e.vehicle));
    cli_json_text(json, "wheel",
                  e.wheel < 0 ? "" : rut_name(world->model, RUT_WHEEL, first + e.wheel));
    cli_json_text(json, "soil", rut_name(world->model, RUT_SOIL, e.soil));
    cli_json_text(json, "limit", rut_soil_limit_name(e.limit));
    cli_json_number(json, "value", e.value);
    cli_json_number(json, "time", e.time);
    cli_json_number(json, "x", e.position[0]);
    cli_json_number(json, "y", e.position[1]);
    cli_json_number(json, "z", e.position[2]);
    cli_json_number(json, "share", share);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_residual(cliJson* json, const rutStepResidual* residual) {
  cli_json_object(json, "step_residual");
  cli_json_number(json, "time", residual->time);
  cli_json_number(json, "residual", residual->residual);
  cli_json_number(json, "change", residual->change);
  cli_json_number(json, "throughput", residual->throughput);
  cli_json_number(json, "x", residual->position[0]);
  cli_json_number(json, "y", residual->position[1]);
  cli_json_number(json, "z", residual->position[2]);
  cli_json_end(json);
}

static void json_choice(cliJson* json, const rutStepChoice* choice) {
  cli_json_object(json, "step_choice");
  cli_json_integer(json, "parts", choice->parts);
  cli_json_integer(json, "runs", choice->runs);
  cli_json_number(json, "residual_share", choice->share);
  cli_json_end(json);
}

static void json_vehicle(cliJson* json, const cliWorld* world, const cliRunResult* result,
                         int vehicle) {
  rutVehicleState state = rut_vehicle_state(world->model, world->data, vehicle);
  const cliTravel* travel = &result->tracker->travel[vehicle];
  cli_json_object(json, NULL);
  cli_json_text(json, "name", rut_name(world->model, RUT_VEHICLE, vehicle));
  cli_json_number(json, "x", state.position[0]);
  cli_json_number(json, "y", state.position[1]);
  cli_json_number(json, "z", state.position[2]);
  cli_json_number(json, "yaw", state.yaw);
  cli_json_number(json, "distance", travel->distance);
  cli_json_number(json, "speed", speed_of(&state));
  cli_json_number(json, "max_speed", travel->max_speed);
  cli_json_integer(json, "collisions", travel->collisions);
  if (travel->left_ground) json_exit(json, "left_ground", &travel->exit);
  if (travel->stepped) json_exit(json, "ground_step", &travel->step);
  if (travel->unresolved) json_residual(json, &travel->residual);
  json_energy(json, world, vehicle);
  json_metrics(json, world, result->metrics, vehicle);
  json_path(json, world, vehicle);
  cli_json_end(json);
}

static void json_sensor(cliJson* json, const cliWorld* world, int sensor) {
  rutSensorInfo info = rut_sensor_info(world->model, sensor);
  double stamp = -1;
  int n = 0;
  rut_sensor(world->model, world->data, sensor, &stamp, &n);
  cli_json_object(json, NULL);
  cli_json_text(json, "name", info.name);
  cli_json_text(json, "type", info.type);
  cli_json_text(json, "vehicle",
                info.vehicle >= 0 ? rut_name(world->model, RUT_VEHICLE, info.vehicle) : "");
  cli_json_integer(json, "size", info.size);
  cli_json_number(json, "period", info.period);
  cli_json_number(json, "last_sample", stamp >= 0 ? stamp : (double)NAN);
  cli_json_end(json);
}

static void json_warnings(cliJson* json, const cliReport* report) {
  cli_json_array(json, "warnings");
  for (int i = 0; i < report->findings; i++) {
    const cliFinding* finding = &report->finding[i];
    if (finding->level != RUT_WARNING) continue;
    char text[1024];
    if (finding->file[0]) {
      snprintf(text, sizeof text, "%.300s:%d:%d: %.600s", finding->file, finding->line,
               finding->column, finding->message);
    } else {
      snprintf(text, sizeof text, "%.600s", finding->message);
    }
    cli_json_text(json, NULL, text);
  }
  cli_json_end(json);
}

void cli_run_print_json(const cliWorld* world, const cliRunResult* result, FILE* out) {
  static const char* const end[] = {"done", "interrupted", "diverged"};
  double time = rut_time(world->data);
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, rut_state_hash(world->model, world->data));
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "world", result->path);
  cli_json_text(&json, "end", end[result->end]);
  cli_json_number(&json, "duration", time);
  cli_json_integer(&json, "steps", rut_steps(world->data));
  cli_json_number(&json, "timestep", rut_model_timestep(world->model));
  if (result->choice) json_choice(&json, result->choice);
  cli_json_number(&json, "wall_s", result->wall);
  cli_json_number(&json, "real_time_factor", result->wall > 0 ? time / result->wall : (double)NAN);
  cli_json_text(&json, "hash", hash);
  cli_json_array(&json, "vehicles");
  for (int i = 0; i < result->tracker->vehicles; i++) {
    json_vehicle(&json, world, result, i);
  }
  cli_json_end(&json);
  cli_json_array(&json, "sensors");
  for (int i = 0; i < rut_count(world->model, RUT_SENSOR); i++) json_sensor(&json, world, i);
  cli_json_end(&json);
  json_ruts(&json, world);
  json_soils(&json, world, result->tracker);
  if (result->pace) json_pace(&json, result->pace);
  cli_links_json(&json, result->links);
  if (result->profile) {
    cli_json_object(&json, "start");
    StartPart part[START_PARTS];
    start_parts(&result->start, part);
    for (int i = 0; i < START_PARTS; i++) cli_json_number(&json, part[i].name, part[i].time);
    cli_json_end(&json);
    cli_json_object(&json, "stages");
    for (int i = 0; i < RUT_STAGE_COUNT; i++) {
      cli_json_number(&json, rut_stage_name((rutStage)i), rut_stage_time(world->data, (rutStage)i));
    }
    cli_json_end(&json);
  }
  json_warnings(&json, &world->report);
  cli_json_end(&json);
}

void cli_run_print_last_state(const cliWorld* world, FILE* out) {
  int vehicles = rut_count(world->model, RUT_VEHICLE);
  for (int i = 0; i < vehicles && i < CUT_TABLE; i++) {
    rutVehicleState state = rut_vehicle_state(world->model, world->data, i);
    fprintf(out, "  %s: x %.6g m, y %.6g m, z %.6g m, yaw %.6g deg, speed %.6g m/s\n",
            CLI_CLEAN(rut_name(world->model, RUT_VEHICLE, i)), state.position[0], state.position[1],
            state.position[2], state.yaw * DEGREES, speed_of(&state));
  }
  if (vehicles > CUT_TABLE) fprintf(out, "  ... and %d more\n", vehicles - CUT_TABLE);
}
