// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a native world file.
#include <stdlib.h>
#include <string.h>

#include "rut/rut.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // one for the whole run: it keeps nothing of what it read
  static rutContext* context = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  // most bytes are no world at all: the same inside of one as well
  static const char before[] = "<world>", after[] = "</world>";
  char* text = malloc(size + sizeof before + sizeof after);
  for (int wrapped = 0; text && wrapped < 2; wrapped++) {
    size_t length = 0;
    if (wrapped) memcpy(text, before, length = sizeof before - 1);
    if (size) memcpy(text + length, data, size);
    length += size;
    if (wrapped) memcpy(text + length, after, sizeof after - 1);
    if (wrapped) length += sizeof after - 1;
    rutSpec* spec = NULL;
    rutError err;
    memset(&err, 0, sizeof err);
    const rutStatus status = rut_spec_parse(context, text, length, "fuzz.xml", &spec, &err);
    if ((status == RUT_OK) != (spec != NULL) || status != err.status) abort();
    rut_spec_destroy(spec);
  }
  free(text);
  return 0;
}
