// SPDX-License-Identifier: BSD-3-Clause
#include "view/foxglove_scene.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/foxglove_entity.h"

// ---- schema ----

#define NUMBER        "{\"type\":\"number\"}"
#define TEXT          "{\"type\":\"string\"}"
#define TRUTH         "{\"type\":\"boolean\"}"
#define LIST(item)    "{\"type\":\"array\",\"items\":" item "}"
#define OBJECT(items) "{\"type\":\"object\",\"properties\":{" items "}}"
#define TIME          OBJECT("\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}")
#define VECTOR        OBJECT("\"x\":" NUMBER ",\"y\":" NUMBER ",\"z\":" NUMBER)
#define TURN          OBJECT("\"x\":" NUMBER ",\"y\":" NUMBER ",\"z\":" NUMBER ",\"w\":" NUMBER)
#define POSE          OBJECT("\"position\":" VECTOR ",\"orientation\":" TURN)
#define COLOR         OBJECT("\"r\":" NUMBER ",\"g\":" NUMBER ",\"b\":" NUMBER ",\"a\":" NUMBER)
#define SOLID         "\"pose\":" POSE ",\"size\":" VECTOR ",\"color\":" COLOR

#define MESH                                                                            \
  "\"pose\":" POSE ",\"points\":" LIST(VECTOR) ",\"color\":" COLOR ",\"colors\":" LIST( \
      COLOR) ",\"indices\":" LIST("{\"type\":\"integer\"}")
// Of primitives that are never sent the items are not described.
#define NONE LIST("{\"type\":\"object\"}")
#define ENTITY                                                                                 \
  "\"timestamp\":" TIME ",\"frame_id\":" TEXT ",\"id\":" TEXT ",\"lifetime\":" TIME            \
  ",\"frame_locked\":" TRUTH ",\"metadata\":" NONE ",\"arrows\":" NONE ",\"cubes\":" NONE      \
  ",\"spheres\":" NONE ",\"cylinders\":" LIST(OBJECT(                                          \
      SOLID ",\"bottom_scale\":" NUMBER                                                        \
            ",\"top_scale\":" NUMBER)) ",\"lines\":" NONE                                      \
                                       ",\"triangles\":" LIST(OBJECT(MESH)) ",\"texts\":" NONE \
                                                                            ",\"models\":" NONE

const char view_foxglove_scene_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"" VIEW_FOXGLOVE_SCENE
    "\",\"type\":\"object\",\"properties\":{\"deletions\":" LIST(OBJECT(
        "\"timestamp\":" TIME
        ",\"type\":{\"type\":\"integer\"},\"id\":" TEXT)) ",\"entities\":" LIST(OBJECT(ENTITY)) "}"
                                                                                                "}";

// ---- bodies ----

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
static void put_corner(viewFoxgloveUpdate* u, const json_t* corner, double z) {
  view_foxglove_vector(u, NULL, number_at(corner, 0), number_at(corner, 1), z);
}

// Both ends as fans around the middle of the corners, and the sides.
static void put_prism_indices(cliJson* json, int n) {
  cli_json_array(json, "indices");
  for (int i = 0; i < n; i++) {
    const int j = (i + 1) % n;
    const int side[] = {2 * n + 1, n + i, n + j, 2 * n, j, i, i, j, n + j, i, n + j, n + i};
    for (size_t k = 0; k < sizeof side / sizeof side[0]; k++) {
      cli_json_integer(json, NULL, side[k]);
    }
  }
  cli_json_end(json);
}

// From an outline and its lowest and highest point.
static void put_prism(viewFoxgloveUpdate* u, const json_t* outline, const json_t* z,
                      const viewFoxglovePose* pose, const float color[3]) {
  const size_t n = json_array_size(outline);
  if (n < 3 || n > MOST_CORNERS) return;
  double middle[2] = {0, 0};
  for (size_t i = 0; i < 2 * n; i++) {
    middle[i % 2] += number_at(json_array_get(outline, i / 2), i % 2) / (double)n;
  }
  cli_json_object(&u->json, NULL);
  view_foxglove_pose(u, pose);
  cli_json_array(&u->json, "points");
  for (size_t i = 0; i < 2 * n; i++) {
    put_corner(u, json_array_get(outline, i % n), number_at(z, i / n));
  }
  for (size_t i = 0; i < 2; i++) {
    view_foxglove_vector(u, NULL, middle[0], middle[1], number_at(z, i));
  }
  cli_json_end(&u->json);
  view_foxglove_color(u, color);
  cli_json_array(&u->json, "colors");
  cli_json_end(&u->json);
  put_prism_indices(&u->json, (int)n);
  cli_json_end(&u->json);
}

