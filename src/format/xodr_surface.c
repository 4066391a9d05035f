// SPDX-License-Identifier: BSD-3-Clause
//
// A road is cut wherever a function along it changes, and where its line bends away from a
// polynomial.
#include "format/xodr_surface.h"

#include <stdlib.h>
#include <string.h>

#include "geom/road_plan.h"
#include "geom/road_surface.h"
#include "math/rut_math.h"

static const double LONGEST_SPAN = 20;    // [m]
static const double LARGEST_TURN = 0.3;   // over a span [rad]
static const double EXACT = 1e-9;         // of polynomials against their curves [m]
static const double SHORTEST = 1e-4;      // span, and distance of cuts [m]
static const double STEEPEST_ROLL = 1.4;  // [rad]
static const double BRIDGE = 0.3;         // heights of roads above each other that are told [m]
enum { MOST_BRIDGES = 8 };

typedef struct Maker {
  const rutXodr* file;
  const rutXodrRoad* road;
  int index;  // of the road
  rutReporter* reporter;
  rutXodrList span, strip, profile, part, cut;
  rutXodrRange profiles;  // of the road
  bool full, many;
  bool rolls;  // a warning was given
} Maker;

static void* push(Maker* m, rutXodrList* list, size_t size, int most) {
  if (list->n >= most) {
    m->many = true;
    return NULL;
  }
  if (list->n == list->capacity) {
    const int capacity = 2 * list->capacity + 64;
    void* grown = realloc(list->item, (size_t)capacity * size);
    if (!grown) {
      m->full = true;
      return NULL;
    }
    list->item = grown;
    list->capacity = capacity;
  }
  return (char*)list->item + (size_t)list->n++ * size;
}

static bool stopped(const Maker* m) { return m->full || m->many; }

// ---- cuts ----

static void cut(Maker* m, double s) {
  if (!(s >= 0 && s <= m->road->length)) return;
  double* at = push(m, &m->cut, sizeof *at, 1 << 24);
  if (at) *at = s;
}

static void cut_cubics(Maker* m, rutXodrRange range) {
  for (int i = 0; i < range.n; i++) cut(m, rut_xodr_cubic(m->file, range.first + i)->s);
}

static void cut_lanes(Maker* m, const rutXodrSection* section) {
  cut(m, section->s);
  for (int i = 0; i < section->lane.n; i++) {
    const rutXodrLane* lane = rut_xodr_lane(m->file, section->lane.first + i);
    cut_cubics(m, lane->width);
    if (lane->width.n == 0) cut_cubics(m, lane->border);
    const rutXodrHeight* height = (const rutXodrHeight*)m->file->height.item + lane->height.first;
    for (int k = 0; k < lane->height.n; k++) cut(m, height[k].at);
  }
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void find_cuts(Maker* m) {
  const rutXodrRoad* road = m->road;
  m->cut.n = 0;
  cut(m, 0);
  for (int i = 0; i < road->curve.n; i++) {
    const rutRoadCurve* c = rut_xodr_curve(m->file, road->curve.first + i);
    cut(m, c->s);
    // cubics are longer or shorter than they say only in whole
    if (i + 1 < road->curve.n) cut(m, c->s + c->length);
  }
  cut_cubics(m, road->elevation);
  cut_cubics(m, road->superelevation);
  cut_cubics(m, road->crossfall[0]);
  cut_cubics(m, road->crossfall[1]);
  cut_cubics(m, road->offset);
  for (int i = 0; i < road->section.n; i++) {
    cut_lanes(m, rut_xodr_section(m->file, road->section.first + i));
  }
  const rutXodrShape* shape = (const rutXodrShape*)m->file->shape.item + road->shape.first;
  for (int i = 0; i < road->shape.n; i++) cut(m, shape[i].s);
  cut(m, road->length);
  double* at = m->cut.item;
  if (m->cut.n > 1) qsort(at, (size_t)m->cut.n, sizeof *at, by_value);
}

// ---- lateral profiles ----

static void make_profiles(Maker* m) {
  const rutXodrRange range = m->road->shape;
  const rutXodrShape* shape = (const rutXodrShape*)m->file->shape.item + range.first;
  m->profiles = (rutXodrRange){m->profile.n, 0};
  for (int i = 0; i < range.n && !stopped(m); i++) {
    if (i == 0 || shape[i].s > shape[i - 1].s) {
      rutRoadProfile* p = push(m, &m->profile, sizeof *p, RUT_ROAD_MAX_PARTS);
      if (p) *p = (rutRoadProfile){m->part.n, 0};
      m->profiles.n++;
    }
    rutRoadCubic* part = push(m, &m->part, sizeof *part, RUT_ROAD_MAX_PARTS);
    if (stopped(m)) return;
    *part = shape[i].cubic;
    ((rutRoadProfile*)m->profile.item)[m->profile.n - 1].n++;
  }
}

// Where profile k of the road stands along it.
static double profile_place(const Maker* m, int k) {
  const rutRoadProfile* p = (const rutRoadProfile*)m->profile.item + m->profiles.first + k;
  const rutXodrShape* shape = (const rutXodrShape*)m->file->shape.item + m->road->shape.first;
  const int first = ((const rutRoadProfile*)m->profile.item)[m->profiles.first].first;
  return shape[p->first - first].s;
}

static void choose_profiles(const Maker* m, rutRoadSpan* span) {
  span->profile[0] = span->profile[1] = -1;
  const int n = m->profiles.n;
  if (n == 0) return;
  int low = 0, high = n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (profile_place(m, middle) <= span->s + 0.5 * span->arc.length)
      low = middle;
    else
      high = middle;
  }
  const int next = low + 1 < n ? low + 1 : low;
  const double from = profile_place(m, low), to = profile_place(m, next);
  span->profile[0] = m->profiles.first + low;
  span->profile[1] = m->profiles.first + next;
  if (to > from && span->s + 0.5 * span->arc.length >= from) {
    span->share[0] = (span->s - from) / (to - from);
    span->share[1] = 1 / (to - from);
  }
}

