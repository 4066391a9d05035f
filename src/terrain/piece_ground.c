// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/piece_ground.h"

#include "math/lanes.h"
#include "terrain/ground_edges.h"

// Normals this near to level belong to upright faces.
#define UPRIGHT 1e-9
// Level part of an edge that has a direction, over its height.
#define STEEP_EDGE 1e-6

enum { TILE = 8, BLOCK = TILE * TILE, LEVELS = 3 };
// Planes, ramps and bumps carry what is no farther below them than this [m], nor half its height.
#define REACH 0.35
// How far beside an edge the ground is looked for on its two sides, and how much it must fall there
// to be a face [m].
#define BESIDE 1e-6
#define FALL   1e-4
// A corner of a piece stands for the area of so many columns, and is no deeper than so many
// spacings: what is deeper has come through a face, of which columns tell.
#define CORNER_AREA  4
#define CORNER_DEPTH 8
// What is no deeper than this many spacings is hardly inside.
#define HARDLY 0.5
// Ground this far below a piece is not in it, however heights and depths are rounded [m].
#define BELOW 1e-6
// Lattices of more columns than this under one piece are not searched (a body far out of scale).
#define MOST_COLUMNS 4e6

rutColumns rut_ground_columns(const rutGround* ground, const double* lift, double spacing) {
  rutColumns c = {ground, lift, spacing, {0.5 * spacing, 0.5 * spacing}};
  for (int i = 0; i < ground->sources; i++) {
    const rutGroundSource* s = &ground->source[i];
    if (s->kind != RUT_GROUND_FIELD) continue;
    c.spacing = s->field->spacing / -rut_floor(-s->field->spacing / spacing);
    c.origin[0] = s->field->origin[0];
    c.origin[1] = s->field->origin[1];
    break;
  }
  return c;
}

// ---------------------------------------------------------------------------------------------
// Pieces

static void box_of_corners(const rutPolyhedron* p, double box[6]) {
  for (int k = 0; k < 3; k++) {
    box[2 * k] = RUT_INFINITY;
    box[2 * k + 1] = -RUT_INFINITY;
  }
  for (int i = 0; i < p->corners; i++) {
    const double at[3] = {p->corner[i].x, p->corner[i].y, p->corner[i].z};
    for (int k = 0; k < 3; k++) {
      box[2 * k] = rut_min(at[k], box[2 * k]);
      box[2 * k + 1] = rut_max(at[k], box[2 * k + 1]);
    }
  }
}

// Upright plane through an edge of the outline as seen from above.
static void add_side(rutEdge edge, rutPlacedPiece* out) {
  const rutVec3 a = out->at.corner[edge.from], b = out->at.corner[edge.to];
  const double dx = b.x - a.x, dy = b.y - a.y, level = rut_hypot(dx, dy);
  // one that is upright is a point of the outline
  if (!(level > STEEP_EDGE * rut_abs(b.z - a.z))) return;
  rutVec3 n = rut_vec3(dy / level, -dx / level, 0);
  if (rut_vec3_dot(n, rut_vec3_sub(out->at.centre, a)) > 0) n = rut_vec3_scale(n, -1);
  out->side[out->sides++] = (rutHalfSpace){n, rut_vec3_dot(n, a)};
}

void rut_piece_place(const rutPolyhedron* piece, const rutMat3* axes, rutVec3 at,
                     rutPlacedPiece* out) {
  const rutPolyhedron* p = &out->at;
  rut_polyhedron_place(piece, axes, at, &out->at);
  box_of_corners(p, out->box);
  out->lower = out->sides = 0;
  out->motion = (rutPieceMotion){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int f = 0; f < p->faces; f++) {
    if (p->normal[f].z < -UPRIGHT)
      out->low[out->lower++] = (rutHalfSpace){p->normal[f], p->offset[f]};
  }
  // edges between what looks down and what does not
  for (int e = 0; e < p->edges; e++) {
    const double a = p->normal[p->edge[e].left].z, b = p->normal[p->edge[e].right].z;
    if ((a < -UPRIGHT) != (b < -UPRIGHT)) add_side(p->edge[e], out);
  }
}

// ---------------------------------------------------------------------------------------------
// Heights

static bool apart(const double a[4], const double b[4]) {
  return a[0] > b[1] || b[0] > a[1] || a[2] > b[3] || b[2] > a[3];
}

