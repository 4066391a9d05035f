// SPDX-License-Identifier: BSD-3-Clause
//
// A road network as a world: its surface, its objects as blocks, and a car in its first lane.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/road_world.h"
#include "format/xodr_path.h"
#include "math/rut_math.h"

enum {
  MOST_BLOCKS = 5000,
  MOST_CORNERS = 16,
  MOST_SIGNS = 2000,
  MOST_TOLD = 200,
  CAR_POINTS = 100
};
static const double DEFAULT_SPEED = 10;  // [m/s]
static const double THIN = 0.2;          // width of such an object without any [m]
static const double PIECE = 4;           // of an object that goes on along a road [m]

typedef struct Maker {
  rutRoadWorld world;
  const rutXodr* file;
  int blocks, dropped, signs, told;
  const char* dropped_type;  // the first one
} Maker;

// ---- objects ----

// Things on or above the surface that are no obstacles.
static bool is_flat(const rutXodrObject* o) {
  static const char* const flat[] = {"parkingSpace", "crosswalk", "roadMark",
                                     "patch",        "none",      "streetLamp_light"};
  for (int i = 0; i < RUT_COUNT_OF(flat); i++) {
    if (strcmp(o->type, flat[i]) == 0) return true;
  }
  return !(o->height > 0);
}

static rutNode add_block(Maker* m, const rutXodrObject* o, const double at[3], double yaw) {
  char name[64];
  snprintf(name, sizeof name, "object_%d", ++m->blocks);
  const rutNode block = rut_road_add(&m->world, rut_spec_root(m->world.spec), "block", "", name);
  rut_road_set_list(&m->world, block, "position", 2, at);
  rut_road_set(&m->world, block, "yaw", yaw);
  rut_road_set(&m->world, block, "fixed", 1);
  rut_road_set(&m->world, block, "z_min", o->z);
  rut_road_set(&m->world, block, "z_max", o->z + o->height);
  return block;
}

// A polygon about its own corners. False if it has too few or too many.
static bool shape_outline(Maker* m, const rutXodrObject* o, const rutXodrRoad* road,
                          const double at[3], double yaw, rutNode* block) {
  const int n = o->corner.n;
  if (n < 3 || n > MOST_CORNERS) return false;
  const double* corner = (const double*)m->file->corner.item + 3 * (size_t)o->corner.first;
  double outline[2 * MOST_CORNERS], height = 0, s, c;
  rut_sincos(yaw, &s, &c);
  for (int i = 0; i < n; i++) {
    const double* p = corner + 3 * (size_t)i;
    double place[3];
    height = rut_max(height, p[2]);
    if (o->road_corners) {
      rut_xodr_point(m->file, road, rut_clamp(p[0], 0, road->length), p[1], place);
      const double dx = place[0] - at[0], dy = place[1] - at[1];
      outline[2 * i] = c * dx + s * dy;
      outline[2 * i + 1] = c * dy - s * dx;
    } else {
      outline[2 * i] = p[0];
      outline[2 * i + 1] = p[1];
    }
  }
  rutXodrObject solid = *o;
  if (!(solid.height > 0)) solid.height = height;
  if (!(solid.height > 0)) return false;
  *block = add_block(m, &solid, at, yaw);
  rut_road_set_list(&m->world, *block, "outline", 2 * n, outline);
  return true;
}

static void place_object(Maker* m, const rutXodrObject* o, const rutXodrRoad* road, double s,
                         double t) {
  if (m->blocks >= MOST_BLOCKS) return;
  const double within = rut_clamp(s, 0, road->length);
  double at[3];
  rut_xodr_point(m->file, road, within, t, at);
  const double yaw = rut_xodr_line_at(m->file, road, within).heading + o->heading;
  rutNode block;
  if (o->corner.n > 0 && shape_outline(m, o, road, at, yaw, &block)) return;
  if (is_flat(o)) {
    if (m->dropped++ == 0) m->dropped_type = o->type[0] ? o->type : o->name;
  } else if (o->radius > 0) {
    block = add_block(m, o, at, yaw);
    rut_road_set_text(&m->world, block, "shape", "cylinder");
    rut_road_set(&m->world, block, "radius", o->radius);
    rut_road_set(&m->world, block, "length", o->height);
  } else if (o->length > 0 && o->width > 0) {
    const double size[3] = {o->length, o->width, o->height};
    block = add_block(m, o, at, yaw);
    rut_road_set_text(&m->world, block, "shape", "box");
    rut_road_set_list(&m->world, block, "size", 3, size);
  } else if (m->dropped++ == 0) {
    m->dropped_type = o->type[0] ? o->type : o->name;
  }
}

