// SPDX-License-Identifier: BSD-3-Clause
//
// A model laid out a second time, for copies of its world that share lanes.
#ifndef RUT_SIM_COMPILE_LANES_BUILD_H
#define RUT_SIM_COMPILE_LANES_BUILD_H

#include "sim/compile/draft.h"
#include "sim/lanes.h"

// From the draft that the model was built of. The caller owns *out and frees it with
// rut_lanes_destroy. Errors: MEMORY.
rutStatus rut_lanes_build(rutDraft* draft, const rutModel* model, rutLanes** out);

// rut_compile for batches: a model for data of one worker, with its lanes.
rutStatus rut_compile_lanes(const rutSpec* spec, rutModel** out, rutLanes** lanes, rutError* err);

#endif  // RUT_SIM_COMPILE_LANES_BUILD_H
