// SPDX-License-Identifier: BSD-3-Clause
//
// Imposes a twist on the body, as if its wheels obeyed perfectly.
#include "control/steering.h"

#define FIELDS(X)                                                          \
  X(speed, "m/s", 0, -1e3, 1e3, "Forward speed before the first command.") \
  X(lateral_speed, "m/s", 0, -1e3, 1e3, "Speed to the left, likewise.")    \
  X(yaw_rate, "rad/s", 0, -1e3, 1e3, "Yaw rate, likewise.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")
        RUT_SET_POINT(lateral_speed, "m/s", LATERAL_SPEED, "speed to the left")
            RUT_SET_POINT(yaw_rate, "rad/s", YAW_RATE, "yaw rate, positive to the left")};

// The set points go to the body; steered wheels are turned to where they roll.
static void twist_ideal_update(const void* param, const rutVehicleLayout* layout,
                               const rutControlIn* in, double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  const double* speed = in->command;
  const double* yaw_rate = in->command + 2 * lanes;
  (void)param;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    const double angle = rut_steer_of_twist(speed[l], yaw_rate[l], layout->wheelbase);
    out->steer[l] = rut_clamp(angle, -layout->max_steer, layout->max_steer);
  }
  for (int i = 0; i < in->demands * lanes; i++) out->demand[i] = 0.0;
  for (int i = 0; i < 3 * lanes; i++) out->twist[i] = in->command[i];
}

const rutControllerType rut_controller_twist_ideal = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "twist_ideal",
             .parents = "vehicle",
             .doc = "Kinematic driving: the body moves with the commanded twist, without torque.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .imposes_twist = true,
    .update = twist_ideal_update};
