// SPDX-License-Identifier: BSD-3-Clause
//
// What a browser says about itself: Host, a line break, Origin, a line break, a token.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/access.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static viewAccess access[2];  // of this machine alone, and beyond
  static bool ready = false;
  if (!ready) {
    ready =
        view_access_create("127.0.0.1", &access[0]) && view_access_create("0.0.0.0", &access[1]);
    for (int i = 0; i < 2; i++) access[i].port = 8421;
  }
  char* text = malloc(size + 1);
  if (!text || !ready) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  char* part[3] = {text, "", ""};
  for (int i = 1; i < 3; i++) {
    char* next = strchr(part[i - 1], '\n');
    if (!next) break;
    *next++ = '\0';
    part[i] = next;
  }
  for (int i = 0; i < 2; i++) {
    const bool allowed = view_access_allows(&access[i], part[0], part[1]);
    // a page of another origin is none of ours
    char own[300];
    snprintf(own, sizeof own, "http://%.250s", part[0]);
    if (allowed && part[1][0] && strcasecmp(part[1], own) != 0) abort();
    // 128 random bits are not guessed
    if (view_access_knows(&access[i], part[2]) != !access[i].open) abort();
  }
  // what may stand in a header as it is
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:/*";
  if (!view_ancestor_fault(part[1])) {
    const char* star = strchr(part[1], '*');
    if (part[1][strspn(part[1], plain)] || (star && (star[-1] != ':' || star[1]))) abort();
  }
  view_is_loopback(part[0]);
  view_is_any(part[0]);
  free(text);
  return 0;
}
