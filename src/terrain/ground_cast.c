// SPDX-License-Identifier: BSD-3-Clause
//
// Each ray is cast against each source. Where neither shape nor rut changes the source this is in
// closed form. Elsewhere the ray is cut into pieces: those that stay above all that there may be
// are skipped and grow, the others shrink until the ground below them is undisturbed, or its slopes
// bounded, or they are so short that their ground can be sampled.
#include "terrain/ground_cast.h"

#include "math/lanes.h"
#include "terrain/ground_march.h"

// Samples of the shortest pieces of a ray, and how many times as long the first is.
enum { PIECES = 60, FIRST_PIECE = 16 };
// Steps of a search for ground at a border: up to 4 mm.
enum { ENTRY_STEPS = 16 };

// Margins, relative to coordinates: of what has edges, and of heights and boxes that are bounds.
#define EDGE_MARGIN  1e-12
#define BOUND_MARGIN 1e-9

static const rutGroundSource level_ground = {.kind = RUT_GROUND_LEVEL, .cos_yaw = 1};

static const rutGroundSource* source_of(const rutGroundRay* r) {
  return r->source < 0 ? &level_ground : &r->in.ground->source[r->source];
}

// Height that a source without shapes begins with: of level ground and planes, where blocks stand,
// and of the zero of maps.
static double base_of(const rutGroundRay* r) { return source_of(r)->z + r->lift; }

static bool is_field(const rutGroundRay* r) { return source_of(r)->kind == RUT_GROUND_FIELD; }

static bool is_block(const rutGroundRay* r) {
  const rutGroundKind kind = source_of(r)->kind;
  return kind == RUT_GROUND_RAMP || kind == RUT_GROUND_BUMP;
}

// ---------------------------------------------------------------------------------------------
// Closed forms

static bool hit_level(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double base = base_of(r), drop = -r->sense * r->ray.d[2];
  double t = r->sense * (rut_ray_at(&r->ray, 2, t0) - base) < 0 ? t0 : RUT_INFINITY;
  if (drop > 0) t = r->sense * (r->ray.o[2] - base) / drop;
  *hit = (rutGroundHit){rut_max(t, t0), {0, 0, r->sense}};
  return hit->range <= t1 && hit->range < RUT_INFINITY;
}

static bool hit_field(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double origin[3] = {r->ray.o[0], r->ray.o[1], r->ray.o[2] - base_of(r)};
  hit->range = rut_height_field_cast(source_of(r)->field, origin, r->ray.d, t0, t1, hit->normal);
  return hit->range < RUT_INFINITY;
}

static bool hit_plain(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  return is_field(r) ? hit_field(r, t0, t1, hit) : hit_level(r, t0, t1, hit);
}

// The ray in the frame of a source, from the height that it stands on.
static rutRay own_ray(const rutGroundRay* r) {
  const rutGroundSource* s = source_of(r);
  const double x = r->ray.o[0] - s->x, y = r->ray.o[1] - s->y;
  const double c = s->cos_yaw, sn = s->sin_yaw, *d = r->ray.d;
  rutRay own = {.o = {c * x + sn * y, c * y - sn * x, r->ray.o[2] - base_of(r)},
                .limit = r->ray.limit};
  rut_ray_aim(&own, 0, c * d[0] + sn * d[1]);
  rut_ray_aim(&own, 1, c * d[1] - sn * d[0]);
  rut_ray_aim(&own, 2, d[2]);
  return own;
}

// Part of a ray over a source's rectangle, with a margin: no ray leaks between two that join.
static bool over_rectangle(const rutGroundRay* r, double* t0, double* t1) {
  const rutGroundSource* s = source_of(r);
  const double low[2] = {s->x_min, s->y_min}, high[2] = {s->x_max, s->y_max};
  const rutRay own = own_ray(r);
  for (int k = 0; k < 2; k++) {
    const double size = 1 + rut_abs(own.o[k]) + rut_abs(low[k]) + rut_abs(high[k]);
    const double margin = EDGE_MARGIN * size;
    rut_ray_clip(&own, k, low[k] - margin, high[k] + margin, t0, t1);
  }
  return *t0 <= *t1;
}

