// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/scenery_mesh.h"

#include <string.h>

#include "base/report.h"
#include "geom/mesh_builder.h"
#include "sim/spec/material_read.h"
#include "sim/spec/values.h"

enum { MAX_PARAMS = 256 };

static void draw_prisms(const rutSceneryType* type, const void* param, int variant,
                        rutMeshBuilder* builder) {
  rutSceneryPart part[RUT_SCENERY_MAX_PARTS];
  const int n = type->parts(param, variant, part);
  for (int i = 0; i < n; i++) {
    rut_mesh_preset(builder, part[i].material);
    rut_mesh_prism(builder, part[i].corners, part[i].xy, part[i].z_min, part[i].z_max);
  }
}

// Moving parts where they are while it stands.
static void draw_standing(const rutSceneryType* type, const void* param, int variant,
                          rutMeshBuilder* builder) {
  double pose[RUT_SCENERY_MAX_MOVING][6] = {{0}};
  type->moving_pose(param, &(rutActorMotion){0}, pose);
  for (int i = 0; i < type->moving; i++) {
    const rutMeshMark mark = rut_mesh_mark(builder);
    type->moving_mesh(param, variant, i, builder);
    rut_mesh_move(builder, mark, pose[i], 1);
  }
}

static void draw(const rutSceneryType* type, const void* param, int variant, int part,
                 rutMeshBuilder* builder) {
  if (part >= 0) {
    type->moving_mesh(param, variant, part, builder);
  } else if (type->moving > 0) {
    draw_standing(type, param, variant, builder);
  } else if (type->mesh) {
    type->mesh(param, variant, builder);
  } else {
    draw_prisms(type, param, variant, builder);
  }
}

rutStatus rut_scenery_type_mesh(const rutSceneryType* type, const void* param, int variant,
                                int part, rutMeshModel* out, rutError* err) {
  *out = (rutMeshModel){0};
  rutMeshBuilder* builder = rut_mesh_builder_new();
  if (!builder) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a mesh");
  draw(type, param, variant, part, builder);
  const rutStatus status = rut_mesh_builder_finish(builder, out, err);
  rut_mesh_builder_free(builder);
  return status == RUT_ERR_ARGUMENT ? RUT_ERR_MODEL : status;
}

static bool is_scenery(const rutSpec* spec, rutNode node) {
  return !rut_node_is_null(node) && strcmp(rut_node_kind(spec, node), "scenery") == 0;
}

// part: -1 for all of it.
static rutStatus mesh_of(const rutSpec* spec, rutNode scenery, int variant, int part,
                         rutMeshModel* out, rutError* err) {
  *out = (rutMeshModel){0};
  double param[MAX_PARAMS];
  const rutSceneryType* type =
      is_scenery(spec, scenery) ? (const rutSceneryType*)rut_node_component(spec, scenery) : NULL;
  if (!type || variant < 0 || part >= type->moving ||
      rut_node_params(spec, scenery, MAX_PARAMS, param) > MAX_PARAMS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no scenery, or it has no such variant or part");
  }
  const rutStatus status =
      rut_scenery_type_mesh(type, param, variant % type->variants, part, out, err);
  const rutNode own = rut_node_first(spec, scenery, "material");
  if (status != RUT_OK || rut_node_is_null(own) || rut_material_only_class(spec, scenery)) {
    return status;
  }
  rutMaterial material;
  rut_material_read(spec, own, &material);
  for (int i = 0; i < out->materials; i++) out->surface[i] = material;
  return RUT_OK;
}

rutStatus rut_scenery_mesh(const rutSpec* spec, rutNode scenery, int variant, rutMeshModel* out,
                           rutError* err) {
  return mesh_of(spec, scenery, variant, -1, out, err);
}

rutStatus rut_scenery_part_mesh(const rutSpec* spec, rutNode scenery, int variant, int part,
                                rutMeshModel* out, rutError* err) {
  if (part < 0) {
    *out = (rutMeshModel){0};
    return rut_error_set(err, RUT_ERR_ARGUMENT, "parts are numbered from 0");
  }
  return mesh_of(spec, scenery, variant, part, out, err);
}
