// SPDX-License-Identifier: BSD-3-Clause
//
// Suspensions of Chrono: their points, bodies, springs and dampers, in the chassis's frame. Points
// are those of the left side.
#include <string.h>

#include "format/chrono.h"

static const double DEGREE = 0.017453292519943295;
// Speed at which the rate of a degressive damper is taken [m/s].
static const double DAMPER_SPEED = 0.2;
// Rates of a map that differ by more are those of a zone.
static const double ZONE_SHARE = 0.1;

// ---- springs ----

static rutVec3 point(rutChronoPart* part, const rutJsonValue* object, const char* key, rutVec3 at) {
  rutVec3 p;
  if (!rut_chrono_vector(part, object, key, &p) && object && !rut_json_find(object, key)) {
    rut_json_error(&part->maker, object, object->key, "has no '%s'", key);
  }
  return rut_vec3_add(p, at);
}

void rut_chrono_read_spring(rutChronoPart* part, const rutJsonValue* object, rutChronoEnds ends,
                            rutVec3 at, rutChronoSpring* out) {
  *out = (rutChronoSpring){.given = true};
  out->top = point(part, object, ends.top, at);
  out->foot = point(part, object, ends.foot, at);
  const double length = rut_vec3_norm(rut_vec3_sub(out->top, out->foot));
  out->rate = rut_chrono_number(part, object, "Spring Coefficient", 0, 0);
  out->free_length = rut_chrono_number(part, object, "Free Length", length, 0);
  out->preload = rut_chrono_number(part, object, "Preload", 0, -1e12);
  rut_chrono_curve(part, object, "Spring Curve Data", &out->curve);
  // both or none, in this order
  const double a = rut_chrono_number(part, object, "Minimum Length", 0, 0);
  const double b = rut_chrono_number(part, object, "Maximum Length", 0, 0);
  if (a > 0 && b > 0) {
    out->shortest = rut_min(a, b);
    out->longest = rut_max(a, b);
  }
  if (out->curve.n == 0 && !rut_json_find(object, "Spring Coefficient")) {
    rut_json_error(&part->maker, object, object->key,
                   "needs 'Spring Coefficient' or 'Spring Curve Data'");
  }
}

// ---- dampers ----

// Rate of forces on one side of a standing damper: least squares through 0.
static double side_rate(int n, const double* speed, const double* force, double sense) {
  double top = 0, bottom = 0;
  for (int i = 0; i < n; i++) {
    if (!(sense * speed[i] > 0)) continue;
    top += force[i] * speed[i];
    bottom += speed[i] * speed[i];
  }
  return bottom > 0 ? rut_max(top / bottom, 0) : 0;
}

// Forces over lengths (columns) and speeds (rows).
typedef struct Map {
  int rows, columns;
  double length[RUT_CHRONO_MAX_POINTS];
  double speed[RUT_CHRONO_MAX_POINTS];
  double force[RUT_CHRONO_MAX_POINTS][RUT_CHRONO_MAX_POINTS];  // of a column, of a row
} Map;

static bool read_map(rutChronoPart* part, const rutJsonValue* object, Map* map) {
  rutJsonMaker* m = &part->maker;
  const rutJsonValue* list = rut_json_child(m, object, object->key, "Deformation", RUT_JSON_ARRAY);
  const rutJsonValue* rows = rut_json_child(m, object, object->key, "Map Data", RUT_JSON_ARRAY);
  double row[RUT_CHRONO_MAX_POINTS + 1];
  if (!list || !rows) return false;
  map->columns = list->children;
  map->rows = rows->children;
  if (map->columns < 1 || map->columns > RUT_CHRONO_MAX_POINTS || map->rows < 2 ||
      map->rows > RUT_CHRONO_MAX_POINTS) {
    rut_json_error(m, rows, rows->key, "a map has 1 to %d lengths and 2 to %d speeds",
                   RUT_CHRONO_MAX_POINTS, RUT_CHRONO_MAX_POINTS);
    return false;
  }
  if (!rut_json_numbers(m, list, list->key, map->columns, map->length)) return false;
  int r = 0;
  for (const rutJsonValue* item = rows->first; item; item = item->next, r++) {
    if (!rut_json_numbers(m, item, rows->key, map->columns + 1, row)) return false;
    map->speed[r] = row[0];
    for (int c = 0; c < map->columns; c++) map->force[c][r] = row[c + 1];
  }
  return true;
}

