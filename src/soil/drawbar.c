// SPDX-License-Identifier: BSD-3-Clause
#include "soil/drawbar.h"

#include "math/rut_math.h"

// The wheel at a depth, its split settled from that of a near depth. Returns the load.
static double press(const rutSoilType* soil, const double* param, const double* derived,
                    const rutDrawbarWheel* wheel, double depth, rutDrawbarPoint* p) {
  const double forward = 1, still = 0;
  double load, damping, use, before = rut_min(p->sinkage, depth);
  const rutSinkOut out = {&load,       &p->stiffness,  &damping, &p->sinkage,     &p->rut,
                          &p->pressed, &p->torque,     &p->side, &p->secant_x,    &use,
                          &use,        &p->resistance, &p->peak, &p->overturning, &p->aligning};
  for (int pass = 0; pass < 3; pass++) {
    const double carried = wheel->stiffness * (depth - before);
    const rutSinkIn in = {.slip_x = &p->slip,
                          .slip_y = &p->slip_y,
                          .direction = &forward,
                          .depth = &depth,
                          .rate = &still,
                          .radius = &wheel->radius,
                          .width = &wheel->width,
                          .tyre_load = &carried,
                          .tyre_stiffness = &wheel->stiffness,
                          .tyre_damping = &still,
                          .sinkage = &before,
                          .pressed = &wheel->pressed};
    soil->sink(param, derived, 1, &in, &out);
    before = p->sinkage;
  }
  p->depth = depth;
  return load;
}

bool rut_drawbar(const rutSoilType* soil, const double* param, const double* derived,
                 const rutDrawbarWheel* wheel, double slip, double slip_y, rutDrawbarPoint* out) {
  double low = 0.0, high = 2.0 * wheel->radius;
  *out = (rutDrawbarPoint){.slip = slip, .slip_y = slip_y};
  if (press(soil, param, derived, wheel, high, out) < wheel->load) return false;
  for (int i = 0; i < 60; i++) {
    const double depth = 0.5 * (low + high);
    if (press(soil, param, derived, wheel, depth, out) < wheel->load) {
      low = depth;
    } else {
      high = depth;
    }
  }
  press(soil, param, derived, wheel, 0.5 * (low + high), out);
  out->drawbar = out->torque - out->resistance;
  const double pulls = out->drawbar * (1.0 - rut_max(slip, 0.0));
  out->efficiency = out->torque > 0.0 && pulls > 0.0 ? pulls / out->torque : 0.0;
  return true;
}
