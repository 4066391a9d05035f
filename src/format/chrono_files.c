// SPDX-License-Identifier: BSD-3-Clause
//
// Files of Chrono name each other from the root of its data, which is some folders above the
// vehicle: data/hmmwv/vehicle/V.json names "hmmwv/chassis/C.json". They have // comments.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "format/chrono.h"
#include "format/xml.h"

enum { MAX_JSON = 4 << 20, MOST_UP = 3 };

// ---- recognition ----

static bool has(const char* text, size_t size, const char* key) {
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '"' && rut_json_key_at(text + i, size - i, key)) return true;
  }
  return false;
}

bool rut_chrono_recognise(const char* text, size_t size) {
  size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
  if (at == size || (text[at] != '{' && text[at] != '/')) return false;
  return has(text + at, size - at, "Suspension Input File") ||
         (has(text + at, size - at, "WheeledVehicle") && has(text + at, size - at, "Axles"));
}

// ---- text ----

// Blanks from one place to another, lines kept.
static void blank(char* text, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// Blanks in place of comments, so that what is left keeps its place. The text ends with a zero.
static void blank_comments(char* text, size_t size) {
  bool quoted = false;
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\') i++;
    if (quoted || text[i] != '/') continue;
    const bool line = text[i + 1] == '/';
    if (!line && text[i + 1] != '*') continue;
    size_t end = i + 2;
    while (end < size &&
           !(line ? text[end] == '\n' : text[end - 1] == '*' && text[end] == '/' && end > i + 2)) {
      end++;
    }
    if (!line && end < size) end++;
    blank(text, i, end);
    i = end - 1;
  }
}

// ---- parts ----

static rutChronoPart* new_part(rutChrono* chrono, rutJsonMaker maker, const char* path,
                               rutPlace place) {
  rutChronoPart* part = chrono->parts < RUT_CHRONO_MAX_PARTS ? calloc(1, sizeof *part) : NULL;
  if (!part) {
    rut_report_error(maker.reporter, RUT_ERR_CAPACITY, place, "", "",
                     "a vehicle of Chrono has at most %d parts", RUT_CHRONO_MAX_PARTS);
    return NULL;
  }
  snprintf(part->path, sizeof part->path, "%s", path);
  part->maker = maker;
  part->maker.file = part->path;
  part->template_name = "";
  chrono->part[chrono->parts++] = part;
  return part;
}

static rutStatus parse(rutChronoPart* part, const char* text, size_t size) {
  char* copy = malloc(size + 1);
  const rutPlace start = {part->path, 1, 1};
  if (!copy) {
    return rut_report_error(part->maker.reporter, RUT_ERR_MEMORY, start, "", "", "out of memory");
  }
  memcpy(copy, text, size);
  copy[size] = '\0';
  blank_comments(copy, size);
  const rutStatus status =
      rut_json_parse(copy, size, part->path, part->maker.reporter, &part->json);
  free(copy);
  if (status != RUT_OK) return status;
  part->root = rut_json_root(part->json);
  if (part->root->kind != RUT_JSON_OBJECT) {
    return rut_report_error(part->maker.reporter, RUT_ERR_PARSE, start, "", "",
                            "a part of a vehicle of Chrono is an object, not %s",
                            rut_json_kind_text(part->root->kind));
  }
  part->template_name = rut_json_text(&part->maker, part->root, "", "Template");
  return RUT_OK;
}

rutStatus rut_chrono_begin(rutChrono* chrono, rutSpec* spec, rutReporter* reporter,
                           const char* text, size_t size, const char* path) {
  const rutJsonMaker maker = {.spec = spec, .reporter = reporter};
  const rutPlace start = {path, 1, 1};
  *chrono = (rutChrono){0};
  if (strlen(path) >= RUT_CHRONO_PATH - 64) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, start, "", "", "its path is too long");
  }
  chrono->vehicle = new_part(chrono, maker, path, start);
  return chrono->vehicle ? parse(chrono->vehicle, text, size) : RUT_ERR_MEMORY;
}

