// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of a scene: meshes as surfaces, height maps, trails, potholes, and what it is made of.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mavs_scene.h"
#include "format/raster.h"
#include "format/xml.h"
#include "math/rut_math.h"

#define PSI           6894.757293168  // pound-force per square inch [Pa]
#define ENDLESS       1000.0  // a level surface that goes on so far in all directions has no end [m]
#define LEVEL         0.02    // and no height, if it is less than this [m]
#define MAX_MESH_WORK 2e9     // points moved, over one scene
enum { MAX_TRAIL_POINTS = 4000, MAX_POTHOLES = 10000 };

static const char level_ground[] = "level ground takes its place";

// ---- poses of meshes ----

static void multiply(const double a[9], const double b[9], double out[9]) {
  double c[9];
  for (int i = 0; i < 9; i++) {
    c[i] = 0;
    for (int k = 0; k < 3; k++) c[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
  }
  memcpy(out, c, sizeof c);
}

void rut_mavs_pose_split(const rutMavsPose* pose, double stretch[3], double angle[3]) {
  // what MAVS does to the vertices of a mesh, one after the other (mesh.cpp)
  static const double y_to_z[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  static const double x_to_y[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  static const double y_to_x[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (pose->y_to_z) multiply(y_to_z, axes, axes);
  if (pose->x_to_y) multiply(x_to_y, axes, axes);
  if (pose->y_to_x) multiply(y_to_x, axes, axes);
  // the scale holds along the new axes: column j of a signed permutation has its one in one row
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) {
      if (axes[3 * i + j] != 0) stretch[j] = pose->scale[i];
    }
  }
  double sy, cy, sp, cp, sr, cr;
  rut_sincos(pose->angle[0], &sy, &cy);
  rut_sincos(pose->angle[1], &sp, &cp);
  rut_sincos(pose->angle[2], &sr, &cr);
  const double turn[9] = {cy * cp,
                          cy * sp * sr - sy * cr,
                          cy * sp * cr + sy * sr,
                          sy * cp,
                          sy * sp * sr + cy * cr,
                          sy * sp * cr - cy * sr,
                          -sp,
                          cp * sr,
                          cp * cr};
  double r[9];
  multiply(turn, axes, r);
  // looking straight up or down, yaw and roll turn about one axis
  if (rut_abs(r[6]) > 1 - 1e-12) {
    angle[0] = rut_atan2(-r[1], r[4]);
    angle[1] = r[6] < 0 ? 0.5 * RUT_PI : -0.5 * RUT_PI;
    angle[2] = 0;
    return;
  }
  angle[0] = rut_atan2(r[3], r[0]);
  angle[1] = rut_asin(-r[6]);
  angle[2] = rut_atan2(r[7], r[8]);
}

void rut_mavs_scene_axes(rutMavsScene* s, const rutJsonValue* object, const char* label,
                         rutMavsPose* pose) {
  *pose = (rutMavsPose){.scale = {1, 1, 1}};
  pose->y_to_z = rut_json_flag(&s->maker, object, label, "Rotate Y to Z", false);
  pose->x_to_y = rut_json_flag(&s->maker, object, label, "Rotate X to Y", false);
  pose->y_to_x = rut_json_flag(&s->maker, object, label, "Rotate Y to X", false);
}

void rut_mavs_scene_pose(rutMavsScene* s, const rutJsonValue* object, const char* label,
                         rutMavsPose* pose) {
  rutJsonMaker* m = &s->maker;
  if (rut_json_list(m, object, label, "YawPitchRoll", 3, pose->angle)) {
    for (int i = 0; i < 3; i++) {
      if (rut_abs(pose->angle[i]) <= 2 * RUT_PI) continue;
      rut_json_warn(m, rut_json_find(object, "YawPitchRoll"), label,
                    "the angle %g is taken as radians, as MAVS's code does, although its manual "
                    "says degrees",
                    pose->angle[i]);
      break;
    }
  }
  rut_json_list(m, object, label, "Position", 3, pose->position);
  if (!rut_json_list(m, object, label, "Scale", 3, pose->scale)) return;
  for (int i = 0; i < 3; i++) {
    if (rut_abs(pose->scale[i]) >= 1e-9) continue;
    rut_json_error(m, rut_json_find(object, "Scale"), label, "a 'Scale' of %g leaves nothing",
                   pose->scale[i]);
    pose->scale[i] = 1;
  }
}

// ---- surfaces ----

// The points of a mesh where the scene puts it; the caller frees them. NULL after an error.
static double* move_points(rutMavsScene* s, const rutMavsFile* file, const double stretch[3],
                           const double angle[3], const double offset[3], const rutJsonValue* at) {
  s->mesh_points += file->mesh.points;
  if (s->mesh_points > MAX_MESH_WORK) {
    rut_json_error(&s->maker, at, "", "too many large meshes");
    return NULL;
  }
  rutMesh moved = file->mesh;
  const size_t bytes = (size_t)moved.points * 3 * sizeof *moved.point;
  moved.point = malloc(bytes + 1);
  if (!moved.point) return NULL;
  memcpy(moved.point, file->mesh.point, bytes);
  for (int i = 0; i < 3 * moved.points; i++) moved.point[i] *= stretch[i % 3];
  rut_mesh_transform(&moved, (rutMeshPose){.scale = 1,
                                           .offset = {offset[0], offset[1], offset[2]},
                                           .yaw = angle[0],
                                           .pitch = angle[1],
                                           .roll = angle[2]});
  return moved.point;
}

static void extent(int points, const double* point, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = RUT_INFINITY;
    high[k] = -RUT_INFINITY;
  }
  for (int i = 0; i < 3 * points; i++) {
    low[i % 3] = rut_min(low[i % 3], point[i]);
    high[i % 3] = rut_max(high[i % 3], point[i]);
  }
}

// True if the highest points of a mesh are a level rectangle over all of its extent.
static bool is_level(const rutMesh* mesh, const double* point, const double low[3],
                     const double high[3]) {
  const double box = (high[0] - low[0]) * (high[1] - low[1]);
  const double least = high[2] - 1e-6 * rut_max(1, rut_abs(high[2]));
  double area = 0;
  for (int i = 0; i < mesh->triangles; i++) {
    const int* t = mesh->triangle + (size_t)3 * (size_t)i;
    const double* p[3];
    for (int k = 0; k < 3; k++) p[k] = point + (size_t)3 * (size_t)t[k];
    if (p[0][2] < least || p[1][2] < least || p[2][2] < least) continue;
    area += 0.5 * rut_abs((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                          (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]));
  }
  return box > 0 && rut_abs(area - box) <= 1e-6 * box;
}

static void grow_box(rutMavsScene* s, const double low[3], const double high[3]) {
  for (int k = 0; k < 2; k++) {
    s->box[k] = s->has_box ? rut_min(s->box[k], low[k]) : low[k];
    s->box[k + 2] = s->has_box ? rut_max(s->box[k + 2], high[k]) : high[k];
  }
  s->has_box = true;
}

static void add_plane(rutMavsScene* s, const double low[3], const double high[3], rutPlace place) {
  rutJsonMaker* m = &s->maker;
  const rutNode node = rut_json_add(m, s->world, "plane", "", "", place);
  rut_json_set(m, node, "x_min", low[0], place);
  rut_json_set(m, node, "x_max", high[0], place);
  rut_json_set(m, node, "y_min", low[1], place);
  rut_json_set(m, node, "y_max", high[1], place);
  rut_json_set(m, node, "z", high[2], place);
}

// A mesh as ground. Level ones are planes, and no element at all if they are all of the ground and
// have no end.
static void add_surface(rutMavsScene* s, const rutJsonValue* name, const char* label,
                        const rutMavsPose* pose, bool alone) {
  rutJsonMaker* m = &s->maker;
  const rutPlace place = rut_json_place(m, name);
  rutMavsFile* file = rut_mavs_scene_mesh(s, name, label, level_ground);
  if (!file) return;
  file->surface = true;
  if (file->mesh.points == 0) return;
  double stretch[3], angle[3], low[3], high[3];
  rut_mavs_pose_split(pose, stretch, angle);
  double* point = move_points(s, file, stretch, angle, pose->position, name);
  if (!point) return;
  extent(file->mesh.points, point, low, high);
  const bool level = is_level(&file->mesh, point, low, high);
  free(point);
  grow_box(s, low, high);
  const bool endless = low[0] <= -ENDLESS && low[1] <= -ENDLESS && high[0] >= ENDLESS &&
                       high[1] >= ENDLESS && rut_abs(high[2]) <= LEVEL;
  if (level && endless && alone) return;
  if (level) {
    add_plane(s, low, high, place);
    return;
  }
  const rutNode node = rut_json_add(m, s->world, "elevation_map", "", "", place);
  rut_json_set_file(m, node, "mesh", file->path, place);
  rut_json_set_list(m, node, "mesh_scale", 3, stretch, place);
  rut_json_set_list(m, node, "offset", 3, pose->position, place);
  static const char* const fields[3] = {"yaw", "pitch", "roll"};
  for (int i = 0; i < 3; i++) rut_json_set(m, node, fields[i], angle[i], place);
}

// The soil of the whole ground, which MAVS's manual describes. Its code reads it and does not use
// it.
static void add_soil(rutMavsScene* s, const rutJsonValue* surface, const char* label) {
  rutJsonMaker* m = &s->maker;
  static const char* const hard[] = {"wet", "snow", "ice"};
  static const char* const soft[] = {"clay", "sand"};
  const rutJsonValue* name = rut_json_child(m, surface, label, "Material", RUT_JSON_STRING);
  const double index =
      PSI * rut_json_number(m, surface, label, "Cone Index", (rutJsonRange){250, 0.2, 100000});
  if (!name || !name->text[0] || strcmp(name->text, "dry") == 0) return;
  if (!rut_node_is_null(rut_node_first(m->spec, s->world, "soil"))) return;
  const rutPlace place = rut_json_place(m, name);
  for (int i = 0; i < RUT_COUNT_OF(hard); i++) {
    if (strcmp(name->text, hard[i]) != 0) continue;
    const rutNode node = rut_json_add(m, s->world, "soil", "magic_formula", hard[i], place);
    rut_json_set_text(m, node, "surface", hard[i], place);
    return;
  }
  for (int i = 0; i < RUT_COUNT_OF(soft); i++) {
    if (strcmp(name->text, soft[i]) != 0) continue;
    const rutNode node = rut_json_add(m, s->world, "soil", soft[i], soft[i], place);
    rut_json_set(m, node, "cone_index", index, place);
    return;
  }
  rut_json_warn(m, name, label,
                "'Material' may be dry, wet, snow, ice, clay or sand, not '%.40s': the ground is "
                "dry and hard",
                name->text);
}

void rut_mavs_scene_surfaces(rutMavsScene* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* list = rut_json_child(m, root, "", "Surface Mesh", RUT_JSON_ARRAY);
  if (!list) return;
  int i = 0;
  for (const rutJsonValue* item = list->first; item && !rut_json_halted(m); item = item->next) {
    char label[40];
    snprintf(label, sizeof label, "Surface Mesh[%d]", i++);
    if (item->kind != RUT_JSON_OBJECT) {
      rut_json_error(m, item, label, "a surface must be an object, not %s",
                     rut_json_kind_text(item->kind));
      continue;
    }
    RUT_JSON_CHECK_KEYS(m, item, label, "Mesh", "Material", "Cone Index", "Rotate Y to Z",
                        "Rotate X to Y", "Rotate Y to X", "YawPitchRoll", "Position", "Scale",
                        "Smooth Normals");
    rutMavsPose pose;
    rut_mavs_scene_axes(s, item, label, &pose);
    rut_mavs_scene_pose(s, item, label, &pose);
    add_soil(s, item, label);
    const rutJsonValue* name = rut_json_child(m, item, label, "Mesh", RUT_JSON_STRING);
    if (name) add_surface(s, name, label, &pose, list->children == 1);
  }
}

// ---- height maps ----

// Grey values v are heights (v - 128) Scale; column i, row j from the top of the picture is the
// place (i - w/2, j - h/2) Resolution (heightmap.cpp).
static void add_height_map(rutMavsScene* s, const rutJsonValue* map, const double scale[3]) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Heightmap";
  RUT_JSON_CHECK_KEYS(m, map, label, "Map", "Resolution", "Scale");
  const double step =
      rut_json_number(m, map, label, "Scale", (rutJsonRange){0.1, -1e4, 1e4}) * scale[2];
  const double spacing =
      rut_json_number(m, map, label, "Resolution", (rutJsonRange){1, 1e-3, 1e4}) * scale[0];
  const rutJsonValue* name = rut_json_child(m, map, label, "Map", RUT_JSON_STRING);
  char path[RUT_MAVS_PATH];
  if (!name || !rut_mavs_scene_mesh_path(s, name, label, level_ground, path)) return;
  const rutPlace place = rut_json_place(m, name);
  rutRaster raster;
  if (rut_raster_load(path, place, m->reporter, &raster) != RUT_OK) return;
  const double white = raster.white, w = raster.values.cols, h = raster.values.rows;
  rut_raster_free(&raster);
  if (!(white > 0)) {
    rut_json_error(m, name, label, "'%.200s' is no image", name->text);
    return;
  }
  const double corner[2] = {-0.5 * w * spacing, -0.5 * h * spacing};
  const double low[3] = {corner[0], corner[1], 0};
  const double high[3] = {corner[0] + (w - 1) * spacing, corner[1] + (h - 1) * spacing, 0};
  grow_box(s, low, high);
  const rutNode node = rut_json_add(m, s->world, "elevation_map", "", "", place);
  rut_json_set_file(m, node, "file", path, place);
  rut_json_set_text(m, node, "rows", "south_up", place);
  rut_json_set(m, node, "z_min", -128 * step, place);
  rut_json_set(m, node, "z_max", (white - 128) * step, place);
  rut_json_set(m, node, "resolution", spacing, place);
  rut_json_set_list(m, node, "corner", 2, corner, place);
}

