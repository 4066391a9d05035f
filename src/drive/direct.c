// SPDX-License-Identifier: BSD-3-Clause
//
// A motor at each driven wheel.
#include "drive/axle.h"

typedef struct Param {
  double driven;
} Param;

static const rutField fields[] = {{"driven", "", RUT_CHOICE, 1, 0, 0, 2, "front|rear|all", 0,
                                   "Axles of a steered vehicle that have motors; a vehicle without "
                                   "steering has them on both sides."}};

static int direct_inputs(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 2;
}

// Side of a wheel on a vehicle without steering: 0 left, 1 right, -1 for one that is not driven.
static int side_of(const rutVehicleLayout* layout, int wheel) {
  if (!layout->driven[wheel]) return -1;
  return layout->y[wheel] > rut_drive_middle(layout) ? 0 : 1;
}

// Axles between the front and the rear one have motors if all have.
static int demand_of(const rutVehicleLayout* layout, rutAxles axles, int wheel) {
  if (layout->wheelbase == 0.0) return side_of(layout, wheel);
  if (!layout->driven[wheel]) return -1;
  if (wheel == axles.front.left) return axles.has_front ? 0 : -1;
  if (wheel == axles.front.right) return axles.has_front ? 1 : -1;
  if (wheel == axles.rear.left) return axles.has_rear ? 0 : -1;
  if (wheel == axles.rear.right) return axles.has_rear ? 1 : -1;
  return axles.has_front && axles.has_rear ? side_of(layout, wheel) : -1;
}

// Demand 0 goes to every driven wheel on the left, demand 1 to every one on the right, each wheel
// getting all of it.
static void direct_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          double* state, double* torque) {
  const int lanes = in->lanes;
  const double* demand = in->demand;
  const rutAxles axles = rut_driven_axles(layout, ((const Param*)param)->driven);
  (void)state;
  for (int wheel = 0; wheel < layout->wheels; wheel++) {
    const int side = demand_of(layout, axles, wheel);
    for (int l = 0; l < lanes; l++) {
      torque[wheel * lanes + l] = side < 0 ? 0.0 : demand[side * lanes + l];
    }
  }
}

static void direct_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                        const double* state, double* gain) {
  const int lanes = in->lanes;
  const rutAxles axles = rut_driven_axles(layout, ((const Param*)param)->driven);
  (void)state;
  for (int wheel = 0; wheel < layout->wheels; wheel++) {
    const int side = demand_of(layout, axles, wheel);
    for (int l = 0; side >= 0 && l < lanes; l++) {
      gain[(side * layout->wheels + wheel) * lanes + l] = 1.0;
    }
  }
}

const rutDriveType rut_drive_direct = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "direct",
             .parents = "vehicle",
             .doc = "An ideal motor at each driven wheel, with one torque demand for the left and "
                    "one for the right wheels. Casters are not driven.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .inputs = direct_inputs,
    .torque = direct_torque,
    .gain = direct_gain,
    .gain_holds = true};