void rut_chrono_free(rutChrono* chrono) {
  for (int i = 0; i < chrono->parts; i++) {
    rut_json_destroy(chrono->part[i]->json);
    free(chrono->part[i]);
  }
  chrono->parts = 0;
}

// ---- where files are ----

static int folder_length(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? (int)(slash - path) + 1 : 0;
}

// Whether a file can be read: 0, ENOENT, or what is wrong with it.
static int probe(const rutReporter* reporter, const char* path) {
  char* real = NULL;
  const bool allowed = rut_access_allows(reporter->access, path, &real);
  const bool exists = real != NULL;
  free(real);
  if (!allowed && exists) return RUT_INPUT_OUTSIDE;
  int file;
  uint64_t size;
  const int fault = rut_input_open(reporter->access, path, &file, &size);
  if (fault == 0) close(file);
  return fault == 0 || exists ? fault : ENOENT;
}

// A name as seen from a file's folder, or from one above it. False with `fault` filled.
static bool find(const rutReporter* reporter, const char* from, const char* name,
                 char path[RUT_CHRONO_PATH], int* fault) {
  *fault = ENOENT;
  if (!name[0] || strlen(name) > RUT_CHRONO_PATH / 4 || strlen(from) > RUT_CHRONO_PATH / 2 ||
      name[0] == '/') {
    snprintf(path, RUT_CHRONO_PATH, "%.*s", RUT_CHRONO_PATH / 2, name);
    if (name[0] != '/') return false;
    *fault = probe(reporter, path);
    return *fault == 0;
  }
  char refused[RUT_CHRONO_PATH] = "";
  for (int up = 0; up <= MOST_UP; up++) {
    snprintf(path, RUT_CHRONO_PATH, "%.*s%.*s%s", folder_length(from), from, 3 * up, "../../../",
             name);
    const int found = probe(reporter, path);
    if (found == 0) return true;
    if (found == ENOENT || refused[0]) continue;
    snprintf(refused, sizeof refused, "%s", path);
    *fault = found;
  }
  if (refused[0]) memcpy(path, refused, sizeof refused);
  return false;
}

bool rut_chrono_find(const rutChronoPart* vehicle, const char* name, char path[RUT_CHRONO_PATH],
                     int* fault) {
  return find(vehicle->maker.reporter, vehicle->path, name, path, fault);
}

static rutChronoPart* read_part(rutChrono* chrono, const char* path, rutPlace place) {
  rutReporter* reporter = chrono->vehicle->maker.reporter;
  char* text = NULL;
  size_t size = 0;
  for (int i = 0; i < chrono->parts; i++) {
    rutChronoPart* part = chrono->part[i];
    if (part->json && strcmp(part->path, path) == 0) return part;
  }
  rutChronoPart* part = new_part(chrono, chrono->vehicle->maker, path, place);
  if (!part) return NULL;
  const bool fine = rut_read_file(path, MAX_JSON, reporter, place, &text, &size) == RUT_OK &&
                    parse(part, text, size) == RUT_OK;
  free(text);
  return fine ? part : NULL;
}

static bool is_type(rutChronoPart* part, const char* type) {
  const char* is = rut_json_text(&part->maker, part->root, "", "Type");
  if (strcmp(is, type) == 0) return true;
  rut_json_error(&part->maker, part->root, "Type", "this is no '%s' but '%.60s'", type, is);
  return false;
}

rutChronoPart* rut_chrono_open(rutChrono* chrono, const rutChronoPart* from,
                               const rutJsonValue* value, const char* type) {
  rutReporter* reporter = from->maker.reporter;
  const rutPlace place = rut_json_place(&from->maker, value);
  rutChronoPart* part = NULL;
  if (value->kind == RUT_JSON_OBJECT) {
    part = new_part(chrono, from->maker, from->path, place);
    if (!part) return NULL;
    part->root = value;
    part->template_name = rut_json_text(&part->maker, value, "", "Template");
  } else if (value->kind == RUT_JSON_STRING) {
    char path[RUT_CHRONO_PATH];
    int fault;
    if (!find(reporter, chrono->vehicle->path, value->text, path, &fault)) {
      char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
      rut_input_explain(fault, path, MAX_JSON, message, hint);
      rut_report_error(reporter, RUT_ERR_IO, place, value->key,
                       fault == ENOENT ? "names are seen from the vehicle's folder, or from one of "
                                         "the three above it"
                                       : hint,
                       "%s", message);
      return NULL;
    }
    part = read_part(chrono, path, place);
  } else {
    rut_report_error(reporter, RUT_ERR_PARSE, place, value->key, "",
                     "'%.60s' must be a string, not %s", value->key,
                     rut_json_kind_text(value->kind));
  }
  return part && is_type(part, type) ? part : NULL;
}

