// SPDX-License-Identifier: BSD-3-Clause
//
// Variables of elements: their rows, and their numbers.
#include <stdio.h>
#include <string.h>

#include "sim/spec/variables.h"
#include "sim/step.h"

static const rutVariableInfo none = {.name = "", .unit = "", .frame = "", .doc = "", .part = ""};

// Rows of one component that stand behind each other, and where their numbers begin in a batch.
typedef struct Rows {
  const rutComponent* type;
  const double* param;
  int n, first, per_wheel;
  const rutVariable* variable;
} Rows;

enum { DRIVE, CONTROLLER, TYRE, PARTS };

static const rutGroup* group_of(const rutModel* model, int vehicle) {
  return &model->group[model->vehicle[vehicle].group];
}

// Components of a vehicle that keep states.
static void states_of(const rutGroup* g, Rows part[PARTS]) {
  memset(part, 0, PARTS * sizeof *part);
  if (g->drive) {
    const rutComponent* t = &g->drive->base;
    part[DRIVE] = (Rows){t, g->drive_param, t->states, g->row.drive, 0, t->state};
  }
  if (g->controller) {
    const rutComponent* t = &g->controller->base;
    part[CONTROLLER] = (Rows){t, g->controller_param, t->states, g->row.control, 0, t->state};
  }
  if (g->tyre) {
    const rutComponent* t = &g->tyre->base;
    part[TYRE] = (Rows){t, g->tyre_param, t->states, g->row.tyre, 1, t->state};
  }
}

// A variable of a vehicle, and its first row in a batch.
static bool find_of_vehicle(const rutGroup* g, rutRole role, int variable, rutVariableInfo* info,
                            int* row) {
  const rutShapeCounts counts = {g->wheels, g->inputs};
  Rows part[PARTS] = {{0}};
  if (role == RUT_COMMAND && g->controller) {
    part[0] = (Rows){&g->controller->base,  g->controller_param, g->commands, g->row.command, 0,
                     g->controller->command};
  }
  if (role == RUT_STATE) states_of(g, part);
  for (int p = 0; p < PARTS; p++) {
    *row = part[p].first;
    for (int i = 0; i < part[p].n; i++) {
      rut_variable_resolve(part[p].type, part[p].param, counts, &part[p].variable[i], info);
      const int rows = info->count * (part[p].per_wheel ? g->wheels : 1);
      if (variable-- == 0) {
        if (part[p].per_wheel && info->dimensions < RUT_MAX_DIMENSIONS) {
          info->size[info->dimensions++] = g->wheels;
          info->count = rows;
        }
        return true;
      }
      *row += rows;
    }
  }
  return false;
}

static int count_of_vehicle(const rutGroup* g, rutRole role) {
  if (role == RUT_COMMAND) return g->commands;
  if (role != RUT_STATE) return 0;
  Rows part[PARTS];
  states_of(g, part);
  return part[DRIVE].n + part[CONTROLLER].n + part[TYRE].n;
}

static bool has(const rutModel* model, rutKind kind, int index) {
  return index >= 0 && index < rut_count(model, kind);
}

int rut_variables(const rutModel* model, rutKind kind, int index, rutRole role) {
  if (!has(model, kind, index)) return 0;
  if (kind == RUT_VEHICLE) return count_of_vehicle(group_of(model, index), role);
  if (kind != RUT_SENSOR) return 0;
  const rutSensorType* type = model->sensor[index].type;
  return role == RUT_OUTPUT ? type->outputs : role == RUT_STATE ? type->base.states : 0;
}

// A state of a sensor, and its first number behind those before it.
static rutVariableInfo sensor_state(const rutSensorRecord* s, int variable, int* at) {
  const rutComponent* type = &s->type->base;
  rutVariableInfo info = none;
  *at = 0;
  for (int i = 0; i <= variable; i++) {
    *at += info.count;
    rut_variable_resolve(type, s->param, (rutShapeCounts){0, 0}, &type->state[i], &info);
  }
  return info;
}

rutVariableInfo rut_variable(const rutModel* model, rutKind kind, int index, rutRole role,
                             int variable) {
  rutVariableInfo info = none;
  int at;
  if (variable < 0 || variable >= rut_variables(model, kind, index, role)) return none;
  if (kind == RUT_VEHICLE) {
    find_of_vehicle(group_of(model, index), role, variable, &info, &at);
    return info;
  }
  const rutSensorRecord* s = &model->sensor[index];
  return role == RUT_OUTPUT ? s->output[variable].info : sensor_state(s, variable, &at);
}

// Numbers of any type as doubles.
static void widen(rutNumberType type, int n, const void* from, double* out) {
  for (int i = 0; i < n; i++) {
    switch (type) {
      case RUT_F64:
        out[i] = ((const double*)from)[i];
        break;
      case RUT_F32:
        out[i] = (double)((const float*)from)[i];
        break;
      case RUT_U8:
        out[i] = ((const uint8_t*)from)[i];
        break;
      case RUT_U16:
        out[i] = ((const uint16_t*)from)[i];
        break;
      case RUT_I32:
        out[i] = ((const int32_t*)from)[i];
        break;
    }
  }
}

rutStatus rut_variable_read(const rutModel* model, const rutData* data, rutKind kind, int index,
                            rutRole role, int variable, int n, double* out) {
  const rutVariableInfo info = rut_variable(model, kind, index, role, variable);
  if (!info.name[0] || info.count != n || !rut_data_is_of(data, model)) return RUT_ERR_ARGUMENT;
  int at = 0;
  if (kind == RUT_VEHICLE) {
    const rutGroup* g = group_of(model, index);
    const int slot = model->vehicle[index].slot, lanes = g->lanes;
    rutVariableInfo same;
    find_of_vehicle(g, role, variable, &same, &at);
    const double* row = rut_batch(data, g, slot / lanes) + slot % lanes;
    for (int i = 0; i < n; i++) out[i] = row[(at + i) * lanes];
    return RUT_OK;
  }
  if (role == RUT_OUTPUT) {
    widen(info.type, n, rut_sensor_output(model, data, index, variable, NULL), out);
    return RUT_OK;
  }
  const rutSensorRecord* s = &model->sensor[index];
  sensor_state(s, variable, &at);
  memcpy(out, data->samples + s->state + at, (size_t)n * sizeof *out);
  return RUT_OK;
}
