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
  assert_non_null(strstr(found.text, "PCX1 appears twice"));
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
              {"FITTYP = 70", ":10 [X] FITTYP:", "tyres of FITTYP 70 are not read"},
              {"USE_MODE = 3.5", ":12 [X] USE_MODE:", "whole number"},
              {"TYRESIDE = LEFT", ":12 [X] TYRESIDE:", "quotes"},
              {"TYRESIDE = 'UP'", ":12 [X] TYRESIDE:", "left|right"},
              {"TYRESIDE = 'LEFT", ":12 [X] TYRESIDE:", "no end"},
              {"PROPERTY_FILE_FORMAT = 'FTIRE'",
               ":24 [X] PROPERTY_FILE_FORMAT:", "PAC2002, MF_05, MF61 and MF62"},
              {"[OPEN", ":1 [X]:", "no ']'"},
              {"[OPEN] more", ":8 [OPEN]:", "text after"},
              {"[UNITS]\nLENGTH = 'ell'", ":10 [UNITS] LENGTH:", "meter"},
              {"[UNITS]\nLENGHT = 'm'", ":1 [UNITS] LENGHT:", "LENGTH"},
              {"[UNITS]\nLENGTH = m", ":10 [UNITS] LENGTH:", "quotes"},
              {"[BOTTOMING_CURVE]\n0.1", ":1 [BOTTOMING_CURVE]:", "two numbers"},
              {"[BOTTOMING_CURVE]\n0.1 x", ":5 [BOTTOMING_CURVE]:", "'x'"},
              {"[BOTTOMING_CURVE]\n-0.1 2", ":1 [BOTTOMING_CURVE]:", "-0.1"}};
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
  assert_non_null(strstr(found.text, "not a tyre property file"));
  assert_int_equal(parse("[MODEL]\nLONGVL = 3\n", &tir, &found), RUT_ERR_PARSE);
  assert_non_null(strstr(found.text, "FNOMIN is missing"));
  assert_non_null(strstr(found.text, "PKY2 is missing"));
}

// Files of other programs: what they write otherwise, and that it means the same tyre.

typedef struct Point {
  double mu_x, mu_y, aligning;
} Point;

// What a file's tyre gives under 9 kN at a slip, a slip angle and a camber.
static Point tyre_at(const char* text, double kappa, double alpha, double inclination) {
  static rutTir tir;
  static double param[RUT_TIR_FIELDS + 8];
  Findings found;
  if (parse(text, &tir, &found) != RUT_OK) fail_msg("%s", found.text);
  for (int i = 0; i < type->fields; i++) {
    param[i] = tir.given[i] ? tir.number[i] : type->field[i].def;
  }
  // no tables: their count stands behind the fields
  param[field("deflection_load_curve")] = param[field("bottoming_curve")] = RUT_TIR_FIELDS;
  param[RUT_TIR_FIELDS] = 0;
  const double speed = 20, load = 9000, radius = 0.5, deflection = 0.02, one = 1, nan = (double)NAN;
  // slips are over the larger of the speeds of tread and hub
  const double hub = kappa > 0 ? 1 / (1 + kappa) : 1;
  const double slip_x = kappa * hub, slip_y = tan(alpha) * hub;
  Point p;
  double secant[2], normalised_slip, resistance, peak, overturning;
  rut_tyre_pac2002.grip(param, 1,
                        &(rutTyreGripIn){.slip_x = &slip_x,
                                         .slip_y = &slip_y,
                                         .direction = &one,
                                         .load = &load,
                                         .deflection = &deflection,
                                         .radius = &radius,
                                         .inclination = &inclination,
                                         .speed = &speed,
                                         .friction = &nan,
                                         .side = &one},
                        &(rutTyreGripOut){.mu_x = &p.mu_x,
                                          .mu_y = &p.mu_y,
                                          .secant_x = &secant[0],
                                          .secant_y = &secant[1],
                                          .normalised_slip = &normalised_slip,
                                          .resistance = &resistance,
                                          .peak = &peak,
                                          .overturning = &overturning,
                                          .aligning = &p.aligning});
  return p;
}

