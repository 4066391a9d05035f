// SPDX-License-Identifier: BSD-3-Clause
//
// Deformable soils, wheels in them and the rig on which both are tried. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_BEKKER_FIXTURE_H
#define RUT_TEST_UNIT_BEKKER_FIXTURE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "assert_near.h"
#include "base/units.h"
#include "rut/component.h"
#include "soil/drawbar.h"

extern const rutSoilType rut_soil_bekker;

static const double degree = 3.14159265358979323846 / 180;

enum { MAX_NUMBERS = 256 };
typedef struct Soil {
  double param[MAX_NUMBERS], derived[MAX_NUMBERS];
} Soil;

static inline void set(Soil* soil, const char* field, double value) {
  const rutComponent* base = &rut_soil_bekker.base;
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, field) == 0) {
      assert_true(value >= base->field[i].min && value <= base->field[i].max);
      soil->param[i] = value;
      rut_soil_bekker.derive(soil->param, soil->derived);
      return;
    }
  }
  fail_msg("no field %s", field);
}

enum { SMALLER, WIDTH };
enum { ISOTROPIC, PROJECTED, SEPARATE };
enum { STIFFNESS, RATIO };
enum { FAST, EXACT };

// The defaults, or a preset.
static inline Soil preset(const char* name) {
  Soil soil = {{0}, {0}};
  const rutComponent* base = &rut_soil_bekker.base;
  assert_true(base->fields <= MAX_NUMBERS && rut_soil_bekker.derived <= MAX_NUMBERS);
  for (int i = 0; i < base->fields; i++) soil.param[i] = base->field[i].def;
  int found = 0;
  for (int i = 0; i < base->presets; i++) {
    const rutPreset* p = &base->preset[i];
    for (int k = 0; k < p->values && strcmp(p->name, name) == 0; k++) {
      char message[160];
      const char* end;
      double value;
      const rutPresetValue* v = &p->value[k];
      found++;
      if (strcmp(v->field, "slip_sinkage") == 0) {
        set(&soil, v->field, strcmp(v->value, "lyasko") == 0);
        continue;
      }
      if (strcmp(v->field, "curve") == 0) {
        set(&soil, v->field, strcmp(v->value, "limited") == 0 ? 1 : 2);
        continue;
      }
      if (strcmp(v->field, "dig_in") == 0) {
        set(&soil, v->field, strcmp(v->value, "layer") == 0);
        continue;
      }
      const char* unit = strcmp(v->field, "friction_angle") == 0               ? "rad"
                         : strcmp(v->field, "cohesion") == 0                   ? "Pa"
                         : strncmp(v->field, "shear_deformation_mod", 21) == 0 ? "m"
                                                                               : "";
      assert_true(rut_parse_quantity(v->value, unit, &value, &end, message));
      set(&soil, v->field, value);
    }
  }
  assert_true(found > 0);
  return soil;
}
// As the digest's reference numbers: b is the width, no rebound, the two shears apart, all of soil
// over soil, no slip sinkage.
static inline Soil reference(const char* which, int quadrature) {
  Soil soil = preset(which);
  set(&soil, "plate", WIDTH);
  set(&soil, "rebound", RATIO);
  set(&soil, "shear", SEPARATE);
  set(&soil, "quadrature", quadrature);
  set(&soil, "rubber_share", 0);
  set(&soil, "slip_sinkage", 0);
  set(&soil, "rolling_resistance", 0);
  return soil;
}
// n, k and nothing else: no shear strength, largest pressure at the lowest point.
static inline Soil bare(double n, double k) {
  Soil soil = reference("user", EXACT);
  set(&soil, "exponent", n);
  set(&soil, "k_phi", k);
  set(&soil, "friction_angle", 0);
  set(&soil, "peak_angle", 0);
  set(&soil, "peak_angle_slip", 0);
  return soil;
}

#define RIGID 1e12
typedef struct Wheel {
  double slip_x, slip_y, direction, depth, rate, radius, width, load, k, c, sinkage, pressed;
  double footprint, distance, resistance, passes, pass_slip;
} Wheel;
typedef struct Sunk {
  double load, stiffness, damping, sinkage, rut, pressed, mu_x, mu_y, secant_x, secant_y,
      normalised_slip, resistance, peak, overturning, aligning, footprint, slip_sinkage, pressure;
} Sunk;
enum { INPUTS = sizeof(Wheel) / sizeof(double), OUTPUTS = sizeof(Sunk) / sizeof(double) };

