// SPDX-License-Identifier: BSD-3-Clause
//
// Creeps along at a speed, the weight on the slope made up for.
#include "math/rut_math.h"
#include "rut/component.h"

#define FIELDS(X)                                           \
  X(gain, "1/s", 2, 0, 1e3, "acceleration per speed error") \
  X(pace, "m/s", 0, -10, 10, "speed before the first command")
typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;
static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};
static const rutVariable commands[] = {RUT_VARIABLE(pace, "m/s", "forward speed")};
static const rutVariable outputs[] = {RUT_VARIABLE(climb, "rad", "slope that it makes up for")};

static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  const double gain = ((const Param*)param)->gain, arm = layout->radius[0] / layout->torque_gain;
  for (int l = 0; l < lanes; l++) {
    const double weight = -layout->gravity * rut_sin(in->pitch[l]);
    const double force = layout->mass * (weight + gain * (in->command[l] - in->odo_speed[l]));
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = force * arm;
    out->output[l] = -in->pitch[l];
  }
  (void)state;
}

const rutControllerType rut_controller_creep = {
    .base = {RUT_HEAD(rutControllerType, "controller", "creep", "vehicle",
                      "Creeps along at a speed.", fields)},
    .command = commands,
    .commands = 1,
    .output = outputs,
    .outputs = 1,
    .uses = RUT_USES_PITCH,
    .update = update};
