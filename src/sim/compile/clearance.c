// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/clearance.h"

#include <string.h>

#include "math/rut_math.h"

// A line of points, borrowed from the spec.
typedef struct Line {
  int points;
  const double* xy;
  double half_width;  // of a road [m]
  double box[4];      // around the points: x_min, y_min, x_max, y_max [m]
} Line;

static void add_line(rutDraft* draft, rutNode node, const char* field, double half_width,
                     rutList* list) {
  int n = 0;
  if (rut_node_field(draft->spec, node, field) < 0) return;
  const double* xy = rut_node_numbers(draft->spec, node, field, &n);
  if (n < 2) return;
  Line* line = rut_draft_push(draft, list);
  if (!line) return;
  *line = (Line){n / 2, xy, half_width, {xy[0], xy[1], xy[0], xy[1]}};
  for (int i = 1; i < n / 2; i++) {
    for (int k = 0; k < 2; k++) {
      line->box[k] = rut_min(line->box[k], xy[2 * i + k]);
      line->box[k + 2] = rut_max(line->box[k + 2], xy[2 * i + k]);
    }
  }
}

void rut_clearance_read(rutDraft* draft, rutClearance* out) {
  const rutSpec* spec = draft->spec;
  const rutNode root = rut_spec_root(spec);
  *out = (rutClearance){.start.item_size = 2 * sizeof(double),
                        .path.item_size = sizeof(Line),
                        .road.item_size = sizeof(Line)};
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    double* at = rut_draft_push(draft, &out->start);
    if (at) memcpy(at, v->record.start, 2 * sizeof *at);
    for (rutNode c = rut_node_first(spec, v->node, "controller"); !rut_node_is_null(c);
         c = rut_node_next(spec, c, "controller")) {
      add_line(draft, c, "points", 0, &out->path);
    }
  }
  for (rutNode a = rut_node_first(spec, root, "actor"); !rut_node_is_null(a);
       a = rut_node_next(spec, a, "actor")) {
    add_line(draft, a, "path", 0, &out->path);
  }
  for (rutNode r = rut_node_first(spec, root, "road"); !rut_node_is_null(r);
       r = rut_node_next(spec, r, "road")) {
    add_line(draft, r, "points", 0.5 * rut_node_number(spec, r, "width"), &out->road);
  }
}

void rut_clearance_free(rutDraft* draft, rutClearance* clearance) {
  rut_context_free(draft->context, clearance->start.item);
  rut_context_free(draft->context, clearance->path.item);
  rut_context_free(draft->context, clearance->road.item);
}

// Square of the distance of a point from a line between two others.
static double distance2(const double a[2], const double b[2], const double at[2]) {
  const double ux = b[0] - a[0], uy = b[1] - a[1], vx = at[0] - a[0], vy = at[1] - a[1];
  const double length2 = ux * ux + uy * uy;
  const double t = length2 > 0 ? rut_clamp((ux * vx + uy * vy) / length2, 0, 1) : 0;
  const double dx = vx - t * ux, dy = vy - t * uy;
  return dx * dx + dy * dy;
}

static bool far_from(const Line* line, double distance, const double at[2], int64_t* cost) {
  const double least = distance + line->half_width, *box = line->box;
  ++*cost;
  if (!(least > 0)) return true;
  for (int k = 0; k < 2; k++) {
    if (at[k] < box[k] - least || at[k] > box[k + 2] + least) return true;
  }
  *cost += line->points;
  for (int i = 0; i + 1 < line->points || i == 0; i++) {
    const int j = line->points > 1 ? i + 1 : i;
    if (distance2(line->xy + (size_t)2 * i, line->xy + (size_t)2 * j, at) < least * least) {
      return false;
    }
  }
  return true;
}

bool rut_clearance_holds(const rutClearance* clearance, const rutKeepAway* away, const double at[2],
                         int64_t* cost) {
  *cost += clearance->start.n;
  for (int i = 0; i < clearance->start.n; i++) {
    const double* start = rut_list_at(&clearance->start, i);
    if (distance2(start, start, at) < away->start * away->start) return false;
  }
  for (int i = 0; i < clearance->path.n; i++) {
    if (!far_from(rut_list_at(&clearance->path, i), away->path, at, cost)) return false;
  }
  for (int i = 0; i < clearance->road.n; i++) {
    if (!far_from(rut_list_at(&clearance->road, i), away->road, at, cost)) return false;
  }
  return true;
}
