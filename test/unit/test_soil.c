// SPDX-License-Identifier: BSD-3-Clause
//
// Soils against published tables, numbers recorded from MAVS, closed forms, and what holds for any
// of them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <cmocka.h>

#include "assert_near.h"
#include "base/units.h"
#include "rut/component.h"

extern const rutSoilType rut_soil_magic_formula, rut_soil_clay, rut_soil_sand, rut_soil_brixius;

enum { MAX_NUMBERS = 64 };

// A soil with its numbers.
typedef struct Soil {
  const rutSoilType* type;
  double param[MAX_NUMBERS], derived[MAX_NUMBERS];
} Soil;

static void set(Soil* soil, const char* field, double value) {
  const rutComponent* base = &soil->type->base;
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, field) == 0) {
      soil->param[i] = value;
      if (soil->type->derive) soil->type->derive(soil->param, soil->derived);
      return;
    }
  }
  fail_msg("no field %s", field);
}

static Soil soil_of(const rutSoilType* type) {
  Soil soil = {.type = type};
  assert_true(type->base.fields <= MAX_NUMBERS && type->derived <= MAX_NUMBERS);
  for (int i = 0; i < type->base.fields; i++) soil.param[i] = type->base.field[i].def;
  if (type->derive) type->derive(soil.param, soil.derived);
  return soil;
}

enum { DRY, WET, SNOW, ICE, GRAVEL, USER };
static Soil surface(int which) {
  Soil soil = soil_of(&rut_soil_magic_formula);
  set(&soil, "surface", which);
  return soil;
}

// One wheel; the numbers of rutTractionIn in order.
typedef struct Wheel {
  double slip_x, slip_y, load, deflection, diameter, width, section, crossover, strength, friction;
} Wheel;
typedef struct Traction {
  double mu_x, mu_y, secant_x, secant_y, normalised_slip, resistance, peak;
} Traction;

// Tyre of the digest's checks: 37x12.5 class under a quarter of a truck.
static Wheel truck_wheel(double slip) {
  return (Wheel){.slip_x = slip,
                 .load = 6500,
                 .deflection = 0.03,
                 .diameter = 0.94,
                 .width = 0.3175,
                 .section = 0.2604,
                 .crossover = 0.0873,
                 .strength = NAN,
                 .friction = NAN};
}

static Traction traction(const Soil* soil, Wheel w) {
  Traction t = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const rutTractionIn in = {&w.slip_x, &w.slip_y,  &w.load,      &w.deflection, &w.diameter,
                            &w.width,  &w.section, &w.crossover, &w.strength,   &w.friction};
  const rutTractionOut out = {&t.mu_x,       &t.mu_y, &t.secant_x, &t.secant_y, &t.normalised_slip,
                              &t.resistance, &t.peak};
  soil->type->traction(soil->param, soil->derived, 1, &in, &out);
  return t;
}
static double mu_x(const Soil* soil, double slip) { return traction(soil, truck_wheel(slip)).mu_x; }

// --- Recorded tables --------------------------------------------------------------------------

enum { MAX_COLUMNS = 20, LINE = 1024 };
typedef struct Table {
  gzFile file;
  int columns;
  char header[LINE], line[LINE];
  char *name[MAX_COLUMNS], *cell[MAX_COLUMNS];
} Table;

static int split(char* line, char** cell) {
  int n = 0;
  line[strcspn(line, "\r\n")] = '\0';
  for (char* at = line; at && n < MAX_COLUMNS; n++) {
    cell[n] = at;
    at = strchr(at, ',');
    if (at) *at++ = '\0';
  }
  return n;
}
static bool open_table(Table* table, const char* path) {
  table->file = gzopen(path, "rb");
  if (!table->file || !gzgets(table->file, table->header, LINE)) {
    print_message("no %s\n", path);
    return false;
  }
  table->columns = split(table->header, table->name);
  return true;
}
static bool next_row(Table* table) {
  return gzgets(table->file, table->line, LINE) &&
         split(table->line, table->cell) == table->columns;
}
static const char* text_of(const Table* table, const char* name) {
  for (int i = 0; i < table->columns; i++) {
    if (strcmp(table->name[i], name) == 0) return table->cell[i];
  }
  fail_msg("no column %s", name);
  return "";
}
static double number_of(const Table* table, const char* name) {
  return strtod(text_of(table, name), NULL);
}

// --- Hard ground ------------------------------------------------------------------------------

// Magic Formula with libm, and the published coefficients.
typedef struct Coefficients {
  double b, c, d, e;
} Coefficients;
static double magic(Coefficients k, double x) {
  const double bx = k.b * x;
  return k.d * sin(k.c * atan(bx - k.e * (bx - atan(bx))));
}

