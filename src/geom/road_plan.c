// SPDX-License-Identifier: BSD-3-Clause
//
// Layout of a plan of roads, bounds of its spans, and the grid that finds them.
#include "geom/road_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "geom/road_surface.h"
#include "math/rut_math.h"

enum { MOST_CELLS = 1 << 20, MOST_ENTRIES = 1 << 24, ALONG = 8, MOST_ACROSS = 48 };
static const double LEAST_CELL = 8;  // [m]
static const double STEEPER = 1.25;  // of slopes between places that are looked at

// Where arrays stand.
static size_t place(size_t* bytes, size_t size) {
  const size_t at = (*bytes + 63) & ~(size_t)63;
  *bytes = at + size;
  return at;
}

static double value(const double c[4], double w) {
  return c[0] + w * (c[1] + w * (c[2] + w * c[3]));
}

// Look at a place of a span: its box, heights and slopes.
static void look(const rutRoadPlan* plan, rutRoadSpan* span, double w, double t, double slack) {
  static const double NEAR = 1e-4;  // over which slopes are taken [m]
  double at[3], by_w[3], by_t[3];
  const double step = w > 0.5 * span->arc.length ? -NEAR : NEAR;
  rut_road_point(plan, span, w, t, at);
  rut_road_point(plan, span, w + step, t, by_w);
  rut_road_point(plan, span, w, t + NEAR, by_t);
  for (int k = 0; k < 2; k++) {
    span->box[2 * k] = rut_min(span->box[2 * k], at[k] - slack);
    span->box[2 * k + 1] = rut_max(span->box[2 * k + 1], at[k] + slack);
  }
  span->low = rut_min(span->low, at[2]);
  span->high = rut_max(span->high, at[2]);
  const double ax = by_w[0] - at[0], ay = by_w[1] - at[1], az = by_w[2] - at[2];
  const double bx = by_t[0] - at[0], by = by_t[1] - at[1], bz = by_t[2] - at[2];
  const double det = ax * by - ay * bx;
  const double gx = (az * by - bz * ay) / det, gy = (bz * ax - az * bx) / det;
  const double slope = rut_hypot(gx, gy);
  span->steepest = rut_max(span->steepest, slope == slope ? slope : RUT_INFINITY);
}

static void bound_span(const rutRoadPlan* plan, rutRoadSpan* span) {
  const rutRoadStrip* strip =
      (const rutRoadStrip*)(const void*)((const char*)plan + plan->strip) + span->strip;
  const int strips = span->strips[0] + span->strips[1];
  // the line between places bulges by less than this
  const double slack = 0.02 * span->arc.length + 1e-3;
  span->box[0] = span->box[2] = RUT_INFINITY;
  span->box[1] = span->box[3] = -RUT_INFINITY;
  span->low = RUT_INFINITY;
  span->high = -RUT_INFINITY;
  span->steepest = 0;
  for (int i = 0; i <= ALONG; i++) {
    const double w = span->arc.length * i / ALONG;
    const int every = 1 + strips / MOST_ACROSS;
    for (int k = 0; k < strips; k++) {
      const bool last = k == span->strips[0] - 1 || k == strips - 1;
      const double side = k < span->strips[0] ? 1 : -1, in = value(strip[k].inner, w);
      const double out = last ? in + side * plan->margin : value(strip[k].outer, w);
      if (!last && k % every) continue;
      look(plan, span, w, in + 1e-3 * (out - in), slack);
      look(plan, span, w, 0.5 * (in + out), slack);
      look(plan, span, w, out, slack);
    }
  }
  // beyond its ends
  for (int k = 0; k < 4; k++) span->box[k] += (k & 1 ? 1 : -1) * plan->margin;
  const double bulge = 0.05 * (span->high - span->low) + 1e-6;
  span->low -= bulge;
  span->high += bulge;
  span->steepest *= STEEPER;
}

// The grid over all boxes, of cells that are few enough.
static void lay_grid(rutRoadPlan* plan, const rutRoadSpan* span) {
  double box[4] = {RUT_INFINITY, -RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY};
  plan->low = RUT_INFINITY;
  plan->high = -RUT_INFINITY;
  for (int i = 0; i < plan->spans; i++) {
    for (int k = 0; k < 4; k += 2) {
      box[k] = rut_min(box[k], span[i].box[k]);
      box[k + 1] = rut_max(box[k + 1], span[i].box[k + 1]);
    }
    plan->low = rut_min(plan->low, span[i].low);
    plan->high = rut_max(plan->high, span[i].high);
    plan->steepest = rut_max(plan->steepest, span[i].steepest);
  }
  const double wide = box[1] - box[0], high = box[3] - box[2];
  plan->cell = rut_max(LEAST_CELL, 2 * rut_sqrt((wide + 1) * (high + 1) / MOST_CELLS));
  plan->cell = rut_max(plan->cell, 2 * rut_max(wide, high) / (1 << 19));
  plan->corner[0] = box[0];
  plan->corner[1] = box[2];
  plan->cells[0] = (int)(wide / plan->cell) + 1;
  plan->cells[1] = (int)(high / plan->cell) + 1;
}

