// SPDX-License-Identifier: BSD-3-Clause
#include "format/mavs_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rut_mavs_scene_recognise(const char* text, size_t size) {
  // keys that no other format has; "Objects" and "Mesh" together; and keys of other files of MAVS
  static const char* const keys[] = {"Surface Mesh", "Layered Surface", "Object Labels",
                                     "Vegetation Distribution", "YawPitchRoll"};
  static const char* const others[] = {"Sprung Mass", "Texture Inputs"};
  size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
  if (at == size || text[at] != '{') return false;
  bool found = false, objects = false, mesh = false;
  for (size_t i = at; i < size; i++) {
    if (text[i] != '"') continue;
    for (int k = 0; k < RUT_COUNT_OF(keys); k++) {
      found = found || rut_json_key_at(text + i, size - i, keys[k]);
    }
    objects = objects || rut_json_key_at(text + i, size - i, "Objects");
    mesh = mesh || rut_json_key_at(text + i, size - i, "Mesh");
    for (int k = 0; k < RUT_COUNT_OF(others); k++) {
      if (rut_json_key_at(text + i, size - i, others[k])) return false;
    }
  }
  return found || (objects && mesh);
}

static void read_scene(rutMavsScene* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  if (root->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, root, "", "a scene of MAVS is an object, not %s",
                   rut_json_kind_text(root->kind));
    return;
  }
  RUT_JSON_CHECK_KEYS(m, root, "", "PathToMeshes", "UseFullPaths", "Object Labels",
                      "VegOverrideFile", "Layered Surface", "Surface Mesh", "Objects",
                      "Vegetation Distribution", "Animations");
  rut_mavs_scene_folders(s, root);
  rut_mavs_scene_labels(s, root);
  rut_mavs_scene_layered(s, root);
  rut_mavs_scene_surfaces(s, root);
  rut_mavs_scene_objects(s, root);
  rut_mavs_scene_vegetation(s, root);
  rut_mavs_scene_animations(s, root);
}

rutStatus rut_mavs_scene_add(rutContext* context, const char* text, size_t size, const char* file,
                             rutSpec* spec, rutNode world) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutJson* json;
  const rutStatus status = rut_json_parse(text, size, file, reporter, &json);
  if (status != RUT_OK) return status;
  rutMavsScene scene = {.maker = {.spec = spec, .reporter = reporter, .file = file},
                        .world = world,
                        .mesh = calloc(RUT_MAVS_MAX_MESHES, sizeof *scene.mesh),
                        .mesh_time = {RUT_MESH_SECONDS}};
  if (scene.mesh) {
    read_scene(&scene, rut_json_root(json));
  } else {
    const rutPlace place = {file, 0, 0};
    rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  }
  rut_mavs_scene_free(&scene);
  rut_json_destroy(json);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

// ---- the format ----

// A scene has no sensor: this one, at the height of a house, looks over its middle.
static void add_view(rutSpec* spec, rutNode world, rutPlace place) {
  static const struct {
    const char* field;
    const char* value;
  } view[] = {
      {"preset", "mavs"}, {"x", "-40 m"}, {"z", "12 m"}, {"pitch", "12 deg"}, {"period", "1 s"}};
  const rutNode camera = rut_spec_add(spec, world, "sensor", "camera", "view", NULL);
  if (rut_node_is_null(camera)) return;
  rut_node_place(spec, camera, NULL, place);
  for (int i = 0; i < RUT_COUNT_OF(view); i++) {
    rut_node_set(spec, camera, view[i].field, view[i].value, NULL);
  }
}

static rutStatus scene_read(rutContext* context, const char* text, size_t size, const char* name,
                            rutSpec* spec, rutError* err) {
  const rutNode world = rut_spec_root(spec);
  const rutPlace start = {name, 1, 1};
  rut_node_place(spec, world, NULL, start);
  // MAVS keeps paths beside its scenes
  rutStatus status = rut_spec_allow_beside(spec, name, "waypoints");
  if (status == RUT_OK) status = rut_mavs_scene_add(context, text, size, name, spec, world);
  if (status == RUT_OK) add_view(spec, world, start);
  if (status != RUT_OK && err) *err = rut_context_reporter(context)->first;
  return status;
}

const rutFormatType rut_format_mavs_scene = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "mavs_scene",
             .parents = "",
             .doc = "Scene files of MAVS (JSON): ground, trails, objects, vegetation, people."},
    .recognise = rut_mavs_scene_recognise,
    .read = scene_read};
