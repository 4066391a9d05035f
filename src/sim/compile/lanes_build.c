// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/lanes_build.h"

#include "base/hash.h"
#include "sim/compile/build.h"
#include "sim/compile/build_group.h"
#include "sim/compile/hash.h"
#include "sim/step_sensors.h"
#include "vehicle/control_lane.h"

// Why copies cannot share lanes, "" if they can.
static const char* obstacle(const rutModel* model) {
  if (model->groups == 0) return "the world has neither vehicles nor mechanisms";
  if (model->jobs > 0) return "controllers run beside the steps (host)";
  for (int i = 0; i < model->groups; i++) {
    const rutVehicleClass* vehicle = model->group[i].spatial;
    if (vehicle && vehicle->pressures > 0) return "tyres change their pressure";
  }
  return "";
}

static bool reads_controllers(const rutController* c) {
  bool reads = false;
  for (int i = 0; i < c->type->inputs; i++) {
    reads = reads || (!c->source[i].sensor && c->source[i].numbers > 0);
  }
  return reads;
}

// Why a controller of one copy does in a step what that of an older copy does not.
static const char* schedule(const rutControlStack* stack) {
  for (int i = 0; i < stack->n; i++) {
    const rutController* c = &stack->controller[i];
    if (c->clocked) return "controllers have a period or phase of their own";
    if (c->input_delay > 0 || c->output_delay > 0) return "controllers have delays";
    if (c->video.places > 0 || c->uplink.places > 0) return "controllers drive from afar";
    if (reads_controllers(c)) return "controllers read outputs of others";
  }
  for (int i = 0; i < stack->actuators; i++) {
    if (stack->actuator[i].param.dead_time > 0) return "actuators have dead times";
  }
  return "";
}

// Why copies that share lanes must be of one age, "" if they need not.
static const char* clock_of(const rutModel* model) {
  if (model->ground_motions > 0) return "the ground moves";
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    const char* why = schedule(&g->control);
    if (*why) return why;
    if (g->spatial && g->spatial->hitch_force > 0) return "the load at a hitch follows the time";
  }
  return "";
}

// Groups with a lane for each copy.
static rutGroup* build_groups(rutDraft* draft, const rutModel* model, rutArena* arena,
                              rutLanes* lanes) {
  rutGroup* group = RUT_TAKE(arena, rutGroup, model->groups);
  size_t table = 0, backup = 0, presses = 0;
  for (int i = 0; i < model->groups; i++) {
    rutGroup built = rut_build_group(draft, i, arena, &table);
    built.backup_offset = backup;
    built.press_offset = presses;
    backup += (size_t)built.batches * (size_t)built.row.state_rows * (size_t)built.lanes;
    if (built.spatial) presses += (size_t)built.batches * (size_t)built.spatial->body.n;
    if (group) group[i] = built;
  }
  if (!lanes) return NULL;
  lanes->table_size = table;
  lanes->backup_size = backup;
  lanes->presses = presses;
  return group;
}

// What differs from lane to lane.
static void build_view(const rutModel* model, const rutGroup* group, int lane, rutArena* arena,
                       rutLanes* lanes) {
  rutGroup* own = RUT_TAKE(arena, rutGroup, model->groups);
  rutVehicleRecord* vehicle = RUT_TAKE(arena, rutVehicleRecord, model->vehicles);
  rutMechanismRecord* mechanism = RUT_TAKE(arena, rutMechanismRecord, model->mechanisms);
  if (!lanes) return;
  for (int i = 0; own && i < model->groups; i++) {
    own[i] = group[i];
    own[i].own_lane = 1 + lane;
  }
  for (int i = 0; own && vehicle && i < model->vehicles; i++) {
    vehicle[i] = model->vehicle[i];
    vehicle[i].slot = rut_group_slot(&own[vehicle[i].group], vehicle[i].slot);
  }
  for (int i = 0; own && mechanism && i < model->mechanisms; i++) {
    mechanism[i] = model->mechanism[i];
    mechanism[i].slot = rut_group_slot(&own[mechanism[i].group], mechanism[i].slot);
  }
  rutModel* view = &lanes->view[lane];
  view->group = own;
  view->vehicle = vehicle;
  view->mechanism = mechanism;
}

