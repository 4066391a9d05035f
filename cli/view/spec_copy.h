// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of a spec, in which changes are tried before they are made.
#ifndef RUT_VIEW_SPEC_COPY_H
#define RUT_VIEW_SPEC_COPY_H

#include "rut/rut.h"

// Everything that was given, with its place in the files. The caller owns *out.
rutStatus view_spec_copy(rutContext* context, const rutSpec* from, rutSpec** out, rutError* err);

#endif  // RUT_VIEW_SPEC_COPY_H