static const double dt = 1e-3;
static inline Sunk sink(const Soil* soil, Wheel w) {
  Sunk s;
  const rutSinkIn in = {
      dt,          &w.slip_x,     &w.slip_y, &w.direction, &w.depth,   &w.rate,    &w.radius,
      &w.width,    &w.load,       &w.k,      &w.c,         &w.sinkage, &w.pressed, &w.footprint,
      &w.distance, &w.resistance, &w.passes, &w.pass_slip, NULL,       NULL};
  const rutSinkOut out = {&s.load,
                          &s.stiffness,
                          &s.damping,
                          &s.sinkage,
                          &s.rut,
                          &s.pressed,
                          &s.mu_x,
                          &s.mu_y,
                          &s.secant_x,
                          &s.secant_y,
                          &s.normalised_slip,
                          &s.resistance,
                          &s.peak,
                          &s.overturning,
                          &s.aligning,
                          &s.footprint,
                          &s.slip_sinkage,
                          &s.pressure};
  rut_soil_bekker.sink(soil->param, soil->derived, 1, &in, &out);
  return s;
}
// A linear tyre whose linearisation is that of the sinkage at hand.
static inline Sunk sink_linear(const Soil* soil, Wheel w) {
  w.load = fmax(w.k * (w.depth - w.sinkage), 0);
  return sink(soil, w);
}

#define WHEEL_OF(r, b, w, k)                                                       \
  {                                                                                \
    .struct_size = sizeof(rutSoilWheel), .radius = (r), .width = (b), .load = (w), \
    .stiffness = (k), .crossover = 0.1                                             \
  }
static const rutSoilWheel truck = WHEEL_OF(0.47, 0.3175, 6500, 0);
static const rutSoilWheel rover = WHEEL_OF(0.09, 0.11, 64.68, 0);

// A steady wheel, with all forces over load, torque over load and rolling radius.
typedef struct Steady {
  double depth, sinkage, rut, pressed, torque, drawbar, side, resistance, peak;
} Steady;
static inline Steady rig(const Soil* soil, rutSoilWheel wheel, double slip, double slip_y) {
  rutSoilPoint p;
  wheel.slip = slip;
  wheel.slip_angle = slip < 1 ? atan(slip_y / (1 - fmax(slip, 0))) : 0;
  assert_true(rut_drawbar(&rut_soil_bekker, soil->param, soil->derived, &wheel, &p));
  const double w = wheel.load, r = wheel.radius - p.deflection / 3;
  assert_close(p.torque, p.traction * r, 1e-12, w * r);
  return (Steady){.depth = p.sinkage + p.deflection,
                  .sinkage = p.sinkage,
                  .rut = p.rut,
                  .pressed = p.pressed,
                  .torque = p.traction / w,
                  .drawbar = p.drawbar_pull / w,
                  .side = p.lateral_force / w,
                  .resistance = p.resistance / w,
                  .peak = p.traction_limit / w};
}
static inline rutSoilWheel on_tyre(rutSoilWheel wheel, double stiffness) {
  wheel.stiffness = stiffness;
  return wheel;
}

static uint64_t seed = 1;
static inline double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

static inline Wheel draw_wheel(void) {
  const double r = uniform(0.05, 0.8), k = pow(10, uniform(3.5, 7));
  Wheel w = {.slip_x = uniform(-1.2, 1.2),
             .slip_y = uniform(-1, 1),
             .direction = uniform(-1, 1),
             .depth = r * uniform(-0.05, 1.3),
             .rate = uniform(-1, 1),
             .radius = r,
             .width = r * uniform(0.2, 1),
             .k = uniform(0, 1) < 0.2 ? 1e13 : k,
             .c = uniform(0, 3e3),
             .pressed = uniform(0, 1) < 0.5 ? 0 : r * uniform(0, 0.5),
             .footprint = uniform(0, 1) < 0.5 ? 0 : r * uniform(0, 0.5),
             .distance = uniform(0, 1) < 0.3 ? 0 : uniform(0, 0.1),
             .resistance = uniform(0, 1)};
  if (uniform(0, 1) < 0.5) w.direction = w.direction < 0 ? -1 : 1;
  if (uniform(0, 1) < 0.1) w.slip_x = w.slip_y = 0;
  if (uniform(0, 1) < 0.1) w.slip_x = w.slip_x < 0 ? -1 : 1;
  w.sinkage = fmax(w.depth, 0) * uniform(0, 1.05);
  w.load = fmax(w.k * (w.depth - w.sinkage), 0);
  return w;
}
static inline const char* any_soil(void) {
  const rutComponent* base = &rut_soil_bekker.base;
  return base->preset[(int)floor(uniform(0, base->presets))].name;
}
static inline Soil draw_soil(void) {
  Soil soil = preset(any_soil());
  static const char* const choices[] = {"plate", "shear_curve", "rebound", "slip_sinkage",
                                        "quadrature"};
  for (int i = 0; i < 5; i++) set(&soil, choices[i], floor(uniform(0, 2)));
  set(&soil, "shear", floor(uniform(0, 3)));
  set(&soil, "bulldozing", floor(uniform(0, 4)));
  set(&soil, "exit_ratio", uniform(0, 1));
  set(&soil, "largest_rebound", uniform(0, 1));
  set(&soil, "rubber_share", uniform(0, 1));
  set(&soil, "residual", uniform(0, 1));
  if (uniform(0, 1) < 0.3) set(&soil, "damping", 3e4);
  return soil;
}

#endif  // RUT_TEST_UNIT_BEKKER_FIXTURE_H
