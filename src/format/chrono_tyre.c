// SPDX-License-Identifier: BSD-3-Clause
//
// Tyres of Chrono. Those that have their coefficients keep them; TMeasy by load index or bearing
// capacity has those of Chrono's truck tyre, which scale with the nominal load; all that rut has
// not becomes such a tyre for the load that it has at rest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/chrono.h"
#include "format/tir.h"
#include "format/xml.h"

enum { MAX_TIR = 1 << 20 };

static const double ZETA = 0.5;         // damping ratio of a guessed tyre
static const double SQUASH = 0.16;      // deflection under the full load, over the section
static const double RIM_MARGIN = 0.01;  // [m] between rim and bottomed tread
static const double RIM_FACTOR = 5;     // stiffness of the rim over that of the tyre
static const double TREAD_X = 0.45, TREAD_Y = 0.4;  // of the patch over the radial stiffness
static const double GRAVITY = 9.81;                 // of Chrono's tables

// ---- size ----

static bool is(const rutChronoPart* part, const char* name) {
  return strcmp(part->template_name, name) == 0;
}

// Where the .tir file is that a tyre names by a key. False if it names none, or none that is there.
static bool find_file(const rutChronoPart* part, const rutChronoPart* vehicle,
                      const rutJsonValue** name, char path[RUT_CHRONO_PATH]) {
  static const char* const keys[] = {"TIR Specification File", "Pacejka Parameter File"};
  int fault;
  *name = NULL;
  for (int i = 0; i < RUT_COUNT_OF(keys) && !*name; i++) *name = rut_json_find(part->root, keys[i]);
  if (!*name || (*name)->kind != RUT_JSON_STRING) return false;
  const char* slash = strrchr((*name)->text, '/');
  // as a file of the vehicle names it, or beside that of the tyre
  return rut_chrono_find(vehicle, (*name)->text, path, &fault) ||
         rut_chrono_find(part, slash ? slash + 1 : (*name)->text, path, &fault);
}

// A number of a .tir file by its key, 0 if there is none.
static double tir_number(const char* text, const char* key) {
  const size_t n = strlen(key);
  for (const char* line = text; line; line = strchr(line, '\n')) {
    line += strspn(line, "\r\n\t ");
    double value;
    if (strncmp(line, key, n) != 0 || line[n + strspn(line + n, "\t ")] != '=') continue;
    const char* from = strchr(line, '=') + 1;
    from += strspn(from, "\t ");
    return rut_parse_number(from, &value, &from) ? value : 0;
  }
  return 0;
}

// Measures of a tyre whose numbers are in a .tir file, which must be in metres: others are left to
// those of the JSON file.
static void read_size(rutChronoPart* part, const rutChronoPart* vehicle, rutChronoTyre* out) {
  char path[RUT_CHRONO_PATH];
  const rutJsonValue* name;
  char* text = NULL;
  size_t size;
  if (!find_file(part, vehicle, &name, path)) return;
  if (rut_read_file(path, MAX_TIR, part->maker.reporter, rut_chrono_place(part, name), &text,
                    &size) == RUT_OK) {
    const double radius = tir_number(text, "UNLOADED_RADIUS"), width = tir_number(text, "WIDTH");
    const double rim = tir_number(text, "RIM_RADIUS");
    if (radius > 0.01 && radius < 10) out->radius = radius;
    if (width > 0.01 && width < 10) out->width = width;
    if (rim > 0 && rim < out->radius) out->section = out->radius - rim;
  }
  free(text);
}