// A convex solid: what is on the inner side of all its faces.
typedef struct Solid {
  double enter, leave, normal[3];
} Solid;

// Cut by the half-space `away` + t `rate` <= 0 of an outward normal.
static void cut(Solid* s, double away, double rate, double nx, double ny, double nz) {
  if (rate == 0) {
    if (away > 0) s->leave = -RUT_INFINITY;
    return;
  }
  const double t = -away / rate;
  if (rate > 0) {
    s->leave = rut_min(t, s->leave);
  } else if (t > s->enter) {
    s->enter = t;
    s->normal[0] = nx;
    s->normal[1] = ny;
    s->normal[2] = nz;
  }
}

static void cut_sides(Solid* s, const rutRay* r, const rutGroundSource* source) {
  cut(s, source->x_min - r->o[0], -r->d[0], -1, 0, 0);
  cut(s, r->o[0] - source->x_max, r->d[0], 1, 0, 0);
  cut(s, source->y_min - r->o[1], -r->d[1], 0, -1, 0);
  cut(s, r->o[1] - source->y_max, r->d[1], 0, 1, 0);
  cut(s, -r->o[2], -r->d[2], 0, 0, -1);
}

// z <= rise (u - u_min)
static void cut_incline(Solid* s, const rutRay* r, const rutGroundSource* source) {
  const double rise = source->height / (source->x_max - source->x_min);
  const double length = rut_sqrt(1 + rise * rise);
  cut(s, r->o[2] - rise * (r->o[0] - source->x_min), r->d[2] - rise * r->d[0], -rise / length, 0,
      1 / length);
}

// (2 v / width)^2 + (z / height)^2 <= 1
static void cut_ellipse(Solid* s, const rutRay* r, const rutGroundSource* source) {
  const double a = 2 / (source->y_max - source->y_min), b = 1 / source->height;
  const double v = a * r->o[1], z = b * r->o[2], dv = a * r->d[1], dz = b * r->d[2];
  const double square = dv * dv + dz * dz, half = v * dv + z * dz, rest = v * v + z * z - 1;
  const double discriminant = half * half - square * rest;
  if (!(square > 0) || !(discriminant >= 0)) {
    if (rest > 0) s->leave = -RUT_INFINITY;
    return;
  }
  // both roots without cancellation (Press et al., Numerical Recipes, 5.6)
  const double q = -(half + (half < 0 ? -1 : 1) * rut_sqrt(discriminant));
  const double one = q / square, other = q != 0 ? rest / q : one;
  const double enter = rut_min(one, other);
  s->leave = rut_min(rut_max(one, other), s->leave);
  if (!(enter > s->enter)) return;
  const double nv = a * (v + enter * dv), nz = b * (z + enter * dz), size = rut_hypot(nv, nz);
  s->enter = enter;
  s->normal[0] = 0;
  s->normal[1] = nv / size;
  s->normal[2] = nz / size;
}

// A ramp or a bump without shapes and ruts.
static bool hit_block(const rutGroundRay* r, rutGroundHit* hit) {
  const rutGroundSource* source = source_of(r);
  const rutRay own = own_ray(r);
  Solid s = {-RUT_INFINITY, RUT_INFINITY, {0}};
  cut_sides(&s, &own, source);
  if (source->kind == RUT_GROUND_RAMP)
    cut_incline(&s, &own, source);
  else
    cut_ellipse(&s, &own, source);
  const double c = source->cos_yaw, sn = source->sin_yaw;
  *hit = (rutGroundHit){
      s.enter,
      {c * s.normal[0] - sn * s.normal[1], sn * s.normal[0] + c * s.normal[1], s.normal[2]}};
  return s.enter >= 0 && s.enter <= s.leave && s.enter < r->ray.limit;
}

// ---------------------------------------------------------------------------------------------
// Pieces of a ray

// What there is below a piece.
typedef struct Below {
  bool shaped, rutted;
  rutTerrainBounds bounds;
} Below;

