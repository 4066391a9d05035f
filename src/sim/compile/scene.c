// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "math/vec.h"
#include "sim/compile/build.h"
#include "sim/compile/ground_texture.h"
#include "sim/compile/material.h"
#include "sim/compile/texture.h"

enum { MAX_TRIANGLES = 1 << 24, MAX_VISUALS = 1 << 22, KNOWN_SOLIDS = 64 };

static void full(rutDraft* draft, const char* what, int most) {
  if (draft->reporter->errors) return;
  rut_node_error(draft->spec, rut_spec_root(draft->spec), NULL, RUT_ERR_CAPACITY, "",
                 "sensors of a world see at most %d %s", most, what);
}

// Build the hierarchy of a mesh in a block of its own.
static bool build_triangles(rutDraft* draft, const rutMeshModel* model, rutDraftMesh* mesh) {
  const size_t n = (size_t)model->triangles;
  rutArena measure = {0};
  rut_triangles_take(&mesh->set, model->triangles, &measure);
  rutArena arena = {.size = measure.used};
  mesh->block = arena.base = rut_context_alloc(draft->context, measure.used, RUT_ARENA_ALIGN);
  mesh->triangle_paint = rut_context_alloc(draft->context, n * sizeof(int), 16);
  rutBox* box = rut_context_alloc(draft->context, n * sizeof *box, 16);
  int(*opaque)[3] = rut_context_alloc(draft->context, n * sizeof *opaque, 16);
  const bool room = arena.base && mesh->triangle_paint && box && opaque;
  for (size_t i = 0; room && i < n; i++) {
    const double passes = model->transmission ? model->transmission[model->material[i]] : 0;
    // without corners it is left out
    for (int k = 0; k < 3; k++) opaque[i][k] = passes > 0.5 ? -1 : model->triangle[i][k];
  }
  if (room) {
    const rutTriangleMesh from = {model->points, model->triangles, model->point[0], opaque[0]};
    rut_triangles_take(&mesh->set, model->triangles, &arena);
    rut_triangles_build(&mesh->set, &from, box);
  } else {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
  }
  rut_context_free(draft->context, box);
  rut_context_free(draft->context, opaque);
  return room;
}

static uint64_t hash_of(const rutMeshModel* m) {
  uint64_t hash = rut_hash(RUT_HASH_START, m->point, (size_t)m->points * sizeof *m->point);
  hash = rut_hash(hash, m->triangle, (size_t)m->triangles * sizeof *m->triangle);
  return rut_hash(hash, m->material, (size_t)m->triangles * sizeof *m->material);
}

int rut_draft_mesh(rutDraft* draft, const rutMeshModel* model) {
  if (!rut_draft_is_watched(draft) || model->triangles <= 0) return -1;
  draft->triangles += model->triangles;
  if (draft->triangles > MAX_TRIANGLES) {
    full(draft, "triangles", MAX_TRIANGLES);
    return -1;
  }
  rutDraftMesh* mesh = rut_draft_push(draft, &draft->mesh);
  if (!mesh) return -1;
  mesh->painted_for = -1;
  mesh->materials = model->materials;
  mesh->triangles = model->triangles;
  if (!build_triangles(draft, model, mesh)) return -1;
  memcpy(mesh->triangle_paint, model->material, (size_t)model->triangles * sizeof(int));
  mesh->hash = hash_of(model);
  mesh->surface = draft->mesh_surface.n;
  for (int i = 0; i < model->materials; i++) {
    rutMaterial* surface = rut_draft_push(draft, &draft->mesh_surface);
    if (!surface) return -1;
    *surface = model->surface[i];
  }
  return draft->mesh.n - 1;
}

static bool same_solid(const rutSolid* a, const rutSolid* b) {
  bool same = a->kind == b->kind && a->radius == b->radius && a->length == b->length &&
              a->rings == b->rings;
  for (int i = 0; i < 3; i++) same = same && a->half[i] == b->half[i];
  for (int i = 0; i < RUT_SOLID_RINGS; i++) {
    same = same && a->z[i] == b->z[i] && a->ring[i] == b->ring[i];
  }
  return same;
}

