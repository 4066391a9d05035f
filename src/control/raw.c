// SPDX-License-Identifier: BSD-3-Clause
//
// Torques and steering angle as commanded.
#include "rut/component.h"

#define FIELDS(X)                                                                     \
  X(torque_left, "N m", 0, -1e9, 1e9, "Torque on the left before the first command.") \
  X(torque_right, "N m", 0, -1e9, 1e9, "Torque on the right, likewise.")              \
  X(steer, "rad", 0, -1.6, 1.6, "Steering angle, likewise, positive left.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};

static const rutVariable commands[] = {
    RUT_SET_POINT(torque_left, "N m", TORQUE_LEFT, "torque on the left, positive forward")
        RUT_SET_POINT(torque_right, "N m", TORQUE_RIGHT, "torque on the right, positive forward")
            RUT_SET_POINT(steer, "rad", STEER_ANGLE,
                          "angle of the equivalent single front wheel, positive to the left")};

static void raw_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                       double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    const double left = in->command[l], right = in->command[lanes + l];
    out->demand[l] = in->demands == 1 ? left + right : left;
    if (in->demands > 1) out->demand[lanes + l] = right;
    out->steer[l] = in->command[2 * lanes + l];
  }
}

const rutControllerType rut_controller_raw = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "raw",
             .parents = "vehicle",
             .doc =
                 "Passes torques, positive forward, and the steering angle through. One motor per "
                 "side: each driven wheel of a side gets that side's torque. One engine: it "
                 "gives the sum of both torques.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .demands = 2,
    .update = raw_update};
