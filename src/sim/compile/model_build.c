// SPDX-License-Identifier: BSD-3-Clause
//
// Lays a draft out as one block. Everything here runs twice: on a measuring arena, whose takes
// return NULL, and on the real one; both must take the same.
#include "sim/compile/model_build.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/build.h"
#include "sim/compile/build_ground.h"
#include "sim/compile/build_group.h"
#include "sim/compile/build_names.h"
#include "sim/compile/hash.h"
#include "sim/compile/light.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"
#include "sim/compile/scenery.h"
#include "sim/compile/soil.h"
#include "sim/compile/space.h"
#include "sim/data.h"
#include "sim/past.h"
#include "sim/spec/variables.h"
#include "sim/step_sensors.h"

static size_t contact_scratch(const rutDraft* draft) {
  return (size_t)draft->bodies * (sizeof(rutBodyDef) + 1) +
         (size_t)draft->prism.n * sizeof(rutPrismDef) +
         (size_t)draft->grid.n * (sizeof(rutOccupancy*) + 2 * sizeof(double) + 1) +
         8 * RUT_ARENA_ALIGN + rut_space_scratch(draft);
}

size_t rut_model_scratch(const rutDraft* draft) {
  const size_t contact = contact_scratch(draft), names = rut_names_scratch(draft);
  return contact > names ? contact : names;
}

static rutContactModel* build_contact(rutDraft* draft, rutArena* arena, rutSpaceModel** space) {
  int bodies = draft->bodies, prisms = draft->prism.n, grids = draft->grid.n;
  // the definition is only read during the call: it lives in the draft's memory
  rutArena scratch = {.base = draft->scratch, .size = draft->scratch_size};
  memset(scratch.base, 0, scratch.size);
  rutBodyDef* body = RUT_TAKE(&scratch, rutBodyDef, bodies);
  unsigned char* in_space = RUT_TAKE(&scratch, unsigned char, bodies);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    body[v->record.body] = (rutBodyDef){.mass = c->mass, .inertia = c->yaw_inertia};
    in_space[v->record.body] = rut_draft_is_linked(draft, i);
  }
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    if (b->record.body < 0) continue;
    // the ground carries those that move in space in another way
    const double friction = b->record.space ? 0 : b->ground_friction;
    body[b->record.body] =
        (rutBodyDef){b->record.mass, b->record.inertia, friction, b->ground_radius};
  }
  rutPrismDef* prism = RUT_TAKE(&scratch, rutPrismDef, prisms);
  for (int i = 0; i < prisms; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    prism[i] = p->def;
    prism[i].n = p->outline.n;
    prism[i].xy = p->outline.xy;
  }
  const rutOccupancy** grid = RUT_TAKE(&scratch, const rutOccupancy*, grids);
  double* friction = RUT_TAKE(&scratch, double, grids);
  double* restitution = RUT_TAKE(&scratch, double, grids);
  unsigned char* solid = RUT_TAKE(&scratch, unsigned char, grids);
  for (int i = 0; i < grids; i++) {
    const rutDraftGrid* g = rut_list_at(&draft->grid, i);
    // the cells themselves move into the model
    rutOccupancy* kept = RUT_TAKE(arena, rutOccupancy, 1);
    size_t cells = rut_occupancy_bytes(g->grid.nx, g->grid.ny);
    void* block = rut_build_copy(arena, g->block, cells, 1);
    if (kept)
      rut_occupancy_init(kept, g->grid.nx, g->grid.ny, g->grid.resolution, g->grid.origin, block);
    grid[i] = kept ? kept : &g->grid;
    friction[i] = g->friction;
    restitution[i] = g->restitution;
    solid[i] = (unsigned char)(g->solid != 0);
  }
  rutContactDef def = {
      .bodies = bodies,
      .prisms = prisms,
      .joints = draft->joint.n,
      .grids = grids,
      .body = body,
      .in_space = in_space,
      .prism = prism,
      .joint = draft->joint.item,
      .grid = grid,
      .grid_friction = friction,
      .grid_restitution = restitution,
      .grid_solid = solid,
      .gravity = draft->gravity,
      .margin = draft->margin,
  };
  rutContactModel* model = rut_contact_build(&def, arena);
  *space = rut_build_space(draft, model, &scratch, arena);
  return model;
}

