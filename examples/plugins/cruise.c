// SPDX-License-Identifier: BSD-3-Clause
//
// A controller: holds a speed by equal torques on all wheels.
#include <rut/component.h>

#define FIELDS(X)                                           \
  X(gain, "1/s", 2, 0, 1e3, "acceleration per speed error") \
  X(speed, "m/s", 0, -100, 100, "speed before the first command")
typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;
static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};
static const rutVariable commands[] = {RUT_VARIABLE(speed, "m/s", "forward speed")};
static const rutVariable outputs[] = {RUT_VARIABLE(force, "N", "demanded, of all wheels")};

// Several equal vehicles at a time, one per lane: number i of lane l stands at [i * lanes + l].
static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  for (int l = 0; l < lanes; l++) {
    const double force = layout->mass * p->gain * (in->command[l] - in->odo_speed[l]);
    out->output[l] = force;
    // a demand of 1 N m to each input makes torque_gain at the wheels
    const double torque = force * layout->radius[0] / layout->torque_gain;
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = torque;
  }
  (void)state;
}

static const rutControllerType cruise = {
    .base = {RUT_HEAD(rutControllerType, "controller", "cruise", "vehicle",
                      "Holds a speed by equal torques on all wheels.", fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .update = update};
RUT_PLUGIN(&cruise.base)
