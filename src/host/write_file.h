// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by all outputs of the host layer: none replaces a file that the world was read from, and
// errors name the file.
#ifndef RUT_HOST_WRITE_FILE_H
#define RUT_HOST_WRITE_FILE_H

#include "base/output.h"
#include "host/bytes.h"
#include "rut/rut.h"

// Error for a fault of base/output.h. Returns its status. Nullable: err.
rutStatus rut_output_error(int fault, const char* path, rutError* err);
// Begin a file. Errors: IO, MEMORY. Nullable: model (no inputs are known), err.
rutStatus rut_output_open(const rutModel* model, const char* path, rutOutput* output,
                          rutError* err);
// Write a file at once. Errors: IO, MEMORY (also if the bytes have failed). Nullable: model, err.
rutStatus rut_output_save(const rutModel* model, const rutBytes* bytes, const char* path,
                          rutError* err);

// Create a folder, and those above it, if it is not there. Returns 0, an errno or a fault of
// base/output.h.
int rut_output_make_folder(const char* path);
// Make an empty folder for this process in TMPDIR or /tmp, which only this user may enter. path
// gets its name, "" after a failure. Errors: IO.
rutStatus rut_output_make_temporary(size_t size, char* path, rutError* err);
// Remove a folder with all that is in it; links are removed, not followed.
void rut_output_remove_folder(const char* path);
// Copy a name for a file, replacing all that could leave its folder or confuse a shell.
void rut_output_safe_name(const char* name, char* safe, size_t size);

#endif  // RUT_HOST_WRITE_FILE_H
