// SPDX-License-Identifier: BSD-3-Clause
//
// Objects of a scene. Those at given places are blocks with the outline and the looks of their
// mesh. Those at random places, and plants, are scenery.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mavs_scene.h"
#include "math/rut_math.h"

enum { MOST_AT_RANDOM = 200000, MOST_CORNERS = 10000 };
#define MAX_MESH_WORK 2e9   // points moved, over one scene
#define SIZES_FROM    1e-3  // of scenery
#define SIZES_TO      1e3

// One entry of "Objects".
typedef struct Object {
  rutMavsScene* scene;
  const rutJsonValue* value;  // of the entry
  const rutJsonValue* name;   // of its mesh
  char label[48];
  rutPlace place;
  const rutMavsFile* file;
  const char* class_name;
  rutMavsThing thing;
  rutMavsPose axes;
  rutNode plants;  // scenery of its instances, made with the first of them
} Object;

// ---- what it is ----

// Extent of the mesh with its axes exchanged, at scale 1. False if there is none.
static bool mesh_box(const Object* o, double low[3], double high[3]) {
  const rutMesh* mesh = &o->file->mesh;
  double stretch[3], angle[3], s[3], c[3];
  if (mesh->points == 0) return false;
  rut_mavs_pose_split(&o->axes, stretch, angle);
  for (int k = 0; k < 3; k++) {
    low[k] = RUT_INFINITY;
    high[k] = -RUT_INFINITY;
    rut_sincos(angle[k], &s[k], &c[k]);
  }
  for (int i = 0; i < mesh->points; i++) {
    const double* q = mesh->point + (size_t)3 * (size_t)i;
    // roll, pitch, yaw: exchanges of axes are quarter turns
    const double y = c[2] * q[1] - s[2] * q[2], z = s[2] * q[1] + c[2] * q[2];
    const double x = c[1] * q[0] + s[1] * z, up = -s[1] * q[0] + c[1] * z;
    const double p[3] = {c[0] * x - s[0] * y, s[0] * x + c[0] * y, up};
    for (int k = 0; k < 3; k++) {
      low[k] = rut_min(low[k], p[k]);
      high[k] = rut_max(high[k], p[k]);
    }
  }
  return true;
}

static void set_class(const Object* o, rutNode node, const char* preset) {
  rutJsonMaker* m = &o->scene->maker;
  if (!o->class_name[0]) return;
  const rutNode material = rut_json_add(m, node, "material", "", "", o->place);
  if (preset[0]) rut_json_set_text(m, material, "preset", preset, o->place);
  rut_json_set_text(m, material, "class", o->class_name, o->place);
}

// A scenery element for individuals of this object. bottom: of solids [m].
static rutNode add_scenery(const Object* o, double bottom) {
  rutJsonMaker* m = &o->scene->maker;
  rutMavsThing thing = o->thing;
  double low[3], high[3];
  const bool solid = strcmp(thing.type, "solid") == 0, known = mesh_box(o, low, high);
  const rutMavsPlant* plant = rut_mavs_scene_plant(o->scene, o->name->text);
  if (plant) {
    thing.height = plant->height;
    if (plant->diameter > 0 && strcmp(thing.type, "grass") != 0) thing.width = plant->diameter;
  }
  if (known && high[2] > low[2]) thing.height = high[2] - low[2];
  const rutNode node = rut_json_add(m, o->scene->world, "scenery", thing.type, "", o->place);
  rut_mavs_thing_set(m, node, &thing, o->place);
  if (known && solid) {
    const double length = rut_max(high[0] - low[0], 0.01), width = rut_max(high[1] - low[1], 0.01);
    rut_json_set(m, node, "length", length, o->place);
    if (strcmp(thing.kind, "box") == 0) rut_json_set(m, node, "width", width, o->place);
    bottom += low[2];
  }
  if (solid && bottom != 0) rut_json_set(m, node, "bottom", bottom, o->place);
  set_class(o, node, "");
  return node;
}

// ---- given places ----

static void add_plant(Object* o, const rutMavsPose* pose) {
  rutJsonMaker* m = &o->scene->maker;
  if (rut_node_is_null(o->plants)) o->plants = add_scenery(o, 0);
  const rutNode place = rut_json_add(m, o->plants, "place", "", "", o->place);
  rut_json_set_list(m, place, "position", 2, pose->position, o->place);
  rut_json_set(m, place, "yaw", pose->angle[0], o->place);
  const double size = rut_clamp(rut_abs(pose->scale[2]), SIZES_FROM, SIZES_TO);
  // without its mesh the size of what it stands for is not known
  const bool known = o->file->mesh.points > 0 || o->thing.height > 0;
  if (known || (size >= 0.2 && size <= 5)) rut_json_set(m, place, "size", size, o->place);
}