// ---- spans ----

static void keep_cubic(const rutRoadCubic* cubic, double s, double out[4]) {
  const rutRoadCubic c = rut_road_cubic_moved(cubic, s);
  out[0] = c.a;
  out[1] = c.b;
  out[2] = c.c;
  out[3] = c.d;
}

static void keep(const Maker* m, rutXodrRange range, double from, double middle, double out[4]) {
  const rutRoadCubic c = rut_xodr_cubic_at(m->file, range, middle);
  keep_cubic(&c, from, out);
}

static rutXodrHeight height_at(const Maker* m, const rutXodrLane* lane, double s) {
  const rutXodrHeight* height = (const rutXodrHeight*)m->file->height.item + lane->height.first;
  rutXodrHeight found = {0};
  for (int i = 0; i < lane->height.n && height[i].at <= s; i++) found = height[i];
  return found;
}

// Lanes of one side, from inside on, and what is beyond them. Returns their number.
static int add_strips(Maker* m, const rutXodrSection* section, int side, double from,
                      double middle) {
  const rutXodrRoad* road = m->road;
  rutRoadCubic inner = rut_xodr_cubic_at(m->file, road->offset, middle), outer = inner;
  const rutRoadCubic centre = inner;
  double before = 0;
  int n = 0;
  for (int id = side;; id += side) {
    const int at = section ? rut_xodr_find_lane(m->file, section, id) : -1;
    rutRoadStrip* strip = push(m, &m->strip, sizeof *strip, RUT_ROAD_MAX_STRIPS);
    if (!strip) return n;
    *strip = (rutRoadStrip){.before = before, .level = 1};
    n++;
    keep_cubic(&outer, from, strip->inner);
    keep_cubic(&outer, from, strip->outer);
    if (at < 0) return n;
    const rutXodrLane* lane = rut_xodr_lane(m->file, at);
    inner = outer;
    if (lane->width.n > 0) {
      const rutRoadCubic width = rut_xodr_cubic_at(m->file, lane->width, middle);
      outer = rut_road_cubic_sum(&inner, &width, side);
    } else if (lane->border.n > 0) {
      const rutRoadCubic out = rut_xodr_cubic_at(m->file, lane->border, middle);
      outer = rut_road_cubic_sum(&centre, &out, out.a * side < 0 ? -1 : 1);
    }
    const rutXodrHeight height = height_at(m, lane, middle);
    keep_cubic(&outer, from, strip->outer);
    strip->in = height.inner;
    strip->out = before = height.outer;
    strip->level = lane->level;
  }
}

// Tell the last span and the next one whether the road goes on from one to the other.
static void join(Maker* m, rutRoadSpan* next) {
  static const double NEAR = 1e-3, KINK = 0.01;  // [m], [rad]
  rutRoadSpan* last = next - 1;
  if (m->span.n < 2 || last->road != next->road) return;
  const rutRoadArcAt a = rut_road_arc_at(&last->arc, last->arc.length);
  const rutRoadArcAt b = rut_road_arc_at(&next->arc, 0);
  const bool near = rut_hypot(b.x - a.x, b.y - a.y) < NEAR;
  const bool smooth = rut_abs(a.dx * b.dy - a.dy * b.dx) < KINK && a.dx * b.dx + a.dy * b.dy > 0;
  last->joined[1] = next->joined[0] = near && smooth;
}

