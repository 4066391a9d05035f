// SPDX-License-Identifier: BSD-3-Clause
//
// Carries the state of a run over to another model of the same world.
#include <string.h>

#include "math/rut_math.h"
#include "sim/data.h"
#include "sim/host_control.h"
#include "sim/soil_changes.h"
#include "sim/spec/context.h"
#include "sim/step_bodies.h"

// Lane of a vehicle or mechanism in its batch.
typedef struct Place {
  const rutGroup* group;
  double* lane;
} Place;

static Place place_of(const rutModel* model, const rutData* data, int group, int slot) {
  const rutGroup* g = &model->group[group];
  return (Place){g, rut_batch(data, g, slot / g->lanes) + slot % g->lanes};
}

static void copy_rows(Place to, int at, Place from, int from_at, int rows) {
  for (int r = 0; r < rows; r++) {
    to.lane[(at + r) * to.group->lanes] = from.lane[(from_at + r) * from.group->lanes];
  }
}

static bool same_shape(const rutGroup* a, const rutGroup* b) {
  const bool spatial = a->spatial != NULL;
  if (a->mechanism != b->mechanism || spatial != (b->spatial != NULL)) return false;
  if (a->wheels != b->wheels || a->shafts != b->shafts) return false;
  if (a->tree.positions != b->tree.positions || a->tree.speeds != b->tree.speeds) return false;
  if (spatial && a->spatial->mechanisms != b->spatial->mechanisms) return false;
  return a->row.motion_end == b->row.motion_end;
}

// States of a component: its first row and their number.
typedef struct Kept {
  const void* type;
  int first, rows;
} Kept;

// They go over to a component of the same type.
static void copy_component(Place to, Kept here, Place from, Kept there) {
  if (!here.type || here.type != there.type || here.rows != there.rows) return;
  copy_rows(to, here.first, from, there.first, here.rows);
}

// Controllers of the same types in the same order.
static bool same_controllers(const rutGroup* a, const rutGroup* b) {
  if (a->control.n != b->control.n || a->control_states != b->control_states) return false;
  for (int i = 0; i < a->control.n; i++) {
    if (a->control.controller[i].type != b->control.controller[i].type) return false;
  }
  return a->control.actuators == b->control.actuators;
}

static void copy_vehicle(Place to, Place from) {
  const rutGroup *g = to.group, *old = from.group;
  copy_rows(to, 0, from, 0, g->row.motion_end);
  if (g->mechanism) return;
  copy_rows(to, g->row.command_end, from, old->row.command_end,
            g->row.state_rows - g->row.command_end);
  // shafts may have other inertias: -1 is no state of the drive
  if (g->spatial) to.lane[g->row.spatial.coupled * g->lanes] = -1;
  copy_component(to, (Kept){g->tyre, g->row.tyre, g->tyre_states * g->wheels}, from,
                 (Kept){old->tyre, old->row.tyre, old->tyre_states * old->wheels});
  if (g->scrubs && old->scrubs) copy_rows(to, g->row.scrub, from, old->row.scrub, g->wheels);
  copy_component(to, (Kept){g->drive, g->row.drive, g->drive_states}, from,
                 (Kept){old->drive, old->row.drive, old->drive_states});
  copy_rows(to, g->row.steer, from, old->row.steer, 1);
  const int pressures = g->spatial ? g->spatial->pressures : 0;
  if (pressures > 0 && old->spatial->pressures == pressures) {
    copy_rows(to, g->row.pressure, from, old->row.pressure, pressures);
  }
  if (!same_controllers(g, old)) return;
  copy_rows(to, g->row.control, from, old->row.control, g->control_states);
  if (g->inputs == old->inputs) copy_rows(to, g->row.demand, from, old->row.demand, g->inputs);
  copy_rows(to, g->row.command, from, old->row.command, g->command_rows);
}

// What does not fit, NULL if all does.
static const char* difference(const rutModel* a, const rutModel* b) {
  if (a->vehicles != b->vehicles) return "vehicles";
  if (a->blocks != b->blocks || a->bodies != b->bodies) return "blocks";
  if (a->space_blocks != b->space_blocks) return "blocks";
  if (a->mechanisms != b->mechanisms) return "mechanisms";
  if (a->ground->sources != b->ground->sources) return "grounds";
  for (int i = 0; i < a->vehicles; i++) {
    const rutVehicleRecord *v = &a->vehicle[i], *w = &b->vehicle[i];
    const bool same = same_shape(&a->group[v->group], &b->group[w->group]);
    if (!same || strcmp(a->name[RUT_VEHICLE][i], b->name[RUT_VEHICLE][i]) != 0) return "vehicles";
  }
  for (int i = 0; i < a->mechanisms; i++) {
    const int g = a->mechanism[i].group, h = b->mechanism[i].group;
    if (!same_shape(&a->group[g], &b->group[h])) return "mechanisms";
  }
  return NULL;
}

