// SPDX-License-Identifier: BSD-3-Clause
//
// rut mobility: one vehicle on one soil, by theory and by simulation.
#include <math.h>
#include <signal.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "rut/host.h"
#include "rut/mobility.h"
#include "table.h"
#include "text.h"
#include "vehicle_file.h"

typedef struct MobilityOptions {
  bool json, theory, quiet;
  double cone_index, remoulding;
  cliList set, soil_set;
  const char *vehicle, *soil;
  cliAllowed allowed;
} MobilityOptions;

static const cliOption options[] = {
    {"soil", 0, CLI_TEXT, "SOIL", 0, 0, offsetof(MobilityOptions, soil),
     "a type of soil or a preset (default lete_sand)"},
    {"soil-set", 0, CLI_TEXTS, "FIELD=VALUE", 0, 0, offsetof(MobilityOptions, soil_set),
     "change a field of this soil, such as 'cone_index=300 kPa'; may be repeated"},
    {"cone-index", 'c', CLI_NUMBER, "KPA", 1, 1e6, offsetof(MobilityOptions, cone_index),
     "cone index of the soil, where its type has none [kPa]"},
    {"remoulding", 0, CLI_NUMBER, "RI", 0.01, 10, offsetof(MobilityOptions, remoulding),
     "remoulding index of fine-grained soil: RCI over CI (default 1)"},
    {"vehicle", 0, CLI_TEXT, "NAME", 0, 0, offsetof(MobilityOptions, vehicle),
     "vehicle of the world (default: the first one)"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(MobilityOptions, set),
     "change a field of the world; may be repeated"},
    {"theory", 't', CLI_FLAG, "", 0, 0, offsetof(MobilityOptions, theory), "no simulation"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(MobilityOptions, json),
     "print the measures as JSON"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(MobilityOptions, quiet),
     "no progress, no warnings"},
    CLI_ALLOW_OPTIONS(MobilityOptions, allowed),
};

static const double PERCENT = 100;
enum { COLUMNS = 7, USUAL_RUNS = 30 };

static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static bool go_on(int runs, void* user) {
  cli_progress_update(user, runs);
  return !interrupted;
}

static void print_number(const char* name, double value, double scale, const char* unit) {
  if (!isfinite(value)) return;
  printf("  %-36s %10.4g %s\n", name, value * scale, unit);
}

static void add_share(cliTable* table, double value) {
  if (isfinite(value)) {
    cli_table_add(table, "%.3f", value);
  } else {
    cli_table_add(table, "-");
  }
}

static void print_report(const rutMobilityReport* r, const char* soil) {
  static const char* const header[COLUMNS] = {
      "", "pull at 20 %", "largest pull", "at slip", "resistance", "grade [%]", "by"};
  const rutMobilityTyre* tyre = &r->vehicle.axle[0].tyre;
  printf("%s on %s\n", CLI_CLEAN(r->name), CLI_CLEAN(soil));
  print_number("weight", r->weight, 1e-3, "kN");
  print_number("front tyres, deflection over section", tyre->deflection / tyre->section_height, 1,
               "");
  print_number("mobility index MI", r->index, 1, "");
  print_number("vehicle cone index VCI, one pass", r->vci1, 1e-3, "kPa");
  print_number("VCI, 50 passes", r->vci50, 1e-3, "kPa");
  print_number("VCI on this soil, simulated", r->simulated_vci1, 1e-3, "kPa");
  print_number("mean maximum pressure MMP", r->mmp, 1e-3, "kPa");
  print_number("cone index CI", r->cone_index, 1e-3, "kPa");
  print_number("rating cone index RCI", r->rating, 1e-3, "kPa");
  print_number("RCI less VCI of one pass", r->rating - r->vci1, 1e-3, "kPa");
  print_number("C_n of the front tyres", r->numeric[0], 1, "");
  print_number("N_c of the Waterways Experiment Station", r->numeric[1], 1, "");
  print_number("N_c of Dettwiller et al.", r->numeric[2], 1, "");
  print_number("N_s", r->numeric[3], 1, "");
  cliTable table;
  cli_table_init(&table, COLUMNS);
  for (int i = 0; i < COLUMNS; i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < r->rows; i++) {
    const rutMobilityRow* row = &r->row[i];
    cli_table_add(&table, "%s", row->name);
    add_share(&table, row->pull_20);
    add_share(&table, row->pull_max);
    add_share(&table, row->slip);
    add_share(&table, row->resistance);
    if (isfinite(row->slope)) {
      cli_table_add(&table, "%.1f", PERCENT * tan(row->slope));
    } else {
      cli_table_add(&table, "-");
    }
    cli_table_add(&table, "%s", row->source);
  }
  printf("\nover the weight:\n");
  cli_table_print(&table, "lrrrrrl", stdout);
  cli_table_free(&table);
}

