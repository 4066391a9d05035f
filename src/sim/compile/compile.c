// SPDX-License-Identifier: BSD-3-Clause
//
// rut_compile: read the spec into a draft, check it, lay the model out in one block.
#include <string.h>

#include "base/hash.h"
#include "geom/polygon.h"
#include "sim/compile/actor.h"
#include "sim/compile/axles.h"
#include "sim/compile/draft.h"
#include "sim/compile/drive_step.h"
#include "sim/compile/explicit_wheels.h"
#include "sim/compile/grid.h"
#include "sim/compile/ground.h"
#include "sim/compile/groups.h"
#include "sim/compile/joint_look.h"
#include "sim/compile/lanes_build.h"
#include "sim/compile/light.h"
#include "sim/compile/logs.h"
#include "sim/compile/looks.h"
#include "sim/compile/material.h"
#include "sim/compile/mechanism.h"
#include "sim/compile/model_build.h"
#include "sim/compile/obstacles.h"
#include "sim/compile/overlap.h"
#include "sim/compile/plausible.h"
#include "sim/compile/road.h"
#include "sim/compile/scene.h"
#include "sim/compile/scenery.h"
#include "sim/compile/sensor.h"
#include "sim/compile/sensor_doubt.h"
#include "sim/compile/soil.h"
#include "sim/compile/space.h"
#include "sim/compile/stand_in.h"
#include "sim/compile/vehicle.h"
#include "sim/compile/visual.h"
#include "sim/data.h"
#include "sim/spec/values.h"

static const double DEFAULT_STEP = 0.005;
// Below this a second of simulation takes hours, and a clock of 1e9 s no longer resolves the step.
static const double LEAST_STEP = 1e-9;

// Where the world lies on earth: its own attributes, or <georeference>.
static void read_origin(rutDraft* draft) {
  static const char* const own[] = {"latitude", "longitude", "altitude"};
  static const char* const referenced[] = {"latitude", "longitude", "height", "rotation"};
  const rutSpec* spec = draft->spec;
  const rutNode root = rut_spec_root(spec);
  const rutNode reference = rut_node_first(spec, root, "georeference");
  if (rut_node_is_null(reference)) {
    for (int i = 0; i < 3; i++) draft->origin[i] = rut_node_number(spec, root, own[i]);
    draft->origin[3] = 0;
    return;
  }
  for (int i = 0; i < 4; i++) draft->origin[i] = rut_node_number(spec, reference, referenced[i]);
  if (rut_node_has(spec, root, "latitude") || rut_node_has(spec, root, "longitude")) {
    rut_node_error(spec, reference, "latitude", RUT_ERR_MODEL,
                   "remove latitude and longitude of <world>",
                   "the world's place on earth is given twice");
  }
}

static void read_world(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  rutNode root = rut_spec_root(spec);
  draft->gravity = rut_node_number(spec, root, "gravity");
  draft->margin = rut_node_number(spec, root, "contact_margin");
  read_origin(draft);
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
    rutDraftBlock* b = rut_list_at(&draft->block, i);
    free_list(draft, &b->keyframe);
    free_list(draft, &b->pace);
    rut_context_free(draft->context, b->param);
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
  rut_draft_scene_free(draft);
  rut_draft_scenery_free(draft);
  for (int i = 0; i < draft->road_outline.n; i++) {
    rut_context_free(draft->context, *(double**)rut_list_at(&draft->road_outline, i));
  }
  free_list(draft, &draft->road_outline);
  rutList* lists[] = {
      &draft->group,        &draft->vehicle,    &draft->mechanism, &draft->block,
      &draft->sensor,       &draft->prism,      &draft->grid,      &draft->source,
      &draft->region,       &draft->soil,       &draft->joint,     &draft->group_hash,
      &draft->material,     &draft->class_name, &draft->instance,  &draft->mesh,
      &draft->mesh_surface, &draft->solid,      &draft->paint,     &draft->visual,
      &draft->joint_end,    &draft->joint_look, &draft->texture,   &draft->ground_texture,
      &draft->textured,     &draft->lamp,       &draft->settled};
  for (int i = 0; i < RUT_COUNT_OF(lists); i++) free_list(draft, lists[i]);
  rut_context_free(draft->context, draft->scratch);
  rut_context_free(draft->context, draft->group_slot);
  rut_context_free(draft->context, draft->member);
  rut_context_free(draft->context, draft->member_start);
}

static rutStatus too_large(rutDraft* draft, const char* what, size_t bytes) {
  return rut_node_error(draft->spec, rut_spec_root(draft->spec), NULL, RUT_ERR_CAPACITY, "",
                        "the world is too large: its %s would need %.0f MB, more than %.0f MB",
                        what, (double)bytes * 1e-6, (double)RUT_MAX_MODEL_BYTES * 1e-6);
}

// Told of the sensor whose samples are most of the state, if there is one.
static rutStatus state_too_large(rutDraft* draft, const rutModel* model, size_t bytes) {
  for (int i = 0; i < model->sensors; i++) {
    const rutSensorRecord* s = &model->sensor[i];
    const double own = (double)s->slots * s->size * sizeof(double);
    if (own < 0.5 * (double)bytes) continue;
    return rut_node_error(draft->spec,
                          ((const rutDraftSensor*)rut_list_at(&draft->sensor, i))->node,
                          s->slots > 1 ? "latency" : NULL, RUT_ERR_CAPACITY, "",
                          "the %d samples that wait for its latency need %.0f MB; the state of a "
                          "world may have %.0f MB",
                          s->slots, own * 1e-6, (double)RUT_MAX_MODEL_BYTES * 1e-6);
  }
  return too_large(draft, "state", bytes);
}

