// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes of vehicles, from their elements: rut/appearance.h.
#include "rut/appearance.h"

#include <stdlib.h>
#include <string.h>

#include "appearance/parts.h"
#include "base/hash.h"
#include "base/report.h"
#include "geom/mesh_builder.h"
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/spec/material_read.h"
#include "sim/spec/nodes.h"
#include "sim/spec/registry.h"
#include "sim/spec/values.h"

enum { MAX_WHEELS = 64, MAX_CORNERS = 64, MAX_PARAMS = 256 };

// All that meshes of a vehicle follow from.
typedef struct Plan {
  const rutAppearanceType* type;
  double param[MAX_PARAMS];
  double outline[2 * (MAX_CORNERS + 1)];
  rutAppearanceWheel wheel[MAX_WHEELS];
  rutMaterial paint;
  rutAppearanceIn in;
} Plan;

// Outline and heights of vehicles without a chassis, as the compiler takes them.
static const double default_outline[] = {-0.4, -0.5, 0.4, -0.5, 0.6,  -0.3,
                                         0.6,  0.3,  0.4, 0.5,  -0.4, 0.5};

static void read_chassis(const rutSpec* spec, rutNode chassis, Plan* plan) {
  int n = 0;
  const double* given =
      rut_node_is_null(chassis) ? NULL : rut_node_numbers(spec, chassis, "outline", &n);
  const bool usable = given && n >= 6 && n / 2 <= MAX_CORNERS;
  double corner[2 * MAX_CORNERS];
  n = usable ? n / 2 : RUT_COUNT_OF(default_outline) / 2;
  memcpy(corner, usable ? given : default_outline, 2 * (size_t)n * sizeof *corner);
  plan->in.corners = rut_polygon_hull(n, corner, plan->outline);
  plan->in.z_min = usable ? rut_node_number(spec, chassis, "z_min") : 0.05;
  plan->in.z_max = usable ? rut_node_number(spec, chassis, "z_max") : 0.6;
}

static void add_wheel(Plan* plan, rutAppearanceWheel wheel) {
  if (plan->in.wheels < MAX_WHEELS) plan->wheel[plan->in.wheels++] = wheel;
}

static void read_wheels(const rutSpec* spec, rutNode vehicle, Plan* plan) {
  for (rutNode node = rut_node_first(spec, vehicle, NULL); !rut_node_is_null(node);
       node = rut_node_next(spec, node, NULL)) {
    const char* kind = rut_node_kind(spec, node);
    if (strcmp(kind, "wheel") != 0 && strcmp(kind, "axle") != 0) continue;
    rutAppearanceWheel wheel = {.radius = rut_node_number(spec, node, "radius"),
                                .width = rut_node_number(spec, node, "width")};
    wheel.z = wheel.radius;
    if (strcmp(kind, "wheel") == 0) {
      int n = 0;
      const double* position = rut_node_numbers(spec, node, "position", &n);
      wheel.x = n > 0 ? position[0] : 0;
      wheel.y = n > 1 ? position[1] : 0;
      wheel.steered = rut_node_number(spec, node, "steered") != 0;
      add_wheel(plan, wheel);
      continue;
    }
    wheel.x = rut_node_number(spec, node, "x");
    const double z = rut_node_number(spec, node, "z");
    if (rut_is_finite(z)) wheel.z = z;
    wheel.steered = rut_node_number(spec, node, "max_steer") > 0;
    wheel.y = rut_node_number(spec, node, "track") / 2;
    add_wheel(plan, wheel);
    wheel.y = -wheel.y;
    if (wheel.y < 0) add_wheel(plan, wheel);
  }
}

// Wheels on axles stand on the ground in their design position, planar ones always do.
static double ground_of(const Plan* plan) {
  double ground = plan->in.wheels > 0 ? RUT_INFINITY : 0;
  for (int i = 0; i < plan->in.wheels; i++) {
    ground = rut_min(ground, plan->wheel[i].z - plan->wheel[i].radius);
  }
  return ground;
}

static void read_paint(const rutSpec* spec, rutNode chassis, const rutMaterial* paint, Plan* plan) {
  plan->paint = plan->type->paints_as_host ? *paint : plan->type->paint;
  if (rut_node_is_null(chassis)) return;
  const rutNode own = rut_node_first(spec, chassis, "material");
  if (!rut_node_is_null(own)) {
    rut_material_read(spec, own, &plan->paint);
  } else if (rut_node_has(spec, chassis, "color")) {
    rut_linear_colour(rut_node_text(spec, chassis, "color"), plan->paint.colour);
  }
  plan->paint.semantic_class = 0;
}

