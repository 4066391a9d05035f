// SPDX-License-Identifier: BSD-3-Clause
#include "geom/mesh_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "math/vec.h"

// An array that grows.
typedef struct List {
  void* item;
  int n, room;
} List;

// Of a surface in the list of materials.
typedef struct Surface {
  rutMaterial material;
  double transmission;
} Surface;

// Corners and material of a triangle.
typedef struct Triangle {
  int corner[3], material;
} Triangle;

struct rutMeshBuilder {
  List point, triangle, surface;  // of double[3], Triangle, Surface
  // of the points that follow
  rutMat3 rotation;
  rutVec3 origin;
  double scale;
  // of the triangles that follow; index in the list, -1: not there yet
  Surface current;
  int current_index;
  rutStatus status;
  char message[160];
};

static const struct {
  const char* name;
  rutMaterial material;
} presets[] = {
#define RUT_MATERIAL_PRESET(symbol, doc, red, green, blue, near_infrared, short_infrared, rough, \
                            radar_factor, retro)                                                 \
  {#symbol,                                                                                      \
   {{red, green, blue}, near_infrared, short_infrared, rough, 0.04, radar_factor, 0, retro}},
#include "geom/materials.def"
#undef RUT_MATERIAL_PRESET
};

void rut_mesh_builder_fail(rutMeshBuilder* builder, rutStatus status, const char* message) {
  if (builder->status) return;
  builder->status = status;
  snprintf(builder->message, sizeof builder->message, "%s", message);
}

bool rut_mesh_builder_sound(const rutMeshBuilder* builder) { return builder->status == RUT_OK; }

// A new item at the end of a list of at most `most`; NULL, and an error, where there is none.
static void* append(rutMeshBuilder* builder, List* list, size_t size, int most, const char* what) {
  if (builder->status) return NULL;
  if (list->n == most) {
    char message[80];
    snprintf(message, sizeof message, "a mesh has at most %d %s", most, what);
    rut_mesh_builder_fail(builder, RUT_ERR_CAPACITY, message);
    return NULL;
  }
  if (list->n == list->room) {
    const int room = list->room ? 2 * list->room : 64;
    void* grown = realloc(list->item, (size_t)room * size);
    if (!grown) {
      rut_mesh_builder_fail(builder, RUT_ERR_MEMORY, "no memory for a mesh");
      return NULL;
    }
    list->item = grown;
    list->room = room;
  }
  return (char*)list->item + (size_t)list->n++ * size;
}

// ---------------------------------------------------------------------------------------------
// Life

static void reset(rutMeshBuilder* builder) {
  *builder = (rutMeshBuilder){.rotation = rut_mat3_identity(), .scale = 1};
  rut_mesh_preset(builder, "concrete");
}

static void clear(rutMeshBuilder* builder) {
  free(builder->point.item);
  free(builder->triangle.item);
  free(builder->surface.item);
  reset(builder);
}

rutMeshBuilder* rut_mesh_builder_new(void) {
  rutMeshBuilder* builder = malloc(sizeof *builder);
  if (builder) reset(builder);
  return builder;
}

void rut_mesh_builder_free(rutMeshBuilder* builder) {
  if (builder) clear(builder);
  free(builder);
}

void rut_mesh_model_free(rutMeshModel* model) {
  free(model->point);
  free(model->triangle);
  free(model->material);
  free(model->surface);
  free(model->transmission);
  *model = (rutMeshModel){0};
}

static bool model_take(rutMeshModel* model) {
  const size_t triangles = (size_t)model->triangles + 1, materials = (size_t)model->materials + 1;
  model->point = calloc((size_t)model->points + 1, sizeof *model->point);
  model->triangle = calloc(triangles, sizeof *model->triangle);
  model->material = calloc(triangles, sizeof *model->material);
  model->surface = calloc(materials, sizeof *model->surface);
  model->transmission = calloc(materials, sizeof *model->transmission);
  return model->point && model->triangle && model->material && model->surface &&
         model->transmission;
}

static void model_fill(const rutMeshBuilder* builder, rutMeshModel* model) {
  const Triangle* triangle = builder->triangle.item;
  const Surface* surface = builder->surface.item;
  if (model->points) {
    memcpy(model->point, builder->point.item, (size_t)model->points * sizeof *model->point);
  }
  for (int i = 0; i < model->triangles; i++) {
    memcpy(model->triangle[i], triangle[i].corner, sizeof *model->triangle);
    model->material[i] = triangle[i].material;
  }
  for (int i = 0; i < model->materials; i++) {
    model->surface[i] = surface[i].material;
    model->transmission[i] = surface[i].transmission;
  }
}

