// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of a single tyre of a model.
#include "sim/query.h"

#include <string.h>

#include "sim/tyre_result.h"

rutTyreTest rut_default_tyre_test(void) {
  return (rutTyreTest){.struct_size = sizeof(rutTyreTest),
                       .load = 4000,
                       .speed = 16.7,
                       .friction = RUT_NAN,
                       .pressure = RUT_NAN};
}

static bool in_range(const rutTyreTest* t) {
  const struct {
    double value, low, high;
  } row[] = {{t->load, 1, 1e9},
             {t->slip, -1, 1},
             {rut_abs(t->slip_angle), 0, 1.5},
             {rut_abs(t->inclination), 0, 1.5},
             {t->speed, 0.1, 1e3}};
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    if (!(row[i].value >= row[i].low && row[i].value <= row[i].high)) return false;
  }
  const bool pressure = !(t->pressure <= 0) && !(t->pressure > 1e8);
  return t->struct_size == sizeof *t && !(t->friction < 0) && pressure;
}

// The wheel among those of its group, NULL where it is not on an axle.
typedef struct Bench {
  const rutVehicleClass* vehicle;
  int entry;
} Bench;

static Bench bench_of(const rutModel* model, int wheel) {
  if (wheel < 0 || wheel >= rut_count(model, RUT_WHEEL)) return (Bench){0};
  const rutVehicleRecord* r = &model->vehicle[rut_wheel_owner(model, wheel)];
  const rutGroup* g = &model->group[r->group];
  return (Bench){g->spatial, (wheel - r->first_wheel) * g->lanes + r->slot % g->lanes};
}

// What the carcass answers, [0] of each array.
typedef struct Carcass {
  double load, stiffness, damping, energy, relaxation_x, relaxation_y, crossover, bearing;
} Carcass;

static Carcass deflect(rutWheelTyre tyre, double deflection, double radius) {
  Carcass c = {0};
  const double still = 0;
  tyre.type->carcass(tyre.param, 1, &deflection, &still, &radius,
                     &(rutCarcassOut){&c.load, &c.stiffness, &c.damping, &c.energy, &c.relaxation_x,
                                      &c.relaxation_y, &c.crossover, &c.bearing});
  return c;
}

// Deflection under a load, which grows with it; at most the radius.
static double deflection_under(rutWheelTyre tyre, double load, double radius) {
  enum { HALVINGS = 60 };
  double low = 0, high = radius;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    *(deflect(tyre, middle, radius).load < load ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

typedef struct Answer {
  double mu_x, mu_y, secant_x, secant_y, normalised_slip, resistance, peak, overturning, aligning;
} Answer;

// Slips of the contact patch as of rutTractionIn, whose common denominator is the larger speed.
typedef struct Slips {
  double x, y;
} Slips;

static Slips slips_of(const rutTyreTest* t) {
  const double hub = t->slip > 0 ? 1 - t->slip : 1;
  return (Slips){t->slip, hub * rut_tan(t->slip_angle)};
}

static void own_law(const Bench* b, rutWheelTyre tyre, const rutTyreTest* t, double deflection,
                    Answer* a) {
  const Slips slips = slips_of(t);
  const double forward = 1;
  tyre.type->grip(
      tyre.param, 1,
      &(rutTyreGripIn){.slip_x = &slips.x,
                       .slip_y = &slips.y,
                       .direction = &forward,
                       .load = &t->load,
                       .deflection = &deflection,
                       .radius = &b->vehicle->radius[b->entry],
                       .inclination = &t->inclination,
                       .speed = &t->speed,
                       .friction = &t->friction,
                       .side = &b->vehicle->side[b->entry]},
      &(rutTyreGripOut){&a->mu_x, &a->mu_y, &a->secant_x, &a->secant_y, &a->normalised_slip,
                        &a->resistance, &a->peak, &a->overturning, &a->aligning});
}

static void law_of_ground(const rutSoilRecord* ground, const Bench* b, const rutTyreTest* t,
                          const Carcass* carcass, double deflection, Answer* a) {
  const Slips slips = slips_of(t);
  const double diameter = 2 * b->vehicle->radius[b->entry], none = RUT_NAN;
  ground->type->traction(ground->param, ground->derived, 1,
                         &(rutTractionIn){.slip_x = &slips.x,
                                          .slip_y = &slips.y,
                                          .load = &t->load,
                                          .deflection = &deflection,
                                          .diameter = &diameter,
                                          .width = &b->vehicle->width[b->entry],
                                          .section = &b->vehicle->section[b->entry],
                                          .crossover = &carcass->crossover,
                                          .strength = &none,
                                          .friction = &t->friction},
                         &(rutTractionOut){&a->mu_x, &a->mu_y, &a->secant_x, &a->secant_y,
                                           &a->normalised_slip, &a->resistance, &a->peak});
}

bool rut_tyre_point(const rutModel* model, int wheel, const rutTyreTest* test, rutTyrePoint* out) {
  *out = (rutTyrePoint){0};
  const Bench b = bench_of(model, wheel);
  if (!b.vehicle || !in_range(test)) return false;
  rutWheelTyre tyre = rut_wheel_tyre(model, wheel);
  double room[RUT_TYRE_NUMBERS];
  if (test->pressure == test->pressure) {
    if (!tyre.type->inflate) return false;
    memcpy(room, tyre.given, sizeof room);
    tyre.type->inflate(room, test->pressure);
    tyre.param = room;
  }
  const double radius = b.vehicle->radius[b.entry];
  const double deflection = deflection_under(tyre, test->load, radius);
  const Carcass carcass = deflect(tyre, deflection, radius);
  Answer a = {0};
  if (tyre.type->grip) {
    own_law(&b, tyre, test, deflection, &a);
  } else {
    law_of_ground(&model->soil[0], &b, test, &carcass, deflection, &a);
  }
  *out = (rutTyrePoint){.fx = a.mu_x * test->load,
                        .fy = a.mu_y * test->load,
                        .mx = a.overturning,
                        .mz = a.aligning,
                        .resistance = a.resistance * test->load,
                        .deflection = deflection,
                        .stiffness = carcass.stiffness,
                        .relaxation_x = carcass.relaxation_x,
                        .relaxation_y = carcass.relaxation_y,
                        .peak = a.peak * test->load};
  return true;
}

// A parameter of that name, 0 if there is none.
static double number_of(rutWheelTyre tyre, const char* name) {
  for (int i = 0; i < tyre.type->base.fields; i++) {
    if (strcmp(tyre.type->base.field[i].name, name) == 0) return tyre.param[i];
  }
  return 0;
}

rutTyreInfo rut_tyre_info(const rutModel* model, int wheel) {
  const Bench b = bench_of(model, wheel);
  if (!b.vehicle) return (rutTyreInfo){.type = ""};
  const rutWheelTyre tyre = rut_wheel_tyre(model, wheel);
  return (rutTyreInfo){.type = tyre.type->base.name,
                       .radius = b.vehicle->radius[b.entry],
                       .width = b.vehicle->width[b.entry],
                       .rest_load = b.vehicle->rest_load[b.entry],
                       .measured_radius = number_of(tyre, "unloaded_radius"),
                       .measured_width = number_of(tyre, "width"),
                       .nominal_load = number_of(tyre, "fnomin"),
                       .pressure = tyre.pressure};
}
