// SPDX-License-Identifier: BSD-3-Clause
//
// What a scene names and pages may therefore read: files of meshes with what belongs to them, grids
// and clouds of points as bytes.
#ifndef RUT_SCENE_ASSETS_H
#define RUT_SCENE_ASSETS_H

#include "rut/rut.h"
#include "scene/bytes.h"

enum { VIEW_MAX_ASSETS = 4096 };

typedef struct viewAsset {
  char* path;  // of a file, or what to call the bytes; owned
  viewBytes* bytes;
} viewAsset;

typedef struct viewAssets {
  viewAsset asset[VIEW_MAX_ASSETS];
  int count;
  size_t size;  // of all files [B]
} viewAssets;

// Number of a mesh file; what it refers to beside itself is added too. -1 if there is no such file,
// the world may not read it (rut_spec_read_file), it is no mesh (asset_kind.h), or there are too
// many.
int view_assets_mesh(viewAssets* assets, const rutSpec* spec, const char* path);
// Number of bytes, which are taken over. -1 if there are too many.
int view_assets_bytes(viewAssets* assets, const char* name, viewBytes* bytes);
// Points of a text file, x y (z) a line, turned and shifted; -1 if it cannot be read.
int view_assets_points(viewAssets* assets, const rutSpec* spec, rutNode cloud);
void view_assets_free(viewAssets* assets);

// What a browser calls a file of the page itself, by its name.
const char* view_content_type(const char* path);

#endif  // RUT_SCENE_ASSETS_H
