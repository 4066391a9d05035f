// SPDX-License-Identifier: BSD-3-Clause
//
// rut suspension: kinematics and forces of wheels over their travel.
#include <math.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"
#include "text.h"
#include "world.h"

typedef struct SuspensionOptions {
  bool json;
  double points, steering;
  cliAllowed allowed;
} SuspensionOptions;

static const cliOption options[] = {
    {"points", 'n', CLI_NUMBER, "N", 2, 1000, offsetof(SuspensionOptions, points),
     "rows of each table (default 13)"},
    {"steering", 's', CLI_NUMBER, "PART", -1, 1, offsetof(SuspensionOptions, steering),
     "share of full lock at which the linkage is held (default 0)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(SuspensionOptions, json),
     "print the tables as JSON"},
    CLI_ALLOW_OPTIONS(SuspensionOptions, allowed),
};

static const double DEGREE = 57.295779513082323;

static void json_point(cliJson* json, const rutSuspensionPoint* p) {
  cli_json_object(json, NULL);
  cli_json_number(json, "coordinate", p->coordinate);
  cli_json_number(json, "travel", p->travel);
  cli_json_number(json, "forward", p->forward);
  cli_json_number(json, "outward", p->outward);
  cli_json_number(json, "toe", p->toe);
  cli_json_number(json, "camber", p->camber);
  cli_json_number(json, "motion_ratio", p->motion_ratio);
  cli_json_number(json, "force", p->force);
  cli_json_number(json, "rate", p->rate);
  cli_json_end(json);
}

static void table_header(cliTable* table) {
  static const char* const header[] = {"travel [mm]", "toe [deg]",    "camber [deg]",
                                       "out [mm]",    "forward [mm]", "spring/travel",
                                       "force [kN]",  "rate [kN/m]"};
  cli_table_init(table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(table, "%s", header[i]);
}

static void table_point(cliTable* table, const rutSuspensionPoint* p) {
  cli_table_add(table, "%.1f", 1e3 * p->travel);
  cli_table_add(table, "%.3f", DEGREE * p->toe);
  cli_table_add(table, "%.3f", DEGREE * p->camber);
  cli_table_add(table, "%.2f", 1e3 * p->outward);
  cli_table_add(table, "%.2f", 1e3 * p->forward);
  cli_table_add(table, "%.4f", p->motion_ratio);
  cli_table_add(table, "%.3f", 1e-3 * p->force);
  cli_table_add(table, "%.1f", 1e-3 * p->rate);
}

// A wheel around where it stands, within its range.
static void tell_wheel(const SuspensionOptions* option, const rutModel* model, int vehicle,
                       int wheel, cliJson* json) {
  double range[3];
  rutSuspensionPoint p;
  cliTable table;
  if (!rut_suspension_range(model, vehicle, wheel, range)) return;
  const double low = fmax(range[0], range[1] - 0.2), high = fmin(range[2], range[1] + 0.35);
  const int first = rut_vehicle_info(model, vehicle).first_wheel;
  const char* name = rut_name(model, RUT_WHEEL, first + wheel);
  table_header(&table);
  if (option->json) {
    cli_json_object(json, NULL);
    cli_json_text(json, "wheel", name);
    rut_suspension_point(model, vehicle, wheel, range[1], option->steering, &p);
    cli_json_number(json, "standing_travel", p.travel);
    cli_json_array(json, "points");
  }
  const int points = (int)option->points;
  for (int i = 0; i < points; i++) {
    const double q = low + (high - low) * i / (points - 1.0);
    rut_suspension_point(model, vehicle, wheel, q, option->steering, &p);
    if (option->json) json_point(json, &p);
    table_point(&table, &p);
  }
  if (option->json) {
    cli_json_end(json);
    cli_json_end(json);
  } else {
    rut_suspension_point(model, vehicle, wheel, range[1], option->steering, &p);
    printf("%s, standing at %.1f mm, %.3f deg toe, %.3f deg camber\n", CLI_CLEAN(name),
           1e3 * p.travel, DEGREE * p.toe, DEGREE * p.camber);
    cli_table_print(&table, "rrrrrrrr", stdout);
    printf("\n");
  }
  cli_table_free(&table);
}

static int tell_suspensions(int argc, char** argv) {
  SuspensionOptions option = {.points = 13};
  cliList files;
  int code = cli_parse(&cli_verb_suspension, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  cliWorld world;
  cliJson json;
  int told = 0;
  code = cli_world_open(&world, stderr, 1, 0);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_load(&world, files.item[0], NULL);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  cli_json_init(&json, stdout);
  if (code == CLI_GO_ON && option.json) cli_json_array(&json, NULL);
  const int vehicles = code == CLI_GO_ON ? rut_count(world.model, RUT_VEHICLE) : 0;
  for (int v = 0; v < vehicles; v++) {
    const char* name = rut_name(world.model, RUT_VEHICLE, v);
    double range[3];
    if (files.n > 1 && strcmp(files.item[1], name) != 0) continue;
    // the left wheels: those of the right side are their mirror images
    for (int w = 0; w < rut_vehicle_info(world.model, v).wheels; w += 2) {
      if (!rut_suspension_range(world.model, v, w, range)) continue;
      tell_wheel(&option, world.model, v, w, &json);
      told++;
    }
    if (files.n < 2 && told > 0) break;
  }
  if (code == CLI_GO_ON && option.json) cli_json_end(&json);
  if (code == CLI_GO_ON && told == 0) {
    fprintf(stderr, "rut: error: no vehicle%s%s on mechanisms such as double_wishbone\n",
            files.n > 1 ? " called " : "", files.n > 1 ? files.item[1] : "");
    code = CLI_INVALID;
  }
  cli_world_close(&world);
  return code == CLI_GO_ON ? CLI_DONE : code;
}

const cliVerb cli_verb_suspension = {
    .name = "suspension",
    .arguments = "WORLD [VEHICLE]",
    .min_arguments = 1,
    .max_arguments = 2,
    .summary = "print kinematics and forces of suspensions over their travel",
    .details =
        "A table for each left wheel of the first vehicle on double wishbones, or of VEHICLE: "
        "toe,\n"
        "camber, hub displacement, motion ratio, force and wheel rate over suspension travel. "
        "Toe-in\n"
        "is positive; camber is positive with the top outwards.",
    .examples =
        "  rut suspension worlds/hmmwv.xml\n"
        "  rut suspension worlds/hmmwv.xml --json > corners.json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = tell_suspensions,
};
