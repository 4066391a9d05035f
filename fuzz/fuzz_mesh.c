// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes as librut reads them, helper process included: whatever happens there, here it is an
// error. The first byte says the format.
#include <stdint.h>
#include <stdlib.h>

#include "format/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const name[] = {"a.dae", "a.obj", "a.stl", "a.ply", "a.off", "a.glb"};
  // beside the fuzz targets' folder, unless the environment says otherwise
  if (setenv("RUT_HELPERS", RUT_BINARY_DIR, 0) || size < 2) return 0;
  const unsigned format = data[0] - (unsigned)'0';
  if (format >= sizeof name / sizeof name[0]) return 0;
  rutReporter reporter = {0};
  rutMeshTime time = {RUT_MESH_SECONDS};
  rutMesh mesh;
  const rutStatus status =
      rut_mesh_decode(data + 1, size - 1, name[format], &time, &reporter, &mesh);
  if ((status == RUT_OK) != (mesh.points > 0) || (status == RUT_OK) == (reporter.errors > 0)) {
    abort();
  }
  rut_mesh_free(&mesh);
  return 0;
}