// Cells of a box.
static void cells_of(const rutRoadPlan* plan, const double box[4], int range[4]) {
  for (int k = 0; k < 4; k++) {
    const int axis = k >> 1;
    const double u = (box[k] - plan->corner[axis]) / plan->cell;
    range[k] = (int)rut_clamp(u, 0, plan->cells[axis] - 1);
  }
}

static size_t count_entries(const rutRoadPlan* plan, const rutRoadSpan* span) {
  double sum = 0;
  for (int i = 0; i < plan->spans; i++) {
    int r[4];
    cells_of(plan, span[i].box, r);
    sum += ((double)r[1] - r[0] + 1) * ((double)r[3] - r[2] + 1);
  }
  return sum > MOST_ENTRIES ? (size_t)MOST_ENTRIES + 1 : (size_t)sum;
}

// Spans of each cell, one cell after the other.
static void fill_entries(const rutRoadPlan* plan, const rutRoadSpan* span, int* start, int* entry) {
  const int cells = plan->cells[0] * plan->cells[1];
  for (int pass = 0; pass < 2; pass++) {
    for (int i = plan->spans - 1; i >= 0; i--) {
      int r[4];
      cells_of(plan, span[i].box, r);
      for (int iy = r[2]; iy <= r[3]; iy++) {
        for (int ix = r[0]; ix <= r[1]; ix++) {
          int* of = &start[iy * plan->cells[0] + ix];
          if (pass == 0)
            ++*of;
          else
            entry[--*of] = i;
        }
      }
    }
    for (int i = 1; pass == 0 && i <= cells; i++) start[i] += start[i - 1];
  }
}

rutStatus rut_road_plan_make(const rutRoadParts* parts, rutRoadPlan** out, rutError* err) {
  rutRoadPlan head = {.margin = parts->margin, .spans = parts->spans};
  size_t bytes = sizeof head;
  head.span = place(&bytes, (size_t)parts->spans * sizeof *parts->span);
  head.strip = place(&bytes, (size_t)parts->strips * sizeof *parts->strip);
  head.profile = place(&bytes, (size_t)parts->profiles * sizeof *parts->profile);
  head.part = place(&bytes, (size_t)parts->parts * sizeof *parts->part);
  rutRoadPlan* plan = calloc(1, bytes);
  *out = NULL;
  if (!plan) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  *plan = head;
  char* base = (char*)plan;
  memcpy(base + head.span, parts->span, (size_t)parts->spans * sizeof *parts->span);
  memcpy(base + head.strip, parts->strip, (size_t)parts->strips * sizeof *parts->strip);
  if (parts->profiles) {
    memcpy(base + head.profile, parts->profile, (size_t)parts->profiles * sizeof *parts->profile);
    memcpy(base + head.part, parts->part, (size_t)parts->parts * sizeof *parts->part);
  }
  rutRoadSpan* span = (rutRoadSpan*)(void*)(base + head.span);
  for (int i = 0; i < plan->spans; i++) {
    rut_road_span_ends(&span[i]);
    bound_span(plan, &span[i]);
  }
  lay_grid(plan, span);
  const size_t entries = count_entries(plan, span);
  if (entries > MOST_ENTRIES) {
    free(plan);
    return rut_error_set(err, RUT_ERR_CAPACITY, "its lanes and margins overlap too often");
  }
  const size_t cells = (size_t)plan->cells[0] * (size_t)plan->cells[1];
  plan->start = place(&bytes, (cells + 1) * sizeof(int));
  plan->entry = place(&bytes, entries * sizeof(int));
  plan->bytes = bytes;
  rutRoadPlan* grown = realloc(plan, bytes);
  if (!grown) {
    free(plan);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  plan = grown;
  memset((char*)plan + plan->start, 0, bytes - plan->start);
  fill_entries(plan, rut_road_span(plan, 0), (int*)(void*)((char*)plan + plan->start),
               (int*)(void*)((char*)plan + plan->entry));
  *out = plan;
  return RUT_OK;
}
