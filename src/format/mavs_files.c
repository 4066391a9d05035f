// SPDX-License-Identifier: BSD-3-Clause
//
// MAVS keeps scenes in data/scenes, their meshes in data/scenes/meshes, paths in data/waypoints; a
// scene names its meshes from the second, other files from data.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "format/mavs_scene.h"
#include "format/xml.h"

enum { MAX_JSON = 16 << 20 };

// ---- names ----

static bool is_absolute(const char* name) {
  const char drive = name[0] ? name[1] : '\0';
  return name[0] == '/' || drive == ':';
}

// Folder and name as a path; backslashes, which MAVS writes on Windows, become slashes.
static void join(const char* folder, const char* name, char path[RUT_MAVS_PATH]) {
  snprintf(path, RUT_MAVS_PATH, "%s%s", is_absolute(name) ? "" : folder, name);
  for (char* c = path; *c; c++) {
    if (*c == '\\') *c = '/';
  }
}

void rut_mavs_scene_folders(rutMavsScene* s, const rutJsonValue* root) {
  const char* slash = strrchr(s->maker.file, '/');
  const int length = slash ? (int)(slash - s->maker.file) + 1 : 0;
  if (length < RUT_MAVS_PATH) {
    snprintf(s->folder, sizeof s->folder, "%.*s", length, s->maker.file);
  }
  const char* given = rut_json_text(&s->maker, root, "", "PathToMeshes");
  if (given[0]) {
    char path[RUT_MAVS_PATH];
    join(s->folder, given, path);
    const size_t n = strlen(path);
    snprintf(s->meshes, sizeof s->meshes, "%.*s%s", RUT_MAVS_PATH - 2, path,
             path[n - 1] == '/' ? "" : "/");
  } else {
    snprintf(s->meshes, sizeof s->meshes, "%.*smeshes/", RUT_MAVS_PATH - 8, s->folder);
  }
  s->full_paths = rut_json_flag(&s->maker, root, "", "UseFullPaths", false);
}

// ---- files ----

// Whether a file can be read: 0, ENOENT, or what is wrong with it (base/input.h). One that is
// elsewhere, in a folder of models, counts as well.
static int probe(const rutMavsScene* s, const char* path) {
  const rutAccess* access = s->maker.reporter->access;
  char* real = NULL;
  const bool allowed = rut_access_allows(access, path, &real);
  const bool exists = real != NULL;
  free(real);
  if (!allowed && exists) return RUT_INPUT_OUTSIDE;
  int file;
  uint64_t size;
  const int fault = rut_input_open(access, path, &file, &size);
  if (fault == 0) close(file);
  return fault == 0 || exists ? fault : ENOENT;
}

// What is looked for, and where.
typedef struct Search {
  const rutJsonValue* name;
  const char* folder[3];
  int folders;
} Search;

// The first of some folders that has a file. What is wrong is reported.
static bool find_file(rutMavsScene* s, const Search* search, const char* label, const char* instead,
                      char path[RUT_MAVS_PATH]) {
  const rutJsonValue* name = search->name;
  char refused[RUT_MAVS_PATH] = "";
  int fault = 0;
  if (strlen(name->text) > RUT_MAVS_PATH / 2 || !name->text[0]) {
    rut_json_warn(&s->maker, name, label, "'%.60s' is no name of a file: %s", name->text, instead);
    return false;
  }
  for (int i = 0; i < search->folders; i++) {
    join(search->folder[i], name->text, path);
    const int found = probe(s, path);
    if (found == 0) return true;
    if (found == ENOENT || refused[0]) continue;
    memcpy(refused, path, sizeof refused);
    fault = found;
  }
  if (refused[0]) {
    char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
    rut_input_explain(fault, refused, 0, message, hint);
    rut_report_error(s->maker.reporter, RUT_ERR_IO, rut_json_place(&s->maker, name), label, hint,
                     "%s", message);
  } else {
    rut_json_warn(&s->maker, name, label, "'%.200s' is not there: %s", name->text, instead);
  }
  path[0] = '\0';
  return false;
}

bool rut_mavs_scene_mesh_path(rutMavsScene* s, const rutJsonValue* name, const char* label,
                              const char* instead, char path[RUT_MAVS_PATH]) {
  const Search search = {name, {s->meshes, s->folder}, 2};
  return find_file(s, &search, label, instead, path);
}

bool rut_mavs_scene_data_path(rutMavsScene* s, const rutJsonValue* name, const char* label,
                              const char* instead, char path[RUT_MAVS_PATH]) {
  char data[RUT_MAVS_PATH];
  snprintf(data, sizeof data, "%.*s../", RUT_MAVS_PATH - 4, s->folder);
  const Search search = {name, {data, s->folder, s->meshes}, 3};
  return find_file(s, &search, label, instead, path);
}

rutJson* rut_mavs_scene_json(rutMavsScene* s, const char* path, const rutJsonValue* name,
                             const char* label) {
  char* text = NULL;
  size_t size = 0;
  rutJson* json = NULL;
  (void)label;
  if (rut_read_file(path, MAX_JSON, s->maker.reporter, rut_json_place(&s->maker, name), &text,
                    &size) == RUT_OK) {
    rut_json_parse(text, size, path, s->maker.reporter, &json);
  }
  free(text);
  return json;
}

bool rut_mavs_scene_points(rutMavsScene* s, const rutJsonValue* name, const char* label,
                           const char* instead, rutPathPoints* out) {
  char path[RUT_MAVS_PATH];
  char* text = NULL;
  size_t size = 0;
  *out = (rutPathPoints){0};
  if (!rut_mavs_scene_data_path(s, name, label, instead, path)) return false;
  const bool fine = rut_read_file(path, RUT_PATH_MAX_FILE, s->maker.reporter,
                                  rut_json_place(&s->maker, name), &text, &size) == RUT_OK &&
                    rut_path_parse(text, size, path, s->maker.reporter, out) == RUT_OK;
  free(text);
  return fine;
}

