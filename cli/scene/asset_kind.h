// SPDX-License-Identifier: BSD-3-Clause
//
// Which files of a scene pages and logs get: those that are what their names say, of kinds that
// hold shapes and pictures only.
#ifndef RUT_SCENE_ASSET_KIND_H
#define RUT_SCENE_ASSET_KIND_H

#include <stdbool.h>
#include <stddef.h>

// True if the bytes are a mesh, a part of one, or an image, as the ending of the name says.
bool view_asset_fits(const char* name, const void* bytes, size_t size);
// What a browser is told that they are, by the name: never anything that it would run.
const char* view_asset_type(const char* name);

#endif  // RUT_SCENE_ASSET_KIND_H