static void add_span(Maker* m, const rutRoadArc* arc, double s) {
  rutRoadSpan* span = push(m, &m->span, sizeof *span, RUT_ROAD_MAX_SPANS);
  if (!span) return;
  const rutXodrRoad* road = m->road;
  const double middle = s + 0.5 * arc->length;
  *span = (rutRoadSpan){.arc = *arc, .s = s, .road = m->index, .strip = m->strip.n};
  keep(m, road->elevation, s, middle, span->z);
  keep(m, road->superelevation, s, middle, span->roll);
  keep(m, road->crossfall[0], s, middle, span->fall[0]);
  keep(m, road->crossfall[1], s, middle, span->fall[1]);
  keep(m, road->offset, s, middle, span->middle);
  join(m, span);
  choose_profiles(m, span);
  const int at = rut_xodr_section_at(m->file, road, middle);
  const rutXodrSection* section = at >= 0 ? rut_xodr_section(m->file, at) : NULL;
  span->strips[0] = add_strips(m, section, 1, s, middle);
  span->strips[1] = add_strips(m, section, -1, s, middle);
  for (int i = 0; i <= 4; i++) {
    const rutRoadCubic roll = {0, span->roll[0], span->roll[1], span->roll[2], span->roll[3]};
    const double w = 0.25 * i * arc->length;
    if (rut_abs(rut_road_cubic_at(&roll, w).v) <= STEEPEST_ROLL || m->rolls) continue;
    m->rolls = true;
    rut_report_error(m->reporter, RUT_ERR_MODEL, road->place, "superelevation",
                     "its angles are in rad",
                     "the road '%.40s' rolls by more than %g rad at s = "
                     "%.6g",
                     road->id, STEEPEST_ROLL, s + w);
  }
}

// The part of a curve between two cuts, halved until a polynomial is near enough.
static void add_spans(Maker* m, const rutRoadCurve* curve, double from, double to) {
  double at = from;
  while (at < to && !stopped(m)) {
    double length = rut_min(to - at, LONGEST_SPAN);
    const double bend =
        rut_max(rut_abs(rut_road_curve_at(curve, at - curve->s).curvature),
                rut_abs(rut_road_curve_at(curve, at + length - curve->s).curvature));
    if (bend * length > LARGEST_TURN) length = rut_max(LARGEST_TURN / bend, SHORTEST);
    // no crumb at the end
    if (to - at - length < 0.1 * length) length = to - at;
    rutRoadArc arc = {0};
    for (;;) {
      const double w = at - curve->s;
      const double off = rut_road_arc_make(curve, rut_clamp(w, 0, curve->length),
                                           rut_clamp(w + length, 0, curve->length), &arc);
      if (off <= EXACT || length <= 2 * SHORTEST) break;
      length *= 0.5;
    }
    if (arc.length > 0) add_span(m, &arc, at);
    at = length < 1.5 * (to - at) && at + length < to ? at + length : to;
  }
}

static void add_road(Maker* m) {
  make_profiles(m);
  find_cuts(m);
  int c = 0;
  for (int i = 0; i + 1 < m->cut.n && !stopped(m); i++) {
    const double from = ((const double*)m->cut.item)[i], to = ((const double*)m->cut.item)[i + 1];
    if (to - from < 1e-9) continue;
    while (c + 1 < m->road->curve.n &&
           rut_xodr_curve(m->file, m->road->curve.first + c + 1)->s <= from) {
      c++;
    }
    const rutRoadCurve* curve = rut_xodr_curve(m->file, m->road->curve.first + c);
    const double end = rut_min(to, curve->s + curve->length);
    if (end - from >= 1e-9) add_spans(m, curve, from, end);
  }
}

// ---- which roads ----

static bool is_word(const char* list, const char* word) {
  const size_t size = strlen(word);
  for (const char* c = list; *c;) {
    c += strspn(c, " \t\r\n,");
    const size_t n = strcspn(c, " \t\r\n,");
    if (n == size && n > 0 && memcmp(c, word, n) == 0) return true;
    c += n;
  }
  return false;
}

