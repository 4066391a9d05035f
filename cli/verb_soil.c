// SPDX-License-Identifier: BSD-3-Clause
//
// rut soil: forces of soils on a single wheel, over its slip or over repeated passes in one rut.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "rut/host.h"
#include "table.h"
#include "text.h"
#include "world.h"

typedef struct SoilOptions {
  bool json;
  double radius, width, section, load, stiffness, angle;
  double cone_index, moisture, soft_depth;  // of the place, 0: the soil's own
  int64_t passes;                           // 0: a table over slip
  const char* slip;
  cliAllowed allowed;
} SoilOptions;

static const cliOption options[] = {
    {"radius", 'r', CLI_NUMBER, "M", 0.001, 1000, offsetof(SoilOptions, radius),
     "radius of the undeflected tyre [m] (default 0.47)"},
    {"width", 'w', CLI_NUMBER, "M", 0.001, 1000, offsetof(SoilOptions, width),
     "width of the tyre [m] (default 0.3175)"},
    {"section", 0, CLI_NUMBER, "M", 0, 1000, offsetof(SoilOptions, section),
     "height of the tyre from rim to tread [m] (default 0.26)"},
    {"load", 'l', CLI_NUMBER, "N", 1e-6, 1e9, offsetof(SoilOptions, load),
     "load of the wheel [N] (default 6500)"},
    {"stiffness", 'k', CLI_NUMBER, "N/M", 0, 1e15, offsetof(SoilOptions, stiffness),
     "stiffness of the tyre [N/m], 0 for a rigid wheel (default 411000)"},
    {"slip", 's', CLI_TEXT, "FROM:TO:STEP", 0, 0, offsetof(SoilOptions, slip),
     "slips from -1 to 1, or a single one (default 0:0.6:0.05; with --passes 0)"},
    {"angle", 'a', CLI_NUMBER, "DEG", -89, 89, offsetof(SoilOptions, angle),
     "slip angle [deg] (default 0)"},
    {"cone-index", 'c', CLI_NUMBER, "KPA", 1e-3, 1e6, offsetof(SoilOptions, cone_index),
     "cone index of the place [kPa] (default: the soil's own)"},
    {"moisture", 'm', CLI_NUMBER, "PART", 1e-6, 10, offsetof(SoilOptions, moisture),
     "water over dry weight there (default: the soil's own)"},
    {"soft-depth", 'd', CLI_NUMBER, "M", 1e-3, 100, offsetof(SoilOptions, soft_depth),
     "depth of the soft layer there [m]: snow, peat, thaw (default: the soil's own)"},
    {"passes", 'p', CLI_INTEGER, "N", 1, 1000, offsetof(SoilOptions, passes),
     "passes in one rut at a single slip, in place of a table over slip"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(SoilOptions, json), "print the tables as JSON"},
    CLI_ALLOW_OPTIONS(SoilOptions, allowed),
};

static const double DEGREE = 57.295779513082323;
enum { MOST_SLIPS = 10000, COLUMNS = 11 };

typedef struct Slips {
  double from, step;
  int n;
} Slips;

// Read "S" or "FROM:TO:STEP". Returns CLI_GO_ON or an exit code.
static int read_slips(const char* text, Slips* out) {
  double number[3] = {0};
  int n = 0;
  const char* at = text;
  while (n < 3) {
    char* end = NULL;
    number[n] = strtod(at, &end);
    if (end == at) break;
    n++;
    at = end;
    if (*at != ':') break;
    at++;
  }
  const double steps = floor((number[1] - number[0]) / number[2] + 1e-9);
  const double last = n == 3 ? number[1] : number[0];
  const bool whole = *at == '\0' && at > text && at[-1] != ':' && (n == 1 || n == 3);
  if (!whole || !(fabs(number[0]) <= 1 && fabs(last) <= 1)) {
    return cli_usage_error(&cli_verb_soil,
                           "option '--slip' takes a slip from -1 to 1 or FROM:TO:STEP, not '%s'",
                           text);
  }
  if (n == 3 && !(steps >= 0 && steps < MOST_SLIPS && fabs(number[2]) <= 2)) {
    return cli_usage_error(&cli_verb_soil, "'%s' are no slips, or more than %d", text, MOST_SLIPS);
  }
  *out = (Slips){number[0], n == 3 ? number[2] : 0, n == 3 ? (int)steps + 1 : 1};
  return CLI_GO_ON;
}

// Rounding does not take the last one out of range.
static double slip_at(const Slips* slips, int i) {
  return fmax(-1, fmin(1, slips->from + i * slips->step));
}

// ---- a row ----

