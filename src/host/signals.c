// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a run that a person would plot: outputs, set points and states of all elements,
// one signal for each number, and accelerations derived from them.
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "base/report.h"
#include "math/rut_math.h"

// Longer arrays are no signals.
enum { FEW_NUMBERS = 16 };

// Where numbers come from.
typedef enum Origin {
  VARIABLES,  // of the model
  CHANGE,     // mean acceleration of a vehicle since the row before
  NEAREST     // range of a planar scan
} Origin;

// Numbers that are read together.
typedef struct Source {
  Origin origin;
  rutKind kind;
  int index;
  rutRole role;
  int set, first, variables;  // VARIABLES: their place in the present model
  int numbers;
  int place;     // of the first in `value`
  size_t names;  // in text: of the variables, each behind a blank
  const char* part;
  rutReading reading;
  bool missing;   // from the present model
  uint64_t read;  // number of the last reading
} Source;

typedef struct Entry {
  size_t name, element, leaf;  // in text; the leaf is the end of the name
  const char *unit, *doc;
} Entry;

// Where the number of a signal is.
typedef struct Place {
  int source, number;  // in `value`
} Place;

// Of a vehicle, between two calls that asked for its acceleration.
typedef struct Motion {
  bool known;
  double time, yaw, velocity[3];
  double acceleration[3];  // along the heading, to its left, up
} Motion;

struct rutSignals {
  int count, capacity;
  Entry* entry;
  Place* where;  // [signal]
  rutName* sorted;
  char* text;  // names and elements, each with its zero
  size_t used, size;
  int sources, room;
  Source* source;
  double* value;  // latest numbers of all sources
  int values;
  uint64_t read;   // number of readings
  Motion* motion;  // [vehicle]
  // of the last model; a later one may have other controllers
  const rutModel* model;
  uint64_t hash;
};

// ---- the list ----

// Reserve room for a string in the pool. SIZE_MAX if out of memory.
static size_t reserve(rutSignals* s, size_t size) {
  if (s->size - s->used < size) {
    const size_t all = 2 * s->size + size + 4096;
    char* grown = realloc(s->text, all);
    if (!grown) return SIZE_MAX;
    s->text = grown;
    s->size = all;
  }
  s->used += size;
  return s->used - size;
}

static size_t keep_text(rutSignals* s, const char* text) {
  const size_t size = strlen(text) + 1, at = reserve(s, size);
  if (at != SIZE_MAX) memcpy(s->text + at, text, size);
  return at;
}

// A new source; NULL if out of memory.
static Source* add_source(rutSignals* s, Source source) {
  if (s->sources == s->room) {
    const int room = 2 * s->room + 64;
    Source* grown = realloc(s->source, (size_t)room * sizeof *grown);
    if (!grown) return NULL;
    s->source = grown;
    s->room = room;
  }
  source.place = s->values;
  s->values += source.numbers;
  s->source[s->sources] = source;
  return &s->source[s->sources++];
}

// A signal of the newest source, of which it is a number counted from 0.
static bool add(rutSignals* s, const char* element, const char* leaf, const char* unit,
                const char* doc, int number) {
  const char* last = s->count ? s->text + s->entry[s->count - 1].element : NULL;
  const Place place = {s->sources - 1, s->source[s->sources - 1].place + number};
  Entry entry = {.unit = unit, .doc = doc};
  entry.element =
      last && strcmp(last, element) == 0 ? (size_t)(last - s->text) : keep_text(s, element);
  const size_t before = strlen(element) + (element[0] != '\0');
  const size_t size = before + strlen(leaf) + 1;
  entry.name = reserve(s, size);
  if (entry.element == SIZE_MAX || entry.name == SIZE_MAX) return false;
  entry.leaf = entry.name + before;
  snprintf(s->text + entry.name, size, "%s%s%s", element, element[0] ? "/" : "", leaf);
  if (s->count == s->capacity) {
    const int capacity = 2 * s->capacity + 64;
    Entry* grown = realloc(s->entry, (size_t)capacity * sizeof *grown);
    if (grown) s->entry = grown;
    Place* places = realloc(s->where, (size_t)capacity * sizeof *places);
    if (places) s->where = places;
    if (!grown || !places) return false;
    s->capacity = capacity;
  }
  s->where[s->count] = place;
  s->entry[s->count++] = entry;
  return true;
}

