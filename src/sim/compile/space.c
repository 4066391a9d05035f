// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/space.h"

#include <string.h>

#include "geom/convex.h"
#include "geom/mesh_builder.h"
#include "geom/polyhedron.h"
#include "math/rut_math.h"
#include "sim/compile/ground.h"
#include "sim/compile/material.h"
#include "sim/compile/read.h"
#include "sim/compile/scene.h"

// Of the field `shape` of a block.
enum { POLYGON, BOX, CYLINDER, SPHERE, RAMP, BUMP };

static int shape_of(const rutDraft* draft, const rutDraftBlock* block) {
  return (int)rut_node_number(draft->spec, block->node, "shape");
}

// A prism has no roundness, a cylinder or sphere whose height was given otherwise neither.
static int form_of(const rutDraft* draft, const rutDraftBlock* block) {
  const int shape = shape_of(draft, block);
  const double radius = rut_node_number(draft->spec, block->node, "radius");
  if (shape == SPHERE && block->z_max - block->z_min == 2 * radius) return RUT_FORM_SPHERE;
  return shape == CYLINDER ? RUT_FORM_CYLINDER : RUT_FORM_PRISM;
}

// ---- mass ----

static void round_moments(double mass, double radius, double length, bool sphere, double out[6]) {
  const double about = sphere ? 0.4 * mass * radius * radius : 0.5 * mass * radius * radius;
  const double across = sphere ? about : mass * (3 * radius * radius + length * length) / 12;
  const double moments[6] = {across, across, about, 0, 0, 0};
  memcpy(out, moments, sizeof moments);
}

static void find_mass(rutDraft* draft, rutDraftBlock* block) {
  rutBlockRecord* r = &block->record;
  const double height = block->z_max - block->z_min;
  const int form = form_of(draft, block);
  r->com_z = 0.5 * (block->z_min + block->z_max);
  if (form != RUT_FORM_PRISM) {
    const double radius = rut_node_number(draft->spec, block->node, "radius");
    r->com[0] = r->com[1] = 0;
    round_moments(r->mass, radius, height, form == RUT_FORM_SPHERE, r->moments);
    return;
  }
  rutPolyhedron prism;
  const rutOutline* o = &block->outline;
  if (!rut_polyhedron_prism(o->n, o->xy, block->z_min, block->z_max, &prism)) {
    rut_node_error(draft->spec, block->node, "outline", RUT_ERR_MODEL, "",
                   "a block that moves in space needs an outline with an area");
    return;
  }
  const rutVolume v = rut_polyhedron_volume(&prism);
  r->com[0] = v.com.x;
  r->com[1] = v.com.y;
  for (int i = 0; i < 6; i++) r->moments[i] = r->mass * v.inertia[i] / v.volume;
}

void rut_draft_space_block(rutDraft* draft, rutNode node, rutDraftBlock* block) {
  const rutSpec* spec = draft->spec;
  rutBlockRecord* r = &block->record;
  const int shape = shape_of(draft, block);
  const char* fault = NULL;
  if (shape == RAMP || shape == BUMP) fault = "ramps and bumps are ground, which does not move";
  if (rut_node_number(spec, node, "fixed") != 0) fault = "a fixed block does not move";
  if (r->keyframes) fault = "a block with keyframes moves as these say";
  if (r->intangible) fault = "an intangible block would fall through the ground";
  if (fault) {
    rut_node_error(spec, node, "motion", RUT_ERR_MODEL, "motion=\"planar\" is the other choice",
                   "%s", fault);
    return;
  }
  r->space = ++draft->space_blocks;
  int n = 0;
  const double* rate = rut_node_numbers(spec, node, "angular_velocity", &n);
  for (int i = 0; i < n && i < 3; i++) r->rate[i] = rate[i];
  r->rate[2] += rut_node_number(spec, node, "yaw_rate");
  r->rise = rut_node_number(spec, node, "vertical_velocity");
  find_mass(draft, block);
}

