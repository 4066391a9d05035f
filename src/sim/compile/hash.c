// SPDX-License-Identifier: BSD-3-Clause
//
// Hash of a draft, number by number, so that padding and addresses do not enter.
#include "sim/compile/hash.h"

#include <string.h>

#include "base/hash.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"
#include "sim/compile/soil.h"
#include "sim/spec/context.h"

typedef struct Hash {
  uint64_t value;
} Hash;

static void bytes(Hash* h, const void* data, size_t size) {
  h->value = rut_hash(h->value, data, size);
}
static void reals(Hash* h, const double* x, int n) { bytes(h, x, (size_t)n * sizeof *x); }
static void ints(Hash* h, const int* x, int n) { bytes(h, x, (size_t)n * sizeof *x); }
static void text(Hash* h, const char* s) { bytes(h, s, strlen(s) + 1); }

static void outline(Hash* h, const rutOutline* o) {
  ints(h, &o->n, 1);
  reals(h, o->xy, 2 * o->n);
}

static void component(Hash* h, const rutDraftComponent* c) {
  text(h, c->type ? c->type->name : "");
  for (int i = 0; c->type && i < RUT_MAX_PARAMS; i++) {
    // all NaN are the same "not given"
    double value = c->param[i] == c->param[i] ? c->param[i] : 0;
    int given = c->param[i] == c->param[i];
    reals(h, &value, 1);
    ints(h, &given, 1);
  }
}

static void spatial(Hash* h, const rutDraftSpatial* s) {
  if (!s->axles) return;
  const int counts[] = {s->axles, s->search, s->slices, s->refine, s->width_slices, s->hull};
  ints(h, counts, RUT_COUNT_OF(counts));
  ints(h, s->axle, RUT_MAX_WHEELS);
  ints(h, s->massless, RUT_MAX_WHEELS);
  const double body[] = {
#define X(name, unit, doc) s->name,
      RUT_VEHICLE_CONSTANTS(X)
#undef X
          s->chassis_mass,
      s->sag};
  reals(h, body, RUT_COUNT_OF(body));
  reals(h, s->com, 3);
  reals(h, s->inertia, 6);
  reals(h, s->hitch, 3);
#define X(name, unit, doc) reals(h, s->wheel.name, RUT_MAX_WHEELS);
  RUT_CARRIER_CONSTANTS(X)
  RUT_WHEEL_CONSTANTS(X)
#undef X
  ints(h, s->hull_corners, RUT_MAX_HULL);
  for (int i = 0; i < s->hull; i++) reals(h, s->hull_point[i], 3 * s->hull_corners[i]);
  ints(h, s->suspension, s->axles);
  ints(h, s->tyre, s->axles);
  for (int p = 0; p < s->parts; p++) component(h, &s->part[p]);
}

