// SPDX-License-Identifier: BSD-3-Clause
//
// What the server needs of a running world or a log. Called by the server's thread.
#ifndef RUT_VIEW_BACKEND_H
#define RUT_VIEW_BACKEND_H

#include "scene/bytes.h"
#include "scene/content.h"
#include "view/slots.h"

typedef struct viewBackend {
  void* user;
  const char* mode;  // "live" or "replay"
  unsigned verbs;    // bit 1 << viewVerb for each that it knows
  viewSlots* slots;  // NULL: it keeps no states
  // Number of a signal, -1 if there is none; *nearest then gets a name that may be meant, or NULL.
  int (*signal)(void* user, const char* name, const char** nearest);
  // Number of a vehicle, -1 if there is none. Nullable: nothing can be driven.
  int (*vehicle)(void* user, const char* name);
  // What /asset/N gives, which the caller drops, and what it is by its content. NULL if there is no
  // such asset.
  viewBytes* (*asset)(void* user, int index, viewContent* content);
  // The ground at the start; it stays what it is until the caller lets it go. NULL if out of
  // memory.
  void* (*ground)(void* user);
  void (*ground_free)(void* ground);
  // Heights (NaN: none), or soils (255: none).
  void (*heights)(void* ground, int n, const double* x, const double* y, float* out);
  void (*soils)(void* ground, int n, const double* x, const double* y, unsigned char* out);
  // Change a parameter; false if too many changes wait. Nullable.
  bool (*set)(void* user, int client, const char* path, const char* value);
  // Begin a run of a study; false if too many changes wait. Nullable.
  bool (*run)(void* user, int client, int64_t run);
  // The results of a study, borrowed. NULL: there is none.
  viewBytes* study;
  // Keep a state that came in; bytes are taken over. False if they are of another world. Nullable.
  bool (*accept)(void* user, int slot, viewBytes* bytes);
} viewBackend;

#endif  // RUT_VIEW_BACKEND_H
