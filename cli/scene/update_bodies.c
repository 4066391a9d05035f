// SPDX-License-Identifier: BSD-3-Clause
#include "scene/update.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/update_entity.h"

enum { MOST_CORNERS = 1024 };

static void read_color(const json_t* value, float color[3]) {
  const char* text = json_string_value(value);
  const unsigned long code = text && text[0] == '#' ? strtoul(text + 1, NULL, 16) : 0x909090;
  for (int i = 0; i < 3; i++) color[i] = (float)(code >> (16 - 8 * i) & 255) / 255;
}

static double number_at(const json_t* list, size_t i) {
  return json_number_value(json_array_get(list, i));
}

// Point of a prism: a corner of its outline at one of two heights.
static void put_corner(viewUpdate* u, const json_t* corner, double z) {
  view_entity_vector(u, number_at(corner, 0), number_at(corner, 1), z);
}

// Both ends as fans around the middle of the corners, and the sides.
static void put_prism_indices(viewUpdate* u, uint32_t n) {
  view_entity_integer(u, 12 * n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t j = (i + 1) % n;
    const uint32_t side[] = {2 * n + 1, n + i, n + j, 2 * n, j, i, i, j, n + j, i, n + j, n + i};
    for (size_t k = 0; k < sizeof side / sizeof side[0]; k++) view_entity_integer(u, side[k]);
  }
}

// From an outline and its lowest and highest point.
static void put_prism(viewUpdate* u, const json_t* outline, const json_t* z,
                      const viewEntityPose* pose, const float color[3]) {
  const size_t n = json_array_size(outline) > MOST_CORNERS ? 0 : json_array_size(outline);
  double middle[2] = {0, 0};
  for (size_t i = 0; i < 2 * n; i++) {
    middle[i % 2] += number_at(json_array_get(outline, i / 2), i % 2) / (double)n;
  }
  view_entity_pose(u, pose);
  view_entity_integer(u, (uint32_t)(2 * n + 2));
  for (size_t i = 0; i < 2 * n; i++) {
    put_corner(u, json_array_get(outline, i % n), number_at(z, i / n));
  }
  for (size_t i = 0; i < 2; i++) {
    view_entity_vector(u, middle[0], middle[1], number_at(z, i));
  }
  view_entity_color(u, color);
  view_entity_integer(u, 0);
  put_prism_indices(u, (uint32_t)n);
}

// Something with an outline, as one entity.
static void put_thing(viewUpdate* u, const json_t* thing, const viewEntity* entity,
                      const viewEntityPose* pose) {
  float color[3];
  read_color(json_object_get(thing, "color"), color);
  const json_t* body = json_object_get(thing, "chassis");
  if (!body) body = thing;
  view_entity_begin(u, entity);
  put_prism(u, json_object_get(body, "outline"), json_object_get(body, "z"), pose, color);
  view_entity_end(u, entity);
}

// A wheel, whose axis is y, as a cylinder, whose axis is z.
static void put_wheel(viewUpdate* u, const json_t* wheel, const char* frame) {
  static const float rubber[3] = {0.15F, 0.15F, 0.15F};
  const double half = sqrt(0.5);
  const viewEntityPose pose = {{0, 0, 0}, {half, half, 0, 0}};
  const double diameter = 2 * json_number_value(json_object_get(wheel, "radius"));
  const double width = json_number_value(json_object_get(wheel, "width"));
  const viewEntity entity = {frame, frame, VIEW_PART_CYLINDERS};
  view_entity_begin(u, &entity);
  view_entity_pose(u, &pose);
  view_entity_vector(u, diameter, diameter, width);
  view_entity_number(u, 1);
  view_entity_number(u, 1);
  view_entity_color(u, rubber);
  view_entity_end(u, &entity);
}

static const char* name_of(const json_t* thing) {
  const char* name = json_string_value(json_object_get(thing, "name"));
  return name ? name : "";
}

static void put_vehicle(viewUpdate* u, const json_t* vehicle) {
  const char* name = name_of(vehicle);
  put_thing(u, vehicle, &(viewEntity){name, name, VIEW_PART_TRIANGLES}, &VIEW_ENTITY_ORIGIN);
  const json_t* wheels = json_object_get(vehicle, "wheels");
  for (size_t i = 0; i < json_array_size(wheels); i++) {
    char frame[1024];
    const json_t* wheel = json_array_get(wheels, i);
    snprintf(frame, sizeof frame, "%s/%s", name, name_of(wheel));
    put_wheel(u, wheel, frame);
  }
}

static viewEntityPose pose_of(const json_t* thing) {
  viewEntityPose pose = VIEW_ENTITY_ORIGIN;
  const json_t* given = json_object_get(thing, "pose");
  if (json_array_size(given) != 7) return pose;
  for (size_t i = 0; i < 3; i++) pose.at[i] = number_at(given, i);
  for (size_t i = 0; i < 4; i++) pose.turn[i] = number_at(given, 3 + i);
  return pose;
}

static void put_blocks(viewUpdate* u, const json_t* blocks, int moving) {
  for (size_t i = 0; i < json_array_size(blocks); i++) {
    const json_t* block = json_array_get(blocks, i);
    char id[1024];
    snprintf(id, sizeof id, "block/%s", name_of(block));
    const bool moves = json_is_true(json_object_get(block, "moves"));
    // those behind have no transforms: bodies of mechanisms, and parts of actors
    if (moves && moving-- <= 0) continue;
    const viewEntityPose pose = moves ? VIEW_ENTITY_ORIGIN : pose_of(block);
    put_thing(u, block, &(viewEntity){moves ? name_of(block) : "world", id, VIEW_PART_TRIANGLES},
              &pose);
  }
}

bool view_update_bodies(viewUpdate* u, const viewBytes* scene, int moving) {
  json_t* all = json_loadb((const char*)scene->data, scene->size, 0, NULL);
  const json_t* vehicles = json_object_get(all, "vehicles");
  for (size_t i = 0; i < json_array_size(vehicles); i++) {
    put_vehicle(u, json_array_get(vehicles, i));
  }
  put_blocks(u, json_object_get(all, "blocks"), moving);
  const json_t* walls = json_object_get(all, "walls");
  for (size_t i = 0; i < json_array_size(walls); i++) {
    char id[40];
    snprintf(id, sizeof id, "wall/%zu", i);
    put_thing(u, json_array_get(walls, i), &(viewEntity){"world", id, VIEW_PART_TRIANGLES},
              &VIEW_ENTITY_ORIGIN);
  }
  json_decref(all);
  return all != NULL;
}
