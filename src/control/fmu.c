// SPDX-License-Identifier: BSD-3-Clause
//
// An FMU that drives, in a process of its own. Nothing happens in a step: the run exchanges numbers
// with it between steps (rut/fmu.h), as with other programs that drive, and gives the vehicle its
// set points.
#include <stdio.h>

#include "rut/component.h"

typedef struct Param {
  rutControllerHead head;
  double file;
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS{
    "file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_CODE,
    "The FMU, of FMI 2.0 or 3.0 for co-simulation; without one nothing drives."}};

static rutStatus check(const double* param, rutError* err) {
  const Param* p = (const Param*)(const void*)param;
  const rutControllerHead* head = &p->head;
  if (head->phase == 0 && head->input_delay == 0 && head->output_delay == 0 && head->host == 0) {
    return RUT_OK;
  }
  if (err) {
    err->status = RUT_ERR_MODEL;
    snprintf(err->message, sizeof err->message,
             "an FMU has a period alone: no phase, no delays, no host");
  }
  return RUT_ERR_MODEL;
}

static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  (void)param, (void)layout, (void)in, (void)state, (void)out;
}

const rutControllerType rut_controller_fmu = {
    .base = {RUT_HEAD(rutControllerType, "controller", "fmu", "vehicle",
                      "Drives by a functional mock-up unit (FMI 2.0 or 3.0, co-simulation) in a "
                      "process of its own, beside a controller whose set points it gives: "
                      "<fmu_input>, <fmu_output> and <fmu_parameter> inside name what it gets and "
                      "gives. Of rut run --allow-fmu only, since code of the FMU is run.",
                      fields),
             .check = check},
    .observes = true,
    .update = update};