void rut_chrono_read_tyre(rutChronoPart* part, const rutChronoPart* vehicle, rutChronoTyre* out) {
  const rutJsonValue* root = part->root;
  const rutJsonValue* design = rut_chrono_object(part, root, "Design", false);
  const rutJsonValue* fiala = rut_chrono_object(part, root, "Fiala Parameters", false);
  const rutJsonValue* looks = rut_chrono_object(part, root, "Visualization", false);
  const rutJsonValue* size = rut_chrono_object(part, root, "DIMENSION", false);
  *out = (rutChronoTyre){0};
  out->radius = rut_chrono_number(part, root, "Radius", 0, 0);
  out->width = rut_chrono_number(part, root, "Width", 0, 0);
  if (!(out->width > 0)) out->width = rut_chrono_number(part, looks, "Width", 0, 0);
  out->mass = rut_chrono_number(part, root, "Mass", 0, 0);
  rut_chrono_vector(part, root, "Inertia", &out->inertia);
  if (fiala) {
    out->radius = rut_chrono_number(part, fiala, "Unloaded Radius", 0, 0);
    out->width = rut_chrono_number(part, fiala, "Width", 0, 0);
  }
  if (design) {
    out->radius = rut_chrono_number(part, design, "Unloaded Radius [m]", 0, 0);
    out->width = rut_chrono_number(part, design, "Width [m]", 0, 0);
    out->mass = rut_chrono_number(part, design, "Mass [kg]", 0, 0);
    rut_chrono_vector(part, design, "Inertia [kg.m2]", &out->inertia);
    const double rim = rut_chrono_number(part, design, "Rim Radius [m]", 0, 0);
    if (rim > 0 && rim < out->radius) out->section = out->radius - rim;
  }
  if (size) {
    out->radius = rut_chrono_number(part, size, "UNLOADED_RADIUS", 0, 0);
    out->width = rut_chrono_number(part, size, "WIDTH", 0, 0);
    const double rim = rut_chrono_number(part, size, "RIM_RADIUS", 0, 0);
    if (rim > 0 && rim < out->radius) out->section = out->radius - rim;
  }
  read_size(part, vehicle, out);
  if (!(out->radius > 0.01)) out->radius = rut_chrono_number(part, looks, "Radius", 0, 0);
  out->radius = rut_min(out->radius, 1000);
  out->width = rut_min(out->width, 10);
  out->mass = rut_min(out->mass, 1e6);
}

// ---- TMeasy ----

typedef struct Maker {
  rutChronoPart* part;
  rutNode node;
  rutPlace place;
} Maker;

static void set(const Maker* m, const char* field, double value) {
  rut_json_set(&m->part->maker, m->node, field, value, m->place);
}

static const struct {
  const char* field;
  double single, twice;  // at the nominal load and at twice this
  bool force;            // over the load, else as it is
} truck[] = {{"slope_x", 17.7764, 14.5301, true},
             {"largest_x", 0.89965, 0.77751, true},
             {"sliding_x", 0.46183, 0.42349, true},
             {"slip_largest_x", 0.10811, 0.12389, false},
             {"slip_sliding_x", 0.66667, 0.66667, false},
             {"slope_y", 7.4013, 6.8505, true},
             {"largest_y", 0.75876, 0.72628, true},
             {"sliding_y", 0.68276, 0.65319, true},
             {"slip_largest_y", 0.33167, 0.33216, false},
             {"slip_sliding_y", 1.0296, 1.0296, false},
             {"trail", 0.178, 0.19, false},
             {"slip_trail_ends", 0.36484, 0.36538, false},
             {"slip_trail_gone", 1.0296, 1.0296, false}};

static void set_pair(const Maker* m, const char* field, double single, double twice) {
  char name[64];
  snprintf(name, sizeof name, "%s_double", field);
  set(m, field, single);
  set(m, name, twice);
}

static void set_vertical(const Maker* m, double stiffness, double damping, double rim) {
  set(m, "stiffness", stiffness);
  set(m, "damping", damping);
  set(m, "rim_radius", rim);
  set(m, "rim_stiffness", RIM_FACTOR * stiffness);
  set(m, "stiffness_x", rut_max(TREAD_X * stiffness, 1));
  set(m, "stiffness_y", rut_max(TREAD_Y * stiffness, 1));
}

