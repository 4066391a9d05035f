// SPDX-License-Identifier: BSD-3-Clause
#include "format/mesh.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/input.h"
#include "base/thread.h"
#include "format/mesh_answer.h"
#include "math/colour.h"

void rut_mesh_free(rutMesh* mesh) {
  free(mesh->point);
  free(mesh->triangle);
  free(mesh->line);
  free(mesh->material);
  free(mesh->colour);
  free(mesh->coordinate);
  free(mesh->texture);
  free(mesh->texture_name);
  free(mesh->image_end);
  free(mesh->image);
  *mesh = (rutMesh){0};
}

// The ending of a name in small letters, if it is one of a mesh; else NULL.
static const char* known_ending(const char* name) {
  static const char* const known[] = {"dae", "obj", "stl", "ply", "off", "glb"};
  const char* dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++) {
    bool same = strlen(dot + 1) == strlen(known[i]);
    for (size_t k = 0; same && known[i][k]; k++) {
      const char c = dot[1 + k];
      same = (c >= 'A' && c <= 'Z' ? c + 32 : c) == known[i][k];
    }
    if (same) return known[i];
  }
  return NULL;
}

// A file in memory.
typedef struct Input {
  const void* bytes;
  size_t size, mesh_size;  // of all, and of the mesh, which a library of materials may follow
  const char* name;
} Input;

#ifdef RUT_HAVE_ASSIMP

// Why there is no answer.
static rutStatus no_answer(rutChildEnd end, int code, const char* name, rutReporter* reporter) {
  static const char harm[] = "the file is damaged, or made to do harm";
  const rutPlace place = {name, 0, 0};
  switch (end) {
    case RUT_CHILD_KILLED:
      if (code != SIGXCPU && code != SIGKILL && code != SIGALRM) {
        return rut_report_error(reporter, RUT_ERR_PARSE, place, "", harm,
                                "mesh cannot be read: rut-import crashed on it (signal %d)", code);
      }
      break;
    case RUT_CHILD_SLOW:
      break;
    case RUT_CHILD_TOO_LARGE:
      return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use a simpler mesh",
                              "mesh has more than %d vertices", RUT_MESH_MAX_POINTS);
    case RUT_CHILD_NO_MEMORY:
      return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "no memory for a mesh");
    case RUT_CHILD_NO_START: {
      char reason[128] = "unknown reason";
      if (strerror_r(code, reason, sizeof reason)) reason[0] = '\0';
      return rut_report_error(reporter, RUT_ERR_IO, place, "", "",
                              "rut-import cannot be started: %s", reason);
    }
    case RUT_CHILD_EXITED:
      if (code == RUT_HELPER_REFUSES) return rut_mesh_helper_differs(name, reporter);
      return rut_report_error(reporter, RUT_ERR_PARSE, place, "", harm,
                              "mesh cannot be read: rut-import crashed on it (exit code %d)", code);
  }
  return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use a simpler mesh",
                          "mesh takes too long, or too much memory, to read");
}