int rut_draft_solid(rutDraft* draft, const rutSolid* solid) {
  if (!rut_draft_is_watched(draft)) return -1;
  // vehicles of one kind follow each other
  for (int i = draft->solid.n - 1; i >= 0 && i >= draft->solid.n - KNOWN_SOLIDS; i--) {
    if (same_solid(rut_list_at(&draft->solid, i), solid)) return i;
  }
  rutSolid* added = rut_draft_push(draft, &draft->solid);
  if (!added) return -1;
  memcpy(added, solid, sizeof *added);
  return draft->solid.n - 1;
}

// Materials of a mesh with another class, as a part of the draft's list of them.
static int paint_of(rutDraft* draft, int index, int semantic_class) {
  rutDraftMesh* mesh = rut_list_at(&draft->mesh, index);
  if (mesh->painted_for == semantic_class) return mesh->paint;
  mesh->paint = draft->paint.n;
  mesh->painted_for = semantic_class;
  for (int i = 0; i < mesh->materials; i++) {
    rutMaterial m;
    memcpy(&m, rut_list_at(&draft->mesh_surface, mesh->surface + i), sizeof m);
    m.semantic_class = semantic_class;
    int* paint = rut_draft_push(draft, &draft->paint);
    if (paint) *paint = rut_draft_list_material(draft, &m);
  }
  return mesh->paint;
}

void rut_draft_visual(rutDraft* draft, const rutDraftVisual* visual) {
  if (!rut_draft_is_watched(draft) || (visual->mesh < 0 && visual->solid < 0)) return;
  if (draft->visual.n == MAX_VISUALS) {
    full(draft, "meshes and solids", MAX_VISUALS);
    return;
  }
  const bool own = visual->mesh >= 0 && visual->surface.material < 0 && visual->paint < 0;
  const int paint = own ? paint_of(draft, visual->mesh, visual->semantic_class) : visual->paint;
  rutDraftVisual* added = rut_draft_push(draft, &draft->visual);
  if (!added) return;
  *added = *visual;
  added->paint = paint;
}

rutDraftVisual rut_draft_standing(const double position[3], double yaw, double scale) {
  double s, c;
  rut_sincos(yaw, &s, &c);
  return (rutDraftVisual){.carrier = {RUT_CARRIER_WORLD, 0, 0},
                          .pose = {scale * c, -scale * s, 0, position[0],  //
                                   scale * s, scale * c, 0, position[1],   //
                                   0, 0, scale, position[2]},
                          .vehicle = -1,
                          .surface = {-1, -1},
                          .mesh = -1,
                          .solid = -1,
                          .paint = -1};
}

// ---- wheels and links ----

rutNode rut_draft_wheel_node(const rutDraft* draft, const rutDraftVehicle* v,
                             const rutDraftClass* c, int wheel) {
  const bool axles = c->spatial.axles > 0;
  const char* kind = axles ? "axle" : "wheel";
  rutNode node = rut_node_first(draft->spec, v->node, kind);
  for (int i = axles ? c->spatial.axle[wheel] : wheel; i > 0; i--) {
    node = rut_node_next(draft->spec, node, kind);
  }
  return node;
}

static rutDraftPrism* prism_of(const rutDraft* draft, int vehicle, int wheel) {
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle);
  for (int i = v->first_prism; i < v->first_prism + v->prisms; i++) {
    rutDraftPrism* p = rut_list_at(&draft->prism, i);
    if (p->wheel == wheel) return p;
  }
  return NULL;
}

void rut_draft_hide(rutDraft* draft, int vehicle, int wheel) {
  rutDraftPrism* p = prism_of(draft, vehicle, wheel);
  if (p) p->def.look = RUT_LOOK_NOTHING;
}

// A wheel of a vehicle, and what sees it.
typedef struct WheelSight {
  const rutDraftClass* c;
  int wheel;  // of its vehicle
  rutDraftVisual visual;
} WheelSight;

// A cylinder in place of the wheel's prism. A solid's axis is along z, a wheel's along y.
static void see_wheel(rutDraft* draft, const WheelSight* sight) {
  static const double along_axle[12] = {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0};
  const rutDraftClass* c = sight->c;
  rutDraftVisual visual = sight->visual;
  const rutSolid tyre = rut_solid_cylinder(c->radius[sight->wheel], c->width[sight->wheel]);
  if (!(c->width[sight->wheel] > 0)) return;
  visual.solid = rut_draft_solid(draft, &tyre);
  memcpy(visual.pose, along_axle, sizeof along_axle);
  rut_draft_visual(draft, &visual);
}

