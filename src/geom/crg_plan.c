// SPDX-License-Identifier: BSD-3-Clause
//
// Layout of a curved regular grid: bisectors at its vertices, bounds, and cells that find segments.
#include "geom/crg_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"

enum { MOST_CELLS = 1 << 18, MOST_RUNS = 1 << 22 };
static const double SHARPEST = 0.05;  // cosine of half the change of heading at a vertex
static const double LEAST_CELL = 2;   // [m]

static size_t place(size_t* bytes, size_t size) {
  const size_t at = (*bytes + 63) & ~(size_t)63;
  *bytes = at + size;
  return at;
}

// Directions at vertices: false if two of them are in one place, or the line turns back.
static bool find_sides(rutCrgVertex* p, int n) {
  for (int i = 0; i < n; i++) {
    const rutCrgVertex *a = &p[i > 0 ? i - 1 : 0], *b = &p[i + 1 < n ? i + 1 : i], *c = &p[i];
    double tx = b->x - c->x, ty = b->y - c->y, sx = c->x - a->x, sy = c->y - a->y;
    if (i == n - 1) {
      tx = sx;
      ty = sy;
    }
    if (i == 0) {
      sx = tx;
      sy = ty;
    }
    const double s = rut_hypot(sx, sy), t = rut_hypot(tx, ty);
    if (!(s > 1e-9 && t > 1e-9)) return false;
    const double nx = -(sy / s + ty / t), ny = sx / s + tx / t, sum = rut_hypot(nx, ny);
    // the sum of two unit vectors is twice the cosine of half their angle
    if (!(0.5 * sum > SHARPEST)) return false;
    p[i].side[0] = nx / (0.5 * sum * sum);
    p[i].side[1] = ny / (0.5 * sum * sum);
  }
  return true;
}

// Box of a segment with what is beyond it, x_min x_max y_min y_max.
static void box_of(const rutCrgPlan* plan, int i, double box[4]) {
  const double* v = rut_crg_v(plan);
  const double more = plan->beyond + plan->margin;
  const rutCrgVertex* p = rut_crg_vertices(plan) + i;
  box[0] = box[2] = RUT_INFINITY;
  box[1] = box[3] = -RUT_INFINITY;
  for (int k = 0; k < 4; k++) {
    const rutCrgVertex* at = p + (k & 1);
    const double w = k & 2 ? v[plan->nv - 1] + more : v[0] - more;
    const double x = at->x + w * at->side[0], y = at->y + w * at->side[1];
    box[0] = rut_min(box[0], x);
    box[1] = rut_max(box[1], x);
    box[2] = rut_min(box[2], y);
    box[3] = rut_max(box[3], y);
  }
  const double ends = i == 0 || i == plan->nu - 2 ? more + 1e-6 : 1e-6;
  for (int k = 0; k < 4; k++) box[k] += k & 1 ? ends : -ends;
}

static void cells_of(const rutCrgPlan* plan, const double box[4], int range[4]) {
  for (int k = 0; k < 4; k++) {
    const int axis = k >> 1;
    range[k] = (int)rut_clamp((box[k] - plan->corner[axis]) / plan->cell, 0, plan->cells[axis] - 1);
  }
}

static void lay_grid(rutCrgPlan* plan) {
  double all[4] = {RUT_INFINITY, -RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY}, widest = 0;
  for (int i = 0; i + 1 < plan->nu; i++) {
    double box[4];
    box_of(plan, i, box);
    for (int k = 0; k < 4; k += 2) {
      all[k] = rut_min(all[k], box[k]);
      all[k + 1] = rut_max(all[k + 1], box[k + 1]);
      widest = rut_max(widest, box[k + 1] - box[k]);
    }
  }
  const double w = all[1] - all[0], h = all[3] - all[2];
  plan->cell =
      rut_max(rut_max(LEAST_CELL, 0.5 * widest), 2 * rut_sqrt((w + 1) * (h + 1) / MOST_CELLS));
  plan->cell = rut_max(plan->cell, rut_max(w, h) / (1 << 17));
  plan->corner[0] = all[0];
  plan->corner[1] = all[2];
  plan->cells[0] = (int)(w / plan->cell) + 1;
  plan->cells[1] = (int)(h / plan->cell) + 1;
}

// Runs of segments of all cells. With run NULL they are counted into start, else put in their
// places. last[cells]: the last segment that was put into a cell.
static void find_runs(const rutCrgPlan* plan, int* start, int* last, rutCrgRun* run) {
  const int cells = plan->cells[0] * plan->cells[1];
  for (int i = 0; i < cells; i++) last[i] = -2;
  for (int i = 0; i + 1 < plan->nu; i++) {
    double box[4];
    int r[4];
    box_of(plan, i, box);
    cells_of(plan, box, r);
    for (int iy = r[2]; iy <= r[3]; iy++) {
      for (int ix = r[0]; ix <= r[1]; ix++) {
        const int cell = iy * plan->cells[0] + ix;
        const bool goes_on = last[cell] == i - 1;
        last[cell] = i;
        if (!run) {
          start[cell + 1] += !goes_on;
        } else if (goes_on) {
          run[start[cell] - 1].last = i;
        } else {
          run[start[cell]++] = (rutCrgRun){i, i};
        }
      }
    }
  }
}

