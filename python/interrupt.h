// SPDX-License-Identifier: BSD-3-Clause
//
// Calls of a batch that Ctrl-C ends: Python sees a signal only after a call of C.
#ifndef RUT_PYTHON_INTERRUPT_H
#define RUT_PYTHON_INTERRUPT_H

#include "rut/batch.h"

// rut_batch_step and rut_rollout, stopped by SIGINT, whose handler is called first. Only for the
// main thread; a judge may call them again, for another batch.
rutStatus rut_python_step_batch(rutBatch* batch, int steps, const rutBatchIo* io, rutError* err);
rutStatus rut_python_rollout(rutBatch* batch, const rutModel* model, const rutData* from,
                             const rutRollout* rollout, double* cost, rutError* err);

#endif  // RUT_PYTHON_INTERRUPT_H