// Bounds of all ground in a box.
static rutTerrainBounds bounds_in(const rutColumns* c, const double box[4]) {
  const rutGround* g = c->ground;
  rutTerrainBounds b = {0, -RUT_INFINITY, 0, false}, all = {RUT_INFINITY, -RUT_INFINITY, 0, false};
  for (int i = g->level || g->sources == 0 ? -1 : 0; i < g->sources; i++) {
    if (i >= 0 && apart(g->source[i].box, box)) continue;
    rut_ground_bounds(g, i, i >= 0 && c->lift ? c->lift[i] : 0, box, &b);
    all.low = rut_min(b.low, all.low);
    all.high = rut_max(b.high, all.high);
    all.steepest = rut_max(b.steepest, all.steepest);
  }
  return all;
}

// Largest height of nodes [first, last] of a row above a plane, z + slope times the number.
RUT_CLONES static double row_above(const double* height, int first, int last, double z,
                                   double slope) {
  double most = -RUT_INFINITY;
#pragma omp simd reduction(max : most)
  for (int i = first; i <= last; i++) {
    const double above = height[i] - (z + slope * i);
    most = above > most ? above : most;
  }
  return most;
}

// Numbers of the nodes around a range. False: it is off the field.
static bool nodes_around(const double range[2], double origin, double spacing, int nodes,
                         int number[2]) {
  const double first = rut_floor((range[0] - origin) / spacing);
  const double last = rut_floor((range[1] - origin) / spacing) + 1;
  if (!(last >= 0 && first <= nodes - 1)) return false;
  number[0] = (int)rut_max(first, 0);
  number[1] = (int)rut_min(last, nodes - 1);
  return true;
}

// Some nodes of a field, first and last along x and y.
typedef struct Nodes {
  int x[2], y[2];
} Nodes;

static bool nodes_are_above(const rutHeightField* f, double rise, const Nodes* at,
                            const rutGroundLid* lid) {
  const double slope = lid->slope_x * f->spacing;
  for (int j = at->y[0]; j <= at->y[1]; j++) {
    const double at_y = f->origin[1] + j * f->spacing;
    const double z = lid->z + lid->slope_x * f->origin[0] + lid->slope_y * at_y - rise;
    const double* row = f->height + (ptrdiff_t)j * f->nx;
    if (row_above(row, at->x[0], at->x[1], z, slope) > 0) return true;
  }
  return false;
}

// Lowest height of the plane over nodes.
static double lowest_over(const rutHeightField* f, const Nodes* at, const rutGroundLid* lid) {
  const double x = f->origin[0] + f->spacing * at->x[lid->slope_x < 0];
  const double y = f->origin[1] + f->spacing * at->y[lid->slope_y < 0];
  return lid->z + lid->slope_x * x + lid->slope_y * y;
}

// The first and last block of nodes along an axis, and the part of a range in one of them.
static void blocks_of(const int range[2], int nodes, int block[2]) {
  const int first = range[0] < nodes - 2 ? range[0] : nodes - 2;
  const int last = range[1] - 1 > first ? range[1] - 1 : first;
  block[0] = first >> RUT_PYRAMID_SHIFT;
  block[1] = last >> RUT_PYRAMID_SHIFT;
}
static void cut(int block, int range[2]) {
  const int first = block << RUT_PYRAMID_SHIFT, last = first + (1 << RUT_PYRAMID_SHIFT);
  range[0] = range[0] > first ? range[0] : first;
  range[1] = range[1] < last ? range[1] : last;
}

// Between nodes a field is bilinear, and above a plane nowhere higher than at nodes. Most blocks of
// them are below it as a whole.
static bool field_is_above(const rutHeightField* f, double rise, const rutGroundLid* lid) {
  Nodes all;
  int x[2], y[2];
  if (!nodes_around(lid->box, f->origin[0], f->spacing, f->nx, all.x) ||
      !nodes_around(lid->box + 2, f->origin[1], f->spacing, f->ny, all.y)) {
    return false;
  }
  if (!f->pyramid) return nodes_are_above(f, rise, &all, lid);
  blocks_of(all.x, f->nx, x);
  blocks_of(all.y, f->ny, y);
  for (int j = y[0]; j <= y[1]; j++) {
    for (int i = x[0]; i <= x[1]; i++) {
      Nodes part = all;
      cut(i, part.x);
      cut(j, part.y);
      const double top = f->pyramid->level[0].top[(ptrdiff_t)j * f->pyramid->level[0].nx + i];
      if (!(top + rise > lowest_over(f, &part, lid))) continue;
      if (nodes_are_above(f, rise, &part, lid)) return true;
    }
  }
  return false;
}

