// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that may be changed while a world runs: those of tyres, soils, drives, controllers and
// the like, but neither the shape of things nor what holds at the start only.
#include <math.h>
#include <string.h>

#include "doc.h"
#include "rut/component.h"
#include "scene/scene.h"

enum { MAX_PARAMETERS = 5000 };
// Ranges wider than this only keep out nonsense.
static const double WIDE = 1e12;

// Either writes what there is, or looks for a path.
typedef struct Listing {
  const rutSpec* spec;
  cliJson* json;       // Nullable
  const char* wanted;  // Nullable
  bool found;
  int count;
} Listing;

// Kinds of elements, and which of their fields: NULL, all but lengths; "*", all.
static const struct {
  const char *kind, *fields;
} tunable[] = {
    {"world", "gravity"},
    {"vehicle", "steer_rate steer_response steer_stiffness steer_damping"},
    {"chassis", "mass drag_area linear_damping angular_damping friction restitution"},
    {"axle", "brake anti_roll"},
    {"wheel", ""},
    {"odometry", "*"},
    {"hitch", "force"},
    {"block", "mass ground_friction friction linear_damping angular_damping"},
    {"region", "friction rolling_resistance cone_index"},
    {"deformable", "displaced border repose_angle"},
    {"soil", "*"},
    {"tyre", "*"},
    {"drive", "*"},
    {"controller", "*"},
    {"suspension", NULL},
    {"sensor", "range_noise angle_noise max_range"},
};

static const char* fields_of(const char* kind, bool* any) {
  for (size_t i = 0; i < sizeof tunable / sizeof tunable[0]; i++) {
    if (strcmp(tunable[i].kind, kind) != 0) continue;
    *any = true;
    return tunable[i].fields;
  }
  *any = false;
  return "";
}

static bool is_tunable(const char* fields, const rutField* field) {
  if (field->type != RUT_REAL) return false;
  if (!fields) return strcmp(field->unit, "m") != 0 && strcmp(field->unit, "rad") != 0;
  return strcmp(fields, "*") == 0 || cli_doc_lists(fields, field->name);
}

// Set points of a controller. As fields they only say where it starts: a run that goes on with
// another model keeps those that it has.
static bool is_set_point(const char* kind, const rutComponent* type, const rutField* field) {
  if (strcmp(kind, "controller") != 0) return false;
  const rutControllerType* controller = (const rutControllerType*)type;
  for (int i = 0; i < controller->commands; i++) {
    if (strcmp(controller->command[i].name, field->name) == 0) return true;
  }
  return false;
}

static void put_parameter(Listing* list, rutNode node, const char* path, const rutField* field) {
  char text[VIEW_PATH_SIZE], value[40] = "";
  const double number = rut_node_number(list->spec, node, field->name);
  const int n = snprintf(text, sizeof text, "%s%s%s", path, *path ? "." : "", field->name);
  if (n < 0 || n >= (int)sizeof text || list->count++ >= MAX_PARAMETERS) return;
  if (list->wanted) {
    list->found = list->found || strcmp(text, list->wanted) == 0;
    return;
  }
  if (isfinite(number)) snprintf(value, sizeof value, "%.10g", number);
  cli_json_object(list->json, NULL);
  cli_json_text(list->json, "path", text);
  cli_json_text(list->json, "value", value);
  cli_json_text(list->json, "unit", cli_doc_unit(field));
  if (field->min > -WIDE) cli_json_number(list->json, "min", field->min);
  if (field->max < WIDE) cli_json_number(list->json, "max", field->max);
  cli_json_text(list->json, "doc", field->doc);
  cli_json_end(list->json);
}

static void put_node(Listing* list, rutNode node, const char* path);

static int count_kind(const rutSpec* spec, rutNode parent, const char* kind) {
  int n = 0;
  for (rutNode node = rut_node_first(spec, parent, kind); !rut_node_is_null(node) && n < 2;
       node = rut_node_next(spec, node, kind)) {
    n++;
  }
  return n;
}

// The path of a child: its name, or its kind, with a number where there are several.
static void put_children(Listing* list, rutNode parent, const char* path) {
  const rutSpec* spec = list->spec;
  for (size_t i = 0; i < sizeof tunable / sizeof tunable[0]; i++) {
    const char* kind = tunable[i].kind;
    const bool several = count_kind(spec, parent, kind) > 1;
    int index = 0;
    for (rutNode node = rut_node_first(spec, parent, kind);
         !rut_node_is_null(node) && list->count < MAX_PARAMETERS;
         node = rut_node_next(spec, node, kind), index++) {
      char child[VIEW_PATH_SIZE];
      const char* name = rut_node_name(spec, node);
      const char* slash = *path ? "/" : "";
      int n = 0;
      if (*name) {
        n = snprintf(child, sizeof child, "%s%s%s", path, slash, name);
      } else if (several) {
        n = snprintf(child, sizeof child, "%s%s%s[%d]", path, slash, kind, index);
      } else {
        n = snprintf(child, sizeof child, "%s%s%s", path, slash, kind);
      }
      if (n > 0 && n < (int)sizeof child) put_node(list, node, child);
    }
  }
}

static void put_node(Listing* list, rutNode node, const char* path) {
  const rutComponent* type = rut_node_component(list->spec, node);
  const char* kind = rut_node_kind(list->spec, node);
  bool any;
  const char* fields = fields_of(kind, &any);
  for (int i = 0; any && type && i < type->fields; i++) {
    const rutField* field = &type->field[i];
    if (!is_tunable(fields, field) || is_set_point(kind, type, field)) continue;
    put_parameter(list, node, path, field);
  }
  put_children(list, node, path);
}

void view_scene_parameters(const rutSpec* spec, cliJson* json) {
  Listing list = {.spec = spec, .json = json};
  cli_json_array(json, "parameters");
  put_node(&list, rut_spec_root(spec), "");
  cli_json_end(json);
}

bool view_scene_is_parameter(const rutSpec* spec, const char* path) {
  Listing list = {.spec = spec, .wanted = path};
  put_node(&list, rut_spec_root(spec), "");
  return list.found;
}
