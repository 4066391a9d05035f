// SPDX-License-Identifier: BSD-3-Clause
//
// A controller as a plug-in: holds a speed, and slows down when a wheel load gets small.
//   cmake -B build && cmake --build build && rut run world.xml --plugin build/careful.so
#include <rut/component.h>

// One row per parameter: name, unit, default, smallest, largest value, what it is.
#define FIELDS(X)                                                                       \
  X(gain, "1/s", 2, 0, 1e3, "Acceleration per speed error.")                            \
  X(light, "", 0.4, 0, 1, "Share of the mean wheel load below which a wheel is light.") \
  X(speed, "m/s", 0, -100, 100, "Speed before the first command.")                      \
  X(steer, "rad", 0, -1.5, 1.5, "Steering angle, likewise.")

typedef struct Param {
  rutControllerHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS FIELDS(RUT_ROW)};

static double clamp(double x, double low, double high) {
  return x < low ? low : (x > high ? high : x);
}

static const rutVariable commands[] = {RUT_VARIABLE(speed, "m/s", "forward speed") RUT_VARIABLE(
    steer, "rad", "angle of the equivalent single front wheel, positive to the left")};
// An output that can start and stop a log of its vehicle.
static const rutVariable outputs[] = {
    RUT_VARIABLE(slowing, "", "1 while it slows down for a light wheel")};

// Load of the lightest wheel over the mean wheel load. Only vehicles on axles have loads.
static double lightest(const rutVehicleLayout* layout, const rutControlIn* in, int lanes, int l) {
  double least = 1;
  for (int w = 0; in->load && w < layout->wheels; w++) {
    const double part = in->load[w * lanes + l] * layout->wheels / (layout->mass * layout->gravity);
    least = part < least ? part : least;
  }
  return least;
}

// Several equal vehicles at a time, one per lane: number i of lane l stands at [i * lanes + l].
static void careful_update(const void* param, const rutVehicleLayout* layout,
                           const rutControlIn* in, double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double *speed = in->command, *steer = in->command + lanes;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    const double ease = p->light > 0 ? clamp(lightest(layout, in, lanes, l) / p->light, 0, 1) : 1;
    out->output[l] = ease < 1;
    const double a = p->gain * (ease * speed[l] - in->vx[l]);
    // a demand of 1 N m to each input makes torque_gain at the wheels
    const double torque = layout->mass * a * layout->radius[0] / layout->torque_gain;
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = torque;
    out->steer[l] = steer[l];
    if (out->brake) out->brake[l] = clamp(0.1 * (in->vx[l] - speed[l]), 0, 1);
  }
}

static const rutControllerType careful = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "careful",
             .parents = "vehicle",
             .doc = "Holds a speed, and slows down when a wheel load gets small.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_MOTION | RUT_USES_CONTACT,
    .update = careful_update};

// What rut looks for in the library.
RUT_PLUGIN(&careful.base)
