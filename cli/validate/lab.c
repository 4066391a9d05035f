// SPDX-License-Identifier: BSD-3-Clause
#include "lab.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(cliLab* lab, rutStatus status, const rutError* err) {
  cli_report_failure(&lab->world.report, status, err);
  lab->failed = true;
}

// The vehicle's tag up to its end, with a name and a place of its own.
static void copy_tag(FILE* out, const char* tag, const char* end, int copy) {
  static const char at[] = " position='";
  double place[3] = {0};
  const char* name = strstr(tag, " name='");
  const char* position = strstr(tag, at);
  if (position && position < end) {
    sscanf(position + strlen(at), "%lf %lf %lf", &place[0], &place[1], &place[2]);
  }
  fprintf(out, "<vehicle name='copy%d' position='%.17g %.17g %.17g'", copy, place[0],
          place[1] + copy * CLI_LAB_APART, place[2]);
  for (const char* c = tag + strlen("<vehicle"); c < end;) {
    // what has been written already ends with its second quote
    if (c == name || c == position) {
      c = strchr(strchr(c, '\'') + 1, '\'') + 1;
    } else {
      fputc(*c++, out);
    }
  }
}

// A vehicle's elements, with some of their numbers multiplied.
static void copy_inside(FILE* out, const char* from, const char* to, double factor) {
  static const char* const key[] = {" mass='",
                                    " wheel_mass='",
                                    " wheel_inertia='",
                                    " stiffness='",
                                    " gear='",
                                    " torque_constant='",
                                    " torque='",
                                    " torque_left='",
                                    " rotor_inertia='",
                                    " damping='",
                                    " proportional_gain='",
                                    " bearing_damping='"};
  while (from < to) {
    double number = 0;
    int k = 0, length = 0;
    while (k < CLI_COUNT(key) && strncmp(from, key[k], strlen(key[k])) != 0) k++;
    const char* at = k < CLI_COUNT(key) ? from + strlen(key[k]) : from;
    // lists stay as they are
    if (at > from && sscanf(at, "%lf%n", &number, &length) == 1 && at[length] == '\'') {
      fprintf(out, "%s%.17g", key[k], factor * number);
      from = at + length;
    } else {
      fputc(*from++, out);
    }
  }
}

// The world with so many of its first vehicle; the caller frees it. NULL: it has none, or no
// memory.
static char* multiply(const cliLab* lab, const char* text, size_t* size) {
  static const char last[] = "</vehicle>";
  char* many = NULL;
  const char* from = strstr(text, "<vehicle ");
  const char* to = from ? strstr(from, last) : NULL;
  FILE* out = to ? open_memstream(&many, size) : NULL;
  if (!out) return NULL;
  to += strlen(last);
  const char* end = strchr(from, '>');
  fwrite(text, 1, (size_t)(from - text), out);
  for (int i = 0; i < lab->copies; i++) {
    copy_tag(out, from, end, i);
    copy_inside(out, end, to, lab->unlike ? 1 + 0.01 * (i - lab->looked_at) : 1);
  }
  fputs(to, out);
  fclose(out);
  return many;
}

void cli_lab_build(cliLab* lab, const char* format, ...) {
  if (lab->failed) return;
  cliWorld* world = &lab->world;
  cli_world_unload(world);
  char text[8192];
  va_list args;
  va_start(args, format);
  size_t n = (size_t)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  rutError err = {0};
  if (n >= sizeof text) {
    fail(lab, RUT_ERR_CAPACITY, &err);
    return;
  }
  char* many = lab->copies > 1 ? multiply(lab, text, &n) : NULL;
  if (lab->copies > 1 && !many) {
    fail(lab, RUT_ERR_MEMORY, &err);
    return;
  }
  rutStatus status =
      rut_spec_parse(world->context, many ? many : text, n, "case.xml", &world->spec, &err);
  free(many);
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
  if (lab->failed) return (rutVehicleState){0};
  return rut_vehicle_state(lab->world.model, lab->world.data, vehicle + lab->looked_at);
}

rutWheelState cli_lab_wheel(const cliLab* lab, int w) {
  if (lab->failed) return (rutWheelState){0};
  const rutModel* model = lab->world.model;
  const int each = lab->copies > 1 ? rut_count(model, RUT_WHEEL) / lab->copies : 0;
  return rut_wheel_state(model, lab->world.data, w + each * lab->looked_at);
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
  for (int i = 1; i < lab->copies && status == RUT_OK; i++) {
    status = rut_command(lab->world.model, lab->world.data, i, n, command);
  }
  if (status != RUT_OK) fail(lab, status, &err);
}
