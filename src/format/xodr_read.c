// SPDX-License-Identifier: BSD-3-Clause
//
// XML of a road network to lists. What the elements mean is as in ASAM OpenDRIVE 1.8; elements of
// earlier versions (crossfall, poly3) are read as those had them.
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/xodr.h"
#include "math/rut_math.h"

static const double FARTHEST = 1e7;       // of a coordinate [m]
static const double LONGEST = 1e6;        // of a road [m]
static const double CONNECTED = 0.01;     // curves that are farther apart are told of [m]
static const double LEAST_LENGTH = 1e-9;  // of a curve [m]

typedef struct Reader {
  rutXodr* file;
  rutReporter* reporter;
  bool full;  // out of memory
} Reader;

static rutPlace place_of(const Reader* r, const rutXmlElement* element) {
  return (rutPlace){r->file->file, element->line, element->column};
}

#define FAIL(r, element, hint, ...)                                                           \
  rut_report_error((r)->reporter, RUT_ERR_MODEL, place_of(r, element), (element)->name, hint, \
                   __VA_ARGS__)

static void* push(Reader* r, rutXodrList* list, size_t size) {
  if (list->n == list->capacity) {
    const int capacity = 2 * list->capacity + 16;
    void* grown = realloc(list->item, (size_t)capacity * size);
    if (!grown) {
      r->full = true;
      return NULL;
    }
    list->item = grown;
    list->capacity = capacity;
  }
  void* item = (char*)list->item + (size_t)list->n * size;
  memset(item, 0, size);
  list->n++;
  return item;
}

#define PUSH(r, list, type) ((type*)push(r, &(r)->file->list, sizeof(type)))

// ---- attributes ----

static const char* text_of(const rutXmlElement* element, const char* name) {
  const rutXmlAttribute* a = element ? rut_xml_attribute(element, name) : NULL;
  return a ? a->value : "";
}

// A number of an attribute that may be missing. Errors are reported, and are `none` then.
static double optional(Reader* r, const rutXmlElement* element, const char* name, double none) {
  const rutXmlAttribute* a = rut_xml_attribute(element, name);
  const char* text = a ? a->value + strspn(a->value, " \t\r\n") : "";
  if (!text[0]) return none;
  double value;
  const char* end;
  if (rut_parse_number(text, &value, &end) && rut_abs(value) <= 1e12) {
    end += strspn(end, " \t\r\n");
    if (!*end) return value;
  }
  const rutPlace place = {r->file->file, a->line, a->column};
  rut_report_error(r->reporter, RUT_ERR_MODEL, place, element->name, "",
                   "'%s' must be a number of at most 1e12, not '%.60s'", name, a->value);
  return none;
}

static double number(Reader* r, const rutXmlElement* element, const char* name) {
  if (rut_xml_attribute(element, name)) return optional(r, element, name, 0);
  FAIL(r, element, "", "needs '%s'", name);
  return 0;
}

static const rutXmlElement* child_of(const rutXmlElement* element, const char* name) {
  for (const rutXmlElement* c = element ? element->first : NULL; c; c = c->next) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}

static bool enough(const Reader* r) {
  return r->full || r->reporter->errors >= RUT_READER_MAX_ERRORS;
}

// ---- functions along a road ----

// The cubic of an element, whose start is in the attribute `from`, moved by `base`.
static void read_cubic(Reader* r, const rutXmlElement* e, const char* from, double base) {
  rutRoadCubic* c = PUSH(r, cubic, rutRoadCubic);
  if (!c) return;
  *c = (rutRoadCubic){base + number(r, e, from), optional(r, e, "a", 0), optional(r, e, "b", 0),
                      optional(r, e, "c", 0), optional(r, e, "d", 0)};
}

// By place, then by their numbers, so that the order is the same everywhere.
static int by_start(const void* a, const void* b) {
  const rutRoadCubic *p = a, *q = b;
  const double x[] = {p->s, p->a, p->b, p->c, p->d}, y[] = {q->s, q->a, q->b, q->c, q->d};
  for (int i = 0; i < RUT_COUNT_OF(x); i++) {
    if (x[i] != y[i]) return x[i] > y[i] ? 1 : -1;
  }
  return 0;
}

