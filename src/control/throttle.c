// SPDX-License-Identifier: BSD-3-Clause
//
// Throttle, brake and steering wheel as they are commanded, each as a part of all there is.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                             \
  X(throttle, "", 0, -1, 1,                                                   \
    "Share of full throttle before the first command, negative for reverse.") \
  X(brake, "", 0, 0, 1, "Part of the full brake torque, likewise.")           \
  X(steering, "", 0, -1, 1, "Part of full lock, likewise, left.")             \
  X(max_torque, "N m", 1000, 0, 1e9,                                          \
    "Sum of the torque demands at full throttle, for drives without throttle.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};

static const rutVariable commands[] = {
    RUT_SET_POINT(throttle, "", THROTTLE, "share of full throttle, -1 (reverse) to 1")
        RUT_SET_POINT(brake, "", BRAKE, "share of full brake torque, 0 to 1") RUT_SET_POINT(
            steering, "", STEERING, "share of full lock, -1 to 1, positive to the left")};

// Equal shares of the torque for all that the drive wants to know.
static void throttle_update(const void* param, const rutVehicleLayout* layout,
                            const rutControlIn* in, double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double full = layout->full_demand > 0 ? layout->full_demand : p->max_torque;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    const double demand = rut_clamp(in->command[l], -1, 1) * full;
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = demand / in->demands;
    if (out->brake) out->brake[l] = rut_clamp(in->command[lanes + l], 0, 1);
    out->steer[l] = rut_clamp(in->command[2 * lanes + l], -1, 1) * layout->max_steer;
  }
}

const rutControllerType rut_controller_throttle = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "throttle",
             .parents = "vehicle",
             .doc = "Throttle, brake and steering as commanded, for vehicles with an engine: an "
                    "accelerator from 0 to 1, or to -1 for reverse, a brake pedal from 0 to 1, a "
                    "steering wheel from -1 to 1.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .stands_in = true,
    .update = throttle_update};
