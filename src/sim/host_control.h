// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the controllers that work in parallel with the steps (host="true").
#ifndef RUT_SIM_HOST_CONTROL_H
#define RUT_SIM_HOST_CONTROL_H

#include "sim/model.h"

// Create, in the memory of a data, what they need there, and destroy it. False if out of memory.
bool rut_host_open(const rutModel* model, rutData* data);
void rut_host_close(rutData* data);
// For rutControlHost.
void rut_host_start(const void* user, rutControlJob* job);
bool rut_host_finish(const void* user, rutControlJob* job, bool wait);
// Wait for all running updates, and keep their outputs in the state.
void rut_host_collect(const rutData* data);
// Wait likewise, but discard the outputs: the state was replaced.
void rut_host_forget(rutData* data);

#endif  // RUT_SIM_HOST_CONTROL_H
