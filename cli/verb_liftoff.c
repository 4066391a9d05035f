// SPDX-License-Identifier: BSD-3-Clause
//
// rut liftoff: a table of the steering angles at which a vehicle's first wheel lifts.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "interrupt.h"
#include "json.h"
#include "plot_figure.h"
#include "progress.h"
#include "rut/host.h"
#include "rut/liftoff.h"
#include "table.h"
#include "text.h"
#include "vehicle_file.h"

static const double DEGREE = 57.295779513082323;
enum { MOST_VALUES = 64, GRADES = 1000 };

typedef struct LiftoffOptions {
  bool json, quiet;
  double friction, load, resolution;
  int64_t check, seed, workers;
  cliList set, soil_set;
  const char *axis[RUT_LIFTOFF_AXES], *vehicle, *soil, *output, *plot, *table;
  cliAllowed allowed;
} LiftoffOptions;

static const cliOption options[] = {
    {"speed", 0, CLI_TEXT, "M/S,...", 0, 0, offsetof(LiftoffOptions, axis[RUT_LIFTOFF_SPEED]),
     "speeds (default 5 to 30 m/s by 2.5)"},
    {"rate", 0, CLI_TEXT, "DEG/S,...", 0, 0, offsetof(LiftoffOptions, axis[RUT_LIFTOFF_RATE]),
     "rates of the steering angle (default 10,40)"},
    {"acceleration", 0, CLI_TEXT, "M/S2,...", 0, 0,
     offsetof(LiftoffOptions, axis[RUT_LIFTOFF_ACCELERATION]),
     "accelerations along the way, negative: braking (default -4,-2,0)"},
    {"slope", 0, CLI_TEXT, "DEG,...", 0, 0, offsetof(LiftoffOptions, axis[RUT_LIFTOFF_SLOPE]),
     "side slopes; positive: the ground rises to the left (default 0)"},
    {"load", 'l', CLI_NUMBER, "N", 0, 1e9, offsetof(LiftoffOptions, load),
     "load at which a wheel counts as lifted (default 0)"},
    {"resolution", 0, CLI_NUMBER, "DEG", 1e-4, 45, offsetof(LiftoffOptions, resolution),
     "of the angles (default 0.05)"},
    {"vehicle", 0, CLI_TEXT, "NAME", 0, 0, offsetof(LiftoffOptions, vehicle),
     "vehicle of the world (default: the first one)"},
    {"friction", 'f', CLI_NUMBER, "MU", 0, 10, offsetof(LiftoffOptions, friction),
     "of the hard ground, at any slip (default 0.8)"},
    {"soil", 0, CLI_TEXT, "SOIL", 0, 0, offsetof(LiftoffOptions, soil),
     "a type of soil or a preset, in place of hard ground"},
    {"soil-set", 0, CLI_TEXTS, "FIELD=VALUE", 0, 0, offsetof(LiftoffOptions, soil_set),
     "change a field of this soil; may be repeated"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(LiftoffOptions, set),
     "change a field of the world; may be repeated"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(LiftoffOptions, output),
     "write the table as CSV, in SI units"},
    {"table", 't', CLI_TEXT, "FILE", 0, 0, offsetof(LiftoffOptions, table),
     "read this table in place of making one"},
    {"plot", 'p', CLI_TEXT, "FILE", 0, 0, offsetof(LiftoffOptions, plot),
     "draw angles and accelerations over speed into .png, .svg or .pdf"},
    {"check", 'c', CLI_INTEGER, "N", 1, 10000, offsetof(LiftoffOptions, check),
     "try N random manoeuvres below the table: how many lift a wheel"},
    {"seed", 0, CLI_INTEGER, "N", 0, 2e9, offsetof(LiftoffOptions, seed),
     "of these manoeuvres (default 1)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(LiftoffOptions, workers),
     "threads (default: one per core); they do not change results"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(LiftoffOptions, json), "print the results as JSON"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(LiftoffOptions, quiet), "no progress, no warnings"},
    CLI_ALLOW_OPTIONS(LiftoffOptions, allowed),
};

static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

typedef struct Work {
  const LiftoffOptions* option;
  rutLiftoff* table;
  cliProgress progress;
  double value[RUT_LIFTOFF_AXES][MOST_VALUES];
  int lifts;  // of the manoeuvres that were tried
} Work;

static bool go_on(double share, void* user) {
  Work* work = user;
  cli_progress_update(&work->progress, GRADES * share);
  return !interrupted;
}

// ---- what is asked for ----

static bool is_angle(int axis) { return axis == RUT_LIFTOFF_RATE || axis == RUT_LIFTOFF_SLOPE; }

