// SPDX-License-Identifier: BSD-3-Clause
#include "format/tir.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/tir_mf6.h"
#include "format/tir_settle.h"
#include "format/xml.h"
#include "math/rut_math.h"

enum { MAX_FILE = 4 << 20, WORD = 64, MAX_ERRORS = 20, UNKNOWN_TEXT = 400 };

// Units of the file's numbers, in SI.
typedef enum Unit { LENGTH, FORCE, ANGLE, MASS, TIME, PRESSURE, UNITS } Unit;

// A table of a section, or keys.
typedef enum Section { KEYS, UNITS_SECTION, HEADER, CURVE, TABLE } Section;

typedef struct Parser {
  const char *at, *end, *line_start;
  int line;
  const char* name;
  const rutComponent* type;
  rutReporter* reporter;
  rutTir* out;
  double scale[UNITS];
  bool only_units;  // first time through: units may stand behind what they are units of
  char section_name[WORD];
  Section section;
  int curve, errors, keys;
  rutTirKeys found;  // of keys that are settled at the end
  rutTirMf6 mf6;
  bool is_tyre;  // a section or key of such files was seen
  bool has_pressure_unit;
  char unknown[UNKNOWN_TEXT];  // keys that nobody knows
  rutPlace unknown_at;         // of the first
} Parser;

// ---- what the words mean ----

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool same_word(const char* a, const char* b) {
  while (*a && lower(*a) == lower(*b)) {
    a++;
    b++;
  }
  return *a == '\0' && *b == '\0';
}
static bool is_among(const char* word, const char* const* list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (same_word(word, list[i])) return true;
  }
  return false;
}

typedef struct UnitWord {
  Unit unit;
  const char* word;
  double scale;
} UnitWord;

// Exact definitions: SI brochure (9th ed., 2019); NIST SP 811.
static const double POUND = 0.45359237, POUND_FORCE = 4.4482216152605;
static const char* const unit_keys[UNITS] = {"LENGTH", "FORCE", "ANGLE",
                                             "MASS",   "TIME",  "PRESSURE"};
static const UnitWord unit_words[] = {{LENGTH, "meter", 1},
                                      {LENGTH, "metre", 1},
                                      {LENGTH, "m", 1},
                                      {LENGTH, "mm", 1e-3},
                                      {LENGTH, "millimeter", 1e-3},
                                      {LENGTH, "cm", 1e-2},
                                      {LENGTH, "centimeter", 1e-2},
                                      {LENGTH, "km", 1e3},
                                      {LENGTH, "kilometer", 1e3},
                                      {LENGTH, "inch", 0.0254},
                                      {LENGTH, "in", 0.0254},
                                      {LENGTH, "foot", 0.3048},
                                      {LENGTH, "ft", 0.3048},
                                      {LENGTH, "mile", 1609.344},
                                      {FORCE, "newton", 1},
                                      {FORCE, "n", 1},
                                      {FORCE, "knewton", 1e3},
                                      {FORCE, "kilonewton", 1e3},
                                      {FORCE, "kn", 1e3},
                                      {FORCE, "pound_force", POUND_FORCE},
                                      {FORCE, "lbf", POUND_FORCE},
                                      {FORCE, "kpound_force", 1e3 * POUND_FORCE},
                                      {FORCE, "kg_force", 9.80665},
                                      {FORCE, "kgf", 9.80665},
                                      {FORCE, "dyne", 1e-5},
                                      {FORCE, "ounce_force", POUND_FORCE / 16},
                                      {ANGLE, "radian", 1},
                                      {ANGLE, "radians", 1},
                                      {ANGLE, "rad", 1},
                                      {ANGLE, "degree", RUT_PI / 180},
                                      {ANGLE, "degrees", RUT_PI / 180},
                                      {ANGLE, "deg", RUT_PI / 180},
                                      {MASS, "kg", 1},
                                      {MASS, "kilogram", 1},
                                      {MASS, "gram", 1e-3},
                                      {MASS, "g", 1e-3},
                                      {MASS, "megagram", 1e3},
                                      {MASS, "tonne", 1e3},
                                      {MASS, "pound_mass", POUND},
                                      {MASS, "kpound_mass", 1e3 * POUND},
                                      {MASS, "slug", 14.593902937206364},
                                      {MASS, "ounce_mass", POUND / 16},
                                      {TIME, "second", 1},
                                      {TIME, "sec", 1},
                                      {TIME, "s", 1},
                                      {TIME, "millisecond", 1e-3},
                                      {TIME, "milli", 1e-3},
                                      {TIME, "ms", 1e-3},
                                      {TIME, "minute", 60},
                                      {TIME, "min", 60},
                                      {TIME, "hour", 3600},
                                      {PRESSURE, "pascal", 1},
                                      {PRESSURE, "pa", 1},
                                      {PRESSURE, "kpascal", 1e3},
                                      {PRESSURE, "kpa", 1e3},
                                      {PRESSURE, "megapascal", 1e6},
                                      {PRESSURE, "mpa", 1e6},
                                      {PRESSURE, "bar", 1e5},
                                      {PRESSURE, "psi", 6894.757293168361},
                                      {PRESSURE, "ksi", 6894757.293168361}};