static bool alike(const Map* map, int a, int b) {
  bool same = true;
  for (int sense = -1; sense <= 1; sense += 2) {
    const double p = side_rate(map->rows, map->speed, map->force[a], sense);
    const double q = side_rate(map->rows, map->speed, map->force[b], sense);
    same = same && rut_abs(p - q) <= ZONE_SHARE * rut_max(p, q);
  }
  return same;
}

// Rates in the middle of a map, and those of zones where it begins and ends otherwise.
static void take_map(const Map* map, double length, rutChronoDamper* out) {
  int at = 0, low, high;
  for (int c = 1; c < map->columns; c++) {
    if (rut_abs(map->length[c] - length) < rut_abs(map->length[at] - length)) at = c;
  }
  low = high = at;
  while (low > 0 && alike(map, low - 1, at)) low--;
  while (high < map->columns - 1 && alike(map, high + 1, at)) high++;
  out->compression = side_rate(map->rows, map->speed, map->force[at], -1);
  out->rebound = side_rate(map->rows, map->speed, map->force[at], 1);
  if (low == 0 && high == map->columns - 1) return;
  const int other = low > 0 ? 0 : map->columns - 1;
  out->zone_short = low > 0 ? 0.5 * (map->length[low - 1] + map->length[low]) : 0;
  out->zone_long =
      high < map->columns - 1 ? 0.5 * (map->length[high] + map->length[high + 1]) : 1e3;
  out->zone_compression = side_rate(map->rows, map->speed, map->force[other], -1);
  out->zone_rebound = side_rate(map->rows, map->speed, map->force[other], 1);
}

void rut_chrono_read_damper(rutChronoPart* part, const rutJsonValue* object, rutChronoEnds ends,
                            rutVec3 at, rutChronoDamper* out) {
  rutChronoCurve curve;
  static const Map empty;
  *out = (rutChronoDamper){.given = true};
  out->top = point(part, object, ends.top, at);
  out->foot = point(part, object, ends.foot, at);
  const double rate = rut_chrono_number(part, object, "Damping Coefficient", 0, 0);
  const double short_share = rut_chrono_number(part, object, "Degressivity Compression", 0, 0);
  const double long_share = rut_chrono_number(part, object, "Degressivity Expansion", 0, 0);
  out->compression = rate / (1 + short_share * DAMPER_SPEED);
  out->rebound = rate / (1 + long_share * DAMPER_SPEED);
  if (short_share > 0 || long_share > 0) {
    rut_json_warn(&part->maker, object, object->key,
                  "guessed: a degressive damper has the rates %.5g and %.5g N s/m that it has at "
                  "%g m/s",
                  out->compression, out->rebound, DAMPER_SPEED);
  }
  if (rut_chrono_curve(part, object, "Damping Curve Data", &curve)) {
    out->compression = side_rate(curve.n, curve.x, curve.y, -1);
    out->rebound = side_rate(curve.n, curve.x, curve.y, 1);
  }
  if (!rut_json_find(object, "Map Data")) return;
  Map map = empty;
  if (!read_map(part, object, &map)) return;
  take_map(&map, rut_vec3_norm(rut_vec3_sub(out->top, out->foot)), out);
  rut_json_warn(&part->maker, object, object->key,
                "guessed: a map of forces becomes %.5g N s/m in compression and %.5g in rebound%s",
                out->compression, out->rebound,
                out->zone_long > 0 ? ", and others in zones at its ends" : "");
}

// ---- bodies ----

rutVec3 rut_chrono_arm_moments(const rutChronoArm* arm, rutSym3 j, bool vehicle_axes) {
  if (!vehicle_axes) return rut_vec3(j.xx, j.yy, j.zz);
  const rutVec3 u = rut_vec3_unit(rut_vec3_sub(arm->front, arm->rear));
  const rutVec3 w = rut_vec3_unit(
      rut_vec3_cross(rut_vec3_sub(arm->rear, arm->ball), rut_vec3_sub(arm->front, arm->ball)));
  const rutVec3 v = rut_vec3_cross(w, u);
  return rut_vec3(rut_vec3_dot(u, rut_sym3_apply(j, u)), rut_vec3_dot(v, rut_sym3_apply(j, v)),
                  rut_vec3_dot(w, rut_sym3_apply(j, w)));
}

