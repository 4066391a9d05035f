// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/overlap.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/ground.h"
#include "sim/spec/context.h"

// Vehicles that are told of; parts and pairs of them that are looked at, so that large worlds do
// not take longer to compile.
enum { MOST_TOLD = 5, MOST_PARTS = 1 << 16, MOST_PAIRS = 1 << 24 };
static const double TOUCH = 0.01;  // depth that is taken for touching [m]

typedef rutSolidPart Solid;

// Where the body of a part is at the start: its centre of mass, yaw, and height.
static void place(const rutDraft* draft, const rutPrismDef* def, rutPlanePose* pose, double* z) {
  double x = 0, y = 0;
  const double *start, *com;
  bool on_ground = false;
  if (def->kind == RUT_VEHICLE) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, def->index);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    start = v->record.start;
    com = c->com;
    on_ground = v->record.on_ground;
  } else {
    const rutDraftBlock* b = rut_list_at(&draft->block, def->index);
    start = b->record.start;
    com = b->record.com;
  }
  rut_sincos(start[5], &pose->sine, &pose->cosine);
  x = start[0] + pose->cosine * com[0] - pose->sine * com[1];
  y = start[1] + pose->sine * com[0] + pose->cosine * com[1];
  pose->x = x;
  pose->y = y;
  *z = on_ground ? rut_draft_ground_height(draft, start[0], start[1], start[2]) : start[2];
}

void rut_draft_stand(const rutDraft* draft, const rutDraftPrism* prism, rutSolidPart* out) {
  rutPlanePose pose = {0, 0, 1, 0};
  double z = 0;
  *out = (Solid){.def = &prism->def, .outline.n = prism->outline.n};
  if (prism->def.body >= 0) place(draft, &prism->def, &pose, &z);
  rut_polygon_transform(prism->outline.n, prism->outline.xy, pose, out->outline.xy);
  rut_polygon_bounds(out->outline.n, out->outline.xy, out->box);
  out->z_min = z + prism->def.z_min;
  out->z_max = z + prism->def.z_max;
}

static int by_left_end(const void* a, const void* b) {
  const Solid *x = a, *y = b;
  if (x->box[0] != y->box[0]) return x->box[0] < y->box[0] ? -1 : 1;
  return x->def < y->def ? -1 : x->def > y->def;
}

// Bodies that a joint holds together may overlap, as a trailer and what pulls it.
static bool are_joined(const rutDraft* draft, int a, int b) {
  for (int i = 0; i < draft->joint.n; i++) {
    const rutPlanarJointDef* j = rut_list_at(&draft->joint, i);
    if ((j->body_a == a && j->body_b == b) || (j->body_a == b && j->body_b == a)) return true;
  }
  return false;
}

static bool overlap(const rutDraft* draft, const Solid* a, const Solid* b) {
  if (a->box[1] > b->box[3] || b->box[1] > a->box[3]) return false;
  if (a->z_min > b->z_max - TOUCH || b->z_min > a->z_max - TOUCH) return false;
  if (a->def->kind == b->def->kind && a->def->index == b->def->index) return false;
  const double apart =
      rut_polygon_separation(a->outline.n, a->outline.xy, b->outline.n, b->outline.xy);
  return apart < -TOUCH && !are_joined(draft, a->def->body, b->def->body);
}

static void tell(rutDraft* draft, const Solid* vehicle, const Solid* other) {
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle->def->index);
  const char *what = "a wall", *name = "";
  if (other->def->kind == RUT_VEHICLE) {
    what = "vehicle";
    name = rut_node_text(draft->spec,
                         ((rutDraftVehicle*)rut_list_at(&draft->vehicle, other->def->index))->node,
                         "name");
  } else if (other->def->kind == RUT_BLOCK) {
    what = "block";
    name = rut_node_text(
        draft->spec, ((rutDraftBlock*)rut_list_at(&draft->block, other->def->index))->node, "name");
  }
  rut_node_warning(draft->spec, v->node, "position",
                   "it starts inside of %s%s%.60s%s, and will be pushed out: start it elsewhere",
                   what, name && name[0] ? " '" : "", name ? name : "", name && name[0] ? "'" : "");
}

// Tell of the pairs that include a vehicle; each vehicle is told of once.
static void tell_pairs(rutDraft* draft, const Solid* solid, int n, bool* told) {
  int count = 0, pairs = 0;
  for (int i = 0; i < n; i++) {
    for (int k = i + 1; k < n && solid[k].box[0] <= solid[i].box[2]; k++) {
      if (pairs++ == MOST_PAIRS) return;
      const bool first = solid[i].def->kind == RUT_VEHICLE;
      if (!first && solid[k].def->kind != RUT_VEHICLE) continue;
      // of two vehicles that which stands later in the file
      const bool later = solid[k].def->kind == RUT_VEHICLE &&
                         (!first || solid[k].def->index > solid[i].def->index);
      const Solid *vehicle = &solid[later ? k : i], *other = &solid[later ? i : k];
      if (told[vehicle->def->index] || !overlap(draft, vehicle, other)) continue;
      told[vehicle->def->index] = true;
      if (count++ < MOST_TOLD) tell(draft, vehicle, other);
    }
  }
}

void rut_draft_look_at_overlaps(rutDraft* draft) {
  const int n = draft->prism.n;
  if (draft->reporter->errors || draft->vehicle.n == 0 || n == 0 || n > MOST_PARTS) return;
  const size_t vehicles = (size_t)draft->vehicle.n;
  Solid* solid = rut_context_alloc(draft->context, (size_t)n * sizeof *solid, alignof(Solid));
  bool* told = rut_context_alloc(draft->context, vehicles * sizeof *told, alignof(bool));
  if (told) memset(told, 0, vehicles * sizeof *told);
  for (int i = 0; solid && told && i < n; i++) {
    rut_draft_stand(draft, rut_list_at(&draft->prism, i), &solid[i]);
  }
  if (solid && told) {
    qsort(solid, (size_t)n, sizeof *solid, by_left_end);
    tell_pairs(draft, solid, n, told);
  }
  rut_context_free(draft->context, solid);
  rut_context_free(draft->context, told);
}