// A set with shifts, camber and forces caused by slip, so that a sign that is forgotten shows.
#define WHOLE(pdx, pdy, pky, a)                                                              \
  "[MODEL]\nFNOMIN = 8500\nUNLOADED_RADIUS = .5\nTYRESIDE = 'LEFT'\nPCX1 = 1.6\nPKX1 = 20\n" \
  "PDX1 = " pdx ".9\nPDX2 = " pdx ".08\nRBX1 = 12\nRBX2 = 10\nRCX1 = 1\nRHX1 = " a           \
  ".02\n"                                                                                    \
  "PCY1 = 1.4\nPDY1 = " pdy ".85\nPDY2 = " pdy ".1\nPDY3 = 2\nPEY1 = -.5\nPEY3 = " a         \
  ".3\n"                                                                                     \
  "PEY4 = " a "4\nPKY1 = " pky "12\nPKY2 = 2\nPHY1 = " a ".004\nPHY2 = " a ".002\nPHY3 = " a \
  ".04\n"                                                                                    \
  "PVY1 = .03\nPVY3 = -.3\nRBY1 = 10\nRBY2 = 8\nRBY3 = " a ".05\nRCY1 = 1\nRVY1 = " pdy      \
  ".03\n"                                                                                    \
  "RVY2 = " pdy ".02\nRVY3 = " pdy                                                           \
  ".1\nRVY4 = 10\nRVY5 = 1.9\nRVY6 = -8\nQBZ1 = 8\nQCZ1 = 1.1\n"                             \
  "QDZ1 = .12\nQEZ1 = -1.5\nQEZ4 = " a ".2\nQEZ5 = " a "2\nQHZ1 = " a ".004\nQHZ3 = " a ".1\n"

static void test_signs(void** state) {
  (void)state;
  static const struct {
    const char* text;
    const char* what;
  } same[] = {
      {WHOLE("", "-", "-", ""), "MF-Tyre and ADAMS: D_y < 0"},
      {WHOLE("-", "", "-", ""), "D_x < 0"},
      {WHOLE("", "", "", "-"), "slip angles with the sign of the book"},
      {WHOLE("", "-", "", "-"), "both"},
  };
  static const double at[][3] = {
      {0.05, 0, 0}, {0, 0.06, 0}, {-0.1, -0.08, 0.05}, {0.2, 0.15, -0.1}};
  for (int i = 0; i < RUT_COUNT_OF(same); i++) {
    for (int k = 0; k < RUT_COUNT_OF(at); k++) {
      const Point want = tyre_at(WHOLE("", "", "-", ""), at[k][0], at[k][1], at[k][2]);
      const Point got = tyre_at(same[i].text, at[k][0], at[k][1], at[k][2]);
      if (fabs(got.mu_x - want.mu_x) > 1e-12 || fabs(got.mu_y - want.mu_y) > 1e-12 ||
          fabs(got.aligning - want.aligning) > 1e-9) {
        fail_msg("%s, point %d: %g %g %g, not %g %g %g", same[i].what, k, got.mu_x, got.mu_y,
                 got.aligning, want.mu_x, want.mu_y, want.aligning);
      }
    }
  }
  // F_y works against sliding, braking slip brakes, and M_z turns the wheel back into its way
  const Point p = tyre_at(WHOLE("", "-", "-", ""), -0.02, 0.06, 0);
  assert_true(p.mu_x < -0.2 && p.mu_y < -0.2 && p.aligning > 50);
}