static Below find_below(const rutGroundRay* r, double t0, double t1) {
  Below below = {false};
  double from[2], to[2], box[4], raised = 0;
  for (int k = 0; k < 2; k++) {
    from[k] = rut_ray_at(&r->ray, k, t0);
    to[k] = rut_ray_at(&r->ray, k, t1);
    const double margin = BOUND_MARGIN * (1 + rut_abs(from[k]) + rut_abs(to[k]));
    box[2 * k] = rut_min(from[k], to[k]) - margin;
    box[2 * k + 1] = rut_max(from[k], to[k]) + margin;
  }
  below.shaped = rut_ground_bounds(r->in.ground, r->source, r->lift, box, &below.bounds);
  below.rutted = r->in.soft && rut_soft_near(r->in.soft, from, to, &raised);
  if (!below.rutted) return below;
  below.bounds.low = -RUT_INFINITY;
  below.bounds.high += raised;
  below.bounds.steepest = RUT_INFINITY;
  return below;
}

// True if a piece keeps clear of all that there may be.
static bool is_clear(const rutGroundRay* r, double t0, double t1, const rutTerrainBounds* b) {
  const double za = rut_ray_at(&r->ray, 2, t0), zb = rut_ray_at(&r->ray, 2, t1);
  const double margin = BOUND_MARGIN * (1 + rut_abs(za) + rut_abs(zb));
  return r->sense > 0 ? rut_min(za, zb) - margin > b->high : rut_max(za, zb) + margin < b->low;
}

// Cut a piece to where it is not clear: rising rays leave the heights that there may be, falling
// ones come to them.
static void cut_piece(const rutGroundRay* r, const rutTerrainBounds* b, double* t0, double* t1) {
  const double limit = r->sense > 0 ? b->high : b->low, rise = r->sense * r->ray.d[2];
  if (rise == 0 || !rut_is_finite(limit)) return;
  const double margin = r->sense * BOUND_MARGIN * (1 + rut_abs(limit) + rut_abs(r->ray.o[2]));
  const double t = (limit + margin - r->ray.o[2]) * r->ray.inverse[2];
  if (rise < 0) *t0 = rut_clamp(t, *t0, *t1);
  if (rise > 0) *t1 = rut_clamp(t, *t0, *t1);
}

// First hit between t0 and t1 over disturbed ground.
static bool hit_pieces(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double cell = r->in.soft ? 0.5 * r->in.soft->def.cell : RUT_CAST_STEP;
  const double step = rut_min(cell, RUT_CAST_STEP), shortest = PIECES * step / r->horizontal;
  double size = FIRST_PIECE * shortest;
  while (t0 < t1) {
    const double end = rut_min(t0 + size, t1);
    const Below below = find_below(r, t0, end);
    if (is_clear(r, t0, end, &below.bounds)) {
      t0 = end;
      size *= 2;
    } else if (!below.shaped && !below.rutted && !is_block(r)) {
      if (hit_plain(r, t0, end, hit)) return true;
      t0 = end;
      size *= 2;
    } else if (!(below.bounds.steepest < RUT_INFINITY) && size > shortest && end - t0 > shortest) {
      size = rut_max(0.5 * (end - t0), shortest);
    } else {
      double from = t0, to = end;
      cut_piece(r, &below.bounds, &from, &to);
      if (rut_ground_march(r, from, to, below.bounds.steepest, step, hit)) return true;
      t0 = end;
    }
  }
  return false;
}

// A ray straight up or down stands over one place.
static bool hit_upright(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double clearance = rut_ground_clearance(r, 0), drop = -r->sense * r->ray.d[2];
  const double t = drop > 0 ? rut_max(clearance / drop, t0) : clearance < 0 ? t0 : RUT_INFINITY;
  // there may be no ground: clearance NaN
  if (!(clearance == clearance) || !(t <= t1)) return false;
  *hit = rut_ground_hit(r, t);
  return true;
}

static bool hit_disturbed(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  if (r->horizontal == 0) return hit_upright(r, t0, t1, hit);
  const double end = rut_min(t1, t0 + RUT_CAST_FARTHEST / r->horizontal);
  // what is below the surface where the ground begins
  if (rut_ground_clearance(r, t0) < 0) {
    *hit = rut_ground_hit(r, t0);
    return true;
  }
  return hit_pieces(r, t0, end, hit);
}

// ---------------------------------------------------------------------------------------------
// One source