static rutStatus build(rutDraft* draft, rutModel** out) {
  if (!rut_draft_list_members(draft)) return RUT_ERR_MEMORY;
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
  rut_draft_warn_explicit_wheels(draft, *out);
  rut_draft_warn_drive_step(draft, *out);
  rut_draft_warn_sensors(draft, *out);
  if (data.used <= RUT_MAX_MODEL_BYTES) return RUT_OK;
  const rutStatus status = state_too_large(draft, *out, data.used);
  rut_context_free(draft->context, *out);
  *out = NULL;
  return status;
}

// lanes: of the model for copies in lanes, NULL if it is not asked for.
static rutStatus compile(const rutSpec* spec, int workers, rutModel** out, rutLanes** lanes,
                         rutError* err) {
  *out = NULL;
  rutContext* context = rut_spec_context(spec);
  rutReporter* reporter = rut_context_reporter(context);
  rut_reporter_reset(reporter);
  rutDraft draft = {
      .spec = spec,
      .context = context,
      .reporter = reporter,
      .workers = workers,
      .group.item_size = sizeof(rutDraftClass),
      .group_hash.item_size = sizeof(uint64_t),
      .settled.item_size = sizeof(rutDraftSettled),
      .vehicle.item_size = sizeof(rutDraftVehicle),
      .mechanism.item_size = sizeof(rutDraftMechanism),
      .block.item_size = sizeof(rutDraftBlock),
      .sensor.item_size = sizeof(rutDraftSensor),
      .prism.item_size = sizeof(rutDraftPrism),
      .grid.item_size = sizeof(rutDraftGrid),
      .source.item_size = sizeof(rutDraftSource),
      .region.item_size = sizeof(rutRegion),
      .joint.item_size = sizeof(rutPlanarJointDef),
      .joint_end.item_size = sizeof(rutDraftJoint),
      .joint_look.item_size = sizeof(rutJointLook),
      .soil.item_size = sizeof(rutDraftSoil),
      .material.item_size = sizeof(rutMaterial),
      .class_name.item_size = sizeof(const char*),
      .instance.item_size = sizeof(rutNode),
      .mesh.item_size = sizeof(rutDraftMesh),
      .mesh_surface.item_size = sizeof(rutMaterial),
      .solid.item_size = sizeof(rutSolid),
      .paint.item_size = sizeof(int),
      .visual.item_size = sizeof(rutDraftVisual),
      .texture.item_size = sizeof(rutDraftTexture),
      .ground_texture.item_size = sizeof(rutGroundTexture),
      .textured.item_size = sizeof(rutDraftTextured),
      .lamp.item_size = sizeof(rutLampRecord),
      .road_outline.item_size = sizeof(double*),
      .scenery_item.item_size = sizeof(rutSceneryItem),
      .scenery_form.item_size = sizeof(rutSceneryForm),
      .scenery_part.item_size = sizeof(rutSceneryPartRecord),
  };
  void (*const stages[])(rutDraft*) = {
      read_world,           rut_draft_soils,
      rut_draft_materials,  rut_draft_light,
      rut_draft_air,        rut_draft_vehicles,
      rut_draft_mechanisms, rut_draft_blocks,
      rut_draft_actors,     rut_draft_ground,
      rut_draft_roads,      rut_draft_check_starts,
      rut_draft_prisms,     rut_draft_actor_prisms,
      rut_draft_stand_ins,  rut_draft_walls,
      rut_draft_scenery,    rut_draft_grids,
      rut_draft_joints,     rut_draft_sensors,
      rut_draft_lamps,      rut_draft_visuals,
      rut_draft_looks,      rut_draft_joint_looks,
      rut_draft_scene,      rut_draft_space_looks,
      choose_step,          rut_draft_look_at_fields,
      rut_draft_check_logs, rut_draft_look_at_overlaps,
  };
  reporter->access = rut_spec_access(spec);
  rut_spec_check(spec);
  // files that may not be read are reported once, not by each reader
  const bool readable = rut_spec_check_files(spec) == RUT_OK;
  for (int i = 0; i < RUT_COUNT_OF(stages) && readable; i++) stages[i](&draft);

  rutStatus status = reporter->errors ? reporter->first.status : build(&draft, out);
  if (status == RUT_OK && lanes) status = rut_lanes_build(&draft, *out, lanes);
  free_draft(&draft);
  reporter->access = NULL;
  if (err) *err = reporter->first;
  if (status == RUT_OK) return RUT_OK;
  rut_model_destroy(*out);
  *out = NULL;
  return status;
}

rutStatus rut_compile(const rutSpec* spec, rutModel** out, rutError* err) {
  return compile(spec, rut_context_workers(rut_spec_context(spec)), out, NULL, err);
}

rutStatus rut_compile_lanes(const rutSpec* spec, rutModel** out, rutLanes** lanes, rutError* err) {
  *lanes = NULL;
  return compile(spec, 1, out, lanes, err);
}

void rut_model_destroy(rutModel* model) {
  if (model) rut_context_free(model->context, model);
}
