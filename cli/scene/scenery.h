// SPDX-License-Identifier: BSD-3-Clause
//
// Scenery of a scene: the mesh of each form once, and where its individuals stand.
#ifndef RUT_SCENE_SCENERY_H
#define RUT_SCENE_SCENERY_H

#include "scene/scene.h"

typedef struct viewScenery viewScenery;

// Makes the meshes of all forms, which become assets. NULL if out of memory.
viewScenery* view_scenery_create(const viewSceneDef* def);
void view_scenery_destroy(viewScenery* scenery);
// The member `scenery`: forms, and the asset with the places of their individuals.
void view_scenery_put(viewScenery* scenery, cliJson* json);
// What has no mesh, as prisms in an array that is open.
void view_scenery_put_prisms(const viewScenery* scenery, cliJson* json);
// Number of the mesh of a variant of a <scenery> as a GLB: of a moving part, -1: of all. -1 if none
// can be made.
int view_scenery_mesh(const viewSceneDef* def, rutNode node, int variant, int part);

#endif  // RUT_SCENE_SCENERY_H