// Powers of length, force, angle, time and pressure in the units of fields.
static const struct {
  const char* unit;
  signed char length, force, angle, time, pressure;
} field_units[] = {{"m", 1, 0, 0, 0, 0},      {"N", 0, 1, 0, 0, 0},   {"N/m", -1, 1, 0, 0, 0},
                   {"N s/m", -1, 1, 0, 1, 0}, {"rad", 0, 0, 1, 0, 0}, {"Pa", 0, 0, 0, 0, 1},
                   {"m/s", 1, 0, 0, -1, 0}};

// Keys that other programs write for the same number.
static const struct {
  const char *key, *field;
} aliases[] = {{"lkyg", "lkg"},    {"lfz0", "lfzo"},
               {"lgax1", "lgax"},  {"bottom_stiff", "bottoming_stiffness"},
               {"inflpres", "ip"}, {"nompres", "ip_nom"},
               {"pfz1", "qpfz1"}};

// Parts of the format that do not concern the forces on a rolling tyre.
static const char* const unused[] = {"aspect_ratio",
                                     "rim_radius",
                                     "rim_width",
                                     "breff",
                                     "dreff",
                                     "freff",
                                     "dynamic_stiffness",
                                     "dynamic_damping",
                                     "belt_dynamics",
                                     "contact_model",
                                     "mfsafe1",
                                     "mfsafe2",
                                     "mfsafe3",
                                     "function_name",
                                     "property_file_format",
                                     "ptx4",
                                     "pty3",
                                     "qtz1",
                                     "mbelt",
                                     "lgyr",
                                     "tyre_mass",
                                     "mass",
                                     "ixx",
                                     "iyy",
                                     "izz",
                                     "bottom_offst",
                                     "road_increment",
                                     "road_direction",
                                     "n_tire_states",
                                     "user_sub_id",
                                     "hmax_local",
                                     "time_switch_integ",
                                     "switch_integ"};
// Keys whose values depend on the whole file.
static const char* const settled[RUT_TIR_KEYS] = {
#define X(name) #name,
    RUT_TIR_KEY_LIST(X)
#undef X
};
// Sections of numbers for rims, belts and wheels that turn on the spot.
static const char* const other_sections[] = {"SHAPE",
                                             "TURNSLIP_COEFFICIENTS",
                                             "CONTACT_COEFFICIENTS",
                                             "DYNAMIC_COEFFICIENTS",
                                             "BELT_PARAMETERS",
                                             "INERTIA",
                                             "CONTACT_PATCH",
                                             "GOODYEAR",
                                             "COMMENTS"};
static const char* const curves[RUT_TIR_CURVES] = {"deflection_load_curve", "bottoming_curve"};
static const char* const needed[] = {
    "fnomin", "unloaded_radius", "pcx1", "pdx1", "pkx1", "pcy1", "pdy1", "pky1", "pky2"};

