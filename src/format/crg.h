// SPDX-License-Identifier: BSD-3-Clause
//
// Road surfaces (ASAM OpenCRG 1.1 and 1.2, .crg): text with 10 or 20 columns to a number, or
// numbers of 4 or 8 bytes, big endian.
#ifndef RUT_FORMAT_CRG_H
#define RUT_FORMAT_CRG_H

#include "format/reader.h"
#include "geom/crg_plan.h"

enum {
  RUT_CRG_MAX_FILE = 512 << 20,
  RUT_CRG_MAX_SECTIONS = 4096,  // across
  RUT_CRG_MAX_NODES = 1 << 26
};

typedef struct rutCrg {
  int nu, nv;
  double start, increment;  // u of the first row, and between rows [m]
  rutCrgVertex* vertex;     // [nu] heap
  double* v;                // [nv] heap, ascending
  double* z;                // [nu][nv] heap, NaN: no data
  rutCrgBorder border[2];
  double border_offset[2];
} rutCrg;

// True if a text begins as such a file.
bool rut_crg_recognise(const char* text, size_t size);
// Read a file. Findings go to the reporter. The caller frees it whatever is returned. Errors:
// PARSE, MODEL, CAPACITY, MEMORY.
rutStatus rut_crg_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                       rutCrg* out);
void rut_crg_free(rutCrg* crg);

#endif  // RUT_FORMAT_CRG_H
