// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/material.h"

#include <string.h>

#include "math/colour.h"
#include "rut/look.h"
#include "sim/compile/build.h"
#include "sim/compile/ground_texture.h"
#include "sim/compile/soil_material.h"
#include "sim/spec/material.h"
#include "sim/spec/material_read.h"

// Of the standard materials: classes, and presets of <material> with nearly these values.
static const struct {
  const char* class_name;
  rutMaterial material;
} standards[RUT_STANDARD_MATERIALS] = {
    [RUT_MATERIAL_GROUND] = {"ground", {{0.23, 0.14, 0.05}, 0.35, 0.49, 0.95, 0.04, 0.01, 0, 0}},
    [RUT_MATERIAL_OBSTACLE] = {"obstacle", {{0.30, 0.25, 0.19}, 0.32, 0.38, 0.8, 0.04, 0.2, 0, 0}},
    [RUT_MATERIAL_WALL] = {"wall", {{0.30, 0.25, 0.19}, 0.32, 0.38, 0.8, 0.04, 0.2, 0, 0}},
    [RUT_MATERIAL_VEHICLE] = {"vehicle", {{0.11, 0.22, 0.11}, 0.58, 0.58, 0.5, 0.04, 1, 0, 0}},
    [RUT_MATERIAL_TYRE] = {"vehicle", {{0.04, 0.04, 0.04}, 0.05, 0.06, 0.9, 0.04, 0.02, 0, 0}},
};

enum { MAX_CLASSES = 1000 };
// Equal materials are looked for among so many: worlds may have as many colours as blocks.
enum { MAX_COMPARED = 1000 };

int rut_draft_class(rutDraft* draft, rutNode node, const char* name) {
  for (int i = 0; i < draft->class_name.n; i++) {
    if (strcmp(*(const char* const*)rut_list_at(&draft->class_name, i), name) == 0) return i;
  }
  if (draft->class_name.n == MAX_CLASSES) {
    rut_node_error(draft->spec, node, "class", RUT_ERR_CAPACITY, "",
                   "a world has at most %d semantic classes", MAX_CLASSES);
    return 0;
  }
  const char** added = rut_draft_push(draft, &draft->class_name);
  if (!added) return 0;
  *added = name;
  return draft->class_name.n - 1;
}

static bool equal_materials(const rutMaterial* a, const rutMaterial* b) {
  bool equal = a->semantic_class == b->semantic_class && a->radar == b->radar;
  for (int i = 0; i < 3; i++) equal = equal && a->colour[i] == b->colour[i];
  return equal && a->reflectance_905 == b->reflectance_905 &&
         a->reflectance_1550 == b->reflectance_1550 && a->roughness == b->roughness &&
         a->specular == b->specular && a->retroreflection == b->retroreflection;
}

int rut_draft_list_material(rutDraft* draft, const rutMaterial* material) {
  for (int i = 0; i < draft->material.n && i < MAX_COMPARED; i++) {
    if (rut_draft_shows_image(draft, i)) continue;
    if (equal_materials(rut_list_at(&draft->material, i), material)) return i;
  }
  rutMaterial* added = rut_draft_push(draft, &draft->material);
  if (!added) return 0;
  *added = *material;
  return draft->material.n - 1;
}

static int read_material(rutDraft* draft, rutNode node, const char* standard_class, bool ground) {
  const rutSpec* spec = draft->spec;
  rutMaterial m;
  rut_material_read(spec, node, &m);
  const char* name = rut_node_text(spec, node, "class");
  m.semantic_class = rut_draft_class(draft, node, name[0] ? name : standard_class);
  if (!rut_node_text(spec, node, "texture")[0]) return rut_draft_list_material(draft, &m);
  if (!ground) {
    rut_node_error(spec, node, "texture", RUT_ERR_MODEL,
                   "give the block a <visual> with a mesh that has textures",
                   "only the ground shows the texture of a <material>: in <world>, <soil>, "
                   "<elevation_map> and <plane>");
    return 0;
  }
  rutMaterial* added = rut_draft_push(draft, &draft->material);
  if (!added) return 0;
  *added = m;
  rut_draft_texture_material(draft, node, draft->material.n - 1);
  return draft->material.n - 1;
}

