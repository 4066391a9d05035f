// SPDX-License-Identifier: BSD-3-Clause
#include "host/fmu_variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "base/report.h"
#include "math/rut_math.h"

enum {
  FEW_NUMBERS = 16,  // longer lists are no parameters
  MOST_PATH = 1024,
  MOST_KINDS = 64,  // of children that are told apart by their kinds
  MOST_SEED = 2147483647
};

typedef struct Lister {
  const rutSpec* spec;
  const rutFmuChoice* choice;
  rutFmuList* list;
  bool* used;  // [parameters] patterns that match something
  bool failed;
} Lister;

static char* copy(const char* text) {
  const size_t size = strlen(text) + 1;
  char* out = malloc(size);
  if (out) memcpy(out, text, size);
  return out;
}

// Names are shown by other programs, and are attributes of XML.
static bool can_be_shown(const char* name) {
  for (const unsigned char* c = (const unsigned char*)name; *c; c++) {
    if (*c < 0x20 || *c == 0x7f) return false;
  }
  return name[0] != '\0' && name[0] != ' ' && !strstr(name, "  ") && name[strlen(name) - 1] != ' ';
}

// Takes over place.path. Names that cannot be shown are left out.
static void add(Lister* l, const char* name, const char* unit, rutFmuVariable seen,
                rutFmuPlace place) {
  rutFmuList* list = l->list;
  if (!can_be_shown(name)) {
    free(place.path);
    return;
  }
  if (list->n == list->capacity) {
    const int capacity = 2 * list->capacity + 64;
    rutFmuEntry* grown = realloc(list->entry, (size_t)capacity * sizeof *grown);
    if (!grown) {
      free(place.path);
      l->failed = true;
      return;
    }
    list->entry = grown;
    list->capacity = capacity;
  }
  rutFmuEntry* e = &list->entry[list->n++];
  *e = (rutFmuEntry){.seen = seen, .name = copy(name), .unit = copy(unit), .place = place};
  e->seen.name = e->name;
  e->seen.unit = e->unit;
  l->failed = l->failed || !e->name || !e->unit;
}

static rutFmuVariable variable(rutFmuRole role, const char* doc, double start) {
  return (rutFmuVariable){.role = role,
                          .type = RUT_REAL,
                          .doc = doc,
                          .start = start,
                          .min = -RUT_INFINITY,
                          .max = RUT_INFINITY,
                          .words = ""};
}

// ---- fields ----

static bool is_wanted(Lister* l, const char* name) {
  bool wanted = l->choice->parameters == 0;
  for (int i = 0; i < l->choice->parameters; i++) {
    if (!rut_glob(l->choice->parameter[i], name)) continue;
    wanted = l->used[i] = true;
  }
  return wanted;
}

// Unit of a number of a vector, whose row may list one for each: "m m rad".
static void unit_of(const rutField* row, int k, char unit[64]) {
  const char* from = row->unit;
  int length = (int)strlen(from);
  if (row->flags & RUT_FIELD_MIXED) {
    for (; k > 0; k--) {
      from += strcspn(from, " ");
      from += strspn(from, " ");
    }
    length = (int)strcspn(from, " ");
  }
  snprintf(unit, 64, "%.*s", strcmp(row->unit, "1") == 0 ? 0 : length, from);
}

static void add_number(Lister* l, const char* path, const rutField* row, int element,
                       double value) {
  char name[MOST_PATH + 96], unit[64], part[16] = "";
  if (element >= 0) snprintf(part, sizeof part, "[%d]", element);
  snprintf(name, sizeof name, "%s%s%s%s", path, *path ? "." : "", row->name, part);
  if (value - value != 0 || !is_wanted(l, name)) return;
  rutFmuVariable v = variable(RUT_FMU_PARAMETER, row->doc, value);
  v.type = row->type == RUT_VECTOR ? RUT_REAL : row->type;
  v.row = row;
  if (row->type == RUT_CHOICE) v.words = row->text;
  // a default outside of the range stands for "none"
  if (row->type != RUT_BOOLEAN && row->type != RUT_CHOICE && value >= row->min &&
      value <= row->max) {
    v.min = row->min;
    v.max = row->max;
  }
  unit_of(row, element < 0 ? 0 : element, unit);
  add(l, name, unit, v,
      (rutFmuPlace){.path = copy(path), .element = element, .vehicle = -1, .index = -1});
}