static int field_of(const rutComponent* type, const char* key) {
  for (int i = 0; i < RUT_COUNT_OF(aliases); i++) {
    if (same_word(key, aliases[i].key)) key = aliases[i].field;
  }
  for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
    if (same_word(key, type->field[i].name) && type->field[i].type != RUT_TEXT) return i;
  }
  return -1;
}

static double unit_scale(const Parser* p, const char* unit) {
  double scale = 1;
  for (int i = 0; i < RUT_COUNT_OF(field_units); i++) {
    if (strcmp(field_units[i].unit, unit) != 0) continue;
    const signed char power[] = {field_units[i].length, field_units[i].force, field_units[i].angle,
                                 field_units[i].time, field_units[i].pressure};
    static const Unit of[] = {LENGTH, FORCE, ANGLE, TIME, PRESSURE};
    for (int k = 0; k < RUT_COUNT_OF(of); k++) {
      if (power[k] > 0) scale *= p->scale[of[k]];
      if (power[k] < 0) scale /= p->scale[of[k]];
    }
  }
  return scale;
}

// ---- lines ----

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool at_line_end(const Parser* p) { return p->at >= p->end || *p->at == '\n'; }
static bool at_comment(const Parser* p) {
  return !at_line_end(p) && (*p->at == '$' || *p->at == '!');
}
static void skip_blanks(Parser* p) {
  while (!at_line_end(p) && is_blank(*p->at)) p->at++;
}
static void skip_line(Parser* p) {
  while (!at_line_end(p)) p->at++;
}
static rutPlace place_at(const Parser* p, const char* at) {
  return (rutPlace){p->name, p->line, (int)(at - p->line_start) + 1};
}

static void fail(Parser* p, const char* at, const char* key, const char* hint, const char* format,
                 ...) RUT_PRINTF(5, 6);
static void fail(Parser* p, const char* at, const char* key, const char* hint, const char* format,
                 ...) {
  char message[256], element[2 * WORD + 8];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  snprintf(element, sizeof element, "%s%s%s%s%s", p->section_name[0] ? "[" : "", p->section_name,
           p->section_name[0] ? "]" : "", key[0] ? " " : "", key);
  rut_report_error(p->reporter, RUT_ERR_PARSE, place_at(p, at), element, hint, "%s", message);
  p->errors++;
}

// Bytes from..to as a word that may be printed; what does not fit is cut.
static void take_word(const char* from, const char* to, char word[WORD]) {
  size_t n = (size_t)(to - from);
  while (n > 0 && is_blank(from[n - 1])) n--;
  if (n > WORD - 1) n = WORD - 1;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)from[i];
    word[i] = c < 32 || c > 126 ? '?' : (char)c;
  }
  word[n] = '\0';
}

static void begin_section(Parser* p) {
  const char *from = p->at + 1, *to = from;
  while (to < p->end && *to != '\n' && *to != ']') to++;
  if (to >= p->end || *to != ']') {
    if (!p->only_units) fail(p, p->at, "", "write [UNITS]", "a section's name has no ']'");
    skip_line(p);
    return;
  }
  take_word(from, to, p->section_name);
  p->at = to + 1;
  p->section = KEYS;
  if (same_word(p->section_name, "UNITS")) p->section = UNITS_SECTION;
  if (same_word(p->section_name, "MDI_HEADER")) p->section = HEADER;
  if (is_among(p->section_name, other_sections, RUT_COUNT_OF(other_sections))) p->section = TABLE;
  for (int i = 0; i < RUT_TIR_CURVES; i++) {
    if (!same_word(p->section_name, curves[i])) continue;
    p->section = CURVE;
    p->curve = i;
    if (p->out->curve[i].points == 0) continue;
    rut_report_warning(p->reporter, place_at(p, from), "",
                       "section [%s] appears twice: the first one counts", p->section_name);
    p->section = TABLE;
  }
  skip_blanks(p);
  if (!at_line_end(p) && !at_comment(p) && !p->only_units) {
    fail(p, p->at, "", "begin a new line", "there is text after the section's name");
  }
  skip_line(p);
}

