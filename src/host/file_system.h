// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_HOST_FILE_SYSTEM_H
#define RUT_HOST_FILE_SYSTEM_H

#include <stdbool.h>

#include "rut/rut.h"

// Whether a file lies, or would lie, on a file system that several machines share, or one that is
// not known to be of this machine alone.
bool rut_file_is_shared(const char* path);

// Hold a file for this process, by a lock on PATH-lock, which ends with the process. *handle is for
// rut_file_release. Errors: IO (another process holds it). Nullable: err.
rutStatus rut_file_hold(const char* path, int* handle, rutError* err);
void rut_file_release(const char* path, int handle);

#endif  // RUT_HOST_FILE_SYSTEM_H
