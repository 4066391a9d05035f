// SPDX-License-Identifier: BSD-3-Clause
#include "format/xodr_path.h"

#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"

static const double STEP = 0.5;        // of places that are looked at [m]
static const double TOLERANCE = 0.01;  // first distance of points from the lane [m]
static const double GAP = 0.5;         // between roads that is told [m]
static const double SAME = 0.05;       // points of one place [m]
enum { MOST_SAMPLES = 1 << 20, DEPTH = 64 };

typedef struct Maker {
  const rutXodr* file;
  const rutPathRoute* route;
  rutReporter* reporter;
  double* xy;  // [n][2] dense
  int n, capacity;
  bool full;
  // Where the last road was left.
  const rutXodrRoad* road;
  const rutXodrSection* section;
  int lane;
  bool at_end;
} Maker;

void rut_xodr_point(const rutXodr* file, const rutXodrRoad* road, double s, double t,
                    double point[3]) {
  const rutRoadPlace at = rut_xodr_line_at(file, road, s);
  const rutRoadCubic elevation = rut_xodr_cubic_at(file, road->elevation, s);
  const rutRoadCubic turn = rut_xodr_cubic_at(file, road->superelevation, s);
  const rutRoadValue z = rut_road_cubic_at(&elevation, s);
  double sr, cr, sh, ch;
  rut_sincos(rut_road_cubic_at(&turn, s).v, &sr, &cr);
  rut_sincos(at.heading, &sh, &ch);
  const double cosine = 1 / rut_sqrt(1 + z.d * z.d);
  const double along = -z.d * cosine * t * sr, across = t * cr;
  point[0] = at.x + ch * along - sh * across;
  point[1] = at.y + sh * along + ch * across;
  point[2] = z.v + cosine * t * sr;
}

#define FAIL(m, ...) \
  rut_report_error((m)->reporter, RUT_ERR_MODEL, (m)->route->place, "value", "", __VA_ARGS__)

static void add(Maker* m, double x, double y) {
  const double* last = m->n > 0 ? m->xy + 2 * (size_t)(m->n - 1) : NULL;
  if (last && rut_hypot(x - last[0], y - last[1]) < SAME) return;
  if (m->n == m->capacity) {
    const int capacity = 2 * m->capacity + 256;
    double* grown =
        m->n < MOST_SAMPLES ? realloc(m->xy, (size_t)capacity * 2 * sizeof *grown) : NULL;
    if (!grown) {
      m->full = true;
      return;
    }
    m->xy = grown;
    m->capacity = capacity;
  }
  m->xy[2 * (size_t)m->n] = x;
  m->xy[2 * (size_t)m->n + 1] = y;
  m->n++;
}

// The middle of a lane at s, with the offset to the left of those who drive along it.
static void lane_point(const Maker* m, const rutXodrRoad* road, const rutXodrSection* section,
                       double s, bool forward, double point[3]) {
  rutRoadCubic border[2];
  rut_xodr_borders(m->file, road, section, m->lane, s, border);
  const double t = 0.5 * (rut_road_cubic_at(&border[0], s).v + rut_road_cubic_at(&border[1], s).v);
  rut_xodr_point(m->file, road, s, t + (forward ? 1 : -1) * m->route->offset, point);
}

// ---- from road to road ----

// Whether an end of a road is linked to another road, and to which end of it.
static bool is_linked(const rutXodrLink* link, const char* id, bool* at_end) {
  if (link->kind != RUT_XODR_ROAD || strcmp(link->id, id) != 0) return false;
  *at_end = link->at_end;
  return true;
}

// The connection of a junction from one road to another, NULL if there is none.
static const rutXodrConnection* connection_of(const rutXodr* file, const char* from,
                                              const char* to) {
  for (int i = 0; i < file->connection.n; i++) {
    const rutXodrConnection* c = (const rutXodrConnection*)file->connection.item + i;
    if (strcmp(c->incoming, from) == 0 && strcmp(c->connecting, to) == 0) return c;
  }
  return NULL;
}