static void vehicle_class(Hash* h, const rutDraftClass* c) {
  const int counts[] = {c->mechanism, c->wheels, c->bodies, c->positions, c->speeds, c->feet};
  ints(h, counts, RUT_COUNT_OF(counts));
  for (int i = 0; i < c->bodies; i++) {
    const rutMbdBody* b = &c->body[i];
    const int kind[] = {b->parent, b->joint, b->prescribed, b->rotor, b->position, b->speed};
    ints(h, kind, RUT_COUNT_OF(kind));
    reals(h, b->mount_position, 3);
    reals(h, b->mount_rotation, 9);
    reals(h, b->axis, 3);
    reals(h, &b->mass, 1);
    reals(h, b->com, 3);
    reals(h, b->inertia, 6);
  }
  reals(h, c->damping, c->speeds);
  reals(h, c->stiffness, c->speeds);
  const int* wheel_ints[] = {c->wheel_body, c->steer_position, c->steered, c->place, c->driven};
  for (int i = 0; i < RUT_COUNT_OF(wheel_ints); i++) ints(h, wheel_ints[i], c->wheels);
#define X(name, unit, doc) reals(h, c->name, c->wheels);
  RUT_DRAFT_WHEEL_NUMBERS(X)
#undef X
  const double whole[] = {c->com[0],         c->com[1],          c->mass,       c->yaw_inertia,
                          c->linear_damping, c->angular_damping, c->max_steer,  c->z_min,
                          c->z_max,          c->friction,        c->restitution};
  reals(h, whole, RUT_COUNT_OF(whole));
  if (!c->spatial.axles) ints(h, &c->coupled, 1);
  outline(h, &c->outline);
  reals(h, c->foot, 2 * c->feet);
  component(h, &c->tyre);
  component(h, &c->drive);
  for (int i = 0; i < c->controllers; i++) {
    const rutDraftControl* d = &c->control[i];
    component(h, &d->component);
    if (c->controllers == 1) continue;
    ints(h, &d->over, 1);
    ints(h, d->set_point, RUT_MAX_OUTPUTS);
  }
  for (int i = 0; i < c->controllers; i++) {
    const rutControllerType* type = (const rutControllerType*)c->control[i].component.type;
    for (int k = 0; k < type->inputs; k++) {
      const rutDraftControlSource* s = &c->control[i].source[k];
      const int from[] = {s->sensor, s->controller, s->output};
      ints(h, from, 3);
    }
  }
  for (int i = 0; i < c->actuators; i++) {
    const rutDraftActuator* a = &c->actuator[i];
    const int channel = (int)a->channel;
    const double limit[] = {rut_max(a->param.lower, -1e300), rut_min(a->param.upper, 1e300)};
    ints(h, &channel, 1);
    reals(h, &a->param.dead_time, 3);
    reals(h, limit, 2);
  }
  spatial(h, &c->spatial);
}

static void keyframes(Hash* h, const rutList* list) {
  ints(h, &list->n, 1);
  for (int i = 0; i < list->n; i++) {
    const rutKeyframe* k = rut_list_at(list, i);
    reals(h, &k->time, 1);
    reals(h, k->pose, 6);
  }
}

static void vehicles(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutVehicleRecord* r = &v->record;
    text(h, rut_node_name(draft->spec, v->node));
    ints(h, &v->group, 1);
    reals(h, r->start, 6);
    reals(h, r->velocity, 3);
    reals(h, r->odometry_scale, 3);
    ints(h, &r->on_ground, 1);
    ints(h, &r->rolling, 1);
    for (rutNode wheel = rut_node_first(draft->spec, v->node, "wheel"); !rut_node_is_null(wheel);
         wheel = rut_node_next(draft->spec, wheel, "wheel")) {
      text(h, rut_node_name(draft->spec, wheel));
    }
  }
  for (int i = 0; i < draft->mechanism.n; i++) {
    const rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    const rutDraftClass* c = rut_list_at(&draft->group, m->group);
    text(h, rut_node_name(draft->spec, m->node));
    ints(h, &m->group, 1);
    reals(h, m->base, 3);
    reals(h, m->q, c->positions);
    reals(h, m->v, c->speeds);
  }
}

static void obstacles(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    const rutBlockRecord* r = &b->record;
    text(h, rut_node_name(draft->spec, b->node));
    const int flags[] = {r->fixed, r->on_ground, r->intangible, r->body};
    ints(h, flags, RUT_COUNT_OF(flags));
    reals(h, r->start, 6);
    reals(h, r->velocity, 3);
    const double numbers[] = {r->com[0],          r->com[1],         r->mass,
                              r->inertia,         r->linear_damping, r->angular_damping,
                              b->ground_friction, b->ground_radius};
    reals(h, numbers, RUT_COUNT_OF(numbers));
    if (r->space) {
      const double more[] = {r->com_z, r->rise, b->z_min, b->z_max, b->friction, b->restitution};
      reals(h, more, RUT_COUNT_OF(more));
      reals(h, r->moments, 6);
      reals(h, r->rate, 3);
      outline(h, &b->outline);
    }
    keyframes(h, &b->keyframe);
    if (b->actor) reals(h, &r->delay, 1);
    if (b->actor) ints(h, &r->once, 1);
  }
  for (int i = 0; i < draft->prism.n; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    const int owner[] = {p->def.body, p->def.kind, p->def.index};
    const double numbers[] = {p->def.z_min, p->def.z_max, p->def.friction, p->def.restitution};
    ints(h, owner, RUT_COUNT_OF(owner));
    reals(h, numbers, RUT_COUNT_OF(numbers));
    outline(h, &p->outline);
  }
  for (int i = 0; i < draft->joint.n; i++) {
    const rutPlanarJointDef* j = rut_list_at(&draft->joint, i);
    const int kind[] = {j->distance, j->body_a, j->body_b, j->limited};
    const double numbers[] = {j->anchor_a[0], j->anchor_a[1], j->anchor_b[0], j->anchor_b[1],
                              j->min_length,  j->max_length,  j->stiffness,   j->damping,
                              j->rest_length, j->lower,       j->upper};
    ints(h, kind, RUT_COUNT_OF(kind));
    reals(h, numbers, RUT_COUNT_OF(numbers));
  }
}

