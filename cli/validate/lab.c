// SPDX-License-Identifier: BSD-3-Clause
#include "lab.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void fail(cliLab* lab, rutStatus status, const rutError* err) {
  cli_report_failure(&lab->world.report, status, err);
  lab->failed = true;
}

void cli_lab_build(cliLab* lab, const char* format, ...) {
  if (lab->failed) return;
  cliWorld* world = &lab->world;
  cli_world_unload(world);
  char text[8192];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  rutError err = {0};
  rutStatus status =
      rut_spec_parse(world->context, text, (size_t)n, "case.xml", &world->spec, &err);
  if (status == RUT_OK) status = rut_compile(world->spec, &world->model, &err);
  if (status != RUT_OK) {
    fail(lab, status, &err);
    return;
  }
  world->data = rut_data_create(world->model);
  if (!world->data) fail(lab, RUT_ERR_MEMORY, &err);
}

void cli_lab_step(cliLab* lab) {
  if (lab->failed) return;
  rutError err = {0};
  rutStatus status = rut_step(lab->world.model, lab->world.data, &err);
  if (status != RUT_OK) fail(lab, status, &err);
}

double cli_lab_time(const cliLab* lab) { return lab->failed ? 1e300 : rut_time(lab->world.data); }

void cli_lab_run_to(cliLab* lab, double t) {
  while (!lab->failed && cli_lab_time(lab) < t - 1e-9) cli_lab_step(lab);
}

rutVehicleState cli_lab_vehicle(const cliLab* lab, int vehicle) {
  return lab->failed ? (rutVehicleState){0}
                     : rut_vehicle_state(lab->world.model, lab->world.data, vehicle);
}

rutWheelState cli_lab_wheel(const cliLab* lab, int w) {
  return lab->failed ? (rutWheelState){0} : rut_wheel_state(lab->world.model, lab->world.data, w);
}

double cli_lab_reading(const cliLab* lab, int sensor, const char* output, int index) {
  enum { MOST = 128 };
  double number[MOST];
  if (lab->failed) return (double)NAN;
  const rutModel* model = lab->world.model;
  for (int i = 0; i < rut_variables(model, RUT_SENSOR, sensor, RUT_OUTPUT); i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (strcmp(v.name, output) != 0 || index >= v.count || v.count > MOST) continue;
    const rutVariableRange one = {RUT_SENSOR, sensor, RUT_OUTPUT, i, 1};
    const rutStatus status = rut_variables_read(model, lab->world.data, &one, v.count, number);
    return status == RUT_OK ? number[index] : (double)NAN;
  }
  return (double)NAN;
}

void cli_lab_command(cliLab* lab, int n, const double* command) {
  if (lab->failed) return;
  rutError err = {0};
  rutStatus status = rut_command(lab->world.model, lab->world.data, 0, n, command);
  if (status != RUT_OK) fail(lab, status, &err);
}