static void json_row(cliJson* json, int pass, double slip, bool carried, const rutSoilPoint* p) {
#define X(name) cli_json_number(json, #name, carried ? p->name : (double)NAN);
  cli_json_object(json, NULL);
  if (pass > 0) cli_json_integer(json, "pass", pass);
  cli_json_number(json, "slip", slip);
  cli_json_bool(json, "carried", carried);
  X(sinkage)
  X(deflection)
  X(rut)
  X(pressed)
  X(torque)
  X(traction)
  X(resistance)
  X(drawbar_pull)
  X(lateral_force)
  X(efficiency)
  X(traction_limit)
  X(pressure)
#undef X
  cli_json_array(json, "beyond");
  for (int i = 0; carried && i < RUT_SOIL_LIMIT_COUNT; i++) {
    if (p->limits >> i & 1u) cli_json_text(json, NULL, rut_soil_limit_name((rutSoilLimit)i));
  }
  cli_json_end(json);
  cli_json_end(json);
}

// Names of the limits in a mask, "deep, pressure".
static void limit_names(unsigned limits, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < RUT_SOIL_LIMIT_COUNT; i++) {
    if (!(limits >> i & 1u) || used >= size) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                             rut_soil_limit_name((rutSoilLimit)i));
  }
}

static void table_header(cliTable* table, bool passes) {
  static const char* const header[COLUMNS] = {
      "slip",      "sinkage [mm]", "rut [mm]",   "torque [N m]", "traction/load", "resistance/load",
      "pull/load", "lateral/load", "efficiency", "kPa",          "beyond"};
  cli_table_init(table, COLUMNS);
  for (int i = 0; i < COLUMNS; i++)
    cli_table_add(table, "%s", i == 0 && passes ? "pass" : header[i]);
}

static void table_row(cliTable* table, int pass, double slip, double load, bool carried,
                      const rutSoilPoint* p) {
  if (pass > 0) {
    cli_table_add(table, "%d", pass);
  } else {
    cli_table_add(table, "%.4g", slip);
  }
  if (!carried) {
    for (int i = 1; i < COLUMNS; i++) cli_table_add(table, "-");
    return;
  }
  cli_table_add(table, "%.2f", 1e3 * p->sinkage);
  cli_table_add(table, "%.2f", 1e3 * p->rut);
  cli_table_add(table, "%.5g", p->torque);
  cli_table_add(table, "%.4f", p->traction / load);
  cli_table_add(table, "%.4f", p->resistance / load);
  cli_table_add(table, "%.4f", p->drawbar_pull / load);
  cli_table_add(table, "%.4f", p->lateral_force / load);
  cli_table_add(table, "%.4f", p->efficiency);
  char beyond[80];
  limit_names(p->limits, beyond, sizeof beyond);
  cli_table_add(table, "%.4g", 1e-3 * p->pressure);
  cli_table_add(table, "%s", beyond);
}

// ---- a soil ----

static void json_wheel(cliJson* json, const rutSoilWheel* w) {
  cli_json_object(json, "wheel");
  cli_json_number(json, "radius", w->radius);
  cli_json_number(json, "width", w->width);
  cli_json_number(json, "section_height", w->section_height);
  cli_json_number(json, "load", w->load);
  cli_json_number(json, "stiffness", w->stiffness);
  cli_json_number(json, "slip_angle", w->slip_angle);
  if (w->cone_index > 0) cli_json_number(json, "cone_index", w->cone_index);
  if (w->moisture > 0) cli_json_number(json, "moisture", w->moisture);
  if (w->soft_depth > 0) cli_json_number(json, "soft_depth", w->soft_depth);
  cli_json_end(json);
}

// Returns how many rows the soil carried.
static int tell_soil(const SoilOptions* option, const rutModel* model, int soil, rutSoilWheel wheel,
                     const Slips* slips, cliJson* json) {
  const rutSoilInfo info = rut_soil_info(model, soil);
  const int passes = (int)option->passes, rows = passes > 0 ? passes : slips->n;
  int carried = 0;
  unsigned beyond = 0;
  cliTable table;
  table_header(&table, passes > 0);
  if (option->json) {
    cli_json_object(json, NULL);
    cli_json_text(json, "soil", info.name);
    cli_json_text(json, "type", info.type);
    cli_json_bool(json, "deformable", info.deformable);
    json_wheel(json, &wheel);
    cli_json_array(json, "points");
  }
  for (int i = 0; i < rows; i++) {
    rutSoilPoint p;
    const int pass = passes > 0 ? i + 1 : 0;
    wheel.slip = slip_at(slips, passes > 0 ? 0 : i);
    const bool fine = rut_soil_point(model, soil, &wheel, &p);
    if (option->json) json_row(json, pass, wheel.slip, fine, &p);
    table_row(&table, pass, wheel.slip, wheel.load, fine, &p);
    if (passes > 0 && fine) wheel.pressed = p.pressed;
    carried += fine;
    beyond |= fine ? p.limits : 0;
  }
  if (option->json) {
    cli_json_end(json);
    cli_json_end(json);
  } else {
    printf("%s, %s%s\n", info.name[0] ? CLI_CLEAN(info.name) : "a soil without a name",
           CLI_CLEAN(info.type), info.deformable ? "" : ", hard ground");
    if (carried > 0) cli_table_print(&table, "rrrrrrrrrrl", stdout);
    for (int i = 0; i < RUT_SOIL_LIMIT_COUNT; i++) {
      if (!(beyond >> i & 1u)) continue;
      printf("%s: %s\n", rut_soil_limit_name((rutSoilLimit)i), rut_soil_limit_doc((rutSoilLimit)i));
    }
    if (carried < rows) {
      printf("%scarries the wheel at no sinkage below its radius\n", carried > 0 ? "-: " : "");
    }
    printf("\n");
  }
  cli_table_free(&table);
  return carried;
}