// No place is farther than `reach` from one of a few; between them ground rises over a plane by no
// more than both are steep.
static bool surface_is_above(const rutGround* g, int source, double lift, double steepest,
                             const rutGroundLid* lid) {
  enum { SIDE = 4, POINTS = SIDE * SIDE };
  const double dx = (lid->box[1] - lid->box[0]) / SIDE, dy = (lid->box[3] - lid->box[2]) / SIDE;
  const double reach = 0.5 * rut_hypot(dx, dy) * (1 + 1e-9);
  const double rises = (steepest + rut_hypot(lid->slope_x, lid->slope_y)) * reach;
  if (!(rises < RUT_INFINITY)) return true;
  double x[POINTS], y[POINTS], z[POINTS], slope_x[POINTS], slope_y[POINTS];
  for (int i = 0; i < POINTS; i++) {
    x[i] = lid->box[0] + (i % SIDE + 0.5) * dx;
    y[i] = lid->box[2] + (i / SIDE + 0.5) * dy;
  }
  rut_ground_source_surface(g, source, lift, &(rutGroundPoints){POINTS, x, y},
                            &(rutGroundSurface){z, slope_x, slope_y});
  bool below = true;
  for (int i = 0; i < POINTS; i++) {
    const double top = lid->z + lid->slope_x * x[i] + lid->slope_y * y[i];
    below = below && z[i] + rises < top;
  }
  return !below;
}

// Of two planes one is farthest above the other at a corner.
static bool plane_is_above(const rutGround* g, int source, double lift, const rutGroundLid* lid) {
  enum { CORNERS = 4 };
  static const double ROUNDING = 1e-9;
  double x[CORNERS], y[CORNERS], z[CORNERS], slope_x[CORNERS], slope_y[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    x[i] = lid->box[i & 1];
    y[i] = lid->box[2 + (i >> 1)];
  }
  rut_ground_source_surface(g, source, lift, &(rutGroundPoints){CORNERS, x, y},
                            &(rutGroundSurface){z, slope_x, slope_y});
  bool below = true;
  for (int i = 0; i < CORNERS; i++) {
    const double top = lid->z + lid->slope_x * x[i] + lid->slope_y * y[i];
    below = below && z[i] + ROUNDING * (1 + rut_abs(z[i])) < top;
  }
  return !below;
}

bool rut_ground_is_above(const rutColumns* c, const rutGroundLid* lid) {
  const rutGround* g = c->ground;
  const double *box = lid->box, sx = lid->slope_x, sy = lid->slope_y;
  const double low = lid->z + rut_min(sx * box[0], sx * box[1]) + rut_min(sy * box[2], sy * box[3]);
  for (int i = g->level || g->sources == 0 ? -1 : 0; i < g->sources; i++) {
    const rutGroundSource* s = i >= 0 ? &g->source[i] : NULL;
    const double lift = s && c->lift ? c->lift[i] : 0;
    rutTerrainBounds b;
    if (s && apart(s->box, box)) continue;
    const bool shaped = rut_ground_bounds(g, i, lift, box, &b);
    if (!(b.high > low)) continue;
    const bool above = s && s->field && !shaped ? field_is_above(s->field, s->z + lift, lid)
                       : b.plane                ? plane_is_above(g, i, lift, lid)
                                                : surface_is_above(g, i, lift, b.steepest, lid);
    if (above) return true;
  }
  return false;
}

// Places, and the tops of columns there; NaN where none is.
typedef struct Places {
  int n;
  double x[BLOCK], y[BLOCK];
  double bottom[BLOCK];  // of the piece's lower side, produced beyond it [m]
  int floor[BLOCK];      // which face that is
  double top[BLOCK], slope_x[BLOCK], slope_y[BLOCK];
} Places;

// Lower side of the piece over places.
RUT_CLONES static void find_bottoms(const rutPlacedPiece* piece, Places* p) {
  for (int i = 0; i < p->n; i++) {
    p->bottom[i] = piece->box[4];
    p->floor[i] = 0;
  }
  for (int f = 0; f < piece->lower; f++) {
    const rutHalfSpace h = piece->low[f];
    const double inverse = 1 / h.n.z;
    RUT_FOR_LANES(i, p->n) {
      const double z = (h.offset - h.n.x * p->x[i] - h.n.y * p->y[i]) * inverse;
      p->floor[i] = z > p->bottom[i] ? f : p->floor[i];
      p->bottom[i] = rut_max(z, p->bottom[i]);
    }
  }
}

