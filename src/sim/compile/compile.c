// SPDX-License-Identifier: BSD-3-Clause
//
// rut_compile: read the spec into a draft, check it, lay the model out in one block.
#include <string.h>

#include "base/hash.h"
#include "geom/polygon.h"
#include "sim/compile/draft.h"
#include "sim/compile/tyre_file.h"

static const double DEFAULT_STEP = 0.005;
// Below this a second of simulation takes hours, and a clock of 1e9 s no longer resolves the step.
static const double LEAST_STEP = 1e-6;
enum { GROUP_SLOTS = 2 * RUT_MAX_GROUPS };

void* rut_draft_push(rutDraft* draft, rutList* list) {
  if (list->n == list->capacity) {
    int capacity = list->capacity ? 2 * list->capacity : 16;
    size_t old_size = (size_t)list->capacity * list->item_size;
    void* item =
        rut_context_grow(draft->context, list->item, old_size, (size_t)capacity * list->item_size);
    if (!item) {
      rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
      return NULL;
    }
    list->item = item;
    list->capacity = capacity;
  }
  void* item = rut_list_at(list, list->n++);
  memset(item, 0, list->item_size);
  return item;
}

bool rut_draft_outline(rutDraft* draft, rutNode node, const char* field, rutOutline* outline) {
  int n = 0;
  const double* given = rut_node_numbers(draft->spec, node, field, &n);
  int points = n / 2;
  if (points < 3 || points > 100000) {
    rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                   "an outline needs 3 to 100000 points, not %d", points);
    return false;
  }
  size_t bytes = (size_t)(2 * points + 2) * sizeof(double);
  double* scratch = rut_context_alloc(draft->context, 2 * bytes, 16);
  if (!scratch) {
    rut_node_error(draft->spec, node, field, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  double* hull = scratch + 2 * points + 2;
  memcpy(scratch, given, (size_t)(2 * points) * sizeof(double));
  int corners = rut_polygon_hull(points, scratch, hull);
  if (corners > RUT_MAX_CORNERS) corners = rut_polygon_simplify(corners, hull, RUT_MAX_CORNERS);
  bool ok = corners >= 3 && rut_polygon_area(corners, hull) > 1e-9;
  if (ok) {
    outline->n = corners;
    memcpy(outline->xy, hull, (size_t)(2 * corners) * sizeof(double));
  } else {
    rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                   "the outline has no area: its points lie on one line");
  }
  rut_context_free(draft->context, scratch);
  return ok;
}

bool rut_draft_params(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]) {
  memset(param, 0, RUT_MAX_PARAMS * sizeof *param);
  if (rut_node_params(draft->spec, node, RUT_MAX_PARAMS, param) <= RUT_MAX_PARAMS) return true;
  rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "has more than %d numbers",
                 RUT_MAX_PARAMS);
  return false;
}

void rut_draft_component(rutDraft* draft, rutNode parent, const char* kind,
                         rutDraftComponent* component) {
  rutNode node = rut_node_first(draft->spec, parent, kind);
  if (rut_node_is_null(node)) return;
  if (!rut_draft_params(draft, node, component->param)) return;
  if (!rut_draft_tyre_file(draft, node, component->param)) return;
  component->type = rut_node_component(draft->spec, node);
  rutNode second = rut_node_next(draft->spec, node, kind);
  if (!rut_node_is_null(second)) {
    rut_node_error(draft->spec, second, NULL, RUT_ERR_MODEL, "", "only one <%s> is allowed here",
                   kind);
  }
}

void rut_draft_check_count(const rutDraft* draft, rutNode node, const char* field, int least,
                           int most) {
  int n = 0;
  rut_node_numbers(draft->spec, node, field, &n);
  if (!rut_node_has(draft->spec, node, field) || (n >= least && n <= most)) return;
  rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                 "'%s' must have %d or %d numbers, not %d", field, least, most, n);
}

