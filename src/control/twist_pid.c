// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a twist with the wheels of the two sides (differential and skid steering).
#include "control/pid.h"

#define FIELDS(X) RUT_PID_FIELDS(X, 10, 100)

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

// Speeds of the sides, v -+ yaw_rate b/2 with track b, for the set point and for what odometry
// says. A single engine follows the speed alone.
RUT_INLINE void find_speeds(const rutControlIn* in, double half, int lanes, rutSpeedLoops* loops,
                            rutPidLoops want, rutPidLoops have) {
  for (int k = 0; k < loops->n; k++) {
    const double arm = loops->n == 1 ? 0.0 : (k == 0 ? -half : half);
    for (int l = 0; l < lanes; l++) {
      want[k * lanes + l] = in->command[l] + arm * in->command[lanes + l];
      have[k * lanes + l] = in->odo_speed[l] + arm * in->odo_rate[l];
    }
  }
  loops->want = want;
  loops->have = have;
}

// One PID for each speed.
RUT_CLONES static void twist_pid_update(const void* param, const rutVehicleLayout* layout,
                                        const rutControlIn* in, double* state,
                                        const rutControlOut* out) {
  const Param* p = param;
  const double half = 0.5 * (layout->y[layout->left] - layout->y[layout->right]);
  rutPidLoops want, have;
  rutSpeedLoops loops = {.n = in->demands < 2 ? 1 : 2};
  if (in->lanes == 1) {
    find_speeds(in, half, 1, &loops, want, have);
  } else {
    find_speeds(in, half, in->lanes, &loops, want, have);
  }
  for (int l = 0; l < in->lanes; l++) out->steer[l] = 0.0;
  rut_speed_loops(&p->pid, layout, in, &loops, state, out);
}

const rutControllerType rut_controller_twist_pid = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "twist_pid",
             .parents = "vehicle",
             .doc = "Follows speed and yaw rate with one PID speed loop per side, on wheel "
                    "odometry (Blanco-Claraco et al. 2023).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .stands_in = true,
    .needs_sides = true,
    .demands = 2,
    .uses = RUT_USES_PITCH,
    .gives_line = true,
    .update = twist_pid_update};