// Which end of a road is nearer to where the last one was left.
static bool is_end_nearer(const Maker* m, const rutXodrRoad* road) {
  const rutRoadPlace from = rut_xodr_line_at(m->file, m->road, m->at_end ? m->road->length : 0);
  const rutRoadPlace a = rut_xodr_line_at(m->file, road, 0);
  const rutRoadPlace b = rut_xodr_line_at(m->file, road, road->length);
  return rut_hypot(b.x - from.x, b.y - from.y) < rut_hypot(a.x - from.x, a.y - from.y);
}

// Enter the next road: at which end, and in which lane.
static void enter(Maker* m, const rutXodrRoad* road) {
  const int side = m->at_end ? 1 : 0;
  const rutXodrConnection* c = connection_of(m->file, m->road->id, road->id);
  bool at_end = false;
  if (is_linked(&m->road->link[side], road->id, &at_end))
    c = NULL;
  else if (c)
    at_end = c->at_end;
  else
    at_end = is_end_nearer(m, road);
  // without a link the lane keeps its side of those who drive along it
  int lane = at_end == m->at_end ? -m->lane : m->lane;
  const int old = m->lane ? rut_xodr_find_lane(m->file, m->section, m->lane) : -1;
  const rutXodrLane* from = old >= 0 ? rut_xodr_lane(m->file, old) : NULL;
  if (from && from->linked[side] && !c) lane = from->link[side];
  for (int i = 0; c && i < c->link.n; i++) {
    const rutXodrLaneLink* l = (const rutXodrLaneLink*)m->file->lane_link.item + c->link.first + i;
    if (l->from == m->lane) lane = l->to;
  }
  m->lane = lane;
  m->at_end = at_end;
}

// Sample a lane of a section. False if the section has no such lane.
static bool drive_section(Maker* m, const rutXodrRoad* road, const rutXodrSection* section,
                          bool forward) {
  if (m->lane != 0 && rut_xodr_find_lane(m->file, section, m->lane) < 0) return false;
  const double from = rut_clamp(section->s, 0, road->length);
  const double to = rut_clamp(section->end, from, road->length);
  const int steps = (int)((to - from) / STEP) + 1;
  for (int i = 0; i <= steps && !m->full; i++) {
    // a hair inside, where this section holds
    const double share = rut_clamp((double)i / steps, 1e-9, 1 - 1e-9);
    const double s = from + (forward ? share : 1 - share) * (to - from);
    double point[3];
    lane_point(m, road, section, s, forward, point);
    add(m, point[0], point[1]);
  }
  return true;
}

static rutStatus drive_road(Maker* m, const rutXodrRoad* road) {
  bool forward;
  if (m->road) {
    enter(m, road);
    forward = !m->at_end;
  } else {
    // those to the right of the middle drive on, where traffic keeps to the right
    forward = (m->lane <= 0) != road->left_hand || m->lane == 0;
  }
  if (road->section.n == 0) return FAIL(m, "road '%.40s' has no lanes", road->id);
  for (int i = 0; i < road->section.n; i++) {
    const int at = road->section.first + (forward ? i : road->section.n - 1 - i);
    const rutXodrSection* section = rut_xodr_section(m->file, at);
    if (i > 0 && m->lane != 0) {
      const rutXodrLane* old =
          rut_xodr_lane(m->file, rut_xodr_find_lane(m->file, m->section, m->lane));
      if (old->linked[forward ? 1 : 0]) m->lane = old->link[forward ? 1 : 0];
    }
    const int before = m->n;
    if (!drive_section(m, road, section, forward)) {
      return FAIL(m, "road '%.40s' has no lane %d where the path gets to", road->id, m->lane);
    }
    if (i == 0 && m->road && before > 0 && m->n > before) {
      const double* a = m->xy + 2 * (size_t)(before - 1);
      const double gap = rut_hypot(a[2] - a[0], a[3] - a[1]);
      if (gap > GAP + STEP) {
        rut_report_warning(m->reporter, m->route->place, "value",
                           "road '%.40s' begins %.3g m from where the path leaves '%.40s'",
                           road->id, gap, m->road->id);
      }
    }
    m->section = section;
  }
  m->road = road;
  m->at_end = forward;
  return RUT_OK;
}

// ---- few points ----

