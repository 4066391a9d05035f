// SPDX-License-Identifier: BSD-3-Clause
//
// rut_compile: read the spec into a draft, check it, lay the model out in one block.
#include <string.h>

#include "geom/polygon.h"
#include "sim/draft.h"

static const double DEFAULT_STEP = 0.005;

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

void rut_draft_component(rutDraft* draft, rutNode parent, const char* kind,
                         rutDraftComponent* component) {
  rutNode node = rut_node_first(draft->spec, parent, kind);
  if (rut_node_is_null(node)) return;
  const rutComponent* type = rut_node_component(draft->spec, node);
  if (type->fields > RUT_MAX_PARAMS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "has more than %d fields",
                   RUT_MAX_PARAMS);
    return;
  }
  component->type = type;
  rut_node_params(draft->spec, node, component->param);
  rutNode second = rut_node_next(draft->spec, node, kind);
  if (!rut_node_is_null(second)) {
    rut_node_error(draft->spec, second, NULL, RUT_ERR_MODEL, "", "only one <%s> is allowed here",
                   kind);
  }
}

void rut_draft_pose(const rutDraft* draft, rutNode node, double pose[6], bool* has_z) {
  int n = 0;
  const double* position = rut_node_numbers(draft->spec, node, "position", &n);
  for (int i = 0; i < 3; i++) pose[i] = i < n ? position[i] : 0;
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

int rut_draft_group(rutDraft* draft, const rutDraftClass* content) {
  // recent groups first: equal vehicles usually follow each other
  for (int i = draft->group.n - 1; i >= 0; i--) {
    if (memcmp(rut_list_at(&draft->group, i), content, sizeof *content) == 0) return i;
  }
  rutDraftClass* added = rut_draft_push(draft, &draft->group);
  if (!added) return -1;
  memcpy(added, content, sizeof *content);
  return draft->group.n - 1;
}

static void read_world(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  rutNode root = rut_spec_root(spec);
  draft->gravity = rut_node_number(spec, root, "gravity");
  draft->margin = rut_node_number(spec, root, "contact_margin");
  draft->rk4 = rut_node_number(spec, root, "integrator") != 0;
  draft->dt = rut_node_number(spec, root, "timestep");
}

// Without a given step: 5 ms, or the shortest sensor period if that is shorter.
static void choose_step(rutDraft* draft) {
  if (draft->dt > 0) return;
  draft->dt = DEFAULT_STEP;
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    if (s->component.param[0] < draft->dt) draft->dt = s->component.param[0];
  }
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
  rutList* lists[] = {&draft->group, &draft->vehicle, &draft->mechanism, &draft->block,
                      &draft->sensor, &draft->prism,  &draft->grid,      &draft->source,
                      &draft->region, &draft->joint};
  for (int i = 0; i < RUT_COUNT_OF(lists); i++) free_list(draft, lists[i]);
}

static rutStatus build(rutDraft* draft, rutModel** out) {
  rutArena measure = {0};
  rut_model_build(draft, &measure);
  if (measure.used > RUT_MAX_MODEL_BYTES) {
    return rut_report_error(draft->reporter, RUT_ERR_CAPACITY, (rutPlace){0}, "", "",
                            "the model would need %.3g MB", (double)measure.used * 1e-6);
  }
  rutArena arena = {.size = measure.used};
  arena.base = rut_context_alloc(draft->context, measure.used, RUT_ARENA_ALIGN);
  if (!arena.base) {
    return rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "",
                            "out of memory for a model of %.3g MB", (double)measure.used * 1e-6);
  }
  memset(arena.base, 0, arena.size);
  *out = rut_model_build(draft, &arena);
  rutArena data = {0};
  rut_data_build(*out, &data);
  (*out)->size = arena.size;
  (*out)->data_size = data.used;
  return RUT_OK;
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
      .vehicle.item_size = sizeof(rutDraftVehicle),
      .mechanism.item_size = sizeof(rutDraftMechanism),
      .block.item_size = sizeof(rutDraftBlock),
      .sensor.item_size = sizeof(rutDraftSensor),
      .prism.item_size = sizeof(rutDraftPrism),
      .grid.item_size = sizeof(rutDraftGrid),
      .source.item_size = sizeof(rutDraftSource),
      .region.item_size = sizeof(rutRegion),
      .joint.item_size = sizeof(rutPlanarJointDef),
  };
  void (*const stages[])(rutDraft*) = {
      read_world,     rut_draft_vehicles, rut_draft_mechanisms, rut_draft_blocks, rut_draft_ground,
      rut_draft_prisms, rut_draft_walls,  rut_draft_grids,      rut_draft_joints, rut_draft_sensors,
      choose_step,
  };
  rut_spec_check(spec);
  for (int i = 0; i < RUT_COUNT_OF(stages); i++) stages[i](&draft);

  rutStatus status = reporter->errors ? reporter->first.status : build(&draft, out);
  free_draft(&draft);
  if (err) *err = reporter->first;
  return status;
}

void rut_model_destroy(rutModel* model) {
  if (model) rut_context_free(model->context, model);
}
