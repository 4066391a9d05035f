// SPDX-License-Identifier: BSD-3-Clause
//
// A powertrain in an FMU, in a process of its own. Nothing of it happens in a step: the run
// exchanges numbers with it between steps (rut/fmu.h), and the torques that it gives are held here
// until it gives others.
#include "math/rut_math.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                  \
  X(period, "s", 0, 0, 1e3, "Time between two exchanges; 0: at every step.")                       \
  X(full_torque, "N m", 0, 0, 1e9,                                                                 \
    "Demand of full throttle: the vehicle is driven by a throttle, and 'torque_demand' over this " \
    "is "                                                                                          \
    "its position. 0: it is driven by torques, a demand for the left and one for the right.")      \
  X(max_torque, "N m", 0, 0, 1e9,                                                                  \
    "Largest torque of a wheel in either direction, whatever the FMU gives; 0: no limit.")

typedef struct Param {
  double file;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_CODE,
     "The FMU, of FMI 2.0 or 3.0 for co-simulation; without one the wheels get no torque."},
    FIELDS(RUT_ROW)};

// Set by rut_hold_torques.
static const rutVariable states[] = {{RUT_HELD_TORQUE, "N m", "wheels", "",
                                      "torque for each wheel that the FMU has given", RUT_F64,
                                      false, RUT_MEANS_NOTHING}};

static int fmu_inputs(const void* param, const rutVehicleLayout* layout) {
  const Param* p = param;
  (void)layout;
  return p->full_torque > 0 ? 1 : 2;
}

static void fmu_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                       double* state, double* torque) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double most = p->max_torque > 0 ? p->max_torque : RUT_INFINITY;
  for (int w = 0; w < layout->wheels; w++) {
    for (int l = w * lanes; l < (w + 1) * lanes; l++) {
      torque[l] = layout->driven[w] ? rut_clamp(state[l], -most, most) : 0;
    }
  }
}

static double fmu_full_demand(const void* param) {
  const Param* p = param;
  return p->full_torque;
}

static const rutVariable outputs[] = {
    {"torque_demand", "N m", "inputs", "",
     "for the FMU, of the last step: of throttle, or left and right", RUT_F64, false,
     RUT_MEANS_NOTHING}};

static void fmu_observe(const void* param, const rutVehicleLayout* layout, const rutDriveResult* in,
                        double* out) {
  const int inputs = fmu_inputs(param, layout);
  for (int i = 0; i < inputs; i++) out[i] = in->demand[i * in->stride];
}

const rutDriveType rut_drive_fmu = {
    .base = {RUT_HEAD(rutDriveType, "drive", "fmu", "vehicle",
                      "A powertrain in a functional mock-up unit (FMI 2.0 or 3.0, co-simulation), "
                      "in a process of its own: <fmu_input>, <fmu_torque> and <fmu_parameter> "
                      "inside name what it gets and gives. Its torques hold from one exchange to "
                      "the next. Of rut run --allow-fmu only, since code of the FMU is run.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    RUT_OBSERVED(outputs, fmu_observe),
    .inputs = fmu_inputs,
    .torque = fmu_torque,
    .full_demand = fmu_full_demand};