// Keep the ends of parts of which no place is farther than a distance from the chord (Douglas and
// Peucker, 1973). Returns how many are kept.
static int thin(const double* xy, int n, double distance, char* kept, int* stack) {
  int top = 0, count = 2;
  memset(kept, 0, (size_t)n);
  kept[0] = kept[n - 1] = 1;
  stack[top++] = 0;
  stack[top++] = n - 1;
  while (top > 0) {
    const int b = stack[--top], a = stack[--top];
    const double *p = xy + 2 * (size_t)a, *q = xy + 2 * (size_t)b;
    const double dx = q[0] - p[0], dy = q[1] - p[1], square = dx * dx + dy * dy;
    double worst = distance;
    int at = -1;
    for (int i = a + 1; i < b; i++) {
      const double x = xy[2 * (size_t)i] - p[0], y = xy[2 * (size_t)i + 1] - p[1];
      const double u = square > 0 ? rut_clamp((x * dx + y * dy) / square, 0, 1) : 0;
      const double away = rut_hypot(x - u * dx, y - u * dy);
      if (away <= worst) continue;
      worst = away;
      at = i;
    }
    if (at < 0) continue;
    kept[at] = 1;
    count++;
    stack[top++] = a;
    stack[top++] = at;
    stack[top++] = at;
    stack[top++] = b;
  }
  return count;
}

static rutStatus choose_points(Maker* m, rutPathPoints* out) {
  char* kept = malloc((size_t)m->n + 1);
  int* stack = malloc(((size_t)m->n * 4 + 8) * sizeof *stack);
  double* xy = malloc((size_t)m->n * 2 * sizeof *xy);
  double distance = TOLERANCE;
  if (kept && stack && xy) {
    while (thin(m->xy, m->n, distance, kept, stack) > m->route->most) distance *= 1.5;
    int n = 0;
    double length = 0;
    for (int i = 0; i < m->n; i++) {
      const double* p = m->xy + 2 * (size_t)i;
      if (i > 0) length += rut_hypot(p[0] - p[-2], p[1] - p[-1]);
      if (!kept[i]) continue;
      memcpy(xy + 2 * (size_t)n++, p, 2 * sizeof *p);
    }
    if (m->route->closed && n > 3 &&
        rut_hypot(xy[0] - xy[2 * n - 2], xy[1] - xy[2 * n - 1]) < GAP + STEP) {
      n--;
    }
    *out = (rutPathPoints){n, xy};
    rut_report_note(m->reporter, m->route->place, "value",
                    "the path is %.6g m of lane by %d points, off by %.2g m at most", length, n,
                    distance);
    xy = NULL;
  }
  const bool done = kept && stack && !xy;
  free(kept);
  free(stack);
  free(xy);
  if (done) return RUT_OK;
  return rut_report_error(m->reporter, RUT_ERR_MEMORY, m->route->place, "value", "",
                          "out of memory");
}

rutStatus rut_xodr_path(const rutXodr* file, const rutPathRoute* route, rutPathPoints* out,
                        rutReporter* reporter) {
  Maker m = {.file = file, .route = route, .reporter = reporter, .lane = route->lane};
  *out = (rutPathPoints){0};
  rutStatus status = RUT_OK;
  const char* c = route->roads[0] ? route->roads : rut_xodr_road(file, 0)->id;
  while (status == RUT_OK && *c && !m.full) {
    c += strspn(c, " \t\r\n,");
    const size_t n = strcspn(c, " \t\r\n,");
    char id[DEPTH];
    if (n == 0) break;
    const size_t size = n < sizeof id ? n : sizeof id - 1;
    memcpy(id, c, size);
    id[size] = '\0';
    const int road = rut_xodr_find(file, id);
    status = road >= 0 ? drive_road(&m, rut_xodr_road(file, road))
                       : FAIL(&m, "the file has no road '%.40s'", id);
    c += n;
  }
  if (m.full) {
    status = rut_report_error(reporter, RUT_ERR_CAPACITY, route->place, "value", "",
                              "the path is too long");
  }
  if (status == RUT_OK && m.n < 2) status = FAIL(&m, "the path has no length");
  if (status == RUT_OK) status = choose_points(&m, out);
  free(m.xy);
  return status;
}
