// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of rays: lanes in single precision find the cells in which rays may hit (a maximum
// pyramid: Tevs, Ihrke and Seidel, I3D 2008), the arithmetic of single rays in double precision
// decides whether they do.
//
// Lanes err, at most, by
//   along the ground  2^-22 of the cells that the ray has gone over: a line of nodes is met at
//                     (k - o) / d, with four roundings of at most 2^-24 each
//   in height         2^-22 of the range of heights.
// So they only skip what the ray flies over by more than `margin`, twice the change of height that
// belongs to these errors. A hit is then never behind the cell that they propose, but it may be in
// a cell beside it that the ray cuts by less than these errors. The surface being continuous
// between cells, that is excluded where the ray is higher than the margin when it enters the
// proposed cell, and when it leaves it without a hit. Otherwise, which is rare, a walk from two
// cells before decides.
#include "geom/height_walk.h"
#include "math/lanes.h"

// FEW: single rays are faster below
enum { LANES = 32, FEW = 5, TOP_LEVEL = RUT_MAXIMA_LEVELS - 1, FIRST_LEVEL = 5, FRAME = 1 };

// Bounds of inverse directions, so that lines that a ray never meets are far away.
#define LEAST_DIRECTION 1e-10
// Relative errors of lanes, see above.
#define LANE_ERROR 0x1p-21

typedef struct Map {
  const float* top;
  unsigned width, numbers;  // cells of the lowest level in a row, and in all
  unsigned last;            // index of the last number
  int most;                 // steps after which something is wrong
} Map;

// Rays in lanes: where they are at distance t from their beginning, in cells and metres.
typedef struct Lanes {
  float z[LANES], rate[LANES];               // height = z + t rate
  float inverse_x[LANES], inverse_y[LANES];  // distances per cell
  float before_x[LANES], before_y[LANES];    // distances to cell 0, negative
  int forward_x[LANES], forward_y[LANES];    // 1 or 0
  int cell_x[LANES], cell_y[LANES];          // where they begin
  float t[LANES], end[LANES];
  int level[LANES], x[LANES], y[LANES];            // present block
  int walking[LANES], found[LANES], leave[LANES];  // masks: 0 or -1
  int lost[LANES];                                 // the same: to be decided by a walk
} Lanes;

// Cells before a block of a level, which may be one beside the map.
RUT_INLINE int cells_before(int block, int level) { return (int)((unsigned)block << level); }

// All lanes that walk go on to the next cell in which they may hit, or to their ends.
RUT_CLONES static void walk_lanes(const Map* restrict map, Lanes* restrict w) {
  const float* restrict top = map->top;
  const unsigned width = map->width, numbers = map->numbers, last = map->last;
  for (int k = 0; k < map->most; k++) {
    int any = 0;
    _Pragma("omp simd reduction(| : any)") for (int i = 0; i < LANES; i++) {
      const int level = w->level[i], x = w->x[i], y = w->y[i], walking = w->walking[i];
      const float t = w->t[i], end = w->end[i], rate = w->rate[i];
      const int line_x = cells_before(x + w->forward_x[i], level) - w->cell_x[i];
      const int line_y = cells_before(y + w->forward_y[i], level) - w->cell_y[i];
      const float tx = (float)line_x * w->inverse_x[i] + w->before_x[i];
      const float ty = (float)line_y * w->inverse_y[i] + w->before_y[i];
      const float next = tx < ty ? tx : ty, to = next < end ? next : end;
      const float low = w->z[i] + (rate < 0 ? to : t) * rate;
      // numbers (1 + 1/4 + ... ) of the levels below: a third of 4 (1 - 4^-level) numbers
      const unsigned below = ((numbers - (numbers >> 2 * level)) * 0xaaaaaaabu) << 2;
      int at = (int)(below + (unsigned)y * (width >> level) + (unsigned)x);
      at = (unsigned)at < last ? at : (int)last;
      const int clear = (low > top[at] ? -1 : 0) | w->leave[i];
      const int go = clear & (next < end ? -1 : 0) & walking;
      const int across_x = tx < ty ? -1 : 0;
      const int beside_x = x + ((2 * w->forward_x[i] - 1) & across_x);
      const int beside_y = y + ((2 * w->forward_y[i] - 1) & ~across_x);
      const int up =
          ((((beside_x ^ x) | (beside_y ^ y)) >> 1) != 0 ? 1 : 0) & (level < TOP_LEVEL ? 1 : 0);
      // the quarter of the block in which the ray is
      const int down = ~clear & walking & (level > 0 ? -1 : 0);
      const int half = level > 0 ? level - 1 : 0;
      const float middle_x =
          (float)(cells_before(2 * x + 1, half) - w->cell_x[i]) * w->inverse_x[i] + w->before_x[i];
      const float middle_y =
          (float)(cells_before(2 * y + 1, half) - w->cell_y[i]) * w->inverse_y[i] + w->before_y[i];
      const int quarter_x = 2 * x + ((t >= middle_x ? 1 : 0) ^ 1 ^ w->forward_x[i]);
      const int quarter_y = 2 * y + ((t >= middle_y ? 1 : 0) ^ 1 ^ w->forward_y[i]);
      const int still_x = down ? quarter_x : x, still_y = down ? quarter_y : y;
      w->x[i] = go ? beside_x >> up : still_x;
      w->y[i] = go ? beside_y >> up : still_y;
      w->level[i] = level + (up & go) + down;
      w->t[i] = go ? to : t;
      w->leave[i] = w->leave[i] & ~walking;
      w->found[i] = w->found[i] | (~clear & walking & ~down);
      w->walking[i] = go | down;
      any |= go | down;
    }
    if (!any) return;
  }
  // never: but should it be, what is left is lost
  for (int i = 0; i < LANES; i++) {
    w->lost[i] |= w->walking[i];
    w->walking[i] = 0;
  }
}

