// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/looks.h"

#include <string.h>

#include "rut/appearance.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"

enum { KNOWN_LOOKS = 512 };

// Meshes that were made, by the hash of what they follow from.
typedef struct Looks {
  rutDraft* draft;
  int n;
  struct {
    uint64_t hash;
    int mesh;
  } known[KNOWN_LOOKS];
} Looks;

bool rut_draft_sees_looks(const rutDraft* draft) {
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    if (((const rutSensorType*)s->component.type)->uses & RUT_USES_LOOKS) return true;
  }
  return false;
}

// Mesh of a wheel of a vehicle, or of its body (-1); -1 if there is none, with an error where the
// vehicle has an <appearance>.
static int look_of(Looks* looks, int index, int part) {
  rutDraft* draft = looks->draft;
  const rutNode vehicle = ((const rutDraftVehicle*)rut_list_at(&draft->vehicle, index))->node;
  rutMaterial paint;
  memcpy(&paint, rut_list_at(&draft->material, RUT_MATERIAL_VEHICLE), sizeof paint);
  rut_vehicle_colour(index, paint.colour);
  const uint64_t hash = rut_vehicle_mesh_hash(draft->spec, vehicle, part, &paint);
  for (int i = 0; i < looks->n && i < KNOWN_LOOKS; i++) {
    if (looks->known[i].hash == hash) return looks->known[i].mesh;
  }
  rutMeshModel model;
  rutError err = {0};
  const rutStatus status = rut_vehicle_mesh(draft->spec, vehicle, part, &paint, &model, &err);
  if (status) {
    const rutNode look = rut_node_first(draft->spec, vehicle, "appearance");
    if (rut_node_is_null(look)) return -1;
    rut_node_error(draft->spec, look, NULL, status, "", "%s", err.message);
    return -1;
  }
  const int mesh = rut_draft_mesh(draft, &model);
  rut_mesh_model_free(&model);
  const int place = looks->n++ % KNOWN_LOOKS;
  looks->known[place].hash = hash;
  looks->known[place].mesh = mesh;
  return mesh;
}

// A <material> of a wheel holds for all of it.
static void see_part(Looks* looks, int vehicle, int first_wheel, const rutDraftPrism* prism) {
  rutDraft* draft = looks->draft;
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  const rutMaterial* seen = rut_list_at(&draft->material, prism->surface.material);
  const int part = prism->wheel, semantic_class = seen->semantic_class;
  rutDraftVisual visual = {.carrier = {RUT_CARRIER_VEHICLE, vehicle, 0},
                           .pose = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                           .vehicle = vehicle,
                           .surface = {v->instance, -1},
                           .mesh = look_of(looks, vehicle, part),
                           .solid = -1,
                           .semantic_class = semantic_class,
                           .paint = -1};
  if (visual.mesh < 0) return;
  if (part >= 0) {
    const rutNode node = rut_draft_wheel_node(draft, v, c, part);
    const bool own = !rut_node_is_null(rut_node_first(draft->spec, node, "material"));
    visual.carrier = (rutCarrier){RUT_CARRIER_WHEEL, first_wheel + part, 0};
    if (own) visual.surface.material = prism->surface.material;
  }
  rut_draft_visual(draft, &visual);
  rut_draft_hide(draft, vehicle, part);
}

void rut_draft_looks(rutDraft* draft) {
  Looks looks = {.draft = draft};
  int first_wheel = 0;
  if (draft->reporter->errors || !rut_draft_is_watched(draft)) return;
  const bool plain = rut_draft_sees_looks(draft);
  for (int i = 0; i < draft->vehicle.n && !draft->reporter->errors; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const bool made = plain || rut_node_count(draft->spec, v->node, "appearance") > 0;
    for (int k = v->first_prism; made && k < v->first_prism + v->prisms; k++) {
      const rutDraftPrism* prism = rut_list_at(&draft->prism, k);
      if (prism->def.look != RUT_LOOK_NOTHING) see_part(&looks, i, first_wheel, prism);
    }
    first_wheel += ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
}
