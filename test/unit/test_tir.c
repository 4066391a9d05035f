// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre property files: values, units, what is told of unknown and wrong lines.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/tir.h"

extern const rutTyreType rut_tyre_pac2002;
static const rutComponent* const type = &rut_tyre_pac2002.base;

// Everything that was reported, one line each: "level line:column element: message (hint)".
typedef struct Findings {
  int errors, warnings;
  char text[4096];
} Findings;

static void note(const rutDiagnostic* d, void* user) {
  Findings* f = user;
  const size_t n = strlen(f->text);
  if (d->level == RUT_ERROR) f->errors++;
  if (d->level == RUT_WARNING) f->warnings++;
  snprintf(f->text + n, sizeof f->text - n, "%d:%d %s: %s (%s)\n", d->line, d->column, d->element,
           d->message, d->hint ? d->hint : "");
}

static rutStatus parse(const char* text, rutTir* tir, Findings* found) {
  memset(found, 0, sizeof *found);
  rutReporter reporter = {.report = note, .user = found};
  const rutStatus status = rut_tir_parse(text, strlen(text), "a.tir", type, &reporter, tir);
  assert_true((status == RUT_OK) == (found->errors == 0));
  return status;
}

static int field(const char* name) {
  for (int i = 0; i < type->fields; i++) {
    if (strcmp(type->field[i].name, name) == 0) return i;
  }
  fail_msg("no field %s", name);
  return 0;
}
static double number(const rutTir* tir, const char* name) {
  if (!tir->given[field(name)]) fail_msg("%s was not given", name);
  return tir->number[field(name)];
}

// The default set of the tyre, in which only what is not 0 or 1 is written.
#define COEFFICIENTS                                                                           \
  "[LONGITUDINAL_COEFFICIENTS]\nPCX1=1.6\nPDX1 = .9\nPDX2= -8e-2\nPEX1 =0.1\nPEX2 = 0.1 $ x\n" \
  "PKX1 = 20\nPKX3 = 2.0E-001\nRBX1 = 12\nRBX2 = 10\nRCX1 = 1\n"                               \
  "[LATERAL_COEFFICIENTS]\nPCY1 = 1.4\nPDY1 = 0.85\nPDY2 = -.1\nPEY1 = -.5\nPKY1 = -12\n"      \
  "PKY2 = 2\nRBY1 = 10\nRBY2 = 8\nRCY1 = 1\n[ALIGNING_COEFFICIENTS]\nQBZ1 = 8\nQBZ2 = -1\n"    \
  "QCZ1 = 1.1\nQDZ1 = 0.12\nQEZ1 = -1.5\n[ROLLING_COEFFICIENTS]\nQSY1 = 0.015\n"

static const char in_si[] =
    "[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC2002'\nUSE_MODE = 14 ! both\nLONGVL = 20\n"
    "TYRESIDE='RIGHT'\n"
    "[DIMENSION]\nUNLOADED_RADIUS = 0.5\nWIDTH = 0.3\n[VERTICAL]\nFNOMIN = 8500\n"
    "VERTICAL_STIFFNESS = 450000\nVERTICAL_DAMPING = 900\n[SLIP_ANGLE_RANGE]\nALPMAX = 0.5\n"
    "[TIRE_CONDITIONS]\nIP = 250000\n[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.05  20000\n"
    "0.1 45000 ! last\n" COEFFICIENTS;

// The same in other units, with the units last, and other blanks, cases and line ends.
static const char in_others[] =
    "$ a comment\r\n! and another, of a \xfc byte\r\n"
    "  [model]\r\nproperty_file_format='pac2002'\r\nuse_mode=14\r\nlongvl = 1.2e6\r\n"
    "tyreside = 'right' $ side\r\n\r\n"
    "[DIMENSION]\r\nUNLOADED_RADIUS = 500\r\nWIDTH\t=\t300\r\n[VERTICAL]\r\nFNOMIN = 8.5\r\n"
    "VERTICAL_STIFFNESS = 0.45\r\nVERTICAL_DAMPING = 1.5e-5\r\n[SLIP_ANGLE_RANGE]\r\n"
    "ALPMAX = 28.64788975654116\r\n[TIRE_CONDITIONS]\r\nIP = 2.5\r\n"
    "[DEFLECTION_LOAD_CURVE]\r\n0 0\r\n50 20\r\n100 45\r\n" COEFFICIENTS
    "[UNITS]\r\nLENGTH = 'mm'\r\nFORCE = 'kN'\r\nANGLE = 'degree'\r\nMASS = 'kg'\r\n"
    "TIME = 'minute'\r\nPRESSURE = 'bar'";

