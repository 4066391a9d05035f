// SPDX-License-Identifier: BSD-3-Clause
#include "format/mesh.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/thread.h"
#include "format/mesh_answer.h"

void rut_mesh_free(rutMesh* mesh) {
  free(mesh->point);
  free(mesh->triangle);
  free(mesh->line);
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
      return rut_report_error(reporter, RUT_ERR_PARSE, place, "", harm,
                              "mesh cannot be read: rut-import crashed on it (exit code %d)", code);
  }
  return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use a simpler mesh",
                          "mesh takes too long, or too much memory, to read");
}

rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutMeshTime* time,
                          rutReporter* reporter, rutMesh* out) {
  // what the largest mesh that is allowed answers
  enum { LARGEST = sizeof(rutMeshAnswer) + RUT_MESH_MAX_POINTS * (size_t)(24 + 12 + 8) };
  *out = (rutMesh){0};
  const rutPlace place = {name, 0, 0};
  const char* ending = known_ending(name);
  if (!ending) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "",
                            "use .dae, .obj, .stl, .ply, .off or .glb",
                            "mesh format is not known from the file's ending");
  }
  if (size == 0 || size > RUT_MESH_MAX_BYTES) {
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
  rutChild child = {.arguments = (const char* const[]){program, "mesh", ending, NULL},
                    .input = bytes,
                    .input_size = size,
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

rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutMeshTime* time,
                          rutReporter* reporter, rutMesh* out) {
  (void)bytes, (void)size, (void)time, (void)known_ending;
  *out = (rutMesh){0};
  return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){name, 0, 0}, "",
                          "apt-get install libassimp-dev, and build again",
                          "meshes need the assimp library, which this rut was built without");
}

#endif