rutStatus rut_mesh_builder_finish(rutMeshBuilder* builder, rutMeshModel* out, rutError* err) {
  *out = (rutMeshModel){.points = builder->point.n,
                        .triangles = builder->triangle.n,
                        .materials = builder->surface.n};
  rutStatus status = builder->status;
  if (status) {
    rut_error_set(err, status, "%s", builder->message);
  } else if (!model_take(out)) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a mesh");
  } else {
    model_fill(builder, out);
  }
  if (status) rut_mesh_model_free(out);
  clear(builder);
  return status;
}

// ---------------------------------------------------------------------------------------------
// Materials

static bool is_share(double value) { return value >= 0 && value <= 1; }

static bool is_sound(const rutMaterial* m) {
  return is_share(m->colour[0]) && is_share(m->colour[1]) && is_share(m->colour[2]) &&
         is_share(m->reflectance_905) && is_share(m->reflectance_1550) && is_share(m->roughness) &&
         is_share(m->specular) && m->radar >= 0 && rut_is_finite(m->radar) &&
         m->retroreflection >= 0 && rut_is_finite(m->retroreflection);
}

void rut_mesh_material(rutMeshBuilder* builder, const rutMaterial* material) {
  if (!is_sound(material)) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT,
                          "a material of a mesh has a number outside of its range");
    return;
  }
  builder->current = (Surface){*material, 0};
  builder->current.material.semantic_class = 0;
  builder->current_index = -1;
}

void rut_mesh_preset(rutMeshBuilder* builder, const char* name) {
  for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
    if (strcmp(presets[i].name, name) != 0) continue;
    rut_mesh_material(builder, &presets[i].material);
    return;
  }
  char message[120];
  snprintf(message, sizeof message, "<material> has no preset '%.60s'", name);
  rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, message);
}

void rut_mesh_colour(rutMeshBuilder* builder, const double colour[3], double roughness,
                     double specular) {
  const double mean = (colour[0] + colour[1] + colour[2]) / 3;
  const rutMaterial material = {.colour = {colour[0], colour[1], colour[2]},
                                .reflectance_905 = mean,
                                .reflectance_1550 = mean,
                                .roughness = roughness,
                                .specular = specular,
                                .radar = 1};
  rut_mesh_material(builder, &material);
}

void rut_mesh_tint(rutMeshBuilder* builder, const double factor[3]) {
  for (int k = 0; k < 3; k++) {
    if (!(factor[k] >= 0 && rut_is_finite(factor[k]))) {
      rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, "a tint is 0 or more");
      return;
    }
    double* reflected = &builder->current.material.colour[k];
    *reflected = rut_min(factor[k] * *reflected, 1);
  }
  builder->current_index = -1;
}

void rut_mesh_transmission(rutMeshBuilder* builder, double transmission) {
  if (!is_share(transmission)) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, "a transmission is between 0 and 1");
    return;
  }
  builder->current.transmission = transmission;
  builder->current_index = -1;
}

static bool equal_surfaces(const Surface* a, const Surface* b) {
  const rutMaterial *m = &a->material, *n = &b->material;
  return m->colour[0] == n->colour[0] && m->colour[1] == n->colour[1] &&
         m->colour[2] == n->colour[2] && m->reflectance_905 == n->reflectance_905 &&
         m->reflectance_1550 == n->reflectance_1550 && m->roughness == n->roughness &&
         m->specular == n->specular && m->radar == n->radar &&
         m->retroreflection == n->retroreflection && a->transmission == b->transmission;
}

// Index of the current material, which is listed if no other is equal.
static int current_material(rutMeshBuilder* builder) {
  const Surface* listed = builder->surface.item;
  for (int i = 0; i < builder->surface.n && builder->current_index < 0; i++) {
    if (equal_surfaces(&listed[i], &builder->current)) builder->current_index = i;
  }
  if (builder->current_index < 0) {
    Surface* added =
        append(builder, &builder->surface, sizeof *added, RUT_MESH_MOST_MATERIALS, "materials");
    if (!added) return 0;
    *added = builder->current;
    builder->current_index = builder->surface.n - 1;
  }
  return builder->current_index;
}

// ---------------------------------------------------------------------------------------------
// Points and triangles

// Where pose and scale put things; NULL: where they are.
static rutMat3 placement(rutMeshBuilder* builder, const double pose[6], double scale,
                         rutVec3* origin) {
  *origin = rut_vec3(0, 0, 0);
  if (!pose) return rut_mat3_identity();
  double sum = scale;
  for (int i = 0; i < 6; i++) sum += pose[i];
  if (!rut_is_finite(sum) || !(scale > 0)) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT,
                          "a frame of a mesh is not finite, or its scale is not positive");
  }
  *origin = rut_vec3_of(pose);
  return rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
}

void rut_mesh_frame(rutMeshBuilder* builder, const double pose[6], double scale) {
  builder->rotation = placement(builder, pose, scale, &builder->origin);
  builder->scale = pose ? scale : 1;
}