// Rays of a packet in double precision.
typedef struct Packet {
  double o[3][LANES], d[3][LANES], inverse[3][LANES], t0[LANES], t1[LANES], t_min[LANES];
  int cell_x[LANES], cell_y[LANES], side[LANES];
} Packet;

RUT_INLINE void put_walk(Packet* p, int i, const rutHeightWalk* w) {
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    p->o[k][i] = w->o[k];
    p->d[k][i] = w->d[k];
    p->inverse[k][i] = w->inverse[k];
  }
  p->t0[i] = w->t0;
  p->t1[i] = w->t1;
  p->cell_x[i] = w->cell[0];
  p->cell_y[i] = w->cell[1];
  p->side[i] = w->side;
}

RUT_INLINE rutHeightWalk walk_of(const Packet* p, int i) {
  return (rutHeightWalk){.o = {p->o[0][i], p->o[1][i], p->o[2][i]},
                         .d = {p->d[0][i], p->d[1][i], p->d[2][i]},
                         .inverse = {p->inverse[0][i], p->inverse[1][i], p->inverse[2][i]},
                         .t0 = p->t0[i],
                         .t1 = p->t1[i],
                         .cell = {p->cell_x[i], p->cell_y[i]},
                         .side = p->side[i]};
}

// Inverse of a direction in cells, and the distance to the line of nodes before the beginning.
typedef struct Aim {
  float inverse, before;
  int forward;
} Aim;

RUT_INLINE Aim aim_of(rutRayAxis a, double t0, int cell) {
  const double per = rut_abs(a.d) > LEAST_DIRECTION ? a.inverse : 1 / LEAST_DIRECTION;
  const double at = rut_clamp(a.o + t0 * a.d - cell, 0, 1);
  return (Aim){(float)per, (float)(-at * per), per > 0 ? 1 : 0};
}

// All rays of a packet begin, in both precisions. Lanes without a ray do not walk.
RUT_CLONES static void begin_packet(const rutHeightField* field, const rutHeightRays* rays,
                                    int first, double raised, Packet* restrict p,
                                    Lanes* restrict w) {
  const double* restrict ox = rays->origin[0] + first;
  const double* restrict oy = rays->origin[1] + first;
  const double* restrict oz = rays->origin[2] + first;
  const double* restrict dx = rays->direction[0] + first;
  const double* restrict dy = rays->direction[1] + first;
  const double* restrict dz = rays->direction[2] + first;
  const double* restrict t_min = rays->t_min + first;
  const double* restrict t_max = rays->t_max + first;
  const rutHeightField f = *field;
  RUT_FOR_LANES(i, LANES) {
    rutHeightWalk walk;
    const int begins = rut_walk_begin(&walk, &f, rut_vec3(ox[i], oy[i], oz[i]),
                                      rut_vec3(dx[i], dy[i], dz[i]), t_min[i], t_max[i]);
    put_walk(p, i, &walk);
    p->t_min[i] = t_min[i];
    const Aim x = aim_of(rut_walk_axis(&walk, 0), walk.t0, walk.cell[0]);
    const Aim y = aim_of(rut_walk_axis(&walk, 1), walk.t0, walk.cell[1]);
    w->inverse_x[i] = x.inverse;
    w->inverse_y[i] = y.inverse;
    w->before_x[i] = x.before;
    w->before_y[i] = y.before;
    w->forward_x[i] = x.forward;
    w->forward_y[i] = y.forward;
    w->cell_x[i] = walk.cell[0] + FRAME;
    w->cell_y[i] = walk.cell[1] + FRAME;
    w->x[i] = (walk.cell[0] + FRAME) >> FIRST_LEVEL;
    w->y[i] = (walk.cell[1] + FRAME) >> FIRST_LEVEL;
    w->level[i] = FIRST_LEVEL;
    w->z[i] = (float)(walk.o[2] + walk.t0 * walk.d[2] - raised);
    w->rate[i] = (float)walk.d[2];
    w->t[i] = 0;
    w->end[i] = (float)((walk.t1 - walk.t0) * (1 + LANE_ERROR));
    // the errors above are those of unit vectors
    const double square = dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i];
    const int unit = (square > 0.9) & (square < 1.1);
    w->walking[i] = -(begins & unit);
    w->lost[i] = -(begins & (unit ^ 1));
    w->found[i] = 0;
    w->leave[i] = 0;
  }
}