static void check_values(const rutTir* tir) {
  assert_near(number(tir, "unloaded_radius"), 0.5, 1e-15);
  assert_near(number(tir, "width"), 0.3, 1e-15);
  assert_near(number(tir, "fnomin"), 8500, 1e-11);
  assert_near(number(tir, "vertical_stiffness"), 450000, 1e-9);
  assert_near(number(tir, "vertical_damping"), 900, 1e-11);
  assert_near(number(tir, "longvl"), 20, 1e-13);
  assert_near(number(tir, "alpmax"), 0.5, 1e-15);
  assert_near(number(tir, "ip"), 250000, 1e-9);
  // the one pressure that is given stands for both
  assert_near(number(tir, "ip_nom"), 250000, 1e-9);
  assert_near(number(tir, "tyreside"), 1, 0);
  assert_near(number(tir, "use_mode"), 14, 0);
  assert_near(number(tir, "pdx2"), -0.08, 0);
  assert_near(number(tir, "pkx3"), 0.2, 0);
  assert_near(number(tir, "pky1"), -12, 0);
  // what the file does not have is 0, not the default of the tyre; scales stay 1
  assert_near(number(tir, "phx1"), 0, 0);
  assert_near(number(tir, "bottoming_radius"), 0, 0);
  assert_false(tir->given[field("lmux")]);
  assert_int_equal(tir->curve[0].field, field("deflection_load_curve"));
  assert_int_equal(tir->curve[0].points, 3);
  static const double curve[] = {0, 0, 0.05, 20000, 0.1, 45000};
  for (int i = 0; i < 6; i++) assert_near(tir->curve[0].point[i], curve[i], 1e-10);
  assert_int_equal(tir->curve[1].field, -1);
}

static void test_values(void** state) {
  (void)state;
  static rutTir tir;
  Findings found;
  assert_int_equal(parse(in_si, &tir, &found), RUT_OK);
  assert_string_equal(found.text, "");
  check_values(&tir);
  assert_int_equal(parse(in_others, &tir, &found), RUT_OK);
  assert_string_equal(found.text, "");
  check_values(&tir);
}

// Each unit by its definition.
static void test_units(void** state) {
  (void)state;
  static const struct {
    const char *unit, *word, *key, *name;
    double one;
  } rows[] = {{"LENGTH", "inch", "WIDTH", "width", 0.0254},
              {"LENGTH", "foot", "WIDTH", "width", 0.3048},
              {"LENGTH", "cm", "WIDTH", "width", 0.01},
              {"FORCE", "pound_force", "VERTICAL_STIFFNESS", "vertical_stiffness", 4.4482216152605},
              {"FORCE", "kN", "VERTICAL_STIFFNESS", "vertical_stiffness", 1000},
              {"FORCE", "kg_force", "VERTICAL_STIFFNESS", "vertical_stiffness", 9.80665},
              {"TIME", "ms", "VERTICAL_DAMPING", "vertical_damping", 0.001},
              {"ANGLE", "deg", "CAMMAX", "cammax", 0.017453292519943295},
              {"PRESSURE", "psi", "IP_NOM", "ip_nom", 6894.757293168361},
              {"PRESSURE", "kPa", "IP_NOM", "ip_nom", 1000}};
  static rutTir tir;
  Findings found;
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "[UNITS]\n%s = '%s'\n[X]\n%s = 1\nFNOMIN = 5000\nUNLOADED_RADIUS=.5\n" COEFFICIENTS,
             rows[i].unit, rows[i].word, rows[i].key);
    assert_int_equal(parse(text, &tir, &found), RUT_OK);
    assert_near(number(&tir, rows[i].name), rows[i].one, 1e-15 * rows[i].one);
  }
}

// Keys that say nothing are told of once; those of other parts of the format not at all.
static void test_unknown(void** state) {
  (void)state;
  static rutTir tir;
  Findings found;
  char text[2048];
  snprintf(text, sizeof text,
           "%s[MORE]\nABCD = 1\nEFGH = 'x'\nBREFF = 8\n[SHAPE]\n{radial width}\n1.0 0.5\n", in_si);
  assert_int_equal(parse(text, &tir, &found), RUT_OK);
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "ABCD, EFGH"));
  assert_null(strstr(found.text, "BREFF"));
  snprintf(text, sizeof text, "%sPCX1 = 1.7\n", in_si);
  assert_int_equal(parse(text, &tir, &found), RUT_OK);
  assert_non_null(strstr(found.text, "PCX1 stands there twice"));
  assert_near(number(&tir, "pcx1"), 1.7, 0);
}