static void test_table_of_surfaces(void** state) {
  static const struct {
    int which;
    double peak, at, full, at_002, at_005;
  } rows[] = {{DRY, 1.0, 0.1802, 0.91452, 0.36202, 0.73562},
              {WET, 0.82, 0.0882, 0.63717, 0.41599, 0.74493},
              {SNOW, 0.3, 0.3115, 0.28551, 0.05921, 0.13867},
              {ICE, 0.1, 0.3894, 0.09615, 0.01586, 0.03800}};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const Soil soil = surface(rows[i].which);
    assert_near(mu_x(&soil, rows[i].at), rows[i].peak, 1e-6);
    assert_near(mu_x(&soil, 1.0), rows[i].full, 5e-6);
    assert_near(mu_x(&soil, 3.0), rows[i].full, 5e-6);  // nothing is published beyond full slip
    assert_near(mu_x(&soil, 0.02), rows[i].at_002, 5.5e-6);
    assert_near(mu_x(&soil, 0.05), rows[i].at_005, 5e-6);
    // `use` is 1 at the peak: its slip has four digits in the table
    assert_near(traction(&soil, truck_wheel(rows[i].at)).normalised_slip, 1.0, 1e-3);
    double most = 0.0;
    for (int k = 0; k <= 10000; k++) most = fmax(most, mu_x(&soil, k * 1e-4));
    assert_near(most, rows[i].peak, 1e-6);
    assert_true(most <= rows[i].peak);
  }
}

// Adhesion of gravel: peak 0.6, sliding 0.55 (Wong).
static void test_gravel(void** state) {
  const Soil soil = surface(GRAVEL);
  double most = 0.0;
  (void)state;
  for (int k = 0; k <= 1000; k++) most = fmax(most, mu_x(&soil, k * 1e-3));
  assert_near(most, 0.6, 1e-4);
  assert_near(mu_x(&soil, 1.0), 0.55, 5e-3);
}

// Column mu_doc is in single precision. On ice it has B = 10; the code of MAVS has 4, which is
// right.
static void test_recorded_hard_ground(void** state) {
  static const char* const names[] = {"dry", "wet", "snow", "ice"};
  static Table table;
  int rows = 0, ice = 0;
  (void)state;
  if (!open_table(&table, RUT_SHARED_DIR "/data/mavs/hard_longitudinal.csv.gz")) skip();
  while (next_row(&table)) {
    int which = DRY;  // "paved" is dry
    for (int i = 0; i < 4; i++) {
      if (strcmp(text_of(&table, "surface"), names[i]) == 0) which = i;
    }
    const Soil soil = surface(which);
    Wheel w = truck_wheel(number_of(&table, "slip"));
    w.load = number_of(&table, "W_N");
    const char* column = which == ICE ? "mu_code" : "mu_doc";
    assert_near(traction(&soil, w).mu_x, number_of(&table, column), 3e-7);
    rows++;
    ice += which == ICE;
  }
  gzclose(table.file);
  assert_true(rows == 4221 && ice == 825);
}

// Lateral force D (1 - exp(-alpha/gamma)), on ice with the limit of ice.
static void test_side_force(void** state) {
  static const double limit[] = {1.0, 0.82, 0.3, 0.1};
  (void)state;
  for (int i = DRY; i <= ICE; i++) {
    const Soil soil = surface(i);
    Wheel w = truck_wheel(0.0);
    w.slip_y = tan(0.2);
    assert_near(traction(&soil, w).mu_y, -limit[i] * (1.0 - exp(-0.2 / 0.0873)), 1e-9);
    w.crossover = 0.262;
    assert_near(traction(&soil, w).mu_y, -limit[i] * (1.0 - exp(-0.2 / 0.262)), 1e-9);
    // sideways at 90 degrees
    w.slip_y = -1e5;
    assert_near(traction(&soil, w).mu_y, limit[i] * (1.0 - exp(-acos(0.0) / 0.262)), 1e-5);
  }
}

static void test_side_force_by_magic_formula(void** state) {
  Soil soil = surface(WET);
  Wheel w = truck_wheel(0.0);
  (void)state;
  set(&soil, "lateral", 1);
  w.slip_y = 0.05;
  assert_near(traction(&soil, w).mu_y, -0.74493, 5e-6);
  w.slip_y = -0.0882;
  assert_near(traction(&soil, w).mu_y, 0.82, 1e-6);
  assert_near(traction(&soil, w).normalised_slip, 1.0, 1e-3);
  w.slip_y = 100.0;
  assert_near(traction(&soil, w).mu_y, -0.63717, 5e-6);
  set(&soil, "surface", USER);
  set(&soil, "b_y", 7);
  set(&soil, "c_y", 1.4);
  set(&soil, "d_y", 0.9);
  set(&soil, "e_y", -0.5);
  w.slip_y = 0.12;
  assert_near(traction(&soil, w).mu_y, -magic((Coefficients){7, 1.4, 0.9, -0.5}, 0.12), 1e-14);
}