bool rut_signals_along_axes(const rutVariableInfo* v) {
  return v->frame[0] && v->dimensions == 1 && (v->count == 2 || v->count == 3);
}

void rut_signals_leaf(const rutVariableInfo* v, int k, char leaf[RUT_LEAF_SIZE]) {
  if (v->dimensions == 0) {
    snprintf(leaf, RUT_LEAF_SIZE, "%.100s", v->name);
  } else if (rut_signals_along_axes(v)) {
    snprintf(leaf, RUT_LEAF_SIZE, "%.100s_%c", v->name, "xyz"[k]);
  } else {
    snprintf(leaf, RUT_LEAF_SIZE, "%.100s%s%d", v->name, v->name[1] ? "_" : "", k);
  }
}

// Whether an output of the same part has the name of a state.
static bool is_told(const rutModel* model, const Source* source, const rutVariableInfo* state) {
  const int n = rut_variables(model, source->kind, source->index, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(model, source->kind, source->index, RUT_OUTPUT, i);
    const char* part = source->kind == RUT_SENSOR ? source->part : v.part;
    if (strcmp(v.name, state->name) == 0 && strcmp(part, source->part) == 0) return true;
  }
  return false;
}

// Which variables are signals.
static bool is_listed(const rutModel* model, const Source* source, const rutVariableInfo* v) {
  // scalar states that are not outputs as well
  if (source->role == RUT_STATE) {
    return v->dimensions == 0 && !v->output && !is_told(model, source, v);
  }
  return source->kind == RUT_MECHANISM || v->count <= FEW_NUMBERS;
}

// Names of variables from `first` on, each with a blank in front, to the text of all.
static size_t keep_names(rutSignals* s, const rutModel* model, const Source* source) {
  const size_t at = s->used;
  for (int i = 0; i < source->variables; i++) {
    const rutVariableInfo v =
        rut_variable(model, source->kind, source->index, source->role, source->first + i);
    const size_t length = strlen(v.name), place = reserve(s, length + 1);
    if (place == SIZE_MAX) return SIZE_MAX;
    s->text[place] = ' ';
    memcpy(s->text + place + 1, v.name, length);
  }
  return keep_text(s, "") == SIZE_MAX ? SIZE_MAX : at;
}

// Element of what a set is of: "vehicle", "vehicle/drive", "ruts". The caller frees it; NULL if out
// of memory.
static char* element_of(const char* name, const char* part) {
  const size_t size = strlen(name) + strlen(part) + 2;
  char* element = malloc(size);
  if (element) {
    snprintf(element, size, "%s%s%s", name, name[0] && part[0] ? "/" : "", part);
  }
  return element;
}

// Signals of one set of variables, from `first` on, without the first `skipped`. *next gets the
// variable after the set.
static bool add_set(rutSignals* s, const rutModel* model, const char* name, Source source,
                    int skipped, int* next) {
  const int all = rut_variables(model, source.kind, source.index, source.role);
  int end = source.first;
  bool any = false;
  for (; end < all; end++) {
    const rutVariableInfo v = rut_variable(model, source.kind, source.index, source.role, end);
    if (v.set != source.set) break;
    source.numbers += v.count;
    any = any || (end - source.first >= skipped && is_listed(model, &source, &v));
  }
  *next = end;
  source.variables = end - source.first;
  if (!any) return true;
  source.names = keep_names(s, model, &source);
  char* element = element_of(name, source.part);
  bool fine = element && source.names != SIZE_MAX && add_source(s, source);
  int number = 0;
  for (int i = source.first; i < end && fine; i++) {
    const rutVariableInfo v = rut_variable(model, source.kind, source.index, source.role, i);
    const bool listed = i - source.first >= skipped && is_listed(model, &source, &v);
    for (int k = 0; k < v.count && listed && fine; k++) {
      char leaf[RUT_LEAF_SIZE], whole[RUT_LEAF_SIZE + 8];
      rut_signals_leaf(&v, k, leaf);
      snprintf(whole, sizeof whole, "%s%s", source.role == RUT_COMMAND ? "command_" : "", leaf);
      fine = add(s, element, whole, v.unit, v.doc, number + k);
    }
    number += v.count;
  }
  free(element);
  return fine;
}

