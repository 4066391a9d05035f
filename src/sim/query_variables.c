// SPDX-License-Identifier: BSD-3-Clause
//
// Variables of elements: their rows, and their numbers.
#include <string.h>

#include "sim/outputs.h"
#include "sim/power.h"
#include "sim/spec/variables.h"
#include "sim/tyre_result.h"

static const rutVariableInfo none = {.name = "", .unit = "", .frame = "", .doc = "", .part = ""};

// Where the numbers of a set come from.
typedef enum Source {
  COMPUTED,  // by its function
  BATCH,     // rows of a batch
  TOLD,      // by the drive, or by the tyre of a wheel
  SAMPLE,    // the newest of a sensor that can be seen
  KEPT       // by a sensor
} Source;

// Variables of an element and role that stand next to each other and are read together.
typedef struct Set {
  Source source;
  const rutOutputSet* own;  // COMPUTED
  const rutComponent* type;
  const double* param;
  int n;
  const rutVariable* variable;
  int first;       // row of a batch, number of a sensor's state
  bool per_wheel;  // BATCH: every variable is there once for each wheel
  bool outputs;    // BATCH: only the states that are outputs
} Set;

enum {
  PARTS = 2 + RUT_MAX_CONTROLLERS,  // of a vehicle that keep states: drive, controllers, tyres
  MAX_SETS = RUT_MAX_OUTPUT_SETS + PARTS + RUT_MAX_CONTROLLERS + 1 + RUT_MAX_COMMANDS,
  // Numbers of the longest set, except samples, which are stored elsewhere.
  MAX_NUMBERS = RUT_MBD_MAX_BODIES * 13 > RUT_MAX_OUTPUT_NUMBERS ? RUT_MBD_MAX_BODIES * 13
                                                                 : RUT_MAX_OUTPUT_NUMBERS
};

static const rutGroup* group_of(const rutModel* model, int vehicle) {
  return &model->group[model->vehicle[vehicle].group];
}

static bool has(const rutModel* model, rutKind kind, int index) {
  return index >= 0 && index < rut_count(model, kind);
}

// ---- which sets there are ----

// States of the parts of a vehicle; returns the number of sets.
static int states_of(const rutGroup* g, bool outputs, Set set[PARTS]) {
  typedef struct Part {
    const rutComponent* type;
    const double* param;
    int first;
  } Part;
  Part part[PARTS] = {{g->drive ? &g->drive->base : NULL, g->drive_param, g->row.drive},
                      {g->tyre ? &g->tyre->base : NULL, g->tyre_param, g->row.tyre}};
  for (int i = 0; i < g->control.n; i++) {
    const rutController* c = &g->control.controller[i];
    part[2 + i] = (Part){&c->type->base, c->param, c->state};
  }
  int n = 0;
  for (int i = 0; i < PARTS; i++) {
    if (!part[i].type || part[i].type->states == 0) continue;
    set[n++] = (Set){.source = BATCH,
                     .type = part[i].type,
                     .param = part[i].param,
                     .n = part[i].type->states,
                     .variable = part[i].type->state,
                     .first = part[i].first,
                     .per_wheel = i == 1,
                     .outputs = outputs};
  }
  return n;
}

static int sets_of_vehicle(const rutGroup* g, rutRole role, Set* set) {
  int n = 0;
  if (role == RUT_STATE) return states_of(g, false, set);
  for (int i = 0; role == RUT_COMMAND && i < g->commands; i++) {
    const rutGroupCommand* c = &g->command[i];
    const rutController* owner = &g->control.controller[c->controller < 0 ? 0 : c->controller];
    set[n++] = (Set){.source = BATCH,
                     .type = c->controller < 0 ? g->spatial->tyre->type : &owner->type->base,
                     .param = c->controller < 0 ? g->spatial->tyre->param : owner->param,
                     .n = 1,
                     .variable = rut_group_command(g, c),
                     .first = c->row};
  }
  if (role != RUT_OUTPUT) return n;
  for (int i = 0; i < g->control.n; i++) {
    const rutController* c = &g->control.controller[i];
    if (c->type->outputs == 0) continue;
    set[n++] = (Set){.source = BATCH,
                     .type = &c->type->base,
                     .param = c->param,
                     .n = c->type->outputs,
                     .variable = c->type->output,
                     .first = c->output};
  }
  if (g->drive && g->drive->outputs > 0) {
    set[n++] = (Set){.source = TOLD,
                     .type = &g->drive->base,
                     .param = g->drive_param,
                     .n = g->drive->outputs,
                     .variable = g->drive->output};
  }
  return n + states_of(g, true, set + n);
}