// A number up to a blank, comma, comment or the line's end.
static bool read_number(Parser* p, const char* key, double* value) {
  const char *from = p->at, *to = from;
  while (to < p->end && *to != '\n' && !is_blank(*to) && *to != '$' && *to != '!') to++;
  char word[WORD];
  const char* rest;
  take_word(from, to, word);
  if (to - from >= WORD || !rut_parse_number(word, value, &rest) || *rest) {
    fail(p, from, key, strchr(word, ',') ? "write a point, not a comma" : "such as 1.25e-3",
         "'%s' is not a finite number", word);
    return false;
  }
  p->at = to;
  return true;
}

static void finish_line(Parser* p, const char* key) {
  skip_blanks(p);
  if (!at_line_end(p) && !at_comment(p)) {
    fail(p, p->at, key, "begin comments with $ or !", "there is text after the value");
  }
  skip_line(p);
}

// A text in quotes.
static bool read_text(Parser* p, const char* key, char word[WORD]) {
  if (at_line_end(p) || (*p->at != '\'' && *p->at != '"')) {
    fail(p, p->at, key, "such as 'meter'", "needs a text in quotes");
    return false;
  }
  const char quote = *p->at, *from = p->at + 1, *to = from;
  while (to < p->end && *to != '\n' && *to != quote) to++;
  if (to >= p->end || *to != quote) {
    fail(p, p->at, key, "", "the text in quotes has no end");
    return false;
  }
  while (from < to && is_blank(*from)) from++;
  take_word(from, to, word);
  p->at = to + 1;
  return true;
}

// ---- values ----

static void read_unit(Parser* p, const char* key, const char* at) {
  char word[WORD], known[UNKNOWN_TEXT] = "known are ";
  Unit unit = UNITS;
  for (int i = 0; i < UNITS; i++) {
    if (same_word(key, unit_keys[i])) unit = (Unit)i;
  }
  const char* text_at = p->at;
  if (unit == UNITS) {
    if (p->only_units) {
      fail(p, at, key, "LENGTH, FORCE, ANGLE, MASS, TIME or PRESSURE", "no such unit");
    }
    skip_line(p);
    return;
  }
  if (!read_text(p, key, word)) {
    skip_line(p);
    return;
  }
  for (int i = 0; i < RUT_COUNT_OF(unit_words); i++) {
    if (unit_words[i].unit != unit) continue;
    const size_t n = strlen(known);
    snprintf(known + n, sizeof known - n, "%s%s", known[n - 1] == ' ' ? "" : ", ",
             unit_words[i].word);
    if (!same_word(word, unit_words[i].word)) continue;
    p->scale[unit] = unit_words[i].scale;
    p->has_pressure_unit = p->has_pressure_unit || unit == PRESSURE;
    finish_line(p, key);
    return;
  }
  fail(p, text_at, key, known, "unit '%s' is not known", word);
  skip_line(p);
}

// The index of a word among those of a choice, -1 if it is none.
static int choice(const rutField* field, const char* word) {
  int index = 0;
  for (const char* at = field->text; *at; index++) {
    const size_t n = strcspn(at, "|");
    char one[WORD];
    take_word(at, at + n, one);
    if (same_word(one, word)) return index;
    at += n + (at[n] == '|');
  }
  return same_word(word, "unknown") ? (int)field->def : -1;
}

static void put(Parser* p, int field, double value, const char* at, const char* key) {
  const rutField* f = &p->type->field[field];
  bool later = false;
  for (int i = 0; i < RUT_TIR_KEYS; i++) {
    if (!same_word(f->name, settled[i])) continue;
    p->found.field[i] = field;
    p->found.place[i] = place_at(p, at);
    later = true;
  }
  if (!later && f->min < f->max && !(value >= f->min && value <= f->max)) {
    fail(p, at, key, "", "%g is not between %g and %g%s%s", value, f->min, f->max,
         f->unit[0] ? " " : "", f->unit);
    return;
  }
  if (f->type == RUT_INTEGER && rut_floor(value) != value) {
    fail(p, at, key, "", "%g is not a whole number", value);
    return;
  }
  if (p->out->given[field]) {
    rut_report_warning(p->reporter, place_at(p, at), "", "%s appears twice: the last one counts",
                       key);
  }
  p->out->given[field] = true;
  p->out->number[field] = value;
}