static void build_vehicles(const rutDraft* draft, rutArena* arena, rutModel* model, int* wheels) {
  rutVehicleRecord* vehicle = RUT_TAKE(arena, rutVehicleRecord, draft->vehicle.n);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    if (vehicle) {
      vehicle[i] = v->record;
      vehicle[i].group = v->group;
      vehicle[i].slot = v->member;
      vehicle[i].linked = rut_draft_is_linked(draft, i);
      vehicle[i].first_wheel = *wheels;
    }
    *wheels += c->wheels;
  }
  if (model) model->vehicle = vehicle;
}

static void build_mechanisms(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutMechanismRecord* mechanism = RUT_TAKE(arena, rutMechanismRecord, draft->mechanism.n);
  for (int i = 0; i < draft->mechanism.n; i++) {
    const rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    const rutDraftClass* c = rut_list_at(&draft->group, m->group);
    const double* q = RUT_COPY(arena, m->q, c->positions);
    const double* v = RUT_COPY(arena, m->v, c->speeds);
    if (!mechanism) continue;
    mechanism[i] = (rutMechanismRecord){.group = m->group, .slot = m->member, .q = q, .v = v};
    memcpy(mechanism[i].base, m->base, sizeof m->base);
  }
  if (model) model->mechanism = mechanism;
}

static void build_blocks(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutBlockRecord* block = RUT_TAKE(arena, rutBlockRecord, draft->block.n);
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    const rutKeyframe* frame = RUT_COPY(arena, (const rutKeyframe*)b->keyframe.item, b->keyframe.n);
    const rutPace* pace = RUT_COPY(arena, (const rutPace*)b->pace.item, b->pace.n);
    const double* param = RUT_COPY(arena, b->param, b->params);
    if (!block) continue;
    block[i] = b->record;
    block[i].keyframe = frame;
    block[i].actor.pace = pace;
    block[i].actor.param = param;
  }
  int moving = 0;
  for (int i = 0; i < draft->block.n; i++) {
    moving += ((const rutDraftBlock*)rut_list_at(&draft->block, i))->record.body >= 0;
  }
  int* moving_block = RUT_TAKE(arena, int, moving);
  if (!model || !block || !moving_block) return;
  model->block = block;
  model->moving_blocks = moving;
  model->moving_block = moving_block;
  for (int i = 0; i < draft->block.n; i++) {
    if (block[i].body >= 0) *moving_block++ = i;
  }
}

static rutShapeCounts counts_of(const rutDraft* draft, const rutDraftSensor* s) {
  if (s->vehicle < 0) return (rutShapeCounts){0, 0};
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, s->vehicle);
  const rutDraftClass* class = rut_list_at(&draft->group, v->group);
  return (rutShapeCounts){class->wheels, 0};
}

// Outputs of a sensor one after the other in a sample, each at a whole number of doubles.
static const rutOutputRecord* build_outputs(const rutDraftSensor* s, rutShapeCounts counts,
                                            rutArena* arena, int* numbers, int* size) {
  const rutSensorType* type = (const rutSensorType*)s->component.type;
  rutOutputRecord* output = RUT_TAKE(arena, rutOutputRecord, type->outputs);
  *numbers = *size = 0;
  for (int i = 0; i < type->outputs; i++) {
    rutVariableInfo info;
    rut_variable_resolve(&type->base, s->component.param, counts, &type->output[i], &info);
    if (output) output[i] = (rutOutputRecord){info, *size};
    const size_t bytes = (size_t)info.count * rut_number_size(info.type);
    *size += (int)((bytes + sizeof(double) - 1) / sizeof(double));
    *numbers += info.count;
  }
  return output;
}

