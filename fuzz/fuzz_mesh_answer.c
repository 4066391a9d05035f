// SPDX-License-Identifier: BSD-3-Clause
//
// Answers of the program that reads meshes, which a mesh may have taken over.
#include <stdlib.h>
#include <string.h>

#include "format/mesh_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutReporter reporter = {0};
  rutMesh mesh;
  if (rut_mesh_answer_read(data, size, "fuzz", &reporter, &mesh) != RUT_OK) {
    if (reporter.errors != 1 || mesh.point) abort();
    // nothing in it may steer a terminal
    for (const char* c = reporter.first.message; *c; c++) {
      if (*c < ' ' || *c > '~') abort();
    }
    return 0;
  }
  if (mesh.points < 1) abort();
  for (size_t i = 0; i < 3 * (size_t)mesh.triangles; i++) {
    if (mesh.triangle[i] < 0 || mesh.triangle[i] >= mesh.points) abort();
  }
  for (size_t i = 0; i < 2 * (size_t)mesh.lines; i++) {
    if (mesh.line[i] < 0 || mesh.line[i] >= mesh.points) abort();
  }
  rutMeshOutline outline;
  if (rut_mesh_outline(&mesh, 0, 1, "fuzz", &reporter, &outline) == RUT_OK &&
      (outline.n < 0 || outline.n > RUT_OUTLINE_MAX)) {
    abort();
  }
  rut_mesh_free(&mesh);
  return 0;
}
