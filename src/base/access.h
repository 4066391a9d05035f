// SPDX-License-Identifier: BSD-3-Clause
//
// What a world may reach: files in its own folder and in those that the user named, and the
// environment variables that are meant for worlds. Whoever reads a file that a world names asks
// here first, see base/input.h.
#ifndef RUT_BASE_ACCESS_H
#define RUT_BASE_ACCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// A file, whatever its name.
typedef struct rutFileId {
  uint64_t device, inode;
} rutFileId;

// A file that was read, and where it stood: another may have its number once it is removed.
typedef struct rutInputFile {
  rutFileId id;
  char* path;  // without links
} rutInputFile;

// Files that were read: no output may take their place.
typedef struct rutInputList {
  pthread_mutex_t lock;
  rutInputFile* file;
  int n, capacity;
  void (*note)(const char* path, void* user);  // of every file that is read. Nullable
  void* user;
} rutInputList;

void rut_input_list_init(rutInputList* list);
void rut_input_list_free(rutInputList* list);
// Add a file, by its name without links. Without memory for it, it is left out.
void rut_input_list_add(rutInputList* list, const char* path, rutFileId id);
// True if the file of that name is there and was read.
bool rut_input_list_has(rutInputList* list, const char* path);

typedef struct rutAccess {
  const struct rutAccess* up;  // what it allows is allowed here as well. Nullable
  rutInputList* inputs;        // gets the files that are read; NULL: those of `up`
  bool any;                    // all files may be read: a user named them, or a program
  char** folder;               // absolute, without links and without a '/' at the end
  char** models;               // of these folders, those that rut_model_find looks through
  char** variable;             // of the environment
  int folders, model_folders, variables;
} rutAccess;

// Allows all files.
extern const rutAccess rut_access_any;

// Allow a folder and what is below it. Returns 0 or an errno.
int rut_access_add_folder(rutAccess* access, const char* folder);
// The same, and look there for models (base/model_path.h), after the folders that were added
// before.
int rut_access_add_models(rutAccess* access, const char* folder);
// Allow the tree of a world file: its folder or, where that lies in a folder called "worlds", that
// one, since worlds share what stands beside them. Returns 0 or an errno.
int rut_access_add_world(rutAccess* access, const char* path);
// Allow a folder beside that of a world file, if there is one of that name.
int rut_access_add_beside(rutAccess* access, const char* path, const char* name);
// Allow an environment variable. Returns 0 or an errno.
int rut_access_add_variable(rutAccess* access, const char* name);
// Take over what another allows itself. Returns 0 or an errno.
int rut_access_copy(rutAccess* access, const rutAccess* from);
void rut_access_free(rutAccess* access);

// True if a world may read the file, wherever links on the way lead. *real gets its absolute name
// without links, which the caller frees, or NULL where it is not there; a file that is not there is
// allowed where it might be. Hidden files, and those in hidden folders, are no part of a tree.
// Nullable: access (nothing is allowed), real.
bool rut_access_allows(const rutAccess* access, const char* path, char** real);
// True for RUT_*, MVSIM_* and those that were added. Nullable: access.
bool rut_access_allows_variable(const rutAccess* access, const char* name);
// Where files that are read are noted. NULL if nowhere. Nullable: access.
rutInputList* rut_access_inputs(const rutAccess* access);

#endif  // RUT_BASE_ACCESS_H