static void maps(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->grid.n; i++) {
    const rutDraftGrid* g = rut_list_at(&draft->grid, i);
    const int size[] = {g->grid.nx, g->grid.ny, g->solid};
    const double numbers[] = {g->grid.resolution, g->grid.origin[0], g->grid.origin[1], g->friction,
                              g->restitution};
    ints(h, size, RUT_COUNT_OF(size));
    reals(h, numbers, RUT_COUNT_OF(numbers));
    bytes(h, g->grid.cell, (size_t)g->grid.nx * (size_t)g->grid.ny);
  }
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    const rutGroundSource* g = &s->source;
    const int kind = (int)g->kind;
    const double numbers[] = {g->x,     g->y,     g->z,     g->cos_yaw, g->sin_yaw,
                              g->x_min, g->x_max, g->y_min, g->y_max,   g->height};
    ints(h, &kind, 1);
    reals(h, numbers, RUT_COUNT_OF(numbers));
    if (g->kind == RUT_GROUND_FIELD) {
      const int size[] = {s->field.nx, s->field.ny};
      ints(h, size, 2);
      reals(h, &s->field.spacing, 1);
      reals(h, s->field.origin, 2);
      reals(h, s->height, s->field.nx * s->field.ny);
    }
    keyframes(h, &s->keyframe);
  }
  for (int i = 0; i < draft->region.n; i++) {
    const rutRegion* r = rut_list_at(&draft->region, i);
    reals(h, r->min, 3);
    reals(h, r->max, 3);
    const double values[] = {
        r->friction == r->friction ? r->friction : -1,
        r->rolling_resistance == r->rolling_resistance ? r->rolling_resistance : -1};
    reals(h, values, 2);
    if (r->no_gps) ints(h, &(const int){1}, 1);
    if (r->moisture == r->moisture) reals(h, &r->moisture, 1);
    if (r->soft_depth == r->soft_depth) reals(h, &(const double){-1 - r->soft_depth}, 1);
    if (r->soil < 0 && r->corners == 0 && !(r->strength == r->strength)) continue;
    const double strength = r->strength == r->strength ? r->strength : -1;
    ints(h, &r->soil, 1);
    reals(h, &strength, 1);
    reals(h, r->xy, 2 * r->corners);
  }
}

static void params(Hash* h, const double* param) {
  for (int i = 0; i < RUT_MAX_PARAMS; i++) {
    // all NaN are the same "not given"
    const double value = param[i] == param[i] ? param[i] : 0;
    const int given = param[i] == param[i];
    reals(h, &value, 1);
    ints(h, &given, 1);
  }
}

