// SPDX-License-Identifier: BSD-3-Clause
//
// rut trial: what obstacles, slopes and speeds stop a vehicle.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "gnuplot.h"
#include "interrupt.h"
#include "json.h"
#include "plot_figure.h"
#include "progress.h"
#include "rut/host.h"
#include "rut/trial.h"
#include "table.h"
#include "text.h"
#include "vehicle_file.h"

typedef struct TrialOptions {
  bool json, list, quiet;
  double friction;
  int64_t seed;
  cliList at, set, soil_set;
  const char *vehicle, *soil, *output, *save;
  cliAllowed allowed;
} TrialOptions;

static const cliOption options[] = {
    {"at", 'a', CLI_TEXTS, "NUMBER", 0, 0, offsetof(TrialOptions, at),
     "value of the trials' parameter, in SI units; may be repeated (default: the usual ones)"},
    {"vehicle", 0, CLI_TEXT, "NAME", 0, 0, offsetof(TrialOptions, vehicle),
     "vehicle of the world (default: the first one)"},
    {"friction", 'f', CLI_NUMBER, "MU", 0, 10, offsetof(TrialOptions, friction),
     "of the hard ground, at any slip (default 0.8)"},
    {"soil", 0, CLI_TEXT, "SOIL", 0, 0, offsetof(TrialOptions, soil),
     "a type of soil or a preset, in place of hard ground"},
    {"soil-set", 0, CLI_TEXTS, "FIELD=VALUE", 0, 0, offsetof(TrialOptions, soil_set),
     "change a field of this soil; may be repeated"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(TrialOptions, set),
     "change a field of the world; may be repeated"},
    {"seed", 0, CLI_INTEGER, "N", 0, 2e9, offsetof(TrialOptions, seed),
     "of rough ground (default 1)"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(TrialOptions, output),
     "draw the curves of trials with a parameter into .png, .svg or .pdf"},
    {"save", 0, CLI_TEXT, "DIR", 0, 0, offsetof(TrialOptions, save),
     "write the world of each trial at its limit, for rut run and rut view"},
    {"list", 0, CLI_FLAG, "", 0, 0, offsetof(TrialOptions, list), "list all trials"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(TrialOptions, json), "print the results as JSON"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(TrialOptions, quiet), "no progress, no warnings"},
    CLI_ALLOW_OPTIONS(TrialOptions, allowed),
};

static const double DEGREE = 57.295779513082323;
enum { MOST_TRIALS = 64, MOST_RESULTS = 1024, COLUMNS = 6 };

static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

// What was asked for, and what came out.
typedef struct Row {
  int trial;
  rutTrialResult result;
} Row;
typedef struct Work {
  const TrialOptions* option;
  rutTrials* trials;
  cliProgress progress;
  int before;  // runs of earlier trials
  int trial[MOST_TRIALS], chosen;
  double at[CLI_LIST_SIZE];
  int values;
  Row row[MOST_RESULTS];
  int rows;
} Work;

static bool go_on(int runs, void* user) {
  Work* work = user;
  cli_progress_update(&work->progress, work->before + runs);
  return !interrupted;
}

// ---- what is asked for ----