static void test_friction_of_the_place(void** state) {
  Soil soil = surface(WET);
  Wheel w = truck_wheel(0.0882);
  (void)state;
  w.friction = 0.5;
  assert_near(traction(&soil, w).mu_x, 0.5, 1e-6);
  w.slip_x = -1.0;
  assert_near(traction(&soil, w).mu_x, -0.63717 * 0.5 / 0.82, 5e-6);
  w.slip_x = 0.0;
  w.slip_y = 10.0;
  assert_near(traction(&soil, w).mu_y, -0.5, 1e-6);
  w.friction = 0.0;
  assert_near(traction(&soil, w).mu_y, 0.0, 0.0);
  // the largest coefficient counts, shifts included
  set(&soil, "surface", USER);
  set(&soil, "vertical_shift", 0.1);
  w = truck_wheel(0.1802);
  assert_near(traction(&soil, w).mu_x, 1.1, 1e-6);
  w.friction = 0.5;
  assert_near(traction(&soil, w).mu_x, 0.5, 1e-4);
}

// From the peak slip on the published curve with both shifts; below, no force without slip, and
// none along the slip.
static void test_shifts(void** state) {
  const Coefficients k = {8, 1.7, 0.8, 0.5};
  Soil soil = surface(USER);
  (void)state;
  set(&soil, "b", k.b);
  set(&soil, "c", k.c);
  set(&soil, "d", k.d);
  set(&soil, "e", k.e);
  assert_near(mu_x(&soil, 0.07), magic(k, 0.07), 1e-14);
  set(&soil, "horizontal_shift", 0.02);
  set(&soil, "vertical_shift", -0.03);
  for (int i = 3; i <= 10; i++) {
    const double s = 0.1 * i;
    assert_near(mu_x(&soil, s), magic(k, s + 0.02) - 0.03, 1e-14);
    assert_near(mu_x(&soil, -s), magic(k, -s + 0.02) - 0.03, 1e-14);
  }
  assert_near(mu_x(&soil, 0.0), 0.0, 0.0);
  double driving = 0.0, braking = 0.0;
  for (int i = -1000; i <= 1000; i++) {
    const double slip = 1e-3 * i, mu = mu_x(&soil, slip);
    assert_true(mu * slip >= 0.0);
    if (mu > mu_x(&soil, driving)) driving = slip;
    if (mu < mu_x(&soil, braking)) braking = slip;
  }
  // the two peaks lie apart, and each counts as use 1
  assert_true(driving < -0.9 * braking);
  assert_near(traction(&soil, truck_wheel(driving)).normalised_slip, 1.0, 5e-3);
  assert_near(traction(&soil, truck_wheel(braking)).normalised_slip, 1.0, 5e-3);
}

static void test_shifts_are_checked(void** state) {
  Soil soil = surface(USER);
  rutError err;
  (void)state;
  const rutComponent* base = &soil.type->base;
  assert_int_equal(base->check(soil.param, &err), RUT_OK);
  set(&soil, "horizontal_shift", -0.2);
  assert_int_equal(base->check(soil.param, &err), RUT_ERR_MODEL);
  set(&soil, "horizontal_shift", -0.1);
  assert_int_equal(base->check(soil.param, &err), RUT_OK);
  set(&soil, "vertical_shift", 1.0);
  assert_int_equal(base->check(soil.param, &err), RUT_ERR_MODEL);
  // they are of no account on a surface of the table
  set(&soil, "surface", DRY);
  assert_int_equal(base->check(soil.param, &err), RUT_OK);
  assert_near(mu_x(&soil, 1.0), 0.91452, 5e-6);
}

static void test_rolling_resistance(void** state) {
  Soil soil = surface(SNOW);
  (void)state;
  assert_near(traction(&soil, truck_wheel(0.3)).resistance, 0.01, 0.0);
  set(&soil, "rolling_resistance", 0.04);
  assert_near(traction(&soil, truck_wheel(0.0)).resistance, 0.04, 0.0);
}

// --- Clay -------------------------------------------------------------------------------------

// Net traction and resistance of the truck wheel at slip 0.2.
static void test_clay(void** state) {
  static const double rows[][3] = {{200e3, 0.1748, 0.1595},
                                   {300e3, 0.3908, 0.0748},
                                   {600e3, 0.6827, 0.0239},
                                   {1500e3, 0.8358, 0.0097}};
  Soil soil = soil_of(&rut_soil_clay);
  (void)state;
  for (int i = 0; i < 4; i++) {
    set(&soil, "cone_index", rows[i][0]);
    const Traction t = traction(&soil, truck_wheel(0.2));
    assert_near(t.mu_x - t.resistance, rows[i][1], 5e-5);
    assert_near(t.resistance, rows[i][2], 5e-5);
    assert_near(mu_x(&soil, -0.2), -t.mu_x, 0.0);
  }
  // the place's strength goes first
  Wheel w = truck_wheel(0.2);
  w.strength = 300e3;
  assert_near(traction(&soil, w).mu_x, 0.3908 + 0.0748, 1e-4);
}