static void test_other_programs(void** state) {
  (void)state;
  static rutTir tir;
  Findings found;
  // one side of a range was not measured; a relaxation length that is not used
  assert_int_equal(
      parse("[X]\nFNOMIN = 5000\nUNLOADED_RADIUS=.5\nKPUMIN = -0.8\nKPUMAX = 0\nALPMIN = 0\n"
            "ALPMAX = 0.2\nPTY1 = 0\nPTY2 = 0\nUSE_MODE = -14\nTYRESIDE = 'LEFT'\n"
            "FE_METHOD = 'YES'\n" COEFFICIENTS,
            &tir, &found),
      RUT_OK);
  assert_int_equal(found.warnings, 2);
  assert_non_null(strstr(found.text, "5:10 : slips above 0 were not measured"));
  assert_near(number(&tir, "kpumax"), 0.8, 0);
  assert_near(number(&tir, "alpmin"), -0.2, 0);
  assert_false(tir.given[field("pty2")]);
  assert_near(number(&tir, "use_mode"), 14, 0);
  assert_near(number(&tir, "tyreside"), 1, 0);
  // the friction ellipse in place of the weights
  assert_near(number(&tir, "rbx1"), 0, 0);
  assert_near(number(&tir, "rby1"), 0, 0);
  // where it is used, it must be right
  assert_int_equal(
      parse("[X]\nFNOMIN = 5000\nUNLOADED_RADIUS=.5\nPTY1 = 2\nPTY2 = 0\n" COEFFICIENTS, &tir,
            &found),
      RUT_ERR_PARSE);
  assert_non_null(strstr(found.text, "5:8 : 'pty2': 0 is not between 0.001 and 1000"));
  // a second curve
  char text[2048];
  snprintf(text, sizeof text, "%s[DEFLECTION_LOAD_CURVE]\n0 0\n0.03 18000\n", in_si);
  assert_int_equal(parse(text, &tir, &found), RUT_OK);
  assert_non_null(
      strstr(found.text, "[DEFLECTION_LOAD_CURVE] appears twice: the first one counts"));
  assert_int_equal(tir.curve[0].points, 3);
  snprintf(text, sizeof text, "[MODEL]\nPROPERTY_FILE_FORMAT = 'MF_05'\n%s", strchr(in_si, '\n'));
  assert_int_equal(parse(text, &tir, &found), RUT_OK);
  assert_non_null(strstr(found.text, "MF_05 (MF-Tyre 5) is read as PAC2002"));
}

// What a maker's section says of the pressure, in the file's unit, or in bar where that can be.
static void test_maker_pressure(void** state) {
  (void)state;
  static const struct {
    const char *unit, *value;
    double pressure;  // 0: not used
  } rows[] = {{"", "2.5", 2.5e5},
              {"[UNITS]\nPRESSURE = 'psi'\n", "60", 60 * 6894.757293168361},
              {"[UNITS]\nPRESSURE = 'kpa'\n", "414", 414e3},
              {"", "60", 0},
              {"", "-1", 0}};
  static rutTir tir;
  Findings found;
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s[GOODYEAR]\nCONSTRUCTION = 'x'\nINFLATION_PRESSURE = %s\n%s",
             rows[i].unit, rows[i].value, in_si);
    *strstr(text, "IP = 250000") = '!';
    if (parse(text, &tir, &found) != RUT_OK) fail_msg("%s", found.text);
    const double pressure = rows[i].pressure > 0 ? rows[i].pressure : 0;
    assert_near(tir.given[field("ip")] ? number(&tir, "ip") : 0, pressure, 1e-6);
    assert_int_equal(strstr(found.text, "is not used") != NULL, rows[i].pressure == 0);
  }
}

