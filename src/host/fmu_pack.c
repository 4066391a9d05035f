// SPDX-License-Identifier: BSD-3-Clause
#include "host/fmu_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/input.h"
#include "base/report.h"
#include "host/write_file.h"

static const char files[] = "files/";
static const size_t MOST_BYTES = (size_t)1 << 32;  // of one file

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the files of a world");
}

static char* copy(const char* text) {
  const size_t size = strlen(text) + 1;
  char* out = malloc(size);
  if (out) memcpy(out, text, size);
  return out;
}

// ---- which files ----

// Takes over the texts.
static void add(rutFmuPack* pack, char* real, char* name) {
  if (pack->n == pack->capacity) {
    const int capacity = 2 * pack->capacity + 16;
    rutFmuFile* grown = realloc(pack->file, (size_t)capacity * sizeof *grown);
    if (grown) pack->file = grown;
    if (grown) pack->capacity = capacity;
  }
  if (pack->n == pack->capacity) {
    free(real);
    free(name);
    pack->failed = true;
    return;
  }
  pack->file[pack->n++] = (rutFmuFile){real, name};
}

// A file that is read.
static void note(const char* path, void* user) {
  rutFmuPack* pack = user;
  for (int i = 0; i < pack->n; i++) {
    if (strcmp(pack->file[i].real, path) == 0) return;
  }
  char* real = copy(path);
  pack->failed = pack->failed || !real;
  if (real) add(pack, real, NULL);
}

typedef struct Last {
  rutFmuPack* pack;
  char path[4096];
} Last;

static void note_last(const char* path, void* user) {
  Last* last = user;
  snprintf(last->path, sizeof last->path, "%s", path);
  note(path, last->pack);
}

// Visit the fields of a spec that name files.
typedef rutStatus (*VisitFile)(rutSpec* spec, rutNode node, const char* field, rutFmuPack* pack,
                               rutError* err);

static rutStatus visit_files(rutSpec* spec, rutNode node, VisitFile visit, rutFmuPack* pack,
                             rutError* err) {
  const rutComponent* type = rut_node_component(spec, node);
  rutStatus status = RUT_OK;
  for (int i = 0; i < type->fields && status == RUT_OK; i++) {
    const rutField* row = &type->field[i];
    const bool names_file = row->type == RUT_TEXT && strcmp(row->unit, "file") == 0;
    if (names_file && rut_node_text(spec, node, row->name)[0]) {
      status = visit(spec, node, row->name, pack, err);
    }
  }
  for (rutNode child = rut_node_first(spec, node, NULL);
       !rut_node_is_null(child) && status == RUT_OK; child = rut_node_next(spec, child, NULL)) {
    status = visit_files(spec, child, visit, pack, err);
  }
  return status;
}

// Where a file was found goes into its field; one that is not there stays as it is.
static rutStatus find_file(rutSpec* spec, rutNode node, const char* field, rutFmuPack* pack,
                           rutError* err) {
  Last last = {.pack = pack};
  void* bytes = NULL;
  size_t size;
  rut_context_on_read(rut_spec_context(spec), note_last, &last);
  const rutStatus status =
      rut_spec_read_file(spec, rut_node_text(spec, node, field), MOST_BYTES, &bytes, &size, NULL);
  rut_context_on_read(rut_spec_context(spec), NULL, NULL);
  free(bytes);
  if (status != RUT_OK || !last.path[0]) return RUT_OK;
  return rut_node_set(spec, node, field, last.path, err);
}

// ---- where they go ----

// Length of what the folders of all files have in common, with a '/' at its end.
static size_t common_folder(const rutFmuPack* pack) {
  size_t common = 0;
  for (int i = 0; i < pack->n; i++) {
    const char *path = pack->file[i].real, *first = pack->file[0].real;
    size_t shared = 0;
    for (size_t k = 0; path[k] && path[k] == first[k]; k++) {
      if (path[k] == '/') shared = k + 1;
    }
    common = i == 0 || shared < common ? shared : common;
  }
  return common;
}

static void name_files(rutFmuPack* pack) {
  const size_t common = common_folder(pack);
  for (int i = 0; i < pack->n; i++) {
    const char* rest = pack->file[i].real + common;
    const size_t size = sizeof files + strlen(rest);
    char* name = malloc(size);
    if (name) snprintf(name, size, "%s%s", files, rest);
    pack->failed = pack->failed || !name;
    pack->file[i].name = name;
  }
}