// Which of an element's variables.
typedef enum Choice { ALL, OWN, OF_PARTS } Choice;

typedef struct Element {
  const char* name;
  rutKind kind;
  int index;    // in the model, of this kind
  int skipped;  // its first outputs that are no signals
} Element;

static bool add_variables(rutSignals* s, const rutModel* model, const Element* element,
                          rutRole role, Choice choice) {
  const rutKind kind = element->kind;
  const int index = element->index, n = rut_variables(model, kind, index, role);
  const int skipped = role == RUT_OUTPUT ? element->skipped : 0;
  bool fine = true;
  for (int first = 0; first < n && fine;) {
    const rutVariableInfo v = rut_variable(model, kind, index, role, first);
    // variables of sensors and set points do not count as those of a part
    const char* part = kind == RUT_SENSOR || role == RUT_COMMAND ? "" : v.part;
    const Source source = {.kind = kind,
                           .index = index,
                           .role = role,
                           .set = v.set,
                           .first = first,
                           .part = part,
                           .reading = v.reading};
    if ((choice == OWN && part[0]) || (choice == OF_PARTS && !part[0])) {
      while (first < n && rut_variable(model, kind, index, role, first).set == v.set) first++;
    } else {
      fine = add_set(s, model, element->name, source, skipped, &first);
    }
  }
  return fine;
}

static bool add_change(rutSignals* s, const char* name, int vehicle) {
  static const struct {
    const char *leaf, *doc;
  } list[] = {{"longitudinal_acceleration",
               "mean acceleration since the row before, along the heading between both, level"},
              {"lateral_acceleration",
               "mean acceleration since the row before, to the left of that heading, level"},
              {"vertical_acceleration", "mean acceleration since the row before, up"}};
  const Source source = {
      .origin = CHANGE, .kind = RUT_VEHICLE, .index = vehicle, .numbers = 3, .part = ""};
  bool fine = add_source(s, source) != NULL;
  for (int i = 0; i < 3 && fine; i++) fine = add(s, name, list[i].leaf, "m/s2", list[i].doc, i);
  return fine;
}

static bool add_vehicle(rutSignals* s, const rutModel* model, int i) {
  const rutVehicleInfo info = rut_vehicle_info(model, i);
  const Element vehicle = {.name = info.name, .kind = RUT_VEHICLE, .index = i};
  bool fine = add_variables(s, model, &vehicle, RUT_OUTPUT, OWN) && add_change(s, info.name, i) &&
              add_variables(s, model, &vehicle, RUT_COMMAND, ALL) &&
              add_variables(s, model, &vehicle, RUT_OUTPUT, OF_PARTS) &&
              add_variables(s, model, &vehicle, RUT_STATE, ALL);
  for (int w = info.first_wheel; w < info.first_wheel + info.wheels && fine; w++) {
    const Element wheel = {.name = rut_name(model, RUT_WHEEL, w), .kind = RUT_WHEEL, .index = w};
    fine = add_variables(s, model, &wheel, RUT_OUTPUT, ALL);
  }
  return fine;
}