static void read_arm(rutChronoPart* part, const char* key, rutVec3 at, bool body,
                     rutChronoArm* arm) {
  const rutJsonValue* object = rut_chrono_object(part, part->root, key, true);
  if (!object) return;
  arm->front = point(part, object, "Location Chassis Front", at);
  arm->rear = point(part, object, "Location Chassis Back", at);
  arm->ball = point(part, object, "Location Upright", at);
  arm->com = arm->ball;
  if (!body) return;
  const bool axes = rut_json_flag(&part->maker, part->root, "", "Vehicle-Frame Inertia", false);
  arm->com = point(part, object, "COM", at);
  arm->mass = rut_chrono_number(part, object, "Mass", 0, 0);
  arm->inertia = rut_chrono_arm_moments(arm, rut_chrono_inertia(part, object), axes);
}

static void read_spindle(rutChronoPart* part, rutVec3 at, rutChronoSuspension* s) {
  const rutJsonValue* spindle = rut_chrono_object(part, part->root, "Spindle", true);
  const rutJsonValue* axle = rut_chrono_object(part, part->root, "Axle", false);
  s->camber = rut_chrono_number(part, part->root, "Camber Angle (deg)", 0, -28) * DEGREE;
  s->toe = rut_chrono_number(part, part->root, "Toe Angle (deg)", 0, -28) * DEGREE;
  s->axle_inertia = rut_chrono_number(part, axle, "Inertia", 0, 0);
  if (!spindle) return;
  s->hub = point(part, spindle, "COM", at);
  s->spindle_mass = rut_chrono_number(part, spindle, "Mass", 0, 0);
  const rutSym3 j = rut_chrono_inertia(part, spindle);
  s->spindle_inertia = rut_vec3(j.xx, j.yy, j.zz);
}

static void read_upright(rutChronoPart* part, rutVec3 at, rutChronoSuspension* s) {
  const rutJsonValue* upright = rut_chrono_object(part, part->root, "Upright", true);
  const rutJsonValue* tie = rut_chrono_object(part, part->root, "Tierod", true);
  if (upright) {
    const rutSym3 j = rut_chrono_inertia(part, upright);
    s->upright_com = point(part, upright, "COM", at);
    s->upright_mass = rut_chrono_number(part, upright, "Mass", 0, 0);
    s->upright_inertia = rut_vec3(j.xx, j.yy, j.zz);
  }
  if (!tie) return;
  s->tie_inner = point(part, tie, "Location Chassis", at);
  s->tie_outer = point(part, tie, "Location Upright", at);
  s->tie_mass = rut_chrono_number(part, tie, "Mass", 0, 0);
}

// Spring and damper; `foot` is the key of their ends at the suspension. One object may be both.
static void read_struts(rutChronoPart* part, const char* foot, rutVec3 at, rutChronoSuspension* s) {
  const rutChronoEnds ends = {"Location Chassis", foot};
  const rutJsonValue* damper = rut_chrono_object(part, part->root, "Shock", true);
  const rutJsonValue* spring = rut_chrono_object(part, part->root, "Spring", false);
  if (!spring && damper && s->form == RUT_CHRONO_REDUCED) spring = damper;
  if (spring) {
    rut_chrono_read_spring(part, spring, ends, at, &s->spring);
  } else if (damper) {
    rut_json_error(&part->maker, part->root, "Spring", "has no 'Spring'");
  }
  if (damper) rut_chrono_read_damper(part, damper, ends, at, &s->damper);
}

// ---- forms ----

static void read_links(rutChronoPart* part, rutVec3 at, rutChronoSuspension* s) {
  const rutJsonValue* lateral = rut_chrono_object(part, part->root, "Lateral", true);
  const rutJsonValue* trailing = rut_chrono_object(part, part->root, "Trailing Link", true);
  if (!lateral || !trailing) return;
  read_arm(part, "Upper Arm", at, true, &s->upper);
  s->lateral_chassis = point(part, lateral, "Location Chassis", at);
  s->lateral_upright = point(part, lateral, "Location Upright", at);
  s->trailing_chassis = point(part, trailing, "Location Chassis", at);
  s->trailing_upright = point(part, trailing, "Location Upright", at);
  // half of what hangs between chassis and upright moves with the wheel
  s->link_mass = 0.5 * (rut_chrono_number(part, lateral, "Mass", 0, 0) +
                        rut_chrono_number(part, trailing, "Mass", 0, 0));
  s->chassis_mass = s->link_mass;
}