static int choose(Work* work, const cliList* arguments) {
  const int all = rut_trial_count();
  for (int i = 1; i < arguments->n || (i == 1 && arguments->n == 1); i++) {
    if (arguments->n == 1) {
      for (int k = 0; k < all; k++) work->trial[work->chosen++] = k;
      break;
    }
    const int found = rut_trial_find(arguments->item[i]);
    if (found < 0) {
      const char* known[MOST_TRIALS];
      for (int k = 0; k < all && k < MOST_TRIALS; k++) known[k] = rut_trial_info(k).name;
      const char* nearest = rut_nearest(arguments->item[i], (size_t)all, known);
      return cli_usage_error(&cli_verb_trial, "there is no trial '%s'%s%s%s", arguments->item[i],
                             nearest ? "; did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : ": 'rut trial --list' names them");
    }
    if (work->chosen == MOST_TRIALS) return cli_usage_error(&cli_verb_trial, "too many trials");
    work->trial[work->chosen++] = found;
  }
  return CLI_GO_ON;
}

static int read_values(Work* work) {
  const cliList* at = &work->option->at;
  for (int i = 0; i < at->n; i++) {
    char* end = NULL;
    const double value = strtod(at->item[i], &end);
    if (end == at->item[i] || *end || !(value > 0 && value < 1e3)) {
      return cli_usage_error(&cli_verb_trial,
                             "option '--at' takes a number above 0 and below 1000, not '%s'",
                             at->item[i]);
    }
    work->at[work->values++] = value;
  }
  return CLI_GO_ON;
}

static int values_of(const Work* work, const rutTrialInfo* info) {
  if (info->values == 0) return 1;
  return work->values > 0 ? work->values : info->values;
}

// Runs at most, for the progress bar.
static double count_runs(const Work* work) {
  double runs = 0;
  for (int i = 0; i < work->chosen; i++) {
    const rutTrialInfo info = rut_trial_info(work->trial[i]);
    const double steps = 0.5 * (info.high - info.low) / info.step;
    runs += values_of(work, &info) * (steps + log2(info.step / info.resolution));
  }
  return runs;
}

// ---- what came out ----

static double shown(double value, const char* unit) {
  return strcmp(unit, "rad") == 0 ? value * DEGREE : value;
}
static const char* unit_of(const char* unit) { return strcmp(unit, "rad") == 0 ? "deg" : unit; }

static void add_number(cliTable* table, double value, const char* unit) {
  if (isfinite(value)) {
    cli_table_add(table, "%.4g %s", shown(value, unit), unit_of(unit));
  } else {
    cli_table_add(table, "-");
  }
}

static void table_row(cliTable* table, const Row* row) {
  const rutTrialInfo info = rut_trial_info(row->trial);
  const rutTrialResult* r = &row->result;
  cli_table_add(table, "%s", info.name);
  add_number(table, r->parameter, info.parameter_unit);
  cli_table_add(table, "%s", info.quantity);
  if (isnan(r->limit)) {
    cli_table_add(table, "below %.4g %s", shown(info.low, info.unit), unit_of(info.unit));
  } else {
    cli_table_add(table, "%s%.4g %s", isnan(r->beyond) ? "at least " : "",
                  shown(r->limit, info.unit), unit_of(info.unit));
  }
  if (info.measure[0] && isfinite(r->measure)) {
    char name[48];
    snprintf(name, sizeof name, "%s", info.measure);
    for (char* c = name; *c; c++) *c = *c == '_' ? ' ' : *c;
    cli_table_add(table, "%s %.4g %s", name, r->measure, info.measure_unit);
  } else {
    cli_table_add(table, "%s", "");
  }
  cli_table_add(table, "%s", r->end == RUT_TRIAL_PASSED ? "" : rut_trial_end_text(r->end));
}

static void print_table(const Work* work) {
  static const char* const header[COLUMNS] = {"trial", "with", "largest", "", "there", "beyond it"};
  const rutTrialVehicle v = rut_trials_vehicle(work->trials);
  printf("%s: %.1f kN, centre of mass %.3f m high, track %.3f m, wheelbase %.3f m\n",
         CLI_CLEAN(v.name), 1e-3 * v.weight, v.height, v.track, v.wheelbase);
  printf("static stability factor %.3f: tips at %.2f deg if rigid; load transfer %.3f per g\n\n",
         v.static_factor, v.tip_angle * DEGREE, v.transfer);
  cliTable table;
  cli_table_init(&table, COLUMNS);
  for (int i = 0; i < COLUMNS; i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < work->rows; i++) table_row(&table, &work->row[i]);
  cli_table_print(&table, "lrlrll", stdout);
  cli_table_free(&table);
}

static void print_json(const Work* work) {
  const rutTrialVehicle v = rut_trials_vehicle(work->trials);
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "vehicle", v.name);
  cli_json_number(&json, "weight", v.weight);
  cli_json_number(&json, "height", v.height);
  cli_json_number(&json, "track", v.track);
  cli_json_number(&json, "wheelbase", v.wheelbase);
  cli_json_number(&json, "front_share", v.front_share);
  cli_json_number(&json, "static_stability_factor", v.static_factor);
  cli_json_number(&json, "tip_angle", v.tip_angle);
  cli_json_number(&json, "load_transfer_per_g", v.transfer);
  cli_json_array(&json, "trials");
  for (int i = 0; i < work->rows; i++) {
    const rutTrialInfo info = rut_trial_info(work->row[i].trial);
    const rutTrialResult* r = &work->row[i].result;
    cli_json_object(&json, NULL);
    cli_json_text(&json, "trial", info.name);
    if (info.values > 0) cli_json_number(&json, info.parameter, r->parameter);
    cli_json_text(&json, "quantity", info.quantity);
    cli_json_text(&json, "unit", info.unit);
    cli_json_number(&json, "limit", r->limit);
    cli_json_number(&json, "beyond", r->beyond);
    cli_json_text(&json, "end", rut_trial_end_text(r->end));
    if (info.measure[0]) cli_json_number(&json, info.measure, r->measure);
    cli_json_integer(&json, "runs", r->runs);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

// A panel for each trial with more than one value of its parameter.
static int draw(const Work* work) {
  cliFigure* figure = calloc(1, sizeof *figure);
  // of each panel its curve, and the parameter itself: panels have ranges of their own
  cliCurve* curve = calloc(2 * CLI_PANELS, sizeof *curve);
  double* numbers = calloc(2 * MOST_RESULTS, sizeof *numbers);
  int code = CLI_IO, used = 0;
  char title[128];
  snprintf(title, sizeof title, "%s", rut_trials_vehicle(work->trials).name);
  if (figure && curve && numbers) {
    *figure = (cliFigure){.path = work->option->output, .title = title, .columns = 1};
    for (int i = 0; i < work->rows;) {
      int n = 1;
      while (i + n < work->rows && work->row[i + n].trial == work->row[i].trial) n++;
      const rutTrialInfo info = rut_trial_info(work->row[i].trial);
      if (n > 1 && figure->panels < CLI_PANELS) {
        cliCurve *c = &curve[2 * figure->panels], *over = c + 1;
        cliPanel* p = &figure->panel[figure->panels++];
        *c = (cliCurve){
            .name = info.name, .t = numbers + used, .y = numbers + used + n, .n = (size_t)n};
        *over = (cliCurve){.name = info.parameter, .t = c->t, .y = c->t, .n = (size_t)n};
        used += 2 * n;
        for (int k = 0; k < n; k++) {
          c->t[k] = work->row[i + k].result.parameter;
          // a vehicle that nothing stopped has no limit
          const rutTrialResult* r = &work->row[i + k].result;
          c->y[k] = isnan(r->beyond) ? (double)NAN : shown(r->limit, info.unit);
        }
        p->versus[p->n] = over;
        p->curve[p->n++] = c;
        snprintf(p->label, sizeof p->label, "%s: %s (%s)", info.name, info.quantity,
                 unit_of(info.unit));
        snprintf(p->x_label, sizeof p->x_label, "%s (%s)", info.parameter, info.parameter_unit);
      }
      i += n;
    }
    // panels of one column share their axis; trials do not
    if (figure->panels > 1) figure->columns = 2;
    code = figure->panels > 0
               ? cli_figure_draw(figure)
               : cli_usage_error(&cli_verb_trial,
                                 "--output draws trials with more than one value of a parameter, "
                                 "such as ride");
  }
  free(figure);
  free(curve);
  free(numbers);
  return code;
}

static int save(const Work* work, cliWorld* world) {
  const char* folder = work->option->save;
  mkdir(folder, 0777);  // one that cannot be made fails with its first file
  for (int i = 0; i < work->rows; i++) {
    const Row* row = &work->row[i];
    const rutTrialInfo info = rut_trial_info(row->trial);
    char path[1024];
    rutError err = {0};
    if (isnan(row->result.limit)) continue;
    if (info.values > 0) {
      snprintf(path, sizeof path, "%.900s/%s_%.4g.xml", folder, info.name, row->result.parameter);
    } else {
      snprintf(path, sizeof path, "%.900s/%s.xml", folder, info.name);
    }
    const rutStatus status = rut_trial_save(work->trials, row->trial, row->result.parameter,
                                            row->result.limit, path, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  return CLI_GO_ON;
}

// ---- the work ----

static int run_trials(Work* work, cliWorld* world) {
  cli_progress_begin(&work->progress, count_runs(work), work->option->quiet);
  work->progress.unit = "runs";
  for (int i = 0; i < work->chosen && !interrupted; i++) {
    const rutTrialInfo info = rut_trial_info(work->trial[i]);
    const int values = values_of(work, &info);
    for (int k = 0; k < values && !interrupted && work->rows < MOST_RESULTS; k++) {
      const double at = info.values == 0   ? (double)NAN
                        : work->values > 0 ? work->at[k]
                                           : info.value[k];
      Row* row = &work->row[work->rows];
      rutError err = {0};
      row->trial = work->trial[i];
      const rutStatus status = rut_trial_run(work->trials, row->trial, at, &row->result, &err);
      // those that are not for this vehicle are left out, unless they were asked for
      if (status == RUT_ERR_ARGUMENT && work->chosen == rut_trial_count()) break;
      if (status != RUT_OK) {
        cli_progress_end(&work->progress);
        return cli_report_failure(&world->report, status, &err);
      }
      work->before += row->result.runs;
      work->rows++;
    }
  }
  cli_progress_end(&work->progress);
  return CLI_GO_ON;
}

static int prepare(Work* work, cliWorld* world, const char* path) {
  const TrialOptions* option = work->option;
  int code = cli_world_allow(world, &option->allowed);
  world->report.quiet = option->quiet;
  if (code == CLI_GO_ON) code = cli_vehicle_load(world, path, &option->set);
  if (code != CLI_GO_ON) return code;
  rutTrialDef def = rut_default_trial();
  def.vehicle = option->vehicle;
  def.friction = option->friction;
  def.soil = option->soil;
  def.settings = option->soil_set.n;
  def.setting = option->soil_set.item;
  def.seed = (int)option->seed;
  def.go_on = go_on;
  def.user = work;
  rutError err = {0};
  const rutStatus status = rut_trials_create(world->spec, &def, &work->trials, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

static int list_trials(void) {
  for (int i = 0; i < rut_trial_count(); i++) {
    const rutTrialInfo info = rut_trial_info(i);
    printf("%-12s %s", info.name, info.doc);
    if (info.values > 0) printf("; by %s [%s]", info.parameter, info.parameter_unit);
    putchar('\n');
  }
  return CLI_DONE;
}

static int try_vehicle(int argc, char** argv) {
  static TrialOptions option;
  static Work work;
  option = (TrialOptions){.friction = 0.8, .seed = 1};
  work = (Work){.option = &option};
  cliList arguments;
  int code = cli_parse(&cli_verb_trial, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (option.list) return list_trials();
  if (arguments.n == 0)
    return cli_usage_error(&cli_verb_trial, "WORLD is missing: rut trial WORLD [TRIAL...]");
  if (option.output && !cli_gnuplot_format(option.output)) {
    return cli_usage_error(&cli_verb_trial, "'%s' ends in none of .png, .svg and .pdf",
                           option.output);
  }
  if (option.soil_set.n > 0 && !option.soil) {
    return cli_usage_error(&cli_verb_trial, "--soil-set needs --soil SOIL");
  }
  code = choose(&work, &arguments);
  if (code == CLI_GO_ON) code = read_values(&work);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  cli_catch_interrupts(interrupt);
  if (code == CLI_GO_ON) code = prepare(&work, &world, arguments.item[0]);
  if (code == CLI_GO_ON) code = run_trials(&work, &world);
  if (code == CLI_GO_ON && option.json) print_json(&work);
  if (code == CLI_GO_ON && !option.json) print_table(&work);
  if (code == CLI_GO_ON && option.save) code = save(&work, &world);
  if (code == CLI_GO_ON && option.output) code = draw(&work);
  rut_trials_destroy(work.trials);
  cli_world_close(&world);
  if (interrupted) return CLI_INTERRUPTED;
  return code == CLI_GO_ON ? CLI_DONE : code;
}

const cliVerb cli_verb_trial = {
    .name = "trial",
    .arguments = "WORLD [TRIAL...]",
    .min_arguments = 0,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "find what obstacles, slopes and speeds stop a vehicle",
    .details =
        "Takes a vehicle of a world, or a file with a vehicle alone, and puts it on the obstacles "
        "of\n"
        "a proving ground, which grow until it fails: all trials, or those named. Some have a\n"
        "parameter, over which they make a curve: 'half_round' the radius, 'ride' the roughness.",
    .examples =
        "  rut trial worlds/vehicles/hmmwv.xml\n"
        "  rut trial worlds/vehicles/hmmwv.xml ride half_round -o ride.svg\n"
        "  rut trial worlds/hmmwv.xml step gap --friction 0.6 --json\n"
        "  rut trial worlds/vehicles/hmmwv.xml grade --soil lete_sand\n"
        "  rut trial worlds/vehicles/hmmwv.xml half_round --at 0.2032 --save worlds_at_limit\n"
        "  rut trial --list",
    .option = options,
    .options = CLI_COUNT(options),
    .run = try_vehicle,
};
