// SPDX-License-Identifier: BSD-3-Clause
//
// Soils against tables recorded from MAVS and numbers worked out by hand, and a grade on clay.
#include <math.h>
#include <string.h>

#include "rut/component.h"
#include "spatial.h"

// ---- a soil by its public face ----

enum { MAX_NUMBERS = 32 };

typedef struct Soil {
  const rutSoilType* type;  // NULL: not found
  double param[MAX_NUMBERS], derived[MAX_NUMBERS];
} Soil;

static void set(Soil* soil, const char* field, double value) {
  const rutComponent* base = soil->type ? &soil->type->base : NULL;
  for (int i = 0; base && i < base->fields; i++) {
    if (strcmp(base->field[i].name, field) == 0) soil->param[i] = value;
  }
  if (base && soil->type->derive) soil->type->derive(soil->param, soil->derived);
}

static Soil soil_of(const cliLab* lab, const char* name) {
  Soil soil = {0};
  for (int i = 0; i < rut_component_count(lab->world.context); i++) {
    const rutComponent* c = rut_component_at(lab->world.context, i);
    if (strcmp(c->kind, "soil") != 0 || strcmp(c->name, name) != 0) continue;
    const rutSoilType* type = (const rutSoilType*)(const void*)c;
    if (c->fields > MAX_NUMBERS || type->derived > MAX_NUMBERS) break;
    soil.type = type;
    for (int f = 0; f < c->fields; f++) soil.param[f] = c->field[f].def;
    if (type->derive) type->derive(soil.param, soil.derived);
  }
  return soil;
}

typedef struct Wheel {
  double slip, load, deflection, diameter, width, section, strength;
} Wheel;

typedef struct Traction {
  double gross, resistance;
} Traction;

static Traction traction(const Soil* soil, Wheel w) {
  const double none = (double)NAN, across = 0, crossover = 0.09;
  double out[7] = {(double)NAN};
  const rutTractionIn in = {&w.slip,  &across,    &w.load,    &w.deflection, &w.diameter,
                            &w.width, &w.section, &crossover, &w.strength,   &none};
  const rutTractionOut to = {&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6]};
  if (soil->type) soil->type->traction(soil->param, soil->derived, 1, &in, &to);
  return (Traction){out[0], soil->type ? out[5] : (double)NAN};
}

// ---- recorded tables ----

// Force over load of MAVS on hard ground; on ice that of its code.
void cli_case_mavs_hard(cliLab* lab, double* value, double* reference) {
  enum { DRY, WET, SNOW, ICE };
  static const struct {
    int surface;
    double slip, mu;
  } rows[] = {{DRY, -0.5, -0.95937472},  {DRY, -0.1, -0.95584209},  {DRY, 0.02, 0.36201998},
              {DRY, 0.05, 0.73561931},   {DRY, 0.1, 0.95584209},    {WET, -1, -0.63717483},
              {WET, -0.5, -0.66745747},  {WET, -0.1, -0.81711629},  {WET, 0.2, 0.74831446},
              {WET, 0.6, 0.65744897},    {WET, 1, 0.63717483},      {SNOW, -1, -0.28550758},
              {SNOW, -0.1, -0.2289676},  {SNOW, 0.02, 0.059212978}, {SNOW, 0.05, 0.13866526},
              {SNOW, 0.2, 0.29145487},   {SNOW, 1, 0.28550758},     {ICE, -1, -0.096150652},
              {ICE, -0.1, -0.066476472}, {ICE, 0.02, 0.015864892},  {ICE, 0.2, 0.092730343},
              {ICE, 0.6, 0.098700039},   {ICE, 1, 0.096150652}};
  Soil soil = soil_of(lab, "magic_formula");
  for (int i = 0; i < CLI_COUNT(rows); i++) {
    set(&soil, "surface", rows[i].surface);
    const Wheel wheel = {rows[i].slip, 4000, 0.02, 0.8, 0.25, 0.2, (double)NAN};
    cli_worst_absolute(traction(&soil, wheel).gross, rows[i].mu, value, reference);
  }
}