// Read "NUMBER,NUMBER,...". Returns CLI_GO_ON or an exit code.
static int read_values(const char* text, int axis, Work* work, rutLiftoffValues* out) {
  const char* at = text;
  int n = 0;
  while (at) {
    char* end = NULL;
    const double value = strtod(at, &end);
    const bool fine = end != at && isfinite(value) && (*end == ',' || *end == '\0');
    if (!fine || n == MOST_VALUES) {
      return cli_usage_error(&cli_verb_liftoff, "'%s' are not up to %d numbers with commas between",
                             text, MOST_VALUES);
    }
    work->value[axis][n++] = is_angle(axis) ? value / DEGREE : value;
    at = *end ? end + 1 : NULL;
  }
  *out = (rutLiftoffValues){n, work->value[axis]};
  return CLI_GO_ON;
}

static int make_def(Work* work, rutLiftoffDef* def) {
  const LiftoffOptions* option = work->option;
  int code = CLI_GO_ON;
  *def = rut_default_liftoff();
  def->vehicle = option->vehicle;
  def->friction = option->friction;
  def->soil = option->soil;
  def->settings = option->soil_set.n;
  def->setting = option->soil_set.item;
  def->load = option->load;
  def->resolution = option->resolution / DEGREE;
  def->workers = (int)option->workers;
  def->go_on = go_on;
  def->user = work;
  for (int a = 0; a < RUT_LIFTOFF_AXES && code == CLI_GO_ON; a++) {
    if (option->axis[a]) code = read_values(option->axis[a], a, work, &def->axis[a]);
  }
  return code;
}

static int check_options(const LiftoffOptions* option, int arguments) {
  const bool makes = !option->table || option->check > 0;
  if (makes && arguments == 0) {
    return cli_usage_error(&cli_verb_liftoff, "WORLD is missing: rut liftoff WORLD");
  }
  if (option->plot && !cli_gnuplot_format(option->plot)) {
    return cli_usage_error(&cli_verb_liftoff, "'%s' ends in none of .png, .svg and .pdf",
                           option->plot);
  }
  if (option->soil_set.n > 0 && !option->soil) {
    return cli_usage_error(&cli_verb_liftoff, "--soil-set needs --soil SOIL");
  }
  return CLI_GO_ON;
}

// ---- what came out ----

// Number of lines over speed, each for other values of the other axes.
static int count_lines(const rutLiftoff* table) {
  int n;
  rut_liftoff_cells(table, &n);
  return n / rut_liftoff_axis(table, RUT_LIFTOFF_SPEED).n;
}

static void print_line(const rutLiftoff* table, const rutLiftoffCell* cell) {
  static const char* const header[] = {"speed",        "steering", "safe",       "lateral",
                                       "over rigid's", "yaw rate", "least load", "limit"};
  const int speeds = rut_liftoff_axis(table, RUT_LIFTOFF_SPEED).n;
  printf(
      "\nsteering at %.4g deg/s, %.4g m/s2, side slope %.4g deg; if rigid it tips at %.2f m/s2\n",
      cell->at[RUT_LIFTOFF_RATE] * DEGREE, cell->at[RUT_LIFTOFF_ACCELERATION],
      cell->at[RUT_LIFTOFF_SLOPE] * DEGREE, cell->rigid);
  cliTable out;
  cli_table_init(&out, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&out, "%s", header[i]);
  for (int i = 0; i < speeds; i++, cell++) {
    cli_table_add(&out, "%.4g m/s", cell->at[RUT_LIFTOFF_SPEED]);
    cli_table_add(&out, "%.2f deg", cell->steering * DEGREE);
    cli_table_add(&out, "%.2f deg", cell->safe * DEGREE);
    cli_table_add(&out, "%.2f m/s2", cell->lateral_acceleration);
    cli_table_add(&out, "%.2f", cell->lateral_acceleration / cell->rigid);
    cli_table_add(&out, "%.1f deg/s", cell->yaw_rate * DEGREE);
    cli_table_add(&out, "%.0f N", cell->load);
    if (cell->wheel >= 0) {
      cli_table_add(&out, "wheel %d lifts", cell->wheel);
    } else {
      cli_table_add(&out, "%s", rut_liftoff_end_word(cell->end));
    }
  }
  cli_table_print(&out, "rrrrrrrl", stdout);
  cli_table_free(&out);
}

static void print_tables(const Work* work) {
  const rutLiftoff* table = work->table;
  int n;
  const rutLiftoffCell* cell = rut_liftoff_cells(table, &n);
  const int speeds = rut_liftoff_axis(table, RUT_LIFTOFF_SPEED).n;
  printf("%s: largest steering angle without lifting a wheel\n",
         CLI_CLEAN(rut_liftoff_vehicle(table)));
  for (int i = 0; i < count_lines(table); i++) print_line(table, cell + (ptrdiff_t)i * speeds);
  if (work->option->check > 0) {
    printf("\n%d of %d random manoeuvres below the table lift a wheel\n", work->lifts,
           (int)work->option->check);
  }
}