void rut_draft_pose(const rutDraft* draft, rutNode node, double pose[6], bool* has_z) {
  int n = 0;
  const double* position = rut_node_numbers(draft->spec, node, "position", &n);
  for (int i = 0; i < 3; i++) pose[i] = i < n ? position[i] : 0;
  rut_draft_check_count(draft, node, "position", 2, 3);
  pose[3] = rut_node_number(draft->spec, node, "roll");
  pose[4] = rut_node_number(draft->spec, node, "pitch");
  pose[5] = rut_node_number(draft->spec, node, "yaw");
  if (has_z) *has_z = n > 2;
}

void rut_draft_keyframes(rutDraft* draft, rutNode node, rutList* list) {
  list->item_size = sizeof(rutKeyframe);
  double last = -1;
  for (rutNode k = rut_node_first(draft->spec, node, "keyframe"); !rut_node_is_null(k);
       k = rut_node_next(draft->spec, k, "keyframe")) {
    rutKeyframe* frame = rut_draft_push(draft, list);
    if (!frame) return;
    frame->time = rut_node_number(draft->spec, k, "time");
    rut_draft_pose(draft, k, frame->pose, NULL);
    if (frame->time <= last) {
      rut_node_error(draft->spec, k, "time", RUT_ERR_MODEL, "",
                     "keyframes must be in order of time");
    }
    last = frame->time;
  }
}

// Hash of what usually differs. Classes that differ in nothing else share a hash and are compared.
static uint64_t class_hash(const rutDraftClass* c) {
  uint64_t hash = rut_hash(RUT_HASH_START, c->body, (size_t)c->bodies * sizeof c->body[0]);
  hash = rut_hash(hash, &c->mass, sizeof c->mass);
  hash = rut_hash(hash, &c->outline, sizeof c->outline);
  const rutDraftComponent* component[] = {&c->tyre, &c->drive, &c->controller};
  for (int i = 0; i < RUT_COUNT_OF(component); i++) {
    if (!component[i]->type) continue;
    hash = rut_hash(hash, component[i]->param, sizeof component[i]->param);
  }
  return hash;
}

static int add_group(rutDraft* draft, const rutDraftClass* content, uint64_t hash) {
  uint64_t* kept_hash = rut_draft_push(draft, &draft->group_hash);
  rutDraftClass* added = kept_hash ? rut_draft_push(draft, &draft->group) : NULL;
  if (!added) return -1;
  *kept_hash = hash;
  memcpy(added, content, sizeof *content);
  return draft->group.n - 1;
}

int rut_draft_group(rutDraft* draft, rutNode node, const rutDraftClass* content) {
  const size_t bytes = GROUP_SLOTS * sizeof *draft->group_slot;
  if (!draft->group_slot) {
    draft->group_slot = rut_context_alloc(draft->context, bytes, 16);
    if (!draft->group_slot) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
      return -1;
    }
    memset(draft->group_slot, 0, bytes);
  }
  const uint64_t hash = class_hash(content);
  // at most half the slots are taken, so that every search ends
  int slot = (int)((hash ^ hash >> 32) % GROUP_SLOTS);
  for (; draft->group_slot[slot]; slot = (slot + 1) % GROUP_SLOTS) {
    const int i = draft->group_slot[slot] - 1;
    if (*(const uint64_t*)rut_list_at(&draft->group_hash, i) != hash) continue;
    // both were zeroed before they were filled, so that padding is equal and equal bytes are meant
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(rut_list_at(&draft->group, i), content, sizeof *content) == 0) return i;
  }
  if (draft->group.n == RUT_MAX_GROUPS) {
    if (draft->groups_full) return -1;
    draft->groups_full = true;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "more than %d vehicles and mechanisms that differ from each other",
                   RUT_MAX_GROUPS);
    return -1;
  }
  const int group = add_group(draft, content, hash);
  if (group >= 0) draft->group_slot[slot] = group + 1;
  return group;
}