// How many samples wait at most until they can be seen, that which is seen among them.
static int sensor_slots(const rutDraft* draft, const rutSensorHead* head) {
  if (!(head->latency > 0)) return 1;
  return 2 + (int)(head->latency / rut_max(head->period, draft->dt));
}

static int parts_of(const rutDraftSensor* s) {
  const rutSensorType* type = (const rutSensorType*)s->component.type;
  const int parts = type->parts ? type->parts(s->component.param) : 1;
  return parts > 1 ? parts : 1;
}

static const int* list_parts(const rutDraft* draft, rutArena* arena, int* parts) {
  *parts = 0;
  for (int i = 0; i < draft->sensor.n; i++) *parts += parts_of(rut_list_at(&draft->sensor, i));
  int* sensor = RUT_TAKE(arena, int, *parts);
  for (int i = 0, at = 0; sensor && i < draft->sensor.n; i++) {
    const int own = parts_of(rut_list_at(&draft->sensor, i));
    for (int k = 0; k < own; k++) sensor[at++] = i;
  }
  return sensor;
}

// Of what a sensor keeps from sub-frame to sub-frame [doubles].
static size_t kept_size(const rutSensorType* type, const double* param) {
  const size_t bytes = type->kept ? type->kept(param) : 0;
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

// NULL while measuring.
static rutSensorRecord* build_sensors(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutSensorRecord* sensor = RUT_TAKE(arena, rutSensorRecord, draft->sensor.n);
  size_t samples = 0;
  int parts = 0, first_part = 0;
  const int* part_sensor = list_parts(draft, arena, &parts);
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    const rutSensorType* type = (const rutSensorType*)s->component.type;
    const double* param = RUT_COPY(arena, s->component.param, RUT_MAX_PARAMS);
    const rutShapeCounts counts = counts_of(draft, s);
    int numbers, size;
    const rutOutputRecord* output = build_outputs(s, counts, arena, &numbers, &size);
    const rutSensorHead* head = (const rutSensorHead*)(const void*)s->component.param;
    const int slots = sensor_slots(draft, head);
    if (slots > 1) size++;
    const size_t state = samples + (size_t)size * (size_t)slots;
    const size_t lost = state + (size_t)rut_variables_count(&type->base, s->component.param, counts,
                                                            type->base.states, type->base.state);
    const rutFailureRecord* failure = RUT_COPY(arena, s->failure, s->failures);
    if (sensor) {
      sensor[i] = (rutSensorRecord){
          .type = type,
          .param = param,
          .vehicle = s->vehicle,
          .exact = s->exact != 0,
          .mount = {head->x, head->y, head->z, head->roll, head->pitch, head->yaw},
          .output = output,
          .numbers = numbers,
          .size = size,
          .slots = slots,
          .sample = samples,
          .state = state,
          .failures = s->failures,
          .failure = failure,
          .lost = lost,
          .first_part = first_part,
          .parts = parts_of(s),
          .has_past = type->past && type->past(param)};
      const size_t need = type->scratch ? type->scratch(param) : 0;
      if (need > model->sensor_scratch) model->sensor_scratch = need;
    }
    samples = lost + (s->failures > 0 ? (size_t)size : 0);
    double span = 0;
    const int frames = type->frames ? type->frames(s->component.param, &span) : 1;
    if (sensor) {
      sensor[i].frames = frames;
      sensor[i].span = span;
      sensor[i].kept = samples;
    }
    if (frames > 1) samples += 1 + kept_size(type, s->component.param);
    first_part += parts_of(s);
  }
  if (!model) return NULL;
  model->sensors = draft->sensor.n;
  model->sensor = sensor;
  model->samples_size = samples;
  model->sensor_parts = parts;
  model->part_sensor = part_sensor;
  return sensor;
}

