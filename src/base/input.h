// SPDX-License-Identifier: BSD-3-Clause
//
// Opens every file that is read. Only regular files are: a FIFO or a device might never end, or do
// something. Nothing waits.
#ifndef RUT_BASE_INPUT_H
#define RUT_BASE_INPUT_H

#include <stddef.h>

#include "base/access.h"

// What can be wrong with a file besides what errno says.
enum { RUT_INPUT_OUTSIDE = -1, RUT_INPUT_NO_FILE = -2, RUT_INPUT_REMOTE = -3 };

// Open a file that `access` allows. One that is not there, or is named by a URI, is looked for in
// the folders of models (base/model_path.h). *file gets a descriptor that the caller closes, *size
// the bytes of the file. Returns 0, an errno, or one of the above. Nullable: access (then nothing
// is allowed).
int rut_input_open(const rutAccess* access, const char* name, int* file, uint64_t* size);
// Read such a file into memory, a zero behind it; the caller frees *text. Returns EFBIG for more
// than `limit` bytes.
int rut_input_read(const rutAccess* access, const char* path, size_t limit, char** text,
                   size_t* size);
// Read the beginning of such a file, up to `capacity` bytes; returns how many there are, 0 after a
// failure.
size_t rut_input_head(const rutAccess* access, const char* path, char* bytes, size_t capacity);

enum { RUT_INPUT_TEXT = 512 };
// What is wrong, for people: "'map.png' cannot be read: ...", and what helps, or "".
void rut_input_explain(int fault, const char* path, size_t limit, char message[RUT_INPUT_TEXT],
                       char hint[RUT_INPUT_TEXT]);

#endif  // RUT_BASE_INPUT_H