// Chrono's truck tyre for a full load [N].
static void set_truck(const Maker* m, const rutChronoTyre* size, double load, double pressure) {
  const double nominal = rut_clamp(0.5 * load * rut_pow(pressure, 0.8), 1, 1e8);
  const double section = size->section > 0 ? size->section : 0.4 * size->radius;
  const double stiffness = rut_max(load / (SQUASH * rut_max(section, 1e-3)), 1);
  set(m, "nominal_load", nominal);
  set(m, "largest_load", 3.5 * nominal);
  for (int i = 0; i < RUT_COUNT_OF(truck); i++) {
    const double a = truck[i].force ? nominal : 1, b = truck[i].force ? 2 * nominal : 1;
    set_pair(m, truck[i].field, rut_max(a * truck[i].single, truck[i].force ? 1 : 0),
             rut_max(b * truck[i].twice, truck[i].force ? 1 : 0));
  }
  set_vertical(m, stiffness, 2 * ZETA * rut_sqrt(stiffness * rut_max(size->mass, 1)),
               rut_max(size->radius - section + RIM_MARGIN, 0));
}

// Two numbers of a list, or one for both.
static bool pair(const Maker* m, const rutJsonValue* object, const char* key, double out[2]) {
  const rutJsonValue* value = object ? rut_json_find(object, key) : NULL;
  if (!value) return false;
  if (value->kind == RUT_JSON_NUMBER) {
    out[0] = out[1] = value->number;
    return true;
  }
  return rut_json_numbers(&m->part->maker, value, object->key, 2, out);
}

static void set_given(const Maker* m, const rutJsonValue* object, const char* key,
                      const char* field) {
  double value[2];
  if (pair(m, object, key, value)) set_pair(m, field, value[0], value[1]);
}

static void set_slopes(const Maker* m, const rutJsonValue* all) {
  rutChronoPart* part = m->part;
  const rutJsonValue* x = rut_chrono_object(part, all, "Longitudinal", true);
  const rutJsonValue* y = rut_chrono_object(part, all, "Lateral", true);
  const rutJsonValue* z = rut_chrono_object(part, all, "Aligning", false);
  set_given(m, x, "Initial Slopes dFx/dsx [N]", "slope_x");
  set_given(m, x, "Maximum Fx Load [N]", "largest_x");
  set_given(m, x, "Sliding Fx Load [N]", "sliding_x");
  set_given(m, x, "Slip sx at Maximum Fx", "slip_largest_x");
  set_given(m, x, "Slip sx where sliding begins", "slip_sliding_x");
  set_given(m, y, "Initial Slopes dFy/dsy [N]", "slope_y");
  set_given(m, y, "Maximum Fy Load [N]", "largest_y");
  set_given(m, y, "Sliding Fy Load [N]", "sliding_y");
  set_given(m, y, "Slip sy at Maximum Fy", "slip_largest_y");
  set_given(m, y, "Slip sy where sliding begins", "slip_sliding_y");
  set_given(m, z, "Normalized Trail at Zero Slip sy", "trail");
  set_given(m, z, "Slip sy where Trail Changes Sign", "slip_trail_ends");
  set_given(m, z, "Slip sy where Trail Tends to Zero", "slip_trail_gone");
}

