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

rutStatus rut_scenery_type_mesh(const rutSceneryType* type, const void* param, int variant,
                                rutMeshModel* out, rutError* err) {
  *out = (rutMeshModel){0};
  rutMeshBuilder* builder = rut_mesh_builder_new();
  if (!builder) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a mesh");
  if (type->mesh) {
    type->mesh(param, variant, builder);
  } else {
    draw_prisms(type, param, variant, builder);
  }
  const rutStatus status = rut_mesh_builder_finish(builder, out, err);
  rut_mesh_builder_free(builder);
  return status == RUT_ERR_ARGUMENT ? RUT_ERR_MODEL : status;
}

rutStatus rut_scenery_mesh(const rutSpec* spec, rutNode scenery, int variant, rutMeshModel* out,
                           rutError* err) {
  *out = (rutMeshModel){0};
  const bool fits = !rut_node_is_null(scenery) && variant >= 0 &&
                    strcmp(rut_node_kind(spec, scenery), "scenery") == 0;
  double param[MAX_PARAMS];
  if (!fits || rut_node_params(spec, scenery, MAX_PARAMS, param) > MAX_PARAMS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no scenery, or it has no such variant");
  }
  const rutSceneryType* type = (const rutSceneryType*)rut_node_component(spec, scenery);
  const rutStatus status = rut_scenery_type_mesh(type, param, variant % type->variants, out, err);
  const rutNode own = rut_node_first(spec, scenery, "material");
  if (status != RUT_OK || rut_node_is_null(own) || rut_material_only_class(spec, scenery)) {
    return status;
  }
  rutMaterial material;
  rut_material_read(spec, own, &material);
  for (int i = 0; i < out->materials; i++) out->surface[i] = material;
  return RUT_OK;
}