static void find_bounds(rutCrgPlan* plan) {
  const rutCrgVertex* p = rut_crg_vertices(plan);
  const double *v = rut_crg_v(plan), *z = rut_crg_z(plan);
  const double most = rut_max(rut_abs(v[0]), rut_abs(v[plan->nv - 1]));
  double low = 0, high = 0, along = 0, across = 0;
  for (int i = 0; i < plan->nu; i++) {
    for (int k = 0; k < plan->nv; k++) {
      const double* at = &z[(size_t)i * (size_t)plan->nv + (size_t)k];
      if (!(*at == *at)) continue;
      low = rut_min(low, *at);
      high = rut_max(high, *at);
      if (k > 0 && at[-1] == at[-1]) {
        across = rut_max(across, rut_abs(at[0] - at[-1]) / (v[k] - v[k - 1]));
      }
      if (i > 0 && at[-plan->nv] == at[-plan->nv])
        along = rut_max(along, rut_abs(at[0] - at[-plan->nv]));
    }
  }
  plan->low = RUT_INFINITY;
  plan->high = -RUT_INFINITY;
  double steepest = 0;
  for (int i = 0; i < plan->nu; i++) {
    const double bank = rut_abs(p[i].bank) * most;
    plan->low = rut_min(plan->low,
                        p[i].z + low - bank - rut_abs(plan->offset[0]) - rut_abs(plan->offset[1]));
    plan->high = rut_max(
        plan->high, p[i].z + high + bank + rut_abs(plan->offset[0]) + rut_abs(plan->offset[1]));
    if (i == 0) continue;
    // segments are shortest where the line bends most toward the border
    const double dx = p[i].x - p[i - 1].x, dy = p[i].y - p[i - 1].y, length = rut_hypot(dx, dy);
    double shortest = length;
    for (int k = 0; k < 2; k++) {
      const double w = v[k ? plan->nv - 1 : 0];
      const double turn =
          ((p[i].side[0] - p[i - 1].side[0]) * dx + (p[i].side[1] - p[i - 1].side[1]) * dy) /
          length;
      shortest = rut_min(shortest, length + w * turn);
    }
    const double rise =
        along + rut_abs(p[i].z - p[i - 1].z) + rut_abs(p[i].bank - p[i - 1].bank) * most;
    const double slope = shortest > 1e-3 * length ? rise / shortest : RUT_INFINITY;
    steepest = rut_max(steepest, slope + across + rut_abs(p[i].bank));
  }
  plan->steepest = steepest;
}

rutStatus rut_crg_plan_make(const rutCrgParts* parts, rutCrgPlan** out, rutError* err) {
  rutCrgPlan head = {.nu = parts->nu,
                     .nv = parts->nv,
                     .border = {parts->border[0], parts->border[1]},
                     .offset = {parts->offset[0], parts->offset[1]},
                     .beyond = parts->beyond,
                     .margin = parts->margin};
  const size_t nodes = (size_t)parts->nu * (size_t)parts->nv;
  size_t bytes = sizeof head;
  head.vertex = place(&bytes, (size_t)parts->nu * sizeof *parts->vertex);
  head.v = place(&bytes, (size_t)parts->nv * sizeof *parts->v);
  head.z = place(&bytes, nodes * sizeof *parts->z);
  *out = NULL;
  rutCrgPlan* plan = calloc(1, bytes);
  if (!plan) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  *plan = head;
  rutCrgVertex* vertex = (rutCrgVertex*)(void*)((char*)plan + head.vertex);
  memcpy(vertex, parts->vertex, (size_t)parts->nu * sizeof *vertex);
  memcpy((char*)plan + head.v, parts->v, (size_t)parts->nv * sizeof *parts->v);
  memcpy((char*)plan + head.z, parts->z, nodes * sizeof *parts->z);
  if (!find_sides(vertex, parts->nu)) {
    free(plan);
    return rut_error_set(err, RUT_ERR_MODEL, "the reference line stands still or turns back");
  }
  find_bounds(plan);
  lay_grid(plan);
  const int cells = plan->cells[0] * plan->cells[1];
  int* start = calloc((size_t)cells + 1, sizeof *start);
  int* last = calloc((size_t)cells + 1, sizeof *last);
  rutStatus status = start && last ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  if (status == RUT_OK) {
    find_runs(plan, start, last, NULL);
    for (int i = 1; i <= cells; i++) start[i] += start[i - 1];
    if (start[cells] > MOST_RUNS)
      status = rut_error_set(err, RUT_ERR_CAPACITY, "the reference line is too crooked");
  }
  rutCrgPlan* grown = NULL;
  if (status == RUT_OK) {
    plan->start = place(&bytes, ((size_t)cells + 1) * sizeof *start);
    plan->run = place(&bytes, (size_t)start[cells] * sizeof(rutCrgRun));
    plan->bytes = bytes;
    grown = realloc(plan, bytes);
    if (!grown) status = rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  if (grown) {
    plan = grown;
    memset((char*)plan + plan->start, 0, bytes - plan->start);
    memcpy((char*)plan + plan->start, start, ((size_t)cells + 1) * sizeof *start);
    find_runs(plan, start, last, (rutCrgRun*)(void*)((char*)plan + plan->run));
    *out = plan;
  } else {
    free(plan);
  }
  free(start);
  free(last);
  return status;
}