// The tyre of the FED-Alpha, as Project Chrono has it.
static void test_fed_alpha(void** state) {
  (void)state;
  FILE* file = fopen(RUT_SHARED_DIR "/data/tir/335_65R22_5_G275MSA_60psi.tir", "rb");
  if (!file) {
    print_message("no tyre file of the FED-Alpha\n");
    skip();
  }
  static char text[1 << 16];
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  static rutTir tir;
  Findings found;
  if (parse(text, &tir, &found) != RUT_OK) fail_msg("%s", found.text);
  assert_int_equal(found.warnings, 2);
  assert_near(number(&tir, "pdy1"), 0.73151, 0);
  assert_near(number(&tir, "pky1"), -12.265, 0);
  assert_near(number(&tir, "kpumax"), 0.8, 0);
  assert_int_equal(tir.curve[0].points, 21);
  assert_near(tir.curve[0].point[41], 54758, 0);
  // 60 psi, as its name says
  assert_near(number(&tir, "ip"), 60 * 6894.757293168361, 1e3);
  assert_near(number(&tir, "ip_nom"), number(&tir, "ip"), 0);
  assert_non_null(strstr(found.text, "4.14 is taken for bar"));
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

// ---- MF-Tyre 6 ----

// A set of MF-Tyre 6.1 with terms that PAC2002 has not.
#define SIX(more)                                                                                 \
  "[MODEL]\nFITTYP = 61\nUSE_MODE = 124\nPROPERTY_FILE_FORMAT = 'USER'\nLONGVL = 16.6\n"          \
  "[DIMENSION]\nUNLOADED_RADIUS = 0.4\nWIDTH = 0.25\n[OPERATING_CONDITIONS]\nINFLPRES = 260000\n" \
  "NOMPRES = 250000\n[VERTICAL]\nFNOMIN = 6000\nVERTICAL_STIFFNESS = 300000\nQ_FZ2 = 15\n"        \
  "[STRUCTURAL]\nLONGITUDINAL_STIFFNESS = 390000\n[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\n"      \
  "PDX1 = 1\nPKX1 = 22\n[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = 0.9\nPKY1 = -28\nPKY2 = 3.3\n" \
  "PVY3 = -0.1\n[ALIGNING_COEFFICIENTS]\nQDZ1 = 0.1\nPPZ1 = 0.9\n" more

// Cornering stiffness over the nominal load of a PAC2002 set, at a load over this.
static double stiffness_2002(const rutTir* tir, double q) {
  return number(tir, "pky1") * sin(2 * atan(q / number(tir, "pky2")));
}

// The same terms give the same numbers; other ones the same stiffness, and slope over the load, at
// the nominal load; the load over the deflection is that of its polynomial.
static void test_six(void** state) {
  static rutTir tir;
  Findings found;
  (void)state;
  assert_int_equal(parse(SIX("PKY4 = 2\n"), &tir, &found), RUT_OK);
  assert_near(number(&tir, "pky1"), -28, 1e-12);
  assert_near(number(&tir, "pky2"), 3.3, 1e-12);
  assert_near(number(&tir, "use_mode"), 14, 0);
  assert_near(number(&tir, "ip"), 260000, 0);
  assert_near(number(&tir, "ip_nom"), 250000, 0);
  assert_near(number(&tir, "qpz1"), 0.9, 1e-12);
  assert_near(number(&tir, "longitudinal_stiffness"), 390000, 0);

  assert_int_equal(parse(SIX("PKY4 = 1.6\nPKY6 = -1.2\nPEY5 = 1\n"), &tir, &found), RUT_OK);
  assert_non_null(strstr(found.text, "PEY5"));
  const double h = 1e-5, at = -28 * sin(1.6 * atan(1 / 3.3));
  const double slope =
      -28 * (sin(1.6 * atan((1 + h) / 3.3)) - sin(1.6 * atan((1 - h) / 3.3))) / (2 * h);
  assert_near(stiffness_2002(&tir, 1), at, 1e-9);
  assert_near((stiffness_2002(&tir, 1 + h) - stiffness_2002(&tir, 1 - h)) / (2 * h), slope, 1e-5);
  // between 0.7 and 1.4 times the nominal load they are within 1 %
  for (double q = 0.7; q < 1.45; q += 0.1) {
    assert_near(stiffness_2002(&tir, q), -28 * sin(1.6 * atan(q / 3.3)), 0.01 * fabs(at));
  }
  // camber thrust: K_y S_Hy + S_Vy is PKY6 F_z g at the nominal load
  assert_near(number(&tir, "phy3") * at + number(&tir, "pvy3"), -1.2, 1e-9);

  const rutTirCurve* curve = &tir.curve[0];
  assert_true(curve->points > 8);
  const double a = sqrt(pow(300000 * 0.4 / 6000, 2) - 4 * 15);
  for (int i = 0; i < curve->points; i++) {
    const double z = curve->point[2 * i] / 0.4;
    assert_near(curve->point[2 * i + 1], 6000 * (a * z + 15 * z * z), 1e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),         cmocka_unit_test(test_units),
      cmocka_unit_test(test_unknown),        cmocka_unit_test(test_six),
      cmocka_unit_test(test_wrong),          cmocka_unit_test(test_signs),
      cmocka_unit_test(test_other_programs), cmocka_unit_test(test_maker_pressure),
      cmocka_unit_test(test_fed_alpha),      cmocka_unit_test(test_hmmwv),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
