// SPDX-License-Identifier: BSD-3-Clause
#include <string.h>

#include "rut/host.h"

// Behind comments and declarations.
static const char* first_element(const char* text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    const bool comment = strncmp(text, "<!--", 4) == 0;
    if (!comment && strncmp(text, "<?", 2) != 0) return text;
    const char* end = strstr(text, comment ? "-->" : "?>");
    if (!end) return "";
    text = end + (comment ? 3 : 2);
  }
}

bool rut_is_vehicle_text(const char* text) {
  static const char TAG[] = "<vehicle";
  const char* first = first_element(text);
  const size_t length = sizeof TAG - 1;
  return strncmp(first, TAG, length) == 0 && first[length] && strchr(" \t\r\n/>", first[length]);
}