static void copy_bodies(const rutModel* model, rutData* data, const rutData* from) {
  memcpy(data->bodies.x, from->bodies.x, 7 * (size_t)from->bodies.n * sizeof(double));
  memcpy(data->block_z, from->block_z, (size_t)model->blocks * sizeof(double));
  if (model->space_blocks) {
    memcpy(data->space_block, from->space_block,
           RUT_SPACE_BLOCK * (size_t)model->space_blocks * sizeof(double));
  }
  memcpy(data->lift, from->lift, (size_t)model->ground->sources * sizeof(double));
}

static bool same_samples(const rutModel* model, const rutModel* old) {
  if (model->sensors != old->sensors || model->samples_size != old->samples_size) return false;
  for (int i = 0; i < model->sensors; i++) {
    const rutSensorRecord *a = &model->sensor[i], *b = &old->sensor[i];
    if (a->type != b->type || a->slots != b->slots || a->sample != b->sample) return false;
  }
  return true;
}

// Sensors go on in step with the time that has passed.
static void copy_sensors(const rutModel* model, rutData* data, const rutModel* old,
                         const rutData* from) {
  if (same_samples(model, old)) {
    memcpy(data->sensor, from->sensor, (size_t)model->sensors * sizeof *data->sensor);
    memcpy(data->samples, from->samples, model->samples_size * sizeof(double));
    return;
  }
  for (int i = 0; i < model->sensors; i++) {
    const rutSensorHead* head = (const rutSensorHead*)model->sensor[i].param;
    const double period = rut_max(head->period, model->dt);
    const double since = rut_max(data->time - head->phase, 0);
    data->sensor[i].count = (int64_t)rut_floor(since / period) + 1;
  }
}

static rutStatus copy_ruts(const rutModel* model, rutData* data, const rutModel* old,
                           const rutData* from) {
  if (!data->soft || !from->soft || model->soft->cell != old->soft->cell) return RUT_OK;
  const size_t size = rut_soft_size(from->soft);
  void* saved = rut_context_alloc(model->context, size, 64);
  if (!saved) return RUT_ERR_MEMORY;
  rut_soft_get(from->soft, saved);
  if (rut_soft_saved_size(data->soft, saved, size) == size) rut_soft_set(data->soft, saved);
  rut_context_free(model->context, saved);
  if (model->presses == old->presses) {
    memcpy(data->last_press, from->last_press, model->presses * sizeof *data->last_press);
  }
  return RUT_OK;
}

rutStatus rut_state_adopt(const rutModel* model, rutData* data, const rutModel* from_model,
                          const rutData* from, rutError* err) {
  if (!rut_data_is_of(data, model) || !rut_data_is_of(from, from_model)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this data was made from another model");
  }
  rut_host_collect(from);
  rut_data_reset(model, data, from->seed);
  const char* what = difference(model, from_model);
  if (what) {
    return rut_error_set(err, RUT_ERR_VERSION,
                         "the state does not fit: the two models have other %s", what);
  }
  data->time = from->time;
  data->steps =
      model->dt == from_model->dt ? from->steps : (int64_t)rut_floor(from->time / model->dt + 0.5);
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord *r = &model->vehicle[i], *s = &from_model->vehicle[i];
    copy_vehicle(place_of(model, data, r->group, r->slot),
                 place_of(from_model, from, s->group, s->slot));
  }
  for (int i = 0; i < model->mechanisms; i++) {
    const rutMechanismRecord *r = &model->mechanism[i], *s = &from_model->mechanism[i];
    copy_vehicle(place_of(model, data, r->group, r->slot),
                 place_of(from_model, from, s->group, s->slot));
  }
  if (model->soils == from_model->soils) {
    *rut_soil_change_list(data->soil_changes) = *rut_soil_change_list(from->soil_changes);
    rut_soil_changes_lay(model, data);
  }
  copy_bodies(model, data, from);
  copy_sensors(model, data, from_model, from);
  const rutStatus status = copy_ruts(model, data, from_model, from);
  for (int i = 0; i < model->groups; i++) {
    rut_fill_padding(data, &model->group[i]);
    rut_keep_state(data, &model->group[i]);
  }
  rut_bodies_gather_all(model, data);
  return status == RUT_OK ? RUT_OK : rut_error_set(err, status, "out of memory");
}