// Of one source, -1 being the level ground: take what is higher and may carry the piece.
static void take_source(const rutColumns* c, int source, const rutPlacedPiece* piece, Places* p) {
  const rutGroundSource* s = source < 0 ? NULL : &c->ground->source[source];
  const double lift = s && c->lift ? c->lift[source] : 0;
  const double half = rut_min(REACH, 0.5 * (piece->box[5] - piece->box[4]));
  double z[BLOCK], slope_x[BLOCK], slope_y[BLOCK];
  rut_ground_source_surface(c->ground, source, lift, &(rutGroundPoints){p->n, p->x, p->y},
                            &(rutGroundSurface){z, slope_x, slope_y});
  for (int i = 0; i < p->n; i++) {
    const double roof = piece->box[5] + RUT_GROUND_THICKNESS, floor = p->bottom[i] + half;
    const bool open = s && s->kind != RUT_GROUND_LEVEL && s->kind != RUT_GROUND_FIELD;
    const double foot = s && s->kind == RUT_GROUND_PLANE ? s->z + lift : z[i];
    const bool beneath = open ? foot > floor : s && s->kind == RUT_GROUND_FIELD && z[i] > roof;
    if (!(z[i] == z[i]) || beneath || p->top[i] >= z[i]) continue;
    p->top[i] = z[i];
    p->slope_x[i] = slope_x[i];
    p->slope_y[i] = slope_y[i];
  }
}

static void find_tops(const rutColumns* c, const rutPlacedPiece* piece, Places* p) {
  const rutGround* g = c->ground;
  double box[4] = {RUT_INFINITY, -RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY};
  for (int i = 0; i < p->n; i++) {
    p->top[i] = RUT_NAN;
    p->slope_x[i] = p->slope_y[i] = 0;
    box[0] = rut_min(p->x[i], box[0]);
    box[1] = rut_max(p->x[i], box[1]);
    box[2] = rut_min(p->y[i], box[2]);
    box[3] = rut_max(p->y[i], box[3]);
  }
  find_bottoms(piece, p);
  if (g->level || g->sources == 0) take_source(c, -1, piece, p);
  for (int i = 0; i < g->sources; i++) {
    if (!apart(g->source[i].box, box)) take_source(c, i, piece, p);
  }
}

// ---------------------------------------------------------------------------------------------
// Overlaps

// What is handed to the visitor when there is enough of it.
typedef struct Found {
  rutOverlapVisit* visit;
  void* to;
  int n;
  rutOverlap overlap[RUT_OVERLAPS];
} Found;

static void hand_over(Found* f) {
  if (f->n) f->visit(f->to, f->n, f->overlap);
  f->n = 0;
}

static void add_overlap(Found* f, rutVec3 at, rutVec3 normal, double depth, double area) {
  if (!(depth > 0) || !(area > 0)) return;
  f->overlap[f->n++] = (rutOverlap){.at = at, .normal = normal, .depth = depth, .area = area};
  if (f->n == RUT_OVERLAPS) hand_over(f);
}

// Heights between which the piece is over a place inside its outline.
static void extent_at(const rutPlacedPiece* piece, double x, double y, double range[2]) {
  range[0] = piece->box[4];
  range[1] = piece->box[5];
  for (int f = 0; f < piece->at.faces; f++) {
    const rutHalfSpace h = {piece->at.normal[f], piece->at.offset[f]};
    if (rut_abs(h.n.z) < UPRIGHT) continue;
    const double z = (h.offset - h.n.x * x - h.n.y * y) / h.n.z;
    if (h.n.z < 0)
      range[0] = rut_max(z, range[0]);
    else
      range[1] = rut_min(z, range[1]);
  }
}

// A plane of a piece as it was before the last step.
RUT_INLINE rutHalfSpace before(const rutPieceMotion* m, rutHalfSpace h) {
  const rutVec3 turned = rut_vec3_cross(h.n, m->turn);
  return (rutHalfSpace){rut_vec3_add(h.n, turned),
                        h.offset - rut_vec3_dot(h.n, m->shift) + rut_vec3_dot(turned, m->about)};
}

RUT_INLINE double depth_in(rutHalfSpace h, double x, double y, double z) {
  return h.offset - h.n.x * x - h.n.y * y - h.n.z * z;
}

// Columns in planes of the piece: least depth, and of the plane through which they came the depth
// before the step, `hardly` if it was less, and now, and which it is, those of the outline
// counting after those below.
typedef struct Depths {
  double least[BLOCK], earlier[BLOCK], depth[BLOCK];
  int plane[BLOCK];
} Depths;