// N_c 4.435 has S_sp = 21/N_c^2.5 + 0.005 = 0.5122: there net traction is zero; below, gross is
// straight.
static void test_clay_below_self_propelled_slip(void** state) {
  const double slip = 21.0 / pow(4.435, 2.5) + 0.005;
  Soil soil = soil_of(&rut_soil_clay);
  (void)state;
  set(&soil, "cone_index", 100e3);
  const Traction at = traction(&soil, truck_wheel(slip));
  assert_near(at.resistance, 0.6170, 5e-5);
  assert_near(at.mu_x - at.resistance, 0.0, 5e-4);
  assert_near(mu_x(&soil, 0.5 * slip), 0.5 * 0.6170, 5e-4);
  assert_near(mu_x(&soil, 0.0), 0.0, 0.0);
  assert_near(traction(&soil, truck_wheel(0.0)).secant_x, 0.6170 / slip, 5e-4);
  assert_true(mu_x(&soil, 0.9) > at.mu_x);
}

// Never more than the load, on ground that would give 1.2 times.
static void test_clay_is_bounded(void** state) {
  Soil soil = soil_of(&rut_soil_clay);
  Wheel w = truck_wheel(1.0);
  (void)state;
  set(&soil, "cone_index", 5e6);
  assert_near(traction(&soil, w).mu_x, 0.9, 0.0);
  set(&soil, "rubber_friction", 0.7);
  assert_near(traction(&soil, w).mu_x, 0.7, 0.0);
  set(&soil, "rubber_friction", 0.9);
  w.slip_x = 0.0;
  w.slip_y = -1e3;
  assert_near(traction(&soil, w).mu_y, 0.9, 1e-7);
  // a deflection beyond 0.9 section heights counts as that
  set(&soil, "cone_index", 1e5);
  w = truck_wheel(0.2);
  w.deflection = 0.9 * w.section;
  const double limit = traction(&soil, w).mu_x;
  w.deflection = 1.5 * w.section;
  assert_near(traction(&soil, w).mu_x, limit, 0.0);
  // at N_c = 1 the fits end, with R = 12 + 0.007
  w.load = 1e8;
  assert_near(traction(&soil, w).resistance, 12.007, 1e-12);
}

// The table has six digits.
static void test_recorded_clay(void** state) {
  static Table table;
  int rows = 0;
  (void)state;
  if (!open_table(&table, RUT_SHARED_DIR "/data/mavs/clay_longitudinal.csv.gz")) skip();
  Soil soil = soil_of(&rut_soil_clay);
  set(&soil, "variant", 1);
  while (next_row(&table)) {
    const Wheel w = {.slip_x = number_of(&table, "slip"),
                     .load = number_of(&table, "W_N"),
                     .deflection = number_of(&table, "delta_m"),
                     .diameter = number_of(&table, "d_m"),
                     .width = number_of(&table, "b_m"),
                     .section = number_of(&table, "h_m"),
                     .crossover = 0.1,
                     .strength = number_of(&table, "CI_Pa"),
                     .friction = NAN};
    const Traction t = traction(&soil, w);
    const double want = number_of(&table, "doc_mu_unclamped");
    assert_near(t.mu_x, want, 1e-6 + 5e-6 * fabs(want));
    assert_near(t.resistance, 0.0, 0.0);
    rows++;
  }
  gzclose(table.file);
  assert_int_equal(rows, 1854);
}

// --- Sand -------------------------------------------------------------------------------------

// Resistance at given mobility numerics CI (b d)^1.5/N in inches, of a wheel without deflection.
static void test_sand_resistance(void** state) {
  static const double rows[][3] = {{50, 0.760, 5e-4},   {100, 0.571, 5e-4},   {200, 0.282, 5e-4},
                                   {400, 0.0942, 5e-5}, {1000, 0.0337, 5e-5}, {1e8, 0.00999, 5e-6}};
  const Soil soil = soil_of(&rut_soil_sand);
  Wheel w = truck_wheel(0.1);
  (void)state;
  w.deflection = 0.0;
  for (int i = 0; i < 6; i++) {
    w.strength = 1e6;
    w.load = w.strength * pow(w.width * w.diameter, 1.5) / (rows[i][0] * 0.0254);
    assert_near(traction(&soil, w).resistance, rows[i][1], rows[i][2]);
  }
  // immobile
  w.load = 1e9;
  assert_near(traction(&soil, w).resistance, 0.963, 5e-4);
  // N* = 669 gives 0.050 for the truck wheel at 600 kPa, beside the part of its deflection
  w = truck_wheel(0.1);
  w.strength = 600e3;
  assert_near(traction(&soil, w).resistance, 0.050 + 0.05 * 0.03 / 0.2604, 5e-4);
}