// A field that names a packed file names its copy.
static rutStatus name_copy(rutSpec* spec, rutNode node, const char* field, rutFmuPack* pack,
                           rutError* err) {
  char path[4096 + 512];
  for (int i = 0; i < pack->n; i++) {
    if (strcmp(pack->file[i].real, rut_node_text(spec, node, field)) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", pack->folder, pack->file[i].name);
    return rut_node_set(spec, node, field, path, err);
  }
  return RUT_OK;
}

// ---- writing them ----

static rutStatus save(const rutFmuPack* pack, const char* name, const void* bytes, size_t size,
                      rutError* err) {
  char path[4096 + 512];
  snprintf(path, sizeof path, "%s/%s", pack->folder, name);
  char* slash = strrchr(path, '/');
  *slash = '\0';
  int fault = rut_output_make_folder(path);
  *slash = '/';
  rutOutput output;
  if (!fault) fault = rut_output_begin(&output, path);
  if (fault) return rut_output_error(fault, path, err);
  fault = rut_output_write(&output, bytes, size);
  if (fault) {
    rut_output_cancel(&output);
  } else {
    fault = rut_output_finish(&output);
  }
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}

static uint64_t hash_file(uint64_t hash, const char* name, const void* bytes, size_t size) {
  return rut_hash(rut_hash(hash, name, strlen(name) + 1), bytes, size);
}

static rutStatus copy_files(const rutFmuPack* pack, uint64_t* hash, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < pack->n && status == RUT_OK; i++) {
    const rutFmuFile* file = &pack->file[i];
    char *bytes = NULL, message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
    size_t size = 0;
    const int fault = rut_input_read(&rut_access_any, file->real, MOST_BYTES, &bytes, &size);
    if (fault) {
      rut_input_explain(fault, file->real, MOST_BYTES, message, hint);
      return rut_error_set(err, RUT_ERR_IO, "%s", message);
    }
    *hash = hash_file(*hash, file->name, bytes, size);
    status = save(pack, file->name, bytes, size, err);
    free(bytes);
  }
  return status;
}

static rutStatus save_world(rutFmuPack* pack, const rutSpec* spec, const rutFmuChoice* choice,
                            uint64_t hash, rutError* err) {
  char path[1024], *text = NULL;
  size_t size;
  snprintf(path, sizeof path, "%s/%s", pack->folder, RUT_FMU_WORLD);
  rutStatus status = rut_spec_write(spec, path, &text, &size, err);
  if (status == RUT_OK) status = save(pack, RUT_FMU_WORLD, text, size, err);
  if (status != RUT_OK) {
    free(text);
    return status;
  }
  // two FMUs are the same if this library runs the same files with the same choice
  hash = hash_file(hash, RUT_FMU_WORLD, text, size);
  free(text);
  rutBytes settings = {0};
  rut_fmu_settings_write(RUT_VERSION_STRING, choice, &settings);
  const uint64_t first = hash_file(hash, RUT_FMU_SETTINGS, settings.data, settings.used);
  const uint64_t second = rut_hash(~first, &hash, sizeof hash);
  snprintf(pack->token, sizeof pack->token, "%016llx%016llx", (unsigned long long)first,
           (unsigned long long)second);
  settings.used = 0;
  rut_fmu_settings_write(pack->token, choice, &settings);
  status = settings.failed ? no_memory(err)
                           : save(pack, RUT_FMU_SETTINGS, settings.data, settings.used, err);
  rut_bytes_free(&settings);
  char* world = copy(RUT_FMU_WORLD);
  char* other = copy(RUT_FMU_SETTINGS);
  pack->failed = pack->failed || !world || !other;
  add(pack, NULL, world);
  add(pack, NULL, other);
  return status;
}

// The files that are read while the world is compiled, and its hash.
static rutStatus compile(const rutSpec* spec, rutFmuPack* pack, uint64_t* hash, rutError* err) {
  rutModel* model = NULL;
  rut_context_on_read(rut_spec_context(spec), note, pack);
  const rutStatus status = rut_compile(spec, &model, err);
  rut_context_on_read(rut_spec_context(spec), NULL, NULL);
  if (status != RUT_OK) return status;
  *hash = rut_model_hash(model);
  rut_model_destroy(model);
  return RUT_OK;
}

rutStatus rut_fmu_pack(const rutSpec* spec, const rutFmuChoice* choice, rutFmuPack* out,
                       uint64_t* hash, rutError* err) {
  *out = (rutFmuPack){.folder = ""};
  uint64_t content = RUT_HASH_START;
  rutSpec* own = NULL;
  rutStatus status = compile(spec, out, hash, err);
  if (status == RUT_OK) status = rut_spec_copy(spec, &own, err);
  if (status == RUT_OK) status = rut_output_make_temporary(sizeof out->folder, out->folder, err);
  if (status == RUT_OK) status = visit_files(own, rut_spec_root(own), find_file, out, err);
  if (status == RUT_OK) name_files(out);
  if (status == RUT_OK && out->failed) status = no_memory(err);
  if (status == RUT_OK) status = copy_files(out, &content, err);
  if (status == RUT_OK) status = visit_files(own, rut_spec_root(own), name_copy, out, err);
  if (status == RUT_OK) status = save_world(out, own, choice, content, err);
  if (status == RUT_OK && out->failed) status = no_memory(err);
  if (own) rut_spec_destroy(own);
  return status;
}

void rut_fmu_pack_free(rutFmuPack* pack) {
  for (int i = 0; i < pack->n; i++) {
    free(pack->file[i].real);
    free(pack->file[i].name);
  }
  free(pack->file);
  if (pack->folder[0]) rut_output_remove_folder(pack->folder);
  *pack = (rutFmuPack){.folder = ""};
}