// Something with an outline, as one entity.
static void put_thing(viewFoxgloveUpdate* u, const json_t* thing, const viewFoxgloveEntity* entity,
                      const viewFoxglovePose* pose) {
  float color[3];
  read_color(json_object_get(thing, "color"), color);
  const json_t* body = json_object_get(thing, "chassis");
  if (!body) body = thing;
  view_foxglove_entity_begin(u, entity);
  put_prism(u, json_object_get(body, "outline"), json_object_get(body, "z"), pose, color);
  view_foxglove_entity_end(u);
}

// A wheel, whose axis is y, as a cylinder, whose axis is z.
static void put_wheel(viewFoxgloveUpdate* u, const json_t* wheel, const char* frame) {
  static const float rubber[3] = {0.15F, 0.15F, 0.15F};
  const double half = sqrt(0.5);
  const viewFoxglovePose pose = {{0, 0, 0}, {half, half, 0, 0}};
  const double diameter = 2 * json_number_value(json_object_get(wheel, "radius"));
  const double width = json_number_value(json_object_get(wheel, "width"));
  view_foxglove_entity_begin(u, &(viewFoxgloveEntity){frame, frame, "cylinders"});
  cli_json_object(&u->json, NULL);
  view_foxglove_pose(u, &pose);
  view_foxglove_vector(u, "size", diameter, diameter, width);
  cli_json_number(&u->json, "bottom_scale", 1);
  cli_json_number(&u->json, "top_scale", 1);
  view_foxglove_color(u, rubber);
  cli_json_end(&u->json);
  view_foxglove_entity_end(u);
}

static const char* name_of(const json_t* thing) {
  const char* name = json_string_value(json_object_get(thing, "name"));
  return name ? name : "";
}

static void put_vehicle(viewFoxgloveUpdate* u, const json_t* vehicle) {
  const char* name = name_of(vehicle);
  put_thing(u, vehicle, &(viewFoxgloveEntity){name, name, "triangles"}, &VIEW_FOXGLOVE_ORIGIN);
  const json_t* wheels = json_object_get(vehicle, "wheels");
  for (size_t i = 0; i < json_array_size(wheels); i++) {
    char frame[1024];
    const json_t* wheel = json_array_get(wheels, i);
    snprintf(frame, sizeof frame, "%s/%s", name, name_of(wheel));
    put_wheel(u, wheel, frame);
  }
}

static viewFoxglovePose pose_of(const json_t* thing) {
  viewFoxglovePose pose = VIEW_FOXGLOVE_ORIGIN;
  const json_t* given = json_object_get(thing, "pose");
  if (json_array_size(given) != 7) return pose;
  for (size_t i = 0; i < 3; i++) pose.at[i] = number_at(given, i);
  for (size_t i = 0; i < 4; i++) pose.turn[i] = number_at(given, 3 + i);
  return pose;
}

static void put_blocks(viewFoxgloveUpdate* u, const json_t* blocks, int moving) {
  for (size_t i = 0; i < json_array_size(blocks); i++) {
    const json_t* block = json_array_get(blocks, i);
    char id[1024];
    snprintf(id, sizeof id, "block/%s", name_of(block));
    const bool moves = json_is_true(json_object_get(block, "moves"));
    // those behind have no transforms: bodies of mechanisms, and parts of actors
    if (moves && moving-- <= 0) return;
    const viewFoxglovePose pose = moves ? VIEW_FOXGLOVE_ORIGIN : pose_of(block);
    put_thing(u, block, &(viewFoxgloveEntity){moves ? name_of(block) : "world", id, "triangles"},
              &pose);
  }
}

viewBytes* view_foxglove_bodies(const viewBytes* scene, int moving, int64_t time) {
  viewFoxgloveUpdate u;
  json_t* all = json_loadb((const char*)scene->data, scene->size, 0, NULL);
  if (!all || !view_foxglove_update_begin(&u, true, time)) {
    json_decref(all);
    return NULL;
  }
  const json_t* vehicles = json_object_get(all, "vehicles");
  for (size_t i = 0; i < json_array_size(vehicles); i++) {
    put_vehicle(&u, json_array_get(vehicles, i));
  }
  put_blocks(&u, json_object_get(all, "blocks"), moving);
  const json_t* walls = json_object_get(all, "walls");
  for (size_t i = 0; i < json_array_size(walls); i++) {
    char id[40];
    snprintf(id, sizeof id, "wall/%zu", i);
    put_thing(&u, json_array_get(walls, i), &(viewFoxgloveEntity){"world", id, "triangles"},
              &VIEW_FOXGLOVE_ORIGIN);
  }
  json_decref(all);
  return view_foxglove_update_end(&u);
}