// T = X - X Y/(N_s + 10 + Y).
static double sand_closed_form(double numeric, double slip) {
  const double y = 4.71 + 1.72 / slip;
  return 0.66 - 0.66 * y / (numeric + 10.0 + y);
}

static void test_sand_traction(void** state) {
  const Soil soil = soil_of(&rut_soil_sand);
  Wheel w = truck_wheel(0.3);
  (void)state;
  // N_s = 19.7
  w.strength = 600e3;
  assert_near(traction(&soil, w).mu_x, sand_closed_form(19.68, 0.3), 2e-4);
  // MRZR at 60 psi and 4 kN, deflected by a fifth: 13.8
  w = (Wheel){.slip_x = -0.2,
              .load = 4000,
              .deflection = 0.2 * 0.1651,
              .diameter = 0.6604,
              .width = 0.2286,
              .section = 0.1651,
              .crossover = 0.1,
              .strength = 60 * 6894.757,
              .friction = NAN};
  assert_near(traction(&soil, w).mu_x, -sand_closed_form(13.8, 0.2), 1e-3);
  // limits: none at no slip, 0.66 on ground that does not yield
  w.slip_x = 0.0;
  assert_near(traction(&soil, w).mu_x, 0.0, 0.0);
  w.slip_x = 1.0;
  w.strength = 1e9;
  assert_near(traction(&soil, w).mu_x, 0.66, 5e-4);
  // the slope at no slip, X (N_s + 10)/1.72, ends at N_s = 10^4
  w.slip_x = 0.0;
  w.load = 0.0;
  assert_near(traction(&soil, w).secant_x, 0.66 * 10010.0 / 1.72, 0.1);
}

// The published resistance takes newtons for a numeric: 19.2 times the load at 4 kN, 30.6 at 6.5.
static void test_sand_as_published(void** state) {
  Soil soil = soil_of(&rut_soil_sand);
  Wheel w = truck_wheel(0.0);
  (void)state;
  set(&soil, "variant", 1);
  assert_near(traction(&soil, w).mu_x, -30.6, 0.05);
  assert_near(traction(&soil, w).resistance, 0.0, 0.0);
  w.load = 4000;
  assert_near(traction(&soil, w).mu_x, -19.2, 0.05);
  // N_s of the MRZR comes out as 0.35
  w = (Wheel){.slip_x = 1.0,
              .load = 4000,
              .deflection = 0.2 * 0.1651,
              .diameter = 0.6604,
              .width = 0.2286,
              .section = 0.1651,
              .crossover = 0.1,
              .strength = 60 * 6894.757,
              .friction = NAN};
  const double full = traction(&soil, w).mu_x;
  w.slip_x = 0.0;
  assert_near(full - traction(&soil, w).mu_x, sand_closed_form(0.35, 1.0), 1e-3);
}

// --- Brixius ----------------------------------------------------------------------------------

// Numbers without the 0.04 of the gross traction: at B_n 15.3 gross 0.536 and net 0.405, at 80
// 0.683 and 0.620; with it both are 0.04 more.
static void test_brixius(void** state) {
  static const double rows[][3] = {{15.3, 0.536, 0.405}, {80.0, 0.683, 0.620}};
  const Soil soil = soil_of(&rut_soil_brixius);
  (void)state;
  for (int i = 0; i < 2; i++) {
    Wheel w = truck_wheel(0.2);
    w.deflection = 0.0;
    w.strength = rows[i][0] * w.load * (1.0 + 3.0 * w.width / w.diameter) / (w.width * w.diameter);
    const Traction t = traction(&soil, w);
    assert_near(t.mu_x, rows[i][1] + 0.04, 6e-4);
    assert_near(t.mu_x - t.resistance, rows[i][2] + 0.04, 6e-4);
  }
}

// By hand: C_n = 27.5492, B_n = 21.5659 for the truck wheel at 600 kPa.
static void test_brixius_by_hand(void** state) {
  Soil soil = soil_of(&rut_soil_brixius);
  Wheel w = truck_wheel(0.2);
  (void)state;
  w.strength = 600e3;
  Traction t = traction(&soil, w);
  assert_near(t.mu_x, 0.644535, 1e-6);
  assert_near(t.resistance, 0.107903, 1e-6);
  w.slip_x = -0.2;
  assert_near(traction(&soil, w).mu_x, -t.mu_x, 0.0);
  assert_near(traction(&soil, w).resistance, t.resistance, 0.0);
  set(&soil, "ply", 1);
  t = traction(&soil, w);
  assert_near(t.mu_x, -0.715376, 1e-6);
  assert_near(t.resistance, 0.095766, 1e-6);
  // towed: 1/B_n + 0.04, no torque
  set(&soil, "ply", 0);
  w.slip_x = 0.0;
  assert_near(traction(&soil, w).mu_x, 0.0, 0.0);
  assert_near(traction(&soil, w).resistance, 0.086370, 1e-6);
}