// Value between both ends; that of the start where the end has none.
static double between(const double ends[2], double share) {
  return ends[1] == ends[1] ? ends[0] + share * (ends[1] - ends[0]) : ends[0];
}

// Copies along a road. One that goes on without a gap becomes pieces, thin where it says no width.
static void repeat_object(Maker* m, const rutXodrObject* o, const rutXodrRoad* road) {
  const rutXodrRepeat* repeat = &o->repeat;
  const bool whole = !(repeat->distance > 0);
  const double step = whole ? PIECE : rut_max(repeat->distance, 0.1);
  const double length = rut_clamp(repeat->length, 0, road->length);
  const double first = whole ? 0.5 * rut_min(PIECE, length) : 0;
  for (int i = 0; m->blocks + m->dropped < MOST_BLOCKS; i++) {
    const double s = first + i * step;
    if (s > length) break;
    rutXodrObject piece = *o;
    const double share = length > 0 ? s / length : 0;
    piece.width = between(repeat->width, share);
    piece.height = between(repeat->height, share);
    if (whole) piece.length = rut_min(PIECE, length);
    if (whole && !(piece.width > 0)) piece.width = THIN;
    place_object(m, &piece, road, repeat->s + s, between(repeat->t, share));
  }
}

static void add_objects(Maker* m, const rutXodrRoad* road) {
  for (int i = 0; i < road->object.n; i++) {
    const rutXodrObject* o = (const rutXodrObject*)m->file->object.item + road->object.first + i;
    if (o->repeat.given) {
      repeat_object(m, o, road);
    } else {
      place_object(m, o, road, o->s, o->t);
    }
  }
}

// ---- signals ----

// Whether drivers take it for an order, an information, or a warning, by the first digits that the
// German catalogue gives its numbers; other countries' signs are warnings.
static const char* sign_kind(const rutXodrSignal* signal) {
  const bool numbered =
      signal->type[0] && strspn(signal->type, "0123456789") == strlen(signal->type);
  if (!numbered || strlen(signal->type) != 3) return "warning";
  return signal->type[0] == '2' ? "order" : signal->type[0] == '1' ? "warning" : "information";
}

// Whether a place is in a lane on which vehicles drive: what is told there hangs above it or is
// painted on it.
static bool in_lane(const rutXodr* file, const rutXodrRoad* road, double s, double t) {
  static const char* const beside[] = {"none",   "border",     "shoulder", "sidewalk", "curb",
                                       "median", "restricted", "walking",  "parking"};
  const int index = rut_xodr_section_at(file, road, s);
  if (index < 0) return false;
  const rutXodrSection* section = rut_xodr_section(file, index);
  for (int i = 0; i < section->lane.n; i++) {
    const rutXodrLane* lane = rut_xodr_lane(file, section->lane.first + i);
    bool drives = lane->id != 0;
    for (int k = 0; k < RUT_COUNT_OF(beside); k++) {
      drives = drives && strcmp(lane->type, beside[k]) != 0;
    }
    if (!drives) continue;
    rutRoadCubic border[2];
    rut_xodr_borders(file, road, section, lane->id, s, border);
    const double p = rut_road_cubic_at(&border[0], s).v, q = rut_road_cubic_at(&border[1], s).v;
    if (t > rut_min(p, q) && t < rut_max(p, q)) return true;
  }
  return false;
}

static void tell_signal(Maker* m, const rutXodrSignal* signal, const rutXodrRoad* road,
                        const double at[3], const char* fate) {
  if (m->told++ >= MOST_TOLD) return;
  rut_report_note(m->world.reporter, signal->place, "signal",
                  "%s: '%.40s' of road '%.40s', type %.20s%s%.20s%s%.20s%s, at (%.6g, %.6g) m",
                  fate, signal->id, road->id, signal->type[0] ? signal->type : "none",
                  signal->subtype[0] ? "-" : "", signal->subtype, signal->country[0] ? " of " : "",
                  signal->country, signal->dynamic ? ", a light" : "", at[0], at[1]);
}

