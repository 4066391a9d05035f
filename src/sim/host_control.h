// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers that run beside the steps: who runs them.
#ifndef RUT_SIM_HOST_CONTROL_H
#define RUT_SIM_HOST_CONTROL_H

#include "sim/model.h"

// What a data needs for them, whose memory is there; false if out of memory. And its end.
bool rut_host_open(const rutModel* model, rutData* data);
void rut_host_close(rutData* data);
// For rutControlHost.
void rut_host_start(const void* user, rutControlJob* job);
bool rut_host_finish(const void* user, rutControlJob* job, bool wait);
// Wait for all that is under way, and keep the answers in the state.
void rut_host_collect(const rutData* data);
// Wait likewise, and forget it: the state is another one now.
void rut_host_forget(rutData* data);

#endif  // RUT_SIM_HOST_CONTROL_H
