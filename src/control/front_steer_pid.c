// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a speed with a given steering angle.
#include "control/steering.h"

#define FIELDS(X) RUT_PID_FIELDS(X, 100, 100)

typedef struct Param {
  rutControllerHead head;
  rutPidParam pid;
  double speed, steer;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)
        RUT_PID_ROWS RUT_ROW(speed, "m/s", 0, -1e3, 1e3, "Speed before the first command.")
            RUT_ROW(steer, "rad", 0, -1.6, 1.6, "Steering angle, likewise, positive left.")};

static const rutVariable states[] = {RUT_PID_STATE_INFOS("left") RUT_PID_STATE_INFOS("right")};

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")
        RUT_SET_POINT(steer, "rad", STEER_ANGLE,
                      "angle of the equivalent single front wheel, positive to the left")};

// The yaw rate that goes with the angle is v tan(angle)/l. The wheels are compared with the twist
// of the angle that the steering can reach.
RUT_CLONES static void front_steer_pid_update(const void* param, const rutVehicleLayout* layout,
                                              const rutControlIn* in, double* state,
                                              const rutControlOut* out) {
  static const double LEAST_WHEELBASE = 1e-6;  // [m]
  const Param* p = param;
  const int lanes = in->lanes;
  const double *speed = in->command, *steer = in->command + lanes;
  const double max = layout->max_steer;
  rutPidLanes yaw_rate;
  for (int l = 0; l < lanes; l++) {
    out->steer[l] = rut_clamp(steer[l], -max, max);
    yaw_rate[l] = speed[l] * rut_tan(out->steer[l]) / rut_max(layout->wheelbase, LEAST_WHEELBASE);
  }
  rut_steered_speed_loops(&p->pid, layout, in, &(rutTwist){speed, yaw_rate}, state, out);
}

const rutControllerType rut_controller_front_steer_pid = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "front_steer_pid",
             .parents = "vehicle",
             .doc = "Follows a speed at a commanded steering angle, with PID speed loops for the "
                    "front wheels or the engine (Blanco-Claraco et al. 2023).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .stands_in = true,
    .needs_sides = true,
    .needs_steering = true,
    .demands = 2,
    .uses = RUT_USES_PITCH,
    .gives_line = true,
    .update = front_steer_pid_update};
