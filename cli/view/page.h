// SPDX-License-Identifier: BSD-3-Clause
//
// The files of the page, which the build packs into the command (cmake/rut_viewer.cmake).
#ifndef RUT_VIEW_PAGE_H
#define RUT_VIEW_PAGE_H

#include <stddef.h>

typedef struct viewPageFile {
  const char* path;                  // "/", "/style.css"
  const char* name;                  // "index.html"
  const unsigned char *begin, *end;  // packed with gzip
  // Its Content-Security-Policy but for frame-ancestors, NULL: that of mere data.
  const char* policy;
} viewPageFile;

extern const viewPageFile view_page_files[];
extern const size_t view_page_count;

#endif  // RUT_VIEW_PAGE_H