// ---- trails ----

// Points far enough from each other for a road, in place.
static void thin(rutPathPoints* p) {
  double length = 0;
  for (int i = 1; i < p->n; i++) {
    length += rut_hypot(p->xy[2 * i] - p->xy[2 * i - 2], p->xy[2 * i + 1] - p->xy[2 * i - 1]);
  }
  const double gap = rut_max(0.5, length / MAX_TRAIL_POINTS);
  int n = 1;
  for (int i = 1; i < p->n; i++) {
    const double *last = p->xy + (size_t)2 * (size_t)(n - 1), *here = p->xy + (size_t)2 * (size_t)i;
    const bool end = i == p->n - 1;
    if (rut_hypot(here[0] - last[0], here[1] - last[1]) < gap && !(end && n == 1)) continue;
    p->xy[2 * n] = here[0];
    p->xy[2 * n + 1] = here[1];
    n++;
  }
  p->n = n;
}

static void add_trail(rutMavsScene* s, const rutJsonValue* name, double width) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Trail";
  const rutPlace place = rut_json_place(m, name);
  if (name->kind != RUT_JSON_STRING) {
    rut_json_error(m, name, label, "'Path' must be a file name or a list of them");
    return;
  }
  rutPathPoints points;
  if (!rut_mavs_scene_points(s, name, label, "there is no trail", &points)) return;
  thin(&points);
  if (points.n < 2) {
    rut_json_warn(m, name, label, "'%.200s' has only one point: there is no trail", name->text);
  } else {
    const rutNode node = rut_json_add(m, s->world, "road", "", "", place);
    rut_json_set_list(m, node, "points", 2 * points.n, points.xy, place);
    rut_json_set(m, node, "width", width, place);
    rut_json_set(m, node, "corner_radius", 0, place);
    rut_json_set(m, node, "lanes", 1, place);
    rut_json_set(m, node, "markings", 0, place);
    rut_json_set(m, node, "crown", 0, place);
    rut_json_set(m, node, "shoulder", 0.5 * width, place);
    rut_json_set_text(m, node, "surface", "soil", place);
  }
  rut_path_points_free(&points);
}