// What is wrong, where, and what would be right.
static void test_wrong(void** state) {
  (void)state;
  static const struct {
    const char *line, *column, *says;
  } rows[] = {{"PHX1 = 1,5", ":8 [X] PHX1:", "write a point"},
              {"PHX1 = abc", ":8 [X] PHX1:", "'abc' is not a finite number"},
              {"PHX1 = nan", ":8 [X] PHX1:", "not a finite number"},
              {"PHX1 = 1e999", ":8 [X] PHX1:", "not a finite number"},
              {"PHX1 =", ":1 [X] PHX1:", "has no value"},
              {"PHX1 = $ 1", ":1 [X] PHX1:", "has no value"},
              {"PHX1 1", ":1 [X]:", "KEY = value"},
              {"PHX1 = 1 2", ":10 [X] PHX1:", "begin comments with"},
              {"PCX1 = 9", ":8 [X] PCX1:", "9 is not between 0.1 and 3"},
              {"PKY1 = 12", ":8 [X] PKY1:", "between"},
              {"USE_MODE = 3.5", ":12 [X] USE_MODE:", "whole number"},
              {"TYRESIDE = LEFT", ":12 [X] TYRESIDE:", "quotes"},
              {"TYRESIDE = 'UP'", ":12 [X] TYRESIDE:", "left|right"},
              {"TYRESIDE = 'LEFT", ":12 [X] TYRESIDE:", "no end"},
              {"PROPERTY_FILE_FORMAT = 'FTIRE'", ":24 [X] PROPERTY_FILE_FORMAT:", "PAC2002 is"},
              {"[OPEN", ":1 [X]:", "no ']'"},
              {"[OPEN] more", ":8 [OPEN]:", "text after"},
              {"[UNITS]\nLENGTH = 'ell'", ":10 [UNITS] LENGTH:", "meter"},
              {"[UNITS]\nLENGHT = 'm'", ":1 [UNITS] LENGHT:", "LENGTH"},
              {"[UNITS]\nLENGTH = m", ":10 [UNITS] LENGTH:", "quotes"},
              {"[DEFLECTION_LOAD_CURVE]\n0.1", ":1 [DEFLECTION_LOAD_CURVE]:", "two numbers"},
              {"[DEFLECTION_LOAD_CURVE]\n0.1 x", ":5 [DEFLECTION_LOAD_CURVE]:", "'x'"},
              {"[DEFLECTION_LOAD_CURVE]\n-0.1 2", ":1 [DEFLECTION_LOAD_CURVE]:", "-0.1"}};
  static rutTir tir;
  Findings found;
  int lines = 1;
  for (const char* c = in_si; *c; c++) lines += *c == '\n';
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    char text[2048], place[64];
    snprintf(text, sizeof text, "%s[X]\n%s\n", in_si, rows[i].line);
    const int line = lines + 1 + (strchr(rows[i].line, '\n') != NULL);
    snprintf(place, sizeof place, "%d%s", line, rows[i].column);
    assert_int_equal(parse(text, &tir, &found), RUT_ERR_PARSE);
    if (found.errors != 1 || strncmp(found.text, place, strlen(place)) != 0 ||
        !strstr(found.text, rows[i].says)) {
      fail_msg("%s: %s", rows[i].line, found.text);
    }
  }
  assert_int_equal(parse("", &tir, &found), RUT_ERR_PARSE);
  assert_int_equal(parse("just words\n", &tir, &found), RUT_ERR_PARSE);
  assert_non_null(strstr(found.text, "no tyre property file"));
  assert_int_equal(parse("[MODEL]\nLONGVL = 3\n", &tir, &found), RUT_ERR_PARSE);
  assert_non_null(strstr(found.text, "FNOMIN is missing"));
  assert_non_null(strstr(found.text, "PKY2 is missing"));
}

// The file of the HMMWV of Project Chrono as it stands in the reference notes.
static char* hmmwv_file(void) {
  FILE* file = fopen(RUT_SHARED_DIR "/reference/hmmwv_parameters.md", "rb");
  if (!file) return NULL;
  static char text[1 << 18];
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  char* from = strstr(text, "! HMMWV tire 37x12.5R-16.5");
  char* to = from ? strstr(from, "```") : NULL;
  if (to) *to = '\0';
  return to ? from : NULL;
}

static void test_hmmwv(void** state) {
  (void)state;
  const char* text = hmmwv_file();
  if (!text) {
    print_message("no HMMWV tyre file\n");
    skip();
  }
  static rutTir tir;
  Findings found;
  assert_int_equal(parse(text, &tir, &found), RUT_OK);
  if (found.text[0]) print_message("%s", found.text);
  static const struct {
    const char* name;
    double value;
  } rows[] = {{"fnomin", 35000},   {"lfzo", 0.580904846}, {"unloaded_radius", 0.4699},
              {"lcz", 0.4419},     {"pcx1", 1.7204},      {"pkx2", -9.8161},
              {"pex4", 2.6509e-6}, {"rbx2", -12.494},     {"pdy3", -8.0362},
              {"pky1", -10.289},   {"pvy3", -0.31373},    {"rhy2", -4.8794e-5},
              {"qez5", -645.04},   {"ssz4", -0.50765},    {"qsy1", 0.008},
              {"pty2", 2.5},       {"ip_nom", 800000},    {"fzmax", 78750},
              {"tyreside", 0},     {"use_mode", 4},       {"vertical_stiffness", 1e6}};
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    assert_near(number(&tir, rows[i].name), rows[i].value, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values), cmocka_unit_test(test_units), cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_wrong),  cmocka_unit_test(test_hmmwv),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