// Every id that is listed must be one of a road. False after an error.
static bool check_ids(const rutXodr* file, const rutXodrSurface* def, rutReporter* reporter) {
  for (const char* c = def->roads; *c;) {
    c += strspn(c, " \t\r\n,");
    const size_t n = strcspn(c, " \t\r\n,");
    char id[64];
    if (n == 0) break;
    const size_t kept = n < sizeof id ? n : sizeof id - 1;
    memcpy(id, c, kept);
    id[kept] = '\0';
    if (rut_xodr_find(file, id) < 0) {
      rut_report_error(reporter, RUT_ERR_MODEL, def->place, "terrain", "",
                       "'%.60s' has no road '%s'; its first is '%.40s'", file->file, id,
                       rut_xodr_road(file, 0)->id);
      return false;
    }
    c += n;
  }
  return true;
}

// What is known of roads above each other.
typedef struct Bridges {
  const rutXodr* file;
  const rutXodrSurface* def;
  rutReporter* reporter;
  int n, road[MOST_BRIDGES][2];
} Bridges;

static void tell_bridge(Bridges* b, const int road[2], const double point[3]) {
  for (int k = 0; k < b->n; k++) {
    if (b->road[k][0] == road[0] && b->road[k][1] == road[1]) return;
  }
  b->road[b->n][0] = road[0];
  b->road[b->n++][1] = road[1];
  rut_report_warning(b->reporter, b->def->place, "terrain",
                     "road '%.40s' is above road '%.40s' at (%.6g, %.6g) m: the ground is the "
                     "higher one there; 'roads' chooses some",
                     rut_xodr_road(b->file, road[1])->id, rut_xodr_road(b->file, road[0])->id,
                     point[0], point[1]);
}

// Tell where roads lie above each other: a height map has one of them. Looked for in the middle of
// the lanes and a step to both sides.
static void tell_bridges(const rutXodr* file, const rutXodrSurface* def, rutReporter* reporter,
                         const rutRoadPlan* plan) {
  static const double STEP = 2;  // [m]
  Bridges b = {.file = file, .def = def, .reporter = reporter};
  for (int i = 0; i < plan->spans; i++) {
    const rutRoadSpan* span = rut_road_span(plan, i);
    const int places = (int)(span->arc.length / STEP) + 1;
    for (int k = 0; k < 3 * places && b.n < MOST_BRIDGES; k++) {
      const double t = span->middle[0] + STEP * (k % 3 - 1);
      const double w = span->arc.length * (k / 3 + 0.5) / places;
      double point[3];
      int road[2];
      rut_road_point(plan, span, w, t, point);
      if (rut_road_plan_crosses(plan, point[0], point[1], BRIDGE, road)) {
        tell_bridge(&b, road, point);
      }
    }
  }
}

rutStatus rut_xodr_surface(const rutXodr* file, const rutXodrSurface* def, rutReporter* reporter,
                           rutRoadPlan** out) {
  const int before = reporter->errors;
  Maker m = {.file = file, .reporter = reporter};
  *out = NULL;
  if (!check_ids(file, def, reporter)) return RUT_ERR_MODEL;
  for (int i = 0; i < file->road.n && !stopped(&m); i++) {
    m.road = rut_xodr_road(file, i);
    m.index = i;
    if (!def->roads[0] || is_word(def->roads, m.road->id)) add_road(&m);
  }
  rutStatus status = RUT_OK;
  rutError err = {0};
  if (m.full) status = rut_error_set(&err, RUT_ERR_MEMORY, "out of memory");
  if (m.many) {
    status = rut_error_set(&err, RUT_ERR_CAPACITY, "the roads have more than %d pieces",
                           RUT_ROAD_MAX_SPANS);
  }
  if (status == RUT_OK && m.span.n == 0) {
    status = rut_error_set(&err, RUT_ERR_MODEL, "the roads have no length");
  }
  const rutRoadParts parts = {m.span.n,     m.strip.n,      m.profile.n, m.part.n,   m.span.item,
                              m.strip.item, m.profile.item, m.part.item, def->margin};
  if (status == RUT_OK) status = rut_road_plan_make(&parts, out, &err);
  rutXodrList* const list[] = {&m.span, &m.strip, &m.profile, &m.part, &m.cut};
  for (int i = 0; i < RUT_COUNT_OF(list); i++) free(list[i]->item);
  if (status != RUT_OK) {
    return rut_report_error(reporter, status, def->place, "terrain", "choose some by 'roads'", "%s",
                            err.message);
  }
  if (reporter->errors > before) {
    free(*out);
    *out = NULL;
    return reporter->first.status;
  }
  tell_bridges(file, def, reporter, *out);
  return RUT_OK;
}