// Outline of the mesh in the frame of its block, which has the yaw. False if there is none.
static bool outline_of(Object* o, const double stretch[3], const double angle[3],
                       rutMeshOutline* out) {
  rutMavsScene* s = o->scene;
  rutMesh moved = o->file->mesh;
  s->mesh_points += moved.points;
  if (s->mesh_points > MAX_MESH_WORK) {
    rut_json_error(&s->maker, o->value, o->label, "too many large meshes");
    return false;
  }
  const size_t bytes = (size_t)moved.points * 3 * sizeof *moved.point;
  moved.point = malloc(bytes + 1);
  if (!moved.point) return false;
  memcpy(moved.point, o->file->mesh.point, bytes);
  for (int i = 0; i < 3 * moved.points; i++) moved.point[i] *= stretch[i % 3];
  rut_mesh_transform(
      &moved, (rutMeshPose){.scale = 1, .yaw = angle[0], .pitch = angle[1], .roll = angle[2]});
  const rutStatus status =
      rut_mesh_outline(&moved, -RUT_INFINITY, RUT_INFINITY, o->name->text, s->maker.reporter, out);
  free(moved.point);
  return status == RUT_OK && out->n >= 3 && out->z_max > out->z_min;
}

// A block that stands for a mesh that is not there.
static void set_solid(const Object* o, rutNode node, const rutMavsPose* pose) {
  rutJsonMaker* m = &o->scene->maker;
  const double x = 0.5 * o->thing.width * rut_abs(pose->scale[0]);
  const double y = 0.5 * o->thing.width * rut_abs(pose->scale[1]);
  const double box[8] = {-x, -y, x, -y, x, y, -x, y};
  const bool round = strcmp(o->thing.kind, "cylinder") == 0;
  double corners[2 * RUT_OUTLINE_MAX];
  for (int i = 0; i < RUT_OUTLINE_MAX; i++) {
    double sine, cosine;
    rut_sincos(2 * RUT_PI * i / RUT_OUTLINE_MAX, &sine, &cosine);
    corners[2 * i] = x * cosine;
    corners[2 * i + 1] = y * sine;
  }
  rut_json_set_list(m, node, "outline", round ? 2 * RUT_OUTLINE_MAX : 8, round ? corners : box,
                    o->place);
  rut_json_set(m, node, "z_min", 0, o->place);
  rut_json_set(m, node, "z_max", o->thing.height * rut_abs(pose->scale[2]), o->place);
}

static void add_visual(const Object* o, rutNode parent, const double stretch[3],
                       const double angle[3], const double offset[3]) {
  rutJsonMaker* m = &o->scene->maker;
  static const char* const field[3] = {"yaw", "pitch", "roll"};
  const rutNode visual = rut_json_add(m, parent, "visual", "", "", o->place);
  rut_json_set_file(m, visual, "model", o->file->path, o->place);
  rut_json_set_list(m, visual, "stretch", 3, stretch, o->place);
  if (offset) rut_json_set_list(m, visual, "offset", 3, offset, o->place);
  for (int i = 0; i < 3; i++) {
    if (angle[i] != 0) rut_json_set(m, visual, field[i], angle[i], o->place);
  }
}

static void add_block(Object* o, const rutMavsPose* pose) {
  rutJsonMaker* m = &o->scene->maker;
  rutMavsPose own = *pose;
  rutMeshOutline outline = {0};
  double stretch[3], angle[3];
  own.angle[0] = 0;
  rut_mavs_pose_split(&own, stretch, angle);
  const bool there = o->file->mesh.points > 0;
  if (there && !outline_of(o, stretch, angle, &outline)) {
    // flat things touch nothing
    rut_mavs_pose_split(pose, stretch, angle);
    add_visual(o, o->scene->world, stretch, angle, pose->position);
    return;
  }
  const rutNode node = rut_json_add(m, o->scene->world, "block", "", "", o->place);
  rut_json_set_list(m, node, "position", 3, pose->position, o->place);
  rut_json_set(m, node, "on_ground", 0, o->place);
  rut_json_set(m, node, "yaw", pose->angle[0], o->place);
  rut_json_set(m, node, "fixed", 1, o->place);
  if (there) {
    rut_json_set_list(m, node, "outline", 2 * outline.n, outline.point, o->place);
    rut_json_set(m, node, "z_min", outline.z_min, o->place);
    rut_json_set(m, node, "z_max", outline.z_max, o->place);
    add_visual(o, node, stretch, angle, NULL);
  } else {
    set_solid(o, node, pose);
  }
  set_class(o, node, "concrete");
}