// Whether there may be shapes or ruts on a source at all.
static bool is_disturbed(const rutGroundRay* r, double t0, double t1) {
  if (!r->in.ground->shapes && !r->in.soft) return false;
  const Below below = find_below(r, t0, rut_min(t1, t0 + RUT_CAST_FARTHEST / r->horizontal));
  return below.shaped || below.rutted;
}

static bool hit_solid(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  if (!is_disturbed(r, t0, t1)) return hit_plain(r, t0, t1, hit);
  return hit_disturbed(r, t0, t1, hit);
}

// A map is not seen by what starts far below it.
static bool hit_map(const rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double* box = source_of(r)->box;
  rut_ray_clip(&r->ray, 0, box[0], box[1], &t0, &t1);
  rut_ray_clip(&r->ray, 1, box[2], box[3], &t0, &t1);
  if (!(t0 <= t1) || !hit_solid(r, t0, t1, hit)) return false;
  return hit->range > 0 || !(rut_ground_clearance(r, 0) < -RUT_GROUND_THICKNESS);
}

// Clearance where a ray comes over a source's rectangle. The place may lie off it by rounding; then
// *t0 moves on to where there is ground. NaN if that is farther than ENTRY_STEPS reach.
static double entry_clearance(const rutGroundRay* r, double* t0, double t1) {
  double step = EDGE_MARGIN, clearance = rut_ground_clearance(r, *t0);
  for (int i = 0; i < ENTRY_STEPS && !(clearance == clearance); i++) {
    const double t = rut_min(*t0 + step, t1);
    clearance = rut_ground_clearance(r, t);
    if (clearance == clearance) *t0 = t;
    step *= 4;
  }
  return clearance;
}

// A sheet is seen from the side on which the ray comes to it.
static bool hit_sheet(rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double flat = rut_ray_at(&r->ray, 2, t0) - base_of(r);
  const bool disturbed = is_disturbed(r, t0, t1);
  const double clearance = disturbed ? entry_clearance(r, &t0, t1) : flat;
  r->sense = (clearance == clearance ? clearance : flat) < 0 ? -1 : 1;
  return disturbed ? hit_disturbed(r, t0, t1, hit) : hit_plain(r, t0, t1, hit);
}

// A ray from below a ramp or bump: it comes to the floor, or to the underside of ground that is
// lower than the floor.
static bool hit_underside(rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double base = base_of(r), rise = r->ray.d[2];
  const double floor = rise > 0 ? (base - r->ray.o[2]) * r->ray.inverse[2] : RUT_INFINITY;
  r->sense = -1;
  if (hit_disturbed(r, t0, rut_min(floor, t1), hit)) return true;
  if (!(floor <= t1)) return false;
  r->sense = 1;
  if (!(rut_ground_clearance(r, floor) < 0)) return hit_disturbed(r, floor, t1, hit);
  *hit = (rutGroundHit){floor, {0, 0, -1}};
  return true;
}

// A ramp or bump below shapes or ruts: solid from the height that it stands on to its surface, and
// a sheet where its surface is lower than that.
static bool hit_shaped_block(rutGroundRay* r, double t0, double t1, rutGroundHit* hit) {
  const double clearance = entry_clearance(r, &t0, t1);
  if (!(clearance < 0)) return hit_disturbed(r, t0, t1, hit);
  if (rut_ray_at(&r->ray, 2, t0) < base_of(r)) return hit_underside(r, t0, t1, hit);
  if (t0 == 0) return false;
  *hit = rut_ground_hit(r, t0);
  return true;
}

static bool hit_source(rutGroundRay* r, rutGroundHit* hit) {
  double t0 = 0, t1 = r->ray.limit;
  switch (source_of(r)->kind) {
    case RUT_GROUND_FIELD:
      return hit_map(r, t0, t1, hit);
    case RUT_GROUND_PLANE:
      return over_rectangle(r, &t0, &t1) && hit_sheet(r, t0, t1, hit);
    case RUT_GROUND_RAMP:
    case RUT_GROUND_BUMP:
      if (!over_rectangle(r, &t0, &t1)) return false;
      return is_disturbed(r, t0, t1) ? hit_shaped_block(r, t0, t1, hit) : hit_block(r, hit);
    default:
      return hit_solid(r, t0, t1, hit);
  }
}

