// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a twist with a steered front axle.
#include "control/steering.h"

#define FIELDS(X) RUT_PID_FIELDS(X, 100, 100)

typedef struct Param {
  rutControllerHead head;
  rutPidParam pid;
  double speed, yaw_rate;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)
        RUT_PID_ROWS RUT_ROW(speed, "m/s", 0, -1e3, 1e3, "Speed before the first command.")
            RUT_ROW(yaw_rate, "rad/s", 0, -1e3, 1e3, "Yaw rate, likewise.")};

static const rutVariable states[] = {RUT_PID_STATE_INFOS("left") RUT_PID_STATE_INFOS("right")};

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")
        RUT_SET_POINT(yaw_rate, "rad/s", YAW_RATE, "yaw rate, positive to the left")};

RUT_CLONES static void twist_front_steer_pid_update(const void* param,
                                                    const rutVehicleLayout* layout,
                                                    const rutControlIn* in, double* state,
                                                    const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double *speed = in->command, *yaw_rate = in->command + lanes;
  for (int l = 0; l < lanes; l++) {
    out->steer[l] = rut_steer_of_twist(speed[l], yaw_rate[l], layout->wheelbase);
  }
  rut_steered_speed_loops(&p->pid, layout, in, &(rutTwist){speed, yaw_rate}, state, out);
}

const rutControllerType rut_controller_twist_front_steer_pid = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "twist_front_steer_pid",
             .parents = "vehicle",
             .doc = "Follows speed and yaw rate by steering the front axle, with PID speed loops "
                    "for the front wheels or the engine (Blanco-Claraco et al. 2023).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .needs_sides = true,
    .needs_steering = true,
    .demands = 2,
    .uses = RUT_USES_PITCH,
    .gives_line = true,
    .update = twist_front_steer_pid_update};