static void read_trail(rutMavsScene* s, const rutJsonValue* trail) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Trail";
  RUT_JSON_CHECK_KEYS(m, trail, label, "Trail Width", "Track Width", "Wheelbase", "Path");
  const double width = rut_json_number(m, trail, label, "Trail Width", (rutJsonRange){5, 0, 200});
  const rutJsonValue* path = rut_json_find(trail, "Path");
  if (!path || width < 0.1) return;
  if (path->kind != RUT_JSON_ARRAY) {
    add_trail(s, path, width);
    return;
  }
  for (const rutJsonValue* p = path->first; p && !rut_json_halted(m); p = p->next) {
    add_trail(s, p, width);
  }
}

// ---- potholes ----

// Each is a line of depth, diameter, x, y. Here it is a smooth hollow in a square of the same area.
static void read_potholes(rutMavsScene* s, const rutJsonValue* name) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Potholes";
  char path[RUT_MAVS_PATH];
  if (!rut_mavs_scene_data_path(s, name, label, "there are no potholes", path)) return;
  char* text = NULL;
  size_t size = 0;
  rutMatrix holes = {0};
  const rutPlace place = rut_json_place(m, name), in_file = {path, 0, 0};
  const bool fine = rut_read_file(path, 16 << 20, m->reporter, place, &text, &size) == RUT_OK &&
                    rut_matrix_parse(text, size, in_file, label, m->reporter, &holes) == RUT_OK;
  free(text);
  if (!fine) return;
  if (holes.cols != 4 || holes.rows > MAX_POTHOLES) {
    rut_json_error(m, name, label,
                   "'%.200s' must have lines of depth, diameter, x and y, at most "
                   "%d",
                   name->text, MAX_POTHOLES);
  }
  for (int i = 0; holes.cols == 4 && i < holes.rows && i < MAX_POTHOLES; i++) {
    const double* h = holes.value + (size_t)4 * (size_t)i;
    const double side = 0.5 * rut_sqrt(RUT_PI) * rut_max(h[1], 0.01);
    const double at[3] = {h[2], h[3], -h[0]};
    const rutNode node = rut_json_add(m, s->world, "terrain", "plane", "", place);
    rut_json_set_list(m, node, "position", 3, at, place);
    rut_json_set(m, node, "x_min", -0.5 * side, place);
    rut_json_set(m, node, "x_max", 0.5 * side, place);
    rut_json_set(m, node, "y_min", -0.5 * side, place);
    rut_json_set(m, node, "y_max", 0.5 * side, place);
    rut_json_set(m, node, "edge", 0.25 * side, place);
  }
  rut_matrix_free(&holes);
}

