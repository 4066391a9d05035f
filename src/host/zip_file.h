// SPDX-License-Identifier: BSD-3-Clause
//
// ZIP files that are written, by minizip. The same members give the same bytes with the same
// version of zlib: all have one date.
#ifndef RUT_HOST_ZIP_FILE_H
#define RUT_HOST_ZIP_FILE_H

#include <stddef.h>

#include "rut/host.h"

typedef struct rutZip rutZip;

// Begin a file that replaces path when it is complete. Errors: MISSING (without minizip), IO,
// MEMORY. The caller owns *out and ends it with rut_zip_close.
rutStatus rut_zip_create(const char* path, rutZip** out, rutError* err);
// Add a member, deflated. Errors: IO.
rutStatus rut_zip_add(rutZip* zip, const char* name, const void* bytes, size_t size, rutError* err);
// Finish the file if `keep`, else remove it; free the zip. Errors: IO. Nullable: zip.
rutStatus rut_zip_close(rutZip* zip, bool keep, rutError* err);

#endif  // RUT_HOST_ZIP_FILE_H
