// SPDX-License-Identifier: BSD-3-Clause
//
// Torque, brake and steering as they are commanded.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                                       \
  X(torque, "N m", 0, -1e9, 1e9, "Sum of the torque demands before the first command.") \
  X(brake, "", 0, 0, 1, "Part of the full brake torque, likewise.")                     \
  X(steer, "rad", 0, -1.6, 1.6, "Angle of the equivalent single front wheel, likewise, left.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};

static const rutVariable commands[] = {
    RUT_SET_POINT(torque, "N m", TORQUE, "torque demand to the drive, positive forward")
        RUT_SET_POINT(brake, "", BRAKE, "share of full brake torque, 0 to 1")
            RUT_SET_POINT(steer, "rad", STEER_ANGLE,
                          "angle of the equivalent single front wheel, positive to the left")};

// Equal shares of the torque for all that the drive wants to know.
static void pedals_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                          double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = in->command[l] / in->demands;
    if (out->brake) out->brake[l] = rut_clamp(in->command[lanes + l], 0, 1);
    out->steer[l] = in->command[2 * lanes + l];
  }
}

const rutControllerType rut_controller_pedals = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "pedals",
             .parents = "vehicle",
             .doc =
                 "Torque, brake and steering as commanded, for vehicles on axles: an accelerator "
                 "in N m, a brake pedal from 0 to 1, a steering angle.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .update = pedals_update};