static void add_field(Lister* l, rutNode node, const char* path, const rutField* row) {
  // the step is that of the FMU
  if (!*path && strcmp(row->name, "timestep") == 0) return;
  int n = 0;
  switch (row->type) {
    case RUT_REAL:
    case RUT_INTEGER:
    case RUT_BOOLEAN:
    case RUT_CHOICE:
      add_number(l, path, row, -1, rut_node_number(l->spec, node, row->name));
      break;
    case RUT_VECTOR: {
      const double* value = rut_node_numbers(l->spec, node, row->name, &n);
      for (int k = 0; value && n <= FEW_NUMBERS && k < n; k++) {
        add_number(l, path, row, k, value[k]);
      }
      break;
    }
    case RUT_TEXT:
    case RUT_POINTS:
      break;
  }
}

// Kinds of the children of a node.
typedef struct Kinds {
  const char* kind[MOST_KINDS];
  int count[MOST_KINDS], passed[MOST_KINDS], n;
} Kinds;

static int kind_of(Kinds* k, const char* kind) {
  int i = 0;
  while (i < k->n && strcmp(k->kind[i], kind) != 0) i++;
  if (i == MOST_KINDS) return -1;
  if (i == k->n) k->kind[k->n++] = kind;
  return i;
}

static void add_node(Lister* l, rutNode node, const char* path);

// A child by its name or, without one, by its kind and its place among those of this kind.
static void add_child(Lister* l, rutNode child, const char* path, Kinds* kinds) {
  char below[MOST_PATH];
  const char* name = rut_node_name(l->spec, child);
  const char* slash = *path ? "/" : "";
  const int kind = kind_of(kinds, rut_node_kind(l->spec, child));
  int n = 0;
  if (name[0]) {
    n = snprintf(below, sizeof below, "%s%s%s", path, slash, name);
  } else if (kind >= 0 && kinds->count[kind] == 1) {
    n = snprintf(below, sizeof below, "%s%s%s", path, slash, kinds->kind[kind]);
  } else if (kind >= 0) {
    n = snprintf(below, sizeof below, "%s%s%s[%d]", path, slash, kinds->kind[kind],
                 kinds->passed[kind]);
  }
  if (kind >= 0) kinds->passed[kind]++;
  if (n <= 0 || n >= MOST_PATH) return;
  // two of one name, or a name with a slash, may lead elsewhere
  const rutNode found = rut_spec_find(l->spec, below);
  if (found.index == child.index && found.generation == child.generation) {
    add_node(l, child, below);
  }
}

static void add_node(Lister* l, rutNode node, const char* path) {
  const rutComponent* type = rut_node_component(l->spec, node);
  for (int i = 0; i < type->fields && !l->failed; i++) add_field(l, node, path, &type->field[i]);
  Kinds kinds = {.n = 0};
  rutNode child = rut_node_first(l->spec, node, NULL);
  for (; !rut_node_is_null(child); child = rut_node_next(l->spec, child, NULL)) {
    const int kind = kind_of(&kinds, rut_node_kind(l->spec, child));
    if (kind >= 0) kinds.count[kind]++;
  }
  child = rut_node_first(l->spec, node, NULL);
  for (; !rut_node_is_null(child) && !l->failed; child = rut_node_next(l->spec, child, NULL)) {
    add_child(l, child, path, &kinds);
  }
}

static rutStatus add_parameters(Lister* l, rutError* err) {
  rutFmuVariable seed = variable(RUT_FMU_PARAMETER, "seed of all noise", (double)l->choice->seed);
  seed.type = RUT_INTEGER;
  seed.min = 0;
  seed.max = MOST_SEED;
  add(l, "seed", "", seed, (rutFmuPlace){.element = -1, .vehicle = -1, .index = -1});
  l->used = calloc((size_t)l->choice->parameters + 1, sizeof *l->used);
  if (!l->used) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for variables");
  add_node(l, rut_spec_root(l->spec), "");
  for (int i = 0; i < l->choice->parameters; i++) {
    if (l->used[i]) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "no parameter is called '%.200s': their names are those of rut run --set",
                         l->choice->parameter[i]);
  }
  return RUT_OK;
}