// A list out of order holds from place to place all the same.
static void sort_cubics(Reader* r, rutXodrRange range, const rutXmlElement* at) {
  rutRoadCubic* c = (rutRoadCubic*)r->file->cubic.item + range.first;
  bool sorted = true;
  for (int i = 1; i < range.n; i++) sorted = sorted && c[i].s >= c[i - 1].s;
  if (sorted) return;
  rut_report_warning(r->reporter, place_of(r, at), at->name,
                     "its elements are not in the order of their places: put in order");
  qsort(c, (size_t)range.n, sizeof *c, by_start);
}

// All children of a name, as cubics.
static rutXodrRange read_cubics(Reader* r, const rutXmlElement* parent, const char* name,
                                const char* from, double base) {
  rutXodrRange range = {r->file->cubic.n, 0};
  for (const rutXmlElement* c = parent ? parent->first : NULL; c && !enough(r); c = c->next) {
    if (strcmp(c->name, name) == 0) read_cubic(r, c, from, base);
  }
  range.n = r->file->cubic.n - range.first;
  if (range.n > 1) sort_cubics(r, range, parent);
  return range;
}

// ---- plan view ----

static void read_coefficients(Reader* r, const rutXmlElement* e, const char* suffix, double* out) {
  static const char letter[] = "abcd";
  for (int i = 0; i < 4; i++) {
    char name[3] = {letter[i], suffix[0], '\0'};
    out[i] = optional(r, e, name, 0);
  }
}

static bool read_parametric(Reader* r, const rutXmlElement* e, rutRoadCurve* c) {
  read_coefficients(r, e, "U", c->u);
  read_coefficients(r, e, "V", c->v);
  const char* range = text_of(e, "pRange");
  if (range[0] && strcmp(range, "arcLength") != 0 && strcmp(range, "normalized") != 0) {
    FAIL(r, e, "", "'pRange' must be arcLength or normalized, not '%.40s'", range);
    return false;
  }
  c->p_end = strcmp(range, "arcLength") == 0 ? c->length : 1;
  c->shape = RUT_ROAD_CUBIC;
  rut_road_curve_settle(c, false);
  const double length = rut_road_curve_length(c);
  if (!(length > 0)) {
    FAIL(r, e, "", "the curve has no length");
    return false;
  }
  if (rut_abs(length - c->length) > 1e-3 * c->length + 1e-3) {
    rut_report_warning(r->reporter, place_of(r, e), e->name,
                       "the curve is %.6g m long, its 'length' says %.6g m: places along it are "
                       "scaled",
                       length, c->length);
  }
  return true;
}

// False after an error.
static bool read_shape(Reader* r, const rutXmlElement* e, rutRoadCurve* c) {
  if (strcmp(e->name, "line") == 0) return true;
  if (strcmp(e->name, "arc") == 0) {
    c->curvature[0] = c->curvature[1] = number(r, e, "curvature");
  } else if (strcmp(e->name, "spiral") == 0) {
    c->curvature[0] = number(r, e, "curvStart");
    c->curvature[1] = number(r, e, "curvEnd");
  } else if (strcmp(e->name, "poly3") == 0) {
    c->u[1] = 1;
    read_coefficients(r, e, "", c->v);
    c->shape = RUT_ROAD_CUBIC;
    rut_road_curve_settle(c, true);
  } else {
    return read_parametric(r, e, c);
  }
  const double turn = c->length * rut_max(rut_abs(c->curvature[0]), rut_abs(c->curvature[1]));
  if (turn <= RUT_ROAD_MOST_TURN) return true;
  FAIL(r, e, "", "winds by %.3g rad, more than %g: its curvatures are in 1/m", turn,
       RUT_ROAD_MOST_TURN);
  return false;
}

