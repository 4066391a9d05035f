// SPDX-License-Identifier: BSD-3-Clause
#include "soil/drawbar.h"

#include "math/rut_math.h"

// Stiffness that stands for a rigid wheel (see rutSinkIn) [N/m].
#define RIGID 1e12

typedef struct Rig {
  const rutSoilType* soil;
  const double *param, *derived;
  const rutSoilWheel* wheel;
  double slip_y, stiffness;
} Rig;

// What the soil answers, in the terms of rutSinkOut.
typedef struct Answer {
  double load, deflection, sinkage, rut, pressed, mu_x, mu_y, resistance, peak, pressure;
} Answer;

static bool in_range(const rutSoilWheel* w) {
  const struct {
    double value, low, high;
  } row[] = {{w->radius, 1e-3, 1e3},
             {w->width, 1e-3, 1e3},
             {w->section_height, 0, 1e3},
             {w->load, 1e-6, 1e9},
             {w->stiffness, 0, 1e15},
             {w->crossover, 1e-4, 1.5},
             {w->slip, -1, 1},
             {rut_abs(w->slip_angle), 0, 1.57},
             {w->pressed, 0, 1e3},
             {w->cone_index, 0, 1e12},
             {w->moisture, 0, 1e12},
             {w->soft_depth, 0, 1e12}};
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    if (!(row[i].value >= row[i].low && row[i].value <= row[i].high)) return false;
  }
  return w->struct_size == sizeof *w;
}

static double given(double value) { return value > 0.0 ? value : RUT_NAN; }

// The wheel at a depth in deformable soil, its split settled from that of a near depth.
static void press(const Rig* r, double depth, Answer* a) {
  const double forward = 1, still = 0;
  double unused, before = rut_min(a->sinkage, depth);
  const rutSinkOut out = {.load = &a->load,
                          .stiffness = &unused,
                          .damping = &unused,
                          .sinkage = &a->sinkage,
                          .rut = &a->rut,
                          .pressed = &a->pressed,
                          .mu_x = &a->mu_x,
                          .mu_y = &a->mu_y,
                          .secant_x = &unused,
                          .secant_y = &unused,
                          .normalised_slip = &unused,
                          .resistance = &a->resistance,
                          .peak = &a->peak,
                          .overturning = &unused,
                          .aligning = &unused,
                          .footprint = &unused,
                          .pressure = &a->pressure};
  const double strength = given(r->wheel->cone_index), moisture = given(r->wheel->moisture);
  const double soft_depth = given(r->wheel->soft_depth);
  const rutSoilPlaces places = {&strength, &moisture, &soft_depth};
  for (int pass = 0; pass < 3; pass++) {
    const double carried = r->stiffness * (depth - before);
    const rutSinkIn in = {.slip_x = &r->wheel->slip,
                          .slip_y = &r->slip_y,
                          .direction = &forward,
                          .depth = &depth,
                          .rate = &still,
                          .radius = &r->wheel->radius,
                          .width = &r->wheel->width,
                          .tyre_load = &carried,
                          .tyre_stiffness = &r->stiffness,
                          .tyre_damping = &still,
                          .sinkage = &before,
                          .pressed = &r->wheel->pressed,
                          .places = &places};
    r->soil->sink(r->param, r->derived, 1, &in, &out);
    before = a->sinkage;
  }
  a->deflection = depth - a->sinkage;
}

// The depth that carries the load, by bisection. Nothing is known of wheels that are buried up to
// the hub.
static bool find_depth(const Rig* r, Answer* a) {
  enum { HALVINGS = 60 };
  double low = 0.0, high = 2.0 * r->wheel->radius;
  press(r, high, a);
  if (!(a->load >= r->wheel->load)) return false;
  for (int i = 0; i < HALVINGS; i++) {
    const double depth = 0.5 * (low + high);
    press(r, depth, a);
    if (a->load < r->wheel->load) {
      low = depth;
    } else {
      high = depth;
    }
  }
  press(r, 0.5 * (low + high), a);
  return a->sinkage < r->wheel->radius;
}