// Largest lateral force: what the ground gives forward at full slip.
static void test_side_force_on_soft_ground(void** state) {
  const rutSoilType* types[] = {&rut_soil_clay, &rut_soil_sand, &rut_soil_brixius};
  (void)state;
  for (int i = 0; i < 3; i++) {
    const Soil soil = soil_of(types[i]);
    Wheel w = truck_wheel(1.0);
    w.strength = 250e3;
    const double limit = traction(&soil, w).mu_x;
    assert_true(limit > 0.3 && limit < 0.95);
    w.slip_x = 0.0;
    w.slip_y = tan(0.15);
    assert_near(traction(&soil, w).mu_y, -limit * (1.0 - exp(-0.15 / 0.0873)), 1e-12);
  }
}

// --- What holds for every soil ----------------------------------------------------------------

enum { SOILS = 10 };
static int all_soils(Soil* soils) {
  int n = 0;
  for (int i = DRY; i <= GRAVEL; i++) soils[n++] = surface(i);
  soils[n] = surface(WET);
  set(&soils[n++], "lateral", 1);
  soils[n++] = soil_of(&rut_soil_clay);
  soils[n++] = soil_of(&rut_soil_sand);
  soils[n++] = soil_of(&rut_soil_brixius);
  soils[n] = soil_of(&rut_soil_brixius);
  set(&soils[n++], "ply", 1);
  return n;
}

static const double some_slips[] = {0.0,  1e-300, 1e-12, 1e-6, 1e-3, 0.01,
                                    0.05, 0.2,    0.5,   1.0,  3.0,  1e9};
enum { SLIPS = sizeof some_slips / sizeof some_slips[0] };

static bool all_finite(Traction t) {
  return isfinite(t.mu_x) && isfinite(t.mu_y) && isfinite(t.secant_x) && isfinite(t.secant_y) &&
         isfinite(t.normalised_slip) && isfinite(t.resistance);
}

// Forces oppose slip, mirror it, are secant times slip, and never leave the range of numbers.
static void test_signs_and_symmetry(void** state) {
  static const double loads[] = {0.0, 1e-3, 500.0, 1e4, 1e300};
  static Soil soils[SOILS];
  const int n = all_soils(soils);
  (void)state;
  for (int i = 0; i < n * SLIPS * SLIPS * 5; i++) {
    const Soil* soil = &soils[i / (SLIPS * SLIPS * 5)];
    Wheel w = truck_wheel(some_slips[i % SLIPS]);
    w.slip_y = some_slips[i / SLIPS % SLIPS];
    w.load = loads[i / (SLIPS * SLIPS) % 5];
    w.deflection = w.load > 0.0 ? 0.02 : 0.0;
    const Traction t = traction(soil, w);
    assert_true(all_finite(t));
    assert_true(t.mu_x * w.slip_x >= 0.0 && t.mu_y * w.slip_y <= 0.0);
    assert_true(t.secant_x >= 0.0 && t.secant_y >= 0.0 && t.normalised_slip >= 0.0 &&
                t.resistance >= 0.0);
    if (w.slip_x <= 3.0 && w.slip_y <= 3.0) {
      assert_near(t.mu_x, t.secant_x * w.slip_x, 1e-12);
      assert_near(t.mu_y, -t.secant_y * w.slip_y, 1e-12);
    }
    w.slip_x = -w.slip_x;
    w.slip_y = -w.slip_y;
    const Traction back = traction(soil, w);
    assert_near(back.mu_x, -t.mu_x, 1e-9);
    assert_near(back.mu_y, -t.mu_y, 0.0);
    assert_near(back.resistance, t.resistance, 0.0);
  }
}

// The published variants, which resist even without slip, stay finite as well.
static void test_published_stays_finite(void** state) {
  static const double loads[] = {0.0, 500.0, 1e300};
  (void)state;
  for (int i = 0; i < 2 * SLIPS * 3; i++) {
    Soil soil = soil_of(i % 2 ? &rut_soil_clay : &rut_soil_sand);
    set(&soil, "variant", 1);
    Wheel w = truck_wheel(some_slips[i / 2 % SLIPS]);
    w.load = loads[i / (2 * SLIPS)];
    assert_true(all_finite(traction(&soil, w)));
    w.slip_x = -w.slip_x;
    const Traction t = traction(&soil, w);
    assert_true(all_finite(t) && t.secant_x >= 0.0);
    w.slip_x = 1e-5;
    if (i / 2 % SLIPS > 0) assert_near(traction(&soil, w).mu_x, t.mu_x, 0.0);
  }
}

