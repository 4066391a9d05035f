// SPDX-License-Identifier: BSD-3-Clause
//
// The component types that a context knows.
#ifndef RUT_SIM_SPEC_REGISTRY_H
#define RUT_SIM_SPEC_REGISTRY_H

#include "sim/spec/context.h"

// Fill the registry of a new context with the schema and the built-in types; empty it.
rutStatus rut_registry_fill(rutContext* context, rutError* err);
void rut_registry_clear(rutContext* context);
// Registered type by kind and component name ("" for plain elements); NULL if there is none.
const rutRegistered* rut_registry_find(const rutContext* context, const char* kind,
                                       const char* name);
// True if any type of this kind is registered; *typed then tells whether the kind has named types.
bool rut_registry_has_kind(const rutContext* context, const char* kind, bool* typed);
// Nearest kind to a misspelt one, of those that may stand in `parent` if it is not NULL, and
// nearest component name of a kind; NULL if none is near.
const char* rut_registry_suggest_kind(const rutContext* context, const char* kind,
                                      const char* parent);
const char* rut_registry_suggest_type(const rutContext* context, const char* kind,
                                      const char* name);
// True if a type may stand in an element of a kind.
bool rut_component_fits(const rutComponent* type, const char* parent);
// Text of all component names of a kind, "a, b, c", cut to fit.
void rut_registry_list_types(const rutContext* context, const char* kind, char* text, size_t size);

#endif  // RUT_SIM_SPEC_REGISTRY_H