// Sort vehicles and mechanisms by group (counting sort, so each group keeps their order), and give
// each its place there. False if out of memory.
static bool list_members(rutDraft* draft) {
  const int vehicles = draft->vehicle.n, mechanisms = draft->mechanism.n, groups = draft->group.n;
  const size_t members = (size_t)vehicles + (size_t)mechanisms;
  draft->member = rut_context_alloc(draft->context, (members + 1) * sizeof(int), 16);
  draft->member_start = rut_context_alloc(draft->context, ((size_t)groups + 2) * sizeof(int), 16);
  if (!draft->member || !draft->member_start) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return false;
  }
  // start[g + 1] counts what was placed into g so far; at the end it is where g + 1 begins
  int* start = draft->member_start;
  memset(start, 0, ((size_t)groups + 2) * sizeof *start);
  for (int i = 0; i < vehicles; i++) {
    start[((const rutDraftVehicle*)rut_list_at(&draft->vehicle, i))->group + 2]++;
  }
  for (int i = 0; i < mechanisms; i++) {
    start[((const rutDraftMechanism*)rut_list_at(&draft->mechanism, i))->group + 2]++;
  }
  for (int g = 2; g <= groups + 1; g++) start[g] += start[g - 1];
  for (int i = 0; i < vehicles; i++) {
    rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    v->member = start[v->group + 1]++;
    draft->member[v->member] = i;
  }
  for (int i = 0; i < mechanisms; i++) {
    rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    m->member = start[m->group + 1]++;
    draft->member[m->member] = i;
  }
  for (int i = 0; i < vehicles; i++) {
    rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    v->member -= start[v->group];
  }
  for (int i = 0; i < mechanisms; i++) {
    rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    m->member -= start[m->group];
  }
  return true;
}

static void read_world(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  rutNode root = rut_spec_root(spec);
  draft->gravity = rut_node_number(spec, root, "gravity");
  draft->margin = rut_node_number(spec, root, "contact_margin");
  static const char* const origin[3] = {"latitude", "longitude", "altitude"};
  for (int i = 0; i < 3; i++) draft->origin[i] = rut_node_number(spec, root, origin[i]);
  draft->rk4 = rut_node_number(spec, root, "integrator") != 0;
  draft->dt = rut_node_number(spec, root, "timestep");
  if (draft->dt > 0 && draft->dt < LEAST_STEP) {
    rut_node_error(spec, root, "timestep", RUT_ERR_MODEL, "",
                   "'timestep' must be 0 (chosen by rut) or at least %g s, not %g s", LEAST_STEP,
                   draft->dt);
  }
}

// Without a given step: 5 ms, or the shortest sensor period if that is shorter.
static void choose_step(rutDraft* draft) {
  if (draft->dt > 0) return;
  draft->dt = DEFAULT_STEP;
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    const double period = ((const rutSensorHead*)(const void*)s->component.param)->period;
    if (period < draft->dt) draft->dt = period;
  }
  if (draft->dt < LEAST_STEP) draft->dt = LEAST_STEP;
}

static void free_list(rutDraft* draft, rutList* list) {
  rut_context_free(draft->context, list->item);
  list->item = NULL;
}

static void free_draft(rutDraft* draft) {
  for (int i = 0; i < draft->block.n; i++) {
    free_list(draft, &((rutDraftBlock*)rut_list_at(&draft->block, i))->keyframe);
  }
  for (int i = 0; i < draft->grid.n; i++) {
    rut_context_free(draft->context, ((rutDraftGrid*)rut_list_at(&draft->grid, i))->block);
  }
  for (int i = 0; i < draft->source.n; i++) {
    rutDraftSource* s = rut_list_at(&draft->source, i);
    rut_context_free(draft->context, s->height);
    free_list(draft, &s->keyframe);
  }
  rut_draft_ground_free(draft);
  rutList* lists[] = {&draft->group,  &draft->vehicle, &draft->mechanism, &draft->block,
                      &draft->sensor, &draft->prism,   &draft->grid,      &draft->source,
                      &draft->region, &draft->soil,    &draft->joint,     &draft->group_hash};
  for (int i = 0; i < RUT_COUNT_OF(lists); i++) free_list(draft, lists[i]);
  rut_context_free(draft->context, draft->scratch);
  rut_context_free(draft->context, draft->group_slot);
  rut_context_free(draft->context, draft->member);
  rut_context_free(draft->context, draft->member_start);
}

