// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/road_file.h"

#include <stdlib.h>
#include <string.h>

#include "format/crg.h"
#include "sim/compile/road_look.h"

typedef struct Source {
  const char *path, *text;
  size_t size;
  rutPlace place;
} Source;

// Plan on the heap, NULL after an error.
static void* read_opendrive(rutDraft* draft, rutNode node, const Source* from, size_t* bytes) {
  const rutXodrSurface def = {.roads = rut_node_text(draft->spec, node, "roads"),
                              .margin = rut_node_number(draft->spec, node, "margin"),
                              .place = from->place};
  rutXodr file;
  rutRoadPlan* plan = NULL;
  if (rut_xodr_read(from->text, from->size, from->path, draft->reporter, &file) == RUT_OK &&
      rut_xodr_surface(&file, &def, draft->reporter, &plan) == RUT_OK) {
    *bytes = plan->bytes;
    rut_draft_road_look(draft, node, &file, plan);
    rut_draft_road_friction(draft, node, &file, plan);
  }
  rut_xodr_free(&file);
  return plan;
}

// The same of OpenCRG.
static void* read_opencrg(rutDraft* draft, rutNode node, const Source* from, size_t* bytes) {
  const rutSpec* spec = draft->spec;
  const int border = (int)rut_node_number(spec, node, "border");
  rutCrg crg;
  rutCrgPlan* plan = NULL;
  if (rut_crg_read(from->text, from->size, from->path, draft->reporter, &crg) == RUT_OK) {
    rutCrgParts parts = {.nu = crg.nu,
                         .nv = crg.nv,
                         .vertex = crg.vertex,
                         .v = crg.v,
                         .z = crg.z,
                         .beyond = rut_node_number(spec, node, "beyond"),
                         .margin = rut_node_number(spec, node, "margin")};
    for (int k = 0; k < 2; k++) {
      parts.border[k] = border > 0 ? (rutCrgBorder)(border - 1) : crg.border[k];
      parts.offset[k] = crg.border_offset[k];
    }
    rutError err = {0};
    const rutStatus status = rut_crg_plan_make(&parts, &plan, &err);
    if (status != RUT_OK) {
      rut_node_error(spec, node, "file", status, "", "'%s': %s", from->path, err.message);
    }
  }
  rut_crg_free(&crg);
  if (plan) *bytes = plan->bytes;
  return plan;
}

static const struct {
  const char* type;
  size_t most;  // bytes of a file
  void* (*read)(rutDraft*, rutNode, const Source*, size_t*);
} readers[] = {{"opendrive", RUT_XODR_MAX_FILE, read_opendrive},
               {"opencrg", RUT_CRG_MAX_FILE, read_opencrg}};

bool rut_draft_has_road_file(const rutTerrainType* type) {
  for (int i = 0; i < RUT_COUNT_OF(readers); i++) {
    if (strcmp(readers[i].type, type->base.name) == 0) return true;
  }
  return false;
}

void* rut_draft_road_plan(rutDraft* draft, rutNode node, size_t* bytes) {
  const char* type = rut_node_component(draft->spec, node)->name;
  int reader = 0;
  while (strcmp(readers[reader].type, type) != 0) reader++;
  Source from = {.path = rut_node_text(draft->spec, node, "file"),
                 .place = rut_node_place_of(draft->spec, node, "file")};
  char* text = NULL;
  if (rut_read_file(from.path, readers[reader].most, draft->reporter, from.place, &text,
                    &from.size) != RUT_OK) {
    return NULL;
  }
  from.text = text;
  void* plan = readers[reader].read(draft, node, &from, bytes);
  free(text);
  if (!plan) return NULL;
  void* kept = rut_context_alloc(draft->context, *bytes, 64);
  if (kept) memcpy(kept, plan, *bytes);
  if (!kept) rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
  free(plan);
  return kept;
}
