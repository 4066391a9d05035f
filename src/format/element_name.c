// SPDX-License-Identifier: BSD-3-Clause
#include "format/element_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void rut_element_name(const char* from, size_t n, char name[RUT_ELEMENT_NAME]) {
  size_t i = 0;
  for (; i < n && from[i] && i < RUT_ELEMENT_NAME - 1; i++) {
    const char c = from[i];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-';
    name[i] = plain ? c : '_';
  }
  name[i] = '\0';
}

void rut_element_name_of_file(const char* path, char name[RUT_ELEMENT_NAME]) {
  const char* slash = strrchr(path, '/');
  const char* from = slash ? slash + 1 : path;
  rut_element_name(from, strcspn(from, "."), name);
  if (!name[0]) snprintf(name, RUT_ELEMENT_NAME, "vehicle");
}