static void print_json(const rutMobilityReport* r, const char* soil) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "vehicle", r->name);
  cli_json_text(&json, "soil", soil);
  const struct {
    const char* name;
    double value;
  } number[] = {{"weight", r->weight},
                {"clearance", r->vehicle.clearance},
                {"mobility_index", r->index},
                {"vci1", r->vci1},
                {"vci50", r->vci50},
                {"simulated_vci1", r->simulated_vci1},
                {"mmp", r->mmp},
                {"cone_index", r->cone_index},
                {"rating_cone_index", r->rating},
                {"wheel_numeric", r->numeric[0]},
                {"clay_numeric_wes", r->numeric[1]},
                {"clay_numeric_dettwiller", r->numeric[2]},
                {"sand_numeric", r->numeric[3]}};
  for (int i = 0; i < CLI_COUNT(number); i++) {
    cli_json_number(&json, number[i].name, number[i].value);
  }
  cli_json_array(&json, "axles");
  for (int i = 0; i < r->vehicle.axles; i++) {
    const rutMobilityAxle* a = &r->vehicle.axle[i];
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "tyres", a->tyres);
    cli_json_bool(&json, "driven", a->driven);
    cli_json_number(&json, "load", a->tyre.load);
    cli_json_number(&json, "diameter", a->tyre.diameter);
    cli_json_number(&json, "width", a->tyre.width);
    cli_json_number(&json, "section_height", a->tyre.section_height);
    cli_json_number(&json, "deflection", a->tyre.deflection);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_array(&json, "rows");
  for (int i = 0; i < r->rows; i++) {
    const rutMobilityRow* row = &r->row[i];
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", row->name);
    cli_json_text(&json, "source", row->source);
    cli_json_number(&json, "pull_20", row->pull_20);
    cli_json_number(&json, "pull_max", row->pull_max);
    cli_json_number(&json, "slip", row->slip);
    cli_json_number(&json, "resistance", row->resistance);
    cli_json_number(&json, "slope", row->slope);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static int assess(const MobilityOptions* option, cliWorld* world) {
  static rutMobilityReport report;
  rutMobilityDef def = rut_default_mobility();
  cliProgress progress;
  rutError err = {0};
  def.vehicle = option->vehicle;
  if (option->soil) def.soil = option->soil;
  def.settings = option->soil_set.n;
  def.setting = option->soil_set.item;
  if (option->cone_index > 0) def.cone_index = 1e3 * option->cone_index;
  def.remoulding = option->remoulding;
  def.simulate = !option->theory;
  def.go_on = go_on;
  def.user = &progress;
  cli_progress_begin(&progress, USUAL_RUNS, option->quiet);
  progress.unit = "runs";
  cli_catch_interrupts(interrupt);
  const rutStatus status = rut_mobility_assess(world->spec, &def, &report, &err);
  cli_progress_end(&progress);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  if (interrupted) return CLI_INTERRUPTED;
  if (option->json) {
    print_json(&report, def.soil);
  } else {
    print_report(&report, def.soil);
  }
  return CLI_DONE;
}

static int tell_mobility(int argc, char** argv) {
  static MobilityOptions option;
  option = (MobilityOptions){.remoulding = 1};
  cliList arguments;
  int code = cli_parse(&cli_verb_mobility, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  world.report.quiet = option.quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_vehicle_load(&world, arguments.item[0], &option.set);
  if (code == CLI_GO_ON) code = assess(&option, &world);
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_mobility = {
    .name = "mobility",
    .arguments = "WORLD",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "rate a vehicle on a soil, by theory and by simulation",
    .details =
        "Takes a vehicle of a world, or a file with a vehicle alone. Prints its ratings (vehicle "
        "cone\n"
        "index, mean maximum pressure), and pull, motion resistance and gradeability on one soil "
        "by\n"
        "the laws that know it and by simulation. Laws of cone index need a soil that has one, or\n"
        "--cone-index.",
    .examples =
        "  rut mobility worlds/vehicles/hmmwv.xml --soil lete_sand\n"
        "  rut mobility worlds/vehicles/hmmwv.xml --soil clay --soil-set 'cone_index=300 kPa'\n"
        "  rut mobility worlds/vehicles/hmmwv.xml --soil clayey_soil_38 --cone-index 250\n"
        "  rut mobility worlds/soils.xml --vehicle snow_truck --soil sand --theory --json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = tell_mobility,
};