// Links of the suspension of a wheel, as thick as the viewer draws them.
static void see_links(rutDraft* draft, const WheelSight* sight) {
  static const double thickness = 0.055;
  static const double half_way_up[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5};
  const rutDraftClass* c = sight->c;
  if (c->spatial.axles == 0 || !c->spatial.mechanism[sight->wheel]) return;
  const rutSuspensionType* type =
      (const rutSuspensionType*)rut_suspension_of(&c->spatial, sight->wheel)->type;
  double* constant = calloc((size_t)type->constants * RUT_CORNER_WIDTH + 1, sizeof *constant);
  rutCornerLink link[RUT_MAX_CORNER_LINKS];
  // their number is always the same
  const int n = constant && type->links ? type->links(constant, 0, 0, link) : 0;
  free(constant);
  rutDraftVisual visual = sight->visual;
  const rutSolid bar = rut_solid_cylinder(thickness * c->radius[sight->wheel], 1);
  visual.solid = n > 0 ? rut_draft_solid(draft, &bar) : -1;
  visual.carrier.kind = RUT_CARRIER_LINK;
  memcpy(visual.pose, half_way_up, sizeof half_way_up);
  for (int i = 0; i < n; i++) {
    visual.carrier.part = i;
    rut_draft_visual(draft, &visual);
  }
}

// True if all ground is at one height, and stays there.
static bool is_level(const rutDraft* draft) {
  const rutDraftSource* first = draft->source.n > 0 ? rut_list_at(&draft->source, 0) : NULL;
  bool level = draft->shape.n == 0;
  for (int i = 0; i < draft->source.n && level; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    const bool flat = s->source.kind == RUT_GROUND_PLANE || s->source.kind == RUT_GROUND_LEVEL;
    level = flat && s->source.z == first->source.z && s->keyframe.n == 0;
  }
  return level;
}

// Wheels that stay upright and do not steer are seen as their prisms tell (RUT_LOOK_WHEEL), by
// scans too.
static bool is_seen_by_scans(const rutDraftClass* c, int wheel, bool level) {
  return level && c->spatial.axles == 0 && !c->steered[wheel];
}

static void see_vehicle(rutDraft* draft, int vehicle, int first_wheel, bool level) {
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  for (int w = 0; w < c->wheels; w++) {
    rutDraftPrism* p = prism_of(draft, vehicle, w);
    if (is_seen_by_scans(c, w, level)) {
      if (p) p->spins = 1 + first_wheel + w;
      continue;
    }
    const int material =
        rut_draft_material(draft, rut_draft_wheel_node(draft, v, c, w), RUT_MATERIAL_TYRE);
    const WheelSight sight = {c,
                              w,
                              {.carrier = {RUT_CARRIER_WHEEL, first_wheel + w, 0},
                               .vehicle = vehicle,
                               .surface = {v->instance, material},
                               .mesh = -1,
                               .solid = -1,
                               .paint = -1}};
    if (p && p->def.look != RUT_LOOK_NOTHING) see_wheel(draft, &sight);
    see_links(draft, &sight);
    rut_draft_hide(draft, vehicle, w);
  }
}

// ---- mechanisms ----

// A body of a mechanism as the viewer draws it: a box from its joint to beyond its centre of mass,
// as thick as a cuboid of its inertia.
static void see_body(rutDraft* draft, const rutMbdBody* body, rutDraftVisual visual) {
  static const double thinnest = 0.06, alone = 0.1, foot = 0.25;
  const double* com = body->com;
  const double reach = rut_abs(com[0]) + rut_abs(com[1]) + rut_abs(com[2]);
  const double thin = reach > 0 ? thinnest * reach : alone;
  double sides[3], size[3];
  rut_mbd_cuboid(body, sides);
  memset(visual.pose, 0, sizeof visual.pose);
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * rut_max(sides[k], thin);
    const double low = rut_min(com[k] - half, -foot * thin);
    const double high = rut_max(com[k] + half, foot * thin);
    size[k] = high - low;
    visual.pose[5 * k] = 1;
    visual.pose[4 * k + 3] = 0.5 * (low + high);
  }
  const rutSolid box = rut_solid_box(size[0], size[1], size[2]);
  visual.solid = rut_draft_solid(draft, &box);
  rut_draft_visual(draft, &visual);
}