static void set_parameters(const Maker* m, const rutJsonValue* all, const rutChronoTyre* size) {
  rutChronoPart* part = m->part;
  const rutJsonValue* load = rut_chrono_object(part, all, "Vertical", false);
  const rutJsonValue* stiff = rut_chrono_object(part, all, "Tire Stiffness", false);
  const rutJsonValue* damp = rut_chrono_object(part, all, "Tire Damping", false);
  rutChronoCurve curve;
  double radial[2] = {0, 0};
  if (!load) load = rut_chrono_object(part, all, "Tire Load", true);
  const double nominal = rut_chrono_number(part, load, "Nominal Vertical Force [N]", 5000, 1);
  set(m, "nominal_load", nominal);
  set(m, "largest_load",
      rut_chrono_number(part, load, "Maximum Vertical Force [N]", 3.5 * nominal, 1));
  if (!pair(m, stiff, "Vertical [N/m]", radial)) {
    radial[0] = rut_chrono_number(part, load, "Vertical Tire Stiffness [N/m]", 0, 0);
  }
  const bool table = rut_chrono_curve(part, load, "Tire Spring Curve Data", &curve);
  if (table) radial[0] = rut_chrono_curve_at(&curve, 0.03) / 0.03;
  const double damping =
      rut_chrono_number(part, damp, "Vertical [Ns/m]",
                        rut_chrono_number(part, load, "Tire Vertical Damping [Ns/m]", 0, 0), 0);
  const double rim = size->section > 0 ? size->radius - size->section + RIM_MARGIN : 0;
  set_vertical(m, rut_max(radial[0], 1), damping,
               rut_chrono_number(part, load, "Tire Bottoming Radius [m]", rut_max(rim, 0), 0));
  if (table) rut_chrono_set_curve(part, m->node, "load_curve", &curve, 1, 1);
  if (stiff) {
    set(m, "stiffness_x", rut_chrono_number(part, stiff, "Longitudinal [N/m]", 1e5, 1));
    set(m, "stiffness_y", rut_chrono_number(part, stiff, "Lateral [N/m]", 1e5, 1));
  }
  set_slopes(m, all);
}

// Load of a load index [kg], from 60 to 170 (ETRTO).
static double load_of_index(double index) {
  static const short table[] = {
      250,  257,  265,  272,  280,  290,  300,  307,  315,  325,  335,  345,  355,  365,
      375,  387,  400,  412,  425,  437,  450,  462,  475,  487,  500,  515,  530,  545,
      560,  580,  600,  615,  630,  650,  670,  690,  710,  730,  750,  775,  800,  825,
      850,  875,  900,  925,  950,  975,  1000, 1030, 1060, 1090, 1120, 1150, 1180, 1215,
      1250, 1285, 1320, 1360, 1400, 1450, 1500, 1550, 1600, 1650, 1700, 1750, 1800, 1850,
      1900, 1950, 2000, 2060, 2120, 2180, 2240, 2300, 2360, 2430, 2500, 2575, 2650, 2725,
      2800, 2900, 3000, 3075, 3150, 3250, 3350, 3450, 3550, 3650, 3750, 3875, 4000, 4125,
      4250, 4375, 4500, 4625, 4750, 4875, 5000, 5150, 5300, 5450, 5600, 5800, 6000};
  return table[(int)rut_clamp(index, 60, 170) - 60];
}

static void make_tmeasy(const Maker* m, const rutChronoTyre* size, double load) {
  rutChronoPart* part = m->part;
  const rutJsonValue* root = part->root;
  const rutJsonValue* all = rut_chrono_object(part, root, "Parameters", false);
  set(m, "width", size->width);
  set(m, "road_friction",
      rut_clamp(rut_chrono_number(part, root, "Coefficient of Friction", 0.8, 0), 0.001, 10));
  set(m, "rolling_resistance",
      rut_min(rut_chrono_number(part, root, "Rolling Resistance Coefficient", 0.015, 0), 1));
  if (all) {
    set_parameters(m, all, size);
    return;
  }
  const double index = rut_chrono_number(part, root, "Load Index", 0, 0);
  const double bearing = rut_chrono_number(part, root, "Maximum Bearing Capacity [N]", 0, 0);
  const double at = rut_chrono_number(part, root, "Inflation Pressure Design [Pa]", 0, 0);
  const double use = rut_chrono_number(part, root, "Inflation Pressure Use [Pa]", 0, 0);
  const double full = index > 0 ? GRAVITY * load_of_index(index) : bearing > 0 ? bearing : 2 * load;
  set_truck(m, size, full, at > 0 && use > 0 ? rut_clamp(use / at, 0.01, 100) : 1);
  if (strcmp(rut_json_text(&part->maker, root, "", "Vehicle Type"), "Truck") != 0) {
    rut_json_warn(&part->maker, root, "Vehicle Type",
                  "guessed: coefficients of a tyre that is known by its load are those of Chrono's "
                  "truck tyre");
  }
}

