// SPDX-License-Identifier: BSD-3-Clause
//
// Proportional speed control with gravity compensation, the simple one of the two controllers of
// VirtualBotz 3D (Morrot 2010).
#include "control/traction.h"

#define FIELDS(X) RUT_TRACTION_FIELDS(X, 100, 0, 0)

typedef struct Param {
  rutControllerHead head;
  rutTractionParam traction;
  rutSpeedControlParam speed_control;
  double speed, steer, yaw_rate;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW) RUT_SPEED_CONTROL_FIELDS(RUT_ROW)
        RUT_SPEED_CONTROL_ROWS RUT_ROW(speed, "m/s", 0, -1e3, 1e3,
                                       "Speed before the first command.")
            RUT_ROW(steer, "rad", 0, -1.6, 1.6, "Steering angle, likewise, positive left.") RUT_ROW(
                yaw_rate, "rad/s", 0, -1e3, 1e3, "Yaw rate, likewise, where yaw_gain is set.")};

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")
        RUT_SET_POINT(steer, "rad", STEER_ANGLE,
                      "angle of the equivalent single front wheel, positive to the left")
            RUT_SET_POINT(yaw_rate, "rad/s", YAW_RATE, "yaw rate, positive to the left")};

RUT_CLONES static void p_gravity_update(const void* param, const rutVehicleLayout* layout,
                                        const rutControlIn* in, double* state,
                                        const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double* steer = in->command + lanes;
  const rutTwist set = {.speed = in->command, .yaw_rate = in->command + 2 * lanes};
  (void)state;
  for (int l = 0; l < lanes; l++) out->steer[l] = steer[l];
  rut_control_speed(&p->traction, &p->speed_control, layout, in, &set, out);
}

const rutControllerType rut_controller_p_gravity = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "p_gravity",
             .parents = "vehicle",
             .doc = "Proportional speed control on the true speed, with compensation of the weight "
                    "along the slope and equal forces at all driven wheels (VirtualBotz 3D, Morrot "
                    "2010). The steering angle is passed through.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_PITCH,
    .update = p_gravity_update};