// Net force over load on clay as MAVS documents it; the table has six digits.
void cli_case_mavs_clay(cliLab* lab, double* value, double* reference) {
  static const Wheel truck = {0, 0, 0, 0.78486, 0.2413, 0.17526, 0};
  static const Wheel buggy = {0, 0, 0, 0.6604, 0.2286, 0.1651, 0};
  static const Wheel car = {0, 0, 0, 0.67, 0.3, 0.07, 0};
  const struct {
    const Wheel* wheel;
    double strength, load, deflection, slip, mu;
  } rows[] = {{&truck, 34473.797, 1000, 0.035052, 0.55, 0.0985062},
              {&truck, 206842.8, 8000, 0.035052, 0.3, -0.376832},
              {&truck, 34473.797, 1000, 0.008763, 0.3, -0.33723},
              {&truck, 137895.19, 1000, 0.061341, 0.4, 1.21836},
              {&buggy, 206842.8, 2000, 0.008255, 0.05, 0.0358563},
              {&buggy, 413685.59, 8000, 0.03302, 0.8, 0.338239},
              {&buggy, 551580.75, 12000, 0.057785, 0.35, 0.308699},
              {&car, 413685.59, 4000, 0.007, 0.4, 0.750062},
              {&car, 827371.19, 12000, 0.0035, 0.7, 0.535563},
              {&car, 2068427.9, 2000, 0.007, 0.03, 1.53914}};
  Soil soil = soil_of(lab, "clay");
  set(&soil, "variant", 1);
  for (int i = 0; i < CLI_COUNT(rows); i++) {
    Wheel wheel = *rows[i].wheel;
    wheel.strength = rows[i].strength;
    wheel.load = rows[i].load;
    wheel.deflection = rows[i].deflection;
    wheel.slip = rows[i].slip;
    // of numbers above 1 the sixth digit is 1e-5
    const double got = traction(&soil, wheel).gross, unit = fmax(1, fabs(rows[i].mu));
    cli_worst_absolute(got / unit, rows[i].mu / unit, value, reference);
  }
}

static const double TRUCK_LOAD = 6500;
static const Wheel TRUCK = {0.2, 6500, 0.03, 0.94, 0.3175, 0.2604, 0};

// Net traction and motion resistance on clay, each digit worked out by hand.
void cli_case_clay(cliLab* lab, double* value, double* reference) {
  static const double rows[][3] = {{200e3, 0.1748, 0.1595},
                                   {300e3, 0.3908, 0.0748},
                                   {600e3, 0.6827, 0.0239},
                                   {1500e3, 0.8358, 0.0097}};
  const Soil soil = soil_of(lab, "clay");
  for (int i = 0; i < CLI_COUNT(rows); i++) {
    Wheel wheel = TRUCK;
    wheel.strength = rows[i][0];
    const Traction t = traction(&soil, wheel);
    cli_worst_absolute(t.gross - t.resistance, rows[i][1], value, reference);
    cli_worst_absolute(t.resistance, rows[i][2], value, reference);
  }
}

// Motion resistance on sand at mobility numerics CI (b d)^1.5/N in inches.
void cli_case_sand_resistance(cliLab* lab, double* value, double* reference) {
  static const double rows[][2] = {
      {50, 0.760}, {100, 0.571}, {200, 0.282}, {400, 0.0942}, {1000, 0.0337}};
  const Soil soil = soil_of(lab, "sand");
  for (int i = 0; i < CLI_COUNT(rows); i++) {
    Wheel wheel = TRUCK;
    wheel.deflection = 0;
    wheel.strength = rows[i][0] * 0.0254 * TRUCK_LOAD / pow(wheel.width * wheel.diameter, 1.5);
    cli_worst_absolute(traction(&soil, wheel).resistance, rows[i][1], value, reference);
  }
}

// Gross traction on sand, X - X Y/(N_s + 10 + Y), X = 0.66, Y = 4.71 + 1.72/s, both ways.
void cli_case_sand_traction(cliLab* lab, double* value, double* reference) {
  const Soil soil = soil_of(lab, "sand");
  for (int i = 0; i < 12; i++) {
    Wheel wheel = TRUCK;
    wheel.strength = i % 2 ? 600e3 : 200e3;
    const double slip = 0.05 + 0.15 * (i / 2), sense = i % 3 ? 1 : -1;
    wheel.slip = sense * slip;
    // G = CI per 3.47 inches
    const double gradient = wheel.strength / (3.47 * 0.0254);
    const double numeric = gradient * pow(wheel.width * wheel.diameter, 1.5) * wheel.deflection /
                           (wheel.load * wheel.section);
    const double y = 4.71 + 1.72 / slip;
    cli_worst_relative(traction(&soil, wheel).gross, sense * 0.66 * (1 - y / (numeric + 10 + y)),
                       value, reference);
  }
}

// ---- slip ----

// Wheels spin up from rest by 1 rad/s a step while the vehicle moves without weight; the slips of
// MAVS at these speeds.
void cli_case_mavs_slip(cliLab* lab, double* value, double* reference) {
  static const struct {
    double speed, spin, slip;
  } rows[] = {{-10, -20, 0.3396},    {-10, -10, 0.6698}, {-10, 4, 1},     {-10, 20, 1},
              {-1, -10, -0.6971532}, {-1, -2, 0.3396},   {-1, 4, 1},      {2, -20, -1},
              {2, -2, -1},           {2, 0, -1},         {2, 1, -0.8349}, {2, 4, -0.3396},
              {2, 10, 0.3943064},    {2, 20, 0.6971532}, {10, -2, -1},    {10, 1, -0.96698},
              {10, 10, -0.6698},     {10, 20, -0.3396}};
  for (int i = 0; i < CLI_COUNT(rows); i++) {
    cli_lab_build(
        lab,
        "<world timestep='0.001' gravity='0'>"
        "<vehicle name='v' position='0 0 10' on_ground='false' velocity='%.17g 0' "
        "rolling_start='false'>"
        "<chassis mass='100' com='0 0 0.3' inertia='1e12 1e12 1e12' "
        "outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5'/>"
        "<suspension type='massless'/><tyre type='linear'/>"
        "<axle x='0.5' radius='0.3302' wheel_inertia='0.01'/>"
        "<axle x='-0.5' radius='0.3302' wheel_inertia='0.01'/>"
        "<drive type='open'/><controller type='pedals' torque='%.17g'/></vehicle></world>",
        rows[i].speed, rows[i].spin < 0 ? -40.0 : 40.0);
    // slip is that at the start of the step
    for (int k = 0; k <= fabs(rows[i].spin); k++) cli_lab_step(lab);
    cli_worst_absolute(cli_lab_wheel(lab, 0).slip[0], rows[i].slip, value, reference);
  }
}

