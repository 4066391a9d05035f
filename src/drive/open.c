// SPDX-License-Identifier: BSD-3-Clause
//
// Engine behind open differentials.
#include "drive/axle.h"

#define FIELDS(X)                                                                          \
  X(front_rear_split, "", 0.5, 0, 1, "Share of the torque that goes to the front axle.")   \
  X(front_left_right_split, "", 0.5, 0, 1, "Share of front torque that goes to the left.") \
  X(rear_left_right_split, "", 0.5, 0, 1, "Share of rear torque that goes to the left.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_DRIVEN_ROW(RUT_DRIVEN_ALL)};

// Massless planetary gears: the torques stand in a fixed ratio whatever the speeds,
// T1 = f T, T2 = (1 - f) T, and the casing turns at f w1 + (1 - f) w2, so that no power is lost.
static void open_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                        double* state, double* torque) {
  const int lanes = in->lanes;
  const double* demand = in->demand;
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const double front = rut_front_share(axles, p->front_rear_split);
  const double fl = p->front_left_right_split, rl = p->rear_left_right_split;
  (void)state;
  rut_clear_torque(layout->wheels, lanes, torque);
  for (int l = 0; axles.has_front && l < lanes; l++) {
    torque[axles.front.left * lanes + l] = front * fl * demand[l];
    torque[axles.front.right * lanes + l] = front * (1.0 - fl) * demand[l];
  }
  for (int l = 0; axles.has_rear && l < lanes; l++) {
    torque[axles.rear.left * lanes + l] = (1.0 - front) * rl * demand[l];
    torque[axles.rear.right * lanes + l] = (1.0 - front) * (1.0 - rl) * demand[l];
  }
}

// Torques are in proportion to the demand.
static void open_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                      const double* state, double* gain) {
  const int lanes = in->lanes;
  double one[8];
  (void)state;
  for (int l = 0; l < lanes; l++) one[l] = 1.0;
  open_torque(param, layout, &(rutDriveIn){.lanes = lanes, .demand = one, .speed = in->speed}, NULL,
              gain);
}

const rutDriveType rut_drive_open = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "open",
             .parents = "vehicle",
             .doc = "One engine torque over open differentials: fixed shares, free speeds.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .inputs = rut_one_engine,
    .torque = open_torque,
    .gain = open_gain,
    .gain_holds = rut_gain_always_holds};