RUT_CLONES static void find_depths(const rutPlacedPiece* piece, double hardly, const Places* p,
                                   Depths* d) {
  for (int i = 0; i < p->n; i++) {
    d->least[i] = d->earlier[i] = d->depth[i] = RUT_INFINITY;
    d->plane[i] = 0;
  }
  for (int f = 0; f < piece->lower + piece->sides; f++) {
    const rutHalfSpace h = f < piece->lower ? piece->low[f] : piece->side[f - piece->lower];
    const rutHalfSpace b = before(&piece->motion, h);
    RUT_FOR_LANES(i, p->n) {
      const double depth = depth_in(h, p->x[i], p->y[i], p->top[i]);
      const double was = depth_in(b, p->x[i], p->y[i], p->top[i]), earlier = rut_max(was, hardly);
      const int sooner = earlier < d->earlier[i], same = earlier == d->earlier[i];
      const int better = sooner | (same & (depth < d->depth[i]));
      d->plane[i] = better ? f : d->plane[i];
      d->depth[i] = better ? depth : d->depth[i];
      d->earlier[i] = better ? earlier : d->earlier[i];
      d->least[i] = rut_min(depth, d->least[i]);
    }
  }
}

// Columns that are in the planes of the piece, and the heights between which it is over them.
typedef struct Inside {
  int n;
  int which[BLOCK];  // of the places
  double x[BLOCK], y[BLOCK], low[BLOCK], high[BLOCK];
} Inside;

// As extent_at().
RUT_CLONES static void find_extents(const rutPlacedPiece* piece, Inside* in) {
  for (int i = 0; i < in->n; i++) {
    in->low[i] = piece->box[4];
    in->high[i] = piece->box[5];
  }
  for (int f = 0; f < piece->at.faces; f++) {
    const rutHalfSpace h = {piece->at.normal[f], piece->at.offset[f]};
    if (rut_abs(h.n.z) < UPRIGHT) continue;
    const bool under = h.n.z < 0;
    RUT_FOR_LANES(i, in->n) {
      const double z = (h.offset - h.n.x * in->x[i] - h.n.y * in->y[i]) / h.n.z;
      in->low[i] = under ? rut_max(z, in->low[i]) : in->low[i];
      in->high[i] = under ? in->high[i] : rut_min(z, in->high[i]);
    }
  }
}

// The columns that reach the lower side of the piece, of which depths are worth the time.
static void pick_columns(const Places* all, Places* p) {
  p->n = 0;
  for (int i = 0; i < all->n; i++) {
    if (!(all->top[i] > all->bottom[i] - BELOW)) continue;
    const int k = p->n++;
    p->x[k] = all->x[i];
    p->y[k] = all->y[i];
    p->top[k] = all->top[i];
    p->bottom[k] = all->bottom[i];
    p->floor[k] = all->floor[i];
  }
}

// Columns at places that each stand for an area.
static void meet_columns(const rutColumns* c, const rutPlacedPiece* piece, const Places* all,
                         double area, Found* found) {
  Places picked;
  const Places* p = &picked;
  pick_columns(all, &picked);
  if (picked.n == 0) return;
  Depths d;
  Inside in = {.n = 0};
  find_depths(piece, HARDLY * c->spacing, p, &d);
  for (int i = 0; i < p->n; i++) {
    if (!(d.least[i] > 0)) continue;
    const int k = in.n++;
    in.which[k] = i;
    in.x[k] = p->x[i];
    in.y[k] = p->y[i];
  }
  if (in.n) find_extents(piece, &in);
  for (int k = 0; k < in.n; k++) {
    const int i = in.which[k], plane = d.plane[i];
    const double high = rut_min(p->top[i], in.high[k]);
    if (!(high > in.low[k]) || !(d.depth[i] > 0) || !(area > 0)) continue;
    const bool below = plane < piece->lower;
    const rutVec3* n = below ? &piece->low[plane].n : &piece->side[plane - piece->lower].n;
    rutOverlap* overlap = &found->overlap[found->n++];
    overlap->at = rut_vec3(in.x[k], in.y[k], below ? high : 0.5 * (in.low[k] + high));
    overlap->normal = rut_vec3_scale(*n, -1);
    overlap->depth = d.depth[i];
    overlap->area = area;
    overlap->sunk = p->top[i] - p->bottom[i];
    overlap->floor = rut_vec3_scale(piece->low[p->floor[i]].n, -1);
    if (found->n == RUT_OVERLAPS) hand_over(found);
  }
}