static void see_mechanism(rutDraft* draft, int index) {
  const rutDraftMechanism* m = rut_list_at(&draft->mechanism, index);
  const rutDraftClass* c = rut_list_at(&draft->group, m->group);
  const rutSurface surface = {rut_draft_instance(draft, m->node), RUT_MATERIAL_OBSTACLE};
  for (int i = 0; i < c->bodies; i++) {
    see_body(draft, &c->body[i],
             (rutDraftVisual){.carrier = {RUT_CARRIER_BODY, index, i},
                              .vehicle = -1,
                              .surface = surface,
                              .mesh = -1,
                              .paint = -1});
  }
}

void rut_draft_scene(rutDraft* draft) {
  int first_wheel = 0;
  if (draft->reporter->errors || !rut_draft_is_watched(draft)) return;
  const bool level = is_level(draft);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    see_vehicle(draft, i, first_wheel, level);
    first_wheel += ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
  for (int i = 0; i < draft->mechanism.n; i++) see_mechanism(draft, i);
}

void rut_draft_scene_free(rutDraft* draft) {
  rut_draft_textures_free(draft);
  for (int i = 0; i < draft->mesh.n; i++) {
    const rutDraftMesh* mesh = rut_list_at(&draft->mesh, i);
    rut_context_free(draft->context, mesh->block);
    rut_context_free(draft->context, mesh->triangle_paint);
  }
}

// ---- layout ----

static bool stands_still(const rutDraft* draft, const rutDraftVisual* v) {
  if (v->carrier.kind == RUT_CARRIER_WORLD) return true;
  if (v->carrier.kind != RUT_CARRIER_BLOCK) return false;
  return ((const rutDraftBlock*)rut_list_at(&draft->block, v->carrier.index))->record.fixed != 0;
}

// What the visuals point to, in the model.
typedef struct Shapes {
  const rutTriangles* mesh;
  const int* const* triangle_paint;
  const rutMeshTexture* texture;  // of each mesh, without coordinates: none
  const rutSolid* solid;
  const int* paint;
} Shapes;

static Shapes build_shapes(const rutDraft* draft, rutArena* arena) {
  rutTriangles* mesh = RUT_TAKE(arena, rutTriangles, draft->mesh.n);
  const int** triangle_paint = RUT_TAKE(arena, const int*, draft->mesh.n);
  rutMeshTexture* texture = RUT_TAKE(arena, rutMeshTexture, draft->mesh.n);
  for (int i = 0; i < draft->mesh.n; i++) {
    const rutDraftMesh* from = rut_list_at(&draft->mesh, i);
    rutTriangles copy;
    rut_triangles_copy(&copy, &from->set, arena);
    const int* paint = RUT_COPY(arena, from->triangle_paint, from->triangles);
    rutMeshTexture shown = {0};
    rut_build_mesh_texture(from, arena, &shown);
    if (mesh) mesh[i] = copy;
    if (texture) texture[i] = shown;
    if (triangle_paint) triangle_paint[i] = paint;
  }
  const rutSolid* solid = RUT_COPY(arena, (const rutSolid*)draft->solid.item, draft->solid.n);
  const int* paint = RUT_COPY(arena, (const int*)draft->paint.item, draft->paint.n);
  return (Shapes){mesh, triangle_paint, texture, solid, paint};
}

// Factor of lengths of a pose.
static double scale_of(const double pose[12]) {
  const rutVec3 x = rut_vec3(pose[0], pose[4], pose[8]), y = rut_vec3(pose[1], pose[5], pose[9]);
  const rutVec3 z = rut_vec3(pose[2], pose[6], pose[10]);
  return rut_pow(rut_abs(rut_vec3_dot(rut_vec3_cross(x, y), z)), 1.0 / 3);
}

static rutVisual build_visual(const Shapes* shapes, const rutDraftVisual* v) {
  const bool mesh = v->mesh >= 0;
  rutVisual out = {.carrier = v->carrier,
                   .vehicle = v->vehicle,
                   .surface = v->surface,
                   .mesh = mesh ? &shapes->mesh[v->mesh] : NULL,
                   .solid = mesh ? NULL : &shapes->solid[v->solid],
                   .triangle_paint = mesh ? shapes->triangle_paint[v->mesh] : NULL,
                   .paint = v->paint >= 0 ? shapes->paint + v->paint : NULL,
                   .scale = scale_of(v->pose)};
  if (mesh && shapes->texture[v->mesh].coordinate) out.texture = &shapes->texture[v->mesh];
  memcpy(out.pose, v->pose, sizeof out.pose);
  return out;
}

