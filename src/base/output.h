// SPDX-License-Identifier: BSD-3-Clause
//
// Opens every file that is written. It is made beside the place where it goes, and takes that place
// at once: nobody sees half of it, and what stood there stays until then. Only regular files are
// replaced: never a device, a folder or a link.
#ifndef RUT_BASE_OUTPUT_H
#define RUT_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/access.h"

// What can be wrong besides what errno says.
enum {
  RUT_OUTPUT_LINK = -1,     // there is a link
  RUT_OUTPUT_NO_FILE = -2,  // there is no regular file, but something else
  RUT_OUTPUT_BUSY = -3,     // another run writes there
  RUT_OUTPUT_GONE = -4,     // what was written is not there any more
  RUT_OUTPUT_INPUT = -5     // it would replace a file that was read
};

typedef struct rutOutput {
  char *path, *part;  // where it goes, and where it is until then
  int file;           // descriptor
  rutFileId id;
} rutOutput;

// Create the file beside its place. Returns 0, an errno or one of the above.
int rut_output_begin(rutOutput* output, const char* path);
int rut_output_write(rutOutput* output, const void* bytes, size_t size);
// Put the whole file into its place. Frees what the output owns, also after a failure.
int rut_output_finish(rutOutput* output);
// Remove the file, and free what the output owns. Does nothing where it was finished or released.
void rut_output_cancel(rutOutput* output);

// Create a file at once in its place, where nothing stands: EEXIST if anything does, a link that
// leads nowhere included. It is then as after rut_output_place.
int rut_output_claim(rutOutput* output, const char* path);
// Remove a file that was written by these functions. RUT_OUTPUT_GONE if another stands there.
int rut_output_remove(const char* path, rutFileId id);

// For files that others read while they grow. Put the file into its place now; it is written on,
// and while its descriptor is open nobody else replaces it through these functions.
int rut_output_place(rutOutput* output);
// Free what a placed output owns, all but the descriptor, which this returns.
int rut_output_release(rutOutput* output);
// Open such a file again to write at its end. RUT_OUTPUT_GONE if it is another by now.
int rut_output_reopen(const char* path, rutFileId id, int* file);

// Lock a folder for as long as *file is open. RUT_OUTPUT_BUSY if another run has it, and
// RUT_OUTPUT_LINK if it is a link.
int rut_output_lock_folder(const char* path, int* file);

enum { RUT_OUTPUT_TEXT = 512 };
// What is wrong, for people: "'run.mcap' cannot be written: ...".
void rut_output_explain(int fault, const char* path, char message[RUT_OUTPUT_TEXT]);

#endif  // RUT_BASE_OUTPUT_H
