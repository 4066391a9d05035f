// SPDX-License-Identifier: BSD-3-Clause
//
// What the helper program rut-import answers when it is given a mesh. Numbers stand as they do in
// memory, since both ends are of one build; but the helper may have been taken over by the file
// that it read, so that nothing in an answer is believed.
#ifndef RUT_FORMAT_MESH_ANSWER_H
#define RUT_FORMAT_MESH_ANSWER_H

#include <stdint.h>

#include "format/mesh.h"

// Form of calls and answers. The helper is called with it and refuses another, as any helper
// refuses a call that it does not know: it ends with RUT_HELPER_REFUSES, and no answer.
#define RUT_MESH_ANSWER_MARK "rutmesh3"

enum {
  RUT_HELPER_REFUSES = 2,      // exit status
  RUT_MESH_ANSWER_TEXT = 300,  // bytes of a message
  RUT_MESH_MAX_MATERIALS = 1 << 16,
  RUT_MESH_MAX_IMAGES = 256,
  RUT_MESH_MAX_NAME = 1024  // bytes of a texture's name, with its zero
};

// It is followed by
//   double point[points][3]; double colour[materials][4]; int32_t triangle[triangles][3];
//   int32_t line[lines][2]; int32_t material[triangles];
//   float coordinate[coordinates][2]; char texture[text]; uint32_t image_size[images]; images
// (coordinates: 0, or as many as points; texture: a name for each material, each ended by a zero)
// or, where the status is an error, by text that says what is wrong.
typedef struct rutMeshAnswer {
  char mark[8];     // RUT_MESH_ANSWER_MARK
  uint32_t status;  // rutStatus
  uint32_t points, triangles, lines;
  uint32_t text;  // bytes
  uint32_t materials, coordinates, images;
} rutMeshAnswer;

// Report that rut-import and librut are of two versions, a MISSING error.
rutStatus rut_mesh_helper_differs(const char* name, rutReporter* reporter);

// Make a mesh of an answer; name stands for the file in messages. An answer that is not whole is a
// PARSE error. Errors: what the answer says, PARSE, CAPACITY, MEMORY, MISSING (of another version).
rutStatus rut_mesh_answer_read(const void* bytes, size_t size, const char* name,
                               rutReporter* reporter, rutMesh* out);

#endif  // RUT_FORMAT_MESH_ANSWER_H