// ---- other laws ----

static void make_fiala(const Maker* m) {
  rutChronoPart* part = m->part;
  const rutJsonValue* p = rut_chrono_object(part, part->root, "Fiala Parameters", true);
  rutChronoCurve curve;
  if (!p) return;
  static const struct {
    const char *key, *field;
    double least, most;
  } rows[] = {{"Width", "width", 0, 10},
              {"Vertical Stiffness", "stiffness", 0.001, 1e12},
              {"Vertical Stiffness", "rim_stiffness", 0, 1e12},
              {"Vertical Damping", "damping", 0, 1e12},
              {"Rolling Resistance", "rolling_resistance", 0, 1},
              {"CSLIP", "slip_stiffness", 1, 1e9},
              {"CALPHA", "cornering_stiffness", 1, 1e9},
              {"UMIN", "friction_min", 0, 10},
              {"UMAX", "friction_max", 0, 10},
              {"X Relaxation Length", "relaxation_x", 0, 1000},
              {"Y Relaxation Length", "relaxation_y", 0, 1000}};
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    if (!rut_json_find(p, rows[i].key)) continue;
    const double value = rut_chrono_number(part, p, rows[i].key, rows[i].least, 0);
    set(m, rows[i].field, rut_clamp(value, rows[i].least, rows[i].most));
  }
  set(m, "road_friction",
      rut_clamp(rut_chrono_number(part, part->root, "Coefficient of Friction", 0.8, 0), 0.001, 10));
  if (rut_chrono_curve(part, p, "Vertical Curve Data", &curve)) {
    rut_chrono_set_curve(part, m->node, "load_curve", &curve, 1, 1);
  }
}

// A text that grows in a room for all of it.
typedef struct Text {
  char* text;
  size_t n;
  int line;
} Text;

enum { LINE = 160 };

// Go on in a line of the JSON file, or in the next one, so that findings have their place.
static void begin_line(Text* out, int line) {
  do {
    out->text[out->n++] = '\n';
    out->line++;
  } while (out->line < line);
}

static void add_key(Text* out, const rutJsonValue* item) {
  const bool number = item->kind == RUT_JSON_NUMBER;
  // what would be more than a line is left out
  if ((!number && item->kind != RUT_JSON_STRING) || strpbrk(item->key, "\n[=") ||
      strchr(item->text, '\n'))
    return;
  begin_line(out, item->line);
  if (number) {
    out->n += (size_t)snprintf(out->text + out->n, LINE, "%.60s = %.17g", item->key, item->number);
  } else {
    out->n += (size_t)snprintf(out->text + out->n, LINE, "%.60s = '%.60s'", item->key, item->text);
  }
}

// Coefficients in groups of a JSON file, as the text of a .tir file. NULL without memory.
static char* groups_text(const rutJsonValue* root) {
  size_t room = LINE;
  for (const rutJsonValue* group = root->first; group; group = group->next) {
    for (const rutJsonValue* item = group->first; item; item = item->next) {
      room += LINE + (size_t)item->line;
    }
    room += LINE + (size_t)group->line;
    if (room > MAX_TIR) return NULL;
  }
  Text out = {.text = calloc(room, 1), .line = 1};
  for (const rutJsonValue* group = root->first; out.text && group; group = group->next) {
    if (group->kind != RUT_JSON_OBJECT || strpbrk(group->key, "\n]")) continue;
    begin_line(&out, group->line);
    out.n += (size_t)snprintf(out.text + out.n, LINE, "[%.60s]", group->key);
    for (const rutJsonValue* item = group->first; item; item = item->next) add_key(&out, item);
  }
  return out.text;
}