// What follows from a class and is not an array over wheels.
static uint64_t hash_constants(uint64_t hash, const rutVehicleClass* c) {
  const double hull[] = {c->hull_radius,  c->hull_spacing, c->hull_per_area, c->hull_stiffness,
                         c->hull_damping, c->hull_grip,    c->hull_friction};
  const int blocks = c->constants > 0 ? c->pad : 0;
  hash = rut_hash(hash, hull, sizeof hull);
  return rut_hash(hash, c->constant,
                  (size_t)(c->constants * RUT_CORNER_WIDTH * blocks) * sizeof *c->constant);
}

// How controllers are laid out, and when they run.
static uint64_t hash_control(uint64_t hash, const rutControlStack* stack) {
  const int all[] = {stack->n, stack->actuators, stack->asked, stack->follows,
                     stack->imposes_twist};
  hash = rut_hash(hash, all, sizeof all);
  for (int i = 0; i < stack->n; i++) {
    const rutController* c = &stack->controller[i];
    const int own[] = {c->over,         c->command,         c->state,
                       c->output,       c->scratch,         c->clocked,
                       c->due,          c->input_delay,     c->input_ring,
                       c->output_delay, c->output_ring,     c->outputs,
                       c->states,       c->latency,         c->left,
                       c->answer,       c->scratch_numbers, c->blended,
                       c->asked,        c->given,           c->video_row,
                       c->uplink_row,   c->video.places,    c->uplink.places};
    hash = rut_hash(hash, own, sizeof own);
    hash = rut_hash(hash, c->same, sizeof c->same);
    hash = rut_hash(hash, &c->video.param, sizeof c->video.param);
    hash = rut_hash(hash, &c->uplink.param, sizeof c->uplink.param);
    hash = rut_hash(hash, c->set_point, (size_t)c->type->outputs * sizeof *c->set_point);
    hash = rut_hash(hash, c->numbers, (size_t)c->type->outputs * sizeof *c->numbers);
  }
  return hash;
}

// How vehicles are laid out, which lanes have in common.
static uint64_t hash_layout(uint64_t hash, const rutGroup* g) {
  const rutVehicleClass* c = g->spatial;
  const int counts[] = {g->shafts,       g->inputs,
                        g->commands,     g->command_rows,
                        g->drive_states, g->control_states,
                        g->tyre_states,  g->control_scratch,
                        g->layout.left,  g->layout.right,
                        g->lines,        g->gain != NULL,
                        g->straight,     g->layout.wheelbase > 0};
  hash = rut_hash(hash, counts, sizeof counts);
  hash = rut_hash(hash, &g->row, sizeof g->row);
  if (c) {
    const int of_class[] = {c->grips, c->twists, c->envelops, c->constants, c->hull, c->columns};
    hash = rut_hash(hash, of_class, sizeof of_class);
  }
  return hash_control(hash, &g->control);
}

// Can what differs in drives, tyres and controllers be called lane by lane?
static bool fits_lanes(const rutGroup* g) {
  bool fits = g->drive_states <= RUT_LANE_STATES && g->inputs <= RUT_LANE_INPUTS &&
              g->tyre_states * g->wheels <= RUT_LANE_STATES;
  for (int i = 0; i < g->control.n; i++) {
    fits = fits && g->control.controller[i].states <= RUT_LANE_STATES;
  }
  return fits;
}

static uint64_t hash_waters(uint64_t hash, const rutWaters* waters) {
  for (int i = 0; i < waters->n; i++) {
    const rutWater* w = &waters->water[i];
    hash = rut_hash(hash, &w->level, sizeof w->level);
    hash = rut_hash(hash, w->xy, 2 * (size_t)w->corners * sizeof *w->xy);
  }
  return hash;
}