void rut_draft_space_settle(const rutDraft* draft, rutDraftBlock* block) {
  double* start = block->record.start;
  const rutMat3 turn = rut_mat3_of_rpy(start[3], start[4], start[5]);
  const int form = form_of(draft, block);
  const double radius = rut_node_number(draft->spec, block->node, "radius");
  rutPolyhedron local;
  if (form == RUT_FORM_SPHERE) {
    const double middle = rut_mat3_apply(turn, rut_vec3(0, 0, block->record.com_z)).z;
    start[2] = rut_draft_ground_height(draft, start[0], start[1], start[2]) + radius - middle;
    return;
  }
  const rutOutline* o = &block->outline;
  if (!rut_polyhedron_prism(o->n, o->xy, block->z_min, block->z_max, &local)) return;
  double z = -RUT_INFINITY;
  for (int i = 0; i < local.corners; i++) {
    const rutVec3 p = rut_mat3_apply(turn, local.corner[i]);
    const double ground = rut_draft_ground_height(draft, start[0] + p.x, start[1] + p.y, start[2]);
    z = rut_max(z, ground - p.z);
  }
  // between the corners of the polygon a cylinder reaches further down
  if (form == RUT_FORM_CYLINDER) {
    const double across = rut_sqrt(rut_max(1 - turn.m[8] * turn.m[8], 0));
    const double low = rut_min(turn.m[8] * block->z_min, turn.m[8] * block->z_max);
    z = rut_max(
        z, rut_draft_ground_height(draft, start[0], start[1], start[2]) + radius * across - low);
  }
  start[2] = z;
}

// ---- what rays see ----

static int prism_mesh(rutDraft* draft, const rutDraftBlock* block, const rutMaterial* paint) {
  rutMeshModel model;
  rutMeshBuilder* builder = rut_mesh_builder_new();
  if (!builder) return -1;
  rut_mesh_material(builder, paint);
  rut_mesh_prism(builder, block->outline.n, block->outline.xy, block->z_min, block->z_max);
  const rutStatus status = rut_mesh_builder_finish(builder, &model, NULL);
  rut_mesh_builder_free(builder);
  if (status) return -1;
  const int mesh = rut_draft_mesh(draft, &model);
  rut_mesh_model_free(&model);
  return mesh;
}

static void see_block(rutDraft* draft, int index) {
  const rutDraftBlock* b = rut_list_at(&draft->block, index);
  const rutBlockRecord* r = &b->record;
  const int shape = shape_of(draft, b), form = form_of(draft, b);
  const int material = rut_draft_material(draft, b->node, RUT_MATERIAL_OBSTACLE);
  const double height = b->z_max - b->z_min;
  const double radius = rut_node_number(draft->spec, b->node, "radius");
  rutDraftVisual visual = {.carrier = {RUT_CARRIER_BLOCK, index, 0},
                           .pose = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                           .vehicle = -1,
                           .surface = {rut_draft_instance(draft, b->node), material},
                           .mesh = -1,
                           .solid = -1,
                           .paint = -1};
  const bool box = shape == BOX && form == RUT_FORM_PRISM;
  if (form == RUT_FORM_PRISM && !box) {
    rutMaterial paint;
    memcpy(&paint, rut_list_at(&draft->material, material), sizeof paint);
    visual.surface.material = -1;
    visual.semantic_class = paint.semantic_class;
    visual.mesh = prism_mesh(draft, b, &paint);
  } else {
    const double* xy = b->outline.xy;
    const rutSolid solid = box ? rut_solid_box(xy[2] - xy[0], xy[5] - xy[3], height)
                           : form == RUT_FORM_SPHERE ? rut_solid_sphere(radius)
                                                     : rut_solid_cylinder(radius, height);
    visual.solid = rut_draft_solid(draft, &solid);
    visual.pose[11] = r->com_z;
  }
  rut_draft_visual(draft, &visual);
}

void rut_draft_space_looks(rutDraft* draft) {
  if (draft->reporter->errors || !rut_draft_is_watched(draft)) return;
  for (int i = 0; i < draft->block.n; i++) {
    if (((const rutDraftBlock*)rut_list_at(&draft->block, i))->record.space) see_block(draft, i);
  }
}

// ---- the model ----

static bool is_something_fixed(const rutDraft* draft) {
  for (int i = 0; i < draft->prism.n; i++) {
    if (((const rutDraftPrism*)rut_list_at(&draft->prism, i))->def.body < 0) return true;
  }
  for (int i = 0; i < draft->grid.n; i++) {
    if (((const rutDraftGrid*)rut_list_at(&draft->grid, i))->solid) return true;
  }
  return false;
}

bool rut_draft_is_linked(const rutDraft* draft, int vehicle) {
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  const rutControllerType* driver = (const rutControllerType*)c->controller.type;
  if (c->spatial.axles == 0 || (driver && driver->imposes_twist)) return false;
  return draft->bodies > 1 || is_something_fixed(draft);
}