static void read_field(Parser* p, int field, const char* key) {
  const rutField* f = &p->type->field[field];
  const char* at = p->at;
  char word[WORD];
  double value = 0;
  if (f->type == RUT_CHOICE) {
    if (read_text(p, key, word)) {
      const int index = choice(f, word);
      if (index < 0) {
        fail(p, at, key, f->text, "'%s' is none of its words", word);
      } else {
        put(p, field, index, at, key);
      }
      finish_line(p, key);
    }
  } else if (read_number(p, key, &value)) {
    put(p, field, value * unit_scale(p, f->unit), at, key);
    finish_line(p, key);
  }
  skip_line(p);
}

static void check_format(Parser* p, const char* key) {
  char word[WORD];
  const char* at = p->at;
  if (!read_text(p, key, word)) return;
  const bool five = same_word(word, "MF_05") || same_word(word, "MF-TYRE");
  const bool six = same_word(word, "MF61") || same_word(word, "MF62") || same_word(word, "MF_61") ||
                   same_word(word, "MF_62");
  if (five) {
    rut_report_note(
        p->reporter, place_at(p, at), "",
        "%s (MF-Tyre 5) is read as PAC2002, which has the same formulas with more terms: "
        "those are 0",
        word);
  } else if (six) {
    p->mf6.is = true;
    p->mf6.place = place_at(p, at);
  } else if (!same_word(word, "PAC2002") && !same_word(word, "USER")) {
    // a user's is told by FITTYP
    fail(p, at, key, "PAC2002, MF_05, MF61 and MF62 are", "tyres of format '%s' are not read",
         word);
  }
  p->is_tyre = true;
}

// FITTYP 5, 6, 21, 51 and 52 are MF-Tyre 5, 61 and 62 MF-Tyre 6.
static void check_version(Parser* p, const char* key) {
  double version = 0;
  const char* at = p->at;
  if (!read_number(p, key, &version)) return;
  if (version > 62) {
    fail(p, at, key, "PAC2002, MF-Tyre 5 and 6 are", "tyres of FITTYP %g are not read", version);
  } else if (version > 60) {
    p->mf6.is = true;
    p->mf6.place = place_at(p, at);
  }
}

static void read_mf6(Parser* p, int index, const char* key) {
  double number;
  if (!read_number(p, key, &number)) return;
  p->mf6.given[index] = true;
  p->mf6.number[index] = number;
  finish_line(p, key);
}

static void read_method(Parser* p, const char* key) {
  char word[WORD];
  if (read_text(p, key, word)) p->found.ellipse = same_word(word, "YES");
}

// Unknown keys are reported once, all together.
static void note_unknown(Parser* p, const char* key, const char* at) {
  const size_t n = strlen(p->unknown);
  if (n == 0) p->unknown_at = place_at(p, at);
  if (n + strlen(key) + 8 < sizeof p->unknown) {
    snprintf(p->unknown + n, sizeof p->unknown - n, "%s%s", n ? ", " : "", key);
  } else if (n + 6 < sizeof p->unknown && strcmp(p->unknown + n - 3, "...") != 0) {
    snprintf(p->unknown + n, sizeof p->unknown - n, ", ...");
  }
}

