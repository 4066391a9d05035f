// SPDX-License-Identifier: BSD-3-Clause
//
// The helper program rut-import: reads files that take libraries which we did not write, in a
// process of its own that can do nothing else. librut starts it; people have no use for it.
#include <stdio.h>
#include <string.h>

#include "confine.h"
#include "format/mesh_answer.h"
#include "read_mesh.h"

int main(int argc, char** argv) {
  if (argc == 5 && strcmp(argv[1], "mesh") == 0 && strcmp(argv[4], RUT_MESH_ANSWER_MARK) == 0) {
    confine_files();
    return read_mesh(argv[2], argv[3]);
  }
  fprintf(stderr, "rut-import is a part of rut, which starts it to read meshes\n");
  return RUT_HELPER_REFUSES;
}