static void shapes(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->shape.n; i++) {
    const rutGroundShape* s = rut_list_at(&draft->shape, i);
    text(h, s->type->base.name);
    params(h, s->param);
  }
  for (int i = 0; i < draft->ground_map.n; i++) {
    const rutGroundMap* m = &((const rutDraftMap*)rut_list_at(&draft->ground_map, i))->map;
    const int kind[] = {m->quantity, m->nx, m->ny};
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    ints(h, kind, RUT_COUNT_OF(kind));
    reals(h, &m->spacing, 1);
    reals(h, m->corner, 2);
    if (m->soil) bytes(h, m->soil, cells);
    if (m->value) bytes(h, m->value, cells * sizeof *m->value);
  }
  if (draft->ground_soil) ints(h, &draft->ground_soil, 1);
  const rutSoftDef* soft = &draft->soft;
  const double ruts[] = {soft->cell, soft->displaced, soft->border, soft->repose};
  if (!(soft->cell > 0)) return;
  reals(h, ruts, RUT_COUNT_OF(ruts));
  ints(h, &soft->tiles, 1);
  ints(h, &soft->counts, 1);
}

// loose: their numbers may differ.
static void soils(Hash* h, const rutDraft* draft, bool loose) {
  const int counts = rut_draft_some_soil_counts_passes(draft);
  ints(h, &counts, loose ? 1 : 0);
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftComponent* c = &((const rutDraftSoil*)rut_list_at(&draft->soil, i))->component;
    if (loose) {
      text(h, c->type->name);
    } else {
      component(h, c);
    }
  }
}

static void failure(Hash* h, const rutFailureRecord* f) {
  const int which[] = {(int)f->kind, f->output};
  const double numbers[] = {f->from, f->to, f->value};
  ints(h, which, RUT_COUNT_OF(which));
  reals(h, numbers, RUT_COUNT_OF(numbers));
}

// What sensors see, unless every element is of a standard material.
static void surfaces(Hash* h, const rutDraft* draft) {
  if (draft->material.n == RUT_STANDARD_MATERIALS) return;
  for (int i = 0; i < draft->material.n; i++) {
    const rutMaterial* m = rut_list_at(&draft->material, i);
    const double numbers[] = {m->reflectance_905, m->reflectance_1550, m->roughness, m->specular,
                              m->radar,           m->semantic_class};
    reals(h, m->colour, 3);
    reals(h, numbers, RUT_COUNT_OF(numbers));
    if (m->retroreflection > 0) reals(h, &m->retroreflection, 1);
  }
  for (int i = 0; i < draft->class_name.n; i++) {
    text(h, *(const char* const*)rut_list_at(&draft->class_name, i));
  }
  for (int i = 0; i < draft->prism.n; i++) {
    ints(h, &((const rutDraftPrism*)rut_list_at(&draft->prism, i))->surface.material, 1);
  }
  for (int i = 0; i < draft->grid.n; i++) {
    ints(h, &((const rutDraftGrid*)rut_list_at(&draft->grid, i))->surface.material, 1);
  }
  for (int i = 0; i < draft->source.n; i++) {
    ints(h, &((const rutDraftSource*)rut_list_at(&draft->source, i))->surface.material, 1);
  }
  for (int i = 0; i < draft->soil.n; i++) {
    ints(h, &((const rutDraftSoil*)rut_list_at(&draft->soil, i))->material, 1);
  }
  ints(h, &draft->ground_surface.material, 1);
}

// Meshes that sensors see. What follows from other elements is in the hash with those.
static void scene(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->mesh.n; i++) {
    const rutDraftMesh* mesh = rut_list_at(&draft->mesh, i);
    bytes(h, &mesh->hash, sizeof mesh->hash);
  }
  for (int i = 0; i < draft->visual.n; i++) {
    const rutDraftVisual* v = rut_list_at(&draft->visual, i);
    if (v->mesh < 0 && v->carrier.kind != RUT_CARRIER_WORLD) continue;
    const int what[] = {
        (int)v->carrier.kind, v->carrier.index,    v->carrier.part,  v->mesh, v->solid,
        v->surface.instance,  v->surface.material, v->semantic_class};
    ints(h, what, RUT_COUNT_OF(what));
    reals(h, v->pose, 12);
  }
}

