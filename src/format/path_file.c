// SPDX-License-Identifier: BSD-3-Clause
#include "format/path_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/json.h"
#include "format/xodr_path.h"
#include "math/rut_math.h"

#define FARTHEST 1e7   // of a coordinate [m]
#define REPEATS  1e-3  // points nearer than this are one [m]

typedef struct Reader {
  const char* name;
  rutReporter* reporter;
  rutPathPoints* out;
  int capacity;
  rutStatus status;
} Reader;

static void fail(Reader* r, rutStatus status, int line, const char* message) {
  const rutPlace place = {r->name, line, line ? 1 : 0};
  r->status = rut_report_error(r->reporter, status, place, "", "", "%s", message);
}

static void add_point(Reader* r, double x, double y, int line) {
  rutPathPoints* p = r->out;
  if (!(rut_abs(x) <= FARTHEST && rut_abs(y) <= FARTHEST)) {
    fail(r, RUT_ERR_PARSE, line, "a point is out of range: -1e7 m to 1e7 m");
    return;
  }
  const double* last = p->n > 0 ? p->xy + (size_t)2 * (size_t)(p->n - 1) : NULL;
  if (last && rut_hypot(x - last[0], y - last[1]) < REPEATS) return;
  if (p->n == RUT_PATH_MAX_POINTS) {
    fail(r, RUT_ERR_CAPACITY, line, "a path has at most a million points");
    return;
  }
  if (p->n == r->capacity) {
    const int capacity = 2 * r->capacity + 64;
    double* grown = realloc(p->xy, (size_t)capacity * 2 * sizeof *grown);
    if (!grown) {
      fail(r, RUT_ERR_MEMORY, 0, "out of memory");
      return;
    }
    p->xy = grown;
    r->capacity = capacity;
  }
  p->xy[(size_t)2 * (size_t)p->n] = x;
  p->xy[(size_t)2 * (size_t)p->n + 1] = y;
  p->n++;
}

// ---- replays ----

// Words of a line, which blanks and colons separate; at most `most` are kept. Returns how many
// there are.
static int split(char* line, char** word, int most) {
  int n = 0;
  for (char* p = line; *p;) {
    p += strspn(p, " \t\r:");
    if (!*p) break;
    if (n < most) word[n] = p;
    n++;
    p += strcspn(p, " \t\r:");
    if (*p) *p++ = '\0';
  }
  return n;
}

static bool is_number(const char* word, double* value) {
  const char* end;
  return rut_parse_number(word, value, &end) && *end == '\0';
}

// After @Data a line of eight numbers is an instant of the vehicle: its time, place and quaternion.
// Lines of wheels have other numbers of them.
static void read_replay(Reader* r, char* text) {
  enum { TIME, X, Y, POSE = 8 };
  bool data = false;
  int number = 0;
  for (char *line = text, *next; line && r->status == RUT_OK; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    number++;
    char* word[POSE];
    const int words = split(line, word, POSE);
    if (words > 0 && strcmp(word[0], "@Data") == 0) data = true;
    if (words > 0 && data && strncmp(word[0], "@END", 4) == 0) break;
    if (!data || words != POSE) continue;
    double x, y;
    if (!is_number(word[X], &x) || !is_number(word[Y], &y)) {
      fail(r, RUT_ERR_PARSE, number, "must be 'time:x y z:qw qx qy qz', all of them numbers");
      return;
    }
    add_point(r, x, y, number);
  }
  if (r->status == RUT_OK && !data) fail(r, RUT_ERR_PARSE, 1, "the file has no '@Data'");
}

// ---- waypoints ----

