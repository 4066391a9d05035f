// SPDX-License-Identifier: BSD-3-Clause
//
// Optional libraries are loaded when a file first needs them, not at the start of every program: a
// mesh importer alone would triple the start-up time and the memory of a run without meshes.
#ifndef RUT_BASE_DYNAMIC_H
#define RUT_BASE_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>

// One function to find: its name, and where its address goes (a pointer to a function pointer).
typedef struct rutSymbol {
  const char* name;
  void* slot;
} rutSymbol;

// Load a shared library and find one function; *function, a pointer to a function pointer, gets its
// address, or NULL if the library has no such function. False, with the reason in message, if it
// cannot be loaded. The library stays loaded until the process ends.
bool rut_dynamic_function(const char* library, const char* name, void* function, char* message,
                          size_t size);

// Load a shared library by name ("libgd.so.3") and find the functions. False if the library or one
// of them is missing. The library stays loaded until the process ends.
bool rut_dynamic_load(const char* library, const rutSymbol* symbol, size_t n);

#endif  // RUT_BASE_DYNAMIC_H