static void print_json(const Work* work) {
  int n;
  const rutLiftoffCell* cell = rut_liftoff_cells(work->table, &n);
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "vehicle", rut_liftoff_vehicle(work->table));
  if (work->option->check > 0) {
    cli_json_integer(&json, "tried", work->option->check);
    cli_json_integer(&json, "lifts", work->lifts);
  }
  cli_json_array(&json, "cells");
  for (int i = 0; i < n; i++, cell++) {
    cli_json_object(&json, NULL);
    cli_json_number(&json, "speed", cell->at[RUT_LIFTOFF_SPEED]);
    cli_json_number(&json, "steering_rate", cell->at[RUT_LIFTOFF_RATE]);
    cli_json_number(&json, "acceleration", cell->at[RUT_LIFTOFF_ACCELERATION]);
    cli_json_number(&json, "side_slope", cell->at[RUT_LIFTOFF_SLOPE]);
    cli_json_number(&json, "steering", cell->steering);
    cli_json_number(&json, "safe_steering", cell->safe);
    cli_json_number(&json, "lateral_acceleration", cell->lateral_acceleration);
    cli_json_number(&json, "yaw_rate", cell->yaw_rate);
    cli_json_number(&json, "speed_there", cell->speed);
    cli_json_number(&json, "least_load", cell->load);
    cli_json_number(&json, "rigid_lateral_acceleration", cell->rigid);
    cli_json_integer(&json, "wheel", cell->wheel);
    cli_json_text(&json, "end", rut_liftoff_end_word(cell->end));
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

// ---- the figure ----

enum { POINTS = 200, NAME = 128 };  // POINTS: of the curve between the cells

typedef struct Curves {
  cliCurve* curve;  // of each line: speed over itself, the angles, the safe angles, accelerations
  double* number;
  char (*name)[NAME];
} Curves;

static cliCurve make_curve(const char* name, double* x, double* y, int n) {
  return (cliCurve){.name = name, .t = x, .y = y, .n = (size_t)n};
}

// What tells a line from the others.
static void name_line(const rutLiftoffCell* cell, char name[NAME]) {
  const double braking = -cell->at[RUT_LIFTOFF_ACCELERATION];
  const double slope = cell->at[RUT_LIFTOFF_SLOPE] * DEGREE;
  char brakes[NAME / 3] = "", leans[NAME / 3] = "";
  if (braking > 0) snprintf(brakes, sizeof brakes, ", braking %.3g", braking);
  if (slope != 0) snprintf(leans, sizeof leans, ", slope %.3g deg", slope);
  snprintf(name, NAME, "%.3g deg per s%s%s", cell->at[RUT_LIFTOFF_RATE] * DEGREE, brakes, leans);
}

// The curves of one line into both panels.
static void add_line(const Work* work, int line, Curves* c, cliFigure* figure) {
  int n;
  const rutLiftoffValues axis = rut_liftoff_axis(work->table, RUT_LIFTOFF_SPEED);
  const rutLiftoffCell* cell = rut_liftoff_cells(work->table, &n) + (ptrdiff_t)line * axis.n;
  double* speed = c->number + (ptrdiff_t)line * 2 * (MOST_VALUES + POINTS);
  double *angle = speed + POINTS, *cells = angle + POINTS, *acceleration = cells + MOST_VALUES;
  double at[RUT_LIFTOFF_AXES];
  memcpy(at, cell->at, sizeof at);
  for (int i = 0; i < POINTS; i++) {
    speed[i] = axis.value[0] + (axis.value[axis.n - 1] - axis.value[0]) * i / (POINTS - 1);
    at[RUT_LIFTOFF_SPEED] = speed[i];
    angle[i] = rut_liftoff_angle(work->table, at) * DEGREE;
  }
  for (int i = 0; i < axis.n; i++) {
    cells[i] = cell[i].at[RUT_LIFTOFF_SPEED];
    acceleration[i] = cell[i].lateral_acceleration;
  }
  name_line(cell, c->name[line]);
  cliCurve* own = &c->curve[4 * (ptrdiff_t)line];
  own[0] = make_curve("speed", speed, speed, POINTS);
  own[1] = make_curve(c->name[line], speed, angle, POINTS);
  own[2] = make_curve("speed", cells, cells, axis.n);
  own[3] = make_curve(c->name[line], cells, acceleration, axis.n);
  for (int k = 0; k < 2; k++) {
    cliPanel* p = &figure->panel[k];
    p->versus[p->n] = &own[2 * k];
    p->curve[p->n++] = &own[2 * k + 1];
  }
}

static int draw(const Work* work) {
  const int lines = count_lines(work->table);
  const int shown = lines < CLI_PANEL_CURVES ? lines : CLI_PANEL_CURVES;
  cliFigure* figure = calloc(1, sizeof *figure);
  Curves c = {.curve = calloc(4 * (size_t)shown, sizeof *c.curve),
              .number = calloc((size_t)shown * 2 * (MOST_VALUES + POINTS), sizeof *c.number),
              .name = calloc((size_t)shown, sizeof *c.name)};
  int code = CLI_IO;
  char title[128];
  snprintf(title, sizeof title, "%s: steering before a wheel lifts (braking in m/s2)",
           rut_liftoff_vehicle(work->table));
  if (figure && c.curve && c.number && c.name) {
    *figure = (cliFigure){.path = work->option->plot, .title = title, .columns = 1, .panels = 2};
    for (int i = 0; i < shown; i++) add_line(work, i, &c, figure);
    snprintf(figure->panel[0].label, sizeof figure->panel[0].label, "safe steering angle (deg)");
    snprintf(figure->panel[1].label, sizeof figure->panel[1].label, "lateral acceleration (m/s2)");
    for (int k = 0; k < 2; k++) {
      snprintf(figure->panel[k].x_label, sizeof figure->panel[k].x_label, "speed (m/s)");
    }
    code = cli_figure_draw(figure);
  }
  free(figure);
  free(c.curve);
  free(c.number);
  free(c.name);
  return code;
}

// ---- the work ----

static int make_table(Work* work, cliWorld* world, const char* path) {
  const LiftoffOptions* option = work->option;
  rutLiftoffDef def;
  rutError err = {0};
  int code = make_def(work, &def);
  if (code == CLI_GO_ON) code = cli_world_allow(world, &option->allowed);
  world->report.quiet = option->quiet;
  if (code == CLI_GO_ON && path) code = cli_vehicle_load(world, path, &option->set);
  if (code != CLI_GO_ON) return code;
  cli_progress_begin(&work->progress, GRADES, option->quiet);
  work->progress.unit = "per mille";
  rutStatus status = option->table ? rut_liftoff_load(option->table, &work->table, &err)
                                   : rut_liftoff_create(world->spec, &def, &work->table, &err);
  if (status == RUT_OK && work->table && option->check > 0) {
    rutLiftoffCheck check = {.runs = (int)option->check, .seed = (uint64_t)option->seed};
    status = rut_liftoff_check(world->spec, &def, work->table, &check, &err);
    work->lifts = check.lifts;
  }
  cli_progress_end(&work->progress);
  if (status == RUT_OK && option->output && work->table) {
    status = rut_liftoff_save(work->table, option->output, &err);
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

static int lift(int argc, char** argv) {
  static LiftoffOptions option;
  static Work work;
  option = (LiftoffOptions){.friction = 0.8, .resolution = 0.05, .seed = 1};
  work = (Work){.option = &option};
  cliList arguments;
  int code = cli_parse(&cli_verb_liftoff, argc, argv, &option, &arguments);
  if (code == CLI_GO_ON) code = check_options(&option, arguments.n);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  code = cli_world_open(&world, stderr, (int)option.workers, 0);
  cli_catch_interrupts(interrupt);
  if (code == CLI_GO_ON) {
    code = make_table(&work, &world, arguments.n > 0 ? arguments.item[0] : NULL);
  }
  if (code == CLI_GO_ON && work.table && !interrupted) {
    if (option.json) print_json(&work);
    if (!option.json) print_tables(&work);
    if (option.plot) code = draw(&work);
  }
  rut_liftoff_destroy(work.table);
  cli_world_close(&world);
  if (interrupted) return CLI_INTERRUPTED;
  return code == CLI_GO_ON ? CLI_DONE : code;
}

const cliVerb cli_verb_liftoff = {
    .name = "liftoff",
    .arguments = "WORLD",
    .min_arguments = 0,
    .max_arguments = 1,
    .summary = "find the steering angles at which a wheel leaves the ground",
    .details =
        "Takes a vehicle of a world, or a file with a vehicle alone, and finds with the full "
        "model,\n"
        "over speed, rate of steering, braking and side slope, the largest steering angle that\n"
        "lifts no wheel: what planners and predictive controllers stay below.",
    .examples =
        "  rut liftoff worlds/vehicles/hmmwv.xml -o hmmwv_liftoff.csv\n"
        "  rut liftoff worlds/vehicles/hmmwv.xml --speed 10,20 --rate 10 --acceleration 0\n"
        "  rut liftoff worlds/vehicles/hmmwv.xml --slope -20,-10,0,10,20 --plot liftoff.svg\n"
        "  rut liftoff worlds/vehicles/hmmwv.xml --table hmmwv_liftoff.csv --check 200",
    .option = options,
    .options = CLI_COUNT(options),
    .run = lift,
};