static rutStatus too_large(rutDraft* draft, const char* what, size_t bytes) {
  return rut_node_error(draft->spec, rut_spec_root(draft->spec), NULL, RUT_ERR_CAPACITY, "",
                        "the world is too large: its %s would need %.0f MB, more than %.0f MB",
                        what, (double)bytes * 1e-6, RUT_MAX_MODEL_BYTES * 1e-6);
}

static rutStatus build(rutDraft* draft, rutModel** out) {
  if (!list_members(draft)) return RUT_ERR_MEMORY;
  draft->scratch_size = rut_model_scratch(draft);
  draft->scratch = rut_context_alloc(draft->context, draft->scratch_size, RUT_ARENA_ALIGN);
  rutArena measure = {0};
  if (draft->scratch) rut_model_build(draft, &measure);
  if (measure.used > RUT_MAX_MODEL_BYTES) return too_large(draft, "model", measure.used);
  rutArena arena = {.size = measure.used};
  arena.base =
      draft->scratch ? rut_context_alloc(draft->context, measure.used, RUT_ARENA_ALIGN) : NULL;
  if (!arena.base) {
    return rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "",
                            "out of memory for a model of %.3g MB", (double)measure.used * 1e-6);
  }
  memset(arena.base, 0, arena.size);
  *out = rut_model_build(draft, &arena);
  rutArena data = {0};
  rut_data_build(*out, &data, &(*out)->data_plain);
  (*out)->size = arena.size;
  (*out)->data_size = data.used;
  if (data.used <= RUT_MAX_MODEL_BYTES) return RUT_OK;
  rut_context_free(draft->context, *out);
  *out = NULL;
  return too_large(draft, "state", data.used);
}

rutStatus rut_compile(const rutSpec* spec, rutModel** out, rutError* err) {
  *out = NULL;
  rutContext* context = rut_spec_context(spec);
  rutReporter* reporter = rut_context_reporter(context);
  rut_reporter_reset(reporter);
  rutDraft draft = {
      .spec = spec,
      .context = context,
      .reporter = reporter,
      .group.item_size = sizeof(rutDraftClass),
      .group_hash.item_size = sizeof(uint64_t),
      .vehicle.item_size = sizeof(rutDraftVehicle),
      .mechanism.item_size = sizeof(rutDraftMechanism),
      .block.item_size = sizeof(rutDraftBlock),
      .sensor.item_size = sizeof(rutDraftSensor),
      .prism.item_size = sizeof(rutDraftPrism),
      .grid.item_size = sizeof(rutDraftGrid),
      .source.item_size = sizeof(rutDraftSource),
      .region.item_size = sizeof(rutRegion),
      .joint.item_size = sizeof(rutPlanarJointDef),
      .soil.item_size = sizeof(rutDraftSoil),
  };
  void (*const stages[])(rutDraft*) = {
      read_world,       rut_draft_soils,          rut_draft_vehicles,     rut_draft_mechanisms,
      rut_draft_blocks, rut_draft_ground,         rut_draft_check_starts, rut_draft_prisms,
      rut_draft_walls,  rut_draft_grids,          rut_draft_joints,       rut_draft_sensors,
      choose_step,      rut_draft_look_at_fields,
  };
  reporter->access = rut_spec_access(spec);
  rut_spec_check(spec);
  // what may not be read is told once, not by everyone who would read it
  const bool readable = rut_spec_check_files(spec) == RUT_OK;
  for (int i = 0; i < RUT_COUNT_OF(stages) && readable; i++) stages[i](&draft);

  rutStatus status = reporter->errors ? reporter->first.status : build(&draft, out);
  free_draft(&draft);
  reporter->access = NULL;
  if (err) *err = reporter->first;
  return status;
}

void rut_model_destroy(rutModel* model) {
  if (model) rut_context_free(model->context, model);
}
