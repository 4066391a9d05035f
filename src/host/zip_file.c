// SPDX-License-Identifier: BSD-3-Clause
#include "host/zip_file.h"

#include <stdlib.h>

#include "base/dynamic.h"
#include "base/report.h"

#ifdef RUT_HAVE_MINIZIP
#include <minizip/zip.h>

#define FUNCTIONS(X)         \
  X(zipOpen64)               \
  X(zipOpenNewFileInZip4_64) \
  X(zipWriteInFileInZip)     \
  X(zipCloseFileInZip)       \
  X(zipClose)

struct rutZip {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
  zipFile file;  // Nullable
  rutOutput* output;
};

enum {
  FIRST_OF_1980 = 1 << 21 | 1 << 16,  // in the form of MS-DOS: the earliest date
  MADE_BY_UNIX = 3 << 8 | 30,
  NAMES_IN_UTF8 = 1 << 11,
  PART = 1 << 30  // most bytes of one write
};
static const uLong REGULAR_FILE = (uLong)0100755 << 16;  // of Unix, with its permissions

static rutStatus load(rutZip* zip, rutError* err) {
  const rutSymbol symbols[] = {
#define X(name) {#name, &zip->name},
      FUNCTIONS(X)
#undef X
  };
  if (rut_dynamic_load(RUT_MINIZIP_LIBRARY, symbols, sizeof symbols / sizeof symbols[0])) {
    return RUT_OK;
  }
  return rut_error_set(err, RUT_ERR_MISSING, "FMUs need minizip: apt-get install libminizip1");
}

rutStatus rut_zip_create(const char* path, rutZip** out, rutError* err) {
  *out = NULL;
  rutZip* zip = calloc(1, sizeof *zip);
  if (!zip) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  rutStatus status = load(zip, err);
  if (status == RUT_OK) status = rut_output_create(path, &zip->output, err);
  if (status == RUT_OK) {
    zip->file = zip->zipOpen64(rut_output_part(zip->output), APPEND_STATUS_CREATE);
    if (!zip->file) {
      status = rut_error_set(err, RUT_ERR_IO, "'%.300s' cannot be written", path);
    }
  }
  if (status == RUT_OK) {
    *out = zip;
  } else {
    rut_zip_close(zip, false, NULL);
  }
  return status;
}

rutStatus rut_zip_add(rutZip* zip, const char* name, const void* bytes, size_t size,
                      rutError* err) {
  const zip_fileinfo info = {.dosDate = FIRST_OF_1980, .external_fa = REGULAR_FILE};
  int fault = zip->zipOpenNewFileInZip4_64(zip->file, name, &info, NULL, 0, NULL, 0, NULL,
                                           Z_DEFLATED, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS,
                                           DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX,
                                           NAMES_IN_UTF8, size >= UINT32_MAX);
  const char* from = bytes;
  for (size_t left = size; fault == ZIP_OK && left > 0;) {
    const unsigned part = left < PART ? (unsigned)left : PART;
    fault = zip->zipWriteInFileInZip(zip->file, from, part);
    from += part;
    left -= part;
  }
  if (fault == ZIP_OK) fault = zip->zipCloseFileInZip(zip->file);
  return fault == ZIP_OK ? RUT_OK
                         : rut_error_set(err, RUT_ERR_IO, "'%.300s' cannot be packed", name);
}

rutStatus rut_zip_close(rutZip* zip, bool keep, rutError* err) {
  if (!zip) return RUT_OK;
  const bool whole = !zip->file || zip->zipClose(zip->file, NULL) == ZIP_OK;
  rutStatus status = rut_output_close(zip->output, keep && whole, err);
  if (keep && !whole) status = rut_error_set(err, RUT_ERR_IO, "the file cannot be finished");
  free(zip);
  return status;
}

#else

struct rutZip {
  int none;
};

rutStatus rut_zip_create(const char* path, rutZip** out, rutError* err) {
  (void)path;
  *out = NULL;
  return rut_error_set(err, RUT_ERR_MISSING,
                       "this rut was built without FMUs: apt-get install libminizip-dev, and build "
                       "it again");
}

rutStatus rut_zip_add(rutZip* zip, const char* name, const void* bytes, size_t size,
                      rutError* err) {
  (void)zip, (void)name, (void)bytes, (void)size;
  return rut_error_set(err, RUT_ERR_MISSING, "there is no ZIP file");
}

rutStatus rut_zip_close(rutZip* zip, bool keep, rutError* err) {
  (void)zip, (void)keep, (void)err;
  return RUT_OK;
}

#endif