// ---- the lattice ----

// Height that the piece's lower side has at least over a rectangle, and whether any of its outline
// is over it.
static bool lower_bound(const rutPlacedPiece* piece, const double box[4], double* low) {
  *low = piece->box[4];
  for (int f = 0; f < piece->sides; f++) {
    const rutHalfSpace h = piece->side[f];
    const double x = h.n.x > 0 ? box[0] : box[1], y = h.n.y > 0 ? box[2] : box[3];
    if (h.n.x * x + h.n.y * y > h.offset) return false;
  }
  for (int f = 0; f < piece->lower; f++) {
    const rutHalfSpace h = piece->low[f];
    const double x = h.n.x > 0 ? box[0] : box[1], y = h.n.y > 0 ? box[2] : box[3];
    *low = rut_max((h.offset - h.n.x * x - h.n.y * y) / h.n.z, *low);
  }
  return true;
}

// Tiles in which ground may be in the piece, by the numbers of their first columns.
typedef struct Tiles {
  int n;
  double i[BLOCK], j[BLOCK];
  double low[BLOCK], steepest[BLOCK];  // of the piece [m], of the ground
} Tiles;

static void meet_tile(const rutColumns* c, const rutPlacedPiece* piece, double i0, double j0,
                      Found* found) {
  const double s = c->spacing;
  Places p = {.n = BLOCK};
  for (int k = 0; k < BLOCK; k++) {
    p.x[k] = c->origin[0] + (i0 + k % TILE) * s;
    p.y[k] = c->origin[1] + (j0 + k / TILE) * s;
  }
  find_tops(c, piece, &p);
  meet_columns(c, piece, &p, s * s, found);
}

// The height in the middle, and how steep the ground is, tell of most that it is too low.
static void meet_tiles(const rutColumns* c, const rutPlacedPiece* piece, Tiles* tiles,
                       Found* found) {
  const double s = c->spacing, half = 0.5 * (TILE - 1), reach = half * s * 1.4143;
  Places middle = {.n = tiles->n};
  for (int k = 0; k < tiles->n; k++) {
    middle.x[k] = c->origin[0] + (tiles->i[k] + half) * s;
    middle.y[k] = c->origin[1] + (tiles->j[k] + half) * s;
  }
  if (tiles->n) find_tops(c, piece, &middle);
  for (int k = 0; k < tiles->n; k++) {
    const double most = middle.top[k] + tiles->steepest[k] * reach;
    if (!(most < tiles->low[k])) meet_tile(c, piece, tiles->i[k], tiles->j[k], found);
  }
  tiles->n = 0;
}

static void add_tile(const rutColumns* c, const rutPlacedPiece* piece, double i, double j,
                     Tiles* tiles) {
  const double s = c->spacing, x = c->origin[0] + i * s, y = c->origin[1] + j * s;
  const double box[4] = {x, x + (TILE - 1) * s, y, y + (TILE - 1) * s};
  double low;
  if (!lower_bound(piece, box, &low)) return;
  const rutTerrainBounds b = bounds_in(c, box);
  if (!(b.high > low)) return;
  const int n = tiles->n++;
  tiles->i[n] = i;
  tiles->j[n] = j;
  tiles->low[n] = low;
  tiles->steepest[n] = b.steepest;
}

static void meet_lattice(const rutColumns* c, const rutPlacedPiece* piece, Found* found) {
  const double s = c->spacing, tile = TILE * s;
  double range[4];
  Tiles tiles = {.n = 0};
  for (int k = 0; k < 4; k++) range[k] = rut_floor((piece->box[k] - c->origin[k / 2]) / tile);
  if (!((range[1] - range[0] + 1) * (range[3] - range[2] + 1) * BLOCK < MOST_COLUMNS)) return;
  const int along = (int)(range[1] - range[0]), across = (int)(range[3] - range[2]);
  for (int j = 0; j <= across; j++) {
    for (int i = 0; i <= along; i++) {
      if (tiles.n == BLOCK) meet_tiles(c, piece, &tiles, found);
      add_tile(c, piece, (range[0] + i) * TILE, (range[2] + j) * TILE, &tiles);
    }
  }
  meet_tiles(c, piece, &tiles, found);
}

// ---- edges ----

// The plane through which a place has come into the piece.
typedef struct WayIn {
  double earlier, depth;
  rutVec3 normal;
} WayIn;