// ---- set points and signals ----

static void add_inputs(Lister* l, const rutModel* model, const double* start, int vehicle) {
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  for (int i = 0; i < info.commands; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_VEHICLE, vehicle, RUT_COMMAND, i);
    char name[MOST_PATH];
    snprintf(name, sizeof name, "%.800s/command_%.200s", info.name, v.name);
    add(l, name, v.unit, variable(RUT_FMU_INPUT, v.doc, start[i]),
        (rutFmuPlace){.vehicle = vehicle, .index = i});
  }
}

// Inputs of all vehicles, from their set points at the start.
static rutStatus add_set_points(Lister* l, const rutModel* model, rutError* err) {
  rutData* data = rut_data_create(model);
  if (!data) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the state");
  for (int i = 0; i < rut_count(model, RUT_VEHICLE) && !l->failed; i++) {
    const int n = rut_vehicle_info(model, i).commands;
    double* start = calloc((size_t)n + 1, sizeof *start);
    l->failed = !start;
    if (start) {
      rut_command_state(model, data, i, n, start);
      add_inputs(l, model, start, i);
    }
    free(start);
  }
  rut_data_destroy(data);
  return RUT_OK;
}

static rutStatus add_outputs(Lister* l, const rutSignals* signals, rutError* err) {
  const rutSignalChoice choice = {"", l->choice->outputs, l->choice->output};
  int n = 0, *index = calloc((size_t)rut_signals_count(signals) + 1, sizeof *index);
  if (!index) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for variables");
  const rutStatus status = rut_signals_choose(signals, &choice, &n, index, err);
  for (int i = 0; i < n && status == RUT_OK && !l->failed; i++) {
    const rutSignal s = rut_signals_at(signals, index[i]);
    add(l, s.name, strcmp(s.unit, "1") == 0 ? "" : s.unit, variable(RUT_FMU_OUTPUT, s.doc, 0),
        (rutFmuPlace){.vehicle = -1, .index = index[i]});
  }
  free(index);
  return status;
}

static void free_entry(rutFmuEntry* e) {
  free(e->name);
  free(e->unit);
  free(e->place.path);
}

// Of variables with one name the first stays: set points are signals as well.
static bool remove_doubles(rutFmuList* list) {
  rutName* name = malloc(((size_t)list->n + 1) * sizeof *name);
  bool* twice = calloc((size_t)list->n + 1, sizeof *twice);
  for (int i = 0; name && i < list->n; i++) {
    name[i] = (rutName){list->entry[i].name, list->entry[i].name, i};
  }
  if (name && twice) {
    rut_names_sort(list->n, name);
    for (int i = 1; i < list->n; i++) {
      twice[name[i].index] = strcmp(name[i].name, name[i - 1].name) == 0;
    }
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
      if (twice[i]) {
        free_entry(&list->entry[i]);
      } else {
        list->entry[kept++] = list->entry[i];
      }
    }
    list->n = kept;
  }
  const bool fine = name && twice;
  free(name);
  free(twice);
  return fine;
}

rutStatus rut_fmu_list(const rutSpec* spec, const rutModel* model, const rutSignals* signals,
                       const rutFmuChoice* choice, rutFmuList* out, rutError* err) {
  *out = (rutFmuList){0};
  Lister l = {.spec = spec, .choice = choice, .list = out};
  add(&l, "time", "s", variable(RUT_FMU_TIME, "simulated time", 0), (rutFmuPlace){.index = -1});
  rutStatus status = add_parameters(&l, err);
  if (status == RUT_OK) status = add_set_points(&l, model, err);
  if (status == RUT_OK) status = add_outputs(&l, signals, err);
  free(l.used);
  if (status == RUT_OK && (l.failed || !remove_doubles(out))) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for variables");
  }
  return status;
}

void rut_fmu_list_free(rutFmuList* list) {
  for (int i = 0; i < list->n; i++) free_entry(&list->entry[i]);
  free(list->entry);
  *list = (rutFmuList){0};
}