static const rutXmlElement* shape_of(const rutXmlElement* geometry) {
  static const char* const names[] = {"line", "arc", "spiral", "poly3", "paramPoly3"};
  for (const rutXmlElement* c = geometry->first; c; c = c->next) {
    for (int i = 0; i < RUT_COUNT_OF(names); i++) {
      if (strcmp(c->name, names[i]) == 0) return c;
    }
  }
  return NULL;
}

static bool is_near(double x, double y) { return rut_abs(x) <= FARTHEST && rut_abs(y) <= FARTHEST; }

static void read_geometry(Reader* r, const rutXmlElement* e, const rutXodrRoad* road) {
  const rutXmlElement* shape = shape_of(e);
  const int before = r->reporter->errors;
  rutRoadCurve c = {.s = number(r, e, "s"),
                    .length = number(r, e, "length"),
                    .x = number(r, e, "x"),
                    .y = number(r, e, "y"),
                    .heading = number(r, e, "hdg")};
  if (r->reporter->errors > before) return;
  if (!shape) {
    FAIL(r, e, "", "needs one of <line>, <arc>, <spiral>, <poly3>, <paramPoly3>");
    return;
  }
  if (c.length < LEAST_LENGTH) return;  // files have curves of no length
  if (c.length > LONGEST || !is_near(c.x, c.y) || !(rut_abs(c.heading) <= 1e6)) {
    FAIL(r, e, "subtract an offset from all places, as 'offset' in <header> says",
         "is out of range: lengths up to 1e6 m, places up to 1e7 m");
    return;
  }
  if (!read_shape(r, shape, &c) || r->reporter->errors > before) return;
  const rutRoadPlace end = rut_road_curve_at(&c, c.length);
  if (!is_near(end.x, end.y)) {
    FAIL(r, shape, "", "ends more than 1e7 m away");
    return;
  }
  if (r->file->curve.n > road->curve.first) {
    const rutRoadCurve* last = rut_xodr_curve(r->file, r->file->curve.n - 1);
    if (c.s <= last->s) {
      FAIL(r, e, "", "'s' must be above %.9g, that of the <geometry> before it", last->s);
      return;
    }
    const rutRoadPlace from = rut_road_curve_at(last, last->length);
    const double gap = rut_hypot(from.x - c.x, from.y - c.y);
    if (gap > CONNECTED) {
      rut_report_warning(r->reporter, place_of(r, e), e->name,
                         "begins %.3g m from where the <geometry> before it ends", gap);
    }
  }
  rutRoadCurve* kept = PUSH(r, curve, rutRoadCurve);
  if (kept) *kept = c;
}

static void read_plan(Reader* r, const rutXmlElement* element, rutXodrRoad* road) {
  const rutXmlElement* plan = child_of(element, "planView");
  road->curve.first = r->file->curve.n;
  for (const rutXmlElement* c = plan ? plan->first : NULL; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "geometry") == 0) read_geometry(r, c, road);
  }
  road->curve.n = r->file->curve.n - road->curve.first;
}

// ---- profiles ----

static void read_crossfall(Reader* r, const rutXmlElement* lateral, rutXodrRoad* road) {
  static const char* const sides[] = {"left", "right"};
  for (int k = 0; k < 2; k++) {
    road->crossfall[k].first = r->file->cubic.n;
    for (const rutXmlElement* c = lateral ? lateral->first : NULL; c && !enough(r); c = c->next) {
      const char* side = text_of(c, "side");
      const bool both = !side[0] || strcmp(side, "both") == 0;
      if (strcmp(c->name, "crossfall") == 0 && (both || strcmp(side, sides[k]) == 0)) {
        read_cubic(r, c, "s", 0);
      }
    }
    road->crossfall[k].n = r->file->cubic.n - road->crossfall[k].first;
    if (road->crossfall[k].n > 1) sort_cubics(r, road->crossfall[k], lateral);
  }
}

static int by_shape(const void* a, const void* b) {
  const rutXodrShape *p = a, *q = b;
  if (p->s != q->s) return p->s > q->s ? 1 : -1;
  return (p->cubic.s > q->cubic.s) - (p->cubic.s < q->cubic.s);
}