// ---- layers ----

// Presets of <material> from the spectra that MAVS comes with.
static const char* preset_of(const char* spectrum) {
  static const char* const word[][2] = {{"sandy_loam", "sandy_loam"},
                                        {"silty_loam", "silty_loam"},
                                        {"gravelly", "gravelly_loam"},
                                        {"brown_clay", "dark_clay"},
                                        {"yellow_clay", "light_clay"},
                                        {"asphalt", "asphalt"},
                                        {"concrete", "concrete"},
                                        {"oat_grass", "oat_grass"},
                                        {"grass", "lawn"},
                                        {"snow", "snow"},
                                        {"sand", "dry_sand"},
                                        {"leaf", "oak_leaves"},
                                        {"gravel", "gravel"},
                                        {"soil", "sandy_loam"}};
  for (int i = 0; i < RUT_COUNT_OF(word); i++) {
    if (strstr(spectrum, word[i][0])) return word[i][1];
  }
  return NULL;
}

// The ground beside trails has the undergrowth's layer.
static void read_layers(rutMavsScene* s, const rutJsonValue* name) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Layers";
  char path[RUT_MAVS_PATH];
  if (!rut_mavs_scene_mesh_path(s, name, label, "the ground is sandy loam", path)) return;
  rutJson* json = rut_mavs_scene_json(s, path, name, label);
  if (!json) return;
  rutJsonMaker in = *m;
  in.file = path;
  const rutJsonValue* layer =
      rut_json_child(&in, rut_json_root(json), label, "Undergrowth Layer", RUT_JSON_OBJECT);
  const rutJsonValue* material =
      layer ? rut_json_child(&in, layer, "Undergrowth Layer", "Material", RUT_JSON_OBJECT) : NULL;
  if (material && rut_node_is_null(rut_node_first(m->spec, s->world, "material"))) {
    const rutPlace place = rut_json_place(m, name);
    const char* preset = preset_of(rut_json_text(&in, material, "Material", "Spectrum File"));
    double colour[3];
    const bool coloured = rut_json_list(&in, material, "Material", "Kd", 3, colour);
    const rutNode node = rut_json_add(m, s->world, "material", "", "", place);
    if (preset) rut_json_set_text(m, node, "preset", preset, place);
    if (!preset && coloured) rut_json_set_list(m, node, "colour", 3, colour, place);
  }
  rut_json_destroy(json);
}

