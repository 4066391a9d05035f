// SPDX-License-Identifier: BSD-3-Clause
//
// The head of an OpenCRG file, and the data that it, or the file that it refers to, has.
#ifndef RUT_FORMAT_CRG_SOURCE_H
#define RUT_FORMAT_CRG_SOURCE_H

#include "format/crg_head.h"

typedef struct rutCrgSource {
  rutCrgHead* head;  // heap
  const char *text, *file;
  size_t size;
  char *own_text, *own_file;  // heap, of another file; NULL: the caller's
} rutCrgSource;

// Read heads up to the data, through $ROAD_CRG_FILE. Of the blocks of modifiers and of options the
// outermost file's hold, if it has any; of other keys what is read last. Errors are reported. The
// caller frees it whatever is returned. `text` and `file` must outlive it.
rutStatus rut_crg_source_open(const char* text, size_t size, const char* file,
                              rutReporter* reporter, rutCrgSource* out);
void rut_crg_source_free(rutCrgSource* source);

#endif  // RUT_FORMAT_CRG_SOURCE_H