static void read_waypoints(Reader* r, const rutJsonValue* root) {
  const rutJsonValue* points = rut_json_find(root, "Waypoints");
  const rutJsonValue* format = rut_json_find(root, "Format");
  if (!points || points->kind != RUT_JSON_ARRAY) {
    fail(r, RUT_ERR_PARSE, root->line, "a file of waypoints needs the list 'Waypoints'");
    return;
  }
  if (format && format->kind == RUT_JSON_STRING && strcmp(format->text, "Local") != 0) {
    fail(r, RUT_ERR_PARSE, format->line, "only waypoints of the 'Format' 'Local' are read");
    return;
  }
  for (const rutJsonValue* p = points->first; p && r->status == RUT_OK; p = p->next) {
    const rutJsonValue* x = p->kind == RUT_JSON_ARRAY ? p->first : NULL;
    const rutJsonValue* y = x ? x->next : NULL;
    if (!y || x->kind != RUT_JSON_NUMBER || y->kind != RUT_JSON_NUMBER) {
      fail(r, RUT_ERR_PARSE, p->line, "a waypoint must be a list of two numbers");
      return;
    }
    add_point(r, x->number, y->number, p->line);
  }
}

// ---- either ----

rutStatus rut_path_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                         rutPathPoints* out) {
  *out = (rutPathPoints){0};
  Reader r = {.name = name, .reporter = reporter, .out = out};
  const size_t start = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  size_t at = start;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
  if (at < size && text[at] == '{') {
    rutJson* json;
    r.status = rut_json_parse(text, size, name, reporter, &json);
    if (r.status == RUT_OK) read_waypoints(&r, rut_json_root(json));
    if (json) rut_json_destroy(json);
  } else if (size - start >= 7 && memcmp(text + start, "QS VANE", 7) == 0) {
    char* copy = malloc(size + 1);
    if (!copy) {
      fail(&r, RUT_ERR_MEMORY, 0, "out of memory");
    } else {
      memcpy(copy, text, size);
      copy[size] = '\0';
      read_replay(&r, copy);
      free(copy);
    }
  } else {
    fail(&r, RUT_ERR_PARSE, 1,
         "this is no path that rut can read (known: MAVS's .vprp and waypoints in JSON)");
  }
  if (r.status == RUT_OK && out->n == 0) fail(&r, RUT_ERR_PARSE, 1, "the path has no points");
  if (r.status != RUT_OK) rut_path_points_free(out);
  return r.status;
}

rutStatus rut_path_read(const char* text, size_t size, const char* name, const rutPathRoute* route,
                        rutReporter* reporter, rutPathPoints* out) {
  if (!rut_xodr_recognise(text, size)) return rut_path_parse(text, size, name, reporter, out);
  rutXodr file;
  *out = (rutPathPoints){0};
  rutStatus status = rut_xodr_read(text, size, name, reporter, &file);
  if (status == RUT_OK) status = rut_xodr_path(&file, route, out, reporter);
  rut_xodr_free(&file);
  return status;
}

bool rut_path_route(const rutXmlElement* element, rutPlace place, rutReporter* reporter,
                    rutPathRoute* out) {
  enum { LANE, OFFSET, MOST, NUMBERS };
  static const struct {
    const char* name;
    double otherwise, least, most;
  } rows[NUMBERS] = {{"lane", -1, -1000, 1000}, {"offset", 0, -1000, 1000}, {"most", 100, 2, 1e5}};
  const rutXmlAttribute* road = rut_xml_attribute(element, "road");
  double number[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) {
    const rutXmlAttribute* a = rut_xml_attribute(element, rows[i].name);
    number[i] = rows[i].otherwise;
    if (!a) continue;
    const char* end;
    const bool whole = i != OFFSET;
    const bool fine = rut_parse_number(a->value, &number[i], &end) && !*end &&
                      number[i] >= rows[i].least && number[i] <= rows[i].most &&
                      (!whole || number[i] == (int)number[i]);
    if (fine) continue;
    rut_report_error(reporter, RUT_ERR_MODEL, place, element->name, "",
                     "'%s' must be a %snumber of %g to %g, not '%.40s'", rows[i].name,
                     whole ? "whole " : "", rows[i].least, rows[i].most, a->value);
    return false;
  }
  *out = (rutPathRoute){.roads = road ? road->value : "",
                        .lane = (int)number[LANE],
                        .offset = number[OFFSET],
                        .most = (int)number[MOST],
                        .place = place};
  return true;
}

void rut_path_points_free(rutPathPoints* points) {
  free(points->xy);
  *points = (rutPathPoints){0};
}
