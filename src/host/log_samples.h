// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of sensors in a log, a message each: the standard one of ROS 2 where the sensor's form
// has one, else one with the fields that its outputs are.
#ifndef RUT_HOST_LOG_SAMPLES_H
#define RUT_HOST_LOG_SAMPLES_H

#include "host/log_definition.h"

// Schemas and channels of the sensors of which samples are logged. Errors: IO, MEMORY.
rutStatus rut_log_begin_samples(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                                rutError* err);
void rut_log_samples_free(rutLog* log);
// Hand samples that have become visible to the thread. False if out of memory.
bool rut_log_take_samples(rutLog* log, const rutModel* model, const rutData* data);
// Make messages of one of them, in the thread. Errors: IO, MEMORY.
rutStatus rut_log_put_sample(rutLog* log, const rutLogItem* item, const void* bytes, rutError* err);

#endif  // RUT_HOST_LOG_SAMPLES_H
