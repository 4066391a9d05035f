// SPDX-License-Identifier: BSD-3-Clause
//
// rut tyre: forces of a tyre on hard ground over slip, slip angle, inclination or load.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "gnuplot.h"
#include "json.h"
#include "plot_figure.h"
#include "rut/host.h"
#include "table.h"
#include "text.h"
#include "tyre_history.h"
#include "world.h"

typedef struct TyreOptions {
  bool json;
  double slip, angle, inclination, speed, friction, pressure;
  const char *over, *range, *loads, *output, *history, *soil;
  double step, every;
  cliList soil_set;
  cliAllowed allowed;
} TyreOptions;

static const cliOption options[] = {
    {"over", 'x', CLI_TEXT, "WHAT", 0, 0, offsetof(TyreOptions, over),
     "slip, angle, inclination, load or pressure (default: slip, then angle)"},
    {"range", 'r', CLI_TEXT, "FROM:TO:STEP", 0, 0, offsetof(TyreOptions, range),
     "values of that; angles in degrees, loads in N, pressures in kPa"},
    {"load", 'l', CLI_TEXT, "N,N,...", 0, 0, offsetof(TyreOptions, loads),
     "loads [N] (default: half, once and 1.5 times the nominal one, or that of the wheel at rest)"},
    {"slip", 's', CLI_NUMBER, "S", -1, 1, offsetof(TyreOptions, slip),
     "longitudinal slip, -1 locked, 1 spinning (default 0)"},
    {"angle", 'a', CLI_NUMBER, "DEG", -85, 85, offsetof(TyreOptions, angle),
     "slip angle [deg] (default 0)"},
    {"inclination", 'i', CLI_NUMBER, "DEG", -85, 85, offsetof(TyreOptions, inclination),
     "inclination angle, top to the right [deg] (default 0)"},
    {"speed", 'v', CLI_NUMBER, "M/S", 0.1, 1000, offsetof(TyreOptions, speed),
     "speed of the hub [m/s] (default 16.7)"},
    {"friction", 'f', CLI_NUMBER, "MU", 0, 10, offsetof(TyreOptions, friction),
     "friction coefficient of the ground (default: the tyre's own)"},
    {"pressure", 'p', CLI_NUMBER, "KPA", 1e-3, 1e5, offsetof(TyreOptions, pressure),
     "inflation pressure [kPa] (default: that which the tyre names)"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(TyreOptions, output),
     "draw Fx, Fy, Mz, the carpet of Fx and Fy, and load over deflection: .png, .svg or .pdf"},
    {"history", 0, CLI_TEXT, "FILE.csv", 0, 0, offsetof(TyreOptions, history),
     "move the wheel as this table says, and print the forces over time as CSV"},
    {"soil", 0, CLI_TEXT, "SOIL", 0, 0, offsetof(TyreOptions, soil),
     "with --history: on a type of soil or a preset (default: the ground of the world)"},
    {"soil-set", 0, CLI_TEXTS, "FIELD=VALUE", 0, 0, offsetof(TyreOptions, soil_set),
     "change a field of this soil; may be repeated"},
    {"step", 0, CLI_NUMBER, "S", 1e-7, 0.1, offsetof(TyreOptions, step),
     "with --history: time step [s] (default 0.001)"},
    {"every", 0, CLI_NUMBER, "S", 1e-7, 1e6, offsetof(TyreOptions, every),
     "with --history: time from row to row [s] (default 0.01)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(TyreOptions, json), "print the tables as JSON"},
    CLI_ALLOW_OPTIONS(TyreOptions, allowed),
};

static const double DEGREE = 57.295779513082323;
enum { MOST_POINTS = 2000, MOST_LOADS = 12, NAME_MOST = 255 };

// What a table runs over, and its values.
typedef struct Axis {
  const char *name, *header;
  double scale;  // of what people write in SI units
  double from, step;
  int n;
  size_t member;  // of rutTyreTest
} Axis;
enum { SLIP, ANGLE, INCLINATION, LOAD, PRESSURE, AXES };

static const Axis standard[AXES] = {
    {"slip", "slip", 1, -1, 0.1, 21, offsetof(rutTyreTest, slip)},
    {"angle", "angle [deg]", 1 / 57.295779513082323, -20, 2, 21, offsetof(rutTyreTest, slip_angle)},
    {"inclination", "inclination [deg]", 1 / 57.295779513082323, -8, 2, 9,
     offsetof(rutTyreTest, inclination)},
    {"load", "load [N]", 1, 1000, 1000, 10, offsetof(rutTyreTest, load)},
    {"pressure", "pressure [kPa]", 1e3, 100, 50, 9, offsetof(rutTyreTest, pressure)}};

static double* member_of(rutTyreTest* test, size_t member) {
  return (double*)(void*)((char*)test + member);
}

// A tyre at hand.
typedef struct Tyre {
  const rutModel* model;
  int wheel;
  rutTyreInfo info;
  rutTyreTest test;
  double load[MOST_LOADS];
  int loads;
} Tyre;

// ---- what is asked ----

// Read "FROM:TO:STEP". Returns CLI_GO_ON or an exit code.
static int read_range(const char* text, Axis* axis) {
  double number[3];
  const char* at = text;
  for (int i = 0; i < 3; i++) {
    char* end = NULL;
    number[i] = strtod(at, &end);
    const bool fine = end != at && isfinite(number[i]) && *end == (i < 2 ? ':' : '\0');
    if (!fine) return cli_usage_error(&cli_verb_tyre, "'%s' is not FROM:TO:STEP", text);
    at = end + 1;
  }
  const double steps = floor((number[1] - number[0]) / number[2] + 1e-9);
  if (!(steps >= 0 && steps < MOST_POINTS)) {
    return cli_usage_error(&cli_verb_tyre, "'%s' has no values, or more than %d", text,
                           MOST_POINTS);
  }
  axis->from = number[0];
  axis->step = number[2];
  axis->n = (int)steps + 1;
  return CLI_GO_ON;
}

static int read_loads(const char* text, Tyre* tyre) {
  const double nominal = tyre->info.nominal_load;
  const double rest = nominal > 0 ? nominal : tyre->info.rest_load;
  tyre->loads = 0;
  for (int i = 1; !text && i <= 3; i++) tyre->load[tyre->loads++] = 0.5 * i * rest;
  while (text) {
    char* end = NULL;
    const double load = strtod(text, &end);
    const bool fine = end != text && load >= 1 && load <= 1e9 && (*end == ',' || *end == '\0');
    if (!fine || tyre->loads == MOST_LOADS) {
      return cli_usage_error(&cli_verb_tyre, "'%s' are not up to %d loads in N", text, MOST_LOADS);
    }
    tyre->load[tyre->loads++] = load;
    text = *end ? end + 1 : NULL;
  }
  return CLI_GO_ON;
}

static int find_axis(const char* name) {
  int axis = 0;
  while (axis < AXES && strcmp(standard[axis].name, name) != 0) axis++;
  return axis;
}

// ---- tables ----

enum { COLUMNS = 7 };

static void table_header(cliTable* table, const Axis* axis) {
  static const char* const header[COLUMNS - 1] = {"Fx [N]",   "Fy [N]",         "Mz [N m]",
                                                  "Mx [N m]", "resistance [N]", "deflection [mm]"};
  cli_table_init(table, COLUMNS);
  cli_table_add(table, "%s", axis->header);
  for (int i = 0; i < COLUMNS - 1; i++) cli_table_add(table, "%s", header[i]);
}

static void table_row(cliTable* table, double value, const rutTyrePoint* p) {
  cli_table_add(table, "%.4g", value);
  cli_table_add(table, "%.1f", p->fx);
  cli_table_add(table, "%.1f", p->fy);
  cli_table_add(table, "%.2f", p->mz);
  cli_table_add(table, "%.2f", p->mx);
  cli_table_add(table, "%.1f", p->resistance);
  cli_table_add(table, "%.2f", 1e3 * p->deflection);
}

static void json_row(cliJson* json, const rutTyreTest* t, const rutTyrePoint* p) {
  cli_json_object(json, NULL);
  cli_json_number(json, "load", t->load);
  cli_json_number(json, "slip", t->slip);
  cli_json_number(json, "slip_angle", t->slip_angle);
  cli_json_number(json, "inclination", t->inclination);
  if (t->pressure > 0) cli_json_number(json, "pressure", t->pressure);
#define X(name) cli_json_number(json, #name, p->name);
  X(fx)
  X(fy)
  X(mx)
  X(mz)
  X(resistance)
  X(deflection)
  X(stiffness)
  X(relaxation_x)
  X(relaxation_y)
  X(peak)
#undef X
  cli_json_end(json);
}

// Rounding does not take the last one out of range.
static bool point_at(const Tyre* tyre, const Axis* axis, int i, rutTyreTest* test,
                     rutTyrePoint* out) {
  const double value = (axis->from + i * axis->step) * axis->scale;
  *member_of(test, axis->member) =
      axis->member == offsetof(rutTyreTest, slip) ? fmax(-1, fmin(1, value)) : value;
  return rut_tyre_point(tyre->model, tyre->wheel, test, out);
}

static void tell_curve(const Tyre* tyre, const Axis* axis, double load, cliJson* json) {
  cliTable table;
  table_header(&table, axis);
  for (int i = 0; i < axis->n; i++) {
    rutTyreTest test = tyre->test;
    rutTyrePoint p;
    test.load = load;
    if (!point_at(tyre, axis, i, &test, &p)) continue;
    if (json) json_row(json, &test, &p);
    table_row(&table, axis->from + i * axis->step, &p);
  }
  if (!json) {
    if (axis->member != offsetof(rutTyreTest, load)) printf("load %.6g N\n", load);
    cli_table_print(&table, "rrrrrrr", stdout);
    putchar('\n');
  }
  cli_table_free(&table);
}

static void tell_axis(const Tyre* tyre, const Axis* axis, cliJson* json) {
  const bool over_load = axis->member == offsetof(rutTyreTest, load);
  for (int i = 0; i < (over_load ? 1 : tyre->loads); i++)
    tell_curve(tyre, axis, tyre->load[i], json);
}

// ---- the figure ----

enum { FINE = 121, CARPET_ANGLES = 7, DRAWN = 4 * MOST_LOADS + CARPET_ANGLES };

// Curves of a figure; curve 2 k is drawn over curve 2 k + 1.
typedef struct Drawing {
  cliCurve curve[2 * DRAWN];
  char name[DRAWN][24];
  int n;
  cliFigure figure;
} Drawing;

static bool make_curve(cliCurve* c, const char* unit) {
  snprintf(c->unit, sizeof c->unit, "%s", unit);
  c->t = malloc(FINE * sizeof *c->t);
  c->y = malloc(FINE * sizeof *c->y);
  c->capacity = FINE;
  return c->t && c->y;
}

static cliPanel* add_panel(Drawing* d, const char* label, const char* x_label) {
  cliPanel* p = &d->figure.panel[d->figure.panels++];
  snprintf(p->label, sizeof p->label, "%s", label);
  snprintf(p->x_label, sizeof p->x_label, "%s", x_label);
  return p;
}

// Both curves of a new line of a panel, NULL without memory.
static cliCurve* add_line(Drawing* d, cliPanel* p, const char* format, double number) {
  cliCurve* y = &d->curve[2 * (size_t)d->n];
  snprintf(d->name[d->n], sizeof d->name[d->n], format, number);
  y[0].name = y[1].name = d->name[d->n];
  d->n++;
  if (!make_curve(&y[0], "") || !make_curve(&y[1], "")) return NULL;
  p->curve[p->n] = &y[0];
  p->versus[p->n++] = &y[1];
  return y;
}

static void put_point(cliCurve* line, double x, double y) {
  const size_t at = line->n++;
  line[0].t[at] = line[1].t[at] = (double)at;
  line[0].y[at] = y;
  line[1].y[at] = x;
  line[1].n = line->n;
}

typedef double Pick(const rutTyrePoint* p);
static double pick_fx(const rutTyrePoint* p) { return 1e-3 * p->fx; }
static double pick_fy(const rutTyrePoint* p) { return 1e-3 * p->fy; }
static double pick_mz(const rutTyrePoint* p) { return p->mz; }

static bool draw_axis(const Tyre* tyre, Drawing* d, int axis, const char* label, Pick* pick) {
  Axis fine = standard[axis];
  fine.step *= (fine.n - 1.0) / (FINE - 1);
  cliPanel* panel = add_panel(d, label, fine.header);
  for (int k = 0; k < tyre->loads; k++) {
    cliCurve* line = add_line(d, panel, "%.4g N", tyre->load[k]);
    if (!line) return false;
    for (int i = 0; i < FINE; i++) {
      rutTyreTest test = tyre->test;
      rutTyrePoint p;
      test.load = tyre->load[k];
      if (point_at(tyre, &fine, i, &test, &p)) put_point(line, fine.from + i * fine.step, pick(&p));
    }
  }
  return true;
}

// Fy over Fx of the middle load: a line for every slip angle, along the slip.
static bool draw_carpet(const Tyre* tyre, Drawing* d) {
  Axis fine = standard[SLIP];
  fine.step *= (fine.n - 1.0) / (FINE - 1);
  cliPanel* panel = add_panel(d, "Fy [kN]", "Fx [kN]");
  for (int k = 0; k < CARPET_ANGLES; k++) {
    cliCurve* line = add_line(d, panel, "%g deg", 2.0 * k);
    if (!line) return false;
    for (int i = 0; i < FINE; i++) {
      rutTyreTest test = tyre->test;
      rutTyrePoint p;
      test.load = tyre->load[tyre->loads / 2];
      test.slip_angle = -2.0 * k / DEGREE;
      if (point_at(tyre, &fine, i, &test, &p)) put_point(line, pick_fx(&p), pick_fy(&p));
    }
  }
  return true;
}

static bool draw_load(const Tyre* tyre, Drawing* d) {
  cliPanel* panel = add_panel(d, "load [kN]", "deflection [mm]");
  cliCurve* line = add_line(d, panel, "load", 0);
  if (!line) return false;
  for (int i = 0; i < FINE; i++) {
    rutTyreTest test = tyre->test;
    rutTyrePoint p;
    test.load = fmax(1, 1.5 * tyre->load[tyre->loads - 1] * i / (FINE - 1));
    if (rut_tyre_point(tyre->model, tyre->wheel, &test, &p))
      put_point(line, 1e3 * p.deflection, 1e-3 * test.load);
  }
  return true;
}

static int draw(const Tyre* tyre, const char* path, const char* title) {
  Drawing* d = calloc(1, sizeof *d);
  int code = CLI_IO;
  if (!d) return code;
  d->figure = (cliFigure){.path = path, .title = title, .columns = 2};
  const bool fine = draw_axis(tyre, d, SLIP, "Fx [kN]", pick_fx) &&
                    draw_axis(tyre, d, ANGLE, "Fy [kN]", pick_fy) &&
                    draw_axis(tyre, d, ANGLE, "Mz [N m]", pick_mz) && draw_carpet(tyre, d) &&
                    draw_load(tyre, d);
  if (fine) {
    code = cli_figure_draw(&d->figure);
  } else {
    fputs("rut: error: out of memory\n", stderr);
  }
  cli_curves_free(2 * d->n, d->curve);
  free(d);
  return code;
}

// ---- the tyre ----

static bool is_tyre_file(const char* path) {
  const char* end = strrchr(path, '.');
  return end && strcasecmp(end, ".tir") == 0;
}

// A world around a tyre property file, beside it: a vehicle with two axles of such wheels.
static rutStatus spec_of_tyre_file(rutContext* context, const char* path, double radius,
                                   double width, rutSpec** spec, rutError* err) {
  enum { TEXT = 2048 };
  char text[TEXT];
  static const char axle[] =
      "<axle x='%d' track='1.5' radius='%.17g' width='%.17g'>"
      "<suspension type='slider'/></axle>";
  int n = snprintf(text, TEXT,
                   "<world><vehicle name='bench'><chassis mass='1600' com='0 0 0.5' z_min='0.3'/>"
                   "<tyre type='pac2002' file='%.255s'/>",
                   cli_base_name(path));
  for (int x = 1; x >= -1; x -= 2)
    n += snprintf(text + n, (size_t)(TEXT - n), axle, x, radius, width);
  snprintf(text + n, (size_t)(TEXT - n),
           "<drive type='direct'/><controller type='raw'/></vehicle></world>");
  return rut_spec_parse(context, text, strlen(text), path, spec, err);
}

// Size of the tyre of such a file; where it cannot be read, whatever: it will be read again.
static void read_size(const char* path, double* radius, double* width) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK) return;
  if (spec_of_tyre_file(context, path, *radius, *width, &spec, NULL) == RUT_OK &&
      rut_compile(spec, &model, NULL) == RUT_OK) {
    const rutTyreInfo info = rut_tyre_info(model, 0);
    *radius = info.measured_radius;
    *width = info.measured_width;
  }
  if (model) rut_model_destroy(model);
  if (spec) rut_spec_destroy(spec);
  rut_context_destroy(context);
}