// True if a mesh is a piece of ground, which things stand on.
static bool is_ground(const Object* o) {
  const char* name = o->class_name;
  return strncmp(o->name->text, "surfaces/", 9) == 0 || strstr(name, "trail") ||
         strcmp(name, "ground") == 0 || strcmp(name, "snow") == 0;
}

static void add_instance(Object* o, const rutMavsPose* pose) {
  double stretch[3], angle[3];
  // what the scene drives on is seen as the ground
  if (o->file->surface) return;
  if (is_ground(o)) {
    if (o->file->mesh.points == 0) return;
    rut_mavs_pose_split(pose, stretch, angle);
    add_visual(o, o->scene->world, stretch, angle, pose->position);
  } else if (o->thing.plant || (o->file->mesh.points == 0 && strcmp(o->thing.type, "solid") != 0)) {
    add_plant(o, pose);
  } else {
    add_block(o, pose);
  }
}

static void read_instances(Object* o, const rutJsonValue* list) {
  rutJsonMaker* m = &o->scene->maker;
  int i = 0;
  for (const rutJsonValue* item = list->first; item && !rut_json_halted(m); item = item->next) {
    char label[80];
    snprintf(label, sizeof label, "%s.Instances[%d]", o->label, i++);
    if (item->kind != RUT_JSON_OBJECT) {
      rut_json_error(m, item, label, "an instance must be an object, not %s",
                     rut_json_kind_text(item->kind));
      continue;
    }
    RUT_JSON_CHECK_KEYS(m, item, label, "YawPitchRoll", "Position", "Scale");
    rutMavsPose pose = o->axes;
    rut_mavs_scene_pose(o->scene, item, label, &pose);
    o->place = rut_json_place(m, item);
    add_instance(o, &pose);
  }
}

// ---- random places ----

// Least and largest size. MAVS scales each axis by itself if there are three pairs; here the sizes
// are those of the height.
static void read_sizes(Object* o, const rutJsonValue* random, double size[2]) {
  rutJsonMaker* m = &o->scene->maker;
  const rutJsonValue* scale = rut_json_child(m, random, o->label, "Scale", RUT_JSON_ARRAY);
  if (!scale) return;
  if (scale->children == 3 && scale->first->kind == RUT_JSON_ARRAY) {
    rut_json_warn(m, scale, o->label,
                  "scenery is scaled equally in all directions: by the third pair");
    scale = scale->first->next->next;
  }
  double given[2];
  if (!rut_json_numbers(m, scale, o->label, 2, given)) return;
  size[0] = rut_clamp(rut_min(given[0], given[1]), SIZES_FROM, SIZES_TO);
  size[1] = rut_clamp(rut_max(given[0], given[1]), SIZES_FROM, SIZES_TO);
}

// Corners of the area, moved by the offset; the caller frees them. Returns how many, 0 after an
// error.
static int read_polygon(Object* o, const rutJsonValue* random, const double offset[3],
                        double** out) {
  rutJsonMaker* m = &o->scene->maker;
  const rutJsonValue* list = rut_json_child(m, random, o->label, "Polygon", RUT_JSON_ARRAY);
  *out = NULL;
  if (!list) {
    if (!rut_json_find(random, "Polygon"))
      rut_json_warn(m, random, o->label, "there is no 'Polygon': nothing is placed");
    return 0;
  }
  if (list->children < 3 || list->children > MOST_CORNERS) {
    rut_json_error(m, list, o->label, "'Polygon' has %d points; it may have 3 to %d",
                   list->children, MOST_CORNERS);
    return 0;
  }
  double* xy = malloc((size_t)list->children * 2 * sizeof *xy);
  int n = 0;
  for (const rutJsonValue* item = list->first; xy && item; item = item->next) {
    double* at = xy + (size_t)2 * (size_t)n;
    if (!rut_json_numbers(m, item, o->label, 2, at)) {
      free(xy);
      return 0;
    }
    at[0] += offset[0];
    at[1] += offset[1];
    // repeated corners say nothing
    if (n == 0 || at[0] != at[-2] || at[1] != at[-1]) n++;
  }
  *out = xy;
  return xy ? n : 0;
}

