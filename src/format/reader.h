// SPDX-License-Identifier: BSD-3-Clause
//
// What a reader gets from the context that runs it, beside the public spec calls. Defined by the
// layer that owns the context.
#ifndef RUT_FORMAT_READER_H
#define RUT_FORMAT_READER_H

#include "base/report.h"

enum {
  RUT_READER_MAX_ERRORS = 50,         // readers go on after an error, up to this many
  RUT_READER_MAX_INCLUDE_DEPTH = 32,  // files that include files
  RUT_READER_MAX_NODES = 1 << 24      // elements after loops and includes are unrolled
};

// Where the vehicle of another program's file goes.
typedef struct rutVehiclePlace {
  rutSpec* spec;
  rutNode world;
  const char* name;  // NULL: that of the class, or of the file without its ending
} rutVehiclePlace;

// Where findings go. It was reset when the load began; a load fails if it counted an error.
rutReporter* rut_context_reporter(rutContext* context);
// Seed of rand() and randn() in world files.
uint64_t rut_context_seed(const rutContext* context);
// Note that expressions drew random numbers, so that another seed gives another spec.
void rut_spec_note_random(rutSpec* spec);
// Add what a node is and holds under another parent. What was given is kept once for both, until
// one of them is changed. Null with err filled if it cannot be.
rutNode rut_spec_repeat(rutSpec* spec, rutNode parent, rutNode node, rutError* err);
// Let a world read, too, what is in a folder beside its own, where its format keeps parts there.
// path: of the world file. Errors: MEMORY.
rutStatus rut_spec_allow_beside(rutSpec* spec, const char* path, const char* folder);

#endif  // RUT_FORMAT_READER_H
