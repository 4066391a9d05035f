// SPDX-License-Identifier: BSD-3-Clause
#include "view/websockets.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static viewWebsockets functions;

const viewWebsockets* view_websockets_load(char* message, size_t size) {
  void* handle = dlopen(RUT_WEBSOCKETS_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char* reason = dlerror();
    snprintf(message, size, "%s", reason ? reason : "unknown reason");
    return NULL;
  }
  struct {
    const char* name;
    void* slot;
  } symbol[] = {
#define X(name) {#name, (void*)&functions.name},
      VIEW_LWS_FUNCTIONS(X)
#undef X
  };
  bool fine = true;
  for (size_t i = 0; i < sizeof symbol / sizeof symbol[0] && fine; i++) {
    void* address = dlsym(handle, symbol[i].name);
    // a pointer to a function and one to an object have the same form under POSIX
    *(void**)symbol[i].slot = address;
    if (!address) snprintf(message, size, "it lacks %s", symbol[i].name);
    fine = address != NULL;
  }
  dlclose(handle);
  return fine ? &functions : NULL;
}

const viewWebsockets* view_websockets(void) { return &functions; }