static void read_shapes(Reader* r, const rutXmlElement* lateral, rutXodrRoad* road) {
  road->shape.first = r->file->shape.n;
  for (const rutXmlElement* c = lateral ? lateral->first : NULL; c && !enough(r); c = c->next) {
    rutXodrShape* shape = strcmp(c->name, "shape") == 0 ? PUSH(r, shape, rutXodrShape) : NULL;
    if (!shape) continue;
    shape->s = number(r, c, "s");
    shape->cubic = (rutRoadCubic){number(r, c, "t"), optional(r, c, "a", 0), optional(r, c, "b", 0),
                                  optional(r, c, "c", 0), optional(r, c, "d", 0)};
  }
  road->shape.n = r->file->shape.n - road->shape.first;
  if (road->shape.n > 1) {
    qsort((rutXodrShape*)r->file->shape.item + road->shape.first, (size_t)road->shape.n,
          sizeof(rutXodrShape), by_shape);
  }
}

// ---- lanes ----

static void read_mark(Reader* r, const rutXmlElement* e, double base) {
  rutXodrMark* m = PUSH(r, mark, rutXodrMark);
  if (!m) return;
  const char* type = text_of(e, "type");
  const bool bold = strcmp(text_of(e, "weight"), "bold") == 0;
  *m = (rutXodrMark){.at = base + optional(r, e, "sOffset", 0),
                     .width = optional(r, e, "width", bold ? 0.25 : 0.12),
                     .broken = strstr(type, "broken") != NULL,
                     .none = !type[0] || strcmp(type, "none") == 0,
                     .lines = strchr(type, ' ') ? 2 : 1,
                     .length = 3,
                     .space = 6};
  const rutXmlElement* line = child_of(child_of(e, "type"), "line");
  if (!line) return;
  m->length = optional(r, line, "length", m->length);
  m->space = optional(r, line, "space", m->space);
}

static void read_lane_parts(Reader* r, const rutXmlElement* e, double base, rutXodrLane* lane) {
  lane->height.first = r->file->height.n;
  lane->material.first = r->file->material.n;
  lane->mark.first = r->file->mark.n;
  for (const rutXmlElement* c = e->first; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "height") == 0) {
      rutXodrHeight* h = PUSH(r, height, rutXodrHeight);
      const double at = base + optional(r, c, "sOffset", 0);
      const double inner = optional(r, c, "inner", 0), outer = optional(r, c, "outer", 0);
      if (h) *h = (rutXodrHeight){at, inner, outer};
    } else if (strcmp(c->name, "material") == 0) {
      rutXodrMaterial* m = PUSH(r, material, rutXodrMaterial);
      const double at = base + optional(r, c, "sOffset", 0);
      if (m) *m = (rutXodrMaterial){at, optional(r, c, "friction", RUT_NAN)};
    } else if (strcmp(c->name, "roadMark") == 0) {
      read_mark(r, c, base);
    }
  }
  lane->height.n = r->file->height.n - lane->height.first;
  lane->material.n = r->file->material.n - lane->material.first;
  lane->mark.n = r->file->mark.n - lane->mark.first;
}

static void read_lane(Reader* r, const rutXmlElement* e, double base, int side) {
  static const char* const ends[] = {"predecessor", "successor"};
  const int before = r->reporter->errors;
  const double id = number(r, e, "id");
  if (r->reporter->errors > before) return;
  if (!(rut_abs(id) < 10000) || id != (int)id || (side == 0) != (id == 0) || side * id < 0) {
    FAIL(r, e, "",
         "'id' must be a whole number: above 0 in <left>, 0 in <center>, below 0 in "
         "<right>");
    return;
  }
  rutXodrLane lane = {
      .id = (int)id,
      .type = text_of(e, "type"),
      .level = strcmp(text_of(e, "level"), "true") == 0 || strcmp(text_of(e, "level"), "1") == 0};
  lane.width = read_cubics(r, e, "width", "sOffset", base);
  lane.border = read_cubics(r, e, "border", "sOffset", base);
  read_lane_parts(r, e, base, &lane);
  const rutXmlElement* link = child_of(e, "link");
  for (int k = 0; k < 2; k++) {
    const rutXmlElement* to = child_of(link, ends[k]);
    lane.linked[k] = to != NULL;
    lane.link[k] = to ? (int)rut_clamp(optional(r, to, "id", 0), -10000, 10000) : 0;
  }
  rutXodrLane* kept = PUSH(r, lane, rutXodrLane);
  if (kept) *kept = lane;
}

