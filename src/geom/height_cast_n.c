// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of rays: lanes in single precision find the cells in which rays may hit
// (height_packet.h), the arithmetic of single rays in double precision decides whether they do.
//
// A hit is never behind the cell that lanes propose, but it may be in a cell beside it that the ray
// cuts by less than their errors. The surface being continuous between cells, that is excluded
// where the ray is higher than the margin when it enters the proposed cell, or above the ground
// when it begins in it, and higher than the margin when it leaves it without a hit. Otherwise,
// which is rare, a walk from two cells before decides.
#include <string.h>

#include "geom/height_packet.h"
#include "math/lanes.h"

// FEW: single rays are faster below. LEFT: lanes for which the others of a packet do not wait.
enum { LANES = RUT_HEIGHT_LANES, FEW = 5, LEFT = 8, FRAME = RUT_HEIGHT_FRAME };

// Relative errors of lanes.
#define LANE_ERROR 0x1p-21

// The cells that lanes have found.
typedef struct Found {
  int x[LANES], y[LANES], inside[LANES];
  double z00[LANES], z10[LANES], z01[LANES], z11[LANES];
  // answers
  double range[LANES], normal[3][LANES];
  int hit[LANES], unsure[LANES];  // 1 or 0
} Found;

// Corners of the cells; any numbers where a lane has not found one of the field. A loop of its own,
// since not every machine can load in lanes from places apart.
RUT_CLONES static void fetch(const rutHeightField* restrict field,
                             const rutHeightLanes* restrict lanes, Found* restrict f) {
  const int nx = field->nx, ny = field->ny;
  const double *lower = field->height, *upper = field->height + nx;
  RUT_FOR_LANES(i, LANES) {
    const int found = lanes->found[i] & 1, level = lanes->level[i];
    const int x = rut_cells_before(lanes->x[i], level) - FRAME;
    const int y = rut_cells_before(lanes->y[i], level) - FRAME;
    const int inside = found & (x >= 0) & (y >= 0) & (x < nx - 1) & (y < ny - 1);
    const int at = inside ? y * nx + x : 0;
    f->x[i] = x;
    f->y[i] = y;
    f->inside[i] = inside;
    f->z00[i] = lower[at];
    f->z10[i] = lower[at + 1];
    f->z01[i] = upper[at];
    f->z11[i] = upper[at + 1];
  }
}

// Where a line of nodes is met on entering a cell, -INFINITY where the ray begins. *off: no way of
// the ray leads there.
RUT_INLINE double enter_at(rutRayAxis a, int begin, int cell, int* off) {
  const double t = rut_line_at(a, a.d < 0 ? cell + 1 : cell - 1);
  *off |= (cell != begin) & (a.d == 0);
  return cell != begin ? t : -RUT_INFINITY;
}

RUT_INLINE rutHeightPatch patch_of(const Found* f, int i) {
  const double z00 = f->z00[i], z10 = f->z10[i], z01 = f->z01[i], z11 = f->z11[i];
  return (rutHeightPatch){z00, z10 - z00, z01 - z00, z11 - z10 - z01 + z00};
}

// Decide what the found cells tell. Lanes that miss in their cell and do not end in it are set
// walking.
RUT_CLONES static void examine(double margin, rutHeightPacket* restrict p, Found* restrict f) {
  rutHeightLanes* lanes = &p->lanes;
  RUT_FOR_LANES(i, LANES) {
    const rutHeightWalk w = rut_height_packet_walk(p, i);
    const int found = lanes->found[i] & 1, lost = lanes->lost[i] & 1, inside = f->inside[i];
    const int x = f->x[i], y = f->y[i];
    int off = 0;
    const double enter_x = enter_at(rut_walk_axis(&w, 0), w.cell[0], x, &off);
    const double enter_y = enter_at(rut_walk_axis(&w, 1), w.cell[1], y, &off);
    const double leave_x = rut_line_at(rut_walk_axis(&w, 0), x);
    const double leave_y = rut_line_at(rut_walk_axis(&w, 1), y);
    const double entered = rut_max(enter_x, enter_y), left = rut_min(leave_x, leave_y);
    const double t0 = rut_max(entered, w.t0), t1 = rut_min(left, w.t1);
    const rutCellRay r = rut_cell_ray(&w, x, y);
    const rutHeightPatch patch = patch_of(f, i);
    const rutCellDepth depth = rut_cell_depth(patch, r);
    const double t = rut_cell_hit(depth, t0, t1);
    // there is no cell before the one in which the ray begins
    const int begins = (x == w.cell[0]) & (y == w.cell[1]);
    const double least = begins ? 0 : margin;
    const int clear = inside & (off == 0) & (t0 < t1) & (rut_cell_depth_at(depth, t0) < -least);
    const int hit = clear & (t <= t1);
    const int ends = left < w.t1 ? 0 : 1;
    const int leaves = clear & (ends | (rut_cell_depth_at(depth, t1) < -margin));
    const int onward = -(found & (hit ^ 1) & leaves & (ends ^ 1));
    f->x[i] = lost ? w.cell[0] : x;
    f->y[i] = lost ? w.cell[1] : y;
    f->hit[i] = hit;
    f->unsure[i] = lost | (found & (hit ^ 1) & (leaves ^ 1));
    f->range[i] = t;
    lanes->found[i] = lanes->lost[i] = 0;
    lanes->walking[i] |= onward;
    lanes->leave[i] |= onward;
  }
}