static double mass_of(rutChronoPart* part, const char* key) {
  const rutJsonValue* object = rut_chrono_object(part, part->root, key, false);
  return rut_chrono_number(part, object, "Mass", 0, 0);
}

static void read_solid(rutChronoPart* part, rutVec3 at, rutChronoSuspension* s) {
  static const char* const keys[2] = {"Upper Link", "Lower Link"};
  for (int i = 0; i < 2; i++) {
    const rutJsonValue* link = rut_chrono_object(part, part->root, keys[i], true);
    if (!link) return;
    s->link_chassis[i] = point(part, link, "Location Chassis", at);
    s->link_axle[i] = point(part, link, "Location Axle", at);
  }
  const double axle =
      mass_of(part, "Axle Tube") + mass_of(part, "Tierod") + mass_of(part, "Bell Crank");
  s->chassis_mass = 0.5 * (mass_of(part, "Upper Link") + mass_of(part, "Lower Link")) +
                    0.25 * (mass_of(part, "Trackbar") + mass_of(part, "Draglink"));
  s->link_mass = mass_of(part, "Knuckle") + 0.5 * axle + s->chassis_mass;
}

static bool form_of(const char* name, rutChronoForm* form) {
  static const struct {
    const char* name;
    rutChronoForm form;
  } forms[] = {
      {"DoubleWishbone", RUT_CHRONO_WISHBONE}, {"DoubleWishboneReduced", RUT_CHRONO_REDUCED},
      {"MacPhersonStrut", RUT_CHRONO_STRUT},   {"MultiLink", RUT_CHRONO_LINKS},
      {"SolidAxle", RUT_CHRONO_SOLID},         {"RigidSuspension", RUT_CHRONO_RIGID}};
  for (int i = 0; i < RUT_COUNT_OF(forms); i++) {
    if (strcmp(name, forms[i].name) != 0) continue;
    *form = forms[i].form;
    return true;
  }
  return false;
}

bool rut_chrono_read_suspension(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  const int before = part->maker.reporter->errors;
  *out = (rutChronoSuspension){.part = part};
  const bool known = form_of(part->template_name, &out->form);
  if (strcmp(part->template_name, "GenericWheeledSuspension") == 0) {
    if (!rut_chrono_read_generic(part, at, out)) return false;
    read_spindle(part, at, out);
    return part->maker.reporter->errors == before;
  }
  if (!known && !rut_chrono_read_other(part, at, out)) return false;
  read_spindle(part, at, out);
  switch (out->form) {
    case RUT_CHRONO_WISHBONE:
    case RUT_CHRONO_REDUCED: {
      const bool full = out->form == RUT_CHRONO_WISHBONE;
      read_arm(part, "Upper Control Arm", at, full, &out->upper);
      read_arm(part, "Lower Control Arm", at, full, &out->lower);
      read_upright(part, at, out);
      read_struts(part, full ? "Location Arm" : "Location Upright", at, out);
      break;
    }
    case RUT_CHRONO_STRUT:
      read_arm(part, "Control Arm", at, true, &out->lower);
      read_upright(part, at, out);
      read_struts(part, "Location Upright", at, out);
      out->strut_mass = mass_of(part, "Strut");
      break;
    case RUT_CHRONO_LINKS:
      read_links(part, at, out);
      read_upright(part, at, out);
      read_struts(part, "Location Link", at, out);
      break;
    case RUT_CHRONO_SOLID:
      read_solid(part, at, out);
      read_struts(part, "Location Axle", at, out);
      break;
    case RUT_CHRONO_RIGID:
    case RUT_CHRONO_HINGE:
    case RUT_CHRONO_TRAILING:
    case RUT_CHRONO_STRAIGHT:
    case RUT_CHRONO_GENERIC:
      break;
  }
  return part->maker.reporter->errors == before;
}