// The element's own colour; false, and nothing is written, if it has none.
static bool own_colour(const rutSpec* spec, rutNode node, double colour[3]) {
  return rut_node_field(spec, node, "color") >= 0 && rut_node_has(spec, node, "color") &&
         rut_linear_colour(rut_node_text(spec, node, "color"), colour);
}

int rut_draft_material(rutDraft* draft, rutNode node, rutStandardMaterial standard) {
  // after a reported lack of memory
  if (draft->material.n < RUT_STANDARD_MATERIALS) return 0;
  const rutNode own = rut_node_first(draft->spec, node, "material");
  if (!rut_node_is_null(own)) {
    return read_material(draft, own, standards[standard].class_name,
                         standard == RUT_MATERIAL_GROUND);
  }
  rutMaterial m;
  memcpy(&m, rut_list_at(&draft->material, standard), sizeof m);
  return own_colour(draft->spec, node, m.colour) ? rut_draft_list_material(draft, &m)
                                                 : (int)standard;
}

int rut_draft_coloured(rutDraft* draft, int material, const double colour[3]) {
  rutMaterial m;
  memcpy(&m, rut_list_at(&draft->material, material), sizeof m);
  for (int i = 0; i < 3; i++) {
    if (!(colour[i] >= 0)) return material;
    m.colour[i] = rut_min(colour[i], 1);
  }
  return rut_draft_list_material(draft, &m);
}

int rut_draft_preset_material(rutDraft* draft, rutNode node, const char* preset,
                              const char* class_name) {
  if (draft->material.n < RUT_STANDARD_MATERIALS) return 0;
  const rutNode own = rut_node_first(draft->spec, node, "material");
  const char* only = rut_material_only_class(draft->spec, node);
  if (only) class_name = only;
  if (!only && !rut_node_is_null(own)) return read_material(draft, own, class_name, false);
  rutMaterial m = standards[RUT_MATERIAL_OBSTACLE].material;
  rut_material_preset(preset, &m);
  m.semantic_class = rut_draft_class(draft, node, class_name);
  return rut_draft_list_material(draft, &m);
}

int rut_draft_instance(rutDraft* draft, rutNode node) {
  rutNode* added = rut_draft_push(draft, &draft->instance);
  if (!added) return 0;
  *added = node;
  return draft->instance.n - 1;
}

static bool has_material(const rutDraft* draft, rutNode node) {
  return !rut_node_is_null(rut_node_first(draft->spec, node, "material"));
}

// Ground of no material looks like the world's default soil: that which it names, or the first one.
static void look_like_soil(rutDraft* draft) {
  const char* name = rut_node_text(draft->spec, rut_spec_root(draft->spec), "soil");
  for (int i = 0; i < draft->soil.n; i++) {
    const rutNode node = ((const rutDraftSoil*)rut_list_at(&draft->soil, i))->node;
    if (name[0] && strcmp(name, rut_node_name(draft->spec, node)) != 0) continue;
    rutMaterial* ground = rut_list_at(&draft->material, RUT_MATERIAL_GROUND);
    if (!has_material(draft, node)) rut_soil_material(draft->spec, node, ground);
    return;
  }
}

// Material of a soil, -1: that of the ground.
static int material_of_soil(rutDraft* draft, rutNode node, bool named) {
  if (has_material(draft, node)) return rut_draft_material(draft, node, RUT_MATERIAL_GROUND);
  if (!named) return -1;
  rutMaterial m = standards[RUT_MATERIAL_GROUND].material;
  m.semantic_class =
      ((const rutMaterial*)rut_list_at(&draft->material, RUT_MATERIAL_GROUND))->semantic_class;
  rut_soil_material(draft->spec, node, &m);
  const int index = rut_draft_list_material(draft, &m);
  return index == RUT_MATERIAL_GROUND ? -1 : index;
}