// At no slip the secants are the slopes of the curves.
static void test_secants_are_slopes_at_rest(void** state) {
  static Soil soils[SOILS];
  const int n = all_soils(soils);
  (void)state;
  for (int i = 0; i < n; i++) {
    const double step = 1e-7;
    Wheel w = truck_wheel(0.0);
    const Traction rest = traction(&soils[i], w);
    w.slip_x = step;
    assert_near(rest.secant_x * step / traction(&soils[i], w).mu_x, 1.0, 1e-4);
    w.slip_x = 0.0;
    w.slip_y = step;
    assert_near(rest.secant_y * step / -traction(&soils[i], w).mu_y, 1.0, 1e-4);
  }
  // B C D of dry ground; D/gamma
  const Traction dry = traction(&soils[DRY], truck_wheel(0.0));
  assert_near(dry.secant_x, 19.0, 1e-6);
  assert_near(dry.secant_y, 1.0 / 0.0873, 1e-6);
}

// Inside the ellipse of the largest forces along either axis, and opposed to the slip.
static void test_combined_slip(void** state) {
  static Soil soils[SOILS];
  const int n = all_soils(soils);
  (void)state;
  for (int i = 0; i < n; i++) {
    double most_x = 0.0, most_y = 0.0;
    Wheel w = truck_wheel(0.0);
    for (int k = 0; k <= 20000; k++) {
      w.slip_x = 5e-5 * k;
      w.slip_y = 0.0;
      most_x = fmax(most_x, traction(&soils[i], w).mu_x);
      w.slip_x = 0.0;
      w.slip_y = tan(acos(-1.0) / 2 * 4.9999e-5 * k);
      most_y = fmax(most_y, -traction(&soils[i], w).mu_y);
    }
    for (int k = 0; k < 40 * 40; k++) {
      w.slip_x = -1.0 + 2.0 / 39 * (k % 40);
      w.slip_y = -1.5 + 3.0 / 39 * (double)(k / 40);
      const Traction t = traction(&soils[i], w);
      const double x = t.mu_x / most_x, y = t.mu_y / most_y;
      assert_true(x * x + y * y <= 1.0 + 1e-6);
    }
  }
}

// By hand, dry: slip 0.1802 at tan(3 gamma) has rho = sqrt 2 and both shares sqrt(1/2).
static void test_combined_slip_by_hand(void** state) {
  const Soil soil = surface(DRY);
  Wheel w = truck_wheel(0.1802);
  (void)state;
  w.slip_y = tan(3 * w.crossover);
  const Traction t = traction(&soil, w);
  const double forward = magic((Coefficients){10, 1.9, 1.0, 0.97}, sqrt(2.0) * 0.1802);
  const double sideways = 1.0 - exp(-atan(sqrt(2.0) * w.slip_y) / w.crossover);
  assert_near(t.normalised_slip, sqrt(2.0), 3e-4);
  assert_near(t.mu_x, sqrt(0.5) * forward, 2e-4);
  assert_near(t.mu_y, -sqrt(0.5) * sideways, 2e-4);
}

// Largest change of an output between two inputs, relative to its size.
static double change(Traction a, Traction b) {
  const double* x = (const double*)&a;
  const double* y = (const double*)&b;
  double most = 0.0;
  for (int i = 0; i < 6; i++) {
    most = fmax(most, fabs(x[i] - y[i]) / (1.0 + fmax(fabs(x[i]), fabs(y[i]))));
  }
  return most;
}

// Halves the interval where an input changes the outputs most, until nothing but a jump is left.
static void assert_no_jump(const Soil* soil, Wheel w, int which, double low, double high) {
  double* input = (double*)&w + which;
  *input = low;
  Traction at_low = traction(soil, w);
  *input = high;
  Traction at_high = traction(soil, w);
  for (int k = 0; k < 50 && change(at_low, at_high) > 1e-8; k++) {
    const double middle = 0.5 * (low + high);
    *input = middle;
    const Traction at = traction(soil, w);
    if (change(at_low, at) > change(at, at_high)) {
      high = middle;
      at_high = at;
    } else {
      low = middle;
      at_low = at;
    }
  }
  if (change(at_low, at_high) > 1e-6) {
    fail_msg("%s jumps by %g at %.17g", soil->type->base.name, change(at_low, at_high), low);
  }
}

