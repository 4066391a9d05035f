// SPDX-License-Identifier: BSD-3-Clause
//
// What a file holds, and what a glTF names, from any bytes.
#include <stdint.h>
#include <stdlib.h>

#include "scene/content.h"
#include "scene/gltf.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void read_part(const viewGltfPart* part, void* user) {
  size_t* sum = user;
  for (size_t i = 0; i < part->length; i++) *sum += (unsigned char)part->uri[i];
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  size_t sum = 0;
  const viewContent content = view_content_of(data, size);
  view_gltf_read((const char*)data, size, read_part, &sum);
  // a name for whatever it is
  if (!view_content_type(content) || !view_content_suffix(content)) abort();
  return 0;
}
