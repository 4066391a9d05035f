// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a foxglove_msgs/msg/SceneUpdate in CDR.
#ifndef RUT_SCENE_UPDATE_ENTITY_H
#define RUT_SCENE_UPDATE_ENTITY_H

#include <stdbool.h>

#include "scene/bytes.h"

// A message that is being written.
typedef struct viewUpdate {
  unsigned char* data;  // owned
  size_t size, room;
  bool failed;    // out of memory
  int64_t time;   // [ns]
  size_t counts;  // where the number of entities stands
  uint32_t entities;
} viewUpdate;

typedef enum viewPart { VIEW_PART_CYLINDERS, VIEW_PART_TRIANGLES } viewPart;

typedef struct viewEntity {
  const char *frame, *id;
  viewPart part;  // the kind of primitive that it has
} viewEntity;

// x y z and a quaternion w x y z.
typedef struct viewEntityPose {
  double at[3], turn[4];
} viewEntityPose;
#define VIEW_ENTITY_ORIGIN ((viewEntityPose){{0, 0, 0}, {1, 0, 0, 0}})

// Begin a message; all entities that were there before go, if that is wanted.
void view_update_begin(viewUpdate* update, bool anew, int64_t time);
// End it. The caller drops it; NULL if out of memory.
viewBytes* view_update_end(viewUpdate* update);
// Begin an entity of one primitive, which is to be written next; end it.
void view_entity_begin(viewUpdate* update, const viewEntity* entity);
void view_entity_end(viewUpdate* update, const viewEntity* entity);
// Parts of primitives, in the order of their definition.
void view_entity_pose(viewUpdate* update, const viewEntityPose* pose);
void view_entity_vector(viewUpdate* update, double x, double y, double z);
void view_entity_number(viewUpdate* update, double value);
// Red, green and blue, 0 to 1.
void view_entity_color(viewUpdate* update, const float color[3]);
// Number of items that follow, or one of them.
void view_entity_integer(viewUpdate* update, uint32_t value);
// Begin items of which it is not known how many there are; end them.
size_t view_entity_list(viewUpdate* update);
void view_entity_list_end(viewUpdate* update, size_t list, uint32_t items);

#endif  // RUT_SCENE_UPDATE_ENTITY_H