static bool add_sensor(rutSignals* s, const rutModel* model, int i) {
  const rutSensorInfo info = rut_sensor_info(model, i);
  // a sensor of a vehicle may already be called "vehicle/sensor"
  const bool whole = info.vehicle < 0 || strchr(info.name, '/');
  char* name = element_of(whole ? "" : rut_name(model, RUT_VEHICLE, info.vehicle), info.name);
  rutScanGeometry scan;
  bool fine = name != NULL;
  const bool scans = fine && rut_sensor_scan(model, i, &scan);
  if (scans) {
    const Source nearest = {
        .origin = NEAREST, .kind = RUT_SENSOR, .index = i, .numbers = 1, .part = ""};
    fine = add_source(s, nearest) && add(s, name, "nearest", "m", "nearest range", 0);
  }
  // the ranges of a scan are not listed beside the nearest one
  const Element sensor = {.name = name, .kind = RUT_SENSOR, .index = i, .skipped = scans};
  fine = fine && add_variables(s, model, &sensor, RUT_OUTPUT, ALL) &&
         add_variables(s, model, &sensor, RUT_STATE, ALL);
  free(name);
  return fine;
}

static bool add_kind(rutSignals* s, const rutModel* model, rutKind kind) {
  bool fine = true;
  for (int i = 0; i < rut_count(model, kind) && fine; i++) {
    const Element element = {.name = rut_name(model, kind, i), .kind = kind, .index = i};
    fine = add_variables(s, model, &element, RUT_OUTPUT, ALL);
  }
  return fine;
}

static bool add_all(rutSignals* s, const rutModel* model) {
  const Element world = {.name = "", .kind = RUT_WORLD};
  bool fine = add_variables(s, model, &world, RUT_OUTPUT, OWN);
  for (int i = 0; i < rut_count(model, RUT_VEHICLE) && fine; i++) fine = add_vehicle(s, model, i);
  fine = fine && add_kind(s, model, RUT_BLOCK);
  for (int i = 0; i < rut_count(model, RUT_SENSOR) && fine; i++) fine = add_sensor(s, model, i);
  return fine && add_kind(s, model, RUT_MECHANISM) &&
         add_variables(s, model, &world, RUT_OUTPUT, OF_PARTS);
}

static bool sort_names(rutSignals* s) {
  s->sorted = malloc(((size_t)s->count + 1) * sizeof *s->sorted);
  if (!s->sorted) return false;
  for (int i = 0; i < s->count; i++) {
    const Entry* e = &s->entry[i];
    s->sorted[i] = (rutName){s->text + e->name, s->text + e->leaf, i};
  }
  rut_names_sort(s->count, s->sorted);
  return true;
}

rutStatus rut_signals_create(const rutModel* model, rutSignals** out, rutError* err) {
  *out = NULL;
  rutSignals* s = calloc(1, sizeof *s);
  bool fine = s && add_all(s, model) && sort_names(s);
  if (fine) {
    s->model = model;
    s->hash = rut_model_hash(model);
    s->motion = calloc((size_t)rut_count(model, RUT_VEHICLE) + 1, sizeof *s->motion);
    s->value = malloc(((size_t)s->values + 1) * sizeof *s->value);
    fine = s->motion && s->value;
  }
  if (!fine) {
    rut_signals_destroy(s);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for signals");
  }
  *out = s;
  return RUT_OK;
}

void rut_signals_destroy(rutSignals* s) {
  if (!s) return;
  free(s->entry);
  free(s->where);
  free(s->sorted);
  free(s->text);
  free(s->source);
  free(s->value);
  free(s->motion);
  free(s);
}

int rut_signals_count(const rutSignals* s) { return s->count; }

rutSignal rut_signals_at(const rutSignals* s, int index) {
  if (index < 0 || index >= s->count) return (rutSignal){"", "", "", "", ""};
  const Entry* e = &s->entry[index];
  return (rutSignal){s->text + e->name, e->unit, e->doc, s->text + e->element, s->text + e->leaf};
}

int rut_signals_find(const rutSignals* s, const char* name) {
  return rut_names_find(s->count, s->sorted, name);
}

const char* rut_signals_nearest(const rutSignals* s, const char* name) {
  return rut_names_nearest(s->count, s->sorted, name);
}

// ---- what they are of ----