static const rutComponent* component(const rutContext* context, const char* name) {
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "tyre") == 0 && strcmp(type->name, name) == 0) return type;
  }
  return NULL;
}

// Numbers that are told of a tyre in groups.
static void set_groups(const Maker* m, const rutContext* context) {
  rutChronoPart* part = m->part;
  const rutComponent* type = component(context, "pac2002");
  char* text = groups_text(part->root);
  rutTir* tir = calloc(1, sizeof *tir);
  if (text && tir && type &&
      rut_tir_parse(text, strlen(text), part->path, type, part->maker.reporter, tir) == RUT_OK) {
    for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
      const rutField* f = &type->field[i];
      if (!tir->given[i]) continue;
      if (f->type == RUT_CHOICE) {
        const char* word = f->text;
        for (int k = (int)tir->number[i]; k > 0 && word; k--) {
          word = strchr(word, '|');
          word = word ? word + 1 : NULL;
        }
        char one[32];
        if (!word) continue;
        snprintf(one, sizeof one, "%.*s", (int)strcspn(word, "|"), word);
        rut_json_set_text(&part->maker, m->node, f->name, one, m->place);
      } else {
        set(m, f->name, tir->number[i]);
      }
    }
    for (int k = 0; k < RUT_TIR_CURVES; k++) {
      const rutTirCurve* curve = &tir->curve[k];
      if (curve->field < 0) continue;
      rut_json_set_list(&part->maker, m->node, type->field[curve->field].name, 2 * curve->points,
                        curve->point, m->place);
    }
  }
  if (!text || !tir) {
    rut_json_error(&part->maker, part->root, "Template", "its coefficients need more than 1 MB");
  }
  free(tir);
  free(text);
}

static void make_magic(const Maker* m, rutChrono* chrono) {
  rutChronoPart* part = m->part;
  const rutJsonValue* name;
  char path[RUT_CHRONO_PATH];
  if (find_file(part, chrono->vehicle, &name, path)) {
    rut_json_set_file(&part->maker, m->node, "file", path, m->place);
  } else if (name) {
    rut_json_error(&part->maker, name, name->key,
                   "'%.200s' cannot be read: it is looked for from the vehicle's folder and from "
                   "the three above it, and beside the tyre",
                   name->text);
  } else {
    set_groups(m, chrono->context);
  }
}

// ---- the element ----

static rutNode add(rutChronoPart* part, rutNode parent, const char* type, rutPlace place) {
  return rut_json_add(&part->maker, parent, "tyre", type, "", place);
}

void rut_chrono_make_tyre(rutChrono* chrono, rutChronoPart* part, rutNode parent, double load) {
  if (!part) return;
  Maker m = {.part = part, .place = rut_chrono_place(part, NULL)};
  rutChronoTyre size;
  rut_chrono_read_tyre(part, chrono->vehicle, &size);
  if (is(part, "FialaTire")) {
    m.node = add(part, parent, "fiala", m.place);
    make_fiala(&m);
  } else if (is(part, "RigidTire")) {
    m.node = add(part, parent, "linear", m.place);
    set(&m, "stiffness", 1e7);
    set(&m, "damping", 1e4);
    rut_json_warn(&part->maker, part->root, "Template",
                  "guessed: a rigid tyre has a radial stiffness of 10 MN/m; its forces along the "
                  "ground are those of the ground's soil");
  } else if (is(part, "Pac02Tire") || is(part, "PacejkaTire") || is(part, "MFTire")) {
    m.node = add(part, parent, "pac2002", m.place);
    make_magic(&m, chrono);
  } else {
    m.node = add(part, parent, "tmeasy", m.place);
    if (!is(part, "TMeasyTire") && !is(part, "TMsimpleTire")) {
      rut_json_warn(&part->maker, part->root, "Template",
                    "guessed: rut has no '%.60s'; a TMeasy tyre of the same size for twice the "
                    "load at rest stands for it",
                    part->template_name);
    }
    make_tmeasy(&m, &size, load);
  }
}