// ---- labels and plants ----

static void read_labels(rutMavsScene* s, const rutJsonValue* list) {
  s->label = malloc(((size_t)list->children + 1) * sizeof *s->label);
  if (!s->label) return;
  for (const rutJsonValue* item = list->first; item; item = item->next) {
    const rutJsonValue* mesh = item->kind == RUT_JSON_ARRAY ? item->first : NULL;
    const rutJsonValue* label = mesh ? mesh->next : NULL;
    if (!label || mesh->kind != RUT_JSON_STRING || label->kind != RUT_JSON_STRING) continue;
    s->label[s->labels++] = (rutMavsLabel){mesh->text, label->text};
  }
}

static void read_plants(rutMavsScene* s, const rutJsonValue* list) {
  s->plant = malloc(((size_t)list->children + 1) * sizeof *s->plant);
  if (!s->plant) return;
  for (const rutJsonValue* item = list->first; item; item = item->next) {
    if (item->kind != RUT_JSON_OBJECT) continue;
    const rutJsonValue* mesh = rut_json_find(item, "mesh");
    const rutJsonValue* height = rut_json_find(item, "height");
    const rutJsonValue* diameter = rut_json_find(item, "diameter");
    if (!mesh || mesh->kind != RUT_JSON_STRING || !height || !(height->number > 0)) continue;
    s->plant[s->plants++] =
        (rutMavsPlant){mesh->text, height->number, diameter ? diameter->number : 0};
  }
}

void rut_mavs_scene_labels(rutMavsScene* s, const rutJsonValue* root) {
  char path[RUT_MAVS_PATH];
  const rutJsonValue* name = rut_json_child(&s->maker, root, "", "Object Labels", RUT_JSON_STRING);
  if (name && rut_mavs_scene_mesh_path(s, name, "Object Labels",
                                       "names of meshes tell what things are", path)) {
    s->labels_json = rut_mavs_scene_json(s, path, name, "Object Labels");
    const rutJsonValue* list =
        s->labels_json ? rut_json_find(rut_json_root(s->labels_json), "Labels") : NULL;
    if (list && list->kind == RUT_JSON_ARRAY) read_labels(s, list);
  }
  name = rut_json_child(&s->maker, root, "", "VegOverrideFile", RUT_JSON_STRING);
  if (name && rut_mavs_scene_data_path(s, name, "VegOverrideFile",
                                       "plants have the measures of MAVS's own", path)) {
    s->plants_json = rut_mavs_scene_json(s, path, name, "VegOverrideFile");
    const rutJsonValue* list =
        s->plants_json ? rut_json_find(rut_json_root(s->plants_json), "veg_models") : NULL;
    if (list && list->kind == RUT_JSON_ARRAY) read_plants(s, list);
  }
}

const char* rut_mavs_scene_label(const rutMavsScene* s, const char* mesh) {
  for (int i = 0; i < s->labels; i++) {
    if (strcmp(s->label[i].mesh, mesh) == 0) return s->label[i].label;
  }
  return "";
}

const rutMavsPlant* rut_mavs_scene_plant(const rutMavsScene* s, const char* mesh) {
  for (int i = 0; i < s->plants; i++) {
    if (strcmp(s->plant[i].mesh, mesh) == 0) return &s->plant[i];
  }
  return NULL;
}

// ---- meshes ----

// A mesh that is broken is a warning, as one that is not there.
static void read_mesh(rutMavsScene* s, rutMavsFile* file, const rutJsonValue* name,
                      const char* label, const char* instead) {
  rutReporter quiet = {.access = s->maker.reporter->access};
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  const int fault = rut_mesh_read(quiet.access, file->path, &s->mesh_time, &quiet, &file->mesh);
  if (fault) {
    rut_input_explain(fault, file->path, RUT_MESH_MAX_BYTES, message, hint);
    rut_json_warn(&s->maker, name, label, "%s: %s", message, instead);
  } else if (quiet.errors > 0) {
    rut_json_warn(&s->maker, name, label, "'%.200s': %s: %s", name->text, quiet.first.message,
                  instead);
  }
  if (file->mesh.triangles == 0) file->mesh.points = 0;
}

rutMavsFile* rut_mavs_scene_mesh(rutMavsScene* s, const rutJsonValue* name, const char* label,
                                 const char* instead) {
  for (int i = 0; i < s->mesh_count; i++) {
    if (strcmp(s->mesh[i].name, name->text) == 0) return &s->mesh[i];
  }
  if (s->mesh_count == RUT_MAVS_MAX_MESHES) {
    rut_json_error(&s->maker, name, label, "a scene uses at most %d meshes", RUT_MAVS_MAX_MESHES);
    rut_json_halt(&s->maker);
    return NULL;
  }
  const int errors = s->maker.reporter->errors;
  rutMavsFile* file = &s->mesh[s->mesh_count++];
  *file = (rutMavsFile){.name = name->text};
  if (rut_mavs_scene_mesh_path(s, name, label, instead, file->path)) {
    read_mesh(s, file, name, label, instead);
  }
  return s->maker.reporter->errors == errors ? file : NULL;
}

void rut_mavs_scene_free(rutMavsScene* s) {
  for (int i = 0; i < s->mesh_count; i++) rut_mesh_free(&s->mesh[i].mesh);
  free(s->mesh);
  free(s->label);
  free(s->plant);
  rut_json_destroy(s->labels_json);
  rut_json_destroy(s->plants_json);
}