// ---- a vehicle on clay ----

static const double CLAY_MASS = 2000, CLAY_HALF = 1.3, CLAY_HEIGHT = 0.7, CLAY_STRENGTH = 200e3;
static const double CLAY_WIDTH = 0.25, CLAY_DIAMETER = 0.8;

// All wheels spin at hundreds of metres a second, near the speed their motors have without load,
// and the vehicle has a start, so that motion resistance is against it.
static bool does_not_climb(cliLab* lab, double angle, const void* data) {
  (void)data;
  cli_lab_build(lab,
                "<world timestep='0.001'><soil name='s' type='clay' cone_index='200e3'/>"
                "<terrain type='plane' slope_x='%.17g'/><vehicle name='v' velocity='2 0'>"
                "<chassis mass='2000' com='0 0 0.7' inertia='600 2000 2200' "
                "outline='-2 -0.7 2 -0.7 2 0.7 -2 0.7' z_min='0.6' z_max='1'/>"
                "<suspension type='massless' stiffness='2e6' damping='5e4' travel='0.2'/>"
                "<tyre type='linear' stiffness='1e9'/>"
                "<axle x='1.3' track='1.5' radius='0.4' width='0.25' wheel_inertia='0.02'/>"
                "<axle x='-1.3' track='1.5' radius='0.4' width='0.25' wheel_inertia='0.02'/>"
                "<drive type='dc_motor' torque_constant='0.02' resistance='1e-4' max_current='1e5' "
                "battery_current='1e6' rotor_inertia='0' command='wheel'/>"
                "<controller type='pedals' torque='1e6'/></vehicle></world>",
                tan(angle));
  cli_lab_run_to(lab, 1.5);
  const double before = cli_lab_vehicle(lab, 0).velocity[0];
  cli_lab_run_to(lab, 2);
  return !(cli_lab_vehicle(lab, 0).velocity[0] > before);
}

typedef struct OnClay {
  double pull, resistance;  // of one wheel [N]
} OnClay;

// At full slip: net traction 0.5 log10(1/S_sp) (1 + b/d)^(1/4), resistance 12/N_c^2 + 0.007.
static OnClay full_slip_on_clay(double load) {
  const double slender = 1 + CLAY_WIDTH / CLAY_DIAMETER;
  const double numeric = CLAY_STRENGTH * CLAY_WIDTH * CLAY_DIAMETER / (load * pow(slender, 0.75));
  return (OnClay){-0.5 * log10(21 / pow(numeric, 2.5) + 0.005) * pow(slender, 0.25) * load,
                  (12 / (numeric * numeric) + 0.007) * load};
}

// Pull of all wheels on a grade. Loads shift with the grade, and with the resistance: the ground's
// pressure on a wheel that pushes through it passes through its hub.
static double pull_on_grade(double s) {
  const double weight = CLAY_MASS * CLI_GRAVITY, length = 2 * CLAY_HALF;
  double front = weight / 4, rear = weight / 4;
  for (int i = 0; i < 100; i++) {
    const double push = full_slip_on_clay(front).resistance + full_slip_on_clay(rear).resistance;
    const double tilt = weight * CLAY_HEIGHT * sin(s) + CLAY_DIAMETER * push;
    front = 0.5 * (0.5 * weight * cos(s) - tilt / length);
    rear = 0.5 * weight * cos(s) - front;
  }
  return 2 * (full_slip_on_clay(front).pull + full_slip_on_clay(rear).pull);
}

// W sin s = sum of N D(N) over the wheels.
void cli_case_clay_grade(cliLab* lab, double* value, double* reference) {
  double low = 0, high = 0.6;
  while (high - low > 1e-9) {
    const double s = 0.5 * (low + high);
    if (pull_on_grade(s) > CLAY_MASS * CLI_GRAVITY * sin(s)) {
      low = s;
    } else {
      high = s;
    }
  }
  *reference = low;
  *value = cli_bisect_angle(lab, low - 0.02, low + 0.02, (cliAngleTest){does_not_climb, NULL});
}