// Hard ground: only the tyre deflects.
static void roll_on(const Rig* r, Answer* a) {
  static const double SECTION = 0.4;  // section height in radii, where none is given
  const rutSoilWheel* w = r->wheel;
  const double diameter = 2.0 * w->radius, none = RUT_NAN, strength = given(w->cone_index);
  const double section = w->section_height > 0.0 ? w->section_height : SECTION * w->radius;
  double unused;
  a->load = w->load;
  a->deflection = rut_min(w->load / r->stiffness, w->radius);
  const rutTractionIn in = {.slip_x = &w->slip,
                            .slip_y = &r->slip_y,
                            .load = &w->load,
                            .deflection = &a->deflection,
                            .diameter = &diameter,
                            .width = &w->width,
                            .section = &section,
                            .crossover = &w->crossover,
                            .strength = &strength,
                            .friction = &none};
  const rutTractionOut out = {.mu_x = &a->mu_x,
                              .mu_y = &a->mu_y,
                              .secant_x = &unused,
                              .secant_y = &unused,
                              .normalised_slip = &unused,
                              .resistance = &a->resistance,
                              .peak = &a->peak};
  r->soil->traction(r->param, r->derived, 1, &in, &out);
}

unsigned rut_soil_limits(const rutSoilType* soil, const double* param, double sinkage, double pit,
                         double pressure, double radius) {
  static const double DEEP = 0.5;  // radii: the contact then begins at 60 degrees
  double most = 0.0, deepest = 0.0;
  if (soil->tested) soil->tested(param, &most, &deepest);
  const bool holds[RUT_SOIL_LIMIT_COUNT] = {
      [RUT_SOIL_LIMIT_deep] = sinkage > DEEP * radius,
      [RUT_SOIL_LIMIT_buried] = sinkage + pit >= radius,
      [RUT_SOIL_LIMIT_pressure] = most > 0.0 && pressure > most,
      [RUT_SOIL_LIMIT_sinkage] = deepest > 0.0 && sinkage > deepest};
  unsigned limits = 0;
  for (int i = 0; i < RUT_SOIL_LIMIT_COUNT; i++) limits |= holds[i] ? 1u << i : 0u;
  return limits;
}

bool rut_drawbar(const rutSoilType* soil, const double* param, const double* derived,
                 const rutSoilWheel* wheel, rutSoilPoint* out) {
  static const double LEAST_SPEED = 1e-9;  // of the hub over that of the rim
  *out = (rutSoilPoint){0};
  if (!in_range(wheel)) return false;
  // speed of the hub along the wheel over that of the rim, and over the larger of both
  const double slip = wheel->slip, hub = 1.0 - rut_max(slip, 0.0);
  const double over_rim = slip > 0.0 ? hub : 1.0 / rut_max(1.0 + slip, LEAST_SPEED);
  const Rig rig = {.soil = soil,
                   .param = param,
                   .derived = derived,
                   .wheel = wheel,
                   .slip_y = hub * rut_tan(wheel->slip_angle),
                   .stiffness = wheel->stiffness > 0.0 ? wheel->stiffness : RIGID};
  Answer a = {.pressed = wheel->pressed};
  if (!soil->sink) {
    roll_on(&rig, &a);
  } else if (!find_depth(&rig, &a)) {
    return false;
  }
  const double rolling_radius = wheel->radius - a.deflection / 3.0, net = a.mu_x - a.resistance;
  // the sum with 0 makes no force a positive zero
  *out = (rutSoilPoint){
      .sinkage = a.sinkage,
      .deflection = a.deflection,
      .rut = a.rut,
      .pressed = a.pressed,
      .torque = a.mu_x * wheel->load * rolling_radius,
      .traction = a.mu_x * wheel->load,
      .resistance = a.resistance * wheel->load,
      .drawbar_pull = net * wheel->load,
      .lateral_force = a.mu_y * wheel->load + 0.0,
      .efficiency = a.mu_x > 0.0 && net > 0.0 ? net / a.mu_x * over_rim : 0.0,
      .traction_limit = a.peak * wheel->load,
      .pressure = a.pressure,
      .limits = rut_soil_limits(soil, param, a.sinkage, 0.0, a.pressure, wheel->radius)};
  return true;
}