static int by_id(const void* a, const void* b) {
  const int x = ((const rutXodrLane*)a)->id, y = ((const rutXodrLane*)b)->id;
  return (x > y) - (x < y);
}

static void read_section(Reader* r, const rutXmlElement* e) {
  static const char* const sides[] = {"right", "center", "left"};
  const double s = number(r, e, "s");
  const rutXodrRange none = {r->file->lane.n, 0};
  for (const rutXmlElement* c = e->first; c; c = c->next) {
    for (int k = 0; k < RUT_COUNT_OF(sides); k++) {
      if (strcmp(c->name, sides[k]) != 0) continue;
      for (const rutXmlElement* l = c->first; l && !enough(r); l = l->next) {
        if (strcmp(l->name, "lane") == 0) read_lane(r, l, s, k - 1);
      }
    }
  }
  rutXodrRange range = {none.first, r->file->lane.n - none.first};
  rutXodrLane* lane = (rutXodrLane*)r->file->lane.item + range.first;
  if (range.n > RUT_XODR_MAX_LANES) {
    FAIL(r, e, "", "has more than %d lanes", RUT_XODR_MAX_LANES);
    return;
  }
  if (range.n > 1) qsort(lane, (size_t)range.n, sizeof *lane, by_id);
  for (int i = 1; i < range.n; i++) {
    if (lane[i].id != lane[i - 1].id) continue;
    FAIL(r, e, "", "has two lanes %d", lane[i].id);
    return;
  }
  rutXodrSection* section = PUSH(r, section, rutXodrSection);
  if (section) *section = (rutXodrSection){s, 0, range, place_of(r, e)};
}

static void read_sections(Reader* r, const rutXmlElement* element, rutXodrRoad* road) {
  const rutXmlElement* lanes = child_of(element, "lanes");
  road->offset = read_cubics(r, lanes, "laneOffset", "s", 0);
  road->section.first = r->file->section.n;
  for (const rutXmlElement* c = lanes ? lanes->first : NULL; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "laneSection") != 0) continue;
    const int before = r->file->section.n;
    read_section(r, c);
    if (before == road->section.first || r->file->section.n == before) continue;
    rutXodrSection* last = (rutXodrSection*)r->file->section.item + before - 1;
    if (last[1].s == last[0].s) {
      rut_report_warning(r->reporter, last[0].place, "laneSection",
                         "dropped: it has no length, the next one begins at the same place");
      last[0] = last[1];
      r->file->section.n--;
      continue;
    }
    if (!(last[1].s > last[0].s)) {
      FAIL(r, c, "", "'s' must be above %.9g, that of the <laneSection> before it", last[0].s);
    }
    last->end = last[1].s;
  }
  road->section.n = r->file->section.n - road->section.first;
  if (road->section.n > 0) {
    ((rutXodrSection*)r->file->section.item)[r->file->section.n - 1].end = road->length;
  }
}

// ---- objects ----

static void read_corners(Reader* r, const rutXmlElement* outline, rutXodrObject* object) {
  object->corner.first = r->file->corner.n / 3;
  for (const rutXmlElement* c = outline ? outline->first : NULL; c && !enough(r); c = c->next) {
    const bool road = strcmp(c->name, "cornerRoad") == 0;
    if (!road && strcmp(c->name, "cornerLocal") != 0) continue;
    const double at[3] = {number(r, c, road ? "s" : "u"), number(r, c, road ? "t" : "v"),
                          optional(r, c, "height", 0)};
    for (int k = 0; k < 3; k++) {
      double* kept = PUSH(r, corner, double);
      if (kept) *kept = at[k];
    }
    object->road_corners = road;
    object->corner.n++;
  }
}