// Each input in turn over its range and beyond, from a few states of the others.
static void scan_inputs(const Soil* soil) {
  static const double low[] = {-1.5, -3, 0, 0, 0.3, 0.05, 0.1, 0.0, 0.0, 0.0};
  static const double high[] = {1.5, 3, 3e4, 0.4, 1.5, 0.6, 0.5, 0.9, 2e6, 1.2};
  static const Wheel from[] = {
      {0.0, 0.0, 4000, 0.03, 0.9, 0.3, 0.2, 0.1, 3e5, 0.5},
      {0.02, 0.01, 7000, 0.05, 0.8, 0.25, 0.2, 0.2, 1e5, 0.9},
      {-0.4, 0.3, 2000, 0.0, 0.7, 0.2, 0.15, 0.09, 1e6, 0.1},
  };
  for (int k = 0; k < 3 * 10; k++) {
    const int input = k % 10;
    const double step = (high[input] - low[input]) / 200;
    for (int j = 0; j < 200; j++) {
      const double at = low[input] + j * step;
      assert_no_jump(soil, from[k / 10], input, at, at + step);
    }
  }
}

static void test_continuity(void** state) {
  static Soil soils[SOILS];
  const int n = all_soils(soils);
  (void)state;
  for (int i = 0; i < n; i++) scan_inputs(&soils[i]);
  Soil published = soil_of(&rut_soil_clay);
  set(&published, "variant", 1);
  scan_inputs(&published);
  published = soil_of(&rut_soil_sand);
  set(&published, "variant", 1);
  scan_inputs(&published);
}

// Wheels do not see each other, and vector code gives the bits of scalar code.
static void test_many_wheels_are_single_wheels(void** state) {
  enum { N = 19 };
  static Soil soils[SOILS];
  const int n = all_soils(soils);
  double in_rows[10][N], out_rows[7][N];
  (void)state;
  for (int s = 0; s < n; s++) {
    Wheel wheels[N];
    for (int i = 0; i < N; i++) {
      wheels[i] = truck_wheel(0.1 * i - 0.9);
      wheels[i].slip_y = sin(3.0 * i);
      wheels[i].load = 400.0 * i;
      wheels[i].deflection = 0.004 * i;
      wheels[i].strength = i % 3 ? 5e4 * (i + 1) : NAN;
      wheels[i].friction = i % 4 ? 0.05 * i : NAN;
      for (int k = 0; k < 10; k++) in_rows[k][i] = ((const double*)&wheels[i])[k];
    }
    const rutTractionIn in = {in_rows[0], in_rows[1], in_rows[2], in_rows[3], in_rows[4],
                              in_rows[5], in_rows[6], in_rows[7], in_rows[8], in_rows[9]};
    const rutTractionOut out = {out_rows[0], out_rows[1], out_rows[2], out_rows[3],
                                out_rows[4], out_rows[5], out_rows[6]};
    soils[s].type->traction(soils[s].param, soils[s].derived, N, &in, &out);
    for (int i = 0; i < N; i++) {
      const Traction alone = traction(&soils[s], wheels[i]);
      for (int k = 0; k < 7; k++) {
        assert_memory_equal(&out_rows[k][i], (const double*)&alone + k, sizeof(double));
      }
    }
  }
}

// Cone indices come in psi and kPa.
static void test_units_of_cone_index(void** state) {
  double value;
  const char* end;
  char message[160];
  (void)state;
  assert_true(rut_parse_quantity("100 psi", "Pa", &value, &end, message));
  assert_near(value, 689475.73, 0.01);
  assert_true(rut_parse_quantity("300 kPa", "Pa", &value, &end, message));
  assert_near(value, 300e3, 1e-9);
  assert_false(rut_parse_quantity("300 kN", "Pa", &value, &end, message));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table_of_surfaces),
      cmocka_unit_test(test_gravel),
      cmocka_unit_test(test_recorded_hard_ground),
      cmocka_unit_test(test_side_force),
      cmocka_unit_test(test_side_force_by_magic_formula),
      cmocka_unit_test(test_friction_of_the_place),
      cmocka_unit_test(test_shifts),
      cmocka_unit_test(test_shifts_are_checked),
      cmocka_unit_test(test_rolling_resistance),
      cmocka_unit_test(test_clay),
      cmocka_unit_test(test_clay_below_self_propelled_slip),
      cmocka_unit_test(test_clay_is_bounded),
      cmocka_unit_test(test_recorded_clay),
      cmocka_unit_test(test_sand_resistance),
      cmocka_unit_test(test_sand_traction),
      cmocka_unit_test(test_sand_as_published),
      cmocka_unit_test(test_brixius),
      cmocka_unit_test(test_brixius_by_hand),
      cmocka_unit_test(test_side_force_on_soft_ground),
      cmocka_unit_test(test_signs_and_symmetry),
      cmocka_unit_test(test_published_stays_finite),
      cmocka_unit_test(test_secants_are_slopes_at_rest),
      cmocka_unit_test(test_combined_slip),
      cmocka_unit_test(test_combined_slip_by_hand),
      cmocka_unit_test(test_continuity),
      cmocka_unit_test(test_many_wheels_are_single_wheels),
      cmocka_unit_test(test_units_of_cone_index),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
