// SPDX-License-Identifier: BSD-3-Clause
#include "scene/json_bytes.h"

#include <stdlib.h>

bool view_json_begin(viewJsonText* t) {
  *t = (viewJsonText){.text = NULL};
  FILE* out = open_memstream(&t->text, &t->size);
  if (!out) return false;
  cli_json_init(&t->json, out);
  cli_json_object(&t->json, NULL);
  return true;
}

// Leave out what is for people, line breaks and indents; strings have no raw ones.
static size_t pack_lines(char* text, size_t size) {
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] != '\n') {
      text[n++] = text[i];
      continue;
    }
    while (i + 1 < size && text[i + 1] == ' ') i++;
  }
  return n;
}

viewBytes* view_json_end(viewJsonText* t) {
  const bool failed = fclose(t->json.out) != 0;
  viewBytes* bytes = failed ? NULL : view_bytes_of(t->text, pack_lines(t->text, t->size));
  free(t->text);
  return bytes;
}
