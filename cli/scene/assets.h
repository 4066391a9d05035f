// SPDX-License-Identifier: BSD-3-Clause
//
// What a scene names and pages may therefore read: files of meshes with what belongs to them, grids
// and clouds of points as bytes.
#ifndef RUT_SCENE_ASSETS_H
#define RUT_SCENE_ASSETS_H

#include "report.h"
#include "rut/rut.h"
#include "rut/sensor.h"
#include "scene/bytes.h"
#include "scene/content.h"

enum { VIEW_MAX_ASSETS = 4096 };

typedef struct viewAsset {
  char* path;  // of a file, or what to call the bytes; owned
  viewBytes* bytes;
  viewContent content;
} viewAsset;

// Files that a scene names as meshes, or that these name, and that are none by their content.
typedef struct viewRefused {
  char path[512];  // of the first
  int count;
} viewRefused;

typedef struct viewAssets {
  viewAsset asset[VIEW_MAX_ASSETS];
  int count;
  size_t size;  // of all files [B]
  viewRefused refused;
} viewAssets;

// Number of a mesh file; the materials, textures and buffers that it names beside itself are added
// too. All of them are what they are called by their content (content.h), whatever their names end
// in, and are kept as they were looked at. -1 if there is no such file, the world may not read it
// (rut_spec_read_file), it holds no mesh, or there are too many.
int view_assets_mesh(viewAssets* assets, const rutSpec* spec, const char* path);
// Number of bytes, which are taken over. -1 if there are too many.
int view_assets_bytes(viewAssets* assets, const char* name, viewBytes* bytes);
// Numbers of a mesh that was made by rule, as a GLB, and of places, each called by its content.
// Equal ones are kept once. bytes are taken over. -1 if they are NULL or there are too many.
int view_assets_glb(viewAssets* assets, viewBytes* bytes);
int view_assets_places(viewAssets* assets, viewBytes* bytes);
// Number of the mesh of a part of a vehicle that is made by rule, a wheel or (-1) the body, as a
// GLB; paint is that of a body without a colour of its own. -1 if none can be made.
int view_assets_made(viewAssets* assets, const rutSpec* spec, rutNode vehicle, int part,
                     const rutMaterial* paint);
// Points of a text file, x y (z) a line, turned and shifted; -1 if it cannot be read.
int view_assets_points(viewAssets* assets, const rutSpec* spec, rutNode cloud);
void view_assets_free(viewAssets* assets);
// Warn of files that hold no mesh.
void view_refused_warn(const viewRefused* refused, cliReport* report);

#endif  // RUT_SCENE_ASSETS_H
