// SPDX-License-Identifier: BSD-3-Clause
#include "base/dynamic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool rut_dynamic_function(const char* library, const char* name, void* function, char* message,
                          size_t size) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char* reason = dlerror();
    snprintf(message, size, "%s", reason ? reason : "unknown reason");
    return false;
  }
  void* address = dlsym(handle, name);
  memcpy(function, &address, sizeof address);
  dlclose(handle);
  return true;
}

bool rut_dynamic_load(const char* library, const rutSymbol* symbol, size_t n) {
  // loaded for good: closing it and loading it again for the next file would cost far more
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) return false;
  bool all = true;
  for (size_t i = 0; i < n; i++) {
    void* address = dlsym(handle, symbol[i].name);
    all = all && address;
    // C has no cast from an object pointer to a function pointer; POSIX gives both one form
    memcpy(symbol[i].slot, &address, sizeof address);
  }
  dlclose(handle);
  return all;
}