static void read_random(Object* o, const rutJsonValue* random) {
  rutJsonMaker* m = &o->scene->maker;
  char label[64];
  snprintf(label, sizeof label, "%s.Random", o->label);
  RUT_JSON_CHECK_KEYS(m, random, label, "Number", "Polygon", "Offset", "Minimum Spacing", "Scale");
  double offset[3] = {0}, size[2] = {1, 1}, *xy = NULL;
  rut_json_list(m, random, label, "Offset", 3, offset);
  const double number = rut_json_number(m, random, label, "Number", (rutJsonRange){0, 0, 1e9});
  const double spacing =
      rut_json_number(m, random, label, "Minimum Spacing", (rutJsonRange){0, 0, 1e4});
  read_sizes(o, random, size);
  const int corners = read_polygon(o, random, offset, &xy);
  if (number > MOST_AT_RANDOM) {
    rut_json_warn(m, rut_json_find(random, "Number"), label, "%d are placed, not %g",
                  MOST_AT_RANDOM, number);
  }
  if (corners >= 3 && number >= 1) {
    const rutNode node = add_scenery(o, offset[2] / (0.5 * (size[0] + size[1])));
    rut_json_set(m, node, "number", rut_floor(rut_min(number, MOST_AT_RANDOM)), o->place);
    rut_json_set_list(m, node, "area", 2 * corners, xy, o->place);
    rut_json_set_list(m, node, "size", 2, size, o->place);
    rut_json_set(m, node, "spacing", spacing, o->place);
    // MAVS places them on trails and in the way as well
    rut_json_set(m, node, "path_distance", 0, o->place);
    rut_json_set(m, node, "road_distance", -1e4, o->place);
    // entries of one kind differ
    rut_json_set(m, node, "seed", o->value->line % 1000000, o->place);
  }
  free(xy);
}

// ---- all of them ----

static void read_object(rutMavsScene* s, const rutJsonValue* value, int index) {
  rutJsonMaker* m = &s->maker;
  Object o = {.scene = s, .value = value, .place = rut_json_place(m, value)};
  snprintf(o.label, sizeof o.label, "Objects[%d]", index);
  if (value->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, value, o.label, "an object of the scene must be an object, not %s",
                   rut_json_kind_text(value->kind));
    return;
  }
  RUT_JSON_CHECK_KEYS(m, value, o.label, "Mesh", "Material", "Smooth Normals", "Label By Group",
                      "Rotate Y to Z", "Rotate X to Y", "Rotate Y to X", "Instances", "Random");
  o.name = rut_json_child(m, value, o.label, "Mesh", RUT_JSON_STRING);
  if (!o.name) {
    if (!rut_json_find(value, "Mesh"))
      rut_json_warn(m, value, o.label, "there is no 'Mesh': nothing is placed");
    return;
  }
  o.class_name = rut_mavs_scene_label(s, o.name->text);
  o.thing = rut_mavs_thing(o.name->text, o.class_name);
  char instead[100];
  const bool solid = strcmp(o.thing.type, "solid") == 0;
  snprintf(instead, sizeof instead, "a %s stands in its place",
           solid ? o.thing.kind : o.thing.type);
  if (is_ground(&o)) snprintf(instead, sizeof instead, "it is left out");
  o.file = rut_mavs_scene_mesh(s, o.name, o.label, instead);
  if (!o.file) return;
  rut_mavs_scene_axes(s, value, o.label, &o.axes);
  const rutJsonValue* instances = rut_json_child(m, value, o.label, "Instances", RUT_JSON_ARRAY);
  const rutJsonValue* random = rut_json_child(m, value, o.label, "Random", RUT_JSON_OBJECT);
  if (instances) {
    read_instances(&o, instances);
  } else if (random && !o.file->surface) {
    read_random(&o, random);
  } else if (!random) {
    rut_json_warn(m, value, o.label, "there are no 'Instances' and no 'Random': nothing is placed");
  }
}

void rut_mavs_scene_objects(rutMavsScene* s, const rutJsonValue* root) {
  const rutJsonValue* list = rut_json_child(&s->maker, root, "", "Objects", RUT_JSON_ARRAY);
  if (!list) return;
  int i = 0;
  for (const rutJsonValue* item = list->first; item && !rut_json_halted(&s->maker);
       item = item->next) {
    read_object(s, item, i++);
  }
}