uint64_t rut_draft_hash(const rutDraft* draft) {
  Hash h = {RUT_HASH_START};
  // not a number: the world has no place on earth
  const bool placed = draft->origin[0] == draft->origin[0] && draft->origin[1] == draft->origin[1];
  if (placed) reals(&h, draft->origin, draft->origin[3] != 0 ? 4 : 3);
  const double world[] = {draft->dt, draft->gravity, draft->margin};
  reals(&h, world, RUT_COUNT_OF(world));
  ints(&h, &draft->rk4, 1);
  for (int i = 0; i < draft->group.n; i++) vehicle_class(&h, rut_list_at(&draft->group, i));
  vehicles(&h, draft);
  obstacles(&h, draft);
  maps(&h, draft);
  shapes(&h, draft);
  soils(&h, draft, false);
  surfaces(&h, draft);
  scene(&h, draft);
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    text(&h, rut_node_name(draft->spec, s->node));
    ints(&h, &s->vehicle, 1);
    ints(&h, &s->exact, 1);
    component(&h, &s->component);
    for (int k = 0; k < s->failures; k++) failure(&h, &s->failure[k]);
  }
  return h.value;
}

// ---- what lanes share ----

// Leave out numbers of components: they are called lane by lane. When controllers run, and what is
// late, is the same in all lanes.
static void forget_components(rutDraftClass* c) {
  enum { HEAD = sizeof(rutControllerHead) / sizeof(double) };
  memset(c->drive.param, 0, sizeof c->drive.param);
  memset(c->controller.param, 0, sizeof c->controller.param);
  for (int i = 0; i < c->controllers; i++) {
    double* param = c->control[i].component.param;
    memset(param + HEAD, 0, sizeof c->control[i].component.param - HEAD * sizeof *param);
  }
}

// Leave out numbers of a planar vehicle that have a place for every lane, its shape among obstacles
// included, which each copy has of its own.
static void forget_plane(rutDraftClass* c) {
  double* const of_wheel[] = {c->x,          c->y,     c->radius,    c->width, c->inertia,
                              c->wheel_mass, c->share, c->side_mass, c->hold,  c->turning};
  for (int i = 0; i < RUT_COUNT_OF(of_wheel); i++) {
    memset(of_wheel[i], 0, RUT_MAX_WHEELS * sizeof *of_wheel[i]);
  }
  for (int i = 0; i < c->bodies; i++) {
    rutMbdBody* b = &c->body[i];
    b->mass = 0;
    memset(b->mount_position, 0, sizeof b->mount_position);
    memset(b->com, 0, sizeof b->com);
    memset(b->inertia, 0, sizeof b->inertia);
  }
  c->mass = c->yaw_inertia = c->max_steer = 0;
  c->linear_damping = c->angular_damping = 0;
  c->z_min = c->z_max = c->friction = c->restitution = 0;
  memset(c->com, 0, sizeof c->com);
  memset(c->outline.xy, 0, sizeof c->outline.xy);
  memset(c->foot, 0, sizeof c->foot);
  memset(c->tyre.param, 0, sizeof c->tyre.param);
  forget_components(c);
}

// Leave out masses, sizes of wheels and what follows from them, and numbers of drives and
// controllers.
static void forget_masses(rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  double* const of_wheel[] = {c->share,
                              c->side_mass,
                              c->hold,
                              c->wheel_mass,
                              c->radius,
                              c->width,
                              c->inertia,
                              c->turning,
                              s->z,
                              s->wheel.radius,
                              s->wheel.crown,
                              s->wheel.width,
                              s->wheel.section,
                              s->wheel.spin,
                              s->wheel.geared,
                              s->wheel.reaction,
                              s->wheel.brake,
                              s->hub_x,
                              s->hub_y,
                              s->first_x,
                              s->first_y,
                              s->second_z,
                              s->hub_mass,
                              s->wheel.x,
                              s->wheel.y,
                              s->wheel.z,
                              s->wheel.wheel_mass,
                              s->wheel.transverse,
                              s->wheel.corner_mass,
                              s->wheel.lowest,
                              s->wheel.highest};
  for (int i = 0; i < RUT_COUNT_OF(of_wheel); i++) {
    memset(of_wheel[i], 0, RUT_MAX_WHEELS * sizeof *of_wheel[i]);
  }
  c->mass = c->yaw_inertia = c->max_steer = s->chassis_mass = 0;
  s->steer_full = s->steer_curvature = 0;
  memset(c->com, 0, sizeof c->com);
  memset(s->com, 0, sizeof s->com);
  memset(s->inertia, 0, sizeof s->inertia);
  memset(s->hitch, 0, sizeof s->hitch);
  memset(s->hull_point, 0, sizeof s->hull_point);
  for (int a = 0; a < s->axles; a++) {
    memset(s->part[s->suspension[a]].param, 0, sizeof s->part[0].param);
  }
  forget_components(c);
}