rutReading rut_signals_reading(const rutSignals* s, int index) {
  return s->source[s->where[index].source].reading;
}
bool rut_signals_sampled(const rutSignals* s, int index) {
  const Source* source = &s->source[s->where[index].source];
  return source->origin == VARIABLES && source->kind == RUT_SENSOR && source->role == RUT_OUTPUT;
}
rutKind rut_signals_kind(const rutSignals* s, int index) {
  return s->source[s->where[index].source].kind;
}
int rut_signals_element(const rutSignals* s, int index) {
  return s->source[s->where[index].source].index;
}

void rut_signals_word(const rutSignals* s, int index, char word[RUT_WORD_SIZE]) {
  static const char* const words[RUT_KIND_COUNT] = {
      [RUT_VEHICLE] = "vehicle", [RUT_WHEEL] = "wheel",         [RUT_BLOCK] = "block",
      [RUT_SENSOR] = "sensor",   [RUT_MECHANISM] = "mechanism", [RUT_WORLD] = "world"};
  const Source* source = &s->source[s->where[index].source];
  const char* text = source->part[0] ? source->part : words[source->kind];
  snprintf(word, RUT_WORD_SIZE, "%s", text ? text : "");
}

// ---- values ----

// True if the variables from `first` on are those of a source.
static bool matches(const rutSignals* s, const rutModel* model, const Source* source, int first) {
  const char* names = s->text + source->names;
  int numbers = 0;
  for (int i = 0; i < source->variables; i++) {
    const rutVariableInfo v =
        rut_variable(model, source->kind, source->index, source->role, first + i);
    const size_t length = strlen(v.name);
    if (!v.name[0] || strncmp(names + 1, v.name, length) != 0) return false;
    names += 1 + length;
    if (*names && *names != ' ') return false;
    numbers += v.count;
  }
  return !*names && numbers == source->numbers;
}

// Find the variables of all sources in another model.
static void follow_model(rutSignals* s, const rutModel* model) {
  const uint64_t hash = rut_model_hash(model);
  if (s->model == model && s->hash == hash) return;
  s->model = model;
  s->hash = hash;
  for (int i = 0; i < s->sources; i++) {
    Source* source = &s->source[i];
    source->missing = source->index >= rut_count(model, source->kind);
    if (source->missing || source->origin != VARIABLES) continue;
    const int n = rut_variables(model, source->kind, source->index, source->role);
    int first = 0;
    while (first < n && !matches(s, model, source, first)) first++;
    source->first = first;
    source->missing = first == n;
  }
}

// Direction between two headings; the second one after half a turn.
static void half_way(double from, double to, double* sine, double* cosine) {
  double s, c;
  rut_sincos(from, &s, &c);
  rut_sincos(to, sine, cosine);
  const double x = c + *cosine, y = s + *sine, length = rut_sqrt(x * x + y * y);
  if (length < 1e-3) return;
  *cosine = x / length;
  *sine = y / length;
}

// Mean acceleration since the last call, along the heading half way between the two: on a circle
// the change of velocity is a chord, perpendicular to it.
static void read_change(Motion* m, const rutModel* model, const rutData* data, int vehicle,
                        double* out) {
  const double time = rut_time(data), dt = time - m->time;
  if (!m->known || dt != 0) {
    const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
    double a[3], sine, cosine;
    for (int i = 0; i < 3; i++) {
      const double v = state.com_velocity[i];
      a[i] = m->known && dt > 0 ? (v - m->velocity[i]) / dt : 0;
      m->velocity[i] = v;
    }
    half_way(m->yaw, state.yaw, &sine, &cosine);
    m->acceleration[0] = cosine * a[0] + sine * a[1];
    m->acceleration[1] = cosine * a[1] - sine * a[0];
    m->acceleration[2] = a[2];
    m->yaw = state.yaw;
    m->time = time;
    m->known = true;
  }
  memcpy(out, m->acceleration, sizeof m->acceleration);
}