// Corners of the cells that lanes have found.
typedef struct Found {
  double z00[LANES], z10[LANES], z01[LANES], z11[LANES];
  int x[LANES], y[LANES];
  // answers
  double range[LANES], normal[3][LANES];
  int hit[LANES], missed[LANES], unsure[LANES];  // 1 or 0
} Found;

static void fetch(const rutHeightField* field, const Lanes* w, Found* f) {
  for (int i = 0; i < LANES; i++) {
    const int x = cells_before(w->x[i], w->level[i]) - FRAME;
    const int y = cells_before(w->y[i], w->level[i]) - FRAME;
    const bool inside = w->found[i] && x >= 0 && y >= 0 && x < field->nx - 1 && y < field->ny - 1;
    f->x[i] = x;
    f->y[i] = y;
    f->z00[i] = f->z10[i] = f->z01[i] = f->z11[i] = RUT_NAN;
    if (!inside) continue;
    const double* corner = field->height + (ptrdiff_t)y * field->nx + x;
    f->z00[i] = corner[0];
    f->z10[i] = corner[1];
    f->z01[i] = corner[field->nx];
    f->z11[i] = corner[field->nx + 1];
  }
}

// Where a line of nodes is met on entering a cell, -INFINITY where the ray begins. *off: no way of
// the ray leads there.
RUT_INLINE double enter_at(rutRayAxis a, int begin, int cell, int* off) {
  const double t = rut_line_at(a, a.d < 0 ? cell + 1 : cell - 1);
  *off |= (cell != begin) & (a.d == 0);
  return cell != begin ? t : -RUT_INFINITY;
}