// ---------------------------------------------------------------------------------------------
// Batches

static void cast_ray(rutGroundRay* r, const rutGroundScene* scene, int source,
                     const rutRayBatch* rays, const rutRayResult* out, int i) {
  rutGroundHit hit;
  if (rut_ray_is_settled(rays, out, i) || !rut_ray_of(rays, out, i, &r->ray)) return;
  r->horizontal = rut_hypot(r->ray.d[0], r->ray.d[1]);
  r->source = source;
  r->lift = scene->lift && source >= 0 ? scene->lift[source] : 0;
  r->sense = 1;
  if (!hit_source(r, &hit) || !(hit.range < r->ray.limit)) return;
  rut_ray_put(out, i, hit.range, hit.normal, RUT_RAY_GROUND, source);
}

enum { BLOCK = 64, MAP_BLOCK = 512 };

typedef struct LevelHits {
  int n, hit[BLOCK];
  double range[BLOCK];
} LevelHits;

// As hit_level, seen from above.
RUT_CLONES static void meet_level(const rutRayBatch* rays, const double* so_far, int first,
                                  double base, LevelHits* restrict h) {
  const double* restrict ox = rays->origin[0] + first;
  const double* restrict oy = rays->origin[1] + first;
  const double* restrict oz = rays->origin[2] + first;
  const double* restrict dx = rays->direction[0] + first;
  const double* restrict dy = rays->direction[1] + first;
  const double* restrict dz = rays->direction[2] + first;
  const double farthest = rays->max_range * RUT_RAY_INCLUSIVE;
  RUT_FOR_LANES(i, h->n) {
    const double sum = (ox[i] + dx[i]) + (oy[i] + dy[i]) + (oz[i] + dz[i]);
    const double above = oz[i] - base, drop = -rut_ray_motion(dz[i]);
    const double down = above / (drop > 0 ? drop : 1);
    const double level = above < 0 ? 0 : RUT_INFINITY;
    const double t = rut_max(drop > 0 ? down : level, 0);
    h->range[i] = t;
    h->hit[i] = (t < rut_min(so_far[first + i], farthest)) & (sum - sum == 0);
  }
}

// All rays against level ground that neither shapes nor ruts change.
static void cast_level(const rutGroundScene* scene, int source, const rutRayBatch* rays,
                       const rutRayResult* out) {
  static const double up[3] = {0, 0, 1};
  const double lift = scene->lift && source >= 0 ? scene->lift[source] : 0;
  const double base = (source < 0 ? 0 : scene->ground->source[source].z) + lift;
  for (int first = 0; first < rays->n; first += BLOCK) {
    LevelHits h;
    h.n = rays->n - first < BLOCK ? rays->n - first : BLOCK;
    meet_level(rays, out->range, first, base, &h);
    for (int i = 0; i < h.n; i++) {
      if (h.hit[i]) rut_ray_put(out, first + i, h.range[i], up, RUT_RAY_GROUND, source);
    }
  }
}

// Rays over a map, cut to its rectangle, in its heights.
typedef struct MapRays {
  int n;
  double z[MAP_BLOCK], d[3][MAP_BLOCK], t0[MAP_BLOCK], t1[MAP_BLOCK], limit[MAP_BLOCK];
  double range[MAP_BLOCK], normal[3][MAP_BLOCK];
} MapRays;

