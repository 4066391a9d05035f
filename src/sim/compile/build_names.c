// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/build_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/compile/build.h"

typedef struct NameList {
  const char** name;
  int* sorted;
  int n;
} NameList;

// A name while it is sorted, with its first bytes, as a number that is in the order of the names.
typedef struct Sorted {
  uint64_t start;
  const char* const* name;
} Sorted;

static uint64_t start_of(const char* name) {
  uint64_t start = 0;
  for (int i = 0; i < 8; i++) start = start << 8 | (unsigned char)(*name ? *name++ : 0);
  return start;
}

static int compare_names(const void* a, const void* b) {
  const Sorted *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  const int order = strcmp(*x->name, *y->name);
  return order ? order : (x->name > y->name) - (x->name < y->name);
}

static int most_names(const rutDraft* draft) {
  int wheels = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    wheels += ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
  const int lists[] = {draft->vehicle.n, draft->block.n,  draft->mechanism.n,
                       draft->soil.n,    draft->sensor.n, draft->joint.n};
  int most = wheels;
  for (int i = 0; i < RUT_COUNT_OF(lists); i++) most = lists[i] > most ? lists[i] : most;
  return most;
}

size_t rut_names_scratch(const rutDraft* draft) {
  return (size_t)most_names(draft) * sizeof(Sorted);
}

// Equal names stay in order of index.
static void finish_names(const rutDraft* draft, rutArena* arena, rutModel* model, rutKind kind,
                         NameList* list) {
  list->sorted = RUT_TAKE(arena, int, list->n);
  if (!model || !list->n) return;
  Sorted* sorted = draft->scratch;
  for (int i = 0; i < list->n; i++) {
    sorted[i] = (Sorted){start_of(list->name[i]), &list->name[i]};
  }
  qsort(sorted, (size_t)list->n, sizeof *sorted, compare_names);
  for (int i = 0; i < list->n; i++) list->sorted[i] = (int)(sorted[i].name - list->name);
  model->name[kind] = list->name;
  model->sorted[kind] = list->sorted;
}

static NameList start_names(rutArena* arena, int n) {
  return (NameList){.name = RUT_TAKE(arena, const char*, n), .n = n};
}

static void node_names(rutArena* arena, rutModel* model, rutKind kind, const rutDraft* draft,
                       const rutList* list, size_t node_offset) {
  NameList names = start_names(arena, list->n);
  for (int i = 0; i < list->n; i++) {
    rutNode node;
    memcpy(&node, (const char*)rut_list_at(list, i) + node_offset, sizeof node);
    const char* text = rut_build_text(arena, rut_node_name(draft->spec, node));
    if (names.name) names.name[i] = text;
  }
  finish_names(draft, arena, model, kind, &names);
}

// Wheels of axles are named by their axle, from front to rear, and their side.
static void axle_wheel_name(const rutDraftClass* c, int wheel, char text[32]) {
  const rutDraftSpatial* s = &c->spatial;
  const int axle = s->axle[wheel];
  const char* side = c->y[wheel] > 0 ? "left" : (c->y[wheel] < 0 ? "right" : "middle");
  if (s->axles == 1) {
    snprintf(text, 32, "%s", side);
  } else if (axle == 0 || axle == s->axles - 1) {
    snprintf(text, 32, "%s_%s", axle == 0 ? "front" : "rear", side);
  } else {
    snprintf(text, 32, "axle%d_%s", axle + 1, side);
  }
}

void rut_draft_wheel_name(const rutDraft* draft, rutNode vehicle, const rutDraftClass* c, int wheel,
                          char text[RUT_SPEC_MAX_NAME + 1]) {
  if (c->spatial.axles) {
    axle_wheel_name(c, wheel, text);
    return;
  }
  rutNode node = rut_node_first(draft->spec, vehicle, "wheel");
  for (int w = 0; w < wheel; w++) node = rut_node_next(draft->spec, node, "wheel");
  snprintf(text, RUT_SPEC_MAX_NAME + 1, "%s", rut_node_name(draft->spec, node));
}

static void wheel_names(rutArena* arena, rutModel* model, const rutDraft* draft) {
  int wheels = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    wheels += ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
  NameList names = start_names(arena, wheels);
  int n = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    rutNode node = rut_node_first(draft->spec, v->node, "wheel");
    for (int w = 0; w < c->wheels; w++, node = rut_node_next(draft->spec, node, "wheel")) {
      char text[2 * RUT_SPEC_MAX_NAME + 2];
      char axle[32];
      if (c->spatial.axles) axle_wheel_name(c, w, axle);
      const char* own = c->spatial.axles ? axle : rut_node_name(draft->spec, node);
      const char* parts[3] = {rut_node_name(draft->spec, v->node), "/", own};
      size_t used = 0;
      for (int p = 0; p < 3; p++) {
        size_t length = strlen(parts[p]);
        memcpy(text + used, parts[p], length);
        used += length;
      }
      text[used] = '\0';
      const char* kept = rut_build_text(arena, text);
      if (names.name) names.name[n] = kept;
      n++;
    }
  }
  finish_names(draft, arena, model, RUT_WHEEL, &names);
}

static void joint_names(rutArena* arena, rutModel* model, const rutDraft* draft) {
  NameList names = start_names(arena, draft->joint.n);
  rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "joint");
  for (int i = 0; i < draft->joint.n; i++, node = rut_node_next(draft->spec, node, "joint")) {
    const char* text = rut_build_text(arena, rut_node_name(draft->spec, node));
    if (names.name) names.name[i] = text;
  }
  finish_names(draft, arena, model, RUT_JOINT, &names);
}

// Sensors are named "vehicle/sensor", or by their own name when they are fixed to the world.
static void sensor_names(rutArena* arena, rutModel* model, const rutDraft* draft) {
  NameList names = start_names(arena, draft->sensor.n);
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    char text[2 * RUT_SPEC_MAX_NAME + 2];
    size_t used = 0;
    if (s->vehicle >= 0) {
      const rutDraftVehicle* v = rut_list_at(&draft->vehicle, s->vehicle);
      const char* vehicle = rut_node_name(draft->spec, v->node);
      used = strlen(vehicle);
      memcpy(text, vehicle, used);
      text[used++] = '/';
    }
    const char* own = rut_node_name(draft->spec, s->node);
    memcpy(text + used, own, strlen(own) + 1);
    const char* kept = rut_build_text(arena, text);
    if (names.name) names.name[i] = kept;
  }
  finish_names(draft, arena, model, RUT_SENSOR, &names);
}

void rut_build_names(const rutDraft* draft, rutArena* arena, rutModel* model) {
  node_names(arena, model, RUT_VEHICLE, draft, &draft->vehicle, offsetof(rutDraftVehicle, node));
  node_names(arena, model, RUT_BLOCK, draft, &draft->block, offsetof(rutDraftBlock, node));
  node_names(arena, model, RUT_MECHANISM, draft, &draft->mechanism,
             offsetof(rutDraftMechanism, node));
  node_names(arena, model, RUT_SOIL, draft, &draft->soil, offsetof(rutDraftSoil, node));
  wheel_names(arena, model, draft);
  sensor_names(arena, model, draft);
  joint_names(arena, model, draft);
}