static double nearest_range(const rutModel* model, const rutData* data, int sensor) {
  double stamp = -1, nearest = RUT_INFINITY;
  const rutVariableInfo range = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, 0);
  const double* value = rut_sensor_output(model, data, sensor, 0, &stamp);
  for (int i = 0; value && stamp >= 0 && range.type == RUT_F64 && i < range.count; i++) {
    nearest = value[i] >= 0 && value[i] < nearest ? value[i] : nearest;
  }
  return nearest < RUT_INFINITY ? nearest : RUT_NAN;
}

static bool read_variables(const rutModel* model, const rutData* data, const Source* source,
                           double* out) {
  if (source->kind == RUT_SENSOR && source->role == RUT_OUTPUT) {
    double stamp = -1;
    rut_sensor_output(model, data, source->index, 0, &stamp);
    if (stamp < 0) return false;
  }
  const rutVariableRange range = {source->kind, source->index, source->role, source->first,
                                  source->variables};
  return rut_variables_read(model, data, &range, source->numbers, out) == RUT_OK;
}

// Read the numbers of a source, once in each reading.
static void read_source(rutSignals* s, Source* source, const rutModel* model, const rutData* data) {
  double* out = s->value + source->place;
  bool there = !source->missing;
  if (there && source->origin == VARIABLES) {
    there = read_variables(model, data, source, out);
  } else if (there && source->origin == CHANGE) {
    read_change(&s->motion[source->index], model, data, source->index, out);
  } else if (there) {
    *out = nearest_range(model, data, source->index);
  }
  for (int i = 0; i < source->numbers && !there; i++) out[i] = RUT_NAN;
}

void rut_signals_read(rutSignals* s, const rutModel* model, const rutData* data, int n,
                      const int* index, double* out) {
  follow_model(s, model);
  s->read++;
  for (int i = 0; i < n; i++) {
    if (index[i] < 0 || index[i] >= s->count) {
      out[i] = RUT_NAN;
      continue;
    }
    const Place at = s->where[index[i]];
    Source* source = &s->source[at.source];
    if (source->read != s->read) read_source(s, source, model, data);
    source->read = s->read;
    out[i] = s->value[at.number];
  }
}

// ---- what means are taken from ----

enum { MEMORY = 9 };  // numbers of each vehicle

void rut_signals_mark(rutSignals* s, const rutModel* model, const rutData* data) {
  double acceleration[3];
  follow_model(s, model);
  for (int i = 0; i < s->sources; i++) {
    const Source* source = &s->source[i];
    if (source->origin != CHANGE || source->missing) continue;
    read_change(&s->motion[source->index], model, data, source->index, acceleration);
  }
}

int rut_signals_memory(const rutSignals* s) {
  int vehicles = 0;
  for (int i = 0; i < s->sources; i++) vehicles += s->source[i].origin == CHANGE;
  return MEMORY * vehicles;
}

void rut_signals_remember(const rutSignals* s, double* out) {
  for (int i = 0; i < s->sources; i++) {
    if (s->source[i].origin != CHANGE) continue;
    const Motion* m = &s->motion[s->source[i].index];
    *out++ = m->known ? 1 : 0;
    *out++ = m->time;
    *out++ = m->yaw;
    for (int k = 0; k < 3; k++) *out++ = m->velocity[k];
    for (int k = 0; k < 3; k++) *out++ = m->acceleration[k];
  }
}

void rut_signals_recall(rutSignals* s, const double* memory) {
  for (int i = 0; i < s->sources; i++) {
    if (s->source[i].origin != CHANGE) continue;
    Motion* m = &s->motion[s->source[i].index];
    m->known = *memory++ != 0;
    m->time = *memory++;
    m->yaw = *memory++;
    for (int k = 0; k < 3; k++) m->velocity[k] = *memory++;
    for (int k = 0; k < 3; k++) m->acceleration[k] = *memory++;
  }
}

bool rut_glob(const char* pattern, const char* name) {
  const char *star = NULL, *from = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      from = name;
    } else if (*pattern == '?' || *pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      // let the last star match one more character
      pattern = star + 1;
      name = ++from;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}