// Leave out what has a place for every lane (rut_tile_take).
static void forget_lane_numbers(rutDraftSpatial* s) {
  double* const of_wheel[] = {
      s->wheel.stiffness,       s->wheel.deflection, s->wheel.preload,    s->wheel.settled,
      s->wheel.rest_load,       s->wheel.rest_rate,  s->wheel.rest_share, s->wheel.rest_coordinate,
      s->wheel.rest_deflection, s->hub_stiffness,    s->hub_damping,      s->wheel.cam_distance};
  for (int i = 0; i < RUT_COUNT_OF(of_wheel); i++) {
    memset(of_wheel[i], 0, RUT_MAX_WHEELS * sizeof *of_wheel[i]);
  }
  for (int a = 0; a < s->axles; a++) {
    memset(s->part[s->tyre[a]].param, 0, sizeof s->part[0].param);
    const rutSuspensionType* type = (const rutSuspensionType*)s->part[s->suspension[a]].type;
    if (!type->corner) memset(s->part[s->suspension[a]].param, 0, sizeof s->part[0].param);
  }
  s->sag = s->tilt = 0;
}

static void regions(Hash* h, const rutDraft* draft) {
  for (int i = 0; i < draft->region.n; i++) {
    const rutRegion* r = rut_list_at(&draft->region, i);
    const double place[] = {r->strength, r->moisture, r->soft_depth, r->friction,
                            r->rolling_resistance};
    reals(h, r->min, 3);
    reals(h, r->max, 3);
    reals(h, place, RUT_COUNT_OF(place));
    ints(h, &r->soil, 1);
    reals(h, r->xy, 2 * r->corners);
  }
}

uint64_t rut_draft_lanes_hash(const rutDraft* draft, bool loose) {
  Hash h = {RUT_HASH_START};
  const double world[] = {draft->dt, draft->gravity};
  const int counts[] = {draft->rk4,         draft->group.n,  draft->vehicle.n, draft->mechanism.n,
                        draft->sensor.n,    draft->prism.n,  draft->block.n,   draft->joint.n,
                        draft->grid.n,      draft->source.n, draft->shape.n,   draft->region.n,
                        draft->ground_map.n};
  reals(&h, world, RUT_COUNT_OF(world));
  ints(&h, counts, RUT_COUNT_OF(counts));
  rutDraftClass* class = rut_context_alloc(draft->context, sizeof *class, 64);
  if (!class) return 0;
  for (int i = 0; i < draft->group.n; i++) {
    memcpy(class, rut_list_at(&draft->group, i), sizeof *class);
    if (loose && !class->mechanism && !class->spatial.axles) forget_plane(class);
    if (loose && class->spatial.axles) forget_lane_numbers(&class->spatial);
    // Runge-Kutta steps look at drives and controllers ahead
    if (loose && class->spatial.axles && !draft->rk4) forget_masses(class);
    bytes(&h, class, sizeof *class);
  }
  rut_context_free(draft->context, class);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    ints(&h, &v->group, 1);
    reals(&h, v->record.odometry_scale, 3);
  }
  for (int i = 0; i < draft->mechanism.n; i++) {
    ints(&h, &((const rutDraftMechanism*)rut_list_at(&draft->mechanism, i))->group, 1);
  }
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    text(&h, s->component.type->name);
    ints(&h, &s->vehicle, 1);
  }
  maps(&h, draft);
  regions(&h, draft);
  shapes(&h, draft);
  soils(&h, draft, loose);
  return h.value;
}
