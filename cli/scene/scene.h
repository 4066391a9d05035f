// SPDX-License-Identifier: BSD-3-Clause
//
// The scene of a world (docs/manual/stream.md) from its spec and model.
#ifndef RUT_SCENE_SCENE_H
#define RUT_SCENE_SCENE_H

#include "json.h"
#include "rut/host.h"
#include "scene/assets.h"
#include "scene/driver.h"
#include "scene/snapshot.h"

typedef struct viewSceneDef {
  const rutSpec* spec;
  const rutModel* model;
  const rutData* data;  // at the start of the run
  const viewShape* shape;
  const rutSignals* signals;
  const viewDriver* driver;  // of each vehicle
  viewAssets* assets;        // gets the files that the scene names
  const char* title;
} viewSceneDef;

// The scene as JSON; *fixed gets a number that stays the same while only values of parameters
// change. NULL if out of memory.
viewBytes* view_scene_write(const viewSceneDef* def, uint64_t* fixed);

// Parts of it, each one or more members of the scene.
void view_scene_vehicles(const viewSceneDef* def, cliJson* json);
void view_scene_sensors(const viewSceneDef* def, cliJson* json);
void view_scene_blocks(const viewSceneDef* def, cliJson* json);
void view_scene_joints(const viewSceneDef* def, cliJson* json);
void view_scene_things(const viewSceneDef* def, cliJson* json);
void view_scene_ground(const viewSceneDef* def, cliJson* json);
// In the object of the ground: what images on it show.
void view_scene_ground_image(const viewSceneDef* def, const double extent[4], cliJson* json);
void view_scene_roads(const viewSceneDef* def, cliJson* json);
// True if a piece of scenery belongs to a road.
bool view_is_road(const rutModel* model, const rutSceneryInfo* piece);
// The part of the world that is shown, x0 y0 x1 y1 [m], and whether its ground is flat.
void view_scene_extent(const viewSceneDef* def, double extent[4], bool* flat);
void view_scene_parameters(const rutSpec* spec, cliJson* json);
// True if the scene lists a parameter of that path. A page may change no other: files, the shape of
// things, and how many there are stay what the world says.
bool view_scene_is_parameter(const rutSpec* spec, const char* path);

// Pieces of JSON that several of them write.
void view_json_numbers(cliJson* json, const char* key, int n, const double* value);
void view_json_outline(cliJson* json, int n, const double* xy);
void view_json_heights(cliJson* json, double low, double high);
// A colour as #rrggbb; other if it is not written so.
void view_json_color(cliJson* json, const char* color, const char* other);
// Part of the largest in sRGB, of a linear one.
unsigned char view_srgb_byte(double linear);
// Linear reflectances as a "color" in sRGB.
void view_json_reflectance(cliJson* json, const double colour[3]);
// The colour of a block or wall, as cameras see it.
void view_json_surface(cliJson* json, const rutSpec* spec, rutNode node);
// The array "visuals" of a node's <visual>; nothing, and false, if there is none.
bool view_json_visuals(const viewSceneDef* def, cliJson* json, rutNode carrier);
// One visual, of a mesh that rut makes itself, by its asset and a factor on its size. GLB has y up.
void view_json_made(cliJson* json, int asset, double scale);
// Three angles: roll, pitch, yaw.
void view_node_angles(const rutSpec* spec, rutNode node, double angle[3]);

#endif  // RUT_SCENE_SCENE_H