static int sets_of_wheel(const rutModel* model, int wheel, Set* set) {
  const rutWheelTyre tyre = rut_wheel_tyre(model, wheel);
  if (!tyre.type || tyre.type->outputs == 0) return 0;
  *set = (Set){.source = TOLD,
               .type = &tyre.type->base,
               .param = tyre.param,
               .n = tyre.type->outputs,
               .variable = tyre.type->output};
  return 1;
}

static int sets_of_sensor(const rutSensorRecord* s, rutRole role, Set* set) {
  const rutComponent* type = &s->type->base;
  if (role == RUT_OUTPUT) {
    *set = (Set){.source = SAMPLE,
                 .type = type,
                 .param = s->param,
                 .n = s->type->outputs,
                 .variable = s->type->output};
    return 1;
  }
  *set = (Set){
      .source = KEPT, .type = type, .param = s->param, .n = type->states, .variable = type->state};
  return role == RUT_STATE && type->states > 0 ? 1 : 0;
}

static int sets_of(const rutModel* model, rutKind kind, int index, rutRole role,
                   Set set[MAX_SETS]) {
  if (!has(model, kind, index)) return 0;
  if (kind == RUT_SENSOR) return sets_of_sensor(&model->sensor[index], role, set);
  int n = 0, own = 0;
  const rutOutputSet* list = rut_output_sets(kind, &own);
  for (int i = 0; role == RUT_OUTPUT && i < own; i++) {
    if (list[i].applies && !list[i].applies(model, index)) continue;
    set[n++] =
        (Set){.source = COMPUTED, .own = &list[i], .n = list[i].rows, .variable = list[i].row};
  }
  if (kind == RUT_WHEEL && role == RUT_OUTPUT) n += sets_of_wheel(model, index, set + n);
  return kind == RUT_VEHICLE ? n + sets_of_vehicle(group_of(model, index), role, set + n) : n;
}

// ---- their variables ----

// The i-th variable of a set is no output: a state that is only kept.
static bool left_out(const Set* set, int i) { return set->outputs && !set->variable[i].output; }

static rutVariableInfo computed_info(const rutModel* model, int index, const Set* set, int i) {
  const rutVariable* v = &set->variable[i];
  rutVariableInfo info = {.name = v->name,
                          .unit = v->unit,
                          .frame = v->frame,
                          .doc = v->doc,
                          .part = set->own->part,
                          .count = 1,
                          .reading = set->own->reading};
  if (set->own->count) {
    info.dimensions = 1;
    info.size[0] = info.count = set->own->count(model, index, i);
  }
  return info;
}

static rutVariableInfo info_of(const rutModel* model, const rutVariableRange* of, const Set* set,
                               int i) {
  rutVariableInfo info = none;
  if (set->source == COMPUTED) return computed_info(model, of->index, set, i);
  const int vehicle = of->kind == RUT_VEHICLE  ? of->index
                      : of->kind == RUT_SENSOR ? model->sensor[of->index].vehicle
                                               : -1;
  const rutGroup* g = vehicle >= 0 ? group_of(model, vehicle) : NULL;
  const rutShapeCounts counts = {g ? g->wheels : 0, g && of->kind == RUT_VEHICLE ? g->inputs : 0};
  rut_variable_resolve(set->type, set->param, counts, &set->variable[i], &info);
  if (set->per_wheel && info.dimensions < RUT_MAX_DIMENSIONS) {
    info.size[info.dimensions++] = g->wheels;
    info.count *= g->wheels;
  }
  // the samples of a sensor are its own
  if (of->kind == RUT_SENSOR && of->role == RUT_OUTPUT) info.part = "";
  info.reading = of->role == RUT_STATE ? RUT_READ_ON_REQUEST : RUT_READ_ALWAYS;
  return info;
}

int rut_variables(const rutModel* model, rutKind kind, int index, rutRole role) {
  Set set[MAX_SETS];
  const int sets = sets_of(model, kind, index, role, set);
  int n = 0;
  for (int s = 0; s < sets; s++) {
    for (int i = 0; i < set[s].n; i++) n += !left_out(&set[s], i);
  }
  return n;
}

rutVariableInfo rut_variable(const rutModel* model, rutKind kind, int index, rutRole role,
                             int variable) {
  const rutVariableRange of = {.kind = kind, .index = index, .role = role};
  Set set[MAX_SETS];
  const int sets = sets_of(model, kind, index, role, set);
  for (int s = 0; s < sets && variable >= 0; s++) {
    for (int i = 0; i < set[s].n; i++) {
      if (left_out(&set[s], i) || variable-- > 0) continue;
      rutVariableInfo info = info_of(model, &of, &set[s], i);
      info.set = s;
      return info;
    }
  }
  return none;
}

// ---- their numbers ----

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