void rut_mavs_scene_layered(rutMavsScene* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Layered Surface";
  const rutJsonValue* layered = rut_json_child(m, root, "", label, RUT_JSON_OBJECT);
  if (!layered) return;
  RUT_JSON_CHECK_KEYS(m, layered, label, "Mesh", "Heightmap", "Scale", "Trail", "Layers",
                      "Potholes");
  rutMavsPose pose = {.scale = {1, 1, 1}};
  rut_mavs_scene_pose(s, layered, label, &pose);
  const rutJsonValue* mesh = rut_json_child(m, layered, label, "Mesh", RUT_JSON_STRING);
  const rutJsonValue* map = rut_json_child(m, layered, label, "Heightmap", RUT_JSON_OBJECT);
  if (map && !mesh) {
    if (pose.scale[0] != pose.scale[1] || !(pose.scale[0] > 0)) {
      rut_json_warn(m, rut_json_find(layered, "Scale"), label,
                    "a height map is scaled equally along x and y: by %g", rut_abs(pose.scale[0]));
      pose.scale[0] = rut_abs(pose.scale[0]);
    }
    add_height_map(s, map, pose.scale);
  }
  // where there is a surface to drive on, that one is the ground
  if (mesh && !rut_json_find(root, "Surface Mesh")) add_surface(s, mesh, label, &pose, true);
  const rutJsonValue* trail = rut_json_child(m, layered, label, "Trail", RUT_JSON_OBJECT);
  if (trail) read_trail(s, trail);
  const rutJsonValue* potholes = rut_json_child(m, layered, label, "Potholes", RUT_JSON_STRING);
  if (potholes) read_potholes(s, potholes);
  const rutJsonValue* layers = rut_json_child(m, layered, label, "Layers", RUT_JSON_STRING);
  if (layers) read_layers(s, layers);
}