// False if there is no type to use, or its parameters are too many.
static bool read_type(const rutSpec* spec, rutNode vehicle, Plan* plan) {
  const rutNode node = rut_node_first(spec, vehicle, "appearance");
  if (rut_node_is_null(node)) {
    const rutRegistered* plain =
        rut_registry_find(rut_spec_context(spec), "appearance", RUT_APPEARANCE_DEFAULT);
    plan->type = plain ? (const rutAppearanceType*)plain->type : NULL;
    return plan->type != NULL;
  }
  plan->type = (const rutAppearanceType*)rut_node_component(spec, node);
  return rut_node_params(spec, node, MAX_PARAMS, plan->param) <= MAX_PARAMS;
}

static bool read_plan(const rutSpec* spec, rutNode vehicle, const rutMaterial* paint, Plan* plan) {
  memset(plan, 0, sizeof *plan);
  const char* kind = rut_node_is_null(vehicle) ? "" : rut_node_kind(spec, vehicle);
  if (strcmp(kind, "vehicle") != 0 || !read_type(spec, vehicle, plan)) return false;
  const rutNode chassis = rut_node_first(spec, vehicle, "chassis");
  read_chassis(spec, chassis, plan);
  read_wheels(spec, vehicle, plan);
  read_paint(spec, chassis, paint, plan);
  plan->in.ground = ground_of(plan);
  plan->in.driven = !rut_node_is_null(rut_node_first(spec, vehicle, "controller"));
  plan->in.outline = plan->outline;
  plan->in.wheel = plan->wheel;
  plan->in.paint = &plan->paint;
  return true;
}

rutStatus rut_vehicle_mesh(const rutSpec* spec, rutNode vehicle, int part, const rutMaterial* paint,
                           rutMeshModel* out, rutError* err) {
  *out = (rutMeshModel){0};
  Plan plan;
  if (!read_plan(spec, vehicle, paint, &plan) || part < -1 || part >= plan.in.wheels) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no vehicle, or it has no such part");
  }
  if (plan.in.corners < 3 || !(plan.in.z_min < plan.in.z_max)) {
    return rut_error_set(err, RUT_ERR_MODEL, "the chassis has no volume");
  }
  rutMeshBuilder* builder = rut_mesh_builder_new();
  if (!builder) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a mesh");
  if (part < 0) {
    plan.type->body(plan.param, &plan.in, builder);
  } else if (plan.type->wheel) {
    plan.type->wheel(plan.param, &plan.in, part, builder);
  } else {
    rut_appearance_wheel(&plan.in, part, builder);
  }
  rutStatus status = rut_mesh_builder_finish(builder, out, err);
  if (status == RUT_ERR_ARGUMENT) status = RUT_ERR_MODEL;
  rut_mesh_builder_free(builder);
  return status;
}

void rut_vehicle_colour(int index, double colour[3]) {
  static const double colours[][3] = {
      {0.631, 0.127, 0.023}, {0.036, 0.168, 0.376}, {0.078, 0.275, 0.068}, {0.479, 0.305, 0.027},
      {0.254, 0.102, 0.392}, {0.050, 0.323, 0.309}, {0.462, 0.065, 0.109}, {0.147, 0.168, 0.216}};
  const int known = RUT_COUNT_OF(colours);
  memcpy(colour, colours[index > 0 ? index % known : 0], sizeof *colours);
}

bool rut_vehicle_eye(const rutSpec* spec, rutNode vehicle, double eye[3]) {
  static const rutMaterial any = {0};
  Plan plan;
  if (!read_plan(spec, vehicle, &any, &plan) || !plan.type->eye || plan.in.corners < 3)
    return false;
  plan.type->eye(plan.param, &plan.in, eye);
  return true;
}

static uint64_t add(uint64_t hash, double value) { return rut_hash(hash, &value, sizeof value); }

uint64_t rut_vehicle_mesh_hash(const rutSpec* spec, rutNode vehicle, int part,
                               const rutMaterial* paint) {
  Plan plan;
  uint64_t hash = RUT_HASH_START;
  if (!read_plan(spec, vehicle, paint, &plan)) return hash;
  const rutAppearanceIn* in = &plan.in;
  const char* name = plan.type->base.name;
  hash = rut_hash(hash, name, strlen(name) + 1);
  hash = rut_hash(hash, plan.param, sizeof plan.param);
  hash = rut_hash(hash, plan.outline, 2 * (size_t)in->corners * sizeof *plan.outline);
  for (int i = 0; i < in->wheels; i++) {
    const rutAppearanceWheel* w = &plan.wheel[i];
    hash = add(add(add(hash, w->x), w->y), w->z);
    hash = add(add(add(hash, w->radius), w->width), w->steered);
  }
  hash = add(add(add(hash, in->z_min), in->z_max), in->driven);
  for (int i = 0; i < 3; i++) hash = add(hash, plan.paint.colour[i]);
  hash = add(add(hash, plan.paint.roughness), plan.paint.specular);
  hash = add(add(hash, plan.paint.reflectance_905), plan.paint.reflectance_1550);
  hash = add(hash, plan.paint.retroreflection);
  return add(hash, part);
}
