// SPDX-License-Identifier: BSD-3-Clause
//
// Kinds of files that are not world files, and what reads them.
#ifndef RUT_FORMAT_FILE_KIND_H
#define RUT_FORMAT_FILE_KIND_H

#include <stddef.h>

enum { RUT_FILE_KIND_HEAD = 4096 };  // bytes at the beginning of a file that tell its kind

typedef struct rutFileKind {
  const char* what;  // "a robot description (URDF)"
  const char* use;   // what reads it, or what to do instead
} rutFileKind;

// Kind of a file from its first bytes, NULL if it is none of those known here. Static storage.
const rutFileKind* rut_file_kind(const char* text, size_t size);

#endif  // RUT_FORMAT_FILE_KIND_H