static rutStatus decode(const Input* in, rutMeshTime* time, rutReporter* reporter, rutMesh* out) {
  // what the largest mesh that is allowed answers
  enum {
    LARGEST = sizeof(rutMeshAnswer) + RUT_MESH_MAX_POINTS * (size_t)(24 + 12 + 8 + 4 + 8) +
              RUT_MESH_MAX_MATERIALS * (size_t)(32 + RUT_MESH_MAX_NAME) + RUT_MESH_MAX_BYTES
  };
  const char* name = in->name;
  *out = (rutMesh){0};
  const rutPlace place = {name, 0, 0};
  const char* ending = known_ending(name);
  if (!ending) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "",
                            "use .dae, .obj, .stl, .ply, .off or .glb",
                            "mesh format is not known from the file's ending");
  }
  if (in->mesh_size == 0 || in->mesh_size > RUT_MESH_MAX_BYTES) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "",
                            "mesh file must have from 1 to %d bytes", RUT_MESH_MAX_BYTES);
  }
  if (time->left <= 0) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use simpler meshes",
                            "the meshes of this world take too long to read");
  }
  char program[4096];
  if (!rut_helper_find("rut-import", program, sizeof program)) {
    return rut_report_error(reporter, RUT_ERR_MISSING, place, "",
                            "install rut as a whole, or name the folder in RUT_HELPERS",
                            "meshes need the program rut-import, which is not where it should be");
  }
  char mesh_bytes[24];
  snprintf(mesh_bytes, sizeof mesh_bytes, "%zu", in->mesh_size);
  rutChild child = {.arguments = (const char* const[]){program, "mesh", ending, mesh_bytes,
                                                       RUT_MESH_ANSWER_MARK, NULL},
                    .input = in->bytes,
                    .input_size = in->size,
                    .output_limit = LARGEST,
                    .seconds = time->left};
  const double start = rut_clock();
  const rutChildEnd end = rut_child_run(&child);
  time->left -= rut_clock() - start;
  const bool answered = end == RUT_CHILD_EXITED && child.output_size > 0;
  const rutStatus status =
      answered ? rut_mesh_answer_read(child.output, child.output_size, name, reporter, out)
               : no_answer(end, child.code, name, reporter);
  free(child.output);
  return status;
}

#else

static rutStatus decode(const Input* in, rutMeshTime* time, rutReporter* reporter, rutMesh* out) {
  (void)time;
  *out = (rutMesh){0};
  return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){in->name, 0, 0}, "",
                          "apt-get install libassimp-dev, and build again",
                          "meshes need the assimp library, which this rut was built without");
}

#endif

rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutMeshTime* time,
                          rutReporter* reporter, rutMesh* out) {
  return decode(&(Input){bytes, size, size, name}, time, reporter, out);
}

// ---------------------------------------------------------------------------------------------
// Files

enum { MAX_LIBRARY = 16 << 20, MAX_PATH = 4096 };

// Path of the library of materials that an OBJ file names: in its folder or below, for a name may
// lead anywhere. False if it names none there.
static bool library_path(const char* text, const char* path, char out[MAX_PATH]) {
  static const char word[] = "mtllib ";
  for (const char* line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, word, sizeof word - 1) != 0) continue;
    const char* name = line + sizeof word - 1;
    name += strspn(name, " \t");
    const int length = (int)strcspn(name, "\r\n");
    const char* slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    const int n = snprintf(out, MAX_PATH, "%.*s%.*s", folder, path, length, name);
    return length > 0 && n < MAX_PATH && name[0] != '/' && !strstr(out + folder, "..") &&
           !strchr(out + folder, ':');
  }
  return false;
}

// Append the library of materials of an OBJ file to its text, if there is one.
static void add_library(const rutAccess* access, const char* path, char** bytes, size_t* size) {
  char name[MAX_PATH], *library = NULL;
  size_t more = 0;
  if (!library_path(*bytes, path, name)) return;
  if (rut_input_read(access, name, MAX_LIBRARY, &library, &more) != 0) return;
  char* both = realloc(*bytes, *size + more + 1);
  if (both) {
    memcpy(both + *size, library, more);
    *bytes = both;
    *size += more;
  }
  free(library);
}

int rut_mesh_read(const rutAccess* access, const char* path, rutMeshTime* time,
                  rutReporter* reporter, rutMesh* out) {
  *out = (rutMesh){0};
  char* bytes = NULL;
  size_t size = 0;
  const int fault = rut_input_read(access, path, RUT_MESH_MAX_BYTES, &bytes, &size);
  if (fault) return fault;
  const size_t mesh_size = size;
  const char* ending = known_ending(path);
  if (ending && strcmp(ending, "obj") == 0) add_library(access, path, &bytes, &size);
  decode(&(Input){bytes, size, mesh_size, path}, time, reporter, out);
  free(bytes);
  // glTF has linear colours
  const bool coded = ending && strcmp(ending, "glb") != 0;
  for (int i = 0; coded && i < out->materials; i++) {
    for (int k = 0; k < 3; k++) out->colour[i][k] = rut_linear_of_srgb(out->colour[i][k]);
  }
  return 0;
}
