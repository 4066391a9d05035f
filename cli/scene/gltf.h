// SPDX-License-Identifier: BSD-3-Clause
//
// Recognises glTF 2.0 (Khronos, section 3 and 4), and finds which other
// files it names.
#ifndef RUT_SCENE_GLTF_H
#define RUT_SCENE_GLTF_H

#include <stdbool.h>
#include <stddef.h>

// A buffer or an image in a file of its own.
typedef struct viewGltfPart {
  const char* uri;  // not ended with 0, without escapes
  size_t length;    // of uri
  bool buffer;      // else an image
  double bytes;     // that the buffer has, NaN if that is not said
} viewGltfPart;

typedef void (*viewGltfFound)(const viewGltfPart* part, void* user);

// True if a text is JSON (RFC 8259) with the "asset" of a glTF. Nullable: found, which is called
// for each part on the way, whether or not the rest is good.
bool view_gltf_read(const char* text, size_t size, viewGltfFound found, void* user);

#endif  // RUT_SCENE_GLTF_H