static int load_tyre_file(cliWorld* world, const char* path) {
  if (strpbrk(cli_base_name(path), "<>&\"'$") || strlen(cli_base_name(path)) > NAME_MOST) {
    return cli_usage_error(&cli_verb_tyre, "'%s' is no name that a world can have", path);
  }
  double radius = 0.4, width = 0.25;
  rutError err = {0};
  read_size(path, &radius, &width);
  const rutStatus status =
      spec_of_tyre_file(world->context, path, radius, width, &world->spec, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// The first wheel on an axle, of a vehicle if one is named. -1 and a message if there is none.
static int find_wheel(const rutModel* model, const char* vehicle) {
  const int only = vehicle ? rut_find(model, RUT_VEHICLE, vehicle) : -1;
  if (vehicle && only < 0) {
    fprintf(stderr, "rut: error: no vehicle called '%s'\n", CLI_CLEAN(vehicle));
    return -1;
  }
  for (int i = 0; i < rut_count(model, RUT_VEHICLE); i++) {
    const rutVehicleInfo info = rut_vehicle_info(model, i);
    if ((only >= 0 && i != only) || info.wheels == 0) continue;
    if (rut_tyre_info(model, info.first_wheel).type[0]) return info.first_wheel;
  }
  fprintf(stderr, "rut: error: no vehicle here has wheels on axles\n");
  return -1;
}

static int tell_tyre(const TyreOptions* option, Tyre* tyre, const char* title) {
  cliJson json;
  cli_json_init(&json, stdout);
  const bool both = !option->over;
  const int axis = both ? SLIP : find_axis(option->over);
  if (axis == AXES) {
    return cli_usage_error(&cli_verb_tyre,
                           "'%s' is none of slip, angle, inclination, load and pressure",
                           option->over);
  }
  Axis first = standard[axis];
  if ((axis == PRESSURE || option->pressure > 0) && !(tyre->info.pressure > 0)) {
    return cli_usage_error(&cli_verb_tyre, "a tyre '%s' knows no pressure",
                           CLI_CLEAN(tyre->info.type));
  }
  if (option->range) {
    const int code = read_range(option->range, &first);
    if (code != CLI_GO_ON) return code;
  }
  tyre->info.pressure = option->pressure > 0 ? 1e3 * option->pressure : tyre->info.pressure;
  int code = read_loads(option->loads, tyre);
  if (code != CLI_GO_ON) return code;
  if (option->output) return draw(tyre, option->output, title);
  if (option->json) cli_json_array(&json, NULL);
  if (!option->json) {
    printf("%s, radius %.4g m, width %.4g m", CLI_CLEAN(tyre->info.type), tyre->info.radius,
           tyre->info.width);
    if (tyre->info.pressure > 0) printf(", %.4g kPa", 1e-3 * tyre->info.pressure);
    fputs("\n\n", stdout);
  }
  tell_axis(tyre, &first, option->json ? &json : NULL);
  if (both && !option->range) tell_axis(tyre, &standard[ANGLE], option->json ? &json : NULL);
  if (option->json) cli_json_end(&json);
  return CLI_DONE;
}

// The tyre of a world through a table of motions.
static int tell_history(const TyreOptions* option, const char* vehicle, cliWorld* world) {
  rutRigDef def = rut_default_rig();
  def.vehicle = vehicle;
  def.soil = option->soil;
  def.soil_settings = option->soil_set.n;
  def.soil_setting = option->soil_set.item;
  return cli_tyre_history(
      world, &(cliTyreHistory){option->history, def, option->step, option->every, option->json});
}

static int tell_tyres(int argc, char** argv) {
  TyreOptions option = {.speed = 16.7,
                        .friction = (double)NAN,
                        .pressure = (double)NAN,
                        .step = (double)NAN,
                        .every = (double)NAN};
  cliList files;
  int code = cli_parse(&cli_verb_tyre, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  if (option.output && !cli_gnuplot_format(option.output)) {
    return cli_usage_error(&cli_verb_tyre, "'%s' does not end in .png, .svg or .pdf",
                           option.output);
  }
  const bool of_history =
      option.soil || option.soil_set.n > 0 || option.step > 0 || option.every > 0;
  if (of_history && !option.history) {
    return cli_usage_error(&cli_verb_tyre, "--soil, --soil-set, --step and --every need --history");
  }
  cliWorld world;
  code = cli_world_open(&world, stderr, 1, 0);
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option.allowed);
  if (code == CLI_GO_ON) {
    code = is_tyre_file(files.item[0]) ? load_tyre_file(&world, files.item[0])
                                       : cli_world_load(&world, files.item[0], NULL);
  }
  if (code == CLI_GO_ON && option.history) {
    code = tell_history(&option, files.n > 1 ? files.item[1] : NULL, &world);
  }
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) {
    Tyre tyre = {.model = world.model, .test = rut_default_tyre_test()};
    tyre.wheel = find_wheel(world.model, files.n > 1 ? files.item[1] : NULL);
    tyre.info = rut_tyre_info(world.model, tyre.wheel);
    tyre.test.slip = option.slip;
    tyre.test.slip_angle = option.angle / DEGREE;
    tyre.test.inclination = option.inclination / DEGREE;
    tyre.test.speed = option.speed;
    tyre.test.friction = option.friction;
    tyre.test.pressure = 1e3 * option.pressure;
    code = tyre.wheel < 0 ? CLI_INVALID : tell_tyre(&option, &tyre, cli_base_name(files.item[0]));
  }
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_tyre = {
    .name = "tyre",
    .arguments = "FILE [VEHICLE]",
    .min_arguments = 1,
    .max_arguments = 2,
    .summary = "print or draw the forces of a tyre over slip, angle, load, or over time",
    .details =
        "FILE is a tyre property file (.tir), or a world, whose first vehicle on axles, or\n"
        "VEHICLE, has the tyre. Forces act on the wheel at the contact, in the W axes of\n"
        "ISO 8855: x forward, y to the left, z up. Slip is (r w - v)/max(|r w|, |v|).\n"
        "\n"
        "With --history the wheel rolls over hard ground or soil, in the ruts that it leaves. "
        "Columns\n"
        "of the table, with numbers in SI units and between rows on straight lines: time, "
        "velocity_x,\n"
        "velocity_y (of the hub, forward and left), load or height and velocity_z, torque and "
        "brake or\n"
        "spin, x, y, heading, steer, inclination, damping (of the guide). What it leaves out "
        "follows.",
    .examples =
        "  rut tyre tyre.tir\n"
        "  rut tyre tyre.tir --over angle --range -15:15:1 --load 3000,6000 --slip 0.05\n"
        "  rut tyre worlds/hmmwv.xml -o tyre.svg\n"
        "  rut tyre worlds/hmmwv.xml --over load --range 1000:12000:1000 --angle 4 --json\n"
        "  rut tyre worlds/hmmwv.xml --history motion.csv --soil lete_sand > forces.csv",
    .option = options,
    .options = CLI_COUNT(options),
    .run = tell_tyres,
};
