// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/vehicle_numbers.h"

#include <string.h>

#include "geom/polygon.h"
#include "math/rut_math.h"

enum { TO_FRONT, TO_REAR, TO_LEFT, TO_RIGHT, SIDES };

static void find_reach(const rutDraftClass* c, double reach[SIDES]) {
  double low_high[4];
  rut_polygon_bounds(c->outline.n, c->outline.xy, low_high);
  reach[TO_FRONT] = low_high[2];
  reach[TO_REAR] = -low_high[0];
  reach[TO_LEFT] = low_high[3];
  reach[TO_RIGHT] = -low_high[1];
  for (int w = 0; w < c->wheels; w++) {
    const double x = c->x[w], y = c->y[w], radius = c->radius[w], half = 0.5 * c->width[w];
    reach[TO_FRONT] = rut_max(reach[TO_FRONT], x + radius);
    reach[TO_REAR] = rut_max(reach[TO_REAR], radius - x);
    reach[TO_LEFT] = rut_max(reach[TO_LEFT], y + half);
    reach[TO_RIGHT] = rut_max(reach[TO_RIGHT], half - y);
  }
}

// Wheels of the layout's front_cornering or rear_cornering: where they are, and what they carry.
typedef struct Wheels {
  double x, n, load;
} Wheels;

// An axle with the load F and the stiffness C slips by F/(g C) per lateral acceleration; between
// the front and the rear wheels slip angles change evenly.
static double slip_gradient(const rutDraftClass* c, const rutVehicleLayout* layout) {
  const double stiffness[] = {layout->rear_cornering, layout->front_cornering};
  double middle = 0, gradient[2];
  Wheels wheels[2] = {{0}};
  if (!(stiffness[0] > 0 && stiffness[1] > 0 && layout->gravity > 0)) return 0;
  for (int w = 0; w < c->wheels; w++) middle += c->x[w] / c->wheels;
  for (int w = 0; w < c->wheels; w++) {
    Wheels* own = &wheels[c->x[w] > middle];
    own->x += c->x[w];
    own->load += c->spatial.wheel.rest_load[w];
    own->n += 1;
  }
  for (int i = 0; i < 2; i++) {
    gradient[i] = wheels[i].load / (layout->gravity * stiffness[i]);
    wheels[i].x /= wheels[i].n;
  }
  const double share = (layout->steer_x - wheels[0].x) / (wheels[1].x - wheels[0].x);
  return gradient[0] + share * (gradient[1] - gradient[0]);
}

void rut_tell_vehicle_numbers(const rutDraftClass* vehicle, const rutVehicleLayout* layout,
                              const rutComponent* type, double* param) {
  static const char* const names[] = {"reach_front", "reach_rear", "reach_left", "reach_right",
                                      "slip_gradient"};
  double number[RUT_COUNT_OF(names)];
  find_reach(vehicle, number);
  number[SIDES] = slip_gradient(vehicle, layout);
  for (int i = 0; i < type->fields; i++) {
    for (int k = 0; k < RUT_COUNT_OF(names); k++) {
      if (param[i] == 0 && strcmp(type->field[i].name, names[k]) == 0) param[i] = number[k];
    }
  }
}
