// SPDX-License-Identifier: BSD-3-Clause
//
// What a file holds, told by its content alone: its name may say anything. Only what is a mesh or
// an image goes to a page or into a log.
#ifndef RUT_SCENE_CONTENT_H
#define RUT_SCENE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum viewContent {
  VIEW_CONTENT_OTHER,  // none of those below
  VIEW_CONTENT_GLB,
  VIEW_CONTENT_GLTF,
  VIEW_CONTENT_OBJ,
  VIEW_CONTENT_MTL,
  VIEW_CONTENT_STL,
  VIEW_CONTENT_PLY,
  VIEW_CONTENT_COLLADA,
  VIEW_CONTENT_PNG,
  VIEW_CONTENT_JPEG,
  VIEW_CONTENT_WEBP,
  VIEW_CONTENT_GIF,
  VIEW_CONTENT_NUMBERS,  // bytes without a form of their own: grids, points, buffers of a glTF
  VIEW_CONTENTS
} viewContent;

// Never VIEW_CONTENT_NUMBERS, which only the place of bytes tells.
viewContent view_content_of(const unsigned char* data, size_t size);
bool view_content_is_mesh(viewContent content);
bool view_content_is_image(viewContent content);
// True if bytes can be no text: control characters are among them, as in numbers.
bool view_content_is_binary(const unsigned char* data, size_t size);

// What a browser is told that it is: nothing that it would run.
const char* view_content_type(viewContent content);
// Suffix of a name that it is saved under, ".glb".
const char* view_content_suffix(viewContent content);

#endif  // RUT_SCENE_CONTENT_H