static void read_repeat(Reader* r, const rutXmlElement* e, rutXodrObject* o) {
  o->repeat = (rutXodrRepeat){
      .given = true,
      .s = optional(r, e, "s", o->s),
      .length = optional(r, e, "length", 0),
      .distance = optional(r, e, "distance", 0),
      .t = {optional(r, e, "tStart", o->t), optional(r, e, "tEnd", o->t)},
      .width = {optional(r, e, "widthStart", o->width), optional(r, e, "widthEnd", o->width)},
      .height = {optional(r, e, "heightStart", o->height), optional(r, e, "heightEnd", o->height)}};
}

static void read_object(Reader* r, const rutXmlElement* e) {
  rutXodrObject o = {.id = text_of(e, "id"),
                     .type = text_of(e, "type"),
                     .name = text_of(e, "name"),
                     .s = number(r, e, "s"),
                     .t = number(r, e, "t"),
                     .z = optional(r, e, "zOffset", 0),
                     .heading = optional(r, e, "hdg", 0),
                     .length = optional(r, e, "length", RUT_NAN),
                     .width = optional(r, e, "width", RUT_NAN),
                     .height = optional(r, e, "height", RUT_NAN),
                     .radius = optional(r, e, "radius", RUT_NAN),
                     .place = place_of(r, e)};
  const rutXmlElement* repeat = child_of(e, "repeat");
  if (repeat) read_repeat(r, repeat, &o);
  const rutXmlElement* outlines = child_of(e, "outlines");
  read_corners(r, child_of(outlines ? outlines : e, "outline"), &o);
  rutXodrObject* kept = PUSH(r, object, rutXodrObject);
  if (kept) *kept = o;
}

static void read_objects(Reader* r, const rutXmlElement* element, rutXodrRoad* road) {
  const rutXmlElement* objects = child_of(element, "objects");
  road->object.first = r->file->object.n;
  for (const rutXmlElement* c = objects ? objects->first : NULL; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "object") == 0) read_object(r, c);
    if (strcmp(c->name, "bridge") == 0 || strcmp(c->name, "tunnel") == 0) r->file->bridges++;
  }
  road->object.n = r->file->object.n - road->object.first;
}

static void read_signal(Reader* r, const rutXmlElement* e) {
  const rutXodrSignal signal = {.id = text_of(e, "id"),
                                .type = text_of(e, "type"),
                                .subtype = text_of(e, "subtype"),
                                .country = text_of(e, "country"),
                                .name = text_of(e, "name"),
                                .orientation = text_of(e, "orientation"),
                                .dynamic = strcmp(text_of(e, "dynamic"), "yes") == 0,
                                .s = number(r, e, "s"),
                                .t = number(r, e, "t"),
                                .z = optional(r, e, "zOffset", RUT_NAN),
                                .height = optional(r, e, "height", RUT_NAN),
                                .width = optional(r, e, "width", RUT_NAN),
                                .heading = optional(r, e, "hOffset", 0),
                                .place = place_of(r, e)};
  rutXodrSignal* kept = PUSH(r, signal, rutXodrSignal);
  if (kept) *kept = signal;
}

static void read_signals(Reader* r, const rutXmlElement* element, rutXodrRoad* road) {
  const rutXmlElement* signals = child_of(element, "signals");
  road->signal.first = r->file->signal.n;
  for (const rutXmlElement* c = signals ? signals->first : NULL; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "signal") == 0) read_signal(r, c);
  }
  road->signal.n = r->file->signal.n - road->signal.first;
}

// What a road or the file has besides, which is not read but told.
static void tell_dropped(Reader* r, const rutXmlElement* element) {
  const rutXmlElement* surface = child_of(element, "surface");
  for (const rutXmlElement* c = surface ? surface->first : NULL; c; c = c->next) {
    if (strcmp(c->name, "CRG") != 0) continue;
    rut_report_warning(r->reporter, place_of(r, c), "CRG",
                       "dropped: the surface '%.100s' laid on the road; <terrain type=\"opencrg\"> "
                       "reads it",
                       text_of(c, "file"));
  }
  for (const rutXmlElement* c = element->first; c; c = c->next) {
    if (strcmp(c->name, "include") != 0) continue;
    rut_report_warning(r->reporter, place_of(r, c), "include",
                       "dropped: what '%.100s' holds, which is not read", text_of(c, "file"));
  }
}