// Behind all samples: what moves is known once the scene is built.
static void place_past(rutSensorRecord* sensor, rutModel* model) {
  for (int i = 0; model && i < model->sensors; i++) {
    if (!sensor[i].has_past) continue;
    sensor[i].past = model->samples_size;
    model->samples_size += rut_past_size(model);
  }
}

static void list_batches(const rutGroup* group, int groups, rutBatchTask* task) {
  for (int i = 0; task && i < groups; i++) {
    for (int b = 0; b < group[i].batches; b++) *task++ = (rutBatchTask){i, b};
  }
}

rutModel* rut_model_build(rutDraft* draft, rutArena* arena) {
  rutModel* model = RUT_TAKE(arena, rutModel, 1);
  rutGroup* group = RUT_TAKE(arena, rutGroup, draft->group.n);
  size_t table = 0;
  int batches = 0;
  for (int i = 0; i < draft->group.n; i++) {
    rutGroup built = rut_build_group(draft, i, arena, &table);
    if (group) group[i] = built;
    batches += built.batches;
  }
  rutBatchTask* task = RUT_TAKE(arena, rutBatchTask, batches);
  list_batches(group, draft->group.n, task);
  int wheels = 0, motions = 0;
  build_vehicles(draft, arena, model, &wheels);
  build_mechanisms(draft, arena, model);
  build_blocks(draft, arena, model);
  rutSensorRecord* sensor = build_sensors(draft, arena, model);
  int soils = 0;
  const rutSoilRecord* soil = rut_build_soils(draft, arena, &soils);
  rutGround* ground = rut_build_ground(draft, arena);
  const rutSoftDef* soft = draft->soft.cell > 0 ? RUT_COPY(arena, &draft->soft, 1) : NULL;
  const rutGroundMotion* motion = rut_build_ground_motions(draft, arena, &motions);
  rutSpaceModel* space = NULL;
  rutContactModel* contact = build_contact(draft, arena, &space);
  if (model) {
    model->context = draft->context;
    model->dt = draft->dt;
    model->gravity = draft->gravity;
    memcpy(model->origin, draft->origin, sizeof model->origin);
    model->rk4 = draft->rk4;
    model->workers = draft->workers;
    model->groups = draft->group.n;
    model->vehicles = draft->vehicle.n;
    model->wheels = wheels;
    model->blocks = draft->block.n;
    model->joints = draft->joint.n;
    model->mechanisms = draft->mechanism.n;
    model->bodies = draft->bodies;
    model->group = group;
    model->batches = batches;
    model->task = task;
    model->ground = ground;
    model->soft = soft;
    model->soils = soils;
    model->soil = soil;
    for (int i = 0; i < soils; i++) model->soft_soils |= soil[i].type->sink != NULL;
    model->ground_motions = motions;
    model->ground_motion = motion;
    model->highest_ground = motions > 0 ? 1e300 : rut_highest_ground(ground);
    model->contact = contact;
    model->space = space;
    model->space_blocks = draft->space_blocks;
    model->touchable = contact && (space || !rut_contact_is_empty(contact));
    model->table_size = table;
    for (int i = 0; i < model->groups; i++) {
      rutGroup* g = &group[i];
      g->backup_offset = model->backup_size;
      model->backup_size += (size_t)g->batches * (size_t)(g->row.state_rows * g->lanes);
      g->press_offset = model->presses;
      g->first_job = model->jobs;
      model->jobs += g->batches * g->jobs;
      model->job_doubles += (size_t)g->batches * g->job_doubles;
      if (g->spatial) model->presses += (size_t)g->batches * (size_t)g->spatial->body.n;
    }
    model->backup_size += rut_body_backup_size(model);
    model->worker_scratch = rut_worker_scratch(model);
    model->hash = rut_draft_hash(draft);
  }
  rut_build_materials(draft, arena, model);
  rut_build_lamps(draft, arena, model);
  rut_build_scene(draft, arena, model);
  place_past(sensor, model);
  rut_build_scenery(draft, arena, model);
  rut_build_names(draft, arena, model);
  return model;
}