// Normals of hits. Their rays have come from above: they are on the surface, not on a wall.
RUT_CLONES static void find_normals(double spacing, const rutHeightPacket* restrict p,
                                    Found* restrict f) {
  RUT_FOR_LANES(i, LANES) {
    const rutHeightWalk w = rut_height_packet_walk(p, i);
    const rutCellRay r = rut_cell_ray(&w, f->x[i], f->y[i]);
    const double t = f->range[i];
    const double u = rut_clamp(r.u0 + t * r.ru, 0, 1), v = rut_clamp(r.v0 + t * r.rv, 0, 1);
    const rutVec3 normal = rut_patch_normal(patch_of(f, i), u, v, spacing);
    f->normal[0][i] = normal.x;
    f->normal[1][i] = normal.y;
    f->normal[2][i] = normal.z;
  }
}

// The rest of a ray from two cells before one.
static double decide(const rutHeightField* field, rutHeightWalk* w, int x, int y, double t_min,
                     double normal[3]) {
  const int axis = rut_abs(w->d[0]) > rut_abs(w->d[1]) ? 0 : 1;
  const int step = w->d[axis] < 0 ? -1 : 1, last = (axis == 0 ? x : y) - 3 * step;
  if ((last - w->cell[axis]) * step >= 0 && w->d[axis] != 0) {
    int low[2] = {0, 0}, high[2] = {field->nx - 2, field->ny - 2};
    low[axis] = high[axis] = last;
    if (!rut_walk_leave_square(w, low, high)) return RUT_INFINITY;
  }
  return rut_walk_cast(w, field, t_min, normal);
}

static rutVec3 vector_of(const double* const array[3], int i) {
  return rut_vec3(array[0][i], array[1][i], array[2][i]);
}

// A walk decides what a ray's lane has found.
static void put_decision(const rutHeightField* field, int ray, const int cell[2],
                         const rutHeightRays* rays) {
  const double t_min = rays->t_min[ray];
  double normal[3] = {0};
  rutHeightWalk w;
  rut_walk_begin(&w, field, vector_of(rays->origin, ray), vector_of(rays->direction, ray), t_min,
                 rays->t_max[ray]);
  rays->range[ray] = decide(field, &w, cell[0], cell[1], t_min, normal);
  for (int k = 0; rays->normal[0] && k < 3; k++) rays->normal[k][ray] = normal[k];
}

// Lanes of which a mask of 1 and 0 is set, in a list. Returns their number.
static int list_lanes(const int mask[LANES], int list[LANES]) {
  int n = 0;
  for (int i = 0; i < LANES; i++) {
    list[n] = i;
    n += mask[i];
  }
  return n;
}

static void put_hits(const Found* f, const int ray[LANES], const rutHeightRays* rays) {
  int lane[LANES];
  const int n = list_lanes(f->hit, lane);
  for (int k = 0; k < n; k++) rays->range[ray[lane[k]]] = f->range[lane[k]];
  for (int j = 0; rays->normal[0] && j < 3; j++) {
    for (int k = 0; k < n; k++) rays->normal[j][ray[lane[k]]] = f->normal[j][lane[k]];
  }
}

// What lanes have found: those that go on are set walking.
static void settle(const rutHeightField* field, double margin, const rutHeightRays* rays,
                   rutHeightPacket* p) {
  Found f;
  int lane[LANES];
  fetch(field, &p->lanes, &f);
  examine(margin, p, &f);
  if (rays->normal[0]) find_normals(field->spacing, p, &f);
  put_hits(&f, p->begin.ray, rays);
  const int unsure = list_lanes(f.unsure, lane);
  for (int k = 0; k < unsure; k++) {
    const int cell[2] = {f.x[lane[k]], f.y[lane[k]]};
    put_decision(field, p->begin.ray[lane[k]], cell, rays);
  }
}

// Clearance that is beyond the errors of lanes.
static double margin_of(const rutHeightField* f) {
  const double along = rut_max(f->nx, f->ny) * f->spacing * f->maxima->slope;
  return LANE_ERROR * (along + (f->z_max - f->z_min)) +
         RUT_WALK_MARGIN * (1 + rut_abs(f->z_max) + rut_abs(f->z_min));
}