// A sign on its post, a light as a post. Those painted on lanes, above them, or without a height
// are named only.
static void add_signal(Maker* m, const rutXodrSignal* signal, const rutXodrRoad* road) {
  static const double LOW = 0.1, PLATE = 0.6;  // of plates that are lower or have no size [m]
  const double s = rut_clamp(signal->s, 0, road->length);
  const bool against = strcmp(signal->orientation, "-") == 0;
  double at[3];
  rut_xodr_point(m->file, road, s, signal->t, at);
  const double yaw =
      rut_xodr_line_at(m->file, road, s).heading + signal->heading + (against ? RUT_PI : 0);
  const bool above = in_lane(m->file, road, s, signal->t);
  const bool stands = !above && (signal->z >= LOW || signal->height >= LOW);
  const bool kept = stands && m->signs < MOST_SIGNS;
  tell_signal(m, signal, road, at,
              kept    ? "kept"
              : above ? "dropped, since it is in a lane"
                      : "dropped");
  if (!kept) return;
  m->signs++;
  const rutNode node = rut_road_add(&m->world, rut_spec_root(m->world.spec), "scenery",
                                    signal->dynamic ? "pole" : "sign", "");
  rut_road_set_list(&m->world, node, "places", 2, at);
  rut_road_set(&m->world, node, "yaw", rut_atan2(rut_sin(yaw), rut_cos(yaw)));
  if (signal->dynamic) return;
  rut_road_set_text(&m->world, node, "kind", sign_kind(signal));
  if (signal->z == signal->z)
    rut_road_set(&m->world, node, "height", rut_clamp(signal->z, LOW, 20));
  const double plate = signal->width > 0    ? signal->width
                       : signal->height > 0 ? signal->height
                                            : PLATE;
  rut_road_set(&m->world, node, "plate", rut_clamp(plate, 0.05, 10));
}

// ---- where it is ----

// A number behind a word of a PROJ string. False if it is not there.
static bool projection_number(const char* text, const char* word, double* value) {
  const char *at = strstr(text, word), *end;
  return at && rut_parse_number(at + strlen(word), value, &end);
}

static void set_reference(Maker* m) {
  const rutXodr* file = m->file;
  const rutNode world = rut_spec_root(m->world.spec);
  double latitude = 0, longitude = 0, x = 0, y = 0;
  const bool mercator = strstr(file->reference, "+proj=tmerc") != NULL;
  projection_number(file->reference, "+x_0=", &x);
  projection_number(file->reference, "+y_0=", &y);
  const bool here = mercator && x == 0 && y == 0 && !file->has_offset &&
                    projection_number(file->reference, "+lat_0=", &latitude) &&
                    projection_number(file->reference, "+lon_0=", &longitude) &&
                    rut_abs(latitude) <= 90 && rut_abs(longitude) <= 180;
  if (here) {
    rut_road_set(&m->world, world, "latitude", latitude * RUT_PI / 180);
    rut_road_set(&m->world, world, "longitude", longitude * RUT_PI / 180);
    rut_report_note(m->world.reporter, m->world.place, "geoReference",
                    "kept: the origin is at %.9g, %.9g degrees", latitude, longitude);
  } else if (file->reference[0]) {
    rut_report_note(m->world.reporter, m->world.place, "geoReference", "dropped: '%.100s'",
                    file->reference);
  }
  if (file->has_offset) {
    rut_report_note(m->world.reporter, m->world.place, "offset",
                    "dropped: the world is the file's own frame; (%.9g, %.9g, %.9g) m and %.9g rad "
                    "lead to the projection",
                    file->offset[0], file->offset[1], file->offset[2], file->offset[3]);
  }
}

// ---- the car ----