// What copies that share lanes have in common, loosely and exactly.
static bool tell_kind(const rutDraft* draft, const rutModel* model, rutLanes* lanes) {
  uint64_t* const hash[] = {&lanes->kind, &lanes->exact};
  bool fits = true;
  for (int g = 0; g < model->groups; g++) fits = fits && fits_lanes(&lanes->view[0].group[g]);
  for (int i = 0; i < 2; i++) {
    *hash[i] = rut_draft_lanes_hash(draft, i == 0 && fits);
    if (!*hash[i]) return false;
    for (int g = 0; g < model->groups; g++) {
      const rutGroup* group = &lanes->view[0].group[g];
      *hash[i] = hash_layout(*hash[i], group);
      if (!group->spatial) continue;
      if (i == 1 || model->rk4 || !fits) *hash[i] = hash_constants(*hash[i], group->spatial);
    }
    const int flags[] = {model->touchable, model->space != NULL, model->soft_soils};
    *hash[i] = rut_hash(*hash[i], flags, sizeof flags);
    *hash[i] = rut_hash(*hash[i], &model->highest_ground, sizeof model->highest_ground);
    *hash[i] = hash_waters(*hash[i], &model->waters);
  }
  return true;
}

static rutLanes* build(rutDraft* draft, const rutModel* model, rutArena* arena) {
  rutLanes* lanes = RUT_TAKE(arena, rutLanes, 1);
  const rutGroup* group = build_groups(draft, model, arena, lanes);
  int batches = 0;
  for (int i = 0; i < model->groups; i++) batches += model->group[i].count;
  rutBatchTask* task = RUT_TAKE(arena, rutBatchTask, batches);
  for (int l = 0; l < RUT_MBD_LANES; l++) {
    if (lanes) {
      lanes->view[l] = *model;
      lanes->view[l].task = task;
      lanes->view[l].batches = batches;
      lanes->view[l].presses = lanes->presses;
    }
    build_view(model, group, l, arena, lanes);
  }
  if (!lanes || !group || !task) return NULL;
  for (int i = 0, at = 0; i < model->groups; i++) {
    for (int b = 0; b < group[i].batches; b++) task[at++] = (rutBatchTask){i, b};
  }
  const size_t scratch = rut_worker_scratch(&lanes->view[0]);
  for (int l = 0; l < RUT_MBD_LANES; l++) lanes->view[l].worker_scratch = scratch;
  return lanes;
}

rutStatus rut_lanes_build(rutDraft* draft, const rutModel* model, rutLanes** out) {
  const char* why_not = obstacle(model);
  const char* in_step = clock_of(model);
  rutArena measure = {0};
  draft->copies = true;
  // a world whose copies cannot share lanes says why
  if (*why_not) {
    RUT_TAKE(&measure, rutLanes, 1);
  } else {
    build(draft, model, &measure);
  }
  rutArena arena = {.size = measure.used};
  arena.base = rut_context_alloc(draft->context, arena.size, RUT_ARENA_ALIGN);
  if (!arena.base) {
    return rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "",
                            "out of memory for lanes of %.3g MB", (double)measure.used * 1e-6);
  }
  memset(arena.base, 0, arena.size);
  rutLanes* lanes = *why_not ? RUT_TAKE(&arena, rutLanes, 1) : build(draft, model, &arena);
  draft->copies = false;
  if (!lanes || (!*why_not && !tell_kind(draft, model, lanes))) {
    rut_context_free(draft->context, arena.base);
    return RUT_ERR_MEMORY;
  }
  lanes->context = draft->context;
  lanes->shared = !*why_not;
  lanes->in_step = *in_step;
  lanes->why = *why_not ? why_not : in_step;
  *out = lanes;
  return RUT_OK;
}