void rut_draft_materials(rutDraft* draft) {
  const rutNode root = rut_spec_root(draft->spec);
  for (int i = 0; i < RUT_STANDARD_MATERIALS; i++) {
    rutMaterial* added = rut_draft_push(draft, &draft->material);
    if (!added) return;
    memcpy(added, &standards[i].material, sizeof *added);
    added->semantic_class = rut_draft_class(draft, root, standards[i].class_name);
  }
  const bool named = !has_material(draft, root);
  if (named) look_like_soil(draft);
  // the ground without an element of its own is the first instance
  rut_draft_instance(draft, root);
  draft->ground_surface = (rutSurface){0, rut_draft_material(draft, root, RUT_MATERIAL_GROUND)};
  for (int i = 0; i < draft->soil.n; i++) {
    rutDraftSoil* soil = rut_list_at(&draft->soil, i);
    soil->material = material_of_soil(draft, soil->node, named);
    draft->coloured_soils |= soil->material >= 0;
  }
}

void rut_element_reflectance(const rutSpec* spec, rutNode node, double colour[3]) {
  const bool wall = strcmp(rut_node_kind(spec, node), "wall") == 0;
  const rutNode own = rut_node_first(spec, node, "material");
  rutMaterial m = standards[wall ? RUT_MATERIAL_WALL : RUT_MATERIAL_OBSTACLE].material;
  if (!rut_node_is_null(own)) {
    rut_material_read(spec, own, &m);
  } else {
    own_colour(spec, node, m.colour);
  }
  memcpy(colour, m.colour, sizeof m.colour);
}

static const rutInstanceInfo* build_instances(const rutDraft* draft, rutArena* arena) {
  rutInstanceInfo* instance = RUT_TAKE(arena, rutInstanceInfo, draft->instance.n);
  for (int i = 0; i < draft->instance.n; i++) {
    const rutNode node = *(const rutNode*)rut_list_at(&draft->instance, i);
    const char* name = rut_build_text(arena, rut_node_name(draft->spec, node));
    if (instance) {
      instance[i] = (rutInstanceInfo){rut_node_component(draft->spec, node)->kind, name};
    }
  }
  return instance;
}

static const char* const* build_classes(const rutDraft* draft, rutArena* arena) {
  const char** name = RUT_TAKE(arena, const char*, draft->class_name.n);
  for (int i = 0; i < draft->class_name.n; i++) {
    const char* const text = *(const char* const*)rut_list_at(&draft->class_name, i);
    const char* kept = rut_build_text(arena, text);
    if (name) name[i] = kept;
  }
  return name;
}

void rut_build_materials(const rutDraft* draft, rutArena* arena, rutModel* model) {
  const rutMaterial* material =
      RUT_COPY(arena, (const rutMaterial*)draft->material.item, draft->material.n);
  rutSurface* prism = RUT_TAKE(arena, rutSurface, draft->prism.n);
  int* prism_wheel = RUT_TAKE(arena, int, draft->prism.n);
  rutSurface* grid = RUT_TAKE(arena, rutSurface, draft->grid.n);
  rutSurface* source = RUT_TAKE(arena, rutSurface, draft->source.n);
  int* soil = RUT_TAKE(arena, int, draft->soil.n);
  const rutInstanceInfo* instance = build_instances(draft, arena);
  const char* const* class_name = build_classes(draft, arena);
  if (!model) return;
  for (int i = 0; i < draft->prism.n; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    prism[i] = p->surface;
    prism_wheel[i] = p->spins - 1;
  }
  for (int i = 0; i < draft->grid.n; i++) {
    grid[i] = ((const rutDraftGrid*)rut_list_at(&draft->grid, i))->surface;
  }
  for (int i = 0; i < draft->source.n; i++) {
    source[i] = ((const rutDraftSource*)rut_list_at(&draft->source, i))->surface;
  }
  for (int i = 0; i < draft->soil.n; i++) {
    soil[i] = ((const rutDraftSoil*)rut_list_at(&draft->soil, i))->material;
  }
  model->seen = (rutSeen){.materials = draft->material.n,
                          .material = material,
                          .instances = draft->instance.n,
                          .instance = instance,
                          .classes = draft->class_name.n,
                          .class_name = class_name,
                          .light = draft->light,
                          .extinction = draft->extinction,
                          .ground = draft->ground_surface,
                          .prism = prism,
                          .prism_wheel = prism_wheel,
                          .grid = grid,
                          .source = source,
                          .soil = draft->coloured_soils ? soil : NULL};
  const int of_default = draft->ground_soil > 0 ? soil[draft->ground_soil - 1] : -1;
  model->seen.ground_material = of_default >= 0 ? of_default : draft->ground_surface.material;
}