// A lane to drive in, -1 or else 1, of the first road that is in no junction.
static void add_car(Maker* m) {
  static const int lanes[] = {-1, 1, -2, 2, 0};
  int first = 0;
  for (int i = 0; i < m->file->road.n; i++) {
    const char* junction = rut_xodr_road(m->file, i)->junction;
    first = i;
    if (!junction[0] || strcmp(junction, "-1") == 0) break;
  }
  const rutXodrRoad* road = rut_xodr_road(m->file, first);
  if (road->section.n == 0) return;
  int lane = 0;
  for (int i = RUT_COUNT_OF(lanes) - 2; i >= 0; i--) {
    const int at =
        rut_xodr_find_lane(m->file, rut_xodr_section(m->file, road->section.first), lanes[i]);
    if (at >= 0 && strcmp(rut_xodr_lane(m->file, at)->type, "driving") == 0) lane = lanes[i];
  }
  // roads that follow by their links, up to a junction or the first one again
  char roads[600];
  int used = snprintf(roads, sizeof roads, "%s", road->id);
  const bool forward = lane <= 0;
  for (int at = first, n = 0; n < 20; n++) {
    const rutXodrLink* link = &rut_xodr_road(m->file, at)->link[forward ? 1 : 0];
    const int next = link->kind == RUT_XODR_ROAD ? rut_xodr_find(m->file, link->id) : -1;
    if (next < 0 || next == first || link->at_end == forward) break;
    const int more = (int)strlen(link->id) + 1;
    if (used + more >= (int)sizeof roads) break;
    used += snprintf(roads + used, sizeof roads - (size_t)used, " %s", link->id);
    at = next;
  }
  const rutPathRoute route = {
      .roads = roads, .lane = lane, .most = CAR_POINTS, .place = m->world.place};
  rutPathPoints path = {0};
  if (used < (int)sizeof roads &&
      rut_xodr_path(m->file, &route, &path, m->world.reporter) == RUT_OK) {
    const double speed = road->speed > 0.5 && road->speed < 40 ? road->speed : DEFAULT_SPEED;
    rut_road_add_car(&m->world, &path, speed);
    double length = 0;
    for (int i = 1; i < path.n; i++) {
      length +=
          rut_hypot(path.xy[2 * i] - path.xy[2 * i - 2], path.xy[2 * i + 1] - path.xy[2 * i - 1]);
    }
    rut_road_set(&m->world, rut_spec_root(m->world.spec), "duration",
                 rut_floor(length / speed) + 20);
    rut_report_note(m->world.reporter, m->world.place, "vehicle",
                    "guessed: a car drives in lane %d of the roads %s at %.3g m/s", lane, roads,
                    speed);
  }
  rut_path_points_free(&path);
}

static void make_world(Maker* m) {
  set_reference(m);
  rut_road_add_terrain(&m->world, "opendrive", m->file->file);
  for (int i = 0; i < m->file->road.n; i++) {
    const rutXodrRoad* road = rut_xodr_road(m->file, i);
    add_objects(m, road);
    for (int k = 0; k < road->signal.n; k++) {
      add_signal(m, (const rutXodrSignal*)m->file->signal.item + road->signal.first + k, road);
    }
  }
  rut_report_note(m->world.reporter, m->world.place, "OpenDRIVE",
                  "kept: the surface of %d roads, %d objects as blocks", m->file->road.n,
                  m->blocks);
  if (m->blocks >= MOST_BLOCKS) {
    rut_report_warning(m->world.reporter, m->world.place, "object",
                       "dropped: objects beyond the first %d", MOST_BLOCKS);
  }
  if (m->dropped > 0) {
    rut_report_note(m->world.reporter, m->world.place, "object",
                    "dropped: %d objects that are flat or have no size, the first a '%.40s'",
                    m->dropped, m->dropped_type);
  }
  if (m->told > MOST_TOLD) {
    rut_report_note(m->world.reporter, m->world.place, "signal",
                    "%d signals, the first %d of which are told; %d are kept as signs or poles",
                    m->told, MOST_TOLD, m->signs);
  }
  if (m->file->bridges > 0) {
    rut_report_note(m->world.reporter, m->world.place, "bridge",
                    "dropped: %d bridges and tunnels; roads through them are kept",
                    m->file->bridges);
  }
  add_car(m);
}

static rutStatus xodr_read(rutContext* context, const char* text, size_t size, const char* name,
                           rutSpec* spec, rutError* err) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutXodr file;
  Maker m = {.world = {spec, reporter, {name, 1, 1}}, .file = &file};
  rut_node_place(spec, rut_spec_root(spec), NULL, m.world.place);
  rutStatus status = rut_xodr_read(text, size, name, reporter, &file);
  if (status == RUT_OK) make_world(&m);
  rut_xodr_free(&file);
  if (reporter->errors > before) status = reporter->first.status;
  if (status != RUT_OK && err) *err = reporter->first;
  return status;
}

const rutFormatType rut_format_opendrive = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "opendrive",
             .parents = "",
             .doc = "Road networks (OpenDRIVE): a world with the roads, their objects, and a car "
                    "that drives in the first lane."},
    .recognise = rut_xodr_recognise,
    .read = xodr_read};