RUT_CLONES static void cut_to_map(const rutRayBatch* rays, const double* range, int first,
                                  const double box[4], double base, MapRays* restrict m) {
  const int n = m->n;
  const double* restrict ox = rays->origin[0] + first;
  const double* restrict oy = rays->origin[1] + first;
  const double* restrict oz = rays->origin[2] + first;
  const double* restrict dx = rays->direction[0] + first;
  const double* restrict dy = rays->direction[1] + first;
  const double* restrict dz = rays->direction[2] + first;
  const double* restrict so_far = range + first;
  const double farthest = rays->max_range * RUT_RAY_INCLUSIVE;
  const double settled = rays->any ? RUT_INFINITY : -1;  // ranges below are settled
  const double x0 = box[0], x1 = box[1], y0 = box[2], y1 = box[3];
  RUT_FOR_LANES(i, n) {
    const double sum = (ox[i] + dx[i]) + (oy[i] + dy[i]) + (oz[i] + dz[i]);
    const double x = rut_ray_motion(dx[i]), y = rut_ray_motion(dy[i]);
    const double limit = so_far[i] < settled ? -1 : rut_min(so_far[i], farthest);
    double t0 = 0, t1 = limit;
    rut_ray_cut((rutRayAxis){ox[i], x, rut_ray_inverse(x)}, x0, x1, &t0, &t1);
    rut_ray_cut((rutRayAxis){oy[i], y, rut_ray_inverse(y)}, y0, y1, &t0, &t1);
    m->z[i] = oz[i] - base;
    m->d[0][i] = x;
    m->d[1][i] = y;
    m->d[2][i] = rut_ray_motion(dz[i]);
    m->t0[i] = t0;
    // no number: no part of it is over the map
    m->t1[i] = sum - sum == 0 ? t1 : -1;
    m->limit[i] = limit;
  }
}

// Whether there is a rut below a ray before it meets the map.
static bool passes_ruts(const rutSoftGround* soft, const rutRayBatch* rays, const MapRays* m,
                        int first, int i) {
  const double end = rut_min(m->range[i], m->t1[i]);
  double from[2], to[2], raised;
  if (!soft || !(m->t0[i] <= end)) return false;
  for (int k = 0; k < 2; k++) {
    const double o = rays->origin[k][first + i], d = m->d[k][i];
    from[k] = d != 0 ? o + m->t0[i] * d : o;
    to[k] = d != 0 ? o + end * d : o;
  }
  return rut_soft_near(soft, from, to, &raised);
}

// All rays against a map that no shape changes; one by one those that pass ruts.
static void cast_map(rutGroundRay* r, const rutGroundScene* scene, int source,
                     const rutRayBatch* rays, const rutRayResult* out) {
  const rutGroundSource* s = &scene->ground->source[source];
  const double base = s->z + (scene->lift ? scene->lift[source] : 0);
  const bool normals = out->normal[0];
  MapRays m;
  for (int first = 0; first < rays->n; first += MAP_BLOCK) {
    m.n = rays->n - first < MAP_BLOCK ? rays->n - first : MAP_BLOCK;
    cut_to_map(rays, out->range, first, s->box, base, &m);
    const rutHeightRays some = {.n = m.n,
                                .origin = {rays->origin[0] + first, rays->origin[1] + first, m.z},
                                .direction = {m.d[0], m.d[1], m.d[2]},
                                .t_min = m.t0,
                                .t_max = m.t1,
                                .range = m.range,
                                .normal = {normals ? m.normal[0] : NULL, m.normal[1], m.normal[2]}};
    rut_height_field_cast_n(s->field, &some);
    for (int i = 0; i < m.n; i++) {
      double normal[3] = {0};
      for (int k = 0; normals && k < 3; k++) normal[k] = m.normal[k][i];
      // at 0 it is in the ground: how deep is another question
      if (m.range[i] == 0 || passes_ruts(r->in.soft, rays, &m, first, i))
        cast_ray(r, scene, source, rays, out, first + i);
      else if (m.range[i] < m.limit[i])
        rut_ray_put(out, first + i, m.range[i], normal, RUT_RAY_GROUND, source);
    }
  }
}

void rut_ground_cast(const rutGroundScene* scene, const rutRayBatch* rays,
                     const rutRayResult* out) {
  const rutGround* ground = scene->ground;
  const bool endless = ground->level || ground->sources == 0;
  rutGroundRay r = {.in = *scene};
  if (r.in.soft && !r.in.soft->used) r.in.soft = NULL;
  for (int k = endless ? -1 : 0; k < ground->sources; k++) {
    const rutGroundKind kind = k >= 0 ? ground->source[k].kind : RUT_GROUND_LEVEL;
    if (kind == RUT_GROUND_FIELD && !ground->shapes) {
      cast_map(&r, scene, k, rays, out);
      continue;
    }
    if (kind == RUT_GROUND_LEVEL && !ground->shapes && !r.in.soft) {
      cast_level(scene, k, rays, out);
      continue;
    }
    for (int i = 0; i < rays->n; i++) cast_ray(&r, scene, k, rays, out, i);
  }
}
