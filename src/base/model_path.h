// SPDX-License-Identifier: BSD-3-Clause
//
// Search path of models: meshes, images and vehicle files that a world names by a URI, or that do
// not stand where it says, are looked for in folders that the user named.
#ifndef RUT_BASE_MODEL_PATH_H
#define RUT_BASE_MODEL_PATH_H

#include "base/input.h"

// True for "https://...", "package://..." and the like, but not for "file://...".
bool rut_model_is_uri(const char* name);
// What helps where a name was not found: which file a folder of models should hold.
void rut_model_hint(const char* name, char hint[RUT_INPUT_TEXT]);

// File of the folders of models that a name stands for, which is looked up by its tail:
// https://host/a/b.zip/c/d.stl is a/b.zip/c/d.stl in one of the folders, else b.zip/c/d.stl, then
// c/d.stl, then d.stl. The longest tail that is there wins, among equals the first folder. In place
// of b.zip there may be what was unpacked from it: a folder b or, as in MVSim's cache, b.out. NULL
// if there is none; the caller frees it. Nullable: access.
char* rut_model_find(const rutAccess* access, const char* name);

#endif  // RUT_BASE_MODEL_PATH_H