static void read_key(Parser* p) {
  const char *from = p->at, *to = from;
  while (to < p->end && *to != '\n' && *to != '=' && *to != '$' && *to != '!') to++;
  char key[WORD];
  take_word(from, to, key);
  if (to >= p->end || *to != '=') {
    if (!p->only_units) fail(p, from, "", "write KEY = value", "'%s' has no '='", key);
    skip_line(p);
    return;
  }
  p->at = to + 1;
  skip_blanks(p);
  if (p->section == UNITS_SECTION) {
    if (p->only_units) read_unit(p, key, from);
    skip_line(p);
    return;
  }
  const int field = field_of(p->type, key);
  const bool table = field >= 0 && p->type->field[field].type == RUT_POINTS;
  p->keys++;
  if (p->only_units) {
  } else if (at_line_end(p) || at_comment(p)) {
    fail(p, from, key, "write KEY = value", "has no value");
  } else if (same_word(key, "PROPERTY_FILE_FORMAT")) {
    check_format(p, key);
  } else if (same_word(key, "FITTYP")) {
    check_version(p, key);
  } else if (same_word(key, "FE_METHOD")) {
    read_method(p, key);
  } else if (field >= 0 && !table) {
    read_field(p, field, key);
  } else if (rut_tir_mf6_key(key) >= 0) {
    read_mf6(p, rut_tir_mf6_key(key), key);
  } else if (!is_among(key, unused, RUT_COUNT_OF(unused))) {
    note_unknown(p, key, from);
  }
  skip_line(p);
}

// A line of a curve: two numbers.
static void read_point(Parser* p) {
  rutTirCurve* curve = &p->out->curve[p->curve];
  const char* at = p->at;
  double x, y;
  if (p->only_units || *p->at == '{' || *p->at == '(') {
    skip_line(p);
    return;
  }
  const bool first = read_number(p, "", &x);
  skip_blanks(p);
  if (first && at_line_end(p)) fail(p, at, "", "deflection and load", "a point needs two numbers");
  if (!first || at_line_end(p) || !read_number(p, "", &y)) {
    skip_line(p);
    return;
  }
  finish_line(p, "");
  curve->field = field_of(p->type, curves[p->curve]);
  if (curve->points == RUT_TIR_POINTS) {
    fail(p, at, "", "", "a curve has at most %d points", RUT_TIR_POINTS);
    p->errors = MAX_ERRORS;
    return;
  }
  const double to[2] = {x * p->scale[LENGTH], y * p->scale[FORCE]};
  const rutField* f = curve->field < 0 ? NULL : &p->type->field[curve->field];
  for (int i = 0; i < 2 && f; i++) {
    if (to[i] >= f->min && to[i] <= f->max) continue;
    fail(p, at, "", "", "%g is not between %g and %g", to[i], f->min, f->max);
    return;
  }
  memcpy(&curve->point[2 * curve->points], to, sizeof to);
  curve->points++;
}

// A maker's own section tells the pressure at which the tyre was measured. Files that have no unit
// of pressure give it in bar: no tyre has as many pascals or megapascals.
static void read_maker_pressure(Parser* p) {
  static const double BAR = 1e5, MOST = 20;  // [bar]
  const char* from = p->at;
  double value;
  char key[WORD];
  const char* to = from;
  while (to < p->end && *to != '\n' && *to != '=') to++;
  take_word(from, to, key);
  const int field = field_of(p->type, "ip");
  if (p->only_units || field < 0 || to >= p->end || *to != '=' ||
      !same_word(key, "INFLATION_PRESSURE") || p->out->given[field]) {
    skip_line(p);
    return;
  }
  p->at = to + 1;
  skip_blanks(p);
  if (!read_number(p, key, &value)) {
    skip_line(p);
    return;
  }
  const bool bar = !p->has_pressure_unit && value > 0 && value < MOST;
  if (bar || p->has_pressure_unit) {
    put(p, field, value * (bar ? BAR : p->scale[PRESSURE]), from, key);
  }
  if (!p->has_pressure_unit) {
    rut_report_note(p->reporter, place_at(p, from), "",
                    bar ? "%g is taken for bar: the file has no unit of PRESSURE"
                        : "%g is not used: the file has no unit of PRESSURE",
                    value);
  }
  finish_line(p, key);
  skip_line(p);
}

static void read_line(Parser* p) {
  skip_blanks(p);
  if (at_line_end(p)) return;
  if (at_comment(p)) {
    skip_line(p);
  } else if (*p->at == '[') {
    begin_section(p);
  } else if (p->section == HEADER) {
    skip_line(p);
  } else if (p->section == TABLE) {
    read_maker_pressure(p);
  } else if (p->section == CURVE) {
    read_point(p);
  } else {
    read_key(p);
  }
}