// ---- parts that a vehicle does not name ----

static void take_part(rutChrono* chrono, const char* name, const char* from, rutPlace place) {
  rutReporter* reporter = chrono->vehicle->maker.reporter;
  char path[RUT_CHRONO_PATH];
  int fault = ENOENT;
  if (!(from && find(reporter, from, name, path, &fault)) &&
      !find(reporter, chrono->vehicle->path, name, path, &fault)) {
    char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
    rut_input_explain(fault, path, MAX_JSON, message, hint);
    rut_report_error(reporter, RUT_ERR_IO, place, "parts", hint, "%s", message);
    return;
  }
  rutChronoPart* part = read_part(chrono, path, place);
  if (!part) return;
  const char* type = rut_json_text(&part->maker, part->root, "", "Type");
  rutChronoPart** slot = strcmp(type, "Tire") == 0           ? &chrono->tyre
                         : strcmp(type, "Engine") == 0       ? &chrono->engine
                         : strcmp(type, "Transmission") == 0 ? &chrono->transmission
                                                             : NULL;
  if (slot) {
    *slot = part;
  } else {
    rut_json_error(&part->maker, part->root, "Type",
                   "parts that are given to a vehicle are a 'Tire', an 'Engine' and a "
                   "'Transmission', not '%.60s'",
                   type);
  }
}

void rut_chrono_take_parts(rutChrono* chrono, const char* names, const char* from, rutPlace place) {
  char name[RUT_CHRONO_PATH / 4];
  while (*names) {
    names += strspn(names, ", \t\r\n");
    size_t size = strcspn(names, ",");
    const char* next = names + size;
    while (size > 0 && strchr(" \t\r\n", names[size - 1])) size--;
    if (size > 0 && size < sizeof name) {
      memcpy(name, names, size);
      name[size] = '\0';
      take_part(chrono, name, from, place);
    } else if (size > 0) {
      rut_report_error(chrono->vehicle->maker.reporter, RUT_ERR_CAPACITY, place, "parts", "",
                       "a name of %zu bytes is too long", size);
    }
    names = next;
  }
}

// What names of files begin with: HMMWV_ of HMMWV_Vehicle_4WD.json.
static int prefix_length(const char* name) {
  for (int i = 0; name[i]; i++) {
    if (strncmp(name + i, "Vehicle", 7) == 0) return i;
  }
  const char* low = strchr(name, '_');
  return low ? (int)(low - name) + 1 : 0;
}

rutChronoPart* rut_chrono_beside(rutChrono* chrono, const char* folder, const char* type,
                                 const char* const* templates, int n) {
  const char* from = chrono->vehicle->path;
  const int length = folder_length(from);
  const char* name = from + length;
  rutReporter* reporter = chrono->vehicle->maker.reporter;
  if (length > RUT_CHRONO_PATH / 2) return NULL;
  for (int i = 0; i < n; i++) {
    char path[RUT_CHRONO_PATH];
    snprintf(path, sizeof path, "%.*s../%s/%.*s%s.json", length, from, folder,
             prefix_length(name) < 256 ? prefix_length(name) : 256, name, templates[i]);
    if (probe(reporter, path) != 0) continue;
    const rutPlace place = rut_json_place(&chrono->vehicle->maker, chrono->vehicle->root);
    rutChronoPart* part = read_part(chrono, path, place);
    if (!part || !is_type(part, type)) return NULL;
    rut_report_warning(reporter, place, type,
                       "guessed: the vehicle names no file of a part '%s'; '%.300s' lies beside it",
                       type, path);
    return part;
  }
  return NULL;
}
