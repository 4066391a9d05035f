// SPDX-License-Identifier: BSD-3-Clause
//
// Writes entities of a foxglove.SceneUpdate in JSON.
#ifndef RUT_VIEW_FOXGLOVE_ENTITY_H
#define RUT_VIEW_FOXGLOVE_ENTITY_H

#include "json.h"
#include "scene/bytes.h"

// A message that is being written.
typedef struct viewFoxgloveUpdate {
  cliJson json;
  FILE* out;
  char* text;
  size_t size;
  int64_t time;  // [ns]
} viewFoxgloveUpdate;

typedef struct viewFoxgloveEntity {
  const char *frame, *id;
  const char* part;  // the kind of primitive that it has: "triangles", "cylinders"
} viewFoxgloveEntity;

// x y z and a quaternion w x y z.
typedef struct viewFoxglovePose {
  double at[3], turn[4];
} viewFoxglovePose;
#define VIEW_FOXGLOVE_ORIGIN ((viewFoxglovePose){{0, 0, 0}, {1, 0, 0, 0}})

// Begin a message; all entities that were there before go, if that is wanted. False if out of
// memory.
bool view_foxglove_update_begin(viewFoxgloveUpdate* update, bool anew, int64_t time);
// End it. The caller drops it; NULL if out of memory.
viewBytes* view_foxglove_update_end(viewFoxgloveUpdate* update);
// Begin an entity, and the array of its primitives; end both.
void view_foxglove_entity_begin(viewFoxgloveUpdate* update, const viewFoxgloveEntity* entity);
void view_foxglove_entity_end(viewFoxgloveUpdate* update);
void view_foxglove_pose(viewFoxgloveUpdate* update, const viewFoxglovePose* pose);
void view_foxglove_vector(viewFoxgloveUpdate* update, const char* key, double x, double y,
                          double z);
// Red, green and blue, 0 to 1.
void view_foxglove_color(viewFoxgloveUpdate* update, const float color[3]);

#endif  // RUT_VIEW_FOXGLOVE_ENTITY_H