// Index of the soil named, -1 and a message if there is none.
static int find_soil(const rutModel* model, const char* name) {
  const int soil = rut_find(model, RUT_SOIL, name), n = rut_count(model, RUT_SOIL);
  if (soil >= 0) return soil;
  const char** known = malloc(((size_t)n + 1) * sizeof *known);
  for (int i = 0; known && i < n; i++) known[i] = rut_name(model, RUT_SOIL, i);
  const char* nearest = known ? rut_nearest(name, (size_t)n, known) : NULL;
  fprintf(stderr, "rut: error: no soil called '%s'%s%s%s\n", CLI_CLEAN(name),
          nearest ? "; did you mean '" : "", nearest ? CLI_CLEAN(nearest) : "",
          nearest ? "'?" : "");
  free(known);
  return -1;
}

static int tell_all(const SoilOptions* option, const Slips* slips, const rutModel* model,
                    const char* name) {
  int first = 0, last = rut_count(model, RUT_SOIL) - 1, carried = 0;
  if (last < 0) {
    fprintf(stderr, "rut: error: a world without any <soil>\n");
    return CLI_INVALID;
  }
  if (name) {
    first = last = find_soil(model, name);
    if (first < 0) return CLI_INVALID;
  }
  rutSoilWheel wheel = rut_default_soil_wheel();
  wheel.radius = option->radius;
  wheel.width = option->width;
  wheel.section_height = option->section;
  wheel.load = option->load;
  wheel.stiffness = option->stiffness;
  wheel.slip_angle = option->angle / DEGREE;
  wheel.cone_index = 1e3 * option->cone_index;
  wheel.moisture = option->moisture;
  wheel.soft_depth = option->soft_depth;
  cliJson json;
  cli_json_init(&json, stdout);
  if (option->json) cli_json_array(&json, NULL);
  for (int i = first; i <= last; i++) carried += tell_soil(option, model, i, wheel, slips, &json);
  if (option->json) cli_json_end(&json);
  if (carried > 0) return CLI_DONE;
  fprintf(stderr, "rut: error: nothing here carries %g N on a wheel of %g m x %g m\n", option->load,
          2 * option->radius, option->width);
  return CLI_USAGE;
}

static int tell_soils(int argc, char** argv) {
  const rutSoilWheel wheel = rut_default_soil_wheel();
  SoilOptions option = {.radius = wheel.radius,
                        .width = wheel.width,
                        .section = wheel.section_height,
                        .load = wheel.load,
                        .stiffness = wheel.stiffness};
  cliList files;
  Slips slips = {0};
  int code = cli_parse(&cli_verb_soil, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  const char* standard = option.passes > 0 ? "0" : "0:0.6:0.05";
  code = read_slips(option.slip ? option.slip : standard, &slips);
  if (code != CLI_GO_ON) return code;
  if (option.passes > 0 && slips.n > 1) {
    return cli_usage_error(&cli_verb_soil, "passes have a single slip, not '%s'", option.slip);
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) code = cli_world_load(&world, files.item[0], NULL);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) {
    code = tell_all(&option, &slips, world.model, files.n > 1 ? files.item[1] : NULL);
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_soil = {
    .name = "soil",
    .arguments = "WORLD [SOIL]",
    .min_arguments = 1,
    .max_arguments = 2,
    .summary = "print the forces of a single wheel on soils, over slip or repeated passes",
    .details =
        "Sinkage, torque, motion resistance, drawbar pull and lateral force of a single wheel\n"
        "that rolls steadily over each soil of the world, or over SOIL; forces over the load.\n"
        "--passes repeats the pass in the same rut. The default is a wheel of a HMMWV.",
    .examples =
        "  rut soil worlds/soils.xml\n"
        "  rut soil worlds/soils.xml lete_sand --slip 0:1:0.1 --angle 5\n"
        "  rut soil worlds/soils.xml dry_sand --passes 5 --stiffness 0\n"
        "  rut soil worlds/soils.xml --json > soils.json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = tell_soils,
};