// Whether anything meets others in space.
static bool is_in_space(const rutDraft* draft) {
  for (int i = 0; i < draft->vehicle.n; i++) {
    if (rut_draft_is_linked(draft, i)) return true;
  }
  return draft->space_blocks > 0;
}

size_t rut_space_scratch(const rutDraft* draft) {
  if (!is_in_space(draft)) return 0;
  const size_t own = (size_t)draft->space_blocks + (size_t)draft->vehicle.n;
  const size_t shapes = (size_t)draft->prism.n + own;
  const size_t outlines = 2 * RUT_CONVEX_MAX * own;
  return (size_t)draft->bodies * (sizeof(rutSpaceBodyDef) + sizeof(int)) + sizeof(int) +
         2 * shapes * sizeof(rutSpaceShapeDef) + outlines * sizeof(double) + 8 * RUT_ARENA_ALIGN;
}

// Bodies and shapes, in the order of their bodies once all are there.
typedef struct Lists {
  int bodies, shapes;
  rutSpaceBodyDef* body;
  rutSpaceShapeDef *shape, *sorted;
  int* first;  // [bodies + 1]
} Lists;

// The chassis as a prism from its own centre of mass, and wheels as cylinders.
static void add_linked(const rutDraft* draft, int index, double* xy, Lists* to) {
  static const double DAMPING = 0.1;  // of a tyre, as a part of the critical one of its wheel
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, index);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  const rutDraftSpatial* s = &c->spatial;
  // contact.h has the vehicle's centre of mass as it stands upright
  const double slack = rut_vec3_norm(rut_vec3_of(s->com)) + rut_hypot(c->com[0], c->com[1]);
  to->body[v->record.body] = (rutSpaceBodyDef){.kind = RUT_SPACE_LINKED,
                                               .speeds = RUT_SPACE_RIGID + 2 * c->wheels,
                                               .mass = c->mass,
                                               .slack = slack};
  for (int i = 0; i < c->outline.n; i++) {
    xy[2 * i] = c->outline.xy[2 * i] - s->com[0];
    xy[2 * i + 1] = c->outline.xy[2 * i + 1] - s->com[1];
  }
  const rutSpaceShapeDef chassis = {.body = v->record.body,
                                    .form = RUT_FORM_PRISM,
                                    .n = c->outline.n,
                                    .xy = xy,
                                    .z_min = c->z_min - s->com[2],
                                    .z_max = c->z_max - s->com[2],
                                    .friction = c->friction,
                                    .restitution = c->restitution,
                                    .kind = RUT_VEHICLE,
                                    .index = index,
                                    .wheel = -1};
  if (c->outline.n >= 3) to->shape[to->shapes++] = chassis;
  for (int w = 0; w < c->wheels; w++) {
    if (!(c->width[w] > 0)) continue;
    const double swung = s->wheel.wheel_mass[w] + s->wheel.corner_mass[w];
    const double mass = swung > 0 ? swung : c->mass / c->wheels, rate = s->wheel.stiffness[w];
    rutSpaceShapeDef wheel = chassis;
    wheel.form = RUT_FORM_CYLINDER;
    wheel.at[0] = s->wheel.x[w];
    wheel.at[1] = s->wheel.y[w];
    wheel.at[2] = s->wheel.z[w];
    wheel.axis[1] = 1;
    wheel.radius = c->radius[w];
    wheel.length = c->width[w];
    wheel.wheel = w;
    wheel.section = rut_min(s->wheel.section[w], 0.9 * c->radius[w]);
    wheel.stiffness = rate;
    wheel.damping = 2 * DAMPING * rut_sqrt(rate * mass);
    to->shape[to->shapes++] = wheel;
  }
}

static void add_vehicle(const rutDraft* draft, int index, double* xy, Lists* to) {
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, index);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  if (rut_draft_is_linked(draft, index)) {
    add_linked(draft, index, xy, to);
    return;
  }
  to->body[v->record.body] = (rutSpaceBodyDef){.kind = RUT_SPACE_PLANAR,
                                               .speeds = RUT_SPACE_RIGID,
                                               .mass = c->mass,
                                               .inertia = {0, 0, c->yaw_inertia}};
}