// ---- roads and junctions ----

static rutXodrLink read_link(const rutXmlElement* e) {
  if (!e) return (rutXodrLink){0};
  const bool junction = strcmp(text_of(e, "elementType"), "junction") == 0;
  return (rutXodrLink){junction ? RUT_XODR_JUNCTION : RUT_XODR_ROAD, text_of(e, "elementId"),
                       strcmp(text_of(e, "contactPoint"), "end") == 0};
}

static double read_speed(Reader* r, const rutXmlElement* element) {
  const rutXmlElement* speed = child_of(child_of(element, "type"), "speed");
  const char* max = text_of(speed, "max");
  if (!max[0] || strcmp(max, "no limit") == 0 || strcmp(max, "undefined") == 0) return 0;
  const char* unit = text_of(speed, "unit");
  const double factor = strcmp(unit, "km/h") == 0  ? 1 / 3.6
                        : strcmp(unit, "mph") == 0 ? 0.44704
                                                   : 1;
  return factor * optional(r, speed, "max", 0);
}

static void check_length(Reader* r, const rutXmlElement* e, const rutXodrRoad* road) {
  const rutRoadCurve* last = rut_xodr_curve(r->file, road->curve.first + road->curve.n - 1);
  if (rut_abs(last->s + last->length - road->length) < 0.01 + 1e-4 * road->length) return;
  rut_report_warning(r->reporter, place_of(r, e), e->name,
                     "'length' is %.9g, its geometry ends at %.9g: this is its length",
                     road->length, last->s + last->length);
}

static void read_road(Reader* r, const rutXmlElement* e) {
  const int before = r->reporter->errors;
  rutXodrRoad road = {.id = text_of(e, "id"),
                      .name = text_of(e, "name"),
                      .junction = text_of(e, "junction"),
                      .length = number(r, e, "length"),
                      .left_hand = strcmp(text_of(e, "rule"), "LHT") == 0,
                      .place = place_of(r, e)};
  if (!road.id[0]) FAIL(r, e, "", "needs 'id'");
  if (r->file->road.n == RUT_XODR_MAX_ROADS) {
    FAIL(r, e, "", "the file has more than %d roads", RUT_XODR_MAX_ROADS);
    return;
  }
  if (road.id[0] && rut_xodr_find(r->file, road.id) >= 0) {
    FAIL(r, e, "", "there is another road '%.40s'", road.id);
  }
  const rutXmlElement *link = child_of(e, "link"), *lateral = child_of(e, "lateralProfile");
  road.link[0] = read_link(child_of(link, "predecessor"));
  road.link[1] = read_link(child_of(link, "successor"));
  road.speed = read_speed(r, e);
  read_plan(r, e, &road);
  if (road.curve.n == 0 && r->reporter->errors == before) {
    rut_report_warning(
        r->reporter, place_of(r, e), e->name,
        "dropped: the road '%.40s' has no <geometry> with a length in its <planView>", road.id);
    return;
  }
  if (r->reporter->errors == before) check_length(r, e, &road);
  if (road.curve.n > 0) {
    const rutRoadCurve* last = rut_xodr_curve(r->file, road.curve.first + road.curve.n - 1);
    road.length = last->s + last->length;
  }
  road.elevation = read_cubics(r, child_of(e, "elevationProfile"), "elevation", "s", 0);
  road.superelevation = read_cubics(r, lateral, "superelevation", "s", 0);
  read_crossfall(r, lateral, &road);
  read_shapes(r, lateral, &road);
  read_sections(r, e, &road);
  read_objects(r, e, &road);
  read_signals(r, e, &road);
  tell_dropped(r, e);
  rutXodrRoad* kept = r->reporter->errors == before ? PUSH(r, road, rutXodrRoad) : NULL;
  if (kept) *kept = road;
}

