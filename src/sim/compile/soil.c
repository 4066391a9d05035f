// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/soil.h"

#include <string.h>
#include "sim/compile/read.h"

void rut_draft_soils(rutDraft* draft) {
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "soil");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "soil")) {
    rutDraftSoil* soil = rut_draft_push(draft, &draft->soil);
    if (!soil || !rut_draft_params(draft, node, soil->component.param)) return;
    soil->node = node;
    soil->component.type = rut_node_component(draft->spec, node);
  }
}

bool rut_draft_some_soil_sinks(const rutDraft* draft) {
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftSoil* s = rut_list_at(&draft->soil, i);
    if (s->component.type && ((const rutSoilType*)s->component.type)->sink) return true;
  }
  return false;
}

bool rut_draft_some_soil_counts_passes(const rutDraft* draft) {
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftSoil* s = rut_list_at(&draft->soil, i);
    const rutSoilType* type = (const rutSoilType*)s->component.type;
    if (type && type->counts_passes && type->counts_passes(s->component.param)) return true;
  }
  return false;
}

static rutSoilRecord build_soil(const rutSoilType* type, const double* param, rutArena* arena) {
  double* kept = RUT_TAKE(arena, double, RUT_MAX_PARAMS);
  double* derived = RUT_TAKE(arena, double, type->derived);
  if (kept) memcpy(kept, param, RUT_MAX_PARAMS * sizeof *kept);
  if (derived && type->derive) type->derive(param, derived);
  return (rutSoilRecord){type, kept, derived};
}

// The soil of places that name none; one of the built-in types is.
static const rutSoilType* standard_soil(const rutContext* context) {
  const rutSoilType* found = NULL;
  for (int i = 0; i < rut_component_count(context) && !found; i++) {
    const rutComponent* type = rut_component_at(context, i);
    const bool soil = strcmp(type->kind, "soil") == 0 && type->name[0];
    if (soil && ((const rutSoilType*)type)->standard) found = (const rutSoilType*)type;
  }
  return found;
}

// The world's soils in the order of the file, behind the one of places without any: dry and hard.
const rutSoilRecord* rut_build_soils(const rutDraft* draft, rutArena* arena, int* count) {
  *count = draft->soil.n + 1;
  rutSoilRecord* soil = RUT_TAKE(arena, rutSoilRecord, *count);
  double standard[RUT_MAX_PARAMS] = {0};
  const rutSoilType* hard = standard_soil(draft->context);
  for (int i = 0; i < hard->base.fields; i++) standard[i] = hard->base.field[i].def;
  rutSoilRecord built = build_soil(hard, standard, arena);
  if (soil) soil[0] = built;
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftComponent* d = &((const rutDraftSoil*)rut_list_at(&draft->soil, i))->component;
    built = build_soil((const rutSoilType*)d->type, d->param, arena);
    if (soil) soil[i + 1] = built;
  }
  return soil;
}
