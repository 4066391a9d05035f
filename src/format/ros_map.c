// SPDX-License-Identifier: BSD-3-Clause
#include "format/ros_map.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "geom/occupancy.h"
#include "math/rut_math.h"

enum { MAX_LINE = 1024, MAX_FILE = 1 << 20 };

typedef struct Yaml {
  const char *at, *end;
  char line[MAX_LINE];  // current line without comment and trailing blanks
  int number;           // of the current line
  const char* name;
  rutReporter* reporter;
} Yaml;

// A parsed "key: value". value points into the line and may be changed.
typedef struct Pair {
  const char* key;
  char* value;
  int line, column;
} Pair;

static rutStatus fail(const Yaml* y, int line, int column, const char* key, const char* what,
                      const char* hint) {
  return rut_report_error(y->reporter, RUT_ERR_PARSE, (rutPlace){y->name, line, column}, key, hint,
                          "%s", what);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Cut a comment: '#' at the start or after a blank, outside quotes.
static void cut_comment(char* line) {
  char quote = 0;
  for (char* c = line; *c; c++) {
    if (quote) {
      if (*c == quote) quote = 0;
    } else if (*c == '"' || *c == '\'') {
      quote = *c;
    } else if (*c == '#' && (c == line || is_blank(c[-1]))) {
      *c = '\0';
      break;
    }
  }
  size_t n = strlen(line);
  while (n > 0 && is_blank(line[n - 1])) line[--n] = '\0';
}

// Next line that is not empty, into y->line. *more is false at the end of the text.
static rutStatus next_line(Yaml* y, bool* more) {
  while (y->at < y->end) {
    const char* stop = memchr(y->at, '\n', (size_t)(y->end - y->at));
    size_t n = (size_t)((stop ? stop : y->end) - y->at);
    y->number++;
    if (n >= sizeof y->line) {
      return fail(y, y->number, 1, "", "line is too long", "a map file has short lines");
    }
    memcpy(y->line, y->at, n);
    y->line[n] = '\0';
    if (strlen(y->line) != n) return fail(y, y->number, 1, "", "file is not text", "");
    y->at += n + (stop ? 1 : 0);
    cut_comment(y->line);
    bool marker = !strcmp(y->line, "---") || y->line[0] == '%';
    if (y->line[0] && !marker) {
      *more = true;
      return RUT_OK;
    }
  }
  *more = false;
  return RUT_OK;
}

// Split the current line at its first colon.
static rutStatus split(Yaml* y, Pair* p) {
  char* colon = strchr(y->line, ':');
  if (!colon || colon == y->line || (colon[1] && !is_blank(colon[1]))) {
    return fail(y, y->number, 1, "", "line is not 'key: value'", "such as 'resolution: 0.05'");
  }
  *colon = '\0';
  char* value = colon + 1;
  while (is_blank(*value)) value++;
  *p = (Pair){y->line, value, y->number, (int)(value - y->line) + 1};
  return RUT_OK;
}

// Value without its quotes. False if a quote has no end.
static bool unquote(char** value) {
  char quote = **value;
  if (quote != '"' && quote != '\'') return true;
  size_t n = strlen(*value);
  if (n < 2 || (*value)[n - 1] != quote) return false;
  (*value)[n - 1] = '\0';
  (*value)++;
  return true;
}

static rutStatus read_real(const Yaml* y, Pair p, double* value) {
  const char* rest;
  if (!rut_parse_number(p.value, value, &rest) || *rest) {
    return fail(y, p.line, p.column, p.key, "value is not a finite number", "such as 0.05");
  }
  return RUT_OK;
}

static rutStatus read_bool(const Yaml* y, Pair p, bool* value) {
  static const char* const yes[] = {"1", "true", "True", "TRUE", "yes", "Yes", "on"};
  static const char* const no[] = {"0", "false", "False", "FALSE", "no", "No", "off"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    if (!strcmp(p.value, yes[i])) return *value = true, RUT_OK;
    if (!strcmp(p.value, no[i])) return *value = false, RUT_OK;
  }
  return fail(y, p.line, p.column, p.key, "value is neither true nor false", "use 0 or 1");
}

static rutStatus read_image_name(const Yaml* y, Pair p, rutRosMap* map) {
  if (!unquote(&p.value)) return fail(y, p.line, p.column, p.key, "quote has no end", "");
  if (!p.value[0] || strlen(p.value) >= sizeof map->image) {
    return fail(y, p.line, p.column, p.key, "image needs a file name of at most 511 bytes", "");
  }
  snprintf(map->image, sizeof map->image, "%s", p.value);
  return RUT_OK;
}

static rutStatus read_mode(const Yaml* y, Pair p, rutRosMap* map) {
  if (!unquote(&p.value)) return fail(y, p.line, p.column, p.key, "quote has no end", "");
  map->scale = !strcmp(p.value, "scale");
  if (map->scale || !strcmp(p.value, "trinary")) return RUT_OK;
  return fail(y, p.line, p.column, p.key, "mode must be 'trinary' or 'scale'", "");
}

// One number of the origin. text is not changed if it is not one.
static bool read_entry(const char* text, double origin[3], int* count) {
  const char* rest;
  double value;
  while (is_blank(*text)) text++;
  if (*count >= 3 || !rut_parse_number(text, &value, &rest)) return false;
  while (is_blank(*rest)) rest++;
  if (*rest) return false;
  origin[(*count)++] = value;
  return true;
}

// "[x, y, yaw]" on one line.
static rutStatus read_flow_origin(const Yaml* y, Pair p, rutRosMap* map, int* count) {
  size_t n = strlen(p.value);
  if (p.value[0] != '[' || p.value[n - 1] != ']') {
    return fail(y, p.line, p.column, p.key, "origin must be a list", "write [x, y, yaw]");
  }
  p.value[n - 1] = '\0';
  char* item = p.value + 1;
  while (item) {
    char* comma = strchr(item, ',');
    if (comma) *comma = '\0';
    if (!read_entry(item, map->origin, count)) {
      return fail(y, p.line, p.column, p.key, "origin must be up to three finite numbers",
                  "[x, y, yaw]");
    }
    item = comma ? comma + 1 : NULL;
  }
  return RUT_OK;
}

// Lines "- x", "- y", "- yaw" after "origin:". Stops before the first other line.
static rutStatus read_block_origin(Yaml* y, Pair p, rutRosMap* map, int* count) {
  for (;;) {
    const char* at = y->at;
    int number = y->number;
    bool more;
    rutStatus status = next_line(y, &more);
    if (status != RUT_OK) return status;
    const char* item = y->line;
    while (more && is_blank(*item)) item++;
    if (!more || item[0] != '-' || !is_blank(item[1])) {
      y->at = at;
      y->number = number;
      return RUT_OK;
    }
    if (!read_entry(item + 1, map->origin, count)) {
      return fail(y, y->number, 1, p.key, "origin must be up to three finite numbers", "");
    }
  }
}

static rutStatus read_origin(Yaml* y, Pair p, rutRosMap* map) {
  int count = 0;
  // the key stands in the line buffer, which a block list overwrites
  p.key = "origin";
  rutStatus status =
      p.value[0] ? read_flow_origin(y, p, map, &count) : read_block_origin(y, p, map, &count);
  if (status != RUT_OK) return status;
  if (count < 2) {
    return fail(y, p.line, p.column, p.key, "origin needs x and y", "write origin: [x, y, yaw]");
  }
  if (map->origin[2] != 0) {
    rut_report_warning(y->reporter, (rutPlace){y->name, p.line, p.column}, p.key,
                       "yaw of a map is not used: the map stays aligned with the world");
  }
  return RUT_OK;
}

static rutStatus read_pair(Yaml* y, Pair p, rutRosMap* map, bool* has_image, bool* has_origin) {
  if (!strcmp(p.key, "image")) {
    *has_image = true;
    return read_image_name(y, p, map);
  }
  if (!strcmp(p.key, "origin")) {
    *has_origin = true;
    return read_origin(y, p, map);
  }
  if (!strcmp(p.key, "resolution")) return read_real(y, p, &map->resolution);
  if (!strcmp(p.key, "negate")) return read_bool(y, p, &map->negate);
  if (!strcmp(p.key, "occupied_thresh")) return read_real(y, p, &map->occupied_thresh);
  if (!strcmp(p.key, "free_thresh")) return read_real(y, p, &map->free_thresh);
  if (!strcmp(p.key, "mode")) return read_mode(y, p, map);
  rut_report_warning(y->reporter, (rutPlace){y->name, p.line, 1}, p.key, "this key is not known");
  return RUT_OK;
}

static rutStatus check(const Yaml* y, const rutRosMap* map, bool has_image, bool has_origin) {
  if (!has_image)
    return fail(y, 0, 0, "", "map has no 'image'", "add a line such as 'image: map.pgm'");
  if (!has_origin)
    return fail(y, 0, 0, "", "map has no 'origin'", "add a line 'origin: [x, y, yaw]'");
  if (!(map->resolution > 0 && map->resolution < 1e6)) {
    return fail(y, 0, 0, "", "map needs a positive 'resolution'",
                "in metres, such as 'resolution: 0.05'");
  }
  if (!(map->free_thresh >= 0 && map->free_thresh <= map->occupied_thresh &&
        map->occupied_thresh <= 1)) {
    return fail(y, 0, 0, "", "thresholds must be 0 <= free_thresh <= occupied_thresh <= 1", "");
  }
  return RUT_OK;
}

rutStatus rut_ros_map_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                            rutRosMap* out) {
  *out = (rutRosMap){.occupied_thresh = 0.65, .free_thresh = 0.196};
  Yaml y = {.at = text, .end = text + size, .name = name, .reporter = reporter};
  if (size > MAX_FILE) return fail(&y, 0, 0, "", "map file is larger than 1 MiB", "");
  bool has_image = false, has_origin = false, more;
  for (;;) {
    rutStatus status = next_line(&y, &more);
    if (status != RUT_OK) return status;
    if (!more) break;
    Pair p = {0};
    status = split(&y, &p);
    if (status == RUT_OK) status = read_pair(&y, p, out, &has_image, &has_origin);
    if (status != RUT_OK) return status;
  }
  return check(&y, out, has_image, has_origin);
}

bool rut_is_ros_map(const char* text, size_t size) {
  static const char key[] = "image:";
  size_t n = sizeof key - 1;
  if (size > MAX_FILE) return false;
  for (const char* at = text; at && (size_t)(text + size - at) >= n;) {
    if (!memcmp(at, key, n)) return true;
    at = memchr(at, '\n', (size_t)(text + size - at));
    if (at) at++;
  }
  return false;
}

void rut_ros_map_cells(const rutRosMap* map, const rutImage* image, uint8_t* cell) {
  size_t width = (size_t)image->width, height = (size_t)image->height;
  for (size_t y = 0; y < height; y++) {
    const uint16_t* row = image->grey + (height - 1 - y) * width;
    for (size_t x = 0; x < width; x++) {
      int grey = map->negate ? image->max - row[x] : row[x];
      double p = (double)(image->max - grey) / image->max;
      int level = grey * 127 / image->max;
      bool occupied = map->scale ? level < 61 : p > map->occupied_thresh;
      bool open = map->scale ? level >= 65 : p < map->free_thresh;
      cell[y * width + x] = occupied ? RUT_CELL_OCCUPIED : open ? RUT_CELL_FREE : RUT_CELL_UNKNOWN;
    }
  }
}