// What the found cells tell.
RUT_CLONES static void examine(const Packet* restrict p, double spacing, double margin,
                               Found* restrict f) {
  RUT_FOR_LANES(i, LANES) {
    const rutHeightWalk w = walk_of(p, i);
    const int x = f->x[i], y = f->y[i];
    int off = 0;
    const double enter_x = enter_at(rut_walk_axis(&w, 0), w.cell[0], x, &off);
    const double enter_y = enter_at(rut_walk_axis(&w, 1), w.cell[1], y, &off);
    const double leave_x = rut_line_at(rut_walk_axis(&w, 0), x);
    const double leave_y = rut_line_at(rut_walk_axis(&w, 1), y);
    const double entered = rut_max(enter_x, enter_y), left = rut_min(leave_x, leave_y);
    const double t0 = rut_max(entered, w.t0), t1 = rut_min(left, w.t1);
    const double z00 = f->z00[i], z10 = f->z10[i], z01 = f->z01[i], z11 = f->z11[i];
    const rutHeightPatch patch = {z00, z10 - z00, z01 - z00, z11 - z10 - z01 + z00};
    const rutCellRay r = rut_cell_ray(&w, x, y);
    const rutCellDepth depth = rut_cell_depth(patch, r);
    const double t = rut_cell_hit(depth, t0, t1);
    // the ray has come from above: the hit is on the surface, not on a wall
    const double u = rut_clamp(r.u0 + t * r.ru, 0, 1), v = rut_clamp(r.v0 + t * r.rv, 0, 1);
    const rutVec3 normal = rut_patch_normal(patch, u, v, spacing);
    const int clear = (off == 0) & (t0 < t1) & (rut_cell_depth_at(depth, t0) < -margin);
    const int hit = clear & (t <= t1);
    const int ends = left < w.t1 ? 0 : 1;
    const int leaves = clear & (ends | (rut_cell_depth_at(depth, t1) < -margin));
    f->hit[i] = hit;
    f->missed[i] = (hit ^ 1) & ends & leaves;
    f->unsure[i] = (hit ^ 1) & (leaves ^ 1);
    f->range[i] = t;
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

// What lanes have found: those that go on are set walking. False if none is.
static bool settle(const rutHeightField* field, const Packet* p, double margin, Lanes* lanes,
                   const rutHeightRays* rays, int first) {
  Found f;
  bool any = false;
  fetch(field, lanes, &f);
  examine(p, field->spacing, margin, &f);
  for (int i = 0; i < LANES; i++) {
    const bool lost = lanes->lost[i];
    if (!lanes->found[i] && !lost) continue;
    const int k = first + i;
    lanes->found[i] = lanes->lost[i] = 0;
    if (f.hit[i] && !lost) {
      rays->range[k] = f.range[i];
      for (int q = 0; rays->normal[0] && q < 3; q++) rays->normal[q][k] = f.normal[q][i];
    } else if (f.unsure[i] || lost) {
      double normal[3] = {0};
      rutHeightWalk w = walk_of(p, i);
      rays->range[k] = decide(field, &w, lost ? w.cell[0] : f.x[i], lost ? w.cell[1] : f.y[i],
                              p->t_min[i], normal);
      for (int q = 0; rays->normal[0] && q < 3; q++) rays->normal[q][k] = normal[q];
    } else if (!f.missed[i]) {
      lanes->walking[i] = lanes->leave[i] = -1;
      any = true;
    }
  }
  return any;
}

static Map map_of(const rutHeightField* field) {
  const rutHeightMaxima* m = field->maxima;
  return (Map){.top = m->top,
               .width = (unsigned)m->width,
               .numbers = (unsigned)m->width * (unsigned)m->rows,
               .last = (unsigned)rut_height_maxima_size(field->nx, field->ny) - 1,
               .most = 8 * (field->nx + field->ny)};
}

// Clearance that is beyond the errors of lanes.
static double margin_of(const rutHeightField* f) {
  const double along = rut_max(f->nx, f->ny) * f->spacing * f->maxima->slope;
  return LANE_ERROR * (along + (f->z_max - f->z_min)) +
         RUT_WALK_MARGIN * (1 + rut_abs(f->z_max) + rut_abs(f->z_min));
}

static void cast_packet(const rutHeightField* field, const Map* map, double margin,
                        const rutHeightRays* rays, int first) {
  Lanes lanes;
  Packet packet;
  int any = 0;
  begin_packet(field, rays, first, field->maxima->base + margin, &packet, &lanes);
  for (int i = 0; i < LANES; i++) {
    rays->range[first + i] = RUT_INFINITY;
    any |= lanes.walking[i] | lanes.lost[i];
  }
  while (any) {
    walk_lanes(map, &lanes);
    any = settle(field, &packet, margin, &lanes, rays, first);
  }
}

// Fewer rays than lanes: the rest have nowhere to go.
static void cast_few(const rutHeightField* field, const Map* map, double margin,
                     const rutHeightRays* rays, int first) {
  double in[8][LANES] = {{0}}, out[4][LANES];
  const rutHeightRays some = {.n = LANES,
                              .origin = {in[0], in[1], in[2]},
                              .direction = {in[3], in[4], in[5]},
                              .t_min = in[6],
                              .t_max = in[7],
                              .range = out[0],
                              .normal = {rays->normal[0] ? out[1] : NULL, out[2], out[3]}};
  const int n = rays->n - first;
  for (int i = 0; i < LANES; i++) in[7][i] = -1;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) in[k][i] = rays->origin[k][first + i];
    for (int k = 0; k < 3; k++) in[3 + k][i] = rays->direction[k][first + i];
    in[6][i] = rays->t_min[first + i];
    in[7][i] = rays->t_max[first + i];
  }
  cast_packet(field, map, margin, &some, 0);
  for (int i = 0; i < n; i++) {
    rays->range[first + i] = out[0][i];
    if (!rays->normal[0] || !(out[0][i] < RUT_INFINITY)) continue;
    for (int k = 0; k < 3; k++) rays->normal[k][first + i] = out[1 + k][i];
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
    const Map map = map_of(field);
    const double margin = margin_of(field);
    for (; first + LANES <= rays->n; first += LANES) cast_packet(field, &map, margin, rays, first);
    if (rays->n - first >= FEW) {
      cast_few(field, &map, margin, rays, first);
      first = rays->n;
    }
  }
  for (; first < rays->n; first++) cast_one(field, rays, first);
}