static void read_junction(Reader* r, const rutXmlElement* e) {
  for (const rutXmlElement* c = e->first; c && !enough(r); c = c->next) {
    if (strcmp(c->name, "connection") != 0) continue;
    rutXodrConnection k = {.junction = text_of(e, "id"),
                           .incoming = text_of(c, "incomingRoad"),
                           .connecting = text_of(c, "connectingRoad"),
                           .at_end = strcmp(text_of(c, "contactPoint"), "end") == 0,
                           .link = {r->file->lane_link.n, 0}};
    for (const rutXmlElement* l = c->first; l && !enough(r); l = l->next) {
      rutXodrLaneLink* link =
          strcmp(l->name, "laneLink") == 0 ? PUSH(r, lane_link, rutXodrLaneLink) : NULL;
      if (!link) continue;
      link->from = (int)rut_clamp(number(r, l, "from"), -10000, 10000);
      link->to = (int)rut_clamp(number(r, l, "to"), -10000, 10000);
      k.link.n++;
    }
    rutXodrConnection* kept = PUSH(r, connection, rutXodrConnection);
    if (kept) *kept = k;
  }
}

static void read_header(Reader* r, const rutXmlElement* e) {
  static const char* const axes[] = {"x", "y", "z", "hdg"};
  const rutXmlElement *reference = child_of(e, "geoReference"), *offset = child_of(e, "offset");
  r->file->reference = reference ? reference->text : "";
  for (int k = 0; offset && k < 4; k++) {
    r->file->offset[k] = optional(r, offset, axes[k], 0);
    r->file->has_offset = r->file->has_offset || r->file->offset[k] != 0;
  }
}

enum { LISTS = 14 };

static void lists_of(rutXodr* file, rutXodrList* list[LISTS]) {
  rutXodrList* const all[LISTS] = {
      &file->road,   &file->curve,      &file->cubic,     &file->shape, &file->section,
      &file->lane,   &file->height,     &file->material,  &file->mark,  &file->object,
      &file->corner, &file->connection, &file->lane_link, &file->signal};
  memcpy(list, all, sizeof all);
}

// Lists without items have a place all the same, so that their first item can be pointed to.
static void open_lists(Reader* r) {
  rutXodrList* list[LISTS];
  lists_of(r->file, list);
  for (int i = 0; i < LISTS; i++) {
    list[i]->item = malloc(1);
    r->full = r->full || !list[i]->item;
  }
}

bool rut_xodr_recognise(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) && strcmp(name, "OpenDRIVE") == 0;
}

rutStatus rut_xodr_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                        rutXodr* out) {
  const int before = reporter->errors;
  *out = (rutXodr){.file = file, .reference = ""};
  const rutStatus status = rut_xml_parse(text, size, file, false, reporter, &out->xml);
  if (status != RUT_OK) return status;
  Reader r = {.file = out, .reporter = reporter};
  open_lists(&r);
  const rutXmlElement* root = rut_xml_root(out->xml);
  if (strcmp(root->name, "OpenDRIVE") != 0) {
    FAIL(&r, root, "", "a road network begins with <OpenDRIVE>");
  }
  tell_dropped(&r, root);
  for (const rutXmlElement* c = root->first; c && !enough(&r); c = c->next) {
    if (strcmp(c->name, "header") == 0) read_header(&r, c);
    if (strcmp(c->name, "header") == 0) tell_dropped(&r, c);
    if (strcmp(c->name, "road") == 0) read_road(&r, c);
    if (strcmp(c->name, "junction") == 0) read_junction(&r, c);
  }
  if (r.full) {
    return rut_report_error(reporter, RUT_ERR_MEMORY, place_of(&r, root), "", "", "out of memory");
  }
  if (out->road.n == 0 && reporter->errors == before)
    FAIL(&r, root, "", "it has no <road> with a length");
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

void rut_xodr_free(rutXodr* file) {
  rutXodrList* list[LISTS];
  lists_of(file, list);
  for (int i = 0; i < LISTS; i++) free(list[i]->item);
  if (file->xml) rut_xml_destroy(file->xml);
  *file = (rutXodr){0};
}