static void try_way(double earlier, double depth, rutVec3 normal, WayIn* way) {
  const bool sooner = earlier < way->earlier, same = earlier == way->earlier;
  if (sooner || (same && depth < way->depth)) *way = (WayIn){earlier, depth, normal};
}

static void try_plane(const rutPlacedPiece* piece, rutHalfSpace h, rutVec3 at, double scale,
                      double hardly, WayIn* way) {
  const double earlier = scale * depth_in(before(&piece->motion, h), at.x, at.y, at.z);
  try_way(rut_max(earlier, hardly), scale * depth_in(h, at.x, at.y, at.z), h.n, way);
}

// Depth of a place on an upright face of the ground in the piece: it leaves through faces that are
// rather upright, at their own height, or as a whole below, over the top of the face.
static WayIn depth_in_face(const rutPlacedPiece* piece, rutVec3 at, double top, double hardly) {
  static const double STEEP = 0.2, SLANT = 0.5;  // |n_z| up to which a face is at its own height
  WayIn way = {.earlier = RUT_INFINITY};
  for (int f = 0; f < piece->at.faces; f++) {
    const rutHalfSpace h = {piece->at.normal[f], piece->at.offset[f]};
    const double slant = rut_clamp((rut_abs(h.n.z) - STEEP) / (SLANT - STEEP), 0, 1);
    if (h.n.z > 0 && slant >= 1) continue;
    const double z = h.n.z < 0 ? at.z + (top - at.z) * slant : at.z;
    try_plane(piece, h, rut_vec3(at.x, at.y, z), h.n.z > 0 ? 1 / (1 - slant) : 1, hardly, &way);
  }
  for (int f = 0; f < piece->sides; f++) try_plane(piece, piece->side[f], at, 1, hardly, &way);
  return way;
}