// Prisms of what moves in the plane.
static void add_prisms(const rutDraft* draft, Lists* to) {
  for (int i = 0; i < draft->prism.n; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    if (p->def.body < 0 || p->outline.n < 3) continue;
    if (to->body[p->def.body].kind != RUT_SPACE_PLANAR) continue;
    to->shape[to->shapes++] = (rutSpaceShapeDef){.body = p->def.body,
                                                 .form = RUT_FORM_PRISM,
                                                 .n = p->outline.n,
                                                 .xy = p->outline.xy,
                                                 .z_min = p->def.z_min,
                                                 .z_max = p->def.z_max,
                                                 .friction = p->def.friction,
                                                 .restitution = p->def.restitution,
                                                 .kind = p->def.kind,
                                                 .index = p->def.index,
                                                 .wheel = -1};
  }
}

static void add_block(const rutDraft* draft, int index, double* xy, Lists* to) {
  const rutDraftBlock* b = rut_list_at(&draft->block, index);
  const rutBlockRecord* r = &b->record;
  if (r->body < 0) return;
  if (!r->space) {
    to->body[r->body] = (rutSpaceBodyDef){.kind = RUT_SPACE_PLANAR,
                                          .speeds = RUT_SPACE_RIGID,
                                          .mass = r->mass,
                                          .inertia = {0, 0, r->inertia}};
    return;
  }
  rutSpaceBodyDef body = {.kind = RUT_SPACE_FREE,
                          .speeds = RUT_SPACE_RIGID,
                          .mass = r->mass,
                          .on_ground = true,
                          .ground_friction = b->ground_friction};
  memcpy(body.inertia, r->moments, sizeof body.inertia);
  to->body[r->body] = body;
  for (int i = 0; i < b->outline.n; i++) {
    xy[2 * i] = b->outline.xy[2 * i] - r->com[0];
    xy[2 * i + 1] = b->outline.xy[2 * i + 1] - r->com[1];
  }
  to->shape[to->shapes++] =
      (rutSpaceShapeDef){.body = r->body,
                         .form = (rutSpaceForm)form_of(draft, b),
                         .n = b->outline.n,
                         .xy = xy,
                         .z_min = b->z_min - r->com_z,
                         .z_max = b->z_max - r->com_z,
                         .axis = {0, 0, 1},
                         .radius = rut_node_number(draft->spec, b->node, "radius"),
                         .length = b->z_max - b->z_min,
                         .friction = b->friction,
                         .restitution = b->restitution,
                         .kind = RUT_BLOCK,
                         .index = index,
                         .wheel = -1};
}

// By body, otherwise in their order.
static void sort_shapes(Lists* l) {
  for (int i = 0; i < l->shapes; i++) l->first[l->shape[i].body + 1]++;
  for (int i = 0; i < l->bodies; i++) l->first[i + 1] += l->first[i];
  for (int i = 0; i < l->shapes; i++) l->sorted[l->first[l->shape[i].body]++] = l->shape[i];
}

rutSpaceModel* rut_build_space(const rutDraft* draft, const rutContactModel* planar,
                               rutArena* scratch, rutArena* arena) {
  if (!is_in_space(draft)) return NULL;
  const int own = draft->space_blocks + draft->vehicle.n, most = draft->prism.n + own;
  Lists l = {.bodies = draft->bodies};
  l.body = RUT_TAKE(scratch, rutSpaceBodyDef, draft->bodies);
  l.shape = RUT_TAKE(scratch, rutSpaceShapeDef, most);
  l.sorted = RUT_TAKE(scratch, rutSpaceShapeDef, most);
  l.first = RUT_TAKE(scratch, int, draft->bodies + 1);
  double* xy = RUT_TAKE(scratch, double, 2 * RUT_CONVEX_MAX * (size_t)own);
  if (!xy) return NULL;
  for (int i = 0; i < draft->vehicle.n; i++, xy += 2 * RUT_CONVEX_MAX) {
    add_vehicle(draft, i, xy, &l);
  }
  for (int i = 0; i < draft->block.n; i++) {
    add_block(draft, i, xy, &l);
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    if (b->record.space) xy += 2 * RUT_CONVEX_MAX;
  }
  // once it is known which bodies move in the plane
  add_prisms(draft, &l);
  sort_shapes(&l);
  const rutSpaceDef def = {
      .bodies = l.bodies, .shapes = l.shapes, .body = l.body, .shape = l.sorted, .planar = planar};
  return rut_space_build(&def, arena);
}