// Those that stand still first, otherwise in the draft's order.
static void fill_visuals(const rutDraft* draft, const Shapes* shapes, rutVisual* visual) {
  int n = 0;
  for (int moving = 0; moving < 2; moving++) {
    for (int i = 0; i < draft->visual.n; i++) {
      const rutDraftVisual* v = rut_list_at(&draft->visual, i);
      if (stands_still(draft, v) != (moving == 0)) continue;
      visual[n++] = build_visual(shapes, v);
    }
  }
}

// The vehicle to which all that moves belongs, -1 if there is none.
static int only_vehicle(const rutVisual* visual, int first, int end) {
  for (int i = first; i < end; i++) {
    if (visual[i].vehicle != visual[first].vehicle) return -1;
  }
  return first < end ? visual[first].vehicle : -1;
}

// Poses of fixed visuals in the world.
static void place_standing(const rutDraft* draft, const rutSceneModel* scene) {
  for (int i = 0; i < scene->fixed; i++) {
    const rutVisual* v = &scene->visual[i];
    rutInstance* instance = &scene->standing.instance[i];
    *instance = (rutInstance){.mesh = v->mesh, .solid = v->solid, .owner = -1};
    memcpy(instance->pose, v->pose, sizeof v->pose);
    if (v->carrier.kind != RUT_CARRIER_BLOCK) continue;
    const rutDraftBlock* b = rut_list_at(&draft->block, v->carrier.index);
    const double* start = b->record.start;
    double frame[12];
    rut_affine_of(start, start + 3, frame);
    rut_affine_mul(frame, v->pose, instance->pose);
  }
}

// ---- what moves ----

static void find_movers(const rutDraft* draft, rutMover* mover) {
  for (int i = 0; i < draft->instance.n; i++) mover[i].index = -1;
  for (int i = 0; i < draft->prism.n; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    const bool moves = p->def.body >= 0 && p->def.kind >= 0;
    if (moves) mover[p->surface.instance] = (rutMover){p->def.kind, p->def.index};
  }
  for (int i = 0; i < draft->visual.n; i++) {
    const rutDraftVisual* v = rut_list_at(&draft->visual, i);
    if (v->surface.instance < 0) continue;
    if (v->vehicle >= 0) {
      mover[v->surface.instance] = (rutMover){RUT_VEHICLE, v->vehicle};
    } else if (v->carrier.kind == RUT_CARRIER_BLOCK) {
      mover[v->surface.instance] = (rutMover){RUT_BLOCK, v->carrier.index};
    }
  }
}

void rut_build_scene(const rutDraft* draft, rutArena* arena, rutModel* model) {
  int fixed = 0;
  for (int i = 0; i < draft->visual.n; i++) {
    fixed += stands_still(draft, rut_list_at(&draft->visual, i));
  }
  rut_build_textures(draft, arena, model);
  rut_build_ground_textures(draft, arena, model);
  const Shapes shapes = build_shapes(draft, arena);
  rutVisual* visual = RUT_TAKE(arena, rutVisual, draft->visual.n);
  const rutJointLook* joint =
      RUT_COPY(arena, (const rutJointLook*)draft->joint_look.item, draft->joint_look.n);
  rutMover* mover = RUT_TAKE(arena, rutMover, draft->instance.n);
  rutInstances standing = {0};
  if (fixed > 0) rut_instances_take(&standing, fixed, arena);
  if (!model) return;
  find_movers(draft, mover);
  model->seen.mover = mover;
  fill_visuals(draft, &shapes, visual);
  model->scene = (rutSceneModel){.visuals = draft->visual.n,
                                 .fixed = fixed,
                                 .visual = visual,
                                 .standing = standing,
                                 .joint = joint,
                                 .only_vehicle = only_vehicle(visual, fixed, draft->visual.n)};
  place_standing(draft, &model->scene);
  if (fixed > 0) rut_instances_build(&model->scene.standing);
}