// An upright face at a place, between two heights.
static void meet_face(const rutColumns* c, const rutPlacedPiece* piece, rutVec3 at, double low,
                      double length, Found* found) {
  // Gauss-Legendre
  static const double node[LEVELS] = {0.1127016653792583, 0.5, 0.8872983346207417};
  static const double weight[LEVELS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double range[2];
  for (int f = 0; f < piece->sides; f++) {
    const rutHalfSpace h = piece->side[f];
    if (h.n.x * at.x + h.n.y * at.y >= h.offset) return;
  }
  extent_at(piece, at.x, at.y, range);
  const double from = rut_max(range[0], low), to = rut_min(range[1], at.z);
  if (!(to > from)) return;
  for (int k = 0; k < LEVELS; k++) {
    const rutVec3 p = rut_vec3(at.x, at.y, from + node[k] * (to - from));
    const WayIn way = depth_in_face(piece, p, at.z, HARDLY * c->spacing);
    add_overlap(found, p, rut_vec3_scale(way.normal, -1), way.depth,
                weight[k] * (to - from) * length);
  }
}

// Both sides of places of an edge: the higher and the lower ground.
static void look_beside(const rutColumns* c, const rutPlacedPiece* piece, const double across[2],
                        const Places* at, Places* higher, double* lower) {
  Places left = *at, right = *at;
  for (int i = 0; i < at->n; i++) {
    left.x[i] += BESIDE * across[0];
    left.y[i] += BESIDE * across[1];
    right.x[i] -= BESIDE * across[0];
    right.y[i] -= BESIDE * across[1];
  }
  find_tops(c, piece, &left);
  find_tops(c, piece, &right);
  *higher = *at;
  find_bottoms(piece, higher);
  for (int i = 0; i < at->n; i++) {
    const double a = left.top[i] == left.top[i] ? left.top[i] : -RUT_INFINITY;
    const double b = right.top[i] == right.top[i] ? right.top[i] : -RUT_INFINITY;
    higher->top[i] = rut_max(a, b) > -RUT_INFINITY ? rut_max(a, b) : RUT_NAN;
    lower[i] = rut_min(a, b);
  }
}

static void meet_edge(const rutColumns* c, const rutPlacedPiece* piece, const rutGroundEdge* e,
                      Found* found) {
  for (int first = e->first; first <= e->last; first += BLOCK) {
    Places at = {.n = e->last - first < BLOCK ? e->last - first + 1 : BLOCK}, high;
    double low[BLOCK];
    for (int i = 0; i < at.n; i++) {
      at.x[i] = e->start[0] + (first + i) * e->step[0];
      at.y[i] = e->start[1] + (first + i) * e->step[1];
    }
    look_beside(c, piece, e->across, &at, &high, low);
    meet_columns(c, piece, &high, c->spacing * e->spacing, found);
    for (int i = 0; i < at.n; i++) {
      const bool end =
          (e->ends[0] && first + i == e->first) || (e->ends[1] && first + i == e->last);
      if (!(high.top[i] - low[i] > FALL)) continue;
      meet_face(c, piece, rut_vec3(at.x[i], at.y[i], high.top[i]), low[i],
                (end ? 0.5 : 1) * e->spacing, found);
    }
  }
}

// ---- corners of the piece ----

// How far a point of the piece has moved along a normal in the last step.
static double moved(const rutPieceMotion* m, rutVec3 at, rutVec3 normal) {
  const rutVec3 turn = rut_vec3_cross(m->turn, rut_vec3_sub(at, m->about));
  return rut_vec3_dot(normal, rut_vec3_add(m->shift, turn));
}

// A corner that was nearer to the air beside an upright face of the ground than to that above
// leaves through the face.
static void leave_by_edge(const rutColumns* c, const rutPlacedPiece* piece, const rutGroundEdge* e,
                          rutVec3 corner, WayIn* way) {
  const double dx = corner.x - e->start[0], dy = corner.y - e->start[1];
  const double away = dx * e->across[0] + dy * e->across[1], distance = rut_abs(away);
  const double along = (dx * e->step[0] + dy * e->step[1]) / (e->spacing * e->spacing);
  const double over = distance + BESIDE, sense = away > 0 ? -1 : 1;
  const rutVec3 normal = rut_vec3(sense * e->across[0], sense * e->across[1], 0);
  const double earlier =
      rut_max(distance + moved(&piece->motion, corner, normal), HARDLY * c->spacing);
  if (earlier > way->earlier || along < e->first - 0.5 || along > e->last + 0.5) return;
  // the other side
  Places p = {.n = 1, .x = {corner.x + over * normal.x}, .y = {corner.y + over * normal.y}};
  find_tops(c, piece, &p);
  if (!(p.top[0] > corner.z)) try_way(earlier, distance, normal, way);
}

static void meet_corner(const rutColumns* c, const rutPlacedPiece* piece, rutVec3 corner,
                        rutVec3 upward, double depth, Found* found) {
  const double box[4] = {corner.x - depth, corner.x + depth, corner.y - depth, corner.y + depth};
  const double earlier = depth + moved(&piece->motion, corner, upward);
  WayIn way = {rut_max(earlier, HARDLY * c->spacing), depth, upward};
  rutGroundEdge e;
  for (int cursor = 0; rut_ground_next_edge(c->ground, box, c->spacing, &cursor, &e);) {
    leave_by_edge(c, piece, &e, corner, &way);
  }
  if (way.depth > CORNER_DEPTH * c->spacing) return;
  add_overlap(found, corner, way.normal, way.depth, CORNER_AREA * c->spacing * c->spacing);
}

static void meet_corners(const rutColumns* c, const rutPlacedPiece* piece, Found* found) {
  Places p = {.n = piece->at.corners};
  for (int i = 0; i < p.n; i++) {
    p.x[i] = piece->at.corner[i].x;
    p.y[i] = piece->at.corner[i].y;
  }
  find_tops(c, piece, &p);
  for (int i = 0; i < p.n; i++) {
    const rutVec3 corner = piece->at.corner[i];
    if (!(p.top[i] > corner.z)) continue;
    const double gx = p.slope_x[i], gy = p.slope_y[i], up = 1 / rut_sqrt(1 + gx * gx + gy * gy);
    meet_corner(c, piece, corner, rut_vec3(-gx * up, -gy * up, up), (p.top[i] - corner.z) * up,
                found);
  }
}

void rut_piece_meet_ground(const rutColumns* columns, const rutPlacedPiece* piece,
                           rutOverlapVisit* visit, void* to) {
  const double* box = piece->box;
  if (!rut_ground_is_above(columns,
                           &(rutGroundLid){{box[0], box[1], box[2], box[3]}, box[4], 0, 0}))
    return;
  Found found = {.visit = visit, .to = to};
  meet_lattice(columns, piece, &found);
  rutGroundEdge e;
  for (int cursor = 0;
       rut_ground_next_edge(columns->ground, piece->box, columns->spacing, &cursor, &e);) {
    meet_edge(columns, piece, &e, &found);
  }
  meet_corners(columns, piece, &found);
  hand_over(&found);
}