// Outputs of a vehicle's drive in the last step.
static void let_tell(const rutModel* model, const rutData* data, int vehicle, double* out) {
  const rutGroup* g = group_of(model, vehicle);
  const rutDriveResult seen = rut_drive_result(model, data, vehicle);
  g->drive->observe(g->drive_param, &g->layout, &seen, out);
}

// All numbers of a set that is computed as a whole.
static void compute(const rutModel* model, const rutData* data, const rutVariableRange* of,
                    const Set* set, double* out) {
  if (set->source == COMPUTED) {
    set->own->read(model, data, of->index, out);
  } else if (of->kind == RUT_WHEEL) {
    rut_tyre_tell(model, data, of->index, out);
  } else {
    let_tell(model, data, of->index, out);
  }
}

// Variables that are to be read, and where their numbers go.
typedef struct Wanted {
  const rutModel* model;
  const rutData* data;
  const rutVariableRange* range;
  int end;       // behind the last variable, counted over all sets
  int variable;  // the next one
  double* out;
  int room;  // for numbers; -1 once there was too little
} Wanted;

// `count` numbers of a set that stand ready in its state; `before` stand in front of them.
static void copy_state(const Wanted* w, const Set* set, int before, int count, double* out) {
  const int index = w->range->index;
  if (set->source == BATCH) {
    const rutGroup* g = group_of(w->model, index);
    const int slot = w->model->vehicle[index].slot, lanes = g->lanes;
    const double* row = rut_batch(w->data, g, slot / lanes) + slot % lanes;
    for (int k = 0; k < count; k++) out[k] = row[(set->first + before + k) * lanes];
  } else {
    const double* state = w->data->samples + w->model->sensor[index].state + before;
    memcpy(out, state, (size_t)count * sizeof *out);
  }
}

// Read the numbers of one variable if it is requested and they fit; NULL if there are none.
static double* take(Wanted* w, int count) {
  const bool wanted = w->variable >= w->range->first && w->variable < w->end;
  w->variable++;
  if (!wanted || w->room < 0) return NULL;
  w->room -= count;
  if (w->room < 0) return NULL;
  w->out += count;
  return w->out - count;
}

// Numbers of all variables of a set.
static int count_numbers(const Wanted* w, const Set* set) {
  if (set->source == COMPUTED && !set->own->count) return set->n;
  int n = 0;
  for (int i = 0; i < set->n; i++) n += info_of(w->model, w->range, set, i).count;
  return n;
}

// Read a set that is requested whole directly. False if it must be read variable by variable.
static bool read_whole(const Set* set, Wanted* w) {
  const bool all = w->variable >= w->range->first && w->variable + set->n <= w->end;
  if (!all || set->outputs || set->source == SAMPLE) return false;
  const int n = count_numbers(w, set);
  if (n > w->room) return false;
  if (set->source == COMPUTED || set->source == TOLD) {
    compute(w->model, w->data, w->range, set, w->out);
  } else {
    copy_state(w, set, 0, n, w->out);
  }
  w->variable += set->n;
  w->out += n;
  w->room -= n;
  return true;
}

static void read_set(const Set* set, Wanted* w) {
  if (read_whole(set, w)) return;
  const bool whole = set->source == COMPUTED || set->source == TOLD;
  const int index = w->range->index;
  double all[MAX_NUMBERS];
  if (whole) compute(w->model, w->data, w->range, set, all);
  for (int i = 0, before = 0; i < set->n && w->variable < w->end; i++) {
    const rutVariableInfo info = info_of(w->model, w->range, set, i);
    double* out = left_out(set, i) ? NULL : take(w, info.count);
    if (out && whole) {
      memcpy(out, all + before, (size_t)info.count * sizeof *out);
    } else if (out && set->source == SAMPLE) {
      widen(info.type, info.count, rut_sensor_output(w->model, w->data, index, i, NULL), out);
    } else if (out) {
      copy_state(w, set, before, info.count, out);
    }
    before += info.count;
  }
}

rutStatus rut_variables_read(const rutModel* model, const rutData* data,
                             const rutVariableRange* range, int n, double* out) {
  Set set[MAX_SETS];
  if (range->first < 0 || range->count < 0 || n < 0 || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const int sets = sets_of(model, range->kind, range->index, range->role, set);
  Wanted wanted = {.model = model,
                   .data = data,
                   .range = range,
                   .end = range->first + range->count,
                   .out = out,
                   .room = n};
  for (int s = 0; s < sets && wanted.variable < wanted.end; s++) {
    // skip the sets before the first one
    if (!set[s].outputs && wanted.variable + set[s].n <= range->first) {
      wanted.variable += set[s].n;
      continue;
    }
    read_set(&set[s], &wanted);
  }
  return wanted.variable >= wanted.end && wanted.room == 0 ? RUT_OK : RUT_ERR_ARGUMENT;
}