// Adds a point in the frame of the mesh.
static int add_point(rutMeshBuilder* builder, rutVec3 p) {
  if (!rut_is_finite(p.x + p.y + p.z)) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, "a point of a mesh is not finite");
  }
  double* added =
      append(builder, &builder->point, 3 * sizeof *added, RUT_MESH_MOST_POINTS, "points");
  if (!added) return -1;
  rut_vec3_put(p, added);
  return builder->point.n - 1;
}

int rut_mesh_vertex(rutMeshBuilder* builder, double x, double y, double z) {
  const rutVec3 turned = rut_mat3_apply(builder->rotation, rut_vec3(x, y, z));
  return add_point(builder, rut_vec3_add_scaled(builder->origin, builder->scale, turned));
}

static void add_triangle(rutMeshBuilder* builder, Triangle triangle) {
  Triangle* added =
      append(builder, &builder->triangle, sizeof *added, RUT_MESH_MOST_TRIANGLES, "triangles");
  if (added) *added = triangle;
}

void rut_mesh_triangle(rutMeshBuilder* builder, int a, int b, int c) {
  const int n = builder->point.n;
  if (builder->status || a == b || b == c || c == a) return;
  if (a < 0 || b < 0 || c < 0 || a >= n || b >= n || c >= n) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, "a triangle of a mesh has no such point");
    return;
  }
  add_triangle(builder, (Triangle){{a, b, c}, current_material(builder)});
}

void rut_mesh_quad(rutMeshBuilder* builder, int a, int b, int c, int d) {
  rut_mesh_triangle(builder, a, b, c);
  rut_mesh_triangle(builder, a, c, d);
}

rutMeshMark rut_mesh_mark(const rutMeshBuilder* builder) {
  return (rutMeshMark){builder->point.n, builder->triangle.n};
}

// Adds copies of the triangles after a mark, whose points were copied behind `first`. Triangles
// that were added to points from before the mark keep these.
static void copy_triangles(rutMeshBuilder* builder, rutMeshMark from, int first, bool turn) {
  const int end = builder->triangle.n;
  for (int i = from.triangles; i < end && !builder->status; i++) {
    Triangle copy = ((const Triangle*)builder->triangle.item)[i];
    for (int k = 0; k < 3; k++) {
      if (copy.corner[k] >= from.points) copy.corner[k] += first - from.points;
    }
    if (turn) {
      const int second = copy.corner[1];
      copy.corner[1] = copy.corner[2];
      copy.corner[2] = second;
    }
    add_triangle(builder, copy);
  }
}

static rutVec3 point_at(const rutMeshBuilder* builder, int i) {
  return rut_vec3_of((const double*)builder->point.item + 3 * (size_t)i);
}

static bool is_mark(rutMeshBuilder* builder, rutMeshMark from) {
  if (from.points < 0 || from.triangles < 0 || from.points > builder->point.n ||
      from.triangles > builder->triangle.n) {
    rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, "a mark of another mesh");
  }
  return !builder->status;
}

void rut_mesh_mirror(rutMeshBuilder* builder, rutMeshMark from) {
  if (!is_mark(builder, from)) return;
  const double* r = builder->rotation.m;
  const rutVec3 across = rut_vec3(r[1], r[4], r[7]);  // y axis of the frame
  const int end = builder->point.n;
  for (int i = from.points; i < end; i++) {
    const rutVec3 p = point_at(builder, i);
    const double y = rut_vec3_dot(rut_vec3_sub(p, builder->origin), across);
    add_point(builder, rut_vec3_add_scaled(p, -2 * y, across));
  }
  copy_triangles(builder, from, end, true);
}

void rut_mesh_repeat(rutMeshBuilder* builder, rutMeshMark from, const double pose[6],
                     double scale) {
  if (!is_mark(builder, from)) return;
  rutVec3 origin;
  const rutMat3 rotation = placement(builder, pose, scale, &origin);
  const int end = builder->point.n;
  for (int i = from.points; i < end; i++) {
    const rutVec3 turned = rut_mat3_apply(rotation, point_at(builder, i));
    add_point(builder, rut_vec3_add_scaled(origin, pose ? scale : 1, turned));
  }
  copy_triangles(builder, from, end, false);
}

void rut_mesh_move(rutMeshBuilder* builder, rutMeshMark from, const double pose[6], double scale) {
  if (!is_mark(builder, from)) return;
  rutVec3 origin;
  const rutMat3 rotation = placement(builder, pose, scale, &origin);
  double* point = builder->point.item;
  for (int i = from.points; i < builder->point.n; i++) {
    const rutVec3 turned = rut_mat3_apply(rotation, point_at(builder, i));
    rut_vec3_put(rut_vec3_add_scaled(origin, pose ? scale : 1, turned), point + 3 * (size_t)i);
  }
}