static void read_lines(Parser* p, const char* text) {
  p->at = p->line_start = text;
  p->line = 1;
  p->section = KEYS;
  p->section_name[0] = '\0';
  p->keys = 0;
  while (p->at < p->end && p->errors < MAX_ERRORS) {
    read_line(p);
    if (p->at >= p->end || *p->at != '\n') continue;
    p->at++;
    p->line++;
    p->line_start = p->at;
  }
}

// ---- the whole ----

static void check_needed(Parser* p) {
  for (int i = 0; i < RUT_COUNT_OF(needed) && p->errors < MAX_ERRORS; i++) {
    const int field = field_of(p->type, needed[i]);
    char key[WORD];
    if (field < 0 || p->out->given[field]) continue;
    snprintf(key, sizeof key, "%s", needed[i]);
    for (char* c = key; *c; c++) *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    rut_report_error(p->reporter, RUT_ERR_PARSE, (rutPlace){p->name, 1, 1}, "",
                     p->type->field[field].doc, "%s is missing", key);
    p->errors++;
  }
}

// Coefficients that the file does not have are 0, where that is one of their values; scales are 1,
// which is their default.
static void complete(const rutComponent* type, rutTir* out) {
  for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
    const rutField* f = &type->field[i];
    const bool coefficient = strchr("pqrs", f->name[0]) && f->type == RUT_REAL && !f->unit[0];
    const bool none = coefficient || same_word(f->name, "bottoming_radius");
    if (out->given[i] || !none || f->min > 0 || f->max < 0) continue;
    out->given[i] = true;
    out->number[i] = 0;
  }
  // one of both pressures stands for the other
  const int is = field_of(type, "ip"), nominal = field_of(type, "ip_nom");
  if (is < 0 || nominal < 0 || out->given[is] == out->given[nominal]) return;
  const int from = out->given[is] ? is : nominal, to = out->given[is] ? nominal : is;
  out->given[to] = true;
  out->number[to] = out->number[from];
}

rutStatus rut_tir_parse(const char* text, size_t size, const char* name, const rutComponent* type,
                        rutReporter* reporter, rutTir* out) {
  Parser p = {.end = text + size,
              .name = name,
              .type = type,
              .reporter = reporter,
              .out = out,
              .scale = {1, 1, 1, 1, 1, 1},
              .only_units = true};
  memset(out, 0, sizeof *out);
  for (int i = 0; i < RUT_TIR_CURVES; i++) out->curve[i].field = -1;
  for (int i = 0; i < RUT_TIR_KEYS; i++) p.found.field[i] = -1;
  read_lines(&p, text);
  if (p.errors == 0 && p.keys == 0) {
    return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){name, 1, 1}, "",
                            "such a file has lines [SECTION] and KEY = value",
                            "this is not a tyre property file");
  }
  p.only_units = false;
  if (p.errors < MAX_ERRORS) read_lines(&p, text);
  if (p.unknown[0]) {
    rut_report_warning(reporter, p.unknown_at, "", "these keys are not used: %s", p.unknown);
  }
  if (p.errors == 0) check_needed(&p);
  if (p.errors > 0) return RUT_ERR_PARSE;
  rut_tir_mf6_settle(&p.mf6, type, reporter, out);
  const rutStatus status = rut_tir_settle(&p.found, type, reporter, out);
  if (status != RUT_OK) return status;
  complete(type, out);
  return RUT_OK;
}

rutStatus rut_tir_load(const char* path, rutPlace place, const rutComponent* type,
                       rutReporter* reporter, rutTir* out) {
  char* text;
  size_t size;
  rutStatus status = rut_read_file(path, MAX_FILE, reporter, place, &text, &size);
  if (status != RUT_OK) return status;
  status = rut_tir_parse(text, size, path, type, reporter, out);
  free(text);
  return status;
}
