// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/stand_in.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/model_path.h"
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/ground.h"

enum { MAX_TOLD = 5 };

// A prism in the world at the start.
typedef struct Standing {
  double box[4], z_min, z_max;  // x_min, y_min, x_max, y_max
  int n, vehicle, block;        // -1 for none
  double xy[2 * RUT_MAX_CORNERS];
} Standing;

static Standing standing(const rutDraft* draft, const rutDraftPrism* p) {
  Standing s = {.n = p->outline.n, .vehicle = -1, .block = -1};
  double x = 0, y = 0, z = 0, sine = 0, cosine = 1;
  if (p->def.kind == RUT_VEHICLE) {
    s.vehicle = p->def.index;
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, p->def.index);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    const double* start = v->record.start;
    rut_sincos(start[5], &sine, &cosine);
    x = start[0] + cosine * c->com[0] - sine * c->com[1];
    y = start[1] + sine * c->com[0] + cosine * c->com[1];
    z = v->record.on_ground ? rut_draft_ground_height(draft, start[0], start[1], start[2])
                            : start[2];
  } else {
    s.block = p->def.index;
    const rutDraftBlock* b = rut_list_at(&draft->block, p->def.index);
    const rutBlockRecord* r = &b->record;
    if (!r->fixed) {
      rut_sincos(r->start[5], &sine, &cosine);
      x = r->start[0] + cosine * r->com[0] - sine * r->com[1];
      y = r->start[1] + sine * r->com[0] + cosine * r->com[1];
      z = r->start[2];
    }
  }
  rut_polygon_transform(s.n, p->outline.xy, (rutPlanePose){x, y, cosine, sine}, s.xy);
  rut_polygon_bounds(s.n, s.xy, s.box);
  s.z_min = z + p->def.z_min;
  s.z_max = z + p->def.z_max;
  return s;
}

static bool is_stand_in(const rutDraft* draft, const rutDraftPrism* p) {
  if (p->def.kind != RUT_BLOCK) return false;
  const rutDraftBlock* b = rut_list_at(&draft->block, p->def.index);
  return rut_node_text(draft->spec, b->node, "stand_in_for")[0] != '\0';
}

// True if the prisms share some room.
static bool meet(const Standing* a, const Standing* b) {
  if (a->box[3] <= b->box[1] || b->box[3] <= a->box[1]) return false;
  if (a->z_max <= b->z_min || b->z_max <= a->z_min) return false;
  return rut_polygon_separation(a->n, a->xy, b->n, b->xy) < 0;
}

static void tell(const rutDraft* draft, const Standing* block, const Standing* vehicle) {
  const rutNode node = ((rutDraftBlock*)rut_list_at(&draft->block, block->block))->node;
  const rutNode other = ((rutDraftVehicle*)rut_list_at(&draft->vehicle, vehicle->vehicle))->node;
  const char* mesh = rut_node_text(draft->spec, node, "stand_in_for");
  char models[RUT_INPUT_TEXT] = "name a mesh that can be read", hint[RUT_INPUT_TEXT + 40];
  if (rut_model_is_uri(mesh)) rut_model_hint(mesh, models);
  snprintf(hint, sizeof hint, "%s, or give the block a shape of its own", models);
  rut_node_error(draft->spec, node, "stand_in_for", RUT_ERR_MODEL, hint,
                 "vehicle '%.80s' starts in block '%.80s', whose shape only stands in for the mesh "
                 "'%.200s'",
                 rut_node_name(draft->spec, other), rut_node_name(draft->spec, node), mesh);
}

static int by_x(const void* a, const void* b) {
  const Standing *x = a, *y = b;
  if (x->box[0] != y->box[0]) return x->box[0] > y->box[0] ? 1 : -1;
  if (x->vehicle != y->vehicle) return x->vehicle > y->vehicle ? 1 : -1;
  return (x->block > y->block) - (x->block < y->block);
}

// A vehicle consists of several prisms, and is reported once.
typedef struct Told {
  int n, vehicle[MAX_TOLD], block[MAX_TOLD];
} Told;

static bool is_told(const Told* told, int vehicle, int block) {
  for (int i = 0; i < told->n; i++) {
    if (told->vehicle[i] == vehicle && told->block[i] == block) return true;
  }
  return false;
}

// Sorted by where they begin along x, each prism meets only those that begin before it ends.
static void look(const rutDraft* draft, const Standing* s, int n) {
  Told told = {0};
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n && s[j].box[0] < s[i].box[2]; j++) {
      if ((s[i].vehicle < 0) == (s[j].vehicle < 0) || !meet(&s[i], &s[j])) continue;
      const Standing* block = s[i].vehicle < 0 ? &s[i] : &s[j];
      const Standing* vehicle = s[i].vehicle < 0 ? &s[j] : &s[i];
      if (is_told(&told, vehicle->vehicle, block->block)) continue;
      tell(draft, block, vehicle);
      told.vehicle[told.n] = vehicle->vehicle;
      told.block[told.n] = block->block;
      if (++told.n == MAX_TOLD) return;
    }
  }
}

void rut_draft_stand_ins(rutDraft* draft) {
  int blocks = 0, n = 0;
  for (int i = 0; i < draft->prism.n; i++) {
    blocks += is_stand_in(draft, rut_list_at(&draft->prism, i));
  }
  if (blocks == 0) return;
  Standing* list = rut_context_alloc(draft->context, (size_t)draft->prism.n * sizeof *list, 16);
  if (!list) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return;
  }
  for (int i = 0; i < draft->prism.n; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    if (p->def.kind == RUT_VEHICLE || is_stand_in(draft, p)) list[n++] = standing(draft, p);
  }
  qsort(list, (size_t)n, sizeof *list, by_x);
  look(draft, list, n);
  rut_context_free(draft->context, list);
}