static rutHeightMap map_of(const rutHeightField* field) {
  const rutHeightMaxima* m = field->maxima;
  const double margin = margin_of(field);
  rutHeightMap map = {.width = (unsigned)m->width,
                      .rows = (unsigned)m->rows,
                      .last = (unsigned)rut_height_maxima_size(field->nx, field->ny) - 1,
                      .base = m->base + margin,
                      .margin = margin,
                      .cells = {field->nx - 1, field->ny - 1},
                      .most = 8 * (field->nx + field->ny)};
  const float* top = m->top;
  for (int level = 0; level < RUT_MAXIMA_LEVELS; level++) {
    map.level[level] = top;
    top += (ptrdiff_t)(m->width >> level) * (m->rows >> level);
  }
  return map;
}

// A batch in work. Rays for which others of their packet did not wait go on together.
typedef struct Batch {
  const rutHeightField* field;
  const rutHeightRays* rays;
  rutHeightMap map;
  rutHeightPacket rest;
  int unused, lane[LANES];  // lanes of the rest that are not in use
} Batch;

static void find_unused(Batch* b) {
  int mask[LANES];
  for (int i = 0; i < LANES; i++) mask[i] = b->rest.lanes.walking[i] + 1;
  b->unused = list_lanes(mask, b->lane);
}

// Cast the rest until no more than `most` of its rays are left.
static void cast_rest(Batch* b, int most) {
  rutHeightPacket* p = &b->rest;
  while (LANES - b->unused > most) {
    rut_height_packet_walk_on(&b->map, most < LEFT ? most : LEFT, &p->lanes);
    settle(b->field, b->map.margin, b->rays, p);
    find_unused(b);
  }
}

static void move_to_rest(Batch* b, const rutHeightPacket* from, int i) {
  if (b->unused == 0) cast_rest(b, LANES / 2);
  rutHeightPacket* to = &b->rest;
  const int k = b->lane[--b->unused];
  for (int r = 0; r < RUT_EXACT_ROWS; r++) to->exact.row[r][k] = from->exact.row[r][i];
  for (int r = 0; r < RUT_BEGIN_ROWS; r++) to->begin.row[r][k] = from->begin.row[r][i];
  for (int r = 0; r < RUT_LANE_ROWS; r++) to->lanes.row[r][k] = from->lanes.row[r][i];
  to->lanes.walking[k] = -1;
}

static bool is_any(const int mask[LANES]) {
  int any = 0;
  for (int i = 0; i < LANES; i++) any |= mask[i];
  return any != 0;
}

static void cast_packet(Batch* b, int first, int n) {
  rutHeightPacket packet, *p = &packet;
  int level;
  if (n < LANES) memset(p, 0, sizeof *p);
  rut_height_packet_begin(b->field, b->rays, first, n, p);
  for (int i = 0; i < n; i++) b->rays->range[first + i] = RUT_INFINITY;
  const double start = rut_height_packet_start(&b->map, p, &level);
  const bool none = start == RUT_INFINITY || !is_any(p->lanes.walking);
  if (none && !is_any(p->lanes.lost)) return;
  rut_height_packet_place(&b->map, start, level, p);
  if (level == 0) rut_height_packet_walk_cells(&b->map, LEFT, &p->lanes);
  rut_height_packet_walk_on(&b->map, LEFT, &p->lanes);
  settle(b->field, b->map.margin, b->rays, p);
  for (int i = 0; i < LANES; i++) {
    if (p->lanes.walking[i]) move_to_rest(b, p, i);
  }
}

static void cast_one(const rutHeightField* field, const rutHeightRays* rays, int i) {
  const double o[3] = {rays->origin[0][i], rays->origin[1][i], rays->origin[2][i]};
  const double d[3] = {rays->direction[0][i], rays->direction[1][i], rays->direction[2][i]};
  double normal[3];
  const double t = rut_height_field_cast(field, o, d, rays->t_min[i], rays->t_max[i], normal);
  rays->range[i] = t;
  if (!rays->normal[0] || !(t < RUT_INFINITY)) return;
  for (int k = 0; k < 3; k++) rays->normal[k][i] = normal[k];
}

void rut_height_field_cast_n(const rutHeightField* field, const rutHeightRays* rays) {
  int first = 0;
  if (field->maxima && rays->n >= FEW) {
    Batch b = {.field = field, .rays = rays, .map = map_of(field)};
    find_unused(&b);
    for (; rays->n - first >= FEW; first += LANES) {
      cast_packet(&b, first, rays->n - first < LANES ? rays->n - first : LANES);
    }
    cast_rest(&b, 0);
  }
  for (; first < rays->n; first++) cast_one(field, rays, first);
}
